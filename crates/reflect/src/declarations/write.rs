//! Declarations as the text that [`read`](super::read) takes.

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use super::json::FLAGS;
use crate::{
    Certainty, Class, Enum, EnumForm, Function, FunctionFlags, FunctionMeta, Name, ObjectPath,
    Property, PropertyFlags, PropertyType,
};

/// Classes and enums as a declaration file: one package, or a list of packages in the order in which
/// they are met. `origin` says where they are from.
///
/// What a file cannot say of a class (its variables' own flags) is left out; read again, the classes
/// declare the same to a compiler.
pub fn write(classes: &[Class], enums: &[Enum], origin: &str) -> String {
    let mut packages: Vec<(String, Map<String, Json>)> = Vec::new();
    let mut add = |path: &ObjectPath, list: &str, item: Json| {
        let name = path.package();
        let place = packages.iter().position(|(known, _)| known == name);
        let at = place.unwrap_or_else(|| {
            let mut package = Map::new();
            package.insert("package".to_owned(), json!(name));
            package.insert("origin".to_owned(), json!(origin));
            packages.push((name.to_owned(), package));
            packages.len() - 1
        });
        let list = packages[at].1.entry(list).or_insert_with(|| json!([]));
        if let Some(list) = list.as_array_mut() {
            list.push(item);
        }
    };
    for item in classes {
        add(&item.path, "classes", class(item));
    }
    for item in enums {
        add(&item.path, "enums", enumeration(item));
    }
    let packages: Vec<Json> = packages
        .into_iter()
        .map(|(_, package)| Json::Object(package))
        .collect();
    let mut out = String::new();
    match packages.as_slice() {
        [one] => print(&mut out, one, 0),
        list => print(&mut out, &Json::from(list), 0),
    }
    out.push('\n');
    out
}

/// Objects that fit a line stand in one; lists of them have a line for each item.
fn print(out: &mut String, json: &Json, depth: usize) {
    const WIDTH: usize = 110;
    let line = json.to_string();
    let (open, close, items): (char, char, Vec<(Option<&String>, &Json)>) = match json {
        Json::Object(map) if line.len() > WIDTH || depth == 0 => {
            let items = map.iter().map(|(key, value)| (Some(key), value));
            ('{', '}', items.collect())
        }
        Json::Array(list) if line.len() > WIDTH || depth == 0 => {
            ('[', ']', list.iter().map(|value| (None, value)).collect())
        }
        Json::Null
        | Json::Bool(_)
        | Json::Number(_)
        | Json::String(_)
        | Json::Array(_)
        | Json::Object(_) => {
            out.push_str(&line);
            return;
        }
    };
    out.push(open);
    for (idx, (key, value)) in items.iter().enumerate() {
        out.push_str(if idx == 0 { "\n" } else { ",\n" });
        let _ = write!(out, "{:width$}", "", width = depth * 2 + 2);
        if let Some(key) = key {
            let _ = write!(out, "{}: ", Json::from(key.as_str()));
        }
        print(out, value, depth + 1);
    }
    let _ = write!(out, "\n{:width$}{close}", "", width = depth * 2);
}

fn class(class: &Class) -> Json {
    let mut out = Map::new();
    out.insert("name".into(), json!(class.path.name()));
    // A null shows that it is to be filled in.
    out.insert("super".into(), json!(class.super_class.as_ref().map(short)));
    if class.is_interface() {
        out.insert("interface".into(), json!(true));
    }
    let interfaces: Vec<&str> = class.interfaces.iter().map(short).collect();
    put(&mut out, "implements", interfaces);
    let properties: Vec<Json> = class.properties.iter().map(property).collect();
    put(&mut out, "properties", properties);
    if let Some(n_replicated) = class.n_replicated {
        out.insert("replicated".into(), json!(n_replicated));
    }
    let functions: Vec<Json> = class.functions.values().map(function).collect();
    put(&mut out, "functions", functions);
    let delegates: Vec<Json> = class.delegates.values().map(function).collect();
    put(&mut out, "delegates", delegates);
    Json::Object(out)
}

