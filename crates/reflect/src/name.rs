use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text that compares without case, with its hash.
///
/// Names and paths are compared and looked up far more often than they are made: the hash tells most different
/// texts apart at once, and no lookup reads the text to hash it.
#[derive(Clone)]
pub(crate) struct FoldedText {
    text: Arc<str>,
    /// Of the text without case.
    hash: u32,
}

impl FoldedText {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: Arc::from(text),
            hash: hash_fold(text),
        }
    }

    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Equal for texts that are equal without case; of an ASCII text that of [`hash_ascii`].
    #[inline]
    pub(crate) fn folded_hash(&self) -> u32 {
        self.hash
    }
}

impl PartialEq for FoldedText {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && (Arc::ptr_eq(&self.text, &other.text) || eq_fold(&self.text, &other.text))
    }
}

impl Eq for FoldedText {}

impl Hash for FoldedText {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.hash);
    }
}

/// A name as the engine's `FName`: compares without case, displays with the case it was written in.
///
/// Shape: any text; the empty text and `None` are the same name. A trailing `_<number>` without
/// leading zero is the name's number ([`Name::number`]); it is kept in the text, since two names are
/// equal exactly when their texts are equal without case.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name(FoldedText);

/// A text to find among names, with its hash: most names are told apart from it without a look at their texts.
#[derive(Clone, Copy, Debug)]
pub struct NameKey<'a> {
    text: &'a str,
    hash: u32,
}

impl<'a> NameKey<'a> {
    /// The key of a text, which is not empty.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            hash: hash_fold(text),
        }
    }
}

impl Name {
    /// Whether this is the name of a key.
    #[inline]
    pub fn is(&self, key: NameKey<'_>) -> bool {
        self.0.hash == key.hash && eq_fold(self.as_str(), key.text)
    }

    /// The name written `text`.
    pub fn new(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        Self(FoldedText::new(if text.is_empty() { "None" } else { text }))
    }

    /// The name `None`.
    pub fn none() -> Self {
        Self::new("None")
    }

    /// Whether this is `None`.
    pub fn is_none(&self) -> bool {
        self.as_str().eq_ignore_ascii_case("None")
    }

    /// The text with its number, in the case it was written.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Equal for names that are equal; of an ASCII name that of its text.
    #[inline]
    pub(crate) fn folded_hash(&self) -> u32 {
        self.0.folded_hash()
    }

    /// [`Name::as_str`] to be kept, without a copy.
    pub fn to_shared(&self) -> Arc<str> {
        self.0.text.clone()
    }

    /// The text before the number suffix: `Foo` of `Foo_3`.
    pub fn base(&self) -> &str {
        self.split().0
    }

    /// The number as the engine stores it: 0 without suffix, else the suffix plus one
    /// (`Foo_0` has number 1).
    pub fn number(&self) -> u32 {
        self.split().1
    }

    /// A name from its stored parts, the reverse of [`Name::base`] and [`Name::number`].
    pub fn from_parts(base: &str, number: u32) -> Self {
        match number {
            0 => Self::new(base),
            n => Self::new(format!("{base}_{}", n - 1)),
        }
    }

    fn split(&self) -> (&str, u32) {
        let text = self.as_str();
        let Some((base, digits)) = text.rsplit_once('_') else {
            return (text, 0);
        };
        let plain = !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'));
        match digits.parse::<u32>() {
            // The engine keeps numbers in a signed 32-bit field.
            Ok(n) if plain && n < i32::MAX as u32 && !base.is_empty() => (base, n + 1),
            _ => (text, 0),
        }
    }
}

/// Equality of names and paths: without case, in all scripts.
#[inline]
pub(crate) fn eq_fold(a: &str, b: &str) -> bool {
    // Most comparisons are with another text, which the last letter mostly tells: classes of nodes, like
    // parts of a struct, begin alike.
    if let (Some(x), Some(y)) = (a.as_bytes().last(), b.as_bytes().last())
        && x.is_ascii()
        && y.is_ascii()
        && (x ^ y) & !CASE_BIT != 0
    {
        return false;
    }
    eq_fold_whole(a, b)
}

/// The bit in which ASCII letters of different case differ.
const CASE_BIT: u8 = 0x20;

fn eq_fold_whole(a: &str, b: &str) -> bool {
    if a.len() == b.len() && (a == b || a.eq_ignore_ascii_case(b)) {
        return true;
    }
    if a.is_ascii() && b.is_ascii() {
        return false;
    }
    a.chars()
        .flat_map(char::to_lowercase)
        .eq(b.chars().flat_map(char::to_lowercase))
}

/// The same for texts that are equal without case.
fn hash_fold(text: &str) -> u32 {
    if text.is_ascii() {
        return hash_ascii(text);
    }
    let lower: String = text.chars().flat_map(char::to_lowercase).collect();
    hash_ascii(&lower)
}

/// [`hash_fold`] of an ASCII text. The build script writes it into the table of embedded declarations, so that it
/// must not depend on the machine or a library.
pub(crate) fn hash_ascii(text: &str) -> u32 {
    let folded = folded_words(text.as_bytes()).fold(0_u64, |hash, word| {
        (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    (folded >> 32) as u32
}

/// Eight bytes at a time, the last padded; texts that are equal without case give the same. Setting the bit
/// in which ASCII letters of different case differ also makes some other characters alike, which is fine for
/// a hash.
fn folded_words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    const CASE: u64 = 0x2020_2020_2020_2020;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    // The length keeps a text apart from one that goes on with blanks.
    let last = u64::from_le_bytes(last) | CASE | (bytes.len() as u64) << 56;
    words
        .iter()
        .map(|word| u64::from_le_bytes(*word) | CASE)
        .chain([last])
}

impl PartialEq<str> for Name {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        eq_fold(self.as_str(), other)
    }
}

impl PartialEq<&str> for Name {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        eq_fold(self.as_str(), other)
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    /// Alphabetical without case.
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.as_str(), other.as_str());
        if a.is_ascii() && b.is_ascii() {
            let fold = |byte: u8| byte.to_ascii_lowercase();
            return a.bytes().map(fold).cmp(b.bytes().map(fold));
        }
        let fold = |text: &str| {
            text.chars()
                .flat_map(char::to_lowercase)
                .collect::<String>()
        };
        fold(a).cmp(&fold(b))
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Name {
    // By hand, since the derived form copies the text twice.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name::new(text))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.as_str())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl Default for Name {
    fn default() -> Self {
        Self::none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_suffix_is_split_only_in_canonical_form() {
        for (text, base, number) in [
            ("Foo", "Foo", 0),
            ("Foo_0", "Foo", 1),
            ("Foo_12", "Foo", 13),
            ("Foo_01", "Foo_01", 0),
            ("_3", "_3", 0),
            ("Foo_4294967295", "Foo_4294967295", 0),
            ("then_0", "then", 1),
        ] {
            let name = Name::new(text);
            assert_eq!((name.base(), name.number()), (base, number), "{text}");
            assert_eq!(Name::from_parts(base, number).as_str(), text);
        }
    }

    #[test]
    fn names_compare_without_case_and_keep_it() {
        assert_eq!(Name::new("Äpfel"), Name::new("äPFEL"));
        assert_eq!(Name::new(""), Name::none());
        assert_eq!(Name::new("FooBar").to_string(), "FooBar");
    }
}
