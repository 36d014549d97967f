//! Parts of the drawn graph that expansion reads as they are and seldom changes.

use std::ops::{Deref, DerefMut, Index, IndexMut};

use la_arena::RawIdx;

use crate::expanded::{ExPin, ExPinId};

/// A value lent by the drawn graph; a copy of its own from the first change on.
///
/// A graph has some eight pins a node, each with a type and a default of several texts. Copying them was
/// most of the memory that expansion took.
#[derive(Clone, Debug)]
pub enum Lent<'a, T> {
    /// As drawn.
    Of(&'a T),
    /// Made or changed by expansion.
    Own(Box<T>),
}

impl<T> Deref for Lent<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Self::Of(value) => value,
            Self::Own(value) => value,
        }
    }
}

impl<T: Clone> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        if let Self::Of(value) = self {
            *self = Self::Own(Box::new((*value).clone()));
        }
        match self {
            Self::Own(value) => value,
            Self::Of(_) => unreachable!("it was just made its own"),
        }
    }
}

impl<T> From<T> for Lent<'_, T> {
    fn from(value: T) -> Self {
        Self::Own(Box::new(value))
    }
}

/// Pins of a graph by their ids, which are the same numbers whatever graph is lent from.
#[derive(Debug, Default)]
pub struct Pins<'a>(Vec<ExPin<'a>>);

impl<'a> Pins<'a> {
    /// Adds a pin.
    pub fn alloc(&mut self, pin: ExPin<'a>) -> ExPinId {
        let id = u32::try_from(self.0.len()).expect("a graph has fewer pins than a u32 counts");
        self.0.push(pin);
        ExPinId::from_raw(RawIdx::from_u32(id))
    }

    /// How many pins were ever made.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no pin was made.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, n_pins: usize) {
        self.0.reserve(n_pins);
    }
}

impl<'a> Index<ExPinId> for Pins<'a> {
    type Output = ExPin<'a>;

    #[inline]
    fn index(&self, id: ExPinId) -> &ExPin<'a> {
        &self.0[id.into_raw().into_u32() as usize]
    }
}

impl<'a> IndexMut<ExPinId> for Pins<'a> {
    #[inline]
    fn index_mut(&mut self, id: ExPinId) -> &mut ExPin<'a> {
        &mut self.0[id.into_raw().into_u32() as usize]
    }
}
