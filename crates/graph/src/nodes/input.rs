//! Input events and values.

use bp_reflect::{EngineVersion, ObjectPath};
use serde_json::{Map, Value};

use super::call::{CallFunction, set_reference};
use super::event::output_delegate;
use super::spec::{Kind, object, string};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec};
use crate::{MemberReference, Node, PinCategory, PinFlags, PinType, PropertyValue};

const ACTION: &[Key] = &[Key::required("action", KeyKind::Text, "The action's name")];
const AXIS: &[Key] = &[Key::required("axis", KeyKind::Text, "The axis' name")];
const KEY: &[Key] = &[Key::required(
    "key",
    KeyKind::Text,
    "The key, such as `SpaceBar`",
)];

fn key_type() -> PinType {
    PinType::with_object(PinCategory::Struct, "/Script/InputCore.Key".into())
}

fn float(cx: &PinContext<'_>) -> PinType {
    PinType::of_property(&bp_reflect::PropertyType::Float, cx.engine())
}

fn vector() -> PinType {
    PinType::with_object(PinCategory::Struct, "/Script/CoreUObject.Vector".into())
}

fn key_keys(node: &Node, key: &str, property: &str) -> Map<String, Value> {
    let mut keys = Map::new();
    let value = node.properties.get(property);
    let text = value.and_then(|value| {
        value
            .as_str()
            .or_else(|| value.get("KeyName").and_then(PropertyValue::as_str))
    });
    if let Some(text) = text {
        keys.insert(key.to_owned(), text.into());
    }
    keys
}

fn word(text: &str) -> PropertyValue {
    PropertyValue::Word(text.to_owned())
}

fn pressed_released() -> Vec<PinSpec> {
    vec![
        PinSpec::exec_out("Pressed"),
        PinSpec::exec_out("Released"),
        PinSpec::output("Key", key_type()).starting("None"),
    ]
}

fn axis_pins(node: &Node, cx: &PinContext<'_>, value: PinType) -> Vec<PinSpec> {
    let stub = node
        .properties
        .text("CustomFunctionName")
        .unwrap_or_default();
    vec![
        output_delegate(MemberReference::of(cx.class().clone(), stub)),
        PinSpec::exec_out("then"),
        PinSpec::output("AxisValue", value).auto(),
    ]
}

/// An axis event's stub and the reference it has.
fn set_axis(node: &mut Node, prefix: &str, axis: &str) {
    let value = PropertyValue::Tuple(vec![(
        "MemberParent".to_owned(),
        object(Kind::Package, &ObjectPath::new("/Script/Engine")),
    )]);
    node.properties.set("EventReference", value);
    let stub = format!("{prefix}_{axis}_{}", node.name);
    node.properties.set("CustomFunctionName", string(stub));
}

macro_rules! input_node {
    ($(#[$doc:meta])* $name:ident $class:literal $title:literal $keys:ident $key:literal $property:literal
     $set:expr, $pins:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl NodeClass for $name {
            fn class(&self) -> &'static str {
                $class
            }
            fn keys(&self) -> &'static [Key] {
                $keys
            }
            fn set(
                &self,
                keys: &Keys,
                node: &mut Node,
                cx: &PinContext<'_>,
            ) -> Result<(), NodeError> {
                let text = keys.need($key)?;
                let set: fn(&mut Node, &str, &PinContext<'_>) = $set;
                set(node, text, cx);
                Ok(())
            }
            fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
                key_keys(node, $key, $property)
            }
            fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
                let pins: fn(&Node, &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> = $pins;
                pins(node, cx)
            }
            fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
                let keys = key_keys(node, $key, $property);
                let text = keys.get($key).and_then(Value::as_str).unwrap_or_default();
                format!("{} {text}", $title).trim().to_owned()
            }
        }
    };
}

