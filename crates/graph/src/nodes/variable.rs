//! Reading and writing variables.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each function takes the few kinds it knows and leaves the rest"
)]

use bp_diag::Code;
use bp_reflect::{EngineVersion, Name, ObjectPath, PropertyFlags};
use serde_json::{Map, Value};

use super::context::did_you_mean;
use super::spec::{Kind, object, pin_type_of_value, pin_type_value, word};
use super::{
    Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, display_name, wildcard,
};
use crate::json::type_text;
use crate::{Graph, MemberReference, Node, PinCategory, PinFlags, PinType, PropertyValue};

const VARIABLE: Key = Key::required("variable", KeyKind::Text, "The variable's name");
const OF: Key = Key::new(
    "of",
    KeyKind::Class,
    "The class that has it, when that is not self",
);
const LOCAL: Key = Key::new("local", KeyKind::Bool, "Whether it is a local variable");

fn set_variable(keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
    let name = Name::new(keys.need("variable")?);
    if keys.flag("local") == Some(true) {
        let Some(local) = cx.function.locals.iter().find(|local| local.name == name) else {
            let reference = MemberReference {
                scope: Some(cx.function.name.clone()),
                name: name.clone(),
                ..MemberReference::default()
            };
            node.properties
                .set("VariableReference", reference.to_value());
            let names = cx.function.locals.iter().map(|local| local.name.as_str());
            return Err(NodeError::new(
                Code::LocalNotFound,
                format!("the function has no local variable `{name}`"),
            )
            .key("variable")
            .hint(did_you_mean(name.as_str(), names)));
        };
        let reference = MemberReference {
            scope: Some(cx.function.name.clone()),
            guid: local.guid,
            name: local.name.clone(),
            ..MemberReference::default()
        };
        node.properties
            .set("VariableReference", reference.to_value());
        return Ok(());
    }
    let reference = match keys.path("of") {
        Some(class) if class != cx.class() => {
            node.properties.set(
                "SelfContextInfo",
                PropertyValue::Word("NotSelfContext".to_owned()),
            );
            MemberReference::of(class.clone(), name.clone())
        }
        Some(class) => MemberReference::of(class.clone(), name.clone()),
        None => MemberReference::on_self(name.clone()),
    };
    let found = cx.property_of(&reference);
    let guid = cx
        .blueprint
        .variables
        .iter()
        .find(|variable| variable.name == name)
        .filter(|_| reference.parent.is_none())
        .map(|variable| variable.guid);
    let reference = MemberReference {
        guid: guid.unwrap_or_default(),
        ..reference
    };
    node.properties
        .set("VariableReference", reference.to_value());
    // A variable whose type could not be read has been reported.
    if found.is_none() && guid.is_none() {
        let class = reference.parent.as_ref().unwrap_or(cx.class());
        // Of classes that are not declared, or not to the last property, the pins tell.
        if cx.registry.class(class).is_some() {
            return Err(not_found(&reference, cx));
        }
    }
    Ok(())
}

fn not_found(reference: &MemberReference, cx: &PinContext<'_>) -> NodeError {
    let class = reference.parent.as_ref().unwrap_or(cx.class());
    let names: Vec<&str> = cx
        .registry
        .ancestry(class)
        .flat_map(|class| &class.properties)
        .map(|property| property.name.as_str())
        .collect();
    let is_local = cx
        .function
        .locals
        .iter()
        .any(|local| local.name == reference.name);
    let hint = if is_local {
        Some("it is a local variable: add `\"local\": true`".to_owned())
    } else {
        did_you_mean(reference.name.as_str(), names)
    };
    NodeError::new(
        Code::VarNotFound,
        format!(
            "{} has no variable `{}`",
            PinContext::class_name(class),
            reference.name
        ),
    )
    .key("variable")
    .hint(hint)
}

fn variable_keys(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    if let Some(reference) = node.properties.member("VariableReference") {
        keys.insert("variable".to_owned(), reference.name.as_str().into());
        if let Some(parent) = &reference.parent {
            keys.insert("of".to_owned(), cx.class_text(parent).into());
        }
        if reference.scope.is_some() {
            keys.insert("local".to_owned(), true.into());
        }
    }
    keys
}

struct Found {
    reference: MemberReference,
    ty: PinType,
    /// The class shown on the `self` pin; none for locals.
    owner: Option<ObjectPath>,
}

