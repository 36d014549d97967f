//! Blueprints written in JSON, as clipboard text and back.

use std::path::{Path, PathBuf};

use bp_diag::{Severity, Sources};
use bp_graph::{Blueprint, graph_difference, json, t3d};
use bp_reflect::{EngineVersion, declarations};

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

#[test]
#[expect(
    clippy::print_stdout,
    reason = "shown with --nocapture, and when the test fails"
)]
fn every_example_comes_back_from_clipboard_text() {
    let registry = declarations::embedded(EngineVersion::LATEST);
    let (mut n_blueprints, mut n_graphs, mut n_nodes) = (0, 0, 0);
    let mut sources = Sources::default();
    let files: Vec<_> = examples()
        .iter()
        .map(|path| {
            (
                path,
                std::fs::read_to_string(path).expect("an example is readable"),
            )
        })
        .filter(|(_, text)| text.contains("blueprint/1"))
        .map(|(path, text)| sources.add(path.to_string_lossy(), text))
        .collect();
    let (blueprints, registry, _) = json::read(&files, &sources, &registry);
    let mut failures = Vec::new();
    for blueprint in &blueprints {
        n_blueprints += 1;
        n_graphs += blueprint.graphs.len();
        n_nodes += (blueprint.graphs.iter())
            .map(|graph| graph.nodes.len())
            .sum::<usize>();
        if let Some(failure) = check(blueprint, &registry) {
            failures.push(format!("{}: {failure}", blueprint.name));
        }
    }
    println!("{n_blueprints} Blueprints, {n_graphs} graphs, {n_nodes} nodes");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(blueprint: &Blueprint, registry: &bp_reflect::Registry) -> Option<String> {
    let text = t3d::write_blueprint(blueprint);
    let mut sources = Sources::default();
    let source = sources.add("written", text.as_str());
    let (clipboard, diagnostics) = t3d::read(source, &text);
    if let Some(found) = diagnostics.iter().find(|it| it.severity > Severity::Note) {
        return Some(format!("{} {}", found.code, found.message));
    }
    let (again, _) = t3d::to_blueprint(clipboard, None, registry, Some(blueprint.engine));
    for graph in &blueprint.graphs {
        // A graph without nodes leaves nothing to copy.
        if graph.nodes.is_empty() {
            continue;
        }
        let Some(other) = again.graph(&graph.name) else {
            return Some(format!("graph {} is lost", graph.name));
        };
        if let Some(difference) = graph_difference(graph, other) {
            return Some(difference);
        }
    }
    None
}
