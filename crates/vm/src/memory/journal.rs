//! What a transaction needs to be undone: each store of the world writes down how it was.
//!
//! A store (a heap, the objects, the frame stack, a map of the world's state) has a [`Log`] of its own. While
//! a transaction runs it is open and every change leaves an entry that undoes it; going back takes the
//! entries off one by one, last first. So a transaction costs what it changes, not what there is, and a world
//! without one pays for a flag that is looked at where something is written.
//!
//! What a world knows of its packages (names, types, classes and their default objects, assets that stand
//! for what is not loaded) only grows and is found by whoever needs it next: it stays, and is made while the
//! logs are paused ([`Memory::pause_log`]). Heaps therefore never give a slot that a
//! transaction has freed to something else before that transaction has committed.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{Budget, Footprint, Mark, Memory};

/// Entries that undo changes, in order of the changes.
#[derive(Clone, Debug)]
pub(crate) struct Log<E> {
    entries: Vec<E>,
    is_open: bool,
    budget: Rc<Budget>,
}

/// Closed: what stores have that were read from bytes.
impl<E> Default for Log<E> {
    fn default() -> Self {
        Self::new(Rc::default())
    }
}

impl<E> Log<E> {
    /// A closed log whose entries that budget counts.
    pub(crate) fn new(budget: Rc<Budget>) -> Self {
        Self {
            entries: Vec::new(),
            is_open: false,
            budget,
        }
    }

    /// Whether changes are to be written down.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Opens, pauses or closes the log; entries stay.
    pub(crate) fn set_open(&mut self, is_open: bool) {
        self.is_open = is_open;
    }

    /// How many entries there are: what to go back to later.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

impl<E: Footprint> Log<E> {
    /// Writes down how to undo a change. Only while the log is open.
    pub(crate) fn push(&mut self, entry: E) {
        debug_assert!(self.is_open, "a closed log takes no entries");
        self.budget.charge(entry.footprint());
        self.entries.push(entry);
    }

    /// Takes the last entry off, if there are more than `len`.
    pub(crate) fn pop_to(&mut self, len: usize) -> Option<E> {
        if self.entries.len() <= len {
            return None;
        }
        let entry = self.entries.pop()?;
        self.budget.credit(entry.footprint());
        Some(entry)
    }

    /// Takes all entries off, first first.
    pub(crate) fn take(&mut self) -> Vec<E> {
        let entries = std::mem::take(&mut self.entries);
        for entry in &entries {
            self.budget.credit(entry.footprint());
        }
        entries
    }
}

/// Words that are kept to be put back: mostly one or two.
pub(crate) type Kept = SmallVec<[u64; 2]>;

/// Words of a block as they were.
#[derive(Clone, Debug)]
pub(crate) struct OldWords {
    pub(crate) start: u32,
    pub(crate) words: Kept,
}

impl Footprint for OldWords {
    fn footprint(&self) -> u64 {
        size_of::<Self>() as u64 + spilled(&self.words)
    }
}

/// Bytes that words take beyond the place they have in themselves.
pub(crate) fn spilled(words: &Kept) -> u64 {
    if words.spilled() {
        words.len() as u64 * 8
    } else {
        0
    }
}

/// A value that a heap keeps and whose changes can be undone.
pub(crate) trait Stored: Footprint {
    /// What undoes a change.
    type Change: Footprint + Clone + std::fmt::Debug;

    /// Undoes the last change.
    fn undo(&mut self, change: Self::Change);
}

/// The change of what never changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unchanging {}

impl Footprint for Unchanging {
    fn footprint(&self) -> u64 {
        match *self {}
    }
}

/// How far memory was when a transaction began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Savepoint {
    mark: Mark,
    /// The floor of the transaction around it.
    floor: usize,
    stack: usize,
    objects: usize,
    heaps: [usize; 5],
}

impl Memory {
    /// Starts to write down changes, or goes on with it.
    pub(crate) fn begin_transaction(&mut self) -> Savepoint {
        let savepoint = Savepoint {
            mark: self.mark(),
            floor: self.floor,
            stack: self.stack_log.len(),
            objects: self.objects.log_len(),
            heaps: [
                self.strings.log_len(),
                self.texts.log_len(),
                self.arrays.log_len(),
                self.tables.log_len(),
                self.multicasts.log_len(),
            ],
        };
        self.floor = savepoint.mark.words;
        self.set_logged(true);
        savepoint
    }

    fn set_logged(&mut self, is_logged: bool) {
        self.stack_log.set_open(is_logged);
        self.objects.set_logged(is_logged);
        self.strings.set_logged(is_logged);
        self.texts.set_logged(is_logged);
        self.arrays.set_logged(is_logged);
        self.tables.set_logged(is_logged);
        self.multicasts.set_logged(is_logged);
    }

    /// Ends the innermost transaction; what it did stays. The outermost one's can then no more be undone.
    pub(crate) fn commit(&mut self, savepoint: &Savepoint, is_outermost: bool) {
        self.floor = savepoint.floor;
        if is_outermost {
            self.set_logged(false);
            drop(self.stack_log.take());
            self.objects.commit();
            self.strings.commit();
            self.texts.commit();
            self.arrays.commit();
            self.tables.commit();
            self.multicasts.commit();
        }
    }

    /// Ends the innermost transaction; everything is as it was when it began.
    pub(crate) fn roll_back(&mut self, savepoint: &Savepoint, is_outermost: bool) {
        self.set_logged(false);
        // What the stack owned on top is given up with everything else that was made.
        self.stack.truncate(savepoint.mark.words);
        self.blocks.truncate(savepoint.mark.blocks);
        while let Some(old) = self.stack_log.pop_to(savepoint.stack) {
            let start = old.start as usize;
            // A transaction inside of this one may have had a higher floor.
            if let Some(words) = self.stack.get_mut(start..start + old.words.len()) {
                words.copy_from_slice(&old.words);
            }
        }
        self.objects.undo_to(savepoint.objects);
        let [strings, texts, arrays, tables, multicasts] = savepoint.heaps;
        self.strings.undo_to(strings);
        self.texts.undo_to(texts);
        self.arrays.undo_to(arrays);
        self.tables.undo_to(tables);
        self.multicasts.undo_to(multicasts);
        self.floor = savepoint.floor;
        self.set_logged(!is_outermost);
        // On the way back more may have been in use than is now.
        self.budget.excuse();
    }

    /// Stops writing down changes; gives whether they were.
    pub(crate) fn pause_log(&mut self) -> bool {
        let was_open = self.stack_log.is_open();
        self.set_logged(false);
        was_open
    }

    /// Goes on as before [`Memory::pause_log`].
    pub(crate) fn resume_log(&mut self, was_open: bool) {
        self.set_logged(was_open);
    }
}
