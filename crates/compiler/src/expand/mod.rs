//! Expansion: from what the author drew to the nodes that code is made of.
//!
//! The steps, in the engine's order (each changes the node list, whose order decides the code's):
//! clone the graph (pages of the ubergraph from their end), move collapsed graphs in, dissolve macros
//! and tunnels, prune, dissolve knots, expand each node while walking the growing list, then what
//! runs timelines, make the event stubs' parameter names, prune again, and give latent calls their resume node.
//!
//! Source: the order of steps was found by simulating 750 real functions and comparing every statement;
//! the removal of one step or a change of its place costs between 1 and 50 of them.

mod animation;
mod clone;
mod knots;
mod prune;
mod replication;
mod split;
mod tunnels;

use std::sync::LazyLock;

use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::{Direction, Graph, GraphKind, Guid, PinCategory, PinDefault, PinType};
use bp_reflect::{Function, Name, ObjectPath, PropertyType};
use la_arena::ArenaMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::context::Context;
use crate::expanded::{Callee, ExGraph, ExNode, ExNodeId, ExPinId, Op, Origin, OriginId};
use crate::nodes;

/// A function's graph after expansion.
pub struct ExpandedFunction<'a> {
    /// Its name: of a function graph the graph's, of the ubergraph `ExecuteUbergraph_<Blueprint>`.
    pub name: Name,
    /// Its nodes; no macro, tunnel, knot, composite or sugar node is left in the list.
    pub graph: ExGraph<'a>,
    /// Its signature.
    pub signature: Function,
    /// Its entry node.
    pub entry: ExNodeId,
    /// The drawn graph; of the ubergraph, its first page.
    pub source: &'a Graph,
    /// Of the ubergraph: its events in the order their stubs are made.
    pub events: Vec<ExNodeId>,
    /// Whether it is the ubergraph.
    pub is_ubergraph: bool,
}

/// The working state of one function's expansion.
pub struct Expander<'a, 'c> {
    /// What is compiled.
    pub cx: &'c Context<'a>,
    /// The nodes.
    pub graph: ExGraph<'a>,
    /// Findings so far.
    pub diagnostics: Diagnostics,
    /// Whether this is the ubergraph.
    pub is_ubergraph: bool,
    /// Whether the function has no self.
    pub is_static: bool,
    /// The function's signature, for local variables.
    pub signature: &'c Function,
    /// The drawn function graph, for local variables.
    pub source: &'a Graph,
    /// The entry node, once it is known.
    pub entry: Option<ExNodeId>,
    /// The boundary tunnels of each composite's inside: entry, exit.
    composites: FxHashMap<ExNodeId, (Option<ExNodeId>, Option<ExNodeId>)>,
    /// The entry tunnels of the insides of macros and composites.
    inner_entries: ArenaMap<ExNodeId, ()>,
    /// The events that evaluate inputs of animation nodes.
    handlers: Vec<animation::Handler>,
}

/// Expands a function or construction script graph.
///
/// Gives nothing when the graph has errors that leave no function.
pub fn function<'a>(
    cx: &Context<'a>,
    graph: &'a Graph,
    signature: &Function,
) -> (Option<ExpandedFunction<'a>>, Diagnostics) {
    let mut x = Expander::new(cx, graph, signature, false);
    x.clone_tree(graph, None, None);
    let entries: Vec<_> = x
        .graph
        .list
        .iter()
        .copied()
        .filter(|id| x.is_class(*id, "K2Node_FunctionEntry"))
        .collect();
    match entries.as_slice() {
        [] => {
            x.diagnostics.push(
                cx.diagnostic(
                    Code::NoEntry,
                    format!("function {} has no entry node", graph.name),
                    graph,
                    None,
                    None,
                )
                .hint("add a FunctionEntry node, or link the implicit `entry`"),
            );
            return (None, x.diagnostics);
        }
        [entry] => x.entry = Some(*entry),
        [_, second, ..] => {
            let second = *second;
            x.error(
                second,
                Code::TwoEntries,
                format!("function {} has two entry nodes", graph.name),
                None,
            );
            return (None, x.diagnostics);
        }
    }
    x.finish(graph.name.clone())
}

