//! Operators: each becomes calls of two operands.

use bp_diag::Code;
use bp_graph::{Direction, PinCategory, PinType};
use bp_reflect::Name;

use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, ExPinId};

/// `K2Node_CommutativeAssociativeBinaryOperator`: with two operands it is the call itself; with more, a
/// chain from left to right.
pub(super) fn commutative(x: &mut Expander<'_, '_>, id: ExNodeId) {
    if operands(x, id).len() <= 2 {
        super::calls::call(x, id);
        return;
    }
    fold(x, id);
}

/// `K2Node_PromotableOperator`: always new calls, with conversions of operands of another type.
pub(super) fn promotable(x: &mut Expander<'_, '_>, id: ExNodeId) {
    fold(x, id);
}

/// `K2Node_EnumEquality`.
pub(super) fn enum_equality(x: &mut Expander<'_, '_>, id: ExNodeId) {
    compare_enums(x, id, "EqualEqual_ByteByte");
}

/// `K2Node_EnumInequality`.
pub(super) fn enum_inequality(x: &mut Expander<'_, '_>, id: ExNodeId) {
    compare_enums(x, id, "NotEqual_ByteByte");
}

fn compare_enums(x: &mut Expander<'_, '_>, id: ExNodeId, function: &str) {
    let Some(call) = x.spawn_native_call(id, "KismetMathLibrary", function) else {
        return;
    };
    for name in ["A", "B"] {
        if let (Some(from), Some(to)) = (x.graph.in_pin(id, name), x.graph.in_pin(call, name)) {
            x.graph.pins[to].ty = x.graph.pins[from].ty.clone();
            x.graph.move_input(from, to);
        }
    }
    if let (Some(from), Some(to)) = (x.graph.data_out(id), x.graph.out_pin(call, "ReturnValue")) {
        x.graph.move_links(from, to);
    }
    x.graph.dissolve(id);
}

/// Inputs that are operands, in pin order.
fn operands(x: &Expander<'_, '_>, id: ExNodeId) -> Vec<ExPinId> {
    x.graph
        .pins_of(id)
        .into_iter()
        .filter(|pin| {
            let pin = &x.graph.pins[*pin];
            pin.direction == Direction::Input
                && !pin.is_exec()
                && pin.name != "self"
                && pin.name != "ErrorTolerance"
        })
        .collect()
}

