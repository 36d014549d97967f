//! Real functions run twice: as the engine's compiler stored them, and as ours compiles the same graph.
//!
//! Both scripts run on an object of their own with the same values in its variables and the same arguments,
//! and must give the same results, the same lines and the same variables. What differs between the two is
//! the script alone: defaults, components and timelines of both classes are those of the drawn Blueprint.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bp_bytecode::verify::{Verified, verify};
use bp_bytecode::{
    CompiledClass, CompiledFunction, Expr, Layout, Opcode, Operand, Package, decode_script,
};
use bp_cli::pipeline::stored_package;
use bp_cli::project::ContextPackage;
use bp_compiler::Options;
use bp_graph::Blueprint;
use bp_reflect::{Function, Name, ObjectPath, PropertyType, Registry, Value};
use bp_vm::{Limits, Natives, Recorder, RunError, Tier, World};

use crate::rng::Rng;

/// Runs of each function, each with other values.
pub const ROUNDS: u64 = 3;

/// What became of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Both ran to their ends and gave the same in every round.
    Equal,
    /// They gave different results: what.
    Different(String),
    /// It could not be run to its end, or used an object it does not have: why.
    Excluded(String),
}

/// A function of a real package, run twice.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The function.
    pub path: ObjectPath,
    /// Whether both scripts, and those of all it calls in its class, are the same statements at the same
    /// offsets.
    pub same_script: bool,
    /// What became of it.
    pub outcome: Outcome,
}

/// Statements by function.
type Scripts = HashMap<Name, Vec<(u32, Expr)>>;

/// Both forms of a class, reduced to the functions that both have.
struct Pair {
    class: ObjectPath,
    ours: Verified<Package>,
    theirs: Verified<Package>,
    same: BTreeSet<Name>,
}

/// Runs every function of a package that has both forms.
pub fn package(asset: &ContextPackage, base: &Registry, libraries: &[&Blueprint]) -> Vec<Replayed> {
    let Some(blueprint) = &asset.drawn else {
        return Vec::new();
    };
    let class = &blueprint.class_path;
    let Ok((stored, _)) = stored_package(&asset.package) else {
        return Vec::new();
    };
    let Some(stored_class) = stored.class(class) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut exclude = |name: &Name, why: &str| {
        out.push(Replayed {
            path: class.member(name),
            same_script: false,
            outcome: Outcome::Excluded(why.to_owned()),
        });
    };
    let mut registry = base.clone();
    let blueprints = std::slice::from_ref(blueprint);
    bp_compiler::declare(blueprints, &mut registry);
    let options = Options {
        engine: Some(asset.package.engine()),
        debug_sites: true,
    };
    let compilation = bp_compiler::compile(blueprints, libraries, &registry, options);
    let compiled = compilation.partial_package(&registry, asset.package.engine());
    let names: Vec<Name> = with_scripts(stored_class).cloned().collect();
    let pair = match pair(&stored, &compiled, class, &registry, &mut exclude) {
        Ok(pair) => pair,
        Err((left, why)) => {
            for name in left {
                exclude(&name, &why);
            }
            return out;
        }
    };
    for name in names {
        let Some(function) = function_of(&pair.theirs, class, &name) else {
            continue;
        };
        // Runs by its event stubs, at the offsets of its own script.
        if name.as_str().starts_with("ExecuteUbergraph_") {
            continue;
        }
        out.push(Replayed {
            path: class.member(&name),
            same_script: pair.same.contains(&name),
            outcome: replay(&pair, function, &registry),
        });
    }
    out
}

fn with_scripts(class: &CompiledClass) -> impl Iterator<Item = &Name> {
    class
        .class
        .functions
        .keys()
        .zip(&class.functions)
        .filter(|(name, code)| {
            !code.script.is_empty() && !name.as_str().ends_with("__DelegateSignature")
        })
        .map(|(name, _)| name)
}

fn function_of<'p>(package: &'p Package, class: &ObjectPath, name: &Name) -> Option<&'p Function> {
    package.class(class)?.class.functions.get(name)
}

