//! Figures as tables, as JSON and as the page `docs/performance.md`.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::Sample;
use super::clock::N_SAMPLES;
use super::machine::Machine;
use super::ours::Tier;
use super::peers::Kind;
use super::start::{Cold, Loading};
use super::vm::NATIVE;
use super::workloads::Workload;

/// All that was measured.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    pub(crate) workloads: Vec<Workload>,
    pub(crate) tiers: Vec<Tier>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) loading: Vec<Loading>,
    pub(crate) cold: Option<Cold>,
    /// Peers that ran, and what they call themselves.
    pub(crate) versions: Vec<(String, String)>,
    /// What was left out, and why.
    pub(crate) missing: Vec<(String, String)>,
    /// Programs that failed or gave a wrong result.
    pub(crate) errors: Vec<String>,
}

/// All programs in all engines, once.
#[derive(Debug)]
pub(crate) struct Round {
    /// Of the machine, before and after.
    pub(crate) load: (Option<f64>, Option<f64>),
    pub(crate) rows: Vec<Row>,
}

/// One program in one engine.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) engine: String,
    pub(crate) key: &'static str,
    pub(crate) sample: Sample,
}

/// Load above which two processors are not enough for the one thread that is timed and all else.
const BUSY: f64 = 2.0;

impl Round {
    fn sample(&self, engine: &str, key: &str) -> Option<&Sample> {
        let row = self
            .rows
            .iter()
            .find(|row| row.engine == engine && row.key == key);
        row.map(|row| &row.sample)
    }
}

impl Report {
    /// Ours, machine code, then the others.
    fn engines(&self) -> Vec<&str> {
        let ours = self.tiers.iter().map(|tier| tier.name());
        let others = self.versions.iter().map(|(name, _)| name.as_str());
        ours.chain([NATIVE]).chain(others).collect()
    }

    /// Seconds of the whole work.
    fn seconds(&self, engine: &str, key: &str) -> Option<f64> {
        let rounds = self.rounds.iter();
        middle(rounds.filter_map(|round| Some(round.sample(engine, key)?.seconds)))
    }

    /// How many times as long as `other` an engine takes.
    fn ratio(&self, engine: &str, other: &str, key: &str) -> Option<f64> {
        let ratio = |round: &Round| {
            let other = round.sample(other, key)?.seconds;
            Some(round.sample(engine, key)?.seconds / other.max(1e-9))
        };
        middle(self.rounds.iter().filter_map(ratio))
    }

    fn times(&self) -> Table {
        let rows = self.engines().into_iter().map(|engine| {
            let cells = self.workloads.iter().map(|workload| {
                let seconds = self.seconds(engine, workload.key)?;
                Some(three_digits(seconds * 1e3))
            });
            (engine.to_owned(), cells.collect())
        });
        table("ms", rows, &self.workloads)
    }

    fn ratios(&self) -> Table {
        let others = [
            Kind::Lua.name(),
            Kind::LuaJitOff.name(),
            Kind::Wasmi.name(),
            NATIVE,
        ];
        let mut rows = Vec::new();
        for tier in &self.tiers {
            for other in others {
                let cells = self.workloads.iter().map(|workload| {
                    let ratio = self.ratio(tier.name(), other, workload.key)?;
                    Some(three_digits(ratio))
                });
                rows.push((format!("{} / {other}", tier.name()), cells.collect()));
            }
        }
        table("times as long", rows, &self.workloads)
    }

    fn per_node(&self) -> Table {
        let counted: Vec<Workload> = self
            .workloads
            .iter()
            .filter(|workload| workload.nodes.is_some())
            .copied()
            .collect();
        let rows = self.engines().into_iter().map(|engine| {
            let cells = counted.iter().map(|workload| {
                let seconds = self.seconds(engine, workload.key)?;
                Some(three_digits(seconds * 1e9 / workload.nodes?))
            });
            (engine.to_owned(), cells.collect())
        });
        table("ns a node", rows, &counted)
    }

