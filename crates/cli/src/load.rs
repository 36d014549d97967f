//! Bytes to Blueprints, packages and declarations.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bp_bytecode::{Package, asm, file};
use bp_diag::{Code, Diagnostic, Diagnostics, SourceId, Sources, Span};
use bp_graph::t3d::{self, Clipboard};
use bp_graph::{Blueprint, BlueprintKind, json};
use bp_reflect::{EngineVersion, Registry, declarations};
use rayon::prelude::*;

use crate::args::Reading;
use crate::exit::{Failure, Outcome};
use crate::input::{self, Input};
use crate::kind::Kind;
use crate::pipeline;
use crate::project::{self, ContextPackage, Project};

/// How inputs are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The engine version to compile for; none is the first Blueprint's own.
    pub engine: Option<EngineVersion>,
    /// Declaration files and folders of them.
    pub declarations: Vec<PathBuf>,
    /// A project's folder, to look for what the inputs refer to. Without one, inputs that lie in a `Content`
    /// folder are looked around.
    pub project: Option<PathBuf>,
}

impl From<&Reading> for Options {
    fn from(reading: &Reading) -> Self {
        Self {
            engine: reading.engine,
            declarations: reading.declarations.clone(),
            project: reading.project.clone(),
        }
    }
}

/// What a set of inputs holds. Whether it may be used is for `diagnostics` to say.
#[derive(Debug)]
pub struct Loaded {
    /// Texts that diagnostics point into.
    pub sources: Sources,
    /// The version to compile for, or that compiled inputs are of.
    pub engine: EngineVersion,
    /// Native declarations, what the Blueprints declare, and what was inferred from their nodes.
    pub registry: Registry,
    /// The same without what was inferred: all that a reader of the Blueprints can know.
    pub declared: Registry,
    /// Blueprints in order of the inputs.
    pub blueprints: Vec<Blueprint>,
    /// The engine's macros; none if no input is drawn.
    pub standard: Option<Blueprint>,
    /// Packages of the project that the inputs need, in the order they were met.
    pub context: Vec<ContextPackage>,
    /// Compiled and assembled packages, in order of the inputs.
    pub compiled: Vec<CompiledInput>,
    /// Unreal packages as they are, in order of the inputs.
    pub stored: Vec<StoredInput>,
    /// What is wrong with the inputs.
    pub diagnostics: Diagnostics,
}

/// A package that was given compiled.
#[derive(Debug)]
pub struct CompiledInput {
    /// The input's name.
    pub name: String,
    /// The package, not verified.
    pub package: Package,
    /// Where its parts stand in the assembly text it was made of.
    pub lines: Option<(SourceId, asm::Lines)>,
}

/// An Unreal package that was given.
#[derive(Debug)]
pub struct StoredInput {
    /// The input's name.
    pub name: String,
    /// The package.
    pub package: bp_uasset::Package,
}

impl Loaded {
    /// The Blueprints whose macros can be used besides those of the inputs.
    pub fn libraries(&self) -> Vec<&Blueprint> {
        let context = self.context.iter().filter_map(|one| one.drawn.as_ref());
        context.chain(&self.standard).collect()
    }
}

/// An input after the part of reading that needs no declarations.
enum Read {
    Json(SourceId),
    Text(Box<Clipboard>),
    Stored(Box<bp_uasset::Package>),
    Compiled(Box<Package>, Option<(SourceId, asm::Lines)>),
    Nothing,
}

