//! Converts every package of the shared corpus to the models of the project and checks what must
//! hold for all of them. Without the corpus the test says so and passes.

#![expect(
    clippy::print_stderr,
    reason = "says what was measured, or that nothing was"
)]

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use bp_bytecode::{Expr, Operand, decode_script};
use bp_diag::Severity;
use bp_graph::{Blueprint, Graph, GraphKind};
use bp_reflect::{Name, ObjectPath};
use bp_uasset::{Package, ScriptReferences, classes, scripts, to_blueprint};

/// Totals over the corpus.
///
/// Measured once with the independent reader of the shared tools (`extract.py` as a module): graphs of
/// class `EdGraph` and the nodes in their `Nodes` lists with both ends of their links; entries of
/// `NewVariables` without and with category `mcdelegate`; construction script nodes reached from the
/// roots; entries of `Timelines`; entries of `MetaDataArray` in `NewVariables`; objects inside the class default
/// objects and records of `InheritableComponentHandler` with a template; properties of class default objects that
/// are in no `NewVariables`, `UberGraphFrame` left out; scripts as in `corpus.rs`.
const EXPECTED: Totals = Totals {
    graphs: 1_220,
    nodes: 17_405,
    link_ends: 38_984,
    variables: 1_176,
    dispatchers: 50,
    components: 578,
    timelines: 10,
    metadata: 1_211,
    overrides: 261,
    class_defaults: 1_041,
    scripts: 2_171,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    graphs: usize,
    nodes: usize,
    link_ends: usize,
    variables: usize,
    dispatchers: usize,
    components: usize,
    timelines: usize,
    metadata: usize,
    overrides: usize,
    class_defaults: usize,
    scripts: usize,
}

#[test]
fn every_package_of_the_corpus_becomes_a_blueprint() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/uasset");
    if !root.is_dir() {
        eprintln!("skipped: there is no corpus at {}", root.display());
        return;
    }
    let mut files = Vec::new();
    list_packages(&root, &mut files);
    files.sort();
    let mut totals = Totals::default();
    let mut mistakes = Vec::new();
    for file in &files {
        let bytes = fs::read(file).expect("the corpus can be read");
        let shown = file
            .strip_prefix(&root)
            .unwrap_or(file)
            .display()
            .to_string();
        let mut report = |what: String| mistakes.push(format!("{shown}: {what}"));
        let package = Package::read(bytes).expect("tests/corpus.rs reads every package");
        let (blueprint, diagnostics) = to_blueprint(&package);
        for diagnostic in &diagnostics {
            if diagnostic.severity > Severity::Note {
                report(format!("{}: {:?}", diagnostic.message, diagnostic.place));
            }
        }
        check_blueprint(&package, &blueprint, &mut totals, &mut report);
        check_scripts(&package, &mut totals, &mut report);
    }
    assert!(
        mistakes.is_empty(),
        "{} mistakes:\n{}",
        mistakes.len(),
        mistakes.join("\n")
    );
    assert_eq!(totals, EXPECTED);
}

fn check_blueprint(
    package: &Package,
    blueprint: &Blueprint,
    totals: &mut Totals,
    report: &mut impl FnMut(String),
) {
    totals.variables += blueprint.variables.len();
    totals.dispatchers += blueprint.dispatchers.len();
    totals.components += blueprint.components.len();
    totals.timelines += blueprint.timelines.len();
    totals.metadata += (blueprint.variables.iter())
        .map(|variable| variable.metadata.len())
        .sum::<usize>();
    totals.metadata += (blueprint.dispatchers.iter())
        .map(|dispatcher| dispatcher.metadata.len())
        .sum::<usize>();
    totals.overrides += blueprint.component_overrides.len();
    totals.class_defaults += blueprint.class_defaults.0.len();
    for graph in &blueprint.graphs {
        check_graph(graph, totals, report);
        if graph.kind == GraphKind::Function && graph.entry().is_none() {
            report(format!("function {} has no entry", graph.name));
        }
    }
    let classes = classes(package).expect("tests/corpus.rs reads every class");
    let Some(class) = classes
        .iter()
        .find(|class| class.path == blueprint.class_path)
    else {
        report(format!("{} is not among the classes", blueprint.class_path));
        return;
    };
    if class.super_class.as_ref() != Some(&blueprint.parent) {
        report(format!(
            "{:?} is not the parent {}",
            class.super_class, blueprint.parent
        ));
    }
    for variable in &blueprint.variables {
        if class.property(&variable.name).is_none() {
            report(format!("variable {} is not in the class", variable.name));
        }
    }
    for component in &blueprint.components {
        if class.property(&component.name).is_none() {
            report(format!("component {} is not in the class", component.name));
        }
    }
}

