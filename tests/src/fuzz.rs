//! Generated programs: compiled, verified, run, and evaluated a second time; and what is left of them when
//! something in their scripts is changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use bp_bytecode::Package;
use bp_bytecode::verify::{Verified, verify};
use bp_compiler::Options;
use bp_diag::Sources;
use bp_graph::{Blueprint, json};
use bp_reflect::{EngineVersion, Name, ObjectPath, Registry, declarations};
use bp_vm::{
    FaultKind, HeapUsage, Host, LimitKind, Limits, Natives, ObjectHandle, Run, RunError, Tier,
    Warning, WarningKind, World,
};

use crate::change::{assembled, change, statements};
use crate::evaluate::{Evaluator, Halt, Said, Val, from_constant};
use crate::generate::{Entry, Program, program};
use crate::rng::Rng;

/// Statements after which a generated program is cut off.
const MOST_STATEMENTS: u64 = 20_000;
/// Fuel of a changed program's call.
const FUEL_OF_CHANGED: u64 = 5_000;

/// What all programs need: declarations and macros.
#[derive(Debug)]
pub struct Lab {
    base: Registry,
    macros: Blueprint,
    natives: Natives,
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both give the same; so many statements ran.
    Same(u64),
    /// It runs longer than is waited for, or takes too much memory.
    CutOff,
    /// They differ, or the program does not get as far: what and where.
    Wrong(String),
}

/// What became of changed programs, by kind.
pub type Ends = BTreeMap<&'static str, u64>;

struct Compiled {
    class: ObjectPath,
    registry: Registry,
    blueprints: Vec<Blueprint>,
}

impl Lab {
    /// With the interpreter's own native functions.
    pub fn new() -> Self {
        Self::with(Natives::standard())
    }

    /// With these native functions.
    pub fn with(natives: Natives) -> Self {
        let base = declarations::embedded(EngineVersion::new(5, 3));
        let macros = json::standard_macros(&base);
        Self {
            base,
            macros,
            natives,
        }
    }

    fn read(&self, text: &str) -> Result<Compiled, String> {
        let mut sources = Sources::default();
        let file = sources.add("made.json", text);
        let libraries = [&self.macros];
        let (blueprints, mut registry, mut found) =
            json::read_with_macros(&[file], &sources, &self.base, &libraries);
        if !found.has_errors() {
            found.append(bp_compiler::declare(&blueprints, &mut registry));
        }
        if let Some(error) = found.iter().find(|found| is_error(found)) {
            return Err(format!("not read: {}", error.message));
        }
        let class = blueprints
            .first()
            .map(|blueprint| blueprint.class_path.clone())
            .ok_or("no Blueprint")?;
        Ok(Compiled {
            class,
            registry,
            blueprints,
        })
    }

    /// Compiles and runs the program of a seed in both ways.
    pub fn compare(&self, seed: u64) -> Verdict {
        let program = program(seed);
        match self.compared(&program) {
            Ok(verdict) => verdict,
            Err(what) => Verdict::Wrong(what),
        }
    }

