//! Text forms of values: each form the engine writes, and the way back.

use std::sync::Arc;

use bp_reflect::{
    EngineVersion, Enum, EnumEntry, EnumForm, Name, NativeParts, Property, PropertyFlags,
    PropertyType, Registry, Struct, TextValue, Value, ValueError, declarations,
};

fn registry() -> Registry {
    let mut registry = declarations::embedded(EngineVersion::new(5, 3));
    let entry = |name: &str, value, shown: &str| EnumEntry {
        name: name.into(),
        value: Some(value),
        display_name: Some(shown.to_owned()),
        hidden: false,
    };
    registry.add_enum(Enum {
        path: "/Game/E_Mood.E_Mood".into(),
        form: EnumForm::Byte,
        entries: vec![
            entry("NewEnumerator0", 0, "Calm"),
            entry("NewEnumerator5", 1, "Very Angry"),
        ],
    });
    let members = [
        ("Label_2_AB", "string"),
        ("Tags", "array<name>"),
        ("Mood", "byte:/Game/E_Mood.E_Mood"),
        ("Where", "struct:/Script/CoreUObject.Vector"),
        ("Shown", "text"),
        ("Next", "object:/Script/Engine.Actor"),
        ("Kind", "soft_class:/Script/Engine.Actor"),
        ("Prices", "map<string,double>"),
        ("More", "array<struct:/Game/S_Item.S_Item>"),
        ("On", "bool"),
        ("Big", "uint64"),
    ];
    registry.add_struct(Struct {
        path: "/Game/S_Item.S_Item".into(),
        super_struct: None,
        members: members
            .iter()
            .map(|(name, ty)| {
                let ty = PropertyType::parse(ty).expect("a type");
                Property::new(*name, ty, PropertyFlags::empty())
            })
            .collect(),
        is_complete: true,
        native_size: None,
        native_parts: NativeParts::default(),
    });
    registry
}

fn ty(text: &str) -> PropertyType {
    let mut ty = PropertyType::parse(text).unwrap_or_else(|e| panic!("{e}"));
    ty.map_targets(&mut |target| {
        if !target.as_str().starts_with('/') {
            *target = format!("/Script/{target}").into();
        }
    });
    ty
}

