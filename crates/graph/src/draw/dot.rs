//! Pictures for Graphviz.

use std::fmt::Write;

use super::{Look, Picture, Scene, Shape};
use crate::{Direction, Graph};

/// Graphs in the DOT language, one `digraph` each. Nodes carry their positions, which `neato` follows;
/// `dot -Kdot` lays them out anew.
pub fn dot(scene: &Scene<'_>, graphs: &[(String, &Graph)]) -> String {
    let mut out = String::new();
    for (name, graph) in graphs {
        let picture = Picture::new(scene, name.clone(), graph);
        let _ = writeln!(out, "digraph {} {{", quoted(&picture.name));
        out.push_str("  graph [layout=neato, inputscale=72, rankdir=LR, splines=true, bgcolor=\"#262626\"];\n");
        out.push_str("  node [shape=record, style=filled, fillcolor=\"#151515\", fontname=\"Arial\", fontsize=10, fontcolor=white];\n");
        for (idx, shape) in picture.shapes.iter().enumerate() {
            node(&mut out, idx, shape);
        }
        for wire in &picture.wires {
            let end = |(shape, pin): (usize, usize), side: &str| match picture.shapes[shape].look {
                Look::Knot => format!("n{shape}"),
                Look::Comment(_) | Look::Value | Look::Sign(_) | Look::Titled(_) => {
                    format!("n{shape}:p{pin}:{side}")
                }
            };
            let width = if wire.is_exec { 2 } else { 1 };
            let _ = writeln!(
                out,
                "  {} -> {} [color=\"{}\", penwidth={width}];",
                end(wire.from, "e"),
                end(wire.to, "w"),
                wire.color
            );
        }
        out.push_str("}\n");
    }
    out
}

fn node(out: &mut String, idx: usize, shape: &Shape) {
    // Positions are those of centres, upwards.
    let at = format!(
        "{},{}!",
        shape.x + shape.width / 2,
        -(shape.y + shape.height / 2)
    );
    let tip = quoted(&shape.name);
    match shape.look {
        Look::Comment([r, g, b]) => {
            let _ = writeln!(
                out,
                "  n{idx} [shape=box, label={}, labelloc=t, fixedsize=true, width={:.2}, height={:.2}, fillcolor=\"#{r:02X}{g:02X}{b:02X}30\", pos=\"{at}\", tooltip={tip}];",
                quoted(&shape.title),
                f64::from(shape.width) / 72.0,
                f64::from(shape.height) / 72.0
            );
        }
        Look::Knot => {
            let color = shape.pins.first().map_or("#FFFFFF", |pin| pin.color);
            let _ = writeln!(
                out,
                "  n{idx} [shape=point, width=0.15, color=\"{color}\", pos=\"{at}\", tooltip={tip}];"
            );
        }
        Look::Value | Look::Sign(_) | Look::Titled(_) => {
            let side = |direction| -> String {
                let pins = shape.pins.iter().enumerate();
                let cells: Vec<String> = pins
                    .filter(|(_, pin)| pin.direction == direction)
                    .map(|(at, pin)| {
                        let value = pin.default.as_ref();
                        let value = value.map_or(String::new(), |value| format!(" = {value}"));
                        format!("<p{at}> {}", cell(&format!("{}{value}", pin.label)))
                    })
                    .collect();
                cells.join("|")
            };
            let color = match shape.look {
                Look::Titled(color) => color,
                Look::Comment(_) | Look::Knot | Look::Value | Look::Sign(_) => "#505050",
            };
            let label = format!(
                "{}|{{{{{}}}|{{{}}}}}",
                cell(&shape.title),
                side(Direction::Input),
                side(Direction::Output)
            );
            // A record's outermost fields stand side by side unless they are in braces.
            let _ = writeln!(
                out,
                "  n{idx} [label=\"{{{}}}\", color=\"{color}\", pos=\"{at}\", tooltip={tip}];",
                label.replace('"', "\\\"")
            );
        }
    }
}

/// Text in a record's field.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if "{}|<>\\ ".contains(letter) {
            out.push('\\');
        }
        out.push(if letter.is_control() { ' ' } else { letter });
    }
    out
}

fn quoted(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
