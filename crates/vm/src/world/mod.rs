//! The world: objects in time.

mod actors;
mod audit;
mod events;
mod latent;
mod saved;
mod timelines;
mod timers;
mod tracked;
mod transactions;

use std::rc::Rc;
use std::sync::Arc;

use bp_bytecode::verify::Verified;
use bp_bytecode::{Opcode, Package};
use bp_reflect::{Name, ObjectPath, Registry, Value};

pub(crate) use actors::{Actor, Component};
pub use events::{Argument, Event};
pub(crate) use latent::{Latent, Move, Wait};
pub use saved::RestoreError;
pub(crate) use timelines::{Timeline, within};
pub(crate) use timers::{Timer, Timers};
pub(crate) use tracked::Tracked;

use crate::error::{LimitKind, LoadError, Run, RunError};
use crate::exec::{Hooks, Observer, OpcodeHook, Script};
use crate::fast::{Fast, Tier};
use crate::host::Host;
use crate::ids::{ClassId, ObjectHandle, StructId};
use crate::memory::{Budget, Footprint, HeapUsage, Memory, shown};
use crate::names::NameTable;
use crate::natives::{Natives, Transform};
use crate::program::Program;
use crate::types::TypeTable;
use crate::vm::{ExitState, Guard, Limits, Repeats, Vm};

/// What a world has besides memory: time, and what happens in it.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) known: Known,
    /// Seconds since the world was made.
    pub(crate) time: f64,
    /// The same without dilation and pauses.
    pub(crate) real_time: f64,
    /// Seconds of the world in a second of ticks.
    pub(crate) dilation: f64,
    /// Nothing happens by itself.
    pub(crate) is_paused: bool,
    /// Saved games by slot and user: class and variables.
    pub(crate) saves: Tracked<Slot, SavedGame>,
    /// Length of the running or last tick.
    pub(crate) delta: f64,
    /// Ticks so far.
    pub(crate) frame: u64,
    /// In order of making.
    pub(crate) actors: Tracked<ObjectHandle, Actor>,
    pub(crate) components: Tracked<ObjectHandle, Component>,
    pub(crate) timelines: Tracked<ObjectHandle, Timeline>,
    pub(crate) latent: Latent,
    pub(crate) timers: Timers,
    /// Objects made of each class, for their names.
    pub(crate) made: Tracked<ClassId, u32>,
    /// Objects whose end is being told.
    pub(crate) dying: Vec<ObjectHandle>,
    /// Destroyed objects that are still in memory.
    pub(crate) destroyed: Vec<ObjectHandle>,
    /// State of the generator behind random functions without a stream.
    pub(crate) random: u32,
}

/// The name and user of a saved game.
pub(crate) type Slot = (String, i32);

/// The class and variables of a saved game.
pub(crate) type SavedGame = (ObjectPath, Vec<(Name, Value)>);

impl Footprint for Slot {
    fn footprint(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Values count as the constants that they are kept as.
impl Footprint for SavedGame {
    fn footprint(&self) -> u64 {
        self.1
            .iter()
            .map(|(_, value)| size_of::<Name>() as u64 + constant_bytes(value))
            .sum()
    }
}

fn constant_bytes(value: &Value) -> u64 {
    let own = size_of::<Value>() as u64;
    own + match value {
        Value::Bool(_)
        | Value::Int(_)
        | Value::UInt(_)
        | Value::Real(_)
        | Value::Name(_)
        | Value::Object(None)
        | Value::Unbound => 0,
        Value::Str(text) => text.len() as u64,
        Value::Text(text) => shown(text).len() as u64,
        Value::Object(Some(path)) => path.as_str().len() as u64,
        Value::Struct(members) => members
            .iter()
            .map(|(_, value)| size_of::<Name>() as u64 + constant_bytes(value))
            .sum(),
        Value::List(values) => values.iter().map(constant_bytes).sum(),
        Value::Map(pairs) => pairs
            .iter()
            .map(|(key, value)| constant_bytes(key) + constant_bytes(value))
            .sum(),
    }
}

/// Classes and structs that the machine itself deals with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) vector: StructId,
    pub(crate) vector3f: StructId,
    pub(crate) rotator: StructId,
    pub(crate) transform: StructId,
    pub(crate) actor: Option<ClassId>,
    pub(crate) scene_component: Option<ClassId>,
}

impl Default for Known {
    fn default() -> Self {
        let none = StructId(0);
        Self {
            vector: none,
            vector3f: none,
            rotator: none,
            transform: none,
            actor: None,
            scene_component: None,
        }
    }
}

/// See [`World::memory`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Bytes in use now, the frame stack left out.
    pub used: u64,
    /// The most that was in use or asked for at once, frames included.
    pub peak: u64,
}

