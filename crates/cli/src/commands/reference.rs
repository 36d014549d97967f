//! `bpc schema`, `explain`, `opcodes`: reference in the terminal.

use bp_bytecode::Opcode;
use bp_bytecode::verify::Rule;
use bp_diag::Code;
use bp_graph::json;
use bp_reflect::EngineVersion;
use serde_json::json as value;

use crate::args::{NameArgs, SchemaArgs, SchemaName};
use crate::console::Console;
use crate::examples::Example;
use crate::exit::{Exit, Failure, Outcome};

pub(crate) fn schema(args: &SchemaArgs, console: &Console) -> Outcome {
    let text = match args.name {
        SchemaName::Graph => json::schema(),
        SchemaName::Diagnostics => diagnostics_schema(),
    };
    console.stdout.text(&text)?;
    if !text.ends_with('\n') {
        console.stdout.text("\n")?;
    }
    Ok(Exit::Fine)
}

/// The schema of a line of `--message-format json`.
fn diagnostics_schema() -> String {
    let nullable = |ty: &str, text: &str| value!({"type": [ty, "null"], "description": text});
    let position = |text: &str| value!({"type": "integer", "minimum": 0, "description": text});
    let schema = value!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A message of bpc",
        "description": "One line of stderr with --message-format json. Field names are rustc's where it has them.",
        "type": "object",
        "required": ["$message_type", "message", "level", "spans", "children"],
        "properties": {
            "$message_type": {"enum": ["diagnostic", "message"], "description": "A finding about the input, or anything else that is said (run-time warnings, failures, traces)."},
            "message": {"type": "string", "description": "One sentence without final period."},
            "code": {
                "type": ["object", "null"],
                "required": ["code", "name"],
                "properties": {
                    "code": {"type": "string", "pattern": "^(BP\\d{4}|V\\d{3})$", "description": "Stable; `bpc explain` explains it."},
                    "name": {"type": "string"}
                }
            },
            "level": {"enum": ["error", "warning", "note", "trace"]},
            "spans": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["file_name", "byte_start", "byte_end", "line_start", "line_end", "column_start", "column_end", "is_primary", "label"],
                    "properties": {
                        "file_name": {"type": "string"},
                        "byte_start": position("From the start of the text."),
                        "byte_end": position("Exclusive."),
                        "line_start": position("1-based."),
                        "line_end": position("1-based."),
                        "column_start": position("1-based, in characters."),
                        "column_end": position("1-based, in characters, exclusive."),
                        "is_primary": {"type": "boolean"},
                        "label": nullable("string", "Words under the mark.")
                    }
                }
            },
            "children": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["level", "message"],
                    "properties": {"level": {"enum": ["note", "help"]}, "message": {"type": "string"}}
                }
            },
            "blueprint": nullable("string", "Name of the Blueprint."),
            "graph": nullable("string", "Name of the graph."),
            "node": nullable("string", "Title of the node as the editor shows it."),
            "node_name": nullable("string", "Object name or JSON id of the node."),
            "pin": nullable("string", "Name of the pin."),
            "stack": {"type": "array", "description": "Of a run-time warning: running functions, innermost first."}
        }
    });
    format!("{schema:#}")
}

pub(crate) fn explain(args: &NameArgs, console: &Console) -> Outcome {
    let mut text = String::new();
    match &args.name {
        None => {
            for code in Code::ALL {
                let info = code.info();
                text += &format!("{}  {:<7}  {}\n", info.id, severity(*code), info.name);
            }
            for rule in Rule::ALL {
                text += &format!("{:<6}  {:<7}  {}\n", rule.id(), "refused", rule.name());
            }
        }
        Some(name) => {
            if let Some(code) = Code::parse(name) {
                let info = code.info();
                text += &format!(
                    "{} {} ({})\n\n{}\n",
                    info.id,
                    info.name,
                    severity(code),
                    wrapped(info.cause)
                );
                for example in Example::of(code) {
                    text += &format!("\nExample:\n{}", example.text());
                }
                text += &format!("\nCure: {}\n", wrapped(info.cure));
            } else if let Some(rule) = Rule::ALL
                .iter()
                .find(|rule| rule.id().eq_ignore_ascii_case(name))
            {
                let explanation = format!(
                    "A rule of the verifier: {}. A package that breaks it is not run (exit code 3). What \
                     usually helps: {}.",
                    rule.asks(),
                    rule.way_out()
                );
                text += &format!(
                    "{} {}\n\n{}\n",
                    rule.id(),
                    rule.name(),
                    wrapped(&explanation)
                );
            } else {
                return Err(Failure::usage(format!(
                    "there is no code {name}; bpc explain lists them"
                )));
            }
        }
    }
    console.stdout.text(&text)?;
    Ok(Exit::Fine)
}

fn severity(code: Code) -> String {
    format!("{:?}", code.info().severity).to_lowercase()
}

/// Lines of at most 90 letters.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 90 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out += word;
        width += length;
    }
    out
}

pub(crate) fn opcodes(args: &NameArgs, console: &Console) -> Outcome {
    let mut text = String::new();
    let Some(name) = &args.name else {
        for op in Opcode::ALL {
            let row = op.row();
            let since = if row.since > EngineVersion::OLDEST {
                row.since.to_string()
            } else {
                String::new()
            };
            text += &format!(
                "0x{:02X}  {:<34}  {since:<4}  {}\n",
                op.byte(),
                op.name(),
                row.effect
            );
        }
        console.stdout.text(&text)?;
        return Ok(Exit::Fine);
    };
    let byte = name
        .strip_prefix("0x")
        .or_else(|| name.strip_prefix("0X"))
        .and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let Some(op) = byte
        .and_then(Opcode::from_byte)
        .or_else(|| Opcode::parse(name))
    else {
        return Err(Failure::usage(format!(
            "there is no opcode {name}; bpc opcodes lists them"
        )));
    };
    let row = op.row();
    let operands: Vec<String> = row
        .operands
        .iter()
        .map(|kind| format!("{kind:?}"))
        .collect();
    let operands = if operands.is_empty() {
        "none".to_owned()
    } else {
        operands.join(", ")
    };
    text += &format!(
        "{} (0x{:02X})\n\n{}\n\n",
        op.name(),
        op.byte(),
        wrapped(row.effect)
    );
    text += &format!("operands  {operands}\nstands as {:?}\n", row.role);
    if row.since > EngineVersion::OLDEST {
        text += &format!("since     {}\n", row.since);
    } else {
        text += &format!("since     {} or before\n", EngineVersion::OLDEST);
    }
    console.stdout.text(&text)?;
    Ok(Exit::Fine)
}
