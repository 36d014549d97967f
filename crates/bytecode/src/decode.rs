//! From bytes to trees, in the in-memory layout or the layout of packages on disk.
//!
//! Reads any bytes without panic and without allocating more than a fixed multiple of their number.
//! What a decoded tree does not store (inner sizes, counts, switch offsets, terminators) is compared
//! with what it must be, so that encoding a decoded script gives the same bytes.

use std::borrow::Cow;

use bp_reflect::{EngineVersion, Name, ObjectPath};

use crate::encode::{INLINE_EVENT, MAX_DEPTH, StoredProperty, widen};
use crate::table::Role;
use crate::{
    CodeOffset, Dialect, Expr, Opcode, Operand, OperandKind, PropertyRef, ReferenceTables, Switch,
    Target, TextLiteral,
};

/// How the bytes at hand are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// As in `UFunction::Script`: 8 bytes a reference, 12 a name.
    Memory,
    /// As in packages: 4 bytes an object, 8 a name, properties as the form says.
    Disk(DiskForm),
}

/// How a package stores property references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiskForm {
    /// A package index, 4 bytes: before 4.25, when properties were objects.
    PackageIndex,
    /// A path of names and, except in some 4.25 packages, the owner's package index.
    FieldPath {
        /// Whether the owner's index follows the names.
        has_owner: bool,
    },
}

/// Says what the references in script bytes mean.
pub trait References {
    /// The name of an index into the name table and a number; none if there is none.
    fn name(&self, index: u32, number: u32) -> Option<Name>;
    /// The object of an index, `Some(None)` for null; none if the index is wrong.
    fn object(&self, index: i64) -> Option<Option<ObjectPath>>;
    /// The property of a stored reference, `Some(None)` for null; none if the reference is wrong.
    fn property(&self, stored: &StoredProperty<'_>) -> Option<Option<PropertyRef>>;
}

impl References for ReferenceTables {
    fn name(&self, index: u32, number: u32) -> Option<Name> {
        let base = self.names.get(index as usize)?;
        let name = Name::from_parts(base, number);
        // A base text that splits differently would not be written as it was read.
        (name.base() == base && name.number() == number).then_some(name)
    }

    fn object(&self, index: i64) -> Option<Option<ObjectPath>> {
        if index == 0 {
            return Some(None);
        }
        let index = usize::try_from(index.checked_sub(1)?).ok()?;
        self.objects.get(index).cloned().map(Some)
    }

    fn property(&self, stored: &StoredProperty<'_>) -> Option<Option<PropertyRef>> {
        match stored {
            StoredProperty::Index(0) => Some(None),
            StoredProperty::Index(index) => {
                let index = usize::try_from(index.checked_sub(1)?).ok()?;
                let property = self.properties.get(index)?;
                (!property.path.is_empty()).then(|| Some(property.clone()))
            }
            StoredProperty::Path { .. } => None,
        }
    }
}

/// One statement of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Where it starts, in in-memory bytes.
    pub offset: CodeOffset,
    /// Where it starts in the bytes at hand; equals `offset` in the in-memory layout.
    pub stored: u32,
    /// What it is.
    pub expr: Expr,
}

/// A decoded script.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// Its statements in byte order, the last one usually `EndOfScript`.
    pub statements: Vec<Statement>,
    /// Its size in the in-memory layout.
    pub memory_size: u32,
}

impl Script {
    /// The statement that starts at `offset`.
    pub fn statement_at(&self, offset: CodeOffset) -> Option<&Statement> {
        let found = self
            .statements
            .binary_search_by_key(&offset, |statement| statement.offset)
            .ok()?;
        Some(&self.statements[found])
    }
}

/// Why bytes are no script, with what was read before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("at {offset} (byte {stored}): {reason}")]
pub struct DecodeFailure {
    /// The statements before the one that could not be read.
    pub statements: Vec<Statement>,
    /// Start of the innermost expression that could not be read.
    pub offset: CodeOffset,
    /// The same place in the bytes at hand.
    pub stored: u32,
    /// Start of the statement that could not be read, in the bytes at hand: where the decoded
    /// statements end.
    pub statement: u32,
    /// What is wrong.
    pub reason: DecodeError,
}

