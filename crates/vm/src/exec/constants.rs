//! Literals.

use std::sync::Arc;

use bp_reflect::TextValue;

use crate::error::{FaultKind, Run};
use crate::exec::{Dest, Frame};
use crate::ids::{ObjectHandle, StructId, TypeId};
use crate::program::Reference;
use crate::vm::Vm;

/// A literal of one word that owns nothing.
macro_rules! word {
    ($name:ident, $ty:ident, |$frame:ident| $value:expr) => {
        pub(crate) fn $name(vm: &mut Vm, $frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
            let word: u64 = $value;
            vm.give($frame, dest, TypeId::$ty, &[word]);
            Ok(())
        }
    };
}

word!(int, INT, |frame| i64::from(frame.i32()) as u64);
word!(int_byte, INT, |frame| u64::from(frame.u8()));
word!(zero, INT, |frame| 0);
word!(one, INT, |frame| 1);
word!(int64, INT64, |frame| frame.u64());
word!(uint64, UINT64, |frame| frame.u64());
word!(byte, BYTE, |frame| u64::from(frame.u8()));
word!(float, FLOAT, |frame| f64::from(frame.f32()).to_bits());
word!(double, DOUBLE, |frame| frame.f64().to_bits());
word!(yes, BOOL, |frame| 1);
word!(no, BOOL, |frame| 0);
word!(no_object, OBJECT, |frame| 0);
word!(skip_offset, INT, |frame| i64::from(frame.u32() as i32)
    as u64);

pub(crate) fn name(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let name = frame.name(&mut vm.names);
    vm.give(frame, dest, TypeId::NAME, &[u64::from(name.0)]);
    Ok(())
}

pub(crate) fn string(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let text = frame.ansi_string();
    let word = vm.memory.new_string(text);
    vm.give(frame, dest, TypeId::STR, &[word]);
    Ok(())
}

pub(crate) fn unicode_string(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let text = frame.wide_string();
    let word = vm.memory.new_string(text);
    vm.give(frame, dest, TypeId::STR, &[word]);
    Ok(())
}

/// A soft reference or a field path, from the string that follows.
pub(crate) fn path(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let text = vm.eval_string(frame)?;
    let word = vm.memory.new_string(text);
    vm.give(frame, dest, TypeId::PATH, &[word]);
    Ok(())
}

/// A property as a value: its name as a field path.
pub(crate) fn property(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let text = match frame.property() {
        Some(slot) => vm.names.name(slot.name).to_string(),
        None => String::new(),
    };
    let word = vm.memory.new_string(text);
    vm.give(frame, dest, TypeId::PATH, &[word]);
    Ok(())
}

pub(crate) fn text(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let kind = frame.u8();
    // 5.8 put a kind with notes in the second place and moved the later ones.
    let kind = match (frame.code.dialect.has_text_notes(), kind) {
        (false, kind) if kind >= 2 => kind + 1,
        (_, kind) => kind,
    };
    let value = match kind {
        0 => TextValue::Empty,
        1 | 2 => {
            let source = vm.eval_string(frame)?;
            let key = vm.eval_string(frame)?;
            let namespace = vm.eval_string(frame)?;
            if kind == 2 {
                vm.eval_string(frame)?;
            }
            TextValue::Localized {
                namespace: namespace.into(),
                key: key.into(),
                source: source.into(),
            }
        }
        3 | 4 => TextValue::Invariant(vm.eval_string(frame)?.into()),
        5 => {
            let _ = frame.u64();
            let table = vm.eval_string(frame)?;
            let key = vm.eval_string(frame)?;
            TextValue::StringTable {
                table: Arc::from(table),
                key: Arc::from(key),
            }
        }
        other => return vm.fault(FaultKind::BadReference(u64::from(other), "a kind of text")),
    };
    let word = vm.memory.new_text(value);
    vm.give(frame, dest, TypeId::TEXT, &[word]);
    Ok(())
}

