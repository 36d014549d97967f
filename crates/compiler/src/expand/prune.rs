//! Removal of nodes that no code can come of.

use std::sync::LazyLock;

use bitflags::bitflags;
use bp_diag::Code;
use bp_graph::Direction;
use bp_reflect::Name;
use rustc_hash::FxHashSet;

use super::Expander;
use crate::expanded::{ExNodeId, Op};

/// What counts as reached from the start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Roots {
    /// Entry, events, and drawn nodes that may become events.
    BeforeExpansion,
    /// Entry and events only.
    AfterExpansion,
}

bitflags! {
    /// What a prune found out about a node.
    #[derive(Clone, Copy, Debug)]
    struct Found: u8 {
        /// It counts as pure.
        const PURE = 1;
        /// An exec wire leads to it.
        const BY_EXEC = 2;
        /// Something that runs needs it.
        const REACHED = 4;
    }
}

/// [`ROOT_CLASSES`] by their names, since every node is asked.
static ROOTS: LazyLock<FxHashSet<Name>> =
    LazyLock::new(|| ROOT_CLASSES.iter().map(Name::new).collect());

/// Drawn classes that are or may become events. The entry tunnel of a macro's or composite's inside counts
/// too (`Expander::inner_entries`), the instance and the exit tunnel do not.
///
/// Source of the latter: of the 64 ways to take the three gateways out (each in either loop of either prune)
/// only this one explains all 18 real functions that tell them apart and use no macro of unknown node order,
/// one of them with 13 instances of `IsValid`.
const ROOT_CLASSES: &[&str] = &[
    "K2Node_FunctionEntry",
    "K2Node_Event",
    "K2Node_CustomEvent",
    "K2Node_ComponentBoundEvent",
    "K2Node_ActorBoundEvent",
    "K2Node_InputAction",
    "K2Node_InputKey",
    "K2Node_InputDebugKey",
    "K2Node_InputAxisEvent",
    "K2Node_InputAxisKeyEvent",
    "K2Node_InputVectorAxisEvent",
    "K2Node_InputTouch",
    "K2Node_EnhancedInputAction",
    "K2Node_Timeline",
    "K2Node_AsyncAction",
    "K2Node_LatentAbilityCall",
    "K2Node_LatentOnlineCall",
    "K2Node_LatentGameplayTaskCall",
    "K2Node_HttpRequest",
    "K2Node_LoadAsset",
    "K2Node_LoadAssetClass",
    // Machines of animation; only in 4.16 are they there at the first prune, by the order of code of two ubergraphs.
    "AnimGraphNode_StateMachine",
];

impl Expander<'_, '_> {
    /// Removes what is not reached, in two loops that each fill the hole with the last element and look
    /// at the same place again: first impure nodes that no exec wire reaches, then everything else.
    ///
    /// Source: the two loops and the swap each explain dozens of real ubergraphs that a stable removal
    /// does not.
    pub(super) fn prune(&mut self, roots: Roots) {
        // By the nodes' numbers.
        let mut found = vec![Found::empty(); self.graph.nodes.len()];
        let at = |id: ExNodeId| id.into_raw().into_u32() as usize;
        let graph = &self.graph;
        let mut work: Vec<ExNodeId> = Vec::with_capacity(graph.list.len());
        for (id, _) in graph.nodes.iter() {
            let id = crate::expanded::erase(id);
            found[at(id)].set(Found::PURE, self.counts_as_pure(id));
        }
        work.extend(
            graph
                .list
                .iter()
                .copied()
                .filter(|id| self.is_root(*id, roots)),
        );
        while let Some(id) = work.pop() {
            if found[at(id)].contains(Found::BY_EXEC) {
                continue;
            }
            found[at(id)].insert(Found::BY_EXEC);
            for pin in &graph.node(id).pins {
                let pin = &graph.pins[*pin];
                if pin.is_exec() && pin.direction == Direction::Output {
                    work.extend(pin.links.iter().map(|other| graph.pins[*other].node));
                }
            }
        }
        let by_exec = |id: &ExNodeId| found[at(*id)].contains(Found::BY_EXEC);
        work.extend(graph.list.iter().copied().filter(by_exec));
        while let Some(id) = work.pop() {
            if found[at(id)].contains(Found::REACHED) {
                continue;
            }
            found[at(id)].insert(Found::REACHED);
            for pin in &graph.node(id).pins {
                let pin = &graph.pins[*pin];
                if pin.is_exec() || pin.direction == Direction::Output {
                    continue;
                }
                for other in &pin.links {
                    let producer = graph.pins[*other].node;
                    if found[at(producer)].contains(Found::PURE) {
                        work.push(producer);
                    }
                }
            }
        }
        self.warn_pruned_reads(&found);
        self.remove_where(|id| !found[at(id)].intersects(Found::BY_EXEC | Found::PURE));
        self.remove_where(|id| !found[at(id)].contains(Found::REACHED));
    }