fn put<T: Into<Json>>(out: &mut Map<String, Json>, key: &str, items: Vec<T>) {
    if !items.is_empty() {
        out.insert(key.to_owned(), Json::from(items));
    }
}

fn function(function: &Function) -> Json {
    let mut out = Map::new();
    out.insert("name".into(), json!(function.name.as_str()));
    let flags = |flags: FunctionFlags| {
        let words: Vec<&str> = FLAGS
            .iter()
            .filter(|(_, bits)| flags.contains(*bits))
            .map(|(word, _)| *word)
            .collect();
        words.join(" ")
    };
    out.insert("flags".into(), json!(flags(function.flags)));
    if function.certainty == Certainty::Inferred {
        out.insert("inferred".into(), json!(true));
    }
    let meta = &function.meta;
    let params = function.params.iter().map(|param| parameter(param, meta));
    put(&mut out, "params", params.collect());
    for (key, value) in [
        ("latent", meta.latent),
        ("optional_world_context", meta.optional_world_context),
        ("custom_thunk", meta.custom_thunk),
        ("internal_only", meta.internal_only),
    ] {
        if value {
            out.insert(key.into(), json!(true));
        }
    }
    if let Some(name) = &meta.world_context {
        out.insert("world_context".into(), json!(name.as_str()));
    }
    for (key, names) in [
        ("array_parm", &meta.array_parm),
        ("map_parm", &meta.map_parm),
        ("set_parm", &meta.set_parm),
        ("array_type_dependent", &meta.array_type_dependent),
        ("default_to_self", &meta.default_to_self),
        ("auto_create_ref", &meta.auto_create_ref),
        ("dynamic_output", &meta.dynamic_output),
        ("expand_enum_as_execs", &meta.expand_enum_as_execs),
    ] {
        put(&mut out, key, names.iter().map(Name::as_str).collect());
    }
    if let Some(name) = &meta.display_name {
        out.insert("display_name".into(), json!(name));
    }
    if !meta.uncertain.is_empty() {
        out.insert("uncertain".into(), json!(flags(meta.uncertain)));
    }
    Json::Object(out)
}

/// A parameter's line, or its object where the name does not fit a line.
fn parameter(param: &Property, meta: &FunctionMeta) -> Json {
    let is_hidden = meta.hidden.contains(&param.name);
    let is_advanced = meta.advanced.contains(&param.name);
    let is = |flag| param.flags.contains(flag);
    if !fits_a_line(param) {
        let mut flags = vec!["Parm"];
        for (word, flag) in [
            ("OutParm", PropertyFlags::OUT_PARM),
            ("ReturnParm", PropertyFlags::RETURN_PARM),
            ("ConstParm", PropertyFlags::CONST_PARM),
            ("ReferenceParm", PropertyFlags::REFERENCE_PARM),
        ] {
            if is(flag) {
                flags.push(word);
            }
        }
        let mut out = object(param, &flags);
        for (key, value) in [("hidden", is_hidden), ("advanced", is_advanced)] {
            if value {
                out.insert(key.into(), json!(true));
            }
        }
        return Json::Object(out);
    }
    let way = if is(PropertyFlags::RETURN_PARM) {
        "return"
    } else if is(PropertyFlags::REFERENCE_PARM) {
        "ref"
    } else if is(PropertyFlags::OUT_PARM) {
        "out"
    } else {
        ""
    };
    let words = [
        if is_hidden { "hidden" } else { "" },
        if is_advanced { "advanced" } else { "" },
        if is(PropertyFlags::CONST_PARM) {
            "const"
        } else {
            ""
        },
        way,
    ];
    Json::from(line(param, &words))
}

