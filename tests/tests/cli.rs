//! The command line: the cases of `tests/cli`, and inputs too large to be written down.

use std::fs;

use bp_tests::root;
use bp_tests::script::{bpc, check};

#[test]
fn commands_do_what_the_cases_say() {
    let mut problems = Vec::new();
    let mut n_cases = 0;
    let mut paths: Vec<_> = fs::read_dir(root().join("tests/cli"))
        .expect("the cases are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    for path in paths {
        let text = fs::read_to_string(&path)
            .expect("a text")
            .replace("\r\n", "\n");
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        problems.extend(
            check(&text)
                .into_iter()
                .map(|problem| format!("{name}: {problem}")),
        );
        n_cases += 1;
    }
    assert!(n_cases >= 20, "the cases are there");
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

const COMMANDS: [&str; 14] = [
    "check", "build", "run", "debug", "dump", "dis", "asm", "verify", "convert", "graph", "schema",
    "explain", "nodes", "opcodes",
];

#[test]
fn every_help_has_examples_and_exit_codes() {
    for command in COMMANDS {
        let (exit, out, err) = bpc(&[command.to_owned(), "--help".to_owned()], b"");
        assert_eq!((exit, err.as_str()), (0, ""), "{command}");
        for words in ["Examples:", "Exit codes:", &format!("bpc {command}")] {
            assert!(
                out.contains(words),
                "{command} --help lacks {words}:\n{out}"
            );
        }
        assert!(
            out.lines().all(|line| line.chars().count() <= 120),
            "{command} --help has long lines:\n{out}"
        );
    }
    let (exit, out, _) = bpc(&["--help".to_owned()], b"");
    assert_eq!(exit, 0);
    for command in COMMANDS {
        assert!(
            out.contains(&format!("  {command} ")),
            "bpc --help lacks {command}"
        );
    }
}

/// The bytes of a compiled package.
fn package() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("a.bpx");
    let input = root().join("graphs/programs/FizzBuzz.json");
    let arguments = [
        "build",
        &input.to_string_lossy(),
        "-o",
        &out.to_string_lossy(),
    ]
    .map(str::to_owned);
    let (exit, _, err) = bpc(&arguments, b"");
    assert_eq!(exit, 0, "{err}");
    fs::read(out).expect("it was written")
}

#[test]
fn a_package_with_any_byte_changed_is_refused() {
    let bytes = package();
    let arguments = ["verify", "-"].map(str::to_owned);
    let (exit, _, err) = bpc(&arguments, &bytes);
    assert_eq!(exit, 0, "{err}");
    for at in (0..bytes.len()).step_by(bytes.len() / 200 + 1).chain(0..24) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let (exit, out, err) = bpc(&arguments, &damaged);
        assert_eq!((exit, out.as_str()), (1, ""), "byte {at}: {err}");
        // A changed beginning is no package's.
        let code = if at < 8 {
            "error[BP00"
        } else {
            "error[BP0019]"
        };
        assert!(err.contains(code), "byte {at}: {err}");
    }
}

#[test]
fn a_package_cut_anywhere_is_refused() {
    let bytes = package();
    for end in (0..bytes.len()).step_by(bytes.len() / 100 + 1) {
        let (exit, out, _) = bpc(&["verify", "-"].map(str::to_owned), &bytes[..end]);
        assert_eq!((exit, out.as_str()), (1, ""), "cut at {end}");
    }
}

/// A text is refused with a located error, by a check that ends.
fn refused(text: &str, words: &str) {
    let (exit, out, err) = bpc(&["check", "-"].map(str::to_owned), text.as_bytes());
    assert_eq!((exit, out.as_str()), (1, ""), "{err}");
    assert!(
        err.contains("<stdin>:"),
        "no place: {}",
        &err[..err.len().min(2000)]
    );
    assert!(
        err.contains(words),
        "no {words}: {}",
        &err[..err.len().min(2000)]
    );
    assert!(
        err.lines().all(|line| line.len() < 2000),
        "a line of the message is longer than a screen"
    );
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 100_000;
    refused(
        &format!(
            "{{\"format\": \"blueprint/1\", \"name\": {}{}}}",
            "[".repeat(deep),
            "]".repeat(deep)
        ),
        "BP0008",
    );
    refused(&"[".repeat(deep), "BP00");
    let head = "Begin Object Class=/Script/BlueprintGraph.K2Node_Knot Name=\"A\"\n";
    refused(&head.repeat(deep), "BP00");
    refused(
        &format!(
            "{head}   Value={}{}\nEnd Object\n",
            "(".repeat(deep),
            ")".repeat(deep)
        ),
        "BP00",
    );
}

#[test]
fn long_lines_are_cut_in_messages() {
    let long = "x".repeat(1 << 20);
    refused(
        &format!("{{\"format\": \"blueprint/1\", \"{long}\": 1}}"),
        "BP0003",
    );
    refused(
        &format!("{{\"format\": \"blueprint/1\", \"name\": \"A\", \"type\": \"{long}\"}}"),
        "BP0006",
    );
}

#[test]
fn no_prefix_of_a_text_panics() {
    let text = fs::read_to_string(root().join("graphs/nodes/ForLoop.json")).expect("it is there");
    for end in (0..text.len()).step_by(37) {
        let (exit, out, _) = bpc(&["check", "-"].map(str::to_owned), &text.as_bytes()[..end]);
        assert_eq!((exit, out.as_str()), (1, ""), "cut at {end}");
    }
}

#[test]
fn every_explained_code_is_listed() {
    let (exit, out, _) = bpc(&["explain".to_owned()], b"");
    assert_eq!(exit, 0);
    for code in bp_diag::Code::ALL {
        assert!(out.contains(code.info().name));
        let (exit, text, _) = bpc(&["explain".to_owned(), code.info().id.to_owned()], b"");
        assert_eq!(exit, 0);
        assert!(text.starts_with(code.info().id));
    }
}
