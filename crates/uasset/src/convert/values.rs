//! Property values in the shape of the engine's text form.

use bp_graph::{ObjectReference, PropertyValue};
use bp_reflect::{ObjectPath, TextValue};

use super::pins::pin_type_value;
use crate::{
    CurveKey, Guid, Package, PackageIndex, Properties, SoftPath, StructFields, StructValue, Text,
    TextArgument, TextFormatKind, TextHistory, Value,
};

/// All properties of an object, in stored order; those with a value of unknown form are left out
/// and named in `unknown`.
pub(super) fn properties(
    package: &Package,
    properties: &Properties,
    unknown: &mut Vec<String>,
) -> Vec<(String, PropertyValue)> {
    let mut list: Vec<(String, PropertyValue)> = Vec::new();
    for entry in &properties.entries {
        let name = entry.name.to_string();
        if entry.value.unknown_part().is_some() {
            unknown.push(name);
            continue;
        }
        let value = property_value(package, &entry.value);
        if entry.array_index == 0 {
            list.push((name, value));
            continue;
        }
        // Further elements of a fixed-size array property follow the first one.
        match list.last_mut().filter(|(known, _)| *known == name) {
            Some((_, PropertyValue::Array(elements))) => elements.push(value),
            Some((_, first)) => {
                let head = std::mem::replace(first, word(""));
                *first = PropertyValue::Array(vec![head, value]);
            }
            None => list.push((name, PropertyValue::Array(vec![word(""), value]))),
        }
    }
    list
}

/// A value as a property of its own: arrays stand by index.
pub(super) fn property_value(package: &Package, value: &Value) -> PropertyValue {
    match value {
        Value::Array(elements) | Value::Set(elements) => {
            PropertyValue::Array(elements.iter().map(|v| inner_value(package, v)).collect())
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::UInt(_)
        | Value::Byte(_)
        | Value::Float(_)
        | Value::Double(_)
        | Value::Name(_)
        | Value::Enum(_)
        | Value::String(_)
        | Value::Text(_)
        | Value::Object(_)
        | Value::LazyObject(_)
        | Value::SoftObject(_)
        | Value::Delegate(_)
        | Value::MulticastDelegate(_)
        | Value::FieldPath(_)
        | Value::Struct(_)
        | Value::Map(_)
        | Value::Raw(_) => inner_value(package, value),
    }
}

/// A value inside another one: arrays stand inline.
fn inner_value(package: &Package, value: &Value) -> PropertyValue {
    match value {
        Value::Bool(value) => boolean(*value),
        Value::Int(value) => word(value.to_string()),
        Value::UInt(value) => word(value.to_string()),
        Value::Byte(value) => word(value.to_string()),
        Value::Float(value) => word(real_f32(*value)),
        Value::Double(value) => word(real(*value)),
        Value::Name(name) => PropertyValue::String(name.to_string()),
        Value::Enum(name) => word(enum_entry(&name.to_string())),
        Value::String(text) => PropertyValue::String(text.clone()),
        Value::Text(text) => text_value(text),
        Value::Object(index) => object(package, *index),
        Value::LazyObject(guid) => word(guid.to_string()),
        Value::SoftObject(path) => soft_path(path),
        Value::Delegate(delegate) => word(delegate_text(package, delegate)),
        Value::MulticastDelegate(delegates) => list(
            delegates
                .iter()
                .map(|delegate| word(delegate_text(package, delegate))),
        ),
        Value::FieldPath(path) => {
            let mut text = package.path(path.owner);
            for name in path.names.iter().rev() {
                text.push(':');
                text.push_str(&name.to_string());
            }
            PropertyValue::String(text)
        }
        Value::Struct(structure) => struct_value(package, structure),
        Value::Array(elements) | Value::Set(elements) => {
            list(elements.iter().map(|element| inner_value(package, element)))
        }
        Value::Map(pairs) => list(pairs.iter().map(|(key, value)| {
            list([inner_value(package, key), inner_value(package, value)].into_iter())
        })),
        Value::Raw(_) => word(""),
    }
}

fn struct_value(package: &Package, structure: &StructValue) -> PropertyValue {
    let is_key = structure.ty.as_ref().is_some_and(|ty| ty.is("Key"));
    match &structure.fields {
        // An input key is written as its name alone.
        StructFields::Tagged(fields) if is_key => match fields.name("KeyName") {
            Some(name) => word(name.to_string()),
            None => word("None"),
        },
        StructFields::Tagged(fields) => {
            let members = fields.entries.iter().map(|entry| {
                let name = match entry.array_index {
                    0 => entry.name.to_string(),
                    index => format!("{}[{index}]", entry.name),
                };
                (name, inner_value(package, &entry.value))
            });
            PropertyValue::Tuple(members.collect())
        }
        StructFields::Reals(fields) => {
            let is_float = structure
                .ty
                .as_ref()
                .is_some_and(|ty| ty.is("LinearColor") || ty.text().ends_with('f'));
            let members = fields.iter().map(|(name, value)| {
                let text = if is_float {
                    real_f32(*value as f32)
                } else {
                    real(*value)
                };
                ((*name).to_owned(), word(text))
            });
            PropertyValue::Tuple(members.collect())
        }
        StructFields::Integers(fields) => {
            let members = fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), word(value.to_string())));
            PropertyValue::Tuple(members.collect())
        }
        StructFields::Guid(guid) => word(guid.to_string()),
        StructFields::SoftPath(path) => soft_path(path),
        StructFields::PinType(ty) => pin_type_value(package, ty),
        StructFields::Names(names) => {
            let tags = names.iter().map(|name| {
                let name = PropertyValue::String(name.to_string());
                PropertyValue::Tuple(vec![("TagName".to_owned(), name)])
            });
            PropertyValue::Tuple(vec![("GameplayTags".to_owned(), list(tags))])
        }
        StructFields::CurveKey(key) => curve_key(key),
    }
}

