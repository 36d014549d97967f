//! Roles and types of expressions: one pass over each tree, from the leaves up.

use bp_reflect::{Name, ObjectPath, PropertyFlags};

use super::Rule;
use super::script::Checker;
use super::types::{ROTATOR, TRANSFORM, Ty, VECTOR, VECTOR3F, fits};
use super::world::Resolved;
use crate::dialect::CastKind;
use crate::{
    CodeOffset, Expr, Opcode, Operand, PropertyRef, Script, Statement, Target, TextLiteral,
};

/// What the checks of a node say to the node around it.
#[derive(Clone, Copy)]
pub(super) struct Info<'a> {
    pub(super) form: Form,
    pub(super) ty: Ty<'a>,
    /// The property a place is.
    pub(super) property: Option<&'a PropertyRef>,
}

/// Where an expression may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Statement,
    /// `EX_Nothing`: a statement, and the absence of a value.
    Nothing,
    Value,
    Place,
    /// A call; whether it returns a value, where that is known.
    Call(Option<bool>),
}

/// The object that members are looked up on.
#[derive(Clone, Copy)]
pub(super) enum Object<'a> {
    /// The object whose script runs.
    Own,
    /// An object of the class, or a class's default object.
    Of(&'a ObjectPath),
    Unknown,
}

impl<'a> Info<'a> {
    fn statement() -> Self {
        Self::of(Form::Statement, Ty::Unknown)
    }

    pub(super) fn value(ty: Ty<'a>) -> Self {
        Self::of(Form::Value, ty)
    }

    pub(super) fn of(form: Form, ty: Ty<'a>) -> Self {
        Self {
            form,
            ty,
            property: None,
        }
    }
}

/// Operands of a decoded expression, which has those of its row.
pub(super) struct Operands<'a>(pub(super) &'a Expr);

impl<'a> Operands<'a> {
    pub(super) fn expr(&self, index: usize) -> &'a Expr {
        let Operand::Expr(inner) = &self.0.operands[index] else {
            unreachable!("the row has an expression here")
        };
        inner
    }

    pub(super) fn list(&self, index: usize) -> &'a [Expr] {
        let Operand::List(list) = &self.0.operands[index] else {
            unreachable!("the row has a list here")
        };
        list
    }

    fn property(&self, index: usize) -> Option<&'a PropertyRef> {
        let Operand::Property(property) = &self.0.operands[index] else {
            unreachable!("the row has a property here")
        };
        property.as_ref()
    }

    pub(super) fn object(&self, index: usize) -> Option<&'a ObjectPath> {
        let Operand::Object(object) = &self.0.operands[index] else {
            unreachable!("the row has an object here")
        };
        object.as_ref()
    }

    pub(super) fn name(&self, index: usize) -> &'a Name {
        let Operand::Name(name) = &self.0.operands[index] else {
            unreachable!("the row has a name here")
        };
        name
    }

    fn u8(&self, index: usize) -> u8 {
        let Operand::U8(value) = &self.0.operands[index] else {
            unreachable!("the row has a byte here")
        };
        *value
    }
}

impl<'a> Checker<'a, '_> {
    pub(super) fn statement(&mut self, statement: &'a Statement, script: &'a Script) {
        let mut tree = Tree {
            checker: self,
            script,
            at: statement.offset,
        };
        tree.statement(&statement.expr);
    }
}

/// Checks the tree of one statement.
pub(super) struct Tree<'a, 'r, 'c> {
    pub(super) checker: &'c mut Checker<'a, 'r>,
    script: &'a Script,
    pub(super) at: CodeOffset,
}

impl<'a> Tree<'a, '_, '_> {
    pub(super) fn error(&mut self, rule: Rule, message: String) {
        self.checker.error(Some(self.at), rule, message);
    }

    fn statement(&mut self, expr: &'a Expr) {
        let info = self.info(expr, Object::Own);
        match info.form {
            Form::Statement | Form::Nothing | Form::Call(_) => {}
            Form::Value | Form::Place => {
                let message = format!("{} does nothing as a statement", expr.op.name());
                self.error(Rule::Statement, message);
            }
        }
    }

