//! The statements of calls: of functions, of delegates and what binds them.

use std::fmt;
use std::sync::Arc;

use bp_diag::Code;
use bp_graph::{Direction, PinCategory, PinFlags};
use bp_reflect::{FunctionFlags, Name, ObjectPath, Property, PropertyFlags, PropertyType, Value};
use smallvec::SmallVec;

use super::Lowering;
use crate::check;
use crate::expanded::{Callee, ExNodeId, ExPinId, Op, VariableRef};
use crate::ir::{Call, CallTarget, CastStatement, StatementKind, Target, TermId, TermKind};
use crate::latent;

impl<'a> Lowering<'a, '_> {
    pub(super) fn call(&mut self, id: ExNodeId, callee: Callee<'a>, is_parent: bool) {
        let is_pure = self.graph.is_pure(id);
        let is_latent = callee.function.meta.latent;
        if is_pure
            && !callee.function.is_pure()
            && !callee.function.flags.contains(FunctionFlags::CONST)
        {
            self.error(
                id,
                Code::NoExecPin,
                format!(
                    "{} is not pure, but its node has no exec pins",
                    callee.function.name
                ),
                None,
            );
        }
        self.check_reached(id, callee);
        if !is_pure {
            self.enter(id);
        }
        let Some((arguments, result, cleared)) = self.arguments(id, callee) else {
            return;
        };
        let then_is_linked = self
            .graph
            .then(id)
            .is_some_and(|then| !self.graph.pins[then].links.is_empty());
        if is_latent && then_is_linked {
            self.wire(id);
        }
        let target = self.graph.in_pin(id, "self");
        let links = target
            .map(|pin| self.graph.pins[pin].links.clone())
            .unwrap_or_default();
        let on_interface = callee.class.is_interface()
            || target.is_some_and(|pin| self.graph.pins[pin].ty.category == PinCategory::Interface);
        if links.is_empty() && !callee.function.is_static() && !is_parent {
            let default = target.and_then(|pin| self.graph.pins[pin].default.object.clone());
            if default.is_none() {
                self.check_self(id, &callee.class.path, "the function");
            }
        }
        let objects: Vec<Option<TermId>> = if links.is_empty() {
            vec![self.library_object(callee, target, is_parent)]
        } else {
            links
                .iter()
                .map(|source| self.nets.get(*source).copied())
                .collect()
        };
        for object in objects {
            let call = Call {
                target: call_target(callee),
                object,
                through_interface: on_interface && object.is_some(),
                is_parent,
                arguments: arguments.clone(),
                result,
                cleared: cleared.clone(),
            };
            self.push(id, StatementKind::Call(Arc::new(call)));
        }
        if is_latent {
            self.push(id, StatementKind::EndOfThread);
        } else if !is_pure {
            self.leave(id);
        }
    }

    /// Warns of a call that was kept although no wire leads to its exec pin.
    fn check_reached(&mut self, id: ExNodeId, callee: Callee<'a>) {
        let Some(execute) = self.graph.execute(id) else {
            return;
        };
        if self.graph.pins[execute].links.is_empty() {
            let name = self.graph.pins[execute].name.clone();
            self.error(
                id,
                Code::NeverExecuted,
                format!(
                    "the call of {} will never be executed",
                    callee.function.name
                ),
                Some(&name),
            );
        }
    }

    /// A variable that must not be written is not passed to a parameter that the function writes through.
    fn check_writable(&mut self, id: ExNodeId, pin: ExPinId, param: &Property) {
        if !param.is_out() || param.flags.contains(PropertyFlags::CONST_PARM) {
            return;
        }
        let Some(source) = self.graph.pins[pin].links.first() else {
            return;
        };
        if let Op::VariableGet(VariableRef::Member { owner, property }) =
            &self.graph.node(self.graph.pins[*source].node).op
            && check::is_read_only(self.cx, owner, property)
        {
            let message = format!(
                "{} is read-only, but `{}` is written through",
                property.name, param.name
            );
            let name = param.name.clone();
            let finding = self
                .finding(id, Code::RefReadonly, message, Some(&name))
                .hint("copy it to a variable of your own and connect that");
            self.diagnostics.push(finding);
        }
    }

    /// The default object that an unlinked Target names, if it is that of another class: how calls of
    /// Blueprint function libraries are drawn. Static native functions find theirs by themselves.
    fn library_object(
        &mut self,
        callee: Callee<'a>,
        target: Option<ExPinId>,
        is_parent: bool,
    ) -> Option<TermId> {
        if callee.function.is_static() && !callee.class.is_blueprint() {
            return None;
        }
        let object = self.graph.pins[target?].default.object.as_ref()?;
        let class = object.class_of_default_object()?;
        if is_parent || class == self.cx.class.path {
            return None;
        }
        let ty = PropertyType::Object(class.clone());
        Some(self.term(ty, TermKind::DefaultObject(class)))
    }

    /// The arguments of a call in parameter order, the term of its return value, and the array outputs
    /// that a native callee needs emptied.
    #[expect(
        clippy::type_complexity,
        reason = "the three parts of a call, taken apart at once"
    )]
    fn arguments(
        &mut self,
        id: ExNodeId,
        callee: Callee<'a>,
    ) -> Option<(Vec<TermId>, Option<TermId>, SmallVec<[TermId; 1]>)> {
        let function = callee.function;
        let stem = self.stem(id);
        let mut arguments = Vec::with_capacity(function.params.len());
        let mut result = None;
        let mut cleared = SmallVec::new();
        let graph = self.graph;
        let pins = &graph.node(id).pins;
        let mut place = 0;
        for param in &function.params {
            let side = if param.is_output() {
                Direction::Output
            } else {
                Direction::Input
            };
            let pin = self
                .graph
                .pin_near(id, &param.name, side, place)
                .or_else(|| {
                    // An output that a handler made an input: the call writes into what it is linked to.
                    let input = self.graph.in_pin(id, param.name.as_str())?;
                    (!self.graph.pins[input].links.is_empty()).then_some(input)
                });
            // Pins mostly stand in the order of parameters.
            place = pin
                .and_then(|pin| pins.iter().position(|one| *one == pin))
                .map_or(place, |at| at + 1);
            if param.is_return() {
                result = pin.and_then(|pin| self.nets.get(pin).copied());
                continue;
            }
            let Some(pin) = pin else {
                arguments.push(self.missing_argument(id, callee, param)?);
                continue;
            };
            if self.graph.pins[pin].direction == Direction::Output {
                let term = self.nets.get(pin).copied()?;
                let is_native = function.flags.contains(FunctionFlags::NATIVE);
                if is_native && matches!(param.ty, PropertyType::Array(_)) {
                    cleared.push(term);
                }
                arguments.push(term);
                continue;
            }
            if self.graph.pins[pin].links.is_empty() {
                if let Some(term) = self.special_argument(id, callee, &param.name, pin) {
                    arguments.push(term);
                    continue;
                }
                let data = &self.graph.pins[pin];
                if data.ty.is_reference && data.flags.contains(PinFlags::DEFAULT_IGNORED) {
                    let finding = self
                        .finding(
                            id,
                            Code::RefLiteral,
                            format!("`{}` takes a reference and is not connected", param.name),
                            Some(&param.name),
                        )
                        .hint("cannot pass a literal here; connect a variable");
                    self.diagnostics.push(finding);
                }
            }
            self.check_writable(id, pin, param);
            let name = &param.name;
            let term = self.converted(id, pin, format_args!("{stem}_{name}"));
            arguments.push(self.as_interface(id, pin, term, format_args!("{stem}_{name}")));
        }
        for pin in self.inputs(id).collect::<Vec<_>>() {
            let data = &self.graph.pins[pin];
            if data.links.is_empty() || data.flags.contains(PinFlags::HIDDEN) {
                continue;
            }
            if data.name != "self" && function.param(&data.name).is_none() {
                let name = data.name.clone();
                self.error(
                    id,
                    Code::FuncPinMissing,
                    format!("{} has no parameter `{name}`", function.name),
                    Some(&name),
                );
            }
        }
        Some((arguments, result, cleared))
    }

    /// An argument that unlinked pins of certain parameters get without a literal.
    fn special_argument(
        &mut self,
        id: ExNodeId,
        callee: Callee<'a>,
        name: &Name,
        pin: ExPinId,
    ) -> Option<TermId> {
        let meta = &callee.function.meta;
        if meta.latent
            && self.graph.pins[pin]
                .ty
                .object
                .as_ref()
                .is_some_and(|path| path.name() == "LatentActionInfo")
        {
            let then = self
                .graph
                .then(id)
                .filter(|then| !self.graph.pins[*then].links.is_empty());
            let node = self.graph.node(id);
            let kind = TermKind::LatentInfo {
                resume: then.map(Target::Pin),
                uuid: latent::uuid(node.guid, self.cx.engine),
                function: self.expanded.name.clone(),
            };
            let ty = PropertyType::Struct(ObjectPath::new("/Script/Engine.LatentActionInfo"));
            return Some(self.term(ty, kind));
        }
        let is_world_context =
            meta.world_context.as_ref() == Some(name) || *name == "__WorldContext";
        // A hidden object is one that the author cannot give: it is self, whether or not the metadata that
        // says so is at hand.
        let data = &self.graph.pins[pin];
        let is_hidden = data.ty.category == PinCategory::Object
            && !data.ty.is_container()
            && (data.flags.contains(PinFlags::HIDDEN) || meta.hidden.contains(name));
        let defaults_to_self =
            (meta.default_to_self.contains(name) || is_hidden) && data.default.object.is_none();
        if !is_world_context && !defaults_to_self {
            return None;
        }
        let ty = PropertyType::Object(self.cx.class.path.clone());
        if !self.expanded.signature.is_static() {
            return Some(self.term(ty, TermKind::SelfRef));
        }
        Some(self.term(ty, TermKind::Literal(Value::Object(None))))
    }

    /// The argument for a parameter that the node has no pin for: what an unlinked pin would give.
    fn missing_argument(
        &mut self,
        id: ExNodeId,
        callee: Callee<'a>,
        param: &Property,
    ) -> Option<TermId> {
        let meta = &callee.function.meta;
        if param.is_output() {
            let stem = self.stem(id);
            let base = format_args!("{stem}_{}", param.name);
            return Some(self.new_local(base, param.ty.clone(), PropertyFlags::empty()));
        }
        if meta.world_context.as_ref() == Some(&param.name) || param.name == "__WorldContext" {
            let ty = PropertyType::Object(self.cx.class.path.clone());
            let kind = if self.expanded.signature.is_static() {
                TermKind::Literal(Value::Object(None))
            } else {
                TermKind::SelfRef
            };
            return Some(self.term(ty, kind));
        }
        let text = param.default.as_deref().unwrap_or_default();
        if let Ok(value) = Value::parse(text, &param.ty, self.cx.registry) {
            Some(self.term(param.ty.clone(), TermKind::Literal(value)))
        } else {
            let finding = self
                .finding(
                    id,
                    Code::FuncPinMissing,
                    format!(
                        "parameter `{}` of {} has no pin",
                        param.name, callee.function.name
                    ),
                    None,
                )
                .hint("the node is out of date; refresh it");
            self.diagnostics.push(finding);
            None
        }
    }

    /// An object given to an interface parameter is cast first.
    fn as_interface(
        &mut self,
        id: ExNodeId,
        pin: ExPinId,
        term: TermId,
        base: fmt::Arguments<'_>,
    ) -> TermId {
        let data = &self.graph.pins[pin];
        let is_interface = data.ty.category == PinCategory::Interface && !data.ty.is_container();
        if !is_interface
            || data.links.is_empty()
            || !matches!(self.terms[term].ty, PropertyType::Object(_))
        {
            return term;
        }
        let ty = self.pin_type(pin);
        let PropertyType::Interface(interface) = ty.clone() else {
            return term;
        };
        let local = self.new_cast_local(pin, format_args!("{base}_CastInput"), ty);
        self.push(
            id,
            StatementKind::Cast(CastStatement::ObjectToInterface, local, interface, term),
        );
        local
    }

    // ---- delegates

    pub(super) fn delegate(
        &mut self,
        id: ExNodeId,
        variable: &VariableRef<'a>,
        make: fn(TermId, TermId) -> StatementKind,
    ) {
        self.enter(id);
        let value = self
            .graph
            .in_pin(id, "Delegate")
            .and_then(|pin| self.graph.pins[pin].links.first().copied())
            .and_then(|source| self.nets.get(source).copied());
        for object in self.targets_of(id) {
            let delegate =
                self.variable(id, variable, PropertyType::MulticastDelegate(None), object);
            self.push(id, make(delegate, value.unwrap_or(delegate)));
        }
        self.leave(id);
    }

    pub(super) fn call_delegate(
        &mut self,
        id: ExNodeId,
        variable: &VariableRef<'a>,
        signature: &ObjectPath,
    ) {
        self.enter(id);
        let params: Vec<Name> = self
            .cx
            .registry
            .signature(signature)
            .map(|function| {
                function
                    .arguments()
                    .map(|param| param.name.clone())
                    .collect()
            })
            .unwrap_or_default();
        let mut pins: Vec<ExPinId> = self
            .inputs(id)
            .filter(|pin| {
                let pin = &self.graph.pins[*pin];
                pin.name != "self"
                    && !matches!(
                        pin.ty.category,
                        PinCategory::Delegate | PinCategory::MulticastDelegate
                    )
            })
            .collect();
        pins.sort_by_key(|pin| {
            params
                .iter()
                .position(|name| *name == self.graph.pins[*pin].name)
        });
        let mut arguments = Vec::with_capacity(pins.len());
        for pin in pins {
            let (stem, name) = (self.stem(id), &self.graph.pins[pin].name);
            let term = self.converted(id, pin, format_args!("{stem}_{name}"));
            arguments.push(self.as_interface(id, pin, term, format_args!("{stem}_{name}")));
        }
        for object in self.targets_of(id) {
            let delegate = self.variable(
                id,
                variable,
                PropertyType::MulticastDelegate(Some(signature.clone())),
                object,
            );
            self.push(
                id,
                StatementKind::CallDelegate {
                    signature: signature.clone(),
                    delegate,
                    arguments: arguments.clone(),
                },
            );
        }
        self.leave(id);
    }

    pub(super) fn create_delegate(&mut self, id: ExNodeId, function: &Name) {
        let Some(delegate) = self
            .graph
            .data_out(id)
            .and_then(|pin| self.nets.get(pin).copied())
        else {
            return;
        };
        let target = self
            .inputs(id)
            .next()
            .filter(|pin| !self.graph.pins[*pin].links.is_empty());
        let object = if let Some(pin) = target {
            self.input(pin)
        } else {
            let ty = PropertyType::Object(self.cx.class.path.clone());
            self.term(ty, TermKind::SelfRef)
        };
        self.push(
            id,
            StatementKind::BindDelegate(delegate, function.clone(), object),
        );
    }
}

fn call_target(callee: Callee<'_>) -> CallTarget {
    CallTarget {
        class: callee.class.path.clone(),
        name: callee.function.name.clone(),
        flags: callee.function.flags,
        custom_thunk: callee.function.meta.custom_thunk,
        is_interface: callee.class.is_interface(),
        is_blueprint: callee.class.is_blueprint(),
    }
}

/// A call without target, latent action or conversions.
pub(super) fn plain_call(
    callee: Callee<'_>,
    arguments: Vec<TermId>,
    result: Option<TermId>,
) -> Call {
    Call {
        target: call_target(callee),
        object: None,
        through_interface: false,
        is_parent: false,
        arguments,
        result,
        cleared: SmallVec::new(),
    }
}
