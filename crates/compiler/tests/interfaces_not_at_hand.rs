//! Of an interface that is not at hand, the class stored with a Blueprint tells what it asks for.

use bp_compiler::{declare, declare_interfaces};
use bp_diag::Code;
use bp_graph::Blueprint;
use bp_reflect::{
    Class, ClassKind, EngineVersion, Function, FunctionFlags, ObjectPath, Property, PropertyFlags,
    PropertyType, declarations,
};

#[test]
fn public_events_that_nothing_draws_are_functions_of_the_interface() {
    let interface = ObjectPath::new("/Script/Game.Handler");
    let mut blueprint = Blueprint::new(
        "BP_Handler",
        "/Script/Engine.Actor".into(),
        EngineVersion::LATEST,
    );
    blueprint.interfaces.push(interface.clone());
    let event = FunctionFlags::PUBLIC | FunctionFlags::BLUEPRINT_EVENT;
    let mut stored = Class::new(
        blueprint.class_path.clone(),
        Some(blueprint.parent.clone()),
        ClassKind::Blueprint,
    );
    let mut pressed = Function::new("OnPressed", event | FunctionFlags::EVENT);
    pressed
        .params
        .push(Property::new("Key", PropertyType::Int, PropertyFlags::PARM));
    // Not public, as what an input makes; of the parent; and the parent's by its record.
    let input = Function::new("InpActEvt_Jump", FunctionFlags::BLUEPRINT_EVENT);
    let inherited = Function::new("ReceiveBeginPlay", event);
    let mut overriding = Function::new("OnDropped", event);
    overriding.super_function = Some("/Script/Game.Base:OnDropped".into());
    for function in [pressed, input, inherited, overriding] {
        stored.functions.insert(function.name.clone(), function);
    }
    let mut registry = declarations::embedded(EngineVersion::LATEST);
    let found = declare_interfaces(&blueprint, &stored, &mut registry);
    let codes: Vec<Code> = found.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::FuncUndeclared]);
    declare(std::slice::from_ref(&blueprint), &mut registry);
    let class = registry.class(&interface).expect("it was added");
    assert!(class.is_interface());
    let names: Vec<&str> = class
        .functions
        .keys()
        .map(bp_reflect::Name::as_str)
        .collect();
    assert_eq!(names, ["OnPressed"]);
    assert!(class.functions[0].can_be_event());
}
