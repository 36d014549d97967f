//! A deserializer that limits nesting, so that a crafted file cannot exhaust the stack: values and
//! types contain themselves, and the wire format sets no limit.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// Deepest nesting of sequences, maps, enums and structs. A package's own types take about a dozen.
pub(super) const MAX_DEPTH: u32 = 160;

/// How deep the reader is.
#[derive(Default)]
pub(super) struct Depth {
    now: Cell<u32>,
    /// Whether the limit was met. The wire format's errors do not say why.
    pub(super) exceeded: Cell<bool>,
}

/// Wraps a deserializer or one of serde's access and seed objects; all share one depth.
pub(super) struct Limited<'a, T> {
    inner: T,
    depth: &'a Depth,
}

impl<'a, T> Limited<'a, T> {
    pub(super) fn new(inner: T, depth: &'a Depth) -> Self {
        Self { inner, depth }
    }

    fn wrap<U>(&self, inner: U) -> Limited<'a, U> {
        Limited::new(inner, self.depth)
    }
}

/// Runs `f` one level deeper.
fn nested<T, E: Error>(depth: &Depth, f: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    if depth.now.get() == MAX_DEPTH {
        depth.exceeded.set(true);
        return Err(E::custom("nested too deeply"));
    }
    depth.now.set(depth.now.get() + 1);
    let result = f();
    depth.now.set(depth.now.get() - 1);
    result
}

macro_rules! plain {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(visitor)
        })*
    };
}

macro_rules! deeper {
    ($($method:ident($($argument:ident: $ty:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(
            self,
            $($argument: $ty,)*
            visitor: V,
        ) -> Result<V::Value, D::Error> {
            let visitor = self.wrap(visitor);
            nested(self.depth, || self.inner.$method($($argument,)* visitor))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Limited<'_, D> {
    type Error = D::Error;

    plain! {
        deserialize_any deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_identifier
        deserialize_ignored_any
    }

    deeper! {
        deserialize_option()
        deserialize_seq()
        deserialize_map()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Limited<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.visit_some(deserializer)
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.visit_newtype_struct(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.wrap(access);
        self.inner.visit_seq(access)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.wrap(access);
        self.inner.visit_map(access)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.wrap(access);
        self.inner.visit_enum(access)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Limited<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        let seed = self.wrap(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let seed = self.wrap(seed);
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        // `IndexMap` trusts its hint more than `Vec` does.
        self.inner.size_hint().map(|hint| hint.min(64))
    }
}

impl<'a, 'de, A: EnumAccess<'de>> EnumAccess<'de> for Limited<'a, A> {
    type Error = A::Error;
    type Variant = Limited<'a, A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), A::Error> {
        let seed = self.wrap(seed);
        let depth = self.depth;
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Limited::new(variant, depth)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}
