//! Compiles Blueprints to Kismet bytecode.
//!
//! In: [`Blueprint`]s and a [`Registry`] of everything declared ([`declare`] adds the Blueprints' own
//! classes). Out: a [`Compilation`], which keeps what every stage made and, if there were no errors, the
//! [`Package`].
//!
//! One way, each stage owning its output:
//!
//! ```text
//! Blueprint --declare--> Registry with its class            names and signatures before bodies
//!           --expand---> ExpandedFunction                    no macro, tunnel, knot or sugar node left
//!           --schedule-> Schedule                            a linear order over data wires
//!           --lower----> FunctionIr                          statements over terms, blocks in final order
//!           --emit-----> Package                             script bytes, jumps patched
//! ```
//!
//! Where the engine's order decides bytes, its arrays are kept: nodes are removed by swapping, links are
//! appended one by one, pending blocks wait in a set that refills its holes. The rules and the evidence
//! for each stand where they are followed.
//!
//! This crate does not know the interpreter.

#![forbid(unsafe_code)]

mod animation;
mod check;
mod context;
mod declare;
pub mod dump;
pub mod emit;
pub mod expand;
pub mod expanded;
pub mod ir;
mod latent;
pub mod lent;
pub mod lower;
pub mod nodes;
mod skeleton;
mod stub;
mod undeclared;

use bp_bytecode::encode::Interner;
use bp_bytecode::{CompiledClass, Dialect, Package};
use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::{Blueprint, BlueprintKind, Graph, GraphKind, NodeId};
use bp_reflect::{EngineVersion, Function, FunctionFlags, Name, ObjectPath, Registry};
use rustc_hash::FxHashMap;

pub use context::{Context, Options};
pub use declare::declare;
use expand::ExpandedFunction;
use ir::FunctionIr;
use lower::Schedule;
pub use undeclared::declare_interfaces;

/// What every stage made of a set of Blueprints.
pub struct Compilation<'a> {
    /// One a Blueprint, each after the Blueprint it derives from.
    pub units: Vec<Unit<'a>>,
    /// The result; none if a Blueprint has errors: as in the engine, one broken function makes its whole class
    /// inert.
    pub package: Option<Package>,
    /// Findings of all stages.
    pub diagnostics: Diagnostics,
}

/// What every stage made of one Blueprint.
pub struct Unit<'a> {
    /// The Blueprint.
    pub blueprint: &'a Blueprint,
    /// Its functions: ubergraph, event stubs, function graphs.
    pub functions: Vec<FunctionUnit<'a>>,
}

/// What every stage made of one function.
pub struct FunctionUnit<'a> {
    /// The expanded graph and its schedule; none for event stubs, which have no graph.
    pub expanded: Option<(ExpandedFunction<'a>, Schedule)>,
    /// Its statements.
    pub ir: FunctionIr,
    /// What it was drawn as: its graph, or the page and node of an event.
    pub drawn: (&'a Graph, Option<NodeId>),
    /// Whether it has errors; its statements are then not to be trusted.
    pub has_errors: bool,
}

impl Compilation<'_> {
    /// A package of the functions without errors, for tools that look at what did compile. Only
    /// [`Compilation::package`] is fit to run.
    ///
    /// Functions that cannot be emitted are left out too.
    pub fn partial_package(&self, registry: &Registry, engine: EngineVersion) -> Package {
        let mut refs = Interner::new();
        let mut classes = Vec::new();
        for unit in &self.units {
            classes.push(link_class(
                unit,
                registry,
                engine,
                Broken::LeaveOut,
                &mut refs,
                &mut Linked::default(),
            ));
        }
        Package {
            engine,
            references: refs.into_tables(),
            classes,
            structs: Vec::new(),
            enums: Vec::new(),
        }
    }

    /// A package in which the functions with errors, and the events of a broken ubergraph, only return, and the
    /// paths of these functions in order. The engine goes further and empties the whole class.
    pub fn package_of_rest(
        &self,
        registry: &Registry,
        engine: EngineVersion,
    ) -> (Package, Vec<ObjectPath>) {
        let (package, linked) = link(&self.units, registry, engine, Broken::Empty);
        (package, linked.emptied)
    }
}

/// What linking does with a function that has errors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Broken {
    /// The class does not have it.
    LeaveOut,
    /// It only returns.
    Empty,
}

/// What linking found.
#[derive(Default)]
struct Linked {
    problems: Vec<Diagnostic>,
    /// Functions that only return because they, or their ubergraph, are broken.
    emptied: Vec<ObjectPath>,
}

