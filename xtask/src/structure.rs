//! `structure`: the rules of the workspace that no compiler checks.
//!
//! - Dependencies between crates are those of the design: the compiler never reaches the interpreter, graphs
//!   never reach bytecode, and so on, also indirectly.
//! - Packages of others do the jobs they are in for, and are few.
//! - Only the command line, tests and project commands touch files, environment, clock, threads or console.
//! - The repository's top level is what the design lists, crates share the workspace's lints, and files stay
//!   short.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use petgraph::algo::has_path_connecting;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeFiltered, EdgeRef};
use serde_json::Value;

/// What each crate may reach, directly or not.
const MAY_REACH: [(&str, &[&str]); 11] = [
    ("bench-native", &[]),
    ("bp-diag", &[]),
    ("bp-reflect", &[]),
    ("bp-graph", &["bp-diag", "bp-reflect"]),
    ("bp-bytecode", &["bp-reflect"]),
    (
        "bp-compiler",
        &["bp-graph", "bp-bytecode", "bp-diag", "bp-reflect"],
    ),
    ("bp-vm", &["bp-bytecode", "bp-reflect"]),
    (
        "bp-uasset",
        &["bp-graph", "bp-bytecode", "bp-diag", "bp-reflect"],
    ),
    (
        "bp-cli",
        &[
            "bp-graph",
            "bp-bytecode",
            "bp-diag",
            "bp-reflect",
            "bp-uasset",
            "bp-compiler",
            "bp-vm",
        ],
    ),
    (
        "bp-tests",
        &[
            "bp-graph",
            "bp-bytecode",
            "bp-diag",
            "bp-reflect",
            "bp-uasset",
            "bp-compiler",
            "bp-vm",
            "bp-cli",
        ],
    ),
    (
        "xtask",
        &[
            "bp-graph",
            "bp-bytecode",
            "bp-diag",
            "bp-reflect",
            "bp-uasset",
            "bp-compiler",
            "bp-vm",
            "bp-cli",
            "bp-tests",
            "bench-native",
        ],
    ),
];

/// Packages of others that only these crates of ours may use: one place for each job.
const ONLY_USED_BY: [(&str, &[&str]); 4] = [
    ("codespan-reporting", &["bp-diag"]),
    ("clap", &["bp-cli", "xtask"]),
    ("rayon", &["bp-cli", "bp-tests", "xtask"]),
    ("tempfile", &["bp-cli", "bp-tests"]),
];

/// Packages that must be used by these crates.
const USED: [(&str, &str); 7] = [
    ("serde", "bp-reflect"),
    ("serde_json", "bp-graph"),
    ("petgraph", "bp-compiler"),
    ("la-arena", "bp-graph"),
    ("indexmap", "bp-reflect"),
    ("codespan-reporting", "bp-diag"),
    ("pretty_assertions", "bp-tests"),
];

/// Most packages that the binary is built of.
const MAX_PACKAGES: usize = 120;

/// Crates that do not touch the outside.
const PURE: [&str; 7] = [
    "diag", "reflect", "graph", "bytecode", "compiler", "vm", "uasset",
];

/// What touches it.
const OUTSIDE: [&str; 12] = [
    "std::fs",
    "std::env",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::net",
    "std::process",
    "std::thread",
    "Instant::",
    "SystemTime",
    "println!",
    "eprint!",
];

/// What the repository's top level holds, besides what is not committed.
const TOP_LEVEL: [&str; 15] = [
    ".cargo",
    ".ci",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "NATIVES.md",
    "README.md",
    "crates",
    "docs",
    "graphs",
    "rust-toolchain.toml",
    "tests",
    "xtask",
];

/// Lines of the longest source file.
const MAX_LINES: usize = 1000;

/// Checks everything and prints what is broken; whether nothing is.
pub(crate) fn run() -> bool {
    let root = bp_tests::root();
    let mut broken = Vec::new();
    match metadata(&root) {
        Ok(metadata) => dependencies(&metadata, &mut broken),
        Err(reason) => broken.push(reason),
    }
    pure_crates(&root, &mut broken);
    top_level(&root, &mut broken);
    manifests(&root, &mut broken);
    lengths(&root, &mut broken);
    codes(&root, &mut broken);
    for line in &broken {
        println!("structure: {line}");
    }
    if broken.is_empty() {
        println!("structure: every rule holds");
    }
    broken.is_empty()
}

/// Every diagnostic code that `bpc explain` describes is one that some stage raises.
fn codes(root: &Path, broken: &mut Vec<String>) {
    let is_product = |path: &&PathBuf| {
        path.components().any(|part| part.as_os_str() == "src")
            && !path.ends_with("crates/diag/src/code.rs")
    };
    let text: String = sources(&root.join("crates"))
        .iter()
        .filter(is_product)
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let used: BTreeSet<&str> = text
        .split("Code::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
        .collect();
    for code in bp_diag::Code::ALL {
        let name = format!("{code:?}");
        if !used.contains(name.as_str()) {
            broken.push(format!("nothing raises Code::{name} ({code})"));
        }
    }
}

fn metadata(root: &Path) -> Result<Value, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// How one package uses another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Normal,
    BuildOrTest,
}

