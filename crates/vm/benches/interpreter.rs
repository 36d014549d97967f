//! Parts of the interpreter by themselves: loading a package, an event from outside, calls and statements inside.
//!
//! ```console
//! $ cargo bench -p bp-vm
//! ```
//!
//! `cargo xtask bench vm` compares whole programs with other engines.

use std::hint::black_box;

use bp_bytecode::verify::{Verified, verify};
use bp_bytecode::{Package, asm};
use bp_reflect::{EngineVersion, Name, ObjectPath, Registry, Value, declarations};
use bp_vm::{Limits, Natives, ObjectHandle, Recorder, World};
use divan::Bencher;
use divan::counter::ItemsCount;

/// What `bpc dis` gives of a graph like `graphs/bench/Fib.json`, and an event that changes a variable.
const SCRIPT: &str = r"package 5.3
class /Game/BP_Fib.BP_Fib_C : /Script/Engine.Actor
  kind blueprint
  property Elapsed double
  function Fib flags public|has_out_parms|blueprint_callable|blueprint_event
    param N int flags parm
    param Result int flags parm|out_parm
    local IsSmall bool
    local LessOne int
    local LessTwo int
    local First int
    local Second int
  code
    LetBool(LocalVariable(IsSmall), CallMath(/Script/Engine.KismetMathLibrary:Less_IntInt, LocalVariable(N), IntConst(2)))
    JumpIfNot(L1, LocalVariable(IsSmall))
    Let(Result, LocalOutVariable(Result), LocalVariable(N))
    Jump(L2)
  L1:
    Let(LessOne, LocalVariable(LessOne), CallMath(/Script/Engine.KismetMathLibrary:Subtract_IntInt, LocalVariable(N), IntConst(1)))
    LocalVirtualFunction(Fib, LocalVariable(LessOne), LocalVariable(First))
    Let(LessTwo, LocalVariable(LessTwo), CallMath(/Script/Engine.KismetMathLibrary:Subtract_IntInt, LocalVariable(N), IntConst(2)))
    LocalVirtualFunction(Fib, LocalVariable(LessTwo), LocalVariable(Second))
    Let(Result, LocalOutVariable(Result), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, LocalVariable(First), LocalVariable(Second)))
  L2:
    Return(Nothing)
    EndOfScript
  end
  function Advance flags public|blueprint_callable|blueprint_event
    param DeltaSeconds double flags parm
  code
    Let(Elapsed@self, InstanceVariable(Elapsed@self), CallMath(/Script/Engine.KismetMathLibrary:Add_DoubleDouble, InstanceVariable(Elapsed@self), LocalVariable(DeltaSeconds)))
    Return(Nothing)
    EndOfScript
  end
end";

fn package() -> (Verified<Package>, Registry) {
    let registry = declarations::embedded(EngineVersion::new(5, 3));
    let package = asm::parse(SCRIPT).expect("the script is right").package;
    let package = verify(package, &registry).expect("the script may run");
    (package, registry)
}

fn world(package: Verified<Package>, registry: Registry) -> World {
    let host = Box::new(Recorder::new());
    let natives = Natives::standard();
    World::new(vec![package], registry, natives, host, Limits::default()).expect("it can be loaded")
}

fn loaded() -> (World, ObjectHandle) {
    let (package, registry) = package();
    let mut world = world(package, registry);
    let class = ObjectPath::new("/Game/BP_Fib.BP_Fib_C");
    let object = world.spawn(&class).expect("the class is there");
    (world, object)
}

/// From a verified package to a world: names, types, functions and default objects.
#[divan::bench]
fn load(bencher: Bencher<'_, '_>) {
    let (package, registry) = package();
    bencher
        .with_inputs(|| (package.clone(), registry.clone()))
        .bench_local_values(|(package, registry)| world(package, registry));
}

/// A call from outside with one argument, which runs two statements.
#[divan::bench]
fn call(bencher: Bencher<'_, '_>) {
    let (mut world, object) = loaded();
    let function = Name::new("Advance");
    let arguments = [(Name::new("DeltaSeconds"), Value::Real(0.016))];
    bencher.bench_local(|| {
        let outputs = world.call(object, &function, black_box(&arguments));
        outputs.expect("nothing can fail in it")
    });
}

/// Calls inside, which are what is counted, and some six statements in each.
#[divan::bench]
fn fib(bencher: Bencher<'_, '_>) {
    const N_CALLS: u32 = 1973;
    let (mut world, object) = loaded();
    let function = Name::new("Fib");
    let arguments = [(Name::new("N"), Value::Int(15))];
    bencher.counter(ItemsCount::new(N_CALLS)).bench_local(|| {
        let outputs = world.call(object, &function, black_box(&arguments));
        let outputs = outputs.expect("nothing can fail in it");
        assert_eq!(outputs[0].1, Value::Int(610));
    });
}

fn main() {
    divan::main();
}
