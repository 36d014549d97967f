//! The boundary nodes of functions.

use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op, VariableRef};

/// `K2Node_FunctionEntry`: each local with a default gets a Set node, chained behind the entry in order
/// of declaration.
///
/// Source: 70 of 70 local defaults in real functions, those equal to zero included.
pub(super) fn entry(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::Entry;
    let Some(mut tail) = x.graph.then(id) else {
        return;
    };
    for local in &x.source.locals {
        let Some(default) = local.default.as_ref().filter(|text| !text.is_empty()) else {
            continue;
        };
        let set = x.graph.spawn(
            id,
            "K2Node_VariableSet",
            Op::VariableSet(VariableRef::Local(local.name.clone())),
        );
        let (execute, then) = x.graph.exec_pair(set);
        let value = x.graph.input(set, local.name.as_str(), local.ty.clone());
        fill_default(x, value, default);
        x.graph.move_links(tail, then);
        x.graph.link(tail, execute);
        tail = then;
    }
}

/// Puts a default's text where pins of the type keep it.
fn fill_default(x: &mut Expander<'_, '_>, pin: crate::expanded::ExPinId, text: &str) {
    x.graph.pins[pin].default.value = text.into();
}

/// `K2Node_FunctionResult`.
pub(super) fn result(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::Result;
}
