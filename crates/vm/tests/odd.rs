//! Odd programs: objects that end while they are used, events that cause themselves, worlds saved in between.

mod common;

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{Name, Value, declarations};
use bp_vm::{HeapUsage, Limits, Natives, ObjectHandle, Recorder, World};
use common::expanded;
use pretty_assertions::assert_eq;

struct Odd {
    world: World,
    object: ObjectHandle,
    recorder: Recorder,
}

/// `print(…)` stands for a call of `PrintString`.
fn odd(text: &str) -> Odd {
    const PRINT: &str = "CallMath(/Script/Engine.KismetSystemLibrary:PrintString, Self, $, True, True, StructConst(/Script/CoreUObject.LinearColor, 16, FloatConst(0), FloatConst(0), FloatConst(0), FloatConst(0)), FloatConst(2), NameConst(None))";
    let mut lines = String::new();
    for line in expanded(text).lines() {
        let line = match line.trim_start().strip_prefix("print(") {
            Some(rest) => PRINT.replace('$', rest.strip_suffix(')').expect("print(…)")),
            None => line.to_owned(),
        };
        lines.push_str(&line);
        lines.push('\n');
    }
    let package = asm::parse(&lines)
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
    let limits = Limits::default();
    let mut world = World::new(vec![package], registry, Natives::standard(), host, limits)
        .expect("it can be loaded");
    let object = world.spawn(&class).expect("it can be spawned");
    world.begin_play(object).expect("it begins");
    Odd {
        world,
        object,
        recorder,
    }
}

impl Odd {
    fn call(&mut self, name: &str) -> Vec<String> {
        self.world
            .call(self.object, &Name::new(name), &[])
            .expect("it runs");
        self.recorder.take()
    }

    /// Lets a tick pass, in a world that has been saved and put back.
    fn tick(&mut self, seconds: f64) -> Vec<String> {
        let saved = self.world.save();
        self.world
            .restore(&saved)
            .expect("its own world comes back");
        self.world.tick(seconds).expect("it runs");
        self.recorder.take()
    }

    fn int(&self, name: &str) -> i64 {
        match self.world.variable(self.object, &Name::new(name)) {
            Some(Value::Int(value)) => value,
            other => panic!("{other:?}"),
        }
    }

    fn shown(&self, name: &str) -> String {
        let variables = self.world.variables(self.object);
        let found = variables.into_iter().find(|(known, _)| *known == *name);
        found.expect("it has it").1
    }

    fn close(self) {
        assert_eq!(self.world.close(), HeapUsage::default());
    }
}

