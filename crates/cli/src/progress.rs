//! A line that says how far a long command is, for a person who watches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::console::Console;

/// Work shorter than this is not talked about.
const QUIET: Duration = Duration::from_secs(1);

/// Counts finished pieces of work, also from several threads.
pub(crate) struct Progress {
    word: &'static str,
    total: usize,
    done: AtomicUsize,
    started: Instant,
    is_shown: bool,
}

impl Progress {
    /// Progress of `total` pieces; `word` is what they are (`Blueprints`).
    pub(crate) fn new(word: &'static str, total: usize, console: &Console) -> Self {
        Self {
            word,
            total,
            done: AtomicUsize::new(0),
            started: Instant::now(),
            is_shown: console.is_terminal,
        }
    }

    /// One piece is finished.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown && self.started.elapsed() > QUIET {
            eprint_now(&format!("\r{done} of {} {}", self.total, self.word));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown && self.started.elapsed() > QUIET {
            eprint_now("\r\u{1b}[K");
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "worker threads cannot share the console's stream"
)]
fn eprint_now(text: &str) {
    eprint!("{text}");
}
