//! The order in which animation nodes are compiled, and what their members of the class are called.
//!
//! The compiler of animation Blueprints visits the nodes of all animation graphs in one order: those of the top
//! graphs in the order they have in the ubergraph, each state machine followed at once by the nodes of its
//! states, then of its transitions. A node gets a member of the class when it is visited, and a number.
//!
//! Source: the members of 25 real animation classes from 4.16 to 5.4, which stand in the reverse of this order.

use bp_graph::animation::is_animation_node;
use bp_graph::{Blueprint, Direction, EnabledState, Graph, GraphKind, Node, NodeId, Pin};
use bp_reflect::{
    EngineVersion, Name, ObjectPath, Property, PropertyFlags, PropertyType, Registry,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An animation node of a class.
pub(crate) struct AnimationNode<'a> {
    /// The graph it is drawn in.
    pub(crate) graph: &'a Graph,
    /// The node.
    pub(crate) node: NodeId,
    /// The class's member that holds its struct.
    pub(crate) member: Name,
    /// Its struct.
    pub(crate) structure: ObjectPath,
}

/// Whether graphs of animation are merged with the pages, in front of the first prune; else behind it.
///
/// Source: the order of code in two real ubergraphs of 4.16, and in four of 4.22 and later. What lies between is assumed.
pub(crate) fn is_merged_first(engine: EngineVersion) -> bool {
    engine < EngineVersion::new(4, 18)
}

/// Whether what no animation node uses leaves each graph before it is merged.
///
/// Source: the numbers of members in four real classes of 4.27, and one of 4.24 that shows that it does not. What lies
/// between is assumed.
pub(crate) fn prunes_graphs(engine: EngineVersion) -> bool {
    engine >= EngineVersion::new(4, 25)
}

/// A drawn node and its graph.
pub(crate) type Drawn<'a> = (&'a Graph, NodeId);

/// The graphs of poses that a Blueprint's own class compiles. One that derives from another Blueprint takes over its
/// parent's nodes.
pub(crate) fn graphs(blueprint: &Blueprint) -> impl Iterator<Item = &Graph> {
    blueprint
        .graphs
        .iter()
        .filter(|graph| graph.kind == GraphKind::Animation && blueprint.parent.is_native())
}

/// All animation nodes in the order they are compiled.
pub(crate) fn nodes<'a>(
    blueprint: &'a Blueprint,
    registry: &Registry,
    engine: EngineVersion,
) -> Vec<AnimationNode<'a>> {
    let mut walk = Walk {
        registry,
        engine,
        taken: FxHashMap::default(),
        found: Vec::new(),
    };
    let mut top: Vec<Drawn<'a>> = Vec::new();
    for graph in graphs(blueprint) {
        // As in the ubergraph, into which nodes are moved from the end of their graph.
        top.extend(used(graph, engine).into_iter().rev());
    }
    for drawn in reached(top) {
        walk.visit(drawn);
    }
    walk.found
}

/// The class's members of its animation nodes, in the order the engine keeps them.
pub(crate) fn members(
    blueprint: &Blueprint,
    registry: &Registry,
    engine: EngineVersion,
) -> Vec<Property> {
    let nodes = nodes(blueprint, registry, engine);
    let members = nodes.into_iter().rev().map(|node| {
        Property::new(
            node.member,
            PropertyType::Struct(node.structure),
            PropertyFlags::empty(),
        )
    });
    members.collect()
}

/// The nodes of a graph that take part and that an animation node uses, in the order that is left when the others
/// are removed one by one, the last one filling the hole.
///
/// Source: the numbers of members in four real classes whose graphs have comments between animation nodes.
pub(crate) fn used(graph: &Graph, engine: EngineVersion) -> Vec<Drawn<'_>> {
    let mut nodes: Vec<Drawn<'_>> = graph
        .nodes
        .iter()
        .filter(|(_, node)| node.enabled != EnabledState::Disabled)
        .map(|(id, _)| (graph, id))
        .collect();
    let mut used: FxHashSet<NodeId> = FxHashSet::default();
    let drawn = nodes.iter().map(|(_, id)| *id);
    let mut work: Vec<NodeId> = drawn.filter(|id| is_root(&graph.nodes[*id])).collect();
    while let Some(id) = work.pop() {
        if !used.insert(id) {
            continue;
        }
        for (_, pin) in graph.pins_of(id).filter(|(_, pin)| pin.is_input()) {
            work.extend(pin.links.iter().map(|other| graph.pins[*other].node));
        }
    }
    if !prunes_graphs(engine) {
        return nodes;
    }
    let mut idx = 0;
    while idx < nodes.len() {
        if is_animation_node(&graph.nodes[nodes[idx].1].class) || used.contains(&nodes[idx].1) {
            idx += 1;
        } else {
            nodes.swap_remove(idx);
        }
    }
    nodes
}

