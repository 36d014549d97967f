//! Terms: what each pin stands for.

use std::fmt;

use bp_bytecode::PropertyRef;
use bp_diag::Code;
use bp_graph::{Direction, PinCategory, PinType};
use bp_reflect::{Name, ObjectPath, Property, PropertyFlags, PropertyType, Value};

use super::Lowering;
use crate::expanded::{ExNodeId, ExPinId, IndexKind, Op, VariableRef};
use crate::ir::{TermId, TermKind};
use crate::nodes;

/// What the locals of a node are called after.
#[derive(Clone, Copy)]
pub(super) enum Stem<'x> {
    /// Of a call: the function.
    Call(&'x Name),
    /// Of a temporary: the word of its category, and the variable's name if it has one.
    Temporary(&'static str, Option<&'x Name>),
    /// Of other nodes.
    Node(&'x Name),
}

impl fmt::Display for Stem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(function) => write!(f, "CallFunc_{function}"),
            Self::Temporary(category, None) => write!(f, "Temp_{category}"),
            Self::Temporary(category, Some(name)) => write!(f, "Temp_{category}_{name}"),
            Self::Node(name) => name.fmt(f),
        }
    }
}

impl<'a, 'x> Lowering<'a, 'x> {
    /// Event parameters get their names before anything else, in the order stubs are made.
    pub(super) fn name_event_parameters(&mut self) {
        for event in self.expanded.events.clone() {
            for pin in self.graph.pins_of(event) {
                if self.is_event_parameter(pin) {
                    let stem = self.stem(event);
                    let pin_name = &self.graph.pins[pin].name;
                    let name = self.names.make(format_args!("{stem}_{pin_name}"));
                    let ty = self.pin_type(pin);
                    let term = self.local_term(&name, ty, 0, false);
                    self.nets.insert(pin, term);
                }
            }
        }
    }

    fn is_event_parameter(&self, pin: ExPinId) -> bool {
        let pin = &self.graph.pins[pin];
        pin.direction == Direction::Output && !pin.is_exec() && pin.name != "OutputDelegate"
    }

    /// The property type of a pin; a pin without one is reported.
    pub(super) fn pin_type(&mut self, pin: ExPinId) -> PropertyType {
        let ty = &self.graph.pins[pin].ty;
        if let Some(found) = ty.to_property(self.cx.registry, self.cx.engine)
            && found != PropertyType::Wildcard
        {
            return found;
        }
        let node = self.graph.pins[pin].node;
        let name = self.graph.pins[pin].name.clone();
        let finding = self
            .finding(
                node,
                Code::Wildcard,
                format!("the type of `{name}` is undetermined"),
                Some(&name),
            )
            .hint("connect the pin to something that has a type");
        self.diagnostics.push(finding);
        PropertyType::Wildcard
    }

