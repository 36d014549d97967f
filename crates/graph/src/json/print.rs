//! A document as text: one member, node or row of links a line.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};

use super::document as doc;

/// Longest row of links.
const ROW: usize = 140;

/// The text of a document, with a line break at the end.
pub(crate) fn document(document: &doc::Document) -> String {
    let mut text = String::new();
    push_document(&mut text, document);
    text
}

fn push_document(out: &mut String, document: &doc::Document) {
    let json = serde_json::to_value(document).expect("a document is plain JSON");
    out.push_str("{\n");
    let members = json.as_object().expect("a document is an object");
    for (position, (key, value)) in members.iter().enumerate() {
        let comma = if position + 1 < members.len() {
            ","
        } else {
            ""
        };
        match (key.as_str(), value) {
            ("graphs", Json::Array(graphs)) => {
                out.push_str("  \"graphs\": [\n");
                for (idx, graph) in graphs.iter().enumerate() {
                    out.push_str("    ");
                    push_graph(out, graph, 4);
                    out.push_str(if idx + 1 < graphs.len() { ",\n" } else { "\n" });
                }
                out.push_str("  ]");
            }
            (_, Json::Array(items)) if items.iter().any(Json::is_object) => {
                push(
                    out,
                    format_args!("  {}: [\n", compact(&Json::from(key.as_str()))),
                );
                for (idx, item) in items.iter().enumerate() {
                    push(out, format_args!("    {}", compact(item)));
                    out.push_str(if idx + 1 < items.len() { ",\n" } else { "\n" });
                }
                out.push_str("  ]");
            }
            (_, value) => push(
                out,
                format_args!(
                    "  {}: {}",
                    compact(&Json::from(key.as_str())),
                    compact(value)
                ),
            ),
        }
        out.push_str(comma);
        out.push('\n');
    }
    out.push_str("}\n");
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes any text");
}

/// `{"name": …, "kind": …,` on one line, then lists, each item on its own.
fn push_graph(out: &mut String, graph: &Json, indent: usize) {
    let Some(members) = graph.as_object() else {
        return;
    };
    let inner = " ".repeat(indent + 2);
    let mut head = Map::new();
    let mut lists: Vec<(&String, &Json)> = Vec::new();
    for (key, value) in members {
        let is_list = matches!(
            key.as_str(),
            "inputs" | "outputs" | "locals" | "nodes" | "links"
        );
        if is_list {
            lists.push((key, value));
        } else if !(key == "name" && value == "") {
            head.insert(key.clone(), value.clone());
        }
    }
    let head = compact(&Json::Object(head));
    out.push_str(&head[..head.len() - 1]);
    for (position, (key, value)) in lists.iter().enumerate() {
        if position > 0 || head.len() > 2 {
            out.push(',');
        }
        out.push('\n');
        push(out, format_args!("{inner}\"{key}\": "));
        let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
        match key.as_str() {
            "nodes" => {
                out.push_str("[\n");
                for (idx, node) in items.iter().enumerate() {
                    push(out, format_args!("{inner}  "));
                    push_node(out, node, indent + 4);
                    out.push_str(if idx + 1 < items.len() { ",\n" } else { "\n" });
                }
                push(out, format_args!("{inner}]"));
            }
            "links" => {
                out.push_str("[\n");
                let mut row = String::new();
                for (idx, link) in items.iter().enumerate() {
                    let text = compact(link);
                    if !row.is_empty() && row.len() + text.len() > ROW {
                        push(out, format_args!("{inner}  {}\n", row.trim_end()));
                        row.clear();
                    }
                    row.push_str(&text);
                    if idx + 1 < items.len() {
                        row.push_str(", ");
                    }
                }
                push(out, format_args!("{inner}  {}\n{inner}]", row.trim_end()));
            }
            _ => out.push_str(&compact(value)),
        }
    }
    out.push('}');
}

fn push_node(out: &mut String, node: &Json, indent: usize) {
    let Some(members) = node.as_object() else {
        return;
    };
    match members.get("graph") {
        None => out.push_str(&compact(node)),
        Some(graph) => {
            let mut rest = members.clone();
            rest.shift_remove("graph");
            let head = compact(&Json::Object(rest));
            out.push_str(&head[..head.len() - 1]);
            out.push_str(", \"graph\": ");
            push_graph(out, graph, indent);
            out.push('}');
        }
    }
}

/// JSON on one line, with a space behind each comma and colon.
fn compact(value: &Json) -> String {
    match value {
        Json::Object(members) => {
            let inner: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}: {}", Json::from(key.as_str()), compact(value)))
                .collect();
            format!("{{{}}}", inner.join(", "))
        }
        Json::Array(items) => {
            let inner: Vec<String> = items.iter().map(compact).collect();
            format!("[{}]", inner.join(", "))
        }
        other => other.to_string(),
    }
}
