//! Interface messages.

use bp_diag::Code;
use bp_graph::{Container, Direction, PinCategory, PinType};

use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op};

/// `K2Node_Message`: a cast to the interface; on success the call, on failure the outputs are reset.
/// Both go on at the same place, so a message to an object without the interface is silent.
///
/// Source: 100 of 100 messages. A target that already is an interface is called directly. An array is reset by
/// `Array_Clear` (1 of 1); nothing was seen of sets and maps, which are left as they are.
pub(super) fn message(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(reference) = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.member("FunctionReference"))
    else {
        x.error(
            id,
            Code::NodeProperty,
            "the message names no function",
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let Some(callee) = x.cx.function(&reference) else {
        x.error(
            id,
            Code::FuncNotFound,
            format!("could not find a function named `{}`", reference.name),
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    if !callee.class.is_interface() {
        let class = callee.class.path.name();
        let finding = x
            .finding(
                id,
                Code::MessageInterface,
                format!("{class} is not an interface"),
                None,
            )
            .hint("call the function with a CallFunction node");
        x.diagnostics.push(finding);
    }
    let Some(target) = x.graph.in_pin(id, "self") else {
        x.error(
            id,
            Code::NodeProperty,
            "the message has no Target pin",
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let Some(source) = x.graph.pins[target].links.first().copied() else {
        let name = bp_reflect::Name::new("self");
        let finding = x
            .finding(
                id,
                Code::MessageTarget,
                "the message has no target",
                Some(&name),
            )
            .hint("connect Target to the object that should receive the message");
        x.diagnostics.push(finding);
        x.graph.dissolve(id);
        return;
    };
    if x.graph.pins[source].ty.category == PinCategory::Interface {
        x.graph.node_mut(id).stem = Some(reference.name);
        x.graph.node_mut(id).op = Op::Call {
            callee,
            is_parent: false,
        };
        super::calls::finish(x, id);
        return;
    }
    let (Some(execute), Some(then)) = (x.graph.execute(id), x.graph.then(id)) else {
        x.error(id, Code::NoExecPin, "the message has no exec pins", None);
        x.graph.dissolve(id);
        return;
    };

    let interface = PinType::with_object(PinCategory::Interface, callee.class.path.clone());
    let cast = x.graph.spawn(
        id,
        "K2Node_DynamicCast",
        Op::Cast {
            class: callee.class.path.clone(),
            is_meta: false,
        },
    );
    let (cast_in, cast_then) = x.graph.exec_pair(cast);
    let failed = x.graph.output(cast, "CastFailed", PinType::exec());
    let object_ty = x.graph.pins[source].ty.clone();
    let object = x.graph.input(cast, "Object", object_ty);
    let result = x.graph.output(
        cast,
        &format!("As{}", interface_display(callee.class)),
        interface.clone(),
    );
    x.graph
        .output(cast, "bSuccess", PinType::of(PinCategory::Bool));
    x.graph.move_links(execute, cast_in);
    x.graph.move_links(target, object);

    let call = x.graph.spawn(
        id,
        "K2Node_CallFunction",
        Op::Call {
            callee,
            is_parent: false,
        },
    );
    x.graph.node_mut(call).stem = Some(reference.name);
    let is_pure_function = callee.function.is_pure();
    let exec = (!is_pure_function).then(|| x.graph.exec_pair(call));
    let call_target = x.graph.input(call, "self", interface);
    x.graph.link(result, call_target);
    let mut outputs = Vec::new();
    for pin in x.graph.pins_of(id) {
        let (is_exec, side, name, ty) = {
            let pin = &x.graph.pins[pin];
            (
                pin.is_exec(),
                pin.direction,
                pin.name.clone(),
                pin.ty.clone(),
            )
        };
        if is_exec || pin == target {
            continue;
        }
        let copy = x.graph.add_pin(call, name.as_str(), side, ty);
        x.graph.pins[copy].flags = x.graph.pins[pin].flags;
        match side {
            Direction::Input => x.graph.move_input(pin, copy),
            Direction::Output => outputs.push((pin, copy)),
        }
    }

    // Where control goes after the call, and after a failed cast.
    let mut success_tail = match exec {
        Some((call_in, call_then)) => {
            x.graph.link(cast_then, call_in);
            call_then
        }
        None => cast_then,
    };
    let mut failed_tail = failed;
    for (drawn, output) in outputs {
        let ty = x.graph.pins[output].ty.clone();
        let is_linked = !x.graph.pins[drawn].links.is_empty();
        if is_pure_function && is_linked {
            let (_, variable) = x.spawn_temporary(id, &ty);
            let (set, set_variable, set_value) = x.spawn_assign(id, &ty, false);
            x.graph.link(variable, set_variable);
            x.graph.link(output, set_value);
            success_tail = chain(x, success_tail, set);
            let (reset, reset_variable, _) = x.spawn_assign(id, &ty, false);
            x.graph.link(variable, reset_variable);
            failed_tail = chain(x, failed_tail, reset);
            x.graph.move_links(drawn, variable);
            continue;
        }
        x.graph.move_links(drawn, output);
        if is_linked && ty.container == Container::Array {
            let Some(clear) = x.spawn_native_call(id, "KismetArrayLibrary", "Array_Clear") else {
                continue;
            };
            if let Some(array) = x.graph.in_pin(clear, "TargetArray") {
                x.graph.pins[array].ty = ty;
                x.graph.link(output, array);
            }
            failed_tail = chain(x, failed_tail, clear);
        } else if is_linked && !ty.is_container() {
            let (reset, reset_variable, _) = x.spawn_assign(id, &ty, false);
            x.graph.link(output, reset_variable);
            failed_tail = chain(x, failed_tail, reset);
        }
    }
    x.graph.copy_links(then, success_tail);
    x.graph.copy_links(then, failed_tail);
    x.graph.dissolve(id);
}

/// Puts an assignment or a call behind an exec output; gives its own.
fn chain(
    x: &mut Expander<'_, '_>,
    tail: crate::expanded::ExPinId,
    assign: ExNodeId,
) -> crate::expanded::ExPinId {
    let execute = x.graph.execute(assign).expect("it is impure");
    x.graph.link(tail, execute);
    x.graph.then(assign).expect("it is impure")
}

/// What the editor calls an interface: its name without `_C`, words apart.
fn interface_display(class: &bp_reflect::Class) -> String {
    let name = class.path.name();
    bp_graph::nodes::display_name(name.strip_suffix("_C").unwrap_or(name), false)
}
