//! Calls: script and native functions behind one shape.
//!
//! A call zeroes a block for the callee's parameters and locals on the frame stack (the event graph
//! has its persistent frame instead), evaluates by-value arguments into it in the caller's context,
//! finds the places of out and reference arguments, runs the body, and hands over the return value.
//! An out argument without a place (a literal, a failed context) leaves the callee with its own slot.

use std::sync::Arc;

use bp_bytecode::Opcode;
use bp_reflect::{FunctionFlags, Name, Value};
use smallvec::SmallVec;

use crate::error::{FaultKind, LimitKind, Run};
use crate::exec::{Dest, Frame, OutParm, OutParms, Recent};
use crate::host::{Callspace, RemoteCall, WarningKind};
use crate::ids::{FunctionId, NameId, ObjectHandle, TypeId};
use crate::memory::{Base, Place, StackBlock, TypedPlace, frame_statements};
use crate::natives::NativeCall;
use crate::program::{Body, Code, FunctionInfo, Param, Reference};
use crate::types::Kind;
use crate::vm::{CallRecord, Held, RemoteCallOwned, Vm};

pub(crate) fn virtual_function(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let name = frame.name(&mut vm.names);
    let Some(class) = vm.class_of(object) else {
        return vm.fault(FaultKind::BadReference(object.0, "an object"));
    };
    if let Some(function) = vm.find_function(class, name) {
        return vm.call(frame, object, function, dest);
    }
    let class = vm.program.class(class).path.clone();
    let path = class.member(vm.names.name(name));
    vm.unsupported(path)
}

pub(crate) fn final_function(
    vm: &mut Vm,
    frame: &mut Frame,
    object: ObjectHandle,
    dest: Dest,
) -> Run {
    let function = function_operand(vm, frame)?;
    vm.call(frame, object, function, dest)
}

/// A static native function, called on the default object of its class.
pub(crate) fn call_math(vm: &mut Vm, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
    let function = function_operand(vm, frame)?;
    let object = match vm.program.function(function).class {
        Some(class) => vm.program.class(class).default,
        None => object,
    };
    vm.call(frame, object, function, dest)
}

fn function_operand(vm: &mut Vm, frame: &mut Frame) -> Run<FunctionId> {
    let index = frame.u64();
    let found = index
        .checked_sub(1)
        .and_then(|index| frame.references.objects.get(index as usize).copied());
    match found {
        Some(Reference::Function(function)) => Ok(function),
        Some(Reference::Undeclared(index)) => {
            let path = vm.program.undeclared[index as usize].clone();
            vm.unsupported(path)
        }
        Some(Reference::Class(_) | Reference::Struct(_) | Reference::Object(_)) | None => {
            vm.fault(FaultKind::BadReference(index, "a function"))
        }
    }
}

impl Vm {
    /// Calls a function whose arguments follow at the frame's cursor.
    pub(crate) fn call(
        &mut self,
        frame: &mut Frame,
        object: ObjectHandle,
        function: FunctionId,
        dest: Dest,
    ) -> Run {
        let info = self.program.function(function).clone();
        let mark = self.memory.mark();
        let locals = self.push_frame(&info, object)?;
        let mut outs = OutParms::new();
        for param in info.arguments() {
            match frame.peek() {
                // Fewer arguments than parameters: an older caller. The rest stays zero.
                Some(byte) if byte == Opcode::EndFunctionParms.byte() => break,
                Some(_) => {}
                None => return self.fault(FaultKind::RanPastEnd),
            }
            let caller = frame.object;
            let by_place = param.is_out || *self.memory.types.kind(param.ty) == Kind::Wildcard;
            if by_place {
                if let Some(target) = self.refer(frame, caller)? {
                    outs.push(OutParm {
                        offset: param.offset,
                        target,
                        name: frame.recent.property,
                    });
                }
            } else {
                self.step(frame, caller, Dest::Place(locals.at(param.offset)))?;
            }
        }
        while frame.peek() != Some(Opcode::EndFunctionParms.byte()) {
            if frame.peek().is_none() {
                return self.fault(FaultKind::RanPastEnd);
            }
            let caller = frame.object;
            self.step(frame, caller, Dest::Discard)?;
        }
        frame.ip += 1;
        self.run(&info, object, locals, outs)?;
        if let Some(param) = info.return_value() {
            let words = self.memory.take(locals.at(param.offset), param.ty);
            self.release(mark);
            self.give(frame, dest, param.ty, &words);
        } else {
            self.release(mark);
            frame.recent = Recent::default();
        }
        Ok(())
    }

