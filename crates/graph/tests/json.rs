//! Blueprints as JSON: text in, model or diagnostics out.

use std::fmt::Write as _;
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
    let class = registry
        .class(&door.class_path)
        .expect("the outline is declared");
    assert!(class.functions.contains_key(&Name::new("TakeHit")));
}

#[test]
fn reader_schema_and_document_types_take_the_same_keys() {
    // The document types refuse unknown keys, so that each example the reader takes is also of the types.
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("the example is readable");
        if text.contains("\"blueprint/1\"") {
            let document = serde_json::from_str::<json::document::Document>(&text);
            assert!(document.is_ok(), "{}: {:?}", path.display(), document.err());
        }
    }
    let schema: serde_json::Value =
        serde_json::from_str(&json::schema()).expect("the schema is JSON");
    let keys = |of: &serde_json::Value| -> Vec<String> {
        of["properties"]
            .as_object()
            .expect("an object has properties")
            .keys()
            .cloned()
            .collect()
    };
    assert!(keys(&schema).contains(&"dispatchers".to_owned()));
    let node = &schema["$defs"]["Node"];
    assert!(keys(node).contains(&"split".to_owned()));
    assert_eq!(
        node["allOf"].as_array().map(Vec::len),
        Some(bp_graph::nodes::ALL.len() + 1)
    );
    // Every name the schema refers to is defined in it.
    let text = json::schema();
    for part in text.split("\"#/$defs/").skip(1) {
        let name = part.split('"').next().unwrap_or_default();
        assert!(schema["$defs"].get(name).is_some(), "{name} is not defined");
    }
}

/// The outline of a class as text: one member a line.
fn outline_of(text: &str) -> String {
    let (blueprints, registry, diagnostics, sources) = read(&[("case.json", text)]);
    assert!(
        diagnostics.is_empty(),
        "{}",
        render::human(&diagnostics, &sources, false)
    );
    let class = bp_graph::outline(&blueprints[0], &registry);
    let mut out = String::new();
    for property in &class.properties {
        push(
            &mut out,
            format_args!("{}: {} {:?}\n", property.name, property.ty, property.flags),
        );
    }
    for function in class.functions.values().chain(class.delegates.values()) {
        push(
            &mut out,
            format_args!("{} {:?}\n", function.name, function.flags),
        );
        for param in &function.params {
            push(
                &mut out,
                format_args!("    {}: {} {:?}\n", param.name, param.ty, param.flags),
            );
        }
    }
    out
}

#[test]
fn the_outline_has_members_functions_and_events() {
    let found = outline_of(include_str!("data/outline.json"));
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/outline.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &found).expect("the golden file is writable");
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(found, expected.replace("\r\n", "\n"));
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes any text");
}
