//! The embedded declarations in binary form: an index that is read at start, and one body for each
//! class, struct, enum and delegate, decoded when it is first asked for.
//!
//! The build script writes both; names in them are ASCII, so that folding case is a
//! matter of bytes.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::name::{Name, hash_ascii};
use crate::path::ObjectPath;

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
    /// A hash table, as [`Section::by_path`], of the first place of each name in `library_functions`.
    pub(crate) library_table: Vec<u32>,
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
    /// A hash table, as `by_path`, of the first place of each name in `by_name`.
    pub(crate) name_table: Vec<u32>,
}

impl Section<'_> {
    /// The position of the thing at `path`.
    pub(crate) fn at(&self, path: &ObjectPath) -> Option<u32> {
        find(&self.by_path, path.folded_hash(), |position| {
            self.paths[position as usize].eq_ignore_ascii_case(path.as_str())
        })
    }

    /// Makes the table of paths; the build script does.
    #[allow(
        dead_code,
        reason = "only the build script, which shares this file, calls it"
    )]
    pub(crate) fn hash_paths(&mut self) {
        self.by_path = table(self.paths.iter().copied());
    }

    /// The positions of the things with that short name, in order.
    pub(crate) fn named(&self, name: &str) -> &[u32] {
        // All declared names are.
        if !name.is_ascii() {
            return &[];
        }
        let is_named = |place: &u32| {
            let path = self.paths[self.by_name[*place as usize] as usize];
            short_name(path).eq_ignore_ascii_case(name)
        };
        let first = find(&self.name_table, hash_ascii(name), |place| is_named(&place));
        let Some(first) = first else { return &[] };
        let end = (first + 1..self.by_name.len() as u32)
            .find(|place| !is_named(place))
            .unwrap_or(self.by_name.len() as u32);
        &self.by_name[first as usize..end as usize]
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

/// A hash table of the places of texts in a list: each stands at the first free place from that of its hash on,
/// of equal texts the first. Its length is a power of two; free places hold [`FREE`].
#[allow(dead_code, reason = "only the build script calls it")]
pub(crate) fn table<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Vec<u32> {
    let n_places = (texts.clone().count() * 2).next_power_of_two();
    let mut table = vec![FREE; n_places];
    let mut last: Option<&str> = None;
    for (position, text) in (0..).zip(texts) {
        let is_first = last.is_none_or(|last| !last.eq_ignore_ascii_case(text));
        last = Some(text);
        if !is_first {
            continue;
        }
        let mut place = hash_ascii(text) as usize & (n_places - 1);
        while table[place] != FREE {
            place = (place + 1) & (n_places - 1);
        }
        table[place] = position;
    }
    table
}

/// The entry of a table that is what is looked for.
pub(crate) fn find(table: &[u32], hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
    let mask = table.len().checked_sub(1)?;
    let mut place = hash as usize & mask;
    loop {
        let position = table[place];
        if position == FREE {
            return None;
        }
        if is_it(position) {
            return Some(position);
        }
        place = (place + 1) & mask;
    }
}

/// A free place of a table.
const FREE: u32 = u32::MAX;

impl<'a> Index<'a> {
    /// The functions of libraries with that name.
    pub(crate) fn library_functions(&self, name: &Name) -> &[(&'a str, u32)] {
        let list = &self.library_functions;
        let is_named = |place: u32| list[place as usize].0.eq_ignore_ascii_case(name.as_str());
        let first = find(&self.library_table, name.folded_hash(), is_named);
        let Some(first) = first else { return &[] };
        let end = (first + 1..list.len() as u32)
            .find(|place| !is_named(*place))
            .unwrap_or(list.len() as u32);
        &list[first as usize..end as usize]
    }
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
