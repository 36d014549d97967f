//! `bpc dis`: bytecode as text.

use std::collections::{BTreeMap, BTreeSet};

use bp_bytecode::asm::{self, Comments, PrintOptions};
use bp_bytecode::{Expr, Opcode, Package};
use bp_reflect::{EngineVersion, Name, Registry, declarations};
use rayon::prelude::*;

use super::{Compiling, check_function, packages};
use crate::args::{DisArgs, Style, Unknown};
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, Input};
use crate::kind::Kind;
use crate::load;
use crate::pipeline::{self, Fault};
use crate::report::{Reporter, counted};

pub(crate) fn run(args: &DisArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let path = &args.source.file;
    let mut inputs = input::read_all(
        std::slice::from_ref(path),
        args.source.reading.from,
        console,
    )?;
    let is_folder = path.is_dir();
    if is_folder {
        inputs.retain(|input| input.kind == Some(Kind::Uasset));
        if inputs.is_empty() {
            let message = format!("no .uasset or .umap was found in {}", path.display());
            return Err(Failure::usage(message));
        }
    }
    let mut exit = Exit::Fine;
    let mut listings = Vec::new();
    if inputs.iter().all(|input| input.kind == Some(Kind::Uasset)) {
        let read: Vec<_> = inputs.par_iter().map(read).collect();
        let registries = registries(args, &read);
        let made: Vec<_> = inputs
            .par_iter()
            .zip(read)
            .map(|(input, read)| {
                read.map(|bytecode| {
                    let declared = registries.get(&bytecode.package.engine);
                    let mut registry = declared.cloned().unwrap_or_default();
                    for structure in &bytecode.package.structs {
                        registry.add_struct(structure.clone());
                    }
                    listing(input, bytecode, args, is_folder, &registry)
                })
            })
            .collect();
        for result in made {
            match result {
                Ok(listing) => listings.push(listing),
                Err(refusal) => {
                    reporter.diagnostics(&refusal.diagnostics, &refusal.sources)?;
                    exit = Exit::Findings;
                }
            }
        }
    } else {
        let loaded = load::load(&inputs, &(&args.source.reading).into())?;
        let (packages, exit) = packages(&loaded, Compiling::default(), reporter)?;
        if exit != Exit::Fine {
            return Ok(exit);
        }
        for ((_, package), input) in packages.into_iter().zip(&inputs) {
            let faults = pipeline::faults(&package);
            let bytecode = Bytecode {
                package,
                faults,
                disk_bytes: None,
            };
            listings.push(listing(input, bytecode, args, is_folder, &loaded.registry));
        }
    }
    if args.function.is_some() {
        let names: Vec<_> = listings.iter().flat_map(|listing| &listing.names).collect();
        check_function(&names, args.function.as_deref())?;
    }
    let mut total = Summary::default();
    for listing in &listings {
        for fault in &listing.faults {
            let place = if is_folder {
                format!("{}: {fault}", listing.name)
            } else {
                fault.to_string()
            };
            reporter.line("error", &place)?;
            exit = Exit::Findings;
        }
        console.stdout.text(&listing.text)?;
        total.add(&listing.summary);
    }
    if args.summary {
        console.stdout.text(&total.table(listings.len()))?;
    }
    Ok(exit)
}

/// A package's bytecode.
struct Bytecode {
    package: Package,
    /// In order of the functions.
    faults: Vec<Fault>,
    /// Bytes of all scripts as the file stores them, if it stores them in another form than ours.
    disk_bytes: Option<usize>,
}

/// What is said of one file.
struct Listing {
    name: String,
    text: String,
    faults: Vec<Fault>,
    names: Vec<Name>,
    summary: Summary,
}

/// Why a file is not read.
struct Refusal {
    diagnostics: bp_diag::Diagnostics,
    sources: bp_diag::Sources,
}

fn read(input: &Input) -> Result<Bytecode, Refusal> {
    let refusal = |error: bp_uasset::PackageError| {
        let mut diagnostics = bp_diag::Diagnostics::new();
        diagnostics.push(bp_diag::Diagnostic::new(
            error.code(),
            format!("{}: {error}", input.name),
        ));
        Refusal {
            diagnostics,
            sources: bp_diag::Sources::default(),
        }
    };
    let stored = bp_uasset::Package::read(input.bytes.as_slice()).map_err(refusal)?;
    let (package, faults) = pipeline::stored_package(&stored).map_err(refusal)?;
    let scripts = bp_uasset::scripts(&stored).map_err(refusal)?;
    Ok(Bytecode {
        package,
        faults,
        disk_bytes: Some(scripts.iter().map(|script| script.bytes.len()).sum()),
    })
}

/// The engine's declarations of each version that occurs, for the style that shows offsets.
fn registries(
    args: &DisArgs,
    read: &[Result<Bytecode, Refusal>],
) -> BTreeMap<EngineVersion, Registry> {
    if args.style != Style::Ue {
        return BTreeMap::new();
    }
    let packages = read.iter().flatten();
    let engines: BTreeSet<_> = packages.map(|read| read.package.engine).collect();
    engines
        .into_par_iter()
        .map(|engine| (engine, declarations::embedded(engine)))
        .collect()
}