/// Reads inputs together: they see each other's classes.
///
/// # Errors
/// Declaration files that cannot be read. What is wrong with an input is a diagnostic.
pub fn load(inputs: &[Input], options: &Options) -> Outcome<Loaded> {
    let mut sources = Sources::default();
    let ids: Vec<SourceId> = inputs
        .iter()
        .map(|input| sources.add(&*input.name, text_of(input)))
        .collect();
    let parts: Vec<(Read, Diagnostics)> = inputs
        .par_iter()
        .zip(&ids)
        .map(|(input, id)| read(input, *id, &sources.file(*id).text))
        .collect();
    let mut diagnostics = Diagnostics::new();
    let mut reads = Vec::new();
    for (read, found) in parts {
        diagnostics.append(found);
        reads.push(read);
    }
    let engine = options
        .engine
        .or_else(|| reads.iter().find_map(|read| engine_of(read, &sources)))
        .unwrap_or(EngineVersion::LATEST);

    let mut registry = declarations::embedded(engine);
    for path in &options.declarations {
        declare_files(path, engine, &mut registry, &mut sources, &mut diagnostics)?;
    }
    for read in &reads {
        if let Read::Compiled(package, _) = read {
            add_classes(package, &mut registry);
        }
    }
    let project = project_of(inputs, &reads, options)?;
    let (context, found) = if project.is_empty() {
        (Vec::new(), Diagnostics::new())
    } else {
        context_of(&project, &reads, &ids, &sources)
    };
    diagnostics.append(found);
    for package in &context {
        package.declare(&mut registry);
    }
    let json_ids: Vec<SourceId> = reads
        .iter()
        .filter_map(|read| match read {
            Read::Json(id) => Some(*id),
            Read::Text(_) | Read::Stored(_) | Read::Compiled(..) | Read::Nothing => None,
        })
        .collect();
    let mut json_blueprints = Vec::new();
    if !json_ids.is_empty() {
        let found;
        let libraries: Vec<&Blueprint> = context
            .iter()
            .filter_map(|package| package.drawn.as_ref())
            .collect();
        (json_blueprints, registry, found) =
            json::read_among(&json_ids, &sources, &registry, &libraries);
        diagnostics.append(found);
    }
    let is_compiled = |read: &Read| matches!(read, Read::Compiled(..) | Read::Nothing);
    // Reading the macros takes longer than all else that a compiled package needs.
    let standard = (!reads.iter().all(is_compiled)).then(|| json::standard_macros(&registry));

    let mut json_blueprints = json_blueprints.into_iter().peekable();
    let mut blueprints = Vec::new();
    let mut compiled = Vec::new();
    let mut stored = Vec::new();
    let mut stored_classes = Vec::new();
    for (read, input) in reads.into_iter().zip(inputs) {
        match read {
            // A file that is not well-formed gives no Blueprint.
            Read::Json(id) => blueprints.extend(
                json_blueprints
                    .next_if(|blueprint| blueprint.span.is_none_or(|span| span.source == id)),
            ),
            Read::Text(clipboard) => {
                let stem = input.stem.as_deref();
                let (blueprint, found) =
                    t3d::to_blueprint(*clipboard, stem, &registry, options.engine);
                diagnostics.append(found);
                blueprints.push(blueprint);
            }
            Read::Stored(package) => {
                let (blueprint, found) = bp_uasset::to_blueprint(&package);
                diagnostics.append(found);
                // Classes that cannot be read are reported where they are wanted.
                stored_classes.extend(bp_uasset::classes(&package).unwrap_or_default());
                blueprints.push(blueprint);
                stored.push(StoredInput {
                    name: input.name.clone(),
                    package: *package,
                });
            }
            Read::Compiled(package, lines) => compiled.push(CompiledInput {
                name: input.name.clone(),
                package: *package,
                lines,
            }),
            Read::Nothing => {}
        }
    }
    for blueprint in &blueprints {
        for structure in &blueprint.structs {
            registry.add_struct(structure.clone());
        }
        for enumeration in &blueprint.enums {
            registry.add_enum(enumeration.clone());
        }
        if blueprint.kind != BlueprintKind::MacroLibrary {
            registry.add_class(bp_graph::outline(blueprint, &registry));
        }
    }
    let declared = registry.clone();
    for class in &stored_classes {
        let drawn = blueprints.iter();
        for blueprint in drawn.filter(|blueprint| blueprint.class_path == class.path) {
            let found = bp_compiler::declare_interfaces(blueprint, class, &mut registry);
            diagnostics.append(found);
        }
    }
    let found = bp_compiler::declare(&blueprints, &mut registry);
    diagnostics.append(pipeline::independent(found, &diagnostics));
    Ok(Loaded {
        sources,
        engine,
        registry,
        declared,
        blueprints,
        standard,
        context,
        compiled,
        stored,
        diagnostics,
    })
}

