//! `KismetNodeHelperLibrary`: what nodes compile to that no author calls by hand, bits of a number and
//! entries of an enum.
//!
//! Source: the engine's reference pages say what each function gives. Assumed where they are silent: a
//! search that starts outside of the bits starts at 0, and wraps around; a number of bits that no integer
//! has means all 32; which form of an entry's name is given.

use std::ops::Range;

use bp_reflect::{Enum, EnumForm};

use super::{Native, NativeCall, Out};
use crate::ids::{NameId, ObjectHandle};
use crate::native;
use crate::objects::ObjectKind;

/// The engine's `INDEX_NONE`.
const NONE: i32 = -1;

pub(super) const ROWS: &[Native] = &[
    native!("KismetNodeHelperLibrary.BitIsMarked", |data: i32,
                                                    index: i32|
     -> bool {
        is_marked(data, index)
    }),
    native!("KismetNodeHelperLibrary.HasMarkedBit", |data: i32,
                                                     n_bits: i32|
     -> bool {
        bits(n_bits).any(|index| is_marked(data, index))
    }),
    native!("KismetNodeHelperLibrary.HasUnmarkedBit", |data: i32,
                                                       n_bits: i32|
     -> bool {
        bits(n_bits).any(|index| !is_marked(data, index))
    }),
    native!(
        "KismetNodeHelperLibrary.MarkBit",
        |call, data: Out<i32>, index: i32| {
            let marked = call.get(data) | bit(index);
            call.set(data, marked);
            Ok(())
        }
    ),
    native!(
        "KismetNodeHelperLibrary.ClearBit",
        |call, data: Out<i32>, index: i32| {
            let cleared = call.get(data) & !bit(index);
            call.set(data, cleared);
            Ok(())
        }
    ),
    native!(
        "KismetNodeHelperLibrary.ClearAllBits",
        |call, data: Out<i32>| {
            call.set(data, 0);
            Ok(())
        }
    ),
    native!(
        "KismetNodeHelperLibrary.GetFirstUnmarkedBit",
        |data: i32, start: i32, n_bits: i32| -> i32 { first_unmarked(data, start, n_bits) }
    ),
    native!(
        "KismetNodeHelperLibrary.GetRandomUnmarkedBit",
        |call, data: i32, _start: i32, n_bits: i32| -> i32 {
            Ok(random_unmarked(call, data, n_bits))
        }
    ),
    native!(
        "KismetNodeHelperLibrary.GetUnmarkedBit",
        |call, data: i32, start: i32, n_bits: i32, is_random: bool| -> i32 {
            Ok(if is_random {
                random_unmarked(call, data, n_bits)
            } else {
                first_unmarked(data, start, n_bits)
            })
        }
    ),
    native!(
        "KismetNodeHelperLibrary.GetEnumeratorName",
        |call, of: ObjectHandle, value: u8| -> NameId {
            let name = enumeration(call, of).and_then(|of| full_name(of, value));
            Ok(match name {
                Some(name) => call.intern(&name),
                None => NameId::NONE,
            })
        }
    ),
    native!(
        "KismetNodeHelperLibrary.GetEnumeratorUserFriendlyName",
        |call, of: ObjectHandle, value: u8| -> String {
            Ok(enumeration(call, of)
                .and_then(|of| shown_name(of, value))
                .unwrap_or_default())
        }
    ),
    native!(
        "KismetNodeHelperLibrary.GetEnumeratorValueFromIndex",
        |call, of: ObjectHandle, index: u8| -> u8 {
            let value = enumeration(call, of).and_then(|of| value_at(of, usize::from(index)));
            Ok(value.unwrap_or(NONE as u8))
        }
    ),
    // Of a value that no entry has the engine gives the enum's greatest, which is that of its implicit
    // `MAX`: one behind the last entry. Assumed.
    native!(
        "KismetNodeHelperLibrary.GetValidValue",
        |call, of: ObjectHandle, value: u8| -> u8 {
            Ok(match enumeration(call, of) {
                Some(of) if position(of, value).is_none() => (0..of.entries.len())
                    .filter_map(|index| value_at(of, index))
                    .max()
                    .map_or(0, |last| last.saturating_add(1)),
                _ => value,
            })
        }
    ),
];

