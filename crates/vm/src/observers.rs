//! Observers that count: which nodes ran, and how often and how long.
//!
//! A node counts as run once when a statement of it runs behind one of another node, or when its code
//! starts over. Nodes that became no code are not there to be counted: what is pruned, and what is only
//! drawn.

use std::cell::RefCell;
use std::rc::Rc;

use bp_bytecode::NodeName;
use bp_reflect::ObjectPath;
use indexmap::IndexMap;

use crate::exec::{Control, Observer, Paused, Script, ScriptId};

/// An observer that is looked at after the run.
impl<T: Observer> Observer for Rc<RefCell<T>> {
    fn statement(&mut self, at: &Paused<'_>) -> Control {
        self.borrow_mut().statement(at)
    }

    fn left(&mut self, depth: usize) {
        self.borrow_mut().left(depth);
    }
}

/// Several observers, told in order; the first that stops the run does.
impl Observer for Vec<Box<dyn Observer>> {
    fn statement(&mut self, at: &Paused<'_>) -> Control {
        for observer in self {
            if observer.statement(at) == Control::Stop {
                return Control::Stop;
            }
        }
        Control::Go
    }

    fn left(&mut self, depth: usize) {
        for observer in self {
            observer.left(depth);
        }
    }
}

/// How often nodes ran, and how long, by what the host calls time.
pub struct Profile {
    clock: Box<dyn FnMut() -> f64>,
    /// By script and slot, see [`Paused::slot`].
    counts: Vec<Vec<Count>>,
    /// What runs in each running function, outermost first.
    running: Vec<Running>,
    /// When time was read last.
    since: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    runs: u64,
    seconds: f64,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    script: ScriptId,
    slot: usize,
}

/// What a [`Profile`] or a count of runs says of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeCount {
    /// The class whose code it is part of.
    pub class: ObjectPath,
    /// The node.
    pub node: NodeName,
    /// How often it ran.
    pub runs: u64,
    /// Seconds in its statements, functions that they call left out if these are scripts.
    pub seconds: f64,
}

impl std::fmt::Debug for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Profile")
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl Profile {
    /// A profile of runs only: all times are zero.
    pub fn new() -> Self {
        Self::with_clock(|| 0.0)
    }

    /// A profile by a clock of the host's, which gives seconds since whenever.
    pub fn with_clock(clock: impl FnMut() -> f64 + 'static) -> Self {
        Self {
            clock: Box::new(clock),
            counts: Vec::new(),
            running: Vec::new(),
            since: 0.0,
        }
    }

    /// Every node that has code, those that never ran included, in order of classes, functions and code.
    /// A node with code in several functions is one.
    pub fn nodes(&self, scripts: &[Script]) -> Vec<NodeCount> {
        let mut all: IndexMap<(&ObjectPath, &NodeName), Count> = IndexMap::new();
        for script in scripts {
            let counts = self.counts.get(script.id.index());
            for (idx, site) in script.sites.iter().enumerate() {
                let Some(node) = script.nodes.get(site.node as usize) else {
                    continue;
                };
                // Code that nobody drew, such as the push of the return.
                if node.name.is_empty() {
                    continue;
                }
                let count = counts
                    .and_then(|counts| counts.get(idx + 1))
                    .copied()
                    .unwrap_or_default();
                let sum = all.entry((&script.class, node)).or_default();
                sum.runs += count.runs;
                sum.seconds += count.seconds;
            }
        }
        all.into_iter()
            .map(|((class, node), count)| NodeCount {
                class: class.clone(),
                node: node.clone(),
                runs: count.runs,
                seconds: count.seconds,
            })
            .collect()
    }

    fn count(&mut self, at: Running) -> &mut Count {
        let script = at.script.index();
        if self.counts.len() <= script {
            self.counts.resize_with(script + 1, Vec::new);
        }
        let slots = &mut self.counts[script];
        if slots.len() <= at.slot {
            slots.resize(at.slot + 1, Count::default());
        }
        &mut slots[at.slot]
    }

    /// Gives the time since the clock was read last to what runs innermost.
    fn charge(&mut self) {
        let now = (self.clock)();
        let passed = now - self.since;
        self.since = now;
        if let Some(running) = self.running.last().copied() {
            self.count(running).seconds += passed;
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::new()
    }
}

impl Observer for Profile {
    fn statement(&mut self, at: &Paused<'_>) -> Control {
        self.charge();
        let depth = at.depth();
        let next = Running {
            script: at.script(),
            slot: at.slot(),
        };
        let before = self.running.get(depth - 1).copied();
        self.running.truncate(depth - 1);
        // A failure leaves functions without a word; their places are filled by what runs now.
        self.running.resize(depth, next);
        let goes_on = before.is_some_and(|before| {
            before.script == next.script && before.slot == next.slot && !at.is_start()
        });
        if !goes_on {
            self.count(next).runs += 1;
        }
        Control::Go
    }

    fn left(&mut self, depth: usize) {
        self.charge();
        self.running.truncate(depth.saturating_sub(1));
    }
}

/// The nodes of one graph that ran, and those that did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphCoverage {
    /// The class.
    pub class: ObjectPath,
    /// The graph.
    pub graph: String,
    /// Nodes that ran.
    pub ran: Vec<NodeName>,
    /// Nodes that never did.
    pub never: Vec<NodeName>,
}

/// What a [`Profile`] tells of each graph, in order of code.
pub fn coverage(nodes: &[NodeCount]) -> Vec<GraphCoverage> {
    let mut graphs: IndexMap<(&ObjectPath, &str), GraphCoverage> = IndexMap::new();
    for count in nodes {
        let graph = graphs
            .entry((&count.class, &count.node.graph))
            .or_insert_with(|| GraphCoverage {
                class: count.class.clone(),
                graph: count.node.graph.to_string(),
                ran: Vec::new(),
                never: Vec::new(),
            });
        let list = if count.runs > 0 {
            &mut graph.ran
        } else {
            &mut graph.never
        };
        list.push(count.node.clone());
    }
    graphs.into_values().collect()
}
