//! Calls: which opcode, on what.

use bp_bytecode::{Expr, Opcode};
use bp_reflect::FunctionFlags;

use super::Emitter;
use super::terms::object_const;
use crate::ir::{Call, CallTarget};

impl Emitter<'_, '_> {
    /// A call as a statement: with its object around it, and the assignment of its result around that.
    pub(super) fn call(&mut self, call: &Call) -> Expr {
        let target = &call.target;
        let arguments: Vec<Expr> = call
            .arguments
            .iter()
            .map(|argument| self.term(*argument))
            .collect();
        let op = self.call_opcode(target, call.is_parent);
        let by_name = matches!(op, Opcode::VirtualFunction | Opcode::LocalVirtualFunction);
        let inner = if by_name {
            Expr::call_named(op, target.name.clone(), arguments)
        } else {
            Expr::call(op, target.class.member(&target.name), arguments)
        };
        let rvalue = call.result.and_then(|result| self.property_of(result));
        let own_class = self.ir.path.outer();
        let expr = if op == Opcode::CallMath {
            inner
        } else if target.flags.contains(FunctionFlags::STATIC) {
            // A library works on its default object; inside the library itself, on the current one.
            if own_class.as_ref() == Some(&target.class) {
                inner
            } else {
                let object = object_const(Some(target.class.default_object()));
                Expr::context(Opcode::Context, object, rvalue, inner)
            }
        } else {
            match call.object {
                None => inner,
                Some(object) => {
                    let term = self.term(object);
                    let object = if call.through_interface {
                        Expr::unary(Opcode::InterfaceContext, term)
                    } else {
                        term
                    };
                    Expr::context(Opcode::Context, object, rvalue, inner)
                }
            }
        };
        match call.result {
            Some(result) => self.assignment(result, expr),
            None => expr,
        }
    }

    /// The opcode of a call.
    ///
    /// Source: 26,838 of 26,839 calls of known functions in real packages agree. Custom-thunk and
    /// cosmetic library functions go through the library's default object.
    fn call_opcode(&self, target: &CallTarget, is_parent: bool) -> Opcode {
        let dialect = self.cx.dialect;
        let flags = target.flags;
        let is_native = flags.contains(FunctionFlags::NATIVE);
        let is_final = flags.contains(FunctionFlags::FINAL);
        // Such calls may have to go elsewhere, or nowhere: the callee must decide.
        let may_not_run_here = flags.intersects(
            FunctionFlags::NET_FUNC_FLAGS
                | FunctionFlags::AUTHORITY_ONLY
                | FunctionFlags::COSMETIC
                | FunctionFlags::NET_REQUEST
                | FunctionFlags::NET_RESPONSE,
        );
        let is_local = !is_native && !may_not_run_here && dialect.has_local_calls();
        if flags.contains(FunctionFlags::STATIC) {
            let is_math = is_native
                && is_final
                && !may_not_run_here
                && !target.custom_thunk
                && (dialect.has_call_math_everywhere()
                    || target.class.name() == "KismetMathLibrary");
            return match (is_math, is_native, is_local) {
                (true, ..) => Opcode::CallMath,
                (false, true, _) => Opcode::FinalFunction,
                (false, false, true) => Opcode::LocalVirtualFunction,
                (false, false, false) => Opcode::VirtualFunction,
            };
        }
        match (is_final || is_parent, is_local) {
            (true, true) => Opcode::LocalFinalFunction,
            (true, false) => Opcode::FinalFunction,
            (false, true) => Opcode::LocalVirtualFunction,
            (false, false) => Opcode::VirtualFunction,
        }
    }
}