    fn compared(&self, program: &Program) -> Result<Verdict, String> {
        let compiled = self.read(&program.json)?;
        let libraries = [&self.macros];
        let compilation = compile(&compiled, &libraries);
        let package = package_of(&compilation)?;
        let package = verified(package, &compiled.registry)?;
        let unit = compilation.units.first().ok_or("no class")?;
        let mut evaluator = Evaluator::new(unit, &compiled.registry, MOST_STATEMENTS);
        let said = Rc::new(RefCell::new(Vec::new()));
        let limits = Limits {
            // Emission makes several statements of some.
            fuel: 4 * MOST_STATEMENTS,
            memory: 64 << 20,
            repeats: u32::MAX,
            ..Limits::default()
        };
        self.run_in_both(&package, &compiled, program, limits)?;
        let host = Box::new(Listener(Rc::clone(&said)));
        let (mut world, object) = self.world(package, &compiled, host, limits)?;
        let mut is_cut_off = false;
        for entry in &program.entries {
            let name = Name::new(&entry.name);
            let ran = call(&mut world, object, entry);
            // The evaluator knows no limit but its statements: what grows too large here is not tried there.
            if matches!(ran, Err(RunError::Limit(_))) {
                is_cut_off = true;
                break;
            }
            let arguments = arguments(entry, &compiled)?;
            let evaluated = evaluator.call(&name, &arguments);
            if let Err(Halt::Unknown(what)) = &evaluated {
                return Err(format!("{name}: the evaluator does not know {what}"));
            }
            if evaluated == Err(Halt::TooLong) {
                is_cut_off = true;
                break;
            }
            let ran = ran.map_err(|error| format!("{name}: {error}"))?;
            let evaluated = evaluated.map_err(|halt| format!("{halt:?}"))?;
            let (heard, told) = (said.take(), evaluator.take_said());
            if heard != told {
                let at = heard.iter().zip(&told).take_while(|(a, b)| a == b).count();
                return Err(format!(
                    "{name}: line {at}: the interpreter says {:?}, the evaluator {:?}",
                    heard.get(at),
                    told.get(at)
                ));
            }
            for ((output, value), (_, expected)) in ran.iter().zip(&evaluated) {
                let ty = compiled
                    .registry
                    .find_function(&compiled.class, &name)
                    .and_then(|(_, function)| function.param(output))
                    .map(|param| param.ty.clone())
                    .ok_or("an output without a type")?;
                let value = from_constant(value, &ty, &compiled.registry);
                if !equal(&value, expected) {
                    return Err(format!(
                        "{name}: {output} is {value:?}, and {expected:?} for the evaluator"
                    ));
                }
            }
        }
        if !is_cut_off {
            for variable in &program.variables {
                let name = Name::new(variable);
                let (_, property) = compiled
                    .registry
                    .find_property(&compiled.class, &name)
                    .ok_or("a variable that is not declared")?;
                let value = world.variable(object, &name).ok_or("no variable")?;
                let value = from_constant(&value, &property.ty, &compiled.registry);
                let expected = evaluator.member(&name).ok_or("no variable")?;
                if !equal(&value, expected) {
                    return Err(format!(
                        "at the end {name} is {value:?}, and {expected:?} for the evaluator"
                    ));
                }
            }
        }
        if world.close() != HeapUsage::default() {
            return Err("something is left in the heaps".to_owned());
        }
        Ok(if is_cut_off {
            Verdict::CutOff
        } else {
            Verdict::Same(evaluator.statements())
        })
    }

    /// Changes scripts of the program of a seed until `wanted` changed programs are accepted by the
    /// verifier, or many are refused, and runs those.
    ///
    /// # Errors
    /// What a changed program left behind that it must not.
    pub fn change(&self, seed: u64, wanted: u64, ends: &mut Ends) -> Result<(), String> {
        let program = program(seed);
        let compiled = self.read(&program.json)?;
        let libraries = [&self.macros];
        let package = package_of(&compile(&compiled, &libraries))?;
        let scripts = statements(&package);
        let mut rng = Rng::new(!seed);
        let mut accepted = 0;
        for _ in 0..20 * wanted {
            if accepted == wanted {
                break;
            }
            let mut changed = scripts.clone();
            let mut what = change(&mut changed, &mut rng);
            while rng.once_in(3) {
                what = format!("{what}, {}", change(&mut changed, &mut rng));
            }
            let changed = assembled(&package, &changed);
            let Some(changed) = changed.filter(|changed| *changed != package) else {
                continue;
            };
            let Ok(changed) = verify(changed, &compiled.registry) else {
                *ends.entry("refused by the verifier").or_default() += 1;
                continue;
            };
            accepted += 1;
            let end = self
                .run_changed(changed, &compiled, &program)
                .map_err(|error| format!("{what}: {error}"))?;
            *ends.entry(end).or_default() += 1;
        }
        Ok(())
    }

