//! Graphs as pictures: [`svg`], [`dot`] and [`mermaid`].
//!
//! In: a [`Blueprint`], one or several of its graphs and the [`Registry`] that node titles are looked up in.
//! Out: text, the same for the same graph on every machine.
//!
//! [`Picture`] says what is seen and where: nodes at the positions of the graph, with the titles, pin names
//! and defaults of the editor and the pin colours of its default settings. How large the editor draws a
//! node is stored only for comments; other sizes are estimated from their texts. Nodes that have no
//! positions are put in columns along their links.

mod compact;
mod dot;
mod mermaid;
mod palette;
mod place;
mod svg;

pub use dot::dot;
pub use mermaid::mermaid;
pub use svg::svg;

use std::collections::HashMap;

use bp_reflect::{Registry, TextValue};

use crate::nodes::{MacroLibrary, display_name};
use crate::outline::context;
use crate::{
    Blueprint, Container, Direction, EnabledState, Graph, Node, NodeId, Pin, PinCategory, PinFlags,
    PinId, PropertyValue,
};

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The Blueprint the graphs belong to.
    pub blueprint: &'a Blueprint,
    /// Everything declared, for titles.
    pub registry: &'a Registry,
}

/// A graph with the graphs of its collapsed nodes behind it, outer ones first, each with the name that
/// tells where it is: `EventGraph`, `EventGraph / Open`.
pub fn with_children(graph: &Graph) -> Vec<(String, &Graph)> {
    let mut out = vec![(graph.name.to_string(), graph)];
    for child in &graph.children {
        let inner = with_children(child);
        out.extend(
            inner
                .into_iter()
                .map(|(name, child)| (format!("{} / {name}", graph.name), child)),
        );
    }
    out
}

/// A graph laid out. Units are those of the graph, which are pixels of the editor at its normal size.
pub(crate) struct Picture {
    /// The graph's name.
    pub(crate) name: String,
    /// Comments first, largest first, so that what they surround lies over them.
    pub(crate) shapes: Vec<Shape>,
    /// In the order of the nodes and pins they start from.
    pub(crate) wires: Vec<Wire>,
}

/// A node laid out.
pub(crate) struct Shape {
    pub(crate) node: NodeId,
    /// Its object name.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) look: Look,
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// Those that the editor shows, in its order.
    pub(crate) pins: Vec<PinShape>,
    /// The author's comment on it, above the node.
    pub(crate) bubble: Option<String>,
    pub(crate) is_disabled: bool,
}

/// What sort of thing a node is to the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// A box of the colour (sRGB) around other nodes.
    Comment([u8; 3]),
    /// A point that wires run through.
    Knot,
    /// A value without title bar.
    Value,
    /// A box with a sign in its middle.
    Sign(&'static str),
    /// A box with a title bar of the colour.
    Titled(&'static str),
}

/// A pin laid out; the place is where wires end.
pub(crate) struct PinShape {
    pub(crate) pin: PinId,
    pub(crate) label: String,
    pub(crate) direction: Direction,
    pub(crate) form: Form,
    pub(crate) color: &'static str,
    pub(crate) is_linked: bool,
    /// The delegate of an event, which stands in its title bar.
    pub(crate) is_corner: bool,
    /// Of an unlinked input: its value.
    pub(crate) default: Option<String>,
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// What a pin looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Exec,
    One,
    Array,
    Set,
    Map,
    Delegate,
}

/// A link between two shown pins, from an output to an input.
pub(crate) struct Wire {
    /// Index of a shape and of its pin.
    pub(crate) from: (usize, usize),
    pub(crate) to: (usize, usize),
    pub(crate) color: &'static str,
    pub(crate) is_exec: bool,
}

impl Wire {
    pub(crate) fn ends<'a>(&self, picture: &'a Picture) -> [(&'a Shape, &'a PinShape); 2] {
        [self.from, self.to].map(|(shape, pin)| {
            let shape = &picture.shapes[shape];
            (shape, &shape.pins[pin])
        })
    }
}

const HEADER: i32 = 30;
const ROW: i32 = 24;
/// From the side of a node to the middle of a pin.
const INSET: i32 = 14;
/// From the middle of a pin to its name.
const GAP: i32 = 12;

