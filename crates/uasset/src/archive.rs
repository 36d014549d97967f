//! A reader that knows its package: names, object references, versions, and how deep it is.

use std::ops::{Deref, DerefMut};

use crate::read::Reader;
use crate::version::Step;
use crate::{ByteRange, Package, PackageError, PackageIndex, PackageName};

/// Nesting that no real package comes near; the deepest value of the corpus nests 9.
const MAX_DEPTH: u32 = 48;

/// A [`Reader`] over some bytes of a package, with the tables those bytes refer to.
pub(crate) struct Archive<'p> {
    reader: Reader<'p>,
    package: &'p Package,
    depth: u32,
}

impl<'p> Archive<'p> {
    pub(crate) fn new(package: &'p Package, range: ByteRange) -> Self {
        Self {
            reader: Reader::window(package.file(), range),
            package,
            depth: 0,
        }
    }

    pub(crate) fn package(&self) -> &'p Package {
        self.package
    }

    pub(crate) fn has(&self, step: Step) -> bool {
        self.package.summary().has(step)
    }

    pub(crate) fn is_ue4_at_least(&self, number: i32) -> bool {
        self.package.summary().is_ue4_at_least(number)
    }

    pub(crate) fn is_ue5_at_least(&self, number: i32) -> bool {
        self.package.summary().is_ue5_at_least(number)
    }

    /// A name: index into the name table and instance number.
    pub(crate) fn name(&mut self, what: &'static str) -> Result<PackageName, PackageError> {
        let offset = self.position();
        let index = self.i32(what)?;
        let number = self.u32(what)?;
        let names = self.package.names();
        usize::try_from(index)
            .ok()
            .and_then(|index| names.get(index))
            .map(|text| PackageName::new(text.clone(), number))
            .ok_or(PackageError::BadName {
                offset,
                found: index,
                names: names.len(),
            })
    }

    /// A reference to an import, an export or nothing; the tables are known to have it.
    pub(crate) fn index(&mut self, what: &'static str) -> Result<PackageIndex, PackageError> {
        let offset = self.position();
        let index = PackageIndex(self.i32(what)?);
        if self.package.holds(index) {
            return Ok(index);
        }
        Err(PackageError::BadIndex {
            offset,
            what,
            found: index.0,
        })
    }

    /// `count` things, one after the other. The count has been checked, but memory still grows only
    /// as the things are read.
    pub(crate) fn repeat<T>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, PackageError>,
    ) -> Result<Vec<T>, PackageError> {
        let mut things = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            things.push(read(self)?);
        }
        Ok(things)
    }

    /// Goes one level down for a value inside a value.
    pub(crate) fn nest<T>(
        &mut self,
        what: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, PackageError>,
    ) -> Result<T, PackageError> {
        if self.depth == MAX_DEPTH {
            return Err(PackageError::TooDeep {
                offset: self.position(),
                what,
                limit: MAX_DEPTH,
            });
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }
}

impl<'p> Deref for Archive<'p> {
    type Target = Reader<'p>;

    fn deref(&self) -> &Reader<'p> {
        &self.reader
    }
}

impl<'p> DerefMut for Archive<'p> {
    fn deref_mut(&mut self) -> &mut Reader<'p> {
        &mut self.reader
    }
}
