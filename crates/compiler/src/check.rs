//! Checks of what a Blueprint declares and draws, before its functions are compiled.
//!
//! What follows from one node's meaning is checked by its handler. Here stand the rules about members, about
//! functions against those they override, and about wires, which readers of text cannot be sure of.
//!
//! Source of rules and severities: the catalogue of the engine's messages (`tests/errors/README.md` lists it),
//! and that the 296 real Blueprints of the corpus break none of those that are errors.

use bp_diag::{Code, Diagnostic, Diagnostics, Place};
use bp_graph::nodes::MacroLibrary;
use bp_graph::{
    Blueprint, BlueprintKind, Container, Direction, EnabledState, Graph, GraphKind, NodeId,
    PinCategory, PinType, Variable,
};
use bp_reflect::{
    Certainty, Class, Function, FunctionFlags, Name, ObjectPath, Property, PropertyFlags,
    PropertyType, Registry,
};

use crate::context::Context;

/// Member variables, events and wires.
pub(crate) fn members(cx: &Context<'_>) -> Diagnostics {
    let mut out = Diagnostics::new();
    if let (BlueprintKind::FunctionLibrary, Some(first)) =
        (cx.blueprint.kind, cx.blueprint.variables.first())
    {
        let place = Place {
            blueprint: Some(cx.blueprint.name.to_string()),
            ..Place::default()
        };
        out.push(
            Diagnostic::new(
                Code::VarInLib,
                "a function library cannot have member variables",
            )
            .at(first.span)
            .place(place)
            .hint("use local variables or parameters"),
        );
    }
    for variable in &cx.blueprint.variables {
        variable_type(cx, variable, None, &mut out);
    }
    for graph in &cx.blueprint.graphs {
        for local in &graph.locals {
            variable_type(cx, local, Some(graph), &mut out);
        }
        if graph.kind == GraphKind::Event {
            events(cx, graph, &mut out);
        }
        if graph.kind != GraphKind::DelegateSignature {
            wires(cx, graph, &mut out);
        }
    }
    out
}

// ---- types

/// A variable has a type that properties can have; keys and set elements can be hashed.
fn variable_type(
    cx: &Context<'_>,
    variable: &Variable,
    graph: Option<&Graph>,
    out: &mut Diagnostics,
) {
    let place = Place {
        blueprint: Some(cx.blueprint.name.to_string()),
        graph: graph.map(|graph| graph.name.to_string()),
        ..Place::default()
    };
    // Nothing flows through a variable, and it is not of whatever type something else is.
    if matches!(
        variable.ty.category,
        PinCategory::Exec | PinCategory::Wildcard
    ) {
        let message = format!("the variable {} has an invalid type", variable.name);
        out.push(
            Diagnostic::new(Code::VarBadType, message)
                .at(variable.span)
                .place(place),
        );
        return;
    }
    let Some(ty) = variable.ty.to_property(cx.registry, cx.engine) else {
        return;
    };
    if let Some(reason) = key_of(&ty).and_then(|key| unhashable(key, cx.registry)) {
        let what = if variable.ty.container == Container::Set {
            "elements of the set"
        } else {
            "keys of the map"
        };
        let message = format!("{what} {} cannot be hashed", variable.name);
        out.push(
            Diagnostic::new(Code::UnhashableKey, message)
                .at(variable.span)
                .place(place)
                .note(reason)
                .hint("use a name, an int or an enum"),
        );
    }
}

/// What of a type is hashed: the elements of a set, the keys of a map.
pub(crate) fn key_of(ty: &PropertyType) -> Option<&PropertyType> {
    if let PropertyType::Set(element) = ty {
        return Some(element);
    }
    if let PropertyType::Map(entry) = ty {
        return Some(&entry.0);
    }
    None
}

/// Why values of a type cannot be keys; none if they can.
///
/// A native struct is taken to be hashable: its declaration does not say whether it is.
pub(crate) fn unhashable(ty: &PropertyType, registry: &Registry) -> Option<String> {
    if matches!(
        ty,
        PropertyType::Bool
            | PropertyType::Text
            | PropertyType::Delegate(_)
            | PropertyType::MulticastDelegate(_)
    ) {
        return Some(format!("{ty} has no hash"));
    }
    let PropertyType::Struct(path) = ty else {
        return None;
    };
    if path.is_native() {
        return None;
    }
    let structure = registry.structure(path)?;
    structure.members.iter().find_map(|member| {
        let reason = if member.ty.is_container() {
            Some(format!("{} has no hash", member.ty))
        } else {
            unhashable(&member.ty, registry)
        };
        reason.map(|reason| {
            format!(
                "member {} of {} is in the way: {reason}",
                member.name,
                path.name()
            )
        })
    })
}

