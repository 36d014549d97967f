//! Rust types that native functions take and give, and how they sit in words.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use bp_reflect::TextValue;
use glam::{DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3};

use super::NativeCall;
use crate::ids::{NameId, ObjectHandle};
use crate::memory::{TypedPlace, Words};

/// What a value of a Rust type looks like, to compare a row with its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// No value.
    Nothing,
    /// Not said.
    Unknown,
    /// `bool`.
    Bool,
    /// A byte or an enum.
    Byte,
    /// A signed integer of that many bits.
    Int(u8),
    /// A float or a double.
    Real,
    /// A name.
    Name,
    /// A string or a soft reference.
    Str,
    /// A text.
    Text,
    /// An object, class or interface reference.
    Object,
    /// A delegate.
    Delegate,
    /// A struct of that many words.
    Struct(u8),
    /// An array.
    Array,
    /// A set or a map.
    Table,
    /// Anything.
    Any,
}

/// A Rust type whose values fit the words of a parameter.
pub trait NativeValue: Sized {
    /// What its values look like.
    const SHAPE: Shape;

    /// The value that sits in `words`. There are as many as the parameter takes, or none for a
    /// parameter that is not declared.
    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self;

    /// The words of the value; strings and the like get a place in their heap.
    fn into_words(self, call: &mut NativeCall<'_>) -> Words;
}

/// A Rust type that a row may have as an argument: a value, or an [`Out`].
pub trait NativeArgument: Sized {
    /// What the parameter must look like.
    const SHAPE: Shape;

    /// The argument for parameter `index`.
    fn read(call: &NativeCall<'_>, index: usize) -> Self;
}

impl<T: NativeValue> NativeArgument for T {
    const SHAPE: Shape = T::SHAPE;

    fn read(call: &NativeCall<'_>, index: usize) -> Self {
        call.value(index)
    }
}

/// An output, set with [`NativeCall::set`].
#[derive(Debug)]
pub struct Out<T> {
    pub(super) index: usize,
    value: PhantomData<T>,
}

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T: NativeValue> NativeArgument for Out<T> {
    const SHAPE: Shape = T::SHAPE;

    fn read(_: &NativeCall<'_>, index: usize) -> Self {
        Self {
            index,
            value: PhantomData,
        }
    }
}

/// An array passed by its place; its elements may be of any type.
#[derive(Clone, Copy, Debug)]
pub struct ArrayArg {
    pub(crate) target: Option<TypedPlace>,
    /// The variable it was found through.
    pub(crate) name: Option<NameId>,
}

impl NativeArgument for ArrayArg {
    const SHAPE: Shape = Shape::Array;

    fn read(call: &NativeCall<'_>, index: usize) -> Self {
        Self {
            target: call.target(index),
            name: call.target_name(index),
        }
    }
}

/// A set or map passed by its place.
#[derive(Clone, Copy, Debug)]
pub struct TableArg {
    pub(crate) target: Option<TypedPlace>,
}

impl NativeArgument for TableArg {
    const SHAPE: Shape = Shape::Table;

    fn read(call: &NativeCall<'_>, index: usize) -> Self {
        Self {
            target: call.target(index),
        }
    }
}

/// A value of any type passed by its place.
#[derive(Clone, Copy, Debug)]
pub struct Any {
    pub(crate) target: Option<TypedPlace>,
}

impl NativeArgument for Any {
    const SHAPE: Shape = Shape::Any;

    fn read(call: &NativeCall<'_>, index: usize) -> Self {
        Self {
            target: call.target(index),
        }
    }
}

macro_rules! word_value {
    ($($ty:ty: $shape:expr, |$word:ident| $from:expr, |$value:ident| $into:expr;)*) => {$(
        impl NativeValue for $ty {
            const SHAPE: Shape = $shape;

            fn from_words(_: &NativeCall<'_>, words: &[u64]) -> Self {
                let $word = words.first().copied().unwrap_or_default();
                $from
            }

            fn into_words(self, _: &mut NativeCall<'_>) -> Words {
                let $value = self;
                Words::from_slice(&[$into])
            }
        }
    )*};
}

word_value! {
    bool: Shape::Bool, |word| word != 0, |value| u64::from(value);
    u8: Shape::Byte, |word| word as u8, |value| u64::from(value);
    i32: Shape::Int(32), |word| word as i32, |value| i64::from(value) as u64;
    i64: Shape::Int(64), |word| word as i64, |value| value as u64;
    f64: Shape::Real, |word| f64::from_bits(word), |value| value.to_bits();
    f32: Shape::Real, |word| f64::from_bits(word) as f32, |value| f64::from(value).to_bits();
    NameId: Shape::Name, |word| NameId(word as u32), |value| u64::from(value.0);
}

/// A reference to an object that was collected arrives as null.
impl NativeValue for ObjectHandle {
    const SHAPE: Shape = Shape::Object;

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        let word = words.first().copied().unwrap_or_default();
        Self(call.vm.memory.live(word))
    }

