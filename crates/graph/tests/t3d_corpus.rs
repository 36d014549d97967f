//! The clipboard reader and writer over texts from public pages, where they are at hand.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use bp_diag::{Code, Diagnostics, Severity, Sources};
use bp_graph::t3d::{self, Clipboard, TextForm, WriteOptions};
use bp_graph::{Graph, graph_difference};

/// Texts of one folder of the corpus by name; empty, with a word on why, when it is not there.
fn texts(folder: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/corpus/clipboard")
        .join(folder);
    let Ok(entries) = fs::read_dir(&path) else {
        say(&format!("skipped: {} is not there", path.display()));
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let bytes = fs::read(&file).expect("a listed file can be read");
            let text = t3d::decode_bytes(&bytes).expect("the corpus is text");
            let name = file.file_name().expect("a file has a name");
            (name.to_string_lossy().into_owned(), text)
        })
        .collect()
}

#[expect(
    clippy::print_stdout,
    reason = "shown with --nocapture, and when a test fails"
)]
fn say(text: &str) {
    println!("{text}");
}

fn read(name: &str, text: &str) -> (Clipboard, Diagnostics) {
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    t3d::read(source, text)
}

fn k2_texts() -> Vec<(String, String)> {
    let mut all = texts("graphs");
    all.extend(texts("nodes"));
    all
}

#[derive(Default, Debug)]
struct Totals {
    files: usize,
    nodes: usize,
    pins: usize,
    links: usize,
}

impl Totals {
    fn add(&mut self, graph: &Graph) {
        self.nodes += graph.nodes.len();
        self.pins += graph.pins.len();
        self.links += (graph.pins.iter())
            .map(|(_, pin)| pin.links.len())
            .sum::<usize>()
            / 2;
        graph.children.iter().for_each(|child| self.add(child));
    }
}

#[test]
fn every_blueprint_text_is_read_without_errors() {
    let mut totals = Totals::default();
    let mut n_dangling = 0;
    for (name, text) in k2_texts() {
        let (clipboard, diagnostics) = read(&name, &text);
        let errors: Vec<_> = (diagnostics.iter())
            .filter(|it| it.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        for diagnostic in &diagnostics {
            if diagnostic.code == Code::DanglingLink {
                n_dangling += 1;
            } else {
                say(&format!(
                    "{name}: {} {}",
                    diagnostic.code, diagnostic.message
                ));
            }
        }
        let count = |part: &str| text.matches(part).count();
        let n_pin_objects = count("Class=EdGraphPin");
        let n_nodes = count("Begin Object Class=") - n_pin_objects;
        assert_eq!(clipboard.n_nodes(), n_nodes, "{name}");
        let n_before = totals.pins;
        totals.files += 1;
        clipboard.graphs.iter().for_each(|graph| totals.add(graph));
        let n_pins = count("CustomProperties Pin") + n_pin_objects;
        assert_eq!(totals.pins - n_before, n_pins, "{name}");
    }
    say(&format!("{totals:?}, {n_dangling} dangling links"));
}

#[test]
fn text_of_other_editors_is_refused() {
    for (name, text) in texts("nonk2") {
        let (clipboard, diagnostics) = read(&name, &text);
        let codes: Vec<_> = diagnostics.iter().map(|it| it.code).collect();
        assert_eq!(codes, [Code::T3dNotK2], "{name}");
        assert!(clipboard.graphs.is_empty(), "{name}");
    }
}

#[test]
fn what_is_written_reads_as_the_same_graph() {
    let (mut n_same, mut n_lines) = (0, 0);
    for (name, text) in k2_texts() {
        let (first, _) = read(&name, &text);
        let options = WriteOptions {
            asset: first.asset.as_ref(),
            ids: Some(&first.ids),
            ..WriteOptions::new(first.form.engine())
        };
        let graphs: Vec<&Graph> = first.graphs.iter().collect();
        let written = t3d::write(&graphs, &options);
        let (second, diagnostics) = read("written", &written);
        let findings: Vec<_> = diagnostics.iter().map(|it| &it.message).collect();
        assert!(findings.is_empty(), "{name}: {findings:?}\n{written}");
        assert_eq!(first.graphs.len(), second.graphs.len(), "{name}");
        for (a, b) in first.graphs.iter().zip(&second.graphs) {
            if let Some(difference) = graph_difference(a, b) {
                panic!("{name}: {difference}\n{written}");
            }
        }
        for engine in ["5.0", "5.6"] {
            let options = WriteOptions {
                engine: engine.parse().expect("a version"),
                ..options
            };
            let (second, _) = read("written", &t3d::write(&graphs, &options));
            for (a, b) in first.graphs.iter().zip(&second.graphs) {
                assert_eq!(graph_difference(a, b), None, "{name} for {engine}");
            }
        }
        // Pin objects are written as lines.
        if first.form == TextForm::PinObjects {
            continue;
        }
        let again: HashSet<&str> = written.lines().map(str::trim).collect();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            n_lines += 1;
            if again.contains(line) {
                n_same += 1;
            } else if std::env::var_os("SHOW_LINES").is_some() {
                say(&format!("{name}: {line}"));
            }
        }
    }
    say(&format!(
        "{n_same} of {n_lines} lines are written as they were read"
    ));
}
