//! Control flow.

use bp_diag::Code;
use serde_json::{Map, Value};

use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, wildcard};
use crate::{Direction, Graph, Node, PinCategory, PinFlags, PinType};

/// Most outputs of a Sequence or `MultiGate`; far more than a graph can show.
const MAX_OUTPUTS: i64 = 1024;

/// A count of pins; the node's class keeps it nowhere but in its pins.
fn count_pins(node: &Node, cx: &PinContext<'_>, prefix: &str, least: usize) -> usize {
    let n_pins = node
        .pins
        .iter()
        .filter(|pin| {
            let pin = &cx.graph.pins[**pin];
            pin.direction == Direction::Output && pin.name.as_str().starts_with(prefix)
        })
        .count();
    n_pins.max(least)
}

/// The number of outputs wanted, kept for [`NodeClass::pins`] under a name the engine has not.
const WANTED: &str = "+outputs";

fn set_outputs(keys: &Keys, node: &mut Node) -> Result<(), NodeError> {
    if let Some(count) = keys.int("outputs") {
        if !(1..=MAX_OUTPUTS).contains(&count) {
            return Err(NodeError::new(
                Code::BadValue,
                format!("`outputs` must be from 1 to {MAX_OUTPUTS}"),
            )
            .key("outputs"));
        }
        node.properties.set(WANTED, super::spec::number(count));
    }
    Ok(())
}

/// How many outputs a node has: as wanted, else as it has, else two.
fn outputs(node: &Node, cx: &PinContext<'_>, prefix: &str) -> usize {
    match node.properties.int(WANTED) {
        Some(count) => usize::try_from(count).unwrap_or(2),
        None if node.pins.is_empty() => 2,
        None => count_pins(node, cx, prefix, 1),
    }
}

fn outputs_key(node: &Node, cx: &PinContext<'_>, prefix: &str) -> Map<String, Value> {
    let mut keys = Map::new();
    let count = outputs(node, cx, prefix);
    if count != 2 {
        keys.insert("outputs".to_owned(), count.into());
    }
    keys
}

/// Forgets what only [`NodeClass::pins`] needed.
pub(crate) fn forget_counts(node: &mut Node) {
    node.properties.0.retain(|key, _| !key.starts_with('+'));
}

/// `K2Node_Knot`: a bend in a wire.
pub(crate) struct Knot;

impl NodeClass for Knot {
    fn class(&self) -> &'static str {
        "K2Node_Knot"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let wild = PinType::of(PinCategory::Wildcard);
        Ok(vec![
            PinSpec::input("InputPin", wild.clone()).with(PinFlags::DEFAULT_IGNORED),
            PinSpec::output("OutputPin", wild),
        ])
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::exact(node, graph, &["InputPin", "OutputPin"])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Reroute Node".to_owned()
    }
}

/// `K2Node_IfThenElse`.
pub(crate) struct IfThenElse;

impl NodeClass for IfThenElse {
    fn class(&self) -> &'static str {
        "K2Node_IfThenElse"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(vec![
            PinSpec::exec_in("execute"),
            PinSpec::input("Condition", PinType::of(PinCategory::Bool)).starting("true"),
            PinSpec::exec_out("then").friendly("true", "true"),
            PinSpec::exec_out("else").friendly("false", "false"),
        ])
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Branch".to_owned()
    }
}

/// `K2Node_ExecutionSequence`.
pub(crate) struct ExecutionSequence;

impl NodeClass for ExecutionSequence {
    fn class(&self) -> &'static str {
        "K2Node_ExecutionSequence"
    }
    fn keys(&self) -> &'static [Key] {
        const { &[Key::new("outputs", KeyKind::Count, "How many outputs")] }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_outputs(keys, node)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        outputs_key(node, cx, "then_")
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = vec![PinSpec::exec_in("execute")];
        for idx in 0..outputs(node, cx, "then_") {
            pins.push(PinSpec::exec_out(format!("then_{idx}")));
        }
        Ok(pins)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Sequence".to_owned()
    }
}

/// `K2Node_MultiGate`.
pub(crate) struct MultiGate;

impl NodeClass for MultiGate {
    fn class(&self) -> &'static str {
        "K2Node_MultiGate"
    }
    fn keys(&self) -> &'static [Key] {
        const { &[Key::new("outputs", KeyKind::Count, "How many outputs")] }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_outputs(keys, node)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        outputs_key(node, cx, "Out ")
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = vec![PinSpec::exec_in("execute")];
        for idx in 0..outputs(node, cx, "Out ") {
            pins.push(PinSpec::exec_out(format!("Out {idx}")));
        }
        pins.push(PinSpec::exec_in("Reset"));
        pins.push(PinSpec::input("IsRandom", PinType::of(PinCategory::Bool)));
        pins.push(PinSpec::input("Loop", PinType::of(PinCategory::Bool)));
        pins.push(PinSpec::input("StartIndex", PinType::of(PinCategory::Int)).starting("-1"));
        Ok(pins)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "MultiGate".to_owned()
    }
}

/// `K2Node_DoOnceMultiInput`. Its pin names are assumed: no instance was met.
pub(crate) struct DoOnceMultiInput;

/// The pairs that the alphabet names; the editor adds no more.
const MAX_PAIRS: i64 = 26;

/// How many pairs a node has; its reset is one more.
fn n_pairs(node: &Node, cx: &PinContext<'_>) -> usize {
    let n_outputs = outputs(node, cx, "");
    let is_drawn = node.properties.int(WANTED).is_none() && !node.pins.is_empty();
    if is_drawn { n_outputs - 1 } else { n_outputs }
}

impl NodeClass for DoOnceMultiInput {
    fn class(&self) -> &'static str {
        "K2Node_DoOnceMultiInput"
    }
    fn keys(&self) -> &'static [Key] {
        const { &[Key::new("outputs", KeyKind::Count, "How many pairs")] }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if keys.int("outputs").is_some_and(|count| count > MAX_PAIRS) {
            return Err(NodeError::new(
                Code::BadValue,
                format!("`outputs` must be from 1 to {MAX_PAIRS}"),
            )
            .key("outputs"));
        }
        set_outputs(keys, node)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        let n_pairs = n_pairs(node, cx);
        if n_pairs != 2 {
            keys.insert("outputs".to_owned(), n_pairs.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = Vec::new();
        for letter in ('A'..='Z').take(n_pairs(node, cx)) {
            pins.push(PinSpec::exec_in(format!("{letter} In")));
            pins.push(PinSpec::exec_out(format!("{letter} Out")));
        }
        pins.push(PinSpec::exec_in("Reset In"));
        pins.push(PinSpec::exec_out("Reset Out"));
        Ok(pins)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Do Once MultiInput".to_owned()
    }
}
