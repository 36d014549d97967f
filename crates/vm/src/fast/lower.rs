//! From the bytes of a verified script to register code.
//!
//! First each statement becomes [`Step`]s: its operands are typed, so every value has its words at a known
//! distance from a known base, and a literal is in the step. A statement that cannot be said so is one step:
//! [`Step::Slow`]. Then what was computed only to be copied or tested is computed where it goes ([`fuse`]),
//! and [`finish`] gives steps their handlers and jumps their distances.
//!
//! The flow stack is known at every statement, or the function is left to the reference interpreter: what
//! `PushExecutionFlow` pushes is followed along all ways through the script, and a pop becomes a jump.

mod calls;
mod finish;
mod flow;
mod fuse;
mod read;
mod values;

use std::sync::Arc;

use bp_bytecode::Opcode;

use super::code::{Base, CallSite, FastCode, NativeSite, Operand, OutOperand, OutPlace, OwnedCopy};
use super::machine::{Arithmetic, Compare, FlatOp};
use crate::ids::{ClassId, FunctionId, TypeId};
use crate::program::{Body, Code, FunctionInfo, PropertySlot, References};
use crate::vm::Vm;

/// The register code of a function; none if it is better left to the reference interpreter.
pub(super) fn lower(vm: &mut Vm, function: FunctionId) -> Option<FastCode> {
    let info = vm.program.function(function).clone();
    let Body::Script(code) = &info.body else {
        return None;
    };
    let code = code.clone();
    let references = vm.program.references[code.package].clone();
    let mut lowering = Lowering::new(vm, &info, &code, &references);
    lowering.read_all()?;
    let flows = flow::follow(&mut lowering.statements)?;
    fuse::fuse(&mut lowering);
    finish::finish(lowering, flows)
}

/// The steps of a function as text, a statement a line; why there are none, if so.
pub(super) fn listing(vm: &mut Vm, function: FunctionId) -> Result<String, &'static str> {
    let info = vm.program.function(function).clone();
    let Body::Script(code) = &info.body else {
        return Err("it has no script");
    };
    let code = code.clone();
    let references = vm.program.references[code.package].clone();
    let mut lowering = Lowering::new(vm, &info, &code, &references);
    lowering
        .read_all()
        .ok_or("a statement of it moves the flow stack in a way that only runs tell")?;
    let flows = flow::follow(&mut lowering.statements)
        .ok_or("a statement of it is reached with different flow stacks")?;
    fuse::fuse(&mut lowering);
    let mut text = String::new();
    let statements = &lowering.statements;
    for (index, statement) in statements.iter().enumerate() {
        let end = statements
            .get(index + 1)
            .map_or(lowering.steps.len(), |next| next.first as usize);
        let steps = &lowering.steps[statement.first as usize..end];
        let flow = &flows[statement.flow as usize];
        let line = format!(
            "{:#06X} {}{}{flow:X?} {steps:?}\n",
            statement.offset,
            if statement.is_target { '>' } else { ' ' },
            statement.count,
        );
        text.push_str(&line);
    }
    Ok(text)
}

/// A second operand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    At(Operand),
    Literal(u64),
}

/// One instruction to be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Literal(Operand, u64),
    Copy(Operand, Operand, u32),
    Zero(Operand, u32),
    LoadOut(Operand, u32, u32),
    StoreOut(u32, Operand, u32),
    Arithmetic(Arithmetic, Operand, Operand, Source),
    Compare(Compare, Operand, Operand, Source),
    Flat(FlatOp, Operand, [Operand; 3]),
    OwnObject(Operand),
    ArrayLen(Operand, Operand, i32),
    /// To or from, array, index, and which words of the element.
    ArrayGet(Operand, Operand, Operand, Part),
    ArraySet(Operand, Operand, Operand, Part),
    ArrayAdd(Operand, Operand, Operand, u32),
    /// To, object, offset and number of words.
    ObjectGet(Operand, Operand, u32, u32),
    ObjectSet(Operand, Operand, u32, u32),
    ObjectCheck(Operand),
    ObjectCast(Operand, Operand, ClassId),
    ObjectExists(Operand, Operand),
    ObjectLive(Operand, Operand),
    /// To an offset of the script.
    Jump(u32),
    JumpIfNot(Operand, u32),
    BranchIfNot(Compare, Operand, Source, u32),
    /// The same unless the word is true as well.
    BranchIfNotBoth(Operand, Compare, Operand, Source, u32),
    ComputedJump(Operand),
    /// Into the persistent frame of the object: from, offset and number of words.
    StorePersistent(Operand, u32, u32),
    /// So many steps on, if the words differ.
    SkipUnlessEqual(Operand, Operand, u32),
    Skip(u32),
    /// Number of the site, and words of the arguments that are written.
    Call(u32, u32),
    Native(u32),
    /// Copies a value that owns something: number of the copy.
    CopyOwned(u32),
    /// Remembers that the statement ran.
    Mark(u32),
    Slow,
    /// The reference interpreter finishes the function from this statement on.
    Leave,
    Return,
}

