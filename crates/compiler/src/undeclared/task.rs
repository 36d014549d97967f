//! Tasks whose factory or proxy nothing declares.

use bp_diag::Diagnostic;
use bp_graph::{Blueprint, Direction, Graph, NodeId, Pin};
use bp_reflect::{
    Certainty, Function, FunctionFlags, Name, ObjectPath, Property, PropertyFlags, PropertyType,
    Registry,
};
use rustc_hash::FxHashSet;

use super::{class_mut, undeclared};

/// Declares the factory function of a task node and the delegates of its proxy, with a warning for the
/// factory. Each delegate is taken to give all outputs of the node (assumed: which one gives which is not
/// to be seen).
pub(super) fn infer(
    blueprint: &Blueprint,
    graph: &Graph,
    id: NodeId,
    registry: &mut Registry,
    made: &mut FxHashSet<ObjectPath>,
    warned: &mut FxHashSet<(ObjectPath, Name)>,
) -> Option<Diagnostic> {
    let node = &graph.nodes[id];
    let proxy = node.properties.object("ProxyClass")?;
    let class = node.properties.object("ProxyFactoryClass")?;
    let name = Name::new(node.properties.text("ProxyFactoryFunctionName")?);
    if registry.class(&proxy).is_none() {
        let base = match node.short_class() {
            "LatentAbilityCall" => "/Script/GameplayAbilities.AbilityTask",
            "LatentGameplayTaskCall" => "/Script/GameplayTasks.GameplayTask",
            _ => "/Script/Engine.BlueprintAsyncActionBase",
        };
        class_mut(registry, &proxy, made).super_class = Some(base.into());
    }
    let data = |direction| {
        let pins = graph.pins_of(id).map(|(_, pin)| pin);
        pins.filter(move |pin| pin.direction == direction && !pin.is_exec() && pin.parent.is_none())
    };
    let param = |pin: &Pin, registry: &Registry| {
        let ty = pin.ty.to_property(registry, blueprint.engine);
        let mut flags = PropertyFlags::PARM;
        if pin.ty.is_reference {
            flags |= PropertyFlags::OUT_PARM | PropertyFlags::REFERENCE_PARM;
        }
        flags.set(PropertyFlags::CONST_PARM, pin.ty.is_const);
        Property::new(
            pin.name.clone(),
            ty.unwrap_or(PropertyType::Wildcard),
            flags,
        )
    };
    let outputs: Vec<Property> = data(Direction::Output)
        .filter(|pin| pin.name != "AsyncTaskProxy")
        .map(|pin| param(pin, registry))
        .collect();
    let delegates = graph.pins_of(id).map(|(_, pin)| pin);
    let delegates = delegates
        .filter(|pin| pin.is_exec() && pin.direction == Direction::Output && pin.name != "then");
    for pin in delegates {
        if registry.find_property(&proxy, &pin.name).is_some() {
            continue;
        }
        let mut signature = Function::new(
            format!("{}__DelegateSignature", pin.name),
            FunctionFlags::PUBLIC | FunctionFlags::DELEGATE | FunctionFlags::MULTICAST_DELEGATE,
        );
        signature.certainty = Certainty::Inferred;
        signature.params.clone_from(&outputs);
        let path = proxy.member(&signature.name);
        let class = class_mut(registry, &proxy, made);
        class.properties.push(Property::new(
            pin.name.clone(),
            PropertyType::MulticastDelegate(Some(path)),
            PropertyFlags::BLUEPRINT_VISIBLE | PropertyFlags::BLUEPRINT_ASSIGNABLE,
        ));
        class.delegates.insert(signature.name.clone(), signature);
    }
    if registry.find_function(&class, &name).is_some() {
        return None;
    }
    let finding = warned
        .insert((class.clone(), name.clone()))
        .then(|| undeclared(blueprint, graph, node, &class, &name, registry));
    let mut factory = Function::new(
        name,
        FunctionFlags::PUBLIC
            | FunctionFlags::BLUEPRINT_CALLABLE
            | FunctionFlags::STATIC
            | FunctionFlags::NATIVE
            | FunctionFlags::FINAL,
    );
    factory.certainty = Certainty::Inferred;
    factory.params = data(Direction::Input)
        .filter(|pin| pin.name != "self")
        .map(|pin| param(pin, registry))
        .collect();
    factory.params.push(Property::new(
        "ReturnValue",
        PropertyType::Object(proxy),
        PropertyFlags::PARM | PropertyFlags::OUT_PARM | PropertyFlags::RETURN_PARM,
    ));
    let class = class_mut(registry, &class, made);
    class.functions.insert(factory.name.clone(), factory);
    finding
}
