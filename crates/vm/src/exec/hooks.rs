//! The hook at the start of every statement: tracing, debugging, coverage, profiles, and the memory of
//! what ran last all hang on it. Where nobody listens, a statement pays one branch.

use bp_bytecode::{CodeOffset, DebugSite, NodeName};
use bp_reflect::{Name, ObjectPath};

use crate::error::{Run, RunError, Stop};
use crate::exec::Frame;
use crate::host::{Executed, StackEntry};
use crate::ids::{FunctionId, ObjectHandle};
use crate::memory::{Place, TypedPlace};
use crate::program::{Body, Code, Param};
use crate::types::Kind;
use crate::vm::Vm;

/// Something that watches statements run.
pub trait Observer {
    /// A statement is about to run. May take its time: the world waits.
    fn statement(&mut self, at: &Paused<'_>) -> Control;

    /// A script function has ended, in whatever way. `depth` is the number of script functions that ran,
    /// it included.
    fn left(&mut self, depth: usize) {
        let _ = depth;
    }
}

/// What an [`Observer`] answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// The statement runs.
    Go,
    /// The run ends here with [`Stop::Host`].
    Stop,
}

/// Tells the scripts of a world apart; meaningful in that world only. Small numbers, some left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScriptId(pub(crate) u32);

impl ScriptId {
    /// The number, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A loaded script and the nodes it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// How statements name it.
    pub id: ScriptId,
    /// The class that has it.
    pub class: ObjectPath,
    /// The function.
    pub function: Name,
    /// Where its nodes ended up, sorted by offset; empty if the package does not say.
    pub sites: Vec<DebugSite>,
    /// Names of the nodes that sites refer to.
    pub nodes: Vec<NodeName>,
}

/// A world in front of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Paused<'a> {
    vm: &'a Vm,
    frame: &'a Frame,
    statement: usize,
}

impl<'a> Paused<'a> {
    /// The script.
    pub fn script(&self) -> ScriptId {
        ScriptId(self.frame.function.id.0)
    }

