//! `bpc check`: every finding about Blueprints, and no product.

use bp_compiler::Options;
use bp_graph::Blueprint;
use rayon::prelude::*;

use super::{exit_of, load};
use crate::args::CheckArgs;
use crate::console::Console;
use crate::exit::Outcome;
use crate::pipeline;
use crate::progress::Progress;
use crate::report::Reporter;
use crate::undeclared;

pub(crate) fn run(args: &CheckArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let (loaded, _) = load(&args.sources, console)?;
    let mut findings = loaded.diagnostics.clone();
    if !loaded.blueprints.is_empty() {
        // Bodies do not depend on each other: each is compiled alone, with the others' macros at hand.
        let others: Vec<&Blueprint> = loaded.blueprints.iter().chain(loaded.libraries()).collect();
        let progress = Progress::new("Blueprints", loaded.blueprints.len(), console);
        let options = Options {
            engine: Some(loaded.engine),
            debug_sites: false,
        };
        let parts: Vec<_> = loaded
            .blueprints
            .par_iter()
            .map(|blueprint| {
                let compilation = bp_compiler::compile(
                    std::slice::from_ref(blueprint),
                    &others,
                    &loaded.registry,
                    options,
                );
                progress.step();
                compilation.diagnostics
            })
            .collect();
        for found in parts {
            findings.append(pipeline::independent(found, &loaded.diagnostics));
        }
    }
    reporter.diagnostics(&findings, &loaded.sources)?;
    if args.list_undeclared
        && let Some(text) = undeclared::skeleton(&loaded)
    {
        console.stdout.text(&text)?;
    }
    Ok(exit_of(&findings))
}
