//! Any input is read in time that fits its length, without panic, and leaves a sound graph.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bp_diag::{Code, Diagnostics, Sources};
use bp_graph::t3d::{self, Clipboard, WriteOptions};
use bp_graph::{
    Blueprint, Direction, Graph, GraphKind, Node, Pin, PinCategory, PinType, Variable,
    graph_difference,
};
use bp_reflect::{EngineVersion, FunctionFlags, Registry};

fn read(text: &str) -> (Clipboard, Diagnostics) {
    let mut sources = Sources::default();
    let source = sources.add("text", text);
    t3d::read(source, text)
}

fn codes(text: &str) -> Vec<Code> {
    let (_, diagnostics) = read(text);
    diagnostics.iter().map(|it| it.code).collect()
}

const NODES: &str = r#"Begin Object Class=/Script/BlueprintGraph.K2Node_Event Name="K2Node_Event_0" ExportPath="/Script/BlueprintGraph.K2Node_Event'/Game/BP.BP:EventGraph.K2Node_Event_0'"
   EventReference=(MemberParent="/Script/CoreUObject.Class'/Script/Engine.Actor'",MemberName="ReceiveTick")
   bOverrideFunction=True
   NodePosX=-16
   NodeComment="é \"quoted\"\nline"
   NodeGuid=0123456789ABCDEF0123456789ABCDEF
   CustomProperties Pin (PinId=00000000000000000000000000000001,PinName="then",PinFriendlyName=NSLOCTEXT("a", "b", "c (d)"),Direction="EGPD_Output",PinType.PinCategory="exec",LinkedTo=(K2Node_CallFunction_0 00000000000000000000000000000002,),)
   CustomProperties UserDefinedPin (PinName="P",PinType=(PinCategory="bool"),DesiredPinDirection=EGPD_Output)
End Object
Begin Object Class=/Script/BlueprintGraph.K2Node_CallFunction Name="K2Node_CallFunction_0" ExportPath="/Script/BlueprintGraph.K2Node_CallFunction'/Game/BP.BP:EventGraph.K2Node_CallFunction_0'"
   FunctionReference=(MemberName="F",bSelfContext=True)
   PinNames(2)="x"
   CustomProperties Pin (PinId=00000000000000000000000000000002,PinName="execute",PinType.PinCategory="exec",LinkedTo=(K2Node_Event_0 00000000000000000000000000000001,),)
   CustomProperties Pin (PinId=00000000000000000000000000000003,PinName="V",PinType.PinCategory="struct",SubPins=(K2Node_CallFunction_0 00000000000000000000000000000004,),)
   CustomProperties Pin (PinId=00000000000000000000000000000004,PinName="V_X",PinType.PinCategory="real",PinType.PinSubCategory="double",ParentPin=K2Node_CallFunction_0 00000000000000000000000000000003,)
End Object
Begin Object Class=/Script/BlueprintGraph.K2Node_Composite Name="C"
   Begin Object Class=/Script/Engine.EdGraph Name="Inside"
      Begin Object Class=/Script/BlueprintGraph.K2Node_FunctionEntry Name="T"
      End Object
   End Object
   Begin Object Name="Inside"
      Begin Object Name="T"
         ExtraFlags=5
         LocalVariables(0)=(VarName="L",VarType=(PinCategory="int"))
      End Object
      Nodes(0)=K2Node_Tunnel'"T"'
   End Object
   BoundGraph=EdGraph'"Inside"'
End Object
BPVar(VarName="V",VarType=(PinCategory="name",ContainerType=Array))
BPGraph(GraphName="G",GraphType=GT_Function,NodesString="Begin Object Class=K2Node_Knot Name=\"K\"\r\nEnd Object\r\n")
Begin Object Class=K2Node_IfThenElse Name="B"
   Begin Object Class=EdGraphPin Name="EdGraphPin_1"
      PinType=(PinCategory="bool",bIsArray=True)
      LinkedTo(0)=EdGraphPin'B.EdGraphPin_1'
   End Object
   Pins(0)=EdGraphPin'EdGraphPin_1'
End Object
"#;

#[test]
fn bytes_of_every_encoding() {
    let text = "Begin Object é";
    let utf16 =
        |order: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
    let with = |mark: &[u8], bytes: Vec<u8>| [mark, &bytes].concat();
    for bytes in [
        text.as_bytes().to_vec(),
        with(&[0xef, 0xbb, 0xbf], text.as_bytes().to_vec()),
        with(&[0xff, 0xfe], utf16(u16::to_le_bytes)),
        with(&[0xfe, 0xff], utf16(u16::to_be_bytes)),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
    ] {
        assert_eq!(t3d::decode_bytes(&bytes).as_deref(), Ok(text));
    }
    for (bytes, error) in [
        (
            &b"ab\xffc"[..],
            "byte 2 is neither UTF-8 nor, by its beginning, UTF-16",
        ),
        (&b"\xff\xfea"[..], "the UTF-16 text ends inside a character"),
        (
            &b"\xff\xfe\x00\xd8"[..],
            "the UTF-16 text holds half a surrogate pair",
        ),
    ] {
        assert_eq!(t3d::decode_bytes(bytes), Err(error.to_owned()));
    }
    assert_eq!(t3d::decode_bytes(b"").as_deref(), Ok(""));
}

