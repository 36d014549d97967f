//! Graphs of animation: what their nodes and the graphs inside them are.
//!
//! An animation Blueprint has, beside its K2 graphs, graphs whose nodes make poses (`AnimGraphNode_*`, an open
//! family: each class wraps one `AnimNode_*` struct and shows its exposed properties as pins), state machines
//! inside such nodes, and in those graphs of poses (states) and rules (transitions and conduits). K2 nodes
//! that feed the pins stand among them.
//!
//! Source of the class names: 25 animation Blueprints saved by editors from 4.16 to 5.4.

use bp_reflect::Name;

use crate::GraphKind;

/// What an animation node's class begins with.
const NODE: &str = "AnimGraphNode_";

impl GraphKind {
    /// The kind of the graph inside a node of that class.
    pub fn inside(class: &Name) -> Self {
        let class = class.as_str();
        if class.starts_with("AnimGraphNode_StateMachine") {
            Self::StateMachine
        } else if matches!(class, "AnimStateTransitionNode" | "AnimStateConduitNode") {
            Self::Transition
        } else if class.starts_with(NODE) || class.starts_with("AnimState") {
            Self::Animation
        } else {
            Self::Composite
        }
    }

    /// Whether it is a graph of animation: poses, states or rules.
    pub fn is_animation(self) -> bool {
        matches!(
            self,
            Self::Animation | Self::StateMachine | Self::Transition
        )
    }

    /// Whether it has an entry and a result that take parameters in and out.
    pub fn has_boundary(self) -> bool {
        self != Self::Event && !self.is_animation()
    }

    /// Path of the engine's class of graphs inside a node.
    pub(crate) fn inner_class(self) -> &'static str {
        match self {
            Self::StateMachine => "/Script/AnimGraph.AnimationStateMachineGraph",
            Self::Animation => "/Script/AnimGraph.AnimationStateGraph",
            Self::Transition => "/Script/AnimGraph.AnimationTransitionGraph",
            Self::Event
            | Self::Function
            | Self::Macro
            | Self::Construction
            | Self::DelegateSignature
            | Self::Composite => "/Script/Engine.EdGraph",
        }
    }

    /// Path of the class that says what a graph inside a node means.
    pub(crate) fn inner_schema(self) -> &'static str {
        match self {
            Self::StateMachine => "/Script/AnimGraph.AnimationStateMachineSchema",
            Self::Animation => "/Script/AnimGraph.AnimationStateGraphSchema",
            Self::Transition => "/Script/AnimGraph.AnimationTransitionSchema",
            Self::Event
            | Self::Function
            | Self::Macro
            | Self::Construction
            | Self::DelegateSignature
            | Self::Composite => "/Script/BlueprintGraph.EdGraphSchema_K2",
        }
    }

    /// The kind that nodes of animation say their graph is; none for other nodes.
    pub(crate) fn of_animation_node(class: &str) -> Option<Self> {
        if class == "AnimGraphNode_TransitionResult" {
            Some(Self::Transition)
        } else if class.starts_with(NODE) {
            Some(Self::Animation)
        } else if class.starts_with("AnimState") {
            Some(Self::StateMachine)
        } else {
            None
        }
    }
}

/// The property of a node that holds the graph inside it.
pub(crate) fn inner_graph_key(class: &Name) -> &'static str {
    if GraphKind::inside(class) == GraphKind::StateMachine {
        "EditorStateMachineGraph"
    } else {
        "BoundGraph"
    }
}

/// Whether nodes of the class wrap an animation node's struct.
pub fn is_animation_node(class: &Name) -> bool {
    class.as_str().starts_with(NODE)
}
