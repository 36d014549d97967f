//! The graph a function is compiled from, while it is being expanded and after.
//!
//! Shape: [`ExGraph::list`] is the engine's `Nodes` array. Its order decides the schedule and through it
//! the numbers of locals and the layout of code, so every step removes and appends the way the engine
//! does. Nodes themselves never move: ids stay valid when a node leaves the list.
//!
//! Drawn nodes ([`Op::Drawn`]) are of an open set of classes. What expansion leaves is of the closed set
//! of the other [`Op`]s, which [`lower`](crate::lower) matches exhaustively.

use bp_graph::{Direction, Graph, Guid, Node, NodeId, PinCategory, PinDefault, PinFlags, PinType};
use bp_reflect::{Class, Enum, Function, Name, NameKey, ObjectPath, Property};
use la_arena::{Arena, Idx, RawIdx};
use smallvec::SmallVec;

use crate::lent::{Lent, Pins};

/// A node of an [`ExGraph`].
pub type ExNodeId = Idx<ExNode<'static>>;
/// A pin of an [`ExGraph`].
pub type ExPinId = Idx<ExPin<'static>>;
/// Where a node comes from.
pub type OriginId = Idx<Origin<'static>>;

/// The drawn node that something was made of, for messages and debug sites.
#[derive(Clone, Debug)]
pub struct Origin<'a> {
    /// The graph it is drawn in.
    pub graph: &'a Graph,
    /// The node; none for what belongs to the graph as a whole.
    pub node: Option<NodeId>,
    /// The macro instance or composite whose inside it is in.
    pub within: Option<OriginId>,
}

/// A function and the class that declares it.
#[derive(Clone, Copy, Debug)]
pub struct Callee<'a> {
    /// The declaring class.
    pub class: &'a Class,
    /// The function.
    pub function: &'a Function,
}

/// A variable that a node reads or writes.
#[derive(Clone, Debug)]
pub enum VariableRef<'a> {
    /// A member of a class.
    Member {
        /// The class that declares it.
        owner: ObjectPath,
        /// The property.
        property: &'a Property,
    },
    /// A parameter or local of the function being compiled.
    Local(Name),
}

/// Which container a Make node fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerKind {
    /// `K2Node_MakeArray`.
    Array,
    /// `K2Node_MakeSet`.
    Set,
    /// `K2Node_MakeMap`.
    Map,
}

/// What a Select or Switch compares.
#[derive(Clone, Debug)]
pub enum IndexKind<'a> {
    /// False, true.
    Bool,
    /// Whole numbers from 0.
    Int,
    /// A byte from 0.
    Byte,
    /// An enum's entries.
    Enum(&'a Enum),
}

/// A formula: calls within calls.
#[derive(Clone, Debug)]
pub enum Formula<'a> {
    /// What an input of the node reads; a literal's input has no link.
    Input(ExPinId),
    /// The result of a static pure function.
    Call {
        /// The function.
        callee: Callee<'a>,
        /// One a parameter, in their order.
        operands: Vec<Formula<'a>>,
    },
}

