//! Roles and types of expressions: one pass over each tree, from the leaves up.

use bp_reflect::{Name, ObjectPath, Property, PropertyFlags};

use super::Rule;
use super::script::Checker;
use super::types::{Element, ROTATOR, TRANSFORM, Ty, VECTOR, VECTOR3F, fits};
use super::world::Resolved;
use crate::{CodeOffset, Expr, Opcode, Operand, PropertyRef, Script, Statement, Target};

/// How a transaction can be closed: kept, undone, undone with the one around it.
const LAST_STOP_MODE: u8 = 2;

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
    pub(super) fn statement() -> Self {
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

    pub(super) fn property(&self, index: usize) -> Option<&'a PropertyRef> {
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

    pub(super) fn i32(&self, index: usize) -> i32 {
        let Operand::I32(value) = &self.0.operands[index] else {
            unreachable!("the row has an int here")
        };
        *value
    }

    pub(super) fn u8(&self, index: usize) -> u8 {
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

    pub(super) fn value_on(&mut self, expr: &'a Expr, object: Object<'a>) -> Ty<'a> {
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
    pub(super) fn place(&mut self, expr: &'a Expr) -> Info<'a> {
        let info = self.info(expr, Object::Own);
        if info.form != Form::Place {
            let message = format!("{} stands where a place belongs", expr.op.name());
            self.error(Rule::Place, message);
            return Info::of(Form::Place, Ty::Unknown);
        }
        info
    }

    pub(super) fn must_fit(&mut self, rule: Rule, to: Ty<'_>, from: Ty<'_>, what: &str) {
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
            Opcode::Return => self.return_(&operands),
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
                self.error(
                    Rule::Value,
                    "EX_BitFieldConst stands outside of a struct literal".to_owned(),
                );
                Info::value(Ty::Bool)
            }
            Opcode::ClassContext | Opcode::Context | Opcode::ContextFailSilent => {
                self.context(expr, object)
            }
            Opcode::MetaCast
            | Opcode::DynamicCast
            | Opcode::InterfaceToObjCast
            | Opcode::ObjToInterfaceCast
            | Opcode::CrossInterfaceCast => self.class_cast(expr),
            Opcode::LetBool => self.store(&operands, Ty::Bool),
            Opcode::Self_ => Info::value(match object {
                Object::Own => Ty::Object(Some(&self.checker.compiled.class.path)),
                Object::Of(class) => Ty::Object(Some(class)),
                Object::Unknown => Ty::Object(None),
            }),
            Opcode::Skip => {
                self.error(
                    Rule::Version,
                    "EX_Skip is executed by no engine version".to_owned(),
                );
                self.info(operands.expr(0), object)
            }
            Opcode::VirtualFunction | Opcode::LocalVirtualFunction => {
                self.call_named(expr.op, operands.name(0), operands.list(1), object)
            }
            Opcode::FinalFunction | Opcode::LocalFinalFunction | Opcode::CallMath => {
                self.call(expr.op, operands.object(0), operands.list(1), object)
            }
            Opcode::IntConst | Opcode::IntZero | Opcode::IntOne | Opcode::IntConstByte => {
                Info::value(Ty::Int)
            }
            Opcode::FloatConst => Info::value(Ty::Float { is_certain: true }),
            Opcode::DoubleConst => Info::value(Ty::Double { is_certain: true }),
            Opcode::StringConst | Opcode::UnicodeStringConst => Info::value(Ty::Str),
            Opcode::ObjectConst => Info::value(self.checker.world.constant(operands.object(0))),
            Opcode::NoObject => Info::value(Ty::Object(None)),
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
            Opcode::StructConst => self.struct_literal(&operands),
            Opcode::SetArray | Opcode::SetSet | Opcode::SetMap => self.fill(expr),
            Opcode::ArrayConst | Opcode::SetConst | Opcode::MapConst => {
                self.container_literal(expr)
            }
            Opcode::PropertyConst => {
                if operands.property(0).is_some() {
                    self.property_exists(expr.op, operands.property(0));
                }
                Info::value(Ty::FieldPath)
            }
            Opcode::Int64Const => Info::value(Ty::Int64),
            Opcode::UInt64Const => Info::value(Ty::UInt64),
            Opcode::Cast => self.cast(&operands),
            Opcode::StructMemberContext => self.struct_member(expr, object),
            Opcode::LetMulticastDelegate => self.store(&operands, Ty::Multicast(None)),
            Opcode::LetDelegate => self.store(&operands, Ty::Delegate(None)),
            Opcode::LetObj => self.store(&operands, Ty::Object(None)),
            Opcode::LetWeakObjPtr => self.store(&operands, Ty::Weak),
            Opcode::InstanceDelegate => Info::value(Ty::Delegate(None)),
            Opcode::ComputedJump => self.computed_jump(operands.expr(0)),
            Opcode::PopExecutionFlowIfNot | Opcode::AutoRtfmAbortIfNot => {
                self.condition(operands.expr(0));
                Info::statement()
            }
            Opcode::InterfaceContext => self.interface_context(expr, object),
            Opcode::SkipOffsetConst => Info::value(Ty::Int),
            Opcode::AddMulticastDelegate | Opcode::RemoveMulticastDelegate => {
                self.bind_multicast(&operands)
            }
            Opcode::ClearMulticastDelegate => {
                self.multicast(operands.expr(0));
                Info::statement()
            }
            Opcode::BindDelegate => self.bind_delegate(&operands),
            Opcode::CallMulticastDelegate => self.call_multicast(&operands),
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
            Opcode::AutoRtfmTransact => self.transaction(&operands),
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
    pub(super) fn property_exists(
        &mut self,
        op: Opcode,
        property: Option<&'a PropertyRef>,
    ) -> Ty<'a> {
        self.found(op, property)
            .map_or(Ty::Unknown, |found| found.1)
    }

    /// What a container of the property's type holds.
    pub(super) fn element_property(
        &mut self,
        op: Opcode,
        property: Option<&'a PropertyRef>,
    ) -> Option<Element<'a>> {
        self.found(op, property)?.2
    }

    fn found(
        &mut self,
        op: Opcode,
        property: Option<&'a PropertyRef>,
    ) -> Option<(&'a Property, Ty<'a>, Option<Element<'a>>)> {
        let Some(reference) = property else {
            self.error(Rule::Property, format!("{} names no property", op.name()));
            return None;
        };
        match self.checker.world.resolve(reference) {
            Resolved::Found {
                property,
                ty,
                element,
            } => Some((property, ty, element)),
            Resolved::Unknown => None,
            Resolved::Missing => {
                let names: Vec<&str> = reference.path.iter().map(Name::as_str).collect();
                let message = format!("{} has no property {}", reference.owner, names.join(" in "));
                self.error(Rule::Property, message);
                None
            }
        }
    }

    /// A property that is reached at its own place, as elements of containers are not.
    fn whole(&mut self, op: Opcode, property: Option<&'a PropertyRef>) -> Ty<'a> {
        if let Some(reference) = property
            && reference.path.len() > 1
        {
            let message = format!(
                "{} reaches the element {} of a container as if it were a variable",
                op.name(),
                reference.name()
            );
            self.error(Rule::Property, message);
        }
        self.property_exists(op, property)
    }

    fn local(&mut self, expr: &'a Expr) -> Info<'a> {
        let reference = Operands(expr).property(0);
        self.whole(expr.op, reference);
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
        let Some(Resolved::Found { property, ty, .. }) =
            reference.map(|reference| self.checker.world.resolve(reference))
        else {
            return Info::of(Form::Place, Ty::Unknown);
        };
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
        let ty = self.whole(expr.op, reference);
        let class = match object {
            Object::Own => Some(&self.checker.compiled.class.path),
            Object::Of(class) => Some(class),
            Object::Unknown => None,
        };
        let is_sparse = expr.op == Opcode::ClassSparseDataVariable;
        if let (Some(reference), Some(class), false) = (reference, class, is_sparse) {
            let world = self.checker.world;
            let is_elsewhere = match object {
                Object::Own => world.is_child_of(class, &reference.owner) == Some(false),
                // A member of a child may be reached, since some functions return a child of what
                // they declare.
                Object::Of(_) | Object::Unknown => {
                    world.are_unrelated_classes(class, &reference.owner)
                }
            };
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

    fn return_(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let info = self.info(operands.expr(0), Object::Own);
        let result = self.checker.function.return_param();
        match (result, info.form) {
            (None, Form::Nothing) => {}
            (None, _) => self.error(
                Rule::Return,
                format!(
                    "{} is returned by a function that returns nothing",
                    operands.expr(0).op.name()
                ),
            ),
            (Some(result), Form::Nothing) => self.error(
                Rule::Return,
                format!(
                    "nothing is returned by a function that returns {}",
                    result.ty
                ),
            ),
            (Some(result), _) => {
                let ty = self.must_be_value(operands.expr(0), info);
                let to = Ty::of_property(result, true);
                self.must_fit(Rule::ValueType, to, ty, "the result");
            }
        }
        Info::statement()
    }

    /// A constant offset is checked here; any other is when it is reached.
    fn computed_jump(&mut self, offset: &'a Expr) -> Info<'a> {
        let ty = self.value(offset);
        self.must_fit(Rule::ValueType, Ty::Int, ty, "the offset");
        let constant = match (offset.op, offset.operands.first()) {
            (Opcode::IntConst, Some(Operand::I32(value))) => Some(*value as u32),
            (Opcode::IntConstByte, Some(Operand::U8(value))) => Some(u32::from(*value)),
            (Opcode::IntZero, _) => Some(0),
            (Opcode::IntOne, _) => Some(1),
            _ => None,
        };
        if let Some(target) = constant.map(CodeOffset)
            && self.script.statement_at(target).is_none()
        {
            let message =
                format!("EX_ComputedJump leads to {target}, which is no start of a statement");
            self.error(Rule::Target, message);
        }
        Info::statement()
    }

    /// Statements that run as one transaction. A jump out of it would leave it open for good, and one
    /// back to its start would open it again inside itself.
    fn transaction(&mut self, operands: &Operands<'a>) -> Info<'a> {
        if let Operand::Target(Target::Offset(target)) = &operands.0.operands[1]
            && *target <= self.at
        {
            let message =
                format!("an aborted transaction goes on at {target}, which is not behind it");
            self.error(Rule::Transaction, message);
        }
        if operands.i32(0) != operands.i32(3) {
            let message = format!(
                "transaction {} is closed as transaction {}",
                operands.i32(0),
                operands.i32(3)
            );
            self.error(Rule::Transaction, message);
        }
        if operands.u8(4) > LAST_STOP_MODE {
            let message = format!("{} is no way to close a transaction", operands.u8(4));
            self.error(Rule::Transaction, message);
        }
        for statement in operands.list(2) {
            if statement.op == Opcode::EndOfScript {
                self.error(
                    Rule::EndOfScript,
                    "EX_EndOfScript stands before the end".to_owned(),
                );
                continue;
            }
            let is_jump = matches!(
                statement.op,
                Opcode::Jump
                    | Opcode::JumpIfNot
                    | Opcode::ComputedJump
                    | Opcode::PushExecutionFlow
                    | Opcode::PopExecutionFlow
                    | Opcode::PopExecutionFlowIfNot
            );
            // What is to be done after an abort would lie outside of the outer one.
            if is_jump || statement.op == Opcode::AutoRtfmTransact {
                let message = format!("{} stands in a transaction", statement.op.name());
                self.error(Rule::Transaction, message);
            }
            self.statement(statement);
        }
        Info::statement()
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
        } else if let (Some(_), None) = (operands.property(0), place.property) {
            let named = self.property_exists(Opcode::Let, operands.property(0));
            self.must_fit(
                Rule::LetProperty,
                named,
                place.ty,
                "the destination that the property describes",
            );
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
        let stored = operands.expr(1);
        if stored.op == Opcode::InstanceDelegate {
            let own = &self.checker.compiled.class.path;
            self.takes_arguments(place.ty, own, Operands(stored).name(0));
        }
        let to = if is_fit && !place.ty.is_unknown() {
            place.ty
        } else {
            kept
        };
        self.must_fit(Rule::ValueType, to, ty, "the value");
        Info::statement()
    }

    fn struct_member(&mut self, expr: &'a Expr, object: Object<'a>) -> Info<'a> {
        let operands = Operands(expr);
        let reference = operands.property(0);
        let ty = self.whole(expr.op, reference);
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

    fn persistent_frame(&mut self, operands: &Operands<'a>) {
        let reference = operands.property(0);
        let to = self.whole(Opcode::LetValueOnPersistentFrame, reference);
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