fn dependencies(metadata: &Value, broken: &mut Vec<String>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut graph: DiGraph<String, Use> = DiGraph::new();
    let mut by_id = std::collections::BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let node = graph.add_node(text(&package["name"]));
        by_id.insert(text(&package["id"]), node);
    }
    for node in list(&metadata["resolve"]["nodes"]) {
        let Some(&from) = by_id.get(&text(&node["id"])) else {
            continue;
        };
        for dependency in list(&node["deps"]) {
            let Some(&to) = by_id.get(&text(&dependency["pkg"])) else {
                continue;
            };
            let is_normal = list(&dependency["dep_kinds"])
                .iter()
                .any(|kind| kind["kind"].is_null());
            let kind = if is_normal {
                Use::Normal
            } else {
                Use::BuildOrTest
            };
            graph.add_edge(from, to, kind);
        }
    }
    let members: Vec<NodeIndex> = list(&metadata["workspace_members"])
        .iter()
        .filter_map(|id| by_id.get(&text(id)).copied())
        .collect();
    let member = |name: &str| members.iter().copied().find(|node| graph[*node] == name);

    for node in &members {
        let name = graph[*node].as_str();
        let Some((_, allowed)) = MAY_REACH.iter().find(|(crate_name, _)| *crate_name == name)
        else {
            broken.push(format!("crate {name} has no place in the design"));
            continue;
        };
        for other in members.iter().filter(|other| *other != node) {
            let other_name = graph[*other].as_str();
            if !allowed.contains(&other_name) && has_path_connecting(&graph, *node, *other, None) {
                broken.push(format!("{name} must not reach {other_name}, but does"));
            }
        }
    }
    for (package, users) in ONLY_USED_BY {
        for node in &members {
            let name = graph[*node].as_str();
            let uses = graph
                .edges(*node)
                .any(|edge| graph[edge.target()] == package);
            if uses && !users.contains(&name) {
                broken.push(format!(
                    "{package} is for {} only, but {name} uses it",
                    users.join(", ")
                ));
            }
        }
    }
    for (package, user) in USED {
        let uses = member(user).is_some_and(|node| {
            graph
                .edges(node)
                .any(|edge| graph[edge.target()] == package)
        });
        if !uses {
            broken.push(format!("{user} does not use {package}"));
        }
    }
    if let Some(cli) = member("bp-cli") {
        let normal = EdgeFiltered::from_fn(&graph, |edge| *edge.weight() == Use::Normal);
        let mut search = Dfs::new(&normal, cli);
        let mut packages = BTreeSet::new();
        while let Some(node) = search.next(&normal) {
            if !members.contains(&node) {
                packages.insert(node);
            }
        }
        if packages.len() > MAX_PACKAGES {
            broken.push(format!(
                "bpc is built of {} packages of others; {MAX_PACKAGES} are the limit",
                packages.len()
            ));
        }
    }
}

/// The part of a source that is built into the crate: up to its tests, comments left out.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn pure_crates(root: &Path, broken: &mut Vec<String>) {
    for name in PURE {
        for file in sources(&root.join("crates").join(name).join("src")) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            for (number, line) in code_lines(&text) {
                if let Some(what) = OUTSIDE.iter().find(|what| line.contains(**what)) {
                    broken.push(format!(
                        "{}:{number}: bp-{name} must not touch the outside, but uses {what}",
                        shown(root, &file)
                    ));
                }
            }
        }
    }
}

fn top_level(root: &Path, broken: &mut Vec<String>) {
    let not_committed = [".git", "target"];
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !TOP_LEVEL.contains(&name.as_str()) && !not_committed.contains(&name.as_str()) {
            broken.push(format!("{name} does not belong to the top level"));
        }
    }
    for needed in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", ".ci/run"] {
        if !root.join(needed).is_file() {
            broken.push(format!("{needed} is missing"));
        }
    }
}

fn manifests(root: &Path, broken: &mut Vec<String>) {
    let folders = fs::read_dir(root.join("crates"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .chain(["tests", "xtask", "xtask/native"].map(|folder| root.join(folder)));
    for folder in folders {
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap_or_default();
        if !text.contains("[lints]\nworkspace = true") {
            broken.push(format!(
                "{} does not share the workspace's lints",
                shown(root, &manifest)
            ));
        }
    }
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    if !workspace.contains("unsafe_code = \"deny\"") {
        broken.push("Cargo.toml does not deny unsafe code".to_owned());
    }
    unsafe_code(root, broken);
}

/// Where unsafe code is allowed: in the module that runs register code, which is said where it is declared.
const ALLOWS_UNSAFE: &str = "crates/vm/src/fast/mod.rs";

/// Every crate forbids unsafe code but the one that has such a module, which denies it everywhere else.
fn unsafe_code(root: &Path, broken: &mut Vec<String>) {
    let crates = fs::read_dir(root.join("crates"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .chain(["tests", "xtask", "xtask/native"].map(|folder| root.join(folder)));
    for folder in crates {
        for file in ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file)) {
            let Ok(text) = fs::read_to_string(&file) else {
                continue;
            };
            let is_exempt = folder.ends_with("crates/vm");
            if !is_exempt && !text.contains("#![forbid(unsafe_code)]") {
                broken.push(format!(
                    "{} does not forbid unsafe code",
                    shown(root, &file)
                ));
            }
        }
    }
    for file in sources(&root.join("crates/vm")) {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let is_allowed = file == root.join(ALLOWS_UNSAFE);
        if !is_allowed && text.contains("    unsafe_code,\n") {
            broken.push(format!("{} allows unsafe code", shown(root, &file)));
        }
    }
}

fn lengths(root: &Path, broken: &mut Vec<String>) {
    for folder in ["crates", "tests", "xtask"] {
        for file in sources(&root.join(folder)) {
            let n_lines = fs::read_to_string(&file)
                .unwrap_or_default()
                .lines()
                .count();
            if n_lines > MAX_LINES {
                broken.push(format!(
                    "{} has {n_lines} lines; split it by topic below {MAX_LINES}",
                    shown(root, &file)
                ));
            }
        }
    }
}

fn shown(root: &Path, file: &Path) -> String {
    bp_cli::input::shown(file.strip_prefix(root).unwrap_or(file))
}

/// Rust files under a folder, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