impl Picture {
    pub(crate) fn new(scene: &Scene<'_>, name: String, graph: &Graph) -> Self {
        let mut shapes: Vec<Shape> = graph
            .nodes
            .iter()
            .map(|(id, node)| shape(scene, graph, id, node))
            .collect();
        place::spread(graph, &mut shapes);
        for shape in &mut shapes {
            settle(shape);
        }
        shapes.sort_by_key(|shape| match shape.look {
            Look::Comment(_) => (false, -(i64::from(shape.width) * i64::from(shape.height))),
            Look::Knot | Look::Value | Look::Sign(_) | Look::Titled(_) => (true, 0),
        });
        let places: HashMap<PinId, (usize, usize)> = shapes
            .iter()
            .enumerate()
            .flat_map(|(idx, shape)| {
                let pins = shape.pins.iter().enumerate();
                pins.map(move |(at, shown)| (shown.pin, (idx, at)))
            })
            .collect();
        let mut wires = Vec::new();
        for (from_shape, shape) in shapes.iter().enumerate() {
            for (from_pin, shown) in shape.pins.iter().enumerate() {
                if shown.direction == Direction::Input {
                    continue;
                }
                for other in &graph.pins[shown.pin].links {
                    if let Some(to) = places.get(other) {
                        wires.push(Wire {
                            from: (from_shape, from_pin),
                            to: *to,
                            color: shown.color,
                            is_exec: shown.form == Form::Exec,
                        });
                    }
                }
            }
        }
        Self {
            name,
            shapes,
            wires,
        }
    }

    /// Left, top, right and bottom of all there is.
    pub(crate) fn bounds(&self) -> [i32; 4] {
        let mut bounds: Option<[i32; 4]> = None;
        for shape in &self.shapes {
            let top = shape.y - if shape.bubble.is_some() { ROW } else { 0 };
            let own = [
                shape.x,
                top,
                shape.x.saturating_add(shape.width),
                shape.y.saturating_add(shape.height),
            ];
            bounds = Some(bounds.map_or(own, |all| {
                [
                    all[0].min(own[0]),
                    all[1].min(own[1]),
                    all[2].max(own[2]),
                    all[3].max(own[3]),
                ]
            }));
        }
        bounds.unwrap_or_default()
    }
}

fn shape(scene: &Scene<'_>, graph: &Graph, id: NodeId, node: &Node) -> Shape {
    let cx = context(
        scene.blueprint,
        graph,
        scene.registry,
        MacroLibrary::default(),
    );
    let look = look(graph, id, node);
    let title = crate::nodes::title(node, &cx);
    let is_open = node.properties.text("AdvancedPinDisplay") == Some("Shown");
    let pins: Vec<PinShape> = graph
        .pins_of(id)
        .filter(|(_, pin)| is_shown(pin, is_open))
        .map(|(id, pin)| pin_shape(graph, id, pin, look))
        .collect();
    let (width, height) = match look {
        Look::Comment(_) => {
            let side = |key, usual| i32::try_from(node.properties.int(key).unwrap_or(usual));
            (
                side("NodeWidth", 400).unwrap_or(400).max(32),
                side("NodeHeight", 100).unwrap_or(100).max(HEADER),
            )
        }
        Look::Knot => (32, 24),
        Look::Value | Look::Sign(_) | Look::Titled(_) => size(&title, look, &pins),
    };
    Shape {
        node: id,
        name: node.name.to_string(),
        title,
        look,
        // Positions of damaged files must not overflow sums.
        x: node.at.0.clamp(-1_000_000, 1_000_000),
        y: node.at.1.clamp(-1_000_000, 1_000_000),
        width,
        height,
        pins,
        bubble: node.comment.clone().filter(|_| !node.is_comment()),
        is_disabled: node.enabled == EnabledState::Disabled,
    }
}

fn is_shown(pin: &Pin, is_open: bool) -> bool {
    let is_folded = pin.flags.contains(PinFlags::ADVANCED) && !is_open && pin.links.is_empty();
    !pin.flags.contains(PinFlags::HIDDEN) && !pin.is_split() && !is_folded
}

