//! All memory of a world: the frame stack, objects, and the heaps that slots refer to.
//!
//! Words mean nothing by themselves; every operation that has to know what a word owns takes the
//! [`TypeId`] of the value. Strings and texts never change, so copies share them and count owners.
//! Containers and multicast delegates have exactly one owning slot; copying a value copies them.

mod budget;
mod containers;
mod heap;
mod journal;
mod place;
mod stack;

use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use bp_reflect::TextValue;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

pub(crate) use budget::{Budget, PLACE, frame_statements};
pub(crate) use containers::{ArrayCell, Bindings, TableCell};
pub(crate) use heap::{Footprint, Heap};
pub(crate) use journal::Stored;
use journal::Unchanging;
pub(crate) use journal::{Kept, Log, OldWords, Savepoint, spilled};
pub(crate) use place::{Base, Place, TypedPlace};
pub(crate) use stack::Stack;

use crate::ids::{FunctionId, NameId, ObjectHandle, TypeId};
use crate::objects::{Object, Objects};
use crate::types::{Kind, Owned, TypeTable};

/// The words of one value, for moving them about.
pub(crate) type Words = SmallVec<[u64; 12]>;

/// Something on the frame stack that owns something in a heap.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StackBlock {
    /// A value that was pushed.
    Value(u32, TypeId),
    /// The parameters and locals of a function.
    Frame(u32, FunctionId),
}

/// A height of the frame stack to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) words: usize,
    pub(crate) blocks: usize,
}

/// Values alive in each heap, see [`World::heap_usage`](crate::World::heap_usage).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapUsage {
    /// Strings.
    pub strings: usize,
    /// Texts.
    pub texts: usize,
    /// Arrays.
    pub arrays: usize,
    /// Sets and maps.
    pub tables: usize,
    /// Multicast delegates with something bound.
    pub multicasts: usize,
    /// Words on the frame stack.
    pub stack: usize,
}

/// All memory but the stack, see [`Memory::image`].
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) objects: Objects,
    pub(crate) strings: Heap<Arc<str>>,
    pub(crate) texts: Heap<TextValue>,
    pub(crate) arrays: Heap<ArrayCell>,
    pub(crate) tables: Heap<TableCell>,
    pub(crate) multicasts: Heap<Bindings>,
}

impl Snapshot {
    /// Has a budget count everything in it from now on; what it counts already is the caller's to charge.
    fn charge_to(&mut self, budget: &Rc<Budget>) {
        self.objects.charge_to(budget);
        self.strings.charge_to(budget);
        self.texts.charge_to(budget);
        self.arrays.charge_to(budget);
        self.tables.charge_to(budget);
        self.multicasts.charge_to(budget);
    }
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) stack: Stack,
    pub(crate) blocks: Vec<StackBlock>,
    pub(crate) objects: Objects,
    pub(crate) types: TypeTable,
    pub(crate) strings: Heap<Arc<str>>,
    pub(crate) texts: Heap<TextValue>,
    pub(crate) arrays: Heap<ArrayCell>,
    pub(crate) tables: Heap<TableCell>,
    pub(crate) multicasts: Heap<Bindings>,
    pub(crate) budget: Rc<Budget>,
    /// Words of the stack below which writing is written down: 0 while no transaction runs.
    floor: usize,
    stack_log: Log<OldWords>,
}

impl Memory {
    pub(crate) fn new(types: TypeTable, budget: &Rc<Budget>) -> Self {
        Self {
            stack: Stack::with_capacity(1024),
            blocks: Vec::new(),
            objects: Objects::new(Rc::clone(budget)),
            types,
            strings: Heap::new(Rc::clone(budget)),
            texts: Heap::new(Rc::clone(budget)),
            arrays: Heap::new(Rc::clone(budget)),
            tables: Heap::new(Rc::clone(budget)),
            multicasts: Heap::new(Rc::clone(budget)),
            budget: Rc::clone(budget),
            floor: 0,
            stack_log: Log::new(Rc::clone(budget)),
        }
    }

    pub(crate) fn usage(&self) -> HeapUsage {
        HeapUsage {
            strings: self.strings.len(),
            texts: self.texts.len(),
            arrays: self.arrays.len(),
            tables: self.tables.len(),
            multicasts: self.multicasts.len(),
            stack: self.stack.len(),
        }
    }

