//! The expression tree of a script.

use std::fmt;

use bp_reflect::{Name, ObjectPath};
use serde::{Deserialize, Serialize};

use crate::Opcode;

/// Byte offset from the start of a script, in in-memory sizes, whatever layout the bytes at hand have.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct CodeOffset(pub u32);

impl fmt::Display for CodeOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:X}", self.0)
    }
}

/// A place in a script that is not laid out yet. Dense numbers, given by whoever builds the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Label(pub u32);

/// Where a jump goes: a label until the script is laid out, an offset from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Target {
    /// Not laid out yet.
    Label(Label),
    /// A place of the finished script.
    Offset(CodeOffset),
}

/// Names a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PropertyRef {
    /// The class, struct or function that has it.
    pub owner: ObjectPath,
    /// Its name; for the element of a container property, the element's name followed by the
    /// container's (innermost first, as the engine stores it). Never empty.
    pub path: Vec<Name>,
    /// Which of the owner's properties of this name, 0 for the first. Since 5.1 the engine's compiler
    /// can give two locals of one function the same name.
    pub ordinal: u16,
}

impl PropertyRef {
    /// The property `name` of `owner`.
    pub fn new(owner: ObjectPath, name: impl Into<Name>) -> Self {
        Self {
            owner,
            path: vec![name.into()],
            ordinal: 0,
        }
    }

    /// The property's own name.
    pub fn name(&self) -> &Name {
        &self.path[0]
    }
}

/// A text literal's operands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TextLiteral {
    /// No text.
    Empty,
    /// Source, key, namespace: string expressions.
    Localized([Expr; 3]),
    /// Source, key, namespace, notes (5.8).
    LocalizedWithNotes([Expr; 4]),
    /// The same in every language.
    Invariant(Expr),
    /// A plain string made a text.
    LiteralString(Expr),
    /// String table asset, table id, key.
    StringTable(Option<ObjectPath>, [Expr; 2]),
}

/// The body of an `EX_SwitchValue`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switch {
    /// What is compared.
    pub index: Expr,
    /// Case values and results, in order.
    pub cases: Vec<(Expr, Expr)>,
    /// The result without a match.
    pub default: Expr,
}

/// One stored operand of an expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Operand {
    /// For `OperandKind::Expr`.
    Expr(Expr),
    /// For `List` and `Pairs` (keys and values in turn), the terminator left out.
    List(Vec<Expr>),
    /// For `Target`.
    Target(Target),
    /// For `Property`.
    Property(Option<PropertyRef>),
    /// For `Object`.
    Object(Option<ObjectPath>),
    /// For `Name`.
    Name(Name),
    /// For `U8`, `CastKind`.
    U8(u8),
    /// For `U16`.
    U16(u16),
    /// For `I32`.
    I32(i32),
    /// For `I64`.
    I64(i64),
    /// For `U64`.
    U64(u64),
    /// For `F32`.
    F32(f32),
    /// For `F64` and `Real`; a `Real` of an old dialect is a float's value.
    F64(f64),
    /// For `AnsiString` and `WideString`.
    Str(String),
    /// For `Text`.
    Text(Box<TextLiteral>),
    /// For `Switch`.
    Switch(Box<Switch>),
    /// For `Instrumentation`: kind, and the name of an inline event.
    Instrumentation(u8, Option<Name>),
}

/// An expression: an opcode and its operands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// What it is.
    pub op: Opcode,
    /// The stored operands of the opcode's row, in order.
    pub operands: Vec<Operand>,
}

/// Constructors. Each takes the operands in the row's order.
impl Expr {
    /// An expression from its parts.
    pub fn new(op: Opcode, operands: Vec<Operand>) -> Self {
        Self { op, operands }
    }

    /// An opcode without operands.
    pub fn leaf(op: Opcode) -> Self {
        Self::new(op, Vec::new())
    }

    /// A variable of the given kind (`LocalVariable`, `InstanceVariable`, …).
    pub fn variable(op: Opcode, property: PropertyRef) -> Self {
        Self::new(op, vec![Operand::Property(Some(property))])
    }

    /// `EX_Let`.
    pub fn let_(property: Option<PropertyRef>, place: Expr, value: Expr) -> Self {
        Self::new(
            Opcode::Let,
            vec![
                Operand::Property(property),
                Operand::Expr(place),
                Operand::Expr(value),
            ],
        )
    }

    /// An opcode with one expression operand.
    pub fn unary(op: Opcode, inner: Expr) -> Self {
        Self::new(op, vec![Operand::Expr(inner)])
    }

    /// An opcode with two expression operands.
    pub fn binary(op: Opcode, first: Expr, second: Expr) -> Self {
        Self::new(op, vec![Operand::Expr(first), Operand::Expr(second)])
    }

