//! `roundtrip`: one line a case and a total.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bp_tests::cases::{self, Case};
use bp_tests::roundtrip::{self, Outcome};
use rayon::prelude::*;

/// Takes all cases through all steps; whether nothing failed.
pub(crate) fn run(filter: &str, quiet: bool) -> bool {
    let cases = cases::all(filter);
    if cases.is_empty() {
        eprintln!("no case has `{filter}` in its name");
        return false;
    }
    // A panic is a line of the case it happened in.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let outcomes: Vec<Result<Outcome, String>> =
        crate::pool().install(|| cases.par_iter().map(guarded).collect());
    std::panic::set_hook(hook);

    let width = cases.iter().map(|case| case.name.len()).max().unwrap_or(0);
    let (mut n_fine, mut n_nodes, mut n_bytes) = (0, 0, 0);
    for (case, outcome) in cases.iter().zip(&outcomes) {
        let name = &case.name;
        match outcome {
            Ok(outcome) if outcome.problems.is_empty() => {
                n_fine += 1;
                let figures = outcome.figures;
                n_nodes += figures.nodes;
                n_bytes += figures.bytes;
                if quiet {
                    continue;
                }
                if case.errors.is_some() {
                    println!("ok    {name:width$}  refused as expected");
                } else {
                    println!(
                        "ok    {name:width$}  {:>4} nodes {:>3} functions {:>6} bytes {:>4} lines",
                        figures.nodes, figures.functions, figures.bytes, figures.lines
                    );
                }
            }
            Ok(outcome) => {
                println!("FAIL  {name}");
                for problem in &outcome.problems {
                    println!("        {:?}: {}", problem.step, problem.message);
                }
            }
            Err(panic) => println!("FAIL  {name}\n        panic: {panic}"),
        }
    }
    let n_failed = cases.len() - n_fine;
    println!(
        "{n_fine} of {} cases hold, {n_failed} fail; {n_nodes} nodes, {n_bytes} script bytes",
        cases.len()
    );
    n_failed == 0
}

fn guarded(case: &Case) -> Result<Outcome, String> {
    catch_unwind(AssertUnwindSafe(|| roundtrip::case(case))).map_err(|panic| words(&*panic))
}

fn words(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_else(|| "unknown".to_owned())
}
