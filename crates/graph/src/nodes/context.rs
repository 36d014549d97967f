//! What a node class may look at, and how it fails.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each function takes the few kinds it knows and leaves the rest"
)]

use bp_diag::Code;
use bp_reflect::{Class, EngineVersion, Function, Lookup, Name, ObjectPath, Property, Registry};

use super::title::{nearest, plural_list};
use crate::{Blueprint, Graph, GraphKind, MemberReference};

/// The Blueprints whose macros can be instanced.
#[derive(Clone, Copy, Debug, Default)]
pub struct MacroLibrary<'a> {
    /// The Blueprints read together.
    pub blueprints: &'a [Blueprint],
    /// Others, such as that of the engine's macros, in order of search.
    pub libraries: &'a [&'a Blueprint],
}

impl<'a> MacroLibrary<'a> {
    /// All of them, in order of search.
    pub fn iter(self) -> impl Iterator<Item = &'a Blueprint> {
        self.blueprints.iter().chain(self.libraries.iter().copied())
    }

    /// The macro graph of that name in the Blueprint of that name (any, if none is given).
    pub fn find(self, library: Option<&str>, name: &str) -> Option<(&'a Blueprint, &'a Graph)> {
        let fold = |text: &str| text.replace(' ', "").to_lowercase();
        self.iter()
            .filter(|blueprint| {
                library.is_none_or(|library| {
                    blueprint.name == *library
                        || blueprint.class_path.package().eq_ignore_ascii_case(library)
                })
            })
            .find_map(|blueprint| {
                blueprint
                    .graphs
                    .iter()
                    .find(|graph| {
                        graph.kind == GraphKind::Macro && fold(graph.name.as_str()) == fold(name)
                    })
                    .map(|graph| (blueprint, graph))
            })
    }
}

/// What is around a node.
#[derive(Clone, Copy, Debug)]
pub struct PinContext<'a> {
    /// Everything declared, the Blueprints read together included.
    pub registry: &'a Registry,
    /// The Blueprint the node is in.
    pub blueprint: &'a Blueprint,
    /// The graph the node is in.
    pub graph: &'a Graph,
    /// The outermost graph around it: where local variables live.
    pub function: &'a Graph,
    /// Macros that can be instanced.
    pub macros: MacroLibrary<'a>,
}

impl<'a> PinContext<'a> {
    /// The class the Blueprint makes.
    pub fn class(&self) -> &'a ObjectPath {
        &self.blueprint.class_path
    }

    /// The engine the Blueprint is for.
    pub fn engine(&self) -> EngineVersion {
        self.blueprint.engine
    }

    /// The class a reference is looked up in.
    pub fn class_of(&self, reference: &'a MemberReference) -> &'a ObjectPath {
        reference.parent.as_ref().unwrap_or(self.class())
    }

    /// The function a reference names, with the class that declares it.
    pub fn function_of(&self, reference: &MemberReference) -> Option<(&'a Class, &'a Function)> {
        let class = reference.parent.as_ref().unwrap_or(self.class());
        self.registry
            .find_function(class, &reference.name)
            .or_else(|| {
                self.registry
                    .find_interface_function(class, &reference.name)
            })
    }

    /// The variable a reference names, with the class that declares it.
    pub fn property_of(&self, reference: &MemberReference) -> Option<(&'a Class, &'a Property)> {
        let class = reference.parent.as_ref().unwrap_or(self.class());
        self.registry.find_property(class, &reference.name)
    }

    /// The signature of a delegate variable, with the reference a delegate pin has to it.
    pub fn signature_of(&self, property: &Property) -> Option<&'a Function> {
        let path = property.ty.target()?;
        self.registry.signature(path)
    }
}

/// Why a node's keys or pins cannot be made out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeError {
    /// What kind of finding it is.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// The key it is about.
    pub key: Option<&'static str>,
    /// The way out.
    pub hint: Option<String>,
    /// Whether the author knows already.
    pub is_reported: bool,
}

