//! Each node class that the readers know compiles, and a graph of the repository shows it.

use std::collections::BTreeSet;
use std::fs;

use bp_graph::nodes;
use bp_tests::{cases, root};
use serde_json::Value;

fn known() -> BTreeSet<&'static str> {
    nodes::ALL.iter().map(|row| row.class()).collect()
}

#[test]
fn every_known_class_has_a_handler_and_every_handler_a_row() {
    let compiled: BTreeSet<&str> = bp_compiler::nodes::classes().collect();
    assert_eq!(known(), compiled);
}

/// Getters of animation ask about a player of a state; the rules of transitions that hold them are compiled out of
/// real packages (`cargo xtask parity`), and no graph of ours has one yet.
const WITHOUT_GRAPH: [&str; 1] = ["K2Node_AnimGetter"];

#[test]
fn every_known_class_is_in_a_graph() {
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    let files = cases::all("").into_iter().flat_map(|case| case.files);
    let macros = root().join("graphs/engine/macros/StandardMacros.json");
    for file in files.chain([macros]) {
        let text = fs::read_to_string(&file).expect("it is there");
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        collect(&value, &mut shown);
    }
    let missing: Vec<&str> = known()
        .difference(&shown)
        .copied()
        .filter(|class| !WITHOUT_GRAPH.contains(class))
        .collect();
    assert!(missing.is_empty(), "no graph has a node of {missing:?}");
}

/// The node classes that a JSON document names, wherever nodes stand in it.
fn collect(value: &Value, shown: &mut BTreeSet<&'static str>) {
    match value {
        Value::Array(items) => {
            for item in items {
                collect(item, shown);
            }
        }
        Value::Object(members) => {
            let class = members.get("class").and_then(Value::as_str);
            if let Some(row) = class.and_then(nodes::find)
                && members.contains_key("id")
            {
                shown.insert(row.class());
            }
            for member in members.values() {
                collect(member, shown);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
