//! Select.

use bp_diag::Code;
use bp_graph::{Direction, PinCategory};

use crate::expand::Expander;
use crate::expanded::{ExNodeId, ExPinId, IndexKind, Op};

/// `K2Node_Select`: unlinked options in pin order, then always the index, go through temporaries; the
/// value itself is an operand of its readers.
///
/// Source: 12 of 14 real functions agree in code order; with the index first only 5 do.
pub(super) fn select(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(index) = x.graph.in_pin(id, "Index") else {
        x.error(id, Code::SelectOption, "the Select has no Index pin", None);
        x.graph.dissolve(id);
        return;
    };
    let ty = x.graph.pins[index].ty.clone();
    let enumeration = ty
        .object
        .as_ref()
        .and_then(|path| x.cx.registry.enumeration(path));
    let kind = match (ty.category, enumeration) {
        (PinCategory::Bool, _) => IndexKind::Bool,
        (PinCategory::Int, _) => IndexKind::Int,
        (PinCategory::Byte | PinCategory::Enum, Some(enumeration)) => IndexKind::Enum(enumeration),
        (PinCategory::Byte, None) => IndexKind::Byte,
        _ => {
            let name = x.graph.pins[index].name.clone();
            x.error(
                id,
                Code::Wildcard,
                "the type of `Index` is undetermined",
                Some(&name),
            );
            x.graph.dissolve(id);
            return;
        }
    };
    for option in options(x, id) {
        if x.graph.pins[option].links.is_empty() {
            x.through_temporary(option);
        }
    }
    x.through_temporary(index);
    x.graph.node_mut(id).op = Op::Select(kind);
}

/// The option pins of a Select, in order.
pub(crate) fn options(x: &Expander<'_, '_>, id: ExNodeId) -> Vec<ExPinId> {
    x.graph
        .pins_of(id)
        .into_iter()
        .filter(|pin| is_option(&x.graph.pins[*pin]))
        .collect()
}

/// Whether a Select's pin is an option: an input that is neither the index nor a hidden library target.
pub(crate) fn is_option(pin: &crate::expanded::ExPin<'_>) -> bool {
    pin.direction == Direction::Input
        && pin.name != "Index"
        && !pin.name.as_str().starts_with("NotEqual_")
}
