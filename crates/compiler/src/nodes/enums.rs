//! Enum nodes.

use crate::expand::Expander;
use crate::expanded::ExNodeId;

/// `K2Node_EnumLiteral`: a call of `MakeLiteralByte`.
pub(super) fn literal(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let (Some(value), Some(output)) = (x.graph.in_pin(id, "Enum"), x.graph.data_out(id)) else {
        x.graph.dissolve(id);
        return;
    };
    let Some(call) = x.spawn_native_call(id, "KismetSystemLibrary", "MakeLiteralByte") else {
        return;
    };
    let ty = x.graph.pins[value].ty.clone();
    let to = x.graph.in_pin(call, "Value").expect("declared");
    x.graph.pins[to].ty = ty;
    x.graph.move_input(value, to);
    let result = x.graph.out_pin(call, "ReturnValue").expect("declared");
    x.graph.move_links(output, result);
    x.graph.dissolve(id);
}
