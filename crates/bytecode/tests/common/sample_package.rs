//! A package that uses every field.

use bp_bytecode::package::{
    ComponentTemplate, DelegateBinding, TimelineTemplate, TimelineTrack, TrackKind,
};
use bp_bytecode::{
    CodeOffset, CompiledClass, CompiledFunction, DebugSite, Dialect, Expr, Interner, NodeName,
    Opcode, Operand, Package, PropertyRef, ScriptBuilder, Target,
};
use bp_reflect::{
    Certainty, Class, ClassKind, Enum, EnumEntry, EnumForm, Function, FunctionFlags, Name,
    NativeParts, ObjectPath, Property, PropertyFlags, PropertyType, Struct, TextValue, Value,
};
use indexmap::IndexMap;

pub(crate) fn package(dialect: Dialect) -> Package {
    let path = ObjectPath::new("/Game/BP_Door.BP_Door_C");
    let mut refs = Interner::new();
    let mut class = Class::new(
        path.clone(),
        Some(ObjectPath::new("/Script/Engine.Actor")),
        ClassKind::Blueprint,
    );
    class.interfaces = vec![ObjectPath::new("/Game/I Door.I Door_C")];
    class.properties = all_types()
        .into_iter()
        .enumerate()
        .map(|(index, ty)| Property::new(format!("P{index}"), ty, PropertyFlags::EDIT))
        .collect();
    class.properties.push(Property {
        array_dim: 4,
        default: Some("a \"default\"\n".to_owned()),
        getter: Some(Name::new("Get It")),
        setter: Some(Name::new("SetIt")),
        ..Property::new(
            "with blank?",
            PropertyType::Double,
            PropertyFlags::from_bits_retain(0x8000_0000_0000_0001),
        )
    });
    let mut signature = Function::new("OnOpened__DelegateSignature", FunctionFlags::DELEGATE);
    signature.params.push(Property::new(
        "Who",
        PropertyType::Name,
        PropertyFlags::PARM,
    ));
    class.delegates.insert(signature.name.clone(), signature);

    let mut functions = Vec::new();
    let (function, compiled) = script_function(&path, dialect, &mut refs);
    class.functions.insert(function.name.clone(), function);
    functions.push(compiled);
    let (function, compiled) = rich_function();
    class.functions.insert(Name::new("rich"), function);
    functions.push(compiled);
    let broken = Function::new("Broken", FunctionFlags::empty());
    class.functions.insert(broken.name.clone(), broken);
    functions.push(CompiledFunction {
        script: vec![0x53, 0xA2, 0x00],
        sites: vec![DebugSite {
            offset: CodeOffset(9),
            node: 3,
        }],
        event_offset: Some(CodeOffset(0x1234)),
        ..CompiledFunction::default()
    });

    Package {
        engine: dialect.engine,
        references: refs.into_tables(),
        classes: vec![
            CompiledClass {
                class,
                functions,
                defaults: defaults(),
                components: vec![
                    ComponentTemplate {
                        name: Name::new("Root"),
                        class: ObjectPath::new("/Script/Engine.SceneComponent"),
                        parent: None,
                    },
                    ComponentTemplate {
                        name: Name::new("My Mesh"),
                        class: ObjectPath::new("/Script/Engine.StaticMeshComponent"),
                        parent: Some(Name::new("Root")),
                    },
                ],
                timelines: vec![
                    timeline(),
                    TimelineTemplate {
                        tracks: Vec::new(),
                        ..timeline()
                    },
                ],
                bindings: vec![DelegateBinding {
                    component: Name::new("My Mesh"),
                    delegate: Name::new("OnComponentHit"),
                    function: Name::new("Open"),
                }],
                ubergraph: Some(Name::new("ExecuteUbergraph_BP_Door")),
            },
            CompiledClass {
                class: Class::new(
                    ObjectPath::new("/Game/Empty.Empty_C"),
                    None,
                    ClassKind::Native,
                ),
                functions: Vec::new(),
                defaults: Vec::new(),
                components: Vec::new(),
                timelines: Vec::new(),
                bindings: Vec::new(),
                ubergraph: None,
            },
        ],
        structs: structs(),
        enums: enums(),
    }
}

