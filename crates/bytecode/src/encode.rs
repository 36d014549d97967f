//! From trees to bytes.
//!
//! A compiler lays a script out with [`ScriptBuilder`]: pass 1 writes statements with placeholders for
//! labels, pass 2 patches them. A script whose targets are offsets already is written in either layout
//! by [`encode_script`]. Both are one walk over the opcode's row; how a thing is stored is known to the
//! operand kinds only. Derived operands (inner sizes, counts, switch offsets, terminators) are computed
//! here and are always right.

mod pieces;

pub use pieces::{OpenCase, OpenSwitch};

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use bp_reflect::{EngineVersion, Name, ObjectPath};
use indexmap::{Equivalent, IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::decode::{DiskForm, Layout, Statement};
use crate::{
    CodeOffset, Dialect, Expr, Label, Opcode, Operand, OperandKind, PropertyRef, ReferenceTables,
    Switch, Target, TextLiteral,
};

/// Deepest nesting of expressions that is written or read; real scripts do not pass 9.
pub const MAX_DEPTH: u32 = 256;

/// Why a tree has no bytes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EncodeError {
    /// A target is a label that was never bound.
    #[error("label {} was used but never placed", .0.0)]
    UnboundLabel(Label),
    /// An operand is not of the kind the opcode's row asks for, or is missing.
    #[error("operand {index} of {} is not {expected:?}", .op.name())]
    Operand {
        /// The opcode.
        op: Opcode,
        /// 0-based position among the stored operands.
        index: usize,
        /// What the row asks for.
        expected: OperandKind,
    },
    /// There are more operands than the row asks for.
    #[error("{} takes {expected} operands, not {found}", .op.name())]
    TooManyOperands {
        /// The opcode.
        op: Opcode,
        /// How many the row asks for.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The engine version does not have the opcode.
    #[error("{} exists since {since}, the script is for {engine}", .op.name())]
    NotInDialect {
        /// The opcode.
        op: Opcode,
        /// First version that has it.
        since: EngineVersion,
        /// The script's version.
        engine: EngineVersion,
    },
    /// The engine version does not have texts with notes.
    #[error("texts with notes exist since 5.8")]
    TextNotes,
    /// A terminator stands where an expression belongs.
    #[error("{} closes a list and is no expression", .0.name())]
    Terminator(Opcode),
    /// Expressions are nested deeper than [`MAX_DEPTH`].
    #[error("expressions are nested deeper than {MAX_DEPTH}")]
    TooDeep,
    /// A string holds a zero character, which would end it.
    #[error("a string literal contains a zero character")]
    ZeroInString,
    /// A character of an `EX_StringConst` does not fit in a byte.
    #[error("`{0}` does not fit in a byte string")]
    WideCharacter(char),
    /// The key and value expressions are not pairs, or there are too many elements to count.
    #[error("{} has {found} elements", .op.name())]
    Elements {
        /// The opcode.
        op: Opcode,
        /// The number of list entries.
        found: usize,
    },
    /// The script is longer than offsets can say.
    #[error("the script is longer than 4 GiB")]
    TooLong,
    /// The reference has no index in the tables written to.
    #[error("{0} is not in the package's tables")]
    Unmapped(String),
}

/// How a property reference is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredProperty<'a> {
    /// An index: in memory 1-based into [`ReferenceTables::properties`], on disk a package index of a
    /// property that is an object of its own (before 4.25). 0 is null.
    Index(i64),
    /// A field path (since 4.25).
    Path {
        /// Index and number of each name, innermost first. Empty for null.
        names: Cow<'a, [(u32, u32)]>,
        /// Package index of the owner; none in the form without owner.
        owner: Option<i32>,
    },
}

/// Gives references the indices they are written with.
pub trait ReferenceSink {
    /// Index and number of a name.
    fn name(&mut self, name: &Name) -> Option<(u32, u32)>;
    /// Index of an object that is not null.
    fn object(&mut self, object: &ObjectPath) -> Option<i64>;
    /// The stored form of a property that is not null.
    fn property(&mut self, property: &PropertyRef) -> Option<StoredProperty<'static>>;
}