pub(crate) fn object(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let (ty, object) = match frame.object_reference() {
        Some(Reference::Class(class)) => (TypeId::CLASS, vm.program.class(class).object),
        Some(Reference::Object(object)) => (TypeId::OBJECT, object),
        Some(Reference::Function(function)) => {
            let path = vm.program.function(function).path.clone();
            (TypeId::OBJECT, vm.asset(&path))
        }
        Some(Reference::Struct(structure)) => {
            let path = vm.memory.types.structure(structure).path.clone();
            (TypeId::OBJECT, vm.asset(&path))
        }
        Some(Reference::Undeclared(index)) => {
            let path = vm.program.undeclared[index as usize].clone();
            (TypeId::OBJECT, vm.asset(&path))
        }
        None => (TypeId::OBJECT, ObjectHandle::NONE),
    };
    vm.give(frame, dest, ty, &[object.0]);
    Ok(())
}

pub(crate) fn vector(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let words: [u64; 3] = std::array::from_fn(|_| frame.real().to_bits());
    let ty = vm.state.known.vector;
    give_parts(vm, frame, dest, ty, &words);
    Ok(())
}

pub(crate) fn vector3f(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let words: [u64; 3] = std::array::from_fn(|_| f64::from(frame.f32()).to_bits());
    let ty = vm.state.known.vector3f;
    give_parts(vm, frame, dest, ty, &words);
    Ok(())
}

pub(crate) fn rotator(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let words: [u64; 3] = std::array::from_fn(|_| frame.real().to_bits());
    let ty = vm.state.known.rotator;
    give_parts(vm, frame, dest, ty, &words);
    Ok(())
}

pub(crate) fn transform(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let words: [u64; 10] = std::array::from_fn(|_| frame.real().to_bits());
    let ty = vm.state.known.transform;
    give_parts(vm, frame, dest, ty, &words);
    Ok(())
}

/// Hands over a struct of numbers, cut to what the declared struct takes.
fn give_parts(vm: &mut Vm, frame: &mut Frame, dest: Dest, structure: StructId, words: &[u64]) {
    let info = vm.memory.types.structure(structure);
    let (ty, n_words) = (info.ty, info.words as usize);
    let mut parts = crate::memory::Words::from_slice(words);
    parts.resize(n_words, 0);
    vm.give(frame, dest, ty, &parts);
}

pub(crate) fn bit_field(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, dest: Dest) -> Run {
    let _ = frame.u64();
    let set = frame.u8() != 0;
    vm.give(frame, dest, TypeId::BOOL, &[u64::from(set)]);
    Ok(())
}

pub(crate) fn structure(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    use bp_bytecode::Opcode;
    let reference = frame.u64();
    let size = frame.i32();
    let _ = size; // bytes in the engine's memory
    let found = reference
        .checked_sub(1)
        .and_then(|index| frame.references.objects.get(index as usize).copied());
    let Some(Reference::Struct(id)) = found else {
        return vm.fault(FaultKind::BadReference(reference, "a struct"));
    };
    let ty = vm.memory.types.structure(id).ty;
    let mark = vm.memory.mark();
    let whole = vm.memory.push_default(ty);
    let mut member = 0;
    // Members are the elements of C arrays too, one expression each.
    let mut element = 0;
    while frame.peek() != Some(Opcode::EndStructConst.byte()) {
        if frame.peek().is_none() {
            return vm.fault(FaultKind::RanPastEnd);
        }
        let field = vm.memory.types.structure(id).fields.get(member);
        let dest = match field.map(|field| (field.offset, field.ty)) {
            Some((offset, ty)) => {
                let (inner, count) = vm.memory.types.repeated(ty).unwrap_or((ty, 1));
                let at = offset + element * vm.memory.types.words(inner);
                element += 1;
                if element == count {
                    element = 0;
                    member += 1;
                }
                Dest::Place(whole.at(at))
            }
            // The struct is declared with fewer members than the compiler knew.
            None => Dest::Discard,
        };
        vm.step(frame, object, dest)?;
    }
    frame.ip += 1;
    let words = vm.memory.take(whole, ty);
    vm.release(mark);
    vm.give(frame, dest, ty, &words);
    Ok(())
}
