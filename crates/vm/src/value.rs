//! Constants in and out of words.

use bp_reflect::{Name, ObjectPath, Value};

use crate::ids::{NameId, ObjectHandle, TypeId};
use crate::memory::{ArrayCell, Place, TableCell, Words};
use crate::types::Kind;
use crate::vm::Vm;

impl Vm {
    /// Assigns a constant. False if it has not the form the type asks for; the place then keeps what
    /// it had.
    pub(crate) fn write_value(&mut self, place: Place, ty: TypeId, value: &Value) -> bool {
        // A struct constant names the members that differ from what is there.
        if let (Kind::Struct(id), Value::Struct(members)) = (self.memory.types.kind(ty), value) {
            let fields = self.memory.types.structure(*id).fields.clone();
            let mut fits = true;
            for (name, value) in members {
                match fields.iter().find(|field| field.name == *name) {
                    Some(field) => {
                        fits &= self.write_value(place.at(field.offset), field.ty, value);
                    }
                    None => fits = false,
                }
            }
            return fits;
        }
        match self.words_of(ty, value) {
            Some(words) => {
                self.memory.store(place, ty, &words);
                true
            }
            None => false,
        }
    }

    /// Words of a new value, owned by the caller: zeros, but for members that a struct declares a default
    /// of.
    pub(crate) fn initial_words(&mut self, ty: TypeId) -> Words {
        let mut words = Words::from_elem(0, self.memory.types.words(ty) as usize);
        for initial in self.memory.types.initial(ty).iter() {
            self.overlay(&mut words, initial.offset, initial.ty, &initial.value);
        }
        words
    }

    /// Makes the value a new one of its type.
    pub(crate) fn construct(&mut self, place: Place, ty: TypeId) {
        let words = self.initial_words(ty);
        self.memory.store(place, ty, &words);
    }

    /// Writes a constant over a part of `words`. False if it has not the form the type asks for.
    fn overlay(&mut self, words: &mut Words, offset: u32, ty: TypeId, value: &Value) -> bool {
        if let (Kind::Struct(id), Value::Struct(members)) = (self.memory.types.kind(ty), value) {
            let fields = self.memory.types.structure(*id).fields.clone();
            return members.iter().all(|(name, value)| {
                let field = fields.iter().find(|field| field.name == *name);
                field.is_some_and(|field| {
                    self.overlay(words, offset + field.offset, field.ty, value)
                })
            });
        }
        let Some(part) = self.words_of(ty, value) else {
            return false;
        };
        let start = offset as usize;
        let target = &mut words[start..start + part.len()];
        self.memory.disown(ty, target);
        target.copy_from_slice(&part);
        true
    }