/// The graphs inside a state machine in the order they are compiled: states and conduits as they stand, then the
/// transitions out of each, by priority.
pub(crate) fn insides(graph: &Graph, node: NodeId) -> Vec<&Graph> {
    let inside =
        |graph: &'_ Graph, node: &Node| node.child.filter(|idx| *idx < graph.children.len());
    let Some(machine) = inside(graph, &graph.nodes[node]).map(|idx| &graph.children[idx]) else {
        return Vec::new();
    };
    if machine.kind != GraphKind::StateMachine {
        return Vec::new();
    }
    let child_of =
        |id: NodeId| inside(machine, &machine.nodes[id]).map(|idx| &machine.children[idx]);
    let mut states: Vec<NodeId> = machine
        .nodes
        .iter()
        .filter(|(_, node)| {
            matches!(
                node.class.as_str(),
                "AnimStateNode" | "AnimStateConduitNode"
            )
        })
        .map(|(id, _)| id)
        .collect();
    let mut graphs: Vec<&Graph> = states.iter().filter_map(|id| child_of(*id)).collect();
    // The state the machine starts in has the number 0.
    let entry = machine
        .nodes
        .iter()
        .find(|(_, node)| node.class == "AnimStateEntryNode")
        .and_then(|(id, _)| machine.pins_of(id).find_map(|(_, pin)| pin.links.first()))
        .map(|other| machine.pins[*other].node);
    states.sort_by_key(|state| Some(*state) != entry);
    let mut seen = FxHashSet::default();
    for state in states {
        for transition in transitions(machine, state) {
            if seen.insert(transition) {
                graphs.extend(child_of(transition));
            }
        }
    }
    graphs
}

/// The transitions that a state's output leads to, by rising priority.
fn transitions(machine: &Graph, state: NodeId) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    for (_, pin) in machine.pins_of(state) {
        for other in &pin.links {
            let node = machine.pins[*other].node;
            let leaves = pin.direction == Direction::Output;
            let is_both_ways = machine.nodes[node].properties.flag("Bidirectional") == Some(true);
            if machine.nodes[node].class == "AnimStateTransitionNode" && (leaves || is_both_ways) {
                found.push(node);
            }
        }
    }
    let priority = |id: NodeId| {
        machine.nodes[id]
            .properties
            .int("PriorityOrder")
            .unwrap_or(1)
    };
    // The engine's sort of few elements: the first greatest of what is left goes to its end.
    for end in (1..found.len()).rev() {
        let mut greatest = 0;
        for idx in 1..=end {
            if priority(found[greatest]) < priority(found[idx]) {
                greatest = idx;
            }
        }
        found.swap(greatest, end);
    }
    found
}

