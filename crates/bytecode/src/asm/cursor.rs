//! Reads the tokens of one line.

use bp_reflect::{Name, ObjectPath, PropertyType};

use super::AsmError;
use super::lex::{Token, TokenKind};
use super::value::{parse_f64, parse_flags, parse_int};

/// Deepest nesting of types and values that is read.
const MAX_NESTING: u32 = 128;

/// The paths that `self` and unqualified names stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// The class at hand, as written.
    pub(super) class: String,
    /// The path of the function at hand, as [`ObjectPath::member`] gives it.
    pub(super) function: String,
}

/// A position in a line's tokens.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    /// The line, 1-based.
    pub(super) line: u32,
    /// The column behind the last token.
    end: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: Vec<Token<'a>>, line: u32, end: u32) -> Self {
        Self {
            tokens,
            at: 0,
            line,
            end,
        }
    }

    pub(super) fn peek(&self) -> Option<&TokenKind<'a>> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// The column of the next token, or behind the last one.
    pub(super) fn column(&self) -> u32 {
        self.tokens
            .get(self.at)
            .map_or(self.end, |token| token.column)
    }

    pub(super) fn error_at(&self, column: u32, message: impl Into<String>) -> AsmError {
        AsmError {
            line: self.line,
            column,
            message: message.into(),
        }
    }

    /// That something else should stand here.
    pub(super) fn expected(&self, what: &str) -> AsmError {
        let found = match self.peek() {
            Some(token) => token.to_string(),
            None => "the end of the line".to_owned(),
        };
        self.error_at(self.column(), format!("expected {what}, found {found}"))
    }

    /// The next token if it is a word.
    pub(super) fn peek_word(&self) -> Option<&'a str> {
        match self.peek() {
            Some(TokenKind::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, AsmError> {
        let word = self.peek_word().ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(word)
    }

    /// Takes the next token if it is this word.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), AsmError> {
        if self.take_word(word) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{word}`")))
        }
    }

    /// Takes the next token if it is this mark.
    pub(super) fn take_mark(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&TokenKind::Mark(mark));
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect_mark(&mut self, mark: char) -> Result<(), AsmError> {
        if self.take_mark(mark) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{mark}`")))
        }
    }

    /// Takes the next token if it is `=>`.
    pub(super) fn take_arrow(&mut self) -> bool {
        let found = self.peek() == Some(&TokenKind::Arrow);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect_arrow(&mut self) -> Result<(), AsmError> {
        if self.take_arrow() {
            Ok(())
        } else {
            Err(self.expected("`=>`"))
        }
    }

    /// That the line ends here.
    pub(super) fn finish(&self) -> Result<(), AsmError> {
        if self.is_done() {
            Ok(())
        } else {
            Err(self.expected("the end of the line"))
        }
    }

    pub(super) fn string(&mut self) -> Result<String, AsmError> {
        match self.peek() {
            Some(TokenKind::Str(text)) => {
                let text = text.clone();
                self.at += 1;
                Ok(text)
            }
            _ => Err(self.expected("a string in quotes")),
        }
    }

    /// A word or string.
    fn text(&mut self, what: &str) -> Result<String, AsmError> {
        match self.peek() {
            Some(TokenKind::Str(_)) => self.string(),
            _ => self.word(what).map(str::to_owned),
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name, AsmError> {
        if self.peek_word() == Some("null") {
            return Err(self.expected(what));
        }
        self.text(what).map(Name::new)
    }

    /// A path that may be short for something of the scope.
    pub(super) fn path(&mut self, scope: &Scope, what: &str) -> Result<ObjectPath, AsmError> {
        let Some(word) = self.peek_word() else {
            return self.text(what).map(ObjectPath::new);
        };
        if word == "null" {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(match word.strip_prefix("self") {
            Some("") => ObjectPath::new(&scope.class),
            Some(member) if member.starts_with(':') => {
                ObjectPath::new(format!("{}{member}", scope.class))
            }
            Some(_) | None => ObjectPath::new(word),
        })
    }

    /// A path or `null`.
    pub(super) fn optional_path(
        &mut self,
        scope: &Scope,
        what: &str,
    ) -> Result<Option<ObjectPath>, AsmError> {
        if self.take_word("null") {
            Ok(None)
        } else {
            self.path(scope, &format!("{what} or `null`")).map(Some)
        }
    }

    /// A whole number that fits in `T`.
    pub(super) fn int<T: TryFrom<i128>>(&mut self, what: &str) -> Result<T, AsmError> {
        let found = self.peek_word().and_then(parse_int);
        let value = found.ok_or_else(|| self.expected(what))?;
        let value = T::try_from(value)
            .map_err(|_| self.error_at(self.column(), format!("{value} does not fit in {what}")))?;
        self.at += 1;
        Ok(value)
    }

    pub(super) fn real(&mut self) -> Result<f64, AsmError> {
        let found = self.peek_word().and_then(parse_f64);
        let value = found.ok_or_else(|| self.expected("a number"))?;
        self.at += 1;
        Ok(value)
    }

    /// What `read` makes of the next word.
    pub(super) fn parsed<T>(
        &mut self,
        what: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, AsmError> {
        let found = self.peek_word().and_then(read);
        let value = found.ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(value)
    }

    pub(super) fn flags<F: bitflags::Flags>(
        &mut self,
        bits: impl Fn(i128) -> Option<F>,
    ) -> Result<F, AsmError> {
        let column = self.column();
        let word = self.word("flags such as `public|final`")?;
        parse_flags(word, bits)
            .map_err(|part| self.error_at(column, format!("`{part}` is no flag of this kind")))
    }

    pub(super) fn property_type(&mut self) -> Result<PropertyType, AsmError> {
        self.nested_type(0)
    }

    fn nested_type(&mut self, depth: u32) -> Result<PropertyType, AsmError> {
        if depth == MAX_NESTING {
            return Err(self.error_at(self.column(), "this type is nested too deeply"));
        }
        let column = self.column();
        let word = self.word("a type such as `int`")?;
        if let "array" | "set" | "map" = word {
            self.expect_mark('<')?;
            let inner = self.nested_type(depth + 1)?;
            let ty = match word {
                "array" => PropertyType::Array(Box::new(inner)),
                "set" => PropertyType::Set(Box::new(inner)),
                _ => {
                    self.expect_mark(',')?;
                    PropertyType::Map(Box::new((inner, self.nested_type(depth + 1)?)))
                }
            };
            self.expect_mark('>')?;
            return Ok(ty);
        }
        let (head, target) = match word.split_once(':') {
            Some((head, "")) => (head, Some(self.string()?)),
            Some((head, target)) => (head, Some(target.to_owned())),
            None => (word, None),
        };
        let Some(target) = target else {
            return PropertyType::parse(head)
                .map_err(|error| self.error_at(column, error.to_string()));
        };
        let target = ObjectPath::new(target);
        Ok(match head {
            "byte" => PropertyType::Byte(Some(target)),
            "enum" => PropertyType::Enum(target),
            "object" => PropertyType::Object(target),
            "weak_object" => PropertyType::WeakObject(target),
            "soft_object" => PropertyType::SoftObject(target),
            "class" => PropertyType::Class(target),
            "soft_class" => PropertyType::SoftClass(target),
            "interface" => PropertyType::Interface(target),
            "struct" => PropertyType::Struct(target),
            "delegate" => PropertyType::Delegate(Some(target)),
            "multicast_delegate" => PropertyType::MulticastDelegate(Some(target)),
            _ => {
                return Err(self.error_at(column, format!("`{head}` is no type with a target")));
            }
        })
    }
}
