//! Listings to read: as the editor's log shows bytecode, and as bytes.
//!
//! The editor's form ([`editor`]) shows one operand a line, nested by two blanks, each expression
//! with its opcode in hexadecimal:
//!
//! ```text
//! [function RequestToggle]:
//!      $46: Local Final Script Function (ExecuteUbergraph_BP_StateDoor)
//!        $1D: literal int32 2593
//!        $16: EX_EndFunctionParms
//!      $4: Return expression
//!        $B: EX_Nothing
//!      $53: EX_EndOfScript
//! ```
//!
//! Source: wording of pushes, pops, computed jumps, local variables, persistent frame stores and their
//! offsets, calls of local final and math functions, int, float, name, struct and offset literals, and returns: editor
//! logs shown in public articles. Where no log was seen, the line is the engine's name of the opcode and
//! its operands as assembly text writes them (assumed).

use std::fmt;

use bp_reflect::link::link_function;
use bp_reflect::{Function, ObjectPath, Property, PropertyType, Registry};

use crate::asm::notes::{declared, function_at};
use crate::{
    CompiledClass, Expr, Opcode, Operand, OperandKind, Package, PropertyRef, Script, Statement,
    Switch, Target, TextLiteral,
};

/// One function as the editor's log shows it.
///
/// The registry gives the sizes of structs, on which the offsets of variables in the persistent frame
/// depend; an offset behind a variable of unknown size is shown as unknown.
pub fn editor(
    package: &Package,
    class: &CompiledClass,
    function: &Function,
    script: &Script,
    registry: &Registry,
) -> String {
    let mut out = Editor {
        package,
        class,
        function,
        registry,
        text: String::new(),
    };
    out.put(format_args!("[function {}]:\n", function.name));
    for statement in &script.statements {
        out.expr(&statement.expr, 0);
    }
    out.text
}

struct Editor<'a> {
    package: &'a Package,
    class: &'a CompiledClass,
    function: &'a Function,
    registry: &'a Registry,
    text: String,
}

