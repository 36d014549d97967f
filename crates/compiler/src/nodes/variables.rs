//! Reading and writing variables.

use bp_diag::Code;
use bp_graph::{Direction, MemberReference, PinCategory, PinType};
use bp_reflect::Name;

use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, ExPinId, Op, VariableRef};

/// The variable a node means; reports when there is none.
fn variable<'a>(
    x: &mut Expander<'a, '_>,
    id: ExNodeId,
) -> Option<(MemberReference, VariableRef<'a>)> {
    let Some(reference) = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.member("VariableReference"))
    else {
        x.error(id, Code::NodeProperty, "the node names no variable", None);
        x.graph.dissolve(id);
        return None;
    };
    if reference.scope.is_some() {
        let is_known = x
            .signature
            .params
            .iter()
            .any(|param| param.name == reference.name)
            || x.source
                .locals
                .iter()
                .any(|local| local.name == reference.name);
        if !is_known {
            // As in the engine a warning about the name, and an error because there is nothing to read or write.
            x.error(
                id,
                Code::LocalNotFound,
                format!(
                    "function {} has no local variable `{}`",
                    x.source.name, reference.name
                ),
                None,
            );
            x.error(
                id,
                Code::VarNotFound,
                "the node has no variable to work on",
                None,
            );
        }
        let name = reference.name.clone();
        return Some((reference, VariableRef::Local(name)));
    }
    if let Some(found) = x.cx.member(&reference) {
        Some((reference, found))
    } else {
        let class = reference
            .parent
            .as_ref()
            .map_or(x.cx.class.path.name(), |path| path.name())
            .to_owned();
        x.error(
            id,
            Code::VarNotFound,
            format!("{class} has no variable `{}`", reference.name),
            None,
        );
        x.graph.dissolve(id);
        None
    }
}

/// The pin that carries the variable's value on the given side.
fn value_pin(x: &Expander<'_, '_>, id: ExNodeId, side: Direction) -> Option<ExPinId> {
    x.graph.node(id).pins.iter().copied().find(|pin| {
        let pin = &x.graph.pins[*pin];
        pin.direction == side && !pin.is_exec() && pin.name != "self"
    })
}

/// A getter or setter that stands for a variable.
fn accessor<'a>(
    x: &Expander<'a, '_>,
    variable: &VariableRef<'a>,
    is_setter: bool,
) -> Option<Callee<'a>> {
    let VariableRef::Member { owner, property } = variable else {
        return None;
    };
    let name = if is_setter {
        property.setter.as_ref()
    } else {
        property.getter.as_ref()
    }?;
    let (class, function) = x.cx.registry.find_function(owner, name)?;
    Some(Callee { class, function })
}

/// `K2Node_VariableGet`.
pub(super) fn get(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some((reference, found)) = variable(x, id) else {
        return;
    };
    if !x.graph.is_pure(id) {
        validated_get(x, id, &reference, found);
        return;
    }
    if let Some(callee) = accessor(x, &found, false) {
        let call = x.spawn_call(id, callee);
        if let (Some(from), Some(to)) = (x.graph.in_pin(id, "self"), x.graph.in_pin(call, "self")) {
            x.graph.move_input(from, to);
        }
        if let (Some(from), Some(to)) =
            (value_pin(x, id, Direction::Output), x.graph.data_out(call))
        {
            x.graph.move_links(from, to);
        }
        x.graph.dissolve(id);
        return;
    }
    x.graph.node_mut(id).op = Op::VariableGet(found);
}

