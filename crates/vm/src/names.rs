//! The name table: every name a running script can meet, as a number.

use std::collections::HashMap;

use bp_reflect::Name;
use rustc_hash::FxBuildHasher;

use crate::ids::NameId;

/// Names by number and back. Equal names (without case) have one number, and keep the case in which
/// they were first met.
#[derive(Debug)]
pub(crate) struct NameTable {
    names: Vec<Name>,
    numbers: HashMap<Name, NameId, FxBuildHasher>,
}

impl NameTable {
    pub(crate) fn new() -> Self {
        let mut table = Self {
            names: Vec::new(),
            numbers: HashMap::default(),
        };
        table.intern(&Name::none());
        table
    }

    pub(crate) fn intern(&mut self, name: &Name) -> NameId {
        if let Some(id) = self.numbers.get(name) {
            return *id;
        }
        let id = NameId(self.names.len() as u32);
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), id);
        id
    }

    pub(crate) fn intern_text(&mut self, text: &str) -> NameId {
        self.intern(&Name::new(text))
    }

    /// All names, by number.
    pub(crate) fn all(&self) -> &[Name] {
        &self.names
    }

    /// The name of a number; `None` for a number nobody gave out.
    pub(crate) fn name(&self, id: NameId) -> &Name {
        self.names.get(id.0 as usize).unwrap_or(&self.names[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_share_a_number_and_the_first_case() {
        let mut table = NameTable::new();
        let a = table.intern_text("Foo");
        assert_eq!(a, table.intern_text("fOO"));
        assert_ne!(a, table.intern_text("Foo_1"));
        assert_eq!(table.name(a).as_str(), "Foo");
        assert_eq!(table.intern_text(""), NameId::NONE);
    }
}
