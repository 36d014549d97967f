//! Nodes that start something and go on later.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each function takes the few kinds it knows and leaves the rest"
)]

use bp_diag::Code;
use bp_reflect::{ObjectPath, Property, PropertyType};
use serde_json::{Map, Value};

use super::call::{find_function, param_pin};
use super::event::delegate_signature;
use super::spec::{Kind, object, string};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, display_name};
use crate::types::OBJECT;
use crate::{Node, PinCategory, PinFlags, PinType};

const KEYS: &[Key] = &[
    Key::required(
        "factory",
        KeyKind::Text,
        "`Class.Function` that makes the task",
    ),
    Key::new(
        "task",
        KeyKind::Class,
        "The class of the task, when the factory does not tell",
    ),
];

fn set(keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
    let text = keys.need("factory")?;
    let reference = find_function(text, None, cx).map_err(|error| error.key("factory"))?;
    let factory = reference
        .parent
        .clone()
        .unwrap_or_else(|| cx.class().clone());
    let proxy = keys.path("task").cloned().or_else(|| {
        cx.function_of(&reference)
            .and_then(|(_, function)| function.return_param())
            .and_then(|param| match &param.ty {
                PropertyType::Object(class) => Some(class.clone()),
                _ => None,
            })
    });
    node.properties
        .set("ProxyFactoryFunctionName", string(&reference.name));
    node.properties
        .set("ProxyFactoryClass", object(Kind::Class, &factory));
    node.properties.set(
        "ProxyClass",
        object(Kind::Class, proxy.as_ref().unwrap_or(&factory)),
    );
    Ok(())
}

fn keys_of(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    let factory = node.properties.object("ProxyFactoryClass");
    if let (Some(class), Some(name)) = (&factory, node.properties.text("ProxyFactoryFunctionName"))
    {
        keys.insert(
            "factory".to_owned(),
            format!("{}.{name}", cx.class_text(class)).into(),
        );
    }
    if let Some(class) = node.properties.object("ProxyClass")
        && Some(&class) != factory.as_ref()
    {
        keys.insert("task".to_owned(), cx.class_text(&class).into());
    }
    keys
}

fn pins(node: &Node, cx: &PinContext<'_>, spawns: bool) -> Result<Vec<PinSpec>, NodeError> {
    let properties = &node.properties;
    let name = properties
        .text("ProxyFactoryFunctionName")
        .ok_or_else(NodeError::reported)?;
    let factory = properties
        .object("ProxyFactoryClass")
        .ok_or_else(NodeError::reported)?;
    let proxy = properties
        .object("ProxyClass")
        .unwrap_or_else(|| factory.clone());
    let (_, function) = cx
        .registry
        .find_function(&factory, &name.into())
        .ok_or_else(|| {
            NodeError::new(
                Code::FuncNotFound,
                format!("{} has no function `{name}`", factory.name()),
            )
            .key("factory")
        })?;
    let mut pins = PinSpec::exec_pair();
    let dispatchers: Vec<&Property> = cx
        .registry
        .ancestry(&proxy)
        .flat_map(|class| &class.properties)
        .filter(|property| matches!(property.ty, PropertyType::MulticastDelegate(_)))
        .collect();
    if cx.registry.class(&proxy).is_none() || dispatchers.is_empty() {
        return Err(NodeError::new(
            Code::DispatcherNotFound,
            format!("the events of {} are not declared", proxy.name()),
        )
        .key("factory"));
    }
    let shows_task = spawns
        || cx
            .registry
            .ancestry(&proxy)
            .any(|class| class.path.name() == "BlueprintAsyncActionBase");
    if shows_task {
        pins.push(PinSpec {
            friendly_name: Some("INVTEXT(\"AsyncTask\")".to_owned()),
            ..PinSpec::output(
                "AsyncTaskProxy",
                PinType::with_object(PinCategory::Object, proxy.clone()),
            )
        });
    }
    for dispatcher in &dispatchers {
        pins.push(PinSpec {
            friendly_name: Some(format!(
                "NSLOCTEXT(\"UObjectDisplayNames\", \"{}:{}\", \"{}\")",
                proxy.name(),
                dispatcher.name,
                display_name(dispatcher.name.as_str(), false)
            )),
            ..PinSpec::exec_out(dispatcher.name.clone())
        });
    }
    for dispatcher in &dispatchers {
        if let Some((signature, _)) = delegate_signature(&proxy, &dispatcher.name, cx) {
            for param in &signature.params {
                if !pins.iter().any(|pin| pin.name == param.name) {
                    pins.push(PinSpec::output(
                        param.name.clone(),
                        PinType::of_param(param, cx.engine()),
                    ));
                }
            }
        }
    }
    for param in function.arguments() {
        let is_owner = function.meta.default_to_self.contains(&param.name);
        pins.push(param_pin(param, function, cx).with_if(is_owner && spawns, PinFlags::HIDDEN));
    }
    if spawns {
        pins.extend(super::spawn::exposed_pins(Some(&proxy), cx, &pins));
    }
    Ok(pins)
}

