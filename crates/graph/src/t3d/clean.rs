//! Bytes to text, and text as pages carry it to text as the editor wrote it.
//!
//! Node text travels through chats, documentation pages, issue trackers and JSON files. Three of these
//! change it in ways that can be undone: Markdown puts backslashes before punctuation, HTML replaces
//! quotes by entities, a JSON file holds the text as one escaped string. The header of the first object
//! tells which: its `Name=` is followed by a plain quote in undamaged text.

use std::borrow::Cow;

/// A text made of a source text, with the way back from its offsets to those of the source.
#[derive(Clone, Debug)]
pub(super) struct Cleaned<'a> {
    /// The text to read.
    pub(super) text: Cow<'a, str>,
    /// Places where the distance between the two texts changes: offset in `text`, offset in the source.
    /// Sorted by both; the first starts at 0.
    map: Vec<(u32, u32)>,
}

impl<'a> Cleaned<'a> {
    /// A text that is its own source, from `base` on.
    pub(super) fn plain(text: &'a str, base: u32) -> Self {
        Self {
            text: Cow::Borrowed(text),
            map: vec![(0, base)],
        }
    }

    /// The source's offset of an offset of the text.
    pub(super) fn source_offset(&self, offset: usize) -> usize {
        let offset = offset as u32;
        let idx = self.map.partition_point(|(own, _)| *own <= offset) - 1;
        let (own, source) = self.map[idx];
        (source + (offset - own)) as usize
    }

    /// The same way back, for a text made of this one by `rewritten`.
    fn then(&self, rewritten: Rewritten) -> Cleaned<'static> {
        Cleaned {
            map: rewritten
                .map
                .iter()
                .map(|(own, middle)| (*own, self.source_offset(*middle as usize) as u32))
                .collect(),
            text: Cow::Owned(rewritten.text),
        }
    }

    /// A text that was an escaped string at `start` of this one: the text of a `NodesString`.
    pub(super) fn unescaped(&self, start: usize, raw: &str) -> Cleaned<'static> {
        let mut out = Rewritten::default();
        unescape_into(raw, start, &mut out);
        self.then(out)
    }
}

/// A text under construction with the offsets its parts came from.
#[derive(Default)]
pub(super) struct Rewritten {
    text: String,
    map: Vec<(u32, u32)>,
}

impl Rewritten {
    /// Adds a part that starts at `at` in the source.
    fn push(&mut self, part: &str, at: usize) {
        let own = self.text.len() as u32;
        let at = at as u32;
        let continues = self
            .map
            .last()
            .is_some_and(|(last_own, last_at)| at.checked_sub(*last_at) == Some(own - last_own));
        if !continues {
            self.map.push((own, at));
        }
        self.text.push_str(part);
    }

    fn push_char(&mut self, c: char, at: usize) {
        self.push(c.encode_utf8(&mut [0; 4]), at);
    }
}

/// Undoes what the way of the text has done to it.
pub(super) fn clean(source: &str) -> Cleaned<'_> {
    let text = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut cleaned = Cleaned::plain(text, (source.len() - text.len()) as u32);
    // Each way is looked for once, outermost first: a JSON file may hold what was cut from a page.
    for _ in 0..3 {
        let rewritten = match Damage::of(&cleaned.text) {
            Damage::None => break,
            Damage::Json => json_strings(&cleaned.text),
            Damage::Html => html_entities(&cleaned.text),
            Damage::Markdown => markdown_escapes(&cleaned.text),
        };
        cleaned = cleaned.then(rewritten);
    }
    cleaned
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Damage {
    None,
    Json,
    Html,
    Markdown,
}

impl Damage {
    fn of(text: &str) -> Self {
        let Some(begin) = text.find("Begin Object") else {
            return Self::None;
        };
        let header = &text[begin..];
        let header = &header[..header.find(['\n', '\r']).unwrap_or(header.len())];
        let Some(name) = header.find("Name=") else {
            return Self::None;
        };
        let value = &header[name + "Name=".len()..];
        if value.starts_with("\\\"") {
            Self::Json
        } else if ["&quot;", "&#34;", "&#x22;"]
            .iter()
            .any(|entity| value.starts_with(entity))
        {
            Self::Html
        } else if header[..name].contains("\\_")
            || value.split('"').nth(1).unwrap_or("").contains("\\_")
        {
            Self::Markdown
        } else {
            Self::None
        }
    }
}

