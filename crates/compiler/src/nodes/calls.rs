//! Calls of functions.

use bp_diag::Code;
use bp_graph::{Direction, MemberReference, PinCategory, PinFlags, PinType};

use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, ExPinId, Op};

/// `K2Node_CallFunction` and the classes that only differ in how their pins are made.
pub(super) fn call(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(reference) = function_reference(x, id) else {
        return;
    };
    resolve(x, id, &reference, false);
}

/// `K2Node_CallParentFunction`.
pub(super) fn call_parent(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(reference) = function_reference(x, id) else {
        return;
    };
    // The nearest implementation above this class counts, whichever class the node names.
    let parent = x.cx.blueprint.parent.clone();
    let is_inherited =
        x.cx.registry
            .find_function(&parent, &reference.name)
            .is_some();
    let reference = match &reference.parent {
        Some(named) if !is_inherited => MemberReference::of(named.clone(), reference.name),
        Some(_) | None => MemberReference::of(parent, reference.name),
    };
    resolve(x, id, &reference, true);
}

/// `K2Node_CallFunctionOnMember`: a call whose target is a member variable.
pub(super) fn call_on_member(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(reference) = function_reference(x, id) else {
        return;
    };
    let variable = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.member("MemberVariableToCallOn"));
    if let (Some(variable), Some(target)) = (variable, x.graph.in_pin(id, "self"))
        && let Some(found) = x.cx.member(&variable)
    {
        let ty = x.graph.pins[target].ty.clone();
        let get = x
            .graph
            .spawn(id, "K2Node_VariableGet", Op::VariableGet(found));
        let value = x.graph.output(get, variable.name.as_str(), ty);
        x.graph.link(value, target);
    }
    resolve(x, id, &reference, false);
}

fn function_reference(x: &mut Expander<'_, '_>, id: ExNodeId) -> Option<MemberReference> {
    let reference = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.member("FunctionReference"));
    if reference.is_none() {
        x.error(id, Code::NodeProperty, "the call names no function", None);
        x.graph.dissolve(id);
    }
    reference
}

fn resolve(x: &mut Expander<'_, '_>, id: ExNodeId, reference: &MemberReference, is_parent: bool) {
    let Some(callee) = x.cx.function(reference) else {
        let class = match &reference.parent {
            Some(parent) if !reference.is_self => parent,
            Some(_) | None => &x.cx.class.path,
        };
        let is_signature =
            x.cx.registry
                .ancestry(class)
                .any(|class| class.delegates.contains_key(&reference.name));
        if is_signature {
            let finding = x
                .finding(
                    id,
                    Code::FuncDelegateDirect,
                    format!(
                        "{} is a delegate signature and cannot be called",
                        reference.name
                    ),
                    None,
                )
                .hint("call the dispatcher with a CallDelegate node");
            x.diagnostics.push(finding);
            x.graph.dissolve(id);
            return;
        }
        let class = class.name().to_owned();
        let finding = x.finding(
            id,
            Code::FuncNotFound,
            format!(
                "could not find a function named `{}` in {class}",
                reference.name
            ),
            None,
        );
        x.diagnostics.push(finding);
        x.graph.dissolve(id);
        return;
    };
    let node = x.graph.node_mut(id);
    node.stem = Some(reference.name.clone());
    node.op = Op::Call { callee, is_parent };
    check(x, id, callee);
    super::exec_pins::expand(x, id, callee);
    if !is_parent && loop_over_array_target(x, id) {
        return;
    }
    finish(x, id);
}

