//! Linked types: how many words a value takes, and which of them own something in a heap.
//!
//! How values sit in words:
//! - bool: 0 or 1; byte and enum: the number; other integers: sign-extended to 64 bits.
//! - float and double: the bits of a double. A float's double is one that a float can hold exactly;
//!   whoever stores into a float rounds. (Rounding the double result of one arithmetic step gives
//!   the same float as doing the step in floats.)
//! - name: its number; object, class, weak and interface references: an object handle.
//! - string, soft reference, field path: a string handle; text, array, set and map, multicast
//!   delegate: a handle of its own heap. 0 is the empty value.
//! - delegate: object handle, name number. Struct: its members one after the other.

use std::collections::HashMap;
use std::sync::Arc;

use bp_reflect::link::{self, LinkError};
use bp_reflect::{EngineVersion, Name, ObjectPath, Property, PropertyType, Registry, Value};
use rustc_hash::FxBuildHasher;

use crate::ids::{StructId, TypeId};

/// What a type is, as far as storing and comparing its values goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No value; takes a word so that it can be pushed.
    Nothing,
    Bool,
    Byte(Option<ObjectPath>),
    /// Signed integer of that many bits.
    Int(u8),
    /// Unsigned integer of that many bits.
    UInt(u8),
    Float,
    Double,
    Name,
    Str,
    Text,
    /// Object, weak and interface references.
    Object,
    Class,
    /// A soft reference or field path: a string in the string heap.
    Path,
    Delegate,
    Multicast,
    Struct(StructId),
    Array(TypeId),
    Set(TypeId),
    Map(TypeId, TypeId),
    Wildcard,
    /// A C array inside a struct, class or function.
    Repeated(TypeId, u32),
}

/// Which heap a word refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owned {
    Str,
    Text,
    Array,
    Table,
    Multicast,
}

/// A linked type.
#[derive(Clone, Debug)]
pub(crate) struct TypeInfo {
    pub(crate) kind: Kind,
    pub(crate) words: u32,
    /// Words that own something, by offset.
    pub(crate) owned: Box<[(u32, Owned)]>,
    /// Words that hold floats, by offset.
    pub(crate) floats: Box<[u32]>,
}

/// A member of a linked struct.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) offset: u32,
    pub(crate) ty: TypeId,
}

/// A constant that a new value of a struct has somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    /// Words before it in the struct.
    pub(crate) offset: u32,
    pub(crate) ty: TypeId,
    pub(crate) value: Value,
}

/// A linked struct.
#[derive(Clone, Debug)]
pub(crate) struct StructInfo {
    pub(crate) path: ObjectPath,
    pub(crate) ty: TypeId,
    pub(crate) words: u32,
    /// In declaration order, those of the super struct first.
    pub(crate) fields: Vec<Field>,
    /// What a new value has that is not zero, to be written in this order; a constant of a struct names
    /// only some members.
    pub(crate) initial: Arc<[Initial]>,
}

/// Types by number. The first ones are fixed, see the constants of [`TypeId`].
#[derive(Debug)]
pub(crate) struct TypeTable {
    infos: Vec<TypeInfo>,
    structs: Vec<StructInfo>,
    by_type: HashMap<PropertyType, TypeId, FxBuildHasher>,
    by_struct: HashMap<ObjectPath, StructId, FxBuildHasher>,
    repeated: HashMap<(TypeId, u32), TypeId, FxBuildHasher>,
    engine: EngineVersion,
    /// As many as the largest type has words.
    zeros: Vec<u64>,
}

macro_rules! fixed_types {
    ($($name:ident = $number:literal: $kind:expr, $words:literal, $owned:expr, $ty:expr;)*) => {
        impl TypeId {
            $(pub(crate) const $name: Self = Self($number);)*
        }

        fn fixed() -> Vec<(TypeInfo, Option<PropertyType>)> {
            vec![$((
                TypeInfo {
                    floats: floats_of(&$kind),
                    kind: $kind,
                    words: $words,
                    owned: Box::new($owned),
                },
                $ty,
            )),*]
        }
    };
}

fn floats_of(kind: &Kind) -> Box<[u32]> {
    if *kind == Kind::Float {
        Box::new([0])
    } else {
        Box::default()
    }
}

