//! `bpc nodes`: the node classes, with keys and pins.

use bp_diag::Sources;
use bp_graph::nodes::{self, KeyKind, NodeClass};
use bp_graph::{Direction, PinFlags, json};
use bp_reflect::{EngineVersion, declarations};
use serde_json::{Map, Value, json as value};

use crate::args::NodesArgs;
use crate::console::Console;
use crate::exit::{Exit, Failure, Outcome};

pub(crate) fn run(args: &NodesArgs, console: &Console) -> Outcome {
    let short = |class: &'static str| {
        let name = class.strip_prefix("K2Node_").unwrap_or(class);
        name.strip_prefix("EdGraphNode_").unwrap_or(name)
    };
    let mut text = String::new();
    let Some(name) = &args.class else {
        for class in nodes::ALL {
            let keys: Vec<&str> = class.keys().iter().map(|key| key.name).collect();
            let mark = if is_compiled(class.class()) {
                ""
            } else {
                "(read only) "
            };
            let line = format!("{:<40}  {mark}{}", short(class.class()), keys.join(", "));
            text += line.trim_end();
            text.push('\n');
        }
        console.stdout.text(&text)?;
        return Ok(Exit::Fine);
    };
    let Some(class) = &nodes::find(name) else {
        return Err(Failure::usage(format!(
            "there is no node class {name}: {}",
            json::class_hint(name)
        )));
    };
    text += &format!("{} ({})\n\n", short(class.class()), class.class());
    if !is_compiled(class.class()) {
        text += "It is read and written, but has no meaning to the compiler yet.\n";
    }
    if class.keys().is_empty() {
        text += "It has no keys of its own.\n";
    }
    for key in class.keys() {
        let required = if key.required { ", required" } else { "" };
        let kind = key_kind(key.kind);
        text += &format!("  {:<16} {kind}{required}: {}\n", key.name, key.doc);
    }
    text +=
        "\nKeys of every node: id, class, pins, at, guid, comment, disabled, split, advanced.\n";
    text += &pins(*class, args)?;
    console.stdout.text(&text)?;
    Ok(Exit::Fine)
}

/// Whether the compiler has a handler; comments and the like need none.
fn is_compiled(class: &str) -> bool {
    !class.starts_with("K2Node_") || bp_compiler::nodes::classes().any(|known| known == class)
}

fn key_kind(kind: KeyKind) -> &'static str {
    match kind {
        KeyKind::Text => "string",
        KeyKind::Bool => "true or false",
        KeyKind::Count => "number, 0 or more",
        KeyKind::Int => "number",
        KeyKind::Class => "class",
        KeyKind::Struct => "struct",
        KeyKind::Enum => "enum",
        KeyKind::Type => "type",
        KeyKind::Names => "list of names",
        KeyKind::CountOrNames => "number or list of names",
        KeyKind::CountOrNamesOrEnum => "number, list of names or enum",
        KeyKind::Params => "list of parameters",
        KeyKind::CountOrParams => "number or list of parameters",
        KeyKind::Graph => "graph",
        KeyKind::Value => "value",
        KeyKind::Size => "[width, height]",
    }
}

/// The pins of a node with the keys given, or of an example.
fn pins(class: &dyn NodeClass, args: &NodesArgs) -> Outcome<String> {
    let mut keys = Map::new();
    for text in &args.keys {
        let Some((key, written)) = text.split_once('=') else {
            return Err(Failure::usage(format!(
                "{text}: there is no `=`; write KEY=VALUE"
            )));
        };
        // `cases=[4,5]` is JSON; what is not, such as `function=PrintString`, is a word.
        let parsed = serde_json::from_str(written);
        keys.insert(
            key.to_owned(),
            parsed.unwrap_or_else(|_| Value::from(written)),
        );
    }
    let mut shown: Vec<String> = args.keys.clone();
    if args.keys.is_empty() {
        for (key, example) in class
            .keys()
            .iter()
            .filter_map(|key| example(class.class(), key))
        {
            let text = example.as_str().map_or(example.to_string(), str::to_owned);
            shown.push(format!("{key}={text}"));
            keys.insert(key.to_owned(), example);
        }
    }
    let with = if shown.is_empty() {
        String::new()
    } else {
        format!(", with {}", shown.join(" "))
    };
    match pins_of(class, keys, args.engine) {
        Ok(lines) if lines.is_empty() => Ok("\nIt has no pins.\n".to_owned()),
        Ok(lines) => Ok(format!("\nPins{with}:\n{}", lines.concat())),
        Err(reasons) if args.keys.is_empty() => Ok(format!(
            "\nIts pins follow from its keys and its graph ({}); give keys to see them.\n",
            reasons.join("; ")
        )),
        Err(reasons) => Err(Failure::usage(reasons.join("; "))),
    }
}