/// Reduces both forms to the functions whose callees in the class both have too.
fn pair(
    stored: &Package,
    compiled: &Package,
    class: &ObjectPath,
    registry: &Registry,
    exclude: &mut dyn FnMut(&Name, &str),
) -> Result<Pair, (Vec<Name>, String)> {
    let theirs = stored.class(class).expect("was found before");
    let all: Vec<Name> = with_scripts(theirs).cloned().collect();
    let Some(ours) = compiled.class(class) else {
        return Err((all, "its class is not compiled".to_owned()));
    };
    let their_scripts = decoded(stored, theirs);
    let our_scripts = decoded(compiled, ours);
    let mut kept: BTreeSet<Name> = BTreeSet::new();
    for name in &all {
        if our_scripts.contains_key(name) && their_scripts.contains_key(name) {
            kept.insert(name.clone());
        } else {
            exclude(name, "it is not compiled");
        }
    }
    // What runs when an object is made would run in every round.
    let construction = Name::new("UserConstructionScript");
    if kept.remove(&construction) {
        exclude(&construction, "it runs when objects are made");
    }
    loop {
        let missing: Vec<Name> = kept
            .iter()
            .filter(|name| {
                [&their_scripts, &our_scripts].iter().any(|scripts| {
                    callees(&scripts[*name], class)
                        .iter()
                        .any(|callee| all.contains(callee) && !kept.contains(callee))
                })
            })
            .cloned()
            .collect();
        if missing.is_empty() {
            break;
        }
        for name in missing {
            kept.remove(&name);
            exclude(&name, "it calls a function of its class that is left out");
        }
    }
    let same = same_scripts(&kept, &their_scripts, &our_scripts, class);
    let left: Vec<Name> = kept.iter().cloned().collect();
    let accept = |package: Package, whose: &str| {
        verify(package, registry).map_err(|errors| {
            let rule = errors
                .first()
                .map(|error| error.rule.id())
                .unwrap_or_default();
            (
                left.clone(),
                format!("{whose} package alone breaks rule {rule}"),
            )
        })
    };
    Ok(Pair {
        class: class.clone(),
        theirs: accept(reduced(stored, class, &kept, Some(ours)), "the stored")?,
        ours: accept(reduced(compiled, class, &kept, None), "our")?,
        same,
    })
}

/// Functions that are the same statements in both forms, and so is all they call in the class.
fn same_scripts(
    kept: &BTreeSet<Name>,
    theirs: &Scripts,
    ours: &Scripts,
    class: &ObjectPath,
) -> BTreeSet<Name> {
    let mut same: BTreeSet<Name> = kept
        .iter()
        .filter(|name| theirs[*name] == ours[*name])
        .cloned()
        .collect();
    loop {
        let fewer: BTreeSet<Name> = same
            .iter()
            .filter(|name| {
                let mut callees = callees(&theirs[*name], class).into_iter();
                callees.all(|callee| !kept.contains(&callee) || same.contains(&callee))
            })
            .cloned()
            .collect();
        if fewer.len() == same.len() {
            return same;
        }
        same = fewer;
    }
}

fn decoded(package: &Package, class: &CompiledClass) -> Scripts {
    let functions = class.class.functions.keys().zip(&class.functions);
    functions
        .filter(|(_, code)| !code.script.is_empty())
        .filter_map(|(name, code)| {
            let dialect = package.dialect();
            let script = decode_script(&code.script, dialect, Layout::Memory, &package.references);
            let statements = script.ok()?.statements.into_iter();
            let statements = statements.map(|found| (found.offset.0, found.expr));
            Some((name.clone(), statements.collect()))
        })
        .collect()
}

