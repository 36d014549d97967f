//! Instructions on numbers: one for each operation and each combination of bases, so that none asks where its
//! operands are.

use super::super::code::Ins;
use super::control::{count_jump, out_of_fuel, slow};
use super::{Context, go, word};

/// A base, as a type.
pub(super) trait Where {
    fn of(lp: *mut u8, tp: *mut u8, me: *mut u8) -> *mut u8;
}

/// Locals.
pub(super) struct L;
/// Temporaries.
pub(super) struct T;
/// Variables of the object.
pub(super) struct O;

impl Where for L {
    #[inline(always)]
    fn of(lp: *mut u8, _: *mut u8, _: *mut u8) -> *mut u8 {
        lp
    }
}

impl Where for T {
    #[inline(always)]
    fn of(_: *mut u8, tp: *mut u8, _: *mut u8) -> *mut u8 {
        tp
    }
}

impl Where for O {
    #[inline(always)]
    fn of(_: *mut u8, _: *mut u8, me: *mut u8) -> *mut u8 {
        me
    }
}

/// The second operand of an operation: in a base, or in the instruction.
pub(super) trait Second {
    /// SAFETY: the instruction's operand `c` is inside its base.
    unsafe fn get(ins: &Ins, lp: *mut u8, tp: *mut u8, me: *mut u8) -> u64;
    /// The same where it is operand `b`, as in branches.
    unsafe fn get_b(ins: &Ins, lp: *mut u8, tp: *mut u8, me: *mut u8) -> u64;
}

impl<W: Where> Second for W {
    #[inline(always)]
    unsafe fn get(ins: &Ins, lp: *mut u8, tp: *mut u8, me: *mut u8) -> u64 {
        // SAFETY: as the trait asks.
        unsafe { *W::of(lp, tp, me).add(ins.c as usize).cast() }
    }

    #[inline(always)]
    unsafe fn get_b(ins: &Ins, lp: *mut u8, tp: *mut u8, me: *mut u8) -> u64 {
        // SAFETY: as the trait asks.
        unsafe { *W::of(lp, tp, me).add(ins.b as usize).cast() }
    }
}

/// All 64 bits of a literal, in `c` and `d`; in a branch the 32 bits of an integer.
pub(super) struct Imm;
/// A literal double that a float has too; in branches only.
pub(super) struct ImmReal;

impl Second for Imm {
    #[inline(always)]
    unsafe fn get(ins: &Ins, _: *mut u8, _: *mut u8, _: *mut u8) -> u64 {
        u64::from(ins.c) | (u64::from(ins.d) << 32)
    }

    #[inline(always)]
    unsafe fn get_b(ins: &Ins, _: *mut u8, _: *mut u8, _: *mut u8) -> u64 {
        i64::from(ins.b as i32) as u64
    }
}

impl Second for ImmReal {
    #[inline(always)]
    unsafe fn get(ins: &Ins, lp: *mut u8, tp: *mut u8, me: *mut u8) -> u64 {
        // SAFETY: nothing is read but the instruction.
        unsafe { Imm::get(ins, lp, tp, me) }
    }

    #[inline(always)]
    unsafe fn get_b(ins: &Ins, _: *mut u8, _: *mut u8, _: *mut u8) -> u64 {
        f64::from(f32::from_bits(ins.b)).to_bits()
    }
}

/// An operation of two words.
pub(super) trait Operation {
    fn apply(a: u64, b: u64) -> u64;

    /// Whether the machine does it; the rest is reported by the reference interpreter.
    #[inline(always)]
    fn is_fine(_: u64, _: u64) -> bool {
        true
    }
}