    /// Checks an expression that must give a value.
    pub(super) fn value(&mut self, expr: &'a Expr) -> Ty<'a> {
        self.value_on(expr, Object::Own)
    }

    fn value_on(&mut self, expr: &'a Expr, object: Object<'a>) -> Ty<'a> {
        let info = self.info(expr, object);
        self.must_be_value(expr, info)
    }

    pub(super) fn must_be_value(&mut self, expr: &Expr, info: Info<'a>) -> Ty<'a> {
        match info.form {
            Form::Value | Form::Place | Form::Call(Some(true) | None) => return info.ty,
            Form::Statement | Form::Nothing => {
                let message = format!("{} stands where a value belongs", expr.op.name());
                self.error(Rule::Value, message);
            }
            Form::Call(Some(false)) => {
                let message = format!(
                    "{} stands where a value belongs, its function returns nothing",
                    expr.op.name()
                );
                self.error(Rule::Result, message);
            }
        }
        Ty::Unknown
    }

    /// Checks an expression that must be a place.
    fn place(&mut self, expr: &'a Expr) -> Info<'a> {
        let info = self.info(expr, Object::Own);
        if info.form != Form::Place {
            let message = format!("{} stands where a place belongs", expr.op.name());
            self.error(Rule::Place, message);
            return Info::of(Form::Place, Ty::Unknown);
        }
        info
    }

    fn must_fit(&mut self, rule: Rule, to: Ty<'_>, from: Ty<'_>, what: &str) {
        if !fits(self.checker.world, to, from) {
            self.error(rule, format!("{what} is {from}, not {to}"));
        }
    }

    fn condition(&mut self, expr: &'a Expr) {
        let ty = self.value(expr);
        self.must_fit(Rule::Condition, Ty::Bool, ty, "the condition");
    }

    fn target(&mut self, expr: &Expr) {
        for operand in &expr.operands {
            if let Operand::Target(Target::Offset(target)) = operand
                && self.script.statement_at(*target).is_none()
            {
                let message = format!(
                    "{} leads to {target}, which is no start of a statement",
                    expr.op.name()
                );
                self.error(Rule::Target, message);
            }
        }
    }

    /// One expression; members are looked up on `object`.
    #[expect(clippy::match_same_arms, reason = "the order of the table")]
    pub(super) fn info(&mut self, expr: &'a Expr, object: Object<'a>) -> Info<'a> {
        let operands = Operands(expr);
        self.target(expr);
        match expr.op {
            Opcode::LocalVariable | Opcode::LocalOutVariable => self.local(expr),
            Opcode::InstanceVariable
            | Opcode::DefaultVariable
            | Opcode::ClassSparseDataVariable => self.member(expr, object),
            Opcode::Return => {
                let info = self.info(operands.expr(0), Object::Own);
                if info.form != Form::Nothing {
                    let ty = self.must_be_value(operands.expr(0), info);
                    let result = self.checker.function.return_param();
                    if let Some(result) = result {
                        let to = Ty::of(&result.ty, true);
                        self.must_fit(Rule::ValueType, to, ty, "the result");
                    }
                }
                Info::statement()
            }
            Opcode::Jump | Opcode::PushExecutionFlow => Info::statement(),
            Opcode::JumpIfNot => {
                self.condition(operands.expr(1));
                Info::statement()
            }
            Opcode::Assert => {
                self.condition(operands.expr(2));
                Info::statement()
            }
            Opcode::Nothing => Info::of(Form::Nothing, Ty::Unknown),
            Opcode::NothingInt32
            | Opcode::DeprecatedOp4A
            | Opcode::PopExecutionFlow
            | Opcode::Breakpoint
            | Opcode::EndOfScript
            | Opcode::WireTracepoint
            | Opcode::Tracepoint
            | Opcode::InstrumentationEvent
            | Opcode::AutoRtfmAbort => Info::statement(),
            Opcode::Let => self.let_(&operands),
            Opcode::BitFieldConst => {
                self.property_exists(expr.op, operands.property(0));
                Info::value(Ty::Bool)
            }
            Opcode::ClassContext | Opcode::Context | Opcode::ContextFailSilent => {
                self.context(expr, object)
            }
            Opcode::MetaCast => {
                self.value(operands.expr(1));
                Info::value(Ty::Class(operands.object(0)))
            }
            Opcode::LetBool => self.store(&operands, Ty::Bool),
            Opcode::Self_ => Info::value(match object {
                Object::Own => Ty::Object(Some(&self.checker.compiled.class.path)),
                Object::Of(class) => Ty::Object(Some(class)),
                Object::Unknown => Ty::Object(None),
            }),
            Opcode::Skip => self.info(operands.expr(0), object),
            Opcode::VirtualFunction | Opcode::LocalVirtualFunction => {
                self.call_named(operands.name(0), operands.list(1), object)
            }
            Opcode::FinalFunction | Opcode::LocalFinalFunction | Opcode::CallMath => {
                self.call(expr.op, operands.object(0), operands.list(1))
            }
            Opcode::IntConst | Opcode::IntZero | Opcode::IntOne | Opcode::IntConstByte => {
                Info::value(Ty::Int)
            }
            Opcode::FloatConst => Info::value(Ty::Float { is_certain: true }),
            Opcode::DoubleConst => Info::value(Ty::Double { is_certain: true }),
            Opcode::StringConst | Opcode::UnicodeStringConst => Info::value(Ty::Str),
            Opcode::ObjectConst | Opcode::NoObject => Info::value(Ty::Object(None)),
            Opcode::NameConst => Info::value(Ty::Name),
            Opcode::RotationConst => Info::value(Ty::Struct(ROTATOR)),
            Opcode::VectorConst => Info::value(Ty::Struct(VECTOR)),
            Opcode::Vector3fConst => Info::value(Ty::Struct(VECTOR3F)),
            Opcode::TransformConst => Info::value(Ty::Struct(TRANSFORM)),
            Opcode::ByteConst => Info::value(Ty::Byte),
            Opcode::True | Opcode::False => Info::value(Ty::Bool),
            Opcode::TextConst => {
                self.text(expr);
                Info::value(Ty::Text)
            }
            Opcode::NoInterface => Info::value(Ty::Interface(None)),
            Opcode::DynamicCast | Opcode::InterfaceToObjCast => {
                self.value(operands.expr(1));
                Info::value(Ty::Object(operands.object(0)))
            }
            Opcode::ObjToInterfaceCast | Opcode::CrossInterfaceCast => {
                self.value(operands.expr(1));
                Info::value(Ty::Interface(operands.object(0)))
            }
            Opcode::StructConst => self.struct_literal(&operands),
            Opcode::SetArray | Opcode::SetSet => {
                let place = self.place(operands.expr(0));
                let container = if expr.op == Opcode::SetArray {
                    Ty::Array(None)
                } else {
                    Ty::Set(None)
                };
                self.must_fit(
                    Rule::DestinationType,
                    container,
                    place.ty,
                    "the destination",
                );
                let element = place.ty.element();
                self.elements(operands.list(1), &[element]);
                Info::statement()
            }
            Opcode::SetMap => {
                let place = self.place(operands.expr(0));
                self.must_fit(
                    Rule::DestinationType,
                    Ty::Map(None),
                    place.ty,
                    "the destination",
                );
                let (key, value) = place.ty.key_and_value();
                self.elements(operands.list(1), &[key, value]);
                Info::statement()
            }
            Opcode::ArrayConst | Opcode::SetConst => {
                let element = self.property_exists(expr.op, operands.property(0));
                self.elements(operands.list(1), &[element]);
                Info::value(if expr.op == Opcode::ArrayConst {
                    Ty::Array(None)
                } else {
                    Ty::Set(None)
                })
            }
            Opcode::MapConst => {
                let key = self.property_exists(expr.op, operands.property(0));
                let value = self.property_exists(expr.op, operands.property(1));
                self.elements(operands.list(2), &[key, value]);
                Info::value(Ty::Map(None))
            }
            Opcode::PropertyConst => {
                if operands.property(0).is_some() {
                    self.property_exists(expr.op, operands.property(0));
                }
                Info::value(Ty::Unknown)
            }
            Opcode::Int64Const => Info::value(Ty::Int64),
            Opcode::UInt64Const => Info::value(Ty::UInt64),
            Opcode::Cast => self.cast(&operands),
            Opcode::StructMemberContext => self.struct_member(expr, object),
            Opcode::LetMulticastDelegate => self.store(&operands, Ty::Multicast),
            Opcode::LetDelegate => self.store(&operands, Ty::Delegate),
            Opcode::LetObj => self.store(&operands, Ty::Object(None)),
            Opcode::LetWeakObjPtr => self.store(&operands, Ty::Weak),
            Opcode::InstanceDelegate => Info::value(Ty::Delegate),
            Opcode::ComputedJump => {
                let ty = self.value(operands.expr(0));
                self.must_fit(Rule::ValueType, Ty::Int, ty, "the offset");
                Info::statement()
            }
            Opcode::PopExecutionFlowIfNot | Opcode::AutoRtfmAbortIfNot => {
                self.condition(operands.expr(0));
                Info::statement()
            }
            Opcode::InterfaceContext => {
                let ty = self.value_on(operands.expr(0), object);
                // Also found around objects whose class implements the interface in C++.
                if !matches!(ty, Ty::Unknown | Ty::Interface(_) | Ty::Object(_)) {
                    self.error(
                        Rule::Context,
                        format!("what the context reaches through is {ty}, not an interface"),
                    );
                }
                Info::value(Ty::Object(ty.class()))
            }
            Opcode::SkipOffsetConst => Info::value(Ty::Int),
            Opcode::AddMulticastDelegate | Opcode::RemoveMulticastDelegate => {
                self.multicast(operands.expr(0));
                let ty = self.value(operands.expr(1));
                self.must_fit(Rule::ValueType, Ty::Delegate, ty, "the delegate");
                Info::statement()
            }
            Opcode::ClearMulticastDelegate => {
                self.multicast(operands.expr(0));
                Info::statement()
            }
            Opcode::BindDelegate => {
                let place = self.place(operands.expr(1));
                self.must_fit(
                    Rule::DestinationType,
                    Ty::Delegate,
                    place.ty,
                    "the destination",
                );
                let ty = self.value(operands.expr(2));
                self.must_fit(Rule::ValueType, Ty::Object(None), ty, "the object");
                Info::statement()
            }
            Opcode::CallMulticastDelegate => {
                self.multicast(operands.expr(1));
                self.broadcast(operands.object(0), operands.list(2));
                Info::statement()
            }
            Opcode::LetValueOnPersistentFrame => {
                self.persistent_frame(&operands);
                Info::statement()
            }
            Opcode::SoftObjectConst | Opcode::FieldPathConst => {
                let ty = self.value(operands.expr(0));
                self.must_fit(Rule::ValueType, Ty::Str, ty, "the path");
                Info::value(if expr.op == Opcode::SoftObjectConst {
                    Ty::Soft
                } else {
                    Ty::FieldPath
                })
            }
            Opcode::SwitchValue => self.switch(expr),
            Opcode::ArrayGetByRef => {
                let array = self.place(operands.expr(0));
                let index = self.value(operands.expr(1));
                self.must_fit(Rule::ValueType, Ty::Int, index, "the index");
                self.must_fit(Rule::ValueType, Ty::Array(None), array.ty, "the array");
                Info::of(Form::Place, array.ty.element())
            }
            Opcode::AutoRtfmTransact => {
                for statement in operands.list(2) {
                    self.statement(statement);
                }
                Info::statement()
            }
            Opcode::EndParmValue
            | Opcode::EndFunctionParms
            | Opcode::EndStructConst
            | Opcode::EndArray
            | Opcode::EndSet
            | Opcode::EndMap
            | Opcode::EndSetConst
            | Opcode::EndMapConst
            | Opcode::EndArrayConst
            | Opcode::AutoRtfmStopTransact => {
                unreachable!("the decoder gives no terminators")
            }
        }
    }

    /// The type of a property that must be declared by its owner, where the owner is.
    fn property_exists(&mut self, op: Opcode, property: Option<&'a PropertyRef>) -> Ty<'a> {
        self.found(op, property).map_or(Ty::Unknown, |(_, ty)| ty)
    }

    fn found(
        &mut self,
        op: Opcode,
        property: Option<&'a PropertyRef>,
    ) -> Option<(&'a bp_reflect::Property, Ty<'a>)> {
        let Some(reference) = property else {
            self.error(Rule::Property, format!("{} names no property", op.name()));
            return None;
        };
        match self.checker.world.resolve(reference) {
            Resolved::Found { property, ty } => Some((property, ty)),
            Resolved::Unknown => None,
            Resolved::Missing => {
                let message = format!(
                    "{} has no property {}",
                    reference.owner,
                    reference.path.last().map_or("", Name::as_str)
                );
                self.error(Rule::Property, message);
                None
            }
        }
    }

    fn local(&mut self, expr: &'a Expr) -> Info<'a> {
        let reference = Operands(expr).property(0);
        let Some((property, ty)) = self.found(expr.op, reference) else {
            return Info::of(Form::Place, Ty::Unknown);
        };
        if let Some(reference) = reference
            && reference.owner != self.checker.path
        {
            let message = format!(
                "{} is a variable of {}, not of this function",
                reference.name(),
                reference.owner
            );
            self.error(Rule::Property, message);
        }
        let is_out = property.flags.contains(PropertyFlags::OUT_PARM);
        if is_out != (expr.op == Opcode::LocalOutVariable) {
            let what = if is_out { "an" } else { "no" };
            let message = format!("{} is {what} out parameter", property.name);
            self.error(Rule::OutVariable, message);
        }
        Info {
            form: Form::Place,
            ty,
            property: reference,
        }
    }

    fn member(&mut self, expr: &'a Expr, object: Object<'a>) -> Info<'a> {
        let reference = Operands(expr).property(0);
        let ty = self.property_exists(expr.op, reference);
        let class = match object {
            Object::Own => Some(&self.checker.compiled.class.path),
            Object::Of(class) => Some(class),
            Object::Unknown => None,
        };
        let is_sparse = expr.op == Opcode::ClassSparseDataVariable;
        if let (Some(reference), Some(class), false) = (reference, class, is_sparse) {
            let world = self.checker.world;
            let is_elsewhere = world.is_child_of(class, &reference.owner) == Some(false)
                // Of a parent's variable a member of a child may be reached, since some functions
                // return a child of what they declare.
                && world.is_child_of(&reference.owner, class) != Some(true);
            if is_elsewhere || world.is_struct(&reference.owner) {
                let message = format!(
                    "{} belongs to {}, not to {class}",
                    reference.name(),
                    reference.owner
                );
                self.error(Rule::Property, message);
            }
        }
        Info {
            form: Form::Place,
            ty,
            property: reference,
        }
    }

    fn let_(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let place = self.place(operands.expr(1));
        if let (Some(named), Some(stored)) = (operands.property(0), place.property)
            && named != stored
        {
            let message = format!(
                "the property of the Let is {}, that of its destination {}",
                named.name(),
                stored.name()
            );
            self.error(Rule::LetProperty, message);
        }
        let ty = self.value(operands.expr(2));
        self.must_fit(Rule::ValueType, place.ty, ty, "the value");
        Info::statement()
    }

    /// `LetBool` and its kin.
    fn store(&mut self, operands: &Operands<'a>, kept: Ty<'a>) -> Info<'a> {
        let place = self.place(operands.expr(0));
        let is_fit = if kept == Ty::Object(None) {
            // Interfaces, soft and weak references have their own instructions.
            matches!(place.ty, Ty::Unknown | Ty::Object(_) | Ty::Class(_))
        } else if kept == Ty::Weak {
            // Declarations of native properties do not always tell weak references apart.
            let is_own = place
                .property
                .is_some_and(|property| self.checker.world.is_own(&property.owner));
            matches!(place.ty, Ty::Unknown | Ty::Weak)
                || (!is_own && matches!(place.ty, Ty::Object(_)))
        } else {
            fits(self.checker.world, kept, place.ty)
        };
        if !is_fit {
            self.error(
                Rule::DestinationType,
                format!("the destination is {}, not {kept}", place.ty),
            );
        }
        let ty = self.value(operands.expr(1));
        let to = if is_fit && !place.ty.is_unknown() {
            place.ty
        } else {
            kept
        };
        self.must_fit(Rule::ValueType, to, ty, "the value");
        Info::statement()
    }

    fn multicast(&mut self, expr: &'a Expr) {
        let place = self.place(expr);
        self.must_fit(
            Rule::DestinationType,
            Ty::Multicast,
            place.ty,
            "the dispatcher",
        );
    }

    fn context(&mut self, expr: &'a Expr, object: Object<'a>) -> Info<'a> {
        let operands = Operands(expr);
        let ty = self.value_on(operands.expr(0), object);
        let is_class = expr.op == Opcode::ClassContext;
        let is_reachable = matches!(
            ty,
            Ty::Unknown | Ty::Object(_) | Ty::Class(_) | Ty::Interface(_) | Ty::Weak
        );
        if !is_reachable {
            self.error(
                Rule::Context,
                format!("what the context reaches through is {ty}, not an object"),
            );
        }
        // An object's class; of a class value, the class whose default object is reached.
        let reached = match (is_class, ty) {
            (false, Ty::Object(Some(class))) | (true, Ty::Class(Some(class))) => Object::Of(class),
            _ => Object::Unknown,
        };
        if operands.property(1).is_some() {
            self.property_exists(expr.op, operands.property(1));
        }
        self.info(operands.expr(2), reached)
    }

