//! A heap of values of one type, named by words that fit a slot.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::budget::{Budget, PLACE};
use super::journal::{Log, Stored};
use crate::ids::{join, split};

/// What a value counts in the memory budget.
pub(crate) trait Footprint {
    /// Bytes of its contents.
    fn footprint(&self) -> u64;
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Cell<T> {
    generation: u32,
    /// Slots that hold the cell's word; 0 when the cell is free.
    owners: u32,
    value: Option<T>,
}

/// Values by handle word. A word counts its owners; when the last lets go the value is handed back
/// and the word never answers again.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(bound(
    serialize = "T: serde::Serialize",
    deserialize = "T: serde::de::DeserializeOwned"
))]
pub(crate) struct Heap<T: Stored> {
    cells: Vec<Cell<T>>,
    free: Vec<u32>,
    /// Not saved: whoever reads a heap says which budget counts it, see [`Heap::charge_to`].
    #[serde(skip)]
    budget: Rc<Budget>,
    /// Not saved: no transaction runs then.
    #[serde(skip)]
    log: Log<Undo<T>>,
}

/// What undoes a change of a heap. Numbers are those of cells.
#[derive(Clone, Debug)]
enum Undo<T: Stored> {
    /// A value was put in; whether into a cell that was free before.
    Inserted(u32, bool),
    /// An owner came.
    Retained(u32),
    /// An owner went, and others stayed.
    Released(u32),
    /// The last owner went. The cell is not given to anything else before the transaction has committed.
    Freed(u32, T),
    Changed(u32, T::Change),
}

impl<T: Stored> Footprint for Undo<T> {
    fn footprint(&self) -> u64 {
        let more = match self {
            Self::Inserted(..) | Self::Retained(_) | Self::Released(_) => 0,
            Self::Freed(_, value) => value.footprint(),
            Self::Changed(_, change) => change.footprint(),
        };
        size_of::<Self>() as u64 + more
    }
}

impl<T: Stored + Clone> Heap<T> {
    pub(crate) fn new(budget: Rc<Budget>) -> Self {
        Self {
            cells: Vec::new(),
            free: Vec::new(),
            log: Log::new(Rc::clone(&budget)),
            budget,
        }
    }

    /// Values that are alive.
    pub(crate) fn len(&self) -> usize {
        self.cells.len() - self.free.len()
    }

    /// Bytes that all its values count.
    pub(crate) fn counted(&self) -> u64 {
        let values = self.cells.iter().filter_map(|cell| cell.value.as_ref());
        values.map(|value| PLACE + value.footprint()).sum()
    }

    /// Has another budget count its values from now on; what they count already is the caller's to charge.
    pub(crate) fn charge_to(&mut self, budget: &Rc<Budget>) {
        self.budget = Rc::clone(budget);
        self.log = Log::new(Rc::clone(budget));
    }

