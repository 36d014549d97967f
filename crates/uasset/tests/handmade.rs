//! Small packages written byte by byte, each showing one rule of the format.

mod builder;

use bp_uasset::{
    Package, PackageError, PackageIndex, PinDirection, PropertyType, StructFields, Value, enums,
};

use builder::{BLUEPRINTS, Builder, int, string};

#[test]
fn paths_put_a_colon_before_the_first_part_of_an_object() {
    let mut builder = Builder::new(0);
    let actor = builder.class("Actor");
    let graph_class = builder.class("EdGraph");
    let blueprint = builder.export(actor, 0, "BP_Door", Vec::new());
    let graph = builder.export(graph_class, blueprint, "EventGraph", Vec::new());
    let node = builder.export(actor, graph, "Node", Vec::new());
    let package = builder.read();
    let paths = [actor, blueprint, graph, node, 0].map(|index| package.path(PackageIndex(index)));
    let expected = [
        "/Script/Engine.Actor",
        "/Game/BP_Door.BP_Door",
        "/Game/BP_Door.BP_Door:EventGraph",
        "/Game/BP_Door.BP_Door:EventGraph.Node",
        "",
    ];
    assert_eq!(paths, expected);
    assert_eq!(
        package.class_path(PackageIndex(node)),
        "/Script/Engine.Actor"
    );
    assert_eq!(
        package.class_path(PackageIndex(actor)),
        "/Script/CoreUObject.Class"
    );
}

#[test]
fn a_ring_of_outers_is_refused() {
    let mut builder = Builder::new(0);
    builder.export(0, 2, "A", Vec::new());
    builder.export(0, 1, "B", Vec::new());
    assert!(matches!(
        Package::read(builder.build()),
        Err(PackageError::OuterChain { index: 1, .. })
    ));
}

#[test]
fn a_reference_outside_the_tables_is_refused() {
    let mut builder = Builder::new(0);
    builder.export(0, 0, "A", Vec::new());
    builder.export(-7, 0, "B", Vec::new());
    assert!(matches!(
        Package::read(builder.build()),
        Err(PackageError::BadIndex {
            found: -7,
            what: "class of export",
            ..
        })
    ));
}

#[test]
fn classic_tags_give_type_size_and_value() {
    let mut builder = Builder::new(0);
    let tag = |builder: &mut Builder, name: &str, ty: &str, size: i32| {
        [builder.name(name), builder.name(ty), int(size), int(0)].concat()
    };
    let mut properties = tag(&mut builder, "Count", "IntProperty", 4);
    properties.extend([vec![0], int(-5)].concat());
    properties.extend(tag(&mut builder, "bOpen", "BoolProperty", 0));
    properties.extend([1, 0]);
    properties.extend(tag(&mut builder, "At", "StructProperty", 12));
    properties.extend([builder.name("Vector"), vec![0; 17]].concat());
    properties.extend([1.0_f32, 2.0, 3.0].iter().flat_map(|x| x.to_le_bytes()));
    // A type without a known form, and a known one that does not fill its size, are kept as bytes.
    properties.extend(tag(&mut builder, "Odd", "NoSuchProperty", 3));
    properties.extend([0, 1, 2, 3]);
    properties.extend(tag(&mut builder, "Long", "IntProperty", 6));
    properties.extend([0; 7]);
    properties.extend(tag(&mut builder, "Last", "NameProperty", 8));
    properties.extend([vec![0], builder.name("End")].concat());
    let bytes = builder.object(&properties);
    builder.export(0, 0, "Object", bytes);
    let package = builder.read();
    let (properties, rest) = package.object(0).expect("the object is well formed");
    assert!(rest.is_empty());
    assert_eq!(properties.int("Count"), Some(-5));
    assert!(properties.bool("bopen"), "names compare without case");
    let Some(Value::Struct(at)) = properties.get("At") else {
        panic!("At is a struct");
    };
    assert_eq!(
        at.fields,
        StructFields::Reals(vec![("X", 1.0), ("Y", 2.0), ("Z", 3.0)])
    );
    let raw = ["Odd", "Long"].map(|name| match properties.get(name) {
        Some(Value::Raw(range)) => range.len(),
        other => panic!("{name} is {other:?}"),
    });
    assert_eq!(raw, [3, 6]);
    assert!(properties.name("Last").is_some_and(|name| name.is("End")));
}

