//! Changes of compiled programs: one thing of a script made another, its jumps still in place.

use bp_bytecode::{
    Expr, Interner, Label, Layout, Operand, Package, ScriptBuilder, Target, decode_script,
};

use crate::rng::Rng;

/// Statements of every function of every class of a package.
pub type Scripts = Vec<Vec<Vec<Expr>>>;

/// The statements of all scripts with their jumps as labels, which are numbers of statements.
pub fn statements(package: &Package) -> Scripts {
    let script = |code: &bp_bytecode::CompiledFunction| {
        let script = decode_script(
            &code.script,
            package.dialect(),
            Layout::Memory,
            &package.references,
        )
        .expect("our compiler made it");
        let starts: Vec<u32> = script
            .statements
            .iter()
            .map(|found| found.offset.0)
            .collect();
        let mut statements: Vec<Expr> = script
            .statements
            .into_iter()
            .map(|found| found.expr)
            .collect();
        for statement in &mut statements {
            statement.visit_mut(&mut |expr| {
                for operand in &mut expr.operands {
                    if let Operand::Target(target) = operand
                        && let Target::Offset(offset) = *target
                        && let Ok(index) = starts.binary_search(&offset.0)
                    {
                        *target = Target::Label(Label(index as u32));
                    }
                }
            });
        }
        statements
    };
    let classes = package.classes.iter();
    classes
        .map(|class| class.functions.iter().map(script).collect())
        .collect()
}

/// Changes one thing, and says what.
pub fn change(scripts: &mut [Vec<Vec<Expr>>], rng: &mut Rng) -> String {
    let mut donors = Vec::new();
    for statement in scripts.iter_mut().flatten().flatten() {
        statement.visit_mut(&mut |expr| donors.push(expr.clone()));
    }
    let class = rng.below(scripts.len());
    if scripts[class].is_empty() {
        return String::new();
    }
    let function = rng.below(scripts[class].len());
    let script = &mut scripts[class][function];
    if script.len() < 3 {
        return String::new();
    }
    // The end stays where it is.
    let at = rng.below(script.len() - 2);
    let kind = rng.below(6);
    match kind {
        0 => drop(script.remove(at)),
        1 => {
            let statement = donors[rng.below(donors.len())].clone();
            script.insert(at, statement);
        }
        2 => {
            let other = rng.below(script.len() - 2);
            script.swap(at, other);
        }
        _ => {
            let mut n_exprs = 0;
            script[at].visit_mut(&mut |_| n_exprs += 1);
            let wanted = rng.below(n_exprs);
            let mut index = 0;
            let statement = &mut script[at];
            statement.visit_mut(&mut |expr| {
                if index == wanted {
                    if kind == 3 {
                        numbers(expr, rng);
                    } else {
                        *expr = donors[rng.below(donors.len())].clone();
                    }
                }
                index += 1;
            });
        }
    }
    format!("change {kind} of statement {at} of function {function} of class {class}")
}

/// Other numbers in the operands of an expression.
fn numbers(expr: &mut Expr, rng: &mut Rng) {
    let odd = [0, 1, -1, 2, 255, i64::from(i32::MAX), i64::from(i32::MIN)];
    for operand in &mut expr.operands {
        let value = odd[rng.below(odd.len())];
        match operand {
            Operand::I32(number) => *number = value as i32,
            Operand::I64(number) => *number = value,
            Operand::U64(number) => *number = value as u64,
            Operand::U8(number) => *number = value as u8,
            Operand::U16(number) => *number = value as u16,
            Operand::F32(number) => *number = f32::NAN,
            Operand::F64(number) => *number = f64::INFINITY,
            Operand::Target(target) => *target = Target::Label(Label(value as u32 & 3)),
            Operand::Expr(_)
            | Operand::List(_)
            | Operand::Property(_)
            | Operand::Object(_)
            | Operand::Name(_)
            | Operand::Str(_)
            | Operand::Text(_)
            | Operand::Switch(_)
            | Operand::Instrumentation(..) => {}
        }
    }
}

/// The package with these statements; none if they cannot be written.
pub fn assembled(package: &Package, scripts: &[Vec<Vec<Expr>>]) -> Option<Package> {
    let mut changed = package.clone();
    let mut refs = Interner::with_tables(package.references.clone());
    for (class, scripts) in changed.classes.iter_mut().zip(scripts) {
        for (function, statements) in class.functions.iter_mut().zip(scripts) {
            let mut builder = ScriptBuilder::new(package.dialect(), &mut refs);
            let labels: Vec<Label> = statements.iter().map(|_| builder.label()).collect();
            for (label, statement) in labels.iter().zip(statements) {
                builder.bind(*label);
                builder.push(statement);
            }
            function.script = builder.finish().ok()?;
            function.sites.clear();
        }
    }
    changed.references = refs.into_tables();
    Some(changed)
}
