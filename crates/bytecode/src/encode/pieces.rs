//! Statements written piece by piece, without a tree: what a compiler does for every node.
//!
//! Each piece is checked against the row of the innermost open expression, as the operands of a tree are; what
//! the row derives (inner sizes, counts, terminators) is written on the way.

use bp_reflect::{Name, ObjectPath};

use super::{EncodeError, Output, ScriptBuilder};
use crate::encode::MAX_DEPTH;
use crate::table::Role;
use crate::{CodeOffset, Expr, Opcode, OperandKind, PropertyRef, Target};

/// An expression that is being written.
#[derive(Debug)]
pub(super) struct Open {
    op: Opcode,
    kinds: &'static [OperandKind],
    /// Place in `kinds` of what is written next.
    next: usize,
    /// Stored operands written so far.
    n_stored: usize,
    /// Where the size of the row's next expression belongs, and where that expression starts.
    inner_size: Option<usize>,
    inner_start: u64,
    /// Whether expressions are elements of the operand `next`, rather than operands.
    is_inside: bool,
}

/// Places of a switch that are patched when its end is known.
#[derive(Debug)]
#[must_use]
pub struct OpenSwitch {
    end: usize,
}

/// The place of a switch's case that is patched when the next one is known.
#[derive(Debug)]
#[must_use]
pub struct OpenCase {
    next: usize,
}