    /// Makes the callee's block; gives where its parameters and locals start.
    fn push_frame(&mut self, info: &FunctionInfo, object: ObjectHandle) -> Run<Place> {
        if let Some(offset) = info.persistent {
            return Ok(Place {
                base: Base::Persistent(object),
                offset,
            });
        }
        let words = self.memory.stack.len() as u64 + u64::from(info.words);
        if !self.memory.budget.ask_room(words * 8) {
            self.check_limits()?;
        }
        if matches!(info.body, Body::Script(_)) {
            self.guard.statements += frame_statements(info.words);
        }
        let base = self.memory.push_zeroed(info.words);
        if !info.owned.is_empty() {
            let block = StackBlock::Frame(base as u32, info.id);
            self.memory.blocks.push(block);
        }
        for (offset, ty) in &info.constructed {
            self.construct(Place::stack(base).at(*offset), *ty);
        }
        Ok(Place::stack(base))
    }

    /// Runs a body whose arguments are in place.
    fn run(
        &mut self,
        info: &Arc<FunctionInfo>,
        object: ObjectHandle,
        locals: Place,
        outs: OutParms,
    ) -> Run {
        if info.flags.contains(FunctionFlags::NET) && !self.runs_here(info, object, locals, &outs) {
            if let Some(param) = info.return_value() {
                self.memory.clear(locals.at(param.offset), param.ty);
            }
            return Ok(());
        }
        match &info.body {
            Body::Script(code) => self.run_script(info, code, object, locals, outs),
            Body::Native(native) => {
                let native = native.clone();
                if self.guard.transactions > 0 && !native.is_revocable() {
                    return self.fault(FaultKind::Irrevocable(info.path.clone()));
                }
                native.run(&mut NativeCall::new(self, info, object, locals, &outs))?;
                self.check_limits()
            }
            Body::Event => Ok(()),
            Body::Missing => {
                let fallback = self.program.natives.fallback();
                if self.guard.transactions > 0 && fallback.is_some() {
                    return self.fault(FaultKind::Irrevocable(info.path.clone()));
                }
                let answer = fallback.and_then(|fallback| {
                    fallback(&mut NativeCall::new(self, info, object, locals, &outs))
                });
                answer.unwrap_or_else(|| self.unsupported(info.path.clone()))?;
                self.check_limits()
            }
        }
    }

    /// Asks the host where a replicated function runs, and hands it over if that is elsewhere. Whether it
    /// runs here.
    #[cold]
    fn runs_here(
        &mut self,
        info: &FunctionInfo,
        object: ObjectHandle,
        locals: Place,
        outs: &OutParms,
    ) -> bool {
        let place_of = |param: &Param| {
            let bound = outs.iter().find(|out| out.offset == param.offset);
            bound.map_or(locals.at(param.offset), |out| out.target.place)
        };
        let bytes = info
            .arguments()
            .map(|param| self.value_bytes(place_of(param), param.ty))
            .sum();
        if !self.memory.budget.ask(bytes) {
            // The run ends at the next check.
            return false;
        }
        let arguments: Vec<(Name, Value)> = info
            .arguments()
            .map(|param| {
                let value = self.read_value(place_of(param), param.ty);
                (param.name.clone(), value)
            })
            .collect();
        let object = self.object_name(object);
        let call = RemoteCall {
            function: &info.path,
            flags: info.flags,
            object: &object,
            arguments: &arguments,
        };
        let space = self.host.callspace(&call);
        if space != Callspace::Local && self.guard.transactions == 0 {
            self.host.call_remotely(&call);
        } else if space != Callspace::Local {
            self.hold(Held::Remote(RemoteCallOwned {
                function: info.path.clone(),
                flags: info.flags,
                object,
                arguments,
                bytes,
            }));
        }
        space != Callspace::Remote
    }

    fn run_script(
        &mut self,
        info: &Arc<FunctionInfo>,
        code: &Arc<Code>,
        object: ObjectHandle,
        locals: Place,
        outs: OutParms,
    ) -> Run {
        if self.guard.aborting {
            return Ok(());
        }
        if self.calls.len() >= self.limits.recursion {
            self.exit.recursion = true;
            self.guard.aborting = true;
            let limit = self.limits.recursion;
            self.report_error(
                WarningKind::Recursion,
                format!("Infinite script recursion ({limit} calls) detected"),
            );
            return Ok(());
        }
        self.calls.push(CallRecord {
            function: info.id,
            object,
            statement: 0,
        });
        if let Some(result) = self.run_fast(info.id, object, locals, &outs) {
            result?;
            self.calls.pop();
            return Ok(());
        }
        let mut frame = Frame {
            function: info.clone(),
            code: code.clone(),
            references: self.program.references[code.package].clone(),
            ip: 0,
            object,
            locals,
            outs,
            flow_stack: SmallVec::new(),
            recent: Recent::default(),
        };
        let result = self.run_statements(&mut frame);
        if self.hooks.is_awake {
            self.hook_left();
        }
        // A failure's stack is told to the host before it is taken down.
        result?;
        self.calls.pop();
        Ok(())
    }

