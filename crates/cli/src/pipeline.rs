//! Blueprints to verified packages, and packages to text.

use std::collections::{HashMap, HashSet};
use std::fmt;

use bp_bytecode::encode::Interner;
use bp_bytecode::verify::{self, Verified, VerifyError};
use bp_bytecode::{
    CompiledClass, CompiledFunction, DecodeFailure, Layout, Package, Script, decode_script,
    encode_script, listing,
};
use bp_compiler::{Compilation, Options};
use bp_diag::{Code, Diagnostic, Diagnostics, Severity};
use bp_graph::{Blueprint, Graph, GraphKind};
use bp_reflect::{ClassKind, Name, ObjectPath, Registry};

use crate::load::Loaded;

/// Compiles the Blueprints of a set of inputs together.
pub fn compile<'a>(
    loaded: &'a Loaded,
    libraries: &'a [&'a Blueprint],
    debug_sites: bool,
) -> Compilation<'a> {
    let options = Options {
        engine: Some(loaded.engine),
        debug_sites,
    };
    bp_compiler::compile(&loaded.blueprints, libraries, &loaded.registry, options)
}

/// Findings about Blueprints that were not read without errors, as far as they are no consequences of those
/// errors: `reading` is what was said of reading. Left out are graphs with errors of their own, and that what a
/// node names is not there, which readers find out themselves.
///
/// So one run reports the mistakes of all functions, whichever stage finds them.
pub fn independent(found: Diagnostics, reading: &Diagnostics) -> Diagnostics {
    if !reading.has_errors() {
        return found;
    }
    let graph_of = |finding: &Diagnostic| {
        let place = &finding.place;
        Some((place.blueprint.clone()?, place.graph.clone()?))
    };
    let broken: HashSet<(String, String)> = reading
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .filter_map(graph_of)
        .collect();
    let mut out = Diagnostics::new();
    for finding in found.into_vec() {
        let is_in_broken = graph_of(&finding).is_some_and(|graph| broken.contains(&graph));
        // What is said of the whole Blueprint a reader has said already.
        let is_said =
            finding.place.graph.is_none() && reading.iter().any(|other| other.code == finding.code);
        if !is_in_broken && !is_said && !is_consequence(finding.code) {
            out.push(finding);
        }
    }
    out
}

/// Whether a finding may be the consequence of an error elsewhere: something is not there, or has no type.
fn is_consequence(code: Code) -> bool {
    matches!(
        code,
        Code::UnknownType
            | Code::VarBadType
            | Code::EventOutOfDate
            | Code::MacroInvalid
            | Code::ParentInvalid
            | Code::NotOverridable
            | Code::OverrideSig
            | Code::FuncNotFound
            | Code::FuncUndeclared
            | Code::FuncPinMissing
            | Code::VarNotFound
            | Code::LocalNotFound
            | Code::SelfType
            | Code::Wildcard
            | Code::PrunedRead
            | Code::VarType
            | Code::LiteralInvalid
            | Code::StructInvalid
            | Code::DispatcherNotFound
            | Code::EnumInvalid
            | Code::EnumUndeclared
            | Code::NoValue
            | Code::NoEventCode
            | Code::DelegateNoFunction
            | Code::TypeUnknownSize
    )
}

/// Marks the functions that errors are about, so that they are left out or emptied: those of the ubergraph when
/// an event page has errors. Gives whether all errors are in functions; others, such as that of a variable's
/// type, are everybody's.
pub fn mark_broken(compilation: &mut Compilation<'_>, findings: &Diagnostics) -> bool {
    fn holds(graph: &Graph, name: &str) -> bool {
        graph.name == *name || graph.children.iter().any(|child| holds(child, name))
    }
    let mut all_in_functions = true;
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    for finding in errors {
        let (Some(blueprint), Some(graph)) = (&finding.place.blueprint, &finding.place.graph)
        else {
            all_in_functions = false;
            continue;
        };
        let mut is_found = false;
        let units = compilation
            .units
            .iter_mut()
            .filter(|unit| unit.blueprint.name == **blueprint);
        for unit in units {
            let is_page = |page: &&Graph| page.kind == GraphKind::Event && holds(page, graph);
            let is_event_page = unit.blueprint.graphs.iter().any(|page| is_page(&page));
            for function in &mut unit.functions {
                let drawn = function.drawn.0;
                if holds(drawn, graph) || is_event_page && drawn.kind == GraphKind::Event {
                    function.has_errors = true;
                    is_found = true;
                }
            }
        }
        // An error inside a macro is that of the functions that use it, which know of it.
        is_found |= compilation
            .units
            .iter()
            .any(|unit| unit.functions.iter().any(|function| function.has_errors));
        all_in_functions &= is_found;
    }
    all_in_functions
}

/// Verifies a package against the declarations of its inputs.
///
/// # Errors
/// Every broken rule.
pub fn verify(package: Package, loaded: &Loaded) -> Result<Verified<Package>, Vec<VerifyError>> {
    verify::verify(package, &loaded.registry)
}

/// The class that `bpc run` makes an object of: of the first Blueprint, or of a compiled package the one
/// that bears the file's name, else the first that no other class of the package derives from.
pub fn main_class(loaded: &Loaded) -> Option<ObjectPath> {
    if let Some(blueprint) = loaded.blueprints.first() {
        return Some(blueprint.class_path.clone());
    }
    let input = loaded.compiled.first()?;
    let classes = || {
        input
            .package
            .classes
            .iter()
            .map(|compiled| &compiled.class)
            .filter(|class| !class.is_interface())
    };
    let stem = std::path::Path::new(&input.name).file_stem()?.to_str()?;
    let named = Name::new(format!("{stem}_C"));
    let found = classes()
        .find(|class| Name::new(class.path.name()) == named)
        .or_else(|| {
            classes().find(|class| {
                let is_parent =
                    classes().any(|other| other.super_class.as_ref() == Some(&class.path));
                class.kind == ClassKind::Blueprint && !is_parent
            })
        })
        .or_else(|| classes().next())?;
    Some(found.path.clone())
}

