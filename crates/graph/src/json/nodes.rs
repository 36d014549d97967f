//! What nodes refer to, and their pins.

use bp_diag::{Code, Diagnostic, Diagnostics, Place};
use bp_reflect::{ObjectPath, Registry};

use super::fields::Fields;
use super::graph::{GraphSource, NodeSource, is_definition};
use super::members::{guid_of, type_of};
use super::read::{report, report_value};
use super::schema;
use super::type_text::{TypeScope, parse_type};
use super::value::text_value;
use crate::nodes::{self, MacroLibrary, PinContext, nearest};
use crate::{
    Blueprint, Direction, Graph, Guid, MemberReference, Node, NodeId, Pin, PinFlags, PropertyValue,
};

/// A graph of a Blueprint: an index, then the indices of children.
pub(crate) type Path = Vec<usize>;

/// The graph at a path.
pub(crate) fn at<'b>(blueprint: &'b Blueprint, path: &[usize]) -> &'b Graph {
    let (first, rest) = path.split_first().expect("a path is never empty");
    rest.iter().fold(&blueprint.graphs[*first], |graph, idx| {
        &graph.children[*idx]
    })
}

/// The graph at a path, to be changed.
pub(crate) fn at_mut<'b>(blueprint: &'b mut Blueprint, path: &[usize]) -> &'b mut Graph {
    let (first, rest) = path.split_first().expect("a path is never empty");
    rest.iter()
        .fold(&mut blueprint.graphs[*first], |graph, idx| {
            &mut graph.children[*idx]
        })
}

/// What is around the nodes of a graph.
pub(crate) fn context<'a>(
    blueprints: &'a [Blueprint],
    idx: usize,
    path: &[usize],
    registry: &'a Registry,
    libraries: &'a [&'a Blueprint],
) -> PinContext<'a> {
    PinContext {
        registry,
        blueprint: &blueprints[idx],
        graph: at(&blueprints[idx], path),
        function: &blueprints[idx].graphs[path[0]],
        macros: MacroLibrary {
            blueprints,
            libraries,
        },
    }
}

/// The words for a node in messages.
pub(crate) fn place_of(
    source: &GraphSource<'_>,
    node: &Node,
    cx: &PinContext<'_>,
    pin: Option<&str>,
) -> Place {
    Place {
        node: Some(nodes::title(node, cx)),
        node_name: Some(node.name.to_string()),
        pin: pin.map(str::to_owned),
        ..source.place.clone()
    }
}

/// Sets what the events of a graph are, as far as that can be told before the outlines are made. What goes
/// wrong is reported when the nodes are filled in.
pub(crate) fn define(
    blueprints: &mut [Blueprint],
    idx: usize,
    source: &GraphSource<'_>,
    graph: usize,
    registry: &Registry,
) {
    for found in &source.nodes {
        let Some(row) = found.row else { continue };
        let cx = context(blueprints, idx, &[graph], registry, &[]);
        let mut node = cx.graph.nodes[found.node].clone();
        if !is_definition(&node.class) {
            continue;
        }
        // Also after an error a node has as much as was found.
        let _ = row.set(&found.keys, &mut node, &cx);
        blueprints[idx].graphs[graph].nodes[found.node] = node;
    }
}

/// Sets properties and allocates pins of all nodes of a graph, inner graphs first.
pub(crate) fn fill(
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
        fill(blueprints, idx, inner, path, registry, libraries, out);
        path.pop();
    }
    for node in &source.nodes {
        fill_node(
            blueprints, idx, source, node, path, registry, libraries, out,
        );
    }
}

