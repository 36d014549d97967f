//! The Blueprint as its author drew it.
//!
//! In: our JSON ([`json`]), the text the editor puts on the clipboard ([`t3d`]), or a package
//! (`bp-uasset`). Out: one model, [`Blueprint`], and the same texts again.
//!
//! Reading order: [`blueprint`] and [`graph`] (the model), [`pin`] (pins and their types), [`property`]
//! (what a node refers to), [`nodes`] (what each node class shows as pins), then the readers and writers; [`draw`] makes pictures.
//!
//! Invariants a type cannot state:
//! - The order of a graph's node arena is the order of the engine's `Nodes` array. It decides code order.
//! - Links are symmetric: each end lists the other. The order of a pin's links is kept; it counts.
//! - A node's pins are in the engine's pin order: for a call, parameter order.
//! - A node's meaning is in its class, its properties (engine names) and its pins, whichever source it
//!   came from; readers of all sources give the same shape.
//!
//! This crate knows neither bytecode nor the compiler.

#![forbid(unsafe_code)]

pub mod animation;
pub mod blueprint;
pub mod graph;
pub mod pin;
pub mod property;

mod linkable;
pub mod nodes;
pub mod outline;
pub mod types;

pub mod compare;
pub mod draw;
pub mod json;
pub mod t3d;

pub use blueprint::{
    Blueprint, BlueprintKind, Component, ComponentOverride, Dispatcher, Timeline, TimelineTrack,
    TimelineTrackKind, Variable,
};
pub use compare::{Detail, blueprint_difference, graph_difference};
pub use graph::{EnabledState, Graph, GraphKind, Node, NodeId, PinId};
pub use linkable::is_linkable;
pub use nodes::{PinSpec, title};
pub use outline::{MacroReference, find_macro, outline};
pub use pin::{
    Container, Direction, Pin, PinCategory, PinDefault, PinFlags, PinType, TerminalType,
};
pub use property::{Guid, MemberReference, ObjectReference, Properties, PropertyValue};
pub use types::{Fit, fits};
