//! Damaged, cut, deep and huge texts give diagnostics, never a panic.

use bp_diag::{Code, Diagnostics, Sources};
use bp_graph::json;
use bp_reflect::{EngineVersion, Registry, declarations};

const DOOR: &str = include_str!("data/door.json");

fn check(text: &str, base: &Registry) -> Diagnostics {
    let mut sources = Sources::default();
    let file = sources.add("case.json", text);
    let (_, _, diagnostics) = json::read(&[file], &sources, base);
    for diagnostic in &diagnostics {
        if let Some(span) = diagnostic.span {
            assert!(span.end as usize <= text.len());
            assert!(text.is_char_boundary(span.start as usize));
        }
    }
    diagnostics
}

/// A small generator, so that every run sees the same cases.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

#[test]
fn a_cut_text_is_an_error() {
    let base = declarations::embedded(EngineVersion::LATEST);
    let end = DOOR.trim_end().len();
    for at in (0..end).filter(|at| DOOR.is_char_boundary(*at)).step_by(7) {
        assert!(check(&DOOR[..at], &base).has_errors(), "cut at {at}");
    }
}

#[test]
fn a_damaged_text_does_no_harm() {
    let base = declarations::embedded(EngineVersion::LATEST);
    let mut random = Random(7);
    let pieces = [
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "true",
        "-1",
        "1e999",
        "99999999999999999999",
        "\\u0000",
        "\"self\"",
        "ü",
        ".",
        "object:",
        "array<",
        "K2Node_",
        "entry",
        "wildcard",
    ];
    for _ in 0..400 {
        let mut text = DOOR.to_owned();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            let Some(at) = (0..=at).rev().find(|at| text.is_char_boundary(*at)) else {
                continue;
            };
            match random.below(3) {
                0 => {
                    text.remove(at);
                }
                1 => text.insert_str(at, pieces[random.below(pieces.len())]),
                _ => {
                    // A word in place of another keeps the text well-formed more often.
                    let words: Vec<&str> = DOOR.split('"').skip(1).step_by(2).collect();
                    let (from, to) = (
                        words[random.below(words.len())],
                        words[random.below(words.len())],
                    );
                    text = text.replacen(&format!("\"{from}\""), &format!("\"{to}\""), 1);
                }
            }
        }
        check(&text, &base);
    }
}

#[test]
fn deep_nesting_is_located() {
    let base = declarations::embedded(EngineVersion::LATEST);
    for open in ["[", "{\"a\":"] {
        let text = open.repeat(100_000);
        let diagnostics = check(&text, &base);
        let found = diagnostics.iter().next().expect("it is an error");
        assert_eq!(found.code, Code::TooDeep);
        assert_eq!(
            found.span.map(|span| span.start as usize),
            Some(64 * open.len())
        );
    }
}

#[test]
fn long_strings_are_values_and_no_names() {
    let base = declarations::embedded(EngineVersion::LATEST);
    let long = "x".repeat(1 << 20);
    let text = DOOR.replace("\"hello\"", &format!("\"{long}\""));
    assert!(check(&text, &base).is_empty());
    let text = DOOR.replace("\"TakeHit\"", &format!("\"{long}\""));
    let diagnostics = check(&text, &base);
    assert!(
        diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code == Code::TooLarge)
    );
}

#[test]
fn a_big_graph_takes_no_longer_than_its_size() {
    let base = declarations::embedded(EngineVersion::LATEST);
    let n_nodes = 4000;
    let nodes: Vec<String> = (0..n_nodes)
        .map(|idx| format!("{{\"id\": \"n{idx}\", \"class\": \"Knot\"}}"))
        .collect();
    let mut links: Vec<String> = (1..n_nodes)
        .map(|idx| format!("[\"n{}.OutputPin\", \"n{idx}.InputPin\"]", idx - 1))
        .collect();
    links.push("[\"health.Health\", \"n0.InputPin\"]".to_owned());
    let text = format!(
        "{{\"format\": \"blueprint/1\", \"name\": \"BP_Big\", \"parent\": \"Actor\",
          \"variables\": [{{\"name\": \"Health\", \"type\": \"double\"}}],
          \"graphs\": [{{\"name\": \"G\", \"kind\": \"event\", \"nodes\": [
            {{\"id\": \"health\", \"class\": \"VariableGet\", \"variable\": \"Health\"}}, {}],
            \"links\": [{}]}}]}}",
        nodes.join(", "),
        links.join(", ")
    );
    assert!(check(&text, &base).is_empty());
}
