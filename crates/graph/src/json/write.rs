//! Writes a Blueprint: what is shortest, then what reading that leaves out.
//!
//! A first text holds keys and links only. It is read back, and each node is compared with the original:
//! what differs is added (defaults, properties, types, or all pins), until reading gives the original. So
//! the reader alone decides what need not be written.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use bp_diag::Sources;
use bp_reflect::{EngineVersion, Name, Registry, ValueError};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json, json};

use super::document as doc;
use super::flags::{function_words, usual_friendly_name, variable_base, variable_words};
use super::nodes::RAW_FLAGS;
use super::read::{NO_CLASS, read_with};
use super::type_text::{full_type_text, type_text};
use super::value::{default_json, text_json, value_json};
use super::{links_order, print, property};
use crate::blueprint::usual_metadata;
use crate::nodes::{self, MacroLibrary, PinContext};
use crate::outline::outline;
use crate::{
    Blueprint, BlueprintKind, Direction, EnabledState, Graph, GraphKind, Guid, Node, NodeId, Pin,
    PinCategory, PinDefault, PinFlags, PinId, Properties, PropertyValue, TimelineTrackKind,
    Variable,
};

/// The Blueprint as JSON. Reading it gives the same Blueprint but for what the editor makes anew: ids and
/// tool tips of pins, and their display names.
///
/// `registry` is what the text will be read with; the Blueprint's own class need not be in it.
pub fn write(blueprint: &Blueprint, registry: &Registry) -> String {
    let standard = blueprint
        .graphs
        .iter()
        .any(uses_macros)
        .then(|| super::standard_macros(registry));
    write_with_macros(blueprint, registry, standard.as_ref())
}

/// As [`write`], with the engine's macros at hand ([`super::standard_macros`] of the same declarations).
pub fn write_with_macros(
    blueprint: &Blueprint,
    registry: &Registry,
    standard: Option<&Blueprint>,
) -> String {
    let mut registry = registry.clone();
    registry.add_class(outline(blueprint, &registry));
    for structure in &blueprint.structs {
        registry.add_struct(structure.clone());
    }
    for enumeration in &blueprint.enums {
        registry.add_enum(enumeration.clone());
    }
    let mut writer = Writer {
        blueprint,
        registry: &registry,
        standard,
        extras: FxHashMap::default(),
        lists_boundaries: false,
    };
    // Each round can only add; a third is needed where pins that a second gave whole decide types.
    for _ in 0..5 {
        let text = writer.text();
        if !writer.improve(&text) {
            return text;
        }
    }
    writer.text()
}

/// Whether a graph or one inside it has a macro instance.
fn uses_macros(graph: &Graph) -> bool {
    graph
        .nodes
        .iter()
        .any(|(_, node)| node.class == "K2Node_MacroInstance")
        || graph.children.iter().any(uses_macros)
}

/// A node by its graph's path and its own index.
type Key = (Vec<usize>, u32);

/// What a node needs beside its keys.
#[derive(Clone, Debug, Default, PartialEq)]
struct Extra {
    properties: Map<String, Json>,
    types: Map<String, Json>,
    /// The key `type` of a node whose wildcards no link decides.
    wildcard: Option<String>,
    defaults: Map<String, Json>,
    is_raw: bool,
}

struct Writer<'a> {
    blueprint: &'a Blueprint,
    registry: &'a Registry,
    standard: Option<&'a Blueprint>,
    extras: FxHashMap<Key, Extra>,
    /// Whether boundary nodes are listed although they could be implied.
    lists_boundaries: bool,
}

fn index(node: NodeId) -> u32 {
    node.into_raw().into_u32()
}

