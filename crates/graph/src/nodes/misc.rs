//! Timelines, texts, class defaults, subsystems and comments.

use bp_diag::Code;
use bp_reflect::{EngineVersion, ObjectPath, PropertyType};
use serde_json::{Map, Value};

use super::context::{did_you_mean, short_name};
use super::spec::{Kind, number, object, string, string_array, strings, word};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, wildcard};
use crate::types::OBJECT;
use crate::{Graph, Node, PinCategory, PinType, TimelineTrackKind};

/// The type of a Blueprint's real numbers.
pub(crate) fn real(engine: EngineVersion) -> PinType {
    let ty = if engine.has_large_world_coordinates() {
        PropertyType::Double
    } else {
        PropertyType::Float
    };
    PinType::of_property(&ty, engine)
}

/// `K2Node_Timeline`.
pub(crate) struct Timeline;

impl NodeClass for Timeline {
    fn class(&self) -> &'static str {
        "K2Node_Timeline"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::required(
                "timeline",
                KeyKind::Text,
                "The timeline's name",
            )]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let name = keys.need("timeline")?;
        let Some(timeline) = cx
            .blueprint
            .timelines
            .iter()
            .find(|timeline| timeline.name == name)
        else {
            let names = cx
                .blueprint
                .timelines
                .iter()
                .map(|timeline| timeline.name.as_str());
            return Err(NodeError::new(
                Code::NodeProperty,
                format!("the Blueprint has no timeline `{name}`"),
            )
            .key("timeline")
            .hint(did_you_mean(name, names)));
        };
        node.properties.set("TimelineName", string(&timeline.name));
        if !timeline.guid.is_zero() {
            node.properties.set("TimelineGuid", number(timeline.guid));
        }
        if timeline.auto_play {
            node.properties.set("bAutoPlay", word(true));
        }
        if timeline.looping {
            node.properties.set("bLoop", word(true));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(name) = node.properties.text("TimelineName") {
            keys.insert("timeline".to_owned(), name.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let name = node
            .properties
            .text("TimelineName")
            .ok_or_else(NodeError::reported)?;
        let float = PinType::of_property(&PropertyType::Float, cx.engine());
        let mut pins: Vec<PinSpec> = ["Play", "PlayFromStart", "Stop", "Reverse", "ReverseFromEnd"]
            .into_iter()
            .map(PinSpec::exec_in)
            .collect();
        pins.push(PinSpec::exec_out("Update"));
        pins.push(PinSpec::exec_out("Finished"));
        pins.push(PinSpec::exec_in("SetNewTime"));
        pins.push(PinSpec::input("NewTime", float.clone()).auto());
        pins.push(PinSpec::output(
            "Direction",
            PinType::with_object(
                PinCategory::Byte,
                "/Script/Engine.ETimelineDirection".into(),
            ),
        ));
        let timeline = cx
            .blueprint
            .timelines
            .iter()
            .find(|timeline| timeline.name == name);
        if let Some(timeline) = timeline {
            let structure =
                |path: &str| PinType::with_object(PinCategory::Struct, ObjectPath::new(path));
            for track in &timeline.tracks {
                pins.push(match track.kind {
                    TimelineTrackKind::Float => PinSpec::output(track.name.clone(), float.clone()),
                    TimelineTrackKind::Vector => {
                        PinSpec::output(track.name.clone(), structure("/Script/CoreUObject.Vector"))
                    }
                    TimelineTrackKind::LinearColor => PinSpec::output(
                        track.name.clone(),
                        structure("/Script/CoreUObject.LinearColor"),
                    ),
                    TimelineTrackKind::Event => PinSpec::exec_out(track.name.clone()),
                });
            }
        }
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.properties
            .text("TimelineName")
            .unwrap_or("Timeline")
            .to_owned()
    }
}

/// `K2Node_FormatText`.
pub(crate) struct FormatText;

/// The `{names}` of a format, in order of appearance. A backquote keeps the next bracket from being one.
fn arguments(format: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '`' => {
                chars.next();
            }
            '{' => {
                let name: String = chars.by_ref().take_while(|c| *c != '}').collect();
                if !name.is_empty() && !names.contains(&name) {
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    names
}

const FORMAT: &str = "+format";

impl NodeClass for FormatText {
    fn class(&self) -> &'static str {
        "K2Node_FormatText"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::new("format", KeyKind::Text, "The text, with `{arguments}`"),
                Key::new(
                    "arguments",
                    KeyKind::Names,
                    "The arguments, when the format is linked",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        let names = match keys.names("arguments") {
            Some(names) => names.to_vec(),
            None => arguments(keys.text("format").unwrap_or_default()),
        };
        if !names.is_empty() {
            node.properties.set("PinNames", string_array(&names));
        }
        if let Some(format) = keys.text("format") {
            node.properties.set(FORMAT, string(format));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        let names = strings(node, "PinNames");
        if !names.is_empty() {
            keys.insert("arguments".to_owned(), names.into());
        }
        keys
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let text = PinType::of(PinCategory::Text);
        let mut format = PinSpec::input("Format", text.clone());
        if let Some(source) = node.properties.text(FORMAT) {
            format.default.text = Some(bp_reflect::TextValue::Invariant(source.into()));
        }
        let mut pins = vec![format, PinSpec::output("Result", text)];
        pins.extend(
            strings(node, "PinNames")
                .into_iter()
                .map(|name| PinSpec::input(name, PinType::of(PinCategory::Wildcard))),
        );
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        // Each argument has a type of its own.
        wildcard::all_wildcards(node, graph)
            .into_iter()
            .flat_map(|group| group.pins)
            .map(|pin| wildcard::Group { pins: vec![pin] })
            .collect()
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Format Text".to_owned()
    }
}

/// `K2Node_EaseFunction`. Its pins are assumed: no instance was met.
pub(crate) struct EaseFunction;

impl NodeClass for EaseFunction {
    fn class(&self) -> &'static str {
        "K2Node_EaseFunction"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::new(
                "type",
                KeyKind::Type,
                "The type, when no link tells",
            )]
        }
    }
    fn pins(&self, _node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let wild = PinType::of(PinCategory::Wildcard);
        let float = real(cx.engine());
        Ok(vec![
            super::call::first_entry(
                PinSpec::input(
                    "Function",
                    PinType::with_object(PinCategory::Byte, "/Script/Engine.EEasingFunc".into()),
                ),
                cx,
            ),
            PinSpec::input("Alpha", float.clone()).auto(),
            PinSpec::input("A", wild.clone()),
            PinSpec::input("B", wild.clone()),
            PinSpec::output("Result", wild),
            PinSpec::input("ShortestPath", PinType::of(PinCategory::Bool))
                .starting("true")
                .hidden(),
            PinSpec::input("BlendExp", float).starting("2.0").hidden(),
            PinSpec::input("Steps", PinType::of(PinCategory::Int))
                .starting("2")
                .hidden(),
        ])
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::whole(node, graph, &["A", "B", "Result"])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Ease".to_owned()
    }
}

/// `K2Node_GetClassDefaults`.
pub(crate) struct GetClassDefaults;

impl NodeClass for GetClassDefaults {
    fn class(&self) -> &'static str {
        "K2Node_GetClassDefaults"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::new(
                "of",
                KeyKind::Class,
                "The class; fills the Class pin",
            )]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if let Some(class) = keys.path("of") {
            node.properties.set("+class", string(class));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(class) = super::spawn::made_class(node, cx) {
            keys.insert("of".to_owned(), cx.class_text(&class).into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let class = super::spawn::made_class(node, cx);
        let mut pin = PinSpec::input(
            "Class",
            PinType::with_object(PinCategory::Class, OBJECT.into()),
        );
        pin.default.object.clone_from(&class);
        let mut pins = vec![pin];
        if let Some(class) = class {
            let mut ancestry: Vec<_> = cx.registry.ancestry(&class).collect();
            ancestry.reverse();
            pins.extend(
                ancestry
                    .into_iter()
                    .flat_map(|class| &class.properties)
                    .filter(|property| !matches!(property.ty, PropertyType::MulticastDelegate(_)))
                    .map(|property| {
                        PinSpec::output(
                            property.name.clone(),
                            PinType::of_property(&property.ty, cx.engine()),
                        )
                    }),
            );
        }
        Ok(pins)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Get Class Defaults".to_owned()
    }
}

/// `K2Node_GetDataTableRow`.
pub(crate) struct GetDataTableRow;

impl NodeClass for GetDataTableRow {
    fn class(&self) -> &'static str {
        "K2Node_GetDataTableRow"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::new("struct", KeyKind::Struct, "The rows' struct"),
                Key::new(
                    "table",
                    KeyKind::Text,
                    "The path of the table; fills the DataTable pin",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if let Some(path) = keys.path("struct") {
            node.properties.set("+struct", string(path));
        }
        if let Some(path) = keys.text("table") {
            node.properties.set("+table", string(path));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        let row = node
            .pins
            .iter()
            .map(|pin| &cx.graph.pins[*pin])
            .find(|pin| pin.name == "ReturnValue")
            .and_then(|pin| pin.ty.object.clone());
        if let Some(path) = row {
            keys.insert(
                "struct".to_owned(),
                short_name(&path, &cx.registry.find_struct(path.name())).into(),
            );
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut table = PinSpec::input(
            "DataTable",
            PinType::with_object(PinCategory::Object, "/Script/Engine.DataTable".into()),
        );
        table.default.object = node.properties.text("+table").map(ObjectPath::new);
        let row = node.properties.text("+struct").map(ObjectPath::new);
        let row = row.or_else(|| {
            node.pins
                .iter()
                .map(|pin| &cx.graph.pins[*pin])
                .find(|pin| pin.name == "ReturnValue")
                .and_then(|pin| pin.ty.object.clone())
        });
        let result = match row {
            Some(path) => PinType::with_object(PinCategory::Struct, path),
            None => PinType::of(PinCategory::Wildcard),
        };
        Ok(vec![
            PinSpec::exec_in("execute"),
            PinSpec {
                friendly_name: Some(
                    "NSLOCTEXT(\"K2Node\", \"GetDataTableRow Row Found Exec pin\", \"Row Found\")"
                        .to_owned(),
                ),
                ..PinSpec::exec_out("then")
            },
            PinSpec::exec_out("RowNotFound"),
            table,
            PinSpec::input("RowName", PinType::of(PinCategory::Name)).value("None"),
            PinSpec::output("ReturnValue", result),
        ])
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Get Data Table Row".to_owned()
    }
}

const SUBSYSTEM: &[Key] = &[Key::required("of", KeyKind::Class, "The subsystem's class")];

fn subsystem_class(node: &Node) -> Result<ObjectPath, NodeError> {
    node.properties
        .object("CustomClass")
        .ok_or_else(NodeError::reported)
}

macro_rules! subsystem_node {
    ($(#[$doc:meta])* $name:ident $class:literal $package:expr, $inputs:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl NodeClass for $name {
            fn class(&self) -> &'static str {
                $class
            }
            fn package(&self) -> Option<&'static str> {
                $package
            }
            fn keys(&self) -> &'static [Key] {
                SUBSYSTEM
            }
            fn set(
                &self,
                keys: &Keys,
                node: &mut Node,
                _cx: &PinContext<'_>,
            ) -> Result<(), NodeError> {
                let class = keys.need_path("of")?;
                node.properties
                    .set("CustomClass", object(Kind::Class, class));
                Ok(())
            }
            fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
                let mut keys = Map::new();
                if let Some(class) = node.properties.object("CustomClass") {
                    keys.insert("of".to_owned(), cx.class_text(&class).into());
                }
                keys
            }
            fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
                let result = PinSpec::output(
                    "ReturnValue",
                    PinType::with_object(PinCategory::Object, subsystem_class(node)?),
                );
                let inputs: Vec<PinSpec> = $inputs;
                Ok(inputs.into_iter().chain([result]).collect())
            }
            fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
                match node.properties.object("CustomClass") {
                    Some(class) => format!("Get {}", class.name()),
                    None => "Get Subsystem".to_owned(),
                }
            }
        }
    };
}

