//! What the compiler hands over: classes with their scripts, and the tables the scripts refer to.

use std::sync::Arc;

use bp_reflect::{Class, EngineVersion, Enum, Name, ObjectPath, Struct, Value};
use serde::{Deserialize, Serialize};

use crate::{CodeOffset, Dialect, PropertyRef};

/// Compiled Blueprints: everything an interpreter needs besides native declarations.
///
/// Script bytes are in the in-memory layout. Their 8-byte object and property operands are 1-based
/// indices into [`ReferenceTables`] (0 is null); the three words of a name operand are the index of
/// its base text, the same again, and its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Package {
    /// The dialect of all scripts.
    pub engine: EngineVersion,
    /// What the scripts' references mean.
    pub references: ReferenceTables,
    /// Classes, each after its super class if both are here.
    pub classes: Vec<CompiledClass>,
    /// Structs the Blueprints define.
    pub structs: Vec<Struct>,
    /// Enums the Blueprints define.
    pub enums: Vec<Enum>,
}

impl Package {
    /// The dialect of all scripts.
    pub fn dialect(&self) -> Dialect {
        Dialect::new(self.engine)
    }

    /// The class at `path`.
    pub fn class(&self, path: &ObjectPath) -> Option<&CompiledClass> {
        self.classes.iter().find(|class| class.class.path == *path)
    }
}

/// What the indices in script bytes stand for, in order of first use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReferenceTables {
    /// Base texts of names.
    pub names: Vec<String>,
    /// Classes, structs, functions, other objects.
    pub objects: Vec<ObjectPath>,
    /// Properties.
    pub properties: Vec<PropertyRef>,
}

/// A Blueprint's class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompiledClass {
    /// Its members; functions with parameters and locals. Order of functions: ubergraph, event stubs,
    /// function graphs.
    pub class: Class,
    /// Scripts, parallel to `class.functions`.
    pub functions: Vec<CompiledFunction>,
    /// Values of the class default object that differ from the parent's or from zero.
    pub defaults: Vec<(Name, Value)>,
    /// Components that every object gets, parents before children.
    pub components: Vec<ComponentTemplate>,
    /// Timelines that every object gets.
    pub timelines: Vec<TimelineTemplate>,
    /// Functions bound to component delegates when an object is made.
    pub bindings: Vec<DelegateBinding>,
    /// The merged event graph, if the class has one.
    pub ubergraph: Option<Name>,
}

impl CompiledClass {
    /// The script of the function `name`.
    pub fn function(&self, name: &Name) -> Option<&CompiledFunction> {
        self.functions.get(self.class.functions.get_index_of(name)?)
    }
}

/// A function's script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CompiledFunction {
    /// Bytes in the in-memory layout.
    pub script: Vec<u8>,
    /// Where the graph's nodes ended up, sorted by offset.
    pub sites: Vec<DebugSite>,
    /// Names of the nodes that sites refer to.
    pub nodes: Vec<NodeName>,
    /// Of an event stub: the event's first statement in the ubergraph.
    pub event_offset: Option<CodeOffset>,
}

/// The statement at `offset` and those behind it, up to the next site, come from this node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebugSite {
    /// Start of a statement.
    pub offset: CodeOffset,
    /// Index into [`CompiledFunction::nodes`].
    pub node: u32,
}

/// How people know a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NodeName {
    /// The graph it is drawn in.
    pub graph: Arc<str>,
    /// Its title in the editor.
    pub title: Arc<str>,
    /// Its object name; empty for what belongs to the graph as a whole.
    pub name: Arc<str>,
}

/// A component made with each object of the class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComponentTemplate {
    /// The member variable that holds it.
    pub name: Name,
    /// Its class.
    pub class: ObjectPath,
    /// The component it is attached to; none for the root or a non-scene component.
    pub parent: Option<Name>,
}

/// A timeline made with each object of the class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimelineTemplate {
    /// The member variable that holds its component.
    pub name: Name,
    /// Seconds.
    pub length: f64,
    /// Starts with the object.
    pub auto_play: bool,
    /// Starts again at the end.
    pub looping: bool,
    /// Function run after each step.
    pub update: Option<Name>,
    /// Function run at the end.
    pub finished: Option<Name>,
    /// Variable that holds the direction.
    pub direction: Name,
    /// Tracks.
    pub tracks: Vec<TimelineTrack>,
}

/// One curve of a timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimelineTrack {
    /// The member variable (of a float, vector or colour track) or function (of an event track).
    pub target: Name,
    /// What it drives.
    pub kind: TrackKind,
    /// Keys sorted by time: seconds, then one value a component of the kind.
    pub keys: Vec<(f64, Vec<f64>)>,
}

/// What a timeline track drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TrackKind {
    /// A float variable.
    Float,
    /// A vector variable.
    Vector,
    /// A colour variable.
    LinearColor,
    /// A function called at each key.
    Event,
}

/// A function bound to a component's delegate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DelegateBinding {
    /// The component's variable.
    pub component: Name,
    /// The delegate's variable on it.
    pub delegate: Name,
    /// The function of this class.
    pub function: Name,
}
