//! The arguments of every command.

#![expect(
    clippy::doc_markdown,
    reason = "documentation of arguments is their help, which is plain text"
)]

use std::path::PathBuf;

use bp_reflect::EngineVersion;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::inputs::Input;
use crate::kind::Kind;
use crate::report::{ColorChoice, MessageFormat};

/// What was asked on the command line.
#[derive(Debug, Parser)]
#[command(
    name = "bpc",
    version,
    about = "Compiles Unreal Blueprints to Kismet bytecode and runs it, without the engine",
    long_about = "Compiles Unreal Blueprints to Kismet bytecode and runs it, without the engine.\n\n\
        Reads Blueprint JSON, text copied in the Blueprint editor, and uncooked .uasset/.umap packages; \
        the kind of a file is told from its content, and `-` is stdin. stdout carries the product and \
        nothing else; diagnostics go to stderr.",
    after_help = "Exit codes:\n  \
        0  fine\n  \
        1  the input has errors, or differences were found\n  \
        2  wrong use, or a file that cannot be read or written\n  \
        3  the verifier refused the bytecode\n  \
        4  a run-time fault, or a native function that is missing\n  \
        5  a limit was hit (recursion, runaway loop, memory, fuel)\n  \
        101  a bug of bpc\n\n\
        `bpc help COMMAND` shows a command's options and examples.",
    disable_help_subcommand = false,
    max_term_width = 100
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// How to talk.
    #[command(flatten)]
    pub messages: Messages,
}

