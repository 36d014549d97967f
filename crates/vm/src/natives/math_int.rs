//! Integers of 32 bits. Arithmetic wraps, division truncates toward zero, and the remainder has the
//! sign of the dividend. Dividing by zero warns and gives 0.

use super::{Native, NativeCall};
use crate::native;

fn divide(call: &mut NativeCall<'_>, a: i32, b: i32) -> i32 {
    if b == 0 {
        call.warn_zero("Divide by zero");
        return 0;
    }
    a.wrapping_div(b)
}

fn modulo(call: &mut NativeCall<'_>, a: i32, b: i32) -> i32 {
    if b == 0 {
        call.warn_zero("Modulo by zero");
        return 0;
    }
    a.wrapping_rem(b)
}

/// The lower bound wins where the bounds cross.
fn clamp(value: i32, min: i32, max: i32) -> i32 {
    if value < min { min } else { value.min(max) }
}

/// Brings a value into `min..=max` by steps of the range's width; the bounds are one point.
fn wrap(value: i32, min: i32, max: i32) -> i32 {
    let (value, min, max) = (i64::from(value), i64::from(min), i64::from(max));
    let width = max - min;
    if width <= 0 {
        return max as i32;
    }
    if (min..=max).contains(&value) {
        return value as i32;
    }
    let end = if value < min { max } else { min };
    let offset = (value - end) % width;
    (end + offset) as i32
}

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.Add_IntInt", |a: i32, b: i32| -> i32 {
        a.wrapping_add(b)
    }),
    native!("KismetMathLibrary.Subtract_IntInt", |a: i32,
                                                  b: i32|
     -> i32 {
        a.wrapping_sub(b)
    }),
    native!("KismetMathLibrary.Multiply_IntInt", |a: i32,
                                                  b: i32|
     -> i32 {
        a.wrapping_mul(b)
    }),
    native!("KismetMathLibrary.Divide_IntInt", |call,
                                                a: i32,
                                                b: i32|
     -> i32 {
        Ok(divide(call, a, b))
    }),
    native!("KismetMathLibrary.Percent_IntInt", |call,
                                                 a: i32,
                                                 b: i32|
     -> i32 {
        Ok(modulo(call, a, b))
    }),
    native!("KismetMathLibrary.Less_IntInt", |a: i32, b: i32| -> bool {
        a < b
    }),
    native!("KismetMathLibrary.Greater_IntInt", |a: i32,
                                                 b: i32|
     -> bool { a > b }),
    native!("KismetMathLibrary.LessEqual_IntInt", |a: i32,
                                                   b: i32|
     -> bool {
        a <= b
    }),
    native!("KismetMathLibrary.GreaterEqual_IntInt", |a: i32,
                                                      b: i32|
     -> bool {
        a >= b
    }),
    native!("KismetMathLibrary.EqualEqual_IntInt", |a: i32,
                                                    b: i32|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_IntInt", |a: i32,
                                                  b: i32|
     -> bool { a != b }),
    native!("KismetMathLibrary.And_IntInt", |a: i32, b: i32| -> i32 {
        a & b
    }),
    native!("KismetMathLibrary.Or_IntInt", |a: i32, b: i32| -> i32 {
        a | b
    }),
    native!("KismetMathLibrary.Xor_IntInt", |a: i32, b: i32| -> i32 {
        a ^ b
    }),
    native!("KismetMathLibrary.Not_Int", |a: i32| -> i32 { !a }),
    native!("KismetMathLibrary.Abs_Int", |a: i32| -> i32 {
        a.wrapping_abs()
    }),
    native!("KismetMathLibrary.SignOfInteger", |a: i32| -> i32 {
        a.signum()
    }),
    native!("KismetMathLibrary.Min", |a: i32, b: i32| -> i32 {
        a.min(b)
    }),
    native!("KismetMathLibrary.Max", |a: i32, b: i32| -> i32 {
        a.max(b)
    }),
    native!("KismetMathLibrary.Clamp", |value: i32,
                                        min: i32,
                                        max: i32|
     -> i32 {
        clamp(value, min, max)
    }),
    native!("KismetMathLibrary.SelectInt", |a: i32,
                                            b: i32,
                                            pick_a: bool|
     -> i32 {
        if pick_a { a } else { b }
    }),
    native!("KismetMathLibrary.InRange_IntInt", |value: i32,
                                                 min: i32,
                                                 max: i32,
                                                 with_min: bool,
                                                 with_max: bool|
     -> bool {
        (value > min || (with_min && value == min)) && (value < max || (with_max && value == max))
    }),
    native!("KismetMathLibrary.Wrap", |value: i32,
                                       min: i32,
                                       max: i32|
     -> i32 {
        wrap(value, min, max)
    }),
    native!("KismetMathLibrary.Multiply_IntFloat", |a: i32,
                                                    b: f64|
     -> f64 {
        f64::from(a) * b
    }),
];
