//! Generated Blueprints of any size, each with another part of the compiler under load.
//!
//! What would make a graph of more than [`MAX_GRAPH`] nodes is spread over an event graph and functions: the locals
//! of more fit no frame that the verifier accepts (V037).

use std::fmt::Write as _;

/// A way to arrange nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is made of.
    pub(crate) what: &'static str,
    write: fn(&mut Text, usize),
    /// Whether it writes several graphs, or none that can be a function's.
    is_whole: bool,
}

/// Most nodes of a generated graph.
const MAX_GRAPH: usize = 20_000;

/// All shapes.
pub(crate) const ALL: &[Shape] = &[
    Shape {
        name: "exec chain",
        what: "one event, calls one behind the other",
        write: exec_chain,
        is_whole: false,
    },
    Shape {
        name: "pure tree",
        what: "additions as a balanced tree, read by one node",
        write: pure_tree,
        is_whole: false,
    },
    Shape {
        name: "pure chain",
        what: "additions one behind the other, read by one node",
        write: pure_chain,
        is_whole: false,
    },
    Shape {
        name: "mixed",
        what: "gets, additions, conversions and calls in turn",
        write: mixed,
        is_whole: false,
    },
    Shape {
        name: "branches",
        what: "branches that all go on at their neighbours, and sequences",
        write: branches,
        is_whole: false,
    },
    Shape {
        name: "fan-out",
        what: "one get that half of the nodes read",
        write: fan_out,
        is_whole: false,
    },
    Shape {
        name: "many functions",
        what: "functions of ten nodes",
        write: many_functions,
        is_whole: true,
    },
    Shape {
        name: "many events",
        what: "events with a parameter and ten nodes each",
        write: many_events,
        is_whole: true,
    },
    Shape {
        name: "macros",
        what: "loops of the standard macros one behind the other; drawn nodes count",
        write: macros,
        is_whole: false,
    },
    Shape {
        name: "knots",
        what: "reroute nodes one behind the other, in data and exec wires",
        write: knots,
        is_whole: false,
    },
];

impl Shape {
    /// A Blueprint of about `n_nodes` nodes, as JSON.
    pub(crate) fn json(self, n_nodes: usize) -> String {
        let mut text = Text::default();
        let n_graphs = if self.is_whole {
            1
        } else {
            n_nodes.div_ceil(MAX_GRAPH).max(1)
        };
        for number in 0..n_graphs {
            text.is_function = number > 0;
            (self.write)(&mut text, n_nodes / n_graphs);
            if text.is_function {
                text.end_graph(&format!("Part{number}"), "function");
            } else if !text.nodes.is_empty() {
                text.end_graph("EventGraph", "event");
            }
        }
        text.finish()
    }
}

/// A Blueprint under construction: the graph being written and those that are done.
#[derive(Default)]
struct Text {
    graphs: String,
    nodes: String,
    links: String,
    /// Whether the graph being written is a function's, rather than of events.
    is_function: bool,
}

impl Text {
    fn node(&mut self, id: &str, rest: &str) {
        let comma = if self.nodes.is_empty() { "" } else { ",\n" };
        let _ = write!(self.nodes, "{comma}{{\"id\": \"{id}\", {rest}}}");
    }

    fn call(&mut self, id: &str, function: &str, pins: &str) {
        let rest = format!(
            "\"class\": \"CallFunction\", \"function\": \"{function}\", \"pins\": {{{pins}}}"
        );
        self.node(id, &rest);
    }

    fn link(&mut self, from: &str, to: &str) {
        let comma = if self.links.is_empty() { "" } else { ",\n" };
        let _ = write!(self.links, "{comma}[\"{from}\", \"{to}\"]");
    }

    fn begin(&mut self) -> String {
        if self.is_function {
            return "entry.then".to_owned();
        }
        self.node(
            "begin",
            "\"class\": \"Event\", \"event\": \"ReceiveBeginPlay\"",
        );
        "begin.then".to_owned()
    }

    fn print(&mut self, id: &str, text: Option<&str>) {
        let pins = text.map_or_else(String::new, |text| format!("\"InString\": \"{text}\""));
        self.call(id, "PrintString", &pins);
    }

