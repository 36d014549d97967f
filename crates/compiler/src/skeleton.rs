//! The class a Blueprint makes: signatures with their locals, members, defaults, templates.

use bp_bytecode::{
    CompiledClass, ComponentTemplate, DelegateBinding, TimelineTemplate, TimelineTrack, TrackKind,
};
use bp_graph::{Blueprint, Graph, PropertyValue, Timeline, TimelineTrackKind};
use bp_reflect::{
    Class, ClassKind, EngineVersion, Function, FunctionFlags, Name, ObjectPath, Property,
    PropertyFlags, PropertyType, Registry, Value,
};

use crate::context::Context;
use crate::expand::ExpandedFunction;
use crate::expanded::Op;

/// `ExecuteUbergraph_<Blueprint>(EntryPoint)`.
///
/// Source: 259 ubergraphs; in 4.16 the function has neither flag.
pub(crate) fn ubergraph_signature(cx: &Context<'_>) -> Function {
    let is_old = cx.engine < EngineVersion::new(4, 18);
    let flags = if is_old {
        FunctionFlags::empty()
    } else {
        FunctionFlags::FINAL | FunctionFlags::UBERGRAPH
    };
    let mut function = Function::new(format!("ExecuteUbergraph_{}", cx.blueprint.name), flags);
    function.params.push(Property::new(
        "EntryPoint",
        PropertyType::Int,
        PropertyFlags::PARM | PropertyFlags::BLUEPRINT_VISIBLE | PropertyFlags::BLUEPRINT_READ_ONLY,
    ));
    function
}

/// A function graph's signature with its local variables.
///
/// Local variables stand in reverse order of declaration: 14 of 14 real functions that have several.
pub(crate) fn function_signature(cx: &Context<'_>, graph: &Graph) -> Function {
    let mut function = cx
        .class
        .functions
        .get(&graph.name)
        .cloned()
        .unwrap_or_else(|| {
            Function::new(
                graph.name.clone(),
                graph.flags | FunctionFlags::BLUEPRINT_EVENT,
            )
        });
    function.locals = graph
        .locals
        .iter()
        .rev()
        .filter_map(|local| {
            let ty = local.ty.to_property(cx.registry, cx.engine)?;
            Some(Property::new(
                local.name.clone(),
                ty,
                PropertyFlags::EDIT | PropertyFlags::BLUEPRINT_VISIBLE,
            ))
        })
        .collect();
    function
}

/// Whether a construction script does nothing, so that no function is made of it: its entry leads nowhere, or
/// only to the parent's.
///
/// Source: such graphs make no function in 93 of 94 real Blueprints; the other one is the only one of 4.16,
/// and the next version seen is 4.22. Where between the two the rule began is assumed.
pub(crate) fn is_trivial_construction(cx: &Context<'_>, expanded: &ExpandedFunction<'_>) -> bool {
    if cx.engine < EngineVersion::new(4, 17) {
        return false;
    }
    let graph = &expanded.graph;
    let Some(next) = graph
        .then(expanded.entry)
        .and_then(|then| graph.target(then))
    else {
        return true;
    };
    let is_parent_call = matches!(
        graph.node(next).op,
        Op::Call {
            is_parent: true,
            ..
        }
    );
    let ends = graph
        .then(next)
        .is_none_or(|then| graph.pins[then].links.is_empty());
    is_parent_call && ends
}

/// `FUNC_HasDefaults`: whether a local cannot be made by zeroing its memory.
///
/// Source: no exception among more than 120 functions with exactly one such type, except rotators.
pub(crate) fn set_local_flags(function: &mut Function) {
    let is_plain_struct = |name: &str| {
        [
            "Vector",
            "Vector2D",
            "Vector4",
            "Rotator",
            "LinearColor",
            "Color",
            "Guid",
            "IntPoint",
            "IntVector",
        ]
        .contains(&name)
    };
    let needs_construction = |property: &Property| {
        let ty = &property.ty;
        ty.is_container()
            || *ty == PropertyType::Text
            || matches!(ty, PropertyType::Struct(path) if !is_plain_struct(path.name()))
    };
    let has_defaults = function.locals.iter().any(needs_construction);
    function
        .flags
        .set(FunctionFlags::HAS_DEFAULTS, has_defaults);
}

