//! What comes before the first instruction: reading, verifying and loading a package, and a process from cold.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bp_bytecode::file;
use bp_bytecode::verify::{self, verify};
use bp_cli::input::Input;
use bp_cli::load::{Options, load};
use bp_graph::json;
use bp_reflect::{EngineVersion, Registry, declarations};
use bp_tests::roundtrip;
use bp_vm::{Limits, Natives, Recorder, World};

use super::clock::{N_SAMPLES, median, median_of, timed};
use super::compile::{compiled, n_bytes, n_nodes, read};
use super::shapes::{self, Shape};

/// Costs of a package between its file and its first call.
#[derive(Clone, Debug)]
pub(crate) struct Loading {
    pub(crate) what: &'static str,
    pub(crate) n_nodes: usize,
    /// Script bytes.
    pub(crate) n_bytes: usize,
    /// From the bytes of a file to a package.
    pub(crate) decode: Duration,
    /// From a package to a verified one.
    pub(crate) verify: Duration,
    /// From a verified package to a world.
    pub(crate) load: Duration,
}

/// A process from its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cold {
    /// Nodes of the graph, which it reads as text.
    pub(crate) n_nodes: usize,
    /// Wall time to the first thing that a node prints.
    pub(crate) first: Duration,
    /// Wall time to its end.
    pub(crate) whole: Duration,
    /// Most memory, in bytes; none without `/usr/bin/time`.
    pub(crate) memory: Option<u64>,
}

/// Nodes of the generated package.
const N_NODES: usize = 20_000;

/// Processes that the median time is of.
const N_PROCESSES: usize = 11;

/// Measures packages of a shape, and one of nearly nothing to compare with: what a world costs by itself.
pub(crate) fn loading() -> Result<Vec<Loading>, String> {
    let functions = shape("many functions");
    Ok(vec![of(functions, 10)?, of(functions, N_NODES)?])
}

fn shape(name: &str) -> Shape {
    *shapes::ALL
        .iter()
        .find(|shape| shape.name == name)
        .expect("the shape is one of them")
}

fn of(shape: Shape, size: usize) -> Result<Loading, String> {
    let base = declarations::embedded(EngineVersion::new(5, 3));
    let macros = json::standard_macros(&base);
    let libraries = [&macros];
    let (blueprints, mut registry) = read(&shape.json(size), &base, &libraries)?;
    bp_compiler::declare(&blueprints, &mut registry);
    let package = compiled(&blueprints, &libraries, &registry)?;
    let bytes = file::write(&package);
    let read_again = || file::read(&bytes).map_err(|error| error.to_string());
    read_again()?;
    let checked = median(|| {
        verify::check(&package, &registry);
    });
    let decode = median(|| drop(read_again()));
    let (n_nodes, n_bytes) = (blueprints.iter().map(n_nodes).sum(), n_bytes(&package));
    let verified = verify(package, &registry).map_err(|errors| errors[0].to_string())?;
    let mut loads = Vec::new();
    // The first one decodes declarations.
    for _ in 0..=N_SAMPLES {
        let (packages, registry) = (vec![verified.clone()], Registry::clone(&registry));
        let host = Box::new(Recorder::new());
        let (world, time) = timed(|| {
            World::new(
                packages,
                registry,
                Natives::standard(),
                host,
                Limits::default(),
            )
        });
        world.map_err(|error| error.to_string())?;
        loads.push(time);
    }
    Ok(Loading {
        what: shape.what,
        n_nodes,
        n_bytes,
        decode,
        verify: checked,
        load: median_of(loads.split_off(1)),
    })
}

/// Starts `bpc run` on a graph of 1,000 nodes again and again.
pub(crate) fn cold(folder: &Path) -> Result<Cold, String> {
    let program = bpc()?;
    let graph = folder.join("cold.json");
    let text = shape("mixed").json(1_000);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&graph, &text))
        .map_err(|error| format!("{}: {error}", graph.display()))?;
    let input = Input::new("cold.json", text.into_bytes(), None);
    let loaded = load(&[input], &Options::default()).map_err(|failure| failure.to_string())?;
    roundtrip::build(&loaded, false)?;
    let (mut firsts, mut wholes) = (Vec::new(), Vec::new());
    // The first brings the program into the cache.
    for _ in 0..=N_PROCESSES {
        let (first, whole) = process(&program, &graph)?;
        firsts.push(first);
        wholes.push(whole);
    }
    Ok(Cold {
        n_nodes: loaded.blueprints.iter().map(n_nodes).sum(),
        first: median_of(firsts.split_off(1)),
        whole: median_of(wholes.split_off(1)),
        memory: memory(&program, &graph),
    })
}

/// `bpc` of the same profile as this program, built if need be.
fn bpc() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build
        .args(["build", "--quiet", "--package", "bp-cli"])
        .current_dir(bp_tests::root());
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let is_built = build.status().is_ok_and(|status| status.success());
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = own.with_file_name(format!("bpc{}", std::env::consts::EXE_SUFFIX));
    if is_built && program.is_file() {
        Ok(program)
    } else {
        Err(format!("{} cannot be built", program.display()))
    }
}

/// Wall time to the first byte that the process prints, and to its end.
fn process(program: &Path, graph: &Path) -> Result<(Duration, Duration), String> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .arg("run")
        .arg(graph)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let mut out = child.stdout.take().expect("it was asked for");
    let mut byte = [0];
    let printed = out.read_exact(&mut byte);
    let first = started.elapsed();
    let mut rest = Vec::new();
    let ended = out
        .read_to_end(&mut rest)
        .and_then(|_| child.wait())
        .map_err(|error| error.to_string())?;
    let whole = started.elapsed();
    if printed.is_err() || !ended.success() {
        return Err(format!("bpc run {} ends with {ended}", graph.display()));
    }
    Ok((first, whole))
}

/// Most memory of the process, by GNU time: what one's child took at most can be asked of the system only
/// together with all others there were.
fn memory(program: &Path, graph: &Path) -> Option<u64> {
    let output = Command::new("/usr/bin/time")
        .args(["-f", "%M"])
        .arg(program)
        .arg("run")
        .arg(graph)
        .stdout(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let kib: u64 = text.lines().last()?.trim().parse().ok()?;
    Some(kib << 10)
}
