//! Reading a declaration file: our compact form and the form of research databases, in which a
//! parameter is an object and evidence stands beside each entry. The two may be mixed.

use serde_json::{Map, Value as Json};

use super::raw::{RawClass, RawFunction, RawPackage, RawProperty, RawStruct};
use crate::{
    EngineVersion, Enum, EnumEntry, EnumForm, FunctionFlags, FunctionMeta, Name, ObjectPath,
    PropertyFlags, PropertyType, TypeParseError,
};

/// Why a declaration file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    /// The text is not JSON.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What the JSON reader found.
        message: String,
    },
    /// A part of the file does not have the form it should.
    #[error("{at}: expected {expected}, found {found}")]
    Shape {
        /// The part: `classes[2] Actor: functions[0]`.
        at: String,
        /// The form, with its article.
        expected: &'static str,
        /// What stands there, shortened.
        found: String,
    },
    /// A key that means nothing there.
    #[error("{at}: unknown key `{key}`")]
    UnknownKey {
        /// The part.
        at: String,
        /// The key.
        key: String,
    },
    /// A type cannot be read.
    #[error("{at}: {error}")]
    Type {
        /// The part.
        at: String,
        /// What is wrong with the type.
        error: TypeParseError,
    },
    /// No flag of that name.
    #[error("{at}: `{flag}` is no flag")]
    Flag {
        /// The part.
        at: String,
        /// The name.
        flag: String,
    },
}

type Result<T, E = DeclarationError> = std::result::Result<T, E>;

impl DeclarationError {
    /// The same error, seen from the part that holds the place.
    fn inside(mut self, outer: &str) -> Self {
        match &mut self {
            Self::Syntax { .. } => {}
            Self::Shape { at, .. }
            | Self::UnknownKey { at, .. }
            | Self::Type { at, .. }
            | Self::Flag { at, .. } => {
                *at = if at.is_empty() {
                    outer.to_owned()
                } else {
                    format!("{outer}: {at}")
                };
            }
        }
        self
    }
}

/// Reads one file.
pub(crate) fn read(text: &str) -> Result<RawPackage> {
    let json: Json = serde_json::from_str(text).map_err(|error| DeclarationError::Syntax {
        line: error.line(),
        column: error.column(),
        message: match error.to_string().split_once(" at line ") {
            Some((message, _)) => message.to_owned(),
            None => error.to_string(),
        },
    })?;
    let Json::Array(files) = &json else {
        return package(&json);
    };
    let mut all = RawPackage::default();
    for (at, file) in files.iter().enumerate() {
        let found = package(file).map_err(|e| e.inside(&format!("packages[{at}]")))?;
        all.classes.extend(found.classes);
        all.structs.extend(found.structs);
        all.enums.extend(found.enums);
        all.delegates.extend(found.delegates);
    }
    Ok(all)
}

fn package(json: &Json) -> Result<RawPackage> {
    let file = object(json).map_err(|e| e.inside("file"))?;
    check_keys(
        file,
        &[
            "package",
            "origin",
            "classes",
            "delegates",
            "structs",
            "enums",
        ],
    )
    .map_err(|e| e.inside("file"))?;
    let package = string(file, "package")?
        .ok_or_else(|| shape("a package such as /Script/Engine", json).inside("package"))?;
    let path = |name: &Name| ObjectPath::new(format!("{package}.{name}"));
    Ok(RawPackage {
        classes: list(file, "classes", |item| class(item, &path))?,
        structs: list(file, "structs", |item| structure(item, &path))?,
        enums: list(file, "enums", |item| enumeration(item, &path))?,
        delegates: list(file, "delegates", |item| {
            function(item).map(|signature| (path(&signature.name), signature))
        })?,
    })
}

fn class(json: &Json, path: &dyn Fn(&Name) -> ObjectPath) -> Result<RawClass> {
    let map = object(json)?;
    check_keys(
        map,
        &[
            "name",
            "super",
            "super_evidence",
            "interface",
            "implements",
            "properties",
            "replicated",
            "functions",
            "delegates",
        ],
    )?;
    let mut properties = list(map, "properties", property)?;
    let mut functions = list(map, "functions", |item| {
        Ok((function(item)?, is_seen_in_code_only(item)))
    })?;
    for property in &mut properties {
        find_accessors(property, &functions);
        for (function, _) in &mut functions {
            if property.getter.as_ref() == Some(&function.name) {
                function.flags |= FunctionFlags::BLUEPRINT_PURE;
            }
        }
    }
    Ok(RawClass {
        path: path(&name(map)?),
        super_class: string(map, "super")?.map(full_path),
        interfaces: words(map, "implements")?
            .iter()
            .map(|text| full_path(text))
            .collect(),
        is_interface: boolean(map, "interface")?,
        properties,
        replicated: number(map, "replicated")?,
        functions: functions
            .into_iter()
            .map(|(function, _)| function)
            .collect(),
        delegates: list(map, "delegates", function)?,
    })
}

