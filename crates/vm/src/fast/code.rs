//! Register code: what the fast tier runs.

use std::cell::Cell;
use std::sync::Arc;

use super::machine::Handler;
use crate::ids::{ClassId, FunctionId, NameId, TypeId};
use crate::natives::Native;
use crate::program::FunctionInfo;

/// What an operand is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Base {
    /// Parameters and locals of the function: on the frame stack, or the persistent frame of an event graph.
    Locals,
    /// What only this tier has, behind the frame: places of outputs, temporaries, and the arguments of the
    /// call being made.
    Temps,
    /// The variables of the object the function runs on.
    Object,
}

/// Words somewhere: bytes from a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Operand {
    pub(crate) base: Base,
    pub(crate) at: u32,
}

impl Operand {
    pub(crate) fn new(base: Base, words: u32) -> Self {
        Self {
            base,
            at: words * 8,
        }
    }

    /// The operand so many words further on.
    pub(crate) fn plus(self, words: u32) -> Self {
        Self {
            base: self.base,
            at: self.at + words * 8,
        }
    }

    /// Base and place in one number, for instructions that look the base up when they run.
    pub(crate) fn packed(self) -> u32 {
        let base = match self.base {
            Base::Locals => 0,
            Base::Temps => 1,
            Base::Object => 2,
        };
        (base << 30) | self.at
    }

    /// Largest place that [`Operand::packed`] holds, in bytes.
    pub(crate) const LIMIT: u32 = 1 << 29;
}

/// One instruction. What `a` to `d` mean is its handler's.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Ins {
    pub(crate) handler: Handler,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
    pub(crate) d: u32,
}

/// One statement of the script, or a few that became one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    /// Where it starts in the script.
    pub(crate) offset: u32,
    /// Its first instruction.
    pub(crate) ins: u32,
    /// Statements of the script in it.
    pub(crate) count: u32,
    /// Statements of the script from its start to the end of its block: what is paid to enter the block here.
    pub(crate) to_pay: u32,
    /// The flow stack before it, in [`FastCode::flows`].
    pub(crate) flow: u32,
}

/// A call of a script function.
#[derive(Debug)]
pub(crate) struct CallSite {
    pub(crate) function: FunctionId,
    /// For a call by name: the name, and the class that the function was found for.
    pub(crate) by_name: Option<NameId>,
    /// The statement the call is in.
    pub(crate) statement: u32,
    /// Places for the callee's outputs, in order of its output parameters.
    pub(crate) outs: Vec<OutOperand>,
    /// The same as the instruction takes them, see [`OutPlace::packed`].
    pub(crate) packed_outs: Box<[u32]>,
    /// How deep in expressions the call is.
    pub(crate) depth: u32,
    /// What was found last: the class of the object, and the code.
    pub(crate) class: Cell<Option<ClassId>>,
    pub(crate) code: Cell<*const FastCode>,
}

/// Where an output goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOperand {
    pub(crate) place: OutPlace,
    pub(crate) ty: TypeId,
    /// The variable the place was found through, for messages.
    pub(crate) name: Option<NameId>,
}

/// See [`OutOperand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutPlace {
    Here(Operand),
    /// An output of the caller itself, handed on: its number.
    Out(u32),
}

impl OutPlace {
    /// In one number: a packed operand, or the number of an output with the base that no operand has.
    pub(crate) fn packed(self) -> u32 {
        match self {
            Self::Here(operand) => operand.packed(),
            Self::Out(number) => (3 << 30) | number,
        }
    }
}

/// A call of a native function.
#[derive(Debug)]
pub(crate) struct NativeSite {
    pub(crate) function: Arc<FunctionInfo>,
    /// What the function runs.
    pub(crate) native: Native,
    /// What it is called on; the default object of its class if there is none.
    pub(crate) object: NativeObject,
    /// The statement the call is in.
    pub(crate) statement: u32,
    /// Outputs and wildcards by offset of the parameter, in words.
    pub(crate) outs: Vec<(u32, OutOperand)>,
    /// Where the result goes and its type; none if nobody wants it.
    pub(crate) result: Option<OutOperand>,
    /// Where the arguments start.
    pub(crate) arguments: Operand,
    /// Strings and the like among the arguments.
    pub(crate) owned: Vec<OwnedArgument>,
    /// How deep in expressions the call is.
    pub(crate) depth: u32,
}