fixed_types! {
    NOTHING = 0: Kind::Nothing, 1, [], None;
    BOOL = 1: Kind::Bool, 1, [], Some(PropertyType::Bool);
    BYTE = 2: Kind::Byte(None), 1, [], Some(PropertyType::Byte(None));
    INT = 3: Kind::Int(32), 1, [], Some(PropertyType::Int);
    INT64 = 4: Kind::Int(64), 1, [], Some(PropertyType::Int64);
    UINT64 = 5: Kind::UInt(64), 1, [], Some(PropertyType::UInt64);
    FLOAT = 6: Kind::Float, 1, [], Some(PropertyType::Float);
    DOUBLE = 7: Kind::Double, 1, [], Some(PropertyType::Double);
    NAME = 8: Kind::Name, 1, [], Some(PropertyType::Name);
    STR = 9: Kind::Str, 1, [(0, Owned::Str)], Some(PropertyType::Str);
    TEXT = 10: Kind::Text, 1, [(0, Owned::Text)], Some(PropertyType::Text);
    OBJECT = 11: Kind::Object, 1, [], None;
    CLASS = 12: Kind::Class, 1, [], None;
    PATH = 13: Kind::Path, 1, [(0, Owned::Str)], Some(PropertyType::FieldPath);
    DELEGATE = 14: Kind::Delegate, 2, [], None;
    MULTICAST = 15: Kind::Multicast, 1, [(0, Owned::Multicast)], None;
    WILDCARD = 16: Kind::Wildcard, 1, [], Some(PropertyType::Wildcard);
}

impl TypeTable {
    pub(crate) fn new(engine: EngineVersion) -> Self {
        let mut table = Self {
            infos: Vec::new(),
            structs: Vec::new(),
            by_type: HashMap::default(),
            by_struct: HashMap::default(),
            repeated: HashMap::default(),
            engine,
            zeros: Vec::new(),
        };
        for (info, ty) in fixed() {
            let id = table.add(info);
            if let Some(ty) = ty {
                table.by_type.insert(ty, id);
            }
        }
        table
    }

    /// Types that are known.
    pub(crate) fn len(&self) -> usize {
        self.infos.len()
    }

    pub(crate) fn info(&self, ty: TypeId) -> &TypeInfo {
        &self.infos[ty.0 as usize]
    }

    pub(crate) fn words(&self, ty: TypeId) -> u32 {
        self.infos[ty.0 as usize].words
    }

    pub(crate) fn kind(&self, ty: TypeId) -> &Kind {
        &self.infos[ty.0 as usize].kind
    }

    /// Whether no word of a value owns anything, so that a copy of its words is a copy.
    pub(crate) fn is_plain(&self, ty: TypeId) -> bool {
        self.infos[ty.0 as usize].owned.is_empty()
    }

    pub(crate) fn structure(&self, id: StructId) -> &StructInfo {
        &self.structs[id.0 as usize]
    }

    /// What a new value has that is not zero; empty for most types.
    pub(crate) fn initial(&self, ty: TypeId) -> Arc<[Initial]> {
        if let Kind::Struct(id) = *self.kind(ty) {
            return self.structure(id).initial.clone();
        }
        Arc::default()
    }

    /// The element type of an array.
    pub(crate) fn array_element(&self, ty: TypeId) -> Option<TypeId> {
        if let Kind::Array(element) = *self.kind(ty) {
            Some(element)
        } else {
            None
        }
    }

    /// The key type of a set or map, and the value type of a map.
    pub(crate) fn table_parts(&self, ty: TypeId) -> Option<(TypeId, Option<TypeId>)> {
        if let Kind::Set(key) = *self.kind(ty) {
            Some((key, None))
        } else if let Kind::Map(key, value) = *self.kind(ty) {
            Some((key, Some(value)))
        } else {
            None
        }
    }

    /// The element type and count of a C array.
    pub(crate) fn repeated(&self, ty: TypeId) -> Option<(TypeId, u32)> {
        if let Kind::Repeated(element, count) = *self.kind(ty) {
            Some((element, count))
        } else {
            None
        }
    }

