//! What an engine version changes in the bytes: opcodes, cast kinds, text kinds, widths of numbers and of
//! property references.

use bp_bytecode::asm::{PrintOptions, parse, print};
use bp_bytecode::encode::{StoredProperty, encode_script};
use bp_bytecode::{
    DecodeError, Dialect, DiskForm, Layout, Opcode, PropertyRef, ReferenceSink, decode_script,
};
use bp_reflect::{EngineVersion, Name, ObjectPath};

/// The bytes in memory of one statement, or why there are none.
fn bytes(engine: &str, statement: &str) -> Result<Vec<u8>, String> {
    let text = format!(
        "package {engine}\nclass /Game/A.A_C\n  function F\n    local V int\n  code\n    {statement}\n  end\nend\n"
    );
    let assembly = parse(&text).map_err(|errors| errors[0].message.clone())?;
    // Whatever is assembled is shown and assembled again.
    let shown = print(&assembly.package, PrintOptions::default());
    let again = parse(&shown).map_err(|errors| errors[0].message.clone())?;
    let script = assembly.package.classes[0].functions[0].script.clone();
    assert_eq!(again.package.classes[0].functions[0].script, script);
    Ok(script)
}

fn dialect(major: u8, minor: u8) -> Dialect {
    Dialect::new(EngineVersion::new(major, minor))
}

fn decoded(bytes: &[u8], dialect: Dialect) -> Result<(), DecodeError> {
    let tables = bp_bytecode::ReferenceTables::default();
    match decode_script(bytes, dialect, Layout::Memory, &tables) {
        Ok(_) => Ok(()),
        Err(failure) => Err(failure.reason),
    }
}

#[test]
fn texts_are_numbered_anew_in_5_8() {
    let literal = "StringConst(\"a\")";
    let cases = [
        ("empty".to_owned(), Some(0), 0),
        (
            format!("localized, {literal}, {literal}, {literal}"),
            Some(1),
            1,
        ),
        (
            format!("localized_with_notes, {literal}, {literal}, {literal}, {literal}"),
            None,
            2,
        ),
        (format!("invariant, {literal}"), Some(2), 3),
        (format!("literal, {literal}"), Some(3), 4),
        (format!("table, null, {literal}, {literal}"), Some(4), 5),
    ];
    for (text, before, since) in cases {
        let statement = format!("Return(TextConst({text}))");
        for engine in ["4.27", "5.0", "5.7"] {
            let found = bytes(engine, &statement);
            if let Some(kind) = before {
                assert_eq!(found.expect("it exists")[1..3], [0x29, kind], "{text}");
            } else {
                let error = found.expect_err("no notes before 5.8");
                assert!(error.contains("since 5.8"), "{error}");
            }
        }
        let newest = bytes("5.8", &statement).expect("all kinds exist");
        assert_eq!(newest[1..3], [0x29, since], "{text}");
    }
    // One number above those that exist.
    assert_eq!(
        decoded(&[0x04, 0x29, 5], dialect(5, 7)),
        Err(DecodeError::TextKind(5))
    );
    assert_eq!(
        decoded(&[0x04, 0x29, 6], dialect(5, 8)),
        Err(DecodeError::TextKind(6))
    );
}

#[test]
fn cast_kinds_have_the_bytes_of_their_version() {
    let cast = |engine: &str, kind: &str| {
        bytes(engine, &format!("Return(Cast({kind}, Self))")).map(|bytes| bytes[2])
    };
    for (engine, kinds) in [
        ("4.16", [Some(0x46), Some(0x47), Some(0x49), None, None]),
        ("4.27", [Some(0x46), Some(0x47), Some(0x49), None, None]),
        (
            "5.0",
            [Some(0x00), Some(0x01), Some(0x02), Some(0x03), Some(0x06)],
        ),
        (
            "5.1",
            [Some(0x00), Some(0x01), Some(0x02), Some(0x03), Some(0x04)],
        ),
        (
            "5.8",
            [Some(0x00), Some(0x01), Some(0x02), Some(0x03), Some(0x04)],
        ),
    ] {
        let names = [
            "ObjectToInterface",
            "ObjectToBool",
            "InterfaceToBool",
            "DoubleToFloat",
            "FloatToDouble",
        ];
        for (name, byte) in names.into_iter().zip(kinds) {
            assert_eq!(cast(engine, name).ok(), byte, "{engine} {name}");
        }
        // A byte without a name stays a byte.
        assert_eq!(cast(engine, "200"), Ok(200));
    }
}

#[test]
fn reals_are_doubles_since_5_0() {
    for (statement, before, since) in [
        ("Return(VectorConst(1.0, 2.0, 3.0))", 13, 25),
        ("Return(RotationConst(1.0, 2.0, 3.0))", 13, 25),
        (
            "Return(TransformConst(0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 1.0, 1.0, 1.0))",
            41,
            81,
        ),
    ] {
        for (engine, size) in [
            ("4.16", before),
            ("4.27", before),
            ("5.0", since),
            ("5.6", since),
        ] {
            let found = bytes(engine, statement).expect("it exists").len();
            assert_eq!(found, 1 + size, "{engine} {statement}");
        }
    }
}