#[test]
fn a_mark_at_the_beginning_moves_no_place() {
    let (clipboard, _) = read(&format!("\u{feff}{NODES}"));
    let (_, node) = clipboard.graphs[0].nodes.iter().next().expect("a node");
    assert_eq!(node.span.expect("a place").start, 3);
}

#[test]
fn line_ends_and_indents_do_not_matter() {
    let (plain, diagnostics) = read(NODES);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let unindented: String = NODES
        .lines()
        .map(|line| line.trim_start().to_owned() + "\n")
        .collect();
    let one_line = NODES.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    for other in [
        NODES.replace('\n', "\r\n"),
        NODES.replace('\n', "\n\n"),
        NODES.replace("   ", "\t\t"),
        NODES.replace('\n', "\r"),
        unindented,
        one_line,
    ] {
        let (other, diagnostics) = read(&other);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(plain.graphs.len(), other.graphs.len());
        for (a, b) in plain.graphs.iter().zip(&other.graphs) {
            assert_eq!(graph_difference(a, b), None);
        }
    }
}

#[test]
fn written_text_is_read_as_the_same_in_every_version() {
    let (plain, _) = read(NODES);
    for engine in ["4.16", "4.27", "5.0", "5.1", "5.3", "5.6"] {
        let options = WriteOptions {
            asset: plain.asset.as_ref(),
            ..WriteOptions::new(engine.parse().expect("a version"))
        };
        for graph in &plain.graphs {
            let (again, diagnostics) = read(&t3d::write(&[graph], &options));
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
            if engine.starts_with('5') || graph.name == "EventGraph" {
                assert_eq!(graph_difference(graph, &again.graphs[0]), None, "{engine}");
            }
        }
    }
}

#[test]
fn differences_are_named() {
    let (a, _) = read(NODES);
    for (from, to, expected) in [
        ("NodePosX=-16", "NodePosX=5", "position is (-16, 0)"),
        (
            "PinNames(2)=\"x\"",
            "PinNames(2)=\"y\"",
            "PinNames is Some(Array(",
        ),
        ("\"V_X\"", "\"V_Z\"", "pin 2 (V_X): name is 'V_X'"),
        (
            "ExtraFlags=5",
            "ExtraFlags=6",
            "graph Inside: node 0 (T): ExtraFlags",
        ),
        (
            "PinName=\"then\"",
            "PinName=\"then\",bHidden=True",
            "flags is PinFlags(0x0)",
        ),
    ] {
        let (b, _) = read(&NODES.replace(from, to));
        let difference = graph_difference(&a.graphs[0], &b.graphs[0]).expect("they differ");
        assert!(difference.contains(expected), "{difference}");
    }
}

/// Reads texts that are meant to take long. The bound ends a quadratic reading, which would take an hour, and
/// leaves room for a machine that is busy with other things.
fn check_time(name: &str, text: &str) -> Vec<Code> {
    let start = Instant::now();
    let found = codes(text);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(300), "{name} took {took:?}");
    found
}

#[test]
fn time_grows_with_length_only() {
    const N: usize = 1 << 17;
    let header = "Begin Object Class=/Script/BlueprintGraph.K2Node_Knot Name=\"A\"\n";
    let line = |part: &str| part.repeat(N / part.len());
    for part in [
        "a",
        "\"",
        "(",
        ")",
        "'",
        "=",
        ",",
        "\\",
        "a'",
        "a'\"",
        "\"'",
        "!'",
        "a=",
        "a=(",
        "a=\"",
        " ",
        "\n",
        "\r\n",
        "&",
        "&quot;",
        "\\_",
        "(a=",
        "a(1)=",
        "a(9)=b\n",
        ">",
        "a b ",
        "\" ",
        "Begin Object\n",
        "End Object\n",
        "Begin Object ",
        "CustomProperties Pin (",
        "CustomProperties Pin (PinId=1)\n",
        "CustomProperties Pin\n",
        "BPVar(",
        "BPGraph(",
        "NSLOCTEXT(",
        "k=NSLOCTEXT(\"\n",
        "junk\n",
        "/A.B'",
        "é",
        "\u{a0}",
        "# remark\n",
        "Begin ObjectX ",
        "Begin Object Class=A Name=B End Object ",
    ] {
        check_time(part, &line(part));
        check_time(part, &format!("{header}{}", line(part)));
        check_time(part, &format!("{header}A={}\nEnd Object\n", line(part)));
        check_time(
            part,
            &format!("{header}CustomProperties Pin (A={}", line(part)),
        );
    }
    let long = format!(
        "{header}NodeComment=\"{}\"\nEnd Object\n",
        "x".repeat(1 << 20)
    );
    assert_eq!(check_time("long line", &long), []);
    let links = line("A 00000000000000000000000000000001,");
    let pin = "CustomProperties Pin (PinId=00000000000000000000000000000001,PinName=\"P\"";
    let linked = format!("{header}{pin},LinkedTo=({links}))\nEnd Object\n");
    assert_eq!(check_time("many links", &linked), []);
    let same = format!(
        "{header}{}End Object\n",
        line(&format!(
            "{pin},LinkedTo=(A 00000000000000000000000000000001,))\n"
        ))
    );
    check_time("many pins of one id", &same);
}

