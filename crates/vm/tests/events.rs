//! Events that a host sends: the same as calls by name, in both tiers, without a single allocation.

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{Name, ObjectPath, Value, declarations};
use bp_vm::{Argument, Limits, Natives, ObjectHandle, Recorder, RunError, Tier, World};
use pretty_assertions::assert_eq;

/// `Step` is the stub of an event, `Add` a function of its own, `Forever` one that only fuel or the guard of
/// jumps ends.
const CLASS: &str = "package 5.3
class /Game/BP_Test.BP_Test_C : /Script/Engine.Actor
  kind blueprint
  ubergraph ExecuteUbergraph_BP_Test
  property Total double
  property Ticks int
  property Divisor double
  property UberGraphFrame struct:/Script/Engine.PointerToUberGraphFrame

  function ExecuteUbergraph_BP_Test flags final|ubergraph
    param EntryPoint int flags parm
    local Seconds double
    local Sum double
  code
    ComputedJump(LocalVariable(EntryPoint))
    Let(Sum, LocalVariable(Sum), CallMath(/Script/Engine.KismetMathLibrary:Add_DoubleDouble, InstanceVariable(Total@self), LocalVariable(Seconds)))
    Let(Total@self, InstanceVariable(Total@self), LocalVariable(Sum))
    Let(Ticks@self, InstanceVariable(Ticks@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, InstanceVariable(Ticks@self), IntConst(1)))
    Let(Total@self, InstanceVariable(Total@self), CallMath(/Script/Engine.KismetMathLibrary:Divide_DoubleDouble, InstanceVariable(Total@self), InstanceVariable(Divisor@self)))
    Return(Nothing)
    EndOfScript
  end
  function Step flags public|blueprint_callable|blueprint_event
    param DeltaSeconds double flags parm
    event_offset 0xA
  code
    LetValueOnPersistentFrame(Seconds@self:ExecuteUbergraph_BP_Test, LocalVariable(DeltaSeconds))
    LocalFinalFunction(self:ExecuteUbergraph_BP_Test, IntConst(10))
    Return(Nothing)
    EndOfScript
  end
  function Add flags public|blueprint_callable
    param By int flags parm
    local Sum int
  code
    Let(Sum, LocalVariable(Sum), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, InstanceVariable(Ticks@self), LocalVariable(By)))
    Let(Ticks@self, InstanceVariable(Ticks@self), LocalVariable(Sum))
    Return(Nothing)
    EndOfScript
  end
  function Forever flags public|blueprint_callable
  code
  Again:
    Let(Ticks@self, InstanceVariable(Ticks@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, InstanceVariable(Ticks@self), IntConst(1)))
    Jump(Again)
    Return(Nothing)
    EndOfScript
  end
end
";

struct Game {
    world: World,
    class: ObjectPath,
    object: ObjectHandle,
    recorder: Recorder,
}

impl Game {
    fn new(tier: Tier, limits: Limits) -> Self {
        let package = asm::parse(CLASS).expect("the text is assembly").package;
        let class = package.classes[0].class.path.clone();
        let registry = declarations::embedded(package.engine);
        let package = verify(package, &registry).expect("the package is right");
        let recorder = Recorder::new();
        let host = Box::new(recorder.clone());
        let mut world = World::new(vec![package], registry, Natives::standard(), host, limits)
            .expect("the package can be loaded");
        world.set_tier(tier);
        let object = world.spawn(&class).expect("the class can be spawned");
        world.set_variable(object, &Name::new("Divisor"), &Value::Real(2.0));
        Self {
            world,
            class,
            object,
            recorder,
        }
    }

    /// What one call left: how it ended, its statements, the variables, and what was said.
    fn after(
        &mut self,
        end: &Result<(), RunError>,
    ) -> (String, u64, Vec<(Name, String)>, Vec<String>) {
        (
            format!("{end:?}"),
            self.world.statements(),
            self.world.variables(self.object),
            self.recorder.take(),
        )
    }