/// Source of the colours: the editor's default settings.
fn look(graph: &Graph, id: NodeId, node: &Node) -> Look {
    let class = node.short_class();
    if node.is_comment() {
        return Look::Comment(comment_color(node));
    }
    if class == "Knot" {
        return Look::Knot;
    }
    if let Some(sign) = compact::sign(node) {
        return Look::Sign(sign);
    }
    let has_exec = |direction| {
        graph
            .pins_of(id)
            .any(|(_, pin)| pin.is_exec() && pin.direction == direction)
    };
    let (into, out) = (has_exec(Direction::Input), has_exec(Direction::Output));
    let is_flow = class.starts_with("Switch")
        || matches!(
            class,
            "IfThenElse"
                | "ExecutionSequence"
                | "MultiGate"
                | "DoOnceMultiInput"
                | "MacroInstance"
                | "Composite"
                | "ForEachElementInEnum"
        );
    Look::Titled(match class {
        "VariableGet" | "Self" | "TemporaryVariable" if !into && !out => return Look::Value,
        "FunctionEntry" | "FunctionResult" | "Tunnel" => "#5B2A86",
        _ if is_flow => "#5A5A5A",
        _ if class.ends_with("DynamicCast") => "#1A6B6B",
        _ if !into && out => "#8E1B14",
        _ if into => "#1E4F7A",
        _ => "#3A6B3A",
    })
}

fn comment_color(node: &Node) -> [u8; 3] {
    let part = |key: &str| {
        let color = node.properties.get("CommentColor")?;
        color.get(key).and_then(PropertyValue::as_str)?.parse().ok()
    };
    match (part("R"), part("G"), part("B")) {
        (Some(r), Some(g), Some(b)) => [r, g, b].map(palette::encoded),
        _ => [255, 255, 255],
    }
}

fn pin_shape(graph: &Graph, id: PinId, pin: &Pin, look: Look) -> PinShape {
    let form = match (pin.ty.category, &pin.ty.container) {
        (PinCategory::Exec, _) => Form::Exec,
        (_, Container::Array) => Form::Array,
        (_, Container::Set) => Form::Set,
        (_, Container::Map(_)) => Form::Map,
        (PinCategory::Delegate, _) => Form::Delegate,
        (_, Container::None) => Form::One,
    };
    let has_field = pin.is_input()
        && pin.links.is_empty()
        && matches!(form, Form::One | Form::Delegate)
        && pin.name != "self"
        && !pin.ty.is_reference
        && !pin.flags.contains(PinFlags::DEFAULT_IGNORED);
    let is_value = look == Look::Value;
    PinShape {
        pin: id,
        label: if matches!(look, Look::Knot | Look::Sign(_)) {
            String::new()
        } else {
            label(graph, pin, is_value)
        },
        direction: pin.direction,
        form,
        color: palette::color(&pin.ty),
        is_linked: !pin.links.is_empty(),
        is_corner: pin.name == "OutputDelegate",
        default: has_field.then(|| default_text(pin)).flatten(),
        x: 0,
        y: 0,
    }
}

/// What stands beside a pin.
fn label(graph: &Graph, pin: &Pin, is_value: bool) -> String {
    let name = pin.name.as_str();
    // The last quoted string of a text macro is what is shown.
    let friendly = pin.friendly_name.as_deref().map(|text| {
        let quoted = text.trim_end_matches(')').rsplit('"').nth(1);
        quoted.unwrap_or(text).trim().to_owned()
    });
    let is_bool = pin.ty.category == PinCategory::Bool;
    if let Some(shown) = friendly.filter(|shown| !shown.is_empty()) {
        return display_name(&shown, is_bool);
    }
    let class = graph.nodes[pin.node].short_class();
    match name {
        _ if pin.name.is_none() => String::new(),
        "execute" | "then" if pin.is_exec() => match class {
            "IfThenElse" if name == "then" => "True".to_owned(),
            _ => String::new(),
        },
        "else" if class == "IfThenElse" => "False".to_owned(),
        "Output_Get" | "OutputDelegate" => String::new(),
        "self" if is_value => "Self".to_owned(),
        "self" => "Target".to_owned(),
        _ => display_name(name, is_bool),
    }
}

