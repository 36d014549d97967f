//! Branches, sequences and switches.

use bp_diag::Code;

use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op};

/// `K2Node_IfThenElse`.
pub(super) fn branch(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::Branch;
}

/// `K2Node_ExecutionSequence`.
pub(super) fn sequence(x: &mut Expander<'_, '_>, id: ExNodeId) {
    x.graph.node_mut(id).op = Op::Sequence;
}

/// `K2Node_SwitchInteger`.
pub(super) fn switch_integer(x: &mut Expander<'_, '_>, id: ExNodeId) {
    switch(x, id, "KismetMathLibrary", "NotEqual_IntInt");
}

/// `K2Node_SwitchName`.
pub(super) fn switch_name(x: &mut Expander<'_, '_>, id: ExNodeId) {
    switch(x, id, "KismetMathLibrary", "NotEqual_NameName");
}

/// `K2Node_SwitchString`.
pub(super) fn switch_string(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let is_case_sensitive = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.flag("bIsCaseSensitive"))
        .unwrap_or(false);
    let compare = if is_case_sensitive {
        "NotEqual_StrStr"
    } else {
        "NotEqual_StriStri"
    };
    switch(x, id, "KismetStringLibrary", compare);
}

/// `K2Node_SwitchEnum`.
pub(super) fn switch_enum(x: &mut Expander<'_, '_>, id: ExNodeId) {
    switch(x, id, "KismetMathLibrary", "NotEqual_ByteByte");
}

fn switch(x: &mut Expander<'_, '_>, id: ExNodeId, library: &str, function: &str) {
    let Some(compare) = x.cx.native(library, function) else {
        x.error(
            id,
            Code::FuncNotFound,
            format!("{library}.{function} is not declared"),
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let enum_path = x
        .graph
        .in_pin(id, "Selection")
        .and_then(|pin| x.graph.pins[pin].ty.object.clone())
        .or_else(|| {
            x.graph
                .drawn(id)
                .and_then(|node| node.properties.object("Enum"))
        });
    let enumeration = enum_path.and_then(|path| x.cx.registry.enumeration(&path));
    x.graph.node_mut(id).op = Op::Switch {
        compare,
        enumeration,
    };
}
