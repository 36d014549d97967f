//! Lines, planes, directions and weighted averages.

use glam::{DMat3, DQuat, DVec2, DVec3, DVec4};

use super::math_vector::normal;
use super::values::{ArrayArg, Rotator, Transform, normalize_axis};
use super::{Native, NativeCall, Out};
use crate::native;

pub(super) const ROWS: &[Native] = value_rows! { "KismetMathLibrary";
    MakePlaneFromPointAndNormal(point: DVec3, n: DVec3) -> DVec4 = plane(point, n);
    Vector_MirrorByPlane(v: DVec3, plane: DVec4) -> DVec3 = v - 2.0 * distance(plane, v) * plane.truncate();
    Vector_SlerpNormals(a: DVec3, b: DVec3, alpha: f64) -> DVec3 = slerp(a, b, alpha);
    Vector_SlerpVectorToDirection(v: DVec3, direction: DVec3, alpha: f64) -> DVec3 =
        slerp(normal(v, 1e-8), normal(direction, 1e-8), alpha) * v.length();
    Spherical2DToUnitCartesian(a: DVec2) -> DVec3 =
        DVec3::new(a.x.sin() * a.y.cos(), a.x.sin() * a.y.sin(), a.x.cos());
    Vector_UnitCartesianToSpherical(v: DVec3) -> DVec2 = DVec2::new((v.z / v.length()).acos(), v.y.atan2(v.x));
    ToSign2D(v: DVec2) -> DVec2 = DVec2::new(sign(v.x), sign(v.y));
    Vector2DInterpTo_Constant(current: DVec2, target: DVec2, delta: f64, speed: f64) -> DVec2 =
        towards(current, target, delta * speed);
    MakeVector_NetQuantize(x: f64, y: f64, z: f64) -> DVec3 = DVec3::new(x, y, z);
    MakeVector_NetQuantize10(x: f64, y: f64, z: f64) -> DVec3 = DVec3::new(x, y, z);
    MakeVector_NetQuantize100(x: f64, y: f64, z: f64) -> DVec3 = DVec3::new(x, y, z);
    MakeVector_NetQuantizeNormal(x: f64, y: f64, z: f64) -> DVec3 = DVec3::new(x, y, z);
    MakeRotFromY(y: DVec3) -> Rotator = from_right(y);
    MakeRotFromZ(z: DVec3) -> Rotator = from_up(z);
    Quat_GetRotationAxis(q: DQuat) -> DVec3 = axis(q);
    Quat_Exp(q: DQuat) -> DQuat = exp(q);
    Quat_Log(q: DQuat) -> DQuat = log(q);
    TInterpTo(current: Transform, target: Transform, delta: f64, speed: f64) -> Transform =
        if speed <= 0.0 { target } else { super::math_transform::lerp(current, target, (delta * speed).clamp(0.0, 1.0)) };
    WeightedMovingAverage_FRotator(current: Rotator, previous: Rotator, weight: f64) -> Rotator =
        weighted_rotator(current, previous, weight);
    DynamicWeightedMovingAverage_Float(current: f64, previous: f64, far: f64, min: f64, max: f64) -> f64 =
        weighted(current, previous, weight((current - previous).abs(), far, min, max));
    DynamicWeightedMovingAverage_FVector(current: DVec3, previous: DVec3, far: f64, min: f64, max: f64) -> DVec3 = {
        let weight = weight(current.distance(previous), far, min, max);
        previous * (1.0 - weight) + current * weight
    };
    DynamicWeightedMovingAverage_FRotator(current: Rotator, previous: Rotator, far: f64, min: f64, max: f64) -> Rotator = {
        let part = |a: f64, b: f64, which: fn(f64) -> f64| which(normalize_axis(a - b));
        let apart = DVec3::new(
            part(current.pitch, previous.pitch, f64::abs),
            part(current.yaw, previous.yaw, f64::abs),
            part(current.roll, previous.roll, f64::abs),
        );
        weighted_rotator(current, previous, weight(apart.length(), far, min, max))
    };
};

pub(super) const CHANGING: &[Native] = changing_rows! { "KismetMathLibrary";
    Vector_AddBounded(v: DVec3, by: DVec3, radius: f64) = (v + by).clamp(DVec3::splat(-radius.abs()), DVec3::splat(radius.abs()));
    Vector_UnwindEuler(v: DVec3) = DVec3::new(normalize_axis(v.x), normalize_axis(v.y), normalize_axis(v.z));
    Quat_Normalize(q: DQuat, tolerance: f64) =
        if q.length_squared() >= tolerance { q.normalize() } else { DQuat::IDENTITY };
    Quat_SetComponents(_q: DQuat, x: f64, y: f64, z: f64, w: f64) = DQuat::from_xyzw(x, y, z, w);
    Quat_SetFromEuler(_q: DQuat, euler: DVec3) = Rotator::new(euler.y, euler.z, euler.x).quat();
    Quat_EnforceShortestArcWith(q: DQuat, other: DQuat) = if q.dot(other) < 0.0 { -q } else { q };
};

