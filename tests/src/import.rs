//! What is read out of real packages, and whether it can be written and read again.
//!
//! In: the bytes of a package. Out: [`Import`], with counts of what is stored, of what the model holds, what
//! was left out, and the first difference of each way out and back. `cargo xtask import-report` prints it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use bp_diag::{Code, Diagnostics, Severity, Sources, render};
use bp_graph::{Blueprint, Detail, Graph, blueprint_difference, graph_difference, json, t3d};
use bp_reflect::{EngineVersion, Registry, declarations};
use bp_uasset::{Guid, Package, PackageIndex, PinData, to_blueprint};

/// Graphs, nodes, pins and links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Graphs of any kind.
    pub graphs: usize,
    /// Nodes in them, comments included.
    pub nodes: usize,
    /// Pins of the nodes, sub-pins and orphaned pins included.
    pub pins: usize,
    /// Links, counted at both ends.
    pub link_ends: usize,
}

impl Counts {
    /// Adds the counts of another.
    pub fn add(&mut self, other: Self) {
        self.graphs += other.graphs;
        self.nodes += other.nodes;
        self.pins += other.pins;
        self.link_ends += other.link_ends;
    }
}

/// Whether something came back equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trip {
    /// What was tried: Blueprints or graphs.
    pub n_tried: usize,
    /// The first difference of each that did not come back equal.
    pub differences: Vec<String>,
}

impl Trip {
    /// How many came back equal.
    pub fn n_equal(&self) -> usize {
        self.n_tried - self.differences.len()
    }
}

/// What reading one package gave.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The package's path, from the folder that was asked for.
    pub name: String,
    /// The engine version it follows.
    pub engine: String,
    /// The class of its Blueprint object, `Blueprint` or `WidgetBlueprint`; empty without one.
    pub kind: String,
    /// Why it could not be read at all.
    pub refused: Option<String>,
    /// What the package stores: all objects that are graphs, whatever editor they are of, and all nodes in them.
    pub stored: Counts,
    /// Links of which only one end says so, or that lead nowhere.
    pub n_asymmetric: usize,
    /// What the model holds.
    pub model: Counts,
    /// Members of the class that the model holds.
    pub members: Members,
    /// What the package has and the model has not, one line each.
    pub left_out: Vec<String>,
    /// Findings of a higher severity than a note.
    pub findings: Vec<String>,
    /// Functions that nodes call and nothing declares, as the compiler names them.
    pub undeclared: Vec<String>,
    /// The Blueprint through JSON.
    pub json: Trip,
    /// Each graph through clipboard text.
    pub clipboard: Trip,
}

/// Members of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// Variables.
    pub variables: usize,
    /// Of these, those with a default.
    pub defaults: usize,
    /// Local variables of all functions.
    pub locals: usize,
    /// Event dispatchers.
    pub dispatchers: usize,
    /// Components.
    pub components: usize,
    /// Inherited components with properties of their own.
    pub overrides: usize,
    /// Defaults of inherited members.
    pub class_defaults: usize,
    /// Widgets and other members that designers make.
    pub designer: usize,
    /// Timelines.
    pub timelines: usize,
    /// Interfaces.
    pub interfaces: usize,
    /// Structs and enums.
    pub types: usize,
}

