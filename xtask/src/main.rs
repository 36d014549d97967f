//! Project commands, run as `cargo xtask COMMAND`.
//!
//! | command | does |
//! |---|---|
//! | `roundtrip [FILTER]` | every graph through every stage and back, run against its expected output |
//! | `bless [FILTER]` | writes the golden texts of `tests/goldens` anew; read them before committing |
//! | `parity [DIR]` | real packages compiled, and compared with the scripts stored in them |
//! | `corpus [DIR]` | real packages read, and their scripts decoded and given back byte for byte |
//! | `mutate [DIR]` | real packages damaged in memory: read or refused, in little time and memory |
//! | `fuzz` | generated programs run and evaluated a second time, changed ones run |
//! | `import-report [DIR]` | what is read out of real packages, and whether it comes back when it is written |
//! | `replay [DIR]` | real functions run as the engine stored them and as ours compiles them |
//! | `natives` | writes `NATIVES.md`: which functions of the engine's libraries run here |
//! | `bench compile` | how fast graphs become bytes, and how time and memory grow |
//! | `bench vm` | how fast the bytes run, against machine code and other interpreters |
//! | `structure` | the rules of the workspace: dependencies, use of the outside, file sizes |
//! | `ci` | everything that must hold for a change to land |

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "its product is what it prints"
)]

mod bench;
mod bless;
mod ci;
mod corpus;
mod fuzz;
mod import_report;
mod mutate;
mod parity;
mod replay;
mod roundtrip;
mod structure;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Project commands")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every graph through every stage and back, run against its expected output
    Roundtrip {
        /// Only cases whose name holds this (`nodes/`, `ForLoop`)
        #[arg(default_value = "")]
        filter: String,
        /// Show failing cases only
        #[arg(short, long)]
        quiet: bool,
    },
    /// Writes the golden texts of tests/goldens anew; read them before committing
    Bless {
        /// Only goldens whose case's name holds this
        #[arg(default_value = "")]
        filter: String,
    },
    /// Compiles real packages and compares each function with the stored script
    Parity(parity::Args),
    /// Reads real packages, decodes their scripts and gives them back byte for byte
    Corpus(corpus::Args),
    /// Damages real packages in memory and lets every reader loose on them
    Mutate(mutate::Args),
    /// Runs generated programs and compares with a second evaluator; changes them and runs that
    Fuzz(fuzz::Args),
    /// Reads real packages, writes them as JSON and clipboard text, reads those, and compares
    ImportReport(import_report::Args),
    /// Runs real functions as the engine stored them and as ours compiles them, and compares
    Replay(replay::Args),
    /// Writes NATIVES.md: which functions of the engine's libraries run here
    Natives,
    /// Measures how fast the toolchain is
    Bench(bench::Args),
    /// Checks the rules of the workspace: dependencies, use of the outside, file sizes
    Structure,
    /// Everything that must hold for a change to land
    Ci,
}

fn failed(command: &str, error: &str) -> ExitCode {
    eprintln!("{command}: {error}");
    ExitCode::from(2)
}

/// Threads with room for the deepest trees, also in unoptimised builds.
fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .stack_size(64 << 20)
        .build()
        .expect("threads can be started")
}

fn main() -> ExitCode {
    let is_fine = match Arguments::parse().command {
        Command::Roundtrip { filter, quiet } => roundtrip::run(&filter, quiet),
        Command::Bless { filter } => bless::run(&filter),
        Command::Parity(args) => match parity::run(&args) {
            Ok(is_fine) => is_fine,
            Err(error) => return failed("parity", &error),
        },
        Command::Corpus(args) => match corpus::run(&args) {
            Ok(is_fine) => is_fine,
            Err(error) => return failed("corpus", &error),
        },
        Command::Mutate(args) => match mutate::run(&args) {
            Ok(is_fine) => is_fine,
            Err(error) => return failed("mutate", &error),
        },
        Command::Fuzz(args) => fuzz::run(&args),
        Command::ImportReport(args) => match import_report::run(&args) {
            Ok(is_fine) => is_fine,
            Err(error) => return failed("import-report", &error),
        },
        Command::Replay(args) => match replay::run(&args) {
            Ok(is_fine) => is_fine,
            Err(error) => return failed("replay", &error),
        },
        Command::Natives => {
            let path = bp_tests::root().join("NATIVES.md");
            if let Err(error) = std::fs::write(path, bp_tests::natives_page::text()) {
                return failed("natives", &error.to_string());
            }
            true
        }
        Command::Bench(args) => match bench::run(&args) {
            Ok(is_fine) => is_fine,
            Err(error) => return failed("bench", &error),
        },
        Command::Structure => structure::run(),
        Command::Ci => ci::run(),
    };
    if is_fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
