//! Nodes that create objects: actors, widgets, components and plain objects.

use bp_graph::Direction;

use super::{by_name, made};
use crate::expand::Expander;
use crate::expanded::ExNodeId;

const STATICS: &str = "/Script/Engine.GameplayStatics";

/// `K2Node_SpawnActorFromClass`: begins the spawn, sets what the class exposes on the unfinished actor,
/// finishes the spawn. The transform feeds both calls, so pure code behind it runs twice.
///
/// Source: 98 of 98 blocks of 31 nodes in real packages.
pub(super) fn spawn_actor(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let further = made::further_inputs(
        x,
        id,
        &[
            "Class",
            "SpawnTransform",
            "CollisionHandlingOverride",
            "TransformScaleMethod",
            "Owner",
            "bNoCollisionFail",
            "WorldContextObject",
            "self",
        ],
    );
    let Some(begin) = made::call(x, id, STATICS, "BeginDeferredActorSpawnFromClass") else {
        return;
    };
    let Some(finish) = made::call(x, id, STATICS, "FinishSpawningActor") else {
        return;
    };
    for (from, to) in [
        ("Class", "ActorClass"),
        ("WorldContextObject", "WorldContextObject"),
    ] {
        let from = x.graph.in_pin(id, from);
        made::feed(x, from, begin, to);
    }
    let transform = x.graph.in_pin(id, "SpawnTransform");
    made::feed_copy(x, transform, begin, "SpawnTransform");
    for name in ["CollisionHandlingOverride", "Owner"] {
        let from = x.graph.in_pin(id, name);
        made::feed(x, from, begin, name);
    }
    let scale = x.graph.in_pin(id, "TransformScaleMethod");
    made::feed_copy(x, scale, begin, "TransformScaleMethod");
    made::feed_copy(x, transform, finish, "SpawnTransform");
    made::feed_copy(x, scale, finish, "TransformScaleMethod");
    if let (Some(actor), Some(unfinished)) = (
        x.graph.in_pin(finish, "Actor"),
        x.graph.out_pin(begin, "ReturnValue"),
    ) {
        x.graph.link(unfinished, actor);
        let result = x.graph.out_pin(id, "ReturnValue");
        made::give_result(x, finish, result);
        let begun = x.graph.then(begin).expect("spawning is impure");
        let tail = by_name::set_properties(x, id, begun, unfinished, &further);
        let finished = made::put_behind(x, tail, finish);
        made::replace(x, id, begin, finished);
    }
}

/// `K2Node_CreateWidget`.
///
/// Source: 12 of 12 blocks of 12 nodes in real packages.
pub(super) fn create_widget(x: &mut Expander<'_, '_>, id: ExNodeId) {
    construct(
        x,
        id,
        "/Script/UMG.WidgetBlueprintLibrary",
        "Create",
        &[
            ("WorldContextObject", "WorldContextObject"),
            ("Class", "WidgetType"),
            ("OwningPlayer", "OwningPlayer"),
        ],
    );
}

/// `K2Node_GenericCreateObject`.
///
/// Source: 68 of 68 blocks of 11 nodes in real packages.
pub(super) fn generic_create_object(x: &mut Expander<'_, '_>, id: ExNodeId) {
    construct(
        x,
        id,
        STATICS,
        "SpawnObject",
        &[("Class", "ObjectClass"), ("Outer", "Outer")],
    );
}

/// One call that gives the finished object, then the properties that its class exposes.
fn construct(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    class: &str,
    function: &str,
    inputs: &[(&str, &str)],
) {
    let mut known: Vec<&str> = inputs.iter().map(|(from, _)| *from).collect();
    // Nodes of this family may show a world context, and old ones a Target, that nothing reads.
    known.extend(["WorldContextObject", "self"]);
    let further = made::further_inputs(x, id, &known);
    let Some(call) = made::call(x, id, class, function) else {
        return;
    };
    for (from, to) in inputs {
        let from = x.graph.in_pin(id, from);
        made::feed(x, from, call, to);
    }
    let result = x.graph.out_pin(id, "ReturnValue");
    made::give_result(x, call, result);
    let (Some(then), Some(object)) = (x.graph.then(call), x.graph.out_pin(call, "ReturnValue"))
    else {
        return;
    };
    let tail = by_name::set_properties(x, id, then, object, &further);
    made::replace(x, id, call, tail);
}

const ACTOR: &str = "/Script/Engine.Actor";

