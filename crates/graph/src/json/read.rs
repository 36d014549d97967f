//! Reads Blueprints in four passes over all files: names, members and signatures, nodes, links.
//!
//! Each pass needs what the one before it knows of every file: types are named by files read later, calls
//! need the outlines of all classes, links need the pins of all nodes.

use bp_diag::{Code, Diagnostic, Diagnostics, Place, SourceId, Sources, Span};
use bp_reflect::{Class, ClassKind, EngineVersion, Enum, Name, ObjectPath, Registry};

use super::definitions::{
    asset_path, empty_struct, enumeration, struct_circles, structs, two_definitions,
};
use super::fields::{Fields, whole};
use super::graph::GraphSource;
use super::members::members;
use super::schema;
use super::tree::{self, Tree};
use super::value::ValueFailure;
use super::{links, nodes as node_pass};
use crate::nodes::{NodeError, nearest, resolve_class};
use crate::outline::outline;
use crate::{Blueprint, BlueprintKind};

/// The parent of a Blueprint that has none.
pub(crate) const NO_CLASS: &str = "None";

/// Texts longer than this are refused.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// Reads Blueprints that may refer to each other.
///
/// Gives what could be read, the registry with all their classes, structs and enums added to `base`, and
/// every mistake of every file. After an error the Blueprints are for looking at only.
pub fn read(
    files: &[SourceId],
    sources: &Sources,
    base: &Registry,
) -> (Vec<Blueprint>, Registry, Diagnostics) {
    read_among(files, sources, base, &[])
}

/// As [`read`], among further Blueprints whose macros may be used.
pub fn read_among(
    files: &[SourceId],
    sources: &Sources,
    base: &Registry,
    libraries: &[&Blueprint],
) -> (Vec<Blueprint>, Registry, Diagnostics) {
    // Reading the macros takes as long as a small Blueprint, and most use none.
    let uses_macros = files
        .iter()
        .any(|file| sources.file(*file).text.contains("MacroInstance"));
    let standard = uses_macros.then(|| super::standard_macros(base));
    let libraries: Vec<&Blueprint> = libraries.iter().copied().chain(&standard).collect();
    read_with_macros(files, sources, base, &libraries)
}

/// As [`read_among`], with the engine's macros at hand among the libraries ([`super::standard_macros`] of the
/// same declarations); without them their instances are refused.
pub fn read_with_macros(
    files: &[SourceId],
    sources: &Sources,
    base: &Registry,
    libraries: &[&Blueprint],
) -> (Vec<Blueprint>, Registry, Diagnostics) {
    let (blueprints, registry, found) = read_with(files, sources, base, libraries);
    // The passes find mistakes in an order of their own; the author reads them in that of the files.
    let mut list = found.into_vec();
    list.sort_by_key(|diagnostic| {
        let span = diagnostic.span;
        span.map(|span| {
            (
                files.iter().position(|file| *file == span.source),
                span.start,
            )
        })
    });
    let mut sorted = Diagnostics::new();
    for diagnostic in list {
        sorted.push(diagnostic);
    }
    (blueprints, registry, sorted)
}

/// A file between the passes.
pub(crate) struct Unit<'t> {
    pub(crate) fields: Fields<'t>,
    pub(crate) graphs: Vec<GraphSource<'t>>,
}

