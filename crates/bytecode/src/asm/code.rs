//! Statements as text, both ways.

use std::fmt;

use bp_reflect::{Name, ObjectPath};
use rustc_hash::FxHashMap;

use super::AsmError;
use super::cursor::{Cursor, Scope};
use super::lex::{Quoted, Word};
use super::value::{F32, F64, parse_f32, parse_f64, parse_int};
use crate::dialect::CastKind;
use crate::encode::{INLINE_EVENT, MAX_DEPTH};
use crate::{
    CodeOffset, Dialect, Expr, Label, Opcode, Operand, OperandKind, PropertyRef, Switch, Target,
    TextLiteral,
};

/// The cast kinds by the words they are written with.
const CASTS: [(&str, CastKind); 5] = [
    ("ObjectToInterface", CastKind::ObjectToInterface),
    ("ObjectToBool", CastKind::ObjectToBool),
    ("InterfaceToBool", CastKind::InterfaceToBool),
    ("DoubleToFloat", CastKind::DoubleToFloat),
    ("FloatToDouble", CastKind::FloatToDouble),
];

/// The opcode's name without `EX_`.
pub(super) fn mnemonic(op: Opcode) -> &'static str {
    op.name().strip_prefix("EX_").unwrap_or(op.name())
}

/// The index of the operand kind whose list is written as further operands: the last one.
fn spread(op: Opcode) -> bool {
    matches!(
        op.row().operands.last(),
        Some(OperandKind::List(_) | OperandKind::Pairs(_))
    )
}

/// Writes an expression.
pub(super) struct Code<'a> {
    pub(super) expr: &'a Expr,
    pub(super) printer: &'a CodePrinter<'a>,
}

/// What expressions are printed with.
pub(super) struct CodePrinter<'a> {
    pub(super) dialect: Dialect,
    pub(super) scope: &'a Scope,
    /// Label numbers of statements that something leads to.
    pub(super) labels: &'a FxHashMap<CodeOffset, u32>,
}

impl CodePrinter<'_> {
    pub(super) fn code<'a>(&'a self, expr: &'a Expr) -> Code<'a> {
        Code {
            expr,
            printer: self,
        }
    }

    fn object(&self, f: &mut fmt::Formatter<'_>, object: Option<&ObjectPath>) -> fmt::Result {
        match object {
            None => f.write_str("null"),
            Some(object) => self.path(f, object.as_str()),
        }
    }

    fn path(&self, f: &mut fmt::Formatter<'_>, path: &str) -> fmt::Result {
        match path.strip_prefix(self.scope.class.as_str()) {
            Some("") if !path.is_empty() => f.write_str("self"),
            Some(member) if is_plain_member(member) && !self.scope.class.is_empty() => {
                write!(f, "self{member}")
            }
            Some(_) | None => write!(f, "{}", Word(path)),
        }
    }

    pub(super) fn property(
        &self,
        f: &mut fmt::Formatter<'_>,
        property: &PropertyRef,
    ) -> fmt::Result {
        for (index, name) in property.path.iter().enumerate() {
            if index > 0 {
                f.write_str("<")?;
            }
            write!(f, "{}", Word(name.as_str()))?;
        }
        if property.owner.as_str() != self.scope.function {
            f.write_str("@")?;
            self.path(f, property.owner.as_str())?;
        }
        if property.ordinal > 0 {
            write!(f, "#{}", property.ordinal)?;
        }
        Ok(())
    }

    fn target(&self, f: &mut fmt::Formatter<'_>, target: Target) -> fmt::Result {
        match target {
            Target::Label(label) => write!(f, "label_{}", label.0),
            Target::Offset(offset) => match self.labels.get(&offset) {
                Some(label) => write!(f, "L{label}"),
                None => write!(f, "{offset}"),
            },
        }
    }
}

