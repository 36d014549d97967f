//! The virtual machine: memory, program, guards and the host, and how they report.

use bp_bytecode::CodeOffset;
use bp_reflect::{FunctionFlags, Name, ObjectPath, Value};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::error::{Fault, FaultKind, LimitHit, LimitKind, Run, RunError, Unsupported};
use crate::exec::{Hooks, Overrides};
use crate::fast::Fast;
use crate::host::{Host, RemoteCall, StackEntry, Warning, WarningKind};
use crate::ids::{ClassId, FunctionId, ObjectHandle};
use crate::memory::{Footprint, Memory, Place};
use crate::names::NameTable;
use crate::objects::ObjectKind;
use crate::program::{Body, Program};
use crate::world::State;

/// What a script may use up before the guards step in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Script functions running inside each other. The engine's default is 120.
    pub recursion: usize,
    /// Jumps of one call from outside. The engine's default is 1,000,000.
    pub jumps: u32,
    /// Statements of one call from outside, all it calls included; one more for each 512 bytes that a
    /// statement looks at or moves in strings and containers. The engine has no such guard: without
    /// jumps and within its recursion limit a script ends, but perhaps not in anybody's lifetime.
    pub fuel: u64,
    /// Bytes of memory for values, objects, names and frames. Buffers grow ahead of their contents and a
    /// native function may hold a few copies of its arguments, so a process takes a small multiple of this at
    /// the worst.
    pub memory: u64,
    /// Objects of the world at a time, components included, default objects left out.
    pub objects: usize,
    /// Expressions nested inside each other over all running functions: what bounds the interpreter's own
    /// stack, of which each takes less than 4 KiB in a build without optimisation.
    pub nesting: u32,
    /// Reports of one kind from one statement that the host is told; the rest is counted, see
    /// [`World::tell_repeats`](crate::World::tell_repeats).
    pub repeats: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            recursion: 120,
            jumps: 1_000_000,
            fuel: 1_000_000_000,
            memory: 1 << 30,
            objects: 1_000_000,
            nesting: 4096,
            repeats: 10,
        }
    }
}

/// What went wrong since the world was made, for exit codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExitState {
    /// A call chain was cut off.
    pub recursion: bool,
    /// A loop was cut off.
    pub runaway: bool,
    /// Another limit ended a call: the first.
    pub limits: Option<LimitKind>,
    /// The script asked the game to quit.
    pub quit: bool,
    /// Native functions that were called and have no implementation, in order of the first call.
    pub unsupported: Vec<ObjectPath>,
    /// Warnings told to the host.
    pub warnings: usize,
    /// Errors told to the host.
    pub errors: usize,
}

/// A running script function, as far as reports need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallRecord {
    pub(crate) function: FunctionId,
    pub(crate) object: ObjectHandle,
    /// Start of the running statement. Written when the function calls or reports.
    pub(crate) statement: usize,
}

/// Counters of the call from outside that is running.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    pub(crate) jumps: u32,
    /// A guard stepped in: every running function returns zero at its next statement.
    pub(crate) aborting: bool,
    /// Transactions that are running.
    pub(crate) transactions: u32,
    /// Transactions, innermost first, that are to be undone.
    pub(crate) aborts: u32,
    /// Statements that ran.
    pub(crate) statements: u64,
    /// Expressions that are being evaluated.
    pub(crate) nesting: u32,
    /// A limit that was hit where no error can be handed on.
    pub(crate) hit: Option<LimitKind>,
}

impl Guard {
    /// As of a call that begins. Field by field: a copy of the whole would be read again before it is written.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.jumps = 0;
        self.aborting = false;
        self.transactions = 0;
        self.aborts = 0;
        self.statements = 0;
        self.nesting = 0;
        self.hit = None;
    }
}

/// Reports that came more than once from one statement.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    places: IndexMap<(WarningKind, Option<FunctionId>, usize), Repeat, FxBuildHasher>,
}

#[derive(Debug, Default)]
struct Repeat {
    told: u32,
    left_out: u64,
    /// The first of those left out.
    example: Option<(bool, Warning)>,
}

/// See the [module](self).
pub(crate) struct Vm {
    pub(crate) memory: Memory,
    pub(crate) names: NameTable,
    pub(crate) program: Program,
    pub(crate) host: Box<dyn Host>,
    pub(crate) limits: Limits,
    pub(crate) guard: Guard,
    /// Outermost first.
    pub(crate) calls: Vec<CallRecord>,
    pub(crate) exit: ExitState,
    pub(crate) repeats: Repeats,
    /// None while no opcode has a hook, which is asked at every expression.
    pub(crate) overrides: Option<Box<Overrides>>,
    pub(crate) state: State,
    pub(crate) hooks: Hooks,
    pub(crate) fast: Fast,
    /// What the host is told when the running transaction has committed.
    pub(crate) held: Vec<Held>,
}

/// Something a script has told the host from inside of a transaction.
#[derive(Debug)]
pub(crate) enum Held {
    Print(String),
    /// What the script itself reports; whether as an error.
    Report(bool, Warning),
    Remote(RemoteCallOwned),
}

