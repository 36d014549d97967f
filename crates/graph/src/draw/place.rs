//! Places for nodes that have none.

use super::Shape;
use crate::{Direction, Graph, NodeId};

const COLUMN_GAP: i32 = 80;
const ROW_GAP: i32 = 32;

/// Moves nodes that have no position of their own. A graph whose nodes all stand on one place is put in
/// columns; the boundary nodes of a function or macro that nobody placed go beside the others.
pub(super) fn spread(graph: &Graph, shapes: &mut [Shape]) {
    if shapes.len() < 2 {
        return;
    }
    let first = (shapes[0].x, shapes[0].y);
    if shapes.iter().all(|shape| (shape.x, shape.y) == first) {
        columns(graph, shapes);
        return;
    }
    let is_lost = |shape: &Shape| {
        let class = graph.nodes[shape.node].short_class();
        (shape.x, shape.y) == (0, 0)
            && matches!(class, "FunctionEntry" | "FunctionResult" | "Tunnel")
    };
    let n_lost = shapes.iter().filter(|shape| is_lost(shape)).count();
    if n_lost < 2
        && !shapes
            .iter()
            .any(|shape| is_lost(shape) && covers(shape, shapes))
    {
        return;
    }
    let placed = || shapes.iter().filter(|shape| !is_lost(shape));
    let left = placed().map(|shape| shape.x).min().unwrap_or(0);
    let right = placed().map(|shape| shape.x + shape.width).max();
    let right = right.unwrap_or(0);
    let moves: Vec<(usize, i32, i32)> = shapes
        .iter()
        .enumerate()
        .filter(|(_, shape)| is_lost(shape))
        .map(|(idx, shape)| {
            let is_entry = is_entry(graph, shape.node);
            let x = if is_entry {
                left - COLUMN_GAP - shape.width
            } else {
                right + COLUMN_GAP
            };
            let partner = neighbors(graph, shape.node, is_entry).next();
            let y = partner
                .and_then(|node| shapes.iter().find(|shape| shape.node == node))
                .map_or(0, |shape| shape.y);
            (idx, x, y)
        })
        .collect();
    for (idx, x, y) in moves {
        (shapes[idx].x, shapes[idx].y) = (x, y);
    }
}

fn is_entry(graph: &Graph, node: NodeId) -> bool {
    let has_output = |(_, pin): (_, &crate::Pin)| pin.direction == Direction::Output;
    graph.pins_of(node).any(has_output)
}

fn covers(shape: &Shape, all: &[Shape]) -> bool {
    all.iter().any(|other| {
        other.node != shape.node
            && shape.x < other.x + other.width
            && other.x < shape.x + shape.width
            && shape.y < other.y + other.height
            && other.y < shape.y + shape.height
    })
}

/// The nodes linked to the outputs (or inputs) of a node, in pin order.
fn neighbors(graph: &Graph, node: NodeId, of_outputs: bool) -> impl Iterator<Item = NodeId> {
    let wanted = if of_outputs {
        Direction::Output
    } else {
        Direction::Input
    };
    graph
        .pins_of(node)
        .filter(move |(_, pin)| pin.direction == wanted)
        .flat_map(|(_, pin)| &pin.links)
        .map(|other| graph.pins[*other].node)
}

/// A column for each step along the links. Values stand in the column before their first reader.
fn columns(graph: &Graph, shapes: &mut [Shape]) {
    let nodes: Vec<NodeId> = shapes.iter().map(|shape| shape.node).collect();
    let index = |node: NodeId| nodes.iter().position(|known| *known == node);
    let has_exec = |node: NodeId| graph.pins_of(node).any(|(_, pin)| pin.is_exec());
    // Longest ways over links that do not lead back; a link leads back if its end is being visited.
    let mut order = Vec::new();
    let mut state = vec![0_u8; nodes.len()];
    let mut forward: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for start in 0..nodes.len() {
        if state[start] != 0 {
            continue;
        }
        let mut stack = vec![(start, false)];
        while let Some((at, is_done)) = stack.pop() {
            if is_done {
                state[at] = 2;
                order.push(at);
                continue;
            }
            if state[at] != 0 {
                continue;
            }
            state[at] = 1;
            stack.push((at, true));
            let next: Vec<usize> = neighbors(graph, nodes[at], true)
                .filter_map(index)
                .collect();
            for other in next {
                if state[other] != 1 {
                    forward[at].push(other);
                    if state[other] == 0 {
                        stack.push((other, false));
                    }
                }
            }
        }
    }
    let mut column = vec![0_i32; nodes.len()];
    for at in order.iter().rev() {
        for other in &forward[*at] {
            column[*other] = column[*other].max(column[*at] + 1);
        }
    }
    for at in &order {
        if !has_exec(nodes[*at])
            && let Some(reader) = forward[*at].iter().map(|other| column[*other]).min()
        {
            column[*at] = reader - 1;
        }
    }
    let first = column.iter().copied().min().unwrap_or(0);
    let last = column.iter().copied().max().unwrap_or(0);
    let mut x = 0;
    for wanted in first..=last {
        let members: Vec<usize> = (0..nodes.len())
            .filter(|idx| column[*idx] == wanted)
            .collect();
        let mut y = 0;
        let mut width = 0;
        // Control stays on one line along the top.
        let (control, values): (Vec<usize>, Vec<usize>) =
            members.iter().partition(|idx| has_exec(nodes[**idx]));
        for idx in control.into_iter().chain(values) {
            (shapes[idx].x, shapes[idx].y) = (x, y);
            y += shapes[idx].height + ROW_GAP;
            width = width.max(shapes[idx].width);
        }
        if !members.is_empty() {
            x += width + COLUMN_GAP;
        }
    }
}
