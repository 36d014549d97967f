//! Links, the types that follow from them, and defaults.

use bp_diag::{Code, Diagnostic, Diagnostics, Place, Span};
use bp_reflect::{FunctionFlags, ObjectPath, Registry};
use rustc_hash::FxHashMap;

use super::graph::GraphSource;
use super::nodes::{Path, at_mut, context, no_pin, place_of, set_properties};
use super::read::report_value;
use super::tree::Tree;
use super::type_text;
use super::value::Defaults;
use crate::nodes::{self, PinContext, nearest};
use crate::{Blueprint, Direction, Graph, NodeId, PinCategory, PinId, PinType, is_linkable};

/// Links the nodes of a graph, inner graphs first, then gives wildcards their types and pins their defaults.
pub(crate) fn connect(
    blueprints: &mut [Blueprint],
    idx: usize,
    source: &GraphSource<'_>,
    path: &mut Path,
    registry: &Registry,
    libraries: &[&Blueprint],
    out: &mut Diagnostics,
) {
    for (child, inner) in source.children.iter().enumerate() {
        path.push(child);
        connect(blueprints, idx, inner, path, registry, libraries, out);
        path.pop();
    }
    let mut made = Vec::new();
    {
        let cx = context(blueprints, idx, path, registry, libraries);
        for link in source.links {
            if let Some((from, to)) = find(link, source, &cx, out) {
                made.push((from, to, link.span));
            }
        }
    }
    let graph = at_mut(&mut blueprints[idx], path);
    for (from, to, _) in &made {
        graph.link(*from, *to);
    }
    let said = said_types(graph, source);
    adopt(graph);
    // Classes first: types of outputs may follow from them, and wildcards from those.
    give_defaults(
        blueprints, idx, source, path, registry, libraries, true, out,
    );
    let dynamic = dynamic(&context(blueprints, idx, path, registry, libraries));
    let graph = at_mut(&mut blueprints[idx], path);
    for (pin, class) in dynamic {
        graph.pins[pin].ty.object = Some(class);
    }
    nodes::wildcard::resolve(graph);
    for (pin, ty) in said {
        graph.pins[pin].ty = ty;
    }
    for found in &source.nodes {
        // What is written counts more than what follows from links.
        if let Some(fields) = &found.fields {
            let node = &mut graph.nodes[found.node];
            set_properties(node, fields, &mut Diagnostics::new());
        }
        let is_raw = found
            .fields
            .as_ref()
            .is_some_and(|fields| fields.tree("raw_pins").is_some());
        if !is_raw {
            element_defaults(graph, found.node);
        }
    }
    let cx = context(blueprints, idx, path, registry, libraries);
    check(&made, source, &cx, out);
    give_defaults(
        blueprints, idx, source, path, registry, libraries, false, out,
    );
}

/// The types of pins that are written, which links do not change.
fn said_types(graph: &Graph, source: &GraphSource<'_>) -> Vec<(PinId, PinType)> {
    let mut said = Vec::new();
    for found in &source.nodes {
        let Some(fields) = &found.fields else {
            continue;
        };
        let is_raw = fields.tree("raw_pins").is_some();
        let types = fields.map("types", &mut Diagnostics::new());
        let pins = graph
            .pins_of(found.node)
            .filter(|(_, pin)| is_raw || types.iter().any(|member| pin.is_named(&member.key)));
        said.extend(pins.map(|(id, pin)| (id, pin.ty.clone())));
    }
    said
}

