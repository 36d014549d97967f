//! The graphs of the repository fit the published schema, and what the reader refuses does not.

use std::fs;
use std::path::PathBuf;

use bp_graph::json;
use bp_tests::{cases, root};
use serde_json::Value;

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&json::schema()).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

#[test]
fn graphs_fit_the_schema() {
    let validator = validator();
    let mut files: Vec<PathBuf> = cases::all("")
        .into_iter()
        .flat_map(|case| case.files)
        .collect();
    files.push(root().join("graphs/engine/macros/StandardMacros.json"));
    let mut problems = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("it is there");
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        for error in validator.iter_errors(&value) {
            problems.push(format!(
                "{} at {}: {error}",
                file.display(),
                error.instance_path()
            ));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn unknown_keys_do_not_fit() {
    let validator = validator();
    let check = |text: &str| {
        let value: Value = serde_json::from_str(text).expect("it is JSON");
        assert!(!validator.is_valid(&value), "{text}");
    };
    check(r#"{"format": "blueprint/2", "name": "A"}"#);
    check(r#"{"format": "blueprint/1", "nmae": "A"}"#);
    check(
        r#"{"format": "blueprint/1", "name": "A", "graphs": [{"name": "G", "kind": "event", "links": [],
            "nodes": [{"id": "a", "class": "Knot", "functoin": "F"}]}]}"#,
    );
}

#[test]
fn messages_fit_their_schema() {
    let (exit, schema, _) =
        bp_tests::script::bpc(&["schema", "diagnostics"].map(str::to_owned), b"");
    assert_eq!(exit, 0);
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let arguments = ["check", "-", "--message-format", "json"].map(str::to_owned);
    let (exit, _, err) =
        bp_tests::script::bpc(&arguments, b"{\"format\": \"blueprint/1\", \"nmae\": 1}");
    assert_eq!(exit, 1);
    let mut n_lines = 0;
    for line in err.lines() {
        let value: Value = serde_json::from_str(line).expect("one object a line");
        assert!(validator.is_valid(&value), "{line}");
        n_lines += 1;
    }
    assert!(n_lines > 0);
}