impl Writer<'_> {
    fn text(&self) -> String {
        print::document(&self.document())
    }

    fn document(&self) -> doc::Document {
        let blueprint = self.blueprint;
        let name = blueprint.name.to_string();
        let default_path = format!("/Game/{name}.{name}_C");
        let parent = match blueprint.kind {
            BlueprintKind::FunctionLibrary => Some("/Script/Engine.BlueprintFunctionLibrary"),
            BlueprintKind::MacroLibrary => Some(crate::types::OBJECT),
            BlueprintKind::Interface => Some("/Script/CoreUObject.Interface"),
            BlueprintKind::LevelScript => Some("/Script/Engine.LevelScriptActor"),
            BlueprintKind::Normal => None,
        };
        let class = |path: &bp_reflect::ObjectPath| nodes::class_text(path, self.registry);
        doc::Document {
            format: "blueprint/1".to_owned(),
            name,
            path: (blueprint.class_path.as_str() != default_path)
                .then(|| blueprint.class_path.to_string()),
            kind: match blueprint.kind {
                BlueprintKind::Normal => None,
                BlueprintKind::FunctionLibrary => Some("function_library"),
                BlueprintKind::MacroLibrary => Some("macro_library"),
                BlueprintKind::Interface => Some("interface"),
                BlueprintKind::LevelScript => Some("level_script"),
            }
            .map(str::to_owned),
            parent: parent
                .is_none_or(|usual| blueprint.parent.as_str() != usual)
                .then(|| match blueprint.parent.as_str() {
                    "" => NO_CLASS.to_owned(),
                    _ => class(&blueprint.parent),
                }),
            engine: (blueprint.engine != EngineVersion::LATEST)
                .then(|| blueprint.engine.to_string()),
            description: None,
            interfaces: blueprint.interfaces.iter().map(class).collect(),
            variables: blueprint
                .variables
                .iter()
                .map(|variable| self.variable(variable, false))
                .collect(),
            designer_variables: blueprint
                .designer_variables
                .iter()
                .map(|property| doc::DesignerVariable {
                    name: property.name.to_string(),
                    ty: property.ty.to_string(),
                    property_flags: property.flags.bits(),
                    dim: (property.array_dim != 1).then_some(property.array_dim),
                })
                .collect(),
            dispatchers: blueprint
                .dispatchers
                .iter()
                .map(|dispatcher| doc::Dispatcher {
                    name: dispatcher.name.to_string(),
                    category: dispatcher.category.clone(),
                    friendly_name: friendly_name(
                        &dispatcher.name,
                        &crate::PinType::of(PinCategory::MulticastDelegate),
                        dispatcher.friendly_name.as_deref(),
                    ),
                    metadata: metadata(&dispatcher.metadata),
                    guid: (!dispatcher.guid.is_zero()).then(|| dispatcher.guid.to_string()),
                    params: dispatcher
                        .params
                        .iter()
                        .map(|param| doc::Param {
                            name: param.name.to_string(),
                            ty: type_text(&param.ty, self.registry),
                            by_ref: param.ty.is_reference,
                            is_const: param.ty.is_const,
                            default: self.default(param.default.as_deref(), &param.ty),
                            raw_default: self.raw_default(param.default.as_deref(), &param.ty),
                        })
                        .collect(),
                })
                .collect(),
            components: blueprint
                .components
                .iter()
                .map(|component| doc::Component {
                    name: component.name.to_string(),
                    class: class(&component.class),
                    parent: component.parent.as_ref().map(ToString::to_string),
                    parent_owner: component.parent_owner.as_ref().map(ToString::to_string),
                    socket: component.socket.as_ref().map(ToString::to_string),
                    guid: (!component.guid.is_zero()).then(|| component.guid.to_string()),
                    properties: property::write_all(&component.properties),
                })
                .collect(),
            component_overrides: blueprint
                .component_overrides
                .iter()
                .map(|found| doc::ComponentOverride {
                    name: found.name.to_string(),
                    class: class(&found.class),
                    properties: property::write_all(&found.properties),
                })
                .collect(),
            class_defaults: property::write_all(&blueprint.class_defaults),
            timelines: self.timelines(),
            structs: blueprint
                .structs
                .iter()
                .map(|structure| doc::Struct {
                    name: asset_text(&structure.path),
                    members: structure
                        .members
                        .iter()
                        .map(|member| {
                            let ty = crate::PinType::of_property(&member.ty, blueprint.engine);
                            doc::Member {
                                name: member.name.to_string(),
                                ty: type_text(&ty, self.registry),
                                default: self.default(member.default.as_deref(), &ty),
                                raw_default: self.raw_default(member.default.as_deref(), &ty),
                            }
                        })
                        .collect(),
                })
                .collect(),
            enums: blueprint.enums.iter().map(enumeration).collect(),
            graphs: blueprint
                .graphs
                .iter()
                .enumerate()
                .map(|(idx, graph)| self.graph(graph, graph, &[idx], blueprint.name.as_str()))
                .collect(),
        }
    }

    fn timelines(&self) -> Vec<doc::Timeline> {
        let blueprint = self.blueprint;
        blueprint
            .timelines
            .iter()
            .map(|timeline| {
                let usual =
                    Guid::of_text(&format!("{}/timeline/{}", blueprint.name, timeline.name));
                doc::Timeline {
                    name: timeline.name.to_string(),
                    length: Some(timeline.length),
                    looping: timeline.looping,
                    auto_play: timeline.auto_play,
                    guid: (timeline.guid != usual).then(|| timeline.guid.to_string()),
                    tracks: timeline
                        .tracks
                        .iter()
                        .map(|track| doc::Track {
                            name: track.name.to_string(),
                            kind: match track.kind {
                                TimelineTrackKind::Float => None,
                                TimelineTrackKind::Vector => Some("vector".to_owned()),
                                TimelineTrackKind::LinearColor => Some("color".to_owned()),
                                TimelineTrackKind::Event => Some("event".to_owned()),
                            },
                            keys: track
                                .keys
                                .iter()
                                .map(|(time, values)| {
                                    std::iter::once(*time)
                                        .chain(values.iter().copied())
                                        .collect()
                                })
                                .collect(),
                        })
                        .collect(),
                }
            })
            .collect()
    }

    fn variable(&self, variable: &Variable, is_local: bool) -> doc::Variable {
        let words = variable_words(variable.flags, is_local);
        let is_usual = variable.flags == variable_base(is_local);
        doc::Variable {
            name: variable.name.to_string(),
            ty: full_type_text(&variable.ty, self.registry),
            default: self.default(variable.default.as_deref(), &variable.ty),
            raw_default: self.raw_default(variable.default.as_deref(), &variable.ty),
            flags: words
                .as_ref()
                .map(|words| words.iter().map(|word| (*word).to_owned()).collect())
                .unwrap_or_default(),
            property_flags: (words.is_none() && !is_usual).then(|| variable.flags.bits()),
            on_rep: variable.on_rep.as_ref().map(ToString::to_string),
            replication: variable.replication.clone(),
            metadata: metadata(&variable.metadata),
            category: variable.category.clone(),
            friendly_name: friendly_name(
                &variable.name,
                &variable.ty,
                variable.friendly_name.as_deref(),
            ),
            guid: (!variable.guid.is_zero()).then(|| variable.guid.to_string()),
        }
    }

    fn context<'b>(&'b self, graph: &'b Graph, function: &'b Graph) -> PinContext<'b> {
        PinContext {
            registry: self.registry,
            blueprint: self.blueprint,
            graph,
            function,
            macros: MacroLibrary {
                blueprints: std::slice::from_ref(self.blueprint),
                libraries: self.standard.as_slice(),
            },
        }
    }

    fn graph(&self, graph: &Graph, function: &Graph, path: &[usize], owner: &str) -> doc::Graph {
        let own = format!("{owner}/{}", graph.name);
        let (words, rest) = function_words(graph.flags);
        let is_composite = graph.kind == GraphKind::Composite;
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        if graph.kind.has_boundary() {
            if let Some(entry) = graph.entry() {
                inputs = self.params(graph, entry, Direction::Output, true);
            }
            if let Some(result) = graph.results().next() {
                outputs = self.params(graph, result, Direction::Input, false);
            }
        }
        let listed: Vec<(NodeId, &Node)> = graph
            .nodes
            .iter()
            .filter(|(id, _)| !self.is_implied(graph, *id, path, &own))
            .collect();
        doc::Graph {
            name: graph.name.to_string(),
            kind: match graph.kind {
                GraphKind::Event => Some("event"),
                GraphKind::Function => Some("function"),
                GraphKind::Macro => Some("macro"),
                GraphKind::Construction => Some("construction"),
                GraphKind::DelegateSignature => Some("delegate_signature"),
                GraphKind::Animation if path.len() == 1 => Some("animation"),
                GraphKind::Composite
                | GraphKind::Animation
                | GraphKind::StateMachine
                | GraphKind::Transition => None,
            }
            .map(str::to_owned),
            guid: (graph.guid != Guid::of_text(&own)).then(|| graph.guid.to_string()),
            flags: words.into_iter().map(str::to_owned).collect(),
            function_flags: (!rest.is_empty()).then(|| rest.bits()),
            description: None,
            partial: self.is_partial(graph),
            implements: graph
                .implements
                .as_ref()
                .map(|path| nodes::class_text(path, self.registry)),
            inputs,
            outputs: outputs.clone(),
            locals: graph
                .locals
                .iter()
                .map(|local| self.variable(local, true))
                .collect(),
            nodes: listed
                .into_iter()
                .map(|(id, _)| self.node(graph, function, id, path, &own, &outputs))
                .collect(),
            links: links_order::links(graph),
        }
        .without_name_if(is_composite && graph.name == "Collapsed")
    }

    /// Whether the reader would add a boundary node that is not there.
    fn is_partial(&self, graph: &Graph) -> bool {
        let is_function = matches!(
            graph.kind,
            GraphKind::Function | GraphKind::Construction | GraphKind::DelegateSignature
        );
        if !graph.kind.has_boundary() {
            return false;
        }
        let has_result = graph.results().next().is_some();
        let wants_result = !is_function
            || crate::outline::overridden(&graph.name, self.blueprint, self.registry).is_some_and(
                |(_, function)| {
                    function
                        .params
                        .iter()
                        .any(|param| param.is_output() || param.is_return())
                },
            );
        graph.entry().is_none() || (wants_result && !has_result)
    }

    /// Whether the reader adds this boundary node by itself, in this place.
    fn is_implied(&self, graph: &Graph, id: NodeId, path: &[usize], own: &str) -> bool {
        if self.lists_boundaries || self.extras.contains_key(&(path.to_vec(), index(id))) {
            return false;
        }
        let node = &graph.nodes[id];
        let is_function = matches!(
            graph.kind,
            GraphKind::Function | GraphKind::Construction | GraphKind::DelegateSignature
        );
        let (entry, result) = if is_function {
            ("K2Node_FunctionEntry", "K2Node_FunctionResult")
        } else {
            ("K2Node_Tunnel", "K2Node_Tunnel")
        };
        let last = graph.nodes.len().saturating_sub(1) as u32;
        let in_place = (node.class == entry && node.name == "entry" && index(id) == 0)
            || (node.class == result && node.name == "result" && index(id) == last);
        graph.kind.has_boundary()
            && in_place
            && node.at == (0, 0)
            && node.comment.is_none()
            && node.enabled == EnabledState::Enabled
            && node.guid == Guid::of_text(&format!("{own}/{}", node.name))
    }

    /// The parameters a boundary node's author defined.
    fn params(
        &self,
        graph: &Graph,
        node: NodeId,
        direction: Direction,
        with_defaults: bool,
    ) -> Vec<doc::Param> {
        graph
            .pins_of(node)
            .map(|(_, pin)| pin)
            .filter(|pin| {
                pin.direction == direction
                    && pin.parent.is_none()
                    && pin.flags.contains(PinFlags::USER_DEFINED)
            })
            .map(|pin| {
                let has_default = with_defaults
                    && !pin.is_exec()
                    && (pin.default.object.is_some()
                        || pin.default.text.is_some()
                        || !pin.default.value.is_empty())
                    && self.is_readable(&pin.default.value, &pin.ty);
                let ty = crate::PinType {
                    is_reference: false,
                    is_const: false,
                    ..pin.ty.clone()
                };
                doc::Param {
                    name: pin.name.to_string(),
                    ty: full_type_text(&ty, self.registry),
                    by_ref: pin.ty.is_reference,
                    is_const: pin.ty.is_const,
                    default: has_default.then(|| default_json(&pin.default, &pin.ty)),
                    raw_default: None,
                }
            })
            .collect()
    }

    fn node(
        &self,
        graph: &Graph,
        function: &Graph,
        id: NodeId,
        path: &[usize],
        own: &str,
        outputs: &[doc::Param],
    ) -> Map<String, Json> {
        let node = &graph.nodes[id];
        let row = nodes::find(node.class.as_str());
        let cx = self.context(graph, function);
        let none = Extra::default();
        let extra = self
            .extras
            .get(&(path.to_vec(), index(id)))
            .unwrap_or(&none);
        let mut out = Map::new();
        out.insert("id".to_owned(), json!(node.name.as_str()));
        out.insert("class".to_owned(), json!(node.short_class()));
        if let Some(row) = row {
            for (key, value) in row.keys_of(node, &cx) {
                out.insert(key, value);
            }
        }
        if let Some(ty) = &extra.wildcard {
            out.entry("type").or_insert_with(|| json!(ty));
        }
        let user = |direction| self.params(graph, id, direction, false);
        match node.class.as_str() {
            "K2Node_CustomEvent" => {
                let params = self.params(graph, id, Direction::Output, true);
                insert(&mut out, "params", &params);
            }
            "K2Node_FunctionResult" => {
                let own = user(Direction::Input);
                if json!(own) != json!(outputs) {
                    insert(&mut out, "outputs", &own);
                }
            }
            _ => {}
        }
        if !extra.defaults.is_empty() {
            out.insert("pins".to_owned(), Json::Object(extra.defaults.clone()));
        }
        let split: Vec<&str> = node
            .pins
            .iter()
            .map(|pin| &graph.pins[*pin])
            .filter(|pin| pin.is_split())
            .map(|pin| pin.name.as_str())
            .collect();
        if !split.is_empty() && !extra.is_raw {
            out.insert("split".to_owned(), json!(split));
        }
        if node.at != (0, 0) {
            out.insert("at".to_owned(), json!([node.at.0, node.at.1]));
        }
        if node.guid != Guid::of_text(&format!("{own}/{}", node.name)) {
            out.insert("guid".to_owned(), json!(node.guid.to_string()));
        }
        let says_comment = node.is_comment() || node.class == "K2Node_TemporaryVariable";
        if let Some(comment) = &node.comment
            && !says_comment
        {
            out.insert("comment".to_owned(), json!(comment));
        }
        match node.enabled {
            EnabledState::Enabled => {}
            EnabledState::Disabled => {
                out.insert("disabled".to_owned(), json!(true));
            }
            EnabledState::DevelopmentOnly => {
                out.insert("disabled".to_owned(), json!("development"));
            }
        }
        if let Some(shown) = node.properties.text("AdvancedPinDisplay") {
            out.insert(
                "advanced".to_owned(),
                json!(shown.eq_ignore_ascii_case("Shown")),
            );
        }
        if let Some(guid) = member_guid(node, &cx) {
            out.insert("member_guid".to_owned(), json!(guid.to_string()));
        }
        let package = row.and_then(nodes::NodeClass::package).map(str::to_owned);
        if node.class_package != package {
            let text = node
                .class_package
                .as_deref()
                .unwrap_or("/Script/BlueprintGraph");
            out.insert("class_package".to_owned(), json!(text));
        }
        if !extra.properties.is_empty() {
            out.insert(
                "properties".to_owned(),
                Json::Object(extra.properties.clone()),
            );
        }
        if extra.is_raw {
            let pins: Vec<doc::RawPin> = node
                .pins
                .iter()
                .map(|pin| self.raw_pin(graph, *pin))
                .collect();
            out.insert("raw_pins".to_owned(), json!(pins));
        } else if !extra.types.is_empty() {
            out.insert("types".to_owned(), Json::Object(extra.types.clone()));
        }
        if let Some(child) = node.child
            && let Some(inner) = graph.children.get(child)
        {
            let mut child_path = path.to_vec();
            child_path.push(child);
            let owner = format!("{own}/{}", node.name);
            let inner = self.graph(inner, function, &child_path, &owner);
            out.insert("graph".to_owned(), json!(inner));
        }
        out
    }

    fn raw_pin(&self, graph: &Graph, id: PinId) -> doc::RawPin {
        let pin = &graph.pins[id];
        let name_of = |pin: PinId| graph.pins[pin].name.to_string();
        let default = &pin.default;
        doc::RawPin {
            name: pin.name.to_string(),
            ty: full_type_text(&pin.ty, self.registry),
            out: pin.direction == Direction::Output,
            default: (!default.value.is_empty()).then(|| default.value.clone()),
            object: default.object.as_ref().map(ToString::to_string),
            text: default.text.as_ref().map(text_json),
            auto: (default.autogenerated != default.value).then(|| default.autogenerated.clone()),
            flags: RAW_FLAGS
                .iter()
                .filter(|(_, flag)| pin.flags.contains(*flag))
                .map(|(word, _)| (*word).to_owned())
                .collect(),
            parent: pin.parent.map(name_of),
            pass: pin.pass_through.map(name_of),
            friendly: pin.friendly_name.clone(),
            guid: (!pin.persistent_guid.is_zero()).then(|| pin.persistent_guid.to_string()),
        }
    }

    /// Reads a text back and adds what is missing. Whether anything was.
    fn improve(&mut self, text: &str) -> bool {
        let mut sources = Sources::default();
        let file = sources.add("", text);
        let (found, ..) = read_with(&[file], &sources, self.registry, self.standard.as_slice());
        let Some(found) = found.first() else {
            return false;
        };
        let mut changed = false;
        for (idx, graph) in self.blueprint.graphs.iter().enumerate() {
            let Some(other) = found.graphs.get(idx) else {
                continue;
            };
            changed |= self.improve_graph(graph, other, &mut vec![idx]);
        }
        changed
    }

    fn improve_graph(&mut self, graph: &Graph, other: &Graph, path: &mut Vec<usize>) -> bool {
        let same_shape = graph.nodes.len() == other.nodes.len()
            && graph
                .nodes
                .iter()
                .zip(other.nodes.iter())
                .all(|((_, a), (_, b))| a.name == b.name);
        if !same_shape {
            let first = !self.lists_boundaries;
            self.lists_boundaries = true;
            return first;
        }
        let mut changed = false;
        for ((id, _), (other_id, _)) in graph.nodes.iter().zip(other.nodes.iter()) {
            let key = (path.clone(), index(id));
            let before = self.extras.get(&key).cloned().unwrap_or_default();
            let after = self.difference((graph, id), (other, other_id), before.clone());
            if after != before {
                changed = true;
                self.extras.insert(key, after);
            }
        }
        for (child, inner) in graph.children.iter().enumerate() {
            if let Some(other) = other.children.get(child) {
                path.push(child);
                changed |= self.improve_graph(inner, other, path);
                path.pop();
            }
        }
        changed
    }

    fn difference(
        &self,
        (graph, id): (&Graph, NodeId),
        (other, other_id): (&Graph, NodeId),
        mut extra: Extra,
    ) -> Extra {
        let (a, b) = (&graph.nodes[id], &other.nodes[other_id]);
        properties(a, &b.properties, &mut extra.properties);
        if extra.is_raw {
            return extra;
        }
        let all = |graph: &'_ Graph, node: &Node| -> Vec<Pin> {
            node.pins
                .iter()
                .map(|pin| graph.pins[*pin].clone())
                .collect()
        };
        let (ours, theirs) = (all(graph, a), all(other, b));
        let parent = |graph: &Graph, pin: &Pin| pin.parent.map(|pin| graph.pins[pin].name.clone());
        let same_skeleton = ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(|(a, b)| {
                a.name.as_str() == b.name.as_str()
                    && a.direction == b.direction
                    && a.flags == b.flags
                    && a.persistent_guid == b.persistent_guid
                    && a.default.autogenerated == b.default.autogenerated
                    && a.pass_through.is_some() == b.pass_through.is_some()
                    && parent(graph, a) == parent(other, b)
            });
        let make_raw = |extra: Extra| Extra {
            is_raw: true,
            types: Map::new(),
            defaults: Map::new(),
            ..extra
        };
        if !same_skeleton {
            return make_raw(extra);
        }
        for (a, b) in ours.iter().zip(&theirs) {
            let name = a.name.to_string();
            if a.ty != b.ty {
                let has_key = nodes::find(self_class(graph, id)).is_some_and(|row| {
                    row.keys()
                        .iter()
                        .any(|key| key.name == "type" && !key.required)
                });
                if has_key && extra.wildcard.is_none() {
                    let element = crate::PinType {
                        container: crate::Container::None,
                        is_reference: false,
                        is_const: false,
                        ..a.ty.clone()
                    };
                    extra.wildcard = Some(full_type_text(&element, self.registry));
                    return extra;
                }
                let twin = ours
                    .iter()
                    .any(|other| other.name == a.name && other.direction != a.direction);
                if twin || extra.types.contains_key(&name) {
                    return make_raw(extra);
                }
                extra
                    .types
                    .insert(name.clone(), json!(full_type_text(&a.ty, self.registry)));
            }
            if value_of(&a.default) != value_of(&b.default) {
                let is_plain = a.direction == Direction::Input
                    && !a.is_exec()
                    && !a.name.is_none()
                    && one_field(&a.default, &a.ty)
                    && self.is_readable(&a.default.value, &a.ty);
                if !is_plain || extra.defaults.contains_key(&name) {
                    return make_raw(extra);
                }
                extra.defaults.insert(name, default_json(&a.default, &a.ty));
            }
        }
        extra
    }
}