/// Sets defaults that are written: those of class pins, or all others.
#[expect(clippy::too_many_arguments, reason = "the pass's state, spelled out")]
fn give_defaults(
    blueprints: &mut [Blueprint],
    idx: usize,
    source: &GraphSource<'_>,
    path: &Path,
    registry: &Registry,
    libraries: &[&Blueprint],
    of_classes: bool,
    out: &mut Diagnostics,
) {
    let mut defaults = Vec::new();
    let cx = context(blueprints, idx, path, registry, libraries);
    for found in &source.nodes {
        let Some(fields) = &found.fields else {
            continue;
        };
        for member in fields.map("pins", &mut Diagnostics::new()) {
            let is_class = cx
                .graph
                .pin(found.node, &member.key, Direction::Input)
                .is_some_and(|pin| cx.graph.pins[pin].ty.category == PinCategory::Class);
            if is_class == of_classes
                && let Some(default) = default_of(found.node, member, source, &cx, out)
            {
                defaults.push(default);
            }
        }
        if !of_classes {
            // Another kind of value under the key is reported once.
            let _ = fields.map("pins", out);
        }
    }
    let graph = at_mut(&mut blueprints[idx], path);
    for (pin, default) in defaults {
        graph.pins[pin].default = default;
    }
}

/// Outputs of calls whose class follows from an input.
fn dynamic(cx: &PinContext<'_>) -> Vec<(PinId, ObjectPath)> {
    let mut found = Vec::new();
    for (id, node) in cx.graph.nodes.iter() {
        let Some((_, function)) = node
            .properties
            .member("FunctionReference")
            .and_then(|reference| cx.function_of(&reference))
        else {
            continue;
        };
        for (name, class) in nodes::dynamic_outputs(node, cx.graph, function) {
            if let Some(pin) = cx.graph.pin(id, name.as_str(), Direction::Output) {
                found.push((pin, class));
            }
        }
    }
    found
}

/// The two pins of a link.
fn find(
    link: &Tree,
    source: &GraphSource<'_>,
    cx: &PinContext<'_>,
    out: &mut Diagnostics,
) -> Option<(PinId, PinId)> {
    let Some([from, to]) = link.as_list() else {
        out.push(
            Diagnostic::new(
                Code::JsonType,
                "a link is a list of two strings, `[\"node.output\", \"node.input\"]`",
            )
            .at(link.span)
            .place(source.place.clone()),
        );
        return None;
    };
    // Both ends are looked at before giving up, so that both mistakes are told.
    let from = end(from, Direction::Output, source, cx, out);
    let to = end(to, Direction::Input, source, cx, out);
    match (from?, to?) {
        (End::Pin(from), End::Pin(to)) => {
            let graph = cx.graph;
            if graph.pins[from].node == graph.pins[to].node {
                let node = &graph.nodes[graph.pins[from].node];
                out.push(
                    Diagnostic::new(
                        Code::PinSelfLoop,
                        format!("“{}” is linked to itself", nodes::title(node, cx)),
                    )
                    .at(link.span)
                    .place(place_of(source, node, cx, None)),
                );
                return None;
            }
            Some((from, to))
        }
        (End::WrongSide(from, _), End::WrongSide(..)) => {
            let graph = cx.graph;
            let node = &graph.nodes[graph.pins[from].node];
            out.push(
                Diagnostic::new(Code::PinDir, "the link goes from an input to an output")
                    .at(link.span)
                    .place(place_of(
                        source,
                        node,
                        cx,
                        Some(graph.pins[from].name.as_str()),
                    ))
                    .hint("write the output first"),
            );
            None
        }
        (End::WrongSide(pin, span), _) => {
            wrong_side(
                pin,
                span,
                "an input; a link starts at an output",
                source,
                cx,
                out,
            );
            None
        }
        (_, End::WrongSide(pin, span)) => {
            wrong_side(
                pin,
                span,
                "an output; a link ends at an input",
                source,
                cx,
                out,
            );
            None
        }
    }
}

fn wrong_side(
    pin: PinId,
    span: Span,
    what: &str,
    source: &GraphSource<'_>,
    cx: &PinContext<'_>,
    out: &mut Diagnostics,
) {
    let found = &cx.graph.pins[pin];
    let node = &cx.graph.nodes[found.node];
    out.push(
        Diagnostic::new(Code::PinDir, format!("`{}` is {what}", found.name))
            .at(span)
            .place(place_of(source, node, cx, Some(found.name.as_str()))),
    );
}

enum End {
    Pin(PinId),
    /// There is such a pin, on the other side.
    WrongSide(PinId, Span),
}