/// What is wrong with script bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No engine version has this opcode.
    #[error("0x{byte:02X} is no opcode{}, in `{around}`", vendor_note(*.byte))]
    UnknownOpcode {
        /// The byte.
        byte: u8,
        /// The bytes around it in hexadecimal, itself in brackets.
        around: String,
    },
    /// A later engine version has this opcode.
    #[error("{} exists since {since}, the script is of {engine}", .op.name())]
    NotInDialect {
        /// The opcode.
        op: Opcode,
        /// First version that has it.
        since: EngineVersion,
        /// The script's version.
        engine: EngineVersion,
    },
    /// A list's terminator stands where an expression belongs.
    #[error("{} closes no list here", .0.name())]
    Terminator(Opcode),
    /// The bytes end inside an expression.
    #[error("the script ends {missing} bytes too early")]
    Truncated {
        /// How many bytes are missing, at least.
        missing: usize,
    },
    /// Expressions are nested deeper than [`MAX_DEPTH`].
    #[error("expressions are nested deeper than {MAX_DEPTH}")]
    TooDeep,
    /// A string has no zero at its end.
    #[error("a string literal has no zero character at its end")]
    UnterminatedString,
    /// A UTF-16 string holds half of a surrogate pair.
    #[error("a string literal is not UTF-16: 0x{0:04X} stands alone")]
    Surrogate(u16),
    /// The stored size of an inner expression is not its size.
    #[error("the skip size of {} is {stored}, its expression has {actual} bytes", .op.name())]
    SkipSize {
        /// The opcode with the size.
        op: Opcode,
        /// What is stored.
        stored: u32,
        /// What it must be.
        actual: u32,
    },
    /// The stored number of elements is not their number.
    #[error("{} counts {stored} elements and has {actual}", .op.name())]
    Count {
        /// The opcode with the count.
        op: Opcode,
        /// What is stored.
        stored: i32,
        /// What it must be.
        actual: usize,
    },
    /// An offset inside a switch does not lead where it must.
    #[error("{what} of the switch is 0x{stored:X}, it must be 0x{actual:X}")]
    SwitchOffset {
        /// Which offset.
        what: &'static str,
        /// What is stored.
        stored: u32,
        /// What it must be.
        actual: u32,
    },
    /// A kind of text literal that the version does not have.
    #[error("{0} is no kind of text literal")]
    TextKind(u8),
    /// An index into the name table is wrong.
    #[error("name {index} with number {number} is not in the tables")]
    Name {
        /// The index.
        index: u32,
        /// The number.
        number: u32,
    },
    /// The two words of a name that must be equal are not.
    #[error("a name's indices {comparison} and {display} differ")]
    NameWords {
        /// The first word.
        comparison: u32,
        /// The second.
        display: u32,
    },
    /// An index of an object is wrong.
    #[error("object {0} is not in the tables")]
    Object(i64),
    /// A reference to a property is wrong.
    #[error("property {0} is not in the tables")]
    Property(String),
    /// The script is longer than offsets can say.
    #[error("the script is longer than 4 GiB")]
    TooLong,
}

/// Who uses a byte that the engine does not, where it is known.
fn vendor_note(byte: u8) -> &'static str {
    match byte {
        0x6E | 0x6F | 0xA2 | 0xF9 | 0xFD | 0xFE => {
            " of the engine (some games add one of this byte)"
        }
        _ => "",
    }
}

/// Reads a whole script.
///
/// # Errors
/// The first fault, with its place and the statements before it. See [`DecodeError`].
pub fn decode_script<R: References + ?Sized>(
    bytes: &[u8],
    dialect: Dialect,
    layout: Layout,
    refs: &R,
) -> Result<Script, DecodeFailure> {
    let mut decoder = Decoder {
        bytes,
        at: 0,
        memory: 0,
        dialect,
        layout,
        refs,
        depth: 0,
        fault: None,
        names: Vec::new(),
    };
    let mut statements = Vec::new();
    while decoder.at < bytes.len() {
        let (offset, stored) = decoder.place();
        match decoder.expr() {
            Ok(expr) => statements.push(Statement {
                offset,
                stored,
                expr,
            }),
            Err(reason) => {
                let statement = stored;
                let (offset, stored) = decoder.fault.unwrap_or((offset, stored));
                return Err(DecodeFailure {
                    statements,
                    offset,
                    stored,
                    statement,
                    reason,
                });
            }
        }
    }
    match u32::try_from(decoder.memory) {
        Ok(memory_size) => Ok(Script {
            statements,
            memory_size,
        }),
        Err(_) => Err(DecodeFailure {
            statements,
            offset: CodeOffset(u32::MAX),
            stored: u32::MAX,
            statement: u32::MAX,
            reason: DecodeError::TooLong,
        }),
    }
}