    /// Every value that is alive, to be changed without growing or shrinking. Not written down.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.cells.iter_mut().filter_map(|cell| cell.value.as_mut())
    }

    /// Every value that is alive.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.cells.iter().filter_map(|cell| cell.value.as_ref())
    }

    /// Puts a value in; the caller owns the word.
    pub(crate) fn insert(&mut self, value: T) -> u64 {
        self.budget.charge(PLACE + value.footprint());
        if let Some(index) = self.free.pop() {
            if self.log.is_open() {
                self.log.push(Undo::Inserted(index, true));
            }
            let cell = &mut self.cells[index as usize];
            cell.owners = 1;
            cell.value = Some(value);
            return join(index, cell.generation);
        }
        let index = self.cells.len() as u32;
        if self.log.is_open() {
            self.log.push(Undo::Inserted(index, false));
        }
        self.cells.push(Cell {
            generation: 0,
            owners: 1,
            value: Some(value),
        });
        join(index, 0)
    }

    pub(crate) fn get(&self, word: u64) -> Option<&T> {
        let (index, generation) = split(word)?;
        let cell = self.cells.get(index as usize)?;
        (cell.generation == generation)
            .then_some(cell.value.as_ref())
            .flatten()
    }

    /// The value, to be changed; what it counts then is looked up when the guard goes. `undo` says how the
    /// change that follows is undone; it is asked only if that may be needed.
    pub(crate) fn change(
        &mut self,
        word: u64,
        undo: impl FnOnce(&T) -> T::Change,
    ) -> Option<Changing<'_, T>> {
        let budget = Rc::clone(&self.budget);
        let value = self.change_same_size(word, undo)?;
        Some(Changing {
            before: value.footprint(),
            value,
            budget,
        })
    }

    /// The value, to be changed without growing or shrinking.
    pub(crate) fn change_same_size(
        &mut self,
        word: u64,
        undo: impl FnOnce(&T) -> T::Change,
    ) -> Option<&mut T> {
        let (index, generation) = split(word)?;
        let cell = self.cells.get_mut(index as usize)?;
        if cell.generation != generation {
            return None;
        }
        let value = cell.value.as_mut()?;
        if self.log.is_open() {
            self.log.push(Undo::Changed(index, undo(value)));
        }
        Some(value)
    }

    /// The value, to be changed without growing or shrinking by whoever runs only while no transaction does:
    /// nothing is written down.
    pub(crate) fn get_same_size(&mut self, word: u64) -> Option<&mut T> {
        debug_assert!(!self.log.is_open(), "nothing undoes it");
        let (index, generation) = split(word)?;
        let cell = self.cells.get_mut(index as usize)?;
        (cell.generation == generation)
            .then_some(cell.value.as_mut())
            .flatten()
    }

    /// One more owner. A word that does not answer stays without.
    pub(crate) fn retain(&mut self, word: u64) {
        let Some((index, generation)) = split(word) else {
            return;
        };
        if let Some(cell) = self.cells.get_mut(index as usize)
            && cell.generation == generation
        {
            cell.owners += 1;
            if self.log.is_open() {
                self.log.push(Undo::Retained(index));
            }
        }
    }

    /// One owner less; gives the value if it was the last.
    pub(crate) fn release(&mut self, word: u64) -> Option<T> {
        let (index, generation) = split(word)?;
        let cell = self.cells.get_mut(index as usize)?;
        if cell.generation != generation || cell.value.is_none() {
            return None;
        }
        cell.owners -= 1;
        if cell.owners > 0 {
            if self.log.is_open() {
                self.log.push(Undo::Released(index));
            }
            return None;
        }
        cell.generation = cell.generation.wrapping_add(1);
        let value = cell.value.take()?;
        self.budget.credit(PLACE + value.footprint());
        if self.log.is_open() {
            self.log.push(Undo::Freed(index, value.clone()));
        } else {
            self.free.push(index);
        }
        Some(value)
    }

    // ---- what was read from bytes

    /// How many cells there are.
    pub(crate) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Number of the cell of a word that answers.
    pub(crate) fn cell_of(&self, word: u64) -> Option<usize> {
        self.get(word)?;
        split(word).map(|(index, _)| index as usize)
    }

    /// Whether every value has as many owners as were found, at least one, and every other cell is free once.
    pub(crate) fn is_sound(&self, owners: &[u32]) -> bool {
        let mut is_free = vec![false; self.cells.len()];
        let listed = self.free.iter().all(|index| {
            let place = is_free.get_mut(*index as usize);
            place.is_some_and(|is_free| !std::mem::replace(is_free, true))
        });
        listed
            && self.cells.iter().zip(owners).zip(is_free).all(
                |((cell, owners), is_free)| match cell.value {
                    Some(_) => !is_free && *owners > 0 && cell.owners == *owners,
                    None => is_free && *owners == 0,
                },
            )
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
                Undo::Inserted(index, was_free) => self.undo_insert(index, was_free),
                Undo::Retained(index) => {
                    let owners = &mut self.cells[index as usize].owners;
                    *owners = owners.saturating_sub(1);
                }
                Undo::Released(index) => self.cells[index as usize].owners += 1,
                Undo::Freed(index, value) => {
                    self.budget.charge(PLACE + value.footprint());
                    let cell = &mut self.cells[index as usize];
                    cell.generation = cell.generation.wrapping_sub(1);
                    cell.owners = 1;
                    cell.value = Some(value);
                }
                Undo::Changed(index, change) => {
                    if let Some(value) = &mut self.cells[index as usize].value {
                        let before = value.footprint();
                        value.undo(change);
                        self.budget.recount(before, value.footprint());
                    }
                }
            }
        }
    }

    fn undo_insert(&mut self, index: u32, was_free: bool) {
        let cell = &mut self.cells[index as usize];
        cell.owners = cell.owners.saturating_sub(1);
        if cell.owners > 0 {
            // Something that stays took a share of it.
            return;
        }
        let Some(value) = cell.value.take() else {
            return;
        };
        self.budget.credit(PLACE + value.footprint());
        if was_free || index as usize + 1 < self.cells.len() {
            self.free.push(index);
        } else {
            self.cells.pop();
        }
    }

    /// Forgets how to undo what was changed: from now on others may have the cells that were freed.
    pub(crate) fn commit(&mut self) {
        for undo in self.log.take() {
            if let Undo::Freed(index, _) = undo {
                self.free.push(index);
            }
        }
    }
}

/// A value of a heap that may change its size.
#[derive(Debug)]
pub(crate) struct Changing<'a, T: Footprint> {
    value: &'a mut T,
    before: u64,
    budget: Rc<Budget>,
}

impl<T: Footprint> Deref for Changing<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: Footprint> DerefMut for Changing<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T: Footprint> Drop for Changing<'_, T> {
    fn drop(&mut self) {
        self.budget.recount(self.before, self.value.footprint());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_word_answers_until_its_last_owner_lets_go() {
        let mut heap = Heap::new(Rc::new(Budget::new(1000)));
        let a = heap.insert(Arc::<str>::from("a"));
        heap.retain(a);
        assert_eq!(heap.release(a), None);
        assert_eq!(heap.get(a), Some(&Arc::from("a")));
        assert_eq!(heap.release(a), Some(Arc::from("a")));
        assert_eq!(heap.get(a), None);
        assert_eq!(heap.release(a), None);
        assert_eq!(heap.len(), 0);
        let b = heap.insert(Arc::from("b"));
        assert_ne!(a, b);
        assert_eq!(heap.get(a), None);
        assert_eq!(heap.get(0), None);
    }

    #[test]
    fn a_value_counts_what_it_is_long_as_long_as_it_is_there() {
        let budget = Rc::new(Budget::new(1000));
        let mut heap = Heap::new(Rc::clone(&budget));
        let word = heap.insert(Arc::<str>::from("four"));
        assert_eq!(budget.used(), PLACE + 4);
        let undo = |_: &Arc<str>| unreachable!("nothing is written down");
        *heap.change(word, undo).expect("it is there") = Arc::from("longer");
        assert_eq!(budget.used(), PLACE + 6);
        heap.retain(word);
        heap.release(word);
        assert_eq!(budget.used(), PLACE + 6);
        heap.release(word);
        assert_eq!((budget.used(), budget.peak()), (0, PLACE + 6));
    }
}
