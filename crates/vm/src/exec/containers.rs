//! Filling containers, and container literals.

use bp_bytecode::Opcode;

use crate::error::{FaultKind, Run};
use crate::exec::{Dest, Frame};
use crate::ids::{ObjectHandle, TypeId};
use crate::memory::{ArrayCell, TableCell, TypedPlace};
use crate::vm::Vm;

pub(crate) fn set_array(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let target = vm.refer(frame, object)?;
    let element = target.and_then(|target| vm.memory.types.array_element(target.ty));
    let array = build_array(vm, frame, object, element, Opcode::EndArray)?;
    finish(vm, target, array);
    Ok(())
}

pub(crate) fn array_const(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let element = frame.property().map(|slot| slot.ty);
    let _count = frame.i32();
    let array = build_array(vm, frame, object, element, Opcode::EndArrayConst)?;
    let ty = vm.memory.types.array_of(array.element);
    let word = if array.data.is_empty() {
        0
    } else {
        vm.memory.arrays.insert(array)
    };
    vm.give(frame, dest, ty, &[word]);
    Ok(())
}

pub(crate) fn set_set(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let target = vm.refer(frame, object)?;
    let _count = frame.i32();
    fill_table(vm, frame, object, target, Opcode::EndSet)
}

pub(crate) fn set_map(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let target = vm.refer(frame, object)?;
    let _n_pairs = frame.i32();
    fill_table(vm, frame, object, target, Opcode::EndMap)
}

pub(crate) fn set_const(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let element = frame.property().map_or(TypeId::NOTHING, |slot| slot.ty);
    let _count = frame.i32();
    let ty = vm.memory.types.table_of(element, None);
    table_const(vm, frame, object, dest, ty, Opcode::EndSetConst)
}

pub(crate) fn map_const(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let key = frame.property().map_or(TypeId::NOTHING, |slot| slot.ty);
    let value = frame.property().map_or(TypeId::NOTHING, |slot| slot.ty);
    let _n_pairs = frame.i32();
    let ty = vm.memory.types.table_of(key, Some(value));
    table_const(vm, frame, object, dest, ty, Opcode::EndMapConst)
}

/// Evaluates elements up to the terminator. Without a known element type, the first element's.
fn build_array(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    element: Option<TypeId>,
    end: Opcode,
) -> Run<ArrayCell> {
    let mark = vm.memory.mark();
    let mut places: Vec<TypedPlace> = Vec::new();
    // Elements stay on the stack until all are there, so that a fault loses none.
    while !at_end(vm, frame, end)? {
        let place = match element {
            Some(ty) => {
                let place = vm.memory.push_default(ty);
                vm.step(frame, object, Dest::Place(place))?;
                TypedPlace { place, ty }
            }
            None => vm.eval(frame, object)?,
        };
        places.push(place);
        vm.check_limits()?;
    }
    let element = element
        .or_else(|| places.first().map(|place| place.ty))
        .unwrap_or(TypeId::NOTHING);
    let stride = vm.memory.types.words(element);
    let mut data = Vec::with_capacity(places.len() * stride as usize);
    for place in places.iter().filter(|place| place.ty == element) {
        data.extend_from_slice(&vm.memory.take(place.place, element));
    }
    vm.release(mark);
    Ok(ArrayCell {
        element,
        stride,
        data,
    })
}

fn finish(vm: &mut Vm, target: Option<TypedPlace>, array: ArrayCell) {
    let empty = array.data.is_empty();
    let element = array.element;
    let word = if empty {
        0
    } else {
        vm.memory.arrays.insert(array)
    };
    let ty = vm.memory.types.array_of(element);
    match target {
        Some(target) => vm.memory.store(target.place, target.ty, &[word]),
        None => vm.memory.disown(ty, &[word]),
    }
}

/// Evaluates entries into a new table. Later entries win over earlier ones of an equal key.
fn build_table(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    ty: TypeId,
    end: Opcode,
) -> Run<TypedPlace> {
    let parts = vm.memory.types.table_parts(ty);
    let (key, value) = parts.unwrap_or((TypeId::NOTHING, None));
    let cell = TableCell::new(
        key,
        vm.memory.types.words(key),
        value.map(|value| (value, vm.memory.types.words(value))),
    );
    let table = vm.memory.tables.insert(cell);
    let place = vm.memory.push_value(ty, &[table]);
    while !at_end(vm, frame, end)? {
        let mark = vm.memory.mark();
        let key_place = vm.memory.push_default(key);
        vm.step(frame, object, Dest::Place(key_place))?;
        let value_place = match value {
            Some(ty) => {
                let place = vm.memory.push_default(ty);
                vm.step(frame, object, Dest::Place(place))?;
                Some((place, ty))
            }
            None => None,
        };
        let key_words = vm.memory.take(key_place, key);
        let value_words = value_place.map_or_else(crate::memory::Words::new, |(place, ty)| {
            vm.memory.take(place, ty)
        });
        vm.memory.table_add(table, &key_words, &value_words);
        vm.release(mark);
        vm.check_limits()?;
    }
    Ok(TypedPlace { place, ty })
}

fn fill_table(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    target: Option<TypedPlace>,
    end: Opcode,
) -> Run {
    let mark = vm.memory.mark();
    let Some(target) = target else {
        while !at_end(vm, frame, end)? {
            vm.step(frame, object, Dest::Discard)?;
        }
        return Ok(());
    };
    let table = build_table(vm, frame, object, target.ty, end)?;
    let words = vm.memory.take(table.place, table.ty);
    vm.release(mark);
    vm.memory.store(target.place, target.ty, &words);
    Ok(())
}

fn table_const(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
    ty: TypeId,
    end: Opcode,
) -> Run {
    let mark = vm.memory.mark();
    let table = build_table(vm, frame, object, ty, end)?;
    let words = vm.memory.take(table.place, table.ty);
    vm.release(mark);
    vm.give(frame, dest, ty, &words);
    Ok(())
}

/// Whether the terminator is next; steps over it if so.
pub(super) fn at_end(vm: &Vm, frame: &mut Frame, end: Opcode) -> Run<bool> {
    match frame.peek() {
        Some(byte) if byte == end.byte() => {
            frame.ip += 1;
            Ok(true)
        }
        Some(_) => Ok(false),
        None => vm.fault(FaultKind::RanPastEnd),
    }
}
