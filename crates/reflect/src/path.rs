use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::name::FoldedText;

/// The full path of an object: `/Script/Engine.Actor`, `/Game/BP_Door.BP_Door_C`,
/// `/Script/Engine.Default__Actor`, `/Game/BP_Door.BP_Door_C:TakeHit`.
///
/// Compares without case, as the engine does. `.` separates package and object, `:` (or a further
/// `.`) an object and its part.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ObjectPath(FoldedText);

impl ObjectPath {
    /// The path written `text`; no check is made of its form.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(FoldedText::new(text.as_ref()))
    }

    /// The path as written.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Equal for paths that are equal; of an ASCII path that of its text.
    #[inline]
    pub(crate) fn folded_hash(&self) -> u32 {
        self.0.folded_hash()
    }

    /// The object's own name: what follows the last `.` or `:`.
    pub fn name(&self) -> &str {
        self.as_str()
            .rsplit_once(['.', ':'])
            .map_or(self.as_str(), |(_, name)| name)
    }

    /// The package: what precedes the first `.`.
    pub fn package(&self) -> &str {
        self.as_str()
            .split_once('.')
            .map_or(self.as_str(), |(package, _)| package)
    }

    /// Whether this is code of the engine or of a native plugin (`/Script/...`).
    pub fn is_native(&self) -> bool {
        self.as_str()
            .get(..8)
            .is_some_and(|head| head.eq_ignore_ascii_case("/Script/"))
    }

    /// The path of a member function or delegate signature of this class.
    #[must_use]
    pub fn member(&self, name: impl fmt::Display) -> Self {
        Self::new(format!("{}:{name}", self.as_str()))
    }

    /// The path of the object this one is a part of, if it is one: the class of a function.
    pub fn outer(&self) -> Option<Self> {
        self.as_str()
            .rsplit_once(':')
            .map(|(outer, _)| Self::new(outer))
    }

    /// The path of this class's default object (CDO).
    #[must_use]
    pub fn default_object(&self) -> Self {
        match self.as_str().rsplit_once('.') {
            Some((package, name)) => Self::new(format!("{package}.Default__{name}")),
            None => Self::new(format!("Default__{}", self.as_str())),
        }
    }

    /// The class whose default object this is, if it is one.
    pub fn class_of_default_object(&self) -> Option<Self> {
        let name = self.name().strip_prefix("Default__")?;
        Some(match self.as_str().rsplit_once('.') {
            Some((package, _)) => Self::new(format!("{package}.{name}")),
            None => Self::new(name),
        })
    }
}

impl Serialize for ObjectPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ObjectPath {
    // By hand, since the derived form copies the text twice.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = ObjectPath;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object path")
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(ObjectPath::new(text))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

impl fmt::Display for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.as_str())
    }
}

impl From<&str> for ObjectPath {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for ObjectPath {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}
