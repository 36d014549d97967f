//! Encoder and decoder over every opcode, both layouts, seeded random trees and damaged bytes.

mod common;

use bp_bytecode::encode::{StoredProperty, encode_script};
use bp_bytecode::{
    CodeOffset, DecodeError, Dialect, DiskForm, EncodeError, Expr, Interner, Label, Layout, Opcode,
    Operand, PropertyRef, ReferenceSink, References, ScriptBuilder, Statement, Target,
    decode_script, memory_size,
};
use bp_reflect::{Name, ObjectPath};
use common::{DIALECTS, Rng, random_expr, sample, statements_of};

/// A package's tables as a reader of packages has them, in every disk form.
#[derive(Default)]
struct DiskTables {
    names: Vec<String>,
    objects: Vec<ObjectPath>,
    properties: Vec<PropertyRef>,
    as_paths: bool,
    has_owner: bool,
}

fn position<T: PartialEq + Clone>(list: &mut Vec<T>, item: &T) -> usize {
    list.iter()
        .position(|known| known == item)
        .unwrap_or_else(|| {
            list.push(item.clone());
            list.len() - 1
        })
}

impl ReferenceSink for DiskTables {
    fn name(&mut self, name: &Name) -> Option<(u32, u32)> {
        let index = position(&mut self.names, &name.base().to_owned());
        Some((index as u32, name.number()))
    }

    fn object(&mut self, object: &ObjectPath) -> Option<i64> {
        // Imports, so that the sign is exercised.
        Some(-1 - position(&mut self.objects, object) as i64)
    }

    fn property(&mut self, property: &PropertyRef) -> Option<StoredProperty<'static>> {
        let index = position(&mut self.properties, property);
        if !self.as_paths {
            return Some(StoredProperty::Index(index as i64 + 1));
        }
        // The path names the property twice over, to vary its length.
        let names: Vec<(u32, u32)> = property
            .path
            .iter()
            .map(|name| self.name(name).expect("names are always found"))
            .chain([(index as u32, 0)])
            .collect();
        Some(StoredProperty::Path {
            names: names.into(),
            owner: self.has_owner.then_some(index as i32 + 1),
        })
    }
}

impl References for DiskTables {
    fn name(&self, index: u32, number: u32) -> Option<Name> {
        Some(Name::from_parts(self.names.get(index as usize)?, number))
    }

    fn object(&self, index: i64) -> Option<Option<ObjectPath>> {
        match index {
            0 => Some(None),
            index => Some(Some(
                self.objects.get(usize::try_from(-1 - index).ok()?)?.clone(),
            )),
        }
    }

    fn property(&self, stored: &StoredProperty<'_>) -> Option<Option<PropertyRef>> {
        let index = match stored {
            StoredProperty::Index(0) => return Some(None),
            StoredProperty::Index(index) => usize::try_from(index - 1).ok()?,
            StoredProperty::Path { names, .. } => names.last()?.0 as usize,
        };
        self.properties.get(index).cloned().map(Some)
    }
}

fn check_both_layouts(exprs: &[Expr], dialect: Dialect) {
    let mut refs = Interner::new();
    let mut builder = ScriptBuilder::new(dialect, &mut refs);
    let mut offsets = Vec::new();
    for expr in exprs {
        offsets.push(builder.push(expr));
    }
    let bytes = builder.finish().expect("samples can be encoded");
    let tables = refs.clone().into_tables();
    let script = decode_script(&bytes, dialect, Layout::Memory, &tables)
        .unwrap_or_else(|failure| panic!("{failure}: {exprs:?}"));
    assert_eq!(script.memory_size as usize, bytes.len());
    for ((statement, expr), offset) in script.statements.iter().zip(exprs).zip(&offsets) {
        assert_eq!(statement.expr, *expr);
        assert_eq!(statement.offset, *offset);
    }
    let sizes: u32 = exprs.iter().map(|expr| memory_size(expr, dialect)).sum();
    assert_eq!(sizes, script.memory_size);
    let again = encode_script(&script.statements, dialect, Layout::Memory, &mut refs)
        .expect("a decoded script can be encoded");
    assert_eq!(again.bytes, bytes);

    for form in [
        DiskForm::PackageIndex,
        DiskForm::FieldPath { has_owner: true },
        DiskForm::FieldPath { has_owner: false },
    ] {
        let mut tables = DiskTables {
            as_paths: form != DiskForm::PackageIndex,
            has_owner: form == DiskForm::FieldPath { has_owner: true },
            ..DiskTables::default()
        };
        let layout = Layout::Disk(form);
        let stored = encode_script(&script.statements, dialect, layout, &mut tables)
            .expect("a decoded script can be encoded");
        assert_eq!(stored.memory_size, script.memory_size);
        let read = decode_script(&stored.bytes, dialect, layout, &tables)
            .unwrap_or_else(|failure| panic!("{failure}: {exprs:?}"));
        assert_eq!(read.memory_size, script.memory_size);
        for (read, expected) in read.statements.iter().zip(&script.statements) {
            assert_eq!(read.offset, expected.offset);
            assert_eq!(read.expr, expected.expr);
        }
        let again = encode_script(&read.statements, dialect, layout, &mut tables)
            .expect("a decoded script can be encoded");
        assert_eq!(again.bytes, stored.bytes);
    }
}