/// Merges all event pages into the ubergraph and expands it.
///
/// Gives nothing when the pages hold no node. A comment is a node: it leaves an ubergraph without events, as do
/// nodes of animation.
///
/// Source: 4 of 4 Blueprints whose pages hold a comment only have an ubergraph of 13 bytes; one whose pages
/// are empty, or hold nothing but the disabled events of a new Blueprint, has none.
pub fn ubergraph<'a>(
    cx: &Context<'a>,
    signature: &Function,
) -> (Option<ExpandedFunction<'a>>, Diagnostics) {
    let pages = || {
        cx.blueprint
            .graphs
            .iter()
            .filter(|graph| graph.kind == GraphKind::Event)
    };
    let first = pages()
        .next()
        .or_else(|| crate::animation::graphs(cx.blueprint).next());
    let Some(first) = first else {
        return (None, Diagnostics::new());
    };
    let mut x = Expander::new(cx, first, signature, true);
    for page in pages() {
        // Nodes are moved out of the clone from its end, so each page comes to stand reversed.
        let start = x.graph.list.len();
        x.clone_tree(page, None, None);
        x.graph.list[start..].reverse();
    }
    if crate::animation::is_merged_first(cx.engine) {
        x.merge_animation();
    }
    x.add_interface_events(first);
    let has_poses = crate::animation::graphs(cx.blueprint).any(|graph| !graph.nodes.is_empty());
    if x.graph.list.is_empty() && !has_poses {
        return (None, x.diagnostics);
    }
    let origin = x.graph.add_origin(Origin {
        graph: first,
        node: None,
        within: None,
    });
    let entry = x.graph.alloc(ExNode {
        op: Op::Entry,
        class: Name::new("K2Node_FunctionEntry"),
        pins: SmallVec::new(),
        origin,
        guid: Guid::default(),
        stem: None,
    });
    x.graph.list.push(entry);
    x.graph.output(entry, "then", PinType::exec());
    x.graph
        .output(entry, "EntryPoint", PinType::of(PinCategory::Int));
    x.entry = Some(entry);
    let name = Name::new(format!("ExecuteUbergraph_{}", cx.blueprint.name));
    x.finish(name)
}

impl<'a, 'c> Expander<'a, 'c> {
    fn new(
        cx: &'c Context<'a>,
        source: &'a Graph,
        signature: &'c Function,
        is_ubergraph: bool,
    ) -> Self {
        Self {
            cx,
            graph: ExGraph::new(),
            diagnostics: Diagnostics::new(),
            is_ubergraph,
            is_static: signature.is_static(),
            signature,
            source,
            entry: None,
            composites: FxHashMap::default(),
            inner_entries: ArenaMap::new(),
            handlers: Vec::new(),
        }
    }

    fn finish(mut self, name: Name) -> (Option<ExpandedFunction<'a>>, Diagnostics) {
        self.check_exec_pins();
        self.expand_tunnels(0);
        self.prune(prune::Roots::BeforeExpansion);
        if self.is_ubergraph && !crate::animation::is_merged_first(self.cx.engine) {
            let start = self.graph.list.len();
            self.merge_animation();
            self.expand_tunnels(start);
        }
        self.dissolve_knots();
        let mut idx = 0;
        while idx < self.graph.list.len() {
            let id = self.graph.list[idx];
            self.expand_split_pins(id);
            nodes::expand(&mut self, id);
            idx += 1;
        }
        for id in self.graph.list.clone() {
            if self.is_class(id, "K2Node_Timeline") {
                nodes::expand_timeline_runs(&mut self, id);
            }
        }
        self.remove_copies();
        let events: Vec<_> = self
            .graph
            .list
            .iter()
            .copied()
            .filter(|id| matches!(self.graph.node(*id).op, Op::Event { .. }))
            .collect();
        self.prune(prune::Roots::AfterExpansion);
        self.transform();
        let Some(entry) = self.entry else {
            return (None, self.diagnostics);
        };
        let expanded = ExpandedFunction {
            name,
            graph: self.graph,
            signature: self.signature.clone(),
            entry,
            source: self.source,
            events,
            is_ubergraph: self.is_ubergraph,
        };
        (Some(expanded), self.diagnostics)
    }

