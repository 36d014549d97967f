//! Values to objects: `Begin Object` to `End Object`, declared and filled in, nested in each other.

use std::borrow::Cow;
use std::ops::Range;

use bp_diag::{Code, Diagnostic, Diagnostics, SourceId, Span};
use rustc_hash::FxHashMap;

use super::clean::Cleaned;
use super::lex::{Kind, LexError, LexErrorKind, Lexer, MAX_DEPTH, Value};

/// After so many syntax errors the rest of a text is read in silence.
const MAX_ERRORS: usize = 50;

/// What a text holds.
#[derive(Default)]
pub(super) struct Document<'a> {
    /// Objects that no other holds, in order.
    pub(super) objects: Vec<Object<'a>>,
    /// Lists behind `BPVar`.
    pub(super) variables: Vec<Value<'a>>,
    /// Lists behind `BPGraph`.
    pub(super) graphs: Vec<Value<'a>>,
}

/// An object: what all its `Begin Object` blocks say together.
#[derive(Default)]
pub(super) struct Object<'a> {
    /// Class as written, with or without package.
    pub(super) class: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    /// Its full path, without the class.
    pub(super) path: Option<Cow<'a, str>>,
    /// From `Begin` to the end of its name.
    pub(super) header: Range<usize>,
    /// Property lines in order.
    pub(super) properties: Vec<Property<'a>>,
    /// Lists behind `CustomProperties` with the word between, in order.
    pub(super) custom: Vec<(&'a str, Value<'a>)>,
    /// Objects inside, in the order of their declarations.
    pub(super) children: Vec<Object<'a>>,
    /// Index of each child by its name in lower case.
    by_name: FxHashMap<String, usize>,
    /// Whether the text ends inside.
    pub(super) is_cut: bool,
}

/// A property line.
pub(super) struct Property<'a> {
    pub(super) key: &'a str,
    /// Of `Key(3)=`: 3.
    pub(super) index: Option<usize>,
    pub(super) value: Value<'a>,
    /// Key and value.
    pub(super) range: Range<usize>,
}

impl Object<'_> {
    /// The class without package.
    pub(super) fn class_name(&self) -> &str {
        self.class
            .rsplit_once('.')
            .map_or(&*self.class, |(_, name)| name)
    }

    /// Whether it is a graph.
    pub(super) fn is_graph(&self) -> bool {
        let class = self.class_name();
        class == "EdGraph" || (class.starts_with("Animation") && class.ends_with("Graph"))
    }

    /// Whether it is a pin of the old layout.
    pub(super) fn is_pin(&self) -> bool {
        self.class_name() == "EdGraphPin"
    }

    fn is_k2_node(&self) -> bool {
        self.class_name().contains("K2Node_")
    }
}

/// Turns places of one cleaned text into spans and findings.
pub(super) struct Reporter<'c, 'a> {
    pub(super) source: SourceId,
    pub(super) cleaned: &'c Cleaned<'a>,
    pub(super) diagnostics: Diagnostics,
    n_syntax: usize,
}

impl<'c, 'a> Reporter<'c, 'a> {
    pub(super) fn new(source: SourceId, cleaned: &'c Cleaned<'a>) -> Self {
        Self {
            source,
            cleaned,
            diagnostics: Diagnostics::new(),
            n_syntax: 0,
        }
    }

    pub(super) fn span(&self, range: &Range<usize>) -> Span {
        let start = self.cleaned.source_offset(range.start);
        // The last byte is asked for, since what follows may come from elsewhere.
        let end = match range.end.checked_sub(1) {
            Some(last) if last >= range.start => self.cleaned.source_offset(last) + 1,
            _ => start,
        };
        Span::new(self.source, start..end)
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a mistake in the form of the text, if there were not too many already.
    pub(super) fn syntax(&mut self, diagnostic: Diagnostic) {
        self.n_syntax += 1;
        if self.n_syntax <= MAX_ERRORS {
            self.push(diagnostic);
        } else if self.n_syntax == MAX_ERRORS + 1 {
            let span = diagnostic.span;
            self.push(
                Diagnostic::new(
                    Code::T3dSyntax,
                    format!("more than {MAX_ERRORS} mistakes; the rest are not shown"),
                )
                .at(span),
            );
        }
    }
}

/// Reads the objects of a text.
pub(super) fn parse<'t>(text: &'t str, reporter: &mut Reporter<'_, '_>) -> Document<'t> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        reporter,
        document: Document::default(),
        open: Vec::new(),
        n_too_deep: 0,
        is_cut: false,
    };
    parser.run();
    parser.document
}

