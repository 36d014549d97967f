//! Macros and collapsed graphs: their insides move into the function, their borders go.

use bp_diag::{Code, Diagnostic};
use bp_graph::{Direction, PinCategory, PinType, PropertyValue};
use bp_reflect::EngineVersion;

use super::Expander;
use crate::expanded::{ContainerKind, ExNodeId, ExPinId, Op};

/// Deepest nesting of macros that is expanded; a chain of different macros longer than this is refused.
const MAX_NESTING: usize = 64;
/// Most nodes that macros may expand to in one function.
const MAX_NODES: usize = 100_000;

impl Expander<'_, '_> {
    /// Dissolves every macro instance and composite from a place in the list on.
    ///
    /// A macro's nodes are appended reversed and met later in the same walk; the instance keeps its
    /// place. Pass-through nodes come when all macros are expanded, gateway by gateway in list order.
    ///
    /// Source: tried were their place (with the macro's nodes, behind all) and every order of the ways in,
    /// inwards and out; only this one explains the same 18 real functions as the prune's roots.
    pub(super) fn expand_tunnels(&mut self, start: usize) {
        let mut passes = Vec::new();
        let mut idx = start;
        while idx < self.graph.list.len() {
            let id = self.graph.list[idx];
            idx += 1;
            if self.is_class(id, "K2Node_MacroInstance") {
                self.expand_split_pins(id);
                self.expand_macro(id, &mut passes);
            } else if let Some((entry, exit)) = self.composites.get(&id).copied() {
                self.expand_split_pins(id);
                self.collapse(id, entry, exit, &mut passes);
            }
        }
        self.graph.list.extend(passes);
    }

    fn expand_macro(&mut self, id: ExNodeId, passes: &mut Vec<ExNodeId>) {
        let node = self.graph.drawn(id).expect("a macro instance is drawn");
        let Some(body) = self.cx.find_macro(node) else {
            let name = node
                .properties
                .get("MacroGraphReference")
                .and_then(|reference| reference.get("MacroGraph"))
                .and_then(PropertyValue::as_object)
                .map_or_else(|| "it names".to_owned(), |path| format!("`{path}`"));
            self.error(
                id,
                Code::MacroInvalid,
                format!("the macro {name} was not found"),
                None,
            );
            return;
        };
        let mut depth = 0;
        let mut outer = Some(self.graph.node(id).origin);
        while let Some(origin) = outer {
            let origin = self.graph.origin(origin);
            if std::ptr::eq(origin.graph, body) {
                self.error(
                    id,
                    Code::MacroRecursive,
                    format!("macro {} contains itself", body.name),
                    None,
                );
                return;
            }
            depth += 1;
            outer = origin.within;
        }
        if depth > MAX_NESTING || self.graph.nodes.len() > MAX_NODES {
            // Said once: macros that double at each level would say it for every copy.
            let is_said = |finding: &Diagnostic| finding.code == Code::TooDeep;
            if self.diagnostics.iter().any(is_said) {
                return;
            }
            self.error(
                id,
                Code::TooDeep,
                format!(
                    "macro {} is nested too deep or expands to too much",
                    body.name
                ),
                None,
            );
            return;
        }
        let (origin, guid) = {
            let instance = self.graph.node(id);
            (instance.origin, instance.guid)
        };
        let start = self.graph.list.len();
        let cloned = self.clone_graph(body, Some(origin), Some(guid));
        self.graph.list[start..].reverse();
        self.clone_children(body, &cloned, Some(guid));
        let copy_of =
            |id: Option<bp_graph::NodeId>| id.and_then(|id| cloned.nodes.get(id).copied());
        let (entry, exit) = (copy_of(body.entry()), copy_of(body.results().next()));
        let end = self.graph.list.len();
        self.resolve_wildcards(id, start..end, entry, exit);
        self.collapse(id, entry, exit, passes);
    }

    /// Gives the wildcard pins of a macro's body the type its instance has.
    fn resolve_wildcards(
        &mut self,
        instance: ExNodeId,
        body: std::ops::Range<usize>,
        entry: Option<ExNodeId>,
        exit: Option<ExNodeId>,
    ) {
        let mut resolved: Option<PinType> = None;
        for pin in self.graph.pins_of(instance) {
            let pin = &self.graph.pins[pin];
            if pin.ty.category == PinCategory::Wildcard || pin.is_exec() {
                continue;
            }
            let gate = if pin.direction == Direction::Input {
                entry
            } else {
                exit
            };
            let is_open = gate
                .and_then(|gate| self.gate_pin(gate, &pin.name.to_string(), pin.direction))
                .is_some_and(|gate| self.graph.pins[gate].ty.category == PinCategory::Wildcard);
            if is_open {
                resolved = Some(pin.ty.element());
                break;
            }
        }
        let Some(resolved) = resolved else { return };
        for idx in body {
            for pin in self.graph.pins_of(self.graph.list[idx]) {
                let ty = &mut self.graph.pins[pin].ty;
                if ty.category == PinCategory::Wildcard {
                    ty.category = resolved.category;
                    ty.sub_category.clone_from(&resolved.sub_category);
                    ty.object.clone_from(&resolved.object);
                    ty.is_uobject_wrapper = resolved.is_uobject_wrapper;
                }
            }
        }
    }

