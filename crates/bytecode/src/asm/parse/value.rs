//! Defaults.

use bp_reflect::{TextValue, Value};

use crate::asm::AsmError;
use crate::asm::cursor::{Cursor, Scope};
use crate::asm::lex::TokenKind;
use crate::asm::value::{parse_f64, parse_int};

/// Deepest nesting of values that is read.
const MAX_NESTING: u32 = 128;

/// A value in the form the printer gives it.
pub(super) fn value(cursor: &mut Cursor<'_>, depth: u32) -> Result<Value, AsmError> {
    const WHAT: &str = "a value: a number, a string, `true`, `false`, `name(…)`, `text(…)`, \
                        `object(…)`, `{…}`, `[…]`, `map(…)` or `unbound`";
    if depth == MAX_NESTING {
        return Err(cursor.error_at(cursor.column(), "this value is nested too deeply"));
    }
    if let Some(TokenKind::Str(_)) = cursor.peek() {
        return Ok(Value::Str(cursor.string()?.into()));
    }
    if cursor.take_mark('{') {
        let mut members = Vec::new();
        while !cursor.take_mark('}') {
            if !members.is_empty() {
                cursor.expect_mark(',')?;
            }
            let name = cursor.name("a member's name or `}`")?;
            cursor.expect_mark('=')?;
            members.push((name, value(cursor, depth + 1)?));
        }
        return Ok(Value::Struct(members));
    }
    if cursor.take_mark('[') {
        let mut items = Vec::new();
        while !cursor.take_mark(']') {
            if !items.is_empty() {
                cursor.expect_mark(',')?;
            }
            items.push(value(cursor, depth + 1)?);
        }
        return Ok(Value::List(items));
    }
    let Some(word) = cursor.peek_word() else {
        return Err(cursor.expected(WHAT));
    };
    if let Some(found) = number(word) {
        cursor.word(WHAT)?;
        return Ok(found);
    }
    let error = cursor.expected(WHAT);
    cursor.word(WHAT)?;
    match word {
        "true" => return Ok(Value::Bool(true)),
        "false" => return Ok(Value::Bool(false)),
        "unbound" => return Ok(Value::Unbound),
        "name" | "object" | "text" | "map" => cursor.expect_mark('(')?,
        _ => return Err(error),
    }
    let found = match word {
        "name" => Value::Name(cursor.name("a name")?),
        "object" => Value::Object(cursor.optional_path(&Scope::default(), "an object path")?),
        "text" => Value::Text(text(cursor)?),
        _ => {
            let mut pairs = Vec::new();
            while cursor.peek() != Some(&TokenKind::Mark(')')) {
                if !pairs.is_empty() {
                    cursor.expect_mark(',')?;
                }
                let key = value(cursor, depth + 1)?;
                cursor.expect_arrow()?;
                pairs.push((key, value(cursor, depth + 1)?));
            }
            Value::Map(pairs)
        }
    };
    cursor.expect_mark(')')?;
    Ok(found)
}

/// Whole numbers are written without point, unsigned ones above `i64` with `u`.
fn number(word: &str) -> Option<Value> {
    if let Some(unsigned) = word.strip_suffix('u') {
        return parse_int(unsigned)
            .and_then(|value| u64::try_from(value).ok())
            .map(Value::UInt);
    }
    match parse_int(word) {
        // `-0` would lose its sign.
        Some(value) => i64::try_from(value).ok().map(Value::Int),
        None => parse_f64(word).map(Value::Real),
    }
}

fn text(cursor: &mut Cursor<'_>) -> Result<TextValue, AsmError> {
    let part = |cursor: &mut Cursor<'_>| -> Result<std::sync::Arc<str>, AsmError> {
        cursor.expect_mark(',')?;
        Ok(cursor.string()?.into())
    };
    let column = cursor.column();
    Ok(match cursor.word("a kind of text")? {
        "empty" => TextValue::Empty,
        "localized" => {
            let (source, key, namespace) = (part(cursor)?, part(cursor)?, part(cursor)?);
            TextValue::Localized {
                namespace,
                key,
                source,
            }
        }
        "invariant" => TextValue::Invariant(part(cursor)?),
        "table" => TextValue::StringTable {
            table: part(cursor)?,
            key: part(cursor)?,
        },
        other => {
            return Err(cursor.error_at(
                column,
                format!("expected `empty`, `localized`, `invariant` or `table`, found `{other}`"),
            ));
        }
    })
}
