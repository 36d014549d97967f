//! Transactions (`EX_AutoRtfm…`): statements whose effects on memory are undone if they abort.
//!
//! The compiler does not emit them. Source: the opcode names and operands of the table; that memory,
//! latent actions and timers are restored, and that the host is not asked to take back what it was
//! told, is assumed.

use bp_bytecode::Opcode;

use crate::error::{FaultKind, Run};
use crate::exec::{Dest, Frame};
use crate::ids::ObjectHandle;
use crate::vm::Vm;

pub(crate) fn transact(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let _number = frame.i32();
    let on_abort = frame.u32() as usize;
    let Some(memory) = vm.memory.snapshot() else {
        return vm.check_limits();
    };
    let state = vm.state.clone();
    let flow_stack = frame.flow_stack.clone();
    vm.guard.transactions += 1;
    let mode = loop {
        match frame.peek() {
            Some(byte) if byte == Opcode::AutoRtfmStopTransact.byte() => {
                frame.ip += 1;
                let _number = frame.i32();
                break frame.u8();
            }
            // Leaving the function commits.
            Some(byte) if byte == Opcode::Return.byte() => break COMMIT,
            Some(_) => {
                vm.begin_statement(frame)?;
                vm.step(frame, object, Dest::Discard)?;
                vm.check_limits()?;
            }
            None => return vm.fault(FaultKind::RanPastEnd),
        }
        if vm.guard.aborts > 0 {
            vm.guard.aborts -= 1;
            break ABORT;
        }
        if vm.guard.aborting {
            break COMMIT;
        }
    };
    vm.guard.transactions -= 1;
    if mode == COMMIT {
        vm.memory.forget(memory);
    } else {
        vm.memory.restore(memory);
        vm.state = state;
        frame.flow_stack = flow_stack;
        frame.ip = on_abort;
        vm.count_jump()?;
        if mode == ABORT_PARENT && vm.guard.transactions > 0 {
            vm.guard.aborts += 1;
        }
    }
    Ok(())
}

const COMMIT: u8 = 0;
const ABORT: u8 = 1;
const ABORT_PARENT: u8 = 2;

pub(crate) fn abort_if_not(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    if vm.eval_bool(frame)? {
        return Ok(());
    }
    raise(vm)
}

pub(crate) fn abort(vm: &mut Vm, _: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    raise(vm)
}

fn raise(vm: &mut Vm) -> Run {
    if vm.guard.transactions == 0 {
        return vm.fault(FaultKind::NoTransaction);
    }
    vm.guard.aborts += 1;
    Ok(())
}
