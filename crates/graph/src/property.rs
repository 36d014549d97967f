//! What a node refers to: its properties under their engine names.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use bp_reflect::{Name, ObjectPath};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A 128-bit id, written as 32 hex digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(pub [u32; 4]);

impl Guid {
    /// Whether it is all zeros: none was given.
    pub fn is_zero(self) -> bool {
        self.0 == [0; 4]
    }

    /// The 16 bytes as the engine keeps them: four little-endian words.
    pub fn to_bytes(self) -> [u8; 16] {
        let mut out = [0; 16];
        for (chunk, word) in out.chunks_exact_mut(4).zip(self.0) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        out
    }

    /// A stable id made of a text: for sources that give none.
    pub fn of_text(text: &str) -> Self {
        GuidOfText::new().then(text).guid()
    }
}

/// [`Guid::of_text`] of texts put together, of which many may begin alike.
#[derive(Clone, Copy)]
pub(crate) struct GuidOfText(u64, u64);

impl GuidOfText {
    // FNV-1a in two differently seeded 64-bit halves; only uniqueness and stability matter.
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f)
    }

    #[must_use]
    pub(crate) fn then(self, text: &str) -> Self {
        let Self(mut a, mut b) = self;
        for byte in text.bytes() {
            a = (a ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            b = (b ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Self(a, b)
    }

    pub(crate) fn guid(self) -> Guid {
        let Self(a, b) = self;
        Guid([(a >> 32) as u32, a as u32, (b >> 32) as u32, b as u32])
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        write!(f, "{a:08X}{b:08X}{c:08X}{d:08X}")
    }
}

impl FromStr for Guid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits: String = text
            .chars()
            .filter(|c| !matches!(c, '-' | '{' | '}'))
            .collect();
        if digits.len() != 32 || !digits.is_ascii() {
            return Err(format!("`{text}` is not 32 hexadecimal digits"));
        }
        let mut words = [0; 4];
        for (idx, word) in words.iter_mut().enumerate() {
            *word = u32::from_str_radix(&digits[idx * 8..idx * 8 + 8], 16)
                .map_err(|_| format!("`{text}` is not 32 hexadecimal digits"))?;
        }
        Ok(Self(words))
    }
}

/// A reference to an object, with its class where the source names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectReference {
    /// Class of the object as written: `Class`, `/Script/CoreUObject.Class`, `EdGraph`.
    pub class: Option<String>,
    /// The object's path.
    pub path: ObjectPath,
}

/// A property's value in the shape of the engine's text form, which all sources can give.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PropertyValue {
    /// A bare word: a number, `True`, `None`, an enum entry.
    Word(String),
    /// A quoted string.
    String(String),
    /// An object reference in one of its dresses.
    Object(ObjectReference),
    /// A text macro (`NSLOCTEXT(…)`, `INVTEXT(…)`), as written.
    Text(String),
    /// A struct, or an array written inline (its keys are empty): `(Key=Value,…)`, `(a,b)`.
    Tuple(Vec<(String, PropertyValue)>),
    /// An array property written with indices; a missing index is an empty word.
    Array(Vec<PropertyValue>),
}

impl PropertyValue {
    /// The text of a word or string, the path of an object.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Word(text) | Self::String(text) | Self::Text(text) => Some(text),
            Self::Object(object) => Some(object.path.as_str()),
            Self::Tuple(_) | Self::Array(_) => None,
        }
    }

    /// A bool word.
    pub fn as_bool(&self) -> Option<bool> {
        match self.as_str()? {
            text if text.eq_ignore_ascii_case("true") || text == "1" => Some(true),
            text if text.eq_ignore_ascii_case("false") || text == "0" => Some(false),
            _ => None,
        }
    }

    /// A whole number.
    pub fn as_int(&self) -> Option<i64> {
        self.as_str()?.trim().parse().ok()
    }

    /// An object's path; `None` and an empty text are none.
    pub fn as_object(&self) -> Option<ObjectPath> {
        match self {
            Self::Object(object) => Some(object.path.clone()),
            Self::Word(text) | Self::String(text) => (!text.is_empty()
                && !text.eq_ignore_ascii_case("None"))
            .then(|| ObjectPath::new(text)),
            Self::Text(_) | Self::Tuple(_) | Self::Array(_) => None,
        }
    }

    /// The member of a struct; keys compare without case.
    pub fn get(&self, key: &str) -> Option<&PropertyValue> {
        match self {
            Self::Tuple(members) => members
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(key))
                .map(|(_, value)| value),
            Self::Word(_) | Self::String(_) | Self::Object(_) | Self::Text(_) | Self::Array(_) => {
                None
            }
        }
    }

    /// The elements of an array, written either way.
    pub fn elements(&self) -> Vec<&PropertyValue> {
        match self {
            Self::Array(elements) => elements.iter().collect(),
            Self::Tuple(members) => members.iter().map(|(_, value)| value).collect(),
            Self::Word(_) | Self::String(_) | Self::Object(_) | Self::Text(_) => Vec::new(),
        }
    }
}

