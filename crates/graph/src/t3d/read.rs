//! Objects to graphs: which editor they are from, which graph each node is of, what kind it is.

use bp_diag::{Code, Diagnostic, Diagnostics, SourceId};
use bp_reflect::{FunctionFlags, Name, ObjectPath, PropertyFlags};
use indexmap::IndexMap;

use super::clean::Cleaned;
use super::dress::{Dress, value_text};
use super::editors::foreign_editor;
use super::lex::{Kind, Value};
use super::node::{Builder, OpenGraph};
use super::object::{Document, Object, Reporter, parse};
use super::pin::{parse_text, read_type};
use super::{Clipboard, GuidTexts, TextForm};
use crate::{Graph, GraphKind, PinType, PropertyValue, Variable};

/// Graphs copied as a whole can hold such graphs only if somebody plays with us.
const MAX_GRAPHS_DEPTH: usize = 4;

pub(super) fn read(source: SourceId, cleaned: &Cleaned<'_>) -> (Clipboard, Diagnostics) {
    let mut clipboard = Clipboard {
        form: text_form(&cleaned.text),
        ..Clipboard::default()
    };
    let mut diagnostics = Diagnostics::new();
    read_into(source, cleaned, 0, &mut clipboard, &mut diagnostics);
    let is_empty = clipboard.graphs.is_empty() && clipboard.variables.is_empty();
    if is_empty && !diagnostics.has_errors() {
        diagnostics.push(
            Diagnostic::new(
                Code::T3dSyntax,
                "the text holds no node (`Begin Object`) and no variable (`BPVar`)",
            )
            .hint("select nodes in the editor, copy them, and paste them as they are"),
        );
    }
    (clipboard, diagnostics)
}

fn read_into(
    source: SourceId,
    cleaned: &Cleaned<'_>,
    depth: usize,
    clipboard: &mut Clipboard,
    diagnostics: &mut Diagnostics,
) {
    let mut reporter = Reporter::new(source, cleaned);
    let document = parse(&cleaned.text, &mut reporter);
    let mut ids = std::mem::take(&mut clipboard.ids);
    graphs(&document, &mut reporter, &mut ids, clipboard);
    for list in &document.variables {
        let variable = read_variable(list, &mut ids, &mut reporter);
        clipboard.variables.push(variable);
    }
    clipboard.ids = ids;
    diagnostics.append(std::mem::take(&mut reporter.diagnostics));

    for list in &document.graphs {
        whole_graph(source, cleaned, list, depth, clipboard, diagnostics);
    }
}

/// A graph copied as a whole: its nodes are a string.
fn whole_graph(
    source: SourceId,
    cleaned: &Cleaned<'_>,
    list: &Value<'_>,
    depth: usize,
    clipboard: &mut Clipboard,
    diagnostics: &mut Diagnostics,
) {
    let Some(nodes) = list.get("NodesString") else {
        return;
    };
    let Kind::String(raw) = nodes.kind else {
        return;
    };
    if depth >= MAX_GRAPHS_DEPTH {
        let reporter = Reporter::new(source, cleaned);
        diagnostics.push(
            Diagnostic::new(Code::TooDeep, "graphs are nested in strings too deep")
                .at(reporter.span(&nodes.range)),
        );
        return;
    }
    let inner = cleaned.unescaped(nodes.range.start + 1, raw);
    let mut own = Clipboard {
        ids: std::mem::take(&mut clipboard.ids),
        ..Clipboard::default()
    };
    read_into(source, &inner, depth + 1, &mut own, diagnostics);
    clipboard.ids = own.ids;
    if clipboard.asset.is_none() {
        clipboard.asset = own
            .asset
            .or_else(|| list.get("OriginalBlueprint").and_then(Value::path));
    }
    clipboard.variables.extend(own.variables);
    let name = list.get("GraphName").map(|name| Name::new(name.text()));
    let is_single = own.graphs.len() == 1;
    for mut graph in own.graphs {
        if let (true, Some(name)) = (is_single, &name) {
            graph.name = name.clone();
            match list.get("GraphType").map(Value::text).as_deref() {
                Some("GT_Macro") => graph.kind = GraphKind::Macro,
                Some("GT_Ubergraph") => graph.kind = GraphKind::Event,
                Some("GT_Function") if graph.kind == GraphKind::Event => {
                    graph.kind = GraphKind::Function;
                }
                _ => {}
            }
        }
        clipboard.graphs.push(graph);
    }
}

