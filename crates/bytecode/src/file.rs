//! The package file, `.bpx`.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | magic: `89 42 50 58 0D 0A 1A 0A` (`.BPX` between bytes that text transfers damage) |
//! | 8..10 | format version, `u16`; [`FORMAT_VERSION`] |
//! | 10, 11 | engine version: major, minor |
//! | 12..16 | length of the payload, `u32` |
//! | 16..20 | CRC-32 (IEEE) of bytes 0..16 and the payload, `u32` |
//! | 20.. | payload: the [`Package`] in postcard's wire format |
//!
//! Numbers are little-endian. The same package always gives the same bytes, and nothing follows the
//! payload. The checksum covers the header too, so a change of any single byte is found.

mod limited;

use bp_reflect::{EngineVersion, ObjectPath};
use serde::Deserialize;

use crate::Package;

/// The first bytes of every file.
pub const MAGIC: [u8; 8] = *b"\x89BPX\r\n\x1a\n";

/// The version that is written, and the only one that is read.
pub const FORMAT_VERSION: u16 = 2;

const HEADER: usize = 20;

/// Why bytes are no package file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The first bytes are not [`MAGIC`].
    #[error("byte 0: not a compiled package: the file does not begin with the magic of .bpx")]
    Magic,
    /// The file ends inside the header.
    #[error("byte {found}: the file ends inside its header of 20 bytes")]
    Header {
        /// The file's size.
        found: usize,
    },
    /// Another format version.
    #[error("byte 8: format version {0} is not {FORMAT_VERSION}, the one this program reads")]
    Version(u16),
    /// The file is shorter or longer than its header says.
    #[error("byte 12: the header says {stored} bytes of payload, the file has {found}")]
    Length {
        /// What the header says.
        stored: u32,
        /// What the file has.
        found: usize,
    },
    /// The bytes are not those that were written.
    #[error(
        "byte 16: the checksum is {stored:08X}, it should be {actual:08X}: the file is damaged"
    )]
    Checksum {
        /// What the header says.
        stored: u32,
        /// What follows from the bytes.
        actual: u32,
    },
    /// The payload is no package.
    #[error("byte {at}: the payload is no package: {reason}")]
    Payload {
        /// How far it could be read, in bytes from the start of the file.
        at: usize,
        /// What the reader says.
        reason: String,
    },
    /// The payload has another engine version than the header.
    #[error("byte 10: the header says engine {header}, the package {package}")]
    Engine {
        /// The header's.
        header: EngineVersion,
        /// The payload's.
        package: EngineVersion,
    },
    /// A property of the reference tables has no name.
    #[error("property {0} of the reference tables has no name")]
    Property(usize),
    /// A class has another number of scripts than of functions.
    #[error("{class} has {functions} functions and {scripts} scripts")]
    Scripts {
        /// The class.
        class: ObjectPath,
        /// Number of functions.
        functions: usize,
        /// Number of scripts.
        scripts: usize,
    },
}

/// Whether bytes begin as a package file does.
pub fn is_package_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The file of a package. The same package always gives the same bytes.
///
/// # Panics
/// If the package has more than 4 GiB.
pub fn write(package: &Package) -> Vec<u8> {
    let payload = postcard::to_stdvec(package).expect("the package's types always serialize");
    let length = u32::try_from(payload.len()).expect("packages are smaller than 4 GiB");
    let mut out = Vec::with_capacity(HEADER + payload.len());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    out.extend_from_slice(&[package.engine.major, package.engine.minor]);
    out.extend_from_slice(&length.to_le_bytes());
    let checksum = checksum(&out, &payload);
    out.extend_from_slice(&checksum.to_le_bytes());
    out.extend_from_slice(&payload);
    out
}

/// The package of a file.
///
/// Allocates no more than a fixed multiple of the file's size, whatever lengths it claims.
///
/// # Errors
/// See [`FileError`].
pub fn read(bytes: &[u8]) -> Result<Package, FileError> {
    let shown = bytes.len().min(MAGIC.len());
    if bytes[..shown] != MAGIC[..shown] {
        return Err(FileError::Magic);
    }
    let Some((header, payload)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(FileError::Header { found: bytes.len() });
    };
    let word = |at: usize| {
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version != FORMAT_VERSION {
        return Err(FileError::Version(version));
    }
    let engine = EngineVersion::new(header[10], header[11]);
    let length = word(12);
    if usize::try_from(length) != Ok(payload.len()) {
        return Err(FileError::Length {
            stored: length,
            found: payload.len(),
        });
    }
    let (stored, actual) = (word(16), checksum(&header[..16], payload));
    if stored != actual {
        return Err(FileError::Checksum { stored, actual });
    }
    let package = payload_of(payload)?;
    if package.engine != engine {
        return Err(FileError::Engine {
            header: engine,
            package: package.engine,
        });
    }
    if let Some(index) = package
        .references
        .properties
        .iter()
        .position(|property| property.path.is_empty())
    {
        return Err(FileError::Property(index + 1));
    }
    for class in &package.classes {
        let (functions, scripts) = (class.class.functions.len(), class.functions.len());
        if functions != scripts {
            return Err(FileError::Scripts {
                class: class.class.path.clone(),
                functions,
                scripts,
            });
        }
    }
    Ok(package)
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

fn payload_of(payload: &[u8]) -> Result<Package, FileError> {
    let failure = |rest: usize, reason: String| FileError::Payload {
        at: HEADER + payload.len() - rest,
        reason,
    };
    let mut deserializer = postcard::Deserializer::from_bytes(payload);
    let depth = limited::Depth::default();
    let package = Package::deserialize(limited::Limited::new(&mut deserializer, &depth));
    let rest = deserializer.finalize().map_or(0, <[u8]>::len);
    match package {
        Ok(_) if rest > 0 => Err(failure(rest, format!("{rest} bytes too many"))),
        Ok(package) => Ok(package),
        Err(_) if depth.exceeded.get() => Err(failure(
            rest,
            format!("values are nested deeper than {}", limited::MAX_DEPTH),
        )),
        Err(error) => Err(failure(rest, error.to_string())),
    }
}
