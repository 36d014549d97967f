//! Project commands.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command"
)]

mod parity;

use clap::Parser;

#[derive(Parser)]
enum Command {
    /// Compiles real packages and compares each function with the stored script
    Parity(parity::Args),
}

fn main() -> std::process::ExitCode {
    let Command::Parity(args) = Command::parse();
    match parity::run(&args) {
        Ok(true) => std::process::ExitCode::SUCCESS,
        Ok(false) => std::process::ExitCode::from(1),
        Err(error) => {
            eprintln!("parity: {error}");
            std::process::ExitCode::from(2)
        }
    }
}
