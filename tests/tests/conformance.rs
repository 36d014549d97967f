//! The scenarios of `tests/conformance`, through every stage.

use bp_tests::{cases, roundtrip};
use rayon::prelude::*;

#[test]
fn scenarios_print_what_the_engine_prints() {
    let cases = cases::all("conformance/");
    assert!(cases.len() >= 30, "the scenarios are there");
    let problems: Vec<String> = cases
        .par_iter()
        .flat_map_iter(|case| {
            roundtrip::case(case)
                .problems
                .into_iter()
                .map(|problem| format!("{}: {:?}: {}", case.name, problem.step, problem.message))
        })
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
