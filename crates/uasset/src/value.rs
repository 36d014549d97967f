//! Values of tagged properties.

use crate::archive::Archive;
use crate::pin::PinType;
use crate::version::{step, ue4, ue5};
use crate::{ByteRange, Guid, PackageError, PackageIndex, PackageName, Text};

/// The tagged properties of an object or struct value, in stored order.
///
/// Properties that equal their default are not stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties {
    /// One entry per tag; an element of a fixed-size array property is an entry of its own.
    pub entries: Vec<TaggedProperty>,
}

/// A property with the tag it was stored under.
#[derive(Clone, Debug, PartialEq)]
pub struct TaggedProperty {
    /// Name of the property.
    pub name: PackageName,
    /// Index into a fixed-size array property, 0 for all others.
    pub array_index: u32,
    /// Type as the tag gives it.
    pub ty: TypeName,
    /// Guid of the property, when the tag has one: user structs and classes that rename safely.
    pub guid: Option<Guid>,
    /// The value.
    pub value: Value,
    /// Where the value is stored.
    pub range: ByteRange,
}

/// A type as a property tag writes it: a name and parameters, such as `ArrayProperty(IntProperty)` or
/// `StructProperty(Vector)`.
///
/// Before 5.4 tags leave out the struct of array, set and map elements (for arrays it stands beside
/// the elements and is filled in here), the enum of array elements, and all packages of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// The name.
    pub name: PackageName,
    /// Its parameters.
    pub parameters: Vec<TypeName>,
}

impl TypeName {
    /// A type without parameters.
    pub fn simple(name: PackageName) -> Self {
        Self {
            name,
            parameters: Vec::new(),
        }
    }
}

/// A value of a tagged property.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A boolean.
    Bool(bool),
    /// A signed integer of any width.
    Int(i64),
    /// An unsigned integer of 16 to 64 bits.
    UInt(u64),
    /// A byte that is not an enum.
    Byte(u8),
    /// A number in single precision.
    Float(f32),
    /// A number in double precision.
    Double(f64),
    /// A name.
    Name(PackageName),
    /// An entry of an enum, with or without the enum's name before it as it is stored.
    Enum(PackageName),
    /// A string.
    String(String),
    /// A text.
    Text(Text),
    /// A reference to an object or class, strong, weak or by interface.
    Object(PackageIndex),
    /// A lazy reference: the guid of an object.
    LazyObject(Guid),
    /// A soft reference.
    SoftObject(SoftPath),
    /// A bound function.
    Delegate(DelegateValue),
    /// A list of bound functions.
    MulticastDelegate(Vec<DelegateValue>),
    /// The path of a field.
    FieldPath(FieldPath),
    /// A struct.
    Struct(StructValue),
    /// Elements in order.
    Array(Vec<Value>),
    /// Elements in stored order.
    Set(Vec<Value>),
    /// Pairs in stored order.
    Map(Vec<(Value, Value)>),
    /// Bytes whose form is not known: a struct the engine stores in its own way, or a type this crate
    /// does not know. The range covers the whole value of the property.
    Raw(ByteRange),
}

/// An object and the name of a function of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelegateValue {
    /// The object.
    pub object: PackageIndex,
    /// The function.
    pub function: PackageName,
}

/// The path of a field (`FFieldPath`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPath {
    /// Names from the field outwards: the inner property of an array comes before the array.
    pub names: Vec<PackageName>,
    /// The struct, class or function that owns the outermost field; null in packages that do not
    /// store it.
    pub owner: PackageIndex,
}

/// A reference by path to an object that need not be loaded (`FSoftObjectPath`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoftPath {
    /// Path of the top object, `/Game/A.A`; empty for no object.
    pub asset: String,
    /// Path of an object inside it, empty for the top object itself.
    pub sub_path: String,
}

/// A struct value.
#[derive(Clone, Debug, PartialEq)]
pub struct StructValue {
    /// Name of the struct; `None` where a package leaves it out (elements of sets and maps before 5.4).
    pub ty: Option<PackageName>,
    /// Its fields.
    pub fields: StructFields,
}

