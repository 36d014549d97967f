//! Graphs: nodes, pins, links, and the graphs collapsed into nodes.

use std::collections::{HashMap, HashSet};

use bp_diag::{Code, Diagnostic, Diagnostics, Place};
use bp_graph::{EnabledState, Graph, GraphKind, Node, NodeId, PinFlags, PinId};
use bp_reflect::{FunctionFlags, Name};

use super::defaults::{left_out, note_unheld};
use super::members::variables;
use super::pins::{pin, user_defined_pins};
use super::values::{enum_entry, properties};
use crate::{Guid, NodeData, Package, PackageIndex, PinRef, Value};

/// Properties of nodes that the model has fields for.
const HEADER: [&str; 5] = [
    "NodePosX",
    "NodePosY",
    "NodeGuid",
    "NodeComment",
    "EnabledState",
];
/// The property that holds the author's own pins, named as the reader of clipboard texts names it.
const USER_DEFINED_PINS: &str = "UserDefinedPins";
/// Properties of graphs that are read, or that say what the editor lets its user do.
const GRAPH_PROPERTIES: [&str; 8] = [
    "Schema",
    "GraphGuid",
    "Nodes",
    "SubGraphs",
    "bEditable",
    "bAllowDeletion",
    "bAllowRenaming",
    // Of a function of an interface: what its graph in the interface is known by. The name says it too.
    "InterfaceGuid",
];
/// Parts of parts: a struct in a struct in a struct.
const MAX_PARTS_DEPTH: usize = 32;
/// Collapsed graphs inside collapsed graphs: far more than anyone draws.
const MAX_DEPTH: usize = 16;

/// Reads graphs with all their nodes, and the graphs of composite nodes.
///
/// What cannot be read is reported and left out. Each graph of a package is read once: a graph that
/// two places claim stays with the first.
pub(super) struct GraphReader<'a> {
    pub(super) package: &'a Package,
    pub(super) diagnostics: &'a mut Diagnostics,
    seen: HashSet<PackageIndex>,
    depth: usize,
    /// The exports that lie in each export.
    inner: HashMap<usize, Vec<usize>>,
}

impl<'a> GraphReader<'a> {
    pub(super) fn new(package: &'a Package, diagnostics: &'a mut Diagnostics) -> Self {
        let mut inner: HashMap<usize, Vec<usize>> = HashMap::new();
        for (export, row) in package.exports().iter().enumerate() {
            if let Some(outer) = row.outer.export() {
                inner.entry(outer).or_default().push(export);
            }
        }
        Self {
            package,
            diagnostics,
            seen: HashSet::new(),
            depth: 0,
            inner,
        }
    }

    pub(super) fn read(&mut self, index: PackageIndex, kind: GraphKind) -> Option<Graph> {
        let export = index.export()?;
        if !self.seen.insert(index) || self.depth == MAX_DEPTH {
            let name = self.package.path(index);
            let message = format!("graph `{name}` is listed twice, or too deep in others");
            self.diagnostics
                .push(Diagnostic::new(Code::PackageMalformed, message));
            return None;
        }
        let data = match self.package.graph(export) {
            Ok(data) => data,
            Err(error) => {
                self.report_unreadable(index, None, &error);
                return None;
            }
        };
        self.depth += 1;
        let mut graph = Graph::new(Name::from(&data.name), kind);
        graph.guid = data.guid.into();
        note_unheld(
            &format!("properties of graph `{}`", graph.name),
            &data.properties,
            &GRAPH_PROPERTIES,
            self.diagnostics,
        );
        let mut pins = HashMap::new();
        let mut nodes = Vec::new();
        let mut listed = HashSet::new();
        for node in &data.nodes {
            let Some(export) = node.export() else {
                continue;
            };
            if self.package.outer(*node) != index || !listed.insert(*node) {
                let place = Place {
                    graph: Some(graph.name.to_string()),
                    node_name: self.package.name(*node).map(ToString::to_string),
                    ..Place::default()
                };
                let message = "the graph lists a node twice, or one of another graph";
                self.diagnostics
                    .push(Diagnostic::new(Code::PackageMalformed, message).place(place));
                continue;
            }
            match self.package.node(export) {
                Ok(node) => {
                    self.add_node(&mut graph, &node, &mut pins);
                    nodes.push(node);
                }
                Err(error) => self.report_unreadable(index, Some(*node), &error),
            }
        }
        for node in &nodes {
            self.connect(&mut graph, node, &pins);
        }
        self.keep_links_symmetric(&mut graph);
        self.settle_parts(&mut graph);
        self.depth -= 1;
        Some(graph)
    }

