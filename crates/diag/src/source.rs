use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Names one text of a [`Sources`] set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceId(u32);

/// A range of bytes in one source text.
///
/// Units: bytes from the start of the text, end exclusive. A span of a binary file counts its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The text the range lies in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte; never below `start`.
    pub end: u32,
}

impl Span {
    /// The span of `range` in `source`.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        Self {
            source,
            start: range.start as u32,
            end: range.end.max(range.start) as u32,
        }
    }

    /// The bytes covered, for slicing the text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span that covers both. Spans of different sources give `self`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.source != other.source {
            return self;
        }
        Self {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A value and where it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands in its source.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, written at `span`.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// One input text with the name shown to the user.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// How messages call it: the path as given, or `<stdin>`.
    pub name: String,
    /// The text. Inputs that are not UTF-8 keep an empty text here; their spans still count bytes.
    pub text: Arc<str>,
}

/// All texts of one run. Ids are dense and in the order of [`Sources::add`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a text and names it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
        });
        SourceId(self.files.len() as u32 - 1)
    }

    /// The text `id` names.
    ///
    /// # Panics
    /// If `id` came from another set.
    pub fn file(&self, id: SourceId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// 1-based line and column (in characters) of a byte offset; past the end gives the last place.
    pub fn line_column(&self, id: SourceId, offset: u32) -> (usize, usize) {
        let text = &*self.file(id).text;
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    /// All files with their ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(idx, file)| (SourceId(idx as u32), file))
    }
}
