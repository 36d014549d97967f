//! How fast the toolchain is, in figures that can be measured again.

mod clock;
mod compile;
mod machine;
mod ours;
mod peers;
mod report;
mod shapes;
mod start;
mod vm;
mod workloads;

use std::time::Duration;

/// What to measure.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// How many nodes a second are compiled, how the time grows, and the memory a node takes
    Compile(compile::Args),
    /// How fast compiled graphs run, against machine code and other interpreters
    Vm(vm::Args),
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    match &args.what {
        What::Compile(args) => compile::run(args),
        What::Vm(args) => vm::run(args),
    }
}

/// Times of one program in one engine.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Processor seconds of the whole work, the median of five runs.
    seconds: f64,
    /// The fastest and the slowest of them.
    range: (f64, f64),
    /// How much of the work was really done in a run.
    share: f64,
    /// What the program gave.
    result: f64,
}

/// The sample of runs that each did `share` of the work.
fn sample(mut times: Vec<Duration>, share: f64, result: f64) -> Sample {
    times.sort_unstable();
    let whole = |time: &Duration| time.as_secs_f64() / share;
    Sample {
        seconds: times.get(times.len() / 2).map_or(0.0, whole),
        range: (
            times.first().map_or(0.0, whole),
            times.last().map_or(0.0, whole),
        ),
        share,
        result,
    }
}