/// One end of a link. None when a mistake was reported, now or when the node was read.
fn end(
    tree: &Tree,
    direction: Direction,
    source: &GraphSource<'_>,
    cx: &PinContext<'_>,
    out: &mut Diagnostics,
) -> Option<End> {
    let Some(text) = tree.as_str() else {
        out.push(
            Diagnostic::new(
                Code::JsonType,
                format!("an end of a link is a string, not {}", tree.describe()),
            )
            .at(tree.span)
            .place(source.place.clone()),
        );
        return None;
    };
    let Some((id, pin)) = text.split_once('.') else {
        out.push(
            Diagnostic::new(Code::BadValue, format!("`{text}` names no pin"))
                .at(tree.span)
                .place(source.place.clone())
                .hint("write the node's id, a dot, and the pin"),
        );
        return None;
    };
    let Some(node) = source.ids.get(&id.to_lowercase()).copied() else {
        // A node that could not be read has been reported; its links have not gone wrong.
        if source.broken.iter().any(|broken| broken == id) {
            return None;
        }
        let names: Vec<&str> = cx
            .graph
            .nodes
            .iter()
            .map(|(_, node)| node.name.as_str())
            .collect();
        let mut diagnostic =
            Diagnostic::new(Code::LinkNode, format!("the graph has no node `{id}`"))
                .at(tree.span)
                .place(source.place.clone());
        diagnostic.hint = nearest(id, names).map(|name| format!("did you mean `{name}`?"));
        out.push(diagnostic);
        return None;
    };
    let graph = cx.graph;
    if let Some(found) = graph.pin(node, pin, direction) {
        return Some(End::Pin(found));
    }
    let other = match direction {
        Direction::Input => Direction::Output,
        Direction::Output => Direction::Input,
    };
    if let Some(found) = graph.pin(node, pin, other) {
        return Some(End::WrongSide(found, tree.span));
    }
    if let Some(found) = alias(graph, node, pin, direction) {
        return Some(End::Pin(found));
    }
    if let Some(found) = numbered(graph, node, pin, direction) {
        return Some(End::Pin(found));
    }
    if graph.nodes[node].pins.is_empty() {
        // Its pins could not be made out, and why has been said.
        let is_comment = graph.nodes[node].is_comment();
        if !is_comment {
            return None;
        }
    }
    let place = place_of(source, &graph.nodes[node], cx, Some(pin));
    out.push(
        no_pin(graph, node, pin, Some(direction))
            .at(tree.span)
            .place(place),
    );
    None
}

/// The second or a later pin of one name on one side: `Value#2`.
fn numbered(graph: &Graph, node: NodeId, text: &str, direction: Direction) -> Option<PinId> {
    let (name, number) = text.rsplit_once('#')?;
    let place = number.parse::<usize>().ok()?.checked_sub(1)?;
    let mut pins = graph
        .pins_of(node)
        .filter(|(_, pin)| pin.direction == direction && pin.is_named(name));
    pins.nth(place).map(|(pin, _)| pin)
}

/// Other names a pin goes by: the entries of a Select by bool, the display name, the result of a cast as
/// `As` and the class, a struct's own pin, the value of a variable.
fn alias(graph: &Graph, node: NodeId, name: &str, direction: Direction) -> Option<PinId> {
    let class = graph.nodes[node].class.as_str();
    if class == "K2Node_Select" {
        let option = match name.to_ascii_lowercase().as_str() {
            "false" => "Option 0",
            "true" => "Option 1",
            _ => "",
        };
        if let Some(found) = graph.pin(node, option, direction) {
            return Some(found);
        }
    }
    let fold = |text: &str| -> String {
        text.chars()
            .filter(|c| !matches!(c, ' ' | '_'))
            .flat_map(char::to_lowercase)
            .collect()
    };
    let is_cast = matches!(class, "K2Node_DynamicCast" | "K2Node_ClassDynamicCast");
    let mut by_title = graph.pins_of(node).filter(|(_, pin)| {
        if pin.direction != direction {
            return false;
        }
        if is_cast && pin.name.as_str().starts_with("As") && fold(pin.name.as_str()) == fold(name) {
            return true;
        }
        // The last quoted string of a text macro is what is shown.
        let shown = pin
            .friendly_name
            .as_deref()
            .and_then(|text| text.trim_end_matches(')').rsplit('"').nth(1));
        shown.is_some_and(|shown| fold(shown) == fold(name))
    });
    match (by_title.next(), by_title.next()) {
        (Some((pin, _)), None) => Some(pin),
        _ => None,
    }
}

