use bp_graph::PinCategory;
use bp_reflect::{ObjectPath, PropertyType};

use super::Lowering;
use crate::expanded::{Callee, ExPinId};

/// Structs of doubles, and those of floats beside them: both package and name, and the part of the conversions' names
/// that each has.
const PAIRS: &[(&str, &str, &str, &str)] = &[
    ("Vector", "Vector3d", "CoreUObject.Vector3f", "Vector3f"),
    ("Vector2D", "Vector2d", "CoreUObject.Vector2f", "Vector2f"),
    (
        "Vector2D",
        "Vector2d",
        "SlateCore.DeprecateSlateVector2D",
        "Vector2f",
    ),
    ("Vector4", "Vector4d", "CoreUObject.Vector4f", "Vector4f"),
    ("Rotator", "Rotator3d", "CoreUObject.Rotator3f", "Rotator3f"),
    ("Quat", "Quat4d", "CoreUObject.Quat4f", "Quat4f"),
    ("Plane", "Plane4d", "CoreUObject.Plane4f", "Plane4f"),
    (
        "Transform",
        "Transform3d",
        "CoreUObject.Transform3f",
        "Transform3f",
    ),
    ("Matrix", "Matrix44d", "CoreUObject.Matrix44f", "Matrix44f"),
    ("Box2D", "Box2d", "CoreUObject.Box2f", "Box2f"),
];

impl<'a> Lowering<'a, '_> {
    /// The function that converts what a wire carries where it joins structs that differ in the precision of their
    /// members, and the type it gives.
    ///
    /// Source: 2 of 2 such wires of real packages, of `Vector2D` to a member of `SlateBrush`; the other pairs are
    /// the rest of the functions that the library has.
    pub(super) fn struct_conversion(&self, pin: ExPinId) -> Option<(Callee<'a>, PropertyType)> {
        let sink = &self.graph.pins[pin];
        let source = &self.graph.pins[*sink.links.first()?];
        let of_struct = |ty: &bp_graph::PinType| {
            let is_struct = ty.category == PinCategory::Struct && !ty.is_container();
            ty.object.clone().filter(|_| is_struct)
        };
        let (from, to) = (of_struct(&source.ty)?, of_struct(&sink.ty)?);
        let is =
            |path: &ObjectPath, name: &str| path.as_str().strip_prefix("/Script/") == Some(name);
        let is_double = |path: &ObjectPath, name: &str| is(path, &format!("CoreUObject.{name}"));
        let function = PAIRS.iter().find_map(|(double, wide, float, narrow)| {
            if is_double(&from, double) && is(&to, float) {
                Some(format!("ConvertF{wide}ToF{narrow}"))
            } else if is(&from, float) && is_double(&to, double) {
                Some(format!("ConvertF{narrow}ToF{wide}"))
            } else {
                None
            }
        })?;
        let callee = self.cx.native("BlueprintTypeConversions", &function)?;
        Some((callee, PropertyType::Struct(to)))
    }
}
