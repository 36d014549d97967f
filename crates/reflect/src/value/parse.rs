use std::sync::Arc;

use super::{TextValue, Value, ValueError};
use crate::{Enum, Lookup, Name, ObjectPath, Property, PropertyType, Registry, Struct};

/// Deepest nesting of parentheses that is read.
const MAX_DEPTH: usize = 64;
/// Longest chain of super structs that is searched for members.
const MAX_SUPERS: usize = 64;

type Result<T, E = ValueError> = std::result::Result<T, E>;

pub(super) fn parse(text: &str, ty: &PropertyType, registry: &Registry) -> Result<Value> {
    let parser = Parser { registry };
    let is_blank = text.trim().is_empty();
    // The only types in which blanks and quotes count.
    if *ty == PropertyType::Str {
        Ok(Value::Str(text.into()))
    } else if *ty == PropertyType::Name && !is_quoted(text) {
        Ok(Value::Name(Name::new(text)))
    } else if *ty == PropertyType::Text && is_blank && !text.is_empty() {
        Ok(Value::Text(TextValue::Invariant(text.into())))
    } else {
        parser.value(text, ty, 0)
    }
}

struct Parser<'a> {
    registry: &'a Registry,
}

impl Parser<'_> {
    fn value(&self, text: &str, ty: &PropertyType, depth: usize) -> Result<Value> {
        use PropertyType as P;
        let text = text.trim();
        if depth > MAX_DEPTH {
            return Err(ValueError::TooDeep(shorten(text)));
        }
        if text.is_empty() {
            return Ok(Value::zero(ty, self.registry));
        }
        match ty {
            P::Bool => boolean(text).map(Value::Bool),
            P::Byte(Some(path)) | P::Enum(path) => self.entry(text, path, ty),
            P::Byte(None) => whole(text, 0, u8::MAX.into(), ty),
            P::Int8 => whole(text, i8::MIN.into(), i8::MAX.into(), ty),
            P::Int16 => whole(text, i16::MIN.into(), i16::MAX.into(), ty),
            P::UInt16 => whole(text, 0, u16::MAX.into(), ty),
            P::Int => whole(text, i32::MIN.into(), i32::MAX.into(), ty),
            P::UInt32 => whole(text, 0, u32::MAX.into(), ty),
            P::Int64 => whole(text, i64::MIN.into(), i64::MAX.into(), ty),
            P::UInt64 => whole(text, 0, u64::MAX.into(), ty),
            P::Float | P::Double => match number(text) {
                Some(number) => Ok(Value::Real(number)),
                None => Err(form(text, "a number")),
            },
            P::Name => Ok(Value::Name(Name::new(unquote(text)?))),
            P::Str => Ok(Value::Str(unquote(text)?.into())),
            P::Text => text_value(text).map(Value::Text),
            P::Object(_) | P::WeakObject(_) | P::Interface(_) => {
                Ok(Value::Object(object(text)?.map(ObjectPath::new)))
            }
            P::Class(_) => Ok(Value::Object(
                object(text)?.map(|path| self.class_path(&path)),
            )),
            P::SoftObject(_) | P::SoftClass(_) | P::FieldPath => {
                Ok(Value::Str(object(text)?.unwrap_or_default().into()))
            }
            P::Struct(path) => self.structure(text, path, depth),
            P::Array(inner) | P::Set(inner) => {
                let items = list(text).ok_or_else(|| form(text, "a list such as (a,b)"))??;
                let read = |item: &&str| self.value(item, inner, depth + 1);
                Ok(Value::List(items.iter().map(read).collect::<Result<_>>()?))
            }
            P::Map(pair) => {
                let wrong = |text: &str| form(text, "a map such as ((key,value),(key,value))");
                let items = list(text).ok_or_else(|| wrong(text))??;
                let read = |item: &&str| -> Result<_> {
                    let parts = list(item).ok_or_else(|| wrong(item))??;
                    let [key, value] = parts.as_slice() else {
                        return Err(wrong(item));
                    };
                    Ok((
                        self.value(key, &pair.0, depth + 2)?,
                        self.value(value, &pair.1, depth + 2)?,
                    ))
                };
                Ok(Value::Map(items.iter().map(read).collect::<Result<_>>()?))
            }
            P::Delegate(_) | P::MulticastDelegate(_) => match text {
                "()" | "None" | "(null).None" => Ok(Value::Unbound),
                _ => Err(ValueError::NoLiteral(ty.to_string())),
            },
            P::Wildcard => Err(ValueError::NoLiteral(ty.to_string())),
        }
    }

    fn entry(&self, text: &str, path: &ObjectPath, ty: &PropertyType) -> Result<Value> {
        let text = &*unquote(text)?;
        let declared = self.registry.enumeration(path);
        if let Some(entry) = declared.and_then(|declared| declared.entry(text)) {
            return match entry.value {
                Some(value) => Ok(Value::Int(value)),
                None => Err(ValueError::EntryValueUnknown {
                    entry: entry.name.to_string(),
                    enumeration: path.name().to_owned(),
                }),
            };
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') {
            return whole(text, 0, u8::MAX.into(), ty);
        }
        Err(match declared {
            Some(declared) => ValueError::NoEntry {
                text: shorten(text),
                enumeration: path.name().to_owned(),
                entries: entry_names(declared),
            },
            None => ValueError::EntryValueUnknown {
                entry: shorten(text),
                enumeration: path.name().to_owned(),
            },
        })
    }

    fn class_path(&self, text: &str) -> ObjectPath {
        match self.registry.find_class(text) {
            Lookup::One(path) => path.clone(),
            Lookup::Many(_) | Lookup::None => ObjectPath::new(text),
        }
    }

    fn structure(&self, text: &str, path: &ObjectPath, depth: usize) -> Result<Value> {
        let declared = self.registry.structure(path);
        let members = self.members(path);
        let Some(items) = list(text) else {
            return self
                .short_form(text, path, &members)
                .unwrap_or_else(|| Err(form(text, "a struct such as (X=1,Y=2)")));
        };
        let is_complete = declared.is_some_and(|declared| declared.is_complete);
        let mut values: Vec<(Name, Value)> = Vec::new();
        for item in items? {
            let Some((name, text)) = assignment(item) else {
                return Err(form(item, "a member such as X=1"));
            };
            let member = members.iter().find(|member| member.name == *name);
            let value = match member {
                Some(member) if member.ty != PropertyType::Wildcard => {
                    self.value(text, &member.ty, depth + 1)?
                }
                None if is_complete => {
                    return Err(ValueError::NoMember {
                        text: name.to_owned(),
                        structure: path.name().to_owned(),
                        members: members.iter().map(|m| m.name.to_string()).collect(),
                    });
                }
                _ => by_form(text, depth + 1)?,
            };
            let name = member.map_or_else(|| Name::new(name), |member| member.name.clone());
            match values.iter_mut().find(|(seen, _)| *seen == name) {
                Some((_, seen)) => *seen = value,
                None => values.push((name, value)),
            }
        }
        Ok(Value::Struct(values))
    }

    /// Forms without parentheses that some structs have; none if the struct has no such form.
    fn short_form(
        &self,
        text: &str,
        path: &ObjectPath,
        members: &[&Property],
    ) -> Option<Result<Value>> {
        let name = path.name();
        if name.eq_ignore_ascii_case("Transform") {
            return Some(transform(text));
        }
        // Filled in by the compiler, whatever its pin says.
        if name.eq_ignore_ascii_case("LatentActionInfo") {
            return Some(Ok(Value::Struct(Vec::new())));
        }
        if name.eq_ignore_ascii_case("Guid")
            && let Some(guid) = guid(text)
        {
            return Some(Ok(guid));
        }
        if let [only] = members
            && only.ty == PropertyType::Name
        {
            let read =
                |name: String| Value::Struct(vec![(only.name.clone(), Value::Name(name.into()))]);
            return Some(unquote(text).map(|name| read(name.into_owned())));
        }
        // Colors are stored in another order than they are written.
        let order: Vec<&Property> = if name.eq_ignore_ascii_case("Color") {
            let find = |wanted: &str| members.iter().find(|m| m.name == *wanted).copied();
            ["R", "G", "B", "A"].into_iter().filter_map(find).collect()
        } else {
            members.to_vec()
        };
        let is_number = |member: &&Property| is_number(&member.ty) && member.array_dim <= 1;
        if order.is_empty() || !order.iter().all(is_number) {
            return None;
        }
        if text.contains('=') {
            return Some(self.named_numbers(text, &order));
        }
        let parts: Vec<&str> = text.split(',').collect();
        if parts.len() != order.len() {
            return None;
        }
        let values = order.iter().zip(parts).map(|(member, text)| {
            let value = self.value(text, &member.ty, 0)?;
            Ok((member.name.clone(), value))
        });
        Some(values.collect::<Result<_>>().map(Value::Struct))
    }

    /// `X=1 Y=2`; a rotator's members by their first letters.
    fn named_numbers(&self, text: &str, members: &[&Property]) -> Result<Value> {
        let mut values = Vec::new();
        for item in text.split([' ', ',']).filter(|item| !item.is_empty()) {
            let Some((name, number)) = item.split_once('=') else {
                return Err(form(text, "a struct such as X=1 Y=2"));
            };
            let is_meant = |member: &&&Property| {
                let full = member.name.as_str();
                full.eq_ignore_ascii_case(name)
                    || full
                        .get(..1)
                        .is_some_and(|first| first.eq_ignore_ascii_case(name))
            };
            let Some(member) = members.iter().find(is_meant) else {
                return Err(form(item, "a member such as X=1"));
            };
            let value = self.value(number, &member.ty, 0)?;
            values.push((member.name.clone(), value));
        }
        Ok(Value::Struct(values))
    }

    /// Members of a struct, those of its super structs first.
    fn members(&self, path: &ObjectPath) -> Vec<&Property> {
        let mut chain: Vec<&Struct> = std::iter::successors(self.registry.structure(path), |s| {
            self.registry.structure(s.super_struct.as_ref()?)
        })
        .take(MAX_SUPERS)
        .collect();
        chain.reverse();
        chain.iter().flat_map(|s| &s.members).collect()
    }
}

