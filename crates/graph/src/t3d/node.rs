//! Objects to nodes: their fields, properties and pins.

use bp_diag::{Code, Diagnostic};
use bp_reflect::Name;

use super::lex::Value;
use super::object::{Object, Property, Reporter};
use super::pin::{PinAddress, ReadPin, made_pin_id, read_pin, read_pin_object, read_type};
use super::{GuidTexts, SUBOBJECTS, USER_DEFINED_PINS};
use crate::{
    Direction, EnabledState, Graph, GraphKind, Node, NodeId, Pin, PinCategory, PinFlags, PinType,
    PropertyValue,
};

/// Elements that indexed properties of one text may skip. They are filled with empty words, so an
/// index is not allowed to cost more than it looks.
const MAX_SKIPPED: usize = 100_000;

/// What building graphs needs beside the objects.
pub(super) struct Builder<'r, 'c, 'a> {
    pub(super) reporter: &'r mut Reporter<'c, 'a>,
    pub(super) ids: &'r mut GuidTexts,
    pub(super) n_skipped: usize,
}

/// A graph whose links are not resolved yet.
pub(super) struct OpenGraph {
    pub(super) graph: Graph,
    /// The node's name in the text, parallel to the graph's nodes.
    pub(super) written_names: Vec<String>,
    /// Pins that name others, in order.
    pub(super) pending: Vec<PendingPin>,
}

/// The pins that a pin names.
pub(super) struct PendingPin {
    pub(super) pin: crate::PinId,
    pub(super) links: Vec<PinAddress>,
    pub(super) sub_pins: Vec<PinAddress>,
    pub(super) parent: Option<PinAddress>,
    pub(super) pass_through: Option<PinAddress>,
}

impl OpenGraph {
    pub(super) fn new(name: &str, kind: GraphKind) -> Self {
        Self {
            graph: Graph::new(name, kind),
            written_names: Vec::new(),
            pending: Vec::new(),
        }
    }

    fn add_pin(&mut self, read: ReadPin) {
        let pin = self.graph.add_pin(read.pin);
        let names_none = read.links.is_empty()
            && read.sub_pins.is_empty()
            && read.parent.is_none()
            && read.pass_through.is_none();
        if !names_none {
            self.pending.push(PendingPin {
                pin,
                links: read.links,
                sub_pins: read.sub_pins,
                parent: read.parent,
                pass_through: read.pass_through,
            });
        }
    }
}