    /// Words of a constant, owned by the caller.
    pub(crate) fn words_of(&mut self, ty: TypeId, value: &Value) -> Option<Words> {
        let word = match (self.memory.types.kind(ty).clone(), value) {
            (Kind::Bool | Kind::Byte(_), Value::Bool(value)) => u64::from(*value),
            (Kind::Byte(_), Value::Int(value)) => u64::from(*value as u8),
            // A word holds an integer with its sign, whatever its size.
            (Kind::Int(bits), Value::Int(value)) => {
                let unused = 64 - u32::from(bits);
                ((value << unused) >> unused) as u64
            }
            (Kind::UInt(bits), Value::Int(value)) => wrapped(*value as u64, bits),
            (Kind::UInt(bits), Value::UInt(value)) => wrapped(*value, bits),
            (Kind::Float, Value::Real(value)) => f64::from(*value as f32).to_bits(),
            (Kind::Double, Value::Real(value)) => value.to_bits(),
            (Kind::Float | Kind::Double, Value::Int(value)) => (*value as f64).to_bits(),
            (Kind::Name, Value::Name(name)) => u64::from(self.names.intern(name).0),
            (Kind::Name, Value::Str(text)) => u64::from(self.names.intern_text(text).0),
            (Kind::Str | Kind::Path, Value::Str(text)) => self.memory.new_string(text.clone()),
            (Kind::Path, Value::Object(path)) => match path {
                Some(path) => self.memory.new_string(path.as_str()),
                None => 0,
            },
            (Kind::Text, Value::Text(text)) => self.memory.new_text(text.clone()),
            (Kind::Text, Value::Str(text)) => self
                .memory
                .new_text(bp_reflect::TextValue::Invariant(text.clone())),
            (Kind::Object | Kind::Class, Value::Object(None))
            | (Kind::Multicast, Value::Unbound) => 0,
            (Kind::Object | Kind::Class, Value::Object(Some(path))) => self.find_object(path).0,
            (Kind::Delegate, Value::Unbound) => return Some(Words::from_slice(&[0, 0])),
            (Kind::Struct(_), Value::Struct(_)) => {
                let mut words = self.initial_words(ty);
                return self.overlay(&mut words, 0, ty, value).then_some(words);
            }
            (Kind::Array(element), Value::List(values)) => {
                let mut data = Vec::new();
                for value in values {
                    data.extend_from_slice(&self.words_or_zero(element, value));
                }
                let stride = self.memory.types.words(element);
                if data.is_empty() {
                    0
                } else {
                    self.memory.arrays.insert(ArrayCell {
                        element,
                        stride,
                        data,
                    })
                }
            }
            (Kind::Repeated(element, dim), Value::List(values)) => {
                let mut words = Words::new();
                for value in values.iter().take(dim as usize) {
                    words.extend_from_slice(&self.words_or_zero(element, value));
                }
                words.resize(self.memory.types.words(ty) as usize, 0);
                return Some(words);
            }
            (Kind::Set(key), Value::List(values)) => {
                let table = self.new_table(key, None);
                for value in values {
                    let key = self.words_or_zero(key, value);
                    self.memory.table_add(table, &key, &[]);
                }
                table
            }
            (Kind::Map(key, item), Value::Map(pairs)) => {
                let table = self.new_table(key, Some(item));
                for (from, to) in pairs {
                    let from = self.words_or_zero(key, from);
                    let to = self.words_or_zero(item, to);
                    self.memory.table_add(table, &from, &to);
                }
                table
            }
            _ => return None,
        };
        Some(Words::from_slice(&[word]))
    }

    fn new_table(&mut self, key: TypeId, value: Option<TypeId>) -> u64 {
        let key_words = self.memory.types.words(key);
        let value = value.map(|ty| (ty, self.memory.types.words(ty)));
        self.memory
            .tables
            .insert(TableCell::new(key, key_words, value))
    }

    fn words_or_zero(&mut self, ty: TypeId, value: &Value) -> Words {
        self.words_of(ty, value)
            .unwrap_or_else(|| Words::from_elem(0, self.memory.types.words(ty) as usize))
    }

    /// The value at a place as a constant.
    pub(crate) fn read_value(&self, place: Place, ty: TypeId) -> Value {
        let words = self.memory.types.words(ty);
        let words = Words::from_slice(self.memory.read(place, words));
        self.value_of(ty, &words)
    }

    /// Bytes that [`Vm::read_value`] makes of it: more than the value counts, if many strings share one text.
    pub(crate) fn value_bytes(&self, place: Place, ty: TypeId) -> u64 {
        let words = self.memory.types.words(ty);
        let words = Words::from_slice(self.memory.read(place, words));
        self.bytes_of(ty, &words)
    }

    fn bytes_of(&self, ty: TypeId, words: &[u64]) -> u64 {
        let word = words[0];
        let own = size_of::<Value>() as u64;
        let memory = &self.memory;
        let list = |element: TypeId, words: &[u64]| -> u64 {
            let stride = memory.types.words(element) as usize;
            let elements = words.chunks_exact(stride);
            elements.map(|words| self.bytes_of(element, words)).sum()
        };
        own + match memory.types.kind(ty) {
            Kind::Nothing
            | Kind::Wildcard
            | Kind::Delegate
            | Kind::Multicast
            | Kind::Bool
            | Kind::Byte(_)
            | Kind::Int(_)
            | Kind::UInt(_)
            | Kind::Float
            | Kind::Double
            | Kind::Name => 0,
            Kind::Str | Kind::Path => memory.string(word).len() as u64,
            Kind::Text => memory.text_string(word).len() as u64,
            Kind::Object | Kind::Class => self.object_path(ObjectHandle(word)).len() as u64,
            Kind::Struct(id) => {
                let fields = memory.types.structure(*id).fields.iter();
                fields
                    .map(|field| {
                        let start = field.offset as usize;
                        let end = start + memory.types.words(field.ty) as usize;
                        size_of::<Name>() as u64 + self.bytes_of(field.ty, &words[start..end])
                    })
                    .sum()
            }
            Kind::Array(element) => list(*element, memory.elements(word)),
            Kind::Repeated(element, _) => list(*element, words),
            Kind::Set(key) => memory.tables.get(word).map_or(0, |table| {
                let keys = table.blocks().map(|(key, _)| key);
                keys.map(|words| self.bytes_of(*key, words)).sum()
            }),
            Kind::Map(key, value) => memory.tables.get(word).map_or(0, |table| {
                let pairs = table.blocks();
                pairs
                    .map(|(k, v)| self.bytes_of(*key, k) + self.bytes_of(*value, v))
                    .sum()
            }),
        }
    }

