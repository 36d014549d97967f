//! Runs verified packages.
//!
//! In: packages that the verifier has passed, declarations of native classes, and a table of native
//! functions. Out: a [`World`] of objects in which functions are called and time passes; what the
//! scripts print, warn of and leave in their variables.
//!
//! Reading order: [`World`] (what is done with a world), [`host`] (what it tells), [`natives`] (what
//! scripts call), then inside: `types` and `memory` (how values lie in words), `program` and `load`
//! (what is resolved before anything runs), `exec` (the interpreter), `world` (objects in time).
//!
//! Invariants a type cannot state:
//! - A value is words laid out by `bp_reflect::link`; nothing boxes one value per slot.
//! - Every handle word has as many owners as its heap counts; a closed world leaves all heaps empty.
//! - What happens depends on the packages, the calls and the host's answers only: there is no clock,
//!   no hash order and no address in any result.
//!
//! The crate knows neither the compiler nor graphs.

mod error;
mod exec;
mod fast;
pub mod host;
mod ids;
mod load;
mod memory;
mod names;
pub mod natives;
mod objects;
mod observers;
mod program;
mod text;
mod types;
mod value;
mod vm;
mod world;

pub use error::{
    Fault, FaultKind, LimitHit, LimitKind, LoadError, Run, RunError, Stop, Unsupported,
};
pub use exec::{
    Control, Execution, HANDLER_SLOTS, Observer, OpcodeHook, Paused, Script, ScriptId,
    handler_count,
};
pub use fast::{IS_THREADED, Tier};
pub use host::{Callspace, Executed, Host, Recorder, RemoteCall, StackEntry, Warning, WarningKind};
pub use ids::{NameId, ObjectHandle};
pub use memory::HeapUsage;
pub use natives::{Native, NativeArgument, NativeCall, NativeValue, Natives, Out, Shape, Str};
pub use observers::{GraphCoverage, NodeCount, Profile, coverage};
pub use vm::{ExitState, Limits};
pub use world::{Argument, Event, MemoryUse, RestoreError, World};
