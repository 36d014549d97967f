//! The Blueprint as its author drew it.

use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::{Blueprint, BlueprintKind, Dispatcher, Graph, GraphKind, PinCategory, Variable};
use bp_reflect::{Name, ObjectPath, Property};
use rustc_hash::{FxHashMap, FxHashSet};

use super::defaults::{class_defaults, component_overrides, left_out, note_blueprint, note_unheld};
use super::graphs::GraphReader;
use super::members::{components, object, timelines, variables};
use super::types::{enums, structs};
use super::values::{enum_entry, property_value, value_text};
use crate::{Package, PackageIndex, Properties, Value};

const CONSTRUCTION_SCRIPT: &str = "UserConstructionScript";

/// The Blueprint of a package: its members and all its graphs.
///
/// Graphs come in this order: event pages, functions (the construction script among them), functions
/// that implement interfaces, macros, signatures of dispatchers; each group in the order of the
/// editor's list. Graphs of other kinds are left out with a note.
///
/// What cannot be read is left out with a diagnostic. A package without a Blueprint gives an empty
/// one: with the structs and enums the package defines, or an error if there are none.
pub fn to_blueprint(package: &Package) -> (Blueprint, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let Some((index, stored)) = find_blueprint(package, &mut diagnostics) else {
        let name = package.long_name().rsplit('/').next().unwrap_or_default();
        let mut blueprint = Blueprint::new(name, ObjectPath::new(""), package.engine());
        add_types(package, &mut blueprint, &mut diagnostics);
        if blueprint.structs.is_empty() && blueprint.enums.is_empty() {
            let message = format!("the package {} holds no Blueprint", package.long_name());
            diagnostics.push(Diagnostic::new(Code::PackageMalformed, message));
        }
        return (blueprint, diagnostics);
    };
    let name = package.name(index).map(Name::from).unwrap_or_default();
    let parent = package
        .object_path(stored.object("ParentClass"))
        .unwrap_or_else(|| ObjectPath::new(""));
    let mut blueprint = Blueprint::new(name.clone(), parent, package.engine());
    let class = stored.object("GeneratedClass");
    blueprint.class_path = package
        .object_path(class)
        .unwrap_or_else(|| ObjectPath::new(format!("{}.{name}_C", package.long_name())));
    blueprint.kind = blueprint_kind(&stored);
    add_types(package, &mut blueprint, &mut diagnostics);

    let descriptions = stored.get("NewVariables").and_then(Value::as_array);
    let all = variables(package, descriptions.unwrap_or_default(), &mut diagnostics);
    let (dispatchers, members): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|variable| variable.ty.category == PinCategory::MulticastDelegate);
    blueprint.variables = members;
    let default_object = default_object(package, class, &mut diagnostics);
    let defaults = object(package, default_object, &mut diagnostics);
    if let Some(defaults) = &defaults {
        fill_defaults(
            package,
            defaults,
            &mut blueprint.variables,
            &mut diagnostics,
        );
        blueprint.class_defaults = class_defaults(
            package,
            defaults,
            &blueprint,
            &dispatchers,
            &mut diagnostics,
        );
    }
    blueprint.component_overrides = component_overrides(
        package,
        default_object,
        stored.object("InheritableComponentHandler"),
        &mut diagnostics,
    );
    blueprint.components = components(
        package,
        stored.object("SimpleConstructionScript"),
        &mut diagnostics,
    );
    blueprint.timelines = timelines(package, &stored.objects("Timelines"), &mut diagnostics);

    note_blueprint(package, index, &stored, &mut diagnostics);

    let mut graphs = Graphs {
        reader: GraphReader::new(package, &mut diagnostics),
        list: Vec::new(),
    };
    graphs.add_all(&stored.objects("UbergraphPages"), GraphKind::Event, None);
    graphs.add_all(&stored.objects("FunctionGraphs"), GraphKind::Function, None);
    let interfaces = stored
        .get("ImplementedInterfaces")
        .and_then(Value::as_array);
    for entry in interfaces.unwrap_or_default() {
        let Some(fields) = entry.as_fields() else {
            continue;
        };
        if let Some(interface) = package.object_path(fields.object("Interface")) {
            graphs.add_all(
                &fields.objects("Graphs"),
                GraphKind::Function,
                Some(&interface),
            );
            blueprint.interfaces.push(interface);
        }
    }
    graphs.add_all(&stored.objects("MacroGraphs"), GraphKind::Macro, None);
    graphs.add_all(
        &stored.objects("DelegateSignatureGraphs"),
        GraphKind::DelegateSignature,
        None,
    );
    blueprint.graphs = graphs.list;
    blueprint.designer_variables = designer_variables(package, class, &blueprint, &dispatchers);
    blueprint.dispatchers = dispatchers
        .into_iter()
        .map(|variable| dispatcher(&variable, &blueprint.graphs))
        .collect();
    (blueprint, diagnostics)
}