/// Each line: type, text, canonical text. An error is written `! message`.
const FORMS: &[(&str, &str, &str)] = &[
    ("bool", "True", "True"),
    ("bool", "1", "True"),
    ("bool", "false", "False"),
    ("bool", "", "False"),
    ("bool", "maybe", "! `maybe` is not true or false"),
    ("int", "+7", "7"),
    ("int", "-2147483648", "-2147483648"),
    (
        "int",
        "2147483648",
        "! 2147483648 is outside the range of int",
    ),
    ("int", "12.000", "12"),
    ("int", "1.5", "! `1.5` is not a whole number"),
    ("int", "ten", "! `ten` is not a whole number"),
    ("byte", "256", "! 256 is outside the range of byte"),
    ("int8", "-128", "-128"),
    ("uint16", "-1", "! -1 is outside the range of uint16"),
    ("int64", "9223372036854775807", "9223372036854775807"),
    ("uint64", "18446744073709551615", "18446744073709551615"),
    (
        "uint64",
        "99999999999999999999999999999999999999999999",
        "! 99999999999999999999999999999999999999999999 is outside the range of uint64",
    ),
    ("float", "1.5f", "1.500000"),
    ("float", "+.5", "0.500000"),
    (
        "double",
        "-1.7976931348623157e+308",
        "-1.7976931348623157e308",
    ),
    ("double", "1e-7", "1e-7"),
    ("double", "", "0.000000"),
    ("double", "1,5", "! `1,5` is not a number"),
    ("double", "infinite", "! `infinite` is not a number"),
    ("name", "", "None"),
    ("name", "Head_01", "Head_01"),
    ("name", "\"a b\"", "a b"),
    ("string", "say \"hi\"\\n", "say \"hi\"\\n"),
    ("text", "", ""),
    ("text", "Hello", "INVTEXT(\"Hello\")"),
    ("text", "\"a\\nb\"", "INVTEXT(\"a\\nb\")"),
    (
        "text",
        "NSLOCTEXT(\"n\", \"k\", \"it\\'s \\\"x\\\"\")",
        "NSLOCTEXT(\"n\", \"k\", \"it\\'s \\\"x\\\"\")",
    ),
    (
        "text",
        "LOCTEXT(\"k\",\"s\")",
        "NSLOCTEXT(\"\", \"k\", \"s\")",
    ),
    (
        "text",
        "LOCTABLE(\"/Game/T.T\", \"k\")",
        "LOCTABLE(\"/Game/T.T\", \"k\")",
    ),
    (
        "text",
        "INVTEXT(\"a",
        "! `INVTEXT(\"a` is not a text such as NSLOCTEXT(\"namespace\", \"key\", \"source\")",
    ),
    (
        "text",
        "LOCGEN_TOUPPER(INVTEXT(\"a\"))",
        "! a value of type generated text cannot be written as text",
    ),
    (
        "byte:/Game/E_Mood.E_Mood",
        "NewEnumerator5",
        "NewEnumerator5",
    ),
    (
        "byte:/Game/E_Mood.E_Mood",
        "E_Mood::NewEnumerator0",
        "NewEnumerator0",
    ),
    ("byte:/Game/E_Mood.E_Mood", "very angry", "NewEnumerator5"),
    ("byte:/Game/E_Mood.E_Mood", "1", "NewEnumerator5"),
    ("byte:/Game/E_Mood.E_Mood", "9", "9"),
    (
        "byte:/Game/E_Mood.E_Mood",
        "Sad",
        "! E_Mood has no entry `Sad`",
    ),
    ("byte:Engine.ECollisionChannel", "ECC_Pawn", "ECC_Pawn"),
    ("object:Engine.Actor", "None", "None"),
    (
        "object:Engine.Texture2D",
        "Texture2D'\"/Game/T.T\"'",
        "/Game/T.T",
    ),
    (
        "object:Engine.Texture2D",
        "/Script/Engine.Texture2D'/Game/T.T'",
        "/Game/T.T",
    ),
    ("object:Engine.Texture2D", "\"/Game/T.T\"", "/Game/T.T"),
    (
        "object:Engine.Texture2D",
        "\"Texture2D'/Game/T.T'\"",
        "/Game/T.T",
    ),
    (
        "object:Engine.Texture2D",
        "Texture2D'/Game/T.T",
        "! `Texture2D'/Game/T.T` is not a path in closed quotes",
    ),
    ("class:Engine.Actor", "Pawn", "/Script/Engine.Pawn"),
    (
        "class:Engine.Actor",
        "Class'/Script/Engine.Pawn'",
        "/Script/Engine.Pawn",
    ),
    ("soft_object:Engine.Texture2D", "/Game/T.T", "/Game/T.T"),
    ("soft_class:Engine.Actor", "None", ""),
    ("struct:CoreUObject.Vector", "", "()"),
    (
        "struct:CoreUObject.Vector",
        "1, 2.5,-3",
        "(X=1.000000,Y=2.500000,Z=-3.000000)",
    ),
    (
        "struct:CoreUObject.Vector",
        "( x = 1 , Z=3, )",
        "(X=1.000000,Z=3.000000)",
    ),
    (
        "struct:CoreUObject.Vector",
        "(W=1)",
        "! Vector has no member `W`",
    ),
    (
        "struct:CoreUObject.Vector",
        "1,2",
        "! `1,2` is not a struct such as (X=1,Y=2)",
    ),
    (
        "struct:CoreUObject.Vector",
        "((X=1)",
        "! `((X=1)` is not balanced in its parentheses",
    ),
    (
        "struct:CoreUObject.Rotator",
        "15.0,30.0,45.0",
        "(Pitch=15.000000,Yaw=30.000000,Roll=45.000000)",
    ),
    (
        "struct:CoreUObject.Rotator",
        "P=1 Y=2 R=3.5",
        "(Pitch=1.000000,Yaw=2.000000,Roll=3.500000)",
    ),
    ("struct:CoreUObject.Color", "1,2,3,4", "(R=1,G=2,B=3,A=4)"),
    (
        "struct:CoreUObject.LinearColor",
        "(R=0.5,A=1.0)",
        "(R=0.500000,A=1.000000)",
    ),
    (
        "struct:CoreUObject.Transform",
        "1,2,3|0,0,0|1,1,1",
        "(Rotation=(X=0.000000,Y=-0.000000,Z=0.000000,W=1.000000),Translation=(X=1.000000,Y=2.000000,Z=3.000000),Scale3D=(X=1.000000,Y=1.000000,Z=1.000000))",
    ),
    (
        "struct:CoreUObject.Guid",
        "0000000A-0000-000B-FFFF-FFFF00000000",
        "(A=10,B=11,C=-1,D=0)",
    ),
    (
        "struct:InputCore.Key",
        "LeftMouseButton",
        "(KeyName=\"LeftMouseButton\")",
    ),
    (
        "struct:GameplayTags.GameplayTag",
        "(TagName=\"A.B\")",
        "(TagName=\"A.B\")",
    ),
    (
        "struct:GameplayTags.GameplayTag",
        "A.B",
        "(TagName=\"A.B\")",
    ),
    ("struct:Engine.LatentActionInfo", "LatentInfo", "()"),
    (
        "struct:Engine.LatentActionInfo",
        "(Linkage=-1,UUID=-1,ExecutionFunction=\"\",CallbackTarget=None)",
        "(Linkage=-1,UUID=-1,ExecutionFunction=\"None\",CallbackTarget=None)",
    ),
    (
        "struct:/Game/S_Item.S_Item",
        "(Tags=(\"a\",b,\"c,d\"),Mood=Calm,Next=Actor'\"/Game/A.A:B(1)\"',Shown=\"\",Prices=((\"x\",1),(\"y\",2)))",
        "(Tags=(\"a\",\"b\",\"c,d\"),Mood=NewEnumerator0,Next=\"/Game/A.A:B(1)\",Shown=\"\",Prices=((\"x\",1.000000),(\"y\",2.000000)))",
    ),
    (
        "struct:/Game/S_Unknown.S_Unknown",
        "(A=1,B=\"x\",C=(D=ECC_Pawn,E=Class'/Script/A.B'),F=(1.5,True))",
        "(A=1,B=\"x\",C=(D=ECC_Pawn,E=Object'\"/Script/A.B\"'),F=(1.500000,True))",
    ),
    ("array<int>", "(1,2,3)", "(1,2,3)"),
    ("array<int>", "()", "()"),
    ("array<int>", "1,2", "! `1,2` is not a list such as (a,b)"),
    (
        "array<struct:CoreUObject.Vector2D>",
        "((X=1,Y=2),(X=3))",
        "((X=1.000000,Y=2.000000),(X=3.000000))",
    ),
    ("set<name>", "(\"a\",None)", "(\"a\",\"None\")"),
    ("map<name,int>", "((a,1),(b,2))", "((\"a\",1),(\"b\",2))"),
    (
        "map<name,int>",
        "((a,1,2))",
        "! `(a,1,2)` is not a map such as ((key,value),(key,value))",
    ),
    ("delegate", "()", ""),
    (
        "multicast_delegate",
        "X.Y",
        "! a value of type multicast_delegate cannot be written as text",
    ),
];

