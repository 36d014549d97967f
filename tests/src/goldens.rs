//! Golden texts: what each stage makes of a few chosen graphs, in `tests/goldens/GRAPH/STAGE.txt`.
//!
//! Write the case, run `cargo xtask bless`, *read* the result, commit both.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use bp_bytecode::asm::{self, PrintOptions};
use bp_cli::load::{Options, load};
use bp_cli::pipeline;
use bp_compiler::dump;

use crate::cases::{self, Case};
use crate::{normalized, root};

/// The chosen cases: between them every stage has something to do.
pub const CHOSEN: [&str; 13] = [
    "nodes/IfThenElse",
    "nodes/ForLoop",
    "nodes/ExecutionSequence",
    "nodes/SwitchInteger",
    "nodes/SelectInt",
    "nodes/LatentDelay",
    "nodes/Composite",
    "nodes/FunctionSeveralResults",
    "nodes/OutParameters",
    "nodes/SplitPins",
    "nodes/DynamicCastFails",
    "nodes/OverrideAndParentCall",
    "programs/FizzBuzz",
];

/// A stage whose text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// As drawn.
    Graph,
    /// Without macros, tunnels, knots and sugar.
    Expanded,
    /// The order of nodes.
    Schedule,
    /// Statements.
    Ir,
    /// Assembly.
    Asm,
    /// Assembly with debug sites, in the code order of the editor.
    AsmDebug,
}

impl Stage {
    /// All, in order.
    pub const ALL: [Self; 6] = [
        Self::Graph,
        Self::Expanded,
        Self::Schedule,
        Self::Ir,
        Self::Asm,
        Self::AsmDebug,
    ];

    /// The name of its file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Graph => "graph.txt",
            Self::Expanded => "expanded.txt",
            Self::Schedule => "schedule.txt",
            Self::Ir => "ir.txt",
            Self::Asm => "asm.txt",
            Self::AsmDebug => "asm_debug.txt",
        }
    }
}

/// One golden text.
#[derive(Clone, Debug)]
pub struct Golden {
    /// Of which case.
    pub case: Case,
    /// Of which stage.
    pub stage: Stage,
}

impl Golden {
    /// `nodes/ForLoop/ir.txt`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.case.name, self.stage.file_name())
    }

    fn path(&self) -> PathBuf {
        let short = self.case.name.rsplit('/').next().unwrap_or_default();
        root()
            .join("tests/goldens")
            .join(short)
            .join(self.stage.file_name())
    }

    /// The text that is kept, if there is one.
    pub fn expected(&self) -> Option<String> {
        fs::read_to_string(self.path())
            .ok()
            .map(|text| normalized(&text))
    }

    /// The text that the stage makes now.
    ///
    /// # Errors
    /// The case has errors.
    pub fn current(&self) -> Result<String, String> {
        let loaded = load(&self.case.inputs(), &Options::default())
            .map_err(|failure| failure.to_string())?;
        if loaded.diagnostics.has_errors() {
            return Err("it does not read without errors".to_owned());
        }
        let libraries = loaded.libraries();
        let debug_sites = self.stage == Stage::AsmDebug;
        let compilation = pipeline::compile(&loaded, &libraries, debug_sites);
        let mut text = String::new();
        for unit in &compilation.units {
            let titles = dump::Titles {
                blueprint: unit.blueprint,
                registry: &loaded.registry,
            };
            if self.stage == Stage::Graph {
                for graph in &unit.blueprint.graphs {
                    text += &dump::graph(graph, titles);
                }
            }
            for function in &unit.functions {
                match (self.stage, &function.expanded) {
                    (Stage::Expanded, Some((expanded, _))) => {
                        text += &dump::expanded(expanded, titles);
                    }
                    (Stage::Schedule, Some((expanded, schedule))) => {
                        text += &dump::schedule(expanded, schedule, titles);
                    }
                    (Stage::Ir, _) => text += &dump::ir(&function.ir),
                    (
                        Stage::Graph
                        | Stage::Expanded
                        | Stage::Schedule
                        | Stage::Asm
                        | Stage::AsmDebug,
                        _,
                    ) => {}
                }
            }
        }
        if matches!(self.stage, Stage::Asm | Stage::AsmDebug) {
            let package = compilation
                .package
                .as_ref()
                .ok_or("it does not compile without errors")?;
            let _ = write!(text, "{}", asm::print(package, PrintOptions::OFFSETS));
        }
        Ok(normalized(&text))
    }

    /// Keeps a text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, text: &str) -> std::io::Result<()> {
        let path = self.path();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)
    }
}

/// The goldens of all chosen cases whose name holds `filter`.
pub fn all(filter: &str) -> Vec<Golden> {
    CHOSEN
        .iter()
        .filter(|name| name.contains(filter))
        .flat_map(|name| {
            let case = cases::all(name)
                .into_iter()
                .find(|case| case.name == *name)
                .unwrap_or_else(|| panic!("the case {name} is not there"));
            Stage::ALL.map(|stage| Golden {
                case: case.clone(),
                stage,
            })
        })
        .collect()
}