    fn struct_member(&mut self, expr: &'a Expr, object: Object<'a>) -> Info<'a> {
        let operands = Operands(expr);
        let reference = operands.property(0);
        let ty = self.property_exists(expr.op, reference);
        let inner = self.info(operands.expr(1), object);
        let inner_ty = self.must_be_value(operands.expr(1), inner);
        match (inner_ty, reference) {
            (Ty::Struct(path), Some(reference)) => {
                let world = self.checker.world;
                if world.are_unrelated_structs(path, reference.owner.as_str())
                    && world.is_struct(&reference.owner)
                {
                    let message = format!(
                        "{} is a member of {}, not of {path}",
                        reference.name(),
                        reference.owner
                    );
                    self.error(Rule::Property, message);
                }
            }
            (Ty::Unknown | Ty::Struct(_), _) => {}
            (other, _) => self.error(
                Rule::ValueType,
                format!("the member is of {other}, not of a struct"),
            ),
        }
        Info {
            form: if inner.form == Form::Place {
                Form::Place
            } else {
                Form::Value
            },
            ty,
            property: reference,
        }
    }

    fn cast(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let from = self.value(operands.expr(1));
        let byte = operands.u8(0);
        let Some(kind) = self.checker.dialect.cast_kind(byte) else {
            let engine = self.checker.dialect.engine;
            self.error(
                Rule::Version,
                format!("{byte} is no cast kind of engine {engine}"),
            );
            return Info::value(Ty::Unknown);
        };
        let (wanted, to) = match kind {
            CastKind::ObjectToInterface => (Ty::Object(None), Ty::Interface(None)),
            CastKind::ObjectToBool => (Ty::Object(None), Ty::Bool),
            CastKind::InterfaceToBool => (Ty::Interface(None), Ty::Bool),
            CastKind::DoubleToFloat => (
                Ty::Double { is_certain: true },
                Ty::Float { is_certain: true },
            ),
            CastKind::FloatToDouble => (
                Ty::Float { is_certain: true },
                Ty::Double { is_certain: true },
            ),
        };
        self.must_fit(Rule::ValueType, wanted, from, "what is cast");
        Info::value(to)
    }

    /// Elements in turn of the given types.
    fn elements(&mut self, list: &'a [Expr], types: &[Ty<'a>]) {
        for (item, to) in list.iter().zip(types.iter().cycle()) {
            let ty = self.value(item);
            self.must_fit(Rule::ValueType, *to, ty, "the element");
        }
    }

    fn text(&mut self, expr: &'a Expr) {
        let Some(Operand::Text(text)) = expr.operands.first() else {
            return;
        };
        let parts: &[Expr] = match &**text {
            TextLiteral::Empty => &[],
            TextLiteral::Localized(parts) => parts,
            TextLiteral::LocalizedWithNotes(parts) => parts,
            TextLiteral::Invariant(inner) | TextLiteral::LiteralString(inner) => {
                std::slice::from_ref(inner)
            }
            TextLiteral::StringTable(_, parts) => parts,
        };
        for part in parts {
            let ty = self.value(part);
            self.must_fit(Rule::ValueType, Ty::Str, ty, "a part of the text");
        }
    }

    fn switch(&mut self, expr: &'a Expr) -> Info<'a> {
        let Some(Operand::Switch(switch)) = expr.operands.first() else {
            return Info::value(Ty::Unknown);
        };
        let index = self.value(&switch.index);
        let mut form = Form::Place;
        let mut found = Ty::Unknown;
        let results = switch
            .cases
            .iter()
            .map(|(value, result)| (Some(value), result));
        for (value, result) in results.chain([(None, &switch.default)]) {
            if let Some(value) = value {
                let ty = self.value(value);
                self.must_fit(Rule::ValueType, index, ty, "the case");
            }
            let info = self.info(result, Object::Own);
            let ty = self.must_be_value(result, info);
            if info.form != Form::Place {
                form = Form::Value;
            }
            self.must_fit(Rule::ValueType, found, ty, "the case's result");
            if found.is_unknown() {
                found = ty;
            }
        }
        Info::of(form, found)
    }

    fn struct_literal(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let members = operands.list(2);
        for member in members {
            let info = self.info(member, Object::Own);
            // A member that has no literal is left at its default.
            if info.form != Form::Nothing {
                self.must_be_value(member, info);
            }
        }
        let Some(path) = operands.object(0) else {
            return Info::value(Ty::Unknown);
        };
        if path == &ObjectPath::new("/Script/Engine.LatentActionInfo") {
            self.latent_info(members);
        }
        Info::value(Ty::Struct(path.as_str()))
    }

    fn latent_info(&mut self, members: &[Expr]) {
        let ops: Vec<Opcode> = members.iter().map(|member| member.op).collect();
        let has_shape = matches!(
            ops.as_slice(),
            [
                Opcode::SkipOffsetConst | Opcode::IntConst,
                Opcode::IntConst,
                Opcode::NameConst,
                _
            ]
        );
        if !has_shape {
            let found: Vec<&str> = ops.iter().map(|op| op.name()).collect();
            self.error(
                Rule::LatentInfo,
                format!("the latent info consists of {}", found.join(", ")),
            );
            return;
        }
        if ops[0] == Opcode::IntConst && members[0].operands[0] != Operand::I32(-1) {
            self.error(
                Rule::LatentInfo,
                "the linkage is neither an offset nor -1".to_owned(),
            );
        }
        if let (Opcode::SkipOffsetConst, Some(Operand::Name(name))) =
            (ops[0], members[2].operands.first())
            && name != self.checker.name
        {
            let message =
                format!("the linkage leads into this script, the function to resume is {name}");
            self.error(Rule::LatentInfo, message);
        }
    }

    fn persistent_frame(&mut self, operands: &Operands<'a>) {
        let reference = operands.property(0);
        let to = self.property_exists(Opcode::LetValueOnPersistentFrame, reference);
        let ubergraph = self.checker.ubergraph;
        if let Some(reference) = reference
            && Some(&reference.owner) != ubergraph
        {
            let message = format!(
                "{} belongs to {}, not to the class's ubergraph",
                reference.name(),
                reference.owner
            );
            self.error(Rule::PersistentFrame, message);
        }
        let ty = self.value(operands.expr(1));
        self.must_fit(Rule::ValueType, to, ty, "the value");
    }
}