#[test]
fn every_form_reads_and_is_written_canonically() {
    let registry = registry();
    for &(type_text, text, expected) in FORMS {
        let ty = ty(type_text);
        let shown = match Value::parse(text, &ty, &registry) {
            Ok(value) => {
                let shown = value.to_text(&ty, &registry);
                let again = Value::parse(&shown, &ty, &registry);
                assert_eq!(again.as_ref(), Ok(&value), "{type_text} {shown}");
                shown
            }
            Err(error) => format!("! {error}"),
        };
        assert_eq!(shown, expected, "{type_text} {text}");
    }
}

#[test]
fn the_empty_text_is_the_zero_of_every_type() {
    let registry = registry();
    for (type_text, _, _) in FORMS {
        let ty = ty(type_text);
        let zero = Value::zero(&ty, &registry);
        assert_eq!(Value::parse("", &ty, &registry), Ok(zero.clone()));
        let text = zero.to_text(&ty, &registry);
        assert_eq!(Value::parse(&text, &ty, &registry), Ok(zero), "{type_text}");
    }
}

#[test]
fn a_rotation_in_a_transform_becomes_a_quaternion() {
    let registry = registry();
    let ty = ty("struct:CoreUObject.Transform");
    let value = Value::parse("0,0,0|0,90,0|1,1,1", &ty, &registry).expect("a transform");
    let Value::Struct(members) = value else {
        panic!("{value}");
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let expected = [("X", 0.0), ("Y", 0.0), ("Z", half), ("W", half)];
    let Value::Struct(rotation) = &members[0].1 else {
        panic!("{}", members[0].1);
    };
    for ((name, part), (expected_name, number)) in rotation.iter().zip(expected) {
        assert_eq!(*name, expected_name);
        let Value::Real(part) = part else {
            panic!("{part}");
        };
        assert!((part - number).abs() < 1e-12, "{name} {part}");
    }
}

#[test]
fn errors_carry_what_a_suggestion_needs() {
    let registry = registry();
    let mood = ty("byte:/Game/E_Mood.E_Mood");
    let Err(ValueError::NoEntry { entries, .. }) = Value::parse("NewEnum", &mood, &registry) else {
        panic!("expected an error");
    };
    assert_eq!(entries, ["NewEnumerator0", "NewEnumerator5"]);
    let vector = ty("struct:CoreUObject.Vector");
    let Err(ValueError::NoMember { members, .. }) = Value::parse("(x1=1)", &vector, &registry)
    else {
        panic!("expected an error");
    };
    assert_eq!(members, ["X", "Y", "Z"]);
}

#[test]
fn nesting_without_end_is_an_error() {
    let registry = registry();
    for open in ["(", "(A=", "((", "(More=(", "(\"", "('"] {
        let text = open.repeat(50_000) + &")".repeat(50_000);
        for ty in [
            "struct:/Game/S_Item.S_Item",
            "struct:/Game/U.U",
            "array<int>",
        ]
        .map(ty)
        {
            let _ = Value::parse(&text, &ty, &registry);
        }
    }
    let text = "(More=(".repeat(40) + &"))".repeat(40);
    let deep = Value::parse(&text, &ty("struct:/Game/S_Item.S_Item"), &registry);
    assert!(matches!(deep, Err(ValueError::TooDeep(_))), "{deep:?}");
    let text = "(A=".repeat(100) + &")".repeat(100);
    let deep = Value::parse(&text, &ty("struct:/Game/U.U"), &registry);
    assert!(matches!(deep, Err(ValueError::TooDeep(_))), "{deep:?}");
}

/// A small generator of the xorshift kind; the seed is the test's input.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn text(&mut self, alphabet: &[char]) -> String {
        let n = self.below(9);
        (0..n)
            .map(|_| alphabet[self.below(alphabet.len())])
            .collect()
    }
}

