//! Values of library functions, worked out by hand from what the functions are documented to do.

use std::fmt::Write as _;

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{Name, declarations};
use bp_vm::{Limits, Natives, Recorder, World};
use pretty_assertions::assert_eq;

/// A call of a function of a library of module `Engine`, in assembly.
fn call(function: &str, arguments: &[&str]) -> String {
    let (library, function) = function
        .split_once('.')
        .unwrap_or(("KismetMathLibrary", function));
    let arguments: Vec<String> = arguments.iter().map(|text| format!(", {text}")).collect();
    format!(
        "CallMath(/Script/Engine.{library}:{function}{})",
        arguments.concat()
    )
}

fn vector(x: f64, y: f64, z: f64) -> String {
    format!("VectorConst({x:?}, {y:?}, {z:?})")
}

fn vector4(x: f64, y: f64, z: f64, w: f64) -> String {
    call("MakeVector4", &[&real(x), &real(y), &real(z), &real(w)])
}

fn real(x: f64) -> String {
    format!("DoubleConst({x:?})")
}

fn point(x: i32, y: i32) -> String {
    format!("StructConst(/Script/CoreUObject.IntPoint, 8, IntConst({x}), IntConst({y}))")
}

/// The variable of a row, as a place for outputs.
fn variable(row: usize) -> String {
    format!("InstanceVariable(R{row}@self)")
}

/// Values of expressions: each is assigned to a variable of its type.
#[derive(Default)]
struct Sheet {
    rows: Vec<(String, String)>,
}

impl Sheet {
    fn add(&mut self, ty: &str, expression: String) -> &mut Self {
        self.rows.push((ty.to_owned(), expression));
        self
    }

