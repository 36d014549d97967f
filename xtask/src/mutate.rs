//! `mutate`: damaged packages must be read or refused, quickly and in little memory.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bp_cli::project::package_files;
use bp_reflect::{EngineVersion, Registry, declarations};
use bp_tests::damage::{Original, Outcome, damaged, read_everything};
use bp_uasset::Package;
use rayon::prelude::*;

/// Longest time a case may take, also where other work takes most of the processor.
const LONGEST: Duration = Duration::from_secs(5);
/// After this a case is taken to hang, and the command ends.
const HANG: Duration = Duration::from_secs(60);
/// Most memory that a case may hold at once, in bytes: a fixed part, and a multiple of the file's size.
const FIXED_BYTES: u64 = 4 << 20;
const BYTES_PER_BYTE: u64 = 64;
/// Packages of each engine version: the smallest ones. Those above this size, in bytes, are left out but
/// for the version's smallest.
const PER_VERSION: usize = 3;
const SMALL: usize = 48 << 10;

/// What to damage and how often.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder of packages
    #[arg(default_value = "../shared/corpus/uasset")]
    dir: PathBuf,
    /// Which sequence of changes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of damaged packages
    #[arg(long, default_value_t = 200_000)]
    count: u64,
    /// Only this case of the sequence
    #[arg(long)]
    case: Option<u64>,
}

/// A small package is damaged up to this many times as often as the largest one, so that most of the time
/// is not spent on few packages.
const MOST_TURNS: usize = 8;

/// A package with the declarations its version is verified against.
struct Subject {
    original: Original,
    registry: Arc<Registry>,
}

/// One case's result.
struct Case {
    number: u64,
    outcome: Result<Outcome, String>,
    time: Duration,
    peak: u64,
    size: u64,
}

#[derive(Default)]
struct Total {
    cases: u64,
    outcomes: BTreeMap<Outcome, u64>,
    panics: Vec<(u64, String)>,
    too_slow: Vec<u64>,
    too_large: Vec<u64>,
    slowest: (Duration, u64),
    peak: (u64, u64),
    /// Highest peak for a byte of its file, in hundredths.
    ratio: (u64, u64),
}

/// Runs the cases; false if one panics, takes too long or too much memory.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    if !args.dir.exists() {
        println!("mutate: {} is not there; skipped", args.dir.display());
        return Ok(true);
    }
    let started = Instant::now();
    let subjects = subjects(args)?;
    if subjects.is_empty() {
        return Err(format!(
            "{} has no package with a script",
            args.dir.display()
        ));
    }
    let n_bytes: usize = subjects.iter().map(|one| one.original.bytes.len()).sum();
    println!(
        "{} packages of {} bytes on the average, seed {}",
        subjects.len(),
        n_bytes / subjects.len(),
        args.seed
    );
    let cases = match args.case {
        Some(case) => case..case + 1,
        None => 0..args.count,
    };
    let turns = turns(&subjects);
    let watch = Watch::start(args.seed);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let total = crate::pool().install(|| {
        cases
            .into_par_iter()
            .map(|number| {
                let subject = &subjects[turns[(number % turns.len() as u64) as usize]];
                one(subject, args.seed, number, &watch)
            })
            .fold(Total::default, Total::with)
            .reduce(Total::default, Total::and)
    });
    std::panic::set_hook(hook);
    Ok(total.report(&subjects, &turns, args, started))
}

fn subjects(args: &Args) -> Result<Vec<Subject>, String> {
    let mut by_engine: BTreeMap<EngineVersion, Vec<Original>> = BTreeMap::new();
    for file in package_files(&args.dir).map_err(|error| error.to_string())? {
        let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.strip_prefix(&args.dir).unwrap_or(&file);
        let Ok(engine) = Package::read(bytes.as_slice()).map(|package| package.engine()) else {
            continue;
        };
        let original = Original::new(name.display().to_string(), bytes);
        by_engine.entry(engine).or_default().extend(original);
    }
    let subjects = by_engine
        .into_iter()
        .flat_map(|(engine, mut originals)| {
            originals.sort_by_key(|original| original.bytes.len());
            let n_small = originals.partition_point(|original| original.bytes.len() <= SMALL);
            originals.truncate(n_small.clamp(1, PER_VERSION));
            let registry = Arc::new(declarations::embedded(engine));
            originals.into_iter().map(move |original| Subject {
                original,
                registry: Arc::clone(&registry),
            })
        })
        .collect();
    Ok(subjects)
}

/// Which package each case of a round damages.
fn turns(subjects: &[Subject]) -> Vec<usize> {
    let size = |subject: &Subject| subject.original.bytes.len().max(1);
    let largest = subjects.iter().map(size).max().unwrap_or(1);
    (0..subjects.len())
        .flat_map(|index| {
            let turns = (largest / size(&subjects[index])).clamp(1, MOST_TURNS);
            std::iter::repeat_n(index, turns)
        })
        .collect()
}

