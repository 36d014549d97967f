//! The structs and enums that a file defines.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use bp_diag::{Code, Diagnostic, Diagnostics, Place};
use bp_reflect::{
    Enum, EnumEntry, EnumForm, Name, NativeParts, ObjectPath, Property, PropertyFlags,
    PropertyType, Registry, Struct,
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::Fields;
use super::members::{default_text, raw_default, type_of};
use super::schema;
use super::tree::{Kind, Tree};
use crate::Blueprint;

/// The path of a struct or enum that is given by name.
pub(crate) fn asset_path(name: &str) -> ObjectPath {
    if name.starts_with('/') {
        ObjectPath::new(name)
    } else {
        ObjectPath::new(format!("/Game/{name}.{name}"))
    }
}

pub(crate) fn empty_struct(path: ObjectPath) -> Struct {
    Struct {
        path,
        super_struct: None,
        members: Vec::new(),
        is_complete: true,
        native_size: None,
        native_parts: NativeParts::default(),
    }
}

pub(crate) fn enumeration(tree: &Tree, place: &Place, out: &mut Diagnostics) -> Option<Enum> {
    let fields = Fields::open(tree, "an enum", schema::enum_keys(), place.clone(), out)?;
    let (name, _) = fields.name("name", out)?;
    let mut found = Enum {
        path: asset_path(name),
        form: EnumForm::Byte,
        entries: Vec::new(),
    };
    let mut next = 0_i64;
    for item in fields.list("entries", out) {
        let (text, value, shown) = match &item.kind {
            Kind::String(text) => (Some(text.as_str()), None, None),
            Kind::Object(_) => {
                let entry = Fields::open_unchecked(item, "an enum entry", place.clone(), out)?;
                entry.check(
                    "an enum entry",
                    &["name", "value", "display_name"],
                    &["name"],
                    out,
                );
                (
                    entry.name("name", out).map(|(text, _)| text),
                    entry.int("value", 0..=255, out),
                    entry
                        .text("display_name", out)
                        .map(|(text, _)| text.to_owned()),
                )
            }
            _ => {
                fields.wrong("entries", "a list of names", item, out);
                continue;
            }
        };
        let Some(text) = text else { continue };
        let entry_name = Name::new(text);
        if found.entries.iter().any(|entry| entry.name == entry_name) {
            out.push(
                Diagnostic::new(
                    Code::DuplicateName,
                    format!("the entry `{text}` stands twice"),
                )
                .at(item.span)
                .place(place.clone()),
            );
            continue;
        }
        let value = value.unwrap_or(next);
        if value > 255 {
            out.push(
                Diagnostic::new(Code::BadValue, "an enum has at most 256 entries")
                    .at(item.span)
                    .place(place.clone()),
            );
            break;
        }
        next = value + 1;
        found.entries.push(EnumEntry {
            name: entry_name,
            value: Some(value),
            display_name: shown,
            hidden: false,
        });
    }
    Some(found)
}

/// Members of the structs, now that all types have names.
pub(crate) fn structs(
    fields: &Fields<'_>,
    blueprint: &Blueprint,
    registry: &mut Registry,
    out: &mut Diagnostics,
) {
    // Read twice: a default may name a member of a struct that stands further down.
    let items = fields.list("structs", &mut Diagnostics::new());
    for is_last in [false, true] {
        let mut found = Diagnostics::new();
        for item in items {
            if let Some(structure) = structure(item, fields, blueprint, registry, &mut found) {
                let other = registry.structure(&structure.path);
                if !is_last && other.is_some_and(|other| !members_fit(other, &structure)) {
                    out.push(two_definitions("struct", &structure.path, item, fields));
                }
                registry.add_struct(structure);
            }
        }
        if is_last {
            out.append(found);
        }
    }
}

/// Whether two definitions of one struct have the same members; one without any is a forward declaration.
fn members_fit(one: &Struct, other: &Struct) -> bool {
    let members = |of: &Struct| -> Vec<_> {
        let members = of.members.iter();
        members
            .map(|member| (member.name.clone(), member.ty.clone()))
            .collect()
    };
    one.members.is_empty() || members(one) == members(other)
}

/// Files read together share their structs and enums, so that two definitions of one name must agree.
pub(crate) fn two_definitions(
    what: &str,
    path: &ObjectPath,
    item: &Tree,
    fields: &Fields<'_>,
) -> Diagnostic {
    Diagnostic::new(
        Code::DuplicateName,
        format!("the {what} {} is defined twice, differently", path.name()),
    )
    .at(item.get("name").map_or(item.span, |name| name.span))
    .place(fields.place.clone())
    .hint("rename one of them, or give both the same content")
}

/// The structs that a value of a type is made of, those in containers too.
fn structs_in(ty: &PropertyType) -> Vec<ObjectPath> {
    match ty {
        PropertyType::Struct(inner) => vec![inner.clone()],
        PropertyType::Array(inner) | PropertyType::Set(inner) => structs_in(inner),
        PropertyType::Map(entry) => [structs_in(&entry.0), structs_in(&entry.1)].concat(),
        _ => Vec::new(),
    }
}

fn held_by(path: &ObjectPath, registry: &Registry) -> Vec<ObjectPath> {
    let members = registry.structure(path).map(|found| &found.members);
    members
        .into_iter()
        .flatten()
        .flat_map(|member| structs_in(&member.ty))
        .collect()
}

/// The structs that circles can go through: all that `roots` are made of, less those that hold none such,
/// again and again, so that a long chain costs its length once.
fn holders_in_doubt(
    roots: impl Iterator<Item = ObjectPath>,
    registry: &Registry,
) -> FxHashSet<ObjectPath> {
    let mut n_held: FxHashMap<ObjectPath, usize> = FxHashMap::default();
    let mut holders: FxHashMap<ObjectPath, Vec<ObjectPath>> = FxHashMap::default();
    let mut done = Vec::new();
    let mut work: Vec<ObjectPath> = roots.collect();
    while let Some(path) = work.pop() {
        if n_held.contains_key(&path) {
            continue;
        }
        let held = held_by(&path, registry);
        n_held.insert(path.clone(), held.len());
        if held.is_empty() {
            done.push(path);
            continue;
        }
        for inner in held {
            holders.entry(inner.clone()).or_default().push(path.clone());
            work.push(inner);
        }
    }
    let mut in_doubt: FxHashSet<ObjectPath> = n_held.keys().cloned().collect();
    while let Some(path) = done.pop() {
        in_doubt.remove(&path);
        for holder in holders.remove(&path).into_iter().flatten() {
            let n_left = n_held.get_mut(&holder).expect("every holder is counted");
            *n_left -= 1;
            if *n_left == 0 {
                done.push(holder);
            }
        }
    }
    in_doubt
}

/// A struct that holds itself through others or in containers could have no size. Its members are taken away.
pub(crate) fn struct_circles(fields: &Fields<'_>, registry: &mut Registry, out: &mut Diagnostics) {
    let items = fields.list("structs", &mut Diagnostics::new());
    let path_of = |item: &Tree| {
        item.get("name")
            .map(|name| asset_path(name.as_str().unwrap_or_default()))
    };
    let in_doubt = holders_in_doubt(items.iter().filter_map(path_of), registry);
    for item in items {
        let Some((name, path)) = item.get("name").zip(path_of(item)) else {
            continue;
        };
        if !in_doubt.contains(&path) {
            continue;
        }
        let held = |path: &ObjectPath| held_by(path, registry);
        let mut seen: FxHashSet<ObjectPath> = FxHashSet::default();
        let mut work = held(&path);
        let mut holds_itself = false;
        while let Some(next) = work.pop() {
            if next == path {
                holds_itself = true;
                break;
            }
            if in_doubt.contains(&next) && seen.insert(next.clone()) {
                work.extend(held(&next));
            }
        }
        if holds_itself {
            out.push(
                Diagnostic::new(
                    Code::VarBadType,
                    format!(
                        "{} holds itself, through other structs or in a container",
                        path.name()
                    ),
                )
                .at(name.span)
                .place(fields.place.clone()),
            );
            registry.add_struct(empty_struct(path));
        }
    }
}

fn structure(
    tree: &Tree,
    parent: &Fields<'_>,
    blueprint: &Blueprint,
    registry: &Registry,
    out: &mut Diagnostics,
) -> Option<Struct> {
    let fields = Fields::open(
        tree,
        "a struct",
        schema::struct_keys(),
        parent.place.clone(),
        out,
    )?;
    let (name, _) = fields.name("name", out)?;
    let mut structure = empty_struct(asset_path(name));
    for item in fields.list("members", out) {
        let Some(member) = Fields::open(
            item,
            "a struct member",
            schema::member_keys(),
            fields.place.clone(),
            out,
        ) else {
            continue;
        };
        let Some((name, name_span)) = member.name("name", out) else {
            continue;
        };
        let Some(ty) = type_of(&member, "type", blueprint, registry, out) else {
            continue;
        };
        if structure.members.iter().any(|other| other.name == *name) {
            out.push(
                Diagnostic::new(
                    Code::DuplicateName,
                    format!("the member `{name}` stands twice"),
                )
                .at(name_span)
                .place(fields.place.clone()),
            );
            continue;
        }
        let default = match raw_default(&member, out) {
            Some(text) => Some(text),
            None => member
                .tree("default")
                .and_then(|tree| default_text(tree, &ty, blueprint, registry, &fields.place, out)),
        };
        let Some(property) = ty.to_property(registry, blueprint.engine) else {
            continue;
        };
        if property == PropertyType::Struct(structure.path.clone()) {
            out.push(
                Diagnostic::new(Code::VarBadType, format!("{name} would hold itself"))
                    .at(member.tree("type").map(|tree| tree.span))
                    .place(fields.place.clone()),
            );
            continue;
        }
        let mut property = Property::new(
            name,
            property,
            PropertyFlags::EDIT | PropertyFlags::BLUEPRINT_VISIBLE,
        );
        property.default = default;
        structure.members.push(property);
    }
    Some(structure)
}
