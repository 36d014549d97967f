//! Members of a Blueprint's class as the editor keeps them: variables, components, timelines.

use std::collections::HashSet;

use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::{Component, Timeline, TimelineTrack, TimelineTrackKind, Variable};
use bp_reflect::{Name, PropertyFlags};

use super::defaults::{kept, left_out, note_unheld};
use super::pins::pin_type;
use super::values::enum_entry;
use crate::{CurveKey, Package, PackageIndex, Properties, StructFields, StructValue, Value};

/// Variables from their descriptions (`FBPVariableDescription`), members or locals.
pub(super) fn variables(
    package: &Package,
    descriptions: &[Value],
    diagnostics: &mut Diagnostics,
) -> Vec<Variable> {
    let fields = descriptions.iter().filter_map(Value::as_fields);
    fields
        .filter_map(|fields| variable(package, fields, diagnostics))
        .collect()
}

fn variable(
    package: &Package,
    fields: &Properties,
    diagnostics: &mut Diagnostics,
) -> Option<Variable> {
    let name = fields.name("VarName")?;
    let Some(Value::Struct(StructValue {
        fields: StructFields::PinType(ty),
        ..
    })) = fields.get("VarType")
    else {
        let message = format!("variable `{name}` has no type");
        diagnostics.push(Diagnostic::new(Code::PackageMalformed, message));
        return None;
    };
    let mut variable = Variable::new(Name::from(name), pin_type(package, ty, diagnostics));
    variable.guid = fields.guid("VarGuid").into();
    variable.flags = match fields.get("PropertyFlags") {
        Some(Value::UInt(flags)) => PropertyFlags::from_bits_retain(*flags),
        _ => PropertyFlags::empty(),
    };
    let text = |name: &str| {
        let text = fields.string(name);
        (!text.is_empty()).then(|| text.to_owned())
    };
    variable.default = text("DefaultValue");
    variable.friendly_name = text("FriendlyName");
    variable.on_rep = fields
        .name("RepNotifyFunc")
        .filter(|name| !name.is_none())
        .map(Name::from);
    variable.replication = fields
        .name("ReplicationCondition")
        .map(|condition| enum_entry(&condition.to_string()).to_owned())
        .filter(|condition| condition != "COND_None");
    variable.metadata.clear();
    let metadata = fields.get("MetaDataArray").and_then(Value::as_array);
    for entry in metadata.into_iter().flatten().filter_map(Value::as_fields) {
        if let Some(key) = entry.name("DataKey") {
            let text = entry.string("DataValue").to_owned();
            variable.metadata.insert(key.to_string(), text);
        }
    }
    variable.category = match fields.get("Category") {
        Some(Value::Text(text)) => text.source().map(str::to_owned),
        Some(Value::Name(name)) => Some(name.to_string()),
        _ => None,
    };
    Some(variable)
}

/// Properties of a component's node that are read, or that only place it under a heading.
const NODE_PROPERTIES: [&str; 11] = [
    "ComponentClass",
    "ComponentTemplate",
    "CategoryName",
    "VariableGuid",
    "InternalVariableName",
    "VariableName",
    "ChildNodes",
    "ParentComponentOrVariableName",
    "ParentComponentOwnerClassName",
    "bIsParentComponentNative",
    "AttachToName",
];