#[test]
fn complete_type_names_nest() {
    let mut builder = Builder::new(1012);
    let mut properties = builder.name("Points");
    properties.extend([builder.name("ArrayProperty"), int(1)].concat());
    properties.extend([builder.name("StructProperty"), int(1)].concat());
    properties.extend([builder.name("Vector2D"), int(1)].concat());
    properties.extend([builder.name("/Script/CoreUObject"), int(0)].concat());
    properties.extend([int(20), vec![0], int(1)].concat());
    properties.extend([0.5_f64, -2.0].iter().flat_map(|x| x.to_le_bytes()));
    properties.extend([builder.name("bOn"), builder.name("BoolProperty"), int(0)].concat());
    properties.extend([int(0), vec![0x10]].concat());
    let bytes = builder.object(&properties);
    builder.export(0, 0, "Object", bytes);
    let (properties, _) = builder.read().object(0).expect("the object is well formed");
    let Some([Value::Struct(point)]) = properties.get("Points").and_then(Value::as_array) else {
        panic!("Points is an array of one struct");
    };
    assert_eq!(
        point.fields,
        StructFields::Reals(vec![("X", 0.5), ("Y", -2.0)])
    );
    assert!(properties.bool("bOn"));
}

#[test]
fn nesting_without_end_is_kept_as_bytes() {
    let mut builder = Builder::new(0);
    // A format text whose pattern is a format text, and so on.
    let text: Vec<u8> = [int(0), vec![1]].concat().repeat(5_000);
    let mut properties = [builder.name("Deep"), builder.name("TextProperty")].concat();
    properties.extend([int(text.len() as i32), int(0), vec![0], text].concat());
    let bytes = builder.object(&properties);
    builder.export(0, 0, "Object", bytes);
    let (properties, _) = builder.read().object(0).expect("the object is well formed");
    assert!(matches!(properties.get("Deep"), Some(Value::Raw(_))));
}

/// A function record after its tagged properties: parent, no children, one `int` parameter.
fn function_record(builder: &mut Builder, flags: u32) -> Vec<u8> {
    let mut bytes = builder.object(&[]);
    bytes.extend([int(0), int(0), int(1)].concat());
    bytes.extend([builder.name("IntProperty"), builder.name("Amount")].concat());
    bytes.extend([int(1), int(0), int(1), int(4)].concat());
    bytes.extend([0x94_u64.to_le_bytes().as_slice(), &[0; 2]].concat());
    bytes.extend([builder.name("None"), vec![0]].concat());
    bytes.extend([int(9), int(3), vec![0x04, 0x0B, 0x53]].concat());
    bytes.extend(flags.to_le_bytes());
    bytes
}

#[test]
fn a_network_function_stores_its_replication_index() {
    for (flags, more, rep_offset) in [
        (0x0002_0000, vec![], None),
        (0x0002_0040, vec![7, 0], Some(7)),
    ] {
        let mut builder = Builder::new(0);
        let class = builder.class("Function");
        let mut bytes = function_record(&mut builder, flags);
        bytes.extend([more, int(0), int(0)].concat());
        builder.export(class, 0, "TakeHit", bytes);
        let package = builder.read();
        let function = package.function(0).expect("the function is well formed");
        assert_eq!(function.rep_offset, rep_offset);
        assert!(function.unread.is_empty());
        assert_eq!(function.base.script.memory_size, 9);
        assert_eq!(
            package.bytes(function.base.script.range),
            [0x04, 0x0B, 0x53]
        );
        let [amount] = function.base.properties.as_slice() else {
            panic!("there is one parameter");
        };
        assert_eq!((&amount.ty, amount.flags), (&PropertyType::Plain, 0x94));
    }
}

#[test]
fn what_is_no_function_is_refused_by_name() {
    let mut builder = Builder::new(0);
    let class = builder.class("Actor");
    builder.export(class, 0, "Door", Vec::new());
    let package = builder.read();
    let error = package.function(0).expect_err("an actor is no function");
    assert_eq!(
        error.to_string(),
        "export `Door` is a Actor, not a function"
    );
    assert!(matches!(
        package.node(9),
        Err(PackageError::NoSuchExport {
            export: 9,
            exports: 1
        })
    ));
}