/// What a node does.
#[derive(Clone, Debug)]
pub enum Op<'a> {
    /// A node as drawn, not expanded yet.
    Drawn,
    /// Replaced or dissolved; keeps its place in the list, without links, until the next prune (a timeline to
    /// the end).
    Gone,

    /// The start of a function; in an ubergraph, the jump to the entry point.
    Entry,
    /// The end of a function: writes its outputs.
    Result,
    /// The start of an event in the ubergraph.
    Event {
        /// The function that is its stub.
        function: Name,
    },
    /// A call.
    Call {
        /// What is called.
        callee: Callee<'a>,
        /// Whether the parent's implementation is meant.
        is_parent: bool,
    },
    /// Reads a variable.
    VariableGet(VariableRef<'a>),
    /// Writes a variable.
    VariableSet(VariableRef<'a>),
    /// Chooses by a bool.
    Branch,
    /// Runs its outputs one after the other.
    Sequence,
    /// Chooses by comparing with each case.
    Switch {
        /// The comparison, a function of `KismetMathLibrary` or `KismetStringLibrary`.
        compare: Callee<'a>,
        /// The enum whose entries the cases are.
        enumeration: Option<&'a Enum>,
    },
    /// Casts an object, interface or class.
    Cast {
        /// To this class or interface.
        class: ObjectPath,
        /// Whether classes are cast rather than objects.
        is_meta: bool,
    },
    /// Fills a struct's members.
    MakeStruct(ObjectPath),
    /// Reads a struct's members.
    BreakStruct,
    /// Writes members of a struct in place.
    SetFields(ObjectPath),
    /// Writes members of a struct that is a member of the object itself.
    MemberSet {
        /// The struct variable.
        variable: VariableRef<'a>,
        /// Its struct.
        structure: ObjectPath,
    },
    /// Reads a member of a struct that is a member of the object itself.
    MemberGet {
        /// The struct variable.
        variable: VariableRef<'a>,
        /// Its struct.
        structure: ObjectPath,
    },
    /// Fills a container.
    MakeContainer(ContainerKind),
    /// The place of an array's element.
    ElementRef,
    /// Computes a formula in one expression.
    Formula(Box<Formula<'a>>),
    /// Reads the values that objects of a class start with.
    ClassDefaults(ObjectPath),
    /// The value of the option the index selects.
    Select(IndexKind<'a>),
    /// The object itself.
    SelfRef,
    /// An object literal.
    ObjectLiteral(Option<ObjectPath>),
    /// A temporary variable.
    Temporary,
    /// Assigns to a temporary or a reference.
    Assign,
    /// The same without exec pins.
    PureAssign,
    /// An exec wire crosses the border of a macro or composite here.
    PassThrough,
    /// Binds to an event dispatcher.
    AddDelegate(VariableRef<'a>),
    /// Unbinds from an event dispatcher.
    RemoveDelegate(VariableRef<'a>),
    /// Unbinds everything.
    ClearDelegate(VariableRef<'a>),
    /// Calls an event dispatcher.
    CallDelegate {
        /// The dispatcher.
        variable: VariableRef<'a>,
        /// Its signature.
        signature: ObjectPath,
    },
    /// Makes a delegate to a function of an object.
    CreateDelegate(Name),
}

/// A node.
#[derive(Clone, Debug)]
pub struct ExNode<'a> {
    /// What it does.
    pub op: Op<'a>,
    /// Its engine class, which names its locals.
    pub class: Name,
    /// Its pins, in order.
    pub pins: SmallVec<[ExPinId; 8]>,
    /// The drawn node it is or was made for.
    pub origin: OriginId,
    /// The id latent actions are keyed by: the drawn node's, mixed with those of the macro instances
    /// around it.
    pub guid: Guid,
    /// What its locals are called after, in place of its class: of a call the function's name, of a
    /// temporary the variable's.
    pub stem: Option<Name>,
}

/// A pin.
#[derive(Clone, Debug)]
pub struct ExPin<'a> {
    /// Its node.
    pub node: ExNodeId,
    /// Its name.
    pub name: Name,
    /// Its side.
    pub direction: Direction,
    /// Its type.
    pub ty: Lent<'a, PinType>,
    /// What it gives when unlinked.
    pub default: Lent<'a, PinDefault>,
    /// The other ends, in order.
    pub links: SmallVec<[ExPinId; 2]>,
    /// How it is shown; `DEFAULT_IGNORED` counts here.
    pub flags: PinFlags,
    /// Whether control flows through it, which no change of its type changes.
    pub carries_exec: bool,
    /// Of a part of a split struct: the struct's pin.
    pub parent: Option<ExPinId>,
    /// Of a split struct: its parts.
    pub sub_pins: SmallVec<[ExPinId; 4]>,
}

impl ExPin<'_> {
    /// Whether control flows through it.
    #[inline]
    pub fn is_exec(&self) -> bool {
        self.carries_exec
    }
}

/// The nodes of one function.
#[derive(Debug)]
pub struct ExGraph<'a> {
    /// All nodes ever made.
    pub nodes: Arena<ExNode<'a>>,
    /// All pins ever made.
    pub pins: Pins<'a>,
    /// The engine's `Nodes` array.
    pub list: Vec<ExNodeId>,
    /// Where nodes come from.
    pub origins: Arena<Origin<'a>>,
}

/// Of pins that expansion makes.
static NO_DEFAULT: PinDefault = PinDefault {
    value: String::new(),
    object: None,
    text: None,
    autogenerated: String::new(),
};

pub(crate) fn erase(id: Idx<ExNode<'_>>) -> ExNodeId {
    // Ids of the borrowed and the erased node type are the same number.
    ExNodeId::from_raw(id.into_raw())
}

fn borrow<'a>(id: ExNodeId) -> Idx<ExNode<'a>> {
    Idx::from_raw(id.into_raw())
}

impl<'a> ExGraph<'a> {
    /// A graph without nodes.
    pub fn new() -> Self {
        Self {
            nodes: Arena::new(),
            pins: Pins::default(),
            list: Vec::new(),
            origins: Arena::new(),
        }
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, n_nodes: usize, n_pins: usize) {
        if self.nodes.is_empty() {
            self.nodes = Arena::with_capacity(n_nodes);
            self.origins = Arena::with_capacity(n_nodes);
        }
        self.list.reserve(n_nodes);
        self.pins.reserve(n_pins);
    }

    /// The node.
    #[inline]
    pub fn node(&self, id: ExNodeId) -> &ExNode<'a> {
        &self.nodes[borrow(id)]
    }

    /// The node, to be changed.
    #[inline]
    pub fn node_mut(&mut self, id: ExNodeId) -> &mut ExNode<'a> {
        &mut self.nodes[borrow(id)]
    }

    /// The origin.
    pub fn origin(&self, id: OriginId) -> &Origin<'a> {
        &self.origins[Idx::from_raw(id.into_raw())]
    }

    /// Records an origin.
    pub fn add_origin(&mut self, origin: Origin<'a>) -> OriginId {
        OriginId::from_raw(self.origins.alloc(origin).into_raw())
    }

    /// The drawn node behind a node.
    pub fn drawn(&self, id: ExNodeId) -> Option<&'a Node> {
        let origin = self.origin(self.node(id).origin);
        origin.node.map(|node| &origin.graph.nodes[node])
    }

    /// The id that the next node will have.
    pub fn next_node(&self) -> ExNodeId {
        ExNodeId::from_raw(RawIdx::from_u32(self.nodes.len() as u32))
    }

    /// Makes a node that is not in the list yet.
    pub fn alloc(&mut self, node: ExNode<'a>) -> ExNodeId {
        erase(self.nodes.alloc(node))
    }

    /// Makes a node for the sake of another and appends it to the list.
    pub fn spawn(&mut self, for_node: ExNodeId, class: &str, op: Op<'a>) -> ExNodeId {
        let source = self.node(for_node);
        let node = ExNode {
            op,
            class: Name::new(class),
            pins: SmallVec::new(),
            origin: source.origin,
            guid: source.guid,
            stem: None,
        };
        let id = self.alloc(node);
        self.list.push(id);
        id
    }

    /// Adds a pin behind the others of its node.
    pub fn add_pin(
        &mut self,
        node: ExNodeId,
        name: &str,
        direction: Direction,
        ty: impl Into<Lent<'a, PinType>>,
    ) -> ExPinId {
        let ty = ty.into();
        let id = self.pins.alloc(ExPin {
            node,
            name: Name::new(name),
            direction,
            carries_exec: ty.category == PinCategory::Exec,
            ty,
            default: Lent::Of(&NO_DEFAULT),
            links: SmallVec::new(),
            flags: PinFlags::empty(),
            parent: None,
            sub_pins: SmallVec::new(),
        });
        self.node_mut(node).pins.push(id);
        id
    }

    /// Adds an input.
    pub fn input(
        &mut self,
        node: ExNodeId,
        name: &str,
        ty: impl Into<Lent<'a, PinType>>,
    ) -> ExPinId {
        self.add_pin(node, name, Direction::Input, ty)
    }

    /// Adds an output.
    pub fn output(
        &mut self,
        node: ExNodeId,
        name: &str,
        ty: impl Into<Lent<'a, PinType>>,
    ) -> ExPinId {
        self.add_pin(node, name, Direction::Output, ty)
    }

    /// Adds `execute` and `then`, and gives them.
    pub fn exec_pair(&mut self, node: ExNodeId) -> (ExPinId, ExPinId) {
        (
            self.input(node, "execute", PinType::exec()),
            self.output(node, "then", PinType::exec()),
        )
    }

    /// The pin of that name and side.
    pub fn pin(&self, node: ExNodeId, name: &str, direction: Direction) -> Option<ExPinId> {
        let key = NameKey::new(name);
        let is_it = |pin: &ExPin<'_>| pin.direction == direction && pin.name.is(key);
        self.find_pin(node, is_it)
    }

    /// The pin of that name and side, sought first at a place among the node's pins.
    pub fn pin_near(
        &self,
        node: ExNodeId,
        name: &Name,
        direction: Direction,
        place: usize,
    ) -> Option<ExPinId> {
        let is_it = |pin: &ExPin<'_>| pin.direction == direction && pin.name == *name;
        let near = self.node(node).pins.get(place).copied();
        near.filter(|pin| is_it(&self.pins[*pin]))
            .or_else(|| self.find_pin(node, is_it))
    }

    /// A node's first pin of a sort.
    #[inline]
    fn find_pin(&self, node: ExNodeId, is_it: impl Fn(&ExPin<'a>) -> bool) -> Option<ExPinId> {
        for pin in &self.node(node).pins {
            if is_it(&self.pins[*pin]) {
                return Some(*pin);
            }
        }
        None
    }

    /// The input of that name.
    pub fn in_pin(&self, node: ExNodeId, name: &str) -> Option<ExPinId> {
        self.pin(node, name, Direction::Input)
    }

    /// The output of that name.
    pub fn out_pin(&self, node: ExNodeId, name: &str) -> Option<ExPinId> {
        self.pin(node, name, Direction::Output)
    }

    /// A node's pins, copied out so that the graph can be changed while walking them.
    pub fn pins_of(&self, node: ExNodeId) -> SmallVec<[ExPinId; 8]> {
        self.node(node).pins.clone()
    }

    /// The first exec output.
    pub fn then(&self, node: ExNodeId) -> Option<ExPinId> {
        self.find_pin(node, |pin| {
            pin.is_exec() && pin.direction == Direction::Output
        })
    }

    /// The first exec input.
    pub fn execute(&self, node: ExNodeId) -> Option<ExPinId> {
        self.find_pin(node, |pin| {
            pin.is_exec() && pin.direction == Direction::Input
        })
    }

    /// The only output that carries data, or the first.
    pub fn data_out(&self, node: ExNodeId) -> Option<ExPinId> {
        self.find_pin(node, |pin| {
            !pin.is_exec() && pin.direction == Direction::Output
        })
    }

    /// Whether a node has no exec pins.
    pub fn is_pure(&self, node: ExNodeId) -> bool {
        self.find_pin(node, ExPin::is_exec).is_none()
    }

    /// The node an exec output leads to.
    pub fn target(&self, pin: ExPinId) -> Option<ExNodeId> {
        self.pins[pin]
            .links
            .first()
            .map(|other| self.pins[*other].node)
    }

    /// Links two pins, behind their other links, unless they are linked.
    pub fn link(&mut self, a: ExPinId, b: ExPinId) {
        // The pin with fewer links tells, so that one that feeds thousands costs no search for each.
        let (few, many) = if self.pins[a].links.len() <= self.pins[b].links.len() {
            (a, b)
        } else {
            (b, a)
        };
        if !self.pins[few].links.contains(&many) {
            self.pins[few].links.push(many);
            if few != many {
                self.pins[many].links.push(few);
            }
        }
    }

    /// Removes all links of a pin.
    pub fn unlink(&mut self, pin: ExPinId) {
        for other in std::mem::take(&mut self.pins[pin].links) {
            self.pins[other].links.retain(|link| *link != pin);
        }
    }

    /// Removes all links of a node.
    pub fn unlink_node(&mut self, node: ExNodeId) {
        for pin in self.pins_of(node) {
            self.unlink(pin);
        }
    }

    /// Moves the links of `from` to `to`. Each comes to stand last in its far end's list, as the
    /// engine breaks and remakes them one by one.
    pub fn move_links(&mut self, from: ExPinId, to: ExPinId) {
        let links = self.pins[from].links.clone();
        self.unlink(from);
        for other in links {
            self.link(to, other);
        }
    }

    /// Links `to` to everything that `from` is linked to, without removing those links.
    pub fn copy_links(&mut self, from: ExPinId, to: ExPinId) {
        for other in self.pins[from].links.clone() {
            self.link(to, other);
        }
    }

    /// Gives an input of a new node what an input of the replaced node had: its links, or its default.
    pub fn move_input(&mut self, from: ExPinId, to: ExPinId) {
        self.move_links(from, to);
        self.pins[to].default = self.pins[from].default.clone();
    }

    /// Marks a node as replaced: it keeps its place in the list without links.
    pub fn dissolve(&mut self, node: ExNodeId) {
        self.unlink_node(node);
        self.node_mut(node).op = Op::Gone;
    }

    /// Takes the element at `idx` out of the list; the last one fills its place.
    pub fn swap_remove(&mut self, idx: usize) {
        self.list.swap_remove(idx);
    }
}

impl Default for ExGraph<'_> {
    fn default() -> Self {
        Self::new()
    }
}