/// Loaded packages, their objects, and simulated time.
///
/// Nothing happens by itself: calls and [`World::tick`] make things happen, in an order that depends
/// on nothing but the calls.
#[derive(Debug)]
pub struct World {
    vm: Vm,
}

impl World {
    /// A world of these packages on top of the native declarations in `registry`.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub fn new(
        packages: Vec<Verified<Package>>,
        registry: impl Into<Arc<Registry>>,
        natives: Natives,
        host: Box<dyn Host>,
        limits: Limits,
    ) -> Result<Self, LoadError> {
        let engine = packages
            .first()
            .map_or(bp_reflect::EngineVersion::LATEST, |package| package.engine);
        if let Some(other) = packages.iter().find(|package| package.engine != engine) {
            return Err(LoadError::Engines(engine, other.engine));
        }
        let budget = Rc::new(Budget::new(limits.memory));
        let mut vm = Vm {
            memory: Memory::new(TypeTable::new(engine), &budget),
            names: NameTable::new(Rc::clone(&budget)),
            repeats: Repeats::default(),
            overrides: None,
            program: Program::new(engine, Arc::unwrap_or_clone(registry.into()), natives),
            host,
            limits,
            guard: Guard::default(),
            calls: Vec::new(),
            exit: ExitState::default(),
            state: State {
                known: Known::default(),
                time: 0.0,
                real_time: 0.0,
                dilation: 1.0,
                is_paused: false,
                saves: Tracked::new(&budget),
                delta: 0.0,
                frame: 0,
                actors: Tracked::new(&budget),
                components: Tracked::new(&budget),
                timelines: Tracked::new(&budget),
                latent: Latent::new(&budget),
                timers: Timers::new(&budget),
                made: Tracked::new(&budget),
                dying: Vec::new(),
                destroyed: Vec::new(),
                random: 0,
            },
            hooks: Hooks::default(),
            fast: Fast::default(),
            held: Vec::new(),
        };
        vm.load(packages)?;
        vm.state.known = vm.find_known()?;
        if vm.memory.budget.is_exceeded() {
            return Err(LoadError::Memory(limits.memory));
        }
        Ok(Self { vm })
    }

    /// Which tier runs functions from now on; [`Tier::Fast`] is the default.
    pub fn set_tier(&mut self, tier: Tier) {
        self.vm.fast.tier = tier;
    }

    /// What the fast tier makes of a function of a class, one line a statement of the script: its offset, `>` if
    /// something jumps there, how many statements became one, the flow stack before it, and its instructions.
    /// `Slow` is one that the reference interpreter runs.
    ///
    /// # Errors
    /// Why the function is left to the reference interpreter.
    pub fn register_code(&mut self, class: &ObjectPath, function: &Name) -> Result<String, String> {
        let vm = &mut self.vm;
        let class = vm
            .class_or_error(class)
            .map_err(|error| error.to_string())?;
        let name = vm.name_id(function);
        let found = vm.find_function(class, name);
        let found = found.ok_or_else(|| format!("there is no function {function}"))?;
        vm.register_code(found).map_err(str::to_owned)
    }

    /// Makes an object of the class: with its components, and its construction script run.
    ///
    /// # Errors
    /// [`RunError::NoClass`], and what running its construction script gives.
    pub fn spawn(&mut self, class: &ObjectPath) -> Run<ObjectHandle> {
        let class = self.vm.class_or_error(class)?;
        let object = self.vm.make(class, Transform::default());
        self.vm.check_limits()?;
        self.vm.build(object)?;
        Ok(object)
    }

    /// Tells an object that play begins (`ReceiveBeginPlay`), once.
    ///
    /// # Errors
    /// What running it gives.
    pub fn begin_play(&mut self, object: ObjectHandle) -> Run {
        self.vm.begin(object)
    }

    /// Destroys an object; it is told first.
    ///
    /// # Errors
    /// What telling it gives.
    pub fn destroy(&mut self, object: ObjectHandle) -> Run {
        let result = self.vm.destroy(object);
        self.vm.collect();
        result
    }

    /// Calls a function of an object, and gives its outputs and return value in order of declaration.
    /// Parameters without an argument are zero.
    ///
    /// # Errors
    /// [`RunError::NoObject`], [`RunError::NoFunction`], [`RunError::NoParameter`], what running the
    /// function gives, and [`RunError::Limit`] if it has run and there is no memory left to give its outputs.
    pub fn call(
        &mut self,
        object: ObjectHandle,
        function: &Name,
        arguments: &[(Name, Value)],
    ) -> Run<Vec<(Name, Value)>> {
        let vm = &mut self.vm;
        if !vm.memory.objects.is_alive(object) {
            return Err(RunError::NoObject);
        }
        let class = vm.class_of(object).ok_or(RunError::NoObject)?;
        let name = vm.name_id(function);
        let Some(found) = vm.find_function(class, name) else {
            return Err(RunError::NoFunction {
                class: vm.program.class(class).path.clone(),
                function: function.clone(),
            });
        };
        let outputs = vm.invoke(
            object,
            found,
            |vm, info, locals| {
                for (name, value) in arguments {
                    let fits = info
                        .arguments()
                        .find(|param| param.name == *name)
                        .map(|param| (param.offset, param.ty))
                        .is_some_and(|(offset, ty)| vm.write_value(locals.at(offset), ty, value));
                    if !fits {
                        return Err(RunError::NoParameter {
                            function: info.name.clone(),
                            parameter: name.clone(),
                        });
                    }
                }
                Ok(())
            },
            |vm, info, locals| {
                let params = info.params.iter();
                let outputs = params.filter(|param| param.is_out || param.is_return);
                let bytes = outputs
                    .clone()
                    .map(|param| vm.value_bytes(locals.at(param.offset), param.ty));
                if !vm.memory.budget.ask(bytes.sum()) {
                    return None;
                }
                let outputs = outputs.map(|param| {
                    let value = vm.read_value(locals.at(param.offset), param.ty);
                    (param.name.clone(), value)
                });
                Some(outputs.collect())
            },
        )?;
        if let Some(outputs) = outputs {
            return Ok(outputs);
        }
        vm.memory.budget.excuse();
        vm.limit(LimitKind::Memory(vm.limits.memory))
    }

    /// Lets seconds pass: actors tick and their latent actions go on in order of making, each followed
    /// by its timelines and its components, then other objects' latent actions, then timers. Destroyed objects are collected.
    ///
    /// # Errors
    /// What running any of it gives; the rest of the tick is left out.
    pub fn tick(&mut self, delta: f64) -> Run {
        let result = self.vm.tick(delta);
        self.vm.collect();
        result
    }

    /// Seconds that have passed.
    pub fn time(&self) -> f64 {
        self.vm.state.time
    }

    /// Whether something happens by itself as time passes: a latent action, a timer, a playing
    /// timeline, an actor with a life span. Ticking objects do not count, see [`World::has_tick`].
    pub fn is_waiting(&self) -> bool {
        let state = &self.vm.state;
        !state.latent.is_empty()
            || state.timers.is_waiting()
            || state
                .timelines
                .map()
                .values()
                .any(|timeline| timeline.is_playing)
            || state
                .actors
                .map()
                .values()
                .any(|actor| actor.dies.is_some())
    }

    /// Whether an object has a script for `ReceiveTick`.
    pub fn has_tick(&mut self, object: ObjectHandle) -> bool {
        self.vm.has_script(object, "ReceiveTick")
    }

    /// Whether an object exists and is not destroyed.
    pub fn is_alive(&self, object: ObjectHandle) -> bool {
        self.vm.memory.objects.is_alive(object)
    }

    /// Actors of the world, in order of making.
    pub fn actors(&self) -> Vec<ObjectHandle> {
        self.vm.state.actors.map().keys().copied().collect()
    }

    /// The name of an object; `None` for one that does not exist.
    pub fn name(&self, object: ObjectHandle) -> String {
        self.vm.object_name(object)
    }

    /// The path of an object's class.
    pub fn class(&self, object: ObjectHandle) -> Option<ObjectPath> {
        let class = self.vm.class_of(object)?;
        Some(self.vm.program.class(class).path.clone())
    }

    /// The variables of an object that Blueprints declare, those of ancestors first, in text form. Where
    /// the texts take more memory than is left, see [`Limits::memory`], they end in `…`.
    pub fn variables(&self, object: ObjectHandle) -> Vec<(Name, String)> {
        self.vm.variables(object)
    }

    /// The value of a variable of an object; none if it has none of that name, or if the value takes more
    /// memory than is left, see [`Limits::memory`].
    pub fn variable(&self, object: ObjectHandle, name: &Name) -> Option<Value> {
        let target = self.vm.variable_place(object, name)?;
        if self.vm.value_bytes(target.place, target.ty) > self.vm.memory.budget.left() {
            return None;
        }
        Some(self.vm.read_value(target.place, target.ty))
    }

    /// Sets a variable of an object. False if it has none of that name, or the value does not fit.
    pub fn set_variable(&mut self, object: ObjectHandle, name: &Name, value: &Value) -> bool {
        match self.vm.variable_place(object, name) {
            Some(target) => self.vm.write_value(target.place, target.ty, value),
            None => false,
        }
    }

    /// Has every statement told to `observer`, in place of the one before; none is told nothing.
    pub fn observe(&mut self, observer: Option<Box<dyn Observer>>) {
        self.vm.hooks.observe(observer);
    }

    /// Remembers the last `n_statements` statements, or a few more, from now on: faults and errors then tell
    /// which nodes ran before them. 0, where a world starts, remembers nothing.
    pub fn remember(&mut self, n_statements: usize) {
        self.vm.hooks.remember(n_statements);
    }

    /// The scripts of the loaded packages, class by class.
    pub fn scripts(&self) -> Vec<Script> {
        self.vm.scripts()
    }

    /// What went wrong so far.
    pub fn exit_state(&self) -> &ExitState {
        &self.vm.exit
    }

    /// Sets the seed of random functions without a stream.
    pub fn seed(&mut self, seed: u32) {
        self.vm.state.random = seed;
    }

    /// Puts a hook in front of an opcode's handler, in place of one that is there; none takes it away. False
    /// if the opcode has no handler: it is `EX_Return` or the end of a list. See [`Execution`](crate::Execution).
    pub fn hook_opcode(&mut self, opcode: Opcode, hook: Option<OpcodeHook>) -> bool {
        self.vm.set_hook(opcode, hook)
    }

    /// Bytes of memory in use, as [`Limits::memory`] counts them.
    pub fn memory(&self) -> MemoryUse {
        let budget = &self.vm.memory.budget;
        MemoryUse {
            used: budget.used(),
            peak: budget.peak(),
        }
    }

    /// Statements that the last call from outside ran, all it called included.
    pub fn statements(&self) -> u64 {
        self.vm.guard.statements
    }

    /// Tells the host how many reports were left out since this was last asked, a line for each place in the
    /// scripts that gave too many. To be called when nothing more is to run.
    pub fn tell_repeats(&mut self) {
        self.vm.tell_repeats();
    }

    /// Values alive in the heaps.
    pub fn heap_usage(&self) -> HeapUsage {
        self.vm.memory.usage()
    }

    /// The whole state as bytes: objects, what they wait for, time, random numbers, saved games. What the
    /// host was told is not part of it.
    pub fn save(&self) -> Vec<u8> {
        self.vm.save()
    }

    /// Goes back to a saved state: of this world, or of one made of the same packages that has done nothing
    /// yet. What happens then is what happened after saving.
    ///
    /// # Errors
    /// See [`RestoreError`]; the world is then not to be used any more, but for damaged bytes and other
    /// packages, which are found first.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        self.vm.restore(bytes)
    }

    /// Destroys every object and default object without telling them, and gives what is left in the
    /// heaps: nothing.
    pub fn close(mut self) -> HeapUsage {
        let vm = &mut self.vm;
        let all: Vec<_> = vm.memory.objects.iter().map(|(handle, _)| handle).collect();
        vm.state.destroyed = all;
        vm.collect();
        vm.memory.usage()
    }
}

