//! `bpc build`: Blueprints to a package, or to the text of stages.

use bp_bytecode::{Package, file};
use bp_reflect::Name;
use serde_json::json;

use super::dump::stage_text;
use super::{Compiled, Compiling, Place, compiled, load, place, stem};
use crate::args::{BuildArgs, Emit, Stage};
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::Outputs;
use crate::pipeline;
use crate::report::Reporter;

pub(crate) fn run(args: &BuildArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let (loaded, names) = load(&args.sources, console)?;
    if let Some(input) = loaded.compiled.first() {
        return Err(Failure::usage(format!(
            "{} is compiled already; bpc build takes Blueprints",
            input.name
        )));
    }
    let mut emits = args.emit.clone();
    emits.dedup();
    let is_one_file = args
        .output
        .as_ref()
        .is_some_and(|path| path.as_os_str() == "-" || !path.is_dir());
    if emits.len() > 1 && is_one_file {
        return Err(Failure::usage(
            "several stages do not fit one output; give a folder that exists to -o",
        ));
    }
    let libraries = loaded.libraries();
    let compiling = Compiling {
        debug_sites: args.debug_sites,
        keep_going: args.keep_going,
    };
    let Compiled {
        compilation,
        package,
        exit,
    } = compiled(&loaded, &libraries, compiling, reporter)?;
    let Some(package) = package else {
        return Ok(exit);
    };
    let stem = stem(&names, &loaded.blueprints);
    let package = match pipeline::verify(package, &loaded) {
        Ok(package) => package,
        Err(errors) => {
            reporter.refusals(&stem, &errors)?;
            return Ok(Exit::Refused);
        }
    };
    let mut outputs = Outputs::new();
    for emit in emits {
        let text =
            |stage| stage_text(&compilation, &loaded.registry, &package, stage, None).into_bytes();
        let (extension, bytes) = match emit {
            Emit::Graph => ("graph.txt", text(Stage::Graph)),
            Emit::Expanded => ("expanded.txt", text(Stage::Expanded)),
            Emit::Schedule => ("schedule.txt", text(Stage::Schedule)),
            Emit::Ir => ("ir.txt", text(Stage::Ir)),
            Emit::Asm => ("bpasm", text(Stage::Asm)),
            Emit::Hex => ("hex.txt", text(Stage::Hex)),
            Emit::Map => ("map.json", text(Stage::Map)),
            Emit::Package => ("bpx", file::write(&package)),
        };
        match place(
            args.output.as_deref(),
            &format!("{stem}.{extension}"),
            &args.sources.files,
        )? {
            Place::Stdout => console.stdout.bytes(&bytes)?,
            Place::File(path) => outputs.add(&path, &bytes)?,
        }
    }
    outputs.commit()?;
    Ok(exit)
}

/// Which bytes come from which node, for debuggers and viewers.
pub(super) fn map(package: &Package, only: Option<&Name>) -> String {
    let functions: Vec<_> = pipeline::functions(package, only)
        .map(|(class, name, code)| {
            let sites: Vec<_> = code
                .sites
                .iter()
                .map(|site| json!({"offset": site.offset.0, "node": site.node}))
                .collect();
            let nodes: Vec<_> = code
                .nodes
                .iter()
                .map(|node| json!({"graph": node.graph, "name": node.name, "title": node.title}))
                .collect();
            json!({
                "class": class.class.path.as_str(),
                "function": name.as_str(),
                "size": code.script.len(),
                "event_offset": code.event_offset.map(|offset| offset.0),
                "nodes": nodes,
                "sites": sites,
            })
        })
        .collect();
    let map = json!({"engine": package.engine.to_string(), "functions": functions});
    format!("{map:#}\n")
}
