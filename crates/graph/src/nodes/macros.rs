//! Macros and collapsed graphs.

use bp_diag::Code;
use bp_reflect::ObjectPath;
use serde_json::{Map, Value};

use super::context::did_you_mean;
use super::formula::Formula;
use super::spec::string;
use super::{
    Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, display_name, wildcard,
};
use crate::outline::MacroReference;
use crate::{
    Direction, Graph, GraphKind, Guid, Node, NodeId, ObjectReference, PinCategory, PinFlags,
    PinType, PropertyValue,
};

/// The pins a graph shows on the outside: its entry's outputs as inputs, its results' inputs as outputs.
pub(crate) fn outer_pins(graph: &Graph) -> (Vec<PinSpec>, Vec<PinSpec>) {
    let of = |node: Option<NodeId>, side: Direction, outside: Direction| -> Vec<PinSpec> {
        node.map(|node| {
            graph
                .pins_of(node)
                .filter(|(_, pin)| pin.direction == side && pin.parent.is_none())
                .map(|(_, pin)| {
                    let mut spec = PinSpec::of_pin(pin);
                    spec.direction = outside;
                    spec.flags -= PinFlags::USER_DEFINED | PinFlags::HIDDEN;
                    spec
                })
                .collect()
        })
        .unwrap_or_default()
    };
    let tunnel = |is_entry: bool| {
        graph
            .nodes
            .iter()
            .find(|(id, node)| node.is_tunnel() && graph.is_entry_tunnel(*id) == is_entry)
            .map(|(id, _)| id)
    };
    (
        of(tunnel(true), Direction::Output, Direction::Input),
        of(tunnel(false), Direction::Input, Direction::Output),
    )
}

/// `K2Node_MacroInstance`.
pub(crate) struct MacroInstance;

/// The package of the engine's macros.
pub(crate) const STANDARD: &str = "/Engine/EditorBlueprintResources/StandardMacros.StandardMacros";

