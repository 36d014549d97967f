//! Our side: the graphs compiled, and run by an interpreter of choice.

use bp_bytecode::Package;
use bp_bytecode::verify::Verified;
use bp_cli::input::Input;
use bp_cli::load::{Loaded, Options, load};
use bp_cli::pipeline;
use bp_reflect::{Name, ObjectPath, Value};
use bp_tests::roundtrip;
use bp_vm::{Argument, Limits, Natives, ObjectHandle, Recorder, World};

use super::clock::{self, timed};
use super::workloads::{DELTA, Program, Workload};
use super::{Sample, sample};

/// A way to run the same bytes. Another one is another variant, and a branch in [`Game::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Tier {
    /// Register code, made of a function when it is first called.
    Fast,
    /// The interpreter that follows the bytes one expression at a time.
    Reference,
}

impl Tier {
    /// All there are.
    pub(crate) const ALL: [Self; 2] = [Self::Fast, Self::Reference];

    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fast => "bpc",
            Self::Reference => "bpc reference",
        }
    }

    /// What it is, in words.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Fast => {
                "typed register code over the same frames, made of each function when it is first called; what people run"
            }
            Self::Reference => {
                "follows the bytes one expression at a time, as the engine does; what it does is the measure of any other"
            }
        }
    }

    /// The inputs it is timed with: so many that a sample takes seconds at most.
    pub(crate) fn inputs(self, workload: &Workload) -> [i64; 3] {
        match self {
            Self::Fast => workload.full,
            Self::Reference => workload.part,
        }
    }
}

/// As far as guards can be opened: the programs take more jumps than the engine allows a game.
const LIMITS: Limits = Limits {
    recursion: 120,
    jumps: u32::MAX,
    fuel: u64::MAX,
    memory: 4 << 30,
    objects: 1_000_000,
    nesting: 4096,
    repeats: 10,
};

/// A program that is compiled and verified.
pub(crate) struct Compiled {
    workload: Workload,
    loaded: Loaded,
    package: Verified<Package>,
    class: ObjectPath,
}

impl Compiled {
    /// Compiles the graph of a workload.
    pub(crate) fn new(workload: Workload) -> Result<Self, String> {
        let name = format!("graphs/bench/{}.json", workload.graph);
        let bytes = std::fs::read(bp_tests::root().join(&name))
            .map_err(|error| format!("{name}: {error}"))?;
        let input = Input::new(name.clone(), bytes, None);
        let loaded = load(&[input], &Options::default()).map_err(|failure| failure.to_string())?;
        let package = roundtrip::build(&loaded, false)
            .and_then(|package| roundtrip::verify(package, &loaded))
            .map_err(|error| format!("{name}: {error}"))?;
        let class = pipeline::main_class(&loaded).ok_or_else(|| format!("{name} has no class"))?;
        Ok(Self {
            workload,
            loaded,
            package,
            class,
        })
    }

    /// Times the program in a world of its own, and compares nothing yet.
    pub(crate) fn measure(&self, tier: Tier, inputs: [i64; 3]) -> Result<Sample, String> {
        let in_words = |error: String| format!("{} {}: {error}", tier.name(), self.workload.key);
        let mut game = Game::new(self, tier).map_err(in_words)?;
        let mut times = Vec::new();
        let mut result = 0.0;
        // The first warms up.
        for _ in 0..=clock::N_SAMPLES {
            let (time, given) = game.run(self.workload, inputs).map_err(in_words)?;
            times.push(time);
            result = given;
        }
        let share = self.workload.share(inputs);
        Ok(sample(times.split_off(1), share, result))
    }
}

/// A world with one object of the program's class.
struct Game {
    world: World,
    class: ObjectPath,
    recorder: Recorder,
}

impl Game {
    fn new(compiled: &Compiled, tier: Tier) -> Result<Self, String> {
        let recorder = Recorder::new();
        let mut world = World::new(
            vec![compiled.package.clone()],
            compiled.loaded.registry.clone(),
            Natives::standard(),
            Box::new(recorder.clone()),
            LIMITS,
        )
        .map_err(|error| error.to_string())?;
        world.set_tier(match tier {
            Tier::Fast => bp_vm::Tier::Fast,
            Tier::Reference => bp_vm::Tier::Reference,
        });
        Ok(Self {
            world,
            class: compiled.class.clone(),
            recorder,
        })
    }

    /// Runs the program once, on an object of its own.
    fn run(
        &mut self,
        workload: Workload,
        inputs: [i64; 3],
    ) -> Result<(std::time::Duration, f64), String> {
        let world = &mut self.world;
        let object = world
            .spawn(&self.class)
            .map_err(|error| error.to_string())?;
        let function = Name::new(workload.function);
        let (time, outputs) = if workload.program == Program::Advance {
            let event = world
                .event(&self.class, &function)
                .map_err(|error| error.to_string())?;
            let arguments = [Argument::Real(DELTA)];
            let (done, time) =
                timed(|| (0..inputs[0]).try_for_each(|_| world.send(object, &event, &arguments)));
            done.map_err(|error| error.to_string())?;
            (time, call(world, object, &Name::new("Sum"), &[])?)
        } else {
            let arguments: Vec<(Name, Value)> = workload
                .inputs
                .iter()
                .zip(inputs)
                .map(|(name, input)| (Name::new(*name), Value::Int(input)))
                .collect();
            let (outputs, time) = timed(|| call(world, object, &function, &arguments));
            (time, outputs?)
        };
        let result = match outputs.as_slice() {
            [(_, Value::Int(number))] => *number as f64,
            [(_, Value::Real(number))] => *number,
            other => return Err(format!("gives {other:?} and not a number")),
        };
        world.destroy(object).map_err(|error| error.to_string())?;
        // A program that is cut off by a guard ends early, and tells.
        match self.recorder.take().first() {
            None => Ok((time, result)),
            Some(line) => Err(line.clone()),
        }
    }
}

fn call(
    world: &mut World,
    object: ObjectHandle,
    function: &Name,
    arguments: &[(Name, Value)],
) -> Result<Vec<(Name, Value)>, String> {
    world
        .call(object, function, arguments)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::workloads::{ALL, is_same};
    use super::*;

    #[test]
    fn every_tier_gives_what_machine_code_gives() {
        for workload in ALL {
            let compiled = Compiled::new(workload).expect("the graph compiles");
            for tier in Tier::ALL {
                let mut game = Game::new(&compiled, tier).expect("the package can be loaded");
                let (_, result) = game
                    .run(workload, workload.tiny())
                    .expect("the program ends");
                let expected = workload.native(workload.tiny());
                assert!(
                    is_same(result, expected),
                    "{} {}: {result} and not {expected}",
                    tier.name(),
                    workload.key
                );
            }
        }
    }
}
