//! How a command ends.

use std::path::PathBuf;

/// The exit code of a command. The discriminant is the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Exit {
    /// Everything is fine.
    Fine = 0,
    /// The input has errors, or differences were found.
    Findings = 1,
    /// Wrong use, or a file that cannot be read or written.
    Usage = 2,
    /// The verifier refused the bytecode.
    Refused = 3,
    /// A fault that no script may cause, or a native function that is missing.
    Fault = 4,
    /// A limit was hit: a recursion or runaway guard, or a size limit.
    Limit = 5,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Why a command could not do its work: wrong use or I/O. Ends with [`Exit::Usage`].
///
/// What is wrong *in* an input is a diagnostic, not a failure.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// stdin, stdout or stderr failed.
    #[error("cannot use the console: {0}")]
    Console(#[from] std::io::Error),
    /// The arguments do not fit each other or the input.
    #[error("{0}")]
    Use(String),
}

impl Failure {
    /// Wrong use, in one sentence without final period.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Use(message.into())
    }
}

/// What a command gives.
pub type Outcome<T = Exit> = Result<T, Failure>;
