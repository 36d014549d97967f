//! `bench compile`: nodes a second from the parsed model to bytes, how time and memory grow with the
//! number of nodes, and what a small text costs from its characters to a verified package.
//!
//! One thread, processor time, medians of five. Reading native declarations is measured apart: the embedded
//! ones are decoded when they are first asked for and kept.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bp_bytecode::Package;
use bp_bytecode::verify::{self, verify};
use bp_cli::project::ContextPackage;
use bp_compiler::Options;
use bp_diag::{Diagnostics, Sources, render};
use bp_graph::{Blueprint, BlueprintKind, Graph, GraphKind, json};
use bp_reflect::{EngineVersion, Registry, declarations};
use serde_json::json;

use super::clock::{self, median, median_of, timed};
use super::shapes::{self, Shape};

/// What to measure and how to report.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder of packages to take graphs from
    #[arg(long, default_value = "../shared/corpus/uasset")]
    corpus: PathBuf,
    /// Sizes of generated Blueprints, in nodes
    #[arg(long, value_delimiter = ',', default_values_t = [2_000, 20_000, 200_000])]
    sizes: Vec<usize>,
    /// Only shapes whose name holds this; `none` leaves them all out
    #[arg(long, default_value = "")]
    shape: String,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// Leave out the packages
    #[arg(long)]
    no_corpus: bool,
}

/// Times and sizes of one generated Blueprint.
struct Row {
    shape: Shape,
    n_nodes: usize,
    n_bytes: usize,
    /// From the text to the graph.
    read: Duration,
    /// From the graph to bytes.
    compile: Duration,
    /// None if the verifier refuses frames of that size.
    verify: Option<Duration>,
    /// Most bytes at once while it is compiled, the graph not counted.
    peak: u64,
}

/// Times of all graphs of the real packages.
struct CorpusRow {
    n_packages: usize,
    n_nodes: usize,
    n_functions: usize,
    n_bytes: usize,
    declare: Duration,
    compile: Duration,
}

/// Costs of a single small Blueprint.
struct Small {
    n_nodes: usize,
    n_text: usize,
    read: Duration,
    declare: Duration,
    compile: Duration,
    verify: Duration,
    /// All of these, measured in one go.
    whole: Duration,
    /// The same with declarations that nothing has asked for yet.
    cold: Duration,
    macros: Duration,
    all_declarations: Duration,
}

/// Measures; what cannot be compiled is an error.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    // First of all, while no declaration is decoded.
    let small = small()?;
    let corpus = if args.no_corpus || !args.corpus.exists() {
        None
    } else {
        Some(of_corpus(&args.corpus)?)
    };
    let mut rows = Vec::new();
    for shape in shapes::ALL {
        if shape.name.contains(&args.shape) {
            for size in &args.sizes {
                rows.push(generated(*shape, *size)?);
            }
        }
    }
    if args.json {
        println!("{}", as_json(&small, corpus.as_ref(), &rows));
    } else {
        print!("{}", as_text(&small, corpus.as_ref(), &rows));
    }
    Ok(true)
}

// ---- a small text

/// Reads and compiles and verifies one text.
fn whole(text: &str, base: &Registry) -> Result<Package, String> {
    let (blueprints, mut registry) = read(text, base, &[])?;
    let found = bp_compiler::declare(&blueprints, &mut registry);
    let package = compiled(&blueprints, &[], &registry)?;
    if found.has_errors() {
        return Err(render::short(&found, &Sources::default()));
    }
    let verified = verify(package, &registry).map_err(|errors| errors[0].to_string())?;
    Ok(verified.into_inner())
}

pub(super) fn read(
    text: &str,
    base: &Registry,
    libraries: &[&Blueprint],
) -> Result<(Vec<Blueprint>, Registry), String> {
    let mut sources = Sources::default();
    let file = sources.add("bench.json", text);
    let (blueprints, registry, found) = json::read_with_macros(&[file], &sources, base, libraries);
    if found.has_errors() {
        return Err(render::short(&found, &sources));
    }
    Ok((blueprints, registry))
}

