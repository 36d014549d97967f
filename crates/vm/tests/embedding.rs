//! What an embedder can put in: hooks of opcodes, and where replicated functions run.

use std::cell::RefCell;
use std::rc::Rc;

use bp_bytecode::verify::verify;
use bp_bytecode::{CodeOffset, Opcode, asm};
use bp_reflect::{Name, PropertyType, Value, declarations};
use bp_vm::{
    Callspace, Execution, HeapUsage, Host, Limits, Natives, ObjectHandle, Recorder, RemoteCall,
    RunError, Stop, Warning, World,
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

/// Calls, literals, lists, assignments and jumps, to be replaced.
const REPLACED: &str = "package 5.3
class /Game/BP_Test.BP_Test_C : /Script/CoreUObject.Object
  kind blueprint
  property N int
  property S string
  property Ints array<int>
  property Other object:/Game/BP_Test.BP_Test_C
  function Run flags public|blueprint_callable
  code
    Let(N@self, InstanceVariable(N@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, IntConst(20), IntConst(1)))
    Let(S@self, InstanceVariable(S@self), StringConst(\"text\"))
    SetArray(InstanceVariable(Ints@self), IntConst(1), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, IntConst(1), IntConst(1)), IntConst(3))
    JumpIfNot(End, False)
    Let(S@self, InstanceVariable(S@self), UnicodeStringConst(\"went on\"))
    Let(N@self, InstanceVariable(N@self), Context(InstanceVariable(Other@self), N@self, InstanceVariable(N@self)))
  End:
    Return(Nothing)
    EndOfScript
  end
end
";

/// What the variables are when an opcode has had a hook.
fn replaced(
    opcode: Opcode,
    hook: impl Fn(&mut Execution<'_>) -> bp_vm::Run + 'static,
) -> [String; 3] {
    let (mut world, object) = world(REPLACED, Box::new(Recorder::new()));
    assert!(world.hook_opcode(opcode, Some(Rc::new(hook))));
    world.call(object, &Name::new("Run"), &[]).expect("it runs");
    let variables = world.variables(object);
    let shown = ["N", "S", "Ints"].map(|name| {
        let found = variables.iter().find(|(known, _)| *known == *name);
        found.expect("it has it").1.clone()
    });
    assert_eq!(world.close(), HeapUsage::default());
    shown
}

#[test]
fn a_hook_may_take_a_handlers_place() {
    // Nothing replaced.
    assert_eq!(
        replaced(Opcode::Jump, |_| Ok(())),
        ["21", "text", "[1, 2, 3]"]
    );
    // Its operands evaluated, in order, and another result given.
    let product = replaced(Opcode::CallMath, |call| {
        call.replace();
        call.u64();
        let (Value::Int(a), Value::Int(b)) = (call.evaluate()?, call.evaluate()?) else {
            panic!("the arguments are numbers");
        };
        assert!(call.ends(Opcode::EndFunctionParms));
        assert!(call.give(&PropertyType::Int, &Value::Int(a * b)));
        // It has been replaced.
        call.run()
    });
    assert_eq!(product, ["20", "text", "[1, 1, 3]"]);
    // One operand passed over, the rest not looked at.
    let second = replaced(Opcode::CallMath, |call| {
        call.replace();
        call.u64();
        call.skip();
        let second = call.evaluate()?;
        assert!(call.give(&PropertyType::Int, &second));
        Ok(())
    });
    assert_eq!(second, ["1", "text", "[1, 1, 3]"]);
    // Nothing looked at, nothing given: the places keep what they hold, the element is zero.
    let nothing = replaced(Opcode::CallMath, |call| {
        call.replace();
        Ok(())
    });
    assert_eq!(nothing, ["0", "text", "[1, 0, 3]"]);
    // A value that owns something in a heap.
    let text = replaced(Opcode::StringConst, |literal| {
        literal.replace();
        let text = literal.ansi_string().to_uppercase();
        assert!(literal.give(&PropertyType::Str, &Value::Str(text.into())));
        Ok(())
    });
    assert_eq!(text, ["21", "TEXT", "[1, 2, 3]"]);
    // What does not fit is refused.
    let refused = replaced(Opcode::StringConst, |literal| {
        literal.replace();
        assert!(!literal.give(&PropertyType::Str, &Value::Bool(true)));
        Ok(())
    });
    assert_eq!(refused, ["21", "", "[1, 2, 3]"]);
}

#[test]
fn a_hook_may_replace_statements_and_jumps() {
    // An assignment that is left out, with the call in it.
    let kept = replaced(Opcode::Let, |assignment| {
        assignment.replace();
        Ok(())
    });
    assert_eq!(kept, ["0", "", "[1, 2, 3]"]);
    let kept = replaced(Opcode::SetArray, |assignment| {
        assignment.replace();
        Ok(())
    });
    assert_eq!(kept, ["21", "text", "[]"]);
    // A branch the other way round; the object that is read through it is another one.
    let other_way = replaced(Opcode::JumpIfNot, |branch| {
        branch.replace();
        let target = branch.u32();
        if branch.evaluate()? == Value::Bool(true) {
            branch.jump(CodeOffset(target))?;
        }
        Ok(())
    });
    assert_eq!(other_way, ["0", "went on", "[1, 2, 3]"]);
}

#[test]
fn a_hook_evaluates_on_another_object() {
    let (mut world, object) = world(REPLACED, Box::new(Recorder::new()));
    let class = world.class(object).expect("it has a class");
    let other = world.spawn(&class).expect("it can be spawned");
    world.set_variable(other, &Name::new("N"), &Value::Int(77));
    world.hook_opcode(
        Opcode::JumpIfNot,
        Some(Rc::new(|branch| {
            branch.replace();
            Ok(())
        })),
    );
    world.hook_opcode(
        Opcode::Context,
        Some(Rc::new(move |context| {
            context.replace();
            // Instead of the object that the script names.
            context.skip();
            let (_skip, _result) = (context.u32(), context.u64());
            let value = context.evaluate_on(other)?;
            context.give(&PropertyType::Int, &value);
            Ok(())
        })),
    );
    world.call(object, &Name::new("Run"), &[]).expect("it runs");
    let found = world.variable(object, &Name::new("N"));
    assert_eq!(found, Some(Value::Int(77)));
}

#[test]
fn what_has_no_handler_has_no_hook() {
    let (mut world, _) = world(JUMPS, Box::new(Recorder::new()));
    let refused = Opcode::ALL.iter().filter(|op| {
        let hook: bp_vm::OpcodeHook = Rc::new(|_| Ok(()));
        !world.hook_opcode(**op, Some(hook))
    });
    let refused: Vec<&str> = refused.map(|op| op.name()).collect();
    assert_eq!(refused.len(), Opcode::ALL.len() - bp_vm::handler_count());
    assert!(refused.contains(&"EX_Return") && refused.contains(&"EX_EndFunctionParms"));
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
