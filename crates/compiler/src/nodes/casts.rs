//! Casts of objects and classes.

use bp_diag::Code;
use bp_graph::PinType;

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
    // Every cast has a success flag, also where the node shows no pin of it.
    if x.graph.out_pin(id, "bSuccess").is_none() {
        x.graph
            .output(id, "bSuccess", PinType::of(bp_graph::PinCategory::Bool));
    }
    x.graph.node_mut(id).op = Op::Cast { class, is_meta };
}
