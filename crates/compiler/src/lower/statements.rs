//! The statements of each kind of node.

use std::fmt;
use std::sync::Arc;

use bp_bytecode::dialect::CastKind;
use bp_diag::Code;
use bp_graph::{Direction, PropertyValue};
use bp_reflect::{EngineVersion, FunctionFlags, Name, ObjectPath, PropertyType, Value};

use super::Lowering;
use super::calls::plain_call;
use crate::check;
use crate::expanded::{Callee, ContainerKind, ExNodeId, ExPinId, Formula, Op, VariableRef};
use crate::ir::{CastStatement, StatementKind, Target, TermId, TermKind};

impl<'a> Lowering<'a, '_> {
    /// Gives a node its own statements. Called in schedule order.
    pub(super) fn compile(&mut self, id: ExNodeId) {
        let graph = self.graph;
        match &graph.node(id).op {
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
            Op::Call { callee, is_parent } => self.call(id, *callee, *is_parent),
            Op::VariableSet(variable) => self.set(id, variable),
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
            } => self.switch(id, *compare, *enumeration),
            Op::Cast { class, is_meta } => self.cast(id, class, *is_meta),
            Op::MakeStruct(path) => self.make_struct(id, path),
            Op::SetFields(path) => self.set_fields(id, path),
            Op::MemberSet {
                variable,
                structure,
            } => self.member_set(id, variable, structure),
            Op::MakeContainer(kind) => self.make_container(id, *kind),
            Op::Formula(formula) => self.formula(id, formula),
            Op::AddDelegate(variable) => self.delegate(id, variable, StatementKind::AddDelegate),
            Op::RemoveDelegate(variable) => {
                self.delegate(id, variable, StatementKind::RemoveDelegate);
            }
            Op::ClearDelegate(variable) => self.delegate(id, variable, |delegate, _| {
                StatementKind::ClearDelegate(delegate)
            }),
            Op::CallDelegate {
                variable,
                signature,
            } => self.call_delegate(id, variable, signature),
            Op::CreateDelegate(function) => self.create_delegate(id, function),
            // A timeline is still a node, which control enters, though none leads to it.
            Op::Gone if self.graph.node(id).class == "K2Node_Timeline" => self.enter(id),
            // Operands of their consumers, or nothing.
            Op::VariableGet(_)
            | Op::BreakStruct
            | Op::MemberGet { .. }
            | Op::ElementRef
            | Op::ClassDefaults(_)
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
    pub(super) fn enter(&mut self, id: ExNodeId) {
        if self.cx.debug_sites {
            self.push(id, StatementKind::DebugSite);
        }
    }

    /// The site of an exec wire that is about to be left by.
    pub(super) fn wire(&mut self, id: ExNodeId) {
        if self.cx.debug_sites {
            self.push(id, StatementKind::WireTraceSite);
        }
    }

    /// Goes on at the first exec output.
    pub(super) fn leave(&mut self, id: ExNodeId) {
        self.wire(id);
        let target = self.graph.then(id).map_or(Target::End, Target::Pin);
        self.push(id, StatementKind::Goto(target));
    }

    pub(super) fn goto_pin(&mut self, id: ExNodeId, name: &str) {
        self.wire(id);
        let target = self
            .graph
            .out_pin(id, name)
            .map_or(Target::End, Target::Pin);
        self.push(id, StatementKind::Goto(target));
    }

    pub(super) fn goto_if_not(&mut self, id: ExNodeId, condition: TermId, name: &str) {
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
            let here = self.blocks.of(id).len() as u32;
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
            let (value, ty) = match self.tag_of_case(id, &name, compare) {
                Some(tag) => (Some(tag), PropertyType::Str),
                None => (self.case_value(id, &name, &ty, enumeration), ty.clone()),
            };
            let Some(value) = value else { continue };
            let literal = self.term(ty, TermKind::Literal(value));
            let call = plain_call(compare, vec![selected, literal], result);
            self.push(id, StatementKind::Call(Arc::new(call)));
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

    /// The text of a case's gameplay tag, which the node keeps beside its cases; the case's own name when it
    /// keeps none.
    fn tag_of_case(&self, id: ExNodeId, case: &Name, compare: Callee<'a>) -> Option<Value> {
        if compare.function.name != "NotEqual_TagTag" {
            return None;
        }
        let properties = &self.graph.drawn(id)?.properties;
        let at = properties
            .get("PinNames")?
            .elements()
            .iter()
            .position(|name| name.as_str().is_some_and(|name| *case == *name))?;
        let tags = properties.get("PinTags").map(PropertyValue::elements);
        let tag = tags
            .as_ref()
            .and_then(|tags| tags.get(at)?.get("TagName")?.as_str())
            .unwrap_or(case.as_str());
        Some(Value::Str(tag.into()))
    }

    pub(super) fn case_value(
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
    pub(super) fn assign_input(
        &mut self,
        id: ExNodeId,
        destination: TermId,
        value: ExPinId,
        cast_base: fmt::Arguments<'_>,
    ) {
        let source = self.converted(id, value, cast_base);
        self.assign_terms(id, destination, source);
    }

    /// An object stored in an interface variable is cast on the way.
    pub(super) fn assign_terms(&mut self, id: ExNodeId, destination: TermId, source: TermId) {
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

    /// The term of an input, behind a conversion statement if its wire joins reals, or structs of reals, of two
    /// precisions.
    ///
    /// `base` names the conversion's local.
    pub(super) fn converted(
        &mut self,
        id: ExNodeId,
        pin: ExPinId,
        base: fmt::Arguments<'_>,
    ) -> TermId {
        let term = self.input(pin);
        let Some(widens) = self.numeric_mismatch(pin) else {
            let conversion = self.struct_conversion(pin);
            return conversion.map_or(term, |(conversion, ty)| {
                let local = self.new_cast_local(pin, format_args!("{base}_ImplicitCast"), ty);
                let call = plain_call(conversion, vec![term], Some(local));
                self.push(id, StatementKind::Call(Arc::new(call)));
                local
            });
        };
        let kind = if widens {
            CastKind::FloatToDouble
        } else {
            CastKind::DoubleToFloat
        };
        let (suffix, ty) = self.cast_local_of(widens);
        let local = self.new_cast_local(pin, format_args!("{base}{suffix}"), ty);
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
        self.check_variable(id, variable, value);
        self.check_not_const(id, variable);
        let source = self.converted(id, value, format_args!("K2Node_VariableSet_{name}"));
        for object in self.targets_of(id) {
            let destination = self.variable(id, variable, ty.clone(), object);
            self.assign_terms(id, destination, source);
        }
        self.leave(id);
    }

    /// The pin of a variable's node has the variable's type.
    pub(super) fn check_variable(
        &mut self,
        id: ExNodeId,
        variable: &VariableRef<'a>,
        pin: ExPinId,
    ) {
        let VariableRef::Member { owner, property } = variable else {
            return;
        };
        // Of a class that is not wholly declared a variable's type may be inferred from another node.
        let registry = self.cx.registry;
        if registry.is_partial(owner) || !registry.is_ancestry_known(owner) {
            return;
        }
        let ty = &self.graph.pins[pin].ty;
        let Some(found) = ty.to_property(self.cx.registry, self.cx.engine) else {
            return;
        };
        if !check::is_same_type(&found, &property.ty) {
            let pin = self.graph.pins[pin].name.clone();
            let finding = self
                .finding(
                    id,
                    Code::VarType,
                    format!(
                        "`{pin}` is {found}, but {}.{} is {}",
                        owner.name(),
                        property.name,
                        property.ty
                    ),
                    Some(&pin),
                )
                .hint("the node is out of date; refresh it");
            self.diagnostics.push(finding);
        }
    }

    /// Whoever sets a variable may write it: its class lets Blueprints, and a const function leaves its object
    /// alone.
    fn check_not_const(&mut self, id: ExNodeId, variable: &VariableRef<'a>) {
        let VariableRef::Member { owner, property } = variable else {
            return;
        };
        let target = self.graph.in_pin(id, "self");
        let is_self = target.is_none_or(|pin| {
            let links = &self.graph.pins[pin].links;
            links.iter().all(|source| {
                matches!(
                    self.graph.node(self.graph.pins[*source].node).op,
                    Op::SelfRef
                )
            })
        });
        let is_const = self.expanded.signature.flags.contains(FunctionFlags::CONST);
        let reason = if check::is_read_only(self.cx, owner, property) {
            format!("{} lets no Blueprint write it", owner.name())
        } else if is_const && is_self {
            format!("{} is const", self.expanded.name)
        } else {
            return;
        };
        let finding = self
            .finding(
                id,
                Code::ConstWrite,
                format!("{} is read-only here", property.name),
                Some(&property.name),
            )
            .note(reason);
        self.diagnostics.push(finding);
    }

    /// The objects a node's Target is linked to; self, as none, when it is not linked.
    pub(super) fn targets_of(&mut self, id: ExNodeId) -> Vec<Option<TermId>> {
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
                    self.twin_local(value, property.name(), ty)
                } else {
                    self.new_cast_local(
                        value,
                        format_args!("K2Node_AssignmentStatement_Value_ImplicitCast"),
                        ty,
                    )
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
                format_args!("K2Node_FunctionResult_{name}"),
            );
        }
        self.wire(id);
        self.push(id, StatementKind::Goto(Target::Return));
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
            self.write_member(id, pin, path, structure, "K2Node_MakeStruct");
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
            self.write_member(id, pin, path, structure, "K2Node_SetFieldsInStruct");
        }
        self.leave(id);
    }

    /// Writes an input to the member of its name. `stem` begins the name of a conversion's temporary.
    fn write_member(
        &mut self,
        id: ExNodeId,
        pin: ExPinId,
        path: &ObjectPath,
        structure: TermId,
        stem: &str,
    ) {
        let name = self.graph.pins[pin].name.clone();
        let property = self.struct_property(path, &name);
        let ty = self.pin_type(pin);
        let source = self.converted(id, pin, format_args!("{stem}_{name}"));
        let member = self.term(
            ty,
            TermKind::StructMember {
                property,
                structure,
            },
        );
        self.assign_terms(id, member, source);
        self.set_override(id, path, &name, structure);
    }

    /// Switches on the member that says whether another one counts: `bOverride_<member>`, in nodes made since
    /// such members have no pins of their own.
    ///
    /// Source: the `PostProcessSettings` of 2 real functions of 5.3. That the name tells the two members apart
    /// is assumed; the engine reads it from metadata.
    fn set_override(&mut self, id: ExNodeId, path: &ObjectPath, member: &Name, structure: TermId) {
        let Some(node) = self.graph.drawn(id) else {
            return;
        };
        if node
            .properties
            .get("bMadeAfterOverridePinRemoval")
            .and_then(PropertyValue::as_bool)
            != Some(true)
        {
            return;
        }
        let name = Name::new(format!("bOverride_{member}"));
        let is_declared =
            self.cx.registry.structure(path).is_some_and(|structure| {
                structure.members.iter().any(|member| member.name == name)
            });
        if !is_declared {
            return;
        }
        let property = self.struct_property(path, &name);
        let switch = self.term(
            PropertyType::Bool,
            TermKind::StructMember {
                property,
                structure,
            },
        );
        let on = self.term(PropertyType::Bool, TermKind::Literal(Value::Bool(true)));
        self.assign_terms(id, switch, on);
    }

    /// One assignment of calls within calls. Reals of the other precision are converted by calls too.
    ///
    /// Source: 1 node in a real package. Its locals are the engine's as well: an input that needs a
    /// conversion leaves one nothing uses for the parameter it feeds, and one for the node's pin.
    fn formula(&mut self, id: ExNodeId, formula: &Formula<'a>) {
        let result = self
            .graph
            .data_out(id)
            .and_then(|pin| self.nets.get(pin).copied());
        let Some(result) = result else { return };
        let value = self.formula_term(id, formula, None);
        for pin in self.inputs(id).collect::<Vec<_>>() {
            if let Some(widens) = self.numeric_mismatch(pin) {
                let (stem, name) = (self.stem(id), &self.graph.pins[pin].name);
                self.unused_cast_local(pin, format_args!("{stem}_{name}"), widens);
            }
        }
        self.push(id, StatementKind::Assign(result, value));
    }

    /// `sink` is the function and parameter that the value goes to.
    fn formula_term(
        &mut self,
        id: ExNodeId,
        formula: &Formula<'a>,
        sink: Option<(Callee<'a>, &bp_reflect::Property)>,
    ) -> TermId {
        match formula {
            Formula::Input(pin) => {
                let term = self.input(*pin);
                let Some(widens) = self.numeric_mismatch(*pin) else {
                    return term;
                };
                if let Some((callee, param)) = sink {
                    let base = format_args!("CallFunc_{}_{}", callee.function.name, param.name);
                    self.unused_cast_local(*pin, base, widens);
                }
                let (name, ty) = if widens {
                    ("Conv_FloatToDouble", PropertyType::Double)
                } else {
                    ("Conv_DoubleToFloat", PropertyType::Float)
                };
                let Some(conversion) = self.cx.native("KismetMathLibrary", name) else {
                    self.error(
                        id,
                        Code::FuncNotFound,
                        format!("KismetMathLibrary.{name} is not declared"),
                        None,
                    );
                    return term;
                };
                let call = plain_call(conversion, vec![term], None);
                self.term(ty, TermKind::Call(Arc::new(call)))
            }
            Formula::Call { callee, operands } => {
                let params = callee.function.arguments();
                let arguments = operands
                    .iter()
                    .zip(params)
                    .map(|(operand, param)| self.formula_term(id, operand, Some((*callee, param))))
                    .collect();
                let ty = callee
                    .function
                    .return_param()
                    .map_or(PropertyType::Wildcard, |param| param.ty.clone());
                let call = plain_call(*callee, arguments, None);
                self.term(ty, TermKind::Call(Arc::new(call)))
            }
        }
    }

    fn unused_cast_local(&mut self, pin: ExPinId, base: fmt::Arguments<'_>, widens: bool) {
        let (suffix, ty) = self.cast_local_of(widens);
        self.new_cast_local(pin, format_args!("{base}{suffix}"), ty);
    }

    /// How the local of an implicit conversion ends, and its type.
    fn cast_local_of(&self, widens: bool) -> (&'static str, PropertyType) {
        let suffix = match (self.cx.engine == EngineVersion::new(5, 0), widens) {
            (false, _) => "_ImplicitCast",
            (true, true) => "_WideningCast",
            (true, false) => "_NarrowingCast",
        };
        let ty = if widens {
            PropertyType::Double
        } else {
            PropertyType::Float
        };
        (suffix, ty)
    }

    /// Writes members of a struct variable: each input, in order.
    fn member_set(&mut self, id: ExNodeId, variable: &VariableRef<'a>, path: &ObjectPath) {
        self.enter(id);
        let ty = PropertyType::Struct(path.clone());
        let structure = self.variable(id, variable, ty, None);
        for pin in self.inputs(id).collect::<Vec<_>>() {
            self.write_member(id, pin, path, structure, "K2Node_StructMemberSet");
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
            let (stem, name) = (self.stem(id), &self.graph.pins[pin].name);
            elements.push(self.converted(id, pin, format_args!("{stem}_{name}")));
        }
        self.push(id, StatementKind::Fill(kind, container, elements));
    }
}
