//! Vectors of four reals (`FVector4`). Functions whose names end in 3 leave the fourth alone.

use glam::{DQuat, DVec3, DVec4};

use super::math_vector::normal;
use super::values::Rotator;
use super::{Native, Out};
use crate::native;

const ZERO: Native = native!("KismetMathLibrary.Vector4_Zero", || -> DVec4 {
    DVec4::ZERO
});
const BREAK: Native = native!(
    "KismetMathLibrary.BreakVector4",
    |call, v: DVec4, x: Out<f64>, y: Out<f64>, z: Out<f64>, w: Out<f64>| {
        call.set(x, v.x);
        call.set(y, v.y);
        call.set(z, v.z);
        call.set(w, v.w);
        Ok(())
    }
);
pub(super) const SINGLE: &[Native] = &[ZERO, BREAK];

pub(super) const ROWS: &[Native] = value_rows! { "KismetMathLibrary";
    MakeVector4(x: f64, y: f64, z: f64, w: f64) -> DVec4 = DVec4::new(x, y, z, w);
    Conv_Vector4ToVector(v: DVec4) -> DVec3 = v.truncate();
    Conv_Vector4ToRotator(v: DVec4) -> Rotator = super::math_rotator::direction_rotator(v.truncate());
    Conv_Vector4ToQuaternion(v: DVec4) -> DQuat = DQuat::from_vec4(v);
    Conv_Vector4ToQuaterion(v: DVec4) -> DQuat = DQuat::from_vec4(v);
    Add_Vector4Vector4(a: DVec4, b: DVec4) -> DVec4 = a + b;
    Subtract_Vector4Vector4(a: DVec4, b: DVec4) -> DVec4 = a - b;
    Multiply_Vector4Vector4(a: DVec4, b: DVec4) -> DVec4 = a * b;
    Divide_Vector4Vector4(a: DVec4, b: DVec4) -> DVec4 = a / b;
    EqualExactly_Vector4Vector4(a: DVec4, b: DVec4) -> bool = a == b;
    NotEqualExactly_Vector4Vector4(a: DVec4, b: DVec4) -> bool = a != b;
    EqualEqual_Vector4Vector4(a: DVec4, b: DVec4, tolerance: f64) -> bool = a.abs_diff_eq(b, tolerance);
    NotEqual_Vector4Vector4(a: DVec4, b: DVec4, tolerance: f64) -> bool = !a.abs_diff_eq(b, tolerance);
    Vector4_Negated(v: DVec4) -> DVec4 = -v;
    Vector4_Size(v: DVec4) -> f64 = v.length();
    Vector4_SizeSquared(v: DVec4) -> f64 = v.length_squared();
    Vector4_Size3(v: DVec4) -> f64 = v.truncate().length();
    Vector4_SizeSquared3(v: DVec4) -> f64 = v.truncate().length_squared();
    Vector4_IsNAN(v: DVec4) -> bool = v.is_nan();
    Vector4_IsZero(v: DVec4) -> bool = v == DVec4::ZERO;
    Vector4_IsNearlyZero3(v: DVec4, tolerance: f64) -> bool = v.truncate().abs().max_element() <= tolerance;
    Vector4_IsUnit3(v: DVec4, tolerance: f64) -> bool = (1.0 - v.truncate().length_squared()).abs() < tolerance;
    Vector4_IsNormal3(v: DVec4) -> bool = (1.0 - v.truncate().length_squared()).abs() < 0.01;
    Vector4_Normal3(v: DVec4, tolerance: f64) -> DVec4 = normal(v.truncate(), tolerance).extend(0.0);
    Vector4_NormalUnsafe3(v: DVec4) -> DVec4 = (v.truncate() / v.truncate().length()).extend(0.0);
    Vector4_DotProduct(a: DVec4, b: DVec4) -> f64 = a.dot(b);
    Vector4_DotProduct3(a: DVec4, b: DVec4) -> f64 = a.truncate().dot(b.truncate());
    Vector4_CrossProduct3(a: DVec4, b: DVec4) -> DVec4 = a.truncate().cross(b.truncate()).extend(0.0);
    Vector4_MirrorByVector3(v: DVec4, about: DVec4) -> DVec4 = mirrored(v, about);
};

pub(super) const CHANGING: &[Native] = changing_rows! { "KismetMathLibrary";
    Vector4_Assign(_v: DVec4, to: DVec4) = to;
    Vector4_Set(_v: DVec4, x: f64, y: f64, z: f64, w: f64) = DVec4::new(x, y, z, w);
    Vector4_Normalize3(v: DVec4, tolerance: f64) = normal(v.truncate(), tolerance).extend(v.w);
};

/// `v` mirrored at the plane through the origin whose normal is `about`.
fn mirrored(v: DVec4, about: DVec4) -> DVec4 {
    let (direction, axis) = (v.truncate(), normal(about.truncate(), 1e-8));
    (direction - 2.0 * direction.dot(axis) * axis).extend(v.w)
}
