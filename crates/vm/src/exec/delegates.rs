//! Delegates: an object and the name of one of its functions; multicast delegates: a list of them.

use bp_bytecode::Opcode;
use smallvec::SmallVec;

use super::containers::at_end;
use crate::error::Run;
use crate::exec::{Dest, Frame};
use crate::ids::{NameId, ObjectHandle, TypeId};
use crate::memory::TypedPlace;
use crate::vm::Vm;

/// A delegate to a function of the current object.
pub(crate) fn instance(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let name = frame.name(&mut vm.names);
    vm.give(
        frame,
        dest,
        TypeId::DELEGATE,
        &[object.0, u64::from(name.0)],
    );
    Ok(())
}

pub(crate) fn bind(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let name = frame.name(&mut vm.names);
    let target = vm.refer(frame, object)?;
    let bound = vm.eval_object(frame, object)?;
    if let Some(target) = target {
        let words = [bound.0, u64::from(name.0)];
        vm.memory.store(target.place, TypeId::DELEGATE, &words);
    }
    Ok(())
}

pub(crate) fn add(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let target = vm.refer(frame, object)?;
    let delegate = eval_delegate(vm, frame, object)?;
    if let (Some(target), Some(delegate)) = (target, delegate) {
        vm.bind_to(target, delegate);
    }
    Ok(())
}

pub(crate) fn remove(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let target = vm.refer(frame, object)?;
    let delegate = eval_delegate(vm, frame, object)?;
    if let (Some(target), Some(delegate)) = (target, delegate) {
        let word = vm.memory.word(target.place);
        let mut bindings = vm.memory.bindings(word).to_vec();
        bindings.retain(|bound| *bound != delegate);
        vm.memory.set_bindings(target.place, bindings);
    }
    Ok(())
}

pub(crate) fn clear(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    if let Some(target) = vm.refer(frame, object)? {
        vm.memory.set_bindings(target.place, Vec::new());
    }
    Ok(())
}

/// Broadcasts: arguments are evaluated once, the list is copied, and each target that still exists
/// is called in order of binding.
pub(crate) fn call(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, _: Dest) -> Run {
    let _signature = frame.u64();
    let target = vm.refer(frame, object)?;
    let mark = vm.memory.mark();
    let mut arguments: SmallVec<[TypedPlace; 4]> = SmallVec::new();
    while !at_end(vm, frame, Opcode::EndFunctionParms)? {
        let object = frame.object;
        arguments.push(vm.eval(frame, object)?);
        vm.check_limits()?;
    }
    if let Some(target) = target {
        let word = vm.memory.word(target.place);
        let bindings = vm.memory.bindings(word).to_vec();
        for binding in bindings {
            vm.call_delegate(binding, &arguments)?;
        }
    }
    vm.release(mark);
    Ok(())
}

fn eval_delegate(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
) -> Run<Option<(ObjectHandle, NameId)>> {
    let mark = vm.memory.mark();
    let value = vm.eval(frame, object)?;
    let words = vm.memory.read(value.place, 2);
    let delegate = (ObjectHandle(words[0]), NameId(words[1] as u32));
    let is_delegate = value.ty == TypeId::DELEGATE;
    vm.release(mark);
    Ok((is_delegate && !delegate.0.is_none()).then_some(delegate))
}

impl Vm {
    /// Adds to a multicast delegate what is not in it yet.
    pub(crate) fn bind_to(&mut self, target: TypedPlace, delegate: (ObjectHandle, NameId)) {
        let word = self.memory.word(target.place);
        let mut bindings = self.memory.bindings(word).to_vec();
        // Targets that are gone are dropped on the way.
        bindings.retain(|(object, _)| self.memory.objects.get(*object).is_some());
        if !bindings.contains(&delegate) {
            bindings.push(delegate);
        }
        self.memory.set_bindings(target.place, bindings);
    }
}
