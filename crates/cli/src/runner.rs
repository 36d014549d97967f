//! A verified package, run in a world of its own.

use std::cell::Cell;
use std::rc::Rc;

use bp_bytecode::Package;
use bp_bytecode::verify::Verified;
use bp_reflect::{Name, ObjectPath, Registry, Value};
use bp_vm::{
    Host, Limits, Natives, ObjectHandle, Observer, Run, RunError, Script, Stop, Tier, World,
};

use crate::exit::{Exit, Failure, Outcome};
use crate::inputs::{Input, InputEvent};

/// Length of a tick that is not told otherwise, in seconds.
pub const DEFAULT_TICK: f64 = 1.0 / 60.0;

/// Statements that are told with a fault, at least.
const REMEMBERED: usize = 32;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Events at the start, in order; `BeginPlay` runs only if it is one of them, or if neither events nor
    /// a call are given.
    pub events: Vec<String>,
    /// A function to call after the events.
    pub call: Option<String>,
    /// Its arguments as text.
    pub arguments: Vec<(String, String)>,
    /// Most ticks.
    pub ticks: u32,
    /// Seconds of a tick.
    pub dt: f64,
    /// What it may use up.
    pub limits: Limits,
    /// What runs it.
    pub tier: Tier,
    /// Input as time passes.
    pub inputs: Vec<Input>,
    /// What input starts in the classes that were compiled.
    pub input_events: Vec<InputEvent>,
    /// Set when nobody reads what is printed any more: the rest is left out.
    pub is_over: Rc<Cell<bool>>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            events: Vec::new(),
            call: None,
            arguments: Vec::new(),
            ticks: 600,
            dt: DEFAULT_TICK,
            limits: Limits::default(),
            tier: Tier::default(),
            inputs: Vec::new(),
            input_events: Vec::new(),
            is_over: Rc::default(),
        }
    }
}

/// What a run gave, besides what its host was told.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub exit: Exit,
    /// Outputs of the called function, as text.
    pub outputs: Vec<(Name, String)>,
    /// The object's variables at the end, as text; empty if it is gone.
    pub variables: Vec<(Name, String)>,
    /// What made it fail, each once, in order.
    pub failures: Vec<String>,
    /// The scripts that were loaded, as observers name them.
    pub scripts: Vec<Script>,
}

/// Makes an object of `class` and runs it.
///
/// # Errors
/// Wrong use: a function, event or argument that the class does not have, or packages that cannot share a
/// world.
pub fn execute(
    packages: Vec<Verified<Package>>,
    registry: &Registry,
    class: &ObjectPath,
    plan: &Plan,
    (host, observer): (Box<dyn Host>, Option<Box<dyn Observer>>),
    on_failure: &mut dyn FnMut(&RunError),
) -> Outcome<Ran> {
    let names = Names {
        registry: &with_classes(registry, &packages),
        class,
    };
    let call = plan
        .call
        .as_ref()
        .map(|call| names.call(call, &plan.arguments))
        .transpose()?;
    let events: Vec<Name> = plan
        .events
        .iter()
        .map(|event| names.event(event))
        .collect::<Outcome<_>>()?;
    let mut inputs = names.inputs(plan)?.into_iter().peekable();
    let mut world = World::new(
        packages,
        registry.clone(),
        Natives::standard(),
        host,
        plan.limits,
    )
    .map_err(|error| Failure::usage(error.to_string()))?;
    world.set_tier(plan.tier);
    world.remember(REMEMBERED);
    world.observe(observer);

    let mut run = Running {
        failures: Vec::new(),
        has_quit: false,
        hit_limit: false,
        on_failure,
    };
    let mut outputs = Vec::new();
    if let Some(object) = run.go(world.spawn(class)) {
        if events.is_empty() && call.is_none() {
            run.go(world.begin_play(object));
        }
        for event in &events {
            if run.has_quit || plan.is_over.get() {
                break;
            }
            run.event(&mut world, object, event);
        }
        if let Some(call) = &call
            && !run.has_quit
            && let Some(values) = run.go(world.call(object, &call.function, &call.arguments))
        {
            outputs = names.outputs(&call.function, values);
        }
        for _ in 0..plan.ticks {
            if run.has_quit || plan.is_over.get() {
                break;
            }
            // Input comes in front of a tick, as in the engine.
            let now = world.time();
            while let Some(input) = inputs.next_if(|input| input.time <= now + 1e-9) {
                if world.is_alive(object) {
                    run.go(world.call(object, &input.function, &input.arguments));
                }
            }
            if run.has_quit || (inputs.peek().is_none() && !goes_on(&mut world)) {
                break;
            }
            run.go(world.tick(plan.dt));
        }
        let mut variables = Vec::new();
        if world.is_alive(object) {
            variables = world.variables(object);
            // Holds the event graph's locals; no variable of its author's.
            variables.retain(|(name, _)| *name != "UberGraphFrame");
        }
        return Ok(run.end(&mut world, outputs, variables));
    }
    Ok(run.end(&mut world, outputs, Vec::new()))
}

