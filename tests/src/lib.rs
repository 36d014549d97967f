//! Drivers over the files of `graphs/` and `tests/`; no product code.
//!
//! In: a case, which is a Blueprint (or several) and what it is to print, warn of, or be refused for. Out:
//! the first difference. `cargo test` and `cargo xtask roundtrip` share what is here.

#![forbid(unsafe_code)]

pub mod cases;
pub mod change;
pub mod damage;
pub mod errors;
pub mod evaluate;
pub mod fuzz;
pub mod generate;
pub mod goldens;
pub mod import;
pub mod natives_page;
pub mod reader;
pub mod replay;
pub mod rng;
pub mod roundtrip;
pub mod script;
pub mod stored;

use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder
        .parent()
        .expect("the crate is in the repository")
        .to_owned()
}

/// The corpus of real files, if it is there: `BP_CORPUS`, else `../shared/corpus` beside the repository.
pub fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("BP_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    path.is_dir().then_some(path)
}

/// Text with `\n` line ends and exactly one at the end, unless it is empty.
pub fn normalized(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text = text.trim_end_matches('\n');
    if text.is_empty() {
        String::new()
    } else {
        format!("{text}\n")
    }
}

/// The first line in which two texts differ, in words; none if they are equal.
pub fn first_difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let mut found_lines = found.lines();
    let mut number = 0;
    for expected_line in expected.lines() {
        number += 1;
        match found_lines.next() {
            Some(line) if line == expected_line => {}
            Some(line) => {
                return Some(format!(
                    "line {number}: expected `{expected_line}`, found `{line}`"
                ));
            }
            None => {
                return Some(format!(
                    "line {number}: expected `{expected_line}`, found the end"
                ));
            }
        }
    }
    Some(match found_lines.next() {
        Some(line) => format!("line {}: expected the end, found `{line}`", number + 1),
        None => "they differ in line ends".to_owned(),
    })
}