/// A value for a key that a node cannot do without.
fn example(class: &str, key: &nodes::Key) -> Option<(&'static str, Value)> {
    let example = match (key.name, key.kind) {
        _ if !key.required => return None,
        ("function", _) if class == "K2Node_CallParentFunction" => value!("ReceiveBeginPlay"),
        ("function", _) => value!("PrintString"),
        ("delegate", _) if class == "K2Node_ComponentBoundEvent" => value!("OnComponentHit"),
        ("event", _) => value!("ReceiveBeginPlay"),
        ("macro", _) => value!("ForLoop"),
        ("format", _) => value!("{Name} has {Count}"),
        ("expression", _) => value!("a * b"),
        ("key", _) => value!("SpaceBar"),
        ("variable", _) => value!("Health"),
        ("delegate", _) => value!("OnExample"),
        ("component", _) => value!("Mesh"),
        ("timeline", _) => value!("Swing"),
        (_, KeyKind::Class) => value!("Pawn"),
        (_, KeyKind::Struct) => value!("Vector"),
        (_, KeyKind::Enum) => value!("ECollisionChannel"),
        (_, KeyKind::Type) => value!("int"),
        (
            _,
            KeyKind::Count
            | KeyKind::Int
            | KeyKind::CountOrNames
            | KeyKind::CountOrParams
            | KeyKind::CountOrNamesOrEnum,
        ) => value!(2),
        (_, KeyKind::Bool) => value!(true),
        (_, KeyKind::Text | KeyKind::Value) => value!("Example"),
        (_, KeyKind::Names) => value!(["A", "B"]),
        (_, KeyKind::Params) => value!([{"name": "Value", "type": "int"}]),
        (_, KeyKind::Graph) => value!({"nodes": [], "links": []}),
        (_, KeyKind::Size) => value!([400, 100]),
    };
    Some((key.name, example))
}

/// The pins of a node in a small Blueprint, a line each; or what is wrong with its keys.
fn pins_of(
    class: &dyn NodeClass,
    keys: Map<String, Value>,
    engine: Option<EngineVersion>,
) -> Result<Vec<String>, Vec<String>> {
    let engine = engine.unwrap_or(EngineVersion::LATEST);
    let mut node = Map::new();
    node.insert("id".to_owned(), value!("node"));
    node.insert("class".to_owned(), value!(class.class()));
    node.extend(keys);
    let is_boundary = matches!(
        class.class(),
        "K2Node_FunctionEntry" | "K2Node_FunctionResult"
    );
    let graph = if is_boundary {
        value!({"name": "Example", "kind": "function", "nodes": [node],
            "inputs": [{"name": "MyInput", "type": "int"}], "outputs": [{"name": "MyOutput", "type": "int"}]})
    } else {
        value!({"name": "EventGraph", "kind": "event", "nodes": [node]})
    };
    // What the examples of keys name.
    let text = value!({
        "format": "blueprint/1", "name": "BP_Example", "parent": "Actor", "engine": engine.to_string(),
        "variables": [{"name": "Health", "type": "double"}],
        "dispatchers": [{"name": "OnExample", "params": [{"name": "Value", "type": "int"}]}],
        "components": [{"name": "Mesh", "class": "StaticMeshComponent"}],
        "timelines": [{"name": "Swing", "tracks": [{"name": "Alpha", "kind": "float", "keys": [[0, 0], [1, 1]]}]}],
        "graphs": [graph],
    });
    let mut sources = Sources::default();
    let id = sources.add("node", text.to_string());
    let registry = declarations::embedded(engine);
    let (blueprints, registry, found) = json::read(&[id], &sources, &registry);
    let reasons: Vec<String> = found
        .iter()
        .filter(|finding| finding.severity == bp_diag::Severity::Error)
        .map(|finding| match &finding.hint {
            Some(hint) => format!("{}: {hint}", finding.message),
            None => finding.message.clone(),
        })
        .collect();
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let graph = blueprints.first().and_then(|one| one.graphs.first());
    let graph = graph.ok_or_else(|| vec!["there is no graph".to_owned()])?;
    let node = graph.node_named(&"node".into());
    let node = node.ok_or_else(|| vec!["there is no node".to_owned()])?;
    let lines = graph.pins_of(node).map(|(_, pin)| {
        let side = match pin.direction {
            Direction::Input => "in ",
            Direction::Output => "out",
        };
        let name = if pin.name.is_none() {
            "execute"
        } else {
            pin.name.as_str()
        };
        let mut line = format!(
            "  {side}  {name:<28} {}",
            json::type_text(&pin.ty, &registry)
        );
        if pin.is_input() && !pin.default.value.is_empty() {
            line += &format!(" = {}", pin.default.value);
        }
        for (flag, word) in [
            (PinFlags::HIDDEN, " (hidden)"),
            (PinFlags::ADVANCED, " (advanced)"),
        ] {
            if pin.flags.contains(flag) {
                line += word;
            }
        }
        line + "\n"
    });
    Ok(lines.collect())
}
