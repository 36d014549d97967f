//! `ci`: everything that must hold for a change to land.

use std::process::Command;
use std::time::Instant;

/// The commands of `.ci/run`, in its order.
const STEPS: [&[&str]; 12] = [
    &["fmt", "--all", "--check"],
    &[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ],
    &["test", "--workspace"],
    // The fast tier's other way to go on, which some targets have.
    &["test", "-p", "bp-vm", "--features", "loop-dispatch"],
    &["xtask", "structure"],
    &["xtask", "roundtrip", "--quiet"],
    &[
        "xtask",
        "parity",
        "--floor",
        "tests/parity.toml",
        "--examples",
        "0",
    ],
    &["xtask", "corpus", "--floor", "tests/corpus.toml"],
    &["xtask", "mutate"],
    &["xtask", "fuzz", "--programs", "20000", "--mutants", "20000"],
    &["xtask", "replay", "--floor", "tests/replay.toml"],
    &[
        "xtask",
        "import-report",
        "--quiet",
        "--floor",
        "tests/import.toml",
    ],
];

/// Runs the steps up to the first that fails.
pub(crate) fn run() -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for step in STEPS {
        let shown = format!("cargo {}", step.join(" "));
        let started = Instant::now();
        let is_fine = Command::new(&cargo)
            .args(step)
            .current_dir(bp_tests::root())
            .status()
            .is_ok_and(|status| status.success());
        println!("{shown}: {:.0?}", started.elapsed());
        if !is_fine {
            eprintln!("{shown} failed");
            return false;
        }
    }
    true
}
