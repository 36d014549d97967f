//! Arrays, sets and maps as the heaps hold them.
//!
//! A container owns its elements. One slot owns a container: assigning copies it, as in the engine.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::heap::Footprint;
use super::journal::{Kept, Stored, Unchanging, spilled};
use crate::ids::{NameId, ObjectHandle, TypeId};

/// What a multicast delegate calls, in order of binding.
pub(crate) type Bindings = Vec<(ObjectHandle, NameId)>;

/// An array: element words one after the other.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct ArrayCell {
    pub(crate) element: TypeId,
    /// Words an element takes; never 0.
    pub(crate) stride: u32,
    pub(crate) data: Vec<u64>,
}

impl ArrayCell {
    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.stride as usize
    }

    /// What undoes that the words `from..from + old` become `new` others.
    pub(crate) fn splicing(&self, from: usize, old: usize, new: usize) -> ArrayChange {
        ArrayChange {
            from: from as u32,
            new: new as u32,
            old: Kept::from_slice(&self.data[from..from + old]),
        }
    }
}

/// What undoes a change of an array: words that stand where others stood.
#[derive(Clone, Debug)]
pub(crate) struct ArrayChange {
    /// Words before them.
    from: u32,
    /// How many there are now.
    new: u32,
    old: Kept,
}

impl Footprint for ArrayChange {
    fn footprint(&self) -> u64 {
        spilled(&self.old)
    }
}

impl Stored for ArrayCell {
    type Change = ArrayChange;

    fn undo(&mut self, change: ArrayChange) {
        let from = change.from as usize;
        let new = from..from + change.new as usize;
        self.data.splice(new, change.old);
    }
}

impl Footprint for ArrayCell {
    fn footprint(&self) -> u64 {
        self.data.len() as u64 * 8
    }
}

impl Footprint for Bindings {
    fn footprint(&self) -> u64 {
        self.len() as u64 * 16
    }
}

/// Another list takes its place.
impl Stored for Bindings {
    type Change = Unchanging;

    fn undo(&mut self, change: Unchanging) {
        match change {}
    }
}

/// A set, or a map if it has values.
///
/// Entries keep their place; a removed one leaves a hole that the next new entry takes, the last
/// hole first. That is the order in which the engine's sparse arrays are walked (assumed).
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct TableCell {
    pub(crate) key: TypeId,
    /// None for a set.
    pub(crate) value: Option<TypeId>,
    pub(crate) key_words: u32,
    pub(crate) value_words: u32,
    data: Vec<u64>,
    used: Vec<bool>,
    holes: Vec<u32>,
    /// Entries by hash of their key. Not saved: it follows from the keys.
    #[serde(skip)]
    index: HashMap<u64, SmallVec<[u32; 1]>, FxBuildHasher>,
}

impl Footprint for TableCell {
    fn footprint(&self) -> u64 {
        // Places of removed entries count: they are kept.
        self.used.len() as u64 * Self::entry_bytes(self.stride())
    }
}

/// What undoes a change of a set or map.
#[derive(Clone, Debug)]
pub(crate) enum TableChange {
    /// An entry was added, and whether it took a hole.
    Added {
        hash: u64,
        entry: u32,
        took_hole: bool,
    },
    /// An entry of that key and value was removed.
    Removed { hash: u64, entry: u32, words: Kept },
    /// An entry had another value.
    Value { entry: u32, words: Kept },
}

impl Footprint for TableChange {
    fn footprint(&self) -> u64 {
        match self {
            Self::Added { .. } => 0,
            Self::Removed { words, .. } | Self::Value { words, .. } => spilled(words),
        }
    }
}

impl Stored for TableCell {
    type Change = TableChange;

    fn undo(&mut self, change: TableChange) {
        match change {
            TableChange::Added {
                hash,
                entry,
                took_hole: true,
            } => self.remove(hash, entry),
            TableChange::Added {
                hash,
                entry,
                took_hole: false,
            } => {
                self.unlist(hash, entry);
                self.used.truncate(entry as usize);
                self.data.truncate(entry as usize * self.stride());
            }
            TableChange::Removed { hash, entry, words } => {
                self.holes.pop();
                let start = entry as usize * self.stride();
                self.data[start..start + words.len()].copy_from_slice(&words);
                self.used[entry as usize] = true;
                self.index.entry(hash).or_default().push(entry);
            }
            TableChange::Value { entry, words } => {
                self.value_at_mut(entry).copy_from_slice(&words);
            }
        }
    }
}

impl TableCell {
    /// What undoes adding the next entry, whose key has that hash.
    pub(crate) fn adding(&self, hash: u64) -> TableChange {
        let hole = self.holes.last().copied();
        TableChange::Added {
            hash,
            entry: hole.unwrap_or(self.used.len() as u32),
            took_hole: hole.is_some(),
        }
    }

