//! Instructions that go elsewhere than to the next one.

use super::super::code::Ins;
use super::{Context, go, keep, resume, word};

/// The reference interpreter runs the instruction's statement.
#[cold]
pub(crate) unsafe fn slow(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the registers are kept.
    unsafe { keep!(pc, lp, tp, me, cx, fuel).run_statement() };
    resume!(cx)
}

/// A jump that the guard wants to know of.
#[cold]
pub(super) unsafe fn count_jump(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    keep!(pc, lp, tp, me, cx, fuel).tell_jump();
    resume!(cx)
}

/// There is not enough fuel for the block that starts at `pc`, which is paid for all the same.
#[cold]
pub(super) unsafe fn out_of_fuel(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    keep!(pc, lp, tp, me, cx, fuel).tell_fuel();
    resume!(cx)
}

/// Behind a statement that called something in its middle.
pub(crate) unsafe fn check(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    let context = unsafe { &mut *cx };
    let next = unsafe { pc.add(1) };
    if fuel < 0 {
        return unsafe { out_of_fuel(next, lp, tp, me, cx, fuel) };
    }
    if context.is_aborting() {
        keep!(next, lp, tp, me, cx, fuel).tell_fuel();
        resume!(cx)
    }
    go!(next, lp, tp, me, cx, fuel)
}

/// `a`: instructions to the target; `d`: statements of its block.
pub(crate) unsafe fn jump(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: lowering made the target an instruction of the same function.
    unsafe {
        (*cx).jumps = (*cx).jumps.wrapping_sub(1);
        if (*cx).jumps == 0 {
            return count_jump(pc, lp, tp, me, cx, fuel);
        }
        let target = pc.offset((*pc).a as i32 as isize);
        let fuel = fuel.wrapping_sub(i64::from((*pc).d));
        if fuel < 0 {
            return out_of_fuel(target, lp, tp, me, cx, fuel);
        }
        go!(target, lp, tp, me, cx, fuel)
    }
}

/// Pays for the block that starts behind it: `d` statements.
pub(crate) unsafe fn pay(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    let (next, fuel) = unsafe { (pc.add(1), fuel.wrapping_sub(i64::from((*pc).d))) };
    if fuel < 0 {
        return unsafe { out_of_fuel(next, lp, tp, me, cx, fuel) };
    }
    go!(next, lp, tp, me, cx, fuel)
}

/// Jumps to the statement whose offset is in the word `a`.
pub(crate) unsafe fn computed_jump(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the operand is inside its base; instructions found are of the same function.
    unsafe {
        (*cx).jumps = (*cx).jumps.wrapping_sub(1);
        if (*cx).jumps == 0 {
            return count_jump(pc, lp, tp, me, cx, fuel);
        }
        let offset = *word((*pc).a, lp, tp, me) as u32;
        let code = &*(*cx).code;
        let mut target = code.last_jump.get();
        if target.offset != offset {
            let found = code.statement_at(offset);
            // Where the flow stack is known not to be empty, the script is entered as nobody meant it.
            let Some(statement) = found.filter(|s| s.flow == 0) else {
                return leave_at_jump(pc, lp, tp, me, cx, fuel);
            };
            target = *statement;
            code.last_jump.set(target);
        }
        let fuel = fuel.wrapping_sub(i64::from(target.to_pay));
        let ins = code.ins.as_ptr().add(target.ins as usize);
        if fuel < 0 {
            // Not where the instruction starts: statements in front of it may have none.
            keep!(ins, lp, tp, me, cx, fuel).leave_paid(&target);
            resume!(cx)
        }
        go!(ins, lp, tp, me, cx, fuel)
    }
}

/// The reference interpreter makes a jump that register code cannot, and finishes the function.
#[cold]
unsafe fn leave_at_jump(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    keep!(pc, lp, tp, me, cx, fuel).leave_statement(1);
    resume!(cx)
}

/// The reference interpreter finishes the function from the instruction's statement on.
#[cold]
pub(crate) unsafe fn leave(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    keep!(pc, lp, tp, me, cx, fuel).leave_statement(0);
    resume!(cx)
}

/// Ends a function that owns nothing.
pub(crate) unsafe fn ret(
    _: *const Ins,
    _: *mut u8,
    _: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the frame below is one that was entered; the instruction before the one to go on with is the
    // call.
    unsafe {
        let context = &mut *cx;
        let Some(caller) = context.frames.pop() else {
            context.fuel = fuel;
            context.is_over = true;
            return;
        };
        let vm = &mut *context.vm;
        vm.calls.pop();
        vm.guard.nesting -= caller.depth;
        context.code = caller.code;
        let fuel = fuel.wrapping_sub(i64::from((*caller.pc.sub(1)).d));
        if fuel < 0 {
            return out_of_fuel(caller.pc, caller.lp, caller.tp, me, cx, fuel);
        }
        go!(caller.pc, caller.lp, caller.tp, me, cx, fuel)
    }
}

/// Ends a function that has owners among its locals.
pub(crate) unsafe fn ret_owned(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let context = keep!(pc, lp, tp, me, cx, fuel);
        let Some(pc) = context.pop() else {
            context.is_over = true;
            return;
        };
        let fuel = fuel.wrapping_sub(i64::from((*pc.sub(1)).d));
        context.count_room();
        let (lp, tp, me) = (context.lp, context.tp, context.me);
        if fuel < 0 {
            return out_of_fuel(pc, lp, tp, me, cx, fuel);
        }
        go!(pc, lp, tp, me, cx, fuel)
    }
}