/// Whether all evidence for a function of a research database is calls in bytecode: no node calls it.
fn is_seen_in_code_only(json: &Json) -> bool {
    let evidence = json.get("evidence").and_then(Json::as_array);
    evidence.is_some_and(|list| {
        let mut texts = list.iter().filter_map(Json::as_str);
        !list.is_empty() && texts.all(|text| text.starts_with("bytecode:"))
    })
}

/// A function that bytecode calls and no node does is called in place of a variable: of the one whose name it has
/// (`Value` with `GetValue` and `SetValue`, `bIsChecked` with `IsChecked` and `SetIsChecked`). A getter is pure.
///
/// Source: 12 of 15 such functions of the database have such a name.
fn find_accessors(property: &mut RawProperty, functions: &[(RawFunction, bool)]) {
    let name = property.name.as_str();
    let bare = name
        .strip_prefix('b')
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        .unwrap_or(name);
    let find = |heads: &[&str], n_inputs: usize, n_outputs: usize| {
        let fits = |function: &RawFunction, is_exact: bool| {
            let is_output = |param: &&RawProperty| param.flags.contains(PropertyFlags::OUT_PARM);
            let text = function.name.as_str();
            let tail = heads
                .iter()
                .find_map(|head| text.strip_prefix(head)?.strip_prefix(bare));
            let is_named = tail.is_some_and(|tail| {
                if is_exact {
                    tail.is_empty()
                } else {
                    tail.starts_with('_')
                }
            });
            let found_outputs = function.params.iter().filter(is_output).count();
            is_named && found_outputs == n_outputs && function.params.len() == n_inputs + n_outputs
        };
        [true, false].into_iter().find_map(|is_exact| {
            let mut in_code = functions.iter().filter(|(_, is_in_code)| *is_in_code);
            let found = in_code.find(|(function, _)| fits(function, is_exact));
            found.map(|(function, _)| function.name.clone())
        })
    };
    if property.getter.is_none() {
        property.getter = find(&["Get", ""], 0, 1);
    }
    if property.setter.is_none() {
        property.setter = find(&["Set"], 1, 0);
    }
}

fn structure(json: &Json, path: &dyn Fn(&Name) -> ObjectPath) -> Result<RawStruct> {
    let map = object(json)?;
    check_keys(
        map,
        &[
            "name",
            "super",
            "size_ue4",
            "size_ue5",
            "sizes",
            "sizes_seen",
            "members",
            "complete",
            "literal_args",
            "literal_ue4",
            "literal_ue5",
            "make",
            "break",
            "native_make_break",
            "split_pins",
            "evidence",
        ],
    )?;
    let mut make = string(map, "make")?.map(full_path);
    let mut break_ = string(map, "break")?.map(full_path);
    for text in words(map, "native_make_break")? {
        let (library, function) = text.rsplit_once('.').unwrap_or(("", &text));
        let place = if function.starts_with("Make") {
            &mut make
        } else {
            &mut break_
        };
        *place = Some(full_path(library).member(function));
    }
    let literal = |ours: &str, generation: &str| -> Result<Option<Vec<Name>>> {
        let (map, key) = match map.get("literal_args").and_then(Json::as_object) {
            Some(inner) => (inner, generation),
            None => (map, ours),
        };
        if !map.contains_key(key) {
            return Ok(None);
        }
        Ok(Some(words(map, key)?.iter().map(Name::new).collect()))
    };
    Ok(RawStruct {
        path: path(&name(map)?),
        super_struct: string(map, "super")?.map(full_path),
        members: list(map, "members", property)?,
        is_complete: boolean(map, "complete")?,
        sizes: sizes(map)?,
        literals: [
            literal("literal_ue4", "ue4")?,
            literal("literal_ue5", "ue5")?,
        ],
        make,
        break_,
    })
}

