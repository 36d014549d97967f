//! Pin types and property types: one from the other, and which pins may be linked.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most pairs of categories do not fit"
)]

use bp_reflect::{
    EngineVersion, EnumForm, Name, ObjectPath, Property, PropertyFlags, PropertyType, Registry,
};

use crate::{Container, MemberReference, PinCategory, PinType, TerminalType};

/// The root class.
pub const OBJECT: &str = "/Script/CoreUObject.Object";

/// How a value gets from one pin to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fit {
    /// The types are the same, but for reference and constness.
    Exact,
    /// An object, class or struct of a child class.
    Upcast,
    /// An object that implements the interface, or an interface's object.
    Interface,
    /// Between float and double.
    Real,
    /// An enum read as its byte.
    EnumAsByte,
    /// One of the two has no type yet.
    Wildcard,
    /// Not without a conversion node, if at all.
    No,
}

impl Fit {
    /// Whether the link can be made.
    pub fn is_fit(self) -> bool {
        self != Self::No
    }
}

/// How a value of `from` fits a pin of `to`; `class` is what `self` means.
pub fn fits(from: &PinType, to: &PinType, registry: &Registry, class: &ObjectPath) -> Fit {
    if from.is_exec() || to.is_exec() {
        return if from.category == to.category {
            Fit::Exact
        } else {
            Fit::No
        };
    }
    let untyped = |ty: &PinType| ty.category == PinCategory::Wildcard;
    match (&from.container, &to.container) {
        (Container::None, Container::None)
        | (Container::Array, Container::Array)
        | (Container::Set, Container::Set) => {}
        (Container::Map(a), Container::Map(b)) => {
            let (a, b) = (a.to_pin_type(), b.to_pin_type());
            if !fits(&a, &b, registry, class).is_fit() {
                return Fit::No;
            }
        }
        // A wildcard that is no container takes anything; a knot becomes an array that way.
        _ if untyped(from) && !from.is_container() || untyped(to) && !to.is_container() => {
            return Fit::Wildcard;
        }
        _ => return Fit::No,
    }
    if untyped(from) || untyped(to) {
        return Fit::Wildcard;
    }
    let own = |ty: &PinType| match &ty.object {
        None if ty.sub_category.eq_ignore_ascii_case("self") => Some(class.clone()),
        object => object.clone(),
    };
    let (source, target) = (own(from), own(to));
    let derived = || match (&source, &target) {
        (_, None) => Fit::Exact,
        (Some(a), Some(b)) if a == b => Fit::Exact,
        (None, Some(b)) if *b == ObjectPath::new(OBJECT) => Fit::Exact,
        (Some(a), Some(b)) if registry.is_child_of(a, b) => Fit::Upcast,
        (_, Some(_)) => Fit::No,
    };
    match (from.category, to.category) {
        (
            PinCategory::Real | PinCategory::Float | PinCategory::Double,
            PinCategory::Real | PinCategory::Float | PinCategory::Double,
        ) => {
            if is_single(from) == is_single(to) {
                Fit::Exact
            } else {
                Fit::Real
            }
        }
        (PinCategory::Byte | PinCategory::Enum, PinCategory::Byte | PinCategory::Enum) => {
            match (&source, &target) {
                (a, b) if a == b => Fit::Exact,
                (Some(_), None) => Fit::EnumAsByte,
                _ => Fit::No,
            }
        }
        // Whether an interface's object may feed an object pin is decided by the target: the root
        // class always, an interface used as an object class when it is the same one.
        (PinCategory::Object, PinCategory::Interface)
        | (PinCategory::Interface, PinCategory::Object) => match derived() {
            Fit::No => Fit::No,
            _ => Fit::Interface,
        },
        (PinCategory::Class, PinCategory::Object) => match &target {
            Some(target) if *target == OBJECT.into() || target.name() == "Class" => Fit::Upcast,
            _ => Fit::No,
        },
        // Signatures are compared by the compiler, which knows both functions.
        (PinCategory::Delegate, PinCategory::Delegate)
        | (PinCategory::MulticastDelegate, PinCategory::MulticastDelegate) => Fit::Exact,
        (PinCategory::Struct, PinCategory::Struct)
            if is_slate_vector(source.as_ref(), target.as_ref()) =>
        {
            Fit::Exact
        }
        (a, b) if a == b => derived(),
        _ => Fit::No,
    }
}

/// Whether two structs are the two 2D vectors that widgets take for one another.
///
/// Source: links between pins of both in a package of 5.3, whose functions the engine compiled.
fn is_slate_vector(a: Option<&ObjectPath>, b: Option<&ObjectPath>) -> bool {
    let is = |path: Option<&ObjectPath>, name: &str| path.is_some_and(|path| path.name() == name);
    let (plain, slate) = ("Vector2D", "DeprecateSlateVector2D");
    (is(a, plain) && is(b, slate)) || (is(a, slate) && is(b, plain))
}