    /// What undoes removing an entry.
    pub(crate) fn removing(&self, hash: u64, entry: u32) -> TableChange {
        let start = entry as usize * self.stride();
        let words = Kept::from_slice(&self.data[start..start + self.stride()]);
        TableChange::Removed { hash, entry, words }
    }

    /// What undoes giving an entry another value.
    pub(crate) fn revaluing(&self, entry: u32) -> TableChange {
        let words = Kept::from_slice(self.value_at(entry));
        TableChange::Value { entry, words }
    }

    /// Bytes that an entry of that many words counts, with its mark and its place in the index.
    pub(crate) fn entry_bytes(words: usize) -> u64 {
        words as u64 * 8 + 40
    }

    pub(crate) fn new(key: TypeId, key_words: u32, value: Option<(TypeId, u32)>) -> Self {
        Self {
            key,
            value: value.map(|(ty, _)| ty),
            key_words,
            value_words: value.map_or(0, |(_, words)| words),
            data: Vec::new(),
            used: Vec::new(),
            holes: Vec::new(),
            index: HashMap::default(),
        }
    }

    /// Finds every entry's place in the index again.
    pub(crate) fn reindex(&mut self, hash: impl Fn(&[u64]) -> u64) {
        self.index.clear();
        for entry in self.entries().collect::<Vec<_>>() {
            let hash = hash(self.key_at(entry));
            self.index.entry(hash).or_default().push(entry);
        }
    }

    /// Whether its words are as many as its entries take, and every entry without words is a hole, once.
    pub(crate) fn is_sound(&self) -> bool {
        let mut is_used = self.used.clone();
        let mut holes = self.holes.iter();
        let listed = holes.all(|hole| {
            let place = is_used.get_mut(*hole as usize);
            place.is_some_and(|is_used| !std::mem::replace(is_used, true))
        });
        listed
            && is_used.iter().all(|is_used| *is_used)
            && self.data.len() == self.used.len() * self.stride()
    }

    pub(crate) fn len(&self) -> usize {
        self.used.len() - self.holes.len()
    }

    fn stride(&self) -> usize {
        (self.key_words + self.value_words) as usize
    }

    /// Entries in walking order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.used.len() as u32).filter(|entry| self.used[*entry as usize])
    }

    pub(crate) fn key_at(&self, entry: u32) -> &[u64] {
        let start = entry as usize * self.stride();
        &self.data[start..start + self.key_words as usize]
    }

    pub(crate) fn value_at(&self, entry: u32) -> &[u64] {
        let start = entry as usize * self.stride() + self.key_words as usize;
        &self.data[start..start + self.value_words as usize]
    }

    pub(crate) fn value_at_mut(&mut self, entry: u32) -> &mut [u64] {
        let start = entry as usize * self.stride() + self.key_words as usize;
        &mut self.data[start..start + self.value_words as usize]
    }

    /// Entries whose key has this hash.
    pub(crate) fn candidates(&self, hash: u64) -> &[u32] {
        self.index.get(&hash).map_or(&[], |entries| entries)
    }

    /// Adds an entry whose key is not in the table yet; takes over what the words own.
    pub(crate) fn insert(&mut self, hash: u64, key: &[u64], value: &[u64]) -> u32 {
        debug_assert_eq!(key.len() + value.len(), self.stride());
        let entry = if let Some(entry) = self.holes.pop() {
            let start = entry as usize * self.stride();
            self.data[start..start + key.len()].copy_from_slice(key);
            self.data[start + key.len()..start + key.len() + value.len()].copy_from_slice(value);
            self.used[entry as usize] = true;
            entry
        } else {
            self.data.extend_from_slice(key);
            self.data.extend_from_slice(value);
            self.used.push(true);
            self.used.len() as u32 - 1
        };
        self.index.entry(hash).or_default().push(entry);
        entry
    }

    /// Removes an entry; what its words own goes to the caller (read them before).
    pub(crate) fn remove(&mut self, hash: u64, entry: u32) {
        self.unlist(hash, entry);
        let start = entry as usize * self.stride();
        let end = start + self.stride();
        // Nothing of what was there is kept, so that a saved world depends on what is in it alone.
        self.data[start..end].fill(0);
        self.used[entry as usize] = false;
        self.holes.push(entry);
    }

    fn unlist(&mut self, hash: u64, entry: u32) {
        if let Some(entries) = self.index.get_mut(&hash) {
            entries.retain(|other| *other != entry);
            if entries.is_empty() {
                self.index.remove(&hash);
            }
        }
    }

    /// All words of all entries in use, key and value of one entry together.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&[u64], &[u64])> + '_ {
        self.entries()
            .map(|entry| (self.key_at(entry), self.value_at(entry)))
    }
}