fn fold(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let reference = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.member("FunctionReference"));
    let Some(callee) = reference
        .as_ref()
        .and_then(|reference| x.cx.function(reference))
    else {
        let name = reference
            .map(|reference| reference.name)
            .unwrap_or_default();
        x.error(
            id,
            Code::FuncNotFound,
            format!("could not find a function named `{name}`"),
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let operands = operands(x, id);
    let params: Vec<Name> = callee
        .function
        .arguments()
        .filter(|param| !param.is_output() && param.name != "ErrorTolerance")
        .map(|param| param.name.clone())
        .collect();
    let [first, rest @ ..] = operands.as_slice() else {
        x.graph.dissolve(id);
        return;
    };
    if params.len() == 1 && rest.is_empty() {
        // A unary operator.
        let call = x.spawn_call(id, callee);
        feed(x, call, &params[0], *first);
        finish(x, id, call);
        return;
    }
    if params.len() < 2 || rest.is_empty() {
        x.error(
            id,
            Code::FuncPinMissing,
            format!("{} does not take these operands", callee.function.name),
            None,
        );
        x.graph.dissolve(id);
        return;
    }
    let mut left = *first;
    let mut last = None;
    for operand in rest {
        let call = x.spawn_call(id, callee);
        feed(x, call, &params[0], left);
        feed(x, call, &params[1], *operand);
        if let (Some(from), Some(to)) = (
            x.graph.in_pin(id, "ErrorTolerance"),
            x.graph.in_pin(call, "ErrorTolerance"),
        ) {
            x.graph.move_input(from, to);
        }
        left = x
            .graph
            .out_pin(call, "ReturnValue")
            .expect("an operator returns a value");
        last = Some(call);
    }
    if let Some(call) = last {
        finish(x, id, call);
    }
}

fn finish(x: &mut Expander<'_, '_>, id: ExNodeId, call: ExNodeId) {
    if let (Some(from), Some(to)) = (x.graph.data_out(id), x.graph.out_pin(call, "ReturnValue")) {
        x.graph.move_links(from, to);
    }
    x.graph.dissolve(id);
}

/// Gives a call's parameter what an operand had: its links or default, or the result of the call before
/// it in the chain. An operand of another type goes through its conversion.
fn feed(x: &mut Expander<'_, '_>, call: ExNodeId, param: &Name, from: ExPinId) {
    let Some(to) = x.graph.in_pin(call, param.as_str()) else {
        return;
    };
    let from_ty = x.graph.pins[from].ty.clone();
    let to_ty = x.graph.pins[to].ty.clone();
    let is_result = x.graph.pins[from].direction == Direction::Output;
    let connect = |x: &mut Expander<'_, '_>, to: ExPinId| {
        if is_result {
            x.graph.link(from, to);
        } else {
            x.graph.move_input(from, to);
        }
    };
    if is_same_kind(&from_ty, &to_ty) {
        if to_ty.category != PinCategory::Real {
            x.graph.pins[to].ty = PinType {
                is_reference: to_ty.is_reference,
                is_const: to_ty.is_const,
                ..(*from_ty).clone()
            }
            .into();
        }
        connect(x, to);
        return;
    }
    let Some(conversion) = conversion(x, &from_ty, &to_ty) else {
        let name = x.graph.pins[from].name.clone();
        x.error(
            x.graph.pins[from].node,
            Code::PinType,
            format!(
                "no conversion leads from {} to {}",
                from_ty.category.word(),
                to_ty.category.word()
            ),
            Some(&name),
        );
        return;
    };
    let convert = x.spawn_call(call, conversion);
    let input = x
        .graph
        .pins_of(convert)
        .into_iter()
        .find(|pin| {
            x.graph.pins[*pin].direction == Direction::Input && x.graph.pins[*pin].name != "self"
        })
        .expect("a conversion takes a value");
    connect(x, input);
    let output = x
        .graph
        .data_out(convert)
        .expect("a conversion gives a value");
    x.graph.link(output, to);
}

fn is_same_kind(from: &PinType, to: &PinType) -> bool {
    from.category == to.category
        && (from.category != PinCategory::Struct || from.object == to.object)
        || to.category == PinCategory::Wildcard
}

/// The library function that converts between two types, found by its name.
fn conversion<'a>(x: &Expander<'a, '_>, from: &PinType, to: &PinType) -> Option<Callee<'a>> {
    let words = |ty: &PinType| -> Vec<String> {
        match ty.category {
            PinCategory::Real => vec!["Double".to_owned(), "Float".to_owned()],
            PinCategory::Float => vec!["Float".to_owned()],
            PinCategory::Struct => ty
                .object
                .iter()
                .map(|path| path.name().to_owned())
                .collect(),
            PinCategory::Bool => vec!["Bool".to_owned()],
            PinCategory::Byte => vec!["Byte".to_owned()],
            PinCategory::Int => vec!["Int".to_owned()],
            PinCategory::Int64 => vec!["Int64".to_owned()],
            PinCategory::Name => vec!["Name".to_owned()],
            PinCategory::String => vec!["String".to_owned()],
            PinCategory::Text => vec!["Text".to_owned()],
            PinCategory::Exec
            | PinCategory::Double
            | PinCategory::Object
            | PinCategory::Class
            | PinCategory::SoftObject
            | PinCategory::SoftClass
            | PinCategory::Interface
            | PinCategory::Enum
            | PinCategory::Delegate
            | PinCategory::MulticastDelegate
            | PinCategory::FieldPath
            | PinCategory::Transition
            | PinCategory::Wildcard => Vec::new(),
        }
    };
    for from in words(from) {
        for to in words(to) {
            let name = format!("Conv_{from}To{to}");
            for library in [
                "KismetMathLibrary",
                "KismetStringLibrary",
                "KismetTextLibrary",
            ] {
                if let Some(found) = x.cx.native(library, &name) {
                    return Some(found);
                }
            }
        }
    }
    None
}
