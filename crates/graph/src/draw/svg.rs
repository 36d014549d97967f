//! Pictures as SVG.

use std::fmt::Write;

use super::{
    Form, GAP, HEADER, Look, Picture, PinShape, ROW, Scene, Shape, field_width, text_width, wrapped,
};
use crate::{Direction, Graph};

const MARGIN: i32 = 40;
const HEADING: i32 = 40;

/// Graphs as one SVG document, one below the other, each under its name.
pub fn svg(scene: &Scene<'_>, graphs: &[(String, &Graph)]) -> String {
    let pictures: Vec<Picture> = graphs
        .iter()
        .map(|(name, graph)| Picture::new(scene, name.clone(), graph))
        .collect();
    let mut body = String::new();
    let mut width = 0;
    let mut top = 0;
    for picture in &pictures {
        let [left, upper, right, lower] = picture.bounds();
        let _ = writeln!(
            body,
            "<g transform=\"translate({}, {})\">",
            MARGIN - left,
            top + HEADING + MARGIN - upper
        );
        let _ = writeln!(
            body,
            "<text class=\"name\" x=\"{left}\" y=\"{}\">{}</text>",
            upper - MARGIN,
            escaped(&picture.name)
        );
        draw(&mut body, picture);
        body.push_str("</g>\n");
        width = width.max(right - left + 2 * MARGIN);
        width = width.max(text_width(&picture.name) * 2 + 2 * MARGIN);
        top += lower - upper + HEADING + 2 * MARGIN;
    }
    let title = escaped(scene.blueprint.name.as_str());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{top}\" viewBox=\"0 0 {width} {top}\">\n\
         <title>{title}</title>\n\
         <style>\n\
         text {{ font-family: Roboto, Arial, Helvetica, sans-serif; font-size: 12px; fill: #E0E0E0; }}\n\
         text.name {{ font-size: 20px; fill: #FFFFFF; }}\n\
         text.title {{ font-weight: bold; fill: #FFFFFF; }}\n\
         text.sign {{ font-size: 18px; fill: #A0A0A0; text-anchor: middle; }}\n\
         text.out {{ text-anchor: end; }}\n\
         text.note {{ font-size: 16px; fill: #FFFFFF; }}\n\
         text.bubble {{ fill: #202020; }}\n\
         </style>\n\
         <rect width=\"{width}\" height=\"{top}\" fill=\"#262626\"/>\n{body}</svg>\n"
    )
}

fn draw(out: &mut String, picture: &Picture) {
    let is_comment = |shape: &&Shape| matches!(shape.look, Look::Comment(_));
    for shape in picture.shapes.iter().filter(is_comment) {
        node(out, shape);
    }
    for wire in &picture.wires {
        let [(_, from), (_, to)] = wire.ends(picture);
        let reach = (to.x - from.x).abs().max((to.y - from.y).abs() / 2) / 2;
        let reach = reach.clamp(24, 240);
        let width = if wire.is_exec { "3" } else { "2" };
        let _ = writeln!(
            out,
            "<path d=\"M {} {} C {} {}, {} {}, {} {}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>",
            from.x,
            from.y,
            from.x + reach,
            from.y,
            to.x - reach,
            to.y,
            to.x,
            to.y,
            wire.color
        );
    }
    for shape in picture.shapes.iter().filter(|shape| !is_comment(shape)) {
        node(out, shape);
    }
}

