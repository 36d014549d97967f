//! The name table: every name a running script can meet, as a number.

use std::collections::HashMap;
use std::rc::Rc;

use bp_reflect::Name;
use rustc_hash::FxBuildHasher;

use crate::ids::NameId;
use crate::memory::{Budget, PLACE};

/// Names by number and back. Equal names (without case) have one number, and keep the case in which
/// they were first met.
#[derive(Debug)]
pub(crate) struct NameTable {
    names: Vec<Name>,
    numbers: HashMap<Name, NameId, FxBuildHasher>,
    budget: Rc<Budget>,
}

impl NameTable {
    pub(crate) fn new(budget: Rc<Budget>) -> Self {
        let mut table = Self {
            names: Vec::new(),
            numbers: HashMap::default(),
            budget,
        };
        table.intern(&Name::none());
        table
    }

    pub(crate) fn intern(&mut self, name: &Name) -> NameId {
        if let Some(id) = self.numbers.get(name) {
            return *id;
        }
        // A name is never given up.
        self.budget.charge(2 * PLACE + name.as_str().len() as u64);
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
        let mut table = NameTable::new(Rc::new(Budget::new(u64::MAX)));
        let a = table.intern_text("Foo");
        assert_eq!(a, table.intern_text("fOO"));
        assert_ne!(a, table.intern_text("Foo_1"));
        assert_eq!(table.name(a).as_str(), "Foo");
        assert_eq!(table.intern_text(""), NameId::NONE);
    }
}