    /// Everything but the stack, which is empty between calls, when worlds are saved. No script saves: it
    /// is not counted.
    pub(crate) fn image(&self) -> Snapshot {
        Snapshot {
            objects: self.objects.clone(),
            strings: self.strings.clone(),
            texts: self.texts.clone(),
            arrays: self.arrays.clone(),
            tables: self.tables.clone(),
            multicasts: self.multicasts.clone(),
        }
    }

    /// Bytes that all values and objects count.
    fn counted(&self) -> u64 {
        self.objects.counted()
            + self.strings.counted()
            + self.texts.counted()
            + self.arrays.counted()
            + self.tables.counted()
            + self.multicasts.counted()
    }

    /// Takes over what was read from bytes; false if it does not fit the budget.
    pub(crate) fn take_over(&mut self, mut snapshot: Snapshot) -> bool {
        let budget = Rc::clone(&self.budget);
        snapshot.charge_to(&budget);
        budget.credit(self.counted());
        self.stack.truncate(0);
        self.blocks.clear();
        self.objects = snapshot.objects;
        self.strings = snapshot.strings;
        self.texts = snapshot.texts;
        self.arrays = snapshot.arrays;
        self.tables = snapshot.tables;
        self.multicasts = snapshot.multicasts;
        let counted = self.counted();
        if !budget.ask(counted) {
            budget.excuse();
            return false;
        }
        budget.charge(counted);
        true
    }