impl Writer<'_> {
    /// Whether a default is a value of its type. The editor keeps what a pin or variable held before its type
    /// changed.
    fn is_readable(&self, text: &str, ty: &crate::PinType) -> bool {
        let property = ty.to_property(self.registry, self.blueprint.engine);
        property.is_none_or(
            |ty| match bp_reflect::Value::parse(text, &ty, self.registry) {
                Ok(_) | Err(ValueError::EntryValueUnknown { .. } | ValueError::NoLiteral(_)) => {
                    true
                }
                Err(_) => false,
            },
        )
    }

    fn default(&self, text: Option<&str>, ty: &crate::PinType) -> Option<Json> {
        let text = text.filter(|text| self.is_readable(text, ty))?;
        Some(value_json(text, ty))
    }

    fn raw_default(&self, text: Option<&str>, ty: &crate::PinType) -> Option<String> {
        let text = text.filter(|text| !self.is_readable(text, ty))?;
        Some(text.to_owned())
    }
}

impl doc::Graph {
    fn without_name_if(mut self, condition: bool) -> Self {
        if condition {
            self.name.clear();
        }
        self
    }
}

fn self_class(graph: &Graph, id: NodeId) -> &str {
    graph.nodes[id].class.as_str()
}

/// What the editor shows for a variable, where it is not what its name gives. Empty for a source that does not
/// say it.
fn friendly_name(name: &Name, ty: &crate::PinType, shown: Option<&str>) -> Option<String> {
    let usual = usual_friendly_name(name.as_str(), ty);
    let shown = shown.unwrap_or_default();
    (shown != usual).then(|| shown.to_owned())
}

