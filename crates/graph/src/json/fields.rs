//! Checked access to the members of a JSON object.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of another kind is reported or left alone"
)]

use bp_diag::{Code, Diagnostic, Diagnostics, Place, Span};

use super::schema::KeyList;
use super::tree::{Kind, Member, Tree};
use crate::nodes::nearest;

/// An object whose keys have been checked against its list.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'t> {
    pub(crate) members: &'t [Member],
    pub(crate) span: Span,
    /// Where in the Blueprint it is, for messages.
    pub(crate) place: Place,
}

impl<'t> Fields<'t> {
    /// Opens an object. Reports another kind of value, unknown keys and missing ones.
    pub(crate) fn open(
        tree: &'t Tree,
        what: &str,
        list: &KeyList,
        place: Place,
        out: &mut Diagnostics,
    ) -> Option<Self> {
        let fields = Self::open_unchecked(tree, what, place, out)?;
        fields.check(what, &list.keys, &list.required, out);
        Some(fields)
    }

    /// Opens an object whose keys are checked later.
    pub(crate) fn open_unchecked(
        tree: &'t Tree,
        what: &str,
        place: Place,
        out: &mut Diagnostics,
    ) -> Option<Self> {
        let Kind::Object(members) = &tree.kind else {
            out.push(
                Diagnostic::new(
                    Code::JsonType,
                    format!("{what} is an object, not {}", tree.describe()),
                )
                .at(tree.span)
                .place(place),
            );
            return None;
        };
        Some(Self {
            members,
            span: tree.span,
            place,
        })
    }

    /// Reports keys that are not of `keys`, and those of `required` that are not there.
    pub(crate) fn check(
        &self,
        what: &str,
        keys: &[impl AsRef<str>],
        required: &[impl AsRef<str>],
        out: &mut Diagnostics,
    ) {
        for member in self.members {
            if keys.iter().any(|key| key.as_ref() == member.key) {
                continue;
            }
            let mut diagnostic = Diagnostic::new(
                Code::UnknownKey,
                format!("{what} has no key `{}`", member.key),
            )
            .at(member.key_span)
            .place(self.place.clone());
            diagnostic.hint = nearest(&member.key, keys.iter().map(AsRef::as_ref))
                .map(|key| format!("did you mean `{key}`?"))
                .or_else(|| {
                    let list: Vec<String> = keys
                        .iter()
                        .map(|key| format!("`{}`", key.as_ref()))
                        .collect();
                    (list.len() <= 14).then(|| format!("its keys are {}", list.join(", ")))
                });
            out.push(diagnostic);
        }
        for key in required {
            if self.tree(key.as_ref()).is_none() {
                let end = self.span;
                let start = Span {
                    end: (end.start + 1).min(end.end),
                    ..end
                };
                out.push(
                    Diagnostic::new(
                        Code::MissingKey,
                        format!("{what} needs the key `{}`", key.as_ref()),
                    )
                    .at(start)
                    .place(self.place.clone()),
                );
            }
        }
    }

