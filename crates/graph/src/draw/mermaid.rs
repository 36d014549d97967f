//! Pictures for Mermaid, which lays them out itself.

use std::fmt::Write;

use super::{Look, Picture, Scene};
use crate::Graph;

/// Graphs as one Mermaid flowchart, a subgraph each. Thick links are exec links; values are on the links
/// they flow through by the names of their pins. Comments are left out.
pub fn mermaid(scene: &Scene<'_>, graphs: &[(String, &Graph)]) -> String {
    let mut out = String::from("flowchart LR\n");
    let mut colors = Vec::new();
    for (number, (name, graph)) in graphs.iter().enumerate() {
        let picture = Picture::new(scene, name.clone(), graph);
        let _ = writeln!(out, "  subgraph g{number}[\"{}\"]", escaped(&picture.name));
        for (idx, shape) in picture.shapes.iter().enumerate() {
            let id = format!("g{number}n{idx}");
            match shape.look {
                Look::Comment(_) => continue,
                Look::Knot => {
                    let _ = writeln!(out, "    {id}((\" \"))");
                    continue;
                }
                Look::Value => {
                    let _ = writeln!(out, "    {id}([\"{}\"])", escaped(&shape.title));
                    continue;
                }
                Look::Sign(_) | Look::Titled(_) => {}
            }
            let mut label = format!("<b>{}</b>", escaped(&shape.title));
            for pin in &shape.pins {
                if let Some(default) = &pin.default {
                    let _ = write!(label, "<br/>{} = {}", escaped(&pin.label), escaped(default));
                }
            }
            let _ = writeln!(out, "    {id}[\"{label}\"]");
        }
        for wire in &picture.wires {
            let [(_, from), (_, to)] = wire.ends(&picture);
            let names: Vec<&str> = [&from.label, &to.label]
                .into_iter()
                .map(String::as_str)
                .filter(|label| !label.is_empty())
                .collect();
            let arrow = if wire.is_exec { "==>" } else { "-->" };
            let text = match names.as_slice() {
                [] => String::new(),
                [one] => format!("|\"{}\"|", escaped(one)),
                both => format!("|\"{}\"|", escaped(&both.join(" → "))),
            };
            let _ = writeln!(
                out,
                "    g{number}n{} {arrow}{text} g{number}n{}",
                wire.from.0, wire.to.0
            );
            colors.push(wire.color);
        }
        out.push_str("  end\n");
    }
    for (idx, color) in colors.iter().enumerate() {
        // White lines do not show on the usual background.
        let color = if *color == "#FFFFFF" {
            "#808080"
        } else {
            color
        };
        let _ = writeln!(out, "  linkStyle {idx} stroke:{color}");
    }
    out
}

/// Text inside quotes; Mermaid knows character entities without `&`.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("#quot;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '#' => out.push_str("#35;"),
            '`' => out.push_str("#96;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
