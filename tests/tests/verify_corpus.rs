//! The verifier over real packages: what the engine's compiler stored, and what ours makes of the same graphs.
//! Skipped, with a line that says so, where the corpus is not there.

#![expect(
    clippy::print_stderr,
    reason = "figures are printed, and a skipped test says so"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use bp_bytecode::verify::{Report, check};

use bp_cli::pipeline::stored_package;
use bp_cli::project::package_files;
use bp_compiler::Options;
use bp_graph::{Blueprint, BlueprintKind};
use bp_reflect::{EngineVersion, Registry, declarations};
use bp_uasset::Package;
use rayon::prelude::*;

/// An Unreal package of a project.
struct Asset {
    name: String,
    package: Package,
    blueprint: Blueprint,
}

/// Sums of reports.
#[derive(Default)]
struct Figures {
    packages: usize,
    scripts: usize,
    statements: usize,
    calls: usize,
    unknown_calls: usize,
    unknown: BTreeSet<String>,
    refused: Vec<String>,
}

impl Figures {
    fn add(&mut self, name: &str, report: Report) {
        self.packages += usize::from(report.n_scripts > 0);
        self.scripts += report.n_scripts;
        self.statements += report.n_statements;
        self.calls += report.n_calls;
        self.unknown_calls += report.n_unknown_calls();
        self.unknown.extend(report.unknown_callees.into_keys());
        self.refused
            .extend(report.errors.iter().map(|error| format!("{name}: {error}")));
    }

    fn print(&self, what: &str) {
        eprintln!(
            "verify, {what}: {} packages with scripts, {} scripts, {} statements, {} calls, of which {} to {} \
             functions that nothing declares and that are typed unknown; {} errors",
            self.packages,
            self.scripts,
            self.statements,
            self.calls,
            self.unknown_calls,
            self.unknown.len(),
            self.refused.len(),
        );
    }

    /// That nothing is refused but what is expected: packages and numbers of errors.
    fn must_be(&self, expected: &[(&str, usize)]) {
        let mut found = BTreeMap::new();
        for error in &self.refused {
            let (name, _) = error.split_once(": ").expect("it begins with the package");
            let stem = Path::new(name).file_stem().expect("it has one");
            *found.entry(stem.to_string_lossy()).or_insert(0) += 1;
        }
        let found: Vec<(&str, usize)> = found.iter().map(|(name, n)| (&**name, *n)).collect();
        assert_eq!(found, expected, "\n{}", self.refused.join("\n"));
    }
}

/// Packages whose project's C++ classes are declared as another package uses them, because the classes changed
/// in between or a variable was taken for another of its name: the types of `FeatureLayer` and
/// `WeatherQuery` variables, a parameter of `GetLatestFrameData`. By their own declarations all are right.
const DECLARED_OTHERWISE: [(&str, usize); 3] = [
    ("FeatureLayer_WBP", 10),
    ("MetahumanTemplate", 1),
    ("Weather_WBP", 3),
];

/// Packages by project, in order of path.
fn projects() -> Option<BTreeMap<String, Vec<Asset>>> {
    let Some(corpus) = bp_tests::corpus() else {
        eprintln!("skipped: the corpus is not at ../shared/corpus, nor at BP_CORPUS");
        return None;
    };
    let folder = corpus.join("uasset");
    let paths = package_files(&folder).expect("readable");
    let assets: Vec<(String, Asset)> = paths
        .par_iter()
        .map(|path| {
            let name = path.strip_prefix(&folder).expect("it was found there");
            let project = name.iter().next().expect("it has a name");
            let package = Package::read(fs::read(path).expect("readable"))
                .unwrap_or_else(|error| panic!("{}: {error}", name.display()));
            let (blueprint, _) = bp_uasset::to_blueprint(&package);
            let asset = Asset {
                name: name.to_string_lossy().into_owned(),
                package,
                blueprint,
            };
            (project.to_string_lossy().into_owned(), asset)
        })
        .collect();
    let mut projects: BTreeMap<String, Vec<Asset>> = BTreeMap::new();
    for (project, asset) in assets {
        projects.entry(project).or_default().push(asset);
    }
    Some(projects)
}

/// Declarations of the projects' own C++ classes, where they are at hand.
fn project_declarations(engine: EngineVersion, registry: &mut Registry) {
    let folder = bp_tests::root().join("../shared/engine/declarations/project");
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    for path in paths {
        let text = fs::read_to_string(&path).expect("readable");
        declarations::read(&text, engine)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
            .add_to(registry);
    }
}