/// The fields of a struct value.
#[derive(Clone, Debug, PartialEq)]
pub enum StructFields {
    /// Fields stored as tagged properties.
    Tagged(Properties),
    /// Floating-point fields (vectors, rotators, linear colors), with their names in engine order.
    Reals(Vec<(&'static str, f64)>),
    /// Integer fields (points, colors, dates), with their names in engine order.
    Integers(Vec<(&'static str, i64)>),
    /// A guid.
    Guid(Guid),
    /// A soft path.
    SoftPath(SoftPath),
    /// The type of a pin or variable.
    PinType(Box<PinType>),
    /// Names: the tags of a gameplay tag container.
    Names(Vec<PackageName>),
    /// A key of a curve.
    CurveKey(CurveKey),
}

/// A key of a float curve (`FRichCurveKey`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CurveKey {
    /// `ERichCurveInterpMode`: 0 linear, 1 constant, 2 cubic, 3 none.
    pub interpolation: u8,
    /// `ERichCurveTangentMode`.
    pub tangent_mode: u8,
    /// `ERichCurveTangentWeightMode`.
    pub tangent_weight_mode: u8,
    /// Position in seconds.
    pub time: f32,
    /// Value at that position.
    pub value: f32,
    /// Slope before the key.
    pub arrive_tangent: f32,
    /// Weight of that slope.
    pub arrive_tangent_weight: f32,
    /// Slope after the key.
    pub leave_tangent: f32,
    /// Weight of that slope.
    pub leave_tangent_weight: f32,
}

impl Properties {
    /// The value of a property, of its first element if it is a fixed-size array.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// The entry of a property, the first one if it is a fixed-size array.
    pub fn entry(&self, name: &str) -> Option<&TaggedProperty> {
        self.entries.iter().find(|entry| entry.name.is(name))
    }

    /// The object a property refers to; null when the property is not stored or not a reference.
    pub fn object(&self, name: &str) -> PackageIndex {
        self.get(name)
            .and_then(Value::as_object)
            .unwrap_or_default()
    }

    /// The objects an array property refers to, nulls included; empty when it is not stored.
    pub fn objects(&self, name: &str) -> Vec<PackageIndex> {
        let elements = self.get(name).and_then(Value::as_array).unwrap_or_default();
        elements.iter().filter_map(Value::as_object).collect()
    }

    /// The value of a boolean property, false when it is not stored.
    pub fn bool(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Value::Bool(true)))
    }

    /// The value of an integer property, if it is stored and is one.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(Value::as_int)
    }

    /// The value of a name or enum property, if it is stored and is one.
    pub fn name(&self, name: &str) -> Option<&PackageName> {
        self.get(name).and_then(Value::as_name)
    }

    /// The value of a string property, empty when it is not stored.
    pub fn string(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Value::String(text)) => text,
            _ => "",
        }
    }

    /// The tagged fields of a struct property, if it is stored and has such.
    pub fn structure(&self, name: &str) -> Option<&Self> {
        self.get(name).and_then(Value::as_fields)
    }

    /// The value of a guid property, zero when it is not stored.
    pub fn guid(&self, name: &str) -> Guid {
        match self.get(name) {
            Some(Value::Struct(StructValue {
                fields: StructFields::Guid(guid),
                ..
            })) => *guid,
            _ => Guid::ZERO,
        }
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "each asks for one form and takes nothing else"
)]
impl Value {
    /// The object, if this is a reference.
    pub fn as_object(&self) -> Option<PackageIndex> {
        match self {
            Self::Object(index) => Some(*index),
            _ => None,
        }
    }

    /// The elements, if this is an array or set.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) | Self::Set(elements) => Some(elements),
            _ => None,
        }
    }

    /// The number, if this is an integer that fits.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::UInt(value) => i64::try_from(*value).ok(),
            Self::Byte(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The name, if this is a name or an enum entry.
    pub fn as_name(&self) -> Option<&PackageName> {
        match self {
            Self::Name(name) | Self::Enum(name) => Some(name),
            _ => None,
        }
    }

    /// The fields, if this is a struct with tagged fields.
    pub fn as_fields(&self) -> Option<&Properties> {
        match self {
            Self::Struct(StructValue {
                fields: StructFields::Tagged(fields),
                ..
            }) => Some(fields),
            _ => None,
        }
    }
}

