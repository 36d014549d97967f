//! Whether what the package declares can be laid out in memory.

use bp_reflect::{Name, ObjectPath, Property, PropertyType, Struct, link};
use rustc_hash::FxHashMap;

use super::world::World;
use super::{Report, Rule, VerifyError};
use crate::Package;

/// Most words of a struct value or of a function's frame: what a chain of calls may pile up stays
/// within the memory of any machine. The engine's own limit, its stack, is below this.
const MAX_FRAME_WORDS: u32 = 1 << 16;

/// Most words of an object.
const MAX_OBJECT_WORDS: u32 = 1 << 20;

/// Checks structs, classes and functions of the package.
pub(super) fn check(package: &Package, world: &World<'_>, report: &mut Report) {
    let registry = world.linked();
    for structure in &package.structs {
        if let Err(error) = link::link_struct(structure, registry, package.engine) {
            refuse(report, None, None, error.to_string());
            continue;
        }
        let ty = PropertyType::Struct(structure.path.clone());
        too_large(
            report,
            (None, None),
            structure.path.as_str(),
            link::words(&ty, registry),
            MAX_FRAME_WORDS,
        );
    }
    for path in circles(package) {
        refuse(report, None, None, format!("{path} holds values of itself"));
    }
    for compiled in &package.classes {
        let class = &compiled.class;
        let place = Some(&class.path);
        match link::link_class(class, registry, package.engine) {
            Ok(layout) => too_large(
                report,
                (place, None),
                "an object",
                layout.words,
                MAX_OBJECT_WORDS,
            ),
            Err(error) => refuse(report, place, None, error.to_string()),
        }
        for (name, function) in &class.functions {
            match link::link_function(function, registry, package.engine) {
                Ok(layout) => too_large(
                    report,
                    (place, Some(name)),
                    "the frame",
                    layout.words,
                    MAX_FRAME_WORDS,
                ),
                Err(error) => refuse(report, place, Some(name), error.to_string()),
            }
        }
        if !class.is_blueprint() {
            continue;
        }
        let of_functions = class.functions.iter().flat_map(|(name, function)| {
            let variables = function.params.iter().chain(&function.locals);
            variables.map(move |variable| (Some(name), variable))
        });
        let own = class.properties.iter().map(|property| (None, property));
        for (name, variable) in own.chain(of_functions) {
            c_array(report, place, name, variable);
        }
    }
}

/// Structs of the package that hold values of themselves, one of each circle.
fn circles(package: &Package) -> Vec<&ObjectPath> {
    let structs: FxHashMap<&ObjectPath, &Struct> = package
        .structs
        .iter()
        .map(|structure| (&structure.path, structure))
        .collect();
    let mut found = Vec::new();
    // Structs that were entered, and whether they were left again.
    let mut entered: FxHashMap<&ObjectPath, bool> = FxHashMap::default();
    for structure in &package.structs {
        let mut open = vec![(&structure.path, false)];
        while let Some((path, is_left)) = open.pop() {
            if is_left {
                entered.insert(path, true);
                continue;
            }
            match entered.get(path) {
                Some(true) => continue,
                Some(false) => {
                    found.push(path);
                    continue;
                }
                None => {}
            }
            let Some(structure) = structs.get(path) else {
                continue;
            };
            entered.insert(path, false);
            open.push((path, true));
            let inner = World::inner_structs(structure).into_iter();
            open.extend(inner.map(|path| (path, false)));
        }
    }
    found
}

/// Blueprints have no C arrays, and no instruction works on one.
fn c_array(
    report: &mut Report,
    class: Option<&ObjectPath>,
    function: Option<&Name>,
    variable: &Property,
) {
    if variable.array_dim > 1 {
        let message = format!(
            "{} is a C array of {} elements",
            variable.name, variable.array_dim
        );
        refuse(report, class, function, message);
    }
}

fn too_large(
    report: &mut Report,
    (class, function): (Option<&ObjectPath>, Option<&Name>),
    what: &str,
    words: u32,
    limit: u32,
) {
    if words > limit {
        let message = format!("{what} takes {words} words, {limit} are allowed");
        refuse(report, class, function, message);
    }
}

fn refuse(
    report: &mut Report,
    class: Option<&ObjectPath>,
    function: Option<&Name>,
    message: String,
) {
    report.errors.push(VerifyError {
        class: class.cloned(),
        function: function.cloned(),
        offset: None,
        rule: Rule::Layout,
        message,
        bytes: Vec::new(),
    });
}
