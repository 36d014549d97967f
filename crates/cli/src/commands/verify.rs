//! `bpc verify`: whether packages may run.

use bp_bytecode::verify::{Report, check};

use super::{Compiling, load, packages};
use crate::args::VerifyArgs;
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};
use crate::report::{Reporter, counted};

pub(crate) fn run(args: &VerifyArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let (loaded, _) = load(&args.sources, console)?;
    let (packages, exit) = packages(&loaded, Compiling::default(), reporter)?;
    if exit != Exit::Fine {
        return Ok(exit);
    }
    if packages.is_empty() {
        return Err(Failure::usage("there is nothing to verify"));
    }
    let mut exit = Exit::Fine;
    for (name, package) in &packages {
        let report = check(package, &loaded.registry);
        if report.errors.is_empty() {
            console
                .stdout
                .text(&format!("{name}: {}\n", passed(&report)))?;
        } else {
            reporter.refusals(name, &report.errors)?;
            exit = Exit::Refused;
        }
    }
    Ok(exit)
}

fn passed(report: &Report) -> String {
    let mut text = format!(
        "every rule holds: {}, {}, {}",
        counted(report.n_scripts, "script"),
        counted(report.n_statements, "statement"),
        counted(report.n_calls, "call"),
    );
    if !report.unknown_callees.is_empty() {
        let callees: Vec<&str> = report.unknown_callees.keys().map(String::as_str).collect();
        text += &format!(
            "\n  not checked, because nothing declares the function: {} to {}",
            counted(report.n_unknown_calls(), "call"),
            callees.join(", ")
        );
    }
    text
}