impl Value {
    /// The first part of the value whose form is not known ([`Self::Raw`]), if there is one.
    pub fn unknown_part(&self) -> Option<ByteRange> {
        match self {
            Self::Raw(range) => Some(*range),
            Self::Array(values) | Self::Set(values) => values.iter().find_map(Self::unknown_part),
            Self::Map(pairs) => pairs
                .iter()
                .find_map(|(key, value)| key.unknown_part().or_else(|| value.unknown_part())),
            Self::Struct(StructValue {
                fields: StructFields::Tagged(fields),
                ..
            }) => fields
                .entries
                .iter()
                .find_map(|entry| entry.value.unknown_part()),
            Self::Struct(_)
            | Self::Bool(_)
            | Self::Int(_)
            | Self::UInt(_)
            | Self::Byte(_)
            | Self::Float(_)
            | Self::Double(_)
            | Self::Name(_)
            | Self::Enum(_)
            | Self::String(_)
            | Self::Text(_)
            | Self::Object(_)
            | Self::LazyObject(_)
            | Self::SoftObject(_)
            | Self::Delegate(_)
            | Self::MulticastDelegate(_)
            | Self::FieldPath(_) => None,
        }
    }
}

impl SoftPath {
    /// Reads a row of the package's table of soft paths.
    pub(crate) fn read(archive: &mut Archive<'_>) -> Result<Self, PackageError> {
        let package = archive.name("package of soft path")?;
        let asset = archive.name("asset of soft path")?;
        let asset = match (package.is_none(), asset.is_none()) {
            (true, true) => String::new(),
            (true, false) => asset.to_string(),
            (false, true) => package.to_string(),
            (false, false) => format!("{package}.{asset}"),
        };
        Ok(Self {
            asset,
            sub_path: archive.string("sub-path of soft path")?,
        })
    }

    /// Reads a soft path where one stands as a value.
    pub(crate) fn read_value(archive: &mut Archive<'_>) -> Result<Self, PackageError> {
        if archive.is_ue5_at_least(ue5::SOFT_PATH_TABLE) {
            let offset = archive.position();
            let found = archive.i32("soft path")?;
            let path = usize::try_from(found)
                .ok()
                .and_then(|row| archive.package().soft_path(row));
            return path.cloned().ok_or(PackageError::BadIndex {
                offset,
                what: "soft path",
                found,
            });
        }
        if archive.is_ue5_at_least(ue5::SOFT_PATH_TOP_LEVEL) {
            return Self::read(archive);
        }
        if archive.is_ue4_at_least(ue4::SOFT_PATH_NAME) {
            let asset = archive.name("asset of soft path")?;
            return Ok(Self {
                asset: if asset.is_none() {
                    String::new()
                } else {
                    asset.to_string()
                },
                sub_path: archive.string("sub-path of soft path")?,
            });
        }
        let whole = archive.string("soft path")?;
        Ok(match whole.split_once(':') {
            Some((asset, sub_path)) => Self {
                asset: asset.to_owned(),
                sub_path: sub_path.to_owned(),
            },
            None => Self {
                asset: whole,
                sub_path: String::new(),
            },
        })
    }
}

impl FieldPath {
    pub(crate) fn read(archive: &mut Archive<'_>) -> Result<Self, PackageError> {
        let count = archive.count(8, "field path length")?;
        let names = archive.repeat(count, |archive| archive.name("field path"))?;
        let has_owner =
            archive.has(step::FIELD_PATH_OWNER) || archive.has(step::FIELD_PATH_OWNER_2);
        let owner = if has_owner {
            archive.index("owner of field path")?
        } else {
            PackageIndex::NULL
        };
        Ok(Self { names, owner })
    }
}
