//! Cases: Blueprints with what they are to do.
//!
//! A case is `NAME.json`, or a folder `NAME/` whose `.json` files are compiled together; the class that runs
//! is the first file's. What is expected stands beside it (`NAME.out`), or in the folder (`expected.out`):
//!
//! | file | holds |
//! |---|---|
//! | `.out` | what it prints |
//! | `.err` | words that its warnings hold, a line each, in this order; without it there is no warning |
//! | `.errors` | names of the errors it is refused for, in order |

use std::fs;
use std::path::{Path, PathBuf};

use bp_cli::input::Input;

use crate::{normalized, root};

/// Folders that hold cases.
pub const FOLDERS: [&str; 4] = [
    "graphs/nodes",
    "graphs/programs",
    "graphs/bench",
    "tests/conformance",
];

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// `nodes/ForLoop`, `conformance/001_…`.
    pub name: String,
    /// Its files, sorted.
    pub files: Vec<PathBuf>,
    /// What it prints.
    pub out: Option<String>,
    /// Words of its warnings.
    pub err: Option<String>,
    /// Names of its errors.
    pub errors: Option<String>,
}

impl Case {
    /// The inputs, named by their paths in the repository.
    pub fn inputs(&self) -> Vec<Input> {
        let root = root();
        self.files
            .iter()
            .map(|file| {
                let shown = file.strip_prefix(&root).unwrap_or(file);
                let bytes = fs::read(file).expect("the file was found before");
                Input::new(bp_cli::input::shown(shown), bytes, None)
            })
            .collect()
    }
}

/// All cases whose name holds `filter`, in order of folders and names.
pub fn all(filter: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = FOLDERS
        .iter()
        .flat_map(|folder| in_folder(&root().join(folder)))
        .collect();
    cases.retain(|case| case.name.contains(filter));
    cases
}

fn in_folder(folder: &Path) -> Vec<Case> {
    let group = folder
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let mut cases = Vec::new();
    for path in sorted(folder) {
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        let name = format!("{group}/{stem}");
        if path.is_dir() {
            let files: Vec<PathBuf> = sorted(&path)
                .into_iter()
                .filter(|file| is_json(file))
                .collect();
            if !files.is_empty() {
                cases.push(case(name, files, &path.join("expected")));
            }
        } else if is_json(&path) {
            cases.push(case(name, vec![path.clone()], &path.with_extension("")));
        }
    }
    cases
}

fn case(name: String, files: Vec<PathBuf>, expected: &Path) -> Case {
    let read = |extension: &str| {
        // Names of cases may hold dots, so the extension is appended, not replaced.
        let mut path = expected.as_os_str().to_owned();
        path.push(extension);
        fs::read_to_string(path).ok().map(|text| normalized(&text))
    };
    Case {
        name,
        files,
        out: read(".out"),
        err: read(".err"),
        errors: read(".errors"),
    }
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    paths
}
