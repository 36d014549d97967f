//! What is nested as deeply as allowed passes through every reader and writer.

mod common;

use bp_bytecode::asm::{PrintOptions, parse, print};
use bp_bytecode::listing::editor;
use bp_bytecode::verify::check;
use bp_bytecode::{
    Expr, Interner, Layout, Opcode, Operand, Package, Switch, decode_script, file, memory_size,
};
use bp_reflect::Registry;
use common::sample_package::package_of;
use common::{DIALECTS, Rng, random_expr, statements_of};

fn through_everything(exprs: &[Expr]) -> Package {
    let dialect = DIALECTS[1];
    let mut refs = Interner::new();
    let bytes = statements_of(exprs, dialect, &mut refs);
    let sizes: u32 = exprs.iter().map(|expr| memory_size(expr, dialect)).sum();
    assert_eq!(sizes as usize, bytes.len());
    let package = package_of(dialect, refs, bytes);
    let class = &package.classes[0];
    let script = decode_script(
        &class.functions[0].script,
        dialect,
        Layout::Memory,
        &package.references,
    )
    .expect("it was encoded");
    let function = &class.class.functions[0];
    let shown = editor(&package, class, function, &script, &Registry::new());
    assert!(shown.starts_with('['));
    let text = print(&package, PrintOptions::default());
    let again = parse(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(file::write(&again.package), file::write(&package));
    let read = file::read(&file::write(&package)).expect("it was written");
    assert_eq!(read, package);
    check(&package, &Registry::new());
    package
}

/// An expression of this many levels.
fn nested(levels: u32, wrap: impl Fn(Expr) -> Expr) -> Expr {
    let mut expr = Expr::leaf(Opcode::Nothing);
    for _ in 1..levels {
        expr = wrap(expr);
    }
    expr
}

#[test]
fn the_deepest_expressions_pass_through_everything() {
    let plain = nested(256, |inner| Expr::unary(Opcode::Return, inner));
    let contexts = nested(256, |inner| {
        Expr::context(Opcode::Context, Expr::leaf(Opcode::Self_), None, inner)
    });
    let lists = nested(256, |inner| {
        Expr::call_named(Opcode::VirtualFunction, "Open".into(), vec![inner])
    });
    let switches = nested(256, |inner| {
        let switch = Switch {
            index: Expr::leaf(Opcode::True),
            cases: vec![(Expr::leaf(Opcode::False), inner)],
            default: Expr::leaf(Opcode::Nothing),
        };
        Expr::new(Opcode::SwitchValue, vec![Operand::Switch(Box::new(switch))])
    });
    through_everything(&[plain, contexts, lists, switches]);
}

#[test]
fn long_scripts_take_linear_time() {
    // Quadratic work would take minutes.
    let statements: Vec<Expr> = (0..20_000)
        .map(|index| Expr::unary(Opcode::Return, Expr::string(format!("{index}"))))
        .collect();
    through_everything(&statements);
    let names: Vec<Expr> = (0..20_000)
        .map(|index| {
            Expr::unary(
                Opcode::Return,
                Expr::call_named(
                    Opcode::VirtualFunction,
                    format!("Function{index}x").into(),
                    Vec::new(),
                ),
            )
        })
        .collect();
    through_everything(&names);
}

#[test]
fn random_trees_pass_through_everything() {
    for seed in 1000..1100 {
        let mut rng = Rng::new(seed);
        let exprs: Vec<Expr> = (0..3)
            .map(|_| random_expr(&mut rng, DIALECTS[1], 6))
            .collect();
        through_everything(&exprs);
    }
}
