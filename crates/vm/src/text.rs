//! Text forms of values: what `Conv_…ToString` functions and variable listings show.

use std::fmt::Write;

use crate::ids::{NameId, ObjectHandle, TypeId};
use crate::memory::{Place, Words};
use crate::types::Kind;
use crate::vm::Vm;

/// A real: fixed notation, at most six digits behind the point without zeros at the end, and at
/// least one.
///
/// Source: assumed (facts: likely).
pub(crate) fn real(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let mut text = format!("{value:.6}");
    let point = text.find('.').expect("fixed notation has a point");
    let digits = text.trim_end_matches('0').len().max(point + 2);
    text.truncate(digits);
    text
}

/// A real with a fixed number of digits, never `-0.000`.
pub(crate) fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    match text.strip_prefix('-') {
        Some(rest) if is_zero => rest.to_owned(),
        _ => text,
    }
}

pub(crate) fn vector(x: f64, y: f64, z: f64) -> String {
    format!("X={} Y={} Z={}", fixed(x, 3), fixed(y, 3), fixed(z, 3))
}

pub(crate) fn vector2d(x: f64, y: f64) -> String {
    format!("X={} Y={}", fixed(x, 3), fixed(y, 3))
}

/// Pitch, yaw, roll, with six digits.
pub(crate) fn rotator(pitch: f64, yaw: f64, roll: f64) -> String {
    format!(
        "P={} Y={} R={}",
        fixed(pitch, 6),
        fixed(yaw, 6),
        fixed(roll, 6)
    )
}

pub(crate) fn color(r: f64, g: f64, b: f64, a: f64) -> String {
    format!(
        "(R={},G={},B={},A={})",
        fixed(r, 6),
        fixed(g, 6),
        fixed(b, 6),
        fixed(a, 6)
    )
}

/// Up to six significant digits, without zeros at the end (`%g` of C).
pub(crate) fn general(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}").to_lowercase();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..6).contains(&exponent) {
        let text = format!("{value:.5e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        let power: i32 = power.parse().unwrap_or_default();
        let sign = if power < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", power.abs());
    }
    let text = format!("{value:.*}", (5 - exponent).max(0) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Text that stops where memory does.
struct Cut {
    text: String,
    /// Bytes that the text may take.
    room: usize,
    is_full: bool,
}

impl Write for Cut {
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        let left = self.room - self.text.len();
        if part.len() <= left && !self.is_full {
            self.text.push_str(part);
            return Ok(());
        }
        if !self.is_full {
            self.is_full = true;
            let mut end = left.min(part.len());
            while !part.is_char_boundary(end) {
                end -= 1;
            }
            self.text.push_str(&part[..end]);
        }
        Err(std::fmt::Error)
    }
}

impl Vm {
    /// The text form of the value at a place. One that takes more memory than is left ends in `…`.
    pub(crate) fn shown(&self, place: Place, ty: TypeId) -> String {
        let mut room = self.memory.budget.left();
        self.shown_within(place, ty, &mut room)
    }

    /// The same for one of several texts, which share the bytes that are left.
    pub(crate) fn shown_within(&self, place: Place, ty: TypeId, room: &mut u64) -> String {
        let words = self.memory.types.words(ty);
        let words = Words::from_slice(self.memory.read(place, words));
        let mut out = Cut {
            text: String::new(),
            room: usize::try_from(*room).unwrap_or(usize::MAX),
            is_full: false,
        };
        self.show(&mut out, ty, &words, false);
        *room -= out.text.len() as u64;
        if out.is_full {
            out.text.push('…');
        }
        out.text
    }