/// The strings of a JSON text that hold objects, unescaped, a line break between them.
fn json_strings(text: &str) -> Rewritten {
    let mut out = Rewritten::default();
    let mut at = 0;
    while let Some(found) = text[at..].find("Begin Object") {
        let start = at + found;
        let bytes = text.as_bytes();
        let mut end = start;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        // A backslash can be the last byte, or stand before a character of several bytes.
        end = end.min(bytes.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        unescape_into(&text[start..end], start, &mut out);
        out.push_char('\n', end);
        at = end;
    }
    out
}

/// Named and numbered entities; what is no entity stays.
fn html_entities(text: &str) -> Rewritten {
    const NAMED: [(&str, char); 6] = [
        ("quot", '"'),
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("apos", '\''),
        ("nbsp", ' '),
    ];
    let mut out = Rewritten::default();
    let mut rest = 0;
    for (at, _) in text.match_indices('&') {
        if at < rest {
            continue;
        }
        let Some(length) = text.as_bytes()[at + 1..]
            .iter()
            .take(9)
            .position(|b| *b == b';')
        else {
            continue;
        };
        let body = &text[at + 1..at + 1 + length];
        let named = NAMED.iter().find(|(name, _)| *name == body);
        let c = match (named, body.strip_prefix('#')) {
            (Some((_, c)), _) => Some(*c),
            (None, Some(number)) => {
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok(),
                    None => number.parse().ok(),
                };
                code.and_then(char::from_u32)
            }
            (None, None) => None,
        };
        if let Some(c) = c {
            out.push(&text[rest..at], rest);
            out.push_char(c, at);
            rest = at + length + 2;
        }
    }
    out.push(&text[rest..], rest);
    out
}

/// Backslashes before the punctuation that Markdown gives a meaning. Quotes and backslashes are left
/// alone: before them a backslash is the editor's own.
fn markdown_escapes(text: &str) -> Rewritten {
    let mut out = Rewritten::default();
    let mut rest = 0;
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices('\\') {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        if at >= rest && b"_*[](){}<>#+-.!~`|&=".contains(&next) {
            out.push(&text[rest..at], rest);
            rest = at + 1;
        }
    }
    out.push(&text[rest..], rest);
    out
}

/// What the escapes of a quoted string mean, as the editor and JSON write them.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = Rewritten::default();
    unescape_into(raw, 0, &mut out);
    Cow::Owned(out.text)
}

fn unescape_into(raw: &str, base: usize, out: &mut Rewritten) {
    let bytes = raw.as_bytes();
    let mut rest = 0;
    let mut at = 0;
    while let Some(found) = raw[at..].find('\\') {
        let start = at + found;
        let hex = |from: usize, most: usize| {
            let digits = bytes[from.min(bytes.len())..]
                .iter()
                .take(most)
                .take_while(|b| b.is_ascii_hexdigit())
                .count();
            let value = u32::from_str_radix(&raw[from..from + digits], 16).ok();
            value.map(|value| (value, from + digits))
        };
        let meant = match bytes.get(start + 1) {
            Some(b'n') => Some(('\n', start + 2)),
            Some(b'r') => Some(('\r', start + 2)),
            Some(b't') => Some(('\t', start + 2)),
            Some(c @ (b'"' | b'\'' | b'\\' | b'/')) => Some((char::from(*c), start + 2)),
            Some(b'0'..=b'7') => {
                let digits = bytes[start + 1..]
                    .iter()
                    .take(3)
                    .take_while(|b| matches!(b, b'0'..=b'7'))
                    .count();
                u32::from_str_radix(&raw[start + 1..start + 1 + digits], 8)
                    .ok()
                    .and_then(char::from_u32)
                    .map(|c| (c, start + 1 + digits))
            }
            Some(b'x') => {
                hex(start + 2, 2).and_then(|(value, end)| Some((char::from_u32(value)?, end)))
            }
            Some(b'u') => hex(start + 2, 4).and_then(|(value, end)| {
                // Two escapes make one character beyond the first plane.
                if (0xd800..0xdc00).contains(&value) && raw[end..].starts_with("\\u") {
                    let (low, end) = hex(end + 2, 4)?;
                    let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
                    let c = char::from_u32(0x1_0000 + ((value - 0xd800) << 10) + low)?;
                    return Some((c, end));
                }
                Some((char::from_u32(value)?, end))
            }),
            Some(b'U') => {
                hex(start + 2, 8).and_then(|(value, end)| Some((char::from_u32(value)?, end)))
            }
            _ => None,
        };
        match meant {
            Some((c, end)) => {
                out.push(&raw[rest..start], base + rest);
                out.push_char(c, base + start);
                rest = end;
                at = end;
            }
            // An escape nobody knows means itself.
            None => at = start + 1,
        }
    }
    out.push(&raw[rest..], base + rest);
}

/// The text of a file's bytes: UTF-8, or UTF-16 of either order with or without its mark.
///
/// # Errors
/// When the bytes are neither; the text says at which byte they stop to be.
pub fn decode_bytes(bytes: &[u8]) -> Result<String, String> {
    let utf16 = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| read([pair[0], pair[1]]))
            .collect();
        let text = String::from_utf16(&units);
        match text {
            Ok(text) if bytes.len().is_multiple_of(2) => Ok(text),
            Ok(_) => Err("the UTF-16 text ends inside a character".to_owned()),
            Err(_) => Err("the UTF-16 text holds half a surrogate pair".to_owned()),
        }
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        // The first character of node text is ASCII, so a zero beside it tells the order.
        [first, 0, ..] if *first != 0 => utf16(bytes, u16::from_le_bytes),
        [0, second, ..] if *second != 0 => utf16(bytes, u16::from_be_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Result<String, String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => Err(format!(
            "byte {} is neither UTF-8 nor, by its beginning, UTF-16",
            error.valid_up_to()
        )),
    }
}