// ---- events

/// Events override what can be an event, and do not have the name of a graph.
fn events(cx: &Context<'_>, graph: &Graph, out: &mut Diagnostics) {
    for (id, node) in graph.nodes.iter() {
        if node.enabled == EnabledState::Disabled {
            continue;
        }
        let overrides = match node.class.as_str() {
            "K2Node_Event" => true,
            "K2Node_CustomEvent" => false,
            _ => continue,
        };
        let reference = node.properties.member("EventReference");
        let name = if overrides {
            reference.as_ref().map(|reference| reference.name.clone())
        } else {
            node.properties.text("CustomFunctionName").map(Name::new)
        };
        let Some(name) = name else { continue };
        let is_graph = |other: &&Graph| {
            other.name == name && matches!(other.kind, GraphKind::Event | GraphKind::Macro)
        };
        if let Some(other) = cx.blueprint.graphs.iter().find(is_graph) {
            let message = format!("the event {name} has the name of a graph");
            let finding = cx
                .diagnostic(Code::GraphNameTaken, message, graph, Some(id), None)
                .hint("rename the event or the graph");
            out.push(match other.span {
                Some(span) => finding.also(span, "the graph"),
                None => finding,
            });
        }
        let of_reference = || {
            let parent = reference.as_ref()?.parent.as_ref()?;
            cx.registry.find_function(parent, &name)
        };
        let found = of_reference()
            .or_else(|| bp_graph::outline::overridden(&name, cx.blueprint, cx.registry));
        let Some((class, base)) = found else { continue };
        if let Some(reason) = not_overridable(base, true) {
            let message = format!("{}.{name} cannot be placed as an event", class.path.name());
            let finding = cx
                .diagnostic(Code::NotOverridable, message, graph, Some(id), None)
                .note(reason);
            out.push(finding.hint(if base.can_be_overridden() {
                "override it with a function graph"
            } else {
                "give the event another name"
            }));
            continue;
        }
        if !overrides && let Some(own) = cx.class.functions.get(&name) {
            let difference = signature_difference(own, base);
            report_difference(cx, graph, Some(id), class, base, difference, out);
        }
    }
}

/// Why a function cannot be overridden, or be an event; none if it can or if it is not sure.
fn not_overridable(base: &Function, as_event: bool) -> Option<String> {
    let unsure = FunctionFlags::BLUEPRINT_EVENT;
    if base.certainty == Certainty::Inferred || base.meta.uncertain.contains(unsure) {
        return None;
    }
    if !base.flags.contains(FunctionFlags::BLUEPRINT_EVENT) {
        return Some(format!("{} is no event of Blueprints", base.name));
    }
    // Only a Blueprint's author can make an event final.
    let is_native = base
        .flags
        .intersects(FunctionFlags::NATIVE | FunctionFlags::EVENT);
    if base.flags.contains(FunctionFlags::FINAL) && !is_native {
        return Some(format!("{} is final", base.name));
    }
    if as_event && base.params.iter().any(Property::is_output) {
        return Some(format!("{} has outputs", base.name));
    }
    None
}

/// A function graph against the function it overrides.
pub(crate) fn overriding(cx: &Context<'_>, graph: &Graph, own: &Function) -> Diagnostics {
    let mut out = Diagnostics::new();
    if graph.kind != GraphKind::Function {
        return out;
    }
    let Some((class, base)) = bp_graph::outline::overridden(&own.name, cx.blueprint, cx.registry)
    else {
        return out;
    };
    let node = graph.entry();
    if let Some(reason) = not_overridable(base, false) {
        let message = format!("{}.{} cannot be overridden", class.path.name(), base.name);
        let finding = cx
            .diagnostic(Code::NotOverridable, message, graph, node, None)
            .note(reason)
            .hint("give the function another name");
        out.push(finding);
        return out;
    }
    if base.certainty == Certainty::Inferred || cx.registry.is_partial(&class.path) {
        return out;
    }
    let difference =
        flags_difference(graph.flags, base.flags).or_else(|| signature_difference(own, base));
    report_difference(cx, graph, node, class, base, difference, &mut out);
    out
}

