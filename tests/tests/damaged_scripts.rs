//! Real scripts with any one byte changed to any other, and cut at any place: decoded, shown and
//! verified, without panic and in little memory. Skipped, with a line that says so, where the corpus is
//! not there.

#![expect(
    clippy::print_stderr,
    reason = "says what was done, or that it was not"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bp_bytecode::asm::{self, Comments, PrintOptions};
use bp_bytecode::{
    Expr, Interner, Layout, Opcode, Package as Compiled, Statement, decode_script, encode_script,
    listing, verify,
};
use bp_cli::pipeline;
use bp_cli::project::package_files;
use bp_reflect::{EngineVersion, Name, ObjectPath, Registry, declarations};
use bp_uasset::{Package, ScriptReferences, scripts};
use rayon::prelude::*;

const N_SCRIPTS: usize = 20;
/// Scripts of each version, at most.
const PER_VERSION: usize = 2;
/// In-memory bytes of a script, so that all changes of all of them take well below a minute.
const SIZES: std::ops::RangeInclusive<usize> = 40..=110;
/// Most memory that a case may hold at once, in bytes.
const MOST_BYTES: u64 = 2 << 20;

/// One script in a package of its own, and as its package stores it.
struct Subject {
    compiled: Compiled,
    stored: Package,
    disk: Vec<u8>,
    opcodes: BTreeSet<Opcode>,
}

#[test]
fn any_byte_of_a_script_may_be_any_other() {
    let Some(corpus) = bp_tests::corpus() else {
        eprintln!("skipped: the corpus is not at ../shared/corpus, nor at BP_CORPUS");
        return;
    };
    let subjects = subjects(&corpus.join("uasset"));
    assert_eq!(subjects.len(), N_SCRIPTS, "scripts of the wanted sizes");
    let engines: BTreeSet<_> = subjects.iter().map(|one| one.compiled.engine).collect();
    let registries: BTreeMap<EngineVersion, Registry> = engines
        .into_iter()
        .map(|engine| (engine, declarations::embedded(engine)))
        .collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(64 << 20)
        .build()
        .expect("threads can be started");
    let work = Work {
        registries,
        n_cases: AtomicUsize::new(0),
        n_fine: AtomicUsize::new(0),
        most: AtomicU64::new(0),
    };
    pool.install(|| {
        subjects.par_iter().for_each(|subject| {
            let length = subject.compiled.classes[0].functions[0].script.len();
            let longest = length.max(subject.disk.len());
            (0..longest)
                .into_par_iter()
                .for_each(|at| work.at(subject, at));
        });
    });
    let opcodes: BTreeSet<_> = subjects.iter().flat_map(|one| &one.opcodes).collect();
    let most = work.most.into_inner();
    eprintln!(
        "{} damaged scripts of {N_SCRIPTS}, {} opcodes: {} pass the verifier, {most} bytes at once",
        work.n_cases.into_inner(),
        opcodes.len(),
        work.n_fine.into_inner(),
    );
    assert!(most <= MOST_BYTES, "{most} bytes of memory at once");
}

struct Work {
    registries: BTreeMap<EngineVersion, Registry>,
    n_cases: AtomicUsize,
    n_fine: AtomicUsize,
    most: AtomicU64,
}

impl Work {
    /// All changes of the byte at `at`, and the cut before it, of both forms of the script.
    fn at(&self, subject: &Subject, at: usize) {
        let mut compiled = subject.compiled.clone();
        let mut disk = subject.disk.clone();
        if at < compiled.classes[0].functions[0].script.len() {
            for _ in 0..u8::MAX {
                let byte = &mut compiled.classes[0].functions[0].script[at];
                *byte = byte.wrapping_add(1);
                self.memory(&compiled);
            }
            compiled.classes[0].functions[0].script.truncate(at);
            self.memory(&compiled);
        }
        if at < disk.len() {
            for _ in 0..u8::MAX {
                disk[at] = disk[at].wrapping_add(1);
                self.disk(subject, &disk);
            }
            disk.truncate(at);
            self.disk(subject, &disk);
        }
    }

    fn memory(&self, compiled: &Compiled) {
        let registry = &self.registries[&compiled.engine];
        let class = &compiled.classes[0];
        let (name, signature) = class.class.functions.get_index(0).expect("it has one");
        let mut is_right = false;
        self.measure(|| {
            let options = PrintOptions::READABLE;
            asm::print_function(compiled, class, name, options, &Comments::new())
                .expect("it is there");
            let script = pipeline::readable(compiled, &class.functions[0]);
            listing::editor(compiled, class, signature, &script, registry);
            is_right = verify::check(compiled, registry).errors.is_empty();
        });
        self.n_fine
            .fetch_add(usize::from(is_right), Ordering::Relaxed);
    }