/// Builds [`ReferenceTables`] in order of first use.
///
/// Base texts of names are told apart by case, so that what a script shows keeps its spelling; objects
/// and properties are not, the first spelling stays.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    names: IndexSet<String, FxBuildHasher>,
    objects: IndexSet<ObjectPath, FxBuildHasher>,
    properties: IndexSet<PropertyRef, FxBuildHasher>,
    /// Indices of functions by class and name, and of default objects by class, so that their paths are put
    /// together once.
    members: IndexMap<(ObjectPath, Name), u32, FxBuildHasher>,
    default_objects: IndexMap<ObjectPath, u32, FxBuildHasher>,
}

/// A function by class and name.
struct Member<'a>(&'a ObjectPath, &'a Name);

impl Hash for Member<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
        self.1.hash(state);
    }
}

impl Equivalent<(ObjectPath, Name)> for Member<'_> {
    fn equivalent(&self, key: &(ObjectPath, Name)) -> bool {
        *self.0 == key.0 && *self.1 == key.1
    }
}

impl Interner {
    /// Empty tables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tables that begin with these entries. Of entries that occur twice the first is kept.
    pub fn with_tables(tables: ReferenceTables) -> Self {
        Self {
            names: tables.names.into_iter().collect(),
            objects: tables.objects.into_iter().collect(),
            properties: tables.properties.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The 1-based index of the function `name` of a class.
    pub fn intern_member(&mut self, class: &ObjectPath, name: &Name) -> u32 {
        if let Some(index) = self.members.get(&Member(class, name)) {
            return *index;
        }
        let index = self.intern_object(&class.member(name));
        self.members.insert((class.clone(), name.clone()), index);
        index
    }

    /// The 1-based index of the default object of a class.
    pub fn intern_default_object(&mut self, class: &ObjectPath) -> u32 {
        if let Some(index) = self.default_objects.get(class) {
            return *index;
        }
        let index = self.intern_object(&class.default_object());
        self.default_objects.insert(class.clone(), index);
        index
    }

    /// The 1-based index of an object.
    pub fn intern_object(&mut self, object: &ObjectPath) -> u32 {
        let index = match self.objects.get_index_of(object) {
            Some(index) => index,
            None => self.objects.insert_full(object.clone()).0,
        };
        index as u32 + 1
    }

    /// The 1-based index of a property.
    pub fn intern_property(&mut self, property: &PropertyRef) -> u32 {
        let index = match self.properties.get_index_of(property) {
            Some(index) => index,
            None => self.properties.insert_full(property.clone()).0,
        };
        index as u32 + 1
    }

    /// The 0-based index of a name's base text.
    pub fn intern_name(&mut self, name: &Name) -> u32 {
        let base = name.base();
        let index = match self.names.get_index_of(base) {
            Some(index) => index,
            None => self.names.insert_full(base.to_owned()).0,
        };
        index as u32
    }

    /// The finished tables.
    pub fn into_tables(self) -> ReferenceTables {
        ReferenceTables {
            names: self.names.into_iter().collect(),
            objects: self.objects.into_iter().collect(),
            properties: self.properties.into_iter().collect(),
        }
    }
}

impl ReferenceSink for Interner {
    fn name(&mut self, name: &Name) -> Option<(u32, u32)> {
        Some((self.intern_name(name), name.number()))
    }

    fn object(&mut self, object: &ObjectPath) -> Option<i64> {
        Some(i64::from(self.intern_object(object)))
    }

    fn property(&mut self, property: &PropertyRef) -> Option<StoredProperty<'static>> {
        let index = self.intern_property(property);
        Some(StoredProperty::Index(i64::from(index)))
    }
}

/// Lays out one script in the in-memory layout.
#[derive(Debug)]
pub struct ScriptBuilder<'a> {
    encoder: Encoder<'a, Interner, Vec<u8>>,
    /// Offset of each label, by number.
    labels: Vec<Option<CodeOffset>>,
    error: Option<EncodeError>,
    /// Expressions that are being written piece by piece, outermost first.
    open: Vec<pieces::Open>,
}