/// `size_ue4`, `size_ue5`, and between them what `sizes` says of single versions: `{"4.25": 72}`.
fn sizes(map: &Map<String, Json>) -> Result<Vec<(EngineVersion, Option<u32>)>> {
    let mut sizes = vec![
        (EngineVersion::new(4, 0), number(map, "size_ue4")?),
        (EngineVersion::new(5, 0), number(map, "size_ue5")?),
    ];
    if let Some(json) = map.get("sizes") {
        let by_version = object(json).map_err(|error| error.inside("sizes"))?;
        for version in by_version.keys() {
            let since = parse_version(version).map_err(|error| error.inside("sizes"))?;
            let size = number(by_version, version).map_err(|error| error.inside("sizes"))?;
            sizes.push((since, size));
        }
        sizes.sort_by_key(|(since, _)| *since);
    }
    Ok(sizes)
}

fn enumeration(json: &Json, path: &dyn Fn(&Name) -> ObjectPath) -> Result<Enum> {
    let map = object(json)?;
    check_keys(map, &["name", "form", "entries", "evidence"])?;
    Ok(Enum {
        path: path(&name(map)?),
        form: match string(map, "form")? {
            None | Some("byte") => EnumForm::Byte,
            Some("enum_class") => EnumForm::EnumClass,
            Some(other) => {
                return Err(shape("`byte` or `enum_class`", &Json::from(other)).inside("form"));
            }
        },
        entries: list(map, "entries", entry)?,
    })
}

fn entry(json: &Json) -> Result<EnumEntry> {
    let new = |name: &str, value| EnumEntry {
        name: Name::new(name),
        value,
        display_name: None,
        hidden: false,
    };
    if let Json::String(text) = json {
        let Some((name, value)) = text.split_once('=') else {
            return Ok(new(text, None));
        };
        let value = value
            .parse()
            .map_err(|_| shape("`Name` or `Name=3`", json))?;
        return Ok(new(name, Some(value)));
    }
    let map = object(json)?;
    check_keys(map, &["name", "value", "src", "display_name", "hidden"])?;
    Ok(EnumEntry {
        display_name: string(map, "display_name")?.map(str::to_owned),
        hidden: boolean(map, "hidden")?,
        ..new(name(map)?.as_str(), map.get("value").and_then(Json::as_i64))
    })
}

fn function(json: &Json) -> Result<RawFunction> {
    let map = object(json)?;
    check_keys(
        map,
        &[
            "name",
            "name_in_signatures",
            "flags",
            "uncertain",
            "final_since",
            "final_before",
            "final_until",
            "inferred",
            "params",
            "params_source",
            "latent",
            "world_context",
            "optional_world_context",
            "custom_thunk",
            "internal_only",
            "array_parm",
            "map_parm",
            "set_parm",
            "array_type_dependent",
            "default_to_self",
            "auto_create_ref",
            "dynamic_output",
            "expand_enum_as_execs",
            "display_name",
            "dropped_pins",
            "evidence",
            "seen",
            "note",
        ],
    )?;
    let mut hidden = Vec::new();
    let mut advanced = Vec::new();
    let params = list(map, "params", |item| {
        let param = parameter(item)?;
        if param.hidden {
            hidden.push(param.property.name.clone());
        }
        if param.advanced {
            advanced.push(param.property.name.clone());
        }
        Ok(param.property)
    })?;
    let names = |key| -> Result<Vec<Name>> { Ok(words(map, key)?.iter().map(Name::new).collect()) };
    let guessed = string(map, "params_source")?.is_some_and(|source| source != "known")
        || map.get("params").is_some_and(Json::is_null);
    Ok(RawFunction {
        name: name(map)?,
        flags: function_flags(map, "flags")?,
        final_since: version(map, "final_since")?,
        final_before: match version(map, "final_before")? {
            None => version(map, "final_until")?,
            before => before,
        },
        inferred: guessed || boolean(map, "inferred")?,
        params,
        meta: FunctionMeta {
            latent: boolean(map, "latent")?,
            world_context: string(map, "world_context")?.map(Name::new),
            optional_world_context: boolean(map, "optional_world_context")?,
            custom_thunk: boolean(map, "custom_thunk")?,
            internal_only: boolean(map, "internal_only")?,
            array_parm: names("array_parm")?,
            map_parm: names("map_parm")?,
            set_parm: names("set_parm")?,
            array_type_dependent: names("array_type_dependent")?,
            default_to_self: names("default_to_self")?,
            auto_create_ref: names("auto_create_ref")?,
            dynamic_output: names("dynamic_output")?,
            expand_enum_as_execs: names("expand_enum_as_execs")?,
            hidden,
            advanced,
            display_name: string(map, "display_name")?.map(str::to_owned),
            uncertain: function_flags(map, "uncertain")?,
        },
    })
}

