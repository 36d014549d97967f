//! The debugger behind `bpc debug`: an observer that stops at nodes and asks what to do next.
//!
//! What it counts by is a node: one is *entered* when a statement of it runs behind one of another node, or
//! when its code starts over. Scripts that do not say what they were made of are stepped through statement
//! by statement.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead};

use bp_bytecode::verify::Verified;
use bp_bytecode::{CodeOffset, NodeName, Package};
use bp_compiler::ir::PinVariable;
use bp_reflect::{Name, ObjectPath};
use bp_vm::{Control, Observer, Paused, ScriptId};

use crate::console::{Console, Stream};
use crate::exit::Exit;
use crate::pipeline;
use crate::report::counted;

const HELP: &str = "\
break PLACE     stop there: a node by id or title, GRAPH.NODE, FUNCTION, or FUNCTION+0x1F; without PLACE, list
delete [N]      remove a breakpoint or watch, or all
watch VALUE     stop when it has changed; without VALUE, list
run             start, from the beginning
continue        go on to the next stop
step            go on to the next node, into functions that are called
next            go on to the next node of this function or a caller
out             go on to the next node of a caller
print VALUE     a local, a variable, NODE.PIN; then .Member and [0] of it
locals          what the running function has, and the variables of its object
stack           functions that are running, innermost first
recent          nodes that ran last
list            nodes of the running function, with their offsets
quit            end
Commands may be cut: b, d, w, r, c, s, n, o, p, l and q are enough, bt is stack.
";

/// What follows the commands before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A run.
    Run,
    /// The end.
    Quit,
}

pub(crate) struct Debugger {
    scripts: Vec<Code>,
    pins: HashMap<ObjectPath, Vec<PinVariable>>,
    commands: Box<dyn BufRead>,
    stdout: Stream,
    is_interactive: bool,
    /// Why a command could not be read or an answer not be written, the first time.
    lost: Option<io::Error>,
    /// Repeated by an empty line.
    last_command: String,
    breakpoints: Vec<Breakpoint>,
    watches: Vec<Watch>,
    /// Breakpoints and watches made so far.
    n_made: usize,
    /// Which of `scripts` a world's script is.
    ids: HashMap<ScriptId, Option<usize>>,
    going: Going,
    /// What ran last in each running function, outermost first.
    frames: Vec<At>,
    has_quit: bool,
}

/// A script and where its nodes are.
struct Code {
    class: ObjectPath,
    function: Name,
    /// Offset and node of each site.
    sites: Vec<(CodeOffset, NodeName)>,
    /// Offset and opcode of each statement.
    statements: Vec<(CodeOffset, &'static str)>,
}

struct Breakpoint {
    number: usize,
    text: String,
    places: Vec<Place>,
}

#[derive(Clone, PartialEq, Eq)]
enum Place {
    /// The node of this name, in the script of this index.
    Node(usize, NodeName),
    /// The statement at this offset.
    Offset(usize, CodeOffset),
}

struct Watch {
    number: usize,
    text: String,
    /// The last value by object and, of a local, function.
    values: HashMap<String, String>,
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    /// To the next stop.
    On,
    /// To the next node.
    Step,
    /// To the next node with at most so many functions running, or of a later call from outside.
    Within { depth: usize, call: u64 },
}

/// A statement that ran.
#[derive(Clone, Copy, PartialEq, Eq)]
struct At {
    script: ScriptId,
    offset: CodeOffset,
}

/// What a command does.
enum Answer {
    /// The next command is read.
    Stay,
    Run,
    Go(Going),
    Quit,
}

impl Debugger {
    pub(crate) fn new(
        packages: &[Verified<Package>],
        pins: HashMap<ObjectPath, Vec<PinVariable>>,
        commands: Box<dyn BufRead>,
        console: &Console,
    ) -> Self {
        let mut scripts = Vec::new();
        for package in packages {
            for (class, function, code) in pipeline::functions(package, None) {
                let named = |site: &bp_bytecode::DebugSite| {
                    let node = code.nodes.get(site.node as usize)?;
                    Some((site.offset, node.clone()))
                };
                let statements = pipeline::readable(package, code)
                    .statements
                    .iter()
                    .map(|statement| (statement.offset, statement.expr.op.name()))
                    .collect();
                scripts.push(Code {
                    class: class.class.path.clone(),
                    function: function.clone(),
                    sites: code.sites.iter().filter_map(named).collect(),
                    statements,
                });
            }
        }
        Self {
            scripts,
            pins,
            commands,
            stdout: console.stdout.clone(),
            is_interactive: console.is_interactive,
            lost: None,
            last_command: String::new(),
            breakpoints: Vec::new(),
            watches: Vec::new(),
            n_made: 0,
            ids: HashMap::new(),
            going: Going::On,
            frames: Vec::new(),
            has_quit: false,
        }
    }

