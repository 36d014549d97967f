//! Calls of script functions.

use super::super::code::{Ins, OutPlace};
use super::control::{out_of_fuel, slow};
use super::{Context, Saved, at, go, keep, resume};
use crate::memory::{self, Place, StackBlock};
use crate::vm::CallRecord;

/// Calls a script function of the object itself: call `a`; the arguments' first `b` words are written;
/// behind it `d` statements are paid for.
pub(crate) unsafe fn call(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the site is the code's; the callee's frame fits the stack when it is written to, see `grow`.
    unsafe {
        let context = &mut *cx;
        let caller = &*context.code;
        let site = &*caller.calls.as_ptr().add((*pc).a as usize);
        let vm = &mut *context.vm;
        let callee = site.code.get();
        if callee.is_null() || site.class.get() != Some(context.class) {
            return find_callee(pc, lp, tp, me, cx, fuel);
        }
        let code = &*callee;
        if vm.calls.len() >= vm.limits.recursion
            || vm.guard.nesting + site.depth + code.depth > vm.limits.nesting
        {
            return slow(pc, lp, tp, me, cx, fuel);
        }
        let arguments = tp.add(caller.temp_words as usize * 8);
        if code.is_special {
            return call_special(pc, lp, tp, me, cx, fuel);
        }
        let end = arguments.add((code.local_words + code.room_words) as usize * 8);
        if end > context.room_end {
            let context = keep!(pc, lp, tp, me, cx, fuel);
            if !context.grow(code, arguments) {
                return slow(pc, context.lp, context.tp, me, cx, fuel);
            }
            let (lp, tp) = (context.lp, context.tp);
            return call(pc, lp, tp, me, cx, fuel);
        }
        let callee_tp = arguments.add(code.local_words as usize * 8);
        let mut zero = arguments.add((*pc).b as usize * 8);
        while zero < callee_tp {
            *zero.cast::<u64>() = 0;
            zero = zero.add(8);
        }
        for (number, out) in site.outs.iter().enumerate() {
            let target = match out {
                Some(out) => match out.place {
                    OutPlace::Here(operand) => {
                        at(operand.base, lp, tp, me).add(operand.at as usize)
                    }
                    OutPlace::Out(number) => *tp.cast::<*mut u8>().add(number as usize),
                },
                None => arguments.add(code.outs[number].0 as usize * 8),
            };
            *callee_tp.cast::<*mut u8>().add(number) = target;
        }
        if let Some(call) = vm.calls.last_mut() {
            call.statement = site.statement as usize;
        }
        vm.calls.push(CallRecord {
            function: code.function.id,
            object: context.object,
            statement: 0,
        });
        vm.guard.nesting += site.depth;
        context.frames.push(Saved {
            pc: pc.add(1),
            lp,
            tp,
            code: context.code,
            depth: site.depth,
            blocks: 0,
        });
        context.code = callee;
        let entry = code.ins.as_ptr();
        let fuel = fuel.wrapping_sub(i64::from(code.entry_cost));
        if fuel < 0 {
            return out_of_fuel(entry, arguments, callee_tp, me, cx, fuel);
        }
        go!(entry, arguments, callee_tp, me, cx, fuel)
    }
}

/// The same for a callee whose frame is persistent, has owners, or is large.
unsafe fn call_special(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above; a persistent frame is as large as the function's locals.
    unsafe {
        let context = keep!(pc, lp, tp, me, cx, fuel);
        let caller = context.code();
        let site = &caller.calls[(*pc).a as usize];
        let callee = site.code.get();
        let code = &*callee;
        let arguments = tp.add(caller.temp_words as usize * 8);
        let end = arguments.add((code.local_words + code.room_words) as usize * 8);
        if end > context.room_end {
            if !context.grow(code, arguments) {
                return slow(pc, context.lp, context.tp, me, cx, fuel);
            }
            let (lp, tp) = (context.lp, context.tp);
            return call_special(pc, lp, tp, me, cx, fuel);
        }
        let written = (*pc).b as usize;
        let object = context.object;
        let blocks = context.vm().memory.blocks.len() as u32;
        let (callee_lp, callee_tp) = if let Some(offset) = code.function.persistent {
            let place = Place {
                base: memory::Base::Persistent(object),
                offset,
            };
            let Some(frame) = context.pointer(place, code.local_words) else {
                return slow(pc, lp, tp, me, cx, fuel);
            };
            std::ptr::copy_nonoverlapping(arguments.cast::<u64>(), frame.cast(), written);
            (frame, arguments)
        } else {
            let n_zeros = (code.local_words as usize).saturating_sub(written);
            std::ptr::write_bytes(arguments.cast::<u64>().add(written), 0, n_zeros);
            (arguments, arguments.add(code.local_words as usize * 8))
        };
        for (number, out) in site.outs.iter().enumerate() {
            let target = match out {
                Some(out) => match out.place {
                    OutPlace::Here(operand) => {
                        at(operand.base, lp, tp, me).add(operand.at as usize)
                    }
                    OutPlace::Out(number) => *tp.cast::<*mut u8>().add(number as usize),
                },
                None => callee_lp.add(code.outs[number].0 as usize * 8),
            };
            *callee_tp.cast::<*mut u8>().add(number) = target;
        }
        let base = context.index(arguments) as u32;
        let vm = context.vm();
        if !code.function.owned.is_empty() && code.function.persistent.is_none() {
            let block = StackBlock::Frame(base, code.function.id);
            vm.memory.blocks.push(block);
        }
        vm.memory.budget.work(code.work);
        if let Some(call) = vm.calls.last_mut() {
            call.statement = site.statement as usize;
        }
        vm.calls.push(CallRecord {
            function: code.function.id,
            object,
            statement: 0,
        });
        vm.guard.nesting += site.depth;
        context.frames.push(Saved {
            pc: pc.add(1),
            lp,
            tp,
            code: context.code,
            depth: site.depth,
            blocks,
        });
        context.code = callee;
        let entry = code.ins.as_ptr();
        let fuel = fuel.wrapping_sub(i64::from(code.entry_cost));
        if fuel < 0 {
            return out_of_fuel(entry, callee_lp, callee_tp, me, cx, fuel);
        }
        go!(entry, callee_lp, callee_tp, me, cx, fuel)
    }
}

/// Finds what a call by name calls for the object's class, and lowers it; the reference interpreter makes the
/// call if it cannot be run here.
#[cold]
#[inline(never)]
unsafe fn find_callee(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    if keep!(pc, lp, tp, me, cx, fuel).find_callee() {
        resume!(cx)
    }
    unsafe { slow(pc, lp, tp, me, cx, fuel) }
}

impl Context {
    #[inline(never)]
    fn find_callee(&mut self) -> bool {
        let (class, object) = (self.class, self.object);
        // SAFETY: the instruction is a call of the running code.
        let site = unsafe { &self.code().calls[(*self.pc).a as usize] };
        let vm = self.vm();
        let found = match site.by_name {
            Some(name) => vm.find_function(class, name),
            None => Some(site.function),
        };
        let code = found.and_then(|function| vm.fast_callee(function, site.function, object));
        let Some(code) = code else {
            return false;
        };
        site.class.set(Some(class));
        site.code.set(code);
        true
    }
}