    fn value_of(&self, ty: TypeId, words: &[u64]) -> Value {
        let word = words[0];
        match self.memory.types.kind(ty) {
            Kind::Nothing | Kind::Wildcard | Kind::Delegate | Kind::Multicast => Value::Unbound,
            Kind::Bool => Value::Bool(word != 0),
            Kind::Byte(_) | Kind::Int(_) => Value::Int(word as i64),
            Kind::UInt(_) => i64::try_from(word).map_or(Value::UInt(word), Value::Int),
            Kind::Float | Kind::Double => Value::Real(f64::from_bits(word)),
            Kind::Name => Value::Name(self.names.name(NameId(word as u32)).clone()),
            Kind::Str | Kind::Path => Value::Str(self.memory.string(word).into()),
            Kind::Text => Value::Text(self.memory.text(word)),
            Kind::Object | Kind::Class => {
                let object = ObjectHandle(word);
                let exists = self.memory.objects.get(object).is_some();
                Value::Object(exists.then(|| ObjectPath::new(self.object_path(object))))
            }
            Kind::Struct(id) => Value::Struct(
                self.memory
                    .types
                    .structure(*id)
                    .fields
                    .iter()
                    .map(|field| {
                        let start = field.offset as usize;
                        let end = start + self.memory.types.words(field.ty) as usize;
                        let value = self.value_of(field.ty, &words[start..end]);
                        (field.name.clone(), value)
                    })
                    .collect(),
            ),
            Kind::Array(element) => self.list_of(*element, self.memory.elements(word)),
            Kind::Repeated(element, _) => self.list_of(*element, words),
            Kind::Set(key) => Value::List(match self.memory.tables.get(word) {
                Some(table) => table
                    .blocks()
                    .map(|(words, _)| self.value_of(*key, words))
                    .collect(),
                None => Vec::new(),
            }),
            Kind::Map(key, value) => Value::Map(match self.memory.tables.get(word) {
                Some(table) => table
                    .blocks()
                    .map(|(k, v)| (self.value_of(*key, k), self.value_of(*value, v)))
                    .collect(),
                None => Vec::new(),
            }),
        }
    }

    fn list_of(&self, element: TypeId, words: &[u64]) -> Value {
        let stride = self.memory.types.words(element) as usize;
        Value::List(
            words
                .chunks_exact(stride)
                .map(|words| self.value_of(element, words))
                .collect(),
        )
    }

    /// The object a path stands for: one of the world by its name or path, else what
    /// [`Vm::object_at`] finds.
    pub(crate) fn find_object(&mut self, path: &ObjectPath) -> ObjectHandle {
        if path.as_str().is_empty() || path.as_str().eq_ignore_ascii_case("None") {
            return ObjectHandle::NONE;
        }
        let found = self.memory.objects.iter().find(|(handle, object)| {
            object.kind == crate::objects::ObjectKind::Instance
                && *path == ObjectPath::new(self.object_path(*handle))
        });
        match found {
            Some((handle, _)) => handle,
            None => self.object_at(path),
        }
    }
}

/// The low bits of a number.
fn wrapped(value: u64, bits: u8) -> u64 {
    value & (u64::MAX >> (64 - u32::from(bits)))
}
