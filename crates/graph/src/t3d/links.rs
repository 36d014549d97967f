//! Names of pins to pins: links, parts of split pins, pass-through connections.

use bp_diag::{Code, Diagnostic, Place};
use bp_reflect::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use super::node::{Builder, OpenGraph, PendingPin};
use super::pin::PinAddress;
use crate::{Graph, Guid, PinId};

/// Parts of parts: a struct in a struct in a struct. More is a circle.
const MAX_PARTS_DEPTH: usize = 32;

/// What a pin names another pin as.
#[derive(Clone, Copy)]
enum Named {
    Link,
    Part,
    Whole,
}

impl Builder<'_, '_, '_> {
    /// Gives nodes of one name names of their own and resolves what pins say of each other.
    pub(super) fn resolve(&mut self, open: OpenGraph) -> Graph {
        let OpenGraph {
            mut graph,
            written_names,
            pending,
        } = open;
        let mut index: FxHashMap<(&str, Guid), Vec<PinId>> = FxHashMap::default();
        for ((_, node), name) in graph.nodes.iter().zip(&written_names) {
            for pin in &node.pins {
                index
                    .entry((name.as_str(), graph.pins[*pin].id))
                    .or_default()
                    .push(*pin);
            }
        }
        let copies = copies(&written_names);
        let names: FxHashSet<&str> = written_names.iter().map(String::as_str).collect();
        self.separate_names(&mut graph);

        for PendingPin {
            pin,
            links,
            sub_pins,
            parent,
            pass_through,
        } in &pending
        {
            let find = |address: &PinAddress| {
                let name = address.node.to_lowercase();
                let candidates = index.get(&(name.as_str(), address.id))?;
                nearest(&graph, &copies, *pin, candidates)
            };
            let mut found = Vec::new();
            let mut seen = FxHashSet::default();
            let mut lost = Vec::new();
            for address in links {
                match find(address) {
                    Some(end) if seen.insert(end) => found.push(end),
                    Some(_) => {}
                    None => lost.push((address, Named::Link)),
                }
            }
            let mut parts = Vec::new();
            let mut seen_parts = FxHashSet::default();
            for address in sub_pins {
                match find(address) {
                    Some(part) if part != *pin && seen_parts.insert(part) => parts.push(part),
                    Some(_) => {}
                    None => lost.push((address, Named::Part)),
                }
            }
            let owner = parent.as_ref().and_then(|address| {
                let owner = find(address).filter(|owner| owner != pin);
                if owner.is_none() {
                    lost.push((address, Named::Whole));
                }
                owner
            });
            let through = pass_through.as_ref().and_then(find);
            for (address, what) in lost {
                let has_node = names.contains(address.node.to_lowercase().as_str());
                self.dangling(&graph, *pin, address, what, has_node);
            }
            let target = &mut graph.pins[*pin];
            target.links = found;
            target.sub_pins = parts;
            target.parent = owner;
            target.pass_through = through;
        }

        self.make_symmetric(&mut graph, &pending);
        settle_parts(&mut graph, &pending);
        graph
    }

    /// Nodes are told apart by name. A page that shows several pastes can repeat one.
    fn separate_names(&mut self, graph: &mut Graph) {
        let mut taken: FxHashSet<Name> = FxHashSet::default();
        let ids: Vec<_> = graph.nodes.iter().map(|(id, _)| id).collect();
        let mut doubles = Vec::new();
        for id in ids {
            if !taken.insert(graph.nodes[id].name.clone()) {
                doubles.push(id);
            }
        }
        let mut next: FxHashMap<String, u32> = FxHashMap::default();
        for id in doubles {
            let old = graph.nodes[id].name.clone();
            let base = old.base().to_owned();
            let number = next
                .entry(base.to_lowercase())
                .or_insert_with(|| old.number().max(1));
            let name = loop {
                *number += 1;
                let name = Name::from_parts(&base, *number);
                if taken.insert(name.clone()) {
                    break name;
                }
            };
            let mut diagnostic = Diagnostic::new(
                Code::DuplicateId,
                format!("a second node with the name `{old}`; it is called `{name}` from here on"),
            )
            .at(graph.nodes[id].span);
            diagnostic.severity = bp_diag::Severity::Warning;
            self.reporter.syntax(diagnostic);
            graph.nodes[id].name = name;
        }
    }

    fn dangling(
        &mut self,
        graph: &Graph,
        pin: PinId,
        address: &PinAddress,
        what: Named,
        has_node: bool,
    ) {
        let title = pin_title(graph, pin);
        let missing = if has_node {
            format!("a pin that `{}` does not have", address.node)
        } else {
            format!("`{}`, which is not in the text", address.node)
        };
        let message = match what {
            Named::Link => format!("`{title}` is linked to {missing}; the link is dropped"),
            Named::Part => format!("`{title}` is split into parts on {missing}"),
            Named::Whole => format!("`{title}` is a part of {missing}"),
        };
        let span = self.reporter.span(&address.range);
        self.reporter.push(
            Diagnostic::new(Code::DanglingLink, message)
                .at(span)
                .place(place(graph, pin)),
        );
    }

    /// Each end of a link lists the other. Where the text gives one end only, the other end gets it
    /// behind its own links.
    fn make_symmetric(&mut self, graph: &mut Graph, pending: &[PendingPin]) {
        let mut listed: FxHashSet<(PinId, PinId)> = FxHashSet::default();
        for PendingPin { pin, .. } in pending {
            listed.extend(graph.pins[*pin].links.iter().map(|end| (*pin, *end)));
        }
        for PendingPin { pin, links, .. } in pending {
            let ends = graph.pins[*pin].links.clone();
            for end in ends {
                if !listed.insert((end, *pin)) {
                    continue;
                }
                graph.pins[end].links.push(*pin);
                let wanted = graph.pins[end].id;
                let span = links
                    .iter()
                    .find(|address| address.id == wanted)
                    .map(|address| self.reporter.span(&address.range));
                self.reporter.push(
                    Diagnostic::new(
                        Code::OneSidedLink,
                        format!(
                            "`{}` is linked to `{}`, which does not list the link",
                            pin_title(graph, *pin),
                            pin_title(graph, end)
                        ),
                    )
                    .at(span)
                    .place(place(graph, *pin)),
                );
            }
        }
    }
}

