//! Rotators and quaternions. A rotator turns about yaw first, then pitch, then roll, in the engine's
//! left-handed system.

use glam::{DMat3, DQuat, DVec3};

use super::math_real::ease;
use super::math_vector::normal;
use super::values::{Rotator, normalize_axis};
use super::{Native, NativeCall, Out};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.MakeRotator", |roll: f64,
                                              pitch: f64,
                                              yaw: f64|
     -> Rotator {
        Rotator::new(pitch, yaw, roll)
    }),
    native!(
        "KismetMathLibrary.BreakRotator",
        |call, r: Rotator, roll: Out<f64>, pitch: Out<f64>, yaw: Out<f64>| {
            call.set(roll, r.roll);
            call.set(pitch, r.pitch);
            call.set(yaw, r.yaw);
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.BreakRotIntoAxes",
        |call, r: Rotator, x: Out<DVec3>, y: Out<DVec3>, z: Out<DVec3>| {
            set_axes(call, r, x, y, z);
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.GetAxes",
        |call, r: Rotator, x: Out<DVec3>, y: Out<DVec3>, z: Out<DVec3>| {
            set_axes(call, r, x, y, z);
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.EqualEqual_RotatorRotator",
        |a: Rotator, b: Rotator, tolerance: f64| -> bool { is_equal(a, b, tolerance) }
    ),
    native!(
        "KismetMathLibrary.NotEqual_RotatorRotator",
        |a: Rotator, b: Rotator, tolerance: f64| -> bool { !is_equal(a, b, tolerance) }
    ),
    native!("KismetMathLibrary.Multiply_RotatorFloat", |a: Rotator,
                                                        b: f64|
     -> Rotator {
        Rotator::new(a.pitch * b, a.yaw * b, a.roll * b)
    }),
    native!("KismetMathLibrary.Multiply_RotatorInt", |a: Rotator,
                                                      b: i32|
     -> Rotator {
        {
            let b = f64::from(b);
            Rotator::new(a.pitch * b, a.yaw * b, a.roll * b)
        }
    }),
    native!("KismetMathLibrary.ComposeRotators", |a: Rotator,
                                                  b: Rotator|
     -> Rotator {
        Rotator::from_quat(b.quat() * a.quat())
    }),
    native!("KismetMathLibrary.NegateRotator", |a: Rotator| -> Rotator {
        Rotator::from_quat(a.quat().inverse())
    }),
    native!("KismetMathLibrary.NormalizedDeltaRotator", |a: Rotator,
                                                         b: Rotator|
     -> Rotator {
        Rotator::new(a.pitch - b.pitch, a.yaw - b.yaw, a.roll - b.roll).normalized()
    }),
    native!(
        "KismetMathLibrary.GetForwardVector",
        |r: Rotator| -> DVec3 { r.axes().x_axis }
    ),
    native!("KismetMathLibrary.GetRightVector", |r: Rotator| -> DVec3 {
        r.axes().y_axis
    }),
    native!("KismetMathLibrary.GetUpVector", |r: Rotator| -> DVec3 {
        r.axes().z_axis
    }),
    native!(
        "KismetMathLibrary.GreaterGreater_VectorRotator",
        |v: DVec3, r: Rotator| -> DVec3 { r.quat() * v }
    ),
    native!("KismetMathLibrary.LessLess_VectorRotator", |v: DVec3,
                                                         r: Rotator|
     -> DVec3 {
        r.quat().inverse() * v
    }),
    native!("KismetMathLibrary.FindLookAtRotation", |start: DVec3,
                                                     target: DVec3|
     -> Rotator {
        direction_rotator(target - start)
    }),
    native!("KismetMathLibrary.MakeRotFromX", |x: DVec3| -> Rotator {
        direction_rotator(x)
    }),
    native!("KismetMathLibrary.MakeRotFromXY", |x: DVec3,
                                                y: DVec3|
     -> Rotator {
        from_two_axes(0, x, 1, y)
    }),
    native!("KismetMathLibrary.MakeRotFromXZ", |x: DVec3,
                                                z: DVec3|
     -> Rotator {
        from_two_axes(0, x, 2, z)
    }),
    native!("KismetMathLibrary.MakeRotFromYX", |y: DVec3,
                                                x: DVec3|
     -> Rotator {
        from_two_axes(1, y, 0, x)
    }),
    native!("KismetMathLibrary.MakeRotFromYZ", |y: DVec3,
                                                z: DVec3|
     -> Rotator {
        from_two_axes(1, y, 2, z)
    }),
    native!("KismetMathLibrary.MakeRotFromZX", |z: DVec3,
                                                x: DVec3|
     -> Rotator {
        from_two_axes(2, z, 0, x)
    }),
    native!("KismetMathLibrary.MakeRotFromZY", |z: DVec3,
                                                y: DVec3|
     -> Rotator {
        from_two_axes(2, z, 1, y)
    }),
    native!("KismetMathLibrary.MakeRotationFromAxes", |x: DVec3,
                                                       y: DVec3,
                                                       z: DVec3|
     -> Rotator {
        Rotator::from_quat(DQuat::from_mat3(&DMat3::from_cols(
            normal(x, 1e-8),
            normal(y, 1e-8),
            normal(z, 1e-8),
        )))
    }),
    native!(
        "KismetMathLibrary.RotatorFromAxisAndAngle",
        |axis: DVec3, angle: f64| -> Rotator {
            Rotator::from_quat(DQuat::from_axis_angle(
                normal(axis, 1e-8),
                angle.to_radians(),
            ))
        }
    ),
    native!("KismetMathLibrary.RLerp", |a: Rotator,
                                        b: Rotator,
                                        alpha: f64,
                                        shortest: bool|
     -> Rotator {
        lerp(a, b, alpha, shortest)
    }),
    native!("KismetMathLibrary.REase", |a: Rotator,
                                        b: Rotator,
                                        alpha: f64,
                                        shortest: bool,
                                        func: u8,
                                        exponent: f64,
                                        steps: i32|
     -> Rotator {
        lerp(a, b, ease(alpha, func, exponent, steps), shortest)
    }),
    native!("KismetMathLibrary.RInterpTo", |current: Rotator,
                                            target: Rotator,
                                            delta: f64,
                                            speed: f64|
     -> Rotator {
        interp_to(current, target, delta, speed)
    }),
    native!(
        "KismetMathLibrary.RInterpTo_Constant",
        |current: Rotator, target: Rotator, delta: f64, speed: f64| -> Rotator {
            interp_constant(current, target, delta, speed)
        }
    ),
    native!("KismetMathLibrary.SelectRotator", |a: Rotator,
                                                b: Rotator,
                                                pick_a: bool|
     -> Rotator {
        if pick_a { a } else { b }
    }),
    native!("KismetMathLibrary.MakeQuat", |x: f64,
                                           y: f64,
                                           z: f64,
                                           w: f64|
     -> DQuat {
        DQuat::from_xyzw(x, y, z, w)
    }),
    native!(
        "KismetMathLibrary.BreakQuat",
        |call, q: DQuat, x: Out<f64>, y: Out<f64>, z: Out<f64>, w: Out<f64>| {
            call.set(x, q.x);
            call.set(y, q.y);
            call.set(z, q.z);
            call.set(w, q.w);
            Ok(())
        }
    ),
    native!("KismetMathLibrary.Multiply_QuatQuat", |a: DQuat,
                                                    b: DQuat|
     -> DQuat {
        a * b
    }),
    native!("KismetMathLibrary.Add_QuatQuat", |a: DQuat,
                                               b: DQuat|
     -> DQuat { a + b }),
    native!("KismetMathLibrary.Subtract_QuatQuat", |a: DQuat,
                                                    b: DQuat|
     -> DQuat {
        a - b
    }),
    native!("KismetMathLibrary.EqualEqual_QuatQuat", |a: DQuat,
                                                      b: DQuat,
                                                      tolerance: f64|
     -> bool {
        a.abs_diff_eq(b, tolerance) || a.abs_diff_eq(-b, tolerance)
    }),
    native!("KismetMathLibrary.NotEqual_QuatQuat", |a: DQuat,
                                                    b: DQuat,
                                                    tolerance: f64|
     -> bool {
        !(a.abs_diff_eq(b, tolerance) || a.abs_diff_eq(-b, tolerance))
    }),
    native!("KismetMathLibrary.Quat_Identity", || -> DQuat {
        DQuat::IDENTITY
    }),
    native!("KismetMathLibrary.Quat_Inversed", |q: DQuat| -> DQuat {
        q.conjugate()
    }),
    native!("KismetMathLibrary.Quat_Normalized", |q: DQuat,
                                                  tolerance: f64|
     -> DQuat {
        if q.length_squared() >= tolerance {
            q.normalize()
        } else {
            DQuat::IDENTITY
        }
    }),
    native!("KismetMathLibrary.Quat_Size", |q: DQuat| -> f64 {
        q.length()
    }),
    native!("KismetMathLibrary.Quat_SizeSquared", |q: DQuat| -> f64 {
        q.length_squared()
    }),
    native!("KismetMathLibrary.Quat_IsNormalized", |q: DQuat| -> bool {
        (1.0 - q.length_squared()).abs() < 0.01
    }),
    native!("KismetMathLibrary.Quat_IsFinite", |q: DQuat| -> bool {
        q.is_finite()
    }),
    native!("KismetMathLibrary.Quat_IsNonFinite", |q: DQuat| -> bool {
        !q.is_finite()
    }),
    native!("KismetMathLibrary.Quat_IsIdentity", |q: DQuat,
                                                  tolerance: f64|
     -> bool {
        q.abs_diff_eq(DQuat::IDENTITY, tolerance) || (-q).abs_diff_eq(DQuat::IDENTITY, tolerance)
    }),
    native!("KismetMathLibrary.Quat_RotateVector", |q: DQuat,
                                                    v: DVec3|
     -> DVec3 {
        q * v
    }),
    native!("KismetMathLibrary.Quat_UnrotateVector", |q: DQuat,
                                                      v: DVec3|
     -> DVec3 {
        q.inverse() * v
    }),
    native!(
        "KismetMathLibrary.Quat_VectorForward",
        |q: DQuat| -> DVec3 { q * DVec3::X }
    ),
    native!("KismetMathLibrary.Quat_VectorRight", |q: DQuat| -> DVec3 {
        q * DVec3::Y
    }),
    native!("KismetMathLibrary.Quat_VectorUp", |q: DQuat| -> DVec3 {
        q * DVec3::Z
    }),
    native!("KismetMathLibrary.Quat_GetAxisX", |q: DQuat| -> DVec3 {
        q * DVec3::X
    }),
    native!("KismetMathLibrary.Quat_GetAxisY", |q: DQuat| -> DVec3 {
        q * DVec3::Y
    }),
    native!("KismetMathLibrary.Quat_GetAxisZ", |q: DQuat| -> DVec3 {
        q * DVec3::Z
    }),
    native!("KismetMathLibrary.Quat_GetAngle", |q: DQuat| -> f64 {
        2.0 * q.w.clamp(-1.0, 1.0).acos()
    }),
    native!("KismetMathLibrary.Quat_AngularDistance", |a: DQuat,
                                                       b: DQuat|
     -> f64 {
        {
            let dot = a.dot(b);
            (2.0 * dot * dot - 1.0).clamp(-1.0, 1.0).acos()
        }
    }),
    native!("KismetMathLibrary.Quat_Slerp", |a: DQuat,
                                             b: DQuat,
                                             alpha: f64|
     -> DQuat {
        a.slerp(b, alpha)
    }),
    native!(
        "KismetMathLibrary.Quat_MakeFromEuler",
        |e: DVec3| -> DQuat { Rotator::new(e.y, e.z, e.x).quat() }
    ),
    native!("KismetMathLibrary.Quat_Euler", |q: DQuat| -> DVec3 {
        {
            let r = Rotator::from_quat(q);
            DVec3::new(r.roll, r.pitch, r.yaw)
        }
    }),
    native!(
        "KismetMathLibrary.Quat_FindBetweenVectors",
        |from: DVec3, to: DVec3| -> DQuat {
            DQuat::from_rotation_arc(normal(from, 1e-8), normal(to, 1e-8))
        }
    ),
    native!(
        "KismetMathLibrary.Quat_FindBetweenNormals",
        |from: DVec3, to: DVec3| -> DQuat { DQuat::from_rotation_arc(from, to) }
    ),
];

fn set_axes(call: &mut NativeCall<'_>, r: Rotator, x: Out<DVec3>, y: Out<DVec3>, z: Out<DVec3>) {
    let axes = r.axes();
    call.set(x, axes.x_axis);
    call.set(y, axes.y_axis);
    call.set(z, axes.z_axis);
}

/// The rotator without roll that looks along a direction.
pub(super) fn direction_rotator(v: DVec3) -> Rotator {
    Rotator::new(
        v.z.atan2(v.truncate().length()).to_degrees(),
        v.y.atan2(v.x).to_degrees(),
        0.0,
    )
}

/// The rotation whose axis `first` (0 forward, 1 right, 2 up) is `a`, and whose axis `second` is as
/// near to `b` as that allows.
fn from_two_axes(first: usize, a: DVec3, second: usize, b: DVec3) -> Rotator {
    let third = 3 - first - second;
    let a = normal(a, 1e-8);
    let is_even = (first + 1) % 3 == second;
    let cross = |p: DVec3, q: DVec3| if is_even { p.cross(q) } else { q.cross(p) };
    let mut c = normal(cross(a, b), 1e-8);
    if c == DVec3::ZERO {
        // The axes are parallel: up serves for the second, or forward if the first is up.
        let other = if a.z.abs() < 0.999 {
            DVec3::Z
        } else {
            DVec3::X
        };
        c = normal(cross(a, other), 1e-8);
    }
    let b = if is_even { c.cross(a) } else { a.cross(c) };
    let mut axes = [DVec3::ZERO; 3];
    (axes[first], axes[second], axes[third]) = (a, b, c);
    let matrix = DMat3::from_cols(axes[0], axes[1], axes[2]);
    Rotator::from_quat(DQuat::from_mat3(&matrix))
}

fn is_equal(a: Rotator, b: Rotator, tolerance: f64) -> bool {
    let near = |a: f64, b: f64| normalize_axis(a - b).abs() <= tolerance;
    near(a.pitch, b.pitch) && near(a.yaw, b.yaw) && near(a.roll, b.roll)
}

pub(crate) fn lerp(a: Rotator, b: Rotator, alpha: f64, shortest: bool) -> Rotator {
    if shortest {
        return Rotator::from_quat(a.quat().slerp(b.quat(), alpha));
    }
    let mix = |a: f64, b: f64| normalize_axis(a + alpha * normalize_axis(b - a));
    Rotator::new(
        mix(a.pitch, b.pitch),
        mix(a.yaw, b.yaw),
        mix(a.roll, b.roll),
    )
}

fn interp_to(current: Rotator, target: Rotator, delta: f64, speed: f64) -> Rotator {
    if delta == 0.0 || current == target {
        return current;
    }
    if speed <= 0.0 {
        return target;
    }
    let share = (delta * speed).clamp(0.0, 1.0);
    let step = |from: f64, to: f64| normalize_axis(from + share * normalize_axis(to - from));
    if is_equal(current, target, 1e-4) {
        return target;
    }
    Rotator::new(
        step(current.pitch, target.pitch),
        step(current.yaw, target.yaw),
        step(current.roll, target.roll),
    )
}

fn interp_constant(current: Rotator, target: Rotator, delta: f64, speed: f64) -> Rotator {
    if delta == 0.0 || current == target {
        return current;
    }
    if speed <= 0.0 {
        return target;
    }
    let limit = delta * speed;
    let step =
        |from: f64, to: f64| normalize_axis(from + normalize_axis(to - from).clamp(-limit, limit));
    Rotator::new(
        step(current.pitch, target.pitch),
        step(current.yaw, target.yaw),
        step(current.roll, target.roll),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotator_survives_its_quaternion() {
        for r in [
            Rotator::new(0.0, 0.0, 0.0),
            Rotator::new(30.0, 40.0, 50.0),
            Rotator::new(-60.0, 170.0, -20.0),
        ] {
            let back = Rotator::from_quat(r.quat());
            assert!(is_equal(r, back, 1e-9), "{r:?} became {back:?}");
        }
    }

    #[test]
    fn yaw_turns_forward_to_the_right_and_pitch_lifts_it() {
        let near = |a: DVec3, b: DVec3| a.abs_diff_eq(b, 1e-9);
        assert!(near(Rotator::new(0.0, 90.0, 0.0).axes().x_axis, DVec3::Y));
        assert!(near(Rotator::new(90.0, 0.0, 0.0).axes().x_axis, DVec3::Z));
        assert!(near(
            Rotator::new(0.0, 0.0, 90.0).axes().y_axis,
            DVec3::NEG_Z
        ));
        let r = from_two_axes(0, DVec3::Y, 2, DVec3::Z);
        assert!(is_equal(r, Rotator::new(0.0, 90.0, 0.0), 1e-9));
        assert!((direction_rotator(DVec3::new(0.0, 0.0, 2.0)).pitch - 90.0).abs() < 1e-9);
    }
}
