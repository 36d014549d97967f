//! Cases of clipboard text: `t3d/*.txt`, each text beside what it gives.
//!
//! A case is `=== name`, the text, `>>> action` and what comes out. Actions: `read` (the model and the
//! findings), `write VERSION [ASSET]` (text read and written again), `blueprint` (what is inferred
//! around the graphs). With `BLESS=1` the results are written into the files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use bp_diag::{Diagnostics, Severity, Sources};
use bp_graph::t3d::{self, WriteOptions};
use bp_graph::{
    Blueprint, Container, Direction, EnabledState, Graph, Pin, PinFlags, PinId, PinType,
    Properties, PropertyValue, Variable,
};
use bp_reflect::{Class, ClassKind, ObjectPath, Registry};

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/t3d");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the cases are beside the test")
        .map(|entry| entry.expect("the folder can be listed").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no cases");
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    for file in files {
        let text = fs::read_to_string(&file)
            .expect("a case is text")
            .replace("\r\n", "\n");
        let mut blessed = String::new();
        for case in text.split_inclusive("\n=== ").collect::<Vec<_>>() {
            let case = case.strip_suffix("\n=== ").unwrap_or(case);
            let case = case.strip_prefix("=== ").unwrap_or(case);
            let (name, rest) = case.split_once('\n').expect("a case has a text");
            let (input, rest) = rest.split_once("\n>>> ").expect("a case has an action");
            let (action, expected) = rest.split_once('\n').unwrap_or((rest, ""));
            let given = run(action, input);
            if given.trim_end() != expected.trim_end() {
                let _ = write!(
                    failures,
                    "{}: {name}\n--- expected\n{}\n--- given\n{given}\n",
                    file.display(),
                    expected.trim_end()
                );
            }
            let _ = write!(
                blessed,
                "=== {name}\n{input}\n>>> {action}\n{}\n\n",
                given.trim_end()
            );
        }
        if bless {
            fs::write(&file, blessed.trim_end().to_owned() + "\n").expect("a case can be written");
        }
    }
    assert!(bless || failures.is_empty(), "\n{failures}");
}

fn run(action: &str, input: &str) -> String {
    let mut sources = Sources::default();
    let source = sources.add("case", input);
    let (clipboard, diagnostics) = t3d::read(source, input);
    let mut words = action.split(' ');
    let mut out = String::new();
    match words.next() {
        Some("read") => {
            for graph in &clipboard.graphs {
                dump_graph(&mut out, graph, 0);
            }
            for variable in &clipboard.variables {
                let _ = writeln!(out, "variable {}", variable_text(variable));
            }
            findings(&mut out, &sources, &diagnostics, input);
        }
        Some("write") => {
            let version = words.next().expect("write VERSION");
            let asset = words.next().map(ObjectPath::new);
            let options = WriteOptions {
                engine: version.parse().expect("a version"),
                asset: asset.as_ref(),
                ids: Some(&clipboard.ids),
            };
            let graphs: Vec<&Graph> = clipboard.graphs.iter().collect();
            out = t3d::write(&graphs, &options);
            for variable in &clipboard.variables {
                out.push_str(&t3d::write_variable(variable, &options));
                out.push('\n');
            }
        }
        Some("blueprint") => {
            let (blueprint, inferred) =
                t3d::to_blueprint(clipboard, words.next(), &registry(), None);
            dump_blueprint(&mut out, &blueprint);
            findings(&mut out, &sources, &inferred, input);
        }
        _ => panic!("unknown action {action}"),
    }
    out
}

/// A few classes to infer parents from.
fn registry() -> Registry {
    let mut registry = Registry::new();
    for (name, parent, kind) in [
        ("Object", None, ClassKind::Native),
        ("Actor", Some("Object"), ClassKind::Native),
        ("Pawn", Some("Actor"), ClassKind::Native),
        ("Hearing", None, ClassKind::NativeInterface),
    ] {
        let path = |name: &str| ObjectPath::new(format!("/Script/Engine.{name}"));
        registry.add_class(Class {
            path: path(name),
            super_class: parent.map(path),
            interfaces: Vec::new(),
            kind,
            properties: Vec::new(),
            n_replicated: None,
            functions: indexmap::IndexMap::default(),
            delegates: indexmap::IndexMap::default(),
        });
    }
    registry
}