/// Compiles Blueprints together. `registry` must know their classes ([`declare`]); `libraries` are further
/// Blueprints whose macros may be used, such as the standard macros.
pub fn compile<'a>(
    blueprints: &'a [Blueprint],
    libraries: &'a [&'a Blueprint],
    registry: &'a Registry,
    options: Options,
) -> Compilation<'a> {
    let mut diagnostics = Diagnostics::new();
    let mut units = Vec::new();
    for blueprint in declare::parents_first(blueprints) {
        if blueprint.kind == BlueprintKind::MacroLibrary {
            continue;
        }
        let (unit, found) = compile_unit(blueprint, blueprints, libraries, registry, options);
        diagnostics.append(found);
        units.push(unit);
    }
    // Also when there are errors: those of emission belong to the same report.
    let engine = package_engine(blueprints, options);
    let (package, linked) = link(&units, registry, engine, Broken::LeaveOut);
    for problem in linked.problems {
        diagnostics.push(problem);
    }
    Compilation {
        package: (!diagnostics.has_errors()).then_some(package),
        units,
        diagnostics,
    }
}

/// The version a set is compiled for: the one asked for, else that of the first Blueprint.
pub fn package_engine(blueprints: &[Blueprint], options: Options) -> EngineVersion {
    options
        .engine
        .or_else(|| blueprints.first().map(|blueprint| blueprint.engine))
        .unwrap_or(EngineVersion::LATEST)
}

fn compile_unit<'a>(
    blueprint: &'a Blueprint,
    blueprints: &'a [Blueprint],
    libraries: &'a [&'a Blueprint],
    registry: &'a Registry,
    options: Options,
) -> (Unit<'a>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let Some(class) = registry.class(&blueprint.class_path) else {
        return (
            Unit {
                blueprint,
                functions: Vec::new(),
            },
            diagnostics,
        );
    };
    let cx = Context {
        registry,
        blueprint,
        class,
        blueprints,
        libraries,
        engine: options.engine.unwrap_or(blueprint.engine),
        debug_sites: options.debug_sites,
    };
    diagnostics.append(check::members(&cx));
    let mut functions = Vec::new();
    if blueprint.kind != BlueprintKind::Interface {
        let (ubergraph, found) = expand::ubergraph(&cx, &skeleton::ubergraph_signature(&cx));
        if let Some(ubergraph) = ubergraph {
            let events = ubergraph.events.clone();
            let unit = lower_unit(&cx, ubergraph, found, &mut diagnostics);
            let (ubergraph, _) = unit.expanded.as_ref().expect("the ubergraph has a graph");
            let stubs: Vec<_> = events
                .iter()
                .map(|event| {
                    let origin = ubergraph.graph.node(*event).origin;
                    let origin = ubergraph.graph.origin(origin);
                    let (ir, found) = stub::stub(&cx, ubergraph, *event, &unit.ir);
                    (ir, (origin.graph, origin.node), found)
                })
                .collect();
            functions.push(unit);
            functions.extend(stubs.into_iter().map(|(ir, drawn, found)| {
                let has_errors = found.has_errors();
                diagnostics.append(found);
                FunctionUnit {
                    expanded: None,
                    ir,
                    drawn,
                    has_errors,
                }
            }));
        } else {
            diagnostics.append(found);
        }
    }
    for graph in &blueprint.graphs {
        if graph.kind == GraphKind::Animation {
            if cx.engine >= EngineVersion::new(4, 23) {
                let (ir, found) = stub::animation_graph(&cx, graph);
                functions.push(FunctionUnit {
                    expanded: None,
                    ir,
                    drawn: (graph, None),
                    has_errors: found.has_errors(),
                });
                diagnostics.append(found);
            }
            continue;
        }
        if !matches!(graph.kind, GraphKind::Function | GraphKind::Construction) {
            continue;
        }
        let signature = skeleton::function_signature(&cx, graph);
        if blueprint.kind == BlueprintKind::Interface {
            functions.push(FunctionUnit {
                expanded: None,
                ir: stub::empty(&cx, signature),
                drawn: (graph, None),
                has_errors: false,
            });
            continue;
        }
        let mut found = check::overriding(&cx, graph, &signature);
        let (expanded, of_expansion) = expand::function(&cx, graph, &signature);
        found.append(of_expansion);
        let Some(expanded) = expanded else {
            diagnostics.append(found);
            functions.push(FunctionUnit {
                expanded: None,
                ir: stub::empty(&cx, signature),
                drawn: (graph, None),
                has_errors: true,
            });
            continue;
        };
        if graph.kind == GraphKind::Construction
            && skeleton::is_trivial_construction(&cx, &expanded)
        {
            diagnostics.append(found);
            continue;
        }
        functions.push(lower_unit(&cx, expanded, found, &mut diagnostics));
    }
    report_same_names(&cx, &mut functions, &mut diagnostics);
    (
        Unit {
            blueprint,
            functions,
        },
        diagnostics,
    )
}