/// Operands of a promotable operator take the type of what they are linked to.
fn adopt(graph: &mut Graph) {
    let operators: Vec<NodeId> = graph
        .nodes
        .iter()
        .filter(|(_, node)| node.class == "K2Node_PromotableOperator")
        .map(|(id, _)| id)
        .collect();
    // A cast of an interface's object takes the interface.
    let casts: Vec<PinId> = graph
        .pins
        .iter()
        .filter(|(_, pin)| {
            pin.name == "Object"
                && pin.is_input()
                && graph.nodes[pin.node].class == "K2Node_DynamicCast"
        })
        .map(|(id, _)| id)
        .collect();
    for pin in casts {
        if let Some(other) = graph.pins[pin].links.first().copied()
            && graph.pins[other].ty.category == PinCategory::Interface
        {
            graph.pins[pin].ty = PinType {
                is_reference: false,
                is_const: false,
                ..graph.pins[other].ty.clone()
            };
        }
    }
    for node in operators {
        for pin in graph.nodes[node].pins.clone() {
            let linked = graph.pins[pin]
                .links
                .first()
                .map(|other| graph.pins[*other].ty.clone());
            if let Some(ty) = linked
                && graph.pins[pin].is_input()
                && !graph.pins[pin].is_exec()
                && ty.category != PinCategory::Wildcard
                && !ty.is_exec()
                && !ty.is_container()
            {
                graph.pins[pin].ty = PinType {
                    is_reference: false,
                    is_const: false,
                    ..ty
                };
            }
        }
    }
}

/// Elements of Make nodes and options of a Select get the default of their type, once it is known.
fn element_defaults(graph: &mut Graph, node: NodeId) {
    let takes_default = matches!(
        graph.nodes[node].class.as_str(),
        "K2Node_MakeArray" | "K2Node_MakeSet" | "K2Node_MakeMap" | "K2Node_Select"
    );
    if !takes_default {
        return;
    }
    for pin in graph.nodes[node].pins.clone() {
        let found = &mut graph.pins[pin];
        if found.is_input() && found.default.value.is_empty() {
            let text = found.ty.automatic_default();
            text.clone_into(&mut found.default.value);
            text.clone_into(&mut found.default.autogenerated);
        }
    }
}

/// Types and counts of the links made.
fn check(
    made: &[(PinId, PinId, Span)],
    source: &GraphSource<'_>,
    cx: &PinContext<'_>,
    out: &mut Diagnostics,
) {
    let graph = cx.graph;
    // States are linked by other rules: many transitions lead into one.
    if graph.kind == crate::GraphKind::StateMachine {
        return;
    }
    // The first link of each pin that can have one only, with its other end.
    let mut firsts: FxHashMap<PinId, (PinId, Span)> = FxHashMap::default();
    for (from, to, span) in made {
        let (a, b) = (&graph.pins[*from], &graph.pins[*to]);
        let place = |pin: PinId| -> Place {
            let pin = &graph.pins[pin];
            place_of(source, &graph.nodes[pin.node], cx, Some(pin.name.as_str()))
        };
        let (end, other_end) = if a.is_exec() {
            (*from, *to)
        } else {
            (*to, *from)
        };
        // A link of control to a value is wrong whatever else its pins are linked to.
        let is_mixed = a.is_exec() != b.is_exec();
        let (first_end, first) = if is_mixed {
            (other_end, *span)
        } else {
            *firsts.entry(end).or_insert((other_end, *span))
        };
        if first_end != other_end {
            if a.is_exec() {
                out.push(
                    Diagnostic::new(
                        Code::ExecOutMulti,
                        format!("the exec output `{}` leads to two nodes", a.name),
                    )
                    .at(*span)
                    .also(first, "the first link")
                    .place(place(*from))
                    .hint("put a Sequence (`ExecutionSequence`) between"),
                );
                continue;
            }
            let is_target = b.name == "self" && !graph.nodes[b.node].is_comment();
            if !is_target {
                out.push(
                    Diagnostic::new(
                        Code::InMulti,
                        format!("the input `{}` has two links", b.name),
                    )
                    .at(*span)
                    .also(first, "the first link")
                    .place(place(*to)),
                );
                continue;
            }
        }
        if !is_linkable(a, *to, cx) {
            let shown = |ty: &PinType| type_text(ty, cx.registry);
            let mut diagnostic = Diagnostic::new(
                Code::PinType,
                format!(
                    "`{}` gives {}, but `{}` takes {}",
                    a.name,
                    shown(&a.ty),
                    b.name,
                    shown(&b.ty)
                ),
            )
            .at(*span)
            .place(place(*to));
            diagnostic.hint = conversion(&a.ty, &b.ty, cx);
            out.push(diagnostic);
        }
    }
}

