//! Calls against the signatures of their callees.

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
            return self.call_of(Callee::Missing, String::new(), arguments);
        };
        self.entry(Some(path) == self.checker.ubergraph().as_ref(), arguments);
        let callee = self.checker.world.function(path);
        self.call_of(callee, path.to_string(), arguments)
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
                own.member(name).to_string(),
            ),
            Object::Of(class) => (
                self.checker.world.method(class, name),
                class.member(name).to_string(),
            ),
            Object::Unknown => (Callee::Unknown, name.to_string()),
        };
        let is_entry =
            matches!(object, Object::Own) && self.checker.compiled.ubergraph.as_ref() == Some(name);
        self.entry(is_entry, arguments);
        self.call_of(callee, shown, arguments)
    }

    /// The arguments of a broadcast.
    pub(super) fn broadcast(&mut self, path: Option<&'a ObjectPath>, arguments: &'a [Expr]) {
        let (callee, shown) = match path {
            Some(path) => (self.checker.world.signature(path), path.to_string()),
            None => (Callee::Unknown, "a delegate without signature".to_owned()),
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

    fn call_of(&mut self, callee: Callee<'a>, shown: String, arguments: &'a [Expr]) -> Info<'a> {
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
                    .entry(shown)
                    .or_default() += 1;
                self.plain_arguments(arguments);
                return Info::of(Form::Call(None), Ty::Unknown);
            }
            Callee::Missing => {
                if !shown.is_empty() {
                    self.error(Rule::Callee, format!("there is no function {shown}"));
                }
                self.plain_arguments(arguments);
                return Info::of(Form::Call(None), Ty::Unknown);
            }
        };
        self.arguments(function, is_own, &shown, arguments);
        let result = function.return_param();
        Info::of(
            Form::Call(Some(result.is_some())),
            result.map_or(Ty::Unknown, |result| {
                if function.meta.custom_thunk {
                    Ty::Unknown
                } else {
                    Ty::of(&result.ty, is_own)
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
        shown: &str,
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
            if function.meta.custom_thunk {
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
