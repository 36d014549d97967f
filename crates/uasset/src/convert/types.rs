//! User-defined structs and enums.

use bp_reflect::{Enum, EnumEntry, EnumForm, Name, NativeParts, ObjectPath, Struct};

use super::classes::property_of;
use super::values::{property_value, value_text};
use crate::{EnumData, Package, PackageError, Properties, ScriptStructData, Value};

/// The structs that a package defines, in table order. Structs that the compiler of an animation
/// Blueprint makes for itself are left out.
///
/// # Errors
/// The first struct that cannot be read.
pub fn structs(package: &Package) -> Result<Vec<Struct>, PackageError> {
    package
        .exports_of_class(|class| class == "UserDefinedStruct")
        .into_iter()
        .map(|export| Ok(struct_of(package, &package.script_struct(export)?)))
        .collect()
}

/// The enums that a package defines, in table order.
///
/// # Errors
/// The first enum that cannot be read.
pub fn enums(package: &Package) -> Result<Vec<Enum>, PackageError> {
    package
        .exports_of_class(|class| class == "UserDefinedEnum")
        .into_iter()
        .map(|export| Ok(enum_of(package, &package.enumeration(export)?)))
        .collect()
}

fn struct_of(package: &Package, data: &ScriptStructData) -> Struct {
    let base = &data.base;
    let members = base.properties.iter().map(|stored| {
        let mut member = property_of(package, stored);
        let defaults = data.defaults.as_ref();
        let default = defaults.and_then(|defaults| defaults.get(member.name.as_str()));
        member.default = default
            .filter(|value| value.unknown_part().is_none())
            .map(|value| value_text(&property_value(package, value)));
        member
    });
    Struct {
        path: ObjectPath::new(package.path(base.index)),
        super_struct: package.object_path(base.super_struct),
        members: members.collect(),
        is_complete: true,
        native_size: None,
        native_parts: NativeParts::default(),
    }
}

fn enum_of(package: &Package, data: &EnumData) -> Enum {
    let mut entries: Vec<_> = data
        .entries
        .iter()
        .map(|(name, value)| {
            let name = Name::from(name);
            let short = name
                .as_str()
                .rsplit_once("::")
                .map_or(name.as_str(), |(_, short)| short);
            EnumEntry {
                display_name: display_name(&data.object, short),
                name: Name::new(short),
                value: Some(*value),
                hidden: false,
            }
        })
        .collect();
    // The engine adds the closing entry itself.
    entries.pop_if(|entry| {
        let name = entry.name.as_str().to_ascii_uppercase();
        name == "MAX" || name.ends_with("_MAX")
    });
    Enum {
        path: ObjectPath::new(package.path(data.index)),
        form: EnumForm::Byte,
        entries,
    }
}

/// What the editor shows for an entry; a map from entries to texts, which the corpus has no sample of.
fn display_name(object: &Properties, entry: &str) -> Option<String> {
    let Some(Value::Map(pairs)) = object.get("DisplayNameMap") else {
        return None;
    };
    pairs.iter().find_map(|(key, shown)| {
        let Value::Text(text) = shown else {
            return None;
        };
        let is_entry = key.as_name().is_some_and(|name| name.is(entry));
        is_entry.then(|| text.source().map(str::to_owned))?
    })
}
