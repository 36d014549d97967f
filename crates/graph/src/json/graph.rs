//! Graphs as far as they stand on their own: nodes with their keys, boundary nodes with their pins.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use bp_diag::{Code, Diagnostic, Diagnostics, Place, Span};
use bp_reflect::{FunctionFlags, Name, ObjectPath, Registry};
use la_arena::Arena;
use rustc_hash::FxHashMap;

use super::fields::{Fields, whole};
use super::flags::FUNCTION_FLAGS;
use super::members::{guid, guid_of, params, type_of, variable};
use super::read::{choice, pair, report};
use super::schema;
use super::tree::{Kind, Tree};
use super::value::text_value;
use crate::nodes::{
    self, Key, KeyKind, KeyValue, Keys, NodeClass, nearest, resolve_class, resolve_enum,
    resolve_struct,
};
use crate::outline::overridden;
use crate::{
    Blueprint, Direction, EnabledState, Graph, GraphKind, Guid, MemberReference, Node, NodeId, Pin,
    PropertyValue,
};

/// A graph between the passes.
pub(crate) struct GraphSource<'t> {
    pub(crate) place: Place,
    pub(crate) name_span: Option<Span>,
    pub(crate) nodes: Vec<NodeSource<'t>>,
    pub(crate) links: &'t [Tree],
    /// Of the collapsed nodes, by the index of their graph.
    pub(crate) children: Vec<GraphSource<'t>>,
    /// Nodes by what links call them.
    pub(crate) ids: FxHashMap<String, NodeId>,
    /// Ids of nodes that could not be read, as far as their first dot.
    pub(crate) broken: Vec<String>,
}

impl GraphSource<'_> {
    fn break_off(&mut self, id: &str) {
        let id = id.split('.').next().unwrap_or(id);
        self.broken.push(id.to_owned());
    }
}

/// A node between the passes.
pub(crate) struct NodeSource<'t> {
    pub(crate) node: NodeId,
    pub(crate) row: Option<&'static dyn NodeClass>,
    pub(crate) keys: Keys,
    pub(crate) fields: Option<Fields<'t>>,
    /// Where its class is written, or the whole of it.
    pub(crate) span: Span,
}

/// Node classes that take part in the class's outline: what they are must be known before any pin.
pub(crate) fn is_definition(class: &Name) -> bool {
    [
        "K2Node_CustomEvent",
        "K2Node_Event",
        "K2Node_FunctionEntry",
        "K2Node_FunctionResult",
        "K2Node_Tunnel",
    ]
    .iter()
    .any(|name| *class == *name)
}

const GRAPH_KINDS: &[(&str, GraphKind)] = &[
    ("event", GraphKind::Event),
    ("function", GraphKind::Function),
    ("macro", GraphKind::Macro),
    ("construction", GraphKind::Construction),
    ("delegate_signature", GraphKind::DelegateSignature),
    ("animation", GraphKind::Animation),
];

/// Reads a graph of the top level.
pub(crate) fn read_graph<'t>(
    tree: &'t Tree,
    place: &Place,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Option<(Graph, GraphSource<'t>)> {
    let fields = Fields::open(tree, "a graph", schema::graph_keys(), place.clone(), out)?;
    let kind = choice(&fields, "kind", GRAPH_KINDS, out).unwrap_or_default();
    read_inner(
        fields,
        kind,
        blueprint.name.as_str(),
        blueprint,
        registry,
        out,
    )
}

/// Reads the graph inside a node.
fn read_child<'t>(
    tree: &'t Tree,
    kind: GraphKind,
    place: &Place,
    owner: &str,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Option<(Graph, GraphSource<'t>)> {
    let list = schema::graph_keys();
    let fields = Fields::open_unchecked(tree, "a graph", place.clone(), out)?;
    fields.check("a graph", &list.keys, &[] as &[&str], out);
    read_inner(fields, kind, owner, blueprint, registry, out)
}