#[expect(clippy::too_many_arguments, reason = "the pass's state, spelled out")]
fn fill_node(
    blueprints: &mut [Blueprint],
    idx: usize,
    source: &GraphSource<'_>,
    found: &NodeSource<'_>,
    path: &Path,
    registry: &Registry,
    libraries: &[&Blueprint],
    out: &mut Diagnostics,
) {
    let cx = context(blueprints, idx, path, registry, libraries);
    let id = found.node;
    let mut node = cx.graph.nodes[id].clone();
    let span_of = |error: &nodes::NodeError| {
        error
            .key
            .and_then(|key| found.keys.span(key))
            .unwrap_or(found.span)
    };
    let raw = found
        .fields
        .as_ref()
        .filter(|fields| fields.tree("raw_pins").is_some());
    let mut failed = false;
    if let Some(row) = found.row
        && let Err(error) = row.set(&found.keys, &mut node, &cx)
    {
        failed = true;
        // A node that lists its pins needs no declaration to take them from: like a full path, it is taken at
        // its word. What it names is looked for again when it is compiled.
        if raw.is_none() || !is_missing(error.code) {
            let span = span_of(&error);
            let place = place_of(source, &node, &cx, None);
            report(error, Some(span), place, out);
        }
    }
    let says_more = |fields: &&Fields<'_>| {
        ["member_guid", "properties"]
            .iter()
            .any(|key| fields.tree(key).is_some())
    };
    if let Some(fields) = found.fields.as_ref().filter(says_more) {
        let mut fields = fields.clone();
        fields.place = place_of(source, &node, &cx, None);
        set_member_guid(&mut node, &fields);
        set_properties(&mut node, &fields, out);
    }
    let specs = match (raw, found.row) {
        (Some(_), _) | (_, None) => None,
        (None, Some(_)) if failed && !is_definition(&node.class) => None,
        (None, Some(row)) => match row.pins(&node, &cx) {
            Ok(specs) => Some(specs),
            Err(error) => {
                if !failed {
                    let span = span_of(&error);
                    let place = place_of(source, &node, &cx, None);
                    report(error, Some(span), place, out);
                }
                None
            }
        },
    };
    let raw_pins = raw.map(|fields| {
        let mut fields = fields.clone();
        fields.place = place_of(source, &node, &cx, None);
        read_raw_pins(id, &fields, &blueprints[idx], registry, out)
    });
    nodes::forget_counts(&mut node);
    let graph = at_mut(&mut blueprints[idx], path);
    graph.nodes[id] = node;
    if let Some(pins) = raw_pins {
        set_raw_pins(graph, id, pins);
    } else if let Some(specs) = specs {
        nodes::allocate(graph, id, specs);
    }
    if let Some(fields) = &found.fields {
        split(
            blueprints, idx, source, id, fields, path, registry, libraries, out,
        );
        set_types(
            blueprints, idx, source, id, fields, path, registry, libraries, out,
        );
    }
    wildcard_key(&mut blueprints[idx], path, found);
}

/// Whether a finding says that what a node names is declared nowhere.
fn is_missing(code: Code) -> bool {
    matches!(
        code,
        Code::FuncNotFound
            | Code::VarNotFound
            | Code::LocalNotFound
            | Code::DispatcherNotFound
            | Code::MacroInvalid
            | Code::EventOutOfDate
            | Code::StructInvalid
            | Code::EnumInvalid
    )
}

/// The key `type` of a node with wildcards gives them their type when no link does.
fn wildcard_key(blueprint: &mut Blueprint, path: &Path, found: &NodeSource<'_>) {
    let Some(ty) = found.keys.ty("type") else {
        return;
    };
    let graph = at_mut(blueprint, path);
    let Some(row) = found.row else { return };
    for group in row.wildcards(&graph.nodes[found.node], graph) {
        nodes::wildcard::set_type(graph, &group, ty);
    }
}

fn set_member_guid(node: &mut Node, fields: &Fields<'_>) {
    let Some(guid) = guid_of(fields, "member_guid", &mut Diagnostics::new()) else {
        return;
    };
    for key in [
        "FunctionReference",
        "VariableReference",
        "DelegateReference",
        "EventReference",
    ] {
        if let Some(reference) = node.properties.member(key) {
            let reference = MemberReference { guid, ..reference };
            node.properties.set(key, reference.to_value());
            return;
        }
    }
    if node.properties.get("SelectedFunctionName").is_some() {
        node.properties.set(
            "SelectedFunctionGuid",
            PropertyValue::Word(guid.to_string()),
        );
    }
}

/// Engine properties of a node written as they are.
pub(crate) fn set_properties(node: &mut Node, fields: &Fields<'_>, out: &mut Diagnostics) {
    super::property::read_all(fields, "properties", &mut node.properties, out);
}

/// A pin of a `raw_pins` list, its parent and the pin it passes its reference to.
type RawPin = (Pin, Option<String>, Option<String>);