    fn into_words(self, _: &mut NativeCall<'_>) -> Words {
        Words::from_slice(&[self.0])
    }
}

/// A string argument, shared with the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Str(pub Arc<str>);

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl NativeValue for Str {
    const SHAPE: Shape = Shape::Str;

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        let word = words.first().copied().unwrap_or_default();
        let text = call.vm.memory.strings.get(word).cloned();
        Self(text.unwrap_or_else(|| Arc::from("")))
    }

    fn into_words(self, call: &mut NativeCall<'_>) -> Words {
        Words::from_slice(&[call.vm.memory.new_string(self.0)])
    }
}

impl NativeValue for String {
    const SHAPE: Shape = Shape::Str;

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        Str::from_words(call, words).to_string()
    }

    fn into_words(self, call: &mut NativeCall<'_>) -> Words {
        Words::from_slice(&[call.vm.memory.new_string(self)])
    }
}

impl NativeValue for TextValue {
    const SHAPE: Shape = Shape::Text;

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        call.vm
            .memory
            .text(words.first().copied().unwrap_or_default())
    }

    fn into_words(self, call: &mut NativeCall<'_>) -> Words {
        Words::from_slice(&[call.vm.memory.new_text(self)])
    }
}

/// A struct of numbers: its words in order.
macro_rules! real_struct {
    ($ty:ty, $words:literal, |$w:ident| $from:expr, |$v:ident| $into:expr) => {
        impl NativeValue for $ty {
            const SHAPE: Shape = Shape::Struct($words);

            fn from_words(_: &NativeCall<'_>, words: &[u64]) -> Self {
                let $w = |index: usize| f64::from_bits(words.get(index).copied().unwrap_or(0));
                $from
            }

            fn into_words(self, _: &mut NativeCall<'_>) -> Words {
                let $v = self;
                let values: [f64; $words] = $into;
                values.iter().map(|value| value.to_bits()).collect()
            }
        }
    };
}

real_struct!(DVec3, 3, |w| DVec3::new(w(0), w(1), w(2)), |v| v.to_array());
real_struct!(DVec2, 2, |w| DVec2::new(w(0), w(1)), |v| v.to_array());
real_struct!(
    DQuat,
    4,
    |w| DQuat::from_xyzw(w(0), w(1), w(2), w(3)),
    |v| v.to_array()
);
real_struct!(
    Rotator,
    3,
    |w| Rotator {
        pitch: w(0),
        yaw: w(1),
        roll: w(2)
    },
    |v| [v.pitch, v.yaw, v.roll]
);
real_struct!(
    LinearColor,
    4,
    |w| LinearColor {
        r: w(0),
        g: w(1),
        b: w(2),
        a: w(3)
    },
    |v| [v.r, v.g, v.b, v.a]
);
real_struct!(
    Transform,
    10,
    |w| Transform {
        rotation: DQuat::from_xyzw(w(0), w(1), w(2), w(3)),
        translation: DVec3::new(w(4), w(5), w(6)),
        scale: DVec3::new(w(7), w(8), w(9)),
    },
    |v| {
        let (r, t, s) = (v.rotation, v.translation, v.scale);
        [r.x, r.y, r.z, r.w, t.x, t.y, t.z, s.x, s.y, s.z]
    }
);

// Planes too: the normal, and the distance from the origin along it.
real_struct!(DVec4, 4, |w| DVec4::new(w(0), w(1), w(2), w(3)), |v| v
    .to_array());
// The engine multiplies rows from the left: its rows are the columns here, and `a * b` is `b * a`.
real_struct!(
    DMat4,
    16,
    |w| DMat4::from_cols_array(&std::array::from_fn(w)),
    |v| v.to_cols_array()
);

