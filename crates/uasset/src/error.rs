//! What can go wrong in a package: one enum, every variant with the place and the value found.

use thiserror::Error;

/// Why a package, or one export of it, could not be read.
///
/// Offsets are bytes from the start of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackageError {
    /// The file does not start with the package tag.
    #[error("not an Unreal package: the file starts with {found:#010x} instead of 0x9e2a83c1")]
    NotAPackage {
        /// The first four bytes, little endian.
        found: u32,
    },
    /// The package was cooked: its graphs and names of editor data are gone.
    #[error(
        "the package is cooked (package flags {flags:#010x}); only uncooked packages hold graphs"
    )]
    Cooked {
        /// `EPackageFlags` as stored.
        flags: u32,
    },
    /// The package carries no version numbers, or its properties carry no tags.
    #[error("the package is unversioned; only packages saved by the editor can be read")]
    Unversioned,
    /// The package is stored compressed as a whole.
    #[error("the package is stored compressed (compression flags {flags:#x}, {chunks} chunks)")]
    Compressed {
        /// Compression flags of the summary.
        flags: u32,
        /// Number of compressed chunks.
        chunks: u32,
    },
    /// The package was saved by an engine newer than this reader knows.
    #[error("the package is too new: {what} is {found}, the newest known is {newest}")]
    TooNew {
        /// Which number it is.
        what: &'static str,
        /// The stored number.
        found: i32,
        /// The newest number this crate reads.
        newest: i32,
    },
    /// The package was saved by an engine older than this reader knows.
    #[error("the package is too old: {what} is {found}, the oldest known is {oldest}")]
    TooOld {
        /// Which number it is.
        what: &'static str,
        /// The stored number.
        found: i32,
        /// The oldest number this crate reads.
        oldest: i32,
    },
    /// A value needs more bytes than the file, export or property has left.
    #[error("byte {offset}: {what} needs {wanted} bytes, {left} are left")]
    End {
        /// Where the value starts.
        offset: usize,
        /// What was being read.
        what: &'static str,
        /// Bytes that the value needs.
        wanted: usize,
        /// Bytes up to the end of what is being read.
        left: usize,
    },
    /// A count is negative, or larger than the bytes that follow could hold.
    #[error("byte {offset}: {what} is {found}, which the {left} bytes that follow cannot hold")]
    BadCount {
        /// Where the count stands.
        offset: usize,
        /// What is counted.
        what: &'static str,
        /// The stored count.
        found: i64,
        /// Bytes up to the end of what is being read.
        left: usize,
    },
    /// A value is not one of those the format allows.
    #[error("byte {offset}: {what} has the unknown value {found}")]
    BadValue {
        /// Where the value stands.
        offset: usize,
        /// What was being read.
        what: &'static str,
        /// The stored value.
        found: i64,
    },
    /// A name refers to an entry that the name table does not have.
    #[error("byte {offset}: name {found} does not exist, the table has {names} names")]
    BadName {
        /// Where the name stands.
        offset: usize,
        /// The stored index.
        found: i32,
        /// Number of names in the table.
        names: usize,
    },
    /// An object reference points outside the import and export tables.
    #[error("byte {offset}: {what} refers to object {found}, which the package does not have")]
    BadIndex {
        /// Where the reference stands.
        offset: usize,
        /// What was being read.
        what: &'static str,
        /// The stored index.
        found: i32,
    },
    /// A word of the property system is not known.
    #[error("byte {offset}: {what} `{found}` is not known")]
    UnknownKind {
        /// Where the word stands.
        offset: usize,
        /// What was being read.
        what: &'static str,
        /// The stored word.
        found: String,
    },
    /// Values are nested deeper than any real package nests them.
    #[error("byte {offset}: {what} is nested more than {limit} deep")]
    TooDeep {
        /// Where the limit was hit.
        offset: usize,
        /// What was being read.
        what: &'static str,
        /// The limit.
        limit: u32,
    },
    /// The outers of an object form a ring, or a chain longer than any real one.
    #[error("the outers of object {index} form a ring or a chain of more than {limit}")]
    OuterChain {
        /// The object, as a stored index.
        index: i32,
        /// The longest chain accepted.
        limit: u32,
    },
    /// The fields of a struct form a ring.
    #[error("the field chain of export `{export}` comes back to itself")]
    FieldRing {
        /// Name of the struct, class or function.
        export: String,
    },
    /// There is no export with this number.
    #[error("export {export} does not exist, the package has {exports} exports")]
    NoSuchExport {
        /// The 0-based number asked for.
        export: usize,
        /// Number of exports.
        exports: usize,
    },
    /// An export is not what the caller asked to read.
    #[error("export `{export}` is a {found}, not a {wanted}")]
    WrongClass {
        /// Name of the export.
        export: String,
        /// Name of its class.
        found: String,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The bytes of an export lie outside the file.
    #[error(
        "export `{export}` lies at byte {offset} with {size} bytes, outside the file of {file} bytes"
    )]
    OutsideFile {
        /// Name of the export.
        export: String,
        /// Stored offset.
        offset: i64,
        /// Stored size in bytes.
        size: i64,
        /// Size of the file in bytes.
        file: usize,
    },
    /// The exports together have more bytes than the file, so some of them overlap.
    #[error("the exports have {total} bytes together, the file has {file}")]
    ExportsOverlap {
        /// Sum of the stored sizes in bytes.
        total: u64,
        /// Size of the file in bytes.
        file: usize,
    },
}