/// Reads the expression that starts at a byte of a script; gives it and where it ends.
///
/// Only in the in-memory layout, whose offsets do not depend on what stands before.
///
/// # Errors
/// What is wrong with its bytes.
pub fn decode_expression<R: References + ?Sized>(
    bytes: &[u8],
    at: usize,
    dialect: Dialect,
    refs: &R,
) -> Result<(Expr, usize), DecodeError> {
    let mut decoder = Decoder {
        bytes,
        at: at.min(bytes.len()),
        memory: at as u64,
        dialect,
        layout: Layout::Memory,
        refs,
        depth: 0,
        fault: None,
        names: Vec::new(),
    };
    let expr = decoder.expr()?;
    Ok((expr, decoder.at))
}

struct Decoder<'a, R: ?Sized> {
    bytes: &'a [u8],
    /// Position in `bytes`.
    at: usize,
    /// Position in in-memory bytes.
    memory: u64,
    dialect: Dialect,
    layout: Layout,
    refs: &'a R,
    depth: u32,
    /// Start of the innermost expression that failed.
    fault: Option<(CodeOffset, u32)>,
    /// The names of the field path being read, kept for its allocation.
    names: Vec<(u32, u32)>,
}

impl<R: References + ?Sized> Decoder<'_, R> {
    fn place(&self) -> (CodeOffset, u32) {
        (CodeOffset(self.memory as u32), self.at as u32)
    }

    /// `N` bytes that count `memory` bytes in memory.
    fn take<const N: usize>(&mut self, memory: u64) -> Result<[u8; N], DecodeError> {
        let rest = &self.bytes[self.at..];
        let Some(found) = rest.first_chunk::<N>() else {
            return Err(DecodeError::Truncated {
                missing: N - rest.len(),
            });
        };
        self.at += N;
        self.memory += memory;
        Ok(*found)
    }

    /// `N` bytes that both layouts store alike.
    fn plain<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        self.take::<N>(N as u64)
    }

    fn u32(&mut self) -> Result<u32, DecodeError> {
        self.plain().map(u32::from_le_bytes)
    }

    fn expr(&mut self) -> Result<Expr, DecodeError> {
        let place = self.place();
        let result = self.expr_here();
        if result.is_err() && self.fault.is_none() {
            self.fault = Some(place);
        }
        result
    }

    fn expr_here(&mut self) -> Result<Expr, DecodeError> {
        let [byte] = self.plain()?;
        let Some(op) = Opcode::from_byte(byte) else {
            return Err(DecodeError::UnknownOpcode {
                byte,
                around: self.around(self.at - 1),
            });
        };
        let row = op.row();
        if !op.exists_in(self.dialect) {
            return Err(DecodeError::NotInDialect {
                op,
                since: row.since,
                engine: self.dialect.engine,
            });
        }
        if row.role == Role::Terminator {
            return Err(DecodeError::Terminator(op));
        }
        if self.depth == MAX_DEPTH {
            return Err(DecodeError::TooDeep);
        }
        self.depth += 1;
        let mut operands = Vec::with_capacity(row.operands.len());
        let mut inner_size = None;
        let mut count = None;
        for kind in row.operands {
            let operand = match kind {
                OperandKind::InnerSize => {
                    inner_size = Some(self.u32()?);
                    continue;
                }
                OperandKind::Count => {
                    count = Some(self.plain().map(i32::from_le_bytes)?);
                    continue;
                }
                OperandKind::Expr => {
                    let start = self.memory;
                    let inner = self.expr()?;
                    let actual = (self.memory - start) as u32;
                    if let Some(stored) = inner_size.take()
                        && stored != actual
                    {
                        return Err(DecodeError::SkipSize { op, stored, actual });
                    }
                    Operand::Expr(inner)
                }
                OperandKind::List(end) => self.list(op, *end, count.take(), 1)?,
                OperandKind::Pairs(end) => self.list(op, *end, count.take(), 2)?,
                OperandKind::Target => Operand::Target(Target::Offset(CodeOffset(self.u32()?))),
                OperandKind::Property => Operand::Property(self.property()?),
                OperandKind::Object => Operand::Object(self.object()?),
                OperandKind::Name => Operand::Name(self.name()?),
                OperandKind::U8 | OperandKind::CastKind => {
                    let [value] = self.plain()?;
                    Operand::U8(value)
                }
                OperandKind::U16 => Operand::U16(self.plain().map(u16::from_le_bytes)?),
                OperandKind::I32 => Operand::I32(self.plain().map(i32::from_le_bytes)?),
                OperandKind::I64 => Operand::I64(self.plain().map(i64::from_le_bytes)?),
                OperandKind::U64 => Operand::U64(self.plain().map(u64::from_le_bytes)?),
                OperandKind::F32 => Operand::F32(self.plain().map(f32::from_le_bytes)?),
                OperandKind::F64 => Operand::F64(self.plain().map(f64::from_le_bytes)?),
                OperandKind::Real => Operand::F64(if self.dialect.has_large_world_coordinates() {
                    self.plain().map(f64::from_le_bytes)?
                } else {
                    widen(self.plain().map(f32::from_le_bytes)?)
                }),
                OperandKind::AnsiString => Operand::Str(self.ansi_string()?),
                OperandKind::WideString => Operand::Str(self.wide_string()?),
                OperandKind::Text => Operand::Text(Box::new(self.text()?)),
                OperandKind::Switch => Operand::Switch(Box::new(self.switch()?)),
                OperandKind::Instrumentation => {
                    let [event] = self.plain()?;
                    let name = match event {
                        INLINE_EVENT => Some(self.name()?),
                        _ => None,
                    };
                    Operand::Instrumentation(event, name)
                }
            };
            operands.push(operand);
        }
        self.depth -= 1;
        Ok(Expr::new(op, operands))
    }

    fn list(
        &mut self,
        op: Opcode,
        end: Opcode,
        count: Option<i32>,
        per_element: usize,
    ) -> Result<Operand, DecodeError> {
        let mut list = Vec::new();
        loop {
            match self.bytes.get(self.at) {
                None => return Err(DecodeError::Truncated { missing: 1 }),
                // A list of pairs can end only behind a value.
                Some(byte) if *byte == end.byte() && list.len() % per_element == 0 => break,
                Some(_) => list.push(self.expr()?),
            }
        }
        self.plain::<1>()?;
        let actual = list.len() / per_element;
        if let Some(stored) = count
            && usize::try_from(stored) != Ok(actual)
        {
            return Err(DecodeError::Count { op, stored, actual });
        }
        Ok(Operand::List(list))
    }

    fn name(&mut self) -> Result<Name, DecodeError> {
        let index = match self.layout {
            Layout::Memory => {
                let comparison = self.u32()?;
                let display = self.u32()?;
                if comparison != display {
                    return Err(DecodeError::NameWords {
                        comparison,
                        display,
                    });
                }
                comparison
            }
            Layout::Disk(_) => self.take(8).map(u32::from_le_bytes)?,
        };
        let number = self.u32()?;
        self.refs
            .name(index, number)
            .ok_or(DecodeError::Name { index, number })
    }

    /// A package index or, in memory, a table index; 8 bytes in memory.
    fn index(&mut self) -> Result<i64, DecodeError> {
        match self.layout {
            Layout::Memory => self.plain().map(i64::from_le_bytes),
            Layout::Disk(_) => self.take(8).map(i32::from_le_bytes).map(i64::from),
        }
    }

    fn object(&mut self) -> Result<Option<ObjectPath>, DecodeError> {
        let index = self.index()?;
        self.refs.object(index).ok_or(DecodeError::Object(index))
    }

    fn property(&mut self) -> Result<Option<PropertyRef>, DecodeError> {
        let Layout::Disk(DiskForm::FieldPath { has_owner }) = self.layout else {
            let index = self.index()?;
            return self
                .refs
                .property(&StoredProperty::Index(index))
                .ok_or_else(|| DecodeError::Property(index.to_string()));
        };
        let count = self.take(8).map(i32::from_le_bytes)?;
        let count = usize::try_from(count)
            .map_err(|_| DecodeError::Property(format!("with {count} names")))?;
        self.names.clear();
        for _ in 0..count {
            let index = self.take(0).map(u32::from_le_bytes)?;
            let number = self.take(0).map(u32::from_le_bytes)?;
            self.names.push((index, number));
        }
        let owner = if has_owner {
            Some(self.take(0).map(i32::from_le_bytes)?)
        } else {
            None
        };
        let bad = || DecodeError::Property(format!("{:?} of {owner:?}", self.names));
        if count == 0 {
            return match owner {
                None | Some(0) => Ok(None),
                Some(_) => Err(bad()),
            };
        }
        self.refs
            .property(&StoredProperty::Path {
                names: Cow::Borrowed(&self.names),
                owner,
            })
            // A path that is not null must not be written as null.
            .flatten()
            .map(Some)
            .ok_or_else(bad)
    }

    /// Bytes up to a zero; each is the character of its number, so that every byte survives.
    fn ansi_string(&mut self) -> Result<String, DecodeError> {
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .position(|byte| *byte == 0)
            .ok_or(DecodeError::UnterminatedString)?;
        let found = &rest[..length];
        let text = match std::str::from_utf8(found) {
            Ok(text) if text.is_ascii() => text.to_owned(),
            _ => found.iter().map(|byte| char::from(*byte)).collect(),
        };
        self.at += length + 1;
        self.memory += length as u64 + 1;
        Ok(text)
    }

    fn wide_string(&mut self) -> Result<String, DecodeError> {
        let rest = &self.bytes[self.at..];
        let (units, _) = rest.as_chunks::<2>();
        let length = units
            .iter()
            .position(|unit| *unit == [0, 0])
            .ok_or(DecodeError::UnterminatedString)?;
        let text: Result<String, _> =
            char::decode_utf16(units[..length].iter().map(|unit| u16::from_le_bytes(*unit)))
                .collect();
        let text = text.map_err(|error| DecodeError::Surrogate(error.unpaired_surrogate()))?;
        self.at += 2 * (length + 1);
        self.memory += 2 * (length as u64 + 1);
        Ok(text)
    }

    fn text(&mut self) -> Result<TextLiteral, DecodeError> {
        let [kind] = self.plain()?;
        let has_notes = self.dialect.has_text_notes();
        if has_notes && kind == 2 {
            return Ok(TextLiteral::LocalizedWithNotes([
                self.expr()?,
                self.expr()?,
                self.expr()?,
                self.expr()?,
            ]));
        }
        let old_kind = if has_notes && kind > 2 {
            kind - 1
        } else {
            kind
        };
        Ok(match old_kind {
            0 => TextLiteral::Empty,
            1 => TextLiteral::Localized([self.expr()?, self.expr()?, self.expr()?]),
            2 => TextLiteral::Invariant(self.expr()?),
            3 => TextLiteral::LiteralString(self.expr()?),
            4 => TextLiteral::StringTable(self.object()?, [self.expr()?, self.expr()?]),
            _ => return Err(DecodeError::TextKind(kind)),
        })
    }

    fn switch(&mut self) -> Result<Switch, DecodeError> {
        let count = self.plain().map(u16::from_le_bytes)?;
        let end = self.u32()?;
        let index = self.expr()?;
        let mut cases = Vec::new();
        for _ in 0..count {
            let value = self.expr()?;
            let next = self.u32()?;
            let result = self.expr()?;
            self.check_offset("a case's next offset", next)?;
            cases.push((value, result));
        }
        let default = self.expr()?;
        self.check_offset("the end offset", end)?;
        Ok(Switch {
            index,
            cases,
            default,
        })
    }

    /// Whether a stored offset is the current position.
    fn check_offset(&self, what: &'static str, stored: u32) -> Result<(), DecodeError> {
        let actual = self.memory as u32;
        if stored == actual {
            Ok(())
        } else {
            Err(DecodeError::SwitchOffset {
                what,
                stored,
                actual,
            })
        }
    }

    /// The bytes around `at`, itself in brackets.
    fn around(&self, at: usize) -> String {
        use std::fmt::Write;
        let start = at.saturating_sub(8);
        let end = (at + 9).min(self.bytes.len());
        let mut out = String::new();
        for (index, byte) in self.bytes[start..end].iter().enumerate() {
            let separator = if index == 0 { "" } else { " " };
            let written = if start + index == at {
                write!(out, "{separator}[{byte:02X}]")
            } else {
                write!(out, "{separator}{byte:02X}")
            };
            written.expect("writing to a string does not fail");
        }
        out
    }
}
