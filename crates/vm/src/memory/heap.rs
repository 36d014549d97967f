//! A heap of values of one type, named by words that fit a slot.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::budget::{Budget, PLACE};
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
pub(crate) struct Heap<T> {
    cells: Vec<Cell<T>>,
    free: Vec<u32>,
    /// Not saved: whoever reads a heap says which budget counts it, see [`Heap::charge_to`].
    #[serde(skip)]
    budget: Rc<Budget>,
}

impl<T: Footprint> Heap<T> {
    pub(crate) fn new(budget: Rc<Budget>) -> Self {
        Self {
            cells: Vec::new(),
            free: Vec::new(),
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
    }

    /// Every value that is alive, to be changed without growing or shrinking.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.cells.iter_mut().filter_map(|cell| cell.value.as_mut())
    }

    /// Puts a value in; the caller owns the word.
    pub(crate) fn insert(&mut self, value: T) -> u64 {
        self.budget.charge(PLACE + value.footprint());
        if let Some(index) = self.free.pop() {
            let cell = &mut self.cells[index as usize];
            cell.owners = 1;
            cell.value = Some(value);
            return join(index, cell.generation);
        }
        let index = self.cells.len() as u32;
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

    /// The value, to be changed; what it counts then is looked up when the guard goes.
    pub(crate) fn get_mut(&mut self, word: u64) -> Option<Changing<'_, T>> {
        let budget = Rc::clone(&self.budget);
        let value = self.get_same_size(word)?;
        Some(Changing {
            before: value.footprint(),
            value,
            budget,
        })
    }

    /// The value, to be changed without growing or shrinking.
    pub(crate) fn get_same_size(&mut self, word: u64) -> Option<&mut T> {
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
            return None;
        }
        cell.generation = cell.generation.wrapping_add(1);
        self.free.push(index);
        let value = cell.value.take()?;
        self.budget.credit(PLACE + value.footprint());
        Some(value)
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
        *heap.get_mut(word).expect("it is there") = Arc::from("longer");
        assert_eq!(budget.used(), PLACE + 6);
        heap.retain(word);
        heap.release(word);
        assert_eq!(budget.used(), PLACE + 6);
        heap.release(word);
        assert_eq!((budget.used(), budget.peak()), (0, PLACE + 6));
    }
}