    /// The class that has the function.
    pub fn class(&self) -> Option<&'a ObjectPath> {
        let class = self.frame.function.class?;
        Some(&self.vm.program.class(class).path)
    }

    /// The function.
    pub fn function(&self) -> &'a Name {
        &self.frame.function.name
    }

    /// Start of the statement.
    pub fn offset(&self) -> CodeOffset {
        CodeOffset(self.statement as u32)
    }

    /// How many debug sites start at or before the statement: 0 is code in front of all, else one more than
    /// the index of the site that the statement belongs to.
    pub fn slot(&self) -> usize {
        self.frame.code.slot(self.statement)
    }

    /// The node that the statement belongs to, if the script says so.
    pub fn node(&self) -> Option<&'a NodeName> {
        self.frame.code.node_at(self.statement)
    }

    /// The node that begins with this very statement.
    pub fn starting_node(&self) -> Option<&'a NodeName> {
        self.frame.code.node_starting_at(self.statement)
    }

    /// Whether a debug site starts with this very statement.
    pub fn is_start(&self) -> bool {
        let before = self.slot().checked_sub(1);
        let site = before.and_then(|at| self.frame.code.sites.get(at));
        site.is_some_and(|site| site.offset == self.offset())
    }

    /// Whether the script says which nodes it was made of.
    pub fn has_sites(&self) -> bool {
        !self.frame.code.sites.is_empty()
    }

    /// Script functions that are running, this one included.
    pub fn depth(&self) -> usize {
        self.vm.calls.len()
    }

    /// Number of the call from outside that is running: 1 for the first since the world was made.
    pub fn call(&self) -> u64 {
        self.vm.hooks.calls
    }

    /// Simulated seconds that have passed.
    pub fn time(&self) -> f64 {
        self.vm.state.time
    }

    /// Running script functions, innermost first.
    pub fn stack(&self) -> Vec<StackEntry> {
        self.vm.call_stack()
    }

    /// Nodes that ran last, oldest first; see [`crate::World::remember`].
    pub fn recent(&self) -> Vec<Executed> {
        self.vm.recent()
    }

    /// Name of the object that the function runs on.
    pub fn object(&self) -> String {
        self.vm.object_name(self.frame.object)
    }

    /// Parameters and locals of the running function in layout order, with their values as text. Of an event
    /// graph these are the values its pins keep between events.
    pub fn locals(&self) -> Vec<(Name, String)> {
        self.slots()
            .map(|param| {
                let at = self.place_of(param);
                (param.name.clone(), self.vm.shown(at.place, at.ty))
            })
            .collect()
    }

    /// Whether the running function has such a parameter or local.
    pub fn has_local(&self, name: &Name) -> bool {
        self.slots().any(|param| param.name == *name)
    }

    /// Variables that Blueprints declare of the object the function runs on, as [`crate::World::variables`].
    pub fn variables(&self) -> Vec<(Name, String)> {
        self.vm.variables(self.frame.object)
    }

    /// A value as text. `path` starts with a local or parameter, a variable of the object, or `self`; behind it
    /// `.Name` goes to a member of a struct or a variable of an object, and `[0]` to an element of an array.
    /// None if there is no such thing.
    pub fn value(&self, path: &str) -> Option<String> {
        let split = path.find(['.', '[']).unwrap_or(path.len());
        let (first, mut rest) = path.split_at(split);
        let name = Name::new(first.trim());
        let own = self.slots().find(|param| param.name == name);
        let mut at = match own {
            Some(param) => self.place_of(param),
            None if name == "self" && rest.is_empty() => return Some(self.object()),
            None if name == "self" => {
                let split = rest[1..].find(['.', '[']).map_or(rest.len(), |at| at + 1);
                let member = Name::new(rest.strip_prefix('.')?[..split - 1].trim());
                rest = &rest[split..];
                self.vm.variable_place(self.frame.object, &member)?
            }
            None => self.vm.variable_place(self.frame.object, &name)?,
        };
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('[') {
                let (index, behind) = inside.split_once(']')?;
                at = self.element(at, index.trim().parse().ok()?)?;
                rest = behind;
            } else {
                let inside = rest.strip_prefix('.')?;
                let split = inside.find(['.', '[']).unwrap_or(inside.len());
                at = self.member(at, &Name::new(inside[..split].trim()))?;
                rest = &inside[split..];
            }
        }
        Some(self.vm.shown(at.place, at.ty))
    }

    fn slots(&self) -> impl Iterator<Item = &'a Param> {
        let function = &self.frame.function;
        function.params.iter().chain(&function.locals)
    }

    fn place_of(&self, param: &Param) -> TypedPlace {
        let own = TypedPlace {
            place: self.frame.locals.at(param.offset),
            ty: param.ty,
        };
        if param.is_out {
            self.frame.out_place(param.offset).unwrap_or(own)
        } else {
            own
        }
    }

    fn member(&self, at: TypedPlace, name: &Name) -> Option<TypedPlace> {
        let memory = &self.vm.memory;
        match memory.types.kind(at.ty) {
            Kind::Struct(id) => {
                let fields = &memory.types.structure(*id).fields;
                let field = fields.iter().find(|field| field.name == *name)?;
                Some(TypedPlace {
                    place: at.place.at(field.offset),
                    ty: field.ty,
                })
            }
            Kind::Object => self
                .vm
                .variable_place(ObjectHandle(memory.word(at.place)), name),
            Kind::Nothing
            | Kind::Wildcard
            | Kind::Bool
            | Kind::Byte(_)
            | Kind::Int(_)
            | Kind::UInt(_)
            | Kind::Float
            | Kind::Double
            | Kind::Name
            | Kind::Str
            | Kind::Path
            | Kind::Text
            | Kind::Class
            | Kind::Delegate
            | Kind::Multicast
            | Kind::Array(_)
            | Kind::Repeated(..)
            | Kind::Set(_)
            | Kind::Map(..) => None,
        }
    }

    fn element(&self, at: TypedPlace, index: u32) -> Option<TypedPlace> {
        let memory = &self.vm.memory;
        let (element, place, len) = if let Some(element) = memory.types.array_element(at.ty) {
            let word = memory.word(at.place);
            let len = memory.elements(word).len() / memory.types.words(element) as usize;
            let base = crate::memory::Base::Array(word);
            (element, Place { base, offset: 0 }, len)
        } else {
            let (element, dim) = memory.types.repeated(at.ty)?;
            (element, at.place, dim as usize)
        };
        ((index as usize) < len).then(|| TypedPlace {
            place: place.at(index * memory.types.words(element)),
            ty: element,
        })
    }
}