input_node!(
    /// `K2Node_InputAction`.
    InputAction "K2Node_InputAction" "InputAction" ACTION "action" "InputActionName"
    |node, text, _| node.properties.set("InputActionName", string(text)),
    |_, _| Ok(pressed_released())
);
input_node!(
    /// `K2Node_InputKey`.
    InputKey "K2Node_InputKey" "" KEY "key" "InputKey"
    |node, text, _| node.properties.set("InputKey", word(text)),
    |_, _| Ok(pressed_released())
);
input_node!(
    /// `K2Node_InputDebugKey`.
    InputDebugKey "K2Node_InputDebugKey" "Debug Key" KEY "key" "InputKey"
    |node, text, _| node.properties.set("InputKey", word(text)),
    |_, cx| {
        let mut pins = pressed_released();
        if cx.engine() >= EngineVersion::new(5, 0) {
            pins.push(PinSpec::output(
                "ActionValue",
                PinType::with_object(
                    PinCategory::Struct,
                    "/Script/EnhancedInput.InputActionValue".into(),
                ),
            ));
        }
        Ok(pins)
    }
);
input_node!(
    /// `K2Node_InputAxisEvent`.
    InputAxisEvent "K2Node_InputAxisEvent" "InputAxis" AXIS "axis" "InputAxisName"
    |node, text, _| {
        node.properties.set("InputAxisName", string(text));
        set_axis(node, "InpAxisEvt", text);
    },
    |node, cx| Ok(axis_pins(node, cx, float(cx)))
);
input_node!(
    /// `K2Node_InputAxisKeyEvent`.
    InputAxisKeyEvent "K2Node_InputAxisKeyEvent" "" KEY "key" "AxisKey"
    |node, text, _| {
        node.properties.set("AxisKey", word(text));
        set_axis(node, "InpAxisKeyEvt", text);
    },
    |node, cx| Ok(axis_pins(node, cx, float(cx)))
);
input_node!(
    /// `K2Node_InputVectorAxisEvent`.
    InputVectorAxisEvent "K2Node_InputVectorAxisEvent" "" KEY "key" "AxisKey"
    |node, text, _| {
        node.properties.set("AxisKey", word(text));
        set_axis(node, "InpAxisKeyEvt", text);
    },
    |node, cx| Ok(axis_pins(node, cx, vector()))
);
input_node!(
    /// `K2Node_GetInputAxisValue`.
    GetInputAxisValue "K2Node_GetInputAxisValue" "Get" AXIS "axis" "InputAxisName"
    |node, text, cx| {
        node.properties.set("InputAxisName", string(text));
        set_reference(&MemberReference::on_self("GetInputAxisValue"), node, cx);
    },
    |node, cx| value_pins(node, cx, "InputAxisName")
);
input_node!(
    /// `K2Node_GetInputAxisKeyValue`.
    GetInputAxisKeyValue "K2Node_GetInputAxisKeyValue" "Get" KEY "key" "InputAxisKey"
    |node, text, cx| {
        node.properties.set("InputAxisKey", word(text));
        set_reference(&MemberReference::on_self("GetInputAxisKeyValue"), node, cx);
    },
    |node, cx| value_pins(node, cx, "InputAxisKey")
);
input_node!(
    /// `K2Node_GetInputVectorAxisValue`.
    GetInputVectorAxisValue "K2Node_GetInputVectorAxisValue" "Get" KEY "key" "InputAxisKey"
    |node, text, cx| {
        node.properties.set("InputAxisKey", word(text));
        set_reference(&MemberReference::on_self("GetInputVectorAxisValue"), node, cx);
    },
    |node, cx| value_pins(node, cx, "InputAxisKey")
);

/// The call that reads an axis: its name is fixed, its target is self.
fn value_pins(node: &Node, cx: &PinContext<'_>, key: &str) -> Result<Vec<PinSpec>, NodeError> {
    let text = key_keys(node, "key", key)
        .get("key")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let mut pins = CallFunction.pins(node, cx).or_else(|_| {
        let value = match key {
            "InputAxisName" => PinSpec::input("InputAxisName", PinType::of(PinCategory::Name)),
            _ => PinSpec::input("InputAxisKey", key_type()),
        };
        let result = if node.class == "K2Node_GetInputVectorAxisValue" {
            vector()
        } else {
            float(cx)
        };
        Ok(vec![
            PinSpec::target(PinType::with_object(
                PinCategory::Object,
                "/Script/Engine.Actor".into(),
            )),
            PinSpec {
                ty: PinType {
                    is_const: true,
                    ..value.ty.clone()
                },
                ..value
            },
            PinSpec::output("ReturnValue", result).auto(),
        ])
    })?;
    for pin in &mut pins {
        if pin.name == "self" {
            pin.flags |= PinFlags::HIDDEN | PinFlags::NOT_CONNECTABLE;
        } else if pin.name == key {
            pin.flags |= PinFlags::HIDDEN;
            pin.default.value.clone_from(&text);
        }
    }
    Ok(pins)
}

