//! Blueprints as JSON, version 1: `format/graph-json.md` is the contract.
//!
//! [`read`] takes texts and gives Blueprints with every mistake of every file; [`write`] gives the text back;
//! [`schema`] is the JSON Schema. The types of [`document`] are the one list of keys for all three.
//!
//! Beyond the contract, so that a Blueprint from any source can be written and read back: the keys `path` of
//! a Blueprint, `member_guid`, `class_package`, `properties`, `types` and `raw_pins` of a node, `side` of a
//! Tunnel, `property_flags` and `function_flags`. They appear only where the other keys do not say it all.

mod definitions;
mod fields;
mod flags;
mod graph;
mod links;
mod links_order;
mod members;
mod nodes;
mod print;
mod property;
mod read;
mod schema;
mod tree;
mod type_text;
mod value;
mod write;

pub mod document;

use bp_diag::Sources;
use bp_reflect::Registry;

use crate::Blueprint;

pub use graph::class_hint;
pub use read::{read, read_among, read_with_macros};
pub use schema::schema;
pub use write::{write, write_with_macros};

pub use type_text::type_text;

/// The engine's macros: `ForLoop`, `Gate` and the others.
///
/// Source: what the nodes do is observed in real bytecode. Their order, the order of their links and the comment
/// boxes between them (which leave holes that the first prune fills) are fitted, not read from the engine:
/// `ForEachLoop` on code and locals of 98 real functions, `ForLoop` on 12, the in-place macros on 9,
/// `ForEachLoopWithBreak` on 2, `DoOnce` on 3 ubergraphs, of which one is equal; where many orders do equally well, one
/// is taken. Those of the others are assumed. The knot in `DoOnce` stands for a node that lives to the second prune: the
/// numbers of 12 input events of one Blueprint and the code of another ask for one; what it is, is not known.
const STANDARD_MACROS: &str = include_str!("../../../../graphs/engine/macros/StandardMacros.json");

/// The engine's macros as a Blueprint, for a registry that declares the engine's libraries. What the
/// registry does not declare is left without pins.
pub fn standard_macros(registry: &Registry) -> Blueprint {
    let mut sources = Sources::default();
    let file = sources.add("StandardMacros.json", STANDARD_MACROS);
    let (mut blueprints, _, _) = read::read_with(&[file], &sources, registry, &[]);
    let mut blueprint = blueprints.pop().expect("the embedded file is a Blueprint");
    blueprint.class_path =
        "/Engine/EditorBlueprintResources/StandardMacros.StandardMacros_C".into();
    blueprint
}