/// A call that is to run elsewhere.
#[derive(Debug)]
pub(crate) struct RemoteCallOwned {
    pub(crate) function: ObjectPath,
    pub(crate) flags: FunctionFlags,
    pub(crate) object: String,
    pub(crate) arguments: Vec<(Name, Value)>,
    /// Bytes that the arguments take.
    pub(crate) bytes: u64,
}

impl Footprint for Held {
    fn footprint(&self) -> u64 {
        let more = match self {
            Self::Print(text) => text.len() as u64,
            Self::Report(_, warning) => {
                let stack = warning.stack.len() * size_of::<StackEntry>();
                (warning.message.len() + stack) as u64
            }
            Self::Remote(call) => call.bytes,
        };
        size_of::<Self>() as u64 + more
    }
}

impl std::fmt::Debug for Vm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vm")
            .field("classes", &self.program.classes.len())
            .field("calls", &self.calls)
            .field("exit", &self.exit)
            .finish_non_exhaustive()
    }
}

impl Vm {
    pub(crate) fn warn(&mut self, kind: WarningKind, message: impl Into<String>) {
        self.report(false, kind, message.into());
    }

    pub(crate) fn report_error(&mut self, kind: WarningKind, message: impl Into<String>) {
        self.report(true, kind, message.into());
    }

    /// Prints a line of the script, or holds it back while a transaction runs.
    pub(crate) fn print(&mut self, text: &str) {
        if self.guard.transactions == 0 {
            self.host.print(text);
        } else {
            self.hold(Held::Print(text.to_owned()));
        }
    }

    /// Keeps something for the host until the outermost transaction has committed.
    pub(crate) fn hold(&mut self, held: Held) {
        self.memory.budget.charge(held.footprint());
        self.held.push(held);
    }

    /// Forgets what was held back behind that many.
    pub(crate) fn drop_held(&mut self, len: usize) {
        for held in self.held.drain(len..) {
            self.memory.budget.credit(held.footprint());
        }
    }

    /// Tells the host what was held back.
    pub(crate) fn tell_held(&mut self) {
        for held in std::mem::take(&mut self.held) {
            self.memory.budget.credit(held.footprint());
            match held {
                Held::Print(text) => self.host.print(&text),
                Held::Report(is_error, warning) => self.tell_host(is_error, &warning),
                Held::Remote(call) => self.host.call_remotely(&RemoteCall {
                    function: &call.function,
                    flags: call.flags,
                    object: &call.object,
                    arguments: &call.arguments,
                }),
            }
        }
    }

    fn tell_host(&mut self, is_error: bool, warning: &Warning) {
        if is_error {
            self.exit.errors += 1;
            self.host.error(warning);
        } else {
            self.exit.warnings += 1;
            self.host.warning(warning);
        }
    }

    fn report(&mut self, is_error: bool, kind: WarningKind, message: String) {
        let limit = self.limits.repeats;
        // What the script itself reports is its output.
        if kind != WarningKind::Script {
            let top = self.calls.last();
            let place = (
                kind,
                top.map(|call| call.function),
                top.map_or(0, |call| call.statement),
            );
            let repeat = self.repeats.places.entry(place).or_default();
            if repeat.told >= limit {
                if is_error {
                    self.exit.errors += 1;
                } else {
                    self.exit.warnings += 1;
                }
                repeat.left_out += 1;
                if repeat.example.is_none() {
                    let stack = self.call_stack();
                    let warning = Warning {
                        kind,
                        message,
                        stack,
                        recent: if is_error { self.recent() } else { Vec::new() },
                    };
                    let repeat = self.repeats.places.get_mut(&place);
                    repeat.expect("was entered above").example = Some((is_error, warning));
                }
                return;
            }
            repeat.told += 1;
        }
        let warning = Warning {
            kind,
            message,
            stack: self.call_stack(),
            recent: if is_error { self.recent() } else { Vec::new() },
        };
        // What the machine itself reports was done, also if it is undone later.
        if kind == WarningKind::Script && self.guard.transactions > 0 {
            self.hold(Held::Report(is_error, warning));
        } else {
            self.tell_host(is_error, &warning);
        }
    }

    /// Tells how many reports were left out, and starts anew.
    pub(crate) fn tell_repeats(&mut self) {
        for (_, repeat) in std::mem::take(&mut self.repeats.places) {
            let Some((is_error, mut warning)) = repeat.example else {
                continue;
            };
            let count = grouped(repeat.left_out);
            warning.message = format!("… {count} more like this: {}", warning.message);
            if is_error {
                self.host.error(&warning);
            } else {
                self.host.warning(&warning);
            }
        }
    }

    /// Whether [`Vm::check_limits`] has anything to do.
    #[inline]
    pub(crate) fn has_to_check(&self) -> bool {
        self.memory.budget.has_news() || self.guard.hit.is_some()
    }

