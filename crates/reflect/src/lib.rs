//! What the engine's reflection knows of classes: names, property types, functions, flags, and where
//! each property lies in memory.
//!
//! In: declarations of native classes (JSON, see [`declarations`]) and the signatures of compiled
//! Blueprints. Out: a [`Registry`] that answers by object path, and [`link`]ed layouts.
//!
//! Invariants a type cannot state:
//! - References between declared things are [`ObjectPath`]s, never indices, so that a class can be
//!   written down before what it refers to. The [`Registry`] resolves them.
//! - A parameter list is in declaration order; the return value, if any, is its last entry.
//!
//! This crate knows nothing of graphs or bytecode.

#![forbid(unsafe_code)]

mod class;
pub mod declarations;
mod enumeration;
mod flags;
mod function;
mod function_meta;
pub mod link;
mod name;
mod path;
mod property;
mod registry;
mod shelf;
mod structure;
mod types;
mod value;
mod version;

pub use class::{Class, ClassKind};
pub use enumeration::{Enum, EnumEntry, EnumForm};
pub use flags::{FunctionFlags, PropertyFlags};
pub use function::{Certainty, Function};
pub use function_meta::FunctionMeta;
pub use name::{Name, NameKey};
pub use path::ObjectPath;
pub use property::Property;
pub use registry::{Lookup, Registry};
pub use structure::{NativeParts, Struct};
pub use types::{PropertyType, TypeParseError};
pub use value::{TextValue, Value, ValueError};
pub use version::EngineVersion;