struct Parameter {
    property: RawProperty,
    hidden: bool,
    advanced: bool,
}

fn parameter(json: &Json) -> Result<Parameter> {
    let mut hidden = false;
    let mut advanced = false;
    let mut property = if let Json::String(text) = json {
        property_line(text, &mut |word, flags| {
            match word {
                "hidden" => hidden = true,
                "advanced" => advanced = true,
                "const" => *flags |= PropertyFlags::CONST_PARM,
                "ref" => *flags |= PropertyFlags::OUT_PARM | PropertyFlags::REFERENCE_PARM,
                "out" => *flags |= PropertyFlags::OUT_PARM,
                "return" => *flags |= PropertyFlags::OUT_PARM | PropertyFlags::RETURN_PARM,
                _ => return false,
            }
            true
        })?
    } else {
        let map = object(json)?;
        hidden = boolean(map, "hidden")?;
        advanced = boolean(map, "advanced")?;
        property_object(map)?
    };
    property.flags |= PropertyFlags::PARM;
    Ok(Parameter {
        property,
        hidden,
        advanced,
    })
}

fn property(json: &Json) -> Result<RawProperty> {
    let mut property = if let Json::String(text) = json {
        property_line(text, &mut |word, flags| {
            match word {
                "assignable" => *flags |= PropertyFlags::BLUEPRINT_ASSIGNABLE,
                "readonly" => *flags |= PropertyFlags::BLUEPRINT_READ_ONLY,
                "instanced" => *flags |= PropertyFlags::INSTANCED_REFERENCE,
                "transient" => *flags |= PropertyFlags::TRANSIENT,
                _ => return false,
            }
            true
        })?
    } else {
        property_object(object(json)?)?
    };
    property.flags |= PropertyFlags::BLUEPRINT_VISIBLE;
    if property.ty == PropertyType::Wildcard
        && property.flags.contains(PropertyFlags::BLUEPRINT_ASSIGNABLE)
    {
        property.ty = PropertyType::MulticastDelegate(None);
    }
    Ok(property)
}

/// `[word…] Name: type [= default]`; words are `since=5.1`, `until=4.27`, `ue4=float`,
/// `getter=GetText`, `setter=SetText`, `net=9`, `dim=4` and those that `word` takes.
fn property_line(
    text: &str,
    word: &mut dyn FnMut(&str, &mut PropertyFlags) -> bool,
) -> Result<RawProperty> {
    let wrong = || shape("`Name: type`", &Json::from(text));
    let (head, tail) = text.split_once(": ").ok_or_else(wrong)?;
    let (ty, default) = match tail.split_once(" = ") {
        Some((ty, default)) => (ty, Some(default.to_owned())),
        None => match tail.strip_suffix(" =") {
            Some(ty) => (ty, Some(String::new())),
            None => (tail, None),
        },
    };
    let mut modifiers: Vec<&str> = head.split(' ').collect();
    let name = modifiers.pop().filter(|name| !name.is_empty());
    let mut property = RawProperty {
        name: Name::new(name.ok_or_else(wrong)?),
        ty: property_type(ty).map_err(|e| e.inside(head))?,
        ty_ue4: None,
        flags: PropertyFlags::empty(),
        array_dim: 1,
        default,
        since: None,
        until: None,
        getter: None,
        setter: None,
        net: None,
    };
    for modifier in modifiers {
        match modifier.split_once('=') {
            Some(("since", text)) => property.since = Some(parse_version(text)?),
            Some(("until", text)) => property.until = Some(parse_version(text)?),
            Some(("ue4", text)) => property.ty_ue4 = Some(property_type(text)?),
            Some(("getter", text)) => property.getter = Some(Name::new(text)),
            Some(("setter", text)) => property.setter = Some(Name::new(text)),
            Some(("net", text)) => property.net = Some(text.parse().map_err(|_| wrong())?),
            Some(("dim", text)) => property.array_dim = text.parse().map_err(|_| wrong())?,
            _ if word(modifier, &mut property.flags) => {}
            _ => {
                let modifier = Json::from(modifier);
                return Err(shape("a word such as `const` or `since=5.1`", &modifier).inside(text));
            }
        }
    }
    Ok(property)
}

