//! Integers of 64 bits, with the rules of those of 32.

use super::{Native, NativeCall};
use crate::native;

fn divide(call: &mut NativeCall<'_>, a: i64, b: i64) -> i64 {
    if b == 0 {
        call.warn_zero("Divide by zero");
        return 0;
    }
    a.wrapping_div(b)
}

fn modulo(call: &mut NativeCall<'_>, a: i64, b: i64) -> i64 {
    if b == 0 {
        call.warn_zero("Modulo by zero");
        return 0;
    }
    a.wrapping_rem(b)
}

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.Add_Int64Int64", |a: i64,
                                                 b: i64|
     -> i64 {
        a.wrapping_add(b)
    }),
    native!("KismetMathLibrary.Subtract_Int64Int64", |a: i64,
                                                      b: i64|
     -> i64 {
        a.wrapping_sub(b)
    }),
    native!("KismetMathLibrary.Multiply_Int64Int64", |a: i64,
                                                      b: i64|
     -> i64 {
        a.wrapping_mul(b)
    }),
    native!("KismetMathLibrary.Divide_Int64Int64", |call,
                                                    a: i64,
                                                    b: i64|
     -> i64 {
        Ok(divide(call, a, b))
    }),
    native!("KismetMathLibrary.Percent_Int64Int64", |call,
                                                     a: i64,
                                                     b: i64|
     -> i64 {
        Ok(modulo(call, a, b))
    }),
    native!("KismetMathLibrary.Less_Int64Int64", |a: i64,
                                                  b: i64|
     -> bool { a < b }),
    native!("KismetMathLibrary.Greater_Int64Int64", |a: i64,
                                                     b: i64|
     -> bool {
        a > b
    }),
    native!("KismetMathLibrary.LessEqual_Int64Int64", |a: i64,
                                                       b: i64|
     -> bool {
        a <= b
    }),
    native!("KismetMathLibrary.GreaterEqual_Int64Int64", |a: i64,
                                                          b: i64|
     -> bool {
        a >= b
    }),
    native!("KismetMathLibrary.EqualEqual_Int64Int64", |a: i64,
                                                        b: i64|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_Int64Int64", |a: i64,
                                                      b: i64|
     -> bool {
        a != b
    }),
    native!("KismetMathLibrary.And_Int64Int64", |a: i64,
                                                 b: i64|
     -> i64 { a & b }),
    native!("KismetMathLibrary.Or_Int64Int64", |a: i64, b: i64| -> i64 {
        a | b
    }),
    native!("KismetMathLibrary.Xor_Int64Int64", |a: i64,
                                                 b: i64|
     -> i64 { a ^ b }),
    native!("KismetMathLibrary.Not_Int64", |a: i64| -> i64 { !a }),
    native!("KismetMathLibrary.Abs_Int64", |a: i64| -> i64 {
        a.wrapping_abs()
    }),
    native!("KismetMathLibrary.SignOfInteger64", |a: i64| -> i64 {
        a.signum()
    }),
    native!("KismetMathLibrary.MinInt64", |a: i64, b: i64| -> i64 {
        a.min(b)
    }),
    native!("KismetMathLibrary.MaxInt64", |a: i64, b: i64| -> i64 {
        a.max(b)
    }),
    native!("KismetMathLibrary.ClampInt64", |value: i64,
                                             min: i64,
                                             max: i64|
     -> i64 {
        if value < min { min } else { value.min(max) }
    }),
    native!("KismetMathLibrary.InRange_Int64Int64", |value: i64,
                                                     min: i64,
                                                     max: i64,
                                                     with_min: bool,
                                                     with_max: bool|
     -> bool {
        (value > min || (with_min && value == min)) && (value < max || (with_max && value == max))
    }),
];
