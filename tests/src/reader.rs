//! Our reading of real packages against an independent reader's: `extract.py` of the shared tools, which
//! knows nothing of this code base.
//!
//! Both readings of a function become one flat list of [`Item`]s in the order of the bytes, each expression
//! with its in-memory offset, and the lists must be equal.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use bp_bytecode::{
    DiskForm, Expr, Layout, Opcode, Operand, OperandKind, PropertyRef, Target, TextLiteral,
    decode_script, memory_size,
};
use bp_reflect::ObjectPath;
use bp_uasset::{Package, PropertyData, ScriptReferences, StoredScript, scripts};
use serde_json::Value;

const PARAMETER: u64 = 0x80;

/// The independent reader, if it and Python are there.
#[derive(Clone, Debug)]
pub struct Tool {
    script: PathBuf,
}

/// What was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Functions with a script.
    pub functions: usize,
    /// Statements of functions that are equal.
    pub statements: usize,
    /// Expressions of functions that are equal, statements included.
    pub expressions: usize,
    /// The first difference of each function that differs.
    pub differences: Vec<String>,
}

impl Tool {
    /// The reader at `script`.
    ///
    /// # Errors
    /// What is missing, in words.
    pub fn new(script: &Path) -> Result<Self, String> {
        if !script.is_file() {
            return Err(format!("there is no reader at {}", script.display()));
        }
        let python = Command::new("python3").arg("--version").output();
        if !python.is_ok_and(|output| output.status.success()) {
            return Err("python3 cannot be run".to_owned());
        }
        Ok(Self {
            script: script.to_owned(),
        })
    }

    /// What the reader says of a package file.
    ///
    /// # Errors
    /// The reader fails, or its output is no JSON.
    pub fn read(&self, file: &Path) -> Result<Value, String> {
        // Through a file: the reader prints a summary on stdout.
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let out = folder.path().join("out.json");
        let run = Command::new("python3")
            .arg("-B")
            .arg(&self.script)
            .arg(file)
            .arg("-o")
            .arg(&out)
            .output()
            .map_err(|error| error.to_string())?;
        if !run.status.success() {
            let words = String::from_utf8_lossy(&run.stderr);
            let last = words.lines().last().unwrap_or_default();
            return Err(format!("the reader fails: {last}"));
        }
        let text = std::fs::read(&out).map_err(|error| error.to_string())?;
        serde_json::from_slice(&text).map_err(|error| format!("the reader's output: {error}"))
    }
}

/// Compares all functions that have a script.
///
/// # Errors
/// Our own reader refuses the package.
pub fn compare(package: &Package, reader: &Value) -> Result<Comparison, String> {
    let mut comparison = Comparison::default();
    let ours = scripts(package).map_err(|error| error.to_string())?;
    let theirs: Vec<&Value> = reader["functions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|function| function["script_disk_size"].as_u64().unwrap_or(0) > 0)
        .collect();
    if ours.len() != theirs.len() {
        comparison.differences.push(format!(
            "{} functions have a script, the reader finds {}",
            ours.len(),
            theirs.len()
        ));
    }
    let side = Side {
        package,
        references: ScriptReferences::new(package),
    };
    for script in &ours {
        comparison.functions += 1;
        let index = i64::from(script.function.base.index.0);
        let Some(theirs) = theirs
            .iter()
            .find(|function| function["exp"].as_i64() == Some(index))
        else {
            comparison
                .differences
                .push(format!("{}: the reader does not have it", script.path));
            continue;
        };
        match side.function(script, theirs) {
            Ok((statements, expressions)) => {
                comparison.statements += statements;
                comparison.expressions += expressions;
            }
            Err(difference) => comparison
                .differences
                .push(format!("{}: {difference}", script.path)),
        }
    }
    Ok(comparison)
}

/// One thing that a script says.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// An expression: its opcode and where it begins in memory.
    Op(String, u64),
    /// A number operand, derived ones included.
    Int(i128),
    /// A number with a fraction.
    Real(f64),
    /// A string or name.
    Text(String),
    /// An object by its path with dots, without the package if it lies in the one at hand.
    Object(Option<String>),
    /// A property: its name, and the last two names of its owner.
    Property(Option<(String, Option<String>)>),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Op(op, at) => write!(f, "{op} at 0x{at:X}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Object(path) => write!(f, "object {path:?}"),
            Self::Property(property) => write!(f, "property {property:?}"),
        }
    }
}

