//! `BlueprintSetLibrary`: sets of any element type, worked on in the caller's place.

use super::values::{Any, ArrayArg, TableArg};
use super::{Native, NativeCall};
use crate::ids::TypeId;
use crate::memory::{ArrayCell, Words};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!(
        "BlueprintSetLibrary.Set_Add",
        |call, set: TableArg, item: Any| {
            if let Some(words) = call.item_words(set, item) {
                call.set_insert(set, &words);
            }
            Ok(())
        }
    ),
    native!(
        "BlueprintSetLibrary.Set_AddItems",
        |call, set: TableArg, items: ArrayArg| {
            for words in call.array_copies(items) {
                call.set_insert(set, &words);
            }
            Ok(())
        }
    ),
    native!("BlueprintSetLibrary.Set_Remove", |call,
                                               set: TableArg,
                                               item: Any|
     -> bool {
        Ok(call.table_remove(set, item))
    }),
    native!(
        "BlueprintSetLibrary.Set_RemoveItems",
        |call, set: TableArg, items: ArrayArg| {
            for words in call.array_copies(items) {
                let (word, key) = call.table_parts(set);
                call.vm.memory.table_remove(word, &words);
                call.vm.memory.disown(key, &words);
            }
            Ok(())
        }
    ),
    native!("BlueprintSetLibrary.Set_Contains", |call,
                                                 set: TableArg,
                                                 item: Any|
     -> bool {
        Ok(call.table_find(set, item).is_some())
    }),
    native!("BlueprintSetLibrary.Set_Length", |call,
                                               set: TableArg|
     -> i32 {
        Ok(call.table_len(set) as i32)
    }),
    native!("BlueprintSetLibrary.Set_IsEmpty", |call,
                                                set: TableArg|
     -> bool {
        Ok(call.table_len(set) == 0)
    }),
    native!("BlueprintSetLibrary.Set_IsNotEmpty", |call,
                                                   set: TableArg|
     -> bool {
        Ok(call.table_len(set) != 0)
    }),
    native!("BlueprintSetLibrary.Set_GetLastIndex", |call,
                                                     set: TableArg|
     -> i32 {
        Ok(call.table_len(set) as i32 - 1)
    }),
    native!(
        "BlueprintSetLibrary.Set_GetItemByIndex",
        |call, set: TableArg, index: i32, item: Any| {
            let key = call.table_entry(set, index);
            call.put_entry(set, key, item, Any { target: None });
            Ok(())
        }
    ),
    native!("BlueprintSetLibrary.Set_Clear", |call, set: TableArg| {
        call.table_clear(set);
        Ok(())
    }),
    native!(
        "BlueprintSetLibrary.Set_ToArray",
        |call, set: TableArg, out: ArrayArg| {
            let keys = call.key_copies(set);
            call.array_of_copies(out, keys);
            Ok(())
        }
    ),
    native!(
        "BlueprintSetLibrary.Set_Union",
        |call, a: TableArg, b: TableArg, out: TableArg| {
            let keys: Vec<_> = call
                .key_copies(a)
                .into_iter()
                .chain(call.key_copies(b))
                .collect();
            call.set_of(out, keys);
            Ok(())
        }
    ),
    native!(
        "BlueprintSetLibrary.Set_Intersection",
        |call, a: TableArg, b: TableArg, out: TableArg| {
            let keys = call.keys_where(a, b, true);
            call.set_of(out, keys);
            Ok(())
        }
    ),
    native!(
        "BlueprintSetLibrary.Set_Difference",
        |call, a: TableArg, b: TableArg, out: TableArg| {
            let keys = call.keys_where(a, b, false);
            call.set_of(out, keys);
            Ok(())
        }
    ),
];

