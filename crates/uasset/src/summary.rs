//! The summary: the first block of a package, with version numbers and the places of the tables.

use crate::read::Reader;
use crate::version::{self, Step, ue4, ue5};
use crate::{Guid, PackageError};

const TAG: u32 = 0x9E2A_83C1;
const FLAG_COOKED: u32 = 0x0000_0200;
const FLAG_UNVERSIONED_PROPERTIES: u32 = 0x0000_2000;
const FLAG_STORED_COMPRESSED: u32 = 0x0200_0000;
const FLAG_EDITOR_DATA_FILTERED: u32 = 0x8000_0000;

/// What the first block of a package says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Layout of the summary itself; negative, counting down.
    pub legacy_version: i32,
    /// The UE4 file version (`EUnrealEngineObjectUE4Version`).
    pub ue4_version: i32,
    /// The UE5 file version, 0 for a package of UE4.
    pub ue5_version: i32,
    /// The version number of a licensee's engine, 0 for Epic's.
    pub licensee_version: i32,
    /// The custom versions, in stored order.
    pub custom_versions: Vec<CustomVersion>,
    /// Size in bytes of everything before the exports.
    pub header_size: i32,
    /// The package name as stored: a long package name since 5.1, `None` before.
    pub package_name: String,
    /// `EPackageFlags`.
    pub flags: u32,
    /// The engine that saved the package.
    pub saved_by: EngineVersion,
    /// The oldest engine that may load it.
    pub compatible_with: EngineVersion,
    pub(crate) names: Table,
    pub(crate) soft_paths: Table,
    pub(crate) imports: Table,
    pub(crate) exports: Table,
}

impl Summary {
    pub(crate) fn is_ue4_at_least(&self, number: i32) -> bool {
        self.ue4_version >= number
    }

    pub(crate) fn is_ue5_at_least(&self, number: i32) -> bool {
        self.ue5_version >= number
    }

    /// Whether the package's version of a part has reached a step; a part that the package does not
    /// list counts as older than everything.
    pub(crate) fn has(&self, Step(part, number): Step) -> bool {
        let guid = part.guid();
        self.custom_versions
            .iter()
            .any(|custom| custom.guid == guid && custom.version >= number)
    }
}

/// The version of one part of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CustomVersion {
    /// The guid of the part.
    pub guid: Guid,
    /// Its version number.
    pub version: i32,
}

/// A version of the engine, such as 5.3.2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineVersion {
    /// The first number.
    pub major: u16,
    /// The second number.
    pub minor: u16,
    /// The third number.
    pub patch: u16,
    /// The changelist it was built from.
    pub changelist: u32,
    /// The branch it was built from, such as `++UE5+Release-5.3`.
    pub branch: String,
}

/// Place and size of a table in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// Where the count stands, for errors.
    pub(crate) count_at: usize,
    pub(crate) count: i32,
    pub(crate) offset: i32,
}