fn all_types() -> Vec<PropertyType> {
    let target = || ObjectPath::new("/Script/Engine.Actor");
    let odd = || ObjectPath::new("/Game/A, B<C>.D E");
    vec![
        PropertyType::Bool,
        PropertyType::Byte(None),
        PropertyType::Byte(Some(odd())),
        PropertyType::Enum(target()),
        PropertyType::Int8,
        PropertyType::Int16,
        PropertyType::UInt16,
        PropertyType::Int,
        PropertyType::UInt32,
        PropertyType::Int64,
        PropertyType::UInt64,
        PropertyType::Float,
        PropertyType::Double,
        PropertyType::Name,
        PropertyType::Str,
        PropertyType::Text,
        PropertyType::Object(odd()),
        PropertyType::WeakObject(target()),
        PropertyType::SoftObject(target()),
        PropertyType::Class(target()),
        PropertyType::SoftClass(target()),
        PropertyType::Interface(target()),
        PropertyType::Struct(ObjectPath::new("self")),
        PropertyType::Array(Box::new(PropertyType::Struct(odd()))),
        PropertyType::Set(Box::new(PropertyType::Name)),
        PropertyType::Map(Box::new((
            PropertyType::Name,
            PropertyType::Array(Box::new(PropertyType::Int)),
        ))),
        PropertyType::Delegate(None),
        PropertyType::Delegate(Some(target())),
        PropertyType::MulticastDelegate(None),
        PropertyType::MulticastDelegate(Some(target())),
        PropertyType::FieldPath,
        PropertyType::Wildcard,
    ]
}

fn script_function(
    class: &ObjectPath,
    dialect: Dialect,
    refs: &mut Interner,
) -> (Function, CompiledFunction) {
    let mut function = Function::new(
        "Open",
        FunctionFlags::PUBLIC | FunctionFlags::BLUEPRINT_CALLABLE,
    );
    function.params.push(Property::new(
        "Amount",
        PropertyType::Int,
        PropertyFlags::PARM,
    ));
    function.locals.push(Property::new(
        "Left",
        PropertyType::Int,
        PropertyFlags::empty(),
    ));
    let local = |name: &str| {
        Expr::variable(
            Opcode::LocalVariable,
            PropertyRef::new(class.member("Open"), name),
        )
    };
    let member = PropertyRef::new(class.clone(), "Health");
    let mut builder = ScriptBuilder::new(dialect, refs);
    let end = builder.label();
    let first = builder.push(&Expr::new(
        Opcode::JumpIfNot,
        vec![
            Operand::Target(Target::Label(end)),
            Operand::Expr(Expr::call(
                Opcode::CallMath,
                ObjectPath::new("/Script/Engine.KismetMathLibrary:Greater_IntInt"),
                vec![local("Amount"), Expr::int(0)],
            )),
        ],
    ));
    let second = builder.push(&Expr::let_(
        Some(member.clone()),
        Expr::variable(Opcode::InstanceVariable, member),
        local("Left"),
    ));
    builder.bind(end);
    builder.push(&Expr::unary(Opcode::Return, Expr::leaf(Opcode::Nothing)));
    builder.push(&Expr::leaf(Opcode::EndOfScript));
    let node = |title: &str| NodeName {
        graph: "Event \"Graph\"".into(),
        title: title.into(),
        name: "K2Node_IfThenElse_0".into(),
    };
    let compiled = CompiledFunction {
        script: builder.finish().expect("the label is bound"),
        sites: vec![
            DebugSite {
                offset: first,
                node: 0,
            },
            DebugSite {
                offset: second,
                node: 1,
            },
            DebugSite {
                offset: second,
                node: 0,
            },
        ],
        nodes: vec![node("Branch"), node("Set\nHealth; now")],
        event_offset: Some(CodeOffset(10)),
    };
    (function, compiled)
}

fn rich_function() -> (Function, CompiledFunction) {
    let mut function = Function::new("Rich", FunctionFlags::from_bits_retain(0x8000_0031));
    function.super_function = Some(ObjectPath::new("/Script/Engine.Actor:ReceiveTick"));
    function.certainty = Certainty::Inferred;
    let meta = &mut function.meta;
    meta.latent = true;
    meta.world_context = Some(Name::new("WorldContextObject"));
    meta.optional_world_context = true;
    meta.custom_thunk = true;
    meta.internal_only = true;
    let names = || vec![Name::new("A"), Name::new("b c")];
    meta.array_parm = names();
    meta.map_parm = names();
    meta.set_parm = names();
    meta.uncertain = FunctionFlags::FINAL;
    meta.array_type_dependent = names();
    meta.default_to_self = names();
    meta.auto_create_ref = names();
    meta.dynamic_output = names();
    meta.expand_enum_as_execs = names();
    meta.hidden = names();
    meta.advanced = names();
    meta.display_name = Some("Rich \\ one".to_owned());
    (function, CompiledFunction::default())
}