struct Parser<'t, 'r, 'c, 'a> {
    lexer: Lexer<'t>,
    reporter: &'r mut Reporter<'c, 'a>,
    document: Document<'t>,
    /// Objects that are not ended, outermost first, with their place among the children of the one
    /// before when they were declared there earlier.
    open: Vec<(Object<'t>, Option<usize>)>,
    /// How many further objects are open beyond the limit.
    n_too_deep: usize,
    is_cut: bool,
}

impl<'t> Parser<'t, '_, '_, '_> {
    fn run(&mut self) {
        loop {
            self.lexer.skip_to_statement();
            if self.lexer.is_at_end() {
                break;
            }
            self.statement();
        }
        self.end_of_text();
    }

    fn statement(&mut self) {
        let start = self.lexer.at();
        if self.lexer.take_words(&["Begin", "Object"]) {
            self.begin(start);
        } else if self.lexer.take_words(&["End", "Object"]) {
            self.end(start);
        } else if self.open.is_empty() {
            self.outside(start);
        } else if self.lexer.take_words(&["CustomProperties"]) {
            self.custom_properties(start);
        } else if let Some((key, index)) = self.lexer.take_key() {
            self.property(start, key, index);
        } else {
            self.junk(start);
        }
    }

    fn begin(&mut self, start: usize) {
        let mut object = Object::default();
        let mut end = self.lexer.at();
        loop {
            self.lexer.skip_spaces();
            let before = self.lexer.at();
            if !["Class", "Name", "ExportPath", "Archetype", "ObjName"]
                .iter()
                .any(|key| self.lexer.looks_at_key(key))
            {
                break;
            }
            let Some((key, _)) = self.lexer.take_key() else {
                break;
            };
            let value = match self.lexer.line_value() {
                Ok(value) => value,
                Err(error) => {
                    self.lex_error(&error, "the header of an object");
                    break;
                }
            };
            match &*key.to_ascii_lowercase() {
                "class" => object.class = value.text(),
                "name" => {
                    object.name = value.text();
                    end = value.range.end;
                }
                "exportpath" => {
                    object.path = Some(match value.kind {
                        Kind::Object { path, .. } => Cow::Borrowed(path),
                        Kind::String(_) | Kind::Word(_) | Kind::Text(_) | Kind::Tuple(_) => value
                            .path()
                            .map_or(Cow::Borrowed(""), |path| path.as_str().to_owned().into()),
                    });
                    if object.class.is_empty() {
                        object.class = value.reference_class().unwrap_or_default();
                    }
                }
                _ => {}
            }
            debug_assert!(self.lexer.at() > before, "a key is never empty");
        }
        end = end.max(start + "Begin".len());
        object.header = start..end;

        // A node lies in a graph, never in a node: the one before was cut off.
        let is_unended = self.n_too_deep == 0
            && object.is_k2_node()
            && self
                .open
                .last()
                .is_some_and(|(outer, _)| outer.is_k2_node());
        if is_unended {
            let header = self.open.last().map(|(outer, _)| outer.header.clone());
            let span = self.reporter.span(&object.header);
            let mut diagnostic = Diagnostic::new(
                Code::T3dTruncated,
                "a node begins before the one before it has ended",
            )
            .at(span)
            .label("the text before this was cut");
            if let Some(header) = header {
                diagnostic = diagnostic.also(self.reporter.span(&header), "this node has no end");
            }
            self.reporter.syntax(diagnostic);
            self.close(true);
        }

        if self.open.len() >= MAX_DEPTH {
            if self.n_too_deep == 0 {
                let span = self.reporter.span(&object.header);
                self.reporter.syntax(
                    Diagnostic::new(
                        Code::TooDeep,
                        format!("objects are nested more than {MAX_DEPTH} deep"),
                    )
                    .at(span),
                );
            }
            self.n_too_deep += 1;
            return;
        }

        // `Begin Object Name=…` of a declared child goes on with it.
        let declared = self.open.last_mut().and_then(|(outer, _)| {
            let idx = *outer.by_name.get(&object.name.to_lowercase())?;
            Some((std::mem::take(&mut outer.children[idx]), idx))
        });
        let entry = match declared {
            Some((mut earlier, idx)) => {
                if earlier.path.is_none() {
                    earlier.path = object.path;
                }
                if earlier.class.is_empty() {
                    earlier.class = object.class;
                }
                earlier.header = object.header;
                (earlier, Some(idx))
            }
            None => (object, None),
        };
        self.open.push(entry);
    }

