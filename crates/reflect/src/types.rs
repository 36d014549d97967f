use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ObjectPath;

/// The type of a property: one variant per kind of `FProperty` that Blueprints use.
///
/// Text form (`Display`, [`PropertyType::parse`]): `int`, `object:/Script/Engine.Actor`,
/// `array<struct:/Script/CoreUObject.Vector>`, `map<name,int>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PropertyType {
    /// `FBoolProperty`.
    Bool,
    /// `FByteProperty`, alone or holding a `TEnumAsByte`.
    Byte(Option<ObjectPath>),
    /// `FEnumProperty` (an `enum class` stored in a byte).
    Enum(ObjectPath),
    /// `FInt8Property`.
    Int8,
    /// `FInt16Property`.
    Int16,
    /// `FUInt16Property`.
    UInt16,
    /// `FIntProperty`.
    Int,
    /// `FUInt32Property`.
    UInt32,
    /// `FInt64Property`.
    Int64,
    /// `FUInt64Property`.
    UInt64,
    /// `FFloatProperty`.
    Float,
    /// `FDoubleProperty`.
    Double,
    /// `FNameProperty`.
    Name,
    /// `FStrProperty`.
    Str,
    /// `FTextProperty`.
    Text,
    /// `FObjectProperty` of the given class.
    Object(ObjectPath),
    /// `FWeakObjectProperty`.
    WeakObject(ObjectPath),
    /// `FSoftObjectProperty`.
    SoftObject(ObjectPath),
    /// `FClassProperty`: a class that is the given one or a child.
    Class(ObjectPath),
    /// `FSoftClassProperty`.
    SoftClass(ObjectPath),
    /// `FInterfaceProperty`.
    Interface(ObjectPath),
    /// `FStructProperty`.
    Struct(ObjectPath),
    /// `FArrayProperty`.
    Array(Box<PropertyType>),
    /// `FSetProperty`.
    Set(Box<PropertyType>),
    /// `FMapProperty`: key, value.
    Map(Box<(PropertyType, PropertyType)>),
    /// `FDelegateProperty` with its signature function.
    Delegate(Option<ObjectPath>),
    /// `FMulticastInlineDelegateProperty` (or sparse) with its signature function.
    MulticastDelegate(Option<ObjectPath>),
    /// `FFieldPathProperty`.
    FieldPath,
    /// Any type: a parameter of a custom-thunk function, or a pin not yet typed.
    Wildcard,
}

/// Why a type's text could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeParseError {
    /// No type of that name.
    #[error("`{0}` is not a type")]
    Unknown(String),
    /// The type names a class, struct or enum, but none is given.
    #[error("type `{0}` needs the name of a {1} after a colon")]
    NeedsTarget(String, &'static str),
    /// A bracket is missing or stands where none belongs.
    #[error("`{0}` has unbalanced brackets")]
    Brackets(String),
    /// Containers cannot hold containers.
    #[error("a container cannot be an element of `{0}`")]
    NestedContainer(String),
}

