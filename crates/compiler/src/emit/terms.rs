//! Terms as expressions.

use bp_bytecode::{Expr, Opcode, Operand, PropertyRef, Switch};
use bp_diag::{Code, Diagnostic, Place};
use bp_reflect::{Name, ObjectPath, PropertyType};

use super::Emitter;
use crate::ir::{Term, TermId, TermKind};

impl Emitter<'_, '_> {
    /// The property a term's value is in, if it is in one.
    pub(super) fn property_of(&self, term: TermId) -> Option<PropertyRef> {
        match &self.ir.terms[term].kind {
            TermKind::Local { property, .. }
            | TermKind::Member { property, .. }
            | TermKind::StructMember { property, .. }
            | TermKind::ClassDefault { property, .. } => Some(property.clone()),
            TermKind::Call(_)
            | TermKind::Literal(_)
            | TermKind::SelfRef
            | TermKind::DefaultObject(_)
            | TermKind::Switch { .. }
            | TermKind::Element { .. }
            | TermKind::EventOffset(_)
            | TermKind::LatentInfo { .. } => None,
        }
    }

    /// The expression that reads a term, or names its place.
    pub(super) fn term(&mut self, id: TermId) -> Expr {
        let ir = self.ir;
        self.term_expr(&ir.terms[id])
    }

    pub(super) fn term_expr(&mut self, term: &Term) -> Expr {
        match &term.kind {
            TermKind::Local { property, is_out } => {
                let op = if *is_out {
                    Opcode::LocalOutVariable
                } else {
                    Opcode::LocalVariable
                };
                Expr::variable(op, property.clone())
            }
            TermKind::Member { property, object } => {
                let variable = Expr::variable(Opcode::InstanceVariable, property.clone());
                match object {
                    None => variable,
                    Some(object) => {
                        let object = self.object(*object);
                        Expr::context(Opcode::Context, object, Some(property.clone()), variable)
                    }
                }
            }
            TermKind::StructMember {
                property,
                structure,
            } => {
                let inner = self.term(*structure);
                Expr::new(
                    Opcode::StructMemberContext,
                    vec![
                        Operand::Property(Some(property.clone())),
                        Operand::Expr(inner),
                    ],
                )
            }
            TermKind::ClassDefault { property, class } => {
                let class = self.term(*class);
                let variable = Expr::variable(Opcode::DefaultVariable, property.clone());
                Expr::context(
                    Opcode::ClassContext,
                    class,
                    Some(property.clone()),
                    variable,
                )
            }
            TermKind::Call(call) => self.call(call),
            TermKind::Literal(value) => self.literal(value, &term.ty, None),
            TermKind::SelfRef => Expr::leaf(Opcode::Self_),
            TermKind::DefaultObject(class) => object_const(Some(class.default_object())),
            TermKind::Switch {
                index,
                cases,
                default,
            } => {
                let switch = Switch {
                    index: self.term(*index),
                    cases: cases
                        .iter()
                        .map(|(literal, option)| (self.term(*literal), self.term(*option)))
                        .collect(),
                    default: self.term(*default),
                };
                Expr::new(Opcode::SwitchValue, vec![Operand::Switch(Box::new(switch))])
            }
            TermKind::Element { array, index } => {
                let array = self.term(*array);
                let index = self.term(*index);
                Expr::binary(Opcode::ArrayGetByRef, array, index)
            }
            TermKind::EventOffset(event) => {
                let offset = self.cx.event_offsets.get(event).copied();
                if offset.is_none() {
                    self.problems.push(
                        Diagnostic::new(
                            Code::NoEventCode,
                            format!("the ubergraph has no code for the event {event}"),
                        )
                        .place(Place {
                            graph: Some(self.ir.function.name.to_string()),
                            ..Place::default()
                        }),
                    );
                }
                // The problem keeps the function out of the package, and the placeholder with it.
                Expr::int(offset.map_or(-1, |offset| offset.0 as i32))
            }
            TermKind::LatentInfo {
                resume,
                uuid,
                function,
            } => {
                let linkage = match resume {
                    Some(target) => Expr::target(Opcode::SkipOffsetConst, self.target(*target)),
                    None => Expr::int(-1),
                };
                latent_info(linkage, *uuid, function)
            }
        }
    }

    /// The expression of an object to work on; an interface is reached through its object.
    pub(super) fn object(&mut self, id: TermId) -> Expr {
        let expr = self.term(id);
        if matches!(self.ir.terms[id].ty, PropertyType::Interface(_)) {
            return Expr::unary(Opcode::InterfaceContext, expr);
        }
        expr
    }
}

/// Where it resumes, its id, the ubergraph, the object. The engine's struct has 32 bytes in every
/// version seen (4.24 - 5.6).
fn latent_info(linkage: Expr, uuid: i32, function: &Name) -> Expr {
    Expr::new(
        Opcode::StructConst,
        vec![
            Operand::Object(Some(ObjectPath::new("/Script/Engine.LatentActionInfo"))),
            Operand::I32(32),
            Operand::List(vec![
                linkage,
                Expr::int(uuid),
                Expr::new(Opcode::NameConst, vec![Operand::Name(function.clone())]),
                Expr::leaf(Opcode::Self_),
            ]),
        ],
    )
}

/// An object literal, or the null object.
pub(super) fn object_const(object: Option<ObjectPath>) -> Expr {
    match object {
        Some(_) => Expr::new(Opcode::ObjectConst, vec![Operand::Object(object)]),
        None => Expr::leaf(Opcode::NoObject),
    }
}
