//! `replay`: real functions run as the engine stored them and as ours compiles them.
//!
//! A function whose scripts are the same must give the same; those that differ may not, which
//! `parity` measures.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use bp_cli::project::ContextPackage;
use bp_graph::{Blueprint, BlueprintKind};
use bp_reflect::EngineVersion;
use bp_tests::replay::{Outcome, Replayed, package};
use rayon::prelude::*;

use crate::parity;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of packages; each folder in it is one project
    #[arg(default_value = "../shared/corpus/uasset")]
    dir: PathBuf,
    /// Folder or file with declarations of the projects' own C++ classes; may be repeated
    #[arg(long, default_value = "../shared/engine/declarations/project")]
    declarations: Vec<PathBuf>,
    /// Only functions whose path contains this, each with what became of it
    #[arg(long)]
    function: Option<String>,
    /// File with the least number of functions that run and give the same; fewer is a failure
    #[arg(long)]
    floor: Option<PathBuf>,
}

/// Runs the functions; false if one with the same script differs, or fewer are equal than the floor asks.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    if !args.dir.exists() {
        println!("replay: {} is not there; skipped", args.dir.display());
        return Ok(true);
    }
    let started = Instant::now();
    let projects = parity::projects(&args.dir)?;
    let found: Vec<Replayed> = crate::pool().install(|| {
        let found: Result<Vec<Vec<Replayed>>, String> = projects
            .par_iter()
            .map(|(_, files)| project(files, args))
            .collect();
        found.map(|found| found.into_iter().flatten().collect())
    })?;
    if let Some(wanted) = &args.function {
        for one in found
            .iter()
            .filter(|one| one.path.as_str().contains(wanted.as_str()))
        {
            println!("{}: {:?}", one.path, one.outcome);
        }
    }
    let is_fine = report(&found, args)?;
    println!("replay: {:.1?}", started.elapsed());
    Ok(is_fine)
}

fn project(files: &[PathBuf], args: &Args) -> Result<Vec<Replayed>, String> {
    let mut assets = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let shown = file.display().to_string();
        let mut asset = ContextPackage::read(shown.clone(), bytes)
            .map_err(|error| format!("{shown}: {error}"))?;
        asset.draw();
        assets.push(asset);
    }
    let mut engines: Vec<EngineVersion> =
        assets.iter().map(|asset| asset.package.engine()).collect();
    engines.sort_unstable();
    engines.dedup();
    let mut out = Vec::new();
    for engine in engines {
        let mut registry = bp_reflect::declarations::embedded(engine);
        for path in &args.declarations {
            parity::declare(path, engine, &mut registry)?;
        }
        for asset in &assets {
            asset.declare(&mut registry);
        }
        let standard = bp_graph::json::standard_macros(&registry);
        let libraries: Vec<&Blueprint> = assets
            .iter()
            .filter_map(|asset| asset.drawn.as_ref())
            .filter(|blueprint| blueprint.kind == BlueprintKind::MacroLibrary)
            .chain(std::iter::once(&standard))
            .collect();
        let of_engine: Vec<Vec<Replayed>> = assets
            .par_iter()
            .filter(|asset| asset.package.engine() == engine)
            .map(|asset| package(asset, &registry, &libraries))
            .collect();
        out.extend(of_engine.into_iter().flatten());
    }
    Ok(out)
}

fn report(found: &[Replayed], args: &Args) -> Result<bool, String> {
    let mut excluded: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut equal, mut equal_of_other_bytes) = (0, 0);
    let mut different = Vec::new();
    for one in found {
        match &one.outcome {
            Outcome::Equal => {
                equal += 1;
                equal_of_other_bytes += usize::from(!one.same_script);
            }
            Outcome::Different(what) => different.push((one, what)),
            Outcome::Excluded(why) => {
                // Which class cannot be made is told by the first words.
                let why = why.split(": ").next().unwrap_or(why);
                *excluded.entry(why).or_default() += 1;
            }
        }
    }
    let n_run = equal + different.len();
    println!("{} functions with a stored script", found.len());
    println!(
        "{n_run} run to their ends in both forms, {equal} with the same results, lines and variables; of these {equal_of_other_bytes} have scripts that differ"
    );
    for (why, n) in &excluded {
        println!("{n:>8}  left out: {why}");
    }
    for (one, what) in &different {
        let same = if one.same_script {
            " (FAIL: the same script)"
        } else {
            ""
        };
        println!("DIFFERENT  {}{same}: {what}", one.path);
    }
    // Scripts that differ may do different things, which parity measures; the same script may not.
    let mut holds = !different.iter().any(|(one, _)| one.same_script);
    let Some(file) = &args.floor else {
        return Ok(holds);
    };
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let floor: BTreeMap<String, BTreeMap<String, usize>> =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let least = floor.get("least").and_then(|least| least.get("equal"));
    let least = least.copied().unwrap_or(0);
    if equal < least {
        println!("replay: {equal} functions give the same, the floor is {least}");
        holds = false;
    }
    Ok(holds)
}
