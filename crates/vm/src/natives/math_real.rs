//! Floats and doubles. Both arrive as doubles; results are rounded where a float receives them.

#![expect(
    clippy::float_cmp,
    reason = "the functions compare exactly, as their names say"
)]

use super::values::{clamp_axis, normalize_axis};
use super::{Native, NativeCall, Out};
use crate::native;

fn divide(call: &mut NativeCall<'_>, a: f64, b: f64) -> f64 {
    if b == 0.0 {
        call.warn_zero("Divide by zero");
        return 0.0;
    }
    a / b
}

fn modulo(call: &mut NativeCall<'_>, a: f64, b: f64) -> f64 {
    if b == 0.0 {
        call.warn_zero("Modulo by zero");
        return 0.0;
    }
    a % b
}

/// Whole turns (truncated) and what is left.
fn float_mod(call: &mut NativeCall<'_>, a: f64, b: f64) -> (f64, f64) {
    if b == 0.0 {
        call.warn_zero("Divide by zero");
        return (0.0, 0.0);
    }
    let rest = a % b;
    (((a - rest) / b).round(), rest)
}

fn sign(a: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a.signum() }
}

/// The lower bound wins where the bounds cross.
pub(super) fn clamp(value: f64, min: f64, max: f64) -> f64 {
    if value < min {
        min
    } else if value < max {
        value
    } else {
        max
    }
}

pub(super) fn grid_snap(at: f64, grid: f64) -> f64 {
    if grid == 0.0 {
        at
    } else {
        ((at + 0.5 * grid) / grid).floor() * grid
    }
}

fn wrap(value: f64, min: f64, max: f64) -> f64 {
    let width = max - min;
    if width <= 0.0 {
        return max;
    }
    if value >= min && value <= max {
        return value;
    }
    let end = if value < min { max } else { min };
    end + (value - end) % width
}

/// Moves by a share of the distance; all the way without a speed or when there.
pub(super) fn interp_to(current: f64, target: f64, delta: f64, speed: f64) -> f64 {
    let distance = target - current;
    if speed <= 0.0 || distance * distance < 1e-8 {
        return target;
    }
    current + distance * (delta * speed).clamp(0.0, 1.0)
}

/// Moves by at most `speed * delta`.
pub(super) fn interp_constant(current: f64, target: f64, delta: f64, speed: f64) -> f64 {
    let distance = target - current;
    if distance * distance < 1e-8 {
        return target;
    }
    let step = speed * delta;
    current + distance.clamp(-step.abs(), step.abs())
}

fn map_range(value: f64, in_a: f64, in_b: f64, out_a: f64, out_b: f64, clamped: bool) -> f64 {
    let width = in_b - in_a;
    let share = if width.abs() < 1e-8 {
        if value >= in_b { 1.0 } else { 0.0 }
    } else {
        (value - in_a) / width
    };
    let share = if clamped {
        share.clamp(0.0, 1.0)
    } else {
        share
    };
    out_a + share * (out_b - out_a)
}

fn normalize_to_range(value: f64, min: f64, max: f64) -> f64 {
    if min == max {
        return if value < min { 0.0 } else { 1.0 };
    }
    (value - min) / (max - min)
}

fn ease_in_out(alpha: f64, exponent: f64) -> f64 {
    if alpha < 0.5 {
        0.5 * (alpha * 2.0).powf(exponent)
    } else {
        1.0 - 0.5 * (2.0 - alpha * 2.0).powf(exponent)
    }
}

/// How far along an eased way is, by the entry of `EEasingFunc`.
pub(super) fn ease(alpha: f64, func: u8, exponent: f64, steps: i32) -> f64 {
    use std::f64::consts::{FRAC_PI_2, PI};
    match func {
        // Linear is 0.
        1 => {
            let steps = f64::from(steps.max(1));
            (alpha * steps).floor() / steps
        }
        2 => 1.0 - (alpha * FRAC_PI_2).cos(),
        3 => (alpha * FRAC_PI_2).sin(),
        4 => 0.5 - 0.5 * (alpha * PI).cos(),
        5 => alpha.powf(exponent),
        6 => 1.0 - (1.0 - alpha).powf(exponent),
        7 => ease_in_out(alpha, exponent),
        8 => expo_in(alpha),
        9 => 1.0 - expo_in(1.0 - alpha),
        10 if alpha < 0.5 => 0.5 * expo_in(alpha * 2.0),
        10 => 1.0 - 0.5 * expo_in(2.0 - alpha * 2.0),
        11 => circular_in(alpha),
        12 => 1.0 - circular_in(1.0 - alpha),
        13 if alpha < 0.5 => 0.5 * circular_in(alpha * 2.0),
        13 => 1.0 - 0.5 * circular_in(2.0 - alpha * 2.0),
        _ => alpha,
    }
}