    /// What the locals of a node are called after.
    pub(super) fn stem(&self, id: ExNodeId) -> Stem<'x> {
        let graph = self.graph;
        let node = graph.node(id);
        match &node.op {
            Op::Call { callee, .. } => {
                Stem::Call(node.stem.as_ref().unwrap_or(&callee.function.name))
            }
            Op::Temporary => {
                let pin = graph.data_out(id);
                let category = pin.map_or("", |pin| graph.pins[pin].ty.category.word());
                Stem::Temporary(category, node.stem.as_ref())
            }
            Op::Drawn
            | Op::Gone
            | Op::Entry
            | Op::Result
            | Op::Event { .. }
            | Op::VariableGet(_)
            | Op::VariableSet(_)
            | Op::Branch
            | Op::Sequence
            | Op::Switch { .. }
            | Op::Cast { .. }
            | Op::MakeStruct(_)
            | Op::BreakStruct
            | Op::SetFields(_)
            | Op::MemberSet { .. }
            | Op::MemberGet { .. }
            | Op::MakeContainer(_)
            | Op::ElementRef
            | Op::Formula(_)
            | Op::ClassDefaults(_)
            | Op::Select(_)
            | Op::SelfRef
            | Op::ObjectLiteral(_)
            | Op::Assign
            | Op::PureAssign
            | Op::PassThrough
            | Op::AddDelegate(_)
            | Op::RemoveDelegate(_)
            | Op::ClearDelegate(_)
            | Op::CallDelegate { .. }
            | Op::CreateDelegate(_) => Stem::Node(node.stem.as_ref().unwrap_or(&node.class)),
        }
    }

    /// Gives a node's outputs their terms. Called in schedule order, so those of its producers exist.
    pub(super) fn register_nets(&mut self, id: ExNodeId) {
        let graph = self.graph;
        let op = &graph.node(id).op;
        match op {
            Op::Entry => self.register_parameters(id),
            Op::Event { .. } => self.register_event(id),
            Op::VariableGet(variable) => {
                if let Some(output) = self.graph.data_out(id) {
                    let ty = self.pin_type(output);
                    self.check_variable(id, variable, output);
                    let object = self
                        .graph
                        .in_pin(id, "self")
                        .and_then(|target| self.object_of_variable(target));
                    let term = self.variable(id, variable, ty, object);
                    self.nets.insert(output, term);
                }
            }
            Op::SelfRef => {
                if let Some(output) = self.graph.data_out(id) {
                    let ty = PropertyType::Object(self.cx.class.path.clone());
                    let term = self.term(ty, TermKind::SelfRef);
                    self.nets.insert(output, term);
                    if self.expanded.signature.is_static() {
                        self.error(
                            id,
                            Code::SelfInStatic,
                            "a static function has no self",
                            None,
                        );
                    }
                }
            }
            Op::ObjectLiteral(object) => {
                if let Some(output) = self.graph.data_out(id) {
                    let ty = self.pin_type(output);
                    let term = self.object_literal(object.clone(), ty);
                    self.nets.insert(output, term);
                }
            }
            Op::BreakStruct => {
                let input = self.inputs(id).next();
                if let Some(input) = input {
                    let structure = self.input(input);
                    for output in self.outputs(id).collect::<Vec<_>>() {
                        let term = self.member_of(structure, output);
                        self.nets.insert(output, term);
                    }
                }
            }
            Op::MemberGet {
                variable,
                structure: path,
            } => {
                let ty = PropertyType::Struct(path.clone());
                let structure = self.variable(id, variable, ty, None);
                for output in self.outputs(id).collect::<Vec<_>>() {
                    let property = self.struct_property(path, &self.graph.pins[output].name);
                    let ty = self.pin_type(output);
                    let term = self.term(
                        ty,
                        TermKind::StructMember {
                            property,
                            structure,
                        },
                    );
                    self.nets.insert(output, term);
                }
            }
            Op::SetFields(_) => {
                if let (Some(reference), Some(output)) = (
                    self.graph.in_pin(id, "StructRef"),
                    self.graph.out_pin(id, "StructOut"),
                ) {
                    let term = self.input(reference);
                    self.nets.insert(output, term);
                }
            }
            Op::ElementRef => {
                let inputs: Vec<_> = self.inputs(id).collect();
                if let ([array, index, ..], Some(output)) =
                    (inputs.as_slice(), self.graph.data_out(id))
                {
                    let (array, index) = (self.input(*array), self.input(*index));
                    let ty = self.pin_type(output);
                    let term = self.term(ty, TermKind::Element { array, index });
                    self.nets.insert(output, term);
                }
            }
            Op::PureAssign => {
                if let (Some(variable), Some(output)) = (
                    self.graph.in_pin(id, "Variable"),
                    self.graph.out_pin(id, "Output"),
                ) {
                    let term = self.input(variable);
                    self.nets.insert(output, term);
                }
            }
            Op::ClassDefaults(class) => self.register_class_defaults(id, class),
            Op::Select(kind) => self.register_select(id, kind),
            Op::Switch { .. } => {
                let stem = self.stem(id);
                let base = format_args!("{stem}_CmpSuccess");
                let term = self.new_local(base, PropertyType::Bool, PropertyFlags::empty());
                self.node_terms.insert(id, term);
            }
            Op::Temporary => {
                if let Some(output) = self.graph.data_out(id) {
                    let stem = self.stem(id);
                    let ty = self.pin_type(output);
                    let is_reference = self.graph.pins[output].links.iter().any(|other| {
                        self.graph.pins[*other].ty.is_reference
                            && matches!(
                                self.graph.node(self.graph.pins[*other].node).op,
                                Op::Call { .. }
                            )
                    });
                    let flags = match (is_reference && self.is_made(id), ty.is_container()) {
                        (true, true) => PropertyFlags::CONST_PARM | PropertyFlags::REFERENCE_PARM,
                        (true, false) => PropertyFlags::CONST_PARM,
                        (false, _) => PropertyFlags::empty(),
                    };
                    let term = self.new_local(format_args!("{stem}_Variable"), ty, flags);
                    self.nets.insert(output, term);
                }
            }
            Op::Call { .. }
            | Op::Cast { .. }
            | Op::MakeStruct(_)
            | Op::MakeContainer(_)
            | Op::Formula(_)
            | Op::CreateDelegate(_) => {
                let stem = self.stem(id);
                let mut outputs: Vec<_> = self.outputs(id).collect();
                if matches!(op, Op::Cast { .. }) {
                    // The success flag is registered behind the result wherever its pin stands.
                    outputs.sort_by_key(|pin| self.graph.pins[*pin].name == "bSuccess");
                }
                for output in outputs {
                    let name = &graph.pins[output].name;
                    let mut ty = self.pin_type(output);
                    if matches!(op, Op::CreateDelegate(_)) {
                        ty = self.delegate_type(output).unwrap_or(ty);
                    }
                    let flags = if ty.is_container() {
                        PropertyFlags::REFERENCE_PARM
                    } else {
                        PropertyFlags::empty()
                    };
                    let flags = flags | self.instanced(&ty);
                    let term = self.new_local(format_args!("{stem}_{name}"), ty, flags);
                    self.nets.insert(output, term);
                }
            }
            Op::Drawn
            | Op::Gone
            | Op::Result
            | Op::VariableSet(_)
            | Op::MemberSet { .. }
            | Op::Branch
            | Op::Sequence
            | Op::Assign
            | Op::PassThrough
            | Op::AddDelegate(_)
            | Op::RemoveDelegate(_)
            | Op::ClearDelegate(_)
            | Op::CallDelegate { .. } => {}
        }
    }

    /// Whether expansion made the node rather than the author.
    fn is_made(&self, id: ExNodeId) -> bool {
        self.graph
            .drawn(id)
            .is_none_or(|node| node.class != "K2Node_TemporaryVariable")
    }

    /// Flags of a local that can hold components.
    fn instanced(&self, ty: &PropertyType) -> PropertyFlags {
        let component = ObjectPath::new("/Script/Engine.ActorComponent");
        let is_component = |ty: &PropertyType| {
            matches!(ty, PropertyType::Object(class)
                if class.as_str() != "/Script/CoreUObject.Object"
                    && self.cx.registry.is_child_of(class, &component))
        };
        if let PropertyType::Array(inner) = ty
            && is_component(inner)
        {
            return PropertyFlags::CONTAINS_INSTANCED_REFERENCE;
        }
        if is_component(ty) {
            return PropertyFlags::INSTANCED_REFERENCE;
        }
        let is_subclass = matches!(ty, PropertyType::Class(class) if class.as_str() != "/Script/CoreUObject.Object");
        if is_subclass {
            return PropertyFlags::UOBJECT_WRAPPER;
        }
        PropertyFlags::empty()
    }

    fn register_parameters(&mut self, id: ExNodeId) {
        for output in self.outputs(id).collect::<Vec<_>>() {
            let name = self.graph.pins[output].name.clone();
            let param = self
                .expanded
                .signature
                .params
                .iter()
                .find(|param| param.name == name)
                .cloned();
            let term = if let Some(param) = param {
                let is_out = param.flags.contains(PropertyFlags::OUT_PARM);
                self.local_term(&param.name, param.ty, 0, is_out)
            } else {
                let ty = self.pin_type(output);
                self.local_term(&name, ty, 0, false)
            };
            self.nets.insert(output, term);
        }
    }

    fn register_event(&mut self, id: ExNodeId) {
        for output in self.outputs(id).collect::<Vec<_>>() {
            let Some(term) = self.nets.get(output).copied() else {
                continue;
            };
            let TermKind::Local { property, .. } = &self.terms[term].kind else {
                continue;
            };
            let ty = self.terms[term].ty.clone();
            let is_const = self.graph.pins[output].ty.is_const;
            let mut flags = self.instanced(&ty);
            if is_const {
                flags |= PropertyFlags::CONST_PARM;
            }
            self.locals
                .push(Property::new(property.name().clone(), ty, flags));
        }
    }

    /// The delegate type of a created delegate: that of the place it is first linked to, whatever function
    /// it names.
    ///
    /// Source: the locals of real ubergraphs, as `OnButtonDown__DelegateSignature` for a delegate to the
    /// event `OnKeyDown` that is added to `OnButtonDown`.
    fn delegate_type(&self, output: ExPinId) -> Option<PropertyType> {
        let consumer = *self.graph.pins[output].links.first()?;
        let pin = &self.graph.pins[consumer];
        let signature = if let Op::AddDelegate(VariableRef::Member { property, .. })
        | Op::RemoveDelegate(VariableRef::Member { property, .. }) =
            &self.graph.node(pin.node).op
            && let PropertyType::MulticastDelegate(signature) = &property.ty
        {
            signature.clone()
        } else {
            let reference = pin.ty.signature.as_deref();
            reference.and_then(bp_graph::types::signature_path)
        };
        signature.map(|signature| PropertyType::Delegate(Some(signature)))
    }

    /// Outputs are named after the class's variables. Those of a class that came to lack one count only
    /// where something reads them.
    fn register_class_defaults(&mut self, id: ExNodeId, class: &ObjectPath) {
        let Some(pin) = self.graph.in_pin(id, "Class") else {
            return;
        };
        let object = self.input(pin);
        for output in self.outputs(id).collect::<Vec<_>>() {
            let name = self.graph.pins[output].name.clone();
            let found = self.cx.registry.find_property(class, &name);
            let Some((owner, property)) = found else {
                if !self.graph.pins[output].links.is_empty() {
                    self.error(
                        id,
                        Code::VarNotFound,
                        format!("{} has no variable `{name}`", class.name()),
                        Some(&name),
                    );
                    let ty = self.pin_type(output);
                    let zero = Value::zero(&ty, self.cx.registry);
                    let term = self.term(ty, TermKind::Literal(zero));
                    self.nets.insert(output, term);
                }
                continue;
            };
            let kind = TermKind::ClassDefault {
                property: PropertyRef::new(owner.path.clone(), property.name.clone()),
                class: object,
            };
            let term = self.term(property.ty.clone(), kind);
            self.nets.insert(output, term);
        }
    }

    fn register_select(&mut self, id: ExNodeId, kind: &IndexKind<'a>) {
        let (Some(index), Some(output)) = (self.graph.in_pin(id, "Index"), self.graph.data_out(id))
        else {
            return;
        };
        let ty = self.pin_type(output);
        let default = self.new_local(
            format_args!("K2Node_Select_Default"),
            ty.clone(),
            PropertyFlags::empty(),
        );
        let index_ty = self.pin_type(index);
        let options: Vec<_> = self
            .inputs(id)
            .filter(|pin| nodes::is_select_option(&self.graph.pins[*pin]))
            .collect();
        let mut cases = Vec::with_capacity(options.len());
        for (idx, option) in options.into_iter().enumerate() {
            let value = match kind {
                IndexKind::Bool => Value::Bool(idx == 1),
                IndexKind::Int | IndexKind::Byte => Value::Int(idx as i64),
                IndexKind::Enum(enumeration) => {
                    let name = self.graph.pins[option].name.clone();
                    let entry = enumeration
                        .entry(name.as_str())
                        .or_else(|| enumeration.entries.get(idx));
                    Value::Int(entry.and_then(|entry| entry.value).unwrap_or(idx as i64))
                }
            };
            let literal = self.term(index_ty.clone(), TermKind::Literal(value));
            let option = self.input(option);
            cases.push((literal, option));
        }
        let index = self.input(index);
        let term = self.term(
            ty,
            TermKind::Switch {
                index,
                cases,
                default,
            },
        );
        self.nets.insert(output, term);
    }

    /// A member of a struct term, for an output pin of a break node.
    fn member_of(&mut self, structure: TermId, pin: ExPinId) -> TermId {
        let ty = self.pin_type(pin);
        let name = self.graph.pins[pin].name.clone();
        let property = self.struct_member(structure, &name);
        self.term(
            ty,
            TermKind::StructMember {
                property,
                structure,
            },
        )
    }

    /// The reference to a member of the struct that a term is.
    pub(super) fn struct_member(&self, structure: TermId, name: &Name) -> PropertyRef {
        let owner = if let PropertyType::Struct(path) = &self.terms[structure].ty {
            path.clone()
        } else {
            ObjectPath::new("None")
        };
        self.struct_property(&owner, name)
    }

    /// The reference to a struct's member, with the case the struct declares.
    pub(super) fn struct_property(&self, owner: &ObjectPath, name: &Name) -> PropertyRef {
        match self.cx.registry.find_member(owner, name) {
            Some((structure, member)) => {
                PropertyRef::new(structure.path.clone(), member.name.clone())
            }
            None => PropertyRef::new(owner.clone(), name.clone()),
        }
    }

    /// A variable's place, on an object or on self.
    pub(super) fn variable(
        &mut self,
        id: ExNodeId,
        variable: &VariableRef<'a>,
        ty: PropertyType,
        object: Option<TermId>,
    ) -> TermId {
        match variable {
            VariableRef::Local(name) => {
                let declared = self.expanded.signature.variable(name).cloned();
                match declared {
                    Some(local) => {
                        let is_out = local.flags.contains(PropertyFlags::OUT_PARM);
                        self.local_term(&local.name, local.ty, 0, is_out)
                    }
                    None => self.local_term(name, ty, 0, false),
                }
            }
            VariableRef::Member { owner, property } => {
                if object.is_none() {
                    self.check_self(id, owner, "the variable");
                }
                let reference = PropertyRef::new(owner.clone(), property.name.clone());
                let ty = if property.ty == PropertyType::Wildcard {
                    ty
                } else {
                    property.ty.clone()
                };
                self.term(
                    ty,
                    TermKind::Member {
                        property: reference,
                        object,
                    },
                )
            }
        }
    }

    /// The object a variable node's Target gives. A linked Self node means no context.
    pub(super) fn object_of_variable(&mut self, target: ExPinId) -> Option<TermId> {
        if self.graph.pins[target].links.is_empty() {
            let object = self.graph.pins[target].default.object.clone()?;
            // A pin without link that names a class default object reads the class's own.
            let ty = PropertyType::Object(object.clone());
            return Some(self.term(ty, TermKind::Literal(Value::Object(Some(object)))));
        }
        let term = self.input(target);
        (self.terms[term].kind != TermKind::SelfRef).then_some(term)
    }

    /// Reports when self does not have what a node without target needs.
    pub(super) fn check_self(&mut self, id: ExNodeId, owner: &ObjectPath, what: &str) {
        let target = Name::new("self");
        let registry = self.cx.registry;
        let own = &self.cx.class.path;
        if self.expanded.signature.is_static() {
            self.error(
                id,
                Code::SelfInStatic,
                "a static function has no self; `Target` must be connected",
                Some(&target),
            );
            return;
        }
        if registry.is_child_of(own, owner) {
            return;
        }
        // An ancestor that is not declared may well derive from the owner.
        let root = registry.ancestry(own).last();
        let is_known =
            root.is_some_and(|class| class.path.as_str() == "/Script/CoreUObject.Object");
        if !is_known {
            return;
        }
        let finding = self
            .finding(
                id,
                Code::SelfType,
                "`Target` is not connected",
                Some(&target),
            )
            .label(format!("this pin needs a {}", owner.name()))
            .note(format!(
                "{what} belongs to {}; {} is a {}, so self does not fit",
                owner.name(),
                self.cx.blueprint.name,
                self.cx.blueprint.parent.name()
            ))
            .hint(format!("connect a {} to `Target`", owner.name()));
        self.diagnostics.push(finding);
    }

    // ---- pins

    /// Data inputs in pin order.
    pub(super) fn inputs(&self, id: ExNodeId) -> impl Iterator<Item = ExPinId> + use<'a, 'x> {
        let graph = self.graph;
        graph.node(id).pins.iter().copied().filter(move |pin| {
            let pin = &graph.pins[*pin];
            pin.direction == Direction::Input && !pin.is_exec() && pin.parent.is_none()
        })
    }

    /// Data outputs in pin order.
    pub(super) fn outputs(&self, id: ExNodeId) -> impl Iterator<Item = ExPinId> + use<'a, 'x> {
        let graph = self.graph;
        graph.node(id).pins.iter().copied().filter(move |pin| {
            let pin = &graph.pins[*pin];
            pin.direction == Direction::Output && !pin.is_exec() && pin.parent.is_none()
        })
    }

    /// The term an input reads: that of the linked output, or its literal.
    pub(super) fn input(&mut self, pin: ExPinId) -> TermId {
        let Some(source) = self.graph.pins[pin].links.first().copied() else {
            return self.literal(pin);
        };
        if let Some(term) = self.nets.get(source) {
            return *term;
        }
        // The node that should give the value lacks what it needs; its own default would be another value.
        let (node, name) = (self.graph.pins[pin].node, self.graph.pins[pin].name.clone());
        let from = self.graph.pins[source].name.clone();
        self.error(
            node,
            Code::NoValue,
            format!("`{name}` is connected to `{from}`, which gives no value"),
            Some(&name),
        );
        self.literal(pin)
    }

    /// An object literal. An actor of the level whose Blueprint this is is reached through a member that
    /// the compiler adds for it, `<Actor>_<Function>_RefProperty`.
    ///
    /// Source: every level Blueprint of the corpus that names one of its actors.
    pub(super) fn object_literal(
        &mut self,
        object: Option<ObjectPath>,
        ty: PropertyType,
    ) -> TermId {
        if let Some(path) = object
            .as_ref()
            .filter(|path| path.as_str().contains(":PersistentLevel."))
        {
            let name = Name::new(format!(
                "{}_{}_RefProperty",
                path.name(),
                self.expanded.name
            ));
            if let Some((owner, property)) =
                self.cx.registry.find_property(&self.cx.class.path, &name)
            {
                let property = PropertyRef::new(owner.path.clone(), property.name.clone());
                return self.term(
                    ty,
                    TermKind::Member {
                        property,
                        object: None,
                    },
                );
            }
        }
        self.term(ty, TermKind::Literal(Value::Object(object)))
    }

    /// The constant an unlinked input gives.
    ///
    /// Equal texts of a type share a term: most pins of a large graph keep the default that their function
    /// declares.
    pub(super) fn literal(&mut self, pin: ExPinId) -> TermId {
        let ty = self.pin_type(pin);
        let graph = self.graph;
        let data = &graph.pins[pin];
        let default = &data.default;
        let is_text_alone =
            data.links.is_empty() && default.object.is_none() && default.text.is_none();
        let key = is_text_alone.then(|| (&*default.value, ty.clone()));
        if let Some(term) = key.as_ref().and_then(|key| self.literals.get(key)) {
            return *term;
        }
        let n_findings = self.diagnostics.iter().len();
        let value = self.literal_value(pin, &ty);
        if let Value::Object(object) = value {
            return self.object_literal(object, ty);
        }
        let term = self.term(ty, TermKind::Literal(value));
        // A text that is no value of the type is reported at each of its pins.
        if let Some(key) = key.filter(|_| self.diagnostics.iter().len() == n_findings) {
            self.literals.insert(key, term);
        }
        term
    }

    fn literal_value(&mut self, pin_id: ExPinId, ty: &PropertyType) -> Value {
        let pin = &self.graph.pins[pin_id];
        let registry = self.cx.registry;
        // A linked pin keeps a stale default, which need not even fit its type.
        if !pin.links.is_empty() || *ty == PropertyType::Wildcard {
            return Value::zero(ty, registry);
        }
        let is_object = matches!(
            ty,
            PropertyType::Object(_)
                | PropertyType::Class(_)
                | PropertyType::Interface(_)
                | PropertyType::WeakObject(_)
        );
        let is_soft = matches!(ty, PropertyType::SoftObject(_) | PropertyType::SoftClass(_));
        if let Some(object) = &pin.default.object {
            if is_object {
                return Value::Object(Some(object.clone()));
            }
            if is_soft {
                return Value::Str(object.as_str().into());
            }
        }
        if let (PropertyType::Text, Some(text)) = (ty, &pin.default.text) {
            return Value::Text(text.clone());
        }
        match Value::parse(&pin.default.value, ty, registry) {
            Ok(value) => value,
            Err(error) => {
                if let Some(value) = unknown_enumerator(&pin.default.value, ty) {
                    return value;
                }
                let (node, name) = (pin.node, pin.name.clone());
                let finding = self
                    .finding(
                        node,
                        Code::LiteralInvalid,
                        format!("the default of `{name}` is invalid: {error}"),
                        Some(&name),
                    )
                    .note(format!("the pin is of type {ty}"));
                self.diagnostics.push(finding);
                Value::zero(ty, registry)
            }
        }
    }

    /// Whether a wire needs a numeric conversion: UE5 reals of different precision.
    pub(super) fn numeric_mismatch(&self, pin: ExPinId) -> Option<bool> {
        let sink = &self.graph.pins[pin];
        let source = &self.graph.pins[*sink.links.first()?];
        let is_real = |ty: &PinType| ty.category == PinCategory::Real && !ty.is_container();
        if !is_real(&sink.ty) || !is_real(&source.ty) {
            return None;
        }
        let precision = |ty: &PinType| match ty.sub_category.as_str() {
            "float" => Some(false),
            "double" => Some(true),
            _ => None,
        };
        let (from, to) = (precision(&source.ty)?, precision(&sink.ty)?);
        (from != to).then_some(to)
    }
}

/// The value of an entry of a Blueprint enum that is not at hand: the editor names entries
/// `NewEnumerator<N>`, and most keep their place.
pub(super) fn unknown_enumerator(text: &str, ty: &PropertyType) -> Option<Value> {
    if !matches!(ty, PropertyType::Byte(Some(path)) | PropertyType::Enum(path) if !path.is_native())
    {
        return None;
    }
    let short = text.rsplit_once("::").map_or(text, |(_, short)| short);
    let number = short
        .get(..13)
        .filter(|head| head.eq_ignore_ascii_case("NewEnumerator"))
        .and(short.get(13..))?;
    number.parse().ok().map(Value::Int)
}
