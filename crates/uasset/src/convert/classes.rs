//! The generated class as the package stores it.

use std::collections::HashSet;

use bp_reflect::{
    Class, ClassKind, Function, FunctionFlags, Name, ObjectPath, Property, PropertyFlags,
    PropertyType,
};

use crate::{ClassData, FunctionData, Package, PackageError, PackageIndex, PropertyData};

const CLASS_INTERFACE: u32 = 0x4000;

/// The classes of a package with their functions, parameters and locals, in table order; left-over
/// skeletons of compilation are left out.
///
/// # Errors
/// The first class or function that cannot be read.
pub fn classes(package: &Package) -> Result<Vec<Class>, PackageError> {
    generated_classes(package)
        .into_iter()
        .map(|export| class_of(package, &package.class(export)?))
        .collect()
}

/// The exports that are classes in their own right.
pub(super) fn generated_classes(package: &Package) -> Vec<usize> {
    let is_left_over = |export: usize| {
        let name = package.name(PackageIndex::of_export(export));
        name.is_some_and(|name| {
            ["SKEL_", "REINST_"]
                .iter()
                .any(|head| name.text().starts_with(head))
        })
    };
    let exports = 0..package.exports().len();
    exports
        .filter(|export| package.is_class(*export) && !is_left_over(*export))
        .collect()
}

/// A class in the model's form, with the functions that lie in it.
///
/// # Errors
/// The first function that cannot be read.
pub fn class_of(package: &Package, data: &ClassData) -> Result<Class, PackageError> {
    let base = &data.base;
    let path = ObjectPath::new(package.path(base.index));
    let mut class = Class::new(
        path,
        package.object_path(base.super_struct),
        class_kind(package, data),
    );
    let interfaces = data.interfaces.iter();
    class.interfaces = interfaces
        .filter_map(|interface| package.object_path(interface.class))
        .collect();
    class.properties = base
        .properties
        .iter()
        .map(|data| property_of(package, data))
        .collect();
    let mut seen = HashSet::new();
    for child in &base.children {
        if package.outer(*child) != base.index || !seen.insert(*child) {
            continue;
        }
        let Some(export) = child.export().filter(|export| package.is_function(*export)) else {
            continue;
        };
        let function = function_of(package, &package.function(export)?);
        let is_signature = function
            .flags
            .intersects(FunctionFlags::DELEGATE | FunctionFlags::MULTICAST_DELEGATE);
        let list = if is_signature {
            &mut class.delegates
        } else {
            &mut class.functions
        };
        list.insert(function.name.clone(), function);
    }
    Ok(class)
}

fn class_kind(package: &Package, data: &ClassData) -> ClassKind {
    if data.flags & CLASS_INTERFACE != 0 {
        return ClassKind::BlueprintInterface;
    }
    let parent = package.name(data.base.super_struct);
    if parent.is_some_and(|name| name.is("BlueprintFunctionLibrary")) {
        return ClassKind::BlueprintFunctionLibrary;
    }
    ClassKind::Blueprint
}

/// A function in the model's form.
pub fn function_of(package: &Package, data: &FunctionData) -> Function {
    let flags = FunctionFlags::from_bits_retain(data.flags);
    let mut function = Function::new(Name::from(&data.base.name), flags);
    function.super_function = package.object_path(data.base.super_struct);
    let properties = data
        .base
        .properties
        .iter()
        .map(|data| property_of(package, data));
    (function.params, function.locals) =
        properties.partition(|property| property.flags.contains(PropertyFlags::PARM));
    // Packages keep the return value where the compiler put it, mostly behind the other parameters.
    function.params.sort_by_key(Property::is_return);
    function
}

/// A property in the model's form.
pub fn property_of(package: &Package, data: &PropertyData) -> Property {
    let flags = PropertyFlags::from_bits_retain(data.flags);
    let ty = property_type(package, data);
    let mut property = Property::new(Name::from(&data.name), ty, flags);
    property.array_dim = u32::try_from(data.array_dim).unwrap_or(1);
    property
}

fn property_type(package: &Package, data: &PropertyData) -> PropertyType {
    let path = |index| package.object_path(index);
    let target = |index| path(index).unwrap_or_else(|| ObjectPath::new("None"));
    match &data.ty {
        crate::PropertyType::Plain => match data.class.text() {
            "Int8Property" => PropertyType::Int8,
            "Int16Property" => PropertyType::Int16,
            "IntProperty" => PropertyType::Int,
            "Int64Property" => PropertyType::Int64,
            "UInt16Property" => PropertyType::UInt16,
            "UInt32Property" => PropertyType::UInt32,
            "UInt64Property" => PropertyType::UInt64,
            "FloatProperty" => PropertyType::Float,
            "DoubleProperty" | "LargeWorldCoordinatesRealProperty" => PropertyType::Double,
            "NameProperty" => PropertyType::Name,
            "TextProperty" => PropertyType::Text,
            _ => PropertyType::Str,
        },
        crate::PropertyType::Bool(_) => PropertyType::Bool,
        crate::PropertyType::Byte(enumeration) => PropertyType::Byte(path(*enumeration)),
        crate::PropertyType::Enum { enumeration, .. } => PropertyType::Enum(target(*enumeration)),
        crate::PropertyType::Object(class) => match data.class.text() {
            "WeakObjectProperty" => PropertyType::WeakObject(target(*class)),
            // Lazy references are close to soft ones and do not occur in Blueprints.
            "SoftObjectProperty" | "AssetObjectProperty" | "LazyObjectProperty" => {
                PropertyType::SoftObject(target(*class))
            }
            _ => PropertyType::Object(target(*class)),
        },
        crate::PropertyType::Class { meta_class, .. } => match data.class.text() {
            "SoftClassProperty" | "AssetClassProperty" => {
                PropertyType::SoftClass(target(*meta_class))
            }
            _ => PropertyType::Class(target(*meta_class)),
        },
        crate::PropertyType::Interface(class) => PropertyType::Interface(target(*class)),
        crate::PropertyType::Struct(structure) => PropertyType::Struct(target(*structure)),
        crate::PropertyType::Delegate(signature) => match data.class.text() {
            "DelegateProperty" => PropertyType::Delegate(path(*signature)),
            _ => PropertyType::MulticastDelegate(path(*signature)),
        },
        crate::PropertyType::Array(element) => {
            PropertyType::Array(Box::new(property_type(package, element)))
        }
        crate::PropertyType::Set(element) => {
            PropertyType::Set(Box::new(property_type(package, element)))
        }
        // The model has no optional values; Blueprints cannot declare one.
        crate::PropertyType::Optional(element) => property_type(package, element),
        crate::PropertyType::Map { key, value } => PropertyType::Map(Box::new((
            property_type(package, key),
            property_type(package, value),
        ))),
        crate::PropertyType::FieldPath(_) => PropertyType::FieldPath,
    }
}