/// How diagnostics look.
#[derive(Clone, Copy, Debug, Args)]
pub struct Messages {
    /// Form of messages on stderr: human, short (a line each) or json (an object a line)
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "FORM",
        help_heading = "Messages"
    )]
    pub message_format: MessageFormat,
    /// Colour of messages: auto, always or never; auto follows NO_COLOR and the terminal
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "WHEN",
        help_heading = "Messages"
    )]
    pub color: ColorChoice,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Finds errors in Blueprints; makes nothing
    #[command(after_help = "Examples:\n  \
        bpc check graphs/programs/FizzBuzz.json\n  \
        bpc check Content/                       every Blueprint below a folder, together\n  \
        wl-paste | bpc check -                   nodes copied in the editor\n  \
        bpc check --message-format json A.json   diagnostics for a program\n  \
        bpc check Door.uasset --project MyGame   what it refers to is looked for there\n  \
        bpc check Door.uasset --list-undeclared > MyGame.json\n\n\
        Exit codes: 0 no errors, 1 errors, 2 wrong use or I/O")]
    Check(CheckArgs),
    /// Compiles Blueprints to a package, or to the text of any stage
    #[command(after_help = "Examples:\n  \
        bpc build graphs/programs/FizzBuzz.json             writes FizzBuzz.bpx\n  \
        bpc build A.json B.json -o both.bpx                 compiled together, one package\n  \
        bpc build A.json --emit ir,asm,package -o out/      out/A.ir.txt, out/A.bpasm, out/A.bpx\n  \
        bpc build A.json --emit asm -o -                    assembly on stdout\n  \
        bpc build Door.uasset --engine 4.27 --debug-sites   as the 4.27 editor compiles it\n  \
        bpc build A.json --keep-going                       also beside errors\n\n\
        As in the engine, one function with errors makes its whole class inert: there is no package. With\n\
        --keep-going there is one of the other functions; those with errors, and the events of a broken event\n\
        graph, only return and are named. The exit code stays 1.\n\n\
        Exit codes: 0 fine, 1 errors in the input, 2 wrong use or I/O,\n\
        3 the verifier refused the result")]
    Build(BuildArgs),
    /// Compiles if needed, and runs an object of the first file's class
    #[command(
        after_help = "Without --event and --call, BeginPlay runs, then ticks go on while anything waits or ticks.\n\n\
        Examples:\n  \
        bpc run graphs/programs/FizzBuzz.json\n  \
        bpc run FizzBuzz.bpx\n  \
        bpc run Door.json --event Open --event Close    these events, no BeginPlay\n  \
        bpc run Math.json --call Power --arg Base=2 --arg Exponent=10\n  \
        bpc run Lamp.json --ticks 120 --dt 0.5 --vars   variables of the object at the end\n  \
        bpc run Pawn.json --input 't=0.5 Jump pressed' --input 't=1 MoveForward 0.75'\n  \
        bpc run Lamp.json --coverage                    nodes that ran, and those that never did\n  \
        bpc run Lamp.json --profile --message-format json   runs and seconds of each node\n  \
        bpc run Door.json --keep-going                  what has no errors; then exit code 1\n\n\
        Exit codes: 0 fine (warnings do not count), 1 errors in the input, 2 wrong use or I/O,\n\
        3 the verifier refused the package, 4 a fault or a missing native function,\n\
        5 a recursion or runaway guard fired, or memory or fuel ran out"
    )]
    Run(RunArgs),
    /// Runs an object of the first file's class under a debugger that reads commands from stdin
    #[command(
        after_help = "Commands: break, delete, run, continue, step, next, out, print, watch, locals, stack, list, recent, quit;\n\
        `help` describes them. A node is named by its id or title, or by a place: a function, or FUNCTION+0x1F.\n\
        What a pin has is printed as NODE.PIN if the node was compiled from a source.\n\
        What --event, --call and the like ask for starts with the command `run`.\n\n\
        Examples:\n  \
        bpc debug Door.json\n  \
        bpc debug Door.json --event Open\n  \
        printf 'break say\\nrun\\nlocals\\ncontinue\\n' | bpc debug Door.json     a script of commands\n  \
        bpc debug Door.bpx --call Power --arg Base=2\n\n\
        Exit codes: 0 fine, 1 errors in the input, 2 wrong use or I/O, 3 the verifier refused the package,\n\
        4 and 5 as bpc run, if the last run ended so"
    )]
    Debug(DebugArgs),
    /// Shows one stage of the compiler as text
    #[command(after_help = "Examples:\n  \
        bpc dump FizzBuzz.json --stage ir\n  \
        bpc dump FizzBuzz.json --stage asm --function Word\n  \
        bpc dump FizzBuzz.bpx --stage hex\n\n\
        A compiled package has the stages asm, hex and map only.\n\n\
        Exit codes: 0 fine, 1 errors in the input, 2 wrong use or I/O")]
    Dump(DumpArgs),
    /// Disassembles bytecode
    #[command(
        after_help = "A .uasset is disassembled as stored: the bytecode that the engine's compiler made. Of a folder, all\n\
        .uasset and .umap files below it are. A source is compiled first.\n\n\
        Where bytes are no script (an opcode that no engine has, or a game's own), all before the place is shown, with\n\
        the offset, and the bytes around it on stderr. --unknown says what happens then.\n\n\
        Examples:\n  \
        bpc dis FizzBuzz.bpx                     can be assembled again\n  \
        bpc dis FizzBuzz.bpx --style ue          as the editor's log shows it\n  \
        bpc dis Door.uasset --function Open\n  \
        bpc dis Content/ --summary               functions, sizes and opcodes of every package\n  \
        bpc dis Game.uasset --unknown skip-function\n\n\
        Exit codes: 0 fine, 1 bytes that are no script or errors in the input, 2 wrong use or I/O"
    )]
    Dis(DisArgs),
    /// Assembles text to a package
    #[command(after_help = "Examples:\n  \
        bpc asm Door.bpasm                writes Door.bpx\n  \
        bpc dis A.bpx | bpc asm - -o B.bpx   B.bpx equals A.bpx\n\n\
        The result is not verified; see bpc verify.\n\n\
        Exit codes: 0 fine, 1 errors in the text, 2 wrong use or I/O")]
    Asm(AsmArgs),
    /// Checks whether bytecode may run
    #[command(
        after_help = "A source is compiled first, a .uasset too: to check the bytecode that is stored in it, verify what\n\
        bpc dis shows of it.\n\n\
        Examples:\n  \
        bpc verify FizzBuzz.bpx\n  \
        bpc dis Door.uasset | bpc verify -\n  \
        bpc verify Door.bpasm --declarations MyGame.json\n\n\
        Exit codes: 0 every rule holds, 1 not a package or errors in the input,\n\
        2 wrong use or I/O, 3 refused"
    )]
    Verify(VerifyArgs),
    /// Converts between Blueprint JSON, clipboard text and (read-only) packages
    #[command(after_help = "Examples:\n  \
        bpc convert FizzBuzz.json --to t3d | wl-copy   to be pasted in the editor\n  \
        bpc convert pasted.t3d --to json -o Pasted.json\n  \
        bpc convert Door.uasset --to json\n\n\
        Exit codes: 0 fine, 1 errors in the input, 2 wrong use or I/O")]
    Convert(ConvertArgs),
    /// Draws graphs: SVG, or text for Graphviz or Mermaid
    #[command(
        after_help = "Nodes stand where their author put them, with the editor's titles, pin names and colours.\n\n\
        Examples:\n  \
        bpc graph FizzBuzz.json --to svg -o FizzBuzz.svg    all graphs, one below the other\n  \
        bpc graph Door.uasset --to svg --graph EventGraph -o door.svg\n  \
        bpc graph Door.uasset --to svg -o pictures/         a file for each graph\n  \
        bpc graph Lamp.json Switch.json --to svg     the first one's; the others' classes are known to it\n  \
        bpc graph pasted.t3d --to mermaid\n\n\
        Exit codes: 0 fine, 1 errors in the input (what could be read is drawn), 2 wrong use or I/O"
    )]
    Graph(GraphArgs),
    /// Prints a JSON Schema
    #[command(after_help = "Examples:\n  \
        bpc schema graph > blueprint.schema.json    for an editor's completion\n  \
        bpc schema diagnostics                      lines of --message-format json\n\n\
        In short: links are [\"node.pin\", \"node.pin\"], output first. A function or macro graph has the nodes\n\
        `entry` and `result` without listing them (`entry.then`, `entry.MyInput`, `result.MyOutput`).\n\
        Types: bool byte int int64 float double name string text object:C class:C soft_object:C soft_class:C\n\
        interface:C struct:S enum:E byte:E delegate:D exec wildcard array<T> set<T> map<K,V>\n\n\
        Exit codes: 0 fine, 2 wrong use or I/O")]
    Schema(SchemaArgs),
    /// Explains a diagnostic code (cause, example, cure) or a rule of the verifier
    #[command(after_help = "Examples:\n  \
        bpc explain BP0207\n  \
        bpc explain SELF_TYPE\n  \
        bpc explain V012\n  \
        bpc explain               all of them, a line each\n\n\
        In an example, `-` are the lines with the mistake, `!` is what is said of them, `+` are the lines without it.\n\n\
        Exit codes: 0 fine, 2 no such code")]
    Explain(NameArgs),
    /// Lists node classes, or shows the keys and pins of one
    #[command(
        after_help = "Where pins follow from keys, they are shown for an example; give the keys to see yours.\n\n\
        Examples:\n  \
        bpc nodes\n  \
        bpc nodes SwitchEnum\n  \
        bpc nodes CallFunction function=KismetMathLibrary.Lerp\n  \
        bpc nodes SwitchInteger cases=[4,5]\n\n\
        Exit codes: 0 fine, 2 no such node class"
    )]
    Nodes(NodesArgs),
    /// Lists opcodes, or shows one, with the engine version each exists since
    #[command(after_help = "Examples:\n  \
        bpc opcodes\n  \
        bpc opcodes EX_Context\n  \
        bpc opcodes 0x19\n\n\
        Exit codes: 0 fine, 2 no such opcode")]
    Opcodes(NameArgs),
}