/// `K2Node_AddComponentByClass`: the component is finished at once unless exposed properties are to be
/// set before; then it is finished by a call of its own.
///
/// An unlinked transform stays a literal of the call, although it is passed by reference.
///
/// Source: 52 of 52 blocks of 23 nodes in real packages.
pub(super) fn add_component_by_class(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let further = made::further_inputs(
        x,
        id,
        &[
            "self",
            "Class",
            "bManualAttachment",
            "RelativeTransform",
            "WorldContextObject",
        ],
    );
    let is_deferred = by_name::is_any_set(x, &further);
    let Some(call) = made::call(x, id, ACTOR, "AddComponentByClass") else {
        return;
    };
    if let Some(deferred) = x.graph.in_pin(call, "bDeferredFinish") {
        x.graph.pins[deferred].default.value = is_deferred.to_string();
    }
    let result = x.graph.out_pin(id, "ReturnValue");
    for name in ["self", "Class", "bManualAttachment", "RelativeTransform"] {
        let from = x.graph.in_pin(id, name);
        made::feed_copy(x, from, call, name);
    }
    unpass_by_reference(x, call, "RelativeTransform");
    made::give_result(x, call, result);
    let then = x.graph.then(call).expect("adding a component is impure");
    let tail = if is_deferred {
        finish_component(x, id, id, call, then, &further)
    } else {
        Some(then)
    };
    if let Some(tail) = tail {
        made::replace(x, id, call, tail);
    }
}

/// `K2Node_AddComponent`: the node is the call, which names a template of the class. The properties its
/// pins expose are set before a second call finishes the component.
///
/// Source: 11 of 11 blocks of 3 nodes in real packages.
pub(super) fn add_component(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let further = made::further_inputs(
        x,
        id,
        &[
            "self",
            "TemplateName",
            "bManualAttachment",
            "RelativeTransform",
            "ComponentTemplateContext",
            "bDeferredFinish",
            "WorldContextObject",
        ],
    );
    let is_deferred = by_name::is_any_set(x, &further);
    if is_deferred && let Some(deferred) = x.graph.in_pin(id, "bDeferredFinish") {
        x.graph.pins[deferred].default.value = "true".into();
    }
    // An unlinked transform goes through a temporary whatever its pin says, and both calls read it. Since
    // 5.0 the temporary is set to the identity; before, it keeps the type's zero.
    let has_identity = x.cx.engine >= bp_reflect::EngineVersion::new(5, 0);
    if let Some(transform) = x.graph.in_pin(id, "RelativeTransform") {
        let pin = &mut x.graph.pins[transform];
        pin.ty.is_reference = true;
        if has_identity && pin.default.value.is_empty() {
            "0,0,0|0,0,0|1,1,1".clone_into(&mut pin.default.value);
        }
        pin.flags.remove(bp_graph::PinFlags::DEFAULT_IGNORED);
    }
    super::calls::call(x, id);
    if is_deferred && let Some(then) = x.graph.then(id) {
        let before: Vec<_> = x.graph.pins[then].links.to_vec();
        x.graph.unlink(then);
        if let Some(tail) = finish_component(x, id, id, id, then, &further) {
            for link in before {
                x.graph.link(tail, link);
            }
        }
    }
    for pin in further {
        x.remove_pin(pin);
    }
}

/// Sets exposed properties of the component that `call` adds, then finishes it. `drawn` has the inputs
/// that the finishing call repeats.
fn finish_component(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    drawn: ExNodeId,
    call: ExNodeId,
    then: crate::expanded::ExPinId,
    further: &[crate::expanded::ExPinId],
) -> Option<crate::expanded::ExPinId> {
    let component = x.graph.pin(call, "ReturnValue", Direction::Output)?;
    let tail = by_name::set_properties(x, id, then, component, further);
    let finish = made::call(x, id, ACTOR, "FinishAddComponent")?;
    let target = x.graph.in_pin(drawn, "self");
    made::feed_copy(x, target, finish, "self");
    let to = x.graph.in_pin(finish, "Component")?;
    x.graph.link(component, to);
    for name in ["bManualAttachment", "RelativeTransform"] {
        let from = x.graph.in_pin(drawn, name);
        made::feed_copy(x, from, finish, name);
    }
    unpass_by_reference(x, finish, "RelativeTransform");
    Some(made::put_behind(x, tail, finish))
}

/// Keeps an unlinked reference parameter from getting a temporary.
fn unpass_by_reference(x: &mut Expander<'_, '_>, call: ExNodeId, param: &str) {
    if let Some(pin) = x.graph.in_pin(call, param) {
        x.graph.pins[pin].ty.is_reference = false;
    }
}
