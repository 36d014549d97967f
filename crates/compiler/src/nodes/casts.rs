//! Casts of objects and classes.

use bp_diag::{Code, Severity};
use bp_graph::{Direction, PinType};
use bp_reflect::ObjectPath;

use crate::check;
use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op};

/// `K2Node_DynamicCast`.
pub(super) fn cast(x: &mut Expander<'_, '_>, id: ExNodeId) {
    to_class(x, id, false);
}

/// `K2Node_ClassDynamicCast`.
pub(super) fn class_cast(x: &mut Expander<'_, '_>, id: ExNodeId) {
    to_class(x, id, true);
}

fn to_class(x: &mut Expander<'_, '_>, id: ExNodeId, is_meta: bool) {
    let Some(class) = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.object("TargetType"))
    else {
        x.error(id, Code::CastInvalid, "the cast has no target class", None);
        x.graph.dissolve(id);
        return;
    };
    check_chances(x, id, &class);
    // Every cast has a success flag, also where the node shows no pin of it.
    if x.graph.out_pin(id, "bSuccess").is_none() {
        x.graph
            .output(id, "bSuccess", PinType::of(bp_graph::PinCategory::Bool));
    }
    x.graph.node_mut(id).op = Op::Cast { class, is_meta };
}

/// A cast to what the object is anyhow is worth a note, one that cannot succeed a warning. Interfaces may be
/// implemented by any child, so casts from and to them are left alone.
fn check_chances(x: &mut Expander<'_, '_>, id: ExNodeId, class: &ObjectPath) {
    let input = x.graph.pins_of(id).into_iter().find(|pin| {
        let pin = &x.graph.pins[*pin];
        pin.direction == Direction::Input && !pin.is_exec()
    });
    let Some((input, source)) =
        input.and_then(|pin| Some((pin, *x.graph.pins[pin].links.first()?)))
    else {
        return;
    };
    let registry = x.cx.registry;
    let Some(from) = check::class_of_pin(x.cx, &x.graph.pins[source].ty) else {
        return;
    };
    let is_known = |path: &ObjectPath| {
        registry.is_ancestry_known(path)
            && registry
                .class(path)
                .is_some_and(|class| !class.is_interface())
    };
    if !is_known(&from) || !is_known(class) {
        return;
    }
    let name = x.graph.pins[input].name.clone();
    let mut finding = if registry.is_child_of(&from, class) {
        let message = format!("the object is of class {} already", class.name());
        let mut finding = x
            .finding(id, Code::CastInvalid, message, Some(&name))
            .hint("use it without the cast");
        finding.severity = Severity::Note;
        finding
    } else if registry.is_child_of(class, &from) {
        return;
    } else {
        let message = format!(
            "an object of class {} is never of class {}",
            from.name(),
            class.name()
        );
        x.finding(id, Code::CastInvalid, message, Some(&name))
    };
    if finding.severity != Severity::Note {
        finding.severity = Severity::Warning;
        finding = finding.note("neither class derives from the other, so the cast always fails");
    }
    x.diagnostics.push(finding);
}
