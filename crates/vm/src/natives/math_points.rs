//! Points of integers, in the plane (`FIntPoint`, `FIntVector2`) and in space (`FIntVector`).

use glam::{DVec2, DVec3, IVec2, IVec3};

use super::{Native, NativeCall, NativeValue, Out, Shape, Str};
use crate::memory::Words;
use crate::native;

/// `FFrameNumber`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct FrameNumber(i32);

impl NativeValue for FrameNumber {
    const SHAPE: Shape = Shape::Struct(1);

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        Self(NativeValue::from_words(call, words))
    }

    fn into_words(self, call: &mut NativeCall<'_>) -> Words {
        self.0.into_words(call)
    }
}

/// A frame, a part of it, and how many there are in a second (`FQualifiedFrameTime`).
#[derive(Clone, Copy, Debug, PartialEq)]
struct FrameTime {
    frame: FrameNumber,
    sub_frame: f64,
    rate: IVec2,
}

impl NativeValue for FrameTime {
    const SHAPE: Shape = Shape::Struct(4);

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        let part = |from: usize, to: usize| words.get(from..to).unwrap_or(&[]);
        Self {
            frame: NativeValue::from_words(call, part(0, 1)),
            sub_frame: NativeValue::from_words(call, part(1, 2)),
            rate: NativeValue::from_words(call, part(2, 4)),
        }
    }

    fn into_words(self, call: &mut NativeCall<'_>) -> Words {
        let mut words = self.frame.into_words(call);
        words.extend(self.sub_frame.into_words(call));
        words.extend(self.rate.into_words(call));
        words
    }
}

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.IntPoint_Zero", || -> IVec2 {
        IVec2::ZERO
    }),
    native!("KismetMathLibrary.IntPoint_One", || -> IVec2 { IVec2::ONE }),
    // Points are places on a screen, where y grows downwards. Source: the functions' descriptions.
    native!("KismetMathLibrary.IntPoint_Up", || -> IVec2 {
        IVec2::new(0, -1)
    }),
    native!("KismetMathLibrary.IntPoint_Down", || -> IVec2 {
        IVec2::new(0, 1)
    }),
    native!("KismetMathLibrary.IntPoint_Left", || -> IVec2 {
        IVec2::new(-1, 0)
    }),
    native!("KismetMathLibrary.IntPoint_Right", || -> IVec2 {
        IVec2::new(1, 0)
    }),
    native!("KismetMathLibrary.Add_IntPointIntPoint", |a: IVec2,
                                                       b: IVec2|
     -> IVec2 {
        a.wrapping_add(b)
    }),
    native!("KismetMathLibrary.Add_IntPointInt", |a: IVec2,
                                                  b: i32|
     -> IVec2 {
        a.wrapping_add(IVec2::splat(b))
    }),
    native!(
        "KismetMathLibrary.Subtract_IntPointIntPoint",
        |a: IVec2, b: IVec2| -> IVec2 { a.wrapping_sub(b) }
    ),
    native!("KismetMathLibrary.Subtract_IntPointInt", |a: IVec2,
                                                       b: i32|
     -> IVec2 {
        a.wrapping_sub(IVec2::splat(b))
    }),
    native!(
        "KismetMathLibrary.Multiply_IntPointIntPoint",
        |a: IVec2, b: IVec2| -> IVec2 { a.wrapping_mul(b) }
    ),
    native!("KismetMathLibrary.Multiply_IntPointInt", |a: IVec2,
                                                       b: i32|
     -> IVec2 {
        a.wrapping_mul(IVec2::splat(b))
    }),
    native!("KismetMathLibrary.Divide_IntPointIntPoint", |call,
                                                          a: IVec2,
                                                          b: IVec2|
     -> IVec2 {
        Ok(divide(call, a, b))
    }),
    native!("KismetMathLibrary.Divide_IntPointInt", |call,
                                                     a: IVec2,
                                                     b: i32|
     -> IVec2 {
        Ok(divide(call, a, IVec2::splat(b)))
    }),
    native!("KismetMathLibrary.Equal_IntPointIntPoint", |a: IVec2,
                                                         b: IVec2|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_IntPointIntPoint", |a: IVec2,
                                                            b: IVec2|
     -> bool {
        a != b
    }),
    native!(
        "KismetMathLibrary.Conv_IntPointToVector2D",
        |p: IVec2| -> DVec2 { p.as_dvec2() }
    ),
    native!(
        "KismetMathLibrary.Conv_Vector2DToIntPoint",
        |v: DVec2| -> IVec2 { v.as_ivec2() }
    ),
    native!("KismetMathLibrary.Conv_IntToIntVector", |i: i32| -> IVec3 {
        IVec3::splat(i)
    }),
    native!(
        "KismetMathLibrary.Conv_IntToIntVector2",
        |i: i32| -> IVec2 { IVec2::splat(i) }
    ),
    native!(
        "KismetMathLibrary.Conv_IntVectorToVector",
        |v: IVec3| -> DVec3 { v.as_dvec3() }
    ),
    native!(
        "KismetMathLibrary.Conv_IntVector2ToVector2D",
        |v: IVec2| -> DVec2 { v.as_dvec2() }
    ),
    native!("KismetMathLibrary.FTruncVector", |v: DVec3| -> IVec3 {
        v.as_ivec3()
    }),
    native!("KismetMathLibrary.FTruncVector2D", |v: DVec2| -> IVec2 {
        v.as_ivec2()
    }),
    native!("KismetMathLibrary.Convert1DTo2D", |call,
                                                i: i32,
                                                width: i32|
     -> IVec2 {
        Ok(IVec2::new(rest(call, i, width), part(call, i, width)))
    }),
    native!("KismetMathLibrary.Convert1DTo3D", |call,
                                                i: i32,
                                                width: i32,
                                                height: i32|
     -> IVec3 {
        let row = part(call, i, width);
        Ok(IVec3::new(
            rest(call, i, width),
            rest(call, row, height),
            part(call, row, height),
        ))
    }),
    native!("KismetMathLibrary.Convert2DTo1D", |p: IVec2,
                                                width: i32|
     -> i32 {
        p.y.wrapping_mul(width).wrapping_add(p.x)
    }),
    native!("KismetMathLibrary.Convert3DTo1D", |p: IVec3,
                                                width: i32,
                                                height: i32|
     -> i32 {
        p.z.wrapping_mul(height)
            .wrapping_add(p.y)
            .wrapping_mul(width)
            .wrapping_add(p.x)
    }),
    native!(
        "KismetMathLibrary.MakeQualifiedFrameTime",
        |frame: FrameNumber, rate: IVec2, sub_frame: f64| -> FrameTime {
            FrameTime {
                frame,
                // A frame has no part as large as itself.
                sub_frame: sub_frame.clamp(0.0, 0.999_999_94),
                rate,
            }
        }
    ),
    native!(
        "KismetMathLibrary.BreakQualifiedFrameTime",
        |call, time: FrameTime, frame: Out<FrameNumber>, rate: Out<IVec2>, sub_frame: Out<f64>| {
            call.set(frame, time.frame);
            call.set(rate, time.rate);
            call.set(sub_frame, time.sub_frame);
            Ok(())
        }
    ),
    native!("KismetMathLibrary.MakeFrameRate", |numerator: i32,
                                                denominator: i32|
     -> IVec2 {
        IVec2::new(numerator, denominator)
    }),
    native!("KismetMathLibrary.BreakFrameRate", |call,
                                                 rate: IVec2,
                                                 numerator: Out<i32>,
                                                 denominator: Out<
        i32,
    >| {
        call.set(numerator, rate.x);
        call.set(denominator, rate.y);
        Ok(())
    }),
    native!(
        "KismetStringLibrary.Conv_IntPointToString",
        |p: IVec2| -> String { flat(p) }
    ),
    native!(
        "KismetStringLibrary.Conv_IntVector2ToString",
        |p: IVec2| -> String { flat(p) }
    ),
    native!(
        "KismetStringLibrary.Conv_IntVectorToString",
        |p: IVec3| -> String { deep(p) }
    ),
    native!(
        "KismetStringLibrary.BuildString_IntVector",
        |to: Str, prefix: Str, p: IVec3, suffix: Str| -> String {
            format!("{}{}{}{}", &*to, &*prefix, deep(p), &*suffix)
        }
    ),
    native!(
        "KismetStringLibrary.BuildString_IntVector2",
        |to: Str, prefix: Str, p: IVec2, suffix: Str| -> String {
            format!("{}{}{}{}", &*to, &*prefix, flat(p), &*suffix)
        }
    ),
];

fn flat(p: IVec2) -> String {
    format!("X={} Y={}", p.x, p.y)
}

fn deep(p: IVec3) -> String {
    format!("X={} Y={} Z={}", p.x, p.y, p.z)
}

fn part(call: &mut NativeCall<'_>, a: i32, b: i32) -> i32 {
    if b == 0 {
        call.warn_zero("Divide by zero");
        return 0;
    }
    a.wrapping_div(b)
}

fn rest(call: &mut NativeCall<'_>, a: i32, b: i32) -> i32 {
    if b == 0 {
        call.warn_zero("Modulo by zero");
        return 0;
    }
    a.wrapping_rem(b)
}

fn divide(call: &mut NativeCall<'_>, a: IVec2, b: IVec2) -> IVec2 {
    IVec2::new(part(call, a.x, b.x), part(call, a.y, b.y))
}