#[test]
fn every_opcode_survives_both_layouts() {
    let mut n_cases = 0;
    for dialect in DIALECTS {
        for op in Opcode::ALL {
            for variant in 0..8 {
                let Some(expr) = sample(*op, dialect, variant) else {
                    continue;
                };
                check_both_layouts(&[expr], dialect);
                n_cases += 1;
            }
        }
    }
    assert!(n_cases > 8 * 150, "{n_cases} cases");
}

#[test]
fn random_trees_survive_both_layouts() {
    for dialect in DIALECTS {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let exprs: Vec<Expr> = (0..=rng.below(6))
                .map(|_| random_expr(&mut rng, dialect, 5))
                .collect();
            check_both_layouts(&exprs, dialect);
        }
    }
}

#[test]
fn damaged_bytes_are_refused_or_read_as_something_that_writes_the_same() {
    for dialect in DIALECTS {
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let exprs: Vec<Expr> = (0..3).map(|_| random_expr(&mut rng, dialect, 4)).collect();
            let mut refs = Interner::new();
            let bytes = statements_of(&exprs, dialect, &mut refs);
            let tables = refs.clone().into_tables();
            let check = |bytes: &[u8]| {
                if let Ok(script) = decode_script(bytes, dialect, Layout::Memory, &tables) {
                    let mut refs = refs.clone();
                    let again =
                        encode_script(&script.statements, dialect, Layout::Memory, &mut refs)
                            .expect("a decoded script can be encoded");
                    assert_eq!(again.bytes, bytes);
                }
                for form in [
                    DiskForm::PackageIndex,
                    DiskForm::FieldPath { has_owner: true },
                ] {
                    // Only that it ends: the tables do not fit.
                    let _ = decode_script(bytes, dialect, Layout::Disk(form), &tables);
                }
            };
            for length in 0..bytes.len() {
                check(&bytes[..length]);
            }
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << rng.below(8);
                check(&damaged);
                damaged[at] = rng.below(256) as u8;
                check(&damaged);
            }
            let noise: Vec<u8> = (0..200).map(|_| rng.below(256) as u8).collect();
            check(&noise);
        }
    }
}

#[test]
fn nesting_is_limited_in_both_directions() {
    let dialect = DIALECTS[1];
    let mut bytes = vec![Opcode::Return.byte(); 100_000];
    let failure = decode_script(
        &bytes,
        dialect,
        Layout::Memory,
        &Interner::new().into_tables(),
    )
    .expect_err("too deep");
    assert_eq!(failure.reason, DecodeError::TooDeep);
    assert_eq!(failure.offset, CodeOffset(256));
    bytes.truncate(255);
    bytes.push(Opcode::Nothing.byte());
    decode_script(
        &bytes,
        dialect,
        Layout::Memory,
        &Interner::new().into_tables(),
    )
    .expect("256 levels are read");
    let mut expr = Expr::leaf(Opcode::Nothing);
    for _ in 0..256 {
        expr = Expr::unary(Opcode::Return, expr);
    }
    let mut refs = Interner::new();
    let mut builder = ScriptBuilder::new(dialect, &mut refs);
    builder.push(&expr);
    assert_eq!(builder.finish(), Err(EncodeError::TooDeep));
}

#[test]
fn labels_are_patched_wherever_they_are_nested() {
    let dialect = DIALECTS[1];
    let mut refs = Interner::new();
    let mut builder = ScriptBuilder::new(dialect, &mut refs);
    let (start, end) = (builder.label(), builder.label());
    builder.bind(start);
    builder.push(&Expr::target(Opcode::Jump, Target::Label(end)));
    builder.push(&Expr::unary(
        Opcode::Return,
        Expr::target(Opcode::SkipOffsetConst, Target::Label(start)),
    ));
    builder.bind(end);
    assert_eq!(builder.offset_of(end), Some(CodeOffset(11)));
    builder.push(&Expr::leaf(Opcode::EndOfScript));
    let bytes = builder.finish().expect("all labels are bound");
    assert_eq!(bytes, [0x06, 11, 0, 0, 0, 0x04, 0x5B, 0, 0, 0, 0, 0x53]);
}

#[test]
fn an_unbound_label_is_an_error() {
    let mut refs = Interner::new();
    let mut builder = ScriptBuilder::new(DIALECTS[0], &mut refs);
    builder.push(&Expr::target(Opcode::Jump, Target::Label(Label(3))));
    assert_eq!(builder.finish(), Err(EncodeError::UnboundLabel(Label(3))));
}

