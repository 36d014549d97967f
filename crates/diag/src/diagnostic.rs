use serde::{Deserialize, Serialize};

use crate::{Code, Span};

/// How bad it is. Ordered: `Note < Warning < Error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Compiles, but probably not as meant.
    Warning,
    /// The Blueprint does not compile.
    Error,
}

/// The author's words for a place in a Blueprint: titles and pin names, never internal ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Name of the Blueprint.
    pub blueprint: Option<String>,
    /// Name of the graph.
    pub graph: Option<String>,
    /// Title of the node as the editor shows it, or its class.
    pub node: Option<String>,
    /// The node's object name (or JSON id), for searching the file.
    pub node_name: Option<String>,
    /// Name of the pin.
    pub pin: Option<String>,
}

/// A secondary place with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// One finding about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of finding: stable, explained by `bpc explain`.
    pub code: Code,
    /// How bad it is. Starts as the code's usual severity.
    pub severity: Severity,
    /// One sentence: what was found. No final period.
    pub message: String,
    /// The bytes to underline, when the input is a text.
    pub span: Option<Span>,
    /// Words under the underline; empty for none.
    pub label: String,
    /// Further places.
    pub labels: Vec<Label>,
    /// Graph, node and pin, when the finding is about one.
    pub place: Place,
    /// Facts that explain the finding, one sentence each.
    pub notes: Vec<String>,
    /// The way out, when one is known.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A finding of `code`, with the code's usual severity.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.info().severity,
            message: message.into(),
            span: None,
            label: String::new(),
            labels: Vec::new(),
            place: Place::default(),
            notes: Vec::new(),
            hint: None,
        }
    }

    /// Underlines `span`.
    #[must_use]
    pub fn at(mut self, span: impl Into<Option<Span>>) -> Self {
        self.span = span.into();
        self
    }

    /// Puts words under the underline.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Names graph, node and pin.
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says how to get out.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint = Some(text.into());
        self
    }

    /// Points at a second place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }
}

/// Findings in the order they were made.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    n_errors: usize,
}

impl Diagnostics {
    /// No findings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.n_errors += usize::from(diagnostic.severity == Severity::Error);
        self.list.push(diagnostic);
    }

    /// Adds all of another list behind these.
    pub fn append(&mut self, other: Self) {
        self.n_errors += other.n_errors;
        self.list.extend(other.list);
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// How many are errors.
    pub fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// In order of pushing.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The list itself.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