impl Members {
    /// Each count with its name.
    pub fn rows(&self) -> [(&'static str, usize); 11] {
        [
            ("variables", self.variables),
            ("defaults of variables", self.defaults),
            ("local variables", self.locals),
            ("dispatchers", self.dispatchers),
            ("components", self.components),
            ("component overrides", self.overrides),
            ("class defaults", self.class_defaults),
            ("designer variables", self.designer),
            ("timelines", self.timelines),
            ("interfaces", self.interfaces),
            ("structs and enums", self.types),
        ]
    }

    /// All members, those that only change others left out.
    pub fn sum(&self) -> usize {
        self.variables
            + self.locals
            + self.dispatchers
            + self.components
            + self.designer
            + self.timelines
            + self.interfaces
            + self.types
    }
}

/// What reading many packages gave.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Packages.
    pub packages: usize,
    /// Of these, those that were refused.
    pub refused: usize,
    /// What they store.
    pub stored: Counts,
    /// Links of which only one end says so.
    pub asymmetric: usize,
    /// What the models hold.
    pub model: Counts,
    /// Members by name, in the order of [`Members::rows`].
    pub members: Vec<(&'static str, usize)>,
    /// Things left out.
    pub left_out: usize,
    /// Findings.
    pub findings: usize,
    /// Functions that nothing declares, counted in each package.
    pub undeclared: usize,
    /// Blueprints equal after JSON, and tried.
    pub json: (usize, usize),
    /// Graphs equal after clipboard text, and tried.
    pub clipboard: (usize, usize),
}

impl Totals {
    /// Sums up.
    pub fn of(reports: &[Import]) -> Self {
        let mut totals = Self {
            members: Members::default().rows().to_vec(),
            ..Self::default()
        };
        for report in reports {
            totals.packages += 1;
            totals.refused += usize::from(report.refused.is_some());
            totals.stored.add(report.stored);
            totals.asymmetric += report.n_asymmetric;
            totals.model.add(report.model);
            for (sum, (_, n)) in totals.members.iter_mut().zip(report.members.rows()) {
                sum.1 += n;
            }
            totals.left_out += report.left_out.len();
            totals.findings += report.findings.len();
            totals.undeclared += report.undeclared.len();
            totals.json.0 += report.json.n_equal();
            totals.json.1 += report.json.n_tried;
            totals.clipboard.0 += report.clipboard.n_equal();
            totals.clipboard.1 += report.clipboard.n_tried;
        }
        totals
    }