    // ---- the frame stack

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            words: self.stack.len(),
            blocks: self.blocks.len(),
        }
    }

    /// Whether the stack may grow by that many words. Asked in earnest only when its buffer grows: what
    /// fits the buffer is allocated already.
    fn ask_stack(&self, words: usize) {
        let len = self.stack.len() + words;
        if len > self.stack.capacity() {
            self.budget.ask_room(len as u64 * 8);
        }
    }

    /// Zeroed words on top of the stack; gives where they start.
    pub(crate) fn push_zeroed(&mut self, words: u32) -> usize {
        self.ask_stack(words as usize);
        self.stack.push_zeroed(words as usize)
    }

    /// A value on top of the stack, which takes over what the words own.
    pub(crate) fn push_value(&mut self, ty: TypeId, words: &[u64]) -> Place {
        self.ask_stack(words.len());
        let base = self.stack.push(words);
        if !self.types.is_plain(ty) {
            self.blocks.push(StackBlock::Value(base as u32, ty));
        }
        Place::stack(base)
    }

    /// A zero value on top of the stack.
    pub(crate) fn push_default(&mut self, ty: TypeId) -> Place {
        let base = self.push_zeroed(self.types.words(ty));
        if !self.types.is_plain(ty) {
            self.blocks.push(StackBlock::Value(base as u32, ty));
        }
        Place::stack(base)
    }

    // ---- words

    pub(crate) fn read(&self, place: Place, words: u32) -> &[u64] {
        let (start, words) = (place.offset as usize, words as usize);
        let block: &[u64] = match place.base {
            Base::Stack => &self.stack,
            Base::Object(object) => self.objects.get(object).map_or(&[], |o| &o.words),
            Base::Persistent(object) => self.objects.get(object).map_or(&[], |o| &o.frames),
            Base::Array(array) => self.arrays.get(array).map_or(&[], |a| &a.data),
        };
        block
            .get(start..start + words)
            .unwrap_or_else(|| self.types.zeros(words))
    }

    pub(crate) fn word(&self, place: Place) -> u64 {
        self.read(place, 1)[0]
    }

    /// Overwrites words without looking at what they owned. False if the place is gone.
    pub(crate) fn put(&mut self, place: Place, words: &[u64]) -> bool {
        let start = place.offset as usize;
        let end = start + words.len();
        match place.base {
            Base::Stack => {
                let Some(target) = self.stack.get_mut(start..end) else {
                    return false;
                };
                if start < self.floor && self.stack_log.is_open() {
                    self.stack_log.push(OldWords {
                        start: place.offset,
                        words: Kept::from_slice(target),
                    });
                }
                target.copy_from_slice(words);
                true
            }
            Base::Object(object) => self.objects.write(object, start, words),
            Base::Persistent(object) => self.objects.write_frame(object, start, words),
            Base::Array(array) => {
                // Looked at first: a change that is not made must not be written down.
                if self.arrays.get(array).is_none_or(|a| a.data.len() < end) {
                    return false;
                }
                let undo = |a: &ArrayCell| a.splicing(start, words.len(), words.len());
                let array = self.arrays.change_same_size(array, undo);
                let array = array.expect("was found above");
                array.data[start..end].copy_from_slice(words);
                true
            }
        }
    }

    // ---- values

    /// A copy of the value's words that owns what it refers to.
    pub(crate) fn copied(&mut self, place: Place, ty: TypeId) -> Words {
        let words = self.types.words(ty);
        let source = self.read(place, words);
        let mut copy = Words::from_slice(source);
        copy.resize(words as usize, 0);
        if !self.types.is_plain(ty) {
            self.own(ty, &mut copy);
        }
        copy
    }

    /// Makes words that were copied from a value owners of their own.
    pub(crate) fn own(&mut self, ty: TypeId, words: &mut [u64]) {
        for at in 0..self.types.info(ty).owned.len() {
            let (offset, owned) = self.types.info(ty).owned[at];
            self.own_word(owned, &mut words[offset as usize]);
        }
    }

    pub(crate) fn own_word(&mut self, owned: Owned, word: &mut u64) {
        if *word == 0 {
            return;
        }
        match owned {
            Owned::Str => self.strings.retain(*word),
            Owned::Text => self.texts.retain(*word),
            Owned::Array => *word = self.clone_array(*word),
            Owned::Table => *word = self.clone_table(*word),
            Owned::Multicast => {
                if let Some(bindings) = self.multicasts.get(*word) {
                    let bindings = bindings.clone();
                    *word = self.multicasts.insert(bindings);
                }
            }
        }
    }

    fn clone_array(&mut self, word: u64) -> u64 {
        let Some(array) = self.arrays.get(word) else {
            return 0;
        };
        if !self.budget.ask(PLACE + array.footprint()) {
            return 0;
        }
        let mut copy = array.clone();
        if !self.types.is_plain(copy.element) {
            for element in copy.data.chunks_exact_mut(copy.stride as usize) {
                self.own(copy.element, element);
            }
        }
        self.arrays.insert(copy)
    }

    fn clone_table(&mut self, word: u64) -> u64 {
        let Some(table) = self.tables.get(word) else {
            return 0;
        };
        if !self.budget.ask(PLACE + table.footprint()) {
            return 0;
        }
        let table = table.clone();
        let value = table.value.map(|ty| (ty, table.value_words));
        let mut copy = TableCell::new(table.key, table.key_words, value);
        for (key, value) in table.blocks() {
            let mut key = Words::from_slice(key);
            let mut value = Words::from_slice(value);
            self.own(table.key, &mut key);
            if let Some(ty) = table.value {
                self.own(ty, &mut value);
            }
            let hash = self.hash(table.key, &key);
            copy.insert(hash, &key, &value);
        }
        self.tables.insert(copy)
    }

    /// Gives up what the words own.
    pub(crate) fn disown(&mut self, ty: TypeId, words: &[u64]) {
        for at in 0..self.types.info(ty).owned.len() {
            let (offset, owned) = self.types.info(ty).owned[at];
            if let Some(word) = words.get(offset as usize) {
                self.disown_word(owned, *word);
            }
        }
    }

    pub(crate) fn disown_word(&mut self, owned: Owned, word: u64) {
        if word == 0 {
            return;
        }
        match owned {
            Owned::Str => drop(self.strings.release(word)),
            Owned::Text => drop(self.texts.release(word)),
            Owned::Multicast => drop(self.multicasts.release(word)),
            Owned::Array => {
                if let Some(array) = self.arrays.release(word)
                    && !self.types.is_plain(array.element)
                {
                    for element in array.data.chunks_exact(array.stride as usize) {
                        self.disown(array.element, element);
                    }
                }
            }
            Owned::Table => {
                if let Some(table) = self.tables.release(word) {
                    for (key, value) in table.blocks() {
                        self.disown(table.key, key);
                        if let Some(ty) = table.value {
                            self.disown(ty, value);
                        }
                    }
                }
            }
        }
    }

    /// Assigns: the place takes over what `words` own, and gives up what it owned.
    pub(crate) fn store(&mut self, place: Place, ty: TypeId, words: &[u64]) {
        if self.types.is_plain(ty) {
            self.put(place, words);
            return;
        }
        let old = Words::from_slice(self.read(place, words.len() as u32));
        if self.put(place, words) {
            self.disown(ty, &old);
        } else {
            self.disown(ty, words);
        }
    }

    /// Assigns a copy of one value to a place of the same type.
    pub(crate) fn copy(&mut self, to: Place, from: Place, ty: TypeId) {
        if to != from {
            let words = self.copied(from, ty);
            self.store(to, ty, &words);
        }
    }

    /// Makes the value the zero of its type.
    pub(crate) fn clear(&mut self, place: Place, ty: TypeId) {
        let zeros = Words::from_elem(0, self.types.words(ty) as usize);
        self.store(place, ty, &zeros);
    }

    /// Takes the value out, leaving the zero of its type.
    pub(crate) fn take(&mut self, place: Place, ty: TypeId) -> Words {
        let count = self.types.words(ty);
        let mut words = Words::from_slice(self.read(place, count));
        words.resize(count as usize, 0);
        let zeros = Words::from_elem(0, count as usize);
        self.put(place, &zeros);
        words
    }

    /// Whether two values of the type are equal: numbers by value, strings without case, containers
    /// by content. Source for strings: the engine compares them so wherever it compares values of
    /// any type (assumed).
    #[expect(clippy::float_cmp, reason = "equality of values is exact")]
    pub(crate) fn equal(&self, ty: TypeId, a: &[u64], b: &[u64]) -> bool {
        match self.types.kind(ty) {
            Kind::Float | Kind::Double => f64::from_bits(a[0]) == f64::from_bits(b[0]),
            Kind::Str | Kind::Path => eq_fold(self.string(a[0]), self.string(b[0])),
            Kind::Text => self.text_string(a[0]) == self.text_string(b[0]),
            Kind::Struct(id) => {
                self.types.structure(*id).fields.iter().all(|field| {
                    let (start, end) = (
                        field.offset as usize,
                        (field.offset + self.types.words(field.ty)) as usize,
                    );
                    self.equal(field.ty, &a[start..end], &b[start..end])
                }) && (!self.types.structure(*id).fields.is_empty() || a == b)
            }
            Kind::Repeated(element, _) => {
                let stride = self.types.words(*element) as usize;
                a.chunks_exact(stride)
                    .zip(b.chunks_exact(stride))
                    .all(|(a, b)| self.equal(*element, a, b))
            }
            Kind::Array(element) => {
                let (a, b) = (self.elements(a[0]), self.elements(b[0]));
                let stride = self.types.words(*element) as usize;
                a.len() == b.len()
                    && a.chunks_exact(stride)
                        .zip(b.chunks_exact(stride))
                        .all(|(a, b)| self.equal(*element, a, b))
            }
            Kind::Set(_) | Kind::Map(..) => self.tables_equal(a[0], b[0]),
            Kind::Multicast => self.multicasts.get(a[0]) == self.multicasts.get(b[0]),
            Kind::Object | Kind::Class => self.live(a[0]) == self.live(b[0]),
            Kind::Nothing
            | Kind::Bool
            | Kind::Byte(_)
            | Kind::Int(_)
            | Kind::UInt(_)
            | Kind::Name
            | Kind::Delegate
            | Kind::Wildcard => a == b,
        }
    }

    fn tables_equal(&self, a: u64, b: u64) -> bool {
        let (Some(a), Some(b)) = (self.tables.get(a), self.tables.get(b)) else {
            return self.table_len(a) == self.table_len(b);
        };
        a.len() == b.len()
            && a.entries().all(|entry| {
                self.find_in(b, a.key_at(entry)).is_some_and(|other| {
                    a.value
                        .is_none_or(|ty| self.equal(ty, a.value_at(entry), b.value_at(other)))
                })
            })
    }

    pub(crate) fn table_len(&self, word: u64) -> usize {
        self.tables.get(word).map_or(0, TableCell::len)
    }

    /// The entry of a key; none if the key is of another size, as where a function that nothing declares
    /// gave a table of another type than the script takes it for.
    pub(crate) fn find_in(&self, table: &TableCell, key: &[u64]) -> Option<u32> {
        if key.len() != table.key_words as usize {
            return None;
        }
        table
            .candidates(self.hash(table.key, key))
            .iter()
            .copied()
            .find(|entry| self.equal(table.key, table.key_at(*entry), key))
    }

    /// A hash that equal values share.
    pub(crate) fn hash(&self, ty: TypeId, words: &[u64]) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash_into(ty, words, &mut hasher);
        hasher.finish()
    }

    fn hash_into(&self, ty: TypeId, words: &[u64], hasher: &mut FxHasher) {
        match self.types.kind(ty) {
            Kind::Float | Kind::Double => {
                // Both zeros are equal.
                (f64::from_bits(words[0]) + 0.0).to_bits().hash(hasher);
            }
            Kind::Str | Kind::Path => hash_fold(self.string(words[0]), hasher),
            Kind::Text => self.text_string(words[0]).hash(hasher),
            Kind::Struct(id) => {
                for field in &self.types.structure(*id).fields {
                    let start = field.offset as usize;
                    let end = start + self.types.words(field.ty) as usize;
                    self.hash_into(field.ty, &words[start..end], hasher);
                }
            }
            Kind::Repeated(element, _) => {
                for element_words in words.chunks_exact(self.types.words(*element) as usize) {
                    self.hash_into(*element, element_words, hasher);
                }
            }
            Kind::Array(_) => self.elements(words[0]).len().hash(hasher),
            Kind::Set(_) | Kind::Map(..) => self.table_len(words[0]).hash(hasher),
            Kind::Multicast => self
                .multicasts
                .get(words[0])
                .map_or(0, Vec::len)
                .hash(hasher),
            Kind::Nothing
            | Kind::Bool
            | Kind::Byte(_)
            | Kind::Int(_)
            | Kind::UInt(_)
            | Kind::Name
            | Kind::Object
            | Kind::Class
            | Kind::Delegate
            | Kind::Wildcard => words.hash(hasher),
        }
    }

    /// The word of an object reference; 0 if its object was collected.
    pub(crate) fn live(&self, word: u64) -> u64 {
        match self.objects.get(ObjectHandle(word)) {
            Some(_) => word,
            None => 0,
        }
    }

    // ---- strings and texts

    pub(crate) fn string(&self, word: u64) -> &str {
        self.strings.get(word).map_or("", |text| text)
    }

    /// A string word the caller owns; the empty string needs no heap.
    pub(crate) fn new_string(&mut self, text: impl Into<Arc<str>> + AsRef<str>) -> u64 {
        if text.as_ref().is_empty() {
            return 0;
        }
        self.strings.insert(text.into())
    }

    pub(crate) fn text(&self, word: u64) -> TextValue {
        self.texts.get(word).cloned().unwrap_or_default()
    }

    pub(crate) fn new_text(&mut self, text: TextValue) -> u64 {
        if text == TextValue::Empty {
            return 0;
        }
        self.texts.insert(text)
    }

    /// What the text shows.
    pub(crate) fn text_string(&self, word: u64) -> &str {
        self.texts.get(word).map_or("", shown)
    }

    // ---- containers

    /// Words of the elements of an array.
    pub(crate) fn elements(&self, word: u64) -> &[u64] {
        self.arrays.get(word).map_or(&[], |array| &array.data)
    }

    /// The array whose word is at `place`, made if there is none yet.
    pub(crate) fn array_at(&mut self, place: Place, element: TypeId) -> u64 {
        let word = self.word(place);
        if self.arrays.get(word).is_some() {
            return word;
        }
        let stride = self.types.words(element);
        let word = self.arrays.insert(ArrayCell {
            element,
            stride,
            data: Vec::new(),
        });
        if self.put(place, &[word]) {
            word
        } else {
            self.arrays.release(word);
            0
        }
    }

    /// The set or map whose word is at `place`, made if there is none yet. `ty` is its type.
    pub(crate) fn table_at(&mut self, place: Place, ty: TypeId) -> u64 {
        let word = self.word(place);
        if self.tables.get(word).is_some() {
            return word;
        }
        let Some((key, value)) = self.types.table_parts(ty) else {
            return 0;
        };
        let value = value.map(|value| (value, self.types.words(value)));
        let cell = TableCell::new(key, self.types.words(key), value);
        let word = self.tables.insert(cell);
        if self.put(place, &[word]) {
            word
        } else {
            self.tables.release(word);
            0
        }
    }

    /// Adds an entry or replaces the value of an equal key; takes over what the words own.
    /// False if the key was there.
    pub(crate) fn table_add(&mut self, word: u64, key: &[u64], value: &[u64]) -> bool {
        let Some(table) = self.tables.get(word) else {
            return false;
        };
        let (key_ty, value_ty) = (table.key, table.value);
        let sizes = (table.key_words as usize, table.value_words as usize);
        if sizes != (key.len(), value.len()) {
            self.disown(key_ty, key);
            if let Some(ty) = value_ty {
                self.disown(ty, value);
            }
            return false;
        }
        if let Some(entry) = self.find_in(table, key) {
            let undo = |table: &TableCell| table.revaluing(entry);
            let table = self.tables.change_same_size(word, undo);
            let table = table.expect("was found above");
            let old = Words::from_slice(table.value_at(entry));
            table.value_at_mut(entry).copy_from_slice(value);
            self.disown(key_ty, key);
            if let Some(ty) = value_ty {
                self.disown(ty, &old);
            }
            return false;
        }
        let hash = self.hash(key_ty, key);
        let undo = |table: &TableCell| table.adding(hash);
        let mut table = self.tables.change(word, undo).expect("was found above");
        table.insert(hash, key, value);
        true
    }

    /// Removes an entry. False if there is none.
    pub(crate) fn table_remove(&mut self, word: u64, key: &[u64]) -> bool {
        let Some(table) = self.tables.get(word) else {
            return false;
        };
        let Some(entry) = self.find_in(table, key) else {
            return false;
        };
        let hash = self.hash(table.key, key);
        let (key_ty, value_ty) = (table.key, table.value);
        let old_key = Words::from_slice(table.key_at(entry));
        let old_value = Words::from_slice(table.value_at(entry));
        let undo = |table: &TableCell| table.removing(hash, entry);
        let mut table = self.tables.change(word, undo).expect("was found above");
        table.remove(hash, entry);
        drop(table);
        self.disown(key_ty, &old_key);
        if let Some(ty) = value_ty {
            self.disown(ty, &old_value);
        }
        true
    }

    // ---- multicast delegates

    pub(crate) fn bindings(&self, word: u64) -> &[(ObjectHandle, NameId)] {
        self.multicasts.get(word).map_or(&[], |bindings| bindings)
    }

    /// Replaces what the multicast delegate at `place` calls.
    pub(crate) fn set_bindings(&mut self, place: Place, bindings: Bindings) {
        let word = if bindings.is_empty() {
            0
        } else {
            self.multicasts.insert(bindings)
        };
        self.store(place, TypeId::MULTICAST, &[word]);
    }

    // ---- objects

    /// Takes an object out of the arena and gives up what it owned, by the given words of its two
    /// blocks.
    pub(crate) fn remove_object(
        &mut self,
        handle: ObjectHandle,
        owned: &[(u32, Owned)],
        owned_frames: &[(u32, Owned)],
    ) -> Option<Object> {
        let object = self.objects.remove(handle)?;
        for (offset, kind) in owned {
            if let Some(word) = object.words.get(*offset as usize) {
                self.disown_word(*kind, *word);
            }
        }
        for (offset, kind) in owned_frames {
            if let Some(word) = object.frames.get(*offset as usize) {
                self.disown_word(*kind, *word);
            }
        }
        Some(object)
    }
}

