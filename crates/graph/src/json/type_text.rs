//! Types as JSON writes them.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use bp_diag::Code;
use bp_reflect::{EngineVersion, Lookup, Name, ObjectPath, PropertyType, Registry};

use crate::nodes::{NodeError, nearest, resolve_class, resolve_enum, resolve_struct};
use crate::types::{reference_of_signature, signature_path};
use crate::{Container, MemberReference, PinCategory, PinType, TerminalType};

/// The words of types that stand alone.
const PLAIN: &[&str] = &[
    "bool",
    "byte",
    "int",
    "int64",
    "float",
    "double",
    "name",
    "string",
    "text",
    "wildcard",
    "exec",
    "transition",
    "delegate",
    "multicast_delegate",
    "field_path",
    "object",
    "class",
    "soft_object",
    "soft_class",
    "interface",
    "struct",
    "enum",
    "array",
    "set",
    "map",
];

/// What stands for the class or struct of a type that names none: its asset was deleted.
const NO_OBJECT: &str = "None";

/// What type names are looked up in.
#[derive(Clone, Copy)]
pub(crate) struct TypeScope<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) engine: EngineVersion,
    /// The class whose dispatchers need no class before them.
    pub(crate) class: &'a ObjectPath,
}

/// Reads a type.
pub(crate) fn parse_type(text: &str, scope: TypeScope<'_>) -> Result<PinType, NodeError> {
    let text = text.trim();
    // Modifiers stand behind the type, each after a space; names with spaces are not types.
    let mut base = text;
    let mut modifiers = Vec::new();
    while let Some((head, word)) = base.rsplit_once(' ') {
        if !matches!(word, "ref" | "const" | "weak" | "wrapper" | "single") {
            break;
        }
        modifiers.push(word);
        base = head.trim_end();
    }
    let mut ty = parse_base(base, scope)?;
    for modifier in modifiers {
        match modifier {
            "ref" => ty.is_reference = true,
            "const" => ty.is_const = true,
            "weak" => ty.is_weak = true,
            "wrapper" => ty.is_uobject_wrapper = true,
            _ => ty.is_single_precision = true,
        }
    }
    Ok(ty)
}

