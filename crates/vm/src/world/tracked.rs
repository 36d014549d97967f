//! Maps of the world's state: counted by the memory budget, and a transaction can undo their changes.

use std::hash::Hash;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{Component, Timeline, Timer};
use crate::ids::{ClassId, ObjectHandle};
use crate::memory::{Budget, Footprint, Log, PLACE};

/// A map in order of making that writes down how to undo what changes while a transaction runs.
#[derive(Clone, Debug)]
pub(crate) struct Tracked<K, V> {
    map: IndexMap<K, V, FxBuildHasher>,
    budget: Rc<Budget>,
    log: Log<Undo<K, V>>,
}

#[derive(Clone, Debug)]
enum Undo<K, V> {
    /// The entry at the end is new.
    Added,
    /// The entry of the key had this value.
    Changed(K, V),
    /// There was an entry before so many others.
    Removed(usize, K, V),
}

impl<K: Footprint, V: Footprint> Footprint for Undo<K, V> {
    fn footprint(&self) -> u64 {
        let more = match self {
            Self::Added => 0,
            Self::Changed(key, value) | Self::Removed(_, key, value) => {
                key.footprint() + value.footprint()
            }
        };
        size_of::<Self>() as u64 + more
    }
}

/// Bytes that an entry counts, its place in the map included.
pub(crate) fn entry_bytes<K: Footprint, V: Footprint>(key: &K, value: &V) -> u64 {
    PLACE + size_of::<(K, V)>() as u64 + key.footprint() + value.footprint()
}

impl<K: Clone + Eq + Hash + Footprint, V: Clone + Footprint> Tracked<K, V> {
    /// An empty map which that budget counts.
    pub(crate) fn new(budget: &Rc<Budget>) -> Self {
        Self {
            map: IndexMap::default(),
            budget: Rc::clone(budget),
            log: Log::new(Rc::clone(budget)),
        }
    }

    /// The map, to be looked at.
    pub(crate) fn map(&self) -> &IndexMap<K, V, FxBuildHasher> {
        &self.map
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.map.get(key)
    }

    /// The value of a key, to be changed without growing or shrinking.
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let value = self.map.get_mut(key)?;
        if self.log.is_open() {
            self.log.push(Undo::Changed(key.clone(), value.clone()));
        }
        Some(value)
    }

    /// Changes the value of a key, which may then be of another size.
    pub(crate) fn change<T>(&mut self, key: &K, change: impl FnOnce(&mut V) -> T) -> Option<T> {
        let budget = Rc::clone(&self.budget);
        let value = self.get_mut(key)?;
        let before = value.footprint();
        let result = change(value);
        budget.recount(before, value.footprint());
        Some(result)
    }

    /// Gives a key a value; the one it had.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.budget.charge(entry_bytes(&key, &value));
        let before = self.map.insert(key.clone(), value);
        if let Some(before) = &before {
            self.budget.credit(entry_bytes(&key, before));
        }
        if self.log.is_open() {
            self.log.push(match &before {
                Some(before) => Undo::Changed(key, before.clone()),
                None => Undo::Added,
            });
        }
        before
    }

    /// Takes a key out; the others keep their order.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let (index, key, value) = self.map.shift_remove_full(key)?;
        self.budget.credit(entry_bytes(&key, &value));
        if self.log.is_open() {
            self.log.push(Undo::Removed(index, key, value.clone()));
        }
        Some(value)
    }

    /// Takes every entry out that `stays` does not want.
    pub(crate) fn retain(&mut self, stays: impl Fn(&K, &V) -> bool) {
        let entries = self.map.iter().filter(|(key, value)| !stays(key, value));
        let gone: Vec<K> = entries.map(|(key, _)| key.clone()).collect();
        for key in gone {
            self.remove(&key);
        }
    }

    // ---- transactions

    pub(crate) fn set_logged(&mut self, is_logged: bool) {
        self.log.set_open(is_logged);
    }

    /// How far the changes are that may be undone.
    pub(crate) fn log_len(&self) -> usize {
        self.log.len()
    }

    /// Undoes the changes behind that many.
    pub(crate) fn undo_to(&mut self, len: usize) {
        while let Some(undo) = self.log.pop_to(len) {
            match undo {
                Undo::Added => {
                    if let Some((key, value)) = self.map.pop() {
                        self.budget.credit(entry_bytes(&key, &value));
                    }
                }
                Undo::Changed(key, value) => {
                    self.budget.charge(value.footprint());
                    if let Some(gone) = self.map.insert(key, value) {
                        self.budget.credit(gone.footprint());
                    }
                }
                Undo::Removed(index, key, value) => {
                    self.budget.charge(entry_bytes(&key, &value));
                    self.map.shift_insert(index, key, value);
                }
            }
        }
    }

    /// Forgets how to undo what was changed.
    pub(crate) fn commit(&mut self) {
        drop(self.log.take());
    }

    /// Puts entries in place of all there are.
    pub(crate) fn refill(&mut self, entries: impl IntoIterator<Item = (K, V)>) {
        let bytes = |map: &IndexMap<K, V, FxBuildHasher>| -> u64 {
            map.iter().map(|(key, value)| entry_bytes(key, value)).sum()
        };
        self.budget.credit(bytes(&self.map));
        self.map = entries.into_iter().collect();
        self.budget.charge(bytes(&self.map));
    }
}

/// Of those that have everything in themselves, which [`entry_bytes`] counts.
macro_rules! nothing_more {
    ($($ty:ty),*) => {
        $(impl Footprint for $ty {
            fn footprint(&self) -> u64 {
                0
            }
        })*
    };
}

nothing_more!(u32, u64, ObjectHandle, ClassId, Component, Timeline, Timer);
