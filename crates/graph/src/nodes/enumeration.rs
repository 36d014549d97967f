//! Enums.

use serde_json::{Map, Value};

use super::call::first_entry;
use super::context::short_name;
use super::spec::{Kind, object, string};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, wildcard};
use crate::{Graph, Node, PinCategory, PinFlags, PinType};

const ENUM: &[Key] = &[Key::required("enum", KeyKind::Enum, "The enum")];
const OPTIONAL: &[Key] = &[Key::new(
    "enum",
    KeyKind::Enum,
    "The enum, when no link tells",
)];

/// The enum of a node that keeps it in its pins alone; for [`NodeClass::pins`].
const WANTED: &str = "+enum";

fn wanted(node: &Node) -> PinType {
    match node.properties.text(WANTED) {
        Some(path) => PinType::with_object(PinCategory::Byte, path.into()),
        None => PinType::of(PinCategory::Wildcard),
    }
}

fn set(keys: &Keys, node: &mut Node) -> Result<(), NodeError> {
    let path = keys.need_path("enum")?;
    node.properties.set("Enum", object(Kind::Enum, path));
    Ok(())
}

fn keys_of(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    if let Some(path) = node.properties.object("Enum") {
        keys.insert(
            "enum".to_owned(),
            short_name(&path, &cx.registry.find_enum(path.name())).into(),
        );
    }
    keys
}

fn enum_type(node: &Node) -> Result<PinType, NodeError> {
    let path = node
        .properties
        .object("Enum")
        .ok_or_else(NodeError::reported)?;
    Ok(PinType::with_object(PinCategory::Byte, path))
}

fn enum_title(verb: &str, node: &Node) -> String {
    node.properties.object("Enum").map_or_else(
        || format!("{verb} enum"),
        |path| format!("{verb} {}", path.name()),
    )
}

macro_rules! enum_node {
    ($(#[$doc:meta])* $name:ident $class:literal $title:literal $pins:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl NodeClass for $name {
            fn class(&self) -> &'static str {
                $class
            }
            fn keys(&self) -> &'static [Key] {
                ENUM
            }
            fn set(
                &self,
                keys: &Keys,
                node: &mut Node,
                _cx: &PinContext<'_>,
            ) -> Result<(), NodeError> {
                set(keys, node)
            }
            fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
                keys_of(node, cx)
            }
            fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
                let pins: fn(PinType, &PinContext<'_>) -> Vec<PinSpec> = $pins;
                Ok(pins(enum_type(node)?, cx))
            }
            fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
                enum_title($title, node)
            }
        }
    };
}

enum_node!(
    /// `K2Node_EnumLiteral`.
    EnumLiteral "K2Node_EnumLiteral" "Literal enum" |ty, cx| vec![
        first_entry(PinSpec::input("Enum", ty.clone()), cx),
        PinSpec::output("ReturnValue", ty),
    ]
);
enum_node!(
    /// `K2Node_ForEachElementInEnum`.
    ForEachElementInEnum "K2Node_ForEachElementInEnum" "ForEach" |ty, _| vec![
        PinSpec::exec_in("execute"),
        PinSpec::input("SkipHidden", PinType::of(PinCategory::Bool))
            .starting("true")
            .with(PinFlags::ADVANCED),
        PinSpec::exec_out("LoopBody"),
        PinSpec::output("EnumValue", ty),
        PinSpec::exec_out("then").friendly("Completed", "Completed"),
    ]
);
enum_node!(
    /// `K2Node_CastByteToEnum`. Its pin names are assumed: no instance was met.
    CastByteToEnum "K2Node_CastByteToEnum" "Byte to Enum" |ty, _| vec![
        PinSpec::input("Byte", PinType::of(PinCategory::Byte)),
        PinSpec::output("Enum", ty),
    ]
);
enum_node!(
    /// `K2Node_GetNumEnumEntries`. Its pin name is assumed: no instance was met.
    GetNumEnumEntries "K2Node_GetNumEnumEntries" "Get number of entries in" |_, _| vec![
        PinSpec::output("ReturnValue", PinType::of(PinCategory::Int)),
    ]
);

fn compare_pins(wild: PinType) -> Vec<PinSpec> {
    vec![
        PinSpec::output("ReturnValue", PinType::of(PinCategory::Bool)),
        PinSpec::input("A", wild.clone()),
        PinSpec::input("B", wild),
    ]
}

macro_rules! wild_enum_node {
    ($(#[$doc:meta])* $name:ident $class:literal $title:literal $pins:expr, $group:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl NodeClass for $name {
            fn class(&self) -> &'static str {
                $class
            }
            fn keys(&self) -> &'static [Key] {
                OPTIONAL
            }
            fn set(
                &self,
                keys: &Keys,
                node: &mut Node,
                _cx: &PinContext<'_>,
            ) -> Result<(), NodeError> {
                if let Some(path) = keys.path("enum") {
                    node.properties.set(WANTED, string(path));
                }
                Ok(())
            }
            fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
                let pins: fn(PinType) -> Vec<PinSpec> = $pins;
                Ok(pins(wanted(node))
                    .into_iter()
                    .map(|pin| first_entry(pin, cx))
                    .collect())
            }
            fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
                vec![wildcard::whole(node, graph, $group)]
            }
            fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
                $title.to_owned()
            }
        }
    };
}

fn name_pins(wild: PinType, result: PinCategory) -> Vec<PinSpec> {
    vec![
        PinSpec::input("Enumerator", wild),
        PinSpec::output("ReturnValue", PinType::of(result)),
    ]
}

wild_enum_node!(
    /// `K2Node_EnumEquality`.
    EnumEquality "K2Node_EnumEquality" "Equal (Enum)" compare_pins, &["A", "B"]
);
wild_enum_node!(
    /// `K2Node_EnumInequality`.
    EnumInequality "K2Node_EnumInequality" "Not Equal (Enum)" compare_pins, &["A", "B"]
);
wild_enum_node!(
    /// `K2Node_GetEnumeratorName`.
    GetEnumeratorName "K2Node_GetEnumeratorName" "Enum to Name"
    |ty| name_pins(ty, PinCategory::Name), &["Enumerator"]
);
wild_enum_node!(
    /// `K2Node_GetEnumeratorNameAsString`.
    GetEnumeratorNameAsString "K2Node_GetEnumeratorNameAsString" "Enum to String"
    |ty| name_pins(ty, PinCategory::String), &["Enumerator"]
);