/// The Blueprint object: of several (a level has one inside it) the first whose data can be read.
fn find_blueprint(
    package: &Package,
    diagnostics: &mut Diagnostics,
) -> Option<(PackageIndex, Properties)> {
    package
        .exports_of_class(|class| class.ends_with("Blueprint"))
        .into_iter()
        .map(PackageIndex::of_export)
        .find_map(|index| Some((index, object(package, index, diagnostics)?)))
}

fn add_types(package: &Package, blueprint: &mut Blueprint, diagnostics: &mut Diagnostics) {
    match (structs(package), enums(package)) {
        (Ok(structs), Ok(enums)) => {
            blueprint.structs = structs;
            blueprint.enums = enums;
            note_types(package, diagnostics);
        }
        (Err(error), _) | (_, Err(error)) => {
            diagnostics.push(Diagnostic::new(error.code(), error.to_string()));
        }
    }
}

/// Names what the editor keeps about structs and enums beside their members and entries.
fn note_types(package: &Package, diagnostics: &mut Diagnostics) {
    const HELD: [&str; 4] = ["Guid", "Status", "DisplayNameMap", "UniqueNameIndex"];
    for export in package.exports_of_class(|class| class.starts_with("UserDefined")) {
        let index = PackageIndex::of_export(export);
        if let Some(stored) = object(package, index, diagnostics) {
            let what = format!("properties of {}", package.path(index));
            note_unheld(&what, &stored, &HELD, diagnostics);
        }
    }
}

fn blueprint_kind(stored: &Properties) -> BlueprintKind {
    let kind = stored.name("BlueprintType").map(ToString::to_string);
    match kind.as_deref().map(enum_entry) {
        Some("BPTYPE_MacroLibrary") => BlueprintKind::MacroLibrary,
        Some("BPTYPE_Interface") => BlueprintKind::Interface,
        Some("BPTYPE_LevelScript") => BlueprintKind::LevelScript,
        Some("BPTYPE_FunctionLibrary") => BlueprintKind::FunctionLibrary,
        _ => BlueprintKind::Normal,
    }
}

/// The class default object; null when there is none, or the class cannot be read.
fn default_object(
    package: &Package,
    class: PackageIndex,
    diagnostics: &mut Diagnostics,
) -> PackageIndex {
    let Some(export) = class.export().filter(|export| package.is_class(*export)) else {
        return PackageIndex::NULL;
    };
    match package.class(export) {
        Ok(class) => class.default_object,
        Err(error) => {
            let message = format!("{}: {error}", package.path(class));
            diagnostics.push(Diagnostic::new(error.code(), message));
            PackageIndex::NULL
        }
    }
}

/// Takes the defaults of variables from the class default object, which holds them as of the last
/// save; the text in a variable's description is older, or empty.
fn fill_defaults(
    package: &Package,
    defaults: &Properties,
    variables: &mut [Variable],
    diagnostics: &mut Diagnostics,
) {
    let mut values: FxHashMap<Name, &Value> = FxHashMap::default();
    for entry in &defaults.entries {
        values
            .entry(Name::from(&entry.name))
            .or_insert(&entry.value);
    }
    for variable in variables {
        let Some(value) = values.get(&variable.name).copied() else {
            continue;
        };
        if value.unknown_part().is_none() {
            variable.default = Some(value_text(&property_value(package, value)));
        } else {
            diagnostics.push(left_out(format!(
                "the default of variable `{}`, whose form is not known",
                variable.name
            )));
        }
    }
}

