//! The single list of opcodes.
//!
//! A row gives an opcode's byte, its engine name (`EX_` left out), its operands in byte order, the
//! engine version that has it first, and its effect in one sentence. Sizes, codec, assembly text,
//! listings, operand visits and the structural half of the verifier are computed from the rows.
//!
//! Source: `facts/opcodes.md` of the project's research: two independent public readers and a probe
//! over 5,779 real functions agree on every layout that occurs.

use serde::{Deserialize, Serialize};

use crate::dialect::Dialect;
use bp_reflect::EngineVersion;

/// How an operand is stored, and what it is.
///
/// Sizes are in-memory bytes; the disk layout stores references in other widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OperandKind {
    /// One nested expression.
    Expr,
    /// Expressions up to the terminator.
    List(Opcode),
    /// Key and value expressions in turn, up to the terminator.
    Pairs(Opcode),
    /// `i32`: number of elements (of pairs, for a `Pairs` list) of the list operand that follows.
    /// Derived, not stored in the tree.
    Count,
    /// `u32`: size in memory of the row's last expression. Derived, not stored in the tree.
    InnerSize,
    /// `u32`: a place in the same script, from its start, in in-memory bytes.
    Target,
    /// A property, 8 bytes; may be null.
    Property,
    /// A class, struct, function or other object, 8 bytes; may be null.
    Object,
    /// A name, 12 bytes.
    Name,
    /// One byte.
    U8,
    /// A cast kind (`ECastToken`), one byte whose meaning the dialect decides.
    CastKind,
    /// Two bytes.
    U16,
    /// Four bytes, signed.
    I32,
    /// Eight bytes, signed.
    I64,
    /// Eight bytes, unsigned.
    U64,
    /// A float.
    F32,
    /// A double.
    F64,
    /// A double where the dialect has large world coordinates, else a float.
    Real,
    /// Bytes up to a zero byte.
    AnsiString,
    /// UTF-16 units up to a zero unit.
    WideString,
    /// A text literal: its kind byte and what the kind asks for.
    Text,
    /// `EX_SwitchValue`'s body: `u16` number of cases, `u32` end, index, per case value, `u32` next,
    /// result; then the default.
    Switch,
    /// `EScriptInstrumentation` byte, followed by a name for kind 4 (inline event).
    Instrumentation,
}

/// Where an expression may stand and what it gives, as far as the opcode alone decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Only as a statement.
    Statement,
    /// Gives a place that can be read and, where it is not constant, written.
    Place,
    /// Gives a value only.
    Value,
    /// A call: a statement, a value if the callee returns one.
    Call,
    /// Reaches into another expression: a place if the inner one is, a statement if the inner one is
    /// a call.
    Through,
    /// Closes a list; never an expression of its own.
    Terminator,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The opcode.
    pub op: Opcode,
    /// The variant's name with `EX_`; see [`Opcode::name`] for the engine's.
    pub name: &'static str,
    /// Operands in byte order.
    pub operands: &'static [OperandKind],
    /// Where it may stand and what it gives.
    pub role: Role,
    /// First engine version that has it.
    pub since: EngineVersion,
    /// What executing it does.
    pub effect: &'static str,
}

macro_rules! opcodes {
    ($($value:literal $op:ident [$($kind:expr),*] $role:ident $since:literal $effect:literal;)*) => {
        /// An `EExprToken`.
        #[expect(clippy::doc_markdown, reason = "the effects name opcodes and are also shown as plain text")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Opcode { $(#[doc = $effect] $op = $value,)* }

        impl Opcode {
            /// Every opcode, by value.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$op,)*];

            /// The opcode's row.
            pub fn row(self) -> &'static Row {
                use OperandKind::*;
                match self {
                    $(Opcode::$op => {
                        const ROW: Row = Row {
                            op: Opcode::$op,
                            name: concat!("EX_", stringify!($op)),
                            operands: &[$($kind),*],
                            role: Role::$role,
                            since: version($since),
                            effect: $effect,
                        };
                        &ROW
                    })*
                }
            }

            /// The opcode with this byte.
            pub fn from_byte(byte: u8) -> Option<Opcode> {
                match byte {
                    $($value => Some(Opcode::$op),)*
                    _ => None,
                }
            }
        }
    };
}

