//! Each limit, one below, at and one above what a script needs; and natives that could be told to make
//! something huge.

mod common;

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{Name, Value, declarations};
use bp_vm::{
    HeapUsage, LimitKind, Limits, LoadError, Natives, ObjectHandle, Recorder, Run, RunError, World,
};
use common::expanded;
use pretty_assertions::assert_eq;

/// A class with variables of all kinds and one function, `Run`.
fn class(body: &str) -> String {
    let body = body.replace('\n', "\n    ");
    expanded(&format!(
        "package 5.3
class /Game/BP_Test.BP_Test_C : /Script/Engine.SaveGame
  kind blueprint
  property Ints array<int>
  property More array<int>
  property Bag set<int>
  property Other set<int>
  property Ages map<int,int>
  property S string
  property T string
  property Words array<string>
  property Texts map<string,string>
  property Nm name
  property I int
  property Thing object:/Script/CoreUObject.Object
  property Info struct:/Script/Engine.LatentActionInfo
  function Run flags public|blueprint_callable
  code
    {body}
    Return(Nothing)
    EndOfScript
  end
end
"
    ))
}

fn world(text: &str, limits: Limits) -> Result<(World, ObjectHandle, Recorder), LoadError> {
    let package = asm::parse(text)
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
        .package;
    let class = package.classes.last().expect("a class").class.path.clone();
    let registry = declarations::embedded(package.engine);
    let package = verify(package, &registry).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let recorder = Recorder::new();
    let host = Box::new(recorder.clone());
    let mut world = World::new(vec![package], registry, Natives::standard(), host, limits)?;
    let object = world.spawn(&class).expect("one object fits");
    Ok((world, object, recorder))
}

fn run(text: &str, limits: Limits) -> (World, Run, Recorder) {
    let (mut world, object, recorder) = world(text, limits).expect("the class fits");
    let result = world.call(object, &Name::new("Run"), &[]).map(|_| ());
    (world, result, recorder)
}

fn hit(result: &Run) -> Option<LimitKind> {
    match result {
        Err(RunError::Limit(hit)) => Some(hit.kind),
        Ok(()) => None,
        Err(other) => panic!("{other}"),
    }
}

fn with_memory(memory: u64) -> Limits {
    Limits {
        memory,
        ..Limits::default()
    }
}

