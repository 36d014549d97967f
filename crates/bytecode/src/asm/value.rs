//! Scalars that statements and defaults share: numbers, types, flags.

use std::fmt;

use bp_reflect::PropertyType;

use super::lex::Word;

/// A float as text that reads back to the same bits.
pub(super) struct F32(pub(super) f32);

impl fmt::Display for F32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() {
            write!(f, "nan:{:08x}", self.0.to_bits())
        } else {
            write!(f, "{:?}", self.0)
        }
    }
}

/// A double as text that reads back to the same bits.
pub(super) struct F64(pub(super) f64);

impl fmt::Display for F64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() {
            write!(f, "nan:{:016x}", self.0.to_bits())
        } else {
            write!(f, "{:?}", self.0)
        }
    }
}

/// The float a word stands for.
pub(super) fn parse_f32(word: &str) -> Option<f32> {
    match word.strip_prefix("nan:") {
        Some(bits) => u32::from_str_radix(bits, 16)
            .ok()
            .map(f32::from_bits)
            .filter(|value| value.is_nan()),
        None => word.parse().ok().filter(|value: &f32| !value.is_nan()),
    }
}

/// The double a word stands for.
pub(super) fn parse_f64(word: &str) -> Option<f64> {
    match word.strip_prefix("nan:") {
        Some(bits) => u64::from_str_radix(bits, 16)
            .ok()
            .map(f64::from_bits)
            .filter(|value| value.is_nan()),
        None => word.parse().ok().filter(|value: &f64| !value.is_nan()),
    }
}

/// The whole number a word stands for, decimal or `0x…`.
pub(super) fn parse_int(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    // `from_str_radix` takes a sign of its own.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let value = match digits.strip_prefix("0x") {
        Some(hex) if !hex.starts_with(['+', '-']) => i128::from_str_radix(hex, 16).ok()?,
        Some(_) => return None,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// A property type; as its own text form, with quotes around targets that are no words.
pub(super) struct Type<'a>(pub(super) &'a PropertyType);

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PropertyType::Array(inner) => write!(f, "array<{}>", Type(inner)),
            PropertyType::Set(inner) => write!(f, "set<{}>", Type(inner)),
            PropertyType::Map(pair) => write!(f, "map<{}, {}>", Type(&pair.0), Type(&pair.1)),
            PropertyType::Byte(Some(t)) => write!(f, "byte:{}", Word(t.as_str())),
            PropertyType::Enum(t) => write!(f, "enum:{}", Word(t.as_str())),
            PropertyType::Object(t) => write!(f, "object:{}", Word(t.as_str())),
            PropertyType::WeakObject(t) => write!(f, "weak_object:{}", Word(t.as_str())),
            PropertyType::SoftObject(t) => write!(f, "soft_object:{}", Word(t.as_str())),
            PropertyType::Class(t) => write!(f, "class:{}", Word(t.as_str())),
            PropertyType::SoftClass(t) => write!(f, "soft_class:{}", Word(t.as_str())),
            PropertyType::Interface(t) => write!(f, "interface:{}", Word(t.as_str())),
            PropertyType::Struct(t) => write!(f, "struct:{}", Word(t.as_str())),
            PropertyType::Delegate(Some(t)) => write!(f, "delegate:{}", Word(t.as_str())),
            PropertyType::MulticastDelegate(Some(t)) => {
                write!(f, "multicast_delegate:{}", Word(t.as_str()))
            }
            plain @ (PropertyType::Byte(None)
            | PropertyType::Delegate(None)
            | PropertyType::MulticastDelegate(None)
            | PropertyType::Bool
            | PropertyType::Int8
            | PropertyType::Int16
            | PropertyType::UInt16
            | PropertyType::Int
            | PropertyType::UInt32
            | PropertyType::Int64
            | PropertyType::UInt64
            | PropertyType::Float
            | PropertyType::Double
            | PropertyType::Name
            | PropertyType::Str
            | PropertyType::Text
            | PropertyType::FieldPath
            | PropertyType::Wildcard) => write!(f, "{plain}"),
        }
    }
}

/// Flags as lower-case names joined by `|`, unknown bits in hexadecimal.
pub(super) fn flags_text<F: bitflags::Flags>(flags: &F, rest_hex: impl Fn(F) -> String) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut names = flags.iter_names();
    for (name, _) in names.by_ref() {
        parts.push(name.to_lowercase());
    }
    let rest = F::from_bits_retain(names.remaining().bits());
    if rest.bits() != F::empty().bits() || parts.is_empty() {
        parts.push(rest_hex(rest));
    }
    parts.join("|")
}

/// The flags a word stands for.
pub(super) fn parse_flags<F: bitflags::Flags>(
    word: &str,
    bits: impl Fn(i128) -> Option<F>,
) -> Result<F, String> {
    let mut out = F::empty();
    for part in word.split('|') {
        let found = match parse_int(part) {
            Some(number) => bits(number),
            None => F::from_name(&part.to_uppercase()),
        };
        out.insert(found.ok_or_else(|| part.to_owned())?);
    }
    Ok(out)
}