/// Components of a construction script, parents before children, siblings in stored order.
pub(super) fn components(
    package: &Package,
    construction_script: PackageIndex,
    diagnostics: &mut Diagnostics,
) -> Vec<Component> {
    let mut components = Vec::new();
    let Some(script) = object(package, construction_script, diagnostics) else {
        return components;
    };
    note_unheld(
        "properties of the construction script",
        &script,
        &["RootNodes", "AllNodes", "DefaultSceneRootNode"],
        diagnostics,
    );
    let mut seen = HashSet::new();
    // Nodes still to visit, with the component they are attached to; the next one is the last.
    let mut open: Vec<(PackageIndex, Option<Name>)> = Vec::new();
    for root in script.objects("RootNodes").into_iter().rev() {
        open.push((root, None));
    }
    while let Some((index, parent)) = open.pop() {
        if !seen.insert(index) {
            continue;
        }
        let Some(node) = object(package, index, diagnostics) else {
            continue;
        };
        // The name was stored under another property before 4.18.
        let Some(name) = node
            .name("InternalVariableName")
            .or_else(|| node.name("VariableName"))
            .map(Name::from)
        else {
            continue;
        };
        note_unheld(
            &format!("properties of component `{name}`"),
            &node,
            &NODE_PROPERTIES,
            diagnostics,
        );
        let template = node.object("ComponentTemplate");
        let class = match node.object("ComponentClass") {
            PackageIndex::NULL => package
                .object_path(template)
                .map(|_| package.class_path(template).into()),
            class => package.object_path(class),
        };
        let said = |key: &str| {
            let name = node.name(key).filter(|name| !name.is_none());
            name.map(Name::from)
        };
        let attached = said("ParentComponentOrVariableName");
        let is_native = node.bool("bIsParentComponentNative");
        let owner = said("ParentComponentOwnerClassName")
            .or_else(|| is_native.then(|| Name::new(Component::NATIVE)))
            .filter(|_| parent.is_none());
        for child in node.objects("ChildNodes").into_iter().rev() {
            open.push((child, Some(name.clone())));
        }
        let Some(class) = class else {
            let message = format!("component `{name}` has no class");
            diagnostics.push(Diagnostic::new(Code::PackageMalformed, message));
            continue;
        };
        let properties = match object(package, template, diagnostics) {
            Some(stored) => {
                let what = format!("property of component `{name}`");
                kept(package, &what, &stored, &|_| true, diagnostics)
            }
            None => bp_graph::Properties::default(),
        };
        components.push(Component {
            name,
            socket: said("AttachToName"),
            guid: node.guid("VariableGuid").into(),
            properties,
            class,
            parent: parent.or(attached),
            parent_owner: owner,
            span: None,
        });
    }
    components
}

/// Properties of a timeline that are read, follow from its name, or say how the editor shows it.
const TIMELINE_PROPERTIES: [&str; 16] = [
    "FloatTracks",
    "VectorTracks",
    "LinearColorTracks",
    "EventTracks",
    "TimelineGuid",
    "TimelineLength",
    "LengthMode",
    "bAutoPlay",
    "bLoop",
    "VariableName",
    "DirectionPropertyName",
    "UpdateFunctionName",
    "FinishedFunctionName",
    "TrackDisplayOrder",
    // Checks of the editor that its node is linked.
    "bValidatedAsWired",
    "CachedTrackOrder",
];

/// Timelines from their templates.
pub(super) fn timelines(
    package: &Package,
    templates: &[PackageIndex],
    diagnostics: &mut Diagnostics,
) -> Vec<Timeline> {
    let mut curves = Curves {
        package,
        seen: HashSet::new(),
    };
    let mut seen = HashSet::new();
    templates
        .iter()
        .filter(|template| seen.insert(**template))
        .filter_map(|template| timeline(&mut curves, *template, diagnostics))
        .collect()
}

/// Reads the curves of timelines, each for one track only, as the editor makes them.
struct Curves<'p> {
    package: &'p Package,
    seen: HashSet<PackageIndex>,
}

fn timeline(
    curves: &mut Curves<'_>,
    template: PackageIndex,
    diagnostics: &mut Diagnostics,
) -> Option<Timeline> {
    // The length of a timeline whose length was never set.
    const DEFAULT_LENGTH: f64 = 5.0;

    let package = curves.package;
    let stored = object(package, template, diagnostics)?;
    let name = if let Some(name) = stored.name("VariableName") {
        Name::from(name)
    } else {
        let name = package.name(template)?.to_string();
        Name::new(name.strip_suffix("_Template").unwrap_or(&name))
    };
    note_unheld(
        &format!("properties of timeline `{name}`"),
        &stored,
        &TIMELINE_PROPERTIES,
        diagnostics,
    );
    let mut tracks = Vec::new();
    let kinds = [
        ("EventTracks", "CurveKeys", TimelineTrackKind::Event),
        ("FloatTracks", "CurveFloat", TimelineTrackKind::Float),
        ("VectorTracks", "CurveVector", TimelineTrackKind::Vector),
        (
            "LinearColorTracks",
            "CurveLinearColor",
            TimelineTrackKind::LinearColor,
        ),
    ];
    for (list, curve, kind) in kinds {
        let stored_tracks = stored
            .get(list)
            .and_then(Value::as_array)
            .unwrap_or_default();
        for track in stored_tracks.iter().filter_map(Value::as_fields) {
            tracks.push(TimelineTrack {
                name: track.name("TrackName").map(Name::from).unwrap_or_default(),
                kind,
                keys: curves.keys(track.object(curve), kind, &name, diagnostics),
            });
        }
    }
    let length = match stored.get("TimelineLength") {
        Some(Value::Float(length)) => f64::from(*length),
        _ => DEFAULT_LENGTH,
    };
    let ends_at_last_key = stored
        .name("LengthMode")
        .is_some_and(|mode| mode.text().ends_with("TL_LastKeyFrame"));
    let last_key = tracks
        .iter()
        .filter_map(|track| track.keys.last())
        .map(|(time, _)| *time)
        .fold(0.0, f64::max);
    Some(Timeline {
        name,
        guid: stored.guid("TimelineGuid").into(),
        length: if ends_at_last_key { last_key } else { length },
        auto_play: stored.bool("bAutoPlay"),
        looping: stored.bool("bLoop"),
        tracks,
        span: None,
    })
}

