//! Handlers of an embedder in front of the machine's own, by opcode.
//!
//! The engine's table of handlers can be changed entry by entry, which reaches every execution of one opcode
//! and leaves scripts as they are. Here an entry is put in front: it sees each execution, runs the machine's
//! own handler when it wants to, and may end the run. The own handler always runs, at the latest behind the
//! entry: it alone knows how far the operands reach.

use std::fmt;
use std::rc::Rc;

use bp_bytecode::{CodeOffset, Opcode};
use bp_reflect::ObjectPath;

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

    /// Runs the machine's own handler, once; it runs by itself behind a hook that does not.
    ///
    /// # Errors
    /// What running it gives.
    pub fn run(&mut self) -> Run {
        match self.own.take() {
            Some(own) => own(self.vm, self.frame, self.object, self.dest),
            None => Ok(()),
        }
    }

    /// Prints a line.
    pub fn print(&mut self, text: &str) {
        self.vm.print(text);
    }
}

impl Vm {
    /// Puts a hook in front of an opcode's handler, or takes it away.
    pub(crate) fn set_hook(&mut self, opcode: Opcode, hook: Option<OpcodeHook>) {
        let overrides = self
            .overrides
            .get_or_insert_with(|| Box::new(Overrides::new()));
        if let Some(slot) = overrides.hooks.get_mut(opcode.byte() as usize) {
            *slot = hook;
        }
        if overrides.hooks.iter().all(Option::is_none) {
            self.overrides = None;
        }
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
        };
        hook(&mut execution)?;
        execution.run()
    }
}
