//! Blueprints written in JSON, as clipboard text and back.

use std::path::{Path, PathBuf};

use bp_diag::{Severity, Sources};
use bp_graph::{Blueprint, PinCategory, PinType, Variable, graph_difference, json, t3d};
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

#[test]
fn variables_come_back_with_all_that_is_noted_about_them() {
    let mut variable = Variable::new("Health", PinType::of(PinCategory::Int));
    variable.friendly_name = Some("Health".to_owned());
    variable.category = Some("Stats".to_owned());
    variable.default = Some("100".to_owned());
    variable.replication = Some("COND_OwnerOnly".to_owned());
    variable
        .metadata
        .insert("tooltip".to_owned(), "(a \"quoted\", one)".to_owned());
    variable
        .metadata
        .insert("ExposeOnSpawn".to_owned(), "true".to_owned());
    let text = t3d::write_variable(&variable, &t3d::WriteOptions::new(EngineVersion::LATEST));
    let mut sources = Sources::default();
    let file = sources.add("variable.t3d", text.as_str());
    let (clipboard, diagnostics) = t3d::read(file, &text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let [found] = clipboard.variables.as_slice() else {
        panic!("{text}");
    };
    assert_eq!(found.replication, variable.replication);
    assert_eq!(found.metadata, variable.metadata);
    assert_eq!(found.default, variable.default);
}