pub(crate) fn read_with(
    files: &[SourceId],
    sources: &Sources,
    base: &Registry,
    libraries: &[&Blueprint],
) -> (Vec<Blueprint>, Registry, Diagnostics) {
    let mut out = Diagnostics::new();
    let mut registry = base.clone();
    let trees: Vec<Tree> = files
        .iter()
        .filter_map(|file| {
            let text = &*sources.file(*file).text;
            if text.len() > MAX_BYTES {
                out.push(
                    Diagnostic::new(
                        Code::TooLarge,
                        format!(
                            "the file has {} bytes; the limit is {MAX_BYTES}",
                            text.len()
                        ),
                    )
                    .at(Span::new(*file, 0..1)),
                );
                return None;
            }
            tree::parse(*file, text, &mut out)
        })
        .collect();

    let mut units = Vec::new();
    let mut blueprints = Vec::new();
    for tree in &trees {
        if let Some((unit, blueprint)) = header(tree, &blueprints, &mut registry, &mut out) {
            units.push(unit);
            blueprints.push(blueprint);
        }
    }
    for (unit, blueprint) in units.iter().zip(&mut blueprints) {
        relations(&unit.fields, blueprint, &mut registry, &mut out);
    }
    for (unit, blueprint) in units.iter().zip(&blueprints) {
        circle(&unit.fields, blueprint, &registry, &mut out);
        structs(&unit.fields, blueprint, &mut registry, &mut out);
    }
    for unit in &units {
        struct_circles(&unit.fields, &mut registry, &mut out);
    }
    for (unit, blueprint) in units.iter_mut().zip(&mut blueprints) {
        members(unit, blueprint, &registry, &mut out);
    }
    for (idx, unit) in units.iter().enumerate() {
        for (graph, source) in unit.graphs.iter().enumerate() {
            node_pass::define(&mut blueprints, idx, source, graph, &registry);
        }
    }
    // Twice: an override takes its signature from a class that may come later.
    for _ in 0..2 {
        for blueprint in &blueprints {
            registry.add_class(outline(blueprint, &registry));
        }
    }
    for blueprint in &blueprints {
        hidden_members(blueprint, &registry, &mut out);
    }
    for (idx, unit) in units.iter().enumerate() {
        for (graph, source) in unit.graphs.iter().enumerate() {
            node_pass::fill(
                &mut blueprints,
                idx,
                source,
                &mut vec![graph],
                &registry,
                libraries,
                &mut out,
            );
        }
    }
    // Boundary pins of overrides are known now.
    for blueprint in &blueprints {
        registry.add_class(outline(blueprint, &registry));
    }
    for (idx, unit) in units.iter().enumerate() {
        for (graph, source) in unit.graphs.iter().enumerate() {
            links::connect(
                &mut blueprints,
                idx,
                source,
                &mut vec![graph],
                &registry,
                libraries,
                &mut out,
            );
        }
    }
    (blueprints, registry, out)
}

/// Members that have the name of an inherited one.
fn hidden_members(blueprint: &Blueprint, registry: &Registry, out: &mut Diagnostics) {
    let variables = blueprint.variables.iter();
    let dispatchers = blueprint.dispatchers.iter();
    let components = blueprint.components.iter();
    let timelines = blueprint.timelines.iter();
    let members = variables
        .map(|one| ("variable", &one.name, one.span))
        .chain(dispatchers.map(|one| ("dispatcher", &one.name, one.span)))
        .chain(components.map(|one| ("component", &one.name, one.span)))
        .chain(timelines.map(|one| ("timeline", &one.name, one.span)));
    for (what, name, span) in members {
        let Some((class, _)) = registry.find_property(&blueprint.parent, name) else {
            continue;
        };
        if class.path == blueprint.class_path {
            continue;
        }
        out.push(
            Diagnostic::new(
                Code::VarNameClash,
                format!(
                    "the {what} {name} hides the variable of {}",
                    class.path.name()
                ),
            )
            .at(span)
            .place(named(blueprint.name.as_str()))
            .hint("give it another name"),
        );
    }
}

fn named(blueprint: &str) -> Place {
    Place {
        blueprint: Some(blueprint.to_owned()),
        ..Place::default()
    }
}

