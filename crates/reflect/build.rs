//! Turns the declarations in `graphs/engine/declarations/*.json` into the two files that the crate
//! embeds: an index and the bodies. It uses the crate's own reader and writer.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "the included files serve the crate; only a part of them is used here"
)]

use std::cmp::Ordering;
use std::path::Path;
use std::{env, fs};

#[path = "src/enumeration.rs"]
mod enumeration;
#[path = "src/flags.rs"]
mod flags;
#[path = "src/function_meta.rs"]
mod function_meta;
#[path = "src/declarations/json.rs"]
mod json;
#[path = "src/name.rs"]
mod name;
#[path = "src/path.rs"]
mod path;
#[path = "src/declarations/raw.rs"]
mod raw;
#[path = "src/declarations/stock.rs"]
mod stock;
#[path = "src/types.rs"]
mod types;
#[path = "src/version.rs"]
mod version;

use enumeration::{Enum, EnumEntry, EnumForm};
use flags::{FunctionFlags, PropertyFlags};
use function_meta::FunctionMeta;
use name::Name;
use path::ObjectPath;
use raw::RawPackage;
use serde::Serialize;
use stock::{Index, Section, compare, short_name};
use types::{PropertyType, TypeParseError};
use version::EngineVersion;

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let out = env::var("OUT_DIR").expect("set by cargo");
    let dir = Path::new(&manifest).join("../../graphs/engine/declarations");
    println!("cargo::rerun-if-changed={}", dir.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    let mut files: Vec<_> = fs::read_dir(&dir)
        .unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|file| file.extension().is_some_and(|ext| ext == "json"))
        .collect();
    files.sort();
    let packages: Vec<_> = files
        .iter()
        .map(|file| {
            let text = fs::read_to_string(file).expect("a readable file");
            json::read(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        })
        .collect();
    let (index, bodies) = write(&packages).expect("plain data");
    for (name, bytes) in [("index.bin", index), ("bodies.bin", bodies)] {
        let path = Path::new(&out).join(name);
        // A copied target folder may link to the file of another one, which must keep its own.
        let _ = fs::remove_file(&path);
        fs::write(path, bytes).expect("a writable folder");
    }
}

/// The index and the bodies of all packages.
fn write(packages: &[RawPackage]) -> Result<(Vec<u8>, Vec<u8>), postcard::Error> {
    let mut index = Index::default();
    let mut bodies = Vec::new();
    let classes: Vec<_> = packages.iter().flat_map(|p| &p.classes).collect();
    let structs = packages.iter().flat_map(|p| &p.structs);
    let enums = packages.iter().flat_map(|p| &p.enums);
    let delegates = packages.iter().flat_map(|p| &p.delegates);
    index.classes = section(classes.iter().map(|c| (c.path.as_str(), *c)), &mut bodies)?;
    index.structs = section(structs.map(|s| (s.path.as_str(), s)), &mut bodies)?;
    index.enums = section(enums.map(|e| (e.path.as_str(), e)), &mut bodies)?;
    index.delegates = section(delegates.map(|d| (d.0.as_str(), &d.1)), &mut bodies)?;
    for (i, class) in classes.iter().enumerate() {
        let i = i as u32;
        let mut ancestor = class.super_class.as_ref();
        let mut steps = 0;
        while let Some(path) = ancestor {
            if path.as_str() == "/Script/Engine.BlueprintFunctionLibrary" {
                index.libraries.push(i);
                let functions = class.functions.iter();
                index
                    .library_functions
                    .extend(functions.map(|function| (function.name.as_str(), i)));
                break;
            }
            steps += 1;
            assert!(steps < 64, "{} is its own ancestor", class.path);
            ancestor = classes
                .iter()
                .find(|other| other.path == *path)
                .and_then(|other| other.super_class.as_ref());
        }
        let delegates = class.delegates.iter();
        index
            .class_delegates
            .extend(delegates.map(|delegate| (delegate.name.as_str(), i)));
    }
    for list in [&mut index.library_functions, &mut index.class_delegates] {
        list.sort_by(|a, b| compare(a.0, b.0).then(a.1.cmp(&b.1)));
    }
    index.library_table = stock::table(index.library_functions.iter().map(|one| one.0));
    Ok((postcard::to_stdvec(&index)?, bodies))
}

fn section<'a, T: Serialize>(
    items: impl Iterator<Item = (&'a str, T)>,
    bodies: &mut Vec<u8>,
) -> Result<Section<'a>, postcard::Error> {
    let mut section = Section {
        start: bodies.len() as u32,
        ..Section::default()
    };
    for (path, item) in items {
        assert!(path.is_ascii(), "{path} is not ASCII");
        bodies.extend(postcard::to_stdvec(&item)?);
        section.paths.push(path);
        section.ends.push(bodies.len() as u32);
    }
    let paths = &section.paths;
    let mut positions: Vec<u32> = (0..paths.len() as u32).collect();
    positions.sort_by(|&a, &b| compare(paths[a as usize], paths[b as usize]));
    for pair in positions.windows(2) {
        let [a, b] = [paths[pair[0] as usize], paths[pair[1] as usize]];
        assert_ne!(compare(a, b), Ordering::Equal, "{a} is declared twice");
    }
    positions.sort_by(|&a, &b| {
        let name = |i: u32| short_name(paths[i as usize]);
        compare(name(a), name(b)).then(a.cmp(&b))
    });
    section.name_table = stock::table(positions.iter().map(|&i| short_name(paths[i as usize])));
    section.by_name = positions;
    section.hash_paths();
    Ok(section)
}
