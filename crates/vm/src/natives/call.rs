//! One call of a native function.

use std::sync::Arc;

use bp_reflect::{Name, ObjectPath};

use super::values::{NativeArgument, NativeValue, Out};
use crate::error::{FaultKind, Run};
use crate::exec::OutParm;
use crate::host::WarningKind;
use crate::ids::{NameId, ObjectHandle, TypeId};
use crate::memory::{Place, TypedPlace, Words};
use crate::program::{FunctionInfo, Param};
use crate::vm::Vm;

/// A running call of a native function: its arguments, and the world around it.
#[derive(Debug)]
pub struct NativeCall<'a> {
    pub(crate) vm: &'a mut Vm,
    pub(crate) function: &'a Arc<FunctionInfo>,
    /// The object it is called on; for a library function its default object.
    pub(crate) object: ObjectHandle,
    params: Place,
    outs: &'a [OutParm],
}

impl<'a> NativeCall<'a> {
    pub(crate) fn new(
        vm: &'a mut Vm,
        function: &'a Arc<FunctionInfo>,
        object: ObjectHandle,
        params: Place,
        outs: &'a [OutParm],
    ) -> Self {
        Self {
            vm,
            function,
            object,
            params,
            outs,
        }
    }

    /// The argument for parameter `index`, the return value not counted.
    pub fn arg<T: NativeArgument>(&self, index: usize) -> T {
        T::read(self, index)
    }

    /// The value of the parameter of that name; zero if the declaration has none.
    pub fn named<T: NativeValue>(&self, name: &str) -> T {
        let found = self
            .function
            .arguments()
            .position(|param| param.name == *name);
        match found {
            Some(index) => self.value(index),
            None => T::from_words(self, &[]),
        }
    }

    /// The function that is called: class and name.
    pub fn path(&self) -> &ObjectPath {
        &self.function.path
    }

    /// The object the function is called on; for a library function its default object.
    pub fn object(&self) -> ObjectHandle {
        self.object
    }

    /// Gives the return value.
    pub fn give<T: NativeValue>(&mut self, value: T) {
        let words = value.into_words(self);
        let Some(param) = self.function.return_value() else {
            return;
        };
        let (place, ty) = (self.params.at(param.offset), param.ty);
        self.store(TypedPlace { place, ty }, words);
    }

    /// Sets an output.
    pub fn set<T: NativeValue>(&mut self, out: Out<T>, value: T) {
        let words = value.into_words(self);
        if let Some(target) = self.target(out.index) {
            self.store(target, words);
        }
    }

    /// What an output holds now.
    pub fn get<T: NativeValue>(&self, out: Out<T>) -> T {
        self.value(out.index)
    }

    /// Prints a line.
    pub fn print(&mut self, text: &str) {
        self.vm.print(text);
    }

    /// Warns that an argument is out of its range.
    pub fn warn(&mut self, message: impl Into<String>) {
        self.vm.warn(WarningKind::Argument, message);
    }

    pub(super) fn warn_zero(&mut self, message: &str) {
        self.vm.warn(WarningKind::DivideByZero, message);
    }

    /// Asks for memory before something of that many bytes is made: by whatever makes more of its arguments
    /// than a few copies.
    ///
    /// # Errors
    /// [`RunError::Limit`](crate::RunError::Limit) if they do not fit [`Limits::memory`](crate::Limits::memory);
    /// nothing may be allocated then.
    pub fn ask(&mut self, bytes: usize) -> Run {
        if self.vm.memory.budget.ask(bytes as u64) {
            return Ok(());
        }
        self.vm.check_limits()
    }

    /// Says how many bytes the function looks at, where that is more than its arguments once: they take
    /// fuel like statements.
    pub fn work(&self, bytes: usize) {
        self.vm.memory.budget.work(bytes as u64);
    }

    /// Ends the run with a script error.
    ///
    /// # Errors
    /// Always.
    pub fn fail<T>(&self, message: impl Into<String>) -> Run<T> {
        self.vm.fault(FaultKind::Raised(message.into()))
    }

    /// The text of a name.
    pub fn name(&self, name: NameId) -> &Name {
        self.vm.names.name(name)
    }

    /// The number of a name.
    pub fn intern(&mut self, name: &str) -> NameId {
        self.vm.names.intern_text(name)
    }

    fn param(&self, index: usize) -> Option<&Param> {
        // The return value stands last.
        self.function
            .params
            .get(index)
            .filter(|param| !param.is_return)
    }

    /// Where the parameter is: the caller's place of an output, else the call's own.
    pub(crate) fn target(&self, index: usize) -> Option<TypedPlace> {
        let param = self.param(index)?;
        let bound = self.outs.iter().find(|out| out.offset == param.offset);
        Some(match bound {
            Some(out) => out.target,
            None => TypedPlace {
                place: self.params.at(param.offset),
                ty: param.ty,
            },
        })
    }

    /// The variable through which the caller found the place of a parameter.
    pub(crate) fn target_name(&self, index: usize) -> Option<NameId> {
        let offset = self.param(index)?.offset;
        self.outs.iter().find(|out| out.offset == offset)?.name
    }

    /// Where the return value goes.
    pub(crate) fn result(&self) -> Option<TypedPlace> {
        self.function.return_value().map(|param| TypedPlace {
            place: self.params.at(param.offset),
            ty: param.ty,
        })
    }

    pub(super) fn value<T: NativeValue>(&self, index: usize) -> T {
        match self.target(index) {
            Some(target) => {
                let words = self.vm.memory.types.words(target.ty);
                T::from_words(self, self.vm.memory.read(target.place, words))
            }
            None => T::from_words(self, &[]),
        }
    }

    /// Stores words of a Rust value, with its reals rounded where the target has floats.
    pub(crate) fn store(&mut self, target: TypedPlace, mut words: Words) {
        let info = self.vm.memory.types.info(target.ty);
        if target.ty != TypeId::WILDCARD {
            words.resize(info.words as usize, 0);
        }
        for offset in &info.floats {
            if let Some(word) = words.get_mut(*offset as usize) {
                *word = f64::from(f64::from_bits(*word) as f32).to_bits();
            }
        }
        self.vm.memory.store(target.place, target.ty, &words);
    }
}
