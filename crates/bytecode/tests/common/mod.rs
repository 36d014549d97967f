//! Sample expressions for every opcode, made from the table's rows.

#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod sample_package;

use bp_bytecode::table::Role;
use bp_bytecode::{
    CodeOffset, Dialect, Expr, Interner, Opcode, Operand, OperandKind, PropertyRef, ScriptBuilder,
    Switch, Target, TextLiteral,
};
use bp_reflect::{EngineVersion, Name, ObjectPath};

/// The oldest and the newest rules, and the newest version whose texts have other numbers.
pub(crate) const DIALECTS: [Dialect; 3] = [
    Dialect::new(EngineVersion::new(4, 27)),
    Dialect::new(EngineVersion::new(5, 6)),
    Dialect::new(EngineVersion::new(5, 8)),
];

/// A small seeded generator (xorshift).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 16) % limit
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize].clone()
    }
}

/// The expression of `op` with the operands that `variant` chooses; none for terminators and for
/// opcodes the dialect lacks.
pub(crate) fn sample(op: Opcode, dialect: Dialect, variant: u64) -> Option<Expr> {
    if op.row().role == Role::Terminator || !op.exists_in(dialect) {
        return None;
    }
    let mut rng = Rng::new(variant * 1000 + u64::from(op.byte()));
    Some(expr_of(op, &mut rng, dialect, 2))
}

/// A tree of any opcodes.
pub(crate) fn random_expr(rng: &mut Rng, dialect: Dialect, depth: u32) -> Expr {
    loop {
        let op = rng.pick(Opcode::ALL);
        let row = op.row();
        if row.role == Role::Terminator || !op.exists_in(dialect) {
            continue;
        }
        if depth == 0 && row.operands.iter().any(|kind| is_nested(*kind)) {
            continue;
        }
        return expr_of(op, rng, dialect, depth);
    }
}

fn is_nested(kind: OperandKind) -> bool {
    matches!(
        kind,
        OperandKind::Expr
            | OperandKind::List(_)
            | OperandKind::Pairs(_)
            | OperandKind::Text
            | OperandKind::Switch
    )
}

fn expr_of(op: Opcode, rng: &mut Rng, dialect: Dialect, depth: u32) -> Expr {
    let operands = op
        .row()
        .operands
        .iter()
        .filter_map(|kind| operand(*kind, rng, dialect, depth.saturating_sub(1)))
        .collect();
    Expr::new(op, operands)
}