/// Why a script is shown up to some place only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The function.
    pub function: ObjectPath,
    /// Place and reason.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.function, self.message)
    }
}

/// The bytecode stored in an Unreal package, as a package of ours, with what could not be decoded, in order
/// of the functions. A script with a fault holds the statements before it.
///
/// Signatures of delegates that have a script stand among the functions too, at the end.
///
/// # Errors
/// A class or function record that cannot be read.
pub fn stored_package(
    stored: &bp_uasset::Package,
) -> Result<(Package, Vec<Fault>), bp_uasset::PackageError> {
    let references = bp_uasset::ScriptReferences::new(stored);
    let (dialect, layout) = (references.dialect(), references.layout());
    let scripts = bp_uasset::scripts(stored)?;
    let scripts: HashMap<&ObjectPath, &[u8]> = scripts
        .iter()
        .map(|script| (&script.path, script.bytes))
        .collect();
    let mut refs = Interner::new();
    let mut faults = Vec::new();
    let mut classes = Vec::new();
    for mut class in bp_uasset::classes(stored)? {
        let signatures: Vec<_> = class
            .delegates
            .iter()
            .filter(|(name, _)| scripts.contains_key(&class.path.member(name)))
            .map(|(name, signature)| (name.clone(), signature.clone()))
            .collect();
        class.functions.extend(signatures);
        let mut functions = Vec::new();
        for name in class.functions.keys() {
            let path = class.path.member(name);
            let mut function = CompiledFunction::default();
            if let Some(bytes) = scripts.get(&path) {
                let mut fault = None;
                let statements = match decode_script(bytes, dialect, layout, &references) {
                    Ok(script) => script.statements,
                    Err(failure) => {
                        fault = Some(failure.to_string());
                        failure.statements
                    }
                };
                match encode_script(&statements, dialect, Layout::Memory, &mut refs) {
                    Ok(encoded) => function.script = encoded.bytes,
                    Err(error) => fault = Some(error.to_string()),
                }
                faults.extend(fault.map(|message| Fault {
                    function: path,
                    message,
                }));
            }
            functions.push(function);
        }
        let ubergraph = class
            .functions
            .keys()
            .find(|name| name.as_str().starts_with("ExecuteUbergraph_"))
            .cloned();
        classes.push(CompiledClass {
            class,
            functions,
            defaults: Vec::new(),
            components: Vec::new(),
            timelines: Vec::new(),
            bindings: Vec::new(),
            ubergraph,
        });
    }
    let package = Package {
        engine: stored.engine(),
        references: refs.into_tables(),
        classes,
        structs: bp_uasset::structs(stored)?,
        enums: bp_uasset::enums(stored)?,
    };
    Ok((package, faults))
}

/// The scripts of a compiled package that cannot be decoded to their ends, in order of the functions.
pub fn faults(package: &Package) -> Vec<Fault> {
    functions(package, None)
        .filter_map(|(class, name, code)| {
            let failure = decode(package, code).err()?;
            Some(Fault {
                function: class.class.path.member(name),
                message: failure.to_string(),
            })
        })
        .collect()
}

/// The functions of a package with their classes, those named `only` if it is given.
pub fn functions<'p>(
    package: &'p Package,
    only: Option<&'p Name>,
) -> impl Iterator<Item = (&'p CompiledClass, &'p Name, &'p CompiledFunction)> {
    package
        .classes
        .iter()
        .flat_map(|class| {
            class
                .class
                .functions
                .keys()
                .zip(&class.functions)
                .map(move |(name, function)| (class, name, function))
        })
        .filter(move |(_, name, _)| only.is_none_or(|only| only == *name))
}

/// A function's bytes, one statement a line, long ones continued.
pub fn hex(
    package: &Package,
    class: &CompiledClass,
    name: &Name,
    code: &CompiledFunction,
) -> String {
    let head = format!(
        "{}.{name}: {}\n",
        class.class.path.name(),
        crate::report::counted(code.script.len(), "byte")
    );
    head + &match decode(package, code) {
        Ok(script) => listing::hex(&code.script, &script.statements, script.memory_size),
        Err(failure) => listing::hex(&code.script, &failure.statements, failure.statement),
    }
}

/// A function as the editor's log shows it, up to the first statement that cannot be decoded.
pub fn editor_listing(
    package: &Package,
    class: &CompiledClass,
    name: &Name,
    code: &CompiledFunction,
    registry: &Registry,
) -> String {
    let script = readable(package, code);
    let signature = &class.class.functions[name];
    listing::editor(package, class, signature, &script, registry)
}

/// A function's statements, up to the first that cannot be decoded.
pub fn readable(package: &Package, code: &CompiledFunction) -> Script {
    decode(package, code).unwrap_or_else(|failure| Script {
        memory_size: failure.statement,
        statements: failure.statements,
    })
}

fn decode(package: &Package, code: &CompiledFunction) -> Result<Script, DecodeFailure> {
    decode_script(
        &code.script,
        package.dialect(),
        Layout::Memory,
        &package.references,
    )
}