/// What a native function is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeObject {
    /// The object the caller runs on.
    Own,
    /// This one.
    Fixed(u64),
    /// The object whose word is here, checked by the instruction before.
    At(Operand),
}

/// An argument that owns something, copied into its place right before the call.
#[derive(Clone, Debug)]
pub(crate) struct OwnedArgument {
    /// Words before it in the arguments.
    pub(crate) offset: u32,
    pub(crate) ty: TypeId,
    pub(crate) source: OwnedSource,
}

#[derive(Clone, Debug)]
pub(crate) enum OwnedSource {
    Place(OutPlace),
    Literal(Arc<str>),
}

/// A copy of a value that owns something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnedCopy {
    pub(crate) to: OutPlace,
    pub(crate) from: OutPlace,
    pub(crate) ty: TypeId,
    /// The statement the copy is.
    pub(crate) statement: u32,
}

/// A function that only hands its parameters to the event graph and starts it.
#[derive(Clone, Debug)]
pub(crate) struct Stub {
    /// Parameters by offset in words, and where each goes in the persistent frames.
    pub(crate) copies: Vec<(u32, u32)>,
    /// What the graph is entered with.
    pub(crate) entry: u64,
    /// The call, the first in [`FastCode::calls`], is in this statement.
    pub(crate) statement: u32,
    /// Statements of the script, all of which run.
    pub(crate) count: u32,
}

/// The register code of one function.
#[derive(Debug)]
pub(crate) struct FastCode {
    pub(crate) function: Arc<FunctionInfo>,
    pub(crate) ins: Box<[Ins]>,
    /// By instruction and by offset.
    pub(crate) statements: Box<[Statement]>,
    /// Flow stacks of statements, outermost target first; the first is empty.
    pub(crate) flows: Vec<Vec<u32>>,
    pub(crate) calls: Box<[CallSite]>,
    pub(crate) natives: Box<[NativeSite]>,
    pub(crate) copies: Box<[OwnedCopy]>,
    /// Parameters that are outputs, by offset in words: their number is the word among the temporaries that
    /// says where the output goes.
    pub(crate) outs: Vec<(u32, TypeId)>,
    /// Words of parameters and locals.
    pub(crate) local_words: u32,
    /// Words behind the locals: places of outputs and temporaries.
    pub(crate) temp_words: u32,
    /// The same with the arguments of calls.
    pub(crate) room_words: u32,
    /// Words of the object's variables that it reaches.
    pub(crate) object_words: u32,
    /// Expressions nested in each other at most.
    pub(crate) depth: u32,
    /// Statements that its frame counts for, see `frame_statements`.
    pub(crate) large: i64,
    /// Statements of its first block.
    pub(crate) entry_cost: u32,
    /// Whether entering it is more than zeroing its locals: the frame is persistent, owns something or is large.
    pub(crate) is_special: bool,
    /// Whether its frame is made by zeroing it, wherever it is called from.
    pub(crate) may_be_sent: bool,
    /// What it does, if that is no more than to start the event graph.
    pub(crate) stub: Option<Stub>,
    /// Where the last computed jump led.
    pub(crate) last_jump: Cell<Statement>,
}

impl FastCode {
    /// The statement that an instruction belongs to.
    pub(crate) fn statement_of(&self, ins: u32) -> usize {
        self.statements.partition_point(|s| s.ins <= ins) - 1
    }

    /// The first statement that starts with an instruction: those in front of it that have none of their own
    /// are entered with it. None in the middle of one.
    pub(crate) fn entered_at(&self, ins: u32) -> Option<&Statement> {
        let index = self.statements.partition_point(|s| s.ins < ins);
        self.statements.get(index).filter(|s| s.ins == ins)
    }

    /// The statement that starts at an offset of the script.
    pub(crate) fn statement_at(&self, offset: u32) -> Option<&Statement> {
        let found = self.statements.binary_search_by_key(&offset, |s| s.offset);
        found.ok().map(|index| &self.statements[index])
    }
}