#[test]
fn nesting_is_limited() {
    let nested = "Begin Object Class=X Name=\"A\"\n".repeat(100_000);
    let found = check_time("objects", &nested);
    assert!(found.contains(&Code::TooDeep), "{found:?}");
    let ended = nested + &"End Object\n".repeat(100_000);
    assert_eq!(check_time("ended objects", &ended), [Code::TooDeep]);
    let lists = format!(
        "Begin Object Class=K2Node_Knot Name=\"A\"\nA={}\nB=1\nEnd Object\n",
        "(".repeat(100_000)
    );
    assert_eq!(check_time("lists", &lists), [Code::TooDeep]);
    let composites =
        "Begin Object Class=K2Node_Composite Name=\"A\"\nBegin Object Class=EdGraph Name=\"G\"\n";
    let composites = composites.repeat(200);
    let found = check_time("composites", &composites);
    assert!(found.contains(&Code::TooDeep), "{found:?}");
    let (clipboard, _) = read(&composites);
    let written = t3d::write(
        &[&clipboard.graphs[0]],
        &WriteOptions::new(EngineVersion::LATEST),
    );
    assert_eq!(codes(&written), []);
}

#[test]
fn a_text_that_is_too_large_is_refused() {
    assert_eq!(codes(&" ".repeat((64 << 20) + 1)), [Code::TooLarge]);
}

/// What holds for every graph, whatever the text.
fn check_sound(graph: &Graph, text: &str) {
    for (id, pin) in graph.pins.iter() {
        for end in &pin.links {
            assert!(graph.pins[*end].links.contains(&id), "links have two ends");
        }
        for part in &pin.sub_pins {
            assert_eq!(graph.pins[*part].parent, Some(id), "parts name their whole");
        }
        let mut depth = 0;
        let mut at = pin;
        while let Some(parent) = at.parent {
            at = &graph.pins[parent];
            depth += 1;
            assert!(depth < 100, "parts make no circle");
        }
        assert!(
            graph.nodes[pin.node].pins.contains(&id),
            "pins are on their node"
        );
        check_span(pin.span, text);
    }
    for (_, node) in graph.nodes.iter() {
        check_span(node.span, text);
    }
    graph
        .children
        .iter()
        .for_each(|child| check_sound(child, text));
}

fn check_span(span: Option<bp_diag::Span>, text: &str) {
    if let Some(span) = span {
        assert!(
            text.get(span.range()).is_some(),
            "{span:?} of {} bytes",
            text.len()
        );
    }
}

fn check_any(text: &str) {
    let (clipboard, diagnostics) = read(text);
    for diagnostic in &diagnostics {
        check_span(diagnostic.span, text);
        for label in &diagnostic.labels {
            check_span(Some(label.span), text);
        }
    }
    clipboard
        .graphs
        .iter()
        .for_each(|graph| check_sound(graph, text));
    let options = WriteOptions {
        asset: clipboard.asset.as_ref(),
        ..WriteOptions::new(EngineVersion::LATEST)
    };
    let graphs: Vec<&Graph> = clipboard.graphs.iter().collect();
    read(&t3d::write(&graphs, &options));
    t3d::to_blueprint(clipboard, Some("Any"), &Registry::new(), None);
}

/// A generator of numbers that is the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

