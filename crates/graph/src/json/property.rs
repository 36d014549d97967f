//! Engine properties that no key says: a string is a word, a list an array, an object one of the other forms
//! of [`PropertyValue`] by its only key (`string`, `text`, `tuple`; `object` with `class`).

use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_reflect::ObjectPath;
use serde_json::{Map, Value as Json, json};

use super::fields::Fields;
use super::tree::{Kind, Tree};
use crate::{ObjectReference, Properties, PropertyValue};

/// Reads a property; none if it has none of the forms.
pub(crate) fn parse(tree: &Tree) -> Option<PropertyValue> {
    Some(match &tree.kind {
        Kind::String(text) | Kind::Number(text) => PropertyValue::Word(text.clone()),
        Kind::Bool(value) => PropertyValue::Word(if *value { "True" } else { "False" }.to_owned()),
        Kind::List(items) => {
            PropertyValue::Array(items.iter().map(parse).collect::<Option<Vec<_>>>()?)
        }
        Kind::Object(members) => {
            let (first, rest) = members.split_first()?;
            match (first.key.as_str(), rest) {
                ("string", []) => PropertyValue::String(first.value.as_str()?.to_owned()),
                ("text", []) => PropertyValue::Text(first.value.as_str()?.to_owned()),
                ("tuple", []) => {
                    let pair = |item: &Tree| match item.as_list()? {
                        [key, value] => Some((key.as_str()?.to_owned(), parse(value)?)),
                        _ => None,
                    };
                    let members = first.value.as_list()?.iter().map(pair);
                    PropertyValue::Tuple(members.collect::<Option<Vec<_>>>()?)
                }
                ("object", rest) => {
                    let class = match rest {
                        [] => None,
                        [class] if class.key == "class" => Some(class.value.as_str()?.to_owned()),
                        _ => return None,
                    };
                    PropertyValue::Object(ObjectReference {
                        class,
                        path: ObjectPath::new(first.value.as_str()?),
                    })
                }
                _ => return None,
            }
        }
        Kind::Null => return None,
    })
}

/// Reads the properties under a key into those that are there; null takes one away.
pub(crate) fn read_all(
    fields: &Fields<'_>,
    key: &str,
    properties: &mut Properties,
    out: &mut Diagnostics,
) {
    for member in fields.map(key, out) {
        if matches!(member.value.kind, Kind::Null) {
            properties.0.shift_remove(&member.key);
            continue;
        }
        match parse(&member.value) {
            Some(value) => properties.set(&member.key, value),
            None => out.push(
                Diagnostic::new(
                    Code::BadValue,
                    format!("`{}` is in no form of a property", member.key),
                )
                .at(member.value.span)
                .place(fields.place.clone())
                .hint(
                    "a word is a string, a list an array; others are `{\"string\": …}`, `{\"text\": …}`, \
                     `{\"object\": …}` or `{\"tuple\": [[key, value]]}`",
                ),
            ),
        }
    }
}

/// Writes a property.
pub(crate) fn write(value: &PropertyValue) -> Json {
    match value {
        PropertyValue::Word(text) => json!(text),
        PropertyValue::String(text) => json!({"string": text}),
        PropertyValue::Text(text) => json!({"text": text}),
        PropertyValue::Object(object) => match &object.class {
            Some(class) => json!({"object": object.path.as_str(), "class": class}),
            None => json!({"object": object.path.as_str()}),
        },
        PropertyValue::Tuple(members) => {
            let pairs: Vec<Json> = members
                .iter()
                .map(|(key, value)| json!([key, write(value)]))
                .collect();
            json!({"tuple": pairs})
        }
        PropertyValue::Array(items) => Json::Array(items.iter().map(write).collect()),
    }
}

/// Writes properties under their engine names.
pub(crate) fn write_all(properties: &Properties) -> Map<String, Json> {
    let entries = properties.0.iter();
    entries
        .map(|(key, value)| (key.clone(), write(value)))
        .collect()
}