    /// Reads commands until one starts a run.
    ///
    /// # Errors
    /// stdin or stdout failed.
    pub(crate) fn before_run(&mut self) -> io::Result<Next> {
        if self.has_quit {
            return Ok(Next::Quit);
        }
        let answer = self.ask(None);
        if let Some(error) = self.lost.take() {
            return Err(error);
        }
        Ok(match answer {
            Answer::Run => {
                self.going = Going::On;
                self.frames.clear();
                self.ids.clear();
                for watch in &mut self.watches {
                    watch.values.clear();
                }
                Next::Run
            }
            Answer::Stay | Answer::Go(_) | Answer::Quit => Next::Quit,
        })
    }

    /// Tells that a run has ended.
    ///
    /// # Errors
    /// stdin or stdout failed.
    pub(crate) fn after_run(&mut self, exit: Exit) -> io::Result<()> {
        if !self.has_quit {
            self.say(format_args!(
                "the run has ended with exit code {}",
                exit.code()
            ));
        }
        self.lost.take().map_or(Ok(()), Err)
    }

    fn say(&mut self, text: fmt::Arguments<'_>) {
        if let Err(error) = self.stdout.text(&format!("{text}\n")) {
            self.lost.get_or_insert(error);
        }
    }

    /// Reads and does commands until one goes on. The end of the commands quits.
    fn ask(&mut self, at: Option<&Paused<'_>>) -> Answer {
        loop {
            if self.is_interactive
                && let Err(error) = self.stdout.text("(bpc) ")
            {
                self.lost.get_or_insert(error);
            }
            let mut line = String::new();
            match self.commands.read_line(&mut line) {
                Ok(0) => return Answer::Quit,
                Ok(_) => {}
                Err(error) => {
                    self.lost.get_or_insert(error);
                    return Answer::Quit;
                }
            }
            let mut line = line.trim().to_owned();
            if line.is_empty() {
                if !self.is_interactive {
                    continue;
                }
                line.clone_from(&self.last_command);
            } else {
                self.last_command.clone_from(&line);
            }
            match self.command(&line, at) {
                Answer::Stay => {}
                answer @ (Answer::Run | Answer::Go(_) | Answer::Quit) => return answer,
            }
            if self.lost.is_some() {
                return Answer::Quit;
            }
        }
    }

    fn command(&mut self, line: &str, at: Option<&Paused<'_>>) -> Answer {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (full_word(word), at) {
            ("", _) => {}
            ("break", _) => self.set_break(rest),
            ("delete", _) => self.delete(rest),
            ("watch", _) => self.set_watch(rest, at),
            ("help", _) => self.say(format_args!("{}", HELP.trim_end())),
            ("quit", _) => return Answer::Quit,
            ("run", None) => return Answer::Run,
            ("run", Some(_)) => self.say(format_args!("it runs already; `continue` goes on")),
            ("continue", Some(_)) => return Answer::Go(Going::On),
            ("step", Some(_)) => return Answer::Go(Going::Step),
            ("next", Some(at)) => {
                let (depth, call) = (at.depth(), at.call());
                return Answer::Go(Going::Within { depth, call });
            }
            ("out", Some(at)) => {
                let (depth, call) = (at.depth() - 1, at.call());
                return Answer::Go(Going::Within { depth, call });
            }
            ("print", Some(at)) => match self.value(at, rest) {
                Some(value) => self.say(format_args!("{rest} = {value}")),
                None => self.say(format_args!(
                    "there is no `{rest}` here; `locals` shows what there is"
                )),
            },
            ("locals", Some(at)) => self.locals(at),
            ("stack", Some(at)) => {
                for (idx, entry) in at.stack().iter().enumerate() {
                    self.say(format_args!("#{idx} {entry}, on {}", entry.object));
                }
            }
            ("recent", Some(at)) => {
                for node in at.recent() {
                    self.say(format_args!("{node}"));
                }
            }
            ("list", Some(at)) => self.list(at),
            ("list", None) => self.list_functions(),
            (
                "continue" | "step" | "next" | "out" | "print" | "locals" | "stack" | "recent",
                None,
            ) => self.say(format_args!("nothing runs; `run` starts")),
            _ => self.say(format_args!(
                "there is no command `{word}`; `help` lists them"
            )),
        }
        Answer::Stay
    }