impl Editor<'_> {
    fn put(&mut self, what: fmt::Arguments<'_>) {
        fmt::Write::write_fmt(&mut self.text, what).expect("writing to a string does not fail");
    }

    /// A line at a depth of nesting.
    fn line(&mut self, depth: usize, what: fmt::Arguments<'_>) {
        self.put(format_args!("{:width$}{what}\n", "", width = 5 + 2 * depth));
    }

    /// The line of an opcode.
    fn head(&mut self, depth: usize, op: Opcode, what: fmt::Arguments<'_>) {
        self.line(depth, format_args!("${:X}: {what}", op.byte()));
    }

    /// An expression and what is nested in it.
    fn expr(&mut self, expr: &Expr, depth: usize) {
        let op = expr.op;
        let shown = Shown { editor: self, expr }.to_string();
        self.head(depth, op, format_args!("{shown}"));
        if let (Opcode::LetValueOnPersistentFrame, Some(Operand::Property(property))) =
            (op, expr.operands.first())
        {
            let name = property.as_ref().map_or("null", |p| p.name().as_str());
            let offset = property.as_ref().and_then(|p| self.frame_offset(p));
            let offset = offset.map_or_else(|| "unknown".to_owned(), |offset| offset.to_string());
            self.line(
                depth + 1,
                format_args!("Destination variable: {name}, offset: {offset}"),
            );
        }
        let mut labels = labels(op).iter();
        let kinds = op
            .row()
            .operands
            .iter()
            .filter(|kind| !matches!(kind, OperandKind::Count | OperandKind::InnerSize));
        for (operand, kind) in expr.operands.iter().zip(kinds) {
            match operand {
                Operand::Expr(inner) => match labels.next() {
                    Some(label) => {
                        if !label.is_empty() {
                            self.line(depth + 1, format_args!("{label}:"));
                        }
                        self.expr(inner, depth + 2);
                    }
                    None => self.expr(inner, depth + 1),
                },
                Operand::List(list) => {
                    for item in list {
                        self.expr(item, depth + 1);
                    }
                    if let OperandKind::List(end) | OperandKind::Pairs(end) = kind {
                        self.head(depth + 1, *end, format_args!("{}", end.name()));
                    }
                }
                Operand::Text(text) => self.text_parts(text, depth + 1),
                Operand::Switch(switch) => self.switch(switch, depth + 1),
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

    fn text_parts(&mut self, text: &TextLiteral, depth: usize) {
        let parts: &[Expr] = match text {
            TextLiteral::Empty => &[],
            TextLiteral::Localized(parts) => parts,
            TextLiteral::LocalizedWithNotes(parts) => parts,
            TextLiteral::Invariant(inner) | TextLiteral::LiteralString(inner) => {
                std::slice::from_ref(inner)
            }
            TextLiteral::StringTable(_, parts) => parts,
        };
        for part in parts {
            self.expr(part, depth);
        }
    }

    fn switch(&mut self, switch: &Switch, depth: usize) {
        self.line(depth, format_args!("Index:"));
        self.expr(&switch.index, depth + 1);
        for (number, (value, result)) in switch.cases.iter().enumerate() {
            self.line(depth, format_args!("[{number}] Case Index (label: ...):"));
            self.expr(value, depth + 1);
            self.line(depth, format_args!("[{number}] Case Result:"));
            self.expr(result, depth + 1);
        }
        self.line(depth, format_args!("Default result:"));
        self.expr(&switch.default, depth + 1);
    }

    /// Bytes before a variable in its function's frame, as the engine lays it out.
    fn frame_offset(&self, reference: &PropertyRef) -> Option<u32> {
        let function = function_at(self.package, &reference.owner)?;
        let property = declared(self.package, &self.class.class, self.function, reference)?;
        let n_params = function.params.len();
        let index = function
            .params
            .iter()
            .chain(&function.locals)
            .position(|known| std::ptr::eq(known, property))?;
        // Whether the sizes are known matters for what lies before the variable only.
        let before = Function {
            params: function.params[..index.min(n_params)].to_vec(),
            locals: function.locals[..index.saturating_sub(n_params)].to_vec(),
            ..function.clone()
        };
        let engine = self.package.engine;
        let before = link_function(&before, self.registry, engine).ok()?;
        let whole = link_function(function, self.registry, engine).ok()?;
        let slot = whole.native.get(index)?;
        before.native_exact.then_some(slot.offset)
    }

    /// A property where the package, the function or a native class declares it.
    fn property(&self, reference: &PropertyRef) -> Option<&Property> {
        declared(self.package, &self.class.class, self.function, reference).or_else(|| {
            let class = self.registry.class(&reference.owner)?;
            class.property(reference.path.last()?)
        })
    }
}

/// Headings of the nested expressions of some opcodes, in order; the empty heading nests without a
/// line of its own.
fn labels(op: Opcode) -> &'static [&'static str] {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all others are shown without headings"
    )]
    match op {
        Opcode::Let
        | Opcode::LetBool
        | Opcode::LetObj
        | Opcode::LetWeakObjPtr
        | Opcode::LetDelegate
        | Opcode::LetMulticastDelegate => &["Variable", "Expression"],
        Opcode::LetValueOnPersistentFrame => &["Expression"],
        Opcode::Context | Opcode::ContextFailSilent | Opcode::ClassContext => {
            &["ObjectExpression", "ContextExpression"]
        }
        Opcode::ArrayGetByRef => &["ArrayExpression", "IndexExpression"],
        Opcode::JumpIfNot | Opcode::ComputedJump => &[""],
        _ => &[],
    }
}

/// The line of an expression, what is nested in it left out.
struct Shown<'a> {
    editor: &'a Editor<'a>,
    expr: &'a Expr,
}