/// What to read, and how.
#[derive(Clone, Debug, Args)]
pub struct Sources {
    /// Files; `-` is stdin, folders are walked
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How to read them.
    #[command(flatten)]
    pub reading: Reading,
}

/// One file to read, and how.
#[derive(Clone, Debug, Args)]
pub struct Source {
    /// The file; `-` is stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How to read it.
    #[command(flatten)]
    pub reading: Reading,
}

/// How to read inputs.
#[derive(Clone, Debug, Default, Args)]
pub struct Reading {
    /// Kind of the inputs, instead of telling it from their content: json, t3d, uasset, bpx or bpasm
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "KIND",
        help_heading = "Input"
    )]
    pub from: Option<Kind>,
    /// Declarations of native classes: a JSON file, or a folder of them; may be repeated
    #[arg(long, value_name = "PATH", help_heading = "Input")]
    pub declarations: Vec<PathBuf>,
    /// Project whose packages the inputs may refer to: its folder or .uproject [default: found from the
    /// Content folder an input lies in]
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub project: Option<PathBuf>,
    /// Engine version to compile for, instead of the Blueprint's own: 4.16 to 5.x
    #[arg(long, value_name = "VERSION", help_heading = "Input")]
    pub engine: Option<EngineVersion>,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// What to read.
    #[command(flatten)]
    pub sources: Sources,
    /// Print what is used and declared nowhere, as a file for --declarations to be completed
    #[arg(long)]
    pub list_undeclared: bool,
}