fn timeline() -> TimelineTemplate {
    TimelineTemplate {
        name: Name::new("Timeline_0"),
        length: 5.0,
        auto_play: true,
        looping: true,
        update: Some(Name::new("Timeline_0__UpdateFunc")),
        finished: Some(Name::new("Timeline_0__FinishedFunc")),
        direction: Name::new("Timeline_0__Direction_1"),
        tracks: vec![
            TimelineTrack {
                target: Name::new("Alpha"),
                kind: TrackKind::Float,
                keys: vec![(0.0, vec![1.0]), (0.1, vec![-0.0])],
            },
            TimelineTrack {
                target: Name::new("Place"),
                kind: TrackKind::Vector,
                keys: vec![(1e-300, vec![1.0, 2.5, f64::INFINITY])],
            },
            TimelineTrack {
                target: Name::new("Tint"),
                kind: TrackKind::LinearColor,
                keys: Vec::new(),
            },
            TimelineTrack {
                target: Name::new("Ping"),
                kind: TrackKind::Event,
                keys: vec![(2.0, Vec::new())],
            },
        ],
    }
}

fn defaults() -> Vec<(Name, Value)> {
    [
        Value::Bool(true),
        Value::Bool(false),
        Value::Int(i64::MIN),
        Value::UInt(u64::MAX),
        Value::Real(-0.0),
        Value::Real(1e300),
        Value::Real(1e16),
        Value::Real(f64::NEG_INFINITY),
        Value::Name(Name::new("null")),
        Value::Str("a \"b\" ;c\u{2028}".into()),
        Value::Text(TextValue::Empty),
        Value::Text(TextValue::Localized {
            namespace: "n".into(),
            key: "k".into(),
            source: "s".into(),
        }),
        Value::Text(TextValue::Invariant("i".into())),
        Value::Text(TextValue::StringTable {
            table: "t".into(),
            key: "k".into(),
        }),
        Value::Object(None),
        Value::Object(Some(ObjectPath::new("/Game/A B.A B"))),
        Value::Struct(vec![
            (Name::new("X"), Value::Real(1.0)),
            (
                Name::new("Y y"),
                Value::List(vec![Value::Int(1), Value::Int(2)]),
            ),
        ]),
        Value::Struct(Vec::new()),
        Value::List(Vec::new()),
        Value::Map(vec![
            (Value::Int(1), Value::Str("one".into())),
            (Value::Int(2), Value::Map(Vec::new())),
        ]),
        Value::Unbound,
    ]
    .into_iter()
    .enumerate()
    .map(|(index, value)| (Name::new(format!("P{index}")), value))
    .collect()
}

fn structs() -> Vec<Struct> {
    vec![
        Struct {
            path: ObjectPath::new("/Game/S.S"),
            super_struct: Some(ObjectPath::new("/Game/T.T")),
            members: vec![Property::new(
                "Speed_4_8A1B",
                PropertyType::Double,
                PropertyFlags::EDIT,
            )],
            is_complete: true,
            native_size: Some(16),
            native_parts: NativeParts {
                make: Some(ObjectPath::new("/Script/X.Y:Make")),
                break_: Some(ObjectPath::new("/Script/X.Y:Break")),
            },
        },
        Struct {
            path: ObjectPath::new("/Game/T.T"),
            super_struct: None,
            members: Vec::new(),
            is_complete: false,
            native_size: None,
            native_parts: NativeParts::default(),
        },
    ]
}

fn enums() -> Vec<Enum> {
    vec![Enum {
        path: ObjectPath::new("/Game/E.E"),
        form: EnumForm::EnumClass,
        entries: vec![
            EnumEntry {
                name: Name::new("NewEnumerator0"),
                value: Some(-1),
                display_name: Some("Red thing".to_owned()),
                hidden: true,
            },
            EnumEntry {
                name: Name::new("B"),
                value: None,
                display_name: None,
                hidden: false,
            },
        ],
    }]
}

/// A package of one function with these bytes.
pub(crate) fn package_of(dialect: Dialect, refs: Interner, script: Vec<u8>) -> Package {
    let mut class = Class::new(
        ObjectPath::new("/Game/BP_Door.BP_Door_C"),
        None,
        ClassKind::Blueprint,
    );
    let function = Function::new("Open", FunctionFlags::empty());
    class.functions = IndexMap::from_iter([(function.name.clone(), function)]);
    Package {
        engine: dialect.engine,
        references: refs.into_tables(),
        classes: vec![CompiledClass {
            class,
            functions: vec![CompiledFunction {
                script,
                ..CompiledFunction::default()
            }],
            defaults: Vec::new(),
            components: Vec::new(),
            timelines: Vec::new(),
            bindings: Vec::new(),
            ubergraph: None,
        }],
        structs: Vec::new(),
        enums: Vec::new(),
    }
}
