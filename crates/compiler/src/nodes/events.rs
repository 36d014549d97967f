//! Events of the ubergraph.

use bp_diag::Code;
use bp_graph::{Node, PinCategory, PinType};
use bp_reflect::Name;

use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op};

/// The function whose stub an event node is: its own name, or that of the function it overrides.
pub(super) fn function_name(node: &Node) -> Option<Name> {
    let custom = node
        .properties
        .text("CustomFunctionName")
        .map(Name::new)
        .filter(|name| !name.is_none());
    custom.or_else(|| {
        node.properties
            .member("EventReference")
            .map(|reference| reference.name)
    })
}

/// Any node that is an event by itself.
pub(super) fn event(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(function) = x.graph.drawn(id).and_then(function_name) else {
        x.error(id, Code::EventOutOfDate, "the event has no name", None);
        x.graph.dissolve(id);
        return;
    };
    x.graph.node_mut(id).op = Op::Event {
        function: function.clone(),
    };
    expand_output_delegate(x, id, function);
}

/// A linked `OutputDelegate` is a delegate to the event on self.
fn expand_output_delegate(x: &mut Expander<'_, '_>, id: ExNodeId, function: Name) {
    let Some(delegate) = x.graph.out_pin(id, "OutputDelegate") else {
        return;
    };
    if x.graph.pins[delegate].links.is_empty() {
        return;
    }
    let object = PinType::with_object(PinCategory::Object, x.cx.class.path.clone());
    let this = x.graph.spawn(id, "K2Node_Self", Op::SelfRef);
    let this_out = x.graph.output(this, "self", object.clone());
    let create = x
        .graph
        .spawn(id, "K2Node_CreateDelegate", Op::CreateDelegate(function));
    let create_object = x.graph.input(create, "self", object);
    let ty = x.graph.pins[delegate].ty.clone();
    let create_out = x.graph.output(create, "OutputDelegate", ty);
    x.graph.link(this_out, create_object);
    x.graph.move_links(delegate, create_out);
}
