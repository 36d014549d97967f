//! Transforms: scale, then rotation, then translation.

use glam::DVec3;

use super::math_real::ease;
use super::math_rotator::direction_rotator;
use super::values::{Rotator, Transform};
use super::{Native, Out};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.MakeTransform", |location: DVec3,
                                                rotation: Rotator,
                                                scale: DVec3|
     -> Transform {
        Transform {
            rotation: rotation.quat(),
            translation: location,
            scale,
        }
    }),
    native!(
        "KismetMathLibrary.BreakTransform",
        |call, t: Transform, location: Out<DVec3>, rotation: Out<Rotator>, scale: Out<DVec3>| {
            call.set(location, t.translation);
            call.set(rotation, Rotator::from_quat(t.rotation));
            call.set(scale, t.scale);
            Ok(())
        }
    ),
    native!("KismetMathLibrary.ComposeTransforms", |a: Transform,
                                                    b: Transform|
     -> Transform {
        a.then(b)
    }),
    native!(
        "KismetMathLibrary.InvertTransform",
        |t: Transform| -> Transform { t.inverse() }
    ),
    native!(
        "KismetMathLibrary.MakeRelativeTransform",
        |a: Transform, to: Transform| -> Transform { a.relative_to(to) }
    ),
    native!(
        "KismetMathLibrary.ConvertTransformToRelative",
        |t: Transform, parent: Transform| -> Transform { t.relative_to(parent) }
    ),
    native!("KismetMathLibrary.TransformLocation", |t: Transform,
                                                    v: DVec3|
     -> DVec3 {
        t.point(v)
    }),
    native!("KismetMathLibrary.TransformDirection", |t: Transform,
                                                     v: DVec3|
     -> DVec3 {
        t.rotation * v
    }),
    native!("KismetMathLibrary.TransformRotation", |t: Transform,
                                                    r: Rotator|
     -> Rotator {
        Rotator::from_quat(t.rotation * r.quat())
    }),
    native!(
        "KismetMathLibrary.InverseTransformLocation",
        |t: Transform, v: DVec3| -> DVec3 { t.inverse_point(v) }
    ),
    native!(
        "KismetMathLibrary.InverseTransformDirection",
        |t: Transform, v: DVec3| -> DVec3 { t.rotation.inverse() * v }
    ),
    native!(
        "KismetMathLibrary.InverseTransformRotation",
        |t: Transform, r: Rotator| -> Rotator {
            Rotator::from_quat(t.rotation.inverse() * r.quat())
        }
    ),
    native!("KismetMathLibrary.TLerp", |a: Transform,
                                        b: Transform,
                                        alpha: f64|
     -> Transform {
        lerp(a, b, alpha)
    }),
    native!("KismetMathLibrary.TEase", |a: Transform,
                                        b: Transform,
                                        alpha: f64,
                                        func: u8,
                                        exponent: f64,
                                        steps: i32|
     -> Transform {
        lerp(a, b, ease(alpha, func, exponent, steps))
    }),
    native!(
        "KismetMathLibrary.EqualEqual_TransformTransform",
        |a: Transform, b: Transform| -> bool { is_near(a, b, 1e-4, 1e-4, 1e-4) }
    ),
    native!(
        "KismetMathLibrary.NearlyEqual_TransformTransform",
        |a: Transform, b: Transform, location: f64, rotation: f64, scale: f64| -> bool {
            is_near(a, b, location, rotation, scale)
        }
    ),
    native!("KismetMathLibrary.SelectTransform", |a: Transform,
                                                  b: Transform,
                                                  pick_a: bool|
     -> Transform {
        if pick_a { a } else { b }
    }),
    native!(
        "KismetMathLibrary.Transform_Determinant",
        |t: Transform| -> f64 { t.scale.x * t.scale.y * t.scale.z }
    ),
    native!(
        "KismetMathLibrary.FindRelativeLookAtRotation",
        |t: Transform, target: DVec3| -> Rotator { direction_rotator(t.inverse_point(target)) }
    ),
];

pub(super) fn lerp(a: Transform, b: Transform, alpha: f64) -> Transform {
    Transform {
        rotation: a.rotation.slerp(b.rotation, alpha),
        translation: a.translation.lerp(b.translation, alpha),
        scale: a.scale.lerp(b.scale, alpha),
    }
}

fn is_near(a: Transform, b: Transform, location: f64, rotation: f64, scale: f64) -> bool {
    let same_rotation = a.rotation.abs_diff_eq(b.rotation, rotation)
        || a.rotation.abs_diff_eq(-b.rotation, rotation);
    same_rotation
        && a.translation.abs_diff_eq(b.translation, location)
        && a.scale.abs_diff_eq(b.scale, scale)
}
