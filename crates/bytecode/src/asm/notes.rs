//! What stands behind a statement as a comment: what it calls, and the types of its properties.

use std::fmt::Write;

use bp_reflect::{Class, Function, Name, ObjectPath, Property, PropertyFlags};

use super::lex::Word;
use super::value::Type;
use crate::{Expr, Opcode, Operand, Package, PropertyRef};

/// Where a statement stands.
pub(super) struct Notes<'a> {
    pub(super) package: &'a Package,
    pub(super) class: &'a Class,
    pub(super) function: &'a Function,
}

impl Notes<'_> {
    /// `calls A(x: int), B.C; Count: int, Name: string`; empty if there is nothing to say. Functions are
    /// shown with their parameters, and properties at all, if the package declares them.
    pub(super) fn of(&self, statement: &Expr) -> String {
        let mut calls = Vec::new();
        let mut properties = Vec::new();
        self.collect(statement, &mut calls, &mut properties);
        let mut out = String::new();
        let mut separator = "calls ";
        for call in calls {
            out.push_str(separator);
            out.push_str(&call);
            separator = ", ";
        }
        let mut separator = if out.is_empty() { "" } else { "; " };
        for property in properties {
            let name = Word(property.name.as_str());
            write!(out, "{separator}{name}: {}", Type(&property.ty))
                .expect("writing to a string does not fail");
            separator = ", ";
        }
        out
    }

    fn collect<'s>(
        &'s self,
        expr: &Expr,
        calls: &mut Vec<String>,
        properties: &mut Vec<&'s Property>,
    ) {
        let is_call = matches!(
            expr.op,
            Opcode::FinalFunction
                | Opcode::LocalFinalFunction
                | Opcode::VirtualFunction
                | Opcode::LocalVirtualFunction
                | Opcode::CallMath
                | Opcode::CallMulticastDelegate
        );
        if is_call {
            let call = match expr.operands.first() {
                Some(Operand::Object(Some(path))) => Some(self.callee(path)),
                Some(Operand::Name(name)) => Some(self.named(name)),
                _ => None,
            };
            calls.extend(call.filter(|call| !calls.contains(call)));
        }
        for operand in &expr.operands {
            if let Operand::Property(Some(reference)) = operand
                && let Some(property) = declared(self.package, self.class, self.function, reference)
                && !properties
                    .iter()
                    .any(|known| std::ptr::eq(*known, property))
            {
                properties.push(property);
            }
        }
        for child in expr.children() {
            self.collect(child, calls, properties);
        }
    }

    fn callee(&self, path: &ObjectPath) -> String {
        let Some(outer) = path.outer() else {
            return Word(path.name()).to_string();
        };
        let name = Name::new(path.name());
        let class = self.package.class(&outer).map(|class| &class.class);
        let function = class.and_then(|class| {
            let functions = class.functions.get(&name);
            functions.or_else(|| class.delegates.get(&name))
        });
        match function {
            Some(function) => signature(function),
            None => format!("{}.{}", Word(outer.name()), Word(path.name())),
        }
    }

    /// A call by name is of the object at hand, whose class may be another one; so only a function of
    /// this class is meant to help, and says so by its name alone.
    fn named(&self, name: &Name) -> String {
        match self.class.functions.get(name) {
            Some(function) => signature(function),
            None => Word(name.as_str()).to_string(),
        }
    }
}

fn signature(function: &Function) -> String {
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| {
            let out = if param.flags.contains(PropertyFlags::OUT_PARM) {
                "out "
            } else {
                ""
            };
            format!("{out}{}: {}", Word(param.name.as_str()), Type(&param.ty))
        })
        .collect();
    format!("{}({})", Word(function.name.as_str()), params.join(", "))
}

/// The declaration of a property that a function refers to, if the package has it: one of the
/// function's own, of another function or of a class.
pub(crate) fn declared<'p>(
    package: &'p Package,
    class: &'p Class,
    function: &'p Function,
    reference: &PropertyRef,
) -> Option<&'p Property> {
    if reference.owner == class.path.member(&function.name) {
        return variable(function, reference);
    }
    let name = reference.path.last()?;
    if let Some(owner) = package.class(&reference.owner) {
        return owner.class.property(name);
    }
    variable(function_at(package, &reference.owner)?, reference)
}

/// The function of the package at that path.
pub(crate) fn function_at<'p>(package: &'p Package, path: &ObjectPath) -> Option<&'p Function> {
    let class = package.class(&path.outer()?)?;
    class.class.functions.get(&Name::new(path.name()))
}

fn variable<'p>(function: &'p Function, reference: &PropertyRef) -> Option<&'p Property> {
    let name = reference.path.last()?;
    function
        .params
        .iter()
        .chain(&function.locals)
        .filter(|property| property.name == *name)
        .nth(usize::from(reference.ordinal))
}
