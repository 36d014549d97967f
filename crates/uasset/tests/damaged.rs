//! Damaged packages: reading ends with a result, whatever the bytes are.
//!
//! Packages of the shared corpus are cut short and changed at places that a fixed sequence of
//! numbers gives; without the corpus the test says so and passes.

#![expect(clippy::print_stderr, reason = "says when nothing was tested")]

use std::fs;
use std::path::{Path, PathBuf};

use bp_uasset::{Package, PackageIndex, classes, scripts, to_blueprint};

/// Packages with fewer bytes are used, so that the test stays quick.
const LARGEST: u64 = 60_000;
/// Changed copies of each package.
const COPIES: u32 = 24;

#[test]
fn a_damaged_package_is_read_or_refused_but_never_stops_the_reader() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/uasset");
    if !root.is_dir() {
        eprintln!("skipped: there is no corpus at {}", root.display());
        return;
    }
    let mut files = Vec::new();
    list_small_packages(&root, &mut files);
    files.sort();
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    for file in files.iter().step_by(5) {
        let whole = fs::read(file).expect("the corpus can be read");
        for copy in 0..COPIES {
            let mut bytes = whole.clone();
            if copy % 8 == 0 {
                bytes.truncate(numbers.below(whole.len()));
            }
            for _ in 0..=copy % 5 {
                damage(&mut bytes, &mut numbers);
            }
            read_everything(bytes);
        }
    }
}

/// Puts a value at some place that a count, index or size could be mistaken for.
fn damage(bytes: &mut [u8], numbers: &mut Numbers) {
    const VALUES: [i32; 8] = [0, 1, -1, 2, i32::MAX, i32::MIN, 0x0100_0000, 7];
    if bytes.len() < 8 {
        return;
    }
    // Half of the places lie in the tables, which come first.
    let end = match numbers.below(2) {
        0 => bytes.len() - 4,
        _ => (bytes.len() - 4).min(4_000),
    };
    let place = numbers.below(end);
    let value = VALUES[numbers.below(VALUES.len())];
    bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
}

fn read_everything(bytes: Vec<u8>) {
    let Ok(package) = Package::read(bytes) else {
        return;
    };
    for export in 0..package.exports().len() {
        let index = PackageIndex::of_export(export);
        assert!(package.path(index).len() < 100_000);
        package.class_path(index);
        // The results do not matter, only that there are some.
        let _ = package.object(export);
        let _ = package.function(export);
        let _ = package.class(export);
        let _ = package.script_struct(export);
        let _ = package.enumeration(export);
        let _ = package.graph(export);
        let _ = package.node(export);
    }
    let _ = to_blueprint(&package);
    let _ = classes(&package);
    let _ = scripts(&package);
}

fn list_small_packages(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the corpus can be listed") {
        let entry = entry.expect("the corpus can be listed");
        let path = entry.path();
        if path.is_dir() {
            list_small_packages(&path, files);
        } else if entry.metadata().is_ok_and(|file| file.len() < LARGEST) {
            files.push(path);
        }
    }
}

/// A sequence of numbers that looks random and is the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}
