//! The shape of a Blueprint in JSON: the one list of keys, from which come the schema, what the reader accepts
//! and what the writer writes.
//!
//! Nodes have, beside the common keys of [`Node`], those of their class ([`crate::nodes::NodeClass::keys`]).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A Blueprint.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// `blueprint/1`.
    pub format: String,
    /// The name of its class, with or without `_C`.
    pub name: String,
    /// Where its class is: `/Game/Doors/BP_Door.BP_Door_C`; of `/Game` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What sort of Blueprint it is: normal, `function_library`, `macro_library`, interface, `level_script`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The parent class; `None` of a file of structs and enums alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The engine version to compile for; the newest supported if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// A note for readers of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The interfaces it implements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<String>,
    /// Member variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// Members that other designers than the variable list make: widgets of a widget tree, actors that a
    /// level's graphs refer to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub designer_variables: Vec<DesignerVariable>,
    /// Event dispatchers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dispatchers: Vec<Dispatcher>,
    /// Components, parents before children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<Component>,
    /// Inherited components whose properties this class changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub component_overrides: Vec<ComponentOverride>,
    /// Defaults of inherited members that this class changes, by engine name, in the form of a node's properties.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub class_defaults: Map<String, Value>,
    /// Timelines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timelines: Vec<Timeline>,
    /// Structs defined beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structs: Vec<Struct>,
    /// Enums defined beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enums: Vec<Enum>,
    /// Event pages, functions and macros.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub graphs: Vec<Graph>,
}

/// A member or local variable.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type: `bool`, `byte`, `int`, `int64`, `float`, `double`, `name`, `string`, `text`; `object:C`,
    /// `class:C`, `soft_object:C`, `soft_class:C` or `interface:C` of a class; `struct:S`, `enum:E`, `byte:E`;
    /// `delegate:D`; `exec` and `wildcard` of macros; `array<T>`, `set<T>`, `map<K,V>`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its default value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The default in the engine's text form, in place of `default`, where that is no value of the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_default: Option<String>,
    /// `instance_editable`, `expose_on_spawn`, `read_only`, private, transient, `save_game`, replicated,
    /// `rep_notify`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The function called when a replicated value arrives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_rep: Option<String>,
    /// To whom a replicated variable is sent, such as `COND_OwnerOnly`; everyone if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replication: Option<String>,
    /// What the editor notes about it, by engine key: `tooltip`, `ExposeOnSpawn`. What it notes about each new
    /// variable, `{"MultiLine": "true"}`, if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// The heading it is listed under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// What the editor shows in place of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friendly_name: Option<String>,
    /// Identifies it over renames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// All `CPF_*` bits, in place of `flags`, where those do not say all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property_flags: Option<u64>,
}

/// A member of the class that another designer than the variable list makes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DesignerVariable {
    /// Its name.
    pub name: String,
    /// The type of its property, with full paths: `object:/Script/UMG.Button`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its `CPF_*` bits.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub property_flags: u64,
    /// Number of elements of a C array, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dim: Option<u32>,
}

/// A parameter of a function, macro, event or dispatcher.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type: `bool`, `byte`, `int`, `int64`, `float`, `double`, `name`, `string`, `text`; `object:C`,
    /// `class:C`, `soft_object:C`, `soft_class:C` or `interface:C` of a class; `struct:S`, `enum:E`, `byte:E`;
    /// `delegate:D`; `exec` and `wildcard` of macros; `array<T>`, `set<T>`, `map<K,V>`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Passed by reference.
    #[serde(rename = "ref", default, skip_serializing_if = "is_false")]
    pub by_ref: bool,
    /// Cannot be changed.
    #[serde(rename = "const", default, skip_serializing_if = "is_false")]
    pub is_const: bool,
    /// What it is when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The default in the engine's text form, in place of `default`, where that is no value of the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_default: Option<String>,
}

/// An event dispatcher.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dispatcher {
    /// Its name.
    pub name: String,
    /// Its parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// The heading it is listed under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// What the editor shows in place of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friendly_name: Option<String>,
    /// What the editor notes about it, as of a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// Identifies it over renames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
}

/// A component.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// The name of its variable.
    pub name: String,
    /// Its class.
    pub class: String,
    /// The component it is attached to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The ancestor that has the component it is attached to, by the short name of its class, or `native`, when
    /// that is none of this Blueprint's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_owner: Option<String>,
    /// The bone or socket of the parent it is attached to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub socket: Option<String>,
    /// Identifies it over renames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// The engine properties its author set, in the form of a node's.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
}

