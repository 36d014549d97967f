//! Enum parameters that a call shows as exec pins.

use bp_graph::{Direction, PinType};
use bp_reflect::{Name, PropertyType};

use super::made;
use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, ExPinId, Op};

/// Replaces exec pins that stand for the entries of an enum parameter (`ExpandEnumAsExecs`).
///
/// An input enum: each linked pin first puts its entry into a temporary that all share and the call
/// reads. An output enum: a switch behind the call.
///
/// Source: 3 of 3 calls of `MoveComponentTo` in real packages. Output enums are assumed; no real package at
/// hand has one.
pub(super) fn expand(x: &mut Expander<'_, '_>, id: ExNodeId, callee: Callee<'_>) {
    for name in &callee.function.meta.expand_enum_as_execs {
        let Some(param) = callee.function.param(name) else {
            continue;
        };
        let side = if param.is_output() {
            Direction::Output
        } else {
            Direction::Input
        };
        let Some(value) = x.graph.pin(id, name.as_str(), side) else {
            continue;
        };
        let pins: Vec<ExPinId> = x
            .graph
            .pins_of(id)
            .into_iter()
            .filter(|pin| {
                let pin = &x.graph.pins[*pin];
                pin.is_exec()
                    && pin.direction == side
                    && pin.name != "execute"
                    && pin.name != "then"
            })
            .collect();
        if pins.is_empty() {
            continue;
        }
        match side {
            Direction::Input => expand_input(x, id, value, &pins),
            Direction::Output => expand_output(x, id, value, &pins, &param.ty),
        }
    }
}

fn expand_input(x: &mut Expander<'_, '_>, id: ExNodeId, value: ExPinId, pins: &[ExPinId]) {
    let ty = x.graph.pins[value].ty.clone();
    let (_, variable) = x.spawn_temporary(id, &ty);
    x.graph.link(variable, value);
    let execute = x.graph.input(id, "execute", PinType::exec());
    for pin in pins {
        if made::is_linked(x, *pin) {
            let (assign, target, source) = x.spawn_assign(id, &ty, false);
            x.graph.link(variable, target);
            x.graph.pins[source].default.value = x.graph.pins[*pin].name.to_string();
            let assign_in = x.graph.execute(assign).expect("an assignment has one");
            let assign_then = x.graph.then(assign).expect("an assignment has one");
            x.graph.move_links(*pin, assign_in);
            x.graph.link(assign_then, execute);
        }
        x.remove_pin(*pin);
    }
}

fn expand_output(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    value: ExPinId,
    pins: &[ExPinId],
    ty: &PropertyType,
) {
    let (PropertyType::Byte(Some(path)) | PropertyType::Enum(path)) = ty else {
        return;
    };
    let Some(compare) = x.cx.native("KismetMathLibrary", "NotEqual_ByteByte") else {
        return;
    };
    let enumeration = x.cx.registry.enumeration(path);
    let switch = x.graph.spawn(
        id,
        "K2Node_SwitchEnum",
        Op::Switch {
            compare,
            enumeration,
        },
    );
    x.graph.input(switch, "execute", PinType::exec());
    let value_ty = x.graph.pins[value].ty.clone();
    let selection = x.graph.input(switch, "Selection", value_ty);
    x.graph.link(value, selection);
    for pin in pins {
        let name: Name = x.graph.pins[*pin].name.clone();
        let case = x.graph.output(switch, name.as_str(), PinType::exec());
        x.graph.move_links(*pin, case);
        x.remove_pin(*pin);
    }
    let then = match x.graph.out_pin(id, "then") {
        Some(then) => then,
        None => x.graph.output(id, "then", PinType::exec()),
    };
    made::put_in(x, then, switch);
}
