use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Name, ObjectPath};

/// A text literal (`FText`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TextValue {
    /// The empty text.
    #[default]
    Empty,
    /// A text that can be translated.
    Localized {
        /// Where the key is looked up.
        namespace: Arc<str>,
        /// Names the text.
        key: Arc<str>,
        /// The text in the source language.
        source: Arc<str>,
    },
    /// A text that is the same in every language.
    Invariant(Arc<str>),
    /// A text kept in a string table.
    StringTable {
        /// The table.
        table: Arc<str>,
        /// Names the text in it.
        key: Arc<str>,
    },
}

/// A constant of any property type: a default of a variable, parameter or pin.
///
/// The type is not repeated in the value: an `Int` may be a byte, an enum entry's value or an
/// `int64`; a `Real` a float or a double.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Of `Bool`.
    Bool(bool),
    /// Of every integer type, bytes and enums included.
    Int(i64),
    /// Of `UInt64` above `i64::MAX`.
    UInt(u64),
    /// Of `Float` and `Double`.
    Real(f64),
    /// Of `Name`.
    Name(Name),
    /// Of `Str`, and the path of a soft reference.
    Str(Arc<str>),
    /// Of `Text`.
    Text(TextValue),
    /// Of `Object`, `Class`, `Interface` and `WeakObject`; none is null.
    Object(Option<ObjectPath>),
    /// Of `Struct`: members that differ from the struct's own default, by name.
    Struct(Vec<(Name, Value)>),
    /// Of `Array` and `Set`.
    List(Vec<Value>),
    /// Of `Map`, in insertion order.
    Map(Vec<(Value, Value)>),
    /// Of the delegate types: bound to nothing.
    Unbound,
}

/// Why a default's text is no value of its type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// The text does not have the form the type asks for.
    #[error("`{text}` is not {expected}")]
    Form {
        /// The text, or the part of it that is wrong.
        text: String,
        /// The form, with its article: "a whole number".
        expected: &'static str,
    },
    /// The number does not fit.
    #[error("{text} is outside the range of {ty}")]
    Range {
        /// The number as written.
        text: String,
        /// The type's text form.
        ty: String,
    },
    /// The enum has no such entry.
    #[error("{enumeration} has no entry `{text}`")]
    NoEntry {
        /// The entry as written.
        text: String,
        /// The enum's name.
        enumeration: String,
        /// Its entries, for a suggestion.
        entries: Vec<String>,
    },
    /// The enum's entry is known by name only.
    #[error("the value of {enumeration}::{entry} is not declared")]
    EntryValueUnknown {
        /// The entry.
        entry: String,
        /// The enum's name.
        enumeration: String,
    },
    /// The struct has no such member.
    #[error("{structure} has no member `{text}`")]
    NoMember {
        /// The member as written.
        text: String,
        /// The struct's name.
        structure: String,
        /// Its members, for a suggestion.
        members: Vec<String>,
    },
    /// A type that has no literals.
    #[error("a value of type {0} cannot be written as text")]
    NoLiteral(String),
}
