//! Lowering: from the expanded graph to statements.
//!
//! The schedule is a topological order over data wires alone; in it terms get their names and each node
//! its statements. Then pure nodes are copied in front of every consumer, blocks are put in their final
//! order along the exec wires, and gotos are resolved.

mod calls;
mod conversions;
mod finish;
mod order;
mod schedule;
mod statements;
mod terms;

use std::fmt::{self, Write as _};
use std::sync::Arc;

use bp_bytecode::{NodeName, PropertyRef};
use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::{Graph, Node, Properties};
use bp_reflect::{Name, ObjectPath, Property, PropertyFlags, PropertyType};
use la_arena::{Arena, ArenaMap};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::context::Context;
use crate::expand::ExpandedFunction;
use crate::expanded::{ExGraph, ExNodeId, ExPinId, OriginId};
use crate::ir::{FunctionIr, Statement, StatementKind, Term, TermId, TermKind};

pub use schedule::{Schedule, schedule};

/// Lowers one expanded function.
pub fn lower<'a>(
    cx: &Context<'a>,
    expanded: &ExpandedFunction<'a>,
    schedule: &Schedule,
) -> (FunctionIr, Diagnostics) {
    let mut lowering = Lowering::new(cx, expanded);
    lowering.name_event_parameters();
    for id in &schedule.order {
        lowering.register_nets(*id);
    }
    for id in &schedule.order {
        lowering.compile(*id);
    }
    lowering.finish(schedule)
}

/// A temporary of an implicit conversion.
struct CastLocal {
    local: Property,
    term: TermId,
    /// The node whose output is converted.
    producer: Option<ExNodeId>,
    /// What its name is made of; none if it has the very name of another local.
    base: Option<String>,
}

/// Own statements of each node; pure nodes too.
///
/// Nodes are compiled one after the other, so that a block is a part of one list.
#[derive(Default)]
struct Blocks {
    statements: Vec<Statement>,
    /// First statement, and one behind the last.
    ranges: ArenaMap<ExNodeId, (u32, u32)>,
}

impl Blocks {
    /// Adds to a node's block, which must be the last one begun or a new one.
    fn push(&mut self, id: ExNodeId, statement: Statement) {
        let end = self.statements.len() as u32;
        self.statements.push(statement);
        match self.ranges.get_mut(id) {
            Some(range) => {
                assert_eq!(range.1, end, "nodes are compiled one after the other");
                range.1 += 1;
            }
            None => {
                self.ranges.insert(id, (end, end + 1));
            }
        }
    }

    /// A node's statements; none if it has no code.
    fn of(&self, id: ExNodeId) -> &[Statement] {
        match self.ranges.get(id) {
            Some((start, end)) => &self.statements[*start as usize..*end as usize],
            None => &[],
        }
    }

    fn has_code(&self, id: ExNodeId) -> bool {
        self.ranges.contains_idx(id)
    }
}