    /// Warns of Return nodes that nothing leads to, and of nodes that do something but have lost their exec pins.
    /// Calls are left to the handler, which knows whether the function is pure.
    fn check_exec_pins(&mut self) {
        for id in self.graph.list.clone() {
            if self.is_class(id, "K2Node_FunctionResult") {
                let execute = self.graph.execute(id);
                let is_open = execute.is_some_and(|pin| self.graph.pins[pin].links.is_empty());
                if let Some(execute) = execute.filter(|_| is_open) {
                    let name = self.graph.pins[execute].name.clone();
                    let message = "the exec pin of the Return node is not connected";
                    let finding = self
                        .finding(id, Code::ReturnUnlinked, message, Some(&name))
                        .note("the function ends without writing these outputs");
                    self.diagnostics.push(finding);
                }
            }
            let node = self.graph.node(id);
            let is_impure = matches!(node.op, Op::Drawn) && IMPURE.contains(&node.class);
            if is_impure && self.graph.is_pure(id) {
                let message = "the node is not pure, but it has no exec pins";
                let finding = self
                    .finding(id, Code::ImpureNoExec, message, None)
                    .hint("refresh the node");
                self.diagnostics.push(finding);
            }
        }
    }

    /// The last step, node by node: what surrounds an assignment, and where a latent call resumes.
    fn transform(&mut self) {
        for id in self.graph.list.clone() {
            self.announce_assignment(id);
            if self.cx.debug_sites {
                self.add_resume_node(id);
            }
        }
    }

    /// A latent call with a linked `then` gets a Sequence with one output behind it: the place where
    /// the action resumes.
    ///
    /// Source: the `Tracepoint WireTracepoint` at 47 of 47 resume addresses of debug scripts. The
    /// release form has none.
    fn add_resume_node(&mut self, id: ExNodeId) {
        let is_latent = matches!(&self.graph.node(id).op, Op::Call { callee, .. } if callee.function.meta.latent);
        let Some(then) = self
            .graph
            .then(id)
            .filter(|then| is_latent && !self.graph.pins[*then].links.is_empty())
        else {
            return;
        };
        let resume = self
            .graph
            .spawn(id, "K2Node_ExecutionSequence", Op::Sequence);
        let execute = self.graph.input(resume, "execute", PinType::exec());
        let first = self.graph.output(resume, "then_0", PinType::exec());
        self.graph.move_links(then, first);
        self.graph.link(then, execute);
    }

    /// An event for each function of the implemented interfaces that could be one and has neither an
    /// event node nor a graph, so that a stub exists.
    fn add_interface_events(&mut self, page: &'a Graph) {
        let mut have: Vec<Name> = self
            .graph
            .list
            .iter()
            .filter_map(|id| nodes::event_function(self, *id))
            .collect();
        have.extend(
            self.cx
                .blueprint
                .graphs
                .iter()
                .filter(|g| g.kind == GraphKind::Function)
                .map(|g| g.name.clone()),
        );
        let registry = self.cx.registry;
        for interface in &self.cx.blueprint.interfaces {
            let mut functions: Vec<&Function> = registry
                .ancestry(interface)
                .flat_map(|class| class.functions.values())
                .filter(|function| {
                    function.can_be_event()
                        && !function.name.as_str().starts_with("ExecuteUbergraph")
                })
                .collect();
            if interface.is_native() {
                functions.sort_by(|a, b| b.name.cmp(&a.name));
            }
            for function in functions {
                if have.contains(&function.name) {
                    continue;
                }
                have.push(function.name.clone());
                let origin = self.graph.add_origin(Origin {
                    graph: page,
                    node: None,
                    within: None,
                });
                let id = self.graph.alloc(ExNode {
                    op: Op::Event {
                        function: function.name.clone(),
                    },
                    class: Name::new("K2Node_Event"),
                    pins: SmallVec::new(),
                    origin,
                    guid: Guid::default(),
                    stem: None,
                });
                self.graph.list.push(id);
                self.graph
                    .output(id, "OutputDelegate", PinType::of(PinCategory::Delegate));
                self.graph.output(id, "then", PinType::exec());
                for param in function.arguments() {
                    let ty = self.pin_type(&param.ty);
                    self.graph.output(id, param.name.as_str(), ty);
                }
            }
        }
    }

