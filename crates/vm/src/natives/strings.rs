//! `KismetStringLibrary`. Positions and lengths count UTF-16 units, as the engine's do on the
//! platforms its editor runs on.

use glam::{DVec2, DVec3};

use super::values::{ArrayArg, LinearColor, Rotator, Transform};
use super::{Native, Out, Str};
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
         -> String {
            [&*a, &*b].concat()
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
            units(&text).len() as i32
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
        native!("KismetStringLibrary.LeftPad", |text: Str,
                                                width: i32|
         -> String {
            let missing = width - units(&text).len() as i32;
            [&" ".repeat(missing.max(0) as usize), &*text].concat()
        }),
        native!("KismetStringLibrary.RightPad", |text: Str,
                                                 width: i32|
         -> String {
            let missing = width - units(&text).len() as i32;
            [&*text, &" ".repeat(missing.max(0) as usize)].concat()
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
        native!("KismetStringLibrary.Replace", |text: Str,
                                                from: Str,
                                                to: Str,
                                                search: u8|
         -> String {
            replace(&text, &from, &to, search).0
        }),
        native!("KismetStringLibrary.ReplaceInline", |call,
                                                      text: Out<String>,
                                                      from: Str,
                                                      to: Str,
                                                      search: u8|
         -> i32 {
            let (replaced, count) = replace(&call.get(text), &from, &to, search);
            call.set(text, replaced);
            Ok(count)
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
            let parts: Vec<String> = call.elements(source);
            Ok(parts.join(&separator))
        }),
        native!("KismetStringLibrary.CullArray", |call,
                                                  _text: Str,
                                                  array: ArrayArg|
         -> i32 {
            let mut parts: Vec<String> = call.elements(array);
            parts.retain(|part| !part.is_empty());
            let count = parts.len() as i32;
            call.set_elements(array, parts);
            Ok(count)
        }),
        native!(
            "KismetStringLibrary.GetCharacterArrayFromString",
            |call, text: Str| {
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
        native!("KismetStringLibrary.MatchesWildcard", |text: Str,
                                                        pattern: Str,
                                                        search: u8|
         -> bool {
            let text: Vec<char> = folded(&text, search).chars().collect();
            let pattern: Vec<char> = folded(&pattern, search).chars().collect();
            matches_wildcard(&text, &pattern)
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

/// Where a part begins, in units. From the end, the start is where the part may begin at the latest.
fn find(text: &str, part: &str, with_case: bool, from_end: bool, start: i32) -> Option<usize> {
    let fold = |text: &str| {
        if with_case {
            units(text)
        } else {
            text.chars()
                .flat_map(|c| {
                    let mut lower = c.to_lowercase();
                    // A character that becomes several would shift the positions.
                    match (lower.next(), lower.next()) {
                        (Some(one), None) => one.to_string().encode_utf16().collect::<Vec<_>>(),
                        _ => c.to_string().encode_utf16().collect(),
                    }
                })
                .collect()
        }
    };
    let (text, part) = (fold(text), fold(part));
    if part.is_empty() || part.len() > text.len() {
        return None;
    }
    let last = text.len() - part.len();
    let is_here = |at: &usize| text[*at..].starts_with(&part);
    if from_end {
        let latest = match usize::try_from(start) {
            Ok(start) => start.min(last),
            Err(_) => last,
        };
        (0..=latest).rev().find(is_here)
    } else {
        let first = start.max(0) as usize;
        (first..=last).find(is_here)
    }
}

fn replace(text: &str, from: &str, to: &str, search: u8) -> (String, i32) {
    if from.is_empty() {
        return (text.to_owned(), 0);
    }
    let mut out = String::new();
    let mut count = 0;
    let mut rest = text.to_owned();
    let from_len = units(from).len() as i32;
    while let Some(at) = find(&rest, from, search == CASE_SENSITIVE, false, 0) {
        out.push_str(&mid(&rest, 0, at as i32));
        out.push_str(to);
        rest = mid(&rest, at as i32 + from_len, i32::MAX);
        count += 1;
    }
    out.push_str(&rest);
    (out, count)
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

/// `*` stands for any characters, `?` for one.
fn matches_wildcard(text: &[char], pattern: &[char]) -> bool {
    let (mut at, mut in_pattern) = (0, 0);
    // Where to come back to: the last star, and the text it may still swallow.
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
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
                None => return false,
            },
        }
    }
    pattern[in_pattern..].iter().all(|c| *c == '*')
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
        assert_eq!(replace("aXbxc", "x", "--", 1), ("a--b--c".to_owned(), 2));
        assert_eq!(mid("häß", 1, 5), "äß");
    }

    #[test]
    fn wildcards_match_any_run_of_characters() {
        let matches = |text: &str, pattern: &str| {
            let text: Vec<char> = text.chars().collect();
            let pattern: Vec<char> = pattern.chars().collect();
            matches_wildcard(&text, &pattern)
        };
        assert!(matches("mississippi", "m*iss*p?"));
        assert!(!matches("mississippi", "m*z"));
        assert!(matches("", "*"));
    }
}