/// Whether `:Open` can follow `self` in one word.
fn is_plain_member(member: &str) -> bool {
    member.strip_prefix(':').is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

impl fmt::Display for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expr, printer) = (self.expr, self.printer);
        f.write_str(mnemonic(expr.op))?;
        if expr.operands.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        let last = expr.operands.len() - 1;
        let kinds = expr
            .op
            .row()
            .operands
            .iter()
            .filter(|kind| !matches!(kind, OperandKind::Count | OperandKind::InnerSize));
        let mut is_first = true;
        for (index, (operand, kind)) in expr.operands.iter().zip(kinds).enumerate() {
            let is_spread = index == last && spread(expr.op);
            let is_empty_list = matches!(operand, Operand::List(list) if list.is_empty());
            let is_nothing = is_spread && is_empty_list;
            if !(is_first || is_nothing) {
                f.write_str(", ")?;
            }
            is_first = false;
            match operand {
                Operand::Expr(inner) => printer.code(inner).fmt(f)?,
                Operand::List(list) => {
                    if !is_spread {
                        f.write_str("[")?;
                    }
                    let pairs = matches!(kind, OperandKind::Pairs(_));
                    for (index, item) in list.iter().enumerate() {
                        match index {
                            0 => {}
                            odd if pairs && odd % 2 == 1 => f.write_str(" => ")?,
                            _ => f.write_str(", ")?,
                        }
                        printer.code(item).fmt(f)?;
                    }
                    if !is_spread {
                        f.write_str("]")?;
                    }
                }
                Operand::Target(target) => printer.target(f, *target)?,
                Operand::Property(None) => f.write_str("null")?,
                Operand::Property(Some(property)) => printer.property(f, property)?,
                Operand::Object(object) => printer.object(f, object.as_ref())?,
                Operand::Name(name) => write!(f, "{}", Word(name.as_str()))?,
                Operand::U8(value) if *kind == OperandKind::CastKind => {
                    let cast = printer.dialect.cast_kind(*value);
                    match CASTS.iter().find(|(_, known)| Some(*known) == cast) {
                        Some((word, _)) => f.write_str(word)?,
                        None => write!(f, "{value}")?,
                    }
                }
                Operand::U8(value) => write!(f, "{value}")?,
                Operand::U16(value) => write!(f, "{value}")?,
                Operand::I32(value) => write!(f, "{value}")?,
                Operand::I64(value) => write!(f, "{value}")?,
                Operand::U64(value) => write!(f, "{value}")?,
                Operand::F32(value) => F32(*value).fmt(f)?,
                Operand::F64(value) => F64(*value).fmt(f)?,
                Operand::Str(text) => Quoted(text).fmt(f)?,
                Operand::Text(text) => write_text(f, printer, text)?,
                Operand::Switch(switch) => {
                    printer.code(&switch.index).fmt(f)?;
                    for (value, result) in &switch.cases {
                        write!(f, ", {} => {}", printer.code(value), printer.code(result))?;
                    }
                    write!(f, ", {}", printer.code(&switch.default))?;
                }
                Operand::Instrumentation(event, None) => write!(f, "{event}")?,
                Operand::Instrumentation(event, Some(name)) => {
                    write!(f, "{event}, {}", Word(name.as_str()))?;
                }
            }
        }
        f.write_str(")")
    }
}

fn write_text(
    f: &mut fmt::Formatter<'_>,
    printer: &CodePrinter<'_>,
    text: &TextLiteral,
) -> fmt::Result {
    let parts: &[Expr] = match text {
        TextLiteral::Empty => {
            f.write_str("empty")?;
            &[]
        }
        TextLiteral::Localized(parts) => {
            f.write_str("localized")?;
            parts
        }
        TextLiteral::LocalizedWithNotes(parts) => {
            f.write_str("localized_with_notes")?;
            parts
        }
        TextLiteral::Invariant(inner) => {
            f.write_str("invariant")?;
            std::slice::from_ref(inner)
        }
        TextLiteral::LiteralString(inner) => {
            f.write_str("literal")?;
            std::slice::from_ref(inner)
        }
        TextLiteral::StringTable(table, parts) => {
            f.write_str("table, ")?;
            printer.object(f, table.as_ref())?;
            parts
        }
    };
    for part in parts {
        write!(f, ", {}", printer.code(part))?;
    }
    Ok(())
}

/// Opcodes by lower-case name without `EX_`.
pub(super) fn mnemonics() -> FxHashMap<String, Opcode> {
    Opcode::ALL
        .iter()
        .map(|op| (mnemonic(*op).to_ascii_lowercase(), *op))
        .collect()
}

/// What expressions are parsed with.
pub(super) struct CodeParser<'a> {
    pub(super) dialect: Dialect,
    pub(super) scope: &'a Scope,
    pub(super) mnemonics: &'a FxHashMap<String, Opcode>,
    /// Gives a label its number at its first use.
    pub(super) labels: &'a mut dyn FnMut(&str, u32) -> Label,
    pub(super) depth: u32,
}