/// A struct of integers: its words in order.
macro_rules! int_struct {
    ($ty:ty, $words:literal, |$w:ident| $from:expr, |$v:ident| $into:expr) => {
        impl NativeValue for $ty {
            const SHAPE: Shape = Shape::Struct($words);

            fn from_words(_: &NativeCall<'_>, words: &[u64]) -> Self {
                let $w = |index: usize| words.get(index).copied().unwrap_or(0) as i32;
                $from
            }

            fn into_words(self, _: &mut NativeCall<'_>) -> Words {
                let $v = self;
                let values: [i32; $words] = $into;
                values
                    .iter()
                    .map(|value| i64::from(*value) as u64)
                    .collect()
            }
        }
    };
}

int_struct!(IVec2, 2, |w| IVec2::new(w(0), w(1)), |v| v.to_array());
int_struct!(IVec3, 3, |w| IVec3::new(w(0), w(1), w(2)), |v| v.to_array());
int_struct!(
    Color,
    4,
    |w| Color {
        b: w(0) as u8,
        g: w(1) as u8,
        r: w(2) as u8,
        a: w(3) as u8
    },
    |v| [v.b, v.g, v.r, v.a].map(i32::from)
);

/// A colour of bytes (`FColor`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Color {
    /// Blue.
    pub b: u8,
    /// Green.
    pub g: u8,
    /// Red.
    pub r: u8,
    /// Opacity.
    pub a: u8,
}

/// A box along the axes (`FBox`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub min: DVec3,
    /// The corner with the largest.
    pub max: DVec3,
    /// Whether there is a box at all.
    pub is_valid: bool,
}

impl NativeValue for Bounds {
    const SHAPE: Shape = Shape::Struct(7);

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        let part = |from: usize| words.get(from..).unwrap_or_default();
        Self {
            min: DVec3::from_words(call, part(0)),
            max: DVec3::from_words(call, part(3)),
            is_valid: bool::from_words(call, part(6)),
        }
    }

    fn into_words(self, call: &mut NativeCall<'_>) -> Words {
        let mut words = self.min.into_words(call);
        words.extend(self.max.into_words(call));
        words.push(u64::from(self.is_valid));
        words
    }
}

/// A colour of floats (`FLinearColor`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinearColor {
    /// Red.
    pub r: f64,
    /// Green.
    pub g: f64,
    /// Blue.
    pub b: f64,
    /// Opacity.
    pub a: f64,
}

/// A rotation in degrees (`FRotator`): yaw about up, then pitch, then roll, in the engine's
/// left-handed system (x forward, y right, z up).
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Rotator {
    /// About the right axis, up positive.
    pub pitch: f64,
    /// About the up axis, clockwise seen from above.
    pub yaw: f64,
    /// About the forward axis, clockwise seen from behind.
    pub roll: f64,
}

/// Near the poles of pitch, yaw and roll cannot be told apart. Source: the engine's threshold as
/// commonly described.
const SINGULARITY: f64 = 0.499_999_5;

impl Rotator {
    /// The three angles in the engine's order of declaration.
    pub const fn new(pitch: f64, yaw: f64, roll: f64) -> Self {
        Self { pitch, yaw, roll }
    }

    /// The same rotation as a quaternion.
    pub fn quat(self) -> DQuat {
        let half = |degrees: f64| ((degrees % 360.0).to_radians() * 0.5).sin_cos();
        let ((sp, cp), (sy, cy), (sr, cr)) = (half(self.pitch), half(self.yaw), half(self.roll));
        DQuat::from_xyzw(
            cr * sp * sy - sr * cp * cy,
            -cr * sp * cy - sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        )
    }

    /// The angles of a quaternion; pitch within 90 degrees, yaw and roll within 180.
    pub fn from_quat(q: DQuat) -> Self {
        let singularity = q.z * q.x - q.w * q.y;
        let yaw_y = 2.0 * (q.w * q.z + q.x * q.y);
        let yaw_x = 1.0 - 2.0 * (q.y * q.y + q.z * q.z);
        let yaw = yaw_y.atan2(yaw_x).to_degrees();
        if singularity < -SINGULARITY {
            let roll = normalize_axis(-yaw - 2.0 * q.x.atan2(q.w).to_degrees());
            return Self::new(-90.0, yaw, roll);
        }
        if singularity > SINGULARITY {
            let roll = normalize_axis(yaw - 2.0 * q.x.atan2(q.w).to_degrees());
            return Self::new(90.0, yaw, roll);
        }
        let pitch = (2.0 * singularity).asin().to_degrees();
        let roll_y = -2.0 * (q.w * q.x + q.y * q.z);
        let roll_x = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);
        Self::new(pitch, yaw, roll_y.atan2(roll_x).to_degrees())
    }

    /// Forward, right and up.
    pub fn axes(self) -> DMat3 {
        DMat3::from_quat(self.quat())
    }

    /// Each angle brought into (-180, 180].
    #[must_use]
    pub fn normalized(self) -> Self {
        Self::new(
            normalize_axis(self.pitch),
            normalize_axis(self.yaw),
            normalize_axis(self.roll),
        )
    }
}

