//! Making, breaking and changing structs.

use bp_diag::Code;
use bp_graph::Direction;
use bp_reflect::{Name, ObjectPath};

use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, Op};

fn struct_type(x: &mut Expander<'_, '_>, id: ExNodeId) -> Option<ObjectPath> {
    let path = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.object("StructType"));
    if path.is_none() {
        x.error(id, Code::StructInvalid, "the node names no struct", None);
        x.graph.dissolve(id);
    }
    path
}

/// The native function that makes or breaks a struct, unless its nodes go member by member.
fn native<'a>(x: &Expander<'a, '_>, path: &ObjectPath, is_make: bool) -> Option<Callee<'a>> {
    if matches!(path.name(), "LinearColor" | "Color") {
        return None;
    }
    let parts = &x.cx.registry.structure(path)?.native_parts;
    let function = if is_make {
        parts.make.as_ref()
    } else {
        parts.break_.as_ref()
    }?;
    let (class, function) =
        x.cx.registry
            .find_function(&function.outer()?, &Name::new(function.name()))?;
    Some(Callee { class, function })
}

/// `K2Node_MakeStruct`.
pub(super) fn make_struct(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(path) = struct_type(x, id) else {
        return;
    };
    if let Some(callee) = native(x, &path, true) {
        replace_by_call(x, id, callee);
        return;
    }
    x.graph.node_mut(id).op = Op::MakeStruct(path);
}

/// `K2Node_BreakStruct`.
pub(super) fn break_struct(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(path) = struct_type(x, id) else {
        return;
    };
    if let Some(callee) = native(x, &path, false) {
        replace_by_call(x, id, callee);
        return;
    }
    let input = x
        .graph
        .pins_of(id)
        .into_iter()
        .find(|pin| x.graph.pins[*pin].direction == Direction::Input);
    if let Some(input) = input.filter(|pin| x.graph.pins[*pin].links.is_empty()) {
        let name = x.graph.pins[input].name.clone();
        x.error(
            id,
            Code::BreakUnlinked,
            format!("`{name}` of Break {} is not connected", path.name()),
            Some(&name),
        );
    }
    x.graph.node_mut(id).op = Op::BreakStruct;
}

/// `K2Node_SetFieldsInStruct`: writes through the reference; its output passes the reference on.
pub(super) fn set_fields(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(path) = struct_type(x, id) else {
        return;
    };
    let reference = x.graph.in_pin(id, "StructRef");
    let is_linked = reference.is_some_and(|pin| !x.graph.pins[pin].links.is_empty());
    if !is_linked {
        let name = Name::new("StructRef");
        x.error(
            id,
            Code::PinRequired,
            "`Struct Ref` is not connected: there is nothing to change",
            Some(&name),
        );
    }
    x.graph.node_mut(id).op = Op::SetFields(path);
}

/// Pins go over by name; a struct pin goes to the parameter or result that has the struct's type.
fn replace_by_call(x: &mut Expander<'_, '_>, id: ExNodeId, callee: Callee<'_>) {
    // The callee comes from the registry the expander borrows, so its lifetime is the expander's.
    let Some(callee) =
        x.cx.registry
            .find_function(&callee.class.path, &callee.function.name)
            .map(|(class, function)| Callee { class, function })
    else {
        return;
    };
    let call = x.spawn_call(id, callee);
    for pin in x.graph.pins_of(id) {
        let (side, name, ty) = {
            let pin = &x.graph.pins[pin];
            (pin.direction, pin.name.clone(), pin.ty.clone())
        };
        let target = x.graph.pin(call, name.as_str(), side).or_else(|| {
            x.graph.pins_of(call).into_iter().find(|other| {
                let other = &x.graph.pins[*other];
                other.direction == side
                    && other.ty.category == ty.category
                    && other.ty.object == ty.object
                    && ty.object.is_some()
            })
        });
        if let Some(target) = target {
            match side {
                Direction::Input => x.graph.move_input(pin, target),
                Direction::Output => x.graph.move_links(pin, target),
            }
        }
    }
    x.graph.dissolve(id);
}