/// Pieces of statements. An error is kept and given by [`ScriptBuilder::finish`], as those of
/// [`ScriptBuilder::push`].
impl ScriptBuilder<'_> {
    /// Begins an expression: a statement, or an operand of the open one. Its operands follow in the row's order.
    pub fn open(&mut self, op: Opcode) {
        let row = op.row();
        if self.error.is_some() || !self.begins_operand() {
            return;
        }
        let encoder = &mut self.encoder;
        let error = if row.role == Role::Terminator {
            EncodeError::Terminator(op)
        } else if !op.exists_in(encoder.dialect) {
            EncodeError::NotInDialect {
                op,
                since: row.since,
                engine: encoder.dialect.engine,
            }
        } else if self.open.len() == MAX_DEPTH as usize {
            EncodeError::TooDeep
        } else {
            encoder.plain(&[op.byte()]);
            self.open.push(Open {
                op,
                kinds: row.operands,
                next: 0,
                n_stored: 0,
                inner_size: None,
                inner_start: 0,
                is_inside: false,
            });
            return;
        };
        self.error = Some(error);
    }

    /// Ends the open expression.
    ///
    /// # Panics
    /// If none is open: the caller's bug.
    pub fn close(&mut self) {
        if self.error.is_some() {
            return;
        }
        let open = self.open.pop().expect("an expression is open");
        if let Some(kind) = open.kinds.get(open.next) {
            self.error = Some(EncodeError::Operand {
                op: open.op,
                index: open.n_stored,
                expected: *kind,
            });
            return;
        }
        self.ends_operand();
    }

    /// An expression without operands.
    pub fn leaf(&mut self, op: Opcode) {
        self.open(op);
        self.close();
    }

    /// A tree, as a statement or an operand.
    pub fn tree(&mut self, expr: &Expr) {
        if self.error.is_some() || !self.begins_operand() {
            return;
        }
        self.encoder.depth = self.open.len() as u32;
        match self.encoder.expr(expr) {
            Ok(()) => self.ends_operand(),
            Err(error) => self.error = Some(error),
        }
        self.encoder.depth = 0;
    }

    /// Writes an expression again, which begins at `start` and ends before `end`. It must hold no place in the
    /// script.
    pub fn again(&mut self, start: CodeOffset, end: CodeOffset) {
        let range = start.0 as usize..end.0 as usize;
        if self.error.is_some() || !self.begins_operand() {
            return;
        }
        self.encoder.memory += range.len() as u64;
        self.encoder.out.extend_from_within(range);
        self.ends_operand();
    }

    /// A property, or null.
    pub fn property(&mut self, property: Option<&PropertyRef>) {
        let index = match property {
            Some(property) => self.encoder.refs.intern_property(property),
            None => 0,
        };
        self.operand(OperandKind::Property, &u64::from(index).to_le_bytes());
    }

    /// An object, or null.
    pub fn object(&mut self, object: Option<&ObjectPath>) {
        let index = match object {
            Some(object) => self.encoder.refs.intern_object(object),
            None => 0,
        };
        self.operand(OperandKind::Object, &u64::from(index).to_le_bytes());
    }

    /// The function `name` of a class.
    pub fn member(&mut self, class: &ObjectPath, name: &Name) {
        let index = self.encoder.refs.intern_member(class, name);
        self.operand(OperandKind::Object, &u64::from(index).to_le_bytes());
    }

    /// The default object of a class.
    pub fn default_object(&mut self, class: &ObjectPath) {
        let index = self.encoder.refs.intern_default_object(class);
        self.operand(OperandKind::Object, &u64::from(index).to_le_bytes());
    }

    /// A name.
    pub fn name(&mut self, name: &Name) {
        let index = self.encoder.refs.intern_name(name).to_le_bytes();
        let number = name.number().to_le_bytes();
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&index);
        bytes[4..8].copy_from_slice(&index);
        bytes[8..].copy_from_slice(&number);
        self.operand(OperandKind::Name, &bytes);
    }

    /// One byte; also for a cast kind.
    pub fn u8(&mut self, value: u8) {
        let kind = match self.kind() {
            Some(OperandKind::CastKind) => OperandKind::CastKind,
            _ => OperandKind::U8,
        };
        self.operand(kind, &[value]);
    }

    /// Four bytes, signed.
    pub fn i32(&mut self, value: i32) {
        self.operand(OperandKind::I32, &value.to_le_bytes());
    }

    /// Eight bytes, signed.
    pub fn i64(&mut self, value: i64) {
        self.operand(OperandKind::I64, &value.to_le_bytes());
    }

    /// Eight bytes, unsigned.
    pub fn u64(&mut self, value: u64) {
        self.operand(OperandKind::U64, &value.to_le_bytes());
    }

    /// A float.
    pub fn f32(&mut self, value: f32) {
        self.operand(OperandKind::F32, &value.to_le_bytes());
    }

    /// A double; where the row asks for a real, as the dialect stores it.
    pub fn f64(&mut self, value: f64) {
        let is_real = self.kind() == Some(OperandKind::Real);
        if is_real && !self.encoder.dialect.has_large_world_coordinates() {
            let value = super::narrow(value);
            self.operand(OperandKind::Real, &value.to_le_bytes());
        } else {
            let kind = if is_real {
                OperandKind::Real
            } else {
                OperandKind::F64
            };
            self.operand(kind, &value.to_le_bytes());
        }
    }

    /// An `EX_StringConst`, or an `EX_UnicodeStringConst` if the text is not all ASCII.
    pub fn string(&mut self, text: &str) {
        if !text.is_ascii() || text.contains('\0') {
            self.tree(&Expr::string(text));
            return;
        }
        self.open(Opcode::StringConst);
        self.operand(OperandKind::AnsiString, text.as_bytes());
        if self.error.is_none() {
            self.encoder.plain(&[0]);
        }
        self.close();
    }

    /// A place in the script.
    pub fn target(&mut self, target: Target) {
        let at = self.encoder.out.len();
        let offset = match target {
            Target::Offset(offset) => offset.0,
            Target::Label(_) => 0,
        };
        self.operand(OperandKind::Target, &offset.to_le_bytes());
        if let (Target::Label(label), None) = (target, &self.error) {
            self.encoder.fixups.push((at, label));
        }
    }

    /// Begins a list of `n_elements` expressions (of a list of pairs, keys and values), which follow.
    pub fn open_list(&mut self, n_elements: usize) {
        if self.error.is_some() {
            return;
        }
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let has_count = open.kinds.get(open.next) == Some(&OperandKind::Count);
        let at = open.next + usize::from(has_count);
        let per_element = match open.kinds.get(at) {
            Some(OperandKind::List(_)) => 1,
            Some(OperandKind::Pairs(_)) if n_elements.is_multiple_of(2) => 2,
            _ => {
                self.error = Some(EncodeError::Elements {
                    op: open.op,
                    found: n_elements,
                });
                return;
            }
        };
        open.next = at;
        open.is_inside = true;
        if has_count {
            match i32::try_from(n_elements / per_element) {
                Ok(count) => self.encoder.plain(&count.to_le_bytes()),
                Err(_) => {
                    self.error = Some(EncodeError::Elements {
                        op: open.op,
                        found: n_elements,
                    });
                }
            }
        }
    }

    /// Ends the list.
    pub fn close_list(&mut self) {
        if self.error.is_some() {
            return;
        }
        if let Some(open) = self.open.last_mut()
            && let Some(OperandKind::List(end) | OperandKind::Pairs(end)) =
                open.kinds.get(open.next)
        {
            open.is_inside = false;
            self.encoder.plain(&[end.byte()]);
            self.advance();
        }
    }

    /// Begins the body of a switch: the index follows, then the cases, then the default.
    pub fn open_switch(&mut self, n_cases: usize) -> OpenSwitch {
        if self.error.is_none()
            && let Some(open) = self.open.last_mut()
        {
            open.is_inside = true;
            match u16::try_from(n_cases) {
                Ok(count) if open.kinds.get(open.next) == Some(&OperandKind::Switch) => {
                    self.encoder.plain(&count.to_le_bytes());
                }
                _ => {
                    self.error = Some(EncodeError::Elements {
                        op: open.op,
                        found: n_cases,
                    });
                }
            }
        }
        OpenSwitch {
            end: self.encoder.placeholder(),
        }
    }

    /// Between the value of a case and its result.
    pub fn open_case(&mut self) -> OpenCase {
        OpenCase {
            next: self.encoder.placeholder(),
        }
    }

    /// Behind the result of a case.
    pub fn close_case(&mut self, case: &OpenCase) {
        let here = self.encoder.memory as u32;
        self.encoder.out.patch(case.next, here);
    }

    /// Behind the default of a switch.
    pub fn close_switch(&mut self, switch: &OpenSwitch) {
        let here = self.encoder.memory as u32;
        self.encoder.out.patch(switch.end, here);
        if let Some(open) = self.open.last_mut() {
            open.is_inside = false;
            self.advance();
        }
    }

    /// What the row of the open expression asks for.
    fn kind(&self) -> Option<OperandKind> {
        let open = self.open.last()?;
        open.kinds.get(open.next).copied()
    }

    /// Writes an operand that is not an expression.
    fn operand(&mut self, kind: OperandKind, bytes: &[u8]) {
        if self.error.is_some() {
            return;
        }
        self.derive();
        let Some(open) = self.open.last() else {
            return;
        };
        if open.is_inside || open.kinds.get(open.next) != Some(&kind) {
            self.error = Some(match open.kinds.get(open.next) {
                Some(expected) => EncodeError::Operand {
                    op: open.op,
                    index: open.n_stored,
                    expected: *expected,
                },
                None => EncodeError::TooManyOperands {
                    op: open.op,
                    expected: open.n_stored,
                    found: open.n_stored + 1,
                },
            });
            return;
        }
        self.encoder.plain(bytes);
        self.advance();
    }

    /// Checks that the open expression takes an expression here.
    fn begins_operand(&mut self) -> bool {
        self.derive();
        let start = self.encoder.memory;
        let Some(open) = self.open.last_mut() else {
            return true;
        };
        if open.is_inside {
            return true;
        }
        match open.kinds.get(open.next) {
            Some(OperandKind::Expr) => {
                open.inner_start = start;
                true
            }
            Some(expected) => {
                self.error = Some(EncodeError::Operand {
                    op: open.op,
                    index: open.n_stored,
                    expected: *expected,
                });
                false
            }
            None => {
                self.error = Some(EncodeError::TooManyOperands {
                    op: open.op,
                    expected: open.n_stored,
                    found: open.n_stored + 1,
                });
                false
            }
        }
    }

    /// An expression was written: an operand of the open one, if there is one.
    fn ends_operand(&mut self) {
        let end = self.encoder.memory;
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if open.is_inside {
            return;
        }
        if let Some(at) = open.inner_size.take() {
            let size = (end - open.inner_start) as u32;
            self.encoder.out.patch(at, size);
        }
        self.advance();
    }

    /// Goes on behind an operand.
    fn advance(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.next += 1;
            open.n_stored += 1;
        }
    }

    /// Writes what stands before the next operand and is not stored in a tree. Not before that operand begins:
    /// until then the bytes end with the operand before, which may be written again.
    fn derive(&mut self) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if open.kinds.get(open.next) == Some(&OperandKind::InnerSize) {
            open.next += 1;
            open.inner_size = Some(self.encoder.placeholder());
        }
    }
}
