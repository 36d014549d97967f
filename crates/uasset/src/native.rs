//! Structs that the engine stores in a form of their own, without tags.
//!
//! Source: the values fill their tags' sizes in the corpus, unless said otherwise.

use crate::archive::Archive;
use crate::pin::read_pin_type;
use crate::value::{CurveKey, SoftPath, StructFields};
use crate::version::ue5;
use crate::{PackageError, PackageName};

/// A struct with a stored form of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeStruct {
    /// Fields of the engine's real type: double since 5.0, float before.
    Reals(&'static [&'static str]),
    /// Fields in single precision.
    Floats(&'static [&'static str]),
    /// 32-bit integers.
    Ints(&'static [&'static str]),
    /// One 64-bit integer.
    Ticks,
    /// Four bytes, blue first.
    Color,
    Guid,
    SoftPath,
    PinType,
    Tags,
    CurveKey,
    /// A value per platform; only the default one is kept.
    PerPlatformFloat,
    PerPlatformInt,
    PerPlatformBool,
}

impl NativeStruct {
    /// The stored form of a struct, `None` if it is stored as tagged properties.
    pub(crate) fn of(name: &PackageName) -> Option<Self> {
        const XYZ: &[&str] = &["X", "Y", "Z"];
        const XYZW: &[&str] = &["X", "Y", "Z", "W"];
        Some(match name.text() {
            "Vector" => Self::Reals(XYZ),
            "Rotator" => Self::Reals(&["Pitch", "Yaw", "Roll"]),
            "Vector2D" => Self::Reals(&["X", "Y"]),
            "Vector4" | "Quat" | "Plane" => Self::Reals(XYZW),
            "Vector3f" => Self::Floats(XYZ),
            "Vector2f" | "DeprecateSlateVector2D" => Self::Floats(&["X", "Y"]),
            "Vector4f" | "Quat4f" => Self::Floats(XYZW),
            "LinearColor" => Self::Floats(&["R", "G", "B", "A"]),
            "IntPoint" => Self::Ints(&["X", "Y"]),
            "IntVector" => Self::Ints(XYZ),
            "FrameNumber" => Self::Ints(&["Value"]),
            "Color" => Self::Color,
            "DateTime" | "Timespan" => Self::Ticks,
            "Guid" => Self::Guid,
            "SoftObjectPath"
            | "SoftClassPath"
            | "StringAssetReference"
            | "StringClassReference" => Self::SoftPath,
            "EdGraphPinType" => Self::PinType,
            "GameplayTagContainer" => Self::Tags,
            "RichCurveKey" => Self::CurveKey,
            "PerPlatformFloat" => Self::PerPlatformFloat,
            "PerPlatformInt" => Self::PerPlatformInt,
            "PerPlatformBool" => Self::PerPlatformBool,
            _ => return None,
        })
    }
}

pub(crate) fn read_native(
    archive: &mut Archive<'_>,
    native: NativeStruct,
) -> Result<StructFields, PackageError> {
    const WHAT: &str = "struct value";
    Ok(match native {
        NativeStruct::Reals(names) => {
            let is_double = archive.is_ue5_at_least(ue5::LARGE_WORLD_COORDINATES);
            read_fields(archive, names, |archive| {
                if is_double {
                    archive.f64(WHAT)
                } else {
                    archive.f32(WHAT).map(f64::from)
                }
            })
            .map(StructFields::Reals)?
        }
        NativeStruct::Floats(names) => {
            read_fields(archive, names, |archive| archive.f32(WHAT).map(f64::from))
                .map(StructFields::Reals)?
        }
        NativeStruct::Ints(names) => {
            read_fields(archive, names, |archive| archive.i32(WHAT).map(i64::from))
                .map(StructFields::Integers)?
        }
        NativeStruct::Ticks => StructFields::Integers(vec![("Ticks", archive.i64(WHAT)?)]),
        NativeStruct::Color => {
            let bytes = read_fields(archive, &["B", "G", "R", "A"], |archive| {
                archive.u8(WHAT).map(i64::from)
            })?;
            let [blue, green, red, alpha] = [bytes[0], bytes[1], bytes[2], bytes[3]];
            StructFields::Integers(vec![red, green, blue, alpha])
        }
        NativeStruct::Guid => StructFields::Guid(archive.guid(WHAT)?),
        NativeStruct::SoftPath => StructFields::SoftPath(SoftPath::read_value(archive)?),
        NativeStruct::PinType => StructFields::PinType(Box::new(read_pin_type(archive)?)),
        NativeStruct::Tags => {
            let count = archive.count(8, "tag count")?;
            StructFields::Names(archive.repeat(count, |archive| archive.name("tag"))?)
        }
        NativeStruct::CurveKey => StructFields::CurveKey(CurveKey {
            interpolation: archive.u8(WHAT)?,
            tangent_mode: archive.u8(WHAT)?,
            tangent_weight_mode: archive.u8(WHAT)?,
            time: archive.f32(WHAT)?,
            value: archive.f32(WHAT)?,
            arrive_tangent: archive.f32(WHAT)?,
            arrive_tangent_weight: archive.f32(WHAT)?,
            leave_tangent: archive.f32(WHAT)?,
            leave_tangent_weight: archive.f32(WHAT)?,
        }),
        NativeStruct::PerPlatformFloat => {
            archive.bool("is-cooked")?;
            let default = f64::from(archive.f32(WHAT)?);
            skip_platforms(archive, 4)?;
            StructFields::Reals(vec![("Default", default)])
        }
        NativeStruct::PerPlatformInt => {
            archive.bool("is-cooked")?;
            let default = i64::from(archive.i32(WHAT)?);
            skip_platforms(archive, 4)?;
            StructFields::Integers(vec![("Default", default)])
        }
        NativeStruct::PerPlatformBool => {
            archive.bool("is-cooked")?;
            let default = i64::from(archive.bool(WHAT)?);
            skip_platforms(archive, 4)?;
            StructFields::Integers(vec![("Default", default)])
        }
    })
}

fn read_fields<T>(
    archive: &mut Archive<'_>,
    names: &'static [&'static str],
    mut read: impl FnMut(&mut Archive<'_>) -> Result<T, PackageError>,
) -> Result<Vec<(&'static str, T)>, PackageError> {
    names
        .iter()
        .map(|name| Ok((*name, read(archive)?)))
        .collect()
}

/// Skips the values of single platforms: a name and a value of `size` bytes each.
fn skip_platforms(archive: &mut Archive<'_>, size: usize) -> Result<(), PackageError> {
    let count = archive.count(8 + size, "platform count")?;
    archive.bytes(count * (8 + size), "platform values")?;
    Ok(())
}
