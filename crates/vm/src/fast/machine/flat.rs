//! Instructions that look up the base of each operand: `a` = op(`b`, `c`, `d`), all packed.

use glam::DVec3;

use super::super::code::Ins;
use super::{Context, Handler, go, slow, word};

/// An operation on the words its operands start at. False if the reference interpreter has to do it; nothing
/// is written then.
trait Flat {
    /// SAFETY: the pointers are those of operands as large as the operation takes them for.
    unsafe fn run(to: *mut u64, a: *const u64, b: *const u64, c: *const u64) -> bool;
}

unsafe fn flat<F: Flat>(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: lowering puts operands inside their bases and gives them the types the operation asks for.
    unsafe {
        let ins = &*pc;
        let to = word(ins.a, lp, tp, me);
        let a = word(ins.b, lp, tp, me);
        let b = word(ins.c, lp, tp, me);
        let c = word(ins.d, lp, tp, me);
        if !F::run(to, a, b, c) {
            return slow(pc, lp, tp, me, cx, fuel);
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

#[inline(always)]
fn real(word: u64) -> f64 {
    f64::from_bits(word)
}

#[inline(always)]
fn int(value: i32) -> u64 {
    i64::from(value) as u64
}

#[inline(always)]
unsafe fn vector(at: *const u64) -> DVec3 {
    // SAFETY: three words start there.
    unsafe { DVec3::new(real(*at), real(*at.add(1)), real(*at.add(2))) }
}

#[inline(always)]
unsafe fn put(to: *mut u64, value: DVec3) {
    // SAFETY: three words start there.
    unsafe {
        *to = value.x.to_bits();
        *to.add(1) = value.y.to_bits();
        *to.add(2) = value.z.to_bits();
    }
}

#[inline(always)]
fn clamp(value: f64, min: f64, max: f64) -> f64 {
    if value < min {
        min
    } else if value < max {
        value
    } else {
        max
    }
}

/// Operations by what they take and give: `w` a word, `v` a vector of three.
macro_rules! flat {
    ($($name:ident $args:tt $give:ident $value:expr $(, if $fine:expr)?;)*) => {
        /// An operation that looks up where its operands are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum FlatOp { $($name,)* }

        impl FlatOp {
            /// Words of the result.
            pub(crate) fn result_words(self) -> u32 {
                match self { $(FlatOp::$name => flat!(@words $give),)* }
            }
        }

        /// The handler of an operation.
        pub(crate) fn flat_handler(op: FlatOp) -> Handler {
            match op { $(FlatOp::$name => flat::<$name>,)* }
        }

        $(
            struct $name;
            impl Flat for $name {
                #[inline(always)]
                unsafe fn run(to: *mut u64, a: *const u64, b: *const u64, c: *const u64) -> bool {
                    // SAFETY: as the trait asks.
                    unsafe {
                        let _ = (b, c);
                        flat!(@take $args, a, b, c);
                        $(if !$fine { return false; })?
                        flat!(@give $give to, $value);
                    }
                    true
                }
            }
        )*
    };
    (@take ($x:ident w), $a:ident, $b:ident, $c:ident) => { let $x = *$a; };
    (@take ($x:ident w, $y:ident w), $a:ident, $b:ident, $c:ident) => { let ($x, $y) = (*$a, *$b); };
    (@take ($x:ident w, $y:ident w, $z:ident w), $a:ident, $b:ident, $c:ident) => {
        let ($x, $y, $z) = (*$a, *$b, *$c);
    };
    (@take ($x:ident v), $a:ident, $b:ident, $c:ident) => { let $x = vector($a); };
    (@take ($x:ident v, $y:ident v), $a:ident, $b:ident, $c:ident) => {
        let ($x, $y) = (vector($a), vector($b));
    };
    (@take ($x:ident v, $y:ident w), $a:ident, $b:ident, $c:ident) => {
        let ($x, $y) = (vector($a), *$b);
    };
    (@words w) => { 1 };
    (@words v) => { 3 };
    (@give w $to:ident, $value:expr) => { *$to = $value; };
    (@give v $to:ident, $value:expr) => { put($to, $value); };
}

flat! {
    NotBool(x w) w u64::from(x == 0);
    NotBits(x w) w !x;
    AbsInt(x w) w int((x as i32).wrapping_abs());
    MinInt(x w, y w) w int((x as i32).min(y as i32));
    MaxInt(x w, y w) w int((x as i32).max(y as i32));
    MinReal(x w, y w) w if real(x) < real(y) { x } else { y };
    MaxReal(x w, y w) w if real(x) > real(y) { x } else { y };
    AbsReal(x w) w real(x).abs().to_bits();
    Sqrt(x w) w real(x).sqrt().to_bits(), if real(x).is_nan() || real(x) >= 0.0;
    Sin(x w) w real(x).sin().to_bits();
    Cos(x w) w real(x).cos().to_bits();
    Square(x w) w (real(x) * real(x)).to_bits();
    ClampReal(x w, y w, z w) w clamp(real(x), real(y), real(z)).to_bits();
    ClampInt(x w, y w, z w) w {
        let (value, min, max) = (x as i32, y as i32, z as i32);
        int(if value < min { min } else { value.min(max) })
    };
    LerpReal(x w, y w, z w) w (real(x) + real(z) * (real(y) - real(x))).to_bits();
    SelectWord(x w, y w, z w) w if z == 0 { y } else { x };
    IntToReal(x w) w f64::from(x as i32).to_bits();
    Int64ToReal(x w) w (x as i64 as f64).to_bits();
    RealToInt64(x w) w real(x) as i64 as u64;
    RealToFloat(x w) w f64::from(real(x) as f32).to_bits();
    Truncate(x w) w int(real(x).trunc() as i32);
    Floor(x w) w int(real(x).floor() as i32);
    Ceil(x w) w int(real(x).ceil() as i32);
    Round(x w) w int((real(x) + 0.5).floor() as i32);
    ToInt(x w) w int(x as i32);
    ToByte(x w) w u64::from(x as u8);
    ToBool(x w) w u64::from(x != 0);
    AddVector(x v, y v) v x + y;
    SubtractVector(x v, y v) v x - y;
    MultiplyVector(x v, y v) v x * y;
    ScaleVector(x v, y w) v x * real(y);
    ScaleVectorInt(x v, y w) v x * f64::from(y as i32);
    OffsetVector(x v, y w) v x + real(y);
    NegateVector(x v) v -x;
    DotVector(x v, y v) w x.dot(y).to_bits();
    CrossVector(x v, y v) v x.cross(y);
    LengthVector(x v) w x.length().to_bits();
    LengthSquaredVector(x v) w x.length_squared().to_bits();
    MakeVector(x w, y w, z w) v DVec3::new(real(x), real(y), real(z));
}

/// Copies `c` words from `b` to `a`, which do not overlap unless they are the same.
pub(crate) unsafe fn copy_words(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: lowering puts operands inside their bases.
    unsafe {
        let ins = &*pc;
        let from = word(ins.b, lp, tp, me);
        std::ptr::copy(from, word(ins.a, lp, tp, me), ins.c as usize);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Copies three words from `b` to `a`.
pub(crate) unsafe fn copy_vector(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let from = word(ins.b, lp, tp, me);
        let words = [*from, *from.add(1), *from.add(2)];
        let to = word(ins.a, lp, tp, me);
        *to = words[0];
        *to.add(1) = words[1];
        *to.add(2) = words[2];
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Zeroes `c` words at `a`.
pub(crate) unsafe fn zero_words(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        std::ptr::write_bytes(word(ins.a, lp, tp, me), 0, ins.c as usize);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Reads `c` words of output `b` into `a`.
pub(crate) unsafe fn load_out(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the first temporaries are the places of outputs, bound when the function was entered.
    unsafe {
        let ins = &*pc;
        let from = *tp.cast::<*mut u64>().add(ins.b as usize);
        std::ptr::copy(from, word(ins.a, lp, tp, me), ins.c as usize);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Writes `c` words from `b` to output `a`.
pub(crate) unsafe fn store_out(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let to = *tp.cast::<*mut u64>().add(ins.a as usize);
        std::ptr::copy(word(ins.b, lp, tp, me), to, ins.c as usize);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Writes one word from `b` to output `a`.
pub(crate) unsafe fn store_out_word(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let to = *tp.cast::<*mut u64>().add(ins.a as usize);
        *to = *word(ins.b, lp, tp, me);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// The object that the function runs on, into `a`.
pub(crate) unsafe fn own_object(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        *word((*pc).a, lp, tp, me) = (*cx).object.0;
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Goes on `a` instructions further.
pub(crate) unsafe fn skip(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: lowering skips inside a statement.
    unsafe { go!(pc.add((*pc).a as usize), lp, tp, me, cx, fuel) }
}

/// The same if the words `b` and `c` differ.
pub(crate) unsafe fn skip_unless_equal(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let equal = *word(ins.b, lp, tp, me) == *word(ins.c, lp, tp, me);
        let distance = if equal { 1 } else { ins.a as usize };
        go!(pc.add(distance), lp, tp, me, cx, fuel)
    }
}