impl Vm {
    fn tick(&mut self, delta: f64) -> Run {
        self.state.frame += 1;
        self.state.real_time += delta;
        if self.state.is_paused {
            return Ok(());
        }
        let delta = delta * self.state.dilation;
        self.state.delta = delta;
        self.state.time += delta;
        let actors: Vec<_> = self.state.actors.map().keys().copied().collect();
        for actor in &actors {
            self.tick_actor(*actor, delta)?;
        }
        let parts = self.state.components.map().keys().copied();
        let done: Vec<_> = actors.iter().copied().chain(parts).collect();
        self.tick_other_latent(&done, delta)?;
        let mut others: Vec<_> = self
            .state
            .timelines
            .map()
            .values()
            .map(|t| t.owner)
            .collect();
        others.dedup();
        for owner in others.into_iter().filter(|owner| !done.contains(owner)) {
            self.tick_timelines(owner, delta)?;
        }
        self.tick_timers()?;
        let now = self.state.time;
        let old: Vec<_> = self
            .state
            .actors
            .map()
            .iter()
            .filter(|(_, actor)| actor.dies.is_some_and(|dies| dies <= now + 1e-9))
            .map(|(handle, _)| *handle)
            .collect();
        for actor in old {
            self.destroy(actor)?;
        }
        Ok(())
    }

