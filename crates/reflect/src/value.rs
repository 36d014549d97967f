//! Constants, and the engine's text forms of them.

mod parse;
mod text;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Name, ObjectPath, PropertyType, Registry};

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

impl Value {
    /// What a variable of the type holds before anything is assigned: zero, empty, none; of a
    /// struct, its own default.
    pub fn zero(ty: &PropertyType, _registry: &Registry) -> Self {
        use PropertyType as P;
        match ty {
            P::Bool => Self::Bool(false),
            P::Byte(_)
            | P::Enum(_)
            | P::Int8
            | P::Int16
            | P::UInt16
            | P::Int
            | P::UInt32
            | P::Int64
            | P::UInt64 => Self::Int(0),
            P::Float | P::Double => Self::Real(0.0),
            P::Name => Self::Name(Name::none()),
            P::Str | P::SoftObject(_) | P::SoftClass(_) | P::FieldPath => Self::Str("".into()),
            P::Text => Self::Text(TextValue::Empty),
            P::Object(_) | P::WeakObject(_) | P::Class(_) | P::Interface(_) => Self::Object(None),
            P::Struct(_) => Self::Struct(Vec::new()),
            P::Array(_) | P::Set(_) => Self::List(Vec::new()),
            P::Map(_) => Self::Map(Vec::new()),
            P::Delegate(_) | P::MulticastDelegate(_) | P::Wildcard => Self::Unbound,
        }
    }

    /// Reads the engine's text form of a value: of a pin, a variable's default, or a part of one.
    ///
    /// The empty text is the zero of every type. By type:
    /// - numbers: `1`, `+1.5f`, `1e-3`; bools `true`, `False`, `1`; bytes and enums a number, an
    ///   entry's short name, `E::Entry` or display name;
    /// - strings and names: the text as it stands (a name may stand in quotes); inside a struct or
    ///   container in quotes, with `\\n`, `\\"`, ... as escapes;
    /// - texts: `NSLOCTEXT("namespace", "key", "source")`, `LOCTEXT("key", "source")`,
    ///   `INVTEXT("...")`, `LOCTABLE("table", "key")`, or plain, quoted or not, which is invariant;
    /// - objects and classes: `None`, `/Game/A.B`, `"/Game/A.B"`, `Class'/Game/A.B'`,
    ///   `Class'"/Game/A.B"'`; a class also by its short name;
    /// - structs: `(X=1,Y=(Z=2))`; if all members are numbers also `1, 2, 3` and `X=1 Y=2`; a transform also
    ///   `tx,ty,tz|pitch,yaw,roll|sx,sy,sz`; a struct of one name (a key, a gameplay tag) also that
    ///   name; a guid also its 32 hex digits. Members of structs whose members are not all declared
    ///   are read by their form;
    /// - arrays and sets `(a,b)`, maps `((key,value),(key,value))`.
    ///
    /// # Errors
    /// See [`ValueError`].
    pub fn parse(text: &str, ty: &PropertyType, registry: &Registry) -> Result<Self, ValueError> {
        parse::parse(text, ty, registry)
    }

    /// The engine's text form, the reverse of [`Value::parse`]. Enum entries are written by name
    /// where they are declared, structs always with member names.
    pub fn to_text(&self, ty: &PropertyType, registry: &Registry) -> String {
        text::write(self, ty, registry)
    }
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
    /// Parentheses nested too deeply.
    #[error("`{0}` is nested too deeply")]
    TooDeep(String),
}
