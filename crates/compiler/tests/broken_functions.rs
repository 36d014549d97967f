//! A class with a broken function has no package; a package of the rest has the function, which only returns.

use bp_bytecode::{Layout, Opcode, decode_script};
use bp_compiler::{Compilation, Options};
use bp_diag::Code;
use bp_graph::{Blueprint, Graph, GraphKind, Node};
use bp_reflect::{EngineVersion, Registry, declarations};

/// A Blueprint with a function without entry, and one that is fine.
fn blueprint() -> Blueprint {
    let mut blueprint = Blueprint::new(
        "BP_Broken",
        "/Script/Engine.Actor".into(),
        EngineVersion::LATEST,
    );
    blueprint
        .graphs
        .push(Graph::new("NoEntry", GraphKind::Function));
    let mut fine = Graph::new("Fine", GraphKind::Function);
    fine.add_node(Node::new("entry", "FunctionEntry"));
    blueprint.graphs.push(fine);
    blueprint
}

fn with_compilation(check: impl Fn(&Compilation<'_>, &Registry)) {
    let blueprints = [blueprint()];
    let mut registry = declarations::embedded(EngineVersion::LATEST);
    let found = bp_compiler::declare(&blueprints, &mut registry);
    assert!(!found.has_errors());
    let compilation = bp_compiler::compile(&blueprints, &[], &registry, Options::default());
    check(&compilation, &registry);
}

#[test]
fn one_broken_function_leaves_no_package() {
    with_compilation(|compilation, _| {
        let codes: Vec<Code> = compilation
            .diagnostics
            .iter()
            .map(|finding| finding.code)
            .collect();
        assert_eq!(codes, [Code::NoEntry]);
        assert!(compilation.package.is_none());
    });
}

#[test]
fn the_rest_has_it_as_a_function_that_only_returns() {
    with_compilation(|compilation, registry| {
        let (package, emptied) = compilation.package_of_rest(registry, EngineVersion::LATEST);
        let emptied: Vec<&str> = emptied.iter().map(bp_reflect::ObjectPath::name).collect();
        assert_eq!(emptied, ["NoEntry"]);
        let class = &package.classes[0];
        let names: Vec<&str> = class
            .class
            .functions
            .keys()
            .map(bp_reflect::Name::as_str)
            .collect();
        assert_eq!(names, ["NoEntry", "Fine"]);
        let script = decode_script(
            &class.functions[0].script,
            package.dialect(),
            Layout::Memory,
            &package.references,
        )
        .expect("a script");
        let opcodes: Vec<Opcode> = script
            .statements
            .iter()
            .map(|statement| statement.expr.op)
            .collect();
        assert_eq!(opcodes, [Opcode::Return, Opcode::EndOfScript]);
    });
}
