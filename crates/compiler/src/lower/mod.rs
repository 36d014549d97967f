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

use std::borrow::Cow;

use bp_bytecode::{NodeName, PropertyRef};
use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_reflect::{Name, ObjectPath, Property, PropertyFlags, PropertyType};
use la_arena::{Arena, ArenaMap};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Temporaries in order of registration, numeric casts behind them.
    locals: Vec<Property>,
    casts: Vec<CastLocal>,
    names: NetNames,
    /// Own statements of each node; pure nodes too.
    blocks: ArenaMap<ExNodeId, Vec<Statement>>,
    /// Names of the nodes that statements come from, and where each origin's stands.
    node_names: Vec<NodeName>,
    node_of_origin: FxHashMap<OriginId, u32>,
    diagnostics: Diagnostics,
}

impl<'a, 'x> Lowering<'a, 'x> {
    fn new(cx: &'x Context<'a>, expanded: &'x ExpandedFunction<'a>) -> Self {
        let mut names = NetNames::new(cx);
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
            terms: Arena::new(),
            nets: ArenaMap::new(),
            node_terms: ArenaMap::new(),
            locals: Vec::new(),
            casts: Vec::new(),
            names,
            blocks: ArenaMap::new(),
            node_names: Vec::new(),
            node_of_origin: FxHashMap::default(),
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
        if let Some(idx) = self.node_of_origin.get(&origin_id) {
            return *idx;
        }
        let origin = self.graph.origin(origin_id);
        let idx = self.node_names.len() as u32;
        self.node_names.push(match origin.node {
            Some(node) => {
                let node = &origin.graph.nodes[node];
                NodeName {
                    graph: origin.graph.name.to_string(),
                    title: self.cx.title(origin.graph, node),
                    name: node.name.to_string(),
                }
            }
            None => NodeName {
                graph: origin.graph.name.to_string(),
                title: String::new(),
                name: String::new(),
            },
        });
        self.node_of_origin.insert(origin_id, idx);
        idx
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
    fn new_local(&mut self, base: &str, ty: PropertyType, flags: PropertyFlags) -> TermId {
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
    fn new_cast_local(&mut self, pin: ExPinId, base: &str, ty: PropertyType) -> TermId {
        let name = self.names.make(base);
        let producer = self.producer(pin);
        let local = Property::new(name.clone(), ty.clone(), PropertyFlags::empty());
        let term = self.local_term(&name, ty, 0, false);
        self.casts.push(CastLocal {
            local,
            term,
            producer,
            base: Some(base.to_owned()),
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
        let statement = Statement { kind, node };
        match self.blocks.get_mut(id) {
            Some(block) => block.push(statement),
            None => {
                self.blocks.insert(id, vec![statement]);
            }
        }
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
}

impl NetNames {
    fn new(cx: &Context<'_>) -> Self {
        let is_old = cx.engine < bp_reflect::EngineVersion::new(4, 18);
        Self {
            used: FxHashSet::default(),
            next: FxHashMap::default(),
            separator: if is_old { "" } else { "_" },
            first: if is_old { 2 } else { 1 },
        }
    }

    fn reserve(&mut self, name: &Name) {
        self.used.insert(name.clone());
    }

    fn make(&mut self, base: &str) -> Name {
        let base: Cow<'_, str> = if base.chars().all(is_legal) {
            base.into()
        } else {
            let legal = base.chars().map(|c| if is_legal(c) { c } else { '_' });
            legal.collect()
        };
        let plain = Name::new(&base);
        if self.used.insert(plain.clone()) {
            return plain;
        }
        let mut number = self.next.get(&plain).copied().unwrap_or(self.first);
        loop {
            let name = Name::new(format!("{base}{}{number}", self.separator));
            number += 1;
            if self.used.insert(name.clone()) {
                self.next.insert(plain, number);
                return name;
            }
        }
    }
}

fn is_legal(c: char) -> bool {
    !" -?().,'/!:&[]+*%#@;=<>\"\\|{}^~`$".contains(c)
}
