//! The last step: blocks become one list of statements, gotos become jumps to statements.

use std::collections::VecDeque;

use bp_bytecode::PropertyRef;
use bp_diag::{Code, Diagnostics};
use bp_graph::Direction;
use bp_reflect::Name;
use la_arena::ArenaMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{Lowering, Schedule};
use crate::expanded::{ExNodeId, Op, OriginId};
use crate::ir::{
    Call, FunctionIr, PinVariable, Statement, StatementId, StatementKind, Target, TermKind,
};

impl Lowering<'_, '_> {
    /// Temporaries of conversions are made, and named, in the order in which the converted outputs got their
    /// terms, whatever node converts them.
    ///
    /// Source: the one real ubergraph (5.3) in which that order is not the consumers'.
    fn sort_casts(&mut self, schedule: &Schedule) {
        if self.casts.len() < 2 {
            return;
        }
        let mut names: FxHashMap<String, VecDeque<Name>> = FxHashMap::default();
        for cast in &self.casts {
            if let Some(base) = &cast.base {
                let names = names.entry(base.clone()).or_default();
                names.push_back(cast.local.name.clone());
            }
        }
        self.casts
            .sort_by_key(|cast| schedule.position.get(cast.producer?).copied());
        for cast in &mut self.casts {
            let name = cast
                .base
                .as_ref()
                .and_then(|base| names.get_mut(base)?.pop_front());
            if let Some(name) = name
                && let TermKind::Local { property, .. } = &mut self.terms[cast.term].kind
            {
                *property = PropertyRef::new(property.owner.clone(), name.clone());
                cast.local.name = name;
            }
        }
    }

    /// Where a latent call resumes, before places are known.
    pub(super) fn resume_of(&self, call: &Call) -> Option<Target> {
        call.arguments
            .iter()
            .find_map(|argument| match &self.terms[*argument].kind {
                TermKind::LatentInfo { resume, .. } => *resume,
                TermKind::Local { .. }
                | TermKind::Member { .. }
                | TermKind::StructMember { .. }
                | TermKind::ClassDefault { .. }
                | TermKind::Call(_)
                | TermKind::Literal(_)
                | TermKind::SelfRef
                | TermKind::DefaultObject(_)
                | TermKind::EventOffset(_)
                | TermKind::Switch { .. }
                | TermKind::Element { .. } => None,
            })
    }

    /// Lays out the function.
    pub(super) fn finish(mut self, schedule: &Schedule) -> (FunctionIr, Diagnostics) {
        let order = self.final_order(schedule);
        // A function keeps a flow stack when something pushes on it or ends a thread by itself.
        let uses_flow_stack = order
            .iter()
            .flat_map(|id| self.blocks.of(*id))
            .any(|statement| {
                matches!(
                    statement.kind,
                    StatementKind::PushState(_)
                        | StatementKind::EndOfThread
                        | StatementKind::EndOfThreadIfNot(_)
                )
            });

        let mut out = Vec::with_capacity(self.blocks.statements.len() + 2);
        let mut block_start: ArenaMap<ExNodeId, u32> =
            ArenaMap::with_capacity(self.graph.nodes.len());
        if uses_flow_stack {
            let node = self.node_index(self.expanded.entry);
            out.push(Statement {
                kind: StatementKind::PushState(Target::Return),
                node,
            });
        }
        let mut producers = Vec::new();
        for (idx, id) in order.iter().enumerate() {
            block_start.insert(*id, out.len() as u32);
            self.pure_producers(*id, schedule, &mut producers);
            for producer in &producers {
                out.extend_from_slice(self.blocks.of(*producer));
            }
            let next = order.get(idx + 1).copied();
            self.lay_out_block(*id, next, uses_flow_stack, &mut out);
        }
        let node = self.node_index(self.expanded.entry);
        out.push(Statement {
            kind: StatementKind::Return,
            node,
        });

        // Blocks are placed: what still names an exec pin can be resolved.
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        let graph = self.graph;
        let place = |target: Target| -> Result<Target, ExNodeId> {
            match target {
                Target::Pin(pin) => match graph.target(pin) {
                    None => Ok(Target::Return),
                    Some(node) => match block_start.get(node) {
                        Some(start) => Ok(Target::Statement(StatementId(*start))),
                        None => Err(node),
                    },
                },
                Target::End => Ok(Target::Return),
                Target::Statement(_) | Target::Return | Target::Within(_) => Ok(target),
            }
        };
        let mut nowhere = Vec::new();
        for statement in &mut out {
            let (StatementKind::Goto(target)
            | StatementKind::GotoIfNot(_, target)
            | StatementKind::PushState(target)) = &mut statement.kind
            else {
                continue;
            };
            match place(*target) {
                Ok(placed) => *target = placed,
                Err(node) => nowhere.push(node),
            }
        }
        for (_, term) in self.terms.iter_mut() {
            if let TermKind::LatentInfo {
                resume: Some(target),
                ..
            } = &mut term.kind
            {
                match place(*target) {
                    Ok(placed) => *target = placed,
                    Err(node) => nowhere.push(node),
                }
            }
        }
        nowhere.sort();
        nowhere.dedup();
        for node in nowhere {
            diagnostics.push(self.finding(
                node,
                Code::GotoNowhere,
                "control flow is passed to this node, which generates no code",
                None,
            ));
        }

        let mut events = Vec::new();
        for event in &self.expanded.events {
            if let (Op::Event { function }, Some(start)) =
                (&self.graph.node(*event).op, block_start.get(*event))
            {
                events.push((function.clone(), StatementId(*start)));
            }
        }
        let mut event_parameters: FxHashMap<ExNodeId, Vec<PropertyRef>> = FxHashMap::default();
        for event in &self.expanded.events {
            let properties = self
                .outputs(*event)
                .filter_map(|pin| self.nets.get(pin))
                .filter_map(|term| {
                    let TermKind::Local { property, .. } = &self.terms[*term].kind else {
                        return None;
                    };
                    Some(property.clone())
                });
            let properties = properties.collect();
            event_parameters.insert(*event, properties);
        }
        let pins = self.pin_variables();
        let mut function = self.expanded.signature.clone();
        function.locals.append(&mut self.locals);
        self.sort_casts(schedule);
        function
            .locals
            .extend(self.casts.drain(..).map(|cast| cast.local));
        let ir = FunctionIr {
            path: self.path,
            function,
            terms: self.terms,
            statements: out,
            uses_flow_stack,
            events,
            stub_of: None,
            event_parameters,
            nodes: self.node_names,
            pins,
        };
        (ir, diagnostics)
    }