fn one(subject: &Subject, seed: u64, number: u64, watch: &Watch) -> Case {
    let bytes = damaged(&subject.original, seed, number);
    let size = bytes.len() as u64;
    let mut outcome = Err("it did not end".to_owned());
    watch.begin(number);
    let started = Instant::now();
    let memory = allocation_counter::measure(|| {
        outcome = catch_unwind(AssertUnwindSafe(|| {
            read_everything(&bytes, &subject.registry)
        }))
        .map_err(|panic| words(&*panic));
    });
    let time = started.elapsed();
    Watch::end();
    Case {
        number,
        outcome,
        time,
        peak: memory.bytes_max,
        size,
    }
}

/// What a panic says.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_else(|| "unknown".to_owned())
}

impl Total {
    fn with(mut self, case: Case) -> Self {
        self.cases += 1;
        match case.outcome {
            Ok(outcome) => *self.outcomes.entry(outcome).or_default() += 1,
            Err(words) => self.panics.push((case.number, words)),
        }
        if case.time > LONGEST {
            self.too_slow.push(case.number);
        }
        if case.peak > FIXED_BYTES + BYTES_PER_BYTE * case.size {
            self.too_large.push(case.number);
        }
        self.slowest = self.slowest.max((case.time, case.number));
        self.peak = self.peak.max((case.peak, case.number));
        self.ratio = self
            .ratio
            .max((case.peak * 100 / case.size.max(1), case.number));
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.cases += other.cases;
        for (outcome, n) in other.outcomes {
            *self.outcomes.entry(outcome).or_default() += n;
        }
        self.panics.extend(other.panics);
        self.too_slow.extend(other.too_slow);
        self.too_large.extend(other.too_large);
        self.slowest = self.slowest.max(other.slowest);
        self.peak = self.peak.max(other.peak);
        self.ratio = self.ratio.max(other.ratio);
        self
    }

    fn report(
        mut self,
        subjects: &[Subject],
        turns: &[usize],
        args: &Args,
        started: Instant,
    ) -> bool {
        self.panics.sort();
        self.too_slow.sort_unstable();
        self.too_large.sort_unstable();
        let name = |case: u64| {
            let subject = &subjects[turns[(case % turns.len() as u64) as usize]];
            format!("case {case} ({})", subject.original.name)
        };
        for (outcome, n) in &self.outcomes {
            println!("{n:>8}  {outcome}");
        }
        for (case, words) in self.panics.iter().take(20) {
            println!("FAIL  {} panics: {words}", name(*case));
        }
        for case in self.too_slow.iter().take(20) {
            println!("FAIL  {} takes longer than {LONGEST:?}", name(*case));
        }
        for case in self.too_large.iter().take(20) {
            println!("FAIL  {} takes more memory than allowed", name(*case));
        }
        println!(
            "{} cases: {} panics, {} too slow, {} with too much memory",
            self.cases,
            self.panics.len(),
            self.too_slow.len(),
            self.too_large.len()
        );
        println!(
            "most memory at once: {} bytes in {}; {}.{:02} bytes a byte of the file in {} (allowed: {FIXED_BYTES} bytes and {BYTES_PER_BYTE} a byte of the file)",
            self.peak.0,
            name(self.peak.1),
            self.ratio.0 / 100,
            self.ratio.0 % 100,
            name(self.ratio.1),
        );
        println!(
            "slowest: {:.1?} in {} (allowed: {LONGEST:?})",
            self.slowest.0,
            name(self.slowest.1)
        );
        println!("mutate: {:.1?}, seed {}", started.elapsed(), args.seed);
        self.panics.is_empty() && self.too_slow.is_empty() && self.too_large.is_empty()
    }
}

/// Ends the command when a case hangs, and says which.
struct Watch {
    started: Instant,
    /// For each thread of the pool the case it is at, and since when, in milliseconds.
    running: Arc<Mutex<Vec<Arc<Running>>>>,
}

#[derive(Default)]
struct Running {
    /// The case's number plus one; 0 for none.
    case: AtomicU64,
    since: AtomicU64,
}

thread_local! {
    static RUNNING: Arc<Running> = Arc::default();
}

impl Watch {
    fn start(seed: u64) -> Self {
        let watch = Self {
            started: Instant::now(),
            running: Arc::default(),
        };
        let (started, running) = (watch.started, Arc::clone(&watch.running));
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let now = started.elapsed().as_millis() as u64;
                let running = running.lock().expect("no holder panics");
                for thread in running.iter() {
                    let case = thread.case.load(Ordering::Acquire);
                    let since = thread.since.load(Ordering::Acquire);
                    if case > 0 && now.saturating_sub(since) > HANG.as_millis() as u64 {
                        println!(
                            "FAIL  case {} of seed {seed} has not ended after {HANG:?}",
                            case - 1
                        );
                        std::process::exit(1);
                    }
                }
            }
        });
        watch
    }

    fn begin(&self, case: u64) {
        RUNNING.with(|thread| {
            if Arc::strong_count(thread) == 1 {
                let mut running = self.running.lock().expect("no holder panics");
                running.push(Arc::clone(thread));
            }
            let now = self.started.elapsed().as_millis() as u64;
            thread.since.store(now, Ordering::Release);
            thread.case.store(case + 1, Ordering::Release);
        });
    }

    fn end() {
        RUNNING.with(|thread| thread.case.store(0, Ordering::Release));
    }
}