fn curve_key(key: &CurveKey) -> PropertyValue {
    let modes = [
        ("InterpMode", key.interpolation),
        ("TangentMode", key.tangent_mode),
        ("TangentWeightMode", key.tangent_weight_mode),
    ];
    let reals = [
        ("Time", key.time),
        ("Value", key.value),
        ("ArriveTangent", key.arrive_tangent),
        ("ArriveTangentWeight", key.arrive_tangent_weight),
        ("LeaveTangent", key.leave_tangent),
        ("LeaveTangentWeight", key.leave_tangent_weight),
    ];
    let modes = modes.map(|(name, value)| (name.to_owned(), word(value.to_string())));
    let reals = reals.map(|(name, value)| (name.to_owned(), word(real_f32(value))));
    PropertyValue::Tuple(modes.into_iter().chain(reals).collect())
}

fn delegate_text(package: &Package, delegate: &crate::DelegateValue) -> String {
    if delegate.object.is_null() {
        return "None".to_owned();
    }
    format!("{}.{}", package.path(delegate.object), delegate.function)
}

pub(super) fn word(text: impl Into<String>) -> PropertyValue {
    PropertyValue::Word(text.into())
}

pub(super) fn boolean(value: bool) -> PropertyValue {
    word(if value { "True" } else { "False" })
}

/// A reference to an object, with the path of its class as the editor has written it since 5.0.
pub(super) fn object(package: &Package, index: PackageIndex) -> PropertyValue {
    match package.object_path(index) {
        Some(path) => PropertyValue::Object(ObjectReference {
            class: Some(package.class_path(index)),
            path,
        }),
        None => word("None"),
    }
}

pub(super) fn guid_value(guid: Guid) -> PropertyValue {
    word(guid.to_string())
}

/// The entry of an enum without the enum's name before it.
pub(super) fn enum_entry(text: &str) -> &str {
    text.rsplit_once("::").map_or(text, |(_, entry)| entry)
}

fn list(elements: impl Iterator<Item = PropertyValue>) -> PropertyValue {
    PropertyValue::Tuple(elements.map(|element| (String::new(), element)).collect())
}

fn soft_path(path: &SoftPath) -> PropertyValue {
    match soft_object_path(path) {
        Some(path) => PropertyValue::String(path.as_str().to_owned()),
        None => word("None"),
    }
}

/// The path a soft reference names; none for none.
pub(super) fn soft_object_path(path: &SoftPath) -> Option<ObjectPath> {
    if path.asset.is_empty() {
        return None;
    }
    Some(ObjectPath::new(if path.sub_path.is_empty() {
        path.asset.clone()
    } else {
        format!("{}:{}", path.asset, path.sub_path)
    }))
}

/// A real as the engine writes it, with six decimals, or with all its digits where six lose some.
fn real(value: f64) -> String {
    let text = format!("{value:.6}");
    if text.parse() == Ok(value) {
        text
    } else {
        format!("{value:?}")
    }
}

fn real_f32(value: f32) -> String {
    let text = format!("{value:.6}");
    if text.parse() == Ok(value) {
        text
    } else {
        format!("{value:?}")
    }
}

fn text_value(text: &Text) -> PropertyValue {
    match text_macro(text) {
        Some(text) => PropertyValue::Text(text),
        None => PropertyValue::String(String::new()),
    }
}