impl Builder<'_, '_, '_> {
    /// Adds the node that an object is to a graph.
    pub(super) fn add_node(&mut self, open: &mut OpenGraph, object: &Object<'_>) {
        let mut node = Node {
            name: Name::new(&*object.name),
            span: Some(self.reporter.span(&object.header)),
            ..Node::default()
        };
        match object.class.rsplit_once('.') {
            Some((package, class)) => {
                node.class = Name::new(class);
                node.class_package =
                    (package != "/Script/BlueprintGraph").then(|| package.to_owned());
            }
            None => node.class = Name::new(&*object.class),
        }
        for property in &object.properties {
            self.property(&mut node, property);
        }
        // What older versions wrote in place of the state.
        if node.properties.flag("bIsNodeEnabled") == Some(false)
            && node.properties.get("EnabledState").is_none()
            && node.enabled == EnabledState::Enabled
        {
            node.enabled = EnabledState::Disabled;
        }
        keep_user_defined_pins(&mut node, object);
        let others: Vec<PropertyValue> = object
            .children
            .iter()
            .filter(|child| !child.is_pin() && !child.is_graph())
            .map(subobject)
            .collect();
        if !others.is_empty() {
            node.properties
                .set(SUBOBJECTS, PropertyValue::Array(others));
        }
        let bound = object.children.iter().find(|child| child.is_graph());
        if let Some(bound) = bound {
            let child = self.bound_graph(bound, GraphKind::inside(&node.class));
            node.child = Some(open.graph.children.len());
            open.graph.children.push(child);
        }
        let id = open.graph.add_node(node);
        open.written_names.push(object.name.to_lowercase());
        self.pins(open, id, object);
    }

    fn property(&mut self, node: &mut Node, property: &Property<'_>) {
        let value = &property.value;
        let mut is_taken = property.index.is_none();
        match property.key {
            "NodePosX" if is_taken => match whole(&value.text()) {
                Some(x) => node.at.0 = x,
                None => is_taken = false,
            },
            "NodePosY" if is_taken => match whole(&value.text()) {
                Some(y) => node.at.1 = y,
                None => is_taken = false,
            },
            "NodeGuid" if is_taken => node.guid = self.ids.read(&value.text()),
            "NodeComment" if is_taken => node.comment = Some(value.text().into_owned()),
            "EnabledState" if is_taken => match &*value.text() {
                "Enabled" => node.enabled = EnabledState::Enabled,
                "Disabled" => node.enabled = EnabledState::Disabled,
                "DevelopmentOnly" => node.enabled = EnabledState::DevelopmentOnly,
                _ => is_taken = false,
            },
            // The pins themselves are the model's list.
            "Pins" | "DeprecatedPins" if value.reference_class().is_some() => return,
            key => {
                self.keep(node, key, property);
                return;
            }
        }
        if !is_taken {
            let span = self.reporter.span(&property.range);
            self.reporter.syntax(
                Diagnostic {
                    severity: bp_diag::Severity::Warning,
                    ..Diagnostic::new(
                        Code::BadValue,
                        format!("`{}` is not a value of {}", value.text(), property.key),
                    )
                }
                .at(span)
                .label("kept, but not understood"),
            );
            self.keep(node, property.key, property);
        }
    }

    /// Keeps a property under its name, elements of an array together.
    fn keep(&mut self, node: &mut Node, key: &str, property: &Property<'_>) {
        let value = property.value.to_property();
        let Some(index) = property.index else {
            node.properties.set(key, value);
            return;
        };
        let slot = node
            .properties
            .0
            .entry(key.to_owned())
            .or_insert_with(|| PropertyValue::Array(Vec::new()));
        if !matches!(slot, PropertyValue::Array(_)) {
            *slot = PropertyValue::Array(Vec::new());
        }
        if let PropertyValue::Array(elements) = slot {
            let n_skipped = index.saturating_sub(elements.len());
            if self.n_skipped.saturating_add(n_skipped) > MAX_SKIPPED {
                let span = self.reporter.span(&property.range);
                self.reporter.syntax(
                    Diagnostic::new(Code::TooLarge, format!("index {index} of `{key}`"))
                        .at(span)
                        .label("too far behind the elements before it"),
                );
                return;
            }
            self.n_skipped += n_skipped;
            if index >= elements.len() {
                elements.resize(index + 1, PropertyValue::Word(String::new()));
            }
            elements[index] = value;
        }
    }

    fn pins(&mut self, open: &mut OpenGraph, node: NodeId, object: &Object<'_>) {
        for (word, list) in &object.custom {
            match *word {
                "Pin" => {
                    let read = read_pin(node, list, self.ids, self.reporter);
                    open.add_pin(read);
                }
                "UserDefinedPin" => {}
                other => {
                    let span = self.reporter.span(&list.range);
                    self.reporter.syntax(
                        Diagnostic::new(
                            Code::T3dSyntax,
                            format!("`CustomProperties {other}` is not known"),
                        )
                        .at(span)
                        .label("expected `Pin` or `UserDefinedPin`"),
                    );
                }
            }
        }
        for pin in pin_objects(object) {
            let read = read_pin_object(node, pin, self.ids, self.reporter);
            open.add_pin(read);
        }
        let user_lists: Vec<_> = object
            .custom
            .iter()
            .filter(|(word, _)| *word == "UserDefinedPin")
            .map(|(_, list)| list)
            .collect();
        let has_pins = !open.graph.nodes[node].pins.is_empty();
        if !has_pins && !user_lists.is_empty() {
            for pin in standard_pins(node, &open.graph.nodes[node].class) {
                open.graph.add_pin(pin);
            }
        }
        for list in user_lists {
            let name = Name::new(list.get("PinName").map_or("".into(), Value::text));
            let is_input = list
                .get("DesiredPinDirection")
                .is_some_and(|word| word.text().eq_ignore_ascii_case("EGPD_Input"));
            let direction = if is_input {
                Direction::Input
            } else {
                Direction::Output
            };
            let graph = &mut open.graph;
            let found = graph.nodes[node].pins.iter().copied().find(|pin| {
                graph.pins[*pin].name == name && graph.pins[*pin].direction == direction
            });
            match found {
                Some(pin) => graph.pins[pin].flags |= PinFlags::USER_DEFINED,
                None if !has_pins => {
                    let ty = list
                        .get("PinType")
                        .map(|ty| read_type(ty, self.reporter))
                        .unwrap_or_default();
                    let mut pin = Pin::new(node, name, direction, ty);
                    pin.flags = PinFlags::USER_DEFINED;
                    pin.span = Some(self.reporter.span(&list.range));
                    if let Some(default) = list.get("PinDefaultValue") {
                        pin.default.value = default.text().into_owned();
                        pin.default.autogenerated.clone_from(&pin.default.value);
                    }
                    graph.add_pin(pin);
                }
                None => {}
            }
        }
        // An id tells a pin from the others of its node; one that has none gets one of its own.
        let graph = &mut open.graph;
        for (idx, pin) in graph.nodes[node].pins.iter().enumerate() {
            let pin = &mut graph.pins[*pin];
            if pin.id.is_zero() {
                pin.id = made_pin_id(&graph.nodes[node].name, idx, &pin.name);
            }
        }
    }

    /// The graph inside a node.
    fn bound_graph(&mut self, object: &Object<'_>, kind: GraphKind) -> Graph {
        let mut open = OpenGraph::new(&object.name, kind);
        open.graph.span = Some(self.reporter.span(&object.header));
        self.fill_graph(&mut open, object);
        self.resolve(open)
    }

    /// Adds the nodes of a graph object in the order of its `Nodes` list.
    pub(super) fn fill_graph(&mut self, open: &mut OpenGraph, object: &Object<'_>) {
        let mut order = rustc_hash::FxHashMap::default();
        for property in &object.properties {
            match property.key {
                "GraphGuid" => open.graph.guid = self.ids.read(&property.value.text()),
                "Nodes" => {
                    let path = property.value.text();
                    let name = path.rsplit(['.', ':']).next().unwrap_or(&path);
                    let place = order.len();
                    order.entry(name.to_lowercase()).or_insert(place);
                }
                _ => {}
            }
        }
        let mut nodes: Vec<&Object<'_>> = object.children.iter().collect();
        nodes.sort_by_key(|node| {
            order
                .get(&node.name.to_lowercase())
                .copied()
                .unwrap_or(usize::MAX)
        });
        for node in nodes {
            self.add_node(open, node);
        }
    }
}

