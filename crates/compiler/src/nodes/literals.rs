//! Constants, self, temporaries and assignments.

use bp_reflect::Name;

use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op};

/// `K2Node_Self`.
pub(super) fn self_reference(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::SelfRef;
}

/// `K2Node_Literal`: an object.
pub(super) fn object(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let object = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.object("ObjectRef"));
    x.graph.node_mut(id).op = Op::ObjectLiteral(object);
}

/// `K2Node_TemporaryVariable`: its comment is its name.
pub(super) fn temporary(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let name = x
        .graph
        .drawn(id)
        .and_then(|node| node.comment.as_deref())
        .filter(|name| !name.is_empty());
    let node = x.graph.node_mut(id);
    node.stem = name.map(Name::new);
    node.op = Op::Temporary;
}

/// `K2Node_AssignmentStatement`.
pub(super) fn assign(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::Assign;
}

/// `K2Node_PureAssignmentStatement`.
pub(super) fn pure_assign(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::PureAssign;
}

/// Nodes whose work is done: gateways, whose links are joined, and comments.
pub(super) fn gone(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.dissolve(id);
}
