//! What is read out of real packages, against an independent reader of them. Skipped, with a line that says so,
//! where the corpus, the reader or Python is not there.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use bp_cli::project::package_files;
use bp_tests::import::{Counts, Import, count_stored};
use bp_uasset::Package;
use pretty_assertions::assert_eq;
use serde_json::Value;

/// Nodes, pins and link ends of each package, by its path.
type Figures = BTreeMap<String, (Counts, usize)>;

#[test]
fn nodes_pins_and_links_are_those_of_an_independent_reader() {
    let Some(corpus) = bp_tests::corpus() else {
        eprintln!("skipped: the corpus is not at ../shared/corpus, nor at BP_CORPUS");
        return;
    };
    let root = corpus.join("uasset");
    let reader = bp_tests::root().join("../shared/tools/extract.py");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let is_there = reader.exists() && Command::new("python3").arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: {} or python3 is not there", reader.display());
        return;
    }
    let status = Command::new("python3")
        .arg(&reader)
        .arg("--all")
        .args([&root, folder.path()])
        .status()
        .expect("python3 starts");
    assert!(status.success(), "the reader fails: {status}");
    let rows = fs::read_to_string(folder.path().join("_rows.json")).expect("it writes its rows");
    let rows: Vec<Value> = serde_json::from_str(&rows).expect("they are JSON");
    let expected: Figures = rows.iter().map(figures_of_row).collect();

    let mut found = Figures::new();
    for file in package_files(&root).expect("the corpus can be listed") {
        let name = file.strip_prefix(&root).expect("it is in the corpus");
        let package = Package::read(fs::read(&file).expect("it can be read"))
            .unwrap_or_else(|error| panic!("{}: {error}", name.display()));
        let mut report = Import::default();
        count_stored(&package, &mut report);
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        let name = name.display().to_string().replace('\\', "/");
        found.insert(name, (report.stored, report.n_asymmetric));
    }
    assert!(!found.is_empty());
    assert_eq!(found, expected);
}

fn figures_of_row(row: &Value) -> (String, (Counts, usize)) {
    let number = |key: &str| {
        let value = row[key].as_u64();
        value.unwrap_or_else(|| panic!("{row} has no number of {key}")) as usize
    };
    assert_eq!(number("bad_nodes"), 0);
    let counts = Counts {
        graphs: number("graphs"),
        nodes: number("nodes"),
        pins: number("pins"),
        link_ends: number("links"),
    };
    let name = row["rel"].as_str().expect("a row names its package");
    let n_asymmetric = number("unresolved") + number("asymmetric");
    (name.to_owned(), (counts, n_asymmetric))
}
