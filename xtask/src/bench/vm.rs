//! `bench vm`: how fast compiled graphs run, against machine code and other interpreters.
//!
//! All engines run a program one behind the other, so that they share what the machine does meanwhile; ratios
//! are taken within such a round. One thread, processor time, medians of five after one that warms up. Each
//! result is compared with that of machine code.

use std::path::PathBuf;

use super::clock::{self, timed};
use super::machine::{self, Machine};
use super::ours::{Compiled, Tier};
use super::peers::{self, Peer, Places};
use super::report::{self, Report, Round, Row};
use super::workloads::{self, Workload, is_same};
use super::{Sample, sample, start};

/// What to measure and how to report.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only the program whose key begins so, or whose graph is called so (`b`, `b_loop`, `SumByThirds`); and no start
    #[arg(long, default_value = "")]
    workload: String,
    /// How often everything is measured; figures are medians of the rounds
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Only these interpreters of ours
    #[arg(long, value_enum)]
    tier: Vec<Tier>,
    /// Folder of the programs in other languages
    #[arg(long, default_value = "../shared/perf/programs")]
    programs: PathBuf,
    /// Leave out other interpreters
    #[arg(long)]
    no_peers: bool,
    /// Leave out loading and starting
    #[arg(long)]
    no_start: bool,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// Write docs/performance.md too, if all results are right
    #[arg(long, conflicts_with_all = ["workload", "tier", "no_peers", "no_start"])]
    write: bool,
}

/// Name of machine code in reports.
pub(crate) const NATIVE: &str = "native Rust";

/// Measures; a program that gives a wrong result makes it fail, when all is told.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    let workloads: Vec<Workload> = workloads::ALL
        .into_iter()
        .filter(|workload| {
            workload.key.starts_with(&args.workload)
                || workload.graph.eq_ignore_ascii_case(&args.workload)
        })
        .collect();
    if workloads.is_empty() {
        return Err(format!("there is no program `{}`", args.workload));
    }
    if args.rounds == 0 {
        return Err("of no round there is no median".to_owned());
    }
    let mut report = Report {
        machine: Machine::this(),
        workloads: workloads.clone(),
        tiers: Tier::ALL.to_vec(),
        ..Report::default()
    };
    if !args.tier.is_empty() {
        report.tiers.retain(|tier| args.tier.contains(tier));
    }
    let root = bp_tests::root();
    let build = root.join("target/bench-peers");
    if !args.no_start && args.workload.is_empty() {
        report.loading = start::loading()?;
        match start::cold(&build) {
            Ok(cold) => report.cold = Some(cold),
            Err(error) => report.missing.push(("cold start".to_owned(), error)),
        }
    }
    let mut peers = Vec::new();
    if !args.no_peers {
        let places = Places {
            programs: root.join(&args.programs),
            build,
        };
        for kind in peers::Kind::ALL {
            match places.peer(kind) {
                Ok(peer) => {
                    let name = kind.name().to_owned();
                    report.versions.push((name, peer.version.clone()));
                    peers.push(peer);
                }
                Err(why) => report.missing.push((kind.name().to_owned(), why)),
            }
        }
    }
    let programs: Vec<Compiled> = workloads
        .iter()
        .map(|workload| Compiled::new(*workload))
        .collect::<Result<_, _>>()?;
    for _ in 0..args.rounds {
        let before = machine::load();
        let mut rows = Vec::new();
        for (workload, program) in workloads.iter().zip(&programs) {
            rows.extend(of_one(
                *workload,
                program,
                &report.tiers,
                &peers,
                &mut report.errors,
            ));
        }
        report.rounds.push(Round {
            load: (before, machine::load()),
            rows,
        });
    }
    if args.json {
        println!("{}", report::as_json(&report));
    } else {
        print!("{}", report::as_text(&report));
    }
    if args.write && report.errors.is_empty() {
        let folder = root.join("docs");
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(folder.join("performance.md"), report::as_page(&report)))
            .map_err(|error| format!("docs/performance.md: {error}"))?;
    }
    for error in &report.errors {
        eprintln!("bench vm: {error}");
    }
    Ok(report.errors.is_empty())
}

/// One program in all engines.
fn of_one(
    workload: Workload,
    program: &Compiled,
    tiers: &[Tier],
    peers: &[Peer],
    errors: &mut Vec<String>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |engine: &str, sample: Result<Sample, String>| match sample {
        Ok(sample) => rows.push(Row {
            engine: engine.to_owned(),
            key: workload.key,
            sample,
        }),
        Err(error) => errors.push(error),
    };
    for tier in tiers {
        let inputs = tier.inputs(&workload);
        let measured = program.measure(*tier, inputs).and_then(|sample| {
            let expected = workload.native(inputs);
            if is_same(sample.result, expected) {
                Ok(sample)
            } else {
                let (name, key) = (tier.name(), workload.key);
                Err(format!(
                    "{name} {key}: {} and not {expected}",
                    sample.result
                ))
            }
        });
        add(tier.name(), measured);
    }
    add(NATIVE, Ok(native(workload)));
    for peer in peers {
        add(peer.kind.name(), peer.measure(&workload));
    }
    rows
}

fn native(workload: Workload) -> Sample {
    let mut times = Vec::new();
    let mut result = 0.0;
    for _ in 0..=clock::N_SAMPLES {
        let (given, time) = timed(|| workload.native(workload.full));
        times.push(time);
        result = given;
    }
    sample(times.split_off(1), 1.0, result)
}