impl<'a> ScriptBuilder<'a> {
    /// An empty script whose references go into `refs`.
    pub fn new(dialect: Dialect, refs: &'a mut Interner) -> Self {
        Self {
            encoder: Encoder::new(dialect, Layout::Memory, refs, Vec::new()),
            labels: Vec::new(),
            error: None,
            open: Vec::new(),
        }
    }

    /// Makes room for so many bytes more.
    pub fn reserve(&mut self, n_bytes: usize) {
        self.encoder.out.reserve(n_bytes);
    }

    /// A fresh label.
    pub fn label(&mut self) -> Label {
        let label = Label(self.labels.len() as u32);
        self.labels.push(None);
        label
    }

    /// Makes `label` mean the current position.
    ///
    /// # Panics
    /// If it is bound already: the caller's bug.
    pub fn bind(&mut self, label: Label) {
        let index = label.0 as usize;
        if index >= self.labels.len() {
            self.labels.resize(index + 1, None);
        }
        assert!(
            self.labels[index].is_none(),
            "label {index} is bound a second time"
        );
        self.labels[index] = Some(self.position());
    }

    /// Where a label is, once it is bound.
    pub fn offset_of(&self, label: Label) -> Option<CodeOffset> {
        self.labels.get(label.0 as usize).copied().flatten()
    }

    /// Where the next statement will start.
    pub fn position(&self) -> CodeOffset {
        CodeOffset(self.encoder.memory as u32)
    }

    /// Appends a statement and gives its start. An error is kept and given by [`Self::finish`].
    pub fn push(&mut self, statement: &Expr) -> CodeOffset {
        let start = self.position();
        if self.error.is_none()
            && let Err(error) = self.encoder.expr(statement)
        {
            self.error = Some(error);
        }
        start
    }

    /// Appends bytes as they are and gives their start. For scripts that are wrong on purpose.
    pub fn push_raw(&mut self, bytes: &[u8]) -> CodeOffset {
        let start = self.position();
        self.encoder.plain(bytes);
        start
    }

    /// The error of a push, taken out so that the next ones are encoded again.
    pub(crate) fn take_error(&mut self) -> Option<EncodeError> {
        let error = self.error.take();
        if error.is_some() {
            self.encoder.depth = 0;
        }
        error
    }

    /// Patches the labels and gives the bytes.
    ///
    /// # Errors
    /// The first error of any [`Self::push`], a label without place, or a script that is too long.
    ///
    /// # Panics
    /// If an expression is still open: the caller's bug.
    pub fn finish(self) -> Result<Vec<u8>, EncodeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        assert!(self.open.is_empty(), "an expression was not closed");
        let Encoder {
            mut out,
            fixups,
            memory,
            ..
        } = self.encoder;
        if u32::try_from(memory).is_err() {
            return Err(EncodeError::TooLong);
        }
        for (at, label) in fixups {
            let offset = self
                .labels
                .get(label.0 as usize)
                .copied()
                .flatten()
                .ok_or(EncodeError::UnboundLabel(label))?;
            out.patch(at, offset.0);
        }
        Ok(out)
    }
}

/// A script in a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedScript {
    /// The bytes as stored.
    pub bytes: Vec<u8>,
    /// The size in the in-memory layout.
    pub memory_size: u32,
}

/// Writes statements one after the other; their recorded offsets are not looked at.
///
/// # Errors
/// See [`EncodeError`]; targets must be offsets.
pub fn encode_script<R: ReferenceSink>(
    statements: &[Statement],
    dialect: Dialect,
    layout: Layout,
    refs: &mut R,
) -> Result<EncodedScript, EncodeError> {
    let mut encoder = Encoder::new(dialect, layout, refs, Vec::new());
    for statement in statements {
        encoder.expr(&statement.expr)?;
    }
    if let Some((_, label)) = encoder.fixups.first() {
        return Err(EncodeError::UnboundLabel(*label));
    }
    Ok(EncodedScript {
        memory_size: u32::try_from(encoder.memory).map_err(|_| EncodeError::TooLong)?,
        bytes: encoder.out,
    })
}

