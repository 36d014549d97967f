//! Calls of native functions, and copies of what owns something.

use super::super::code::{Ins, NativeObject, OwnedSource};
use super::{Context, go, keep, resume};
use crate::exec::{OutParm, OutParms};
use crate::ids::ObjectHandle;
use crate::memory::{Place, StackBlock, Words};
use crate::natives::NativeCall;

/// Calls a native function: call `a`; behind it `d` statements are paid for. `b` is 1 if the statement ends
/// with it.
pub(crate) unsafe fn native(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the site is the code's; the registers are kept.
    unsafe {
        let context = keep!(pc, lp, tp, me, cx, fuel);
        context.run_native((*pc).a, (*pc).b != 0, (*pc).d);
    }
    resume!(cx)
}

/// Copies a value that owns something: copy `a`; `b` and `d` as for a native function.
pub(crate) unsafe fn copy_owned(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the copy is the code's; the registers are kept.
    unsafe {
        let context = keep!(pc, lp, tp, me, cx, fuel);
        context.run_copy((*pc).a, (*pc).b != 0, (*pc).d);
    }
    resume!(cx)
}

/// Remembers that statement `a` ran.
pub(crate) unsafe fn mark(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: the running code is its function's.
    unsafe {
        let function = (&*(*cx).code).function.id;
        (*(*cx).vm).hooks.note(function, (*pc).a);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

impl Context {
    #[inline(never)]
    unsafe fn run_copy(&mut self, copy: u32, ends: bool, to_pay: u32) {
        let code = self.code();
        let copy = code.copies[copy as usize];
        self.save_guard(0);
        self.raise_top();
        let from = self.out_target(copy.from, copy.ty).place;
        let to = self.out_target(copy.to, copy.ty).place;
        let vm = self.vm();
        if let Some(call) = vm.calls.last_mut() {
            call.statement = copy.statement as usize;
        }
        vm.memory.copy(to, from, copy.ty);
        // SAFETY: the registers are kept.
        unsafe { self.go_on_behind(ends, to_pay) };
    }

    /// Goes on behind an instruction that has done something outside of the frame.
    unsafe fn go_on_behind(&mut self, ends: bool, to_pay: u32) {
        if self.vm().has_to_check()
            && let Err(error) = self.vm().check_limits()
        {
            self.failure = Some(Box::new(error));
            self.is_over = true;
            return;
        }
        // SAFETY: the registers are kept.
        unsafe { self.refresh() };
        self.load_guard();
        let code = self.code();
        // SAFETY: such an instruction is never the last.
        let next = unsafe { self.pc.add(1) };
        if ends
            && (self.fuel < i64::from(to_pay) || self.is_aborting())
            && let Some(statement) = code.entered_at(self.number(next))
        {
            return self.leave_to_reference(statement);
        }
        self.fuel -= i64::from(to_pay);
        self.pc = next;
    }

    #[inline(never)]
    unsafe fn run_native(&mut self, site: u32, ends: bool, to_pay: u32) {
        let code = self.code();
        let site = &code.natives[site as usize];
        self.save_guard(0);
        let mark = self.raise_top();
        let base = self.index(self.tp) + site.arguments.at as usize / 8;
        let arguments = Place::stack(base);
        let info = &site.function;
        let mut outs = OutParms::new();
        for (offset, out) in &site.outs {
            outs.push(OutParm {
                offset: *offset,
                target: self.out_target(out.place, out.ty),
                name: out.name,
            });
        }
        for argument in &site.owned {
            let place = match &argument.source {
                OwnedSource::Place(place) => Some(self.out_target(*place, argument.ty).place),
                OwnedSource::Literal(_) => None,
            };
            let memory = &mut self.vm().memory;
            let words = match (&argument.source, place) {
                (OwnedSource::Literal(text), _) => {
                    let word = memory.new_string(text.clone());
                    Words::from_slice(&[word])
                }
                (OwnedSource::Place(_), Some(place)) => memory.copied(place, argument.ty),
                (OwnedSource::Place(_), None) => Words::new(),
            };
            // The words there are zeros.
            memory.store(arguments.at(argument.offset), argument.ty, &words);
        }
        let object = match site.object {
            NativeObject::Own => self.object,
            NativeObject::Fixed(word) => ObjectHandle(word),
            NativeObject::At(operand) => {
                let of = (code, self.object, self.lp, self.tp);
                let place = self.place(operand, of);
                ObjectHandle(self.vm().memory.word(place))
            }
        };
        let result = site
            .result
            .map(|result| self.out_target(result.place, result.ty));
        let vm = self.vm();
        vm.guard.nesting += site.depth;
        if let Some(call) = vm.calls.last_mut() {
            call.statement = site.statement as usize;
        }
        let done = site
            .native
            .run(&mut NativeCall::new(vm, info, object, arguments, &outs))
            .and_then(|()| {
                if vm.has_to_check() {
                    vm.check_limits()
                } else {
                    Ok(())
                }
            });
        if let Err(error) = done {
            // Whoever takes the stack down gives up the arguments too.
            if !info.owned.is_empty() {
                let block = StackBlock::Frame(base as u32, info.id);
                vm.memory.blocks.push(block);
            }
            self.failure = Some(Box::new(error));
            self.is_over = true;
            return;
        }
        vm.guard.nesting -= site.depth;
        if vm.memory.blocks.len() > mark.blocks {
            vm.release(mark);
        }
        if let (Some(target), Some(param)) = (result, info.return_value()) {
            let words = vm.memory.take(arguments.at(param.offset), param.ty);
            vm.memory.store(target.place, target.ty, &words);
        }
        for (offset, owned) in &info.owned {
            let word = vm.memory.stack[base + *offset as usize];
            vm.memory.disown_word(*owned, word);
        }
        vm.memory.stack.truncate(mark.words);
        // SAFETY: the registers are kept.
        unsafe { self.go_on_behind(ends, to_pay) };
    }
}
