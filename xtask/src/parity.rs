//! Parity: how many real functions compile to the engine's own bytes.
//!
//! Every package under a folder is compiled in the debug form the editor saves, and each function compared
//! with the script stored beside it: the same statements at the same in-memory offsets with the same
//! operands by name, which is the same bytes once references are resolved. Nothing is masked but the id of
//! latent calls inside macros, and in Blueprints that were renamed after they were compiled the old name of the
//! ubergraph; both are counted.

mod compare;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bp_bytecode::{Expr, Layout, decode_script};
use bp_cli::project::{self, ContextPackage};
use bp_compiler::Options;
use bp_graph::{Blueprint, BlueprintKind};
use bp_reflect::{EngineVersion, Registry};
use rayon::prelude::*;
use serde_json::json;

use self::compare::{
    cause, cause_of_error, first_difference, first_telling, kind_of, mask_latent_ids,
    rename_function, renamed_ubergraph, side_by_side,
};

/// What to compare and how to report.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder of packages; each folder in it is one project
    #[arg(default_value = "../shared/corpus/uasset")]
    dir: PathBuf,
    /// Folder or file with declarations of the projects' own C++ classes; may be repeated
    #[arg(long, default_value = "../shared/engine/declarations/project")]
    declarations: Vec<PathBuf>,
    /// Only packages whose path contains this
    #[arg(long)]
    asset: Option<String>,
    /// Only this function; shows both listings side by side
    #[arg(long)]
    function: Option<String>,
    /// Macro library (JSON) in place of the embedded standard macros, for experiments with their order
    #[arg(long)]
    macros: Option<PathBuf>,
    /// How many functions to list for each cause; 0 leaves out the causes
    #[arg(long, default_value_t = 3)]
    examples: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// File with the least number of identical functions for each engine version; fewer is a failure
    #[arg(long)]
    floor: Option<PathBuf>,
}

/// How a function compares.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Identical,
    /// Different from the statement named on; the cause groups alike differences.
    Different {
        cause: String,
    },
    NotCompiled {
        cause: String,
    },
}

struct FunctionReport {
    asset: String,
    engine: EngineVersion,
    function: String,
    kind: &'static str,
    verdict: Verdict,
    locals_equal: bool,
    masked: usize,
    /// Whether it is, or names, the ubergraph by the name from before a renaming.
    is_renamed: bool,
    listing: Option<String>,
}

/// Runs the comparison; the exit code is 1 when the floor is not held.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    if !args.dir.exists() {
        println!("parity: {} is not there; skipped", args.dir.display());
        return Ok(true);
    }
    let projects = projects(&args.dir)?;
    let reports: Vec<FunctionReport> = projects
        .par_iter()
        .map(|(name, files)| project(name, files, args))
        .collect::<Result<Vec<_>, String>>()?
        .into_iter()
        .flatten()
        .collect();
    if args.function.is_some() {
        for report in &reports {
            if let Some(listing) = &report.listing {
                println!(
                    "{} : {} (UE {})",
                    report.asset, report.function, report.engine
                );
                println!("{listing}");
            }
        }
    }
    if args.json {
        println!("{}", as_json(&reports));
    } else {
        print!("{}", summary(&reports, args.examples));
    }
    match &args.floor {
        Some(file) => holds_floor(file, &reports),
        None => Ok(true),
    }
}

/// Whether each engine version has at least as many identical functions as the floor asks.
fn holds_floor(file: &Path, reports: &[FunctionReport]) -> Result<bool, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let floor: BTreeMap<String, BTreeMap<String, usize>> =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let (by_engine, _, _) = tallies(reports);
    let mut holds = true;
    for (engine, least) in floor.get("identical").into_iter().flatten() {
        let identical = by_engine.get(engine).map_or(0, |tally| tally.identical);
        if identical < *least {
            println!(
                "parity: {identical} functions of UE {engine} are identical, the floor is {least}"
            );
            holds = false;
        } else if identical > *least {
            println!("parity: UE {engine} has risen to {identical}; raise the floor from {least}");
        }
    }
    Ok(holds)
}

/// Packages by project, the first folder below `dir`.
pub(crate) fn projects(dir: &Path) -> Result<Vec<(String, Vec<PathBuf>)>, String> {
    let mut projects = BTreeMap::new();
    for file in project::package_files(dir).map_err(|error| error.to_string())? {
        let relative = file.strip_prefix(dir).unwrap_or(&file);
        let project = relative
            .components()
            .next()
            .filter(|_| relative.components().count() > 1)
            .map_or_else(String::new, |part| {
                part.as_os_str().to_string_lossy().into_owned()
            });
        projects.entry(project).or_insert_with(Vec::new).push(file);
    }
    Ok(projects.into_iter().collect())
}

