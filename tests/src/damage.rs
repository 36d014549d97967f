//! Damaged packages: seeded changes of real files, and everything that reads packages let loose on them.
//!
//! A change is a function of the seed and the case's number alone, so a case is found again by these two.

use bp_bytecode::asm::{self, PrintOptions};
use bp_bytecode::{Package as Compiled, listing, verify};
use bp_cli::pipeline;
use bp_reflect::Registry;
use bp_uasset::{Package, PackageError, PackageIndex, scripts, to_blueprint};

/// A real package, and where a change hurts.
#[derive(Clone, Debug)]
pub struct Original {
    /// What messages call it.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Bytes before the exports: summary and tables.
    pub header: usize,
    /// Start and end of each script.
    pub scripts: Vec<(usize, usize)>,
}

impl Original {
    /// A package to damage; none if it has no script.
    pub fn new(name: String, bytes: Vec<u8>) -> Option<Self> {
        let package = Package::read(bytes.as_slice()).ok()?;
        let ranges: Vec<_> = scripts(&package)
            .ok()?
            .iter()
            .map(|script| script.function.base.script.range)
            .map(|range| (range.start, range.end))
            .collect();
        let header = usize::try_from(package.summary().header_size).ok()?;
        (!ranges.is_empty()).then(|| Self {
            header: header.min(bytes.len()),
            scripts: ranges,
            name,
            bytes,
        })
    }
}

/// What became of a damaged package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Its tables are refused.
    Refused(&'static str),
    /// Its tables are read; a class or function record is refused.
    RecordRefused(&'static str),
    /// A script cannot be decoded to its end.
    ScriptFault,
    /// All scripts are decoded; the verifier refuses one.
    VerifierRefused,
    /// Nothing that the readers look at is wrong.
    Fine,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(kind) => write!(f, "refused: {kind}"),
            Self::RecordRefused(kind) => write!(f, "a record is refused: {kind}"),
            Self::ScriptFault => f.write_str("a script is shown in part"),
            Self::VerifierRefused => f.write_str("the verifier refuses a script"),
            Self::Fine => f.write_str("read, shown and verified"),
        }
    }
}

/// Reads whatever can be read of a file's bytes: every export in every form, the Blueprint, the scripts, their
/// text in both styles and back, and the verifier. The results do not matter, only that there are some.
pub fn read_everything(bytes: &[u8], registry: &Registry) -> Outcome {
    let package = match Package::read(bytes) {
        Ok(package) => package,
        Err(error) => return Outcome::Refused(kind(&error)),
    };
    for export in 0..package.exports().len() {
        let index = PackageIndex::of_export(export);
        package.path(index);
        package.class_path(index);
        let _ = package.object(export);
        let _ = package.function(export);
        let _ = package.class(export);
        let _ = package.script_struct(export);
        let _ = package.enumeration(export);
        let _ = package.graph(export);
        let _ = package.node(export);
    }
    let _ = to_blueprint(&package);
    match pipeline::stored_package(&package) {
        Ok((compiled, faults)) => {
            let is_right = show_and_verify(&compiled, registry);
            if !faults.is_empty() {
                Outcome::ScriptFault
            } else if is_right {
                Outcome::Fine
            } else {
                Outcome::VerifierRefused
            }
        }
        Err(error) => Outcome::RecordRefused(kind(&error)),
    }
}

/// Prints a package in both styles, assembles the text and verifies; whether the verifier lets it pass.
///
/// # Panics
/// The text does not assemble to the same package: printing must hold for whatever was decoded.
pub fn show_and_verify(package: &Compiled, registry: &Registry) -> bool {
    let text = asm::print(package, PrintOptions::READABLE);
    match asm::parse(&text) {
        Ok(assembly) => assert!(
            assembly.package == *package,
            "the text assembles to another package"
        ),
        Err(errors) => panic!("the text does not assemble: {}", errors[0]),
    }
    for (class, name, code) in pipeline::functions(package, None) {
        let script = pipeline::readable(package, code);
        let signature = &class.class.functions[name];
        listing::editor(package, class, signature, &script, registry);
    }
    verify::check(package, registry).errors.is_empty()
}

