//! The verifier over `tests/verify/cases/*.cases`: small bad programs, each refused with the announced rules at
//! the announced places and with no others, and good neighbours of them, which are accepted.
//!
//! ```text
//! # bad: a jump into the middle of a statement
//! ! V004 at 0x0: leads to 0x2
//! Jump(0x2)
//!
//! # good: a jump to the end
//! Jump(end)
//! end:
//! ```
//!
//! A case begins with `#`; `!` lines announce its errors: the rule, `in FUNCTION` (`Test` if it is left out),
//! `at OFFSET`, or `of the class`, `of the package`, and words of the message. The other lines are statements
//! of the function `Test` of `prelude.bpasm`, which returns at its end unless the lines have an
//! `EndOfScript`. Lines behind `package:`, `class:`, `function:` and `code:` are inserted at those places of the
//! prelude; `engine 4.24` is the version to verify for, `whole:` begins a text without prelude.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use bp_bytecode::VerifyError;
use bp_bytecode::asm::parse;
use bp_bytecode::verify::{Rule, check};
use bp_reflect::declarations;

/// One case, as written.
#[derive(Default)]
struct Case {
    name: String,
    is_bad: bool,
    expected: Vec<Expected>,
    engine: Option<String>,
    sections: BTreeMap<&'static str, String>,
}

/// An announced error.
#[derive(Clone, Debug)]
struct Expected {
    rule: String,
    place: String,
    words: String,
}

const SECTIONS: [&str; 5] = ["package:", "class:", "function:", "code:", "whole:"];

fn cases(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "code:";
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            let (kind, title) = title.split_once(": ").expect("`bad: ` or `good: `");
            assert!(matches!(kind, "bad" | "good"), "{file}: {line}");
            cases.push(Case {
                name: format!("{file}: {title}"),
                is_bad: kind == "bad",
                ..Case::default()
            });
            section = "code:";
            continue;
        }
        // What stands before the first case is said to the reader.
        let Some(case) = cases.last_mut() else {
            continue;
        };
        if let Some(error) = line.strip_prefix("! ") {
            case.expected.push(expected(error));
        } else if let Some(engine) = line.strip_prefix("engine ") {
            case.engine = Some(engine.to_owned());
        } else if let Some(found) = SECTIONS.iter().find(|found| **found == line.trim()) {
            section = found;
            case.sections.entry(section).or_default();
        } else {
            let text = case.sections.entry(section).or_default();
            writeln!(text, "{line}").expect("a string takes everything");
        }
    }
    cases
}

fn expected(line: &str) -> Expected {
    let (head, words) = line.split_once(": ").expect("words follow a colon");
    let (rule, place) = head.split_once(' ').unwrap_or((head, ""));
    let place = match place {
        "" => "in Test".to_owned(),
        "of the class" => "in class".to_owned(),
        "of the package" => "in package".to_owned(),
        _ if place.starts_with("at ") => format!("in Test {place}"),
        _ => place.to_owned(),
    };
    Expected {
        rule: rule.to_owned(),
        place,
        words: words.to_owned(),
    }
}

fn place(error: &VerifyError) -> String {
    let mut place = match (&error.class, &error.function) {
        (None, _) => "in package".to_owned(),
        (Some(_), None) => "in class".to_owned(),
        (Some(_), Some(function)) => format!("in {function}"),
    };
    if let Some(offset) = error.offset {
        write!(place, " at {offset}").expect("a string takes everything");
    }
    place
}

/// The case as a whole text.
fn assembled(case: &Case, prelude: &str) -> String {
    if let Some(whole) = case.sections.get("whole:") {
        return whole.clone();
    }
    let section = |name: &str| case.sections.get(name).map_or("", String::as_str);
    let mut code = section("code:").to_owned();
    if !code.contains("EndOfScript") && !code.contains("; no end") {
        code += "Return(LocalOutVariable(ReturnValue))\nEndOfScript\n";
    }
    prelude
        .replace("5.6", case.engine.as_deref().unwrap_or("5.6"))
        .replace("; package:", section("package:"))
        .replace("; class:", section("class:"))
        .replace("; function:", section("function:"))
        .replace("; code:", &code)
}

/// What is wrong with a case, a line each.
fn problems(case: &Case, prelude: &str, found_rules: &mut BTreeMap<String, usize>) -> Vec<String> {
    let text = assembled(case, prelude);
    let assembly = match parse(&text) {
        Ok(assembly) => assembly,
        Err(errors) => {
            let line = errors[0].line as usize;
            let shown = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            return vec![format!("{}: {}: {shown}", case.name, errors[0])];
        }
    };
    let registry = declarations::embedded(assembly.package.engine);
    let report = check(&assembly.package, &registry);
    let mut open = case.expected.clone();
    let mut problems = Vec::new();
    for error in &report.errors {
        *found_rules.entry(error.rule.id().to_owned()).or_default() += 1;
        let place = place(error);
        let found = open.iter().position(|announced| {
            announced.rule == error.rule.id()
                && announced.place == place
                && error.message.contains(&announced.words)
        });
        match found {
            Some(found) => {
                open.remove(found);
            }
            None => problems.push(format!(
                "{}: not announced: {} {place}: {}",
                case.name, error.rule, error.message
            )),
        }
    }
    problems.extend(open.iter().map(|announced| {
        format!(
            "{}: not reported: {} {}: {}",
            case.name, announced.rule, announced.place, announced.words
        )
    }));
    if case.is_bad == case.expected.is_empty() {
        problems.push(format!(
            "{}: bad cases announce errors, good ones none",
            case.name
        ));
    }
    problems
}

#[test]
#[expect(clippy::print_stderr, reason = "the numbers are what the test is for")]
fn bad_programs_are_refused_and_good_ones_accepted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verify/cases");
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .expect("the file can be read")
            .replace("\r\n", "\n")
    };
    let prelude = read(&folder.join("prelude.bpasm"));
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("tests/verify/cases exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "cases"))
        .collect();
    paths.sort();
    let mut wrong = Vec::new();
    let (mut n_bad, mut n_good) = (0, 0);
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut has_good = BTreeSet::new();
    for path in &paths {
        let file = path.file_stem().expect("it has a name").to_string_lossy();
        let rule = file.split('_').next().expect("it begins with a rule");
        for case in cases(&file, &read(path)) {
            if case.is_bad {
                n_bad += 1;
                let is_of_rule = case.expected.iter().any(|error| error.rule == rule);
                assert!(is_of_rule, "{} does not break {rule}", case.name);
            } else {
                n_good += 1;
                has_good.insert(rule.to_owned());
            }
            wrong.extend(problems(&case, &prelude, &mut found));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for rule in Rule::ALL {
        let n_errors = found.get(rule.id()).copied().unwrap_or_default();
        assert!(n_errors >= 2, "{rule} is broken {n_errors} times");
        assert!(has_good.contains(rule.id()), "{rule} has no good neighbour");
    }
    eprintln!(
        "verify: {n_bad} bad programs refused, {n_good} good accepted, {} rules",
        found.len()
    );
    assert!(n_bad >= 150, "{n_bad} bad programs");
}
