//! Compiled programs with one thing changed: the verifier refuses them, or the interpreter gets to an end
//! with them, a fault at worst. Nothing panics and nothing runs for ever.

#![expect(clippy::print_stderr, reason = "the numbers are what the test is for")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use bp_bytecode::Package;
use bp_bytecode::verify::{Verified, verify};
use bp_cli::load::{Loaded, Options, load};
use bp_cli::pipeline::main_class;
use bp_tests::cases::{self, Case};
use bp_tests::change::{assembled, change, statements};
use bp_tests::rng::Rng;
use bp_tests::roundtrip::build;
use bp_vm::{Host, Limits, Natives, Warning, World};
use rayon::prelude::*;

/// Changes of each program.
const CHANGES: u64 = 6;

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: &str) {}
    fn warning(&mut self, _: &Warning) {}
    fn error(&mut self, _: &Warning) {}
}

fn run(package: Verified<Package>, loaded: &Loaded) {
    let Some(class) = main_class(loaded) else {
        return;
    };
    let limits = Limits {
        recursion: 16,
        jumps: 2000,
        ..Limits::default()
    };
    let world = World::new(
        vec![package],
        loaded.registry.clone(),
        Natives::standard(),
        Box::new(Silent),
        limits,
    );
    let Ok(mut world) = world else { return };
    let Ok(object) = world.spawn(&class) else {
        return;
    };
    if world.begin_play(object).is_err() {
        return;
    }
    for _ in 0..8 {
        if world.tick(0.25).is_err() {
            return;
        }
    }
}

/// How many changed programs were refused, and how many run.
fn case(case: &Case, problems: &mut Vec<String>) -> (usize, usize) {
    let (mut n_refused, mut n_run) = (0, 0);
    let Ok(loaded) = load(&case.inputs(), &Options::default()) else {
        return (0, 0);
    };
    let Ok(package) = build(&loaded, false) else {
        return (0, 0);
    };
    let scripts = statements(&package);
    for seed in 1..=CHANGES {
        let mut rng = Rng::new(seed);
        let mut changed = scripts.clone();
        let what = change(&mut changed, &mut rng);
        let Some(changed) = assembled(&package, &changed) else {
            continue;
        };
        let result = catch_unwind(AssertUnwindSafe(|| {
            match verify(changed, &loaded.registry) {
                Ok(verified) => {
                    run(verified, &loaded);
                    true
                }
                Err(_) => false,
            }
        }));
        match result {
            Ok(true) => n_run += 1,
            Ok(false) => n_refused += 1,
            Err(_) => problems.push(format!("{}: seed {seed}: {what}", case.name)),
        }
    }
    (n_refused, n_run)
}

#[test]
fn a_changed_program_is_refused_or_comes_to_an_end() {
    let results: Vec<((usize, usize), Vec<String>)> = cases::all("")
        .par_iter()
        .map(|found| {
            let mut problems = Vec::new();
            (case(found, &mut problems), problems)
        })
        .collect();
    let n_refused: usize = results.iter().map(|((refused, _), _)| refused).sum();
    let n_run: usize = results.iter().map(|((_, run), _)| run).sum();
    let problems: Vec<&str> = results
        .iter()
        .flat_map(|(_, problems)| problems)
        .map(String::as_str)
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    eprintln!("changed programs: {n_refused} refused, {n_run} accepted and run to an end");
    assert!(n_refused > 200 && n_run > 200, "{n_refused}, {n_run}");
}