    fn run_changed(
        &self,
        package: Verified<Package>,
        compiled: &Compiled,
        program: &Program,
    ) -> Result<&'static str, String> {
        let limits = Limits {
            recursion: 16,
            fuel: FUEL_OF_CHANGED,
            memory: 16 << 20,
            ..Limits::default()
        };
        self.run_in_both(&package, compiled, program, limits)?;
        let host = Box::new(Listener(Rc::default()));
        let (mut world, object) = self.world(package, compiled, host, limits)?;
        let mut end = "ran to its end";
        for entry in &program.entries {
            if let Err(error) = call(&mut world, object, entry) {
                end = kind_of(&error);
                break;
            }
        }
        if world.close() != HeapUsage::default() {
            return Err("something is left in the heaps".to_owned());
        }
        Ok(end)
    }

    /// Runs the entries in both tiers, which have to say, give and use up the same.
    fn run_in_both(
        &self,
        package: &Verified<Package>,
        compiled: &Compiled,
        program: &Program,
        limits: Limits,
    ) -> Result<(), String> {
        let mut runs = Vec::new();
        for tier in [Tier::Reference, Tier::Fast] {
            let said = Rc::new(RefCell::new(Vec::new()));
            let host = Box::new(Listener(Rc::clone(&said)));
            let (mut world, object) = self.world(package.clone(), compiled, host, limits)?;
            world.set_tier(tier);
            let mut ends = Vec::new();
            for entry in &program.entries {
                let end = call(&mut world, object, entry);
                // After a failure only that it failed counts: a statement may be counted or not.
                let statements = end.is_ok().then(|| world.statements());
                let failed = end.is_err();
                ends.push((format!("{end:?}"), statements, said.take()));
                if failed {
                    break;
                }
            }
            let variables: Vec<_> = program
                .variables
                .iter()
                .map(|name| format!("{:?}", world.variable(object, &Name::new(name))))
                .collect();
            if world.close() != HeapUsage::default() {
                return Err(format!("{tier:?}: something is left in the heaps"));
            }
            runs.push((ends, variables));
        }
        let (reference, fast) = (&runs[0], &runs[1]);
        if reference == fast {
            return Ok(());
        }
        let at = reference.0.iter().zip(&fast.0).position(|(a, b)| a != b);
        Err(match at {
            Some(at) => format!(
                "entry {at}: the reference tier {:?}, the fast tier {:?}",
                reference.0[at], fast.0[at]
            ),
            None => format!(
                "variables: the reference tier {:?}, the fast tier {:?}",
                reference.1, fast.1
            ),
        })
    }

    fn world(
        &self,
        package: Verified<Package>,
        compiled: &Compiled,
        host: Box<dyn Host>,
        limits: Limits,
    ) -> Result<(World, ObjectHandle), String> {
        let registry = compiled.registry.clone();
        let mut world = World::new(vec![package], registry, self.natives.clone(), host, limits)
            .map_err(|error| error.to_string())?;
        let object = world
            .spawn(&compiled.class)
            .map_err(|error| error.to_string())?;
        Ok((world, object))
    }
}

impl Default for Lab {
    fn default() -> Self {
        Self::new()
    }
}

fn is_error(found: &bp_diag::Diagnostic) -> bool {
    found.severity == bp_diag::Severity::Error
}

fn compile<'a>(
    compiled: &'a Compiled,
    libraries: &'a [&'a Blueprint],
) -> bp_compiler::Compilation<'a> {
    bp_compiler::compile(
        &compiled.blueprints,
        libraries,
        &compiled.registry,
        Options::default(),
    )
}

fn package_of(compilation: &bp_compiler::Compilation<'_>) -> Result<Package, String> {
    if let Some(package) = &compilation.package {
        return Ok(package.clone());
    }
    let found = compilation.diagnostics.iter().find(|found| is_error(found));
    let message = found.map_or("no package", |found| &found.message);
    Err(format!("not compiled: {message}"))
}