/// Format, name, sort, engine; declares the class and the names of structs and enums.
fn header<'t>(
    tree: &'t Tree,
    earlier: &[Blueprint],
    registry: &mut Registry,
    out: &mut Diagnostics,
) -> Option<(Unit<'t>, Blueprint)> {
    let name_text = tree.get("name").and_then(Tree::as_str).unwrap_or_default();
    let place = if name_text.is_empty() {
        Place::default()
    } else {
        named(name_text)
    };
    let fields = Fields::open_unchecked(tree, "a Blueprint", place, out)?;
    if let Some((format, span)) = fields.text("format", out)
        && format != "blueprint/1"
    {
        let hint = if format.starts_with("blueprint/") {
            "this program reads version 1"
        } else {
            "write `\"format\": \"blueprint/1\"`"
        };
        out.push(
            Diagnostic::new(
                Code::FormatVersion,
                format!("the format is `{format}`, not `blueprint/1`"),
            )
            .at(span)
            .place(fields.place.clone())
            .hint(hint),
        );
        return None;
    }
    let list = schema::document_keys();
    fields.check("a Blueprint", &list.keys, &list.required, out);
    // A Blueprint whose name is missing or wrong is read all the same, for its other mistakes.
    let nameless = format!("Unnamed{}", earlier.len() + 1);
    let (name, name_span) = fields.name("name", out).unwrap_or((&nameless, fields.span));
    let name = name.strip_suffix("_C").unwrap_or(name);
    if let Some(letter) = name.chars().find(|letter| ".:/".contains(*letter)) {
        out.push(
            Diagnostic::new(
                Code::BadValue,
                format!("the name of a Blueprint cannot hold `{letter}`"),
            )
            .at(name_span)
            .place(fields.place.clone())
            .hint("`name` is the short name; where the class is stands in `path`"),
        );
    }
    let clean = name.replace(['.', ':', '/'], "_");
    let name = clean.as_str();

    let engine = match fields.text("engine", out) {
        None => EngineVersion::LATEST,
        Some((text, span)) => text.parse().unwrap_or_else(|message: String| {
            out.push(
                Diagnostic::new(Code::BadValue, message)
                    .at(span)
                    .place(fields.place.clone()),
            );
            EngineVersion::LATEST
        }),
    };
    let mut blueprint = Blueprint::new(name, ObjectPath::new(""), engine);
    blueprint.span = Some(tree.span);
    if let Some((path, _)) = fields.text("path", out) {
        blueprint.class_path = ObjectPath::new(path);
    }
    let kinds = [
        ("normal", BlueprintKind::Normal),
        ("function_library", BlueprintKind::FunctionLibrary),
        ("macro_library", BlueprintKind::MacroLibrary),
        ("interface", BlueprintKind::Interface),
        ("level_script", BlueprintKind::LevelScript),
    ];
    blueprint.kind = choice(&fields, "type", &kinds, out).unwrap_or(BlueprintKind::Normal);

    let clash = earlier
        .iter()
        .find(|other| other.class_path == blueprint.class_path);
    if let Some(other) = clash {
        let mut diagnostic = Diagnostic::new(
            Code::DuplicateName,
            format!("two files have a Blueprint named {name}"),
        )
        .at(name_span)
        .place(fields.place.clone());
        if let Some(span) = other.span {
            let start = Span {
                end: span.start + 1,
                ..span
            };
            diagnostic = diagnostic.also(start, "the other starts here");
        }
        out.push(diagnostic);
        return None;
    }
    let kind = match blueprint.kind {
        BlueprintKind::Interface => ClassKind::BlueprintInterface,
        BlueprintKind::FunctionLibrary => ClassKind::BlueprintFunctionLibrary,
        BlueprintKind::Normal | BlueprintKind::MacroLibrary | BlueprintKind::LevelScript => {
            ClassKind::Blueprint
        }
    };
    registry.add_class(Class::new(blueprint.class_path.clone(), None, kind));
    let structs = fields.list("structs", out).iter();
    let enums = fields.list("enums", out).iter();
    for (what, item) in structs
        .map(|item| ("struct", item))
        .chain(enums.map(|item| ("enum", item)))
    {
        let Some(tree) = item.get("name") else {
            continue;
        };
        if tree.as_str().is_some_and(|text| blueprint.name == *text) {
            out.push(
                Diagnostic::new(
                    Code::DuplicateName,
                    format!("the {what} {name} has the name of the Blueprint"),
                )
                .at(tree.span)
                .place(fields.place.clone())
                .hint("one package holds one asset of a name; give the type another"),
            );
        }
    }
    // What is wrong with the lists themselves was said above.
    let quiet = &mut Diagnostics::new();
    for item in fields.list("structs", quiet) {
        if let Some(name) = item.get("name").and_then(Tree::as_str) {
            registry.add_struct(empty_struct(asset_path(name)));
        }
    }
    for item in fields.list("enums", quiet) {
        if let Some(found) = enumeration(item, &fields.place, out) {
            let names = |of: &Enum| -> Vec<Name> {
                let shown = of.entries.iter().filter(|entry| !entry.hidden);
                shown.map(|entry| entry.name.clone()).collect()
            };
            let other = registry.enumeration(&found.path);
            if other.is_some_and(|other| names(other) != names(&found)) {
                out.push(two_definitions("enum", &found.path, item, &fields));
            }
            blueprint.enums.push(found.clone());
            registry.add_enum(found);
        }
    }
    let unit = Unit {
        fields,
        graphs: Vec::new(),
    };
    Some((unit, blueprint))
}

