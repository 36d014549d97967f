//! The table against a list of bytes and names that was written down independently of it.
//!
//! Source: `facts/opcodes.md`, the union of public readers and a probe over 5,779 real functions.

use bp_bytecode::table::Role;
use bp_bytecode::{Dialect, Opcode, OperandKind};
use bp_reflect::EngineVersion;

const LIST: [(u8, &str); 101] = [
    (0x00, "EX_LocalVariable"),
    (0x01, "EX_InstanceVariable"),
    (0x02, "EX_DefaultVariable"),
    (0x04, "EX_Return"),
    (0x06, "EX_Jump"),
    (0x07, "EX_JumpIfNot"),
    (0x09, "EX_Assert"),
    (0x0B, "EX_Nothing"),
    (0x0C, "EX_NothingInt32"),
    (0x0F, "EX_Let"),
    (0x11, "EX_BitFieldConst"),
    (0x12, "EX_ClassContext"),
    (0x13, "EX_MetaCast"),
    (0x14, "EX_LetBool"),
    (0x15, "EX_EndParmValue"),
    (0x16, "EX_EndFunctionParms"),
    (0x17, "EX_Self"),
    (0x18, "EX_Skip"),
    (0x19, "EX_Context"),
    (0x1A, "EX_Context_FailSilent"),
    (0x1B, "EX_VirtualFunction"),
    (0x1C, "EX_FinalFunction"),
    (0x1D, "EX_IntConst"),
    (0x1E, "EX_FloatConst"),
    (0x1F, "EX_StringConst"),
    (0x20, "EX_ObjectConst"),
    (0x21, "EX_NameConst"),
    (0x22, "EX_RotationConst"),
    (0x23, "EX_VectorConst"),
    (0x24, "EX_ByteConst"),
    (0x25, "EX_IntZero"),
    (0x26, "EX_IntOne"),
    (0x27, "EX_True"),
    (0x28, "EX_False"),
    (0x29, "EX_TextConst"),
    (0x2A, "EX_NoObject"),
    (0x2B, "EX_TransformConst"),
    (0x2C, "EX_IntConstByte"),
    (0x2D, "EX_NoInterface"),
    (0x2E, "EX_DynamicCast"),
    (0x2F, "EX_StructConst"),
    (0x30, "EX_EndStructConst"),
    (0x31, "EX_SetArray"),
    (0x32, "EX_EndArray"),
    (0x33, "EX_PropertyConst"),
    (0x34, "EX_UnicodeStringConst"),
    (0x35, "EX_Int64Const"),
    (0x36, "EX_UInt64Const"),
    (0x37, "EX_DoubleConst"),
    (0x38, "EX_Cast"),
    (0x39, "EX_SetSet"),
    (0x3A, "EX_EndSet"),
    (0x3B, "EX_SetMap"),
    (0x3C, "EX_EndMap"),
    (0x3D, "EX_SetConst"),
    (0x3E, "EX_EndSetConst"),
    (0x3F, "EX_MapConst"),
    (0x40, "EX_EndMapConst"),
    (0x41, "EX_Vector3fConst"),
    (0x42, "EX_StructMemberContext"),
    (0x43, "EX_LetMulticastDelegate"),
    (0x44, "EX_LetDelegate"),
    (0x45, "EX_LocalVirtualFunction"),
    (0x46, "EX_LocalFinalFunction"),
    (0x48, "EX_LocalOutVariable"),
    (0x4A, "EX_DeprecatedOp4A"),
    (0x4B, "EX_InstanceDelegate"),
    (0x4C, "EX_PushExecutionFlow"),
    (0x4D, "EX_PopExecutionFlow"),
    (0x4E, "EX_ComputedJump"),
    (0x4F, "EX_PopExecutionFlowIfNot"),
    (0x50, "EX_Breakpoint"),
    (0x51, "EX_InterfaceContext"),
    (0x52, "EX_ObjToInterfaceCast"),
    (0x53, "EX_EndOfScript"),
    (0x54, "EX_CrossInterfaceCast"),
    (0x55, "EX_InterfaceToObjCast"),
    (0x5A, "EX_WireTracepoint"),
    (0x5B, "EX_SkipOffsetConst"),
    (0x5C, "EX_AddMulticastDelegate"),
    (0x5D, "EX_ClearMulticastDelegate"),
    (0x5E, "EX_Tracepoint"),
    (0x5F, "EX_LetObj"),
    (0x60, "EX_LetWeakObjPtr"),
    (0x61, "EX_BindDelegate"),
    (0x62, "EX_RemoveMulticastDelegate"),
    (0x63, "EX_CallMulticastDelegate"),
    (0x64, "EX_LetValueOnPersistentFrame"),
    (0x65, "EX_ArrayConst"),
    (0x66, "EX_EndArrayConst"),
    (0x67, "EX_SoftObjectConst"),
    (0x68, "EX_CallMath"),
    (0x69, "EX_SwitchValue"),
    (0x6A, "EX_InstrumentationEvent"),
    (0x6B, "EX_ArrayGetByRef"),
    (0x6C, "EX_ClassSparseDataVariable"),
    (0x6D, "EX_FieldPathConst"),
    (0x70, "EX_AutoRtfmTransact"),
    (0x71, "EX_AutoRtfmStopTransact"),
    (0x72, "EX_AutoRtfmAbortIfNot"),
    (0x73, "EX_AutoRtfmAbort"),
];

#[test]
fn the_table_has_these_bytes_and_names_and_no_others() {
    let table: Vec<(u8, &str)> = Opcode::ALL
        .iter()
        .map(|op| (op.byte(), op.name()))
        .collect();
    assert_eq!(table, LIST);
    for byte in 0..=u8::MAX {
        let listed = LIST.iter().find(|(listed, _)| *listed == byte);
        assert_eq!(
            Opcode::from_byte(byte).map(Opcode::name),
            listed.map(|(_, name)| *name)
        );
    }
}

#[test]
fn names_are_found_with_and_without_prefix_and_case() {
    for (byte, name) in LIST {
        let op = Opcode::from_byte(byte);
        assert_eq!(Opcode::parse(name), op);
        assert_eq!(Opcode::parse(&name[3..].to_lowercase()), op);
    }
    assert_eq!(Opcode::parse("EX_Max"), None);
}

#[test]
fn rows_are_well_formed() {
    for op in Opcode::ALL {
        let row = op.row();
        assert_eq!(row.op, *op);
        let mut kinds = row.operands.iter().peekable();
        while let Some(kind) = kinds.next() {
            match kind {
                // What a derived operand is derived from follows it.
                OperandKind::Count => assert!(
                    matches!(
                        kinds.peek(),
                        Some(OperandKind::List(_) | OperandKind::Pairs(_))
                    ),
                    "{op:?}"
                ),
                OperandKind::InnerSize => assert!(
                    kinds.clone().any(|kind| *kind == OperandKind::Expr),
                    "{op:?}"
                ),
                OperandKind::List(end) | OperandKind::Pairs(end) => {
                    assert_eq!(end.row().role, Role::Terminator, "{op:?}");
                }
                OperandKind::Expr
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
        }
        assert!(row.effect.ends_with('.'), "{op:?}");
    }
}

#[test]
fn every_opcode_exists_in_the_newest_version() {
    let newest = Dialect::new(EngineVersion::new(5, 8));
    assert!(Opcode::ALL.iter().all(|op| op.exists_in(newest)));
}
