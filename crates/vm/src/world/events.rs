//! Events that a host sends often: what is called is looked up once.

use bp_reflect::{Name, ObjectPath};
use smallvec::SmallVec;

use super::World;
use crate::error::{Run, RunError};
use crate::ids::{ClassId, FunctionId, ObjectHandle, TypeId};
use crate::types::Kind;
use crate::vm::Vm;

/// A function of a class, found for calling it often; see [`World::event`]. Meaningful in that world only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub(crate) class: ClassId,
    pub(crate) function: FunctionId,
    /// Where arguments go, in order.
    pub(crate) params: SmallVec<[(u32, TypeId); 4]>,
}

/// An argument of an event: what fits a word and owns nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// A bool.
    Bool(bool),
    /// A byte, an enum's value or an integer of any size.
    Int(i64),
    /// A float or a double.
    Real(f64),
    /// A reference to an object.
    Object(ObjectHandle),
}

impl Argument {
    /// Its word as a value of a type; none if it is none of it.
    #[inline]
    pub(crate) fn word(self, kind: &Kind) -> Option<u64> {
        Some(match (self, kind) {
            (Self::Bool(value), Kind::Bool) => u64::from(value),
            (Self::Int(value), Kind::Byte(_)) => u64::from(value as u8),
            (Self::Int(value), Kind::Int(32)) => i64::from(value as i32) as u64,
            (Self::Int(value), Kind::Int(64) | Kind::UInt(64)) => value as u64,
            (Self::Real(value), Kind::Double) => value.to_bits(),
            (Self::Real(value), Kind::Float) => f64::from(value as f32).to_bits(),
            (Self::Object(value), Kind::Object) => value.0,
            _ => return None,
        })
    }
}

impl World {
    /// Finds the function that objects of a class answer a name with, to be called by [`World::send`]. Its
    /// parameters must be inputs of one word: numbers, bools, enums and references to objects.
    ///
    /// # Errors
    /// [`RunError::NoClass`], [`RunError::NoFunction`], and [`RunError::NoParameter`] for a parameter of
    /// another type.
    pub fn event(&mut self, class: &ObjectPath, function: &Name) -> Run<Event> {
        let vm = &mut self.vm;
        let class = vm.class_or_error(class)?;
        let name = vm.name_id(function);
        let Some(found) = vm.find_function(class, name) else {
            return Err(RunError::NoFunction {
                class: vm.program.class(class).path.clone(),
                function: function.clone(),
            });
        };
        let info = vm.program.function(found);
        let mut params = SmallVec::new();
        for param in info.arguments() {
            let types = &vm.memory.types;
            if param.is_out || types.words(param.ty) != 1 || !types.is_plain(param.ty) {
                return Err(RunError::NoParameter {
                    function: info.name.clone(),
                    parameter: param.name.clone(),
                });
            }
            params.push((param.offset, param.ty));
        }
        Ok(Event {
            class,
            function: found,
            params,
        })
    }

    /// Calls a function of an object, with one argument for each parameter, in order. It allocates nothing
    /// where the function does not; what it returns is dropped.
    ///
    /// # Errors
    /// [`RunError::NoObject`] if the object is gone or its class is another than the event's,
    /// [`RunError::NoParameter`] for an argument of the wrong type or a missing one, and what running the
    /// function gives.
    #[inline]
    pub fn send(&mut self, object: ObjectHandle, event: &Event, arguments: &[Argument]) -> Run {
        self.vm.send(object, event, arguments)
    }
}

impl Vm {
    fn send(&mut self, object: ObjectHandle, event: &Event, arguments: &[Argument]) -> Run {
        if let Some(result) = self.send_fast(object, event, arguments) {
            return match result {
                Ok(()) => Ok(()),
                Err(error) => Err(*error),
            };
        }
        let exists = self.memory.objects.is_alive(object);
        if !exists || self.class_of(object) != Some(event.class) {
            return Err(RunError::NoObject);
        }
        let fill =
            |vm: &mut Self, info: &crate::program::FunctionInfo, locals: crate::memory::Place| {
                for (number, (offset, ty)) in event.params.iter().enumerate() {
                    let argument = arguments.get(number);
                    let word = argument.and_then(|value| value.word(vm.memory.types.kind(*ty)));
                    let Some(word) = word else {
                        let name = info.arguments().nth(number).map(|param| param.name.clone());
                        return Err(RunError::NoParameter {
                            function: info.name.clone(),
                            parameter: name.unwrap_or_else(Name::none),
                        });
                    };
                    vm.memory.store(locals.at(*offset), *ty, &[word]);
                }
                Ok(())
            };
        self.invoke(object, event.function, fill, |_, _, _| ())
    }
}