/// The state of one function's lowering.
struct Lowering<'a, 'x> {
    cx: &'x Context<'a>,
    expanded: &'x ExpandedFunction<'a>,
    graph: &'x ExGraph<'a>,
    path: ObjectPath,
    terms: Arena<Term>,
    /// The term each output pin gives.
    nets: ArenaMap<ExPinId, TermId>,
    /// The term of nodes that have one without a pin: a switch's comparison, a select's default.
    node_terms: ArenaMap<ExNodeId, TermId>,
    /// Literals that are made of a text, by it and their type.
    literals: FxHashMap<(&'x str, PropertyType), TermId>,
    /// Temporaries in order of registration, numeric casts behind them.
    locals: Vec<Property>,
    casts: Vec<CastLocal>,
    names: NetNames,
    blocks: Blocks,
    /// Names of the nodes that statements come from, and where each origin's stands.
    node_names: Vec<NodeName>,
    node_of_origin: ArenaMap<OriginId, u32>,
    /// Titles that follow from class and properties.
    titles: FxHashMap<(&'a Name, &'a Properties), Arc<str>>,
    diagnostics: Diagnostics,
}

impl<'a, 'x> Lowering<'a, 'x> {
    fn new(cx: &'x Context<'a>, expanded: &'x ExpandedFunction<'a>) -> Self {
        let n_nodes = expanded.graph.list.len();
        let mut names = NetNames::new(cx, n_nodes);
        for param in &expanded.signature.params {
            names.reserve(&param.name);
        }
        for local in &expanded.signature.locals {
            names.reserve(&local.name);
        }
        Self {
            cx,
            expanded,
            graph: &expanded.graph,
            path: cx.class.path.member(&expanded.name),
            terms: Arena::with_capacity(n_nodes),
            nets: ArenaMap::with_capacity(expanded.graph.pins.len()),
            literals: FxHashMap::default(),
            node_terms: ArenaMap::new(),
            locals: Vec::with_capacity(n_nodes / 2),
            casts: Vec::new(),
            names,
            blocks: Blocks {
                statements: Vec::with_capacity(2 * n_nodes),
                ranges: ArenaMap::with_capacity(expanded.graph.nodes.len()),
            },
            node_names: Vec::with_capacity(n_nodes),
            node_of_origin: ArenaMap::with_capacity(expanded.graph.origins.len()),
            titles: FxHashMap::default(),
            diagnostics: Diagnostics::new(),
        }
    }

    // ---- findings

    fn finding(
        &self,
        id: ExNodeId,
        code: Code,
        message: impl Into<String>,
        pin: Option<&Name>,
    ) -> Diagnostic {
        self.cx.finding(self.graph, id, code, message, pin)
    }

    fn error(&mut self, id: ExNodeId, code: Code, message: impl Into<String>, pin: Option<&Name>) {
        let finding = self.finding(id, code, message, pin);
        self.diagnostics.push(finding);
    }

    /// Index of a node's name for statements.
    fn node_index(&mut self, id: ExNodeId) -> u32 {
        let origin_id = self.graph.node(id).origin;
        if let Some(idx) = self.node_of_origin.get(origin_id) {
            return *idx;
        }
        let origin = self.graph.origin(origin_id);
        let idx = self.node_names.len() as u32;
        let name = match origin.node {
            Some(node) => {
                let node = &origin.graph.nodes[node];
                NodeName {
                    graph: origin.graph.name.to_shared(),
                    title: self.title(origin.graph, node),
                    name: node.name.to_shared(),
                }
            }
            None => NodeName {
                graph: origin.graph.name.to_shared(),
                title: Arc::default(),
                name: Arc::default(),
            },
        };
        self.node_names.push(name);
        self.node_of_origin.insert(origin_id, idx);
        idx
    }

    /// A node's title. Most nodes of a large graph call few functions and use few variables.
    fn title(&mut self, graph: &'a Graph, node: &'a Node) -> Arc<str> {
        if !bp_graph::nodes::is_title_of_properties(node) {
            return self.cx.title(graph, node).into();
        }
        let title = self
            .titles
            .entry((&node.class, &node.properties))
            .or_insert_with(|| self.cx.title(graph, node).into());
        title.clone()
    }

    // ---- terms and locals

    fn term(&mut self, ty: PropertyType, kind: TermKind) -> TermId {
        self.terms.alloc(Term { ty, kind })
    }

    /// A term for a variable of this function.
    fn local_term(&mut self, name: &Name, ty: PropertyType, ordinal: u16, is_out: bool) -> TermId {
        let mut property = PropertyRef::new(self.path.clone(), name.clone());
        property.ordinal = ordinal;
        self.term(ty, TermKind::Local { property, is_out })
    }

    /// Registers a temporary under the first free name.
    fn new_local(
        &mut self,
        base: fmt::Arguments<'_>,
        ty: PropertyType,
        flags: PropertyFlags,
    ) -> TermId {
        let name = self.names.make(base);
        self.locals
            .push(Property::new(name.clone(), ty.clone(), flags));
        self.local_term(&name, ty, 0, false)
    }