/// The size of an expression in memory, in bytes. Of a tree that cannot be encoded, the size up to
/// the fault.
pub fn memory_size(expr: &Expr, dialect: Dialect) -> u32 {
    let mut refs = NoReferences;
    let mut encoder = Encoder::new(dialect, Layout::Memory, &mut refs, Length::default());
    let _ = encoder.expr(expr);
    u32::try_from(encoder.memory).unwrap_or(u32::MAX)
}

/// Where encoded bytes go.
trait Output {
    fn put(&mut self, bytes: &[u8]);
    fn len(&self) -> usize;
    fn patch(&mut self, at: usize, value: u32);
}

impl Output for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn patch(&mut self, at: usize, value: u32) {
        self[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

/// Counts in place of writing.
#[derive(Default)]
struct Length(usize);

impl Output for Length {
    fn put(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }

    fn len(&self) -> usize {
        self.0
    }

    fn patch(&mut self, _at: usize, _value: u32) {}
}

/// For sizes in memory, which do not depend on the indices.
struct NoReferences;

impl ReferenceSink for NoReferences {
    fn name(&mut self, _name: &Name) -> Option<(u32, u32)> {
        Some((0, 0))
    }

    fn object(&mut self, _object: &ObjectPath) -> Option<i64> {
        Some(0)
    }

    fn property(&mut self, _property: &PropertyRef) -> Option<StoredProperty<'static>> {
        Some(StoredProperty::Index(0))
    }
}

#[derive(Debug)]
struct Encoder<'a, R, O> {
    dialect: Dialect,
    layout: Layout,
    refs: &'a mut R,
    out: O,
    /// Position in in-memory bytes; equals the length of `out` in the memory layout.
    memory: u64,
    /// Where in `out` a label's offset belongs.
    fixups: Vec<(usize, Label)>,
    depth: u32,
}

impl<'a, R: ReferenceSink, O: Output> Encoder<'a, R, O> {
    fn new(dialect: Dialect, layout: Layout, refs: &'a mut R, out: O) -> Self {
        Self {
            dialect,
            layout,
            refs,
            out,
            memory: 0,
            fixups: Vec::new(),
            depth: 0,
        }
    }

    /// Bytes that both layouts store alike.
    fn plain(&mut self, bytes: &[u8]) {
        self.out.put(bytes);
        self.memory += bytes.len() as u64;
    }

    /// Space for a `u32` to be patched.
    fn placeholder(&mut self) -> usize {
        let at = self.out.len();
        self.plain(&[0; 4]);
        at
    }