    fn end(&mut self, start: usize) {
        if self.n_too_deep > 0 {
            self.n_too_deep -= 1;
        } else if self.open.is_empty() {
            let span = self.reporter.span(&(start..self.lexer.at()));
            self.reporter.syntax(
                Diagnostic::new(Code::T3dSyntax, "`End Object` without `Begin Object`")
                    .at(span)
                    .label("nothing is open here")
                    .hint("copy the text again from its beginning"),
            );
        } else {
            self.close(false);
        }
    }

    /// Puts the innermost open object where it belongs.
    fn close(&mut self, is_cut: bool) {
        let Some((mut object, slot)) = self.open.pop() else {
            return;
        };
        object.is_cut |= is_cut;
        match (self.open.last_mut(), slot) {
            (Some((outer, _)), Some(idx)) => outer.children[idx] = object,
            (Some((outer, _)), None) => {
                outer
                    .by_name
                    .insert(object.name.to_lowercase(), outer.children.len());
                outer.children.push(object);
            }
            (None, _) => self.document.objects.push(object),
        }
    }

    /// A line outside of all objects: members of the class, prose, or the end of a cut text.
    fn outside(&mut self, start: usize) {
        let (is_variable, words) = if self.lexer.looks_at(&["BPVar"]) {
            (true, ["BPVar"])
        } else {
            (false, ["BPGraph"])
        };
        if self.lexer.take_words(&words) {
            self.lexer.skip_spaces();
            if self.lexer.rest().starts_with('(') {
                match self.lexer.list() {
                    Ok(value) if is_variable => self.document.variables.push(value),
                    Ok(value) => self.document.graphs.push(value),
                    Err(error) => self.lex_error(&error, words[0]),
                }
                return;
            }
        }
        if self.lexer.take_words(&["CustomProperties"]) {
            let span = self.reporter.span(&(start..self.lexer.at()));
            self.reporter.syntax(
                Diagnostic::new(Code::T3dTruncated, "a pin stands outside of any node")
                    .at(span)
                    .label("no `Begin Object` before this")
                    .hint("copy the text again from its beginning"),
            );
            let line_end = self.lexer.line_end();
            self.lexer.go_to(line_end);
            return;
        }
        // Prose. An object may begin behind it on the same line.
        let line_end = self.lexer.line_end();
        let line = self.lexer.slice(self.lexer.at()..line_end);
        let next = line.match_indices('B').map(|(at, _)| at).find(|at| {
            ["Begin Object", "BPVar(", "BPGraph("]
                .iter()
                .any(|word| line[*at..].starts_with(word))
        });
        let next = next.map_or(line_end, |at| self.lexer.at() + at);
        // What begins here could not be read: it is prose all the same.
        self.lexer
            .go_to(if next == start { line_end } else { next });
    }

    fn custom_properties(&mut self, start: usize) {
        self.lexer.skip_spaces();
        let word_start = self.lexer.at();
        let rest = self.lexer.rest();
        let length = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let word = &rest[..length];
        self.lexer.go_to(word_start + length);
        self.lexer.skip_spaces();
        if !self.lexer.rest().starts_with('(') {
            let line_end = self.lexer.line_end();
            let span = self.reporter.span(&(start..self.lexer.at()));
            let diagnostic = if self.lexer.is_blank_after(self.lexer.at()) {
                self.cut(span)
            } else {
                Some(
                    Diagnostic::new(
                        Code::T3dSyntax,
                        "`CustomProperties` needs a word and a list",
                    )
                    .at(span)
                    .label("expected `Pin (…)` or `UserDefinedPin (…)`"),
                )
            };
            if let Some(diagnostic) = diagnostic {
                self.reporter.syntax(diagnostic);
            }
            self.lexer.go_to(line_end);
            return;
        }
        match self.lexer.list() {
            Ok(value) => {
                if let (0, Some((object, _))) = (self.n_too_deep, self.open.last_mut()) {
                    object.custom.push((word, value));
                }
            }
            Err(error) => self.lex_error(&error, "a pin"),
        }
    }

    fn property(&mut self, start: usize, key: &'t str, index: Option<usize>) {
        self.lexer.skip_spaces();
        match self.lexer.line_value() {
            Ok(value) => {
                let end = value.range.end;
                if let (0, Some((object, _))) = (self.n_too_deep, self.open.last_mut()) {
                    object.properties.push(Property {
                        key,
                        index,
                        range: start..end,
                        value,
                    });
                }
                self.after_value(key);
            }
            Err(error) => self.lex_error(&error, key),
        }
    }

