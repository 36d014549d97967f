//! `KismetStringLibrary`. Positions and lengths count UTF-16 units, as the engine's do on the
//! platforms its editor runs on.

use glam::{DVec2, DVec3};

use super::values::{ArrayArg, LinearColor, Rotator, Transform};
use super::{Native, NativeCall, Out, Str};
use crate::error::Run;
use crate::ids::{NameId, ObjectHandle};
use crate::memory::eq_fold;
use crate::{native, text};

pub(super) const ROWS: &[Native] =
    &[
        native!(
            "KismetStringLibrary.Conv_BoolToString",
            |value: bool| -> String { value.to_string() }
        ),
        native!(
            "KismetStringLibrary.Conv_ByteToString",
            |value: u8| -> String { value.to_string() }
        ),
        native!(
            "KismetStringLibrary.Conv_IntToString",
            |value: i32| -> String { value.to_string() }
        ),
        native!(
            "KismetStringLibrary.Conv_Int64ToString",
            |value: i64| -> String { value.to_string() }
        ),
        native!(
            "KismetStringLibrary.Conv_FloatToString",
            |value: f64| -> String { text::real(value) }
        ),
        native!(
            "KismetStringLibrary.Conv_DoubleToString",
            |value: f64| -> String { text::real(value) }
        ),
        native!("KismetStringLibrary.Conv_NameToString", |call,
                                                          value: NameId|
         -> String {
            Ok(call.name(value).to_string())
        }),
        native!(
            "KismetStringLibrary.Conv_ObjectToString",
            |call, value: ObjectHandle| -> String { Ok(call.vm.object_name(value)) }
        ),
        native!(
            "KismetStringLibrary.Conv_VectorToString",
            |v: DVec3| -> String { text::vector(v.x, v.y, v.z) }
        ),
        native!(
            "KismetStringLibrary.Conv_Vector3fToString",
            |v: DVec3| -> String { text::vector(v.x, v.y, v.z) }
        ),
        native!(
            "KismetStringLibrary.Conv_Vector2dToString",
            |v: DVec2| -> String { text::vector2d(v.x, v.y) }
        ),
        native!(
            "KismetStringLibrary.Conv_RotatorToString",
            |r: Rotator| -> String { text::rotator(r.pitch, r.yaw, r.roll) }
        ),
        native!(
            "KismetStringLibrary.Conv_TransformToString",
            |t: Transform| -> String { transform(t) }
        ),
        native!(
            "KismetStringLibrary.Conv_ColorToString",
            |c: LinearColor| -> String { text::color(c.r, c.g, c.b, c.a) }
        ),
        native!("KismetStringLibrary.Conv_StringToName", |call,
                                                          text: Str|
         -> NameId {
            Ok(call.intern(&text))
        }),
        native!("KismetStringLibrary.Conv_StringToInt", |text: Str| -> i32 {
            leading_int(&text).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
        }),
        native!(
            "KismetStringLibrary.Conv_StringToInt64",
            |text: Str| -> i64 { leading_int(&text) }
        ),
        native!(
            "KismetStringLibrary.Conv_StringToFloat",
            |text: Str| -> f64 { leading_real(&text) }
        ),
        native!(
            "KismetStringLibrary.Conv_StringToDouble",
            |text: Str| -> f64 { leading_real(&text) }
        ),
        native!(
            "KismetStringLibrary.Conv_StringToVector3f",
            |call, text: Str, vector: Out<DVec3>, valid: Out<bool>| {
                let parts = labelled(&text, &["X", "Y", "Z"]);
                call.set(valid, parts.is_some());
                let parts = parts.unwrap_or_default();
                call.set(
                    vector,
                    DVec3::new(part(&parts, 0), part(&parts, 1), part(&parts, 2)),
                );
                Ok(())
            }
        ),
        native!("KismetStringLibrary.Conv_StringToVector", |call,
                                                            text: Str,
                                                            vector: Out<
            DVec3,
        >,
                                                            valid: Out<
            bool,
        >| {
            let parts = labelled(&text, &["X", "Y", "Z"]);
            call.set(valid, parts.is_some());
            let parts = parts.unwrap_or_default();
            call.set(
                vector,
                DVec3::new(part(&parts, 0), part(&parts, 1), part(&parts, 2)),
            );
            Ok(())
        }),
        native!(
            "KismetStringLibrary.Conv_StringToVector2D",
            |call, text: Str, vector: Out<DVec2>, valid: Out<bool>| {
                let parts = labelled(&text, &["X", "Y"]);
                call.set(valid, parts.is_some());
                let parts = parts.unwrap_or_default();
                call.set(vector, DVec2::new(part(&parts, 0), part(&parts, 1)));
                Ok(())
            }
        ),
        native!(
            "KismetStringLibrary.Conv_StringToRotator",
            |call, text: Str, rotator: Out<Rotator>, valid: Out<bool>| {
                let parts = labelled(&text, &["P", "Y", "R"]);
                call.set(valid, parts.is_some());
                let parts = parts.unwrap_or_default();
                call.set(
                    rotator,
                    Rotator::new(part(&parts, 0), part(&parts, 1), part(&parts, 2)),
                );
                Ok(())
            }
        ),
        native!("KismetStringLibrary.Conv_StringToColor", |call,
                                                           text: Str,
                                                           color: Out<
            LinearColor,
        >,
                                                           valid: Out<
            bool,
        >| {
            let parts = labelled(&text, &["R", "G", "B", "A"]);
            call.set(valid, parts.is_some());
            let parts = parts.unwrap_or_default();
            let color_value = LinearColor {
                r: part(&parts, 0),
                g: part(&parts, 1),
                b: part(&parts, 2),
                a: part(&parts, 3),
            };
            call.set(color, color_value);
            Ok(())
        }),
        native!("KismetStringLibrary.BuildString_Bool", |to: Str,
                                                         before: Str,
                                                         value: bool,
                                                         after: Str|
         -> String {
            format!("{}{}{value}{}", &*to, &*before, &*after)
        }),
        native!("KismetStringLibrary.BuildString_Int", |to: Str,
                                                        before: Str,
                                                        value: i32,
                                                        after: Str|
         -> String {
            format!("{}{}{value}{}", &*to, &*before, &*after)
        }),
        native!("KismetStringLibrary.BuildString_Float", |to: Str,
                                                          before: Str,
                                                          value: f64,
                                                          after: Str|
         -> String {
            format!("{}{}{}{}", &*to, &*before, text::real(value), &*after)
        }),
        native!(
            "KismetStringLibrary.BuildString_Double",
            |to: Str, before: Str, value: f64, after: Str| -> String {
                format!("{}{}{}{}", &*to, &*before, text::real(value), &*after)
            }
        ),
        native!("KismetStringLibrary.BuildString_Name", |call,
                                                         to: Str,
                                                         before: Str,
                                                         value: NameId,
                                                         after: Str|
         -> String {
            Ok(format!(
                "{}{}{}{}",
                &*to,
                &*before,
                call.name(value),
                &*after
            ))
        }),
        native!(
            "KismetStringLibrary.BuildString_Object",
            |call, to: Str, before: Str, value: ObjectHandle, after: Str| -> String {
                Ok(format!(
                    "{}{}{}{}",
                    &*to,
                    &*before,
                    call.vm.object_name(value),
                    &*after
                ))
            }
        ),
        native!(
            "KismetStringLibrary.BuildString_Vector",
            |to: Str, before: Str, v: DVec3, after: Str| -> String {
                format!(
                    "{}{}{}{}",
                    &*to,
                    &*before,
                    text::vector(v.x, v.y, v.z),
                    &*after
                )
            }
        ),
        native!(
            "KismetStringLibrary.BuildString_Vector2d",
            |to: Str, before: Str, v: DVec2, after: Str| -> String {
                format!(
                    "{}{}{}{}",
                    &*to,
                    &*before,
                    text::vector2d(v.x, v.y),
                    &*after
                )
            }
        ),
        native!(
            "KismetStringLibrary.BuildString_Rotator",
            |to: Str, before: Str, r: Rotator, after: Str| -> String {
                format!(
                    "{}{}{}{}",
                    &*to,
                    &*before,
                    text::rotator(r.pitch, r.yaw, r.roll),
                    &*after
                )
            }
        ),
        native!("KismetStringLibrary.BuildString_Color", |to: Str,
                                                          before: Str,
                                                          c: LinearColor,
                                                          after: Str|
         -> String {
            format!(
                "{}{}{}{}",
                &*to,
                &*before,
                text::color(c.r, c.g, c.b, c.a),
                &*after
            )
        }),
        native!("KismetStringLibrary.Concat_StrStr", |a: Str,
                                                      b: Str|
         -> Str {
            joined(&a, &b)
        }),
        native!("KismetStringLibrary.EqualEqual_StrStr", |a: Str,
                                                          b: Str|
         -> bool {
            *a == *b
        }),
        native!("KismetStringLibrary.NotEqual_StrStr", |a: Str,
                                                        b: Str|
         -> bool {
            *a != *b
        }),
        native!("KismetStringLibrary.EqualEqual_StriStri", |a: Str,
                                                            b: Str|
         -> bool {
            eq_fold(&a, &b)
        }),
        native!("KismetStringLibrary.NotEqual_StriStri", |a: Str,
                                                          b: Str|
         -> bool {
            !eq_fold(&a, &b)
        }),
        native!("KismetStringLibrary.Len", |text: Str| -> i32 {
            text.encode_utf16().count() as i32
        }),
        native!("KismetStringLibrary.IsEmpty", |text: Str| -> bool {
            text.is_empty()
        }),
        native!("KismetStringLibrary.GetSubstring", |text: Str,
                                                     start: i32,
                                                     length: i32|
         -> String {
            if start < 0 {
                String::new()
            } else {
                mid(&text, start, length)
            }
        }),
        native!("KismetStringLibrary.Mid", |text: Str,
                                            start: i32,
                                            count: i32|
         -> String {
            mid(&text, start, count)
        }),
        native!("KismetStringLibrary.Left", |text: Str,
                                             count: i32|
         -> String {
            mid(&text, 0, count)
        }),
        native!("KismetStringLibrary.LeftChop", |text: Str,
                                                 count: i32|
         -> String {
            mid(&text, 0, units(&text).len() as i32 - count.max(0))
        }),
        native!("KismetStringLibrary.Right", |text: Str,
                                              count: i32|
         -> String {
            let len = units(&text).len() as i32;
            mid(&text, len - count.clamp(0, len), i32::MAX)
        }),
        native!("KismetStringLibrary.RightChop", |text: Str,
                                                  count: i32|
         -> String {
            mid(&text, count.max(0), i32::MAX)
        }),
        native!("KismetStringLibrary.LeftPad", |call,
                                                text: Str,
                                                width: i32|
         -> String {
            Ok([&*padding(call, &text, width)?, &*text].concat())
        }),
        native!("KismetStringLibrary.RightPad", |call,
                                                 text: Str,
                                                 width: i32|
         -> String {
            Ok([&*text, &*padding(call, &text, width)?].concat())
        }),
        native!("KismetStringLibrary.ToUpper", |text: Str| -> String {
            text.to_uppercase()
        }),
        native!("KismetStringLibrary.ToLower", |text: Str| -> String {
            text.to_lowercase()
        }),
        native!("KismetStringLibrary.Trim", |text: Str| -> String {
            text.trim_start().to_owned()
        }),
        native!("KismetStringLibrary.TrimTrailing", |text: Str| -> String {
            text.trim_end().to_owned()
        }),
        native!("KismetStringLibrary.Reverse", |text: Str| -> String {
            text.chars().rev().collect()
        }),
        native!("KismetStringLibrary.Contains", |text: Str,
                                                 part: Str,
                                                 with_case: bool,
                                                 from_end: bool|
         -> bool {
            find(&text, &part, with_case, from_end, -1).is_some()
        }),
        native!("KismetStringLibrary.FindSubstring", |text: Str,
                                                      part: Str,
                                                      with_case: bool,
                                                      from_end: bool,
                                                      start: i32|
         -> i32 {
            find(&text, &part, with_case, from_end, start).map_or(-1, |at| at as i32)
        }),
        native!("KismetStringLibrary.StartsWith", |text: Str,
                                                   part: Str,
                                                   search: u8|
         -> bool {
            let (text, part) = (folded(&text, search), folded(&part, search));
            !part.is_empty() && text.starts_with(&part)
        }),
        native!("KismetStringLibrary.EndsWith", |text: Str,
                                                 part: Str,
                                                 search: u8|
         -> bool {
            let (text, part) = (folded(&text, search), folded(&part, search));
            !part.is_empty() && text.ends_with(&part)
        }),
        native!("KismetStringLibrary.Replace", |call,
                                                text: Str,
                                                from: Str,
                                                to: Str,
                                                search: u8|
         -> String {
            let places = occurrences(&text, &from, search);
            call.ask(text.len() + places.len() * to.len())?;
            Ok(replace(&text, &places, &from, &to))
        }),
        native!("KismetStringLibrary.ReplaceInline", |call,
                                                      text: Out<String>,
                                                      from: Str,
                                                      to: Str,
                                                      search: u8|
         -> i32 {
            let old = call.get(text);
            let places = occurrences(&old, &from, search);
            call.ask(old.len() + places.len() * to.len())?;
            call.set(text, replace(&old, &places, &from, &to));
            Ok(places.len() as i32)
        }),
        native!("KismetStringLibrary.Split", |call,
                                              text: Str,
                                              at: Str,
                                              left: Out<String>,
                                              right: Out<String>,
                                              search: u8,
                                              direction: u8|
         -> bool {
            let found = find(&text, &at, search == CASE_SENSITIVE, direction != 0, -1);
            if let Some(found) = found {
                call.set(left, mid(&text, 0, found as i32));
                let behind = found + units(&at).len();
                call.set(right, mid(&text, behind as i32, i32::MAX));
            } else {
                call.set(left, String::new());
                call.set(right, String::new());
            }
            Ok(found.is_some())
        }),
        native!(
            "KismetStringLibrary.ParseIntoArray",
            |call, text: Str, delimiter: Str, cull: bool| {
                if !delimiter.is_empty() {
                    let n_parts = text.matches(&*delimiter).count() + 1;
                    call.ask(n_parts * PART + text.len())?;
                }
                let parts: Vec<String> = if text.is_empty() {
                    Vec::new()
                } else if delimiter.is_empty() {
                    vec![text.to_string()]
                } else {
                    text.split(&*delimiter)
                        .filter(|part| !(cull && part.is_empty()))
                        .map(str::to_owned)
                        .collect()
                };
                call.give_elements(parts);
                Ok(())
            }
        ),
        native!("KismetStringLibrary.JoinStringArray", |call,
                                                        source: ArrayArg,
                                                        separator: Str|
         -> String {
            let parts: Vec<Str> = call.elements(source);
            let bytes: usize = parts.iter().map(|part| part.len()).sum();
            call.ask(bytes + parts.len() * separator.len())?;
            let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
            Ok(parts.join(&separator))
        }),
        native!("KismetStringLibrary.CullArray", |call,
                                                  _text: Str,
                                                  array: ArrayArg|
         -> i32 {
            let mut parts: Vec<Str> = call.elements(array);
            parts.retain(|part| !part.is_empty());
            let count = parts.len() as i32;
            call.set_elements(array, parts);
            Ok(count)
        }),
        native!(
            "KismetStringLibrary.GetCharacterArrayFromString",
            |call, text: Str| {
                call.ask(text.chars().count() * PART)?;
                let parts: Vec<String> = text.chars().map(String::from).collect();
                call.give_elements(parts);
                Ok(())
            }
        ),
        native!("KismetStringLibrary.GetCharacterAsNumber", |text: Str,
                                                             index: i32|
         -> i32 {
            let unit = usize::try_from(index)
                .ok()
                .and_then(|at| units(&text).get(at).copied());
            unit.map_or(0, i32::from)
        }),
        native!("KismetStringLibrary.IsNumeric", |text: Str| -> bool {
            is_numeric(&text)
        }),
        native!("KismetStringLibrary.MatchesWildcard", |call,
                                                        text: Str,
                                                        pattern: Str,
                                                        search: u8|
         -> bool {
            let text: Vec<char> = folded(&text, search).chars().collect();
            let pattern: Vec<char> = folded(&pattern, search).chars().collect();
            let (matches, steps) = matches_wildcard(&text, &pattern);
            call.work(steps);
            Ok(matches)
        }),
        native!(
            "KismetStringLibrary.TimeSecondsToString",
            |seconds: f64| -> String {
                let sign = if seconds < 0.0 { "-" } else { "" };
                let hundredths = (seconds.abs() * 100.0) as i64;
                let (minutes, rest) = (hundredths / 6000, hundredths % 6000);
                format!("{sign}{minutes:02}:{:02}.{:02}", rest / 100, rest % 100)
            }
        ),
        native!("KismetMathLibrary.SelectString", |a: Str,
                                                   b: Str,
                                                   pick_a: bool|
         -> Str {
            if pick_a { a } else { b }
        }),
    ];

