//! The state of one running script function.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::ids::{NameId, ObjectHandle, TypeId};
use crate::memory::{Place, TypedPlace};
use crate::names::NameTable;
use crate::program::{Code, FunctionInfo, PropertySlot, Reference, References};

/// Where the value of an expression goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dest {
    /// Nowhere. A variable only becomes [`Frame::recent`].
    Discard,
    /// Into this place, whose type is the expression's.
    Place(Place),
    /// On top of the frame stack; where it is becomes [`Frame::recent`].
    Push,
    /// Where it is becomes [`Frame::recent`]: the place of a variable, the top of the stack for a
    /// value that lies nowhere, no place if there is no object to have it.
    Refer,
}

/// An out parameter and the caller's place it stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutParm {
    /// Words before the parameter in the callee's frame: what tells parameters apart.
    pub(crate) offset: u32,
    pub(crate) target: TypedPlace,
    /// The variable the place was found through, for messages.
    pub(crate) name: Option<NameId>,
}

/// The caller's places of one call.
pub(crate) type OutParms = SmallVec<[OutParm; 4]>;

/// What the last variable expression was about (`MostRecentProperty` and its address).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recent {
    pub(crate) place: Option<TypedPlace>,
    pub(crate) property: Option<NameId>,
}

/// A running function (`FFrame`).
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) function: Arc<FunctionInfo>,
    pub(crate) code: Arc<Code>,
    pub(crate) references: Arc<References>,
    /// Byte offset of the next operand or opcode.
    pub(crate) ip: usize,
    /// The object the function runs on.
    pub(crate) object: ObjectHandle,
    /// Start of parameters and locals.
    pub(crate) locals: Place,
    pub(crate) outs: OutParms,
    pub(crate) flow_stack: SmallVec<[u32; 8]>,
    pub(crate) recent: Recent,
}

impl Frame {
    /// The bytes of an operand; zeros behind the end, where the next opcode fetch then faults.
    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let start = self.ip;
        self.ip = start.saturating_add(N);
        match self.code.bytes.get(start..self.ip) {
            Some(bytes) => bytes.try_into().expect("the range has N bytes"),
            None => [0; N],
        }
    }

    pub(crate) fn u8(&mut self) -> u8 {
        self.bytes::<1>()[0]
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    pub(crate) fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    pub(crate) fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.bytes())
    }

    pub(crate) fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.bytes())
    }

    /// A real: a double, or a float in the dialects before large world coordinates.
    pub(crate) fn real(&mut self) -> f64 {
        if self.code.dialect.has_large_world_coordinates() {
            self.f64()
        } else {
            f64::from(self.f32())
        }
    }

    /// The next byte, left where it is.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.code.bytes.get(self.ip).copied()
    }

    /// A property operand; none for null and for what nothing loaded has.
    pub(crate) fn property(&mut self) -> Option<PropertySlot> {
        let index = self.u64().checked_sub(1)?;
        let slot = self.references.properties.get(index as usize)?;
        slot.is_known.then_some(*slot)
    }

    /// An object operand; none for null.
    pub(crate) fn object_reference(&mut self) -> Option<Reference> {
        let index = self.u64().checked_sub(1)?;
        self.references.objects.get(index as usize).copied()
    }

    /// A name operand.
    pub(crate) fn name(&mut self, names: &mut NameTable) -> NameId {
        let base = self.u32() as usize;
        let _ = self.u32();
        let number = self.u32();
        if number == 0 {
            return self
                .references
                .names
                .get(base)
                .copied()
                .unwrap_or(NameId::NONE);
        }
        let base = self.references.bases.get(base).map_or("None", |base| base);
        names.intern(&bp_reflect::Name::from_parts(base, number))
    }

    /// Bytes up to a zero byte.
    pub(crate) fn ansi_string(&mut self) -> String {
        let rest = self.code.bytes.get(self.ip..).unwrap_or_default();
        let len = rest
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(rest.len());
        let text = rest[..len].iter().map(|byte| char::from(*byte)).collect();
        self.ip += len + 1;
        text
    }

    /// UTF-16 units up to a zero unit.
    pub(crate) fn wide_string(&mut self) -> String {
        let mut units = Vec::new();
        loop {
            let unit = self.u16();
            if unit == 0 {
                return String::from_utf16_lossy(&units);
            }
            units.push(unit);
        }
    }

    /// The place that an out parameter stands for.
    pub(crate) fn out_place(&self, offset: u32) -> Option<TypedPlace> {
        self.outs
            .iter()
            .find(|out| out.offset == offset)
            .map(|out| out.target)
    }

    pub(crate) fn set_recent(&mut self, place: Place, ty: TypeId) {
        self.recent.place = Some(TypedPlace { place, ty });
    }
}