    fn expr(&mut self, expr: &Expr) -> Result<(), EncodeError> {
        let (op, row) = (expr.op, expr.op.row());
        if row.role == crate::table::Role::Terminator {
            return Err(EncodeError::Terminator(op));
        }
        if !op.exists_in(self.dialect) {
            return Err(EncodeError::NotInDialect {
                op,
                since: row.since,
                engine: self.dialect.engine,
            });
        }
        if self.depth == MAX_DEPTH {
            return Err(EncodeError::TooDeep);
        }
        self.depth += 1;
        self.plain(&[op.byte()]);
        let mut index = 0;
        let mut inner_size = None;
        for kind in row.operands {
            match kind {
                OperandKind::InnerSize => {
                    inner_size = Some(self.placeholder());
                    continue;
                }
                OperandKind::Count => {
                    self.count(expr, row.operands, index)?;
                    continue;
                }
                OperandKind::Expr
                | OperandKind::List(_)
                | OperandKind::Pairs(_)
                | OperandKind::Target
                | OperandKind::Property
                | OperandKind::Object
                | OperandKind::Name
                | OperandKind::U8
                | OperandKind::CastKind
                | OperandKind::U16
                | OperandKind::I32
                | OperandKind::I64
                | OperandKind::U64
                | OperandKind::F32
                | OperandKind::F64
                | OperandKind::Real
                | OperandKind::AnsiString
                | OperandKind::WideString
                | OperandKind::Text
                | OperandKind::Switch
                | OperandKind::Instrumentation => {}
            }
            let operand = expr.operands.get(index).ok_or(EncodeError::Operand {
                op,
                index,
                expected: *kind,
            })?;
            if let (OperandKind::Expr, Some(at)) = (kind, inner_size) {
                let start = self.memory;
                self.operand(op, index, *kind, operand)?;
                self.out.patch(at, (self.memory - start) as u32);
                inner_size = None;
            } else {
                self.operand(op, index, *kind, operand)?;
            }
            index += 1;
        }
        if expr.operands.len() > index {
            return Err(EncodeError::TooManyOperands {
                op,
                expected: index,
                found: expr.operands.len(),
            });
        }
        self.depth -= 1;
        Ok(())
    }

    /// The count of the list operand `index`, which follows.
    fn count(
        &mut self,
        expr: &Expr,
        kinds: &[OperandKind],
        index: usize,
    ) -> Result<(), EncodeError> {
        let Some(Operand::List(list)) = expr.operands.get(index) else {
            return Err(EncodeError::Operand {
                op: expr.op,
                index,
                expected: OperandKind::Count,
            });
        };
        let is_pairs = kinds
            .iter()
            .any(|kind| matches!(kind, OperandKind::Pairs(_)));
        let per_element = if is_pairs { 2 } else { 1 };
        let count = i32::try_from(list.len() / per_element).map_err(|_| EncodeError::Elements {
            op: expr.op,
            found: list.len(),
        })?;
        self.plain(&count.to_le_bytes());
        Ok(())
    }

    fn operand(
        &mut self,
        op: Opcode,
        index: usize,
        kind: OperandKind,
        operand: &Operand,
    ) -> Result<(), EncodeError> {
        match (kind, operand) {
            (OperandKind::Expr, Operand::Expr(inner)) => self.expr(inner)?,
            (OperandKind::List(end), Operand::List(list)) => self.list(list, end)?,
            (OperandKind::Pairs(end), Operand::List(list)) => {
                if list.len() % 2 != 0 {
                    return Err(EncodeError::Elements {
                        op,
                        found: list.len(),
                    });
                }
                self.list(list, end)?;
            }
            (OperandKind::Target, Operand::Target(target)) => match target {
                Target::Offset(offset) => self.plain(&offset.0.to_le_bytes()),
                Target::Label(label) => {
                    let at = self.placeholder();
                    self.fixups.push((at, *label));
                }
            },
            (OperandKind::Property, Operand::Property(property)) => {
                self.property(property.as_ref())?;
            }
            (OperandKind::Object, Operand::Object(object)) => self.object(object.as_ref())?,
            (OperandKind::Name, Operand::Name(name)) => self.name(name)?,
            (OperandKind::U8 | OperandKind::CastKind, Operand::U8(value)) => self.plain(&[*value]),
            (OperandKind::U16, Operand::U16(value)) => self.plain(&value.to_le_bytes()),
            (OperandKind::I32, Operand::I32(value)) => self.plain(&value.to_le_bytes()),
            (OperandKind::I64, Operand::I64(value)) => self.plain(&value.to_le_bytes()),
            (OperandKind::U64, Operand::U64(value)) => self.plain(&value.to_le_bytes()),
            (OperandKind::F32, Operand::F32(value)) => self.plain(&value.to_le_bytes()),
            (OperandKind::F64, Operand::F64(value)) => self.plain(&value.to_le_bytes()),
            (OperandKind::Real, Operand::F64(value)) => {
                if self.dialect.has_large_world_coordinates() {
                    self.plain(&value.to_le_bytes());
                } else {
                    self.plain(&narrow(*value).to_le_bytes());
                }
            }
            (OperandKind::AnsiString, Operand::Str(text)) => {
                for c in text.chars() {
                    match u8::try_from(c) {
                        Ok(0) => return Err(EncodeError::ZeroInString),
                        Ok(byte) => self.plain(&[byte]),
                        Err(_) => return Err(EncodeError::WideCharacter(c)),
                    }
                }
                self.plain(&[0]);
            }
            (OperandKind::WideString, Operand::Str(text)) => {
                for unit in text.encode_utf16() {
                    if unit == 0 {
                        return Err(EncodeError::ZeroInString);
                    }
                    self.plain(&unit.to_le_bytes());
                }
                self.plain(&[0; 2]);
            }
            (OperandKind::Text, Operand::Text(text)) => self.text(text)?,
            (OperandKind::Switch, Operand::Switch(switch)) => self.switch(op, switch)?,
            (OperandKind::Instrumentation, Operand::Instrumentation(event, name)) => {
                self.plain(&[*event]);
                match (*event == INLINE_EVENT, name) {
                    (true, Some(name)) => self.name(name)?,
                    (false, None) => {}
                    (true, None) | (false, Some(_)) => {
                        return Err(EncodeError::Operand {
                            op,
                            index,
                            expected: kind,
                        });
                    }
                }
            }
            _ => {
                return Err(EncodeError::Operand {
                    op,
                    index,
                    expected: kind,
                });
            }
        }
        Ok(())
    }

