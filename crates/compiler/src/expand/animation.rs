//! The animation compiler's part in the ubergraph: events that evaluate the exposed inputs of animation nodes.
//!
//! Graphs of animation are merged into the ubergraph behind its pages. Each node with linked inputs gets an event
//! `EvaluateGraphExposedInputs_…` and behind it a node that writes the inputs into the node's struct. Where all
//! inputs are mere copies of members, the run-time copies them itself: such an event goes away again once macros and
//! knots are gone, and the animation nodes with it.
//!
//! Source: 108 handlers of 10 real animation Blueprints from 4.16 to 5.0, and what 12 others do not have.

use bp_diag::Code;
use bp_graph::animation::is_animation_node;
use bp_graph::{Direction, Graph, Node, NodeId, PinCategory, PinType};
use bp_reflect::{Name, ObjectPath};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Expander;
use super::clone::Cloned;
use crate::animation::{self, AnimationNode};
use crate::expanded::{ExNodeId, ExPinId, Op, VariableRef};

/// What a getter of a rule asks for, and the function of the instance that tells it.
///
/// Source: the third in two real rules; the others after the names of the functions.
const GETTERS: &[(&str, &str)] = &[
    (
        "AnimationAsset_GetCurrentTime",
        "GetInstanceAssetPlayerTime",
    ),
    ("AnimationAsset_GetLength", "GetInstanceAssetPlayerLength"),
    (
        "AnimationAsset_GetTimeFromEnd",
        "GetInstanceAssetPlayerTimeFromEnd",
    ),
    (
        "AnimationAsset_GetCurrentTimeFraction",
        "GetInstanceAssetPlayerTimeFraction",
    ),
    (
        "AnimationAsset_GetTimeFromEndFraction",
        "GetInstanceAssetPlayerTimeFromEndFraction",
    ),
];

/// Functions that take a struct apart and that the run-time can do without.
const NATIVE_BREAKS: &[&str] = &["BreakVector", "BreakVector2D", "BreakRotator"];

/// An event that evaluates inputs, and the pins of the animation node that it evaluates.
pub(super) struct Handler {
    event: ExNodeId,
    pins: Vec<ExPinId>,
}

/// What is known while the graphs of animation are merged.
struct Merge<'a> {
    nodes: Vec<AnimationNode<'a>>,
    /// The place of each drawn node in `nodes`.
    places: FxHashMap<(*const Graph, NodeId), usize>,
    /// The copies of drawn nodes in the ubergraph.
    copies: FxHashMap<(*const Graph, NodeId), ExNodeId>,
    /// Names of handlers that are taken.
    names: Vec<Name>,
}

