//! Numbers that stand for loaded things. Dense, never reused, meaningful within one world only.

/// A loaded class.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct ClassId(pub(crate) u32);

/// A loaded function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FunctionId(pub(crate) u32);

/// A linked struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StructId(pub(crate) u32);

/// A type whose layout is known.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct TypeId(pub(crate) u32);

/// An interned name; 0 is `None`.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct NameId(pub(crate) u32);

impl NameId {
    /// The name `None`.
    pub const NONE: Self = Self(0);
}

/// A reference to an object; the default is the null reference.
///
/// Weak by nature: it stops answering once its object has been collected, and never stands for
/// another object.
#[derive(
    Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct ObjectHandle(pub(crate) u64);

impl ObjectHandle {
    /// The null reference.
    pub const NONE: Self = Self(0);

    /// Whether it is the null reference. A reference to a collected object is not null in this
    /// sense, but nothing answers to it.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for ObjectHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match split(self.0) {
            Some((index, generation)) => write!(f, "object#{index}.{generation}"),
            None => f.write_str("object#none"),
        }
    }
}

/// The word of slot `index` in generation `generation` of a heap.
pub(crate) fn join(index: u32, generation: u32) -> u64 {
    (u64::from(generation) << 32) | (u64::from(index) + 1)
}

/// Slot and generation of a word made by [`join`]; none of 0.
pub(crate) fn split(word: u64) -> Option<(u32, u32)> {
    let low = word as u32;
    (low != 0).then(|| (low - 1, (word >> 32) as u32))
}