impl Shown<'_> {
    fn property(&self, index: usize) -> Option<&PropertyRef> {
        if let Some(Operand::Property(property)) = self.expr.operands.get(index) {
            property.as_ref()
        } else {
            None
        }
    }

    fn object_name(&self, index: usize) -> String {
        if let Some(Operand::Object(Some(path))) = self.expr.operands.get(index) {
            path.name().to_owned()
        } else {
            "null".to_owned()
        }
    }

    fn variable(&self, f: &mut fmt::Formatter<'_>, kind: &str) -> fmt::Result {
        let Some(reference) = self.property(0) else {
            return write!(f, "{kind} variable of type null named null");
        };
        write!(f, "{kind} variable of type ")?;
        match self.editor.property(reference) {
            Some(property) => write!(f, "{}", CppType(&property.ty))?,
            None => f.write_str("unknown")?,
        }
        write!(f, " named {}", reference.name())
    }

    /// `Owner::Function` of a call.
    fn qualified(&self, index: usize) -> String {
        let Some(Operand::Object(Some(path))) = self.expr.operands.get(index) else {
            return "null".to_owned();
        };
        match path.outer() {
            Some(owner) => format!("{}::{}", owner.name(), path.name()),
            None => path.name().to_owned(),
        }
    }

    fn target(&self) -> String {
        let target = self.expr.operands.iter().find_map(|operand| {
            if let Operand::Target(Target::Offset(offset)) = operand {
                Some(offset)
            } else {
                None
            }
        });
        target.map_or_else(
            || "unresolved".to_owned(),
            |offset| format!("0x{:X}", offset.0),
        )
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands = &self.expr.operands;
        match (self.expr.op, operands.as_slice()) {
            (Opcode::LocalVariable, _) => self.variable(f, "Local"),
            (Opcode::InstanceVariable, _) => self.variable(f, "Instance"),
            (Opcode::DefaultVariable, _) => self.variable(f, "Default"),
            (Opcode::LocalOutVariable, _) => self.variable(f, "Local out"),
            (Opcode::ClassSparseDataVariable, _) => self.variable(f, "Class sparse data"),
            (Opcode::Return, _) => f.write_str("Return expression"),
            (Opcode::Jump, _) => write!(f, "Jump to offset {}", self.target()),
            (Opcode::JumpIfNot, _) => {
                write!(f, "Jump to offset {} if not expr:", self.target())
            }
            (Opcode::PushExecutionFlow, _) => write!(f, "FlowStack.Push({});", self.target()),
            (Opcode::PopExecutionFlow, _) => f.write_str(
                "if (FlowStack.Num()) { jump to FlowStack.Pop(); } else { ERROR!!! }",
            ),
            (Opcode::PopExecutionFlowIfNot, _) => f.write_str(
                "if (!condition) { if (FlowStack.Num()) { jump to FlowStack.Pop(); } else { ERROR!!! } }",
            ),
            (Opcode::ComputedJump, _) => {
                f.write_str("Computed Jump, offset specified by expression:")
            }
            (Opcode::LetValueOnPersistentFrame, _) => f.write_str("LetValueOnPersistentFrame"),
            (Opcode::LocalFinalFunction, _) => {
                write!(f, "Local Final Script Function ({})", self.object_name(0))
            }
            (Opcode::FinalFunction, _) => {
                write!(f, "Final Function ({})", self.qualified(0))
            }
            (Opcode::CallMath, _) => write!(f, "Call Math ({})", self.qualified(0)),
            (Opcode::VirtualFunction, [Operand::Name(name), ..]) => {
                write!(f, "Virtual Function named {name}")
            }
            (Opcode::LocalVirtualFunction, [Operand::Name(name), ..]) => {
                write!(f, "Local Virtual Script Function named {name}")
            }
            (Opcode::CallMulticastDelegate, _) => {
                write!(f, "CallMulticastDelegate (signature {})", self.qualified(0))
            }
            (Opcode::IntConst, [Operand::I32(value)]) => write!(f, "literal int32 {value}"),
            (Opcode::Int64Const, [Operand::I64(value)]) => write!(f, "literal int64 {value}"),
            (Opcode::UInt64Const, [Operand::U64(value)]) => write!(f, "literal uint64 {value}"),
            (Opcode::ByteConst, [Operand::U8(value)]) => write!(f, "literal byte {value}"),
            (Opcode::FloatConst, [Operand::F32(value)]) => write!(f, "literal float {value:.6}"),
            (Opcode::DoubleConst, [Operand::F64(value)]) => {
                write!(f, "literal double {value:.6}")
            }
            (Opcode::StringConst, [Operand::Str(text)]) => {
                write!(f, "literal ansi string {text:?}")
            }
            (Opcode::UnicodeStringConst, [Operand::Str(text)]) => {
                write!(f, "literal unicode string {text:?}")
            }
            (Opcode::NameConst, [Operand::Name(name)]) => write!(f, "literal name {name}"),
            (Opcode::SkipOffsetConst, _) => {
                write!(f, "literal CodeSkipSizeType {}", self.target())
            }
            (Opcode::StructConst, [_, Operand::I32(size), ..]) => write!(
                f,
                "literal struct {} (serialized size: {size})",
                self.object_name(0)
            ),
            (Opcode::StructMemberContext, _) => {
                let name = self.property(0).map_or("null", |p| p.name().as_str());
                write!(f, "Struct member context (member named {name})")
            }
            (Opcode::SwitchValue, [Operand::Switch(switch)]) => {
                write!(f, "Switch Value {} cases", switch.cases.len())
            }
            (op, operands) => {
                f.write_str(op.name())?;
                for operand in operands {
                    plain(f, operand)?;
                }
                Ok(())
            }
        }
    }
}

