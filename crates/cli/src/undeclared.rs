//! What the inputs refer to and nothing declares, as a declaration file to be completed.

use bp_reflect::{Certainty, Class, declarations};

use crate::load::Loaded;

/// Classes, members and enums that were inferred from the nodes of the inputs, as text that
/// `--declarations` takes; none if everything is declared.
///
/// Types that pins do not tell are `?`, flags are those that most functions of the kind have, and each
/// function says `inferred` until someone has looked at it.
pub fn skeleton(loaded: &Loaded) -> Option<String> {
    let is_own = |class: &Class| {
        let mut own = loaded.blueprints.iter();
        own.any(|blueprint| blueprint.class_path == class.path)
    };
    let mut classes = Vec::new();
    for class in loaded.registry.classes().filter(|class| !is_own(class)) {
        let Some(declared) = loaded.declared.class(&class.path) else {
            classes.push(class.clone());
            continue;
        };
        let mut more = Class::new(class.path.clone(), class.super_class.clone(), class.kind);
        more.interfaces.clone_from(&class.interfaces);
        more.functions.extend(
            class
                .functions
                .iter()
                .filter(|(name, function)| {
                    function.certainty == Certainty::Inferred
                        && !declared.functions.contains_key(*name)
                })
                .map(|(name, function)| (name.clone(), function.clone())),
        );
        more.properties.extend(
            class
                .properties
                .iter()
                .filter(|property| declared.property(&property.name).is_none())
                .cloned(),
        );
        if more.functions.is_empty() && more.properties.is_empty() {
            continue;
        }
        // A declaration replaces the class that is declared, so it holds that class's members too.
        for (name, function) in &declared.functions {
            more.functions.insert(name.clone(), function.clone());
        }
        more.properties.extend(declared.properties.iter().cloned());
        more.delegates.clone_from(&declared.delegates);
        classes.push(more);
    }
    let enums: Vec<_> = loaded
        .registry
        .enums()
        .filter(|found| loaded.declared.enumeration(&found.path).is_none())
        .cloned()
        .collect();
    if classes.is_empty() && enums.is_empty() {
        return None;
    }
    let names: Vec<String> = loaded
        .blueprints
        .iter()
        .take(3)
        .map(|blueprint| blueprint.name.to_string())
        .collect();
    let origin = format!(
        "inferred from the nodes of {}{}; flags, `?` types and enum values are to be completed",
        names.join(", "),
        if loaded.blueprints.len() > names.len() {
            " and others"
        } else {
            ""
        }
    );
    Some(declarations::write(&classes, &enums, &origin))
}
