//! Booleans. Both sides of `AND` and `OR` have been evaluated already: nodes do not short-circuit.

use super::Native;
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.Not_PreBool", |a: bool| -> bool { !a }),
    native!("KismetMathLibrary.EqualEqual_BoolBool", |a: bool,
                                                      b: bool|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_BoolBool", |a: bool,
                                                    b: bool|
     -> bool {
        a != b
    }),
    native!("KismetMathLibrary.BooleanAND", |a: bool, b: bool| -> bool {
        a && b
    }),
    native!("KismetMathLibrary.BooleanNAND", |a: bool,
                                              b: bool|
     -> bool { !(a && b) }),
    native!("KismetMathLibrary.BooleanOR", |a: bool, b: bool| -> bool {
        a || b
    }),
    native!("KismetMathLibrary.BooleanXOR", |a: bool, b: bool| -> bool {
        a ^ b
    }),
    native!("KismetMathLibrary.BooleanNOR", |a: bool, b: bool| -> bool {
        !(a || b)
    }),
];