fn report_difference(
    cx: &Context<'_>,
    graph: &Graph,
    node: Option<NodeId>,
    class: &Class,
    base: &Function,
    difference: Option<String>,
    out: &mut Diagnostics,
) {
    let Some(difference) = difference else { return };
    let message = format!(
        "{} differs from {}.{}, which it overrides",
        base.name,
        class.path.name(),
        base.name
    );
    let finding = cx
        .diagnostic(Code::OverrideSig, message, graph, node, None)
        .note(difference)
        .hint("take over the parameters and flags of the overridden function");
    out.push(finding);
}

/// Access that was chosen and differs, and the flags that make it another kind of function.
fn flags_difference(own: FunctionFlags, base: FunctionFlags) -> Option<String> {
    let access = own & FunctionFlags::ACCESS;
    if !access.is_empty() && access != base & FunctionFlags::ACCESS {
        return Some("its access is not that of the overridden function".to_owned());
    }
    // What a native event says of being final is not to be relied on: an event that is, is none.
    let is_native = base.intersects(FunctionFlags::NATIVE | FunctionFlags::EVENT);
    for (flag, word) in [
        (FunctionFlags::STATIC, "static"),
        (FunctionFlags::FINAL, "final"),
        (FunctionFlags::EXEC, "exec"),
    ] {
        if is_native && flag == FunctionFlags::FINAL {
            continue;
        }
        match (own.contains(flag), base.contains(flag)) {
            (true, false) => return Some(format!("it is {word}, the overridden function is not")),
            (false, true) => return Some(format!("the overridden function is {word}, it is not")),
            _ => {}
        }
    }
    None
}

/// Parameters are compared by place: their names may differ.
fn signature_difference(own: &Function, base: &Function) -> Option<String> {
    let sides = |function: &Function, wants_outputs: bool| -> Vec<Property> {
        let is_output = |param: &&Property| param.is_output() || param.is_return();
        let params = function.params.iter();
        params
            .filter(|param| is_output(param) == wants_outputs)
            .cloned()
            .collect()
    };
    for (wants_outputs, word) in [(false, "input"), (true, "output")] {
        let (own, base) = (sides(own, wants_outputs), sides(base, wants_outputs));
        if own.len() != base.len() {
            return Some(format!(
                "it has {} {word}(s), the overridden function has {}",
                own.len(),
                base.len()
            ));
        }
        for (own, base) in own.iter().zip(&base) {
            if !is_same_type(&own.ty, &base.ty) {
                return Some(format!(
                    "its {word} {} is {}, that of the overridden function is {}",
                    own.name, own.ty, base.ty
                ));
            }
        }
    }
    None
}

/// Whether two properties hold the same, as far as both are known.
///
/// Reals and enums have several property types that a pin does not tell apart; signatures of delegates are
/// compared where they are bound. A pin keeps the class that a property had when it was drawn, and renamed native
/// structs their old names: both are the same to code.
pub(crate) fn is_same_type(a: &PropertyType, b: &PropertyType) -> bool {
    use PropertyType as T;
    match (a, b) {
        (T::Array(a), T::Array(b)) | (T::Set(a), T::Set(b)) => is_same_type(a, b),
        (T::Map(a), T::Map(b)) => is_same_type(&a.0, &b.0) && is_same_type(&a.1, &b.1),
        (T::Byte(a), T::Byte(b)) => a == b || a.is_none() || b.is_none(),
        (T::Byte(Some(a)), T::Enum(b)) | (T::Enum(b), T::Byte(Some(a))) => a == b,
        (T::Struct(a), T::Struct(b)) => a == b || (a.is_native() && b.is_native()),
        (T::Wildcard, _)
        | (_, T::Wildcard)
        | (T::Float | T::Double, T::Float | T::Double)
        | (T::Delegate(_), T::Delegate(_))
        | (T::MulticastDelegate(_), T::MulticastDelegate(_))
        | (T::Object(_), T::Object(_))
        | (T::Class(_), T::Class(_))
        | (T::SoftObject(_), T::SoftObject(_))
        | (T::SoftClass(_), T::SoftClass(_))
        | (T::Interface(_), T::Interface(_)) => true,
        _ => a == b,
    }
}