/// What `build` can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Emit {
    /// The graphs as drawn
    Graph,
    /// The graphs without macros, tunnels, knots and sugar
    Expanded,
    /// The linear order of nodes
    Schedule,
    /// Statements over terms
    Ir,
    /// Assembly text
    Asm,
    /// Script bytes, one statement a line
    Hex,
    /// Which bytes come from which node, as JSON
    Map,
    /// The compiled package
    Package,
}

/// Arguments of `build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// What to read.
    #[command(flatten)]
    pub sources: Sources,
    /// Output file, or folder if it is one; `-` is stdout
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to make; several with commas
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "package",
        value_name = "STAGES"
    )]
    pub emit: Vec<Emit>,
    /// Emit Tracepoint and WireTracepoint, and the code order that comes with them, as the editor does
    #[arg(long)]
    pub debug_sites: bool,
    /// Compile the functions without errors; the others only return
    #[arg(long)]
    pub keep_going: bool,
}

/// What happens to the object of `run` and `debug`.
#[derive(Clone, Debug, Args)]
pub struct Playing {
    /// Event to run at the start, in order; may be repeated
    #[arg(long, value_name = "NAME")]
    pub event: Vec<String>,
    /// Function to call, after the events; prints its outputs
    #[arg(long, value_name = "FUNCTION")]
    pub call: Option<String>,
    /// Argument of the called function, in the engine's text form; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "call")]
    pub arg: Vec<String>,
    /// Most ticks to run
    #[arg(
        long,
        default_value_t = 600,
        value_name = "N",
        allow_negative_numbers = true
    )]
    pub ticks: u32,
    /// Simulated seconds of a tick [default: 1/60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub dt: Option<f64>,
    /// Most memory for the script's values, in bytes or with K, M or G behind [default: 1G]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Most statements of an event or call, all it calls included [default: 1000000000]
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// What runs functions; both do the same
    #[arg(long, value_enum, default_value_t)]
    pub tier: RunTier,
    /// Input at a time, `t=SECONDS NAME WHAT`: an action, key or axis of the class, or one of its events; may be
    /// repeated
    #[arg(long, value_name = "INPUT", value_parser = Input::parse)]
    pub input: Vec<Input>,
    /// Compile with Tracepoint and WireTracepoint
    #[arg(long)]
    pub debug_sites: bool,
    /// Run in spite of errors: functions that have some only return
    #[arg(long)]
    pub keep_going: bool,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// What to read.
    #[command(flatten)]
    pub sources: Sources,
    /// What happens.
    #[command(flatten)]
    pub playing: Playing,
    /// Show every node that runs, on stderr
    #[arg(long)]
    pub trace: bool,
    /// Tell at the end, on stderr, how many nodes of each graph ran and which never did
    #[arg(long)]
    pub coverage: bool,
    /// Tell at the end, on stderr, how often each node ran and how long, the longest first
    #[arg(long)]
    pub profile: bool,
    /// Print the object's variables at the end
    #[arg(long)]
    pub vars: bool,
}