macro_rules! break_vector {
    ($name:literal) => {
        native!($name, |call,
                        v: DVec3,
                        x: Out<f64>,
                        y: Out<f64>,
                        z: Out<f64>| {
            call.set(x, v.x);
            call.set(y, v.y);
            call.set(z, v.z);
            Ok(())
        })
    };
}

pub(super) const PARTS: &[Native] = &[
    break_vector!("KismetMathLibrary.BreakVector_NetQuantize"),
    break_vector!("KismetMathLibrary.BreakVector_NetQuantize10"),
    break_vector!("KismetMathLibrary.BreakVector_NetQuantize100"),
    break_vector!("KismetMathLibrary.BreakVector_NetQuantizeNormal"),
    native!("KismetMathLibrary.Vector2D_Unit45Deg", || -> DVec2 {
        DVec2::splat(std::f64::consts::FRAC_1_SQRT_2)
    }),
    native!("KismetMathLibrary.LinePlaneIntersection", |call,
                                                        start: DVec3,
                                                        end: DVec3,
                                                        plane: DVec4,
                                                        t: Out<f64>,
                                                        at: Out<
        DVec3,
    >|
     -> bool {
        let n = plane.truncate();
        Ok(intersect(call, (start, end), (n * plane.w, n), (t, at)))
    }),
    native!(
        "KismetMathLibrary.LinePlaneIntersection_OriginNormal",
        |call,
         start: DVec3,
         end: DVec3,
         origin: DVec3,
         n: DVec3,
         t: Out<f64>,
         at: Out<DVec3>|
         -> bool { Ok(intersect(call, (start, end), (origin, n), (t, at))) }
    ),
    native!("KismetMathLibrary.PointsAreCoplanar", |call,
                                                    points: ArrayArg,
                                                    tolerance: f64|
     -> bool {
        let points: Vec<DVec3> = call.elements(points);
        Ok(are_coplanar(&points, tolerance))
    }),
    native!(
        "KismetMathLibrary.FindNearestPointsOnLineSegments",
        |call,
         start: DVec3,
         end: DVec3,
         other_start: DVec3,
         other_end: DVec3,
         point: Out<DVec3>,
         other: Out<DVec3>| {
            let (a, b) = nearest_of_segments((start, end), (other_start, other_end));
            call.set(point, a);
            call.set(other, b);
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.GetAzimuthAndElevation",
        |call, direction: DVec3, frame: Transform, azimuth: Out<f64>, elevation: Out<f64>| {
            let local = frame.rotation.inverse() * normal(direction, 1e-8);
            call.set(azimuth, local.y.atan2(local.x).to_degrees());
            call.set(elevation, local.z.clamp(-1.0, 1.0).asin().to_degrees());
            Ok(())
        }
    ),
    native!("KismetMathLibrary.GetSlopeDegreeAngles", |call,
                                                       right: DVec3,
                                                       floor: DVec3,
                                                       up: DVec3,
                                                       pitch: Out<
        f64,
    >,
                                                       roll: Out<
        f64,
    >| {
        let forward = right.cross(floor);
        let side = floor.cross(forward);
        call.set(pitch, 90.0 - forward.dot(up).acos().to_degrees());
        call.set(roll, 90.0 - side.dot(up).acos().to_degrees());
        Ok(())
    }),
];

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

fn plane(point: DVec3, n: DVec3) -> DVec4 {
    n.extend(point.dot(n))
}

/// How far a point lies in front of a plane.
fn distance(plane: DVec4, point: DVec3) -> f64 {
    plane.truncate().dot(point) - plane.w
}

/// Between directions, along the shorter arc.
fn slerp(a: DVec3, b: DVec3, alpha: f64) -> DVec3 {
    DQuat::IDENTITY.slerp(DQuat::from_rotation_arc(a, b), alpha) * a
}

fn towards(current: DVec2, target: DVec2, step: f64) -> DVec2 {
    let apart = target - current;
    let length = apart.length();
    if length > step && step > 0.0 {
        current + apart / length * step
    } else {
        target
    }
}

/// Up serves as the second axis, or forward if the first is up.
fn second_axis(first: DVec3) -> DVec3 {
    if first.z.abs() < 1.0 - 1e-4 {
        DVec3::Z
    } else {
        DVec3::X
    }
}

fn of_axes(x: DVec3, y: DVec3, z: DVec3) -> Rotator {
    Rotator::from_quat(DQuat::from_mat3(&DMat3::from_cols(x, y, z)))
}

fn from_right(y: DVec3) -> Rotator {
    let y = normal(y, 1e-8);
    let x = normal(y.cross(second_axis(y)), 1e-8);
    of_axes(x, y, x.cross(y))
}

fn from_up(z: DVec3) -> Rotator {
    let z = normal(z, 1e-8);
    let x = normal(second_axis(z).cross(z), 1e-8);
    of_axes(x, z.cross(x), z)
}

/// The axis of a rotation; forward if there is none.
fn axis(q: DQuat) -> DVec3 {
    let squared = 1.0 - q.w * q.w;
    if squared <= 1e-8 {
        DVec3::X
    } else {
        DVec3::new(q.x, q.y, q.z) / squared.sqrt()
    }
}

fn exp(q: DQuat) -> DQuat {
    let v = DVec3::new(q.x, q.y, q.z);
    let angle = v.length();
    let sin = angle.sin();
    let v = if sin.abs() >= 1e-8 {
        v * (sin / angle)
    } else {
        v
    };
    DQuat::from_xyzw(v.x, v.y, v.z, angle.cos())
}

fn log(q: DQuat) -> DQuat {
    let v = DVec3::new(q.x, q.y, q.z);
    let mut out = v;
    if q.w.abs() < 1.0 {
        let angle = q.w.acos();
        let sin = angle.sin();
        if sin.abs() >= 1e-8 {
            out = v * (angle / sin);
        }
    }
    DQuat::from_xyzw(out.x, out.y, out.z, 0.0)
}

fn weighted(current: f64, previous: f64, weight: f64) -> f64 {
    previous * (1.0 - weight) + current * weight
}

/// The shorter way round for each angle.
fn weighted_rotator(current: Rotator, previous: Rotator, weight: f64) -> Rotator {
    let part = |a: f64, b: f64| normalize_axis(b + weight * normalize_axis(a - b));
    Rotator::new(
        part(current.pitch, previous.pitch),
        part(current.yaw, previous.yaw),
        part(current.roll, previous.roll),
    )
}

fn weight(apart: f64, far: f64, min: f64, max: f64) -> f64 {
    min + (max - min) * (apart / far).clamp(0.0, 1.0)
}

/// Where a segment meets the plane through a point; false and zeros if it does not.
fn intersect(
    call: &mut NativeCall<'_>,
    (start, end): (DVec3, DVec3),
    (origin, n): (DVec3, DVec3),
    (t, at): (Out<f64>, Out<DVec3>),
) -> bool {
    let along = end - start;
    let slope = along.dot(n);
    let share = (origin - start).dot(n) / slope;
    if slope.abs() <= 1e-8 {
        call.set(t, -1.0);
        call.set(at, DVec3::ZERO);
        return false;
    }
    call.set(t, share);
    let hits = (0.0..=1.0).contains(&share);
    call.set(
        at,
        if hits {
            start + along * share
        } else {
            DVec3::ZERO
        },
    );
    hits
}

/// Up to three points always are.
fn are_coplanar(points: &[DVec3], tolerance: f64) -> bool {
    let [a, rest @ ..] = points else { return true };
    let longest = |n: &DVec3, m: &DVec3| n.length_squared().total_cmp(&m.length_squared());
    let pairs = rest.iter().enumerate().flat_map(|(index, b)| {
        rest[index + 1..]
            .iter()
            .map(move |c| (*b - *a).cross(*c - *a))
    });
    let Some(n) = pairs.max_by(longest) else {
        return true;
    };
    let n = normal(n, 1e-8);
    points.iter().all(|p| (*p - *a).dot(n).abs() <= tolerance)
}

/// The points of two segments that are nearest to each other.
fn nearest_of_segments((a, a_end): (DVec3, DVec3), (b, b_end): (DVec3, DVec3)) -> (DVec3, DVec3) {
    let (u, v, w) = (a_end - a, b_end - b, a - b);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uw, vw) = (u.dot(w), v.dot(w));
    let on_b = |s: f64| {
        if vv > 0.0 {
            ((vw + s * uv) / vv).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let on_a = |t: f64| {
        if uu > 0.0 {
            ((t * uv - uw) / uu).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let slant = uu * vv - uv * uv;
    let s = if slant > 1e-8 {
        ((uv * vw - vv * uw) / slant).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = on_b(s);
    let s = on_a(t);
    (a + u * s, b + v * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_points_of_crossing_and_apart_segments() {
        let (x, y) = ((DVec3::NEG_X, DVec3::X), (DVec3::NEG_Y, DVec3::Y));
        assert_eq!(nearest_of_segments(x, y), (DVec3::ZERO, DVec3::ZERO));
        let far = (DVec3::new(3.0, 1.0, 0.0), DVec3::new(3.0, 5.0, 0.0));
        assert_eq!(nearest_of_segments(x, far), (DVec3::X, far.0));
        let point = (DVec3::Z, DVec3::Z);
        assert_eq!(nearest_of_segments(x, point), (DVec3::ZERO, DVec3::Z));
    }

    #[test]
    fn logarithm_and_exponential_undo_each_other() {
        let q = Rotator::new(10.0, 50.0, -20.0).quat();
        assert!(exp(log(q)).abs_diff_eq(q, 1e-9));
    }

    #[test]
    fn axes_make_rotations() {
        // Right as it is: no turn. Up forward: pitched.
        let none = from_right(DVec3::Y);
        assert!(none.pitch.abs() < 1e-9 && none.yaw.abs() < 1e-9 && none.roll.abs() < 1e-9);
        let up = from_up(DVec3::X);
        assert!((up.quat() * DVec3::Z).abs_diff_eq(DVec3::X, 1e-9));
        assert!((from_up(DVec3::Z).quat() * DVec3::Z).abs_diff_eq(DVec3::Z, 1e-9));
    }
}
