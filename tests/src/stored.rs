//! What must hold of every real package: it is read to its last byte, its scripts decode and encode to the
//! stored bytes in every layout, and so does their assembly text.

use std::collections::HashMap;

use bp_bytecode::asm::{self, PrintOptions};
use bp_bytecode::{
    CodeOffset, Expr, Interner, Layout, Opcode, Operand, Script, Target, decode_script,
    encode_script,
};
use bp_cli::pipeline::stored_package;
use bp_reflect::{EngineVersion, ObjectPath};
use bp_uasset::{Package, ScriptReferences, ScriptTables, StoredScript, scripts};

/// How many of a kind hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that hold.
    pub hold: usize,
    /// All of them.
    pub of: usize,
}

impl Tally {
    fn count(&mut self, holds: bool) {
        self.of += 1;
        self.hold += usize::from(holds);
    }

    fn add(&mut self, other: Self) {
        self.hold += other.hold;
        self.of += other.of;
    }
}

macro_rules! figures {
    ($($(#[doc = $doc:literal])* $name:ident $shown:literal,)*) => {
        /// The figures of one package or of many.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Figures {
            $($(#[doc = $doc])* pub $name: Tally,)*
            /// Statements of decoded scripts.
            pub n_statements: usize,
            /// Stored bytes of all scripts.
            pub n_disk_bytes: usize,
            /// In-memory bytes of decoded scripts.
            pub n_memory_bytes: usize,
        }

        impl Figures {
            /// Each tally with its key and the words it is shown with.
            pub fn tallies(&self) -> Vec<(&'static str, &'static str, Tally)> {
                vec![$((stringify!($name), $shown, self.$name),)*]
            }

            /// Adds another package's figures.
            pub fn add(&mut self, other: &Self) {
                $(self.$name.add(other.$name);)*
                self.n_statements += other.n_statements;
                self.n_disk_bytes += other.n_disk_bytes;
                self.n_memory_bytes += other.n_memory_bytes;
            }
        }
    };
}

figures! {
    /// Packages whose tables are read.
    packages "packages read",
    /// Function exports, delegate signatures and left-over skeletons included, read to their last byte.
    functions "function records read to the last byte",
    /// Classes, script structs and enums that are read.
    records "class, struct and enum records read",
    /// Scripts that decode in the stored layout, to their last byte.
    decoded "scripts decoded in the layout on disk",
    /// Scripts whose decoded size is the stored `BytecodeBufferSize`.
    memory_size "sizes in memory equal the stored ones",
    /// Absolute code offsets that are the start of a statement.
    targets "jump targets on the start of a statement",
    /// Offsets that stubs hand to their ubergraph and that are the start of a statement there.
    entries "ubergraph entries on the start of a statement",
    /// Scripts that encode to the stored bytes.
    disk "encoded again on disk: same bytes",
    /// Scripts that encode in the layout in memory to their stored size, decode to the same tree and
    /// encode to the same bytes.
    memory "encoded again in memory: same bytes and tree",
    /// Scripts whose assembly text assembles to the same bytes in memory and, from there, on disk.
    assembled "assembled from their own text: same bytes",
}

/// What was measured on one package.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The engine version whose rules it follows; none if it is refused.
    pub engine: Option<EngineVersion>,
    /// Its figures.
    pub figures: Figures,
    /// What does not hold, one line each.
    pub problems: Vec<String>,
}

/// Measures the package in a file's bytes.
pub fn measure(bytes: Vec<u8>) -> (Option<Package>, Measured) {
    let mut measured = Measured {
        engine: None,
        figures: Figures::default(),
        problems: Vec::new(),
    };
    let package = match Package::read(bytes) {
        Ok(package) => package,
        Err(error) => {
            measured.figures.packages.count(false);
            measured.problems.push(error.to_string());
            return (None, measured);
        }
    };
    measured.figures.packages.count(true);
    measured.engine = Some(package.engine());
    records(&package, &mut measured);
    match scripts(&package) {
        Ok(scripts) => all_scripts(&package, &scripts, &mut measured),
        Err(error) => measured.problems.push(error.to_string()),
    }
    (Some(package), measured)
}

fn records(package: &Package, measured: &mut Measured) {
    for (export, row) in package.exports().iter().enumerate() {
        let mut problem = |what: String| measured.problems.push(format!("{}: {what}", row.name));
        if package.is_function(export) {
            let unread = match package.function(export) {
                Ok(function) => function.unread.len(),
                Err(error) => {
                    problem(error.to_string());
                    usize::MAX
                }
            };
            if unread != 0 && unread != usize::MAX {
                problem(format!("{unread} bytes are not read"));
            }
            measured.figures.functions.count(unread == 0);
            continue;
        }
        let error = if package.is_class(export) {
            package.class(export).err()
        } else if package.is_script_struct(export) {
            package.script_struct(export).err()
        } else if package.is_enum(export) {
            package.enumeration(export).err()
        } else {
            continue;
        };
        if let Some(error) = &error {
            problem(error.to_string());
        }
        measured.figures.records.count(error.is_none());
    }
}

fn all_scripts(package: &Package, scripts: &[StoredScript<'_>], measured: &mut Measured) {
    let references = ScriptReferences::new(package);
    let mut tables = ScriptTables::new(package);
    let (dialect, layout) = (references.dialect(), references.layout());
    let Measured {
        figures, problems, ..
    } = measured;
    let mut decoded: HashMap<&ObjectPath, Script> = HashMap::new();
    for script in scripts {
        let mut problem = |what: String| problems.push(format!("{}: {what}", script.path));
        figures.n_disk_bytes += script.bytes.len();
        let found = decode_script(script.bytes, dialect, layout, &references);
        figures.decoded.count(found.is_ok());
        let found = match found {
            Ok(found) => found,
            Err(failure) => {
                problem(failure.to_string());
                continue;
            }
        };
        figures.n_statements += found.statements.len();
        figures.n_memory_bytes += found.memory_size as usize;
        let has_size = found.memory_size == script.memory_size;
        figures.memory_size.count(has_size);
        if !has_size {
            problem(format!(
                "{} bytes in memory, {} are stored",
                found.memory_size, script.memory_size
            ));
        }
        for statement in &found.statements {
            each(&statement.expr, &mut |expr| {
                for operand in &expr.operands {
                    if let Operand::Target(Target::Offset(offset)) = operand {
                        let is_start = found.statement_at(*offset).is_some();
                        figures.targets.count(is_start);
                        if !is_start {
                            problem(format!("{offset} is no start of a statement"));
                        }
                    }
                }
            });
        }

        let disk = encode_script(&found.statements, dialect, layout, &mut tables);
        let is_same = disk.as_ref().is_ok_and(|disk| disk.bytes == script.bytes);
        figures.disk.count(is_same);
        if !is_same {
            problem(match disk {
                Ok(disk) => format!("on disk, {}", differs(&disk.bytes, script.bytes)),
                Err(error) => error.to_string(),
            });
        }
        let memory = in_memory(&found, script.memory_size, dialect);
        figures.memory.count(memory.is_ok());
        memory.unwrap_or_else(problem);
        decoded.insert(&script.path, found);
    }
    entries(&decoded, figures, problems);
    if !scripts.is_empty() {
        assembled(package, scripts, &mut tables, figures, problems);
    }
}

fn in_memory(
    script: &Script,
    memory_size: u32,
    dialect: bp_bytecode::Dialect,
) -> Result<(), String> {
    let mut refs = Interner::new();
    let encode = |script: &Script, refs: &mut Interner| {
        encode_script(&script.statements, dialect, Layout::Memory, refs)
            .map_err(|error| error.to_string())
    };
    let first = encode(script, &mut refs)?;
    if first.bytes.len() != memory_size as usize {
        return Err(format!("{} bytes encoded in memory", first.bytes.len()));
    }
    let tables = refs.clone().into_tables();
    let again = decode_script(&first.bytes, dialect, Layout::Memory, &tables)
        .map_err(|failure| failure.to_string())?;
    let trees = script.statements.iter().zip(&again.statements);
    if script.statements.len() != again.statements.len()
        || trees
            .clone()
            .any(|(a, b)| a.offset != b.offset || a.expr != b.expr)
    {
        return Err("the tree in memory is another one".to_owned());
    }
    let second = encode(&again, &mut refs)?;
    if second.bytes != first.bytes {
        return Err(format!(
            "in memory, {}",
            differs(&second.bytes, &first.bytes)
        ));
    }
    Ok(())
}

/// The first argument of each call of an ubergraph, where it is a number.
fn entries(
    decoded: &HashMap<&ObjectPath, Script>,
    figures: &mut Figures,
    problems: &mut Vec<String>,
) {
    let mut scripts: Vec<_> = decoded.iter().collect();
    scripts.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
    for (path, script) in scripts {
        for statement in &script.statements {
            each(&statement.expr, &mut |expr| {
                let (
                    Opcode::FinalFunction | Opcode::LocalFinalFunction,
                    [Operand::Object(Some(callee)), Operand::List(arguments)],
                ) = (expr.op, expr.operands.as_slice())
                else {
                    return;
                };
                let Some([Operand::I32(entry)]) =
                    arguments.first().map(|first| first.operands.as_slice())
                else {
                    return;
                };
                if !callee.name().starts_with("ExecuteUbergraph_") {
                    return;
                }
                let Some(ubergraph) = decoded.get(callee) else {
                    return;
                };
                let is_start = ubergraph.statement_at(CodeOffset(*entry as u32)).is_some();
                figures.entries.count(is_start);
                if !is_start {
                    problems.push(format!("{path}: enters {callee} at {entry}"));
                }
            });
        }
    }
}

/// Through the text that `bpc dis` prints and `bpc asm` reads.
fn assembled(
    package: &Package,
    scripts: &[StoredScript<'_>],
    tables: &mut ScriptTables,
    figures: &mut Figures,
    problems: &mut Vec<String>,
) {
    let parsed = stored_package(package)
        .map_err(|error| error.to_string())
        .and_then(|(ours, _)| {
            let text = asm::print(&ours, PrintOptions::READABLE);
            match asm::parse(&text) {
                Ok(assembly) => Ok((ours, assembly.package)),
                Err(errors) => Err(errors[0].to_string()),
            }
        });
    let (ours, again) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            figures.assembled.of += scripts.len();
            problems.push(error);
            return;
        }
    };
    let layout = ScriptReferences::new(package).layout();
    for script in scripts {
        let result = (|| {
            let bytes = |package: &bp_bytecode::Package| {
                let class = package.class(&script.path.outer()?)?;
                let name = bp_reflect::Name::new(script.path.name());
                Some(class.function(&name)?.script.clone())
            };
            let before = bytes(&ours).ok_or("it is not in its class")?;
            let after = bytes(&again).ok_or("it is not in the text")?;
            if before != after {
                return Err(format!("assembled, {}", differs(&after, &before)));
            }
            let dialect = again.dialect();
            let decoded = decode_script(&after, dialect, Layout::Memory, &again.references)
                .map_err(|failure| failure.to_string())?;
            let disk = encode_script(&decoded.statements, dialect, layout, tables)
                .map_err(|error| error.to_string())?;
            if disk.bytes != script.bytes {
                let words = differs(&disk.bytes, script.bytes);
                return Err(format!("assembled on disk, {words}"));
            }
            Ok(())
        })();
        figures.assembled.count(result.is_ok());
        if let Err(what) = result {
            problems.push(format!("{}: {what}", script.path));
        }
    }
}

/// Calls `f` with an expression and all that are nested in it.
fn each(expr: &Expr, f: &mut impl FnMut(&Expr)) {
    f(expr);
    for child in expr.children() {
        each(child, f);
    }
}

fn differs(found: &[u8], expected: &[u8]) -> String {
    let at = found
        .iter()
        .zip(expected)
        .take_while(|(a, b)| a == b)
        .count();
    format!(
        "byte {at} differs ({} bytes, not {})",
        found.len(),
        expected.len()
    )
}
