//! `BlueprintMapLibrary`: maps of any types, worked on in the caller's place.

use super::values::{Any, ArrayArg, TableArg};
use super::{Native, NativeCall};
use crate::memory::Words;
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!(
        "BlueprintMapLibrary.Map_Add",
        |call, map: TableArg, key: Any, value: Any| {
            add(call, map, key, value);
            Ok(())
        }
    ),
    native!("BlueprintMapLibrary.Map_Remove", |call,
                                               map: TableArg,
                                               key: Any|
     -> bool {
        Ok(call.table_remove(map, key))
    }),
    native!("BlueprintMapLibrary.Map_Find", |call,
                                             map: TableArg,
                                             key: Any,
                                             value: Any|
     -> bool {
        let entry = call.table_find(map, key);
        call.put_entry(map, entry, Any { target: None }, value);
        Ok(entry.is_some())
    }),
    native!("BlueprintMapLibrary.Map_Contains", |call,
                                                 map: TableArg,
                                                 key: Any|
     -> bool {
        Ok(call.table_find(map, key).is_some())
    }),
    native!("BlueprintMapLibrary.Map_Length", |call,
                                               map: TableArg|
     -> i32 {
        Ok(call.table_len(map) as i32)
    }),
    native!("BlueprintMapLibrary.Map_IsEmpty", |call,
                                                map: TableArg|
     -> bool {
        Ok(call.table_len(map) == 0)
    }),
    native!("BlueprintMapLibrary.Map_IsNotEmpty", |call,
                                                   map: TableArg|
     -> bool {
        Ok(call.table_len(map) != 0)
    }),
    native!("BlueprintMapLibrary.Map_GetLastIndex", |call,
                                                     map: TableArg|
     -> i32 {
        Ok(call.table_len(map) as i32 - 1)
    }),
    native!(
        "BlueprintMapLibrary.Map_GetKeyValueByIndex",
        |call, map: TableArg, index: i32, key: Any, value: Any| {
            let entry = call.table_entry(map, index);
            call.put_entry(map, entry, key, value);
            Ok(())
        }
    ),
    native!("BlueprintMapLibrary.Map_Clear", |call, map: TableArg| {
        call.table_clear(map);
        Ok(())
    }),
    native!(
        "BlueprintMapLibrary.Map_Keys",
        |call, map: TableArg, keys: ArrayArg| {
            let copies = call.key_copies(map);
            call.array_of_copies(keys, copies);
            Ok(())
        }
    ),
    native!(
        "BlueprintMapLibrary.Map_Values",
        |call, map: TableArg, values: ArrayArg| {
            let copies = value_copies(call, map);
            call.array_of_copies(values, copies);
            Ok(())
        }
    ),
];

fn add(call: &mut NativeCall<'_>, map: TableArg, key: Any, value: Any) {
    let (Some(target), Some(value_ty)) = (map.target, call.table_value_type(map)) else {
        return;
    };
    let Some(key_words) = call.item_words(map, key) else {
        return;
    };
    let n_words = call.vm.memory.types.words(value_ty);
    let value_words = match value.target {
        Some(value) if call.vm.memory.types.words(value.ty) == n_words => {
            call.vm.memory.copied(value.place, value_ty)
        }
        _ => Words::from_elem(0, n_words as usize),
    };
    let word = call.vm.memory.table_at(target.place, target.ty);
    if call.vm.memory.tables.get(word).is_some() {
        call.vm.memory.table_add(word, &key_words, &value_words);
    } else {
        let (_, key_ty) = call.table_parts(map);
        call.vm.memory.disown(key_ty, &key_words);
        call.vm.memory.disown(value_ty, &value_words);
    }
}

fn value_copies(call: &mut NativeCall<'_>, map: TableArg) -> Vec<Words> {
    let (word, _) = call.table_parts(map);
    let Some(ty) = call.table_value_type(map) else {
        return Vec::new();
    };
    if !call.copies_fit(call.table_len(map)) {
        return Vec::new();
    }
    let mut values: Vec<Words> = match call.vm.memory.tables.get(word) {
        Some(table) => table
            .blocks()
            .map(|(_, value)| Words::from_slice(value))
            .collect(),
        None => Vec::new(),
    };
    for words in &mut values {
        call.vm.memory.own(ty, words);
    }
    values
}
