//! The fast tier: functions as register code.
//!
//! A function is lowered when it is first called: one pass over its bytes gives typed instructions over the same
//! frames, objects and heaps that the reference interpreter has ([`lower`]); [`machine`] runs them. Both tiers
//! may take turns at every statement, and do: what the lowering does not know, what a guard or a fault has to
//! report, and everything while somebody watches statements or has hooks on opcodes is the reference
//! interpreter's. So there is one place for each rule, and results, logs, faults, the order of native calls and
//! the statements counted are the same.
//!
//! What the two need not have in common: a temporary of a function that is written once and read once may
//! never be written; the peak of memory counts frames as they are here.

mod code;
mod intrinsics;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not known here is left to the reference interpreter, a new opcode too"
)]
mod lower;
#[expect(
    unsafe_code,
    reason = "handlers work on raw words; what makes that sound is said in the module"
)]
mod machine;

use crate::error::{Run, RunError};
use crate::exec::OutParms;
use crate::ids::{FunctionId, ObjectHandle};
use crate::memory::Place;
use crate::program::{Body, FunctionInfo};
use crate::vm::Vm;
use crate::world::{Argument, Event};
use bp_reflect::FunctionFlags;

pub(crate) use code::FastCode;
pub use machine::IS_THREADED;

/// What runs functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tier {
    /// The byte interpreter only: the reference.
    Reference,
    /// Register code wherever nobody watches.
    #[default]
    Fast,
}

/// Register code by function.
#[derive(Debug, Default)]
pub(crate) struct Fast {
    pub(crate) tier: Tier,
    codes: Vec<State>,
    /// Whether statements remember that they ran; codes are made for one or the other.
    marks: bool,
    /// Kept between runs, so that they allocate nothing.
    frames: machine::Reserve,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unknown,
    /// The reference interpreter runs it.
    Left,
    Ready(Box<FastCode>),
}

impl Vm {
    /// Runs a function as register code, if it has such and nobody watches.
    pub(crate) fn run_fast(
        &mut self,
        function: FunctionId,
        object: ObjectHandle,
        locals: Place,
        outs: &OutParms,
    ) -> Option<Run> {
        if self.fast.tier == Tier::Reference
            || self.hooks.is_observed()
            || self.overrides.is_some()
            || self.guard.transactions > 0
        {
            return None;
        }
        let marks = self.hooks.is_awake;
        if marks != self.fast.marks {
            if self.calls.len() > 1 {
                return None;
            }
            self.fast.marks = marks;
            self.fast.codes.clear();
        }
        let code = self.fast_code(function)?;
        machine::run(self, code, object, locals, outs).map(|done| done.map_err(|error| *error))
    }

    /// Sends an event straight to register code; none if the longer way has to be gone.
    pub(crate) fn send_fast(
        &mut self,
        object: ObjectHandle,
        event: &Event,
        arguments: &[Argument],
    ) -> Option<Result<(), Box<RunError>>> {
        if self.fast.tier == Tier::Reference
            || self.hooks.is_awake
            || self.fast.marks
            || self.overrides.is_some()
            || !self.calls.is_empty()
            || self.has_to_check()
        {
            return None;
        }
        let known = self.fast.codes.get(event.function.0 as usize);
        let code = if let Some(State::Ready(code)) = known {
            &raw const **code
        } else {
            let info = self.program.function(event.function).clone();
            if !can_be_entered(&info) {
                return None;
            }
            self.fast_code(event.function)?
        };
        machine::send(self, code, object, event, arguments)
    }

    /// What the fast tier makes of a function, as text.
    pub(crate) fn register_code(&mut self, function: FunctionId) -> Result<String, &'static str> {
        lower::listing(self, function)
    }

    /// The register code of a function. It stays where it is as long as the world lives.
    fn fast_code(&mut self, function: FunctionId) -> Option<*const FastCode> {
        let index = function.0 as usize;
        if self.fast.codes.len() <= index {
            let len = self.program.functions.len();
            self.fast.codes.resize_with(len, State::default);
        }
        if matches!(self.fast.codes[index], State::Unknown) {
            self.fast.codes[index] = match lower::lower(self, function) {
                Some(code) => State::Ready(Box::new(code)),
                None => State::Left,
            };
        }
        match &self.fast.codes[index] {
            State::Ready(code) => Some(&raw const **code),
            State::Unknown | State::Left => None,
        }
    }

    /// The code of a function that is to be called in place of another with its arguments laid out for that.
    fn fast_callee(
        &mut self,
        function: FunctionId,
        expected: FunctionId,
        object: ObjectHandle,
    ) -> Option<*const FastCode> {
        let info = self.program.function(function).clone();
        if !can_be_entered(&info) {
            return None;
        }
        let class = self.class_of(object)?;
        if !info
            .class
            .is_some_and(|owner| self.program.is_child_of(class, owner))
        {
            return None;
        }
        if function != expected {
            let expected = self.program.function(expected);
            let same = expected.params.len() == info.params.len()
                && expected.params.iter().zip(&info.params).all(|(a, b)| {
                    (a.ty, a.offset, a.is_out, a.is_return)
                        == (b.ty, b.offset, b.is_out, b.is_return)
                });
            if !same {
                return None;
            }
        }
        self.fast_code(function)
    }
}

/// Whether a function's frame is made by zeroing it.
fn can_be_entered(info: &FunctionInfo) -> bool {
    matches!(info.body, Body::Script(_))
        && !info.flags.contains(FunctionFlags::NET)
        && info.constructed.is_empty()
}
