//! The JSON Schema of a Blueprint, and the key lists the reader goes by.

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::document;
use crate::nodes::{self, KeyKind};

/// The keys of one kind of object, in the order of the document types.
pub(crate) struct KeyList {
    pub(crate) keys: Vec<String>,
    pub(crate) required: Vec<String>,
}

fn list_of<T: JsonSchema>() -> KeyList {
    let schema = schemars::schema_for!(T).to_value();
    let strings = |value: Option<&Value>| -> Vec<String> {
        match value {
            Some(Value::Array(items)) => items
                .iter()
                .filter_map(|item| item.as_str().map(str::to_owned))
                .collect(),
            Some(Value::Object(map)) => map.keys().cloned().collect(),
            _ => Vec::new(),
        }
    };
    KeyList {
        keys: strings(schema.get("properties")),
        required: strings(schema.get("required")),
    }
}

macro_rules! key_lists {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {
        $($(#[$doc])*
        pub(crate) fn $name() -> &'static KeyList {
            static LIST: OnceLock<KeyList> = OnceLock::new();
            LIST.get_or_init(list_of::<$type>)
        })*
    };
}

key_lists! {
    /// Of the top level.
    document_keys: document::Document;
    /// Of a variable.
    variable_keys: document::Variable;
    /// Of a designer's variable.
    designer_variable_keys: document::DesignerVariable;
    /// Of a parameter.
    param_keys: document::Param;
    /// Of a dispatcher.
    dispatcher_keys: document::Dispatcher;
    /// Of a component.
    component_keys: document::Component;
    /// Of an inherited component.
    component_override_keys: document::ComponentOverride;
    /// Of a timeline.
    timeline_keys: document::Timeline;
    /// Of a track.
    track_keys: document::Track;
    /// Of a struct.
    struct_keys: document::Struct;
    /// Of a struct's member.
    member_keys: document::Member;
    /// Of an enum.
    enum_keys: document::Enum;
    /// Of a graph.
    graph_keys: document::Graph;
    /// Of every node.
    node_keys: document::Node;
    /// Of a raw pin.
    raw_pin_keys: document::RawPin;
}

/// The schema of a Blueprint in JSON, as text.
pub fn schema() -> String {
    let mut root = schemars::schema_for!(document::Document).to_value();
    let mut node = schemars::schema_for!(document::Node).to_value();
    let node_definitions = node
        .as_object_mut()
        .and_then(|node| node.remove("$defs"))
        .unwrap_or_else(|| json!({}));
    node["title"] = json!("Node");
    let mut classes = Vec::new();
    for row in nodes::ALL {
        let short = row.class().strip_prefix("K2Node_").unwrap_or(row.class());
        let names: Vec<&str> = if short == row.class() {
            match short.strip_prefix("EdGraphNode_") {
                Some(name) => vec![name, row.class()],
                None => vec![row.class()],
            }
        } else {
            vec![short, row.class()]
        };
        let mut properties = serde_json::Map::new();
        for key in row.keys() {
            let mut value = kind_schema(key.kind);
            value["description"] = json!(key.doc);
            properties.insert(key.name.to_owned(), value);
        }
        let required: Vec<&str> = row
            .keys()
            .iter()
            .filter(|key| key.required)
            .map(|key| key.name)
            .collect();
        classes.push(json!({
            "if": {"properties": {"class": {"enum": names}}},
            "then": {"properties": properties, "required": required}
        }));
    }
    // Nodes of animation list their pins; some have a graph inside them.
    classes.push(json!({
        "if": {"properties": {"class": {"pattern": "^Anim(GraphNode|State)"}}},
        "then": {"properties": {"graph": kind_schema(KeyKind::Graph)}}
    }));
    node["allOf"] = json!(classes);
    node["unevaluatedProperties"] = json!(false);
    if let Some(definitions) = root.get_mut("$defs").and_then(Value::as_object_mut) {
        definitions.insert("Node".to_owned(), node);
        if let Value::Object(more) = node_definitions {
            for (name, definition) in more {
                definitions.entry(name).or_insert(definition);
            }
        }
        if let Some(graph) = definitions.get_mut("Graph") {
            graph["properties"]["nodes"]["items"] = json!({"$ref": "#/$defs/Node"});
            // The graph of a collapsed node has the node's name, and no kind.
            let mut inner = graph.clone();
            if let Some(inner) = inner.as_object_mut() {
                inner.remove("required");
            }
            definitions.insert("InnerGraph".to_owned(), inner);
        }
    }
    root["$id"] = json!("blueprint/1");
    root["properties"]["format"] = json!({"const": "blueprint/1"});
    let mut text = serde_json::to_string_pretty(&root).expect("a schema is plain JSON");
    text.push('\n');
    text
}

fn kind_schema(kind: KeyKind) -> Value {
    match kind {
        KeyKind::Text | KeyKind::Class | KeyKind::Struct | KeyKind::Enum | KeyKind::Type => {
            json!({"type": "string"})
        }
        KeyKind::Bool => json!({"type": "boolean"}),
        KeyKind::Count => json!({"type": "integer", "minimum": 0}),
        KeyKind::Int => json!({"type": "integer"}),
        KeyKind::Names => json!({"type": "array", "items": {"type": ["string", "integer"]}}),
        KeyKind::CountOrNames => json!({"anyOf": [
            {"type": "integer", "minimum": 0},
            {"type": "array", "items": {"type": ["string", "integer"]}}
        ]}),
        KeyKind::CountOrNamesOrEnum => json!({"anyOf": [
            {"type": "integer", "minimum": 0},
            {"type": "string"},
            {"type": "array", "items": {"type": ["string", "integer"]}}
        ]}),
        KeyKind::Params => json!({"type": "array", "items": {"$ref": "#/$defs/Param"}}),
        KeyKind::CountOrParams => json!({"anyOf": [
            {"type": "integer", "minimum": 0},
            {"type": "array", "items": {"$ref": "#/$defs/Param"}}
        ]}),
        KeyKind::Graph => json!({"$ref": "#/$defs/InnerGraph"}),
        KeyKind::Value => json!({}),
        KeyKind::Size => json!({
            "type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2
        }),
    }
}
