//! The byte interpreter: one handler per opcode, called through a table.
//!
//! A handler reads its operands from the frame, runs nested expressions with [`Vm::step`], and hands
//! its value to the destination it was given. `object` is the object that member variables and
//! virtual calls mean; the frame's own object is what arguments are evaluated with.

#![expect(
    clippy::unnecessary_wraps,
    reason = "handlers share one shape, also those that cannot fail"
)]

mod calls;
mod casts;
mod constants;
mod containers;
mod context;
mod delegates;
mod flow;
mod frame;
mod hooks;
mod lets;
mod overrides;
mod transactions;
mod variables;

use bp_bytecode::Opcode;

pub use overrides::{Execution, OpcodeHook};

pub(crate) use overrides::Overrides;

pub(crate) use frame::{Dest, Frame, OutParm, OutParms, Recent};
pub(crate) use hooks::Hooks;
pub use hooks::{Control, Observer, Paused, Script, ScriptId};

use crate::error::{FaultKind, LimitKind, Run};
use crate::ids::{ObjectHandle, TypeId};
use crate::memory::{Mark, Place, StackBlock, TypedPlace};
use crate::vm::Vm;

/// What runs for one opcode. The opcode's byte is behind the frame's cursor already.
pub(crate) type Handler = fn(&mut Vm, &mut Frame, ObjectHandle, Dest) -> Run;

/// Slots of the handler table: every byte but the last (`EX_Max`).
pub const HANDLER_SLOTS: usize = 255;

static HANDLERS: [Handler; HANDLER_SLOTS] = handlers();

/// Number of opcodes that have a handler of their own.
///
/// `EX_Return` ends the loop that runs statements and has none; nor have the terminators and
/// `EX_Skip`, which no engine executes.
pub fn handler_count() -> usize {
    HANDLERS
        .iter()
        .filter(|handler| !std::ptr::fn_addr_eq(**handler, undefined as Handler))
        .count()
}

/// Whether an opcode is counted by [`handler_count`].
pub(crate) fn has_handler(opcode: Opcode) -> bool {
    let handler = HANDLERS.get(opcode.byte() as usize);
    handler.is_some_and(|handler| !std::ptr::fn_addr_eq(*handler, undefined as Handler))
}

