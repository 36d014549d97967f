//! Decoded trees of real functions against those of an independent reader. Skipped, with a line that says
//! so, where the corpus, the reader or Python is not there. `cargo xtask corpus --reader` compares all.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeMap;
use std::fs;

use bp_cli::project::package_files;
use bp_tests::reader::{Comparison, Tool, compare};
use bp_uasset::{Package, scripts};

/// Functions of each engine version that are enough.
const PER_VERSION: usize = 45;

#[test]
fn trees_equal_those_of_an_independent_reader() {
    let Some(corpus) = bp_tests::corpus() else {
        eprintln!("skipped: the corpus is not at ../shared/corpus, nor at BP_CORPUS");
        return;
    };
    let tool = match Tool::new(&corpus.join("../tools/extract.py")) {
        Ok(tool) => tool,
        Err(missing) => {
            eprintln!("skipped: {missing}");
            return;
        }
    };
    let mut per_version: BTreeMap<_, Comparison> = BTreeMap::new();
    let mut problems = Vec::new();
    for file in package_files(&corpus.join("uasset")).expect("the corpus can be listed") {
        let bytes = fs::read(&file).expect("the corpus can be read");
        let package = Package::read(bytes).expect("every package is read");
        let total = per_version.entry(package.engine()).or_default();
        if total.functions >= PER_VERSION || scripts(&package).is_ok_and(|found| found.is_empty()) {
            continue;
        }
        let shown = file.display();
        let found = tool
            .read(&file)
            .and_then(|reader| {
                if problems.is_empty() && total.functions == 0 {
                    sees_differences(&package, &reader);
                }
                compare(&package, &reader)
            })
            .unwrap_or_else(|error| panic!("{shown}: {error}"));
        total.functions += found.functions;
        total.statements += found.statements;
        total.expressions += found.expressions;
        let differences = found.differences.iter();
        problems.extend(differences.map(|difference| format!("{shown}: {difference}")));
    }
    let total = |of: fn(&Comparison) -> usize| per_version.values().map(of).sum::<usize>();
    let n_functions = total(|comparison| comparison.functions);
    eprintln!(
        "{n_functions} functions of {} versions: {} statements, {} expressions",
        per_version.len(),
        total(|comparison| comparison.statements),
        total(|comparison| comparison.expressions),
    );
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(n_functions >= 300, "only {n_functions} were compared");
    assert!(per_version.len() >= 10, "few versions were compared");
}

/// Whether the comparison finds an operand, an opcode and an offset that are not the same.
fn sees_differences(package: &Package, reader: &serde_json::Value) {
    let text = reader.to_string();
    for (what, other) in [
        (r#""op":"Nothing""#, r#""op":"Self""#),
        (
            r#""op":"EndOfScript","at":"#,
            r#""op":"EndOfScript","at":1"#,
        ),
        (r#""disk":0,"#, r#""disk":1,"#),
        (r#""raw_flags":"0x"#, r#""raw_flags":"0x1"#),
        (r#""script_mem_size":"#, r#""script_mem_size":1"#),
    ] {
        assert!(text.contains(what), "the reader's output has {what}");
        let changed = serde_json::from_str(&text.replace(what, other)).expect("it is JSON");
        let found = compare(package, &changed).expect("our reader reads it");
        assert!(!found.differences.is_empty(), "{what} may be {other}");
    }
}
