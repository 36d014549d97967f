//! Diagnostics as text: for people, for one-line tools and for programs.

use std::borrow::Cow;

use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;
use serde_json::{Value, json};

use crate::{Diagnostic, Diagnostics, Place, Severity, SourceId, Sources, Span};

impl<'a> Files<'a> for Sources {
    type FileId = SourceId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: SourceId) -> Result<&'a str, Error> {
        Ok(&self.file(id).name)
    }

    fn source(&'a self, id: SourceId) -> Result<&'a str, Error> {
        Ok(&self.file(id).text)
    }

    fn line_index(&'a self, id: SourceId, byte_index: usize) -> Result<usize, Error> {
        let text = &*self.file(id).text;
        let end = byte_index.min(text.len());
        Ok(text.as_bytes()[..end]
            .iter()
            .filter(|b| **b == b'\n')
            .count())
    }

    fn line_range(
        &'a self,
        id: SourceId,
        line_index: usize,
    ) -> Result<std::ops::Range<usize>, Error> {
        let text = &*self.file(id).text;
        let mut start = 0;
        for (idx, line) in text.split_inclusive('\n').enumerate() {
            if idx == line_index {
                return Ok(start..start + line.len());
            }
            start += line.len();
        }
        Ok(text.len()..text.len())
    }
}

/// Longest part of a source line shown around a mark. Clipboard lines run to a thousand characters.
const MAX_LINE: usize = 100;

/// Most characters of one sentence of a message, unless it is for programs.
const MAX_WORDS: usize = 400;

/// The rendering for people: message, source excerpt with the mark, place, notes and hint.
/// `color` adds ANSI escapes.
pub fn human(diagnostics: &Diagnostics, sources: &Sources, color: bool) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&human_one(diagnostic, sources, color));
    }
    out
}

fn human_one(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    // A window of the line is rendered, not the line: positions are mapped back to the real file.
    let mut shown = Excerpts::default();
    let mut labels = Vec::new();
    if let Some(span) = diagnostic.span {
        let (file, range) = shown.window(sources, span);
        labels.push(cs::Label::primary(file, range).with_message(clipped(&diagnostic.label)));
    }
    for label in &diagnostic.labels {
        let (file, range) = shown.window(sources, label.span);
        labels.push(cs::Label::secondary(file, range).with_message(clipped(&label.text)));
    }
    let mut notes = Vec::new();
    if let Some(place) = place_line(&diagnostic.place) {
        notes.push(format!("in {place}"));
    }
    notes.extend(
        diagnostic
            .notes
            .iter()
            .map(|note| clipped(note).into_owned()),
    );
    if let Some(hint) = &diagnostic.hint {
        notes.push(format!("hint: {}", clipped(hint)));
    }
    let rendered = cs::Diagnostic::new(match diagnostic.severity {
        Severity::Note => cs::Severity::Note,
        Severity::Warning => cs::Severity::Warning,
        Severity::Error => cs::Severity::Error,
    })
    .with_code(diagnostic.code.info().id)
    .with_message(clipped(&diagnostic.message))
    .with_labels(labels)
    .with_notes(notes);
    let config = term::Config::default();
    let mut text = String::new();
    let written = if color {
        let mut bytes = Vec::new();
        let result = {
            let mut writer = term::termcolor::Ansi::new(&mut bytes);
            term::emit_to_write_style(&mut writer, &config, &shown, &rendered)
        };
        text = String::from_utf8_lossy(&bytes).into_owned();
        result
    } else {
        term::emit_to_string(&mut text, &config, &shown, &rendered)
    };
    if written.is_err() {
        // Only a position outside its file fails; the message itself must not be lost.
        return format!("{}\n", short_one(diagnostic, sources));
    }
    text
}

/// The lines around the marks of one diagnostic, cut to a readable width, with true line numbers.
#[derive(Default)]
struct Excerpts {
    list: Vec<Excerpt>,
}

struct Excerpt {
    name: String,
    text: String,
    first_line: usize,
    first_column: usize,
}

impl Excerpts {
    fn window(&mut self, sources: &Sources, span: Span) -> (usize, std::ops::Range<usize>) {
        let file = sources.file(span.source);
        let text = &*file.text;
        let clamp = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (clamp(span.start as usize), clamp(span.end as usize));
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = end.clamp(start, line_end);
        let mut from = line_start;
        if start - line_start > MAX_LINE / 2 {
            from = clamp(start - MAX_LINE / 3);
        }
        let to = clamp(
            line_end
                .min(from + MAX_LINE)
                .max(end.min(from + 4 * MAX_LINE)),
        );
        let end = end.min(to);
        let (line, column) = sources.line_column(span.source, from as u32);
        let cut_front = from > line_start;
        let mut shown = String::new();
        if cut_front {
            shown.push('…');
        }
        let lead = shown.len();
        shown.push_str(&text[from..to]);
        if to < line_end {
            shown.push('…');
        }
        self.list.push(Excerpt {
            name: file.name.clone(),
            text: shown,
            first_line: line,
            first_column: if cut_front { column - 1 } else { column },
        });
        (self.list.len() - 1, start - from + lead..end - from + lead)
    }
}

impl<'a> Files<'a> for Excerpts {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.list[id].name)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.list[id].text)
    }

    fn line_index(&'a self, _: usize, _: usize) -> Result<usize, Error> {
        Ok(0)
    }

    fn line_number(&'a self, id: usize, line_index: usize) -> Result<usize, Error> {
        Ok(self.list[id].first_line + line_index)
    }

    fn column_number(&'a self, id: usize, _: usize, byte_index: usize) -> Result<usize, Error> {
        let excerpt = &self.list[id];
        let at = byte_index.min(excerpt.text.len());
        Ok(excerpt.first_column + excerpt.text[..at].chars().count())
    }

    fn line_range(&'a self, id: usize, _: usize) -> Result<std::ops::Range<usize>, Error> {
        Ok(0..self.list[id].text.len())
    }
}

