//! The links of a graph in one order that agrees with the order at every pin.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::{Direction, Graph, PinId};

/// All links, output first, as JSON writes them.
///
/// The order of links counts at each of their pins, and there is only one list. An order that is right for
/// all pins exists for every graph that was drawn link by link; where it does not, outputs decide.
pub(crate) fn links(graph: &Graph) -> Vec<(String, String)> {
    let mut all: Vec<(PinId, PinId)> = Vec::new();
    let mut numbers: FxHashMap<(PinId, PinId), usize> = FxHashMap::default();
    for (id, _) in graph.nodes.iter() {
        for (pin, found) in graph.pins_of(id) {
            if found.direction != Direction::Output {
                continue;
            }
            for other in &found.links {
                if graph.pins[*other].direction == Direction::Input {
                    numbers.insert((pin, *other), all.len());
                    all.push((pin, *other));
                }
            }
        }
    }
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    let mut waits: Vec<usize> = vec![0; all.len()];
    for (pin, found) in graph.pins.iter() {
        let of_pin: Vec<usize> = found
            .links
            .iter()
            .filter_map(|other| {
                numbers
                    .get(&(pin, *other))
                    .or_else(|| numbers.get(&(*other, pin)))
                    .copied()
            })
            .collect();
        for pair in of_pin.windows(2) {
            followers[pair[0]].push(pair[1]);
            waits[pair[1]] += 1;
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..all.len())
        .filter(|number| waits[*number] == 0)
        .map(Reverse)
        .collect();
    let mut done = vec![false; all.len()];
    let mut order = Vec::with_capacity(all.len());
    let mut next_stuck = 0;
    while order.len() < all.len() {
        let number = if let Some(Reverse(number)) = ready.pop() {
            number
        } else {
            // A circle of orders: go on with the first that is left.
            while done[next_stuck] {
                next_stuck += 1;
            }
            next_stuck
        };
        if std::mem::replace(&mut done[number], true) {
            continue;
        }
        order.push(number);
        for follower in &followers[number] {
            waits[*follower] = waits[*follower].saturating_sub(1);
            if waits[*follower] == 0 && !done[*follower] {
                ready.push(Reverse(*follower));
            }
        }
    }
    let end = |pin: PinId| {
        let found = &graph.pins[pin];
        let name = if found.name.is_none() {
            "execute"
        } else {
            found.name.as_str()
        };
        // Of pins of one name on one side (one is left over from another version) the first needs no number.
        let place = graph
            .pins_of(found.node)
            .filter(|(_, other)| other.direction == found.direction && other.is_named(name))
            .position(|(other, _)| other == pin)
            .unwrap_or(0);
        let node = &graph.nodes[found.node].name;
        match place {
            0 => format!("{node}.{name}"),
            _ => format!("{node}.{name}#{}", place + 1),
        }
    };
    order
        .into_iter()
        .map(|number| (end(all[number].0), end(all[number].1)))
        .collect()
}