/// The entry of `ESearchCase` that looks at case.
const CASE_SENSITIVE: u8 = 0;

pub(super) fn transform(t: Transform) -> String {
    let r = Rotator::from_quat(t.rotation);
    format!(
        "Translation: {} Rotation: {} Scale {}",
        text::vector(t.translation.x, t.translation.y, t.translation.z),
        text::rotator(r.pitch, r.yaw, r.roll),
        text::vector(t.scale.x, t.scale.y, t.scale.z)
    )
}

/// Two strings as one, allocated once if it is short.
fn joined(a: &str, b: &str) -> Str {
    let mut buffer = [0; 256];
    let len = a.len() + b.len();
    let Some(bytes) = buffer.get_mut(..len) else {
        return Str([a, b].concat().into());
    };
    bytes[..a.len()].copy_from_slice(a.as_bytes());
    bytes[a.len()..].copy_from_slice(b.as_bytes());
    let text = std::str::from_utf8(bytes).expect("two texts are one");
    Str(text.into())
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// `count` units from `start` on; both are cut to what is there.
fn mid(text: &str, start: i32, count: i32) -> String {
    let units = units(text);
    let end = (i64::from(start) + i64::from(count)).clamp(0, units.len() as i64) as usize;
    let start = (start.max(0) as usize).min(units.len());
    String::from_utf16_lossy(units.get(start..end).unwrap_or_default())
}

fn folded(text: &str, search: u8) -> String {
    if search == CASE_SENSITIVE {
        text.to_owned()
    } else {
        text.to_lowercase()
    }
}

/// Bytes that a string of its own takes at least, as an element of an array.
const PART: usize = 96;

/// The spaces that bring a text to a width.
fn padding(call: &mut NativeCall<'_>, text: &str, width: i32) -> Run<String> {
    let missing = i64::from(width) - units(text).len() as i64;
    let missing = missing.max(0) as usize;
    call.ask(missing)?;
    Ok(" ".repeat(missing))
}

/// A text to search in: as it is, or without case. Each character keeps its length in units, so one that
/// becomes several stays as it is.
fn searched(text: &str, with_case: bool) -> String {
    if with_case {
        return text.to_owned();
    }
    text.chars()
        .map(|c| {
            let mut lower = c.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(one), None) if one.len_utf16() == c.len_utf16() => one,
                _ => c,
            }
        })
        .collect()
}