/// An angle brought into [0, 360).
pub(super) fn clamp_axis(angle: f64) -> f64 {
    let angle = angle % 360.0;
    if angle < 0.0 { angle + 360.0 } else { angle }
}

/// An angle brought into (-180, 180].
pub(super) fn normalize_axis(angle: f64) -> f64 {
    let angle = clamp_axis(angle);
    if angle > 180.0 { angle - 360.0 } else { angle }
}

/// A rotation, a translation and a scale, applied in the order scale, rotation, translation.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Transform {
    /// As a quaternion.
    pub rotation: DQuat,
    /// Where the origin goes.
    pub translation: DVec3,
    /// Per axis, before the rotation.
    pub scale: DVec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self {
            rotation: DQuat::IDENTITY,
            translation: DVec3::ZERO,
            scale: DVec3::ONE,
        }
    }
}

impl Transform {
    /// This transform, then `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self {
            rotation: next.rotation * self.rotation,
            translation: next.point(self.translation),
            scale: self.scale * next.scale,
        }
    }

    /// Where a point goes.
    pub fn point(self, point: DVec3) -> DVec3 {
        self.rotation * (self.scale * point) + self.translation
    }

    /// The point that goes to `point`.
    pub fn inverse_point(self, point: DVec3) -> DVec3 {
        (self.rotation.inverse() * (point - self.translation)) * safe_reciprocal(self.scale)
    }

    /// The transform that undoes this one, exact for uniform scales.
    #[must_use]
    pub fn inverse(self) -> Self {
        let scale = safe_reciprocal(self.scale);
        let rotation = self.rotation.inverse();
        Self {
            rotation,
            translation: rotation * (-self.translation * scale),
            scale,
        }
    }

    /// This transform as seen from `parent`: `relative.then(parent)` is this one.
    #[must_use]
    pub fn relative_to(self, parent: Self) -> Self {
        let scale = safe_reciprocal(parent.scale);
        let rotation = parent.rotation.inverse();
        Self {
            rotation: rotation * self.rotation,
            translation: (rotation * (self.translation - parent.translation)) * scale,
            scale: self.scale * scale,
        }
    }
}

/// One over each component; 0 for one that is nearly 0.
fn safe_reciprocal(v: DVec3) -> DVec3 {
    let one = |x: f64| if x.abs() <= 1e-8 { 0.0 } else { 1.0 / x };
    DVec3::new(one(v.x), one(v.y), one(v.z))
}

/// A delegate: an object and the name of one of its functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Delegate {
    /// Whose function is called.
    pub object: ObjectHandle,
    /// The function.
    pub function: NameId,
}

impl NativeValue for Delegate {
    const SHAPE: Shape = Shape::Delegate;

    fn from_words(_: &NativeCall<'_>, words: &[u64]) -> Self {
        Self {
            object: ObjectHandle(words.first().copied().unwrap_or(0)),
            function: NameId(words.get(1).copied().unwrap_or(0) as u32),
        }
    }

    fn into_words(self, _: &mut NativeCall<'_>) -> Words {
        Words::from_slice(&[self.object.0, u64::from(self.function.0)])
    }
}

/// What a latent call resumes (`FLatentActionInfo`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LatentInfo {
    /// Offset in the event graph; -1 for nothing.
    pub linkage: i32,
    /// Tells the calls of one object apart.
    pub uuid: i32,
    /// The event graph.
    pub function: NameId,
    /// Whose event graph.
    pub target: ObjectHandle,
}

impl NativeValue for LatentInfo {
    const SHAPE: Shape = Shape::Struct(4);

    fn from_words(_: &NativeCall<'_>, words: &[u64]) -> Self {
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        Self {
            linkage: word(0) as i32,
            uuid: word(1) as i32,
            function: NameId(word(2) as u32),
            target: ObjectHandle(word(3)),
        }
    }

    fn into_words(self, _: &mut NativeCall<'_>) -> Words {
        Words::from_slice(&[
            i64::from(self.linkage) as u64,
            i64::from(self.uuid) as u64,
            u64::from(self.function.0),
            self.target.0,
        ])
    }
}
