//! Casts.

use serde_json::{Map, Value};

use super::spec::{Kind, class_display, object};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec};
use crate::types::OBJECT;
use crate::{Node, PinCategory, PinFlags, PinType};

const KEYS: &[Key] = &[
    Key::required("to", KeyKind::Class, "The class to cast to"),
    Key::new("pure", KeyKind::Bool, "Whether it has no exec pins"),
];

/// Whether a cast is pure is told by its pins alone; this is kept for [`NodeClass::pins`].
const PURE: &str = "+pure";

fn set(keys: &Keys, node: &mut Node) -> Result<(), NodeError> {
    let class = keys.need_path("to")?;
    node.properties
        .set("TargetType", object(Kind::Class, class));
    if keys.flag("pure") == Some(true) {
        node.properties.set(PURE, super::spec::word(true));
    }
    Ok(())
}

fn is_pure(node: &Node, cx: &PinContext<'_>) -> bool {
    node.properties.flag(PURE) == Some(true)
        || (!node.pins.is_empty() && !node.pins.iter().any(|pin| cx.graph.pins[*pin].is_exec()))
}

fn keys_of(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    if let Some(class) = node.properties.object("TargetType") {
        keys.insert("to".to_owned(), cx.class_text(&class).into());
    }
    if is_pure(node, cx) {
        keys.insert("pure".to_owned(), true.into());
    }
    keys
}

fn pins(
    node: &Node,
    cx: &PinContext<'_>,
    source: &str,
    category: PinCategory,
) -> Result<Vec<PinSpec>, NodeError> {
    let class = node
        .properties
        .object("TargetType")
        .ok_or_else(NodeError::reported)?;
    let mut pins = Vec::new();
    let pure = is_pure(node, cx);
    if !pure {
        pins.extend(PinSpec::exec_pair());
        pins.push(PinSpec::exec_out("CastFailed"));
    }
    pins.push(PinSpec::input(
        source,
        PinType::with_object(category, OBJECT.into()),
    ));
    let is_interface = cx
        .registry
        .class(&class)
        .is_some_and(bp_reflect::Class::is_interface);
    let result = if is_interface && category == PinCategory::Object {
        PinCategory::Interface
    } else {
        category
    };
    pins.push(PinSpec::output(
        format!("As{}", class_display(&class)),
        PinType::with_object(result, class),
    ));
    pins.push(
        PinSpec::output("bSuccess", PinType::of(PinCategory::Bool))
            .with_if(!pure, PinFlags::HIDDEN),
    );
    Ok(pins)
}

/// `K2Node_DynamicCast`.
pub(crate) struct DynamicCast;

impl NodeClass for DynamicCast {
    fn class(&self) -> &'static str {
        "K2Node_DynamicCast"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        pins(node, cx, "Object", PinCategory::Object)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.properties.object("TargetType").map_or_else(
            || "Bad cast node".to_owned(),
            |class| format!("Cast To {}", PinContext::class_name(&class)),
        )
    }
}

/// `K2Node_ClassDynamicCast`.
pub(crate) struct ClassDynamicCast;

impl NodeClass for ClassDynamicCast {
    fn class(&self) -> &'static str {
        "K2Node_ClassDynamicCast"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        pins(node, cx, "Class", PinCategory::Class)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.properties.object("TargetType").map_or_else(
            || "Bad cast node".to_owned(),
            |class| format!("Cast To {} Class", PinContext::class_name(&class)),
        )
    }
}
