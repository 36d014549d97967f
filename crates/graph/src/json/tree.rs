//! JSON with the place of every value and key.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use bp_diag::{Code, Diagnostic, Diagnostics, SourceId, Span};

/// Deepest nesting of lists and objects that is read.
pub(crate) const MAX_DEPTH: usize = 64;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// From its first to its last character.
    pub(crate) span: Span,
    /// The value.
    pub(crate) kind: Kind,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// As written: numbers keep all their digits.
    Number(String),
    String(String),
    List(Vec<Tree>),
    Object(Vec<Member>),
}

/// One member of an object, in order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Tree,
}

impl Tree {
    /// The word for its kind in messages.
    pub(crate) fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a bool",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::List(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// A number without sign and fraction.
    pub(crate) fn as_u64(&self) -> Option<u64> {
        match &self.kind {
            Kind::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Tree]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn as_object(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member of that key, if this is an object that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Tree> {
        self.as_object()?
            .iter()
            .find(|member| member.key == key)
            .map(|member| &member.value)
    }
}

/// Reads one text. A syntax error ends it: nothing is given.
pub(crate) fn parse(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Option<Tree> {
    let mut parser = Parser {
        source,
        text,
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        diagnostics,
    };
    let tree = parser.value(0);
    let result = tree.and_then(|tree| {
        parser.space();
        if parser.at < text.len() {
            Err(parser.error("there is more text after the end of the value"))
        } else {
            Ok(tree)
        }
    });
    match result {
        Ok(tree) => Some(tree),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    }
}

type Failure = Box<Diagnostic>;

struct Parser<'a> {
    source: SourceId,
    text: &'a str,
    at: usize,
    diagnostics: &'a mut Diagnostics,
}

impl Parser<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start..end)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn error(&self, message: &str) -> Failure {
        let rest = &self.text[self.at.min(self.text.len())..];
        let width = rest.chars().next().map_or(0, char::len_utf8);
        let start = if width == 0 {
            self.text.trim_end().len()
        } else {
            self.at
        };
        Box::new(
            Diagnostic::new(Code::JsonSyntax, message)
                .at(self.span(start.min(self.at), self.at + width)),
        )
    }

    fn found(&self) -> String {
        match self.text[self.at..].chars().next() {
            Some(c) if c.is_control() => format!("found the character U+{:04X}", c as u32),
            Some(c) => format!("found `{c}`"),
            None => "the text ends".to_owned(),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Tree, Failure> {
        self.space();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => {
                self.too_deep(depth)?;
                self.object(depth)?
            }
            Some(b'[') => {
                self.too_deep(depth)?;
                self.list(depth)?
            }
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Kind::Number(self.number()?),
            Some(b't') if self.word("true") => Kind::Bool(true),
            Some(b'f') if self.word("false") => Kind::Bool(false),
            Some(b'n') if self.word("null") => Kind::Null,
            _ => {
                return Err(self.error(&format!("a value should stand here, but {}", self.found())));
            }
        };
        Ok(Tree {
            span: self.span(start, self.at),
            kind,
        })
    }

    fn too_deep(&self, depth: usize) -> Result<(), Failure> {
        if depth < MAX_DEPTH {
            return Ok(());
        }
        Err(Box::new(
            Diagnostic::new(
                Code::TooDeep,
                format!("values are nested more than {MAX_DEPTH} deep"),
            )
            .at(self.span(self.at, self.at + 1)),
        ))
    }

    fn word(&mut self, word: &str) -> bool {
        let rest = &self.text[self.at..];
        let ends = rest[word.len().min(rest.len())..]
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric());
        if rest.starts_with(word) && ends {
            self.at += word.len();
            return true;
        }
        false
    }

    fn number(&mut self) -> Result<String, Failure> {
        let start = self.at;
        while matches!(
            self.peek(),
            Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
        ) {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        if serde_json::from_str::<&serde_json::value::RawValue>(text).is_err() {
            let failure = Diagnostic::new(Code::JsonSyntax, format!("`{text}` is not a number"))
                .at(self.span(start, self.at));
            return Err(Box::new(failure));
        }
        Ok(text.to_owned())
    }

    /// Finds the closing quote, then leaves the escapes to `serde_json`.
    fn string(&mut self) -> Result<String, Failure> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        let mut is_plain = true;
        loop {
            match bytes.get(end) {
                None => {
                    let failure = Diagnostic::new(Code::JsonSyntax, "the string has no end")
                        .at(self.span(start, start + 1));
                    return Err(Box::new(failure));
                }
                Some(b'"') => break,
                Some(b'\\') => {
                    is_plain = false;
                    end += 2;
                }
                Some(0..=0x1f) => {
                    self.at = end;
                    let found = self.found();
                    return Err(self.error(&format!(
                        "{found} in a string; write line breaks as \\n and tabs as \\t"
                    )));
                }
                Some(_) => end += 1,
            }
        }
        end += 1;
        self.at = end;
        if is_plain {
            return Ok(self.text[start + 1..end - 1].to_owned());
        }
        serde_json::from_str(&self.text[start..end]).map_err(|error| {
            // serde_json counts columns in bytes, from 1, one line here.
            let at = (start + error.column().saturating_sub(1)).min(end - 1);
            let at = (0..=at)
                .rev()
                .find(|at| self.text.is_char_boundary(*at))
                .unwrap_or(start);
            Box::new(
                Diagnostic::new(
                    Code::JsonSyntax,
                    "the string has an escape that is not JSON",
                )
                .at(self.span(at, at + 1)),
            )
        })
    }

    fn list(&mut self, depth: usize) -> Result<Kind, Failure> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    self.space();
                    if self.peek() == Some(b']') {
                        return Err(self.error("there is a comma before the end of the list"));
                    }
                }
                Some(b']') => {
                    self.at += 1;
                    return Ok(Kind::List(items));
                }
                _ => {
                    let found = self.found();
                    return Err(self.error(&format!(
                        "`,` or `]` should stand after an item of a list, but {found}"
                    )));
                }
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Failure> {
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        let mut seen: rustc_hash::FxHashMap<String, Span> = rustc_hash::FxHashMap::default();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                let found = self.found();
                return Err(self.error(&format!("a key in quotes should stand here, but {found}")));
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = self.span(start, self.at);
            self.space();
            if self.peek() != Some(b':') {
                let found = self.found();
                return Err(self.error(&format!("`:` should stand after a key, but {found}")));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            if let Some(first) = seen.get(&key) {
                self.diagnostics.push(
                    Diagnostic::new(Code::DuplicateKey, format!("the key `{key}` stands twice"))
                        .at(key_span)
                        .label("again here")
                        .also(*first, "first here"),
                );
            } else {
                seen.insert(key.clone(), key_span);
                members.push(Member {
                    key,
                    key_span,
                    value,
                });
            }
            self.space();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    self.space();
                    if self.peek() == Some(b'}') {
                        return Err(self.error("there is a comma before the end of the object"));
                    }
                }
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Kind::Object(members));
                }
                _ => {
                    let found = self.found();
                    return Err(self.error(&format!(
                        "`,` or `}}` should stand after a value, but {found}"
                    )));
                }
            }
        }
    }
}
