//! A Blueprint around the graphs of a paste: what no paste holds, from what its nodes show.
//!
//! Name and path come from the nodes' paths; the parent from the events and calls on self; member
//! variables, dispatchers, local variables and timelines from the nodes that use them. Functions that
//! are called on self and are not in the text are left to the compiler, which infers them from the call.

use bp_diag::{Code, Diagnostic, Diagnostics, Severity};
use bp_reflect::{ClassKind, EngineVersion, Name, ObjectPath, Registry};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Clipboard;
use super::read::{entry_function, is_event_class, kind_by_nodes};
use crate::{
    Blueprint, BlueprintKind, Direction, Dispatcher, Graph, GraphKind, MemberReference, Node,
    NodeId, Pin, PinCategory, PinType, Timeline, TimelineTrack, TimelineTrackKind, Variable,
};

/// Seconds that a new timeline takes in the editor.
const DEFAULT_TIMELINE_LENGTH: f64 = 5.0;

/// Makes a Blueprint of what a text holds. `name` is the class's name where the text does not say it,
/// for example the file's; `engine` the version to compile for, else told from the text's form.
pub fn to_blueprint(
    clipboard: Clipboard,
    name: Option<&str>,
    registry: &Registry,
    engine: Option<EngineVersion>,
) -> (Blueprint, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let engine = engine.unwrap_or_else(|| {
        let engine = clipboard.form.engine();
        diagnostics.push(inferred(format!(
            "no engine version is given; the form of the text fits {engine}"
        )));
        engine
    });
    let mut graphs = clipboard.graphs;
    settle_graphs(&mut graphs, &mut diagnostics);

    let own_class = own_class(&graphs, clipboard.asset.as_ref());
    let is_level = clipboard
        .asset
        .as_ref()
        .is_some_and(|asset| asset.as_str().contains(":PersistentLevel."));
    let class_name = match &own_class {
        Some(path) => path
            .name()
            .strip_suffix("_C")
            .unwrap_or(path.name())
            .to_owned(),
        None => name.map_or_else(|| "Pasted".to_owned(), class_name),
    };
    let mut blueprint = Blueprint::new(class_name.as_str(), ObjectPath::new(""), engine);
    if let Some(path) = own_class {
        blueprint.class_path = path;
    }
    if is_level {
        blueprint.kind = BlueprintKind::LevelScript;
    }
    let parent = infer_parent(&graphs, &blueprint, is_level, registry);
    diagnostics.push(inferred(match &parent.because {
        Some(because) => format!(
            "the text does not name the parent class of {class_name}; {} fits {because}",
            parent.class
        ),
        None => format!(
            "the text does not name the parent class of {class_name}; it is taken to be {}",
            parent.class
        ),
    }));
    blueprint.parent = parent.class;
    blueprint.interfaces = parent.interfaces;

    let (dispatchers, variables): (Vec<_>, Vec<_>) = clipboard
        .variables
        .into_iter()
        .partition(|variable| variable.ty.category == PinCategory::MulticastDelegate);
    blueprint.variables = variables;
    blueprint.dispatchers = dispatchers
        .into_iter()
        .map(|variable| Dispatcher {
            guid: variable.guid,
            category: variable.category,
            friendly_name: variable.friendly_name,
            metadata: variable.metadata,
            span: variable.span,
            ..Dispatcher::new(variable.name, Vec::new())
        })
        .collect();
    infer_dispatchers(&graphs, &mut blueprint, registry, &mut diagnostics);
    infer_variables(&graphs, &mut blueprint, registry, &mut diagnostics);
    infer_locals(&mut graphs, &mut diagnostics);
    infer_timelines(&graphs, &mut blueprint, &mut diagnostics);

    // Event pages first, as in a Blueprint.
    graphs.sort_by_key(|graph| graph.kind != GraphKind::Event);
    blueprint.span = graphs.first().and_then(|graph| graph.span);
    blueprint.graphs = graphs;
    (blueprint, diagnostics)
}

fn inferred(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Inferred, message)
}

/// A class name of any text: a file's name has characters that no class has.
fn class_name(hint: &str) -> String {
    let name: String = hint
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() {
        "Pasted".to_owned()
    } else {
        name
    }
}