/// Where an `ExportPath` says a node is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct GraphPlace {
    /// Path of the Blueprint.
    asset: String,
    /// Graph names, outermost first, with the Composite nodes between.
    chain: Vec<String>,
}

impl GraphPlace {
    fn of(object: &Object<'_>) -> Option<Self> {
        let path = object.path.as_deref()?;
        let (asset, rest) = path.split_once(':')?;
        let mut chain: Vec<String> = rest.split('.').map(str::to_owned).collect();
        chain.pop();
        let mut asset = asset.to_owned();
        // The Blueprint of a level is a part of the level.
        if chain.len() > 2 && chain[0].eq_ignore_ascii_case("PersistentLevel") {
            let level: Vec<String> = chain.drain(..2).collect();
            asset = format!("{asset}:{}", level.join("."));
        }
        (!chain.is_empty()).then_some(Self { asset, chain })
    }
}

fn graphs(
    document: &Document<'_>,
    reporter: &mut Reporter<'_, '_>,
    ids: &mut GuidTexts,
    clipboard: &mut Clipboard,
) {
    let mut builder = Builder {
        reporter,
        ids,
        n_skipped: 0,
    };
    let mut groups: IndexMap<Option<GraphPlace>, Vec<&Object<'_>>> = IndexMap::new();
    let mut whole = Vec::new();
    let mut foreign: IndexMap<String, &Object<'_>> = IndexMap::new();
    for object in &document.objects {
        if object.is_graph() {
            whole.push(object);
        } else if object.class_name().ends_with("Blueprint")
            && object.children.iter().any(Object::is_graph)
        {
            // A Blueprint exported as text.
            whole.extend(object.children.iter().filter(|child| child.is_graph()));
        } else if object.class.is_empty() {
            let span = builder.reporter.span(&object.header);
            builder.reporter.syntax(
                Diagnostic::new(
                    Code::T3dSyntax,
                    format!("the object `{}` has no class", object.name),
                )
                .at(span)
                .label("expected `Class=…`"),
            );
        } else if foreign_editor(&object.class).is_some() {
            foreign.entry(object.class.to_string()).or_insert(object);
        } else {
            groups
                .entry(GraphPlace::of(object))
                .or_default()
                .push(object);
        }
    }
    report_foreign(&foreign, groups.is_empty(), builder.reporter);

    // Nodes without a path belong to the graph of the others, if there is one.
    if groups.len() > 1
        && let Some(lost) = groups.shift_remove(&None)
        && let Some((_, first)) = groups.first_mut()
    {
        first.extend(lost);
    }
    for (place, objects) in groups {
        let open_name = match &place {
            Some(place) => place.chain.last().map_or("EventGraph", String::as_str),
            None => "EventGraph",
        };
        let mut open = OpenGraph::new(open_name, GraphKind::Event);
        for object in &objects {
            builder.add_node(&mut open, object);
        }
        let mut graph = builder.resolve(open);
        graph.span = objects
            .first()
            .map(|first| builder.reporter.span(&first.header));
        match place {
            Some(place) => {
                graph.kind = kind_in_place(&graph, &place);
                if clipboard.asset.is_none() {
                    clipboard.asset = Some(ObjectPath::new(&place.asset));
                }
                finish(&mut graph, builder.reporter, builder.ids);
                clipboard.graphs.push(graph);
            }
            None => {
                for mut graph in super::infer::separate(graph) {
                    finish(&mut graph, builder.reporter, builder.ids);
                    clipboard.graphs.push(graph);
                }
            }
        }
    }
    for object in whole {
        let mut open = OpenGraph::new(&object.name, GraphKind::Event);
        builder.fill_graph(&mut open, object);
        let mut graph = builder.resolve(open);
        graph.span = Some(builder.reporter.span(&object.header));
        graph.kind = kind_in_place(
            &graph,
            &GraphPlace {
                asset: String::new(),
                chain: vec![object.name.to_string()],
            },
        );
        finish(&mut graph, builder.reporter, builder.ids);
        clipboard.graphs.push(graph);
    }
}

