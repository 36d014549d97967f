//! Making and reading containers.

use bp_diag::Code;
use bp_graph::{Direction, PinType};

use crate::check;
use crate::expand::Expander;
use crate::expanded::{ContainerKind, ExNodeId, Op};

/// `K2Node_MakeArray`.
pub(super) fn make_array(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::MakeContainer(ContainerKind::Array);
}

/// `K2Node_MakeSet`.
pub(super) fn make_set(x: &mut Expander<'_, '_>, id: ExNodeId) {
    check_keys(x, id);
    x.graph.node_mut(id).op = Op::MakeContainer(ContainerKind::Set);
}

/// `K2Node_MakeMap`.
pub(super) fn make_map(x: &mut Expander<'_, '_>, id: ExNodeId) {
    check_keys(x, id);
    x.graph.node_mut(id).op = Op::MakeContainer(ContainerKind::Map);
}

/// The elements of the set, or the keys of the map, that a node makes can be hashed.
fn check_keys(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(output) = x.graph.data_out(id) else {
        return;
    };
    let pin = &x.graph.pins[output];
    let name = pin.name.clone();
    let ty = pin.ty.to_property(x.cx.registry, x.cx.engine);
    if let Some(key) = ty.as_ref().and_then(check::key_of)
        && let Some(reason) = check::unhashable(key, x.cx.registry)
    {
        let message = format!("keys of type {key} cannot be hashed");
        let finding = x.finding(id, Code::UnhashableKey, message, Some(&name));
        x.diagnostics.push(finding.note(reason));
    }
}

/// `K2Node_GetArrayItem`: by reference an operand of its own, as a copy a call of `Array_Get`.
pub(super) fn get_item(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let wants_reference = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.flag("bReturnByRefDesired"))
        .unwrap_or(true);
    let Some(output) = x.graph.data_out(id) else {
        x.graph.dissolve(id);
        return;
    };
    if wants_reference && x.graph.pins[output].ty.is_reference {
        x.graph.node_mut(id).op = Op::ElementRef;
        return;
    }
    let inputs: Vec<_> = x
        .graph
        .pins_of(id)
        .into_iter()
        .filter(|pin| x.graph.pins[*pin].direction == Direction::Input)
        .collect();
    let [array, index, ..] = inputs.as_slice() else {
        x.graph.dissolve(id);
        return;
    };
    let Some(call) = x.spawn_native_call(id, "KismetArrayLibrary", "Array_Get") else {
        return;
    };
    let array_ty = x.graph.pins[*array].ty.clone();
    let item_ty = x.graph.pins[output].ty.clone();
    for (name, side, from, ty) in [
        (
            "TargetArray",
            Direction::Input,
            *array,
            Some(PinType {
                is_reference: true,
                ..(*array_ty).clone()
            }),
        ),
        ("Index", Direction::Input, *index, None),
        (
            "Item",
            Direction::Output,
            output,
            Some(PinType {
                is_reference: false,
                ..(*item_ty).clone()
            }),
        ),
    ] {
        let pin = x.graph.pin(call, name, side).expect("declared");
        if let Some(ty) = ty {
            x.graph.pins[pin].ty = ty.into();
        }
        match side {
            Direction::Input => x.graph.move_input(from, pin),
            Direction::Output => x.graph.move_links(from, pin),
        }
    }
    x.graph.dissolve(id);
}