/// Makes names unique and gives the inside of a collapsed node, copied alone, a place of its own.
fn settle_graphs(graphs: &mut [Graph], diagnostics: &mut Diagnostics) {
    let mut taken: FxHashSet<Name> = FxHashSet::default();
    for graph in graphs {
        if graph.kind == GraphKind::Composite {
            graph.kind = GraphKind::Event;
            let mut diagnostic = inferred(format!(
                "`{}` is the inside of a collapsed node, copied without the node",
                graph.name
            ))
            .at(graph.span)
            .hint("copy the collapsed node itself, or expand it first");
            diagnostic.severity = Severity::Warning;
            diagnostics.push(diagnostic);
        }
        let mut number = 0;
        let base = graph.name.base().to_owned();
        while !taken.insert(graph.name.clone()) {
            number += 1;
            graph.name = Name::from_parts(&base, number);
        }
    }
}

/// The class that the nodes are of, where the text names it.
fn own_class(graphs: &[Graph], asset: Option<&ObjectPath>) -> Option<ObjectPath> {
    if let Some(asset) = asset {
        return Some(ObjectPath::new(format!(
            "{}.{}_C",
            asset.package(),
            asset.name()
        )));
    }
    // A custom event's delegate pin names the class that has the event; the tunnels of a collapsed
    // node the place of the node.
    let mut found = None;
    for_each_node(graphs, &mut |graph, id, node| {
        if found.is_some() {
            return;
        }
        if node.class == "K2Node_CustomEvent" {
            found = graph
                .pin(id, "OutputDelegate", Direction::Output)
                .and_then(|pin| graph.pins[pin].ty.signature.clone())
                .filter(|signature| {
                    node.properties
                        .text("CustomFunctionName")
                        .is_some_and(|name| signature.name == *name)
                })
                .and_then(|signature| signature.parent)
                .filter(|parent| !parent.is_native());
        } else if node.is_tunnel() {
            found = ["OutputSourceNode", "InputSinkNode"]
                .iter()
                .find_map(|key| node.properties.object(key))
                .and_then(|path| {
                    let (asset, _) = path.as_str().split_once(':')?;
                    asset
                        .contains('.')
                        .then(|| ObjectPath::new(format!("{asset}_C")))
                });
        }
    });
    found
}

struct Parent {
    class: ObjectPath,
    /// What speaks for it.
    because: Option<String>,
    interfaces: Vec<ObjectPath>,
}

/// The most derived class that self must be of.
fn infer_parent(
    graphs: &[Graph],
    blueprint: &Blueprint,
    is_level: bool,
    registry: &Registry,
) -> Parent {
    // An event or override is certain. A call without target may have lost its link in copying.
    let mut certain: IndexMap<ObjectPath, String> = IndexMap::new();
    let mut likely: IndexMap<ObjectPath, String> = IndexMap::new();
    let mut interfaces = Vec::new();
    let mut add = |is_certain: bool, class: Option<ObjectPath>, because: &dyn Fn() -> String| {
        let Some(class) = class.filter(|class| *class != blueprint.class_path) else {
            return;
        };
        let is_interface = registry.class(&class).is_some_and(|class| {
            matches!(
                class.kind,
                ClassKind::NativeInterface | ClassKind::BlueprintInterface
            )
        });
        if is_interface {
            if !interfaces.contains(&class) {
                interfaces.push(class);
            }
        } else {
            let candidates = if is_certain {
                &mut certain
            } else {
                &mut likely
            };
            candidates.entry(class).or_insert_with(because);
        }
    };
    for_each_node(graphs, &mut |graph, id, node| {
        let class = node.short_class();
        let reference = |key: &str| node.properties.member(key);
        match class {
            "Event" => {
                if let Some(event) = reference("EventReference") {
                    add(true, event.parent, &|| format!("the event {}", event.name));
                }
            }
            "FunctionEntry" => {
                if let Some(function) = reference("FunctionReference") {
                    add(true, function.parent, &|| {
                        format!("the override {}", function.name)
                    });
                }
            }
            "Message" | "CallDelegate" => {}
            _ => {
                let target =
                    reference("FunctionReference").or_else(|| reference("VariableReference"));
                if let Some(target) = target
                    && is_on_self(graph, id)
                    && node.properties.flag("bIsInterfaceCall") != Some(true)
                {
                    add(false, target.parent, &|| {
                        format!("{}, used on self", target.name)
                    });
                }
            }
        }
        if class == "Self" {
            let ends = graph.pins_of(id).flat_map(|(_, pin)| &pin.links);
            for end in ends {
                let end = &graph.pins[*end];
                if end.ty.category == PinCategory::Object && !end.ty.is_container() {
                    add(false, end.ty.object.clone(), &|| {
                        format!("self, given to {}", end.name)
                    });
                }
            }
        }
    });
    let mut best: Option<(ObjectPath, String)> = None;
    for (class, because) in certain.into_iter().chain(likely) {
        let is_better = best
            .as_ref()
            .is_none_or(|(best, _)| registry.is_child_of(&class, best));
        if is_better {
            best = Some((class, because));
        }
    }
    let level = ObjectPath::new("/Script/Engine.LevelScriptActor");
    match best {
        _ if is_level => Parent {
            class: level,
            because: None,
            interfaces,
        },
        Some((class, because)) => Parent {
            class,
            because: Some(because),
            interfaces,
        },
        None => Parent {
            class: ObjectPath::new("/Script/Engine.Actor"),
            because: None,
            interfaces,
        },
    }
}

