//! `bpc run`: an object of the first file's class, run.

use std::cell::RefCell;
use std::rc::Rc;

use bp_bytecode::Package;
use bp_bytecode::verify::Verified;
use bp_graph::BlueprintKind;
use bp_vm::host::folded;
use bp_vm::{Host, Limits, RunError, StackEntry, TraceStep, Warning};
use serde_json::json;

use super::{Compiling, load, packages};
use crate::args::RunArgs;
use crate::console::{Console, Stream};
use crate::exit::{Exit, Failure, Outcome};
use crate::pipeline;
use crate::report::Reporter;
use crate::runner::{self, Plan};

pub(crate) fn run(args: &RunArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    let mut plan = plan(args)?;
    plan.is_over = console.stdout.closed();
    let (loaded, _) = load(&args.sources, console)?;
    if let Some(first) = loaded.blueprints.first() {
        let what = match first.kind {
            BlueprintKind::Interface => "an interface",
            BlueprintKind::MacroLibrary => "a macro library",
            BlueprintKind::Normal | BlueprintKind::FunctionLibrary | BlueprintKind::LevelScript => {
                ""
            }
        };
        if !what.is_empty() {
            return Err(Failure::usage(format!(
                "{} is {what}, so there is no object of it; name the file of a class first",
                first.name
            )));
        }
    }
    let compiling = Compiling {
        debug_sites: args.debug_sites,
        keep_going: args.keep_going,
    };
    let (packages, compiled) = packages(&loaded, compiling, reporter)?;
    if compiled != Exit::Fine && packages.is_empty() {
        return Ok(compiled);
    }
    let mut verified: Vec<Verified<Package>> = Vec::new();
    let mut is_refused = false;
    for (name, package) in packages {
        match pipeline::verify(package, &loaded) {
            Ok(package) => verified.push(package),
            Err(errors) => {
                reporter.refusals(&name, &errors)?;
                is_refused = true;
            }
        }
    }
    if is_refused {
        return Ok(Exit::Refused);
    }
    let Some(class) = pipeline::main_class(&loaded) else {
        return Err(Failure::usage(
            "the input has no class to make an object of",
        ));
    };
    let lost = Rc::new(RefCell::new(None));
    let host = ConsoleHost {
        lost: Rc::clone(&lost),
        stdout: console.stdout.clone(),
        reporter: reporter.clone(),
        wants_trace: args.trace,
        last: None,
    };
    let mut on_failure = |error: &RunError| {
        // The exit code tells it too, should stderr be closed.
        let _ = report_failure(reporter, error);
    };
    let ran = runner::execute(
        verified,
        &loaded.registry,
        &class,
        &plan,
        Box::new(host),
        &mut on_failure,
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
    // What ran in spite of errors does not undo them.
    Ok(ran.exit.max(compiled))
}

fn plan(args: &RunArgs) -> Outcome<Plan> {
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
        dt: args.dt.unwrap_or(runner::DEFAULT_TICK),
        ..Plan::default()
    })
}

/// Prints to stdout, all else to stderr.
struct ConsoleHost {
    /// Why a printed text could not be written, the first time.
    lost: Rc<RefCell<Option<std::io::Error>>>,
    stdout: Stream,
    reporter: Reporter,
    wants_trace: bool,
    /// The node that was traced last: it has several statements.
    last: Option<(String, String)>,
}

impl ConsoleHost {
    fn report(&self, level: &str, warning: &Warning) {
        let below = folded(&warning.stack);
        let stack: Vec<_> = warning.stack.iter().map(entry_json).collect();
        let node = warning.stack.first().and_then(|top| top.node.as_ref());
        let more = json!({
            "kind": format!("{:?}", warning.kind),
            "graph": node.map(|node| &node.graph),
            "node": node.map(|node| &node.title),
            "node_name": node.map(|node| &node.name),
            "stack": stack,
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

    fn wants_trace(&self) -> bool {
        self.wants_trace
    }

    fn trace(&mut self, step: &TraceStep<'_>) {
        // Code without a node, such as the jump to an event, is nobody's drawing.
        let Some(node) = step.node.filter(|node| !node.name.is_empty()) else {
            return;
        };
        let at = (step.function.to_string(), node.name.clone());
        if self.last.as_ref() == Some(&at) {
            return;
        }
        let indent = "  ".repeat(step.depth.saturating_sub(1));
        let message = format!(
            "{indent}{} “{}” ({}) at {}",
            step.function, node.title, node.name, step.offset
        );
        let more = json!({
            "function": step.function.as_str(), "offset": step.offset.0, "depth": step.depth,
            "graph": node.graph, "node": node.title, "node_name": node.name,
        });
        let _ = self.reporter.lines("trace", &message, &[], &more);
        self.last = Some(at);
    }
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
    let (stack, kind): (&[StackEntry], &str) = match error {
        RunError::Fault(fault) => (&fault.stack, "fault"),
        RunError::Unsupported(lacking) => (&lacking.stack, "unsupported"),
        RunError::Limit(hit) => (&hit.stack, "limit"),
        RunError::Stop(_)
        | RunError::NoFunction { .. }
        | RunError::NoParameter { .. }
        | RunError::NoClass(_)
        | RunError::NoObject => (&[], "run"),
    };
    let below = folded(stack);
    let entries: Vec<_> = stack.iter().map(entry_json).collect();
    let more = json!({"kind": kind, "stack": entries});
    reporter.lines("error", &error.to_string(), &below, &more)
}
