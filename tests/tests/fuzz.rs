//! Generated programs give the same in the interpreter and in the evaluator of statements. CI does this with
//! many more (`cargo xtask fuzz`).

use bp_tests::fuzz::{Ends, Lab, Verdict};
use bp_vm::{Natives, native};

#[test]
fn generated_programs_run_as_they_are_evaluated() {
    let lab = Lab::new();
    let mut n_cut_off = 0;
    let mut problems = Vec::new();
    for seed in 0..300 {
        match lab.compare(seed) {
            Verdict::Same(_) => {}
            Verdict::CutOff => n_cut_off += 1,
            Verdict::Wrong(what) => problems.push(format!("seed {seed}: {what}")),
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(
        n_cut_off < 15,
        "{n_cut_off} of 300 programs do not end soon"
    );
}

#[test]
fn a_wrong_native_function_is_noticed() {
    let mut natives = Natives::standard();
    natives.add(native!("KismetMathLibrary.Max", |a: i32, b: i32| -> i32 {
        if a == 100 { b } else { a.max(b) }
    }));
    let lab = Lab::with(natives);
    let noticed = (0..300)
        .filter(|seed| matches!(lab.compare(*seed), Verdict::Wrong(_)))
        .count();
    assert!(noticed > 0);
}

#[test]
fn changed_programs_end() {
    let lab = Lab::new();
    let mut ends = Ends::new();
    for seed in 0..100 {
        if let Err(what) = lab.change(seed, 3, &mut ends) {
            panic!("seed {seed}: {what}");
        }
    }
    assert!(ends["ran to its end"] > 50, "{ends:?}");
    assert!(ends["refused by the verifier"] > 50, "{ends:?}");
}