/// The animation nodes of a list that lead to a result or are kept under a name, in the order that is left when
/// the others are removed one by one, the last one filling the hole.
pub(crate) fn reached(list: Vec<Drawn<'_>>) -> Vec<Drawn<'_>> {
    let mut nodes: Vec<Drawn<'_>> = list
        .into_iter()
        .filter(|(graph, id)| is_animation_node(&graph.nodes[*id].class))
        .collect();
    let mut reached: FxHashSet<(*const Graph, NodeId)> = FxHashSet::default();
    let mut work: Vec<Drawn<'_>> = nodes
        .iter()
        .copied()
        .filter(|(graph, id)| is_root(&graph.nodes[*id]))
        .collect();
    while let Some((graph, id)) = work.pop() {
        if !reached.insert((std::ptr::from_ref(graph), id)) {
            continue;
        }
        for (_, pin) in graph
            .pins_of(id)
            .filter(|(_, pin)| is_pose(pin) && pin.is_input())
        {
            work.extend(
                pin.links
                    .iter()
                    .map(|other| (graph, graph.pins[*other].node)),
            );
        }
    }
    let mut idx = 0;
    while idx < nodes.len() {
        let (graph, id) = nodes[idx];
        if reached.contains(&(std::ptr::from_ref(graph), id)) {
            idx += 1;
        } else {
            nodes.swap_remove(idx);
        }
    }
    nodes
}

/// Whether all that leads to the node is compiled.
fn is_root(node: &Node) -> bool {
    is_root_class(&node.class)
}

/// Whether all that leads to a node of the class is compiled.
pub(crate) fn is_root_class(class: &Name) -> bool {
    let Some(kind) = class.as_str().strip_prefix("AnimGraphNode_") else {
        return false;
    };
    kind == "Root" || kind == "SaveCachedPose" || kind.ends_with("Result")
}

/// Whether a pin carries a pose rather than a value.
pub(crate) fn is_pose(pin: &Pin) -> bool {
    let object = pin.ty.object.as_ref();
    object.is_some_and(|path| path.name().ends_with("PoseLink"))
}

/// The drawn node that a path names, such as `/Game/A.A:AnimGraph.AnimGraphNode_StateMachine_0.Locomotion.…`: graph, node
/// and the graph in it by turns.
pub(crate) fn find<'a>(blueprint: &'a Blueprint, path: &ObjectPath) -> Option<Drawn<'a>> {
    let text = path.as_str();
    let asset = text.rfind('/').map_or(0, |at| at + 1);
    let mut names = text[asset..].split(['.', ':']).skip_while(|name| {
        let graphs = &blueprint.graphs;
        !graphs
            .iter()
            .any(|graph| graph.kind == GraphKind::Animation && graph.name == **name)
    });
    let mut graph = blueprint.graph(&Name::new(names.next()?))?;
    loop {
        let id = graph.node_named(&Name::new(names.next()?))?;
        if names.next().is_none() {
            return Some((graph, id));
        }
        graph = graph.children.get(graph.nodes[id].child?)?;
    }
}

struct Walk<'a, 'r> {
    registry: &'r Registry,
    engine: EngineVersion,
    /// How often each name was asked for.
    taken: FxHashMap<Name, usize>,
    found: Vec<AnimationNode<'a>>,
}

impl<'a> Walk<'a, '_> {
    fn visit(&mut self, (graph, id): Drawn<'a>) {
        let node = &graph.nodes[id];
        let member = self.member(node);
        self.found.push(AnimationNode {
            graph,
            node: id,
            member,
            structure: structure(node, self.registry),
        });
        for inner in insides(graph, id) {
            for drawn in reached(used(inner, self.engine)) {
                self.visit(drawn);
            }
        }
    }

    /// The class of the node, told apart by its guid up to 4.24, later by a number.
    fn member(&mut self, node: &Node) -> Name {
        let stem = if self.engine < EngineVersion::new(4, 25) {
            Name::new(format!("{}_{}", node.class, node.guid))
        } else {
            node.class.clone()
        };
        let times = self.taken.entry(stem.clone()).or_default();
        *times += 1;
        if *times == 1 {
            stem
        } else {
            Name::new(format!("{stem}_{}", *times - 1))
        }
    }
}

/// Structs whose name is not that of the node's class.
///
/// Source: the members of real classes.
const STRUCTS: &[(&str, &str)] = &[
    ("ComponentToLocalSpace", "ConvertComponentToLocalSpace"),
    ("LocalToComponentSpace", "ConvertLocalToComponentSpace"),
];

/// The struct that an animation node wraps: `AnimNode_<X>` of `AnimGraphNode_<X>`, where it is declared; else taken to
/// be of the run-time module beside that of the node's class.
pub(crate) fn structure(node: &Node, registry: &Registry) -> ObjectPath {
    let kind = node.class.as_str().trim_start_matches("AnimGraphNode_");
    let kind = STRUCTS
        .iter()
        .find(|(class, _)| *class == kind)
        .map_or(kind, |(_, structure)| *structure);
    let name = format!("AnimNode_{kind}");
    let declared = ["Engine", "AnimGraphRuntime"]
        .iter()
        .map(|module| ObjectPath::new(format!("/Script/{module}.{name}")))
        .find(|path| registry.structure(path).is_some());
    declared.unwrap_or_else(|| {
        let package = node.class_package.as_deref().unwrap_or("/Script/AnimGraph");
        let module = if package == "/Script/AnimGraph" {
            "/Script/AnimGraphRuntime"
        } else {
            package.trim_end_matches("Editor")
        };
        ObjectPath::new(format!("{module}.{name}"))
    })
}