/// One of some words.
pub(crate) fn choice<T: Copy>(
    fields: &Fields<'_>,
    key: &str,
    choices: &[(&'static str, T)],
    out: &mut Diagnostics,
) -> Option<T> {
    let (text, span) = fields.text(key, out)?;
    let found = choices.iter().find(|(word, _)| *word == text);
    if found.is_none() {
        let words: Vec<String> = choices
            .iter()
            .map(|(word, _)| format!("`{word}`"))
            .collect();
        let hint = nearest(text, choices.iter().map(|(word, _)| *word)).map_or_else(
            || format!("it is one of {}", words.join(", ")),
            |word| format!("did you mean `{word}`?"),
        );
        out.push(
            Diagnostic::new(Code::BadValue, format!("`{text}` is not a `{key}`"))
                .at(span)
                .place(fields.place.clone())
                .hint(hint),
        );
    }
    found.map(|(_, value)| *value)
}

/// A finding of a lookup, at a place.
pub(crate) fn report(error: NodeError, span: Option<Span>, place: Place, out: &mut Diagnostics) {
    if error.is_reported {
        return;
    }
    let mut diagnostic = Diagnostic::new(error.code, error.message)
        .at(span)
        .place(place);
    diagnostic.hint = error.hint;
    // As in the engine a warning about the name, and an error because there is nothing to read or write.
    let is_lost = diagnostic.code == Code::LocalNotFound;
    let lost = Diagnostic::new(Code::VarNotFound, "the node has no variable to work on")
        .at(span)
        .place(diagnostic.place.clone());
    out.push(diagnostic);
    if is_lost {
        out.push(lost);
    }
}

/// A finding about a value.
pub(crate) fn report_value(failure: ValueFailure, place: Place, out: &mut Diagnostics) {
    let mut diagnostic = Diagnostic::new(failure.code, failure.message)
        .at(failure.span)
        .place(place);
    diagnostic.hint = failure.hint;
    out.push(diagnostic);
}

/// A class named by a key, or a fallback.
pub(crate) fn class_of(
    (text, span): (&str, Span),
    place: &Place,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Option<ObjectPath> {
    match resolve_class(text, registry) {
        Ok(path) => Some(path),
        Err(error) => {
            report(error, Some(span), place.clone(), out);
            None
        }
    }
}

/// Parent and interfaces.
fn relations(
    fields: &Fields<'_>,
    blueprint: &mut Blueprint,
    registry: &mut Registry,
    out: &mut Diagnostics,
) {
    let default = match blueprint.kind {
        BlueprintKind::Normal => None,
        BlueprintKind::FunctionLibrary => Some("/Script/Engine.BlueprintFunctionLibrary"),
        BlueprintKind::MacroLibrary => Some(crate::types::OBJECT),
        BlueprintKind::Interface => Some("/Script/CoreUObject.Interface"),
        BlueprintKind::LevelScript => Some("/Script/Engine.LevelScriptActor"),
    };
    blueprint.parent = match (fields.text("parent", out), default) {
        // A package of structs and enums alone makes no class; that of another may be gone.
        (Some((NO_CLASS, _)), _) => ObjectPath::new(""),
        // A class that is not declared keeps its name, so that nothing else is complained of because of it.
        (Some(text), _) => class_of(text, &fields.place, registry, out)
            .unwrap_or_else(|| ObjectPath::new(format!("/Game/{0}.{0}_C", text.0))),
        (None, Some(default)) => default.into(),
        (None, None) => {
            let start = Span {
                end: fields.span.start + 1,
                ..fields.span
            };
            out.push(
                Diagnostic::new(Code::MissingKey, "a Blueprint needs the key `parent`")
                    .at(start)
                    .place(fields.place.clone())
                    .hint("for something that stands in a level, write `\"parent\": \"Actor\"`"),
            );
            "/Script/Engine.Actor".into()
        }
    };
    for name in fields.names("interfaces", out) {
        let Some(path) = class_of(name, &fields.place, registry, out) else {
            continue;
        };
        if registry
            .class(&path)
            .is_some_and(|class| !class.is_interface())
        {
            out.push(
                Diagnostic::new(Code::BadValue, format!("{} is not an interface", name.0))
                    .at(name.1)
                    .place(fields.place.clone()),
            );
            continue;
        }
        if blueprint.interfaces.contains(&path) {
            out.push(
                Diagnostic::new(
                    Code::DuplicateName,
                    format!("the interface {} stands twice", name.0),
                )
                .at(name.1)
                .place(fields.place.clone()),
            );
            continue;
        }
        blueprint.interfaces.push(path);
    }
    if let Some(class) = registry.class_mut(&blueprint.class_path) {
        class.super_class = Some(blueprint.parent.clone());
        class.interfaces.clone_from(&blueprint.interfaces);
    }
}

/// Longest chain of parents that is followed to find a circle.
const MAX_ANCESTORS: usize = 256;

/// Ancestors that come back to the class itself.
fn circle(fields: &Fields<'_>, blueprint: &Blueprint, registry: &Registry, out: &mut Diagnostics) {
    let mut at = Some(&blueprint.parent);
    for _ in 0..=MAX_ANCESTORS {
        match at {
            Some(path) if *path == blueprint.class_path => {
                out.push(
                    Diagnostic::new(
                        Code::ParentInvalid,
                        format!("{} is its own ancestor", blueprint.name),
                    )
                    .at(fields.tree("parent").map(|tree| tree.span))
                    .place(fields.place.clone()),
                );
                return;
            }
            Some(path) => {
                at = registry
                    .class(path)
                    .and_then(|class| class.super_class.as_ref());
            }
            None => return,
        }
    }
}

/// `[x, y]` of 32-bit numbers.
pub(crate) fn pair(fields: &Fields<'_>, key: &str, out: &mut Diagnostics) -> Option<(i64, i64)> {
    let tree = fields.tree(key)?;
    let pair = tree.as_list().and_then(|items| match items {
        [x, y] => Some((whole(x)?, whole(y)?)),
        _ => None,
    });
    let fits = |n: i64| i32::try_from(n).is_ok();
    match pair {
        Some((x, y)) if fits(x) && fits(y) => Some((x, y)),
        _ => {
            out.push(
                Diagnostic::new(
                    Code::BadValue,
                    format!("`{key}` is a list of two whole numbers of 32 bits"),
                )
                .at(tree.span)
                .place(fields.place.clone()),
            );
            None
        }
    }
}