fn title(node: &Node) -> String {
    display_name(
        node.properties
            .text("ProxyFactoryFunctionName")
            .unwrap_or("Async Action"),
        false,
    )
}

/// `K2Node_AsyncAction`.
pub(crate) struct AsyncAction;

impl NodeClass for AsyncAction {
    fn class(&self) -> &'static str {
        "K2Node_AsyncAction"
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
        pins(node, cx, false)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        title(node)
    }
}

/// `K2Node_LatentAbilityCall`.
pub(crate) struct LatentAbilityCall;

impl NodeClass for LatentAbilityCall {
    fn class(&self) -> &'static str {
        "K2Node_LatentAbilityCall"
    }
    fn package(&self) -> Option<&'static str> {
        Some("/Script/GameplayAbilitiesEditor")
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
        pins(node, cx, true)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        title(node)
    }
}

/// Classes that only differ from another in their name and module. Assumed: no instance was met.
macro_rules! task_node {
    ($(#[$doc:meta])* $name:ident $class:literal $package:literal, $spawns:literal) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl NodeClass for $name {
            fn class(&self) -> &'static str {
                $class
            }
            fn package(&self) -> Option<&'static str> {
                Some($package)
            }
            fn keys(&self) -> &'static [Key] {
                KEYS
            }
            fn set(
                &self,
                keys: &Keys,
                node: &mut Node,
                cx: &PinContext<'_>,
            ) -> Result<(), NodeError> {
                set(keys, node, cx)
            }
            fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
                keys_of(node, cx)
            }
            fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
                pins(node, cx, $spawns)
            }
            fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
                title(node)
            }
        }
    };
}

task_node!(
    /// `K2Node_LatentGameplayTaskCall`.
    LatentGameplayTaskCall "K2Node_LatentGameplayTaskCall" "/Script/GameplayTasksEditor", true
);
task_node!(
    /// `K2Node_LatentOnlineCall`.
    LatentOnlineCall "K2Node_LatentOnlineCall" "/Script/OnlineBlueprintSupport", false
);

fn load_pins(asset: &str, soft: PinCategory, result: &str, category: PinCategory) -> Vec<PinSpec> {
    let object = || ObjectPath::new(OBJECT);
    vec![
        PinSpec::exec_in("execute"),
        PinSpec::exec_out("then"),
        PinSpec::exec_out("Completed"),
        PinSpec::input(asset, PinType::with_object(soft, object())),
        PinSpec::output(result, PinType::with_object(category, object())),
    ]
}

/// `K2Node_LoadAsset`.
pub(crate) struct LoadAsset;

impl NodeClass for LoadAsset {
    fn class(&self) -> &'static str {
        "K2Node_LoadAsset"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(load_pins(
            "Asset",
            PinCategory::SoftObject,
            "Object",
            PinCategory::Object,
        ))
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Async Load Asset".to_owned()
    }
}

/// `K2Node_LoadAssetClass`.
pub(crate) struct LoadAssetClass;

impl NodeClass for LoadAssetClass {
    fn class(&self) -> &'static str {
        "K2Node_LoadAssetClass"
    }
    fn pins(&self, _node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        Ok(load_pins(
            "AssetClass",
            PinCategory::SoftClass,
            "Class",
            PinCategory::Class,
        ))
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Async Load Class Asset".to_owned()
    }
}
