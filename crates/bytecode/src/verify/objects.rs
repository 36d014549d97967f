//! What reaches other objects, and what converts references: contexts, casts, delegates.

use bp_reflect::{Name, ObjectPath};

use super::Rule;
use super::tree::{Form, Info, Object, Operands, Tree};
use super::types::{Ty, fits};
use super::world::Callee;
use crate::dialect::CastKind;
use crate::{Expr, Opcode};

impl<'a> Tree<'a, '_, '_> {
    pub(super) fn context(&mut self, expr: &'a Expr, object: Object<'a>) -> Info<'a> {
        let operands = Operands(expr);
        let ty = self.value_on(operands.expr(0), object);
        let is_class = expr.op == Opcode::ClassContext;
        let world = self.checker.world;
        let is_reachable = if let Ty::Object(class) = ty {
            !is_class || class.is_none_or(|class| world.may_hold_classes(class))
        } else {
            matches!(ty, Ty::Unknown | Ty::Class(_)) || (ty == Ty::Weak && !is_class)
        };
        if !is_reachable {
            let what = if is_class { "a class" } else { "an object" };
            self.error(
                Rule::Context,
                format!("what the context reaches through is {ty}, not {what}"),
            );
        }
        // An object's class; of a class value, the class whose default object is reached.
        let reached = match (is_class, ty) {
            (false, Ty::Object(Some(class))) | (true, Ty::Class(Some(class))) => Object::Of(class),
            _ => Object::Unknown,
        };
        let info = self.info(operands.expr(2), reached);
        if info.form == Form::Statement {
            let message = format!(
                "{} stands in a context, which holds values and calls",
                operands.expr(2).op.name()
            );
            self.error(Rule::Context, message);
        }
        if let Some(reference) = operands.property(1) {
            let kept = self.property_exists(expr.op, operands.property(1));
            let is_value = matches!(info.form, Form::Value | Form::Place | Form::Call(_));
            if is_value && !fits(world, kept, info.ty) && !fits(world, info.ty, kept) {
                let message = format!(
                    "the property of the context, {}, holds {kept}, its value is {}",
                    reference.name(),
                    info.ty
                );
                self.error(Rule::Context, message);
            }
        }
        info
    }

    pub(super) fn interface_context(&mut self, expr: &'a Expr, object: Object<'a>) -> Info<'a> {
        let ty = self.value_on(Operands(expr).expr(0), object);
        // Also found around objects whose class implements the interface in C++.
        if !matches!(ty, Ty::Unknown | Ty::Interface(_) | Ty::Object(_)) {
            self.error(
                Rule::Context,
                format!("what the context reaches through is {ty}, not an interface"),
            );
        }
        Info::value(Ty::Object(ty.class()))
    }

    /// Casts that name a class.
    pub(super) fn class_cast(&mut self, expr: &'a Expr) -> Info<'a> {
        let operands = Operands(expr);
        let class = operands.object(0);
        match class {
            None => self.error(
                Rule::ClassOperand,
                format!("{} names no class", expr.op.name()),
            ),
            Some(path) if self.checker.world.is_no_class(path) => self.error(
                Rule::ClassOperand,
                format!("{path}, which {} names, is no class", expr.op.name()),
            ),
            Some(_) => {}
        }
        let ty = self.value(operands.expr(1));
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the other cast that comes here is DynamicCast"
        )]
        let (from, to) = match expr.op {
            Opcode::MetaCast => (Ty::Class(None), Ty::Class(class)),
            Opcode::ObjToInterfaceCast => (Ty::Object(None), Ty::Interface(class)),
            Opcode::CrossInterfaceCast => (Ty::Interface(None), Ty::Interface(class)),
            Opcode::InterfaceToObjCast => (Ty::Interface(None), Ty::Object(class)),
            _ => (Ty::Object(None), Ty::Object(class)),
        };
        self.must_fit(Rule::ValueType, from, ty, "what is cast");
        Info::value(to)
    }

    /// `EX_Cast`.
    pub(super) fn cast(&mut self, operands: &Operands<'a>) -> Info<'a> {
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

    pub(super) fn multicast(&mut self, expr: &'a Expr) -> Ty<'a> {
        let place = self.place(expr);
        self.must_fit(
            Rule::DestinationType,
            Ty::Multicast(None),
            place.ty,
            "the dispatcher",
        );
        place.ty
    }

    /// `AddMulticastDelegate` and `RemoveMulticastDelegate`.
    pub(super) fn bind_multicast(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let dispatcher = self.multicast(operands.expr(0));
        let ty = self.value(operands.expr(1));
        self.must_fit(Rule::ValueType, Ty::Delegate(None), ty, "the delegate");
        if let (Ty::Multicast(Some(kept)), Ty::Delegate(Some(bound))) = (dispatcher, ty)
            && self.checker.world.are_different_signatures(kept, bound)
        {
            let message = format!(
                "the dispatcher passes the arguments of {kept}, the delegate takes {bound}'s"
            );
            self.error(Rule::Signature, message);
        }
        let bound = operands.expr(1);
        if bound.op == Opcode::InstanceDelegate {
            let own = &self.checker.compiled.class.path;
            self.takes_arguments(dispatcher, own, Operands(bound).name(0));
        }
        Info::statement()
    }

    /// That a function of the class takes the arguments that a delegate passes.
    pub(super) fn takes_arguments(&mut self, delegate: Ty<'a>, class: &ObjectPath, name: &Name) {
        let world = self.checker.world;
        if let Ty::Delegate(Some(signature)) | Ty::Multicast(Some(signature)) = delegate
            && let Callee::Found { function, is_own } = world.method(class, name)
            && let Callee::Found {
                function: wanted,
                is_own: is_own_signature,
            } = world.signature(signature)
            && world.are_different_parameters((wanted, is_own_signature), (function, is_own))
        {
            let message =
                format!("{class}:{name} does not take the arguments that {signature} passes");
            self.error(Rule::Signature, message);
        }
    }

    pub(super) fn bind_delegate(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let place = self.place(operands.expr(1));
        self.must_fit(
            Rule::DestinationType,
            Ty::Delegate(None),
            place.ty,
            "the destination",
        );
        let ty = self.value(operands.expr(2));
        self.must_fit(Rule::ValueType, Ty::Object(None), ty, "the object");
        if let Some(class) = ty.class() {
            self.takes_arguments(place.ty, class, operands.name(0));
        }
        Info::statement()
    }

    pub(super) fn call_multicast(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let dispatcher = self.multicast(operands.expr(1));
        let signature = operands.object(0);
        if let (Ty::Multicast(Some(kept)), Some(passed)) = (dispatcher, signature)
            && self.checker.world.are_different_signatures(kept, passed)
        {
            let message = format!(
                "the dispatcher passes the arguments of {kept}, the call those of {passed}"
            );
            self.error(Rule::Signature, message);
        }
        self.broadcast(signature, operands.list(2));
        Info::statement()
    }
}