/// Arguments of `debug`.
#[derive(Debug, Args)]
pub struct DebugArgs {
    /// What to read.
    #[command(flatten)]
    pub sources: Sources,
    /// What happens after `run`.
    #[command(flatten)]
    pub playing: Playing,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        Ok(_) => Err("must be zero or more".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn bytes(text: &str) -> Result<u64, String> {
    let shift = match text.chars().last() {
        Some('K' | 'k') => 10,
        Some('M' | 'm') => 20,
        Some('G' | 'g') => 30,
        _ => 0,
    };
    let digits = if shift > 0 {
        &text[..text.len() - 1]
    } else {
        text
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "write a number of bytes, or one with K, M or G behind".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "that is too much".to_owned())
}

/// Stages that `dump` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Stage {
    /// The graphs as drawn
    Graph,
    /// The graphs without macros, tunnels, knots and sugar
    Expanded,
    /// The linear order of nodes
    Schedule,
    /// Statements over terms
    Ir,
    /// Assembly text
    Asm,
    /// Script bytes, one statement a line
    Hex,
    /// Which bytes come from which node, as JSON
    Map,
}

/// Arguments of `dump`.
#[derive(Debug, Args)]
pub struct DumpArgs {
    /// What to read.
    #[command(flatten)]
    pub sources: Sources,
    /// Which stage
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stage: Stage,
    /// This function only (of the stage `graph`: this graph)
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Compile with Tracepoint and WireTracepoint
    #[arg(long)]
    pub debug_sites: bool,
}

/// Forms of a disassembly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum Style {
    /// Assembly text, which `bpc asm` reads
    #[default]
    Bpasm,
    /// The form of the editor's log
    Ue,
}

/// What follows bytes that are no script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum Unknown {
    /// Nothing more is shown of the file
    #[default]
    Stop,
    /// The next function is shown
    SkipFunction,
}

/// Arguments of `dis`.
#[derive(Debug, Args)]
pub struct DisArgs {
    /// What to read.
    #[command(flatten)]
    pub source: Source,
    /// This function only
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Form of the text
    #[arg(long, value_enum, default_value_t)]
    pub style: Style,
    /// Numbers of functions, bytes and opcodes in place of the text
    #[arg(long, conflicts_with_all = ["style", "function"])]
    pub summary: bool,
    /// What to do where bytes are no script
    #[arg(long, value_enum, default_value_t, value_name = "POLICY")]
    pub unknown: Unknown,
}

/// Arguments of `asm`.
#[derive(Debug, Args)]
pub struct AsmArgs {
    /// Assembly text; `-` is stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Output file, or folder if it is one; `-` is stdout [default: NAME.bpx]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// What to read.
    #[command(flatten)]
    pub sources: Sources,
}

/// Forms that `convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Form {
    /// Blueprint JSON
    Json,
    /// Clipboard text
    T3d,
}

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// What to read.
    #[command(flatten)]
    pub source: Source,
    /// Form to write
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: Form,
    /// Of clipboard text: this graph only. A text of several graphs is for reading: the editor and bpc take one
    #[arg(long, value_name = "NAME")]
    pub graph: Option<String>,
    /// Output file [default: stdout]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Forms of drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Drawing {
    /// A picture
    Svg,
    /// For Graphviz
    Dot,
    /// A Mermaid flowchart
    Mermaid,
}

/// Arguments of `graph`.
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// What to read.
    #[command(flatten)]
    pub sources: Sources,
    /// Form to draw in
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: Drawing,
    /// This graph only, with the graphs of its collapsed nodes
    #[arg(long, value_name = "NAME")]
    pub graph: Option<String>,
    /// Output file, or folder for a file each graph [default: stdout]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Schemas that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum SchemaName {
    /// Blueprint JSON
    Graph,
    /// Lines of `--message-format json`
    Diagnostics,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Which schema
    #[arg(value_enum, value_name = "NAME")]
    pub name: SchemaName,
}

/// Arguments of `nodes`.
#[derive(Debug, Args)]
pub struct NodesArgs {
    /// Which class; without it, all are listed
    #[arg(value_name = "CLASS")]
    pub class: Option<String>,
    /// Keys of a node, as in JSON; words need no quotes
    #[arg(value_name = "KEY=VALUE", requires = "class")]
    pub keys: Vec<String>,
    /// Engine version to show the pins of
    #[arg(long, value_name = "VERSION")]
    pub engine: Option<EngineVersion>,
}

/// Arguments of the reference commands.
#[derive(Debug, Args)]
pub struct NameArgs {
    /// Which one; without it, all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// What runs functions, see `bp_vm::Tier`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum RunTier {
    /// Register code, made of a function when it is first called
    #[default]
    Fast,
    /// The byte interpreter, which is also what watches statements for a trace or a debugger
    Reference,
}
