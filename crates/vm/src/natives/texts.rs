//! `KismetTextLibrary`: texts as people read them, in the invariant culture: a comma between
//! thousands, a point before fractions.

use bp_reflect::TextValue;
use glam::{DVec2, DVec3};

use super::values::{ArrayArg, LinearColor, Rotator, Transform};
use super::{Native, NativeCall, NativeValue, Out, Shape, Str};
use crate::error::Run;
use crate::ids::{NameId, ObjectHandle};
use crate::memory::{Words, eq_fold, shown};
use crate::{native, text};

pub(super) const ROWS: &[Native] = &[
    native!(
        "KismetTextLibrary.Conv_TextToString",
        |value: TextValue| -> String { shown(&value).to_owned() }
    ),
    native!(
        "KismetTextLibrary.Conv_StringToText",
        |value: Str| -> TextValue { plain(&*value) }
    ),
    native!("KismetTextLibrary.Conv_NameToText", |call,
                                                  value: NameId|
     -> TextValue {
        Ok(plain(call.name(value).as_str()))
    }),
    native!(
        "KismetTextLibrary.Conv_BoolToText",
        |value: bool| -> TextValue { plain(if value { "true" } else { "false" }) }
    ),
    native!(
        "KismetTextLibrary.Conv_ByteToText",
        |value: u8| -> TextValue { plain(value.to_string()) }
    ),
    native!("KismetTextLibrary.Conv_IntToText", |value: i32,
                                                 sign: bool,
                                                 group: bool,
                                                 min: i32,
                                                 max: i32|
     -> TextValue {
        plain(integer(i64::from(value), sign, group, min, max))
    }),
    native!("KismetTextLibrary.Conv_Int64ToText", |value: i64,
                                                   sign: bool,
                                                   group: bool,
                                                   min: i32,
                                                   max: i32|
     -> TextValue {
        plain(integer(value, sign, group, min, max))
    }),
    native!("KismetTextLibrary.Conv_FloatToText", |value: f64,
                                                   mode: u8,
                                                   sign: bool,
                                                   group: bool,
                                                   min: i32,
                                                   max: i32,
                                                   min_fraction: i32,
                                                   max_fraction: i32|
     -> TextValue {
        plain(number(
            value,
            mode,
            sign,
            group,
            min,
            max,
            min_fraction,
            max_fraction,
        ))
    }),
    native!(
        "KismetTextLibrary.Conv_DoubleToText",
        |value: f64,
         mode: u8,
         sign: bool,
         group: bool,
         min: i32,
         max: i32,
         min_fraction: i32,
         max_fraction: i32|
         -> TextValue {
            plain(number(
                value,
                mode,
                sign,
                group,
                min,
                max,
                min_fraction,
                max_fraction,
            ))
        }
    ),
    native!("KismetTextLibrary.AsPercent_Float", |value: f64,
                                                  mode: u8,
                                                  sign: bool,
                                                  group: bool,
                                                  min: i32,
                                                  max: i32,
                                                  min_fraction: i32,
                                                  max_fraction: i32|
     -> TextValue {
        plain(format!(
            "{}%",
            number(
                value * 100.0,
                mode,
                sign,
                group,
                min,
                max,
                min_fraction,
                max_fraction
            )
        ))
    }),
    native!(
        "KismetTextLibrary.Conv_VectorToText",
        |v: DVec3| -> TextValue { plain(text::vector(v.x, v.y, v.z)) }
    ),
    native!(
        "KismetTextLibrary.Conv_Vector2dToText",
        |v: DVec2| -> TextValue { plain(text::vector2d(v.x, v.y)) }
    ),
    native!(
        "KismetTextLibrary.Conv_RotatorToText",
        |r: Rotator| -> TextValue { plain(text::rotator(r.pitch, r.yaw, r.roll)) }
    ),
    native!(
        "KismetTextLibrary.Conv_TransformToText",
        |t: Transform| -> TextValue { plain(super::strings::transform(t)) }
    ),
    native!(
        "KismetTextLibrary.Conv_ColorToText",
        |c: LinearColor| -> TextValue { plain(text::color(c.r, c.g, c.b, c.a)) }
    ),
    native!(
        "KismetTextLibrary.Conv_ObjectToText",
        |call, object: ObjectHandle| -> TextValue { Ok(plain(call.vm.object_name(object))) }
    ),
    native!("KismetTextLibrary.GetEmptyText", || -> TextValue {
        TextValue::Empty
    }),
    native!(
        "KismetTextLibrary.MakeInvariantText",
        |value: Str| -> TextValue { plain(&*value) }
    ),
    native!(
        "KismetTextLibrary.TextIsEmpty",
        |value: TextValue| -> bool { shown(&value).is_empty() }
    ),
    native!(
        "KismetTextLibrary.TextIsCultureInvariant",
        |value: TextValue| -> bool { matches!(value, TextValue::Invariant(_)) }
    ),
    native!(
        "KismetTextLibrary.TextIsTransient",
        |value: TextValue| -> bool { matches!(value, TextValue::Invariant(_)) }
    ),
    native!(
        "KismetTextLibrary.TextIsFromStringTable",
        |value: TextValue| -> bool { matches!(value, TextValue::StringTable { .. }) }
    ),
    native!(
        "KismetTextLibrary.TextToLower",
        |value: TextValue| -> TextValue { plain(shown(&value).to_lowercase()) }
    ),
    native!(
        "KismetTextLibrary.TextToUpper",
        |value: TextValue| -> TextValue { plain(shown(&value).to_uppercase()) }
    ),
    native!(
        "KismetTextLibrary.TextTrimPreceding",
        |value: TextValue| -> TextValue { plain(shown(&value).trim_start()) }
    ),
    native!(
        "KismetTextLibrary.TextTrimTrailing",
        |value: TextValue| -> TextValue { plain(shown(&value).trim_end()) }
    ),
    native!(
        "KismetTextLibrary.TextTrimPrecedingAndTrailing",
        |value: TextValue| -> TextValue { plain(shown(&value).trim()) }
    ),
    native!("KismetTextLibrary.EqualEqual_TextText", |a: TextValue,
                                                      b: TextValue|
     -> bool {
        shown(&a) == shown(&b)
    }),
    native!("KismetTextLibrary.NotEqual_TextText", |a: TextValue,
                                                    b: TextValue|
     -> bool {
        shown(&a) != shown(&b)
    }),
    native!(
        "KismetTextLibrary.EqualEqual_IgnoreCase_TextText",
        |a: TextValue, b: TextValue| -> bool { eq_fold(shown(&a), shown(&b)) }
    ),
    native!(
        "KismetTextLibrary.NotEqual_IgnoreCase_TextText",
        |a: TextValue, b: TextValue| -> bool { !eq_fold(shown(&a), shown(&b)) }
    ),
    native!(
        "KismetTextLibrary.GetTextSourceString",
        |value: TextValue| -> String { shown(&value).to_owned() }
    ),
    native!("KismetTextLibrary.GetTextId", |call,
                                            value: TextValue,
                                            namespace: Out<String>,
                                            key: Out<String>|
     -> bool {
        Ok(
            if let TextValue::Localized {
                namespace: n,
                key: k,
                ..
            } = &value
            {
                call.set(namespace, n.to_string());
                call.set(key, k.to_string());
                true
            } else {
                call.set(namespace, String::new());
                call.set(key, String::new());
                false
            },
        )
    }),
    native!("KismetTextLibrary.TextFromStringTable", |call,
                                                      table: NameId,
                                                      key: Str|
     -> TextValue {
        Ok(TextValue::StringTable {
            table: call.name(table).as_str().into(),
            key: key.0,
        })
    }),
    native!("KismetTextLibrary.Format", |call,
                                         pattern: TextValue,
                                         arguments: ArrayArg|
     -> TextValue {
        format_text(call, &pattern, arguments)
    }),
    native!("KismetMathLibrary.SelectText", |a: TextValue,
                                             b: TextValue,
                                             pick_a: bool|
     -> TextValue {
        if pick_a { a } else { b }
    }),
];

