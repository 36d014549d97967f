use bp_graph::Direction;

use super::Expander;
use crate::expanded::{ExPinId, Op};

impl Expander<'_, '_> {
    /// Joins the wires of every knot. The knots keep their places in the list until the next prune.
    pub(super) fn dissolve_knots(&mut self) {
        for id in self.graph.list.clone() {
            if !self.is_class(id, "K2Node_Knot") {
                continue;
            }
            let find = |direction| {
                self.graph
                    .node(id)
                    .pins
                    .iter()
                    .copied()
                    .find(|pin| self.graph.pins[*pin].direction == direction)
            };
            if let (Some(input), Some(output)) = (find(Direction::Input), find(Direction::Output)) {
                self.join(input, output);
            }
            self.graph.node_mut(id).op = Op::Gone;
        }
    }

    /// Joins the two pins of a gateway: everything on the far side of one is linked to everything on the
    /// far side of the other, new links last in both lists. An unlinked input gives its default to the
    /// consumers behind the output.
    pub(super) fn join(&mut self, a: ExPinId, b: ExPinId) {
        let is_bare_input = |pin: ExPinId| {
            self.graph.pins[pin].links.is_empty()
                && self.graph.pins[pin].direction == Direction::Input
        };
        let (bare_a, bare_b) = (is_bare_input(a), is_bare_input(b));
        if bare_a || bare_b {
            let (from, to) = if bare_a { (a, b) } else { (b, a) };
            let default = self.graph.pins[from].default.clone();
            for far in self.graph.pins[to].links.clone() {
                self.graph.pins[far].default = default.clone();
            }
        } else {
            for far_a in self.graph.pins[a].links.clone() {
                for far_b in self.graph.pins[b].links.clone() {
                    self.graph.link(far_a, far_b);
                }
            }
        }
        self.graph.unlink(a);
        self.graph.unlink(b);
    }
}