    /// The pin of a boundary tunnel that stands for an instance's pin: names compare without case and
    /// blanks, an unnamed exec pin also matches the only one left.
    fn gate_pin(&self, gate: ExNodeId, name: &str, side: Direction) -> Option<ExPinId> {
        let inner = match side {
            Direction::Input => Direction::Output,
            Direction::Output => Direction::Input,
        };
        let fold = |text: &str| {
            text.chars()
                .filter(|c| !matches!(c, ' ' | '_'))
                .flat_map(char::to_lowercase)
                .collect::<String>()
        };
        let wanted = fold(name);
        let pins = &self.graph.node(gate).pins;
        let of_side = || {
            pins.iter()
                .copied()
                .filter(|pin| self.graph.pins[*pin].direction == inner)
        };
        of_side()
            .find(|pin| fold(self.graph.pins[*pin].name.as_str()) == wanted)
            .or_else(|| {
                let is_exec_word =
                    |text: &str| ["", "execute", "exec", "then", "none"].contains(&text);
                of_side().find(|pin| {
                    let pin = &self.graph.pins[*pin];
                    is_exec_word(&wanted) && pin.is_exec() && is_exec_word(&fold(pin.name.as_str()))
                })
            })
    }

    /// Dissolves one gateway, last pin first: data wires are joined, each exec pin gets pass-through
    /// nodes that carry the debug sites: those of the ways out first, then those of the ways in.
    ///
    /// Source: 1,261 of 1,261 crossings. Two sites on the way in from 4.24 on, one in 4.18 - 4.23 (few
    /// samples), none in 4.16; one on the way out.
    fn collapse(
        &mut self,
        instance: ExNodeId,
        entry: Option<ExNodeId>,
        exit: Option<ExNodeId>,
        passes: &mut Vec<ExNodeId>,
    ) {
        let has_passes = self.cx.debug_sites && self.cx.engine >= EngineVersion::new(4, 18);
        let has_outer_pass = self.cx.engine >= EngineVersion::new(4, 24);
        let (mut outer, mut inner, mut outward) = (Vec::new(), Vec::new(), Vec::new());
        for pin in self.graph.pins_of(instance).into_iter().rev() {
            let (direction, is_exec, name) = {
                let pin = &self.graph.pins[pin];
                (pin.direction, pin.is_exec(), pin.name.clone())
            };
            let gate = if direction == Direction::Input {
                entry
            } else {
                exit
            };
            let Some(gate_pin) =
                gate.and_then(|gate| self.gate_pin(gate, name.as_str(), direction))
            else {
                if !self.graph.pins[pin].links.is_empty() {
                    self.error(
                        instance,
                        Code::TunnelCollapse,
                        format!("the inside has no pin `{name}`"),
                        Some(&name),
                    );
                }
                continue;
            };
            if !is_exec {
                self.fill_bare_array(instance, pin, gate_pin);
                self.join(pin, gate_pin);
            } else if !has_passes {
                self.join(pin, gate_pin);
            } else if direction == Direction::Input {
                let (id, execute, then) = self.pass_through(instance);
                self.graph.move_links(gate_pin, then);
                inner.insert(0, id);
                if has_outer_pass {
                    let (id, outer_execute, outer_then) = self.pass_through(instance);
                    self.graph.move_links(pin, outer_execute);
                    self.graph.link(outer_then, execute);
                    outer.insert(0, id);
                } else {
                    self.graph.move_links(pin, execute);
                }
            } else {
                let (id, execute, then) = self.pass_through(instance);
                self.graph.move_links(gate_pin, execute);
                self.graph.move_links(pin, then);
                outward.insert(0, id);
            }
        }
        passes.extend(outward);
        passes.extend(outer);
        passes.extend(inner);
        if let Some(entry) = entry {
            self.inner_entries.insert(entry, ());
        }
    }

    /// An unlinked array input of a macro is an empty array.
    fn fill_bare_array(&mut self, instance: ExNodeId, pin: ExPinId, gate_pin: ExPinId) {
        let ty = self.graph.pins[pin].ty.clone();
        let is_bare = self.graph.pins[pin].direction == Direction::Input
            && self.graph.pins[pin].links.is_empty();
        if !is_bare || !ty.is_array() || self.graph.pins[gate_pin].links.is_empty() {
            return;
        }
        let make = self.graph.spawn(
            instance,
            "K2Node_MakeArray",
            Op::MakeContainer(ContainerKind::Array),
        );
        let array = self.graph.output(make, "Array", ty);
        self.graph.link(array, pin);
    }

    fn pass_through(&mut self, instance: ExNodeId) -> (ExNodeId, ExPinId, ExPinId) {
        let source = self.graph.node(instance);
        let node = crate::expanded::ExNode {
            op: Op::PassThrough,
            class: bp_reflect::Name::new("K2Node_TunnelBoundary"),
            pins: smallvec::SmallVec::new(),
            origin: source.origin,
            guid: source.guid,
            stem: None,
        };
        let id = self.graph.alloc(node);
        let (execute, then) = self.graph.exec_pair(id);
        (id, execute, then)
    }
}