const ANY: &[char] = &[
    'a', 'N', '0', '7', 'x', 'u', 'n', ' ', ',', '(', ')', '=', '"', '\'', '\\', '\n', '\t', 'é',
    '日', '|', '.', '/', '-', '+',
];
const WORD: &[char] = &['a', 'B', 'z', '_', '0', '9', '.', ' ', 'é'];

fn random_value(ty: &PropertyType, registry: &Registry, random: &mut Random, depth: u32) -> Value {
    use PropertyType as P;
    let zero = Value::zero(ty, registry);
    let n = if depth > 3 { 0 } else { random.below(4) };
    let mut whole = |min: i64, max: i64| {
        let edges = [min, max, 0, 1];
        match random.below(6) {
            i @ 0..=3 => Value::Int(edges[i].clamp(min, max)),
            _ => Value::Int((random.next() as i64).clamp(min, max)),
        }
    };
    match ty {
        P::Bool => Value::Bool(random.below(2) == 1),
        P::Byte(_) | P::Enum(_) => whole(0, 255),
        P::Int8 => whole(-128, 127),
        P::Int16 => whole(i16::MIN.into(), i16::MAX.into()),
        P::UInt16 => whole(0, u16::MAX.into()),
        P::Int => whole(i32::MIN.into(), i32::MAX.into()),
        P::UInt32 => whole(0, u32::MAX.into()),
        P::Int64 => whole(i64::MIN, i64::MAX),
        P::UInt64 => match random.next() {
            big if big > i64::MAX as u64 => Value::UInt(big),
            small => Value::Int(small as i64),
        },
        P::Float | P::Double => match f64::from_bits(random.next()) {
            number if number.is_nan() => Value::Real(f64::INFINITY),
            number if random.below(2) == 0 => Value::Real(number),
            _ => Value::Real(random.below(2000) as f64 / 16.0 - 50.0),
        },
        P::Name => Value::Name(Name::new(random.text(WORD))),
        P::Str => Value::Str(random.text(ANY).into()),
        P::Text => {
            let mut part = || Arc::<str>::from(random.text(ANY));
            Value::Text(match part() {
                ref text if text.is_empty() => TextValue::Empty,
                text if text.len() < 3 => TextValue::StringTable {
                    table: text,
                    key: part(),
                },
                text if text.len() < 6 => TextValue::Invariant(text),
                text => TextValue::Localized {
                    namespace: text,
                    key: part(),
                    source: part(),
                },
            })
        }
        P::Object(_) | P::WeakObject(_) | P::Class(_) | P::Interface(_) => match random.below(3) {
            0 => Value::Object(None),
            _ => Value::Object(Some(format!("/Game/{}.A:b", random.text(WORD)).into())),
        },
        P::SoftObject(_) | P::SoftClass(_) | P::FieldPath if n > 0 => {
            Value::Str(format!("/Game/{}.A", random.text(WORD)).into())
        }
        P::Struct(path) => {
            let members = &registry.structure(path).expect("declared").members;
            let mut values = Vec::new();
            for member in members {
                if random.below(2) == 0 && depth < 4 {
                    let value = random_value(&member.ty, registry, random, depth + 1);
                    values.push((member.name.clone(), value));
                }
            }
            Value::Struct(values)
        }
        P::Array(inner) | P::Set(inner) => {
            let items = (0..n).map(|_| random_value(inner, registry, random, depth + 1));
            Value::List(items.collect())
        }
        P::Map(pair) => {
            let mut item = |ty| random_value(ty, registry, random, depth + 1);
            Value::Map((0..n).map(|_| (item(&pair.0), item(&pair.1))).collect())
        }
        P::SoftObject(_)
        | P::SoftClass(_)
        | P::FieldPath
        | P::Delegate(_)
        | P::MulticastDelegate(_)
        | P::Wildcard => zero,
    }
}

