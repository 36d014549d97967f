//! Making, breaking and changing structs.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds start with nothing"
)]

use bp_diag::Code;
use bp_reflect::{ObjectPath, Property, PropertyFlags};
use serde_json::{Map, Value};

use super::context::{did_you_mean, short_name};
use super::spec::{Kind, object, string, word};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, display_name};
use crate::{Node, PinCategory, PinFlags, PinType, PropertyValue};

const KEYS: &[Key] = &[
    Key::required("struct", KeyKind::Struct, "The struct"),
    Key::new(
        "show",
        KeyKind::Names,
        "The members that have pins, when not all have",
    ),
];

/// From so many members on, those after the second are shown only when the node is expanded.
///
/// Source: `WalletConnectTxEip155` of a clipboard text and structs of packages.
const ADVANCED_FROM: usize = 6;

/// What a node's `ShowPinForProperties` says of a member.
fn show_entry(property: &Property, shown: bool) -> PropertyValue {
    let name = member_title(property);
    PropertyValue::Tuple(vec![
        ("PropertyName".to_owned(), string(&property.name)),
        ("PropertyFriendlyName".to_owned(), string(name)),
        ("bShowPin".to_owned(), word(shown)),
        ("bCanToggleVisibility".to_owned(), word(true)),
    ])
}

/// A member of a user-defined struct has its title before `_<number>_<32 hex digits>`.
fn member_title(property: &Property) -> String {
    let name = property.name.as_str();
    let title = name
        .rsplit_once('_')
        .filter(|(_, guid)| guid.len() == 32 && guid.bytes().all(|b| b.is_ascii_hexdigit()))
        .and_then(|(head, _)| head.rsplit_once('_'))
        .filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()))
        .map(|(title, _)| title.to_owned());
    title.unwrap_or_else(|| {
        display_name(name, matches!(property.ty, bp_reflect::PropertyType::Bool))
    })
}

/// Whether a node can show the member.
fn is_visible(property: &Property) -> bool {
    // Declarations of natives carry few flags: a member is taken as visible unless it says otherwise.
    property.flags.is_empty()
        || property
            .flags
            .intersects(PropertyFlags::BLUEPRINT_VISIBLE | PropertyFlags::EDIT)
        || !property.flags.contains(PropertyFlags::PARM)
}

/// The members of a struct, its parents' first.
pub(crate) fn members<'a>(path: &ObjectPath, cx: &PinContext<'a>) -> Option<Vec<&'a Property>> {
    let structure = cx.registry.structure(path)?;
    let mut all = match &structure.super_struct {
        Some(parent) if parent != path => members(parent, cx).unwrap_or_default(),
        _ => Vec::new(),
    };
    all.extend(structure.members.iter());
    Some(all)
}

fn set(keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
    let path = keys.need_path("struct")?;
    node.properties
        .set("StructType", object(Kind::Struct, path));
    node.properties
        .set("bMadeAfterOverridePinRemoval", word(true));
    let Some(all) = members(path, cx) else {
        return Err(NodeError::new(
            Code::StructInvalid,
            format!("the members of {} are not declared", path.name()),
        )
        .key("struct"));
    };
    if let Some(show) = keys.names("show") {
        for name in show {
            if find(&all, name).is_none() {
                return Err(NodeError::new(
                    Code::StructInvalid,
                    format!("{} has no member `{name}`", path.name()),
                )
                .key("show")
                .hint(did_you_mean(
                    name,
                    all.iter().map(|member| member.name.as_str()),
                )));
            }
        }
        let entries = all
            .iter()
            .filter(|member| is_visible(member))
            .map(|member| {
                let shown = show.iter().any(|name| find(&[*member], name).is_some());
                show_entry(member, shown)
            })
            .collect();
        node.properties
            .set("ShowPinForProperties", PropertyValue::Array(entries));
    }
    Ok(())
}

/// A member by its name or its title.
fn find<'a>(all: &[&'a Property], name: &str) -> Option<&'a Property> {
    all.iter()
        .find(|member| member.name == *name)
        .or_else(|| {
            all.iter()
                .find(|member| member_title(member).eq_ignore_ascii_case(name))
        })
        .copied()
}

fn keys_of(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    if let Some(path) = node.properties.object("StructType") {
        keys.insert(
            "struct".to_owned(),
            short_name(&path, &cx.registry.find_struct(path.name())).into(),
        );
    }
    if let Some(shown) = shown(node) {
        keys.insert("show".to_owned(), shown.into());
    }
    keys
}

/// The members a node lists as shown, if it lists any.
fn shown(node: &Node) -> Option<Vec<String>> {
    let entries = node.properties.get("ShowPinForProperties")?.elements();
    Some(
        entries
            .iter()
            .filter(|entry| entry.get("bShowPin").and_then(PropertyValue::as_bool) == Some(true))
            .filter_map(|entry| entry.get("PropertyName")?.as_str().map(str::to_owned))
            .collect(),
    )
}