    fn add_node(
        &mut self,
        graph: &mut Graph,
        data: &NodeData,
        pins: &mut HashMap<(PackageIndex, Guid), PinId>,
    ) {
        let mut node = Node {
            name: Name::from(&data.name),
            ..Node::default()
        };
        match data.class.rsplit_once('.') {
            Some((package, class)) => {
                node.class = Name::new(class);
                if package != "/Script/BlueprintGraph" {
                    node.class_package = Some(package.to_owned());
                }
            }
            None => node.class = Name::new(&data.class),
        }
        let stored = &data.properties;
        node.guid = stored.guid("NodeGuid").into();
        let coordinate = |name| stored.int(name).unwrap_or_default() as i32;
        node.at = (coordinate("NodePosX"), coordinate("NodePosY"));
        let comment = stored.string("NodeComment");
        node.comment = (!comment.is_empty()).then(|| comment.to_owned());
        if let Some(state) = stored.name("EnabledState") {
            node.enabled = match enum_entry(&state.to_string()) {
                "Disabled" => EnabledState::Disabled,
                "DevelopmentOnly" => EnabledState::DevelopmentOnly,
                _ => EnabledState::Enabled,
            };
        }
        // What older versions stored in place of the state.
        let was_disabled = stored.get("bIsNodeEnabled") == Some(&Value::Bool(false));
        if was_disabled && stored.get("EnabledState").is_none() {
            node.enabled = EnabledState::Disabled;
        }
        let mut unknown = Vec::new();
        for (name, value) in properties(self.package, stored, &mut unknown) {
            if !HEADER
                .iter()
                .any(|header| name.eq_ignore_ascii_case(header))
            {
                node.properties.set(name, value);
            }
        }
        for name in unknown {
            let message = format!("property `{name}` has a form that is not known and is left out");
            let place = self.place(&graph.name, Some(data));
            self.diagnostics
                .push(Diagnostic::new(Code::NodeProperty, message).place(place));
        }
        if !data.user_pins.is_empty() {
            let pins = user_defined_pins(self.package, &data.user_pins);
            node.properties.set(USER_DEFINED_PINS, pins);
        }
        if node.class == "K2Node_FunctionEntry" {
            let flags = stored.int("ExtraFlags").unwrap_or_default();
            graph.flags |= FunctionFlags::from_bits_retain(flags as u32);
            let locals = stored.get("LocalVariables").and_then(Value::as_array);
            graph.locals = variables(self.package, locals.unwrap_or_default(), self.diagnostics);
        }
        let bound = match stored.object("EditorStateMachineGraph") {
            PackageIndex::NULL => stored.object("BoundGraph"),
            states => states,
        };
        if !bound.is_null()
            && let Some(child) = self.read(bound, GraphKind::inside(&node.class))
        {
            node.child = Some(graph.children.len());
            graph.children.push(child);
        }
        self.note_inner_objects(graph, data, bound);
        let id = graph.add_node(node);
        self.add_pins(graph, id, data, pins);
    }

    /// Names objects inside a node that are neither its pins nor the graph collapsed into it.
    fn note_inner_objects(&mut self, graph: &Graph, data: &NodeData, bound: PackageIndex) {
        let Some(export) = data.index.export() else {
            return;
        };
        for inner in self.inner.get(&export).into_iter().flatten() {
            let index = PackageIndex::of_export(*inner);
            let class = self.package.class_name(index).map(ToString::to_string);
            let class = class.unwrap_or_default();
            if index != bound && class != "EdGraphPin" {
                let mut place = self.place(&graph.name, Some(data));
                place.pin = None;
                self.diagnostics.push(
                    left_out(format!("an object of class {class} inside a node")).place(place),
                );
            }
        }
    }

    fn add_pins(
        &mut self,
        graph: &mut Graph,
        node: NodeId,
        data: &NodeData,
        pins: &mut HashMap<(PackageIndex, Guid), PinId>,
    ) {
        let user_defined: HashSet<_> = data.user_pins.iter().map(|pin| &pin.name).collect();
        for stored in &data.pins {
            let mut pin = pin(self.package, node, stored, self.diagnostics);
            let is_user_defined = user_defined.contains(&stored.name);
            pin.flags.set(PinFlags::USER_DEFINED, is_user_defined);
            let id = graph.add_pin(pin);
            // Of two pins with one id the first is the one that links mean.
            pins.entry((data.index, stored.id)).or_insert(id);
        }
    }