impl Table {
    fn read(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, PackageError> {
        Ok(Self {
            count_at: reader.position(),
            count: reader.i32(what)?,
            offset: reader.i32(what)?,
        })
    }
}

pub(crate) fn read_summary(reader: &mut Reader<'_>) -> Result<Summary, PackageError> {
    let tag = reader.u32("package tag")?;
    if tag != TAG {
        return Err(PackageError::NotAPackage { found: tag });
    }
    let legacy_version = reader.i32("legacy file version")?;
    check_legacy_version(legacy_version)?;
    reader.i32("UE3 file version")?;
    let ue4_version = reader.i32("UE4 file version")?;
    let ue5_version = if legacy_version <= -8 {
        reader.i32("UE5 file version")?
    } else {
        0
    };
    let licensee_version = reader.i32("licensee file version")?;
    if ue4_version == 0 && ue5_version == 0 {
        return Err(PackageError::Unversioned);
    }
    check_range(
        "the UE4 file version",
        ue4_version,
        version::OLDEST_UE4..=version::NEWEST_UE4,
    )?;
    check_range("the UE5 file version", ue5_version, 0..=version::NEWEST_UE5)?;

    let has_hash = ue5_version >= ue5::SAVED_HASH;
    let mut header_size = 0;
    if has_hash {
        reader.bytes(20, "saved hash")?;
        header_size = reader.i32("header size")?;
    }
    let custom_versions = read_custom_versions(reader, legacy_version)?;
    if !has_hash {
        header_size = reader.i32("header size")?;
    }
    let package_name = reader.string("package name")?;
    let flags = reader.u32("package flags")?;
    refuse_flags(flags)?;

    let names = Table::read(reader, "name table")?;
    let soft_paths = if ue5_version >= ue5::SOFT_PATH_TABLE {
        Table::read(reader, "soft path table")?
    } else {
        Table::default()
    };
    if ue4_version >= ue4::LOCALIZATION_ID {
        reader.string("localization id")?;
    }
    Table::read(reader, "gatherable text")?;
    let exports = Table::read(reader, "export table")?;
    let imports = Table::read(reader, "import table")?;
    if ue5_version >= ue5::VERSE_CELLS {
        reader.bytes(16, "Verse cells")?;
    }
    if ue5_version >= ue5::METADATA_OFFSET {
        reader.i32("metadata offset")?;
    }
    reader.i32("dependency offset")?;
    Table::read(reader, "soft package references")?;
    if ue4_version >= ue4::SEARCHABLE_NAMES {
        reader.i32("searchable names offset")?;
    }
    reader.i32("thumbnail offset")?;
    if ue5_version >= ue5::IMPORT_HIERARCHIES {
        Table::read(reader, "import type hierarchies")?;
    }
    if !has_hash {
        reader.guid("package guid")?;
    }
    if ue4_version >= ue4::PACKAGE_OWNER {
        reader.guid("persistent guid")?;
        if ue4_version < ue4::IMPORT_PACKAGE_NAME {
            reader.guid("owner guid")?;
        }
    }
    let generations = reader.count(8, "generation count")?;
    reader.bytes(generations * 8, "generations")?;
    let saved_by = read_engine_version(reader)?;
    let compatible_with = read_engine_version(reader)?;
    let compression = reader.u32("compression flags")?;
    let chunks = reader.u32("compressed chunk count")?;
    if compression != 0 || chunks != 0 {
        return Err(PackageError::Compressed {
            flags: compression,
            chunks,
        });
    }
    Ok(Summary {
        legacy_version,
        ue4_version,
        ue5_version,
        licensee_version,
        custom_versions,
        header_size,
        package_name,
        flags,
        saved_by,
        compatible_with,
        names,
        soft_paths,
        imports,
        exports,
    })
}

/// The layout number counts down, so a smaller one is newer.
fn check_legacy_version(found: i32) -> Result<(), PackageError> {
    let what = "the layout of the summary";
    if found < version::NEWEST_LEGACY {
        let newest = version::NEWEST_LEGACY;
        return Err(PackageError::TooNew {
            what,
            found,
            newest,
        });
    }
    if found > version::OLDEST_LEGACY {
        let oldest = version::OLDEST_LEGACY;
        return Err(PackageError::TooOld {
            what,
            found,
            oldest,
        });
    }
    Ok(())
}

fn check_range(
    what: &'static str,
    found: i32,
    known: std::ops::RangeInclusive<i32>,
) -> Result<(), PackageError> {
    if found > *known.end() {
        return Err(PackageError::TooNew {
            what,
            found,
            newest: *known.end(),
        });
    }
    if found < *known.start() {
        return Err(PackageError::TooOld {
            what,
            found,
            oldest: *known.start(),
        });
    }
    Ok(())
}

fn refuse_flags(flags: u32) -> Result<(), PackageError> {
    if flags & (FLAG_COOKED | FLAG_EDITOR_DATA_FILTERED) != 0 {
        return Err(PackageError::Cooked { flags });
    }
    if flags & FLAG_UNVERSIONED_PROPERTIES != 0 {
        return Err(PackageError::Unversioned);
    }
    if flags & FLAG_STORED_COMPRESSED != 0 {
        return Err(PackageError::Compressed { flags, chunks: 0 });
    }
    Ok(())
}

fn read_custom_versions(
    reader: &mut Reader<'_>,
    legacy_version: i32,
) -> Result<Vec<CustomVersion>, PackageError> {
    let has_friendly_names = legacy_version >= -5;
    let count = reader.count(20, "custom version count")?;
    let mut versions = Vec::with_capacity(count);
    for _ in 0..count {
        versions.push(CustomVersion {
            guid: reader.guid("custom version guid")?,
            version: reader.i32("custom version")?,
        });
        if has_friendly_names {
            reader.string("custom version name")?;
        }
    }
    Ok(versions)
}

fn read_engine_version(reader: &mut Reader<'_>) -> Result<EngineVersion, PackageError> {
    Ok(EngineVersion {
        major: reader.u16("engine version")?,
        minor: reader.u16("engine version")?,
        patch: reader.u16("engine version")?,
        changelist: reader.u32("engine changelist")?,
        branch: reader.string("engine branch")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of a summary: tag, legacy, UE3, UE4, UE5 and licensee numbers, then whatever comes.
    fn start(legacy: i32, ue4: i32, ue5: i32, rest: &[i32]) -> Vec<u8> {
        let mut words = vec![TAG as i32, legacy, 864, ue4];
        if legacy <= -8 {
            words.push(ue5);
        }
        words.push(0);
        words.extend(rest);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn error_of(bytes: &[u8]) -> String {
        let error = read_summary(&mut Reader::new(bytes)).expect_err("the summary is refused");
        error.to_string()
    }

    #[test]
    fn what_cannot_be_read_is_refused_by_name() {
        let package = |flags: i32| start(-7, 522, 0, &[0, 100, 0, flags]);
        let cases = [
            (b"PK\x03\x04".to_vec(), "not an Unreal package"),
            (start(-7, 0, 0, &[]), "the package is unversioned"),
            (
                start(-8, 522, 1019, &[]),
                "the package is too new: the UE5 file version is 1019",
            ),
            (
                start(i32::MIN, 522, 1019, &[]),
                "the package is too new: the layout of the summary is -2147483648",
            ),
            (
                start(-4, 522, 0, &[]),
                "the package is too old: the layout of the summary is -4",
            ),
            (
                start(-7, 400, 0, &[]),
                "the package is too old: the UE4 file version is 400",
            ),
            (package(0x200), "the package is cooked"),
            (package(i32::MIN), "the package is cooked"),
            (package(0x2000), "the package is unversioned"),
            (package(0x0200_0000), "the package is stored compressed"),
            (package(0), "byte 36: name table needs 4 bytes, 0 are left"),
        ];
        for (bytes, expected) in cases {
            let message = error_of(&bytes);
            assert!(message.starts_with(expected), "{message}");
        }
    }

    #[test]
    fn a_custom_version_count_is_checked_against_the_file() {
        assert_eq!(
            error_of(&start(-7, 522, 0, &[1_000_000, 0, 0])),
            "byte 20: custom version count is 1000000, which the 8 bytes that follow cannot hold"
        );
    }
}