    fn remove_where(&mut self, is_removed: impl Fn(ExNodeId) -> bool) {
        let mut idx = 0;
        while idx < self.graph.list.len() {
            let id = self.graph.list[idx];
            if is_removed(id) {
                self.graph.unlink_node(id);
                self.graph.swap_remove(idx);
            } else {
                idx += 1;
            }
        }
    }

    fn is_root(&self, id: ExNodeId, roots: Roots) -> bool {
        let node = self.graph.node(id);
        match &node.op {
            Op::Entry | Op::Event { .. } => true,
            Op::Drawn => {
                roots == Roots::BeforeExpansion
                    && (ROOTS.contains(&node.class) || self.inner_entries.contains_idx(id))
            }
            // A timeline is a root by its class: it keeps its place to the end, with a debug site for all its
            // code. Source: the places of the events made last, and of that site, in the three real
            // ubergraphs with timelines that nothing else sets apart.
            Op::Gone => node.class == "K2Node_Timeline",
            Op::Result
            | Op::Call { .. }
            | Op::VariableGet(_)
            | Op::VariableSet(_)
            | Op::Branch
            | Op::Sequence
            | Op::Switch { .. }
            | Op::Cast { .. }
            | Op::MakeStruct(_)
            | Op::BreakStruct
            | Op::SetFields(_)
            | Op::MemberSet { .. }
            | Op::MemberGet { .. }
            | Op::MakeContainer(_)
            | Op::ElementRef
            | Op::Formula(_)
            | Op::ClassDefaults(_)
            | Op::Select(_)
            | Op::SelfRef
            | Op::ObjectLiteral(_)
            | Op::Temporary
            | Op::Assign
            | Op::PureAssign
            | Op::PassThrough
            | Op::AddDelegate(_)
            | Op::RemoveDelegate(_)
            | Op::ClearDelegate(_)
            | Op::CallDelegate { .. }
            | Op::CreateDelegate(_) => false,
        }
    }

    /// Nodes without exec pins, and knots whatever they carry; gateways never.
    fn counts_as_pure(&self, id: ExNodeId) -> bool {
        let class = &self.graph.node(id).class;
        if !self.graph.is_pure(id) {
            return *class == "K2Node_Knot";
        }
        // Source: the order of code in ubergraphs of 4.16, where they are there at the first prune.
        if crate::animation::is_merged_first(self.cx.engine)
            && bp_graph::animation::is_animation_node(class)
        {
            return false;
        }
        !["K2Node_Tunnel", "K2Node_MacroInstance", "K2Node_Composite"]
            .iter()
            .any(|gateway| *class == **gateway)
    }

    /// A surviving node that reads an output of a node that is removed reads the type's default.
    fn warn_pruned_reads(&mut self, found: &[Found]) {
        let mut findings = Vec::new();
        let found = |id: ExNodeId| found[id.into_raw().into_u32() as usize];
        for id in &self.graph.list {
            if !found(*id).contains(Found::REACHED) {
                continue;
            }
            for pin in &self.graph.node(*id).pins {
                let pin = &self.graph.pins[*pin];
                if pin.is_exec() || pin.direction == Direction::Output {
                    continue;
                }
                for other in &pin.links {
                    let producer = self.graph.pins[*other].node;
                    if found(producer).intersects(Found::BY_EXEC | Found::PURE) {
                        continue;
                    }
                    let node = self.graph.node(producer);
                    let is_drawn = matches!(node.op, Op::Drawn | Op::Call { .. })
                        && !node.class.as_str().contains("Tunnel");
                    if is_drawn {
                        let title = self.title(producer);
                        findings.push(
                            self.finding(
                                *id,
                                Code::PrunedRead,
                                format!("`{}` reads a value of “{title}”, which never runs: its exec pin is not connected", pin.name),
                                Some(&pin.name),
                            )
                            .note("it reads as the type's default"),
                        );
                    }
                }
            }
        }
        for finding in findings {
            self.diagnostics.push(finding);
        }
    }
}