fn n_units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The byte at which the character `at` units in begins, the next one if that is inside of a character.
fn byte_at(text: &str, at: usize) -> usize {
    let mut units = 0;
    text.char_indices()
        .find(|(_, c)| {
            let is_here = units >= at;
            units += c.len_utf16();
            is_here
        })
        .map_or(text.len(), |(byte, _)| byte)
}

/// Where a part begins, in units. From the end, the start is where the part may begin at the latest.
fn find(text: &str, part: &str, with_case: bool, from_end: bool, start: i32) -> Option<usize> {
    let (text, part) = (searched(text, with_case), searched(part, with_case));
    let last = n_units(&text).checked_sub(n_units(&part))?;
    if part.is_empty() {
        return None;
    }
    let found = if from_end {
        let latest = match usize::try_from(start) {
            Ok(start) => start.min(last),
            Err(_) => last,
        };
        text[..byte_at(&text, latest + n_units(&part))].rfind(&part)
    } else {
        let first = byte_at(&text, start.max(0) as usize);
        text[first..].find(&part).map(|at| first + at)
    };
    found.map(|at| n_units(&text[..at]))
}

/// Where a part is, in units, from left to right and never over each other.
fn occurrences(text: &str, part: &str, search: u8) -> Vec<usize> {
    let with_case = search == CASE_SENSITIVE;
    let (text, part) = (searched(text, with_case), searched(part, with_case));
    if part.is_empty() {
        return Vec::new();
    }
    let (mut byte, mut units) = (0, 0);
    text.match_indices(&part)
        .map(|(at, _)| {
            units += n_units(&text[byte..at]);
            byte = at;
            units
        })
        .collect()
}