    /// `nested` values quote their strings, so that the parts of a whole can be told apart.
    fn show(&self, out: &mut Cut, ty: TypeId, words: &[u64], nested: bool) {
        let Some(&word) = words.first() else {
            return;
        };
        // What does not fit any more is left out.
        let _ = match self.memory.types.kind(ty) {
            Kind::Nothing | Kind::Wildcard => write!(out, "()"),
            Kind::Bool => write!(out, "{}", word != 0),
            Kind::Byte(Some(path)) => {
                let entry = self.program.registry.enumeration(path).and_then(|e| {
                    e.entries
                        .iter()
                        .find(|entry| entry.value == Some(word as i64))
                });
                match entry {
                    Some(entry) => write!(out, "{}", entry.name),
                    None => write!(out, "{word}"),
                }
            }
            Kind::Byte(None) | Kind::UInt(_) => write!(out, "{word}"),
            Kind::Int(_) => write!(out, "{}", word as i64),
            Kind::Float | Kind::Double => write!(out, "{}", real(f64::from_bits(word))),
            Kind::Name => write!(out, "{}", self.names.name(NameId(word as u32))),
            Kind::Str if nested => write!(out, "{:?}", self.memory.string(word)),
            Kind::Str | Kind::Path => write!(out, "{}", self.memory.string(word)),
            Kind::Text if nested => write!(out, "{:?}", self.memory.text_string(word)),
            Kind::Text => write!(out, "{}", self.memory.text_string(word)),
            Kind::Object | Kind::Class => write!(out, "{}", self.object_name(ObjectHandle(word))),
            Kind::Delegate => self.show_binding(out, word, words[1]),
            Kind::Multicast => {
                let bound = self.memory.bindings(word);
                show_list(out, '[', ']', bound.iter(), |out, (object, name)| {
                    let _ = self.show_binding(out, object.0, u64::from(name.0));
                });
                Ok(())
            }
            Kind::Struct(id) => {
                let info = self.memory.types.structure(*id);
                if info.fields.is_empty() {
                    let _ = write!(out, "({word})");
                    return;
                }
                show_list(out, '(', ')', info.fields.iter(), |out, field| {
                    let start = field.offset as usize;
                    let end = start + self.memory.types.words(field.ty) as usize;
                    let _ = write!(out, "{}=", field.name);
                    self.show(out, field.ty, &words[start..end], true);
                });
                Ok(())
            }
            Kind::Array(element) | Kind::Repeated(element, _) => {
                let stride = self.memory.types.words(*element) as usize;
                let elements = match self.memory.types.array_element(ty) {
                    Some(_) => self.memory.elements(word),
                    None => words,
                };
                show_list(out, '[', ']', elements.chunks_exact(stride), |out, part| {
                    self.show(out, *element, part, true);
                });
                Ok(())
            }
            Kind::Set(_) | Kind::Map(..) => {
                let Some(table) = self.memory.tables.get(word) else {
                    let _ = out.write_str("{}");
                    return;
                };
                show_list(out, '{', '}', table.blocks(), |out, (key, value)| {
                    self.show(out, table.key, key, true);
                    if let Some(ty) = table.value {
                        let _ = out.write_str(": ");
                        self.show(out, ty, value, true);
                    }
                });
                Ok(())
            }
        };
    }

    fn show_binding(&self, out: &mut Cut, object: u64, name: u64) -> std::fmt::Result {
        if object == 0 {
            return write!(out, "None");
        }
        let name = self.names.name(NameId(name as u32));
        write!(out, "{}.{name}", self.object_name(ObjectHandle(object)))
    }
}

fn show_list<T>(
    out: &mut Cut,
    open: char,
    close: char,
    parts: impl Iterator<Item = T>,
    mut show: impl FnMut(&mut Cut, T),
) {
    let _ = out.write_char(open);
    for (index, part) in parts.enumerate() {
        if out.is_full {
            return;
        }
        if index > 0 {
            let _ = out.write_str(", ");
        }
        show(out, part);
    }
    let _ = out.write_char(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_have_one_to_six_digits() {
        for (value, text) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (1.0 / 3.0, "0.333333"),
            (1e-9, "0.0"),
            (100.0, "100.0"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(real(value), text);
        }
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.5, "0.5"),
            (1_234_567.0, "1.23457e+06"),
            (0.000_012_5, "1.25e-05"),
            (100.25, "100.25"),
        ] {
            assert_eq!(general(value), text);
        }
        assert_eq!(vector(1.0, -0.0001, 2.5), "X=1.000 Y=0.000 Z=2.500");
    }
}
