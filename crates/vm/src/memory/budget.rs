//! How much memory a world may use.
//!
//! Counted where owned values grow: strings, texts, arrays, sets, maps, multicast delegates, objects and
//! names when they are made, changed and given up, frames when a function is entered. Counted are lengths,
//! not capacities, and a fixed amount for each value's place in its heap, so that the figure depends on the
//! script alone and not on how an allocator grows. Whoever makes something large asks first
//! ([`Budget::ask`]); what is small or is there already is charged and may exceed the limit by itself. Either
//! way [`Budget::is_exceeded`] is set, and the run ends at its next statement or when the native function is
//! back.

use std::cell::Cell;

/// Bytes counted for the place of a value in its heap, besides its contents.
pub(crate) const PLACE: u64 = 32;

/// See the [module](self). Shared by all that a world's memory consists of.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    used: Cell<u64>,
    peak: Cell<u64>,
    is_exceeded: Cell<bool>,
    work: Cell<u64>,
}

/// Bytes looked at or moved at once that take as long as a statement (assumed; only the order matters).
const BYTES_A_STATEMENT: u64 = 512;

/// Statements that entering a function with a frame of so many words counts for besides its own: making a large
/// frame takes as long as moving as much.
pub(crate) fn frame_statements(words: u32) -> u64 {
    u64::from(words) * 8 / (BYTES_A_STATEMENT + 1)
}

/// Without a limit: what values have that were read from bytes, until a world counts them.
impl Default for Budget {
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl Budget {
    /// A budget of that many bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            limit,
            used: Cell::new(0),
            peak: Cell::new(0),
            is_exceeded: Cell::new(false),
            work: Cell::new(0),
        }
    }

    /// Bytes in use now.
    pub(crate) fn used(&self) -> u64 {
        self.used.get()
    }

    /// The most bytes that were ever in use, or asked for and granted.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.get()
    }

    /// Bytes that are not in use.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used.get())
    }

    /// Whether that many more bytes fit. If not, the budget counts as exceeded, and the caller must not
    /// allocate.
    pub(crate) fn ask(&self, bytes: u64) -> bool {
        let fits = self.ask_room(bytes);
        if fits {
            self.work(bytes);
        }
        fits
    }

    /// The same for room that nothing is moved into: frames, which take no fuel of their own unless they
    /// are large, see [`frame_statements`].
    pub(crate) fn ask_room(&self, bytes: u64) -> bool {
        let wanted = self.used.get().saturating_add(bytes);
        if wanted > self.limit {
            self.is_exceeded.set(true);
            return false;
        }
        self.peak.set(self.peak.get().max(wanted));
        true
    }

    /// Whether that many more bytes would fit, without asking for them.
    pub(crate) fn would_fit(&self, bytes: u64) -> bool {
        self.used.get().saturating_add(bytes) <= self.limit
    }

    /// Counts bytes that one statement looks at or moves, so that it takes fuel for more than itself.
    pub(crate) fn work(&self, bytes: u64) {
        self.work.set(self.work.get().saturating_add(bytes));
    }

    /// How many statements the work since the last time stands for.
    pub(crate) fn take_work(&self) -> u64 {
        let work = self.work.get();
        self.work.set(work % BYTES_A_STATEMENT);
        work / BYTES_A_STATEMENT
    }

    /// Whether the budget was exceeded, or work makes up a statement.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        self.is_exceeded.get() || self.work.get() >= BYTES_A_STATEMENT
    }

    /// How many statements [`Budget::take_work`] would give.
    pub(crate) fn pending_work(&self) -> u64 {
        self.work.get() / BYTES_A_STATEMENT
    }

    /// Counts bytes that are allocated.
    pub(crate) fn charge(&self, bytes: u64) {
        let used = self.used.get().saturating_add(bytes);
        self.used.set(used);
        if used > self.limit {
            self.is_exceeded.set(true);
        } else {
            self.peak.set(self.peak.get().max(used));
        }
    }

    /// Counts bytes that are given up.
    pub(crate) fn credit(&self, bytes: u64) {
        self.used.set(self.used.get().saturating_sub(bytes));
    }

    /// Counts that what had `before` bytes has `after`.
    pub(crate) fn recount(&self, before: u64, after: u64) {
        if after > before {
            self.charge(after - before);
        } else {
            self.credit(before - after);
        }
    }

    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }

    /// Forgets that the budget was exceeded, when it has been told.
    pub(crate) fn excuse(&self) {
        self.is_exceeded.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_byte_fits_and_the_next_does_not() {
        let budget = Budget::new(100);
        assert!(budget.ask(100));
        budget.charge(99);
        assert!(budget.ask(1) && !budget.is_exceeded());
        assert!(!budget.ask(2) && budget.is_exceeded());
        budget.excuse();
        budget.charge(1);
        assert!(!budget.is_exceeded());
        budget.charge(1);
        assert!(budget.is_exceeded());
        budget.credit(50);
        assert_eq!((budget.used(), budget.peak()), (51, 100));
        assert!(!budget.ask(u64::MAX));
    }
}
