//! Everything that can be done with a case: each step's result must give the next one's input again.

use std::cell::RefCell;
use std::rc::Rc;

use bp_bytecode::encode::Interner;
use bp_bytecode::verify::Verified;
use bp_bytecode::{Layout, Package, asm, decode_script, encode_script, file};
use bp_cli::exit::Exit;
use bp_cli::input::Input;
use bp_cli::load::{Loaded, Options, load};
use bp_cli::pipeline;
use bp_cli::runner::{self, Plan};
use bp_diag::{Diagnostics, Severity, render};
use bp_graph::{Blueprint, Graph, graph_difference, json, t3d};
use bp_reflect::ObjectPath;
use bp_vm::{Host, Tier, Warning};

use crate::cases::Case;
use crate::{first_difference, normalized};

/// The steps, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Reading the JSON without errors.
    Read,
    /// Writing JSON and reading it gives the same.
    Json,
    /// Writing clipboard text and reading it gives the same.
    T3d,
    /// Compiling without errors, or with those expected.
    Build,
    /// Passing the verifier.
    Verify,
    /// Bytes to statements to bytes.
    Codec,
    /// The package file written and read.
    File,
    /// The package as assembly text and back.
    Asm,
    /// Printing and warning as expected.
    Run,
    /// The same with debug sites.
    DebugSites,
}

/// A step that did not give what it should, and the first difference.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Which.
    pub step: Step,
    /// What was found.
    pub message: String,
}

/// Figures of a case that was compiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Drawn nodes, comments left out.
    pub nodes: usize,
    /// Compiled functions.
    pub functions: usize,
    /// Script bytes.
    pub bytes: usize,
    /// Lines printed.
    pub lines: usize,
}

/// What a case gave: its figures, and the problems of all steps that could be tried.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Figures, as far as it came.
    pub figures: Figures,
    /// Problems, in order of steps.
    pub problems: Vec<Problem>,
}

impl Outcome {
    fn problem(&mut self, step: Step, message: impl Into<String>) {
        self.problems.push(Problem {
            step,
            message: message.into(),
        });
    }

    fn check<T>(&mut self, step: Step, result: Result<T, String>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(message) => {
                self.problem(step, message);
                None
            }
        }
    }
}

/// Takes a case through all steps.
pub fn case(case: &Case) -> Outcome {
    let mut out = Outcome::default();
    let loaded = match load(&case.inputs(), &Options::default()) {
        Ok(loaded) => loaded,
        Err(failure) => {
            out.problem(Step::Read, failure.to_string());
            return out;
        }
    };
    let mut findings = loaded.diagnostics.clone();
    out.figures.nodes = loaded
        .blueprints
        .iter()
        .flat_map(|blueprint| &blueprint.graphs)
        .map(n_nodes)
        .sum();
    if findings.has_errors() && case.errors.is_none() {
        out.problem(Step::Read, first_error(&findings, &loaded));
        return out;
    }
    if !findings.has_errors() {
        let result = json_again(&loaded);
        out.check(Step::Json, result);
        for blueprint in &loaded.blueprints {
            let result = t3d_again(blueprint, &loaded);
            out.check(Step::T3d, result);
        }
        let libraries = loaded.libraries();
        findings.append(pipeline::compile(&loaded, &libraries, false).diagnostics);
    }
    if let Some(expected) = &case.errors {
        let names: Vec<&str> = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.code.info().name)
            .collect();
        let found = normalized(&names.join("\n"));
        if let Some(difference) = first_difference(expected, &found) {
            out.problem(Step::Build, difference);
        }
        return out;
    }

    let Some(package) = out.check(Step::Build, build(&loaded, false)) else {
        return out;
    };
    out.figures.functions = pipeline::functions(&package, None).count();
    out.figures.bytes = pipeline::functions(&package, None)
        .map(|(_, _, code)| code.script.len())
        .sum();
    let result = codec(&package);
    out.check(Step::Codec, result);
    let result = file_again(&package);
    out.check(Step::File, result);
    let result = asm_again(&package);
    out.check(Step::Asm, result);
    let Some(package) = out.check(Step::Verify, verify(package, &loaded)) else {
        return out;
    };
    let printed = run(package, &loaded, case);
    let is_fine = printed.is_ok();
    if let Some(lines) = out.check(Step::Run, printed) {
        out.figures.lines = lines;
    }

    let again = build(&loaded, true)
        .and_then(|package| {
            codec(&package)?;
            asm_again(&package)?;
            verify(package, &loaded)
        })
        .and_then(|package| run(package, &loaded, case));
    if is_fine || again.is_err() {
        out.check(Step::DebugSites, again);
    }
    out
}

fn n_nodes(graph: &Graph) -> usize {
    let own = graph
        .nodes
        .iter()
        .filter(|(_, node)| !node.is_comment())
        .count();
    own + graph.children.iter().map(n_nodes).sum::<usize>()
}

