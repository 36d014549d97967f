//! The JSON keys of node classes.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each function takes the few kinds it knows and leaves the rest"
)]

use bp_diag::Span;
use bp_reflect::{Name, ObjectPath};
use indexmap::IndexMap;

use super::NodeError;
use crate::PinType;

/// What a key's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number, zero or more.
    Count,
    /// A whole number.
    Int,
    /// The name or path of a class.
    Class,
    /// The name or path of a struct.
    Struct,
    /// The name or path of an enum.
    Enum,
    /// A type.
    Type,
    /// A list of strings (whole numbers are taken as such).
    Names,
    /// A count, or a list of strings.
    CountOrNames,
    /// A count, a list of strings, or the name of an enum.
    CountOrNamesOrEnum,
    /// A list of parameters; the reader makes pins of them.
    Params,
    /// A count, or a list of parameters.
    CountOrParams,
    /// A graph; the reader adds it to the children.
    Graph,
    /// Any value: text, number or bool, as text.
    Value,
    /// `[width, height]`.
    Size,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As written.
    pub name: &'static str,
    /// What its value must be.
    pub kind: KeyKind,
    /// Whether a node cannot do without it.
    pub required: bool,
    /// What it says, for the schema and `bpc nodes`.
    pub doc: &'static str,
}

impl Key {
    /// A key that may be left out.
    pub const fn new(name: &'static str, kind: KeyKind, doc: &'static str) -> Self {
        Self {
            name,
            kind,
            required: false,
            doc,
        }
    }

    /// A key that must be there.
    pub const fn required(name: &'static str, kind: KeyKind, doc: &'static str) -> Self {
        Self {
            name,
            kind,
            required: true,
            doc,
        }
    }
}

/// A key's value, checked against its kind; names of classes, structs, enums and types resolved.
#[derive(Clone, Debug)]
pub enum KeyValue {
    /// Of `Text` and `Value`.
    Text(String),
    /// Of `Bool`.
    Bool(bool),
    /// Of `Count` and `Int`.
    Int(i64),
    /// Of `Class`, `Struct` and `Enum`.
    Path(ObjectPath),
    /// Of `Type`.
    Type(Box<PinType>),
    /// Of `Names`.
    Names(Vec<String>),
    /// Of `Size`.
    Size(i64, i64),
    /// Of `Params` and `Graph`: read elsewhere.
    Elsewhere,
}

/// The keys of one node.
#[derive(Clone, Debug, Default)]
pub struct Keys(pub IndexMap<&'static str, (KeyValue, Option<Span>)>);

impl Keys {
    /// Whether the key is written.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Where the key's value is written.
    pub fn span(&self, key: &str) -> Option<Span> {
        self.0.get(key).and_then(|(_, span)| *span)
    }

    fn value(&self, key: &str) -> Option<&KeyValue> {
        self.0.get(key).map(|(value, _)| value)
    }

    /// A string.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.value(key)? {
            KeyValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A string that the node cannot do without; the reader has reported its absence.
    ///
    /// # Errors
    /// The key is absent: [`NodeError::reported`].
    pub fn need(&self, key: &str) -> Result<&str, NodeError> {
        self.text(key).ok_or_else(NodeError::reported)
    }

    /// A name.
    pub fn name(&self, key: &str) -> Option<Name> {
        self.text(key).map(Name::new)
    }

    /// A bool.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.value(key)? {
            KeyValue::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A number.
    pub fn int(&self, key: &str) -> Option<i64> {
        match self.value(key)? {
            KeyValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The path of a class, struct or enum.
    pub fn path(&self, key: &str) -> Option<&ObjectPath> {
        match self.value(key)? {
            KeyValue::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The path of a class, struct or enum that the node cannot do without.
    ///
    /// # Errors
    /// The key is absent or wrong: [`NodeError::reported`].
    pub fn need_path(&self, key: &str) -> Result<&ObjectPath, NodeError> {
        self.path(key).ok_or_else(NodeError::reported)
    }

    /// A type.
    pub fn ty(&self, key: &str) -> Option<&PinType> {
        match self.value(key)? {
            KeyValue::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// A list of strings.
    pub fn names(&self, key: &str) -> Option<&[String]> {
        match self.value(key)? {
            KeyValue::Names(names) => Some(names),
            _ => None,
        }
    }
}
