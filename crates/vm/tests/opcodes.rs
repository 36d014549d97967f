//! Runs the cases in `tests/vm`, a folder for each opcode, and in `tests/opcodes`, where opcodes work together:
//! assembly files whose comments say what to do and what comes out.
//!
//! - `; engines 4.27 5.3`: the versions in whose forms the case is run, in place of the `package` line's;
//! - `; do begin_play`, `; do call NAME [PARAM=VALUE …]`, `; do tick SECONDS`, `; do variables`,
//!   `; do destroy`, in order, on an object of the file's last class;
//! - `; > LINE`: a line that came out of the `do` above it. `BLESS=1` writes these lines anew, `CASE=name.bpasm` runs one case.
//!
//! Afterwards nothing may be left in the heaps.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bp_bytecode::verify::Rule;
use bp_bytecode::{Expr, Layout, Opcode, Package, asm, decode_script};
use bp_reflect::{Name, Registry, Value, declarations};
use bp_vm::{HeapUsage, Limits, Natives, ObjectHandle, Recorder, World};
use pretty_assertions::assert_eq;

/// Assembly files below a folder of `tests`, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests")
        .join(folder);
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder of cases exists") {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "bpasm") {
                files.push(path);
            }
        }
    }
    if let Ok(wanted) = std::env::var("CASE") {
        files.retain(|path| path.ends_with(&wanted));
    }
    files.sort();
    files
}

/// Runs a case in each of its engine versions.
fn check(path: &Path, problems: &mut Vec<String>) {
    let text = std::fs::read_to_string(path).expect("a case can be read");
    let text = text.replace("\r\n", "\n");
    let name = path.display().to_string();
    let engines = text
        .lines()
        .find_map(|line| line.strip_prefix("; engines "));
    for engine in engines.unwrap_or_default().split(' ') {
        let own = |text: &str| match engine {
            "" => text.to_owned(),
            engine => text.replacen("package 5.3\n", &format!("package {engine}\n"), 1),
        };
        let name = format!("{name} in {engine}");
        let found = match asm::parse(&own(&text)) {
            Ok(parsed) => parsed.package.engine,
            Err(errors) => panic!("{name}: {errors:?}"),
        };
        let blessed = run(&name, &own(&text), declarations::embedded(found));
        if std::env::var_os("BLESS").is_some() && engine.is_empty() {
            std::fs::write(path, &blessed).expect("a case can be written");
        } else if own(&text) != blessed {
            let expected = own(&text);
            let lines = expected.lines().zip(blessed.lines());
            let at = lines.take_while(|(a, b)| a == b).count();
            let line = |text: &str| text.lines().nth(at).unwrap_or("the end").to_owned();
            problems.push(format!(
                "{name}, line {}:\n  expected {}\n  found    {}",
                at + 1,
                line(&expected),
                line(&blessed)
            ));
        }
    }
}