    fn tick_actor(&mut self, actor: ObjectHandle, delta: f64) -> Run {
        let (has_begun, ticks) = match self.state.actors.get(&actor) {
            Some(state) => (state.has_begun, state.has_begun && state.ticks),
            None => return Ok(()),
        };
        if ticks {
            self.call_tick(actor, delta)?;
        }
        self.tick_latent(actor, delta)?;
        self.tick_timelines(actor, delta)?;
        for component in self.components_of(actor) {
            if has_begun {
                self.call_tick(component, delta)?;
            }
            self.tick_latent(component, delta)?;
            self.tick_timelines(component, delta)?;
        }
        Ok(())
    }

    /// Runs the script for `ReceiveTick`, if an object has one.
    fn call_tick(&mut self, object: ObjectHandle, delta: f64) -> Run {
        if self.has_script(object, "ReceiveTick") {
            let name = self.names.intern_text("ReceiveTick");
            let class = self.class_of(object).expect("an object has a class");
            let function = self
                .find_function(class, name)
                .expect("the script was found above");
            self.invoke(
                object,
                function,
                |vm, info, locals| {
                    if let Some(param) = info.arguments().next() {
                        let narrowed = f64::from(delta as f32);
                        let (place, ty) = (locals.at(param.offset), param.ty);
                        vm.memory.store(place, ty, &[narrowed.to_bits()]);
                    }
                    Ok(())
                },
                |_, _, _| (),
            )?;
        }
        Ok(())
    }
}
