//! Worlds: time, faults, hosts and embedders.

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{Name, Value, declarations};
use bp_vm::{
    HeapUsage, Host, Limits, Native, Natives, ObjectHandle, Recorder, RunError, Stop, Warning,
    World, native,
};
use pretty_assertions::assert_eq;

const PRINT: &str = "CallMath(/Script/Engine.KismetSystemLibrary:PrintString, Self, $, True, True, \
    StructConst(/Script/CoreUObject.LinearColor, 16, FloatConst(0), FloatConst(0), FloatConst(0), \
    FloatConst(0)), FloatConst(2), NameConst(None))";

/// A world of one class in assembly text, `print(…)` standing for a call of `PrintString`.
fn world(text: &str, natives: Natives, host: Box<dyn Host>) -> (World, ObjectHandle) {
    let mut lines = String::new();
    for line in text.lines() {
        let line = match line.trim_start().strip_prefix("print(") {
            Some(rest) => PRINT.replace('$', rest.strip_suffix(')').expect("print(…)")),
            None => line.to_owned(),
        };
        lines.push_str(&line);
        lines.push('\n');
    }
    let package = asm::parse(&lines).expect("the text is assembly").package;
    let class = package.classes.last().expect("a class").class.path.clone();
    let registry = declarations::embedded(package.engine);
    let package = verify(package, &registry).expect("the package is right");
    let mut world = World::new(vec![package], registry, natives, host, Limits::default())
        .expect("the package can be loaded");
    let object = world.spawn(&class).expect("the class can be spawned");
    (world, object)
}

fn recorded(text: &str) -> (World, ObjectHandle, Recorder) {
    let recorder = Recorder::new();
    let (world, object) = world(text, Natives::standard(), Box::new(recorder.clone()));
    (world, object, recorder)
}

#[test]
fn a_fault_in_the_middle_leaves_nothing_behind() {
    let (mut world, object, _) = recorded(
        r#"package 5.3
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  function Inner flags public|blueprint_callable
    param Text string flags parm
    local List array<string>
  code
    SetArray(LocalVariable(List), StringConst("a"), LocalVariable(Text))
    CallMath(/Script/Engine.KismetSystemLibrary:LaunchURL, CallMath(/Script/Engine.KismetStringLibrary:Concat_StrStr, LocalVariable(Text), StringConst("b")))
    Return(Nothing)
    EndOfScript
  end
  function Outer flags public|blueprint_callable
    local S string
  code
    Let(S, LocalVariable(S), StringConst("kept"))
    LocalFinalFunction(self:Inner, LocalVariable(S))
    Return(Nothing)
    EndOfScript
  end
end"#,
    );
    let error = world.call(object, &Name::new("Outer"), &[]);
    let Err(RunError::Unsupported(lack)) = error else {
        panic!("{error:?}");
    };
    assert_eq!(lack.function.name(), "LaunchURL");
    let names: Vec<_> = lack.stack.iter().map(|e| e.function.to_string()).collect();
    assert_eq!(names, ["Inner", "Outer"]);
    assert_eq!(world.heap_usage(), HeapUsage::default());
    assert_eq!(world.exit_state().unsupported.len(), 1);
}

#[test]
fn timers_call_by_time_and_stop() {
    let (mut world, object, recorder) = recorded(
        r#"package 5.3
class /Game/BP_Test.BP_Test_C : /Script/Engine.Actor
  kind blueprint
  property Handle struct:/Script/Engine.TimerHandle
  function Ring flags public|blueprint_callable
  code
    print(StringConst("ring"))
    Return(Nothing)
    EndOfScript
  end
  function Start flags public|blueprint_callable
    local D delegate:/Script/Engine.TimerDynamicDelegate__DelegateSignature
  code
    BindDelegate(Ring, LocalVariable(D), Self)
    Let(Handle@self, InstanceVariable(Handle@self), CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimerDelegate, LocalVariable(D), FloatConst(0.5), True, FloatConst(0), FloatConst(0)))
    Return(Nothing)
    EndOfScript
  end
  function Stop flags public|blueprint_callable
  code
    CallMath(/Script/Engine.KismetSystemLibrary:K2_ClearTimerHandle, Self, InstanceVariable(Handle@self))
    Return(Nothing)
    EndOfScript
  end
end"#,
    );
    world.call(object, &Name::new("Start"), &[]).expect("runs");
    assert!(world.is_waiting());
    world.tick(0.25).expect("ticks");
    assert_eq!(recorder.take(), Vec::<String>::new());
    world.tick(1.25).expect("ticks");
    assert_eq!(recorder.take(), ["ring", "ring", "ring"]);
    world.call(object, &Name::new("Stop"), &[]).expect("runs");
    assert!(!world.is_waiting());
    world.tick(5.0).expect("ticks");
    assert_eq!(recorder.take(), Vec::<String>::new());
    assert_eq!(world.close(), HeapUsage::default());
}

