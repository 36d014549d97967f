//! `import-report`: what is read out of real packages, and whether it comes back when it is written.
//!
//! One line a package: nodes, pins and links that it stores, functions that nothing declares, members of its
//! class, what was left out, and whether the Blueprint came back equal from JSON and each of its graphs from
//! clipboard text. Then the totals, with what differs grouped by cause.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bp_cli::project::package_files;
use bp_tests::import::{Engines, Import, Totals, causes, import};
use rayon::prelude::*;
use serde_json::{Value as Json, json};

/// What to read and how to report.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder of packages, or one package
    #[arg(default_value = "../shared/corpus/uasset")]
    dir: PathBuf,
    /// Only packages whose path contains this; shows all that was found in them
    #[arg(long)]
    package: Option<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Show the totals only
    #[arg(short, long)]
    quiet: bool,
    /// File with the totals that must be reached; other counts and fewer round trips are a failure
    #[arg(long)]
    floor: Option<PathBuf>,
}

/// Runs the report. It is fine when every package is read, every link is symmetric, every round trip gives
/// the same, and the floor is held.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    if !args.dir.exists() {
        println!(
            "import-report: {} is not there; skipped",
            args.dir.display()
        );
        return Ok(true);
    }
    let engines = Engines::default();
    let reports: Vec<Import> = package_files(&args.dir)
        .map_err(|error| error.to_string())?
        .par_iter()
        .filter_map(|file| {
            let shown = shown(file, &args.dir);
            let wanted = args.package.as_ref();
            if wanted.is_some_and(|wanted| !shown.contains(wanted.as_str())) {
                return None;
            }
            let bytes = std::fs::read(file).map_err(|error| format!("{shown}: {error}"));
            Some(bytes.map(|bytes| import(&shown, bytes, &engines)))
        })
        .collect::<Result<_, _>>()?;
    if let (true, Some(wanted)) = (reports.is_empty(), &args.package) {
        return Err(format!(
            "no package under {} has {wanted} in its path",
            args.dir.display()
        ));
    }
    let totals = Totals::of(&reports);
    if args.json {
        println!("{}", as_json(&reports, &totals));
    } else {
        print!("{}", as_text(&reports, &totals, args));
    }
    let holds = match &args.floor {
        Some(file) => holds_floor(file, &totals)?,
        None => true,
    };
    let is_fine = totals.refused == 0
        && totals.asymmetric == 0
        && totals.findings == 0
        && totals.json.0 == totals.json.1
        && totals.clipboard.0 == totals.clipboard.1;
    Ok(holds && is_fine)
}

fn shown(file: &Path, dir: &Path) -> String {
    let relative = file.strip_prefix(dir).unwrap_or(file);
    let path = if relative.as_os_str().is_empty() {
        file
    } else {
        relative
    };
    path.display().to_string().replace('\\', "/")
}

fn as_text(reports: &[Import], totals: &Totals, args: &Args) -> String {
    let mut out = String::new();
    if !args.quiet {
        let _ = writeln!(
            out,
            "  nodes   pins  links undeclared members left out  JSON  clipboard  package"
        );
        for report in reports {
            line(&mut out, report);
            if args.package.is_some() {
                detail(&mut out, report);
            }
        }
        let _ = writeln!(out);
        let groups = [
            (
                "JSON",
                reports
                    .iter()
                    .map(|r| &r.json.differences)
                    .collect::<Vec<_>>(),
            ),
            (
                "clipboard text",
                reports.iter().map(|r| &r.clipboard.differences).collect(),
            ),
            ("reading", reports.iter().map(|r| &r.findings).collect()),
            ("left out", reports.iter().map(|r| &r.left_out).collect()),
        ];
        for (name, lists) in groups {
            for (cause, n) in causes(lists.into_iter().flatten()) {
                let _ = writeln!(out, "{n:6}  {name}: {cause}");
            }
        }
        let _ = writeln!(out);
    }
    for (name, value) in totals.rows() {
        let _ = writeln!(out, "{name:<28}{value:>8}");
    }
    let _ = writeln!(
        out,
        "{:<28}{:>8} of {}",
        "equal after JSON", totals.json.0, totals.json.1
    );
    let _ = writeln!(
        out,
        "{:<28}{:>8} of {}",
        "equal after clipboard text", totals.clipboard.0, totals.clipboard.1
    );
    out
}

