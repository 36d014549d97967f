//! Reads every package of the shared corpus and checks what must hold for all of them.
//!
//! The corpus lies beside the repository; without it the test says so and passes.

#![expect(
    clippy::print_stderr,
    reason = "says what was measured, or that nothing was"
)]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use bp_uasset::{Guid, Package, PackageIndex, PinData};

/// Totals over the corpus.
///
/// Measured once with the independent reader of the shared tools: `extract.py --all` over
/// `corpus/uasset`, summing `graphs`, `nodes`, `pins`, `links` (each link counted at both ends),
/// `functions_with_script` and `script_bytes` over all rows.
const EXPECTED: Totals = Totals {
    packages: 296,
    graphs: 1_220,
    nodes: 17_405,
    pins: 60_985,
    link_ends: 38_984,
    scripts: 2_171,
    script_bytes: 865_536,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    packages: usize,
    graphs: usize,
    nodes: usize,
    pins: usize,
    link_ends: usize,
    scripts: usize,
    script_bytes: usize,
}

#[test]
fn every_package_of_the_corpus_is_read_whole() {
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
        match Package::read(bytes) {
            Ok(package) => {
                totals.packages += 1;
                check_names(&package, &mut report);
                check_functions(&package, &mut totals, &mut report);
                check_graphs(&package, &mut totals, &mut report);
            }
            Err(error) => report(error.to_string()),
        }
    }
    assert!(
        mistakes.is_empty(),
        "{} mistakes:\n{}",
        mistakes.len(),
        mistakes.join("\n")
    );
    assert_eq!(totals, EXPECTED);
    eprintln!("{totals:?}");
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

fn check_names(package: &Package, report: &mut impl FnMut(String)) {
    let name = package.long_name();
    if !package
        .names()
        .iter()
        .any(|entry| entry.eq_ignore_ascii_case(name))
    {
        report(format!("the long name {name} is not in the name table"));
    }
}

fn check_functions(package: &Package, totals: &mut Totals, report: &mut impl FnMut(String)) {
    for (export, row) in package.exports().iter().enumerate() {
        if package.is_class(export) {
            match package.class(export) {
                Ok(class) => {
                    for (name, function) in &class.functions {
                        if package.name(*function).is_none_or(|found| found != name) {
                            report(format!(
                                "{}: {name} is mapped to another function",
                                row.name
                            ));
                        }
                    }
                }
                Err(error) => report(format!("class {}: {error}", row.name)),
            }
        }
        if !package.is_function(export) {
            continue;
        }
        match package.function(export) {
            Ok(function) => {
                if !function.unread.is_empty() {
                    let unread = function.unread.len();
                    report(format!(
                        "function {}: {unread} bytes are not read",
                        row.name
                    ));
                }
                let script = package.bytes(function.base.script.range);
                totals.scripts += usize::from(!script.is_empty());
                totals.script_bytes += script.len();
                if script.last().is_some_and(|last| *last != 0x53) {
                    report(format!("function {}: the script has no end", row.name));
                }
            }
            Err(error) => report(format!("function {}: {error}", row.name)),
        }
    }
}

fn check_graphs(package: &Package, totals: &mut Totals, report: &mut impl FnMut(String)) {
    let mut pins: HashMap<(PackageIndex, Guid), PinData> = HashMap::new();
    let mut order = Vec::new();
    for (export, row) in package.exports().iter().enumerate() {
        if package.is_graph(export) {
            totals.graphs += 1;
            match package.graph(export) {
                Ok(graph) => {
                    for node in &graph.nodes {
                        if package.outer(*node) != graph.index {
                            report(format!("graph {}: a node lies elsewhere", row.name));
                        }
                    }
                }
                Err(error) => report(format!("graph {}: {error}", row.name)),
            }
        }
        if !package.is_node(export) {
            continue;
        }
        totals.nodes += 1;
        match package.node(export) {
            Ok(node) => {
                if node.unread.len() > 1 {
                    let unread = node.unread.len();
                    report(format!("node {}: {unread} bytes are not read", row.name));
                }
                for pin in node.pins {
                    totals.pins += 1;
                    totals.link_ends += pin.linked_to.len();
                    order.push((node.index, pin.id));
                    pins.insert((node.index, pin.id), pin);
                }
            }
            Err(error) => report(format!("node {}: {error}", row.name)),
        }
    }
    for at in order {
        let pin = &pins[&at];
        let is_back = |other: &PinData| other.linked_to.iter().any(|end| (end.node, end.pin) == at);
        for end in &pin.linked_to {
            if !pins.get(&(end.node, end.pin)).is_some_and(is_back) {
                report(format!(
                    "pin {}: a link is not stored at its other end",
                    pin.name
                ));
            }
        }
    }
}
