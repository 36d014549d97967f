//! Vectors of three reals: x forward, y right, z up.

use glam::{DQuat, DVec3};

use super::math_real::{ease, grid_snap};
use super::math_rotator::direction_rotator;
use super::values::{ArrayArg, Rotator};
use super::{Native, NativeCall, Out};
use crate::native;

pub(super) const ROWS: &[Native] =
    &[
        native!("KismetMathLibrary.MakeVector", |x: f64,
                                                 y: f64,
                                                 z: f64|
         -> DVec3 {
            DVec3::new(x, y, z)
        }),
        native!(
            "KismetMathLibrary.BreakVector",
            |call, v: DVec3, x: Out<f64>, y: Out<f64>, z: Out<f64>| {
                call.set(x, v.x);
                call.set(y, v.y);
                call.set(z, v.z);
                Ok(())
            }
        ),
        native!(
            "KismetMathLibrary.BreakVector3f",
            |call, v: DVec3, x: Out<f64>, y: Out<f64>, z: Out<f64>| {
                call.set(x, v.x);
                call.set(y, v.y);
                call.set(z, v.z);
                Ok(())
            }
        ),
        native!("KismetMathLibrary.Add_VectorVector", |a: DVec3,
                                                       b: DVec3|
         -> DVec3 {
            a + b
        }),
        native!("KismetMathLibrary.Add_VectorFloat", |a: DVec3,
                                                      b: f64|
         -> DVec3 {
            a + b
        }),
        native!("KismetMathLibrary.Add_VectorInt", |a: DVec3,
                                                    b: i32|
         -> DVec3 {
            a + f64::from(b)
        }),
        native!(
            "KismetMathLibrary.Subtract_VectorVector",
            |a: DVec3, b: DVec3| -> DVec3 { a - b }
        ),
        native!("KismetMathLibrary.Subtract_VectorFloat", |a: DVec3,
                                                           b: f64|
         -> DVec3 {
            a - b
        }),
        native!("KismetMathLibrary.Subtract_VectorInt", |a: DVec3,
                                                         b: i32|
         -> DVec3 {
            a - f64::from(b)
        }),
        native!(
            "KismetMathLibrary.Multiply_VectorVector",
            |a: DVec3, b: DVec3| -> DVec3 { a * b }
        ),
        native!("KismetMathLibrary.Multiply_VectorFloat", |a: DVec3,
                                                           b: f64|
         -> DVec3 {
            a * b
        }),
        native!("KismetMathLibrary.Multiply_VectorInt", |a: DVec3,
                                                         b: i32|
         -> DVec3 {
            a * f64::from(b)
        }),
        native!("KismetMathLibrary.Divide_VectorVector", |call,
                                                          a: DVec3,
                                                          b: DVec3|
         -> DVec3 {
            Ok(divide(call, a, b))
        }),
        native!("KismetMathLibrary.Divide_VectorFloat", |call,
                                                         a: DVec3,
                                                         b: f64|
         -> DVec3 {
            Ok(divide(call, a, DVec3::splat(b)))
        }),
        native!("KismetMathLibrary.Divide_VectorInt", |call,
                                                       a: DVec3,
                                                       b: i32|
         -> DVec3 {
            Ok(divide(call, a, DVec3::splat(f64::from(b))))
        }),
        native!("KismetMathLibrary.NegateVector", |a: DVec3| -> DVec3 { -a }),
        native!(
            "KismetMathLibrary.EqualEqual_VectorVector",
            |a: DVec3, b: DVec3, tolerance: f64| -> bool { a.abs_diff_eq(b, tolerance) }
        ),
        native!(
            "KismetMathLibrary.NotEqual_VectorVector",
            |a: DVec3, b: DVec3, tolerance: f64| -> bool { !a.abs_diff_eq(b, tolerance) }
        ),
        native!(
            "KismetMathLibrary.EqualExactly_VectorVector",
            |a: DVec3, b: DVec3| -> bool { a == b }
        ),
        native!(
            "KismetMathLibrary.NotEqualExactly_VectorVector",
            |a: DVec3, b: DVec3| -> bool { a != b }
        ),
        native!("KismetMathLibrary.Dot_VectorVector", |a: DVec3,
                                                       b: DVec3|
         -> f64 {
            a.dot(b)
        }),
        native!("KismetMathLibrary.Cross_VectorVector", |a: DVec3,
                                                         b: DVec3|
         -> DVec3 {
            a.cross(b)
        }),
        native!("KismetMathLibrary.VSize", |a: DVec3| -> f64 { a.length() }),
        native!("KismetMathLibrary.VSizeSquared", |a: DVec3| -> f64 {
            a.length_squared()
        }),
        native!("KismetMathLibrary.VSizeXY", |a: DVec3| -> f64 {
            a.truncate().length()
        }),
        native!("KismetMathLibrary.VSizeXYSquared", |a: DVec3| -> f64 {
            a.truncate().length_squared()
        }),
        native!("KismetMathLibrary.Normal", |a: DVec3,
                                             tolerance: f64|
         -> DVec3 {
            normal(a, tolerance)
        }),
        native!("KismetMathLibrary.Vector_Normal2D", |a: DVec3,
                                                      tolerance: f64|
         -> DVec3 {
            normal(DVec3::new(a.x, a.y, 0.0), tolerance)
        }),
        native!(
            "KismetMathLibrary.Vector_NormalUnsafe",
            |a: DVec3| -> DVec3 { a / a.length() }
        ),
        native!(
            "KismetMathLibrary.Vector_Normalize",
            |call, a: Out<DVec3>, tolerance: f64| {
                let v = call.get(a);
                if v.length_squared() > tolerance {
                    call.set(a, v / v.length());
                }
                Ok(())
            }
        ),
        native!(
            "KismetMathLibrary.Vector_Assign",
            |call, a: Out<DVec3>, v: DVec3| {
                call.set(a, v);
                Ok(())
            }
        ),
        native!(
            "KismetMathLibrary.Vector_Set",
            |call, a: Out<DVec3>, x: f64, y: f64, z: f64| {
                call.set(a, DVec3::new(x, y, z));
                Ok(())
            }
        ),
        native!("KismetMathLibrary.VLerp", |a: DVec3,
                                            b: DVec3,
                                            alpha: f64|
         -> DVec3 {
            a + alpha * (b - a)
        }),
        native!("KismetMathLibrary.VEase", |a: DVec3,
                                            b: DVec3,
                                            alpha: f64,
                                            func: u8,
                                            exponent: f64,
                                            steps: i32|
         -> DVec3 {
            a + (b - a) * ease(alpha, func, exponent, steps)
        }),
        native!("KismetMathLibrary.VInterpTo", |current: DVec3,
                                                target: DVec3,
                                                delta: f64,
                                                speed: f64|
         -> DVec3 {
            interp_to(current, target, delta, speed)
        }),
        native!("KismetMathLibrary.VInterpTo_Constant", |current: DVec3,
                                                         target: DVec3,
                                                         delta: f64,
                                                         speed: f64|
         -> DVec3 {
            interp_constant(current, target, delta, speed)
        }),
        native!("KismetMathLibrary.SelectVector", |a: DVec3,
                                                   b: DVec3,
                                                   pick_a: bool|
         -> DVec3 {
            if pick_a { a } else { b }
        }),
        native!("KismetMathLibrary.Vector_Distance", |a: DVec3,
                                                      b: DVec3|
         -> f64 {
            a.distance(b)
        }),
        native!("KismetMathLibrary.Vector_DistanceSquared", |a: DVec3,
                                                             b: DVec3|
         -> f64 {
            a.distance_squared(b)
        }),
        native!("KismetMathLibrary.Vector_Distance2D", |a: DVec3,
                                                        b: DVec3|
         -> f64 {
            a.truncate().distance(b.truncate())
        }),
        native!(
            "KismetMathLibrary.Vector_Distance2DSquared",
            |a: DVec3, b: DVec3| -> f64 { a.truncate().distance_squared(b.truncate()) }
        ),
        native!(
            "KismetMathLibrary.GetDirectionUnitVector",
            |from: DVec3, to: DVec3| -> DVec3 { normal(to - from, 1e-8) }
        ),
        native!("KismetMathLibrary.GetMaxElement", |a: DVec3| -> f64 {
            a.max_element()
        }),
        native!("KismetMathLibrary.GetMinElement", |a: DVec3| -> f64 {
            a.min_element()
        }),
        native!("KismetMathLibrary.Vector_GetAbs", |a: DVec3| -> DVec3 {
            a.abs()
        }),
        native!("KismetMathLibrary.Vector_GetAbsMax", |a: DVec3| -> f64 {
            a.abs().max_element()
        }),
        native!("KismetMathLibrary.Vector_GetAbsMin", |a: DVec3| -> f64 {
            a.abs().min_element()
        }),
        native!("KismetMathLibrary.Vector_ComponentMin", |a: DVec3,
                                                          b: DVec3|
         -> DVec3 {
            a.min(b)
        }),
        native!("KismetMathLibrary.Vector_ComponentMax", |a: DVec3,
                                                          b: DVec3|
         -> DVec3 {
            a.max(b)
        }),
        native!(
            "KismetMathLibrary.Vector_GetSignVector",
            |a: DVec3| -> DVec3 { DVec3::new(sign(a.x), sign(a.y), sign(a.z)) }
        ),
        native!(
            "KismetMathLibrary.Vector_GetProjection",
            |a: DVec3| -> DVec3 { DVec3::new(a.x / a.z, a.y / a.z, 1.0) }
        ),
        native!("KismetMathLibrary.Vector_Reciprocal", |a: DVec3| -> DVec3 {
            DVec3::new(reciprocal(a.x), reciprocal(a.y), reciprocal(a.z))
        }),
        native!("KismetMathLibrary.Vector_IsNAN", |a: DVec3| -> bool {
            !a.is_finite()
        }),
        native!("KismetMathLibrary.Vector_IsNearlyZero", |a: DVec3,
                                                          tolerance: f64|
         -> bool {
            a.abs_diff_eq(DVec3::ZERO, tolerance)
        }),
        native!("KismetMathLibrary.Vector_IsZero", |a: DVec3| -> bool {
            a == DVec3::ZERO
        }),
        native!("KismetMathLibrary.Vector_IsUnit", |a: DVec3,
                                                    tolerance: f64|
         -> bool {
            (1.0 - a.length_squared()).abs() < tolerance
        }),
        native!("KismetMathLibrary.Vector_IsNormal", |a: DVec3| -> bool {
            (1.0 - a.length_squared()).abs() < 0.01
        }),
        native!("KismetMathLibrary.Vector_IsUniform", |a: DVec3,
                                                       tolerance: f64|
         -> bool {
            (a.x - a.y).abs() <= tolerance && (a.x - a.z).abs() <= tolerance
        }),
        native!("KismetMathLibrary.Vector_ToRadians", |a: DVec3| -> DVec3 {
            a * std::f64::consts::PI / 180.0
        }),
        native!("KismetMathLibrary.Vector_ToDegrees", |a: DVec3| -> DVec3 {
            a * 180.0 / std::f64::consts::PI
        }),
        native!("KismetMathLibrary.Vector_HeadingAngle", |a: DVec3| -> f64 {
            a.y.atan2(a.x)
        }),
        native!("KismetMathLibrary.Vector_CosineAngle2D", |a: DVec3,
                                                           b: DVec3|
         -> f64 {
            normal(a.with_z(0.0), 1e-8).dot(normal(b.with_z(0.0), 1e-8))
        }),
        native!("KismetMathLibrary.ClampVectorSize", |a: DVec3,
                                                      min: f64,
                                                      max: f64|
         -> DVec3 {
            clamp_size(a, min, max)
        }),
        native!("KismetMathLibrary.Vector_ClampSizeMax", |a: DVec3,
                                                          max: f64|
         -> DVec3 {
            clamp_size(a, 0.0, max)
        }),
        native!("KismetMathLibrary.Vector_ClampSize2D", |a: DVec3,
                                                         min: f64,
                                                         max: f64|
         -> DVec3 {
            clamp_size(a.with_z(0.0), min, max).with_z(a.z)
        }),
        native!(
            "KismetMathLibrary.Vector_ClampSizeMax2D",
            |a: DVec3, max: f64| -> DVec3 { clamp_size(a.with_z(0.0), 0.0, max).with_z(a.z) }
        ),
        native!("KismetMathLibrary.Vector_BoundedToCube", |a: DVec3,
                                                           radius: f64|
         -> DVec3 {
            bounded(a, DVec3::splat(-radius), DVec3::splat(radius))
        }),
        native!("KismetMathLibrary.Vector_BoundedToBox", |a: DVec3,
                                                          min: DVec3,
                                                          max: DVec3|
         -> DVec3 {
            bounded(a, min, max)
        }),
        native!("KismetMathLibrary.Vector_SnappedToGrid", |a: DVec3,
                                                           grid: f64|
         -> DVec3 {
            DVec3::new(
                grid_snap(a.x, grid),
                grid_snap(a.y, grid),
                grid_snap(a.z, grid),
            )
        }),
        native!(
            "KismetMathLibrary.Vector_ProjectOnToNormal",
            |v: DVec3, normal: DVec3| -> DVec3 { normal * v.dot(normal) }
        ),
        native!(
            "KismetMathLibrary.ProjectVectorOnToVector",
            |v: DVec3, target: DVec3| -> DVec3 { project(v, target) }
        ),
        native!(
            "KismetMathLibrary.ProjectVectorOnToPlane",
            |v: DVec3, plane: DVec3| -> DVec3 { v - project(v, plane) }
        ),
        native!(
            "KismetMathLibrary.ProjectVectorOntoPlane",
            |v: DVec3, plane: DVec3| -> DVec3 { v - project(v, plane) }
        ),
        native!(
            "KismetMathLibrary.ProjectPointOnToPlane",
            |point: DVec3, base: DVec3, plane: DVec3| -> DVec3 {
                point - project(point - base, plane)
            }
        ),
        native!("KismetMathLibrary.MirrorVectorByNormal", |v: DVec3,
                                                           normal: DVec3|
         -> DVec3 {
            v - normal * (2.0 * v.dot(normal))
        }),
        native!("KismetMathLibrary.GetReflectionVector", |v: DVec3,
                                                          surface: DVec3|
         -> DVec3 {
            v - surface * (2.0 * v.dot(surface))
        }),
        native!(
            "KismetMathLibrary.FindClosestPointOnLine",
            |point: DVec3, origin: DVec3, direction: DVec3| -> DVec3 {
                origin + project(point - origin, direction)
            }
        ),
        native!(
            "KismetMathLibrary.FindClosestPointOnSegment",
            |point: DVec3, start: DVec3, end: DVec3| -> DVec3 {
                closest_on_segment(point, start, end)
            }
        ),
        native!(
            "KismetMathLibrary.GetPointDistanceToLine",
            |point: DVec3, origin: DVec3, direction: DVec3| -> f64 {
                point.distance(origin + project(point - origin, direction))
            }
        ),
        native!(
            "KismetMathLibrary.GetPointDistanceToSegment",
            |point: DVec3, start: DVec3, end: DVec3| -> f64 {
                point.distance(closest_on_segment(point, start, end))
            }
        ),
        native!("KismetMathLibrary.IsPointInBox", |point: DVec3,
                                                   origin: DVec3,
                                                   extent: DVec3|
         -> bool {
            (point - origin).abs().cmple(extent).all()
        }),
        native!("KismetMathLibrary.RotateAngleAxis", |v: DVec3,
                                                      angle: f64,
                                                      axis: DVec3|
         -> DVec3 {
            DQuat::from_axis_angle(normal(axis, 1e-8), angle.to_radians()) * v
        }),
        native!("KismetMathLibrary.GetYawPitchFromVector", |call,
                                                            v: DVec3,
                                                            yaw: Out<
            f64,
        >,
                                                            pitch: Out<
            f64,
        >| {
            let r = direction_rotator(v);
            call.set(yaw, r.yaw);
            call.set(pitch, r.pitch);
            Ok(())
        }),
        native!(
            "KismetMathLibrary.CreateVectorFromYawPitch",
            |yaw: f64, pitch: f64, length: f64| -> DVec3 {
                Rotator::new(pitch, yaw, 0.0).axes().x_axis * length
            }
        ),
        native!(
            "KismetMathLibrary.GetVectorArrayAverage",
            |call, vectors: ArrayArg| -> DVec3 {
                let all: Vec<DVec3> = call.elements(vectors);
                let sum: DVec3 = all.iter().copied().sum();
                Ok(if all.is_empty() {
                    sum
                } else {
                    sum / all.len() as f64
                })
            }
        ),
        native!(
            "KismetMathLibrary.WeightedMovingAverage_FVector",
            |current: DVec3, previous: DVec3, weight: f64| -> DVec3 {
                current * weight + previous * (1.0 - weight)
            }
        ),
        native!("KismetMathLibrary.Vector_Zero", || -> DVec3 { DVec3::ZERO }),
        native!("KismetMathLibrary.Vector_One", || -> DVec3 { DVec3::ONE }),
        native!("KismetMathLibrary.Vector_Forward", || -> DVec3 { DVec3::X }),
        native!("KismetMathLibrary.Vector_Backward", || -> DVec3 {
            DVec3::NEG_X
        }),
        native!("KismetMathLibrary.Vector_Right", || -> DVec3 { DVec3::Y }),
        native!("KismetMathLibrary.Vector_Left", || -> DVec3 {
            DVec3::NEG_Y
        }),
        native!("KismetMathLibrary.Vector_Up", || -> DVec3 { DVec3::Z }),
        native!("KismetMathLibrary.Vector_Down", || -> DVec3 {
            DVec3::NEG_Z
        }),
    ];

