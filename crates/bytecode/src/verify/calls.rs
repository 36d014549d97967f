//! Calls against the signatures of their callees.

use std::fmt;

use bp_reflect::{
    Certainty, Function, FunctionFlags, Name, ObjectPath, Property, PropertyFlags, PropertyType,
};

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
        object: Object<'a>,
    ) -> Info<'a> {
        let Some(path) = path else {
            self.error(Rule::Callee, format!("{} names no function", op.name()));
            self.plain_arguments(arguments);
            return Info::of(Form::Call(None), Ty::Unknown);
        };
        self.entry(Some(path) == self.checker.ubergraph, arguments);
        let world = self.checker.world;
        let callee = world.function(path);
        match callee {
            Callee::Found { function, .. } => self.way_of_calling(op, path, function, object),
            Callee::Unknown if world.is_no_function(path) => {
                self.error(Rule::Callee, format!("{path} is no function"));
            }
            Callee::Unknown | Callee::Missing => {}
        }
        self.call_of(callee, Shown::Path(path), arguments)
    }

    /// Whether the opcode calls functions of this kind, and the object has the function.
    fn way_of_calling(
        &mut self,
        op: Opcode,
        path: &'a ObjectPath,
        function: &'a Function,
        object: Object<'a>,
    ) {
        let signature = FunctionFlags::DELEGATE | FunctionFlags::MULTICAST_DELEGATE;
        if function.flags.intersects(signature) {
            self.error(
                Rule::Call,
                format!("{path} is the signature of a delegate and has no code to call"),
            );
            return;
        }
        let called_by_math = FunctionFlags::STATIC | FunctionFlags::NATIVE;
        if op == Opcode::CallMath {
            if is_certain(function, called_by_math) && !function.flags.contains(called_by_math) {
                let message =
                    format!("EX_CallMath calls {path}, which is no static native function");
                self.error(Rule::Call, message);
            }
            return;
        }
        if op == Opcode::LocalFinalFunction {
            self.must_have_script(op, Shown::Path(path), function);
        }
        let Some(owner) = path.outer() else { return };
        if function.is_static() {
            return;
        }
        let world = self.checker.world;
        let own = &self.checker.compiled.class.path;
        let (class, is_elsewhere) = match object {
            Object::Own => (own, world.is_child_of(own, &owner) == Some(false)),
            // As for members, what an object is known as may be a parent of its class.
            Object::Of(class) => (class, world.are_unrelated_classes(class, &owner)),
            Object::Unknown => return,
        };
        if is_elsewhere {
            let message = format!("{path} is no function of {class}");
            self.error(Rule::Call, message);
        }
    }

    /// A call by name on an object.
    pub(super) fn call_named(
        &mut self,
        op: Opcode,
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
        if let (Opcode::LocalVirtualFunction, Callee::Found { function, .. }) = (op, callee) {
            self.must_have_script(op, shown, function);
        }
        self.call_of(callee, shown, arguments)
    }

    /// That the function of a local call is not native.
    fn must_have_script(&mut self, op: Opcode, shown: Shown<'_>, function: &Function) {
        if is_certain(function, FunctionFlags::NATIVE)
            && function.flags.contains(FunctionFlags::NATIVE)
        {
            let message = format!("{} calls {shown}, which has no script", op.name());
            self.error(Rule::Call, message);
        }
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
                    result.map_or(Ty::Unknown, |result| Ty::of_property(result, false)),
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
        Info::of(
            Form::Call(Some(result.is_some())),
            result.map_or(Ty::Unknown, |result| {
                passed_type(function, shown, result, is_own)
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
        let mut types = Vec::with_capacity(arguments.len());
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
            types.push((param, ty));
            let to = passed_type(function, shown, param, is_own);
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
        self.wildcards(function, shown, &types);
    }

    /// That the wildcards of a function that works on containers are of one type.
    fn wildcards(
        &mut self,
        function: &'a Function,
        shown: Shown<'_>,
        types: &[(&'a Property, Ty<'a>)],
    ) {
        let wildcards = Wildcards::of(function, types);
        for (param, ty) in types {
            for (wanted, found) in wildcards.wanted(function, param, *ty).into_iter().flatten() {
                let world = self.checker.world;
                let is_fit =
                    fits(world, wanted, found) || (param.is_out() && fits(world, found, wanted));
                if !is_fit {
                    self.error(
                        Rule::ArgumentType,
                        format!(
                            "{shown} works on {wanted}, what {} passes is {found}",
                            param.name
                        ),
                    );
                }
            }
        }
    }
}

/// Whether flags of a function are declared, not assumed.
fn is_certain(function: &Function, flags: FunctionFlags) -> bool {
    function.certainty == Certainty::Declared && !function.meta.uncertain.intersects(flags)
}

/// The type that is passed for a parameter. Functions that read their arguments from the script
/// themselves declare structs as stand-ins, and the conversions between struct versions all types.
fn passed_type<'a>(
    function: &Function,
    shown: Shown<'_>,
    param: &'a Property,
    is_own: bool,
) -> Ty<'a> {
    const CONVERSIONS: &str = "/Script/Engine.BlueprintTypeConversions:";
    let is_conversion =
        matches!(shown, Shown::Path(path) if path.as_str().starts_with(CONVERSIONS));
    let is_stand_in = function.meta.custom_thunk && matches!(param.ty, PropertyType::Struct(_));
    if is_conversion || is_stand_in {
        Ty::Unknown
    } else {
        Ty::of_property(param, is_own)
    }
}

