//! Real texts that people copied out of the editor. Skipped, with a line that says so, where the corpus is
//! not there.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::fs;

use bp_cli::exit::Exit;
use bp_cli::input::Input;
use bp_cli::load::{Loaded, Options, load};
use bp_cli::pipeline::functions;
use bp_cli::runner::Plan;
use bp_tests::roundtrip::{build, printed, verify};

/// Texts that compile to a verified package, with the number of its scripts. Parts of graphs that were copied
/// without an event compile to an ubergraph that only returns, as in the editor.
const COMPILE: [(&str, usize); 16] = [
    ("cronos-connect-wallets-with-qr-code-1", 2),
    ("cronos-walletconnect-1", 3),
    ("ueb-index-html", 1),
    ("ueb-issue27", 2),
    ("cronos-connect-defi-wallet-with-uri-4", 3),
    ("cronos-connect-defi-wallet-with-uri-8", 2),
    ("cronos-connect-defi-wallet-with-uri-1", 1),
    ("cronos-connect-defi-wallet-with-uri-3", 1),
    ("cronos-connect-defi-wallet-with-uri-5", 1),
    ("cronos-connect-defi-wallet-with-uri-7", 1),
    ("cronos-connect-wallets-with-qr-code-2", 1),
    ("ueb-glassy-nodes-html", 1),
    ("ueb-inputoutputknots", 1),
    ("ueb-linking", 1),
    ("ueb-linking4", 1),
    ("ueb-linking5", 1),
];

/// Texts that need the engine's functions only: the event to run, what it prints, and words of its warnings.
const RUN: [(&str, &str, &[&str], &[&str]); 3] = [
    (
        "cronos-walletconnect-1",
        "CustomEvent_3",
        &["  Time=0.0"],
        &[],
    ),
    ("ueb-issue27", "CustomEvent", &[], &[]),
    // The component that the function sets up is not in the text, so nothing makes it.
    (
        "ueb-index-html",
        "BeginPlay",
        &[],
        &["PointLight2", "PointLight2", "PointLight2", "PointLight2"],
    ),
];

fn text(name: &str) -> Option<Loaded> {
    let path = bp_tests::corpus()?
        .join("clipboard/graphs")
        .join(format!("{name}.t3d"));
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
    for (name, n_scripts) in COMPILE {
        let loaded = text(name).expect("the corpus is there");
        match build(&loaded, false).and_then(|package| verify(package, &loaded)) {
            Ok(package) => {
                let found = functions(&package, None).count();
                if found != n_scripts {
                    problems.push(format!("{name}: {found} scripts, not {n_scripts}"));
                }
            }
            Err(reason) => problems.push(format!("{name}: {reason}")),
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn clipboard_texts_run() {
    if is_missing() {
        return;
    }
    for (name, event, expected, expected_warnings) in RUN {
        let loaded = text(name).expect("the corpus is there");
        let package = build(&loaded, false)
            .and_then(|package| verify(package, &loaded))
            .unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let plan = Plan {
            events: vec![event.to_owned()],
            ..Plan::default()
        };
        let (lines, warnings, exit) = printed(package, &loaded, &plan).expect("it can be run");
        assert_eq!(lines, expected, "{name}: {warnings:?}");
        assert_eq!(
            warnings.len(),
            expected_warnings.len(),
            "{name}: {warnings:?}"
        );
        for (warning, words) in warnings.iter().zip(expected_warnings) {
            assert!(warning.contains(words), "{name}: {warning}");
        }
        assert_eq!(exit, Exit::Fine, "{name}");
    }
}

#[test]
fn texts_of_other_editors_are_refused_by_name() {
    if is_missing() {
        return;
    }
    let folder = bp_tests::corpus()
        .expect("it is there")
        .join("clipboard/nonk2");
    let mut n_texts = 0;
    for entry in fs::read_dir(folder).expect("the corpus has it") {
        let path = entry.expect("readable").path();
        let name = path.to_string_lossy().into_owned();
        let bytes = fs::read(&path).expect("readable");
        let loaded =
            load(&[Input::new(&*name, bytes, None)], &Options::default()).expect("an input");
        let is_named = loaded
            .diagnostics
            .iter()
            .any(|finding| finding.code == bp_diag::Code::T3dNotK2);
        assert!(
            is_named,
            "{name} is not refused as a text of another editor"
        );
        n_texts += 1;
    }
    assert!(n_texts > 0);
}
