use serde::{Deserialize, Serialize};

use crate::{Name, PropertyFlags, PropertyType};

/// A member variable, parameter or local (`FProperty`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Property {
    /// Its name, unique in its owner.
    pub name: Name,
    /// Its type.
    pub ty: PropertyType,
    /// `CPF_*` bits.
    pub flags: PropertyFlags,
    /// Number of elements of a C array; 1 for everything Blueprints declare.
    pub array_dim: u32,
    /// The default in the engine's text form, where one is declared: of a parameter, the text its
    /// pin starts with.
    pub default: Option<String>,
    /// Function that reads the property in its place (`BlueprintGetter`).
    pub getter: Option<Name>,
    /// Function that writes the property in its place (`BlueprintSetter`).
    pub setter: Option<Name>,
    /// Of a replicated variable of a native class: its number among all replicated variables, those of the parents
    /// first.
    pub net_index: Option<u32>,
}

impl Property {
    /// A property without default or accessors.
    pub fn new(name: impl Into<Name>, ty: PropertyType, flags: PropertyFlags) -> Self {
        Self {
            name: name.into(),
            ty,
            flags,
            array_dim: 1,
            default: None,
            getter: None,
            setter: None,
            net_index: None,
        }
    }

    /// Whether it is the return value.
    pub fn is_return(&self) -> bool {
        self.flags.contains(PropertyFlags::RETURN_PARM)
    }

    /// Whether a caller passes it a place: outputs and by-reference inputs, the return value left out.
    pub fn is_out(&self) -> bool {
        self.flags.contains(PropertyFlags::OUT_PARM) && !self.is_return()
    }

    /// Whether a node shows it on the right: an output, but not an input by reference.
    pub fn is_output(&self) -> bool {
        self.flags.contains(PropertyFlags::OUT_PARM)
            && !self.flags.contains(PropertyFlags::REFERENCE_PARM)
    }
}