/// Whether time changes anything.
fn goes_on(world: &mut World) -> bool {
    world.is_waiting()
        || world
            .actors()
            .into_iter()
            .any(|actor| world.has_tick(actor))
}

struct Running<'a> {
    failures: Vec<String>,
    has_quit: bool,
    hit_limit: bool,
    on_failure: &'a mut dyn FnMut(&RunError),
}

impl Running<'_> {
    /// Keeps a failure and goes on: other events and ticks may still run.
    fn go<T>(&mut self, result: Run<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(RunError::Stop(Stop::Quit | Stop::Host)) => {
                self.has_quit = true;
                None
            }
            Err(error @ RunError::Limit(_)) => {
                // What is left would hit it again.
                self.has_quit = true;
                self.hit_limit = true;
                (self.on_failure)(&error);
                None
            }
            Err(error) => {
                let message = error.to_string();
                if !self.failures.contains(&message) {
                    (self.on_failure)(&error);
                    self.failures.push(message);
                }
                None
            }
        }
    }

    fn event(&mut self, world: &mut World, object: ObjectHandle, event: &Name) {
        if *event == "ReceiveBeginPlay" {
            self.go(world.begin_play(object));
        } else {
            self.go(world.call(object, event, &[]));
        }
    }

    fn end(
        self,
        world: &mut World,
        outputs: Vec<(Name, String)>,
        variables: Vec<(Name, String)>,
    ) -> Ran {
        world.tell_repeats();
        let state = world.exit_state();
        let exit = if !self.failures.is_empty() || !state.unsupported.is_empty() {
            Exit::Fault
        } else if state.recursion || state.runaway || self.hit_limit {
            Exit::Limit
        } else {
            Exit::Fine
        };
        Ran {
            exit,
            outputs,
            variables,
            failures: self.failures,
            scripts: world.scripts(),
        }
    }
}

/// Resolves names given on the command line.
struct Names<'a> {
    registry: &'a Registry,
    class: &'a ObjectPath,
}

/// A function to be called at a time.
struct Timed {
    time: f64,
    function: Name,
    arguments: Vec<(Name, Value)>,
}

struct Call {
    function: Name,
    arguments: Vec<(Name, Value)>,
}