fn check_graph(graph: &Graph, totals: &mut Totals, report: &mut impl FnMut(String)) {
    totals.graphs += 1;
    totals.nodes += graph.nodes.len();
    for (id, pin) in graph.pins.iter() {
        totals.link_ends += pin.links.len();
        for other in &pin.links {
            if graph.pins[*other].direction == pin.direction {
                report(format!("{}: pins {} are on one side", graph.name, pin.name));
            }
        }
        for part in &pin.sub_pins {
            if graph.pins[*part].parent != Some(id) {
                report(format!(
                    "{}: a part of {} has another parent",
                    graph.name, pin.name
                ));
            }
        }
    }
    for child in &graph.children {
        check_graph(child, totals, report);
    }
}

fn check_scripts(package: &Package, totals: &mut Totals, report: &mut impl FnMut(String)) {
    let references = ScriptReferences::new(package);
    let owners = property_names(package);
    for script in scripts(package).expect("tests/corpus.rs reads every function") {
        totals.scripts += 1;
        if script.bytes.last() != Some(&0x53) {
            report(format!("{} does not end", script.path));
        }
        let (dialect, layout) = (references.dialect(), references.layout());
        match decode_script(script.bytes, dialect, layout, &references) {
            Ok(decoded) if decoded.memory_size == script.memory_size => {
                for statement in &decoded.statements {
                    check_properties(&statement.expr, &owners, &script.path, report);
                }
            }
            Ok(decoded) => {
                let (found, stored) = (decoded.memory_size, script.memory_size);
                report(format!(
                    "{} has {found} bytes in memory, not {stored}",
                    script.path
                ));
            }
            Err(failure) => report(format!("{}: {failure}", script.path)),
        }
    }
}

/// The properties of each class and function of a package, by their owner.
fn property_names(package: &Package) -> HashMap<ObjectPath, HashSet<Name>> {
    let mut owners = HashMap::new();
    for class in classes(package).expect("tests/corpus.rs reads every class") {
        for function in class.functions.values().chain(class.delegates.values()) {
            let variables = function.params.iter().chain(&function.locals);
            let names = variables.map(|variable| variable.name.clone()).collect();
            owners.insert(class.path.member(&function.name), names);
        }
        let names = class
            .properties
            .iter()
            .map(|property| property.name.clone());
        owners.insert(class.path.clone(), names.collect());
    }
    owners
}

/// Whatever a script says of properties of this package exists there.
fn check_properties(
    expr: &Expr,
    owners: &HashMap<ObjectPath, HashSet<Name>>,
    script: &ObjectPath,
    report: &mut impl FnMut(String),
) {
    for operand in &expr.operands {
        let Operand::Property(Some(property)) = operand else {
            continue;
        };
        let is_missing = |names: &HashSet<Name>| {
            property
                .path
                .last()
                .is_none_or(|name| !names.contains(name))
        };
        if owners.get(&property.owner).is_some_and(is_missing) {
            report(format!(
                "{script}: {} has no {:?}",
                property.owner, property.path
            ));
        }
        if property.owner.package() == script.package() && !owners.contains_key(&property.owner) {
            report(format!("{script}: {} does not exist", property.owner));
        }
    }
    for child in expr.children() {
        check_properties(child, owners, script, report);
    }
}

fn list_packages(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the corpus can be listed") {
        let path = entry.expect("the corpus can be listed").path();
        if path.is_dir() {
            list_packages(&path, files);
        } else if path
            .extension()
            .is_some_and(|ext| ext == "uasset" || ext == "umap")
        {
            files.push(path);
        }
    }
}
