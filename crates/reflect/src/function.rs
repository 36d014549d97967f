use serde::{Deserialize, Serialize};

use crate::{FunctionFlags, FunctionMeta, Name, ObjectPath, Property};

/// How sure a signature is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Certainty {
    /// Written in a declaration or in the Blueprint itself.
    #[default]
    Declared,
    /// Read off the pins of a node that calls it; flags are guesses.
    Inferred,
}

/// A function's signature, and its locals where they are known (`UFunction` without its script).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Its name, unique in its class.
    pub name: Name,
    /// `FUNC_*` bits.
    pub flags: FunctionFlags,
    /// Parameters in declaration order, the return value last.
    pub params: Vec<Property>,
    /// Local variables and temporaries in layout order; empty for declarations.
    pub locals: Vec<Property>,
    /// The function of a parent class or interface that this one overrides.
    pub super_function: Option<ObjectPath>,
    /// What its C++ declaration says to node classes.
    pub meta: FunctionMeta,
    /// How sure the signature is.
    pub certainty: Certainty,
}

impl Function {
    /// A function without parameters.
    pub fn new(name: impl Into<Name>, flags: FunctionFlags) -> Self {
        Self {
            name: name.into(),
            flags,
            params: Vec::new(),
            locals: Vec::new(),
            super_function: None,
            meta: FunctionMeta::default(),
            certainty: Certainty::Declared,
        }
    }

    /// The return value, if there is one.
    pub fn return_param(&self) -> Option<&Property> {
        self.params.iter().find(|param| param.is_return())
    }

    /// Parameters that a call passes, in order: all but the return value.
    pub fn arguments(&self) -> impl Iterator<Item = &Property> {
        self.params.iter().filter(|param| !param.is_return())
    }

    /// The parameter of that name.
    pub fn param(&self, name: &Name) -> Option<&Property> {
        self.params.iter().find(|param| param.name == *name)
    }

    /// A parameter or local of that name.
    pub fn variable(&self, name: &Name) -> Option<&Property> {
        self.params
            .iter()
            .chain(&self.locals)
            .find(|var| var.name == *name)
    }

    /// Whether its node has no exec pins.
    pub fn is_pure(&self) -> bool {
        self.flags.contains(FunctionFlags::BLUEPRINT_PURE)
    }

    /// Whether it needs no object.
    pub fn is_static(&self) -> bool {
        self.flags.contains(FunctionFlags::STATIC)
    }

    /// Whether a Blueprint can override it.
    pub fn can_be_overridden(&self) -> bool {
        self.flags.contains(FunctionFlags::BLUEPRINT_EVENT)
            && !self.flags.contains(FunctionFlags::FINAL)
    }

    /// Whether it can be an event node: overridable and without outputs.
    pub fn can_be_event(&self) -> bool {
        self.flags.contains(FunctionFlags::BLUEPRINT_EVENT)
            && !self.params.iter().any(Property::is_output)
    }
}
