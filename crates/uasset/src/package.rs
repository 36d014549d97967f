//! The package: its tables, read at once, and the way to the bytes of each export.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::archive::Archive;
use crate::read::Reader;
use crate::summary::{Table, read_summary};
use crate::table::{SMALLEST_EXPORT, SMALLEST_IMPORT, read_export, read_import};
use crate::value::SoftPath;
use crate::version::ue4;
use crate::{ByteRange, Export, Import, PackageError, PackageIndex, PackageName, Summary};

/// A package file with its tables read and checked.
///
/// Every `outer` in the tables exists and every chain of outers ends; classes, parents and
/// templates exist too. The bytes of the exports were not looked at.
#[derive(Clone, Debug)]
pub struct Package {
    file: Arc<[u8]>,
    summary: Summary,
    names: Vec<Arc<str>>,
    soft_paths: Vec<SoftPath>,
    imports: Vec<Import>,
    exports: Vec<Export>,
    long_name: String,
    name_of_class: PackageName,
}

impl Package {
    /// Longest chain of outers that is accepted; the corpus has at most 9.
    const MAX_OUTERS: u32 = 128;

    /// Reads the tables of a package.
    ///
    /// # Errors
    /// A named refusal for files this crate does not read ([`PackageError::NotAPackage`] to
    /// [`PackageError::TooOld`]), else the first place where the tables contradict the format.
    pub fn read(file: impl Into<Arc<[u8]>>) -> Result<Self, PackageError> {
        let file = file.into();
        let summary = read_summary(&mut Reader::new(&file))?;
        let mut package = Self {
            file,
            summary,
            names: Vec::new(),
            soft_paths: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            long_name: String::new(),
            name_of_class: PackageName::new("Class", 0),
        };
        package.names = package.read_names()?;
        package.soft_paths = package.read_table(
            package.summary.soft_paths,
            20,
            "soft path count",
            SoftPath::read,
        )?;
        package.imports = package.read_table(
            package.summary.imports,
            SMALLEST_IMPORT,
            "import count",
            read_import,
        )?;
        package.exports = package.read_table(
            package.summary.exports,
            SMALLEST_EXPORT,
            "export count",
            read_export,
        )?;
        package.check_references()?;
        package.check_sizes()?;
        package.long_name = package.find_long_name();
        Ok(package)
    }

    /// What the first block of the file says.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The name table, without numbers.
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// The import table.
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// The export table.
    pub fn exports(&self) -> &[Export] {
        &self.exports
    }

    /// The long package name, such as `/Game/Doors/BP_Door`.
    ///
    /// Packages before 5.1 do not store it as such. It is then the first entry of the name table that
    /// ends with the name of an asset or another top object and is not imported, or `/Game/` and
    /// the asset's name when there is no such entry.
    pub fn long_name(&self) -> &str {
        &self.long_name
    }

    /// The whole file.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Some bytes of the file; what lies beyond its end is left out.
    pub fn bytes(&self, range: ByteRange) -> &[u8] {
        let end = range.end.min(self.file.len());
        &self.file[range.start.min(end)..end]
    }

    /// Whether the reference is null or exists in the tables.
    pub fn holds(&self, index: PackageIndex) -> bool {
        match (index.import(), index.export()) {
            (Some(import), _) => import < self.imports.len(),
            (None, Some(export)) => export < self.exports.len(),
            (None, None) => true,
        }
    }

    /// The name of an object; `None` for null and for references outside the tables.
    pub fn name(&self, index: PackageIndex) -> Option<&PackageName> {
        if let Some(import) = index.import() {
            return self.imports.get(import).map(|import| &import.name);
        }
        self.exports.get(index.export()?).map(|export| &export.name)
    }