/// Mistakes that can be seen on the node alone.
fn check(x: &mut Expander<'_, '_>, id: ExNodeId, callee: Callee<'_>) {
    let is_pure = x.graph.is_pure(id);
    let name = callee.function.name.clone();
    if callee.function.meta.latent && !x.is_ubergraph {
        let finding = x
            .finding(
                id,
                Code::LatentOutsideEventGraph,
                format!("{name} is latent and cannot run in a function"),
                None,
            )
            .hint("move the call to an event graph");
        x.diagnostics.push(finding);
    }
    if callee.function.meta.internal_only && x.graph.node(id).class == "K2Node_CallFunction" {
        let finding = x
            .finding(
                id,
                Code::FuncInternalOnly,
                format!("{name} should not be called from a Blueprint"),
                None,
            )
            .hint("use the node that is made for it");
        x.diagnostics.push(finding);
    }
    check_world_context(x, id, callee);
    let n_targets = x
        .graph
        .in_pin(id, "self")
        .map_or(0, |pin| x.graph.pins[pin].links.len());
    let target = bp_reflect::Name::new("self");
    if n_targets > 1 && is_pure {
        x.error(
            id,
            Code::SelfMultiPure,
            format!("pure function {name} has {n_targets} targets"),
            Some(&target),
        );
    }
    if n_targets > 1 && callee.function.meta.latent {
        x.error(
            id,
            Code::SelfMultiLatent,
            format!("latent function {name} has {n_targets} targets"),
            Some(&target),
        );
    }
}

/// A call that needs a world, in a class whose objects are in none: such a class derives from Object without
/// a native class between. Of other native classes it is not known whether they are in a world.
fn check_world_context(x: &mut Expander<'_, '_>, id: ExNodeId, callee: Callee<'_>) {
    let meta = &callee.function.meta;
    let Some(name) = meta
        .world_context
        .as_ref()
        .filter(|_| !meta.optional_world_context && !x.is_static)
    else {
        return;
    };
    let registry = x.cx.registry;
    let native = registry
        .ancestry(&x.cx.class.path)
        .find(|class| !class.is_blueprint());
    if native.is_none_or(|class| class.path.as_str() != bp_graph::types::OBJECT) {
        return;
    }
    let is_open = x.graph.in_pin(id, name.as_str()).is_some_and(|pin| {
        let pin = &x.graph.pins[pin];
        pin.links.is_empty() && pin.default.object.is_none()
    });
    if is_open {
        let finding = x
            .finding(
                id,
                Code::WorldContext,
                format!(
                    "`{name}` must be connected: {} is in no world",
                    x.cx.blueprint.name
                ),
                Some(name),
            )
            .hint("connect an object that is in a world");
        x.diagnostics.push(finding);
    }
}

/// What every call needs: the world context of static functions, temporaries for reference inputs.
pub(super) fn finish(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Op::Call { callee, .. } = x.graph.node(id).op else {
        return;
    };
    let meta = &callee.function.meta;
    if x.is_static && !meta.optional_world_context {
        let context = meta
            .world_context
            .as_ref()
            .and_then(|name| x.graph.in_pin(id, name.as_str()));
        let hidden = x
            .entry
            .and_then(|entry| x.graph.out_pin(entry, "__WorldContext"));
        if let (Some(context), Some(hidden)) = (context, hidden)
            && x.graph.pins[context].links.is_empty()
        {
            x.graph.link(hidden, context);
        }
    }
    for pin in x.graph.pins_of(id) {
        if needs_temporary(x, callee, pin) {
            let has_literal = !x.graph.pins[pin].ty.is_container() && has_default(x, pin);
            if has_literal {
                x.through_temporary(pin);
            } else {
                let ty = x.graph.pins[pin].ty.clone();
                let (_, variable) = x.spawn_temporary(id, &ty);
                x.graph.link(variable, pin);
            }
        }
    }
}

/// Whether an unlinked input by reference gets a temporary: all do whose default counts, and constant
/// containers, whose pins never have one.
///
/// Source: 30 unlinked arrays (`ActorsToIgnore` of traces and others) in real packages, all with an empty
/// temporary.
fn needs_temporary(x: &Expander<'_, '_>, callee: Callee<'_>, pin: ExPinId) -> bool {
    let pin = &x.graph.pins[pin];
    let is_auto = || {
        callee.function.meta.auto_create_ref.contains(&pin.name)
            || (pin.ty.is_const && pin.ty.is_container() && !callee.function.meta.custom_thunk)
    };
    pin.direction == Direction::Input
        && !pin.is_exec()
        && pin.links.is_empty()
        && pin.ty.is_reference
        && pin.name != "self"
        && (!pin.flags.contains(PinFlags::DEFAULT_IGNORED) || is_auto())
}

fn has_default(x: &Expander<'_, '_>, pin: ExPinId) -> bool {
    let default = &x.graph.pins[pin].default;
    !default.value.is_empty() || default.object.is_some() || default.text.is_some()
}

