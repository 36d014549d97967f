//! `bpc dump`: one stage as text.

use bp_bytecode::Package;
use bp_bytecode::asm::{self, Comments, PrintOptions};
use bp_compiler::Compilation;
use bp_compiler::dump::{self, Titles};
use bp_graph::Blueprint;
use bp_reflect::{Name, Registry};

use super::{Compiling, check_function, load, packages};
use crate::args::{DumpArgs, Stage};
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};
use crate::pipeline;
use crate::report::Reporter;

pub(crate) fn run(args: &DumpArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let (loaded, _) = load(&args.sources, console)?;
    let only = args.function.as_ref().map(Name::new);
    let needs_package = matches!(args.stage, Stage::Asm | Stage::Hex | Stage::Map);
    if needs_package {
        let compiling = Compiling {
            debug_sites: args.debug_sites,
            ..Compiling::default()
        };
        let (packages, exit) = packages(&loaded, compiling, reporter)?;
        if exit != Exit::Fine {
            return Ok(exit);
        }
        let names: Vec<&Name> = packages
            .iter()
            .flat_map(|(_, package)| pipeline::functions(package, None))
            .map(|(_, name, _)| name)
            .collect();
        check_function(&names, args.function.as_deref())?;
        for (_, package) in &packages {
            let text = package_text(package, args.stage, only.as_ref());
            console.stdout.text(&text)?;
        }
        return Ok(Exit::Fine);
    }
    if let Some(input) = loaded.compiled.first() {
        return Err(Failure::usage(format!(
            "{} is compiled: it has the stages asm, hex and map only",
            input.name
        )));
    }
    // A stage is shown as far as it could be made, also beside errors: that is when one wants to see it.
    let mut findings = loaded.diagnostics.clone();
    let libraries = loaded.libraries();
    let compilation = (!findings.has_errors() || args.stage == Stage::Graph)
        .then(|| pipeline::compile(&loaded, &libraries, args.debug_sites));
    if let Some(compilation) = &compilation {
        let found = compilation.diagnostics.clone();
        findings.append(pipeline::independent(found, &loaded.diagnostics));
    }
    reporter.diagnostics(&findings, &loaded.sources)?;
    let Some(compilation) = &compilation else {
        return Ok(Exit::Findings);
    };
    let text = if args.stage == Stage::Graph {
        loaded
            .blueprints
            .iter()
            .map(|blueprint| graphs(blueprint, &loaded.registry, only.as_ref()))
            .collect()
    } else {
        units_text(compilation, &loaded.registry, args.stage, only.as_ref())
    };
    if text.is_empty()
        && let Some(name) = &args.function
    {
        let (what, known): (_, Vec<String>) = if args.stage == Stage::Graph {
            let graphs = loaded.blueprints.iter().flat_map(|one| &one.graphs);
            (
                "graph",
                graphs.map(|graph| graph.name.to_string()).collect(),
            )
        } else {
            // Event stubs have neither a graph of their own nor a schedule.
            let is_shown = |stage| matches!(stage, Stage::Expanded | Stage::Schedule);
            let functions = compilation.units.iter().flat_map(|unit| &unit.functions);
            let shown = functions
                .filter(|function| function.expanded.is_some() || !is_shown(args.stage))
                .map(|function| function.ir.function.name.to_string());
            ("function", shown.collect())
        };
        return Err(Failure::usage(format!(
            "the stage has no {what} {name}; there are {}",
            known.join(", ")
        )));
    }
    console.stdout.text(&text)?;
    Ok(super::exit_of(&findings))
}

/// A stage of a compiled package as text; `only` picks a function.
pub(crate) fn stage_text(
    compilation: &Compilation<'_>,
    registry: &Registry,
    package: &Package,
    stage: Stage,
    only: Option<&Name>,
) -> String {
    match stage {
        Stage::Graph => compilation
            .units
            .iter()
            .map(|unit| graphs(unit.blueprint, registry, only))
            .collect(),
        Stage::Expanded | Stage::Schedule | Stage::Ir => {
            units_text(compilation, registry, stage, only)
        }
        Stage::Asm | Stage::Hex | Stage::Map => package_text(package, stage, only),
    }
}

fn graphs(blueprint: &Blueprint, registry: &Registry, only: Option<&Name>) -> String {
    let titles = Titles {
        blueprint,
        registry,
    };
    let graphs = blueprint
        .graphs
        .iter()
        .filter(|graph| only.is_none_or(|only| *only == graph.name));
    graphs.map(|graph| dump::graph(graph, titles)).collect()
}

fn units_text(
    compilation: &Compilation<'_>,
    registry: &Registry,
    stage: Stage,
    only: Option<&Name>,
) -> String {
    let mut text = String::new();
    for unit in &compilation.units {
        let titles = Titles {
            blueprint: unit.blueprint,
            registry,
        };
        let wanted = |name: &Name| only.is_none_or(|only| only == name);
        for function in &unit.functions {
            if !wanted(&function.ir.function.name) {
                continue;
            }
            text += &match (stage, &function.expanded) {
                (Stage::Expanded, Some((expanded, _))) => dump::expanded(expanded, titles),
                (Stage::Schedule, Some((expanded, schedule))) => {
                    dump::schedule(expanded, schedule, titles)
                }
                (Stage::Ir, _) => dump::ir(&function.ir),
                (
                    Stage::Graph
                    | Stage::Expanded
                    | Stage::Schedule
                    | Stage::Asm
                    | Stage::Hex
                    | Stage::Map,
                    _,
                ) => String::new(),
            };
        }
    }
    text
}

fn package_text(package: &Package, stage: Stage, only: Option<&Name>) -> String {
    let options = PrintOptions::default();
    if stage == Stage::Map {
        return super::build::map(package, only);
    }
    if stage == Stage::Asm && only.is_none() {
        return asm::print(package, options);
    }
    pipeline::functions(package, only)
        .filter_map(|(class, name, code)| {
            if stage == Stage::Hex {
                Some(pipeline::hex(package, class, name, code))
            } else {
                asm::print_function(package, class, name, options, &Comments::new())
            }
        })
        .collect()
}
