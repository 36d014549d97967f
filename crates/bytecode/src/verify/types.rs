//! The types of expressions, and what may be stored in what.

use std::fmt;

use bp_reflect::{ObjectPath, Property, PropertyType};

use super::world::World;

/// The type of an expression, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ty<'a> {
    /// Fits everything.
    Unknown,
    Bool,
    /// A byte or an enum.
    Byte,
    Int,
    Int64,
    UInt64,
    /// An integer of a width that has no literal.
    OtherInt,
    /// A float; certain where a literal or the package itself says so. Declarations of native code
    /// do not tell floats from doubles in all versions.
    Float {
        is_certain: bool,
    },
    /// A double; certain as for a float.
    Double {
        is_certain: bool,
    },
    Name,
    Str,
    Text,
    /// An object of a class, or of any.
    Object(Option<&'a ObjectPath>),
    Weak,
    Soft,
    /// A class that is the given one or a child, or any.
    Class(Option<&'a ObjectPath>),
    Interface(Option<&'a ObjectPath>),
    Struct(&'a str),
    Array(Option<Element<'a>>),
    Set(Option<Element<'a>>),
    Map(Option<(Element<'a>, Element<'a>)>),
    /// A delegate with its signature, where that is known.
    Delegate(Option<&'a ObjectPath>),
    Multicast(Option<&'a ObjectPath>),
    FieldPath,
    /// Several values of the type under one name (a C array); only native code makes them.
    Several(&'a PropertyType),
}

/// The element type of a container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element<'a> {
    ty: &'a PropertyType,
    is_own: bool,
}

impl<'a> Element<'a> {
    pub(super) fn new(ty: &'a PropertyType, is_own: bool) -> Self {
        Self { ty, is_own }
    }

    pub(super) fn ty(self) -> Ty<'a> {
        Ty::of(self.ty, self.is_own)
    }
}

pub(super) const VECTOR: &str = "/Script/CoreUObject.Vector";
pub(super) const VECTOR3F: &str = "/Script/CoreUObject.Vector3f";
pub(super) const ROTATOR: &str = "/Script/CoreUObject.Rotator";
pub(super) const TRANSFORM: &str = "/Script/CoreUObject.Transform";

impl<'a> Ty<'a> {
    /// The type a property holds. `is_own` says whether the package itself declares it.
    pub(super) fn of(ty: &'a PropertyType, is_own: bool) -> Self {
        match ty {
            PropertyType::Bool => Self::Bool,
            PropertyType::Byte(_) | PropertyType::Enum(_) => Self::Byte,
            PropertyType::Int => Self::Int,
            PropertyType::Int64 => Self::Int64,
            PropertyType::UInt64 => Self::UInt64,
            PropertyType::Int8
            | PropertyType::Int16
            | PropertyType::UInt16
            | PropertyType::UInt32 => Self::OtherInt,
            PropertyType::Float => Self::Float { is_certain: is_own },
            PropertyType::Double => Self::Double { is_certain: is_own },
            PropertyType::Name => Self::Name,
            PropertyType::Str => Self::Str,
            PropertyType::Text => Self::Text,
            PropertyType::Object(class) => Self::Object(Some(class)),
            PropertyType::WeakObject(_) => Self::Weak,
            PropertyType::SoftObject(_) | PropertyType::SoftClass(_) => Self::Soft,
            PropertyType::Class(class) => Self::Class(Some(class)),
            PropertyType::Interface(class) => Self::Interface(Some(class)),
            PropertyType::Struct(path) => Self::Struct(path.as_str()),
            PropertyType::Array(inner) => Self::Array(Some(Element::new(inner, is_own))),
            PropertyType::Set(inner) => Self::Set(Some(Element::new(inner, is_own))),
            PropertyType::Map(pair) => Self::Map(Some((
                Element::new(&pair.0, is_own),
                Element::new(&pair.1, is_own),
            ))),
            PropertyType::Delegate(signature) => Self::Delegate(signature.as_ref()),
            PropertyType::MulticastDelegate(signature) => Self::Multicast(signature.as_ref()),
            PropertyType::FieldPath => Self::FieldPath,
            PropertyType::Wildcard => Self::Unknown,
        }
    }

    /// The type of a declared variable.
    pub(super) fn of_property(property: &'a Property, is_own: bool) -> Self {
        if property.array_dim > 1 {
            Self::Several(&property.ty)
        } else {
            Self::of(&property.ty, is_own)
        }
    }

    /// What an array or set holds.
    pub(super) fn element(self) -> Ty<'a> {
        if let Self::Array(Some(element)) | Self::Set(Some(element)) = self {
            element.ty()
        } else {
            Self::Unknown
        }
    }

    /// What a map holds.
    pub(super) fn key_and_value(self) -> (Ty<'a>, Ty<'a>) {
        if let Self::Map(Some((key, value))) = self {
            (key.ty(), value.ty())
        } else {
            (Self::Unknown, Self::Unknown)
        }
    }

    /// The class of an object, class or interface.
    pub(super) fn class(self) -> Option<&'a ObjectPath> {
        if let Self::Object(class) | Self::Class(class) | Self::Interface(class) = self {
            class
        } else {
            None
        }
    }

    pub(super) fn is_unknown(self) -> bool {
        matches!(self, Self::Unknown)
    }
}

/// Whether a value of type `from` may be stored where `to` is kept.
pub(super) fn fits(world: &World<'_>, to: Ty<'_>, from: Ty<'_>) -> bool {
    match (to, from) {
        (Ty::Unknown, _)
        | (_, Ty::Unknown)
        | (Ty::Bool, Ty::Bool)
        | (Ty::Byte | Ty::OtherInt, Ty::Byte)
        | (Ty::Int | Ty::OtherInt, Ty::Int)
        | (Ty::Int64 | Ty::OtherInt, Ty::Int64)
        | (Ty::UInt64 | Ty::OtherInt, Ty::UInt64)
        | (Ty::Byte | Ty::Int | Ty::Int64 | Ty::UInt64 | Ty::OtherInt, Ty::OtherInt)
        | (Ty::Float { .. }, Ty::Float { .. })
        | (Ty::Double { .. }, Ty::Double { .. })
        | (Ty::Name, Ty::Name)
        | (Ty::Str, Ty::Str)
        | (Ty::Text, Ty::Text)
        | (Ty::Weak, Ty::Weak | Ty::Object(_))
        | (Ty::Object(_) | Ty::Class(_), Ty::Weak)
        | (Ty::Soft, Ty::Soft | Ty::Object(None))
        | (Ty::FieldPath, Ty::FieldPath) => true,
        (Ty::Float { is_certain: a }, Ty::Double { is_certain: b })
        | (Ty::Double { is_certain: a }, Ty::Float { is_certain: b }) => !(a && b),
        // Before fields, a property was an object.
        (Ty::FieldPath, Ty::Object(None)) => !world.has_field_paths(),
        // A class is an object, of a class for classes.
        (Ty::Object(to), Ty::Class(_)) => to.is_none_or(|to| world.may_hold_classes(to)),
        (Ty::Class(_), Ty::Object(from)) => from.is_none_or(|from| world.may_hold_classes(from)),
        (Ty::Object(to), Ty::Object(from))
        | (Ty::Class(to), Ty::Class(from))
        | (Ty::Interface(to), Ty::Interface(from)) => match (to, from) {
            // A function whose output type follows an input returns a parent of what it is
            // stored as, so both directions fit.
            (Some(to), Some(from)) => !world.are_unrelated_classes(to, from),
            (None, _) | (_, None) => true,
        },
        (Ty::Delegate(to), Ty::Delegate(from)) | (Ty::Multicast(to), Ty::Multicast(from)) => {
            match (to, from) {
                (Some(to), Some(from)) => !world.are_different_signatures(to, from),
                (None, _) | (_, None) => true,
            }
        }
        (Ty::Struct(to), Ty::Struct(from)) => !world.are_unrelated_structs(to, from),
        (Ty::Several(to), Ty::Several(from)) => to == from,
        (Ty::Array(to), Ty::Array(from)) | (Ty::Set(to), Ty::Set(from)) => match (to, from) {
            (Some(to), Some(from)) => fits(world, to.ty(), from.ty()),
            (None, _) | (_, None) => true,
        },
        (Ty::Map(to), Ty::Map(from)) => match (to, from) {
            (Some(to), Some(from)) => {
                fits(world, to.0.ty(), from.0.ty()) && fits(world, to.1.ty(), from.1.ty())
            }
            (None, _) | (_, None) => true,
        },
        (
            Ty::Bool
            | Ty::Byte
            | Ty::Int
            | Ty::Int64
            | Ty::UInt64
            | Ty::OtherInt
            | Ty::Float { .. }
            | Ty::Double { .. }
            | Ty::Name
            | Ty::Str
            | Ty::Text
            | Ty::Object(_)
            | Ty::Weak
            | Ty::Soft
            | Ty::Class(_)
            | Ty::Interface(_)
            | Ty::Struct(_)
            | Ty::Array(_)
            | Ty::Set(_)
            | Ty::Map(_)
            | Ty::Delegate(_)
            | Ty::Multicast(_)
            | Ty::FieldPath
            | Ty::Several(_),
            _,
        ) => false,
    }
}

/// As in `PropertyType`'s text form, with its article.
impl fmt::Display for Ty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |f: &mut fmt::Formatter<'_>, what: &str, target: Option<&ObjectPath>| match target
        {
            Some(target) => write!(f, "{what} of {target}"),
            None => f.write_str(what),
        };
        let element =
            |f: &mut fmt::Formatter<'_>, what: &str, inner: Option<Element<'_>>| match inner {
                Some(inner) => write!(f, "{what} of {}", inner.ty),
                None => f.write_str(what),
            };
        match self {
            Self::Unknown => f.write_str("something"),
            Self::Bool => f.write_str("a bool"),
            Self::Byte => f.write_str("a byte"),
            Self::Int => f.write_str("an int"),
            Self::Int64 => f.write_str("an int64"),
            Self::UInt64 => f.write_str("a uint64"),
            Self::OtherInt => f.write_str("an integer"),
            Self::Float { .. } => f.write_str("a float"),
            Self::Double { .. } => f.write_str("a double"),
            Self::Name => f.write_str("a name"),
            Self::Str => f.write_str("a string"),
            Self::Text => f.write_str("a text"),
            Self::Object(class) => of(f, "an object", *class),
            Self::Weak => f.write_str("a weak object"),
            Self::Soft => f.write_str("a soft reference"),
            Self::Class(class) => of(f, "a class", *class),
            Self::Interface(class) => of(f, "an interface", *class),
            Self::Struct(path) => write!(f, "a struct {path}"),
            Self::Array(inner) => element(f, "an array", *inner),
            Self::Set(inner) => element(f, "a set", *inner),
            Self::Map(_) => f.write_str("a map"),
            Self::Delegate(signature) => of(f, "a delegate", *signature),
            Self::Multicast(signature) => of(f, "a multicast delegate", *signature),
            Self::Several(ty) => write!(f, "several values of {ty}"),
            Self::FieldPath => f.write_str("a field path"),
        }
    }
}