/// The bit alone; no bit for an index that no integer has.
fn bit(index: i32) -> i32 {
    u32::try_from(index)
        .ok()
        .and_then(|index| 1_i32.checked_shl(index))
        .unwrap_or(0)
}

fn is_marked(data: i32, index: i32) -> bool {
    data & bit(index) != 0
}

fn bits(n_bits: i32) -> Range<i32> {
    0..if (0..=32).contains(&n_bits) {
        n_bits
    } else {
        32
    }
}

fn first_unmarked(data: i32, start: i32, n_bits: i32) -> i32 {
    let bits = bits(n_bits);
    let start = if bits.contains(&start) { start } else { 0 };
    (start..bits.end)
        .chain(0..start)
        .find(|index| !is_marked(data, *index))
        .unwrap_or(NONE)
}

fn random_unmarked(call: &mut NativeCall<'_>, data: i32, n_bits: i32) -> i32 {
    let unmarked: Vec<i32> = bits(n_bits)
        .filter(|index| !is_marked(data, *index))
        .collect();
    if unmarked.is_empty() {
        return NONE;
    }
    unmarked[call.random_below(unmarked.len())]
}

/// The enum that an object stands for.
fn enumeration<'a>(call: &'a NativeCall<'_>, object: ObjectHandle) -> Option<&'a Enum> {
    let ObjectKind::Asset(path) = &call.vm.memory.objects.get(object)?.kind else {
        return None;
    };
    call.vm.program.registry.enumeration(path)
}

/// An entry whose value is not known counts as having its place.
fn value_at(of: &Enum, index: usize) -> Option<u8> {
    let entry = of.entries.get(index)?;
    Some(entry.value.map_or(index as u8, |value| value as u8))
}

fn position(of: &Enum, value: u8) -> Option<usize> {
    (0..of.entries.len()).find(|index| value_at(of, *index) == Some(value))
}

/// The name as the enum keeps it: with the enum's own in front, but for a plain C++ one.
fn full_name(of: &Enum, value: u8) -> Option<String> {
    let name = &of.entries[position(of, value)?].name;
    Some(if of.path.is_native() && of.form == EnumForm::Byte {
        name.to_string()
    } else {
        format!("{}::{name}", of.path.name())
    })
}

/// What the editor shows: the display name, else the short one with a space before each word.
fn shown_name(of: &Enum, value: u8) -> Option<String> {
    let entry = &of.entries[position(of, value)?];
    Some(match &entry.display_name {
        Some(name) => name.clone(),
        None => words_of(entry.name.as_str()),
    })
}

fn words_of(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut before = None;
    for char in name.chars() {
        let starts_word = char.is_uppercase()
            && before.is_some_and(|before: char| before.is_lowercase() || before.is_ascii_digit());
        match char {
            '_' => words.push(' '),
            _ if starts_word => words.extend([' ', char]),
            _ => words.push(char),
        }
        before = Some(char);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_unmarked_bit_is_searched_from_the_start_and_wraps() {
        for (data, start, n_bits, found) in [
            (0b0000, NONE, 4, 0),
            (0b0001, NONE, 4, 1),
            (0b0000, 2, 4, 2),
            (0b1100, 2, 4, 0),
            (0b1111, 2, 4, NONE),
            (0b0000, 9, 4, 0),
            (-1, 0, 32, NONE),
            (i32::MAX, 0, 32, 31),
        ] {
            assert_eq!(first_unmarked(data, start, n_bits), found);
        }
    }

    #[test]
    fn an_index_that_no_integer_has_is_no_bit() {
        assert_eq!((bit(-1), bit(32), bit(31)), (0, 0, i32::MIN));
    }

    #[test]
    fn names_are_shown_in_words() {
        for (name, shown) in [
            ("Spring", "Spring"),
            ("LateSpring", "Late Spring"),
            ("Phase2Begin", "Phase2 Begin"),
            ("HTTP", "HTTP"),
            ("late_spring", "late spring"),
        ] {
            assert_eq!(words_of(name), shown);
        }
    }
}