pub(super) fn compiled(
    blueprints: &[Blueprint],
    libraries: &[&Blueprint],
    registry: &Registry,
) -> Result<Package, String> {
    let compilation = bp_compiler::compile(blueprints, libraries, registry, Options::default());
    let findings: Diagnostics = compilation.diagnostics;
    compilation
        .package
        .ok_or_else(|| render::short(&findings, &Sources::default()))
}

fn small() -> Result<Small, String> {
    let shape = shapes::ALL
        .iter()
        .find(|shape| shape.name == "mixed")
        .expect("there is a mixed shape");
    let text = shape.json(1_000);
    let engine = EngineVersion::new(5, 3);
    let (cold, cold_time) = timed(|| whole(&text, &declarations::embedded(engine)));
    cold?;
    let base = declarations::embedded(engine);
    let (blueprints, declared) = read(&text, &base, &[])?;
    let mut registry = declared.clone();
    bp_compiler::declare(&blueprints, &mut registry);
    let package = compiled(&blueprints, &[], &registry)?;
    Ok(Small {
        n_nodes: blueprints.iter().map(n_nodes).sum(),
        n_text: text.len(),
        read: median(|| drop(read(&text, &base, &[]))),
        declare: median(|| {
            bp_compiler::declare(&blueprints, &mut declared.clone());
        }),
        compile: median(|| drop(compiled(&blueprints, &[], &registry))),
        verify: median(|| {
            verify::check(&package, &registry);
        }),
        whole: median(|| drop(whole(&text, &base))),
        cold: cold_time,
        macros: median(|| drop(json::standard_macros(&base))),
        all_declarations: median(|| {
            declarations::embedded(engine).classes().count();
        }),
    })
}

// ---- generated Blueprints

fn generated(shape: Shape, size: usize) -> Result<Row, String> {
    let text = shape.json(size);
    let base = declarations::embedded(EngineVersion::new(5, 3));
    let macros = json::standard_macros(&base);
    let libraries = [&macros];
    let (blueprints, mut registry) = read(&text, &base, &libraries)?;
    bp_compiler::declare(&blueprints, &mut registry);
    let package = compiled(&blueprints, &libraries, &registry)?;
    let errors = verify::check(&package, &registry).errors;
    let is_too_large = |error: &verify::VerifyError| error.rule == verify::Rule::Layout;
    if let Some(error) = errors.iter().find(|error| !is_too_large(error)) {
        return Err(format!("{} of {size} nodes: {error}", shape.name));
    }
    let memory = allocation_counter::measure(|| {
        drop(compiled(&blueprints, &libraries, &registry));
    });
    Ok(Row {
        shape,
        n_nodes: blueprints.iter().map(n_nodes).sum(),
        n_bytes: n_bytes(&package),
        read: median(|| drop(read(&text, &base, &libraries))),
        compile: median(|| drop(compiled(&blueprints, &libraries, &registry))),
        verify: errors.is_empty().then(|| {
            median(|| {
                verify::check(&package, &registry);
            })
        }),
        peak: memory.bytes_max,
    })
}

pub(super) fn n_bytes(package: &Package) -> usize {
    let functions = package.classes.iter().flat_map(|class| &class.functions);
    functions.map(|function| function.script.len()).sum()
}

/// Drawn nodes of the graphs that are compiled, comments left out.
pub(super) fn n_nodes(blueprint: &Blueprint) -> usize {
    fn of(graph: &Graph) -> usize {
        let nodes = graph.nodes.iter().filter(|(_, node)| !node.is_comment());
        nodes.count() + graph.children.iter().map(of).sum::<usize>()
    }
    let compiled = blueprint.graphs.iter().filter(|graph| {
        matches!(
            graph.kind,
            GraphKind::Event | GraphKind::Function | GraphKind::Construction
        )
    });
    compiled.map(of).sum()
}