/// Whether a node's target is self: it has a target pin without link and without object.
fn is_on_self(graph: &Graph, node: NodeId) -> bool {
    graph
        .pin(node, "self", Direction::Input)
        .map(|pin| &graph.pins[pin])
        .is_some_and(|pin| pin.links.is_empty() && pin.default.object.is_none() && !pin.is_split())
}

/// Whether a reference means a member of the Blueprint.
fn is_own(reference: &MemberReference, class_path: &ObjectPath) -> bool {
    reference.scope.is_none()
        && (reference.is_self
            || reference
                .parent
                .as_ref()
                .is_none_or(|parent| parent == class_path))
}

/// The type of a variable that a pin shows.
fn variable_type(pin: &Pin) -> PinType {
    PinType {
        is_reference: false,
        is_const: false,
        ..pin.ty.clone()
    }
}

fn variable_pin<'g>(graph: &'g Graph, id: NodeId, node: &Node, name: &Name) -> Option<&'g Pin> {
    let direction = match node.short_class() {
        "VariableGet" => Direction::Output,
        "VariableSet" => Direction::Input,
        _ => return None,
    };
    graph
        .pins_of(id)
        .map(|(_, pin)| pin)
        .find(|pin| pin.direction == direction && pin.name == *name)
}

fn infer_variables(
    graphs: &[Graph],
    blueprint: &mut Blueprint,
    registry: &Registry,
    diagnostics: &mut Diagnostics,
) {
    let mut known: FxHashSet<Name> = blueprint
        .variables
        .iter()
        .map(|variable| variable.name.clone())
        .chain(blueprint.dispatchers.iter().map(|it| it.name.clone()))
        .collect();
    let mut found = Vec::new();
    for_each_node(graphs, &mut |graph, id, node| {
        let variable = match node.short_class() {
            "VariableGet" | "VariableSet" => {
                let Some(reference) = node.properties.member("VariableReference") else {
                    return;
                };
                if !is_own(&reference, &blueprint.class_path) {
                    return;
                }
                let Some(pin) = variable_pin(graph, id, node, &reference.name) else {
                    return;
                };
                Variable {
                    guid: reference.guid,
                    span: node.span,
                    ..Variable::new(reference.name, variable_type(pin))
                }
            }
            // An event of a component: the component is a variable.
            "ComponentBoundEvent" => {
                let (Some(name), Some(class)) = (
                    node.properties.text("ComponentPropertyName"),
                    node.properties.object("DelegateOwnerClass"),
                ) else {
                    return;
                };
                Variable {
                    span: node.span,
                    ..Variable::new(name, PinType::with_object(PinCategory::Object, class))
                }
            }
            _ => return,
        };
        if registry
            .find_property(&blueprint.parent, &variable.name)
            .is_none()
            && known.insert(variable.name.clone())
        {
            found.push(variable);
        }
    });
    if !found.is_empty() {
        diagnostics.push(
            inferred(format!(
                "not declared in the text, types taken from the nodes: {}",
                list(found.iter().map(|variable| &variable.name))
            ))
            .at(found[0].span)
            .hint("copy the variables in the My Blueprint panel and paste them beside the nodes"),
        );
    }
    blueprint.variables.append(&mut found);
}