    /// Packages from their file to a world.
    fn start(&self) -> Table {
        let head = [
            "package",
            "nodes",
            "script bytes",
            "decode ms",
            "verify ms",
            "verify nodes/s",
            "load ms",
            "load nodes/s",
        ];
        let rows = self.loading.iter().map(|row| {
            let speed = |time: Duration| {
                let speed = row.n_nodes as f64 / time.as_secs_f64().max(1e-9);
                format!("{speed:.0}")
            };
            let ms = |time: Duration| three_digits(time.as_secs_f64() * 1e3);
            vec![
                row.what.to_owned(),
                row.n_nodes.to_string(),
                row.n_bytes.to_string(),
                ms(row.decode),
                ms(row.verify),
                speed(row.verify),
                ms(row.load),
                speed(row.load),
            ]
        });
        Table {
            head: head.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }
    }

    fn cold(&self) -> Option<String> {
        let cold = self.cold?;
        let ms = |time: Duration| three_digits(time.as_secs_f64() * 1e3);
        let mut text = format!(
            "`bpc run` of a JSON graph of {} nodes: {} ms on the clock of the wall to the first line a node prints, {} to its end",
            cold.n_nodes,
            ms(cold.first),
            ms(cold.whole),
        );
        if let Some(memory) = cold.memory {
            let _ = write!(
                text,
                ", {:.1} MB of memory at most",
                memory as f64 / f64::from(1 << 20)
            );
        }
        Some(text)
    }

    /// `1.20 to 1.43` of each round.
    fn loads(&self) -> String {
        let shown =
            |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        let rounds: Vec<String> = self
            .rounds
            .iter()
            .map(|round| format!("{} to {}", shown(round.load.0), shown(round.load.1)))
            .collect();
        rounds.join(", ")
    }

    fn was_busy(&self) -> bool {
        let loads = self
            .rounds
            .iter()
            .flat_map(|round| [round.load.0, round.load.1]);
        loads.flatten().any(|load| load > BUSY)
    }

    /// How it was measured, in lines.
    fn conditions(&self) -> Vec<String> {
        let machine = &self.machine;
        let memory = machine
            .memory
            .map_or_else(String::new, |memory| format!(", {memory:.0} GiB"));
        let mut lines = vec![
            format!(
                "{}, {} processors{memory}; {}",
                machine.processor, machine.n_processors, machine.system
            ),
            format!(
                "commit {}, {} build, {}",
                machine.commit, machine.profile, machine.rustc
            ),
            format!(
                "one thread, processor time, medians of {N_SAMPLES} after one that warms up; {}",
                counted(self.rounds.len(), "round")
            ),
            format!("load of the machine: {}", self.loads()),
        ];
        if cfg!(debug_assertions) {
            lines.push(
                "a development build checks more than a release build and optimises less: its figures are too high"
                    .to_owned(),
            );
        }
        if self.was_busy() {
            lines.push(format!(
                "the load was above {BUSY:.0}: others took part of the caches and of the shared cores, so times are too high and ratios uncertain; to be measured again"
            ));
        }
        lines
    }