fn project(name: &str, files: &[PathBuf], args: &Args) -> Result<Vec<FunctionReport>, String> {
    let mut assets = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let shown = file
            .strip_prefix(&args.dir)
            .unwrap_or(file)
            .display()
            .to_string();
        match ContextPackage::read(shown.clone(), bytes) {
            Ok(mut asset) => {
                asset.draw();
                assets.push(asset);
            }
            Err(error) => eprintln!("{shown}: {error}"),
        }
    }
    let mut engines: Vec<EngineVersion> =
        assets.iter().map(|asset| asset.package.engine()).collect();
    engines.sort_unstable();
    engines.dedup();
    let mut reports = Vec::new();
    for engine in engines {
        let mut registry = bp_reflect::declarations::embedded(engine);
        for path in &args.declarations {
            declare(path, engine, &mut registry)?;
        }
        for asset in &assets {
            asset.declare(&mut registry);
        }
        let standard = match &args.macros {
            None => bp_graph::json::standard_macros(&registry),
            Some(file) => read_macros(file, &registry)?,
        };
        let libraries: Vec<&Blueprint> = assets
            .iter()
            .filter_map(|asset| asset.drawn.as_ref())
            .filter(|blueprint| blueprint.kind == BlueprintKind::MacroLibrary)
            .chain(std::iter::once(&standard))
            .collect();
        let found: Vec<Result<Vec<FunctionReport>, String>> = assets
            .par_iter()
            .filter(|asset| asset.package.engine() == engine)
            .filter(|asset| {
                args.asset
                    .as_ref()
                    .is_none_or(|wanted| asset.name.contains(wanted.as_str()))
            })
            .map(|asset| compare_asset(asset, &registry, &libraries, args))
            .collect();
        for found in found {
            reports.extend(found.map_err(|error| format!("{name}: {error}"))?);
        }
    }
    Ok(reports)
}

fn read_macros(file: &Path, registry: &Registry) -> Result<Blueprint, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut sources = bp_diag::Sources::default();
    let id = sources.add(file.display().to_string(), text);
    let (mut blueprints, _, diagnostics) = bp_graph::json::read(&[id], &sources, registry);
    if diagnostics.has_errors() {
        return Err(bp_diag::render::short(&diagnostics, &sources));
    }
    blueprints
        .pop()
        .ok_or_else(|| format!("{}: no Blueprint", file.display()))
}

/// Adds the declarations of a file, or of all files of a folder.
pub(crate) fn declare(
    path: &Path,
    engine: EngineVersion,
    registry: &mut Registry,
) -> Result<(), String> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        files = std::fs::read_dir(path)
            .map_err(|error| format!("{}: {error}", path.display()))?
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
            .collect();
        files.sort();
    }
    for file in files {
        if !file.exists() {
            continue;
        }
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        bp_reflect::declarations::read(&text, engine)
            .map_err(|error| format!("{}: {error}", file.display()))?
            .add_to(registry);
    }
    Ok(())
}

