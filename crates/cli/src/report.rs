//! What goes to stderr, in the form asked for.

use std::io;

use bp_bytecode::verify::VerifyError;
use bp_diag::{Diagnostics, Severity, Sources, render};
use serde_json::{Value, json};

use crate::console::{Console, Stream};

/// Forms of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum MessageFormat {
    /// Source excerpt, place, facts and hint
    #[default]
    Human,
    /// One line a message
    Short,
    /// One JSON object a line, with rustc's field names plus graph, node and pin
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// If stderr is a terminal and the environment does not forbid it
    #[default]
    Auto,
    /// Always, whatever the environment says
    Always,
    /// Never
    Never,
}

/// Writes messages.
#[derive(Clone)]
pub struct Reporter {
    format: MessageFormat,
    color: bool,
    stderr: Stream,
}

impl Reporter {
    /// A reporter to a console's stderr.
    pub fn new(format: MessageFormat, color: ColorChoice, console: &Console) -> Self {
        let color = match color {
            ColorChoice::Auto => console.is_terminal && !console.no_color,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        Self {
            format,
            color,
            stderr: console.stderr.clone(),
        }
    }

    /// Whether messages are for programs.
    pub fn is_json(&self) -> bool {
        self.format == MessageFormat::Json
    }

    /// Writes findings, and for people how many they were.
    ///
    /// # Errors
    /// stderr fails.
    pub fn diagnostics(&self, diagnostics: &Diagnostics, sources: &Sources) -> io::Result<()> {
        let text = match self.format {
            MessageFormat::Human => {
                render::human(diagnostics, sources, self.color) + &summary(diagnostics)
            }
            MessageFormat::Short => render::short(diagnostics, sources),
            MessageFormat::Json => render::json(diagnostics, sources),
        };
        self.stderr.text(&text)
    }

    /// Writes broken rules of the verifier.
    ///
    /// # Errors
    /// stderr fails.
    pub fn refusals(&self, file: &str, errors: &[VerifyError]) -> io::Result<()> {
        let mut text = String::new();
        let mut explained = Vec::new();
        for error in errors {
            let rule = error.rule;
            let bytes: Vec<String> = error
                .bytes
                .iter()
                .map(|byte| format!("{byte:02X}"))
                .collect();
            let is_cut = bytes.len() == VerifyError::SHOWN;
            let bytes = bytes.join(" ") + if is_cut { " …" } else { "" };
            if self.is_json() {
                let value = json!({
                    "$message_type": "diagnostic",
                    "message": error.message,
                    "code": {"code": rule.id(), "name": rule.name()},
                    "level": "error",
                    "spans": [],
                    "children": [
                        {"level": "note", "message": rule.asks()},
                        {"level": "help", "message": rule.way_out()},
                    ],
                    "file_name": file,
                    "class": error.class.as_ref().map(ToString::to_string),
                    "function": error.function.as_ref().map(ToString::to_string),
                    "offset": error.offset.map(|offset| offset.0),
                    "bytes": bytes,
                });
                text += &format!("{value}\n");
                continue;
            }
            text += &format!("{}: {file}: {error}\n", self.level("error", None));
            if self.format == MessageFormat::Short {
                continue;
            }
            if !bytes.is_empty() {
                text += &format!(" = bytes: {bytes}\n");
            }
            // What a rule asks for is said once.
            if !explained.contains(&rule) {
                explained.push(rule);
                text += &format!(" = rule: {}\n = hint: {}\n", rule.asks(), rule.way_out());
            }
        }
        if self.format == MessageFormat::Human {
            text += &format!(
                "the verifier refuses it: {}\n",
                counted(errors.len(), "error")
            );
        }
        self.stderr.text(&text)
    }

    /// Writes one line: `level: message`.
    ///
    /// # Errors
    /// stderr fails.
    pub fn line(&self, level: &str, message: &str) -> io::Result<()> {
        self.lines(level, message, &[], &Value::Null)
    }

    /// Writes a message and indented lines below it. `more` has further fields for programs.
    ///
    /// # Errors
    /// stderr fails.
    pub fn lines(
        &self,
        level: &str,
        message: &str,
        below: &[String],
        more: &Value,
    ) -> io::Result<()> {
        let text = if self.is_json() {
            let mut value = json!({
                "$message_type": "message", "level": level, "message": message, "code": null,
                "spans": [], "children": [],
            });
            if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
                value.extend(more.clone());
            }
            format!("{value}\n")
        } else {
            let mut text = format!("{}: {message}\n", self.level(level, None));
            for line in below {
                text += &format!("  {line}\n");
            }
            text
        };
        self.stderr.text(&text)
    }

    fn level(&self, level: &str, code: Option<&str>) -> String {
        let code = code.map_or(String::new(), |code| format!("[{code}]"));
        if !self.color {
            return format!("{level}{code}");
        }
        let color = match level {
            "error" => "1;31",
            "warning" => "1;33",
            _ => "1;36",
        };
        format!("\u{1b}[{color}m{level}{code}\u{1b}[0m")
    }
}

/// `2 errors, 1 warning`, as a line; nothing if there are neither.
fn summary(diagnostics: &Diagnostics) -> String {
    let n_warnings = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Warning)
        .count();
    let parts: Vec<String> = [(diagnostics.n_errors(), "error"), (n_warnings, "warning")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| counted(count, word))
        .collect();
    match parts.as_slice() {
        [] => String::new(),
        parts => format!("{}\n", parts.join(", ")),
    }
}

/// `1 error`, `2 errors`.
pub fn counted(count: usize, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}