/// What would make the link possible.
fn conversion(from: &PinType, to: &PinType, cx: &PinContext<'_>) -> Option<String> {
    if from.is_exec() != to.is_exec() {
        return Some("exec pins are linked to exec pins only".to_owned());
    }
    if from.is_container() && !to.is_container() {
        return Some("get an element of it first (`GetArrayItem`)".to_owned());
    }
    if to.category == PinCategory::Object
        && from.category == PinCategory::Object
        && let Some(class) = &to.object
    {
        return Some(format!(
            "cast it with a DynamicCast to {}",
            PinContext::class_name(class)
        ));
    }
    let registry = cx.registry;
    let from_property = from.to_property(registry, cx.engine())?;
    let to_property = to.to_property(registry, cx.engine())?;
    registry
        .libraries()
        .flat_map(|class| class.functions.values())
        .find(|function| {
            function.name.as_str().starts_with("Conv_")
                && function.flags.contains(FunctionFlags::STATIC)
                && function
                    .return_param()
                    .is_some_and(|param| param.ty == to_property)
                && function.arguments().next().is_some_and(|param| {
                    param.ty == from_property && function.arguments().count() == 1
                })
        })
        .map(|function| format!("put a call of `{}` between", function.name))
}

/// A default of a `pins` object.
fn default_of(
    node: NodeId,
    member: &super::tree::Member,
    source: &GraphSource<'_>,
    cx: &PinContext<'_>,
    out: &mut Diagnostics,
) -> Option<(PinId, crate::PinDefault)> {
    let graph = cx.graph;
    let name = member.key.as_str();
    let found = graph
        .pin(node, name, Direction::Input)
        .or_else(|| alias(graph, node, name, Direction::Input));
    let Some(pin) = found else {
        if graph.nodes[node].pins.is_empty() {
            return None;
        }
        let place = place_of(source, &graph.nodes[node], cx, Some(name));
        let diagnostic = match graph.pin(node, name, Direction::Output) {
            Some(_) => Diagnostic::new(
                Code::PinDir,
                format!("`{name}` is an output and has no default"),
            ),
            None => no_pin(graph, node, name, Some(Direction::Input)),
        };
        out.push(diagnostic.at(member.key_span).place(place));
        return None;
    };
    let defaults = Defaults {
        registry: cx.registry,
        engine: cx.engine(),
    };
    let found = &graph.pins[pin];
    match defaults.pin(&member.value, &found.ty, &found.default) {
        Ok(default) => Some((pin, default)),
        // A linked pin may keep a literal that does not fit it.
        Err(_) if !found.links.is_empty() => None,
        Err(failure) => {
            let place = place_of(source, &graph.nodes[node], cx, Some(found.name.as_str()));
            report_value(*failure, place, out);
            None
        }
    }
}