    /// Ends the run if a limit was hit where no error could be handed on.
    pub(crate) fn check_limits(&mut self) -> Run {
        if self.memory.budget.is_exceeded() {
            self.memory.budget.excuse();
            return self.limit(LimitKind::Memory(self.limits.memory));
        }
        if let Some(kind) = self.guard.hit.take() {
            return self.limit(kind);
        }
        self.guard.statements += self.memory.budget.take_work();
        Ok(())
    }

    #[cold]
    pub(crate) fn limit<T>(&mut self, kind: LimitKind) -> Run<T> {
        self.exit.limits.get_or_insert(kind);
        let top = self.calls.last();
        Err(RunError::Limit(Box::new(LimitHit {
            kind,
            function: top.map(|call| self.program.function(call.function).path.clone()),
            offset: CodeOffset(top.map_or(0, |call| call.statement as u32)),
            stack: self.call_stack(),
            recent: self.recent(),
        })))
    }

    pub(crate) fn fault<T>(&self, kind: FaultKind) -> Run<T> {
        let stack = self.call_stack();
        let top = self.calls.last();
        Err(RunError::Fault(Box::new(Fault {
            kind,
            function: top.map(|call| self.program.function(call.function).path.clone()),
            offset: CodeOffset(top.map_or(0, |call| call.statement as u32)),
            stack,
            recent: self.recent(),
        })))
    }

    pub(crate) fn unsupported<T>(&mut self, function: ObjectPath) -> Run<T> {
        if !self.exit.unsupported.contains(&function) {
            self.exit.unsupported.push(function.clone());
        }
        Err(RunError::Unsupported(Box::new(Unsupported {
            function,
            stack: self.call_stack(),
            recent: self.recent(),
        })))
    }

    /// Running script functions, innermost first.
    pub(crate) fn call_stack(&self) -> Vec<StackEntry> {
        self.calls
            .iter()
            .rev()
            .map(|call| {
                let function = self.program.function(call.function);
                let node = match &function.body {
                    Body::Script(code) => code.node_at(call.statement).cloned(),
                    Body::Native(_) | Body::Missing | Body::Event => None,
                };
                StackEntry {
                    class: self.class_path(function.class),
                    function: function.name.clone(),
                    object: self.object_name(call.object),
                    offset: CodeOffset(call.statement as u32),
                    node,
                }
            })
            .collect()
    }

    pub(crate) fn class_path(&self, class: Option<ClassId>) -> ObjectPath {
        match class {
            Some(id) => self.program.class(id).path.clone(),
            None => ObjectPath::new("None"),
        }
    }

    // ---- objects

    /// The class of an object that exists.
    pub(crate) fn class_of(&self, object: ObjectHandle) -> Option<ClassId> {
        self.memory.objects.get(object).map(|object| object.class)
    }

    /// The class that a class value stands for.
    pub(crate) fn class_value(&self, object: ObjectHandle) -> Option<ClassId> {
        match self.memory.objects.get(object)?.kind {
            ObjectKind::Class(id) => Some(id),
            ObjectKind::Instance | ObjectKind::Default | ObjectKind::Asset(_) => None,
        }
    }

    /// Whether an object exists and is of the class, a child of it, or implements it.
    pub(crate) fn is_a(&self, object: ObjectHandle, class: ClassId) -> bool {
        self.class_of(object)
            .is_some_and(|own| self.program.is_child_of(own, class))
    }

    /// What `GetObjectName` gives: `None` for nothing.
    pub(crate) fn object_name(&self, object: ObjectHandle) -> String {
        self.memory
            .objects
            .get(object)
            .map_or_else(|| "None".to_owned(), |object| object.name.to_string())
    }

    /// See [`World::variables`](crate::World::variables).
    pub(crate) fn variables(&self, object: ObjectHandle) -> Vec<(Name, String)> {
        let Some(class) = self.class_of(object) else {
            return Vec::new();
        };
        let class = self.program.class(class);
        let mut room = self.memory.budget.left();
        class
            .variables
            .iter()
            .filter(|(_, variable)| self.program.class(variable.owner).compiled.is_some())
            .map(|(name, variable)| {
                let place = Place::object(object, variable.offset);
                (
                    name.clone(),
                    self.shown_within(place, variable.ty, &mut room),
                )
            })
            .collect()
    }

    /// The path of an object: of a class or asset the one it was loaded from, of an object of the
    /// world its outer's and its own name.
    pub(crate) fn object_path(&self, object: ObjectHandle) -> String {
        let mut names: Vec<String> = Vec::new();
        let mut next = object;
        loop {
            let Some(found) = self.memory.objects.get(next) else {
                names.push("None".to_owned());
                break;
            };
            match &found.kind {
                ObjectKind::Class(id) => names.push(self.program.class(*id).path.to_string()),
                ObjectKind::Asset(path) => names.push(path.to_string()),
                ObjectKind::Default => {
                    let class = self.program.class(found.class);
                    names.push(class.path.default_object().to_string());
                }
                ObjectKind::Instance => {
                    names.push(found.name.to_string());
                    if !found.outer.is_none() {
                        next = found.outer;
                        continue;
                    }
                }
            }
            break;
        }
        names.reverse();
        names.join(".")
    }
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
