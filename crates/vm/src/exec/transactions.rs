//! Transactions (`EX_AutoRtfm…`): statements whose effects are undone if they abort.
//!
//! Undone is everything in the world: variables, locals, containers, objects made and destroyed, delegates,
//! latent actions, timers, timelines, saved games, random numbers. What the host would be told by the script
//! (lines printed, its own reports, calls to run elsewhere) is held back until the outermost transaction has
//! committed and is forgotten with one that aborts; what the machine itself reports is told at once, for it
//! has happened. Names, classes and assets that a transaction was first to need stay known. A native function
//! that cannot be undone ends the run with a named fault, see [`Native::irrevocable`](crate::Native::irrevocable).
//!
//! A transaction that does not come to its end is undone as well: a fault or limit inside of it, a host that
//! stops the run, a guard that cuts the script short. Leaving the function commits.
//!
//! The compiler does not emit these opcodes. Source: their names and operands in the table; all of the above
//! is assumed.

use bp_bytecode::Opcode;

use crate::error::{FaultKind, Run};
use crate::exec::{Dest, Frame, Recent};
use crate::ids::ObjectHandle;
use crate::vm::Vm;

pub(crate) fn transact(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let _number = frame.i32();
    let on_abort = frame.u32() as usize;
    let flow_stack = frame.flow_stack.clone();
    let savepoint = vm.begin_transaction();
    let mode = match statements(vm, frame, object) {
        Ok(mode) => mode,
        Err(error) => {
            vm.roll_back(savepoint);
            return Err(error);
        }
    };
    if mode == COMMIT {
        vm.commit(&savepoint);
        return vm.check_limits();
    }
    vm.roll_back(savepoint);
    frame.flow_stack = flow_stack;
    frame.recent = Recent::default();
    frame.ip = on_abort;
    vm.count_jump()?;
    if mode == ABORT_PARENT && vm.guard.transactions > 0 {
        vm.guard.aborts += 1;
    }
    Ok(())
}

/// Runs the statements of a transaction; gives how it ends.
fn statements(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle) -> Run<u8> {
    let mark = vm.memory.mark();
    loop {
        match frame.peek() {
            Some(byte) if byte == Opcode::AutoRtfmStopTransact.byte() => {
                frame.ip += 1;
                let _number = frame.i32();
                return Ok(frame.u8());
            }
            // Leaving the function commits.
            Some(byte) if byte == Opcode::Return.byte() => return Ok(COMMIT),
            Some(_) => {
                vm.begin_statement(frame)?;
                vm.step(frame, object, Dest::Discard)?;
                vm.check_limits()?;
                if vm.memory.stack.len() > mark.words {
                    vm.release(mark);
                }
            }
            None => return vm.fault(FaultKind::RanPastEnd),
        }
        if vm.guard.aborts > 0 {
            vm.guard.aborts -= 1;
            return Ok(ABORT);
        }
        if vm.guard.aborting {
            return Ok(ABORT);
        }
    }
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
