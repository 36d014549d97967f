//! A project folder as context: the packages that inputs refer to, found by their names.
//!
//! The engine mounts `Content` folders: a project's as `/Game/`, a plugin's as `/<Plugin>/`, its own as
//! `/Engine/`. [`Project`] does the same and gives the files that may hold a package. [`gather`] reads the
//! packages that inputs need, each once, whatever circles they refer in: of a package that an input
//! names, what it declares; of what that is made of (parents, interfaces, structs, enums) the same; of a
//! macro's library also all that the macros name, because they are expanded where they are used.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bp_diag::{Diagnostic, Diagnostics, Severity};
use bp_graph::Blueprint;
use bp_reflect::{Class, Enum, Function, Property, Registry, Struct};
use bp_uasset::{Package, PackageError, PackageIndex};
use indexmap::IndexMap;
use rayon::prelude::*;

use crate::exit::{Failure, Outcome};
use crate::input;

/// Folders of a project that hold no content of its author's.
const SKIPPED: [&str; 5] = [
    "Binaries",
    "DerivedDataCache",
    "Intermediate",
    "Saved",
    "node_modules",
];

/// A `Content` folder and the root of its packages' names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    /// `/Game/`, `/MyPlugin/`.
    root: String,
    folder: PathBuf,
}

/// Where packages are looked for.
#[derive(Debug, Default)]
pub struct Project {
    /// Those nearest to the inputs first.
    mounts: Vec<Mount>,
    /// Folders whose packages are found wherever they lie, by their own name.
    flat: Vec<PathBuf>,
    /// All package files by lower-case stem, sorted; made when a package is not where its name says.
    index: OnceLock<HashMap<String, Vec<PathBuf>>>,
}

impl Project {
    /// The project in a folder, or of a `.uproject` file: every `Content` folder below it is mounted. A
    /// package that is not where its name says, or lies in no `Content` folder at all, is found by the
    /// name stored in it, among the files called as it is.
    ///
    /// # Errors
    /// The folder cannot be read. Unreadable folders inside it count as empty.
    pub fn open(folder: &Path) -> Outcome<Self> {
        let folder = match folder.parent() {
            Some(parent) if is_file_of(folder, "uproject") && folder.is_file() => {
                if parent.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    parent
                }
            }
            _ => folder,
        };
        std::fs::read_dir(folder).map_err(|reason| Failure::Read {
            path: folder.to_owned(),
            reason,
        })?;
        let folder = absolute(folder);
        let mut project = Self::default();
        for content in content_folders(&folder) {
            let root = root_of(&content);
            project.mount(root, content);
        }
        project.flat.push(folder);
        Ok(project)
    }

    /// Mounts the project that a file belongs to, if it lies in a `Content` folder: the folder with the
    /// `.uproject` above it, or the one that holds its `Plugins` folder, or the one that holds `Content`.
    pub fn add_around(&mut self, file: &Path) {
        let file = absolute(file);
        let Some(content) = content_above(&file) else {
            return;
        };
        self.mount(root_of(content), content.to_owned());
        let owner = content.parent().unwrap_or(content);
        let project = owner
            .ancestors()
            .find(|folder| has_file(folder, "uproject"))
            .or_else(|| {
                let plugins = owner.ancestors().skip(1);
                let mut plugins = plugins.filter(|folder| is_named(folder, "Plugins"));
                plugins.find_map(Path::parent)
            })
            .unwrap_or(owner);
        let own = project.join("Content");
        if own.is_dir() {
            self.mount(root_of(&own), own);
        }
        for content in content_folders(&project.join("Plugins")) {
            self.mount(root_of(&content), content);
        }
    }

    /// Learns from a file whose package name is known where its `Content` folder is mounted, and looks
    /// there first.
    pub fn learn(&mut self, file: &Path, package: &str) {
        let file = absolute(file);
        let Some(content) = content_above(&file) else {
            return;
        };
        let inside = file.strip_prefix(content).unwrap_or(&file);
        let inside = input::shown(&inside.with_extension(""));
        let is_end = package.len() > inside.len()
            && package.is_char_boundary(package.len() - inside.len())
            && package[package.len() - inside.len()..].eq_ignore_ascii_case(&inside);
        if !is_end {
            return;
        }
        let root = &package[..package.len() - inside.len()];
        if root.len() > 2 && root.starts_with('/') && root.ends_with('/') {
            let mount = Mount {
                root: root.to_owned(),
                folder: content.to_owned(),
            };
            self.mounts.retain(|other| other.folder != mount.folder);
            self.mounts.insert(0, mount);
        }
    }

    fn mount(&mut self, root: String, folder: PathBuf) {
        if !self.mounts.iter().any(|mount| mount.folder == folder) {
            self.mounts.push(Mount { root, folder });
        }
    }

    /// Whether there is nothing to look in.
    pub fn is_empty(&self) -> bool {
        self.mounts.is_empty() && self.flat.is_empty()
    }

    /// The file that holds a package by the mount points (`/Game/Doors/BP_Door` is
    /// `Content/Doors/BP_Door.uasset` or `.umap`).
    pub fn mounted(&self, package: &str) -> Option<PathBuf> {
        let candidates = self.mounts.iter().filter_map(|mount| {
            let inside = package
                .get(..mount.root.len())
                .filter(|root| root.eq_ignore_ascii_case(&mount.root))
                .map(|root| &package[root.len()..])?;
            Some(mount.folder.join(inside))
        });
        candidates
            .flat_map(|path| {
                ["uasset", "umap"].map(|extension| {
                    // A package name may hold dots, which are no extension.
                    PathBuf::from(format!("{}.{extension}", path.display()))
                })
            })
            .find(|path| path.is_file())
    }

    /// The files that are called as a package or asset, wherever they lie.
    pub fn called(&self, stem: &str) -> &[PathBuf] {
        let index = self.index.get_or_init(|| {
            let mut index: HashMap<String, Vec<PathBuf>> = HashMap::new();
            let mounted = self.mounts.iter().map(|mount| &mount.folder);
            let mut seen = HashSet::new();
            for folder in self.flat.iter().chain(mounted) {
                for file in package_files(folder).unwrap_or_default() {
                    if let Some(stem) = stem_of(&file).filter(|_| seen.insert(file.clone())) {
                        index.entry(stem).or_default().push(file);
                    }
                }
            }
            index
        });
        index
            .get(&stem.to_lowercase())
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Reads a package by its name: the file that the mount points give, else one of the same name that
    /// says it is this package.
    fn read(&self, name: &str) -> Option<Result<ContextPackage, (PathBuf, PackageError)>> {
        let read = |path: &Path| {
            let bytes = std::fs::read(path).ok()?;
            let shown = input::shown(path);
            Some(ContextPackage::read(shown, bytes).map_err(|error| (path.to_owned(), error)))
        };
        if let Some(path) = self.mounted(name) {
            return read(&path);
        }
        let stem = name.rsplit('/').next().unwrap_or(name);
        self.called(stem)
            .iter()
            .filter_map(|path| read(path))
            .find(|package| {
                package
                    .as_ref()
                    .is_ok_and(|package| package.package.long_name().eq_ignore_ascii_case(name))
            })
    }
}

