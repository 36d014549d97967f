//! The command line `bpc`: files, arguments, exit codes; it wires the other crates together.
//!
//! In: arguments and a [`Console`](console::Console). Out: an [`Exit`](exit::Exit), what the command
//! makes on stdout or in files, and what it has to say on stderr. [`run`] is the whole of it; tests call
//! it as the binary does.
//!
//! Reading order: [`args`] (what can be asked), [`input`] and [`kind`] (bytes and what they are),
//! [`load`] (bytes to Blueprints and packages, with [`project`] for what
//! they refer to), [`pipeline`] (Blueprints to verified packages), then the
//! commands, and [`output`] and [`report`] that they end in.
//!
//! Invariants a type cannot state:
//! - stdout carries the product of a command and nothing else.
//! - An output file is complete or does not exist; with errors in the input none is written.
//! - Only this crate, `tests` and `xtask` touch files, environment, clock, threads or the console.

#![forbid(unsafe_code)]
#![expect(
    clippy::format_push_string,
    reason = "texts for people are short, and the plain form reads better"
)]

pub mod args;
pub mod console;
pub mod examples;
pub mod exit;
pub mod input;
pub mod inputs;
pub mod kind;
pub mod load;
pub mod output;
pub mod pipeline;
pub mod project;
pub mod report;
pub mod runner;
pub mod undeclared;

mod commands;
mod debugger;
mod progress;

use std::ffi::OsString;

use clap::Parser;

use args::{Arguments, Command};
use console::Console;
use exit::{Exit, Outcome};
use report::Reporter;

/// Runs a command line, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>, console: &mut Console) -> Exit {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let text = error.render();
            // Help and version are products; everything else is a complaint.
            let (stream, exit) = if error.use_stderr() {
                (&console.stderr, Exit::Usage)
            } else {
                (&console.stdout, Exit::Fine)
            };
            let text = if console.is_terminal && !console.no_color {
                text.ansi().to_string()
            } else {
                text.to_string()
            };
            return stream.text(&text).map_or(Exit::Usage, |()| exit);
        }
    };
    let reporter = Reporter::new(
        arguments.messages.message_format,
        arguments.messages.color,
        console,
    );
    match dispatch(&arguments.command, console, &reporter) {
        Ok(exit) => exit,
        Err(failure) => {
            // If stderr fails too, the exit code is all that is left to say.
            let _ = reporter.line("error", &failure.to_string());
            Exit::Usage
        }
    }
}

fn dispatch(command: &Command, console: &mut Console, reporter: &Reporter) -> Outcome {
    match command {
        Command::Check(args) => commands::check::run(args, console, reporter),
        Command::Build(args) => commands::build::run(args, console, reporter),
        Command::Run(args) => commands::run::run(args, console, reporter),
        Command::Debug(args) => commands::debug::run(args, console, reporter),
        Command::Dump(args) => commands::dump::run(args, console, reporter),
        Command::Dis(args) => commands::dis::run(args, console, reporter),
        Command::Asm(args) => commands::asm::run(args, console, reporter),
        Command::Verify(args) => commands::verify::run(args, console, reporter),
        Command::Convert(args) => commands::convert::run(args, console, reporter),
        Command::Graph(args) => commands::graph::run(args, console, reporter),
        Command::Schema(args) => commands::reference::schema(args, console),
        Command::Explain(args) => commands::reference::explain(args, console),
        Command::Nodes(args) => commands::nodes::run(args, console),
        Command::Opcodes(args) => commands::reference::opcodes(args, console),
    }
}
