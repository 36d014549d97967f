//! Vectors of two reals.

use glam::DVec2;

use super::math_real::clamp;
use super::math_vector::interp_to;
use super::{Native, NativeCall, Out};
use crate::native;

pub(super) const ROWS: &[Native] =
    &[
        native!("KismetMathLibrary.MakeVector2D", |x: f64,
                                                   y: f64|
         -> DVec2 {
            DVec2::new(x, y)
        }),
        native!(
            "KismetMathLibrary.BreakVector2D",
            |call, v: DVec2, x: Out<f64>, y: Out<f64>| {
                call.set(x, v.x);
                call.set(y, v.y);
                Ok(())
            }
        ),
        native!("KismetMathLibrary.Add_Vector2DVector2D", |a: DVec2,
                                                           b: DVec2|
         -> DVec2 {
            a + b
        }),
        native!("KismetMathLibrary.Add_Vector2DFloat", |a: DVec2,
                                                        b: f64|
         -> DVec2 {
            a + b
        }),
        native!(
            "KismetMathLibrary.Subtract_Vector2DVector2D",
            |a: DVec2, b: DVec2| -> DVec2 { a - b }
        ),
        native!(
            "KismetMathLibrary.Subtract_Vector2DFloat",
            |a: DVec2, b: f64| -> DVec2 { a - b }
        ),
        native!(
            "KismetMathLibrary.Multiply_Vector2DVector2D",
            |a: DVec2, b: DVec2| -> DVec2 { a * b }
        ),
        native!(
            "KismetMathLibrary.Multiply_Vector2DFloat",
            |a: DVec2, b: f64| -> DVec2 { a * b }
        ),
        native!(
            "KismetMathLibrary.Divide_Vector2DVector2D",
            |call, a: DVec2, b: DVec2| -> DVec2 { Ok(divide(call, a, b)) }
        ),
        native!("KismetMathLibrary.Divide_Vector2DFloat", |call,
                                                           a: DVec2,
                                                           b: f64|
         -> DVec2 {
            Ok(divide(call, a, DVec2::splat(b)))
        }),
        native!(
            "KismetMathLibrary.EqualEqual_Vector2DVector2D",
            |a: DVec2, b: DVec2, tolerance: f64| -> bool { a.abs_diff_eq(b, tolerance) }
        ),
        native!(
            "KismetMathLibrary.NotEqual_Vector2DVector2D",
            |a: DVec2, b: DVec2, tolerance: f64| -> bool { !a.abs_diff_eq(b, tolerance) }
        ),
        native!(
            "KismetMathLibrary.EqualExactly_Vector2DVector2D",
            |a: DVec2, b: DVec2| -> bool { a == b }
        ),
        native!(
            "KismetMathLibrary.NotEqualExactly_Vector2DVector2D",
            |a: DVec2, b: DVec2| -> bool { a != b }
        ),
        native!("KismetMathLibrary.DotProduct2D", |a: DVec2,
                                                   b: DVec2|
         -> f64 {
            a.dot(b)
        }),
        native!("KismetMathLibrary.CrossProduct2D", |a: DVec2,
                                                     b: DVec2|
         -> f64 {
            a.perp_dot(b)
        }),
        native!("KismetMathLibrary.Distance2D", |a: DVec2,
                                                 b: DVec2|
         -> f64 {
            a.distance(b)
        }),
        native!("KismetMathLibrary.DistanceSquared2D", |a: DVec2,
                                                        b: DVec2|
         -> f64 {
            a.distance_squared(b)
        }),
        native!("KismetMathLibrary.VSize2D", |a: DVec2| -> f64 {
            a.length()
        }),
        native!("KismetMathLibrary.VSize2DSquared", |a: DVec2| -> f64 {
            a.length_squared()
        }),
        native!("KismetMathLibrary.Negated2D", |a: DVec2| -> DVec2 { -a }),
        native!("KismetMathLibrary.GetAbs2D", |a: DVec2| -> DVec2 {
            a.abs()
        }),
        native!("KismetMathLibrary.GetMax2D", |a: DVec2| -> f64 {
            a.max_element()
        }),
        native!("KismetMathLibrary.GetMin2D", |a: DVec2| -> f64 {
            a.min_element()
        }),
        native!("KismetMathLibrary.GetAbsMax2D", |a: DVec2| -> f64 {
            a.abs().max_element()
        }),
        native!("KismetMathLibrary.Normal2D", |a: DVec2| -> DVec2 {
            normal(a, 1e-8)
        }),
        native!("KismetMathLibrary.NormalSafe2D", |a: DVec2,
                                                   tolerance: f64|
         -> DVec2 {
            normal(a, tolerance)
        }),
        native!("KismetMathLibrary.GetRotated2D", |a: DVec2,
                                                   angle: f64|
         -> DVec2 {
            DVec2::from_angle(angle.to_radians()).rotate(a)
        }),
        native!("KismetMathLibrary.IsNearlyZero2D", |a: DVec2,
                                                     tolerance: f64|
         -> bool {
            a.abs_diff_eq(DVec2::ZERO, tolerance)
        }),
        native!("KismetMathLibrary.IsZero2D", |a: DVec2| -> bool {
            a == DVec2::ZERO
        }),
        native!(
            "KismetMathLibrary.Set2D",
            |call, a: Out<DVec2>, x: f64, y: f64| {
                call.set(a, DVec2::new(x, y));
                Ok(())
            }
        ),
        native!(
            "KismetMathLibrary.Normalize2D",
            |call, a: Out<DVec2>, tolerance: f64| {
                let v = call.get(a);
                call.set(a, normal(v, tolerance));
                Ok(())
            }
        ),
        native!(
            "KismetMathLibrary.ToDirectionAndLength2D",
            |call, a: DVec2, direction: Out<DVec2>, length: Out<f64>| {
                call.set(direction, normal(a, 1e-8));
                call.set(length, a.length());
                Ok(())
            }
        ),
        native!("KismetMathLibrary.ToRounded2D", |a: DVec2| -> DVec2 {
            (a + 0.5).floor()
        }),
        native!("KismetMathLibrary.Vector2D_One", || -> DVec2 { DVec2::ONE }),
        native!("KismetMathLibrary.Vector2D_Zero", || -> DVec2 {
            DVec2::ZERO
        }),
        native!("KismetMathLibrary.ClampAxes2D", |a: DVec2,
                                                  min: f64,
                                                  max: f64|
         -> DVec2 {
            DVec2::new(clamp(a.x, min, max), clamp(a.y, min, max))
        }),
        native!("KismetMathLibrary.Vector2DInterpTo", |current: DVec2,
                                                       target: DVec2,
                                                       delta: f64,
                                                       speed: f64|
         -> DVec2 {
            interp_to(current.extend(0.0), target.extend(0.0), delta, speed).truncate()
        }),
    ];

fn divide(call: &mut NativeCall<'_>, a: DVec2, b: DVec2) -> DVec2 {
    if b.cmpeq(DVec2::ZERO).any() {
        call.warn_zero("Divide by zero");
        return DVec2::ZERO;
    }
    a / b
}

fn normal(v: DVec2, tolerance: f64) -> DVec2 {
    let squared = v.length_squared();
    if squared < tolerance || squared == 0.0 {
        DVec2::ZERO
    } else {
        v / squared.sqrt()
    }
}
