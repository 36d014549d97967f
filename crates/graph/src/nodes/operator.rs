//! Operators with any number of operands.

use bp_diag::Code;
use bp_reflect::EngineVersion;
use serde_json::{Map, Value};

use super::call::{
    CallFunction, INPUTS, call_keys, call_pins, call_title, called, set_call, set_operands,
};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec};
use crate::{Direction, Node, PinCategory, PinFlags, PinType};

const KEYS: &[Key] = &[
    Key::required(
        "function",
        KeyKind::Text,
        "The function of two operands, such as `Add_IntInt`",
    ),
    Key::new("target_class", KeyKind::Class, "The function's class"),
    INPUTS,
];

/// Most operands a node can have: one a letter.
const MAX_OPERANDS: i64 = 26;

fn operand_name(idx: usize) -> String {
    char::from(b'A' + u8::try_from(idx).unwrap_or(25).min(25)).to_string()
}

fn additional(node: &Node) -> usize {
    usize::try_from(node.properties.int("NumAdditionalInputs").unwrap_or(0))
        .unwrap_or(0)
        .min(MAX_OPERANDS as usize - 2)
}

fn set(keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
    if let Some(count) = keys.int("inputs")
        && !(2..=MAX_OPERANDS).contains(&count)
    {
        return Err(NodeError::new(
            Code::BadValue,
            format!("an operator has 2 to {MAX_OPERANDS} operands, not {count}"),
        )
        .key("inputs"));
    }
    set_call(keys, node, cx)?;
    set_operands(keys, node);
    Ok(())
}

fn keys_of(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = call_keys(node, cx);
    let more = additional(node);
    if more > 0 {
        keys.insert("inputs".to_owned(), (more + 2).into());
    }
    keys
}

/// `K2Node_CommutativeAssociativeBinaryOperator`: the operators of UE4.
pub(crate) struct CommutativeAssociativeBinaryOperator;

impl NodeClass for CommutativeAssociativeBinaryOperator {
    fn class(&self) -> &'static str {
        "K2Node_CommutativeAssociativeBinaryOperator"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = CallFunction.pins(node, cx)?;
        let last = pins
            .iter()
            .rfind(|pin| {
                pin.direction == Direction::Input && !pin.ty.is_exec() && pin.name != "self"
            })
            .map(|pin| pin.ty.clone());
        if let Some(ty) = last {
            for idx in 0..additional(node) {
                pins.push(PinSpec::input(operand_name(idx + 2), ty.clone()).auto());
            }
        }
        Ok(pins)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        call_title(node, cx)
    }
}

/// `K2Node_PromotableOperator`: the operators of UE5, whose operands may differ in type.
pub(crate) struct PromotableOperator;

impl PromotableOperator {
    /// The operation of a function: `Add` of `Add_IntInt`.
    fn operation(function: &str) -> &str {
        function.split('_').next().unwrap_or(function)
    }
}

impl NodeClass for PromotableOperator {
    fn class(&self) -> &'static str {
        "K2Node_PromotableOperator"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node, cx)?;
        // Newer engines keep the operation, and the count of operands, on every operator.
        if cx.engine() >= EngineVersion::new(5, 5)
            && let Some(reference) = node.properties.member("FunctionReference")
        {
            let operation = Self::operation(reference.name.as_str()).to_owned();
            node.properties
                .set("OperationName", super::spec::string(operation));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let (reference, class, function) = called(node, cx)?;
        let pins = call_pins(
            &reference,
            class,
            function,
            super::call::Target::Function,
            true,
            cx,
        );
        let mut pins: Vec<PinSpec> = pins
            .into_iter()
            .filter(|pin| pin.name != "self" && pin.name != "ErrorTolerance")
            .map(|mut pin| {
                pin.default = crate::PinDefault::default();
                pin.ty.is_const = false;
                pin.ty.is_reference = false;
                pin.flags -= PinFlags::DEFAULT_IGNORED;
                pin
            })
            .collect();
        let is_comparison = matches!(
            Self::operation(reference.name.as_str()),
            "EqualEqual" | "NotEqual" | "Less" | "LessEqual" | "Greater" | "GreaterEqual"
        );
        if is_comparison {
            // The tolerance pin is there for every comparison; most have no such parameter.
            let tolerance = match function.param(&"ErrorTolerance".into()) {
                Some(param) => PinSpec::of_param(param, cx.engine(), false).hidden(),
                None => {
                    PinSpec::input("ErrorTolerance", PinType::of(PinCategory::Wildcard)).hidden()
                }
            };
            let has = function.param(&"ErrorTolerance".into()).is_some();
            let tolerance = if has {
                PinSpec {
                    flags: PinFlags::empty(),
                    ..tolerance
                }
            } else {
                tolerance
            };
            pins.push(tolerance);
        }
        let operand = pins
            .iter()
            .find(|pin| pin.direction == Direction::Input)
            .map(|pin| pin.ty.clone());
        if let Some(ty) = operand {
            for idx in 0..additional(node) {
                pins.push(PinSpec::input(operand_name(idx + 2), ty.clone()));
            }
        }
        Ok(pins)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        call_title(node, cx)
    }
}
