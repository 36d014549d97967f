//! Calls against the signatures of their callees.

use std::fmt;

use bp_reflect::{Certainty, Function, Name, ObjectPath, PropertyFlags};

use super::Rule;
use super::tree::{Form, Info, Object, Tree};
use super::types::{Ty, fits};
use super::world::Callee;
use crate::{CodeOffset, Expr, Opcode, Operand};

impl<'a> Tree<'a, '_, '_> {
    /// A call by pointer.
    pub(super) fn call(
        &mut self,
        op: Opcode,
        path: Option<&'a ObjectPath>,
        arguments: &'a [Expr],
    ) -> Info<'a> {
        let Some(path) = path else {
            self.error(Rule::Callee, format!("{} names no function", op.name()));
            self.plain_arguments(arguments);
            return Info::of(Form::Call(None), Ty::Unknown);
        };
        self.entry(Some(path) == self.checker.ubergraph, arguments);
        let callee = self.checker.world.function(path);
        self.call_of(callee, Shown::Path(path), arguments)
    }

    /// A call by name on an object.
    pub(super) fn call_named(
        &mut self,
        name: &'a Name,
        arguments: &'a [Expr],
        object: Object<'a>,
    ) -> Info<'a> {
        let own = &self.checker.compiled.class.path;
        let (callee, shown) = match object {
            Object::Own => (
                self.checker.world.method(own, name),
                Shown::Method(own, name),
            ),
            Object::Of(class) => (
                self.checker.world.method(class, name),
                Shown::Method(class, name),
            ),
            Object::Unknown => (Callee::Unknown, Shown::Name(name)),
        };
        let is_entry =
            matches!(object, Object::Own) && self.checker.compiled.ubergraph.as_ref() == Some(name);
        self.entry(is_entry, arguments);
        self.call_of(callee, shown, arguments)
    }

    /// The arguments of a broadcast.
    pub(super) fn broadcast(&mut self, path: Option<&'a ObjectPath>, arguments: &'a [Expr]) {
        let (callee, shown) = match path {
            Some(path) => (self.checker.world.signature(path), Shown::Path(path)),
            None => (Callee::Unknown, Shown::NoSignature),
        };
        self.call_of(callee, shown, arguments);
    }

    /// The entry point, if this calls the ubergraph from another function.
    fn entry(&mut self, is_entry: bool, arguments: &[Expr]) {
        if !is_entry || self.checker.compiled.ubergraph.as_ref() == Some(self.checker.name) {
            return;
        }
        if let [
            Expr {
                op: Opcode::IntConst,
                operands,
            },
        ] = arguments
            && let [Operand::I32(entry)] = operands[..]
        {
            let at = Some(self.at);
            self.checker
                .entry_point(at, CodeOffset(entry as u32), "the entry point");
        }
    }

    fn call_of(&mut self, callee: Callee<'a>, shown: Shown<'_>, arguments: &'a [Expr]) -> Info<'a> {
        self.checker.report.n_calls += 1;
        let (function, is_own) = match callee {
            Callee::Found { function, is_own } if function.certainty == Certainty::Declared => {
                (function, is_own)
            }
            // The signature was guessed from pins; its types are right where it has any.
            Callee::Found { function, .. } => {
                self.plain_arguments(arguments);
                let result = function.return_param();
                return Info::of(
                    Form::Call(None),
                    result.map_or(Ty::Unknown, |result| Ty::of(&result.ty, false)),
                );
            }
            Callee::Unknown => {
                *self
                    .checker
                    .report
                    .unknown_callees
                    .entry(shown.to_string())
                    .or_default() += 1;
                self.plain_arguments(arguments);
                return Info::of(Form::Call(None), Ty::Unknown);
            }
            Callee::Missing => {
                self.error(Rule::Callee, format!("there is no function {shown}"));
                self.plain_arguments(arguments);
                return Info::of(Form::Call(None), Ty::Unknown);
            }
        };
        self.arguments(function, is_own, shown, arguments);
        let result = function.return_param();
        let is_typed = has_types(function, shown);
        Info::of(
            Form::Call(Some(result.is_some())),
            result.map_or(Ty::Unknown, |result| {
                if is_typed {
                    Ty::of(&result.ty, is_own)
                } else {
                    Ty::Unknown
                }
            }),
        )
    }

    /// Arguments of a callee that is not known.
    fn plain_arguments(&mut self, arguments: &'a [Expr]) {
        for argument in arguments {
            self.value(argument);
        }
    }

    fn arguments(
        &mut self,
        function: &'a Function,
        is_own: bool,
        shown: Shown<'_>,
        arguments: &'a [Expr],
    ) {
        let n_params = function.arguments().count();
        if n_params != arguments.len() {
            self.error(
                Rule::ArgumentCount,
                format!(
                    "{shown} takes {n_params} arguments, {} are passed",
                    arguments.len()
                ),
            );
        }
        let is_typed = has_types(function, shown);
        let mut params = function.arguments();
        for argument in arguments {
            let Some(param) = params.next() else {
                self.value(argument);
                continue;
            };
            let info = self.info(argument, Object::Own);
            let ty = self.must_be_value(argument, info);
            let is_written = param.is_out() && !param.flags.contains(PropertyFlags::CONST_PARM);
            let has_value = matches!(info.form, Form::Value | Form::Call(_));
            if is_written && has_value {
                self.error(
                    Rule::OutArgument,
                    format!(
                        "the out parameter {} of {shown} receives {}, which is no place",
                        param.name,
                        argument.op.name()
                    ),
                );
            }
            if !is_typed {
                continue;
            }
            let to = Ty::of(&param.ty, is_own);
            let world = self.checker.world;
            // An output is stored in its argument, and what it gives may be a parent of that.
            let is_fit = fits(world, to, ty) || (param.is_out() && fits(world, ty, to));
            if !is_fit {
                self.error(
                    Rule::ArgumentType,
                    format!(
                        "the argument for {} of {shown} is {ty}, not {to}",
                        param.name
                    ),
                );
            }
        }
    }
}

/// Whether the parameters' types are those that are passed. Functions that read their arguments from
/// the script themselves declare stand-ins, as the conversions between struct versions do.
fn has_types(function: &Function, shown: Shown<'_>) -> bool {
    const CONVERSIONS: &str = "/Script/Engine.BlueprintTypeConversions:";
    let is_conversion =
        matches!(shown, Shown::Path(path) if path.as_str().starts_with(CONVERSIONS));
    !function.meta.custom_thunk && !is_conversion
}

/// A callee in messages.
#[derive(Clone, Copy)]
enum Shown<'a> {
    Path(&'a ObjectPath),
    Method(&'a ObjectPath, &'a Name),
    Name(&'a Name),
    NoSignature,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{path}"),
            Self::Method(class, name) => write!(f, "{class}:{name}"),
            Self::Name(name) => write!(f, "{name}"),
            Self::NoSignature => f.write_str("a delegate without signature"),
        }
    }
}