/// Where to look for what the inputs refer to.
fn project_of(inputs: &[Input], reads: &[Read], options: &Options) -> Outcome<Project> {
    let mut project = match &options.project {
        Some(folder) => Project::open(folder)?,
        None => Project::default(),
    };
    for (input, read) in inputs.iter().zip(reads) {
        let Some(path) = &input.path else { continue };
        if options.project.is_none() && !matches!(read, Read::Compiled(..) | Read::Nothing) {
            project.add_around(path);
        }
        if let Read::Stored(package) = read {
            project.learn(path, package.long_name());
        }
    }
    Ok(project)
}

/// The packages of the project that the inputs need.
fn context_of(
    project: &Project,
    reads: &[Read],
    ids: &[SourceId],
    sources: &Sources,
) -> (Vec<ContextPackage>, Diagnostics) {
    let mut known = BTreeSet::new();
    let mut wanted = Vec::new();
    for (read, id) in reads.iter().zip(ids) {
        match read {
            Read::Json(_) | Read::Text(_) => {
                let text = &sources.file(*id).text;
                wanted.extend(project::references_of_text(text, project));
            }
            Read::Stored(package) => {
                known.insert(package.long_name().to_lowercase());
                wanted.extend(project::references(package));
            }
            Read::Compiled(package, _) => {
                let classes = package.classes.iter();
                known.extend(classes.map(|one| one.class.path.package().to_lowercase()));
            }
            Read::Nothing => {}
        }
    }
    project::gather(project, wanted, &known)
}

/// The text that spans of an input count in; empty for binary files.
fn text_of(input: &Input) -> String {
    match input.kind {
        Some(Kind::Uasset | Kind::Bpx) => String::new(),
        Some(Kind::Json | Kind::T3d | Kind::Bpasm) | None => {
            t3d::decode_bytes(&input.bytes).unwrap_or_default()
        }
    }
}

fn read(input: &Input, id: SourceId, text: &str) -> (Read, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let Some(kind) = input.kind else {
        diagnostics.push(unknown(input, id));
        return (Read::Nothing, diagnostics);
    };
    let is_text = !matches!(kind, Kind::Uasset | Kind::Bpx);
    if is_text && let Err(reason) = t3d::decode_bytes(&input.bytes) {
        let message = format!("{} is not text: {reason}", input.name);
        diagnostics.push(Diagnostic::new(Code::NotUtf8, message).at(Span::new(id, 0..0)));
        return (Read::Nothing, diagnostics);
    }
    let read = match kind {
        Kind::Json => Read::Json(id),
        Kind::T3d => {
            let (clipboard, found) = t3d::read(id, text);
            diagnostics.append(found);
            Read::Text(Box::new(clipboard))
        }
        Kind::Uasset => match bp_uasset::Package::read(input.bytes.as_slice()) {
            Ok(package) => Read::Stored(Box::new(package)),
            Err(error) => {
                let message = format!("{}: {error}", input.name);
                diagnostics.push(Diagnostic::new(error.code(), message));
                Read::Nothing
            }
        },
        Kind::Bpx => match file::read(&input.bytes) {
            Ok(package) => Read::Compiled(Box::new(package), None),
            Err(error) => {
                let message = format!("{}: {error}", input.name);
                diagnostics.push(Diagnostic::new(Code::BpxDamaged, message));
                Read::Nothing
            }
        },
        Kind::Bpasm => match asm::parse(text) {
            Ok(assembly) => Read::Compiled(Box::new(assembly.package), Some((id, assembly.lines))),
            Err(errors) => {
                for error in errors {
                    let span = span_at(id, text, error.line, error.column);
                    diagnostics.push(Diagnostic::new(Code::AsmSyntax, error.message).at(span));
                }
                Read::Nothing
            }
        },
    };
    (read, diagnostics)
}