fn mutate(numbers: &mut Numbers, text: &[u8]) -> Vec<u8> {
    const PARTS: &[&str] = &[
        "(",
        ")",
        "\"",
        "'",
        ",",
        "=",
        "\\",
        "\n",
        "Begin Object ",
        "End Object\n",
        "&quot;",
        "\\_",
        "CustomProperties Pin (",
        "None",
        "é",
        "0",
        " ",
        "Name=\\\"",
        "\\u",
        "\\x",
        "ParentPin=",
    ];
    let mut out = text.to_vec();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(out.len() + 1);
        match numbers.below(6) {
            0 if at < out.len() => out[at] ^= 1 << numbers.below(8),
            1 => out.truncate(at),
            2 => {
                let end = (at + numbers.below(200)).min(out.len());
                out.drain(at..end);
            }
            3 => {
                let end = (at + numbers.below(200)).min(out.len());
                let copy = out[at..end].to_vec();
                let to = numbers.below(out.len() + 1);
                out.splice(to..to, copy);
            }
            4 => {
                let part = PARTS[numbers.below(PARTS.len())];
                out.splice(at..at, part.bytes());
            }
            _ => {
                // One id or name for another.
                let end = (at + 33).min(out.len());
                let from = numbers.below(out.len() + 1);
                let copy = out[from..(from + end - at).min(out.len())].to_vec();
                out.splice(at..end, copy);
            }
        }
    }
    out
}

#[test]
fn damaged_texts_never_panic() {
    let mut texts = vec![
        NODES.to_owned(),
        NODES.replace('"', "&quot;"),
        NODES.replace("K2Node_", "K2Node\\_"),
        format!("{{\"a\":{:?}}}", NODES),
    ];
    let corpus =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/clipboard/graphs");
    if let Ok(entries) = fs::read_dir(corpus) {
        let mut files: Vec<_> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.sort();
        texts.extend(
            files
                .iter()
                .filter_map(|file| fs::read_to_string(file).ok()),
        );
    }
    for text in &texts {
        check_any(text);
    }
    let mut numbers = Numbers(0x0b1e_5eed);
    let start = Instant::now();
    for round in 0..3000 {
        // The first rounds are always done, the others as far as time allows.
        if round > 300 && start.elapsed() > Duration::from_secs(4) {
            break;
        }
        let text = &texts[numbers.below(texts.len())];
        let damaged = mutate(&mut numbers, text.as_bytes());
        check_any(&String::from_utf8_lossy(&damaged));
    }
}

#[test]
fn every_beginning_of_a_text_is_read() {
    for end in (0..NODES.len())
        .filter(|end| NODES.is_char_boundary(*end))
        .step_by(3)
    {
        check_any(&NODES[..end]);
    }
}

#[test]
fn a_graph_made_without_ids_is_written_with_its_links() {
    let mut graph = Graph::new("EventGraph", GraphKind::Event);
    let event = graph.add_node(Node::new("begin", "Event"));
    let call = graph.add_node(Node::new("print", "CallFunction"));
    graph.add_node(Node::new("note", "EdGraphNode_Comment"));
    let then = graph.add_pin(Pin::new(event, "then", Direction::Output, PinType::exec()));
    let execute = graph.add_pin(Pin::new(call, "execute", Direction::Input, PinType::exec()));
    graph.link(then, execute);
    let text = t3d::write(&[&graph], &WriteOptions::new(EngineVersion::LATEST));
    let (again, diagnostics) = read(&text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(graph_difference(&graph, &again.graphs[0]), None);
}

#[test]
fn a_blueprint_is_written_with_its_variables() {
    let mut blueprint = Blueprint::new(
        "BP_Door",
        "/Script/Engine.Actor".into(),
        EngineVersion::LATEST,
    );
    let ty = PinType::of(PinCategory::Bool);
    blueprint.variables.push(Variable::new("IsOpen", ty));
    let mut events = Graph::new("EventGraph", GraphKind::Event);
    events.add_node(Node::new("begin", "Event"));
    let mut open = Graph::new("Open", GraphKind::Function);
    open.flags = FunctionFlags::PUBLIC;
    let entry = open.add_node(Node::new("entry", "FunctionEntry"));
    open.add_pin(Pin::new(entry, "then", Direction::Output, PinType::exec()));
    open.locals
        .push(Variable::new("Count", PinType::of(PinCategory::Int)));
    blueprint.graphs = vec![events, open];

    let text = t3d::write_blueprint(&blueprint);
    assert!(t3d::is_clipboard_text(&text));
    let (clipboard, diagnostics) = read(&text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (again, _) = t3d::to_blueprint(clipboard, None, &Registry::new(), None);
    assert_eq!(again.class_path, blueprint.class_path);
    assert_eq!(again.engine, blueprint.engine);
    assert_eq!(again.variables[0].ty, blueprint.variables[0].ty);
    assert_eq!(again.variables[0].flags, blueprint.variables[0].flags);
    for (a, b) in blueprint.graphs.iter().zip(&again.graphs) {
        assert_eq!(graph_difference(a, b), None);
    }
}
