//! Scripts whose bytes or sizes are known from real packages.

use bp_bytecode::asm::parse;
use bp_bytecode::encode::{StoredProperty, encode_script};
use bp_bytecode::listing::{editor, hex};
use bp_bytecode::{
    CompiledClass, Dialect, DiskForm, Layout, Package, PropertyRef, ReferenceSink, References,
    decode_script,
};
use bp_reflect::{EngineVersion, Name, ObjectPath, Registry};

fn script<'a>(class: &'a CompiledClass, name: &str) -> &'a [u8] {
    &class
        .function(&Name::new(name))
        .expect("it is there")
        .script
}

fn package(text: &str) -> Package {
    parse(text)
        .unwrap_or_else(|errors| panic!("{}", errors[0]))
        .package
}

/// The tables of the package in `offsets.md`, section 1.
struct Mint;

impl References for Mint {
    fn name(&self, _: u32, _: u32) -> Option<Name> {
        None
    }

    fn object(&self, index: i64) -> Option<Option<ObjectPath>> {
        (index == 5).then(|| Some(ObjectPath::new("/Game/M.M_C:ExecuteUbergraph_M")))
    }

    fn property(&self, stored: &StoredProperty<'_>) -> Option<Option<PropertyRef>> {
        let StoredProperty::Path { names, owner } = stored else {
            return None;
        };
        let owner = match owner {
            Some(2) => "/Game/M.M_C:ExecuteUbergraph_M",
            Some(3) => "/Game/M.M_C:ReceiveTick",
            _ => return None,
        };
        let name = match names.as_ref() {
            [(0xDD, 0)] => "K2Node_Event_DeltaSeconds",
            [(0x31, 0)] => "DeltaSeconds",
            _ => return None,
        };
        Some(Some(PropertyRef::new(owner.into(), name)))
    }
}

impl ReferenceSink for Mint {
    fn name(&mut self, _: &Name) -> Option<(u32, u32)> {
        None
    }

    fn object(&mut self, _: &ObjectPath) -> Option<i64> {
        Some(5)
    }

    fn property(&mut self, property: &PropertyRef) -> Option<StoredProperty<'static>> {
        let is_event = *property.name() == "K2Node_Event_DeltaSeconds";
        let (name, owner) = if is_event { (0xDD, 2) } else { (0x31, 3) };
        Some(StoredProperty::Path {
            names: vec![(name, 0)].into(),
            owner: Some(owner),
        })
    }
}

/// `offsets.md`, section 1: `ReceiveTick` of a 4.27 package, 36 bytes in memory, 48 on disk.
#[test]
fn a_stub_as_it_is_stored() {
    #[rustfmt::skip]
    let stored = [
        0x64, 1, 0, 0, 0, 0xDD, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,
        0x00, 1, 0, 0, 0, 0x31, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0,
        0x46, 5, 0, 0, 0, 0x1D, 0x02, 0x0B, 0, 0, 0x16,
        0x04, 0x0B, 0x53,
    ];
    assert_eq!(stored.len(), 48);
    let dialect = Dialect::new(EngineVersion::new(4, 27));
    let layout = Layout::Disk(DiskForm::FieldPath { has_owner: true });
    let script = decode_script(&stored, dialect, layout, &Mint).expect("the bytes are real");
    assert_eq!(script.memory_size, 36);
    let places: Vec<(u32, u32)> = script
        .statements
        .iter()
        .map(|statement| (statement.offset.0, statement.stored))
        .collect();
    assert_eq!(places, [(0, 0), (18, 34), (33, 45), (35, 47)]);
    let again =
        encode_script(&script.statements, dialect, layout, &mut Mint).expect("it was decoded");
    assert_eq!(again.bytes, stored);
    assert_eq!(again.memory_size, 36);
}

