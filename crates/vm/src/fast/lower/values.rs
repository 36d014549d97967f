//! Values, and where they are assigned.

use bp_bytecode::Opcode;
use bp_bytecode::dialect::CastKind;

use super::super::code::{Base, Operand, OutPlace, OwnedCopy};
use super::{Fit, Lowering, Part, Source, Step, Unfit, Value};
use crate::ids::{StructId, TypeId};
use crate::program::{PropertySlot, Reference};

/// Where a value is assigned.
#[derive(Clone, Copy, Debug)]
enum Place {
    Here(Operand),
    Out(u32),
    /// A variable of another object, whose word is here.
    Of(Operand, u32),
    /// The element of an array, or words of it.
    Element(Operand, Operand, Part),
}

impl Lowering<'_> {
    pub(super) fn read_let(&mut self) -> Fit<()> {
        let (place, ty) = self.place()?;
        if self.starts_call() {
            // A call gives its result to where it goes.
            let out = match place {
                Place::Here(operand) => OutPlace::Here(operand),
                Place::Out(number) => OutPlace::Out(number),
                Place::Of(..) | Place::Element(..) => return Err(Unfit),
            };
            return self.read_call(Some((out, ty)));
        }
        if !self.is_plain(ty) {
            return self.copy_owned(place, ty);
        }
        let want = match place {
            Place::Here(operand) => Some(operand),
            Place::Out(_) | Place::Of(..) | Place::Element(..) => None,
        };
        let value = self.value(want)?;
        let words = self.words(ty);
        if self.words(value.ty) != words || !self.is_plain(value.ty) {
            return Err(Unfit);
        }
        match place {
            Place::Here(to) => self.store(to, value, ty),
            Place::Out(number) => {
                let from = self.operand(value);
                self.steps.push(Step::StoreOut(number, from, words));
            }
            Place::Of(object, offset) => {
                let from = self.operand(value);
                self.push_fallible(Step::ObjectSet(from, object, offset, words))?;
            }
            Place::Element(array, index, part) => {
                let from = self.operand(value);
                self.push_fallible(Step::ArraySet(from, array, index, part))?;
            }
        }
        Ok(())
    }

    /// The persistent frame of the class's event graph, from a stub: a function of its own has another frame.
    pub(super) fn read_let_persistent(&mut self) -> Fit<()> {
        let slot = self.property()?;
        if !self.is_plain(slot.ty) {
            return Err(Unfit);
        }
        let words = self.words(slot.ty);
        let value = self.value(None)?;
        if self.words(value.ty) != words {
            return Err(Unfit);
        }
        let from = self.operand(value);
        let offset = slot.frame_offset + slot.offset;
        self.push_fallible(Step::StorePersistent(from, offset, words))
    }

    fn place(&mut self) -> Fit<(Place, TypeId)> {
        match self.opcode()? {
            Opcode::LocalVariable => {
                let slot = self.property()?;
                Ok((Place::Here(self.local(slot.offset, slot.ty)?), slot.ty))
            }
            Opcode::InstanceVariable => {
                let slot = self.property()?;
                Ok((Place::Here(self.variable(slot)?), slot.ty))
            }
            Opcode::LocalOutVariable => {
                let slot = self.property()?;
                Ok((Place::Out(self.out(slot)?), slot.ty))
            }
            Opcode::StructMemberContext => {
                let slot = self.property()?;
                let (whole, ty) = self.place()?;
                self.check_member(slot, ty)?;
                let words = self.words(slot.ty);
                let place = match whole {
                    Place::Here(operand) => Place::Here(operand.plus(slot.offset)),
                    Place::Element(array, index, part) => {
                        let part = Part {
                            offset: part.offset + slot.offset,
                            words,
                            ..part
                        };
                        Place::Element(array, index, part)
                    }
                    Place::Out(_) | Place::Of(..) => return Err(Unfit),
                };
                Ok((place, slot.ty))
            }
            Opcode::ArrayGetByRef => {
                let (array, ty) = self.place()?;
                let Place::Here(array) = array else {
                    return Err(Unfit);
                };
                let element = self.plain_element(ty)?;
                let index = self.value(None)?;
                let index = self.operand(index);
                let part = Part::whole(self.words(element));
                Ok((Place::Element(array, index, part), element))
            }
            Opcode::Context => {
                let object = self.context_object()?;
                if self.opcode()? != Opcode::InstanceVariable {
                    return Err(Unfit);
                }
                let slot = self.property()?;
                Ok((Place::Of(object, slot.offset), slot.ty))
            }
            _ => Err(Unfit),
        }
    }

    /// The element type of an array of plain elements.
    pub(super) fn plain_element(&self, array: TypeId) -> Fit<TypeId> {
        let element = self.vm.memory.types.array_element(array).ok_or(Unfit)?;
        if self.is_plain(element) {
            Ok(element)
        } else {
            Err(Unfit)
        }
    }

    /// A member must lie inside the struct it is said to be of.
    pub(super) fn check_member(&self, slot: PropertySlot, whole: TypeId) -> Fit<()> {
        let end = u64::from(slot.offset) + u64::from(self.words(slot.ty));
        if end > u64::from(self.words(whole)) {
            return Err(Unfit);
        }
        Ok(())
    }

    /// The object of a context, and what lies between it and what is done with it.
    fn context_object(&mut self) -> Fit<Operand> {
        self.depth += 1;
        let object = self.value(None)?;
        self.depth -= 1;
        if self.words(object.ty) != 1 {
            return Err(Unfit);
        }
        let object = self.operand(object);
        let _skip = self.u32();
        let _result = self.u64();
        Ok(object)
    }

    fn word_at(&mut self, want: Option<Operand>) -> Operand {
        match want {
            Some(operand) => operand,
            None => self.temp(1),
        }
    }

    fn literal(word: u64, ty: TypeId) -> Value {
        Value {
            source: Source::Literal(word),
            ty,
        }
    }

    fn at(operand: Operand, ty: TypeId) -> Value {
        Value {
            source: Source::At(operand),
            ty,
        }
    }

    /// An expression's value: in `want` if it has to be computed and one is given, else wherever it is.
    pub(super) fn value(&mut self, want: Option<Operand>) -> Fit<Value> {
        self.depth += 1;
        let value = self.value_inside(want);
        self.depth -= 1;
        value
    }

    fn value_inside(&mut self, want: Option<Operand>) -> Fit<Value> {
        let start = self.at;
        let opcode = self.opcode()?;
        Ok(match opcode {
            Opcode::LocalVariable => {
                let slot = self.property()?;
                Self::at(self.local(slot.offset, slot.ty)?, self.plain(slot.ty)?)
            }
            Opcode::InstanceVariable => {
                let slot = self.property()?;
                let ty = self.plain(slot.ty)?;
                Self::at(self.variable(slot)?, ty)
            }
            Opcode::LocalOutVariable => {
                let slot = self.property()?;
                let ty = self.plain(slot.ty)?;
                let number = self.out(slot)?;
                let words = self.words(ty);
                let to = want.unwrap_or_else(|| self.temp(words));
                self.steps.push(Step::LoadOut(to, number, words));
                Self::at(to, ty)
            }
            Opcode::StructMemberContext => {
                if let Some(value) = self.element_member(start, want)? {
                    return Ok(value);
                }
                let slot = self.property()?;
                let ty = self.plain(slot.ty)?;
                let whole = self.value(None)?;
                self.check_member(slot, whole.ty)?;
                let Source::At(operand) = whole.source else {
                    return Err(Unfit);
                };
                Self::at(operand.plus(slot.offset), ty)
            }
            Opcode::ArrayGetByRef => {
                let (array, ty) = self.place()?;
                let Place::Here(array) = array else {
                    return Err(Unfit);
                };
                let element = self.plain_element(ty)?;
                let index = self.value(None)?;
                let index = self.operand(index);
                let words = self.words(element);
                // Out of bounds, the destination keeps what it had.
                let to = self.temp(words);
                self.push_fallible(Step::ArrayGet(to, array, index, Part::whole(words)))?;
                Self::at(to, element)
            }
            Opcode::Context | Opcode::ContextFailSilent => {
                if self.starts_call_at(start) {
                    self.at = start;
                    return self.call_value(want);
                }
                let object = self.context_object()?;
                if self.opcode()? != Opcode::InstanceVariable {
                    return Err(Unfit);
                }
                let slot = self.property()?;
                let ty = self.plain(slot.ty)?;
                let words = self.words(ty);
                let to = want.unwrap_or_else(|| self.temp(words));
                self.push_fallible(Step::ObjectGet(to, object, slot.offset, words))?;
                Self::at(to, ty)
            }
            Opcode::CallMath
            | Opcode::FinalFunction
            | Opcode::LocalFinalFunction
            | Opcode::VirtualFunction
            | Opcode::LocalVirtualFunction => {
                self.at = start;
                return self.call_value(want);
            }
            Opcode::Self_ => {
                let to = self.word_at(want);
                self.steps.push(Step::OwnObject(to));
                Self::at(to, TypeId::OBJECT)
            }
            Opcode::IntConst | Opcode::SkipOffsetConst => {
                let value = self.u32() as i32;
                Self::literal(i64::from(value) as u64, TypeId::INT)
            }
            Opcode::IntConstByte => Self::literal(u64::from(self.u8()), TypeId::INT),
            Opcode::IntZero => Self::literal(0, TypeId::INT),
            Opcode::IntOne => Self::literal(1, TypeId::INT),
            Opcode::Int64Const => Self::literal(self.u64(), TypeId::INT64),
            Opcode::UInt64Const => Self::literal(self.u64(), TypeId::UINT64),
            Opcode::ByteConst => Self::literal(u64::from(self.u8()), TypeId::BYTE),
            Opcode::FloatConst => Self::literal(f64::from(self.f32()).to_bits(), TypeId::FLOAT),
            Opcode::DoubleConst => Self::literal(self.f64().to_bits(), TypeId::DOUBLE),
            Opcode::True => Self::literal(1, TypeId::BOOL),
            Opcode::False => Self::literal(0, TypeId::BOOL),
            Opcode::NameConst => {
                let name = self.name()?;
                Self::literal(u64::from(name.0), TypeId::NAME)
            }
            Opcode::NoObject | Opcode::NoInterface => Self::literal(0, TypeId::OBJECT),
            Opcode::ObjectConst => match self.object()? {
                Reference::Class(class) => {
                    Self::literal(self.vm.program.class(class).object.0, TypeId::CLASS)
                }
                Reference::Object(object) => Self::literal(object.0, TypeId::OBJECT),
                Reference::Function(_) | Reference::Struct(_) | Reference::Undeclared(_) => {
                    return Err(Unfit);
                }
            },
            Opcode::VectorConst => {
                let words: [u64; 3] = std::array::from_fn(|_| self.real().to_bits());
                self.numbers(self.vm.state.known.vector, &words, want)?
            }
            Opcode::RotationConst => {
                let words: [u64; 3] = std::array::from_fn(|_| self.real().to_bits());
                self.numbers(self.vm.state.known.rotator, &words, want)?
            }
            Opcode::StructConst => self.structure(want)?,
            Opcode::DynamicCast => {
                let class = self.object()?;
                let object = self.value(None)?;
                let object = self.operand(object);
                let to = self.word_at(want);
                let step = match class {
                    Reference::Class(class) => Step::ObjectCast(to, object, class),
                    Reference::Function(_)
                    | Reference::Struct(_)
                    | Reference::Object(_)
                    | Reference::Undeclared(_) => Step::Literal(to, 0),
                };
                self.steps.push(step);
                Self::at(to, TypeId::OBJECT)
            }
            Opcode::Cast => self.cast(want)?,
            Opcode::InterfaceContext => self.value(want)?,
            Opcode::SwitchValue => self.switch(want)?,
            _ => return Err(Unfit),
        })
    }

    /// A member of an array's element, without the rest of it; none if it is a member of something else.
    fn element_member(&mut self, start: usize, want: Option<Operand>) -> Fit<Option<Value>> {
        let mut at = start;
        while self.code.bytes.get(at) == Some(&Opcode::StructMemberContext.byte()) {
            at += 9;
        }
        if self.code.bytes.get(at) != Some(&Opcode::ArrayGetByRef.byte()) {
            return Ok(None);
        }
        self.at = start;
        let (place, ty) = self.place()?;
        let Place::Element(array, index, part) = place else {
            return Err(Unfit);
        };
        // Out of bounds, the destination keeps what it had; so it is not written before the statement ends.
        let _ = want;
        let ty = self.plain(ty)?;
        let to = self.temp(part.words);
        self.push_fallible(Step::ArrayGet(to, array, index, part))?;
        Ok(Some(Self::at(to, ty)))
    }

    /// Assigns a value that owns something: a variable of the very type.
    fn copy_owned(&mut self, place: Place, ty: TypeId) -> Fit<()> {
        let (source, from_ty) = self.place()?;
        let simple = |place: Place| match place {
            Place::Here(operand) => Ok(OutPlace::Here(operand)),
            Place::Out(number) => Ok(OutPlace::Out(number)),
            Place::Of(..) | Place::Element(..) => Err(Unfit),
        };
        let (to, from) = (simple(place)?, simple(source)?);
        if from_ty != ty || to == from || self.has_called {
            return Err(Unfit);
        }
        self.has_called = true;
        self.steps.push(Step::CopyOwned(self.copies.len() as u32));
        self.copies.push(OwnedCopy {
            to,
            from,
            ty,
            statement: self.statement,
        });
        Ok(())
    }

    fn plain(&self, ty: TypeId) -> Fit<TypeId> {
        if self.is_plain(ty) {
            Ok(ty)
        } else {
            Err(Unfit)
        }
    }

    /// A struct of numbers.
    fn numbers(&mut self, id: StructId, words: &[u64], want: Option<Operand>) -> Fit<Value> {
        let info = self.vm.memory.types.structure(id);
        let (ty, n_words) = (info.ty, info.words);
        if n_words as usize != words.len() || !self.is_plain(ty) {
            return Err(Unfit);
        }
        let to = want.unwrap_or_else(|| self.temp(n_words));
        for (number, word) in words.iter().enumerate() {
            self.steps
                .push(Step::Literal(to.plus(number as u32), *word));
        }
        Ok(Self::at(to, ty))
    }

    /// A struct literal of plain members, none of which is a C array.
    fn structure(&mut self, want: Option<Operand>) -> Fit<Value> {
        let Reference::Struct(id) = self.object()? else {
            return Err(Unfit);
        };
        let _size = self.u32();
        let info = self.vm.memory.types.structure(id);
        let (ty, words) = (info.ty, info.words);
        let fields: Vec<_> = info
            .fields
            .iter()
            .map(|field| (field.offset, field.ty))
            .collect();
        if !self.is_plain(ty) || fields.is_empty() {
            return Err(Unfit);
        }
        // Its members may be made of what the destination holds.
        let _ = want;
        let to = self.temp(words);
        self.steps.push(Step::Zero(to, words));
        for (offset, field) in fields {
            if self.peek() == Some(Opcode::EndStructConst) {
                break;
            }
            if self.vm.memory.types.repeated(field).is_some() {
                return Err(Unfit);
            }
            let part = to.plus(offset);
            let value = self.value(Some(part))?;
            if self.words(value.ty) != self.words(field) {
                return Err(Unfit);
            }
            self.store(part, value, field);
        }
        if self.opcode()? != Opcode::EndStructConst {
            return Err(Unfit);
        }
        Ok(Self::at(to, ty))
    }

    fn cast(&mut self, want: Option<Operand>) -> Fit<Value> {
        let byte = self.u8();
        let kind = self.code.dialect.cast_kind(byte).ok_or(Unfit)?;
        match kind {
            CastKind::ObjectToInterface => {
                let value = self.value(want)?;
                Ok(Value {
                    ty: TypeId::OBJECT,
                    ..value
                })
            }
            CastKind::ObjectToBool | CastKind::InterfaceToBool => {
                let object = self.value(None)?;
                let object = self.operand(object);
                let to = self.word_at(want);
                self.steps.push(Step::ObjectExists(to, object));
                Ok(Self::at(to, TypeId::BOOL))
            }
            CastKind::FloatToDouble => {
                let value = self.value(want)?;
                if self.words(value.ty) != 1 {
                    return Err(Unfit);
                }
                Ok(Value {
                    ty: TypeId::DOUBLE,
                    ..value
                })
            }
            CastKind::DoubleToFloat => {
                let value = self.value(None)?;
                let from = self.operand(value);
                let to = self.word_at(want);
                self.steps.push(Step::Flat(
                    super::FlatOp::RealToFloat,
                    to,
                    [from, from, from],
                ));
                Ok(Self::at(to, TypeId::FLOAT))
            }
        }
    }

    /// The result of the first case whose value equals the index; only that one is computed. All are of one
    /// word here, and a switch without a match is the reference interpreter's, which warns of it.
    fn switch(&mut self, want: Option<Operand>) -> Fit<Value> {
        let n_cases = self.u16();
        let _end = self.u32();
        let index = self.value(None)?;
        // Words of reals may be equal and different, and the other way about.
        if self.words(index.ty) != 1 || !self.is_word_compared(index.ty) {
            return Err(Unfit);
        }
        let index = self.operand(index);
        // A result may be made of what the destination holds.
        let _ = want;
        let mut to: Option<(Operand, TypeId)> = None;
        let mut ends = Vec::new();
        for _ in 0..n_cases {
            let case = self.value(None)?;
            if self.words(case.ty) != 1 {
                return Err(Unfit);
            }
            let case = self.operand(case);
            let _next = self.u32();
            let branch = self.steps.len();
            self.steps.push(Step::SkipUnlessEqual(index, case, 0));
            self.switch_result(&mut to)?;
            ends.push(self.steps.len());
            self.steps.push(Step::Skip(0));
            let behind = self.steps.len();
            self.steps[branch] = Step::SkipUnlessEqual(index, case, (behind - branch) as u32);
        }
        self.push_fallible(Step::Slow)?;
        self.walk().ok_or(Unfit)?;
        let behind = self.steps.len();
        for end in ends {
            self.steps[end] = Step::Skip((behind - end) as u32);
        }
        let (to, ty) = to.ok_or(Unfit)?;
        Ok(Self::at(to, ty))
    }

    fn switch_result(&mut self, to: &mut Option<(Operand, TypeId)>) -> Fit<()> {
        let wanted = to.map(|(operand, _)| operand);
        let value = self.value(wanted)?;
        if self.has_called || !self.is_plain(value.ty) {
            return Err(Unfit);
        }
        let words = self.words(value.ty);
        let (operand, _) = *to.get_or_insert_with(|| {
            let at = self.temps;
            self.temps += words;
            self.most_temps = self.most_temps.max(self.temps);
            (Operand::new(Base::Temps, at), value.ty)
        });
        let (_, ty) = to.expect("was set above");
        if self.words(ty) != words {
            return Err(Unfit);
        }
        self.store(operand, value, ty);
        Ok(())
    }

    /// Whether values of the type are equal if their words are.
    fn is_word_compared(&self, ty: TypeId) -> bool {
        use crate::types::Kind;
        match self.vm.memory.types.kind(ty) {
            Kind::Bool | Kind::Byte(_) | Kind::Int(_) | Kind::UInt(_) | Kind::Name => true,
            Kind::Nothing
            | Kind::Wildcard
            | Kind::Float
            | Kind::Double
            | Kind::Str
            | Kind::Path
            | Kind::Text
            | Kind::Object
            | Kind::Class
            | Kind::Delegate
            | Kind::Multicast
            | Kind::Struct(_)
            | Kind::Array(_)
            | Kind::Repeated(..)
            | Kind::Set(_)
            | Kind::Map(..) => false,
        }
    }
}
