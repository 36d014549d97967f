//! Events.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each function takes the few kinds it knows and leaves the rest"
)]

use bp_diag::Code;
use bp_reflect::{Class, Function, Name, ObjectPath, Property, PropertyType};
use serde_json::{Map, Value};

use super::boundary::user_pins;
use super::context::did_you_mean;
use super::spec::{Kind, number, object, string, word};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, display_name};
use crate::{Direction, MemberReference, Node, PinCategory, PinType};

/// The delegate output of an event node.
pub(crate) fn output_delegate(signature: MemberReference) -> PinSpec {
    PinSpec::output(
        "OutputDelegate",
        PinType {
            signature: Some(Box::new(signature)),
            ..PinType::of(PinCategory::Delegate)
        },
    )
}

/// The outputs an event node has for the parameters of its signature.
pub(crate) fn event_params(function: &Function, cx: &PinContext<'_>) -> Vec<PinSpec> {
    function
        .params
        .iter()
        .filter(|param| !param.is_return())
        .map(|param: &Property| {
            PinSpec::output(param.name.clone(), PinType::of_param(param, cx.engine())).auto()
        })
        .collect()
}

/// The overridable event of that name: of the parent, or of an interface of the Blueprint.
pub(crate) fn find_event<'a>(
    name: &Name,
    cx: &PinContext<'a>,
) -> Option<(&'a Class, &'a Function)> {
    let parent = cx.blueprint.parent.clone();
    let interfaces = cx.blueprint.interfaces.clone();
    std::iter::once(&parent)
        .chain(&interfaces)
        .find_map(|class| {
            cx.registry
                .find_function(class, name)
                .or_else(|| cx.registry.find_interface_function(class, name))
        })
        .map(|(class, function)| {
            // The reference names the class that declared the event first.
            cx.registry
                .ancestry(&class.path)
                .filter_map(|class| class.functions.get(name).map(|found| (class, found)))
                .last()
                .unwrap_or((class, function))
        })
}

/// `K2Node_Event`: an event of the parent or of an interface.
pub(crate) struct Event;

impl NodeClass for Event {
    fn class(&self) -> &'static str {
        "K2Node_Event"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::required(
                "event",
                KeyKind::Text,
                "An event of the parent or of an interface, such as `ReceiveBeginPlay`",
            )]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let text = keys.need("event")?;
        node.properties.set("bOverrideFunction", word(true));
        if let Some((head, name)) = text.rsplit_once([':', '.']) {
            let class =
                super::resolve_class(head, cx.registry).map_err(|error| error.key("event"))?;
            node.properties.set(
                "EventReference",
                MemberReference::of(class, name).to_value(),
            );
            return Ok(());
        }
        let name = Name::new(text);
        let receive = Name::new(format!("Receive{name}"));
        if let Some((class, function)) = find_event(&name, cx) {
            let reference = MemberReference::of(class.path.clone(), function.name.clone());
            node.properties.set("EventReference", reference.to_value());
            Ok(())
        } else {
            let reference = MemberReference {
                name: name.clone(),
                ..MemberReference::default()
            };
            node.properties.set("EventReference", reference.to_value());
            if cx.registry.class(&cx.blueprint.parent).is_none() {
                return Err(NodeError::reported());
            }
            let names: Vec<&str> = cx
                .blueprint
                .interfaces
                .iter()
                .chain([&cx.blueprint.parent])
                .flat_map(|class| cx.registry.ancestry(class))
                .flat_map(|class| class.functions.values())
                .filter(|function| function.can_be_event())
                .map(|function| function.name.as_str())
                .collect();
            let hint = if find_event(&receive, cx).is_some() {
                Some(format!("the engine calls it `{receive}`"))
            } else {
                did_you_mean(text, names)
            };
            Err(NodeError::new(
                Code::EventOutOfDate,
                format!(
                    "neither {} nor an interface has an event `{name}`",
                    PinContext::class_name(&cx.blueprint.parent)
                ),
            )
            .key("event")
            .hint(hint))
        }
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(reference) = node.properties.member("EventReference") {
            let text = match (&reference.parent, find_event(&reference.name, cx)) {
                (Some(parent), Some((class, _))) if class.path == *parent => {
                    reference.name.to_string()
                }
                (Some(parent), _) => format!("{}.{}", cx.class_text(parent), reference.name),
                (None, _) => reference.name.to_string(),
            };
            keys.insert("event".to_owned(), text.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let reference = node.properties.member("EventReference").ok_or_else(|| {
            NodeError::new(
                Code::NodeProperty,
                "the node does not say which event it is",
            )
            .key("event")
        })?;
        let (_, function) = cx.function_of(&reference).ok_or_else(|| {
            NodeError::new(
                Code::EventOutOfDate,
                format!("no class declares the event `{}`", reference.name),
            )
            .key("event")
        })?;
        let signature = MemberReference {
            is_self: false,
            ..reference
        };
        let mut pins = vec![output_delegate(signature), PinSpec::exec_out("then")];
        pins.extend(event_params(function, cx));
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        match node.properties.member("EventReference") {
            Some(reference) => {
                let name = reference.name.as_str();
                let name = name.strip_prefix("Receive").unwrap_or(name);
                // Titles keep a few engine spellings together.
                format!(
                    "Event {}",
                    display_name(name, false).replace("Begin Play", "BeginPlay")
                )
            }
            None => "Event".to_owned(),
        }
    }
}