/// Who listens, and what ran last.
#[derive(Default)]
pub(crate) struct Hooks {
    /// Whether a statement has anything to tell; the one branch that it pays.
    pub(crate) is_awake: bool,
    /// Calls from outside so far.
    pub(crate) calls: u64,
    observer: Option<Box<dyn Observer>>,
    /// A ring; empty if nothing is remembered.
    recent: Vec<(FunctionId, u32)>,
    /// Statements written to the ring so far.
    written: usize,
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hooks")
            .field("is_awake", &self.is_awake)
            .finish_non_exhaustive()
    }
}

impl Hooks {
    pub(crate) fn observe(&mut self, observer: Option<Box<dyn Observer>>) {
        self.observer = observer;
        self.wake();
    }

    /// Remembers so many statements, rounded up to a power of two.
    pub(crate) fn remember(&mut self, n_statements: usize) {
        let len = match n_statements {
            0 => 0,
            n => n.next_power_of_two(),
        };
        self.recent = vec![(FunctionId(0), 0); len];
        self.written = 0;
        self.wake();
    }

    /// Whether somebody watches statements.
    pub(crate) fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// Writes a statement to the ring, if there is one.
    pub(crate) fn note(&mut self, function: FunctionId, statement: u32) {
        if !self.recent.is_empty() {
            // The length is a power of two.
            let at = self.written & (self.recent.len() - 1);
            self.recent[at] = (function, statement);
            self.written = self.written.wrapping_add(1);
        }
    }

    fn wake(&mut self) {
        self.is_awake = self.observer.is_some() || !self.recent.is_empty();
    }
}

impl Vm {
    /// Tells that a statement is about to run.
    #[inline(never)]
    pub(crate) fn hook(&mut self, frame: &Frame, statement: usize) -> Run {
        let hooks = &mut self.hooks;
        hooks.note(frame.function.id, statement as u32);
        let Some(mut observer) = hooks.observer.take() else {
            return Ok(());
        };
        let control = observer.statement(&Paused {
            vm: self,
            frame,
            statement,
        });
        self.hooks.observer = Some(observer);
        match control {
            Control::Go => Ok(()),
            Control::Stop => Err(RunError::Stop(Stop::Host)),
        }
    }

    /// Tells that the innermost script function has ended.
    #[inline(never)]
    pub(crate) fn hook_left(&mut self) {
        let depth = self.calls.len();
        if let Some(observer) = &mut self.hooks.observer {
            observer.left(depth);
        }
    }

    /// What the ring holds, oldest first; statements of one node in a row are one.
    pub(crate) fn recent(&self) -> Vec<Executed> {
        let hooks = &self.hooks;
        let len = hooks.recent.len();
        let count = hooks.written.min(len);
        let mut last = None;
        let mut executed = Vec::new();
        for nth in hooks.written - count..hooks.written {
            let (function, statement) = hooks.recent[nth & (len - 1)];
            let info = self.program.function(function);
            let Body::Script(code) = &info.body else {
                continue;
            };
            let node = code.node_at(statement as usize);
            let key = (function, node.ok_or(statement));
            if last.replace(key) == Some(key) {
                continue;
            }
            executed.push(Executed {
                class: self.class_path(info.class),
                function: info.name.clone(),
                offset: CodeOffset(statement),
                node: node.cloned(),
            });
        }
        executed
    }

    /// Every script that is loaded.
    pub(crate) fn scripts(&self) -> Vec<Script> {
        let functions = self.program.functions.iter();
        functions
            .filter_map(|function| {
                let Body::Script(code) = &function.body else {
                    return None;
                };
                let code: &Code = code;
                Some(Script {
                    id: ScriptId(function.id.0),
                    class: self.class_path(function.class),
                    function: function.name.clone(),
                    sites: code.sites.clone(),
                    nodes: code.nodes.clone(),
                })
            })
            .collect()
    }
}