/// A package that is read for what it declares.
#[derive(Clone, Debug)]
pub struct ContextPackage {
    /// How messages call it.
    pub name: String,
    /// The package.
    pub package: Package,
    /// The classes that the engine's compiler made.
    pub classes: Vec<Class>,
    /// Its structs.
    pub structs: Vec<Struct>,
    /// Its enums.
    pub enums: Vec<Enum>,
    /// Its graphs, where they are wanted for their macros.
    pub drawn: Option<Blueprint>,
}

impl ContextPackage {
    /// Reads a package without its graphs.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(name: String, bytes: Vec<u8>) -> Result<Self, PackageError> {
        let package = Package::read(bytes)?;
        Ok(Self {
            name,
            classes: bp_uasset::classes(&package)?,
            structs: bp_uasset::structs(&package)?,
            enums: bp_uasset::enums(&package)?,
            package,
            drawn: None,
        })
    }

    /// Reads its graphs too.
    pub fn draw(&mut self) -> &Blueprint {
        // What its own graphs lack is said when it is compiled itself.
        self.drawn
            .get_or_insert_with(|| bp_uasset::to_blueprint(&self.package).0)
    }

    /// Adds what it declares.
    pub fn declare(&self, registry: &mut Registry) {
        for class in &self.classes {
            registry.add_class(class.clone());
        }
        for structure in &self.structs {
            registry.add_struct(structure.clone());
        }
        for enumeration in &self.enums {
            registry.add_enum(enumeration.clone());
        }
    }

    /// Adds what its classes tell of interfaces that nothing declares, if its graphs are read.
    pub fn declare_interfaces(&self, registry: &mut Registry) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        for class in &self.classes {
            let drawn = self.drawn.iter();
            for blueprint in drawn.filter(|blueprint| blueprint.class_path == class.path) {
                diagnostics.append(bp_compiler::declare_interfaces(blueprint, class, registry));
            }
        }
        diagnostics
    }

    /// Packages that its declarations are made of.
    fn parts(&self) -> Vec<Reference> {
        let mut found = Vec::new();
        let mut add =
            |path: &bp_reflect::ObjectPath| found.push(Reference::declared(path.package()));
        for class in &self.classes {
            class.super_class.iter().for_each(&mut add);
            class.interfaces.iter().for_each(&mut add);
            let functions = class.functions.values().chain(class.delegates.values());
            let of_functions = functions.flat_map(|function: &Function| function.params.iter());
            for property in class.properties.iter().chain(of_functions) {
                value_types(property, &mut add);
            }
        }
        for member in self.structs.iter().flat_map(|found| &found.members) {
            value_types(member, &mut add);
        }
        found
    }
}