fn verified(package: Package, registry: &Registry) -> Result<Verified<Package>, String> {
    verify(package, registry).map_err(|errors| {
        let error = errors.first().map(ToString::to_string).unwrap_or_default();
        format!("not accepted by the verifier: {error}")
    })
}

fn call(
    world: &mut World,
    object: ObjectHandle,
    entry: &Entry,
) -> Run<Vec<(Name, bp_reflect::Value)>> {
    let arguments: Vec<_> = entry
        .arguments
        .iter()
        .map(|(name, value)| (Name::new(name), value.clone()))
        .collect();
    world.call(object, &Name::new(&entry.name), &arguments)
}

fn arguments(entry: &Entry, compiled: &Compiled) -> Result<Vec<(Name, Val)>, String> {
    let name = Name::new(&entry.name);
    let (_, function) = compiled
        .registry
        .find_function(&compiled.class, &name)
        .ok_or_else(|| format!("{name} is not declared"))?;
    entry
        .arguments
        .iter()
        .map(|(name, value)| {
            let name = Name::new(name);
            let param = function.param(&name).ok_or("no such parameter")?;
            let value = from_constant(value, &param.ty, &compiled.registry);
            Ok((name, value))
        })
        .collect()
}

/// Equality, with the same bits of reals; all that is no number is one.
fn equal(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Real(a), Val::Real(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Val::List(a), Val::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Val::Fields(a), Val::Fields(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((name, a), (other, b))| name == other && equal(a, b))
        }
        _ => a == b,
    }
}

fn kind_of(error: &RunError) -> &'static str {
    match error {
        RunError::Fault(fault) => match fault.kind {
            FaultKind::UndefinedOpcode(_) => "fault: undefined opcode",
            FaultKind::RanPastEnd => "fault: ran past the end",
            FaultKind::BadJump(_) => "fault: computed jump into a statement",
            FaultKind::BadReference(..) => "fault: bad reference",
            FaultKind::NoTransaction => "fault: no transaction",
            FaultKind::Irrevocable(_) => "fault: cannot be undone",
            FaultKind::Raised(_) => "fault: raised by a native function",
        },
        RunError::Limit(hit) => match hit.kind {
            LimitKind::Memory(_) => "limit: memory",
            LimitKind::Objects(_) => "limit: objects",
            LimitKind::Fuel(_) => "limit: fuel",
            LimitKind::Nesting(_) => "limit: nesting",
        },
        RunError::Unsupported(_) => "native function missing",
        RunError::Stop(_) => "stopped",
        RunError::NoFunction { .. }
        | RunError::NoParameter { .. }
        | RunError::NoClass(_)
        | RunError::NoObject => "not called",
    }
}

/// Keeps what is said.
struct Listener(Rc<RefCell<Vec<Said>>>);

impl Listener {
    fn report(&self, kind: WarningKind) {
        let kind = match kind {
            WarningKind::OutOfBounds => "OutOfBounds",
            WarningKind::DivideByZero => "DivideByZero",
            WarningKind::NoMatch => "NoMatch",
            WarningKind::EmptyFlowStack => "EmptyFlowStack",
            WarningKind::AssignToNone => "AssignToNone",
            WarningKind::AccessedNone
            | WarningKind::AccessedDestroyed
            | WarningKind::NotFound
            | WarningKind::Recursion
            | WarningKind::Runaway
            | WarningKind::Assertion
            | WarningKind::Script
            | WarningKind::Argument => "another",
        };
        self.0.borrow_mut().push(Said::Report(kind));
    }
}

impl Host for Listener {
    fn print(&mut self, text: &str) {
        self.0.borrow_mut().push(Said::Print(text.to_owned()));
    }

    fn warning(&mut self, warning: &Warning) {
        self.report(warning.kind);
    }

    fn error(&mut self, error: &Warning) {
        self.report(error.kind);
    }
}
