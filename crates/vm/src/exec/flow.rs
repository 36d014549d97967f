//! Jumps, the flow stack, and statements that do nothing.

use crate::error::{FaultKind, Run, RunError, Stop};
use crate::exec::{Dest, Frame};
use crate::host::WarningKind;
use crate::ids::ObjectHandle;
use crate::vm::Vm;

pub(crate) fn jump(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    vm.count_jump()?;
    frame.ip = frame.u32() as usize;
    Ok(())
}

pub(crate) fn jump_if_not(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    vm.count_jump()?;
    let target = frame.u32();
    if !vm.eval_bool(frame)? {
        frame.ip = target as usize;
    }
    Ok(())
}

pub(crate) fn computed_jump(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    vm.count_jump()?;
    let object = frame.object;
    let target = vm.eval_word(frame, object)? as u32;
    if !frame.code.is_start(target) {
        return vm.fault(FaultKind::BadJump(target));
    }
    frame.ip = target as usize;
    Ok(())
}

pub(crate) fn push_execution_flow(_: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    let target = frame.u32();
    frame.flow_stack.push(target);
    Ok(())
}

pub(crate) fn pop_execution_flow(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    vm.count_jump()?;
    pop(vm, frame);
    Ok(())
}

pub(crate) fn pop_execution_flow_if_not(
    vm: &mut Vm,
    frame: &mut Frame,
    _: ObjectHandle,
    _: Dest,
) -> Run {
    vm.count_jump()?;
    if !vm.eval_bool(frame)? {
        pop(vm, frame);
    }
    Ok(())
}

/// With nothing to pop, the engine reports and goes on with the next statement.
fn pop(vm: &mut Vm, frame: &mut Frame) {
    match frame.flow_stack.pop() {
        Some(target) => frame.ip = target as usize,
        None => vm.report_error(
            WarningKind::EmptyFlowStack,
            "Tried to pop from an empty flow stack",
        ),
    }
}

/// The first case whose value equals the index, else the default. Only the chosen result is
/// evaluated.
pub(crate) fn switch_value(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let n_cases = frame.u16();
    let end = frame.u32() as usize;
    let mark = vm.memory.mark();
    let index = vm.eval(frame, object)?;
    for _ in 0..n_cases {
        let case_mark = vm.memory.mark();
        let case = vm.eval(frame, object)?;
        let next = frame.u32() as usize;
        let words = vm.memory.types.words(index.ty);
        let matches = words == vm.memory.types.words(case.ty) && {
            let a = vm.memory.read(index.place, words);
            let b = vm.memory.read(case.place, words);
            vm.memory.equal(index.ty, a, b)
        };
        vm.release(case_mark);
        if matches {
            vm.release(mark);
            vm.step(frame, object, dest)?;
            frame.ip = end;
            return Ok(());
        }
        frame.ip = next;
    }
    vm.release(mark);
    vm.warn(
        WarningKind::NoMatch,
        "Switch statement failed to match case, the default is used",
    );
    vm.step(frame, object, dest)?;
    frame.ip = end;
    Ok(())
}

pub(crate) fn assert(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    let line = frame.u16();
    let _is_debug_only = frame.u8();
    if !vm.eval_bool(frame)? {
        vm.report_error(
            WarningKind::Assertion,
            format!("Assertion failed at line {line}"),
        );
    }
    Ok(())
}

pub(crate) fn end_of_script(vm: &mut Vm, _: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    vm.fault(FaultKind::RanPastEnd)
}

pub(crate) fn nothing(_: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    frame.recent.place = None;
    Ok(())
}

pub(crate) fn nothing_int(_: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    let _ = frame.i32();
    Ok(())
}

pub(crate) fn instrumentation(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    const INLINE_EVENT: u8 = 4;
    if frame.u8() == INLINE_EVENT {
        frame.name(&mut vm.names);
    }
    Ok(())
}

impl Vm {
    /// Counts a jump against the runaway guard; asks the host now and then whether to go on.
    pub(crate) fn count_jump(&mut self) -> Run {
        self.guard.jumps += 1;
        if self.guard.jumps.is_multiple_of(256) && self.host.should_stop() {
            return Err(RunError::Stop(Stop::Host));
        }
        if self.guard.jumps > self.limits.jumps && !self.guard.aborting {
            self.exit.runaway = true;
            self.guard.aborting = true;
            let limit = self.limits.jumps;
            self.report_error(
                WarningKind::Runaway,
                format!("Runaway loop detected (over {limit} iterations)"),
            );
        }
        Ok(())
    }
}
