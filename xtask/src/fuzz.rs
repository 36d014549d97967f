//! `fuzz`: generated programs run and evaluated a second time, and changed programs run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use bp_tests::fuzz::{Ends, Lab, Verdict};
use clap::Args as ClapArgs;
use rayon::prelude::*;

use crate::mutate::words;

/// Changed programs of one generated program.
const CHANGES: u64 = 10;
/// Programs that may be cut off, one in so many: a generator of endless programs would test nothing.
const CUT_OFF: u64 = 100;

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// How many generated programs are run and evaluated
    #[arg(long, default_value_t = 100_000)]
    programs: u64,
    /// How many changed programs that the verifier accepts are run
    #[arg(long, default_value_t = 100_000)]
    mutants: u64,
    /// The first program's number; the next ones follow
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Show the Blueprint of the first program
    #[arg(long)]
    show: bool,
}

#[derive(Default)]
struct Total {
    same: u64,
    cut_off: u64,
    statements: u64,
    ends: Ends,
    problems: Vec<(u64, String)>,
    n_panics: u64,
}

impl Total {
    fn and(mut self, other: Self) -> Self {
        self.same += other.same;
        self.cut_off += other.cut_off;
        self.statements += other.statements;
        self.n_panics += other.n_panics;
        for (end, n) in other.ends {
            *self.ends.entry(end).or_default() += n;
        }
        self.problems.extend(other.problems);
        self
    }

    fn problem(&mut self, seed: u64, what: String) {
        self.problems.push((seed, what));
    }

    fn accepted(&self) -> u64 {
        let refused = self.ends.get(REFUSED).copied().unwrap_or(0);
        self.ends.values().sum::<u64>() - refused
    }
}

const REFUSED: &str = "refused by the verifier";

/// Runs the programs; false if one panics, or the interpreter and the evaluator disagree.
pub(crate) fn run(args: &Args) -> bool {
    if args.show {
        println!("{}", bp_tests::generate::program(args.seed).json);
        return true;
    }
    let started = Instant::now();
    let lab = Lab::new();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let programs = all(
        args.seed..args.seed + args.programs,
        |seed, total| match lab.compare(seed) {
            Verdict::Same(statements) => {
                total.same += 1;
                total.statements += statements;
            }
            Verdict::CutOff => total.cut_off += 1,
            Verdict::Wrong(what) => total.problem(seed, what),
        },
    );
    let after_programs = started.elapsed();
    let started = Instant::now();
    let n_bases = args.mutants.div_ceil(CHANGES);
    let mut mutants = Total::default();
    let mut next = args.seed;
    // A program that cannot be changed much gives fewer, so a few more programs may be needed.
    while mutants.accepted() < args.mutants && mutants.problems.is_empty() {
        let missing = (args.mutants - mutants.accepted()).div_ceil(CHANGES);
        let more = all(next..next + missing, |seed, total| {
            if let Err(what) = lab.change(seed, CHANGES, &mut total.ends) {
                total.problem(seed, what);
            }
        });
        next += missing;
        mutants = mutants.and(more);
        if next > args.seed + 4 * n_bases {
            mutants.problem(
                next,
                "hardly any change is accepted by the verifier".to_owned(),
            );
        }
    }
    std::panic::set_hook(hook);
    report(args, &programs, &mutants);
    println!(
        "fuzz: {:.1?} for programs, {:.1?} for changed ones, seed {}",
        after_programs,
        started.elapsed(),
        args.seed
    );
    programs.problems.is_empty()
        && mutants.problems.is_empty()
        && programs.cut_off * CUT_OFF <= args.programs
}

fn all(seeds: std::ops::Range<u64>, one: impl Fn(u64, &mut Total) + Sync) -> Total {
    crate::pool().install(|| {
        seeds
            .into_par_iter()
            .fold(Total::default, |mut total, seed| {
                let result = catch_unwind(AssertUnwindSafe(|| one(seed, &mut total)));
                if let Err(panic) = result {
                    total.n_panics += 1;
                    total.problem(seed, format!("panic: {}", words(&*panic)));
                }
                total
            })
            .reduce(Total::default, Total::and)
    })
}

fn report(args: &Args, programs: &Total, mutants: &Total) {
    for (seed, what) in programs.problems.iter().take(20) {
        println!("FAIL  program {seed}: {what}");
    }
    for (seed, what) in mutants.problems.iter().take(20) {
        println!("FAIL  a change of program {seed}: {what}");
    }
    println!(
        "{} programs: {} the same ({} statements), {} cut off, {} disagreements or panics",
        args.programs,
        programs.same,
        programs.statements,
        programs.cut_off,
        programs.problems.len()
    );
    println!(
        "{} changed programs run, {} refused by the verifier, {} panics",
        mutants.accepted(),
        mutants.ends.get(REFUSED).copied().unwrap_or(0),
        mutants.n_panics
    );
    for (end, n) in mutants.ends.iter().filter(|(end, _)| **end != REFUSED) {
        println!("{n:>8}  {end}");
    }
}
