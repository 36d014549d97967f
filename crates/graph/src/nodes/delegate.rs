//! Event dispatchers and delegates.

use bp_diag::Code;
use bp_reflect::{Function, Name, ObjectPath, PropertyType};
use serde_json::{Map, Value};

use super::context::did_you_mean;
use super::event::delegate_signature;
use super::spec::string;
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, display_name};
use crate::types::{OBJECT, reference_of_signature};
use crate::{MemberReference, Node, PinCategory, PinType};

const KEYS: &[Key] = &[
    Key::required("delegate", KeyKind::Text, "The event dispatcher"),
    Key::new(
        "of",
        KeyKind::Class,
        "The class that has it, when that is not self",
    ),
];

/// The event dispatchers of a class, for suggestions.
pub(crate) fn delegate_names<'a>(class: &ObjectPath, cx: &PinContext<'a>) -> Vec<&'a str> {
    cx.registry
        .ancestry(class)
        .flat_map(|class| &class.properties)
        .filter(|property| matches!(property.ty, PropertyType::MulticastDelegate(_)))
        .map(|property| property.name.as_str())
        .collect()
}

fn set(keys: &Keys, node: &mut Node) -> Result<(), NodeError> {
    let name = Name::new(keys.need("delegate")?);
    let reference = match keys.path("of") {
        Some(class) => MemberReference::of(class.clone(), name),
        None => MemberReference::on_self(name),
    };
    node.properties
        .set("DelegateReference", reference.to_value());
    Ok(())
}

fn keys_of(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    if let Some(reference) = node.properties.member("DelegateReference") {
        keys.insert("delegate".to_owned(), reference.name.as_str().into());
        if let Some(parent) = &reference.parent {
            keys.insert("of".to_owned(), cx.class_text(parent).into());
        }
    }
    keys
}

struct Found<'a> {
    owner: ObjectPath,
    signature: &'a Function,
    path: ObjectPath,
}

fn find<'a>(node: &Node, cx: &PinContext<'a>) -> Result<Found<'a>, NodeError> {
    let reference = node.properties.member("DelegateReference").ok_or_else(|| {
        NodeError::new(
            Code::NodeProperty,
            "the node does not name its event dispatcher",
        )
        .key("delegate")
    })?;
    let class = reference.parent.as_ref().unwrap_or(cx.class());
    match delegate_signature(class, &reference.name, cx) {
        Some((signature, path)) => {
            let owner = match &reference.parent {
                Some(parent) => parent.clone(),
                None => cx
                    .registry
                    .find_property(class, &reference.name)
                    .map_or_else(|| class.clone(), |(class, _)| class.path.clone()),
            };
            Ok(Found {
                owner,
                signature,
                path,
            })
        }
        None => Err(NodeError::new(
            Code::DispatcherNotFound,
            format!(
                "{} has no event dispatcher `{}`",
                PinContext::class_name(class),
                reference.name
            ),
        )
        .key("delegate")
        .hint(did_you_mean(
            reference.name.as_str(),
            delegate_names(class, cx),
        ))),
    }
}

fn head(found: &Found<'_>) -> Vec<PinSpec> {
    let mut pins = PinSpec::exec_pair();
    pins.push(
        PinSpec::input(
            "self",
            PinType::with_object(PinCategory::Object, found.owner.clone()),
        )
        .friendly("BaseMCDelegateSelfPinName", "Target"),
    );
    pins
}

fn bind_pins(node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
    let found = find(node, cx)?;
    let mut pins = head(&found);
    pins.push(
        PinSpec::input(
            "Delegate",
            PinType {
                signature: Some(Box::new(reference_of_signature(&found.path))),
                is_reference: true,
                is_const: true,
                ..PinType::of(PinCategory::Delegate)
            },
        )
        .friendly("PinFriendlyDelegatetName", "Event"),
    );
    Ok(pins)
}

fn title(verb: &str, node: &Node) -> String {
    let name = node
        .properties
        .member("DelegateReference")
        .map(|reference| display_name(reference.name.as_str(), false))
        .unwrap_or_default();
    format!("{verb} {name}")
}

macro_rules! dispatcher_node {
    ($(#[$doc:meta])* $name:ident $class:literal $title:literal $pins:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl NodeClass for $name {
            fn class(&self) -> &'static str {
                $class
            }
            fn keys(&self) -> &'static [Key] {
                KEYS
            }
            fn set(
                &self,
                keys: &Keys,
                node: &mut Node,
                _cx: &PinContext<'_>,
            ) -> Result<(), NodeError> {
                set(keys, node)
            }
            fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
                keys_of(node, cx)
            }
            fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
                let pins: fn(&Node, &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> = $pins;
                pins(node, cx)
            }
            fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
                title($title, node)
            }
        }
    };
}

dispatcher_node!(
    /// `K2Node_AddDelegate`.
    AddDelegate "K2Node_AddDelegate" "Bind Event to" bind_pins
);
dispatcher_node!(
    /// `K2Node_RemoveDelegate`.
    RemoveDelegate "K2Node_RemoveDelegate" "Unbind Event from" bind_pins
);
dispatcher_node!(
    /// `K2Node_AssignDelegate`: a bind that came with its event.
    AssignDelegate "K2Node_AssignDelegate" "Assign" bind_pins
);
dispatcher_node!(
    /// `K2Node_ClearDelegate`.
    ClearDelegate "K2Node_ClearDelegate" "Unbind all Events from" |node, cx| {
        Ok(head(&find(node, cx)?))
    }
);
dispatcher_node!(
    /// `K2Node_CallDelegate`.
    CallDelegate "K2Node_CallDelegate" "Call" |node, cx| {
        let found = find(node, cx)?;
        let mut pins = head(&found);
        for param in &found.signature.params {
            let ty = PinType::of_param(param, cx.engine());
            pins.push(PinSpec::input(param.name.clone(), ty));
        }
        Ok(pins)
    }
);

/// `K2Node_CreateDelegate`.
pub(crate) struct CreateDelegate;

impl NodeClass for CreateDelegate {
    fn class(&self) -> &'static str {
        "K2Node_CreateDelegate"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::new(
                "function",
                KeyKind::Text,
                "The function or event of the object",
            )]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if let Some(name) = keys.text("function") {
            node.properties.set("SelectedFunctionName", string(name));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(name) = node.properties.text("SelectedFunctionName") {
            keys.insert("function".to_owned(), name.into());
        }
        keys
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(vec![
            PinSpec::input(
                "self",
                PinType::with_object(PinCategory::Object, OBJECT.into()),
            )
            .friendly("CreateDelegate_ObjectInputName", "Object"),
            PinSpec::output("OutputDelegate", PinType::of(PinCategory::Delegate))
                .friendly("CreateDelegate_DelegateOutName", "Event"),
        ])
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Create Event".to_owned()
    }
}