/// Properties of the generated class that no list of the Blueprint accounts for: widgets, animations of
/// widgets, actors of a level.
fn designer_variables(
    package: &Package,
    class: PackageIndex,
    blueprint: &Blueprint,
    dispatchers: &[Variable],
) -> Vec<Property> {
    let data = class
        .export()
        .filter(|export| package.is_class(*export))
        .and_then(|export| package.class(export).ok());
    let Some(class) = data.and_then(|data| super::class_of(package, &data).ok()) else {
        return Vec::new();
    };
    let variables = blueprint.variables.iter().chain(dispatchers);
    let components = blueprint.components.iter();
    let listed: FxHashSet<&Name> = variables
        .map(|variable| &variable.name)
        .chain(components.map(|component| &component.name))
        .collect();
    let is_animation = blueprint
        .graphs
        .iter()
        .any(|graph| graph.kind == GraphKind::Animation);
    let is_accounted_for = |name: &Name| {
        *name == "UberGraphFrame"
            // Members that the animation compiler makes of animation nodes.
            || (is_animation && name.as_str().starts_with("AnimGraphNode_"))
            || listed.contains(name)
            || blueprint.timelines.iter().any(|timeline| {
                timeline.name == *name || name.as_str().starts_with(&format!("{}_", timeline.name))
            })
    };
    class
        .properties
        .into_iter()
        .filter(|property| !is_accounted_for(&property.name))
        .collect()
}

/// A dispatcher, with the parameters of its signature graph.
fn dispatcher(variable: &Variable, graphs: &[Graph]) -> Dispatcher {
    let signature = graphs
        .iter()
        .find(|graph| graph.kind == GraphKind::DelegateSignature && graph.name == variable.name);
    let params = signature.and_then(|graph| {
        let entry = graph.entry()?;
        let pins = graph.pins_of(entry).map(|(_, pin)| pin);
        Some(
            pins.filter(|pin| !pin.is_input() && !pin.is_exec())
                .map(|pin| {
                    let mut param = Variable::new(pin.name.clone(), pin.ty.clone());
                    param.default =
                        (!pin.default.value.is_empty()).then(|| pin.default.value.clone());
                    param
                })
                .collect(),
        )
    });
    Dispatcher {
        guid: variable.guid,
        category: variable.category.clone(),
        friendly_name: variable.friendly_name.clone(),
        metadata: variable.metadata.clone(),
        ..Dispatcher::new(variable.name.clone(), params.unwrap_or_default())
    }
}

struct Graphs<'a> {
    reader: GraphReader<'a>,
    list: Vec<Graph>,
}

impl Graphs<'_> {
    fn add_all(
        &mut self,
        graphs: &[PackageIndex],
        kind: GraphKind,
        implements: Option<&ObjectPath>,
    ) {
        let package = self.reader.package;
        for index in graphs {
            let Some(export) = index.export() else {
                continue;
            };
            let name = package.name(*index).map(ToString::to_string);
            let name = name.unwrap_or_default();
            let is_animation = package.is_of_class(export, |class| class == "AnimationGraph");
            if !is_animation && !package.is_of_class(export, |class| class == "EdGraph") {
                let class = package.class_name(*index).map(ToString::to_string);
                self.reader.diagnostics.push(left_out(format!(
                    "graph `{name}`, which is of another editor ({})",
                    class.unwrap_or_default()
                )));
                continue;
            }
            let is_construction =
                kind == GraphKind::Function && name.eq_ignore_ascii_case(CONSTRUCTION_SCRIPT);
            let kind = if is_animation {
                GraphKind::Animation
            } else if is_construction {
                GraphKind::Construction
            } else {
                kind
            };
            if let Some(mut graph) = self.reader.read(*index, kind) {
                graph.implements = implements.cloned();
                self.list.push(graph);
            }
        }
    }
}