fn compare_asset(
    asset: &ContextPackage,
    base: &Registry,
    libraries: &[&Blueprint],
    args: &Args,
) -> Result<Vec<FunctionReport>, String> {
    let stored =
        bp_uasset::scripts(&asset.package).map_err(|error| format!("{}: {error}", asset.name))?;
    if stored.is_empty() {
        return Ok(Vec::new());
    }
    let references = bp_uasset::ScriptReferences::new(&asset.package);
    let mut registry = base.clone();
    let blueprint = asset.drawn.as_ref().ok_or("its graphs were not read")?;
    let blueprints = std::slice::from_ref(blueprint);
    let mut diagnostics = asset.declare_interfaces(&mut registry);
    diagnostics.append(bp_compiler::declare(blueprints, &mut registry));
    let options = Options {
        engine: Some(asset.package.engine()),
        debug_sites: true,
    };
    let compilation = bp_compiler::compile(blueprints, libraries, &registry, options);
    diagnostics.append(compilation.diagnostics.clone());
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == bp_diag::Severity::Error)
        .map(|diagnostic| format!("{}: {}", diagnostic.code, diagnostic.message))
        .collect();
    // A function with errors does not count, but it does not take the others with it either.
    let package = compilation.partial_package(&registry, asset.package.engine());
    let compiled = package
        .class(&blueprint.class_path)
        .map(|class| (&package, class));
    let broken: Vec<&bp_reflect::Name> = compilation
        .units
        .iter()
        .flat_map(|unit| &unit.functions)
        .filter(|function| function.has_errors)
        .map(|function| &function.ir.function.name)
        .collect();
    let renamed = renamed_ubergraph(&stored, blueprint);
    let mut reports = Vec::new();
    for script in &stored {
        let name = bp_reflect::Name::new(script.path.name());
        let own_name = match &renamed {
            Some((old, own)) if name == *old => own.clone(),
            _ => name.clone(),
        };
        if args
            .function
            .as_ref()
            .is_some_and(|wanted| name != wanted.as_str())
        {
            continue;
        }
        let theirs = decode_script(
            script.bytes,
            references.dialect(),
            references.layout(),
            &references,
        )
        .map_err(|error| format!("{} {name}: {error}", asset.name))?;
        let mut theirs: Vec<(u32, Expr)> = theirs
            .statements
            .into_iter()
            .map(|statement| (statement.offset.0, statement.expr))
            .collect();
        let mut is_renamed = false;
        if let Some((old, own)) = &renamed {
            is_renamed = name == *old;
            for (_, expr) in &mut theirs {
                is_renamed |= rename_function(expr, old, own);
            }
        }
        let kind = kind_of(&theirs, &name);
        let mut report = FunctionReport {
            asset: asset.name.clone(),
            engine: asset.package.engine(),
            function: name.to_string(),
            kind,
            verdict: Verdict::Identical,
            locals_equal: false,
            masked: 0,
            is_renamed,
            listing: None,
        };
        let ours = match &compiled {
            None => {
                let cause = errors
                    .first()
                    .cloned()
                    .unwrap_or_else(|| "no class".to_owned());
                report.verdict = Verdict::NotCompiled {
                    cause: cause_of_error(&cause),
                };
                if args.function.is_some() {
                    report.listing = Some(errors.join("\n"));
                }
                reports.push(report);
                continue;
            }
            Some((package, class)) => {
                if name.as_str().ends_with("__DelegateSignature") {
                    // A dispatcher's signature has no code of its own in our package either.
                    None
                } else {
                    match class.function(&own_name) {
                        None => {
                            let is_broken =
                                broken.contains(&&own_name) || kind == "stub" && !broken.is_empty();
                            let cause = errors.first().filter(|_| is_broken);
                            let cause = cause.map_or_else(
                                || "function missing".to_owned(),
                                |cause| cause_of_error(cause),
                            );
                            report.verdict = Verdict::NotCompiled { cause };
                            if args.function.is_some() {
                                report.listing = Some(errors.join("\n"));
                            }
                            reports.push(report);
                            continue;
                        }
                        Some(function) => {
                            let ours = decode_script(
                                &function.script,
                                package.dialect(),
                                Layout::Memory,
                                &package.references,
                            )
                            .map_err(|error| {
                                format!("{} {name}: our own script: {error}", asset.name)
                            })?;
                            Some(ours.statements)
                        }
                    }
                }
            }
        };
        let mut ours: Vec<(u32, Expr)> = match ours {
            Some(statements) => statements
                .into_iter()
                .map(|statement| (statement.offset.0, statement.expr))
                .collect(),
            None => theirs.clone(),
        };
        report.masked = mask_latent_ids(&mut ours, &theirs);
        if let Some((_, class)) = &compiled {
            if let Some(function) = class.class.functions.get(&own_name) {
                let own: Vec<_> = function
                    .locals
                    .iter()
                    .map(|local| (&local.name, &local.ty))
                    .collect();
                let stored = bp_uasset::function_of(&asset.package, &script.function);
                let real: Vec<_> = stored
                    .locals
                    .iter()
                    .map(|local| (&local.name, &local.ty))
                    .collect();
                report.locals_equal = own == real;
            } else {
                report.locals_equal = true;
            }
        }
        let first = first_difference(&ours, &theirs);
        let telling = first_telling(&ours, &theirs).or(first);
        if let Some(at) = telling {
            report.verdict = Verdict::Different {
                cause: cause(&ours, &theirs, at),
            };
        }
        if args.function.is_some() {
            report.listing = Some(side_by_side(&ours, &theirs, first));
        }
        reports.push(report);
    }
    Ok(reports)
}

/// Identical and total functions of a group.
#[derive(Default, Clone, Copy)]
struct Tally {
    identical: usize,
    different: usize,
    not_compiled: usize,
    locals: usize,
}

