//! Input: actions and keys become events.

use bp_graph::{Direction, PinCategory, PinType};
use bp_reflect::Name;

use super::made;
use crate::expand::Expander;
use crate::expanded::{ExNodeId, ExPinId};

/// When an event's parameters go through temporaries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// When several exec outputs are linked.
    OfSeveral,
    /// Even when there is one.
    Always,
}

/// `K2Node_InputAction`.
pub(super) fn action(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let name = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.text("InputActionName"))
        .unwrap_or("None")
        .to_owned();
    events(
        x,
        id,
        &name,
        "K2Node_InputActionEvent",
        &[("Key", "Key")],
        Sharing::OfSeveral,
    );
}

/// `K2Node_InputKey`. Assumed: modifiers stand before the key's name, joined by `+`.
pub(super) fn key(x: &mut Expander<'_, '_>, id: ExNodeId) {
    key_events(x, id, "K2Node_InputKeyEvent", &[("Key", "Key")]);
}

/// `K2Node_InputDebugKey`. Assumed to follow the rule of keys, with the value of an action (since 5.0) as a
/// second parameter; no real package at hand has one.
pub(super) fn debug_key(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let params = [("Key", "Key"), ("ActionValue", "ActionValue")];
    key_events(x, id, "K2Node_InputDebugKeyEvent", &params);
}

fn key_events(x: &mut Expander<'_, '_>, id: ExNodeId, class: &str, params: &[(&str, &str)]) {
    let Some(node) = x.graph.drawn(id) else {
        return;
    };
    let key = node.properties.get("InputKey");
    let key = key
        .and_then(|key| key.get("KeyName").unwrap_or(key).as_str())
        .unwrap_or("None");
    let mut modifiers = Vec::new();
    for (flag, word) in [
        ("bControl", "Ctrl"),
        ("bAlt", "Alt"),
        ("bCommand", "Cmd"),
        ("bShift", "Shift"),
    ] {
        if node.properties.flag(flag).unwrap_or(false) {
            modifiers.push(word);
        }
    }
    let name = if modifiers.is_empty() {
        key.to_owned()
    } else {
        format!("{}_{key}", modifiers.join("+"))
    };
    events(x, id, &name, class, params, Sharing::OfSeveral);
}

/// `K2Node_InputTouch`. Assumed to follow the same rule; no real package at hand has one.
pub(super) fn touch(x: &mut Expander<'_, '_>, id: ExNodeId) {
    events(
        x,
        id,
        "Touch",
        "K2Node_InputTouchEvent",
        &[("FingerIndex", "FingerIndex"), ("Location", "Location")],
        Sharing::OfSeveral,
    );
}

/// `K2Node_EnhancedInputAction`.
///
/// The event's times are floats whatever the pins are, and its value is converted to the type of the
/// action's pin.
pub(super) fn enhanced_action(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let name = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.object("InputAction"))
        .map_or_else(|| "None".to_owned(), |path| path.name().to_owned());
    events(
        x,
        id,
        &name,
        "K2Node_EnhancedInputActionEvent",
        &[
            ("ActionValue", "ActionValue"),
            ("ElapsedSeconds", "ElapsedTime"),
            ("TriggeredSeconds", "TriggeredTime"),
            ("InputAction", "SourceAction"),
        ],
        Sharing::Always,
    );
}

/// One event for each linked exec output. If there are several, or `always`, their parameters meet in
/// temporaries that each event fills first; else the event's parameters are read directly.
///
/// The events are numbered by class in order of expansion, over the whole ubergraph: 46 of 46 function
/// names in real packages.
///
/// Source: 16 `InputAction`, 8 `InputKey` and 12 `EnhancedInputAction` nodes of real packages; of the last, 9
/// have one linked output and all of them temporaries.
fn events(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    name: &str,
    class: &str,
    params: &[(&str, &str)],
    sharing: Sharing,
) {
    let outputs: Vec<ExPinId> = made::exec_outputs(x, id)
        .into_iter()
        .filter(|pin| made::is_linked(x, *pin))
        .collect();
    let params: Vec<(ExPinId, &str)> = params
        .iter()
        .filter_map(|(drawn, param)| Some((x.graph.out_pin(id, drawn)?, *param)))
        .collect();
    let is_shared = outputs.len() > 1 || sharing == Sharing::Always;
    let mut temporaries = Vec::new();
    if is_shared {
        for (drawn, _) in &params {
            let ty = x.graph.pins[*drawn].ty.clone();
            temporaries.push(x.spawn_temporary(id, &ty).1);
        }
    }
    for output in outputs {
        let number = x
            .graph
            .nodes
            .iter()
            .filter(|(_, node)| node.class == *class)
            .count();
        let function = Name::new(format!("InpActEvt_{name}_{class}_{number}"));
        let (event, mut tail) = made::event(x, id, class, function);
        for (idx, (drawn, param)) in params.iter().enumerate() {
            let value = parameter(x, id, event, *drawn, param);
            match temporaries.get(idx) {
                Some(variable) => tail = made::assign_behind(x, id, tail, *variable, value),
                None => x.graph.move_links(*drawn, value),
            }
        }
        x.graph.move_links(output, tail);
    }
    for ((drawn, _), variable) in params.iter().zip(temporaries) {
        x.graph.move_links(*drawn, variable);
    }
    x.graph.dissolve(id);
}

/// A parameter of an event; gives the pin that has the value in the drawn pin's type.
fn parameter(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    event: ExNodeId,
    drawn: ExPinId,
    name: &str,
) -> ExPinId {
    let ty = x.graph.pins[drawn].ty.clone();
    let own = match name {
        "ElapsedTime" | "TriggeredTime" if ty.category == PinCategory::Real => PinType {
            sub_category: "float".to_owned(),
            ..(*ty).clone()
        }
        .into(),
        "ActionValue" => {
            let conversion = match (
                ty.category,
                ty.object.as_ref().map(bp_reflect::ObjectPath::name),
            ) {
                (PinCategory::Bool, _) => "Conv_InputActionValueToBool",
                (PinCategory::Real | PinCategory::Float | PinCategory::Double, _) => {
                    "Conv_InputActionValueToAxis1D"
                }
                (PinCategory::Struct, Some("Vector2D")) => "Conv_InputActionValueToAxis2D",
                (PinCategory::Struct, Some("Vector")) => "Conv_InputActionValueToAxis3D",
                _ => return x.graph.output(event, name, ty),
            };
            let value = PinType::with_object(
                PinCategory::Struct,
                "/Script/EnhancedInput.InputActionValue".into(),
            );
            let output = x.graph.output(event, name, value);
            let library = "/Script/EnhancedInput.EnhancedInputLibrary";
            let Some(call) = made::call(x, id, library, conversion) else {
                return output;
            };
            let input = x.graph.pins_of(call).into_iter().find(|pin| {
                x.graph.pins[*pin].direction == Direction::Input
                    && x.graph.pins[*pin].name != "self"
            });
            if let Some(input) = input {
                x.graph.link(output, input);
            }
            return x.graph.data_out(call).unwrap_or(output);
        }
        _ => ty,
    };
    x.graph.output(event, name, own)
}
