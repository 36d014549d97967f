//! `bpc convert`: between Blueprint JSON, clipboard text and packages.

use bp_graph::{Graph, json, t3d};
use bp_reflect::{Name, ObjectPath};

use super::{Place, load_one, place};
use crate::args::{ConvertArgs, Form};
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};
use crate::load::Loaded;
use crate::output;
use crate::report::Reporter;

pub(crate) fn run(args: &ConvertArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let (loaded, _) = load_one(&args.source, console)?;
    reporter.diagnostics(&loaded.diagnostics, &loaded.sources)?;
    if loaded.diagnostics.has_errors() {
        return Ok(Exit::Findings);
    }
    let Some(blueprint) = loaded.blueprints.first() else {
        return Err(Failure::usage(
            "the input holds no graph, so it cannot be converted",
        ));
    };
    let text = match args.to {
        Form::Json => json::write(blueprint, &loaded.declared),
        Form::T3d => clipboard(&loaded, args.graph.as_deref())?,
    };
    let output = args.output.as_deref();
    let inputs = std::slice::from_ref(&args.source.file);
    let place = output.map(|path| place(Some(path), "converted", inputs));
    match place.unwrap_or(Ok(Place::Stdout))? {
        Place::Stdout => console.stdout.text(&text)?,
        Place::File(path) => output::write_file(&path, text.as_bytes())?,
    }
    Ok(Exit::Fine)
}

fn clipboard(loaded: &Loaded, only: Option<&str>) -> Outcome<String> {
    let blueprint = &loaded.blueprints[0];
    let wanted = only.map(Name::new);
    let graphs: Vec<&Graph> = blueprint
        .graphs
        .iter()
        .filter(|graph| wanted.as_ref().is_none_or(|wanted| *wanted == graph.name))
        .collect();
    if let (true, Some(name)) = (graphs.is_empty(), only) {
        let known: Vec<String> = blueprint
            .graphs
            .iter()
            .map(|graph| graph.name.to_string())
            .collect();
        return Err(Failure::usage(format!(
            "there is no graph {name}; there are {}",
            known.join(", ")
        )));
    }
    let asset = asset_of(&blueprint.class_path);
    let options = t3d::WriteOptions {
        asset: Some(&asset),
        ..t3d::WriteOptions::new(blueprint.engine)
    };
    let mut text = t3d::write(&graphs, &options);
    if only.is_none() {
        for variable in &blueprint.variables {
            text += &t3d::write_variable(variable, &options);
            text.push('\n');
        }
    }
    Ok(text)
}

/// The Blueprint asset that makes a class: `/Game/BP_Door.BP_Door` of `/Game/BP_Door.BP_Door_C`.
pub(crate) fn asset_of(class: &ObjectPath) -> ObjectPath {
    let text = class.as_str();
    ObjectPath::new(text.strip_suffix("_C").unwrap_or(text))
}
