//! Writing and reading again gives the same Blueprint.
#![expect(
    clippy::print_stderr,
    reason = "a test says what it skips and measures"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bp_diag::{Sources, render};
use bp_graph::{Blueprint, Detail, blueprint_difference, json, t3d};
use bp_reflect::{EngineVersion, Registry, declarations};

/// The first difference between a Blueprint and what reading its text gives.
fn difference(blueprint: &Blueprint, text: &str, registry: &Registry) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add("written.json", text);
    let (found, _, diagnostics) = json::read(&[file], &sources, registry);
    match found.first() {
        Some(found) => blueprint_difference(blueprint, found, Detail::Made),
        None => Some(render::human(&diagnostics, &sources, false)),
    }
}

fn files(root: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn examples_are_the_same_after_writing() {
    let base = declarations::embedded(EngineVersion::LATEST);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs");
    let mut failed = Vec::new();
    let mut raw = Vec::new();
    let mut n_written = 0;
    for path in files(&root, "json") {
        let text = std::fs::read_to_string(&path).expect("the example is readable");
        if !text.contains("\"blueprint/1\"") {
            continue;
        }
        let mut sources = Sources::default();
        let file = sources.add(path.to_string_lossy(), text);
        let (blueprints, registry, diagnostics) = json::read(&[file], &sources, &base);
        // Files of a set are tested where they are read together.
        if !diagnostics.is_empty() {
            continue;
        }
        n_written += 1;
        let blueprint = &blueprints[0];
        let text = json::write(blueprint, &registry);
        if let Some(difference) = difference(blueprint, &text, &registry) {
            failed.push(format!("{}: {difference}", path.display()));
        }
        for key in ["raw_pins", "\"types\"", "\"properties\""] {
            // Nodes of animation are an open family: each lists its pins.
            let is_open = key == "raw_pins" && text.contains("AnimGraphNode_");
            if text.contains(key) && !is_open {
                raw.push(format!("{}: {key}", path.display()));
            }
        }
    }
    assert!(n_written > 100, "{n_written} examples were written");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(
        raw.is_empty(),
        "keys for the inexpressible:\n{}",
        raw.join("\n")
    );
}

#[test]
fn clipboard_texts_are_the_same_after_writing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/clipboard");
    if !root.exists() {
        eprintln!("skipped: {} is not there", root.display());
        return;
    }
    let mut registries = BTreeMap::new();
    let mut failed = Vec::new();
    let (mut n_nodes, mut n_raw) = (0, 0);
    for folder in ["graphs", "nodes"] {
        for path in files(&root.join(folder), "t3d") {
            let bytes = std::fs::read(&path).expect("the text is readable");
            let text = t3d::decode_bytes(&bytes).expect("the text is decodable");
            let mut sources = Sources::default();
            let source = sources.add(path.to_string_lossy(), text.as_str());
            let (clipboard, _) = t3d::read(source, &text);
            let engine = clipboard.form.engine();
            n_nodes += clipboard.n_nodes();
            let registry: &Registry = registries
                .entry(engine)
                .or_insert_with(|| declarations::embedded(engine));
            let (blueprint, _) = t3d::to_blueprint(clipboard, None, registry, Some(engine));
            let text = json::write(&blueprint, registry);
            n_raw += text.matches("raw_pins").count();
            if let Some(difference) = difference(&blueprint, &text, registry) {
                let name = path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                failed.push(format!("{}: {difference}", name.unwrap_or_default()));
            }
        }
    }
    eprintln!("{n_raw} of {n_nodes} nodes list their pins");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