impl PropertyType {
    /// Reads the text form. Targets are taken as written; short names are not resolved.
    ///
    /// # Errors
    /// See [`TypeParseError`].
    pub fn parse(text: &str) -> Result<Self, TypeParseError> {
        let text = text.trim();
        if let Some((head, rest)) = text.split_once('<') {
            let inner = rest
                .strip_suffix('>')
                .ok_or_else(|| TypeParseError::Brackets(text.to_owned()))?;
            if inner.contains(['<', '>']) {
                return Err(TypeParseError::NestedContainer(text.to_owned()));
            }
            return match head.trim() {
                "array" => Ok(Self::Array(Box::new(Self::parse(inner)?))),
                "set" => Ok(Self::Set(Box::new(Self::parse(inner)?))),
                "map" => {
                    let (key, value) = inner
                        .split_once(',')
                        .ok_or_else(|| TypeParseError::Brackets(text.to_owned()))?;
                    Ok(Self::Map(Box::new((
                        Self::parse(key)?,
                        Self::parse(value)?,
                    ))))
                }
                other => Err(TypeParseError::Unknown(other.to_owned())),
            };
        }
        let (head, target) = match text.split_once(':') {
            Some((head, target)) => (head.trim(), Some(target.trim())),
            None => (text, None),
        };
        let needs = |what: &'static str| {
            target
                .filter(|t| !t.is_empty())
                .map(ObjectPath::new)
                .ok_or_else(|| TypeParseError::NeedsTarget(head.to_owned(), what))
        };
        Ok(match head {
            "bool" => Self::Bool,
            "byte" => Self::Byte(target.map(ObjectPath::new)),
            "enum" => Self::Enum(needs("enum")?),
            "int8" => Self::Int8,
            "int16" => Self::Int16,
            "uint16" => Self::UInt16,
            "int" => Self::Int,
            "uint32" => Self::UInt32,
            "int64" => Self::Int64,
            "uint64" => Self::UInt64,
            "float" => Self::Float,
            "double" => Self::Double,
            "name" => Self::Name,
            "string" => Self::Str,
            "text" => Self::Text,
            "object" => Self::Object(needs("class")?),
            "weak_object" => Self::WeakObject(needs("class")?),
            "soft_object" => Self::SoftObject(needs("class")?),
            "class" => Self::Class(needs("class")?),
            "soft_class" => Self::SoftClass(needs("class")?),
            "interface" => Self::Interface(needs("interface")?),
            "struct" => Self::Struct(needs("struct")?),
            "delegate" => Self::Delegate(target.map(ObjectPath::new)),
            "multicast_delegate" => Self::MulticastDelegate(target.map(ObjectPath::new)),
            "field_path" => Self::FieldPath,
            "wildcard" => Self::Wildcard,
            _ => return Err(TypeParseError::Unknown(head.to_owned())),
        })
    }

    /// Whether this is an array, set or map.
    pub fn is_container(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Set(_) | Self::Map(_))
    }

    /// The class, struct, enum or signature this type names, itself (not its elements).
    pub fn target(&self) -> Option<&ObjectPath> {
        match self {
            Self::Byte(target) | Self::Delegate(target) | Self::MulticastDelegate(target) => {
                target.as_ref()
            }
            Self::Enum(t)
            | Self::Object(t)
            | Self::WeakObject(t)
            | Self::SoftObject(t)
            | Self::Class(t)
            | Self::SoftClass(t)
            | Self::Interface(t)
            | Self::Struct(t) => Some(t),
            Self::Bool
            | Self::Int8
            | Self::Int16
            | Self::UInt16
            | Self::Int
            | Self::UInt32
            | Self::Int64
            | Self::UInt64
            | Self::Float
            | Self::Double
            | Self::Name
            | Self::Str
            | Self::Text
            | Self::Array(_)
            | Self::Set(_)
            | Self::Map(_)
            | Self::FieldPath
            | Self::Wildcard => None,
        }
    }

    /// Calls `f` on every target in the type, elements included, and keeps what it gives.
    pub fn map_targets(&mut self, f: &mut dyn FnMut(&mut ObjectPath)) {
        match self {
            Self::Byte(target) | Self::Delegate(target) | Self::MulticastDelegate(target) => {
                if let Some(target) = target {
                    f(target);
                }
            }
            Self::Enum(t)
            | Self::Object(t)
            | Self::WeakObject(t)
            | Self::SoftObject(t)
            | Self::Class(t)
            | Self::SoftClass(t)
            | Self::Interface(t)
            | Self::Struct(t) => f(t),
            Self::Array(inner) | Self::Set(inner) => inner.map_targets(f),
            Self::Map(pair) => {
                pair.0.map_targets(f);
                pair.1.map_targets(f);
            }
            Self::Bool
            | Self::Int8
            | Self::Int16
            | Self::UInt16
            | Self::Int
            | Self::UInt32
            | Self::Int64
            | Self::UInt64
            | Self::Float
            | Self::Double
            | Self::Name
            | Self::Str
            | Self::Text
            | Self::FieldPath
            | Self::Wildcard => {}
        }
    }
}

impl fmt::Display for PropertyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let optional =
            |f: &mut fmt::Formatter<'_>, head: &str, target: &Option<ObjectPath>| match target {
                Some(target) => write!(f, "{head}:{target}"),
                None => f.write_str(head),
            };
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Byte(target) => optional(f, "byte", target),
            Self::Enum(target) => write!(f, "enum:{target}"),
            Self::Int8 => f.write_str("int8"),
            Self::Int16 => f.write_str("int16"),
            Self::UInt16 => f.write_str("uint16"),
            Self::Int => f.write_str("int"),
            Self::UInt32 => f.write_str("uint32"),
            Self::Int64 => f.write_str("int64"),
            Self::UInt64 => f.write_str("uint64"),
            Self::Float => f.write_str("float"),
            Self::Double => f.write_str("double"),
            Self::Name => f.write_str("name"),
            Self::Str => f.write_str("string"),
            Self::Text => f.write_str("text"),
            Self::Object(target) => write!(f, "object:{target}"),
            Self::WeakObject(target) => write!(f, "weak_object:{target}"),
            Self::SoftObject(target) => write!(f, "soft_object:{target}"),
            Self::Class(target) => write!(f, "class:{target}"),
            Self::SoftClass(target) => write!(f, "soft_class:{target}"),
            Self::Interface(target) => write!(f, "interface:{target}"),
            Self::Struct(target) => write!(f, "struct:{target}"),
            Self::Array(inner) => write!(f, "array<{inner}>"),
            Self::Set(inner) => write!(f, "set<{inner}>"),
            Self::Map(pair) => write!(f, "map<{},{}>", pair.0, pair.1),
            Self::Delegate(target) => optional(f, "delegate", target),
            Self::MulticastDelegate(target) => optional(f, "multicast_delegate", target),
            Self::FieldPath => f.write_str("field_path"),
            Self::Wildcard => f.write_str("wildcard"),
        }
    }
}