fn node(out: &mut String, shape: &Shape) {
    let Shape {
        x,
        y,
        width,
        height,
        ..
    } = *shape;
    let opacity = if shape.is_disabled {
        " opacity=\"0.4\""
    } else {
        ""
    };
    let _ = writeln!(
        out,
        "<g{opacity}><title>{} ({})</title>",
        escaped(&shape.title),
        escaped(&shape.name)
    );
    match shape.look {
        Look::Comment([r, g, b]) => {
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"rgb({r},{g},{b})\" fill-opacity=\"0.12\" stroke=\"rgb({r},{g},{b})\" stroke-opacity=\"0.5\"/>"
            );
            // Its letters are a third larger than those of pins.
            let lines = wrapped(&shape.title, (width - 16) * 3 / 4);
            let head = (10 + 20 * lines.len() as i32).clamp(HEADER, height);
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{head}\" rx=\"4\" fill=\"rgb({r},{g},{b})\" fill-opacity=\"0.3\"/>"
            );
            for (number, line) in (0..).zip(&lines) {
                text(out, "note", x + 8, y + 21 + 20 * number, line);
            }
        }
        Look::Knot => {
            let color = shape.pins.first().map_or("#FFFFFF", |pin| pin.color);
            let _ = writeln!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"{color}\"/>",
                x + 16,
                y + 12
            );
        }
        Look::Value => {
            let color = shape.pins.first().map_or("#FFFFFF", |pin| pin.color);
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"#151515\" stroke=\"{color}\" stroke-opacity=\"0.6\"/>"
            );
        }
        Look::Sign(sign) => {
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#151515\" stroke=\"#000000\"/>"
            );
            text(out, "sign", x + sign_at(shape), y + height / 2 + 6, sign);
        }
        Look::Titled(color) => {
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#151515\" stroke=\"#000000\"/>"
            );
            let _ = writeln!(
                out,
                "<path d=\"M {x} {} v -{} q 0 -6 6 -6 h {} q 6 0 6 6 v {} z\" fill=\"{color}\"/>",
                y + HEADER,
                HEADER - 6,
                width - 12,
                HEADER - 6
            );
            text(out, "title", x + 12, y + 20, &shape.title);
        }
    }
    if shape.look != Look::Knot {
        for shown in &shape.pins {
            pin(out, shown);
        }
    }
    if let Some(bubble) = &shape.bubble {
        let line = bubble.lines().next().unwrap_or_default();
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"20\" rx=\"4\" fill=\"#E8E0B8\"/>",
            y - ROW,
            text_width(line) + 12
        );
        text(out, "bubble", x + 6, y - ROW + 14, line);
    }
    out.push_str("</g>\n");
}

/// The middle between the fields on the left and the pins on the right.
fn sign_at(shape: &Shape) -> i32 {
    let inputs = shape
        .pins
        .iter()
        .filter(|pin| pin.direction == Direction::Input);
    let left = inputs
        .map(|pin| pin.x - shape.x + GAP + field_width(pin.default.as_ref()))
        .max()
        .unwrap_or(0);
    i32::midpoint(left, shape.width - 2 * GAP)
}

fn pin(out: &mut String, pin: &PinShape) {
    let PinShape { x, y, color, .. } = *pin;
    let fill = if pin.is_linked { color } else { "#151515" };
    let paint = format!("fill=\"{fill}\" stroke=\"{color}\" stroke-width=\"2\"");
    let _ = match pin.form {
        Form::Exec => writeln!(
            out,
            "<path d=\"M {} {} h 6 l 5 6 l -5 6 h -6 z\" {paint}/>",
            x - 5,
            y - 6
        ),
        Form::One => writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" {paint}/>"),
        Form::Array => writeln!(
            out,
            "<path d=\"M {0} {1} h 10 v 10 h -10 z M {0} {y} h 10 M {x} {1} v 10\" {paint}/>",
            x - 5,
            y - 5
        ),
        Form::Set => writeln!(
            out,
            "<path d=\"M {} {y} l 6 -6 l 6 6 l -6 6 z\" {paint}/>",
            x - 6
        ),
        Form::Map => writeln!(
            out,
            "<path d=\"M {0} {1} h 4 v 10 h -4 z M {2} {1} h 4 v 10 h -4 z\" {paint}/>",
            x - 5,
            y - 5,
            x + 1
        ),
        Form::Delegate => writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" {paint}/>",
            x - 5,
            y - 5
        ),
    };
    if pin.direction == Direction::Output {
        text(out, "out", x - GAP, y + 4, &pin.label);
        return;
    }
    text(out, "in", x + GAP, y + 4, &pin.label);
    if let Some(default) = &pin.default {
        let left = x + GAP + text_width(&pin.label) + 6;
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"18\" rx=\"3\" fill=\"#2E2E2E\" stroke=\"#606060\"/>",
            y - 9,
            field_width(Some(default)) - 8
        );
        text(out, "in", left + 5, y + 4, default);
    }
}

fn text(out: &mut String, class: &str, x: i32, y: i32, text: &str) {
    if !text.is_empty() {
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escaped(text)
        );
    }
}

/// Text that may stand in XML: marks escaped, control characters left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            '\u{FFFE}' | '\u{FFFF}' => {}
            letter => out.push(letter),
        }
    }
    out
}