fn kind_in_place(graph: &Graph, place: &GraphPlace) -> GraphKind {
    let name = place.chain.last().map_or("", String::as_str);
    if let Some(kind) = kind_by_nodes(graph) {
        // Nodes copied out of a collapsed node bring its tunnels, which look like a macro's.
        return if place.chain.len() > 1 && kind == GraphKind::Macro {
            GraphKind::Composite
        } else {
            kind
        };
    }
    if name.eq_ignore_ascii_case("UserConstructionScript") {
        GraphKind::Construction
    } else if place.chain.len() > 1 || name.eq_ignore_ascii_case("EventGraph") {
        GraphKind::Event
    } else {
        GraphKind::Function
    }
}

/// What the nodes of a graph say of its kind: an entry makes a function, tunnels a macro or the inside
/// of a collapsed node, an event an event graph.
pub(super) fn kind_by_nodes(graph: &Graph) -> Option<GraphKind> {
    let has = |test: &dyn Fn(&str) -> bool| {
        graph
            .nodes
            .iter()
            .any(|(_, node)| test(node.class.as_str()))
    };
    if let Some((_, entry)) = graph
        .nodes
        .iter()
        .find(|(_, node)| node.class == "K2Node_FunctionEntry")
    {
        let name = entry_function(&entry.properties).unwrap_or_else(|| graph.name.clone());
        return Some(if name == "UserConstructionScript" {
            GraphKind::Construction
        } else if name.as_str().ends_with("__DelegateSignature") {
            GraphKind::DelegateSignature
        } else {
            GraphKind::Function
        });
    }
    if has(&|class| class == "K2Node_FunctionResult") {
        return Some(GraphKind::Function);
    }
    if graph.nodes.iter().any(|(_, node)| node.is_tunnel()) {
        let is_inside = graph.nodes.iter().any(|(_, node)| {
            node.properties.get("OutputSourceNode").is_some()
                || node.properties.get("InputSinkNode").is_some()
        });
        return Some(if is_inside {
            GraphKind::Composite
        } else {
            GraphKind::Macro
        });
    }
    let of_animation = graph
        .nodes
        .iter()
        .find_map(|(_, node)| GraphKind::of_animation_node(node.class.as_str()));
    of_animation.or_else(|| has(&is_event_class).then_some(GraphKind::Event))
}

/// Whether nodes of the class stand in event graphs only.
pub(super) fn is_event_class(class: &str) -> bool {
    matches!(
        class,
        "K2Node_Event"
            | "K2Node_CustomEvent"
            | "K2Node_ActorBoundEvent"
            | "K2Node_ComponentBoundEvent"
            | "K2Node_EnhancedInputAction"
            | "K2Node_GeneratedBoundEvent"
    ) || class.starts_with("K2Node_Input")
}

/// The name a function entry gives its function.
pub(super) fn entry_function(properties: &crate::Properties) -> Option<Name> {
    let of = |key| properties.member(key).map(|member| member.name);
    of("FunctionReference")
        .or_else(|| properties.text("SignatureName").map(Name::new))
        .filter(|name| !name.is_none())
}

/// Takes what the entry node says of its function.
fn finish(graph: &mut Graph, reporter: &mut Reporter<'_, '_>, ids: &mut GuidTexts) {
    let Some((_, entry)) = graph
        .nodes
        .iter()
        .find(|(_, node)| node.class == "K2Node_FunctionEntry")
    else {
        return;
    };
    if let Some(flags) = entry.properties.int("ExtraFlags") {
        graph.flags = FunctionFlags::from_bits_retain(flags as u32);
    }
    let locals = entry
        .properties
        .get("LocalVariables")
        .map(PropertyValue::elements)
        .unwrap_or_default();
    let span = entry.span;
    graph.locals = locals
        .into_iter()
        .filter_map(|list| variable_of_property(list, reporter, ids))
        .map(|local| Variable { span, ..local })
        .collect();
}

/// A variable from a list that was already made a property: written again and read as a list.
fn variable_of_property(
    list: &PropertyValue,
    reporter: &mut Reporter<'_, '_>,
    ids: &mut GuidTexts,
) -> Option<Variable> {
    list.get("VarName")?;
    let text = value_text(list, Dress::Ue51);
    let value = super::lex::Lexer::new(&text).list().ok()?;
    // Places in the text just made mean nothing, so nothing is reported of it.
    let mut silent = Reporter::new(reporter.source, reporter.cleaned);
    let mut variable = read_variable(&value, ids, &mut silent);
    variable.span = None;
    Some(variable)
}