/// The word at a 1-based line and column (in characters).
pub fn span_at(id: SourceId, text: &str, line: u32, column: u32) -> Span {
    let mut start = 0;
    for (number, content) in (1..).zip(text.split_inclusive('\n')) {
        if number == line {
            let offset = content
                .char_indices()
                .nth(column.saturating_sub(1) as usize)
                .map_or(content.trim_end().len(), |(at, _)| at);
            let rest = &content[offset..];
            let length = rest
                .find(|letter: char| letter.is_whitespace() || "(),=".contains(letter))
                .unwrap_or(rest.len());
            return Span::new(id, start + offset..start + offset + length);
        }
        start += content.len();
    }
    Span::new(id, text.len()..text.len())
}

fn unknown(input: &Input, id: SourceId) -> Diagnostic {
    let what = if input.bytes.is_empty() {
        format!("{} is empty", input.name)
    } else {
        format!("the content of {} tells no kind of input", input.name)
    };
    Diagnostic::new(Code::UnknownInput, what)
        .at(Span::new(id, 0..0))
        .note("Blueprint JSON, text copied in the Blueprint editor, .uasset, .umap, .bpx and .bpasm are read")
        .hint("if it is one of them, say which with --from")
}

fn engine_of(read: &Read, sources: &Sources) -> Option<EngineVersion> {
    match read {
        Read::Json(id) => json_engine(&sources.file(*id).text),
        Read::Text(clipboard) => Some(clipboard.form.engine()),
        Read::Stored(package) => Some(package.engine()),
        Read::Compiled(package, _) => Some(package.engine),
        Read::Nothing => None,
    }
}

/// The `engine` key of a Blueprint in JSON, looked for before the declarations it decides are at hand.
/// What is wrong with the text is found when it is read.
fn json_engine(text: &str) -> Option<EngineVersion> {
    #[derive(serde::Deserialize)]
    struct Head {
        engine: Option<EngineText>,
    }
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum EngineText {
        Text(String),
        Other(serde::de::IgnoredAny),
    }
    let head: Head = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    match head.engine? {
        EngineText::Text(text) => text.parse().ok(),
        EngineText::Other(_) => None,
    }
}

/// What the classes of a compiled package declare.
fn add_classes(package: &Package, registry: &mut Registry) {
    for structure in &package.structs {
        registry.add_struct(structure.clone());
    }
    for enumeration in &package.enums {
        registry.add_enum(enumeration.clone());
    }
    for class in &package.classes {
        registry.add_class(class.class.clone());
    }
}

fn declare_files(
    path: &Path,
    engine: EngineVersion,
    registry: &mut Registry,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Outcome<()> {
    let failure = |reason| Failure::Read {
        path: path.to_owned(),
        reason,
    };
    let mut files = Vec::new();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(failure)? {
            let entry = entry.map_err(failure)?.path();
            if entry
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                files.push(entry);
            }
        }
        files.sort();
    } else {
        files.push(path.to_owned());
    }
    for file in files {
        let bytes = input::read_file(&file)?;
        let name = input::shown(&file);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match declarations::read(&text, engine) {
            Ok(found) => found.add_to(registry),
            Err(error) => {
                let id = sources.add(&*name, text);
                let message = format!("the declarations of {name} cannot be read");
                let diagnostic = Diagnostic::new(Code::Declarations, message);
                diagnostics.push(match &error {
                    declarations::DeclarationError::Syntax {
                        line,
                        column,
                        message,
                    } => {
                        let text = &sources.file(id).text;
                        let span = span_at(id, text, *line as u32, *column as u32);
                        diagnostic.at(span).label(message.clone())
                    }
                    declarations::DeclarationError::Shape { .. }
                    | declarations::DeclarationError::UnknownKey { .. }
                    | declarations::DeclarationError::Type { .. }
                    | declarations::DeclarationError::Flag { .. } => {
                        diagnostic.note(error.to_string())
                    }
                });
            }
        }
    }
    Ok(())
}
