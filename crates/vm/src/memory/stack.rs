//! The frame stack: one block of words that every running function's frame, and every value being evaluated,
//! lies in.

use std::ops::{Deref, DerefMut};

/// Words below a height. Those above it stay initialised, whatever they were, so that a frame may be entered
/// without touching the words it is going to write anyway.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    /// All of them; what lies at `top` and above belongs to nobody.
    words: Vec<u64>,
    top: usize,
}

impl Stack {
    /// A stack with room for so many words before it moves.
    pub(crate) fn with_capacity(words: usize) -> Self {
        Self {
            words: vec![0; words],
            top: 0,
        }
    }

    /// Words it may hold before it moves.
    pub(crate) fn capacity(&self) -> usize {
        self.words.len()
    }

    /// Makes room for so many words above the top; the buffer may move.
    pub(crate) fn reserve(&mut self, words: usize) {
        let needed = self.top + words;
        if needed > self.words.len() {
            self.words.resize(needed.next_power_of_two(), 0);
        }
    }

    /// Zeroed words on top; gives where they start.
    pub(crate) fn push_zeroed(&mut self, words: usize) -> usize {
        self.reserve(words);
        let base = self.top;
        self.top += words;
        self.words[base..self.top].fill(0);
        base
    }

    /// These words on top; gives where they start.
    pub(crate) fn push(&mut self, words: &[u64]) -> usize {
        self.reserve(words.len());
        let base = self.top;
        self.top += words.len();
        self.words[base..self.top].copy_from_slice(words);
        base
    }

    /// Takes everything above a height off.
    pub(crate) fn truncate(&mut self, top: usize) {
        self.top = self.top.min(top);
    }

    /// Sets the top, leaving the words below it as they are: they are initialised, and whoever raises it
    /// writes those it means anything with.
    pub(crate) fn set_top(&mut self, top: usize) {
        self.reserve(top.saturating_sub(self.top));
        self.top = top;
    }

    /// Where the words begin, for the fast tier. Good until the stack moves.
    pub(crate) fn base(&mut self) -> *mut u64 {
        self.words.as_mut_ptr()
    }
}

impl Deref for Stack {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.words[..self.top]
    }
}

impl DerefMut for Stack {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[..self.top]
    }
}
