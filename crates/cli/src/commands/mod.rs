//! One file a command: arguments in, product out.

pub(crate) mod asm;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod debug;
pub(crate) mod dis;
pub(crate) mod dump;
pub(crate) mod graph;
pub(crate) mod nodes;
pub(crate) mod reference;
pub(crate) mod run;
pub(crate) mod verify;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bp_bytecode::Package;
use bp_compiler::ir::PinVariable;
use bp_diag::Diagnostics;
use bp_graph::Blueprint;
use bp_reflect::{Name, ObjectPath};

use crate::args::{Reading, Source, Sources};
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};
use crate::input;
use crate::inputs::{self, InputEvent};
use crate::load::{self, Loaded};
use crate::pipeline;
use crate::report::Reporter;

/// Reads the inputs; findings are not reported yet.
fn load(sources: &Sources, console: &mut Console) -> Outcome<(Loaded, Vec<String>)> {
    read(&sources.files, &sources.reading, console)
}

/// Reads one input.
fn load_one(source: &Source, console: &mut Console) -> Outcome<(Loaded, Vec<String>)> {
    read(std::slice::from_ref(&source.file), &source.reading, console)
}

fn read(
    files: &[PathBuf],
    reading: &Reading,
    console: &mut Console,
) -> Outcome<(Loaded, Vec<String>)> {
    let inputs = input::read_all(files, reading.from, console)?;
    let loaded = load::load(&inputs, &reading.into())?;
    let names = inputs
        .into_iter()
        .map(|input| input.stem.unwrap_or_default())
        .collect();
    Ok((loaded, names))
}

/// The packages of the inputs: those given compiled, and one that all Blueprints together compile to.
/// Reports all findings; `Err` inside is the exit code if there are errors.
fn packages(
    loaded: &Loaded,
    debug_sites: bool,
    reporter: &Reporter,
) -> Outcome<Result<Named, Exit>> {
    let both = packages_and_symbols(loaded, debug_sites, reporter)?;
    Ok(both.map(|(packages, _)| packages))
}

/// Packages by what messages call them.
type Named = Vec<(String, Package)>;

/// What the pins of compiled functions stand for, by function.
type Pins = HashMap<ObjectPath, Vec<PinVariable>>;

/// What is known of compiled functions besides their code.
#[derive(Default)]
struct Symbols {
    pins: Pins,
    inputs: Vec<InputEvent>,
}

/// As [`packages`], with what else is known of what was compiled.
fn packages_and_symbols(
    loaded: &Loaded,
    debug_sites: bool,
    reporter: &Reporter,
) -> Outcome<Result<(Named, Symbols), Exit>> {
    let mut symbols = Symbols::default();
    let mut findings = loaded.diagnostics.clone();
    let mut packages: Vec<(String, Package)> = Vec::new();
    if !findings.has_errors() && !loaded.blueprints.is_empty() {
        let libraries = loaded.libraries();
        let compilation = pipeline::compile(loaded, &libraries, debug_sites);
        symbols.inputs = inputs::of(&compilation);
        findings.append(compilation.diagnostics);
        for unit in compilation.units {
            let functions = unit.functions.into_iter();
            symbols
                .pins
                .extend(functions.map(|function| (function.ir.path, function.ir.pins)));
        }
        let name = loaded.blueprints[0].name.to_string();
        packages.extend(compilation.package.map(|package| (name, package)));
    }
    reporter.diagnostics(&findings, &loaded.sources)?;
    if findings.has_errors() {
        return Ok(Err(Exit::Findings));
    }
    let compiled = loaded.compiled.iter();
    packages.extend(compiled.map(|input| (input.name.clone(), input.package.clone())));
    Ok(Ok((packages, symbols)))
}

/// What a Blueprint without other name is called in file names.
fn stem(names: &[String], blueprints: &[Blueprint]) -> String {
    names
        .iter()
        .find(|name| !name.is_empty())
        .cloned()
        .or_else(|| {
            blueprints
                .first()
                .map(|blueprint| blueprint.name.to_string())
        })
        .unwrap_or_else(|| "out".to_owned())
}

/// Where a product goes.
enum Place {
    Stdout,
    File(PathBuf),
}

/// The place for the product `file_name` that `--output` names: stdout, a folder for it, a file; without
/// it, the working folder. A place where one of the inputs stands is refused.
fn place(output: Option<&Path>, file_name: &str, inputs: &[PathBuf]) -> Outcome<Place> {
    let file = match output {
        None => PathBuf::from(file_name),
        Some(path) if path.as_os_str() == "-" => return Ok(Place::Stdout),
        Some(path) if path.is_dir() => path.join(file_name),
        Some(path) => path.to_owned(),
    };
    if let Ok(real) = file.canonicalize()
        && inputs
            .iter()
            .any(|input| input.canonicalize().is_ok_and(|input| input == real))
    {
        return Err(Failure::usage(format!(
            "the output {} is an input; give another file to -o",
            file.display()
        )));
    }
    Ok(Place::File(file))
}

/// Exit code of findings.
fn exit_of(diagnostics: &Diagnostics) -> Exit {
    if diagnostics.has_errors() {
        Exit::Findings
    } else {
        Exit::Fine
    }
}

/// Whether there is a function of that name, or a failure that lists those that exist.
fn check_function(all: &[&Name], name: Option<&str>) -> Outcome<()> {
    let Some(name) = name else { return Ok(()) };
    let wanted = Name::new(name);
    if all.iter().any(|known| **known == wanted) {
        return Ok(());
    }
    let known: Vec<&str> = all.iter().map(|name| name.as_str()).collect();
    Err(Failure::usage(if known.is_empty() {
        format!("there is no function {name}, and no other")
    } else {
        format!(
            "there is no function {name}; there are {}",
            known.join(", ")
        )
    }))
}