/// Names of functions that a script calls by name, or in its own class.
fn callees(statements: &[(u32, Expr)], class: &ObjectPath) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    let mut work: Vec<&Expr> = statements.iter().map(|(_, expr)| expr).collect();
    while let Some(expr) = work.pop() {
        match (expr.op, expr.operands.first()) {
            (Opcode::VirtualFunction | Opcode::LocalVirtualFunction, Some(Operand::Name(name))) => {
                found.insert(name.clone());
            }
            (
                Opcode::FinalFunction | Opcode::LocalFinalFunction,
                Some(Operand::Object(Some(path))),
            ) if path.outer().as_ref() == Some(class) => {
                found.insert(Name::new(path.name()));
            }
            _ => {}
        }
        work.extend(expr.children());
    }
    found
}

/// A package of one class and some of its functions; what objects of the class get is `template`'s.
fn reduced(
    package: &Package,
    class: &ObjectPath,
    kept: &BTreeSet<Name>,
    template: Option<&CompiledClass>,
) -> Package {
    let mut reduced = package.clone();
    reduced.classes.retain(|one| one.class.path == *class);
    for one in &mut reduced.classes {
        let functions = std::mem::take(&mut one.class.functions);
        let codes = std::mem::take(&mut one.functions);
        for ((name, function), code) in functions.into_iter().zip(codes) {
            // Signatures of delegates stay; their scripts do nothing.
            if kept.contains(&name) {
                one.class.functions.insert(name, function);
                one.functions.push(CompiledFunction {
                    sites: Vec::new(),
                    nodes: Vec::new(),
                    ..code
                });
            }
        }
        if one
            .ubergraph
            .as_ref()
            .is_some_and(|name| !kept.contains(name))
        {
            one.ubergraph = None;
        }
        if let Some(template) = template {
            one.defaults.clone_from(&template.defaults);
            one.components.clone_from(&template.components);
            one.timelines.clone_from(&template.timelines);
        }
        // Events of components may be bound to functions that are left out.
        one.bindings.clear();
    }
    reduced
}

/// What one run gave.
#[derive(Debug, PartialEq)]
struct Run {
    end: Result<Vec<(Name, String)>, String>,
    lines: Vec<String>,
    variables: BTreeMap<String, String>,
    excluded: Option<String>,
    /// Of the call; the two scripts of a function need not take as many.
    statements: u64,
}

const GONE: &str = "it names a variable that nothing declares any more";

impl Run {
    /// Whether a stored script names variables that its parent's package does not have any more.
    fn names_what_is_gone(&self) -> bool {
        self.lines
            .iter()
            .any(|line| line.contains("attempted to access a missing"))
    }
}

fn replay(pair: &Pair, function: &Function, registry: &Registry) -> Outcome {
    for round in 0..ROUNDS {
        let run = |package| {
            let of = |tier| run(package, pair, function, registry, (round, tier));
            let (fast, reference) = (of(Tier::Fast), of(Tier::Reference));
            if fast == reference {
                Ok(fast)
            } else {
                Err(format!(
                    "the fast tier differs: {}",
                    difference(&reference, &fast)
                ))
            }
        };
        let (theirs, mut ours) = match (run(&pair.theirs), run(&pair.ours)) {
            (Ok(theirs), Ok(ours)) => (theirs, ours),
            (Err(what), _) | (_, Err(what)) => return Outcome::Different(what),
        };
        if theirs.names_what_is_gone() {
            return Outcome::Excluded(GONE.to_owned());
        }
        // A class of ours may have variables that the stored one lost, and the other way round.
        let known = theirs.variables.keys().cloned().collect::<BTreeSet<_>>();
        ours.variables.retain(|name, _| known.contains(name));
        let mut theirs = theirs;
        theirs
            .variables
            .retain(|name, _| ours.variables.contains_key(name));
        ours.statements = theirs.statements;
        if theirs != ours {
            return Outcome::Different(difference(&theirs, &ours));
        }
        if let Some(why) = theirs.excluded {
            return Outcome::Excluded(why);
        }
    }
    Outcome::Equal
}

