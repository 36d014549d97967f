//! Kismet bytecode and everything that follows from its one opcode table.
//!
//! In: expression trees ([`Expr`]) made by a compiler, a reader of packages or the assembler. Out:
//! script bytes in the in-memory layout (or the layout of packages on disk), trees again, text, and
//! after [`verify()`] a [`Verified<Package>`](Verified) that an interpreter may run.
//!
//! ```text
//! Expr --ScriptBuilder, encode_script--> bytes --decode_script--> Script of Statements of Expr
//! Package --asm::print--> .bpasm text --asm::parse--> Package
//! Package --file::write--> .bpx bytes --file::read--> Package --verify--> Verified<Package>
//! ```
//!
//! Reading order: [`table`] (the opcodes), [`dialect`] (what depends on the version), [`expr`] (the
//! tree), [`package`] (what scripts live in), then the uses of the table: [`encode`], [`decode`],
//! [`asm`], [`listing`], [`mod@verify`], [`mod@file`].
//!
//! Invariants a type cannot state:
//! - An [`Expr`]'s operands are those its opcode's row lists, in the row's order; derived operands
//!   (skip sizes, counts, case offsets, terminators) are not stored, they are computed when encoding
//!   and compared when decoding.
//! - Every [`CodeOffset`] counts in-memory bytes, also when the bytes at hand are in disk layout.
//! - Decoding and encoding again gives the same bytes, in every layout; so do printing and parsing a
//!   package. No input makes a reader panic or allocate more than a fixed multiple of its size.
//!
//! This crate knows neither graphs nor the interpreter.

#![forbid(unsafe_code)]

pub mod table;

pub mod dialect;
pub mod expr;
pub mod package;

pub mod encode;

pub mod decode;

pub mod asm;

pub mod listing;

pub mod verify;

pub mod file;

pub use decode::{
    DecodeError, DecodeFailure, DiskForm, Layout, References, Script, Statement, decode_expression,
    decode_script,
};
pub use dialect::Dialect;
pub use encode::{
    EncodeError, EncodedScript, Interner, ReferenceSink, ScriptBuilder, StoredProperty,
    encode_script, memory_size,
};
pub use expr::{CodeOffset, Expr, Label, Operand, PropertyRef, Switch, Target, TextLiteral};
pub use package::{
    CompiledClass, CompiledFunction, ComponentTemplate, DebugSite, DelegateBinding, NodeName,
    Package, ReferenceTables, TimelineTemplate, TimelineTrack, TrackKind,
};
pub use table::{Opcode, OperandKind};
pub use verify::{Verified, VerifyError, verify};