    // ---- what node handlers use

    /// Whether a node is drawn and of that class.
    pub fn is_class(&self, id: ExNodeId, class: &str) -> bool {
        let node = self.graph.node(id);
        matches!(node.op, Op::Drawn) && node.class == *class
    }

    /// Reports an error about a node.
    pub fn error(
        &mut self,
        id: ExNodeId,
        code: Code,
        message: impl Into<String>,
        pin: Option<&Name>,
    ) {
        let diagnostic = self.finding(id, code, message, pin);
        self.diagnostics.push(diagnostic);
    }

    /// A finding about a node, to be refined and pushed.
    pub fn finding(
        &self,
        id: ExNodeId,
        code: Code,
        message: impl Into<String>,
        pin: Option<&Name>,
    ) -> Diagnostic {
        self.cx.finding(&self.graph, id, code, message, pin)
    }

    /// The title of the drawn node behind a node.
    pub fn title(&self, id: ExNodeId) -> String {
        let origin = self.graph.origin(self.graph.node(id).origin);
        origin.node.map_or_else(String::new, |node| {
            self.cx.title(origin.graph, &origin.graph.nodes[node])
        })
    }

    /// The pin type of a declared type, in this engine version.
    pub fn pin_type(&self, ty: &PropertyType) -> PinType {
        PinType::of_property(ty, self.cx.engine)
    }

    /// Makes a call node with the pins its declaration gives, and appends it.
    ///
    /// The node has exec pins unless the function is pure; a `self` pin unless it is static.
    pub fn spawn_call(&mut self, for_node: ExNodeId, callee: Callee<'a>) -> ExNodeId {
        let class = if callee.function.meta.array_parm.is_empty() {
            "K2Node_CallFunction"
        } else {
            "K2Node_CallArrayFunction"
        };
        let id = self.graph.spawn(
            for_node,
            class,
            Op::Call {
                callee,
                is_parent: false,
            },
        );
        self.graph.node_mut(id).stem = Some(callee.function.name.clone());
        if !callee.function.is_pure() {
            self.graph.exec_pair(id);
        }
        if !callee.function.is_static() {
            let ty = PinType::with_object(PinCategory::Object, callee.class.path.clone());
            self.graph.input(id, "self", ty);
        }
        for param in &callee.function.params {
            let mut ty = self.pin_type(&param.ty);
            ty.is_reference = param
                .flags
                .contains(bp_reflect::PropertyFlags::REFERENCE_PARM);
            ty.is_const = param.flags.contains(bp_reflect::PropertyFlags::CONST_PARM);
            let direction = if param.is_output() {
                Direction::Output
            } else {
                Direction::Input
            };
            let pin = self.graph.add_pin(id, param.name.as_str(), direction, ty);
            self.graph.pins[pin].default = param_default(param).into();
        }
        id
    }

    /// A call node for a function of an engine class; reports if it is not declared.
    pub fn spawn_native_call(
        &mut self,
        for_node: ExNodeId,
        class: &str,
        function: &str,
    ) -> Option<ExNodeId> {
        if let Some(callee) = self.cx.native(class, function) {
            Some(self.spawn_call(for_node, callee))
        } else {
            self.error(
                for_node,
                Code::FuncNotFound,
                format!(
                    "engine {} declares no function {class}.{function}",
                    self.cx.engine
                ),
                None,
            );
            None
        }
    }

    /// Makes a temporary variable of a type, appended; gives node and pin.
    pub fn spawn_temporary(&mut self, for_node: ExNodeId, ty: &PinType) -> (ExNodeId, ExPinId) {
        let id = self
            .graph
            .spawn(for_node, "K2Node_TemporaryVariable", Op::Temporary);
        let ty = PinType {
            is_reference: false,
            is_const: false,
            ..ty.clone()
        };
        let pin = self.graph.output(id, "Variable", ty);
        (id, pin)
    }