fn read_inner<'t>(
    mut fields: Fields<'t>,
    kind: GraphKind,
    owner: &str,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Option<(Graph, GraphSource<'t>)> {
    let (name, name_span) = if kind == GraphKind::Composite && fields.tree("name").is_none() {
        ("Collapsed", None)
    } else {
        let (name, span) = fields.name("name", out)?;
        (name, Some(span))
    };
    fields.place.graph = Some(name.to_owned());
    let mut graph = Graph::new(name, kind);
    graph.span = Some(fields.span);
    let path = format!("{owner}/{name}");
    graph.guid = guid(&fields, out).unwrap_or_else(|| Guid::of_text(&path));
    graph.flags = function_flags(&fields, out);
    if let Some((text, span)) = fields.text("implements", out) {
        match resolve_class(text, registry) {
            Ok(path) => graph.implements = Some(path),
            Err(error) => report(error, Some(span), fields.place.clone(), out),
        }
    }
    for item in fields.list("locals", out) {
        if let Some(local) = variable(item, true, &fields, blueprint, registry, out) {
            if graph.locals.iter().any(|other| other.name == local.name) {
                out.push(
                    Diagnostic::new(
                        Code::DuplicateName,
                        format!("the local variable `{}` stands twice", local.name),
                    )
                    .at(item.span)
                    .place(fields.place.clone()),
                );
                continue;
            }
            graph.locals.push(local);
        }
    }
    let inputs = params(
        fields.list("inputs", out),
        &fields.place,
        blueprint,
        registry,
        out,
    );
    let outputs = params(
        fields.list("outputs", out),
        &fields.place,
        blueprint,
        registry,
        out,
    );
    let has_boundary = kind.has_boundary();
    if !has_boundary && (!inputs.is_empty() || !outputs.is_empty()) {
        out.push(
            Diagnostic::new(Code::BadValue, "an event graph has no inputs or outputs")
                .at(fields
                    .tree("inputs")
                    .or(fields.tree("outputs"))
                    .map(|tree| tree.span))
                .place(fields.place.clone())
                .hint("give parameters to its events, or make it a function"),
        );
    }
    let mut source = GraphSource {
        place: fields.place.clone(),
        name_span,
        nodes: Vec::new(),
        links: fields.list("links", out),
        children: Vec::new(),
        ids: FxHashMap::default(),
        broken: Vec::new(),
    };
    let items = fields.list("nodes", out);
    // Most nodes have fewer pins.
    graph.nodes = Arena::with_capacity(items.len() + 2);
    graph.pins = Arena::with_capacity(6 * items.len());
    let is_partial = fields.flag("partial", out);
    let is_function = matches!(
        kind,
        GraphKind::Function | GraphKind::Construction | GraphKind::DelegateSignature
    );
    let boundary_class = if is_function {
        "FunctionEntry"
    } else {
        "Tunnel"
    };
    let lists = |class: &str, id: Option<&str>| {
        items.iter().any(|item| {
            let written = item.get("class").and_then(Tree::as_str).unwrap_or_default();
            written
                .strip_prefix("K2Node_")
                .unwrap_or(written)
                .eq_ignore_ascii_case(class)
                && id.is_none_or(|id| side_of(item) == Some(id))
        })
    };
    let mut builder = Builder {
        graph: &mut graph,
        source: &mut source,
        path: &path,
        blueprint,
        registry,
        out,
    };
    let entry_listed = lists(boundary_class, (!is_function).then_some("entry"));
    if has_boundary && !is_partial && !entry_listed {
        builder.implicit("entry", boundary_class, fields.span);
    }
    for item in items {
        builder.node(item);
    }
    let base = overridden(&Name::new(name), blueprint, registry).is_some_and(|(_, function)| {
        function
            .params
            .iter()
            .any(|param| param.is_output() || param.is_return())
    });
    let result_class = if is_function {
        "FunctionResult"
    } else {
        "Tunnel"
    };
    let result_listed = lists(result_class, (!is_function).then_some("result"));
    let mentions_result = builder.source.links.iter().any(|link| {
        link.as_list().is_some_and(|ends| {
            ends.iter()
                .any(|end| end.as_str().is_some_and(|text| text.starts_with("result.")))
        })
    });
    let wants_result = !is_function || !outputs.is_empty() || base || mentions_result;
    if has_boundary && !is_partial && wants_result && !result_listed {
        builder.implicit("result", result_class, fields.span);
    }
    if has_boundary {
        boundaries(
            &mut graph,
            blueprint,
            registry,
            &inputs,
            &outputs,
            is_function,
        );
    }
    Some((graph, source))
}