/// What the editor notes about a member, where it is not what it notes about each new one.
fn metadata(notes: &IndexMap<String, String>) -> Option<Map<String, Json>> {
    let entries = notes.iter();
    let written = || {
        entries
            .map(|(key, text)| (key.clone(), json!(text)))
            .collect()
    };
    (*notes != usual_metadata()).then(written)
}

/// The parts of a default that count, the parameter's own left out.
fn value_of(
    default: &PinDefault,
) -> (
    &str,
    Option<&bp_reflect::ObjectPath>,
    Option<&bp_reflect::TextValue>,
) {
    (
        &default.value,
        default.object.as_ref(),
        default.text.as_ref(),
    )
}

/// Whether a default is in the one field its type uses.
fn one_field(default: &PinDefault, ty: &crate::PinType) -> bool {
    if ty.is_container() {
        return default.object.is_none() && default.text.is_none();
    }
    match ty.category {
        PinCategory::Object | PinCategory::Class | PinCategory::Interface => {
            default.value.is_empty() && default.text.is_none()
        }
        PinCategory::Text => default.value.is_empty() && default.object.is_none(),
        _ => default.object.is_none() && default.text.is_none(),
    }
}

fn insert(out: &mut Map<String, Json>, key: &str, params: &[doc::Param]) {
    if !params.is_empty() {
        out.insert(key.to_owned(), json!(params));
    }
}

