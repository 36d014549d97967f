//! `corpus`: what is read and given back of real packages, in figures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bp_cli::project::package_files;
use bp_tests::reader::{self, Comparison, Tool};
use bp_tests::stored::{Figures, Measured, measure};
use rayon::prelude::*;

/// What to measure and how to report.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder of packages
    #[arg(default_value = "../shared/corpus/uasset")]
    dir: PathBuf,
    /// Compare every tree with this independent reader too (needs python3)
    #[arg(
        long,
        value_name = "SCRIPT",
        num_args = 0..=1,
        default_missing_value = "../shared/tools/extract.py"
    )]
    reader: Option<PathBuf>,
    /// File with the least value of each figure; less is a failure
    #[arg(long)]
    floor: Option<PathBuf>,
    /// How many problems to print
    #[arg(long, default_value_t = 20)]
    problems: usize,
}

struct Report {
    name: String,
    measured: Measured,
    comparison: Option<Result<Comparison, String>>,
}

/// Measures; false when something does not hold or the floor is not reached.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    if !args.dir.exists() {
        println!("corpus: {} is not there; skipped", args.dir.display());
        return Ok(true);
    }
    let tool = match &args.reader {
        None => None,
        Some(script) => match Tool::new(script) {
            Ok(tool) => Some(tool),
            Err(missing) => {
                println!("corpus: {missing}; the comparison is skipped");
                None
            }
        },
    };
    let started = Instant::now();
    let files = package_files(&args.dir).map_err(|error| error.to_string())?;
    let reports: Vec<Report> = crate::pool().install(|| {
        files
            .par_iter()
            .map(|file| report(file, args, tool.as_ref()))
            .collect::<Result<_, String>>()
    })?;
    summarize(&reports, args, started)
}

fn report(file: &Path, args: &Args, tool: Option<&Tool>) -> Result<Report, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let name = file
        .strip_prefix(&args.dir)
        .unwrap_or(file)
        .display()
        .to_string();
    let (package, measured) = measure(bytes);
    let comparison = match (tool, package) {
        (Some(tool), Some(package)) if measured.figures.decoded.of > 0 => Some(
            tool.read(file)
                .and_then(|theirs| reader::compare(&package, &theirs)),
        ),
        _ => None,
    };
    Ok(Report {
        name,
        measured,
        comparison,
    })
}

fn summarize(reports: &[Report], args: &Args, started: Instant) -> Result<bool, String> {
    let mut total = Figures::default();
    let mut by_engine: BTreeMap<String, Figures> = BTreeMap::new();
    let mut problems = Vec::new();
    let mut compared = Comparison::default();
    for report in reports {
        let measured = &report.measured;
        total.add(&measured.figures);
        let engine = measured.engine.map_or_else(
            || "none".to_owned(),
            |engine| format!("{}.{:02}", engine.major, engine.minor),
        );
        by_engine.entry(engine).or_default().add(&measured.figures);
        let here = |what: &String| format!("{}: {what}", report.name);
        problems.extend(measured.problems.iter().map(here));
        match &report.comparison {
            None => {}
            Some(Ok(found)) => {
                compared.functions += found.functions;
                compared.statements += found.statements;
                compared.expressions += found.expressions;
                compared
                    .differences
                    .extend(found.differences.iter().map(here));
            }
            Some(Err(error)) => compared.differences.push(here(error)),
        }
    }
    problems.extend(compared.differences.iter().cloned());
    for problem in problems.iter().take(args.problems) {
        println!("FAIL  {problem}");
    }
    if problems.len() > args.problems {
        println!("… and {} more", problems.len() - args.problems);
    }
    let mut holds = problems.is_empty();
    for (_, shown, tally) in total.tallies() {
        println!("{shown:<48} {:>6} of {:>6}", tally.hold, tally.of);
        holds &= tally.hold == tally.of;
    }
    println!(
        "{} statements, {} bytes on disk, {} bytes in memory",
        total.n_statements, total.n_disk_bytes, total.n_memory_bytes
    );
    let versions: Vec<String> = by_engine
        .iter()
        .filter(|(_, figures)| figures.decoded.of > 0)
        .map(|(engine, figures)| {
            let (major, minor) = engine.split_once('.').unwrap_or((engine, "0"));
            let minor = minor.trim_start_matches('0');
            let minor = if minor.is_empty() { "0" } else { minor };
            format!("{major}.{minor} {}", figures.decoded.hold)
        })
        .collect();
    println!("scripts by engine version: {}", versions.join(", "));
    if compared.functions > 0 || !compared.differences.is_empty() {
        println!(
            "compared with the independent reader: {} functions, {} differ; {} statements and {} expressions are equal",
            compared.functions,
            compared.differences.len(),
            compared.statements,
            compared.expressions
        );
    }
    if let Some(file) = &args.floor {
        holds &= reaches_floor(file, &total)?;
    }
    println!("corpus: {:.1?}", started.elapsed());
    Ok(holds)
}

/// Whether each figure is at least what the file asks.
fn reaches_floor(file: &Path, total: &Figures) -> Result<bool, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let floor: BTreeMap<String, BTreeMap<String, usize>> =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let tallies = total.tallies();
    let mut reaches = true;
    for (key, least) in floor.get("least").into_iter().flatten() {
        let Some((_, shown, tally)) = tallies.iter().find(|(known, ..)| known == key) else {
            return Err(format!("{}: there is no figure {key}", file.display()));
        };
        if tally.hold < *least {
            println!("corpus: {shown}: {}, the floor is {least}", tally.hold);
            reaches = false;
        }
    }
    Ok(reaches)
}
