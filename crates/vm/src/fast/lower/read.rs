//! Operands from bytes, and the extent of expressions.

use bp_bytecode::{Opcode, OperandKind};

use super::{Fit, Lowering, Unfit};
use crate::ids::NameId;
use crate::program::{PropertySlot, Reference};

/// Deeper expressions are left to the reference interpreter and its limit.
const DEEPEST: u32 = 200;

impl Lowering<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let start = self.at;
        self.at += N;
        match self.code.bytes.get(start..self.at) {
            Some(bytes) => bytes.try_into().expect("the range has N bytes"),
            None => [0; N],
        }
    }

    pub(super) fn u8(&mut self) -> u8 {
        self.bytes::<1>()[0]
    }

    pub(super) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    pub(super) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    pub(super) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    pub(super) fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.bytes())
    }

    pub(super) fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.bytes())
    }

    pub(super) fn real(&mut self) -> f64 {
        if self.code.dialect.has_large_world_coordinates() {
            self.f64()
        } else {
            f64::from(self.f32())
        }
    }

    pub(super) fn peek(&self) -> Option<Opcode> {
        Opcode::from_byte(*self.code.bytes.get(self.at)?)
    }

    pub(super) fn opcode(&mut self) -> Fit<Opcode> {
        let opcode = self.peek().ok_or(Unfit)?;
        self.at += 1;
        Ok(opcode)
    }

    /// A property that something loaded has.
    pub(super) fn property(&mut self) -> Fit<PropertySlot> {
        let index = self.u64().checked_sub(1).ok_or(Unfit)?;
        let slot = self
            .references
            .properties
            .get(index as usize)
            .ok_or(Unfit)?;
        if slot.is_known { Ok(*slot) } else { Err(Unfit) }
    }

    pub(super) fn object(&mut self) -> Fit<Reference> {
        let index = self.u64().checked_sub(1).ok_or(Unfit)?;
        let found = self.references.objects.get(index as usize);
        found.copied().ok_or(Unfit)
    }

    /// A name without a number, which is in the table already.
    pub(super) fn name(&mut self) -> Fit<NameId> {
        let base = self.u32();
        let _ = self.u32();
        let number = self.u32();
        if number != 0 {
            let base = self.references.bases.get(base as usize).ok_or(Unfit)?;
            let name = bp_reflect::Name::from_parts(base, number);
            return Ok(self.vm.names.intern(&name));
        }
        let found = self.references.names.get(base as usize);
        found.copied().ok_or(Unfit)
    }

    pub(super) fn ansi_string(&mut self) -> String {
        let rest = self.code.bytes.get(self.at..).unwrap_or_default();
        let len = rest
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(rest.len());
        let text = rest[..len].iter().map(|byte| char::from(*byte)).collect();
        self.at += len + 1;
        text
    }

    pub(super) fn wide_string(&mut self) -> String {
        let mut units = Vec::new();
        while self.at < self.code.bytes.len() {
            let unit = self.u16();
            if unit == 0 {
                break;
            }
            units.push(unit);
        }
        String::from_utf16_lossy(&units)
    }

    // ---- extents

    /// Passes an expression, counting what it names and how deep it goes. None if it cannot be passed.
    pub(super) fn walk(&mut self) -> Option<()> {
        let opcode = self.peek()?;
        self.at += 1;
        self.depth += 1;
        self.most_depth = self.most_depth.max(self.depth);
        if self.depth > DEEPEST {
            return None;
        }
        if matches!(opcode, Opcode::LocalVariable | Opcode::LocalOutVariable)
            && let Some(bytes) = self.code.bytes.get(self.at..self.at + 8)
        {
            let index = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            let slot = index
                .checked_sub(1)
                .and_then(|index| self.references.properties.get(index as usize));
            if let Some(slot) = slot {
                let end = slot.offset + self.vm.memory.types.words(slot.ty);
                for word in slot.offset..end {
                    if let Some(uses) = self.uses.get_mut(word as usize) {
                        *uses += 1;
                    }
                }
            }
        }
        for kind in opcode.row().operands {
            match kind {
                OperandKind::Expr => self.walk()?,
                OperandKind::List(end) | OperandKind::Pairs(end) => {
                    while self.peek()? != *end {
                        self.walk()?;
                    }
                    self.at += 1;
                }
                OperandKind::Count
                | OperandKind::InnerSize
                | OperandKind::Target
                | OperandKind::I32
                | OperandKind::F32 => self.at += 4,
                OperandKind::Property
                | OperandKind::Object
                | OperandKind::I64
                | OperandKind::U64
                | OperandKind::F64 => self.at += 8,
                OperandKind::Name => self.at += 12,
                OperandKind::U8 | OperandKind::CastKind => self.at += 1,
                OperandKind::U16 => self.at += 2,
                OperandKind::Real => {
                    self.real();
                }
                OperandKind::AnsiString => {
                    self.ansi_string();
                }
                OperandKind::WideString => {
                    self.wide_string();
                }
                OperandKind::Text => self.walk_text()?,
                OperandKind::Switch => {
                    let n_cases = self.u16();
                    self.at += 4;
                    self.walk()?;
                    for _ in 0..n_cases {
                        self.walk()?;
                        self.at += 4;
                        self.walk()?;
                    }
                    self.walk()?;
                }
                OperandKind::Instrumentation => {
                    const INLINE_EVENT: u8 = 4;
                    if self.u8() == INLINE_EVENT {
                        self.at += 12;
                    }
                }
            }
        }
        self.depth -= 1;
        (self.at <= self.code.bytes.len()).then_some(())
    }

    /// A text literal: its kind, and the strings the kind has.
    fn walk_text(&mut self) -> Option<()> {
        let kind = self.u8();
        let kind = match (self.code.dialect.has_text_notes(), kind) {
            (false, kind) if kind >= 2 => kind + 1,
            (_, kind) => kind,
        };
        let n_strings = match kind {
            0 => 0,
            1 => 3,
            2 => 4,
            3 | 4 => 1,
            5 => {
                self.at += 8;
                2
            }
            _ => return None,
        };
        for _ in 0..n_strings {
            self.walk()?;
        }
        Some(())
    }
}
