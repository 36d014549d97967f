//! Interfaces that are not at hand: a stored class tells which of their functions it has.

use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::Blueprint;
use bp_reflect::{Certainty, Class, ClassKind, FunctionFlags, Name, ObjectPath, Registry};
use rustc_hash::FxHashSet;

use super::class_mut;

/// Declares functions of interfaces that no declaration has, by the class that the editor stored with the
/// Blueprint: a public event of it that no node and no graph draws is there because an interface asks for it.
/// One warning each.
///
/// Only names, flags and parameters are read. They go to the first interface that is not declared, or else to the
/// first native one, whose declaration then lacks them. To be called before [`declare`](crate::declare).
///
/// Source: 16 functions of 5 packages; with them their 5 ubergraphs and 41 stubs more are the stored ones.
pub fn declare_interfaces(
    blueprint: &Blueprint,
    stored: &Class,
    registry: &mut Registry,
) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let interfaces = &blueprint.interfaces;
    let undeclared = interfaces
        .iter()
        .find(|path| registry.class(path).is_none());
    let native = || interfaces.iter().find(|path| path.is_native());
    let Some(interface) = undeclared.or_else(native).cloned() else {
        return diagnostics;
    };
    let drawn = drawn_functions(blueprint);
    // A class lists its functions from the last made to the first, and these were made in the interface's order.
    for function in stored.functions.values().rev() {
        let flags = function.flags;
        let is_asked_for = flags.contains(FunctionFlags::PUBLIC | FunctionFlags::BLUEPRINT_EVENT)
            && !flags.contains(FunctionFlags::UBERGRAPH)
            && function.super_function.is_none()
            && !drawn.contains(&function.name)
            && registry
                .find_function(&blueprint.parent, &function.name)
                .is_none();
        if !is_asked_for {
            continue;
        }
        let declared = interfaces.iter().find_map(|interface| {
            let (class, found) = registry.find_function(interface, &function.name)?;
            Some((class.path.clone(), found.clone()))
        });
        if let Some((class, mut declared)) = declared {
            // A call does not show that a function of an interface can be implemented; this does.
            if !declared.flags.contains(FunctionFlags::BLUEPRINT_EVENT) {
                declared.flags |= FunctionFlags::EVENT | FunctionFlags::BLUEPRINT_EVENT;
                add(registry, &class, declared);
            }
            continue;
        }
        diagnostics.push(
            Diagnostic::new(
                Code::FuncUndeclared,
                format!(
                    "function {}.{} is declared nowhere; its signature is that of the stored class",
                    interface.name(),
                    function.name
                ),
            )
            .at(blueprint.span)
            .hint("give its declaration with --declarations FILE"),
        );
        let mut function = function.clone();
        function.locals.clear();
        function.certainty = Certainty::Inferred;
        add(registry, &interface, function);
    }
    diagnostics
}

fn add(registry: &mut Registry, interface: &ObjectPath, function: bp_reflect::Function) {
    let is_new = registry.class(interface).is_none();
    let class = class_mut(registry, interface, &mut FxHashSet::default());
    if is_new {
        class.super_class = Some("/Script/CoreUObject.Interface".into());
        class.kind = if interface.is_native() {
            ClassKind::NativeInterface
        } else {
            ClassKind::BlueprintInterface
        };
    }
    class.functions.insert(function.name.clone(), function);
}

/// The names of functions that graphs and event nodes make.
fn drawn_functions(blueprint: &Blueprint) -> FxHashSet<Name> {
    let mut names = FxHashSet::default();
    let mut work: Vec<_> = blueprint.graphs.iter().collect();
    while let Some(graph) = work.pop() {
        names.insert(graph.name.clone());
        for (_, node) in graph.nodes.iter() {
            names.extend(node.properties.text("CustomFunctionName").map(Name::new));
            let event = node.properties.member("EventReference");
            names.extend(event.map(|event| event.name));
        }
        work.extend(&graph.children);
    }
    names
}