/// Sets and maps as native functions see them.
impl NativeCall<'_> {
    /// The heap word and the key type.
    pub(super) fn table_parts(&self, table: TableArg) -> (u64, TypeId) {
        let Some(target) = table.target else {
            return (0, TypeId::NOTHING);
        };
        let word = self.vm.memory.word(target.place);
        match self.vm.memory.types.table_parts(target.ty) {
            Some((key, _)) => (word, key),
            None => (0, TypeId::NOTHING),
        }
    }

    pub(super) fn table_value_type(&self, table: TableArg) -> Option<TypeId> {
        self.vm.memory.types.table_parts(table.target?.ty)?.1
    }

    pub(super) fn table_len(&self, table: TableArg) -> usize {
        self.vm.memory.table_len(self.table_parts(table).0)
    }

    pub(super) fn table_clear(&mut self, table: TableArg) {
        if let Some(target) = table.target {
            self.vm.memory.clear(target.place, target.ty);
        }
    }

    /// A copy of an item that fits the table's keys.
    pub(super) fn item_words(&mut self, table: TableArg, item: Any) -> Option<Words> {
        let (_, key) = self.table_parts(table);
        let item = item.target?;
        let fits = self.vm.memory.types.words(item.ty) == self.vm.memory.types.words(key);
        fits.then(|| self.vm.memory.copied(item.place, key))
    }

    /// The entry whose key equals the item.
    pub(super) fn table_find(&self, table: TableArg, item: Any) -> Option<u32> {
        let (word, key) = self.table_parts(table);
        let item = item.target?;
        let words = self.vm.memory.types.words(key);
        if self.vm.memory.types.words(item.ty) != words {
            return None;
        }
        let found = self.vm.memory.tables.get(word)?;
        self.vm
            .memory
            .find_in(found, self.vm.memory.read(item.place, words))
    }

    pub(super) fn table_remove(&mut self, table: TableArg, item: Any) -> bool {
        let (word, key) = self.table_parts(table);
        let Some(words) = self.item_words(table, item) else {
            return false;
        };
        let removed = self.vm.memory.table_remove(word, &words);
        self.vm.memory.disown(key, &words);
        removed
    }

    /// The entry at a place in walking order.
    pub(super) fn table_entry(&self, table: TableArg, index: i32) -> Option<u32> {
        let found = self.vm.memory.tables.get(self.table_parts(table).0)?;
        found.entries().nth(usize::try_from(index).ok()?)
    }

    /// Copies key and value of an entry to places; without an entry they become zero.
    pub(super) fn put_entry(&mut self, table: TableArg, entry: Option<u32>, key: Any, value: Any) {
        let (word, key_ty) = self.table_parts(table);
        let value_ty = self.table_value_type(table);
        let found = entry.and_then(|entry| {
            let table = self.vm.memory.tables.get(word)?;
            let key = Words::from_slice(table.key_at(entry));
            Some((key, Words::from_slice(table.value_at(entry))))
        });
        let parts = [(key, Some(key_ty)), (value, value_ty)];
        for (at, (to, ty)) in parts.into_iter().enumerate() {
            let (Some(target), Some(ty)) = (to.target, ty) else {
                continue;
            };
            match &found {
                Some((key, value)) => {
                    let mut words = if at == 0 { key.clone() } else { value.clone() };
                    self.vm.memory.own(ty, &mut words);
                    self.vm.memory.store(target.place, ty, &words);
                }
                None => self.vm.memory.clear(target.place, target.ty),
            }
        }
    }

    /// Whether copies of so many values fit the memory. If not, the run ends when the function is back.
    pub(super) fn copies_fit(&self, count: usize) -> bool {
        let bytes = count * size_of::<Words>();
        self.vm.memory.budget.ask(bytes as u64)
    }

    /// Copies of all keys, in walking order.
    pub(super) fn key_copies(&mut self, table: TableArg) -> Vec<Words> {
        let (word, key) = self.table_parts(table);
        if !self.copies_fit(self.table_len(table)) {
            return Vec::new();
        }
        let mut keys: Vec<Words> = match self.vm.memory.tables.get(word) {
            Some(table) => table
                .blocks()
                .map(|(key, _)| Words::from_slice(key))
                .collect(),
            None => Vec::new(),
        };
        for words in &mut keys {
            self.vm.memory.own(key, words);
        }
        keys
    }

    /// Copies of the keys of `a` that `b` has, or has not.
    fn keys_where(&mut self, a: TableArg, b: TableArg, present: bool) -> Vec<Words> {
        let (other, key) = self.table_parts(b);
        let (kept, gone): (Vec<_>, Vec<_>) = self.key_copies(a).into_iter().partition(|words| {
            let found = self.vm.memory.tables.get(other);
            found.is_some_and(|table| self.vm.memory.find_in(table, words).is_some()) == present
        });
        for words in gone {
            self.vm.memory.disown(key, &words);
        }
        kept
    }

    /// Copies of the elements of an array.
    pub(super) fn array_copies(&mut self, array: ArrayArg) -> Vec<Words> {
        let Some((word, element)) = self.array_parts(array) else {
            return Vec::new();
        };
        if !self.copies_fit(self.array_len(array)) {
            return Vec::new();
        }
        (0..self.array_len(array))
            .map(|at| {
                let place = self.element_place(word, element, at);
                self.vm.memory.copied(place, element)
            })
            .collect()
    }

    /// Fills an array with values it takes over.
    pub(super) fn array_of_copies(&mut self, array: ArrayArg, values: Vec<Words>) {
        let (Some(target), Some((_, element))) = (array.target, self.array_parts(array)) else {
            return;
        };
        self.vm.memory.clear(target.place, target.ty);
        if values.is_empty() {
            return;
        }
        let word = self.vm.memory.array_at(target.place, element);
        let data: Vec<u64> = values.into_iter().flatten().collect();
        let undo = |array: &ArrayCell| array.splicing(0, array.data.len(), data.len());
        if let Some(mut array) = self.vm.memory.arrays.change(word, undo) {
            array.data = data;
            return;
        }
        let stride = self.vm.memory.types.words(element) as usize;
        for words in data.chunks_exact(stride) {
            self.vm.memory.disown(element, words);
        }
    }

    fn set_insert(&mut self, set: TableArg, words: &[u64]) {
        let Some(target) = set.target else {
            return;
        };
        let word = self.vm.memory.table_at(target.place, target.ty);
        if self.vm.memory.tables.get(word).is_some() {
            self.vm.memory.table_add(word, words, &[]);
        } else {
            let (_, key) = self.table_parts(set);
            self.vm.memory.disown(key, words);
        }
    }

    fn set_of(&mut self, set: TableArg, keys: Vec<Words>) {
        self.table_clear(set);
        for words in keys {
            self.set_insert(set, &words);
        }
    }
}
