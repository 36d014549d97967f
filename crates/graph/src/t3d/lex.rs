//! Characters to values: words, strings, object references, text macros and lists, with their places.

use std::borrow::Cow;
use std::ops::Range;

use super::clean::unescape;
use crate::{ObjectReference, PropertyValue};
use bp_reflect::ObjectPath;

/// Lists nested deeper than this are refused.
pub(super) const MAX_DEPTH: usize = 256;

/// A value as written.
#[derive(Clone, Debug)]
pub(super) struct Value<'a> {
    pub(super) kind: Kind<'a>,
    /// Bytes of the cleaned text.
    pub(super) range: Range<usize>,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    /// A bare word.
    Word(&'a str),
    /// A quoted string: what stands between the quotes, escapes kept.
    String(&'a str),
    /// `Class'path'` or `Class'"path"'`.
    Object { class: &'a str, path: &'a str },
    /// A macro with its arguments.
    Text(&'a str),
    /// Members or elements.
    Tuple(Vec<Member<'a>>),
}

/// A member of a list; elements have an empty key.
#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    pub(super) key: &'a str,
    pub(super) value: Value<'a>,
    /// Key and value.
    pub(super) range: Range<usize>,
}

impl<'a> Value<'a> {
    /// The text of a word or string, escapes undone; a macro as written; an object's path.
    pub(super) fn text(&self) -> Cow<'a, str> {
        match &self.kind {
            Kind::Word(text) | Kind::Text(text) => Cow::Borrowed(text),
            Kind::String(raw) => unescape(raw),
            Kind::Object { path, .. } => Cow::Borrowed(path),
            Kind::Tuple(_) => Cow::Borrowed(""),
        }
    }

    /// The path of a reference in any of its dresses; `None` and an empty text are none.
    pub(super) fn path(&self) -> Option<ObjectPath> {
        let text = self.text();
        let path = match &self.kind {
            Kind::String(_) => quoted_reference(&text).map_or(&*text, |(_, path)| path),
            Kind::Word(_) | Kind::Object { .. } => &text,
            Kind::Text(_) | Kind::Tuple(_) => return None,
        };
        (!path.is_empty() && !path.eq_ignore_ascii_case("None")).then(|| ObjectPath::new(path))
    }

    /// The class named by a reference, as written.
    pub(super) fn reference_class(&self) -> Option<Cow<'a, str>> {
        match &self.kind {
            Kind::Object { class, .. } => Some(Cow::Borrowed(class)),
            Kind::String(raw) => quoted_reference(raw).map(|(class, _)| Cow::Borrowed(class)),
            Kind::Word(_) | Kind::Text(_) | Kind::Tuple(_) => None,
        }
    }

    /// A bool; anything but `True` and `1` is false, as for the editor.
    pub(super) fn is_true(&self) -> bool {
        matches!(&*self.text().to_ascii_lowercase(), "true" | "1")
    }

    /// Members of a list; of anything else none.
    pub(super) fn members(&self) -> &[Member<'a>] {
        match &self.kind {
            Kind::Tuple(members) => members,
            Kind::Word(_) | Kind::String(_) | Kind::Object { .. } | Kind::Text(_) => &[],
        }
    }

    /// The member of that key.
    pub(super) fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.members()
            .iter()
            .find(|member| member.key.eq_ignore_ascii_case(key))
            .map(|member| &member.value)
    }

    /// The same in the shape that the model keeps.
    pub(super) fn to_property(&self) -> PropertyValue {
        match &self.kind {
            Kind::Word(text) => PropertyValue::Word((*text).to_owned()),
            Kind::Text(text) => PropertyValue::Text((*text).to_owned()),
            Kind::Object { class, path } => object(class, path),
            Kind::String(raw) => {
                let text = unescape(raw);
                match quoted_reference(&text) {
                    Some((class, path)) => object(class, path),
                    None => PropertyValue::String(text.into_owned()),
                }
            }
            Kind::Tuple(members) => PropertyValue::Tuple(
                members
                    .iter()
                    .map(|member| (member.key.to_owned(), member.value.to_property()))
                    .collect(),
            ),
        }
    }
}

fn object(class: &str, path: &str) -> PropertyValue {
    PropertyValue::Object(ObjectReference {
        class: (!class.is_empty()).then(|| class.to_owned()),
        path: ObjectPath::new(path),
    })
}