/// Of each node, how many nodes of its name come before it.
fn copies(names: &[String]) -> Vec<u32> {
    let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
    names
        .iter()
        .map(|name| {
            let n_before = seen.entry(name).or_insert(0);
            *n_before += 1;
            *n_before - 1
        })
        .collect()
}

/// Of pins with one address the one of the same paste: on a page that shows several, the second node of
/// a name is linked to the second node of another.
fn nearest(graph: &Graph, copies: &[u32], pin: PinId, candidates: &[PinId]) -> Option<PinId> {
    let place = |pin: PinId| graph.pins[pin].node.into_raw().into_u32();
    let own = place(pin);
    let copy = |place: u32| copies[place as usize];
    candidates
        .iter()
        .copied()
        .take(1000)
        .min_by_key(|candidate| {
            let other = place(*candidate);
            (copy(other).abs_diff(copy(own)), other.abs_diff(own))
        })
}

/// Makes parts and wholes agree, and cuts circles of parts.
fn settle_parts(graph: &mut Graph, pending: &[PendingPin]) {
    for PendingPin { pin, .. } in pending {
        for part in graph.pins[*pin].sub_pins.clone() {
            if graph.pins[part].parent.is_none() {
                graph.pins[part].parent = Some(*pin);
            }
        }
        if let Some(parent) = graph.pins[*pin].parent
            && !graph.pins[parent].sub_pins.contains(pin)
        {
            graph.pins[parent].sub_pins.push(*pin);
        }
    }
    for PendingPin { pin, .. } in pending {
        let mut at = *pin;
        let mut depth = 0;
        while let Some(parent) = graph.pins[at].parent {
            at = parent;
            depth += 1;
            if depth > MAX_PARTS_DEPTH {
                break;
            }
        }
        if depth > MAX_PARTS_DEPTH {
            graph.pins[*pin].parent = None;
        }
    }
    // A pin lists the parts that name it as their whole, and no others.
    for PendingPin { pin, .. } in pending {
        let mut parts = std::mem::take(&mut graph.pins[*pin].sub_pins);
        parts.retain(|part| graph.pins[*part].parent == Some(*pin));
        graph.pins[*pin].sub_pins = parts;
    }
}

/// A pin in the author's words.
pub(super) fn pin_title(graph: &Graph, pin: PinId) -> String {
    let pin = &graph.pins[pin];
    let node = graph.nodes[pin.node].short_class();
    if pin.name.is_none() {
        node.to_owned()
    } else {
        format!("{} of {node}", pin.name)
    }
}

fn place(graph: &Graph, pin: PinId) -> Place {
    let pin = &graph.pins[pin];
    let node = &graph.nodes[pin.node];
    Place {
        blueprint: None,
        graph: Some(graph.name.to_string()),
        node: Some(node.short_class().to_owned()),
        node_name: Some(node.name.to_string()),
        pin: (!pin.name.is_none()).then(|| pin.name.to_string()),
    }
}