fn first_error(findings: &Diagnostics, loaded: &Loaded) -> String {
    let mut first = Diagnostics::new();
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    for finding in errors.take(1) {
        first.push(finding.clone());
    }
    let n_more = findings.n_errors().saturating_sub(1);
    let text = render::short(&first, &loaded.sources);
    if n_more > 0 {
        format!("{} (and {n_more} more)", text.trim_end())
    } else {
        text.trim_end().to_owned()
    }
}

/// The Blueprints as JSON text each, in order.
fn json_of(loaded: &Loaded) -> Vec<String> {
    loaded
        .blueprints
        .iter()
        .map(|blueprint| json::write(blueprint, &loaded.declared))
        .collect()
}

/// JSON written of what was read reads as the same Blueprints, is written as the same text, and compiles to
/// the same package.
fn json_again(loaded: &Loaded) -> Result<(), String> {
    let texts = json_of(loaded);
    let inputs: Vec<Input> = texts
        .iter()
        .zip(&loaded.blueprints)
        .map(|(text, blueprint)| {
            let name = format!("{}.json", blueprint.name);
            Input::new(name, text.clone().into_bytes(), None)
        })
        .collect();
    let again = load(&inputs, &Options::default()).map_err(|failure| failure.to_string())?;
    if again.diagnostics.has_errors() {
        return Err(first_error(&again.diagnostics, &again));
    }
    if again.blueprints.len() != loaded.blueprints.len() {
        return Err(format!(
            "{} Blueprints became {}",
            loaded.blueprints.len(),
            again.blueprints.len()
        ));
    }
    for (before, after) in loaded.blueprints.iter().zip(&again.blueprints) {
        same_graphs(before, &after.graphs)?;
    }
    for (before, after) in texts.iter().zip(json_of(&again)) {
        if let Some(difference) = first_difference(before, &after) {
            return Err(format!("written again: {difference}"));
        }
    }
    match (build(loaded, false), build(&again, false)) {
        (Ok(before), Ok(after)) => same_package(&before, &after),
        // What does not compile is reported by the step for it.
        (Err(_), _) => Ok(()),
        (Ok(_), Err(message)) => Err(format!("compiled again: {message}")),
    }
}

/// Clipboard text of all graphs reads as the same graphs, and the Blueprint with them is written as the same
/// JSON.
fn t3d_again(blueprint: &Blueprint, loaded: &Loaded) -> Result<(), String> {
    let class = blueprint.class_path.as_str();
    let asset = ObjectPath::new(class.strip_suffix("_C").unwrap_or(class));
    let options = t3d::WriteOptions {
        asset: Some(&asset),
        ..t3d::WriteOptions::new(blueprint.engine)
    };
    let graphs: Vec<&Graph> = blueprint
        .graphs
        .iter()
        .filter(|graph| !graph.nodes.is_empty())
        .collect();
    let text = t3d::write(&graphs, &options);
    let mut sources = bp_diag::Sources::default();
    let id = sources.add("again.t3d", text.as_str());
    let (clipboard, findings) = t3d::read(id, &text);
    if let Some(finding) = findings.iter().next() {
        return Err(format!("{}: {}", finding.code, finding.message));
    }
    let mut again = blueprint.clone();
    for graph in &mut again.graphs {
        if graph.nodes.is_empty() {
            continue;
        }
        let Some(read) = clipboard.graphs.iter().find(|read| read.name == graph.name) else {
            return Err(format!("graph {} is not in the text", graph.name));
        };
        // What a graph is for is not said in the text.
        *graph = Graph {
            kind: graph.kind,
            guid: graph.guid,
            implements: graph.implements.clone(),
            ..read.clone()
        };
    }
    same_graphs(blueprint, &again.graphs)?;
    let before = json::write(blueprint, &loaded.declared);
    let after = json::write(&again, &loaded.declared);
    match first_difference(&before, &after) {
        Some(difference) => Err(format!("as JSON: {difference}")),
        None => Ok(()),
    }
}

fn same_graphs(before: &Blueprint, after: &[Graph]) -> Result<(), String> {
    if before.graphs.len() != after.len() {
        return Err(format!(
            "{} graphs became {}",
            before.graphs.len(),
            after.len()
        ));
    }
    for (before, after) in before.graphs.iter().zip(after) {
        if let Some(difference) = graph_difference(before, after) {
            return Err(format!("graph {}: {difference}", before.name));
        }
    }
    Ok(())
}

/// Compiles, with the first error as text.
///
/// # Errors
/// The first error, and how many there are.
pub fn build(loaded: &Loaded, debug_sites: bool) -> Result<Package, String> {
    let libraries = loaded.libraries();
    let compilation = pipeline::compile(loaded, &libraries, debug_sites);
    let diagnostics = compilation.diagnostics;
    compilation
        .package
        .ok_or_else(|| first_error(&diagnostics, loaded))
}

/// Verifies, with the first broken rule as text.
///
/// # Errors
/// The first broken rule, and how many there are.
pub fn verify(package: Package, loaded: &Loaded) -> Result<Verified<Package>, String> {
    pipeline::verify(package, loaded).map_err(|errors| {
        let more = match errors.len() {
            1 => String::new(),
            n_errors => format!(" (and {} more)", n_errors - 1),
        };
        format!("{}{more}", errors[0])
    })
}

