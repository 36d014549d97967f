//! Making arrays, sets and maps, and reading an array's element.

use bp_diag::Code;
use serde_json::{Map, Value};

use super::spec::{number, word};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, wildcard};
use crate::{Container, Graph, Node, PinCategory, PinType};

const INPUTS: &[Key] = &[
    Key::new("inputs", KeyKind::Count, "How many elements"),
    Key::new(
        "type",
        KeyKind::Type,
        "The type of the result, when no link tells",
    ),
];

/// Most elements a Make node can have.
const MAX_INPUTS: i64 = 4096;

fn set_inputs(keys: &Keys, node: &mut Node) -> Result<(), NodeError> {
    let count = keys.int("inputs").unwrap_or(1);
    if !(0..=MAX_INPUTS).contains(&count) {
        return Err(NodeError::new(
            Code::BadValue,
            format!("`inputs` must be at most {MAX_INPUTS}"),
        )
        .key("inputs"));
    }
    if count != 1 {
        node.properties.set("NumInputs", number(count));
    }
    Ok(())
}

fn count(node: &Node) -> usize {
    node.properties
        .int("NumInputs")
        .and_then(|count| usize::try_from(count.clamp(0, MAX_INPUTS)).ok())
        .unwrap_or(1)
}

fn inputs_key(node: &Node) -> Map<String, Value> {
    let mut keys = Map::new();
    if count(node) != 1 {
        keys.insert("inputs".to_owned(), count(node).into());
    }
    keys
}

fn wild(container: Container) -> PinType {
    PinType {
        container,
        ..PinType::of(PinCategory::Wildcard)
    }
}

/// `K2Node_MakeArray`.
pub(crate) struct MakeArray;

impl NodeClass for MakeArray {
    fn class(&self) -> &'static str {
        "K2Node_MakeArray"
    }
    fn keys(&self) -> &'static [Key] {
        INPUTS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_inputs(keys, node)
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        inputs_key(node)
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = vec![PinSpec::output("Array", wild(Container::Array))];
        for idx in 0..count(node) {
            pins.push(PinSpec::input(format!("[{idx}]"), wild(Container::None)));
        }
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::all_but(node, graph, &[])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Make Array".to_owned()
    }
}

/// `K2Node_MakeSet`.
pub(crate) struct MakeSet;

impl NodeClass for MakeSet {
    fn class(&self) -> &'static str {
        "K2Node_MakeSet"
    }
    fn keys(&self) -> &'static [Key] {
        INPUTS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_inputs(keys, node)
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        inputs_key(node)
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = vec![PinSpec::output("Set", wild(Container::Set))];
        for idx in 0..count(node) {
            pins.push(PinSpec::input(format!("[{idx}]"), wild(Container::None)));
        }
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::all_but(node, graph, &[])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Make Set".to_owned()
    }
}

/// `K2Node_MakeMap`.
pub(crate) struct MakeMap;

impl NodeClass for MakeMap {
    fn class(&self) -> &'static str {
        "K2Node_MakeMap"
    }
    fn keys(&self) -> &'static [Key] {
        INPUTS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_inputs(keys, node)
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        inputs_key(node)
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let map = Container::Map(Box::default());
        let mut pins = vec![PinSpec::output("Map", wild(map))];
        for idx in 0..count(node) {
            pins.push(PinSpec::input(format!("Key {idx}"), wild(Container::None)));
            pins.push(PinSpec::input(
                format!("Value {idx}"),
                wild(Container::None),
            ));
        }
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        wildcard::map_groups(node, graph)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Make Map".to_owned()
    }
}

/// `K2Node_GetArrayItem`.
pub(crate) struct GetArrayItem;

impl NodeClass for GetArrayItem {
    fn class(&self) -> &'static str {
        "K2Node_GetArrayItem"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::new(
                    "by_ref",
                    KeyKind::Bool,
                    "Whether the element itself comes out, not a copy",
                ),
                Key::new(
                    "type",
                    KeyKind::Type,
                    "The array's type, when no link tells",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if keys.flag("by_ref") == Some(false) {
            node.properties.set("bReturnByRefDesired", word(false));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if node.properties.flag("bReturnByRefDesired") == Some(false) {
            keys.insert("by_ref".to_owned(), false.into());
        }
        keys
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let by_ref = node.properties.flag("bReturnByRefDesired") != Some(false);
        Ok(vec![
            PinSpec::input("Array", wild(Container::Array)),
            PinSpec::input("Dimension 1", PinType::of(PinCategory::Int)).auto(),
            PinSpec::output(
                "Output",
                PinType {
                    is_reference: by_ref,
                    ..wild(Container::None)
                },
            ),
        ])
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::whole(node, graph, &["Array", "Output"])]
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        if node.properties.flag("bReturnByRefDesired") == Some(false) {
            "Get (a copy)".to_owned()
        } else {
            "Get (a ref)".to_owned()
        }
    }
}
