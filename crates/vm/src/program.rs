//! Loaded classes and functions, and what the scripts' references stand for.

use std::collections::HashMap;
use std::sync::Arc;

use bp_bytecode::{
    CompiledClass, DebugSite, Dialect, Layout, NodeName, Opcode, PropertyRef, decode_script,
};
use bp_reflect::{EngineVersion, FunctionFlags, Name, ObjectPath, Registry};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::ids::{ClassId, FunctionId, NameId, ObjectHandle, StructId, TypeId};
use crate::natives::{Native, Natives};
use crate::types::Owned;

/// A loaded class.
#[derive(Clone, Debug)]
pub(crate) struct ClassInfo {
    pub(crate) path: ObjectPath,
    /// The class itself and its ancestors, nearest first.
    pub(crate) lineage: Vec<ClassId>,
    /// Every interface it or an ancestor implements, those the interfaces extend included.
    pub(crate) interfaces: Vec<ClassId>,
    /// Words of an object's variables.
    pub(crate) words: u32,
    /// Words of an object's persistent frames, those of ancestors first.
    pub(crate) frame_words: u32,
    /// Words of the variables that own something.
    pub(crate) owned: Vec<(u32, Owned)>,
    /// Words of the persistent frames that own something.
    pub(crate) owned_frames: Vec<(u32, Owned)>,
    /// Variables of the persistent frames that do not start as zeros, by offset.
    pub(crate) constructed_frames: Vec<(u32, TypeId)>,
    /// Variables by name, those of ancestors first; of two with one name the nearest.
    pub(crate) variables: IndexMap<Name, Variable, FxBuildHasher>,
    /// What a compiler made of it; none of a native class.
    pub(crate) compiled: Option<Arc<CompiledClass>>,
    /// The class as an object.
    pub(crate) object: ObjectHandle,
    /// Its default object.
    pub(crate) default: ObjectHandle,
}

/// A member variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) offset: u32,
    pub(crate) ty: TypeId,
    pub(crate) owner: ClassId,
}

/// A loaded function.
#[derive(Debug)]
pub(crate) struct FunctionInfo {
    pub(crate) id: FunctionId,
    pub(crate) name: Name,
    pub(crate) path: ObjectPath,
    /// The class that declares it; none for a delegate signature outside of classes.
    pub(crate) class: Option<ClassId>,
    /// Parameters in declaration order, the return value last.
    pub(crate) params: Vec<Param>,
    /// Index of the return value in `params`.
    pub(crate) return_param: Option<usize>,
    /// Locals in layout order.
    pub(crate) locals: Vec<Param>,
    /// Words of the frame.
    pub(crate) words: u32,
    /// Words of the frame that own something.
    pub(crate) owned: Vec<(u32, Owned)>,
    /// Locals that do not start as zeros, by offset.
    pub(crate) constructed: Vec<(u32, TypeId)>,
    /// Its class's event graph, whose frame is persistent: words before the frame.
    pub(crate) persistent: Option<u32>,
    pub(crate) flags: FunctionFlags,
    pub(crate) body: Body,
}

impl FunctionInfo {
    pub(crate) fn return_value(&self) -> Option<&Param> {
        self.return_param.map(|index| &self.params[index])
    }

    /// Parameters a call passes.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| !param.is_return)
    }
}

/// A parameter or local.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: Name,
    pub(crate) ty: TypeId,
    pub(crate) offset: u32,
    pub(crate) is_return: bool,
    /// A place is passed: outputs and by-reference inputs.
    pub(crate) is_out: bool,
}

/// What runs when a function is called.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Script(Arc<Code>),
    Native(Native),
    /// Declared without implementation: a delegate signature, or a native function we lack.
    Missing,
    /// A native event nobody overrides: calling it does nothing.
    Event,
}

/// A script and what reports need.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) bytes: Box<[u8]>,
    pub(crate) package: usize,
    pub(crate) dialect: Dialect,
    /// Starts of statements, sorted; empty if nothing in the script jumps by a number.
    pub(crate) starts: Box<[u32]>,
    /// Sorted by offset.
    pub(crate) sites: Vec<DebugSite>,
    pub(crate) nodes: Vec<NodeName>,
}

/// Takes every reference for a known one, where only the extent of statements is asked for.
struct AnyReferences;

impl bp_bytecode::References for AnyReferences {
    fn name(&self, _: u32, _: u32) -> Option<Name> {
        Some(Name::none())
    }

    fn object(&self, _: i64) -> Option<Option<ObjectPath>> {
        Some(None)
    }

    fn property(&self, _: &bp_bytecode::StoredProperty<'_>) -> Option<Option<PropertyRef>> {
        Some(None)
    }
}

/// Starts of the statements of a script that has a computed jump: where that leads is known only when
/// it is reached, so the verifier leaves it to the interpreter.
pub(crate) fn statement_starts(bytes: &[u8], dialect: Dialect) -> Box<[u32]> {
    if !bytes.contains(&Opcode::ComputedJump.byte()) {
        return Box::default();
    }
    match decode_script(bytes, dialect, Layout::Memory, &AnyReferences) {
        Ok(script) => script
            .statements
            .iter()
            .map(|statement| statement.offset.0)
            .collect(),
        Err(_) => Box::default(),
    }
}