fn place_line(place: &Place) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(pin) = &place.pin {
        parts.push(format!("pin `{pin}`"));
    }
    match (&place.node, &place.node_name) {
        (Some(title), Some(name)) if title != name => {
            parts.push(format!("node “{title}” ({name})"));
        }
        (Some(one), _) | (None, Some(one)) => parts.push(format!("node “{one}”")),
        (None, None) => {}
    }
    if let Some(graph) = &place.graph {
        parts.push(format!("graph {graph}"));
    }
    if let Some(blueprint) = &place.blueprint {
        parts.push(blueprint.clone());
    }
    (!parts.is_empty()).then(|| clipped(&parts.join(", ")).into_owned())
}

/// One line a finding: `file:line:col: error[BP0207]: message (node “Set Health”, graph Foo)`.
pub fn short(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&short_one(diagnostic, sources));
        out.push('\n');
    }
    out
}

fn short_one(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let severity = severity_word(diagnostic.severity);
    let at = diagnostic.span.map_or(String::new(), |span| {
        let (line, column) = sources.line_column(span.source, span.start);
        format!("{}:{line}:{column}: ", sources.file(span.source).name)
    });
    let place = place_line(&diagnostic.place).map_or(String::new(), |place| format!(" ({place})"));
    format!(
        "{at}{severity}[{}]: {}{place}",
        diagnostic.code,
        clipped(&diagnostic.message)
    )
}

/// Words that quote the input are as long as the input; what no person reads is cut.
fn clipped(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_WORDS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// One JSON object a line, with rustc's field names plus `blueprint`, `graph`, `node`, `pin`.
pub fn json(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let span = |span: Span, primary: bool, label: &str| -> Value {
            let (line_start, column_start) = sources.line_column(span.source, span.start);
            let (line_end, column_end) = sources.line_column(span.source, span.end);
            json!({
                "file_name": sources.file(span.source).name,
                "byte_start": span.start, "byte_end": span.end,
                "line_start": line_start, "line_end": line_end,
                "column_start": column_start, "column_end": column_end,
                "is_primary": primary,
                "label": if label.is_empty() { Value::Null } else { Value::from(label) },
            })
        };
        let mut spans = Vec::new();
        if let Some(primary) = diagnostic.span {
            spans.push(span(primary, true, &diagnostic.label));
        }
        for label in &diagnostic.labels {
            spans.push(span(label.span, false, &label.text));
        }
        let child = |level: &str, message: &str| json!({"level": level, "message": message, "spans": [], "children": []});
        let mut children: Vec<Value> = diagnostic.notes.iter().map(|n| child("note", n)).collect();
        if let Some(hint) = &diagnostic.hint {
            children.push(child("help", hint));
        }
        let place = &diagnostic.place;
        let value = json!({
            "$message_type": "diagnostic",
            "message": diagnostic.message,
            "code": {"code": diagnostic.code.info().id, "name": diagnostic.code.info().name},
            "level": severity_word(diagnostic.severity),
            "spans": spans,
            "children": children,
            "blueprint": place.blueprint, "graph": place.graph,
            "node": place.node, "node_name": place.node_name, "pin": place.pin,
        });
        out.push_str(&value.to_string());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    fn sample() -> (Diagnostics, Sources) {
        let mut sources = Sources::default();
        let id = sources.add("door.json", "{\n  \"nmae\": 1\n}\n");
        let mut list = Diagnostics::new();
        list.push(
            Diagnostic::new(Code::UnknownKey, "unknown key `nmae`")
                .at(Span::new(id, 4..10))
                .label("no such key")
                .hint("did you mean `name`?"),
        );
        (list, sources)
    }

    #[test]
    fn human_marks_the_bytes_and_ends_with_the_way_out() {
        let (list, sources) = sample();
        assert_eq!(
            human(&list, &sources, false),
            "error[BP0003]: unknown key `nmae`\n  ┌─ door.json:2:3\n  │\n2 │   \"nmae\": 1\n  │   ^^^^^^ no such key\n  │\n  = hint: did you mean `name`?\n\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark_and_keeps_its_true_column() {
        let mut sources = Sources::default();
        let text = format!("{}XY{}", "a".repeat(500), "b".repeat(500));
        let id = sources.add("t.t3d", text);
        let mut list = Diagnostics::new();
        list.push(Diagnostic::new(Code::T3dSyntax, "bad").at(Span::new(id, 500..502)));
        let out = human(&list, &sources, false);
        assert!(out.contains("t.t3d:1:501"), "{out}");
        assert!(out.lines().all(|line| line.chars().count() < 130), "{out}");
    }

    #[test]
    fn short_and_json_name_the_same_place() {
        let (list, sources) = sample();
        assert_eq!(
            short(&list, &sources),
            "door.json:2:3: error[BP0003]: unknown key `nmae`\n"
        );
        let value: Value =
            serde_json::from_str(json(&list, &sources).trim()).expect("one object a line");
        assert_eq!(value["spans"][0]["line_start"], 2);
        assert_eq!(value["code"]["code"], "BP0003");
    }

    #[test]
    fn ids_and_names_of_codes_are_unique_and_in_order() {
        let ids: Vec<_> = Code::ALL.iter().map(|code| code.info().id).collect();
        assert!(ids.is_sorted() && ids.windows(2).all(|pair| pair[0] != pair[1]));
        for code in Code::ALL {
            assert_eq!(Code::parse(code.info().name), Some(*code));
        }
    }
}