/// The structs, enums and signatures a property is made of; the classes it refers to are not.
fn value_types(property: &Property, add: &mut dyn FnMut(&bp_reflect::ObjectPath)) {
    use bp_reflect::PropertyType;
    let mut work = vec![&property.ty];
    while let Some(ty) = work.pop() {
        match ty {
            PropertyType::Array(inner) | PropertyType::Set(inner) => work.push(inner),
            PropertyType::Map(pair) => work.extend([&pair.0, &pair.1]),
            PropertyType::Struct(path)
            | PropertyType::Enum(path)
            | PropertyType::Byte(Some(path))
            | PropertyType::Delegate(Some(path))
            | PropertyType::MulticastDelegate(Some(path)) => add(path),
            PropertyType::Bool
            | PropertyType::Byte(None)
            | PropertyType::Int8
            | PropertyType::Int16
            | PropertyType::UInt16
            | PropertyType::Int
            | PropertyType::UInt32
            | PropertyType::Int64
            | PropertyType::UInt64
            | PropertyType::Float
            | PropertyType::Double
            | PropertyType::Name
            | PropertyType::Str
            | PropertyType::Text
            | PropertyType::Object(_)
            | PropertyType::WeakObject(_)
            | PropertyType::SoftObject(_)
            | PropertyType::Class(_)
            | PropertyType::SoftClass(_)
            | PropertyType::Interface(_)
            | PropertyType::Delegate(None)
            | PropertyType::MulticastDelegate(None)
            | PropertyType::FieldPath
            | PropertyType::Wildcard => {}
        }
    }
}

/// A package that something needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its long name.
    pub package: String,
    /// Whether its macros are used.
    pub for_macros: bool,
}

impl Reference {
    fn declared(package: &str) -> Self {
        Self {
            package: package.to_owned(),
            for_macros: false,
        }
    }
}

/// The packages whose classes, functions, structs, enums and macros a package names.
pub fn references(package: &Package) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    for (row, import) in package.imports().iter().enumerate() {
        let class = import.class.text();
        let for_macros = class == "EdGraph";
        let is_declared = class.ends_with("GeneratedClass")
            || matches!(class, "Function" | "UserDefinedStruct" | "UserDefinedEnum");
        if !for_macros && !is_declared {
            continue;
        }
        let row = i32::try_from(row + 1).expect("a table has fewer rows than that");
        let mut top = PackageIndex(-row);
        while !package.outer(top).is_null() {
            top = package.outer(top);
        }
        let Some(name) = package.name(top).map(ToString::to_string) else {
            continue;
        };
        if name.starts_with('/') && !name.starts_with("/Script/") {
            found.push(Reference {
                package: name,
                for_macros,
            });
        }
    }
    found
}

/// The packages whose names, or names of objects in them, stand in a text; and those that are called as
/// one of its strings, because texts may use short names.
pub fn references_of_text(text: &str, project: &Project) -> Vec<Reference> {
    let is_end = |letter: char| !(letter.is_alphanumeric() || "/_-. :".contains(letter));
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for word in text.split(is_end) {
        if let Some(at) = word.find('/').filter(|at| word[*at..].len() > 2) {
            let path = &word[at..];
            let package = path.split(['.', ':', ' ']).next().unwrap_or(path);
            if !package.starts_with("/Script/") && seen.insert(package) {
                found.push(Reference {
                    package: package.to_owned(),
                    for_macros: true,
                });
            }
            continue;
        }
        for part in word.split(['.', ':']).map(str::trim) {
            let stem = part.strip_suffix("_C").unwrap_or(part);
            if stem.is_empty() || !seen.insert(stem) {
                continue;
            }
            for file in project.called(stem) {
                let package = std::fs::read(file).ok().map(Package::read);
                if let Some(Ok(package)) = package {
                    found.push(Reference {
                        package: package.long_name().to_owned(),
                        for_macros: true,
                    });
                }
            }
        }
    }
    found
}

