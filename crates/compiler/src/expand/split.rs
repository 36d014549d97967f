//! Split struct pins become make and break nodes.

use bp_diag::Code;
use bp_graph::{Direction, PinCategory, PinType};
use bp_reflect::{Name, ObjectPath};

use super::Expander;
use crate::expanded::{ExNodeId, ExPinId, Op};

/// Structs whose make and break functions serve nodes of their own but not split pins.
///
/// Source: real packages split these through `K2Node_MakeStruct` and `K2Node_BreakStruct`.
const SPLIT_BY_MEMBER: &[&str] = &["LinearColor", "Color"];

impl Expander<'_, '_> {
    /// Replaces a node's split pins, last pin first, by one make or break node each. The parts' links and
    /// defaults move to it; a part that is split itself is expanded when the walk reaches the new node.
    ///
    /// Source: the order explains the local numbers of 573 real function graphs.
    pub(super) fn expand_split_pins(&mut self, id: ExNodeId) {
        let graph = &self.graph;
        let node = graph.node(id);
        let mut pins = node.pins.iter();
        if matches!(node.op, Op::Gone) || pins.all(|pin| graph.pins[*pin].sub_pins.is_empty()) {
            return;
        }
        for pin in self.graph.pins_of(id).into_iter().rev() {
            let is_top = self.graph.pins[pin].parent.is_none();
            if is_top && !self.graph.pins[pin].sub_pins.is_empty() {
                self.expand_split_pin(id, pin);
            }
        }
    }

    fn expand_split_pin(&mut self, id: ExNodeId, pin: ExPinId) {
        let ty = self.graph.pins[pin].ty.clone();
        let Some(path) = ty
            .object
            .clone()
            .filter(|_| ty.category == PinCategory::Struct)
        else {
            let name = self.graph.pins[pin].name.clone();
            self.error(
                id,
                Code::StructInvalid,
                format!("`{name}` is split but is no struct"),
                Some(&name),
            );
            return;
        };
        let is_input = self.graph.pins[pin].direction == Direction::Input;
        let parts = std::mem::take(&mut self.graph.pins[pin].sub_pins);
        let node = self.spawn_parts(id, &path, is_input, &ty);
        let prefix = format!("{}_", self.graph.pins[pin].name);
        let part_side = if is_input {
            Direction::Input
        } else {
            Direction::Output
        };
        {
            for part in &parts {
                let full = self.graph.pins[*part].name.to_string();
                let member = full.strip_prefix(&prefix).unwrap_or(&full).to_owned();
                let target = match self.graph.pin(node, &member, part_side) {
                    Some(target) => target,
                    None if matches!(
                        self.graph.node(node).op,
                        Op::MakeStruct(_) | Op::BreakStruct
                    ) =>
                    {
                        let ty = self.graph.pins[*part].ty.clone();
                        self.graph.add_pin(node, &member, part_side, ty)
                    }
                    None => {
                        let name = Name::new(&full);
                        self.error(
                            id,
                            Code::StructInvalid,
                            format!("{} has no part `{member}`", path.name()),
                            Some(&name),
                        );
                        continue;
                    }
                };
                self.graph.move_links(*part, target);
                self.graph.pins[target].default = self.graph.pins[*part].default.clone();
                self.graph.pins[target].ty = self.graph.pins[*part].ty.clone();
                let inner = std::mem::take(&mut self.graph.pins[*part].sub_pins);
                for sub in &inner {
                    self.graph.pins[*sub].node = node;
                    self.graph.pins[*sub].parent = Some(target);
                    let renamed = self.graph.pins[*sub].name.to_string();
                    let shorter = renamed.strip_prefix(&prefix).unwrap_or(&renamed).to_owned();
                    self.graph.pins[*sub].name = Name::new(shorter);
                    self.graph.node_mut(node).pins.push(*sub);
                    self.graph.node_mut(id).pins.retain(|other| other != sub);
                }
                self.graph.pins[target].sub_pins = inner;
            }
            let whole = if is_input {
                self.graph.data_out(node)
            } else {
                self.graph
                    .pins_of(node)
                    .into_iter()
                    .find(|pin| self.graph.pins[*pin].direction == Direction::Input)
            };
            if let Some(whole) = whole {
                self.graph.link(whole, pin);
            }
        }
        for part in parts {
            self.graph.node_mut(id).pins.retain(|other| *other != part);
        }
    }

    /// The node that makes (`is_make`) or breaks a struct: its native function if it has one.
    fn spawn_parts(
        &mut self,
        id: ExNodeId,
        path: &ObjectPath,
        is_make: bool,
        ty: &PinType,
    ) -> ExNodeId {
        let structure = self.cx.registry.structure(path);
        let native = structure
            .filter(|_| !SPLIT_BY_MEMBER.contains(&path.name()))
            .and_then(|structure| {
                let parts = &structure.native_parts;
                if is_make {
                    parts.make.clone()
                } else {
                    parts.break_.clone()
                }
            });
        if let Some(function) = native {
            let owner = function.outer().unwrap_or_else(|| function.clone());
            if let Some((class, function)) = self
                .cx
                .registry
                .find_function(&owner, &Name::new(function.name()))
            {
                return self.spawn_call(id, crate::expanded::Callee { class, function });
            }
        }
        let plain = PinType {
            is_reference: false,
            is_const: false,
            ..ty.clone()
        };
        if is_make {
            let node = self
                .graph
                .spawn(id, "K2Node_MakeStruct", Op::MakeStruct(path.clone()));
            // Inputs come first in the engine's pin order; they are added by the caller, and locals are
            // made of outputs only, so the output can stand first here.
            self.graph.output(node, path.name(), plain);
            node
        } else {
            let node = self.graph.spawn(id, "K2Node_BreakStruct", Op::BreakStruct);
            self.graph.input(node, path.name(), plain);
            node
        }
    }
}
