//! Input files: found, read, and their kind told.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::console::Console;
use crate::exit::{Failure, Outcome};
use crate::kind::Kind;

/// One input.
#[derive(Clone, Debug)]
pub struct Input {
    /// How messages call it: the path as given, or `<stdin>`.
    pub name: String,
    /// What its class is called if it does not say: the file's name up to the first dot.
    pub stem: Option<String>,
    /// The file it was read from; none of stdin and of tests.
    pub path: Option<PathBuf>,
    /// Its content.
    pub bytes: Vec<u8>,
    /// What it is; none if nothing tells.
    pub kind: Option<Kind>,
}

impl Input {
    /// An input of that name and content.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>, from: Option<Kind>) -> Self {
        let name = name.into();
        let stem = Path::new(&name)
            .file_name()
            .and_then(|file| file.to_str())
            .and_then(|file| file.split('.').next())
            .filter(|stem| !stem.is_empty() && !name.starts_with('<'))
            .map(str::to_owned);
        let kind = from
            .or_else(|| Kind::of_content(&bytes))
            .or_else(|| Kind::of_extension(&name));
        Self {
            name,
            stem,
            path: None,
            bytes,
            kind,
        }
    }
}

/// Reads files, folders (walked, sources only) and `-`, in the order given. A file named twice is read
/// once.
///
/// # Errors
/// A path that does not exist or cannot be read, and a folder without sources.
pub fn read_all(
    paths: &[PathBuf],
    from: Option<Kind>,
    console: &mut Console,
) -> Outcome<Vec<Input>> {
    let mut inputs: Vec<Input> = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            if inputs.iter().any(|input| input.name == "<stdin>") {
                return Err(Failure::usage("`-` (stdin) can be read only once"));
            }
            let mut bytes = Vec::new();
            console.stdin.read_to_end(&mut bytes)?;
            inputs.push(Input::new("<stdin>", bytes, from));
            continue;
        }
        let metadata = fs::metadata(path).map_err(|reason| Failure::Read {
            path: path.clone(),
            reason,
        })?;
        let files = if metadata.is_dir() {
            let files = walk(path)?;
            if files.is_empty() {
                let message = format!(
                    "no Blueprint (.json, .t3d, .uasset, .umap) was found in {}",
                    path.display()
                );
                return Err(Failure::usage(message));
            }
            files
        } else {
            vec![path.clone()]
        };
        for file in files {
            let name = shown(&file);
            if inputs.iter().any(|input| input.name == name) {
                continue;
            }
            let mut input = Input::new(name, read_file(&file)?, from);
            input.path = Some(file);
            if metadata.is_dir() && !is_blueprint(&input) {
                continue;
            }
            inputs.push(input);
        }
    }
    Ok(inputs)
}

/// Reads a file.
///
/// # Errors
/// It cannot be read.
pub fn read_file(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|reason| Failure::Read {
        path: path.to_owned(),
        reason,
    })
}

/// A path as messages show it, with `/` on every system.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Source files under a folder by their names, sorted by path. Links to folders are not followed.
fn walk(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let failure = |reason| Failure::Read {
            path: folder.clone(),
            reason,
        };
        for entry in fs::read_dir(&folder).map_err(failure)? {
            let entry = entry.map_err(failure)?;
            let path = entry.path();
            if entry.file_type().map_err(failure)?.is_dir() {
                folders.push(path);
            } else if Kind::of_extension(&shown(&path)).is_some_and(Kind::is_source) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file met in a folder is meant: other JSON lies about too.
fn is_blueprint(input: &Input) -> bool {
    if input.kind != Some(Kind::Json) {
        return input.kind.is_some();
    }
    let text = String::from_utf8_lossy(&input.bytes);
    text.contains("\"format\"") || text.contains("\"graphs\"")
}
