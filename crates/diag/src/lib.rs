//! What went wrong, where, and how to get out of it.
//!
//! In: spans into source texts and facts about a mistake. Out: [`Diagnostic`] values, collected in
//! [`Diagnostics`] and rendered for a person ([`render::human`]), for a terminal line
//! ([`render::short`]) or for a program ([`render::json`]).
//!
//! A diagnostic is data until the very end: stages push it and go on, so that one run reports every
//! mistake. Its [`Code`] is stable and documented (`bpc explain CODE`), its words are not.
//!
//! This crate knows nothing of Blueprints. It is the only user of `codespan-reporting`.

#![forbid(unsafe_code)]

mod code;
mod diagnostic;
pub mod render;
mod source;

pub use code::{Code, CodeInfo};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Place, Severity};
pub use source::{SourceFile, SourceId, Sources, Span, Spanned};