    fn values(&self) -> Vec<String> {
        let mut text =
            "package 5.3\nclass /Game/BP_T.BP_T_C : /Script/Engine.Actor\n  kind blueprint\n"
                .to_owned();
        for (idx, (ty, _)) in self.rows.iter().enumerate() {
            let _ = writeln!(text, "  property R{idx} {ty}");
        }
        text += "  function Main flags public|blueprint_callable\n  code\n";
        for (idx, (ty, expression)) in self.rows.iter().enumerate() {
            let op = if ty == "bool" {
                "LetBool("
            } else {
                &format!("Let(R{idx}@self, ")
            };
            if let Some(statement) = expression.strip_prefix('!') {
                let _ = writeln!(text, "    {statement}");
            } else if !expression.is_empty() {
                let _ = writeln!(text, "    {op}InstanceVariable(R{idx}@self), {expression})");
            }
        }
        text += "    Return(Nothing)\n    EndOfScript\n  end\nend\n";
        let package = asm::parse(&text)
            .unwrap_or_else(|error| panic!("{error:?}\n{text}"))
            .package;
        let class = package.classes[0].class.path.clone();
        let registry = declarations::embedded(package.engine);
        let package =
            verify(package, &registry).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
        let host = Box::new(Recorder::new());
        let natives = Natives::standard();
        let mut world = World::new(vec![package], registry, natives, host, Limits::default())
            .expect("it can be loaded");
        let object = world.spawn(&class).expect("it can be spawned");
        world
            .call(object, &Name::new("Main"), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let values = world.variables(object);
        values.into_iter().map(|(_, value)| value).collect()
    }
}

const POINT: &str = "struct:/Script/CoreUObject.IntPoint";
const VECTOR: &str = "struct:/Script/CoreUObject.Vector";
const VECTOR4: &str = "struct:/Script/CoreUObject.Vector4";
const BOX: &str = "struct:/Script/CoreUObject.Box";
const MATRIX: &str = "struct:/Script/CoreUObject.Matrix";
const COLOR: &str = "struct:/Script/CoreUObject.LinearColor";

#[test]
fn points_of_integers() {
    let mut sheet = Sheet::default();
    sheet
        .add(
            POINT,
            call("Add_IntPointInt", &[&point(1, 2), "IntConst(10)"]),
        )
        .add(
            POINT,
            call("Divide_IntPointIntPoint", &[&point(7, -7), &point(2, 2)]),
        )
        .add(
            POINT,
            call("Divide_IntPointInt", &[&point(7, -7), "IntConst(0)"]),
        )
        .add(POINT, call("IntPoint_Up", &[]))
        .add(
            POINT,
            call("Convert1DTo2D", &["IntConst(7)", "IntConst(3)"]),
        )
        .add("int", call("Convert2DTo1D", &[&point(1, 2), "IntConst(3)"]))
        .add(
            "struct:/Script/CoreUObject.IntVector",
            call(
                "Convert1DTo3D",
                &["IntConst(23)", "IntConst(3)", "IntConst(4)"],
            ),
        )
        .add(
            "string",
            call(
                "KismetStringLibrary.Conv_IntPointToString",
                &[&point(3, -4)],
            ),
        );
    assert_eq!(
        sheet.values(),
        [
            "(X=11, Y=12)",
            "(X=3, Y=-3)",
            "(X=0, Y=0)",
            "(X=0, Y=-1)",
            "(X=1, Y=2)",
            "7",
            // 23 = 2 + 3 * (3 + 4 * 1)
            "(X=2, Y=3, Z=1)",
            "X=3 Y=-4",
        ]
    );
}

#[test]
fn boxes_and_planes() {
    let mut sheet = Sheet::default();
    let unit = call(
        "MakeBoxWithOrigin",
        &[&vector(0.0, 0.0, 0.0), &vector(1.0, 1.0, 1.0)],
    );
    let right = call("MakeBox", &[&vector(0.0, 0.0, 0.0), &vector(4.0, 2.0, 2.0)]);
    sheet
        .add(BOX, call("Box_Overlap", &[&unit, &right]))
        .add("double", call("GetBoxVolume", &[&right]))
        .add(
            VECTOR,
            call("Box_GetClosestPointTo", &[&unit, &vector(3.0, 0.5, -9.0)]),
        )
        // On the face: not inside.
        .add(
            "bool",
            call("Box_IsPointInside", &[&unit, &vector(1.0, 0.0, 0.0)]),
        )
        .add("bool", call("Box_Intersects", &[&unit, &right]))
        .add(VECTOR, String::new())
        .add("float", String::new());
    let plane = call(
        "MakePlaneFromPointAndNormal",
        &[&vector(0.0, 0.0, 2.0), &vector(0.0, 0.0, 1.0)],
    );
    let (at, t) = (variable(5), variable(6));
    sheet
        .add(
            "bool",
            call(
                "LinePlaneIntersection",
                &[
                    &vector(1.0, 1.0, 0.0),
                    &vector(1.0, 1.0, 8.0),
                    &plane,
                    &t,
                    &at,
                ],
            ),
        )
        .add(
            VECTOR,
            call("Vector_MirrorByPlane", &[&vector(1.0, 2.0, 5.0), &plane]),
        );
    assert_eq!(
        sheet.values(),
        [
            "(Min=(X=0.0, Y=0.0, Z=0.0), Max=(X=1.0, Y=1.0, Z=1.0), IsValid=true)",
            "16.0",
            "(X=1.0, Y=0.5, Z=-1.0)",
            "false",
            "true",
            "(X=1.0, Y=1.0, Z=2.0)",
            "0.25",
            "true",
            // 3 above the plane at 2, so 3 below it.
            "(X=1.0, Y=2.0, Z=-1.0)",
        ]
    );
}

#[test]
fn matrices_multiply_rows_from_the_left() {
    let mut sheet = Sheet::default();
    // Turned by 90 degrees about up, forward becomes right; then moved by 10 forward.
    let turn = call(
        "Conv_TransformToMatrix",
        &[&call(
            "MakeTransform",
            &[
                &vector(0.0, 0.0, 0.0),
                "RotationConst(0.0, 90.0, 0.0)",
                &vector(2.0, 2.0, 2.0),
            ],
        )],
    );
    let shift = call(
        "Matrix_ConcatenateTranslation",
        &[&call("Matrix_Identity", &[]), &vector(10.0, 0.0, 0.0)],
    );
    let both = call("Multiply_MatrixMatrix", &[&turn, &shift]);
    sheet
        .add(MATRIX, call("Matrix_GetTransposed", &[&shift]))
        .add(
            VECTOR4,
            call("Matrix_TransformPosition", &[&both, &vector(1.0, 0.0, 0.0)]),
        )
        .add("float", call("Matrix_GetDeterminant", &[&turn]))
        .add(
            VECTOR,
            call("Matrix_GetScaleVector", &[&turn, "FloatConst(0.0)"]),
        )
        .add(VECTOR, call("Matrix_GetOrigin", &[&both]))
        .add(
            VECTOR,
            call(
                "Matrix_InverseTransformPosition",
                &[&both, &vector(10.0, 2.0, 0.0)],
            ),
        );
    let values = sheet.values();
    assert_eq!(
        values[0],
        "(XPlane=(X=1.0, Y=0.0, Z=0.0, W=10.0), YPlane=(X=0.0, Y=1.0, Z=0.0, W=0.0), \
         ZPlane=(X=0.0, Y=0.0, Z=1.0, W=0.0), WPlane=(X=0.0, Y=0.0, Z=0.0, W=1.0))"
    );
    assert_eq!(
        values[1..],
        [
            "(X=10.0, Y=2.0, Z=0.0, W=1.0)",
            "8.0",
            "(X=2.0, Y=2.0, Z=2.0)",
            "(X=10.0, Y=0.0, Z=0.0)",
            "(X=1.0, Y=0.0, Z=0.0)",
        ]
    );
}

#[test]
fn vectors_of_four() {
    let mut sheet = Sheet::default();
    let (a, b) = (vector4(1.0, 2.0, 2.0, 4.0), vector4(0.0, 1.0, 0.0, 2.0));
    sheet
        .add(VECTOR4, call("Add_Vector4Vector4", &[&a, &b]))
        .add("double", call("Vector4_Size", &[&a]))
        .add("double", call("Vector4_Size3", &[&a]))
        .add("double", call("Vector4_DotProduct", &[&a, &b]))
        .add(VECTOR4, call("Vector4_CrossProduct3", &[&a, &b]))
        .add(VECTOR4, a.clone());
    let place = variable(5);
    sheet.add(
        "int",
        format!(
            "!{}",
            call("Vector4_Normalize3", &[&place, "FloatConst(0.0)"])
        ),
    );
    assert_eq!(
        sheet.values(),
        [
            "(X=1.0, Y=3.0, Z=2.0, W=6.0)",
            "5.0",
            "3.0",
            "10.0",
            // (1, 2, 2) x (0, 1, 0)
            "(X=-2.0, Y=0.0, Z=1.0, W=0.0)",
            "(X=0.333333, Y=0.666667, Z=0.666667, W=4.0)",
            "0",
        ]
    );
}

#[test]
fn colours_of_bytes() {
    let mut sheet = Sheet::default();
    let bytes = |b: u8, g: u8, r: u8, a: u8| {
        format!(
            "StructConst(/Script/CoreUObject.Color, 4, ByteConst({b}), ByteConst({g}), ByteConst({r}), ByteConst({a}))"
        )
    };
    let gray = call(
        "MakeColor",
        &[
            "FloatConst(0.5)",
            "FloatConst(0.0)",
            "FloatConst(1.0)",
            "FloatConst(0.5)",
        ],
    );
    sheet
        .add(
            "struct:/Script/CoreUObject.Color",
            call("Conv_LinearColorToColor", &[&gray, "True"]),
        )
        .add(
            "struct:/Script/CoreUObject.Color",
            call("LinearColor_QuantizeRound", &[&gray]),
        )
        .add(
            COLOR,
            call("Conv_ColorToLinearColor", &[&bytes(255, 0, 188, 255)]),
        )
        .add(
            COLOR,
            call(
                "CInterpTo",
                &[&gray, &gray, "FloatConst(0.1)", "FloatConst(1.0)"],
            ),
        );
    assert_eq!(
        sheet.values(),
        [
            // 0.5 is 0.7354 in sRGB.
            "(B=255, G=0, R=188, A=127)",
            "(B=255, G=0, R=128, A=128)",
            "(R=0.502886, G=0.0, B=1.0, A=1.0)",
            "(R=0.5, G=0.0, B=1.0, A=0.5)",
        ]
    );
}

#[test]
fn arrays_have_extremes_and_a_middle() {
    let mut sheet = Sheet::default();
    sheet.add("array<int>", String::new());
    let list = variable(0);
    sheet.add(
        "int",
        format!("!SetArray({list}, IntConst(4), IntConst(9), IntConst(-1), IntConst(9))"),
    );
    for ty in ["int", "int", "int", "int", "float", "float"] {
        sheet.add(ty, String::new());
    }
    let [a, b, c, d, e, f] = [2, 3, 4, 5, 6, 7].map(variable);
    sheet
        .add(
            "int",
            format!("!{}", call("MaxOfIntArray", &[&list, &a, &b])),
        )
        .add(
            "int",
            format!("!{}", call("MinOfIntArray", &[&list, &c, &d])),
        )
        .add(
            "int",
            format!("!{}", call("AverageOfIntArray", &[&list, &e])),
        )
        .add(
            "int",
            format!("!{}", call("MedianOfIntArray", &[&list, &f])),
        );
    // The first 9 is at 1, the smallest at 2; 21 / 4; between 4 and 9.
    assert_eq!(sheet.values()[2..8], ["1", "9", "2", "-1", "5.25", "6.5"]);
}

#[test]
fn a_hit_is_made_and_taken_apart() {
    let mut sheet = Sheet::default();
    let origin = vector(0.0, 0.0, 0.0);
    let impact = vector(1.0, 2.0, 3.0);
    let hit = call(
        "GameplayStatics.MakeHitResult",
        &[
            "True",
            "False",
            "FloatConst(0.5)",
            "FloatConst(7.0)",
            &origin,
            &impact,
            &origin,
            &origin,
            "NoObject",
            "Self",
            "NoObject",
            "NameConst(Head)",
            "NameConst(Tail)",
            "IntConst(3)",
            "IntConst(4)",
            "IntConst(5)",
            &origin,
            &origin,
        ],
    );
    sheet.add("struct:/Script/Engine.HitResult", hit);
    let types = [
        "bool",
        "bool",
        "float",
        "float",
        VECTOR,
        VECTOR,
        VECTOR,
        VECTOR,
        "object:/Script/PhysicsCore.PhysicalMaterial",
        "object:/Script/Engine.Actor",
        "object:/Script/Engine.PrimitiveComponent",
        "name",
        "name",
        "int",
        "int",
        "int",
        VECTOR,
        VECTOR,
    ];
    for ty in types {
        sheet.add(ty, String::new());
    }
    let outs: Vec<String> = (0..types.len()).map(|idx| variable(idx + 1)).collect();
    let mut arguments = vec![variable(0)];
    arguments.extend(outs);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    sheet.add(
        "int",
        format!("!{}", call("GameplayStatics.BreakHitResult", &arguments)),
    );
    let values = sheet.values();
    assert_eq!(
        values[1..17],
        [
            "true",
            "false",
            "0.5",
            "7.0",
            "(X=0.0, Y=0.0, Z=0.0)",
            "(X=1.0, Y=2.0, Z=3.0)",
            "(X=0.0, Y=0.0, Z=0.0)",
            "(X=0.0, Y=0.0, Z=0.0)",
            "None",
            "BP_T_C_0",
            "None",
            "Head",
            "Tail",
            "3",
            "4",
            "5",
        ]
    );
}

#[test]
fn options_and_times() {
    let mut sheet = Sheet::default();
    let options = r#"StringConst("?Name=Alice?Team=2")"#;
    sheet
        .add(
            "string",
            call(
                "GameplayStatics.ParseOption",
                &[options, r#"StringConst("name")"#],
            ),
        )
        .add(
            "int",
            call(
                "GameplayStatics.GetIntOption",
                &[options, r#"StringConst("Team")"#, "IntConst(9)"],
            ),
        )
        .add(
            "int",
            call(
                "GameplayStatics.GetIntOption",
                &[options, r#"StringConst("Lives")"#, "IntConst(9)"],
            ),
        )
        .add(
            "float",
            call(
                "TimespanRatio",
                &[
                    &call("FromMinutes", &["FloatConst(3.0)"]),
                    &call("FromMinutes", &["FloatConst(2.0)"]),
                ],
            ),
        )
        .add(
            "float",
            call("GameplayStatics.GetGlobalTimeDilation", &["Self"]),
        );
    assert_eq!(sheet.values(), ["Alice", "2", "9", "1.5", "1.0"]);
}

#[test]
fn springs_remember_their_speed_between_steps() {
    // Just damped, w = 2: x(t) = (x0 + (v0 + 2 x0) t) e^-2t from the target 0, where it rests.
    let math = "/Script/Engine.KismetMathLibrary";
    let step = |n: usize, from: &str| {
        format!(
            "Let(X{n}@self, InstanceVariable(X{n}@self), CallMath({math}:FloatSpringInterp, {from}, FloatConst(0), InstanceVariable(State@self), FloatConst(4), FloatConst(1), FloatConst(0.5), FloatConst(1), FloatConst(1), False, FloatConst(-1), FloatConst(1), False))"
        )
    };
    let text = format!(
        "package 5.8
class /Game/BP_T.BP_T_C : /Script/Engine.Actor
  kind blueprint
  property State struct:/Script/Engine.FloatSpringState
  property X0 float
  property X1 float
  property X2 float
  property Time struct:/Script/CoreUObject.QualifiedFrameTime
  property Frame struct:/Script/CoreUObject.FrameNumber
  property Rate struct:/Script/CoreUObject.FrameRate
  property Sub float
  property Hex string
  property At struct:/Script/CoreUObject.DateTime
  property Shown text
  property Good bool
  property Bad bool
  function Run flags public|blueprint_callable
  code
    {}
    {}
    CallMath({math}:ResetFloatSpringState, InstanceVariable(State@self))
    CallMath({math}:SetFloatSpringStateVelocity, InstanceVariable(State@self), FloatConst(2))
    {}
    Let(Frame@self, InstanceVariable(Frame@self), StructConst(/Script/CoreUObject.FrameNumber, 4, IntConst(7)))
    Let(Rate@self, InstanceVariable(Rate@self), CallMath({math}:MakeFrameRate, IntConst(30), IntConst(1)))
    Let(Time@self, InstanceVariable(Time@self), CallMath({math}:MakeQualifiedFrameTime, InstanceVariable(Frame@self), InstanceVariable(Rate@self), FloatConst(0.25)))
    CallMath({math}:BreakQualifiedFrameTime, InstanceVariable(Time@self), InstanceVariable(Frame@self), InstanceVariable(Rate@self), InstanceVariable(Sub@self))
    Let(Hex@self, InstanceVariable(Hex@self), CallMath({math}:ToHex_LinearColor, StructConst(/Script/CoreUObject.LinearColor, 16, FloatConst(1), FloatConst(0), FloatConst(0), FloatConst(0.5))))
    LetBool(InstanceVariable(Good@self), CallMath({math}:DateTimeFromString, StringConst(\"2026.01.31-13.05.09\"), InstanceVariable(At@self)))
    LetBool(InstanceVariable(Bad@self), CallMath({math}:DateTimeFromString, StringConst(\"soon\"), InstanceVariable(At@self)))
    Let(Shown@self, InstanceVariable(Shown@self), CallMath(/Script/Engine.KismetTextLibrary:AsDateTime_DateTime, InstanceVariable(At@self), ByteConst(1), ByteConst(1)))
    Return(Nothing)
    EndOfScript
  end
end
",
        step(0, "FloatConst(1)"),
        step(1, "InstanceVariable(X0@self)"),
        step(2, "FloatConst(1)"),
    );
    let package = asm::parse(&text).expect("the text is assembly").package;
    let class = package.classes[0].class.path.clone();
    let registry = declarations::embedded(package.engine);
    let package = verify(package, &registry).unwrap_or_else(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    });
    let host = Box::new(Recorder::new());
    let mut world = World::new(
        vec![package],
        registry,
        Natives::standard(),
        host,
        Limits::default(),
    )
    .expect("it can be loaded");
    let object = world.spawn(&class).expect("it can be spawned");
    world.call(object, &Name::new("Run"), &[]).expect("it runs");
    let real = |name: &str| match world.variable(object, &Name::new(name)) {
        Some(bp_reflect::Value::Real(value)) => value,
        other => panic!("{other:?}"),
    };
    let solution = |x: f64, v: f64, t: f64| (x + (v + 2.0 * x) * t) * (-2.0 * t).exp();
    for (name, expected) in [
        ("X0", solution(1.0, 0.0, 0.5)),
        ("X1", solution(1.0, 0.0, 1.0)),
        ("X2", solution(1.0, 2.0, 0.5)),
        ("Sub", 0.25),
    ] {
        let found = real(name);
        assert!(
            (found - expected).abs() < 1e-6,
            "{name}: {found}, {expected}"
        );
    }
    let variables = world.variables(object);
    let shown = ["Frame", "Rate", "Hex", "Shown", "Good", "Bad"].map(|name| {
        let found = variables.iter().find(|(known, _)| *known == *name);
        found.expect("it is there").1.clone()
    });
    assert_eq!(
        shown,
        [
            "(Value=7)",
            "(Numerator=30, Denominator=1)",
            "FF00007F",
            "1/31/26, 1:05 PM",
            "true",
            "false"
        ]
    );
}
