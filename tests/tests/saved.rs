//! A world that is saved and put back goes on as if nothing had happened.

use bp_bytecode::Package;
use bp_bytecode::verify::Verified;
use bp_cli::load::{self, Loaded};
use bp_cli::{pipeline, runner};
use bp_reflect::ObjectPath;
use bp_tests::cases::{self, Case};
use bp_tests::roundtrip;
use bp_vm::{LimitKind, Limits, Natives, ObjectHandle, Recorder, RestoreError, World};
use rayon::prelude::*;

struct Program {
    loaded: Loaded,
    package: Verified<Package>,
    class: ObjectPath,
}

impl Program {
    /// None for a case that is refused.
    fn of(case: &Case) -> Option<Self> {
        let loaded = load::load(&case.inputs(), &load::Options::default()).ok()?;
        if case.errors.is_some() {
            return None;
        }
        let package = roundtrip::build(&loaded, false).ok()?;
        let package = roundtrip::verify(package, &loaded).ok()?;
        let class = pipeline::main_class(&loaded)?;
        Some(Self {
            loaded,
            package,
            class,
        })
    }

    fn world(&self, recorder: &Recorder) -> World {
        self.limited(recorder, Limits::default())
    }

    fn limited(&self, recorder: &Recorder, limits: Limits) -> World {
        World::new(
            vec![self.package.clone()],
            self.loaded.registry.clone(),
            Natives::standard(),
            Box::new(recorder.clone()),
            limits,
        )
        .expect("the package can be loaded")
    }

    /// A world whose first object plays.
    fn begun(&self, recorder: &Recorder) -> (World, ObjectHandle) {
        let mut world = self.world(recorder);
        let object = world.spawn(&self.class).expect("it can be spawned");
        // Cases of faults go on after them.
        let _ = world.begin_play(object);
        recorder.take();
        (world, object)
    }
}

/// Lets ticks pass and gives what is told in each, then the variables.
fn ticked(
    world: &mut World,
    object: ObjectHandle,
    recorder: &Recorder,
    n_ticks: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..n_ticks {
        let result = world.tick(runner::DEFAULT_TICK);
        lines.extend(recorder.take());
        lines.extend(result.err().map(|error| error.to_string()));
    }
    let variables = world.variables(object).into_iter();
    lines.extend(variables.map(|(name, value)| format!("{name} = {value}")));
    lines.push(format!(
        "{:?} {:?} {} bytes",
        world.heap_usage(),
        world.time(),
        world.memory().used
    ));
    lines
}

/// Ticks before saving, and after.
const TICKS: [usize; 3] = [0, 1, 40];
const REST: usize = 90;

/// What goes wrong, a line each; and whether time changed anything.
fn check(case: &Case) -> (Vec<String>, bool) {
    let Some(program) = Program::of(case) else {
        return (Vec::new(), false);
    };
    let mut problems = Vec::new();
    let recorder = Recorder::new();
    let (world, object) = program.begun(&recorder);
    let mut begun = Some(world);
    let mut is_lively = false;
    for before in TICKS {
        let mut world = begun.take().unwrap_or_else(|| program.begun(&recorder).0);
        if before == TICKS[0] {
            is_lively = world.is_waiting() || world.has_tick(object);
        } else if !is_lively {
            // Where nothing happens by itself, all moments are alike.
            break;
        }
        let rest = if is_lively { REST } else { 2 };
        ticked(&mut world, object, &recorder, before);
        let bytes = world.save();
        assert_eq!(
            bytes,
            world.save(),
            "{}: saving changes something",
            case.name
        );
        let expected = ticked(&mut world, object, &recorder, rest);

        let fresh_recorder = Recorder::new();
        let mut fresh = program.world(&fresh_recorder);
        let mut compare = |what: &str, world: &mut World, recorder: &Recorder| {
            if let Err(error) = world.restore(&bytes) {
                problems.push(format!("{}: {what}: {error}", case.name));
                return;
            }
            if world.save() != bytes && what == "fresh" {
                problems.push(format!("{}: {what}: it is saved differently", case.name));
            }
            let found = ticked(world, object, recorder, rest);
            if found != expected {
                problems.push(format!(
                    "{}: {what}, after {before} ticks:\n{expected:#?}\n{found:#?}",
                    case.name
                ));
            }
        };
        compare("fresh", &mut fresh, &fresh_recorder);
        compare("back in time", &mut world, &recorder);
    }
    (problems, is_lively)
}

#[test]
fn every_case_goes_on_as_it_would_have() {
    let cases = cases::all("");
    let found: Vec<_> = cases.par_iter().map(check).collect();
    let n_lively = found.iter().filter(|(_, is_lively)| *is_lively).count();
    let problems: Vec<String> = found
        .into_iter()
        .flat_map(|(problems, _)| problems)
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    // Delays, timers and timelines are among them.
    assert!(n_lively >= 10, "only {n_lively} cases do something in time");
}

#[test]
fn what_comes_back_keeps_to_the_limits() {
    let case = cases::all("w05_saved_game_comes_back").into_iter().next();
    let program = Program::of(&case.expect("the case is there")).expect("it compiles");
    let recorder = Recorder::new();
    let (world, _) = program.begun(&recorder);
    let bytes = world.save();
    let used = world.memory().used;

    let memory = |memory| Limits {
        memory,
        ..Limits::default()
    };
    let mut exact = program.limited(&recorder, memory(used));
    exact.restore(&bytes).expect("it fits to the byte");
    assert_eq!(exact.memory().used, used);
    let mut narrow = program.limited(&recorder, memory(used - 1));
    let limit = LimitKind::Memory(used - 1);
    assert_eq!(narrow.restore(&bytes), Err(RestoreError::Limit(limit)));

    let without_objects = Limits {
        objects: 0,
        ..Limits::default()
    };
    let mut empty = program.limited(&recorder, without_objects);
    let limit = LimitKind::Objects(0);
    assert_eq!(empty.restore(&bytes), Err(RestoreError::Limit(limit)));
}

#[test]
fn damaged_and_foreign_bytes_are_refused() {
    let find = |name: &str| {
        let case = cases::all(name)
            .into_iter()
            .next()
            .expect("the case is there");
        Program::of(&case).expect("it compiles")
    };
    let program = find("nodes/LatentDelay");
    let recorder = Recorder::new();
    let (world, _) = program.begun(&recorder);
    let bytes = world.save();
    let mut target = program.world(&recorder);
    assert_eq!(target.restore(&bytes[..10]), Err(RestoreError::Foreign));
    assert_eq!(
        target.restore(b"no world at all, but long enough"),
        Err(RestoreError::Foreign)
    );
    for at in (0..bytes.len()).step_by(bytes.len() / 300 + 1) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(target.restore(&damaged).is_err(), "byte {at}");
        assert!(target.restore(&bytes[..at]).is_err(), "cut at {at}");
    }
    target.restore(&bytes).expect("the right bytes still are");
    let mut other = find("nodes/ForLoop").world(&recorder);
    assert_eq!(other.restore(&bytes), Err(RestoreError::Packages));
}