    /// The variables that pins of drawn nodes stand for. Of several nodes that one was expanded into, the
    /// first that has the pin tells.
    fn pin_variables(&self) -> Vec<PinVariable> {
        let graph = self.graph;
        let mut known: FxHashSet<(OriginId, &Name)> = FxHashSet::default();
        let mut pins = Vec::new();
        for (_, node) in graph.nodes.iter() {
            let origin = graph.origin(node.origin);
            let Some(drawn) = origin.node.map(|node| &origin.graph.nodes[node]) else {
                continue;
            };
            for pin_id in &node.pins {
                let pin = &graph.pins[*pin_id];
                let source = match pin.direction {
                    Direction::Output => Some(*pin_id),
                    Direction::Input => pin.links.first().copied(),
                };
                let Some(term) = source.and_then(|source| self.nets.get(source)) else {
                    continue;
                };
                let (TermKind::Local { property, .. }
                | TermKind::Member {
                    property,
                    object: None,
                }) = &self.terms[*term].kind
                else {
                    continue;
                };
                if known.insert((node.origin, &pin.name)) {
                    pins.push(PinVariable {
                        node: drawn.name.clone(),
                        pin: pin.name.clone(),
                        variable: property.path[0].clone(),
                    });
                }
            }
        }
        pins
    }

    /// Appends a node's own statements. A goto that ends the block is left out when its target comes
    /// next; what an unlinked exec output means depends on the flow stack.
    fn lay_out_block(
        &mut self,
        id: ExNodeId,
        next: Option<ExNodeId>,
        flow_stack: bool,
        out: &mut Vec<Statement>,
    ) {
        let block = self.blocks.of(id);
        let n_statements = block.len();
        let own_start = out.len();
        // Position in `out` of each own statement, for targets within the block.
        let mut placed: SmallVec<[u32; 16]> = SmallVec::with_capacity(n_statements);
        for (idx, statement) in block.iter().enumerate() {
            let mut statement = statement.clone();
            placed.push(out.len() as u32);
            let is_last = idx + 1 == n_statements;
            match &statement.kind {
                StatementKind::Goto(target) => {
                    let linked = match target {
                        Target::Pin(pin) => self.graph.target(*pin),
                        Target::Within(_) | Target::End | Target::Statement(_) | Target::Return => {
                            None
                        }
                    };
                    let is_end = matches!(target, Target::Pin(_) | Target::End) && linked.is_none();
                    let falls_through = linked.is_some() && linked == next;
                    let falls_into_return = next.is_none() && (is_end || *target == Target::Return);
                    if is_end && flow_stack {
                        statement.kind = StatementKind::EndOfThread;
                    } else if is_last && (falls_through || falls_into_return) {
                        continue;
                    }
                }
                StatementKind::GotoIfNot(condition, target) => {
                    let is_end = match target {
                        Target::Pin(pin) => self.graph.target(*pin).is_none(),
                        Target::End => true,
                        Target::Within(_) | Target::Statement(_) | Target::Return => false,
                    };
                    if is_end && flow_stack {
                        statement.kind = StatementKind::EndOfThreadIfNot(*condition);
                    }
                }
                StatementKind::Call(_)
                | StatementKind::Assign(..)
                | StatementKind::AssignOnPersistentFrame(..)
                | StatementKind::PushState(_)
                | StatementKind::EndOfThread
                | StatementKind::EndOfThreadIfNot(_)
                | StatementKind::ComputedGoto(_)
                | StatementKind::Return
                | StatementKind::Cast(..)
                | StatementKind::Convert(..)
                | StatementKind::AddDelegate(..)
                | StatementKind::RemoveDelegate(..)
                | StatementKind::ClearDelegate(_)
                | StatementKind::BindDelegate(..)
                | StatementKind::CallDelegate { .. }
                | StatementKind::Fill(..)
                | StatementKind::DebugSite
                | StatementKind::WireTraceSite => {}
            }
            out.push(statement);
        }
        for statement in &mut out[own_start..] {
            if let StatementKind::PushState(Target::Within(idx)) = statement.kind {
                statement.kind =
                    StatementKind::PushState(Target::Statement(StatementId(placed[idx as usize])));
            }
        }
    }
}