subsystem_node!(
    /// `K2Node_GetSubsystem`.
    GetSubsystem "K2Node_GetSubsystem" None, Vec::new()
);
subsystem_node!(
    /// `K2Node_GetEngineSubsystem`.
    GetEngineSubsystem "K2Node_GetEngineSubsystem" None, Vec::new()
);
subsystem_node!(
    /// `K2Node_GetEditorSubsystem`.
    GetEditorSubsystem "K2Node_GetEditorSubsystem" None, Vec::new()
);
subsystem_node!(
    /// `K2Node_GetSubsystemFromPC`.
    GetSubsystemFromPc "K2Node_GetSubsystemFromPC" None, vec![PinSpec::input(
        "PlayerController",
        PinType::with_object(PinCategory::Object, "/Script/Engine.PlayerController".into()),
    )]
);

/// `EdGraphNode_Comment`: a box with a text.
pub(crate) struct Comment;

impl NodeClass for Comment {
    fn class(&self) -> &'static str {
        "EdGraphNode_Comment"
    }
    fn package(&self) -> Option<&'static str> {
        Some("/Script/UnrealEd")
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::new("text", KeyKind::Text, "The comment"),
                Key::new("size", KeyKind::Size, "Width and height"),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if let Some(text) = keys.text("text") {
            node.comment = Some(text.to_owned());
        }
        if let Some((super::KeyValue::Size(width, height), _)) = keys.0.get("size") {
            node.properties.set("NodeWidth", number(width));
            node.properties.set("NodeHeight", number(height));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(text) = &node.comment {
            keys.insert("text".to_owned(), text.as_str().into());
        }
        if let (Some(width), Some(height)) = (
            node.properties.int("NodeWidth"),
            node.properties.int("NodeHeight"),
        ) {
            keys.insert("size".to_owned(), vec![width, height].into());
        }
        keys
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(Vec::new())
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.comment.clone().unwrap_or_else(|| "Comment".to_owned())
    }
}