fn is_number(ty: &PropertyType) -> bool {
    use PropertyType as P;
    matches!(
        ty,
        P::Byte(None)
            | P::Int8
            | P::Int16
            | P::UInt16
            | P::Int
            | P::UInt32
            | P::Int64
            | P::UInt64
            | P::Float
            | P::Double
    )
}

fn entry_names(declared: &Enum) -> Vec<String> {
    let entries = declared.entries.iter().filter(|entry| !entry.hidden);
    entries.map(|entry| entry.name.to_string()).collect()
}

fn form(text: &str, expected: &'static str) -> ValueError {
    ValueError::Form {
        text: shorten(text),
        expected,
    }
}

/// The text, cut to what fits a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn boolean(text: &str) -> Result<bool> {
    let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is(&["true", "1", "yes"]) {
        Ok(true)
    } else if is(&["false", "0", "no"]) {
        Ok(false)
    } else {
        Err(form(text, "true or false"))
    }
}

fn whole(text: &str, min: i128, max: i128, ty: &PropertyType) -> Result<Value> {
    let wrong = || form(text, "a whole number");
    // A number written as a real is taken if it is whole.
    let digits = match text.split_once('.') {
        Some((digits, zeros)) if zeros.bytes().all(|byte| byte == b'0') => digits,
        Some(_) => return Err(wrong()),
        None => text,
    };
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let number = digits.parse::<i128>().ok();
    match number.filter(|number| (min..=max).contains(number)) {
        Some(number) => Ok(match i64::try_from(number) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::UInt(number as u64),
        }),
        None => Err(ValueError::Range {
            text: shorten(text),
            ty: ty.to_string(),
        }),
    }
}

fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_word = ["inf", "infinity", "nan"]
        .iter()
        .any(|word| unsigned.eq_ignore_ascii_case(word));
    if is_word {
        return text.parse().ok();
    }
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    text.strip_suffix(['f', 'F']).unwrap_or(text).parse().ok()
}

fn is_quoted(text: &str) -> bool {
    let text = text.trim();
    text.len() >= 2 && text.starts_with('"') && text.ends_with('"')
}

/// The text without quotes around it and escapes in it; a text without quotes as it stands.
fn unquote(text: &str) -> Result<std::borrow::Cow<'_, str>> {
    if !text.starts_with('"') {
        return Ok(text.into());
    }
    match quoted(text) {
        Some((content, "")) => Ok(content.into()),
        _ => Err(form(text, "a closed string")),
    }
}

/// Reads a quoted string at the start, and gives what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut rest = text.strip_prefix('"')?.chars();
    loop {
        match rest.next()? {
            '"' => return Some((content, rest.as_str())),
            '\\' => {
                let mut number = rest.clone();
                match rest.next()? {
                    'n' => content.push('\n'),
                    'r' => content.push('\r'),
                    't' => content.push('\t'),
                    escape @ ('u' | 'x') => {
                        let longest = if escape == 'u' { 4 } else { 2 };
                        match digits(&mut rest, 16, longest) {
                            Some(c) => content.push(c),
                            None => content.push(escape),
                        }
                    }
                    '0'..='7' => {
                        content.push(digits(&mut number, 8, 3)?);
                        rest = number;
                    }
                    other => content.push(other),
                }
            }
            c => content.push(c),
        }
    }
}