fn property_object(map: &Map<String, Json>) -> Result<RawProperty> {
    check_keys(
        map,
        &[
            "name",
            "type",
            "type_ue4",
            "flags",
            "default",
            "since",
            "until",
            "hidden",
            "advanced",
            "written",
            "array_dim",
            "getter",
            "setter",
            "net",
            "evidence",
        ],
    )?;
    let name = name(map)?;
    let ty = |key: &str| -> Result<Option<PropertyType>> {
        string(map, key)?
            .map(|text| property_type(text).map_err(|e| e.inside(name.as_str())))
            .transpose()
    };
    let mut flags = PropertyFlags::empty();
    for flag in words(map, "flags")? {
        flags |= match &*flag {
            "Parm" => PropertyFlags::PARM,
            "OutParm" => PropertyFlags::OUT_PARM,
            "ReturnParm" => PropertyFlags::RETURN_PARM,
            "ConstParm" => PropertyFlags::CONST_PARM,
            "ReferenceParm" => PropertyFlags::REFERENCE_PARM,
            "BlueprintVisible" => PropertyFlags::BLUEPRINT_VISIBLE,
            "BlueprintReadOnly" => PropertyFlags::BLUEPRINT_READ_ONLY,
            "BlueprintAssignable" => PropertyFlags::BLUEPRINT_ASSIGNABLE,
            "InstancedReference" => PropertyFlags::INSTANCED_REFERENCE,
            _ => {
                return Err(DeclarationError::Flag {
                    at: name.to_string(),
                    flag,
                });
            }
        };
    }
    Ok(RawProperty {
        ty: ty("type")?
            .ok_or_else(|| shape("a type", &Json::Object(map.clone())).inside("type"))?,
        ty_ue4: ty("type_ue4")?,
        flags,
        array_dim: number(map, "array_dim")?.unwrap_or(1),
        default: string(map, "default")?.map(str::to_owned),
        since: version(map, "since")?,
        until: version(map, "until")?,
        getter: string(map, "getter")?.map(Name::new),
        setter: string(map, "setter")?.map(Name::new),
        net: number(map, "net")?,
        name,
    })
}

/// A type; `?` is one that is not known, targets without `/` are native.
fn property_type(text: &str) -> Result<PropertyType> {
    let mut ty = match text {
        "?" => return Ok(PropertyType::Wildcard),
        // An object of a class that is not known.
        "object:?" => PropertyType::Object(ObjectPath::new("CoreUObject.Object")),
        _ => PropertyType::parse(text).map_err(|error| DeclarationError::Type {
            at: String::new(),
            error,
        })?,
    };
    ty.map_targets(&mut |target| *target = full_path(target.as_str()));
    Ok(ty)
}

fn full_path(text: &str) -> ObjectPath {
    if text.starts_with('/') {
        ObjectPath::new(text)
    } else {
        ObjectPath::new(format!("/Script/{text}"))
    }
}

/// The flags of functions by their words.
pub(crate) const FLAGS: &[(&str, FunctionFlags)] = &[
    ("Final", FunctionFlags::FINAL),
    ("RequiredAPI", FunctionFlags::REQUIRED_API),
    ("BlueprintAuthorityOnly", FunctionFlags::AUTHORITY_ONLY),
    ("BlueprintCosmetic", FunctionFlags::COSMETIC),
    ("Net", FunctionFlags::NET),
    ("NetReliable", FunctionFlags::NET_RELIABLE),
    ("Exec", FunctionFlags::EXEC),
    ("Native", FunctionFlags::NATIVE),
    ("Event", FunctionFlags::EVENT),
    ("Static", FunctionFlags::STATIC),
    ("NetMulticast", FunctionFlags::NET_MULTICAST),
    ("MulticastDelegate", FunctionFlags::MULTICAST_DELEGATE),
    ("Public", FunctionFlags::PUBLIC),
    ("Private", FunctionFlags::PRIVATE),
    ("Protected", FunctionFlags::PROTECTED),
    ("Delegate", FunctionFlags::DELEGATE),
    ("NetServer", FunctionFlags::NET_SERVER),
    ("HasOutParms", FunctionFlags::HAS_OUT_PARMS),
    ("HasDefaults", FunctionFlags::HAS_DEFAULTS),
    ("NetClient", FunctionFlags::NET_CLIENT),
    ("BlueprintCallable", FunctionFlags::BLUEPRINT_CALLABLE),
    ("BlueprintEvent", FunctionFlags::BLUEPRINT_EVENT),
    ("BlueprintPure", FunctionFlags::BLUEPRINT_PURE),
    ("EditorOnly", FunctionFlags::EDITOR_ONLY),
    ("Const", FunctionFlags::CONST),
    ("NetValidate", FunctionFlags::NET_VALIDATE),
];