/// `K2Node_InputTouch`.
pub(crate) struct InputTouch;

impl NodeClass for InputTouch {
    fn class(&self) -> &'static str {
        "K2Node_InputTouch"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(vec![
            PinSpec::exec_out("Pressed"),
            PinSpec::exec_out("Released"),
            PinSpec::exec_out("Moved"),
            PinSpec::output("Location", vector()).auto(),
            PinSpec::output(
                "FingerIndex",
                PinType::with_object(PinCategory::Byte, "/Script/InputCore.ETouchIndex".into()),
            ),
        ])
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "InputTouch".to_owned()
    }
}

/// `K2Node_EnhancedInputAction`.
pub(crate) struct EnhancedInputAction;

impl NodeClass for EnhancedInputAction {
    fn class(&self) -> &'static str {
        "K2Node_EnhancedInputAction"
    }
    fn package(&self) -> Option<&'static str> {
        Some("/Script/InputBlueprintNodes")
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("action", KeyKind::Text, "The path of the input action"),
                Key::new(
                    "type",
                    KeyKind::Type,
                    "What the action gives: bool, double or a vector",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        let text = keys.need("action")?;
        let path = if text.contains('.') {
            ObjectPath::new(text)
        } else {
            ObjectPath::new(format!("/Game/Input/{text}.{text}"))
        };
        let mut value = object(Kind::Object, &path);
        if let PropertyValue::Object(reference) = &mut value {
            reference.class = Some("/Script/EnhancedInput.InputAction".to_owned());
        }
        node.properties.set("InputAction", value);
        if let Some(ty) = keys.ty("type") {
            node.properties.set("+type", super::pin_type_value(ty));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(path) = node.properties.object("InputAction") {
            keys.insert("action".to_owned(), path.as_str().into());
        }
        let value = node
            .pins
            .iter()
            .map(|pin| &cx.graph.pins[*pin])
            .find(|pin| pin.name == "ActionValue")
            .map(|pin| pin.ty.clone());
        if let Some(ty) = value
            && ty.category != PinCategory::Bool
        {
            keys.insert(
                "type".to_owned(),
                crate::json::type_text(&ty, cx.registry).into(),
            );
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let path = node
            .properties
            .object("InputAction")
            .ok_or_else(NodeError::reported)?;
        let value = node
            .properties
            .get("+type")
            .and_then(super::pin_type_of_value)
            .or_else(|| {
                node.pins
                    .iter()
                    .map(|pin| &cx.graph.pins[*pin])
                    .find(|pin| pin.name == "ActionValue")
                    .map(|pin| pin.ty.clone())
            })
            .unwrap_or_else(|| PinType::of(PinCategory::Bool));
        let real = super::misc::real(cx.engine());
        let advanced = PinFlags::ADVANCED;
        Ok(vec![
            PinSpec::exec_out("Triggered"),
            PinSpec::exec_out("Started").with(advanced),
            PinSpec::exec_out("Ongoing").with(advanced),
            PinSpec::exec_out("Canceled").with(advanced),
            PinSpec::exec_out("Completed").with(advanced),
            PinSpec::output("ActionValue", value).auto(),
            PinSpec::output("ElapsedSeconds", real.clone()).with(advanced),
            PinSpec::output("TriggeredSeconds", real).with(advanced),
            PinSpec::output(
                "InputAction",
                PinType::with_object(
                    PinCategory::Object,
                    "/Script/EnhancedInput.InputAction".into(),
                ),
            )
            .value(path.name())
            .object(path)
            .with(advanced),
        ])
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.properties.object("InputAction").map_or_else(
            || "EnhancedInputAction".to_owned(),
            |path| format!("EnhancedInputAction {}", path.name()),
        )
    }
}