fn parse_base(text: &str, scope: TypeScope<'_>) -> Result<PinType, NodeError> {
    if let Some((head, rest)) = text.split_once('<') {
        let head = head.trim();
        let Some(inner) = rest.trim_end().strip_suffix('>') else {
            return Err(bad(format!("`{text}` has no closing `>`")));
        };
        if inner.contains(['<', '>']) {
            return Err(
                NodeError::new(Code::VarBadType, "a container cannot hold containers")
                    .hint(Some("put the inner one into a struct".to_owned())),
            );
        }
        return match head {
            "array" | "set" => Ok(PinType {
                container: if head == "array" {
                    Container::Array
                } else {
                    Container::Set
                },
                ..parse_type(inner, scope)?
            }),
            "map" => {
                let (key, value) = inner
                    .split_once(',')
                    .ok_or_else(|| bad(format!("`{text}` needs a key and a value type")))?;
                let value = parse_type(value, scope)?;
                Ok(PinType {
                    container: Container::Map(Box::new(TerminalType::of_pin_type(&value))),
                    ..parse_type(key, scope)?
                })
            }
            other => Err(unknown(other)),
        };
    }
    let (head, target) = match text.split_once(':') {
        Some((head, target)) => (head.trim(), Some(target.trim()).filter(|t| !t.is_empty())),
        None => (text, None),
    };
    let registry = scope.registry;
    let of = |ty: &PropertyType| PinType::of_property(ty, scope.engine);
    let needs = |what: &str| {
        target.ok_or_else(|| {
            bad(format!(
                "type `{head}` needs the name of {what} after a colon"
            ))
            .hint(Some(format!("write `{head}:Name`")))
        })
    };
    let class_type = |category: PinCategory| -> Result<PinType, NodeError> {
        let name = needs("a class")?;
        if name == NO_OBJECT {
            return Ok(PinType::of(category));
        }
        if name == "self" {
            return Ok(PinType {
                sub_category: "self".to_owned(),
                ..PinType::of(category)
            });
        }
        Ok(PinType::with_object(
            category,
            resolve_class(name, registry)?,
        ))
    };
    Ok(match head {
        "bool" => PinType::of(PinCategory::Bool),
        "byte" => match target {
            None => PinType::of(PinCategory::Byte),
            Some(name) => PinType::with_object(PinCategory::Byte, resolve_enum(name, registry)?),
        },
        "enum" => PinType::with_object(
            PinCategory::Byte,
            resolve_enum(needs("an enum")?, registry)?,
        ),
        "int" => PinType::of(PinCategory::Int),
        "int64" => PinType::of(PinCategory::Int64),
        "float" => of(&PropertyType::Float),
        "double" => of(&PropertyType::Double),
        "real" => PinType::of(PinCategory::Real),
        "name" => PinType::of(PinCategory::Name),
        "string" => PinType::of(PinCategory::String),
        "text" => PinType::of(PinCategory::Text),
        "object" => class_type(PinCategory::Object)?,
        "class" => class_type(PinCategory::Class)?,
        "soft_object" => class_type(PinCategory::SoftObject)?,
        "soft_class" => class_type(PinCategory::SoftClass)?,
        "interface" => class_type(PinCategory::Interface)?,
        "struct" if target == Some(NO_OBJECT) => PinType::of(PinCategory::Struct),
        "struct" => PinType::with_object(
            PinCategory::Struct,
            resolve_struct(needs("a struct")?, registry)?,
        ),
        "delegate" => delegate(PinCategory::Delegate, target, scope)?,
        "multicast_delegate" => delegate(PinCategory::MulticastDelegate, target, scope)?,
        "field_path" => PinType::of(PinCategory::FieldPath),
        "wildcard" => PinType::of(PinCategory::Wildcard),
        "exec" => PinType::exec(),
        "transition" => PinType::of(PinCategory::Transition),
        other => return Err(unknown(other)),
    })
}

fn bad(message: String) -> NodeError {
    NodeError::new(Code::BadValue, message)
}

fn unknown(text: &str) -> NodeError {
    let hint = match text {
        "integer" | "int32" => Some("int".to_owned()),
        "boolean" => Some("bool".to_owned()),
        "str" | "String" => Some("string".to_owned()),
        "real" | "number" => Some("double".to_owned()),
        "vector" | "Vector" | "rotator" | "Rotator" | "transform" | "Transform" => {
            let mut name = text.to_owned();
            name[..1].make_ascii_uppercase();
            Some(format!("struct:{name}"))
        }
        _ => nearest(text, PLAIN.iter().copied()).map(str::to_owned),
    };
    NodeError::new(Code::UnknownType, format!("`{text}` is not a type"))
        .hint(hint.map(|hint| format!("did you mean `{hint}`?")))
}

/// A delegate type: its signature by path, by `Class.Name`, or by the name of a dispatcher of self.
fn delegate(
    category: PinCategory,
    target: Option<&str>,
    scope: TypeScope<'_>,
) -> Result<PinType, NodeError> {
    let Some(text) = target else {
        return Ok(PinType::of(category));
    };
    let (text, guid) = match text.split_once('#') {
        Some((text, guid)) => (text, guid.parse().unwrap_or_default()),
        None => (text, crate::Guid::default()),
    };
    let reference = if let Some(name) = text.strip_prefix("self.") {
        MemberReference::on_self(name)
    } else if let Some(name) = text.strip_prefix('.') {
        // A source that names no class for it.
        MemberReference {
            name: Name::new(name),
            ..MemberReference::default()
        }
    } else if text.starts_with('/') {
        reference_of_signature(&ObjectPath::new(text))
    } else {
        let (class, name) = match text.rsplit_once(['.', ':']) {
            Some((class, name)) => (resolve_class(class, scope.registry)?, name),
            None => (scope.class.clone(), text),
        };
        // A dispatcher stands for its signature.
        let found = scope
            .registry
            .find_property(&class, &Name::new(name))
            .and_then(|(_, property)| property.ty.target().cloned());
        match found {
            Some(path) => reference_of_signature(&path),
            None if name.ends_with("__DelegateSignature") => MemberReference::of(class, name),
            None => MemberReference::of(class, format!("{name}__DelegateSignature")),
        }
    };
    Ok(PinType {
        signature: Some(Box::new(MemberReference { guid, ..reference })),
        ..PinType::of(category)
    })
}

