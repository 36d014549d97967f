//! How fast the toolchain is, in figures that can be measured again.

mod clock;
mod compile;
mod shapes;

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
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    match &args.what {
        What::Compile(args) => compile::run(args),
    }
}
