//! Colours of pins.

use bp_reflect::ObjectPath;

use crate::{PinCategory, PinType};

/// The colour of a pin.
///
/// Source: the editor's default settings, whose linear components are given here as sRGB.
pub(crate) fn color(ty: &PinType) -> &'static str {
    match ty.category {
        PinCategory::Exec => "#FFFFFF",
        PinCategory::Bool => "#950000",
        PinCategory::Byte | PinCategory::Enum => "#006F65",
        PinCategory::Int => "#1FE3AF",
        PinCategory::Int64 => "#ACF2B2",
        PinCategory::Real | PinCategory::Float | PinCategory::Double => "#A1FF45",
        PinCategory::Name => "#CD82FF",
        PinCategory::String => "#FF00D4",
        PinCategory::Text => "#E77CAA",
        PinCategory::Object => "#00AAF5",
        PinCategory::Class => "#5900BC",
        PinCategory::SoftObject => "#95FFFF",
        PinCategory::SoftClass => "#FF95FF",
        PinCategory::Interface => "#F1FFAA",
        PinCategory::Struct => match ty.object.as_ref().map(ObjectPath::name) {
            Some("Vector" | "Vector3f" | "Vector3d") => "#FFCA23",
            Some("Rotator") => "#A0B4FF",
            Some("Transform") => "#FF7300",
            _ => "#0059CB",
        },
        PinCategory::Delegate | PinCategory::MulticastDelegate => "#FF3838",
        PinCategory::FieldPath | PinCategory::Transition | PinCategory::Wildcard => "#817A7A",
    }
}

/// A linear component as sRGB.
pub(crate) fn encoded(linear: f64) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (encoded * 255.0).round() as u8
}
