use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use crate::name::{eq_fold, hash_fold};

/// The full path of an object: `/Script/Engine.Actor`, `/Game/BP_Door.BP_Door_C`,
/// `/Script/Engine.Default__Actor`, `/Game/BP_Door.BP_Door_C:TakeHit`.
///
/// Compares without case, as the engine does. `.` separates package and object, `:` (or a further
/// `.`) an object and its part.
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub struct ObjectPath(Arc<str>);

impl ObjectPath {
    /// The path written `text`; no check is made of its form.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(Arc::from(text.as_ref()))
    }

    /// The path as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The object's own name: what follows the last `.` or `:`.
    pub fn name(&self) -> &str {
        self.0
            .rsplit_once(['.', ':'])
            .map_or(&*self.0, |(_, name)| name)
    }

    /// The package: what precedes the first `.`.
    pub fn package(&self) -> &str {
        self.0
            .split_once('.')
            .map_or(&*self.0, |(package, _)| package)
    }

    /// Whether this is code of the engine or of a native plugin (`/Script/...`).
    pub fn is_native(&self) -> bool {
        self.0
            .get(..8)
            .is_some_and(|head| head.eq_ignore_ascii_case("/Script/"))
    }

    /// The path of a member function or delegate signature of this class.
    #[must_use]
    pub fn member(&self, name: impl fmt::Display) -> Self {
        Self::new(format!("{}:{name}", self.0))
    }

    /// The path of the object this one is a part of, if it is one: the class of a function.
    pub fn outer(&self) -> Option<Self> {
        self.0.rsplit_once(':').map(|(outer, _)| Self::new(outer))
    }

    /// The path of this class's default object (CDO).
    #[must_use]
    pub fn default_object(&self) -> Self {
        match self.0.rsplit_once('.') {
            Some((package, name)) => Self::new(format!("{package}.Default__{name}")),
            None => Self::new(format!("Default__{}", self.0)),
        }
    }

    /// The class whose default object this is, if it is one.
    pub fn class_of_default_object(&self) -> Option<Self> {
        let name = self.name().strip_prefix("Default__")?;
        Some(match self.0.rsplit_once('.') {
            Some((package, _)) => Self::new(format!("{package}.{name}")),
            None => Self::new(name),
        })
    }
}

impl PartialEq for ObjectPath {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || eq_fold(&self.0, &other.0)
    }
}

impl Eq for ObjectPath {}

impl Hash for ObjectPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_fold(&self.0, state);
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
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
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