const EXAMPLES: &str = r#"package 5.6
class /Game/X.X_C : /Script/Engine.Actor
  property Flag bool
  property N int

  function Sequence
  code
    PushExecutionFlow(ret)
    PushExecutionFlow(second)
    PopExecutionFlowIfNot(InstanceVariable(Flag@self))
    Let(N@self, InstanceVariable(N@self), IntConst(1))
    PopExecutionFlow
  second:
    CallMath(/Script/Engine.KismetSystemLibrary:PrintString, Self, StringConst("b"), True, True, StructConst(/Script/CoreUObject.LinearColor, 16, FloatConst(0.0), FloatConst(0.66), FloatConst(1.0), FloatConst(1.0)), FloatConst(2.0), NameConst(None))
    PopExecutionFlow
  ret:
    Return(Nothing)
    EndOfScript
  end

  function Branch
  code
    JumpIfNot(ret, InstanceVariable(Flag@self))
    Let(N@self, InstanceVariable(N@self), IntConst(1))
  ret:
    Return(Nothing)
    EndOfScript
  end

  function Event
    param P int
  code
    LetValueOnPersistentFrame(K2Node_CustomEvent_P@self:ExecuteUbergraph_X, LocalVariable(P))
    LocalFinalFunction(self:ExecuteUbergraph_X, IntConst(15))
    Return(Nothing)
    EndOfScript
  end

  function PlainEvent
  code
    LocalFinalFunction(self:ExecuteUbergraph_X, IntConst(15))
    Return(Nothing)
    EndOfScript
  end

  function Ubergraph
    param EntryPoint int
  code
    PushExecutionFlow(ret)
    ComputedJump(LocalVariable(EntryPoint))
  ret:
    Return(Nothing)
    EndOfScript
  end
end
"#;

/// `compiler-and-vm.md`, D.1: worked examples 1 and 2, and the head of an ubergraph.
#[test]
fn sizes_and_offsets_of_the_worked_examples() {
    let package = package(EXAMPLES);
    let class = &package.classes[0];
    let offsets = |name: &str| -> Vec<u32> {
        let bytes = script(class, name);
        let script = decode_script(
            bytes,
            package.dialect(),
            Layout::Memory,
            &package.references,
        )
        .expect("it was encoded");
        let starts = script.statements.iter().map(|found| found.offset.0);
        starts.chain([bytes.len() as u32]).collect()
    };
    assert_eq!(
        offsets("Sequence"),
        [0x00, 0x05, 0x0A, 0x14, 0x2B, 0x2C, 0x70, 0x71, 0x73, 0x74]
    );
    assert_eq!(offsets("Branch"), [0x00, 0x0E, 0x25, 0x27, 0x28]);
    assert_eq!(offsets("Event"), [0x00, 0x12, 0x21, 0x23, 36]);
    assert_eq!(offsets("PlainEvent"), [0x00, 0x0F, 0x11, 18]);
    assert_eq!(offsets("Ubergraph")[..3], [0x00, 0x05, 0x0F]);
    let sequence = script(class, "Sequence");
    assert_eq!(sequence[..10], [0x4C, 0x71, 0, 0, 0, 0x4C, 0x2C, 0, 0, 0]);
}

const DOOR: &str = r"package 5.6
class /Game/BP_StateDoor.BP_StateDoor_C : /Script/Engine.Actor
  function RequestToggle
  code
    LocalFinalFunction(self:ExecuteUbergraph_BP_StateDoor, IntConst(2593))
    Return(Nothing)
    EndOfScript
  end
  function OnAgentWantsToPass
    param Agent object:/Script/Engine.Actor
  code
    LetValueOnPersistentFrame(K2Node_Event_Agent@self:ExecuteUbergraph_BP_StateDoor, LocalVariable(Agent))
  end
  function ExecuteUbergraph_BP_StateDoor
    param EntryPoint int
    local Temp_String_0 string
    local Temp_String_1 string
    local Temp_String_2 string
    local Temp_String_3 string
    local Temp_String_4 string
    local K2Node_Event_Agent object:/Script/Engine.Actor
  code
    PushExecutionFlow(0xA28)
    ComputedJump(LocalVariable(EntryPoint))
    CallMath(/Script/Engine.KismetSystemLibrary:Delay, Self, FloatConst(8.0), StructConst(/Script/Engine.LatentActionInfo, 32, SkipOffsetConst(0x20), IntConst(939469936), NameConst(ExecuteUbergraph_BP_StateDoor), Self))
    PopExecutionFlow
  end