#[test]
fn a_script_larger_than_its_export_is_located() {
    let mut builder = Builder::new(0);
    let class = builder.class("Function");
    let mut bytes = function_record(&mut builder, 0);
    let size_at = bytes.len() - 4 - 3 - 4;
    bytes[size_at..size_at + 4].copy_from_slice(&1_000_i32.to_le_bytes());
    builder.export(class, 0, "TakeHit", bytes);
    assert!(matches!(
        builder.read().function(0),
        Err(PackageError::BadCount {
            what: "stored size of script",
            found: 1_000,
            left: 7,
            ..
        })
    ));
}

#[test]
fn a_node_holds_its_pins_and_those_its_author_defined() {
    let mut builder = Builder::new(0);
    let graph_class = builder.class("EdGraph");
    let class = builder.class("K2Node_CustomEvent");
    let graph = builder.export(graph_class, 0, "EventGraph", Vec::new());
    let node = graph + 1;
    let mut bytes = builder.object(&[]);
    let owner = [int(node), vec![9; 16]].concat();
    bytes.extend([int(2), int(1), int(0), owner.clone(), owner.clone()].concat());
    bytes.extend([builder.name("then"), int(0), vec![0xFF], string("")].concat());
    bytes.push(1);
    bytes.extend(builder::pin_type(&mut builder, "exec"));
    bytes.extend([string(""), string(""), int(0), int(0), vec![0xFF]].concat());
    bytes.extend([int(1), int(0), owner, int(0), int(1), int(1)].concat());
    bytes.extend([vec![0; 16], int(0x21)].concat());
    bytes.extend([int(1), builder.name("Damage")].concat());
    bytes.extend(builder::pin_type(&mut builder, "float"));
    bytes.extend([vec![1], string("1.0")].concat());
    builder.export(class, graph, "Event_0", bytes);
    let package = builder.read();
    let node = package.node(1).expect("the node is well formed");
    assert_eq!(node.class, "/Script/Engine.K2Node_CustomEvent");
    let [pin] = node.pins.as_slice() else {
        panic!("the null pin is left out");
    };
    assert_eq!(
        (pin.direction, pin.linked_to.len()),
        (PinDirection::Output, 1)
    );
    assert_eq!(pin.flags.bits(), 0x21);
    let [damage] = node.user_pins.as_slice() else {
        panic!("there is one user-defined pin");
    };
    assert!(damage.name.is("Damage") && damage.ty.category.is("float"));
    assert_eq!(damage.default_value, "1.0");
    assert!(node.unread.is_empty());
}

#[test]
fn pins_of_old_packages_are_objects() {
    let mut builder = Builder::new(0);
    builder.custom = vec![(BLUEPRINTS, 3)];
    let graph_class = builder.class("EdGraph");
    let class = builder.class("K2Node_IfThenElse");
    let pin_class = builder.class("EdGraphPin");
    let graph = builder.export(graph_class, 0, "EventGraph", Vec::new());
    let (node, pin) = (graph + 1, graph + 2);
    let mut pins = [builder.name("Pins"), builder.name("ArrayProperty")].concat();
    pins.extend([int(8), int(0), builder.name("ObjectProperty"), vec![0]].concat());
    pins.extend([int(1), int(pin)].concat());
    let bytes = builder.object(&pins);
    builder.export(class, graph, "Branch", bytes);
    let mut properties = [builder.name("PinName"), builder.name("StrProperty")].concat();
    let name = string("then");
    properties.extend([int(name.len() as i32), int(0), vec![0], name].concat());
    properties.extend([builder.name("Direction"), builder.name("ByteProperty")].concat());
    let side = [
        builder.name("EEdGraphPinDirection"),
        vec![0],
        builder.name("EGPD_Output"),
    ];
    properties.extend([int(8), int(0), side.concat()].concat());
    properties.extend([builder.name("LinkedTo"), builder.name("ArrayProperty")].concat());
    properties.extend([int(8), int(0), builder.name("ObjectProperty"), vec![0]].concat());
    properties.extend([int(1), int(pin)].concat());
    let bytes = builder.object(&properties);
    builder.export(pin_class, node, "Pin", bytes);
    let node = builder.read().node(1).expect("the node is well formed");
    let [pin] = node.pins.as_slice() else {
        panic!("there is one pin");
    };
    assert!(pin.name.is("then"));
    assert_eq!(pin.direction, PinDirection::Output);
    let [end] = pin.linked_to.as_slice() else {
        panic!("there is one link");
    };
    assert_eq!((end.node, end.pin), (node.index, pin.id));
}