/// A Get with exec pins: reads, tests and branches.
fn validated_get<'a>(
    x: &mut Expander<'a, '_>,
    id: ExNodeId,
    reference: &MemberReference,
    found: VariableRef<'a>,
) {
    let Some(drawn_value) = value_pin(x, id, Direction::Output) else {
        x.graph.dissolve(id);
        return;
    };
    let ty = x.graph.pins[drawn_value].ty.clone();
    let get = x
        .graph
        .spawn(id, "K2Node_VariableGet", Op::VariableGet(found));
    if let Some(target) = x.graph.in_pin(id, "self") {
        let target_ty = x.graph.pins[target].ty.clone();
        let copy = x.graph.input(get, "self", target_ty);
        x.graph.move_input(target, copy);
    }
    let value = x.graph.output(get, reference.name.as_str(), ty.clone());
    let tests = [
        (PinCategory::Class, "IsValidClass"),
        (PinCategory::SoftObject, "IsValidSoftObjectReference"),
        (PinCategory::SoftClass, "IsValidSoftClassReference"),
    ];
    let test = tests
        .iter()
        .find(|(category, _)| *category == ty.category)
        .map_or("IsValid", |(_, test)| test);
    let Some(valid) = x.spawn_native_call(id, "KismetSystemLibrary", test) else {
        return;
    };
    let branch = x.graph.spawn(id, "K2Node_IfThenElse", Op::Branch);
    let execute = x.graph.input(branch, "execute", PinType::exec());
    let condition = x
        .graph
        .input(branch, "Condition", PinType::of(PinCategory::Bool));
    let then = x.graph.output(branch, "then", PinType::exec());
    let otherwise = x.graph.output(branch, "else", PinType::exec());
    let tested = x
        .graph
        .pins_of(valid)
        .into_iter()
        .find(|pin| {
            x.graph.pins[*pin].direction == Direction::Input && !x.graph.pins[*pin].is_exec()
        })
        .expect("a test takes a value");
    // The readers come before the test: the order of links decides that of the nodes behind them.
    x.graph.move_links(drawn_value, value);
    x.graph.link(value, tested);
    let result = x.graph.data_out(valid).expect("a test gives a bool");
    x.graph.link(result, condition);
    for (name, side, to) in [
        ("execute", Direction::Input, execute),
        ("then", Direction::Output, then),
        ("else", Direction::Output, otherwise),
    ] {
        if let Some(from) = x.graph.pin(id, name, side) {
            x.graph.move_links(from, to);
        }
    }
    x.graph.dissolve(id);
}

/// `K2Node_VariableSet`. A linked output is a Get of the same variable, so it reads the value of the
/// moment, not the one assigned.
pub(super) fn set(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some((reference, found)) = variable(x, id) else {
        return;
    };
    let output =
        value_pin(x, id, Direction::Output).filter(|pin| !x.graph.pins[*pin].links.is_empty());
    let target = x.graph.in_pin(id, "self");
    if let Some(output) = output {
        let ty = x.graph.pins[output].ty.clone();
        let get = x
            .graph
            .spawn(id, "K2Node_VariableGet", Op::VariableGet(found.clone()));
        if let Some(target) = target {
            let target_ty = x.graph.pins[target].ty.clone();
            let copy = x.graph.input(get, "self", target_ty);
            x.graph.copy_links(target, copy);
        }
        let value = x.graph.output(get, reference.name.as_str(), ty);
        x.graph.move_links(output, value);
    }
    if let Some(callee) = accessor(x, &found, true) {
        let call = x.spawn_call(id, callee);
        if let (Some(from), Some(to)) = (target, x.graph.in_pin(call, "self")) {
            x.graph.move_input(from, to);
        }
        let argument = x.graph.pins_of(call).into_iter().find(|pin| {
            let pin = &x.graph.pins[*pin];
            pin.direction == Direction::Input && !pin.is_exec() && pin.name != "self"
        });
        if let (Some(from), Some(to)) = (value_pin(x, id, Direction::Input), argument) {
            x.graph.move_input(from, to);
        }
        if let (Some(from), Some(to)) = (x.graph.execute(id), x.graph.execute(call)) {
            x.graph.move_links(from, to);
        }
        if let (Some(from), Some(to)) = (x.graph.then(id), x.graph.then(call)) {
            x.graph.move_links(from, to);
        }
        x.graph.dissolve(id);
        return;
    }
    x.graph.node_mut(id).op = Op::VariableSet(found);
}

/// `K2Node_VariableSetRef`: assigns to what a reference refers to.
pub(super) fn set_by_ref(x: &mut Expander<'_, '_>, id: ExNodeId) {
    if let Some(target) = x.graph.in_pin(id, "Target") {
        x.graph.pins[target].name = Name::new("Variable");
    }
    x.graph.node_mut(id).op = Op::Assign;
}
