//! Conversions between types of numbers. Floats are truncated to integers within the integer's range.

use glam::{DQuat, DVec2, DVec3};

use super::Native;
use super::math_rotator::direction_rotator;
use super::values::{LinearColor, Rotator, Transform};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.Conv_BoolToByte", |v: bool| -> u8 {
        u8::from(v)
    }),
    native!("KismetMathLibrary.Conv_BoolToInt", |v: bool| -> i32 {
        i32::from(v)
    }),
    native!("KismetMathLibrary.Conv_BoolToFloat", |v: bool| -> f64 {
        f64::from(u8::from(v))
    }),
    native!("KismetMathLibrary.Conv_BoolToDouble", |v: bool| -> f64 {
        f64::from(u8::from(v))
    }),
    native!("KismetMathLibrary.Conv_ByteToInt", |v: u8| -> i32 {
        i32::from(v)
    }),
    native!("KismetMathLibrary.Conv_ByteToInt64", |v: u8| -> i64 {
        i64::from(v)
    }),
    native!("KismetMathLibrary.Conv_ByteToFloat", |v: u8| -> f64 {
        f64::from(v)
    }),
    native!("KismetMathLibrary.Conv_ByteToDouble", |v: u8| -> f64 {
        f64::from(v)
    }),
    native!("KismetMathLibrary.Conv_IntToByte", |v: i32| -> u8 {
        v as u8
    }),
    native!("KismetMathLibrary.Conv_IntToBool", |v: i32| -> bool {
        v != 0
    }),
    native!("KismetMathLibrary.Conv_IntToInt64", |v: i32| -> i64 {
        i64::from(v)
    }),
    native!("KismetMathLibrary.Conv_IntToFloat", |v: i32| -> f64 {
        f64::from(v)
    }),
    native!("KismetMathLibrary.Conv_IntToDouble", |v: i32| -> f64 {
        f64::from(v)
    }),
    native!("KismetMathLibrary.Conv_IntToVector", |v: i32| -> DVec3 {
        DVec3::splat(f64::from(v))
    }),
    native!("KismetMathLibrary.Conv_Int64ToByte", |v: i64| -> u8 {
        v as u8
    }),
    native!("KismetMathLibrary.Conv_Int64ToInt", |v: i64| -> i32 {
        v as i32
    }),
    native!("KismetMathLibrary.Conv_Int64ToDouble", |v: i64| -> f64 {
        v as f64
    }),
    native!("KismetMathLibrary.Conv_DoubleToInt64", |v: f64| -> i64 {
        v as i64
    }),
    native!("KismetMathLibrary.Conv_DoubleToFloat", |v: f64| -> f64 {
        v
    }),
    native!("KismetMathLibrary.Conv_FloatToDouble", |v: f64| -> f64 {
        v
    }),
    native!("KismetMathLibrary.Conv_DoubleToVector", |v: f64| -> DVec3 {
        DVec3::splat(v)
    }),
    native!("KismetMathLibrary.Conv_FloatToVector", |v: f64| -> DVec3 {
        DVec3::splat(v)
    }),
    native!(
        "KismetMathLibrary.Conv_DoubleToVector2D",
        |v: f64| -> DVec2 { DVec2::splat(v) }
    ),
    native!(
        "KismetMathLibrary.Conv_DoubleToLinearColor",
        |v: f64| -> LinearColor {
            LinearColor {
                r: v,
                g: v,
                b: v,
                a: 1.0,
            }
        }
    ),
    native!(
        "KismetMathLibrary.Conv_FloatToLinearColor",
        |v: f64| -> LinearColor {
            LinearColor {
                r: v,
                g: v,
                b: v,
                a: 1.0,
            }
        }
    ),
    native!(
        "KismetMathLibrary.Conv_VectorToLinearColor",
        |v: DVec3| -> LinearColor {
            LinearColor {
                r: v.x,
                g: v.y,
                b: v.z,
                a: 1.0,
            }
        }
    ),
    native!(
        "KismetMathLibrary.Conv_LinearColorToVector",
        |c: LinearColor| -> DVec3 { DVec3::new(c.r, c.g, c.b) }
    ),
    native!(
        "KismetMathLibrary.Conv_VectorToRotator",
        |v: DVec3| -> Rotator { direction_rotator(v) }
    ),
    native!(
        "KismetMathLibrary.Conv_RotatorToVector",
        |r: Rotator| -> DVec3 { r.axes().x_axis }
    ),
    native!(
        "KismetMathLibrary.Conv_VectorToTransform",
        |v: DVec3| -> Transform {
            Transform {
                translation: v,
                ..Transform::default()
            }
        }
    ),
    native!(
        "KismetMathLibrary.Conv_RotatorToTransform",
        |r: Rotator| -> Transform {
            Transform {
                rotation: r.quat(),
                ..Transform::default()
            }
        }
    ),
    native!(
        "KismetMathLibrary.Conv_RotatorToQuaternion",
        |r: Rotator| -> DQuat { r.quat() }
    ),
    native!("KismetMathLibrary.Quat_Rotator", |q: DQuat| -> Rotator {
        Rotator::from_quat(q)
    }),
    native!(
        "KismetMathLibrary.Conv_VectorToVector2D",
        |v: DVec3| -> DVec2 { v.truncate() }
    ),
    native!("KismetMathLibrary.Conv_Vector2DToVector", |v: DVec2,
                                                        z: f64|
     -> DVec3 {
        v.extend(z)
    }),
    native!(
        "KismetMathLibrary.Conv_VectorToQuaternion",
        |v: DVec3| -> DQuat { direction_rotator(v).quat() }
    ),
    native!(
        "KismetMathLibrary.Conv_VectorToQuaterion",
        |v: DVec3| -> DQuat { direction_rotator(v).quat() }
    ),
];