    /// The type of a property, all elements of a C array together.
    pub(crate) fn property(
        &mut self,
        property: &Property,
        registry: &Registry,
    ) -> Result<TypeId, LinkError> {
        let ty = self.intern(&property.ty, registry)?;
        if property.array_dim <= 1 {
            return Ok(ty);
        }
        let dim = property.array_dim;
        if let Some(id) = self.repeated.get(&(ty, dim)) {
            return Ok(*id);
        }
        let element = self.info(ty);
        let words = element.words;
        let owned = (0..dim)
            .flat_map(|i| element.owned.iter().map(move |(o, k)| (o + i * words, *k)))
            .collect();
        let floats = (0..dim)
            .flat_map(|i| element.floats.iter().map(move |o| o + i * words))
            .collect();
        let id = self.add(TypeInfo {
            kind: Kind::Repeated(ty, dim),
            words: words * dim,
            owned,
            floats,
        });
        self.repeated.insert((ty, dim), id);
        Ok(id)
    }

    pub(crate) fn intern(
        &mut self,
        ty: &PropertyType,
        registry: &Registry,
    ) -> Result<TypeId, LinkError> {
        use PropertyType as P;
        if let Some(id) = self.by_type.get(ty) {
            return Ok(*id);
        }
        let plain = |kind| TypeInfo {
            kind,
            words: 1,
            owned: Box::default(),
            floats: Box::default(),
        };
        let owning = |kind, owned| TypeInfo {
            kind,
            words: 1,
            owned: Box::new([(0, owned)]),
            floats: Box::default(),
        };
        let info = match ty {
            P::Bool => return Ok(TypeId::BOOL),
            P::Int => return Ok(TypeId::INT),
            P::Int64 => return Ok(TypeId::INT64),
            P::UInt64 => return Ok(TypeId::UINT64),
            P::Float => return Ok(TypeId::FLOAT),
            P::Double => return Ok(TypeId::DOUBLE),
            P::Name => return Ok(TypeId::NAME),
            P::Str => return Ok(TypeId::STR),
            P::Text => return Ok(TypeId::TEXT),
            P::Wildcard => return Ok(TypeId::WILDCARD),
            P::Object(_) | P::WeakObject(_) | P::Interface(_) => return Ok(TypeId::OBJECT),
            P::Class(_) => return Ok(TypeId::CLASS),
            P::SoftObject(_) | P::SoftClass(_) | P::FieldPath => return Ok(TypeId::PATH),
            P::Delegate(_) => return Ok(TypeId::DELEGATE),
            P::MulticastDelegate(_) => return Ok(TypeId::MULTICAST),
            P::Byte(None) => return Ok(TypeId::BYTE),
            P::Byte(Some(target)) | P::Enum(target) => plain(Kind::Byte(Some(target.clone()))),
            P::Int8 => plain(Kind::Int(8)),
            P::Int16 => plain(Kind::Int(16)),
            P::UInt16 => plain(Kind::UInt(16)),
            P::UInt32 => plain(Kind::UInt(32)),
            P::Array(element) => {
                let element = self.intern(element, registry)?;
                owning(Kind::Array(element), Owned::Array)
            }
            P::Set(element) => {
                let element = self.intern(element, registry)?;
                owning(Kind::Set(element), Owned::Table)
            }
            P::Map(pair) => {
                let key = self.intern(&pair.0, registry)?;
                let value = self.intern(&pair.1, registry)?;
                owning(Kind::Map(key, value), Owned::Table)
            }
            P::Struct(path) => {
                let id = self.link_struct(path, registry)?;
                return Ok(self.structure(id).ty);
            }
        };
        let id = self.add(info);
        self.by_type.insert(ty.clone(), id);
        Ok(id)
    }

