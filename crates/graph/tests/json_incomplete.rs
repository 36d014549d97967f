//! Blueprints that refer to what nothing declares, as those converted from packages do: what is written of them
//! reads again without an error, and is the same.

use bp_diag::{Diagnostics, Sources, render};
use bp_graph::{
    Blueprint, Component, ComponentOverride, Container, Detail, Direction, Graph, GraphKind,
    MemberReference, Node, ObjectReference, Pin, PinCategory, PinFlags, PinType, Properties,
    PropertyValue, TerminalType, Variable, blueprint_difference, json,
};
use bp_reflect::{
    EngineVersion, Enum, EnumEntry, EnumForm, Name, NativeParts, ObjectPath, Property,
    PropertyFlags, PropertyType, Struct, declarations,
};

const ENGINE: EngineVersion = EngineVersion::LATEST;

/// A Blueprint whose parent is declared nowhere.
fn orphan() -> Blueprint {
    let parent = ObjectPath::new("/Game/Doors/BP_Base.BP_Base_C");
    Blueprint::new("BP_Door", parent, ENGINE)
}

fn read(text: &str) -> (Vec<Blueprint>, Diagnostics, Sources) {
    let mut sources = Sources::default();
    let file = sources.add("again.json", text);
    let base = declarations::embedded(ENGINE);
    let (found, _, diagnostics) = json::read(&[file], &sources, &base);
    (found, diagnostics, sources)
}

/// Writes, reads, and compares; the text.
fn check(blueprint: &Blueprint) -> String {
    let text = json::write(blueprint, &declarations::embedded(ENGINE));
    let (found, diagnostics, sources) = read(&text);
    assert!(
        !diagnostics.has_errors(),
        "{}\n{text}",
        render::short(&diagnostics, &sources)
    );
    let difference = blueprint_difference(blueprint, &found[0], Detail::Made);
    assert_eq!(difference, None, "{text}");
    text
}

/// A Blueprint with one node in an event graph, whose pins are as given.
fn with_node(class: &str, key: &str, reference: PropertyValue, pins: Vec<Pin>) -> Blueprint {
    let mut blueprint = orphan();
    let mut graph = Graph::new("EventGraph", GraphKind::Event);
    let mut node = Node::new("Node_0", class);
    node.properties.set(key, reference);
    let id = graph.add_node(node);
    for pin in pins {
        graph.add_pin(Pin { node: id, ..pin });
    }
    blueprint.graphs.push(graph);
    blueprint
}

fn pin(name: &str, direction: Direction, ty: PinType) -> Pin {
    let node = la_arena::Idx::from_raw(la_arena::RawIdx::from_u32(0));
    Pin::new(node, name, direction, ty)
}

fn object(path: &str) -> PinType {
    PinType::with_object(PinCategory::Object, ObjectPath::new(path))
}

#[test]
fn a_variable_of_an_undeclared_parent_is_read_from_its_pins() {
    let reference = MemberReference::on_self("Health").to_value();
    let real = PinType {
        sub_category: "double".to_owned(),
        ..PinType::of(PinCategory::Real)
    };
    let pins = vec![
        pin("Health", Direction::Output, real),
        pin(
            "self",
            Direction::Input,
            object("/Game/Doors/BP_Base.BP_Base_C"),
        ),
    ];
    let blueprint = with_node("VariableGet", "VariableReference", reference, pins);
    check(&blueprint);
    // Without its pins the node is refused: nothing tells what they are.
    let bare = r#"{"format": "blueprint/1", "name": "BP_Door", "parent": "/Game/Doors/BP_Base.BP_Base_C", "graphs": [
        {"name": "EventGraph", "kind": "event", "nodes": [{"id": "get", "class": "VariableGet", "variable": "Health"}]}]}"#;
    let (_, diagnostics, _) = read(bare);
    let codes: Vec<_> = diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [bp_diag::Code::VarNotFound]);
}

#[test]
fn dispatchers_and_functions_of_undeclared_classes_are_read_from_their_pins() {
    let class = ObjectPath::new("/Script/Doors.DoorComponent");
    let pins = || {
        vec![
            pin("execute", Direction::Input, PinType::exec()),
            pin("then", Direction::Output, PinType::exec()),
            pin("self", Direction::Input, object(class.as_str())),
        ]
    };
    let member = |name: &str| MemberReference::of(class.clone(), name).to_value();
    check(&with_node(
        "AddDelegate",
        "DelegateReference",
        member("OnOpened"),
        pins(),
    ));
    check(&with_node(
        "CallFunction",
        "FunctionReference",
        member("Open"),
        pins(),
    ));
}

