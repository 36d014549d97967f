//! `KismetArrayLibrary`: arrays of any element type, worked on in the caller's place.

use super::values::{Any, ArrayArg};
use super::{Native, NativeCall, NativeValue, Out};
use crate::error::Run;
use crate::host::WarningKind;
use crate::ids::{NameId, ObjectHandle, TypeId};
use crate::memory::{ArrayCell, Place, TypedPlace, Words};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("KismetArrayLibrary.Array_Length", |call,
                                                array: ArrayArg|
     -> i32 {
        Ok(call.array_len(array) as i32)
    }),
    native!("KismetArrayLibrary.Array_LastIndex", |call,
                                                   array: ArrayArg|
     -> i32 {
        Ok(call.array_len(array) as i32 - 1)
    }),
    native!("KismetArrayLibrary.Array_IsEmpty", |call,
                                                 array: ArrayArg|
     -> bool {
        Ok(call.array_len(array) == 0)
    }),
    native!("KismetArrayLibrary.Array_IsNotEmpty", |call,
                                                    array: ArrayArg|
     -> bool {
        Ok(call.array_len(array) != 0)
    }),
    native!(
        "KismetArrayLibrary.Array_IsValidIndex",
        |call, array: ArrayArg, index: i32| -> bool {
            Ok(call.array_index(array, index).is_some())
        }
    ),
    native!(
        "KismetArrayLibrary.Array_Get",
        |call, array: ArrayArg, index: i32, item: Any| {
            get(call, array, index, item);
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.Array_Set",
        |call, array: ArrayArg, index: i32, item: Any, to_fit: bool| {
            set(call, array, index, item, to_fit)
        }
    ),
    native!("KismetArrayLibrary.Array_Add", |call,
                                             array: ArrayArg,
                                             item: Any|
     -> i32 {
        Ok(call.array_insert(array, None, item))
    }),
    native!("KismetArrayLibrary.Array_AddUnique", |call,
                                                   array: ArrayArg,
                                                   item: Any|
     -> i32 {
        Ok(match call.array_find(array, item) {
            Some(_) => -1,
            None => call.array_insert(array, None, item),
        })
    }),
    native!(
        "KismetArrayLibrary.Array_Insert",
        |call, array: ArrayArg, item: Any, index: i32| {
            let len = call.array_len(array);
            match usize::try_from(index) {
                Ok(at) if at <= len => {
                    call.array_insert(array, Some(at), item);
                }
                _ => out_of_bounds(call, "insert", array, index),
            }
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.Array_Append",
        |call, array: ArrayArg, source: ArrayArg| { append(call, array, source) }
    ),
    native!(
        "KismetArrayLibrary.Array_Remove",
        |call, array: ArrayArg, index: i32| {
            match call.array_index(array, index) {
                Some(at) => call.array_remove(array, at),
                None => out_of_bounds(call, "remove", array, index),
            }
            Ok(())
        }
    ),
    native!("KismetArrayLibrary.Array_RemoveItem", |call,
                                                    array: ArrayArg,
                                                    item: Any|
     -> bool {
        Ok(call.array_remove_all(array, item))
    }),
    native!("KismetArrayLibrary.Array_Clear", |call, array: ArrayArg| {
        if let Some(target) = array.target {
            call.vm.memory.clear(target.place, target.ty);
        }
        Ok(())
    }),
    native!(
        "KismetArrayLibrary.Array_Resize",
        |call, array: ArrayArg, size: i32| {
            if size < 0 {
                call.vm.warn(
                    WarningKind::OutOfBounds,
                    format!("Attempted to resize an array to {size} elements"),
                );
            } else {
                call.array_resize(array, size as usize)?;
            }
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.Array_Reverse",
        |call, array: ArrayArg| {
            let len = call.array_len(array);
            for at in 0..len / 2 {
                call.array_swap(array, at, len - 1 - at);
            }
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.Array_Swap",
        |call, array: ArrayArg, a: i32, b: i32| {
            match (call.array_index(array, a), call.array_index(array, b)) {
                (Some(a), Some(b)) => call.array_swap(array, a, b),
                (None, _) => out_of_bounds(call, "swap", array, a),
                (_, None) => out_of_bounds(call, "swap", array, b),
            }
            Ok(())
        }
    ),
    native!("KismetArrayLibrary.Array_Find", |call,
                                              array: ArrayArg,
                                              item: Any|
     -> i32 {
        Ok(call.array_find(array, item).map_or(-1, |at| at as i32))
    }),
    native!("KismetArrayLibrary.Array_Contains", |call,
                                                  array: ArrayArg,
                                                  item: Any|
     -> bool {
        Ok(call.array_find(array, item).is_some())
    }),
    native!("KismetArrayLibrary.Array_Identical", |call,
                                                   a: ArrayArg,
                                                   b: ArrayArg|
     -> bool {
        Ok(match (a.target, b.target) {
            (Some(a), Some(b)) => {
                let memory = &call.vm.memory;
                memory.equal(a.ty, memory.read(a.place, 1), memory.read(b.place, 1))
            }
            _ => false,
        })
    }),
    native!(
        "KismetArrayLibrary.Array_Shuffle",
        |call, array: ArrayArg| {
            for at in 0..call.array_len(array) {
                let other = call.random_below(call.array_len(array) - at) + at;
                call.array_swap(array, at, other);
            }
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.Array_Random",
        |call, array: ArrayArg, item: Any, index: Out<i32>| {
            let len = call.array_len(array);
            if len == 0 {
                call.set(index, -1);
                clear(call, item);
            } else {
                let at = call.random_below(len);
                call.set(index, at as i32);
                get(call, array, at as i32, item);
            }
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.FilterArray",
        |call, array: ArrayArg, class: ObjectHandle, out: ArrayArg| {
            filter(call, array, class, out);
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.SortIntArray",
        |call, array: ArrayArg, _stable: bool, order: u8| {
            sort(call, array, order, |_, word| word as i64, Ord::cmp);
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.SortInt64Array",
        |call, array: ArrayArg, _stable: bool, order: u8| {
            sort(call, array, order, |_, word| word as i64, Ord::cmp);
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.SortByteArray",
        |call, array: ArrayArg, _stable: bool, order: u8| {
            sort(call, array, order, |_, word| word as u8, Ord::cmp);
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.SortFloatArray",
        |call, array: ArrayArg, _stable: bool, order: u8| {
            sort(
                call,
                array,
                order,
                |_, word| f64::from_bits(word),
                f64::total_cmp,
            );
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.SortStringArray",
        |call, array: ArrayArg, _stable: bool, order: u8| {
            let key = |call: &NativeCall<'_>, word| call.vm.memory.string(word).to_lowercase();
            sort(call, array, order, key, Ord::cmp);
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.SortNameArray",
        |call, array: ArrayArg, _stable: bool, _lexical: bool, order: u8| {
            let key = |call: &NativeCall<'_>, word| {
                call.name(NameId(word as u32)).as_str().to_lowercase()
            };
            sort(call, array, order, key, Ord::cmp);
            Ok(())
        }
    ),
];

fn get(call: &mut NativeCall<'_>, array: ArrayArg, index: i32, item: Any) {
    let (Some(at), Some((word, element))) =
        (call.array_index(array, index), call.array_parts(array))
    else {
        out_of_bounds(call, "access", array, index);
        clear(call, item);
        return;
    };
    if let Some(to) = item.target {
        let from = call.element_place(word, element, at);
        call.vm.memory.copy(to.place, from, element);
    }
}

fn set(call: &mut NativeCall<'_>, array: ArrayArg, index: i32, item: Any, to_fit: bool) -> Run {
    let len = call.array_len(array);
    let Ok(at) = usize::try_from(index) else {
        out_of_bounds(call, "set", array, index);
        return Ok(());
    };
    if at >= len {
        if !to_fit {
            out_of_bounds(call, "set", array, index);
            return Ok(());
        }
        call.array_resize(array, at + 1)?;
    }
    if let (Some((word, element)), Some(item)) = (call.array_parts(array), item.target) {
        let to = call.element_place(word, element, at);
        call.vm.memory.copy(to, item.place, element);
    }
    Ok(())
}

fn clear(call: &mut NativeCall<'_>, item: Any) {
    if let Some(target) = item.target {
        call.vm.construct(target.place, target.ty);
    }
}

fn append(call: &mut NativeCall<'_>, array: ArrayArg, source: ArrayArg) -> Run {
    let (Some(target), Some((from, element))) = (array.target, call.array_parts(source)) else {
        return Ok(());
    };
    let count = call.array_len(source);
    let stride = call.vm.memory.types.words(element) as usize;
    // The source may be the array itself, so it is copied first.
    call.ask(count * stride * 8)?;
    let mut data = Vec::with_capacity(count * stride);
    for at in 0..count {
        let place = call.element_place(from, element, at);
        data.extend_from_slice(&call.vm.memory.copied(place, element));
    }
    let word = call.vm.memory.array_at(target.place, element);
    let undo = |array: &ArrayCell| array.splicing(array.data.len(), 0, data.len());
    if let Some(mut array) = call.vm.memory.arrays.change(word, undo) {
        array.data.extend_from_slice(&data);
        return Ok(());
    }
    for part in data.chunks_exact(stride) {
        call.vm.memory.disown(element, part);
    }
    Ok(())
}

fn filter(call: &mut NativeCall<'_>, array: ArrayArg, class: ObjectHandle, out: ArrayArg) {
    let class = call.vm.class_value(class);
    let objects: Vec<ObjectHandle> = call.elements(array);
    let kept: Vec<ObjectHandle> = objects
        .into_iter()
        .filter(|object| class.is_some_and(|class| call.vm.is_a(*object, class)))
        .collect();
    call.set_elements(out, kept);
}

fn sort<K>(
    call: &mut NativeCall<'_>,
    array: ArrayArg,
    order: u8,
    key: impl Fn(&NativeCall<'_>, u64) -> K,
    compare: impl Fn(&K, &K) -> std::cmp::Ordering,
) {
    let Some((word, _)) = call.array_parts(array) else {
        return;
    };
    let mut words = call.vm.memory.elements(word).to_vec();
    call.work(words.len() * 8 * words.len().max(1).ilog2() as usize);
    words.sort_by(|a, b| compare(&key(call, *a), &key(call, *b)));
    if order != 0 {
        words.reverse();
    }
    let undo = |array: &ArrayCell| array.splicing(0, array.data.len(), words.len());
    if let Some(array) = call.vm.memory.arrays.change_same_size(word, undo) {
        array.data = words;
    }
}

fn out_of_bounds(call: &mut NativeCall<'_>, what: &str, array: ArrayArg, index: i32) {
    let owner = match call.vm.calls.last() {
        Some(record) => call.vm.object_name(record.object),
        None => "None".to_owned(),
    };
    let name = array
        .name
        .map_or_else(String::new, |name| call.name(name).to_string());
    let len = call.array_len(array);
    call.vm.warn(
        WarningKind::OutOfBounds,
        format!("Attempted to {what} index {index} from array '{name}' of length {len} in {owner}"),
    );
}

/// Arrays as native functions see them.
impl NativeCall<'_> {
    /// Elements of the array.
    pub fn array_len(&self, array: ArrayArg) -> usize {
        let Some(target) = array.target else {
            return 0;
        };
        let word = self.vm.memory.word(target.place);
        self.vm.memory.arrays.get(word).map_or(0, ArrayCell::len)
    }

    /// The elements of an array of a known element type.
    pub fn elements<T: NativeValue>(&self, array: ArrayArg) -> Vec<T> {
        let Some((word, element)) = self.array_parts(array) else {
            return Vec::new();
        };
        let stride = self.vm.memory.types.words(element) as usize;
        self.vm
            .memory
            .elements(word)
            .chunks_exact(stride)
            .map(|words| T::from_words(self, words))
            .collect()
    }

    /// Fills an array with elements of a known type.
    pub fn set_elements<T: NativeValue>(&mut self, array: ArrayArg, values: Vec<T>) {
        let Some(target) = array.target else {
            return;
        };
        self.fill(target, values);
    }

    /// Gives an array of elements of a known type as return value.
    pub fn give_elements<T: NativeValue>(&mut self, values: Vec<T>) {
        if let Some(target) = self.result() {
            self.fill(target, values);
        }
    }

    fn fill<T: NativeValue>(&mut self, target: TypedPlace, values: Vec<T>) {
        let Some(element) = self.vm.memory.types.array_element(target.ty) else {
            return;
        };
        self.vm.memory.clear(target.place, target.ty);
        let stride = self.vm.memory.types.words(element) as usize;
        let bytes = (values.len() * stride * 8) as u64;
        if values.is_empty() || !self.vm.memory.budget.ask(bytes) {
            return;
        }
        let mut data = Vec::with_capacity(values.len() * stride);
        for value in values {
            let mut words = value.into_words(self);
            words.resize(stride, 0);
            data.extend_from_slice(&words);
        }
        let word = self.vm.memory.array_at(target.place, element);
        let undo = |array: &ArrayCell| array.splicing(0, array.data.len(), data.len());
        if let Some(mut array) = self.vm.memory.arrays.change(word, undo) {
            array.data = data;
        }
    }

    /// The heap word and the element type of an array.
    pub(super) fn array_parts(&self, array: ArrayArg) -> Option<(u64, TypeId)> {
        let target = array.target?;
        let element = self.vm.memory.types.array_element(target.ty)?;
        Some((self.vm.memory.word(target.place), element))
    }

    pub(super) fn element_place(&self, word: u64, element: TypeId, at: usize) -> Place {
        Place {
            base: crate::memory::Base::Array(word),
            offset: at as u32 * self.vm.memory.types.words(element),
        }
    }

    pub(super) fn array_index(&self, array: ArrayArg, index: i32) -> Option<usize> {
        let at = usize::try_from(index).ok()?;
        (at < self.array_len(array)).then_some(at)
    }

    /// Puts a copy of the item in, at the end unless said otherwise; gives its index.
    pub(super) fn array_insert(&mut self, array: ArrayArg, at: Option<usize>, item: Any) -> i32 {
        let (Some(target), Some((_, element))) = (array.target, self.array_parts(array)) else {
            return -1;
        };
        let words = match item.target {
            Some(item)
                if self.vm.memory.types.words(item.ty) == self.vm.memory.types.words(element) =>
            {
                self.vm.memory.copied(item.place, element)
            }
            _ => Words::from_elem(0, self.vm.memory.types.words(element) as usize),
        };
        let word = self.vm.memory.array_at(target.place, element);
        let cell = self.vm.memory.arrays.get(word);
        let (len, stride) = cell.map_or((0, 1), |cell| (cell.len(), cell.stride as usize));
        let at = at.unwrap_or(len);
        let start = at * stride;
        let undo = |array: &ArrayCell| array.splicing(start, 0, words.len());
        let Some(mut array) = self.vm.memory.arrays.change(word, undo) else {
            self.vm.memory.disown(element, &words);
            return -1;
        };
        if start == array.data.len() {
            array.data.extend_from_slice(&words);
        } else {
            array.data.splice(start..start, words.iter().copied());
        }
        at as i32
    }

    pub(super) fn array_remove(&mut self, array: ArrayArg, at: usize) {
        let Some((word, element)) = self.array_parts(array) else {
            return;
        };
        let cell = self.vm.memory.arrays.get(word);
        let stride = cell.map_or(1, |cell| cell.stride as usize);
        let start = at * stride;
        let undo = |array: &ArrayCell| array.splicing(start, stride, 0);
        let Some(mut array) = self.vm.memory.arrays.change(word, undo) else {
            return;
        };
        let gone: Words = array.data.drain(start..start + stride).collect();
        drop(array);
        self.vm.memory.disown(element, &gone);
    }

    /// Removes every element that equals the item; false if there is none.
    fn array_remove_all(&mut self, array: ArrayArg, item: Any) -> bool {
        let (Some((word, element)), Some(item)) = (self.array_parts(array), item.target) else {
            return false;
        };
        let words = self.vm.memory.types.words(element);
        if self.vm.memory.types.words(item.ty) != words {
            return false;
        }
        // The item may lie in the array.
        let wanted = Words::from_slice(self.vm.memory.read(item.place, words));
        let memory = &mut self.vm.memory;
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for found in memory.elements(word).chunks_exact(words as usize) {
            let list = if memory.equal(element, found, &wanted) {
                &mut gone
            } else {
                &mut kept
            };
            list.extend_from_slice(found);
        }
        if gone.is_empty() {
            return false;
        }
        let undo = |array: &ArrayCell| array.splicing(0, array.data.len(), kept.len());
        if let Some(mut array) = memory.arrays.change(word, undo) {
            array.data = kept;
        }
        for part in gone.chunks_exact(words as usize) {
            memory.disown(element, part);
        }
        true
    }

    pub(super) fn array_swap(&mut self, array: ArrayArg, a: usize, b: usize) {
        let Some((word, element)) = self.array_parts(array) else {
            return;
        };
        let read = |at| {
            let place = self.element_place(word, element, at);
            let words = self.vm.memory.types.words(element);
            (place, Words::from_slice(self.vm.memory.read(place, words)))
        };
        let ((first, first_words), (second, second_words)) = (read(a), read(b));
        // What they own changes places with them.
        self.vm.memory.put(first, &second_words);
        self.vm.memory.put(second, &first_words);
    }

    pub(super) fn array_resize(&mut self, array: ArrayArg, len: usize) -> Run {
        let (Some(target), Some((_, element))) = (array.target, self.array_parts(array)) else {
            return Ok(());
        };
        let stride = self.vm.memory.types.words(element) as usize;
        let old_len = self.array_len(array);
        self.ask(len.saturating_sub(old_len) * stride * 8)?;
        let word = self.vm.memory.array_at(target.place, element);
        let (old, new) = (old_len * stride, len * stride);
        let end = new.min(old);
        let undo = |array: &ArrayCell| array.splicing(end, old - end, new - end);
        let Some(mut array) = self.vm.memory.arrays.change(word, undo) else {
            return Ok(());
        };
        let gone = array.data.split_off(end);
        array.data.resize(len * stride, 0);
        drop(array);
        for part in gone.chunks_exact(stride) {
            self.vm.memory.disown(element, part);
        }
        if !self.vm.memory.types.initial(element).is_empty() {
            for at in old_len..len {
                let place = self.element_place(word, element, at);
                self.vm.construct(place, element);
            }
        }
        Ok(())
    }

    pub(super) fn array_find(&self, array: ArrayArg, item: Any) -> Option<usize> {
        let (word, element) = self.array_parts(array)?;
        let item = item.target?;
        let memory = &self.vm.memory;
        let words = memory.types.words(element);
        if memory.types.words(item.ty) != words {
            return None;
        }
        let wanted = memory.read(item.place, words);
        self.work(memory.elements(word).len() * 8);
        memory
            .elements(word)
            .chunks_exact(words as usize)
            .position(|found| memory.equal(element, found, wanted))
    }
}
