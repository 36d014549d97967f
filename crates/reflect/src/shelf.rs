use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::declarations::{Embedded, Section, Stock};
use crate::{EngineVersion, Name, ObjectPath};

/// Declared things of one kind by path: embedded ones, and added ones that go before them.
#[derive(Clone, Debug)]
pub(crate) struct Shelf<T> {
    stock: Option<Arc<Stock<T>>>,
    added: IndexMap<ObjectPath, Arc<T>, FxBuildHasher>,
    /// Positions in `added` by short name, ascending.
    names: FxHashMap<Name, Vec<usize>>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            stock: None,
            added: IndexMap::default(),
            names: FxHashMap::default(),
        }
    }
}

impl<T: Embedded + Clone> Shelf<T> {
    pub(crate) fn embedded(section: &'static Section<'static>, engine: EngineVersion) -> Self {
        Self {
            stock: Some(Stock::new(section, engine)),
            ..Self::default()
        }
    }

    pub(crate) fn insert(&mut self, path: ObjectPath, item: T) {
        let name = Name::new(path.name());
        let (position, replaced) = self.added.insert_full(path, Arc::new(item));
        if replaced.is_none() {
            self.names.entry(name).or_default().push(position);
        }
    }

    pub(crate) fn get(&self, path: &ObjectPath) -> Option<&T> {
        if let Some(item) = self.added.get(path) {
            return Some(item);
        }
        let stock = self.stock.as_ref()?;
        Some(stock.get(stock.section().at(path)?))
    }

    /// The thing at `path`, to be changed; an embedded one becomes an added one by it.
    pub(crate) fn get_mut(&mut self, path: &ObjectPath) -> Option<&mut T> {
        if !self.added.contains_key(path) {
            let copy = self.get(path)?.clone();
            self.insert(path.clone(), copy);
        }
        self.added.get_mut(path).map(Arc::make_mut)
    }

    /// The embedded thing at a position of its section, unless an added one replaces it.
    pub(crate) fn embedded_at(&self, position: u32) -> Option<&T> {
        let stock = self.stock.as_ref()?;
        if !self.added.is_empty() {
            let path = ObjectPath::new(stock.section().paths[position as usize]);
            if self.added.contains_key(&path) {
                return None;
            }
        }
        Some(stock.get(position))
    }

    /// Added things, in order of addition.
    pub(crate) fn added(&self) -> impl Iterator<Item = &T> {
        self.added.values().map(|item| &**item)
    }

    /// Everything: embedded things that are not replaced, then added ones.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        let embedded = self.stock.as_ref().map_or(0, |s| s.section().paths.len());
        (0..embedded as u32)
            .filter_map(|position| self.embedded_at(position))
            .chain(self.added())
    }

    /// Everything with that short name, in the order of [`Shelf::values`].
    pub(crate) fn named(&self, name: &str) -> Vec<&T> {
        let embedded = self
            .stock
            .as_ref()
            .map_or(&[][..], |s| s.section().named(name));
        let added = self.names.get(&Name::new(name)).map_or(&[][..], |a| a);
        embedded
            .iter()
            .filter_map(|&position| self.embedded_at(position))
            .chain(added.iter().map(|&position| &*self.added[position]))
            .collect()
    }
}
