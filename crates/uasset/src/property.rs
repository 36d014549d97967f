//! Reads tagged properties: the form in which objects and most structs store what differs from
//! their defaults.
//!
//! Each property is a tag (name, type, size) and a value. The size decides: a value that does not
//! end where its tag says, or has no known form, is kept as [`Value::Raw`] and the list goes on
//! after it, so that one odd struct does not hide an object.

use crate::archive::Archive;
use crate::native::{NativeStruct, read_native};
use crate::value::{DelegateValue, FieldPath, SoftPath, StructFields, StructValue};
use crate::version::{ue4, ue5};
use crate::{Guid, PackageError, PackageName, Properties, TaggedProperty, Text, TypeName, Value};

/// An object's data before the part that its class adds: its properties, and a guid that few have.
pub(crate) fn read_object(
    archive: &mut Archive<'_>,
    is_class_default: bool,
) -> Result<Properties, PackageError> {
    if archive.is_ue5_at_least(ue5::PROPERTY_EXTENSIONS) {
        read_extensions(archive, false)?;
    }
    let properties = read_properties(archive)?;
    if !is_class_default && archive.bool("has object guid")? {
        archive.guid("object guid")?;
    }
    Ok(properties)
}

/// A list of tagged properties up to its closing `None`.
pub(crate) fn read_properties(archive: &mut Archive<'_>) -> Result<Properties, PackageError> {
    archive.nest("struct value", |archive| {
        let mut properties = Properties::default();
        loop {
            let name = archive.name("property name")?;
            if name.is_none() {
                return Ok(properties);
            }
            properties.entries.push(read_property(archive, name)?);
        }
    })
}

/// What a tag says, apart from the name.
struct Tag {
    ty: TypeName,
    size: usize,
    array_index: u32,
    /// The value of a boolean, which lives in its tag.
    bool_value: bool,
    guid: Option<Guid>,
}

fn read_property(
    archive: &mut Archive<'_>,
    name: PackageName,
) -> Result<TaggedProperty, PackageError> {
    let tag = if archive.is_ue5_at_least(ue5::COMPLETE_TYPE_NAMES) {
        read_complete_tag(archive)?
    } else {
        read_classic_tag(archive)?
    };
    let outer = archive.narrow(tag.size, "property value")?;
    let range = archive.rest();
    let mut ty = tag.ty;
    let value = if ty.name.text() == "BoolProperty" && tag.size == 0 {
        Value::Bool(tag.bool_value)
    } else {
        read_sized(archive, &name, &mut ty).unwrap_or(Value::Raw(range))
    };
    archive.widen(outer);
    Ok(TaggedProperty {
        name,
        array_index: tag.array_index,
        ty,
        guid: tag.guid,
        value,
        range,
    })
}

/// The value in the window, if it is of a known form and fills the window.
fn read_sized(archive: &mut Archive<'_>, name: &PackageName, ty: &mut TypeName) -> Option<Value> {
    let range = archive.rest();
    for forced in [None, native_in_map(name)] {
        archive.seek(range.start);
        let values = Values {
            in_container: forced,
        };
        match values.read(archive, ty) {
            Ok(value) if archive.left() == 0 => return Some(value),
            Ok(_) | Err(_) => {}
        }
        if forced.is_none() && native_in_map(name).is_none() {
            break;
        }
    }
    None
}

/// The struct that the values of a map are, where the tag leaves it out and it is not stored tagged.
fn native_in_map(property: &PackageName) -> Option<NativeStruct> {
    property.is("PropertyGuids").then_some(NativeStruct::Guid)
}

fn read_classic_tag(archive: &mut Archive<'_>) -> Result<Tag, PackageError> {
    let name = archive.name("property type")?;
    let size = read_size(archive)?;
    let array_index = archive.u32("array index of property")?;
    let mut ty = TypeName::simple(name);
    let mut bool_value = false;
    let parameters = match ty.name.text() {
        "StructProperty" => {
            ty.parameters.push(read_parameter(archive)?);
            archive.guid("struct guid of property")?;
            0
        }
        "BoolProperty" => {
            bool_value = archive.u8("boolean property")? != 0;
            0
        }
        "ByteProperty" | "EnumProperty" | "ArrayProperty" | "OptionalProperty" => 1,
        "SetProperty" if archive.is_ue4_at_least(ue4::SET_MAP_TAGS) => 1,
        "MapProperty" if archive.is_ue4_at_least(ue4::SET_MAP_TAGS) => 2,
        _ => 0,
    };
    for _ in 0..parameters {
        ty.parameters.push(read_parameter(archive)?);
    }
    let mut guid = None;
    if archive.is_ue4_at_least(ue4::PROPERTY_TAG_GUID) && archive.u8("has property guid")? != 0 {
        guid = Some(archive.guid("property guid")?);
    }
    if archive.is_ue5_at_least(ue5::PROPERTY_EXTENSIONS) {
        read_extensions(archive, true)?;
    }
    Ok(Tag {
        ty,
        size,
        array_index,
        bool_value,
        guid,
    })
}

