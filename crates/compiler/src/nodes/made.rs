//! Steps that handlers share which replace a node by several.

use bp_diag::Code;
use bp_graph::{Direction, PinType};
use bp_reflect::{Name, ObjectPath};

use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, ExPinId, Op};

/// A call node of a native function by the path of its class; reports if it is not declared.
pub(super) fn call(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    class: &str,
    function: &str,
) -> Option<ExNodeId> {
    let found =
        x.cx.registry
            .find_function(&ObjectPath::new(class), &Name::new(function));
    if let Some((class, function)) = found {
        return Some(x.spawn_call(id, Callee { class, function }));
    }
    x.error(
        id,
        Code::FuncNotFound,
        format!(
            "engine {} declares no function {}.{function}",
            x.cx.engine,
            ObjectPath::new(class).name()
        ),
        None,
    );
    x.graph.dissolve(id);
    None
}

/// Top-level data inputs whose name is not in `known`: those that a class added to a node.
pub(super) fn further_inputs(x: &Expander<'_, '_>, id: ExNodeId, known: &[&str]) -> Vec<ExPinId> {
    x.graph
        .pins_of(id)
        .into_iter()
        .filter(|pin| {
            let pin = &x.graph.pins[*pin];
            pin.direction == Direction::Input
                && !pin.is_exec()
                && pin.parent.is_none()
                && !known.iter().any(|name| pin.name == **name)
        })
        .collect()
}

/// Exec outputs in pin order, `then` left out.
pub(super) fn exec_outputs(x: &Expander<'_, '_>, id: ExNodeId) -> Vec<ExPinId> {
    x.graph
        .pins_of(id)
        .into_iter()
        .filter(|pin| {
            let pin = &x.graph.pins[*pin];
            pin.direction == Direction::Output && pin.is_exec() && pin.name != "then"
        })
        .collect()
}

/// Whether a pin has links.
pub(super) fn is_linked(x: &Expander<'_, '_>, pin: ExPinId) -> bool {
    !x.graph.pins[pin].links.is_empty()
}

/// Gives a parameter of a call the links or default of a drawn input, and its type.
pub(super) fn feed(x: &mut Expander<'_, '_>, from: Option<ExPinId>, call: ExNodeId, param: &str) {
    let (Some(from), Some(to)) = (from, x.graph.in_pin(call, param)) else {
        return;
    };
    take_type(x, from, to);
    x.graph.pins[to].flags = x.graph.pins[from].flags;
    x.graph.move_input(from, to);
}

/// The same, with the drawn input keeping its links: for inputs that feed several calls.
pub(super) fn feed_copy(
    x: &mut Expander<'_, '_>,
    from: Option<ExPinId>,
    call: ExNodeId,
    param: &str,
) {
    let (Some(from), Some(to)) = (from, x.graph.in_pin(call, param)) else {
        return;
    };
    take_type(x, from, to);
    x.graph.pins[to].default = x.graph.pins[from].default.clone();
    x.graph.copy_links(from, to);
}

/// Moves the links of a drawn output to a call's return value, which takes its type.
pub(super) fn give_result(x: &mut Expander<'_, '_>, call: ExNodeId, to: Option<ExPinId>) {
    if let (Some(result), Some(to)) = (x.graph.out_pin(call, "ReturnValue"), to) {
        x.graph.pins[result].ty = PinType {
            is_reference: false,
            is_const: false,
            ..(*x.graph.pins[to].ty).clone()
        }
        .into();
        x.graph.move_links(to, result);
    }
}

/// A pin takes another's type but keeps how it is passed. Reals keep their precision, which the
/// function decides.
pub(super) fn take_type(x: &mut Expander<'_, '_>, from: ExPinId, to: ExPinId) {
    let own = x.graph.pins[to].ty.clone();
    if own.category == bp_graph::PinCategory::Real {
        return;
    }
    x.graph.pins[to].ty = PinType {
        is_reference: own.is_reference,
        is_const: own.is_const,
        ..(*x.graph.pins[from].ty).clone()
    }
    .into();
}

/// Makes an event of the ubergraph; gives it and its exec output.
pub(super) fn event(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    class: &str,
    function: Name,
) -> (ExNodeId, ExPinId) {
    let event = x.graph.spawn(id, class, Op::Event { function });
    let then = x.graph.output(event, "then", PinType::exec());
    (event, then)
}

/// Puts an assignment of `value` to `variable` behind an exec output; gives the assignment's own.
pub(super) fn assign_behind(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    tail: ExPinId,
    variable: ExPinId,
    value: ExPinId,
) -> ExPinId {
    let ty = x.graph.pins[variable].ty.clone();
    let (assign, target, source) = x.spawn_assign(id, &ty, false);
    x.graph.link(variable, target);
    x.graph.link(value, source);
    put_behind(x, tail, assign)
}

/// Puts a node with exec pins behind an exec output; gives the node's own.
pub(super) fn put_behind(x: &mut Expander<'_, '_>, tail: ExPinId, node: ExNodeId) -> ExPinId {
    let execute = x.graph.execute(node).expect("it is impure");
    x.graph.link(tail, execute);
    x.graph.then(node).expect("it is impure")
}

/// Links an exec output to a node's exec input.
pub(super) fn put_in(x: &mut Expander<'_, '_>, tail: ExPinId, node: ExNodeId) {
    let execute = x.graph.execute(node).expect("it is impure");
    x.graph.link(tail, execute);
}

/// Replaces the drawn node in its exec wire: `first` is entered where it was, `tail` goes on where it
/// did. Nothing is left of the drawn node.
pub(super) fn replace(x: &mut Expander<'_, '_>, id: ExNodeId, first: ExNodeId, tail: ExPinId) {
    if let (Some(from), Some(to)) = (x.graph.in_pin(id, "execute"), x.graph.execute(first)) {
        x.graph.move_links(from, to);
    }
    if let Some(then) = x.graph.out_pin(id, "then") {
        x.graph.move_links(then, tail);
    }
    x.graph.dissolve(id);
}