/// Which side of its graph a listed Tunnel is: by its key, its id, or its engine property.
fn side_of(item: &Tree) -> Option<&str> {
    if let Some(side) = item.get("side").and_then(Tree::as_str) {
        return Some(side);
    }
    match item.get("id").and_then(Tree::as_str) {
        Some(id @ ("entry" | "result")) => Some(id),
        _ => None,
    }
}

fn function_flags(fields: &Fields<'_>, out: &mut Diagnostics) -> FunctionFlags {
    let mut flags = FunctionFlags::empty();
    for (word, span) in fields.names("flags", out) {
        if let Some((_, bits)) = FUNCTION_FLAGS.iter().find(|(known, _)| *known == word) {
            flags |= *bits;
        } else {
            let known = FUNCTION_FLAGS.iter().map(|(word, _)| *word);
            let list: Vec<String> = known.clone().map(|word| format!("`{word}`")).collect();
            out.push(
                Diagnostic::new(Code::BadValue, format!("`{word}` is not a flag of a graph"))
                    .at(span)
                    .place(fields.place.clone())
                    .hint(nearest(word, known).map_or_else(
                        || format!("the flags are {}", list.join(", ")),
                        |word| format!("did you mean `{word}`?"),
                    )),
            );
        }
    }
    if let Some(tree) = fields.tree("function_flags") {
        match whole(tree).and_then(|bits| u32::try_from(bits).ok()) {
            Some(bits) => flags |= FunctionFlags::from_bits_retain(bits),
            None => fields.wrong("function_flags", "a whole number", tree, out),
        }
    }
    flags
}

/// Gives the boundary nodes the graph's parameters and what they refer to.
fn boundaries(
    graph: &mut Graph,
    blueprint: &Blueprint,
    registry: &Registry,
    inputs: &[Pin],
    outputs: &[Pin],
    is_function: bool,
) {
    let name = match graph.kind {
        GraphKind::Construction => Name::new("UserConstructionScript"),
        _ => graph.name.clone(),
    };
    let base: Option<(ObjectPath, Name)> = is_function
        .then(|| overridden(&name, blueprint, registry))
        .flatten()
        .map(|(class, function)| (class.path.clone(), function.name.clone()));
    let ids: Vec<NodeId> = graph.nodes.iter().map(|(id, _)| id).collect();
    for id in ids {
        let class = graph.nodes[id].class.clone();
        let is_entry = class == "K2Node_FunctionEntry";
        if is_entry || class == "K2Node_FunctionResult" {
            let reference = match &base {
                Some((class, name)) => MemberReference::of(class.clone(), name.clone()),
                None => MemberReference {
                    name: name.clone(),
                    ..MemberReference::default()
                },
            };
            let node = &mut graph.nodes[id];
            if node.properties.get("FunctionReference").is_none() {
                node.properties
                    .set("FunctionReference", reference.to_value());
            }
            if base.is_none() {
                let editable = PropertyValue::Word("True".to_owned());
                node.properties.set("bIsEditable", editable);
            }
        }
        let (pins, direction) =
            if is_entry || (class == "K2Node_Tunnel" && graph.is_entry_tunnel(id)) {
                (inputs, Direction::Output)
            } else if class == "K2Node_FunctionResult" || class == "K2Node_Tunnel" {
                // A Return node may list outputs of its own.
                if graph.pins_of(id).next().is_some() {
                    continue;
                }
                (outputs, Direction::Input)
            } else {
                continue;
            };
        for pin in pins {
            graph.add_pin(Pin {
                node: id,
                direction,
                ..pin.clone()
            });
        }
    }
}