#[test]
fn a_task_is_named_by_its_factory_and_its_class() {
    let class = |name: &str| {
        PropertyValue::Object(ObjectReference {
            class: Some("/Script/CoreUObject.Class".to_owned()),
            path: ObjectPath::new(format!("/Script/Doors.{name}")),
        })
    };
    let mut blueprint = with_node(
        "AsyncAction",
        "ProxyFactoryFunctionName",
        PropertyValue::String("WaitForDoor".to_owned()),
        vec![pin("execute", Direction::Input, PinType::exec())],
    );
    let graph = &mut blueprint.graphs[0];
    let (_, node) = graph.nodes.iter_mut().next().expect("there is one");
    node.properties.set("ProxyFactoryClass", class("DoorTasks"));
    node.properties.set("ProxyClass", class("DoorTask"));
    let text = check(&blueprint);
    assert!(
        text.contains("\"task\": \"/Script/Doors.DoorTask\""),
        "{text}"
    );
}

#[test]
fn events_of_widgets_find_the_members_that_designers_make() {
    let mut blueprint = Blueprint::new("WBP_Menu", "/Script/UMG.UserWidget".into(), ENGINE);
    blueprint.designer_variables.push(Property::new(
        "Button_Ok",
        PropertyType::Object("/Script/UMG.Button".into()),
        PropertyFlags::BLUEPRINT_VISIBLE | PropertyFlags::INSTANCED_REFERENCE,
    ));
    let text = r#"{"id": "ok", "class": "ComponentBoundEvent", "component": "Button_Ok", "delegate": "OnClicked"}"#;
    let written = json::write(&blueprint, &declarations::embedded(ENGINE));
    let end = written.rfind('}').expect("it is an object");
    let event = format!(
        r#"{}, "graphs": [{{"name": "EventGraph", "kind": "event", "nodes": [{text}]}}]}}"#,
        written[..end].trim_end()
    );
    let (found, diagnostics, sources) = read(&event);
    assert!(
        !diagnostics.has_errors(),
        "{}",
        render::short(&diagnostics, &sources)
    );
    check(&found[0]);
}

#[test]
fn components_say_what_they_are_attached_to_and_what_they_hold() {
    let mut blueprint = orphan();
    let mut properties = Properties::default();
    properties.set(
        "RelativeLocation",
        PropertyValue::Tuple(vec![(
            "Z".to_owned(),
            PropertyValue::Word("90.000000".to_owned()),
        )]),
    );
    blueprint.components.push(Component {
        name: Name::new("Mesh"),
        class: "/Script/Engine.StaticMeshComponent".into(),
        parent: Some(Name::new("CollisionCylinder")),
        parent_owner: Some(Name::new(Component::NATIVE)),
        socket: Some(Name::new("hand_r")),
        guid: bp_graph::Guid([1, 2, 3, 4]),
        properties: properties.clone(),
        span: None,
    });
    blueprint.component_overrides.push(ComponentOverride {
        name: Name::new("CollisionCylinder"),
        class: "/Script/Engine.CapsuleComponent".into(),
        properties: properties.clone(),
    });
    blueprint
        .class_defaults
        .set("bReplicates", PropertyValue::Word("True".to_owned()));
    check(&blueprint);
    // A parent without owner is one of this Blueprint, and must be there.
    blueprint.components[0].parent_owner = None;
    let text = json::write(&blueprint, &declarations::embedded(ENGINE));
    let (_, diagnostics, _) = read(&text);
    assert!(diagnostics.has_errors());
}

#[test]
fn variables_keep_what_the_editor_notes_about_them() {
    let mut blueprint = orphan();
    let mut variable = Variable::new("bIsOpen", PinType::of(PinCategory::Bool));
    variable.friendly_name = Some("Is Open".to_owned());
    variable.replication = Some("COND_OwnerOnly".to_owned());
    variable
        .metadata
        .insert("tooltip".to_owned(), "Whether it \"is\" open".to_owned());
    blueprint.variables.push(variable.clone());
    let text = check(&blueprint);
    assert!(!text.contains("friendly_name"), "it follows from the name");
    for shown in [None, Some("Ajar".to_owned())] {
        variable.friendly_name = shown;
        blueprint.variables[0] = variable.clone();
        check(&blueprint);
    }
}

#[test]
fn types_whose_asset_is_gone_stay_as_they_are() {
    let mut blueprint = orphan();
    for category in [
        PinCategory::Object,
        PinCategory::Interface,
        PinCategory::Struct,
    ] {
        let name = format!("Gone{}", category.word());
        let mut variable = Variable::new(name.as_str(), PinType::of(category));
        variable.friendly_name = None;
        blueprint.variables.push(variable);
    }
    let text = check(&blueprint);
    assert!(text.contains("\"interface:None\""), "{text}");
}

#[test]
fn a_default_that_is_no_value_of_its_type_is_kept() {
    let mut blueprint = orphan();
    let map = PinType {
        container: Container::Map(Box::new(TerminalType {
            category: PinCategory::Int,
            ..TerminalType::default()
        })),
        ..PinType::of(PinCategory::String)
    };
    let mut variable = Variable::new("Ages", map);
    variable.default = Some("LEFT_OVER".to_owned());
    blueprint.variables.push(variable);
    let text = check(&blueprint);
    assert!(text.contains("\"raw_default\": \"LEFT_OVER\""), "{text}");
}