/// A variable's line, or its object.
fn property(property: &Property) -> Json {
    let is = |flag| property.flags.contains(flag);
    let known = [
        (
            "assignable",
            "BlueprintAssignable",
            PropertyFlags::BLUEPRINT_ASSIGNABLE,
        ),
        (
            "readonly",
            "BlueprintReadOnly",
            PropertyFlags::BLUEPRINT_READ_ONLY,
        ),
        (
            "instanced",
            "InstancedReference",
            PropertyFlags::INSTANCED_REFERENCE,
        ),
    ];
    if !fits_a_line(property) {
        let flags: Vec<&str> = known
            .iter()
            .filter(|(_, _, flag)| is(*flag))
            .map(|(_, word, _)| *word)
            .collect();
        return Json::Object(object(property, &flags));
    }
    let mut words: Vec<&str> = known
        .iter()
        .map(|(word, _, flag)| if is(*flag) { *word } else { "" })
        .collect();
    if is(PropertyFlags::TRANSIENT) {
        words.push("transient");
    }
    Json::from(line(property, &words))
}

fn fits_a_line(property: &Property) -> bool {
    let name = property.name.as_str();
    !name.is_empty() && !name.contains([' ', '='])
}

fn line(property: &Property, words: &[&str]) -> String {
    let mut out = String::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        let _ = write!(out, "{word} ");
    }
    for (key, name) in [("getter", &property.getter), ("setter", &property.setter)] {
        if let Some(name) = name {
            let _ = write!(out, "{key}={name} ");
        }
    }
    if let Some(net) = property.net_index {
        let _ = write!(out, "net={net} ");
    }
    if property.array_dim != 1 {
        let _ = write!(out, "dim={} ", property.array_dim);
    }
    let _ = write!(out, "{}: {}", property.name, type_text(&property.ty));
    match property.default.as_deref() {
        None => {}
        Some("") => out.push_str(" ="),
        Some(default) => {
            let _ = write!(out, " = {default}");
        }
    }
    out
}

fn object(property: &Property, flags: &[&str]) -> Map<String, Json> {
    let mut out = Map::new();
    out.insert("name".into(), json!(property.name.as_str()));
    out.insert("type".into(), json!(type_text(&property.ty)));
    put(&mut out, "flags", flags.to_vec());
    if let Some(default) = &property.default {
        out.insert("default".into(), json!(default));
    }
    if let Some(net) = property.net_index {
        out.insert("net".into(), json!(net));
    }
    if property.array_dim != 1 {
        out.insert("array_dim".into(), json!(property.array_dim));
    }
    for (key, name) in [("getter", &property.getter), ("setter", &property.setter)] {
        if let Some(name) = name {
            out.insert(key.into(), json!(name.as_str()));
        }
    }
    out
}

fn type_text(ty: &PropertyType) -> String {
    if *ty == PropertyType::Wildcard {
        return "?".to_owned();
    }
    let mut ty = ty.clone();
    ty.map_targets(&mut |target| *target = ObjectPath::new(short(target)));
    ty.to_string()
}

/// A path without the `/Script/` that the reader adds.
fn short(path: &ObjectPath) -> &str {
    path.as_str()
        .strip_prefix("/Script/")
        .unwrap_or(path.as_str())
}

fn enumeration(enumeration: &Enum) -> Json {
    let entries: Vec<Json> = enumeration
        .entries
        .iter()
        .map(|entry| {
            let name = entry.name.as_str();
            if entry.display_name.is_none() && !entry.hidden && !name.contains('=') {
                return match entry.value {
                    Some(value) => json!(format!("{name}={value}")),
                    None => json!(name),
                };
            }
            let mut out = Map::new();
            out.insert("name".into(), json!(name));
            if let Some(value) = entry.value {
                out.insert("value".into(), json!(value));
            }
            if let Some(shown) = &entry.display_name {
                out.insert("display_name".into(), json!(shown));
            }
            if entry.hidden {
                out.insert("hidden".into(), json!(true));
            }
            Json::Object(out)
        })
        .collect();
    let form = match enumeration.form {
        EnumForm::Byte => "byte",
        EnumForm::EnumClass => "enum_class",
    };
    json!({"name": enumeration.path.name(), "form": form, "entries": entries})
}
