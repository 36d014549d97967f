use serde::{Deserialize, Serialize};

use crate::{ObjectPath, Property};

/// Library functions that make and break a native struct in place of member access.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeParts {
    /// `/Script/Engine.KismetMathLibrary:MakeVector`.
    pub make: Option<ObjectPath>,
    /// `/Script/Engine.KismetMathLibrary:BreakVector`.
    pub break_: Option<ObjectPath>,
}

/// A struct (`UScriptStruct`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Struct {
    /// Its full path.
    pub path: ObjectPath,
    /// The struct it extends.
    pub super_struct: Option<ObjectPath>,
    /// Its members in declaration order; of a native struct, those that are known.
    pub members: Vec<Property>,
    /// Whether `members` is the whole list. False for native structs met by name only.
    pub is_complete: bool,
    /// `sizeof` in the engine, in bytes, where it is declared; else it follows from the members.
    pub native_size: Option<u32>,
    /// Make and break functions, for native structs that have them.
    pub native_parts: NativeParts,
}
