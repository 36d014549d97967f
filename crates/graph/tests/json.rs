//! Blueprints as JSON: text in, model or diagnostics out.

use std::path::{Path, PathBuf};

use bp_diag::{Diagnostics, Sources, render};
use bp_graph::{Blueprint, json};
use bp_reflect::{EngineVersion, Name, Registry, declarations};

fn registry() -> Registry {
    declarations::embedded(EngineVersion::LATEST)
}

fn read(texts: &[(&str, &str)]) -> (Vec<Blueprint>, Registry, Diagnostics, Sources) {
    let mut sources = Sources::default();
    let files: Vec<_> = texts
        .iter()
        .map(|(name, text)| sources.add(*name, *text))
        .collect();
    let (blueprints, registry, diagnostics) = json::read(&files, &sources, &registry());
    (blueprints, registry, diagnostics, sources)
}

/// Files under `graphs/` of the repository, sorted.
fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The examples read together: those of one folder, or one alone.
fn example_sets() -> Vec<Vec<(String, String)>> {
    let mut sets: Vec<(PathBuf, Vec<(String, String)>)> = Vec::new();
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("the example is readable");
        if !text.contains("\"blueprint/1\"") {
            continue;
        }
        let folder = path.parent().expect("a file has a folder").to_owned();
        let file = (path.to_string_lossy().into_owned(), text);
        match sets.last_mut() {
            Some((other, files)) if *other == folder => files.push(file),
            _ => sets.push((folder, vec![file])),
        }
    }
    sets.into_iter().map(|(_, files)| files).collect()
}

#[test]
fn every_example_graph_reads_without_diagnostics() {
    let mut failed = String::new();
    for set in example_sets() {
        let files: Vec<(&str, &str)> = set
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        let (blueprints, _, diagnostics, sources) = read(&files);
        failed.push_str(&render::human(&diagnostics, &sources, false));
        if diagnostics.is_empty() {
            assert_eq!(blueprints.len(), files.len());
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn the_page_that_defines_the_format_has_a_graph_that_reads() {
    let text = include_str!("data/door.json");
    let (blueprints, registry, diagnostics, sources) = read(&[("door.json", text)]);
    assert!(
        diagnostics.is_empty(),
        "{}",
        render::human(&diagnostics, &sources, false)
    );
    let door = &blueprints[0];
    let class = registry.class(&door.class_path).expect("the outline is declared");
    assert!(class.functions.contains_key(&Name::new("TakeHit")));
}