#[test]
fn entries_of_an_undeclared_enum_are_taken_at_their_word() {
    let mut blueprint = orphan();
    let path = ObjectPath::new("/Game/E_Side.E_Side");
    let mut variable = Variable::new(
        "Side",
        PinType::with_object(PinCategory::Byte, path.clone()),
    );
    variable.default = Some("NewEnumerator1".to_owned());
    blueprint.variables.push(variable);
    check(&blueprint);
}

/// Links decide types of wildcards and operands, unless the text says them.
#[test]
fn written_types_and_properties_count_more_than_links() {
    let real = |sub: &str| PinType {
        sub_category: sub.to_owned(),
        ..PinType::of(PinCategory::Real)
    };
    let mut blueprint = with_node(
        "PromotableOperator",
        "FunctionReference",
        MemberReference::of(
            "/Script/Engine.KismetMathLibrary".into(),
            "Add_DoubleDouble",
        )
        .to_value(),
        vec![
            pin("A", Direction::Input, real("double")),
            pin("B", Direction::Input, real("double")),
            pin("ReturnValue", Direction::Output, real("double")),
        ],
    );
    let graph = &mut blueprint.graphs[0];
    let mut source = Node::new("Node_1", "CallFunction");
    let reference = MemberReference::of("/Script/Doors.DoorMath".into(), "Width");
    source
        .properties
        .set("FunctionReference", reference.to_value());
    let source = graph.add_node(source);
    let from = graph.add_pin(Pin::new(
        source,
        "ReturnValue",
        Direction::Output,
        real("float"),
    ));
    let (to, _) = graph.pins.iter().next().expect("there is one");
    graph.link(from, to);
    check(&blueprint);
}

#[test]
fn pins_of_nodes_keep_their_flags_and_ids_over_renames() {
    let mut kept = pin("Old", Direction::Input, PinType::of(PinCategory::Int));
    kept.flags = PinFlags::ORPHANED;
    kept.persistent_guid = bp_graph::Guid([5, 6, 7, 8]);
    let reference = MemberReference::on_self("Gone").to_value();
    check(&with_node(
        "CallFunction",
        "FunctionReference",
        reference,
        vec![kept],
    ));
}

/// A package of a struct or an enum holds no Blueprint.
#[test]
fn structs_and_enums_alone_need_no_parent() {
    let mut blueprint = Blueprint::new("E_Side", ObjectPath::new(""), ENGINE);
    let mut member = Property::new(
        "Width_2_C4662A4C4AB87A28A9E446B692EF23CF",
        PropertyType::Double,
        PropertyFlags::EDIT | PropertyFlags::BLUEPRINT_VISIBLE,
    );
    member.default = Some("1.500000".to_owned());
    blueprint.structs.push(Struct {
        path: ObjectPath::new("/Game/Doors/S_Door.S_Door"),
        super_struct: None,
        members: vec![member],
        is_complete: true,
        native_size: None,
        native_parts: NativeParts::default(),
    });
    blueprint.enums.push(Enum {
        path: ObjectPath::new("/Game/Doors/E_Side.E_Side"),
        form: EnumForm::Byte,
        entries: vec![EnumEntry {
            name: Name::new("NewEnumerator0"),
            value: Some(0),
            display_name: Some("Left".to_owned()),
            hidden: false,
        }],
    });
    check(&blueprint);
}

/// When the type of a parameter changes, the pin with the old type stays for its link beside the new one.
#[test]
fn a_left_over_pin_keeps_its_link_beside_one_of_its_name() {
    let mut left_over = pin("Value", Direction::Input, PinType::of(PinCategory::Int));
    left_over.flags = PinFlags::ORPHANED;
    let pins = vec![
        pin("Value", Direction::Input, PinType::of(PinCategory::Name)),
        left_over,
    ];
    let reference = MemberReference::on_self("Show").to_value();
    let mut blueprint = with_node("CallFunction", "FunctionReference", reference, pins);
    let graph = &mut blueprint.graphs[0];
    let ids: Vec<_> = graph.pins.iter().map(|(id, _)| id).collect();
    for (number, (to, category)) in ids
        .iter()
        .zip([PinCategory::Name, PinCategory::Int])
        .enumerate()
    {
        let mut node = Node::new(format!("Source_{number}"), "CallFunction");
        let reference = MemberReference::on_self(format!("Get{number}"));
        node.properties
            .set("FunctionReference", reference.to_value());
        let node = graph.add_node(node);
        let ty = PinType::of(category);
        let from = graph.add_pin(Pin::new(node, "ReturnValue", Direction::Output, ty));
        graph.link(from, *to);
    }
    let text = check(&blueprint);
    assert!(text.contains("\"Node_0.Value#2\""), "{text}");
}