impl NodeError {
    /// A finding.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            key: None,
            hint: None,
            is_reported: false,
        }
    }

    /// A failure whose cause has been reported.
    pub fn reported() -> Self {
        Self {
            is_reported: true,
            ..Self::new(Code::NodeProperty, "a key is missing")
        }
    }

    /// Names the key.
    #[must_use]
    pub fn key(mut self, key: &'static str) -> Self {
        self.key = Some(key);
        self
    }

    /// Says how to get out.
    #[must_use]
    pub fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

/// A hint that offers the nearest of some names.
pub(crate) fn did_you_mean<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(wanted, known).map(|name| format!("did you mean `{name}`?"))
}

fn resolve<'a>(
    what: &'static str,
    text: &str,
    found: Lookup<'a>,
    names: impl Iterator<Item = &'a ObjectPath>,
) -> Result<ObjectPath, NodeError> {
    match found {
        Lookup::One(path) => Ok(path.clone()),
        Lookup::Many(paths) => Err(NodeError::new(
            Code::AmbiguousName,
            format!("`{text}` could be any of {} {what}s", paths.len()),
        )
        .hint(Some(format!(
            "write the full path: {}",
            plural_list(paths.iter().map(|path| path.as_str()), 4)
        )))),
        // Declarations are never complete, so a full path is taken at its word.
        Lookup::None if text.starts_with('/') && text.contains('.') => Ok(ObjectPath::new(text)),
        Lookup::None => Err(NodeError::new(
            Code::UnknownType,
            format!("there is no {what} `{text}`"),
        )
        .hint(did_you_mean(text, names.map(ObjectPath::name)))),
    }
}

/// The path of a class named in text.
///
/// # Errors
/// Nothing, or more than one class, has the name.
pub fn resolve_class(text: &str, registry: &Registry) -> Result<ObjectPath, NodeError> {
    let names = registry.classes().map(|class| &class.path);
    resolve("class", text, registry.find_class(text), names).map_err(|error| NodeError {
        message: error.message.replace("classs", "classes"),
        ..error
    })
}

/// The path of a struct named in text.
///
/// # Errors
/// Nothing, or more than one struct, has the name.
pub fn resolve_struct(text: &str, registry: &Registry) -> Result<ObjectPath, NodeError> {
    let names = registry.structs().map(|found| &found.path);
    resolve("struct", text, registry.find_struct(text), names)
}

/// The path of an enum named in text.
///
/// # Errors
/// Nothing, or more than one enum, has the name.
pub fn resolve_enum(text: &str, registry: &Registry) -> Result<ObjectPath, NodeError> {
    let names = registry.enums().map(|found| &found.path);
    resolve("enum", text, registry.find_enum(text), names)
}

/// The short name of a class, struct or enum if it alone has it, else its path.
pub(crate) fn short_name(path: &ObjectPath, found: &Lookup<'_>) -> String {
    match found {
        Lookup::One(only) if *only == path => path.name().to_owned(),
        _ => path.to_string(),
    }
}

impl PinContext<'_> {
    /// How a class is written in JSON.
    pub fn class_text(&self, path: &ObjectPath) -> String {
        class_text(path, self.registry)
    }

    /// The name of a member's class for messages.
    pub(crate) fn class_name(path: &ObjectPath) -> String {
        let name = path.name();
        name.strip_suffix("_C").unwrap_or(name).to_owned()
    }
}

/// How a class is written in JSON.
pub(crate) fn class_text(path: &ObjectPath, registry: &Registry) -> String {
    let short = path.name();
    short_name(path, &registry.find_class(short))
}

/// Every function name a class can call, for suggestions.
pub(crate) fn function_names<'a>(class: &ObjectPath, registry: &'a Registry) -> Vec<&'a str> {
    registry
        .ancestry(class)
        .flat_map(|class| class.functions.keys())
        .map(Name::as_str)
        .collect()
}
