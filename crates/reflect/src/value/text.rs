use std::fmt;

use super::parse::is_plain_word;
use super::{TextValue, Value};
use crate::{Name, ObjectPath, PropertyType, Registry};

pub(super) fn write(value: &Value, ty: &PropertyType, registry: &Registry) -> String {
    let mut out = String::new();
    match value {
        Value::Str(text) => out.push_str(text),
        Value::Name(name) => out.push_str(name.as_str()),
        Value::Object(Some(path)) => out.push_str(path.as_str()),
        Value::Text(TextValue::Empty) | Value::Unbound => {}
        Value::Bool(_)
        | Value::Int(_)
        | Value::UInt(_)
        | Value::Real(_)
        | Value::Object(None)
        | Value::Text(_)
        | Value::Struct(_)
        | Value::List(_)
        | Value::Map(_) => nested(value, Some(ty), Some(registry), &mut out),
    }
    out
}

/// Writes a value as it stands inside a struct or container.
fn nested(value: &Value, ty: Option<&PropertyType>, registry: Option<&Registry>, out: &mut String) {
    match value {
        Value::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
        Value::Int(number) => match entry(*number, ty, registry) {
            Some(entry) => out.push_str(entry.as_str()),
            None => out.push_str(&number.to_string()),
        },
        Value::UInt(number) => out.push_str(&number.to_string()),
        Value::Real(number) => out.push_str(&real(*number)),
        // What a text of unknown type says is kept: bare stays bare.
        Value::Name(name) if ty.is_none() && is_plain_word(name.as_str()) => {
            out.push_str(name.as_str());
        }
        Value::Name(name) => quote(name.as_str(), out),
        Value::Str(text) => quote(text, out),
        Value::Text(text) => localized(text, out),
        Value::Object(None) | Value::Unbound => out.push_str("None"),
        Value::Object(Some(path)) if ty.is_none() => {
            out.push_str("Object'");
            quote(path.as_str(), out);
            out.push('\'');
        }
        Value::Object(Some(path)) => quote(path.as_str(), out),
        Value::Struct(members) => {
            let owner = match ty {
                Some(PropertyType::Struct(path)) => Some(path),
                _ => None,
            };
            group(members, out, |(name, value), out| {
                out.push_str(name.as_str());
                out.push('=');
                let ty = owner.and_then(|owner| member(owner, name, registry?));
                nested(value, ty, registry, out);
            });
        }
        Value::List(items) => {
            let element = match ty {
                Some(PropertyType::Array(element) | PropertyType::Set(element)) => Some(&**element),
                _ => None,
            };
            group(items, out, |item, out| nested(item, element, registry, out));
        }
        Value::Map(pairs) => {
            let (key_ty, value_ty) = match ty {
                Some(PropertyType::Map(pair)) => (Some(&pair.0), Some(&pair.1)),
                _ => (None, None),
            };
            group(pairs, out, |(key, value), out| {
                out.push('(');
                nested(key, key_ty, registry, out);
                out.push(',');
                nested(value, value_ty, registry, out);
                out.push(')');
            });
        }
    }
}

fn group<T>(items: &[T], out: &mut String, mut write: impl FnMut(&T, &mut String)) {
    out.push('(');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(')');
}

fn member<'a>(owner: &ObjectPath, name: &Name, registry: &'a Registry) -> Option<&'a PropertyType> {
    std::iter::successors(registry.structure(owner), |structure| {
        registry.structure(structure.super_struct.as_ref()?)
    })
    .take(64)
    .flat_map(|structure| &structure.members)
    .find(|member| member.name == *name)
    .map(|member| &member.ty)
}

fn entry<'a>(
    number: i64,
    ty: Option<&PropertyType>,
    registry: Option<&'a Registry>,
) -> Option<&'a Name> {
    let (PropertyType::Byte(Some(path)) | PropertyType::Enum(path)) = ty? else {
        return None;
    };
    let entries = &registry?.enumeration(path)?.entries;
    let found = entries.iter().find(|entry| entry.value == Some(number))?;
    Some(&found.name)
}

/// Six decimals as the engine writes them where they are enough, else as many as are needed.
fn real(number: f64) -> String {
    let usual = format!("{number:.6}");
    if number.abs() < 1e15 && usual.parse() == Ok(number) {
        usual
    } else {
        format!("{number:?}")
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' | '\'' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

fn localized(text: &TextValue, out: &mut String) {
    let call = |name: &str, arguments: &[&str], out: &mut String| {
        out.push_str(name);
        out.push('(');
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            quote(argument, out);
        }
        out.push(')');
    };
    match text {
        TextValue::Empty => out.push_str("\"\""),
        TextValue::Localized {
            namespace,
            key,
            source,
        } => call("NSLOCTEXT", &[namespace, key, source], out),
        TextValue::Invariant(content) => call("INVTEXT", &[content], out),
        TextValue::StringTable { table, key } => call("LOCTABLE", &[table, key], out),
    }
}

impl fmt::Display for Value {
    /// The text form as it stands inside a struct, without knowledge of the type: enum entries as
    /// numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        nested(self, None, None, &mut out);
        f.write_str(&out)
    }
}
