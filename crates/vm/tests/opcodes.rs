//! Runs the cases in `tests/opcodes`: assembly files whose comments say what to do and what comes out.
//!
//! - `; do begin_play`, `; do call NAME [PARAM=VALUE …]`, `; do tick SECONDS`, `; do variables`,
//!   `; do destroy`, in order, on an object of the file's last class;
//! - `; > LINE`: a line that came out of the `do` above it. `BLESS=1` writes these lines anew, `CASE=name.bpasm` runs one case.
//!
//! Afterwards nothing may be left in the heaps.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bp_bytecode::asm;
use bp_reflect::{Name, Registry, Value, declarations};
use bp_vm::{HeapUsage, Limits, Natives, ObjectHandle, Recorder, World};
use pretty_assertions::assert_eq;

#[test]
fn every_case_gives_its_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/opcodes");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of cases exists")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "bpasm"))
        .collect();
    if let Ok(wanted) = std::env::var("CASE") {
        files.retain(|path| path.ends_with(&wanted));
    }
    files.sort();
    assert!(!files.is_empty());
    let registries = |text: &str| {
        let engine = asm::parse(text).expect("parsed before").package.engine;
        declarations::embedded(engine)
    };
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a case can be read");
        let text = text.replace("\r\n", "\n");
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy();
        if let Err(errors) = asm::parse(&text) {
            panic!("{name}: {errors:?}");
        }
        let blessed = run(&name, &text, registries(&text));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &blessed).expect("a case can be written");
        } else {
            assert_eq!(text, blessed, "{name}");
        }
    }
}

/// The text of the case with the lines that come out now.
fn run(name: &str, text: &str, registry: Registry) -> String {
    let package = asm::parse(text).expect("parsed before").package;
    let package = match bp_bytecode::verify::verify(package, &registry) {
        Ok(package) => package,
        Err(errors) => panic!(
            "{name}: {}",
            errors
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        ),
    };
    let class = package
        .classes
        .last()
        .unwrap_or_else(|| panic!("{name} has no class"))
        .class
        .path
        .clone();
    let recorder = Recorder::new();
    let host = Box::new(recorder.clone());
    let limits = Limits {
        jumps: 10_000,
        ..Limits::default()
    };
    let mut world = World::new(vec![package], registry, Natives::standard(), host, limits)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let object = world
        .spawn(&class)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("; > ") || line == "; >" {
            continue;
        }
        writeln!(out, "{line}").expect("writing to a string");
        if let Some(command) = line.strip_prefix("; do ") {
            let result = act(&mut world, object, command);
            let mut lines = recorder.take();
            match result {
                Ok(more) => lines.extend(more),
                Err(error) => lines.push(format!("stopped: {error}")),
            }
            for line in lines.iter().flat_map(|line| line.split('\n')) {
                let line = format!("; > {line}");
                writeln!(out, "{}", line.trim_end()).expect("writing to a string");
            }
        }
    }
    let left = world.close();
    assert_eq!(left, HeapUsage::default(), "{name} leaks");
    out
}

fn act(world: &mut World, object: ObjectHandle, command: &str) -> bp_vm::Run<Vec<String>> {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("begin_play") => world.begin_play(object).map(|()| Vec::new()),
        Some("destroy") => world.destroy(object).map(|()| Vec::new()),
        Some("tick") => {
            let seconds = words.next().and_then(|word| word.parse().ok());
            world.tick(seconds.unwrap_or(1.0)).map(|()| Vec::new())
        }
        Some("variables") => Ok(world
            .variables(object)
            .into_iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect()),
        Some("call") => {
            let function = Name::new(words.next().expect("call names a function"));
            let arguments: Vec<_> = words
                .map(|word| {
                    let (name, value) = word.split_once('=').expect("PARAM=VALUE");
                    (Name::new(name), value_of(value))
                })
                .collect();
            let results = world.call(object, &function, &arguments)?;
            Ok(results
                .into_iter()
                .map(|(name, value)| format!("{name} -> {value:?}"))
                .collect())
        }
        other => panic!("unknown command {other:?}"),
    }
}

fn value_of(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(value), _) => Value::Int(value),
            (_, Ok(value)) => Value::Real(value),
            _ => Value::Str(text.into()),
        },
    }
}