    /// What an object lies in; null for top objects, null and references outside the tables.
    pub fn outer(&self, index: PackageIndex) -> PackageIndex {
        let outer = match (index.import(), index.export()) {
            (Some(import), _) => self.imports.get(import).map(|import| import.outer),
            (None, Some(export)) => self.exports.get(export).map(|export| export.outer),
            (None, None) => None,
        };
        outer.unwrap_or(PackageIndex::NULL)
    }

    /// The name of an object's class, `Class` for a class; `None` as for [`Self::name`].
    pub fn class_name(&self, index: PackageIndex) -> Option<&PackageName> {
        if let Some(import) = index.import() {
            return self.imports.get(import).map(|import| &import.class);
        }
        let export = self.exports.get(index.export()?)?;
        if export.class.is_null() {
            return Some(&self.name_of_class);
        }
        self.name(export.class)
    }

    /// The path of an object's class, such as `/Script/BlueprintGraph.K2Node_Event`; empty for null.
    pub fn class_path(&self, index: PackageIndex) -> String {
        if let Some(import) = index.import().and_then(|import| self.imports.get(import)) {
            return format!("{}.{}", import.class_package, import.class);
        }
        match index.export().and_then(|export| self.exports.get(export)) {
            Some(export) if export.class.is_null() => "/Script/CoreUObject.Class".to_owned(),
            Some(export) => self.path(export.class),
            None => String::new(),
        }
    }

    /// The full path of an object, as the engine writes it: the package, a dot, the top object, then
    /// a colon before its first sub-object and dots between the others. Empty for null.
    ///
    /// Examples: `/Script/Engine.Actor`, `/Game/BP_Door.BP_Door_C`, `/Game/BP_Door.BP_Door:EventGraph`.
    pub fn path(&self, index: PackageIndex) -> String {
        let mut chain = Vec::new();
        let mut at = index;
        let mut is_imported = false;
        while let Some(name) = self.name(at) {
            chain.push(name);
            is_imported = at.import().is_some();
            at = self.outer(at);
        }
        if chain.is_empty() {
            return String::new();
        }
        let mut path = String::new();
        if !is_imported {
            path.push_str(&self.long_name);
        }
        let own_package = usize::from(!is_imported);
        for (position, name) in chain.iter().rev().enumerate() {
            path.push_str(match position + own_package {
                0 => "",
                2 => ":",
                _ => ".",
            });
            path.push_str(&name.to_string());
        }
        path
    }

    /// The exports whose outer is the given object, in table order.
    pub fn inner_exports(&self, outer: PackageIndex) -> impl Iterator<Item = PackageIndex> {
        self.exports
            .iter()
            .enumerate()
            .filter(move |(_, export)| export.outer == outer)
            .map(|(row, _)| PackageIndex::of_export(row))
    }

    /// A row of the export table.
    ///
    /// # Errors
    /// [`PackageError::NoSuchExport`].
    pub fn export(&self, export: usize) -> Result<&Export, PackageError> {
        self.exports.get(export).ok_or(PackageError::NoSuchExport {
            export,
            exports: self.exports.len(),
        })
    }

    pub(crate) fn soft_path(&self, row: usize) -> Option<&SoftPath> {
        self.soft_paths.get(row)
    }