/// Versions of `facts/opcodes.md`, where it is more than "UE4"; of a range, the first version.
const SINCE: [(&str, u8, u8); 20] = [
    ("NothingInt32", 5, 0),
    ("BitFieldConst", 5, 0),
    ("PropertyConst", 4, 25),
    ("DoubleConst", 5, 0),
    ("SetSet", 4, 15),
    ("EndSet", 4, 15),
    ("SetMap", 4, 15),
    ("EndMap", 4, 15),
    ("SetConst", 4, 16),
    ("EndSetConst", 4, 16),
    ("MapConst", 4, 16),
    ("EndMapConst", 4, 16),
    ("Vector3fConst", 5, 0),
    ("LocalVirtualFunction", 4, 19),
    ("LocalFinalFunction", 4, 19),
    ("ClassSparseDataVariable", 4, 24),
    ("FieldPathConst", 4, 25),
    ("AutoRtfmTransact", 5, 3),
    ("AutoRtfmStopTransact", 5, 3),
    ("AutoRtfmAbortIfNot", 5, 3),
];

#[test]
fn an_opcode_is_refused_before_its_version() {
    for op in Opcode::ALL {
        let name = op.name().trim_start_matches("EX_");
        let listed = SINCE.iter().find(|(listed, ..)| *listed == name);
        let since = listed.map_or(EngineVersion::new(4, 0), |(_, major, minor)| {
            EngineVersion::new(*major, *minor)
        });
        if name == "AutoRtfmAbort" {
            assert_eq!(op.row().since, EngineVersion::new(5, 6));
            continue;
        }
        assert_eq!(op.row().since, since, "{name}");
        if since.minor > 0 && listed.is_some() {
            let before = dialect(since.major, since.minor - 1);
            assert!(matches!(
                decoded(&[op.byte()], before),
                Err(DecodeError::NotInDialect { .. })
            ));
        }
    }
    assert!(matches!(
        decoded(&[0x46], dialect(4, 18)),
        Err(DecodeError::NotInDialect { .. })
    ));
}

#[test]
fn bytes_that_no_engine_has_are_shown_with_their_surroundings() {
    let script = [0x5E, 0x5A, 0x6E, 0x53];
    let tables = bp_bytecode::ReferenceTables::default();
    let failure = decode_script(&script, dialect(5, 3), Layout::Memory, &tables)
        .expect_err("0x6E is a game's own");
    assert_eq!(failure.statements.len(), 2);
    assert_eq!(
        failure.to_string(),
        "at 0x2 (byte 2): 0x6E is no opcode of the engine (some games add one of this byte), in `5E 5A [6E] 53`"
    );
    for byte in 0..=u8::MAX {
        let is_known = Opcode::from_byte(byte).is_some();
        let found = decoded(&[byte], dialect(5, 8));
        assert_eq!(
            matches!(found, Err(DecodeError::UnknownOpcode { .. })),
            !is_known,
            "0x{byte:02X}"
        );
    }
}

/// Everything has number 1.
struct Ones {
    form: DiskForm,
}

impl ReferenceSink for Ones {
    fn name(&mut self, _name: &Name) -> Option<(u32, u32)> {
        Some((1, 0))
    }

    fn object(&mut self, _object: &ObjectPath) -> Option<i64> {
        Some(1)
    }

    fn property(&mut self, property: &PropertyRef) -> Option<StoredProperty<'static>> {
        Some(match self.form {
            DiskForm::PackageIndex => StoredProperty::Index(1),
            DiskForm::FieldPath { has_owner } => StoredProperty::Path {
                names: vec![(1, 0); property.path.len()].into(),
                owner: has_owner.then_some(1),
            },
        })
    }
}

#[test]
fn property_references_have_the_width_of_their_form() {
    let text = "package 4.27\nclass /Game/A.A_C\n  function F\n    local V int\n  code\n    Return(LocalVariable(V))\n    Return(LocalVariable(null))\n  end\nend\n";
    let package = parse(text).expect("it is right").package;
    let script = decode_script(
        &package.classes[0].functions[0].script,
        package.dialect(),
        Layout::Memory,
        &package.references,
    )
    .expect("it was assembled");
    for (form, sizes) in [
        (DiskForm::PackageIndex, [4, 4]),
        (DiskForm::FieldPath { has_owner: true }, [16, 8]),
        (DiskForm::FieldPath { has_owner: false }, [12, 4]),
    ] {
        let layout = Layout::Disk(form);
        let mut ones = Ones { form };
        let encoded = encode_script(&script.statements, package.dialect(), layout, &mut ones)
            .expect("it can be encoded");
        assert_eq!(encoded.bytes.len(), 2 + sizes[0] + 2 + sizes[1], "{form:?}");
        assert_eq!(encoded.memory_size, 20, "{form:?}");
    }
}