impl Tally {
    fn add(&mut self, report: &FunctionReport) {
        match report.verdict {
            Verdict::Identical => self.identical += 1,
            Verdict::Different { .. } => self.different += 1,
            Verdict::NotCompiled { .. } => self.not_compiled += 1,
        }
        self.locals += usize::from(report.locals_equal);
    }

    fn total(self) -> usize {
        self.identical + self.different + self.not_compiled
    }

    fn percent(self) -> f64 {
        100.0 * self.identical as f64 / self.total().max(1) as f64
    }
}

fn tallies(
    reports: &[FunctionReport],
) -> (
    BTreeMap<String, Tally>,
    BTreeMap<&'static str, Tally>,
    Tally,
) {
    let mut by_engine: BTreeMap<String, Tally> = BTreeMap::new();
    let mut by_kind: BTreeMap<&'static str, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for report in reports {
        by_engine
            .entry(format!(
                "{}.{:02}",
                report.engine.major, report.engine.minor
            ))
            .or_default()
            .add(report);
        by_kind.entry(report.kind).or_default().add(report);
        all.add(report);
    }
    (by_engine, by_kind, all)
}

fn summary(reports: &[FunctionReport], examples: usize) -> String {
    let (by_engine, by_kind, all) = tallies(reports);
    let mut out = String::new();
    let mut causes: BTreeMap<String, Vec<&FunctionReport>> = BTreeMap::new();
    for report in reports {
        let key = match &report.verdict {
            Verdict::Identical => continue,
            Verdict::Different { cause } => format!("differs: {cause}"),
            Verdict::NotCompiled { cause } => format!("not compiled: {cause}"),
        };
        causes.entry(key).or_default().push(report);
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(cause, list)| (std::cmp::Reverse(list.len()), cause.clone()));
    for (cause, list) in causes.iter().filter(|_| examples > 0) {
        let _ = writeln!(out, "{:5}  {cause}", list.len());
        for report in list.iter().take(examples) {
            let _ = writeln!(
                out,
                "         {} : {} (UE {})",
                report.asset, report.function, report.engine
            );
        }
    }
    let _ = writeln!(
        out,
        "\n{:<12} {:>9} {:>9} {:>12} {:>7} {:>14}",
        "", "identical", "different", "not compiled", "", "locals equal"
    );
    let line = |out: &mut String, name: &str, tally: &Tally| {
        let _ = writeln!(
            out,
            "{name:<12} {:>9} {:>9} {:>12} {:>6.1}% {:>14}",
            tally.identical,
            tally.different,
            tally.not_compiled,
            tally.percent(),
            tally.locals
        );
    };
    for (engine, tally) in &by_engine {
        line(&mut out, engine, tally);
    }
    for (kind, tally) in &by_kind {
        line(&mut out, kind, tally);
    }
    line(&mut out, "all", &all);
    let masked: usize = reports.iter().map(|report| report.masked).sum();
    let _ = writeln!(out, "latent ids masked (macro copies): {masked}");
    let renamed = reports.iter().filter(|report| report.is_renamed).count();
    let _ = writeln!(
        out,
        "functions with the ubergraph's name from before a renaming: {renamed}"
    );
    out
}

fn as_json(reports: &[FunctionReport]) -> serde_json::Value {
    let (by_engine, by_kind, all) = tallies(reports);
    let tally = |tally: &Tally| json!({"identical": tally.identical, "different": tally.different, "not_compiled": tally.not_compiled, "locals_equal": tally.locals});
    json!({
        "all": tally(&all),
        "by_engine": by_engine.iter().map(|(name, t)| (name.clone(), tally(t))).collect::<serde_json::Map<_, _>>(),
        "by_kind": by_kind.iter().map(|(name, t)| ((*name).to_owned(), tally(t))).collect::<serde_json::Map<_, _>>(),
        "functions": reports.iter().map(|report| {
            let (verdict, cause) = match &report.verdict {
                Verdict::Identical => ("identical", None),
                Verdict::Different { cause } => ("different", Some(cause)),
                Verdict::NotCompiled { cause } => ("not_compiled", Some(cause)),
            };
            json!({"asset": report.asset, "engine": report.engine.to_string(), "function": report.function,
                   "kind": report.kind, "verdict": verdict, "cause": cause, "locals_equal": report.locals_equal, "masked": report.masked,
                   "renamed": report.is_renamed})
        }).collect::<Vec<_>>(),
    })
}
