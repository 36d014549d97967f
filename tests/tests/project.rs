//! Real packages that refer to others of their project. Skipped, with a line that says so, where the corpus
//! is not there.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bp_cli::input::{Input, read_file};
use bp_cli::load::{Loaded, Options, load};
use bp_cli::project::{ContextPackage, package_files};
use bp_graph::{Blueprint, BlueprintKind};
use bp_reflect::Registry;
use rayon::prelude::*;

fn corpus() -> Option<PathBuf> {
    let corpus = bp_tests::corpus().map(|corpus| corpus.join("uasset"));
    if corpus.is_none() {
        eprintln!("skipped: the corpus is not at ../shared/corpus, nor at BP_CORPUS");
    }
    corpus
}

fn load_file(file: &Path, options: &Options) -> Loaded {
    let bytes = read_file(file).expect("it is in the corpus");
    let mut input = Input::new(file.to_string_lossy(), bytes, None);
    input.path = Some(file.to_owned());
    load(&[input], options).expect("it is an input")
}

fn scripts(
    blueprint: &Blueprint,
    libraries: &[&Blueprint],
    registry: &Registry,
) -> BTreeMap<String, Vec<u8>> {
    let options = bp_compiler::Options {
        engine: Some(blueprint.engine),
        debug_sites: true,
    };
    let blueprints = std::slice::from_ref(blueprint);
    let compilation = bp_compiler::compile(blueprints, libraries, registry, options);
    let package = compilation.partial_package(registry, blueprint.engine);
    let functions = bp_cli::pipeline::functions(&package, None);
    functions
        .map(|(_, name, function)| (name.to_string(), function.script.clone()))
        .collect()
}

/// The scripts with every package of the project at hand.
fn scripts_among_all(
    loaded: &Loaded,
    all: &[(PathBuf, ContextPackage)],
) -> BTreeMap<String, Vec<u8>> {
    let blueprint = &loaded.blueprints[0];
    let mut registry = bp_reflect::declarations::embedded(loaded.engine);
    for (_, other) in all {
        if other.package.long_name() != blueprint.class_path.package() {
            other.declare(&mut registry);
        }
    }
    if blueprint.kind != BlueprintKind::MacroLibrary {
        registry.add_class(bp_graph::outline(blueprint, &registry));
    }
    bp_compiler::declare(std::slice::from_ref(blueprint), &mut registry);
    let libraries: Vec<&Blueprint> = loaded.standard.iter().collect();
    scripts(blueprint, &libraries, &registry)
}

#[test]
fn the_packages_that_are_read_are_enough_and_few() {
    let Some(corpus) = corpus() else { return };
    let project = corpus.join("ultraleap+UnrealPlugin");
    let all: Vec<(PathBuf, ContextPackage)> = package_files(&project)
        .expect("readable")
        .into_iter()
        .filter_map(|file| {
            let bytes = read_file(&file).expect("readable");
            let package = ContextPackage::read(file.display().to_string(), bytes).ok()?;
            Some((file, package))
        })
        .collect();
    // All of the 296 packages compile alike; a tenth of them takes long enough.
    let n_read: Vec<usize> = all
        .par_iter()
        .step_by(12)
        .map(|(file, _)| {
            let loaded = load_file(file, &Options::default());
            let few = scripts(&loaded.blueprints[0], &loaded.libraries(), &loaded.registry);
            let many = scripts_among_all(&loaded, &all);
            assert!(few == many, "{} compiles to something else", file.display());
            loaded.context.len()
        })
        .collect();
    assert!(n_read.iter().sum::<usize>() > 5, "{n_read:?}");
    assert!(n_read.iter().all(|n| *n < all.len() / 4), "{n_read:?}");
}

const USER: &str = r#"{"format": "blueprint/1", "name": "BP_User", "parent": "SpawnerMenu", "engine": "4.26",
"graphs": [{"name": "EventGraph", "kind": "event", "nodes": [
  {"id": "begin", "class": "Event", "event": "ReceiveBeginPlay"},
  {"id": "stamp", "class": "MacroInstance", "macro": "SpawnerMenu.MakeTimeStampString"},
  {"id": "say", "class": "CallFunction", "function": "PrintString"}],
 "links": [["begin.then", "say.execute"], ["stamp.Timestamp", "say.InString"]]}]}"#;

#[test]
fn json_uses_macros_and_classes_of_packages_by_their_short_names() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("microsoft+MixedReality-Unreal-Samples");
    let without = load(
        &[Input::new("user.json", USER.into(), None)],
        &Options::default(),
    )
    .expect("an input");
    assert!(without.diagnostics.has_errors());
    let options = Options {
        project: Some(folder),
        ..Options::default()
    };
    let loaded = load(&[Input::new("user.json", USER.into(), None)], &options).expect("an input");
    let found: Vec<&str> = loaded
        .diagnostics
        .iter()
        .map(|one| one.message.as_str())
        .collect();
    assert!(found.is_empty(), "{found:?}");
    let package = bp_tests::roundtrip::build(&loaded, false).expect("it compiles");
    let package = bp_tests::roundtrip::verify(package, &loaded).expect("it is good");
    let text = bp_bytecode::asm::print(&package, bp_bytecode::asm::PrintOptions::default());
    // Nodes of the macro's graph.
    assert!(text.contains("KismetMathLibrary:BreakDateTime"), "{text}");
    assert!(text.contains("SpawnerMenu_C"), "{text}");
}

#[test]
fn a_package_is_found_by_its_name_where_no_content_folder_is() {
    let Some(corpus) = corpus() else { return };
    let from = corpus.join("ultraleap+UnrealPlugin/Content/InteractionEngine/IEUtils.uasset");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut n_copied = 0;
    for file in package_files(&corpus.join("ultraleap+UnrealPlugin")).expect("readable") {
        let name = file.file_name().expect("it has one");
        std::fs::copy(&file, folder.path().join(name)).expect("writable");
        n_copied += 1;
    }
    assert!(n_copied > 50);
    let input = folder.path().join("IEUtils.uasset");
    let names = |loaded: &Loaded| -> Vec<String> {
        let packages = loaded.context.iter();
        packages
            .map(|one| one.package.long_name().to_owned())
            .collect()
    };
    let alone = load_file(&input, &Options::default());
    assert!(names(&alone).is_empty());
    let options = Options {
        project: Some(folder.path().to_owned()),
        ..Options::default()
    };
    let mounted = names(&load_file(&from, &Options::default()));
    assert!(!mounted.is_empty());
    assert_eq!(names(&load_file(&input, &options)), mounted);
}

#[test]
fn what_others_implement_is_inferred_as_an_interface() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("ultraleap+UnrealPlugin/Content/PoseDetection/Pawn");
    let mut inputs = Vec::new();
    for file in package_files(&folder).expect("readable") {
        let bytes = read_file(&file).expect("it is in the corpus");
        let mut input = Input::new(file.to_string_lossy(), bytes, None);
        input.path = Some(file);
        inputs.push(input);
    }
    let loaded = load(&inputs, &Options::default()).expect("they are inputs");
    let class = "/UltraleapTracking/PoseDetection/Pawn/PoseDetectionHandInterface";
    let known = loaded
        .registry
        .classes()
        .filter(|known| known.path.package() == class);
    let kinds: Vec<bool> = known.map(bp_reflect::Class::is_interface).collect();
    // Nothing declares it: one Blueprint implements it, another sends it messages.
    assert_eq!(kinds, [true]);
    let package = bp_tests::roundtrip::build(&loaded, false).expect("it compiles");
    bp_tests::roundtrip::verify(package, &loaded).expect("it is good");
}