/// One line a finding: severity, code, place, the marked text, the message.
fn findings(out: &mut String, sources: &Sources, diagnostics: &Diagnostics, input: &str) {
    for it in diagnostics {
        let severity = match it.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let _ = write!(out, "{severity} {} ", it.code);
        if let Some(span) = it.span {
            let (line, column) = sources.line_column(span.source, span.start);
            let marked = &input[span.range()];
            let marked: String = marked.chars().take(50).collect();
            let _ = write!(out, "{line}:{column} [{}] ", marked.replace('\n', "⏎"));
        }
        let _ = writeln!(out, "{}", it.message);
    }
}

fn dump_blueprint(out: &mut String, blueprint: &Blueprint) {
    let _ = writeln!(
        out,
        "{:?} {} ({}) of {}, engine {}",
        blueprint.kind, blueprint.name, blueprint.class_path, blueprint.parent, blueprint.engine
    );
    for interface in &blueprint.interfaces {
        let _ = writeln!(out, "interface {interface}");
    }
    for variable in &blueprint.variables {
        let _ = writeln!(out, "variable {}", variable_text(variable));
    }
    for dispatcher in &blueprint.dispatchers {
        let params: Vec<_> = dispatcher.params.iter().map(variable_text).collect();
        let _ = writeln!(out, "dispatcher {}({})", dispatcher.name, params.join(", "));
    }
    for timeline in &blueprint.timelines {
        let tracks: Vec<_> = (timeline.tracks.iter())
            .map(|track| format!("{} {:?}", track.name, track.kind))
            .collect();
        let _ = writeln!(out, "timeline {}: {}", timeline.name, tracks.join(", "));
    }
    for graph in &blueprint.graphs {
        let _ = writeln!(
            out,
            "graph {} {:?}, {} nodes",
            graph.name,
            graph.kind,
            graph.nodes.len()
        );
        for local in &graph.locals {
            let _ = writeln!(out, "  local {}", variable_text(local));
        }
    }
}

fn variable_text(variable: &Variable) -> String {
    let mut out = format!("{}: {}", variable.name, type_text(&variable.ty));
    if let Some(default) = &variable.default {
        let _ = write!(out, " = {default:?}");
    }
    if let Some(category) = &variable.category {
        let _ = write!(out, " in {category:?}");
    }
    if let Some(on_rep) = &variable.on_rep {
        let _ = write!(out, " notifies {on_rep}");
    }
    out
}

fn dump_graph(out: &mut String, graph: &Graph, depth: usize) {
    let pad = "  ".repeat(depth);
    let _ = write!(out, "{pad}graph {} {:?}", graph.name, graph.kind);
    if !graph.flags.is_empty() {
        let _ = write!(out, " flags {:#x}", graph.flags.bits());
    }
    out.push('\n');
    for local in &graph.locals {
        let _ = writeln!(out, "{pad}  local {}", variable_text(local));
    }
    for (id, node) in graph.nodes.iter() {
        let _ = write!(out, "{pad}  {} {}", node.name, node.class);
        if let Some(package) = &node.class_package {
            let _ = write!(out, " of {package}");
        }
        if node.at != (0, 0) {
            let _ = write!(out, " at {},{}", node.at.0, node.at.1);
        }
        if node.enabled != EnabledState::Enabled {
            let _ = write!(out, " {:?}", node.enabled);
        }
        if let Some(comment) = &node.comment {
            let _ = write!(out, " {comment:?}");
        }
        out.push('\n');
        dump_properties(out, &node.properties, &pad);
        for (_, pin) in graph.pins_of(id) {
            let _ = writeln!(out, "{pad}    {}", pin_text(graph, pin));
        }
        if let Some(child) = node.child {
            dump_graph(out, &graph.children[child], depth + 2);
        }
    }
}

