//! One handler per drawn node class: turns the node into the closed set of [`Op`]s.
//!
//! A handler either gives its node an op, or makes new nodes for it (appended to the list, met later in
//! the same walk) and dissolves it. To add a node class: write its handler in the file of its family
//! and add a row to [`HANDLERS`].

mod async_task;
mod by_name;
mod calls;
mod casts;
mod containers;
mod creation;
mod delegates;
mod enums;
mod events;
mod exec_pins;
mod flow;
mod formula;
mod functions;
mod gates;
mod input;
mod library;
mod literals;
mod made;
mod message;
mod operators;
mod select;
mod structs;
mod subsystems;
mod text;
mod timeline;
mod variables;

pub(crate) use timeline::expand_runs as expand_timeline_runs;

use std::sync::LazyLock;

use bp_diag::Code;
use bp_reflect::Name;
use rustc_hash::FxHashMap;

use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op};

pub(crate) use select::is_option as is_select_option;

/// Expands one node of a class.
type Handler = fn(&mut Expander<'_, '_>, ExNodeId);

/// Every class that is known, with its handler.
const HANDLERS: &[(&str, Handler)] = &[
    ("EdGraphNode_Comment", literals::gone),
    (
        "GameplayTagsK2Node_SwitchGameplayTag",
        flow::switch_gameplay_tag,
    ),
    ("K2Node_ActorBoundEvent", events::event),
    ("K2Node_AddComponent", creation::add_component),
    (
        "K2Node_AddComponentByClass",
        creation::add_component_by_class,
    ),
    ("K2Node_AddDelegate", delegates::add),
    ("K2Node_AssignDelegate", delegates::add),
    ("K2Node_AssignmentStatement", literals::assign),
    ("K2Node_AsyncAction", async_task::async_action),
    ("K2Node_BreakStruct", structs::break_struct),
    ("K2Node_CallArrayFunction", calls::call),
    ("K2Node_CallDataTableFunction", calls::call),
    ("K2Node_CallDelegate", delegates::call),
    ("K2Node_CallFunction", calls::call),
    ("K2Node_AnimGetter", calls::call),
    ("K2Node_CallFunctionOnMember", calls::call_on_member),
    (
        "K2Node_CallMaterialParameterCollectionFunction",
        calls::call,
    ),
    ("K2Node_CallParentFunction", calls::call_parent),
    ("K2Node_CastByteToEnum", library::byte_to_enum),
    ("K2Node_ClassDynamicCast", casts::class_cast),
    ("K2Node_ClearDelegate", delegates::clear),
    (
        "K2Node_CommutativeAssociativeBinaryOperator",
        operators::commutative,
    ),
    ("K2Node_ComponentBoundEvent", events::event),
    ("K2Node_Composite", literals::gone),
    ("K2Node_ConvertAsset", library::convert_asset),
    ("K2Node_CreateDelegate", delegates::create),
    ("K2Node_CreateWidget", creation::create_widget),
    ("K2Node_CustomEvent", events::event),
    ("K2Node_DoOnceMultiInput", gates::do_once),
    ("K2Node_DynamicCast", casts::cast),
    ("K2Node_EaseFunction", gates::ease),
    ("K2Node_EnhancedInputAction", input::enhanced_action),
    ("K2Node_EnumEquality", operators::enum_equality),
    ("K2Node_EnumInequality", operators::enum_inequality),
    ("K2Node_EnumLiteral", enums::literal),
    ("K2Node_Event", events::event),
    ("K2Node_ExecutionSequence", flow::sequence),
    ("K2Node_ForEachElementInEnum", gates::for_each_in_enum),
    ("K2Node_FormatText", text::format_text),
    ("K2Node_FunctionEntry", functions::entry),
    ("K2Node_FunctionResult", functions::result),
    (
        "K2Node_GenericCreateObject",
        creation::generic_create_object,
    ),
    ("K2Node_GetArrayItem", containers::get_item),
    ("K2Node_GetClassDefaults", library::class_defaults),
    ("K2Node_GetDataTableRow", library::get_data_table_row),
    ("K2Node_GetEditorSubsystem", subsystems::of_editor),
    ("K2Node_GetEngineSubsystem", subsystems::of_engine),
    ("K2Node_GetEnumeratorName", library::enumerator_name),
    (
        "K2Node_GetEnumeratorNameAsString",
        library::enumerator_name_as_string,
    ),
    ("K2Node_GetInputAxisKeyValue", calls::call),
    ("K2Node_GetInputAxisValue", calls::call),
    ("K2Node_GetInputVectorAxisValue", calls::call),
    ("K2Node_GetJsonField", library::get_json_field),
    ("K2Node_GetNumEnumEntries", library::n_enum_entries),
    ("K2Node_GetSubsystem", subsystems::of_context),
    (
        "K2Node_GetSubsystemFromPC",
        subsystems::of_player_controller,
    ),
    ("K2Node_HttpRequest", async_task::http_request),
    ("K2Node_IfThenElse", flow::branch),
    ("K2Node_InputAction", input::action),
    ("K2Node_InputAxisEvent", events::event),
    ("K2Node_InputAxisKeyEvent", events::event),
    ("K2Node_InputDebugKey", input::debug_key),
    ("K2Node_InputKey", input::key),
    ("K2Node_InputTouch", input::touch),
    ("K2Node_InputVectorAxisEvent", events::event),
    ("K2Node_LatentAbilityCall", async_task::gameplay_task),
    ("K2Node_LatentGameplayTaskCall", async_task::gameplay_task),
    ("K2Node_LatentOnlineCall", async_task::online_call),
    ("K2Node_Literal", literals::object),
    ("K2Node_LoadAsset", async_task::load_asset),
    ("K2Node_LoadAssetClass", async_task::load_asset_class),
    ("K2Node_MacroInstance", literals::gone),
    ("K2Node_MakeArray", containers::make_array),
    ("K2Node_MakeMap", containers::make_map),
    ("K2Node_MakeSet", containers::make_set),
    ("K2Node_MakeStruct", structs::make_struct),
    ("K2Node_MathExpression", formula::math_expression),
    ("K2Node_Message", message::message),
    ("K2Node_MultiGate", gates::multi_gate),
    ("K2Node_PromotableOperator", operators::promotable),
    ("K2Node_PureAssignmentStatement", literals::pure_assign),
    ("K2Node_RemoveDelegate", delegates::remove),
    ("K2Node_Select", select::select),
    ("K2Node_Self", literals::self_reference),
    ("K2Node_SetFieldsInStruct", structs::set_fields),
    ("K2Node_SpawnActorFromClass", creation::spawn_actor),
    ("K2Node_SwitchEnum", flow::switch_enum),
    ("K2Node_SwitchInteger", flow::switch_integer),
    ("K2Node_SwitchName", flow::switch_name),
    ("K2Node_SwitchString", flow::switch_string),
    ("K2Node_TemporaryVariable", literals::temporary),
    ("K2Node_Timeline", timeline::timeline),
    ("K2Node_Tunnel", literals::gone),
    ("K2Node_VariableGet", variables::get),
    ("K2Node_VariableSet", variables::set),
    ("K2Node_VariableSetRef", variables::set_by_ref),
];

static BY_CLASS: LazyLock<FxHashMap<Name, Handler>> = LazyLock::new(|| {
    let rows = HANDLERS.iter();
    rows.map(|(class, handler)| (Name::new(class), *handler))
        .collect()
});

/// The classes that compile, by engine name: those with a handler, and knots, which a pass takes away.
pub fn classes() -> impl Iterator<Item = &'static str> {
    let handled = HANDLERS.iter().map(|(class, _)| *class);
    handled.chain(std::iter::once("K2Node_Knot"))
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
    if let Some(handler) = BY_CLASS.get(&x.graph.node(id).class) {
        handler(x, id);
        return;
    }
    let class = x.graph.node(id).class.clone();
    // What there is to compile of it was made when it was merged.
    if bp_graph::animation::is_animation_node(&class) {
        return;
    }
    let finding = x
        .finding(
            id,
            Code::UnknownNode,
            format!("no handler for node class `{class}`"),
            None,
        )
        .hint("the class is known to the readers only; `bpc nodes` says which compile");
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
