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
        for operand in &expr.operands {
            let call = match operand {
                Operand::Object(Some(path)) if is_call => self.callee(path),
                Operand::Name(name) if is_call => self.named(name),
                Operand::Property(Some(reference)) => {
                    if let Some(property) = declared(self.package, self.class, self.function, reference)
                        && !properties
                            .iter()
                            .any(|known| std::ptr::eq(*known, property))
                    {
                        properties.push(property);
                    }
                    continue;
                }
                _ => continue,
            };
            if !calls.contains(&call) {
                calls.push(call);
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
/// function's own, or of a class of the package.
pub(crate) fn declared<'p>(
    package: &'p Package,
    class: &'p Class,
    function: &'p Function,
    reference: &PropertyRef,
) -> Option<&'p Property> {
    let name = reference.path.last()?;
    let nth = usize::from(reference.ordinal);
    if reference.owner == class.path.member(&function.name) {
        let mut own = function.params.iter().chain(&function.locals);
        return own.by_ref().filter(|property| property.name == *name).nth(nth);
    }
    package.class(&reference.owner)?.class.property(name)
}