fn dump_properties(out: &mut String, properties: &Properties, pad: &str) {
    for (key, value) in &properties.0 {
        let _ = writeln!(out, "{pad}    {key} = {}", value_text(value));
    }
}

fn value_text(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Word(text) => text.clone(),
        PropertyValue::String(text) => format!("{text:?}"),
        PropertyValue::Object(object) => {
            format!(
                "<{} {}>",
                object.class.as_deref().unwrap_or("?"),
                object.path
            )
        }
        PropertyValue::Text(text) => format!("text {text}"),
        PropertyValue::Tuple(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|(key, value)| match key.as_str() {
                    "" => value_text(value),
                    key => format!("{key}: {}", value_text(value)),
                })
                .collect();
            format!("({})", members.join(", "))
        }
        PropertyValue::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(value_text).collect();
            format!("[{}]", elements.join(", "))
        }
    }
}

fn type_text(ty: &PinType) -> String {
    let mut out = ty.category.word().to_owned();
    if !ty.sub_category.is_empty() {
        let _ = write!(out, "/{}", ty.sub_category);
    }
    if let Some(object) = &ty.object {
        let _ = write!(out, " {object}");
    }
    if let Some(signature) = &ty.signature {
        let _ = write!(out, " {}", signature.name);
        if let Some(parent) = &signature.parent {
            let _ = write!(out, " of {parent}");
        }
    }
    match &ty.container {
        Container::None => {}
        Container::Map(value) => {
            let _ = write!(out, " map to {}", value.category.word());
            if let Some(object) = &value.object {
                let _ = write!(out, " {object}");
            }
        }
        Container::Array => out.push_str(" array"),
        Container::Set => out.push_str(" set"),
    }
    for (is_set, word) in [
        (ty.is_reference, " ref"),
        (ty.is_const, " const"),
        (ty.is_weak, " weak"),
        (ty.is_uobject_wrapper, " wrapper"),
        (ty.is_single_precision, " single"),
    ] {
        if is_set {
            out.push_str(word);
        }
    }
    out
}

fn pin_text(graph: &Graph, pin: &Pin) -> String {
    let title = |id: &PinId| {
        let pin = &graph.pins[*id];
        format!("{}.{}", graph.nodes[pin.node].name, pin.name)
    };
    let titles = |ids: &[PinId]| ids.iter().map(title).collect::<Vec<_>>().join(", ");
    let mut out = match pin.direction {
        Direction::Input => "in ",
        Direction::Output => "out ",
    }
    .to_owned();
    let _ = write!(out, "{}: {}", pin.name, type_text(&pin.ty));
    if !pin.default.value.is_empty() {
        let _ = write!(out, " = {:?}", pin.default.value);
    }
    if let Some(object) = &pin.default.object {
        let _ = write!(out, " = <{object}>");
    }
    if let Some(text) = &pin.default.text {
        let _ = write!(out, " = {text:?}");
    }
    if !pin.default.autogenerated.is_empty() {
        let _ = write!(out, " auto {:?}", pin.default.autogenerated);
    }
    if !pin.links.is_empty() {
        let _ = write!(out, " -> {}", titles(&pin.links));
    }
    if !pin.sub_pins.is_empty() {
        let _ = write!(out, " parts {}", titles(&pin.sub_pins));
    }
    if let Some(parent) = &pin.parent {
        let _ = write!(out, " part of {}", title(parent));
    }
    if let Some(through) = &pin.pass_through {
        let _ = write!(out, " passes {}", title(through));
    }
    if pin.flags != PinFlags::empty() {
        let names: Vec<_> = pin.flags.iter_names().map(|(name, _)| name).collect();
        let _ = write!(out, " {}", names.join("|").to_lowercase());
    }
    if let Some(name) = &pin.friendly_name {
        let _ = write!(out, " shown as {name:?}");
    }
    if let Some(tip) = &pin.tool_tip {
        let _ = write!(out, " tip {tip:?}");
    }
    out
}