/// What a text shows. String tables are not loaded, so their texts show what the engine shows for a
/// missing entry.
pub(crate) fn shown(text: &TextValue) -> &str {
    match text {
        TextValue::Empty => "",
        TextValue::Localized { source, .. } => source,
        TextValue::Invariant(text) => text,
        TextValue::StringTable { .. } => "<MISSING STRING TABLE ENTRY>",
    }
}

/// Equality without case.
pub(crate) fn eq_fold(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a.chars()
        .flat_map(char::to_lowercase)
        .eq(b.chars().flat_map(char::to_lowercase))
}

impl Footprint for Arc<str> {
    fn footprint(&self) -> u64 {
        self.len() as u64
    }
}

impl Stored for Arc<str> {
    type Change = Unchanging;

    fn undo(&mut self, change: Unchanging) {
        match change {}
    }
}

impl Stored for TextValue {
    type Change = Unchanging;

    fn undo(&mut self, change: Unchanging) {
        match change {}
    }
}

impl Footprint for TextValue {
    fn footprint(&self) -> u64 {
        let bytes = match self {
            Self::Empty => 0,
            Self::Localized {
                namespace,
                key,
                source,
            } => namespace.len() + key.len() + source.len(),
            Self::Invariant(text) => text.len(),
            Self::StringTable { table, key } => table.len() + key.len(),
        };
        bytes as u64
    }
}

fn hash_fold(text: &str, hasher: &mut FxHasher) {
    for c in text.chars().flat_map(char::to_lowercase) {
        c.hash(hasher);
    }
}
