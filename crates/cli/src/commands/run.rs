//! `bpc run`: an object of the first file's class, run.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use bp_bytecode::verify::Verified;
use bp_bytecode::{NodeName, Package};
use bp_graph::BlueprintKind;
use bp_reflect::ObjectPath;
use bp_vm::host::folded;
use bp_vm::{
    Control, Executed, Host, Limits, NodeCount, Observer, Paused, Profile, RunError, StackEntry,
    Tier, Warning,
};
use serde_json::json;

use super::{Built, Compiling, Pins, built, load};
use crate::args::{Playing, RunArgs, RunTier, Sources};
use crate::console::{Console, Stream};
use crate::exit::{Exit, Failure, Outcome};
use crate::load::Loaded;
use crate::pipeline;
use crate::report::{Reporter, counted};
use crate::runner::{self, Plan, Ran};

/// What `run` and `debug` have before anything happens.
pub(super) struct Prepared {
    pub plan: Plan,
    pub loaded: Loaded,
    pub program: Program,
    pub pins: Pins,
    /// That there are errors, when `--keep-going` goes on in spite of them.
    pub compiled: Exit,
}

/// Reads, compiles and verifies. Reports all findings; `Err` inside is the exit code if there is nothing to run.
pub(super) fn prepare(
    sources: &Sources,
    playing: &Playing,
    console: &mut Console,
    reporter: &Reporter,
) -> Outcome<Result<Prepared, Exit>> {
    let mut plan = plan(playing, console)?;
    let (loaded, _) = load(sources, console)?;
    check_kind(&loaded)?;
    let compiling = Compiling {
        debug_sites: playing.debug_sites,
        keep_going: playing.keep_going,
    };
    let Built {
        packages,
        symbols,
        exit: compiled,
    } = built(&loaded, compiling, reporter)?;
    if compiled != Exit::Fine && packages.is_empty() {
        return Ok(Err(compiled));
    }
    plan.input_events = symbols.inputs;
    Ok(match program(&loaded, packages, reporter)? {
        Ok(program) => Ok(Prepared {
            plan,
            loaded,
            program,
            pins: symbols.pins,
            compiled,
        }),
        Err(exit) => Err(exit),
    })
}

pub(crate) fn run(args: &RunArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let Prepared {
        plan,
        loaded,
        program,
        compiled,
        ..
    } = match prepare(&args.sources, &args.playing, console, reporter)? {
        Ok(prepared) => prepared,
        Err(exit) => return Ok(exit),
    };
    let (host, lost) = ConsoleHost::new(console, reporter);
    let mut observers: Vec<Box<dyn Observer>> = Vec::new();
    if args.trace {
        observers.push(Box::new(Tracer {
            reporter: reporter.clone(),
            last: None,
        }));
    }
    let profile = (args.coverage || args.profile).then(|| Rc::new(RefCell::new(clocked())));
    if let Some(profile) = &profile {
        observers.push(Box::new(Rc::clone(profile)));
    }
    let observer: Option<Box<dyn Observer>> = match observers.len() {
        0 => None,
        1 => observers.pop(),
        _ => Some(Box::new(observers)),
    };
    let ran = execute(
        program,
        &loaded,
        &plan,
        (Box::new(host), observer),
        reporter,
    )?;
    if let Some(error) = lost.take() {
        return Err(error.into());
    }
    for (name, value) in ran.outputs {
        console.stdout.text(&format!("{name} = {value}\n"))?;
    }
    if args.vars {
        for (name, value) in ran.variables {
            console.stdout.text(&format!("{name} = {value}\n"))?;
        }
    }
    if let Some(profile) = profile {
        let nodes = profile.borrow().nodes(&ran.scripts);
        if args.coverage {
            report_coverage(reporter, &nodes)?;
        }
        if args.profile {
            report_profile(reporter, nodes)?;
        }
    }
    // What ran in spite of errors does not undo them.
    Ok(ran.exit.max(compiled))
}

/// Packages that may run, and the class to make an object of.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) packages: Vec<Verified<Package>>,
    pub(super) class: ObjectPath,
}

/// Whether there can be an object of the first input.
fn check_kind(loaded: &Loaded) -> Outcome<()> {
    let Some(first) = loaded.blueprints.first() else {
        return Ok(());
    };
    let what = match first.kind {
        BlueprintKind::Interface => "an interface",
        BlueprintKind::MacroLibrary => "a macro library",
        BlueprintKind::Normal | BlueprintKind::FunctionLibrary | BlueprintKind::LevelScript => {
            return Ok(());
        }
    };
    Err(Failure::usage(format!(
        "{} is {what}, so there is no object of it; name the file of a class first",
        first.name
    )))
}