fn divide(call: &mut NativeCall<'_>, a: DVec3, b: DVec3) -> DVec3 {
    if b.cmpeq(DVec3::ZERO).any() {
        call.warn_zero("Divide by zero");
        return DVec3::ZERO;
    }
    a / b
}

/// The vector with length 1; zero for one shorter than the tolerance's root.
pub(super) fn normal(v: DVec3, tolerance: f64) -> DVec3 {
    let squared = v.length_squared();
    if squared < tolerance || squared == 0.0 {
        DVec3::ZERO
    } else {
        v / squared.sqrt()
    }
}

fn project(v: DVec3, target: DVec3) -> DVec3 {
    let squared = target.length_squared();
    if squared <= 1e-8 {
        DVec3::ZERO
    } else {
        target * (v.dot(target) / squared)
    }
}

fn closest_on_segment(point: DVec3, start: DVec3, end: DVec3) -> DVec3 {
    let along = end - start;
    let squared = along.length_squared();
    if squared == 0.0 {
        return start;
    }
    start + along * ((point - start).dot(along) / squared).clamp(0.0, 1.0)
}

fn clamp_size(v: DVec3, min: f64, max: f64) -> DVec3 {
    let size = v.length();
    let direction = if size > 1e-8 { v / size } else { DVec3::ZERO };
    direction * super::math_real::clamp(size, min, max)
}

/// The lower bound wins where the bounds cross.
fn bounded(v: DVec3, min: DVec3, max: DVec3) -> DVec3 {
    let clamp = super::math_real::clamp;
    DVec3::new(
        clamp(v.x, min.x, max.x),
        clamp(v.y, min.y, max.y),
        clamp(v.z, min.z, max.z),
    )
}

fn sign(x: f64) -> f64 {
    if x >= 0.0 { 1.0 } else { -1.0 }
}

/// One over the component; the largest number the engine uses for one over zero.
fn reciprocal(x: f64) -> f64 {
    if x == 0.0 { 3.4e38 } else { 1.0 / x }
}

pub(super) fn interp_to(current: DVec3, target: DVec3, delta: f64, speed: f64) -> DVec3 {
    let distance = target - current;
    if speed <= 0.0 || distance.length_squared() < 1e-4 {
        return target;
    }
    current + distance * (delta * speed).clamp(0.0, 1.0)
}

fn interp_constant(current: DVec3, target: DVec3, delta: f64, speed: f64) -> DVec3 {
    let distance = target - current;
    let length = distance.length();
    let step = delta * speed;
    if length > step && step > 0.0 {
        current + distance / length * step
    } else {
        target
    }
}
