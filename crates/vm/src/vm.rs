//! The virtual machine: memory, program, guards and the host, and how they report.

use bp_bytecode::CodeOffset;
use bp_reflect::{Name, ObjectPath};

use crate::error::{Fault, FaultKind, Run, RunError, Unsupported};
use crate::exec::Hooks;
use crate::host::{Host, StackEntry, Warning, WarningKind};
use crate::ids::{ClassId, FunctionId, ObjectHandle};
use crate::memory::{Memory, Place};
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
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            recursion: 120,
            jumps: 1_000_000,
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
    pub(crate) state: State,
    pub(crate) hooks: Hooks,
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
        let warning = Warning {
            kind,
            message: message.into(),
            stack: self.call_stack(),
            recent: Vec::new(),
        };
        self.exit.warnings += 1;
        self.host.warning(&warning);
    }

    pub(crate) fn report_error(&mut self, kind: WarningKind, message: impl Into<String>) {
        let error = Warning {
            kind,
            message: message.into(),
            stack: self.call_stack(),
            recent: self.recent(),
        };
        self.exit.errors += 1;
        self.host.error(&error);
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

    /// The variables of an object that Blueprints declare, those of ancestors first, in text form.
    pub(crate) fn variables(&self, object: ObjectHandle) -> Vec<(Name, String)> {
        let Some(class) = self.class_of(object) else {
            return Vec::new();
        };
        let class = self.program.class(class);
        class
            .variables
            .iter()
            .filter(|(_, variable)| self.program.class(variable.owner).compiled.is_some())
            .map(|(name, variable)| {
                let place = Place::object(object, variable.offset);
                (name.clone(), self.shown(place, variable.ty))
            })
            .collect()
    }

    /// The path of an object: of a class or asset the one it was loaded from, of an object of the
    /// world its outer's and its own name.
    pub(crate) fn object_path(&self, object: ObjectHandle) -> String {
        let Some(found) = self.memory.objects.get(object) else {
            return "None".to_owned();
        };
        match &found.kind {
            ObjectKind::Class(id) => self.program.class(*id).path.to_string(),
            ObjectKind::Asset(path) => path.to_string(),
            ObjectKind::Default => self
                .program
                .class(found.class)
                .path
                .default_object()
                .to_string(),
            ObjectKind::Instance if found.outer.is_none() => found.name.to_string(),
            ObjectKind::Instance => format!("{}.{}", self.object_path(found.outer), found.name),
        }
    }
}
