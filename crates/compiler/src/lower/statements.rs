//! The statements of each kind of node.

use bp_bytecode::dialect::CastKind;
use bp_diag::Code;
use bp_graph::{Direction, PinCategory, PinFlags};
use bp_reflect::{EngineVersion, FunctionFlags, Name, ObjectPath, PropertyType, Value};
use smallvec::SmallVec;

use super::Lowering;
use crate::expanded::{Callee, ContainerKind, ExNodeId, ExPinId, Op, VariableRef};
use crate::ir::{Call, CallTarget, CastStatement, StatementKind, Target, TermId, TermKind};
use crate::latent;

impl<'a> Lowering<'a, '_> {
    /// Gives a node its own statements. Called in schedule order.
    pub(super) fn compile(&mut self, id: ExNodeId) {
        let op = self.graph.node(id).op.clone();
        match op {
            Op::Entry if self.expanded.is_ubergraph => {
                let entry_point = self
                    .graph
                    .data_out(id)
                    .and_then(|pin| self.nets.get(pin).copied());
                if let Some(entry_point) = entry_point {
                    self.push(id, StatementKind::ComputedGoto(entry_point));
                }
            }
            Op::Entry | Op::Event { .. } | Op::PassThrough => {
                self.enter(id);
                self.leave(id);
            }
            Op::Result => self.result(id),
            Op::Call { callee, is_parent } => self.call(id, callee, is_parent),
            Op::VariableSet(variable) => self.set(id, &variable),
            Op::Assign | Op::PureAssign => self.assign(id),
            Op::Branch => {
                self.enter(id);
                let condition = self
                    .graph
                    .in_pin(id, "Condition")
                    .map(|pin| self.input(pin));
                if let Some(condition) = condition {
                    self.goto_if_not(id, condition, "else");
                }
                self.goto_pin(id, "then");
            }
            Op::Sequence => self.sequence(id),
            Op::Switch {
                compare,
                enumeration,
            } => self.switch(id, compare, enumeration),
            Op::Cast { class, is_meta } => self.cast(id, &class, is_meta),
            Op::MakeStruct(path) => self.make_struct(id, &path),
            Op::SetFields(path) => self.set_fields(id, &path),
            Op::MakeContainer(kind) => self.make_container(id, kind),
            Op::AddDelegate(variable) => self.delegate(id, &variable, StatementKind::AddDelegate),
            Op::RemoveDelegate(variable) => {
                self.delegate(id, &variable, StatementKind::RemoveDelegate);
            }
            Op::ClearDelegate(variable) => self.delegate(id, &variable, |delegate, _| {
                StatementKind::ClearDelegate(delegate)
            }),
            Op::CallDelegate {
                variable,
                signature,
            } => self.call_delegate(id, &variable, &signature),
            Op::CreateDelegate(function) => self.create_delegate(id, &function),
            // Operands of their consumers, or nothing.
            Op::VariableGet(_)
            | Op::BreakStruct
            | Op::ElementRef
            | Op::Select(_)
            | Op::SelfRef
            | Op::ObjectLiteral(_)
            | Op::Temporary
            | Op::Gone
            | Op::Drawn => {}
        }
    }

    // ---- flow

    /// The site of a node that control enters.
    fn enter(&mut self, id: ExNodeId) {
        if self.cx.debug_sites {
            self.push(id, StatementKind::DebugSite);
        }
    }

    /// The site of an exec wire that is about to be left by.
    fn wire(&mut self, id: ExNodeId) {
        if self.cx.debug_sites {
            self.push(id, StatementKind::WireTraceSite);
        }
    }

    /// Goes on at the first exec output.
    fn leave(&mut self, id: ExNodeId) {
        self.wire(id);
        let target = self.graph.then(id).map_or(Target::End, Target::Pin);
        self.push(id, StatementKind::Goto(target));
    }

    fn goto_pin(&mut self, id: ExNodeId, name: &str) {
        self.wire(id);
        let target = self
            .graph
            .out_pin(id, name)
            .map_or(Target::End, Target::Pin);
        self.push(id, StatementKind::Goto(target));
    }

    fn goto_if_not(&mut self, id: ExNodeId, condition: TermId, name: &str) {
        self.wire(id);
        let target = self
            .graph
            .out_pin(id, name)
            .map_or(Target::End, Target::Pin);
        self.push(id, StatementKind::GotoIfNot(condition, target));
    }

    /// Linked outputs run one after the other: each but the last is left with the next one's place
    /// pushed. The release form pushes all places first.
    ///
    /// Source: 170 sequences in debug scripts; the release form is seen in cooked packages.
    fn sequence(&mut self, id: ExNodeId) {
        let outputs: Vec<ExPinId> = self
            .graph
            .node(id)
            .pins
            .iter()
            .copied()
            .filter(|pin| {
                let pin = &self.graph.pins[*pin];
                pin.is_exec() && pin.direction == Direction::Output && !pin.links.is_empty()
            })
            .collect();
        self.enter(id);
        let Some((last, before)) = outputs.split_last() else {
            self.push(id, StatementKind::EndOfThread);
            return;
        };
        if !self.cx.debug_sites {
            for output in outputs.iter().skip(1).rev() {
                self.push(id, StatementKind::PushState(Target::Pin(*output)));
            }
            self.push(id, StatementKind::Goto(Target::Pin(outputs[0])));
            return;
        }
        for output in before {
            let here = self.blocks.get(id).map_or(0, Vec::len) as u32;
            // Push, wire site, goto; then the site the pushed place names.
            self.push(id, StatementKind::PushState(Target::Within(here + 3)));
            self.wire(id);
            self.push(id, StatementKind::Goto(Target::Pin(*output)));
            self.enter(id);
        }
        self.wire(id);
        self.push(id, StatementKind::Goto(Target::Pin(*last)));
    }

    /// One comparison a case, in pin order; what matches none goes to Default.
    ///
    /// A case without link is skipped when Default has none either; else its match ends the chain, so the
    /// value does not fall into Default.
    fn switch(
        &mut self,
        id: ExNodeId,
        compare: Callee<'a>,
        enumeration: Option<&'a bp_reflect::Enum>,
    ) {
        self.enter(id);
        let drawn = self.graph.drawn(id);
        let has_default = drawn
            .and_then(|node| node.properties.flag("bHasDefaultPin"))
            .unwrap_or(self.graph.node(id).class != "K2Node_SwitchEnum");
        let default = self.graph.out_pin(id, "Default").filter(|_| has_default);
        let default_is_linked = default.is_some_and(|pin| !self.graph.pins[pin].links.is_empty());
        let Some(selection) = self.graph.in_pin(id, "Selection") else {
            self.error(
                id,
                Code::SwitchCase,
                "the switch has no Selection pin",
                None,
            );
            return;
        };
        let ty = self.pin_type(selection);
        let selected = self.input(selection);
        let result = self.node_terms.get(id).copied();
        let cases: Vec<ExPinId> = self
            .graph
            .node(id)
            .pins
            .iter()
            .copied()
            .filter(|pin| {
                let data = &self.graph.pins[*pin];
                data.is_exec() && data.direction == Direction::Output && Some(*pin) != default
            })
            .collect();
        for case in cases {
            let is_linked = !self.graph.pins[case].links.is_empty();
            if !is_linked && !default_is_linked {
                continue;
            }
            let name = self.graph.pins[case].name.clone();
            let Some(value) = self.case_value(id, &name, &ty, enumeration) else {
                continue;
            };
            let literal = self.term(ty.clone(), TermKind::Literal(value));
            let call = plain_call(compare, vec![selected, literal], result);
            self.push(id, StatementKind::Call(Box::new(call)));
            if let Some(result) = result {
                self.wire(id);
                self.push(id, StatementKind::GotoIfNot(result, Target::Pin(case)));
            }
        }
        self.wire(id);
        self.push(
            id,
            StatementKind::Goto(default.map_or(Target::End, Target::Pin)),
        );
    }

    fn case_value(
        &mut self,
        id: ExNodeId,
        name: &Name,
        ty: &PropertyType,
        enumeration: Option<&bp_reflect::Enum>,
    ) -> Option<Value> {
        if let Some(enumeration) = enumeration {
            let position = enumeration
                .entries
                .iter()
                .position(|entry| entry.name == *name);
            let value = position
                .and_then(|at| enumeration.entries[at].value)
                .or_else(
                    || match super::terms::unknown_enumerator(name.as_str(), ty) {
                        Some(Value::Int(value)) => Some(value),
                        _ => None,
                    },
                );
            if value.is_none() {
                let finding = self.finding(
                    id,
                    Code::EnumInvalid,
                    format!(
                        "the value of {}::{name} is not declared",
                        enumeration.path.name()
                    ),
                    Some(name),
                );
                self.diagnostics.push(finding);
            }
            return value.map(Value::Int);
        }
        match Value::parse(name.as_str(), ty, self.cx.registry) {
            Ok(value) => Some(value),
            Err(error) => {
                if let Some(value) = super::terms::unknown_enumerator(name.as_str(), ty) {
                    return Some(value);
                }
                self.error(
                    id,
                    Code::SwitchCase,
                    format!("case `{name}`: {error}"),
                    Some(name),
                );
                None
            }
        }
    }

    // ---- assignments

    /// Assigns a pin's value to a place, converting where the wire joins different types.
    fn assign_input(&mut self, id: ExNodeId, destination: TermId, value: ExPinId, cast_base: &str) {
        let source = self.converted(id, value, cast_base);
        self.assign_terms(id, destination, source);
    }

    /// An object stored in an interface variable is cast on the way.
    fn assign_terms(&mut self, id: ExNodeId, destination: TermId, source: TermId) {
        if let PropertyType::Interface(interface) = self.terms[destination].ty.clone() {
            let is_object = matches!(self.terms[source].ty, PropertyType::Object(_))
                && !matches!(
                    self.terms[source].kind,
                    TermKind::Literal(Value::Object(None))
                );
            if is_object {
                self.push(
                    id,
                    StatementKind::Cast(
                        CastStatement::ObjectToInterface,
                        destination,
                        interface,
                        source,
                    ),
                );
                return;
            }
        }
        self.push(id, StatementKind::Assign(destination, source));
    }

    /// The term of an input, behind a conversion statement if its wire joins reals of two precisions.
    fn converted(&mut self, id: ExNodeId, pin: ExPinId, base: &str) -> TermId {
        let term = self.input(pin);
        let Some(widens) = self.numeric_mismatch(pin) else {
            return term;
        };
        let ty = if widens {
            PropertyType::Double
        } else {
            PropertyType::Float
        };
        let kind = if widens {
            CastKind::FloatToDouble
        } else {
            CastKind::DoubleToFloat
        };
        let suffix = match (self.cx.engine == EngineVersion::new(5, 0), widens) {
            (false, _) => "_ImplicitCast",
            (true, true) => "_WideningCast",
            (true, false) => "_NarrowingCast",
        };
        let local = self.new_cast_local(&format!("{base}{suffix}"), ty);
        self.push(id, StatementKind::Convert(kind, local, term));
        local
    }

    fn set(&mut self, id: ExNodeId, variable: &VariableRef<'a>) {
        self.enter(id);
        let value = self
            .inputs(id)
            .find(|pin| self.graph.pins[*pin].name != "self");
        let Some(value) = value else { return };
        let ty = self.pin_type(value);
        let name = match variable {
            VariableRef::Member { property, .. } => property.name.clone(),
            VariableRef::Local(name) => name.clone(),
        };
        let source = self.converted(id, value, &format!("K2Node_VariableSet_{name}"));
        for object in self.targets_of(id) {
            let destination = self.variable(id, variable, ty.clone(), object);
            self.assign_terms(id, destination, source);
        }
        self.leave(id);
    }

    /// The objects a node's Target is linked to; self, as none, when it is not linked.
    fn targets_of(&mut self, id: ExNodeId) -> Vec<Option<TermId>> {
        let Some(target) = self.graph.in_pin(id, "self") else {
            return vec![None];
        };
        let links = self.graph.pins[target].links.clone();
        if links.is_empty() {
            return vec![self.object_of_variable(target)];
        }
        links
            .iter()
            .map(|source| {
                let term = self.nets.get(*source).copied()?;
                (self.terms[term].kind != TermKind::SelfRef).then_some(term)
            })
            .collect()
    }

    fn assign(&mut self, id: ExNodeId) {
        let is_pure = self.graph.is_pure(id);
        let (Some(variable), Some(value)) = (
            self.graph.in_pin(id, "Variable"),
            self.graph.in_pin(id, "Value"),
        ) else {
            return;
        };
        if self.graph.pins[variable].links.is_empty() {
            self.error(
                id,
                Code::PinRequired,
                "nothing is assigned to: `Variable` is not connected",
                Some(&Name::new("Variable")),
            );
            return;
        }
        if !is_pure {
            self.enter(id);
        }
        let destination = self.input(variable);
        let source = match self.numeric_mismatch(value) {
            None => self.input(value),
            Some(widens) => {
                let term = self.input(value);
                let ty = if widens {
                    PropertyType::Double
                } else {
                    PropertyType::Float
                };
                let kind = if widens {
                    CastKind::FloatToDouble
                } else {
                    CastKind::DoubleToFloat
                };
                // The conversion's local has the very name of the variable assigned to.
                let local = if let TermKind::Local { property, .. } =
                    self.terms[destination].kind.clone()
                {
                    self.twin_local(property.name(), ty)
                } else {
                    self.new_cast_local("K2Node_AssignmentStatement_Value_ImplicitCast", ty)
                };
                self.push(id, StatementKind::Convert(kind, local, term));
                local
            }
        };
        self.assign_terms(id, destination, source);
        if !is_pure {
            self.leave(id);
        }
    }

    fn result(&mut self, id: ExNodeId) {
        self.enter(id);
        for pin in self.inputs(id).collect::<Vec<_>>() {
            let name = self.graph.pins[pin].name.clone();
            let Some(param) = self
                .expanded
                .signature
                .params
                .iter()
                .find(|param| param.name == name)
                .cloned()
            else {
                self.error(
                    id,
                    Code::ReturnMismatch,
                    format!("the function has no output `{name}`"),
                    Some(&name),
                );
                continue;
            };
            let destination = self.local_term(&param.name, param.ty, 0, true);
            self.assign_input(
                id,
                destination,
                pin,
                &format!("K2Node_FunctionResult_{name}"),
            );
        }
        self.wire(id);
        self.push(id, StatementKind::Goto(Target::Return));
    }

    // ---- calls

    fn call(&mut self, id: ExNodeId, callee: Callee<'a>, is_parent: bool) {
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
            self.push(id, StatementKind::Call(Box::new(call)));
        }
        if is_latent {
            self.push(id, StatementKind::EndOfThread);
        } else if !is_pure {
            self.leave(id);
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
        for param in &function.params {
            let side = if param.is_output() {
                Direction::Output
            } else {
                Direction::Input
            };
            let pin = self.graph.pin(id, param.name.as_str(), side).or_else(|| {
                // An output that a handler made an input: the call writes into what it is linked to.
                let input = self.graph.in_pin(id, param.name.as_str())?;
                (!self.graph.pins[input].links.is_empty()).then_some(input)
            });
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
            let base = format!("{stem}_{}", param.name);
            let term = self.converted(id, pin, &base);
            arguments.push(self.as_interface(id, pin, term, &base));
        }
        for pin in self.inputs(id).collect::<Vec<_>>() {
            let data = &self.graph.pins[pin];
            let is_library_target = data.name == "self" || data.flags.contains(PinFlags::HIDDEN);
            if !data.links.is_empty() && !is_library_target && function.param(&data.name).is_none()
            {
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
        param: &bp_reflect::Property,
    ) -> Option<TermId> {
        let meta = &callee.function.meta;
        if param.is_output() {
            let base = format!("{}_{}", self.stem(id), param.name);
            return Some(self.new_local(
                &base,
                param.ty.clone(),
                bp_reflect::PropertyFlags::empty(),
            ));
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
    fn as_interface(&mut self, id: ExNodeId, pin: ExPinId, term: TermId, base: &str) -> TermId {
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
        let local = self.new_cast_local(&format!("{base}_CastInput"), ty);
        self.push(
            id,
            StatementKind::Cast(CastStatement::ObjectToInterface, local, interface, term),
        );
        local
    }

    // ---- casts, structs, containers

    fn cast(&mut self, id: ExNodeId, class: &ObjectPath, is_meta: bool) {
        let is_pure = self.graph.is_pure(id);
        if !is_pure {
            self.enter(id);
        }
        let (Some(source), Some(success)) =
            (self.inputs(id).next(), self.graph.out_pin(id, "bSuccess"))
        else {
            return;
        };
        let result = self.outputs(id).find(|pin| *pin != success);
        let (Some(result), Some(success)) = (
            result.and_then(|pin| self.nets.get(pin).copied()),
            self.nets.get(success).copied(),
        ) else {
            return;
        };
        let source = self.input(source);
        let from_interface = matches!(self.terms[source].ty, PropertyType::Interface(_));
        let to_interface = matches!(self.terms[result].ty, PropertyType::Interface(_))
            || self
                .cx
                .registry
                .class(class)
                .is_some_and(bp_reflect::Class::is_interface);
        let cast = match (is_meta, from_interface, to_interface) {
            (true, _, _) => CastStatement::Meta,
            (false, false, false) => CastStatement::Dynamic,
            (false, false, true) => CastStatement::ObjectToInterface,
            (false, true, true) => CastStatement::CrossInterface,
            (false, true, false) => CastStatement::InterfaceToObject,
        };
        self.push(id, StatementKind::Cast(cast, result, class.clone(), source));
        let kind = if to_interface && !is_meta {
            CastKind::InterfaceToBool
        } else {
            CastKind::ObjectToBool
        };
        self.push(id, StatementKind::Convert(kind, success, result));
        if !is_pure {
            self.goto_if_not(id, success, "CastFailed");
            self.goto_pin(id, "then");
        }
    }

    fn make_struct(&mut self, id: ExNodeId, path: &ObjectPath) {
        let Some(structure) = self
            .graph
            .data_out(id)
            .and_then(|pin| self.nets.get(pin).copied())
        else {
            return;
        };
        for pin in self.inputs(id).collect::<Vec<_>>() {
            let name = self.graph.pins[pin].name.clone();
            let property = self.struct_property(path, &name);
            let ty = self.pin_type(pin);
            let source = self.converted(id, pin, &format!("K2Node_MakeStruct_{name}"));
            let member = self.term(
                ty,
                TermKind::StructMember {
                    property,
                    structure,
                },
            );
            self.assign_terms(id, member, source);
        }
    }

    fn set_fields(&mut self, id: ExNodeId, path: &ObjectPath) {
        self.enter(id);
        let Some(reference) = self.graph.in_pin(id, "StructRef") else {
            return;
        };
        let structure = self.input(reference);
        for pin in self
            .inputs(id)
            .filter(|pin| *pin != reference)
            .collect::<Vec<_>>()
        {
            let name = self.graph.pins[pin].name.clone();
            let property = self.struct_property(path, &name);
            let ty = self.pin_type(pin);
            let source = self.converted(id, pin, &format!("K2Node_SetFieldsInStruct_{name}"));
            let member = self.term(
                ty,
                TermKind::StructMember {
                    property,
                    structure,
                },
            );
            self.assign_terms(id, member, source);
        }
        self.leave(id);
    }

    fn make_container(&mut self, id: ExNodeId, kind: ContainerKind) {
        let Some(container) = self
            .graph
            .data_out(id)
            .and_then(|pin| self.nets.get(pin).copied())
        else {
            return;
        };
        let mut elements = Vec::new();
        for pin in self.inputs(id).collect::<Vec<_>>() {
            let base = format!("{}_{}", self.stem(id), self.graph.pins[pin].name);
            elements.push(self.converted(id, pin, &base));
        }
        self.push(id, StatementKind::Fill(kind, container, elements));
    }

    // ---- delegates

    fn delegate(
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

    fn call_delegate(&mut self, id: ExNodeId, variable: &VariableRef<'a>, signature: &ObjectPath) {
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
            let base = format!("{}_{}", self.stem(id), self.graph.pins[pin].name);
            let term = self.converted(id, pin, &base);
            arguments.push(self.as_interface(id, pin, term, &base));
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

    fn create_delegate(&mut self, id: ExNodeId, function: &Name) {
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
fn plain_call(callee: Callee<'_>, arguments: Vec<TermId>, result: Option<TermId>) -> Call {
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