/// Reads the packages that are needed and those they need in turn, each once; `known` are packages that
/// are at hand. A package that is not in the project is left to be inferred; one that cannot be read is a
/// warning.
pub fn gather(
    project: &Project,
    wanted: Vec<Reference>,
    known: &BTreeSet<String>,
) -> (Vec<ContextPackage>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    // None: it is not there, or cannot be read.
    let mut loaded: IndexMap<String, Option<ContextPackage>> = IndexMap::new();
    let mut drawn: HashSet<String> = HashSet::new();
    let mut wave = wanted;
    while !wave.is_empty() {
        let mut names: Vec<String> = Vec::new();
        for reference in &wave {
            let key = reference.package.to_lowercase();
            let is_new = !known.contains(&key) && !loaded.contains_key(&key);
            if is_new {
                loaded.insert(key, None);
                names.push(reference.package.clone());
            }
        }
        let read: Vec<_> = names
            .par_iter()
            .map(|name| (name.to_lowercase(), project.read(name)))
            .collect();
        let mut next = Vec::new();
        for (key, found) in read {
            match found {
                None => {}
                Some(Ok(package)) => {
                    next.extend(package.parts());
                    loaded.insert(key, Some(package));
                }
                Some(Err((path, error))) => {
                    let message = format!(
                        "the package {}, which is needed, cannot be read: {error}",
                        input::shown(&path)
                    );
                    let mut finding = Diagnostic::new(error.code(), message);
                    finding.severity = Severity::Warning;
                    diagnostics.push(finding);
                }
            }
        }
        for reference in wave.iter().filter(|reference| reference.for_macros) {
            let key = reference.package.to_lowercase();
            if let Some(Some(package)) = loaded.get_mut(&key)
                && drawn.insert(key)
            {
                package.draw();
                next.extend(references(&package.package));
            }
        }
        wave = next;
    }
    (loaded.into_values().flatten().collect(), diagnostics)
}

/// All package files below a folder, sorted by path; the folder may be such a file itself.
///
/// # Errors
/// The folder cannot be read; unreadable folders inside it count as empty.
pub fn package_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let is_package = |path: &Path| is_file_of(path, "uasset") || is_file_of(path, "umap");
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let failure = |reason| Failure::Read {
        path: folder.to_owned(),
        reason,
    };
    std::fs::read_dir(folder).map_err(failure)?;
    let mut files = Vec::new();
    walk(folder, &mut |path, is_folder| {
        if !is_folder && is_package(path) {
            files.push(path.to_owned());
        }
        is_folder
    });
    files.sort();
    Ok(files)
}

/// The `Content` folders below a folder, sorted by path; `Content` inside `Content` is an ordinary folder.
fn content_folders(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if is_named(folder, "Content") {
        return vec![folder.to_owned()];
    }
    walk(folder, &mut |path, is_folder| {
        let is_content = is_folder && is_named(path, "Content");
        if is_content {
            found.push(path.to_owned());
        }
        is_folder && !is_content
    });
    found.sort();
    found
}

/// Visits what lies below a folder; `visit` says whether to go into a folder. Links to folders are not
/// followed.
fn walk(folder: &Path, visit: &mut dyn FnMut(&Path, bool) -> bool) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = entry.file_name();
        let is_hidden = name.to_string_lossy().starts_with('.');
        let is_skipped = SKIPPED.iter().any(|skipped| name == *skipped);
        if is_folder && (is_hidden || is_skipped) {
            continue;
        }
        if visit(&path, is_folder) {
            walk(&path, visit);
        }
    }
}

/// The root of the packages in a `Content` folder: a plugin's by its `.uplugin` file or its place in a
/// `Plugins` folder, the engine's by the name of the folder it stands in, else the project's.
fn root_of(content: &Path) -> String {
    let Some(owner) = content.parent() else {
        return "/Game/".to_owned();
    };
    if let Some(plugin) = file_with(owner, "uplugin").and_then(|file| stem_text(&file)) {
        return format!("/{plugin}/");
    }
    let name = owner.file_name().map(|name| name.to_string_lossy());
    let is_plugin = !has_file(owner, "uproject")
        && owner
            .ancestors()
            .skip(1)
            .any(|folder| is_named(folder, "Plugins"));
    match name {
        Some(name) if is_plugin => format!("/{name}/"),
        Some(name) if name == "Engine" => "/Engine/".to_owned(),
        _ => "/Game/".to_owned(),
    }
}