impl CodeParser<'_> {
    pub(super) fn expr(&mut self, cursor: &mut Cursor<'_>) -> Result<Expr, AsmError> {
        let column = cursor.column();
        let word = cursor.word("an opcode")?;
        let lower = word.to_ascii_lowercase();
        let op = self
            .mnemonics
            .get(lower.strip_prefix("ex_").unwrap_or(&lower))
            .copied()
            .ok_or_else(|| cursor.error_at(column, format!("`{word}` is no opcode")))?;
        if self.depth == MAX_DEPTH {
            return Err(cursor.error_at(
                column,
                format!("expressions are nested deeper than {MAX_DEPTH}"),
            ));
        }
        self.depth += 1;
        let mut operands = Vec::with_capacity(op.row().operands.len());
        let kinds = op
            .row()
            .operands
            .iter()
            .filter(|kind| !matches!(kind, OperandKind::Count | OperandKind::InnerSize));
        let n_kinds = kinds.clone().count();
        let has_parentheses = cursor.take_mark('(');
        if n_kinds > 0 && !has_parentheses {
            return Err(cursor.expected(&format!("`(` and the operands of {}", op.name())));
        }
        for (index, kind) in kinds.enumerate() {
            let is_spread = index + 1 == n_kinds && spread(op);
            if is_spread {
                operands.push(self.spread_list(cursor, *kind, index == 0)?);
                continue;
            }
            if index > 0 {
                cursor.expect_mark(',')?;
            }
            operands.push(self.operand(cursor, *kind)?);
        }
        if has_parentheses && !cursor.take_mark(')') {
            return Err(cursor.expected("`)`"));
        }
        self.depth -= 1;
        Ok(Expr::new(op, operands))
    }

    /// The rest of the operands, as one list.
    fn spread_list(
        &mut self,
        cursor: &mut Cursor<'_>,
        kind: OperandKind,
        mut is_first: bool,
    ) -> Result<Operand, AsmError> {
        let pairs = matches!(kind, OperandKind::Pairs(_));
        let mut list = Vec::new();
        while cursor.peek() != Some(&super::lex::TokenKind::Mark(')')) {
            if !is_first {
                cursor.expect_mark(',')?;
            }
            is_first = false;
            list.push(self.expr(cursor)?);
            if pairs {
                cursor.expect_arrow()?;
                list.push(self.expr(cursor)?);
            }
        }
        Ok(Operand::List(list))
    }

    fn operand(&mut self, cursor: &mut Cursor<'_>, kind: OperandKind) -> Result<Operand, AsmError> {
        Ok(match kind {
            OperandKind::Expr => Operand::Expr(self.expr(cursor)?),
            OperandKind::List(_) | OperandKind::Pairs(_) => {
                let pairs = matches!(kind, OperandKind::Pairs(_));
                cursor.expect_mark('[')?;
                let mut list = Vec::new();
                while !cursor.take_mark(']') {
                    if !list.is_empty() {
                        cursor.expect_mark(',')?;
                    }
                    list.push(self.expr(cursor)?);
                    if pairs {
                        cursor.expect_arrow()?;
                        list.push(self.expr(cursor)?);
                    }
                }
                Operand::List(list)
            }
            OperandKind::Count | OperandKind::InnerSize => {
                unreachable!("derived operands are not written")
            }
            OperandKind::Target => Operand::Target(self.target(cursor)?),
            OperandKind::Property => Operand::Property(self.property(cursor)?),
            OperandKind::Object => {
                Operand::Object(cursor.optional_path(self.scope, "an object path")?)
            }
            OperandKind::Name => Operand::Name(cursor.name("a name")?),
            OperandKind::U8 => Operand::U8(cursor.int("a byte")?),
            OperandKind::CastKind => {
                let dialect = self.dialect;
                Operand::U8(
                    cursor.parsed("a cast kind of this engine or a byte", |word| {
                        match CASTS.iter().find(|(known, _)| *known == word) {
                            Some((_, kind)) => dialect.cast_byte(*kind),
                            None => parse_int(word).and_then(|value| u8::try_from(value).ok()),
                        }
                    })?,
                )
            }
            OperandKind::U16 => Operand::U16(cursor.int("a whole number of 16 bits")?),
            OperandKind::I32 => Operand::I32(cursor.int("a whole number of 32 bits")?),
            OperandKind::I64 => Operand::I64(cursor.int("a whole number of 64 bits")?),
            OperandKind::U64 => {
                Operand::U64(cursor.int("a whole number of 64 bits, not negative")?)
            }
            OperandKind::F32 => Operand::F32(cursor.parsed("a number", parse_f32)?),
            OperandKind::F64 | OperandKind::Real => {
                Operand::F64(cursor.parsed("a number", parse_f64)?)
            }
            OperandKind::AnsiString | OperandKind::WideString => Operand::Str(cursor.string()?),
            OperandKind::Text => Operand::Text(Box::new(self.text(cursor)?)),
            OperandKind::Switch => Operand::Switch(Box::new(self.switch(cursor)?)),
            OperandKind::Instrumentation => {
                let event = cursor.int("an event kind")?;
                let name = if event == INLINE_EVENT {
                    cursor.expect_mark(',')?;
                    Some(cursor.name("a name")?)
                } else {
                    None
                };
                Operand::Instrumentation(event, name)
            }
        })
    }

    fn target(&mut self, cursor: &mut Cursor<'_>) -> Result<Target, AsmError> {
        const WHAT: &str = "a label or an offset";
        if cursor
            .peek_word()
            .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        {
            return Ok(Target::Offset(CodeOffset(cursor.int(WHAT)?)));
        }
        let column = cursor.column();
        let word = cursor.word(WHAT)?;
        Ok(Target::Label((self.labels)(word, column)))
    }

    fn property(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<PropertyRef>, AsmError> {
        if cursor.take_word("null") {
            return Ok(None);
        }
        property_ref(cursor, self.scope).map(Some)
    }

    fn text(&mut self, cursor: &mut Cursor<'_>) -> Result<TextLiteral, AsmError> {
        const WHAT: &str =
            "`empty`, `localized`, `localized_with_notes`, `invariant`, `literal` or `table`";
        let column = cursor.column();
        let kind = cursor.word(WHAT)?;
        let mut part = || -> Result<Expr, AsmError> {
            cursor.expect_mark(',')?;
            self.expr(cursor)
        };
        Ok(match kind {
            "empty" => TextLiteral::Empty,
            "localized" => TextLiteral::Localized([part()?, part()?, part()?]),
            "localized_with_notes" => {
                TextLiteral::LocalizedWithNotes([part()?, part()?, part()?, part()?])
            }
            "invariant" => TextLiteral::Invariant(part()?),
            "literal" => TextLiteral::LiteralString(part()?),
            "table" => {
                cursor.expect_mark(',')?;
                let table = cursor.optional_path(self.scope, "a string table's path")?;
                let mut part = || -> Result<Expr, AsmError> {
                    cursor.expect_mark(',')?;
                    self.expr(cursor)
                };
                TextLiteral::StringTable(table, [part()?, part()?])
            }
            other => {
                return Err(cursor.error_at(column, format!("expected {WHAT}, found `{other}`")));
            }
        })
    }

    fn switch(&mut self, cursor: &mut Cursor<'_>) -> Result<Switch, AsmError> {
        let index = self.expr(cursor)?;
        let mut cases = Vec::new();
        loop {
            cursor.expect_mark(',')?;
            let value = self.expr(cursor)?;
            if !cursor.take_arrow() {
                return Ok(Switch {
                    index,
                    cases,
                    default: value,
                });
            }
            cases.push((value, self.expr(cursor)?));
        }
    }
}

/// A property that is not null.
pub(super) fn property_ref(
    cursor: &mut Cursor<'_>,
    scope: &Scope,
) -> Result<PropertyRef, AsmError> {
    let mut path: Vec<Name> = vec![cursor.name("a property or `null`")?];
    while cursor.take_mark('<') {
        path.push(cursor.name("the name of the container property")?);
    }
    let owner = if cursor.take_mark('@') {
        cursor.path(scope, "the path of the property's owner")?
    } else {
        ObjectPath::new(&scope.function)
    };
    let ordinal = if cursor.take_mark('#') {
        cursor.int("an ordinal")?
    } else {
        0
    };
    Ok(PropertyRef {
        owner,
        path,
        ordinal,
    })
}