/// The pins of a struct's members.
fn member_pins(
    node: &Node,
    path: &ObjectPath,
    cx: &PinContext<'_>,
    make: impl Fn(&Property, PinType) -> PinSpec,
) -> Result<Vec<PinSpec>, NodeError> {
    let all = members(path, cx).ok_or_else(|| {
        NodeError::new(
            Code::StructInvalid,
            format!("the members of {} are not declared", path.name()),
        )
        .key("struct")
    })?;
    let shown = shown(node);
    let listed: Vec<&Property> = all
        .into_iter()
        .filter(|member| {
            is_visible(member)
                && shown
                    .as_ref()
                    .is_none_or(|shown| shown.iter().any(|name| member.name == name.as_str()))
        })
        .collect();
    let is_long = listed.len() >= ADVANCED_FROM;
    Ok(listed
        .iter()
        .enumerate()
        .map(|(idx, member)| {
            let ty = PinType {
                is_reference: false,
                is_const: false,
                ..PinType::of_param(member, cx.engine())
            };
            make(member, ty).with_if(is_long && idx > 1, PinFlags::ADVANCED)
        })
        .collect())
}

fn path_of(node: &Node) -> Result<ObjectPath, NodeError> {
    node.properties
        .object("StructType")
        .ok_or_else(NodeError::reported)
}

fn struct_type(path: &ObjectPath) -> PinType {
    PinType::with_object(PinCategory::Struct, path.clone())
}

fn input_member(member: &Property, ty: PinType, cx: &PinContext<'_>) -> PinSpec {
    let ignored = ty.is_container();
    let spec = PinSpec::input(member.name.clone(), ty).with_if(ignored, PinFlags::DEFAULT_IGNORED);
    member_default(spec, member, cx)
}

/// A member's pin starts with the member's default, as the engine exports it: what is not declared is zero.
pub(crate) fn member_default(spec: PinSpec, member: &Property, cx: &PinContext<'_>) -> PinSpec {
    if let Some(text) = &member.default {
        return spec.starting_as(text);
    }
    if spec.ty.is_container() {
        return spec;
    }
    match spec.ty.category {
        PinCategory::Bool => spec.starting("False"),
        PinCategory::Int | PinCategory::Int64 => spec.starting("0"),
        PinCategory::Byte if spec.ty.object.is_none() => spec.starting("0"),
        PinCategory::Byte => {
            let mut spec = super::call::first_entry(spec, cx);
            spec.default.autogenerated.clone_from(&spec.default.value);
            spec
        }
        PinCategory::Real | PinCategory::Float | PinCategory::Double => spec.starting("0.000000"),
        PinCategory::Name => spec.starting("None"),
        PinCategory::Struct => match spec.ty.object.as_ref().map(ObjectPath::name) {
            Some("Vector" | "Rotator") => spec.starting("0.000000,0.000000,0.000000"),
            Some("LinearColor") => spec.starting("(R=0.000000,G=0.000000,B=0.000000,A=0.000000)"),
            _ => spec,
        },
        _ => spec,
    }
}

/// `K2Node_MakeStruct`.
pub(crate) struct MakeStruct;

impl NodeClass for MakeStruct {
    fn class(&self) -> &'static str {
        "K2Node_MakeStruct"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let path = path_of(node)?;
        let mut pins = vec![PinSpec::output(path.name(), struct_type(&path))];
        pins.extend(member_pins(node, &path, cx, |member, ty| {
            input_member(member, ty, cx)
        })?);
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        title("Make", node)
    }
}

/// `K2Node_BreakStruct`.
pub(crate) struct BreakStruct;

impl NodeClass for BreakStruct {
    fn class(&self) -> &'static str {
        "K2Node_BreakStruct"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let path = path_of(node)?;
        let mut pins = vec![PinSpec::input(
            path.name(),
            PinType {
                is_reference: true,
                is_const: true,
                ..struct_type(&path)
            },
        )];
        pins.extend(member_pins(node, &path, cx, |member, ty| {
            PinSpec::output(member.name.clone(), ty)
        })?);
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        title("Break", node)
    }
}

/// `K2Node_SetFieldsInStruct`.
pub(crate) struct SetFieldsInStruct;

impl NodeClass for SetFieldsInStruct {
    fn class(&self) -> &'static str {
        "K2Node_SetFieldsInStruct"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let path = path_of(node)?;
        let by_ref = PinType {
            is_reference: true,
            ..struct_type(&path)
        };
        let mut pins = PinSpec::exec_pair();
        pins.push(PinSpec {
            pass_through: Some("StructOut".into()),
            ..PinSpec::input("StructRef", by_ref.clone())
        });
        pins.push(PinSpec {
            pass_through: Some("StructRef".into()),
            ..PinSpec::output("StructOut", by_ref)
        });
        // Nothing is shown until it is asked for.
        if shown(node).is_some() {
            pins.extend(member_pins(node, &path, cx, |member, ty| {
                input_member(member, ty, cx)
            })?);
        }
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        title("Set members in", node)
    }
}

fn title(verb: &str, node: &Node) -> String {
    node.properties
        .object("StructType")
        .map_or_else(|| verb.to_owned(), |path| format!("{verb} {}", path.name()))
}
