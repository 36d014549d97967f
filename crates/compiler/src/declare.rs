//! Names and signatures before bodies: the Blueprints' classes join the registry.

use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::{Blueprint, BlueprintKind};
use bp_reflect::{ClassKind, ObjectPath, Registry};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::{animation, undeclared};

/// Adds the classes, structs and enums of Blueprints to the registry, and what their nodes refer to but
/// nothing declares, with one warning each.
pub fn declare(blueprints: &[Blueprint], registry: &mut Registry) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    report_parent_circles(blueprints, &mut diagnostics);
    for blueprint in blueprints {
        blueprint
            .structs
            .iter()
            .for_each(|structure| registry.add_struct(structure.clone()));
        blueprint
            .enums
            .iter()
            .for_each(|enumeration| registry.add_enum(enumeration.clone()));
    }
    for blueprint in parents_first(blueprints) {
        if blueprint.kind != BlueprintKind::MacroLibrary {
            let mut class = bp_graph::outline::outline(blueprint, registry);
            let members = animation::members(blueprint, registry, blueprint.engine);
            class.properties.splice(0..0, members);
            registry.add_class(class);
        }
    }
    let interfaces: Vec<ObjectPath> = blueprints
        .iter()
        .flat_map(undeclared::interfaces)
        .filter(|path| registry.class(path).is_none())
        .collect();
    for blueprint in blueprints {
        diagnostics.append(undeclared::infer(blueprint, registry));
    }
    for path in interfaces {
        if let Some(class) = registry.class_mut(&path) {
            class.kind = if path.is_native() {
                ClassKind::NativeInterface
            } else {
                ClassKind::BlueprintInterface
            };
        }
    }
    diagnostics
}

fn inheritance(blueprints: &[Blueprint]) -> DiGraph<usize, ()> {
    let mut graph = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..blueprints.len())
        .map(|idx| graph.add_node(idx))
        .collect();
    for (child, blueprint) in blueprints.iter().enumerate() {
        let parents = std::iter::once(&blueprint.parent).chain(&blueprint.interfaces);
        for parent in parents {
            if let Some(at) = blueprints
                .iter()
                .position(|other| other.class_path == *parent)
            {
                graph.add_edge(nodes[at], nodes[child], ());
            }
        }
    }
    graph
}

/// Blueprints in an order that puts each behind those it derives from and implements; otherwise in the
/// order given. Members of a circle keep their order.
pub(crate) fn parents_first(blueprints: &[Blueprint]) -> Vec<&Blueprint> {
    let graph = inheritance(blueprints);
    let mut done = vec![false; blueprints.len()];
    let mut order = Vec::with_capacity(blueprints.len());
    while order.len() < blueprints.len() {
        let ready = |idx: usize| {
            graph
                .neighbors_directed(NodeIndex::new(idx), petgraph::Direction::Incoming)
                .all(|parent| done[graph[parent]] || graph[parent] == idx)
        };
        let next = (0..blueprints.len())
            .find(|idx| !done[*idx] && ready(*idx))
            .or_else(|| (0..blueprints.len()).find(|idx| !done[*idx]));
        let Some(next) = next else { break };
        done[next] = true;
        order.push(&blueprints[next]);
    }
    order
}

fn report_parent_circles(blueprints: &[Blueprint], diagnostics: &mut Diagnostics) {
    let graph = inheritance(blueprints);
    for circle in petgraph::algo::tarjan_scc(&graph) {
        let is_circle =
            circle.len() > 1 || circle.iter().any(|node| graph.contains_edge(*node, *node));
        if !is_circle {
            continue;
        }
        let mut members: Vec<usize> = circle.iter().map(|node| graph[*node]).collect();
        members.sort_unstable();
        let names: Vec<String> = members
            .iter()
            .map(|idx| blueprints[*idx].name.to_string())
            .collect();
        let first = &blueprints[members[0]];
        diagnostics.push(
            Diagnostic::new(
                Code::ParentInvalid,
                format!("{} is its own ancestor", first.name),
            )
            .at(first.span)
            .note(format!(
                "the circle of parents runs through {}",
                names.join(", ")
            ))
            .hint("give one of them another parent"),
        );
    }
}
