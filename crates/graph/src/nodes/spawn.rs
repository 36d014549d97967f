//! Making actors, widgets, components and other objects.

use bp_reflect::{EngineVersion, ObjectPath, Property};
use serde_json::{Map, Value};

use super::call::first_entry;
use super::spec::is_exposed;
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec};
use crate::types::OBJECT;
use crate::{Direction, Node, PinCategory, PinFlags, PinType};

const KEYS: &[Key] = &[Key::new(
    "of",
    KeyKind::Class,
    "The class, for its exposed variables; fills the Class pin",
)];

/// The class to make is on the Class pin; kept for [`NodeClass::pins`] until there is one.
const CLASS: &str = "+class";

fn set(keys: &Keys, node: &mut Node) {
    if let Some(class) = keys.path("of") {
        node.properties.set(CLASS, super::spec::string(class));
    }
}

/// The class a node makes, as far as its Class pin tells.
pub(crate) fn made_class(node: &Node, cx: &PinContext<'_>) -> Option<ObjectPath> {
    if let Some(class) = node.properties.text(CLASS) {
        return Some(ObjectPath::new(class));
    }
    let pin = node
        .pins
        .iter()
        .map(|pin| &cx.graph.pins[*pin])
        .find(|pin| pin.direction == Direction::Input && pin.name == "Class")?;
    match pin.links.first() {
        None => pin.default.object.clone(),
        Some(other) => {
            let ty = &cx.graph.pins[*other].ty;
            (ty.category == PinCategory::Class)
                .then(|| ty.object.clone())
                .flatten()
        }
    }
}

fn keys_of(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    if let Some(class) = made_class(node, cx) {
        keys.insert("of".to_owned(), cx.class_text(&class).into());
    }
    keys
}

fn object(class: &str) -> PinType {
    PinType::with_object(PinCategory::Object, ObjectPath::new(class))
}

/// The Class pin and the result.
fn class_and_result(node: &Node, cx: &PinContext<'_>, base: &str) -> Vec<PinSpec> {
    let made = made_class(node, cx);
    let linked = node
        .pins
        .iter()
        .map(|pin| &cx.graph.pins[*pin])
        .any(|pin| pin.name == "Class" && !pin.links.is_empty());
    let class = PinSpec::input(
        "Class",
        PinType::with_object(PinCategory::Class, ObjectPath::new(base)),
    );
    let result = PinType::with_object(
        PinCategory::Object,
        made.clone().unwrap_or_else(|| ObjectPath::new(base)),
    );
    vec![
        match made {
            Some(made) if !linked => class.object(made),
            _ => class,
        },
        PinSpec::output("ReturnValue", result),
    ]
}

/// The variables of a class that can be set when it is made, its own before its parents'.
///
/// Source: 10 spawn nodes of packages, whose `Instigator` of `Actor` comes last.
pub(crate) fn exposed<'a>(class: &ObjectPath, cx: &PinContext<'a>) -> Vec<&'a Property> {
    cx.registry
        .ancestry(class)
        .flat_map(|class| &class.properties)
        .filter(|property| is_exposed(property))
        .collect()
}

pub(crate) fn exposed_pins(
    class: Option<&ObjectPath>,
    cx: &PinContext<'_>,
    taken: &[PinSpec],
) -> Vec<PinSpec> {
    let Some(class) = class else {
        return Vec::new();
    };
    exposed(class, cx)
        .into_iter()
        .filter(|property| !taken.iter().any(|pin| pin.name == property.name))
        .map(|property| {
            let spec = PinSpec::input(
                property.name.clone(),
                PinType::of_property(&property.ty, cx.engine()),
            );
            match &property.default {
                Some(text) => spec.starting_as(text),
                None => first_entry(spec.auto(), cx),
            }
        })
        .collect()
}

/// `K2Node_SpawnActorFromClass`.
pub(crate) struct SpawnActorFromClass;