/// An operand that is no expression, behind a blank.
fn plain(f: &mut fmt::Formatter<'_>, operand: &Operand) -> fmt::Result {
    match operand {
        Operand::Expr(_) | Operand::List(_) | Operand::Switch(_) => Ok(()),
        Operand::Target(Target::Offset(offset)) => write!(f, " 0x{:X}", offset.0),
        Operand::Target(Target::Label(label)) => write!(f, " label {}", label.0),
        Operand::Property(None) | Operand::Object(None) => f.write_str(" null"),
        Operand::Property(Some(property)) => write!(f, " {}", property.name()),
        Operand::Object(Some(path)) => write!(f, " {}", ObjectPath::name(path)),
        Operand::Name(name) => write!(f, " {name}"),
        Operand::U8(value) => write!(f, " {value}"),
        Operand::U16(value) => write!(f, " {value}"),
        Operand::I32(value) => write!(f, " {value}"),
        Operand::I64(value) => write!(f, " {value}"),
        Operand::U64(value) => write!(f, " {value}"),
        Operand::F32(value) => write!(f, " {value:?}"),
        Operand::F64(value) => write!(f, " {value:?}"),
        Operand::Str(text) => write!(f, " {text:?}"),
        Operand::Text(text) => f.write_str(match &**text {
            TextLiteral::Empty => " empty",
            TextLiteral::Localized(_) => " localized",
            TextLiteral::LocalizedWithNotes(_) => " localized with notes",
            TextLiteral::Invariant(_) => " invariant",
            TextLiteral::LiteralString(_) => " literal string",
            TextLiteral::StringTable(..) => " string table",
        }),
        Operand::Instrumentation(event, None) => write!(f, " {event}"),
        Operand::Instrumentation(event, Some(name)) => write!(f, " {event} {name}"),
    }
}

/// A property type in C++ spelling, as the editor shows it: `AActor*`, `int32`.
struct CppType<'a>(&'a PropertyType);

