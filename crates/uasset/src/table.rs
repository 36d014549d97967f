//! The import and export tables, and the references into them.

use crate::archive::Archive;
use crate::version::{ue4, ue5};
use crate::{PackageError, PackageName};

/// A reference to an object of a package (`FPackageIndex`).
///
/// 0 is nothing, `n > 0` the export `n - 1`, `n < 0` the import `-n - 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackageIndex(pub i32);

impl PackageIndex {
    /// The reference to nothing.
    pub const NULL: Self = Self(0);

    /// The reference to an export.
    ///
    /// # Panics
    /// If the number does not fit 31 bits; no export table is that long.
    pub fn of_export(export: usize) -> Self {
        Self(i32::try_from(export + 1).expect("an export table has fewer than 2^31 rows"))
    }

    /// Whether it refers to nothing.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The 0-based row of the export table, if it refers to one.
    pub fn export(self) -> Option<usize> {
        usize::try_from(self.0).ok()?.checked_sub(1)
    }

    /// The 0-based row of the import table, if it refers to one.
    pub fn import(self) -> Option<usize> {
        (self.0 < 0).then(|| (self.0.unsigned_abs() - 1) as usize)
    }
}

/// A row of the import table: an object of another package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The package of its class.
    pub class_package: PackageName,
    /// Its class.
    pub class: PackageName,
    /// What it lies in; null for a package.
    pub outer: PackageIndex,
    /// Its name.
    pub name: PackageName,
}

/// A row of the export table: an object of this package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its class; null for a class.
    pub class: PackageIndex,
    /// The parent, for a struct, class or function.
    pub super_struct: PackageIndex,
    /// The object it takes its defaults from.
    pub template: PackageIndex,
    /// What it lies in; null for a top object of the package.
    pub outer: PackageIndex,
    /// Its name.
    pub name: PackageName,
    /// `EObjectFlags`.
    pub object_flags: u32,
    /// Where its bytes start in the file, as stored.
    pub offset: i64,
    /// How many bytes it has, as stored.
    pub size: i64,
    /// Whether the package stores it as one of its assets.
    pub is_asset: bool,
}

impl Export {
    const CLASS_DEFAULT_OBJECT: u32 = 0x10;

    /// Whether it is the default object of a class (`RF_ClassDefaultObject`).
    pub fn is_class_default_object(&self) -> bool {
        self.object_flags & Self::CLASS_DEFAULT_OBJECT != 0
    }
}

/// Reads a row of the import table. References are checked by the caller: they may point at rows
/// that were not read yet.
pub(crate) fn read_import(archive: &mut Archive<'_>) -> Result<Import, PackageError> {
    let import = Import {
        class_package: archive.name("class package of import")?,
        class: archive.name("class of import")?,
        outer: PackageIndex(archive.i32("outer of import")?),
        name: archive.name("name of import")?,
    };
    if archive.is_ue4_at_least(ue4::IMPORT_PACKAGE_NAME) {
        archive.name("package of import")?;
    }
    if archive.is_ue5_at_least(ue5::OPTIONAL_RESOURCES) {
        archive.bool("is-optional of import")?;
    }
    Ok(import)
}

/// Smallest size of a row of the import table in bytes.
pub(crate) const SMALLEST_IMPORT: usize = 28;
/// Smallest size of a row of the export table in bytes.
pub(crate) const SMALLEST_EXPORT: usize = 48;

/// Reads a row of the export table; references are checked by the caller.
pub(crate) fn read_export(archive: &mut Archive<'_>) -> Result<Export, PackageError> {
    let class = PackageIndex(archive.i32("class of export")?);
    let super_struct = PackageIndex(archive.i32("parent of export")?);
    let template = if archive.is_ue4_at_least(ue4::EXPORT_TEMPLATE) {
        PackageIndex(archive.i32("template of export")?)
    } else {
        PackageIndex::NULL
    };
    let outer = PackageIndex(archive.i32("outer of export")?);
    let name = archive.name("name of export")?;
    let object_flags = archive.u32("flags of export")?;
    let (size, offset) = if archive.is_ue4_at_least(ue4::EXPORT_SIZE_64) {
        (
            archive.i64("size of export")?,
            archive.i64("offset of export")?,
        )
    } else {
        let size = archive.i32("size of export")?;
        (i64::from(size), i64::from(archive.i32("offset of export")?))
    };
    for what in ["is-forced", "not-for-client", "not-for-server"] {
        archive.bool(what)?;
    }
    if !archive.is_ue5_at_least(ue5::NO_EXPORT_GUID) {
        archive.guid("package guid of export")?;
    }
    if archive.is_ue5_at_least(ue5::EXPORT_IS_INHERITED) {
        archive.bool("is-inherited")?;
    }
    archive.u32("package flags of export")?;
    archive.bool("not-always-loaded")?;
    let is_asset = archive.is_ue4_at_least(ue4::EXPORT_IS_ASSET) && archive.bool("is-asset")?;
    if archive.is_ue5_at_least(ue5::OPTIONAL_RESOURCES) {
        archive.bool("generate-public-hash")?;
    }
    if archive.is_ue4_at_least(ue4::PRELOAD_DEPENDENCIES) {
        archive.bytes(20, "preload dependencies of export")?;
    }
    if archive.is_ue5_at_least(ue5::EXPORT_SCRIPT_RANGE) {
        archive.bytes(16, "script range of export")?;
    }
    Ok(Export {
        class,
        super_struct,
        template,
        outer,
        name,
        object_flags,
        offset,
        size,
        is_asset,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_tells_imports_from_exports() {
        assert_eq!(PackageIndex(0).export(), None);
        assert_eq!(PackageIndex(0).import(), None);
        assert_eq!(PackageIndex(1).export(), Some(0));
        assert_eq!(PackageIndex(-1).import(), Some(0));
        assert_eq!(PackageIndex(i32::MIN).import(), Some(0x7fff_ffff));
        assert_eq!(PackageIndex::of_export(6), PackageIndex(7));
    }
}