#[test]
fn user_defined_enums_show_names_of_their_own() {
    let mut builder = Builder::new(0);
    let class = builder.class("UserDefinedEnum");
    let mut names = [builder.name("DisplayNameMap"), builder.name("MapProperty")].concat();
    let shown = [int(0), vec![0], string(""), string("K"), string("Ajar")].concat();
    let map = [int(0), int(1), builder.name("NewEnumerator1"), shown].concat();
    names.extend([int(map.len() as i32), int(0), builder.name("NameProperty")].concat());
    names.extend([builder.name("TextProperty"), vec![0], map].concat());
    let mut bytes = builder.object(&names);
    bytes.extend(int(3));
    for (value, name) in [
        (0, "E_Door::NewEnumerator0"),
        (4, "E_Door::NewEnumerator1"),
        (5, "E_Door::E_MAX"),
    ] {
        bytes.extend([builder.name(name), i64::from(value).to_le_bytes().to_vec()].concat());
    }
    bytes.push(1);
    builder.export(class, 0, "E_Door", bytes);
    let enums = enums(&builder.read()).expect("the enum is well formed");
    let [door] = enums.as_slice() else {
        panic!("there is one enum");
    };
    assert_eq!(door.path.as_str(), "/Game/BP_Door.E_Door");
    let entries: Vec<_> = door
        .entries
        .iter()
        .map(|entry| {
            (
                entry.name.as_str(),
                entry.value,
                entry.display_name.as_deref(),
            )
        })
        .collect();
    let expected = [
        ("NewEnumerator0", Some(0), None),
        ("NewEnumerator1", Some(4), Some("Ajar")),
    ];
    assert_eq!(entries, expected);
}

/// A package that is well formed but for what `change` makes of it.
fn refusal(change: impl FnOnce(&mut Builder)) -> PackageError {
    let mut builder = Builder::new(1012);
    builder.export(0, 0, "A", Vec::new());
    builder.read();
    change(&mut builder);
    Package::read(builder.build()).expect_err("it is refused")
}

