//! `bpc dis`: bytecode as text.

use bp_bytecode::asm::{self, PrintOptions};
use bp_reflect::Name;

use super::{check_function, load_one, packages};
use crate::args::{DisArgs, Style};
use crate::console::Console;
use crate::exit::{Exit, Outcome};
use crate::pipeline;
use crate::report::Reporter;

pub(crate) fn run(args: &DisArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let (loaded, _) = load_one(&args.source, console)?;
    let mut exit = Exit::Fine;
    let packages = if let Some(stored) = loaded.stored.first() {
        match pipeline::stored_package(&stored.package) {
            Ok((package, problems)) => {
                for problem in &problems {
                    reporter.line("error", problem)?;
                    exit = Exit::Findings;
                }
                vec![(stored.name.clone(), package)]
            }
            Err(error) => {
                reporter.line("error", &format!("{}: {error}", stored.name))?;
                return Ok(Exit::Findings);
            }
        }
    } else {
        match packages(&loaded, false, reporter)? {
            Ok(packages) => packages,
            Err(exit) => return Ok(exit),
        }
    };
    check_function(&packages, args.function.as_deref())?;
    let only = args.function.as_ref().map(Name::new);
    for (_, package) in &packages {
        let text: String = match args.style {
            Style::Bpasm if only.is_none() => asm::print(package, PrintOptions::READABLE),
            Style::Bpasm => pipeline::functions(package, only.as_ref())
                .filter_map(|(class, name, _)| {
                    asm::print_function(package, class, name, PrintOptions::READABLE)
                })
                .collect(),
            Style::Ue => {
                let mut text = String::new();
                for (class, name, code) in pipeline::functions(package, only.as_ref()) {
                    let (listing, failure) = pipeline::editor_listing(package, class, name, code);
                    text += &listing;
                    if let Some(failure) = failure {
                        reporter.line("error", &format!("{name} {failure}"))?;
                        exit = Exit::Findings;
                    }
                }
                text
            }
        };
        console.stdout.text(&text)?;
    }
    Ok(exit)
}
