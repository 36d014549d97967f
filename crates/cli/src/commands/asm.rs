//! `bpc asm`: assembly text to a package.

use std::path::Path;

use bp_bytecode::file;

use super::{Place, place, read};
use crate::args::{AsmArgs, Reading};
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};
use crate::kind::Kind;
use crate::output;
use crate::report::Reporter;

pub(crate) fn run(args: &AsmArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let reading = Reading {
        from: Some(Kind::Bpasm),
        ..Reading::default()
    };
    let (loaded, names) = read(std::slice::from_ref(&args.file), &reading, console)?;
    reporter.diagnostics(&loaded.diagnostics, &loaded.sources)?;
    if loaded.diagnostics.has_errors() {
        return Ok(Exit::Findings);
    }
    let Some(input) = loaded.compiled.first() else {
        return Err(Failure::usage("there is nothing to assemble"));
    };
    if input.package.classes.is_empty()
        && input.package.structs.is_empty()
        && input.package.enums.is_empty()
    {
        return Err(Failure::usage("there is nothing to assemble"));
    }
    let bytes = file::write(&input.package);
    let stem = super::stem(&names, &loaded.blueprints);
    match place(
        args.output.as_deref().map(Path::new),
        &format!("{stem}.bpx"),
        std::slice::from_ref(&args.file),
    )? {
        Place::Stdout => console.stdout.bytes(&bytes)?,
        Place::File(path) => output::write_file(&path, &bytes)?,
    }
    Ok(Exit::Fine)
}