/// The innermost `Content` folder that a file lies in.
fn content_above(file: &Path) -> Option<&Path> {
    file.ancestors()
        .skip(1)
        .find(|folder| is_named(folder, "Content"))
}

fn is_named(folder: &Path, name: &str) -> bool {
    folder.file_name().is_some_and(|found| found == name)
}

fn is_file_of(path: &Path, extension: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn has_file(folder: &Path, extension: &str) -> bool {
    file_with(folder, extension).is_some()
}

/// The first file of an extension in a folder, by name.
fn file_with(folder: &Path, extension: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| is_file_of(path, extension))
        .min()
}

fn stem_text(file: &Path) -> Option<String> {
    Some(file.file_stem()?.to_string_lossy().into_owned())
}

fn stem_of(file: &Path) -> Option<String> {
    stem_text(file).map(|stem| stem.to_lowercase())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with empty files.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        folder
    }

    fn found(project: &Project, root: &Path, package: &str) -> String {
        let path = project.mounted(package);
        path.map_or("none".to_owned(), |path| {
            input::shown(path.strip_prefix(root).expect("it is in the folder"))
        })
    }

    const TREE: [&str; 7] = [
        "Shop/Shop.uproject",
        "Shop/Content/Doors/BP_Door.uasset",
        "Shop/Content/Maps/Hall.umap",
        "Shop/Plugins/Group/Tools/Content/BPM_Tools.uasset",
        "Shop/Plugins/Renamed/Locks.uplugin",
        "Shop/Plugins/Renamed/Content/BP_Lock.uasset",
        "Shop/Saved/Content/BP_Old.uasset",
    ];

    fn check_mounts(project: &Project, root: &Path) {
        let check = |package, file| assert_eq!(found(project, root, package), file);
        check("/Game/Doors/BP_Door", "Shop/Content/Doors/BP_Door.uasset");
        check("/game/Maps/Hall", "Shop/Content/Maps/Hall.umap");
        check(
            "/Tools/BPM_Tools",
            "Shop/Plugins/Group/Tools/Content/BPM_Tools.uasset",
        );
        check(
            "/Locks/BP_Lock",
            "Shop/Plugins/Renamed/Content/BP_Lock.uasset",
        );
        check("/Renamed/BP_Lock", "none");
        check("/Game/BP_Old", "none");
        check("/Game", "none");
    }

    #[test]
    fn a_project_is_mounted_from_its_folder_and_from_any_file_in_it() {
        let folder = folder(&TREE);
        let root = absolute(folder.path());
        for opened in ["", "Shop", "Shop/Shop.uproject"] {
            let project = Project::open(&root.join(opened)).expect("it is there");
            check_mounts(&project, &root);
        }
        for file in [TREE[1], TREE[3], TREE[5]] {
            let mut project = Project::default();
            project.add_around(&root.join(file));
            check_mounts(&project, &root);
        }
    }

    #[test]
    fn without_project_file_plugins_tell_the_project() {
        let folder = folder(&TREE[1..]);
        let root = absolute(folder.path());
        let mut project = Project::default();
        project.add_around(&root.join(TREE[3]));
        check_mounts(&project, &root);
    }

    #[test]
    fn the_name_of_a_package_tells_where_its_folder_is_mounted() {
        let folder = folder(&["Plug/Content/A/B.uasset", "Plug/Content/C.uasset"]);
        let root = absolute(folder.path());
        let mut project = Project::default();
        let file = root.join("Plug/Content/A/B.uasset");
        project.add_around(&file);
        assert_eq!(found(&project, &root, "/Game/C"), "Plug/Content/C.uasset");
        project.learn(&file, "/Other/A/B");
        assert_eq!(found(&project, &root, "/Other/C"), "Plug/Content/C.uasset");
        assert_eq!(found(&project, &root, "/Game/C"), "none");
        // A copy under another name tells nothing.
        project.learn(&file, "/Game/Elsewhere/X");
        assert_eq!(found(&project, &root, "/Other/C"), "Plug/Content/C.uasset");
    }

    #[test]
    fn files_outside_of_content_are_found_by_what_they_are_called() {
        let folder = folder(&["flat/x/BP_A.uasset", "flat/bp_a.umap", "flat/BP_A.txt"]);
        let project = Project::open(folder.path()).expect("it is there");
        let files = project.called("BP_a");
        assert_eq!(files.len(), 2, "{files:?}");
        assert!(project.mounted("/Game/BP_A").is_none());
        assert!(Project::open(&folder.path().join("none")).is_err());
    }
}
