//! Each diagnostic has an input that raises it, and one that does not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use bp_cli::examples::EXAMPLES;
use bp_diag::Code;
use bp_tests::errors::{expected, folder, names, said_of_bad, said_of_good};
use bp_tests::script::bpc;
use bp_tests::{first_difference, root};
use rayon::prelude::*;
use serde_json::{Value, json};

#[test]
fn bad_examples_are_told_what_is_wrong_and_good_ones_compile() {
    let problems: Vec<String> = EXAMPLES
        .par_iter()
        .flat_map_iter(|example| {
            let mut problems = Vec::new();
            let id = format!("[{}]", example.code);
            let (exit, bad) = said_of_bad(example);
            let expected = expected(example);
            if !expected.contains(&id) {
                problems.push(format!("what is expected says nothing of {id}"));
            }
            if let Some(difference) = first_difference(&expected, &bad) {
                problems.push(format!("bad: {difference}"));
            }
            if (exit == 1) != expected.contains("error[") {
                problems.push(format!("bad: exit code {exit}"));
            }
            let (exit, good) = said_of_good(example);
            if exit != 0 || good.contains("error[") || good.contains(&id) {
                problems.push(format!("good: exit code {exit}\n{good}"));
            }
            let name = example.name;
            problems
                .into_iter()
                .map(move |one| format!("{name}: {one}"))
        })
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn all_examples_are_listed() {
    let listed: Vec<String> = EXAMPLES.iter().map(|one| one.name.to_owned()).collect();
    assert_eq!(names(), listed);
    for example in EXAMPLES {
        let id = example.code.info().id;
        assert!(
            example.name.starts_with(&format!("{id}_")),
            "{}",
            example.name
        );
    }
}

/// Codes that no example can raise, with the reason and the test that raises them.
fn exempt() -> BTreeMap<String, BTreeMap<String, String>> {
    let text = fs::read_to_string(folder().join("exempt.toml")).expect("it is there");
    toml::from_str(&text).expect("codes with a reason and a test each")
}

#[test]
fn every_code_has_an_example_or_a_reason() {
    let exempt = exempt();
    let with_example: BTreeSet<Code> = EXAMPLES.iter().map(|example| example.code).collect();
    for code in Code::ALL {
        let id = code.info().id;
        match exempt.get(id) {
            None => assert!(with_example.contains(code), "{id} has no example"),
            Some(row) => {
                assert!(!with_example.contains(code), "{id} is exempt and has one");
                assert!(row["reason"].len() > 10, "{id} is exempt without a reason");
                let test = &row["test"];
                if !test.is_empty() {
                    let text = fs::read_to_string(root().join(test)).expect("the test is there");
                    let raises = text.contains(id) || text.contains(&format!("Code::{code:?}"));
                    assert!(raises, "{test} says nothing of {id}");
                }
            }
        }
    }
    for id in exempt.keys() {
        assert!(Code::parse(id).is_some(), "{id} is exempt and no code");
    }
    assert!(exempt.len() <= 14, "exemptions are few");
}

/// A row of the table in `tests/errors/README.md`: the catalogue's id, severities, codes.
fn catalogue() -> Vec<(String, String, Vec<Code>)> {
    let text = fs::read_to_string(folder().join("README.md")).expect("it is there");
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| catalogue |"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [ids, severities, codes, _] = cells.as_slice() else {
            panic!("{line} has not four cells");
        };
        let codes = codes
            .split(", ")
            .map(|id| Code::parse(id).unwrap_or_else(|| panic!("{id} is no code")))
            .collect();
        ((*ids).to_owned(), (*severities).to_owned(), codes)
    })
    .collect()
}

/// The engine's catalogue: each of its rows has codes, and examples of them with each of its severities.
#[test]
fn the_catalogue_is_covered() {
    let rows = catalogue();
    assert_eq!(rows.len(), 49, "the catalogue has 49 rows");
    let exempt = exempt();
    for (ids, severities, codes) in rows {
        let examples = EXAMPLES.iter().filter(|one| codes.contains(&one.code));
        let said: Vec<String> = examples.map(expected).collect();
        for code in &codes {
            let id = code.info().id;
            let is_raised = said.iter().any(|text| text.contains(&format!("[{id}]")));
            assert!(
                is_raised || exempt.contains_key(id),
                "{ids}: {id} has no example"
            );
        }
        if codes.iter().all(|code| exempt.contains_key(code.info().id)) {
            continue;
        }
        for severity in severities.split('/') {
            let word = match severity {
                "E" => "error",
                "W" => "warning",
                "N" => "note",
                other => panic!("{ids}: {other} is no severity"),
            };
            let has = codes.iter().any(|code| {
                let mark = format!("{word}[{code}]");
                said.iter().any(|text| text.contains(&mark))
            });
            assert!(has, "{ids}: no example has severity {word}");
        }
    }
}

#[test]
fn explain_has_cause_example_and_cure() {
    let exempt = exempt();
    for code in Code::ALL {
        let info = code.info();
        for words in [info.cause, info.cure] {
            assert!(words.len() > 10 && words.ends_with('.'), "{code}: {words}");
        }
        let (exit, text, _) = bpc(&["explain".to_owned(), info.id.to_owned()], b"");
        assert_eq!(exit, 0);
        // Lines are wrapped, so words are compared.
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let shown = words(&text).join(" ");
        assert!(
            shown.contains(&words(info.cause).join(" ")),
            "{code}: no cause"
        );
        let cure = format!("Cure: {}", words(info.cure).join(" "));
        assert!(shown.contains(&cure), "{code}: no cure");
        if exempt.contains_key(info.id) {
            continue;
        }
        assert!(text.contains("\nExample:\n"), "{code}: no example");
        let has = |mark: &str| text.lines().any(|line| line.starts_with(mark));
        assert!(has("  ! "), "{code}: nothing is said of the example");
        assert!(has("  - ") || has("  + "), "{code}: no line of the example");
        assert!(
            text.lines().all(|line| line.chars().count() <= 130),
            "{text}"
        );
    }
}

/// No reader and no stage panics on what is left of an example without one of its lines or keys.
#[test]
fn damaged_examples_do_not_panic() {
    let inputs: Vec<Value> = EXAMPLES
        .iter()
        .filter(|example| example.good_extension == "json")
        .filter_map(|example| {
            let path = folder().join(format!("{}.good.json", example.name));
            serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
        })
        .collect();
    assert!(inputs.len() > 50);
    let mut damaged = Vec::new();
    for input in &inputs {
        let Some(graphs) = input["graphs"].as_array() else {
            continue;
        };
        for (at, graph) in graphs.iter().enumerate() {
            let n_nodes = graph["nodes"].as_array().map_or(0, Vec::len);
            for node in 0..n_nodes {
                let mut without = input.clone();
                without["graphs"][at]["nodes"]
                    .as_array_mut()
                    .expect("it has nodes")
                    .remove(node);
                damaged.push(without);
                let mut misnamed = input.clone();
                misnamed["graphs"][at]["nodes"][node]["function"] = json!("Nowhere");
                damaged.push(misnamed);
            }
        }
    }
    // Each takes as long as a compilation; every third of them is a hundred.
    damaged.par_iter().step_by(3).for_each(|input| {
        let arguments = ["run", "--keep-going", "--ticks", "2", "-"].map(str::to_owned);
        let (exit, _, err) = bpc(&arguments, input.to_string().as_bytes());
        assert!(exit <= 5, "{err}");
    });
}
