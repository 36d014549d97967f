//! Branches, sequences and switches.

use bp_diag::Code;
use bp_reflect::{Name, ObjectPath};

use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, Op};

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

/// `GameplayTagsK2Node_SwitchGameplayTag`: tags are compared with the texts of those of the cases. Assumed;
/// no real package at hand has one.
pub(super) fn switch_gameplay_tag(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let library = ObjectPath::new("/Script/GameplayTags.BlueprintGameplayTagLibrary");
    let found =
        x.cx.registry
            .find_function(&library, &Name::new("NotEqual_TagTag"));
    let compare = found.map(|(class, function)| Callee { class, function });
    switch_by(
        x,
        id,
        compare,
        "BlueprintGameplayTagLibrary.NotEqual_TagTag",
    );
}

/// `K2Node_SwitchEnum`.
pub(super) fn switch_enum(x: &mut Expander<'_, '_>, id: ExNodeId) {
    switch(x, id, "KismetMathLibrary", "NotEqual_ByteByte");
}

fn switch(x: &mut Expander<'_, '_>, id: ExNodeId, library: &str, function: &str) {
    let compare = x.cx.native(library, function);
    switch_by(x, id, compare, &format!("{library}.{function}"));
}

fn switch_by<'a>(
    x: &mut Expander<'a, '_>,
    id: ExNodeId,
    compare: Option<Callee<'a>>,
    wanted: &str,
) {
    let Some(compare) = compare else {
        x.error(
            id,
            Code::FuncNotFound,
            format!("{wanted} is not declared"),
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
