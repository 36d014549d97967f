//! Assignments. The destination is found first, then the value is evaluated straight into it.

use crate::error::Run;
use crate::exec::{Dest, Frame};
use crate::host::WarningKind;
use crate::ids::ObjectHandle;
use crate::memory::{Base, Place};
use crate::vm::Vm;

pub(crate) fn assign(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    // The property tells how to copy; our values carry that in their types.
    let _ = frame.u64();
    into_place(vm, frame, object, Some("Attempted to assign to None"))
}

/// Assignment of a bool or delegate, which does not complain of a missing destination.
pub(crate) fn assign_silent(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    into_place(vm, frame, object, None)
}

pub(crate) fn assign_object(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let message = "Accessed None attempting to assign variable on an object";
    into_place(vm, frame, object, Some(message))
}

pub(crate) fn assign_persistent(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    _: Dest,
) -> Run {
    let dest = match frame.property() {
        Some(slot) => Dest::Place(Place {
            base: Base::Persistent(object),
            offset: slot.frame_offset + slot.offset,
        }),
        None => Dest::Discard,
    };
    vm.step(frame, object, dest)
}

fn into_place(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    complaint: Option<&str>,
) -> Run {
    let dest = if let Some(target) = vm.refer(frame, object)? {
        Dest::Place(target.place)
    } else {
        if let Some(message) = complaint {
            vm.warn(WarningKind::AssignToNone, message);
        }
        Dest::Discard
    };
    vm.step(frame, object, dest)
}
