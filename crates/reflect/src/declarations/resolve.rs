//! Declarations as one engine version sees them.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Literal;
use super::raw::{RawClass, RawFunction, RawProperty, RawStruct};
use crate::{
    Certainty, Class, ClassKind, EngineVersion, Function, FunctionFlags, NativeParts, ObjectPath,
    Property, PropertyFlags, PropertyType, Struct,
};

impl RawClass {
    pub(crate) fn resolve(self, engine: EngineVersion) -> Class {
        let table = |functions: Vec<RawFunction>| -> IndexMap<_, _, FxBuildHasher> {
            functions
                .into_iter()
                .map(|function| (function.name.clone(), function.resolve(engine)))
                .collect()
        };
        let kind = match (self.path.is_native(), self.is_interface) {
            (true, false) => ClassKind::Native,
            (true, true) => ClassKind::NativeInterface,
            (false, false) => ClassKind::Blueprint,
            (false, true) => ClassKind::BlueprintInterface,
        };
        Class {
            path: self.path,
            super_class: self.super_class,
            interfaces: self.interfaces,
            kind,
            properties: properties(self.properties, engine),
            n_replicated: self.replicated,
            functions: table(self.functions),
            delegates: table(self.delegates),
        }
    }
}

impl RawFunction {
    pub(crate) fn resolve(self, engine: EngineVersion) -> Function {
        let mut function = Function::new(self.name, self.flags);
        if let Some(since) = self.final_since {
            function.flags.set(FunctionFlags::FINAL, engine >= since);
        }
        if let Some(before) = self.final_before {
            function.flags.set(FunctionFlags::FINAL, engine < before);
        }
        function.params = properties(self.params, engine);
        function.meta = self.meta;
        if self.inferred {
            function.certainty = Certainty::Inferred;
        }
        function
    }
}

impl RawStruct {
    pub(crate) fn resolve(self, engine: EngineVersion) -> Struct {
        Struct {
            path: self.path,
            super_struct: self.super_struct,
            members: properties(self.members, engine),
            is_complete: self.is_complete,
            native_size: self
                .sizes
                .iter()
                .rfind(|(since, _)| *since <= engine)
                .and_then(|(_, size)| *size),
            native_parts: NativeParts {
                make: self.make,
                break_: self.break_,
            },
        }
    }
}

impl RawStruct {
    /// The operands of a literal, if one was observed in that generation of the engine.
    pub(crate) fn literal(&self, engine: EngineVersion) -> Option<Literal> {
        self.literals[generation(engine)].clone().map(Literal)
    }
}

/// 0 for UE4, 1 for UE5.
fn generation(engine: EngineVersion) -> usize {
    usize::from(engine >= EngineVersion::new(5, 0))
}

impl RawProperty {
    fn resolve(self, engine: EngineVersion) -> Property {
        let mut property = Property::new(self.name, self.ty, self.flags);
        if let Some(ty) = self.ty_ue4
            && engine < EngineVersion::new(5, 0)
        {
            property.ty = ty;
        }
        // Properties were objects before 4.25, and paths of them references to objects
        // (GameplayAttribute.Attribute is EX_ObjectConst in 11 functions of 4.24).
        if property.ty == PropertyType::FieldPath && engine < EngineVersion::new(4, 25) {
            property.ty = PropertyType::Object(ObjectPath::new("/Script/CoreUObject.Property"));
        }
        property.array_dim = self.array_dim;
        property.default = self.default;
        property.getter = self.getter;
        property.setter = self.setter;
        property.net_index = self.net;
        property.flags.set(PropertyFlags::NET, self.net.is_some());
        property
    }
}

fn properties(raw: Vec<RawProperty>, engine: EngineVersion) -> Vec<Property> {
    raw.into_iter()
        .filter(|property| property.exists_in(engine))
        .map(|property| property.resolve(engine))
        .collect()
}