    // ---- breakpoints and watches

    fn set_break(&mut self, text: &str) {
        if text.is_empty() {
            let lines: Vec<String> = self
                .breakpoints
                .iter()
                .map(|breakpoint| format!("{}: break {}", breakpoint.number, breakpoint.text))
                .collect();
            return self.say_all(&lines, "there are no breakpoints");
        }
        let places = self.places(text);
        if places.is_empty() {
            return self.say(format_args!(
                "there is no node, function or FUNCTION+OFFSET `{text}`; before `run`, `list` shows all"
            ));
        }
        let is_start = |place: &Place| match place {
            Place::Node(..) => true,
            Place::Offset(idx, offset) => {
                let mut statements = self.scripts[*idx].statements.iter();
                statements.any(|(start, _)| start == offset)
            }
        };
        if !places.iter().all(is_start) {
            return self.say(format_args!(
                "no statement starts at {text}; `list` shows those of a running function"
            ));
        }
        self.n_made += 1;
        let number = self.n_made;
        let count = counted(places.len(), "place");
        self.say(format_args!("breakpoint {number} at {text}: {count}"));
        self.breakpoints.push(Breakpoint {
            number,
            text: text.to_owned(),
            places,
        });
    }

    /// Nodes of that name or title, the function of that name, or a statement of it.
    fn places(&self, text: &str) -> Vec<Place> {
        let mut places = Vec::new();
        // An id says more than a title.
        for by_title in [false, true] {
            for (idx, code) in self.scripts.iter().enumerate() {
                for (_, node) in &code.sites {
                    let own = if by_title { &node.title } else { &node.name };
                    let place = Place::Node(idx, node.clone());
                    let is_drawn = !node.name.is_empty();
                    if is_drawn && is_called(text, own, node, code) && !places.contains(&place) {
                        places.push(place);
                    }
                }
            }
            if !places.is_empty() {
                return places;
            }
        }
        let (function, offset) = match text.split_once('+') {
            Some((function, offset)) => (function.trim(), parse_offset(offset)),
            None => (text, Some(CodeOffset(0))),
        };
        let name = Name::new(function);
        for (idx, code) in self.scripts.iter().enumerate() {
            let qualified = format!("{}.{}", code.class.name(), code.function);
            if let Some(offset) = offset
                && (code.function == name || qualified == function)
            {
                places.push(Place::Offset(idx, offset));
            }
        }
        places
    }

    fn delete(&mut self, text: &str) {
        let before = self.breakpoints.len() + self.watches.len();
        if text.is_empty() {
            self.breakpoints.clear();
            self.watches.clear();
        } else if let Ok(number) = text.parse::<usize>() {
            self.breakpoints
                .retain(|breakpoint| breakpoint.number != number);
            self.watches.retain(|watch| watch.number != number);
        }
        let gone = before - self.breakpoints.len() - self.watches.len();
        self.say(format_args!("{gone} removed"));
    }

    fn set_watch(&mut self, text: &str, at: Option<&Paused<'_>>) {
        if text.is_empty() {
            let lines: Vec<String> = self
                .watches
                .iter()
                .map(|watch| format!("{}: watch {}", watch.number, watch.text))
                .collect();
            return self.say_all(&lines, "nothing is watched");
        }
        self.n_made += 1;
        let number = self.n_made;
        let mut watch = Watch {
            number,
            text: text.to_owned(),
            values: HashMap::new(),
        };
        let value = at.and_then(|at| Some((scope(at, text), self.value(at, text)?)));
        match value {
            Some((scope, value)) => {
                self.say(format_args!("watch {number}: {text} = {value}"));
                watch.values.insert(scope, value);
            }
            None => self.say(format_args!("watch {number}: {text}, once there is one")),
        }
        self.watches.push(watch);
    }

    fn say_all(&mut self, lines: &[String], none: &str) {
        if lines.is_empty() {
            self.say(format_args!("{none}"));
        }
        for line in lines {
            self.say(format_args!("{line}"));
        }
    }

    // ---- values