/// Our side of the comparison.
struct Side<'p> {
    package: &'p Package,
    references: ScriptReferences<'p>,
}

impl Side<'_> {
    /// The numbers of statements and expressions of a function that both read alike, or how they differ.
    fn function(
        &self,
        script: &StoredScript<'_>,
        theirs: &Value,
    ) -> Result<(usize, usize), String> {
        let expect = |what: &str, ours: Value, theirs: &Value| {
            if ours == *theirs {
                return Ok(());
            }
            Err(format!("{what} {ours}, the reader has {theirs}"))
        };
        let data = &script.function;
        let flags = format!("0x{:08X}", data.flags);
        expect("flags", flags.into(), &theirs["raw_flags"])?;
        expect(
            "size in memory",
            script.memory_size.into(),
            &theirs["script_mem_size"],
        )?;
        let mut hex = String::new();
        for byte in script.bytes {
            write!(hex, "{byte:02x}").expect("writing to a string does not fail");
        }
        expect("bytes", hex.into(), &theirs["script_hex"])?;
        let (params, locals): (Vec<&PropertyData>, Vec<_>) = data
            .base
            .properties
            .iter()
            .partition(|property| property.flags & PARAMETER != 0);
        for (what, ours, theirs) in [
            ("parameters", params, &theirs["params"]),
            ("locals", locals, &theirs["locals"]),
        ] {
            let ours: Vec<(String, String)> = ours
                .into_iter()
                .map(|property| (property.name.to_string(), format!("0x{:X}", property.flags)))
                .collect();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let theirs: Vec<(String, String)> = theirs
                .as_array()
                .into_iter()
                .flatten()
                .map(|property| (text(&property["name"]), text(&property["raw_flags"])))
                .collect();
            if ours != theirs {
                return Err(format!("{what} {ours:?}, the reader has {theirs:?}"));
            }
        }

        let dialect = self.references.dialect();
        let layout = self.references.layout();
        let decoded = decode_script(script.bytes, dialect, layout, &self.references)
            .map_err(|failure| failure.to_string())?;
        let statements = theirs["disasm"].as_array().cloned().unwrap_or_default();
        if decoded.statements.len() != statements.len() {
            return Err(format!(
                "{} statements, the reader has {}",
                decoded.statements.len(),
                statements.len()
            ));
        }
        let mut n_expressions = 0;
        for (ours, theirs) in decoded.statements.iter().zip(&statements) {
            expect(
                "a statement's offset",
                ours.offset.0.into(),
                &theirs["offset"],
            )?;
            expect(
                "a statement's place on disk",
                ours.stored.into(),
                &theirs["disk"],
            )?;
            let mut our_items = Vec::new();
            let end = self.expr(&ours.expr, u64::from(ours.offset.0), &mut our_items);
            let size = u64::from(memory_size(&ours.expr, dialect));
            if end != u64::from(ours.offset.0) + size {
                return Err(format!(
                    "the statement at {} ends at 0x{end:X}",
                    ours.offset
                ));
            }
            let mut their_items = Vec::new();
            reader_expr(&theirs["expr"], &mut their_items)?;
            let differs = our_items
                .iter()
                .zip(&their_items)
                .find(|(ours, theirs)| ours != theirs);
            if let Some((ours_item, theirs_item)) = differs {
                return Err(format!(
                    "in the statement at {}: {ours_item}, the reader has {theirs_item}",
                    ours.offset
                ));
            }
            if our_items.len() != their_items.len() {
                return Err(format!(
                    "the statement at {} says {} things, the reader's {}",
                    ours.offset,
                    our_items.len(),
                    their_items.len()
                ));
            }
            n_expressions += our_items
                .iter()
                .filter(|item| matches!(item, Item::Op(..)))
                .count();
        }
        Ok((statements.len(), n_expressions))
    }

    /// Lists an expression that begins at `at`; gives where it ends. The sizes are counted here once
    /// more, not taken from the encoder.
    fn expr(&self, expr: &Expr, mut at: u64, out: &mut Vec<Item>) -> u64 {
        let name = expr.op.name();
        out.push(Item::Op(
            name.strip_prefix("EX_").unwrap_or(name).to_owned(),
            at,
        ));
        at += 1;
        let dialect = self.references.dialect();
        let mut operands = expr.operands.iter();
        for kind in expr.op.row().operands {
            if *kind == OperandKind::InnerSize {
                let size = match expr.operands.last() {
                    Some(Operand::Expr(inner)) => memory_size(inner, dialect),
                    _ => 0,
                };
                out.push(Item::Int(size.into()));
                at += 4;
                continue;
            }
            if *kind == OperandKind::Count {
                let count = match expr.operands.last() {
                    Some(Operand::List(list)) => list.len(),
                    _ => 0,
                };
                let is_map = matches!(expr.op, Opcode::SetMap | Opcode::MapConst);
                out.push(Item::Int((count / if is_map { 2 } else { 1 }) as i128));
                at += 4;
                continue;
            }
            let Some(operand) = operands.next() else {
                break;
            };
            at = self.operand(*kind, operand, at, out);
        }
        at
    }

    fn operand(&self, kind: OperandKind, operand: &Operand, at: u64, out: &mut Vec<Item>) -> u64 {
        let mut int = |value: i128, size: u64| {
            out.push(Item::Int(value));
            at + size
        };
        match operand {
            Operand::Expr(inner) => self.expr(inner, at, out),
            Operand::List(list) => {
                let end = list.iter().fold(at, |at, item| self.expr(item, at, out));
                end + 1
            }
            Operand::Target(Target::Offset(offset)) => int(offset.0.into(), 4),
            Operand::Target(Target::Label(label)) => int(label.0.into(), 4),
            Operand::Property(property) => {
                out.push(Item::Property(
                    property.as_ref().map(|property| self.property(property)),
                ));
                at + 8
            }
            Operand::Object(object) => {
                out.push(Item::Object(
                    object.as_ref().map(|object| self.path(object)),
                ));
                at + 8
            }
            Operand::Name(name) => {
                out.push(Item::Text(name.as_str().to_owned()));
                at + 12
            }
            Operand::U8(value) => int((*value).into(), 1),
            Operand::U16(value) => int((*value).into(), 2),
            Operand::I32(value) => int((*value).into(), 4),
            Operand::I64(value) => int((*value).into(), 8),
            Operand::U64(value) => int((*value).into(), 8),
            Operand::F32(value) => {
                out.push(Item::Real((*value).into()));
                at + 4
            }
            Operand::F64(value) => {
                out.push(Item::Real(*value));
                let is_float = kind == OperandKind::Real
                    && !self.references.dialect().has_large_world_coordinates();
                at + if is_float { 4 } else { 8 }
            }
            Operand::Str(text) => {
                out.push(Item::Text(text.clone()));
                at + if kind == OperandKind::WideString {
                    2 * (text.encode_utf16().count() as u64 + 1)
                } else {
                    text.chars().count() as u64 + 1
                }
            }
            Operand::Text(text) => self.text(text, at, out),
            Operand::Switch(switch) => {
                let mut at = self.expr(&switch.index, at + 6, out);
                for (value, result) in &switch.cases {
                    at = self.expr(value, at, out);
                    at = self.expr(result, at + 4, out);
                }
                self.expr(&switch.default, at, out)
            }
            Operand::Instrumentation(event, name) => {
                out.push(Item::Int((*event).into()));
                match name {
                    None => at + 1,
                    Some(name) => {
                        out.push(Item::Text(name.as_str().to_owned()));
                        at + 13
                    }
                }
            }
        }
    }

    fn text(&self, text: &TextLiteral, at: u64, out: &mut Vec<Item>) -> u64 {
        // The numbers up to 5.7, as the reader knows no others.
        let (kind, parts): (i128, &[Expr]) = match text {
            TextLiteral::Empty => (0, &[]),
            TextLiteral::Localized(parts) => (1, parts),
            TextLiteral::LocalizedWithNotes(parts) => (-1, parts),
            TextLiteral::Invariant(inner) => (2, std::slice::from_ref(inner)),
            TextLiteral::LiteralString(inner) => (3, std::slice::from_ref(inner)),
            TextLiteral::StringTable(_, parts) => (4, parts),
        };
        out.push(Item::Int(kind));
        let mut at = at + 1;
        if let TextLiteral::StringTable(table, _) = text {
            out.push(Item::Object(table.as_ref().map(|table| self.path(table))));
            at += 8;
        }
        parts.iter().fold(at, |at, part| self.expr(part, at, out))
    }

    /// The reader writes dots throughout and leaves out the package at hand.
    fn path(&self, path: &ObjectPath) -> String {
        let text = path.as_str().replace(':', ".");
        let own = format!("{}.", self.package.long_name());
        text.strip_prefix(&own).map_or(text.clone(), str::to_owned)
    }

    fn property(&self, property: &PropertyRef) -> (String, Option<String>) {
        let name = property.name().as_str().to_owned();
        let layout = self.references.layout();
        if layout == Layout::Disk(DiskForm::FieldPath { has_owner: false }) {
            return (name, None);
        }
        let mut owner = self.path(&property.owner);
        // A property of a container lies in that one while properties are objects.
        if layout == Layout::Disk(DiskForm::PackageIndex) {
            for outer in property.path.iter().skip(1).rev() {
                owner = format!("{owner}.{}", outer.as_str());
            }
        }
        (name, Some(short(&owner)))
    }
}

