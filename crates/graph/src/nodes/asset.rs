//! References to assets turned into what they refer to, and fields read out of JSON objects.

use bp_reflect::ObjectPath;
use serde_json::{Map, Value};

use super::spec::{Kind, object, word};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, wildcard};
use crate::types::OBJECT;
use crate::{Direction, Graph, Node, PinCategory, PinType};

/// `K2Node_ConvertAsset`: a soft reference to what it refers to, or back. Its pin names are assumed: no
/// instance was met.
pub(crate) struct ConvertAsset;

/// What only the pins of a saved node tell; for [`NodeClass::pins`].
const OF: &str = "+class";
const IS_CLASS: &str = "bIsAssetClass";
const TO_SOFT: &str = "bIsConvertToAsset";

impl ConvertAsset {
    fn class_of(node: &Node, cx: &PinContext<'_>) -> ObjectPath {
        let named = node.properties.object(OF);
        let drawn = || {
            node.pins
                .iter()
                .map(|pin| &cx.graph.pins[*pin])
                .find(|pin| pin.name == "Asset")
                .and_then(|pin| pin.ty.object.clone())
        };
        named.or_else(drawn).unwrap_or_else(|| OBJECT.into())
    }
}

impl NodeClass for ConvertAsset {
    fn class(&self) -> &'static str {
        "K2Node_ConvertAsset"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::new(
                    "of",
                    KeyKind::Class,
                    "The class of the asset; Object if left out",
                ),
                Key::new(
                    "class_asset",
                    KeyKind::Bool,
                    "Whether it is a reference to a class",
                ),
                Key::new(
                    "to_soft",
                    KeyKind::Bool,
                    "Whether it makes a soft reference",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if let Some(class) = keys.path("of") {
            node.properties.set(OF, object(Kind::Class, class));
        }
        for (key, property) in [("class_asset", IS_CLASS), ("to_soft", TO_SOFT)] {
            if keys.flag(key) == Some(true) {
                node.properties.set(property, word(true));
            }
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        let class = Self::class_of(node, cx);
        if class.as_str() != OBJECT {
            keys.insert("of".to_owned(), cx.class_text(&class).into());
        }
        for (key, property) in [("class_asset", IS_CLASS), ("to_soft", TO_SOFT)] {
            if node.properties.flag(property) == Some(true) {
                keys.insert(key.to_owned(), true.into());
            }
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let is = |property: &str| node.properties.flag(property) == Some(true);
        let (soft, hard) = if is(IS_CLASS) {
            (PinCategory::SoftClass, PinCategory::Class)
        } else {
            (PinCategory::SoftObject, PinCategory::Object)
        };
        let (from, to) = if is(TO_SOFT) {
            (hard, soft)
        } else {
            (soft, hard)
        };
        let class = Self::class_of(node, cx);
        Ok(vec![
            PinSpec::input("Asset", PinType::with_object(from, class.clone())),
            PinSpec::output("ConvertedAsset", PinType::with_object(to, class)),
        ])
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        if node.properties.flag(TO_SOFT) == Some(true) {
            "To Soft Reference".to_owned()
        } else {
            "Resolve Soft Reference".to_owned()
        }
    }
}

/// `K2Node_GetJsonField`. Source: 12 nodes of a real package (UE 5.2).
pub(crate) struct GetJsonField;

const FIELD_TYPE: &str = "+type";

impl NodeClass for GetJsonField {
    fn class(&self) -> &'static str {
        "K2Node_GetJsonField"
    }
    fn package(&self) -> Option<&'static str> {
        Some("/Script/JsonBlueprintGraph")
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::new(
                "type",
                KeyKind::Type,
                "The field's type, when no link tells",
            )]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if let Some(ty) = keys.ty("type") {
            node.properties.set(FIELD_TYPE, super::pin_type_value(ty));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(ty) = Self::field_type(node, cx)
            && ty.category != PinCategory::Wildcard
        {
            let text = crate::json::type_text(&ty, cx.registry);
            keys.insert("type".to_owned(), text.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let library = "/Script/JsonBlueprintUtilities.JsonBlueprintFunctionLibrary";
        let library = ObjectPath::new(library);
        let wrapper = PinType {
            is_reference: true,
            is_const: true,
            ..PinType::with_object(
                PinCategory::Struct,
                "/Script/JsonUtilities.JsonObjectWrapper".into(),
            )
        };
        let field =
            Self::field_type(node, cx).unwrap_or_else(|| PinType::of(PinCategory::Wildcard));
        let mut pins = PinSpec::exec_pair();
        pins.push(
            PinSpec::target(PinType::with_object(PinCategory::Object, library.clone()))
                .object(library.default_object())
                .hidden(),
        );
        pins.push(PinSpec::input("JsonObject", wrapper));
        pins.push(PinSpec::input(
            "FieldName",
            PinType::of(PinCategory::String),
        ));
        pins.push(PinSpec::output("OutValue", field));
        pins.push(PinSpec::output("ReturnValue", PinType::of(PinCategory::Bool)).value("false"));
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::whole(node, graph, &["OutValue"])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Get Field".to_owned()
    }
}

impl GetJsonField {
    fn field_type(node: &Node, cx: &PinContext<'_>) -> Option<PinType> {
        let named = node
            .properties
            .get(FIELD_TYPE)
            .and_then(super::pin_type_of_value);
        let drawn = || {
            node.pins
                .iter()
                .map(|pin| &cx.graph.pins[*pin])
                .find(|pin| pin.name == "OutValue" && pin.direction == Direction::Output)
                .map(|pin| pin.ty.clone())
        };
        named.or_else(drawn)
    }
}

/// `K2Node_HttpRequest`. Source: 2 nodes of a real package (UE 5.2). That a request with a body shows
/// `Body` is assumed.
pub(crate) struct HttpRequest;

impl NodeClass for HttpRequest {
    fn class(&self) -> &'static str {
        "K2Node_HttpRequest"
    }
    fn package(&self) -> Option<&'static str> {
        Some("/Script/HttpBlueprintGraph")
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let shown = |key: &str, text: &str| {
            Some(format!(
                "NSLOCTEXT(\"K2Node_HttpRequest\", \"{key}\", \"{text}\")"
            ))
        };
        let exec = |name: &str, key: &str, text: &str| PinSpec {
            friendly_name: shown(key, text),
            ..PinSpec::exec_out(name)
        };
        let header = PinType::with_object(
            PinCategory::Struct,
            "/Script/HttpBlueprint.HttpHeader".into(),
        );
        let verb = PinType::with_object(
            PinCategory::Byte,
            "/Script/HttpBlueprintGraph.EHttpVerbs".into(),
        );
        // What a saved node has decides: its verb's pin was seen as an enum, and only some have a body.
        let drawn = |name: &str| {
            node.pins
                .iter()
                .map(|pin| &cx.graph.pins[*pin])
                .find(|pin| pin.name == name)
        };
        let verb = drawn("Verb").map_or(verb, |pin| pin.ty.clone());
        let mut pins = vec![
            PinSpec::exec_in("execute"),
            exec("then", "HttpRequest ThenPin", "Request Processing"),
            exec(
                "On Success",
                "HttpRequest SuccessPin",
                "Request Was Successful",
            ),
            exec(
                "On Error",
                "HttpRequest FailurePin",
                "Request Was Not Successful",
            ),
            PinSpec::input("Url", PinType::of(PinCategory::String)),
            PinSpec::input("Verb", verb).value("Get"),
            PinSpec::input(
                "Header",
                PinType {
                    is_const: true,
                    ..header.clone()
                },
            ),
        ];
        if drawn("Body").is_some() {
            pins.push(PinSpec::input("Body", PinType::of(PinCategory::String)));
        }
        pins.push(PinSpec {
            friendly_name: shown("HttpRequest OutHeader", "Header"),
            ..PinSpec::output("OutHeader", header)
        });
        pins.push(PinSpec::output(
            "Result Body",
            PinType::of(PinCategory::String),
        ));
        Ok(pins)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Make Http Request".to_owned()
    }
}