fn listing(
    input: &Input,
    mut bytecode: Bytecode,
    args: &DisArgs,
    is_folder: bool,
    registry: &Registry,
) -> Listing {
    let only = args.function.as_ref().map(Name::new);
    let names = pipeline::functions(&bytecode.package, None)
        .map(|(_, name, _)| name.clone())
        .collect();
    if let Some(only) = &only {
        let is_meant = |fault: &Fault| Name::new(fault.function.name()) == *only;
        bytecode.faults.retain(is_meant);
    }
    if args.unknown == Unknown::Stop {
        stop(&mut bytecode);
    }
    let summary = Summary::of(&bytecode);
    let mut text = String::new();
    if args.summary {
        text = summary.line(&input.name);
    } else {
        if is_folder {
            text = format!("; {}\n", input.name.escape_debug());
        }
        text += &shown(&bytecode, args.style, only.as_ref(), registry);
        if is_folder {
            text.push('\n');
        }
    }
    Listing {
        name: input.name.clone(),
        text,
        faults: bytecode.faults,
        names,
        summary,
    }
}

/// Takes off what follows the first function with a fault.
fn stop(bytecode: &mut Bytecode) {
    let Some(fault) = bytecode.faults.first() else {
        return;
    };
    let classes = &mut bytecode.package.classes;
    let found = classes.iter().enumerate().find_map(|(index, class)| {
        let outer = fault.function.outer()?;
        let name = Name::new(fault.function.name());
        let function = class.class.functions.get_index_of(&name)?;
        (class.class.path == outer).then_some((index, function))
    });
    if let Some((class, function)) = found {
        classes.truncate(class + 1);
        classes[class].class.functions.truncate(function + 1);
        classes[class].functions.truncate(function + 1);
    }
    bytecode.faults.truncate(1);
}

fn shown(bytecode: &Bytecode, style: Style, only: Option<&Name>, registry: &Registry) -> String {
    let package = &bytecode.package;
    // A fault of a compiled package is found again by the printer, which says so.
    let comments: Comments = match bytecode.disk_bytes {
        None => Comments::new(),
        Some(_) => bytecode
            .faults
            .iter()
            .map(|fault| (fault.function.clone(), fault.message.clone()))
            .collect(),
    };
    match style {
        Style::Bpasm if only.is_none() => {
            asm::print_with(package, PrintOptions::READABLE, &comments)
        }
        Style::Bpasm => pipeline::functions(package, only)
            .filter_map(|(class, name, _)| {
                asm::print_function(package, class, name, PrintOptions::READABLE, &comments)
            })
            .collect(),
        Style::Ue => pipeline::functions(package, only)
            .map(|(class, name, code)| {
                pipeline::editor_listing(package, class, name, code, registry)
            })
            .collect(),
    }
}

/// The figures of `--summary`.
#[derive(Default)]
struct Summary {
    engine: Option<EngineVersion>,
    functions: usize,
    scripts: usize,
    statements: usize,
    memory_bytes: usize,
    disk_bytes: usize,
    faults: usize,
    opcodes: BTreeMap<Opcode, usize>,
}

impl Summary {
    fn of(bytecode: &Bytecode) -> Self {
        let package = &bytecode.package;
        let mut summary = Self {
            engine: Some(package.engine),
            disk_bytes: bytecode.disk_bytes.unwrap_or(0),
            faults: bytecode.faults.len(),
            ..Self::default()
        };
        for (_, _, code) in pipeline::functions(package, None) {
            summary.functions += 1;
            summary.scripts += usize::from(!code.script.is_empty());
            summary.memory_bytes += code.script.len();
            for statement in pipeline::readable(package, code).statements {
                summary.statements += 1;
                count(&statement.expr, &mut summary.opcodes);
            }
        }
        summary
    }

    fn add(&mut self, other: &Self) {
        self.functions += other.functions;
        self.scripts += other.scripts;
        self.statements += other.statements;
        self.memory_bytes += other.memory_bytes;
        self.disk_bytes += other.disk_bytes;
        self.faults += other.faults;
        for (op, n) in &other.opcodes {
            *self.opcodes.entry(*op).or_default() += n;
        }
    }

    fn line(&self, name: &str) -> String {
        let engine = self
            .engine
            .map_or_else(String::new, |engine| engine.to_string());
        format!(
            "{engine:<5} {:>5} functions {:>5} scripts {:>7} statements {:>8} bytes in memory {:>8} on disk  {}\n",
            self.functions,
            self.scripts,
            self.statements,
            self.memory_bytes,
            self.disk_bytes,
            name.escape_debug()
        )
    }

    fn table(&self, n_packages: usize) -> String {
        let mut text = format!(
            "\n{}, {}, {}, {}, {} in memory, {} on disk\n",
            counted(n_packages, "package"),
            counted(self.functions, "function"),
            counted(self.scripts, "script"),
            counted(self.statements, "statement"),
            counted(self.memory_bytes, "byte"),
            counted(self.disk_bytes, "byte"),
        );
        if self.faults > 0 {
            let s = if self.faults == 1 { " is" } else { "s are" };
            text += &format!("{} script{s} shown in part\n", self.faults);
        }
        let mut opcodes: Vec<_> = self.opcodes.iter().collect();
        opcodes.sort_by_key(|(op, n)| (std::cmp::Reverse(**n), **op));
        if !opcodes.is_empty() {
            text.push('\n');
        }
        for (op, n) in opcodes {
            text += &format!("{n:>8}  0x{:02X}  {}\n", op.byte(), op.name());
        }
        text
    }
}

/// Counts an expression's opcodes; terminators are no expressions.
fn count(expr: &Expr, opcodes: &mut BTreeMap<Opcode, usize>) {
    *opcodes.entry(expr.op).or_default() += 1;
    for child in expr.children() {
        count(child, opcodes);
    }
}