    /// What stands behind a value on its line must be another statement.
    fn after_value(&mut self, key: &str) {
        self.lexer.skip_spaces();
        let start = self.lexer.at();
        if self.lexer.is_statement(start) {
            return;
        }
        let line_end = self.lexer.line_end();
        if start == line_end {
            return;
        }
        let span = self.reporter.span(&(start..line_end));
        self.reporter.syntax(
            Diagnostic::new(Code::T3dSyntax, format!("text behind the value of `{key}`"))
                .at(span)
                .label("this is not part of the value"),
        );
        self.lexer.go_to(line_end);
    }

    /// A line in an object that is no statement. Remarks are passed over.
    fn junk(&mut self, start: usize) {
        let line_end = self.lexer.line_end();
        let line = self.lexer.slice(start..line_end);
        let is_remark = [";", "//", "#", "--", "…", "..."]
            .iter()
            .any(|mark| line.starts_with(mark));
        if !is_remark {
            let is_last = self.lexer.is_blank_after(line_end);
            let span = self.reporter.span(&(start..line_end));
            let diagnostic = if is_last {
                self.cut(span)
            } else {
                Some(
                    Diagnostic::new(
                        Code::T3dSyntax,
                        "a line that is neither a property nor an object",
                    )
                    .at(span)
                    .label("expected `Key=Value`"),
                )
            };
            if let Some(diagnostic) = diagnostic {
                self.reporter.syntax(diagnostic);
            }
        }
        self.lexer.go_to(line_end);
    }

    fn lex_error(&mut self, error: &LexError, what: &str) {
        let span = self.reporter.span(&error.range);
        let diagnostic = if error.at_end && error.kind != LexErrorKind::Depth {
            self.cut(span)
        } else {
            let (code, message, label) = match error.kind {
                LexErrorKind::String => (
                    Code::T3dSyntax,
                    format!("a string in {what} is not closed on its line"),
                    "opened here",
                ),
                LexErrorKind::List => (
                    Code::T3dSyntax,
                    format!("a list in {what} is not closed"),
                    "opened here",
                ),
                LexErrorKind::Separator => (
                    Code::T3dSyntax,
                    format!("two values in {what} without a comma between them"),
                    "expected `,` or `)`",
                ),
                LexErrorKind::Depth => (
                    Code::TooDeep,
                    format!("lists in {what} are nested more than {MAX_DEPTH} deep"),
                    "one too many",
                ),
            };
            Some(Diagnostic::new(code, message).at(span).label(label))
        };
        if let Some(diagnostic) = diagnostic {
            self.reporter.syntax(diagnostic);
        }
        // A list may have been left at a new statement; else nothing on the line is worth reading.
        if error.at_end || !self.lexer.is_object_word() {
            let line_end = self.lexer.line_end();
            self.lexer.go_to(line_end);
        }
    }

    /// The finding for a text that ends too early, once.
    fn cut(&mut self, span: Span) -> Option<Diagnostic> {
        let innermost = self.open.last().map(|(object, _)| object);
        if std::mem::replace(&mut self.is_cut, true) {
            return None;
        }
        let mut diagnostic = Diagnostic::new(
            Code::T3dTruncated,
            match innermost {
                Some(object) if !object.name.is_empty() => {
                    format!("the text ends inside `{}`", object.name)
                }
                _ => "the text ends inside an object".to_owned(),
            },
        )
        .at(span)
        .label("the text ends here")
        .hint("copy the text again and check that it ends with `End Object`");
        if let Some(object) = innermost {
            diagnostic = diagnostic.also(self.reporter.span(&object.header), "it begins here");
        }
        Some(diagnostic)
    }

    fn end_of_text(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let end = self.lexer.at();
        let text = self.lexer.slice(0..end);
        let last = text.trim_end().len();
        let start = text[..last].rfind('\n').map_or(0, |at| at + 1).max(
            // Enough to see the place; a line of the form can be very long.
            last.saturating_sub(60),
        );
        let start = (start..last)
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(last);
        let span = self.reporter.span(&(start..last));
        if let Some(diagnostic) = self.cut(span) {
            self.reporter.syntax(diagnostic);
        }
        while !self.open.is_empty() {
            self.close(true);
        }
    }
}