fn difference(theirs: &Run, ours: &Run) -> String {
    if theirs.lines != ours.lines {
        let lines = theirs.lines.iter().zip(&ours.lines);
        let at = lines.take_while(|(a, b)| a == b).count();
        return format!(
            "line {at}: {:?} for the stored script, {:?} for ours",
            theirs.lines.get(at),
            ours.lines.get(at)
        );
    }
    if theirs.end != ours.end {
        return format!("results: {:?}, and {:?} for ours", theirs.end, ours.end);
    }
    for (name, value) in &theirs.variables {
        if ours.variables.get(name) != Some(value) {
            let other = ours.variables.get(name);
            return format!("{name} is {value}, and {other:?} for ours");
        }
    }
    if theirs.statements != ours.statements {
        return format!("{} statements, and {}", theirs.statements, ours.statements);
    }
    "different variables".to_owned()
}

fn run(
    package: &Verified<Package>,
    pair: &Pair,
    function: &Function,
    registry: &Registry,
    (round, tier): (u64, Tier),
) -> Run {
    let recorder = Recorder::new();
    let mut run = Run {
        end: Ok(Vec::new()),
        lines: Vec::new(),
        variables: BTreeMap::new(),
        excluded: None,
        statements: 0,
    };
    let limits = Limits {
        fuel: 100_000,
        jumps: 20_000,
        memory: 256 << 20,
        repeats: u32::MAX,
        ..Limits::default()
    };
    let host = Box::new(recorder.clone());
    let natives = Natives::standard();
    let world = World::new(
        vec![package.clone()],
        registry.clone(),
        natives,
        host,
        limits,
    );
    let made = world
        .map_err(|error| error.to_string())
        .and_then(|mut world| {
            let object = world
                .spawn(&pair.class)
                .map_err(|error| error.to_string())?;
            Ok((world, object))
        });
    let (mut world, object) = match made {
        Ok(made) => made,
        Err(error) => {
            run.excluded = Some(format!("no object of the class: {error}"));
            return run;
        }
    };
    world.set_tier(tier);
    let shown = |world: &World| -> BTreeMap<String, String> {
        let variables = world.variables(object).into_iter();
        variables
            .filter(|(name, _)| *name != "UberGraphFrame")
            .map(|(name, value)| (name.to_string(), value))
            .collect()
    };
    for name in shown(&world).keys() {
        let name = Name::new(name);
        if let Some((_, property)) = registry.find_property(&pair.class, &name)
            && let Some(value) = seeded(&property.ty, registry, &mut rng_of(&name, round), 0)
        {
            world.set_variable(object, &name, &value);
        }
    }
    let arguments: Vec<(Name, Value)> = function
        .arguments()
        .filter(|param| !param.is_output())
        .filter_map(|param| {
            let mut rng = rng_of(&param.name, round ^ 0xA5);
            let value = seeded(&param.ty, registry, &mut rng, 0)?;
            Some((param.name.clone(), value))
        })
        .collect();
    recorder.take();
    let result = world.call(object, &function.name, &arguments);
    run.end = match result {
        Ok(outputs) => Ok(outputs
            .into_iter()
            .map(|(name, value)| (name, format!("{value:?}")))
            .collect()),
        Err(error) => {
            let (text, why) = ended(&error);
            run.excluded = Some(why);
            Err(text)
        }
    };
    let statements = world.statements();
    // What it started goes on for a while.
    for _ in 0..4 {
        if run.end.is_ok()
            && let Err(error) = world.tick(0.5)
        {
            let (text, why) = ended(&error);
            run.excluded = Some(why);
            run.end = Err(text);
        }
    }
    // Names show the case in which they were first met, which depends on the order of tables.
    run.lines = recorder
        .take()
        .iter()
        .map(|line| line.to_lowercase())
        .collect();
    run.statements = statements;
    run.variables = shown(&world);
    let uses_nothing = |line: &String| {
        line.contains("accessed none") || line.contains("attempted to assign to none")
    };
    if run.excluded.is_none() && run.lines.iter().any(uses_nothing) {
        run.excluded = Some("it uses an object it does not have".to_owned());
    }
    if run.excluded.is_none() && (world.exit_state().runaway || world.exit_state().recursion) {
        run.excluded = Some("it does not end with these values".to_owned());
    }
    run
}

