//! `bpc graph`: graphs as pictures.

use bp_graph::Graph;
use bp_graph::draw::{self, Scene};
use bp_reflect::Name;

use super::{Place, exit_of, load, place, stem};
use crate::args::{Drawing, GraphArgs};
use crate::console::Console;
use crate::exit::{Failure, Outcome};
use crate::output::Outputs;
use crate::report::Reporter;

type Draw = fn(&Scene<'_>, &[(String, &Graph)]) -> String;

pub(crate) fn run(args: &GraphArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let (loaded, names) = load(&args.sources, console)?;
    reporter.diagnostics(&loaded.diagnostics, &loaded.sources)?;
    let exit = exit_of(&loaded.diagnostics);
    let Some(blueprint) = loaded.blueprints.first() else {
        if loaded.diagnostics.has_errors() {
            return Ok(exit);
        }
        return Err(Failure::usage(
            "the input holds no graph, so it cannot be drawn",
        ));
    };
    let wanted = args.graph.as_ref().map(Name::new);
    let outer = |graph: &&Graph| wanted.as_ref().is_none_or(|wanted| *wanted == graph.name);
    let graphs: Vec<(String, &Graph)> = blueprint
        .graphs
        .iter()
        .filter(outer)
        .flat_map(draw::with_children)
        .collect();
    if graphs.is_empty() {
        let known: Vec<String> = blueprint
            .graphs
            .iter()
            .map(|graph| graph.name.to_string())
            .collect();
        return Err(Failure::usage(match &args.graph {
            Some(name) => format!("there is no graph {name}; there are {}", known.join(", ")),
            None => format!("{} has no graph", blueprint.name),
        }));
    }
    let scene = Scene {
        blueprint,
        registry: &loaded.registry,
    };
    let (draw, extension): (Draw, _) = match args.to {
        Drawing::Svg => (draw::svg, "svg"),
        Drawing::Dot => (draw::dot, "dot"),
        Drawing::Mermaid => (draw::mermaid, "mmd"),
    };
    let inputs = args.sources.files.as_slice();
    let output = args.output.as_deref();
    let mut outputs = Outputs::new();
    let stem = stem(&names, &loaded.blueprints);
    if let Some(folder) = output.filter(|path| path.to_string_lossy().ends_with(['/', '\\'])) {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::usage(format!("cannot make {}: {error}", folder.display()))
        })?;
    }
    if output.is_some_and(std::path::Path::is_dir) {
        let mut taken: Vec<String> = Vec::new();
        for graph in &graphs {
            let mut file = format!("{stem}.{}.{extension}", file_part(&graph.0));
            let twice = |file: &String| taken.iter().any(|other| other.eq_ignore_ascii_case(file));
            if twice(&file) {
                file = format!("{stem}.{}.{}.{extension}", file_part(&graph.0), taken.len());
            }
            let text = draw(&scene, std::slice::from_ref(graph));
            if let Place::File(path) = place(output, &file, inputs)? {
                outputs.add(&path, text.as_bytes())?;
            }
            taken.push(file);
        }
    } else {
        let text = draw(&scene, &graphs);
        match output.map_or(Ok(Place::Stdout), |path| place(Some(path), &stem, inputs))? {
            Place::Stdout => console.stdout.text(&text)?,
            Place::File(path) => outputs.add(&path, text.as_bytes())?,
        }
    }
    outputs.commit()?;
    Ok(exit)
}

/// A graph's name as a part of a file name: letters, digits and what is harmless everywhere.
fn file_part(name: &str) -> String {
    name.chars()
        .map(|letter| match letter {
            letter if letter.is_alphanumeric() => letter,
            '-' | '_' => letter,
            _ => '_',
        })
        .collect()
}
