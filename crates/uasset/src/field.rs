//! Properties of classes, structs and functions: fields since 4.25, objects before.

use crate::archive::Archive;
use crate::property::read_object;
use crate::version::step;
use crate::{PackageError, PackageIndex, PackageName};

/// A property as its struct, class or function stores it (`FProperty`, `UProperty`).
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyData {
    /// Its name.
    pub name: PackageName,
    /// The engine class of the property, such as `IntProperty`.
    pub class: PackageName,
    /// What the class adds.
    pub ty: PropertyType,
    /// The export that holds it, in packages where properties are objects; null otherwise.
    pub export: PackageIndex,
    /// `EObjectFlags`.
    pub object_flags: u32,
    /// Metadata, in stored order; empty where properties are objects.
    pub metadata: Vec<(PackageName, String)>,
    /// Number of elements of a fixed-size array, 1 for all others.
    pub array_dim: i32,
    /// Size of an element in bytes as the saving editor laid it out; 0 in packages that do not store
    /// it (properties as objects).
    pub element_size: i32,
    /// `EPropertyFlags` as stored: without the flags that linking computes.
    pub flags: u64,
    /// Index for replication.
    pub rep_index: u16,
    /// The function to call after replication, if any.
    pub rep_notify: Option<PackageName>,
    /// `ELifetimeCondition`.
    pub replication_condition: u8,
}

/// What the class of a property adds to it.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyType {
    /// A class that adds nothing: numbers, names, strings, texts.
    Plain,
    /// A boolean and its place in its bytes.
    Bool(BoolLayout),
    /// A byte, of an enum or of none (null).
    Byte(PackageIndex),
    /// An enum with its own size.
    Enum {
        /// The enum.
        enumeration: PackageIndex,
        /// The integer property that holds the value.
        underlying: Box<PropertyData>,
    },
    /// A reference to an object: strong, weak, lazy or soft as the class says.
    Object(PackageIndex),
    /// A reference to a class, strong or soft.
    Class {
        /// The class of the value itself, mostly `Class`.
        class: PackageIndex,
        /// The class that the value derives from.
        meta_class: PackageIndex,
    },
    /// An object that implements an interface class.
    Interface(PackageIndex),
    /// A struct.
    Struct(PackageIndex),
    /// A delegate of some kind with its signature function.
    Delegate(PackageIndex),
    /// An array, by its element.
    Array(Box<PropertyData>),
    /// A set, by its element.
    Set(Box<PropertyData>),
    /// A value that may be absent.
    Optional(Box<PropertyData>),
    /// A map.
    Map {
        /// Its key.
        key: Box<PropertyData>,
        /// Its value.
        value: Box<PropertyData>,
    },
    /// A path of a field of some class.
    FieldPath(PackageName),
}

/// Where a boolean lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoolLayout {
    /// Size of the field in bytes.
    pub field_size: u8,
    /// The byte of the field that holds the bit.
    pub byte_offset: u8,
    /// The bit in that byte.
    pub byte_mask: u8,
    /// The bits of the field that belong to the boolean; 255 for a whole byte.
    pub field_mask: u8,
    /// Size as stored once more.
    pub bool_size: u8,
    /// Whether it is a C++ `bool` and no bit field.
    pub is_native: bool,
}

/// Reads a property in the form of a field (`FField`), beginning with its class.
pub(crate) fn read_field(archive: &mut Archive<'_>) -> Result<PropertyData, PackageError> {
    archive.nest("property", |archive| {
        let class = archive.name("class of property")?;
        let name = archive.name("name of property")?;
        let object_flags = archive.u32("object flags of property")?;
        let mut metadata = Vec::new();
        if archive.bool("has metadata")? {
            let count = archive.count(12, "metadata count")?;
            metadata = archive.repeat(count, |archive| {
                Ok((
                    archive.name("metadata key")?,
                    archive.string("metadata value")?,
                ))
            })?;
        }
        let head = PropertyData {
            name,
            class,
            ty: PropertyType::Plain,
            export: PackageIndex::NULL,
            object_flags,
            metadata,
            array_dim: 1,
            element_size: 0,
            flags: 0,
            rep_index: 0,
            rep_notify: None,
            replication_condition: 0,
        };
        read_common(archive, head, read_field)
    })
}

/// Reads a property in the form of an object (`UProperty`), and the next field of the same owner.
pub(crate) fn read_property_export(
    archive: &mut Archive<'_>,
    index: PackageIndex,
) -> Result<(PropertyData, PackageIndex), PackageError> {
    archive.nest("property", |outer| {
        let package = outer.package();
        let row = index.export().unwrap_or(usize::MAX);
        let export = package.export(row)?;
        let mut archive = package.open(row)?;
        read_object(&mut archive, export.is_class_default_object())?;
        let next = if archive.has(step::NO_NEXT_FIELD) {
            PackageIndex::NULL
        } else {
            archive.index("next field")?
        };
        let head = PropertyData {
            name: export.name.clone(),
            class: package
                .class_name(index)
                .cloned()
                .unwrap_or_else(|| PackageName::new("None", 0)),
            ty: PropertyType::Plain,
            export: index,
            object_flags: export.object_flags,
            metadata: Vec::new(),
            array_dim: 1,
            element_size: 0,
            flags: 0,
            rep_index: 0,
            rep_notify: None,
            replication_condition: 0,
        };
        let mut last = PackageIndex::NULL;
        let property = read_common(&mut archive, head, |archive| {
            let offset = archive.position();
            let inner = archive.index("inner property")?;
            // Inner properties lie in their property, and no two of them are the same: so each
            // export is read once, whatever the file says.
            if package.outer(inner) != index || inner == last {
                return Err(PackageError::BadIndex {
                    offset,
                    what: "inner property",
                    found: inner.0,
                });
            }
            last = inner;
            // The depth is counted on the archive that led here: each object has its own.
            Ok(read_property_export(outer, inner)?.0)
        })?;
        Ok((property, next))
    })
}

