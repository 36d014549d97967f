//! Calls of script functions.

use super::super::code::Ins;
use super::control::{out_of_fuel, slow};
use super::{Context, Saved, go, keep, resume, word};
use crate::memory::{self, Place, StackBlock};
use crate::vm::CallRecord;

/// Calls a script function of the object itself: call `a`; the arguments' first `b` words are written;
/// behind it `d` statements are paid for.
///
/// Nothing in it is called, so that it needs no registers but those it is given.
pub(crate) unsafe fn call(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the site is the code's; the callee's frame lies below `room_end`; what is pushed has room.
    unsafe {
        let context = &mut *cx;
        let caller = &*context.code;
        let site = &*caller.calls.as_ptr().add((*pc).a as usize);
        let vm = &mut *context.vm;
        if site.class.get() != Some(context.class) {
            return find_callee(pc, lp, tp, me, cx, fuel);
        }
        let callee = site.code.get();
        let code = &*callee;
        let n_calls = vm.calls.len();
        if n_calls >= vm.limits.recursion
            || vm
                .guard
                .nesting
                .wrapping_add(site.depth)
                .wrapping_add(code.depth)
                > vm.limits.nesting
        {
            return slow(pc, lp, tp, me, cx, fuel);
        }
        if code.is_special {
            return call_special(pc, lp, tp, me, cx, fuel);
        }
        let arguments = tp.add(caller.temp_words as usize * 8);
        let callee_tp = arguments.add(code.local_words as usize * 8);
        let n_frames = context.frames.len();
        if callee_tp.add(code.room_words as usize * 8) > context.room_end
            || n_frames == context.frames.capacity()
            || n_calls == vm.calls.capacity()
        {
            return make_room(pc, lp, tp, me, cx, fuel);
        }
        let mut zero = arguments.add((*pc).b as usize * 8);
        while zero < callee_tp {
            // As volatile words: as a call, which this would become, it takes longer for the few there are.
            zero.cast::<u64>().write_volatile(0);
            zero = zero.add(8);
        }
        let mut target = callee_tp.cast::<*mut u8>();
        for packed in &site.packed_outs {
            *target = out_pointer(*packed, lp, tp, me);
            target = target.add(1);
        }
        (*vm.calls.as_mut_ptr().add(n_calls - 1)).statement = site.statement as usize;
        vm.calls.as_mut_ptr().add(n_calls).write(CallRecord {
            function: code.function.id,
            object: context.object,
            statement: 0,
        });
        vm.calls.set_len(n_calls + 1);
        vm.guard.nesting = vm.guard.nesting.wrapping_add(site.depth);
        context.frames.as_mut_ptr().add(n_frames).write(Saved {
            pc: pc.add(1),
            lp,
            tp,
            code: context.code,
            depth: site.depth,
            blocks: 0,
        });
        context.frames.set_len(n_frames + 1);
        context.code = callee;
        let entry = code.ins.as_ptr();
        let fuel = fuel.wrapping_sub(i64::from(code.entry_cost));
        if fuel < 0 {
            return out_of_fuel(entry, arguments, callee_tp, me, cx, fuel);
        }
        go!(entry, arguments, callee_tp, me, cx, fuel)
    }
}

/// Where an output goes.
#[inline(always)]
unsafe fn out_pointer(packed: u32, lp: *mut u8, tp: *mut u8, me: *mut u8) -> *mut u8 {
    let at = (packed & (u32::MAX >> 2)) as usize;
    // SAFETY: operands are inside their bases, and numbers among the caller's outputs.
    unsafe {
        // One test, and no table of jumps: which base it is differs from call to call.
        if packed >> 30 == 3 {
            return *tp.cast::<*mut u8>().add(at);
        }
        word(packed, lp, tp, me).cast()
    }
}

/// Makes room for a call, which is executed again then; if there is not enough memory, the reference
/// interpreter makes it, and tells.
#[cold]
unsafe fn make_room(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the site has its code.
    let has_room = unsafe { keep!(pc, lp, tp, me, cx, fuel).make_room() };
    if has_room {
        resume!(cx)
    }
    let context = unsafe { &mut *cx };
    let (lp, tp) = (context.lp, context.tp);
    unsafe { slow(pc, lp, tp, me, cx, fuel) }
}

impl Context {
    #[inline(never)]
    unsafe fn make_room(&mut self) -> bool {
        self.frames.reserve(16);
        self.vm().calls.reserve(16);
        let caller = self.code();
        // SAFETY: as the handler.
        unsafe {
            let site = &caller.calls[(*self.pc).a as usize];
            let arguments = self.tp.add(caller.temp_words as usize * 8);
            self.grow(&*site.code.get(), arguments)
        }
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
        for (number, packed) in site.packed_outs.iter().enumerate() {
            *callee_tp.cast::<*mut u8>().add(number) = out_pointer(*packed, lp, tp, me);
        }
        let base = context.index(arguments) as u32;
        let vm = context.vm();
        if !code.function.owned.is_empty() && code.function.persistent.is_none() {
            let block = StackBlock::Frame(base, code.function.id);
            vm.memory.blocks.push(block);
        }
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
        let fuel = fuel.wrapping_sub(i64::from(code.entry_cost) + code.large);
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