/// Scripts that need some memory and end, and each of which has its peak in another way of growing.
const GROWING: &[(&str, &str)] = &[
    ("resize", "$array(Array_Resize, InstanceVariable(Ints@self), IntConst(10000))"),
    ("set to fit", "$array(Array_Set, InstanceVariable(Ints@self), IntConst(9999), IntConst(1), True)"),
    (
        "add",
        "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
$array(Array_Add, InstanceVariable(Ints@self), InstanceVariable(I@self))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(300)))",
    ),
    (
        "append to itself",
        "Again:\n$array(Array_Add, InstanceVariable(Ints@self), InstanceVariable(I@self))
$array(Array_Append, InstanceVariable(Ints@self), InstanceVariable(Ints@self))
Let(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(9)))",
    ),
    (
        "copy",
        "$array(Array_Resize, InstanceVariable(Ints@self), IntConst(5000))
Let(More@self, InstanceVariable(More@self), InstanceVariable(Ints@self))",
    ),
    ("pad", "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(70000)))"),
    (
        "double",
        "Let(S@self, InstanceVariable(S@self), StringConst(\"ab\"))
Again:\nLet(S@self, InstanceVariable(S@self), $string(Concat_StrStr, InstanceVariable(S@self), InstanceVariable(S@self)))
JumpIfNot(Again, $math(Greater_IntInt, $string(Len, InstanceVariable(S@self)), IntConst(50000)))",
    ),
    (
        "replace",
        "Let(S@self, InstanceVariable(S@self), $string(LeftPad, StringConst(\"x\"), IntConst(300)))
Let(S@self, InstanceVariable(S@self), $string(Replace, InstanceVariable(S@self), StringConst(\" \"), InstanceVariable(S@self), ByteConst(1)))",
    ),
    (
        "characters",
        "Let(Words@self, InstanceVariable(Words@self), $string(GetCharacterArrayFromString, $string(LeftPad, StringConst(\"x\"), IntConst(1000))))",
    ),
    (
        "set and map",
        "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
$set(Set_Add, InstanceVariable(Bag@self), InstanceVariable(I@self))
$map(Map_Add, InstanceVariable(Ages@self), InstanceVariable(I@self), InstanceVariable(I@self))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(300)))
Let(Other@self, InstanceVariable(Other@self), InstanceVariable(Bag@self))
$map(Map_Keys, InstanceVariable(Ages@self), InstanceVariable(Ints@self))",
    ),
    (
        "names",
        "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
Let(Nm@self, InstanceVariable(Nm@self), $string(Conv_StringToName, $string(Concat_StrStr, $string(Conv_IntToString, InstanceVariable(I@self)), StringConst(\"x\"))))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(300)))",
    ),
    (
        "objects",
        "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
LetObj(InstanceVariable(Thing@self), CallMath(/Script/Engine.GameplayStatics:SpawnObject, ObjectConst(/Game/BP_Test.BP_Test_C), Self))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(100)))",
    ),
    (
        "saved games",
        "Let(S@self, InstanceVariable(S@self), $string(LeftPad, StringConst(\"x\"), IntConst(700)))
Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, Self, $string(Conv_IntToString, InstanceVariable(I@self)), IntConst(0))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(100)))",
    ),
    (
        "timers of the next tick",
        "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimerForNextTick, Self, StringConst(\"Run\"))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(300)))",
    ),
    (
        "latent actions of made numbers",
        "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
Let(UUID@/Script/Engine.LatentActionInfo, StructMemberContext(UUID@/Script/Engine.LatentActionInfo, InstanceVariable(Info@self)), InstanceVariable(I@self))
LetObj(StructMemberContext(CallbackTarget@/Script/Engine.LatentActionInfo, InstanceVariable(Info@self)), Self)
CallMath(/Script/Engine.KismetSystemLibrary:Delay, Self, FloatConst(1), InstanceVariable(Info@self))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(300)))",
    ),
    (
        "frames",
        "Let(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
JumpIfNot(Done, $math(Less_IntInt, InstanceVariable(I@self), IntConst(100)))
LocalVirtualFunction(Run)
Done:",
    ),
];

#[test]
fn memory_is_enough_to_the_last_byte() {
    for (name, body) in GROWING {
        let text = class(body);
        let (world, result, _) = run(&text, Limits::default());
        assert_eq!(hit(&result), None, "{name}");
        let peak = world.memory().peak;
        for (limit, fits) in [(peak - 1, false), (peak, true), (peak + 1, true)] {
            let (world, result, _) = run(&text, with_memory(limit));
            let expected = (!fits).then_some(LimitKind::Memory(limit));
            assert_eq!(hit(&result), expected, "{name}: {limit} of {peak} bytes");
            assert_eq!(world.close(), HeapUsage::default(), "{name} leaks");
        }
    }
}