struct Builder<'b, 't> {
    graph: &'b mut Graph,
    source: &'b mut GraphSource<'t>,
    path: &'b str,
    blueprint: &'b Blueprint,
    registry: &'b Registry,
    out: &'b mut Diagnostics,
}

impl<'t> Builder<'_, 't> {
    /// A boundary node that is not listed.
    fn implicit(&mut self, id: &str, class: &str, span: Span) {
        let mut node = Node::new(id, class);
        node.guid = Guid::of_text(&format!("{}/{id}", self.path));
        self.add(id, node, span, None, Keys::default());
        self.sides(id, class);
    }

    fn sides(&mut self, side: &str, class: &str) {
        if class == "Tunnel"
            && let Some(last) = self.source.nodes.last()
        {
            let key = if side == "result" {
                "bCanHaveInputs"
            } else {
                "bCanHaveOutputs"
            };
            self.graph.nodes[last.node]
                .properties
                .set(key, PropertyValue::Word("True".to_owned()));
        }
    }

    fn add(
        &mut self,
        id: &str,
        node: Node,
        span: Span,
        fields: Option<Fields<'t>>,
        keys: Keys,
    ) -> NodeId {
        let row = nodes::find(node.class.as_str());
        let node = self.graph.add_node(node);
        self.source.nodes.push(NodeSource {
            node,
            row,
            keys,
            fields,
            span,
        });
        self.source.ids.entry(id.to_lowercase()).or_insert(node);
        node
    }

    fn node(&mut self, tree: &'t Tree) {
        let place = self.source.place.clone();
        let Some(mut fields) = Fields::open_unchecked(tree, "a node", place, self.out) else {
            return;
        };
        let id = fields.name("id", self.out);
        let class = fields.name("class", self.out);
        if let Some((id, _)) = id {
            fields.place.node_name = Some(id.to_owned());
        }
        if let Some((class, _)) = class {
            fields.place.node = Some(class.strip_prefix("K2Node_").unwrap_or(class).to_owned());
        }
        let row = class.and_then(|(class, _)| nodes::find(class));
        self.check_keys(&fields, row, class.is_some());
        if let (Some((class, span)), None) = (class, row)
            && fields.tree("raw_pins").is_none()
        {
            let mut diagnostic = Diagnostic::new(
                Code::UnknownNode,
                format!("`{class}` is not a known node class"),
            )
            .at(span)
            .place(fields.place.clone());
            diagnostic.hint = Some(class_hint(class));
            self.out.push(diagnostic);
        }
        let is_page = matches!(self.graph.kind, GraphKind::Event | GraphKind::Composite);
        if let Some((class, span)) = class.filter(|_| !is_page)
            && row.is_some_and(|row| is_event(row.class()))
        {
            self.out.push(
                Diagnostic::new(
                    Code::EventMisplaced,
                    format!("the event `{class}` stands in a graph that is no event page"),
                )
                .at(span)
                .place(fields.place.clone())
                .hint("move it to a graph of kind `event`"),
            );
        }
        let (Some((id, id_span)), Some((class, class_span))) = (id, class) else {
            if let Some((id, _)) = id {
                self.source.break_off(id);
            }
            return;
        };
        if id.contains('.') {
            self.out.push(
                Diagnostic::new(Code::BadValue, format!("the id `{id}` has a dot"))
                    .at(id_span)
                    .place(fields.place.clone())
                    .hint("links write a node and its pin with a dot between"),
            );
            self.source.break_off(id);
            return;
        }
        if let Some(other) = self.source.ids.get(&id.to_lowercase()).copied() {
            let mut diagnostic =
                Diagnostic::new(Code::DuplicateId, format!("two nodes have the id `{id}`"))
                    .at(id_span)
                    .place(fields.place.clone());
            let first = self.source.nodes.iter().find(|source| source.node == other);
            if let Some(first) = first
                && first.fields.is_some()
            {
                diagnostic = diagnostic.also(first.span, "the first");
            }
            self.out.push(diagnostic);
            return;
        }
        let mut node = self.common(id, class, row, &fields);
        let keys = row.map(|row| self.keys(row, &fields)).unwrap_or_default();
        if let Some((text, _)) = fields.text("comment", self.out) {
            node.comment = Some(text.to_owned());
        }
        let tunnel_side = side_of(tree);
        let added = self.add(id, node, class_span, Some(fields.clone()), keys);
        if let Some(row) = row {
            if row.class() == "K2Node_Tunnel" {
                let taken = self.graph.nodes.iter().any(|(other, node)| {
                    other != added && node.properties.flag("bCanHaveOutputs") == Some(true)
                });
                self.sides(
                    tunnel_side.unwrap_or(if taken { "result" } else { "entry" }),
                    "Tunnel",
                );
            }
            self.parts(added, row, &fields);
        } else if let Some(tree) = fields.tree("graph")
            && GraphKind::inside(&self.graph.nodes[added].class).is_animation()
        {
            // State machines, states and transitions have graphs inside them; their classes are an open family.
            self.inside(added, tree, &fields);
        }
    }

    /// Parameters and inner graphs of a node.
    fn parts(&mut self, node: NodeId, row: &'static dyn NodeClass, fields: &Fields<'t>) {
        for key in row.keys() {
            let Some(tree) = fields.tree(key.name) else {
                continue;
            };
            match key.kind {
                KeyKind::Params => {
                    let direction = if row.class() == "K2Node_FunctionResult" {
                        Direction::Input
                    } else {
                        Direction::Output
                    };
                    let items = fields.list(key.name, self.out);
                    let pins = params(
                        items,
                        &fields.place,
                        self.blueprint,
                        self.registry,
                        self.out,
                    );
                    for pin in pins {
                        self.graph.add_pin(Pin {
                            node,
                            direction,
                            ..pin
                        });
                    }
                }
                KeyKind::Graph => self.inside(node, tree, fields),
                _ => {}
            }
        }
    }

    /// The graph inside a node.
    fn inside(&mut self, node: NodeId, tree: &'t Tree, fields: &Fields<'t>) {
        let owner = format!("{}/{}", self.path, self.graph.nodes[node].name);
        let place = Place {
            node: None,
            node_name: None,
            ..fields.place.clone()
        };
        let child = read_child(
            tree,
            GraphKind::inside(&self.graph.nodes[node].class),
            &place,
            &owner,
            self.blueprint,
            self.registry,
            self.out,
        );
        if let Some((graph, source)) = child {
            self.graph.nodes[node].child = Some(self.graph.children.len());
            self.graph.children.push(graph);
            self.source.children.push(source);
        }
    }

    fn check_keys(
        &mut self,
        fields: &Fields<'t>,
        row: Option<&'static dyn NodeClass>,
        known: bool,
    ) {
        let list = schema::node_keys();
        let Some(row) = row else {
            // What else an unknown class takes cannot be told.
            if !known {
                fields.check("a node", &list.keys, &list.required, self.out);
            }
            return;
        };
        let own = row.keys();
        let mut keys: Vec<&str> = list.keys.iter().map(String::as_str).collect();
        keys.extend(own.iter().map(|key| key.name));
        let mut required: Vec<&str> = list.required.iter().map(String::as_str).collect();
        required.extend(own.iter().filter(|key| key.required).map(|key| key.name));
        let short = row.class().strip_prefix("K2Node_").unwrap_or(row.class());
        let what = if short.starts_with(['A', 'E', 'I', 'O', 'U']) {
            format!("an {short}")
        } else {
            format!("a {short}")
        };
        fields.check(&what, &keys, &required, self.out);
    }

    /// What every node may say.
    fn common(
        &mut self,
        id: &str,
        class: &str,
        row: Option<&'static dyn NodeClass>,
        fields: &Fields<'t>,
    ) -> Node {
        let mut node = Node::new(id, row.map_or(class, |row| row.class()));
        if let Some(row) = row {
            node.class = Name::new(row.class());
            node.class_package = row.package().map(str::to_owned);
        } else if class.contains("Node_") {
            node.class = Name::new(class);
        }
        if let Some((text, _)) = fields.text("class_package", self.out) {
            node.class_package =
                Some(text.to_owned()).filter(|text| text != "/Script/BlueprintGraph");
        }
        node.span = Some(fields.span);
        node.guid =
            guid(fields, self.out).unwrap_or_else(|| Guid::of_text(&format!("{}/{id}", self.path)));
        if let Some((x, y)) = pair(fields, "at", self.out) {
            node.at = (x as i32, y as i32);
        }
        node.enabled = match fields.tree("disabled").map(|tree| (&tree.kind, tree)) {
            None | Some((Kind::Bool(false) | Kind::Null, _)) => EnabledState::Enabled,
            Some((Kind::Bool(true), _)) => EnabledState::Disabled,
            Some((Kind::String(text), _)) if text == "development" => EnabledState::DevelopmentOnly,
            Some((_, tree)) => {
                fields.wrong(
                    "disabled",
                    "`true`, `false` or `\"development\"`",
                    tree,
                    self.out,
                );
                EnabledState::Enabled
            }
        };
        if fields.tree("advanced").is_some() {
            let word = if fields.flag("advanced", self.out) {
                "Shown"
            } else {
                "Hidden"
            };
            node.properties
                .set("AdvancedPinDisplay", PropertyValue::Word(word.to_owned()));
        }
        let _ = guid_of(fields, "member_guid", self.out);
        node
    }

    /// The keys of the node's class, checked against their kinds.
    fn keys(&mut self, row: &'static dyn NodeClass, fields: &Fields<'t>) -> Keys {
        let mut keys = Keys::default();
        for key in row.keys() {
            if let Some(tree) = fields.tree(key.name)
                && let Some(value) = self.key(key, tree, fields)
            {
                keys.0.insert(key.name, (value, Some(tree.span)));
            }
        }
        // The Class pin says the same as `of`.
        let takes_of = row
            .keys()
            .iter()
            .any(|key| key.name == "of" && !key.required);
        if takes_of && !keys.has("of") {
            let class = fields
                .map("pins", &mut Diagnostics::new())
                .iter()
                .find(|member| member.key.eq_ignore_ascii_case("Class"));
            if let Some(member) = class
                && let Some(text) = member.value.as_str()
                && let Ok(path) = resolve_class(text, self.registry)
            {
                keys.0
                    .insert("of", (KeyValue::Path(path), Some(member.value.span)));
            }
        }
        keys
    }

    fn key(&mut self, key: &Key, tree: &Tree, fields: &Fields<'t>) -> Option<KeyValue> {
        let name = key.name;
        let resolved =
            |result: Result<ObjectPath, nodes::NodeError>, out: &mut Diagnostics| match result {
                Ok(path) => Some(KeyValue::Path(path)),
                Err(error) => {
                    report(error, Some(tree.span), fields.place.clone(), out);
                    None
                }
            };
        let wrong = |expected: &str, out: &mut Diagnostics| {
            fields.wrong(name, expected, tree, out);
            None
        };
        match (key.kind, &tree.kind) {
            (_, Kind::Null) => None,
            (KeyKind::Text | KeyKind::Value, Kind::String(text)) => {
                Some(KeyValue::Text(text.clone()))
            }
            // The text of a FormatText may be any text.
            (KeyKind::Text, Kind::Object(_)) if name == "format" => match text_value(tree) {
                Ok(text) => Some(KeyValue::Text(crate::t3d::text_macro(&text))),
                Err(failure) => {
                    super::read::report_value(*failure, fields.place.clone(), self.out);
                    None
                }
            },
            (KeyKind::Value, Kind::Bool(value)) => Some(KeyValue::Text(value.to_string())),
            (KeyKind::Value, Kind::Number(text)) => Some(KeyValue::Text(text.clone())),
            (KeyKind::Bool, Kind::Bool(value)) => Some(KeyValue::Bool(*value)),
            (
                KeyKind::Count
                | KeyKind::CountOrNames
                | KeyKind::CountOrNamesOrEnum
                | KeyKind::CountOrParams,
                Kind::Number(_),
            ) => fields
                .int(name, 0..=i64::from(u16::MAX), self.out)
                .map(KeyValue::Int),
            (KeyKind::Int, Kind::Number(_)) => fields
                .int(name, i64::MIN..=i64::MAX, self.out)
                .map(KeyValue::Int),
            (KeyKind::Class, Kind::String(text)) => {
                resolved(resolve_class(text, self.registry), self.out)
            }
            (KeyKind::Struct, Kind::String(text)) => {
                resolved(resolve_struct(text, self.registry), self.out)
            }
            (KeyKind::Enum | KeyKind::CountOrNamesOrEnum, Kind::String(text)) => {
                resolved(resolve_enum(text, self.registry), self.out)
            }
            (KeyKind::Type, Kind::String(_)) => {
                type_of(fields, name, self.blueprint, self.registry, self.out)
                    .map(|ty| KeyValue::Type(Box::new(ty)))
            }
            (
                KeyKind::Names | KeyKind::CountOrNames | KeyKind::CountOrNamesOrEnum,
                Kind::List(items),
            ) => {
                let mut names = Vec::new();
                for item in items {
                    match &item.kind {
                        Kind::String(text) | Kind::Number(text) => names.push(text.clone()),
                        _ => fields.wrong(name, "a list of strings", item, self.out),
                    }
                }
                Some(KeyValue::Names(names))
            }
            (KeyKind::Size, Kind::List(_)) => {
                pair(fields, name, self.out).map(|(x, y)| KeyValue::Size(x, y))
            }
            (KeyKind::Params | KeyKind::CountOrParams | KeyKind::Graph, _) => {
                Some(KeyValue::Elsewhere)
            }
            (KeyKind::Text | KeyKind::Value, _) => wrong("a string", self.out),
            (KeyKind::Bool, _) => wrong("`true` or `false`", self.out),
            (KeyKind::Count | KeyKind::Int, _) => wrong("a whole number", self.out),
            (KeyKind::Class, _) => wrong("the name of a class", self.out),
            (KeyKind::Struct, _) => wrong("the name of a struct", self.out),
            (KeyKind::Enum, _) => wrong("the name of an enum", self.out),
            (KeyKind::Type, _) => wrong("a type", self.out),
            (KeyKind::Names, _) => wrong("a list of strings", self.out),
            (KeyKind::CountOrNames, _) => wrong("a number or a list of strings", self.out),
            (KeyKind::CountOrNamesOrEnum, _) => wrong(
                "a number, a list of strings or the name of an enum",
                self.out,
            ),
            (KeyKind::Size, _) => wrong("a list of two numbers", self.out),
        }
    }
}