#[test]
fn floats_of_old_engines_are_rounded() {
    let (mut world, object, _) = recorded(
        r"package 4.27
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  property F float
  property V struct:/Script/CoreUObject.Vector
  function Main flags public|blueprint_callable
  code
    Let(F@self, InstanceVariable(F@self), CallMath(/Script/Engine.KismetMathLibrary:Add_FloatFloat, FloatConst(0.1), FloatConst(0.2)))
    Let(V@self, InstanceVariable(V@self), CallMath(/Script/Engine.KismetMathLibrary:Multiply_VectorFloat, VectorConst(1, 2, 3), FloatConst(0.1)))
    Return(Nothing)
    EndOfScript
  end
end",
    );
    world.call(object, &Name::new("Main"), &[]).expect("runs");
    let real = |value: f32| Value::Real(f64::from(value));
    let value = world.variable(object, &Name::new("F"));
    assert_eq!(value, Some(real(0.1 + 0.2)));
    let value = world.variable(object, &Name::new("V"));
    let part = |name: &str, value: f32| (Name::new(name), real(value));
    let vector = Value::Struct(vec![
        part("X", 0.1),
        part("Y", 2.0 * 0.1),
        part("Z", 3.0 * 0.1),
    ]);
    assert_eq!(value, Some(vector));
}

/// Stops every run at the first question.
struct Impatient;

impl Host for Impatient {
    fn print(&mut self, _: &str) {}
    fn warning(&mut self, _: &Warning) {}
    fn error(&mut self, _: &Warning) {}
    fn should_stop(&mut self) -> bool {
        true
    }
}

#[test]
fn a_host_can_stop_a_loop() {
    let text = r"package 5.3
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  function Main flags public|blueprint_callable
  code
  Again:
    Jump(Again)
    Return(Nothing)
    EndOfScript
  end
end";
    let (mut world, object) = world(text, Natives::standard(), Box::new(Impatient));
    let result = world.call(object, &Name::new("Main"), &[]);
    assert_eq!(result, Err(RunError::Stop(Stop::Host)));
    assert!(!world.exit_state().runaway);
}

#[test]
fn embedders_add_functions_of_their_own() {
    let text = r#"package 5.3
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  property N int
  function Main flags public|blueprint_callable
  code
    Let(N@self, InstanceVariable(N@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, IntConst(1), IntConst(2)))
    CallMath(/Script/Engine.KismetSystemLibrary:LaunchURL, StringConst("bp"))
    Return(Nothing)
    EndOfScript
  end
end"#;
    let mut natives = Natives::standard();
    natives.add(native!("KismetMathLibrary.Add_IntInt", |a: i32,
                                                         b: i32|
     -> i32 {
        a * 100 + b
    }));
    natives.add(Native::closure("KismetSystemLibrary.LaunchURL", |call| {
        let url: String = call.arg(0);
        call.print(&format!("launched {url}"));
        Ok(())
    }));
    let recorder = Recorder::new();
    let (mut world, object) = world(text, natives, Box::new(recorder.clone()));
    world.call(object, &Name::new("Main"), &[]).expect("runs");
    let value = world.variable(object, &Name::new("N"));
    assert_eq!(
        (value, recorder.take()),
        (Some(Value::Int(102)), vec!["launched bp".to_owned()])
    );
}

#[test]
fn every_opcode_that_an_engine_executes_has_a_handler() {
    // 101 opcodes, without Return, Skip and the 10 terminators.
    let rows = bp_bytecode::Opcode::ALL.iter().map(|op| op.row());
    let executed = rows.filter(|row| row.role != bp_bytecode::table::Role::Terminator);
    assert_eq!(bp_vm::handler_count(), executed.count() - 2);
}