const fn version(times_100: u16) -> EngineVersion {
    EngineVersion::new((times_100 / 100) as u8, (times_100 % 100) as u8)
}

// value  name  [operands]  role  since (major*100+minor; 400 = before all supported)  effect
opcodes! {
    0x00 LocalVariable [Property] Place 400 "The local variable or by-value parameter of the running function.";
    0x01 InstanceVariable [Property] Place 400 "The member variable of the current object.";
    0x02 DefaultVariable [Property] Place 400 "The member variable of the current object's class default object.";
    0x04 Return [Expr] Statement 400 "Leaves the function with the value, or none if it is `Nothing`.";
    0x06 Jump [Target] Statement 400 "Continues at the target.";
    0x07 JumpIfNot [Target, Expr] Statement 400 "Continues at the target unless the condition is true.";
    0x09 Assert [U16, U8, Expr] Statement 400 "Reports line and kind unless the condition is true.";
    0x0B Nothing [] Statement 400 "Does nothing; as an operand, no value.";
    0x0C NothingInt32 [I32] Statement 500 "Does nothing and carries a number.";
    0x0F Let [Property, Expr, Expr] Statement 400 "Stores the second expression's value in the first's place. The property is the place's, or null when the value is a cast.";
    0x11 BitFieldConst [Property, U8] Value 500 "One bit of a bit field in a struct literal.";
    0x12 ClassContext [Expr, InnerSize, Property, Expr] Through 400 "Evaluates the last expression on the default object of a class.";
    0x13 MetaCast [Object, Expr] Value 400 "The class value if it is the class or a child of it, else null.";
    0x14 LetBool [Expr, Expr] Statement 400 "Stores a bool.";
    0x15 EndParmValue [] Terminator 400 "Ends an optional parameter's default.";
    0x16 EndFunctionParms [] Terminator 400 "Ends an argument list.";
    0x17 Self_ [] Value 400 "The current object.";
    0x18 Skip [InnerSize, Expr] Through 400 "An expression that can be skipped.";
    0x19 Context [Expr, InnerSize, Property, Expr] Through 400 "Evaluates the last expression on the object; if that is null, warns, skips it and zeroes what would receive its value.";
    0x1A ContextFailSilent [Expr, InnerSize, Property, Expr] Through 400 "As Context, without the warning.";
    0x1B VirtualFunction [Name, List(Opcode::EndFunctionParms)] Call 400 "Calls the function of that name on the current object.";
    0x1C FinalFunction [Object, List(Opcode::EndFunctionParms)] Call 400 "Calls the function.";
    0x1D IntConst [I32] Value 400 "An int.";
    0x1E FloatConst [F32] Value 400 "A float.";
    0x1F StringConst [AnsiString] Value 400 "A string of ASCII characters.";
    0x20 ObjectConst [Object] Value 400 "An object or class.";
    0x21 NameConst [Name] Value 400 "A name.";
    0x22 RotationConst [Real, Real, Real] Value 400 "A rotator: pitch, yaw, roll in degrees.";
    0x23 VectorConst [Real, Real, Real] Value 400 "A vector: x, y, z.";
    0x24 ByteConst [U8] Value 400 "A byte or an enum's value.";
    0x25 IntZero [] Value 400 "The int 0.";
    0x26 IntOne [] Value 400 "The int 1.";
    0x27 True [] Value 400 "The bool true.";
    0x28 False [] Value 400 "The bool false.";
    0x29 TextConst [Text] Value 400 "A text.";
    0x2A NoObject [] Value 400 "The null object.";
    0x2B TransformConst [Real, Real, Real, Real, Real, Real, Real, Real, Real, Real] Value 400 "A transform: rotation quaternion x, y, z, w; translation; scale.";
    0x2C IntConstByte [U8] Value 400 "An int from 0 to 255.";
    0x2D NoInterface [] Value 400 "The null interface.";
    0x2E DynamicCast [Object, Expr] Value 400 "The object if it is of the class, else null.";
    0x2F StructConst [Object, I32, List(Opcode::EndStructConst)] Value 400 "A struct: its type, its size in the engine, one expression a member.";
    0x30 EndStructConst [] Terminator 400 "Ends a struct literal.";
    0x31 SetArray [Expr, List(Opcode::EndArray)] Statement 400 "Empties the array and fills it with the elements.";
    0x32 EndArray [] Terminator 400 "Ends the elements of SetArray.";
    0x33 PropertyConst [Property] Value 425 "A property.";
    0x34 UnicodeStringConst [WideString] Value 400 "A string.";
    0x35 Int64Const [I64] Value 400 "An int64.";
    0x36 UInt64Const [U64] Value 400 "A uint64.";
    0x37 DoubleConst [F64] Value 500 "A double.";
    0x38 Cast [CastKind, Expr] Value 400 "Converts the value as the cast kind says.";
    0x39 SetSet [Expr, Count, List(Opcode::EndSet)] Statement 415 "Empties the set and fills it with the elements.";
    0x3A EndSet [] Terminator 415 "Ends the elements of SetSet.";
    0x3B SetMap [Expr, Count, Pairs(Opcode::EndMap)] Statement 415 "Empties the map and fills it with the pairs.";
    0x3C EndMap [] Terminator 415 "Ends the pairs of SetMap.";
    0x3D SetConst [Property, Count, List(Opcode::EndSetConst)] Value 416 "A set of the element property's type.";
    0x3E EndSetConst [] Terminator 416 "Ends a set literal.";
    0x3F MapConst [Property, Property, Count, Pairs(Opcode::EndMapConst)] Value 416 "A map of the key and value properties' types.";
    0x40 EndMapConst [] Terminator 416 "Ends a map literal.";
    0x41 Vector3fConst [F32, F32, F32] Value 500 "A vector of floats.";
    0x42 StructMemberContext [Property, Expr] Place 400 "The member of the struct.";
    0x43 LetMulticastDelegate [Expr, Expr] Statement 400 "Stores a multicast delegate.";
    0x44 LetDelegate [Expr, Expr] Statement 400 "Stores a delegate.";
    0x45 LocalVirtualFunction [Name, List(Opcode::EndFunctionParms)] Call 419 "As VirtualFunction, for a script function that always runs here.";
    0x46 LocalFinalFunction [Object, List(Opcode::EndFunctionParms)] Call 419 "As FinalFunction, for a script function that always runs here.";
    0x48 LocalOutVariable [Property] Place 400 "The caller's place that is bound to the out parameter.";
    0x4A DeprecatedOp4A [] Statement 400 "Does nothing.";
    0x4B InstanceDelegate [Name] Value 400 "A delegate to the function of that name on the current object.";
    0x4C PushExecutionFlow [Target] Statement 400 "Pushes the target on the flow stack.";
    0x4D PopExecutionFlow [] Statement 400 "Pops the flow stack and continues there.";
    0x4E ComputedJump [Expr] Statement 400 "Continues at the offset the expression gives.";
    0x4F PopExecutionFlowIfNot [Expr] Statement 400 "As PopExecutionFlow, unless the condition is true.";
    0x50 Breakpoint [] Statement 400 "Stops in a debugger.";
    0x51 InterfaceContext [Expr] Value 400 "The object behind the interface.";
    0x52 ObjToInterfaceCast [Object, Expr] Value 400 "The object's interface if it implements it, else null.";
    0x53 EndOfScript [] Statement 400 "Marks the end; reaching it is an error.";
    0x54 CrossInterfaceCast [Object, Expr] Value 400 "Another interface of the object behind the interface, or null.";
    0x55 InterfaceToObjCast [Object, Expr] Value 400 "The object behind the interface if it is of the class, else null.";
    0x5A WireTracepoint [] Statement 400 "An exec wire is left; the debugger's site.";
    0x5B SkipOffsetConst [Target] Value 400 "A place in the script as an int: where a latent action resumes.";
    0x5C AddMulticastDelegate [Expr, Expr] Statement 400 "Binds the second delegate to the first, once.";
    0x5D ClearMulticastDelegate [Expr] Statement 400 "Unbinds everything.";
    0x5E Tracepoint [] Statement 400 "A node is entered; the debugger's site.";
    0x5F LetObj [Expr, Expr] Statement 400 "Stores an object reference.";
    0x60 LetWeakObjPtr [Expr, Expr] Statement 400 "Stores a weak object reference.";
    0x61 BindDelegate [Name, Expr, Expr] Statement 400 "Makes the delegate call the function of that name on the object.";
    0x62 RemoveMulticastDelegate [Expr, Expr] Statement 400 "Unbinds the second delegate from the first.";
    0x63 CallMulticastDelegate [Object, Expr, List(Opcode::EndFunctionParms)] Statement 400 "Calls everything bound to the delegate; the object is the signature.";
    0x64 LetValueOnPersistentFrame [Property, Expr] Statement 400 "Stores the value in the ubergraph's persistent frame.";
    0x65 ArrayConst [Property, Count, List(Opcode::EndArrayConst)] Value 400 "An array of the element property's type.";
    0x66 EndArrayConst [] Terminator 400 "Ends an array literal.";
    0x67 SoftObjectConst [Expr] Value 400 "A soft reference to the object whose path the string gives.";
    0x68 CallMath [Object, List(Opcode::EndFunctionParms)] Call 400 "Calls a static native function on its class's default object.";
    0x69 SwitchValue [Switch] Place 400 "The result of the first case whose value equals the index, else the default.";
    0x6A InstrumentationEvent [Instrumentation] Statement 400 "A profiler's site.";
    0x6B ArrayGetByRef [Expr, Expr] Place 400 "The element of the array at the index.";
    0x6C ClassSparseDataVariable [Property] Place 424 "The variable of the class's sparse data.";
    0x6D FieldPathConst [Expr] Value 425 "A field path from its text.";
    0x70 AutoRtfmTransact [I32, Target, List(Opcode::AutoRtfmStopTransact), I32, U8] Statement 503 "Runs the statements as one transaction; continues at the target when it is aborted.";
    0x71 AutoRtfmStopTransact [] Terminator 503 "Ends a transaction. Its number and mode are the last two operands of the AutoRtfmTransact it closes.";
    0x72 AutoRtfmAbortIfNot [Expr] Statement 503 "Aborts the transaction unless the condition is true.";
    0x73 AutoRtfmAbort [] Statement 506 "Aborts the transaction.";
}

impl Opcode {
    /// Its byte.
    pub fn byte(self) -> u8 {
        self as u8
    }

    /// Its engine name with `EX_`: `EX_LetBool`, `EX_Self`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a new opcode is named by its row"
    )]
    pub fn name(self) -> &'static str {
        match self {
            // The two names that Rust's naming does not allow.
            Self::Self_ => "EX_Self",
            Self::ContextFailSilent => "EX_Context_FailSilent",
            _ => self.row().name,
        }
    }

    /// The opcode of that name, with or without `EX_`, compared without case.
    pub fn parse(text: &str) -> Option<Opcode> {
        let short = |name: &str| name.get(3..).unwrap_or_default().to_owned();
        Opcode::ALL.iter().copied().find(|op| {
            op.name().eq_ignore_ascii_case(text) || short(op.name()).eq_ignore_ascii_case(text)
        })
    }

    /// Whether the dialect's engine knows it.
    pub fn exists_in(self, dialect: Dialect) -> bool {
        self.row().since <= dialect.engine
    }
}
