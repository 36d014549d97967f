//! Places: where values are.

use crate::ids::{ObjectHandle, TypeId};

/// What a place lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// The frame stack.
    Stack,
    /// The variables of an object.
    Object(ObjectHandle),
    /// The persistent frames of an object.
    Persistent(ObjectHandle),
    /// The elements of an array, by its heap word.
    Array(u64),
}

/// A run of words somewhere. Stays harmless when what it lies in is gone: it then reads as zero and
/// swallows writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) base: Base,
    /// Words before it.
    pub(crate) offset: u32,
}

impl Place {
    pub(crate) fn stack(offset: usize) -> Self {
        Self {
            base: Base::Stack,
            offset: offset as u32,
        }
    }

    pub(crate) fn object(object: ObjectHandle, offset: u32) -> Self {
        Self {
            base: Base::Object(object),
            offset,
        }
    }

    /// The place `words` further on.
    pub(crate) fn at(self, words: u32) -> Self {
        Self {
            base: self.base,
            offset: self.offset.saturating_add(words),
        }
    }
}

/// A place and the type of what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypedPlace {
    pub(crate) place: Place,
    pub(crate) ty: TypeId,
}