const HEAD: &str = "package 5.3
class /Game/BP_Other.BP_Other_C : /Script/Engine.Actor
  kind blueprint
  property Friend object:/Script/Engine.Actor
  property N int
  function Hear flags public|blueprint_callable
  code
    print(StringConst(\"heard\"))
    Let(N@self, InstanceVariable(N@self), $math(Add_IntInt, InstanceVariable(N@self), IntConst(1)))
    Return(Nothing)
    EndOfScript
  end
  function ReceiveEndPlay flags event|public|blueprint_event
    super /Script/Engine.Actor:ReceiveEndPlay
    param EndPlayReason byte:/Script/Engine.EEndPlayReason flags parm
  code
    print(StringConst(\"other ends\"))
    Context(InstanceVariable(Friend@self), null, FinalFunction(/Script/Engine.Actor:K2_DestroyActor))
    Return(Nothing)
    EndOfScript
  end
end
class /Game/BP_Test.BP_Test_C : /Script/Engine.Actor
  kind blueprint
  property N int
  property Other object:/Game/BP_Other.BP_Other_C
  property All array<object:/Game/BP_Other.BP_Other_C>
  property Bag set<object:/Script/Engine.Actor>
  property M multicast_delegate:/Game/BP_Test.BP_Test_C:Hit__DelegateSignature flags blueprint_assignable
  property D delegate:/Game/BP_Test.BP_Test_C:Hit__DelegateSignature
  delegate Hit__DelegateSignature flags public|delegate|multicast_delegate
  end
  function Make flags public|blueprint_callable
  code
    LetObj(InstanceVariable(Other@self), DynamicCast(/Game/BP_Other.BP_Other_C, CallMath(/Script/Engine.GameplayStatics:BeginDeferredActorSpawnFromClass, Self, ObjectConst(/Game/BP_Other.BP_Other_C), $math(MakeTransform, VectorConst(0,0,0), RotationConst(0,0,0), VectorConst(1,1,1)), ByteConst(0), NoObject, ByteConst(0))))
    $array(Array_Add, InstanceVariable(All@self), InstanceVariable(Other@self))
    $set(Set_Add, InstanceVariable(Bag@self), InstanceVariable(Other@self))
    Let(Friend@/Game/BP_Other.BP_Other_C, Context(InstanceVariable(Other@self), Friend@/Game/BP_Other.BP_Other_C, InstanceVariable(Friend@/Game/BP_Other.BP_Other_C)), Self)
    BindDelegate(Hear, InstanceVariable(D@self), InstanceVariable(Other@self))
    AddMulticastDelegate(InstanceVariable(M@self), InstanceVariable(D@self))
    Return(Nothing)
    EndOfScript
  end
  function End flags public|blueprint_callable
  code
    Context(InstanceVariable(Other@self), null, FinalFunction(/Script/Engine.Actor:K2_DestroyActor))
    Return(Nothing)
    EndOfScript
  end
  function Shout flags public|blueprint_callable
  code
    CallMulticastDelegate(self:Hit__DelegateSignature, InstanceVariable(M@self))
    Return(Nothing)
    EndOfScript
  end
  function Count flags public|blueprint_callable
  code
    Let(N@self, InstanceVariable(N@self), $math(Add_IntInt, InstanceVariable(N@self), IntConst(1)))
    Return(Nothing)
    EndOfScript
  end
";

#[test]
fn destroyed_objects_stay_in_containers_and_delegates_as_nothing() {
    let mut odd = odd(&format!("{HEAD}end\n"));
    odd.call("Make");
    assert_eq!(odd.call("Shout"), ["heard"]);
    // It has not begun to play, so nobody tells it.
    odd.call("End");
    assert_eq!(odd.call("Shout"), [""; 0]);
    assert_eq!(odd.shown("All"), "[BP_Other_C_0]");
    odd.tick(0.1);
    assert_eq!(odd.shown("All"), "[None]");
    assert_eq!(odd.shown("Bag"), "{None}");
    assert_eq!(odd.call("Shout"), [""; 0]);
    odd.call("Make");
    assert_eq!(odd.call("Shout"), ["heard"]);
    assert_eq!(odd.shown("All"), "[None, BP_Other_C_1]");
    odd.tick(0.1);
    odd.close();
}

#[test]
fn two_that_end_each_other_end_once() {
    let mut odd = odd(&format!(
        "{HEAD}  function ReceiveEndPlay flags event|public|blueprint_event
    super /Script/Engine.Actor:ReceiveEndPlay
    param EndPlayReason byte:/Script/Engine.EEndPlayReason flags parm
  code
    print(StringConst(\"test ends\"))
    LocalVirtualFunction(End)
    LocalVirtualFunction(Make)
    Return(Nothing)
    EndOfScript
  end
end
"
    ));
    odd.call("Make");
    let other = odd.world.actors()[1];
    odd.world.begin_play(other).expect("it begins");
    odd.call("End");
    // What was made at the end lives on.
    let left: Vec<String> = odd
        .world
        .actors()
        .iter()
        .map(|it| odd.world.name(*it))
        .collect();
    assert_eq!(left, ["BP_Other_C_1"]);
    odd.tick(0.1);
    odd.close();
}

#[test]
fn a_timer_of_the_next_tick_may_start_itself_again() {
    let mut odd = odd(&format!(
        "{HEAD}  function Again flags public|blueprint_callable
  code
    LocalVirtualFunction(Count)
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimerForNextTick, Self, StringConst(\"Again\"))
    Return(Nothing)
    EndOfScript
  end
end
"
    ));
    odd.call("Again");
    for n in 2..6 {
        odd.tick(0.1);
        // Once a tick.
        assert_eq!(odd.int("N"), n);
    }
    odd.close();
}

#[test]
fn a_timer_may_clear_and_restart_itself() {
    let mut odd = odd(&format!(
        "{HEAD}  function Start flags public|blueprint_callable
  code
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimer, Self, StringConst(\"Fire\"), FloatConst(0.1), True, FloatConst(0), FloatConst(0))
    Return(Nothing)
    EndOfScript
  end
  function Fire flags public|blueprint_callable
  code
    LocalVirtualFunction(Count)
    CallMath(/Script/Engine.KismetSystemLibrary:K2_ClearTimer, Self, StringConst(\"Fire\"))
    JumpIfNot(Stop, $math(Less_IntInt, InstanceVariable(N@self), IntConst(3)))
    LocalVirtualFunction(Start)
  Stop:
    Return(Nothing)
    EndOfScript
  end
end
"
    ));
    odd.call("Start");
    for n in [1, 2, 3, 3, 3] {
        // Ten times its rate, but it has stopped itself.
        odd.tick(1.0);
        assert_eq!(odd.int("N"), n);
    }
    assert!(!odd.world.is_waiting());
    odd.close();
}

#[test]
fn time_without_an_end_ends() {
    let mut odd = odd(&format!(
        "{HEAD}  function Start flags public|blueprint_callable
  code
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimer, Self, StringConst(\"Count\"), FloatConst(0.1), True, FloatConst(0), FloatConst(0))
    Return(Nothing)
    EndOfScript
  end
end
"
    ));
    odd.call("Start");
    odd.world.tick(f64::INFINITY).expect("it ends");
    assert_eq!(odd.int("N"), 10_000);
    for seconds in [f64::NAN, -1.0, 1e300] {
        odd.world.tick(seconds).expect("it ends");
    }
    odd.close();
}

#[test]
fn many_timers_at_once_take_their_turns() {
    let mut odd = odd(&format!(
        "{HEAD}  function Start flags public|blueprint_callable
  code
  Again:
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimerForNextTick, Self, StringConst(\"Count\"))
    LocalVirtualFunction(Count)
    JumpIfNot(Again, $math(GreaterEqual_IntInt, InstanceVariable(N@self), IntConst(20000)))
    Return(Nothing)
    EndOfScript
  end
end
"
    ));
    odd.call("Start");
    odd.tick(0.1);
    assert_eq!(odd.int("N"), 40_000);
    odd.close();
}

#[test]
fn parts_of_parts_end_with_the_whole() {
    let text = "package 5.3
class /Game/BP_Inner.BP_Inner_C : /Script/Engine.SceneComponent
  kind blueprint
  property N int
end
class /Game/BP_Part.BP_Part_C : /Script/Engine.SceneComponent
  kind blueprint
  property Inner object:/Game/BP_Inner.BP_Inner_C
  component Inner /Game/BP_Inner.BP_Inner_C
end
class /Game/BP_Test.BP_Test_C : /Script/Engine.Actor
  kind blueprint
  property Part object:/Game/BP_Part.BP_Part_C
  component Part /Game/BP_Part.BP_Part_C
end
";
    let mut odd = odd(text);
    let class = odd.world.class(odd.object).expect("it has a class");
    let mut used = Vec::new();
    for _ in 0..4 {
        let whole = odd.world.spawn(&class).expect("it can be spawned");
        odd.world.destroy(whole).expect("it can be destroyed");
        used.push(odd.world.memory().used);
    }
    // The first time makes names, which stay.
    assert_eq!(used[1..], [used[0]; 3]);
    odd.close();
}
