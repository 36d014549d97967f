//! The way back: what a script refers to, as rows of the package's tables.

use std::collections::HashMap;

use bp_bytecode::{DiskForm, Layout, PropertyRef, ReferenceSink, References, StoredProperty};
use bp_reflect::{Name, ObjectPath};

use super::ScriptReferences;
use crate::{Package, PackageIndex};

/// Gives references the indices that a package's tables have for them, for
/// [`bp_bytecode::encode_script`] in the layout of the package.
///
/// Nothing is added to the tables: what they do not have cannot be encoded. Texts are told apart by
/// case. Of several rows that spell alike the first is taken; a script that used another one does not
/// come out as it was stored.
#[derive(Clone, Debug)]
pub struct ScriptTables {
    has_owner: bool,
    has_paths: bool,
    names: HashMap<String, u32>,
    objects: HashMap<String, i64>,
    /// Properties that are objects of their own (before 4.25), by owner and names.
    properties: HashMap<(String, Vec<String>), i64>,
}

impl ScriptTables {
    /// The tables of a package.
    pub fn new(package: &Package) -> Self {
        let references = ScriptReferences::new(package);
        let form = match references.layout() {
            Layout::Disk(form) => form,
            Layout::Memory => unreachable!("packages store scripts in a disk layout"),
        };
        let mut tables = Self {
            has_owner: form == DiskForm::FieldPath { has_owner: true },
            has_paths: form != DiskForm::PackageIndex,
            names: HashMap::new(),
            objects: HashMap::new(),
            properties: HashMap::new(),
        };
        for (row, name) in (0..).zip(package.names()) {
            tables.names.entry(name.to_string()).or_insert(row);
        }
        let imports = (1..=package.imports().len()).map(|row| PackageIndex(-(row as i32)));
        let exports = (0..package.exports().len()).map(PackageIndex::of_export);
        for index in imports.chain(exports) {
            let stored = i64::from(index.0);
            let path = package.path(index);
            if !tables.has_paths
                && let Some(Some(property)) = references.property(&StoredProperty::Index(stored))
            {
                tables.properties.entry(key(&property)).or_insert(stored);
            }
            tables.objects.entry(path).or_insert(stored);
        }
        tables
    }

    /// Row and number of a stored name. A row may itself end like a numbered name.
    fn row(&self, name: &Name) -> Option<(u32, u32)> {
        match self.names.get(name.base()) {
            Some(row) => Some((*row, name.number())),
            None => Some((*self.names.get(name.as_str())?, 0)),
        }
    }
}

fn key(property: &PropertyRef) -> (String, Vec<String>) {
    let names = property.path.iter().map(|name| name.as_str().to_owned());
    (property.owner.as_str().to_owned(), names.collect())
}

impl ReferenceSink for ScriptTables {
    fn name(&mut self, name: &Name) -> Option<(u32, u32)> {
        self.row(name)
    }

    fn object(&mut self, object: &ObjectPath) -> Option<i64> {
        self.objects.get(object.as_str()).copied()
    }

    fn property(&mut self, property: &PropertyRef) -> Option<StoredProperty<'static>> {
        if !self.has_paths {
            let index = self.properties.get(&key(property))?;
            return Some(StoredProperty::Index(*index));
        }
        let mut names: Vec<(u32, u32)> = property
            .path
            .iter()
            .map(|name| self.row(name))
            .collect::<Option<_>>()?;
        let owner = if self.has_owner {
            let owner = self.objects.get(property.owner.as_str())?;
            Some(i32::try_from(*owner).ok()?)
        } else {
            // Without an owner of its own, the path goes on outwards to the package.
            for part in outwards(property.owner.as_str()) {
                names.push(self.row(&Name::new(part))?);
            }
            None
        };
        Some(StoredProperty::Path {
            names: names.into(),
            owner,
        })
    }
}

/// The names of a path, the innermost first, its package last. Names of packages may hold dots only
/// behind the last slash.
fn outwards(path: &str) -> impl Iterator<Item = &str> {
    let package_end = path.rfind('/').map_or(0, |slash| {
        path[slash..]
            .find(['.', ':'])
            .map_or(path.len(), |end| slash + end)
    });
    let (package, inner) = path.split_at(package_end);
    inner
        .split(['.', ':'])
        .rev()
        .filter(|part| !part.is_empty())
        .chain(std::iter::once(package))
}
