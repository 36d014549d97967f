//! Assembly text, `.bpasm`: a whole [`Package`](crate::Package) as text, written and read.
//!
//! Printing a package and parsing the text gives the same package, byte for byte of its `.bpx` file.
//! One item, statement or attribute stands on a line; `;` begins a comment.
//!
//! ```text
//! package 5.6
//!
//! class /Game/BP_Door.BP_Door_C : /Script/Engine.Actor
//!   kind blueprint
//!   ubergraph ExecuteUbergraph_BP_Door
//!   property Health int flags edit|blueprint_visible
//!   default Health = 100
//!   component Mesh /Script/Engine.StaticMeshComponent parent Root
//!   bind Mesh OnClicked -> BndEvt_Mesh
//!
//!   function Hurt flags public|blueprint_callable
//!     param Amount int flags parm
//!     local Left int
//!     node 0 "EventGraph" "Set Health" "K2Node_VariableSet_0"
//!   code
//!     JumpIfNot(L1, CallMath(/Script/Engine.KismetMathLibrary:Greater_IntInt, LocalVariable(Amount), IntConst(0)))
//!     site 0
//!     Let(Health@self, InstanceVariable(Health@self), IntConst(5))
//!   L1:
//!     Return(Nothing)
//!     EndOfScript
//!   end
//! end
//! ```
//!
//! # Words
//! A word is a run of letters, digits and `_ / . : | + - $`; anything else is written as a string in
//! quotes with the escapes `\" \\ \n \r \t \u{…}`. Names and paths are words or strings. `null` is the
//! null reference; `self` is the class at hand, `self:Open` its function `Open`; a name or path that
//! reads so is put in quotes.
//!
//! # Statements
//! `Opcode(operand, …)`, without parentheses if there are no operands. The opcode is its engine name,
//! `EX_` optional. Operands follow the opcode's row, derived ones left out:
//!
//! | kind | written |
//! |---|---|
//! | expression | `Opcode(…)` |
//! | list | its expressions as further operands if it is the last one, else `[a, b]`; pairs as `key => value` |
//! | target | a label, or an offset such as `0x2C` that need not be a statement's |
//! | property | `Name`, of the function at hand; `Name@owner`; an element of a container `Name<Container@owner`; the second of two of one name `Name@owner#1`; `null` |
//! | object | path or `null` |
//! | cast kind | `DoubleToFloat`, or the byte |
//! | number | decimal or `0x…`; `inf`, `-inf`, `nan:` and its bits |
//! | text | `empty`; `localized, source, key, namespace`; `localized_with_notes, …`; `invariant, e`; `literal, e`; `table, object, id, key` |
//! | switch | `index, value => result, …, default` |
//! | instrumentation | kind, and the name of an inline event |
//!
//! `bytes 4D 53` stands for bytes as they are. `name:` is a label; `site 0` says that the next statement
//! begins node 0's code.
//!
//! # Fragments
//! Class items outside a class belong to the class [`FRAGMENT_CLASS`]; without a `package` line the
//! engine is [`EngineVersion::LATEST`](bp_reflect::EngineVersion::LATEST). So one function alone is a file.

mod code;
mod cursor;
mod lex;
pub(crate) mod notes;
mod parse;
mod print;
mod value;

use bp_reflect::Name;

use crate::CodeOffset;

pub use parse::parse;
pub use print::{Comments, PrintOptions, print, print_function, print_statement, print_with};

/// The class of items that stand outside a class.
pub const FRAGMENT_CLASS: &str = "/Fragment.Fragment_C";

/// Why a text is no assembly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct AsmError {
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    /// What was found and what would fit.
    pub message: String,
}

/// A parsed text.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// The package it stands for.
    pub package: crate::Package,
    /// Where in the text its parts are.
    pub lines: Lines,
}

/// Lines of the text a package was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Parallel to the package's classes.
    pub classes: Vec<ClassLines>,
}

/// Lines of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassLines {
    /// The line it begins on, 1-based.
    pub line: u32,
    /// Parallel to its functions.
    pub functions: Vec<FunctionLines>,
}

/// Lines of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionLines {
    /// Its name.
    pub name: Name,
    /// The line it begins on, 1-based.
    pub line: u32,
    /// Start and line of each statement, sorted by offset.
    pub statements: Vec<(CodeOffset, u32)>,
}

impl FunctionLines {
    /// The line of the statement that `offset` lies in; the function's own before the first one.
    pub fn line_at(&self, offset: CodeOffset) -> u32 {
        let behind = self
            .statements
            .partition_point(|(start, _)| *start <= offset);
        match behind.checked_sub(1) {
            Some(index) => self.statements[index].1,
            None => self.line,
        }
    }
}
