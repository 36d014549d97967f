//! The verifier over `tests/verify/*.bpasm`: a line that breaks a rule says so in a comment,
//! `; error: V004 words of the message`; what is not announced must not be reported.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use bp_bytecode::asm::{PrintOptions, parse, print};
use bp_bytecode::verify::{Rule, check, verify};
use bp_bytecode::{Interner, VerifyError};
use bp_reflect::Registry;
use common::sample_package::{package, package_of};
use common::{DIALECTS, Rng, random_expr, statements_of};

/// Line, rule and words that a text announces.
fn expected(text: &str) -> Vec<(u32, String, String)> {
    let mut out = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for note in line.split("; error:").skip(1) {
            let (rule, words) = note
                .trim()
                .split_once(' ')
                .expect("a rule and words follow `; error:`");
            out.push((number, rule.to_owned(), words.to_owned()));
        }
    }
    out
}

fn check_file(path: &Path, problems: &mut Vec<String>) -> BTreeSet<Rule> {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let assembly = parse(&text).unwrap_or_else(|errors| panic!("{}:{}", path.display(), errors[0]));
    let line_of = |error: &VerifyError| -> u32 {
        let Some(class) = &error.class else { return 1 };
        let class = assembly
            .package
            .classes
            .iter()
            .position(|found| found.class.path == *class)
            .expect("the class is in the package");
        let lines = &assembly.lines.classes[class];
        let Some(function) = &error.function else {
            return lines.line;
        };
        let function = lines
            .functions
            .iter()
            .find(|found| found.name == *function)
            .expect("the function is in the class");
        error
            .offset
            .map_or(function.line, |offset| function.line_at(offset))
    };
    let report = check(&assembly.package, &Registry::new());
    let mut open = expected(&text);
    let mut wrong = Vec::new();
    for error in &report.errors {
        let line = line_of(error);
        let found = open.iter().position(|(number, rule, words)| {
            *number == line && *rule == error.rule.id() && error.message.contains(words.as_str())
        });
        match found {
            Some(found) => {
                open.remove(found);
            }
            None => wrong.push(format!("{line}: not announced: {} {error}", error.rule)),
        }
    }
    wrong.extend(
        open.iter()
            .map(|(line, rule, words)| format!("{line}: not reported: {rule} {words}")),
    );
    problems.extend(
        wrong
            .iter()
            .map(|problem| format!("{}:{problem}", path.display())),
    );
    // The text of a package that is wrong survives too.
    let printed = print(&assembly.package, PrintOptions::default());
    let again = parse(&printed).unwrap_or_else(|errors| panic!("{}\n{printed}", errors[0]));
    assert_eq!(again.package, assembly.package, "{printed}");
    report.errors.iter().map(|error| error.rule).collect()
}

#[test]
fn announced_errors_are_found_and_no_others() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verify");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("tests/verify exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "bpasm"))
        .collect();
    paths.sort();
    let mut problems = Vec::new();
    for path in &paths {
        check_file(path, &mut problems);
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn scripts_must_be_parallel_to_functions() {
    let mut wrong = package(DIALECTS[1]);
    wrong.classes[0].functions.pop();
    let errors = verify(wrong, &Registry::new()).expect_err("a script is missing");
    assert_eq!(
        errors[0].to_string(),
        "/Game/BP_Door.BP_Door_C: 3 functions have 2 scripts (V028 shape)"
    );
}

#[test]
fn a_right_package_is_verified_and_given_back() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verify/good.bpasm"),
    )
    .expect("the file can be read");
    let package = parse(&text).expect("the text is right").package;
    let report = check(&package, &Registry::new());
    assert_eq!(report.n_scripts, 1);
    assert_eq!(report.n_unknown_calls(), 2);
    let verified = verify(package.clone(), &Registry::new()).expect("nothing is wrong");
    assert_eq!(verified.classes.len(), package.classes.len());
    assert_eq!(verified.into_inner(), package);
}

#[test]
fn rules_are_in_the_documentation() {
    let source = include_str!("../src/verify.rs");
    let words: Vec<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .flat_map(str::split_whitespace)
        .collect();
    let documentation = words.join(" ");
    for (index, rule) in Rule::ALL.iter().enumerate() {
        assert_eq!(rule.id(), format!("V{:03}", index + 1));
        let entry = format!("- **{} {}**: {}.", rule.id(), rule.name(), rule.asks());
        assert!(documentation.contains(&entry), "{entry}");
        assert!(!rule.way_out().is_empty());
    }
}

#[test]
fn any_tree_is_judged_without_panic() {
    for dialect in DIALECTS {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let exprs: Vec<_> = (0..4).map(|_| random_expr(&mut rng, dialect, 5)).collect();
            let mut refs = Interner::new();
            let bytes = statements_of(&exprs, dialect, &mut refs);
            let wrong = package_of(dialect, refs, bytes);
            verify(wrong, &Registry::new()).expect_err("there is no end");
        }
    }
}