fn read_raw_pins(
    node: NodeId,
    fields: &Fields<'_>,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Vec<RawPin> {
    let mut pins = Vec::new();
    for item in fields.list("raw_pins", out) {
        let Some(raw) = Fields::open(
            item,
            "a raw pin",
            schema::raw_pin_keys(),
            fields.place.clone(),
            out,
        ) else {
            continue;
        };
        let Some((name, _)) = raw.text("name", out) else {
            continue;
        };
        let ty = type_of(&raw, "type", blueprint, registry, out).unwrap_or_default();
        let direction = if raw.flag("out", out) {
            Direction::Output
        } else {
            Direction::Input
        };
        let mut pin = Pin::new(node, name, direction, ty);
        pin.id = Guid::of_text(&format!("{}/{name}/{direction:?}", fields.span.start));
        pin.span = Some(item.span);
        if let Some((text, _)) = raw.text("default", out) {
            text.clone_into(&mut pin.default.value);
            text.clone_into(&mut pin.default.autogenerated);
        }
        if let Some((text, _)) = raw.text("auto", out) {
            text.clone_into(&mut pin.default.autogenerated);
        }
        pin.default.object = raw
            .text("object", out)
            .map(|(text, _)| ObjectPath::new(text));
        if let Some(tree) = raw.tree("text") {
            match text_value(tree) {
                Ok(text) => pin.default.text = Some(text),
                Err(failure) => report_value(*failure, fields.place.clone(), out),
            }
        }
        pin.persistent_guid = guid_of(&raw, "guid", out).unwrap_or_default();
        pin.friendly_name = raw.text("friendly", out).map(|(text, _)| text.to_owned());
        for (word, span) in raw.names("flags", out) {
            match RAW_FLAGS.iter().find(|(known, _)| *known == word) {
                Some((_, flag)) => pin.flags |= *flag,
                None => out.push(
                    Diagnostic::new(Code::BadValue, format!("`{word}` is not a flag of a pin"))
                        .at(span)
                        .place(fields.place.clone()),
                ),
            }
        }
        let text =
            |key: &str, out: &mut Diagnostics| raw.text(key, out).map(|(text, _)| text.to_owned());
        let (parent, pass) = (text("parent", out), text("pass", out));
        pins.push((pin, parent, pass));
    }
    pins
}

/// The flags of a raw pin by word.
pub(crate) const RAW_FLAGS: &[(&str, PinFlags)] = &[
    ("hidden", PinFlags::HIDDEN),
    ("not_connectable", PinFlags::NOT_CONNECTABLE),
    ("read_only", PinFlags::DEFAULT_READ_ONLY),
    ("ignored", PinFlags::DEFAULT_IGNORED),
    ("advanced", PinFlags::ADVANCED),
    ("orphaned", PinFlags::ORPHANED),
    ("user", PinFlags::USER_DEFINED),
];

