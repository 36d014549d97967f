//! Statements written piece by piece: the same bytes and tables as from trees.

mod common;

use bp_bytecode::{
    Dialect, EncodeError, Expr, Interner, Opcode, Operand, OperandKind, ScriptBuilder, Target,
};
use bp_reflect::{EngineVersion, Name, ObjectPath};
use common::{DIALECTS, Rng, random_expr};

/// Writes an expression as an emitter would.
fn write(builder: &mut ScriptBuilder<'_>, expr: &Expr) {
    let needs_tree = expr.operands.iter().any(|operand| {
        matches!(
            operand,
            Operand::U16(_) | Operand::Str(_) | Operand::Text(_) | Operand::Instrumentation(..)
        )
    });
    if let [Operand::Str(text)] = expr.operands.as_slice()
        && Expr::string(text.as_str()).op == expr.op
    {
        builder.string(text);
        return;
    }
    if needs_tree {
        builder.tree(expr);
        return;
    }
    builder.open(expr.op);
    for operand in &expr.operands {
        match operand {
            Operand::Expr(inner) => write(builder, inner),
            Operand::List(list) => {
                builder.open_list(list.len());
                for item in list {
                    write(builder, item);
                }
                builder.close_list();
            }
            Operand::Target(target) => builder.target(*target),
            Operand::Property(property) => builder.property(property.as_ref()),
            Operand::Object(object) => builder.object(object.as_ref()),
            Operand::Name(name) => builder.name(name),
            Operand::U8(value) => builder.u8(*value),
            Operand::I32(value) => builder.i32(*value),
            Operand::I64(value) => builder.i64(*value),
            Operand::U64(value) => builder.u64(*value),
            Operand::F32(value) => builder.f32(*value),
            Operand::F64(value) => builder.f64(*value),
            Operand::Switch(switch) => {
                let open = builder.open_switch(switch.cases.len());
                write(builder, &switch.index);
                for (value, result) in &switch.cases {
                    write(builder, value);
                    let case = builder.open_case();
                    write(builder, result);
                    builder.close_case(&case);
                }
                write(builder, &switch.default);
                builder.close_switch(&open);
            }
            Operand::Str(_) | Operand::U16(_) | Operand::Text(_) | Operand::Instrumentation(..) => {
                unreachable!("written as a tree or a string")
            }
        }
    }
    builder.close();
}

/// Bytes and tables of a script that `write` makes.
fn script(
    dialect: Dialect,
    write: impl FnOnce(&mut ScriptBuilder<'_>),
) -> Result<(Vec<u8>, Interner), EncodeError> {
    let mut refs = Interner::new();
    let mut builder = ScriptBuilder::new(dialect, &mut refs);
    write(&mut builder);
    let bytes = builder.finish()?;
    Ok((bytes, refs))
}

#[test]
fn pieces_give_the_bytes_and_tables_of_trees() {
    let mut rng = Rng::new(7);
    let mut n_seen = 0;
    for dialect in DIALECTS {
        for _ in 0..2_000 {
            let expr = random_expr(&mut rng, dialect, 4);
            let tree = script(dialect, |builder| {
                builder.push(&expr);
            });
            let Ok((bytes, refs)) = tree else { continue };
            let (pieces, own) = script(dialect, |builder| write(builder, &expr)).expect("the same");
            assert_eq!(pieces, bytes, "{expr:?}");
            assert_eq!(own.into_tables(), refs.into_tables(), "{expr:?}");
            n_seen += 1;
        }
    }
    assert!(n_seen > 5_000, "{n_seen} trees could be written");
}

fn newest() -> Dialect {
    Dialect::new(EngineVersion::new(5, 3))
}

#[test]
fn an_operand_is_written_again_with_what_the_row_puts_behind_it_left_out() {
    let object = Expr::new(
        Opcode::ObjectConst,
        vec![Operand::Object(Some(ObjectPath::new("/Game/A.A")))],
    );
    let call = Expr::call_named(Opcode::VirtualFunction, Name::new("Run"), Vec::new());
    let context = Expr::context(Opcode::Context, object.clone(), None, call.clone());
    let (bytes, _) = script(newest(), |builder| {
        builder.push(&context);
        builder.push(&context);
    })
    .expect("well formed");
    let (pieces, _) = script(newest(), |builder| {
        let mut written = None;
        for _ in 0..2 {
            builder.open(Opcode::Context);
            match written {
                None => {
                    let start = builder.position();
                    write(builder, &object);
                    written = Some((start, builder.position()));
                }
                Some((start, end)) => builder.again(start, end),
            }
            builder.property(None);
            write(builder, &call);
            builder.close();
        }
    })
    .expect("well formed");
    assert_eq!(pieces, bytes);
}

#[test]
fn members_and_default_objects_are_objects() {
    let class = ObjectPath::new("/Script/Engine.KismetSystemLibrary");
    let name = Name::new("PrintString");
    let (bytes, refs) = script(newest(), |builder| {
        for _ in 0..2 {
            builder.open(Opcode::ObjectConst);
            builder.member(&class, &name);
            builder.close();
            builder.open(Opcode::ObjectConst);
            builder.default_object(&class);
            builder.close();
        }
    })
    .expect("well formed");
    assert_eq!(bytes[..18], bytes[18..]);
    let objects = refs.into_tables().objects;
    assert_eq!(objects, [class.member(&name), class.default_object()]);
}

#[test]
fn pieces_that_do_not_fit_the_row_are_refused() {
    let error = |write: fn(&mut ScriptBuilder<'_>)| script(newest(), write).expect_err("refused");
    assert_eq!(
        error(|builder| {
            builder.open(Opcode::IntConst);
            builder.u64(1);
            builder.close();
        }),
        EncodeError::Operand {
            op: Opcode::IntConst,
            index: 0,
            expected: OperandKind::I32
        }
    );
    assert_eq!(
        error(|builder| builder.leaf(Opcode::Jump)),
        EncodeError::Operand {
            op: Opcode::Jump,
            index: 0,
            expected: OperandKind::Target
        }
    );
    assert_eq!(
        error(|builder| {
            builder.open(Opcode::Self_);
            builder.i32(0);
            builder.close();
        }),
        EncodeError::TooManyOperands {
            op: Opcode::Self_,
            expected: 0,
            found: 1
        }
    );
    assert_eq!(
        error(|builder| {
            for _ in 0..=bp_bytecode::encode::MAX_DEPTH {
                builder.open(Opcode::InterfaceContext);
            }
        }),
        EncodeError::TooDeep
    );
    assert_eq!(
        error(|builder| builder.leaf(Opcode::EndFunctionParms)),
        EncodeError::Terminator(Opcode::EndFunctionParms)
    );
    let label = error(|builder| {
        let label = builder.label();
        builder.open(Opcode::Jump);
        builder.target(Target::Label(label));
        builder.close();
    });
    assert!(matches!(label, EncodeError::UnboundLabel(_)), "{label}");
}
