//! Handlers of an embedder in front of the machine's own, by opcode, or in their place.
//!
//! The engine's table of handlers can be changed entry by entry, which reaches every execution of one opcode
//! and leaves scripts as they are. Here an entry is a hook. It sees each execution and then does one of two
//! things: leaves it to the machine's own handler (with [`Execution::run`], or by doing nothing), or takes
//! its place: [`Execution::replace`], and then as it likes reads operands in their order, evaluates those
//! that are expressions, gives a result, jumps. Whatever it has read, the script goes on behind the
//! expression. A hook may also end the run.
//!
//! `EX_Return` and terminators of lists are no expressions that are run, and have no hooks.
//!
//! ```
//! use std::rc::Rc;
//! use bp_bytecode::{Opcode, asm, verify::verify};
//! use bp_reflect::{Name, PropertyType, Value, declarations};
//! use bp_vm::{Limits, Natives, Recorder, World};
//!
//! let text = "package 5.3
//! class /Game/BP_Dice.BP_Dice_C : /Script/CoreUObject.Object
//!   kind blueprint
//!   function Throw flags public|blueprint_callable
//!     param Out int flags parm|out_parm
//!   code
//!     Let(Out, LocalOutVariable(Out), CallMath(/Script/Engine.KismetMathLibrary:RandomInteger, IntConst(6)))
//!     Return(Nothing)
//!     EndOfScript
//!   end
//! end
//! ";
//! let package = asm::parse(text).unwrap().package;
//! let registry = declarations::embedded(package.engine);
//! let package = verify(package, &registry).unwrap();
//! let host = Box::new(Recorder::new());
//! let natives = Natives::standard();
//! let mut world = World::new(vec![package], registry, natives, host, Limits::default()).unwrap();
//! let dice = world.spawn(&"/Game/BP_Dice.BP_Dice_C".into()).unwrap();
//!
//! // Every number thrown is the highest: the call is replaced, its argument is evaluated here.
//! world.hook_opcode(Opcode::CallMath, Some(Rc::new(|call| {
//!     call.replace();
//!     let _function = call.u64();
//!     let Value::Int(sides) = call.evaluate()? else { return Ok(()) };
//!     call.give(&PropertyType::Int, &Value::Int(sides - 1));
//!     Ok(())
//! })));
//! let thrown = world.call(dice, &Name::new("Throw"), &[]).unwrap();
//! assert_eq!(thrown, [(Name::new("Out"), Value::Int(5))]);
//! ```

use std::fmt;
use std::rc::Rc;

use bp_bytecode::{CodeOffset, Opcode};
use bp_reflect::{Name, ObjectPath, PropertyType, Value};

use crate::error::Run;
use crate::exec::{Dest, Frame, HANDLER_SLOTS, Handler};
use crate::ids::ObjectHandle;
use crate::vm::Vm;

/// What an embedder puts in front of a handler.
pub type OpcodeHook = Rc<dyn Fn(&mut Execution<'_>) -> Run>;

/// Hooks by opcode.
#[derive(Clone)]
pub(crate) struct Overrides {
    hooks: Vec<Option<OpcodeHook>>,
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_hooks = self.hooks.iter().flatten().count();
        f.debug_struct("Overrides")
            .field("hooks", &n_hooks)
            .finish_non_exhaustive()
    }
}

impl Overrides {
    fn new() -> Self {
        Self {
            hooks: vec![None; HANDLER_SLOTS],
        }
    }

    fn get(&self, byte: u8) -> Option<&OpcodeHook> {
        self.hooks.get(byte as usize)?.as_ref()
    }
}

/// An opcode that is being executed.
pub struct Execution<'a> {
    vm: &'a mut Vm,
    frame: &'a mut Frame,
    object: ObjectHandle,
    dest: Dest,
    opcode: Opcode,
    at: usize,
    own: Option<Handler>,
    /// Where the script goes on, once the hook has taken the handler's place.
    next: Option<usize>,
}

impl fmt::Debug for Execution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution")
            .field("opcode", &self.opcode)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