/// Some words of an array's element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    stride: u32,
    offset: u32,
    words: u32,
}

impl Part {
    fn whole(words: u32) -> Self {
        Self {
            stride: words,
            offset: 0,
            words,
        }
    }

    /// As one number for an instruction.
    fn packed(self) -> Option<u32> {
        let fits = self.stride < 1 << 12 && self.offset < 1 << 12 && self.words < 1 << 8;
        fits.then_some(self.stride | (self.offset << 12) | (self.words << 24))
    }
}

/// What a statement does to the order of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Calls something, or is the reference interpreter's: statements behind it are paid for anew.
    Call,
    Jump(u32),
    JumpIfNot(u32),
    ComputedJump,
    Push(u32),
    Pop,
    PopIfNot,
    Return,
}

#[derive(Clone, Debug)]
struct RawStatement {
    offset: u32,
    count: u32,
    kind: Kind,
    /// Its first step; its last is in front of the next statement's first.
    first: u32,
    /// Number of its flow stack.
    flow: u32,
    /// Whether something jumps there.
    is_target: bool,
}

/// A value whose type has these words.
#[derive(Clone, Copy, Debug)]
struct Value {
    source: Source,
    ty: TypeId,
}

/// A statement that has no steps.
struct Unfit;

type Fit<T> = Result<T, Unfit>;

struct Lowering<'a> {
    vm: &'a mut Vm,
    info: &'a Arc<FunctionInfo>,
    code: &'a Arc<Code>,
    references: &'a Arc<References>,
    /// Where the next byte is read.
    at: usize,
    steps: Vec<Step>,
    statements: Vec<RawStatement>,
    calls: Vec<CallSite>,
    natives: Vec<NativeSite>,
    copies: Vec<OwnedCopy>,
    /// Whether statements remember that they ran.
    marks: bool,
    outs: Vec<(u32, TypeId)>,
    /// Words that the running statement has among the temporaries, and the most that any has.
    temps: u32,
    most_temps: u32,
    /// The most words that arguments take.
    argument_words: u32,
    /// How often each word of the locals is named.
    uses: Vec<u32>,
    object_words: u32,
    /// Where the running statement starts.
    statement: u32,
    /// Expressions that are open, and the most that ever were.
    depth: u32,
    most_depth: u32,
    /// The running statement has called something.
    has_called: bool,
    /// It has changed something already: nothing behind that may need to be done over.
    has_changed: bool,
}

impl<'a> Lowering<'a> {
    fn new(
        vm: &'a mut Vm,
        info: &'a Arc<FunctionInfo>,
        code: &'a Arc<Code>,
        references: &'a Arc<References>,
    ) -> Self {
        let outs: Vec<_> = info
            .arguments()
            .filter(|param| param.is_out)
            .map(|param| (param.offset, param.ty))
            .collect();
        let n_outs = outs.len() as u32;
        let vm_marks = vm.fast.marks;
        Self {
            vm,
            info,
            code,
            references,
            at: 0,
            steps: Vec::with_capacity(code.bytes.len() / 16),
            statements: Vec::with_capacity(code.bytes.len() / 24),
            calls: Vec::new(),
            natives: Vec::new(),
            copies: Vec::new(),
            marks: vm_marks,
            outs,
            temps: n_outs,
            most_temps: n_outs,
            argument_words: 0,
            uses: vec![0; info.words as usize],
            object_words: 0,
            statement: 0,
            depth: 0,
            most_depth: 0,
            has_called: false,
            has_changed: false,
        }
    }

    fn n_outs(&self) -> u32 {
        self.outs.len() as u32
    }