/// Class and path of a reference that is quoted as a whole: `/Script/Engine.EdGraph'/Game/A.A:B'`.
/// The class is a full path there, which tells it from a string with apostrophes.
pub(super) fn quoted_reference(text: &str) -> Option<(&str, &str)> {
    let (class, path) = text.strip_suffix('\'')?.split_once('\'')?;
    let is_path = |text: &str| !text.contains([' ', '\'', '\n']);
    (class.starts_with('/') && is_path(class) && !path.contains('\''))
        .then_some((class, path.trim_matches('"')))
}

/// Why a value cannot be read.
#[derive(Clone, Debug)]
pub(super) struct LexError {
    /// Where it begins to be wrong.
    pub(super) range: Range<usize>,
    pub(super) kind: LexErrorKind,
    /// Whether the text is over before the value is.
    pub(super) at_end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LexErrorKind {
    /// A quote without its partner on the line.
    String,
    /// A parenthesis without its partner.
    List,
    /// Neither a comma nor a parenthesis between two values.
    Separator,
    /// Lists in lists beyond [`MAX_DEPTH`].
    Depth,
}

/// Reads a text from front to back; no method goes back over what another has read.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// The line end found last; that of all places up to it from where it was looked for.
    line_end: usize,
}

/// Where a bare word ends, beside commas, closing parentheses and the end of the line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordEnd {
    /// At a space: the value of a property line.
    Space,
    /// Nowhere else: in a list, `Node Id` is one word.
    List,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line_end: 0,
        }
    }

    /// The offset of what comes next.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes on at `at`, which must not lie before the present place.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at.max(self.at).min(self.text.len());
    }

    /// What is not read yet.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        &self.text[range]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips blanks on the line.
    pub(super) fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) || self.rest().starts_with('\u{a0}') {
            self.at += if self.peek() == Some(0xc2) { 2 } else { 1 };
        }
    }

    /// Skips blanks and line ends, and the marks that quoted mail and Markdown put before lines.
    pub(super) fn skip_to_statement(&mut self) {
        loop {
            self.skip_spaces();
            match self.peek() {
                Some(b'\n' | b'\r' | b'>') => self.at += 1,
                _ => break,
            }
        }
    }

    /// Whether nothing but blanks follows `at`.
    pub(super) fn is_blank_after(&self, at: usize) -> bool {
        self.text[at..].chars().all(char::is_whitespace)
    }

    /// The end of the present line, its line end left out. A long line is looked through once.
    pub(super) fn line_end(&mut self) -> usize {
        let is_line_end = matches!(
            self.text.as_bytes().get(self.line_end),
            None | Some(b'\n' | b'\r')
        );
        if self.line_end < self.at || !is_line_end {
            self.line_end = self
                .rest()
                .find(['\n', '\r'])
                .map_or(self.text.len(), |length| self.at + length);
        }
        self.line_end
    }

    /// Whether the words stand here, any blanks between them.
    pub(super) fn looks_at(&self, words: &[&str]) -> bool {
        self.end_of_words(words).is_some()
    }

    /// Reads the words if they stand here.
    pub(super) fn take_words(&mut self, words: &[&str]) -> bool {
        match self.end_of_words(words) {
            Some(end) => {
                self.at = end;
                true
            }
            None => false,
        }
    }

    fn end_of_words(&self, words: &[&str]) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        for word in words {
            while at > self.at && matches!(bytes.get(at), Some(b' ' | b'\t')) {
                at += 1;
            }
            if !bytes
                .get(at..at + word.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
            {
                return None;
            }
            at += word.len();
        }
        let ends = bytes
            .get(at)
            .is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'=');
        ends.then_some(at)
    }

    /// Reads `Key=`, `Key(3)=` or `"Key"(3)=` if it stands here: key and index.
    pub(super) fn take_key(&mut self) -> Option<(&'a str, Option<usize>)> {
        let (key, mut end) = self.key_at(self.at)?;
        let bytes = self.text.as_bytes();
        let mut index = None;
        if let Some(open @ (b'(' | b'[')) = bytes.get(end).copied() {
            let close = if open == b'(' { b')' } else { b']' };
            let digits = bytes[end + 1..]
                .iter()
                .take(18)
                .take_while(|b| b.is_ascii_digit())
                .count();
            index = Some(self.text[end + 1..end + 1 + digits].parse().ok()?);
            end += digits + 1;
            (bytes.get(end) == Some(&close)).then_some(())?;
            end += 1;
        }
        (bytes.get(end) == Some(&b'=')).then_some(())?;
        self.at = end + 1;
        Some((key, index))
    }

    /// Whether `key=` stands here.
    pub(super) fn looks_at_key(&self, key: &str) -> bool {
        let bytes = self.rest().as_bytes();
        bytes
            .get(..key.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(key.as_bytes()))
            && bytes.get(key.len()) == Some(&b'=')
    }

    /// A name, quoted or not, and where it ends.
    fn key_at(&self, at: usize) -> Option<(&'a str, usize)> {
        let rest = &self.text[at..];
        if let Some(quoted) = rest.strip_prefix('"') {
            let length = quoted.find(['"', '\n', '\r'])?;
            return (quoted[length..].starts_with('"') && length > 0)
                .then(|| (&quoted[..length], at + length + 2));
        }
        let length = rest
            .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '-' | ':'))
            .unwrap_or(rest.len());
        (length > 0).then(|| (&rest[..length], at + length))
    }

    /// Whether a statement begins at `at`: what may follow a value when line ends were lost.
    pub(super) fn is_statement(&self, at: usize) -> bool {
        let mut ahead = Lexer {
            text: self.text,
            at,
            line_end: 0,
        };
        ahead.is_object_word() || ahead.take_key().is_some()
    }

    /// Whether a line of the object form begins here, whatever is open.
    pub(super) fn is_object_word(&self) -> bool {
        self.looks_at(&["Begin", "Object"])
            || self.looks_at(&["End", "Object"])
            || self.looks_at(&["CustomProperties"])
    }

    /// The value of a property line or header attribute.
    pub(super) fn line_value(&mut self) -> Result<Value<'a>, LexError> {
        let start = self.at;
        let value = self.value(WordEnd::Space, 0)?;
        if !matches!(value.kind, Kind::Word(_)) {
            return Ok(value);
        }
        // A word may hold blanks if no statement follows them.
        let line_end = self.line_end();
        let mut end = self.at;
        while end < line_end {
            let Some(blank) = self.text[end..line_end].find([' ', '\t', ',', ')']) else {
                end = line_end;
                break;
            };
            let blank = end + blank;
            let after = blank + self.text[blank..line_end].len()
                - self.text[blank..line_end]
                    .trim_start_matches([' ', '\t', ',', ')'])
                    .len();
            if after == line_end || self.is_statement(after) {
                end = blank;
                break;
            }
            end = after;
        }
        self.at = end;
        let range = start..start + self.text[start..end].trim_end().len();
        Ok(Value {
            kind: Kind::Word(&self.text[range.clone()]),
            range,
        })
    }

    /// A list: what follows `CustomProperties Pin`.
    pub(super) fn list(&mut self) -> Result<Value<'a>, LexError> {
        self.value(WordEnd::List, 0)
    }

    fn value(&mut self, word_end: WordEnd, depth: usize) -> Result<Value<'a>, LexError> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'(') => self.tuple(depth),
            _ => self.word(word_end),
        }
    }

    fn string(&mut self) -> Result<Value<'a>, LexError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') if !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
                Some(b'\n' | b'\r') | None => {
                    self.at = at.min(bytes.len());
                    return Err(self.error(LexErrorKind::String, start..start + 1));
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Value {
            kind: Kind::String(&self.text[start + 1..at]),
            range: start..at + 1,
        })
    }

    fn tuple(&mut self, depth: usize) -> Result<Value<'a>, LexError> {
        let start = self.at;
        if depth >= MAX_DEPTH {
            return Err(self.error(LexErrorKind::Depth, start..start + 1));
        }
        self.at += 1;
        let mut members = Vec::new();
        loop {
            self.skip_in_list(start)?;
            let member_start = self.at;
            match self.peek() {
                Some(b')') => break,
                Some(b',') => {
                    // A comma before the closing parenthesis ends the last member only.
                    self.at += 1;
                    members.push(empty_member(member_start));
                    continue;
                }
                _ => {}
            }
            let key = self.member_key();
            if !key.is_empty() {
                self.skip_in_list(start)?;
            }
            let value = match self.peek() {
                Some(b',' | b')') => empty_member(self.at).value,
                _ => self.value(WordEnd::List, depth + 1)?,
            };
            members.push(Member {
                key,
                range: member_start..value.range.end,
                value,
            });
            self.skip_in_list(start)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b')') => break,
                _ => return Err(self.error(LexErrorKind::Separator, self.at..self.at + 1)),
            }
        }
        self.at += 1;
        Ok(Value {
            kind: Kind::Tuple(members),
            range: start..self.at,
        })
    }

    /// Skips blanks and line ends in the list that began at `start`. A line of the object form means
    /// that the list was never closed.
    fn skip_in_list(&mut self, start: usize) -> Result<(), LexError> {
        loop {
            self.skip_spaces();
            match self.peek() {
                Some(b'\n' | b'\r') => {
                    self.at += 1;
                    self.skip_spaces();
                    if self.is_object_word() {
                        return Err(self.error(LexErrorKind::List, start..start + 1));
                    }
                }
                None => return Err(self.error(LexErrorKind::List, start..start + 1)),
                Some(_) => return Ok(()),
            }
        }
    }

    /// The key of a member, with its `=`; empty for an element.
    fn member_key(&mut self) -> &'a str {
        let Some((key, mut end)) = self.key_at(self.at) else {
            return "";
        };
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut key = key;
        if matches!(bytes.get(end), Some(b'[' | b'(')) {
            let inner = bytes[end + 1..]
                .iter()
                .take(10)
                .take_while(|b| b.is_ascii_digit())
                .count();
            if inner > 0 && matches!(bytes.get(end + 1 + inner), Some(b']' | b')')) {
                end += inner + 2;
                key = &self.text[start..end];
            }
        }
        while matches!(bytes.get(end), Some(b' ' | b'\t')) {
            end += 1;
        }
        if bytes.get(end) == Some(&b'=') {
            self.at = end + 1;
            key
        } else {
            ""
        }
    }

    fn word(&mut self, word_end: WordEnd) -> Result<Value<'a>, LexError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start;
        // Only the first apostrophe can end a class, so the text before it is looked at once.
        let mut may_be_reference = true;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b',' | b')' | b'\n' | b'\r' => break,
                b' ' | b'\t' if word_end == WordEnd::Space => break,
                b'(' if at > start => return self.text_macro(start, at),
                b'\'' if at > start && may_be_reference => {
                    if let Some(value) = self.reference(start, at) {
                        return Ok(value);
                    }
                    may_be_reference = false;
                    at += 1;
                }
                _ => at += 1,
            }
        }
        self.at = at;
        let range = start..start + self.text[start..at].trim_end().len();
        Ok(Value {
            kind: Kind::Word(&self.text[range.clone()]),
            range,
        })
    }

    /// A reference whose apostrophe stands at `quote`.
    fn reference(&mut self, start: usize, quote: usize) -> Option<Value<'a>> {
        let class = &self.text[start..quote];
        if !class
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-'))
        {
            return None;
        }
        let rest = &self.text[quote + 1..];
        let (path, length) = if let Some(quoted) = rest.strip_prefix('"') {
            let length = quoted.find(['"', '\n'])?;
            quoted[length..].starts_with("\"'").then_some(())?;
            (&quoted[..length], length + 3)
        } else {
            // A path has no blank before its end, so the search is short.
            let length = rest.find(['\'', '\n', ')', '"'])?;
            rest[length..].starts_with('\'').then_some(())?;
            (&rest[..length], length + 1)
        };
        self.at = quote + 1 + length;
        Some(Value {
            kind: Kind::Object { class, path },
            range: start..self.at,
        })
    }

    /// A macro whose arguments begin at `open`.
    fn text_macro(&mut self, start: usize, open: usize) -> Result<Value<'a>, LexError> {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        self.at = open;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(b'\n' | b'\r') | None => {
                    return Err(self.error(LexErrorKind::List, open..open + 1));
                }
                Some(_) => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        Ok(Value {
            kind: Kind::Text(&self.text[start..self.at]),
            range: start..self.at,
        })
    }

    fn error(&self, kind: LexErrorKind, range: Range<usize>) -> LexError {
        let mut end = range.end.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        LexError {
            range: range.start..end,
            kind,
            at_end: self.is_blank_after(self.at),
        }
    }
}

fn empty_member(at: usize) -> Member<'static> {
    Member {
        key: "",
        value: Value {
            kind: Kind::Word(""),
            range: at..at,
        },
        range: at..at,
    }
}
