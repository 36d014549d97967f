//! A heap of values of one type, named by words that fit a slot.

use crate::ids::{join, split};

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
}

impl<T> Heap<T> {
    pub(crate) fn new() -> Self {
        Self {
            cells: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Values that are alive.
    pub(crate) fn len(&self) -> usize {
        self.cells.len() - self.free.len()
    }

    /// Every value that is alive.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.cells.iter_mut().filter_map(|cell| cell.value.as_mut())
    }

    /// Puts a value in; the caller owns the word.
    pub(crate) fn insert(&mut self, value: T) -> u64 {
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

    pub(crate) fn get_mut(&mut self, word: u64) -> Option<&mut T> {
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
        cell.value.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_answers_until_its_last_owner_lets_go() {
        let mut heap = Heap::new();
        let a = heap.insert("a");
        heap.retain(a);
        assert_eq!(heap.release(a), None);
        assert_eq!(heap.get(a), Some(&"a"));
        assert_eq!(heap.release(a), Some("a"));
        assert_eq!(heap.get(a), None);
        assert_eq!(heap.release(a), None);
        assert_eq!(heap.len(), 0);
        let b = heap.insert("b");
        assert_ne!(a, b);
        assert_eq!(heap.get(a), None);
        assert_eq!(heap.get(0), None);
    }
}