    /// The value of a local, variable or pin.
    fn value(&self, at: &Paused<'_>, text: &str) -> Option<String> {
        if let Some(value) = at.value(text) {
            return Some(value);
        }
        let (node, pin) = text.split_once('.')?;
        let split = pin.find(['.', '[']).unwrap_or(pin.len());
        let (pin, rest) = pin.split_at(split);
        let (pin, name) = (Name::new(pin.trim()), Name::new(node.trim()));
        let code = self.script(at.script(), at);
        let has_title = |known: &Name| {
            let mut sites = code.into_iter().flat_map(|code| &code.sites);
            sites.any(|(_, site)| *site.title == *node && *known == *site.name)
        };
        let found = self
            .pins_of(at)?
            .iter()
            .find(|known| known.pin == pin && (known.node == name || has_title(&known.node)))?;
        at.value(&format!("{}{rest}", found.variable))
    }

    fn pins_of(&self, at: &Paused<'_>) -> Option<&[PinVariable]> {
        let path = at.class()?.member(at.function());
        self.pins.get(&path).map(Vec::as_slice)
    }

    fn locals(&mut self, at: &Paused<'_>) {
        let pins = self.pins_of(at).unwrap_or_default();
        // The pin that a value comes from stands in front of those that read it.
        let pin_of = |name: &Name| {
            let pin = pins.iter().find(|pin| pin.variable == *name);
            pin.map_or(String::new(), |pin| format!("  ({}.{})", pin.node, pin.pin))
        };
        let mut lines: Vec<String> = at
            .locals()
            .iter()
            .map(|(name, value)| format!("{name} = {value}{}", pin_of(name)))
            .collect();
        let own = at.variables().into_iter();
        let own = own.filter(|(name, _)| *name != "UberGraphFrame");
        lines.extend(own.map(|(name, value)| format!("self.{name} = {value}")));
        self.say_all(&lines, "there are none");
    }

    // ---- places

    /// The nodes of the running function, or its statements if it does not name any.
    fn list(&mut self, at: &Paused<'_>) {
        let slot = at.slot();
        let offset = at.offset();
        let Some(code) = self.script(at.script(), at) else {
            return;
        };
        let sites = code.sites.iter().enumerate().map(|(idx, (start, node))| {
            let mark = if idx + 1 == slot { "=>" } else { "  " };
            (mark, *start, shown(node))
        });
        let plain: &[_] = if code.sites.is_empty() {
            &code.statements
        } else {
            &[]
        };
        let statements = plain.iter().map(|(start, op)| {
            let mark = if *start == offset { "=>" } else { "  " };
            (mark, *start, (*op).to_owned())
        });
        let lines: Vec<String> = sites
            .chain(statements)
            .filter(|(mark, _, text)| *mark == "=>" || !text.is_empty())
            .map(|(mark, start, text)| format!("{mark} {:<6} {text}", start.to_string()))
            .collect();
        self.say_all(&lines, "it has no code");
    }

    fn list_functions(&mut self) {
        let mut lines = Vec::new();
        for code in &self.scripts {
            lines.push(format!("{}.{}", code.class.name(), code.function));
            let sites = code.sites.iter().map(|(start, node)| (start, shown(node)));
            let sites = sites.filter(|(_, text)| !text.is_empty());
            lines.extend(sites.map(|(start, text)| format!("   {:<6} {text}", start.to_string())));
        }
        self.say_all(&lines, "there are no functions");
    }

    fn script(&self, id: ScriptId, at: &Paused<'_>) -> Option<&Code> {
        let idx = match self.ids.get(&id) {
            Some(known) => *known,
            None => self.find(at),
        };
        Some(&self.scripts[idx?])
    }

    fn find(&self, at: &Paused<'_>) -> Option<usize> {
        let class = at.class()?;
        self.scripts
            .iter()
            .position(|code| code.class == *class && code.function == *at.function())
    }

    /// Whether the statement enters a node, see the module.
    fn enters(&mut self, at: &Paused<'_>) -> bool {
        let depth = at.depth();
        let now = At {
            script: at.script(),
            offset: at.offset(),
        };
        let before = self.frames.get(depth - 1).copied();
        self.frames.truncate(depth - 1);
        self.frames.resize(depth, now);
        let Some(before) = before else { return true };
        if before.script != now.script || !at.has_sites() || now.offset <= before.offset {
            return true;
        }
        let code = self.script(now.script, at);
        let node = code.and_then(|code| {
            let after = code
                .sites
                .partition_point(|(start, _)| *start <= before.offset);
            code.sites.get(after.checked_sub(1)?)
        });
        node.map(|(_, node)| node) != at.node()
    }