// ---- real packages

fn of_corpus(dir: &Path) -> Result<CorpusRow, String> {
    let mut row = CorpusRow {
        n_packages: 0,
        n_nodes: 0,
        n_functions: 0,
        n_bytes: 0,
        declare: Duration::ZERO,
        compile: Duration::ZERO,
    };
    // One sum a round, of which the median is taken.
    let mut declares = vec![Duration::ZERO; clock::N_SAMPLES + 1];
    let mut compiles = declares.clone();
    for (_, files) in crate::parity::projects(dir)? {
        let mut packages = Vec::new();
        for file in &files {
            let bytes =
                std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let mut package = ContextPackage::read(file.display().to_string(), bytes)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            package.draw();
            packages.push(package);
        }
        let mut engines: Vec<EngineVersion> = packages
            .iter()
            .map(|package| package.package.engine())
            .collect();
        engines.sort_unstable();
        engines.dedup();
        for engine in engines {
            let mut base = declarations::embedded(engine);
            for package in &packages {
                package.declare(&mut base);
            }
            let standard = json::standard_macros(&base);
            let libraries: Vec<&Blueprint> = packages
                .iter()
                .filter_map(|package| package.drawn.as_ref())
                .filter(|blueprint| blueprint.kind == BlueprintKind::MacroLibrary)
                .chain([&standard])
                .collect();
            let options = Options {
                engine: Some(engine),
                debug_sites: true,
            };
            let drawn = packages
                .iter()
                .filter(|package| package.package.engine() == engine)
                .filter_map(|package| package.drawn.as_ref());
            for blueprint in drawn {
                let blueprints = std::slice::from_ref(blueprint);
                // The first round decodes declarations.
                for round in 0..=clock::N_SAMPLES {
                    let mut registry = base.clone();
                    let (_, declare) = timed(|| bp_compiler::declare(blueprints, &mut registry));
                    let (package, compile) = timed(|| {
                        bp_compiler::compile(blueprints, &libraries, &registry, options)
                            .partial_package(&registry, engine)
                    });
                    declares[round] += declare;
                    compiles[round] += compile;
                    if round == 0 {
                        row.n_packages += 1;
                        row.n_nodes += n_nodes(blueprint);
                        row.n_bytes += n_bytes(&package);
                        row.n_functions += package
                            .classes
                            .iter()
                            .map(|class| class.functions.len())
                            .sum::<usize>();
                    }
                }
            }
        }
    }
    row.declare = median_of(declares.split_off(1));
    row.compile = median_of(compiles.split_off(1));
    Ok(row)
}

// ---- reports

