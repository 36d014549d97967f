//! What a Blueprint has beside its graphs: variables, dispatchers, components and timelines.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use bp_diag::{Code, Diagnostic, Diagnostics, Place, Span};
use bp_reflect::{Name, Property, PropertyFlags, PropertyType, Registry};

use indexmap::IndexMap;

use super::definitions::asset_path;
use super::fields::Fields;
use super::flags::{VARIABLE_FLAGS, usual_friendly_name, variable_base};
use super::graph::read_graph;
use super::property;
use super::read::{Unit, choice, class_of, report, report_value};
use super::schema;
use super::tree::{Kind, Tree};
use super::type_text::{TypeScope, parse_type};
use super::value::Defaults;
use crate::blueprint::usual_metadata;
use crate::nodes::nearest;
use crate::{
    Blueprint, BlueprintKind, Component, ComponentOverride, Direction, Dispatcher, Guid, Pin,
    PinCategory, PinFlags, PinType, Properties, Timeline, TimelineTrack, TimelineTrackKind,
    Variable,
};

/// A type named by a key.
pub(crate) fn type_of(
    fields: &Fields<'_>,
    key: &str,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Option<PinType> {
    let (text, span) = fields.text(key, out)?;
    let scope = TypeScope {
        registry,
        engine: blueprint.engine,
        class: &blueprint.class_path,
    };
    match parse_type(text, scope) {
        Ok(ty) => Some(ty),
        Err(error) => {
            report(error, Some(span), fields.place.clone(), out);
            None
        }
    }
}

/// The engine's text of a default.
pub(crate) fn default_text(
    tree: &Tree,
    ty: &PinType,
    blueprint: &Blueprint,
    registry: &Registry,
    place: &Place,
    out: &mut Diagnostics,
) -> Option<String> {
    let defaults = Defaults {
        registry,
        engine: blueprint.engine,
    };
    match defaults.text(tree, ty) {
        Ok(text) => Some(text).filter(|text| !text.is_empty()),
        Err(failure) => {
            report_value(*failure, place.clone(), out);
            None
        }
    }
}

/// Variables, dispatchers, components, timelines and the graphs without their pins.
pub(crate) fn members(
    unit: &mut Unit<'_>,
    blueprint: &mut Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) {
    let fields = unit.fields.clone();
    let variables = fields.list("variables", out);
    if blueprint.kind == BlueprintKind::FunctionLibrary && !variables.is_empty() {
        out.push(
            Diagnostic::new(
                Code::VarInLib,
                "a function library cannot have member variables",
            )
            .at(fields.tree("variables").map(|tree| tree.span))
            .place(fields.place.clone())
            .hint("use local variables or parameters"),
        );
    }
    for item in variables {
        if let Some(variable) = variable(item, false, &fields, blueprint, registry, out) {
            blueprint.variables.push(variable);
        }
    }
    for item in fields.list("dispatchers", out) {
        let Some(found) = Fields::open(
            item,
            "a dispatcher",
            schema::dispatcher_keys(),
            fields.place.clone(),
            out,
        ) else {
            continue;
        };
        let Some((name, _)) = found.name("name", out) else {
            continue;
        };
        let params = params(
            found.list("params", out),
            &found.place,
            blueprint,
            registry,
            out,
        );
        let params = params.into_iter().map(|pin| Variable {
            default: Some(pin.default.value.clone()).filter(|text| !text.is_empty()),
            span: pin.span,
            ..Variable::new(pin.name, pin.ty)
        });
        let ty = PinType::of(PinCategory::MulticastDelegate);
        let category = found.text("category", out);
        blueprint.dispatchers.push(Dispatcher {
            guid: guid(&found, out).unwrap_or_default(),
            category: category.map(|(text, _)| text.to_owned()),
            friendly_name: friendly_name(&found, name, &ty, out),
            metadata: metadata(&found, out),
            span: Some(item.span),
            ..Dispatcher::new(name, params.collect())
        });
    }
    for item in fields.list("components", out) {
        let Some(found) = Fields::open(
            item,
            "a component",
            schema::component_keys(),
            fields.place.clone(),
            out,
        ) else {
            continue;
        };
        let Some((name, _)) = found.name("name", out) else {
            continue;
        };
        let class = found
            .text("class", out)
            .and_then(|class| class_of(class, &fields.place, registry, out));
        let parent = found.text("parent", out);
        let parent_owner = found.text("parent_owner", out);
        // Of a class that is not declared, and of native components, only the package knows the names.
        if let (Some((parent, span)), None) = (parent, parent_owner)
            && !blueprint
                .components
                .iter()
                .any(|other| other.name == *parent)
            && registry
                .find_property(&blueprint.parent, &Name::new(parent))
                .is_none()
        {
            let names = blueprint.components.iter().map(|other| other.name.as_str());
            let mut diagnostic = Diagnostic::new(
                Code::BadValue,
                format!("there is no component `{parent}` before this one"),
            )
            .at(span)
            .place(fields.place.clone());
            diagnostic.hint = nearest(parent, names).map(|name| format!("did you mean `{name}`?"));
            out.push(diagnostic);
        }
        let mut properties = Properties::default();
        property::read_all(&found, "properties", &mut properties, out);
        blueprint.components.push(Component {
            name: Name::new(name),
            socket: found.text("socket", out).map(|(text, _)| Name::new(text)),
            guid: guid(&found, out).unwrap_or_default(),
            properties,
            class: class.unwrap_or_else(|| "/Script/Engine.SceneComponent".into()),
            parent: parent.map(|(parent, _)| Name::new(parent)),
            parent_owner: parent_owner.map(|(owner, _)| Name::new(owner)),
            span: Some(item.span),
        });
    }
    for item in fields.list("component_overrides", out) {
        let place = fields.place.clone();
        let keys = schema::component_override_keys();
        let Some(found) = Fields::open(item, "an inherited component", keys, place, out) else {
            continue;
        };
        let class = found
            .text("class", out)
            .and_then(|class| class_of(class, &fields.place, registry, out));
        if let (Some((name, _)), Some(class)) = (found.name("name", out), class) {
            let mut properties = Properties::default();
            property::read_all(&found, "properties", &mut properties, out);
            blueprint.component_overrides.push(ComponentOverride {
                name: Name::new(name),
                class,
                properties,
            });
        }
    }
    property::read_all(
        &fields,
        "class_defaults",
        &mut blueprint.class_defaults,
        out,
    );
    for item in fields.list("designer_variables", out) {
        if let Some(property) = designer_variable(item, &fields, out) {
            blueprint.designer_variables.push(property);
        }
    }
    for item in fields.list("timelines", out) {
        if let Some(timeline) = timeline(item, &fields, blueprint, out) {
            blueprint.timelines.push(timeline);
        }
    }
    for item in fields.list("structs", &mut Diagnostics::new()) {
        if let Some(name) = item.get("name").and_then(Tree::as_str)
            && let Some(found) = registry.structure(&asset_path(name))
        {
            blueprint.structs.push(found.clone());
        }
    }
    clashes(blueprint, &fields.place, out);
    for item in fields.list("graphs", out) {
        if let Some((graph, source)) = read_graph(item, &fields.place, blueprint, registry, out) {
            if let Some(other) = blueprint
                .graphs
                .iter()
                .find(|other| other.name == graph.name)
            {
                let mut diagnostic = Diagnostic::new(
                    Code::DuplicateName,
                    format!("two graphs are named {}", graph.name),
                )
                .at(source.name_span)
                .place(fields.place.clone());
                if let Some(span) = other.span {
                    let start = Span {
                        end: span.start + 1,
                        ..span
                    };
                    diagnostic = diagnostic.also(start, "the other starts here");
                }
                out.push(diagnostic);
            }
            blueprint.graphs.push(graph);
            unit.graphs.push(source);
        }
    }
}

/// A member that another designer than the variable list makes.
fn designer_variable(item: &Tree, fields: &Fields<'_>, out: &mut Diagnostics) -> Option<Property> {
    let found = Fields::open(
        item,
        "a designer's variable",
        schema::designer_variable_keys(),
        fields.place.clone(),
        out,
    )?;
    let (name, _) = found.name("name", out)?;
    let (text, span) = found.text("type", out)?;
    let ty = match PropertyType::parse(text) {
        Ok(ty) => ty,
        Err(error) => {
            out.push(
                Diagnostic::new(Code::UnknownType, error.to_string())
                    .at(span)
                    .place(fields.place.clone()),
            );
            return None;
        }
    };
    let mut property = Property::new(name, ty, PropertyFlags::empty());
    if let Some(bits) = found.tree("property_flags") {
        match bits.as_u64() {
            Some(bits) => property.flags = PropertyFlags::from_bits_retain(bits),
            None => found.wrong("property_flags", "a whole number", bits, out),
        }
    }
    if let Some(dim) = found.int("dim", 1..=i64::from(u16::MAX), out) {
        property.array_dim = dim as u32;
    }
    Some(property)
}

/// Two members of one name.
fn clashes(blueprint: &Blueprint, place: &Place, out: &mut Diagnostics) {
    let members = blueprint
        .components
        .iter()
        .map(|member| (&member.name, member.span))
        .chain(
            blueprint
                .timelines
                .iter()
                .map(|member| (&member.name, member.span)),
        )
        .chain(
            blueprint
                .variables
                .iter()
                .map(|member| (&member.name, member.span)),
        )
        .chain(
            blueprint
                .dispatchers
                .iter()
                .map(|member| (&member.name, member.span)),
        );
    let mut seen: IndexMap<&Name, Option<Span>> = IndexMap::new();
    for (name, span) in members {
        if let Some(first) = seen.get(name) {
            let mut diagnostic = Diagnostic::new(
                Code::DuplicateName,
                format!("the Blueprint has two members named {name}"),
            )
            .at(span)
            .place(place.clone());
            if let Some(first) = first {
                diagnostic = diagnostic.also(*first, "the first");
            }
            out.push(diagnostic);
        } else {
            seen.insert(name, span);
        }
    }
}

/// A member or local variable.
pub(crate) fn variable(
    tree: &Tree,
    is_local: bool,
    parent: &Fields<'_>,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Option<Variable> {
    let fields = Fields::open(
        tree,
        "a variable",
        schema::variable_keys(),
        parent.place.clone(),
        out,
    )?;
    let (name, _) = fields.name("name", out)?;
    let ty = type_of(&fields, "type", blueprint, registry, out);
    // A type whose asset was deleted names nothing.
    let is_orphan = |ty: &PinType| {
        matches!(ty.category, PinCategory::Interface | PinCategory::Struct) && ty.object.is_none()
    };
    if let Some(ty) = ty.as_ref().filter(|ty| !is_orphan(ty))
        && ty.to_property(registry, blueprint.engine).is_none()
    {
        out.push(
            Diagnostic::new(
                Code::VarBadType,
                format!(
                    "a variable cannot be of type {}",
                    super::type_text(ty, registry)
                ),
            )
            .at(fields.tree("type").map(|tree| tree.span))
            .place(fields.place.clone()),
        );
    }
    let mut variable = Variable::new(name, ty.clone().unwrap_or_default());
    variable.span = Some(tree.span);
    variable.flags = variable_base(is_local);
    for (word, span) in fields.names("flags", out) {
        match VARIABLE_FLAGS.iter().find(|(known, _)| *known == word) {
            Some(("instance_editable", _)) => {
                variable.flags -= PropertyFlags::DISABLE_EDIT_ON_INSTANCE;
            }
            Some((_, bits)) => variable.flags |= *bits,
            None => {
                let known = VARIABLE_FLAGS.iter().map(|(word, _)| *word);
                let list: Vec<String> = known.clone().map(|word| format!("`{word}`")).collect();
                out.push(
                    Diagnostic::new(
                        Code::BadValue,
                        format!("`{word}` is not a flag of a variable"),
                    )
                    .at(span)
                    .place(fields.place.clone())
                    .hint(nearest(word, known).map_or_else(
                        || format!("the flags are {}", list.join(", ")),
                        |word| format!("did you mean `{word}`?"),
                    )),
                );
            }
        }
    }
    if let Some(bits) = fields.tree("property_flags") {
        match bits.as_u64() {
            Some(bits) => variable.flags = PropertyFlags::from_bits_retain(bits),
            None => fields.wrong("property_flags", "a whole number", bits, out),
        }
    }
    if let (Some(tree), Some(ty)) = (fields.tree("default"), &ty) {
        variable.default = default_text(tree, ty, blueprint, registry, &fields.place, out);
    }
    if let Some(text) = raw_default(&fields, out) {
        variable.default = Some(text);
    }
    variable.on_rep = fields.text("on_rep", out).map(|(text, _)| Name::new(text));
    variable.replication = fields
        .text("replication", out)
        .map(|(text, _)| text.to_owned());
    variable.metadata = metadata(&fields, out);
    variable.category = fields
        .text("category", out)
        .map(|(text, _)| text.to_owned());
    variable.friendly_name = friendly_name(&fields, name, &variable.ty, out);
    variable.guid = guid(&fields, out).unwrap_or_default();
    Some(variable)
}

/// What the editor shows for a member: what its name gives, unless a key says otherwise.
fn friendly_name(
    fields: &Fields<'_>,
    name: &str,
    ty: &PinType,
    out: &mut Diagnostics,
) -> Option<String> {
    match fields.text("friendly_name", out) {
        Some((text, _)) => Some(text.to_owned()).filter(|text| !text.is_empty()),
        None => Some(usual_friendly_name(name, ty)),
    }
}

/// What the editor notes about a member.
fn metadata(fields: &Fields<'_>, out: &mut Diagnostics) -> IndexMap<String, String> {
    if fields.tree("metadata").is_none() {
        return usual_metadata();
    }
    let mut notes = IndexMap::new();
    for member in fields.map("metadata", out) {
        match member.value.as_str() {
            Some(text) => {
                notes.insert(member.key.clone(), text.to_owned());
            }
            None => fields.wrong(&member.key, "a string", &member.value, out),
        }
    }
    notes
}

/// An id.
pub(crate) fn guid(fields: &Fields<'_>, out: &mut Diagnostics) -> Option<Guid> {
    guid_of(fields, "guid", out)
}

/// An id under a key.
pub(crate) fn guid_of(fields: &Fields<'_>, key: &str, out: &mut Diagnostics) -> Option<Guid> {
    let (text, span) = fields.text(key, out)?;
    match text.parse() {
        Ok(guid) => Some(guid),
        Err(message) => {
            out.push(
                Diagnostic::new(Code::BadValue, message)
                    .at(span)
                    .place(fields.place.clone()),
            );
            None
        }
    }
}

/// Parameters as pins without a node's side: direction is set by who takes them.
pub(crate) fn params(
    items: &[Tree],
    place: &Place,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Vec<Pin> {
    let mut pins: Vec<Pin> = Vec::new();
    for item in items {
        let Some(fields) = Fields::open(
            item,
            "a parameter",
            schema::param_keys(),
            place.clone(),
            out,
        ) else {
            continue;
        };
        let Some((name, name_span)) = fields.name("name", out) else {
            continue;
        };
        let ty = type_of(&fields, "type", blueprint, registry, out);
        let is_known = ty.is_some();
        let mut ty = ty.unwrap_or_default();
        if fields.flag("ref", out) {
            ty.is_reference = true;
        }
        if fields.flag("const", out) {
            ty.is_const = true;
        }
        if pins.iter().any(|pin| pin.name == *name) {
            out.push(
                Diagnostic::new(
                    Code::DuplicateName,
                    format!("the parameter `{name}` stands twice"),
                )
                .at(name_span)
                .place(place.clone()),
            );
            continue;
        }
        // The node is set when the pin is added to one.
        let mut pin = Pin::new(
            la_arena::Idx::from_raw(la_arena::RawIdx::from_u32(0)),
            name,
            Direction::Output,
            ty,
        );
        pin.flags = PinFlags::USER_DEFINED;
        pin.span = Some(item.span);
        if let (Some(tree), true) = (fields.tree("default"), is_known) {
            let defaults = Defaults {
                registry,
                engine: blueprint.engine,
            };
            match defaults.pin(tree, &pin.ty, &pin.default) {
                Ok(default) => pin.default = default,
                Err(failure) => report_value(*failure, place.clone(), out),
            }
        }
        if let Some(text) = raw_default(&fields, out) {
            pin.default.value = text;
        }
        pins.push(pin);
    }
    pins
}

/// A default that is no value of its type, and is kept all the same.
pub(super) fn raw_default(fields: &Fields<'_>, out: &mut Diagnostics) -> Option<String> {
    fields
        .text("raw_default", out)
        .map(|(text, _)| text.to_owned())
}

fn timeline(
    tree: &Tree,
    parent: &Fields<'_>,
    blueprint: &Blueprint,
    out: &mut Diagnostics,
) -> Option<Timeline> {
    let fields = Fields::open(
        tree,
        "a timeline",
        schema::timeline_keys(),
        parent.place.clone(),
        out,
    )?;
    let (name, _) = fields.name("name", out)?;
    let mut timeline = Timeline {
        name: Name::new(name),
        guid: guid(&fields, out)
            .unwrap_or_else(|| Guid::of_text(&format!("{}/timeline/{name}", blueprint.name))),
        length: fields.real("length", out).unwrap_or(5.0),
        auto_play: fields.flag("auto_play", out),
        looping: fields.flag("loop", out),
        tracks: Vec::new(),
        span: Some(tree.span),
    };
    if timeline.length < 0.0 {
        out.push(
            Diagnostic::new(Code::BadValue, "a timeline's length is not negative")
                .at(fields.tree("length").map(|tree| tree.span))
                .place(fields.place.clone()),
        );
    }
    let kinds = [
        ("float", TimelineTrackKind::Float),
        ("vector", TimelineTrackKind::Vector),
        ("color", TimelineTrackKind::LinearColor),
        ("linear_color", TimelineTrackKind::LinearColor),
        ("event", TimelineTrackKind::Event),
    ];
    for item in fields.list("tracks", out) {
        let Some(track) = Fields::open(
            item,
            "a track",
            schema::track_keys(),
            fields.place.clone(),
            out,
        ) else {
            continue;
        };
        let Some((name, name_span)) = track.name("name", out) else {
            continue;
        };
        if timeline.tracks.iter().any(|other| other.name == *name) {
            out.push(
                Diagnostic::new(
                    Code::DuplicateName,
                    format!("the track `{name}` stands twice"),
                )
                .at(name_span)
                .place(fields.place.clone()),
            );
            continue;
        }
        let kind = choice(&track, "kind", &kinds, out).unwrap_or(TimelineTrackKind::Float);
        let n_values = match kind {
            TimelineTrackKind::Float => 1,
            TimelineTrackKind::Vector => 3,
            TimelineTrackKind::LinearColor => 4,
            TimelineTrackKind::Event => 0,
        };
        let mut keys: Vec<(f64, Vec<f64>)> = Vec::new();
        for key in track.list("keys", out) {
            let numbers: Option<Vec<f64>> = key.as_list().and_then(|items| {
                items
                    .iter()
                    .map(|item| match &item.kind {
                        Kind::Number(text) => text.parse().ok().filter(|n: &f64| n.is_finite()),
                        _ => None,
                    })
                    .collect()
            });
            match numbers {
                Some(numbers) if numbers.len() == n_values + 1 => {
                    keys.push((numbers[0], numbers[1..].to_vec()));
                }
                _ => out.push(
                    Diagnostic::new(
                        Code::BadValue,
                        format!(
                            "a key of this track is a list of {} numbers: the time{}",
                            n_values + 1,
                            if n_values == 0 {
                                ""
                            } else {
                                ", then the value"
                            }
                        ),
                    )
                    .at(key.span)
                    .place(fields.place.clone()),
                ),
            }
        }
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        timeline.tracks.push(TimelineTrack {
            name: Name::new(name),
            kind,
            keys,
        });
    }
    Some(timeline)
}
