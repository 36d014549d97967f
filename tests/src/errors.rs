//! Examples of diagnostics: `tests/errors/CODE_name.*`.
//!
//! | file | holds |
//! |---|---|
//! | `.bad.EXT` | an input with one mistake |
//! | `.good.EXT` | the same without it |
//! | `.with.json` | a Blueprint that both are compiled together with; optional |
//! | `.expected` | all that is said of the bad one, in the short form, in order |

use std::fs;
use std::path::PathBuf;

use bp_cli::examples::{EXAMPLES, Example};

use crate::script::bpc;
use crate::{normalized, root};

/// The folder of the examples.
pub fn folder() -> PathBuf {
    root().join("tests/errors")
}

/// The names of all examples that have files, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder())
        .expect("the examples are there")
        .filter_map(|entry| entry.expect("readable").file_name().into_string().ok())
        .filter_map(|name| Some(name.split_once(".bad.")?.0.to_owned()))
        .collect();
    names.sort();
    names
}

/// What is said of the bad file, in the short form, and the exit code.
pub fn said_of_bad(example: &Example) -> (u8, String) {
    said("check", example, &format!("bad.{}", example.bad_extension))
}

/// What is said of the good file, and the exit code: it is compiled and verified.
pub fn said_of_good(example: &Example) -> (u8, String) {
    let file = format!("good.{}", example.good_extension);
    said("verify", example, &file)
}

/// The text of `.expected`.
pub fn expected(example: &Example) -> String {
    let path = folder().join(format!("{}.expected", example.name));
    normalized(&fs::read_to_string(path).unwrap_or_default())
}

/// Writes `.expected` of the examples whose name holds the filter. Gives the names of those that changed.
///
/// # Errors
/// A file cannot be written.
pub fn bless(filter: &str) -> std::io::Result<Vec<String>> {
    let mut changed = Vec::new();
    let chosen = |example: &&Example| format!("errors/{}", example.name).contains(filter);
    for example in EXAMPLES.iter().filter(chosen) {
        let (_, text) = said_of_bad(example);
        if text != expected(example) {
            fs::write(folder().join(format!("{}.expected", example.name)), text)?;
            changed.push(example.name.to_owned());
        }
    }
    Ok(changed)
}

fn said(command: &str, example: &Example, file: &str) -> (u8, String) {
    let folder = folder();
    let path = |file: String| folder.join(file).to_string_lossy().into_owned();
    let mut arguments = vec![
        command.to_owned(),
        "--message-format".to_owned(),
        "short".to_owned(),
        path(format!("{}.{file}", example.name)),
    ];
    let with = path(format!("{}.with.json", example.name));
    if fs::exists(&with).unwrap_or(false) {
        arguments.push(with);
    }
    let (exit, _, err) = bpc(&arguments, b"");
    // Paths are those of the machine; only the file's name is told.
    let here = format!("{}{}", folder.to_string_lossy(), std::path::MAIN_SEPARATOR);
    (exit, normalized(&err.replace(&here, "")))
}