    /// The node that an input reads from.
    fn producer(&self, pin: ExPinId) -> Option<ExNodeId> {
        let source = *self.graph.pins[pin].links.first()?;
        Some(self.graph.pins[source].node)
    }

    /// Registers the temporary of an implicit conversion; these stand behind all others.
    fn new_cast_local(
        &mut self,
        pin: ExPinId,
        base: fmt::Arguments<'_>,
        ty: PropertyType,
    ) -> TermId {
        let base = base.to_string();
        let name = self.names.make(format_args!("{base}"));
        let producer = self.producer(pin);
        let local = Property::new(name.clone(), ty.clone(), PropertyFlags::empty());
        let term = self.local_term(&name, ty, 0, false);
        self.casts.push(CastLocal {
            local,
            term,
            producer,
            base: Some(base),
        });
        term
    }

    /// A second temporary of the same name as another one.
    ///
    /// Source: since 5.1 an assignment inside an expansion that converts has two locals of one name.
    fn twin_local(&mut self, pin: ExPinId, name: &Name, ty: PropertyType) -> TermId {
        let ordinal = self
            .locals
            .iter()
            .chain(self.casts.iter().map(|cast| &cast.local))
            .filter(|local| local.name == *name)
            .count();
        let producer = self.producer(pin);
        let local = Property::new(name.clone(), ty.clone(), PropertyFlags::empty());
        let term = self.local_term(name, ty, ordinal as u16, false);
        self.casts.push(CastLocal {
            local,
            term,
            producer,
            base: None,
        });
        term
    }

    /// Adds a statement to a node's block.
    fn push(&mut self, id: ExNodeId, kind: StatementKind) {
        let node = self.node_index(id);
        self.blocks.push(id, Statement { kind, node });
    }
}

/// Gives temporaries their names: the first free one of `Base`, `Base_1`, `Base_2`, …, compared without
/// case.
///
/// Source: 6,308 of 7,272 names in real functions follow from the order of registration; up to 4.17 the
/// suffix has no underscore and starts with 2.
struct NetNames {
    used: FxHashSet<Name>,
    /// Where the search for each base goes on, so that many equal bases stay linear.
    next: FxHashMap<Name, u32>,
    separator: &'static str,
    first: u32,
    /// Where texts are put together.
    text: String,
}

impl NetNames {
    /// `n_names` is about how many names there will be.
    fn new(cx: &Context<'_>, n_names: usize) -> Self {
        let is_old = cx.engine < bp_reflect::EngineVersion::new(4, 18);
        Self {
            used: FxHashSet::with_capacity_and_hasher(n_names, FxBuildHasher),
            next: FxHashMap::default(),
            separator: if is_old { "" } else { "_" },
            first: if is_old { 2 } else { 1 },
            text: String::new(),
        }
    }

    fn reserve(&mut self, name: &Name) {
        self.used.insert(name.clone());
    }

    fn make(&mut self, base: fmt::Arguments<'_>) -> Name {
        self.text.clear();
        let _ = self.text.write_fmt(base);
        if self.text.bytes().any(is_illegal) {
            let legal = |c: char| match u8::try_from(c) {
                Ok(byte) if is_illegal(byte) => '_',
                _ => c,
            };
            self.text = self.text.chars().map(legal).collect();
        }
        let plain = Name::new(&self.text);
        if self.used.insert(plain.clone()) {
            return plain;
        }
        let end = self.text.len();
        let next = self.next.entry(plain).or_insert(self.first);
        loop {
            self.text.truncate(end);
            let _ = write!(self.text, "{}{next}", self.separator);
            *next += 1;
            let name = Name::new(&self.text);
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Whether an ASCII character cannot be in a name of a local; all others can.
fn is_illegal(byte: u8) -> bool {
    matches!(
        byte,
        b' '..=b'/' | b':'..=b'@' | b'['..=b'^' | b'`' | b'{'..=b'~'
    )
}