/// A Target fed by an array of objects: the call is made in a loop over it. Gives whether it was.
///
/// Source: four loops in real packages, all alike: counter := 0; while counter < length: call on the
/// element, counter := counter + 1. No flow stack is used.
fn loop_over_array_target(x: &mut Expander<'_, '_>, id: ExNodeId) -> bool {
    let Some(target) = x.graph.in_pin(id, "self") else {
        return false;
    };
    let Some(source) = x.graph.pins[target].links.first().copied() else {
        return false;
    };
    if !x.graph.pins[source].ty.is_array() || x.graph.pins[target].ty.is_array() {
        return false;
    }
    let array_ty = x.graph.pins[source].ty.clone();
    let element_ty = array_ty.element();
    let int = PinType::of(PinCategory::Int);
    let (Some(execute), Some(then)) = (x.graph.execute(id), x.graph.then(id)) else {
        return false;
    };

    let (_, counter) = x.spawn_temporary(id, &int);
    let (init, init_variable, init_value) = x.spawn_assign(id, &int, false);
    x.graph.link(counter, init_variable);
    x.graph.pins[init_value].default.value = "0".into();
    let branch = x.graph.spawn(id, "K2Node_IfThenElse", Op::Branch);
    let branch_in = x.graph.input(branch, "execute", PinType::exec());
    let condition = x
        .graph
        .input(branch, "Condition", PinType::of(PinCategory::Bool));
    let branch_then = x.graph.output(branch, "then", PinType::exec());
    let branch_else = x.graph.output(branch, "else", PinType::exec());
    let Some(less) = x.spawn_native_call(id, "KismetMathLibrary", "Less_IntInt") else {
        return true;
    };
    let Some(length) = x.spawn_native_call(id, "KismetArrayLibrary", "Array_Length") else {
        return true;
    };
    let Some(item) = x.spawn_native_call(id, "KismetArrayLibrary", "Array_Get") else {
        return true;
    };
    let Some(add) = x.spawn_native_call(id, "KismetMathLibrary", "Add_IntInt") else {
        return true;
    };
    let (step, step_variable, step_value) = x.spawn_assign(id, &int, false);

    let pin = |x: &Expander<'_, '_>, node, name: &str, side| {
        x.graph.pin(node, name, side).expect("declared")
    };
    for node in [length, item] {
        let array = pin(x, node, "TargetArray", Direction::Input);
        x.graph.pins[array].ty = PinType {
            is_reference: true,
            ..(*array_ty).clone()
        }
        .into();
        x.graph.link(source, array);
    }
    let length_out = pin(x, length, "ReturnValue", Direction::Output);
    let less_a = pin(x, less, "A", Direction::Input);
    let less_b = pin(x, less, "B", Direction::Input);
    x.graph.link(counter, less_a);
    x.graph.link(length_out, less_b);
    let less_out = pin(x, less, "ReturnValue", Direction::Output);
    x.graph.link(less_out, condition);
    let item_index = pin(x, item, "Index", Direction::Input);
    let item_out = pin(x, item, "Item", Direction::Output);
    x.graph.pins[item_out].ty = element_ty.into();
    x.graph.link(counter, item_index);
    x.graph.unlink(target);
    x.graph.link(item_out, target);
    let add_a = pin(x, add, "A", Direction::Input);
    let add_b = pin(x, add, "B", Direction::Input);
    x.graph.link(counter, add_a);
    x.graph.pins[add_b].default.value = "1".into();
    let add_out = pin(x, add, "ReturnValue", Direction::Output);
    x.graph.link(counter, step_variable);
    x.graph.link(add_out, step_value);

    let init_in = x.graph.execute(init).expect("an assignment has one");
    let init_then = x.graph.then(init).expect("an assignment has one");
    let step_in = x.graph.execute(step).expect("an assignment has one");
    let step_then = x.graph.then(step).expect("an assignment has one");
    x.graph.move_links(execute, init_in);
    x.graph.link(init_then, branch_in);
    x.graph.link(branch_then, execute);
    x.graph.move_links(then, branch_else);
    x.graph.link(then, step_in);
    x.graph.link(step_then, branch_in);
    finish(x, id);
    true
}