    /// Reads every statement.
    fn read_all(&mut self) -> Option<()> {
        while self.at < self.code.bytes.len() {
            let start = self.at;
            self.statement = start as u32;
            // Once for its extent and what it names, once for what it does.
            self.depth = 0;
            self.walk()?;
            let end = self.at;
            self.at = start;
            self.temps = self.n_outs();
            self.depth = 0;
            self.has_called = false;
            self.has_changed = false;
            let first = self.steps.len();
            if self.marks {
                self.steps.push(Step::Mark(self.statement));
            }
            let (n_steps, n_calls, n_natives, n_copies) = (
                self.steps.len(),
                self.calls.len(),
                self.natives.len(),
                self.copies.len(),
            );
            let kind = match self.read_statement() {
                Ok(kind) if self.at == end => kind,
                _ => {
                    self.steps.truncate(n_steps);
                    self.calls.truncate(n_calls);
                    self.natives.truncate(n_natives);
                    self.copies.truncate(n_copies);
                    self.at = end;
                    match self.kind_of_unfit(start)? {
                        Kind::Return => {
                            self.steps.push(Step::Leave);
                            Kind::Return
                        }
                        kind => {
                            self.steps.push(Step::Slow);
                            kind
                        }
                    }
                }
            };
            let kind = match kind {
                Kind::Plain if self.has_called => Kind::Call,
                kind => kind,
            };
            self.statements.push(RawStatement {
                offset: start as u32,
                count: 1,
                kind,
                first: first as u32,
                flow: u32::MAX,
                is_target: false,
            });
        }
        Some(())
    }

    /// What a statement without steps does; none if the whole function has to be left.
    fn kind_of_unfit(&self, start: usize) -> Option<Kind> {
        let word = |at: usize| {
            let bytes = self.code.bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
        };
        Some(match Opcode::from_byte(self.code.bytes[start])? {
            Opcode::JumpIfNot => Kind::JumpIfNot(word(start + 1)?),
            Opcode::Return => Kind::Return,
            // Their condition or target is more than a value, or the flow stack is in them.
            Opcode::PopExecutionFlowIfNot
            | Opcode::ComputedJump
            | Opcode::PopExecutionFlow
            | Opcode::PushExecutionFlow
            | Opcode::AutoRtfmTransact => return None,
            _ => Kind::Call,
        })
    }

    fn read_statement(&mut self) -> Fit<Kind> {
        let byte = *self.code.bytes.get(self.at).ok_or(Unfit)?;
        let opcode = Opcode::from_byte(byte).ok_or(Unfit)?;
        match opcode {
            Opcode::Tracepoint
            | Opcode::WireTracepoint
            | Opcode::Breakpoint
            | Opcode::DeprecatedOp4A
            | Opcode::Nothing => {
                self.at += 1;
                Ok(Kind::Plain)
            }
            Opcode::NothingInt32 => {
                self.at += 5;
                Ok(Kind::Plain)
            }
            Opcode::Jump => {
                self.at += 1;
                let target = self.u32();
                self.steps.push(Step::Jump(target));
                Ok(Kind::Jump(target))
            }
            Opcode::JumpIfNot => {
                self.at += 1;
                let target = self.u32();
                let condition = self.condition()?;
                self.steps.push(Step::JumpIfNot(condition, target));
                Ok(Kind::JumpIfNot(target))
            }
            Opcode::PushExecutionFlow => {
                self.at += 1;
                Ok(Kind::Push(self.u32()))
            }
            Opcode::PopExecutionFlow => {
                self.at += 1;
                // Where to is known when the flow stack is.
                self.steps.push(Step::Jump(u32::MAX));
                Ok(Kind::Pop)
            }
            Opcode::PopExecutionFlowIfNot => {
                self.at += 1;
                let condition = self.condition()?;
                self.steps.push(Step::JumpIfNot(condition, u32::MAX));
                Ok(Kind::PopIfNot)
            }
            Opcode::ComputedJump => {
                self.at += 1;
                let value = self.value(None)?;
                let target = self.operand(value);
                if self.has_called {
                    return Err(Unfit);
                }
                self.steps.push(Step::ComputedJump(target));
                Ok(Kind::ComputedJump)
            }
            Opcode::Return => {
                self.at += 1;
                self.read_return()?;
                self.steps.push(Step::Return);
                Ok(Kind::Return)
            }
            Opcode::Let
            | Opcode::LetBool
            | Opcode::LetObj
            | Opcode::LetWeakObjPtr
            | Opcode::LetDelegate => {
                self.at += if opcode == Opcode::Let { 9 } else { 1 };
                self.depth += 1;
                self.read_let()?;
                Ok(Kind::Plain)
            }
            Opcode::LetValueOnPersistentFrame => {
                self.at += 1;
                self.depth += 1;
                self.read_let_persistent()?;
                Ok(Kind::Plain)
            }
            Opcode::CallMath
            | Opcode::FinalFunction
            | Opcode::LocalFinalFunction
            | Opcode::VirtualFunction
            | Opcode::LocalVirtualFunction
            | Opcode::Context => {
                self.read_call(None)?;
                Ok(Kind::Plain)
            }
            _ => Err(Unfit),
        }
    }