impl Execution<'_> {
    /// The opcode.
    pub fn opcode(&self) -> Opcode {
        self.opcode
    }

    /// The function whose script has it.
    pub fn function(&self) -> &ObjectPath {
        &self.frame.function.path
    }

    /// Where in its script.
    pub fn offset(&self) -> CodeOffset {
        CodeOffset(self.at as u32)
    }

    /// The object that member variables and virtual calls mean.
    pub fn object(&self) -> ObjectHandle {
        self.object
    }

    /// Runs the machine's own handler, once; it runs by itself behind a hook that neither runs nor replaces
    /// it. Nothing happens if it has been replaced.
    ///
    /// # Errors
    /// What running it gives.
    pub fn run(&mut self) -> Run {
        match self.own.take() {
            Some(own) => own(self.vm, self.frame, self.object, self.dest),
            None => Ok(()),
        }
    }

    // ---- in the handler's place

    /// Takes the place of the machine's own handler, which then does not run. Nothing happens if it has run.
    ///
    /// Operands are then read in the order in which `bpc opcodes` lists them, as many as are wanted. Without
    /// [`Execution::give`] the expression has no value: whoever asks for it finds a zero, and a place that
    /// it would have gone to keeps what it holds.
    pub fn replace(&mut self) {
        if self.own.take().is_some() {
            // Verified scripts consist of whole expressions.
            self.next = self.frame.code.end_of(self.at);
            self.frame.recent.place = None;
        }
    }

    /// The next operand of one byte.
    pub fn u8(&mut self) -> u8 {
        self.frame.u8()
    }

    /// The next operand of two bytes.
    pub fn u16(&mut self) -> u16 {
        self.frame.u16()
    }

    /// The next operand of four bytes: a number, or an offset or size of the script.
    pub fn u32(&mut self) -> u32 {
        self.frame.u32()
    }

    /// The next operand of eight bytes: a number, or a reference to an object, function or property.
    pub fn u64(&mut self) -> u64 {
        self.frame.u64()
    }

    /// The next operand that is a single-precision real.
    pub fn f32(&mut self) -> f32 {
        self.frame.f32()
    }

    /// The next operand that is a double-precision real.
    pub fn f64(&mut self) -> f64 {
        self.frame.f64()
    }

    /// The next operand that is a name.
    pub fn name(&mut self) -> Name {
        let id = self.frame.name(&mut self.vm.names);
        self.vm.names.name(id).clone()
    }

    /// The next operand that is a string of one byte a character.
    pub fn ansi_string(&mut self) -> String {
        self.frame.ansi_string()
    }

    /// The next operand that is a string of two bytes a unit.
    pub fn wide_string(&mut self) -> String {
        self.frame.wide_string()
    }

    /// Steps over the next operand if it is the end of a list, as told by its opcode; whether it was.
    pub fn ends(&mut self, end: Opcode) -> bool {
        let ends = self.frame.peek() == Some(end.byte());
        self.frame.ip += usize::from(ends);
        ends
    }

    /// Evaluates the next operand, an expression, and gives its value. A delegate has none to be told.
    ///
    /// # Errors
    /// What running it gives.
    pub fn evaluate(&mut self) -> Run<Value> {
        self.evaluate_on(self.object)
    }

    /// The same with the members of another object, as `EX_Context` does it.
    ///
    /// # Errors
    /// What running it gives.
    pub fn evaluate_on(&mut self, object: ObjectHandle) -> Run<Value> {
        let mark = self.vm.memory.mark();
        let found = self.vm.eval(self.frame, object)?;
        let bytes = self.vm.value_bytes(found.place, found.ty);
        if !self.vm.memory.budget.ask(bytes) {
            self.vm.check_limits()?;
        }
        let value = self.vm.read_value(found.place, found.ty);
        self.vm.release(mark);
        self.frame.recent.place = None;
        Ok(value)
    }

    /// Steps over the next operand, an expression, without evaluating it.
    pub fn skip(&mut self) {
        let end = self.frame.code.end_of(self.frame.ip);
        self.frame.ip = end.unwrap_or(self.frame.code.bytes.len());
    }

    /// Gives the expression a value, once and last. Its type must be that which the expression has in the
    /// script: nothing knows another one where the value goes. False, and no value, if the type is not known
    /// or the value has not its form.
    pub fn give(&mut self, ty: &PropertyType, value: &Value) -> bool {
        let vm = &mut *self.vm;
        let Ok(ty) = vm.memory.types.intern(ty, &vm.program.registry) else {
            return false;
        };
        let Some(words) = vm.words_of(ty, value) else {
            return false;
        };
        vm.give(self.frame, self.dest, ty, &words);
        true
    }

    /// Has the script go on at the start of a statement instead of behind the expression, and counts that as
    /// a jump. Only for what stands as a statement itself.
    ///
    /// # Errors
    /// What a jump gives.
    pub fn jump(&mut self, to: CodeOffset) -> Run {
        self.vm.count_jump()?;
        self.next = Some(to.0 as usize);
        Ok(())
    }

    /// Prints a line.
    pub fn print(&mut self, text: &str) {
        self.vm.print(text);
    }
}

impl Vm {
    /// Puts a hook in front of an opcode's handler, or takes it away. False if the opcode has no handler.
    pub(crate) fn set_hook(&mut self, opcode: Opcode, hook: Option<OpcodeHook>) -> bool {
        if !super::has_handler(opcode) {
            return false;
        }
        let overrides = self
            .overrides
            .get_or_insert_with(|| Box::new(Overrides::new()));
        if let Some(slot) = overrides.hooks.get_mut(opcode.byte() as usize) {
            *slot = hook;
        }
        if overrides.hooks.iter().all(Option::is_none) {
            self.overrides = None;
        }
        true
    }

    /// Runs a handler behind its hook.
    #[cold]
    pub(crate) fn hooked(
        &mut self,
        own: Handler,
        frame: &mut Frame,
        object: ObjectHandle,
        dest: Dest,
    ) -> Run {
        let at = frame.ip - 1;
        let byte = frame.code.bytes.get(at).copied().unwrap_or_default();
        let hook = self
            .overrides
            .as_ref()
            .and_then(|hooks| hooks.get(byte).cloned());
        let (Some(hook), Some(opcode)) = (hook, Opcode::from_byte(byte)) else {
            return own(self, frame, object, dest);
        };
        let mut execution = Execution {
            vm: self,
            frame,
            object,
            dest,
            opcode,
            at,
            own: Some(own),
            next: None,
        };
        hook(&mut execution)?;
        execution.run()?;
        if let Some(next) = execution.next {
            frame.ip = next;
        }
        Ok(())
    }
}