/// Verifies packages; `Err` inside is the exit code if some are refused.
fn program(
    loaded: &Loaded,
    packages: Vec<(String, Package)>,
    reporter: &Reporter,
) -> Outcome<Result<Program, Exit>> {
    let mut verified: Vec<Verified<Package>> = Vec::new();
    let mut is_refused = false;
    for (name, package) in packages {
        match pipeline::verify(package, loaded) {
            Ok(package) => verified.push(package),
            Err(errors) => {
                reporter.refusals(&name, &errors)?;
                is_refused = true;
            }
        }
    }
    if is_refused {
        return Ok(Err(Exit::Refused));
    }
    let Some(class) = pipeline::main_class(loaded) else {
        return Err(Failure::usage(
            "the input has no class to make an object of",
        ));
    };
    Ok(Ok(Program {
        packages: verified,
        class,
    }))
}

/// Runs a program; failures are reported as they come.
pub(super) fn execute(
    program: Program,
    loaded: &Loaded,
    plan: &Plan,
    watchers: (Box<dyn Host>, Option<Box<dyn Observer>>),
    reporter: &Reporter,
) -> Outcome<Ran> {
    let mut on_failure = |error: &RunError| {
        // The exit code tells it too, should stderr be closed.
        let _ = report_failure(reporter, error);
    };
    runner::execute(
        program.packages,
        &loaded.registry,
        &program.class,
        plan,
        watchers,
        &mut on_failure,
    )
}

fn plan(args: &Playing, console: &Console) -> Outcome<Plan> {
    let arguments = args
        .arg
        .iter()
        .map(|text| {
            text.split_once('=')
                .map(|(name, value)| (name.trim().to_owned(), value.to_owned()))
                .ok_or_else(|| {
                    Failure::usage(format!("--arg {text}: there is no `=`; write NAME=VALUE"))
                })
        })
        .collect::<Outcome<_>>()?;
    Ok(Plan {
        events: args.event.clone(),
        call: args.call.clone(),
        arguments,
        ticks: args.ticks,
        limits: Limits {
            memory: args.memory.unwrap_or(Limits::default().memory),
            fuel: args.fuel.unwrap_or(Limits::default().fuel),
            ..Limits::default()
        },
        tier: match args.tier {
            RunTier::Fast => Tier::Fast,
            RunTier::Reference => Tier::Reference,
        },
        dt: args.dt.unwrap_or(runner::DEFAULT_TICK),
        is_over: console.stdout.closed(),
        inputs: args.input.clone(),
        input_events: Vec::new(),
    })
}

/// A profile by the process's clock.
fn clocked() -> Profile {
    let start = Instant::now();
    Profile::with_clock(move || start.elapsed().as_secs_f64())
}

fn report_coverage(reporter: &Reporter, nodes: &[NodeCount]) -> std::io::Result<()> {
    let graphs = bp_vm::coverage(nodes);
    for graph in &graphs {
        let total = graph.ran.len() + graph.never.len();
        let message = format!(
            "{} of {} in graph {} of {} ran",
            graph.ran.len(),
            counted(total, "node"),
            graph.graph,
            graph.class.name()
        );
        let below: Vec<String> = graph
            .never
            .iter()
            .map(|node| format!("never: “{}” ({})", node.title, node.name))
            .collect();
        let names = |nodes: &[NodeName]| -> Vec<_> {
            nodes
                .iter()
                .map(|node| json!({"node": node.title, "node_name": node.name}))
                .collect()
        };
        let more = json!({
            "class": graph.class.as_str(), "graph": graph.graph,
            "n_ran": graph.ran.len(), "n_nodes": total,
            "ran": names(&graph.ran), "never": names(&graph.never),
        });
        reporter.lines("coverage", &message, &below, &more)?;
    }
    let ran: usize = graphs.iter().map(|graph| graph.ran.len()).sum();
    let total = nodes.len();
    let message = format!("{ran} of {} ran", counted(total, "node"));
    let more = json!({"class": null, "graph": null, "n_ran": ran, "n_nodes": total});
    reporter.lines("coverage", &message, &[], &more)
}

/// The nodes that ran, those that took longest first.
fn report_profile(reporter: &Reporter, mut nodes: Vec<NodeCount>) -> std::io::Result<()> {
    nodes.retain(|count| count.runs > 0);
    nodes.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for count in nodes {
        let message = format!(
            "{:>9} runs {:>12.3} us  “{}” ({}) in graph {} of {}",
            count.runs,
            count.seconds * 1e6,
            count.node.title,
            count.node.name,
            count.node.graph,
            count.class.name()
        );
        let more = json!({
            "class": count.class.as_str(), "graph": count.node.graph, "node": count.node.title,
            "node_name": count.node.name, "runs": count.runs, "seconds": count.seconds,
        });
        reporter.lines("profile", &message, &[], &more)?;
    }
    Ok(())
}

/// Prints to stdout, all else to stderr.
pub(super) struct ConsoleHost {
    /// Why a printed text could not be written, the first time.
    lost: Lost,
    stdout: Stream,
    reporter: Reporter,
}

/// Why a text could not be written, the first time.
pub(super) type Lost = Rc<RefCell<Option<std::io::Error>>>;

