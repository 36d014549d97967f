//! Graphs to clipboard text that the editor takes.

use std::fmt::Write as _;

use bp_reflect::{EngineVersion, Name, ObjectPath, PropertyFlags};

use super::dress::{
    Dress, container_word, macro_or_quoted, member_reference, quoted, reference, terminal_type,
    text_macro, type_list, type_object, value_text,
};
use super::pin::{FLAGS, made_pin_id};
use super::{GuidTexts, SUBOBJECTS, USER_DEFINED_PINS};
use crate::animation::inner_graph_key;
use crate::blueprint::usual_metadata;
use crate::compare::class_package;
use crate::{
    Blueprint, BlueprintKind, Direction, EnabledState, Graph, Guid, Node, NodeId, Pin, PinFlags,
    PinId, PropertyValue, Variable,
};

/// Blanks for each level of objects.
const INDENT: &str = "   ";

/// What the form of a text depends on.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions<'a> {
    /// The version the text is for.
    pub engine: EngineVersion,
    /// Path of the Blueprint, written with each node from UE 5.0 on; without it graphs are not told
    /// apart when the text is read.
    pub asset: Option<&'a ObjectPath>,
    /// Texts of ids that are no proper ones.
    pub ids: Option<&'a GuidTexts>,
}

impl WriteOptions<'_> {
    /// Text for a version, without paths.
    pub fn new(engine: EngineVersion) -> Self {
        Self {
            engine,
            asset: None,
            ids: None,
        }
    }
}

/// The clipboard text of graphs, one after another. Lines end with a line feed.
///
/// A collapsed node is written with its inside. What belongs to a function as a whole (flags, local
/// variables) is written on its entry node, where that does not say it.
pub fn write(graphs: &[&Graph], options: &WriteOptions<'_>) -> String {
    let mut writer = Writer {
        out: String::new(),
        dress: Dress::of(options.engine),
        ids: options.ids,
        depth: 0,
    };
    for graph in graphs {
        let place = options.asset.map(|asset| {
            let separator = if asset.as_str().contains(':') {
                '.'
            } else {
                ':'
            };
            format!("{asset}{separator}{}", graph.name)
        });
        for (id, node) in graph.nodes.iter() {
            let path = place.as_ref().map(|place| format!("{place}.{}", node.name));
            writer.begin(Some(&class_path(node)), node.name.as_str(), path.as_deref());
            writer.declarations(graph, node, path.as_deref());
            writer.node(graph, id, path.as_deref());
            writer.end();
        }
    }
    writer.out
}

/// The text of a whole Blueprint, as far as clipboard text can hold it: a `BPVar` line for each member
/// variable, then its graphs, in the form of its engine version. Parent, interfaces, components,
/// dispatchers and curves are not in it.
pub fn write_blueprint(blueprint: &Blueprint) -> String {
    let asset = asset_path(blueprint);
    let options = WriteOptions {
        asset: Some(&asset),
        ..WriteOptions::new(blueprint.engine)
    };
    let mut out = String::new();
    for variable in &blueprint.variables {
        out.push_str(&write_variable(variable, &options));
        out.push('\n');
    }
    let graphs: Vec<&Graph> = blueprint.graphs.iter().collect();
    out.push_str(&write(&graphs, &options));
    out
}

/// Path of a Blueprint itself, which its nodes are in; that of its class without `_C`.
pub fn asset_path(blueprint: &Blueprint) -> ObjectPath {
    let class = blueprint.class_path.as_str();
    let asset = class.strip_suffix("_C").unwrap_or(class);
    if blueprint.kind == BlueprintKind::LevelScript {
        let path = ObjectPath::new(asset);
        return ObjectPath::new(format!("{asset}:PersistentLevel.{}", path.name()));
    }
    ObjectPath::new(asset)
}

/// The text of a member variable as the editor copies it from its list of variables.
pub fn write_variable(variable: &Variable, options: &WriteOptions<'_>) -> String {
    let dress = Dress::of(options.engine);
    let guid = match options.ids.and_then(|ids| ids.text(variable.guid)) {
        Some(text) => text.to_owned(),
        None => variable.guid.to_string(),
    };
    let mut out = format!(
        "BPVar(VarName={},VarGuid={guid},VarType={},FriendlyName={}",
        quoted(variable.name.as_str()),
        type_list(&variable.ty, dress),
        quoted(variable.friendly_name.as_deref().unwrap_or(""))
    );
    if let Some(category) = &variable.category {
        let _ = write!(out, ",Category={}", macro_or_quoted(category));
    }
    let _ = write!(
        out,
        ",PropertyFlags={},RepNotifyFunc={}",
        variable.flags.bits(),
        quoted(variable.on_rep.as_ref().map_or("", Name::as_str))
    );
    let condition = variable.replication.as_deref();
    if variable.flags.contains(PropertyFlags::NET) || condition.is_some() {
        let condition = condition.unwrap_or("COND_None");
        let _ = write!(out, ",ReplicationCondition={condition}");
    }
    out.push_str(&metadata(variable));
    let _ = write!(
        out,
        ",DefaultValue={})",
        quoted(variable.default.as_deref().unwrap_or(""))
    );
    out
}