fn find(node: &Node, cx: &PinContext<'_>) -> Result<Found, NodeError> {
    let reference = node.properties.member("VariableReference").ok_or_else(|| {
        NodeError::new(Code::NodeProperty, "the node does not name its variable").key("variable")
    })?;
    if reference.scope.is_some() {
        let local = cx
            .function
            .locals
            .iter()
            .find(|local| local.name == reference.name)
            .ok_or_else(|| {
                NodeError::new(
                    Code::LocalNotFound,
                    format!("the function has no local variable `{}`", reference.name),
                )
                .key("variable")
            })?;
        return Ok(Found {
            ty: local.ty.clone(),
            owner: None,
            reference,
        });
    }
    // The variable's own pin type keeps what a property type does not.
    let own = cx
        .blueprint
        .variables
        .iter()
        .find(|variable| variable.name == reference.name)
        .filter(|_| {
            reference
                .parent
                .as_ref()
                .is_none_or(|parent| parent == cx.class())
        });
    if let Some(variable) = own {
        return Ok(Found {
            ty: variable.ty.clone(),
            owner: Some(cx.class().clone()),
            reference,
        });
    }
    match cx.property_of(&reference) {
        Some((class, property)) => Ok(Found {
            ty: PinType {
                is_uobject_wrapper: property.flags.contains(PropertyFlags::UOBJECT_WRAPPER),
                ..PinType::of_property(&property.ty, cx.engine())
            },
            owner: Some(class.path.clone()),
            reference,
        }),
        None => Err(not_found(&reference, cx)),
    }
}

/// The `self` pin of a variable node.
fn target(found: &Found, _cx: &PinContext<'_>) -> Option<PinSpec> {
    let owner = found.owner.as_ref()?;
    let is_self = found.reference.parent.is_none();
    let class = found.reference.parent.as_ref().unwrap_or(owner);
    let spec = PinSpec::target(PinType::with_object(PinCategory::Object, class.clone()));
    Some(spec.with_if(is_self, PinFlags::HIDDEN))
}

fn value_pin(spec: PinSpec) -> PinSpec {
    spec.auto()
}

/// `K2Node_VariableGet`.
pub(crate) struct VariableGet;

impl VariableGet {
    fn is_validated(node: &Node) -> bool {
        node.properties.flag("bIsPureGet") == Some(false)
            || node
                .properties
                .text("CurrentVariation")
                .is_some_and(|variation| {
                    let word = variation.rsplit("::").next().unwrap_or(variation);
                    !word.eq_ignore_ascii_case("Pure")
                })
    }
}