impl NodeClass for SpawnActorFromClass {
    fn class(&self) -> &'static str {
        "K2Node_SpawnActorFromClass"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = PinSpec::exec_pair();
        pins.extend(class_and_result(node, cx, "/Script/Engine.Actor"));
        pins.push(PinSpec::input(
            "SpawnTransform",
            PinType::with_object(PinCategory::Struct, "/Script/CoreUObject.Transform".into()),
        ));
        pins.push(
            PinSpec::input(
                "CollisionHandlingOverride",
                PinType::with_object(
                    PinCategory::Byte,
                    "/Script/Engine.ESpawnActorCollisionHandlingMethod".into(),
                ),
            )
            .value("Undefined"),
        );
        if cx.engine() >= EngineVersion::new(5, 1) {
            pins.push(
                PinSpec::input(
                    "TransformScaleMethod",
                    PinType::with_object(
                        PinCategory::Byte,
                        "/Script/Engine.ESpawnActorScaleMethod".into(),
                    ),
                )
                .value("SelectDefaultAtRuntime")
                .with(PinFlags::ADVANCED),
            );
        }
        pins.push(PinSpec::input("Owner", object("/Script/Engine.Actor")).with(PinFlags::ADVANCED));
        let made = made_class(node, cx);
        let is_actor = made.is_some();
        let mut more = exposed_pins(made.as_ref(), cx, &pins);
        // `Actor.Instigator` is exposed in C++; declarations do not say so.
        if is_actor && !more.iter().any(|pin| pin.name == "Instigator") {
            let mut pin = PinSpec::input("Instigator", object("/Script/Engine.Pawn"));
            "None".clone_into(&mut pin.default.autogenerated);
            more.push(pin);
        }
        pins.extend(more);
        Ok(pins)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        match made_class(node, cx) {
            Some(class) => format!("SpawnActor {}", super::spec::class_display(&class)),
            None => "SpawnActor from Class".to_owned(),
        }
    }
}

/// `K2Node_CreateWidget`.
pub(crate) struct CreateWidget;

impl NodeClass for CreateWidget {
    fn class(&self) -> &'static str {
        "K2Node_CreateWidget"
    }
    fn package(&self) -> Option<&'static str> {
        Some("/Script/UMGEditor")
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = PinSpec::exec_pair();
        pins.extend(class_and_result(node, cx, "/Script/UMG.UserWidget"));
        pins.push(PinSpec::input(
            "OwningPlayer",
            object("/Script/Engine.PlayerController"),
        ));
        pins.extend(exposed_pins(made_class(node, cx).as_ref(), cx, &pins));
        Ok(pins)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        match made_class(node, cx) {
            Some(class) => format!("Create {} Widget", super::spec::class_display(&class)),
            None => "Create Widget".to_owned(),
        }
    }
}

/// `K2Node_GenericCreateObject`.
pub(crate) struct GenericCreateObject;

impl NodeClass for GenericCreateObject {
    fn class(&self) -> &'static str {
        "K2Node_GenericCreateObject"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = PinSpec::exec_pair();
        pins.extend(class_and_result(node, cx, OBJECT));
        pins.push(PinSpec {
            friendly_name: Some("NSLOCTEXT(\"K2Node_ConstructObjectFromClass\", \"ConstructObjectFromClassOuter\", \"Outer\")".to_owned()),
            ..PinSpec::input("Outer", object(OBJECT))
        });
        // Source: packages of 4.25 to 4.27 (`Outer`) and 5.3 (`self`); the version between is assumed.
        if cx.engine() >= EngineVersion::new(5, 0)
            && let Some(outer) = pins.last_mut()
        {
            outer.name = "self".into();
        }
        pins.extend(exposed_pins(made_class(node, cx).as_ref(), cx, &pins));
        Ok(pins)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        match made_class(node, cx) {
            Some(class) => format!("Construct {}", super::spec::class_display(&class)),
            None => "Construct Object from Class".to_owned(),
        }
    }
}

/// `K2Node_AddComponentByClass`.
pub(crate) struct AddComponentByClass;

impl NodeClass for AddComponentByClass {
    fn class(&self) -> &'static str {
        "K2Node_AddComponentByClass"
    }
    fn keys(&self) -> &'static [Key] {
        KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set(keys, node);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        keys_of(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = vec![
            PinSpec::exec_in("execute"),
            PinSpec::target(object("/Script/Engine.Actor")),
            PinSpec::exec_out("then"),
        ];
        pins.extend(class_and_result(node, cx, "/Script/Engine.ActorComponent"));
        let is_scene = made_class(node, cx).is_none_or(|class| {
            cx.registry
                .is_child_of(&class, &"/Script/Engine.SceneComponent".into())
                || cx.registry.class(&class).is_none()
        });
        let hidden = PinFlags::HIDDEN;
        pins.push(
            PinSpec::input("bManualAttachment", PinType::of(PinCategory::Bool))
                .value("false")
                .with_if(!is_scene, hidden),
        );
        pins.push(
            PinSpec::input(
                "RelativeTransform",
                PinType::with_object(PinCategory::Struct, "/Script/CoreUObject.Transform".into()),
            )
            .with_if(!is_scene, hidden),
        );
        pins.extend(exposed_pins(made_class(node, cx).as_ref(), cx, &pins));
        Ok(pins)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        match made_class(node, cx) {
            Some(class) => format!("Add {}", super::spec::class_display(&class)),
            None => "Add Component by Class".to_owned(),
        }
    }
}
