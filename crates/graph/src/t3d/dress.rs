//! Values to text, in the form of an engine version.

use bp_reflect::{EngineVersion, ObjectPath, TextValue};

use crate::{Container, MemberReference, PinCategory, PinType, PropertyValue, TerminalType};

/// How a version writes object references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dress {
    /// `Class'"/Script/Engine.Actor"'`: up to UE 4.27.
    Ue4,
    /// `/Script/CoreUObject.Class'"/Script/Engine.Actor"'`: UE 5.0.
    Ue50,
    /// `"/Script/CoreUObject.Class'/Script/Engine.Actor'"`: UE 5.1 and later.
    Ue51,
}

impl Dress {
    /// The form of a version.
    pub fn of(engine: EngineVersion) -> Self {
        if engine < EngineVersion::new(5, 0) {
            Self::Ue4
        } else if engine < EngineVersion::new(5, 1) {
            Self::Ue50
        } else {
            Self::Ue51
        }
    }
}

/// A quoted string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A reference to an object of a class; `class` with or without its package.
pub(super) fn reference(class: &str, path: &str, dress: Dress) -> String {
    match dress {
        Dress::Ue4 => {
            let short = class.rsplit_once('.').map_or(class, |(_, name)| name);
            format!("{short}'\"{path}\"'")
        }
        Dress::Ue50 => format!("{}'\"{path}\"'", full_class(class)),
        Dress::Ue51 => format!("\"{}'{path}'\"", full_class(class)),
    }
}

/// A class with its package, for the classes that nodes refer to. Others are left as they are.
fn full_class(class: &str) -> String {
    const PACKAGES: &[(&str, &[&str])] = &[
        (
            "/Script/CoreUObject",
            &[
                "Class",
                "ScriptStruct",
                "Enum",
                "Package",
                "Function",
                "Object",
            ],
        ),
        (
            "/Script/Engine",
            &[
                "BlueprintGeneratedClass",
                "AnimBlueprintGeneratedClass",
                "Blueprint",
                "EdGraph",
                "UserDefinedStruct",
                "UserDefinedEnum",
                "StaticMesh",
                "SkeletalMesh",
                "Texture2D",
                "Material",
                "MaterialInstanceConstant",
                "SoundWave",
                "SoundCue",
                "DataTable",
                "CurveFloat",
            ],
        ),
        ("/Script/UMG", &["WidgetBlueprintGeneratedClass"]),
        ("/Script/UMGEditor", &["WidgetBlueprint"]),
    ];
    if class.starts_with('/') {
        return class.to_owned();
    }
    if class.starts_with("K2Node_") {
        return format!("/Script/BlueprintGraph.{class}");
    }
    match PACKAGES
        .iter()
        .find(|(_, classes)| classes.contains(&class))
    {
        Some((package, _)) => format!("{package}.{class}"),
        None => class.to_owned(),
    }
}

/// A property's value.
pub(super) fn value_text(value: &PropertyValue, dress: Dress) -> String {
    let mut out = String::new();
    push_value(&mut out, value, dress);
    out
}

fn push_value(out: &mut String, value: &PropertyValue, dress: Dress) {
    match value {
        PropertyValue::Word(text) | PropertyValue::Text(text) => out.push_str(text),
        PropertyValue::String(text) => out.push_str(&quoted(text)),
        PropertyValue::Object(object) => match &object.class {
            Some(class) => out.push_str(&reference(class, object.path.as_str(), dress)),
            None => out.push_str(&quoted(object.path.as_str())),
        },
        PropertyValue::Tuple(members) => {
            out.push('(');
            for (idx, (key, value)) in members.iter().enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                if !key.is_empty() {
                    out.push_str(key);
                    out.push('=');
                }
                push_value(out, value, dress);
            }
            out.push(')');
        }
        // An array inside a list has no indices.
        PropertyValue::Array(elements) => {
            out.push('(');
            for (idx, element) in elements.iter().enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                push_value(out, element, dress);
            }
            out.push(')');
        }
    }
}

/// The macro that means a text.
pub fn text_macro(text: &TextValue) -> String {
    match text {
        TextValue::Empty => "\"\"".to_owned(),
        TextValue::Localized {
            namespace,
            key,
            source,
        } => format!(
            "NSLOCTEXT({}, {}, {})",
            quoted(namespace),
            quoted(key),
            quoted(source)
        ),
        TextValue::Invariant(text) => format!("INVTEXT({})", quoted(text)),
        TextValue::StringTable { table, key } => {
            format!("LOCTABLE({}, {})", quoted(table), quoted(key))
        }
    }
}