/// Whether nodes of a class start code of their own.
fn is_event(class: &str) -> bool {
    matches!(
        class.strip_prefix("K2Node_").unwrap_or(class),
        "Event"
            | "CustomEvent"
            | "ComponentBoundEvent"
            | "ActorBoundEvent"
            | "InputAction"
            | "InputKey"
            | "InputDebugKey"
            | "InputAxisEvent"
            | "InputAxisKeyEvent"
            | "InputVectorAxisEvent"
            | "InputTouch"
            | "EnhancedInputAction"
    )
}

/// What the editor calls a node, and what stands for it here.
const EDITOR_NAMES: &[(&str, &str)] = &[
    ("Branch", "`IfThenElse`"),
    ("If", "`IfThenElse`"),
    ("Sequence", "`ExecutionSequence`"),
    ("Reroute", "`Knot`"),
    ("RerouteNode", "`Knot`"),
    ("Cast", "`DynamicCast` with the key `to`"),
    ("Get", "`VariableGet` with the key `variable`"),
    ("Set", "`VariableSet` with the key `variable`"),
    ("ReturnNode", "`FunctionResult`"),
    ("Return", "`FunctionResult`"),
    (
        "Entry",
        "`FunctionEntry`, or the id `entry` in links without a node",
    ),
    (
        "BeginPlay",
        "`Event` with `\"event\": \"ReceiveBeginPlay\"`",
    ),
    (
        "EventBeginPlay",
        "`Event` with `\"event\": \"ReceiveBeginPlay\"`",
    ),
    ("Tick", "`Event` with `\"event\": \"ReceiveTick\"`"),
    ("EventTick", "`Event` with `\"event\": \"ReceiveTick\"`"),
    ("SelfReference", "`Self`"),
    ("SpawnActor", "`SpawnActorFromClass`"),
    ("ConstructObjectFromClass", "`GenericCreateObject`"),
    ("BindEvent", "`AddDelegate`"),
    ("UnbindEvent", "`RemoveDelegate`"),
    ("UnbindAllEvents", "`ClearDelegate`"),
    ("CreateEvent", "`CreateDelegate`"),
    ("CollapsedGraph", "`Composite`"),
    ("SwitchOnInt", "`SwitchInteger`"),
    ("SwitchOnString", "`SwitchString`"),
    ("SwitchOnName", "`SwitchName`"),
    ("SwitchOnEnum", "`SwitchEnum`"),
    ("SetMembersInStruct", "`SetFieldsInStruct`"),
];