impl Code {
    /// Where the expression that starts at a byte ends; none if there is no whole one.
    pub(crate) fn end_of(&self, at: usize) -> Option<usize> {
        let read = bp_bytecode::decode_expression(&self.bytes, at, self.dialect, &AnyReferences);
        read.ok().map(|(_, end)| end)
    }

    /// Whether a statement starts at `offset`; only for scripts with a computed jump.
    pub(crate) fn is_start(&self, offset: u32) -> bool {
        self.starts.binary_search(&offset).is_ok()
    }

    /// How many sites start at or before `offset`.
    pub(crate) fn slot(&self, offset: usize) -> usize {
        self.sites
            .partition_point(|site| site.offset.0 as usize <= offset)
    }

    /// The node that the statement at `offset` belongs to.
    pub(crate) fn node_at(&self, offset: usize) -> Option<&NodeName> {
        let site = self.sites.get(self.slot(offset).checked_sub(1)?)?;
        self.nodes.get(site.node as usize)
    }

    /// The node that begins exactly at `offset`.
    pub(crate) fn node_starting_at(&self, offset: usize) -> Option<&NodeName> {
        let found = self
            .sites
            .binary_search_by_key(&offset, |site| site.offset.0 as usize)
            .ok()?;
        self.nodes.get(self.sites[found].node as usize)
    }
}

/// What the references of one package stand for, resolved when it is loaded.
#[derive(Debug, Default)]
pub(crate) struct References {
    pub(crate) names: Vec<NameId>,
    /// Base texts, for names with a number.
    pub(crate) bases: Vec<String>,
    pub(crate) objects: Vec<Reference>,
    pub(crate) properties: Vec<PropertySlot>,
}

/// What an object operand stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    Class(ClassId),
    Function(FunctionId),
    Struct(StructId),
    /// A default object, or a thing that is not loaded.
    Object(ObjectHandle),
    /// A function that is declared nowhere; index into [`Program::undeclared`].
    Undeclared(u32),
}

/// What a property operand stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PropertySlot {
    /// Words before it in what has it.
    pub(crate) offset: u32,
    pub(crate) ty: TypeId,
    /// For a variable of an event graph: words before the graph's frame in the persistent frames.
    pub(crate) frame_offset: u32,
    pub(crate) name: NameId,
    /// False if nothing loaded has the property.
    pub(crate) is_known: bool,
}

/// Everything loaded.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) engine: EngineVersion,
    /// Native declarations and the packages' own classes.
    pub(crate) registry: Registry,
    pub(crate) natives: Natives,
    /// What the packages hold by class: index of the package, and the class.
    pub(crate) compiled: IndexMap<ObjectPath, (usize, Arc<CompiledClass>)>,
    pub(crate) classes: Vec<Arc<ClassInfo>>,
    pub(crate) class_ids: HashMap<ObjectPath, ClassId, FxBuildHasher>,
    pub(crate) functions: Vec<Arc<FunctionInfo>>,
    pub(crate) function_ids: HashMap<ObjectPath, FunctionId, FxBuildHasher>,
    /// Which function a class answers a name with, as far as asked.
    pub(crate) dispatch: HashMap<(ClassId, NameId), Option<FunctionId>, FxBuildHasher>,
    /// By package.
    pub(crate) references: Vec<Arc<References>>,
    pub(crate) undeclared: Vec<ObjectPath>,
    /// Objects that stand for things not loaded.
    pub(crate) assets: HashMap<ObjectPath, ObjectHandle, FxBuildHasher>,
}

impl Program {
    pub(crate) fn class(&self, id: ClassId) -> &Arc<ClassInfo> {
        &self.classes[id.0 as usize]
    }

    pub(crate) fn function(&self, id: FunctionId) -> &Arc<FunctionInfo> {
        &self.functions[id.0 as usize]
    }

    /// Whether `class` is `ancestor`, derives from it or implements it.
    pub(crate) fn is_child_of(&self, class: ClassId, ancestor: ClassId) -> bool {
        let info = self.class(class);
        info.lineage.contains(&ancestor) || info.interfaces.contains(&ancestor)
    }

    /// The member variable `name` of a class.
    pub(crate) fn variable(&self, class: ClassId, name: &Name) -> Option<Variable> {
        self.class(class).variables.get(name).copied()
    }
}

impl Program {
    pub(crate) fn new(engine: EngineVersion, registry: Registry, natives: Natives) -> Self {
        Self {
            engine,
            registry,
            natives,
            compiled: IndexMap::new(),
            classes: Vec::new(),
            class_ids: HashMap::default(),
            functions: Vec::new(),
            function_ids: HashMap::default(),
            dispatch: HashMap::default(),
            references: Vec::new(),
            undeclared: Vec::new(),
            assets: HashMap::default(),
        }
    }
}