fn infer_dispatchers(
    graphs: &[Graph],
    blueprint: &mut Blueprint,
    registry: &Registry,
    diagnostics: &mut Diagnostics,
) {
    let n_declared = blueprint.dispatchers.len();
    // Whether the parameters of each are known, parallel to the list.
    let mut has_params = vec![false; n_declared];
    let class_path = blueprint.class_path.clone();
    let parent = blueprint.parent.clone();
    let dispatchers = &mut blueprint.dispatchers;
    for graph in graphs {
        if graph.kind == GraphKind::DelegateSignature
            && let Some(entry) = graph.entry()
        {
            let name = graph.name.as_str();
            let name = Name::new(name.strip_suffix("__DelegateSignature").unwrap_or(name));
            put_dispatcher(
                dispatchers,
                &mut has_params,
                Dispatcher {
                    span: graph.span,
                    ..Dispatcher::new(name, params(graph, entry, Direction::Output))
                },
                true,
            );
        }
    }
    for_each_node(graphs, &mut |graph, id, node| {
        if !matches!(
            node.short_class(),
            "AddDelegate" | "RemoveDelegate" | "ClearDelegate" | "AssignDelegate" | "CallDelegate"
        ) {
            return;
        }
        let Some(reference) = node.properties.member("DelegateReference") else {
            return;
        };
        if !is_own(&reference, &class_path)
            || registry.find_property(&parent, &reference.name).is_some()
        {
            return;
        }
        let (params, is_known) = if node.short_class() == "CallDelegate" {
            (params(graph, id, Direction::Input), true)
        } else {
            let event = graph
                .pin(id, "Delegate", Direction::Input)
                .and_then(|pin| graph.pins[pin].links.first())
                .map(|end| graph.pins[*end].node)
                .filter(|event| graph.nodes[*event].class == "K2Node_CustomEvent");
            match event {
                Some(event) => (params(graph, event, Direction::Output), true),
                None => (Vec::new(), false),
            }
        };
        put_dispatcher(
            dispatchers,
            &mut has_params,
            Dispatcher {
                span: node.span,
                ..Dispatcher::new(reference.name, params)
            },
            is_known,
        );
    });
    if dispatchers.len() > n_declared {
        diagnostics.push(
            inferred(format!(
                "dispatchers not declared in the text, parameters taken from the nodes: {}",
                list(dispatchers[n_declared..].iter().map(|it| &it.name))
            ))
            .at(dispatchers[n_declared].span),
        );
    }
}

fn put_dispatcher(
    list: &mut Vec<Dispatcher>,
    has_params: &mut Vec<bool>,
    dispatcher: Dispatcher,
    is_known: bool,
) {
    match list.iter().position(|it| it.name == dispatcher.name) {
        Some(idx) if is_known && !has_params[idx] => {
            list[idx].params = dispatcher.params;
            has_params[idx] = true;
        }
        Some(_) => {}
        None => {
            list.push(dispatcher);
            has_params.push(is_known);
        }
    }
}

/// The values that a node's pins of one side stand for.
fn params(graph: &Graph, node: NodeId, direction: Direction) -> Vec<Variable> {
    graph
        .pins_of(node)
        .map(|(_, pin)| pin)
        .filter(|pin| {
            pin.direction == direction
                && !pin.is_exec()
                && pin.parent.is_none()
                && !pin.is_named("self")
                && !pin.is_named("OutputDelegate")
        })
        .map(|pin| Variable {
            span: pin.span,
            ..Variable::new(pin.name.clone(), variable_type(pin))
        })
        .collect()
}

/// Local variables that no entry node lists.
fn infer_locals(graphs: &mut [Graph], diagnostics: &mut Diagnostics) {
    for graph in graphs {
        if !matches!(graph.kind, GraphKind::Function | GraphKind::Construction) {
            continue;
        }
        let mut known: FxHashSet<Name> = graph
            .locals
            .iter()
            .map(|local| local.name.clone())
            .collect();
        let mut found = Vec::new();
        for_each_node(std::slice::from_ref(graph), &mut |graph, id, node| {
            let Some(reference) = node.properties.member("VariableReference") else {
                return;
            };
            if reference.scope.is_none() {
                return;
            }
            if let Some(pin) = variable_pin(graph, id, node, &reference.name)
                && known.insert(reference.name.clone())
            {
                found.push(Variable {
                    guid: reference.guid,
                    span: node.span,
                    ..Variable::new(reference.name, variable_type(pin))
                });
            }
        });
        if !found.is_empty() {
            diagnostics.push(
                inferred(format!(
                    "local variables of `{}` not declared in the text, types taken from the nodes: {}",
                    graph.name,
                    list(found.iter().map(|local| &local.name))
                ))
                .at(found[0].span),
            );
        }
        graph.locals.append(&mut found);
    }
}

