//! Pictures of graphs: what is in them, and where.

use bp_diag::Sources;
use bp_graph::draw::{self, Scene};
use bp_graph::{Blueprint, json};
use bp_reflect::{EngineVersion, Registry, declarations};

const TEXT: &str = r#"{"format": "blueprint/1", "name": "BP_Drawn", "parent": "Actor",
"variables": [{"name": "Health", "type": "double"}],
"graphs": [{"name": "EventGraph", "kind": "event", "nodes": [
  {"id": "begin", "class": "Event", "event": "ReceiveBeginPlay", "at": [-320, 16]},
  {"id": "test", "class": "IfThenElse", "at": [0, 0], "comment": "is <it> \"so\"?"},
  {"id": "less", "class": "CallFunction", "function": "KismetMathLibrary.Less_DoubleDouble", "at": [-160, 160], "pins": {"B": 2.5}},
  {"id": "get", "class": "VariableGet", "variable": "Health", "at": [-320, 160]},
  {"id": "bend", "class": "Knot", "at": [208, 48]},
  {"id": "say", "class": "CallFunction", "function": "PrintString", "at": [320, 0], "pins": {"InString": "a & b"}},
  {"id": "note", "class": "Comment", "text": "All of it", "at": [-400, -100], "size": [1000, 400]}],
 "links": [["begin.then", "test.execute"], ["get.Health", "less.A"], ["less.ReturnValue", "test.Condition"],
  ["test.then", "say.execute"], ["test.else", "bend.InputPin"]]}]}"#;

fn read(text: &str) -> (Blueprint, Registry) {
    let mut sources = Sources::default();
    let id = sources.add("drawn.json", text);
    let base = declarations::embedded(EngineVersion::LATEST);
    let (mut blueprints, registry, found) = json::read(&[id], &sources, &base);
    assert!(!found.has_errors(), "{found:?}");
    (blueprints.pop().expect("it is a Blueprint"), registry)
}

fn drawn(text: &str, draw: fn(&Scene<'_>, &[(String, &bp_graph::Graph)]) -> String) -> String {
    let (blueprint, registry) = read(text);
    let scene = Scene {
        blueprint: &blueprint,
        registry: &registry,
    };
    let graphs: Vec<_> = blueprint
        .graphs
        .iter()
        .flat_map(draw::with_children)
        .collect();
    draw(&scene, &graphs)
}

#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn svg_shows_titles_values_and_every_link() {
    let svg = drawn(TEXT, draw::svg);
    holds(
        &svg,
        &[
            "<title>Event BeginPlay (begin)</title>",
            "<title>Branch (test)</title>",
            ">Branch</text>",
            ">Condition</text>",
            ">True</text>",
            // The sign in place of a title, and the value of the operand that is not linked.
            "<text class=\"sign\"",
            ">&lt;</text>",
            ">2.5</text>",
            ">a &amp; b</text>",
            ">is &lt;it&gt; &quot;so&quot;?</text>",
            ">All of it</text>",
            ">EventGraph</text>",
        ],
    );
    // A curve a link; exec is white, the bool dark red.
    assert_eq!(svg.matches(" C ").count(), 5, "{svg}");
    holds(
        &svg,
        &[
            "stroke=\"#FFFFFF\" stroke-width=\"3\"",
            "stroke=\"#950000\" stroke-width=\"2\"",
        ],
    );
    // Advanced pins are folded, hidden ones are not there.
    assert!(
        !svg.contains("Text Color") && !svg.contains("World Context"),
        "{svg}"
    );
}

#[test]
fn nodes_stand_where_their_author_put_them() {
    let svg = drawn(TEXT, draw::svg);
    holds(
        &svg,
        &[
            "<rect x=\"0\" y=\"0\"",
            "<rect x=\"320\" y=\"0\"",
            "<rect x=\"-320\" y=\"160\"",
            "<rect x=\"-400\" y=\"-100\" width=\"1000\" height=\"400\"",
            // The reroute node is a point; its wire ends there.
            "<circle cx=\"224\" cy=\"60\" r=\"6\"",
            ", 224 60\"",
        ],
    );
}

#[test]
fn nodes_without_places_stand_in_columns() {
    let mut text = TEXT.to_owned();
    while let Some(start) = text.find(", \"at\": [") {
        let end = start + text[start..].find(']').expect("it is closed") + 1;
        text.replace_range(start..end, "");
    }
    let svg = drawn(&text, draw::svg);
    let x_of = |name: &str| -> i32 {
        let at = svg.find(&format!("({name})</title>")).expect("it is drawn");
        let rest = &svg[at..];
        let number = &rest[rest.find("x=\"").expect("it has a box") + 3..];
        number[..number.find('"').expect("closed")]
            .parse()
            .expect("a number")
    };
    assert!(x_of("begin") < x_of("test") && x_of("test") < x_of("say"));
    assert!(x_of("get") < x_of("less") && x_of("less") < x_of("test"));
}

#[test]
fn dot_and_mermaid_have_the_same_nodes_and_links() {
    let dot = drawn(TEXT, draw::dot);
    holds(
        &dot,
        &[
            "digraph \"EventGraph\" {",
            "label=\"{Branch|{{",
            "tooltip=\"test\"",
            "\\ =\\ 2.5",
            "[color=\"#950000\", penwidth=1]",
        ],
    );
    assert_eq!(dot.matches(" -> ").count(), 5, "{dot}");
    let mermaid = drawn(TEXT, draw::mermaid);
    holds(
        &mermaid,
        &[
            "flowchart LR\n",
            "<b>Branch</b>",
            "In String = a & b",
            "stroke:#950000",
        ],
    );
    assert_eq!(
        mermaid.matches("==>").count() + mermaid.matches("-->").count(),
        5,
        "{mermaid}"
    );
}