const TYPES: &[&str] = &[
    "bool",
    "byte",
    "byte:/Game/E_Mood.E_Mood",
    "byte:Engine.ECollisionChannel",
    "int8",
    "int16",
    "uint16",
    "int",
    "uint32",
    "int64",
    "uint64",
    "float",
    "double",
    "name",
    "string",
    "text",
    "object:Engine.Actor",
    "weak_object:Engine.Actor",
    "class:Engine.Actor",
    "interface:Engine.Actor",
    "soft_object:Engine.Actor",
    "soft_class:Engine.Actor",
    "field_path",
    "struct:CoreUObject.Transform",
    "struct:CoreUObject.Color",
    "struct:InputCore.Key",
    "struct:Engine.LatentActionInfo",
    "struct:/Game/S_Item.S_Item",
    "array<string>",
    "array<text>",
    "array<struct:/Game/S_Item.S_Item>",
    "set<int>",
    "set<name>",
    "map<name,string>",
    "map<struct:CoreUObject.Guid,double>",
    "delegate",
    "multicast_delegate",
];

#[test]
fn random_values_survive_the_way_to_text_and_back() {
    let registry = registry();
    let mut random = Random(0x5eed_0001);
    for type_text in TYPES {
        let ty = ty(type_text);
        for _ in 0..300 {
            let value = random_value(&ty, &registry, &mut random, 0);
            let text = value.to_text(&ty, &registry);
            let again = Value::parse(&text, &ty, &registry);
            assert_eq!(again.as_ref(), Ok(&value), "{type_text} {text}");
        }
    }
}

#[test]
fn damaged_texts_read_or_fail_but_never_panic() {
    let registry = registry();
    let mut random = Random(0x5eed_0002);
    for type_text in TYPES {
        let ty = ty(type_text);
        for _ in 0..300 {
            let value = random_value(&ty, &registry, &mut random, 0);
            let mut text: Vec<char> = value.to_text(&ty, &registry).chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(text.len() + 1);
                match random.below(3) {
                    0 if at < text.len() => {
                        text.remove(at);
                    }
                    1 if at < text.len() => text[at] = ANY[random.below(ANY.len())],
                    _ => text.insert(at, ANY[random.below(ANY.len())]),
                }
            }
            let text: String = text.into_iter().collect();
            let unknown = self::ty("struct:/Game/U.U");
            for ty in [&ty, &unknown, &self::ty("int"), &self::ty("text")] {
                if let Ok(value) = Value::parse(&text, ty, &registry) {
                    let _ = (value.to_text(ty, &registry), value.to_string());
                }
            }
        }
    }
}
