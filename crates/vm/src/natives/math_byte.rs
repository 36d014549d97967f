//! Bytes, which also serve as the values of enums. Arithmetic wraps.

use super::{Native, NativeCall};
use crate::native;

fn divide(call: &mut NativeCall<'_>, a: u8, b: u8) -> u8 {
    if b == 0 {
        call.warn_zero("Divide by zero");
        return 0;
    }
    a.wrapping_div(b)
}

fn modulo(call: &mut NativeCall<'_>, a: u8, b: u8) -> u8 {
    if b == 0 {
        call.warn_zero("Modulo by zero");
        return 0;
    }
    a.wrapping_rem(b)
}

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.Add_ByteByte", |a: u8, b: u8| -> u8 {
        a.wrapping_add(b)
    }),
    native!("KismetMathLibrary.Subtract_ByteByte", |a: u8,
                                                    b: u8|
     -> u8 {
        a.wrapping_sub(b)
    }),
    native!("KismetMathLibrary.Multiply_ByteByte", |a: u8,
                                                    b: u8|
     -> u8 {
        a.wrapping_mul(b)
    }),
    native!("KismetMathLibrary.Divide_ByteByte", |call,
                                                  a: u8,
                                                  b: u8|
     -> u8 {
        Ok(divide(call, a, b))
    }),
    native!("KismetMathLibrary.Percent_ByteByte", |call,
                                                   a: u8,
                                                   b: u8|
     -> u8 {
        Ok(modulo(call, a, b))
    }),
    native!("KismetMathLibrary.Less_ByteByte", |a: u8, b: u8| -> bool {
        a < b
    }),
    native!("KismetMathLibrary.Greater_ByteByte", |a: u8,
                                                   b: u8|
     -> bool { a > b }),
    native!("KismetMathLibrary.LessEqual_ByteByte", |a: u8,
                                                     b: u8|
     -> bool {
        a <= b
    }),
    native!("KismetMathLibrary.GreaterEqual_ByteByte", |a: u8,
                                                        b: u8|
     -> bool {
        a >= b
    }),
    native!("KismetMathLibrary.EqualEqual_ByteByte", |a: u8,
                                                      b: u8|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_ByteByte", |a: u8,
                                                    b: u8|
     -> bool {
        a != b
    }),
    native!("KismetMathLibrary.BMin", |a: u8, b: u8| -> u8 { a.min(b) }),
    native!("KismetMathLibrary.BMax", |a: u8, b: u8| -> u8 { a.max(b) }),
];
