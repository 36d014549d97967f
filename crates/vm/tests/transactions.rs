//! Transactions: what aborts leaves nothing behind, what commits leaves what it would have left without.

mod common;

use std::cell::Cell;
use std::rc::Rc;

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{Name, Value, declarations};
use bp_vm::{
    FaultKind, HeapUsage, LimitKind, Limits, Native, Natives, ObjectHandle, Recorder, Run,
    RunError, World,
};
use common::expanded;
use pretty_assertions::assert_eq;

/// Things that a script may change, each in other parts of the world. `Pre` has run before.
const CHANGES: &[(&str, &str)] = &[
    ("number", "Let(I@self, InstanceVariable(I@self), IntConst(7))"),
    (
        "string",
        "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(300)))
Let(S@self, InstanceVariable(S@self), StringConst(\"\"))
Let(S@self, InstanceVariable(S@self), $string(LeftPad, StringConst(\"new\"), IntConst(20)))",
    ),
    (
        "array",
        "$array(Array_Add, InstanceVariable(Ints@self), IntConst(4))
$array(Array_Insert, InstanceVariable(Ints@self), IntConst(5), IntConst(1))
$array(Array_Remove, InstanceVariable(Ints@self), IntConst(0))
$array(Array_Swap, InstanceVariable(Ints@self), IntConst(0), IntConst(2))
$array(Array_Append, InstanceVariable(Ints@self), InstanceVariable(Ints@self))
$array(Array_RemoveItem, InstanceVariable(Ints@self), IntConst(3))
$array(Array_Resize, InstanceVariable(Ints@self), IntConst(3))
$array(Array_Resize, InstanceVariable(Ints@self), IntConst(9))
$array(Array_Set, InstanceVariable(Ints@self), IntConst(1), IntConst(77), False)
Let(null, ArrayGetByRef(InstanceVariable(Ints@self), IntConst(2)), IntConst(8))
$array(SortIntArray, InstanceVariable(Ints@self), True, ByteConst(1))",
    ),
    ("cleared array", "$array(Array_Clear, InstanceVariable(Words@self))"),
    (
        "array of strings",
        "$array(Array_Reverse, InstanceVariable(Words@self))
$array(Array_Add, InstanceVariable(Words@self), InstanceVariable(S@self))
$array(Array_Remove, InstanceVariable(Words@self), IntConst(0))
$array(Array_Shuffle, InstanceVariable(Words@self))",
    ),
    ("copied array", "Let(More@self, InstanceVariable(More@self), InstanceVariable(Ints@self))"),
    (
        "set",
        "$set(Set_Remove, InstanceVariable(Bag@self), IntConst(2))
$set(Set_Add, InstanceVariable(Bag@self), IntConst(9))
$set(Set_Add, InstanceVariable(Bag@self), IntConst(10))
$set(Set_Remove, InstanceVariable(Bag@self), IntConst(9))
$set(Set_Remove, InstanceVariable(Bag@self), IntConst(1))",
    ),
    ("cleared set", "$set(Set_Clear, InstanceVariable(Bag@self))"),
    (
        "map",
        "$map(Map_Add, InstanceVariable(Ages@self), StringConst(\"a\"), StringConst(\"other\"))
$map(Map_Remove, InstanceVariable(Ages@self), StringConst(\"b\"))
$map(Map_Add, InstanceVariable(Ages@self), StringConst(\"c\"), InstanceVariable(S@self))
$map(Map_Add, InstanceVariable(Ages@self), StringConst(\"d\"), StringConst(\"last\"))",
    ),
    (
        "object",
        "LetObj(InstanceVariable(Thing@self), CallMath(/Script/Engine.GameplayStatics:SpawnObject, ObjectConst(/Game/BP_Part.BP_Part_C), Self))
Context(InstanceVariable(Thing@self), null, LocalVirtualFunction(Fill))",
    ),
    (
        "actor",
        "LetObj(InstanceVariable(Thing@self), CallMath(/Script/Engine.GameplayStatics:BeginDeferredActorSpawnFromClass, Self, ObjectConst(/Game/BP_Test.BP_Test_C), $math(MakeTransform, VectorConst(1,2,3), RotationConst(0,0,0), VectorConst(1,1,1)), ByteConst(0), NoObject, ByteConst(0)))
LetObj(InstanceVariable(Thing@self), CallMath(/Script/Engine.GameplayStatics:FinishSpawningActor, InstanceVariable(Thing@self), $math(MakeTransform, VectorConst(1,2,3), RotationConst(0,0,0), VectorConst(1,1,1)), ByteConst(0)))",
    ),
    ("destroyed", "Context(InstanceVariable(Victim@self), null, FinalFunction(/Script/Engine.Actor:K2_DestroyActor))"),
    (
        "delegate",
        "AddMulticastDelegate(InstanceVariable(M@self), InstanceDelegate(Fill))
RemoveMulticastDelegate(InstanceVariable(M@self), InstanceDelegate(Ready))
BindDelegate(Fill, InstanceVariable(D@self), Self)",
    ),
    ("cleared delegate", "ClearMulticastDelegate(InstanceVariable(M@self))"),
    (
        "latent",
        "CallMath(/Script/Engine.KismetSystemLibrary:Delay, Self, FloatConst(1), StructConst(/Script/Engine.LatentActionInfo, 32, IntConst(-1), IntConst(21), NameConst(None), Self))
CallMath(/Script/Engine.KismetSystemLibrary:RetriggerableDelay, Self, FloatConst(9), StructConst(/Script/Engine.LatentActionInfo, 32, IntConst(-1), IntConst(20), NameConst(None), Self))",
    ),
    (
        "timers",
        "CallMath(/Script/Engine.KismetSystemLibrary:K2_ClearTimer, Self, StringConst(\"Ready\"))
CallMath(/Script/Engine.KismetSystemLibrary:K2_PauseTimer, Self, StringConst(\"Fill\"))
CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimer, Self, StringConst(\"Fill2\"), FloatConst(2), True, False, FloatConst(0), FloatConst(0))
CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimerForNextTick, Self, StringConst(\"Fill\"))",
    ),
    (
        "saved games",
        "Let(Score@/Game/BP_Save.BP_Save_C, Context(InstanceVariable(Game@self), Score@/Game/BP_Save.BP_Save_C, InstanceVariable(Score@/Game/BP_Save.BP_Save_C)), IntConst(3))
CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, InstanceVariable(Game@self), StringConst(\"one\"), IntConst(0))
CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, InstanceVariable(Game@self), StringConst(\"two\"), IntConst(0))
CallMath(/Script/Engine.GameplayStatics:DeleteGameInSlot, StringConst(\"gone\"), IntConst(0))",
    ),
    (
        "world",
        "CallMath(/Script/Engine.GameplayStatics:SetGlobalTimeDilation, Self, FloatConst(3))
CallMath(/Script/Engine.GameplayStatics:SetGamePaused, Self, True)
Let(I@self, InstanceVariable(I@self), $math(RandomInteger, IntConst(1000000)))
FinalFunction(/Script/Engine.Actor:SetLifeSpan, FloatConst(5))
FinalFunction(/Script/Engine.Actor:SetActorTickEnabled, False)
FinalFunction(/Script/Engine.Actor:SetActorScale3D, VectorConst(5,6,7))",
    ),
    (
        "calls",
        "LocalVirtualFunction(Fill)
CallMulticastDelegate(self:Hit__DelegateSignature, InstanceVariable(M@self))",
    ),
];

/// `Plain` makes the change, `Try` makes it in a transaction that commits or aborts; `Inner` is one inside of
/// the transaction of `Outer`.
fn class(change: &str) -> String {
    let change = change.replace('\n', "\n    ");
    expanded(&format!(
        "package 5.8
class /Game/BP_Part.BP_Part_C : /Script/CoreUObject.Object
  kind blueprint
  property S string
  property Ints array<int>
  function Fill flags public|blueprint_callable
  code
    Let(S@self, InstanceVariable(S@self), StringConst(\"filled\"))
    SetArray(InstanceVariable(Ints@self), IntConst(1), IntConst(2))
    Return(Nothing)
    EndOfScript
  end
end
class /Game/BP_Save.BP_Save_C : /Script/Engine.SaveGame
  kind blueprint
  property Score int
end
class /Game/BP_Test.BP_Test_C : /Script/Engine.Actor
  kind blueprint
  property Ints array<int>
  property More array<int>
  property Bag set<int>
  property Ages map<string,string>
  property S string
  property Words array<string>
  property I int
  property N int
  property Thing object:/Script/CoreUObject.Object
  property Victim object:/Script/CoreUObject.Object
  property Game object:/Game/BP_Save.BP_Save_C
  property D delegate:/Game/BP_Test.BP_Test_C:Hit__DelegateSignature
  property M multicast_delegate:/Game/BP_Test.BP_Test_C:Hit__DelegateSignature flags blueprint_assignable

  delegate Hit__DelegateSignature flags public|delegate|multicast_delegate
  end

  function Pre flags public|blueprint_callable
  code
    Let(S@self, InstanceVariable(S@self), StringConst(\"old\"))
    SetArray(InstanceVariable(Ints@self), IntConst(3), IntConst(1), IntConst(2))
    SetArray(InstanceVariable(Words@self), StringConst(\"x\"), StringConst(\"y\"))
    SetSet(InstanceVariable(Bag@self), IntConst(1), IntConst(2), IntConst(3))
    SetMap(InstanceVariable(Ages@self), StringConst(\"a\") => StringConst(\"one\"), StringConst(\"b\") => StringConst(\"two\"))
    $set(Set_Remove, InstanceVariable(Bag@self), IntConst(1))
    AddMulticastDelegate(InstanceVariable(M@self), InstanceDelegate(Ready))
    LetObj(InstanceVariable(Victim@self), CallMath(/Script/Engine.GameplayStatics:BeginDeferredActorSpawnFromClass, Self, ObjectConst(/Game/BP_Test.BP_Test_C), $math(MakeTransform, VectorConst(1,2,3), RotationConst(0,0,0), VectorConst(1,1,1)), ByteConst(0), NoObject, ByteConst(0)))
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimer, Self, StringConst(\"Ready\"), FloatConst(2), True, False, FloatConst(0), FloatConst(0))
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimer, InstanceVariable(Victim@self), StringConst(\"Ready\"), FloatConst(2), True, False, FloatConst(0), FloatConst(0))
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimer, Self, StringConst(\"Fill\"), FloatConst(2), True, False, FloatConst(0), FloatConst(0))
    CallMath(/Script/Engine.KismetSystemLibrary:Delay, Self, FloatConst(5), StructConst(/Script/Engine.LatentActionInfo, 32, IntConst(-1), IntConst(20), NameConst(None), Self))
    CallMath(/Script/Engine.KismetSystemLibrary:Delay, Self, FloatConst(5), StructConst(/Script/Engine.LatentActionInfo, 32, IntConst(-1), IntConst(22), NameConst(None), InstanceVariable(Victim@self)))
    LetObj(InstanceVariable(Game@self), DynamicCast(/Game/BP_Save.BP_Save_C, CallMath(/Script/Engine.GameplayStatics:CreateSaveGameObject, ObjectConst(/Game/BP_Save.BP_Save_C))))
    CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, InstanceVariable(Game@self), StringConst(\"gone\"), IntConst(0))
    CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, InstanceVariable(Game@self), StringConst(\"one\"), IntConst(0))
    Return(Nothing)
    EndOfScript
  end
  function Fill flags public|blueprint_callable
  code
    Let(Words@self, InstanceVariable(Words@self), $string(ParseIntoArray, StringConst(\"a b c\"), StringConst(\" \"), True))
    Return(Nothing)
    EndOfScript
  end
  function Ready flags public|blueprint_callable
  code
    Let(N@self, InstanceVariable(N@self), $math(Add_IntInt, InstanceVariable(N@self), IntConst(1)))
    Return(Nothing)
    EndOfScript
  end
  function Plain flags public|blueprint_callable
  code
    {change}
    Return(Nothing)
    EndOfScript
  end
  function Try flags public|blueprint_callable
    param Good bool flags parm
    local Text string
    local List array<int>
    param Kept string flags parm|out_parm
  code
    Let(Text, LocalVariable(Text), StringConst(\"before\"))
    Let(Kept, LocalOutVariable(Kept), LocalVariable(Text))
    AutoRtfmTransact(1, Aborted, [Let(Text, LocalVariable(Text), StringConst(\"inside\")), SetArray(LocalVariable(List), IntConst(1)), Let(Kept, LocalOutVariable(Kept), LocalVariable(Text)), LocalVirtualFunction(Plain), AutoRtfmAbortIfNot(LocalVariable(Good))], 1, 0)
  Aborted:
    Return(Nothing)
    EndOfScript
  end
  function Inner flags public|blueprint_callable
    param Good bool flags parm
  code
    AutoRtfmTransact(2, Aborted, [LocalVirtualFunction(Plain), AutoRtfmAbortIfNot(LocalVariable(Good))], 2, 0)
  Aborted:
    Return(Nothing)
    EndOfScript
  end
  function Outer flags public|blueprint_callable
    param Good bool flags parm
    param InnerGood bool flags parm
  code
    AutoRtfmTransact(1, Aborted, [LocalVirtualFunction(Inner, LocalVariable(InnerGood)), AutoRtfmAbortIfNot(LocalVariable(Good))], 1, 0)
  Aborted:
    Return(Nothing)
    EndOfScript
  end
end
"
    ))
}

fn world_of(text: &str, limits: Limits, natives: Natives) -> (World, ObjectHandle, Recorder) {
    let package = asm::parse(text)
        .unwrap_or_else(|errors| panic!("{errors:?}"))
        .package;
    let class = package.classes.last().expect("a class").class.path.clone();
    let registry = declarations::embedded(package.engine);
    let package = verify(package, &registry).unwrap_or_else(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    });
    let recorder = Recorder::new();
    let host = Box::new(recorder.clone());
    let mut world = World::new(vec![package], registry, natives, host, limits).expect("it fits");
    let object = world.spawn(&class).expect("the class can be spawned");
    (world, object, recorder)
}

fn prepared(text: &str) -> (World, ObjectHandle) {
    let (mut world, object, _) = world_of(text, Limits::default(), Natives::standard());
    call(&mut world, object, "Pre", &[]).expect("it runs");
    // Names stay once they are known, and calls from outside make them known.
    for name in ["Plain", "Try", "Inner", "Outer"] {
        let refused = call(&mut world, object, name, &[("Nothing", true)]);
        assert!(matches!(refused, Err(RunError::NoParameter { .. })));
    }
    (world, object)
}

fn call(
    world: &mut World,
    object: ObjectHandle,
    name: &str,
    flags: &[(&str, bool)],
) -> Run<Vec<(Name, Value)>> {
    let arguments: Vec<_> = flags
        .iter()
        .map(|(name, value)| (Name::new(*name), Value::Bool(*value)))
        .collect();
    world.call(object, &Name::new(name), &arguments)
}

/// What a script can tell of a world; where things lie in memory is not part of it.
fn seen(world: &World) -> (Vec<String>, HeapUsage, u64) {
    let mut lines = Vec::new();
    for actor in world.actors() {
        lines.push(format!("{} {}", world.name(actor), world.is_alive(actor)));
        let variables = world.variables(actor).into_iter();
        lines.extend(variables.map(|(name, value)| format!("  {name} = {value}")));
    }
    (lines, world.heap_usage(), world.memory().used)
}

/// Calls that leave the world as it was: first to make the names that stay, then to compare.
fn leaves_nothing(name: &str, text: &str, function: &str, flags: &[(&str, bool)]) {
    let (mut world, object) = prepared(text);
    call(&mut world, object, function, flags).expect("it runs");
    let (saved, before) = (world.save(), seen(&world));
    call(&mut world, object, function, flags).expect("it runs");
    assert_eq!(seen(&world), before, "{name}");
    assert!(world.save() == saved, "{name}: {function} left something");
    // What is there still works.
    world.tick(3.0).expect("it runs");
    call(&mut world, object, "Plain", &[]).expect("it runs");
    assert_eq!(world.close(), HeapUsage::default(), "{name} leaks");
}

/// Calls that leave what `Plain` leaves.
fn leaves_the_same(name: &str, text: &str, function: &str, flags: &[(&str, bool)]) {
    let (mut plain, object) = prepared(text);
    call(&mut plain, object, "Plain", &[]).expect("it runs");
    let (mut world, object) = prepared(text);
    call(&mut world, object, function, flags).expect("it runs");
    assert_eq!(seen(&world), seen(&plain), "{name}");
    for world in [&mut plain, &mut world] {
        world.tick(2.5).expect("it runs");
    }
    assert_eq!(seen(&world), seen(&plain), "{name}, later");
    assert_eq!(world.close(), HeapUsage::default(), "{name} leaks");
}

#[test]
fn what_aborts_leaves_nothing() {
    for (name, change) in CHANGES {
        let text = class(change);
        leaves_nothing(name, &text, "Inner", &[("Good", false)]);
        leaves_nothing(
            name,
            &text,
            "Outer",
            &[("Good", false), ("InnerGood", true)],
        );
        leaves_nothing(
            name,
            &text,
            "Outer",
            &[("Good", false), ("InnerGood", false)],
        );
        leaves_nothing(
            name,
            &text,
            "Outer",
            &[("Good", true), ("InnerGood", false)],
        );
    }
}

#[test]
fn what_commits_leaves_what_it_would_without() {
    for (name, change) in CHANGES {
        let text = class(change);
        leaves_the_same(name, &text, "Inner", &[("Good", true)]);
        leaves_the_same(name, &text, "Outer", &[("Good", true), ("InnerGood", true)]);
    }
}

/// Each change is one: otherwise the tests above would say nothing.
#[test]
fn every_change_changes_something() {
    for (name, change) in CHANGES {
        let (mut world, object) = prepared(&class(change));
        let before = world.save();
        call(&mut world, object, "Plain", &[]).expect("it runs");
        assert!(world.save() != before, "{name} changes nothing");
    }
}

#[test]
fn locals_and_outputs_are_undone_too() {
    let text = class("Nothing");
    let (mut world, object) = prepared(&text);
    for (good, kept) in [(true, "inside"), (false, "before")] {
        let outputs = call(&mut world, object, "Try", &[("Good", good)]).expect("it runs");
        let expected = vec![(Name::new("Kept"), Value::Str(kept.into()))];
        assert_eq!(outputs, expected);
    }
}

#[test]
fn all_changes_in_one_transaction_are_undone() {
    let all: Vec<&str> = CHANGES.iter().map(|(_, change)| *change).collect();
    let text = class(&all.join("\n"));
    leaves_nothing(
        "all",
        &text,
        "Outer",
        &[("Good", false), ("InnerGood", true)],
    );
    leaves_the_same(
        "all",
        &text,
        "Outer",
        &[("Good", true), ("InnerGood", true)],
    );
}

#[test]
fn a_transaction_costs_what_it_writes() {
    let text =
        class("Let(null, ArrayGetByRef(InstanceVariable(Ints@self), IntConst(5)), IntConst(8))")
            .replace(
                "SetArray(InstanceVariable(Ints@self), IntConst(3), IntConst(1), IntConst(2))",
                &expanded("$array(Array_Resize, InstanceVariable(Ints@self), IntConst(1000000))\n"),
            );
    let (mut world, object) = prepared(&text);
    let flags = [("Good", false)];
    call(&mut world, object, "Try", &flags).expect("it runs");
    let memory = allocation_counter::measure(|| {
        call(&mut world, object, "Try", &flags).expect("it runs");
    });
    // Eight megabytes lie in the array of which one word is written.
    assert!(memory.bytes_total < 20_000, "{} bytes", memory.bytes_total);
}

#[test]
fn what_is_kept_to_undo_counts_as_memory() {
    // Nothing grows but what is written down to undo each of the assignments.
    let text = class(
        "Again:
Let(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(2000)))",
    );
    let needed = {
        let (mut world, object, _) = world_of(&text, Limits::default(), Natives::standard());
        let known = call(&mut world, object, "Try", &[("Nothing", true)]);
        assert!(known.is_err());
        call(&mut world, object, "Try", &[("Good", true)]).expect("it runs");
        world.memory().peak
    };
    for (memory, fits) in [(needed - 1, false), (needed, true), (needed + 1, true)] {
        let limits = Limits {
            memory,
            ..Limits::default()
        };
        let (mut world, object, _) = world_of(&text, limits, Natives::standard());
        let known = call(&mut world, object, "Try", &[("Nothing", true)]);
        assert!(known.is_err());
        let used = world.memory().used;
        let result = call(&mut world, object, "Try", &[("Good", true)]);
        let hit = match result {
            Ok(_) => None,
            Err(RunError::Limit(hit)) => Some(hit.kind),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(hit, (!fits).then_some(LimitKind::Memory(memory)));
        // A limit undoes the transaction it is hit in.
        assert_eq!(world.memory().used, used);
        let count = world.variable(object, &Name::new("I"));
        assert_eq!(count, Some(Value::Int(if fits { 2001 } else { 0 })));
    }
}

const PRINTS: &str =
    "CallMath(/Script/Engine.KismetSystemLibrary:PrintString, Self, StringConst(\"said\"), True, True, StructConst(/Script/CoreUObject.LinearColor, 16, FloatConst(0.0), FloatConst(0.66), FloatConst(1.0), FloatConst(1.0)), FloatConst(2.0), NameConst(None))
CallMath(/Script/Engine.KismetSystemLibrary:PrintWarning, StringConst(\"warned\"))
Let(I@self, InstanceVariable(I@self), ArrayGetByRef(InstanceVariable(Ints@self), IntConst(99)))";

#[test]
fn what_the_script_says_is_held_back_until_it_commits() {
    let (mut world, object, recorder) =
        world_of(&class(PRINTS), Limits::default(), Natives::standard());
    let machine = "W: Attempted to access index 99 from array 'Ints' of length 0";
    call(&mut world, object, "Try", &[("Good", false)]).expect("it runs");
    assert_eq!(recorder.take(), [machine]);
    assert_eq!(world.exit_state().warnings, 1);
    call(
        &mut world,
        object,
        "Outer",
        &[("Good", true), ("InnerGood", true)],
    )
    .expect("it runs");
    assert_eq!(recorder.take(), [machine, "said", "W: warned"]);
    assert_eq!(world.exit_state().warnings, 3);
    let flags = [("Good", true), ("InnerGood", false)];
    call(&mut world, object, "Outer", &flags).expect("it runs");
    assert_eq!(recorder.take(), [machine]);
}

#[test]
fn a_native_function_says_whether_it_can_be_undone() {
    let calls = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let counting = |natives: &mut Natives, makes: fn(Native) -> Native| {
        let count = calls.clone();
        natives.add(makes(Native::closure(
            "KismetSystemLibrary.LaunchURL",
            move |_| {
                count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                Ok(())
            },
        )));
    };
    let count = || calls.swap(0, std::sync::atomic::Ordering::Relaxed);
    let text = class(
        "Let(I@self, InstanceVariable(I@self), IntConst(7))
CallMath(/Script/Engine.KismetSystemLibrary:LaunchURL, StringConst(\"b\"))",
    );

    let mut natives = Natives::standard();
    counting(&mut natives, |native| native);
    let (mut world, object, _) = world_of(&text, Limits::default(), natives);
    call(&mut world, object, "Plain", &[]).expect("no transaction runs");
    assert_eq!(count(), 1);
    world.set_variable(object, &Name::new("I"), &Value::Int(0));
    let Err(RunError::Fault(fault)) = call(&mut world, object, "Try", &[("Good", true)]) else {
        panic!("it cannot be undone");
    };
    let path = "/Script/Engine.KismetSystemLibrary:LaunchURL";
    assert_eq!(
        fault.kind,
        FaultKind::Irrevocable(bp_reflect::ObjectPath::new(path))
    );
    assert_eq!(
        fault.to_string(),
        format!(
            "{path} cannot be undone, so no transaction may call it in /Game/BP_Test.BP_Test_C:Plain at 0x{:X}",
            fault.offset.0
        )
    );
    assert_eq!(count(), 0);
    // A fault undoes the transaction it ends.
    assert_eq!(world.variable(object, &Name::new("I")), Some(Value::Int(0)));

    let mut natives = Natives::standard();
    counting(&mut natives, Native::revocable);
    let (mut world, object, _) = world_of(&text, Limits::default(), natives);
    call(&mut world, object, "Try", &[("Good", true)]).expect("it says it can be undone");
    assert_eq!(count(), 1);

    let mut natives = Natives::standard();
    natives.set_fallback(|_| Some(Ok(())));
    let (mut world, object, _) = world_of(&text, Limits::default(), natives);
    call(&mut world, object, "Plain", &[]).expect("no transaction runs");
    let result = call(&mut world, object, "Try", &[("Good", true)]);
    assert!(matches!(result, Err(RunError::Fault(_))), "{result:?}");
}

/// A host that wants the run to end after some questions.
#[derive(Debug)]
struct Impatient(Rc<Cell<u32>>);

impl bp_vm::Host for Impatient {
    fn print(&mut self, _: &str) {}
    fn warning(&mut self, _: &bp_vm::Warning) {}
    fn error(&mut self, _: &bp_vm::Warning) {}
    fn should_stop(&mut self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

#[test]
fn what_cuts_a_transaction_short_undoes_it() {
    let text = class(
        "Again:
$array(Array_Add, InstanceVariable(Ints@self), IntConst(1))
Jump(Again)",
    );
    // The engine's guard against loops.
    let limits = Limits {
        jumps: 1000,
        ..Limits::default()
    };
    let (mut world, object, recorder) = world_of(&text, limits, Natives::standard());
    assert!(call(&mut world, object, "Try", &[("Nothing", true)]).is_err());
    let used = world.memory().used;
    call(&mut world, object, "Try", &[("Good", true)]).expect("the engine goes on");
    assert_eq!(
        recorder.take(),
        ["E: Runaway loop detected (over 1000 iterations)"]
    );
    assert_eq!(
        world.variable(object, &Name::new("Ints")),
        Some(Value::List(vec![]))
    );
    assert_eq!(world.memory().used, used);

    // A host that stops the run.
    let package = asm::parse(&text).expect("parsed before").package;
    let class = package.classes.last().expect("a class").class.path.clone();
    let registry = declarations::embedded(package.engine);
    let package = verify(package, &registry).expect("verified before");
    let left = Rc::new(Cell::new(3));
    let host = Box::new(Impatient(left.clone()));
    let limits = Limits::default();
    let mut world =
        World::new(vec![package], registry, Natives::standard(), host, limits).expect("it fits");
    let object = world.spawn(&class).expect("it can be spawned");
    let stopped = call(&mut world, object, "Try", &[("Good", true)]);
    assert_eq!(stopped, Err(RunError::Stop(bp_vm::Stop::Host)));
    assert_eq!(
        world.variable(object, &Name::new("Ints")),
        Some(Value::List(vec![]))
    );
    // The world goes on, and outside of a transaction what is done stays.
    left.set(3);
    let stopped = call(&mut world, object, "Plain", &[]);
    assert_eq!(stopped, Err(RunError::Stop(bp_vm::Stop::Host)));
    assert_ne!(
        world.variable(object, &Name::new("Ints")),
        Some(Value::List(vec![]))
    );
}