/// Reads what both forms share; `inner` reads a property inside this one.
fn read_common<'p>(
    archive: &mut Archive<'p>,
    mut property: PropertyData,
    inner: impl FnMut(&mut Archive<'p>) -> Result<PropertyData, PackageError>,
) -> Result<PropertyData, PackageError> {
    let is_field = archive.has(step::PROPERTIES_ARE_FIELDS);
    property.array_dim = archive.i32("array size of property")?;
    if is_field {
        property.element_size = archive.i32("element size of property")?;
    }
    property.flags = archive.u64("flags of property")?;
    if is_field {
        property.rep_index = archive.u16("replication index of property")?;
    }
    let rep_notify = archive.name("replication function of property")?;
    property.rep_notify = (!rep_notify.is_none()).then_some(rep_notify);
    if is_field || archive.has(step::REPLICATION_CONDITION) {
        property.replication_condition = archive.u8("replication condition of property")?;
    }
    property.ty = read_type(archive, &property.class, inner)?;
    Ok(property)
}

fn read_type<'p>(
    archive: &mut Archive<'p>,
    class: &PackageName,
    mut inner: impl FnMut(&mut Archive<'p>) -> Result<PropertyData, PackageError>,
) -> Result<PropertyType, PackageError> {
    Ok(match class.text() {
        "Int8Property"
        | "Int16Property"
        | "IntProperty"
        | "Int64Property"
        | "UInt16Property"
        | "UInt32Property"
        | "UInt64Property"
        | "FloatProperty"
        | "DoubleProperty"
        | "LargeWorldCoordinatesRealProperty"
        | "NameProperty"
        | "StrProperty"
        | "TextProperty"
        | "Utf8StrProperty"
        | "AnsiStrProperty" => PropertyType::Plain,
        "BoolProperty" => PropertyType::Bool(read_bool_layout(archive)?),
        "ByteProperty" => PropertyType::Byte(archive.index("enum of property")?),
        "EnumProperty" => PropertyType::Enum {
            enumeration: archive.index("enum of property")?,
            underlying: Box::new(inner(archive)?),
        },
        "ObjectProperty"
        | "ObjectPtrProperty"
        | "WeakObjectProperty"
        | "LazyObjectProperty"
        | "SoftObjectProperty"
        | "AssetObjectProperty" => PropertyType::Object(archive.index("class of object property")?),
        "ClassProperty" | "ClassPtrProperty" | "SoftClassProperty" | "AssetClassProperty" => {
            PropertyType::Class {
                class: archive.index("class of class property")?,
                meta_class: archive.index("meta class of property")?,
            }
        }
        "InterfaceProperty" => PropertyType::Interface(archive.index("interface of property")?),
        "StructProperty" => PropertyType::Struct(archive.index("struct of property")?),
        "DelegateProperty"
        | "MulticastDelegateProperty"
        | "MulticastInlineDelegateProperty"
        | "MulticastSparseDelegateProperty" => {
            PropertyType::Delegate(archive.index("signature of property")?)
        }
        "ArrayProperty" => PropertyType::Array(Box::new(inner(archive)?)),
        "SetProperty" => PropertyType::Set(Box::new(inner(archive)?)),
        "OptionalProperty" => PropertyType::Optional(Box::new(inner(archive)?)),
        "MapProperty" => PropertyType::Map {
            key: Box::new(inner(archive)?),
            value: Box::new(inner(archive)?),
        },
        "FieldPathProperty" => PropertyType::FieldPath(archive.name("class of field path")?),
        found => {
            return Err(PackageError::UnknownKind {
                offset: archive.position(),
                what: "class of property",
                found: found.to_owned(),
            });
        }
    })
}

/// Reads the place of a boolean. Objects store only the two last bytes and leave the place to
/// linking; a whole byte stands in for it.
fn read_bool_layout(archive: &mut Archive<'_>) -> Result<BoolLayout, PackageError> {
    const WHAT: &str = "boolean layout";
    let mut layout = BoolLayout {
        field_size: 1,
        byte_offset: 0,
        byte_mask: 1,
        field_mask: 255,
        bool_size: 1,
        is_native: true,
    };
    if archive.has(step::PROPERTIES_ARE_FIELDS) {
        layout.field_size = archive.u8(WHAT)?;
        layout.byte_offset = archive.u8(WHAT)?;
        layout.byte_mask = archive.u8(WHAT)?;
        layout.field_mask = archive.u8(WHAT)?;
    }
    layout.bool_size = archive.u8(WHAT)?;
    layout.is_native = archive.u8(WHAT)? != 0;
    Ok(layout)
}