    /// A condition, as the operand that holds it.
    fn condition(&mut self) -> Fit<Operand> {
        let value = self.value(None)?;
        if self.has_called || self.words(value.ty) != 1 {
            return Err(Unfit);
        }
        Ok(self.operand(value))
    }

    fn read_return(&mut self) -> Fit<()> {
        if self.peek() == Some(Opcode::Nothing) {
            self.at += 1;
            return match self.info.return_value() {
                None => Ok(()),
                // What `Nothing` leaves in the result is the reference interpreter's to know.
                Some(_) => Err(Unfit),
            };
        }
        let Some(param) = self.info.return_value() else {
            return Err(Unfit);
        };
        let (offset, ty) = (param.offset, param.ty);
        if !self.is_plain(ty) {
            return Err(Unfit);
        }
        let to = self.local(offset, ty)?;
        let value = self.value(Some(to))?;
        if self.has_called || self.words(value.ty) != self.words(ty) {
            return Err(Unfit);
        }
        self.store(to, value, ty);
        Ok(())
    }

    // ---- what things are

    fn words(&self, ty: TypeId) -> u32 {
        self.vm.memory.types.words(ty)
    }

    fn is_plain(&self, ty: TypeId) -> bool {
        self.vm.memory.types.is_plain(ty)
    }

    /// Words among the temporaries that nothing else of the statement has.
    fn temp(&mut self, words: u32) -> Operand {
        let at = self.temps;
        self.temps += words;
        self.most_temps = self.most_temps.max(self.temps);
        Operand::new(Base::Temps, at)
    }

    /// Words of the arguments of a call, which start behind all temporaries.
    fn argument(&mut self, offset: u32, words: u32) -> Operand {
        self.argument_words = self.argument_words.max(offset + words);
        Operand {
            base: Base::Temps,
            at: ARGUMENTS + offset * 8,
        }
    }

    /// A local of the function.
    fn local(&self, offset: u32, ty: TypeId) -> Fit<Operand> {
        let end = u64::from(offset) + u64::from(self.words(ty));
        if end > u64::from(self.info.words) || offset * 8 >= ARGUMENTS {
            return Err(Unfit);
        }
        Ok(Operand::new(Base::Locals, offset))
    }

    /// A variable of the object.
    fn variable(&mut self, slot: PropertySlot) -> Fit<Operand> {
        let end = slot.offset + self.words(slot.ty);
        if end * 8 >= ARGUMENTS {
            return Err(Unfit);
        }
        self.object_words = self.object_words.max(end);
        Ok(Operand::new(Base::Object, slot.offset))
    }

    /// The number of an output of the function.
    fn out(&self, slot: PropertySlot) -> Fit<u32> {
        let found = self
            .outs
            .iter()
            .position(|(offset, ty)| *offset == slot.offset && *ty == slot.ty);
        found.map(|index| index as u32).ok_or(Unfit)
    }

    /// The value as words somewhere.
    fn operand(&mut self, value: Value) -> Operand {
        match value.source {
            Source::At(operand) => operand,
            Source::Literal(word) => {
                let to = self.temp(1);
                self.steps.push(Step::Literal(to, word));
                to
            }
        }
    }

    /// Puts a value where it goes, if it is not there.
    fn store(&mut self, to: Operand, value: Value, ty: TypeId) {
        match value.source {
            Source::At(from) if from == to => {}
            Source::At(from) => {
                let words = self.words(ty);
                self.steps.push(Step::Copy(to, from, words));
            }
            Source::Literal(word) => self.steps.push(Step::Literal(to, word)),
        }
    }

    /// A step that may have to be done over by the reference interpreter, its whole statement with it.
    fn push_fallible(&mut self, step: Step) -> Fit<()> {
        if self.has_called || self.has_changed {
            return Err(Unfit);
        }
        self.steps.push(step);
        Ok(())
    }
}

/// Marks operands among the arguments of a call, which are placed when all temporaries are known.
const ARGUMENTS: u32 = Operand::LIMIT / 2;

fn out_operand(place: OutPlace, ty: TypeId, name: Option<crate::ids::NameId>) -> OutOperand {
    OutOperand { place, ty, name }
}
