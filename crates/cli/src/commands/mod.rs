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
use bp_compiler::Compilation;
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

/// How Blueprints are compiled for a command.
#[derive(Clone, Copy, Default)]
struct Compiling {
    /// With `Tracepoint` and `WireTracepoint`.
    debug_sites: bool,
    /// Functions with errors are emptied, the others compiled.
    keep_going: bool,
}

/// What the Blueprints of the inputs compile to.
struct Compiled<'a> {
    compilation: Compilation<'a>,
    /// The package; of `--keep-going` that of the functions without errors.
    package: Option<Package>,
    /// Fine, or that there are errors. With `--keep-going` there is a package beside them.
    exit: Exit,
}

/// Compiles the Blueprints of the inputs together and reports all findings.
fn compiled<'a>(
    loaded: &'a Loaded,
    libraries: &'a [&'a Blueprint],
    compiling: Compiling,
    reporter: &Reporter,
) -> Outcome<Compiled<'a>> {
    let mut compilation = pipeline::compile(loaded, libraries, compiling.debug_sites);
    let mut findings = loaded.diagnostics.clone();
    let found = std::mem::take(&mut compilation.diagnostics);
    findings.append(pipeline::independent(found, &loaded.diagnostics));
    reporter.diagnostics(&findings, &loaded.sources)?;
    if !findings.has_errors() {
        return Ok(Compiled {
            package: compilation.package.clone(),
            compilation,
            exit: Exit::Fine,
        });
    }
    let mut package = None;
    if compiling.keep_going && !loaded.blueprints.is_empty() {
        if pipeline::mark_broken(&mut compilation, &findings) {
            let (rest, emptied) = compilation.package_of_rest(&loaded.registry, loaded.engine);
            for function in emptied {
                reporter.line("note", &format!("{function} only returns: it has errors"))?;
            }
            package = Some(rest);
        } else {
            reporter.line(
                "note",
                "there is nothing to go on with: not all errors are in functions",
            )?;
        }
    }
    Ok(Compiled {
        compilation,
        package,
        exit: Exit::Findings,
    })
}

/// The packages of the inputs: those given compiled, and one that all Blueprints together compile to. Reports
/// all findings, and gives the exit code that they lead to; without a package for all Blueprints there is none
/// at all.
fn packages(loaded: &Loaded, compiling: Compiling, reporter: &Reporter) -> Outcome<(Named, Exit)> {
    let built = built(loaded, compiling, reporter)?;
    Ok((built.packages, built.exit))
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

/// Packages, with what else is known of what was compiled.
struct Built {
    packages: Named,
    symbols: Symbols,
    exit: Exit,
}

/// As [`packages`], with what else is known of what was compiled.
fn built(loaded: &Loaded, compiling: Compiling, reporter: &Reporter) -> Outcome<Built> {
    let libraries = loaded.libraries();
    let compiled = compiled(loaded, &libraries, compiling, reporter)?;
    let mut built = Built {
        packages: Vec::new(),
        symbols: Symbols::default(),
        exit: compiled.exit,
    };
    let Some(package) = compiled.package else {
        return Ok(built);
    };
    built.symbols.inputs = inputs::of(&compiled.compilation);
    for unit in compiled.compilation.units {
        let functions = unit.functions.into_iter();
        let pins = functions.map(|function| (function.ir.path, function.ir.pins));
        built.symbols.pins.extend(pins);
    }
    let name = loaded.blueprints.first();
    let own = name.map(|blueprint| (blueprint.name.to_string(), package));
    let given = loaded.compiled.iter();
    let given = given.map(|input| (input.name.clone(), input.package.clone()));
    built.packages = own.into_iter().chain(given).collect();
    Ok(built)
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