/// The last two names of a path, the last one alone behind a package's.
fn short(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        [_, .., before, last] if !before.starts_with('/') => format!("{before}.{last}"),
        [.., last] => (*last).to_owned(),
        [] => String::new(),
    }
}

/// Lists an expression of the reader; the keys of its objects stand in the order of the bytes.
fn reader_expr(value: &Value, out: &mut Vec<Item>) -> Result<(), String> {
    let fields = value
        .as_object()
        .ok_or_else(|| format!("the reader's {value} is no expression"))?;
    let op = fields["op"].as_str().unwrap_or_default();
    out.push(Item::Op(
        op.to_owned(),
        fields["at"].as_u64().unwrap_or(u64::MAX),
    ));
    let unknown = |key: &str, value: &Value| Err(format!("the reader's {op} has {key} {value}"));
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("op" | "at", _) => {}
            // What class an object is of is no operand.
            ("cls", _) if op == "ObjectConst" => {}
            ("prop" | "rprop" | "vprop", Value::Null) => out.push(Item::Property(None)),
            ("prop" | "rprop" | "vprop", Value::Array(parts)) => {
                let text = |index: usize| {
                    let part = parts.get(index);
                    part.and_then(Value::as_str).map(str::to_owned)
                };
                out.push(Item::Property(Some((text(0).unwrap_or_default(), text(1)))));
            }
            ("fn", Value::String(name)) if op.ends_with("VirtualFunction") => {
                out.push(Item::Text(name.clone()));
            }
            ("fn" | "cls" | "struct" | "table", path) => {
                out.push(Item::Object(path.as_str().map(str::to_owned)));
            }
            ("v", path) if op == "ObjectConst" => {
                out.push(Item::Object(path.as_str().map(str::to_owned)));
            }
            ("args", Value::Array(list)) => {
                for item in list {
                    reader_expr(item, out)?;
                }
            }
            ("cases", Value::Array(cases)) => {
                for item in cases.iter().filter_map(Value::as_array).flatten() {
                    reader_expr(item, out)?;
                }
            }
            ("v", Value::Array(numbers)) => {
                out.extend(numbers.iter().filter_map(Value::as_f64).map(Item::Real));
            }
            (_, Value::String(text)) => out.push(Item::Text(text.clone())),
            (_, Value::Object(_)) => reader_expr(value, out)?,
            (_, Value::Number(number)) => out.push(match number.as_i128() {
                Some(value) => Item::Int(value),
                None => Item::Real(number.as_f64().unwrap_or(f64::NAN)),
            }),
            (key, value @ (Value::Null | Value::Bool(_) | Value::Array(_))) => {
                return unknown(key, value);
            }
        }
    }
    Ok(())
}