    /// Makes an assignment node of a type, appended; with exec pins unless `pure`. Gives the pins
    /// `Variable` and `Value`.
    pub fn spawn_assign(
        &mut self,
        for_node: ExNodeId,
        ty: &PinType,
        pure: bool,
    ) -> (ExNodeId, ExPinId, ExPinId) {
        let ty = PinType {
            is_reference: false,
            is_const: false,
            ..ty.clone()
        };
        let (class, op) = if pure {
            ("K2Node_PureAssignmentStatement", Op::PureAssign)
        } else {
            ("K2Node_AssignmentStatement", Op::Assign)
        };
        let id = self.graph.spawn(for_node, class, op);
        if !pure {
            self.graph.exec_pair(id);
        }
        let variable = self.graph.input(
            id,
            "Variable",
            PinType {
                is_reference: true,
                ..ty.clone()
            },
        );
        let value = self.graph.input(id, "Value", ty.clone());
        if pure {
            self.graph.output(id, "Output", ty);
        }
        (id, variable, value)
    }

    /// Puts a literal of a pin into a temporary: the pin is linked to a temporary variable that a pure
    /// assignment fills. Gives the temporary's pin.
    pub fn through_temporary(&mut self, pin: ExPinId) -> ExPinId {
        let node = self.graph.pins[pin].node;
        let ty = self.graph.pins[pin].ty.clone();
        let (_, variable) = self.spawn_temporary(node, &ty);
        let (assign, target, value) = self.spawn_assign(node, &ty, true);
        self.graph.link(variable, target);
        self.graph.move_input(pin, value);
        let output = self
            .graph
            .out_pin(assign, "Output")
            .expect("a pure assignment has one");
        self.graph.link(output, pin);
        variable
    }

    /// Drops a pin from its node, with its links.
    pub fn remove_pin(&mut self, pin: ExPinId) {
        self.graph.unlink(pin);
        let node = self.graph.pins[pin].node;
        self.graph.node_mut(node).pins.retain(|other| *other != pin);
    }

    /// Records where the inside of a macro instance or composite comes from.
    fn origin_within(
        &mut self,
        graph: &'a Graph,
        node: bp_graph::NodeId,
        within: Option<OriginId>,
    ) -> OriginId {
        self.graph.add_origin(Origin {
            graph,
            node: Some(node),
            within,
        })
    }
}

/// [`IMPURE_CLASSES`] by their names, since every node is asked.
static IMPURE: LazyLock<FxHashSet<Name>> =
    LazyLock::new(|| IMPURE_CLASSES.iter().map(Name::new).collect());

/// Classes of nodes that always have exec pins.
const IMPURE_CLASSES: &[&str] = &[
    "K2Node_AddDelegate",
    "K2Node_AssignDelegate",
    "K2Node_AssignmentStatement",
    "K2Node_CallDelegate",
    "K2Node_ClearDelegate",
    "K2Node_ExecutionSequence",
    "K2Node_IfThenElse",
    "K2Node_MultiGate",
    "K2Node_RemoveDelegate",
    "K2Node_SetFieldsInStruct",
    "K2Node_SpawnActorFromClass",
    "K2Node_SwitchEnum",
    "K2Node_SwitchInteger",
    "K2Node_SwitchName",
    "K2Node_SwitchString",
    "K2Node_VariableSet",
    "K2Node_VariableSetRef",
];

/// What a parameter's pin starts with.
fn param_default(param: &bp_reflect::Property) -> PinDefault {
    let value = param.default.clone().unwrap_or_default();
    let is_object = matches!(
        param.ty,
        PropertyType::Object(_) | PropertyType::Class(_) | PropertyType::Interface(_)
    );
    PinDefault {
        object: (is_object && !value.is_empty() && value != "None")
            .then(|| ObjectPath::new(&value)),
        value: if is_object {
            String::new()
        } else {
            value.clone()
        },
        text: None,
        autogenerated: value,
    }
}