impl NodeClass for VariableGet {
    fn class(&self) -> &'static str {
        "K2Node_VariableGet"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                VARIABLE,
                OF,
                LOCAL,
                Key::new(
                    "validated",
                    KeyKind::Bool,
                    "Whether it has exec pins for valid and not valid",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        if keys.flag("validated") == Some(true) {
            if cx.engine() >= EngineVersion::new(5, 4) {
                node.properties.set(
                    "CurrentVariation",
                    PropertyValue::Word("ValidatedObject".to_owned()),
                );
            } else {
                node.properties.set("bIsPureGet", word(false));
            }
        }
        set_variable(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = variable_keys(node, cx);
        if Self::is_validated(node) {
            keys.insert("validated".to_owned(), true.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let found = find(node, cx)?;
        let mut pins = Vec::new();
        if Self::is_validated(node) {
            pins.push(PinSpec::exec_in("execute"));
            pins.push(PinSpec::exec_out("then").friendly("Valid", "Is Valid"));
            pins.push(PinSpec::exec_out("else").friendly("Invalid", "Is Not Valid"));
        }
        pins.push(value_pin(PinSpec::output(
            found.reference.name.clone(),
            found.ty.clone(),
        )));
        pins.extend(target(&found, cx));
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        format!("Get {}", variable_name(node))
    }
    fn is_title_of_properties(&self) -> bool {
        true
    }
}

fn variable_name(node: &Node) -> String {
    node.properties
        .member("VariableReference")
        .map(|reference| display_name(reference.name.as_str(), true))
        .unwrap_or_default()
}

/// `K2Node_VariableSet`.
pub(crate) struct VariableSet;

impl NodeClass for VariableSet {
    fn class(&self) -> &'static str {
        "K2Node_VariableSet"
    }
    fn keys(&self) -> &'static [Key] {
        const { &[VARIABLE, OF, LOCAL] }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_variable(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        variable_keys(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let found = find(node, cx)?;
        let mut pins = PinSpec::exec_pair();
        let spec = value_pin(PinSpec::input(
            found.reference.name.clone(),
            found.ty.clone(),
        ));
        pins.push(super::call::first_entry(spec, cx));
        pins.push(value_pin(PinSpec::output("Output_Get", found.ty.clone())));
        pins.extend(target(&found, cx));
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        format!("Set {}", variable_name(node))
    }
    fn is_title_of_properties(&self) -> bool {
        true
    }
}

/// `K2Node_VariableSetRef`: writes through a reference.
pub(crate) struct VariableSetRef;

impl NodeClass for VariableSetRef {
    fn class(&self) -> &'static str {
        "K2Node_VariableSetRef"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = PinSpec::exec_pair();
        let wild = PinType::of(PinCategory::Wildcard);
        pins.push(PinSpec::input(
            "Target",
            PinType {
                is_reference: true,
                ..wild.clone()
            },
        ));
        pins.push(PinSpec::input("Value", wild));
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::whole(node, graph, &["Target", "Value"])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Set By-Ref Var".to_owned()
    }
}

/// `K2Node_TemporaryVariable`: a local variable of a macro.
pub(crate) struct TemporaryVariable;

impl NodeClass for TemporaryVariable {
    fn class(&self) -> &'static str {
        "K2Node_TemporaryVariable"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("type", KeyKind::Type, "Its type"),
                Key::new("name", KeyKind::Text, "Its name, part of the compiled name"),
                Key::new(
                    "persistent",
                    KeyKind::Bool,
                    "Whether it keeps its value between runs",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        let ty = keys.ty("type").ok_or_else(NodeError::reported)?;
        node.properties.set("VariableType", pin_type_value(ty));
        if let Some(name) = keys.text("name") {
            // The name of the variable is the comment of the node.
            node.comment = Some(name.to_owned());
        }
        if keys.flag("persistent") == Some(true) {
            node.properties.set("bIsPersistent", word(true));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(ty) = node
            .properties
            .get("VariableType")
            .and_then(pin_type_of_value)
        {
            keys.insert("type".to_owned(), type_text(&ty, cx.registry).into());
        }
        if let Some(name) = &node.comment {
            keys.insert("name".to_owned(), name.as_str().into());
        }
        if node.properties.flag("bIsPersistent") == Some(true) {
            keys.insert("persistent".to_owned(), true.into());
        }
        keys
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let ty = node
            .properties
            .get("VariableType")
            .and_then(pin_type_of_value)
            .ok_or_else(NodeError::reported)?;
        Ok(vec![PinSpec::output("Variable", ty)])
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        match &node.comment {
            Some(name) => format!("Local {name}"),
            None => "Local Variable".to_owned(),
        }
    }
}

fn assignment_pins(is_pure: bool) -> Vec<PinSpec> {
    let mut pins = if is_pure {
        Vec::new()
    } else {
        PinSpec::exec_pair()
    };
    let wild = PinType::of(PinCategory::Wildcard);
    pins.push(PinSpec::input("Variable", wild.clone()));
    pins.push(PinSpec::input("Value", wild));
    pins
}

/// `K2Node_AssignmentStatement`: writes a local variable of a macro.
pub(crate) struct AssignmentStatement;

impl NodeClass for AssignmentStatement {
    fn class(&self) -> &'static str {
        "K2Node_AssignmentStatement"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(assignment_pins(false))
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::whole(node, graph, &["Variable", "Value"])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Assign".to_owned()
    }
}

/// `K2Node_PureAssignmentStatement`.
pub(crate) struct PureAssignmentStatement;

impl NodeClass for PureAssignmentStatement {
    fn class(&self) -> &'static str {
        "K2Node_PureAssignmentStatement"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = assignment_pins(true);
        pins.push(PinSpec::output(
            "Output",
            PinType::of(PinCategory::Wildcard),
        ));
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        let names = &["Variable", "Value", "Output"];
        vec![wildcard::whole(node, graph, names)]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Assign".to_owned()
    }
}

/// `K2Node_Self`.
pub(crate) struct SelfNode;

impl NodeClass for SelfNode {
    fn class(&self) -> &'static str {
        "K2Node_Self"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(vec![PinSpec::output(
            "self",
            PinType {
                sub_category: "self".to_owned(),
                ..PinType::of(PinCategory::Object)
            },
        )])
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Self-Reference".to_owned()
    }
}

/// `K2Node_Literal`: an actor of the level, or another object.
pub(crate) struct Literal;

impl NodeClass for Literal {
    fn class(&self) -> &'static str {
        "K2Node_Literal"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("value", KeyKind::Text, "The object's path"),
                Key::new("of", KeyKind::Class, "The object's class"),
                Key::new(
                    "name",
                    KeyKind::Text,
                    "The pin's name, when it is not the object's",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        let path = ObjectPath::new(keys.need("value")?);
        let mut value = object(Kind::Object, &path);
        if let (PropertyValue::Object(reference), Some(class)) = (&mut value, keys.path("of")) {
            reference.class = Some(class.to_string());
        }
        node.properties.set("ObjectRef", value);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(path) = node.properties.object("ObjectRef") {
            keys.insert("value".to_owned(), path.as_str().into());
        }
        if let Some(class) = literal_class(node) {
            keys.insert("of".to_owned(), cx.class_text(&class).into());
        }
        keys
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let path = node
            .properties
            .object("ObjectRef")
            .ok_or_else(NodeError::reported)?;
        let class = literal_class(node).unwrap_or_else(|| super::super::types::OBJECT.into());
        Ok(vec![PinSpec::output(
            path.name(),
            PinType::with_object(PinCategory::Object, class),
        )])
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.properties
            .object("ObjectRef")
            .map_or_else(|| "Literal".to_owned(), |path| path.name().to_owned())
    }
}

fn literal_class(node: &Node) -> Option<ObjectPath> {
    match node.properties.get("ObjectRef")? {
        PropertyValue::Object(reference) => reference
            .class
            .as_deref()
            .filter(|class| class.contains('.') && *class != super::super::types::OBJECT)
            .map(ObjectPath::new),
        _ => None,
    }
}