pub(super) fn profile() -> &'static str {
    if cfg!(debug_assertions) {
        "development"
    } else {
        "release"
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn per_second(n_nodes: usize, time: Duration) -> f64 {
    n_nodes as f64 / time.as_secs_f64().max(1e-9)
}

/// The time against that of the row before, if that is the same shape with fewer nodes.
fn growth(rows: &[Row], idx: usize) -> Option<(f64, f64)> {
    let (row, before) = (&rows[idx], rows.get(idx.checked_sub(1)?)?);
    (row.shape.name == before.shape.name && row.n_nodes > before.n_nodes).then(|| {
        let nodes = row.n_nodes as f64 / before.n_nodes as f64;
        (
            row.compile.as_secs_f64() / before.compile.as_secs_f64().max(1e-9),
            nodes,
        )
    })
}

fn as_text(small: &Small, corpus: Option<&CorpusRow>, rows: &[Row]) -> String {
    let mut out = format!(
        "{} build, one thread, processor time, medians of {}\n\n",
        profile(),
        clock::N_SAMPLES
    );
    let _ = writeln!(
        out,
        "a text of {} nodes ({} bytes) to a verified package: {:.2} ms\n  \
         read {:.2}, declare {:.2}, compile {:.2}, verify {:.2}; with declarations decoded for it {:.2}\n  \
         all embedded classes decoded {:.2} ms, the standard macros read {:.2} ms\n",
        small.n_nodes,
        small.n_text,
        milliseconds(small.whole),
        milliseconds(small.read),
        milliseconds(small.declare),
        milliseconds(small.compile),
        milliseconds(small.verify),
        milliseconds(small.cold),
        milliseconds(small.all_declarations),
        milliseconds(small.macros),
    );
    if let Some(row) = corpus {
        let _ = writeln!(
            out,
            "{} real packages, {} nodes, {} functions, {} bytes: compile {:.1} ms, {:.0} nodes/s; declare {:.1} ms\n",
            row.n_packages,
            row.n_nodes,
            row.n_functions,
            row.n_bytes,
            milliseconds(row.compile),
            per_second(row.n_nodes, row.compile),
            milliseconds(row.declare),
        );
    }
    if !rows.is_empty() {
        let _ = writeln!(
            out,
            "{:<15} {:>8} {:>10} {:>10} {:>10} {:>11} {:>12} {:>10} {:>11}",
            "shape",
            "nodes",
            "bytes",
            "read ms",
            "compile ms",
            "nodes/s",
            "time/before",
            "verify ms",
            "peak B/node"
        );
    }
    for (idx, row) in rows.iter().enumerate() {
        let growth = growth(rows, idx).map_or_else(String::new, |(time, nodes)| {
            format!("{time:.1} for {nodes:.0}")
        });
        let _ = writeln!(
            out,
            "{:<15} {:>8} {:>10} {:>10.2} {:>10.2} {:>11.0} {:>12} {:>10} {:>11.0}",
            row.shape.name,
            row.n_nodes,
            row.n_bytes,
            milliseconds(row.read),
            milliseconds(row.compile),
            per_second(row.n_nodes, row.compile),
            growth,
            row.verify.map_or_else(
                || "refused".to_owned(),
                |time| format!("{:.2}", milliseconds(time))
            ),
            row.peak as f64 / row.n_nodes as f64,
        );
    }
    out
}

fn as_json(small: &Small, corpus: Option<&CorpusRow>, rows: &[Row]) -> String {
    let seconds = |time: Duration| time.as_secs_f64();
    let rows: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(idx, row)| {
            json!({
                "shape": row.shape.name,
                "what": row.shape.what,
                "nodes": row.n_nodes,
                "bytes": row.n_bytes,
                "read_seconds": seconds(row.read),
                "compile_seconds": seconds(row.compile),
                "nodes_per_second": per_second(row.n_nodes, row.compile),
                "time_against_smaller": growth(rows, idx).map(|(time, _)| time),
                "verify_seconds": row.verify.map(seconds),
                "peak_bytes": row.peak,
                "peak_bytes_per_node": row.peak as f64 / row.n_nodes as f64,
            })
        })
        .collect();
    let corpus = corpus.map(|row| {
        json!({
            "packages": row.n_packages,
            "nodes": row.n_nodes,
            "functions": row.n_functions,
            "bytes": row.n_bytes,
            "compile_seconds": seconds(row.compile),
            "nodes_per_second": per_second(row.n_nodes, row.compile),
            "declare_seconds": seconds(row.declare),
        })
    });
    json!({
        "profile": profile(),
        "samples": clock::N_SAMPLES,
        "small": {
            "nodes": small.n_nodes,
            "text_bytes": small.n_text,
            "seconds": seconds(small.whole),
            "seconds_with_declarations": seconds(small.cold),
            "read_seconds": seconds(small.read),
            "declare_seconds": seconds(small.declare),
            "compile_seconds": seconds(small.compile),
            "verify_seconds": seconds(small.verify),
            "all_declarations_seconds": seconds(small.all_declarations),
            "standard_macros_seconds": seconds(small.macros),
        },
        "corpus": corpus,
        "generated": rows,
    })
    .to_string()
}