fn infer_timelines(graphs: &[Graph], blueprint: &mut Blueprint, diagnostics: &mut Diagnostics) {
    for_each_node(graphs, &mut |graph, id, node| {
        if node.short_class() != "Timeline" {
            return;
        }
        let name = Name::new(node.properties.text("TimelineName").unwrap_or("Timeline"));
        if blueprint.timelines.iter().any(|it| it.name == name) {
            return;
        }
        let tracks = graph
            .pins_of(id)
            .filter(|(_, pin)| pin.direction == Direction::Output)
            .filter(|(_, pin)| {
                !["Update", "Finished", "Direction"]
                    .iter()
                    .any(|fixed| pin.is_named(fixed))
            })
            .filter_map(|(_, pin)| {
                Some(TimelineTrack {
                    name: pin.name.clone(),
                    kind: track_kind(&pin.ty)?,
                    keys: Vec::new(),
                })
            })
            .collect();
        let mut diagnostic = inferred(format!(
            "the text does not hold the curves of the timeline `{name}`; its tracks have no keys"
        ))
        .at(node.span);
        diagnostic.severity = Severity::Warning;
        diagnostics.push(diagnostic);
        blueprint.timelines.push(Timeline {
            name,
            guid: node
                .properties
                .text("TimelineGuid")
                .and_then(|text| text.parse().ok())
                .unwrap_or_default(),
            length: DEFAULT_TIMELINE_LENGTH,
            auto_play: node.properties.flag("bAutoPlay").unwrap_or(false),
            looping: node.properties.flag("bLoop").unwrap_or(false),
            tracks,
            span: node.span,
        });
    });
}

fn track_kind(ty: &PinType) -> Option<TimelineTrackKind> {
    let of_struct = |name: &str| {
        ty.category == PinCategory::Struct
            && ty.object.as_ref().is_some_and(|path| path.name() == name)
    };
    if ty.is_exec() {
        Some(TimelineTrackKind::Event)
    } else if matches!(
        ty.category,
        PinCategory::Float | PinCategory::Real | PinCategory::Double
    ) {
        Some(TimelineTrackKind::Float)
    } else if of_struct("Vector") {
        Some(TimelineTrackKind::Vector)
    } else if of_struct("LinearColor") {
        Some(TimelineTrackKind::LinearColor)
    } else {
        None
    }
}

fn list<'n>(names: impl Iterator<Item = &'n Name>) -> String {
    names.map(Name::to_string).collect::<Vec<_>>().join(", ")
}

/// Calls for each node, those inside collapsed nodes behind their graph's own.
fn for_each_node(graphs: &[Graph], call: &mut dyn FnMut(&Graph, NodeId, &Node)) {
    for graph in graphs {
        for (id, node) in graph.nodes.iter() {
            call(graph, id, node);
        }
        for_each_node(&graph.children, call);
    }
}

/// Splits nodes that no path assigns to graphs: each function entry and what is linked to it is a
/// function, the rest one graph. Text of UE4 has no paths.
pub(super) fn separate(mut graph: Graph) -> Vec<Graph> {
    let entries: Vec<NodeId> = nodes_where(&graph, &|node| node.class == "K2Node_FunctionEntry");
    let has_events = graph
        .nodes
        .iter()
        .any(|(_, node)| is_event_class(node.class.as_str()));
    if entries.len() + usize::from(has_events) < 2 {
        name_by_nodes(&mut graph);
        return vec![graph];
    }
    let components = components(&graph);
    let of = |id: NodeId| components[raw(id)];
    // Number of the graph each component goes to; 0 is the rest.
    let mut target: FxHashMap<usize, usize> = FxHashMap::default();
    let mut n_graphs = 1;
    for entry in &entries {
        target.entry(of(*entry)).or_insert_with(|| {
            n_graphs += 1;
            n_graphs - 1
        });
    }
    for result in nodes_where(&graph, &|node| node.class == "K2Node_FunctionResult") {
        target.entry(of(result)).or_insert(1);
    }
    let n_nodes_of: Vec<usize> = graph
        .nodes
        .iter()
        .map(|(id, _)| target.get(&of(id)).copied().unwrap_or(0))
        .collect();
    let mut parts = distribute(graph, &n_nodes_of, n_graphs);
    for part in &mut parts {
        name_by_nodes(part);
    }
    parts.retain(|part| !part.nodes.is_empty());
    parts
}