/// A node's properties in the order they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties(pub IndexMap<String, PropertyValue, FxBuildHasher>);

impl Hash for Properties {
    /// Equal properties may stand in different orders, so that their number is all that counts beside a single
    /// one.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.len().hash(state);
        if let (1, Some(only)) = (self.0.len(), self.0.first()) {
            only.hash(state);
        }
    }
}

impl Properties {
    /// The property of that engine name, compared without case.
    pub fn get(&self, key: &str) -> Option<&PropertyValue> {
        self.0.get(key).or_else(|| {
            self.0
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(key))
                .map(|(_, value)| value)
        })
    }

    /// Sets a property.
    pub fn set(&mut self, key: impl Into<String>, value: PropertyValue) {
        self.0.insert(key.into(), value);
    }

    /// A bool property.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.get(key)?.as_bool()
    }

    /// An integer property.
    pub fn int(&self, key: &str) -> Option<i64> {
        self.get(key)?.as_int()
    }

    /// A name or string property.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// An object property that is not none.
    pub fn object(&self, key: &str) -> Option<ObjectPath> {
        self.get(key)?.as_object()
    }

    /// A function, variable or delegate reference.
    pub fn member(&self, key: &str) -> Option<MemberReference> {
        MemberReference::from_value(self.get(key)?)
    }
}

/// Names a function, variable or delegate (`FMemberReference`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemberReference {
    /// The class that has it (for a package-level delegate: the package); none for self and locals.
    pub parent: Option<ObjectPath>,
    /// Of a local variable: its function.
    pub scope: Option<Name>,
    /// Its name.
    pub name: Name,
    /// Identifies it over renames.
    pub guid: Guid,
    /// Whether it belongs to the Blueprint itself.
    pub is_self: bool,
}

impl MemberReference {
    /// A member of the Blueprint itself.
    pub fn on_self(name: impl Into<Name>) -> Self {
        Self {
            name: name.into(),
            is_self: true,
            ..Self::default()
        }
    }

    /// A member of another class.
    pub fn of(parent: ObjectPath, name: impl Into<Name>) -> Self {
        Self {
            parent: Some(parent),
            name: name.into(),
            ..Self::default()
        }
    }

    /// Reads the struct form `(MemberParent=…,MemberName=…,…)`.
    pub fn from_value(value: &PropertyValue) -> Option<Self> {
        let PropertyValue::Tuple(members) = value else {
            return None;
        };
        // One walk, since every call and variable is asked, several times; of keys that occur twice the first
        // counts.
        let (mut name, mut parent, mut scope, mut guid, mut is_self) =
            (None, None, None, None, None);
        for (key, value) in members {
            let is = |other: &str| key.eq_ignore_ascii_case(other);
            let slot = match key.len() {
                10 if is("MemberName") => &mut name,
                10 if is("MemberGuid") => &mut guid,
                11 if is("MemberScope") => &mut scope,
                12 if is("MemberParent") => &mut parent,
                12 if is("bSelfContext") => &mut is_self,
                _ => continue,
            };
            slot.get_or_insert(value);
        }
        Some(Self {
            name: Name::new(name?.as_str()?),
            parent: parent.and_then(PropertyValue::as_object),
            scope: scope
                .and_then(PropertyValue::as_str)
                .filter(|scope| !scope.is_empty())
                .map(Name::new),
            guid: guid
                .and_then(PropertyValue::as_str)
                .and_then(|text| text.parse().ok())
                .unwrap_or_default(),
            is_self: is_self.and_then(PropertyValue::as_bool).unwrap_or(false),
        })
    }

    /// The struct form, members in the engine's order, defaults left out.
    pub fn to_value(&self) -> PropertyValue {
        let mut members = Vec::new();
        if let Some(parent) = &self.parent {
            let class = if parent.is_native() {
                "/Script/CoreUObject.Class"
            } else {
                "/Script/Engine.BlueprintGeneratedClass"
            };
            members.push((
                "MemberParent".to_owned(),
                PropertyValue::Object(ObjectReference {
                    class: Some(class.to_owned()),
                    path: parent.clone(),
                }),
            ));
        }
        if let Some(scope) = &self.scope {
            members.push((
                "MemberScope".to_owned(),
                PropertyValue::String(scope.to_string()),
            ));
        }
        members.push((
            "MemberName".to_owned(),
            PropertyValue::String(self.name.to_string()),
        ));
        if !self.guid.is_zero() {
            members.push((
                "MemberGuid".to_owned(),
                PropertyValue::Word(self.guid.to_string()),
            ));
        }
        if self.is_self {
            members.push((
                "bSelfContext".to_owned(),
                PropertyValue::Word("True".to_owned()),
            ));
        }
        PropertyValue::Tuple(members)
    }
}
