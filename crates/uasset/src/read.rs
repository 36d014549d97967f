//! The byte reader: a little-endian cursor over a window of the file.
//!
//! Every read is checked and says what it was reading when it fails. Positions are always offsets in
//! the whole file, whichever window is open, so an error can be looked up in a hex dump.
//! Nothing here allocates more than the bytes that are left could fill.

use std::fmt;

use crate::PackageError;

/// A half-open range of bytes of the package file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByteRange {
    /// First byte, counted from the start of the file.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl ByteRange {
    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether there are no bytes.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// The engine's `FGuid`: four 32-bit words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid(pub [u32; 4]);

impl Guid {
    /// The guid of nothing: four zero words.
    pub const ZERO: Self = Self([0; 4]);

    /// Whether all words are zero.
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }
}

impl fmt::Display for Guid {
    /// 32 upper-case hexadecimal digits, as the clipboard writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, "{word:08X}"))
    }
}

/// A cursor over a window of the file.
///
/// Every method fails with [`PackageError::End`] when the window has fewer bytes left than it needs.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// A reader of the whole file.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let whole = ByteRange {
            start: 0,
            end: bytes.len(),
        };
        Self::window(bytes, whole)
    }

    /// A reader of a range of the file; the part outside the file is cut off.
    pub(crate) fn window(bytes: &'a [u8], range: ByteRange) -> Self {
        let end = range.end.min(bytes.len());
        Self {
            bytes,
            position: range.start.min(end),
            end,
        }
    }

    /// Offset of the next byte in the file.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Bytes left in the window.
    pub(crate) fn left(&self) -> usize {
        self.end - self.position
    }

    /// The bytes of the window that were not read yet.
    pub(crate) fn rest(&self) -> ByteRange {
        ByteRange {
            start: self.position,
            end: self.end,
        }
    }

    /// Goes back to, or on to, an offset of the file; beyond the window means its end.
    pub(crate) fn seek(&mut self, position: usize) {
        self.position = position.min(self.end);
    }

    /// Narrows the window to the next `size` bytes and gives the old end, for [`Self::widen`].
    pub(crate) fn narrow(
        &mut self,
        size: usize,
        what: &'static str,
    ) -> Result<usize, PackageError> {
        self.need(size, what)?;
        let outer = self.end;
        self.end = self.position + size;
        Ok(outer)
    }

    /// Leaves a narrowed window: goes to its end and opens the window that was there before.
    pub(crate) fn widen(&mut self, outer: usize) {
        self.position = self.end;
        self.end = outer;
    }

    /// The next `size` bytes.
    pub(crate) fn bytes(
        &mut self,
        size: usize,
        what: &'static str,
    ) -> Result<&'a [u8], PackageError> {
        self.need(size, what)?;
        let start = self.position;
        self.position += size;
        Ok(&self.bytes[start..self.position])
    }

    /// The next `size` bytes as a range, without looking at them.
    pub(crate) fn range(
        &mut self,
        size: usize,
        what: &'static str,
    ) -> Result<ByteRange, PackageError> {
        self.need(size, what)?;
        let start = self.position;
        self.position += size;
        Ok(ByteRange {
            start,
            end: self.position,
        })
    }

    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u8, PackageError> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn i8(&mut self, what: &'static str) -> Result<i8, PackageError> {
        Ok(i8::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u16(&mut self, what: &'static str) -> Result<u16, PackageError> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn i16(&mut self, what: &'static str) -> Result<i16, PackageError> {
        Ok(i16::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, PackageError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn i32(&mut self, what: &'static str) -> Result<i32, PackageError> {
        Ok(i32::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64, PackageError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn i64(&mut self, what: &'static str) -> Result<i64, PackageError> {
        Ok(i64::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn f32(&mut self, what: &'static str) -> Result<f32, PackageError> {
        Ok(f32::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn f64(&mut self, what: &'static str) -> Result<f64, PackageError> {
        Ok(f64::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn guid(&mut self, what: &'static str) -> Result<Guid, PackageError> {
        let mut words = [0; 4];
        for word in &mut words {
            *word = self.u32(what)?;
        }
        Ok(Guid(words))
    }

    /// A boolean, which archives store in four bytes; anything but 0 and 1 means that the reader is
    /// not where it believes to be, so it is an error.
    pub(crate) fn bool(&mut self, what: &'static str) -> Result<bool, PackageError> {
        let offset = self.position;
        match self.u32(what)? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(PackageError::BadValue {
                offset,
                what,
                found: i64::from(found),
            }),
        }
    }

    /// A count of things that take at least `smallest` bytes each (at least 1), checked against
    /// the bytes that are left.
    pub(crate) fn count(
        &mut self,
        smallest: usize,
        what: &'static str,
    ) -> Result<usize, PackageError> {
        let offset = self.position;
        let found = self.i32(what)?;
        self.check_count(offset, found, smallest, what)
    }

    /// Checks a count that was read earlier, at `offset`, against the bytes that are left.
    pub(crate) fn check_count(
        &self,
        offset: usize,
        found: i32,
        smallest: usize,
        what: &'static str,
    ) -> Result<usize, PackageError> {
        usize::try_from(found)
            .ok()
            .filter(|count| *count <= self.left() / smallest.max(1))
            .ok_or(PackageError::BadCount {
                offset,
                what,
                found: i64::from(found),
                left: self.left(),
            })
    }

    /// A string (`FString`): its length with the closing zero, then bytes, or 16-bit units when the
    /// length is negative. The bytes of the short form are Latin-1.
    pub(crate) fn string(&mut self, what: &'static str) -> Result<String, PackageError> {
        let offset = self.position;
        let length = self.i32(what)?;
        let is_wide = length < 0;
        let units = length.unsigned_abs() as usize;
        let unit_size = if is_wide { 2 } else { 1 };
        if units > self.left() / unit_size {
            return Err(PackageError::BadCount {
                offset,
                what,
                found: i64::from(length),
                left: self.left(),
            });
        }
        let bytes = self.bytes(units * unit_size, what)?;
        let mut text = if is_wide {
            let units = bytes
                .chunks_exact(2)
                .map(|b| u16::from_le_bytes([b[0], b[1]]));
            char::decode_utf16(units)
                .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        } else {
            bytes
                .iter()
                .map(|byte| char::from(*byte))
                .collect::<String>()
        };
        if text.ends_with('\0') {
            text.pop();
        }
        Ok(text)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], PackageError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N, what)?);
        Ok(array)
    }

    fn need(&self, wanted: usize, what: &'static str) -> Result<(), PackageError> {
        if wanted <= self.left() {
            return Ok(());
        }
        Err(PackageError::End {
            offset: self.position,
            what,
            wanted,
            left: self.left(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_beyond_the_end_is_located() {
        let mut reader = Reader::new(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(reader.u32("tag"), Ok(0x0403_0201));
        assert_eq!(
            reader.i32("offset"),
            Err(PackageError::End {
                offset: 4,
                what: "offset",
                wanted: 4,
                left: 2
            })
        );
        assert_eq!(
            reader.u16("tail"),
            Ok(0x0605),
            "a failed read takes nothing"
        );
    }

    #[test]
    fn strings_come_in_bytes_or_in_16_bit_units() {
        let mut reader = Reader::new(b"\x03\0\0\0\xe9a\0\xfe\xff\xff\xff\x3d\x04\0\0\0\0\0\0");
        assert_eq!(reader.string("narrow").as_deref(), Ok("\u{e9}a"));
        assert_eq!(reader.string("wide").as_deref(), Ok("\u{43d}"));
        assert_eq!(reader.string("empty").as_deref(), Ok(""));
        assert_eq!(reader.left(), 0);
    }

    #[test]
    fn a_length_that_the_file_cannot_hold_is_refused_before_anything_is_allocated() {
        for length in [i32::MAX, i32::MIN, -2, 3] {
            let bytes = [length.to_le_bytes().as_slice(), &[0, 0]].concat();
            let error = Reader::new(&bytes).string("text");
            assert!(
                matches!(
                    error,
                    Err(PackageError::BadCount {
                        offset: 0,
                        left: 2,
                        ..
                    })
                ),
                "{length}: {error:?}"
            );
        }
        let error = Reader::new(&[0, 0, 0, 0x40, 1, 2, 3]).count(4, "pins");
        assert!(matches!(
            error,
            Err(PackageError::BadCount {
                found: 0x4000_0000,
                ..
            })
        ));
    }

    #[test]
    fn a_boolean_is_zero_or_one() {
        let mut reader = Reader::new(&[1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(reader.bool("flag"), Ok(true));
        assert!(matches!(
            reader.bool("flag"),
            Err(PackageError::BadValue {
                offset: 4,
                found: 2,
                ..
            })
        ));
    }

    #[test]
    fn a_narrowed_window_ends_early_and_is_left_at_its_end() {
        let mut reader = Reader::new(&[1, 2, 3, 4]);
        let outer = reader.narrow(2, "value").expect("four bytes are left");
        assert_eq!(reader.u8("first"), Ok(1));
        assert!(reader.u16("too much").is_err());
        reader.widen(outer);
        assert_eq!((reader.position(), reader.left()), (2, 2));
    }
}