/// What the editor notes about a variable, where it is not what it notes about each new one.
fn metadata(variable: &Variable) -> String {
    if variable.metadata == usual_metadata() {
        return String::new();
    }
    let entries = variable.metadata.iter();
    let entries: Vec<String> = entries
        .map(|(key, text)| format!("(DataKey={},DataValue={})", quoted(key), quoted(text)))
        .collect();
    format!(",MetaDataArray=({})", entries.join(","))
}

fn class_path(node: &Node) -> String {
    format!("{}.{}", class_package(node), node.class)
}

/// Properties of every node, in the order the editor writes them, behind those of the node's class.
const COMMON: &[&str] = &[
    "NodePosX",
    "NodePosY",
    "NodeWidth",
    "NodeHeight",
    "AdvancedPinDisplay",
    "EnabledState",
    "bDisplayAsDisabled",
    "bUserSetEnabledState",
    "bIsIntermediateNode",
    "bCommentBubblePinned",
    "bCommentBubbleVisible",
    "NodeComment",
    "NodeUpgradeMessage",
    "ErrorType",
    "ErrorMsg",
    "NodeGuid",
];

struct Writer<'a> {
    out: String,
    dress: Dress,
    ids: Option<&'a GuidTexts>,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str(INDENT);
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn begin(&mut self, class: Option<&str>, name: &str, path: Option<&str>) {
        let mut header = "Begin Object".to_owned();
        if let Some(class) = class {
            let _ = write!(header, " Class={class}");
        }
        let _ = write!(header, " Name={}", quoted(name));
        if let (Some(path), Some(class), true) = (path, class, self.dress >= Dress::Ue50) {
            let _ = write!(header, " ExportPath={}", reference(class, path, self.dress));
        }
        self.line(&header);
        self.depth += 1;
    }

    fn end(&mut self) {
        self.depth -= 1;
        self.line("End Object");
    }

    /// Names what lies inside a node, before anything refers to it.
    fn declarations(&mut self, graph: &Graph, node: &Node, path: Option<&str>) {
        let Some(child) = node.child.and_then(|idx| graph.children.get(idx)) else {
            return;
        };
        let path = path.map(|path| format!("{path}.{}", child.name));
        self.begin(
            Some(child.kind.inner_class()),
            child.name.as_str(),
            path.as_deref(),
        );
        for (_, inner) in child.nodes.iter() {
            let path = path.as_ref().map(|path| format!("{path}.{}", inner.name));
            self.begin(
                Some(&class_path(inner)),
                inner.name.as_str(),
                path.as_deref(),
            );
            self.declarations(child, inner, path.as_deref());
            self.end();
        }
        self.end();
    }

    /// What stands between the header of a node and its end, declarations left out.
    fn node(&mut self, graph: &Graph, id: NodeId, path: Option<&str>) {
        let node = &graph.nodes[id];
        if let Some(PropertyValue::Array(objects)) = node.properties.get(SUBOBJECTS) {
            for object in objects {
                self.subobject(object);
            }
        }
        let child = node.child.and_then(|idx| graph.children.get(idx));
        if let Some(child) = child {
            self.child(child, path);
        }
        for (key, value) in &node.properties.0 {
            let is_common = COMMON.contains(&key.as_str());
            if !is_common && key != SUBOBJECTS && key != USER_DEFINED_PINS {
                self.property(key, value);
            }
        }
        let key = inner_graph_key(&node.class);
        if let (Some(child), None) = (child, node.properties.get(key)) {
            let bound = reference(child.kind.inner_class(), child.name.as_str(), self.dress);
            self.line(&format!("{key}={bound}"));
        }
        if node.class == "K2Node_FunctionEntry" {
            self.function(graph, node);
        }
        self.common_properties(node);
        for pin in &node.pins {
            self.pin(graph, *pin);
        }
        self.user_defined_pins(graph, node);
    }

    fn property(&mut self, key: &str, value: &PropertyValue) {
        match value {
            PropertyValue::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    if matches!(element, PropertyValue::Word(word) if word.is_empty()) {
                        continue;
                    }
                    let text = value_text(element, self.dress);
                    self.line(&format!("{key}({index})={text}"));
                }
            }
            PropertyValue::Word(_)
            | PropertyValue::String(_)
            | PropertyValue::Object(_)
            | PropertyValue::Text(_)
            | PropertyValue::Tuple(_) => {
                let text = value_text(value, self.dress);
                self.line(&format!("{key}={text}"));
            }
        }
    }

    fn common_properties(&mut self, node: &Node) {
        for key in COMMON {
            let text = match *key {
                "NodePosX" if node.at.0 != 0 => Some(node.at.0.to_string()),
                "NodePosY" if node.at.1 != 0 => Some(node.at.1.to_string()),
                "EnabledState" => match node.enabled {
                    EnabledState::Enabled => None,
                    // Older versions say it with a property of their own.
                    EnabledState::Disabled if node.properties.get("bIsNodeEnabled").is_some() => {
                        None
                    }
                    EnabledState::Disabled => Some("Disabled".to_owned()),
                    EnabledState::DevelopmentOnly => Some("DevelopmentOnly".to_owned()),
                },
                "NodeComment" => node.comment.as_deref().map(quoted),
                "NodeGuid" if !node.guid.is_zero() => Some(self.guid(node.guid)),
                _ => None,
            };
            if let Some(text) = text {
                self.line(&format!("{key}={text}"));
            } else if let Some(value) = node.properties.0.get(*key) {
                self.property(key, value);
            }
        }
    }

    /// What a function's entry says of the function.
    fn function(&mut self, graph: &Graph, entry: &Node) {
        let says = |key: &str| entry.properties.get(key).is_some();
        if !says("FunctionReference") && !says("SignatureName") && !graph.name.is_none() {
            let name = quoted(graph.name.as_str());
            self.line(&format!("FunctionReference=(MemberName={name})"));
        }
        if !says("ExtraFlags") && !graph.flags.is_empty() {
            self.line(&format!("ExtraFlags={}", graph.flags.bits()));
        }
        if !says("LocalVariables") {
            for (index, local) in graph.locals.iter().enumerate() {
                let mut list = format!(
                    "(VarName={},VarGuid={},VarType={},FriendlyName={}",
                    quoted(local.name.as_str()),
                    self.guid(local.guid),
                    type_list(&local.ty, self.dress),
                    quoted(local.friendly_name.as_deref().unwrap_or(""))
                );
                let _ = write!(list, ",PropertyFlags={}", local.flags.bits());
                list.push_str(&metadata(local));
                if let Some(default) = &local.default {
                    let _ = write!(list, ",DefaultValue={}", quoted(default));
                }
                self.line(&format!("LocalVariables({index})={list})"));
            }
        }
    }

    /// The graph inside a node.
    fn child(&mut self, child: &Graph, path: Option<&str>) {
        let path = path.map(|path| format!("{path}.{}", child.name));
        self.begin(None, child.name.as_str(), path.as_deref());
        for (id, inner) in child.nodes.iter() {
            let path = path.as_ref().map(|path| format!("{path}.{}", inner.name));
            self.begin(None, inner.name.as_str(), path.as_deref());
            self.node(child, id, path.as_deref());
            self.end();
        }
        let schema = reference(
            "/Script/CoreUObject.Class",
            child.kind.inner_schema(),
            self.dress,
        );
        self.line(&format!("Schema={schema}"));
        for (index, (_, inner)) in child.nodes.iter().enumerate() {
            let node = reference(&class_path(inner), inner.name.as_str(), self.dress);
            self.line(&format!("Nodes({index})={node}"));
        }
        if !child.guid.is_zero() {
            let guid = self.guid(child.guid);
            self.line(&format!("GraphGuid={guid}"));
        }
        self.end();
    }

    /// An object inside a node that is no graph.
    fn subobject(&mut self, object: &PropertyValue) {
        let PropertyValue::Tuple(members) = object else {
            return;
        };
        let text = |key| object.get(key).and_then(PropertyValue::as_str);
        let class = text("Class").filter(|class| !class.is_empty());
        self.begin(class, text("Name").unwrap_or(""), None);
        for (key, value) in members.iter().skip(2) {
            if let (PropertyValue::Array(inner), SUBOBJECTS) = (value, key.as_str()) {
                for object in inner {
                    self.subobject(object);
                }
            } else {
                self.property(key, value);
            }
        }
        self.end();
    }

    fn guid(&self, guid: Guid) -> String {
        match self.ids.and_then(|ids| ids.text(guid)) {
            Some(text) => text.to_owned(),
            None => guid.to_string(),
        }
    }

    /// The id of a pin; one of its own for a pin that has none, since links name pins by id.
    fn pin_id(&self, graph: &Graph, id: PinId) -> String {
        let pin = &graph.pins[id];
        if !pin.id.is_zero() {
            return self.guid(pin.id);
        }
        let node = &graph.nodes[pin.node];
        let place = node.pins.iter().position(|other| *other == id).unwrap_or(0);
        made_pin_id(&node.name, place, &pin.name).to_string()
    }

    /// How other pins name a pin.
    fn address(&self, graph: &Graph, id: PinId) -> String {
        let node = graph.pins[id].node;
        format!("{} {}", graph.nodes[node].name, self.pin_id(graph, id))
    }

    fn addresses(&self, graph: &Graph, pins: &[PinId]) -> String {
        let mut out = "(".to_owned();
        for pin in pins {
            out.push_str(&self.address(graph, *pin));
            out.push(',');
        }
        out.push(')');
        out
    }

    fn pin(&mut self, graph: &Graph, id: PinId) {
        let pin = &graph.pins[id];
        let dress = self.dress;
        let mut members = vec![format!("PinId={}", self.pin_id(graph, id))];
        let mut add = |key: &str, text: String| members.push(format!("{key}={text}"));
        if !pin.name.is_none() {
            add("PinName", quoted(pin.name.as_str()));
        }
        if let Some(name) = &pin.friendly_name {
            add("PinFriendlyName", macro_or_quoted(name));
        }
        if let Some(tip) = &pin.tool_tip {
            add("PinToolTip", quoted(tip));
        }
        if pin.direction == Direction::Output {
            add("Direction", "\"EGPD_Output\"".to_owned());
        }
        let ty = &pin.ty;
        add("PinType.PinCategory", quoted(ty.category.word()));
        add("PinType.PinSubCategory", quoted(&ty.sub_category));
        add(
            "PinType.PinSubCategoryObject",
            type_object(ty.category, ty.object.as_ref(), dress),
        );
        add(
            "PinType.PinSubCategoryMemberReference",
            member_reference(ty.signature.as_deref(), dress),
        );
        add("PinType.PinValueType", terminal_type(&ty.container, dress));
        add(
            "PinType.ContainerType",
            container_word(&ty.container).to_owned(),
        );
        add("PinType.bIsReference", bool_word(ty.is_reference));
        add("PinType.bIsConst", bool_word(ty.is_const));
        add("PinType.bIsWeakPointer", bool_word(ty.is_weak));
        add(
            "PinType.bIsUObjectWrapper",
            bool_word(ty.is_uobject_wrapper),
        );
        if dress >= Dress::Ue50 || ty.is_single_precision {
            add(
                "PinType.bSerializeAsSinglePrecisionFloat",
                bool_word(ty.is_single_precision),
            );
        }
        let default = &pin.default;
        if !default.value.is_empty() {
            add("DefaultValue", quoted(&default.value));
        }
        if !default.autogenerated.is_empty() {
            add("AutogeneratedDefaultValue", quoted(&default.autogenerated));
        }
        if let Some(object) = &default.object {
            add("DefaultObject", quoted(object.as_str()));
        }
        if let Some(text) = &default.text {
            add("DefaultTextValue", text_macro(text));
        }
        if !pin.links.is_empty() {
            add("LinkedTo", self.addresses(graph, &pin.links));
        }
        if !pin.sub_pins.is_empty() {
            add("SubPins", self.addresses(graph, &pin.sub_pins));
        }
        if let Some(parent) = pin.parent {
            add("ParentPin", self.address(graph, parent));
        }
        if let Some(through) = pin.pass_through {
            add(
                "ReferencePassThroughConnection",
                self.address(graph, through),
            );
        }
        add("PersistentGuid", self.guid(pin.persistent_guid));
        for (key, flag) in FLAGS {
            add(key, bool_word(pin.flags.contains(flag)));
        }
        let text = format!("CustomProperties Pin ({},)", members.join(","));
        self.line(&text);
    }

    /// The author's own pins: as they were read, else as the pins say.
    fn user_defined_pins(&mut self, graph: &Graph, node: &Node) {
        if let Some(PropertyValue::Array(lists)) = node.properties.get(USER_DEFINED_PINS) {
            for list in lists {
                let text = value_text(list, self.dress);
                self.line(&format!("CustomProperties UserDefinedPin {text}"));
            }
            return;
        }
        for pin in &node.pins {
            let pin = &graph.pins[*pin];
            if pin.flags.contains(PinFlags::USER_DEFINED) && pin.parent.is_none() {
                let text = user_defined_pin(pin, self.dress);
                self.line(&format!("CustomProperties UserDefinedPin {text}"));
            }
        }
    }
}

fn user_defined_pin(pin: &Pin, dress: Dress) -> String {
    let direction = match pin.direction {
        Direction::Input => "EGPD_Input",
        Direction::Output => "EGPD_Output",
    };
    let mut out = format!(
        "(PinName={},PinType={},DesiredPinDirection={direction}",
        quoted(pin.name.as_str()),
        type_list(&pin.ty, dress)
    );
    if !pin.default.value.is_empty() {
        let _ = write!(out, ",PinDefaultValue={}", quoted(&pin.default.value));
    }
    out.push(')');
    out
}

fn bool_word(value: bool) -> String {
    if value { "True" } else { "False" }.to_owned()
}