/// The character whose number is written next, in up to `longest` digits.
fn digits(rest: &mut std::str::Chars<'_>, radix: u32, longest: usize) -> Option<char> {
    let text = rest.as_str();
    let n = text
        .chars()
        .take(longest)
        .take_while(|c| c.is_digit(radix))
        .count();
    let number = u32::from_str_radix(&text[..n], radix).ok()?;
    *rest = text[n..].chars();
    Some(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn text_value(text: &str) -> Result<TextValue> {
    if is_quoted(text)
        && let Some((content, "")) = quoted(text)
    {
        return Ok(if content.is_empty() {
            TextValue::Empty
        } else {
            TextValue::Invariant(content.into())
        });
    }
    let wrong = || {
        form(
            text,
            "a text such as NSLOCTEXT(\"namespace\", \"key\", \"source\")",
        )
    };
    let call = text
        .split_once('(')
        .filter(|(head, _)| head.trim_end().len() >= 7);
    let Some((macro_name, _)) = call else {
        return Ok(TextValue::Invariant(text.into()));
    };
    let arguments = || -> Option<Vec<Arc<str>>> {
        let mut rest = text.split_once('(')?.1.trim_start();
        let mut arguments = Vec::new();
        loop {
            let (argument, after) = quoted(rest)?;
            arguments.push(argument.into());
            rest = after.trim_start();
            if let Some(next) = rest.strip_prefix(',') {
                rest = next.trim_start();
            } else {
                return (rest.strip_prefix(')')?.is_empty()).then_some(arguments);
            }
        }
    };
    match macro_name.trim_end() {
        "NSLOCTEXT" => match <[_; 3]>::try_from(arguments().ok_or_else(wrong)?) {
            Ok([namespace, key, source]) => Ok(TextValue::Localized {
                namespace,
                key,
                source,
            }),
            Err(_) => Err(wrong()),
        },
        "LOCTEXT" => match <[_; 2]>::try_from(arguments().ok_or_else(wrong)?) {
            Ok([key, source]) => Ok(TextValue::Localized {
                namespace: "".into(),
                key,
                source,
            }),
            Err(_) => Err(wrong()),
        },
        "LOCTABLE" => match <[_; 2]>::try_from(arguments().ok_or_else(wrong)?) {
            Ok([table, key]) => Ok(TextValue::StringTable { table, key }),
            Err(_) => Err(wrong()),
        },
        "INVTEXT" => match <[_; 1]>::try_from(arguments().ok_or_else(wrong)?) {
            Ok([content]) => Ok(TextValue::Invariant(content)),
            Err(_) => Err(wrong()),
        },
        generated if generated.starts_with("LOCGEN_") => {
            Err(ValueError::NoLiteral("generated text".into()))
        }
        _ => Ok(TextValue::Invariant(text.into())),
    }
}

/// The path in an object's text, whatever it is dressed in; none for `None`.
fn object(text: &str) -> Result<Option<String>> {
    let path = match text.split_once('\'') {
        Some((_, rest)) if !text.starts_with('"') => rest
            .strip_suffix('\'')
            .ok_or_else(|| form(text, "a path in closed quotes"))?,
        _ => text,
    };
    let path = unquote(path.trim())?;
    // The whole reference, class included, may stand in quotes.
    let path = match path.split_once('\'') {
        Some((_, rest)) => rest
            .strip_suffix('\'')
            .unwrap_or(rest)
            .trim_matches('"')
            .to_owned(),
        None => path.into_owned(),
    };
    let is_none = path.is_empty() || path.eq_ignore_ascii_case("None");
    Ok((!is_none).then_some(path))
}

/// The items of `(a,b)`; none without parentheses around the text. A comma after the last item
/// is no further one.
fn list(text: &str) -> Option<Result<Vec<&str>>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut items = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    let mut quote = None;
    let mut skip = false;
    let mut before = ' ';
    for (at, c) in inner.char_indices() {
        if skip {
            skip = false;
        } else if let Some(end) = quote {
            match c {
                '\\' if end == '"' => skip = true,
                c if c == end => quote = None,
                _ => {}
            }
        } else {
            match c {
                '"' => quote = Some('"'),
                // The quote of `Class'/Game/A.B'`, not an apostrophe.
                '\'' if before.is_ascii_alphanumeric()
                    && inner[at + 1..].starts_with(['/', '"']) =>
                {
                    quote = Some('\'');
                }
                '(' => depth += 1,
                ')' => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return Some(Err(form(text, "balanced in its parentheses"))),
                },
                ',' if depth == 0 => {
                    items.push(inner[start..at].trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        before = c;
    }
    if depth != 0 || quote.is_some() {
        return Some(Err(form(text, "balanced in its parentheses")));
    }
    let last = inner[start..].trim();
    if !last.is_empty() {
        items.push(last);
    }
    Some(Ok(items))
}

/// `name=value`, with a plain name.
fn assignment(item: &str) -> Option<(&str, &str)> {
    let (name, value) = item.split_once('=')?;
    let name = name.trim();
    let is_plain = !name.is_empty() && !name.contains(['"', '(', ')', '\'', ',']);
    is_plain.then_some((name, value.trim()))
}

/// Whether a name needs no quotes.
pub(super) fn is_plain_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'))
        && number(text).is_none()
        && !["true", "false", "none"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

/// A value of a type that is not known.
fn by_form(text: &str, depth: usize) -> Result<Value> {
    if depth > MAX_DEPTH {
        return Err(ValueError::TooDeep(shorten(text)));
    }
    if let Some(items) = list(text) {
        let items = items?;
        let members: Option<Vec<_>> = items.iter().map(|item| assignment(item)).collect();
        return match members {
            Some(members) => {
                let read =
                    |(name, text): (&str, &str)| Ok((Name::new(name), by_form(text, depth + 1)?));
                Ok(Value::Struct(
                    members.into_iter().map(read).collect::<Result<_>>()?,
                ))
            }
            None => Ok(Value::List(
                items
                    .iter()
                    .map(|item| by_form(item, depth + 1))
                    .collect::<Result<_>>()?,
            )),
        };
    }
    if text.starts_with('"') {
        return Ok(Value::Str(unquote(text)?.into()));
    }
    if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        return boolean(text).map(Value::Bool);
    }
    if let Ok(number) = text.parse() {
        return Ok(Value::Int(number));
    }
    if let Some(number) = number(text) {
        return Ok(Value::Real(number));
    }
    if text.eq_ignore_ascii_case("none") {
        return Ok(Value::Object(None));
    }
    if text.starts_with('/') || text.ends_with('\'') {
        return Ok(Value::Object(object(text)?.map(ObjectPath::new)));
    }
    Ok(if is_plain_word(text) {
        Value::Name(Name::new(text))
    } else {
        Value::Str(text.into())
    })
}

/// Translation, rotation in degrees and scale, parted by bars.
fn transform(text: &str) -> Result<Value> {
    let wrong = || form(text, "a transform such as 0,0,0|0,0,0|1,1,1");
    let three = |part: &str| -> Result<[f64; 3]> {
        let numbers: Option<Vec<f64>> = part.split(',').map(|n| number(n.trim())).collect();
        numbers
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or_else(wrong)
    };
    let parts: Vec<&str> = text.split('|').collect();
    let [translation, rotation, scale] = parts.as_slice() else {
        return Err(wrong());
    };
    let vector = |[x, y, z]: [f64; 3]| members(&[("X", x), ("Y", y), ("Z", z)]);
    let [x, y, z, w] = quaternion(three(rotation)?);
    Ok(Value::Struct(vec![
        (
            "Rotation".into(),
            members(&[("X", x), ("Y", y), ("Z", z), ("W", w)]),
        ),
        ("Translation".into(), vector(three(translation)?)),
        ("Scale3D".into(), vector(three(scale)?)),
    ]))
}

fn members(numbers: &[(&str, f64)]) -> Value {
    let read = |&(name, number): &(&str, f64)| (Name::new(name), Value::Real(number));
    Value::Struct(numbers.iter().map(read).collect())
}

/// The rotation that turns by roll about X, then by pitch about Y, then by yaw about Z, in degrees,
/// in the engine's left-handed axes (pitch and roll are negative turns).
///
/// Written out as products of half angles, because signs of zeros are told apart in scripts: no rotation
/// has a negative zero for Y (3 of 3 literals in real scripts whose pins spell it out).
fn quaternion([pitch, yaw, roll]: [f64; 3]) -> [f64; 4] {
    let half = |degrees: f64| (degrees.to_radians() / 2.0).sin_cos();
    let ((sin_p, cos_p), (sin_y, cos_y), (sin_r, cos_r)) = (half(pitch), half(yaw), half(roll));
    [
        cos_r * sin_p * sin_y - sin_r * cos_p * cos_y,
        -cos_r * sin_p * cos_y - sin_r * cos_p * sin_y,
        cos_r * cos_p * sin_y - sin_r * sin_p * cos_y,
        cos_r * cos_p * cos_y + sin_r * sin_p * sin_y,
    ]
}

/// 32 hex digits, with or without dashes and braces.
fn guid(text: &str) -> Option<Value> {
    let digits: String = text
        .chars()
        .filter(|c| !matches!(c, '-' | '{' | '}'))
        .collect();
    if digits.len() != 32 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let part = |i: usize| {
        let number = u32::from_str_radix(&digits[8 * i..8 * i + 8], 16).ok()?;
        Some(Value::Int((number as i32).into()))
    };
    let names = ["A", "B", "C", "D"].into_iter().enumerate();
    let parts = names.map(|(i, name)| Some((Name::new(name), part(i)?)));
    parts.collect::<Option<_>>().map(Value::Struct)
}