    pub(crate) fn run_statements(&mut self, frame: &mut Frame) -> Run {
        let mark = self.memory.mark();
        loop {
            if self.guard.aborting || self.guard.aborts > 0 {
                self.zero_return(frame);
                return Ok(());
            }
            self.begin_statement(frame)?;
            let object = frame.object;
            if frame.peek() == Some(Opcode::Return.byte()) {
                frame.ip += 1;
                let dest = match frame.function.return_value() {
                    Some(param) => Dest::Place(frame.locals.at(param.offset)),
                    None => Dest::Discard,
                };
                self.step(frame, object, dest)?;
                self.release(mark);
                return self.check_limits();
            }
            self.step(frame, object, Dest::Discard)?;
            self.check_limits()?;
            if self.memory.stack.len() > mark.words {
                self.release(mark);
            }
        }
    }

    /// What comes before each statement: its place, fuel, and whoever listens.
    pub(crate) fn begin_statement(&mut self, frame: &Frame) -> Run {
        let statement = frame.ip;
        if let Some(call) = self.calls.last_mut() {
            call.statement = statement;
        }
        if self.guard.statements >= self.limits.fuel {
            return self.limit(LimitKind::Fuel(self.limits.fuel));
        }
        self.guard.statements += 1;
        if self.hooks.is_awake {
            self.hook(frame, statement)?;
        }
        Ok(())
    }

    /// A guard stepped in: the function gives the zero of its type.
    fn zero_return(&mut self, frame: &Frame) {
        if let Some(param) = frame.function.return_value() {
            self.memory.clear(frame.locals.at(param.offset), param.ty);
        }
    }

    // ---- calls that no script makes

    /// Calls a function from outside the script: `fill` writes the arguments into the block, `read`
    /// takes results out of it (`ProcessEvent`).
    pub(crate) fn invoke<T>(
        &mut self,
        object: ObjectHandle,
        function: FunctionId,
        fill: impl FnOnce(&mut Self, &FunctionInfo, Place) -> Run,
        read: impl FnOnce(&mut Self, &FunctionInfo, Place) -> T,
    ) -> Run<T> {
        let is_outermost = self.calls.is_empty();
        if is_outermost {
            self.guard = crate::vm::Guard::default();
            self.hooks.calls += 1;
        }
        let mark = self.memory.mark();
        let depth = self.calls.len();
        let info = self.program.function(function).clone();
        let result = self.push_frame(&info, object).and_then(|locals| {
            fill(self, &info, locals)?;
            self.run(&info, object, locals, OutParms::new())?;
            Ok(read(self, &info, locals))
        });
        if is_outermost {
            self.guard.aborting = false;
            self.guard.aborts = 0;
        }
        if result.is_ok() || is_outermost {
            self.calls.truncate(depth);
            self.release(mark);
        }
        result
    }

    /// Calls a function of an object by name, without arguments or results. False if it has none.
    pub(crate) fn invoke_named(&mut self, object: ObjectHandle, name: &Name) -> Run<bool> {
        let name = self.names.intern(name);
        let Some(class) = self.class_of(object) else {
            return Ok(false);
        };
        let Some(function) = self.find_function(class, name) else {
            return Ok(false);
        };
        self.invoke(object, function, |_, _, _| Ok(()), |_, _, _| ())?;
        Ok(true)
    }

    /// Calls what a delegate is bound to with copies of the arguments, one for each parameter.
    /// A target that is gone is passed over.
    pub(crate) fn call_delegate(
        &mut self,
        (object, name): (ObjectHandle, NameId),
        arguments: &[TypedPlace],
    ) -> Run {
        if !self.memory.objects.is_alive(object) {
            return Ok(());
        }
        let Some(class) = self.class_of(object) else {
            return Ok(());
        };
        let Some(function) = self.find_function(class, name) else {
            let name = self.names.name(name).to_string();
            let class = self.program.class(class).path.clone();
            self.warn(
                WarningKind::NotFound,
                format!(
                    "{} has no function {name} for a delegate to call",
                    class.name()
                ),
            );
            return Ok(());
        };
        self.invoke(
            object,
            function,
            |vm, info, locals| {
                let params: SmallVec<[(u32, TypeId); 4]> = info
                    .arguments()
                    .map(|param| (param.offset, param.ty))
                    .collect();
                for ((offset, ty), argument) in params.into_iter().zip(arguments) {
                    if vm.memory.types.words(ty) == vm.memory.types.words(argument.ty) {
                        vm.memory.copy(locals.at(offset), argument.place, ty);
                    }
                }
                Ok(())
            },
            |_, _, _| (),
        )
    }
}