fn function_flags(map: &Map<String, Json>, key: &str) -> Result<FunctionFlags> {
    let mut flags = FunctionFlags::empty();
    for flag in words(map, key)? {
        let Some((_, bits)) = FLAGS.iter().find(|(word, _)| *word == flag) else {
            return Err(DeclarationError::Flag {
                at: key.to_owned(),
                flag,
            });
        };
        flags |= *bits;
    }
    Ok(flags)
}

fn shape(expected: &'static str, found: &Json) -> DeclarationError {
    let mut found = found.to_string();
    if found.chars().count() > 60 {
        found = found.chars().take(57).collect::<String>() + "...";
    }
    DeclarationError::Shape {
        at: String::new(),
        expected,
        found,
    }
}

fn object(json: &Json) -> Result<&Map<String, Json>> {
    json.as_object().ok_or_else(|| shape("an object", json))
}

fn check_keys(map: &Map<String, Json>, known: &[&str]) -> Result<()> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(DeclarationError::UnknownKey {
            at: String::new(),
            key: key.clone(),
        }),
        None => Ok(()),
    }
}

fn name(map: &Map<String, Json>) -> Result<Name> {
    match string(map, "name")? {
        Some(text) if !text.is_empty() => Ok(Name::new(text)),
        _ => Err(shape("an object with a name", &Json::Object(map.clone()))),
    }
}

/// A string; `null` and absence are none.
fn string<'a>(map: &'a Map<String, Json>, key: &str) -> Result<Option<&'a str>> {
    match map.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(shape("a string", other).inside(key)),
    }
}

fn boolean(map: &Map<String, Json>, key: &str) -> Result<bool> {
    match map.get(key) {
        None | Some(Json::Null) => Ok(false),
        Some(Json::Bool(value)) => Ok(*value),
        Some(other) => Err(shape("true or false", other).inside(key)),
    }
}

fn number(map: &Map<String, Json>, key: &str) -> Result<Option<u32>> {
    match map.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(json) => match json.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(Some(n)),
            None => Err(shape("a whole number", json).inside(key)),
        },
    }
}

/// A list of words: an array of strings, or one string with blanks between them.
fn words(map: &Map<String, Json>, key: &str) -> Result<Vec<String>> {
    match map.get(key) {
        None | Some(Json::Null) => Ok(Vec::new()),
        Some(Json::String(text)) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        Some(json) => json
            .as_array()
            .and_then(|items| {
                items
                    .iter()
                    .map(|i| i.as_str().map(str::to_owned))
                    .collect()
            })
            .ok_or_else(|| shape("a list of words", json).inside(key)),
    }
}

fn version(map: &Map<String, Json>, key: &str) -> Result<Option<EngineVersion>> {
    string(map, key)?
        .map(|text| parse_version(text).map_err(|e| e.inside(key)))
        .transpose()
}

/// `5.1`; `>4.27`, later than the last UE4 seen, is taken as 5.0.
fn parse_version(text: &str) -> Result<EngineVersion> {
    if text == ">4.27" {
        return Ok(EngineVersion::new(5, 0));
    }
    text.parse()
        .map_err(|_| shape("an engine version such as 5.1", &Json::from(text)))
}

/// Reads every item of a list, and names the item in errors.
fn list<T>(
    map: &Map<String, Json>,
    key: &str,
    mut read: impl FnMut(&Json) -> Result<T>,
) -> Result<Vec<T>> {
    let items = match map.get(key) {
        None | Some(Json::Null) => return Ok(Vec::new()),
        Some(json) => json
            .as_array()
            .ok_or_else(|| shape("a list", json).inside(key))?,
    };
    items
        .iter()
        .enumerate()
        .map(|(i, item)| {
            read(item).map_err(|error| match item.get("name").and_then(Json::as_str) {
                Some(name) => error.inside(&format!("{key}[{i}] {name}")),
                None => error.inside(&format!("{key}[{i}]")),
            })
        })
        .collect()
}