/// What was written as a macro or as a string.
pub(super) fn macro_or_quoted(text: &str) -> String {
    let is_macro = text.ends_with(')')
        && ["NSLOCTEXT(", "LOCTEXT(", "INVTEXT(", "LOCTABLE(", "LOCGEN_"]
            .iter()
            .any(|word| text.starts_with(word));
    if is_macro {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// The class, struct or enum of a type. Its own class is not in the model; it follows from the category
/// and from where the object is.
pub(super) fn type_object(
    category: PinCategory,
    object: Option<&ObjectPath>,
    dress: Dress,
) -> String {
    let Some(object) = object else {
        return "None".to_owned();
    };
    let (native, made) = match category {
        PinCategory::Struct => (
            "/Script/CoreUObject.ScriptStruct",
            "/Script/Engine.UserDefinedStruct",
        ),
        PinCategory::Byte | PinCategory::Enum | PinCategory::Int | PinCategory::Int64 => {
            ("/Script/CoreUObject.Enum", "/Script/Engine.UserDefinedEnum")
        }
        PinCategory::Delegate | PinCategory::MulticastDelegate => (
            "/Script/CoreUObject.Function",
            "/Script/CoreUObject.Function",
        ),
        PinCategory::Exec
        | PinCategory::Bool
        | PinCategory::Real
        | PinCategory::Float
        | PinCategory::Double
        | PinCategory::Name
        | PinCategory::String
        | PinCategory::Text
        | PinCategory::Object
        | PinCategory::Class
        | PinCategory::SoftObject
        | PinCategory::SoftClass
        | PinCategory::Interface
        | PinCategory::FieldPath
        | PinCategory::Transition
        | PinCategory::Wildcard => (
            "/Script/CoreUObject.Class",
            "/Script/Engine.BlueprintGeneratedClass",
        ),
    };
    let class = if object.is_native() { native } else { made };
    reference(class, object.as_str(), dress)
}

/// A function, variable or delegate; `()` for none.
pub(super) fn member_reference(member: Option<&MemberReference>, dress: Dress) -> String {
    let Some(member) = member else {
        return "()".to_owned();
    };
    let mut value = member.to_value();
    if let PropertyValue::Tuple(members) = &mut value {
        for (key, value) in members {
            if let (PropertyValue::Object(object), "MemberParent") = (value, key.as_str())
                && !object.path.as_str().contains('.')
            {
                // A delegate outside of all classes: its parent is the package.
                object.class = Some("/Script/CoreUObject.Package".to_owned());
            }
        }
    }
    value_text(&value, dress)
}

/// The word for a container.
pub(super) fn container_word(container: &Container) -> &'static str {
    match container {
        Container::None => "None",
        Container::Array => "Array",
        Container::Set => "Set",
        Container::Map(_) => "Map",
    }
}

/// The type of a map's values, defaults left out; `()` for other containers.
pub(super) fn terminal_type(container: &Container, dress: Dress) -> String {
    let Container::Map(value) = container else {
        return "()".to_owned();
    };
    let TerminalType {
        category,
        sub_category,
        object,
        is_const,
        is_weak,
        is_uobject_wrapper,
    } = &**value;
    let mut members = vec![format!("TerminalCategory={}", quoted(category.word()))];
    if !sub_category.is_empty() {
        members.push(format!("TerminalSubCategory={}", quoted(sub_category)));
    }
    if object.is_some() {
        members.push(format!(
            "TerminalSubCategoryObject={}",
            type_object(*category, object.as_ref(), dress)
        ));
    }
    for (key, is_set) in [
        ("bTerminalIsConst", is_const),
        ("bTerminalIsWeakPointer", is_weak),
        ("bTerminalIsUObjectWrapper", is_uobject_wrapper),
    ] {
        if *is_set {
            members.push(format!("{key}=True"));
        }
    }
    format!("({})", members.join(","))
}

/// A type as one list, defaults left out: of a variable, a local or a user-defined pin.
pub(super) fn type_list(ty: &PinType, dress: Dress) -> String {
    let mut members = vec![format!("PinCategory={}", quoted(ty.category.word()))];
    if !ty.sub_category.is_empty() {
        members.push(format!("PinSubCategory={}", quoted(&ty.sub_category)));
    }
    if ty.object.is_some() {
        members.push(format!(
            "PinSubCategoryObject={}",
            type_object(ty.category, ty.object.as_ref(), dress)
        ));
    }
    if ty.signature.is_some() {
        members.push(format!(
            "PinSubCategoryMemberReference={}",
            member_reference(ty.signature.as_deref(), dress)
        ));
    }
    if matches!(ty.container, Container::Map(_)) {
        members.push(format!(
            "PinValueType={}",
            terminal_type(&ty.container, dress)
        ));
    }
    if ty.is_container() {
        members.push(format!("ContainerType={}", container_word(&ty.container)));
    }
    for (key, is_set) in [
        ("bIsReference", ty.is_reference),
        ("bIsConst", ty.is_const),
        ("bIsWeakPointer", ty.is_weak),
        ("bIsUObjectWrapper", ty.is_uobject_wrapper),
        ("bSerializeAsSinglePrecisionFloat", ty.is_single_precision),
    ] {
        if is_set {
            members.push(format!("{key}=True"));
        }
    }
    format!("({})", members.join(","))
}
