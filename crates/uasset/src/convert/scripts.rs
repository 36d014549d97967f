//! The stored bytecode, and what the references in it mean.

use std::collections::HashSet;

use bp_bytecode::{Dialect, DiskForm, Layout, PropertyRef, References, StoredProperty};
use bp_reflect::{Name, ObjectPath};

use super::classes::generated_classes;
use crate::version::step;
use crate::{FunctionData, Package, PackageError, PackageIndex};

/// The script of a function, as stored.
#[derive(Clone, Debug)]
pub struct StoredScript<'p> {
    /// Path of the function.
    pub path: ObjectPath,
    /// The function's record.
    pub function: FunctionData,
    /// The script in the layout of packages on disk.
    pub bytes: &'p [u8],
    /// Its size in the in-memory layout, as the package states it.
    pub memory_size: u32,
}

/// Says what the references in the scripts of a package mean, for [`bp_bytecode::decode_script`].
#[derive(Clone, Debug)]
pub struct ScriptReferences<'p> {
    package: &'p Package,
    /// Paths of all objects of the package; empty where property paths come with their owners.
    objects: HashSet<ObjectPath>,
}

/// The functions of the package's classes that have a script, in table order.
///
/// # Errors
/// The first function that cannot be read.
pub fn scripts(package: &Package) -> Result<Vec<StoredScript<'_>>, PackageError> {
    let classes: HashSet<_> = generated_classes(package)
        .into_iter()
        .map(PackageIndex::of_export)
        .collect();
    let mut scripts = Vec::new();
    for (export, row) in package.exports().iter().enumerate() {
        if !classes.contains(&row.outer) || !package.is_function(export) {
            continue;
        }
        let function = package.function(export)?;
        let bytes = package.bytes(function.base.script.range);
        if bytes.is_empty() {
            continue;
        }
        scripts.push(StoredScript {
            path: ObjectPath::new(package.path(function.base.index)),
            bytes,
            memory_size: function.base.script.memory_size,
            function,
        });
    }
    Ok(scripts)
}

impl<'p> ScriptReferences<'p> {
    /// The references of a package.
    pub fn new(package: &'p Package) -> Self {
        let mut references = Self {
            package,
            objects: HashSet::new(),
        };
        if references.layout() == Layout::Disk(DiskForm::FieldPath { has_owner: false }) {
            let imports = (1..=package.imports().len()).map(|row| PackageIndex(-(row as i32)));
            let exports = (0..package.exports().len()).map(PackageIndex::of_export);
            let paths = imports.chain(exports).map(|index| package.path(index));
            references.objects = paths.map(ObjectPath::new).collect();
        }
        references
    }

    /// The engine version whose opcodes the scripts use.
    pub fn dialect(&self) -> Dialect {
        Dialect::new(self.package.engine())
    }

    /// How the scripts are stored: with properties as objects before 4.25, as paths since then, to
    /// which only some builds of 4.25 add no owner.
    pub fn layout(&self) -> Layout {
        let summary = self.package.summary();
        Layout::Disk(if summary.has(step::PROPERTIES_ARE_FIELDS) {
            DiskForm::FieldPath {
                has_owner: summary.has(step::FIELD_PATH_OWNER)
                    || summary.has(step::FIELD_PATH_OWNER_2),
            }
        } else {
            DiskForm::PackageIndex
        })
    }

    /// The property that is an object of its own (before 4.25).
    fn property_object(&self, index: i64) -> Option<PropertyRef> {
        let mut at = PackageIndex(i32::try_from(index).ok()?);
        let mut path = Vec::new();
        while self.is_property(at) {
            path.push(Name::from(self.package.name(at)?));
            at = self.package.outer(at);
        }
        let owner = self.package.object_path(at)?;
        (!path.is_empty()).then_some(PropertyRef {
            owner,
            path,
            ordinal: 0,
        })
    }

    /// The property of a stored path: rows and numbers of its names, innermost first, and the index
    /// of its owner where one is stored.
    ///
    /// A package does not say which of two locals of one name is meant, so the ordinal is 0.
    fn property_path(&self, names: &[(u32, u32)], owner: Option<i32>) -> Option<PropertyRef> {
        let names = names.iter().map(|(row, number)| self.name(*row, *number));
        let mut path: Vec<Name> = names.collect::<Option<_>>()?;
        let owner = match owner {
            Some(owner) => self.object(i64::from(owner))??,
            None => self.split_owner(&mut path)?,
        };
        Some(PropertyRef {
            owner,
            path,
            ordinal: 0,
        })
    }

    /// Takes the owner off a path that goes on outwards from the property to the package: the owner
    /// is the innermost object on it that the package knows, or else all but the first name.
    ///
    /// Source: the one package of the corpus without stored owners, tests/convert.rs.
    fn split_owner(&self, path: &mut Vec<Name>) -> Option<ObjectPath> {
        let owner_from = |first: usize| {
            let mut outwards = path.get(first..)?.iter().rev();
            let mut text = outwards.next()?.to_string();
            for (depth, name) in outwards.enumerate() {
                text.push(if depth == 1 { ':' } else { '.' });
                text.push_str(name.as_str());
            }
            Some(ObjectPath::new(text))
        };
        let known = (1..path.len()).find_map(|first| {
            let owner = owner_from(first)?;
            self.objects.contains(&owner).then_some((first, owner))
        });
        let (first, owner) = known.or_else(|| Some((1, owner_from(1)?)))?;
        path.truncate(first);
        Some(owner)
    }

    fn is_property(&self, index: PackageIndex) -> bool {
        let class = self.package.class_name(index);
        class.is_some_and(|class| class.text().ends_with("Property"))
    }
}

impl References for ScriptReferences<'_> {
    fn name(&self, index: u32, number: u32) -> Option<Name> {
        let text = self.package.names().get(index as usize)?;
        Some(Name::from_parts(text, number))
    }

    fn object(&self, index: i64) -> Option<Option<ObjectPath>> {
        let index = PackageIndex(i32::try_from(index).ok()?);
        self.package
            .holds(index)
            .then(|| self.package.object_path(index))
    }

    fn property(&self, stored: &StoredProperty<'_>) -> Option<Option<PropertyRef>> {
        match stored {
            StoredProperty::Index(0) => Some(None),
            StoredProperty::Index(index) => self.property_object(*index).map(Some),
            StoredProperty::Path { names, .. } if names.is_empty() => Some(None),
            StoredProperty::Path { names, owner } => self.property_path(names, *owner).map(Some),
        }
    }
}