fn operand(kind: OperandKind, rng: &mut Rng, dialect: Dialect, depth: u32) -> Option<Operand> {
    let string = |rng: &mut Rng| {
        let text = rng.pick(&["", "b", "Hello, \"world\"; \\n", "tab\tnew\nline", "{0}"]);
        Expr::string(text)
    };
    Some(match kind {
        OperandKind::Count | OperandKind::InnerSize => return None,
        OperandKind::Expr => Operand::Expr(random_expr(rng, dialect, depth)),
        OperandKind::List(_) => Operand::List(
            (0..rng.below(4))
                .map(|_| random_expr(rng, dialect, depth))
                .collect(),
        ),
        OperandKind::Pairs(_) => Operand::List(
            (0..2 * rng.below(3))
                .map(|_| random_expr(rng, dialect, depth))
                .collect(),
        ),
        OperandKind::Target => Operand::Target(Target::Offset(CodeOffset(rng.pick(&[
            0,
            1,
            0x1234,
            u32::MAX,
        ])))),
        OperandKind::Property => Operand::Property(property(rng)),
        OperandKind::Object => Operand::Object(object(rng)),
        OperandKind::Name => Operand::Name(name(rng)),
        OperandKind::U8 => Operand::U8(rng.below(256) as u8),
        OperandKind::CastKind => Operand::U8(rng.pick(&[0, 1, 2, 3, 4, 0x46, 0x47, 0x49, 0xFF])),
        OperandKind::U16 => Operand::U16(rng.next() as u16),
        OperandKind::I32 => Operand::I32(rng.pick(&[0, 1, -1, i32::MIN, i32::MAX, 939_469_936])),
        OperandKind::I64 => Operand::I64(rng.pick(&[0, -1, i64::MIN, i64::MAX])),
        OperandKind::U64 => Operand::U64(rng.pick(&[0, 1, u64::MAX])),
        OperandKind::F32 => Operand::F32(rng.pick(&[
            0.0,
            -0.0,
            1.5,
            0.1,
            f32::MIN_POSITIVE / 4.0,
            f32::MAX,
            f32::NEG_INFINITY,
        ])),
        OperandKind::F64 => Operand::F64(rng.pick(&[0.0, -0.0, 0.1, 5e-324, f64::MAX, 1e300])),
        // Values that a float holds, so that they survive in old dialects.
        OperandKind::Real => Operand::F64(rng.pick(&[0.0, -0.0, 1.5, -90.0, 1e20_f32 as f64])),
        OperandKind::AnsiString => Operand::Str(rng.pick(&[
            String::new(),
            "Hello".to_owned(),
            "q\"\\;\t\r\n\u{1}\u{7f}é\u{ff}".to_owned(),
        ])),
        OperandKind::WideString => Operand::Str(rng.pick(&[
            String::new(),
            "дверь 门 🚪".to_owned(),
            "\u{feff}\u{ffff}".to_owned(),
        ])),
        OperandKind::Text => {
            let n_kinds = if dialect.has_text_notes() { 6 } else { 5 };
            Operand::Text(Box::new(match rng.below(n_kinds) {
                0 => TextLiteral::Empty,
                1 => TextLiteral::Localized([string(rng), string(rng), string(rng)]),
                2 => TextLiteral::Invariant(string(rng)),
                3 => TextLiteral::LiteralString(random_expr(rng, dialect, depth)),
                4 => TextLiteral::StringTable(object(rng), [string(rng), string(rng)]),
                _ => TextLiteral::LocalizedWithNotes([
                    string(rng),
                    string(rng),
                    string(rng),
                    string(rng),
                ]),
            }))
        }
        OperandKind::Switch => Operand::Switch(Box::new(Switch {
            index: random_expr(rng, dialect, depth),
            cases: (0..rng.below(4))
                .map(|_| {
                    (
                        random_expr(rng, dialect, depth),
                        random_expr(rng, dialect, depth),
                    )
                })
                .collect(),
            default: random_expr(rng, dialect, depth),
        })),
        OperandKind::Instrumentation => match rng.below(3) {
            0 => Operand::Instrumentation(4, Some(name(rng))),
            _ => Operand::Instrumentation(rng.pick(&[0, 1, 3, 5, 255]), None),
        },
    })
}

fn name(rng: &mut Rng) -> Name {
    Name::new(rng.pick(&[
        "None",
        "Health",
        "Temp_int_Variable_2",
        "K2Node_Event_0",
        "with blank",
        "Türgriff?",
        "123",
        "null",
        "self",
        "a.b:c@d#e\"f\\",
        "_",
    ]))
}

fn object(rng: &mut Rng) -> Option<ObjectPath> {
    rng.pick(&[
        None,
        Some("/Script/Engine.KismetMathLibrary:Add_IntInt"),
        Some("/Game/BP_Door.BP_Door_C"),
        Some("/Game/BP_Door.BP_Door_C:Open"),
        Some("/Game/Maps/A Map.A Map:PersistentLevel.X_1"),
        Some("null"),
        Some("self"),
        Some(""),
    ])
    .map(ObjectPath::new)
}

fn property(rng: &mut Rng) -> Option<PropertyRef> {
    let owner = object(rng)?;
    let path = (0..=rng.below(2)).map(|_| name(rng)).collect();
    Some(PropertyRef {
        owner,
        path,
        ordinal: rng.pick(&[0, 0, 0, 1, 7]),
    })
}

/// The statements' bytes in the in-memory layout.
pub(crate) fn statements_of(exprs: &[Expr], dialect: Dialect, refs: &mut Interner) -> Vec<u8> {
    let mut builder = ScriptBuilder::new(dialect, refs);
    for expr in exprs {
        builder.push(expr);
    }
    builder.finish().expect("samples can be encoded")
}
