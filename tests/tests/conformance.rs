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

/// Numbers of the scenarios that the conformance suite is made of: pure nodes, loops, latent actions, flow
/// nodes, variables and structs, errors at run time, delegates and classes, errors of the compiler.
const SCENARIOS: [u32; 63] = [
    1, 2, 4, 5, 7, 8, 10, // pure nodes
    11, 12, 13, 15, 16, 18, 20, 22, 24, 25, // loops
    26, 28, 30, 32, 34, 35, 37, // latent actions
    38, 40, 42, 43, 45, 46, 48, 49, 50, // flow nodes
    52, 53, 55, 57, 59, 60, // variables and structs
    61, 63, 64, 66, 67, 68, 70, 72, // errors at run time
    73, 74, 76, 77, 79, 81, 82, // delegates and classes
    84, 85, 87, 88, 89, 90, 92, 93, 94, // errors of the compiler
];

#[test]
fn every_scenario_is_a_case() {
    let cases = cases::all("conformance/");
    let numbers: Vec<u32> = cases
        .iter()
        .filter_map(|case| {
            case.name
                .strip_prefix("conformance/")?
                .get(..3)?
                .parse()
                .ok()
        })
        .collect();
    let missing: Vec<u32> = SCENARIOS
        .into_iter()
        .filter(|number| !numbers.contains(number))
        .collect();
    assert_eq!(missing, Vec::<u32>::new(), "scenarios without a case");
    for case in &cases {
        assert!(
            case.out.is_some() || case.errors.is_some(),
            "{} says nothing of what it does",
            case.name
        );
    }
}