/// A text as a macro (`NSLOCTEXT(…)`); none for the empty text.
pub(super) fn text_macro(text: &Text) -> Option<String> {
    Some(match &text.history {
        TextHistory::None => return None,
        TextHistory::Invariant(source) => format!("INVTEXT({})", quoted(source)),
        TextHistory::Base {
            namespace,
            key,
            source,
        } => {
            if source.is_empty() && key.is_empty() {
                return None;
            }
            format!(
                "NSLOCTEXT({}, {}, {})",
                quoted(namespace),
                quoted(key),
                quoted(source)
            )
        }
        TextHistory::StringTable { table, key } => {
            format!("LOCTABLE({}, {})", quoted(&table.to_string()), quoted(key))
        }
        TextHistory::Format {
            kind,
            pattern,
            arguments,
        } => {
            let mut call = match kind {
                TextFormatKind::Named | TextFormatKind::Data => "LOCGEN_FORMAT_NAMED(",
                TextFormatKind::Ordered => "LOCGEN_FORMAT_ORDERED(",
            }
            .to_owned();
            call.push_str(&text_or_quotes(pattern));
            for (name, argument) in arguments {
                if !name.is_empty() {
                    call.push_str(", ");
                    call.push_str(&quoted(name));
                }
                call.push_str(", ");
                call.push_str(&argument_text(argument));
            }
            call.push(')');
            call
        }
        TextHistory::Number { value, culture, .. } => {
            format!(
                "LOCGEN_NUMBER({}, {})",
                argument_text(value),
                quoted(culture)
            )
        }
        TextHistory::DateTime {
            ticks,
            time_zone,
            culture,
        } => format!(
            "LOCGEN_DATETIME_LOCAL({ticks}, {}, {})",
            quoted(time_zone),
            quoted(culture)
        ),
        TextHistory::Transform { source, kind } => {
            let name = if *kind == 0 {
                "LOCGEN_TOLOWER"
            } else {
                "LOCGEN_TOUPPER"
            };
            format!("{name}({})", text_or_quotes(source))
        }
    })
}

fn text_or_quotes(text: &Text) -> String {
    text_macro(text).unwrap_or_else(|| "\"\"".to_owned())
}

fn argument_text(argument: &TextArgument) -> String {
    match argument {
        TextArgument::Int(value) => value.to_string(),
        TextArgument::UInt(value) => format!("{value}u"),
        TextArgument::Float(value) => format!("{}f", real_f32(*value)),
        TextArgument::Double(value) => real(*value),
        TextArgument::Text(text) => text_or_quotes(text),
        TextArgument::Gender(gender) => gender.to_string(),
    }
}

/// The text of a literal; none for the empty text. A generated text, which the editor never makes of
/// a literal, keeps its form as an invariant text.
pub(super) fn text_literal(text: &Text) -> Option<TextValue> {
    let form = text_macro(text)?;
    Some(match &text.history {
        TextHistory::None => return None,
        TextHistory::Invariant(source) => TextValue::Invariant(source.as_str().into()),
        TextHistory::Base {
            namespace,
            key,
            source,
        } => TextValue::Localized {
            namespace: namespace.as_str().into(),
            key: key.as_str().into(),
            source: source.as_str().into(),
        },
        TextHistory::StringTable { table, key } => TextValue::StringTable {
            table: table.to_string().into(),
            key: key.as_str().into(),
        },
        TextHistory::Format { .. }
        | TextHistory::Number { .. }
        | TextHistory::DateTime { .. }
        | TextHistory::Transform { .. } => TextValue::Invariant(form.into()),
    })
}

/// A string in quotes, with the characters escaped that would end it.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// A whole value as one text: a default as the engine writes it. A string alone has no quotes.
pub(super) fn value_text(value: &PropertyValue) -> String {
    match value {
        PropertyValue::String(text) => text.clone(),
        PropertyValue::Word(_)
        | PropertyValue::Object(_)
        | PropertyValue::Text(_)
        | PropertyValue::Tuple(_)
        | PropertyValue::Array(_) => {
            let mut out = String::new();
            write_value(value, &mut out);
            out
        }
    }
}

fn write_value(value: &PropertyValue, out: &mut String) {
    match value {
        PropertyValue::Word(text) | PropertyValue::Text(text) => out.push_str(text),
        PropertyValue::String(text) => out.push_str(&quoted(text)),
        PropertyValue::Object(object) => out.push_str(object.path.as_str()),
        PropertyValue::Tuple(members) => {
            out.push('(');
            for (idx, (name, value)) in members.iter().enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                if !name.is_empty() {
                    out.push_str(name);
                    out.push('=');
                }
                write_value(value, out);
            }
            out.push(')');
        }
        PropertyValue::Array(elements) => {
            out.push('(');
            for (idx, value) in elements.iter().enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                write_value(value, out);
            }
            out.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextHistory;

    #[test]
    fn reals_have_six_decimals_unless_that_loses_digits() {
        assert_eq!(real(1.0), "1.000000");
        assert_eq!(real_f32(0.1), "0.100000");
        assert_eq!(real(0.1 + 0.2), "0.30000000000000004");
        assert_eq!(real_f32(1e-9), "1e-9");
    }

    #[test]
    fn texts_are_macros_with_escaped_strings() {
        let text = Text {
            flags: 0,
            history: TextHistory::Base {
                namespace: String::new(),
                key: "K".to_owned(),
                source: "say \"hi\"\n".to_owned(),
            },
        };
        let expected = r#"NSLOCTEXT("", "K", "say \"hi\"\n")"#;
        assert_eq!(text_macro(&text).as_deref(), Some(expected));
    }
}