/// Whether a real is stored as a float.
fn is_single(ty: &PinType) -> bool {
    match ty.category {
        PinCategory::Float => true,
        PinCategory::Real => ty.sub_category.eq_ignore_ascii_case("float"),
        _ => false,
    }
}

impl TerminalType {
    /// The same as the type of a single pin.
    pub fn to_pin_type(&self) -> PinType {
        PinType {
            category: self.category,
            sub_category: self.sub_category.clone(),
            object: self.object.clone(),
            is_const: self.is_const,
            is_weak: self.is_weak,
            is_uobject_wrapper: self.is_uobject_wrapper,
            ..PinType::default()
        }
    }

    /// The type of a single pin as that of a map's values.
    pub fn of_pin_type(ty: &PinType) -> Self {
        Self {
            category: ty.category,
            sub_category: ty.sub_category.clone(),
            object: ty.object.clone(),
            is_const: ty.is_const,
            is_weak: ty.is_weak,
            is_uobject_wrapper: ty.is_uobject_wrapper,
        }
    }
}

impl PinType {
    /// The type a pin of this property has.
    pub fn of_property(ty: &PropertyType, engine: EngineVersion) -> Self {
        let real = |sub: &str, ue4: PinCategory| {
            if engine.has_large_world_coordinates() {
                Self {
                    category: PinCategory::Real,
                    sub_category: sub.to_owned(),
                    ..Self::default()
                }
            } else {
                Self::of(ue4)
            }
        };
        match ty {
            PropertyType::Bool => Self::of(PinCategory::Bool),
            PropertyType::Byte(None) | PropertyType::Int8 => Self::of(PinCategory::Byte),
            PropertyType::Byte(Some(of)) | PropertyType::Enum(of) => {
                Self::with_object(PinCategory::Byte, of.clone())
            }
            PropertyType::Int
            | PropertyType::Int16
            | PropertyType::UInt16
            | PropertyType::UInt32 => Self::of(PinCategory::Int),
            PropertyType::Int64 | PropertyType::UInt64 => Self::of(PinCategory::Int64),
            PropertyType::Float => real("float", PinCategory::Float),
            PropertyType::Double => real("double", PinCategory::Double),
            PropertyType::Name => Self::of(PinCategory::Name),
            PropertyType::Str => Self::of(PinCategory::String),
            PropertyType::Text => Self::of(PinCategory::Text),
            PropertyType::Object(of) => Self::with_object(PinCategory::Object, of.clone()),
            PropertyType::WeakObject(of) => Self {
                is_weak: true,
                ..Self::with_object(PinCategory::Object, of.clone())
            },
            PropertyType::SoftObject(of) => Self::with_object(PinCategory::SoftObject, of.clone()),
            PropertyType::Class(of) => Self::with_object(PinCategory::Class, of.clone()),
            PropertyType::SoftClass(of) => Self::with_object(PinCategory::SoftClass, of.clone()),
            PropertyType::Interface(of) => Self::with_object(PinCategory::Interface, of.clone()),
            PropertyType::Struct(of) => Self::with_object(PinCategory::Struct, of.clone()),
            PropertyType::Array(inner) => Self {
                container: Container::Array,
                ..Self::of_property(inner, engine)
            },
            PropertyType::Set(inner) => Self {
                container: Container::Set,
                ..Self::of_property(inner, engine)
            },
            PropertyType::Map(pair) => Self {
                container: Container::Map(Box::new(TerminalType::of_pin_type(&Self::of_property(
                    &pair.1, engine,
                )))),
                ..Self::of_property(&pair.0, engine)
            },
            PropertyType::Delegate(signature) => Self {
                signature: signature.as_ref().map(reference_of_signature).map(Box::new),
                ..Self::of(PinCategory::Delegate)
            },
            PropertyType::MulticastDelegate(signature) => Self {
                signature: signature.as_ref().map(reference_of_signature).map(Box::new),
                ..Self::of(PinCategory::MulticastDelegate)
            },
            PropertyType::FieldPath => Self::of(PinCategory::FieldPath),
            PropertyType::Wildcard => Self::of(PinCategory::Wildcard),
        }
    }

    /// The type a pin of this parameter or variable has, reference and constness included.
    ///
    /// Source: pins of 296 packages: an input by reference is a reference, const or not as its
    /// parameter; an output is one only when the function returns a reference.
    pub fn of_param(param: &Property, engine: EngineVersion) -> Self {
        Self {
            is_reference: param
                .flags
                .contains(PropertyFlags::OUT_PARM | PropertyFlags::REFERENCE_PARM),
            is_const: param.flags.contains(PropertyFlags::CONST_PARM),
            is_uobject_wrapper: param.flags.contains(PropertyFlags::UOBJECT_WRAPPER),
            ..Self::of_property(&param.ty, engine)
        }
    }

