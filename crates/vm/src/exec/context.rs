//! Reaching into other objects.

use crate::error::Run;
use crate::exec::{Dest, Frame};
use crate::host::WarningKind;
use crate::ids::{ObjectHandle, TypeId};
use crate::vm::Vm;

pub(crate) fn context(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    frame.recent.property = None;
    let target = vm.eval_object(frame, object)?;
    enter(vm, frame, target, dest, true)
}

pub(crate) fn context_silent(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let target = vm.eval_object(frame, object)?;
    enter(vm, frame, target, dest, false)
}

/// Evaluates on the default object of a class.
pub(crate) fn class_context(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    frame.recent.property = None;
    let class = vm.eval_object(frame, object)?;
    let target = match vm.class_value(class) {
        Some(class) => vm.program.class(class).default,
        None => ObjectHandle::NONE,
    };
    enter(vm, frame, target, dest, true)
}

/// The object behind an interface: an interface value is its object.
pub(crate) fn interface_context(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let target = vm.eval_object(frame, object)?;
    vm.give(frame, dest, TypeId::OBJECT, &[target.0]);
    Ok(())
}

fn enter(vm: &mut Vm, frame: &mut Frame, target: ObjectHandle, dest: Dest, reports: bool) -> Run {
    let skip = frame.u32();
    let rvalue = frame.property();
    if vm.memory.objects.is_alive(target) {
        return vm.step(frame, target, dest);
    }
    if reports {
        report(vm, frame, target);
    }
    frame.ip = frame.ip.saturating_add(skip as usize);
    let ty = rvalue.map_or(TypeId::NOTHING, |slot| slot.ty);
    vm.give_zero(frame, dest, ty);
    Ok(())
}

fn report(vm: &mut Vm, frame: &Frame, target: ObjectHandle) {
    let property = frame
        .recent
        .property
        .map(|name| vm.names.name(name).to_string());
    let class = frame.function.class.map_or_else(String::new, |class| {
        format!(" in {}", vm.program.class(class).path.name())
    });
    if vm.memory.objects.get(target).is_some() {
        let name = vm.object_name(target);
        let via = property.map_or_else(String::new, |name| format!(" via property {name}"));
        vm.warn(
            WarningKind::AccessedDestroyed,
            format!(
                "Attempted to access {name}{via}, but it is not valid (pending kill or garbage)"
            ),
        );
        return;
    }
    let message = match property {
        Some(name) => format!("Accessed None trying to read property {name}{class}"),
        None => format!("Accessed None{class}"),
    };
    vm.warn(WarningKind::AccessedNone, message);
}
