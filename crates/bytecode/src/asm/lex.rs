//! Lines to tokens.

use std::fmt;

use super::AsmError;

/// A token and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    /// 1-based, in characters.
    pub(super) column: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'a> {
    Word(&'a str),
    Str(String),
    /// One of `( ) [ ] { } , = < > @ #`.
    Mark(char),
    /// `=>`
    Arrow,
}

impl fmt::Display for TokenKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Str(text) => write!(f, "{}", Quoted(text)),
            Self::Mark(mark) => write!(f, "`{mark}`"),
            Self::Arrow => f.write_str("`=>`"),
        }
    }
}

/// Whether a word can hold the character.
fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | ':' | '|' | '+' | '-' | '$')
}

/// The tokens of a line, comment left out, and the column behind the last one.
pub(super) fn tokens(line: &str, number: u32) -> Result<(Vec<Token<'_>>, u32), AsmError> {
    let mut out = Vec::new();
    let mut chars = line.char_indices().peekable();
    let mut column = 0;
    let mut end = 1;
    while let Some((start, c)) = chars.next() {
        column += 1;
        let begin = column;
        let error = |column: u32, message: String| AsmError {
            line: number,
            column,
            message,
        };
        let kind = match c {
            ';' => break,
            c if c.is_whitespace() => continue,
            '"' => {
                let mut text = String::new();
                loop {
                    let Some((_, c)) = chars.next() else {
                        return Err(error(begin, "this string has no closing quote".to_owned()));
                    };
                    column += 1;
                    match c {
                        '"' => break,
                        '\\' => {
                            let (c, n_chars) = escape(&mut chars)
                                .map_err(|message| error(column, message.to_owned()))?;
                            text.push(c);
                            column += n_chars;
                        }
                        c => text.push(c),
                    }
                }
                TokenKind::Str(text)
            }
            '=' if chars.peek().is_some_and(|(_, next)| *next == '>') => {
                chars.next();
                column += 1;
                TokenKind::Arrow
            }
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | '=' | '<' | '>' | '@' | '#' => {
                TokenKind::Mark(c)
            }
            '-' if chars.peek().is_some_and(|(_, next)| *next == '>') => {
                chars.next();
                column += 1;
                TokenKind::Word("->")
            }
            c if is_word_char(c) => {
                let mut stop = start + c.len_utf8();
                while let Some((at, c)) = chars.peek().copied() {
                    if !is_word_char(c) {
                        break;
                    }
                    stop = at + c.len_utf8();
                    chars.next();
                    column += 1;
                }
                TokenKind::Word(&line[start..stop])
            }
            c => {
                return Err(error(
                    begin,
                    format!("`{}` has no meaning here", c.escape_debug()),
                ));
            }
        };
        out.push(Token {
            kind,
            column: begin,
        });
        end = column + 1;
    }
    Ok((out, end))
}

/// The character of an escape whose backslash is read, and how many characters it took.
fn escape(
    chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>,
) -> Result<(char, u32), &'static str> {
    const KNOWN: &str = "expected one of the escapes \\\" \\\\ \\n \\r \\t \\u{…}";
    Ok(match chars.next().map(|(_, c)| c) {
        Some('"') => ('"', 1),
        Some('\\') => ('\\', 1),
        Some('n') => ('\n', 1),
        Some('r') => ('\r', 1),
        Some('t') => ('\t', 1),
        Some('u') => {
            if chars.next().map(|(_, c)| c) != Some('{') {
                return Err(KNOWN);
            }
            let (mut code, mut n_digits) = (0, 0);
            loop {
                match chars.next().map(|(_, c)| c) {
                    Some('}') if n_digits > 0 => break,
                    Some(c) if n_digits < 6 => {
                        code = code * 16 + c.to_digit(16).ok_or(KNOWN)?;
                        n_digits += 1;
                    }
                    Some(_) | None => return Err(KNOWN),
                }
            }
            let c = char::from_u32(code).ok_or("this number is no character")?;
            (c, n_digits + 3)
        }
        Some(_) | None => return Err(KNOWN),
    })
}

/// A string in quotes.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                // Also what editors take for the end of a line, or hide.
                c if c.is_control()
                    || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}') =>
                {
                    write!(f, "\\u{{{:x}}}", c as u32)?;
                }
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

/// A name or path: a word where it reads as one, else in quotes.
pub(super) struct Word<'a>(pub(super) &'a str);

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0;
        let is_plain = text
            .chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '/'))
            && text.chars().all(is_word_char)
            && !text.ends_with(':')
            && !matches!(text, "null" | "self")
            && !text.starts_with("self:");
        if is_plain {
            f.write_str(text)
        } else {
            Quoted(text).fmt(f)
        }
    }
}