fn line(out: &mut String, report: &Import) {
    if let Some(reason) = &report.refused {
        let _ = writeln!(out, "refused: {reason}: {}", report.name);
        return;
    }
    let _ = writeln!(
        out,
        "{:7}{:7}{:7}{:11}{:8}{:9}  {:<5} {:>4}/{:<5}  {} ({}, UE {})",
        report.stored.nodes,
        report.stored.pins,
        report.stored.link_ends / 2,
        report.undeclared.len(),
        report.members.sum(),
        report.left_out.len(),
        if report.json.differences.is_empty() {
            "equal"
        } else {
            "not"
        },
        report.clipboard.n_equal(),
        report.clipboard.n_tried,
        report.name,
        if report.kind.is_empty() {
            "no Blueprint"
        } else {
            &report.kind
        },
        report.engine,
    );
}

fn detail(out: &mut String, report: &Import) {
    let (stored, model) = (report.stored, report.model);
    let _ = writeln!(
        out,
        "    stored: {} graphs, {} nodes, {} pins, {} link ends, {} of them asymmetric",
        stored.graphs, stored.nodes, stored.pins, stored.link_ends, report.n_asymmetric
    );
    let _ = writeln!(
        out,
        "    model: {} graphs, {} nodes, {} pins, {} link ends",
        model.graphs, model.nodes, model.pins, model.link_ends
    );
    for (name, n) in report.members.rows() {
        if n > 0 {
            let _ = writeln!(out, "    {name}: {n}");
        }
    }
    let lists = [
        ("left out", &report.left_out),
        ("finding", &report.findings),
        ("undeclared", &report.undeclared),
        ("JSON", &report.json.differences),
        ("clipboard text", &report.clipboard.differences),
    ];
    for (name, list) in lists {
        for entry in list {
            let _ = writeln!(out, "    {name}: {entry}");
        }
    }
}

fn as_json(reports: &[Import], totals: &Totals) -> Json {
    let counts = |counts: &bp_tests::import::Counts| json!({"graphs": counts.graphs, "nodes": counts.nodes, "pins": counts.pins, "link_ends": counts.link_ends});
    let trip = |trip: &bp_tests::import::Trip| json!({"tried": trip.n_tried, "equal": trip.n_equal(), "differences": trip.differences});
    let mut sums: serde_json::Map<String, Json> = totals
        .rows()
        .into_iter()
        .map(|(name, value)| (name.replace(' ', "_"), json!(value)))
        .collect();
    let equal = |(equal, tried): (usize, usize)| json!({"tried": tried, "equal": equal});
    sums.insert("json".to_owned(), equal(totals.json));
    sums.insert("clipboard".to_owned(), equal(totals.clipboard));
    json!({
        "totals": sums,
        "packages": reports.iter().map(|report| json!({
            "name": report.name,
            "engine": report.engine,
            "kind": report.kind,
            "refused": report.refused,
            "stored": counts(&report.stored),
            "asymmetric": report.n_asymmetric,
            "model": counts(&report.model),
            "members": report.members.rows().into_iter().map(|(name, n)| (name.to_owned(), json!(n)))
                .collect::<serde_json::Map<_, _>>(),
            "left_out": report.left_out,
            "findings": report.findings,
            "undeclared": report.undeclared,
            "json": trip(&report.json),
            "clipboard": trip(&report.clipboard),
        })).collect::<Vec<_>>(),
    })
}

/// Whether counts are those of the file, and at least as many round trips give the same.
fn holds_floor(file: &Path, totals: &Totals) -> Result<bool, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let floor: BTreeMap<String, BTreeMap<String, usize>> =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let section = |name: &str| floor.get(name).into_iter().flatten();
    let rows = totals.rows();
    let mut holds = true;
    for (name, expected) in section("counts") {
        let found = rows
            .iter()
            .find(|(row, _)| row.replace(' ', "_") == *name)
            .map(|(_, value)| *value);
        if found != Some(*expected) {
            println!("import-report: {name} is {found:?}, expected {expected}");
            holds = false;
        }
    }
    for (name, least) in section("equal") {
        let found = match name.as_str() {
            "json" => totals.json.0,
            "clipboard" => totals.clipboard.0,
            _ => return Err(format!("{}: no round trip is named {name}", file.display())),
        };
        if found < *least {
            println!("import-report: {found} are equal after {name}, the floor is {least}");
            holds = false;
        }
    }
    Ok(holds)
}