#[test]
fn packages_of_other_forms_are_refused_by_name() {
    let cases: [(PackageError, &str); 12] = [
        (
            refusal(|builder| builder.flags = 0x200),
            "the package is cooked (package flags 0x00000200); only uncooked packages hold graphs",
        ),
        (
            refusal(|builder| builder.flags = 0x8000_0000),
            "the package is cooked (package flags 0x80000000); only uncooked packages hold graphs",
        ),
        (
            refusal(|builder| builder.flags = 0x2000),
            "the package is unversioned; only packages saved by the editor can be read",
        ),
        (
            refusal(|builder| (builder.ue4, builder.ue5) = (0, 0)),
            "the package is unversioned; only packages saved by the editor can be read",
        ),
        (
            refusal(|builder| builder.flags = 0x0200_0000),
            "the package is stored compressed (compression flags 0x2000000, 0 chunks)",
        ),
        (
            refusal(|builder| builder.compression = 1),
            "the package is stored compressed (compression flags 0x1, 0 chunks)",
        ),
        (
            refusal(|builder| builder.ue5 = 1019),
            "the package is too new: the UE5 file version is 1019, the newest known is 1018",
        ),
        (
            refusal(|builder| builder.ue4 = 523),
            "the package is too new: the UE4 file version is 523, the newest known is 522",
        ),
        (
            refusal(|builder| builder.ue4 = 481),
            "the package is too old: the UE4 file version is 481, the oldest known is 482",
        ),
        (
            refusal(|builder| builder.legacy = -10),
            "the package is too new: the layout of the summary is -10, the newest known is -9",
        ),
        (
            refusal(|builder| builder.legacy = -4),
            "the package is too old: the layout of the summary is -4, the oldest known is -5",
        ),
        (
            Package::read(*b"PK\x03\x04 and more").expect_err("it is refused"),
            "not an Unreal package: the file starts with 0x04034b50 instead of 0x9e2a83c1",
        ),
    ];
    for (error, words) in cases {
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn the_label_of_the_engine_counts_where_it_fits_the_file_version() {
    for (ue4, ue5, label, engine) in [
        (522, 0, [4, 26], "4.26"),
        (522, 0, [0, 0], "4.27"),
        (522, 0, [4, 28], "4.27"),
        (522, 0, [5, 3], "4.27"),
        (522, 0, [20, 16], "4.27"),
        (522, 0, [4, 10], "4.16"),
        (522, 1012, [5, 4], "5.4"),
        (522, 1012, [5, 8], "5.8"),
        (522, 1012, [4, 27], "5.4"),
        (522, 1012, [6, 0], "5.4"),
        (522, 1012, [5, 300], "5.4"),
    ] {
        let mut builder = Builder::new(ue5);
        (builder.ue4, builder.engine) = (ue4, label);
        builder.export(0, 0, "A", Vec::new());
        let found = builder.read().engine();
        assert_eq!(found.to_string(), engine, "{ue4} {ue5} {label:?}");
        // Whatever it is, the text of a package names a version that can be read.
        assert_eq!(found.to_string().parse(), Ok(found));
    }
}

#[test]
fn each_file_version_of_ue5_is_read() {
    for ue5 in 1000..=1018 {
        let mut builder = Builder::new(ue5);
        builder.legacy = if ue5 >= 1016 { -9 } else { -8 };
        let class = builder.class("Function");
        let actor = builder.class("BlueprintGeneratedClass");
        let owner = builder.export(actor, 0, "BP_Door_C", Vec::new());
        let mut bytes = function_record(&mut builder, 0x0002_0000);
        bytes.extend([int(0), int(0)].concat());
        let function = builder.export(class, owner, "Open", bytes);
        let package = builder.read();
        assert_eq!(package.summary().ue5_version, ue5);
        assert_eq!(
            package.path(PackageIndex(function)),
            "/Game/BP_Door.BP_Door_C:Open",
            "{ue5}"
        );
        let data = package.function(1).expect("the function is well formed");
        assert!(data.unread.is_empty(), "{ue5}");
        assert_eq!(package.bytes(data.base.script.range), [0x04, 0x0B, 0x53]);
    }
}

/// A tagged property of UE 4.27 with a plain value.
fn plain(builder: &mut Builder, name: &str, ty: &str, value: &[u8]) -> Vec<u8> {
    let mut bytes = [builder.name(name), builder.name(ty)].concat();
    bytes.extend([int(value.len() as i32), int(0), vec![0], value.to_vec()].concat());
    bytes
}

#[test]
fn what_the_model_has_no_place_for_is_said_once() {
    let mut builder = Builder::new(0);
    let class = builder.class("WidgetBlueprint");
    let tree_class = builder.class("WidgetTree");
    let widget_class = builder.class("Button");
    let mut properties = plain(&mut builder, "WidgetTree", "ObjectProperty", &int(2));
    properties.extend(plain(
        &mut builder,
        "PaletteCategory",
        "IntProperty",
        &int(7),
    ));
    // How the editor was used says nothing of the class.
    properties.extend(plain(&mut builder, "ThumbnailInfo", "IntProperty", &int(1)));
    let bytes = builder.object(&properties);
    let blueprint = builder.export(class, 0, "WBP_Menu", bytes);
    let empty = builder.object(&[]);
    let tree = builder.export(tree_class, blueprint, "WidgetTree", empty.clone());
    builder.export(widget_class, tree, "Button_Ok", empty);
    let (_, diagnostics) = bp_uasset::to_blueprint(&builder.read());
    let notes: Vec<_> = diagnostics
        .iter()
        .map(|note| (note.code, note.message.as_str()))
        .collect();
    let expected = [
        "left out: the widget tree (1 objects); widgets that are variables are members of the class",
        "left out: properties of the WidgetBlueprint: PaletteCategory",
    ];
    assert_eq!(notes, expected.map(|text| (bp_diag::Code::LeftOut, text)));
}

#[test]
fn a_list_of_variables_that_cannot_be_read_is_an_error() {
    let mut builder = Builder::new(0);
    let class = builder.class("Blueprint");
    let mut properties = [builder.name("NewVariables"), builder.name("ArrayProperty")].concat();
    properties.extend([int(4), int(0), builder.name("StructProperty"), vec![0]].concat());
    properties.extend(int(i32::MAX));
    let bytes = builder.object(&properties);
    builder.export(class, 0, "BP_Door", bytes);
    let (_, diagnostics) = bp_uasset::to_blueprint(&builder.read());
    let [error] = diagnostics.iter().collect::<Vec<_>>()[..] else {
        panic!("{diagnostics:?}");
    };
    assert_eq!(error.code, bp_diag::Code::PackageMalformed);
    assert!(
        error.message.starts_with("byte ") && error.message.contains("`NewVariables`"),
        "{}",
        error.message
    );
}
