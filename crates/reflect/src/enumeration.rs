use serde::{Deserialize, Serialize};

use crate::{Name, ObjectPath};

/// How C++ declares an enum, which decides the property that holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EnumForm {
    /// `TEnumAsByte` and Blueprint enums: `PropertyType::Byte`.
    #[default]
    Byte,
    /// `enum class`: `PropertyType::Enum`.
    EnumClass,
}

/// One entry of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnumEntry {
    /// Its short name (`NewEnumerator0` in Blueprint enums).
    pub name: Name,
    /// Its value, where it is known.
    pub value: Option<i64>,
    /// What the editor shows, if it differs.
    pub display_name: Option<String>,
    /// Not shown in the editor (such as `MAX` entries).
    pub hidden: bool,
}

/// An enum (`UEnum`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enum {
    /// Its full path.
    pub path: ObjectPath,
    /// How C++ declares it.
    pub form: EnumForm,
    /// Its entries in order, the implicit `MAX` left out.
    pub entries: Vec<EnumEntry>,
}

impl Enum {
    /// The entry written `text`: short name, `E::Name` or display name.
    pub fn entry(&self, text: &str) -> Option<&EnumEntry> {
        let short = text.rsplit_once("::").map_or(text, |(_, short)| short);
        self.entries
            .iter()
            .find(|entry| entry.name == *short)
            .or_else(|| {
                self.entries.iter().find(|entry| {
                    entry
                        .display_name
                        .as_deref()
                        .is_some_and(|shown| shown.eq_ignore_ascii_case(text))
                })
            })
    }
}