    /// What has changed since it was looked at last.
    fn changes(&mut self, at: &Paused<'_>) -> Vec<String> {
        let mut watches = std::mem::take(&mut self.watches);
        let mut changes = Vec::new();
        for watch in &mut watches {
            let Some(value) = self.value(at, &watch.text) else {
                continue;
            };
            let before = watch.values.insert(scope(at, &watch.text), value.clone());
            if let Some(before) = before.filter(|before| *before != value) {
                changes.push(format!(
                    "watch {}: {} was {before}, is {value}",
                    watch.number, watch.text
                ));
            }
        }
        self.watches = watches;
        changes
    }

    fn stops_at(&self, at: &Paused<'_>, enters: bool, script: Option<usize>) -> Vec<String> {
        let Some(script) = script else {
            return Vec::new();
        };
        let hits = |place: &Place| match place {
            Place::Node(idx, node) => enters && *idx == script && at.node() == Some(node),
            Place::Offset(idx, offset) => *idx == script && at.offset() == *offset,
        };
        self.breakpoints
            .iter()
            .filter(|breakpoint| breakpoint.places.iter().any(hits))
            .map(|breakpoint| format!("breakpoint {}", breakpoint.number))
            .collect()
    }
}

impl Observer for Debugger {
    fn statement(&mut self, at: &Paused<'_>) -> Control {
        let id = at.script();
        let known = self.ids.get(&id).copied();
        let script = known.unwrap_or_else(|| self.find(at));
        self.ids.insert(id, script);
        let enters = self.enters(at);
        let mut reasons = self.changes(at);
        reasons.extend(self.stops_at(at, enters, script));
        // Code that nobody drew is no place to stop on the way.
        let is_place = enters && at.node().is_none_or(|node| !node.name.is_empty());
        let is_end = is_place
            && match self.going {
                Going::On => false,
                Going::Step => true,
                Going::Within { depth, call } => at.depth() <= depth || at.call() != call,
            };
        if reasons.is_empty() && !is_end {
            return Control::Go;
        }
        for reason in reasons {
            self.say(format_args!("{reason}"));
        }
        let node = at.node().map(shown).filter(|text| !text.is_empty());
        let node = node.map_or(String::new(), |text| format!("{text} in "));
        let class = at.class().map_or("", |class| class.name());
        self.say(format_args!(
            "stopped at {node}{class}.{} at {}, t={:.3}",
            at.function(),
            at.offset(),
            at.time()
        ));
        match self.ask(Some(at)) {
            Answer::Go(going) => {
                self.going = going;
                Control::Go
            }
            Answer::Stay | Answer::Run | Answer::Quit => {
                self.has_quit = true;
                Control::Stop
            }
        }
    }

    fn left(&mut self, depth: usize) {
        self.frames.truncate(depth.saturating_sub(1));
    }
}

fn full_word(word: &str) -> &str {
    match word {
        "b" => "break",
        "d" => "delete",
        "w" => "watch",
        "r" => "run",
        "c" => "continue",
        "s" => "step",
        "n" => "next",
        "o" => "out",
        "p" => "print",
        "bt" => "stack",
        "l" => "list",
        "h" | "?" => "help",
        "q" => "quit",
        _ => word,
    }
}

/// Whether `text` is the id or title `own` of the node, also with its graph or function in front.
fn is_called(text: &str, own: &str, node: &NodeName, code: &Code) -> bool {
    text.eq_ignore_ascii_case(own)
        || text.split_once('.').is_some_and(|(whole, part)| {
            part.eq_ignore_ascii_case(own) && (*node.graph == *whole || code.function == *whole)
        })
}

fn parse_offset(text: &str) -> Option<CodeOffset> {
    let text = text.trim();
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.ok().map(CodeOffset)
}

/// A node by title and id; nothing for code that nobody drew.
fn shown(node: &NodeName) -> String {
    if node.name.is_empty() {
        return String::new();
    }
    format!("“{}” ({}) of {}", node.title, node.name, node.graph)
}

/// What a watched value belongs to: the object, and the function if it is a local of it.
fn scope(at: &Paused<'_>, text: &str) -> String {
    let first = text.split(['.', '[']).next().unwrap_or_default();
    if at.has_local(&Name::new(first.trim())) {
        format!("{} {}", at.object(), at.function())
    } else {
        at.object()
    }
}