    fn list(&mut self, list: &[Expr], end: Opcode) -> Result<(), EncodeError> {
        for item in list {
            self.expr(item)?;
        }
        self.plain(&[end.byte()]);
        Ok(())
    }

    fn name(&mut self, name: &Name) -> Result<(), EncodeError> {
        let (index, number) = self
            .refs
            .name(name)
            .ok_or_else(|| EncodeError::Unmapped(name.to_string()))?;
        self.out.put(&index.to_le_bytes());
        if self.layout == Layout::Memory {
            self.out.put(&index.to_le_bytes());
        }
        self.out.put(&number.to_le_bytes());
        self.memory += 12;
        Ok(())
    }

    fn object(&mut self, object: Option<&ObjectPath>) -> Result<(), EncodeError> {
        let index = match object {
            None => 0,
            Some(object) => self
                .refs
                .object(object)
                .ok_or_else(|| EncodeError::Unmapped(object.to_string()))?,
        };
        match self.layout {
            Layout::Memory => self.out.put(&index.to_le_bytes()),
            Layout::Disk(_) => self.package_index(index)?,
        }
        self.memory += 8;
        Ok(())
    }

    fn package_index(&mut self, index: i64) -> Result<(), EncodeError> {
        let index =
            i32::try_from(index).map_err(|_| EncodeError::Unmapped(format!("object {index}")))?;
        self.out.put(&index.to_le_bytes());
        Ok(())
    }

