use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::{Function, Name, ObjectPath, Property};

/// What sort of class it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ClassKind {
    /// Written in C++.
    #[default]
    Native,
    /// A C++ interface.
    NativeInterface,
    /// Generated from a Blueprint.
    Blueprint,
    /// Generated from an interface Blueprint.
    BlueprintInterface,
    /// Generated from a function library Blueprint.
    BlueprintFunctionLibrary,
}

/// A class's members (`UClass`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// Its full path; a Blueprint's ends in `_C`.
    pub path: ObjectPath,
    /// The class it derives from; none for the root and where it is not known.
    pub super_class: Option<ObjectPath>,
    /// Interfaces it implements itself, in order.
    pub interfaces: Vec<ObjectPath>,
    /// What sort of class it is.
    pub kind: ClassKind,
    /// Its own member variables, in declaration order.
    pub properties: Vec<Property>,
    /// Of a native class: how many of its own variables are replicated, where that is known.
    pub n_replicated: Option<u32>,
    /// Its own functions by name, in declaration order, delegate signatures left out.
    pub functions: IndexMap<Name, Function, FxBuildHasher>,
    /// Signatures of its delegates, by name with the `__DelegateSignature` suffix.
    pub delegates: IndexMap<Name, Function, FxBuildHasher>,
}

impl Class {
    /// A class without members.
    pub fn new(path: ObjectPath, super_class: Option<ObjectPath>, kind: ClassKind) -> Self {
        Self {
            path,
            super_class,
            interfaces: Vec::new(),
            kind,
            properties: Vec::new(),
            n_replicated: None,
            functions: IndexMap::default(),
            delegates: IndexMap::default(),
        }
    }

    /// Its own variable of that name.
    pub fn property(&self, name: &Name) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.name == *name)
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        matches!(
            self.kind,
            ClassKind::NativeInterface | ClassKind::BlueprintInterface
        )
    }

    /// Whether it was made of a Blueprint.
    pub fn is_blueprint(&self) -> bool {
        !matches!(self.kind, ClassKind::Native | ClassKind::NativeInterface)
    }
}
