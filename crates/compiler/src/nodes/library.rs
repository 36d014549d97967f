//! Nodes that are one call of a library function with pins of their own types.

use bp_diag::Code;
use bp_graph::{Direction, PinCategory, PinType};
use bp_reflect::Name;

use super::made;
use crate::expand::Expander;
use crate::expanded::{ExNodeId, ExPinId, Op};

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
    let branch = x.graph.spawn(id, "K2Node_IfThenElse", Op::Branch);
    let exec = PinType::exec();
    x.graph.input(branch, "execute", exec.clone());
    let condition = x
        .graph
        .input(branch, "Condition", PinType::of(PinCategory::Bool));
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

/// `K2Node_GetNumEnumEntries`: a literal. Assumed; no real package at hand has one.
pub(super) fn n_enum_entries(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let n_entries = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.object("Enum"))
        .and_then(|path| x.cx.registry.enumeration(&path))
        .filter(|enumeration| !enumeration.entries.is_empty())
        .map(|enumeration| enumeration.entries.len());
    let Some(n_entries) = n_entries else {
        x.error(
            id,
            Code::EnumInvalid,
            "the entries of the node's enum are not declared",
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let Some(call) = x.spawn_native_call(id, "KismetSystemLibrary", "MakeLiteralInt") else {
        return;
    };
    if let Some(value) = x.graph.in_pin(call, "Value") {
        x.graph.pins[value].default.value = n_entries.to_string();
    }
    let output = x.graph.data_out(id);
    made::give_result(x, call, output);
    x.graph.dissolve(id);
}

/// `K2Node_GetClassDefaults`. Assumed; no real package at hand has one.
pub(super) fn class_defaults(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let class = x.graph.in_pin(id, "Class").and_then(|pin| {
        let pin = &x.graph.pins[pin];
        match pin.links.first() {
            Some(source) => x.graph.pins[*source].ty.object.clone(),
            None => pin.default.object.clone(),
        }
    });
    let Some(class) = class else {
        let pin = Name::new("Class");
        x.error(
            id,
            Code::PinRequired,
            "no class is chosen whose defaults could be read",
            Some(&pin),
        );
        x.graph.dissolve(id);
        return;
    };
    x.graph.node_mut(id).op = Op::ClassDefaults(class);
}

/// `K2Node_ConvertAsset`: the library's conversion, and behind one that resolves a reference a cast to the
/// class that the node promises. Assumed; no real package at hand has one.
pub(super) fn convert_asset(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let (Some(asset), Some(converted)) = (
        x.graph.in_pin(id, "Asset"),
        x.graph.out_pin(id, "ConvertedAsset"),
    ) else {
        x.graph.dissolve(id);
        return;
    };
    let ty = x.graph.pins[converted].ty.clone();
    let categories = (x.graph.pins[asset].ty.category, ty.category);
    let function = [
        (
            (PinCategory::SoftObject, PinCategory::Object),
            "Conv_SoftObjectReferenceToObject",
        ),
        (
            (PinCategory::SoftClass, PinCategory::Class),
            "Conv_SoftClassReferenceToClass",
        ),
        (
            (PinCategory::Object, PinCategory::SoftObject),
            "Conv_ObjectToSoftObjectReference",
        ),
        (
            (PinCategory::Class, PinCategory::SoftClass),
            "Conv_ClassToSoftClassReference",
        ),
    ]
    .into_iter()
    .find(|(known, _)| *known == categories);
    let Some((_, function)) = function else {
        let name = Name::new("Asset");
        x.error(
            id,
            Code::PinType,
            "the node does not lead from a reference to what it refers to, nor back",
            Some(&name),
        );
        x.graph.dissolve(id);
        return;
    };
    let Some(call) = x.spawn_native_call(id, "KismetSystemLibrary", function) else {
        return;
    };
    let input = made::further_inputs(x, call, &["self"]).first().copied();
    if let Some(input) = input {
        x.graph.move_input(asset, input);
    }
    let result = x.graph.data_out(call).expect("a conversion gives a value");
    let is_plain = ty
        .object
        .as_ref()
        .is_none_or(|class| class.as_str() == "/Script/CoreUObject.Object");
    let (class, input, is_meta) = match (ty.category, ty.object.clone()) {
        (PinCategory::Object, Some(class)) if !is_plain => (class, "Object", false),
        (PinCategory::Class, Some(class)) if !is_plain => (class, "Class", true),
        _ => {
            x.graph.pins[result].ty = ty;
            x.graph.move_links(converted, result);
            x.graph.dissolve(id);
            return;
        }
    };
    let node_class = if is_meta {
        "K2Node_ClassDynamicCast"
    } else {
        "K2Node_DynamicCast"
    };
    let name = class.name();
    let display = bp_graph::nodes::display_name(name.strip_suffix("_C").unwrap_or(name), false);
    let cast = x.graph.spawn(id, node_class, Op::Cast { class, is_meta });
    let result_ty = x.graph.pins[result].ty.clone();
    let object = x.graph.input(cast, input, result_ty);
    let value = x.graph.output(cast, &format!("As{display}"), ty);
    x.graph
        .output(cast, "bSuccess", PinType::of(PinCategory::Bool));
    x.graph.link(result, object);
    x.graph.move_links(converted, value);
    x.graph.dissolve(id);
}
