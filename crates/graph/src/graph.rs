//! Graphs and nodes.

use bp_diag::Span;
use bp_reflect::{FunctionFlags, Name, ObjectPath};
use la_arena::{Arena, Idx};

use crate::{Direction, Guid, Pin, Properties, Variable};

/// A node of one graph.
pub type NodeId = Idx<Node>;
/// A pin of one graph.
pub type PinId = Idx<Pin>;

/// What a graph is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GraphKind {
    /// A page of events; all pages are merged into the ubergraph.
    #[default]
    Event,
    /// A function.
    Function,
    /// A macro, expanded where it is used.
    Macro,
    /// The construction script, a function that runs when an object is made.
    Construction,
    /// The signature of an event dispatcher.
    DelegateSignature,
    /// The inside of a collapsed (Composite) node.
    Composite,
    /// Poses: the graph of an animation Blueprint or of one of its layers, or the inside of a state.
    Animation,
    /// The states and transitions inside a state machine's node.
    StateMachine,
    /// The rule of a transition, or of a conduit.
    Transition,
}

/// A graph as drawn.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Its name; of a function or macro, the function's or macro's.
    pub name: Name,
    /// What it is for.
    pub kind: GraphKind,
    /// Identifies it over renames; macro instances refer to it.
    pub guid: Guid,
    /// Of a function: the bits its author chose (`ExtraFlags` of the entry node).
    pub flags: FunctionFlags,
    /// Of an interface implementation that lives in a function graph: the interface's path.
    pub implements: Option<ObjectPath>,
    /// Local variables, in order.
    pub locals: Vec<Variable>,
    /// Nodes, in the order of the engine's `Nodes` array.
    pub nodes: Arena<Node>,
    /// Pins of all nodes.
    pub pins: Arena<Pin>,
    /// Graphs inside its nodes (composites, state machines, states, transitions), in the order of their nodes.
    pub children: Vec<Graph>,
    /// Where it is written.
    pub span: Option<Span>,
}

/// Whether a node takes part (`ENodeEnabledState`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnabledState {
    /// It does.
    #[default]
    Enabled,
    /// It does not; exec wires pass through it.
    Disabled,
    /// It does, except in shipping builds. Compiles as enabled.
    DevelopmentOnly,
}

/// A node as drawn.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its object name (or JSON id), unique in its graph.
    pub name: Name,
    /// Its class without package: `K2Node_CallFunction`, `EdGraphNode_Comment`.
    pub class: Name,
    /// Package of the class when it is not the usual `/Script/BlueprintGraph`.
    pub class_package: Option<String>,
    /// Identifies it; latent calls are keyed by it.
    pub guid: Guid,
    /// Position in graph units.
    pub at: (i32, i32),
    /// The author's comment on it.
    pub comment: Option<String>,
    /// Whether it takes part.
    pub enabled: EnabledState,
    /// What it refers to, and every other property a reader met, by engine name
    /// (`FunctionReference`, `VariableReference`, `TargetType`, …).
    pub properties: Properties,
    /// Its pins in the engine's order, sub-pins of split pins included.
    pub pins: Vec<PinId>,
    /// Of a node with a graph inside it: the index of that graph in [`Graph::children`].
    pub child: Option<usize>,
    /// Where it is written.
    pub span: Option<Span>,
}

impl Graph {
    /// An empty graph.
    pub fn new(name: impl Into<Name>, kind: GraphKind) -> Self {
        Self {
            name: name.into(),
            kind,
            ..Self::default()
        }
    }

    /// Adds a node behind the others.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        self.nodes.alloc(node)
    }

    /// Adds a pin behind the others of its node.
    pub fn add_pin(&mut self, pin: Pin) -> PinId {
        let node = pin.node;
        let id = self.pins.alloc(pin);
        self.nodes[node].pins.push(id);
        id
    }

    /// Links two pins, behind their other links; a link that exists is left alone.
    pub fn link(&mut self, a: PinId, b: PinId) {
        // The pin with fewer links tells, so that one that feeds thousands costs no search for each.
        let (few, many) = if self.pins[a].links.len() <= self.pins[b].links.len() {
            (a, b)
        } else {
            (b, a)
        };
        if !self.pins[few].links.contains(&many) {
            self.pins[few].links.push(many);
            if few != many {
                self.pins[many].links.push(few);
            }
        }
    }

    /// The node of that name.
    pub fn node_named(&self, name: &Name) -> Option<NodeId> {
        self.nodes
            .iter()
            .find(|(_, node)| node.name == *name)
            .map(|(id, _)| id)
    }

    /// The pin of that name and direction; names compare without case and without spaces.
    pub fn pin(&self, node: NodeId, name: &str, direction: Direction) -> Option<PinId> {
        self.nodes[node]
            .pins
            .iter()
            .copied()
            .find(|pin| self.pins[*pin].direction == direction && self.pins[*pin].is_named(name))
    }

    /// A node's pins in order.
    pub fn pins_of(&self, node: NodeId) -> impl Iterator<Item = (PinId, &Pin)> {
        self.nodes[node]
            .pins
            .iter()
            .map(|pin| (*pin, &self.pins[*pin]))
    }

    /// The entry node of a function or macro graph: its `FunctionEntry`, or the Tunnel that has
    /// outputs only.
    pub fn entry(&self) -> Option<NodeId> {
        self.nodes
            .iter()
            .find(|(id, node)| {
                node.class == "K2Node_FunctionEntry"
                    || (node.is_tunnel() && self.is_entry_tunnel(*id))
            })
            .map(|(id, _)| id)
    }

    /// The nodes that end a function or macro graph: `FunctionResult`s, or the Tunnel that has
    /// inputs only.
    pub fn results(&self) -> impl Iterator<Item = NodeId> {
        self.nodes
            .iter()
            .filter(|(id, node)| {
                node.class == "K2Node_FunctionResult"
                    || (node.is_tunnel() && !self.is_entry_tunnel(*id))
            })
            .map(|(id, _)| id)
    }

    /// Of the two Tunnels of a graph, whether this is the one that inputs come out of.
    pub fn is_entry_tunnel(&self, node: NodeId) -> bool {
        let properties = &self.nodes[node].properties;
        match (
            properties.flag("bCanHaveOutputs"),
            properties.flag("bCanHaveInputs"),
        ) {
            (Some(true), Some(false) | None) => true,
            (Some(false) | None, Some(true)) => false,
            _ => self
                .pins_of(node)
                .any(|(_, pin)| pin.direction == Direction::Output),
        }
    }
}

impl Node {
    /// A node; the class of a K2 node with or without `K2Node_`.
    pub fn new(name: impl Into<Name>, class: &str) -> Self {
        let families = ["K2Node_", "EdGraphNode", "AnimGraphNode_", "AnimState"];
        let known = families.iter().any(|family| class.starts_with(family));
        Self {
            name: name.into(),
            class: if known {
                Name::new(class)
            } else {
                Name::new(format!("K2Node_{class}"))
            },
            ..Self::default()
        }
    }

    /// The class without `K2Node_`.
    pub fn short_class(&self) -> &str {
        let class = self.class.as_str();
        class.strip_prefix("K2Node_").unwrap_or(class)
    }

    /// Whether it is the boundary of a macro or composite graph.
    pub fn is_tunnel(&self) -> bool {
        self.class == "K2Node_Tunnel"
    }

    /// Whether it is a comment box.
    pub fn is_comment(&self) -> bool {
        self.class == "EdGraphNode_Comment"
    }
}