// ---- wires

/// Each exec output leads to one place, each value comes from one, from an output to an input of another node.
/// Readers of JSON have checked that; of other texts and packages nobody has.
fn wires(cx: &Context<'_>, graph: &Graph, out: &mut Diagnostics) {
    // Between states any number of transitions is fine.
    if graph.kind == GraphKind::StateMachine {
        return;
    }
    let macros = MacroLibrary::default();
    let context = bp_graph::outline::context(cx.blueprint, graph, cx.registry, macros);
    for (id, pin) in graph.pins.iter() {
        if !graph.nodes[pin.node].pins.contains(&id) {
            continue;
        }
        let report = |code, message: String, hint: &str| {
            let finding = cx.diagnostic(code, message, graph, Some(pin.node), Some(&pin.name));
            if hint.is_empty() {
                finding
            } else {
                finding.hint(hint)
            }
        };
        let is_input = pin.direction == Direction::Input;
        if pin.is_exec() && !is_input && pin.links.len() > 1 {
            let message = format!(
                "the exec output `{}` leads to {} nodes",
                pin.name,
                pin.links.len()
            );
            out.push(report(
                Code::ExecOutMulti,
                message,
                "put a Sequence between",
            ));
        }
        let is_target = pin.name == "self";
        if !pin.is_exec() && is_input && pin.links.len() > 1 && !is_target {
            let message = format!("the input `{}` has {} links", pin.name, pin.links.len());
            out.push(report(Code::InMulti, message, ""));
        }
        for other in &pin.links {
            let far = &graph.pins[*other];
            if far.direction == pin.direction {
                if id < *other {
                    let message = format!("`{}` and `{}` are on the same side", pin.name, far.name);
                    out.push(report(Code::PinDir, message, ""));
                }
            } else if far.node == pin.node
                && is_input
                && graph.nodes[pin.node].class != "K2Node_Knot"
            {
                let message = format!("`{}` is linked to its own node", pin.name);
                out.push(report(Code::PinSelfLoop, message, ""));
            } else if is_input && !bp_graph::is_linkable(far, id, &context) {
                let shown = |ty: &PinType| bp_graph::json::type_text(ty, cx.registry);
                let message = format!(
                    "`{}` gives {}, but `{}` takes {}",
                    far.name,
                    shown(&far.ty),
                    pin.name,
                    shown(&pin.ty)
                );
                out.push(report(Code::PinType, message, ""));
            }
        }
    }
    for child in &graph.children {
        wires(cx, child, out);
    }
}

// ---- what handlers ask

/// The class that an object pin gives, `self` resolved.
pub(crate) fn class_of_pin(cx: &Context<'_>, ty: &PinType) -> Option<ObjectPath> {
    if !matches!(
        ty.category,
        PinCategory::Object | PinCategory::Class | PinCategory::SoftObject | PinCategory::SoftClass
    ) || ty.is_container()
    {
        return None;
    }
    if ty.object.is_none() && ty.sub_category.eq_ignore_ascii_case("self") {
        return Some(cx.class.path.clone());
    }
    ty.object.clone()
}

/// Whether a property of another class is one that this Blueprint must not write.
pub(crate) fn is_read_only(cx: &Context<'_>, owner: &ObjectPath, property: &Property) -> bool {
    property.flags.contains(PropertyFlags::BLUEPRINT_READ_ONLY) && *owner != cx.class.path
}

/// Points a finding that names graph and node at where the node is written.
pub(crate) fn located(mut finding: Diagnostic, blueprint: &Blueprint) -> Diagnostic {
    fn find(graphs: &[Graph], graph: &str, node: &str) -> Option<bp_diag::Span> {
        graphs.iter().find_map(|one| {
            let own = (one.name == *graph)
                .then(|| one.node_named(&Name::new(node)))
                .flatten()
                .and_then(|id| one.nodes[id].span);
            own.or_else(|| find(&one.children, graph, node))
        })
    }
    let place = &mut finding.place;
    if place.blueprint.is_none() {
        place.blueprint = Some(blueprint.name.to_string());
    }
    if finding.span.is_none()
        && let (Some(graph), Some(node)) = (&place.graph, &place.node_name)
    {
        finding.span = find(&blueprint.graphs, graph, node);
    }
    finding
}