impl NodeClass for MacroInstance {
    fn class(&self) -> &'static str {
        "K2Node_MacroInstance"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("macro", KeyKind::Text, "`ForLoop`, or `Library.Macro`"),
                Key::new(
                    "type",
                    KeyKind::Type,
                    "The type of the wildcards, when no link tells",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let text = keys.need("macro")?;
        let (library, name) = match text.rsplit_once(['.', ':']) {
            Some((library, name)) => {
                let library = library.split('.').next().unwrap_or(library);
                let short = library.rsplit('/').next().unwrap_or(library);
                (Some(short), name)
            }
            None => (None, text),
        };
        let own = cx
            .blueprint
            .graphs
            .iter()
            .find(|graph| graph.kind == GraphKind::Macro && graph.name == *name)
            .filter(|_| library.is_none_or(|library| cx.blueprint.name == *library))
            .map(|graph| (cx.blueprint, graph));
        let Some((blueprint, graph)) = own.or_else(|| cx.macros.find(library, name)) else {
            let names: Vec<&str> = cx
                .macros
                .iter()
                .flat_map(|blueprint| &blueprint.graphs)
                .filter(|graph| graph.kind == GraphKind::Macro)
                .map(|graph| graph.name.as_str())
                .collect();
            return Err(
                NodeError::new(Code::MacroInvalid, format!("there is no macro `{text}`"))
                    .key("macro")
                    .hint(did_you_mean(name, names)),
            );
        };
        let asset = if blueprint.name == "StandardMacros" {
            ObjectPath::new(STANDARD)
        } else {
            let path = blueprint.class_path.as_str();
            ObjectPath::new(path.strip_suffix("_C").unwrap_or(path))
        };
        node.properties.set(
            "MacroGraphReference",
            reference_value(&asset, graph.name.as_str(), graph.guid),
        );
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(reference) = MacroReference::of(node) {
            let library = reference.library.clone().unwrap_or_default();
            let name = reference.name.clone().unwrap_or_default();
            // A name that the search finds first needs no library.
            let first = cx.macros.find(None, &name);
            let is_first = first.is_some_and(|(_, graph)| {
                !reference.guid.is_zero() && graph.guid == reference.guid
            });
            let text = if is_first || library.is_empty() {
                name
            } else {
                format!("{library}.{name}")
            };
            keys.insert("macro".to_owned(), text.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let graph = MacroReference::of(node)
            .and_then(|reference| reference.find(cx.blueprint, cx.macros))
            .ok_or_else(|| {
                let name = MacroReference::of(node)
                    .and_then(|reference| reference.name)
                    .unwrap_or_default();
                NodeError::new(Code::MacroInvalid, format!("there is no macro `{name}`"))
                    .key("macro")
            })?;
        let (inputs, outputs) = outer_pins(graph);
        Ok(inputs.into_iter().chain(outputs).collect())
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        wildcard::all_wildcards(node, graph)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        MacroReference::of(node)
            .and_then(|reference| reference.name)
            .map_or_else(|| "Macro".to_owned(), |name| display_name(&name, false))
    }
}

/// `MacroGraphReference` as the engine writes it.
fn reference_value(asset: &ObjectPath, name: &str, guid: Guid) -> PropertyValue {
    let reference = |class: &str, path: String| {
        PropertyValue::Object(ObjectReference {
            class: Some(class.to_owned()),
            path: ObjectPath::new(path),
        })
    };
    PropertyValue::Tuple(vec![
        (
            "MacroGraph".to_owned(),
            reference("/Script/Engine.EdGraph", format!("{asset}:{name}")),
        ),
        (
            "GraphBlueprint".to_owned(),
            reference("/Script/Engine.Blueprint", asset.to_string()),
        ),
        (
            "GraphGuid".to_owned(),
            PropertyValue::Word(guid.to_string()),
        ),
    ])
}

/// `K2Node_Composite`: a collapsed graph.
pub(crate) struct Composite;

impl NodeClass for Composite {
    fn class(&self) -> &'static str {
        "K2Node_Composite"
    }
    fn keys(&self) -> &'static [Key] {
        const { &[Key::required("graph", KeyKind::Graph, "The graph inside")] }
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let child = node
            .child
            .and_then(|child| cx.graph.children.get(child))
            .ok_or_else(NodeError::reported)?;
        let (inputs, outputs) = outer_pins(child);
        // The editor makes the outputs first.
        Ok(outputs.into_iter().chain(inputs).collect())
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        node.child
            .and_then(|child| cx.graph.children.get(child))
            .map_or_else(
                || "Collapsed Graph".to_owned(),
                |child| child.name.to_string(),
            )
    }
}

/// `K2Node_MathExpression`: a formula; its variables are its inputs.
pub(crate) struct MathExpression;

fn formula_of(text: &str) -> Result<Formula, NodeError> {
    Formula::parse(text)
        .map_err(|error| NodeError::new(Code::BadValue, error.to_string()).key("expression"))
}

impl NodeClass for MathExpression {
    fn class(&self) -> &'static str {
        "K2Node_MathExpression"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required(
                    "expression",
                    KeyKind::Text,
                    "The formula, such as `(a + b) / 2`; its variables are reals",
                ),
                Key::new("graph", KeyKind::Graph, "What the formula was made into"),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        let text = keys.need("expression")?;
        if !keys.has("graph") {
            formula_of(text)?;
        }
        node.properties.set("Expression", string(text));
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(text) = node.properties.text("Expression") {
            keys.insert("expression".to_owned(), text.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        if node.child.is_some() {
            return Composite.pins(node, cx);
        }
        let expression = node
            .properties
            .text("Expression")
            .ok_or_else(NodeError::reported)?;
        let formula = formula_of(expression)?;
        let real = super::misc::real(cx.engine());
        let result = if formula.is_condition() {
            PinType::of(PinCategory::Bool)
        } else {
            real.clone()
        };
        let mut pins = vec![PinSpec::output("ReturnValue", result)];
        pins.extend(
            formula
                .variables()
                .into_iter()
                .map(|name| PinSpec::input(name, real.clone())),
        );
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.properties
            .text("Expression")
            .unwrap_or("Math Expression")
            .to_owned()
    }
}