/// Properties that follow from other parts of the model: a source may leave them out.
const DERIVED: &[&str] = &[
    "UserDefinedPins",
    "BoundGraph",
    "ExtraFlags",
    "LocalVariables",
];

fn is_derived(node: &Node, key: &str) -> bool {
    // An entry's reference names the function that the graph is.
    let is_entry = node.class == "K2Node_FunctionEntry";
    DERIVED.contains(&key) || (is_entry && key == "FunctionReference")
}

/// Adds what differs between a node's properties and those that reading gave.
fn properties(node: &Node, theirs: &Properties, out: &mut Map<String, Json>) {
    let ours = &node.properties;
    for (key, value) in &ours.0 {
        match theirs.get(key) {
            Some(other) if same(value, other) => {}
            None if is_derived(node, key) => {}
            _ => {
                out.insert(key.clone(), property::write(value));
            }
        }
    }
    for key in theirs.0.keys() {
        if ours.get(key).is_none() && !is_derived(node, key) {
            out.insert(key.clone(), Json::Null);
        }
    }
}

/// Equal but for the package of the class in an object reference.
fn same(a: &PropertyValue, b: &PropertyValue) -> bool {
    match (a, b) {
        (PropertyValue::Object(a), PropertyValue::Object(b)) => {
            let short = |class: &Option<String>| {
                class
                    .as_deref()
                    .map(|class| class.rsplit('.').next().unwrap_or(class).to_owned())
            };
            a.path == b.path && short(&a.class) == short(&b.class)
        }
        (PropertyValue::Tuple(a), PropertyValue::Tuple(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((ka, a), (kb, b))| ka.eq_ignore_ascii_case(kb) && same(a, b))
        }
        (PropertyValue::Array(a), PropertyValue::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (a, b) => a == b,
    }
}

/// The id of the member a node names, when the node alone knows it.
fn member_guid(node: &Node, cx: &PinContext<'_>) -> Option<Guid> {
    let reference = [
        "FunctionReference",
        "VariableReference",
        "DelegateReference",
        "EventReference",
    ]
    .iter()
    .find_map(|key| node.properties.member(key));
    if let Some(reference) = reference {
        let known = cx
            .blueprint
            .variables
            .iter()
            .chain(&cx.function.locals)
            .any(|variable| variable.name == reference.name && variable.guid == reference.guid);
        let has_keys = nodes::find(node.class.as_str())
            .is_some_and(|row| row.keys().iter().any(|key| key.required));
        return (!reference.guid.is_zero() && !known && has_keys).then_some(reference.guid);
    }
    node.properties
        .text("SelectedFunctionGuid")
        .and_then(|text| text.parse().ok())
        .filter(|guid: &Guid| !guid.is_zero())
}

/// The name of a struct or enum, or its path when that does not follow from the name.
fn asset_text(path: &bp_reflect::ObjectPath) -> String {
    let name = path.name();
    if path.as_str() == format!("/Game/{name}.{name}") {
        name.to_owned()
    } else {
        path.to_string()
    }
}

fn enumeration(found: &bp_reflect::Enum) -> doc::Enum {
    let mut next = 0_i64;
    let entries = found
        .entries
        .iter()
        .map(|entry| {
            let value = entry.value.unwrap_or(next);
            let is_next = value == next;
            next = value + 1;
            if is_next && entry.display_name.is_none() {
                return json!(entry.name.as_str());
            }
            let mut out = Map::new();
            out.insert("name".to_owned(), json!(entry.name.as_str()));
            if !is_next {
                out.insert("value".to_owned(), json!(value));
            }
            if let Some(shown) = &entry.display_name {
                out.insert("display_name".to_owned(), json!(shown));
            }
            Json::Object(out)
        })
        .collect();
    doc::Enum {
        name: asset_text(&found.path),
        entries,
    }
}
