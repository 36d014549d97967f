//! Event dispatchers and delegates.

use bp_diag::Code;
use bp_graph::{Direction, MemberReference};
use bp_reflect::{Name, PropertyType};

use crate::check;
use crate::expand::Expander;
use crate::expanded::{ExNodeId, Op, VariableRef};

fn dispatcher<'a>(
    x: &mut Expander<'a, '_>,
    id: ExNodeId,
) -> Option<(MemberReference, VariableRef<'a>)> {
    let reference = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.member("DelegateReference"));
    let found = reference
        .as_ref()
        .and_then(|reference| x.cx.member(reference));
    if let Some(found) = reference.zip(found) {
        Some(found)
    } else {
        let name = x
            .graph
            .drawn(id)
            .and_then(|node| node.properties.member("DelegateReference"))
            .map(|r| r.name);
        let name = name.unwrap_or_default();
        x.error(
            id,
            Code::DispatcherNotFound,
            format!("no event dispatcher `{name}` was found"),
            None,
        );
        x.graph.dissolve(id);
        None
    }
}

fn check_linked(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let pin = Name::new("Delegate");
    let is_linked = x
        .graph
        .in_pin(id, "Delegate")
        .is_some_and(|pin| !x.graph.pins[pin].links.is_empty());
    if !is_linked {
        x.error(
            id,
            Code::DispatcherUnlinked,
            "`Delegate` is not connected",
            Some(&pin),
        );
    }
}

/// `K2Node_AddDelegate`, `K2Node_AssignDelegate`.
pub(super) fn add(x: &mut Expander<'_, '_>, id: ExNodeId) {
    if let Some((_, variable)) = dispatcher(x, id) {
        check_linked(x, id);
        x.graph.node_mut(id).op = Op::AddDelegate(variable);
    }
}

/// `K2Node_RemoveDelegate`.
pub(super) fn remove(x: &mut Expander<'_, '_>, id: ExNodeId) {
    if let Some((_, variable)) = dispatcher(x, id) {
        check_linked(x, id);
        x.graph.node_mut(id).op = Op::RemoveDelegate(variable);
    }
}

/// `K2Node_ClearDelegate`.
pub(super) fn clear(x: &mut Expander<'_, '_>, id: ExNodeId) {
    if let Some((_, variable)) = dispatcher(x, id) {
        x.graph.node_mut(id).op = Op::ClearDelegate(variable);
    }
}

/// `K2Node_CallDelegate`.
pub(super) fn call(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some((reference, variable)) = dispatcher(x, id) else {
        return;
    };
    let declared = match &variable {
        VariableRef::Member { owner, property } => {
            if let PropertyType::MulticastDelegate(Some(signature)) = &property.ty {
                Some(signature.clone())
            } else {
                Some(owner.member(format_args!("{}__DelegateSignature", reference.name)))
            }
        }
        VariableRef::Local(_) => None,
    };
    let own = || {
        x.cx.class
            .path
            .member(format_args!("{}__DelegateSignature", reference.name))
    };
    let signature = declared.unwrap_or_else(own);
    x.graph.node_mut(id).op = Op::CallDelegate {
        variable,
        signature,
    };
}

/// `K2Node_CreateDelegate`.
pub(super) fn create(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let function = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.text("SelectedFunctionName").map(Name::new))
        .filter(|name| !name.is_none());
    let Some(function) = function else {
        x.error(
            id,
            Code::DelegateNoFunction,
            "no function is selected",
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    check_created(x, id, &function);
    x.graph.node_mut(id).op = Op::CreateDelegate(function);
}

/// The object has the function, and what the delegate is linked to says which parameters it must have.
fn check_created(x: &mut Expander<'_, '_>, id: ExNodeId, function: &Name) {
    let object = x.graph.pins_of(id).into_iter().find(|pin| {
        let pin = &x.graph.pins[*pin];
        pin.direction == Direction::Input && !pin.is_exec()
    });
    let linked = object.and_then(|pin| x.graph.pins[pin].links.first().copied());
    let class = match linked {
        Some(source) => check::class_of_pin(x.cx, &x.graph.pins[source].ty),
        None => Some(x.cx.class.path.clone()),
    };
    let registry = x.cx.registry;
    if let Some(class) = class
        && registry.is_ancestry_known(&class)
        && registry.find_function(&class, function).is_none()
        && registry.find_interface_function(&class, function).is_none()
    {
        let message = format!("{} has no function {function}", class.name());
        x.error(id, Code::DelegateNoFunction, message, None);
    }
    let Some(output) = x.graph.data_out(id) else {
        return;
    };
    let has_signature = |pin: &crate::expanded::ExPinId| {
        let pin = &x.graph.pins[*pin];
        let is_dispatchers = pin.name == "Delegate"
            && matches!(
                x.graph.node(pin.node).class.as_str(),
                "K2Node_AddDelegate" | "K2Node_AssignDelegate" | "K2Node_RemoveDelegate"
            );
        is_dispatchers || pin.ty.signature.is_some()
    };
    if !x.graph.pins[output].links.iter().any(has_signature) {
        let name = x.graph.pins[output].name.clone();
        let message = "nothing that the delegate leads to says which parameters the function has";
        x.error(id, Code::DelegateNoSignature, message, Some(&name));
    }
}