fn read_parameter(archive: &mut Archive<'_>) -> Result<TypeName, PackageError> {
    Ok(TypeName::simple(archive.name("type of property value")?))
}

fn read_complete_tag(archive: &mut Archive<'_>) -> Result<Tag, PackageError> {
    const HAS_ARRAY_INDEX: u8 = 0x01;
    const HAS_GUID: u8 = 0x02;
    const HAS_EXTENSIONS: u8 = 0x04;
    const IS_TRUE: u8 = 0x10;

    let ty = read_type_name(archive)?;
    let size = read_size(archive)?;
    let flags = archive.u8("property tag flags")?;
    let array_index = if flags & HAS_ARRAY_INDEX == 0 {
        0
    } else {
        archive.u32("array index of property")?
    };
    let guid = if flags & HAS_GUID == 0 {
        None
    } else {
        Some(archive.guid("property guid")?)
    };
    if flags & HAS_EXTENSIONS != 0 {
        read_extensions(archive, true)?;
    }
    Ok(Tag {
        ty,
        size,
        array_index,
        bool_value: flags & IS_TRUE != 0,
        guid,
    })
}

fn read_type_name(archive: &mut Archive<'_>) -> Result<TypeName, PackageError> {
    archive.nest("property type", |archive| {
        let name = archive.name("property type")?;
        let count = archive.count(12, "type parameter count")?;
        Ok(TypeName {
            name,
            parameters: archive.repeat(count, read_type_name)?,
        })
    })
}

fn read_size(archive: &mut Archive<'_>) -> Result<usize, PackageError> {
    let offset = archive.position();
    let found = archive.i32("property size")?;
    usize::try_from(found).map_err(|_| PackageError::BadCount {
        offset,
        what: "property size",
        found: i64::from(found),
        left: archive.left(),
    })
}

/// Extensions of an object's property list or of a single tag; the only known one says how values
/// override those of an archetype.
fn read_extensions(archive: &mut Archive<'_>, is_tag: bool) -> Result<(), PackageError> {
    const OVERRIDES: u8 = 0x02;
    if archive.u8("property extensions")? & OVERRIDES != 0 {
        archive.u8("override operation")?;
        if is_tag {
            archive.bool("override of sub-object")?;
        }
    }
    Ok(())
}

/// How values are read that their tag does not fully describe.
#[derive(Clone, Copy)]
struct Values {
    /// The form of structs in sets and maps, when it is known from elsewhere.
    in_container: Option<NativeStruct>,
}

impl Values {
    /// The value in the window, which holds nothing else.
    fn read(self, archive: &mut Archive<'_>, ty: &mut TypeName) -> Result<Value, PackageError> {
        match ty.name.text() {
            "ByteProperty" if archive.left() == 1 => Ok(Value::Byte(archive.u8("byte value")?)),
            "ByteProperty" => Ok(Value::Enum(archive.name("enum value")?)),
            "ArrayProperty" => self.read_array(archive, ty),
            "SetProperty" => self.read_set(archive, ty),
            "MapProperty" => self.read_map(archive, ty),
            _ => self.read_element(archive, ty, 0),
        }
    }

    fn read_array(
        self,
        archive: &mut Archive<'_>,
        ty: &mut TypeName,
    ) -> Result<Value, PackageError> {
        let count = archive.count(1, "element count")?;
        let is_struct = |element: &TypeName| element.name.text() == "StructProperty";
        if let Some(element) = ty.parameters.first_mut()
            && is_struct(element)
            && element.parameters.is_empty()
            && archive.is_ue4_at_least(ue4::ARRAY_INNER_TAG)
        {
            archive.name("name of array property")?;
            archive.name("type of array elements")?;
            archive.i32("size of array elements")?;
            archive.i32("array index of array elements")?;
            let structure = archive.name("struct of array elements")?;
            archive.guid("struct guid of array elements")?;
            if archive.is_ue4_at_least(ue4::PROPERTY_TAG_GUID)
                && archive.u8("has guid of array elements")? != 0
            {
                archive.guid("guid of array elements")?;
            }
            if archive.is_ue5_at_least(ue5::PROPERTY_EXTENSIONS) {
                read_extensions(archive, true)?;
            }
            element.parameters.push(TypeName::simple(structure));
        }
        Ok(Value::Array(self.read_elements(archive, ty, 0, count)?))
    }

    fn read_set(self, archive: &mut Archive<'_>, ty: &TypeName) -> Result<Value, PackageError> {
        let removed = archive.count(1, "removed element count")?;
        self.read_elements(archive, ty, 0, removed)?;
        let count = archive.count(1, "element count")?;
        Ok(Value::Set(self.read_elements(archive, ty, 0, count)?))
    }