    /// The value of a key.
    pub(crate) fn tree(&self, key: &str) -> Option<&'t Tree> {
        self.members
            .iter()
            .find(|member| member.key == key)
            .map(|member| &member.value)
    }

    /// Reports a value of the wrong kind.
    pub(crate) fn wrong(&self, key: &str, expected: &str, tree: &Tree, out: &mut Diagnostics) {
        out.push(
            Diagnostic::new(
                Code::JsonType,
                format!("`{key}` is {expected}, not {}", tree.describe()),
            )
            .at(tree.span)
            .place(self.place.clone()),
        );
    }

    /// A string.
    pub(crate) fn text(&self, key: &str, out: &mut Diagnostics) -> Option<(&'t str, Span)> {
        let tree = self.tree(key)?;
        match &tree.kind {
            Kind::String(text) => Some((text, tree.span)),
            Kind::Null => None,
            _ => {
                self.wrong(key, "a string", tree, out);
                None
            }
        }
    }

    /// A string that names something: not empty.
    pub(crate) fn name(&self, key: &str, out: &mut Diagnostics) -> Option<(&'t str, Span)> {
        let (text, span) = self.text(key, out)?;
        if text.trim().is_empty() || text.eq_ignore_ascii_case("None") {
            out.push(
                Diagnostic::new(Code::BadValue, format!("`{key}` cannot be empty or `None`"))
                    .at(span)
                    .place(self.place.clone()),
            );
            return None;
        }
        if text.len() > 1023 {
            out.push(
                Diagnostic::new(
                    Code::TooLarge,
                    format!("`{key}` is longer than the 1023 bytes a name can have"),
                )
                .at(span)
                .place(self.place.clone()),
            );
            return None;
        }
        Some((text, span))
    }

    /// A bool; false if absent.
    pub(crate) fn flag(&self, key: &str, out: &mut Diagnostics) -> bool {
        match self.tree(key) {
            None => false,
            Some(tree) => {
                if let Kind::Bool(value) = tree.kind {
                    value
                } else {
                    self.wrong(key, "`true` or `false`", tree, out);
                    false
                }
            }
        }
    }

    /// A number.
    pub(crate) fn real(&self, key: &str, out: &mut Diagnostics) -> Option<f64> {
        let tree = self.tree(key)?;
        if let Kind::Number(text) = &tree.kind {
            let value: f64 = text.parse().unwrap_or(f64::INFINITY);
            if value.is_finite() {
                return Some(value);
            }
            out.push(
                Diagnostic::new(Code::BadValue, format!("`{key}` is too large: {text}"))
                    .at(tree.span)
                    .place(self.place.clone()),
            );
            None
        } else {
            self.wrong(key, "a number", tree, out);
            None
        }
    }

    /// A list; empty if absent.
    pub(crate) fn list(&self, key: &str, out: &mut Diagnostics) -> &'t [Tree] {
        match self.tree(key) {
            None => &[],
            Some(tree) => match &tree.kind {
                Kind::List(items) => items,
                Kind::Null => &[],
                _ => {
                    self.wrong(key, "a list", tree, out);
                    &[]
                }
            },
        }
    }

    /// An object's members; none if absent.
    pub(crate) fn map(&self, key: &str, out: &mut Diagnostics) -> &'t [Member] {
        match self.tree(key) {
            None => &[],
            Some(tree) => match &tree.kind {
                Kind::Object(members) => members,
                Kind::Null => &[],
                _ => {
                    self.wrong(key, "an object", tree, out);
                    &[]
                }
            },
        }
    }

    /// A list of strings with their places.
    pub(crate) fn names(&self, key: &str, out: &mut Diagnostics) -> Vec<(&'t str, Span)> {
        let mut names = Vec::new();
        for item in self.list(key, out) {
            match item.as_str() {
                Some(text) => names.push((text, item.span)),
                None => self.wrong(key, "a list of strings", item, out),
            }
        }
        names
    }

    /// A whole number that fits.
    pub(crate) fn int(
        &self,
        key: &str,
        range: std::ops::RangeInclusive<i64>,
        out: &mut Diagnostics,
    ) -> Option<i64> {
        let tree = self.tree(key)?;
        let value = whole(tree);
        match value {
            Some(value) if range.contains(&value) => Some(value),
            _ if matches!(tree.kind, Kind::Number(_)) => {
                out.push(
                    Diagnostic::new(
                        Code::BadValue,
                        format!(
                            "`{key}` is a whole number from {} to {}",
                            range.start(),
                            range.end()
                        ),
                    )
                    .at(tree.span)
                    .place(self.place.clone()),
                );
                None
            }
            _ => {
                self.wrong(key, "a whole number", tree, out);
                None
            }
        }
    }
}

/// A whole number of 64 bits.
pub(crate) fn whole(tree: &Tree) -> Option<i64> {
    match &tree.kind {
        Kind::Number(text) => text.parse().ok(),
        _ => None,
    }
}
