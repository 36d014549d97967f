//! The embedded declarations in binary form: an index that is read at start, and one body for each
//! class, struct, enum and delegate, decoded when it is first asked for.
//!
//! The build script writes both; names in them are ASCII, so that folding case is a
//! matter of bytes.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::name::folded_words;

/// What is where. Classes, structs, enums and delegates keep the order of their files.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Index<'a> {
    #[serde(borrow)]
    pub(crate) classes: Section<'a>,
    #[serde(borrow)]
    pub(crate) structs: Section<'a>,
    #[serde(borrow)]
    pub(crate) enums: Section<'a>,
    #[serde(borrow)]
    pub(crate) delegates: Section<'a>,
    /// Classes that are function libraries.
    pub(crate) libraries: Vec<u32>,
    /// Functions of libraries with their class, sorted by name.
    #[serde(borrow)]
    pub(crate) library_functions: Vec<(&'a str, u32)>,
    /// Delegates of classes with their class, sorted by name.
    #[serde(borrow)]
    pub(crate) class_delegates: Vec<(&'a str, u32)>,
}

/// All things of one kind.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Section<'a> {
    #[serde(borrow)]
    pub(crate) paths: Vec<&'a str>,
    /// End of each body, parallel to `paths`; it starts where the one before ends.
    pub(crate) ends: Vec<u32>,
    /// Where the first body starts.
    pub(crate) start: u32,
    /// A hash table of positions in `paths`: each stands at the first free place from that of its path's hash
    /// on. Its length is a power of two; free places hold [`FREE`].
    pub(crate) by_path: Vec<u32>,
    /// Positions in `paths`, sorted by short name.
    pub(crate) by_name: Vec<u32>,
}

impl Section<'_> {
    /// The position of the thing at `path`.
    pub(crate) fn at(&self, path: &str) -> Option<u32> {
        let mask = self.by_path.len().checked_sub(1)?;
        let mut place = hash(path) as usize & mask;
        loop {
            let position = self.by_path[place];
            if position == FREE {
                return None;
            }
            if self.paths[position as usize].eq_ignore_ascii_case(path) {
                return Some(position);
            }
            place = (place + 1) & mask;
        }
    }

    /// Makes the table of paths; the build script does.
    #[allow(
        dead_code,
        reason = "only the build script, which shares this file, calls it"
    )]
    pub(crate) fn hash_paths(&mut self) {
        let n_places = (self.paths.len() * 2).next_power_of_two();
        let mut table = vec![FREE; n_places];
        for (position, path) in (0..).zip(&self.paths) {
            let mut place = hash(path) as usize & (n_places - 1);
            while table[place] != FREE {
                place = (place + 1) & (n_places - 1);
            }
            table[place] = position;
        }
        self.by_path = table;
    }

    /// The positions of the things with that short name, in order.
    pub(crate) fn named(&self, name: &str) -> &[u32] {
        equal_range(&self.by_name, |&i| {
            compare(short_name(self.paths[i as usize]), name)
        })
    }

    /// Where the body of a thing lies.
    pub(crate) fn body(&self, position: u32) -> std::ops::Range<usize> {
        let start = match position {
            0 => self.start,
            after => self.ends[after as usize - 1],
        };
        start as usize..self.ends[position as usize] as usize
    }
}

/// A free place of a table.
const FREE: u32 = u32::MAX;

/// Written into the table by the build script, so that it must not depend on the machine or a library.
fn hash(path: &str) -> u32 {
    let folded = folded_words(path.as_bytes()).fold(0_u64, |hash, word| {
        (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    (folded >> 32) as u32
}

/// The entries of a list sorted by name whose name is `name`.
pub(crate) fn entries<'a, 'b>(list: &'b [(&'a str, u32)], name: &str) -> &'b [(&'a str, u32)] {
    equal_range(list, |entry| compare(entry.0, name))
}

fn equal_range<T>(sorted: &[T], compare: impl Fn(&T) -> Ordering) -> &[T] {
    let start = sorted.partition_point(|item| compare(item) == Ordering::Less);
    let len = sorted[start..].partition_point(|item| compare(item) == Ordering::Equal);
    &sorted[start..start + len]
}

/// Compares without case, as bytes.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    a.bytes()
        .map(|byte| byte.to_ascii_lowercase())
        .cmp(b.bytes().map(|byte| byte.to_ascii_lowercase()))
}

/// What follows the last separator of a path.
pub(crate) fn short_name(path: &str) -> &str {
    path.rsplit_once(['.', ':']).map_or(path, |(_, name)| name)
}