/// What is known besides a package: its project's C++ classes and its other packages.
fn registry_of(assets: &[Asset], engine: EngineVersion) -> Registry {
    let mut registry = declarations::embedded(engine);
    project_declarations(engine, &mut registry);
    for asset in assets {
        for class in bp_uasset::classes(&asset.package).expect("it was read") {
            registry.add_class(class);
        }
        for structure in bp_uasset::structs(&asset.package).expect("it was read") {
            registry.add_struct(structure);
        }
        for enumeration in bp_uasset::enums(&asset.package).expect("it was read") {
            registry.add_enum(enumeration);
        }
    }
    registry
}

/// Each engine version of a project with its packages' registry.
fn by_engine(assets: &[Asset]) -> impl Iterator<Item = (EngineVersion, Registry)> + '_ {
    let engines: BTreeSet<EngineVersion> =
        assets.iter().map(|asset| asset.package.engine()).collect();
    engines
        .into_iter()
        .map(|engine| (engine, registry_of(assets, engine)))
}

/// The package with every script it stores, those of delegate signatures too, which are no functions of
/// their class.
fn stored(asset: &Asset) -> bp_bytecode::Package {
    let (package, faults) = stored_package(&asset.package).expect("it was read");
    assert!(
        faults.is_empty(),
        "{}: a script does not decode",
        asset.name
    );
    let scripts = bp_uasset::scripts(&asset.package).expect("it was read");
    let n_scripts: usize = package
        .classes
        .iter()
        .flat_map(|compiled| &compiled.functions)
        .filter(|function| !function.script.is_empty())
        .count();
    assert_eq!(n_scripts, scripts.len(), "{}", asset.name);
    package
}

#[test]
fn stored_scripts_are_accepted() {
    let Some(projects) = projects() else { return };
    let mut alone = Figures::default();
    let mut together = Figures::default();
    for assets in projects.values() {
        for (engine, registry) in by_engine(assets) {
            let reports: Vec<(&Asset, Report, Report)> = assets
                .par_iter()
                .filter(|asset| asset.package.engine() == engine)
                .map(|asset| {
                    let package = stored(asset);
                    let embedded = declarations::embedded(engine);
                    (
                        asset,
                        check(&package, &embedded),
                        check(&package, &registry),
                    )
                })
                .collect();
            for (asset, by_itself, in_project) in reports {
                alone.add(&asset.name, by_itself);
                together.add(&asset.name, in_project);
            }
        }
    }
    alone.print("stored, with the package's own declarations");
    together.print("stored, with the declarations of its project");
    assert_eq!(alone.scripts, together.scripts);
    assert_eq!(alone.scripts, 2171);
    alone.must_be(&[]);
    together.must_be(&DECLARED_OTHERWISE);
}

#[test]
fn compiled_scripts_are_accepted() {
    let Some(projects) = projects() else { return };
    let mut figures = Figures::default();
    for assets in projects.values() {
        for (engine, registry) in by_engine(assets) {
            let standard = bp_graph::json::standard_macros(&registry);
            let libraries: Vec<&Blueprint> = assets
                .iter()
                .map(|asset| &asset.blueprint)
                .filter(|blueprint| blueprint.kind == BlueprintKind::MacroLibrary)
                .chain(std::iter::once(&standard))
                .collect();
            let reports: Vec<(&Asset, Report)> = assets
                .par_iter()
                .filter(|asset| asset.package.engine() == engine)
                .map(|asset| {
                    let mut registry = registry.clone();
                    let blueprints = std::slice::from_ref(&asset.blueprint);
                    let _ = bp_compiler::declare(blueprints, &mut registry);
                    let options = Options {
                        engine: Some(engine),
                        debug_sites: true,
                    };
                    let compiled = bp_compiler::compile(blueprints, &libraries, &registry, options);
                    // A Blueprint with errors gives no package; its other functions are measured by parity.
                    let report = compiled
                        .package
                        .map_or_else(Report::default, |package| check(&package, &registry));
                    (asset, report)
                })
                .collect();
            for (asset, report) in reports {
                figures.add(&asset.name, report);
            }
        }
    }
    figures.print("compiled, with the declarations of its project");
    figures.must_be(&[("Weather_WBP", 3)]);
}