/// Reads the list of a `BPVar` or of an element of `LocalVariables`.
fn read_variable(
    list: &Value<'_>,
    ids: &mut GuidTexts,
    reporter: &mut Reporter<'_, '_>,
) -> Variable {
    let mut variable = Variable::new(Name::none(), PinType::default());
    variable.span = Some(reporter.span(&list.range));
    for member in list.members() {
        let value = &member.value;
        match member.key.to_ascii_lowercase().as_str() {
            "varname" => {
                variable.name = Name::new(value.text());
                variable.span = Some(reporter.span(&member.range));
            }
            "varguid" => variable.guid = ids.read(&value.text()),
            "vartype" => variable.ty = read_type(value, reporter),
            "friendlyname" => variable.friendly_name = non_empty(&value.text()),
            "category" => variable.category = category_text(value),
            "propertyflags" => {
                if let Ok(bits) = value.text().trim().parse() {
                    variable.flags = PropertyFlags::from_bits_retain(bits);
                }
            }
            "repnotifyfunc" => {
                variable.on_rep = Some(Name::new(value.text())).filter(|name| !name.is_none());
            }
            "replicationcondition" => {
                let condition = value.text();
                let is_everyone = condition.eq_ignore_ascii_case("COND_None");
                variable.replication = (!is_everyone).then(|| condition.into_owned());
            }
            "metadataarray" => {
                variable.metadata.clear();
                for entry in value.members() {
                    if let Some(key) = entry.value.get("DataKey") {
                        let text = entry.value.get("DataValue").map(Value::text);
                        let text = text.unwrap_or_default().into_owned();
                        variable.metadata.insert(key.text().into_owned(), text);
                    }
                }
            }
            "defaultvalue" => variable.default = non_empty(&value.text()),
            _ => {}
        }
    }
    variable
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A heading in the language it was written in.
fn category_text(value: &Value<'_>) -> Option<String> {
    use bp_reflect::TextValue;
    let text = value.text();
    match parse_text(&text) {
        Some(TextValue::Localized { source, .. } | TextValue::Invariant(source)) => {
            non_empty(&source)
        }
        Some(TextValue::Empty | TextValue::StringTable { .. }) | None => non_empty(&text),
    }
}

/// One finding for each class of another editor. When nothing else is there, it is the only finding:
/// how such text is formed is not our concern.
fn report_foreign(
    foreign: &IndexMap<String, &Object<'_>>,
    is_all: bool,
    reporter: &mut Reporter<'_, '_>,
) {
    let n_shown = if is_all { 1 } else { usize::MAX };
    if is_all && !foreign.is_empty() {
        reporter.diagnostics = Diagnostics::new();
    }
    for (class, object) in foreign.iter().take(n_shown) {
        let editor = foreign_editor(class).unwrap_or("another editor");
        let span = reporter.span(&object.header);
        reporter.push(
            Diagnostic::new(
                Code::T3dNotK2,
                format!(
                    "`{}` is of {editor}, not of a Blueprint graph",
                    object.class_name()
                ),
            )
            .at(span)
            .label("not a Blueprint node")
            .hint("copy nodes of an event graph, function or macro of a Blueprint"),
        );
    }
}

/// Tells the age of a text from its form.
fn text_form(text: &str) -> TextForm {
    // Evidence stands in the first nodes already; a long text is not searched to its end.
    let mut end = text.len().min(1 << 20);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let has = |part: &str| text.contains(part);
    if has("bDefaultsToPureFunc") {
        return TextForm::Ue55;
    }
    if has("Class=EdGraphPin") || has("EdGraphPin'") {
        return TextForm::PinObjects;
    }
    let kinds = ["Class", "ScriptStruct", "Enum", "Package"];
    let is_quoted_whole = has("ExportPath=\"/")
        || kinds
            .iter()
            .any(|kind| has(&format!("=\"/Script/CoreUObject.{kind}'")));
    if is_quoted_whole {
        // Without a pure function both versions write the same.
        return if has("bIsPureFunc") {
            TextForm::Ue51
        } else {
            TextForm::Ue55
        };
    }
    let has_full_class = has("ExportPath=/")
        || kinds
            .iter()
            .any(|kind| has(&format!("=/Script/CoreUObject.{kind}'")));
    let is_five = has("bSerializeAsSinglePrecisionFloat") || has("PinCategory=\"real\"");
    if has_full_class || (is_five && has("'\"/")) {
        TextForm::Ue50
    } else if !is_five && (has("'\"/") || has("PinType.bIsWeakPointer") || has("\"float\"")) {
        TextForm::Ue4
    } else {
        TextForm::Ue55
    }
}