/// Macros of the engine that people know as nodes.
const MACROS: &[&str] = &[
    "ForLoop",
    "ForLoopWithBreak",
    "ForEachLoop",
    "ForEachLoopWithBreak",
    "ReverseForEachLoop",
    "WhileLoop",
    "DoOnce",
    "DoN",
    "FlipFlop",
    "Gate",
];

/// The class that is meant by a name that is none, in words: the editor's name of a node, of a macro, or a
/// misspelt class.
pub fn class_hint(class: &str) -> String {
    let fold = |text: &str| -> String {
        text.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted = fold(class.strip_prefix("K2Node_").unwrap_or(class));
    let shorts = || {
        nodes::ALL
            .iter()
            .map(|row| row.class().strip_prefix("K2Node_").unwrap_or(row.class()))
    };
    if let Some(short) = shorts().find(|short| fold(short) == wanted) {
        return format!("the class is written `{short}`");
    }
    if let Some((_, meant)) = EDITOR_NAMES.iter().find(|(name, _)| fold(name) == wanted) {
        return format!("“{class}” is the class {meant}");
    }
    if wanted.starts_with("castto") {
        return format!("“{class}” is the class `DynamicCast` with the key `to`");
    }
    if let Some(name) = MACROS.iter().find(|name| fold(name) == wanted) {
        return format!(
            "“{class}” is a macro: write the class `MacroInstance` with `\"macro\": \"{name}\"`"
        );
    }
    if let Some(name) = nearest(class.strip_prefix("K2Node_").unwrap_or(class), shorts()) {
        return format!("did you mean `{name}`?");
    }
    "a function is called by the class `CallFunction` with the key `function`; \
         `bpc nodes` lists the classes"
        .to_owned()
}