    /// The linked struct at `path`; one opaque word if it is declared nowhere.
    pub(crate) fn link_struct(
        &mut self,
        path: &ObjectPath,
        registry: &Registry,
    ) -> Result<StructId, LinkError> {
        if let Some(id) = self.by_struct.get(path) {
            return Ok(*id);
        }
        let mut fields = Vec::new();
        let mut initial = Vec::new();
        let mut words = 1;
        if let Some(structure) = registry.structure(path) {
            // Refuses structs that contain themselves, so the calls below end.
            let layout = link::link_struct(structure, registry, self.engine)?;
            words = layout.words;
            if let Some(parent) = &structure.super_struct {
                let parent = self.link_struct(parent, registry)?;
                fields.extend(self.structure(parent).fields.iter().cloned());
                initial.extend(self.structure(parent).initial.iter().cloned());
            }
            for (member, slot) in structure.members.iter().zip(&layout.slots) {
                let ty = self.property(member, registry)?;
                let of_member = self.initial(ty);
                initial.extend(of_member.iter().map(|inner| Initial {
                    offset: slot.offset + inner.offset,
                    ..inner.clone()
                }));
                let text = member.default.as_deref().filter(|text| !text.is_empty());
                if let Some(Ok(value)) = text.map(|text| Value::parse(text, &member.ty, registry))
                    && !(of_member.is_empty() && is_zero(&value))
                {
                    initial.push(Initial {
                        offset: slot.offset,
                        ty,
                        value,
                    });
                }
                fields.push(Field {
                    name: member.name.clone(),
                    offset: slot.offset,
                    ty,
                });
            }
        }
        let owned = fields
            .iter()
            .flat_map(|field| {
                let owned = &self.info(field.ty).owned;
                owned.iter().map(|(o, k)| (field.offset + o, *k))
            })
            .collect();
        let floats = fields
            .iter()
            .flat_map(|field| {
                let floats = &self.info(field.ty).floats;
                floats.iter().map(|o| field.offset + o)
            })
            .collect();
        let id = StructId(self.structs.len() as u32);
        let ty = self.add(TypeInfo {
            kind: Kind::Struct(id),
            words,
            owned,
            floats,
        });
        self.structs.push(StructInfo {
            path: path.clone(),
            ty,
            words,
            fields,
            initial: initial.into(),
        });
        self.by_struct.insert(path.clone(), id);
        self.by_type.insert(PropertyType::Struct(path.clone()), ty);
        Ok(id)
    }

    /// An array type of the element type; made on first use.
    pub(crate) fn array_of(&mut self, element: TypeId) -> TypeId {
        let known = self
            .infos
            .iter()
            .position(|info| info.kind == Kind::Array(element));
        match known {
            Some(index) => TypeId(index as u32),
            None => self.add(TypeInfo {
                kind: Kind::Array(element),
                words: 1,
                owned: Box::new([(0, Owned::Array)]),
                floats: Box::default(),
            }),
        }
    }

    /// A set type of the key type, or a map type of both; made on first use.
    pub(crate) fn table_of(&mut self, key: TypeId, value: Option<TypeId>) -> TypeId {
        let kind = match value {
            Some(value) => Kind::Map(key, value),
            None => Kind::Set(key),
        };
        match self.infos.iter().position(|info| info.kind == kind) {
            Some(index) => TypeId(index as u32),
            None => self.add(TypeInfo {
                kind,
                words: 1,
                owned: Box::new([(0, Owned::Table)]),
                floats: Box::default(),
            }),
        }
    }

    fn add(&mut self, info: TypeInfo) -> TypeId {
        let id = TypeId(self.infos.len() as u32);
        if self.zeros.len() < info.words as usize {
            self.zeros.resize(info.words as usize, 0);
        }
        self.infos.push(info);
        id
    }

    /// Zeros to be read in place of a value that is gone; there are enough for every type.
    pub(crate) fn zeros(&self, words: usize) -> &[u64] {
        &self.zeros[..words.min(self.zeros.len())]
    }
}

/// Whether all words of the constant are 0.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        Value::UInt(value) => *value == 0,
        Value::Real(value) => value.to_bits() == 0,
        Value::Name(name) => name.as_str().eq_ignore_ascii_case("None"),
        Value::Str(text) => text.is_empty(),
        Value::Text(text) => *text == bp_reflect::TextValue::Empty,
        Value::Object(object) => object.is_none(),
        Value::Unbound => true,
        Value::Struct(members) => members.iter().all(|(_, value)| is_zero(value)),
        Value::List(values) => values.is_empty(),
        Value::Map(pairs) => pairs.is_empty(),
    }
}