/// Every script decodes to statements that encode to its bytes.
fn codec(package: &Package) -> Result<(), String> {
    for (class, name, code) in pipeline::functions(package, None) {
        let place = format!("{}.{name}", class.class.path.name());
        let script = decode_script(
            &code.script,
            package.dialect(),
            Layout::Memory,
            &package.references,
        )
        .map_err(|failure| format!("{place} {failure}"))?;
        let mut refs = Interner::with_tables(package.references.clone());
        let encoded = encode_script(
            &script.statements,
            package.dialect(),
            Layout::Memory,
            &mut refs,
        )
        .map_err(|error| format!("{place}: {error}"))?;
        if encoded.bytes != code.script {
            let at = encoded
                .bytes
                .iter()
                .zip(&code.script)
                .take_while(|(a, b)| a == b)
                .count();
            return Err(format!(
                "{place}: encoded again it differs from byte {at} on"
            ));
        }
    }
    Ok(())
}

fn file_again(package: &Package) -> Result<(), String> {
    let bytes = file::write(package);
    let again = file::read(&bytes).map_err(|error| error.to_string())?;
    if again != *package {
        return Err("the file reads as another package".to_owned());
    }
    if file::write(&again) != bytes {
        return Err("the file is written differently the second time".to_owned());
    }
    Ok(())
}

fn asm_again(package: &Package) -> Result<(), String> {
    let text = asm::print(package, asm::PrintOptions::default());
    let again = asm::parse(&text).map_err(|errors| format!("assembly text {}", errors[0]))?;
    same_package(package, &again.package)
}

/// Whether two packages have the same file.
fn same_package(before: &Package, after: &Package) -> Result<(), String> {
    if file::write(before) == file::write(after) {
        return Ok(());
    }
    let text = |package| asm::print(package, asm::PrintOptions::OFFSETS);
    Err(first_difference(&text(before), &text(after))
        .unwrap_or_else(|| "the files differ, their assembly texts do not".to_owned()))
}

/// What a run tells, as lines.
#[derive(Default)]
struct Heard {
    printed: Vec<String>,
    warned: Vec<String>,
}

struct Listener(Rc<RefCell<Heard>>);

impl Host for Listener {
    fn print(&mut self, text: &str) {
        let mut heard = self.0.borrow_mut();
        heard.printed.extend(text.lines().map(str::to_owned));
        if text.is_empty() {
            heard.printed.push(String::new());
        }
    }

    fn warning(&mut self, warning: &Warning) {
        self.0.borrow_mut().warned.push(warning.to_string());
    }

    fn error(&mut self, error: &Warning) {
        self.0.borrow_mut().warned.push(error.to_string());
    }
}

/// Runs a package as `bpc run` does, and gives what it printed and its exit.
///
/// # Errors
/// It cannot be run at all.
pub fn printed(
    package: Verified<Package>,
    loaded: &Loaded,
    plan: &Plan,
) -> Result<(Vec<String>, Vec<String>, Exit), String> {
    let class = pipeline::main_class(loaded).ok_or("there is no class to run")?;
    let heard = Rc::new(RefCell::new(Heard::default()));
    let ran = runner::execute(
        vec![package],
        &loaded.registry,
        &class,
        plan,
        (Box::new(Listener(Rc::clone(&heard))), None),
        &mut |_| (),
    )
    .map_err(|failure| failure.to_string())?;
    let mut heard = heard.take();
    heard.warned.extend(ran.failures);
    Ok((heard.printed, heard.warned, ran.exit))
}

/// Runs a case and compares; gives the number of printed lines.
fn run(package: Verified<Package>, loaded: &Loaded, case: &Case) -> Result<usize, String> {
    let plan = |tier| Plan {
        tier,
        ..Plan::default()
    };
    let reference = printed(package.clone(), loaded, &plan(Tier::Reference))?;
    let fast = printed(package, loaded, &plan(Tier::Fast))?;
    if fast != reference {
        return Err(format!(
            "the fast tier gives {fast:?}, the reference {reference:?}"
        ));
    }
    let (printed, warned, exit) = fast;
    let mut warned = warned.iter();
    let Some(expected) = &case.out else {
        return Err("there is no .out beside it".to_owned());
    };
    let found = normalized(&printed.join("\n"));
    let words = case.err.as_deref().unwrap_or_default();
    if let Some(difference) = first_difference(expected, &found) {
        let why = warned
            .next()
            .map_or(String::new(), |first| format!(" (it warns: {first})"));
        return Err(format!("{difference}{why}"));
    }
    for words in words.lines() {
        if !warned.any(|line| line.contains(words)) {
            return Err(format!("no warning, in this order, holds `{words}`"));
        }
    }
    if case.err.is_none()
        && let Some(line) = warned.next()
    {
        return Err(format!("unexpected warning: {line}"));
    }
    if exit != Exit::Fine && case.err.is_none() {
        return Err(format!("it ends with exit code {}", exit.code()));
    }
    Ok(printed.len())
}