#[test]
fn opcodes_work_together() {
    let files = files("opcodes");
    assert!(!files.is_empty() || std::env::var_os("CASE").is_some());
    let mut problems = Vec::new();
    for path in files {
        check(&path, &mut problems);
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// What no engine executes: ends of lists, which the opcodes in front of them read, and an expression that
/// only old compilers made.
const NOT_EXECUTED: [&str; 13] = [
    "EndParmValue",
    "EndFunctionParms",
    "Skip",
    "EndStructConst",
    "EndArray",
    "EndSet",
    "EndMap",
    "EndSetConst",
    "EndMapConst",
    "EndArrayConst",
    "AutoRtfmStopTransact",
    // A verified script ends before it, and a bit field stands in literals of native structs only.
    "EndOfScript",
    "BitFieldConst",
];

#[test]
fn every_opcode_has_cases() {
    let files = files("vm");
    let mut problems = Vec::new();
    for op in Opcode::ALL {
        let name = op.name().trim_start_matches("EX_");
        let own = files.iter().filter(|path| {
            let folder = path.parent().and_then(Path::file_name);
            folder.is_some_and(|folder| folder == name)
        });
        let own: Vec<&PathBuf> = own.collect();
        if own.is_empty() != NOT_EXECUTED.contains(&name) {
            problems.push(format!("{name} has {} cases", own.len()));
        }
        for path in own {
            let text = std::fs::read_to_string(path).expect("a case can be read");
            let package = asm::parse(&text.replacen("package 5.3\n", "package 5.8\n", 1));
            let package = package.expect("the case is assembly").package;
            if !holds(&package, *op) {
                problems.push(format!("{} does not hold {name}", path.display()));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// What happens where an opcode cannot do what it stands for.
#[derive(Debug, PartialEq)]
enum Failure {
    /// The run ends with a named error.
    Stops,
    /// A warning or an error is told, and the script goes on; also of an operand's, where the opcode then
    /// does something of its own.
    Reports,
    /// It is defined and told to nobody; the case that shows it.
    Silent(&'static str),
    /// Nothing can go wrong in it.
    Never,
    /// What could go wrong no verified script does; the rule that says so.
    Verified(Rule),
}

/// Without a wildcard: a new opcode must say it.
fn failure(op: Opcode) -> Failure {
    use Failure::{Never, Reports, Silent, Stops, Verified};
    match op {
        Opcode::AutoRtfmTransact
        | Opcode::AutoRtfmAbortIfNot
        | Opcode::AutoRtfmAbort
        | Opcode::ComputedJump
        | Opcode::CallMath
        | Opcode::VirtualFunction
        | Opcode::FinalFunction
        | Opcode::LocalVirtualFunction => Stops,

        Opcode::LocalOutVariable
        | Opcode::InstanceVariable
        | Opcode::DefaultVariable
        | Opcode::ClassSparseDataVariable
        | Opcode::ArrayGetByRef
        | Opcode::StructMemberContext
        | Opcode::Context
        | Opcode::ClassContext
        | Opcode::InterfaceContext
        | Opcode::LocalFinalFunction
        | Opcode::Jump
        | Opcode::JumpIfNot
        | Opcode::PopExecutionFlow
        | Opcode::PopExecutionFlowIfNot
        | Opcode::SwitchValue
        | Opcode::Assert
        | Opcode::Let
        | Opcode::LetBool
        | Opcode::LetObj
        | Opcode::LetWeakObjPtr
        | Opcode::LetDelegate
        | Opcode::LetMulticastDelegate
        | Opcode::SetArray
        | Opcode::SetSet
        | Opcode::SetMap
        | Opcode::BindDelegate
        | Opcode::AddMulticastDelegate
        | Opcode::RemoveMulticastDelegate
        | Opcode::ClearMulticastDelegate
        | Opcode::CallMulticastDelegate => Reports,

        Opcode::ContextFailSilent | Opcode::CrossInterfaceCast => Silent("of_null"),
        Opcode::DynamicCast
        | Opcode::MetaCast
        | Opcode::ObjToInterfaceCast
        | Opcode::InterfaceToObjCast => Silent("fits_and_does_not"),
        Opcode::TextConst => Silent("of_a_string_table"),

        Opcode::LocalVariable => Verified(Rule::Property),
        Opcode::LetValueOnPersistentFrame => Verified(Rule::PersistentFrame),
        Opcode::StructConst | Opcode::BitFieldConst => Verified(Rule::StructLiteral),
        Opcode::EndOfScript => Verified(Rule::EndOfScript),
        Opcode::Cast => Verified(Rule::Version),
        // They are not run by themselves, see `NOT_EXECUTED`.
        Opcode::EndParmValue
        | Opcode::EndFunctionParms
        | Opcode::Skip
        | Opcode::EndStructConst
        | Opcode::EndArray
        | Opcode::EndSet
        | Opcode::EndMap
        | Opcode::EndSetConst
        | Opcode::EndMapConst
        | Opcode::EndArrayConst
        | Opcode::AutoRtfmStopTransact => Verified(Rule::Bytes),

        // What they hold may fail, which is what it does by itself.
        Opcode::Return
        | Opcode::ArrayConst
        | Opcode::SetConst
        | Opcode::MapConst
        | Opcode::InstanceDelegate
        | Opcode::PushExecutionFlow
        | Opcode::Nothing
        | Opcode::NothingInt32
        | Opcode::DeprecatedOp4A
        | Opcode::Breakpoint
        | Opcode::Tracepoint
        | Opcode::WireTracepoint
        | Opcode::InstrumentationEvent
        | Opcode::Self_
        | Opcode::IntConst
        | Opcode::IntConstByte
        | Opcode::IntZero
        | Opcode::IntOne
        | Opcode::Int64Const
        | Opcode::UInt64Const
        | Opcode::ByteConst
        | Opcode::FloatConst
        | Opcode::DoubleConst
        | Opcode::True
        | Opcode::False
        | Opcode::NameConst
        | Opcode::StringConst
        | Opcode::UnicodeStringConst
        | Opcode::ObjectConst
        | Opcode::SoftObjectConst
        | Opcode::FieldPathConst
        | Opcode::PropertyConst
        | Opcode::SkipOffsetConst
        | Opcode::NoObject
        | Opcode::NoInterface
        | Opcode::VectorConst
        | Opcode::Vector3fConst
        | Opcode::RotationConst
        | Opcode::TransformConst => Never,
    }
}

#[test]
fn every_opcode_that_can_fail_has_a_case_of_it() {
    let mut problems = Vec::new();
    let all = files("vm");
    for op in Opcode::ALL {
        let name = op.name().trim_start_matches("EX_");
        let own = all
            .iter()
            .filter(|path| path.parent().and_then(Path::file_name) == Some(name.as_ref()));
        let own: Vec<(String, String)> = own
            .map(|path| {
                let text = std::fs::read_to_string(path).expect("a case can be read");
                let stem = path.file_stem().expect("a file has a name");
                (stem.to_string_lossy().into_owned(), text)
            })
            .collect();
        let has = |starts: &[&str]| {
            let mut lines = own.iter().flat_map(|(_, text)| text.lines());
            lines.any(|line| starts.iter().any(|start| line.starts_with(start)))
        };
        let (stops, reports) = (has(&["; > stopped: "]), has(&["; > W: ", "; > E: "]));
        let failure = failure(*op);
        let is_shown = match &failure {
            Failure::Stops => stops,
            Failure::Reports => reports && !stops,
            Failure::Silent(case) => !stops && !reports && own.iter().any(|(stem, _)| stem == case),
            Failure::Never | Failure::Verified(_) => !stops && !reports,
        };
        if !is_shown {
            let shown: Vec<&str> = own.iter().map(|(stem, _)| stem.as_str()).collect();
            problems.push(format!("{name}: {failure:?}, its cases are {shown:?}"));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// Whether a script of the package has the opcode.
fn holds(package: &Package, op: Opcode) -> bool {
    let functions = package.classes.iter().flat_map(|class| &class.functions);
    let mut work: Vec<Expr> = functions
        .filter_map(|function| {
            let dialect = package.dialect();
            let references = &package.references;
            decode_script(&function.script, dialect, Layout::Memory, references).ok()
        })
        .flat_map(|script| script.statements)
        .map(|statement| statement.expr)
        .collect();
    while let Some(expr) = work.pop() {
        if expr.op == op {
            return true;
        }
        work.extend(expr.children().into_iter().cloned());
    }
    false
}

#[test]
fn opcodes_do_what_their_cases_say() {
    let mut problems = Vec::new();
    for path in files("vm") {
        check(&path, &mut problems);
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// The text of the case with the lines that come out now.
fn run(name: &str, text: &str, registry: Registry) -> String {
    let package = asm::parse(text).expect("parsed before").package;
    let package = match bp_bytecode::verify::verify(package, &registry) {
        Ok(package) => package,
        Err(errors) => panic!(
            "{name}: {}",
            errors
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        ),
    };
    let class = package
        .classes
        .last()
        .unwrap_or_else(|| panic!("{name} has no class"))
        .class
        .path
        .clone();
    let recorder = Recorder::new();
    let host = Box::new(recorder.clone());
    let limits = Limits {
        jumps: 10_000,
        ..Limits::default()
    };
    let mut world = World::new(vec![package], registry, Natives::standard(), host, limits)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let object = world
        .spawn(&class)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("; > ") || line == "; >" {
            continue;
        }
        writeln!(out, "{line}").expect("writing to a string");
        if let Some(command) = line.strip_prefix("; do ") {
            let result = act(&mut world, object, command);
            let mut lines = recorder.take();
            match result {
                Ok(more) => lines.extend(more),
                Err(error) => lines.push(format!("stopped: {error}")),
            }
            for line in lines.iter().flat_map(|line| line.split('\n')) {
                let line = format!("; > {line}");
                writeln!(out, "{}", line.trim_end()).expect("writing to a string");
            }
        }
    }
    let left = world.close();
    assert_eq!(left, HeapUsage::default(), "{name} leaks");
    out
}

fn act(world: &mut World, object: ObjectHandle, command: &str) -> bp_vm::Run<Vec<String>> {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("begin_play") => world.begin_play(object).map(|()| Vec::new()),
        Some("destroy") => world.destroy(object).map(|()| Vec::new()),
        Some("tick") => {
            let seconds = words.next().and_then(|word| word.parse().ok());
            world.tick(seconds.unwrap_or(1.0)).map(|()| Vec::new())
        }
        Some("variables") => Ok(world
            .variables(object)
            .into_iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect()),
        Some("call") => {
            let function = Name::new(words.next().expect("call names a function"));
            let arguments: Vec<_> = words
                .map(|word| {
                    let (name, value) = word.split_once('=').expect("PARAM=VALUE");
                    (Name::new(name), value_of(value))
                })
                .collect();
            let results = world.call(object, &function, &arguments)?;
            Ok(results
                .into_iter()
                .map(|(name, value)| format!("{name} -> {value:?}"))
                .collect())
        }
        other => panic!("unknown command {other:?}"),
    }
}

fn value_of(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(value), _) => Value::Int(value),
            (_, Ok(value)) => Value::Real(value),
            _ => Value::Str(text.into()),
        },
    }
}