end
";

/// The listings of an editor's log that the project's first document quotes, line by line. The log does
/// not show what lies before `K2Node_Event_Agent` in its frame; strings fill it up to the offset shown.
#[test]
fn listings_read_as_the_editors_log() {
    let package = package(DOOR);
    let class = &package.classes[0];
    let listing = |name: &str| {
        let name = Name::new(name);
        let function = &class.class.functions[&name];
        let script = decode_script(
            script(class, name.as_str()),
            package.dialect(),
            Layout::Memory,
            &package.references,
        )
        .expect("it was encoded");
        editor(&package, class, function, &script, &Registry::new())
    };
    assert_eq!(
        listing("RequestToggle"),
        "\
[function RequestToggle]:
     $46: Local Final Script Function (ExecuteUbergraph_BP_StateDoor)
       $1D: literal int32 2593
       $16: EX_EndFunctionParms
     $4: Return expression
       $B: EX_Nothing
     $53: EX_EndOfScript
"
    );
    assert_eq!(
        listing("OnAgentWantsToPass"),
        "\
[function OnAgentWantsToPass]:
     $64: LetValueOnPersistentFrame
       Destination variable: K2Node_Event_Agent, offset: 88
       Expression:
         $0: Local variable of type AActor* named Agent
"
    );
    assert_eq!(
        listing("ExecuteUbergraph_BP_StateDoor"),
        "\
[function ExecuteUbergraph_BP_StateDoor]:
     $4C: FlowStack.Push(0xA28);
     $4E: Computed Jump, offset specified by expression:
         $0: Local variable of type int32 named EntryPoint
     $68: Call Math (KismetSystemLibrary::Delay)
       $17: EX_Self
       $1E: literal float 8.000000
       $2F: literal struct LatentActionInfo (serialized size: 32)
         $5B: literal CodeSkipSizeType 0x20
         $1D: literal int32 939469936
         $21: literal name ExecuteUbergraph_BP_StateDoor
         $17: EX_Self
         $30: EX_EndStructConst
       $16: EX_EndFunctionParms
     $4D: if (FlowStack.Num()) { jump to FlowStack.Pop(); } else { ERROR!!! }
"
    );
}

#[test]
fn hex_groups_bytes_by_statement() {
    let package = package(EXAMPLES);
    let bytes = script(&package.classes[0], "Branch");
    let read = |bytes: &[u8]| {
        decode_script(
            bytes,
            package.dialect(),
            Layout::Memory,
            &package.references,
        )
    };
    let whole = read(bytes).expect("it was encoded");
    assert_eq!(
        hex(bytes, &whole.statements, bytes.len() as u32),
        "\
000000  07 25 00 00 00 01 01 00 00 00 00 00 00 00        EX_JumpIfNot
00000E  0F 02 00 00 00 00 00 00 00 01 02 00 00 00 00 00  EX_Let
        00 00 1D 01 00 00 00
000025  04 0B                                            EX_Return
000027  53                                               EX_EndOfScript
"
    );
    let failure = read(&bytes[..20]).expect_err("the end is missing");
    assert_eq!(
        hex(&bytes[..20], &failure.statements, failure.statement),
        "\
000000  07 25 00 00 00 01 01 00 00 00 00 00 00 00        EX_JumpIfNot
??????  0F 02 00 00 00 00                                not decoded
"
    );
}