    /// Resolves what pins say of other pins.
    fn connect(
        &mut self,
        graph: &mut Graph,
        data: &NodeData,
        pins: &HashMap<(PackageIndex, Guid), PinId>,
    ) {
        let find = |end: &PinRef| pins.get(&(end.node, end.pin)).copied();
        for stored in &data.pins {
            let Some(id) = pins.get(&(data.index, stored.id)).copied() else {
                continue;
            };
            let mut seen = HashSet::new();
            let mut n_lost = 0;
            let mut n_repeated = 0;
            for end in &stored.linked_to {
                match find(end) {
                    Some(other) if seen.insert(other) => graph.pins[id].links.push(other),
                    Some(_) => n_repeated += 1,
                    None => n_lost += 1,
                }
            }
            graph.pins[id].sub_pins = stored.sub_pins.iter().filter_map(find).collect();
            graph.pins[id].parent = stored.parent.as_ref().and_then(find);
            graph.pins[id].pass_through = stored.pass_through.as_ref().and_then(find);
            let n_lost_parts = stored.sub_pins.len() - graph.pins[id].sub_pins.len()
                + usize::from(stored.parent.is_some() && graph.pins[id].parent.is_none());
            let problems = [
                (
                    n_lost,
                    Code::DanglingLink,
                    "links lead to pins outside the graph",
                ),
                (
                    n_lost_parts,
                    Code::DanglingLink,
                    "parts are pins outside the graph",
                ),
                (n_repeated, Code::PackageMalformed, "links are stored twice"),
            ];
            for (n, code, what) in problems {
                if n > 0 {
                    let mut place = self.place(&graph.name, Some(data));
                    place.pin = Some(stored.name.to_string());
                    let message = format!("pin `{}`: {n} {what}", stored.name);
                    self.diagnostics
                        .push(Diagnostic::new(code, message).place(place));
                }
            }
        }
    }

    fn keep_links_symmetric(&mut self, graph: &mut Graph) {
        let links = || {
            let pins = graph.pins.iter();
            pins.flat_map(|(id, pin)| pin.links.iter().map(move |other| (id, *other)))
        };
        let known: HashSet<_> = links().collect();
        let missing: Vec<_> = links()
            .map(|(id, other)| (other, id))
            .filter(|link| !known.contains(link))
            .collect();
        for (pin, other) in missing {
            let name = graph.pins[pin].name.to_string();
            let message = format!("a link of pin `{name}` is stored at its other end only");
            let place = self.place(&graph.name, None);
            self.diagnostics
                .push(Diagnostic::new(Code::OneSidedLink, message).place(place));
            // The other end has the link, and each missing one is listed once.
            graph.pins[pin].links.push(other);
        }
    }

    /// Cuts circles of parts, and makes parts and wholes agree on each other.
    fn settle_parts(&mut self, graph: &mut Graph) {
        let ids: Vec<PinId> = graph.pins.iter().map(|(id, _)| id).collect();
        for id in &ids {
            let mut at = *id;
            let mut depth = 0;
            while let Some(parent) = graph.pins[at].parent
                && depth <= MAX_PARTS_DEPTH
            {
                at = parent;
                depth += 1;
            }
            if depth > MAX_PARTS_DEPTH {
                graph.pins[*id].parent = None;
                let name = &graph.pins[*id].name;
                let message = format!("pin `{name}` is a part of itself, or too deep in others");
                let place = self.place(&graph.name, None);
                self.diagnostics
                    .push(Diagnostic::new(Code::PackageMalformed, message).place(place));
            }
        }
        for id in &ids {
            let mut parts = std::mem::take(&mut graph.pins[*id].sub_pins);
            let mut seen = HashSet::new();
            parts.retain(|part| graph.pins[*part].parent == Some(*id) && seen.insert(*part));
            graph.pins[*id].sub_pins = parts;
        }
        for id in ids {
            if let Some(parent) = graph.pins[id].parent
                && !graph.pins[parent].sub_pins.contains(&id)
            {
                graph.pins[parent].sub_pins.push(id);
            }
        }
    }

    fn report_unreadable(
        &mut self,
        graph: PackageIndex,
        node: Option<PackageIndex>,
        error: &crate::PackageError,
    ) {
        let name = |index| self.package.name(index).map(ToString::to_string);
        let place = Place {
            graph: name(graph),
            node_name: node.and_then(name),
            node: node
                .and_then(|node| self.package.class_name(node))
                .map(ToString::to_string),
            ..Place::default()
        };
        self.diagnostics
            .push(Diagnostic::new(error.code(), error.to_string()).place(place));
    }

    fn place(&self, graph: &Name, node: Option<&NodeData>) -> Place {
        let class = |node: &NodeData| {
            let class = self.package.class_name(node.index);
            class.map(ToString::to_string).unwrap_or_default()
        };
        Place {
            graph: Some(graph.to_string()),
            node: node.map(class),
            node_name: node.map(|node| node.name.to_string()),
            ..Place::default()
        }
    }
}