impl ConsoleHost {
    pub(super) fn new(console: &Console, reporter: &Reporter) -> (Self, Lost) {
        let lost = Lost::default();
        let host = Self {
            lost: Rc::clone(&lost),
            stdout: console.stdout.clone(),
            reporter: reporter.clone(),
        };
        (host, lost)
    }

    fn report(&self, level: &str, warning: &Warning) {
        let below = below(&warning.stack, &warning.recent);
        let stack: Vec<_> = warning.stack.iter().map(entry_json).collect();
        let node = warning.stack.first().and_then(|top| top.node.as_ref());
        let more = json!({
            "kind": format!("{:?}", warning.kind),
            "graph": node.map(|node| &node.graph),
            "node": node.map(|node| &node.title),
            "node_name": node.map(|node| &node.name),
            "stack": stack,
            "recent": recent_json(&warning.recent),
        });
        // A host cannot stop the script because nobody reads its warnings.
        let _ = self.reporter.lines(level, &warning.message, &below, &more);
    }
}

impl Host for ConsoleHost {
    fn print(&mut self, text: &str) {
        if let Err(error) = self.stdout.text(&format!("{text}\n")) {
            // A host cannot stop the script; the command fails when it has ended.
            self.lost.borrow_mut().get_or_insert(error);
        }
    }

    fn warning(&mut self, warning: &Warning) {
        self.report("warning", warning);
    }

    fn error(&mut self, error: &Warning) {
        self.report("error", error);
    }
}

/// Tells every node that runs.
struct Tracer {
    reporter: Reporter,
    /// The node that was told last: it has several statements.
    last: Option<(String, String)>,
}

impl Observer for Tracer {
    fn statement(&mut self, at: &Paused<'_>) -> Control {
        // Code without a node, such as the jump to an event, is nobody's drawing.
        let Some(node) = at.starting_node().filter(|node| !node.name.is_empty()) else {
            return Control::Go;
        };
        let place = (at.function().to_string(), node.name.to_string());
        if self.last.as_ref() == Some(&place) {
            return Control::Go;
        }
        let (function, offset, depth) = (at.function(), at.offset(), at.depth());
        let indent = "  ".repeat(depth.saturating_sub(1));
        let message = format!(
            "{indent}{function} “{}” ({}) at {offset}",
            node.title, node.name
        );
        let more = json!({
            "function": function.as_str(), "offset": offset.0, "depth": depth,
            "graph": node.graph, "node": node.title, "node_name": node.name,
        });
        // A host cannot stop the script because nobody reads its trace.
        let _ = self.reporter.lines("trace", &message, &[], &more);
        self.last = Some(place);
        Control::Go
    }
}

/// Lines below a report: who called, and what ran last.
fn below(stack: &[StackEntry], recent: &[Executed]) -> Vec<String> {
    let mut lines = folded(stack);
    if !recent.is_empty() {
        let shown = &recent[recent.len().saturating_sub(SHOWN_RECENT)..];
        lines.push("the last nodes that ran, oldest first:".to_owned());
        lines.extend(shown.iter().map(|node| format!("  {node}")));
    }
    lines
}

/// Nodes shown with a fault.
const SHOWN_RECENT: usize = 8;

fn recent_json(recent: &[Executed]) -> Vec<serde_json::Value> {
    recent
        .iter()
        .map(|executed| {
            json!({
                "class": executed.class.as_str(), "function": executed.function.as_str(),
                "offset": executed.offset.0,
                "graph": executed.node.as_ref().map(|node| &node.graph),
                "node": executed.node.as_ref().map(|node| &node.title),
                "node_name": executed.node.as_ref().map(|node| &node.name),
            })
        })
        .collect()
}

fn entry_json(entry: &StackEntry) -> serde_json::Value {
    json!({
        "class": entry.class.as_str(), "function": entry.function.as_str(), "object": entry.object,
        "offset": entry.offset.0,
        "graph": entry.node.as_ref().map(|node| &node.graph),
        "node": entry.node.as_ref().map(|node| &node.title),
    })
}

fn report_failure(reporter: &Reporter, error: &RunError) -> std::io::Result<()> {
    let (stack, recent, kind): (&[StackEntry], &[Executed], &str) = match error {
        RunError::Fault(fault) => (&fault.stack, &fault.recent, "fault"),
        RunError::Unsupported(lacking) => (&lacking.stack, &lacking.recent, "unsupported"),
        RunError::Limit(hit) => (&hit.stack, &hit.recent, "limit"),
        RunError::Stop(_)
        | RunError::NoFunction { .. }
        | RunError::NoParameter { .. }
        | RunError::NoClass(_)
        | RunError::NoObject => (&[], &[], "run"),
    };
    let entries: Vec<_> = stack.iter().map(entry_json).collect();
    let more = json!({"kind": kind, "stack": entries, "recent": recent_json(recent)});
    reporter.lines("error", &error.to_string(), &below(stack, recent), &more)
}
