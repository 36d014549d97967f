//! The hook at statements: what observers are told, and what faults remember.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bp_bytecode::asm;
use bp_bytecode::verify::verify;
use bp_reflect::{Name, declarations};
use bp_vm::{
    Control, Limits, Natives, ObjectHandle, Observer, Paused, Profile, Recorder, RunError, Stop,
    World, coverage,
};
use pretty_assertions::assert_eq;

/// `Main` doubles a number in a loop by calling `Double`; `Lacking` calls what no one implements.
const TEXT: &str = r#"package 5.3
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  property N int
  property Point struct:/Script/CoreUObject.Vector
  property List array<int>
  property Other object:/Script/CoreUObject.Object
  function Double flags final|public|blueprint_callable
    param Value int flags parm
    param Result int flags parm|out_parm
    node 0 "Double" "Add" "add"
  code
    site 0
    Let(Result, LocalOutVariable(Result), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, LocalVariable(Value), LocalVariable(Value)))
    Return(Nothing)
    EndOfScript
  end
  function Main flags public|blueprint_callable
    local Twice int
    local More bool
    node 0 "Main" "Set N" "set"
    node 1 "Main" "Double" "double"
    node 2 "Main" "Branch" "branch"
    node 3 "Main" "Never" "never"
  code
    Let(N@self, InstanceVariable(N@self), IntConst(1))
  Again:
    site 1
    LocalFinalFunction(self:Double, InstanceVariable(N@self), LocalVariable(Twice))
    site 0
    Let(N@self, InstanceVariable(N@self), LocalVariable(Twice))
    site 2
    LetBool(LocalVariable(More), CallMath(/Script/Engine.KismetMathLibrary:Greater_IntInt, InstanceVariable(N@self), IntConst(4)))
    JumpIfNot(Again, LocalVariable(More))
    Jump(End)
    site 3
    Nothing
  End:
    Return(Nothing)
    EndOfScript
  end
  function Lacking flags public|blueprint_callable
    node 0 "Lacking" "Set N" "set"
    node 1 "Lacking" "Launch URL" "launch"
  code
    site 0
    Let(N@self, InstanceVariable(N@self), IntConst(1))
    Let(N@self, InstanceVariable(N@self), IntConst(2))
    site 1
    CallMath(/Script/Engine.KismetSystemLibrary:LaunchURL, StringConst("b"))
    Return(Nothing)
    EndOfScript
  end
end"#;

fn world() -> (World, ObjectHandle) {
    world_with(Natives::standard())
}

fn world_with(natives: Natives) -> (World, ObjectHandle) {
    let package = asm::parse(TEXT).expect("the text is assembly").package;
    let class = package.classes[0].class.path.clone();
    let registry = declarations::embedded(package.engine);
    let package = verify(package, &registry).expect("the package is right");
    let host = Box::new(Recorder::new());
    let mut world = World::new(vec![package], registry, natives, host, Limits::default())
        .expect("the package can be loaded");
    let object = world.spawn(&class).expect("the class can be spawned");
    (world, object)
}

fn main(world: &mut World, object: ObjectHandle) -> Result<(), RunError> {
    world.call(object, &Name::new("Main"), &[]).map(|_| ())
}

#[test]
fn a_recorder_writes_down_the_nodes_that_begin() {
    let (mut world, object) = world();
    let recorder = Recorder::new();
    world.observe(Some(Box::new(recorder.clone())));
    main(&mut world, object).expect("runs");
    // 1, 2, 4, 8: three rounds.
    let round = ["T: Double", "T: Add", "T: Set N", "T: Branch"];
    assert_eq!(recorder.take(), round.repeat(3));
    world.observe(None);
    main(&mut world, object).expect("runs");
    assert_eq!(recorder.take(), Vec::<String>::new());
}

#[test]
fn a_profile_counts_runs_and_charges_time_to_what_runs() {
    let (mut world, object) = world();
    let now = Rc::new(Cell::new(0.0));
    let clock = now.clone();
    // A second passes whenever the clock is read: at each statement, and when a function ends.
    let profile = Rc::new(RefCell::new(Profile::with_clock(move || {
        clock.set(clock.get() + 1.0);
        clock.get()
    })));
    world.observe(Some(Box::new(profile.clone())));
    main(&mut world, object).expect("runs");
    let nodes = profile.borrow().nodes(&world.scripts());
    let counts: Vec<(&str, u64, f64)> = nodes
        .iter()
        .filter(|count| *count.node.graph != *"Lacking")
        .map(|count| (&*count.node.name, count.runs, count.seconds))
        .collect();
    // Per round: `Double` until its callee's first statement and after its end, the callee's two
    // statements, the assignment, and the branch's two; its jump and the return behind the loop are
    // two more of `branch` and of `never`, whose code the return is part of.
    assert_eq!(
        counts,
        [
            ("add", 3, 6.0),
            ("double", 3, 6.0),
            ("set", 3, 3.0),
            ("branch", 3, 7.0),
            ("never", 1, 1.0),
        ]
    );
}

