//! What an embedder can put in: hooks of opcodes, and where replicated functions run.

use std::cell::RefCell;
use std::rc::Rc;

use bp_bytecode::verify::verify;
use bp_bytecode::{Opcode, asm};
use bp_reflect::{Name, Value, declarations};
use bp_vm::{
    Callspace, Host, Limits, Natives, ObjectHandle, Recorder, RemoteCall, RunError, Stop, Warning,
    World,
};
use pretty_assertions::assert_eq;

fn world(text: &str, host: Box<dyn Host>) -> (World, ObjectHandle) {
    let package = asm::parse(text).expect("the text is assembly").package;
    let class = package.classes.last().expect("a class").class.path.clone();
    let registry = declarations::embedded(package.engine);
    let package = verify(package, &registry).expect("the package is right");
    let natives = Natives::standard();
    let mut world = World::new(vec![package], registry, natives, host, Limits::default())
        .expect("the package can be loaded");
    let object = world.spawn(&class).expect("the class can be spawned");
    (world, object)
}

const JUMPS: &str = "package 5.3
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  function Run flags public|blueprint_callable
    param Out int flags parm|out_parm
  code
    Jump(There)
    Let(Out, LocalOutVariable(Out), IntConst(1))
  There:
    Let(Out, LocalOutVariable(Out), IntConst(2))
    Jump(End)
  End:
    Return(Nothing)
    EndOfScript
  end
end
";

#[test]
fn a_hook_sees_every_execution_of_its_opcode_and_no_other() {
    let recorder = Recorder::new();
    let (mut world, object) = world(JUMPS, Box::new(recorder.clone()));
    let run = Name::new("Run");
    world.hook_opcode(
        Opcode::Jump,
        Some(Rc::new(|execution| {
            let (name, at) = (execution.opcode().name(), execution.offset());
            execution.print(&format!("{name} at {at}"));
            // One that runs the handler itself, and one that leaves it to the machine.
            if at.0 == 0 { execution.run() } else { Ok(()) }
        })),
    );
    let outputs = world.call(object, &run, &[]).expect("it runs");
    assert_eq!(outputs, [(Name::new("Out"), Value::Int(2))]);
    assert_eq!(recorder.take(), ["EX_Jump at 0x0", "EX_Jump at 0x33"]);
    world.hook_opcode(Opcode::Jump, None);
    world.call(object, &run, &[]).expect("it runs");
    assert_eq!(recorder.take(), [""; 0]);
}

#[test]
fn a_hook_can_end_the_run() {
    let (mut world, object) = world(JUMPS, Box::new(Recorder::new()));
    world.hook_opcode(
        Opcode::Jump,
        Some(Rc::new(|_| Err(RunError::Stop(Stop::Host)))),
    );
    let result = world.call(object, &Name::new("Run"), &[]);
    assert_eq!(result, Err(RunError::Stop(Stop::Host)));
}

/// Answers with one callspace, and writes down what is to run elsewhere.
struct Network {
    space: Callspace,
    sent: Rc<RefCell<Vec<String>>>,
}

impl Host for Network {
    fn print(&mut self, _: &str) {}
    fn warning(&mut self, _: &Warning) {}
    fn error(&mut self, _: &Warning) {}

    fn callspace(&mut self, _: &RemoteCall<'_>) -> Callspace {
        self.space
    }

    fn call_remotely(&mut self, call: &RemoteCall<'_>) {
        let text = format!(
            "{}.{} {:?}",
            call.object,
            call.function.name(),
            call.arguments
        );
        self.sent.borrow_mut().push(text);
    }
}

#[test]
fn a_replicated_function_runs_where_the_host_says() {
    let text = "package 5.3
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  property N int
  function Add flags public|blueprint_callable|net|net_server
    param By int flags parm
  code
    Let(N@self, InstanceVariable(N@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, InstanceVariable(N@self), LocalVariable(By)))
    Return(Nothing)
    EndOfScript
  end
  function Run flags public|blueprint_callable
  code
    VirtualFunction(Add, IntConst(5))
    Return(Nothing)
    EndOfScript
  end
end
";
    let sent_text = "BP_Test_C_0.Add [('By', Int(5))]";
    for (space, n, sent_there) in [
        (Callspace::Local, 5, 0),
        (Callspace::Remote, 0, 1),
        (Callspace::Both, 5, 1),
    ] {
        let sent = Rc::new(RefCell::new(Vec::new()));
        let host = Network {
            space,
            sent: Rc::clone(&sent),
        };
        let (mut world, object) = world(text, Box::new(host));
        world.call(object, &Name::new("Run"), &[]).expect("it runs");
        let found = world.variable(object, &Name::new("N"));
        assert_eq!(found, Some(Value::Int(n)), "{space:?}");
        assert_eq!(*sent.borrow(), vec![sent_text; sent_there], "{space:?}");
    }
}
