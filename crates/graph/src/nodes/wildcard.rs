//! Types that links decide.
//!
//! A node with wildcards lists groups of pins that share one type. Once all links are made,
//! [`resolve`] gives each group the type of the first typed pin it is linked to, in link order, and goes on
//! to the nodes linked to it: every node is looked at again only when a neighbour got its type.

use crate::{
    Container, Graph, Node, NodeId, PinCategory, PinId, PinType, PropertyValue, TerminalType,
};

/// How a pin's type follows from its group's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The type itself, in the pin's own container.
    Element,
    /// The whole type of the other pin, container included.
    Whole,
    /// The value of a map whose key is not of this group.
    MapValue,
}

/// Pins that share a type.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Each pin, and how its type follows.
    pub pins: Vec<(PinId, Part)>,
}

fn named(node: &Node, graph: &Graph, names: &[&str], part: Part) -> Group {
    Group {
        pins: node
            .pins
            .iter()
            .filter(|pin| {
                let pin = &graph.pins[**pin];
                pin.parent.is_none() && names.iter().any(|name| pin.is_named(name))
            })
            .map(|pin| (*pin, part))
            .collect(),
    }
}

/// The named pins share a type, each in its own container.
pub fn whole(node: &Node, graph: &Graph, names: &[&str]) -> Group {
    named(node, graph, names, Part::Element)
}

/// The named pins have the very type of what they are linked to.
pub fn exact(node: &Node, graph: &Graph, names: &[&str]) -> Group {
    named(node, graph, names, Part::Whole)
}

/// All data pins but the named ones share a type.
pub fn all_but(node: &Node, graph: &Graph, names: &[&str]) -> Group {
    Group {
        pins: node
            .pins
            .iter()
            .filter(|pin| {
                let pin = &graph.pins[**pin];
                pin.parent.is_none()
                    && !pin.is_exec()
                    && !names.iter().any(|name| pin.is_named(name))
            })
            .map(|pin| (*pin, Part::Element))
            .collect(),
    }
}

/// All wildcard pins share a type.
pub fn all_wildcards(node: &Node, graph: &Graph) -> Vec<Group> {
    let pins: Vec<_> = node
        .pins
        .iter()
        .filter(|pin| graph.pins[**pin].ty.category == PinCategory::Wildcard)
        .map(|pin| (*pin, Part::Element))
        .collect();
    if pins.is_empty() {
        Vec::new()
    } else {
        vec![Group { pins }]
    }
}

/// The keys of a map node share one type, the values another; the map pin takes part in both.
pub fn map_groups(node: &Node, graph: &Graph) -> Vec<Group> {
    let (mut keys, mut values) = (Group::default(), Group::default());
    for id in &node.pins {
        let pin = &graph.pins[*id];
        if pin.is_exec() || pin.parent.is_some() {
            continue;
        }
        let name = pin.name.as_str().to_ascii_lowercase();
        if matches!(pin.ty.container, Container::Map(_)) {
            keys.pins.push((*id, Part::Element));
            values.pins.push((*id, Part::MapValue));
        } else if name.starts_with("key") {
            keys.pins.push((*id, Part::Element));
        } else if name.starts_with("value") {
            values.pins.push((*id, Part::Element));
        }
    }
    vec![keys, values]
}

/// Whether a type says what flows, for a part of it.
fn is_typed(ty: &PinType, part: Part) -> bool {
    match (part, &ty.container) {
        (Part::MapValue, Container::Map(value)) => value.category != PinCategory::Wildcard,
        (Part::MapValue, _) => false,
        _ => ty.category != PinCategory::Wildcard,
    }
}

/// The type of a group as one of its pins has it.
fn taken(ty: &PinType, part: Part) -> PinType {
    let plain = |ty: &PinType| PinType {
        is_reference: false,
        is_const: false,
        ..ty.clone()
    };
    match (part, &ty.container) {
        (Part::MapValue, Container::Map(value)) => value.to_pin_type(),
        (Part::Whole, _) => ty.clone(),
        _ => PinType {
            container: Container::None,
            ..plain(ty)
        },
    }
}

/// Gives a pin its group's type.
fn give(pin: &mut PinType, ty: &PinType, part: Part) {
    match part {
        Part::Whole => *pin = ty.clone(),
        Part::MapValue => {
            if let Container::Map(value) = &mut pin.container {
                **value = TerminalType::of_pin_type(ty);
            }
        }
        Part::Element => {
            *pin = PinType {
                container: pin.container.clone(),
                is_reference: pin.is_reference,
                is_const: pin.is_const,
                ..ty.clone()
            };
        }
    }
}

/// Fills in the types of wildcard pins from links. Pins that have a type keep it.
pub fn resolve(graph: &mut Graph) {
    let mut work: std::collections::VecDeque<NodeId> =
        graph.nodes.iter().map(|(id, _)| id).collect();
    while let Some(node) = work.pop_front() {
        let Some(row) = super::find(graph.nodes[node].class.as_str()) else {
            continue;
        };
        for group in row.wildcards(&graph.nodes[node], graph) {
            let open = group
                .pins
                .iter()
                .any(|(pin, part)| !is_typed(&graph.pins[*pin].ty, *part));
            if !open {
                continue;
            }
            let Some(ty) = source(&group, graph) else {
                continue;
            };
            for (pin, part) in &group.pins {
                if is_typed(&graph.pins[*pin].ty, *part) {
                    continue;
                }
                give(&mut graph.pins[*pin].ty, &ty, *part);
                let neighbours: Vec<NodeId> = graph.pins[*pin]
                    .links
                    .iter()
                    .map(|other| graph.pins[*other].node)
                    .collect();
                work.extend(neighbours);
            }
            remember(graph, node, &ty);
        }
    }
}

/// The type a group gets: of its own typed pins, else of the first typed pin it is linked to.
fn source(group: &Group, graph: &Graph) -> Option<PinType> {
    let own = group
        .pins
        .iter()
        .find(|(pin, part)| is_typed(&graph.pins[*pin].ty, *part))
        .map(|(pin, part)| taken(&graph.pins[*pin].ty, *part));
    own.or_else(|| {
        group.pins.iter().find_map(|(pin, part)| {
            graph.pins[*pin]
                .links
                .iter()
                .map(|other| &graph.pins[*other].ty)
                .find(|ty| is_typed(ty, *part))
                .map(|ty| taken(ty, *part))
        })
    })
}

/// A macro instance keeps the type its wildcards got.
fn remember(graph: &mut Graph, node: NodeId, ty: &PinType) {
    if graph.nodes[node].class == "K2Node_MacroInstance" {
        let value: PropertyValue = super::pin_type_value(ty);
        graph.nodes[node]
            .properties
            .set("ResolvedWildcardType", value);
    }
}

/// Gives the untyped pins of a group a type, as if a link had.
pub fn set_type(graph: &mut Graph, group: &Group, ty: &PinType) {
    let ty = PinType {
        container: Container::None,
        is_reference: false,
        is_const: false,
        ..ty.clone()
    };
    for (pin, part) in &group.pins {
        if !is_typed(&graph.pins[*pin].ty, *part) {
            give(&mut graph.pins[*pin].ty, &ty, *part);
        }
    }
}