    /// The property that holds a value of this type; none for exec, wildcards and `self`.
    pub fn to_property(&self, registry: &Registry, engine: EngineVersion) -> Option<PropertyType> {
        let element = self.single_property(registry, engine)?;
        Some(match &self.container {
            Container::None => element,
            Container::Array => PropertyType::Array(Box::new(element)),
            Container::Set => PropertyType::Set(Box::new(element)),
            Container::Map(value) => {
                let value = value.to_pin_type().single_property(registry, engine)?;
                PropertyType::Map(Box::new((element, value)))
            }
        })
    }

    fn single_property(&self, registry: &Registry, engine: EngineVersion) -> Option<PropertyType> {
        let object = || {
            self.object
                .clone()
                .or_else(|| self.sub_category.is_empty().then(|| OBJECT.into()))
        };
        Some(match self.category {
            PinCategory::Exec | PinCategory::Transition | PinCategory::Wildcard => return None,
            PinCategory::Bool => PropertyType::Bool,
            PinCategory::Byte | PinCategory::Enum => match &self.object {
                None => PropertyType::Byte(None),
                Some(path) => match registry.enumeration(path).map(|found| found.form) {
                    Some(EnumForm::EnumClass) => PropertyType::Enum(path.clone()),
                    Some(EnumForm::Byte) | None => PropertyType::Byte(Some(path.clone())),
                },
            },
            PinCategory::Int => PropertyType::Int,
            PinCategory::Int64 => PropertyType::Int64,
            PinCategory::Float => PropertyType::Float,
            PinCategory::Double => PropertyType::Double,
            PinCategory::Real => {
                if is_single(self) || !engine.has_large_world_coordinates() {
                    PropertyType::Float
                } else {
                    PropertyType::Double
                }
            }
            PinCategory::Name => PropertyType::Name,
            PinCategory::String => PropertyType::Str,
            PinCategory::Text => PropertyType::Text,
            PinCategory::Object if self.is_weak => PropertyType::WeakObject(object()?),
            PinCategory::Object => PropertyType::Object(object()?),
            PinCategory::Class => PropertyType::Class(object()?),
            PinCategory::SoftObject => PropertyType::SoftObject(object()?),
            PinCategory::SoftClass => PropertyType::SoftClass(object()?),
            PinCategory::Interface => PropertyType::Interface(self.object.clone()?),
            PinCategory::Struct => PropertyType::Struct(self.object.clone()?),
            PinCategory::Delegate => {
                PropertyType::Delegate(self.signature.as_deref().and_then(signature_path))
            }
            PinCategory::MulticastDelegate => {
                PropertyType::MulticastDelegate(self.signature.as_deref().and_then(signature_path))
            }
            PinCategory::FieldPath => PropertyType::FieldPath,
        })
    }

    /// The default text the editor gives a new pin of this type (`SetPinAutogeneratedDefaultValue`);
    /// empty for none.
    ///
    /// Source: pins of calls, variables and events of 296 packages.
    pub fn automatic_default(&self) -> &'static str {
        if self.is_container() {
            return "";
        }
        match self.category {
            PinCategory::Bool => "false",
            PinCategory::Int | PinCategory::Int64 => "0",
            PinCategory::Byte if self.object.is_none() => "0",
            PinCategory::Real | PinCategory::Float | PinCategory::Double => "0.0",
            PinCategory::Name => "None",
            PinCategory::Struct => match self.object.as_ref().map(ObjectPath::name) {
                Some("Vector" | "Rotator") => "0, 0, 0",
                Some("Key") => "None",
                _ => "",
            },
            _ => "",
        }
    }

    /// Whether two types are equal but for reference and constness.
    pub fn is_same_value(&self, other: &Self) -> bool {
        let plain = |ty: &Self| Self {
            is_reference: false,
            is_const: false,
            ..ty.clone()
        };
        plain(self) == plain(other)
    }
}

/// The path of the signature function a delegate pin names: `Class:Sig` in a class, `Package.Sig` in
/// a package. None when the signature belongs to the Blueprint itself.
pub fn signature_path(reference: &MemberReference) -> Option<ObjectPath> {
    let parent = reference.parent.as_ref()?;
    Some(if parent.as_str().contains('.') {
        parent.member(&reference.name)
    } else {
        ObjectPath::new(format!("{parent}.{}", reference.name))
    })
}

/// The reverse of [`signature_path`].
pub fn reference_of_signature(path: &ObjectPath) -> MemberReference {
    match path.outer() {
        Some(class) => MemberReference::of(class, path.name()),
        None => MemberReference::of(ObjectPath::new(path.package()), Name::new(path.name())),
    }
}