    fn end_graph(&mut self, name: &str, kind: &str) {
        let comma = if self.graphs.is_empty() { "" } else { ",\n" };
        let nodes = std::mem::take(&mut self.nodes);
        let links = std::mem::take(&mut self.links);
        let _ = write!(
            self.graphs,
            "{comma}{{\"name\": \"{name}\", \"kind\": \"{kind}\", \"nodes\": [\n{nodes}],\n\"links\": [\n{links}]}}"
        );
    }

    fn finish(self) -> String {
        format!(
            "{{\"format\": \"blueprint/1\", \"name\": \"BP_Bench\", \"parent\": \"Actor\", \"engine\": \"5.3\",\n\
             \"variables\": [{{\"name\": \"Count\", \"type\": \"int\"}}, {{\"name\": \"Flag\", \"type\": \"bool\"}}],\n\
             \"graphs\": [\n{}]}}\n",
            self.graphs
        )
    }
}

fn exec_chain(text: &mut Text, n_nodes: usize) {
    let mut tail = text.begin();
    for number in 1..n_nodes {
        let id = format!("say{number}");
        text.print(&id, Some("hello"));
        text.link(&tail, &format!("{id}.execute"));
        tail = format!("{id}.then");
    }
}

fn pure_tree(text: &mut Text, n_nodes: usize) {
    let begin = text.begin();
    text.node("set", "\"class\": \"VariableSet\", \"variable\": \"Count\"");
    text.link(&begin, "set.execute");
    let n_adds = n_nodes.saturating_sub(2).max(1);
    for number in 1..=n_adds {
        text.call(
            &format!("add{number}"),
            "KismetMathLibrary.Add_IntInt",
            "\"A\": 1, \"B\": 2",
        );
        // As in a heap: the operands of number n are numbers 2n and 2n + 1.
        let side = if number % 2 == 0 { "A" } else { "B" };
        if number > 1 {
            text.link(
                &format!("add{number}.ReturnValue"),
                &format!("add{}.{side}", number / 2),
            );
        }
    }
    text.link("add1.ReturnValue", "set.Count");
}

fn pure_chain(text: &mut Text, n_nodes: usize) {
    let begin = text.begin();
    text.node("set", "\"class\": \"VariableSet\", \"variable\": \"Count\"");
    text.link(&begin, "set.execute");
    let n_adds = n_nodes.saturating_sub(2).max(1);
    for number in 1..=n_adds {
        text.call(
            &format!("add{number}"),
            "KismetMathLibrary.Add_IntInt",
            "\"A\": 1, \"B\": 2",
        );
        if number > 1 {
            text.link(
                &format!("add{}.ReturnValue", number - 1),
                &format!("add{number}.A"),
            );
        }
    }
    text.link(&format!("add{n_adds}.ReturnValue"), "set.Count");
}

/// Five nodes in turn: get, add, set; get and a call with a conversion.
fn step(text: &mut Text, number: usize, tail: &str) -> String {
    text.node(
        &format!("get{number}"),
        "\"class\": \"VariableGet\", \"variable\": \"Count\"",
    );
    text.call(
        &format!("add{number}"),
        "KismetMathLibrary.Add_IntInt",
        "\"B\": 2",
    );
    text.node(
        &format!("set{number}"),
        "\"class\": \"VariableSet\", \"variable\": \"Count\"",
    );
    text.call(
        &format!("text{number}"),
        "KismetStringLibrary.Conv_IntToString",
        "",
    );
    text.print(&format!("say{number}"), None);
    text.link(&format!("get{number}.Count"), &format!("add{number}.A"));
    text.link(
        &format!("add{number}.ReturnValue"),
        &format!("set{number}.Count"),
    );
    text.link(
        &format!("get{number}.Count"),
        &format!("text{number}.InInt"),
    );
    text.link(
        &format!("text{number}.ReturnValue"),
        &format!("say{number}.InString"),
    );
    text.link(tail, &format!("set{number}.execute"));
    text.link(
        &format!("set{number}.then"),
        &format!("say{number}.execute"),
    );
    format!("say{number}.then")
}

fn mixed(text: &mut Text, n_nodes: usize) {
    let mut tail = text.begin();
    for number in 0..n_nodes / 5 {
        tail = step(text, number, &tail);
    }
}