    /// `EX_Context` and its kin.
    pub fn context(op: Opcode, object: Expr, rvalue: Option<PropertyRef>, inner: Expr) -> Self {
        Self::new(
            op,
            vec![
                Operand::Expr(object),
                Operand::Property(rvalue),
                Operand::Expr(inner),
            ],
        )
    }

    /// A call by pointer: `FinalFunction`, `LocalFinalFunction`, `CallMath`.
    pub fn call(op: Opcode, function: ObjectPath, arguments: Vec<Expr>) -> Self {
        Self::new(
            op,
            vec![Operand::Object(Some(function)), Operand::List(arguments)],
        )
    }

    /// A call by name: `VirtualFunction`, `LocalVirtualFunction`.
    pub fn call_named(op: Opcode, function: Name, arguments: Vec<Expr>) -> Self {
        Self::new(op, vec![Operand::Name(function), Operand::List(arguments)])
    }

    /// An opcode with an object and an expression: casts.
    pub fn with_object(op: Opcode, object: Option<ObjectPath>, inner: Expr) -> Self {
        Self::new(op, vec![Operand::Object(object), Operand::Expr(inner)])
    }

    /// An opcode with one target: `Jump`, `PushExecutionFlow`, `SkipOffsetConst`.
    pub fn target(op: Opcode, target: Target) -> Self {
        Self::new(op, vec![Operand::Target(target)])
    }

    /// `EX_IntConst`.
    pub fn int(value: i32) -> Self {
        Self::new(Opcode::IntConst, vec![Operand::I32(value)])
    }

    /// `EX_StringConst`, or `EX_UnicodeStringConst` if the text is not all ASCII.
    pub fn string(text: impl Into<String>) -> Self {
        let text = text.into();
        let op = if text.is_ascii() {
            Opcode::StringConst
        } else {
            Opcode::UnicodeStringConst
        };
        Self::new(op, vec![Operand::Str(text)])
    }

    /// Gives this expression and then all in it to `f`, in byte order. What `f` puts in place of an expression is visited
    /// in its stead.
    pub fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Self)) {
        f(self);
        for operand in &mut self.operands {
            match operand {
                Operand::Expr(inner) => inner.visit_mut(f),
                Operand::List(list) => {
                    for inner in list {
                        inner.visit_mut(f);
                    }
                }
                Operand::Switch(switch) => {
                    switch.index.visit_mut(f);
                    for (value, result) in &mut switch.cases {
                        value.visit_mut(f);
                        result.visit_mut(f);
                    }
                    switch.default.visit_mut(f);
                }
                Operand::Text(text) => {
                    let parts: &mut [Self] = match &mut **text {
                        TextLiteral::Empty => &mut [],
                        TextLiteral::Localized(parts) => parts,
                        TextLiteral::LocalizedWithNotes(parts) => parts,
                        TextLiteral::Invariant(inner) | TextLiteral::LiteralString(inner) => {
                            std::slice::from_mut(inner)
                        }
                        TextLiteral::StringTable(_, parts) => parts,
                    };
                    for part in parts {
                        part.visit_mut(f);
                    }
                }
                Operand::Target(_)
                | Operand::Property(_)
                | Operand::Object(_)
                | Operand::Name(_)
                | Operand::U8(_)
                | Operand::U16(_)
                | Operand::I32(_)
                | Operand::I64(_)
                | Operand::U64(_)
                | Operand::F32(_)
                | Operand::F64(_)
                | Operand::Str(_)
                | Operand::Instrumentation(..) => {}
            }
        }
    }

    /// The nested expressions, in byte order.
    pub fn children(&self) -> Vec<&Expr> {
        let mut out = Vec::new();
        for operand in &self.operands {
            match operand {
                Operand::Expr(inner) => out.push(inner),
                Operand::List(list) => out.extend(list),
                Operand::Text(text) => match &**text {
                    TextLiteral::Empty => {}
                    TextLiteral::Localized(parts) => out.extend(parts),
                    TextLiteral::LocalizedWithNotes(parts) => out.extend(parts),
                    TextLiteral::Invariant(inner) | TextLiteral::LiteralString(inner) => {
                        out.push(inner);
                    }
                    TextLiteral::StringTable(_, parts) => out.extend(parts),
                },
                Operand::Switch(switch) => {
                    out.push(&switch.index);
                    for (value, result) in &switch.cases {
                        out.push(value);
                        out.push(result);
                    }
                    out.push(&switch.default);
                }
                Operand::Target(_)
                | Operand::Property(_)
                | Operand::Object(_)
                | Operand::Name(_)
                | Operand::U8(_)
                | Operand::U16(_)
                | Operand::I32(_)
                | Operand::I64(_)
                | Operand::U64(_)
                | Operand::F32(_)
                | Operand::F64(_)
                | Operand::Str(_)
                | Operand::Instrumentation(..) => {}
            }
        }
        out
    }
}