#[test]
fn coverage_tells_the_nodes_that_never_ran() {
    let (mut world, object) = world();
    let profile = Rc::new(RefCell::new(Profile::new()));
    world.observe(Some(Box::new(profile.clone())));
    main(&mut world, object).expect("runs");
    let nodes = profile.borrow().nodes(&world.scripts());
    let graphs: Vec<(String, usize, Vec<String>)> = coverage(&nodes)
        .into_iter()
        .map(|graph| {
            let never = graph
                .never
                .into_iter()
                .map(|node| node.name.to_string())
                .collect();
            (graph.graph, graph.ran.len(), never)
        })
        .collect();
    assert_eq!(
        graphs,
        [
            ("Double".to_owned(), 1, vec![]),
            ("Main".to_owned(), 4, vec![]),
            (
                "Lacking".to_owned(),
                0,
                vec!["set".to_owned(), "launch".to_owned()]
            ),
        ]
    );
}

#[test]
fn a_fault_tells_what_ran_before_it() {
    let (mut world, object) = world();
    let lacking = Name::new("Lacking");
    let Err(RunError::Unsupported(silent)) = world.call(object, &lacking, &[]) else {
        panic!("nothing implements it");
    };
    assert_eq!(silent.recent, []);
    world.remember(4);
    main(&mut world, object).expect("runs");
    let Err(RunError::Unsupported(told)) = world.call(object, &lacking, &[]) else {
        panic!("nothing implements it");
    };
    // Four statements: the last of `Main`, and two of one node, which are told as one.
    let recent: Vec<String> = told.recent.iter().map(ToString::to_string).collect();
    assert_eq!(
        recent,
        [
            "node “Never” in graph Main of BP_Test_C.Main",
            "node “Set N” in graph Lacking of BP_Test_C.Lacking",
            "node “Launch URL” in graph Lacking of BP_Test_C.Lacking",
        ]
    );
}

/// What an observer sees at the first statement of `Double`, which it stops at.
#[derive(Default)]
struct Looker {
    seen: Vec<String>,
    values: Vec<(&'static str, Option<String>)>,
}

impl Observer for Looker {
    fn statement(&mut self, at: &Paused<'_>) -> Control {
        if *at.function() != "Double" {
            return Control::Go;
        }
        self.seen = at.stack().iter().map(ToString::to_string).collect();
        let locals = at.locals().into_iter().chain(at.variables());
        self.seen
            .extend(locals.map(|(name, value)| format!("{name} = {value}")));
        self.values = [
            "Value", "N", "self", "self.N", "Point.Y", "List[0]", "Other.N", "N.X", "Nope",
        ]
        .map(|path| (path, at.value(path)))
        .to_vec();
        Control::Stop
    }
}

#[test]
fn an_observer_sees_values_and_can_stop_the_run() {
    let (mut world, object) = world();
    let looker = Rc::new(RefCell::new(Looker::default()));
    world.observe(Some(Box::new(looker.clone())));
    assert_eq!(main(&mut world, object), Err(RunError::Stop(Stop::Host)));
    let looker = looker.borrow();
    assert_eq!(
        looker.seen,
        [
            "node “Add” in graph Double of BP_Test_C.Double",
            "node “Double” in graph Main of BP_Test_C.Main",
            "Value = 1",
            "Result = 0",
            "N = 1",
            "Point = (X=0.0, Y=0.0, Z=0.0)",
            "List = []",
            "Other = None",
        ]
    );
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        looker.values,
        [
            ("Value", some("1")),
            ("N", some("1")),
            ("self", some("BP_Test_C_0")),
            ("self.N", some("1")),
            ("Point.Y", some("0.0")),
            ("List[0]", None),
            ("Other.N", None),
            ("N.X", None),
            ("Nope", None),
        ]
    );
    // A stopped call leaves a world that goes on.
    world.observe(None);
    main(&mut world, object).expect("runs");
}

#[test]
fn a_host_may_answer_for_functions_nobody_implements() {
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = asked.clone();
    let mut natives = Natives::standard();
    natives.set_fallback(move |call| {
        let url: String = call.arg(0);
        log.lock()
            .expect("nobody panics")
            .push(format!("{} {url}", call.path()));
        (url == "b").then_some(Ok(()))
    });
    let (mut world, object) = world_with(natives);
    let lacking = Name::new("Lacking");
    world.call(object, &lacking, &[]).expect("the host answers");
    assert_eq!(
        *asked.lock().expect("nobody panics"),
        ["/Script/Engine.KismetSystemLibrary:LaunchURL b"]
    );
    assert_eq!(world.exit_state().unsupported, []);
}