    fn read_map(self, archive: &mut Archive<'_>, ty: &TypeName) -> Result<Value, PackageError> {
        let [key, value] = ty.parameters.as_slice() else {
            return Err(unknown_type(archive, ty));
        };
        let removed = archive.count(1, "removed pair count")?;
        self.read_elements(archive, ty, 0, removed)?;
        let count = archive.count(2, "pair count")?;
        let pairs = archive.repeat(count, |archive| {
            let pair_key = self.read_element(archive, key, 0)?;
            Ok((pair_key, self.read_element(archive, value, 0)?))
        })?;
        Ok(Value::Map(pairs))
    }

    fn read_elements(
        self,
        archive: &mut Archive<'_>,
        ty: &TypeName,
        parameter: usize,
        count: usize,
    ) -> Result<Vec<Value>, PackageError> {
        let Some(element) = ty.parameters.get(parameter) else {
            return Err(unknown_type(archive, ty));
        };
        let share = archive.left() / count.max(1);
        archive.repeat(count, |archive| self.read_element(archive, element, share))
    }

    /// One value among others. `share` is the size of an element when all have one size, and only
    /// tells bytes from enum entries, which tags before 5.4 do not tell apart in arrays.
    fn read_element(
        self,
        archive: &mut Archive<'_>,
        ty: &TypeName,
        share: usize,
    ) -> Result<Value, PackageError> {
        Ok(match ty.name.text() {
            "BoolProperty" => Value::Bool(archive.u8("boolean value")? != 0),
            "Int8Property" => Value::Int(i64::from(archive.i8("integer value")?)),
            "Int16Property" => Value::Int(i64::from(archive.i16("integer value")?)),
            "IntProperty" => Value::Int(i64::from(archive.i32("integer value")?)),
            "Int64Property" => Value::Int(archive.i64("integer value")?),
            "UInt16Property" => Value::UInt(u64::from(archive.u16("integer value")?)),
            "UInt32Property" => Value::UInt(u64::from(archive.u32("integer value")?)),
            "UInt64Property" => Value::UInt(archive.u64("integer value")?),
            "FloatProperty" => Value::Float(archive.f32("float value")?),
            "DoubleProperty" => Value::Double(archive.f64("double value")?),
            "NameProperty" => Value::Name(archive.name("name value")?),
            "EnumProperty" => Value::Enum(archive.name("enum value")?),
            "StrProperty" => Value::String(archive.string("string value")?),
            "TextProperty" => Value::Text(Text::read(archive)?),
            "ByteProperty" => {
                let is_enum = ty
                    .parameters
                    .first()
                    .map_or(share == 8, |enumeration| !enumeration.name.is_none());
                if is_enum {
                    Value::Enum(archive.name("enum value")?)
                } else {
                    Value::Byte(archive.u8("byte value")?)
                }
            }
            "ObjectProperty" | "ObjectPtrProperty" | "ClassProperty" | "ClassPtrProperty"
            | "WeakObjectProperty" | "InterfaceProperty" => {
                Value::Object(archive.index("object value")?)
            }
            "LazyObjectProperty" => Value::LazyObject(archive.guid("lazy object value")?),
            "SoftObjectProperty"
            | "SoftClassProperty"
            | "AssetObjectProperty"
            | "AssetClassProperty" => Value::SoftObject(SoftPath::read_value(archive)?),
            "DelegateProperty" => Value::Delegate(read_delegate(archive)?),
            "MulticastDelegateProperty"
            | "MulticastInlineDelegateProperty"
            | "MulticastSparseDelegateProperty" => {
                let count = archive.count(12, "bound function count")?;
                Value::MulticastDelegate(archive.repeat(count, read_delegate)?)
            }
            "FieldPathProperty" => Value::FieldPath(FieldPath::read(archive)?),
            "StructProperty" => {
                let structure = ty.parameters.first().map(|structure| &structure.name);
                Value::Struct(self.read_struct(archive, structure)?)
            }
            _ => return Err(unknown_type(archive, ty)),
        })
    }

    fn read_struct(
        self,
        archive: &mut Archive<'_>,
        ty: Option<&PackageName>,
    ) -> Result<StructValue, PackageError> {
        let native = match ty {
            Some(name) => NativeStruct::of(name),
            None => self.in_container,
        };
        let fields = match native {
            Some(native) => read_native(archive, native)?,
            None => StructFields::Tagged(read_properties(archive)?),
        };
        Ok(StructValue {
            ty: ty.cloned(),
            fields,
        })
    }
}

fn read_delegate(archive: &mut Archive<'_>) -> Result<DelegateValue, PackageError> {
    Ok(DelegateValue {
        object: archive.index("object of delegate")?,
        function: archive.name("function of delegate")?,
    })
}

fn unknown_type(archive: &Archive<'_>, ty: &TypeName) -> PackageError {
    PackageError::UnknownKind {
        offset: archive.position(),
        what: "property type",
        found: ty.name.to_string(),
    }
}
