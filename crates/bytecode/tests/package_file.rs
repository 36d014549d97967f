//! The package file: lossless, and no damage goes unseen.

mod common;

use bp_bytecode::file::{FileError, MAGIC, read, write};
use bp_reflect::{Name, Value};
use common::sample_package::package;
use common::{DIALECTS, Rng};

#[test]
fn a_package_survives_and_is_always_written_alike() {
    for dialect in DIALECTS {
        let original = package(dialect);
        let bytes = write(&original);
        let again = read(&bytes).expect("the file is right");
        assert_eq!(again, original);
        assert_eq!(write(&again), bytes);
    }
}

#[test]
fn every_flip_of_a_byte_is_found() {
    let bytes = write(&package(DIALECTS[1]));
    let mut rng = Rng::new(1);
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xFF, 1 + rng.below(255) as u8] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            read(&damaged).expect_err("a changed byte is found");
        }
    }
}

#[test]
fn every_truncation_is_found() {
    let mut bytes = write(&package(DIALECTS[1]));
    for length in 0..bytes.len() {
        read(&bytes[..length]).expect_err("a missing end is found");
    }
    bytes.push(0);
    read(&bytes).expect_err("an end that is too long is found");
}

#[test]
fn errors_name_place_and_reason() {
    let bytes = write(&package(DIALECTS[1]));
    let check = |change: &dyn Fn(&mut Vec<u8>), expected: &str| {
        let mut damaged = bytes.clone();
        change(&mut damaged);
        let error = read(&damaged).expect_err("the file is damaged").to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check(&|b| b[0] = b'X', "byte 0: not a compiled package");
    check(
        &|b| b.truncate(11),
        "byte 11: the file ends inside its header",
    );
    check(&|b| b[8] = 7, "byte 8: format version 7 is not 2");
    check(&|b| b.truncate(100), "byte 12: the header says");
    check(&|b| b[10] ^= 1, "byte 16: the checksum is");
    assert_eq!(read(b"PK\x03\x04"), Err(FileError::Magic));
}

/// A file whose checksum is right, with any payload.
fn sealed(payload: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&[1, 0, 5, 6]);
    out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&out);
    hasher.update(payload);
    out.extend_from_slice(&hasher.finalize().to_le_bytes());
    out.extend_from_slice(payload);
    out
}

#[test]
fn crafted_payloads_are_refused_without_panic() {
    let bytes = write(&package(DIALECTS[1]));
    let payload = &bytes[20..];
    let mut rng = Rng::new(3);
    for at in 0..payload.len() {
        let mut damaged = payload.to_vec();
        damaged[at] = rng.below(256) as u8;
        let _ = read(&sealed(&damaged));
        let _ = read(&sealed(&payload[..at]));
    }
    // Lengths that the file does not have.
    let mut huge = vec![5, 6];
    huge.extend_from_slice(&[0xFF; 9]);
    huge.push(0x01);
    read(&sealed(&huge)).expect_err("there are not that many names");
}

#[test]
fn nesting_is_limited() {
    let mut value = Value::List(Vec::new());
    for _ in 0..60 {
        value = Value::List(vec![value]);
    }
    let mut deep = package(DIALECTS[1]);
    deep.classes[0].defaults = vec![(Name::new("Deep"), value.clone())];
    read(&write(&deep)).expect("60 levels are read");
    for _ in 0..40 {
        value = Value::List(vec![value]);
    }
    deep.classes[0].defaults = vec![(Name::new("Deep"), value)];
    let error = read(&write(&deep)).expect_err("too deep").to_string();
    assert!(
        error.contains("values are nested deeper than 160"),
        "{error}"
    );
    assert!(error.starts_with("byte "), "{error}");
}
