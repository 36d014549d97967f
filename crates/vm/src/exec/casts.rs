//! Casts of objects, classes, interfaces and numbers.

use bp_bytecode::dialect::CastKind;

use crate::error::{FaultKind, Run};
use crate::exec::{Dest, Frame};
use crate::ids::{ObjectHandle, TypeId};
use crate::program::Reference;
use crate::vm::Vm;

/// The object if it is of the class or implements the interface, else null. Serves every cast
/// between objects and interfaces, as an interface value is its object.
pub(crate) fn dynamic_cast(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let class = frame.object_reference();
    let value = vm.eval_object(frame, object)?;
    let fits = match class {
        Some(Reference::Class(class)) => vm.is_a(value, class),
        // A class that is not loaded has no objects.
        _ => false,
    };
    let word = if fits { value.0 } else { 0 };
    vm.give(frame, dest, TypeId::OBJECT, &[word]);
    Ok(())
}

/// The class value if it is the class or a child of it, else null.
pub(crate) fn meta_cast(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let class = frame.object_reference();
    let value = vm.eval_object(frame, object)?;
    let fits = match (class, vm.class_value(value)) {
        (Some(Reference::Class(class)), Some(value)) => vm.program.is_child_of(value, class),
        _ => false,
    };
    let word = if fits { value.0 } else { 0 };
    vm.give(frame, dest, TypeId::CLASS, &[word]);
    Ok(())
}

pub(crate) fn primitive(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let byte = frame.u8();
    // 5.0 packages exist in both numberings; the one the dialect has comes first.
    let kind = frame.code.dialect.cast_kind(byte).or(match byte {
        0x46 => Some(CastKind::ObjectToInterface),
        0x47 => Some(CastKind::ObjectToBool),
        0x49 => Some(CastKind::InterfaceToBool),
        _ => None,
    });
    let Some(kind) = kind else {
        return vm.fault(FaultKind::BadReference(u64::from(byte), "a cast"));
    };
    let word = vm.eval_word(frame, object)?;
    let (ty, word) = match kind {
        CastKind::ObjectToInterface => (TypeId::OBJECT, word),
        // Only a test for null: a destroyed object is something until it is collected.
        CastKind::ObjectToBool | CastKind::InterfaceToBool => {
            let exists = vm.memory.objects.get(ObjectHandle(word)).is_some();
            (TypeId::BOOL, u64::from(exists))
        }
        CastKind::DoubleToFloat => {
            let narrowed = f64::from(f64::from_bits(word) as f32);
            (TypeId::FLOAT, narrowed.to_bits())
        }
        CastKind::FloatToDouble => (TypeId::DOUBLE, word),
    };
    vm.give(frame, dest, ty, &[word]);
    Ok(())
}