fn branches(text: &mut Text, n_nodes: usize) {
    let mut tails = vec![text.begin()];
    for number in 0..n_nodes / 5 {
        let (branch, sequence) = (format!("if{number}"), format!("then{number}"));
        text.node(
            &format!("flag{number}"),
            "\"class\": \"VariableGet\", \"variable\": \"Flag\"",
        );
        text.node(&branch, "\"class\": \"IfThenElse\"");
        text.node(&sequence, "\"class\": \"ExecutionSequence\"");
        text.print(&format!("yes{number}"), Some("yes"));
        text.print(&format!("no{number}"), Some("no"));
        text.link(
            &format!("flag{number}.Flag"),
            &format!("{branch}.Condition"),
        );
        for tail in tails.drain(..) {
            text.link(&tail, &format!("{branch}.execute"));
        }
        text.link(&format!("{branch}.then"), &format!("{sequence}.execute"));
        text.link(&format!("{branch}.else"), &format!("no{number}.execute"));
        text.link(
            &format!("{sequence}.then_0"),
            &format!("yes{number}.execute"),
        );
        tails.push(format!("{sequence}.then_1"));
        tails.push(format!("no{number}.then"));
    }
}

fn fan_out(text: &mut Text, n_nodes: usize) {
    let mut tail = text.begin();
    text.node("get", "\"class\": \"VariableGet\", \"variable\": \"Count\"");
    for number in 0..n_nodes.saturating_sub(2) / 2 {
        text.call(
            &format!("text{number}"),
            "KismetStringLibrary.Conv_IntToString",
            "",
        );
        text.print(&format!("say{number}"), None);
        text.link("get.Count", &format!("text{number}.InInt"));
        text.link(
            &format!("text{number}.ReturnValue"),
            &format!("say{number}.InString"),
        );
        text.link(&tail, &format!("say{number}.execute"));
        tail = format!("say{number}.then");
    }
}

fn many_functions(text: &mut Text, n_nodes: usize) {
    for function in 0..n_nodes / 10 {
        let mut tail = "entry.then".to_owned();
        for number in 0..2 {
            tail = step(text, number, &tail);
        }
        text.end_graph(&format!("Function{function}"), "function");
    }
}

fn many_events(text: &mut Text, n_nodes: usize) {
    for event in 0..n_nodes / 11 {
        let id = format!("event{event}");
        text.node(
            &id,
            &format!(
                "\"class\": \"CustomEvent\", \"name\": \"Event{event}\", \"params\": [{{\"name\": \"Amount\", \"type\": \"int\"}}]"
            ),
        );
        let mut tail = format!("{id}.then");
        for number in 0..2 {
            tail = step(text, 2 * event + number, &tail);
        }
    }
}

fn macros(text: &mut Text, n_nodes: usize) {
    let mut tail = text.begin();
    for number in 0..n_nodes / 3 {
        let id = format!("loop{number}");
        text.node(&id, "\"class\": \"MacroInstance\", \"macro\": \"ForLoop\", \"pins\": {\"FirstIndex\": 1, \"LastIndex\": 3}");
        text.call(
            &format!("text{number}"),
            "KismetStringLibrary.Conv_IntToString",
            "",
        );
        text.print(&format!("say{number}"), None);
        text.link(&tail, &format!("{id}.execute"));
        text.link(&format!("{id}.LoopBody"), &format!("say{number}.execute"));
        text.link(&format!("{id}.Index"), &format!("text{number}.InInt"));
        text.link(
            &format!("text{number}.ReturnValue"),
            &format!("say{number}.InString"),
        );
        tail = format!("{id}.Completed");
    }
}

fn knots(text: &mut Text, n_nodes: usize) {
    let mut exec = text.begin();
    text.node("get", "\"class\": \"VariableGet\", \"variable\": \"Count\"");
    let mut data = "get.Count".to_owned();
    for number in 0..n_nodes / 2 {
        for (wire, tail) in [("exec", &mut exec), ("data", &mut data)] {
            let id = format!("{wire}{number}");
            text.node(&id, "\"class\": \"Knot\"");
            text.link(tail, &format!("{id}.InputPin"));
            *tail = format!("{id}.OutputPin");
        }
    }
    text.node("set", "\"class\": \"VariableSet\", \"variable\": \"Count\"");
    text.link(&exec, "set.execute");
    text.link(&data, "set.Count");
}
