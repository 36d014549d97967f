//! Where functions, macros and collapsed graphs begin and end.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each function takes the few kinds it knows and leaves the rest"
)]

use bp_diag::Code;
use bp_reflect::{Class, Function};
use serde_json::{Map, Value};

use super::{Key, KeyKind, NodeClass, NodeError, PinContext, PinSpec, display_name};
use crate::{BlueprintKind, Direction, GraphKind, Node, PinCategory, PinFlags, PinType};

/// The pins of a node that its author defined, in order.
pub(crate) fn user_pins(node: &Node, cx: &PinContext<'_>, direction: Direction) -> Vec<PinSpec> {
    node.pins
        .iter()
        .map(|pin| &cx.graph.pins[*pin])
        .filter(|pin| {
            pin.flags.contains(PinFlags::USER_DEFINED)
                && pin.direction == direction
                && pin.parent.is_none()
        })
        .map(|pin| {
            let mut spec = PinSpec::of_pin(pin);
            spec.flags -= PinFlags::HIDDEN;
            spec
        })
        .collect()
}

/// The function of a parent or interface that a boundary node's graph overrides.
fn inherited<'a>(
    node: &Node,
    cx: &PinContext<'a>,
) -> Result<Option<(&'a Class, &'a Function)>, NodeError> {
    let Some(reference) = node
        .properties
        .member("FunctionReference")
        .filter(|reference| reference.parent.is_some())
    else {
        return Ok(None);
    };
    match cx.function_of(&reference) {
        Some(found) => Ok(Some(found)),
        None => Err(NodeError::new(
            Code::FuncNotFound,
            format!(
                "the overridden function `{}` is not declared",
                reference.name
            ),
        )),
    }
}

/// `K2Node_FunctionEntry`.
pub(crate) struct FunctionEntry;

impl NodeClass for FunctionEntry {
    fn class(&self) -> &'static str {
        "K2Node_FunctionEntry"
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = vec![PinSpec::exec_out("then")];
        let own = user_pins(node, cx, Direction::Output);
        let inherited = match inherited(node, cx) {
            Ok(found) => found,
            Err(_) if !own.is_empty() => None,
            Err(error) => return Err(error),
        };
        match inherited {
            Some((_, function)) if own.is_empty() => {
                pins.extend(
                    function
                        .params
                        .iter()
                        .filter(|param| !param.is_output() && !param.is_return())
                        .map(|param| {
                            PinSpec::output(
                                param.name.clone(),
                                PinType::of_param(param, cx.engine()),
                            )
                            .auto()
                        }),
                );
            }
            _ => pins.extend(own),
        }
        if cx.blueprint.kind == BlueprintKind::FunctionLibrary
            && !pins.iter().any(|pin| pin.name == "__WorldContext")
        {
            let object = super::super::types::OBJECT.into();
            pins.push(
                PinSpec::output(
                    "__WorldContext",
                    PinType::with_object(PinCategory::Object, object),
                )
                .hidden(),
            );
        }
        Ok(pins)
    }
    fn title(&self, _node: &Node, cx: &PinContext<'_>) -> String {
        match cx.graph.kind {
            GraphKind::Construction => "Construction Script".to_owned(),
            _ => display_name(cx.graph.name.as_str(), false),
        }
    }
}

/// `K2Node_FunctionResult`.
pub(crate) struct FunctionResult;

impl NodeClass for FunctionResult {
    fn class(&self) -> &'static str {
        "K2Node_FunctionResult"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::new(
                "outputs",
                KeyKind::Params,
                "The outputs, when they are not the graph's",
            )]
        }
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = vec![PinSpec::exec_in("execute")];
        let own = user_pins(node, cx, Direction::Input);
        let inherited = match inherited(node, cx) {
            Ok(found) => found,
            Err(_) if !own.is_empty() => None,
            Err(error) => return Err(error),
        };
        match inherited {
            Some((_, function)) if own.is_empty() => {
                pins.extend(
                    function
                        .params
                        .iter()
                        .filter(|param| param.is_output() || param.is_return())
                        .map(|param| {
                            PinSpec::input(
                                param.name.clone(),
                                PinType::of_param(param, cx.engine()),
                            )
                            .auto()
                        }),
                );
            }
            _ => pins.extend(own.into_iter().map(PinSpec::auto)),
        }
        Ok(pins)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Return Node".to_owned()
    }
}

/// `K2Node_Tunnel`: the inside of a macro's or collapsed graph's edge.
pub(crate) struct Tunnel;

impl NodeClass for Tunnel {
    fn class(&self) -> &'static str {
        "K2Node_Tunnel"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::new(
                "side",
                KeyKind::Text,
                "`entry` or `result`, when its id is neither",
            )]
        }
    }
    fn keys_of(&self, node: &Node, _: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        let is_result = node.properties.flag("bCanHaveInputs") == Some(true);
        let side = if is_result { "result" } else { "entry" };
        if node.name != side {
            keys.insert("side".to_owned(), side.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = user_pins(node, cx, Direction::Output);
        pins.extend(user_pins(node, cx, Direction::Input));
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        if node.properties.flag("bCanHaveInputs") == Some(true) {
            "Outputs".to_owned()
        } else {
            "Inputs".to_owned()
        }
    }
}