/// `K2Node_CustomEvent`.
pub(crate) struct CustomEvent;

/// The replication flags a custom event can have, by word: `FUNC_*` bits.
pub(crate) const EVENT_FLAGS: &[(&str, u32)] = &[
    ("net_server", 0x20_0000 | 0x40),
    ("net_client", 0x100_0000 | 0x40),
    ("net_multicast", 0x4000 | 0x40),
    ("reliable", 0x80),
    ("authority_only", 0x4),
    ("cosmetic", 0x8),
    ("exec", 0x200),
];

impl NodeClass for CustomEvent {
    fn class(&self) -> &'static str {
        "K2Node_CustomEvent"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("name", KeyKind::Text, "The event's name"),
                Key::new("params", KeyKind::Params, "Its parameters"),
                Key::new(
                    "flags",
                    KeyKind::Names,
                    "net_server, net_client, net_multicast, reliable, authority_only, cosmetic, exec, call_in_editor",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        node.properties
            .set("CustomFunctionName", string(keys.need("name")?));
        let mut bits = 0;
        for flag in keys.names("flags").unwrap_or_default() {
            if flag == "call_in_editor" {
                node.properties.set("bCallInEditor", word(true));
                continue;
            }
            if let Some((_, flag)) = EVENT_FLAGS.iter().find(|(name, _)| name == flag) {
                bits |= flag;
            } else {
                let known = EVENT_FLAGS.iter().map(|(name, _)| *name);
                return Err(NodeError::new(
                    Code::BadValue,
                    format!("`{flag}` is not a flag of a custom event"),
                )
                .key("flags")
                .hint(did_you_mean(flag, known.chain(["call_in_editor"]))));
            }
        }
        if bits != 0 {
            node.properties.set("FunctionFlags", number(bits));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(name) = node.properties.text("CustomFunctionName") {
            keys.insert("name".to_owned(), name.into());
        }
        let bits = node.properties.int("FunctionFlags").unwrap_or(0) as u32;
        let mut flags: Vec<Value> = EVENT_FLAGS
            .iter()
            .filter(|(_, flag)| bits & flag == *flag)
            .map(|(name, _)| (*name).into())
            .collect();
        if node.properties.flag("bCallInEditor") == Some(true) {
            flags.push("call_in_editor".into());
        }
        if !flags.is_empty() {
            keys.insert("flags".to_owned(), flags.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let name = node
            .properties
            .text("CustomFunctionName")
            .ok_or_else(NodeError::reported)?;
        // The delegate is known by the node's own id.
        let signature = MemberReference {
            guid: node.guid,
            ..MemberReference::of(cx.class().clone(), name)
        };
        let mut pins = vec![output_delegate(signature), PinSpec::exec_out("then")];
        pins.extend(user_pins(node, cx, Direction::Output));
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        display_name(
            node.properties
                .text("CustomFunctionName")
                .unwrap_or("Custom Event"),
            false,
        )
    }
}

/// The delegate variable of a class, its signature and the reference to the latter.
pub(crate) fn delegate_signature<'a>(
    class: &ObjectPath,
    name: &Name,
    cx: &PinContext<'a>,
) -> Option<(&'a Function, ObjectPath)> {
    let (_, property) = cx.registry.find_property(class, name)?;
    let path = match &property.ty {
        PropertyType::MulticastDelegate(path) | PropertyType::Delegate(path) => path.clone()?,
        _ => return None,
    };
    cx.registry
        .signature(&path)
        .map(|signature| (signature, path))
}

/// `K2Node_ComponentBoundEvent`: a dispatcher of a component.
pub(crate) struct ComponentBoundEvent;

impl NodeClass for ComponentBoundEvent {
    fn class(&self) -> &'static str {
        "K2Node_ComponentBoundEvent"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("component", KeyKind::Text, "The component's variable"),
                Key::required("delegate", KeyKind::Text, "The component's dispatcher"),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let component = Name::new(keys.need("component")?);
        let delegate = Name::new(keys.need("delegate")?);
        let Some((_, variable)) = cx.registry.find_property(cx.class(), &component) else {
            let names: Vec<&str> = cx
                .blueprint
                .components
                .iter()
                .map(|component| component.name.as_str())
                .collect();
            return Err(NodeError::new(
                Code::VarNotFound,
                format!("the Blueprint has no component `{component}`"),
            )
            .key("component")
            .hint(did_you_mean(component.as_str(), names)));
        };
        let PropertyType::Object(class) = &variable.ty else {
            return Err(
                NodeError::new(Code::VarType, format!("`{component}` is not a component"))
                    .key("component"),
            );
        };
        bind(
            node,
            class,
            &delegate,
            &format!("{}_{component}", cx.blueprint.name),
            cx,
        )?;
        node.properties
            .set("ComponentPropertyName", string(&component));
        Ok(())
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        for (key, property) in [
            ("component", "ComponentPropertyName"),
            ("delegate", "DelegatePropertyName"),
        ] {
            if let Some(text) = node.properties.text(property) {
                keys.insert(key.to_owned(), text.into());
            }
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        bound_pins(node, cx)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        format!(
            "{} ({})",
            display_name(
                node.properties
                    .text("DelegatePropertyName")
                    .unwrap_or("Event"),
                false
            ),
            node.properties
                .text("ComponentPropertyName")
                .unwrap_or_default()
        )
    }
}

/// Makes a node the event of a class's dispatcher. `owner` is what the stub is called after.
fn bind(
    node: &mut Node,
    class: &ObjectPath,
    delegate: &Name,
    owner: &str,
    cx: &PinContext<'_>,
) -> Result<(), NodeError> {
    let Some((_, path)) = delegate_signature(class, delegate, cx) else {
        let names: Vec<&str> = super::delegate::delegate_names(class, cx);
        return Err(NodeError::new(
            Code::DispatcherNotFound,
            format!(
                "{} has no event dispatcher `{delegate}`",
                PinContext::class_name(class)
            ),
        )
        .key("delegate")
        .hint(did_you_mean(delegate.as_str(), names)));
    };
    let declaring = cx
        .registry
        .find_property(class, delegate)
        .map_or(class, |(class, _)| &class.path);
    let reference = super::super::types::reference_of_signature(&path);
    let properties = &mut node.properties;
    properties.set("DelegatePropertyName", string(delegate));
    properties.set("DelegateOwnerClass", object(Kind::Class, declaring));
    let parent = reference.parent.clone();
    let mut value = reference.to_value();
    if let (crate::PropertyValue::Tuple(members), Some(parent)) = (&mut value, parent)
        && !parent.as_str().contains('.')
    {
        members[0].1 = object(Kind::Package, &parent);
    }
    properties.set("EventReference", value);
    properties.set("bInternalEvent", word(true));
    let stub = format!("BndEvt__{owner}_{}_{}", node.name, path.name());
    node.properties.set("CustomFunctionName", string(stub));
    Ok(())
}

/// The pins of an event bound to a dispatcher.
fn bound_pins(node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
    let reference = node
        .properties
        .member("EventReference")
        .ok_or_else(NodeError::reported)?;
    let stub = node
        .properties
        .text("CustomFunctionName")
        .unwrap_or_default();
    let path = super::super::types::signature_path(&reference);
    let function = path
        .as_ref()
        .and_then(|path| cx.registry.signature(path))
        .ok_or_else(|| {
            NodeError::new(
                Code::DispatcherNotFound,
                format!("the signature `{}` is not declared", reference.name),
            )
            .key("delegate")
        })?;
    let mut pins = vec![
        output_delegate(MemberReference::of(cx.class().clone(), stub)),
        PinSpec::exec_out("then"),
    ];
    pins.extend(event_params(function, cx));
    Ok(pins)
}

/// `K2Node_ActorBoundEvent`: a dispatcher of an actor of the level. How its stub is named is assumed: no
/// instance was met.
pub(crate) struct ActorBoundEvent;

impl NodeClass for ActorBoundEvent {
    fn class(&self) -> &'static str {
        "K2Node_ActorBoundEvent"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("actor", KeyKind::Text, "The path of the level's actor"),
                Key::required("delegate", KeyKind::Text, "The actor's dispatcher"),
                Key::new("of", KeyKind::Class, "The actor's class; Actor if left out"),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let actor = ObjectPath::new(keys.need("actor")?);
        let delegate = Name::new(keys.need("delegate")?);
        let class = keys
            .path("of")
            .cloned()
            .unwrap_or_else(|| "/Script/Engine.Actor".into());
        bind(node, &class, &delegate, actor.name(), cx)?;
        let mut owner = object(Kind::Object, &actor);
        if let crate::PropertyValue::Object(reference) = &mut owner {
            reference.class = Some(class.to_string());
        }
        node.properties.set("EventOwner", owner);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(crate::PropertyValue::Object(owner)) = node.properties.get("EventOwner") {
            keys.insert("actor".to_owned(), owner.path.as_str().into());
            if let Some(class) = owner.class.as_deref().map(ObjectPath::new)
                && class.name() != "Actor"
            {
                keys.insert("of".to_owned(), cx.class_text(&class).into());
            }
        }
        if let Some(text) = node.properties.text("DelegatePropertyName") {
            keys.insert("delegate".to_owned(), text.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        bound_pins(node, cx)
    }
}