/// The class with everything but its scripts. `functions` are its compiled functions in order.
pub(crate) fn compiled_class(
    blueprint: &Blueprint,
    registry: &Registry,
    functions: Vec<Function>,
) -> CompiledClass {
    let outline = registry.class(&blueprint.class_path);
    let mut class = outline.cloned().unwrap_or_else(|| {
        Class::new(
            blueprint.class_path.clone(),
            Some(blueprint.parent.clone()),
            ClassKind::Blueprint,
        )
    });
    let ubergraph = functions
        .iter()
        .map(|function| &function.name)
        .find(|name| name.as_str().starts_with("ExecuteUbergraph_"))
        .cloned();
    if ubergraph.is_some() {
        class.properties.push(Property::new(
            "UberGraphFrame",
            PropertyType::Struct(ObjectPath::new("/Script/Engine.PointerToUberGraphFrame")),
            PropertyFlags::TRANSIENT | PropertyFlags::DUPLICATE_TRANSIENT,
        ));
    }
    class.functions = functions
        .into_iter()
        .map(|function| (function.name.clone(), function))
        .collect();
    CompiledClass {
        defaults: defaults(blueprint, &class, registry),
        components: blueprint
            .components
            .iter()
            .map(|component| ComponentTemplate {
                name: component.name.clone(),
                class: component.class.clone(),
                parent: component.parent.clone(),
            })
            .collect(),
        timelines: blueprint
            .timelines
            .iter()
            .map(|timeline| timeline_template(timeline, &class))
            .collect(),
        bindings: bindings(blueprint),
        ubergraph,
        functions: Vec::new(),
        class,
    }
}

/// A timeline with the functions that its node made; one without a node drives its variables only.
fn timeline_template(timeline: &Timeline, class: &Class) -> TimelineTemplate {
    let made = |name: Name| class.functions.contains_key(&name).then_some(name);
    let tracks = timeline.tracks.iter().filter_map(|track| {
        let (kind, target) = match track.kind {
            TimelineTrackKind::Float => (TrackKind::Float, None),
            TimelineTrackKind::Vector => (TrackKind::Vector, None),
            TimelineTrackKind::LinearColor => (TrackKind::LinearColor, None),
            TimelineTrackKind::Event => {
                // Nothing is linked to a track without a function.
                let function = timeline.event_function(track.name.as_str());
                (TrackKind::Event, Some(made(function)?))
            }
        };
        Some(TimelineTrack {
            target: target.unwrap_or_else(|| timeline.member(track.name.as_str())),
            kind,
            keys: track.keys.clone(),
        })
    });
    TimelineTemplate {
        name: timeline.name.clone(),
        length: timeline.length,
        auto_play: timeline.auto_play,
        looping: timeline.looping,
        update: made(timeline.update_function()),
        finished: made(timeline.finished_function()),
        direction: timeline.member("_Direction"),
        tracks: tracks.collect(),
    }
}

/// Values of the class default object: of own variables, then of inherited ones that the class changes. A
/// default that cannot be read was reported when it was read in; of those that belong to native code, many
/// are of members that nothing declares.
fn defaults(blueprint: &Blueprint, class: &Class, registry: &Registry) -> Vec<(Name, Value)> {
    let own = blueprint.variables.iter().filter_map(|variable| {
        let text = variable.default.as_ref().filter(|text| !text.is_empty())?;
        let property = class.property(&variable.name)?;
        let value = Value::parse(text, &property.ty, registry).ok()?;
        Some((variable.name.clone(), value))
    });
    let inherited = blueprint
        .class_defaults
        .0
        .iter()
        .filter_map(|(name, value)| {
            let name = Name::new(name);
            let (owner, property) = registry.find_property(&blueprint.parent, &name)?;
            // What a native member does is native code's business; a variable is read by scripts.
            if owner.kind != ClassKind::Blueprint {
                return None;
            }
            let value = Value::parse(&default_text(value, false), &property.ty, registry).ok()?;
            Some((property.name.clone(), value))
        });
    own.chain(inherited).collect()
}

/// The engine's text form of a property; strings inside of others are quoted.
fn default_text(value: &PropertyValue, is_inside: bool) -> String {
    let list = |parts: Vec<String>| format!("({})", parts.join(","));
    match value {
        PropertyValue::String(text) if is_inside => format!("{text:?}"),
        PropertyValue::Word(text) | PropertyValue::String(text) | PropertyValue::Text(text) => {
            text.clone()
        }
        PropertyValue::Object(object) => object.path.to_string(),
        PropertyValue::Array(items) => {
            list(items.iter().map(|item| default_text(item, true)).collect())
        }
        PropertyValue::Tuple(members) => list(
            members
                .iter()
                .map(|(key, value)| {
                    let value = default_text(value, true);
                    if key.is_empty() {
                        value
                    } else {
                        format!("{key}={value}")
                    }
                })
                .collect(),
        ),
    }
}

fn bindings(blueprint: &Blueprint) -> Vec<DelegateBinding> {
    let mut out = Vec::new();
    for graph in &blueprint.graphs {
        for (_, node) in graph.nodes.iter() {
            if node.class != "K2Node_ComponentBoundEvent" {
                continue;
            }
            let text = |key: &str| node.properties.text(key).map(Name::new);
            if let (Some(component), Some(delegate), Some(function)) = (
                text("ComponentPropertyName"),
                text("DelegatePropertyName"),
                text("CustomFunctionName"),
            ) {
                out.push(DelegateBinding {
                    component,
                    delegate,
                    function,
                });
            }
        }
    }
    out
}
