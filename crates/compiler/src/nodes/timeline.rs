//! Timelines.

use bp_graph::{Direction, MemberReference, PinCategory, PinType};
use bp_reflect::Name;

use super::made;
use crate::expand::Expander;
use crate::expanded::{ExNodeId, ExPinId, Op, VariableRef};

const COMPONENT: &str = "/Script/Engine.TimelineComponent";

/// `K2Node_Timeline`: the data outputs read members that the component writes. What runs follows when all
/// nodes are expanded ([`expand_runs`]).
///
/// Source: 53 blocks and 20 events of 10 nodes in real packages (UE 4.22 to 5.3).
pub(super) fn timeline(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(name) = timeline_name(x, id) else {
        x.error(
            id,
            bp_diag::Code::NodeProperty,
            "the node names no timeline",
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    for output in x.graph.pins_of(id) {
        let pin = &x.graph.pins[output];
        if pin.is_exec() || pin.direction == Direction::Input || pin.links.is_empty() {
            continue;
        }
        let ty = pin.ty.clone();
        let track = if pin.name == "Direction" {
            "_Direction".to_owned()
        } else {
            pin.name.to_string()
        };
        let member = track_member(x, &name, &track);
        if let Some(value) = read(x, id, &member, (*ty).clone()) {
            x.graph.move_links(output, value);
        }
    }
}

/// Each linked exec input is a call on the component that is a member of the class, read once for all of
/// them. `Update` and `Finished` are events that the component calls, whether or not they are linked; so are
/// event tracks that are linked.
///
/// Source: as for [`timeline`]. Event tracks are assumed to be named like `Update`; no real package at hand
/// has one.
pub(crate) fn expand_runs(x: &mut Expander<'_, '_>, id: ExNodeId) {
    if let Some(name) = timeline_name(x, id) {
        expand_calls(x, id, &name);
        expand_events(x, id, &name);
    }
    x.graph.dissolve(id);
}

fn expand_calls(x: &mut Expander<'_, '_>, id: ExNodeId, name: &Name) {
    let ty = PinType::with_object(PinCategory::Object, COMPONENT.into());
    let mut component = None;
    for function in [
        "Play",
        "PlayFromStart",
        "Stop",
        "Reverse",
        "ReverseFromEnd",
        "SetNewTime",
    ] {
        let input = x
            .graph
            .in_pin(id, function)
            .filter(|pin| made::is_linked(x, *pin));
        let Some(input) = input else { continue };
        component = component.or_else(|| read(x, id, name, ty.clone()));
        if let Some(component) = component {
            call(x, id, input, component, function);
        }
    }
}

fn expand_events(x: &mut Expander<'_, '_>, id: ExNodeId, name: &Name) {
    for output in made::exec_outputs(x, id) {
        let pin = &x.graph.pins[output];
        let (function, is_made) = match pin.name.as_str() {
            "Update" => (format!("{name}__UpdateFunc"), true),
            "Finished" => (format!("{name}__FinishedFunc"), true),
            track => (
                format!("{name}__{track}__EventFunc"),
                made::is_linked(x, output),
            ),
        };
        if is_made {
            let (_, then) = made::event(x, id, "K2Node_Event", Name::new(function));
            x.graph.move_links(output, then);
        }
    }
}

fn timeline_name(x: &Expander<'_, '_>, id: ExNodeId) -> Option<Name> {
    let node = x.graph.drawn(id)?;
    node.properties.text("TimelineName").map(Name::new)
}

/// The member of a track's value.
fn track_member(x: &Expander<'_, '_>, timeline: &Name, track: &str) -> Name {
    let declared = x.cx.blueprint.timelines.iter();
    let mut declared = declared.filter(|other| other.name == *timeline);
    match declared.next() {
        Some(found) => found.member(track),
        None => Name::new(format!("{timeline}_{}", track.replace(' ', "_"))),
    }
}

/// A Get of a member; gives its value.
fn read(x: &mut Expander<'_, '_>, id: ExNodeId, name: &Name, ty: PinType) -> Option<ExPinId> {
    let Some(found @ VariableRef::Member { .. }) =
        x.cx.member(&MemberReference::on_self(name.clone()))
    else {
        x.error(
            id,
            bp_diag::Code::VarNotFound,
            format!("the class has no member `{name}` of the timeline"),
            None,
        );
        return None;
    };
    let get = x
        .graph
        .spawn(id, "K2Node_VariableGet", Op::VariableGet(found));
    Some(x.graph.output(get, name.as_str(), ty))
}

fn call(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    input: ExPinId,
    component: ExPinId,
    function: &str,
) {
    let Some(call) = made::call(x, id, COMPONENT, function) else {
        return;
    };
    if let Some(target) = x.graph.in_pin(call, "self") {
        x.graph.link(component, target);
    }
    let time = x.graph.in_pin(id, "NewTime");
    made::feed_copy(x, time, call, "NewTime");
    let execute = x.graph.execute(call).expect("playing is impure");
    x.graph.move_links(input, execute);
}
