//! Calls: instructions for known native functions, and sites for the others.

use std::cell::Cell;

use bp_bytecode::Opcode;
use bp_reflect::FunctionFlags;

use super::super::code::{
    Base, CallSite, NativeObject, NativeSite, Operand, OutOperand, OutPlace, OwnedArgument,
    OwnedSource,
};
use super::super::intrinsics::{self, Intrinsic};
use super::super::machine::{Compare, FlatOp};
use super::{Fit, Lowering, Part, Source, Step, Unfit, Value, out_operand};
use crate::ids::{FunctionId, NameId, TypeId};
use crate::program::{Body, FunctionInfo, Param, Reference};
use crate::types::Kind;

/// What a call is made on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    /// The function's own object.
    Own,
    /// The default object of the function's class.
    Default,
    /// The object whose word this is.
    Object(Source),
}

impl Lowering<'_> {
    /// Whether a call is next, maybe in a context.
    pub(super) fn starts_call(&self) -> bool {
        self.starts_call_at(self.at)
    }

    pub(super) fn starts_call_at(&self, at: usize) -> bool {
        let Some(byte) = self.code.bytes.get(at) else {
            return false;
        };
        match Opcode::from_byte(*byte) {
            Some(
                Opcode::CallMath
                | Opcode::FinalFunction
                | Opcode::LocalFinalFunction
                | Opcode::VirtualFunction
                | Opcode::LocalVirtualFunction,
            ) => true,
            // Of a context only a constant object can be looked behind: nine bytes, and twelve of its own.
            Some(Opcode::Context | Opcode::ContextFailSilent) => {
                let object = self.code.bytes.get(at + 1).copied();
                let behind = match object.and_then(Opcode::from_byte) {
                    Some(
                        Opcode::ObjectConst | Opcode::LocalVariable | Opcode::InstanceVariable,
                    ) => at + 10 + 12,
                    Some(Opcode::Self_) => at + 2 + 12,
                    _ => return false,
                };
                matches!(
                    self.code
                        .bytes
                        .get(behind)
                        .copied()
                        .and_then(Opcode::from_byte),
                    Some(Opcode::FinalFunction)
                )
            }
            _ => false,
        }
    }

    /// A call for its value.
    pub(super) fn call_value(&mut self, want: Option<Operand>) -> Fit<Value> {
        let (on, function, by_name) = self.callee()?;
        let info = self.vm.program.function(function).clone();
        let ty = info.return_value().ok_or(Unfit)?.ty;
        if !self.is_plain(ty) {
            return Err(Unfit);
        }
        if let Some(value) = self.try_intrinsic(&info, want)? {
            return value.ok_or(Unfit);
        }
        let words = self.words(ty);
        let to = want.unwrap_or_else(|| self.temp(words));
        self.call(on, &info, by_name, Some((OutPlace::Here(to), ty)))?;
        Ok(Value {
            source: Source::At(to),
            ty,
        })
    }

    /// A call as a statement, or for a result that goes somewhere.
    pub(super) fn read_call(&mut self, result: Option<(OutPlace, TypeId)>) -> Fit<()> {
        self.depth += 1;
        let (on, function, by_name) = self.callee()?;
        let info = self.vm.program.function(function).clone();
        if let Some((_, ty)) = result
            && info.return_value().is_none_or(|param| param.ty != ty)
        {
            let returned = info.return_value().ok_or(Unfit)?.ty;
            let alike = self.is_plain(ty)
                && self.is_plain(returned)
                && self.words(ty) == self.words(returned);
            if !alike {
                return Err(Unfit);
            }
        }
        let want = match result {
            Some((OutPlace::Here(operand), _)) => Some(operand),
            Some((OutPlace::Out(_), _)) | None => None,
        };
        if let Some(value) = self.try_intrinsic(&info, want)? {
            if let (Some((place, ty)), Some(value)) = (result, value) {
                match place {
                    OutPlace::Here(to) => self.store(to, value, ty),
                    OutPlace::Out(number) => {
                        let (from, words) = (self.operand(value), self.words(ty));
                        self.steps.push(Step::StoreOut(number, from, words));
                    }
                }
            }
            return Ok(());
        }
        self.call(on, &info, by_name, result)
    }

    /// What is called, on what, and by which name if by one.
    fn callee(&mut self) -> Fit<(On, FunctionId, Option<NameId>)> {
        Ok(match self.opcode()? {
            Opcode::CallMath => (On::Default, self.function()?, None),
            Opcode::FinalFunction | Opcode::LocalFinalFunction => (On::Own, self.function()?, None),
            Opcode::VirtualFunction | Opcode::LocalVirtualFunction => {
                let name = self.name()?;
                let class = self.info.class.ok_or(Unfit)?;
                let found = self.vm.find_function(class, name).ok_or(Unfit)?;
                (On::Own, found, Some(name))
            }
            Opcode::Context => {
                self.depth += 1;
                let object = self.value(None)?;
                let _skip = self.u32();
                let _result = self.u64();
                if self.opcode()? != Opcode::FinalFunction {
                    return Err(Unfit);
                }
                (On::Object(object.source), self.function()?, None)
            }
            _ => return Err(Unfit),
        })
    }

    fn function(&mut self) -> Fit<FunctionId> {
        match self.object()? {
            Reference::Function(function) => Ok(function),
            Reference::Class(_)
            | Reference::Struct(_)
            | Reference::Object(_)
            | Reference::Undeclared(_) => Err(Unfit),
        }
    }

    // ---- instructions

    fn intrinsic(&self, info: &FunctionInfo) -> Option<Intrinsic> {
        let Body::Native(native) = &info.body else {
            return None;
        };
        if !native.is_standard() || info.flags.contains(FunctionFlags::NET) {
            return None;
        }
        let found = intrinsics::find(native.name())?;
        // Structs of floats are rounded member by member: natives do that.
        let result = info.return_value().map(|param| param.ty);
        let is_rounded = result.is_some_and(|ty| {
            ty != TypeId::FLOAT && !self.vm.memory.types.info(ty).floats.is_empty()
        });
        (!is_rounded).then_some(found)
    }

    /// The instructions for a call, and the value they give; none if there are none for these arguments, and
    /// the function has to be called.
    #[expect(
        clippy::option_option,
        reason = "whether there are instructions, and whether they give a value"
    )]
    fn try_intrinsic(
        &mut self,
        info: &FunctionInfo,
        want: Option<Operand>,
    ) -> Fit<Option<Option<Value>>> {
        let Some(intrinsic) = self.intrinsic(info) else {
            return Ok(None);
        };
        let (at, n_steps, depth, has_changed) =
            (self.at, self.steps.len(), self.depth, self.has_changed);
        let (n_natives, n_calls) = (self.natives.len(), self.calls.len());
        if let Ok(value) = self.call_intrinsic(intrinsic, info, want) {
            return Ok(Some(value));
        }
        if self.has_called || self.natives.len() != n_natives || self.calls.len() != n_calls {
            return Err(Unfit);
        }
        self.at = at;
        self.steps.truncate(n_steps);
        self.depth = depth;
        self.has_changed = has_changed;
        Ok(None)
    }

    fn ends_arguments(&mut self) -> Fit<()> {
        if self.opcode()? == Opcode::EndFunctionParms {
            Ok(())
        } else {
            Err(Unfit)
        }
    }

    /// The arguments of an instruction: as many as there are parameters, of so many words each.
    fn arguments(&mut self, words: &[u32]) -> Fit<Vec<Value>> {
        let mut values = Vec::with_capacity(words.len());
        for words in words {
            let value = self.value(None)?;
            if self.words(value.ty) != *words {
                return Err(Unfit);
            }
            values.push(value);
        }
        self.ends_arguments()?;
        Ok(values)
    }

    fn call_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        info: &FunctionInfo,
        want: Option<Operand>,
    ) -> Fit<Option<Value>> {
        let result = info.return_value().map(|param| param.ty);
        let n_params = info.arguments().count();
        let is_float = result == Some(TypeId::FLOAT);
        let word = |lowering: &mut Self| match want {
            Some(operand) => operand,
            None => lowering.temp(1),
        };
        let value = match intrinsic {
            Intrinsic::Arithmetic(op) | Intrinsic::Real(op, _) => {
                let op = match intrinsic {
                    Intrinsic::Real(_, rounded) if is_float => rounded,
                    _ => op,
                };
                let (a, b) = self.two(n_params)?;
                let a = self.operand(a);
                let to = word(self);
                self.push_fallible(Step::Arithmetic(op, to, a, b.source))?;
                Some(to)
            }
            Intrinsic::Compare(op) => {
                let (a, b) = self.two(n_params)?;
                let (op, a, b) = match (a.source, b.source) {
                    (Source::Literal(_), Source::At(_)) => (mirrored(op), b, a),
                    _ => (op, a, b),
                };
                let a = self.operand(a);
                let to = word(self);
                self.steps.push(Step::Compare(op, to, a, b.source));
                Some(to)
            }
            Intrinsic::Flat(op, arguments, words) => {
                if n_params != arguments.len() {
                    return Err(Unfit);
                }
                let values = self.arguments(arguments)?;
                let mut operands = [Operand::new(Base::Temps, 0); 3];
                for (operand, value) in operands.iter_mut().zip(values) {
                    *operand = self.operand(value);
                }
                for unused in arguments.len()..3 {
                    operands[unused] = operands[0];
                }
                if result.is_none_or(|ty| self.words(ty) != words) {
                    return Err(Unfit);
                }
                let to = want.unwrap_or_else(|| self.temp(words));
                self.push_fallible(Step::Flat(op, to, operands))?;
                if is_float && words == 1 {
                    let rounded = Step::Flat(FlatOp::RealToFloat, to, [to, to, to]);
                    self.steps.push(rounded);
                }
                Some(to)
            }
            Intrinsic::Same => {
                let values = self.arguments(&[1])?;
                if n_params != 1 {
                    return Err(Unfit);
                }
                if is_float {
                    let from = self.operand(values[0]);
                    let to = word(self);
                    let rounded = Step::Flat(FlatOp::RealToFloat, to, [from, from, from]);
                    self.steps.push(rounded);
                    Some(to)
                } else {
                    return Ok(Some(Value {
                        source: values[0].source,
                        ty: result.ok_or(Unfit)?,
                    }));
                }
            }
            Intrinsic::Objects(equal) => {
                let (a, b) = self.two(n_params)?;
                let (a, b) = (self.operand(a), self.operand(b));
                let (live_a, live_b) = (self.temp(1), self.temp(1));
                self.steps.push(Step::ObjectLive(live_a, a));
                self.steps.push(Step::ObjectLive(live_b, b));
                let op = if equal {
                    Compare::EqualInt
                } else {
                    Compare::NotEqualInt
                };
                let to = word(self);
                self.steps
                    .push(Step::Compare(op, to, live_a, Source::At(live_b)));
                Some(to)
            }
            Intrinsic::BreakVector => {
                let vector = self.value(None)?;
                let Source::At(vector) = vector.source else {
                    return Err(Unfit);
                };
                // The vector may be what one of the outputs is part of.
                let copy = self.temp(3);
                self.steps.push(Step::Copy(copy, vector, 3));
                for part in 0..3 {
                    let out = self.place_argument(None)?;
                    if self.words(out.ty) != 1 || out.ty == TypeId::FLOAT {
                        return Err(Unfit);
                    }
                    match out.place {
                        OutPlace::Here(to) => {
                            self.steps.push(Step::Copy(to, copy.plus(part), 1));
                        }
                        OutPlace::Out(number) => {
                            self.steps.push(Step::StoreOut(number, copy.plus(part), 1));
                        }
                    }
                }
                self.ends_arguments()?;
                None
            }
            Intrinsic::ArrayLength(plus) => {
                let (array, _) = self.array_argument()?;
                self.ends_arguments()?;
                let to = word(self);
                self.steps.push(Step::ArrayLen(to, array, plus));
                Some(to)
            }
            Intrinsic::ArrayGet => {
                let (array, element) = self.array_argument()?;
                let element = self.plain_element_of(element)?;
                let index = self.value(None)?;
                let index = self.operand(index);
                let out = self.place_argument(None)?;
                self.ends_arguments()?;
                let words = self.words(element);
                if self.words(out.ty) != words || !self.is_plain(out.ty) {
                    return Err(Unfit);
                }
                match out.place {
                    OutPlace::Here(to) => {
                        self.push_fallible(Step::ArrayGet(to, array, index, Part::whole(words)))?;
                    }
                    OutPlace::Out(number) => {
                        let to = self.temp(words);
                        self.push_fallible(Step::ArrayGet(to, array, index, Part::whole(words)))?;
                        self.steps.push(Step::StoreOut(number, to, words));
                    }
                }
                None
            }
            Intrinsic::ArraySet => {
                let (array, element) = self.array_argument()?;
                let element = self.plain_element_of(element)?;
                let index = self.value(None)?;
                let index = self.operand(index);
                let item = self.value(None)?;
                let words = self.words(element);
                if self.words(item.ty) != words {
                    return Err(Unfit);
                }
                let item = self.operand(item);
                let _to_fit = self.value(None)?;
                self.ends_arguments()?;
                self.push_fallible(Step::ArraySet(item, array, index, Part::whole(words)))?;
                None
            }
            Intrinsic::ArrayAdd => {
                let (array, element) = self.array_argument()?;
                let element = self.plain_element_of(element)?;
                let item = self.value(None)?;
                let words = self.words(element);
                if self.words(item.ty) != words {
                    return Err(Unfit);
                }
                let item = self.operand(item);
                self.ends_arguments()?;
                let to = word(self);
                self.push_fallible(Step::ArrayAdd(to, array, item, words))?;
                // The reference interpreter must not add it again.
                self.has_changed = true;
                Some(to)
            }
        };
        Ok(match (value, result) {
            (Some(operand), Some(ty)) => Some(Value {
                source: Source::At(operand),
                ty,
            }),
            (None, None) => None,
            _ => return Err(Unfit),
        })
    }

    fn two(&mut self, n_params: usize) -> Fit<(Value, Value)> {
        if n_params != 2 {
            return Err(Unfit);
        }
        let values = self.arguments(&[1, 1])?;
        Ok((values[0], values[1]))
    }

    fn plain_element_of(&self, element: TypeId) -> Fit<TypeId> {
        if self.is_plain(element) {
            Ok(element)
        } else {
            Err(Unfit)
        }
    }

    /// An array that is a variable: where its word is, and the type of its elements.
    fn array_argument(&mut self) -> Fit<(Operand, TypeId)> {
        let argument = self.place_argument(None)?;
        let OutPlace::Here(operand) = argument.place else {
            return Err(Unfit);
        };
        let element = self
            .vm
            .memory
            .types
            .array_element(argument.ty)
            .ok_or(Unfit)?;
        Ok((operand, element))
    }

    // ---- calls

    fn call(
        &mut self,
        on: On,
        info: &FunctionInfo,
        by_name: Option<NameId>,
        result: Option<(OutPlace, TypeId)>,
    ) -> Fit<()> {
        if info.flags.contains(FunctionFlags::NET) || self.has_called {
            return Err(Unfit);
        }
        match &info.body {
            Body::Native(_) if by_name.is_none() => self.call_native(on, info, result),
            Body::Script(_) if on == On::Own => self.call_script(info, by_name, result),
            Body::Native(_) | Body::Script(_) | Body::Missing | Body::Event => Err(Unfit),
        }
    }

    /// An argument that is a place: of a parameter that is an output, or of any type.
    fn place_argument(&mut self, wanted: Option<TypeId>) -> Fit<OutOperand> {
        let start = self.at;
        let out = match self.opcode()? {
            Opcode::LocalVariable => {
                let slot = self.property()?;
                let operand = self.local(slot.offset, slot.ty)?;
                out_operand(OutPlace::Here(operand), slot.ty, Some(slot.name))
            }
            Opcode::InstanceVariable => {
                let slot = self.property()?;
                let operand = self.variable(slot)?;
                out_operand(OutPlace::Here(operand), slot.ty, Some(slot.name))
            }
            Opcode::LocalOutVariable => {
                let slot = self.property()?;
                let number = self.out(slot)?;
                out_operand(OutPlace::Out(number), slot.ty, Some(slot.name))
            }
            Opcode::StructMemberContext => {
                let slot = self.property()?;
                let whole = self.place_argument(None)?;
                let OutPlace::Here(operand) = whole.place else {
                    return Err(Unfit);
                };
                self.check_member(slot, whole.ty)?;
                let member = OutPlace::Here(operand.plus(slot.offset));
                out_operand(member, slot.ty, Some(slot.name))
            }
            // Places elsewhere, and values that something has to be called for.
            Opcode::ArrayGetByRef
            | Opcode::Context
            | Opcode::ContextFailSilent
            | Opcode::ClassContext
            | Opcode::DefaultVariable
            | Opcode::ClassSparseDataVariable
            | Opcode::SwitchValue
            | Opcode::InterfaceContext
            | Opcode::CallMath
            | Opcode::FinalFunction
            | Opcode::LocalFinalFunction
            | Opcode::VirtualFunction
            | Opcode::LocalVirtualFunction => return Err(Unfit),
            _ => {
                // A value has a place of its own while the call lasts.
                self.at = start;
                let value = self.value(None)?;
                let words = self.words(value.ty);
                if !self.is_plain(value.ty) {
                    return Err(Unfit);
                }
                let copy = self.temp(words);
                self.store(copy, value, value.ty);
                out_operand(OutPlace::Here(copy), value.ty, None)
            }
        };
        if wanted.is_some_and(|ty| ty != out.ty) {
            return Err(Unfit);
        }
        Ok(out)
    }

    fn call_native(
        &mut self,
        on: On,
        info: &FunctionInfo,
        result: Option<(OutPlace, TypeId)>,
    ) -> Fit<()> {
        let object = match on {
            On::Own => NativeObject::Own,
            On::Default => match info.class {
                Some(class) => NativeObject::Fixed(self.vm.program.class(class).default.0),
                None => NativeObject::Own,
            },
            On::Object(Source::Literal(word)) => {
                // Default objects are there as long as the world is; of other constants nobody knows.
                let default = info
                    .class
                    .map(|class| self.vm.program.class(class).default.0);
                if default != Some(word) {
                    return Err(Unfit);
                }
                NativeObject::Fixed(word)
            }
            On::Object(Source::At(operand)) => {
                self.push_fallible(Step::ObjectCheck(operand))?;
                NativeObject::At(operand)
            }
        };
        if info.words > 0 {
            let all = self.argument(0, info.words);
            self.steps.push(Step::Zero(all, info.words));
        }
        let mut outs = Vec::new();
        let mut owned = Vec::new();
        for param in info.arguments() {
            if self.peek() == Some(Opcode::EndFunctionParms) {
                break;
            }
            let by_place = param.is_out || *self.vm.memory.types.kind(param.ty) == Kind::Wildcard;
            if by_place {
                outs.push((param.offset, self.native_place(param)?));
            } else if self.is_plain(param.ty) {
                self.value_argument(param)?;
            } else {
                owned.push(self.owned_argument(param)?);
            }
        }
        self.ends_arguments()?;
        let arguments = self.argument(0, info.words);
        let result = match (result, info.return_value()) {
            (Some((place, ty)), Some(_)) => Some(out_operand(place, ty, None)),
            (None, _) => None,
            (Some(_), None) => return Err(Unfit),
        };
        let Body::Native(native) = &info.body else {
            return Err(Unfit);
        };
        let site = NativeSite {
            function: self.vm.program.function(info.id).clone(),
            native: native.clone(),
            object,
            statement: self.statement,
            outs,
            result,
            arguments,
            owned,
            depth: self.depth,
        };
        self.has_called = true;
        self.steps.push(Step::Native(self.natives.len() as u32));
        self.natives.push(site);
        Ok(())
    }

    /// As the reference interpreter refers to it.
    fn native_place(&mut self, param: &Param) -> Fit<OutOperand> {
        let out = self.place_argument(None)?;
        let is_wildcard = *self.vm.memory.types.kind(param.ty) == Kind::Wildcard;
        if !is_wildcard && self.words(out.ty) != self.words(param.ty) {
            return Err(Unfit);
        }
        Ok(out)
    }

    fn value_argument(&mut self, param: &Param) -> Fit<()> {
        let words = self.words(param.ty);
        let to = self.argument(param.offset, words);
        if self.starts_call_to_lower() {
            return Err(Unfit);
        }
        let value = self.value(Some(to))?;
        if self.words(value.ty) != words {
            return Err(Unfit);
        }
        self.store(to, value, param.ty);
        Ok(())
    }

    /// Whether a call is next that is not an instruction: its arguments would lie where these do.
    fn starts_call_to_lower(&mut self) -> bool {
        if !self.starts_call() {
            return false;
        }
        let (start, depth, n_steps) = (self.at, self.depth, self.steps.len());
        let found = self.callee().ok();
        self.at = start;
        self.depth = depth;
        self.steps.truncate(n_steps);
        let Some((_, function, _)) = found else {
            return true;
        };
        let info = self.vm.program.function(function).clone();
        self.intrinsic(&info).is_none()
    }

    /// An argument that owns something: a variable of the very type, or a literal string.
    fn owned_argument(&mut self, param: &Param) -> Fit<OwnedArgument> {
        let source = match self.opcode()? {
            Opcode::StringConst if param.ty == TypeId::STR => {
                OwnedSource::Literal(self.ansi_string().into())
            }
            Opcode::UnicodeStringConst if param.ty == TypeId::STR => {
                OwnedSource::Literal(self.wide_string().into())
            }
            Opcode::LocalVariable => {
                let slot = self.property()?;
                if slot.ty != param.ty {
                    return Err(Unfit);
                }
                OwnedSource::Place(OutPlace::Here(self.local(slot.offset, slot.ty)?))
            }
            Opcode::InstanceVariable => {
                let slot = self.property()?;
                if slot.ty != param.ty {
                    return Err(Unfit);
                }
                OwnedSource::Place(OutPlace::Here(self.variable(slot)?))
            }
            Opcode::LocalOutVariable => {
                let slot = self.property()?;
                if slot.ty != param.ty {
                    return Err(Unfit);
                }
                OwnedSource::Place(OutPlace::Out(self.out(slot)?))
            }
            _ => return Err(Unfit),
        };
        Ok(OwnedArgument {
            offset: param.offset,
            ty: param.ty,
            source,
        })
    }

    fn call_script(
        &mut self,
        info: &FunctionInfo,
        by_name: Option<NameId>,
        result: Option<(OutPlace, TypeId)>,
    ) -> Fit<()> {
        if !super::super::can_be_entered(info) {
            return Err(Unfit);
        }
        let mut outs = Vec::new();
        // Words that are written, by place.
        let mut written: Vec<(u32, u32)> = Vec::new();
        for param in info.arguments() {
            if self.peek() == Some(Opcode::EndFunctionParms) {
                return Err(Unfit);
            }
            if param.is_out {
                outs.push(self.place_argument(Some(param.ty))?);
            } else if self.is_plain(param.ty) && param.ty != TypeId::WILDCARD {
                self.value_argument(param)?;
                written.push((param.offset, param.offset + self.words(param.ty)));
            } else {
                return Err(Unfit);
            }
        }
        self.ends_arguments()?;
        written.sort_unstable();
        let mut prefix = 0;
        for (start, end) in written {
            if start > prefix {
                let gap = self.argument(prefix, start - prefix);
                self.steps.push(Step::Zero(gap, start - prefix));
            }
            prefix = prefix.max(end);
        }
        self.has_called = true;
        self.steps.push(Step::Call(self.calls.len() as u32, prefix));
        self.calls.push(CallSite {
            function: info.id,
            by_name,
            statement: self.statement,
            outs,
            packed_outs: Box::default(),
            depth: self.depth,
            class: Cell::new(None),
            code: Cell::new(std::ptr::null()),
        });
        let Some((place, ty)) = result else {
            return Ok(());
        };
        let param = info.return_value().ok_or(Unfit)?;
        if !self.is_plain(ty) || info.persistent.is_some() {
            return Err(Unfit);
        }
        let words = self.words(ty);
        let from = self.argument(param.offset, words);
        match place {
            OutPlace::Here(to) => self.steps.push(Step::Copy(to, from, words)),
            OutPlace::Out(number) => self.steps.push(Step::StoreOut(number, from, words)),
        }
        Ok(())
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::LessInt => Compare::GreaterInt,
        Compare::LessEqualInt => Compare::GreaterEqualInt,
        Compare::GreaterInt => Compare::LessInt,
        Compare::GreaterEqualInt => Compare::LessEqualInt,
        Compare::LessReal => Compare::GreaterReal,
        Compare::LessEqualReal => Compare::GreaterEqualReal,
        Compare::GreaterReal => Compare::LessReal,
        Compare::GreaterEqualReal => Compare::LessEqualReal,
        Compare::EqualInt | Compare::NotEqualInt | Compare::EqualReal | Compare::NotEqualReal => op,
    }
}
