//! The largest, smallest, average and median element of an array.

use super::values::ArrayArg;
use super::{Native, NativeCall, NativeValue, Out};
use crate::native;

macro_rules! extreme {
    ($name:literal, $ty:ty, $wins:expr) => {
        native!($name, |call,
                        array: ArrayArg,
                        index: Out<i32>,
                        value: Out<$ty>| {
            extreme(call, array, (index, value), $wins);
            Ok(())
        })
    };
}

pub(super) const ROWS: &[Native] = &[
    extreme!("KismetMathLibrary.MaxOfIntArray", i32, |a, b| a > b),
    extreme!("KismetMathLibrary.MinOfIntArray", i32, |a, b| a < b),
    extreme!("KismetMathLibrary.MaxOfFloatArray", f64, |a, b| a > b),
    extreme!("KismetMathLibrary.MinOfFloatArray", f64, |a, b| a < b),
    extreme!("KismetMathLibrary.MaxOfByteArray", u8, |a, b| a > b),
    extreme!("KismetMathLibrary.MinOfByteArray", u8, |a, b| a < b),
    native!("KismetMathLibrary.AverageOfIntArray", |call,
                                                    array: ArrayArg,
                                                    average: Out<
        f64,
    >| {
        let values: Vec<i32> = call.elements(array);
        let sum: i64 = values.iter().map(|value| i64::from(*value)).sum();
        let len = values.len();
        call.set(
            average,
            if len == 0 {
                0.0
            } else {
                sum as f64 / len as f64
            },
        );
        Ok(())
    }),
    native!(
        "KismetMathLibrary.MedianOfIntArray",
        |call, array: ArrayArg, median: Out<f64>| {
            let mut values: Vec<i32> = call.elements(array);
            values.sort_unstable();
            let middle = values.len() / 2;
            call.set(
                median,
                match values.len() {
                    0 => 0.0,
                    len if len % 2 == 1 => f64::from(values[middle]),
                    _ => f64::midpoint(f64::from(values[middle - 1]), f64::from(values[middle])),
                },
            );
            Ok(())
        }
    ),
];

/// The first of the elements that win, and its index; of none, zero and -1.
fn extreme<T: NativeValue + Copy + Default>(
    call: &mut NativeCall<'_>,
    array: ArrayArg,
    (index, value): (Out<i32>, Out<T>),
    wins: fn(T, T) -> bool,
) {
    let values: Vec<T> = call.elements(array);
    let mut best: Option<(usize, T)> = None;
    for (at, candidate) in values.into_iter().enumerate() {
        if best.is_none_or(|(_, known)| wins(candidate, known)) {
            best = Some((at, candidate));
        }
    }
    call.set(index, best.map_or(-1, |(at, _)| at as i32));
    call.set(value, best.map_or(T::default(), |(_, value)| value));
}