/// The value of an unlinked input as its field shows it, long ones cut.
fn default_text(pin: &Pin) -> Option<String> {
    const LONGEST: usize = 28;
    let default = &pin.default;
    let text = match (&default.object, &default.text) {
        (Some(object), _) => object.name().to_owned(),
        (None, Some(text)) => match text {
            TextValue::Empty => String::new(),
            TextValue::Localized { source, .. } => source.to_string(),
            TextValue::Invariant(text) => text.to_string(),
            TextValue::StringTable { key, .. } => key.to_string(),
        },
        (None, None) => default.value.clone(),
    };
    let is_textual = matches!(
        pin.ty.category,
        PinCategory::String | PinCategory::Text | PinCategory::Name
    );
    if text.is_empty() && !is_textual {
        return None;
    }
    let text = text.replace(['\n', '\r', '\t'], " ");
    if text.chars().count() <= LONGEST {
        return Some(text);
    }
    let mut cut: String = text.chars().take(LONGEST - 1).collect();
    cut.push('…');
    Some(cut)
}

/// Width of a text of the size that pins are named in, estimated for common sans-serif fonts.
pub(crate) fn text_width(text: &str) -> i32 {
    let tenths: i32 = text
        .chars()
        .map(|letter| match letter {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 34,
            'f' | 't' | 'r' | '(' | ')' | '[' | ']' | ' ' | '-' | '/' => 43,
            'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 108,
            'A'..='Z' | '0'..='9' | '_' | '+' | '=' | '<' | '>' | '#' => 78,
            letter if letter.is_ascii() => 68,
            _ => 120,
        })
        .sum();
    tenths / 10 + 1
}

/// Text in lines of at most `width`; a longer word has a line of its own.
pub(crate) fn wrapped(text: &str, width: i32) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && text_width(&line) + text_width(word) + 4 > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Width of a default's field with what is around it.
fn field_width(default: Option<&String>) -> i32 {
    default.map_or(0, |text| text_width(text).max(16) + 18)
}

fn size(title: &str, look: Look, pins: &[PinShape]) -> (i32, i32) {
    let side = |direction| {
        let pins = pins.iter().filter(move |pin| {
            pin.direction == direction && !(pin.is_corner && matches!(look, Look::Titled(_)))
        });
        let widths = pins.map(|pin| {
            let label = text_width(&pin.label);
            INSET + GAP + label + field_width(pin.default.as_ref())
        });
        (widths.clone().max().unwrap_or(0), widths.count() as i32)
    };
    let (left, n_left) = side(Direction::Input);
    let (right, n_right) = side(Direction::Output);
    let rows = n_left.max(n_right).max(1);
    let (head, least, middle) = match look {
        Look::Titled(_) => (HEADER, 96, 20),
        // Signs are large.
        Look::Sign(sign) => (0, 64, text_width(sign) * 3 / 2 + 12),
        Look::Value | Look::Knot | Look::Comment(_) => (0, 48, 20),
    };
    let has_corner = pins.iter().any(|pin| pin.is_corner);
    // Titles are bold.
    let title = match (head, has_corner) {
        (0, _) => 0,
        (_, true) => text_width(title) * 6 / 5 + 44,
        (_, false) => text_width(title) * 6 / 5 + 28,
    };
    let width = (left + right + middle).max(title).max(least);
    ((width + 7) / 8 * 8, head + rows * ROW + 8)
}

/// Gives the pins their places, now that their node has its own.
fn settle(shape: &mut Shape) {
    let head = match shape.look {
        Look::Titled(_) => HEADER,
        Look::Value | Look::Sign(_) | Look::Knot | Look::Comment(_) => 0,
    };
    let (x, y, width) = (shape.x, shape.y, shape.width);
    let is_knot = shape.look == Look::Knot;
    let mut rows = [0, 0];
    for pin in &mut shape.pins {
        let is_input = pin.direction == Direction::Input;
        if is_knot {
            (pin.x, pin.y) = (x + 16, y + 12);
            continue;
        }
        if pin.is_corner && head > 0 {
            (pin.x, pin.y) = (x + width - INSET, y + HEADER / 2);
            continue;
        }
        let row = &mut rows[usize::from(is_input)];
        pin.x = if is_input {
            x + INSET
        } else {
            x + width - INSET
        };
        pin.y = y + head + 4 + *row * ROW + ROW / 2;
        *row += 1;
    }
}
