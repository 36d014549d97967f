//! Native functions: an open table of rows, each a name and a Rust function of typed arguments.
//!
//! ```
//! use bp_vm::{Natives, native};
//!
//! let mut natives = Natives::standard();
//! natives.add(native!("DoorLibrary.Twice", |value: i32| -> i32 { value.wrapping_mul(2) }));
//! // The first parameter without a type is the call itself, for whoever needs the world.
//! natives.add(native!("DoorLibrary.Shout", |call, text: bp_vm::Str| {
//!     call.print(&text.to_uppercase());
//!     Ok(())
//! }));
//! assert!(natives.contains("DoorLibrary", "twice"));
//! ```
//!
//! A row is found by the short name of the class that declares the function and the function's name.
//! Its arguments are the declaration's parameters in order, the return value left out. An output is an
//! [`Out`], set through the call. Parameters the declaration does not have (a newer engine's) read as
//! zero. A row without a call gives its value; a row with one gives a [`Run`] of it.

/// Rows of one library, each a name, its arguments, and the value it gives.
macro_rules! value_rows {
    ($library:literal; $($name:ident($($arg:ident: $ty:ty),+) -> $result:ty = $value:expr;)*) => {
        &[$($crate::native!(
            concat!($library, ".", stringify!($name)),
            |$($arg: $ty),+| -> $result { $value }
        ),)*]
    };
}

/// Rows of one library that change their first argument: a name, the arguments, and what the first
/// becomes.
macro_rules! changing_rows {
    ($library:literal; $($name:ident($first:ident: $first_ty:ty $(, $arg:ident: $ty:ty)*) = $value:expr;)*) => {
        &[$($crate::native!(
            concat!($library, ".", stringify!($name)),
            |call, place: super::Out<$first_ty> $(, $arg: $ty)*| {
                let $first: $first_ty = call.get(place);
                call.set(place, $value);
                Ok(())
            }
        ),)*]
    };
}

mod actor;
mod arrays;
mod boxes;
mod call;
mod color;
mod convert;
mod date_texts;
mod datetime;
mod gameplay;
mod geometry;
mod helpers;
mod hits;
mod maps;
mod math_bool;
mod math_byte;
mod math_int;
mod math_int64;
mod math_matrix;
mod math_points;
mod math_real;
mod math_rotator;
mod math_transform;
mod math_vector;
mod math_vector2d;
mod math_vector4;
mod objects;
mod options;
mod property_by_name;
mod random;
mod random_cones;
mod saves;
mod sets;
mod springs;
mod statistics;
mod strings;
mod system;
mod texts;
mod timeline;
mod timers;
mod values;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use bp_reflect::Name;
use rustc_hash::FxBuildHasher;

pub use call::NativeCall;
pub use values::{
    Any, ArrayArg, Bounds, Color, Delegate, LatentInfo, LinearColor, NativeArgument, NativeValue,
    Out, Rotator, Shape, Str, TableArg, Transform,
};

pub(crate) use math_rotator::lerp as lerp_rotator;

use crate::error::Run;

