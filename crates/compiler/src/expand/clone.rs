use bp_graph::{Direction, EnabledState, Graph, Guid, NodeId, PinId};
use la_arena::ArenaMap;
use smallvec::SmallVec;

use super::Expander;
use crate::expanded::{ExNode, ExNodeId, ExPin, ExPinId, Op, OriginId};
use crate::latent;
use crate::lent::Lent;

/// The clone of a drawn graph.
pub(super) struct Cloned {
    pub(super) nodes: ArenaMap<NodeId, ExNodeId>,
}

impl<'a> Expander<'a, '_> {
    /// Copies a graph's nodes and appends them to the list in array order. Disabled nodes are left out;
    /// exec wires pass through them.
    ///
    /// `within` is the macro instance or composite whose inside the graph is; `instance` the guid of the
    /// innermost macro instance, which keeps the ids of latent nodes apart.
    pub(super) fn clone_graph(
        &mut self,
        graph: &'a Graph,
        within: Option<OriginId>,
        instance: Option<Guid>,
    ) -> Cloned {
        let mut nodes = ArenaMap::with_capacity(graph.nodes.len());
        // By the drawn pins' numbers; none for those of disabled nodes.
        let mut pins: Vec<Option<ExPinId>> = vec![None; graph.pins.len()];
        let copy_of = |pins: &[Option<ExPinId>], pin: PinId| pins[number(pin)];
        self.graph.reserve(graph.nodes.len(), graph.pins.len());
        for (id, node) in graph.nodes.iter() {
            if node.enabled == EnabledState::Disabled {
                continue;
            }
            let origin = self.origin_within(graph, id, within);
            let copy = self.graph.next_node();
            let mut copies = SmallVec::with_capacity(node.pins.len());
            for pin_id in &node.pins {
                let pin = &graph.pins[*pin_id];
                let pin_copy = self.graph.pins.alloc(ExPin {
                    node: copy,
                    name: pin.name.clone(),
                    direction: pin.direction,
                    ty: Lent::Of(&pin.ty),
                    default: Lent::Of(&pin.default),
                    links: SmallVec::new(),
                    flags: pin.flags,
                    carries_exec: pin.is_exec(),
                    parent: None,
                    sub_pins: SmallVec::new(),
                });
                copies.push(pin_copy);
                pins[number(*pin_id)] = Some(pin_copy);
            }
            let allocated = self.graph.alloc(ExNode {
                op: Op::Drawn,
                class: node.class.clone(),
                pins: copies,
                origin,
                guid: instance.map_or(node.guid, |instance| latent::mix(node.guid, instance)),
                stem: own_stem(node),
            });
            debug_assert_eq!(allocated, copy);
            self.graph.list.push(copy);
            nodes.insert(id, copy);
        }
        for (id, node) in graph.nodes.iter() {
            if !nodes.contains_idx(id) {
                continue;
            }
            for pin_id in &node.pins {
                let pin = &graph.pins[*pin_id];
                if pin.links.is_empty() && pin.parent.is_none() && pin.sub_pins.is_empty() {
                    continue;
                }
                let Some(copy) = copy_of(&pins, *pin_id) else {
                    continue;
                };
                let copy = &mut self.graph.pins[copy];
                for other in &pin.links {
                    match copy_of(&pins, *other) {
                        Some(other) => copy.links.push(other),
                        None if pin.is_exec() => {
                            copy.links.extend(through_disabled(graph, *other, &pins));
                        }
                        None => {}
                    }
                }
                copy.parent = pin.parent.and_then(|parent| copy_of(&pins, parent));
                let parts = pin.sub_pins.iter();
                copy.sub_pins = parts.filter_map(|sub| copy_of(&pins, *sub)).collect();
            }
        }
        Cloned { nodes }
    }

    /// Copies a graph and, behind its nodes, the insides of its composites, each last node first.
    pub(super) fn clone_tree(
        &mut self,
        graph: &'a Graph,
        within: Option<OriginId>,
        instance: Option<Guid>,
    ) -> Cloned {
        let cloned = self.clone_graph(graph, within, instance);
        self.clone_children(graph, &cloned, instance);
        cloned
    }

    /// The insides of a cloned graph's composites.
    pub(super) fn clone_children(
        &mut self,
        graph: &'a Graph,
        cloned: &Cloned,
        instance: Option<Guid>,
    ) {
        for (id, node) in graph.nodes.iter() {
            let Some((composite, child)) = cloned.nodes.get(id).zip(node.child) else {
                continue;
            };
            // A formula's inside stays with its node, which compiles it as one expression.
            if node.class == "K2Node_MathExpression" {
                continue;
            }
            let child = &graph.children[child];
            if child.kind.is_animation() {
                continue;
            }
            let origin = self.graph.node(*composite).origin;
            let start = self.graph.list.len();
            let inside = self.clone_graph(child, Some(origin), instance);
            self.graph.list[start..].reverse();
            let copy_of = |id: Option<NodeId>| id.and_then(|id| inside.nodes.get(id).copied());
            self.composites.insert(
                *composite,
                (copy_of(child.entry()), copy_of(child.results().next())),
            );
            self.clone_children(child, &inside, instance);
        }
    }
}

fn number(pin: PinId) -> usize {
    pin.into_raw().into_u32() as usize
}

/// The enabled pins that an exec wire reaches through disabled nodes.
fn through_disabled(graph: &Graph, pin: PinId, pins: &[Option<ExPinId>]) -> Vec<ExPinId> {
    let mut found = Vec::new();
    let mut seen = vec![pin];
    let mut at = 0;
    while at < seen.len() {
        let here = &graph.pins[seen[at]];
        at += 1;
        // Out of the node on its other side, by its first exec pin there.
        let far_side = match here.direction {
            Direction::Input => Direction::Output,
            Direction::Output => Direction::Input,
        };
        let Some((_, far)) = graph
            .pins_of(here.node)
            .find(|(_, pin)| pin.direction == far_side && pin.is_exec())
        else {
            continue;
        };
        for other in &far.links {
            match pins[number(*other)] {
                Some(copy) => found.push(copy),
                None if !seen.contains(other) => seen.push(*other),
                None => {}
            }
        }
    }
    found
}

/// What the engine calls a node's locals after: its object name without the number, which is its class
/// unless the node was made by another class once. Names that an author chose (JSON ids) do not count.
///
/// Source: a custom event named `K2Node_Event_3` in a real package keeps `K2Node_Event_DeltaTime`.
fn own_stem(node: &bp_graph::Node) -> Option<bp_reflect::Name> {
    let base = node.name.base();
    base.get(..7)
        .is_some_and(|head| head.eq_ignore_ascii_case("K2Node_"))
        .then(|| bp_reflect::Name::new(base))
}