impl<'a> Expander<'a, '_> {
    /// Merges the graphs of animation into the ubergraph and makes the events of their nodes.
    pub(super) fn merge_animation(&mut self) {
        let graphs: Vec<&'a Graph> = animation::graphs(self.cx.blueprint).collect();
        if graphs.is_empty() {
            return;
        }
        let nodes = animation::nodes(self.cx.blueprint, self.cx.registry, self.cx.engine);
        let key = |node: &AnimationNode<'a>| (std::ptr::from_ref(node.graph), node.node);
        let places = nodes.iter().map(key).enumerate();
        let mut merge = Merge {
            places: places.map(|(idx, key)| (key, idx)).collect(),
            nodes,
            copies: FxHashMap::default(),
            names: Vec::new(),
        };
        let mut top = Vec::new();
        for graph in graphs.iter().copied() {
            top.extend(self.move_in(graph, &mut merge).into_iter().rev());
        }
        let mut idx = 0;
        while idx < self.graph.list.len() {
            let id = self.graph.list[idx];
            self.expand_split_pins(id);
            idx += 1;
        }
        for (graph, id) in animation::reached(top) {
            self.animation_node(graph, id, &mut merge);
        }
        for graph in graphs {
            self.wire_getters(graph, &merge);
        }
    }

    /// Copies a graph's nodes behind the others, last node first, with what is collapsed in it. Gives the drawn
    /// nodes.
    fn move_in(&mut self, graph: &'a Graph, merge: &mut Merge<'a>) -> Vec<animation::Drawn<'a>> {
        let start = self.graph.list.len();
        let Cloned { nodes } = self.clone_tree(graph, None, None);
        if animation::prunes_graphs(self.cx.engine) {
            self.prune_unused(start);
        }
        self.graph.list[start..].reverse();
        let copies = nodes.into_iter();
        merge
            .copies
            .extend(copies.map(|(id, copy)| ((std::ptr::from_ref(graph), id), copy)));
        animation::used(graph, self.cx.engine)
    }

    /// Removes what no animation node uses from a graph that was just copied, the last one filling each hole.
    fn prune_unused(&mut self, start: usize) {
        let mut used = FxHashSet::default();
        let nodes = self.graph.list[start..].iter().copied();
        let mut work: Vec<ExNodeId> = nodes
            .filter(|id| animation::is_root_class(&self.graph.node(*id).class))
            .collect();
        while let Some(id) = work.pop() {
            if !used.insert(id) {
                continue;
            }
            for pin in self.graph.pins_of(id) {
                let pin = &self.graph.pins[pin];
                if pin.direction == Direction::Input {
                    let producers = pin.links.iter();
                    work.extend(producers.map(|other| self.graph.pins[*other].node));
                }
            }
        }
        let mut idx = start;
        while idx < self.graph.list.len() {
            let id = self.graph.list[idx];
            if used.contains(&id) || is_animation_node(&self.graph.node(id).class) {
                idx += 1;
            } else {
                self.graph.unlink_node(id);
                self.graph.swap_remove(idx);
            }
        }
    }

    fn animation_node(&mut self, graph: &'a Graph, id: NodeId, merge: &mut Merge<'a>) {
        for inner in animation::insides(graph, id) {
            let start = self.graph.list.len();
            let drawn = self.move_in(inner, merge);
            let mut idx = start;
            while idx < self.graph.list.len() {
                let id = self.graph.list[idx];
                self.expand_split_pins(id);
                idx += 1;
            }
            for (graph, id) in animation::reached(drawn) {
                self.animation_node(graph, id, merge);
            }
            self.wire_getters(inner, merge);
        }
        let key = (std::ptr::from_ref(graph), id);
        let (Some(copy), Some(place)) = (merge.copies.get(&key), merge.places.get(&key)) else {
            return;
        };
        self.make_handler(*copy, *place, merge);
    }

    /// The event and the assignments of an animation node's linked inputs.
    fn make_handler(&mut self, id: ExNodeId, place: usize, merge: &mut Merge<'a>) {
        let node = &merge.nodes[place];
        let served: Vec<ExPinId> = self
            .graph
            .pins_of(id)
            .into_iter()
            .filter(|pin| {
                let pin = &self.graph.pins[*pin];
                pin.direction == Direction::Input && !pin.links.is_empty() && !is_pose(&pin.ty)
            })
            .collect();
        let Some(property) = self.cx.class.property(&node.member) else {
            return;
        };
        let decides_early = animation::is_merged_first(self.cx.engine);
        if served.is_empty() || decides_early && served.iter().all(|pin| self.is_copy(*pin)) {
            return;
        }
        let structure = node.structure.clone();
        let variable = VariableRef::Member {
            owner: self.cx.class.path.clone(),
            property,
        };
        let function = self.handler_name(id, merge);
        let event = self
            .graph
            .spawn(id, "K2Node_CustomEvent", Op::Event { function });
        self.graph
            .output(event, "OutputDelegate", PinType::of(PinCategory::Delegate));
        let mut exec = self.graph.output(event, "then", PinType::exec());
        let set = self.graph.spawn(
            id,
            "K2Node_StructMemberSet",
            Op::MemberSet {
                variable: variable.clone(),
                structure: structure.clone(),
            },
        );
        let (execute, then) = self.graph.exec_pair(set);
        self.graph.link(exec, execute);
        exec = then;
        let mut arrays: Vec<(Name, ExPinId)> = Vec::new();
        for pin in &served {
            let name = self.graph.pins[*pin].name.clone();
            let ty = self.graph.pins[*pin].ty.clone();
            match self.element(id, &structure, &name) {
                None => {
                    let input = self.graph.input(set, name.as_str(), ty);
                    self.graph.copy_links(*pin, input);
                }
                Some((array, index)) => {
                    let fetched = arrays.iter().find(|(name, _)| *name == array);
                    let fetched = if let Some((_, pin)) = fetched {
                        *pin
                    } else {
                        let op = Op::MemberGet {
                            variable: variable.clone(),
                            structure: structure.clone(),
                        };
                        let get = self.graph.spawn(id, "K2Node_StructMemberGet", op);
                        let ty = PinType {
                            container: bp_graph::Container::Array,
                            ..(*ty).clone()
                        };
                        let output = self.graph.output(get, array.as_str(), ty);
                        arrays.push((array, output));
                        output
                    };
                    let Some(then) = self.set_element(id, *pin, fetched, index, exec) else {
                        return;
                    };
                    exec = then;
                }
            }
        }
        self.handlers.push(Handler {
            event,
            pins: served,
        });
    }

    /// `EvaluateGraphExposedInputs_<ubergraph>_<class>_<guid>`, told apart by a number where guids repeat.
    fn handler_name(&self, id: ExNodeId, merge: &mut Merge<'a>) -> Name {
        let node = self.graph.node(id);
        let stem = format!(
            "EvaluateGraphExposedInputs_ExecuteUbergraph_{}_{}_{}",
            self.cx.blueprint.name, node.class, node.guid
        );
        let mut name = Name::new(&stem);
        let mut number = 0;
        while merge.names.contains(&name) {
            name = Name::new(format!("{stem}_{number}"));
            number += 1;
        }
        merge.names.push(name.clone());
        name
    }

    /// The array and index that a pin `<Array>_<Index>` stands for, unless a property has that whole name.
    fn element(&self, id: ExNodeId, structure: &ObjectPath, name: &Name) -> Option<(Name, usize)> {
        let (array, index) = name.as_str().rsplit_once('_')?;
        let index: usize = index.parse().ok()?;
        let listed = self.graph.drawn(id)?.properties.get("ShowPinForProperties");
        let is_listed = listed.is_some_and(|list| {
            let names = list.elements().into_iter();
            names
                .filter_map(|entry| entry.get("PropertyName")?.as_str())
                .any(|listed| *name == *listed)
        });
        let is_declared = self.cx.registry.find_member(structure, name).is_some();
        (!is_listed && !is_declared).then(|| (Name::new(array), index))
    }

    /// A call of `Array_Set` on an array of an animation node's struct. Gives the exec output.
    fn set_element(
        &mut self,
        id: ExNodeId,
        value: ExPinId,
        array: ExPinId,
        index: usize,
        exec: ExPinId,
    ) -> Option<ExPinId> {
        let call = self.spawn_native_call(id, "KismetArrayLibrary", "Array_Set")?;
        let execute = self.graph.execute(call)?;
        self.graph.link(exec, execute);
        let target = self.graph.in_pin(call, "TargetArray")?;
        self.graph.pins[target].ty = self.graph.pins[array].ty.clone();
        self.graph.link(target, array);
        let place = self.graph.in_pin(call, "Index")?;
        self.graph.pins[place].default.value = index.to_string();
        let item = self.graph.in_pin(call, "Item")?;
        let ty = self.graph.pins[value].ty.clone();
        self.graph.pins[item].ty = ty;
        self.graph.copy_links(value, item);
        self.graph.then(call)
    }

    /// Getters are calls on the instance that take the number of the node they ask about; those of older versions
    /// become such calls.
    fn wire_getters(&mut self, graph: &'a Graph, merge: &Merge<'a>) {
        for old in [true, false] {
            for (id, node) in graph.nodes.iter() {
                let copy = merge.copies.get(&(std::ptr::from_ref(graph), id)).copied();
                match (copy, node.class.as_str()) {
                    (Some(copy), "K2Node_TransitionRuleGetter") if old => {
                        self.replace_getter(copy, node, merge);
                    }
                    (Some(copy), "K2Node_AnimGetter") if !old => {
                        self.wire_getter(copy, node, "SourceNode", merge);
                    }
                    _ => {}
                }
            }
        }
    }

    fn replace_getter(&mut self, id: ExNodeId, node: &Node, merge: &Merge<'a>) {
        let kind = node.properties.text("GetterType").unwrap_or_default();
        let kind = kind.rsplit(':').next().unwrap_or_default();
        let Some((_, function)) = GETTERS.iter().find(|(known, _)| *known == kind) else {
            let message =
                format!("the getter `{kind}` asks about states, whose numbers are not known");
            self.error(id, Code::UnknownNode, message, None);
            return;
        };
        let Some(call) = self.spawn_native_call(id, "AnimInstance", function) else {
            return;
        };
        if let (Some(output), Some(result)) = (self.graph.data_out(id), self.graph.data_out(call)) {
            self.graph.move_links(output, result);
        }
        self.wire_getter(call, node, "AssociatedAnimAssetPlayerNode", merge);
        self.graph.dissolve(id);
    }

    /// Gives a getter's call the number of the node that a property names.
    fn wire_getter(&mut self, call: ExNodeId, node: &Node, key: &str, merge: &Merge<'a>) {
        let source = node.properties.object(key);
        let source = source.and_then(|path| animation::find(self.cx.blueprint, &path));
        let place = source.and_then(|(graph, id)| {
            let place = merge.places.get(&(std::ptr::from_ref(graph), id));
            place.copied()
        });
        for pin in self.graph.pins_of(call) {
            let name = self.graph.pins[pin].name.to_string();
            match (name.as_str(), place) {
                ("AssetPlayerIndex" | "MachineIndex", Some(place)) => {
                    self.graph.pins[pin].default.value = place.to_string();
                }
                ("AssetPlayerIndex" | "MachineIndex", None) => {
                    let message = "the animation node that the getter asks about is not compiled";
                    self.error(call, Code::NodeProperty, message, None);
                }
                ("StateIndex" | "TransitionIndex", _) => {
                    let message = "the getter asks about a state, whose number is not known";
                    self.error(call, Code::UnknownNode, message, None);
                }
                _ => {}
            }
        }
    }

    /// Takes out the events that only copy members. They keep their places to the next prune, as do the animation
    /// nodes.
    pub(super) fn remove_copies(&mut self) {
        for handler in std::mem::take(&mut self.handlers) {
            if handler.pins.iter().all(|pin| self.is_copy(*pin)) {
                self.graph.dissolve(handler.event);
            }
        }
    }

    /// Whether an input is a mere copy: of a member of this class, of its negation, or of a part of it.
    fn is_copy(&self, pin: ExPinId) -> bool {
        let Some(node) = self.source(pin) else {
            return false;
        };
        if self.is_member_get(node) {
            return true;
        }
        let function = if let Op::Call { callee, .. } = &self.graph.node(node).op {
            Some(callee.function.name.clone())
        } else {
            self.graph.drawn(node).and_then(|drawn| {
                let reference = drawn.properties.member("FunctionReference");
                reference.map(|reference| reference.name)
            })
        };
        let is_part = match self.graph.node(node).class.as_str() {
            "K2Node_BreakStruct" => true,
            "K2Node_CallFunction" => function.is_some_and(|name| {
                let name = name.as_str();
                name == "Not_PreBool" || NATIVE_BREAKS.contains(&name)
            }),
            _ => false,
        };
        let pins = self.graph.pins_of(node);
        let mut inputs = pins.into_iter().filter(|pin| {
            let pin = &self.graph.pins[*pin];
            pin.direction == Direction::Input && pin.name != "self"
        });
        let whole = inputs.next().and_then(|input| self.source(input));
        is_part && whole.is_some_and(|whole| self.is_member_get(whole))
    }

    /// The node an input takes its value from, behind knots.
    fn source(&self, pin: ExPinId) -> Option<ExNodeId> {
        let mut node = self.graph.pins[*self.graph.pins[pin].links.first()?].node;
        let mut seen = FxHashSet::default();
        while self.is_class(node, "K2Node_Knot") && seen.insert(node) {
            let input = self.graph.in_pin(node, "InputPin")?;
            node = self.graph.pins[*self.graph.pins[input].links.first()?].node;
        }
        Some(node)
    }

    /// Whether a node reads a member of the object itself.
    fn is_member_get(&self, id: ExNodeId) -> bool {
        let is_own = self.graph.drawn(id).is_some_and(|node| {
            let reference = node.properties.member("VariableReference");
            reference.is_some_and(|reference| reference.is_self || reference.parent.is_none())
        });
        let node = self.graph.node(id);
        is_own
            && node.class == "K2Node_VariableGet"
            && matches!(
                node.op,
                Op::Drawn | Op::VariableGet(VariableRef::Member { .. })
            )
            && self.graph.is_pure(id)
            && self
                .graph
                .in_pin(id, "self")
                .is_none_or(|target| self.graph.pins[target].links.is_empty())
    }
}

fn is_pose(ty: &PinType) -> bool {
    let object = ty.object.as_ref();
    object.is_some_and(|path| path.name().ends_with("PoseLink"))
}