fn short(path: &ObjectPath, found: &Lookup<'_>) -> String {
    match found {
        Lookup::One(one) if *one == path => path.name().to_owned(),
        _ => path.to_string(),
    }
}

/// A type as JSON writes it, reference and constness left out.
pub fn type_text(ty: &PinType, registry: &Registry) -> String {
    let element = element_text(ty, registry);
    match &ty.container {
        Container::None => element,
        Container::Array => format!("array<{element}>"),
        Container::Set => format!("set<{element}>"),
        Container::Map(value) => {
            format!(
                "map<{element},{}>",
                full_type_text(&value.to_pin_type(), registry)
            )
        }
    }
}

/// A type with everything it says.
pub(crate) fn full_type_text(ty: &PinType, registry: &Registry) -> String {
    let mut text = type_text(ty, registry);
    for (word, set) in [
        ("ref", ty.is_reference),
        ("const", ty.is_const),
        ("weak", ty.is_weak),
        ("wrapper", ty.is_uobject_wrapper),
        ("single", ty.is_single_precision),
    ] {
        if set {
            text.push(' ');
            text.push_str(word);
        }
    }
    text
}

fn element_text(ty: &PinType, registry: &Registry) -> String {
    let with = |head: &str, name: Option<String>| match name {
        Some(name) => format!("{head}:{name}"),
        None => head.to_owned(),
    };
    let class = || -> Option<String> {
        match &ty.object {
            Some(path) => Some(short(path, &registry.find_class(path.name()))),
            None if ty.sub_category == "self" => Some("self".to_owned()),
            None => Some(NO_OBJECT.to_owned()),
        }
    };
    let signature = || -> Option<String> {
        let reference = ty.signature.as_ref()?;
        let mut text = match signature_path(reference) {
            Some(path) => path.to_string(),
            None if reference.is_self => format!("self.{}", reference.name),
            None => format!(".{}", reference.name),
        };
        if !reference.guid.is_zero() {
            text.push('#');
            text.push_str(&reference.guid.to_string());
        }
        Some(text)
    };
    match ty.category {
        PinCategory::Exec => "exec".to_owned(),
        PinCategory::Bool => "bool".to_owned(),
        PinCategory::Byte | PinCategory::Enum => with(
            if ty.object.is_some() { "enum" } else { "byte" },
            ty.object
                .as_ref()
                .map(|path| short(path, &registry.find_enum(path.name()))),
        ),
        PinCategory::Int => "int".to_owned(),
        PinCategory::Int64 => "int64".to_owned(),
        PinCategory::Real => match ty.sub_category.as_str() {
            "float" => "float".to_owned(),
            "double" => "double".to_owned(),
            _ => "real".to_owned(),
        },
        PinCategory::Float => "float".to_owned(),
        PinCategory::Double => "double".to_owned(),
        PinCategory::Name => "name".to_owned(),
        PinCategory::String => "string".to_owned(),
        PinCategory::Text => "text".to_owned(),
        PinCategory::Object => with("object", class()),
        PinCategory::Class => with("class", class()),
        PinCategory::SoftObject => with("soft_object", class()),
        PinCategory::SoftClass => with("soft_class", class()),
        PinCategory::Interface => with("interface", class()),
        PinCategory::Struct => with(
            "struct",
            Some(ty.object.as_ref().map_or_else(
                || NO_OBJECT.to_owned(),
                |path| short(path, &registry.find_struct(path.name())),
            )),
        ),
        PinCategory::Delegate => with("delegate", signature()),
        PinCategory::MulticastDelegate => with("multicast_delegate", signature()),
        PinCategory::FieldPath => "field_path".to_owned(),
        PinCategory::Transition => "transition".to_owned(),
        PinCategory::Wildcard => "wildcard".to_owned(),
    }
}