/// Pin objects of the old layout, in the order of the `Pins` list.
fn pin_objects<'o, 't>(object: &'o Object<'t>) -> Vec<&'o Object<'t>> {
    let mut pins: Vec<_> = object
        .children
        .iter()
        .filter(|child| child.is_pin())
        .collect();
    if pins.is_empty() {
        return pins;
    }
    let order: rustc_hash::FxHashMap<String, usize> = object
        .properties
        .iter()
        .filter(|property| property.key == "Pins")
        .enumerate()
        .map(|(place, property)| (property.value.text().to_lowercase(), place))
        .collect();
    pins.sort_by_key(|pin| {
        order
            .get(&pin.name.to_lowercase())
            .copied()
            .unwrap_or(usize::MAX)
    });
    pins
}

/// The author's own pins as a property: an array of lists.
fn keep_user_defined_pins(node: &mut Node, object: &Object<'_>) {
    let lists: Vec<PropertyValue> = object
        .custom
        .iter()
        .filter(|(word, _)| *word == "UserDefinedPin")
        .map(|(_, list)| list.to_property())
        .collect();
    if !lists.is_empty() {
        node.properties
            .set(USER_DEFINED_PINS, PropertyValue::Array(lists));
    }
}

/// A nested object that is neither pin nor graph: its class, name and properties as a list.
fn subobject(object: &Object<'_>) -> PropertyValue {
    let mut members = vec![
        (
            "Class".to_owned(),
            PropertyValue::String(object.class.clone().into_owned()),
        ),
        (
            "Name".to_owned(),
            PropertyValue::String(object.name.clone().into_owned()),
        ),
    ];
    for property in &object.properties {
        let key = match property.index {
            Some(index) => format!("{}({index})", property.key),
            None => property.key.to_owned(),
        };
        members.push((key, property.value.to_property()));
    }
    if !object.children.is_empty() {
        members.push((
            SUBOBJECTS.to_owned(),
            PropertyValue::Array(object.children.iter().map(subobject).collect()),
        ));
    }
    PropertyValue::Tuple(members)
}

/// The pins that the editor gives an editable node beside the author's own.
fn standard_pins(node: NodeId, class: &Name) -> Vec<Pin> {
    let exec = |name: &str, direction| Pin::new(node, name, direction, PinType::exec());
    let delegate = || {
        let ty = PinType::of(PinCategory::Delegate);
        Pin::new(node, "OutputDelegate", Direction::Output, ty)
    };
    match class.as_str() {
        "K2Node_CustomEvent" | "K2Node_Event" => {
            vec![delegate(), exec("then", Direction::Output)]
        }
        "K2Node_FunctionEntry" => vec![exec("then", Direction::Output)],
        "K2Node_FunctionResult" => vec![exec("execute", Direction::Input)],
        _ => Vec::new(),
    }
}

/// A coordinate: a whole number, also when written with a fraction.
fn whole(text: &str) -> Option<i32> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        (number.abs() < f64::from(i32::MAX)).then_some(number.round() as i32)
    })
}