    fn disk(&self, subject: &Subject, disk: &[u8]) {
        self.measure(|| {
            let references = &subject.references();
            let (dialect, layout) = (references.dialect(), references.layout());
            let statements = match decode_script(disk, dialect, layout, references) {
                Ok(script) => script.statements,
                Err(failure) => failure.statements,
            };
            encode_script(&statements, dialect, Layout::Memory, &mut Interner::new())
                .expect("what was decoded can be encoded");
        });
    }

    fn measure(&self, work: impl FnOnce()) {
        let memory = allocation_counter::measure(work);
        self.n_cases.fetch_add(1, Ordering::Relaxed);
        self.most.fetch_max(memory.bytes_max, Ordering::Relaxed);
    }
}

impl Subject {
    fn references(&self) -> ScriptReferences<'_> {
        ScriptReferences::new(&self.stored)
    }
}

/// Those with the most kinds of opcodes, of each version.
fn subjects(corpus: &Path) -> Vec<Subject> {
    let mut by_version: BTreeMap<EngineVersion, Vec<(usize, PathBuf, ObjectPath)>> =
        BTreeMap::new();
    for file in package_files(corpus).expect("the corpus can be listed") {
        let bytes = fs::read(&file).expect("the corpus can be read");
        let package = Package::read(bytes).expect("every package is read");
        let references = ScriptReferences::new(&package);
        for script in scripts(&package).expect("every function is read") {
            if SIZES.contains(&(script.memory_size as usize)) {
                let n_opcodes = opcodes(&statements(&references, script.bytes)).len();
                let found = by_version.entry(package.engine()).or_default();
                found.push((n_opcodes, file.clone(), script.path));
            }
        }
    }
    by_version
        .into_values()
        .flat_map(|mut found| {
            found.sort_by(|a, b| (b.0, &a.1, a.2.as_str()).cmp(&(a.0, &b.1, b.2.as_str())));
            found.truncate(PER_VERSION);
            found
        })
        .take(N_SCRIPTS)
        .map(|(_, file, path)| subject(&file, &path))
        .collect()
}

fn subject(file: &Path, path: &ObjectPath) -> Subject {
    let stored = Package::read(fs::read(file).expect("it was read")).expect("it was read");
    let (mut compiled, _) = pipeline::stored_package(&stored).expect("every record is read");
    let references = ScriptReferences::new(&stored);
    let scripts = scripts(&stored).expect("every function is read");
    let script = scripts
        .iter()
        .find(|script| script.path == *path)
        .expect("it was found");
    let statements = statements(&references, script.bytes);
    let mut refs = Interner::new();
    let dialect = references.dialect();
    let encoded =
        encode_script(&statements, dialect, Layout::Memory, &mut refs).expect("it can be encoded");
    let owner = path.outer().expect("functions lie in classes");
    compiled.classes.retain(|class| class.class.path == owner);
    let class = &mut compiled.classes[0];
    let index = class
        .class
        .functions
        .get_index_of(&Name::new(path.name()))
        .expect("it is in its class");
    class.class.functions.swap_indices(0, index);
    class.class.functions.truncate(1);
    class.functions.truncate(1);
    class.functions[0].script = encoded.bytes;
    compiled.references = refs.into_tables();
    Subject {
        opcodes: opcodes(&statements),
        disk: script.bytes.to_vec(),
        compiled,
        stored: stored.clone(),
    }
}

fn statements(references: &ScriptReferences<'_>, bytes: &[u8]) -> Vec<Statement> {
    let (dialect, layout) = (references.dialect(), references.layout());
    decode_script(bytes, dialect, layout, references)
        .expect("every script is decoded")
        .statements
}

fn opcodes(statements: &[Statement]) -> BTreeSet<Opcode> {
    let mut opcodes = BTreeSet::new();
    for statement in statements {
        collect(&statement.expr, &mut opcodes);
    }
    opcodes
}

fn collect(expr: &Expr, opcodes: &mut BTreeSet<Opcode>) {
    opcodes.insert(expr.op);
    for child in expr.children() {
        collect(child, opcodes);
    }
}