fn nodes_where(graph: &Graph, test: &dyn Fn(&Node) -> bool) -> Vec<NodeId> {
    graph
        .nodes
        .iter()
        .filter(|(_, node)| test(node))
        .map(|(id, _)| id)
        .collect()
}

fn raw(id: NodeId) -> usize {
    id.into_raw().into_u32() as usize
}

/// A number for each node, the same for nodes whose pins name each other.
fn components(graph: &Graph) -> Vec<usize> {
    let mut component = vec![usize::MAX; graph.nodes.len()];
    for (start, _) in graph.nodes.iter() {
        if component[raw(start)] != usize::MAX {
            continue;
        }
        let mut waiting = vec![start];
        component[raw(start)] = raw(start);
        while let Some(node) = waiting.pop() {
            for (_, pin) in graph.pins_of(node) {
                let others = (pin.links.iter())
                    .chain(&pin.sub_pins)
                    .chain(&pin.parent)
                    .chain(&pin.pass_through);
                for other in others {
                    let next = graph.pins[*other].node;
                    if component[raw(next)] == usize::MAX {
                        component[raw(next)] = raw(start);
                        waiting.push(next);
                    }
                }
            }
        }
    }
    component
}

/// Makes `n` graphs of one; `part_of` gives each node's. No pin names one of another part.
fn distribute(graph: Graph, part_of: &[usize], n: usize) -> Vec<Graph> {
    let mut parts: Vec<Graph> = (0..n)
        .map(|_| Graph {
            span: None,
            ..Graph::new(graph.name.clone(), GraphKind::Event)
        })
        .collect();
    let Graph {
        mut nodes,
        mut pins,
        children,
        ..
    } = graph;
    let mut children: Vec<Option<Graph>> = children.into_iter().map(Some).collect();
    let ids: Vec<NodeId> = nodes.iter().map(|(id, _)| id).collect();
    let mut new_pins = FxHashMap::default();
    for id in &ids {
        let part = &mut parts[part_of[raw(*id)]];
        let mut node = std::mem::take(&mut nodes[*id]);
        let old_pins = std::mem::take(&mut node.pins);
        if let Some(child) = node.child {
            node.child = children[child].take().map(|child| {
                part.children.push(child);
                part.children.len() - 1
            });
        }
        part.span = part.span.or(node.span);
        let new_id = part.add_node(node);
        for old in old_pins {
            let moved = std::mem::replace(
                &mut pins[old],
                Pin::new(*id, Name::none(), Direction::Input, PinType::default()),
            );
            let pin = part.add_pin(Pin {
                node: new_id,
                ..moved
            });
            new_pins.insert(old, pin);
        }
    }
    for part in &mut parts {
        for (_, pin) in part.pins.iter_mut() {
            let renew = |old: &mut crate::PinId| *old = new_pins[old];
            pin.links.iter_mut().for_each(renew);
            pin.sub_pins.iter_mut().for_each(renew);
            pin.parent.iter_mut().for_each(renew);
            pin.pass_through.iter_mut().for_each(renew);
        }
    }
    parts
}

/// Names a graph without a path by what is in it.
fn name_by_nodes(graph: &mut Graph) {
    graph.kind = kind_by_nodes(graph).unwrap_or(GraphKind::Event);
    let entry = graph
        .nodes
        .iter()
        .find(|(_, node)| node.class == "K2Node_FunctionEntry")
        .and_then(|(_, entry)| entry_function(&entry.properties));
    graph.name = match (graph.kind, entry) {
        (_, Some(name)) => name,
        (GraphKind::Event, None) => Name::new("EventGraph"),
        (GraphKind::Construction, None) => Name::new("UserConstructionScript"),
        (GraphKind::Macro, None) => Name::new("NewMacro"),
        (GraphKind::Composite, None) => Name::new("Collapsed"),
        (GraphKind::Animation, None) => Name::new("AnimGraph"),
        (GraphKind::StateMachine, None) => Name::new("StateMachine"),
        (GraphKind::Transition, None) => Name::new("Transition"),
        (GraphKind::Function | GraphKind::DelegateSignature, None) => Name::new("NewFunction"),
    };
}
