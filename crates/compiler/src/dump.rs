//! Stages as text.
//!
//! For people and for goldens: stable, one node or statement a line, names rather than ids.

use std::fmt::Write;

use bp_graph::nodes::MacroLibrary;
use bp_graph::{Blueprint, Direction, Graph, Node, PinDefault};
use bp_reflect::{Function, Property, PropertyFlags, Registry, TextValue, Value};

use crate::expand::ExpandedFunction;
use crate::expanded::{ExGraph, ExNodeId, ExPin, Op, VariableRef};
use crate::ir::{Call, CastStatement, FunctionIr, StatementKind, Target, TermId, TermKind};
use crate::lower::Schedule;

/// Where the titles of nodes are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Titles<'a> {
    /// The Blueprint whose stages are shown.
    pub blueprint: &'a Blueprint,
    /// Everything declared.
    pub registry: &'a Registry,
}

impl Titles<'_> {
    fn of(self, graph: &Graph, node: &Node) -> String {
        let macros = MacroLibrary::default();
        let cx = bp_graph::outline::context(self.blueprint, graph, self.registry, macros);
        let title = bp_graph::nodes::title(node, &cx);
        // The title of a comment is its whole text.
        title.lines().next().unwrap_or_default().to_owned()
    }
}

/// A graph as drawn: its nodes in array order with their titles, pins, defaults and links.
pub fn graph(graph: &Graph, titles: Titles<'_>) -> String {
    let mut out = format!("graph {} ({:?})\n", graph.name, graph.kind);
    for (_, node) in graph.nodes.iter() {
        let line = format!("  {} : {}", node.name, node.short_class());
        let _ = writeln!(out, "{line:<40} ; {}", titles.of(graph, node));
        for pin in &node.pins {
            let pin = &graph.pins[*pin];
            let links: Vec<String> = pin
                .links
                .iter()
                .map(|other| {
                    format!(
                        "{}.{}",
                        graph.nodes[graph.pins[*other].node].name, graph.pins[*other].name
                    )
                })
                .collect();
            let default = default_text(&pin.default);
            if links.is_empty() && (default.is_empty() || pin.direction == Direction::Output) {
                continue;
            }
            let arrow = if pin.direction == Direction::Input {
                "<-"
            } else {
                "->"
            };
            let value = if links.is_empty() {
                format!("= {default}")
            } else {
                format!("{arrow} {}", links.join(", "))
            };
            let _ = writeln!(out, "    {} {value}", pin.name);
        }
    }
    for child in &graph.children {
        for line in self::graph(child, titles).lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn default_text(default: &PinDefault) -> String {
    match (&default.object, &default.text) {
        (Some(object), _) => object.to_string(),
        (None, Some(text)) => text_value(text),
        (None, None) if default.value.is_empty() => String::new(),
        (None, None) => format!("{:?}", default.value),
    }
}

fn text_value(text: &TextValue) -> String {
    match text {
        TextValue::Empty => "\"\"".to_owned(),
        TextValue::Localized {
            namespace,
            key,
            source,
        } => format!("NSLOCTEXT({namespace:?}, {key:?}, {source:?})"),
        TextValue::Invariant(text) => format!("INVTEXT({text:?})"),
        TextValue::StringTable { table, key } => format!("LOCTABLE({table:?}, {key:?})"),
    }
}

/// An expanded function: the node list in its order.
pub fn expanded(function: &ExpandedFunction<'_>, titles: Titles<'_>) -> String {
    let mut out = format!("function {}\n", function.name);
    let names = NodeNames::new(&function.graph);
    for id in &function.graph.list {
        let line = format!("  {} : {}", names.get(*id), describe(&function.graph, *id));
        out += format!("{line:<56}{}", drawn(&function.graph, *id, titles)).trim_end();
        out.push('\n');
        pins(&mut out, &function.graph, &names, *id);
    }
    out
}

/// The schedule: the linear order of nodes over data wires.
pub fn schedule(
    function: &ExpandedFunction<'_>,
    schedule: &Schedule,
    titles: Titles<'_>,
) -> String {
    let mut out = format!("schedule of {}\n", function.name);
    let names = NodeNames::new(&function.graph);
    for (idx, id) in schedule.order.iter().enumerate() {
        let kind = if function.graph.is_pure(*id) {
            "pure"
        } else {
            "exec"
        };
        let line = format!(
            "  {idx:3} {kind} {} : {}",
            names.get(*id),
            describe(&function.graph, *id)
        );
        out += format!("{line:<56}{}", drawn(&function.graph, *id, titles)).trim_end();
        out.push('\n');
    }
    out
}

/// Short names for nodes: their position in the list.
struct NodeNames(rustc_hash::FxHashMap<ExNodeId, usize>);

impl NodeNames {
    fn new(graph: &ExGraph<'_>) -> Self {
        Self(
            graph
                .list
                .iter()
                .enumerate()
                .map(|(idx, id)| (*id, idx))
                .collect(),
        )
    }

    fn get(&self, id: ExNodeId) -> String {
        self.0
            .get(&id)
            .map_or_else(|| "n?".to_owned(), |idx| format!("n{idx}"))
    }
}

/// The title and object name of the drawn node behind a node, behind a `;`.
fn drawn(graph: &ExGraph<'_>, id: ExNodeId, titles: Titles<'_>) -> String {
    let origin = graph.origin(graph.node(id).origin);
    let Some(node) = origin.node.map(|node| &origin.graph.nodes[node]) else {
        return String::new();
    };
    format!(
        " ; {}",
        titled(&titles.of(origin.graph, node), node.name.as_str())
    )
}

/// A title with the name to search the file for.
fn titled(title: &str, name: &str) -> String {
    if name.is_empty() || name == title {
        title.to_owned()
    } else {
        format!("{title} ({name})")
    }
}

fn pins(out: &mut String, graph: &ExGraph<'_>, names: &NodeNames, id: ExNodeId) {
    for pin in &graph.node(id).pins {
        let pin = &graph.pins[*pin];
        if let Some(value) = pin_value(graph, names, pin) {
            let _ = writeln!(out, "    {} {value}", pin.name);
        }
    }
}

fn pin_value(graph: &ExGraph<'_>, names: &NodeNames, pin: &ExPin<'_>) -> Option<String> {
    if pin.links.is_empty() {
        let default = default_text(&pin.default);
        let is_shown = pin.direction == Direction::Input && !pin.is_exec() && !default.is_empty();
        return is_shown.then(|| format!("= {default}"));
    }
    let links: Vec<String> = pin
        .links
        .iter()
        .map(|other| {
            format!(
                "{}.{}",
                names.get(graph.pins[*other].node),
                graph.pins[*other].name
            )
        })
        .collect();
    let arrow = if pin.direction == Direction::Input {
        "<-"
    } else {
        "->"
    };
    Some(format!("{arrow} {}", links.join(", ")))
}

fn describe(graph: &ExGraph<'_>, id: ExNodeId) -> String {
    let variable = |variable: &VariableRef<'_>| match variable {
        VariableRef::Member { owner, property } => format!("{}.{}", owner.name(), property.name),
        VariableRef::Local(name) => format!("local {name}"),
    };
    let node = graph.node(id);
    match &node.op {
        Op::Drawn => format!("drawn {}", node.class),
        Op::Gone => "gone".to_owned(),
        Op::Entry => "Entry".to_owned(),
        Op::Result => "Result".to_owned(),
        Op::Event { function } => format!("Event {function}"),
        Op::Call { callee, is_parent } => {
            let parent = if *is_parent { " (parent)" } else { "" };
            format!(
                "Call {}.{}{parent}",
                callee.class.path.name(),
                callee.function.name
            )
        }
        Op::VariableGet(of) => format!("Get {}", variable(of)),
        Op::VariableSet(of) => format!("Set {}", variable(of)),
        Op::Branch => "Branch".to_owned(),
        Op::Sequence => "Sequence".to_owned(),
        Op::Switch { compare, .. } => format!("Switch by {}", compare.function.name),
        Op::Cast { class, .. } => format!("Cast to {}", class.name()),
        Op::MakeStruct(path) => format!("Make {}", path.name()),
        Op::BreakStruct => "Break".to_owned(),
        Op::SetFields(path) => format!("Set members of {}", path.name()),
        Op::MemberSet { variable: of, .. } => format!("Set members of {}", variable(of)),
        Op::MemberGet { variable: of, .. } => format!("Get member of {}", variable(of)),
        Op::MakeContainer(kind) => format!("Make {kind:?}"),
        Op::ElementRef => "Element by reference".to_owned(),
        Op::Formula(_) => "Formula".to_owned(),
        Op::ClassDefaults(class) => format!("Defaults of {}", class.name()),
        Op::Select(_) => "Select".to_owned(),
        Op::SelfRef => "Self".to_owned(),
        Op::ObjectLiteral(object) => {
            format!(
                "Literal {}",
                object.as_ref().map_or("None", |object| object.as_str())
            )
        }
        Op::Temporary => match &node.stem {
            Some(name) => format!("Temporary {name}"),
            None => "Temporary".to_owned(),
        },
        Op::Assign => "Assign".to_owned(),
        Op::PureAssign => "Assign (pure)".to_owned(),
        Op::PassThrough => "Pass through".to_owned(),
        Op::AddDelegate(of) => format!("Bind to {}", variable(of)),
        Op::RemoveDelegate(of) => format!("Unbind from {}", variable(of)),
        Op::ClearDelegate(of) => format!("Unbind all from {}", variable(of)),
        Op::CallDelegate { variable: of, .. } => format!("Call {}", variable(of)),
        Op::CreateDelegate(function) => format!("Delegate to {function}"),
    }
}

/// A lowered function: signature, locals and numbered statements.
pub fn ir(function: &FunctionIr) -> String {
    let mut out = format!("function {}\n", signature(&function.function));
    for local in &function.function.locals {
        let _ = writeln!(out, "  local {} : {}", local.name, local.ty);
    }
    for (idx, statement) in function.statements.iter().enumerate() {
        let text = statement_text(function, &statement.kind);
        let node = function
            .nodes
            .get(statement.node as usize)
            .map_or(String::new(), |node| titled(&node.title, &node.name));
        if node.is_empty() {
            let _ = writeln!(out, "  {idx:3}: {text}");
        } else {
            let _ = writeln!(out, "  {idx:3}: {text:<56} ; {node}");
        }
    }
    for (event, start) in &function.events {
        let _ = writeln!(out, "  event {event} at {}", start.0);
    }
    out
}

fn signature(function: &Function) -> String {
    let param = |param: &Property| {
        let role = if param.is_return() {
            "return "
        } else if param.flags.contains(PropertyFlags::REFERENCE_PARM) {
            "ref "
        } else if param.is_output() {
            "out "
        } else {
            ""
        };
        format!("{role}{}: {}", param.name, param.ty)
    };
    let params: Vec<String> = function.params.iter().map(param).collect();
    format!("{}({})", function.name, params.join(", "))
}

fn statement_text(function: &FunctionIr, statement: &StatementKind) -> String {
    let term = |id: TermId| term_text(function, id);
    match statement {
        StatementKind::Call(call) => call_text(function, call),
        StatementKind::Assign(destination, source) => {
            format!("{} = {}", term(*destination), term(*source))
        }
        StatementKind::AssignOnPersistentFrame(property, source) => {
            format!("frame {} = {}", property.name(), term(*source))
        }
        StatementKind::Goto(target) => format!("goto {}", target_text(*target)),
        StatementKind::GotoIfNot(condition, target) => {
            format!("if not {} goto {}", term(*condition), target_text(*target))
        }
        StatementKind::PushState(target) => format!("push {}", target_text(*target)),
        StatementKind::EndOfThread => "pop".to_owned(),
        StatementKind::EndOfThreadIfNot(condition) => format!("if not {} pop", term(*condition)),
        StatementKind::ComputedGoto(offset) => format!("goto at {}", term(*offset)),
        StatementKind::Return => "return".to_owned(),
        StatementKind::Cast(cast, destination, class, source) => {
            let word = match cast {
                CastStatement::Dynamic => "cast",
                CastStatement::Meta => "cast class",
                CastStatement::ObjectToInterface => "to interface",
                CastStatement::CrossInterface => "cross interface",
                CastStatement::InterfaceToObject => "from interface",
            };
            format!(
                "{} = {word}<{}>({})",
                term(*destination),
                class.name(),
                term(*source)
            )
        }
        StatementKind::Convert(kind, destination, source) => {
            format!("{} = {kind:?}({})", term(*destination), term(*source))
        }
        StatementKind::AddDelegate(delegate, value) => {
            format!("bind {} to {}", term(*value), term(*delegate))
        }
        StatementKind::RemoveDelegate(delegate, value) => {
            format!("unbind {} from {}", term(*value), term(*delegate))
        }
        StatementKind::ClearDelegate(delegate) => format!("unbind all from {}", term(*delegate)),
        StatementKind::BindDelegate(delegate, function_name, object) => {
            format!(
                "{} = delegate {function_name} of {}",
                term(*delegate),
                term(*object)
            )
        }
        StatementKind::CallDelegate {
            delegate,
            arguments,
            ..
        } => {
            let arguments: Vec<String> = arguments.iter().map(|argument| term(*argument)).collect();
            format!("broadcast {}({})", term(*delegate), arguments.join(", "))
        }
        StatementKind::Fill(kind, container, elements) => {
            let elements: Vec<String> = elements.iter().map(|element| term(*element)).collect();
            format!("{} = {kind:?}[{}]", term(*container), elements.join(", "))
        }
        StatementKind::DebugSite => "site".to_owned(),
        StatementKind::WireTraceSite => "wire site".to_owned(),
    }
}

fn call_text(function: &FunctionIr, call: &Call) -> String {
    let arguments: Vec<String> = call
        .arguments
        .iter()
        .map(|argument| term_text(function, *argument))
        .collect();
    let mut text = format!(
        "{}.{}({})",
        call.target.class.name(),
        call.target.name,
        arguments.join(", ")
    );
    if let Some(object) = call.object {
        text = format!("on {}: {text}", term_text(function, object));
    }
    if call.is_parent {
        text = format!("parent {text}");
    }
    if let Some(result) = call.result {
        text = format!("{} = {text}", term_text(function, result));
    }
    for cleared in &call.cleared {
        text = format!("{} = Array[]; {text}", term_text(function, *cleared));
    }
    text
}

fn target_text(target: Target) -> String {
    match target {
        Target::Statement(id) => id.0.to_string(),
        Target::Return => "return".to_owned(),
        Target::End => "end".to_owned(),
        Target::Pin(_) | Target::Within(_) => "?".to_owned(),
    }
}

fn term_text(function: &FunctionIr, id: TermId) -> String {
    match &function.terms[id].kind {
        TermKind::Local { property, is_out } => {
            if *is_out {
                format!("out {}", property.name())
            } else {
                property.name().to_string()
            }
        }
        TermKind::Member { property, object } => match object {
            Some(object) => format!("{}.{}", term_text(function, *object), property.name()),
            None => format!("self.{}", property.name()),
        },
        TermKind::StructMember {
            property,
            structure,
        } => {
            format!("{}.{}", term_text(function, *structure), property.name())
        }
        TermKind::ClassDefault { property, class } => {
            format!(
                "default of {}.{}",
                term_text(function, *class),
                property.name()
            )
        }
        TermKind::Call(call) => call_text(function, call),
        TermKind::Literal(value) => value_text(value),
        TermKind::SelfRef => "self".to_owned(),
        TermKind::DefaultObject(class) => format!("default {}", class.name()),
        TermKind::Switch {
            index,
            cases,
            default,
        } => {
            let cases: Vec<String> = cases
                .iter()
                .map(|(literal, option)| {
                    format!(
                        "{}: {}",
                        term_text(function, *literal),
                        term_text(function, *option)
                    )
                })
                .collect();
            let (index, default) = (term_text(function, *index), term_text(function, *default));
            format!("select {index} {{{}, else: {default}}}", cases.join(", "))
        }
        TermKind::Element { array, index } => {
            format!(
                "{}[{}]",
                term_text(function, *array),
                term_text(function, *index)
            )
        }
        TermKind::EventOffset(event) => format!("offset of {event}"),
        TermKind::LatentInfo { resume, uuid, .. } => {
            let resume = resume.map_or_else(|| "nowhere".to_owned(), target_text);
            format!("latent(resume {resume}, id {uuid})")
        }
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Real(value) => format!("{value:?}"),
        Value::Name(name) => format!("'{name}'"),
        Value::Str(text) => format!("{text:?}"),
        Value::Text(text) => text_value(text),
        Value::Object(Some(object)) => object.to_string(),
        Value::Object(None) => "None".to_owned(),
        Value::Struct(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{name}={}", value_text(value)))
                .collect();
            format!("({})", members.join(", "))
        }
        Value::List(elements) => {
            let elements: Vec<String> = elements.iter().map(value_text).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Map(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", value_text(key), value_text(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Unbound => "unbound".to_owned(),
    }
}