fn expo_in(alpha: f64) -> f64 {
    if alpha == 0.0 {
        0.0
    } else {
        2.0_f64.powf(10.0 * (alpha - 1.0))
    }
}

fn circular_in(alpha: f64) -> f64 {
    1.0 - (1.0 - alpha * alpha).max(0.0).sqrt()
}

/// The angle, or the nearer bound of a range that goes from `min` up to `max`.
fn clamp_angle(angle: f64, min: f64, max: f64) -> f64 {
    let half_width = clamp_axis(max - min) * 0.5;
    let center = clamp_axis(min + half_width);
    let from_center = normalize_axis(angle - center);
    if from_center > half_width {
        normalize_axis(center + half_width)
    } else if from_center < -half_width {
        normalize_axis(center - half_width)
    } else {
        normalize_axis(angle)
    }
}

fn fixed_turn(current: f64, desired: f64, step: f64) -> f64 {
    if step == 0.0 {
        return clamp_axis(current);
    }
    let current = clamp_axis(current);
    let turn = normalize_axis(clamp_axis(desired) - current);
    clamp_axis(current + turn.clamp(-step.abs(), step.abs()))
}

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.Add_DoubleDouble", |a: f64,
                                                   b: f64|
     -> f64 { a + b }),
    native!("KismetMathLibrary.Subtract_DoubleDouble", |a: f64,
                                                        b: f64|
     -> f64 {
        a - b
    }),
    native!("KismetMathLibrary.Multiply_DoubleDouble", |a: f64,
                                                        b: f64|
     -> f64 {
        a * b
    }),
    native!("KismetMathLibrary.Divide_DoubleDouble", |call,
                                                      a: f64,
                                                      b: f64|
     -> f64 {
        Ok(divide(call, a, b))
    }),
    native!("KismetMathLibrary.Less_DoubleDouble", |a: f64,
                                                    b: f64|
     -> bool {
        a < b
    }),
    native!("KismetMathLibrary.Greater_DoubleDouble", |a: f64,
                                                       b: f64|
     -> bool {
        a > b
    }),
    native!("KismetMathLibrary.LessEqual_DoubleDouble", |a: f64,
                                                         b: f64|
     -> bool {
        a <= b
    }),
    native!("KismetMathLibrary.GreaterEqual_DoubleDouble", |a: f64,
                                                            b: f64|
     -> bool {
        a >= b
    }),
    native!("KismetMathLibrary.EqualEqual_DoubleDouble", |a: f64,
                                                          b: f64|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_DoubleDouble", |a: f64,
                                                        b: f64|
     -> bool {
        a != b
    }),
    native!("KismetMathLibrary.Add_FloatFloat", |a: f64,
                                                 b: f64|
     -> f64 { a + b }),
    native!("KismetMathLibrary.Subtract_FloatFloat", |a: f64,
                                                      b: f64|
     -> f64 {
        a - b
    }),
    native!("KismetMathLibrary.Multiply_FloatFloat", |a: f64,
                                                      b: f64|
     -> f64 {
        a * b
    }),
    native!("KismetMathLibrary.Divide_FloatFloat", |call,
                                                    a: f64,
                                                    b: f64|
     -> f64 {
        Ok(divide(call, a, b))
    }),
    native!("KismetMathLibrary.Less_FloatFloat", |a: f64,
                                                  b: f64|
     -> bool { a < b }),
    native!("KismetMathLibrary.Greater_FloatFloat", |a: f64,
                                                     b: f64|
     -> bool {
        a > b
    }),
    native!("KismetMathLibrary.LessEqual_FloatFloat", |a: f64,
                                                       b: f64|
     -> bool {
        a <= b
    }),
    native!("KismetMathLibrary.GreaterEqual_FloatFloat", |a: f64,
                                                          b: f64|
     -> bool {
        a >= b
    }),
    native!("KismetMathLibrary.EqualEqual_FloatFloat", |a: f64,
                                                        b: f64|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_FloatFloat", |a: f64,
                                                      b: f64|
     -> bool {
        a != b
    }),
    native!("KismetMathLibrary.Percent_FloatFloat", |call,
                                                     a: f64,
                                                     b: f64|
     -> f64 {
        Ok(modulo(call, a, b))
    }),
    native!("KismetMathLibrary.Abs", |a: f64| -> f64 { a.abs() }),
    native!("KismetMathLibrary.Acos", |a: f64| -> f64 { a.acos() }),
    native!("KismetMathLibrary.Asin", |a: f64| -> f64 { a.asin() }),
    native!("KismetMathLibrary.Atan", |a: f64| -> f64 { a.atan() }),
    native!("KismetMathLibrary.Cos", |a: f64| -> f64 { a.cos() }),
    native!("KismetMathLibrary.Sin", |a: f64| -> f64 { a.sin() }),
    native!("KismetMathLibrary.Tan", |a: f64| -> f64 { a.tan() }),
    native!("KismetMathLibrary.DegAcos", |a: f64| -> f64 {
        a.acos().to_degrees()
    }),
    native!("KismetMathLibrary.DegAsin", |a: f64| -> f64 {
        a.asin().to_degrees()
    }),
    native!("KismetMathLibrary.DegAtan", |a: f64| -> f64 {
        a.atan().to_degrees()
    }),
    native!("KismetMathLibrary.DegCos", |a: f64| -> f64 {
        a.to_radians().cos()
    }),
    native!("KismetMathLibrary.DegSin", |a: f64| -> f64 {
        a.to_radians().sin()
    }),
    native!("KismetMathLibrary.DegTan", |a: f64| -> f64 {
        a.to_radians().tan()
    }),
    native!("KismetMathLibrary.DegreesToRadians", |a: f64| -> f64 {
        a.to_radians()
    }),
    native!("KismetMathLibrary.RadiansToDegrees", |a: f64| -> f64 {
        a.to_degrees()
    }),
    native!("KismetMathLibrary.Exp", |a: f64| -> f64 { a.exp() }),
    native!("KismetMathLibrary.Loge", |a: f64| -> f64 { a.ln() }),
    native!("KismetMathLibrary.Fraction", |a: f64| -> f64 {
        a - a.floor()
    }),
    native!("KismetMathLibrary.Square", |a: f64| -> f64 { a * a }),
    native!("KismetMathLibrary.SignOfFloat", |a: f64| -> f64 { sign(a) }),
    native!("KismetMathLibrary.MultiplyByPi", |a: f64| -> f64 {
        a * std::f64::consts::PI
    }),
    native!("KismetMathLibrary.NormalizeAxis", |a: f64| -> f64 {
        normalize_axis(a)
    }),
    native!("KismetMathLibrary.ClampAxis", |a: f64| -> f64 {
        clamp_axis(a)
    }),
    native!("KismetMathLibrary.Sqrt", |call, a: f64| -> f64 {
        Ok(if a < 0.0 {
            call.warn("Square root of a negative number");
            0.0
        } else {
            a.sqrt()
        })
    }),
    native!("KismetMathLibrary.Log", |call, a: f64, base: f64| -> f64 {
        Ok(if base <= 0.0 || base == 1.0 {
            call.warn_zero("Divide by zero");
            0.0
        } else {
            a.ln() / base.ln()
        })
    }),
    native!("KismetMathLibrary.Atan2", |y: f64, x: f64| -> f64 {
        y.atan2(x)
    }),
    native!("KismetMathLibrary.DegAtan2", |y: f64, x: f64| -> f64 {
        y.atan2(x).to_degrees()
    }),
    native!("KismetMathLibrary.FMin", |a: f64, b: f64| -> f64 {
        if a < b { a } else { b }
    }),
    native!("KismetMathLibrary.FMax", |a: f64, b: f64| -> f64 {
        if a > b { a } else { b }
    }),
    native!(
        "KismetMathLibrary.MultiplyMultiply_FloatFloat",
        |base: f64, exponent: f64| -> f64 { base.powf(exponent) }
    ),
    native!("KismetMathLibrary.Hypotenuse", |width: f64,
                                             height: f64|
     -> f64 {
        width.hypot(height)
    }),
    native!("KismetMathLibrary.GridSnap_Float", |at: f64,
                                                 grid: f64|
     -> f64 {
        grid_snap(at, grid)
    }),
    native!("KismetMathLibrary.SafeDivide", |a: f64, b: f64| -> f64 {
        if b == 0.0 { 0.0 } else { a / b }
    }),
    native!("KismetMathLibrary.SelectFloat", |a: f64,
                                              b: f64,
                                              pick_a: bool|
     -> f64 {
        if pick_a { a } else { b }
    }),
    native!("KismetMathLibrary.FClamp", |value: f64,
                                         min: f64,
                                         max: f64|
     -> f64 {
        clamp(value, min, max)
    }),
    native!("KismetMathLibrary.Lerp", |a: f64,
                                       b: f64,
                                       alpha: f64|
     -> f64 {
        a + alpha * (b - a)
    }),
    native!("KismetMathLibrary.FWrap", |value: f64,
                                        min: f64,
                                        max: f64|
     -> f64 {
        wrap(value, min, max)
    }),
    native!("KismetMathLibrary.FInterpTo", |current: f64,
                                            target: f64,
                                            delta: f64,
                                            speed: f64|
     -> f64 {
        interp_to(current, target, delta, speed)
    }),
    native!("KismetMathLibrary.FInterpTo_Constant", |current: f64,
                                                     target: f64,
                                                     delta: f64,
                                                     speed: f64|
     -> f64 {
        interp_constant(current, target, delta, speed)
    }),
    native!("KismetMathLibrary.FInterpEaseInOut", |a: f64,
                                                   b: f64,
                                                   alpha: f64,
                                                   exponent: f64|
     -> f64 {
        a + (b - a) * ease_in_out(alpha, exponent)
    }),
    native!("KismetMathLibrary.MapRangeClamped", |value: f64,
                                                  in_a: f64,
                                                  in_b: f64,
                                                  out_a: f64,
                                                  out_b: f64|
     -> f64 {
        map_range(value, in_a, in_b, out_a, out_b, true)
    }),
    native!("KismetMathLibrary.MapRangeUnclamped", |value: f64,
                                                    in_a: f64,
                                                    in_b: f64,
                                                    out_a: f64,
                                                    out_b: f64|
     -> f64 {
        map_range(value, in_a, in_b, out_a, out_b, false)
    }),
    native!("KismetMathLibrary.NormalizeToRange", |value: f64,
                                                   min: f64,
                                                   max: f64|
     -> f64 {
        normalize_to_range(value, min, max)
    }),
    native!("KismetMathLibrary.Ease", |a: f64,
                                       b: f64,
                                       alpha: f64,
                                       func: u8,
                                       exponent: f64,
                                       steps: i32|
     -> f64 {
        a + (b - a) * ease(alpha, func, exponent, steps)
    }),
    native!("KismetMathLibrary.ClampAngle", |angle: f64,
                                             min: f64,
                                             max: f64|
     -> f64 {
        clamp_angle(angle, min, max)
    }),
    native!("KismetMathLibrary.FixedTurn", |current: f64,
                                            desired: f64,
                                            step: f64|
     -> f64 {
        fixed_turn(current, desired, step)
    }),
    native!("KismetMathLibrary.MakePulsatingValue", |time: f64,
                                                     rate: f64,
                                                     phase: f64|
     -> f64 {
        0.5 + 0.5 * ((time * rate + phase) * std::f64::consts::TAU).sin()
    }),
    native!(
        "KismetMathLibrary.WeightedMovingAverage_Float",
        |current: f64, previous: f64, weight: f64| -> f64 {
            current * weight + previous * (1.0 - weight)
        }
    ),
    native!("KismetMathLibrary.InRange_FloatFloat", |value: f64,
                                                     min: f64,
                                                     max: f64,
                                                     with_min: bool,
                                                     with_max: bool|
     -> bool {
        (value > min || (with_min && value >= min)) && (value < max || (with_max && value <= max))
    }),
    native!(
        "KismetMathLibrary.NearlyEqual_FloatFloat",
        |a: f64, b: f64, tolerance: f64| -> bool { (a - b).abs() <= tolerance }
    ),
    native!("KismetMathLibrary.GetPI", || -> f64 {
        std::f64::consts::PI
    }),
    native!("KismetMathLibrary.GetTAU", || -> f64 {
        std::f64::consts::TAU
    }),
    native!("KismetMathLibrary.FTrunc", |a: f64| -> i32 {
        a.trunc() as i32
    }),
    native!("KismetMathLibrary.FTrunc64", |a: f64| -> i64 {
        a.trunc() as i64
    }),
    native!("KismetMathLibrary.FFloor", |a: f64| -> i32 {
        a.floor() as i32
    }),
    native!("KismetMathLibrary.FFloor64", |a: f64| -> i64 {
        a.floor() as i64
    }),
    native!("KismetMathLibrary.FCeil", |a: f64| -> i32 {
        a.ceil() as i32
    }),
    native!("KismetMathLibrary.FCeil64", |a: f64| -> i64 {
        a.ceil() as i64
    }),
    native!("KismetMathLibrary.Round", |a: f64| -> i32 {
        (a + 0.5).floor() as i32
    }),
    native!("KismetMathLibrary.Round64", |a: f64| -> i64 {
        (a + 0.5).floor() as i64
    }),
    native!("KismetMathLibrary.FMod", |call,
                                       a: f64,
                                       b: f64,
                                       rest: Out<f64>|
     -> i32 {
        let (turns, left) = float_mod(call, a, b);
        call.set(rest, left);
        Ok(turns as i32)
    }),
    native!("KismetMathLibrary.FMod64", |call,
                                         a: f64,
                                         b: f64,
                                         rest: Out<f64>|
     -> i64 {
        let (turns, left) = float_mod(call, a, b);
        call.set(rest, left);
        Ok(turns as i64)
    }),
];
