//! What a world tells, and asks, whoever runs it.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use bp_bytecode::{CodeOffset, NodeName};
use bp_reflect::{FunctionFlags, Name, ObjectPath, Value};

use crate::exec::{Control, Observer, Paused};

/// The outside of a world. A world has no console, clock or files of its own.
pub trait Host {
    /// A line printed by the script.
    fn print(&mut self, text: &str);

    /// Something the engine warns about; the script goes on.
    fn warning(&mut self, warning: &Warning);

    /// Something the engine reports as an error; part of the script is skipped.
    fn error(&mut self, error: &Warning);

    /// Where a replicated function (`FUNC_Net`) runs. Asked at every call of one; without an answer here.
    fn callspace(&mut self, call: &RemoteCall<'_>) -> Callspace {
        let _ = call;
        Callspace::Local
    }

    /// A replicated function is to run elsewhere.
    fn call_remotely(&mut self, call: &RemoteCall<'_>) {
        let _ = call;
    }

    /// Whether the run is to end. Asked every 256 jumps, so a loop cannot keep the host waiting; the
    /// place for a time limit.
    fn should_stop(&mut self) -> bool {
        false
    }
}

/// Where a function runs (`FunctionCallspace`). What does not run here gives the zero of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callspace {
    /// Here.
    Local,
    /// Elsewhere.
    Remote,
    /// In both places, elsewhere first.
    Both,
}

/// A call of a replicated function.
#[derive(Debug)]
pub struct RemoteCall<'a> {
    /// The function.
    pub function: &'a ObjectPath,
    /// Its `FUNC_*` bits: for whom it is, and how surely it must arrive.
    pub flags: FunctionFlags,
    /// Name of the object it is called on.
    pub object: &'a str,
    /// Arguments in order of declaration, outputs left out.
    pub arguments: &'a [(Name, Value)],
}

/// What a [`Warning`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// A member or function of a null object was used.
    AccessedNone,
    /// A member or function of a destroyed object was used.
    AccessedDestroyed,
    /// A member of a null object was assigned.
    AssignToNone,
    /// An array has no such element.
    OutOfBounds,
    /// A number was divided by zero.
    DivideByZero,
    /// A Select has no option for its index.
    NoMatch,
    /// The flow stack was popped while empty.
    EmptyFlowStack,
    /// A function or delegate target does not exist.
    NotFound,
    /// Functions call each other without end.
    Recursion,
    /// A loop does not end.
    Runaway,
    /// An assertion of the script failed.
    Assertion,
    /// The script itself warns or reports.
    Script,
    /// A value given to a library function is out of its range.
    Argument,
}

/// A report about a running script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// One sentence without final period.
    pub message: String,
    /// Running script functions, innermost first.
    pub stack: Vec<StackEntry>,
    /// Of an error: nodes that ran last, oldest first; empty unless
    /// [`World::remember`](crate::World::remember) asks.
    pub recent: Vec<Executed>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.stack.first() {
            Some(top) => write!(f, " ({top})"),
            None => Ok(()),
        }
    }
}

/// One running function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackEntry {
    /// The class that has it.
    pub class: ObjectPath,
    /// The function.
    pub function: Name,
    /// Name of the object it runs on.
    pub object: String,
    /// Start of the running statement.
    pub offset: CodeOffset,
    /// The node the statement was made of, if the script says so.
    pub node: Option<NodeName>,
}

impl fmt::Display for StackEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_place(f, self.node.as_ref(), self.offset)?;
        write!(f, " of {}.{}", self.class.name(), self.function)
    }
}

/// A line for each running function, innermost first; functions that call each other over and over are
/// shown once, with how often.
pub fn folded(stack: &[StackEntry]) -> Vec<String> {
    /// Longest circle of functions that is looked for.
    const LONGEST: usize = 8;
    let lines: Vec<String> = stack.iter().map(|entry| format!("in {entry}")).collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let rest = &lines[at..];
        let repeats = |len: usize| {
            let circle = &rest[..len];
            1 + rest[len..]
                .chunks_exact(len)
                .take_while(|next| *next == circle)
                .count()
        };
        let circle = (1..=LONGEST.min(rest.len())).find(|len| repeats(*len) > 2);
        let Some(len) = circle else {
            out.push(lines[at].clone());
            at += 1;
            continue;
        };
        out.extend_from_slice(&rest[..len]);
        let more = repeats(len) - 1;
        out.push(match len {
            1 => format!("… {more} more of this function"),
            _ => format!("… {more} more times these {len} functions"),
        });
        at += len * (more + 1);
    }
    out
}

/// A node that ran, or a statement of a script that does not say what it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The class that has the function.
    pub class: ObjectPath,
    /// The function.
    pub function: Name,
    /// The first of its statements that is remembered.
    pub offset: CodeOffset,
    /// The node, if the script says so.
    pub node: Option<NodeName>,
}

impl fmt::Display for Executed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_place(f, self.node.as_ref(), self.offset)?;
        write!(f, " of {}.{}", self.class.name(), self.function)
    }
}

/// Code that no node stands behind, such as a jump to an event, is shown by its offset.
fn show_place(
    f: &mut fmt::Formatter<'_>,
    node: Option<&NodeName>,
    offset: CodeOffset,
) -> fmt::Result {
    match node {
        Some(node) if !node.title.is_empty() => {
            write!(f, "node “{}” in graph {}", node.title, node.graph)
        }
        Some(_) | None => write!(f, "offset {offset}"),
    }
}

/// A host that writes everything down as lines, for tests and embedders. Clones share the lines.
///
/// Prints are kept as they are, warnings with `W: ` and errors with `E: ` in front. As an observer it also
/// writes down the title of each node that begins, with `T: `.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    lines: Rc<RefCell<Vec<String>>>,
}

impl Recorder {
    /// A recorder without lines.
    pub fn new() -> Self {
        Self::default()
    }

    /// The lines since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.borrow_mut())
    }

    fn add(&self, line: String) {
        self.lines.borrow_mut().push(line);
    }
}

impl Host for Recorder {
    fn print(&mut self, text: &str) {
        self.add(text.to_owned());
    }

    fn warning(&mut self, warning: &Warning) {
        self.add(format!("W: {}", warning.message));
    }

    fn error(&mut self, error: &Warning) {
        self.add(format!("E: {}", error.message));
    }
}

impl Observer for Recorder {
    fn statement(&mut self, at: &Paused<'_>) -> Control {
        if let Some(node) = at.starting_node() {
            self.add(format!("T: {}", node.title));
        }
        Control::Go
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(names: &str) -> Vec<StackEntry> {
        names
            .chars()
            .map(|name| StackEntry {
                class: ObjectPath::new("/Game/A.A_C"),
                function: Name::new(name.to_string()),
                object: "A_C_0".to_owned(),
                offset: CodeOffset(0),
                node: None,
            })
            .collect()
    }

    #[test]
    fn functions_that_call_each_other_over_and_over_are_shown_once() {
        let shown = |names: &str| -> Vec<String> {
            folded(&stack(names))
                .iter()
                .map(|line| line.rsplit('.').next().unwrap_or_default().to_owned())
                .collect()
        };
        assert_eq!(shown("abb"), ["a", "b", "b"]);
        assert_eq!(shown("aaaab"), ["a", "… 3 more of this function", "b"]);
        assert_eq!(
            shown("xababab"),
            ["x", "a", "b", "… 2 more times these 2 functions"]
        );
        assert_eq!(shown(""), [""; 0]);
    }
}