/// `a` = `b` op `c`.
pub(super) unsafe fn operate<P: Operation, D: Where, A: Where, B: Second>(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: lowering puts operands inside their bases; every statement is followed by an instruction.
    unsafe {
        let ins = &*pc;
        let a: u64 = *A::of(lp, tp, me).add(ins.b as usize).cast();
        let b = B::get(ins, lp, tp, me);
        if !P::is_fine(a, b) {
            return slow(pc, lp, tp, me, cx, fuel);
        }
        *D::of(lp, tp, me).add(ins.a as usize).cast() = P::apply(a, b);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// The same with packed operands, for operations that are rarer: one for all bases.
pub(super) unsafe fn operate_anywhere<P: Operation>(
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
        let a = *word(ins.b, lp, tp, me);
        let b = *word(ins.c, lp, tp, me);
        if !P::is_fine(a, b) {
            return slow(pc, lp, tp, me, cx, fuel);
        }
        *word(ins.a, lp, tp, me) = P::apply(a, b);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// The same with a literal in `c` and `d`.
pub(super) unsafe fn operate_literal<P: Operation>(
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
        let a = *word(ins.b, lp, tp, me);
        let b = Imm::get(ins, lp, tp, me);
        if !P::is_fine(a, b) {
            return slow(pc, lp, tp, me, cx, fuel);
        }
        *word(ins.a, lp, tp, me) = P::apply(a, b);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// A comparison.
pub(super) trait Comparison {
    fn holds(a: u64, b: u64) -> bool;
}

impl<C: Comparison> Operation for C {
    #[inline(always)]
    fn apply(a: u64, b: u64) -> u64 {
        u64::from(C::holds(a, b))
    }
}

/// Goes on behind it if `a` cmp `b`, else `c` instructions away. `d`: statements of both blocks, 16 bits each,
/// those behind it first.
pub(super) unsafe fn branch<C: Comparison, A: Where, B: Second>(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above; the target is an instruction of the function.
    unsafe {
        let ins = &*pc;
        (*cx).jumps = (*cx).jumps.wrapping_sub(1);
        if (*cx).jumps == 0 {
            return count_jump(pc, lp, tp, me, cx, fuel);
        }
        let a: u64 = *A::of(lp, tp, me).add(ins.a as usize).cast();
        let b = B::get_b(ins, lp, tp, me);
        let costs = ins.d;
        if C::holds(a, b) {
            let fuel = fuel.wrapping_sub(i64::from(costs & 0xFFFF));
            let next = pc.add(1);
            if fuel < 0 {
                return out_of_fuel(next, lp, tp, me, cx, fuel);
            }
            go!(next, lp, tp, me, cx, fuel)
        }
        let fuel = fuel.wrapping_sub(i64::from(costs >> 16));
        let target = pc.offset(ins.c as i32 as isize);
        if fuel < 0 {
            return out_of_fuel(target, lp, tp, me, cx, fuel);
        }
        go!(target, lp, tp, me, cx, fuel)
    }
}

/// As [`branch`] with packed operands, if the word that the second half of the instruction names is true too.
pub(super) unsafe fn branch_both<C: Comparison, K: Literals>(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above; the instruction has a second half.
    unsafe {
        let ins = &*pc;
        (*cx).jumps = (*cx).jumps.wrapping_sub(1);
        if (*cx).jumps == 0 {
            return count_jump(pc, lp, tp, me, cx, fuel);
        }
        let a = *word(ins.a, lp, tp, me);
        let b = K::take(ins.b, lp, tp, me);
        let also = *word((*pc.add(1)).a, lp, tp, me);
        let costs = ins.d;
        if u64::from(C::holds(a, b)) & also & 1 != 0 {
            let fuel = fuel.wrapping_sub(i64::from(costs & 0xFFFF));
            let next = pc.add(2);
            if fuel < 0 {
                return out_of_fuel(next, lp, tp, me, cx, fuel);
            }
            go!(next, lp, tp, me, cx, fuel)
        }
        let fuel = fuel.wrapping_sub(i64::from(costs >> 16));
        let target = pc.offset(ins.c as i32 as isize);
        if fuel < 0 {
            return out_of_fuel(target, lp, tp, me, cx, fuel);
        }
        go!(target, lp, tp, me, cx, fuel)
    }
}

/// A second operand that is packed, or a literal of 32 bits.
pub(super) trait Literals {
    /// SAFETY: a packed operand is inside its base.
    unsafe fn take(b: u32, lp: *mut u8, tp: *mut u8, me: *mut u8) -> u64;
}

/// A packed operand.
pub(super) struct Packed;

impl Literals for Packed {
    #[inline(always)]
    unsafe fn take(b: u32, lp: *mut u8, tp: *mut u8, me: *mut u8) -> u64 {
        // SAFETY: as the trait asks.
        unsafe { *word(b, lp, tp, me) }
    }
}

impl Literals for Imm {
    #[inline(always)]
    unsafe fn take(b: u32, _: *mut u8, _: *mut u8, _: *mut u8) -> u64 {
        i64::from(b as i32) as u64
    }
}

impl Literals for ImmReal {
    #[inline(always)]
    unsafe fn take(b: u32, _: *mut u8, _: *mut u8, _: *mut u8) -> u64 {
        f64::from(f32::from_bits(b)).to_bits()
    }
}

/// `a` = the word `b`.
pub(super) unsafe fn copy<D: Where, A: Where>(
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
        let value: u64 = *A::of(lp, tp, me).add(ins.b as usize).cast();
        *D::of(lp, tp, me).add(ins.a as usize).cast() = value;
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// `a` = the literal in `c` and `d`.
pub(super) unsafe fn literal<D: Where>(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let value = Imm::get(&*pc, lp, tp, me);
        *D::of(lp, tp, me).add((*pc).a as usize).cast() = value;
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

macro_rules! operations {
    ($($name:ident($a:ident, $b:ident) $value:expr $(, if $fine:expr)?;)*) => {$(
        pub(super) struct $name;
        impl Operation for $name {
            #[inline(always)]
            fn apply($a: u64, $b: u64) -> u64 { $value }
            $(#[inline(always)]
            fn is_fine(_: u64, $b: u64) -> bool { $fine })?
        }
    )*};
}

#[inline(always)]
fn real(word: u64) -> f64 {
    f64::from_bits(word)
}

/// A double as a float has it.
#[inline(always)]
fn rounded(value: f64) -> u64 {
    f64::from(value as f32).to_bits()
}

#[inline(always)]
fn int(value: i32) -> u64 {
    i64::from(value) as u64
}

operations! {
    AddInt(a, b) int((a as i32).wrapping_add(b as i32));
    SubtractInt(a, b) int((a as i32).wrapping_sub(b as i32));
    MultiplyInt(a, b) int((a as i32).wrapping_mul(b as i32));
    DivideInt(a, b) int((a as i32).wrapping_div(b as i32)), if b as i32 != 0;
    PercentInt(a, b) int((a as i32).wrapping_rem(b as i32)), if b as i32 != 0;
    AndBits(a, b) a & b;
    OrBits(a, b) a | b;
    XorBits(a, b) a ^ b;
    AddInt64(a, b) a.wrapping_add(b);
    SubtractInt64(a, b) a.wrapping_sub(b);
    MultiplyInt64(a, b) a.wrapping_mul(b);
    DivideInt64(a, b) (a as i64).wrapping_div(b as i64) as u64, if b != 0;
    PercentInt64(a, b) (a as i64).wrapping_rem(b as i64) as u64, if b != 0;
    AddReal(a, b) (real(a) + real(b)).to_bits();
    SubtractReal(a, b) (real(a) - real(b)).to_bits();
    MultiplyReal(a, b) (real(a) * real(b)).to_bits();
    DivideReal(a, b) (real(a) / real(b)).to_bits(), if real(b) != 0.0;
    AddFloat(a, b) rounded(real(a) + real(b));
    SubtractFloat(a, b) rounded(real(a) - real(b));
    MultiplyFloat(a, b) rounded(real(a) * real(b));
    DivideFloat(a, b) rounded(real(a) / real(b)), if real(b) != 0.0;
}

macro_rules! comparisons {
    ($($name:ident($a:ident, $b:ident) $holds:expr;)*) => {$(
        pub(super) struct $name;
        impl Comparison for $name {
            #[inline(always)]
            fn holds($a: u64, $b: u64) -> bool { $holds }
        }
    )*};
}

// Integers of every size lie in their words with their sign.
comparisons! {
    LessInt(a, b) (a as i64) < b as i64;
    LessEqualInt(a, b) a as i64 <= b as i64;
    GreaterInt(a, b) a as i64 > b as i64;
    GreaterEqualInt(a, b) a as i64 >= b as i64;
    EqualInt(a, b) a == b;
    NotEqualInt(a, b) a != b;
    LessReal(a, b) real(a) < real(b);
    LessEqualReal(a, b) real(a) <= real(b);
    GreaterReal(a, b) real(a) > real(b);
    GreaterEqualReal(a, b) real(a) >= real(b);
    EqualReal(a, b) real(a) == real(b);
    NotEqualReal(a, b) real(a) != real(b);
}