/// A text that is no key of a translation.
pub(super) fn plain(text: impl Into<std::sync::Arc<str>>) -> TextValue {
    let text = text.into();
    if text.is_empty() {
        TextValue::Empty
    } else {
        TextValue::Invariant(text)
    }
}

pub(super) fn integer(value: i64, sign: bool, group: bool, min: i32, max: i32) -> String {
    let digits = value.unsigned_abs().to_string();
    with_sign(
        value < 0,
        sign && value > 0,
        &whole(digits, group, min, max),
    )
}

/// Whole digits: padded to the least and cut to the most, with commas between thousands.
fn whole(mut digits: String, group: bool, min: i32, max: i32) -> String {
    let missing = (min.clamp(0, 324) as usize).saturating_sub(digits.len());
    digits.insert_str(0, &"0".repeat(missing));
    if max > 0 && digits.len() > max as usize {
        digits = digits.split_off(digits.len() - max as usize);
    }
    if !group {
        return digits;
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn with_sign(negative: bool, plus: bool, digits: &str) -> String {
    let sign = match (negative, plus) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    format!("{sign}{digits}")
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parameters of the engine's functions"
)]
pub(super) fn number(
    value: f64,
    mode: u8,
    sign: bool,
    group: bool,
    min: i32,
    max: i32,
    min_fraction: i32,
    max_fraction: i32,
) -> String {
    if !value.is_finite() {
        return text::real(value);
    }
    let most = max_fraction.clamp(0, 18) as usize;
    let rounded = round(value, mode, most);
    let digits = decimal(rounded.abs(), most);
    let (before, after) = digits.split_once('.').unwrap_or((&digits, ""));
    let least = min_fraction.clamp(0, 18) as usize;
    let mut after = after.trim_end_matches('0').to_owned();
    while after.len() < least {
        after.push('0');
    }
    let mut out = whole(before.to_owned(), group, min, max);
    if !after.is_empty() {
        out.push('.');
        out.push_str(&after);
    }
    with_sign(rounded < 0.0, sign && rounded > 0.0, &out)
}

/// The digits of a number that was rounded to so many behind the point.
fn decimal(rounded: f64, most: usize) -> String {
    const EXACT: f64 = 1e15;
    let scale = 10_f64.powi(most as i32);
    let scaled = (rounded * scale).round();
    if most == 0 || most > 15 || scaled >= EXACT {
        return format!("{rounded:.most$}");
    }
    // So few digits tell which of two neighbouring numbers it is: they are those of the integer.
    let (scaled, scale) = (scaled as u64, scale as u64);
    format!("{}.{:0most$}", scaled / scale, scaled % scale)
}

/// Rounds to a number of fraction digits, by the entry of `ERoundingMode`.
fn round(value: f64, mode: u8, digits: usize) -> f64 {
    let scale = 10_f64.powi(digits as i32);
    let scaled = value * scale;
    if !scaled.is_finite() {
        return value;
    }
    let rounded = match mode {
        0 => scaled.round_ties_even(),
        1 => scaled.round(),
        // Half toward zero.
        2 => (scaled.abs() - 0.5).ceil().copysign(scaled),
        3 => scaled.abs().ceil().copysign(scaled),
        4 => scaled.trunc(),
        5 => scaled.floor(),
        _ => scaled.ceil(),
    };
    rounded / scale
}

/// An entry of the arguments of `Format` (`FFormatArgumentData`).
struct Argument {
    name: String,
    value: String,
}

impl NativeValue for Argument {
    const SHAPE: Shape = Shape::Any;

    fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let memory = &call.vm.memory;
        let real = |index| number(f64::from_bits(word(index)), 0, false, true, 1, 324, 0, 3);
        // The kinds of `EFormatArgumentType`. The double exists since large world coordinates.
        let value = match word(1) {
            0 | 1 => integer(word(3) as i64, false, true, 1, 324),
            2 => real(4),
            3 => real(if words.len() > 6 { 5 } else { 4 }),
            _ => memory.text_string(word(2)).to_owned(),
        };
        Self {
            name: memory.string(word(0)).to_owned(),
            value,
        }
    }

    fn into_words(self, _: &mut NativeCall<'_>) -> Words {
        Words::new()
    }
}