#[test]
fn operands_that_do_not_fit_the_row_are_errors() {
    let dialect = DIALECTS[1];
    let error = |expr: &Expr| {
        let mut refs = Interner::new();
        let mut builder = ScriptBuilder::new(dialect, &mut refs);
        builder.push(expr);
        builder.finish().expect_err("must be refused").to_string()
    };
    for (expr, expected) in [
        (
            Expr::leaf(Opcode::IntConst),
            "operand 0 of EX_IntConst is not I32",
        ),
        (
            Expr::new(Opcode::Nothing, vec![Operand::U8(1)]),
            "EX_Nothing takes 0 operands, not 1",
        ),
        (
            Expr::leaf(Opcode::EndArray),
            "EX_EndArray closes a list and is no expression",
        ),
        (
            Expr::new(Opcode::StringConst, vec![Operand::Str("a\0b".into())]),
            "a string literal contains a zero character",
        ),
        (
            Expr::new(Opcode::StringConst, vec![Operand::Str("дверь".into())]),
            "`д` does not fit in a byte string",
        ),
    ] {
        assert_eq!(error(&expr), expected);
    }
    let mut refs = Interner::new();
    let mut builder = ScriptBuilder::new(DIALECTS[0], &mut refs);
    builder.push(&Expr::new(Opcode::DoubleConst, vec![Operand::F64(1.0)]));
    assert_eq!(
        builder
            .finish()
            .expect_err("4.27 has no doubles")
            .to_string(),
        "EX_DoubleConst exists since 5.0, the script is for 4.27"
    );
}

#[test]
fn decode_errors_name_place_and_reason_and_keep_what_came_before() {
    let tables = Interner::new().into_tables();
    let check = |dialect: Dialect, bytes: &[u8], n_before: usize, expected: &str| {
        let failure = decode_script(bytes, dialect, Layout::Memory, &tables)
            .expect_err("these bytes are wrong");
        assert_eq!(failure.statements.len(), n_before, "{failure}");
        assert_eq!(failure.to_string(), expected);
    };
    let (old, new) = (DIALECTS[0], DIALECTS[1]);
    check(
        new,
        &[0x5E, 0x04, 0x99, 0x53],
        1,
        "at 0x2 (byte 2): 0x99 is no opcode, in `5E 04 [99] 53`",
    );
    check(
        new,
        &[0xA2],
        0,
        "at 0x0 (byte 0): 0xA2 is no opcode of the engine (some games add one of this byte), in `[A2]`",
    );
    check(
        old,
        &[0x0C, 0, 0, 0, 0],
        0,
        "at 0x0 (byte 0): EX_NothingInt32 exists since 5.0, the script is of 4.27",
    );
    check(
        new,
        &[0x06, 0, 0],
        0,
        "at 0x0 (byte 0): the script ends 2 bytes too early",
    );
    check(
        new,
        &[0x53, 0x16],
        1,
        "at 0x1 (byte 1): EX_EndFunctionParms closes no list here",
    );
    check(
        new,
        &[0x1F, b'a'],
        0,
        "at 0x0 (byte 0): a string literal has no zero character at its end",
    );
    check(
        new,
        &[0x34, 0x00, 0xD8, 0, 0],
        0,
        "at 0x0 (byte 0): a string literal is not UTF-16: 0xD800 stands alone",
    );
    check(
        new,
        &[0x18, 2, 0, 0, 0, 0x0B],
        0,
        "at 0x0 (byte 0): the skip size of EX_Skip is 2, its expression has 1 bytes",
    );
    check(
        new,
        &[0x39, 0x0B, 2, 0, 0, 0, 0x27, 0x3A],
        0,
        "at 0x0 (byte 0): EX_SetSet counts 2 elements and has 1",
    );
    check(
        new,
        &[0x69, 0, 0, 8, 0, 0, 0, 0x0B, 0x0B],
        0,
        "at 0x0 (byte 0): the end offset of the switch is 0x8, it must be 0x9",
    );
    check(
        new,
        &[0x29, 9],
        0,
        "at 0x0 (byte 0): 9 is no kind of text literal",
    );
    check(
        new,
        &[0x20, 7, 0, 0, 0, 0, 0, 0, 0],
        0,
        "at 0x0 (byte 0): object 7 is not in the tables",
    );
    check(
        new,
        &[0x00, 1, 0, 0, 0, 0, 0, 0, 0],
        0,
        "at 0x0 (byte 0): property 1 is not in the tables",
    );
    check(
        new,
        &[0x21, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
        0,
        "at 0x0 (byte 0): a name's indices 1 and 2 differ",
    );
    check(
        new,
        &[0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        0,
        "at 0x0 (byte 0): name 0 with number 0 is not in the tables",
    );
}

#[test]
fn a_statement_is_found_by_its_offset() {
    let dialect = DIALECTS[1];
    let mut refs = Interner::new();
    let bytes = statements_of(
        &[Expr::int(1), Expr::leaf(Opcode::EndOfScript)],
        dialect,
        &mut refs,
    );
    let script = decode_script(&bytes, dialect, Layout::Memory, &refs.into_tables())
        .expect("this script is right");
    let found: Option<&Statement> = script.statement_at(CodeOffset(5));
    assert_eq!(found.map(|s| s.expr.op), Some(Opcode::EndOfScript));
    assert_eq!(script.statement_at(CodeOffset(1)), None);
}