/// What a row runs.
#[derive(Clone)]
enum Thunk {
    Plain(fn(&mut NativeCall<'_>) -> Run),
    Shared(Arc<dyn Fn(&mut NativeCall<'_>) -> Run + Send + Sync>),
}

/// A native function: one row of the table. Made with [`native!`](crate::native).
#[derive(Clone)]
pub struct Native {
    name: &'static str,
    shapes: &'static [Shape],
    result: Shape,
    thunk: Thunk,
    /// A row of [`Natives::standard`], whose meaning the fast tier may know.
    is_standard: bool,
    is_revocable: bool,
}

impl Native {
    /// A row from its parts: `Class.Function`, what its arguments and result look like, and the function.
    /// [`native!`](crate::native) writes this.
    pub const fn new(
        name: &'static str,
        shapes: &'static [Shape],
        result: Shape,
        run: fn(&mut NativeCall<'_>) -> Run,
    ) -> Self {
        Self {
            name,
            shapes,
            result,
            thunk: Thunk::Plain(run),
            is_standard: false,
            is_revocable: true,
        }
    }

    /// A row that runs a closure with state of its own, which reads its arguments with
    /// [`NativeCall::arg`] and gives its result with [`NativeCall::give`].
    pub fn closure(
        name: &'static str,
        run: impl Fn(&mut NativeCall<'_>) -> Run + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            shapes: &[],
            result: Shape::Unknown,
            thunk: Thunk::Shared(Arc::new(run)),
            is_standard: false,
            is_revocable: false,
        }
    }

    /// The row as one whose effects a transaction can undo: it changes nothing but what it changes through
    /// the call, which is undone with everything else, and what it prints and reports is held back until
    /// the transaction has committed. Rows are so unless they are [closures](Self::closure).
    #[must_use]
    pub const fn revocable(mut self) -> Self {
        self.is_revocable = true;
        self
    }

    /// The row as one that does something outside of the world (writes a file, counts for its embedder): a
    /// transaction that calls it ends the run with
    /// [`FaultKind::Irrevocable`](crate::FaultKind::Irrevocable), before anything is done. Closures are so
    /// unless they say otherwise, and so is [a fallback](Natives::set_fallback).
    #[must_use]
    pub const fn irrevocable(mut self) -> Self {
        self.is_revocable = false;
        self
    }

    /// Whether a transaction may call it.
    pub fn is_revocable(&self) -> bool {
        self.is_revocable
    }

    /// `Class.Function`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What the arguments look like, in order; empty for a closure.
    pub fn shapes(&self) -> &'static [Shape] {
        self.shapes
    }

    /// What the result looks like.
    pub fn result(&self) -> Shape {
        self.result
    }

    /// Whether it is a row of the standard table.
    pub(crate) fn is_standard(&self) -> bool {
        self.is_standard
    }

    pub(crate) fn run(&self, call: &mut NativeCall<'_>) -> Run {
        match &self.thunk {
            Thunk::Plain(run) => run(call),
            Thunk::Shared(run) => run(call),
        }
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Native({})", self.name)
    }
}

/// What is asked for functions that have no row.
type Fallback = dyn Fn(&mut NativeCall<'_>) -> Option<Run> + Send + Sync;

/// The table of native functions.
#[derive(Clone, Default)]
pub struct Natives {
    rows: HashMap<Name, Native, FxBuildHasher>,
    fallback: Option<Arc<Fallback>>,
}

impl fmt::Debug for Natives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Natives")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl Natives {
    /// No functions at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The functions this crate has.
    pub fn standard() -> Self {
        let mut natives = Self::empty();
        for rows in STANDARD
            .iter()
            .chain(timers::ROWS)
            .chain(random_cones::ROWS)
        {
            for row in *rows {
                natives.add(Native {
                    is_standard: true,
                    ..row.clone()
                });
            }
        }
        natives
    }

    /// Adds a row, in place of one of the same name.
    pub fn add(&mut self, native: Native) {
        self.rows.insert(Name::new(native.name), native);
    }

    /// Has calls of functions that are declared and have no row told to `run`, with
    /// [`NativeCall::path`] naming the function. Where it gives none, and without it, such a call is
    /// [`Unsupported`](crate::Unsupported).
    pub fn set_fallback(
        &mut self,
        run: impl Fn(&mut NativeCall<'_>) -> Option<Run> + Send + Sync + 'static,
    ) {
        self.fallback = Some(Arc::new(run));
    }

    pub(crate) fn fallback(&self) -> Option<Arc<Fallback>> {
        self.fallback.clone()
    }

    /// Whether there is a row for the function of the class.
    pub fn contains(&self, class: &str, function: &str) -> bool {
        self.rows
            .contains_key(&Name::new(format!("{class}.{function}")))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows by name.
    pub fn rows(&self) -> Vec<&Native> {
        let mut rows: Vec<_> = self.rows.values().collect();
        rows.sort_by_key(|native| native.name);
        rows
    }

    pub(crate) fn get(&self, class: &str, function: &Name) -> Option<&Native> {
        self.rows.get(&Name::new(format!("{class}.{function}")))
    }
}

/// Every file's rows.
const STANDARD: &[&[Native]] = &[
    math_bool::ROWS,
    math_byte::ROWS,
    math_int::ROWS,
    math_int64::ROWS,
    math_real::ROWS,
    convert::ROWS,
    math_vector::ROWS,
    math_vector2d::ROWS,
    math_rotator::ROWS,
    math_transform::ROWS,
    color::ROWS,
    datetime::ROWS,
    datetime::MORE,
    datetime::PARTS,
    random::ROWS,
    objects::ROWS,
    strings::ROWS,
    texts::ROWS,
    arrays::ROWS,
    sets::ROWS,
    maps::ROWS,
    system::ROWS,
    helpers::ROWS,
    property_by_name::ROWS,
    timeline::ROWS,
    gameplay::ROWS,
    actor::ROWS,
    boxes::ROWS,
    math_points::ROWS,
    math_vector4::ROWS,
    math_vector4::SINGLE,
    math_vector4::CHANGING,
    math_matrix::ROWS,
    math_matrix::CHANGING,
    math_matrix::PARTS,
    geometry::ROWS,
    geometry::CHANGING,
    geometry::PARTS,
    statistics::ROWS,
    springs::ROWS,
    date_texts::ROWS,
    color::FORMS,
    color::BYTES,
    color::CHANGING,
    color::HSV,
    options::ROWS,
    options::PATHS,
    hits::ROWS,
    saves::ROWS,
];

/// Writes a [`Native`] row.
///
/// `native!("Class.Function", |a: i32, b: i32| -> i32 { … })` for a function of its arguments;
/// `native!("Class.Function", |call, a: i32| -> i32 { … })` for one that also needs the
/// [`NativeCall`], and then ends with `Ok(…)`.
#[macro_export]
macro_rules! native {
    ($name:expr, || $(-> $result:ty)? $body:block) => {
        $crate::native!(@pure $name, [], [$($result)?], $body)
    };
    ($name:expr, |$($arg:ident: $ty:ty),+ $(,)?| $(-> $result:ty)? $body:block) => {
        $crate::native!(@pure $name, [$($arg: $ty),+], [$($result)?], $body)
    };
    ($name:expr, |$call:ident $(, $arg:ident: $ty:ty)* $(,)?| $(-> $result:ty)? $body:block) => {
        $crate::native!(@call $name, $call, [$($arg: $ty),*], [$($result)?], $body)
    };
    (@pure $name:expr, [$($arg:ident: $ty:ty),*], [$($result:ty)?], $body:block) => {
        $crate::native!(@row $name, [$($ty),*], [$($result)?], |call: &mut $crate::NativeCall<'_>| {
            $crate::native!(@arguments call, 0, $($arg: $ty),*);
            $crate::native!(@give call, [$($result)?], $body)
        })
    };
    (@call $name:expr, $call:ident, [$($arg:ident: $ty:ty),*], [$($result:ty)?], $body:block) => {
        $crate::native!(@row $name, [$($ty),*], [$($result)?], |$call: &mut $crate::NativeCall<'_>| {
            $crate::native!(@arguments $call, 0, $($arg: $ty),*);
            $crate::native!(@run $call, [$($result)?], $body)
        })
    };
    (@arguments $call:ident, $index:expr,) => {};
    (@arguments $call:ident, $index:expr, $arg:ident: $ty:ty $(, $rest:ident: $rest_ty:ty)*) => {
        let $arg: $ty = $call.arg($index);
        $crate::native!(@arguments $call, $index + 1, $($rest: $rest_ty),*);
    };
    (@give $call:ident, [], $body:block) => {{
        let () = $body;
        let _ = $call;
        Ok(())
    }};
    (@give $call:ident, [$result:ty], $body:block) => {{
        let result: $result = $body;
        $call.give(result);
        Ok(())
    }};
    (@run $call:ident, [], $body:block) => {{
        let done: $crate::Run = $body;
        done
    }};
    (@run $call:ident, [$result:ty], $body:block) => {{
        let result: $crate::Run<$result> = $body;
        $call.give(result?);
        Ok(())
    }};
    (@row $name:expr, [$($ty:ty),*], [$($result:ty)?], $run:expr) => {
        $crate::Native::new(
            $name,
            &[$(<$ty as $crate::NativeArgument>::SHAPE),*],
            $crate::native!(@shape $($result)?),
            $run,
        )
    };
    (@shape) => { $crate::Shape::Nothing };
    (@shape $result:ty) => { <$result as $crate::NativeValue>::SHAPE };
}
