//! Tasks that run on their own and come back through delegates.

use bp_graph::{Direction, Guid, MemberReference, PinCategory, PinType};
use bp_reflect::{Name, ObjectPath};

use super::{by_name, made};
use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, ExPinId, Op};
use crate::latent;

/// `K2Node_AsyncAction`.
pub(super) fn async_action(x: &mut Expander<'_, '_>, id: ExNodeId) {
    task(x, id, "Activate");
}

/// `K2Node_LatentAbilityCall`, `K2Node_LatentGameplayTaskCall`.
pub(super) fn gameplay_task(x: &mut Expander<'_, '_>, id: ExNodeId) {
    task(x, id, "ReadyForActivation");
}

/// `K2Node_LatentOnlineCall` and other nodes of a proxy factory.
pub(super) fn online_call(x: &mut Expander<'_, '_>, id: ExNodeId) {
    task(x, id, "Activate");
}

/// The factory's call; unless it gave nothing, each of the proxy's delegates bound to an event of its
/// own, linked or not, in pin order; then the activation. Outputs go through temporaries that the
/// events fill.
///
/// A proxy that is not valid goes on at `then` as well. The event's function is called after the pin and
/// the node's id ([`latent::task_id`]).
///
/// Source: 5 `AsyncAction` and 45 `LatentAbilityCall` nodes of real packages (UE 4.24 to 4.27), 623 of 632
/// blocks. Assumed: pins that are no parameter of the factory are properties of the proxy, set before
/// the activation.
fn task(x: &mut Expander<'_, '_>, id: ExNodeId, activate: &str) {
    let Some(node) = x.graph.drawn(id) else {
        return;
    };
    let proxy_class = node.properties.object("ProxyClass");
    let factory_class = node.properties.object("ProxyFactoryClass");
    let factory = node.properties.text("ProxyFactoryFunctionName");
    let activate = node
        .properties
        .text("ProxyActivateFunctionName")
        .unwrap_or(activate);
    let (Some(proxy_class), Some(factory_class), Some(factory)) =
        (proxy_class, factory_class, factory)
    else {
        x.error(
            id,
            bp_diag::Code::NodeProperty,
            "the node names no proxy factory",
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let Some(call) = made::call(x, id, factory_class.as_str(), factory) else {
        return;
    };
    let mut further = Vec::new();
    for pin in made::further_inputs(x, id, &["self"]) {
        let name = x.graph.pins[pin].name.clone();
        if x.graph.in_pin(call, name.as_str()).is_some() {
            made::feed(x, Some(pin), call, name.as_str());
        } else {
            further.push(pin);
        }
    }
    let activate = (activate != "None").then_some(activate);
    run(x, id, call, &proxy_class, &further, activate);
}

/// What comes behind the factory's call.
fn run(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    call: ExNodeId,
    proxy_class: &ObjectPath,
    further: &[ExPinId],
    activate: Option<&str>,
) {
    let (Some(proxy), Some(mut tail)) = (x.graph.out_pin(call, "ReturnValue"), x.graph.then(call))
    else {
        x.graph.dissolve(id);
        return;
    };
    x.graph.pins[proxy].ty = PinType::with_object(PinCategory::Object, proxy_class.clone()).into();
    if let Some(drawn) = x.graph.out_pin(id, "AsyncTaskProxy") {
        x.graph.move_links(drawn, proxy);
    }
    let outputs = event_outputs(x, id);

    let Some(valid) = x.spawn_native_call(id, "KismetSystemLibrary", "IsValid") else {
        return;
    };
    if let Some(object) = x.graph.in_pin(valid, "Object") {
        x.graph.link(proxy, object);
    }
    let branch = x.graph.spawn(id, "K2Node_IfThenElse", Op::Branch);
    let execute = x.graph.input(branch, "execute", PinType::exec());
    let condition = x
        .graph
        .input(branch, "Condition", PinType::of(PinCategory::Bool));
    let is_valid = x.graph.output(branch, "then", PinType::exec());
    let is_none = x.graph.output(branch, "else", PinType::exec());
    if let Some(result) = x.graph.data_out(valid) {
        x.graph.link(result, condition);
    }
    x.graph.link(tail, execute);
    tail = is_valid;

    for pin in made::exec_outputs(x, id) {
        tail = bind(x, id, pin, proxy_class, proxy, &outputs, tail).unwrap_or(tail);
    }
    tail = by_name::set_properties(x, id, tail, proxy, further);
    if let Some(activate) = activate
        && let Some(activation) = made::call(x, id, proxy_class.as_str(), activate)
    {
        if let Some(target) = x.graph.in_pin(activation, "self") {
            x.graph.link(proxy, target);
        }
        tail = made::put_behind(x, tail, activation);
    }
    if let Some(then) = x.graph.out_pin(id, "then") {
        x.graph.copy_links(then, is_none);
    }
    made::replace(x, id, call, tail);
}

/// `K2Node_HttpRequest`: a task of the request's proxy, which needs no activation, and a branch on its
/// success.
///
/// Source: 2 nodes in a real package (UE 5.2). There the task is a node of its own, made anew with each
/// compilation, so the id in its event's name cannot be told.
pub(super) fn http_request(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let proxy_class = ObjectPath::new("/Script/HttpBlueprintGraph.HttpRequestProxyObject");
    let function = "CreateHttpRequestProxyObject";
    let Some(call) = made::call(x, id, proxy_class.as_str(), function) else {
        return;
    };
    if let Some(verb) = x.graph.in_pin(id, "Verb") {
        x.graph.pins[verb].ty = PinType::of(PinCategory::String).into();
    }
    // The proxy's parameters stand in the order of the node's inputs.
    let params = made::further_inputs(x, call, &["self"]);
    for (drawn, param) in ["Url", "Verb", "Header", "Body"].iter().zip(params) {
        let from = x.graph.in_pin(id, drawn);
        let name = x.graph.pins[param].name.clone();
        made::feed(x, from, call, name.as_str());
    }
    let branch = x.graph.spawn(id, "K2Node_IfThenElse", Op::Branch);
    let execute = x.graph.input(branch, "execute", PinType::exec());
    let condition = x
        .graph
        .input(branch, "Condition", PinType::of(PinCategory::Bool));
    for (drawn, name) in [("On Success", "then"), ("On Error", "else")] {
        let output = x.graph.output(branch, name, PinType::exec());
        if let Some(from) = x.graph.out_pin(id, drawn) {
            x.graph.move_links(from, output);
            x.remove_pin(from);
        }
    }
    let complete = x.graph.output(id, "OnRequestComplete", PinType::exec());
    x.graph.link(complete, execute);
    for (drawn, name) in [
        ("Result Body", "Response"),
        ("", "bSuccessful"),
        ("OutHeader", "OutHeader"),
    ] {
        let from = x.graph.out_pin(id, drawn);
        let ty = from.map_or_else(
            || PinType::of(PinCategory::Bool).into(),
            |from| x.graph.pins[from].ty.clone(),
        );
        let output = x.graph.output(id, name, ty);
        match from {
            Some(from) => {
                x.graph.move_links(from, output);
                x.remove_pin(from);
            }
            None => x.graph.link(output, condition),
        }
    }
    run(x, id, call, &proxy_class, &[], None);
}

/// A temporary for each output that delegates carry: those behind the first exec output but `then`.
fn event_outputs(x: &mut Expander<'_, '_>, id: ExNodeId) -> Vec<(Name, ExPinId)> {
    let mut outputs = Vec::new();
    let mut is_behind_event = false;
    for pin in x.graph.pins_of(id) {
        let data = &x.graph.pins[pin];
        if data.direction == Direction::Input || data.parent.is_some() {
            continue;
        }
        if data.is_exec() {
            is_behind_event |= data.name != "then";
        } else if is_behind_event && data.name != "AsyncTaskProxy" {
            let (name, ty) = (data.name.clone(), data.ty.clone());
            let (_, variable) = x.spawn_temporary(id, &ty);
            x.graph.move_links(pin, variable);
            outputs.push((name, variable));
        }
    }
    outputs
}

/// An event behind an exec output of the drawn node, and its binding to the proxy's delegate of that
/// name. Gives the exec output behind the binding.
fn bind(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    pin: ExPinId,
    proxy_class: &ObjectPath,
    proxy: ExPinId,
    outputs: &[(Name, ExPinId)],
    tail: ExPinId,
) -> Option<ExPinId> {
    let name = x.graph.pins[pin].name.clone();
    let Some(delegate) =
        x.cx.member(&MemberReference::of(proxy_class.clone(), name.clone()))
    else {
        x.error(
            id,
            bp_diag::Code::DispatcherNotFound,
            format!("{} has no delegate `{name}`", proxy_class.name()),
            Some(&name),
        );
        return None;
    };
    let function = task_function(x, id, &name);
    let (event, event_then) = made::event(x, id, "K2Node_CustomEvent", function.clone());
    let add = x
        .graph
        .spawn(id, "K2Node_AddDelegate", Op::AddDelegate(delegate));
    x.graph.exec_pair(add);
    let proxy_ty = x.graph.pins[proxy].ty.clone();
    let target = x.graph.input(add, "self", proxy_ty);
    let value = x
        .graph
        .input(add, "Delegate", PinType::of(PinCategory::Delegate));
    x.graph.link(proxy, target);
    let tail = made::put_behind(x, tail, add);
    let output = delegate_to(x, id, function);
    x.graph.link(output, value);
    let mut event_tail = event_then;
    for (name, variable) in outputs {
        let ty = x.graph.pins[*variable].ty.clone();
        let parameter = x.graph.output(event, name.as_str(), ty);
        let drawn = x.graph.out_pin(id, name.as_str());
        if let Some(drawn) = drawn {
            // A delegate's parameter keeps how it is passed, which the temporary does not.
            x.graph.pins[parameter].ty = x.graph.pins[drawn].ty.clone();
        }
        event_tail = made::assign_behind(x, id, event_tail, *variable, parameter);
    }
    x.graph.move_links(pin, event_tail);
    Some(tail)
}

/// A delegate to a function of self; gives its pin.
fn delegate_to(x: &mut Expander<'_, '_>, id: ExNodeId, function: Name) -> ExPinId {
    let object = PinType::with_object(PinCategory::Object, x.cx.class.path.clone());
    let this = x.graph.spawn(id, "K2Node_Self", Op::SelfRef);
    let this_out = x.graph.output(this, "self", object.clone());
    let create = x
        .graph
        .spawn(id, "K2Node_CreateDelegate", Op::CreateDelegate(function));
    let create_object = x.graph.input(create, "self", object);
    let output = x
        .graph
        .output(create, "OutputDelegate", PinType::of(PinCategory::Delegate));
    x.graph.link(this_out, create_object);
    output
}

/// The event a task's delegate calls.
fn task_function(x: &Expander<'_, '_>, id: ExNodeId, pin: &Name) -> Name {
    let origin = x.graph.origin(x.graph.node(id).origin);
    let own = origin
        .node
        .map_or_else(Guid::default, |node| origin.graph.nodes[node].guid);
    let mut instances = Vec::new();
    let mut within = origin.within;
    while let Some(outer) = within {
        let outer = x.graph.origin(outer);
        let node = outer.node.map(|node| &outer.graph.nodes[node]);
        // Collapsed graphs are moved, not copied, so they leave no trace.
        instances.extend(
            node.filter(|node| node.class == "K2Node_MacroInstance")
                .map(|node| node.guid),
        );
        within = outer.within;
    }
    Name::new(format!("{pin}_{}", latent::task_id(own, &instances)))
}

/// `K2Node_LoadAsset`.
pub(super) fn load_asset(x: &mut Expander<'_, '_>, id: ExNodeId) {
    load(x, id, "LoadAsset", "Asset", "Object");
}

/// `K2Node_LoadAssetClass`.
pub(super) fn load_asset_class(x: &mut Expander<'_, '_>, id: ExNodeId) {
    load(x, id, "LoadAssetClass", "AssetClass", "Class");
}

/// A sequence: first `then`, then a latent call that is given a delegate to an event, which puts what was
/// loaded into a temporary and goes on at `Completed`.
///
/// Source: 2 `LoadAssetClass` nodes in one real package (UE 4.27), neither with a linked `then`; the order of the
/// made nodes is one of 240 of the 5,040 possible that give its bytes. `LoadAsset` is assumed alike.
fn load(x: &mut Expander<'_, '_>, id: ExNodeId, function: &str, asset: &str, result: &str) {
    let (Some(completed), Some(loaded)) = (
        x.graph.out_pin(id, "Completed"),
        x.graph.out_pin(id, result),
    ) else {
        x.graph.dissolve(id);
        return;
    };
    let found = x.cx.native("KismetSystemLibrary", function);
    let Some(Callee { class, function }) = found else {
        x.error(
            id,
            bp_diag::Code::FuncNotFound,
            format!("{function} is not declared"),
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let sequence = x.graph.spawn(id, "K2Node_ExecutionSequence", Op::Sequence);
    x.graph.input(sequence, "execute", PinType::exec());
    let at_once = x.graph.output(sequence, "then_0", PinType::exec());
    let loading = x.graph.output(sequence, "then_1", PinType::exec());
    let call = x.spawn_call(id, Callee { class, function });
    let source = x.graph.in_pin(id, asset);
    made::feed(x, source, call, asset);
    let ty = x.graph.pins[loaded].ty.clone();
    let (_, variable) = x.spawn_temporary(id, &ty);
    let (assign, target, value) = x.spawn_assign(id, &ty, false);
    x.graph.link(variable, target);
    let name = task_function(x, id, &Name::new("OnLoaded"));
    let (event, event_then) = made::event(x, id, "K2Node_CustomEvent", name.clone());
    let parameter = x.graph.output(event, "Loaded", ty);
    let output = delegate_to(x, id, name);
    if let Some(on_loaded) = x.graph.in_pin(call, "OnLoaded") {
        x.graph.link(output, on_loaded);
    }
    x.graph.link(parameter, value);
    let event_tail = made::put_behind(x, event_then, assign);
    x.graph.move_links(completed, event_tail);
    x.graph.move_links(loaded, variable);
    made::put_in(x, loading, call);
    made::replace(x, id, sequence, at_once);
}
