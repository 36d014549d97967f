//! Names of a package: text of the name table, plus an instance number.

use std::fmt;
use std::sync::Arc;

/// A name (`FName`) as a package stores it.
///
/// The number is the engine's instance number plus one; 0 means that there is none. `Foo` with number
/// 3 is written `Foo_2`. The text is shared with the name table, so a clone is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackageName {
    text: Arc<str>,
    number: u32,
}

impl PackageName {
    /// A name of a text and a stored number.
    pub fn new(text: impl Into<Arc<str>>, number: u32) -> Self {
        Self {
            text: text.into(),
            number,
        }
    }

    /// The text without the instance number.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The stored number: 0 for none, else the instance number plus one.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether this is the name `None`, which stands for no name.
    pub fn is_none(&self) -> bool {
        self.number == 0 && self.text.eq_ignore_ascii_case("None")
    }

    /// Whether the name reads like `text`; names compare without case.
    pub fn is(&self, text: &str) -> bool {
        if self.number == 0 {
            return self.text.eq_ignore_ascii_case(text);
        }
        self.to_string().eq_ignore_ascii_case(text)
    }
}

impl fmt::Display for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match self.number.checked_sub(1) {
            Some(instance) => write!(f, "_{instance}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_one_more_than_what_is_written() {
        assert_eq!(PackageName::new("Foo", 0).to_string(), "Foo");
        assert_eq!(PackageName::new("Foo", 1).to_string(), "Foo_0");
        assert!(PackageName::new("Foo", 13).is("foo_12"));
        assert!(!PackageName::new("None", 1).is_none());
    }
}