    /// A reader of the bytes of an export.
    pub(crate) fn open(&self, export: usize) -> Result<Archive<'_>, PackageError> {
        let row = self.export(export)?;
        let range = usize::try_from(row.offset).ok().and_then(|start| {
            let end = start.checked_add(usize::try_from(row.size).ok()?)?;
            (end <= self.file.len()).then_some(ByteRange { start, end })
        });
        match range {
            Some(range) => Ok(Archive::new(self, range)),
            None => Err(PackageError::OutsideFile {
                export: row.name.to_string(),
                offset: row.offset,
                size: row.size,
                file: self.file.len(),
            }),
        }
    }

    fn read_names(&self) -> Result<Vec<Arc<str>>, PackageError> {
        let has_hashes = self.summary.is_ue4_at_least(ue4::NAME_HASHES);
        self.read_table(self.summary.names, 4, "name count", |archive| {
            let name = archive.string("name")?;
            if has_hashes {
                archive.u32("hashes of name")?;
            }
            Ok(Arc::from(name))
        })
    }

    fn read_table<T>(
        &self,
        table: Table,
        smallest: usize,
        what: &'static str,
        read: impl FnMut(&mut Archive<'_>) -> Result<T, PackageError>,
    ) -> Result<Vec<T>, PackageError> {
        if table.count == 0 {
            return Ok(Vec::new());
        }
        let start = usize::try_from(table.offset).unwrap_or(usize::MAX);
        let rest = ByteRange {
            start,
            end: self.file.len(),
        };
        let mut archive = Archive::new(self, rest);
        let count = archive.check_count(table.count_at, table.count, smallest, what)?;
        archive.repeat(count, read)
    }

    fn check_references(&self) -> Result<(), PackageError> {
        let check = |table: Table, what, index: PackageIndex| {
            if self.holds(index) {
                return Ok(());
            }
            Err(PackageError::BadIndex {
                offset: usize::try_from(table.offset).unwrap_or_default(),
                what,
                found: index.0,
            })
        };
        for import in &self.imports {
            check(self.summary.imports, "outer of import", import.outer)?;
        }
        for export in &self.exports {
            check(self.summary.exports, "outer of export", export.outer)?;
            check(self.summary.exports, "class of export", export.class)?;
            check(
                self.summary.exports,
                "parent of export",
                export.super_struct,
            )?;
            check(self.summary.exports, "template of export", export.template)?;
        }
        let imports = (1..=self.imports.len()).map(|row| PackageIndex(-(row as i32)));
        let exports = (0..self.exports.len()).map(PackageIndex::of_export);
        for index in imports.chain(exports) {
            let mut outer = self.outer(index);
            let mut steps = 0;
            while !outer.is_null() {
                steps += 1;
                if steps > Self::MAX_OUTERS {
                    return Err(PackageError::OuterChain {
                        index: index.0,
                        limit: Self::MAX_OUTERS,
                    });
                }
                outer = self.outer(outer);
            }
        }
        Ok(())
    }

    /// Real exports do not overlap. Were they allowed to, reading all of them could take far longer
    /// than the size of the file justifies.
    fn check_sizes(&self) -> Result<(), PackageError> {
        let sizes = self.exports.iter().map(|export| export.size.max(0) as u64);
        let total = sizes.fold(0, u64::saturating_add);
        if total <= self.file.len() as u64 {
            return Ok(());
        }
        Err(PackageError::ExportsOverlap {
            total,
            file: self.file.len(),
        })
    }

    fn find_long_name(&self) -> String {
        if self.summary.package_name.starts_with('/') {
            return self.summary.package_name.clone();
        }
        let mut tops: Vec<_> = self
            .exports
            .iter()
            .filter(|export| export.outer.is_null())
            .collect();
        tops.sort_by_key(|export| !export.is_asset);
        let Some(first) = tops.first() else {
            return "/Game/None".to_owned();
        };
        let mut ranks = HashMap::new();
        for (rank, top) in tops.iter().enumerate() {
            let name = top.name.to_string().to_ascii_lowercase();
            ranks.entry(name).or_insert(rank);
        }
        let imported: HashSet<_> = self
            .imports
            .iter()
            .filter(|import| import.outer.is_null())
            .map(|import| import.name.to_string().to_ascii_lowercase())
            .collect();
        let candidates = self.names.iter().filter_map(|name| {
            let folded = name.to_ascii_lowercase();
            let (folder, last) = folded.rsplit_once('/')?;
            let is_own = folder.starts_with('/') && !imported.contains(&folded);
            Some((*ranks.get(last).filter(|_| is_own)?, name))
        });
        match candidates.min_by_key(|(rank, _)| *rank) {
            Some((_, name)) => name.to_string(),
            None => format!("/Game/{}", first.name),
        }
    }
}