    fn property(&mut self, property: Option<&PropertyRef>) -> Result<(), EncodeError> {
        let unmapped = || {
            let name = property.map_or("null", |property| property.name().as_str());
            EncodeError::Unmapped(format!("property {name}"))
        };
        let stored = match property {
            None => None,
            Some(property) => Some(self.refs.property(property).ok_or_else(unmapped)?),
        };
        match (self.layout, stored) {
            (Layout::Memory, None) => self.out.put(&[0; 8]),
            (Layout::Memory, Some(StoredProperty::Index(index))) => {
                self.out.put(&index.to_le_bytes());
            }
            (Layout::Disk(DiskForm::PackageIndex), None) => self.package_index(0)?,
            (Layout::Disk(DiskForm::PackageIndex), Some(StoredProperty::Index(index))) => {
                self.package_index(index)?;
            }
            (Layout::Disk(DiskForm::FieldPath { has_owner }), None) => {
                self.out.put(&[0; 4]);
                if has_owner {
                    self.out.put(&[0; 4]);
                }
            }
            (
                Layout::Disk(DiskForm::FieldPath { has_owner }),
                Some(StoredProperty::Path { names, owner }),
            ) => {
                let count = i32::try_from(names.len()).map_err(|_| unmapped())?;
                self.out.put(&count.to_le_bytes());
                for (index, number) in names.iter() {
                    self.out.put(&index.to_le_bytes());
                    self.out.put(&number.to_le_bytes());
                }
                match (has_owner, owner) {
                    (true, Some(owner)) => self.out.put(&owner.to_le_bytes()),
                    (false, None) => {}
                    (true, None) | (false, Some(_)) => return Err(unmapped()),
                }
            }
            (
                Layout::Memory | Layout::Disk(DiskForm::PackageIndex),
                Some(StoredProperty::Path { .. }),
            )
            | (Layout::Disk(DiskForm::FieldPath { .. }), Some(StoredProperty::Index(_))) => {
                return Err(unmapped());
            }
        }
        self.memory += 8;
        Ok(())
    }

    fn text(&mut self, text: &TextLiteral) -> Result<(), EncodeError> {
        let has_notes = self.dialect.has_text_notes();
        if !has_notes && matches!(text, TextLiteral::LocalizedWithNotes(_)) {
            return Err(EncodeError::TextNotes);
        }
        // 5.8 numbers the kinds behind the new one higher.
        let shift = u8::from(has_notes);
        let (kind, parts): (u8, &[Expr]) = match text {
            TextLiteral::Empty => (0, &[]),
            TextLiteral::Localized(parts) => (1, parts),
            TextLiteral::LocalizedWithNotes(parts) => (2, parts),
            TextLiteral::Invariant(inner) => (2 + shift, std::slice::from_ref(inner)),
            TextLiteral::LiteralString(inner) => (3 + shift, std::slice::from_ref(inner)),
            TextLiteral::StringTable(_, parts) => (4 + shift, parts),
        };
        self.plain(&[kind]);
        if let TextLiteral::StringTable(table, _) = text {
            self.object(table.as_ref())?;
        }
        for part in parts {
            self.expr(part)?;
        }
        Ok(())
    }

    fn switch(&mut self, op: Opcode, switch: &Switch) -> Result<(), EncodeError> {
        let count = u16::try_from(switch.cases.len()).map_err(|_| EncodeError::Elements {
            op,
            found: switch.cases.len(),
        })?;
        self.plain(&count.to_le_bytes());
        let end = self.placeholder();
        self.expr(&switch.index)?;
        for (value, result) in &switch.cases {
            self.expr(value)?;
            let next = self.placeholder();
            self.expr(result)?;
            self.out.patch(next, self.memory as u32);
        }
        self.expr(&switch.default)?;
        self.out.patch(end, self.memory as u32);
        Ok(())
    }
}

/// The `EScriptInstrumentation` kind that a name follows.
pub(crate) const INLINE_EVENT: u8 = 4;

/// A double that holds a float, not-a-number payloads included.
pub(crate) fn widen(value: f32) -> f64 {
    if value.is_nan() {
        let bits = u64::from(value.to_bits());
        let sign = (bits >> 31) << 63;
        let payload = (bits & 0x007f_ffff) << 29;
        return f64::from_bits(sign | 0x7ff0_0000_0000_0000 | payload);
    }
    f64::from(value)
}

/// The nearest float, the reverse of [`widen`].
pub(crate) fn narrow(value: f64) -> f32 {
    if value.is_nan() {
        let bits = value.to_bits();
        let sign = ((bits >> 63) as u32) << 31;
        let payload = ((bits >> 29) & 0x007f_ffff) as u32;
        // A payload that is lost in narrowing must not turn into infinity.
        let payload = if payload == 0 { 0x0040_0000 } else { payload };
        return f32::from_bits(sign | 0x7f80_0000 | payload);
    }
    value as f32
}