impl fmt::Display for CppType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A class's prefix is not part of its path: actors have `A`, and only the common ones are
        // told by their names.
        let class = |path: &ObjectPath| {
            let name = path.name();
            let is_actor = ["Actor", "Pawn", "Character", "Controller", "GameMode"]
                .iter()
                .any(|end| name.ends_with(end));
            let prefix = if is_actor { "A" } else { "U" };
            format!("{prefix}{name}")
        };
        match self.0 {
            PropertyType::Bool => f.write_str("bool"),
            PropertyType::Byte(None) => f.write_str("uint8"),
            PropertyType::Byte(Some(path)) => write!(f, "TEnumAsByte<{}>", path.name()),
            PropertyType::Enum(path) => f.write_str(path.name()),
            PropertyType::Int8 => f.write_str("int8"),
            PropertyType::Int16 => f.write_str("int16"),
            PropertyType::UInt16 => f.write_str("uint16"),
            PropertyType::Int => f.write_str("int32"),
            PropertyType::UInt32 => f.write_str("uint32"),
            PropertyType::Int64 => f.write_str("int64"),
            PropertyType::UInt64 => f.write_str("uint64"),
            PropertyType::Float => f.write_str("float"),
            PropertyType::Double => f.write_str("double"),
            PropertyType::Name => f.write_str("FName"),
            PropertyType::Str => f.write_str("FString"),
            PropertyType::Text => f.write_str("FText"),
            PropertyType::Object(path) => write!(f, "{}*", class(path)),
            PropertyType::WeakObject(path) => write!(f, "TWeakObjectPtr<{}>", class(path)),
            PropertyType::SoftObject(path) => write!(f, "TSoftObjectPtr<{}>", class(path)),
            PropertyType::Class(path) => write!(f, "TSubclassOf<{}>", class(path)),
            PropertyType::SoftClass(path) => write!(f, "TSoftClassPtr<{}>", class(path)),
            PropertyType::Interface(path) => write!(f, "TScriptInterface<I{}>", path.name()),
            PropertyType::Struct(path) => write!(f, "F{}", path.name()),
            PropertyType::Array(inner) => write!(f, "TArray<{}>", CppType(inner)),
            PropertyType::Set(inner) => write!(f, "TSet<{}>", CppType(inner)),
            PropertyType::Map(pair) => {
                write!(f, "TMap<{},{}>", CppType(&pair.0), CppType(&pair.1))
            }
            PropertyType::Delegate(_) => f.write_str("FScriptDelegate"),
            PropertyType::MulticastDelegate(_) => f.write_str("FMulticastScriptDelegate"),
            PropertyType::FieldPath => f.write_str("FFieldPath"),
            PropertyType::Wildcard => f.write_str("wildcard"),
        }
    }
}

/// A script's bytes, each statement on lines of its own: its offset in memory, 16 bytes a line, and
/// the opcode's name behind the first line.
///
/// `bytes` are those the statements were decoded from, in either layout. Those from `end` on, where
/// decoding failed ([`DecodeFailure::statement`](crate::DecodeFailure::statement)), are shown as not
/// decoded; for a whole script it is their number.
pub fn hex(bytes: &[u8], statements: &[Statement], end: u32) -> String {
    let mut out = String::new();
    let ends = statements
        .iter()
        .skip(1)
        .map(|statement| statement.stored)
        .chain([end]);
    for (statement, end) in statements.iter().zip(ends) {
        let shown = bytes.get(statement.stored as usize..end as usize);
        hex_lines(
            &mut out,
            shown.unwrap_or_default(),
            &format!("{:06X}", statement.offset.0),
            statement.expr.op.name(),
        );
    }
    let rest = bytes.get(end as usize..).unwrap_or_default();
    hex_lines(&mut out, rest, "??????", "not decoded");
    out
}

fn hex_lines(out: &mut String, bytes: &[u8], head: &str, note: &str) {
    for (index, chunk) in bytes.chunks(16).enumerate() {
        let text: Vec<String> = chunk.iter().map(|byte| format!("{byte:02X}")).collect();
        let text = text.join(" ");
        let written = if index == 0 {
            fmt::Write::write_fmt(out, format_args!("{head}  {text:<47}  {note}\n"))
        } else {
            fmt::Write::write_fmt(out, format_args!("        {text}\n"))
        };
        written.expect("writing to a string does not fail");
    }
}
