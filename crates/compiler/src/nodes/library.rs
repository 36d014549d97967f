//! Nodes that are one call of a library function with pins of their own types.

use bp_graph::{Direction, PinCategory};

use super::made;
use crate::expand::Expander;
use crate::expanded::{ExNodeId, ExPinId};

/// `K2Node_GetJsonField`. Source: 10 of 12 nodes in a real package.
pub(super) fn get_json_field(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let class = "/Script/JsonBlueprintUtilities.JsonBlueprintFunctionLibrary";
    let Some(call) = made::call(x, id, class, "GetField") else {
        return;
    };
    give_all(x, id, call);
}

/// `K2Node_CallDataTableFunction`, and `K2Node_GetDataTableRow`, which also branches on whether the row
/// was found. Assumed; no real package at hand has one.
pub(super) fn get_data_table_row(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let class = "/Script/Engine.DataTableFunctionLibrary";
    let Some(call) = made::call(x, id, class, "GetDataTableRowFromName") else {
        return;
    };
    for (from, to) in [("DataTable", "Table"), ("RowName", "RowName")] {
        let from = x.graph.in_pin(id, from);
        made::feed(x, from, call, to);
    }
    if let (Some(row), Some(out)) = (
        x.graph.out_pin(id, "ReturnValue"),
        x.graph.out_pin(call, "OutRow"),
    ) {
        x.graph.pins[out].ty = x.graph.pins[row].ty.clone();
        x.graph.move_links(row, out);
    }
    let branch = x
        .graph
        .spawn(id, "K2Node_IfThenElse", crate::expanded::Op::Branch);
    let exec = bp_graph::PinType::exec();
    x.graph.input(branch, "execute", exec.clone());
    let condition = x.graph.input(
        branch,
        "Condition",
        bp_graph::PinType::of(PinCategory::Bool),
    );
    let found = x.graph.output(branch, "then", exec.clone());
    let missing = x.graph.output(branch, "else", exec);
    if let Some(result) = x.graph.out_pin(call, "ReturnValue") {
        x.graph.link(result, condition);
    }
    let then = x.graph.then(call).expect("reading a row is impure");
    made::put_behind(x, then, branch);
    if let Some(not_found) = x.graph.out_pin(id, "RowNotFound") {
        x.graph.move_links(not_found, missing);
    }
    made::replace(x, id, call, found);
}

const HELPERS: &str = "/Script/Engine.KismetNodeHelperLibrary";

/// `K2Node_GetEnumeratorName`. Assumed; no real package at hand runs one.
pub(super) fn enumerator_name(x: &mut Expander<'_, '_>, id: ExNodeId) {
    of_enumerator(x, id, "GetEnumeratorName");
}

/// `K2Node_GetEnumeratorNameAsString`. Assumed: the three in real packages feed nothing that runs.
pub(super) fn enumerator_name_as_string(x: &mut Expander<'_, '_>, id: ExNodeId) {
    of_enumerator(x, id, "GetEnumeratorUserFriendlyName");
}

/// `K2Node_CastByteToEnum`: the byte itself, or, if the node is safe, the nearest valid value. Assumed;
/// no real package at hand has one.
pub(super) fn byte_to_enum(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(node) = x.graph.drawn(id) else {
        return;
    };
    let enumeration = node.properties.object("Enum");
    let is_safe = node.properties.flag("bSafe").unwrap_or(false);
    let (Some(byte), Some(output)) = (x.graph.in_pin(id, "Byte"), x.graph.data_out(id)) else {
        x.graph.dissolve(id);
        return;
    };
    if !is_safe && let Some(source) = x.graph.pins[byte].links.first().copied() {
        x.graph.move_links(output, source);
        x.graph.dissolve(id);
        return;
    }
    let Some(call) = made::call(x, id, HELPERS, "GetValidValue") else {
        return;
    };
    if let (Some(pin), Some(value)) = (
        x.graph.in_pin(call, "Enum"),
        x.graph.in_pin(call, "EnumeratorValue"),
    ) {
        x.graph.pins[pin].default.object = enumeration;
        x.graph.move_input(byte, value);
    }
    made::give_result(x, call, Some(output));
    x.graph.dissolve(id);
}

fn of_enumerator(x: &mut Expander<'_, '_>, id: ExNodeId, function: &str) {
    let (Some(value), Some(output)) = (x.graph.in_pin(id, "Enumerator"), x.graph.data_out(id))
    else {
        x.graph.dissolve(id);
        return;
    };
    let Some(call) = made::call(x, id, HELPERS, function) else {
        return;
    };
    let source: ExPinId = x.graph.pins[value].links.first().copied().unwrap_or(value);
    let enumeration = x.graph.pins[source]
        .ty
        .object
        .clone()
        .or_else(|| x.graph.pins[value].ty.object.clone());
    if let Some(pin) = x.graph.in_pin(call, "Enum") {
        x.graph.pins[pin].default.object = enumeration;
    }
    made::feed(x, Some(value), call, "EnumeratorValue");
    made::give_result(x, call, Some(output));
    x.graph.dissolve(id);
}

/// Gives a call everything the drawn node has under the same names.
fn give_all(x: &mut Expander<'_, '_>, id: ExNodeId, call: ExNodeId) {
    for pin in x.graph.pins_of(id) {
        let (name, side, is_exec) = {
            let pin = &x.graph.pins[pin];
            (pin.name.clone(), pin.direction, pin.is_exec())
        };
        let Some(to) = x.graph.pin(call, name.as_str(), side) else {
            continue;
        };
        if !is_exec {
            made::take_type(x, pin, to);
        }
        match side {
            Direction::Input => x.graph.move_input(pin, to),
            Direction::Output => x.graph.move_links(pin, to),
        }
    }
    x.graph.dissolve(id);
}