/// `RCIM_Linear`: the value goes in a line from key to key.
const LINEAR: u8 = 0;

impl Curves<'_> {
    /// The keys of a curve object: time, and one value for each of its component curves. A time at which
    /// only some components have a key gets the others' values from the line between their keys.
    fn keys(
        &mut self,
        curve: PackageIndex,
        kind: TimelineTrackKind,
        timeline: &Name,
        diagnostics: &mut Diagnostics,
    ) -> Vec<(f64, Vec<f64>)> {
        let package = self.package;
        if curve.export().is_none() || !self.seen.insert(curve) {
            let message = format!(
                "a track of timeline `{timeline}` uses a curve of another package or another track ({}), so its keys are not known",
                package.path(curve)
            );
            diagnostics.push(Diagnostic::new(Code::NodeProperty, message));
            return Vec::new();
        }
        let Some(stored) = object(package, curve, diagnostics) else {
            return Vec::new();
        };
        let n_components = match kind {
            TimelineTrackKind::Float | TimelineTrackKind::Event => 1,
            TimelineTrackKind::Vector => 3,
            TimelineTrackKind::LinearColor => 4,
        };
        let mut components: Vec<Vec<CurveKey>> = vec![Vec::new(); n_components];
        for entry in &stored.entries {
            if !(entry.name.is("FloatCurve") || entry.name.is("FloatCurves")) {
                continue;
            }
            let keys = entry.value.as_fields().and_then(|curve| curve.get("Keys"));
            let keys = keys.and_then(Value::as_array).unwrap_or_default();
            if let Some(component) = components.get_mut(entry.array_index as usize) {
                component.extend(keys.iter().filter_map(curve_key));
            }
        }
        let is_curved = |key: &CurveKey| key.interpolation != LINEAR;
        if kind != TimelineTrackKind::Event && components.iter().flatten().any(is_curved) {
            let message = format!(
                "how the value of a track of timeline `{timeline}` goes from key to key; its keys are kept"
            );
            diagnostics.push(left_out(message));
        }
        let mut times: Vec<f32> = components.iter().flatten().map(|key| key.time).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
            .into_iter()
            .map(|time| {
                let values = components.iter().map(|keys| value_at(keys, time));
                (f64::from(time), values.collect())
            })
            .collect()
    }
}

fn curve_key(value: &Value) -> Option<CurveKey> {
    if let Value::Struct(StructValue {
        fields: StructFields::CurveKey(key),
        ..
    }) = value
    {
        return Some(*key);
    }
    None
}

fn value_at(keys: &[CurveKey], time: f32) -> f64 {
    let after = keys.partition_point(|key| key.time < time);
    let (before, next) = (after.checked_sub(1).map(|idx| &keys[idx]), keys.get(after));
    match (before, next) {
        (None, None) => 0.0,
        (Some(key), None) | (None, Some(key)) => f64::from(key.value),
        (Some(_), Some(next)) if next.time <= time => f64::from(next.value),
        (Some(before), Some(next)) => {
            let share = (time - before.time) / (next.time - before.time);
            f64::from(before.value + (next.value - before.value) * share)
        }
    }
}

/// The properties of an object of this package; an object elsewhere, or none, gives nothing.
pub(super) fn object(
    package: &Package,
    index: PackageIndex,
    diagnostics: &mut Diagnostics,
) -> Option<Properties> {
    match package.object(index.export()?) {
        Ok((properties, _)) => Some(properties),
        Err(error) => {
            let message = format!("{}: {error}", package.path(index));
            diagnostics.push(Diagnostic::new(error.code(), message));
            None
        }
    }
}
