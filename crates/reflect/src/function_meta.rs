use serde::{Deserialize, Serialize};

use crate::{FunctionFlags, Name};

/// C++ metadata of a function that decides how its node compiles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FunctionMeta {
    /// Takes a `LatentActionInfo` and finishes later.
    pub latent: bool,
    /// The parameter that receives the world context.
    pub world_context: Option<Name>,
    /// Callable without world context in static functions (`CallableWithoutWorldContext`).
    pub optional_world_context: bool,
    /// Reads its arguments from the script itself (wildcard libraries); never `CallMath`.
    pub custom_thunk: bool,
    /// Made for nodes of the editor, not to be called by an author (`BlueprintInternalUseOnly`).
    pub internal_only: bool,
    /// Parameters whose array type is that of the linked array.
    pub array_parm: Vec<Name>,
    /// Map parameters that key and value parameters follow.
    pub map_parm: Vec<Name>,
    /// Set parameters that element parameters follow.
    pub set_parm: Vec<Name>,
    /// Parameters whose type is the element type of the array parameter.
    pub array_type_dependent: Vec<Name>,
    /// Parameters that are self when unlinked.
    pub default_to_self: Vec<Name>,
    /// By-reference parameters that get a temporary when unlinked.
    pub auto_create_ref: Vec<Name>,
    /// Outputs whose pin type varies with an input.
    pub dynamic_output: Vec<Name>,
    /// Enum parameters shown as exec pins.
    pub expand_enum_as_execs: Vec<Name>,
    /// Parameters that no pin shows.
    pub hidden: Vec<Name>,
    /// Parameters shown only when the node is expanded.
    pub advanced: Vec<Name>,
    /// The title of its node, if it differs from its name.
    pub display_name: Option<String>,
    /// Flag bits that are assumed, set or not: no observed asset shows them.
    pub uncertain: FunctionFlags,
}