    /// Engines that did a part of the work, with the share.
    fn shares(&self) -> Option<String> {
        let mut parts = Vec::new();
        for engine in self.engines() {
            let shares: Vec<String> = self
                .workloads
                .iter()
                .filter_map(|workload| {
                    let sample = self.rounds.first()?.sample(engine, workload.key)?;
                    let is_part = sample.share < 0.999;
                    is_part.then(|| format!("{} {:.3}", workload.key, sample.share))
                })
                .collect();
            if !shares.is_empty() {
                parts.push(format!("{engine} ({})", shares.join(", ")));
            }
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// A table with a column for each program; `cell` gives what stands in each.
fn table(
    corner: &str,
    rows: impl IntoIterator<Item = (String, Vec<Option<String>>)>,
    workloads: &[Workload],
) -> Table {
    let keys = workloads.iter().map(|workload| workload.key.to_owned());
    Table {
        head: std::iter::once(corner.to_owned()).chain(keys).collect(),
        rows: rows
            .into_iter()
            .filter(|(_, cells)| cells.iter().any(Option::is_some))
            .map(|(name, cells)| {
                let cells = cells
                    .into_iter()
                    .map(|cell| cell.unwrap_or_else(|| "–".to_owned()));
                std::iter::once(name).chain(cells).collect()
            })
            .collect(),
    }
}

/// `1 round`, `2 rounds`.
fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// The median.
fn middle(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

/// A number with three digits that count, at least.
fn three_digits(number: f64) -> String {
    match number {
        number if number < 1.0 => format!("{number:.3}"),
        number if number < 10.0 => format!("{number:.2}"),
        number if number < 100.0 => format!("{number:.1}"),
        number => format!("{number:.0}"),
    }
}

/// Rows below a head; numbers stand right but in the first column.
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With spaces between columns.
    fn plain(&self) -> String {
        let all = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| {
            let cells = all().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut out = String::new();
        for row in all() {
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let _ = if column == 0 {
                    write!(out, "{cell:<width$}")
                } else {
                    write!(out, "  {cell:>width$}")
                };
            }
            out.push('\n');
        }
        out
    }

    /// As Markdown.
    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut out = line(&self.head);
        let rules = vec!["--:|"; self.head.len().saturating_sub(1)].concat();
        let _ = writeln!(out, "|---|{rules}");
        for row in &self.rows {
            out.push_str(&line(row));
        }
        out
    }
}

/// For a console.
pub(crate) fn as_text(report: &Report) -> String {
    let mut out = report.conditions().join("\n");
    out.push_str("\n\n");
    for table in [report.times(), report.ratios(), report.per_node()] {
        if !table.rows.is_empty() {
            let _ = writeln!(out, "{}", table.plain());
        }
    }
    if let Some(shares) = report.shares() {
        let _ = writeln!(out, "part of the work, scaled up: {shares}");
    }
    if !report.loading.is_empty() {
        let _ = writeln!(out, "\n{}", report.start().plain());
    }
    if let Some(cold) = report.cold() {
        let _ = writeln!(out, "{}", cold.replace('`', ""));
    }
    for (name, why) in &report.missing {
        let _ = writeln!(out, "left out: {name} ({why})");
    }
    out
}

/// One object.
pub(crate) fn as_json(report: &Report) -> String {
    let rounds: Vec<_> = report
        .rounds
        .iter()
        .map(|round| {
            let rows: Vec<_> = round
                .rows
                .iter()
                .map(|row| {
                    json!({
                        "engine": row.engine,
                        "program": row.key,
                        "seconds": row.sample.seconds,
                        "fastest": row.sample.range.0,
                        "slowest": row.sample.range.1,
                        "share": row.sample.share,
                        "result": row.sample.result,
                    })
                })
                .collect();
            json!({"load_before": round.load.0, "load_after": round.load.1, "rows": rows})
        })
        .collect();
    let loading: Vec<_> = report
        .loading
        .iter()
        .map(|row| {
            json!({
                "what": row.what,
                "nodes": row.n_nodes,
                "bytes": row.n_bytes,
                "decode_seconds": row.decode.as_secs_f64(),
                "verify_seconds": row.verify.as_secs_f64(),
                "load_seconds": row.load.as_secs_f64(),
            })
        })
        .collect();
    let cold = report.cold.map(|cold| {
        json!({
            "nodes": cold.n_nodes,
            "first_line_seconds": cold.first.as_secs_f64(),
            "seconds": cold.whole.as_secs_f64(),
            "peak_bytes": cold.memory,
        })
    });
    let machine = &report.machine;
    json!({
        "date": machine.date,
        "commit": machine.commit,
        "profile": machine.profile,
        "rustc": machine.rustc,
        "processor": machine.processor,
        "processors": machine.n_processors,
        "memory_gib": machine.memory,
        "system": machine.system,
        "samples": N_SAMPLES,
        "peers": named(&report.versions),
        "missing": named(&report.missing),
        "errors": report.errors,
        "rounds": rounds,
        "loading": loading,
        "cold": cold,
    })
    .to_string()
}

/// Pairs as an object.
fn named(pairs: &[(String, String)]) -> Value {
    let pairs = pairs.iter();
    Value::Object(
        pairs
            .map(|(name, text)| (name.clone(), Value::from(text.as_str())))
            .collect(),
    )
}

/// `docs/performance.md`.
pub(crate) fn as_page(report: &Report) -> String {
    let mut out = format!(
        "# How fast compiled graphs run\n\nWritten by `cargo xtask bench vm --write` on {}; not to be edited.\n\n",
        report.machine.date
    );
    for line in report.conditions() {
        let _ = writeln!(out, "- {line}");
    }
    out.push_str("\n## Programs\n\n| | graph | what it does |\n|---|---|---|\n");
    for workload in &report.workloads {
        let (key, graph, what) = (workload.key, workload.graph, workload.what);
        let _ = writeln!(
            out,
            "| {key} | [{graph}](../graphs/bench/{graph}.json) | {what} |"
        );
    }
    out.push_str(
        "\nEach engine's result is compared with machine code's; a wrong one makes the command fail.\n",
    );
    for (title, table) in [
        ("Milliseconds", report.times()),
        ("Ours against others, below 1 is faster", report.ratios()),
        ("Nanoseconds a node", report.per_node()),
    ] {
        if !table.rows.is_empty() {
            let _ = write!(out, "\n## {title}\n\n{}", table.markdown());
        }
    }
    out.push_str(
        "\nNodes are those that a user draws and that run: 8 for an inner call of a and 3 for a leaf, 9 a turn of b, 16 of c (ours draws 18), 11 of g, 8 an \
         event of f. Nobody has counted them for d, e and h.\n",
    );
    if let Some(shares) = report.shares() {
        let _ = writeln!(
            out,
            "\nThese engines did a part of the work, and their times are scaled up: {shares}."
        );
    }
    if !report.loading.is_empty() || report.cold.is_some() {
        out.push_str("\n## Before the first instruction\n\n");
        if !report.loading.is_empty() {
            out.push_str(&report.start().markdown());
            out.push('\n');
        }
        if let Some(cold) = report.cold() {
            let _ = writeln!(out, "{cold}.");
        }
    }
    out.push_str("\n## Engines\n\n");
    for tier in &report.tiers {
        let _ = writeln!(out, "- {}: {}", tier.name(), tier.what());
    }
    let _ = writeln!(
        out,
        "- {NATIVE}: the same programs in `xtask/native`, optimised, without checks of overflow; functions of vectors and events are real calls"
    );
    for (name, version) in &report.versions {
        let _ = writeln!(out, "- {name}: {version}");
    }
    for (name, why) in &report.missing {
        let _ = writeln!(out, "- not measured: {name} ({why})");
    }
    out.push_str(NOTES);
    out
}

/// What stands at the end of the page.
const NOTES: &str = "
Lua is called through its C API, Python through a C extension, wasmi and Rhai from Rust. What runs in wasmi clang has optimised before. Its bodies
of h end elsewhere than those of all others, for a rounding somewhere decides where they fly; so its result is compared with that of the same C,
compiled by the same clang for this machine.

## Not measured

- The engine's own interpreter: it cannot be run without the engine.
- Other processors and systems than the one above.
- Latent actions, timelines, delegates, many objects at once, several threads.
- Memory of running programs.

## To measure again

```console
$ cargo run --release -p xtask -- bench vm --rounds 3 --write
```

`--workload a_fib` measures one program, `--no-peers` only ours and machine code, `--json` prints every sample. The others need the programs in
`../shared/perf/programs` (or `--programs DIR`), and on Debian `apt-get install gcc clang lld lua5.4 liblua5.4-dev luajit libluajit-5.1-dev
python3-dev time`; what is missing is named and left out. Figures of a machine with a load above 2 are worth little.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_even_numbers_lie_between() {
        assert_eq!(middle([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(middle([4.0, 1.0, 2.0, 3.0].into_iter()), Some(2.5));
        assert_eq!(middle(std::iter::empty()), None);
    }

    #[test]
    fn numbers_keep_three_digits() {
        let shown = [0.123_4, 1.234, 12.34, 123.4, 12_345.6].map(three_digits);
        assert_eq!(shown, ["0.123", "1.23", "12.3", "123", "12346"]);
    }

    /// Ratios are taken within rounds, where both ran in the same conditions.
    #[test]
    fn ratios_are_of_rounds() {
        let sample = |seconds| Sample {
            seconds,
            range: (seconds, seconds),
            share: 1.0,
            result: 0.0,
        };
        let row = |engine: &str, seconds| Row {
            engine: engine.to_owned(),
            key: "a_fib",
            sample: sample(seconds),
        };
        let round = |a, b| Round {
            load: (None, None),
            rows: vec![row("a", a), row("b", b)],
        };
        let report = Report {
            rounds: vec![round(1.0, 2.0), round(40.0, 8.0), round(6.0, 3.0)],
            ..Report::default()
        };
        assert_eq!(report.ratio("a", "b", "a_fib"), Some(2.0));
        assert_eq!(report.seconds("a", "a_fib"), Some(6.0));
        assert_eq!(report.ratio("a", "c", "a_fib"), None);
    }
}
