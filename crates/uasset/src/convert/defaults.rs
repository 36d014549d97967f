//! Defaults that a class has beside those of its own variables, and what the model has no place for.

use bp_diag::{Code, Diagnostic, Diagnostics, Severity};
use bp_graph::{Blueprint, ComponentOverride, Variable};
use bp_reflect::Name;
use indexmap::IndexSet;
use rustc_hash::FxHashSet;

use super::members::object;
use super::values::properties;
use crate::{Package, PackageIndex, Properties, Value};

/// Properties of a Blueprint that say how the editor was used, not what the class is.
const EDITOR_STATE: &[&str] = &[
    "BlueprintSystemVersion",
    "CategorySorting",
    "bLegacyNeedToPurgeSkelRefs",
    "bLegacyGeneratedClassIsAuthoritative",
    "BlueprintGuid",
    "LastEditedDocuments",
    "ThumbnailInfo",
    "Breakpoints",
    "WatchedPins",
    "ComponentTemplateNameIndex",
    "CachedTemplateIndex",
    // Figures about a widget's class, counted anew at each compilation.
    "TickPrediction",
    "TickPredictionReason",
    "InclusiveWidgets",
    "PropertyBindings",
    "EstimatedTemplateSize",
];

/// Properties of a Blueprint that other parts of the conversion read.
const HELD: &[&str] = &[
    "ParentClass",
    "GeneratedClass",
    "BlueprintType",
    "NewVariables",
    "UbergraphPages",
    "FunctionGraphs",
    "MacroGraphs",
    "DelegateSignatureGraphs",
    "ImplementedInterfaces",
    "SimpleConstructionScript",
    "InheritableComponentHandler",
    "Timelines",
];

/// A note about something the package holds and the model does not.
pub(super) fn left_out(message: impl Into<String>) -> Diagnostic {
    let mut note = Diagnostic::new(Code::LeftOut, format!("left out: {}", message.into()));
    note.severity = Severity::Note;
    note
}

/// Names the properties of an object that are not among those that are read, and reports those that should
/// be read but have no known form: their bytes are damaged.
pub(super) fn note_unheld(
    what: &str,
    stored: &Properties,
    held: &[&str],
    diagnostics: &mut Diagnostics,
) {
    let mut names: IndexSet<String> = IndexSet::new();
    for entry in &stored.entries {
        let name = entry.name.to_string();
        if !held.iter().any(|held| name.eq_ignore_ascii_case(held)) {
            names.insert(name);
        } else if let Some(range) = entry.value.unknown_part() {
            let message = format!(
                "byte {}: {what}: the value of `{name}` cannot be read",
                range.start
            );
            diagnostics.push(Diagnostic::new(Code::PackageMalformed, message));
        }
    }
    if !names.is_empty() {
        let names: Vec<String> = names.into_iter().collect();
        diagnostics.push(left_out(format!("{what}: {}", names.join(", "))));
    }
}

/// Names what the Blueprint object itself has and the model has not.
pub(super) fn note_blueprint(
    package: &Package,
    index: PackageIndex,
    stored: &Properties,
    diagnostics: &mut Diagnostics,
) {
    let tree = stored.object("WidgetTree");
    if !tree.is_null() {
        let is_widget = |export: &crate::Export| export.outer == tree;
        let n_widgets = package.exports().iter().filter(|e| is_widget(e)).count();
        diagnostics.push(left_out(format!(
            "the widget tree ({n_widgets} objects); widgets that are variables are members of the class"
        )));
    }
    let mut held = [HELD, EDITOR_STATE].concat();
    held.push("WidgetTree");
    let class = package.class_name(index).map(ToString::to_string);
    let class = class.unwrap_or_default();
    note_unheld(
        &format!("properties of the {class}"),
        stored,
        &held,
        diagnostics,
    );
}

/// The values of the class default object that no variable of the Blueprint has: defaults of inherited members.
pub(super) fn class_defaults(
    package: &Package,
    defaults: &Properties,
    blueprint: &Blueprint,
    dispatchers: &[Variable],
    diagnostics: &mut Diagnostics,
) -> bp_graph::Properties {
    let own: FxHashSet<&Name> = blueprint
        .variables
        .iter()
        .chain(dispatchers)
        .map(|variable| &variable.name)
        .collect();
    for entry in &defaults.entries {
        if let Value::MulticastDelegate(bound) = &entry.value
            && !bound.is_empty()
            && own.contains(&Name::from(&entry.name))
        {
            let n = bound.len();
            diagnostics.push(left_out(format!(
                "what is bound to dispatcher `{}` by default ({n} functions)",
                entry.name
            )));
        }
    }
    // The frame of the ubergraph is made anew for each object.
    let is_own = |name: &str| name == "UberGraphFrame" || own.contains(&Name::new(name));
    kept(
        package,
        "class default",
        defaults,
        &|name| !is_own(name),
        diagnostics,
    )
}

/// Properties in the model's form; those of unknown form are named.
pub(super) fn kept(
    package: &Package,
    what: &str,
    stored: &Properties,
    wanted: &dyn Fn(&str) -> bool,
    diagnostics: &mut Diagnostics,
) -> bp_graph::Properties {
    let mut unknown = Vec::new();
    let mut out = bp_graph::Properties::default();
    for (name, value) in properties(package, stored, &mut unknown) {
        if wanted(&name) {
            out.set(name, value);
        }
    }
    for name in unknown.iter().filter(|name| wanted(name)) {
        diagnostics.push(left_out(format!(
            "{what} `{name}`, whose form is not known"
        )));
    }
    out
}

/// Inherited components with properties of their own in this class: native ones, which are parts of the class
/// default object, then those of parent Blueprints.
pub(super) fn component_overrides(
    package: &Package,
    default_object: PackageIndex,
    handler: PackageIndex,
    diagnostics: &mut Diagnostics,
) -> Vec<ComponentOverride> {
    let mut found = Vec::new();
    let mut add = |name: Name, template: PackageIndex, diagnostics: &mut Diagnostics| {
        if let Some(stored) = object(package, template, diagnostics) {
            let what = format!("property of inherited component `{name}`");
            found.push(ComponentOverride {
                class: package.class_path(template).into(),
                properties: kept(package, &what, &stored, &|_| true, diagnostics),
                name,
            });
        }
    };
    if !default_object.is_null() {
        for (export, row) in package.exports().iter().enumerate() {
            if row.outer == default_object {
                add(
                    Name::from(&row.name),
                    PackageIndex::of_export(export),
                    diagnostics,
                );
            }
        }
    }
    let records = object(package, handler, diagnostics);
    let records = records
        .as_ref()
        .and_then(|handler| handler.get("Records"))
        .and_then(Value::as_array)
        .unwrap_or_default();
    for record in records.iter().filter_map(Value::as_fields) {
        let key = record.structure("ComponentKey");
        let name = key.and_then(|key| key.name("SCSVariableName"));
        let template = record.object("ComponentTemplate");
        // A record without template changes nothing.
        if let (Some(name), false) = (name, template.is_null()) {
            add(Name::from(name), template, diagnostics);
        }
    }
    found
}
