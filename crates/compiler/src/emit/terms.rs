//! Terms as expressions.

use bp_bytecode::{Opcode, PropertyRef};
use bp_diag::{Code, Diagnostic, Place};
use bp_reflect::{Name, ObjectPath, PropertyType};

use super::Emitter;
use crate::ir::{Target, TermId, TermKind};

impl<'a> Emitter<'a, '_> {
    /// The property a term's value is in, if it is in one.
    pub(super) fn property_of(&self, term: TermId) -> Option<&'a PropertyRef> {
        match &self.ir.terms[term].kind {
            TermKind::Local { property, .. }
            | TermKind::Member { property, .. }
            | TermKind::StructMember { property, .. }
            | TermKind::ClassDefault { property, .. } => Some(property),
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

    /// A variable of the given kind.
    pub(super) fn variable(&mut self, op: Opcode, property: &PropertyRef) {
        self.builder.open(op);
        self.builder.property(Some(property));
        self.builder.close();
    }

    /// The expression that reads a term, or names its place.
    pub(super) fn term(&mut self, id: TermId) {
        if let Some((start, end)) = self.written.get(id) {
            self.builder.again(*start, *end);
            return;
        }
        let ir = self.ir;
        let term = &ir.terms[id];
        let start = self.builder.position();
        let n_problems = self.problems.len();
        let is_alike = match &term.kind {
            TermKind::Local { property, is_out } => {
                let op = if *is_out {
                    Opcode::LocalOutVariable
                } else {
                    Opcode::LocalVariable
                };
                self.variable(op, property);
                true
            }
            TermKind::Member {
                property,
                object: None,
            } => {
                self.variable(Opcode::InstanceVariable, property);
                true
            }
            TermKind::Member {
                property,
                object: Some(object),
            } => {
                self.builder.open(Opcode::Context);
                self.object(*object);
                self.builder.property(Some(property));
                self.variable(Opcode::InstanceVariable, property);
                self.builder.close();
                false
            }
            TermKind::StructMember {
                property,
                structure,
            } => {
                self.builder.open(Opcode::StructMemberContext);
                self.builder.property(Some(property));
                self.term(*structure);
                self.builder.close();
                false
            }
            TermKind::ClassDefault { property, class } => {
                self.builder.open(Opcode::ClassContext);
                self.term(*class);
                self.builder.property(Some(property));
                self.variable(Opcode::DefaultVariable, property);
                self.builder.close();
                false
            }
            TermKind::Call(call) => {
                self.call(call);
                false
            }
            TermKind::Literal(value) => {
                self.literal(value, &term.ty, None);
                true
            }
            TermKind::SelfRef => {
                self.builder.leaf(Opcode::Self_);
                true
            }
            TermKind::DefaultObject(class) => {
                self.default_object(class);
                true
            }
            TermKind::Switch {
                index,
                cases,
                default,
            } => {
                self.builder.open(Opcode::SwitchValue);
                let switch = self.builder.open_switch(cases.len());
                self.term(*index);
                for (literal, option) in cases {
                    self.term(*literal);
                    let case = self.builder.open_case();
                    self.term(*option);
                    self.builder.close_case(&case);
                }
                self.term(*default);
                self.builder.close_switch(&switch);
                self.builder.close();
                false
            }
            TermKind::Element { array, index } => {
                self.pair(Opcode::ArrayGetByRef, *array, *index);
                false
            }
            TermKind::EventOffset(event) => {
                self.event_offset(event);
                false
            }
            TermKind::LatentInfo {
                resume,
                uuid,
                function,
            } => {
                self.latent_info(*resume, *uuid, function);
                false
            }
        };
        // A literal with a problem tells it wherever it is read.
        if is_alike && self.problems.len() == n_problems {
            self.written.insert(id, (start, self.builder.position()));
        }
    }

    /// The place of an event in the ubergraph.
    fn event_offset(&mut self, event: &Name) {
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
        self.int(offset.map_or(-1, |offset| offset.0 as i32));
    }

    /// Where a latent call resumes, its id, the ubergraph, the object. The engine's struct has 32 bytes in every
    /// version seen (4.24 - 5.6).
    fn latent_info(&mut self, resume: Option<Target>, uuid: i32, function: &Name) {
        self.builder.open(Opcode::StructConst);
        let structure = ObjectPath::new("/Script/Engine.LatentActionInfo");
        self.builder.object(Some(&structure));
        self.builder.i32(32);
        self.builder.open_list(4);
        match resume {
            Some(target) => self.jump(Opcode::SkipOffsetConst, target),
            None => self.int(-1),
        }
        self.int(uuid);
        self.builder.open(Opcode::NameConst);
        self.builder.name(function);
        self.builder.close();
        self.builder.leaf(Opcode::Self_);
        self.builder.close_list();
        self.builder.close();
    }

    /// An `EX_IntConst`.
    pub(super) fn int(&mut self, value: i32) {
        self.builder.open(Opcode::IntConst);
        self.builder.i32(value);
        self.builder.close();
    }

    /// The expression of an object to work on; an interface is reached through its object.
    fn object(&mut self, id: TermId) {
        if matches!(self.ir.terms[id].ty, PropertyType::Interface(_)) {
            self.unary(Opcode::InterfaceContext, id);
        } else {
            self.term(id);
        }
    }

    /// An object literal, or the null object.
    pub(super) fn object_const(&mut self, object: Option<&ObjectPath>) {
        if object.is_some() {
            self.builder.open(Opcode::ObjectConst);
            self.builder.object(object);
            self.builder.close();
        } else {
            self.builder.leaf(Opcode::NoObject);
        }
    }

    /// The default object of a class, as a literal.
    pub(super) fn default_object(&mut self, class: &ObjectPath) {
        self.builder.open(Opcode::ObjectConst);
        self.builder.default_object(class);
        self.builder.close();
    }
}
