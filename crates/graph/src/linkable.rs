//! Which pins may be linked.

use bp_reflect::{ObjectPath, Registry};

use crate::nodes::PinContext;
use crate::types::OBJECT;
use crate::{Container, Fit, Pin, PinCategory, PinFlags, PinId, PinType, fits};

/// Whether an output may be linked to an input of the context's graph: its type fits, or what would decide it is
/// not declared.
pub fn is_linkable(from: &Pin, pin: PinId, cx: &PinContext<'_>) -> bool {
    let (from, to) = (&from.ty, &cx.graph.pins[pin].ty);
    let name = cx.graph.pins[pin].name.as_str();
    if fits(from, to, cx.registry, cx.class()).is_fit() {
        return true;
    }
    let node = &cx.graph.nodes[cx.graph.pins[pin].node];
    // A call on an array of objects is made on each of them.
    if name == "self" && from.container == Container::Array {
        let element = from.element();
        return fits(&element, to, cx.registry, cx.class()) != Fit::No;
    }
    // Operands are promoted by the compiler.
    if node.class == "K2Node_PromotableOperator" && !from.is_exec() {
        return true;
    }
    // Ancestors of classes that are not declared are not known.
    let undeclared = |ty: &PinType| {
        let is_self = ty.sub_category.eq_ignore_ascii_case("self");
        let class = ty.object.as_ref().or(is_self.then(|| cx.class()));
        class.is_some_and(|path| {
            matches!(
                ty.category,
                PinCategory::Object
                    | PinCategory::Class
                    | PinCategory::SoftObject
                    | PinCategory::SoftClass
                    | PinCategory::Interface
            ) && ends_unknown(path, cx.registry)
        })
    };
    // Nor are its interfaces.
    let is_interface =
        from.category == PinCategory::Object && to.category == PinCategory::Interface;
    (from.category == to.category || is_interface)
        && from.container == to.container
        && (undeclared(from) || cx.graph.pins[pin].flags.contains(PinFlags::ORPHANED))
}

/// Whether the ancestors of a class are not all declared. Outside the engine's main modules declarations may
/// name an ancestor that is not the direct parent.
fn ends_unknown(path: &ObjectPath, registry: &Registry) -> bool {
    let is_sure = ["/Script/Engine", "/Script/CoreUObject", "/Script/UMG"]
        .iter()
        .any(|package| path.package().eq_ignore_ascii_case(package));
    if path.is_native() && !is_sure {
        return true;
    }
    if registry
        .ancestry(path)
        .any(|class| registry.is_undeclared(&class.path))
    {
        return true;
    }
    match registry.ancestry(path).last() {
        None => true,
        Some(last) => {
            last.path.as_str() != OBJECT
                && last
                    .super_class
                    .as_ref()
                    .is_none_or(|parent| parent.as_str() != OBJECT)
        }
    }
}
