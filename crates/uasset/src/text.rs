//! Localized texts (`FText`): where the words come from, not only the words.

use crate::archive::Archive;
use crate::version::step;
use crate::{PackageError, PackageName};

/// A text value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// `ETextFlag`.
    pub flags: u32,
    /// How the words are made.
    pub history: TextHistory,
}

/// How the words of a [`Text`] are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TextHistory {
    /// The empty text.
    #[default]
    None,
    /// Words that are the same in every language (`INVTEXT`).
    Invariant(String),
    /// Words with a place in the translation tables (`NSLOCTEXT`).
    Base {
        /// Namespace of the key.
        namespace: String,
        /// Key of the translation.
        key: String,
        /// The words as written by the author.
        source: String,
    },
    /// A pattern and what goes into it.
    Format {
        /// Which of the engine's three kinds of format it is.
        kind: TextFormatKind,
        /// The pattern.
        pattern: Box<Text>,
        /// Arguments in stored order; the name is empty in the ordered kind.
        arguments: Vec<(String, TextArgument)>,
    },
    /// A number written out.
    Number {
        /// What kind of number.
        kind: TextNumberKind,
        /// The number.
        value: TextArgument,
        /// Currency code, for currencies.
        currency: String,
        /// Culture it is written for, empty for the current one.
        culture: String,
    },
    /// A date or time written out.
    DateTime {
        /// Ticks of 100 nanoseconds since the year 1.
        ticks: i64,
        /// Time zone.
        time_zone: String,
        /// Culture it is written for, empty for the current one.
        culture: String,
    },
    /// Another text in upper or lower case.
    Transform {
        /// The other text.
        source: Box<Text>,
        /// 0 for lower case, 1 for upper case.
        kind: u8,
    },
    /// A row of a string table (`LOCTABLE`).
    StringTable {
        /// The table.
        table: PackageName,
        /// Key of the row.
        key: String,
    },
}

/// The kinds of [`TextHistory::Format`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormatKind {
    /// Arguments by name.
    Named,
    /// Arguments by position.
    Ordered,
    /// Arguments by name, made by a Format Text node.
    Data,
}

/// The kinds of [`TextHistory::Number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextNumberKind {
    /// A plain number.
    Number,
    /// A percentage.
    Percent,
    /// An amount of money.
    Currency,
}

/// An argument of a format.
#[derive(Clone, Debug, PartialEq)]
pub enum TextArgument {
    /// A signed number.
    Int(i64),
    /// An unsigned number.
    UInt(u64),
    /// A number in single precision.
    Float(f32),
    /// A number in double precision.
    Double(f64),
    /// A text.
    Text(Box<Text>),
    /// A grammatical gender (`ETextGender`).
    Gender(u8),
}

impl Text {
    /// The words as the author wrote them, when the text has such words of its own.
    pub fn source(&self) -> Option<&str> {
        match &self.history {
            TextHistory::Invariant(source) | TextHistory::Base { source, .. } => Some(source),
            TextHistory::None => Some(""),
            TextHistory::Format { .. }
            | TextHistory::Number { .. }
            | TextHistory::DateTime { .. }
            | TextHistory::Transform { .. }
            | TextHistory::StringTable { .. } => None,
        }
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.source() == Some("")
    }

    pub(crate) fn read(archive: &mut Archive<'_>) -> Result<Self, PackageError> {
        archive.nest("text", |archive| {
            Ok(Self {
                flags: archive.u32("text flags")?,
                history: read_history(archive)?,
            })
        })
    }
}

fn read_history(archive: &mut Archive<'_>) -> Result<TextHistory, PackageError> {
    let offset = archive.position();
    let kind = archive.i8("text history")?;
    Ok(match kind {
        -1 => {
            let has_invariant =
                archive.has(step::TEXT_INVARIANT) && archive.bool("has invariant text")?;
            if has_invariant {
                TextHistory::Invariant(archive.string("invariant text")?)
            } else {
                TextHistory::None
            }
        }
        0 => {
            let history = TextHistory::Base {
                namespace: archive.string("text namespace")?,
                key: archive.string("text key")?,
                source: archive.string("text source")?,
            };
            if archive.has(step::TEXT_PACKAGE) {
                archive.string("text package")?;
            }
            history
        }
        1 => read_format(archive, TextFormatKind::Named)?,
        2 => read_format(archive, TextFormatKind::Ordered)?,
        3 => read_format(archive, TextFormatKind::Data)?,
        4 => read_number(archive, TextNumberKind::Number)?,
        5 => read_number(archive, TextNumberKind::Percent)?,
        6 => read_number(archive, TextNumberKind::Currency)?,
        // Dates are assumed to be stored so: the corpus has none.
        7..=9 => {
            let ticks = archive.i64("date of text")?;
            archive.i8("date style")?;
            if kind == 9 {
                archive.i8("time style")?;
            }
            TextHistory::DateTime {
                ticks,
                time_zone: archive.string("time zone of text")?,
                culture: archive.string("culture of text")?,
            }
        }
        10 => TextHistory::Transform {
            source: Box::new(Text::read(archive)?),
            kind: archive.u8("text transform")?,
        },
        11 => TextHistory::StringTable {
            table: archive.name("string table")?,
            key: archive.string("string table key")?,
        },
        found => {
            return Err(PackageError::BadValue {
                offset,
                what: "text history",
                found: i64::from(found),
            });
        }
    })
}

fn read_format(
    archive: &mut Archive<'_>,
    kind: TextFormatKind,
) -> Result<TextHistory, PackageError> {
    let pattern = Box::new(Text::read(archive)?);
    let count = archive.count(2, "text argument count")?;
    let arguments = archive.repeat(count, |archive| {
        let name = match kind {
            TextFormatKind::Named | TextFormatKind::Data => archive.string("text argument name")?,
            TextFormatKind::Ordered => String::new(),
        };
        Ok((name, read_argument(archive)?))
    })?;
    Ok(TextHistory::Format {
        kind,
        pattern,
        arguments,
    })
}

fn read_number(
    archive: &mut Archive<'_>,
    kind: TextNumberKind,
) -> Result<TextHistory, PackageError> {
    let currency = match kind {
        TextNumberKind::Currency => archive.string("currency code")?,
        TextNumberKind::Number | TextNumberKind::Percent => String::new(),
    };
    let value = read_argument(archive)?;
    if archive.bool("has number format")? {
        if archive.has(step::TEXT_ALWAYS_SIGN) {
            archive.bool("always-sign")?;
        }
        archive.bool("use-grouping")?;
        archive.i8("rounding mode")?;
        archive.bytes(16, "digit limits")?;
    }
    Ok(TextHistory::Number {
        kind,
        value,
        currency,
        culture: archive.string("culture of text")?,
    })
}

fn read_argument(archive: &mut Archive<'_>) -> Result<TextArgument, PackageError> {
    let offset = archive.position();
    Ok(match archive.i8("text argument type")? {
        0 => TextArgument::Int(archive.i64("text argument")?),
        1 => TextArgument::UInt(archive.u64("text argument")?),
        2 => TextArgument::Float(archive.f32("text argument")?),
        3 => TextArgument::Double(archive.f64("text argument")?),
        4 => TextArgument::Text(Box::new(Text::read(archive)?)),
        5 => TextArgument::Gender(archive.u8("text argument")?),
        found => {
            return Err(PackageError::BadValue {
                offset,
                what: "text argument type",
                found: i64::from(found),
            });
        }
    })
}