fn set_raw_pins(graph: &mut Graph, node: NodeId, pins: Vec<RawPin>) {
    graph.nodes[node].pins.clear();
    let mut later = Vec::new();
    for (mut pin, parent, pass) in pins {
        let twins = graph
            .pins_of(node)
            .filter(|(_, other)| other.name == pin.name && other.direction == pin.direction);
        // Ids are told apart also where names are not.
        let number = match twins.count() {
            0 => String::new(),
            n => format!("/{n}"),
        };
        pin.id = Guid::of_text(&format!(
            "{}/{}/{:?}{number}",
            graph.nodes[node].guid, pin.name, pin.direction
        ));
        let id = graph.add_pin(pin);
        later.push((id, parent, pass));
    }
    for (id, parent, pass) in later {
        let direction = graph.pins[id].direction;
        let find = |graph: &Graph, name: &str, same_side: bool| {
            graph
                .pins_of(node)
                .find(|(_, pin)| pin.name == *name && (pin.direction == direction) == same_side)
                .map(|(pin, _)| pin)
        };
        if let Some(parent) = parent.and_then(|name| find(graph, &name, true)) {
            graph.pins[id].parent = Some(parent);
            graph.pins[parent].sub_pins.push(id);
        }
        if let Some(pass) = pass {
            graph.pins[id].pass_through = find(graph, &pass, false);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the pass's state, spelled out")]
fn split(
    blueprints: &mut [Blueprint],
    idx: usize,
    source: &GraphSource<'_>,
    node: NodeId,
    fields: &Fields<'_>,
    path: &Path,
    registry: &Registry,
    libraries: &[&Blueprint],
    out: &mut Diagnostics,
) {
    for (name, span) in fields.names("split", out) {
        let graph = at(&blueprints[idx], path);
        if graph.nodes[node].pins.is_empty() {
            continue;
        }
        let pin = graph
            .pin(node, name, Direction::Input)
            .or_else(|| graph.pin(node, name, Direction::Output));
        let Some(pin) = pin else {
            let cx = context(blueprints, idx, path, registry, libraries);
            let place = place_of(source, &graph.nodes[node], &cx, Some(name));
            out.push(no_pin(graph, node, name, None).at(span).place(place));
            continue;
        };
        // The context borrows what is changed, so a copy of the graph is split and put back.
        let mut copy = graph.clone();
        let done = {
            let cx = context(blueprints, idx, path, registry, libraries);
            nodes::split_pin(&mut copy, pin, &cx)
        };
        if done {
            *at_mut(&mut blueprints[idx], path) = copy;
        } else {
            let cx = context(blueprints, idx, path, registry, libraries);
            let graph = cx.graph;
            let place = place_of(source, &graph.nodes[node], &cx, Some(name));
            let ty = super::type_text(&graph.pins[pin].ty, registry);
            out.push(
                Diagnostic::new(
                    Code::StructInvalid,
                    format!("`{name}` cannot be split: {ty} has no parts that are declared"),
                )
                .at(span)
                .place(place),
            );
        }
    }
}

/// Types that follow from nothing else.
#[expect(clippy::too_many_arguments, reason = "the pass's state, spelled out")]
fn set_types(
    blueprints: &mut [Blueprint],
    idx: usize,
    source: &GraphSource<'_>,
    node: NodeId,
    fields: &Fields<'_>,
    path: &Path,
    registry: &Registry,
    libraries: &[&Blueprint],
    out: &mut Diagnostics,
) {
    for member in fields.map("types", out) {
        let Some(text) = member.value.as_str() else {
            fields.wrong(&member.key, "a type", &member.value, out);
            continue;
        };
        let cx = context(blueprints, idx, path, registry, libraries);
        let place = place_of(source, &cx.graph.nodes[node], &cx, Some(&member.key));
        let scope = TypeScope {
            registry,
            engine: cx.engine(),
            class: cx.class(),
        };
        let ty = match parse_type(text, scope) {
            Ok(ty) => ty,
            Err(error) => {
                report(error, Some(member.value.span), place, out);
                continue;
            }
        };
        let graph = cx.graph;
        let pin = graph
            .pin(node, &member.key, Direction::Input)
            .or_else(|| graph.pin(node, &member.key, Direction::Output));
        match pin {
            Some(pin) => at_mut(&mut blueprints[idx], path).pins[pin].ty = ty,
            None => out.push(
                no_pin(graph, node, &member.key, None)
                    .at(member.key_span)
                    .place(place),
            ),
        }
    }
}

/// A node has no such pin.
pub(crate) fn no_pin(
    graph: &Graph,
    node: NodeId,
    name: &str,
    direction: Option<Direction>,
) -> Diagnostic {
    let names: Vec<String> = graph
        .pins_of(node)
        .filter(|(_, pin)| {
            direction.is_none_or(|direction| pin.direction == direction)
                && !pin.flags.contains(PinFlags::HIDDEN)
        })
        .map(|(_, pin)| pin.name.to_string())
        .collect();
    let side = match direction {
        Some(Direction::Input) => "input ",
        Some(Direction::Output) => "output ",
        None => "",
    };
    let message = if names.is_empty() {
        format!("the node has no {side}pins")
    } else {
        format!("the node has no {side}pin `{name}`")
    };
    let mut diagnostic = Diagnostic::new(Code::LinkPin, message);
    diagnostic.hint = nearest(name, names.iter().map(String::as_str))
        .map(|name| format!("did you mean `{name}`?"))
        .or_else(|| {
            let shown: Vec<String> = names
                .iter()
                .take(10)
                .map(|name| format!("`{name}`"))
                .collect();
            (!shown.is_empty()).then(|| {
                format!(
                    "its {side}pins are {}{}",
                    shown.join(", "),
                    if names.len() > 10 { ", …" } else { "" }
                )
            })
        });
    diagnostic
}