const fn handlers() -> [Handler; HANDLER_SLOTS] {
    let mut table: [Handler; HANDLER_SLOTS] = [undefined; HANDLER_SLOTS];
    macro_rules! on {
        ($($op:ident => $handler:path),* $(,)?) => { $(table[Opcode::$op as usize] = $handler;)* };
    }
    on! {
        LocalVariable => variables::local,
        InstanceVariable => variables::instance,
        DefaultVariable => variables::default,
        LocalOutVariable => variables::local_out,
        ClassSparseDataVariable => variables::default,
        Self_ => variables::this,
        StructMemberContext => variables::struct_member,
        ArrayGetByRef => variables::array_element,

        Context => context::context,
        ContextFailSilent => context::context_silent,
        ClassContext => context::class_context,
        InterfaceContext => context::interface_context,

        VirtualFunction => calls::virtual_function,
        LocalVirtualFunction => calls::virtual_function,
        FinalFunction => calls::final_function,
        LocalFinalFunction => calls::final_function,
        CallMath => calls::call_math,

        Jump => flow::jump,
        JumpIfNot => flow::jump_if_not,
        ComputedJump => flow::computed_jump,
        SwitchValue => flow::switch_value,
        PushExecutionFlow => flow::push_execution_flow,
        PopExecutionFlow => flow::pop_execution_flow,
        PopExecutionFlowIfNot => flow::pop_execution_flow_if_not,
        Assert => flow::assert,
        EndOfScript => flow::end_of_script,
        Nothing => flow::nothing,
        NothingInt32 => flow::nothing_int,
        DeprecatedOp4A => flow::nothing,
        Breakpoint => flow::nothing,
        Tracepoint => flow::nothing,
        WireTracepoint => flow::nothing,
        InstrumentationEvent => flow::instrumentation,

        Let => lets::assign,
        LetBool => lets::assign_silent,
        LetObj => lets::assign_object,
        LetWeakObjPtr => lets::assign_object,
        LetDelegate => lets::assign_silent,
        LetMulticastDelegate => lets::assign_silent,
        LetValueOnPersistentFrame => lets::assign_persistent,

        IntConst => constants::int,
        IntConstByte => constants::int_byte,
        IntZero => constants::zero,
        IntOne => constants::one,
        Int64Const => constants::int64,
        UInt64Const => constants::uint64,
        ByteConst => constants::byte,
        FloatConst => constants::float,
        DoubleConst => constants::double,
        True => constants::yes,
        False => constants::no,
        NameConst => constants::name,
        StringConst => constants::string,
        UnicodeStringConst => constants::unicode_string,
        TextConst => constants::text,
        ObjectConst => constants::object,
        SoftObjectConst => constants::path,
        FieldPathConst => constants::path,
        PropertyConst => constants::property,
        SkipOffsetConst => constants::skip_offset,
        NoObject => constants::no_object,
        NoInterface => constants::no_object,
        VectorConst => constants::vector,
        Vector3fConst => constants::vector3f,
        RotationConst => constants::rotator,
        TransformConst => constants::transform,
        BitFieldConst => constants::bit_field,
        StructConst => constants::structure,

        SetArray => containers::set_array,
        SetSet => containers::set_set,
        SetMap => containers::set_map,
        ArrayConst => containers::array_const,
        SetConst => containers::set_const,
        MapConst => containers::map_const,

        DynamicCast => casts::dynamic_cast,
        MetaCast => casts::meta_cast,
        ObjToInterfaceCast => casts::dynamic_cast,
        CrossInterfaceCast => casts::dynamic_cast,
        InterfaceToObjCast => casts::dynamic_cast,
        Cast => casts::primitive,

        InstanceDelegate => delegates::instance,
        BindDelegate => delegates::bind,
        AddMulticastDelegate => delegates::add,
        RemoveMulticastDelegate => delegates::remove,
        ClearMulticastDelegate => delegates::clear,
        CallMulticastDelegate => delegates::call,

        AutoRtfmTransact => transactions::transact,
        AutoRtfmAbortIfNot => transactions::abort_if_not,
        AutoRtfmAbort => transactions::abort,
    }
    table
}

fn undefined(vm: &mut Vm, frame: &mut Frame, _: ObjectHandle, _: Dest) -> Run {
    let at = frame.ip.saturating_sub(1);
    let byte = frame.code.bytes.get(at).copied().unwrap_or_default();
    if let Some(call) = vm.calls.last_mut() {
        call.statement = at;
    }
    vm.fault(FaultKind::UndefinedOpcode(byte))
}

impl Vm {
    /// Runs the expression at the frame's cursor.
    pub(crate) fn step(&mut self, frame: &mut Frame, object: ObjectHandle, dest: Dest) -> Run {
        let Some(byte) = frame.peek() else {
            return self.fault(FaultKind::RanPastEnd);
        };
        if self.guard.nesting >= self.limits.nesting {
            return self.limit(LimitKind::Nesting(self.limits.nesting));
        }
        self.guard.nesting += 1;
        frame.ip += 1;
        let handler = HANDLERS.get(byte as usize).copied().unwrap_or(undefined);
        let result = if self.overrides.is_some() {
            self.hooked(handler, frame, object, dest)
        } else {
            handler(self, frame, object, dest)
        };
        self.guard.nesting -= 1;
        result
    }

    /// Hands over a value that lies nowhere; `words` own what they refer to.
    pub(crate) fn give(&mut self, frame: &mut Frame, dest: Dest, ty: TypeId, words: &[u64]) {
        match dest {
            Dest::Place(place) => self.memory.store(place, ty, words),
            Dest::Push | Dest::Refer => {
                let place = self.memory.push_value(ty, words);
                frame.set_recent(place, ty);
            }
            Dest::Discard => {
                self.memory.disown(ty, words);
                frame.recent.place = None;
            }
        }
    }