impl Names<'_> {
    /// An event by its name, also as the editor shows it (`BeginPlay`).
    fn event(&self, text: &str) -> Outcome<Name> {
        let spellings = [Name::new(text), Name::new(format!("Receive{text}"))];
        let found = spellings
            .into_iter()
            .find(|name| self.registry.find_function(self.class, name).is_some())
            .ok_or_else(|| self.no_function("event", text))?;
        self.not_ubergraph(&found)?;
        Ok(found)
    }

    /// What inputs call, in order of time.
    fn inputs(&self, plan: &Plan) -> Outcome<Vec<Timed>> {
        let lineage: Vec<ObjectPath> = self
            .registry
            .ancestry(self.class)
            .map(|class| class.path.clone())
            .collect();
        let mut all = Vec::new();
        for input in &plan.inputs {
            let calls = match input.resolve(&plan.input_events, &lineage)? {
                Some(calls) => calls,
                None if input.rest.is_none() => vec![(self.event(&input.name)?, Vec::new())],
                None => {
                    return Err(Failure::usage(format!(
                        "--input: {} has no action, key or axis {}{}",
                        self.class.name(),
                        input.name,
                        known_inputs(&plan.input_events)
                    )));
                }
            };
            all.extend(calls.into_iter().map(|(function, arguments)| Timed {
                time: input.time,
                function,
                arguments,
            }));
        }
        all.sort_by(|a, b| a.time.total_cmp(&b.time));
        Ok(all)
    }

    /// The merged event graph starts at the offset it is given; any but those of its events is the middle
    /// of something.
    fn not_ubergraph(&self, function: &Name) -> Outcome<()> {
        if !function.as_str().starts_with("ExecuteUbergraph_") {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{function} holds all events of {}; run one of them with --event NAME",
            self.class.name()
        )))
    }

    fn call(&self, text: &str, arguments: &[(String, String)]) -> Outcome<Call> {
        let function = Name::new(text);
        let Some((_, signature)) = self.registry.find_function(self.class, &function) else {
            return Err(self.no_function("function", text));
        };
        self.not_ubergraph(&function)?;
        let mut values: Vec<(Name, Value)> = Vec::new();
        for (name, value) in arguments {
            let name = Name::new(name);
            if values.iter().any(|(known, _)| *known == name) {
                return Err(Failure::usage(format!(
                    "the argument {name} of {function} is given twice"
                )));
            }
            let inputs = || signature.arguments().filter(|param| !param.is_output());
            let Some(param) = inputs().find(|param| param.name == name) else {
                let known: Vec<String> = inputs()
                    .map(|param| format!("{}: {}", param.name, param.ty))
                    .collect();
                let known = if known.is_empty() {
                    "it has none".to_owned()
                } else {
                    format!("it has {}", known.join(", "))
                };
                return Err(Failure::usage(format!(
                    "{function} has no input {name}; {known}"
                )));
            };
            let value = Value::parse(value, &param.ty, self.registry).map_err(|error| {
                Failure::usage(format!("argument {name} of {function}: {error}"))
            })?;
            values.push((name, value));
        }
        Ok(Call {
            function,
            arguments: values,
        })
    }

    fn outputs(&self, function: &Name, values: Vec<(Name, Value)>) -> Vec<(Name, String)> {
        let signature = self.registry.find_function(self.class, function);
        values
            .into_iter()
            .map(|(name, value)| {
                let text = signature
                    .and_then(|(_, signature)| signature.param(&name))
                    .map_or_else(String::new, |param| value.to_text(&param.ty, self.registry));
                (name, text)
            })
            .collect()
    }

    fn no_function(&self, what: &str, text: &str) -> Failure {
        let own: Vec<String> = self
            .registry
            .class(self.class)
            .into_iter()
            .flat_map(|class| class.functions.keys())
            .filter(|name| !name.as_str().starts_with("ExecuteUbergraph_"))
            .map(ToString::to_string)
            .collect();
        let known = if own.is_empty() {
            String::new()
        } else {
            format!("; its own functions are {}", own.join(", "))
        };
        Failure::usage(format!("{} has no {what} {text}{known}", self.class.name()))
    }
}

/// The end of a message that tells which inputs there are.
fn known_inputs(events: &[InputEvent]) -> String {
    let mut names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        [] => {
            "; a compiled package does not say what input starts, so name the function".to_owned()
        }
        names => format!("; there are {}", names.join(", ")),
    }
}

fn with_classes(registry: &Registry, packages: &[Verified<Package>]) -> Registry {
    let mut registry = registry.clone();
    for package in packages {
        for structure in &package.structs {
            registry.add_struct(structure.clone());
        }
        for enumeration in &package.enums {
            registry.add_enum(enumeration.clone());
        }
        for class in &package.classes {
            registry.add_class(class.class.clone());
        }
    }
    registry
}
