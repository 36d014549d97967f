//! What a run knows, and how it and the reference interpreter take turns.

use smallvec::SmallVec;

use super::super::code::{Base, FastCode, Ins, Operand, OutPlace, Statement};
use super::Context;
use crate::error::Run;
use crate::exec::{Frame, OutParm, OutParms, Recent};
use crate::ids::ObjectHandle;
use crate::memory::{self, Mark, Place, TypedPlace};
use crate::program::Body;
use crate::vm::Vm;

/// Words that frames may take without asking, while the world's memory is not nearly used up.
pub(super) const AHEAD: usize = 1024;

impl Context {
    pub(super) fn vm(&mut self) -> &mut Vm {
        // SAFETY: the context is made of the exclusive reference, which nobody uses while it lives; no
        // reference made here outlives the call that it is made for.
        unsafe { &mut *self.vm }
    }

    pub(super) fn code(&self) -> &'static FastCode {
        // SAFETY: codes live as long as the world, and nothing that is given here is kept beyond the run.
        unsafe { &*self.code }
    }

    /// Where words are, if they are anywhere that does not move.
    pub(super) unsafe fn pointer(&mut self, place: Place, words: u32) -> Option<*mut u8> {
        let vm = self.vm();
        let end = place.offset as usize + words as usize;
        let block: &mut [u64] = match place.base {
            memory::Base::Stack => {
                let base = vm.memory.stack.base();
                return (end <= vm.memory.stack.len())
                    // SAFETY: inside the stack.
                    .then(|| unsafe { base.add(place.offset as usize) }.cast());
            }
            memory::Base::Object(object) => &mut vm.memory.objects.get_mut(object)?.words,
            memory::Base::Persistent(object) => &mut vm.memory.objects.get_mut(object)?.frames,
            memory::Base::Array(_) => return None,
        };
        (end <= block.len())
            // SAFETY: inside the block.
            .then(|| unsafe { block.as_mut_ptr().add(place.offset as usize) }.cast())
    }

    /// Writes where the outputs of the first function go.
    pub(super) unsafe fn bind_outs(&mut self) -> bool {
        let code = self.code();
        for (number, (offset, ty)) in code.outs.iter().enumerate() {
            let bound = self.outs.iter().find(|out| out.offset == *offset).copied();
            let words = self.vm().memory.types.words(*ty);
            let target = match bound {
                Some(out) if out.target.ty == *ty => {
                    // SAFETY: as this function.
                    match unsafe { self.pointer(out.target.place, words) } {
                        Some(pointer) => pointer,
                        None => return false,
                    }
                }
                // Words of another type than the function takes them for.
                Some(_) => return false,
                // SAFETY: a parameter lies inside the locals.
                None => unsafe { self.lp.add(*offset as usize * 8) },
            };
            // SAFETY: the first temporaries are the places of outputs.
            unsafe { *self.tp.cast::<*mut u8>().add(number) = target };
        }
        true
    }

    // ---- guards

    /// Takes over how much is left from the machine's guard.
    pub(super) fn load_guard(&mut self) {
        let vm = self.vm();
        let left = vm.limits.fuel.saturating_sub(vm.guard.statements);
        let fuel = left.min(i64::MAX as u64 / 2) as i64;
        let base = vm.guard.statements.wrapping_add(fuel as u64);
        let done = u64::from(vm.guard.jumps);
        let to_poll = 256 - done % 256;
        let limit = u64::from(vm.limits.jumps);
        let to_limit = if done <= limit {
            limit + 1 - done
        } else {
            u64::MAX
        };
        let jumps = to_poll.min(to_limit);
        self.fuel = fuel;
        self.base = base;
        self.jumps = jumps as u32;
        self.jumps_end = done + jumps;
    }

    /// Tells the machine's guard what was used up; `ahead` statements are paid for and have not run.
    pub(super) fn save_guard(&mut self, ahead: u32) {
        let statements = self
            .base
            .wrapping_sub(self.fuel as u64)
            .wrapping_sub(u64::from(ahead));
        let jumps = self.jumps_end - u64::from(self.jumps);
        let vm = self.vm();
        vm.guard.statements = statements;
        vm.guard.jumps = jumps as u32;
    }

    /// Whether a guard stepped in: functions end at their next statement.
    pub(super) fn is_aborting(&mut self) -> bool {
        let guard = &self.vm().guard;
        guard.aborting || guard.aborts > 0
    }

    /// Tells the machine's guard what the run used up.
    pub(super) fn finish(&mut self) {
        if self.failure.is_some() {
            return;
        }
        self.save_guard(0);
        if self.vm().has_to_check()
            && let Err(error) = self.vm().check_limits()
        {
            self.failure = Some(Box::new(error));
        }
    }

    // ---- places

    pub(super) fn index(&self, pointer: *mut u8) -> usize {
        (pointer as usize - self.stack as usize) / 8
    }

    pub(super) fn locals_of(&self, code: &FastCode, object: ObjectHandle, lp: *mut u8) -> Place {
        match code.function.persistent {
            Some(offset) => Place {
                base: memory::Base::Persistent(object),
                offset,
            },
            None => Place::stack(self.index(lp)),
        }
    }

    pub(super) fn place(
        &self,
        operand: Operand,
        (code, object, lp, tp): (&FastCode, ObjectHandle, *mut u8, *mut u8),
    ) -> Place {
        let words = operand.at / 8;
        match operand.base {
            Base::Locals => self.locals_of(code, object, lp).at(words),
            Base::Temps => Place::stack(self.index(tp)).at(words),
            Base::Object => Place::object(object, words),
        }
    }

    /// Where output `number` of the function goes that is `level` calls above the first.
    pub(super) fn out_parm(&self, level: usize, number: u32) -> Option<OutParm> {
        let Some(above) = level.checked_sub(1) else {
            // SAFETY: codes live as long as the world.
            let code = unsafe { &*self.frames.first().map_or(self.code, |frame| frame.code) };
            let (offset, _) = code.outs.get(number as usize)?;
            return self.outs.iter().find(|out| out.offset == *offset).copied();
        };
        let caller = &self.frames[above];
        // SAFETY: the instruction before the one to return to is the call.
        let (code, call) = unsafe { (&*caller.code, &*caller.pc.sub(1)) };
        let site = &code.calls[call.a as usize];
        let out = site.outs.get(number as usize).copied()?;
        // SAFETY: the function is the one above the caller.
        let callee = unsafe { &*self.frames.get(level).map_or(self.code, |frame| frame.code) };
        let (offset, _) = callee.outs[number as usize];
        match out.place {
            OutPlace::Here(operand) => {
                let of = (code, self.object, caller.lp, caller.tp);
                let place = self.place(operand, of);
                Some(OutParm {
                    offset,
                    target: TypedPlace { place, ty: out.ty },
                    name: out.name,
                })
            }
            OutPlace::Out(number) => Some(OutParm {
                offset,
                name: out.name,
                ..self.out_parm(above, number)?
            }),
        }
    }

    /// The target of an output operand of the running function.
    pub(super) fn out_target(&self, place: OutPlace, ty: crate::ids::TypeId) -> TypedPlace {
        let code = self.code();
        let of = (code, self.object, self.lp, self.tp);
        match place {
            OutPlace::Here(operand) => TypedPlace {
                place: self.place(operand, of),
                ty,
            },
            OutPlace::Out(number) => match self.out_parm(self.frames.len(), number) {
                Some(out) => out.target,
                // The caller had no place: the function's own.
                None => TypedPlace {
                    place: self
                        .locals_of(code, self.object, self.lp)
                        .at(code.outs[number as usize].0),
                    ty,
                },
            },
        }
    }

    // ---- the reference interpreter

    /// The running function as the reference interpreter has it, in front of a statement.
    pub(super) fn reference_frame(&mut self, statement: &Statement) -> Option<Frame> {
        let code = self.code();
        let Body::Script(script) = &code.function.body else {
            return None;
        };
        let level = self.frames.len();
        let outs: OutParms = (0..code.outs.len() as u32)
            .filter_map(|number| self.out_parm(level, number))
            .collect();
        let (object, locals) = (self.object, self.locals_of(code, self.object, self.lp));
        let flow = &code.flows[statement.flow as usize];
        Some(Frame {
            function: code.function.clone(),
            code: script.clone(),
            references: self.vm().program.references[script.package].clone(),
            ip: statement.offset as usize,
            object,
            locals,
            outs,
            flow_stack: SmallVec::from_slice(flow),
            recent: Recent::default(),
        })
    }

    /// Puts the top of the stack above everything the running function has.
    pub(super) fn raise_top(&mut self) -> Mark {
        let top = self.index(self.tp) + self.code().room_words as usize;
        let vm = self.vm();
        vm.memory.stack.set_top(top);
        vm.memory.mark()
    }

    /// Has the reference interpreter run one statement (or those that became one), and goes on behind it.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn run_statement(&mut self) {
        let code = self.code();
        let statement = &code.statements[code.statement_of(self.number(self.pc))];
        self.save_guard(statement.to_pay - statement.count);
        self.raise_top();
        let Some(mut frame) = self.reference_frame(statement) else {
            return self.fail_unreachable();
        };
        let object = self.object;
        let vm = self.vm();
        let mark = vm.memory.mark();
        for _ in 0..statement.count {
            if let Some(call) = vm.calls.last_mut() {
                call.statement = frame.ip;
            }
            let done = vm
                .step(&mut frame, object, crate::exec::Dest::Discard)
                .and_then(|()| vm.check_limits());
            vm_release(vm, mark, done.is_ok());
            if let Err(error) = done {
                self.failure = Some(Box::new(error));
                self.is_over = true;
                return;
            }
        }
        let next = frame.ip as u32;
        // SAFETY: as this function.
        unsafe { self.refresh() };
        self.go_on_at(next);
    }

    /// Sets the registers to the statement at an offset of the running function.
    pub(super) fn go_on_at(&mut self, offset: u32) {
        let code = self.code();
        let Some(next) = code.statement_at(offset) else {
            return self.fail_unreachable();
        };
        self.load_guard();
        let to_pay = i64::from(next.to_pay);
        if self.fuel < to_pay || self.is_aborting() {
            return self.leave_to_reference(next);
        }
        self.fuel -= to_pay;
        self.pc = &raw const code.ins[next.ins as usize];
    }

    /// The reference interpreter goes where no statement starts: a script that was not verified.
    #[cold]
    pub(super) fn fail_unreachable(&mut self) {
        let offset = 0;
        let fault: Run = self.vm().fault(crate::error::FaultKind::BadJump(offset));
        self.failure = fault.err().map(Box::new);
        self.is_over = true;
    }

    /// Has the reference interpreter finish the running function from a statement on, which is not paid for,
    /// and returns from it; the same for its callers as long as there is a reason to.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_to_reference(&mut self, statement: &Statement) {
        let mut statement = *statement;
        loop {
            self.save_guard(0);
            self.raise_top();
            let Some(mut frame) = self.reference_frame(&statement) else {
                return self.fail_unreachable();
            };
            if let Err(error) = self.vm().run_statements(&mut frame) {
                self.failure = Some(Box::new(error));
                self.is_over = true;
                return;
            }
            // SAFETY: the frames are those that were entered.
            unsafe { self.refresh() };
            let Some(caller) = self.pop() else {
                self.load_guard();
                self.is_over = true;
                return;
            };
            self.load_guard();
            // SAFETY: the instruction before the one to return to is the call.
            let to_pay = i64::from(unsafe { (*caller.sub(1)).d });
            let code = self.code();
            if let Some(next) = code.entered_at(self.number(caller))
                && (self.fuel < to_pay || self.is_aborting())
            {
                statement = *next;
                continue;
            }
            // In the middle of a statement it ends first; behind it stands a check.
            self.fuel -= to_pay;
            self.pc = caller;
            return;
        }
    }

    /// Has the machine count the jump of the instruction, which is executed again if it goes on.
    #[inline(never)]
    pub(super) fn tell_jump(&mut self) {
        let code = self.code();
        let statement = &code.statements[code.statement_of(self.number(self.pc))];
        // The jump itself is not counted yet.
        self.jumps += 1;
        self.save_guard(0);
        self.raise_top();
        let vm = self.vm();
        if let Some(call) = vm.calls.last_mut() {
            call.statement = statement.offset as usize;
        }
        let done = vm.count_jump();
        let aborting = vm.guard.aborting;
        if let Err(error) = done {
            self.failure = Some(Box::new(error));
            self.is_over = true;
            return;
        }
        self.load_guard();
        if aborting {
            return self.leave_to_reference(statement);
        }
        // The instruction counts its jump again.
        self.jumps += 1;
    }

    /// The memory of the world is used up, or was for a moment.
    #[inline(never)]
    pub(super) fn tell_memory(&mut self) {
        let code = self.code();
        let statement = code.statements[code.statement_of(self.number(self.pc))];
        self.raise_top();
        let vm = self.vm();
        if let Some(call) = vm.calls.last_mut() {
            call.statement = statement.offset as usize;
        }
        if let Err(error) = vm.check_limits() {
            self.failure = Some(Box::new(error));
            self.is_over = true;
            return;
        }
        // SAFETY: an instruction that may use up memory is not the last.
        self.pc = unsafe { self.pc.add(1) };
    }

    /// The block that starts at the instruction is paid for with more than there is.
    #[inline(never)]
    pub(super) fn tell_fuel(&mut self) {
        let code = self.code();
        // In the middle of a statement it ends first; behind it stands a check.
        if let Some(statement) = code.entered_at(self.number(self.pc)) {
            self.leave_paid(statement);
        }
    }

    /// Leaves the function to the reference interpreter at a statement that is paid for.
    pub(super) fn leave_paid(&mut self, statement: &Statement) {
        self.fuel += i64::from(statement.to_pay);
        self.leave_to_reference(statement);
    }

    /// Leaves the function to the reference interpreter at the statement of the instruction, which is paid for;
    /// `jumps` of it are counted and are going to be again.
    #[inline(never)]
    pub(super) fn leave_statement(&mut self, jumps: u32) {
        let code = self.code();
        let statement = &code.statements[code.statement_of(self.number(self.pc))];
        self.jumps += jumps;
        self.leave_paid(statement);
    }

    pub(super) fn number(&self, pc: *const Ins) -> u32 {
        ((pc as usize - self.code().ins.as_ptr() as usize) / size_of::<Ins>()) as u32
    }

    /// Ends the running function and sets the registers to its caller's; gives the instruction to go on with.
    pub(super) fn pop(&mut self) -> Option<*const Ins> {
        let ended = self.code();
        let lp = self.lp;
        let caller = self.frames.pop()?;
        let vm = self.vm();
        vm.calls.pop();
        vm.guard.nesting -= caller.depth;
        if !ended.function.owned.is_empty() && ended.function.persistent.is_none() {
            let base = self.index(lp);
            let vm = self.vm();
            let mark = Mark {
                words: base,
                blocks: caller.blocks as usize,
            };
            // Functions called meanwhile may have left the top anywhere.
            vm.memory.stack.set_top(base + ended.local_words as usize);
            vm.release(mark);
        }
        self.code = caller.code;
        self.lp = caller.lp;
        self.tp = caller.tp;
        Some(caller.pc)
    }

    /// Brings everything that points into the stack up to date after something that may have moved it.
    pub(super) unsafe fn refresh(&mut self) {
        let (old, old_words) = (self.stack, self.stack_words);
        let vm = self.vm();
        let new = vm.memory.stack.base();
        let capacity = vm.memory.stack.capacity();
        self.stack = new;
        self.stack_words = capacity;
        if new != old {
            let moved = |pointer: &mut *mut u8| {
                let offset = (*pointer as usize).wrapping_sub(old as usize);
                if offset < old_words * 8 {
                    *pointer = new.cast::<u8>().wrapping_add(offset);
                }
            };
            let n_outs = self.code().outs.len();
            moved(&mut self.lp);
            moved(&mut self.tp);
            for number in 0..n_outs {
                // SAFETY: the first temporaries are the places of outputs.
                moved(unsafe { &mut *self.tp.cast::<*mut u8>().add(number) });
            }
            for frame in &mut self.frames {
                moved(&mut frame.lp);
                moved(&mut frame.tp);
                // SAFETY: the same of the frames below.
                let n_outs = unsafe { (*frame.code).outs.len() };
                for number in 0..n_outs {
                    moved(unsafe { &mut *frame.tp.cast::<*mut u8>().add(number) });
                }
            }
        }
        self.count_room();
    }

    /// Frames may reach a little further than the running function's without asking; the memory in use may be
    /// another now.
    pub(super) fn count_room(&mut self) {
        let top = self.index(self.tp) + self.code().room_words as usize;
        let far = (top + AHEAD).min(self.stack_words);
        let end = if self.vm().memory.budget.would_fit(far as u64 * 8) {
            far
        } else {
            top
        };
        // SAFETY: inside the stack, which had room for the running function when it was entered.
        self.room_end = unsafe { self.stack.add(end) }.cast();
    }

    /// Asks for room for the frame of `code` at `lp`. False if there is not enough memory for it.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn grow(&mut self, code: &FastCode, lp: *mut u8) -> bool {
        let start = self.index(lp);
        let words = start + code.local_words as usize;
        let room = words + code.temp_words.max(code.room_words) as usize;
        let vm = self.vm();
        if !vm.memory.budget.ask_room(words as u64 * 8) {
            // The reference interpreter makes the call, and tells.
            vm.memory.budget.excuse();
            return false;
        }
        vm.memory.stack.set_top(start);
        vm.memory.stack.reserve(room - start);
        // SAFETY: as this function.
        unsafe { self.refresh() };
        // SAFETY: inside the stack, which has room for it.
        self.room_end = unsafe { self.stack.add(room) }.cast();
        true
    }
}

/// Gives up what a statement left on the stack; after a failure whoever takes the stack down does.
fn vm_release(vm: &mut Vm, mark: Mark, done: bool) {
    if done && (vm.memory.stack.len() > mark.words || vm.memory.blocks.len() > mark.blocks) {
        vm.release(mark);
    }
}
