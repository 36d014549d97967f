//! Real texts that people copied out of the editor. Skipped, with a line that says so, where the corpus is
//! not there.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::fs;

use bp_cli::exit::Exit;
use bp_cli::input::Input;
use bp_cli::load::{Loaded, Options, load};
use bp_cli::runner::Plan;
use bp_tests::roundtrip::{build, printed, verify};

/// Texts that compile to a verified package.
const COMPILE: [&str; 0] = [];

/// Texts that need the engine's functions only, with an event to run and what it prints.
const RUN: [(&str, &str, &[&str]); 0] = [];

fn text(name: &str) -> Option<Loaded> {
    let path = bp_tests::corpus()?.join("clipboard/graphs").join(name);
    let bytes = fs::read(path).expect("the text is in the corpus");
    Some(load(&[Input::new(name, bytes, None)], &Options::default()).expect("it is an input"))
}

fn is_missing() -> bool {
    let is_missing = bp_tests::corpus().is_none();
    if is_missing {
        eprintln!("skipped: the corpus is not at ../shared/corpus, nor at BP_CORPUS");
    }
    is_missing
}

#[test]
fn clipboard_texts_compile_to_verified_packages() {
    if is_missing() {
        return;
    }
    let mut problems = Vec::new();
    for name in COMPILE {
        let loaded = text(name).expect("the corpus is there");
        if let Err(reason) = build(&loaded, false).and_then(|package| verify(package, &loaded)) {
            problems.push(format!("{name}: {reason}"));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn clipboard_texts_run() {
    if is_missing() {
        return;
    }
    for (name, event, expected) in RUN {
        let loaded = text(name).expect("the corpus is there");
        let package = build(&loaded, false)
            .and_then(|package| verify(package, &loaded))
            .unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let plan = Plan {
            events: vec![event.to_owned()],
            ..Plan::default()
        };
        let (lines, warnings, exit) = printed(package, &loaded, &plan).expect("it can be run");
        assert_eq!((lines.as_slice(), exit), (expected.map(str::to_owned).as_slice(), Exit::Fine), "{name}: {warnings:?}");
    }
}