fn kind(error: &PackageError) -> &'static str {
    match error {
        PackageError::NotAPackage { .. } => "not a package",
        PackageError::Cooked { .. } => "cooked",
        PackageError::Unversioned => "unversioned",
        PackageError::Compressed { .. } => "compressed",
        PackageError::TooNew { .. } => "too new",
        PackageError::TooOld { .. } => "too old",
        PackageError::End { .. } => "ends too early",
        PackageError::BadCount { .. } => "bad count",
        PackageError::BadValue { .. } => "bad value",
        PackageError::BadName { .. } => "bad name",
        PackageError::BadIndex { .. } => "bad reference",
        PackageError::UnknownKind { .. } => "unknown kind",
        PackageError::TooDeep { .. } => "too deep",
        PackageError::OuterChain { .. } => "ring of outers",
        PackageError::FieldRing { .. } => "ring of fields",
        PackageError::NoSuchExport { .. } => "no such export",
        PackageError::WrongClass { .. } => "wrong class",
        PackageError::OutsideFile { .. } => "outside the file",
        PackageError::ExportsOverlap { .. } => "overlapping exports",
    }
}

/// The damaged copy of a package that belongs to a seed and a case.
pub fn damaged(original: &Original, seed: u64, case: u64) -> Vec<u8> {
    let mut numbers = Numbers::new(seed, case);
    let mut bytes = original.bytes.clone();
    for _ in 0..=numbers.below(4) {
        change(&mut bytes, original, &mut numbers);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, original: &Original, numbers: &mut Numbers) {
    /// Counts, sizes and indices that readers get wrong.
    const WORDS: [i32; 14] = [
        0,
        1,
        -1,
        2,
        3,
        7,
        0x7F,
        0x100,
        0x1000,
        0x0100_0000,
        i32::MAX,
        i32::MIN,
        i32::MAX - 1,
        -2,
    ];
    const BYTES: [u8; 8] = [0, 1, 0x7F, 0x80, 0xFF, 0x53, 0x16, 0x38];
    if bytes.len() < 16 {
        return;
    }
    // A third in the tables, a third in scripts, a third anywhere.
    let (start, end) = match numbers.below(3) {
        0 => (0, original.header),
        1 => original.scripts[numbers.below(original.scripts.len())],
        _ => (0, bytes.len()),
    };
    let end = end.min(bytes.len() - 8);
    let at = start.min(end) + numbers.below(end.saturating_sub(start).max(1));
    let at = at.min(bytes.len() - 8);
    match numbers.below(10) {
        0 | 1 => bytes[at] ^= 1 << numbers.below(8),
        2 => bytes[at] = numbers.below(256) as u8,
        3 => bytes[at] = BYTES[numbers.below(BYTES.len())],
        4 | 5 => {
            let word = WORDS[numbers.below(WORDS.len())];
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        6 => {
            // Another reference of the same kind, more or less.
            let word = i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
            let word = word.wrapping_add(numbers.below(17) as i32 - 8);
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        7 => {
            let other = numbers.below(bytes.len() - 64).min(bytes.len() - 8);
            let length = numbers.below(64).min(bytes.len() - at.max(other));
            bytes.copy_within(other..other + length, at);
        }
        8 => {
            let length = numbers.below(16).min(bytes.len() - at);
            if numbers.below(2) == 0 {
                bytes.drain(at..at + length);
            } else {
                let copy = bytes[at..at + length].to_vec();
                bytes.splice(at..at, copy);
            }
        }
        _ => bytes.truncate(at + numbers.below(bytes.len() - at)),
    }
}

/// A sequence of numbers that looks random and is the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn new(seed: u64, case: u64) -> Self {
        let mixed = seed
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(case.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Self(mixed | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % end.max(1) as u64) as usize
    }
}