    fn send(&mut self, function: &str, arguments: &[Argument]) -> Result<(), RunError> {
        let event = self.world.event(&self.class, &Name::new(function))?;
        self.world.send(self.object, &event, arguments)
    }

    fn call(&mut self, function: &str, arguments: &[(&str, Value)]) -> Result<(), RunError> {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|(name, value)| (Name::new(*name), value.clone()))
            .collect();
        let function = Name::new(function);
        self.world
            .call(self.object, &function, &arguments)
            .map(drop)
    }
}

#[test]
fn a_sent_event_is_the_call_by_name_in_both_tiers() {
    for fuel in [1_000, 5_000, 3_000_000] {
        let limits = Limits {
            fuel,
            jumps: 2_000,
            ..Limits::default()
        };
        let mut games = [
            Game::new(Tier::Reference, limits),
            Game::new(Tier::Reference, limits),
            Game::new(Tier::Fast, limits),
            Game::new(Tier::Fast, limits),
        ];
        for round in 0..6 {
            let mut seen = Vec::new();
            for (index, game) in games.iter_mut().enumerate() {
                if round == 4 {
                    // Behind the division by zero, the event goes on.
                    game.world
                        .set_variable(game.object, &Name::new("Divisor"), &Value::Real(0.0));
                }
                let end = match (round, index % 2) {
                    (2, 0) => game.call("Add", &[("By", Value::Int(40))]),
                    (2, _) => game.send("Add", &[Argument::Int(40)]),
                    (3, 0) => game.call("Forever", &[]),
                    (3, _) => game.send("Forever", &[]),
                    (_, 0) => game.call("Step", &[("DeltaSeconds", Value::Real(0.5))]),
                    (_, _) => game.send("Step", &[Argument::Real(0.5)]),
                };
                seen.push(game.after(&end));
            }
            for other in &seen[1..] {
                assert_eq!(&seen[0], other, "round {round} with fuel {fuel}");
            }
        }
    }
}

#[test]
fn a_sent_event_allocates_nothing() {
    let mut game = Game::new(Tier::Fast, Limits::default());
    let step = game
        .world
        .event(&game.class, &Name::new("Step"))
        .expect("the class has it");
    let add = game
        .world
        .event(&game.class, &Name::new("Add"))
        .expect("the class has it");
    let (world, object) = (&mut game.world, game.object);
    let mut both = || {
        world
            .send(object, &step, &[Argument::Real(0.25)])
            .and_then(|()| world.send(object, &add, &[Argument::Int(1)]))
    };
    // The first makes register code of the functions, the second knows where calls lead.
    both().and_then(|()| both()).expect("it runs");
    let mut end = Ok(());
    let memory = allocation_counter::measure(|| end = (0..100).try_for_each(|_| both()));
    end.expect("it runs");
    assert_eq!(memory.count_total, 0);
}

#[test]
fn what_does_not_fit_an_event_is_said_and_changes_nothing() {
    for tier in [Tier::Reference, Tier::Fast] {
        let mut game = Game::new(tier, Limits::default());
        game.send("Step", &[Argument::Real(1.0)]).expect("it runs");
        let before = game.world.variables(game.object);
        for arguments in [
            &[][..],
            &[Argument::Int(1)][..],
            &[Argument::Bool(true)][..],
        ] {
            let end = game.send("Step", arguments);
            assert!(
                matches!(&end, Err(RunError::NoParameter { parameter, .. }) if *parameter == "DeltaSeconds"),
                "{end:?}"
            );
        }
        assert_eq!(game.world.variables(game.object), before);
        assert!(matches!(
            game.world.event(&game.class, &Name::new("Jump")),
            Err(RunError::NoFunction { .. })
        ));
        let step = game
            .world
            .event(&game.class, &Name::new("Step"))
            .expect("the class has it");
        game.world
            .destroy(game.object)
            .expect("it can be destroyed");
        assert!(matches!(
            game.world.send(game.object, &step, &[Argument::Real(1.0)]),
            Err(RunError::NoObject)
        ));
    }
}