#[test]
fn outputs_of_a_call_are_given_to_the_last_byte() {
    // Many elements that share one text: in the world they take a word each.
    let text = class("Nothing").replace(
        "  function Run ",
        &expanded(
            "  function Give flags public|blueprint_callable
    param Out array<string> flags parm|out_parm
  code
    Let(S@self, InstanceVariable(S@self), $string(LeftPad, StringConst(\"x\"), IntConst(1000)))
    SetArray(LocalOutVariable(Out), InstanceVariable(S@self))
  Again:
    $array(Array_Append, LocalOutVariable(Out), LocalOutVariable(Out))
    Let(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
    JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(9)))
    Return(Nothing)
    EndOfScript
  end
  function Run ",
        ),
    );
    let give = |limits| {
        let (mut world, object, _) = world(&text, limits).expect("the class fits");
        let result = world.call(object, &Name::new("Give"), &[]);
        (world, object, result)
    };
    let (known, _, result) = give(Limits::default());
    let Some((_, Value::List(texts))) = result.expect("it fits").pop() else {
        panic!("it gives a list");
    };
    assert_eq!(texts.len(), 1024);
    let peak = known.memory().peak;
    assert!(peak > 1000 * 1024, "{peak}");
    for (limit, fits) in [(peak - 1, false), (peak, true), (peak + 1, true)] {
        let (mut world, object, result) = give(with_memory(limit));
        let expected = (!fits).then_some(LimitKind::Memory(limit));
        assert_eq!(
            hit(&result.map(|_| ())),
            expected,
            "{limit} of {peak} bytes"
        );
        // The world goes on.
        world.call(object, &Name::new("Run"), &[]).expect("it runs");
    }
}

#[test]
fn texts_of_variables_end_where_memory_does() {
    let body = "Let(S@self, InstanceVariable(S@self), $string(LeftPad, StringConst(\"x\"), IntConst(1000)))
SetArray(InstanceVariable(Words@self), InstanceVariable(S@self))
Again:\n$array(Array_Append, InstanceVariable(Words@self), InstanceVariable(Words@self))
Let(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(5)))";
    let text = class(body);
    let ran = |limits| {
        let (mut world, object, _) = world(&text, limits).expect("the class fits");
        world.call(object, &Name::new("Run"), &[]).expect("it fits");
        (world, object)
    };
    let (known, object) = ran(Limits::default());
    let whole = known.variables(object);
    let needed: usize = whole.iter().map(|(_, text)| text.len()).sum();
    let needed = known.memory().used + needed as u64;
    for (limit, fits) in [(needed - 1, false), (needed, true), (needed + 1, true)] {
        let (world, object) = ran(with_memory(limit));
        let shown = world.variables(object);
        assert_eq!(shown == whole, fits, "{limit} of {needed} bytes");
        let cut = shown.iter().filter(|(_, text)| text.ends_with('…'));
        assert_eq!(cut.count(), usize::from(!fits));
    }
    // A value is given whole or not at all.
    let words = Name::new("Words");
    let (world, object) = ran(with_memory(needed - 20_000));
    assert_eq!(world.variable(object, &words), None);
    let (world, object) = ran(with_memory(2 * needed));
    assert!(world.variable(object, &words).is_some());
}

#[test]
fn what_is_given_up_counts_no_more() {
    let text = class(
        "$array(Array_Resize, InstanceVariable(Ints@self), IntConst(100000))
$array(Array_Clear, InstanceVariable(Ints@self))
Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(70000)))
Let(S@self, InstanceVariable(S@self), StringConst(\"\"))
CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, Self, StringConst(\"slot\"), IntConst(0))
CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, Self, StringConst(\"slot\"), IntConst(0))
CallMath(/Script/Engine.GameplayStatics:DeleteGameInSlot, StringConst(\"slot\"), IntConst(0))",
    );
    let (mut world, object, _) = world(&text, Limits::default()).expect("it fits");
    // The first run makes names, which stay.
    world.call(object, &Name::new("Run"), &[]).expect("it runs");
    let before = world.memory().used;
    for _ in 0..3 {
        world.call(object, &Name::new("Run"), &[]).expect("it runs");
    }
    assert_eq!(world.memory().used, before);
}

/// Scripts that would take more memory than any machine has, or double what they have for ever.
const HUGE: &[&str] = &[
    "$array(Array_Resize, InstanceVariable(Ints@self), IntConst(2147483647))",
    "$array(Array_Set, InstanceVariable(Ints@self), IntConst(2147483646), IntConst(1), True)",
    "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(2147483647)))",
    "Let(S@self, InstanceVariable(S@self), $string(RightPad, InstanceVariable(S@self), IntConst(2147483647)))",
    "Let(S@self, InstanceVariable(S@self), StringConst(\"ab\"))
Again:\nLet(S@self, InstanceVariable(S@self), $string(Concat_StrStr, InstanceVariable(S@self), InstanceVariable(S@self)))
Jump(Again)",
    "Let(S@self, InstanceVariable(S@self), StringConst(\"aa\"))
Again:\nLet(S@self, InstanceVariable(S@self), $string(Replace, InstanceVariable(S@self), StringConst(\"a\"), InstanceVariable(S@self), ByteConst(0)))
Jump(Again)",
    "SetArray(InstanceVariable(Ints@self), IntConst(1))
Again:\n$array(Array_Append, InstanceVariable(Ints@self), InstanceVariable(Ints@self))
Jump(Again)",
    // Many elements that share one long text.
    "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(100000)))
SetArray(InstanceVariable(Words@self), InstanceVariable(S@self))
Again:\n$array(Array_Append, InstanceVariable(Words@self), InstanceVariable(Words@self))
Let(T@self, InstanceVariable(T@self), $string(JoinStringArray, InstanceVariable(Words@self), InstanceVariable(S@self)))
Jump(Again)",
    "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(500000)))
Again:\nLet(Words@self, InstanceVariable(Words@self), $string(GetCharacterArrayFromString, InstanceVariable(S@self)))
Jump(Again)",
    "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(500000)))
Again:\nLet(Words@self, InstanceVariable(Words@self), $string(ParseIntoArray, InstanceVariable(S@self), StringConst(\" \"), False))
Jump(Again)",
    "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(100000)))
SetArray(InstanceVariable(Words@self), InstanceVariable(S@self))
Again:\n$array(Array_Append, InstanceVariable(Words@self), InstanceVariable(Words@self))
CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, Self, StringConst(\"slot\"), IntConst(0))
Jump(Again)",
    "Let(S@self, InstanceVariable(S@self), $string(LeftPad, InstanceVariable(S@self), IntConst(100000)))
Again:\nLet(T@self, InstanceVariable(T@self), $string(Concat_StrStr, InstanceVariable(T@self), StringConst(\"x\")))
CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, Self, InstanceVariable(T@self), IntConst(0))
Jump(Again)",
    "Let(S@self, InstanceVariable(S@self), $string(Replace, $string(LeftPad, InstanceVariable(S@self), IntConst(100000)), StringConst(\" \"), StringConst(\"x \"), ByteConst(1)))
CallMath(/Script/Engine.KismetSystemLibrary:ParseCommandLine, InstanceVariable(S@self), InstanceVariable(Words@self), InstanceVariable(Words@self), InstanceVariable(Texts@self))",
    "$array(Array_Resize, InstanceVariable(Ints@self), IntConst(100000))
$set(Set_AddItems, InstanceVariable(Bag@self), InstanceVariable(Ints@self))",
];

#[test]
fn a_native_function_asks_before_it_makes_something_huge() {
    const LIMIT: u64 = 1 << 20;
    for body in HUGE {
        let mut found = None;
        // What is allocated is a small multiple of the limit, whatever the script asks for.
        let memory = allocation_counter::measure(|| {
            let (world, result, _) = run(&class(body), with_memory(LIMIT));
            found = hit(&result);
            assert_eq!(world.close(), HeapUsage::default(), "{body} leaks");
        });
        assert_eq!(found, Some(LimitKind::Memory(LIMIT)), "{body}");
        let most = base() + 8 * LIMIT;
        assert!(
            memory.bytes_max < most,
            "{body}: {} bytes",
            memory.bytes_max
        );
    }
}

/// Bytes that a world takes with the declarations it reads.
fn base() -> u64 {
    allocation_counter::measure(|| drop(run(&class("Nothing"), Limits::default()))).bytes_max
}

#[test]
fn fuel_is_enough_to_the_last_statement() {
    // Without a jump: a hundred calls, each of a hundred.
    let calls = |name: &str| vec![format!("LocalVirtualFunction({name})"); 100].join("\n    ");
    let text = format!(
        "package 5.3
class /Game/BP_Test.BP_Test_C : /Script/Engine.SaveGame
  kind blueprint
  function Leaf flags public|blueprint_callable
  code
    Nothing
    Return(Nothing)
    EndOfScript
  end
  function Middle flags public|blueprint_callable
  code
    {}
    Return(Nothing)
    EndOfScript
  end
  function Run flags public|blueprint_callable
  code
    {}
    Return(Nothing)
    EndOfScript
  end
end
",
        calls("Leaf"),
        calls("Middle")
    );
    let (world, result, _) = run(&text, Limits::default());
    assert_eq!(hit(&result), None);
    let needed = 101 + 100 * (101 + 100 * 2);
    assert_eq!(world.statements(), needed);
    for (fuel, fits) in [(needed - 1, false), (needed, true), (needed + 1, true)] {
        let limits = Limits {
            fuel,
            ..Limits::default()
        };
        let (_, result, _) = run(&text, limits);
        assert_eq!(hit(&result), (!fits).then_some(LimitKind::Fuel(fuel)));
    }
}

#[test]
fn long_work_of_one_statement_takes_fuel() {
    let body = "$array(Array_Resize, InstanceVariable(Ints@self), IntConst(100000))
Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
$array(Array_Contains, InstanceVariable(Ints@self), IntConst(7))
Jump(Again)";
    let limits = Limits {
        fuel: 100_000,
        ..Limits::default()
    };
    let (world, result, _) = run(&class(body), limits);
    assert_eq!(hit(&result), Some(LimitKind::Fuel(100_000)));
    assert!(world.exit_state().limits.is_some());
}

#[test]
fn objects_are_enough_to_the_last() {
    let body = "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
LetObj(InstanceVariable(Thing@self), CallMath(/Script/Engine.GameplayStatics:SpawnObject, ObjectConst(/Game/BP_Test.BP_Test_C), Self))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(19)))";
    // Twenty, and the one that makes them.
    for (objects, fits) in [(20, false), (21, true), (22, true)] {
        let limits = Limits {
            objects,
            ..Limits::default()
        };
        let (_, result, _) = run(&class(body), limits);
        assert_eq!(hit(&result), (!fits).then_some(LimitKind::Objects(objects)));
    }
}

/// A function that runs inside itself `levels` times in all.
fn nested_calls(levels: usize) -> String {
    class(&format!(
        "Let(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
JumpIfNot(Done, $math(Less_IntInt, InstanceVariable(I@self), IntConst({levels})))
LocalVirtualFunction(Run)
Done:"
    ))
}

#[test]
fn calls_are_enough_to_the_last() {
    for (recursion, fits) in [(119, false), (120, true), (121, true)] {
        let limits = Limits {
            recursion,
            ..Limits::default()
        };
        let (world, result, recorder) = run(&nested_calls(120), limits);
        // The engine's own guard: an error is told, and the chain of calls ends.
        assert!(result.is_ok());
        assert_eq!(world.exit_state().recursion, !fits, "{recursion}");
        assert_eq!(recorder.take().len(), usize::from(!fits));
    }
}

#[test]
fn jumps_are_enough_to_the_last() {
    let body = "Again:\nLet(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(99)))";
    for (jumps, fits) in [(99, false), (100, true), (101, true)] {
        let limits = Limits {
            jumps,
            ..Limits::default()
        };
        let (world, result, _) = run(&class(body), limits);
        assert!(result.is_ok());
        assert_eq!(world.exit_state().runaway, !fits, "{jumps}");
    }
}

#[test]
fn expressions_are_nested_to_the_last() {
    // The call, its argument, … each inside the one before.
    let depth = 200;
    let body = format!(
        "Let(I@self, InstanceVariable(I@self), {}IntConst(1){})",
        "$math(Abs_Int, ".repeat(depth),
        ")".repeat(depth)
    );
    let needed = depth as u32 + 2;
    for (nesting, fits) in [(needed - 1, false), (needed, true), (needed + 1, true)] {
        let limits = Limits {
            nesting,
            ..Limits::default()
        };
        let (world, result, _) = run(&class(&body), limits);
        assert_eq!(hit(&result), (!fits).then_some(LimitKind::Nesting(nesting)));
        assert_eq!(world.close(), HeapUsage::default());
    }
}

#[test]
fn deep_expressions_in_deep_calls_end_within_the_stack() {
    let text = "package 5.3
class /Game/BP_Test.BP_Test_C : /Script/Engine.SaveGame
  kind blueprint
  function Run flags public|blueprint_callable
    param ReturnValue int flags parm|out_parm|return_parm
    local X int
  code
    Let(X, LocalVariable(X), (LocalVirtualFunction(Run)))
    Return(LocalVariable(X))
    EndOfScript
  end
end
"
    .replace('(', "<")
    .replace("<LocalVirtualFunction<Run))", &{
        let mut inner = "LocalVirtualFunction(Run)".to_owned();
        for _ in 0..240 {
            inner = format!("CallMath(/Script/Engine.KismetMathLibrary:Abs_Int, {inner})");
        }
        inner
    })
    .replace('<', "(");
    // As much as the documentation of `Limits::nesting` says for a build like this one.
    let outcome = std::thread::Builder::new()
        .stack_size(4096 * 4096)
        .spawn(move || hit(&run(&text, Limits::default()).1))
        .expect("a thread")
        .join()
        .expect("it neither panics nor overflows");
    assert_eq!(outcome, Some(LimitKind::Nesting(4096)));
}

#[test]
fn reports_of_one_place_are_told_a_few_times_and_counted() {
    let body = "Again:\nLet(I@self, InstanceVariable(I@self), ArrayGetByRef(InstanceVariable(Ints@self), InstanceVariable(I@self)))
Let(I@self, InstanceVariable(I@self), $math(Add_IntInt, InstanceVariable(I@self), IntConst(1)))
JumpIfNot(Again, $math(Greater_IntInt, InstanceVariable(I@self), IntConst(1243)))";
    let (mut world, result, recorder) = run(&class(body), Limits::default());
    assert!(result.is_ok());
    let told = recorder.take();
    assert_eq!(told.len(), 10);
    assert_eq!(world.exit_state().warnings, 1244);
    world.tell_repeats();
    assert_eq!(
        recorder.take(),
        ["W: … 1,234 more like this: Attempted to access index 10 from array 'Ints' of length 0"]
    );
    world.tell_repeats();
    assert_eq!(recorder.take(), [""; 0]);
}

#[test]
fn a_class_that_does_not_fit_is_refused() {
    let error = world(&class("Nothing"), with_memory(1000)).err();
    assert_eq!(error, Some(LoadError::Memory(1000)));
}

#[test]
fn after_a_limit_the_world_goes_on() {
    let text = class("$array(Array_Resize, InstanceVariable(Ints@self), InstanceVariable(I@self))");
    let (mut world, object, _) = world(&text, with_memory(1 << 20)).expect("it fits");
    let (run, size) = (Name::new("Run"), Name::new("I"));
    for (count, fits) in [
        (1_000_000, false),
        (1000, true),
        (i64::from(i32::MAX), false),
        (10, true),
    ] {
        world.set_variable(object, &size, &Value::Int(count));
        assert_eq!(world.call(object, &run, &[]).is_ok(), fits, "{count}");
    }
}
