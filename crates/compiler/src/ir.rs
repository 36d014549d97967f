//! The statement form of a function (`FBlueprintCompiledStatement` over `FBPTerminal`s).
//!
//! Between lowering and emission: control flow is explicit, pure nodes stand in front of each consumer,
//! every value is a [`Term`]; opcodes, sizes and offsets are not chosen yet.

use std::sync::Arc;

use bp_bytecode::dialect::CastKind;
use bp_bytecode::{NodeName, PropertyRef};
use bp_reflect::{Function, FunctionFlags, Name, ObjectPath, PropertyType, Value};
use la_arena::{Arena, Idx};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::expanded::{ContainerKind, ExNodeId};

/// A value or place of one function.
pub type TermId = Idx<Term>;

/// A value or place (`FBPTerminal`).
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its type.
    pub ty: PropertyType,
    /// What it is.
    pub kind: TermKind,
}

/// What a term is.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// A parameter, local variable or temporary of the function.
    Local {
        /// Which.
        property: PropertyRef,
        /// Whether it is an out parameter.
        is_out: bool,
    },
    /// A member variable.
    Member {
        /// Which.
        property: PropertyRef,
        /// Of this object; none for self.
        object: Option<TermId>,
    },
    /// A member of a struct.
    StructMember {
        /// Which.
        property: PropertyRef,
        /// Of this struct.
        structure: TermId,
    },
    /// What a member variable is in new objects of a class.
    ClassDefault {
        /// Which.
        property: PropertyRef,
        /// The class.
        class: TermId,
    },
    /// The result of a call within an expression, made at each read.
    Call(Arc<Call>),
    /// A constant.
    Literal(Value),
    /// The object itself.
    SelfRef,
    /// The class default object of a class.
    DefaultObject(ObjectPath),
    /// The option that an index selects, evaluated at each read.
    Switch {
        /// What is compared.
        index: TermId,
        /// Case literals and options.
        cases: Vec<(TermId, TermId)>,
        /// Without a match.
        default: TermId,
    },
    /// An element of an array, looked up at each read.
    Element {
        /// The array.
        array: TermId,
        /// Which element.
        index: TermId,
    },
    /// Of an event stub: the place of the event's first statement in the ubergraph, an int.
    EventOffset(Name),
    /// The `LatentActionInfo` of a latent call.
    LatentInfo {
        /// Where it resumes; none for nowhere.
        resume: Option<Target>,
        /// Identifies the action on its object.
        uuid: i32,
        /// The ubergraph.
        function: Name,
    },
}

/// A statement of a finished function, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub u32);

/// A node of the function, by position in the final order of nodes with code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// Where control goes. While blocks are built, `Pin`, `Within` and `End` stand for places not laid out yet;
/// a finished [`FunctionIr`] has only `Statement` and `Return`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The node linked to an exec output.
    Pin(crate::expanded::ExPinId),
    /// A statement of the same block, by its position among the block's own statements.
    Within(u32),
    /// The end of the chain: what an unlinked exec output means.
    End,
    /// A statement.
    Statement(StatementId),
    /// The function's return.
    Return,
}

/// The function of a call statement.
#[derive(Clone, Debug, PartialEq)]
pub struct CallTarget {
    /// The class that declares it.
    pub class: ObjectPath,
    /// Its name, in the case it was declared.
    pub name: Name,
    /// `FUNC_*` bits.
    pub flags: FunctionFlags,
    /// Whether it reads its arguments from the script itself.
    pub custom_thunk: bool,
    /// Whether the class is an interface.
    pub is_interface: bool,
    /// Whether the class is a Blueprint's.
    pub is_blueprint: bool,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub target: CallTarget,
    /// On this object; none for self, and for static functions.
    pub object: Option<TermId>,
    /// Whether the object is reached as an interface.
    pub through_interface: bool,
    /// Whether the parent's implementation is meant.
    pub is_parent: bool,
    /// One a parameter, the return value left out.
    pub arguments: Vec<TermId>,
    /// Receives the return value.
    pub result: Option<TermId>,
    /// Array outputs of a native callee, which are emptied before the call.
    pub cleared: SmallVec<[TermId; 1]>,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// Calls a function.
    Call(Arc<Call>),
    /// `destination = source`.
    Assign(TermId, TermId),
    /// In a stub: the ubergraph's frame property = the parameter.
    AssignOnPersistentFrame(PropertyRef, TermId),
    /// Goes to the target.
    Goto(Target),
    /// Goes to the target unless the condition holds.
    GotoIfNot(TermId, Target),
    /// Pushes the target on the flow stack.
    PushState(Target),
    /// Pops the flow stack.
    EndOfThread,
    /// Pops the flow stack unless the condition holds.
    EndOfThreadIfNot(TermId),
    /// Goes to the offset that a term holds.
    ComputedGoto(TermId),
    /// Leaves the function.
    Return,
    /// Casts: destination, class, source.
    Cast(CastStatement, TermId, ObjectPath, TermId),
    /// Converts: destination, source.
    Convert(CastKind, TermId, TermId),
    /// Binds the second delegate to the first.
    AddDelegate(TermId, TermId),
    /// Unbinds the second delegate from the first.
    RemoveDelegate(TermId, TermId),
    /// Unbinds everything.
    ClearDelegate(TermId),
    /// Makes the delegate call the function on the object.
    BindDelegate(TermId, Name, TermId),
    /// Calls the delegate.
    CallDelegate {
        /// Signature function.
        signature: ObjectPath,
        /// The delegate.
        delegate: TermId,
        /// One a parameter.
        arguments: Vec<TermId>,
    },
    /// Fills a container; keys and values of a map in turn.
    Fill(ContainerKind, TermId, Vec<TermId>),
    /// A node is entered.
    DebugSite,
    /// An exec wire is left.
    WireTraceSite,
}

/// Which object cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastStatement {
    /// Object to class.
    Dynamic,
    /// Class to class.
    Meta,
    /// Object to interface.
    ObjectToInterface,
    /// Interface to interface.
    CrossInterface,
    /// Interface to class.
    InterfaceToObject,
}

/// A statement and the node it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Index into [`FunctionIr::nodes`].
    pub node: u32,
}

/// A function ready for emission.
#[derive(Debug)]
pub struct FunctionIr {
    /// Its signature with its locals.
    pub function: Function,
    /// Its path: class and name.
    pub path: ObjectPath,
    /// Its values and places.
    pub terms: Arena<Term>,
    /// Its code in final order, `Return` last.
    pub statements: Vec<Statement>,
    /// Whether it keeps a flow stack: its first statement pushes the return.
    pub uses_flow_stack: bool,
    /// Of an ubergraph: the events' stubs and their first statements.
    pub events: Vec<(Name, StatementId)>,
    /// Of an ubergraph: the properties of its frame that each event's parameters are kept in, in pin order.
    pub event_parameters: FxHashMap<ExNodeId, Vec<PropertyRef>>,
    /// Of an event stub: the ubergraph it calls.
    pub stub_of: Option<Name>,
    /// Names of the nodes that statements come from.
    pub nodes: Vec<NodeName>,
    /// What data pins read and write, for debuggers. Pins of literals have none.
    pub pins: Vec<PinVariable>,
}

/// The variable behind a data pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinVariable {
    /// Object name of the drawn node.
    pub node: Name,
    /// The pin.
    pub pin: Name,
    /// A local of the function, or a variable of the object it runs on.
    pub variable: Name,
}
