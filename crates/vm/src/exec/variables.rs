//! Variables and what leads to them.

use crate::error::Run;
use crate::exec::{Dest, Frame};
use crate::host::WarningKind;
use crate::ids::{ObjectHandle, TypeId};
use crate::memory::{ArrayCell, Base, Place, TypedPlace};
use crate::program::PropertySlot;
use crate::vm::Vm;

pub(crate) fn local(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let Some(slot) = property(vm, frame, dest, "local variable") else {
        return Ok(());
    };
    let place = frame.locals.at(slot.offset);
    vm.give_variable(frame, dest, place, slot.ty);
    Ok(())
}

pub(crate) fn instance(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let Some(slot) = property(vm, frame, dest, "variable") else {
        return Ok(());
    };
    vm.give_variable(frame, dest, Place::object(object, slot.offset), slot.ty);
    Ok(())
}

/// The variable of the object's default object; of a default object, its own.
pub(crate) fn default(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let Some(slot) = property(vm, frame, dest, "default") else {
        return Ok(());
    };
    let holder = match vm.class_of(object) {
        Some(class) => vm.program.class(class).default,
        None => object,
    };
    vm.give_variable(frame, dest, Place::object(holder, slot.offset), slot.ty);
    Ok(())
}

/// An out parameter: the caller's place, or the frame's own slot where the caller had none.
pub(crate) fn local_out(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let Some(slot) = property(vm, frame, dest, "out parameter") else {
        return Ok(());
    };
    let place = frame
        .out_place(slot.offset)
        .map_or_else(|| frame.locals.at(slot.offset), |target| target.place);
    vm.give_variable(frame, dest, place, slot.ty);
    Ok(())
}

pub(crate) fn this(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    vm.give(frame, dest, TypeId::OBJECT, &[object.0]);
    Ok(())
}

pub(crate) fn struct_member(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let slot = frame.property();
    let mark = vm.memory.mark();
    let whole = vm.refer(frame, object)?;
    match (whole, slot) {
        (Some(whole), Some(slot)) => {
            let place = whole.place.at(slot.offset);
            frame.recent.property = Some(slot.name);
            vm.give_variable(frame, dest, place, slot.ty);
            // A struct that was pushed for its member stays while the member is referred to or lies
            // above it; otherwise its time is over.
            if matches!(dest, Dest::Place(_)) {
                vm.release(mark);
            }
        }
        (None, Some(slot)) => vm.give_zero(frame, dest, slot.ty),
        (_, None) => {
            vm.warn(
                WarningKind::NotFound,
                "accessed a missing member of a struct",
            );
            vm.give_zero(frame, dest, TypeId::NOTHING);
        }
    }
    Ok(())
}

pub(crate) fn array_element(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let array = vm.refer(frame, object)?;
    let name = frame.recent.property;
    let index = vm.eval_word(frame, object)? as i32;
    let Some(TypedPlace { place, ty }) = array else {
        vm.give_zero(frame, dest, TypeId::NOTHING);
        return Ok(());
    };
    let element = vm.memory.types.array_element(ty);
    let element = element.unwrap_or(TypeId::NOTHING);
    let word = vm.memory.word(place);
    let len = vm.memory.arrays.get(word).map_or(0, ArrayCell::len);
    if let Ok(at) = usize::try_from(index)
        && at < len
    {
        let stride = vm.memory.types.words(element);
        let place = Place {
            base: Base::Array(word),
            offset: at as u32 * stride,
        };
        vm.give_variable(frame, dest, place, element);
        return Ok(());
    }
    let name = name.map_or_else(
        || "array".to_owned(),
        |name| vm.names.name(name).to_string(),
    );
    vm.warn(
        WarningKind::OutOfBounds,
        format!("Attempted to access index {index} from array '{name}' of length {len}"),
    );
    // The destination keeps what it had.
    match dest {
        Dest::Place(_) => {}
        Dest::Push | Dest::Refer | Dest::Discard => vm.give_zero(frame, dest, element),
    }
    Ok(())
}

/// The property operand of a variable, which becomes the frame's recent property.
fn property(vm: &mut Vm, frame: &mut Frame, dest: Dest, what: &str) -> Option<PropertySlot> {
    let slot = frame.property();
    if let Some(slot) = slot {
        frame.recent.property = Some(slot.name);
    } else {
        let message = format!("Attempted to access a missing {what}");
        vm.warn(WarningKind::NotFound, message);
        vm.give_zero(frame, dest, TypeId::NOTHING);
    }
    slot
}