/// How a run was cut short: without offsets, which the two scripts need not share, and as a cause.
fn ended(error: &RunError) -> (String, String) {
    match error {
        RunError::Unsupported(lacking) => (
            lacking.function.to_string(),
            "a function it calls is not implemented".to_owned(),
        ),
        RunError::Fault(fault) => (fault.kind.to_string(), "it ends with a fault".to_owned()),
        RunError::Limit(hit) => (
            hit.kind.to_string(),
            "it does not end with these values".to_owned(),
        ),
        other @ (RunError::Stop(_)
        | RunError::NoFunction { .. }
        | RunError::NoParameter { .. }
        | RunError::NoClass(_)
        | RunError::NoObject) => (other.to_string(), "it is not called".to_owned()),
    }
}

fn rng_of(name: &Name, round: u64) -> Rng {
    let folded = name.as_str().to_lowercase();
    let seed = folded.bytes().fold(round, |seed, byte| {
        seed.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte)
    });
    Rng::new(seed)
}

/// A value of a type by chance; none of a type that refers to objects or functions.
fn seeded(ty: &PropertyType, registry: &Registry, rng: &mut Rng, depth: usize) -> Option<Value> {
    const INTS: [i64; 7] = [0, 1, 2, 3, -1, 10, 250];
    const REALS: [f64; 6] = [0.0, 1.0, -2.5, 0.25, 100.0, 1e-3];
    const TEXTS: [&str; 5] = ["", "a", "Name_2", "12.5", "x y"];
    Some(match ty {
        PropertyType::Bool => Value::Bool(rng.once_in(2)),
        PropertyType::Byte(Some(path)) | PropertyType::Enum(path) => {
            let n_entries = registry
                .enumeration(path)
                .map_or(1, |found| found.entries.len());
            Value::Int(rng.below(n_entries.max(1)) as i64)
        }
        PropertyType::Byte(None) => Value::Int(rng.below(256) as i64),
        PropertyType::Int8 | PropertyType::Int16 | PropertyType::Int | PropertyType::Int64 => {
            Value::Int(INTS[rng.below(INTS.len())].min(100))
        }
        PropertyType::UInt16 | PropertyType::UInt32 | PropertyType::UInt64 => {
            Value::Int(INTS[rng.below(INTS.len())].abs())
        }
        PropertyType::Float | PropertyType::Double => Value::Real(REALS[rng.below(REALS.len())]),
        PropertyType::Name => Value::Name(Name::new(TEXTS[rng.below(TEXTS.len())])),
        PropertyType::Str | PropertyType::Text => Value::Str(TEXTS[rng.below(TEXTS.len())].into()),
        PropertyType::Struct(path) if depth < 4 => {
            let members = &registry.structure(path)?.members;
            Value::Struct(
                members
                    .iter()
                    .filter(|member| member.array_dim <= 1)
                    .filter_map(|member| {
                        let value = seeded(&member.ty, registry, rng, depth + 1)?;
                        Some((member.name.clone(), value))
                    })
                    .collect(),
            )
        }
        PropertyType::Array(inner) if depth < 4 => Value::List(
            (0..rng.below(4))
                .filter_map(|_| seeded(inner, registry, rng, depth + 1))
                .collect(),
        ),
        PropertyType::Set(_)
        | PropertyType::Map(_)
        | PropertyType::Struct(_)
        | PropertyType::Array(_)
        | PropertyType::Object(_)
        | PropertyType::WeakObject(_)
        | PropertyType::SoftObject(_)
        | PropertyType::Class(_)
        | PropertyType::SoftClass(_)
        | PropertyType::Interface(_)
        | PropertyType::Delegate(_)
        | PropertyType::MulticastDelegate(_)
        | PropertyType::FieldPath
        | PropertyType::Wildcard => return None,
    })
}
