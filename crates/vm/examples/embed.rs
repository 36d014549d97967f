//! A game of its own around the virtual machine: it declares a native class, gives it functions in Rust,
//! runs a script that calls them, saves the world and goes back.
//!
//! ```console
//! $ cargo run -q -p bp-vm --example embed
//! ```

#![expect(clippy::print_stdout, reason = "its product is what it prints")]

use std::cell::Cell;
use std::error::Error;
use std::sync::atomic::{AtomicI32, Ordering};

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{EngineVersion, Name, ObjectPath, Value, declarations};
use bp_vm::{
    Control, Host, Limits, Native, Natives, Observer, Paused, RunError, Warning, World, native,
};

/// What the game offers to scripts. `bpc --declarations` takes the same text.
const DECLARATIONS: &str = r#"{"package": "/Script/MyGame", "classes": [
  {"name": "DoorLibrary", "super": "Engine.BlueprintFunctionLibrary", "functions": [
    {"name": "Force", "flags": "Final Native Static Public BlueprintCallable BlueprintPure",
     "params": ["Mass: double", "return ReturnValue: double"]},
    {"name": "Creak", "flags": "Final Native Static Public BlueprintCallable", "params": ["Loud: bool"]},
    {"name": "Forgotten", "flags": "Final Native Static Public BlueprintCallable"}]}]}"#;

/// A compiled Blueprint would come from `bpc build`; this is the same as text.
const SCRIPT: &str = r"package 5.3
class /Game/BP_Door.BP_Door_C : /Script/Engine.Actor
  kind blueprint
  property Opened int
  function Open flags public|blueprint_callable
    param Mass double flags parm
    param Work double flags parm|out_parm
  code
    Let(Opened@self, InstanceVariable(Opened@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, InstanceVariable(Opened@self), IntConst(1)))
    CallMath(/Script/MyGame.DoorLibrary:Creak, True)
    Let(Work, LocalOutVariable(Work), CallMath(/Script/MyGame.DoorLibrary:Force, LocalVariable(Mass)))
    Return(Nothing)
    EndOfScript
  end
  function Break flags public|blueprint_callable
  code
    CallMath(/Script/MyGame.DoorLibrary:Forgotten)
    Return(Nothing)
    EndOfScript
  end
end";

/// Prints what the script says.
struct Console;

impl Host for Console {
    fn print(&mut self, text: &str) {
        println!("{text}");
    }

    fn warning(&mut self, warning: &Warning) {
        println!("warning: {warning}");
    }

    fn error(&mut self, error: &Warning) {
        println!("error: {error}");
    }
}

/// Counts statements.
#[derive(Default)]
struct Counter(Cell<u32>);

impl Observer for Counter {
    fn statement(&mut self, _: &Paused<'_>) -> Control {
        self.0.set(self.0.get() + 1);
        Control::Go
    }
}

static CREAKS: AtomicI32 = AtomicI32::new(0);

fn main() -> Result<(), Box<dyn Error>> {
    let engine = EngineVersion::new(5, 3);
    let mut registry = declarations::embedded(engine);
    declarations::read(DECLARATIONS, engine)?.add_to(&mut registry);

    let mut natives = Natives::standard();
    // Typed: the arguments' types are checked against the declaration by the project's tests.
    natives.add(native!("DoorLibrary.Force", |mass: f64| -> f64 {
        mass * 9.81
    }));
    // With the call, for whoever needs the world.
    natives.add(native!("DoorLibrary.Creak", |call, loud: bool| {
        let nth = CREAKS.fetch_add(1, Ordering::Relaxed) + 1;
        call.print(if loud { "CREAK" } else { "creak" });
        call.print(&format!("(number {nth})"));
        Ok(())
    }));
    // A closure keeps what it captures.
    let greeting = "good bye".to_owned();
    natives.add(Native::closure(
        "KismetSystemLibrary.LaunchURL",
        move |call| {
            call.print(&greeting);
            Ok(())
        },
    ));

    let package = asm::parse(SCRIPT)
        .map_err(|errors| errors[0].to_string())?
        .package;
    let package = verify(package, &registry).map_err(|errors| errors[0].to_string())?;
    let host = Box::new(Console);
    let mut world = World::new(vec![package], registry, natives, host, Limits::default())?;
    let door = world.spawn(&ObjectPath::new("/Game/BP_Door.BP_Door_C"))?;

    let open = Name::new("Open");
    let arguments = [(Name::new("Mass"), Value::Real(2.0))];
    let counter = std::rc::Rc::new(std::cell::RefCell::new(Counter::default()));
    world.observe(Some(Box::new(counter.clone())));
    let outputs = world.call(door, &open, &arguments)?;
    println!("{outputs:?} after {} statements", counter.borrow().0.get());

    let saved = world.save();
    world.call(door, &open, &arguments)?;
    world.restore(&saved)?;
    let opened = world.variable(door, &Name::new("Opened"));
    assert_eq!(opened, Some(Value::Int(1)), "the second time is forgotten");

    // What nobody gave a function is a fault that names it.
    match world.call(door, &Name::new("Break"), &[]) {
        Err(RunError::Unsupported(lacking)) => println!("{lacking}"),
        other => println!("unexpected: {other:?}"),
    }
    Ok(())
}