/// An inherited component with properties of its own in this class.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComponentOverride {
    /// Its variable; of a component that a native class makes, the name of the object.
    pub name: String,
    /// Its class.
    pub class: String,
    /// The engine properties that differ from the parent's, in the form of a node's.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
}

/// A timeline.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timeline {
    /// Its name.
    pub name: String,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Starts again at the end.
    #[serde(rename = "loop", default, skip_serializing_if = "is_false")]
    pub looping: bool,
    /// Starts with the object.
    #[serde(default, skip_serializing_if = "is_false")]
    pub auto_play: bool,
    /// Identifies it over renames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// Curves and events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tracks: Vec<Track>,
}

/// A track of a timeline.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Its name, and that of its pin.
    pub name: String,
    /// float, vector, color or event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `[time, value]`, `[time, x, y, z]`, `[time, r, g, b, a]` or `[time]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<Vec<f64>>,
}

/// A struct.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Struct {
    /// Its name, or its full path.
    pub name: String,
    /// Its members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
}

/// A member of a struct.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type: `bool`, `byte`, `int`, `int64`, `float`, `double`, `name`, `string`, `text`; `object:C`,
    /// `class:C`, `soft_object:C`, `soft_class:C` or `interface:C` of a class; `struct:S`, `enum:E`, `byte:E`;
    /// `delegate:D`; `exec` and `wildcard` of macros; `array<T>`, `set<T>`, `map<K,V>`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its default value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The default in the engine's text form, in place of `default`, where that is no value of the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_default: Option<String>,
}

/// An enum.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enum {
    /// Its name, or its full path.
    pub name: String,
    /// Its entries: names, or objects with `name`, `value` and `display_name`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Value>,
}

/// A graph.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// Its name; of a function or macro, the function's or macro's.
    pub name: String,
    /// event, function, macro, construction, `delegate_signature` or animation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Identifies it over renames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// pure, const, static, final, private, protected, `net_server`, `net_client`, `net_multicast`, reliable,
    /// `authority_only`, cosmetic, `thread_safe`, `call_in_editor`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// `FUNC_*` bits that `flags` has no word for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_flags: Option<u32>,
    /// A note for readers of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A piece of a graph: boundary nodes that are not listed are not there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
    /// The interface it implements a function of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implements: Option<String>,
    /// What a caller gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Param>,
    /// What a caller gets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Param>,
    /// Local variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locals: Vec<Variable>,
    /// Nodes, in the order of the engine's array.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Map<String, Value>>,
    /// `["node.pin", "node.pin"]`, output first. The boundary nodes of a function or macro graph need not be
    /// listed as nodes: `entry.then`, `entry.MyInput`, `result.execute`, `result.MyOutput`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<(String, String)>,
}

/// The keys every node takes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    /// Names the node in links; unique in its graph, without dots.
    pub id: String,
    /// The engine's class, with or without `K2Node_`.
    pub class: String,
    /// Defaults by pin name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub pins: Map<String, Value>,
    /// Position in graph units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<(i32, i32)>,
    /// Identifies it; 32 hex digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// The author's comment on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// `true` takes it out; `"development"` takes it out of shipping builds only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled: Option<Value>,
    /// Struct pins shown as their parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<String>,
    /// Whether it is expanded to show its advanced pins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advanced: Option<bool>,
    /// The id of the function, variable or dispatcher it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member_guid: Option<String>,
    /// Package of the class, when it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_package: Option<String>,
    /// Engine properties that follow from no other key: a word as a string, an array as a list, others as
    /// `{"string"}`, `{"text"}`, `{"object", "class"}` or `{"tuple"}`; null for one that is not there.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
    /// Types of pins that follow from no other key or link.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub types: Map<String, Value>,
    /// All pins in order, when they are not those of the class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raw_pins: Vec<RawPin>,
}

/// A pin of a node whose pins follow from nothing declared.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPin {
    /// Its name.
    pub name: String,
    /// Its type, with `ref`, `const`, `weak`, `wrapper` and `single` behind it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Whether it is on the right.
    #[serde(default, skip_serializing_if = "is_false")]
    pub out: bool,
    /// The default in the engine's text form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The default object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The default text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Value>,
    /// The parameter's own default, when it is not `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto: Option<String>,
    /// hidden, `not_connectable`, `read_only`, ignored, advanced, orphaned, user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The pin it is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The pin of the other side it passes its reference to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// What the editor shows in place of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friendly: Option<String>,
    /// Identifies it over renames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(value: &u64) -> bool {
    *value == 0
}