/// The text with `to` at each of the places that hold `from`.
fn replace(text: &str, places: &[usize], from: &str, to: &str) -> String {
    let from_units = n_units(from);
    let mut out = String::new();
    let mut rest = text;
    let mut at = 0;
    for place in places {
        let (before, behind) = rest.split_at(byte_at(rest, place - at));
        out.push_str(before);
        out.push_str(to);
        rest = &behind[byte_at(behind, from_units)..];
        at = place + from_units;
    }
    out.push_str(rest);
    out
}

/// The whole number at the start of a text, 0 without one.
pub(super) fn leading_int(text: &str) -> i64 {
    let text = text.trim_start();
    let digits_from = usize::from(text.starts_with(['+', '-']));
    let digits = text[digits_from..]
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    let negative = text.starts_with('-');
    let mut value: i64 = 0;
    for digit in text[digits_from..digits_from + digits].bytes() {
        let digit = i64::from(digit - b'0');
        value = value.saturating_mul(10);
        value = if negative {
            value.saturating_sub(digit)
        } else {
            value.saturating_add(digit)
        };
    }
    value
}

/// The number at the start of a text, 0 without one.
fn leading_real(text: &str) -> f64 {
    let text = text.trim_start();
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        if matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E') {
            if text[..next].parse::<f64>().is_ok() {
                end = next;
            }
        } else {
            break;
        }
    }
    text[..end].parse().unwrap_or(0.0)
}

