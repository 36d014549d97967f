//! One handler per drawn node class: turns the node into the closed set of [`Op`]s.
//!
//! A handler either gives its node an op, or makes new nodes for it (appended to the list, met later in
//! the same walk) and dissolves it. To add a node class: write its handler in the file of its family
//! and add a row to [`HANDLERS`].

mod calls;
mod casts;
mod containers;
mod delegates;
mod enums;
mod events;
mod flow;
mod functions;
mod literals;
mod message;
mod operators;
mod select;
mod structs;
mod variables;

use bp_diag::Code;
use bp_reflect::Name;

use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op};

pub(crate) use select::is_option as is_select_option;

/// Expands one node of a class.
type Handler = fn(&mut Expander<'_, '_>, ExNodeId);

/// Every class that is known, with its handler.
const HANDLERS: &[(&str, Handler)] = &[
    ("K2Node_AddDelegate", delegates::add),
    ("K2Node_AssignDelegate", delegates::add),
    ("K2Node_AssignmentStatement", literals::assign),
    ("K2Node_BreakStruct", structs::break_struct),
    ("K2Node_CallArrayFunction", calls::call),
    ("K2Node_CallDelegate", delegates::call),
    ("K2Node_CallFunction", calls::call),
    ("K2Node_CallFunctionOnMember", calls::call_on_member),
    (
        "K2Node_CallMaterialParameterCollectionFunction",
        calls::call,
    ),
    ("K2Node_CallParentFunction", calls::call_parent),
    ("K2Node_ClassDynamicCast", casts::class_cast),
    ("K2Node_ClearDelegate", delegates::clear),
    (
        "K2Node_CommutativeAssociativeBinaryOperator",
        operators::commutative,
    ),
    ("K2Node_ComponentBoundEvent", events::event),
    ("K2Node_ActorBoundEvent", events::event),
    ("K2Node_Composite", literals::gone),
    ("K2Node_CreateDelegate", delegates::create),
    ("K2Node_CustomEvent", events::event),
    ("K2Node_DynamicCast", casts::cast),
    ("K2Node_EnumEquality", operators::enum_equality),
    ("K2Node_EnumInequality", operators::enum_inequality),
    ("K2Node_EnumLiteral", enums::literal),
    ("K2Node_Event", events::event),
    ("K2Node_ExecutionSequence", flow::sequence),
    ("K2Node_FunctionEntry", functions::entry),
    ("K2Node_FunctionResult", functions::result),
    ("K2Node_GetArrayItem", containers::get_item),
    ("K2Node_IfThenElse", flow::branch),
    ("K2Node_InputAxisEvent", events::event),
    ("K2Node_InputAxisKeyEvent", events::event),
    ("K2Node_InputVectorAxisEvent", events::event),
    ("K2Node_Literal", literals::object),
    ("K2Node_MacroInstance", literals::gone),
    ("K2Node_MakeArray", containers::make_array),
    ("K2Node_MakeMap", containers::make_map),
    ("K2Node_MakeSet", containers::make_set),
    ("K2Node_MakeStruct", structs::make_struct),
    ("K2Node_Message", message::message),
    ("K2Node_PromotableOperator", operators::promotable),
    ("K2Node_PureAssignmentStatement", literals::pure_assign),
    ("K2Node_RemoveDelegate", delegates::remove),
    ("K2Node_Select", select::select),
    ("K2Node_Self", literals::self_reference),
    ("K2Node_SetFieldsInStruct", structs::set_fields),
    ("K2Node_SwitchEnum", flow::switch_enum),
    ("K2Node_SwitchInteger", flow::switch_integer),
    ("K2Node_SwitchName", flow::switch_name),
    ("K2Node_SwitchString", flow::switch_string),
    ("K2Node_TemporaryVariable", literals::temporary),
    ("K2Node_Tunnel", literals::gone),
    ("K2Node_VariableGet", variables::get),
    ("K2Node_VariableSet", variables::set),
    ("K2Node_VariableSetRef", variables::set_by_ref),
    ("EdGraphNode_Comment", literals::gone),
];

/// The classes that are known, by engine name.
pub fn classes() -> impl Iterator<Item = &'static str> {
    HANDLERS.iter().map(|(class, _)| *class)
}

/// Expands a drawn node; other nodes are left alone.
pub(crate) fn expand(x: &mut Expander<'_, '_>, id: ExNodeId) {
    if !matches!(x.graph.node(id).op, Op::Drawn) {
        // Calls that expansion itself made still need temporaries for their reference inputs.
        if matches!(x.graph.node(id).op, Op::Call { .. }) {
            calls::finish(x, id);
        }
        return;
    }
    let class = x.graph.node(id).class.clone();
    if let Some((_, handler)) = HANDLERS.iter().find(|(known, _)| class == **known) {
        handler(x, id);
        return;
    }
    let finding = x
        .finding(
            id,
            Code::UnknownNode,
            format!("no handler for node class `{class}`"),
            None,
        )
        .hint("`bpc nodes` lists the classes that compile");
    x.diagnostics.push(finding);
    x.graph.dissolve(id);
}

/// The function an event node is the stub of, if the node is an event.
pub(crate) fn event_function(x: &Expander<'_, '_>, id: ExNodeId) -> Option<Name> {
    if let Op::Event { function } = &x.graph.node(id).op {
        return Some(function.clone());
    }
    let node = x.graph.drawn(id)?;
    matches!(
        node.class.as_str(),
        "K2Node_Event"
            | "K2Node_CustomEvent"
            | "K2Node_ComponentBoundEvent"
            | "K2Node_ActorBoundEvent"
            | "K2Node_InputAxisEvent"
            | "K2Node_InputAxisKeyEvent"
            | "K2Node_InputVectorAxisEvent"
    )
    .then(|| events::function_name(node))
    .flatten()
}
