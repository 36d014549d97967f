//! The ways loading and running fail.
//!
//! At run time three kinds stay apart: a [`Fault`] (the script did what no script may), an
//! [`Unsupported`] (the script is right, this virtual machine lacks something) and a [`Stop`] (the
//! host ended the run). What the engine only warns about is a
//! [`Warning`](crate::host::Warning), and the script goes on.

use bp_bytecode::CodeOffset;
use bp_reflect::link::LinkError;
use bp_reflect::{Name, ObjectPath};

use crate::host::{Executed, StackEntry};

/// Why packages cannot be loaded into one world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A class, function or struct cannot be laid out.
    #[error("{0}")]
    Link(#[from] LinkError),
    /// Two packages define the same class.
    #[error("class {0} is defined by two packages")]
    Duplicate(ObjectPath),
    /// A class derives from itself.
    #[error("class {0} derives from itself")]
    Circle(ObjectPath),
    /// A class has more functions than scripts, or fewer.
    #[error("class {class} has {functions} functions and {scripts} scripts")]
    Scripts {
        /// The class.
        class: ObjectPath,
        /// Its functions.
        functions: usize,
        /// Its scripts.
        scripts: usize,
    },
    /// Packages of different engines: their values do not fit together.
    #[error("packages for engines {0} and {1} cannot share a world")]
    Engines(bp_reflect::EngineVersion, bp_reflect::EngineVersion),
    /// What the packages declare takes more memory than allowed.
    #[error("the classes take more than {0} bytes of memory")]
    Memory(u64),
}

/// Why a call did not end as the script wants it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The script did what no script may.
    #[error("{0}")]
    Fault(Box<Fault>),
    /// The script needs what this virtual machine does not have.
    #[error("{0}")]
    Unsupported(Box<Unsupported>),
    /// The script needs more than it is allowed.
    #[error("{0}")]
    Limit(Box<LimitHit>),
    /// The host ended the run.
    #[error("{0}")]
    Stop(Stop),
    /// A call from outside names a function the object does not have.
    #[error("{class} has no function {function}")]
    NoFunction {
        /// The object's class.
        class: ObjectPath,
        /// The name.
        function: Name,
    },
    /// A call from outside passes an argument the function does not have, or of the wrong form.
    #[error("{function} has no parameter {parameter} that takes this value")]
    NoParameter {
        /// The function.
        function: Name,
        /// The name.
        parameter: Name,
    },
    /// The class to be spawned is not loaded.
    #[error("class {0} is not loaded")]
    NoClass(ObjectPath),
    /// The object is destroyed or null.
    #[error("the object does not exist")]
    NoObject,
}

/// The result of everything that runs script.
pub type Run<T = ()> = Result<T, RunError>;

/// What a script may not do; a verified package of the compiler never does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} in {} at {offset}", function.as_ref().map_or("no function", |f| f.as_str()))]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The function that ran.
    pub function: Option<ObjectPath>,
    /// Where in its script.
    pub offset: CodeOffset,
    /// Who called it, innermost first.
    pub stack: Vec<StackEntry>,
    /// Nodes that ran last, oldest first; empty unless [`World::remember`](crate::World::remember) asks.
    pub recent: Vec<Executed>,
}

/// Kinds of [`Fault`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// A byte that is no opcode, or one that cannot be executed.
    #[error("undefined opcode 0x{0:02X}")]
    UndefinedOpcode(u8),
    /// Execution went past the last statement.
    #[error("the script ran past its end")]
    RanPastEnd,
    /// A computed jump or latent resume leads to no start of a statement.
    #[error("jump to 0x{0:X}, which is no start of a statement")]
    BadJump(u32),
    /// A reference of the script has no entry in the package's tables, or names another kind of thing.
    #[error("reference {0} of the script does not name {1}")]
    BadReference(u64, &'static str),
    /// A transaction was aborted or stopped outside of one.
    #[error("transaction opcode outside of a transaction")]
    NoTransaction,
    /// A transaction called a native function whose effects cannot be undone, see
    /// [`Native::irrevocable`](crate::Native::irrevocable).
    #[error("{0} cannot be undone, so no transaction may call it")]
    Irrevocable(ObjectPath),
    /// A native function called the script error function.
    #[error("script error: {0}")]
    Raised(String),
}

/// What a script needs and this virtual machine lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{function} has no implementation")]
pub struct Unsupported {
    /// The native function, or the class that lacks it.
    pub function: ObjectPath,
    /// Who called it, innermost first.
    pub stack: Vec<StackEntry>,
    /// Nodes that ran last, oldest first; empty unless [`World::remember`](crate::World::remember) asks.
    pub recent: Vec<Executed>,
}

/// A script that needs more than [`Limits`](crate::Limits) allow, where the engine has no guard of its own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} in {} at {offset}", function.as_ref().map_or("no function", |f| f.as_str()))]
pub struct LimitHit {
    /// Which limit.
    pub kind: LimitKind,
    /// The function that ran.
    pub function: Option<ObjectPath>,
    /// Where in its script.
    pub offset: CodeOffset,
    /// Who called it, innermost first.
    pub stack: Vec<StackEntry>,
    /// Nodes that ran last, oldest first; empty unless [`World::remember`](crate::World::remember) asks.
    pub recent: Vec<Executed>,
}

/// Kinds of [`LimitHit`], each with the limit.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error, serde::Serialize, serde::Deserialize,
)]
pub enum LimitKind {
    /// Bytes of memory.
    #[error("more than {0} bytes of memory")]
    Memory(u64),
    /// Objects of the world.
    #[error("more than {0} objects")]
    Objects(usize),
    /// Statements of one call from outside.
    #[error("more than {0} statements in one call")]
    Fuel(u64),
    /// Expressions inside each other, over all running functions.
    #[error("expressions nested deeper than {0} over all running functions")]
    Nesting(u32),
}

/// How a host ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Stop {
    /// [`Host::should_stop`](crate::host::Host::should_stop) said so.
    #[error("stopped by the host")]
    Host,
    /// The script asked the game to quit.
    #[error("the script quit the game")]
    Quit,
}