    /// Each sum with its name, round trips left out.
    pub fn rows(&self) -> Vec<(&'static str, usize)> {
        let mut rows = vec![
            ("packages", self.packages),
            ("refused", self.refused),
            ("graphs", self.stored.graphs),
            ("nodes", self.stored.nodes),
            ("pins", self.stored.pins),
            ("link ends", self.stored.link_ends),
            ("asymmetric links", self.asymmetric),
            ("graphs in the model", self.model.graphs),
            ("nodes in the model", self.model.nodes),
            ("pins in the model", self.model.pins),
            ("link ends in the model", self.model.link_ends),
        ];
        rows.extend(&self.members);
        rows.extend([
            ("left out", self.left_out),
            ("findings", self.findings),
            ("undeclared functions", self.undeclared),
        ]);
        rows
    }
}

/// The engine's declarations and macros, by version: making them takes longer than reading most packages.
#[derive(Debug, Default)]
pub struct Engines(Mutex<HashMap<EngineVersion, Arc<Engine>>>);

/// What every Blueprint of a version can use.
#[derive(Debug)]
struct Engine {
    declarations: Registry,
    macros: Blueprint,
}

impl Engines {
    fn get(&self, version: EngineVersion) -> Arc<Engine> {
        // A thread that panicked while it held the lock has left nothing half done.
        let mut engines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = engines.entry(version).or_insert_with(|| {
            let declarations = declarations::embedded(version);
            let macros = json::standard_macros(&declarations);
            Arc::new(Engine {
                declarations,
                macros,
            })
        });
        Arc::clone(made)
    }
}

/// Reads a package and takes it through all ways out and back.
///
/// Only the engine's own declarations are known, so that what is written must stand on its own.
pub fn import(name: &str, bytes: Vec<u8>, engines: &Engines) -> Import {
    let mut out = Import {
        name: name.to_owned(),
        ..Import::default()
    };
    let package = match Package::read(bytes) {
        Ok(package) => package,
        Err(error) => {
            out.refused = Some(error.to_string());
            return out;
        }
    };
    out.engine = package.engine().to_string();
    out.kind = blueprint_class(&package);
    count_stored(&package, &mut out);
    let (blueprint, diagnostics) = to_blueprint(&package);
    take_findings(&diagnostics, &mut out);
    for graph in &blueprint.graphs {
        count_graph(graph, &mut out.model);
    }
    out.members = Members {
        variables: blueprint.variables.len(),
        defaults: (blueprint.variables.iter())
            .filter(|variable| variable.default.is_some())
            .count(),
        locals: blueprint
            .graphs
            .iter()
            .map(|graph| graph.locals.len())
            .sum(),
        dispatchers: blueprint.dispatchers.len(),
        components: blueprint.components.len(),
        overrides: blueprint.component_overrides.len(),
        class_defaults: blueprint.class_defaults.0.len(),
        designer: blueprint.designer_variables.len(),
        timelines: blueprint.timelines.len(),
        interfaces: blueprint.interfaces.len(),
        types: blueprint.structs.len() + blueprint.enums.len(),
    };
    let engine = engines.get(blueprint.engine);
    let mut registry = engine.declarations.clone();
    let declared = bp_compiler::declare(std::slice::from_ref(&blueprint), &mut registry);
    out.undeclared = (declared.iter())
        .filter(|finding| finding.code == Code::FuncUndeclared)
        .map(|finding| finding.message.clone())
        .collect();
    out.json.n_tried = 1;
    out.json.differences.extend(json_again(&blueprint, &engine));
    for graph in &blueprint.graphs {
        if graph.nodes.is_empty() {
            continue;
        }
        out.clipboard.n_tried += 1;
        if let Some(difference) = clipboard_again(graph, &blueprint) {
            out.clipboard.differences.push(difference);
        }
    }
    out
}

fn blueprint_class(package: &Package) -> String {
    let indices = (0..package.exports().len()).map(PackageIndex::of_export);
    indices
        .filter_map(|index| package.class_name(index))
        .map(ToString::to_string)
        .find(|class| class.ends_with("Blueprint"))
        .unwrap_or_default()
}

/// Reads all nodes of a package, whatever graphs they are in, and checks that both ends of each link say so.
pub fn count_stored(package: &Package, out: &mut Import) {
    let mut pins: HashMap<(PackageIndex, Guid), PinData> = HashMap::new();
    let mut order = Vec::new();
    for export in 0..package.exports().len() {
        if package.is_graph(export) {
            out.stored.graphs += 1;
        }
        if !package.is_node(export) {
            continue;
        }
        out.stored.nodes += 1;
        match package.node(export) {
            Ok(node) => {
                for pin in node.pins {
                    out.stored.pins += 1;
                    out.stored.link_ends += pin.linked_to.len();
                    order.push((node.index, pin.id));
                    pins.insert((node.index, pin.id), pin);
                }
            }
            Err(error) => {
                let path = package.path(PackageIndex::of_export(export));
                out.findings.push(format!("{path}: {error}"));
            }
        }
    }
    for at in order {
        let is_back = |other: &PinData| other.linked_to.iter().any(|end| (end.node, end.pin) == at);
        let ends = pins[&at].linked_to.iter();
        out.n_asymmetric += ends
            .filter(|end| !pins.get(&(end.node, end.pin)).is_some_and(is_back))
            .count();
    }
}

fn count_graph(graph: &Graph, counts: &mut Counts) {
    counts.add(Counts {
        graphs: 1,
        nodes: graph.nodes.len(),
        pins: graph.pins.len(),
        link_ends: graph.pins.iter().map(|(_, pin)| pin.links.len()).sum(),
    });
    for child in &graph.children {
        count_graph(child, counts);
    }
}

fn take_findings(diagnostics: &Diagnostics, out: &mut Import) {
    for finding in diagnostics {
        let list = if finding.severity == Severity::Note {
            &mut out.left_out
        } else {
            &mut out.findings
        };
        let mut place = Vec::new();
        place.extend(finding.place.graph.clone());
        place.extend(finding.place.node_name.clone());
        place.extend(finding.place.pin.clone());
        let place = place.join(" > ");
        let message = &finding.message;
        let message = message.strip_prefix("left out: ").unwrap_or(message);
        list.push(if place.is_empty() {
            message.to_owned()
        } else {
            format!("{place}: {message}")
        });
    }
}

/// Writes a Blueprint as JSON, reads that with the same declarations, and names the first error or difference.
fn json_again(blueprint: &Blueprint, engine: &Engine) -> Option<String> {
    let (base, macros) = (&engine.declarations, Some(&engine.macros));
    let text = json::write_with_macros(blueprint, base, macros);
    let mut sources = Sources::default();
    let file = sources.add("again.json", text);
    let libraries: Vec<&Blueprint> = macros.into_iter().collect();
    let (found, _, diagnostics) = json::read_with_macros(&[file], &sources, base, &libraries);
    if let Some(error) = first_error(&diagnostics, &sources) {
        return Some(error);
    }
    match found.first() {
        Some(again) => blueprint_difference(blueprint, again, Detail::Made),
        None => Some("the text holds no Blueprint".to_owned()),
    }
}

fn first_error(diagnostics: &Diagnostics, sources: &Sources) -> Option<String> {
    let error = (diagnostics.iter()).find(|finding| finding.severity == Severity::Error)?;
    let mut first = Diagnostics::new();
    first.push(error.clone());
    let text = render::short(&first, sources);
    let n_more = diagnostics.n_errors() - 1;
    Some(format!("{} (and {n_more} more)", text.trim_end()))
}

/// Writes a graph as clipboard text, reads that, and names the first finding or difference. What a graph is
/// for is not said in the text, and before 5.0 neither is where it is.
fn clipboard_again(graph: &Graph, blueprint: &Blueprint) -> Option<String> {
    let asset = t3d::asset_path(blueprint);
    let options = t3d::WriteOptions {
        asset: Some(&asset),
        ..t3d::WriteOptions::new(blueprint.engine)
    };
    let text = t3d::write(&[graph], &options);
    let mut sources = Sources::default();
    let file = sources.add("again.t3d", text.as_str());
    let (clipboard, findings) = t3d::read(file, &text);
    if let Some(finding) = findings.iter().next() {
        return Some(format!(
            "graph {}: {}: {}",
            graph.name, finding.code, finding.message
        ));
    }
    let [again] = clipboard.graphs.as_slice() else {
        let n = clipboard.graphs.len();
        return Some(format!("graph {}: it became {n} graphs", graph.name));
    };
    let again = Graph {
        name: graph.name.clone(),
        kind: graph.kind,
        guid: graph.guid,
        implements: graph.implements.clone(),
        ..again.clone()
    };
    graph_difference(graph, &again)
}

/// Differences without what is particular to one place, with how often each occurs; the most frequent first.
pub fn causes<'a>(differences: impl Iterator<Item = &'a String>) -> Vec<(String, usize)> {
    let mut causes: BTreeMap<String, usize> = BTreeMap::new();
    for difference in differences {
        *causes.entry(cause(difference)).or_default() += 1;
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(cause, n)| (std::cmp::Reverse(*n), cause.clone()));
    causes
}

/// A difference without its place and without what it names: errors keep their code and message, other
/// differences what follows the last step of the path. Quoted names become `…`.
fn cause(difference: &str) -> String {
    let at = match (difference.find("error["), difference.find(" is ")) {
        (Some(code), _) => code,
        (None, Some(is)) => difference[..is].rfind(": ").map_or(0, |colon| colon + 2),
        (None, None) => 0,
    };
    let mut out = String::new();
    for (idx, part) in difference[at..].split(['`', '"', '“', '”']).enumerate() {
        out.push_str(if idx % 2 == 0 { part } else { "…" });
    }
    // What stands in parentheses behind an error is its place.
    let end = out.find(" (").unwrap_or(out.len());
    out[..end].chars().take(110).collect()
}
