//! Declarations as a file states them, with what depends on the engine version still open.
//!
//! The build script reads the embedded files into these types and stores them; at run time they are
//! turned into a [`Class`](crate::Class), [`Struct`](crate::Struct), … for one version.

use serde::{Deserialize, Serialize};

use crate::{
    EngineVersion, Enum, FunctionFlags, FunctionMeta, Name, ObjectPath, PropertyFlags, PropertyType,
};

/// One file: what a native module declares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawPackage {
    pub(crate) classes: Vec<RawClass>,
    pub(crate) structs: Vec<RawStruct>,
    pub(crate) enums: Vec<Enum>,
    /// Signatures outside a class.
    pub(crate) delegates: Vec<(ObjectPath, RawFunction)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawClass {
    pub(crate) path: ObjectPath,
    pub(crate) super_class: Option<ObjectPath>,
    pub(crate) interfaces: Vec<ObjectPath>,
    pub(crate) is_interface: bool,
    pub(crate) properties: Vec<RawProperty>,
    /// Number of replicated properties, those listed or not.
    pub(crate) replicated: Option<u32>,
    pub(crate) functions: Vec<RawFunction>,
    pub(crate) delegates: Vec<RawFunction>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawFunction {
    pub(crate) name: Name,
    pub(crate) flags: FunctionFlags,
    /// `Final` from this version on, whatever `flags` say.
    pub(crate) final_since: Option<EngineVersion>,
    /// `Final` before this version.
    pub(crate) final_before: Option<EngineVersion>,
    /// Parameters were counted or guessed, not declared.
    pub(crate) inferred: bool,
    pub(crate) params: Vec<RawProperty>,
    pub(crate) meta: FunctionMeta,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawProperty {
    pub(crate) name: Name,
    pub(crate) ty: PropertyType,
    /// Its type before 5.0, if it differs.
    pub(crate) ty_ue4: Option<PropertyType>,
    pub(crate) flags: PropertyFlags,
    pub(crate) array_dim: u32,
    pub(crate) default: Option<String>,
    /// First version that has it.
    pub(crate) since: Option<EngineVersion>,
    /// Last version that has it.
    pub(crate) until: Option<EngineVersion>,
    pub(crate) getter: Option<Name>,
    pub(crate) setter: Option<Name>,
    /// Its number among the replicated properties.
    pub(crate) net: Option<u32>,
}

impl RawProperty {
    pub(crate) fn exists_in(&self, engine: EngineVersion) -> bool {
        self.since.is_none_or(|since| since <= engine)
            && self.until.is_none_or(|until| engine <= until)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawStruct {
    pub(crate) path: ObjectPath,
    pub(crate) super_struct: Option<ObjectPath>,
    pub(crate) members: Vec<RawProperty>,
    pub(crate) is_complete: bool,
    /// `sizeof` in the editor since each version, oldest first; none where it is not known.
    pub(crate) sizes: Vec<(EngineVersion, Option<u32>)>,
    /// Operands of a literal before 5.0, and since.
    pub(crate) literals: [Option<Vec<Name>>; 2],
    pub(crate) make: Option<ObjectPath>,
    pub(crate) break_: Option<ObjectPath>,
}