/// The types that the wildcards of one function stand for together: those of a container's elements.
#[derive(Default)]
struct Wildcards<'a> {
    /// Elements of an array or a set, keys of a map.
    element: Option<Ty<'a>>,
    /// Values of a map.
    value: Option<Ty<'a>>,
}

impl<'a> Wildcards<'a> {
    /// What the first containers of the arguments say.
    fn of(function: &Function, types: &[(&'a Property, Ty<'a>)]) -> Self {
        let mut found = Self::default();
        let meta = &function.meta;
        for (param, ty) in types {
            let is_linked = [&meta.array_parm, &meta.set_parm, &meta.map_parm]
                .iter()
                .any(|names| names.contains(&param.name));
            if !is_linked {
                continue;
            }
            let (element, value) = if let Ty::Map(_) = ty {
                ty.key_and_value()
            } else {
                (ty.element(), Ty::Unknown)
            };
            if !element.is_unknown() {
                found.element.get_or_insert(element);
            }
            if !value.is_unknown() {
                found.value.get_or_insert(value);
            }
        }
        found
    }

    /// What a parameter must be, and what was passed for it, element for element.
    fn wanted(
        &self,
        function: &Function,
        param: &Property,
        ty: Ty<'a>,
    ) -> [Option<(Ty<'a>, Ty<'a>)>; 2] {
        let meta = &function.meta;
        // The engine's map functions call keys and values so.
        let is_value = param.name.as_str().to_ascii_lowercase().contains("value");
        let single = if !meta.map_parm.is_empty() && is_value {
            self.value
        } else {
            self.element
        };
        let is_dependent = meta.array_type_dependent.contains(&param.name)
            || !meta.set_parm.is_empty()
            || !meta.map_parm.is_empty()
            || meta.array_parm.contains(&param.name);
        if !is_dependent {
            return [None, None];
        }
        if param.ty == PropertyType::Wildcard {
            return [single.map(|wanted| (wanted, ty)), None];
        }
        if let PropertyType::Array(inner) | PropertyType::Set(inner) = &param.ty
            && **inner == PropertyType::Wildcard
        {
            return [single.map(|wanted| (wanted, ty.element())), None];
        }
        if let PropertyType::Map(_) = &param.ty {
            let (key, value) = ty.key_and_value();
            return [
                self.element.map(|wanted| (wanted, key)),
                self.value.map(|wanted| (wanted, value)),
            ];
        }
        [None, None]
    }
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