fn is_numeric(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && digits.bytes().filter(|b| *b == b'.').count() <= 1
        && digits != "."
}

/// Reads `X=1 Y=2 Z=3`, with or without brackets and commas; the labels may stand in any order.
fn labelled(text: &str, labels: &[&str]) -> Option<Vec<f64>> {
    labels
        .iter()
        .map(|label| {
            let at = find(text, &format!("{label}="), false, false, 0)?;
            let rest = mid(text, (at + label.len() + 1) as i32, i32::MAX);
            rest.trim_start()
                .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
                .then(|| leading_real(&rest))
        })
        .collect()
}

fn part(parts: &[f64], index: usize) -> f64 {
    parts.get(index).copied().unwrap_or_default()
}

/// `*` stands for any characters, `?` for one. Gives how many characters were looked at too.
fn matches_wildcard(text: &[char], pattern: &[char]) -> (bool, usize) {
    let (mut at, mut in_pattern) = (0, 0);
    // Where to come back to: the last star, and the text it may still swallow.
    let mut star: Option<(usize, usize)> = None;
    let mut steps = 0;
    while at < text.len() {
        steps += 1;
        match pattern.get(in_pattern) {
            Some('*') => {
                star = Some((in_pattern, at));
                in_pattern += 1;
            }
            Some('?') => {
                at += 1;
                in_pattern += 1;
            }
            Some(c) if *c == text[at] => {
                at += 1;
                in_pattern += 1;
            }
            _ => match star {
                Some((back, swallowed)) => {
                    at = swallowed + 1;
                    star = Some((back, at));
                    in_pattern = back + 1;
                }
                None => return (false, steps),
            },
        }
    }
    (pattern[in_pattern..].iter().all(|c| *c == '*'), steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_start_of_a_text() {
        for (text, int, real) in [
            ("12", 12, 12.0),
            (" -3.5e1x", -3, -35.0),
            ("abc", 0, 0.0),
            ("+7.", 7, 7.0),
            ("", 0, 0.0),
            ("99999999999999999999", i64::MAX, 1e20),
        ] {
            assert_eq!(
                (leading_int(text), leading_real(text)),
                (int, real),
                "{text}"
            );
        }
    }

    #[test]
    fn parts_are_found_from_either_end() {
        assert_eq!(find("abcABC", "bc", false, false, -1), Some(1));
        assert_eq!(find("abcABC", "bc", false, true, -1), Some(4));
        assert_eq!(find("abcABC", "BC", true, false, -1), Some(4));
        assert_eq!(find("abc", "bc", true, false, 2), None);
        assert_eq!(find("aaa", "a", true, true, 1), Some(1));
        assert_eq!(find("äöü😀b", "B", false, false, 0), Some(5));
        let places = occurrences("aXbxc😀X", "x", 1);
        assert_eq!(places, [1, 3, 7]);
        assert_eq!(replace("aXbxc😀X", &places, "x", "--"), "a--b--c😀--");
        assert!(occurrences("aaa", "", 0).is_empty());
        assert_eq!(mid("häß", 1, 5), "äß");
    }

    #[test]
    fn wildcards_match_any_run_of_characters() {
        let matches = |text: &str, pattern: &str| {
            let text: Vec<char> = text.chars().collect();
            let pattern: Vec<char> = pattern.chars().collect();
            matches_wildcard(&text, &pattern).0
        };
        assert!(matches("mississippi", "m*iss*p?"));
        assert!(!matches("mississippi", "m*z"));
        assert!(matches("", "*"));
    }
}