/// A class has one function of a name, whether an event or a graph made it, and no variable of that name.
fn report_same_names(
    cx: &Context<'_>,
    functions: &mut [FunctionUnit<'_>],
    diagnostics: &mut Diagnostics,
) {
    let span_of = |(graph, node): (&Graph, Option<NodeId>)| {
        node.map_or(graph.span, |id| graph.nodes[id].span)
    };
    let mut seen: FxHashMap<Name, (&Graph, Option<NodeId>)> = FxHashMap::default();
    for function in functions {
        let name = &function.ir.function.name;
        let (graph, node) = function.drawn;
        let finding = if let Some(other) = seen.insert(name.clone(), function.drawn) {
            // Stubs are not in the order of drawing: the later one is in the way of the earlier.
            let mut pair = [other, function.drawn];
            pair.sort_by_key(|drawn| span_of(*drawn));
            let [first, (graph, node)] = pair;
            let message = format!("more than one event or function is named {name}");
            let finding = cx
                .diagnostic(Code::DupFunction, message, graph, node, None)
                .hint("rename one of them, or do the work of both in one");
            match span_of(first) {
                Some(span) => finding.also(span, "the first"),
                None => finding,
            }
        } else if cx.class.properties.iter().any(|one| one.name == *name) {
            let message = format!("{name} is the name of a function and of a variable");
            cx.diagnostic(Code::FuncPropClash, message, graph, node, None)
                .hint("rename one of them")
        } else {
            continue;
        };
        diagnostics.push(finding);
        function.has_errors = true;
    }
}

/// Schedules and lowers an expanded function. `found` are the findings of its expansion.
fn lower_unit<'a>(
    cx: &Context<'a>,
    expanded: ExpandedFunction<'a>,
    mut found: Diagnostics,
    diagnostics: &mut Diagnostics,
) -> FunctionUnit<'a> {
    let (schedule, of_schedule) = lower::schedule(cx, &expanded);
    let has_circle = of_schedule.has_errors();
    found.append(of_schedule);
    let (mut ir, of_lowering) = lower::lower(cx, &expanded, &schedule);
    for finding in of_lowering.into_vec() {
        // What depends on a circle is not scheduled and has no code; the circle is what is wrong.
        if !(has_circle && matches!(finding.code, Code::GotoNowhere | Code::NoValue)) {
            found.push(finding);
        }
    }
    skeleton::set_local_flags(&mut ir.function);
    let has_errors = found.has_errors();
    diagnostics.append(found);
    FunctionUnit {
        drawn: (expanded.source, None),
        expanded: Some((expanded, schedule)),
        ir,
        has_errors,
    }
}

/// Emits all functions and puts the package together.
fn link(
    units: &[Unit<'_>],
    registry: &Registry,
    engine: EngineVersion,
    broken: Broken,
) -> (Package, Linked) {
    let mut refs = Interner::new();
    let mut linked = Linked::default();
    let mut classes = Vec::new();
    let mut structs = Vec::new();
    let mut enums = Vec::new();
    for unit in units {
        structs.extend(unit.blueprint.structs.iter().cloned());
        enums.extend(unit.blueprint.enums.iter().cloned());
        let class = link_class(unit, registry, engine, broken, &mut refs, &mut linked);
        classes.push(class);
    }
    let package = Package {
        engine,
        references: refs.into_tables(),
        classes,
        structs,
        enums,
    };
    (package, linked)
}

/// The class of a unit with the scripts of its functions.
fn link_class(
    unit: &Unit<'_>,
    registry: &Registry,
    engine: EngineVersion,
    broken: Broken,
    refs: &mut Interner,
    linked: &mut Linked,
) -> CompiledClass {
    let mut event_offsets: FxHashMap<Name, bp_bytecode::CodeOffset> = FxHashMap::default();
    let mut signatures: Vec<Function> = Vec::new();
    let mut functions = Vec::new();
    let mut is_lost = false;
    for function in &unit.functions {
        let ir = &function.ir;
        let is_ubergraph = ir.function.flags.contains(FunctionFlags::UBERGRAPH)
            || ir.function.name.as_str().starts_with("ExecuteUbergraph_");
        let mut is_fine = !function.has_errors;
        if is_fine {
            let cx = emit::Emission {
                registry,
                dialect: Dialect::new(engine),
                event_offsets: &event_offsets,
            };
            match emit::emit(&cx, ir, refs) {
                Ok(emitted) => {
                    event_offsets.extend(emitted.events);
                    signatures.push(ir.function.clone());
                    functions.push(emitted.function);
                }
                Err(found) => {
                    is_fine = false;
                    // Without the ubergraph no event has code; why it is not there was said.
                    let found = found
                        .into_iter()
                        .filter(|problem| !is_lost || problem.code != Code::NoEventCode)
                        .map(|problem| check::located(problem, unit.blueprint));
                    linked.problems.extend(found);
                }
            }
        }
        is_lost |= is_ubergraph && !is_fine;
        if !is_fine && broken == Broken::Empty {
            let ir = stub::emptied(ir);
            let cx = emit::Emission {
                registry,
                dialect: Dialect::new(engine),
                event_offsets: &event_offsets,
            };
            let emitted = emit::emit(&cx, &ir, refs);
            let Ok(emitted) = emitted else {
                unreachable!("a script that only returns can be written")
            };
            linked.emptied.push(ir.path);
            signatures.push(ir.function);
            functions.push(emitted.function);
        }
    }
    CompiledClass {
        functions,
        ..skeleton::compiled_class(unit.blueprint, registry, signatures)
    }
}