    /// Hands over the value of a variable.
    pub(crate) fn give_variable(
        &mut self,
        frame: &mut Frame,
        dest: Dest,
        place: Place,
        ty: TypeId,
    ) {
        match dest {
            Dest::Place(to) => {
                if self.memory.types.words(ty) == 1 && self.memory.types.is_plain(ty) {
                    let word = self.memory.word(place);
                    self.memory.store(to, ty, &[word]);
                } else {
                    self.memory.copy(to, place, ty);
                }
            }
            Dest::Push => {
                let words = self.memory.copied(place, ty);
                let place = self.memory.push_value(ty, &words);
                frame.set_recent(place, ty);
            }
            Dest::Refer | Dest::Discard => frame.set_recent(place, ty),
        }
    }

    /// Hands over the zero of a type, where there is no value. A referring reader gets no place.
    pub(crate) fn give_zero(&mut self, frame: &mut Frame, dest: Dest, ty: TypeId) {
        match dest {
            Dest::Place(place) => {
                if ty != TypeId::NOTHING {
                    self.memory.clear(place, ty);
                }
            }
            Dest::Push => {
                let place = self.memory.push_default(ty);
                frame.set_recent(place, ty);
            }
            Dest::Refer | Dest::Discard => frame.recent.place = None,
        }
    }

    /// Evaluates an expression onto the stack. The caller releases it.
    pub(crate) fn eval(&mut self, frame: &mut Frame, object: ObjectHandle) -> Run<TypedPlace> {
        frame.recent.place = None;
        self.step(frame, object, Dest::Push)?;
        Ok(frame.recent.place.unwrap_or_else(|| TypedPlace {
            place: self.memory.push_default(TypeId::NOTHING),
            ty: TypeId::NOTHING,
        }))
    }

    /// Evaluates an expression of one word that owns nothing.
    pub(crate) fn eval_word(&mut self, frame: &mut Frame, object: ObjectHandle) -> Run<u64> {
        let mark = self.memory.mark();
        let value = self.eval(frame, object)?;
        let word = self.memory.word(value.place);
        self.release(mark);
        Ok(word)
    }

    pub(crate) fn eval_bool(&mut self, frame: &mut Frame) -> Run<bool> {
        let object = frame.object;
        Ok(self.eval_word(frame, object)? != 0)
    }

    pub(crate) fn eval_object(
        &mut self,
        frame: &mut Frame,
        object: ObjectHandle,
    ) -> Run<ObjectHandle> {
        Ok(ObjectHandle(self.eval_word(frame, object)?))
    }

    /// Evaluates an expression of a string.
    pub(crate) fn eval_string(&mut self, frame: &mut Frame) -> Run<String> {
        let mark = self.memory.mark();
        let object = frame.object;
        let value = self.eval(frame, object)?;
        let text = self.memory.string(self.memory.word(value.place)).to_owned();
        self.release(mark);
        Ok(text)
    }

    /// Finds the place of an expression; none if there is no object to have it.
    pub(crate) fn refer(
        &mut self,
        frame: &mut Frame,
        object: ObjectHandle,
    ) -> Run<Option<TypedPlace>> {
        frame.recent = Recent::default();
        self.step(frame, object, Dest::Refer)?;
        Ok(frame.recent.place)
    }

    /// Gives up everything that was pushed since the mark.
    pub(crate) fn release(&mut self, mark: Mark) {
        while self.memory.blocks.len() > mark.blocks {
            match self.memory.blocks.pop() {
                Some(StackBlock::Value(at, ty)) => {
                    let words = self.memory.types.words(ty) as usize;
                    let at = at as usize;
                    let words =
                        crate::memory::Words::from_slice(&self.memory.stack[at..at + words]);
                    self.memory.disown(ty, &words);
                }
                Some(StackBlock::Frame(at, function)) => {
                    let function = self.program.function(function).clone();
                    for (offset, owned) in &function.owned {
                        let word = self.memory.stack[(at + offset) as usize];
                        self.memory.disown_word(*owned, word);
                    }
                }
                None => break,
            }
        }
        self.memory.stack.truncate(mark.words);
    }
}