/// Puts values in the place of `{name}`; what names nothing stays, and `` ` `` takes its meaning from
/// the next character.
fn format_text(
    call: &mut NativeCall<'_>,
    pattern: &TextValue,
    arguments: ArrayArg,
) -> Run<TextValue> {
    call.ask(shown_bytes(call, arguments))?;
    let arguments: Vec<Argument> = call.elements(arguments);
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = shown(pattern);
    while let Some(at) = rest.find(['{', '`']) {
        parts.push(&rest[..at]);
        rest = &rest[at..];
        if let Some(quoted) = rest.strip_prefix('`') {
            let mut chars = quoted.chars();
            if let Some(c) = chars.next() {
                parts.push(&quoted[..c.len_utf8()]);
            }
            rest = chars.as_str();
            continue;
        }
        let Some(end) = rest.find('}') else {
            break;
        };
        let name = rest[1..end].trim();
        let by_name = arguments
            .iter()
            .find(|argument| eq_fold(&argument.name, name));
        match by_name {
            Some(argument) => parts.push(&argument.value),
            None => parts.push(&rest[..=end]),
        }
        rest = &rest[end + 1..];
    }
    parts.push(rest);
    call.ask(parts.iter().map(|part| part.len()).sum())?;
    Ok(plain(parts.concat()))
}

/// Bytes of all arguments of a format as text: many may share one long text.
fn shown_bytes(call: &NativeCall<'_>, arguments: ArrayArg) -> usize {
    let Some((word, element)) = call.array_parts(arguments) else {
        return 0;
    };
    let memory = &call.vm.memory;
    let stride = memory.types.words(element) as usize;
    let elements = memory.elements(word).chunks_exact(stride);
    elements
        .map(|words| {
            let word = |index: usize| words.get(index).copied().unwrap_or(0);
            size_of::<Argument>() + memory.string(word(0)).len() + memory.text_string(word(2)).len()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(integer(-1_234_567, false, true, 1, 324), "-1,234,567");
        assert_eq!(integer(7, true, false, 3, 324), "+007");
        assert_eq!(number(1234.5678, 0, false, true, 1, 324, 0, 3), "1,234.568");
        assert_eq!(number(0.5, 1, false, true, 1, 324, 0, 0), "1");
        assert_eq!(number(0.5, 0, false, true, 1, 324, 0, 0), "0");
        assert_eq!(number(2.0, 0, false, true, 1, 324, 2, 3), "2.00");
        let mut value = 0.000_123_7;
        while value < 1e18 {
            for most in 0..18 {
                let rounded = round(value, 0, most);
                assert_eq!(decimal(rounded, most), format!("{rounded:.most$}"));
            }
            value *= 1.618_033;
        }
    }
}
