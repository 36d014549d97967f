//! Packages to text.

use std::collections::HashMap;
use std::fmt;

use bp_reflect::{
    Certainty, Class, ClassKind, Enum, EnumForm, Function, FunctionFlags, FunctionMeta, Name,
    NativeParts, ObjectPath, Property, PropertyFlags, Struct, TextValue, Value,
};
use rustc_hash::FxHashMap;

use super::code::CodePrinter;
use super::cursor::Scope;
use super::lex::{Quoted, Word};
use super::notes::Notes;
use super::value::{F64, Type, flags_text};
use crate::package::TrackKind;
use crate::{
    CodeOffset, CompiledClass, CompiledFunction, Expr, Interner, Layout, Operand, Package,
    ReferenceTables, Script, Target, TimelineTemplate, decode_script, encode_script,
};

/// What the text shows besides what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintOptions {
    /// Each statement's offset as a comment behind it.
    pub offsets: bool,
    /// Behind that, what the statement calls and the types of its properties.
    pub notes: bool,
}

impl PrintOptions {
    /// Everything that helps to read.
    pub const READABLE: Self = Self {
        offsets: true,
        notes: true,
    };
    /// Offsets alone.
    pub const OFFSETS: Self = Self {
        offsets: true,
        notes: false,
    };
}

/// Comments to stand at the end of functions' code, by the functions' paths.
pub type Comments = HashMap<ObjectPath, String>;

/// The text of a package. Parsing it gives the same package.
///
/// Of a script that cannot be decoded, the statements before the fault are written, then what is wrong
/// as a comment, then the other bytes. A script that no statements would give is written as bytes.
///
/// # Panics
/// If a class has another number of scripts than of functions.
pub fn print(package: &Package, options: PrintOptions) -> String {
    print_with(package, options, &Comments::new())
}

/// As [`print()`], with comments.
///
/// # Panics
/// As [`print()`].
pub fn print_with(package: &Package, options: PrintOptions, comments: &Comments) -> String {
    let mut out = Printer::new(package, options, comments);
    out.line(0, format_args!("package {}", package.engine));
    out.references();
    for structure in &package.structs {
        out.structure(structure);
    }
    for enumeration in &package.enums {
        out.enumeration(enumeration);
    }
    for class in &package.classes {
        out.class(class);
    }
    out.text
}

/// The text of one function, as it stands in the text of its package.
///
/// # Panics
/// If the class has another number of scripts than of functions.
pub fn print_function(
    package: &Package,
    class: &CompiledClass,
    function: &Name,
    options: PrintOptions,
    comments: &Comments,
) -> Option<String> {
    let mut out = Printer::new(package, options, comments);
    let index = class.class.functions.get_index_of(function)?;
    let (key, signature) = class.class.functions.get_index(index)?;
    out.function(&class.class, key, signature, &class.functions[index]);
    Some(out.text)
}

/// The text of one statement of a function, targets as offsets.
pub fn print_statement(package: &Package, class: &Class, function: &Name, expr: &Expr) -> String {
    let scope = scope_of(class, function);
    let printer = CodePrinter {
        dialect: package.dialect(),
        scope: &scope,
        labels: &FxHashMap::default(),
    };
    printer.code(expr).to_string()
}

fn scope_of(class: &Class, function: &Name) -> Scope {
    Scope {
        class: class.path.as_str().to_owned(),
        function: class.path.member(function).as_str().to_owned(),
    }
}

/// What of a script's bytes is written as statements.
struct Readable {
    /// The statements.
    script: Script,
    /// Where they end in the bytes.
    end: usize,
    /// Why they end before the script does.
    fault: Option<String>,
}

struct Printer<'a> {
    package: &'a Package,
    options: PrintOptions,
    /// Comments at the end of functions, by their paths.
    comments: &'a Comments,
    text: String,
    /// What scripts are encoded with to see whether their statements give their bytes.
    interner: Interner,
    /// Whether the tables name nothing twice, so that statements can be encoded at all.
    is_injective: bool,
    /// Whether the tables are those that encoding the statements gives.
    is_canonical: bool,
}

impl<'a> Printer<'a> {
    fn new(package: &'a Package, options: PrintOptions, comments: &'a Comments) -> Self {
        let tables = &package.references;
        let preset = Interner::with_tables(tables.clone());
        let is_injective = same_spelling(&preset.clone().into_tables(), tables);
        let mut printer = Self {
            package,
            options,
            comments,
            text: String::new(),
            interner: preset,
            is_injective,
            is_canonical: false,
        };
        printer.is_canonical = printer.tables_follow();
        printer
    }

    /// Whether encoding all scripts in order, starting without tables, gives the package's tables.
    fn tables_follow(&mut self) -> bool {
        let mut fresh = Interner::new();
        let scripts = self
            .package
            .classes
            .iter()
            .flat_map(|class| &class.functions);
        for function in scripts {
            let readable = self.readable(&function.script);
            let encoded = encode_script(
                &readable.script.statements,
                self.package.dialect(),
                Layout::Memory,
                &mut fresh,
            );
            if encoded.is_ok_and(|encoded| encoded.bytes != function.script[..readable.end]) {
                return false;
            }
        }
        same_spelling(&fresh.into_tables(), &self.package.references)
    }

    /// The part of a script that can be written as statements: those that give its bytes again.
    fn readable(&mut self, bytes: &[u8]) -> Readable {
        let nothing = Readable {
            script: Script {
                statements: Vec::new(),
                memory_size: 0,
            },
            end: 0,
            fault: None,
        };
        if !self.is_injective {
            return nothing;
        }
        let (dialect, tables) = (self.package.dialect(), &self.package.references);
        let readable = match decode_script(bytes, dialect, Layout::Memory, tables) {
            Ok(script) => Readable {
                script,
                end: bytes.len(),
                fault: None,
            },
            Err(failure) => Readable {
                fault: Some(failure.to_string()),
                end: (failure.statement as usize).min(bytes.len()),
                script: Script {
                    memory_size: failure.statement,
                    statements: failure.statements,
                },
            },
        };
        let encoded = encode_script(
            &readable.script.statements,
            dialect,
            Layout::Memory,
            &mut self.interner,
        );
        let is_same = encoded.is_ok_and(|encoded| encoded.bytes == bytes[..readable.end]);
        if is_same { readable } else { nothing }
    }

    fn put(&mut self, what: fmt::Arguments<'_>) {
        fmt::Write::write_fmt(&mut self.text, what).expect("writing to a string does not fail");
    }

    fn line(&mut self, indent: usize, what: fmt::Arguments<'_>) {
        self.put(format_args!("{:width$}{what}\n", "", width = 2 * indent));
    }

    fn references(&mut self) {
        if self.is_canonical {
            return;
        }
        let tables = &self.package.references;
        self.line(0, format_args!("\nreferences"));
        for name in &tables.names {
            self.line(1, format_args!("name {}", Quoted(name)));
        }
        for object in &tables.objects {
            self.line(1, format_args!("object {}", Word(object.as_str())));
        }
        let scope = Scope::default();
        let printer = CodePrinter {
            dialect: self.package.dialect(),
            scope: &scope,
            labels: &FxHashMap::default(),
        };
        for property in &tables.properties {
            let shown = DisplayFn(|f: &mut fmt::Formatter<'_>| printer.property(f, property));
            self.line(1, format_args!("property {shown}"));
        }
        self.line(0, format_args!("end"));
    }

    fn structure(&mut self, structure: &Struct) {
        let Struct {
            path,
            super_struct,
            members,
            is_complete,
            native_size,
            native_parts: NativeParts { make, break_ },
        } = structure;
        self.put(format_args!("\nstruct {}", Word(path.as_str())));
        if let Some(parent) = super_struct {
            self.put(format_args!(" : {}", Word(parent.as_str())));
        }
        self.put(format_args!("\n"));
        if !is_complete {
            self.line(1, format_args!("incomplete"));
        }
        if let Some(size) = native_size {
            self.line(1, format_args!("native_size {size}"));
        }
        if let Some(make) = make {
            self.line(1, format_args!("make {}", Word(make.as_str())));
        }
        if let Some(break_) = break_ {
            self.line(1, format_args!("break {}", Word(break_.as_str())));
        }
        for member in members {
            self.property(1, "member", member);
        }
        self.line(0, format_args!("end"));
    }

    fn enumeration(&mut self, enumeration: &Enum) {
        self.put(format_args!("\nenum {}", Word(enumeration.path.as_str())));
        match enumeration.form {
            EnumForm::Byte => {}
            EnumForm::EnumClass => self.put(format_args!(" enum_class")),
        }
        self.put(format_args!("\n"));
        for entry in &enumeration.entries {
            self.put(format_args!("  entry {}", Word(entry.name.as_str())));
            if let Some(value) = entry.value {
                self.put(format_args!(" = {value}"));
            }
            if let Some(shown) = &entry.display_name {
                self.put(format_args!(" display {}", Quoted(shown)));
            }
            if entry.hidden {
                self.put(format_args!(" hidden"));
            }
            self.put(format_args!("\n"));
        }
        self.line(0, format_args!("end"));
    }

    fn class(&mut self, compiled: &CompiledClass) {
        let CompiledClass {
            class,
            functions: scripts,
            defaults,
            components,
            timelines,
            bindings,
            ubergraph,
        } = compiled;
        let Class {
            path,
            super_class,
            interfaces,
            kind,
            properties,
            // Of native classes, which are never compiled.
            n_replicated: _,
            functions,
            delegates,
        } = class;
        self.put(format_args!("\nclass {}", Word(path.as_str())));
        if let Some(parent) = super_class {
            self.put(format_args!(" : {}", Word(parent.as_str())));
        }
        self.put(format_args!("\n"));
        self.line(1, format_args!("kind {}", kind_word(*kind)));
        for interface in interfaces {
            self.line(1, format_args!("implements {}", Word(interface.as_str())));
        }
        if let Some(ubergraph) = ubergraph {
            self.line(1, format_args!("ubergraph {}", Word(ubergraph.as_str())));
        }
        for property in properties {
            self.property(1, "property", property);
        }
        for (name, value) in defaults {
            self.line(
                1,
                format_args!("default {} = {}", Word(name.as_str()), ValueText(value)),
            );
        }
        for component in components {
            self.put(format_args!(
                "  component {} {}",
                Word(component.name.as_str()),
                Word(component.class.as_str())
            ));
            if let Some(parent) = &component.parent {
                self.put(format_args!(" parent {}", Word(parent.as_str())));
            }
            self.put(format_args!("\n"));
        }
        for timeline in timelines {
            self.timeline(timeline);
        }
        for binding in bindings {
            self.line(
                1,
                format_args!(
                    "bind {} {} -> {}",
                    Word(binding.component.as_str()),
                    Word(binding.delegate.as_str()),
                    Word(binding.function.as_str())
                ),
            );
        }
        for (key, signature) in delegates {
            self.function_head("delegate", key, signature);
            self.line(1, format_args!("end"));
        }
        assert_eq!(
            functions.len(),
            scripts.len(),
            "scripts are parallel to functions"
        );
        for ((key, signature), script) in functions.iter().zip(scripts) {
            self.put(format_args!("\n"));
            self.function(class, key, signature, script);
        }
        self.line(0, format_args!("end"));
    }

    fn timeline(&mut self, timeline: &TimelineTemplate) {
        self.put(format_args!(
            "  timeline {} length {} direction {}",
            Word(timeline.name.as_str()),
            F64(timeline.length),
            Word(timeline.direction.as_str())
        ));
        if timeline.auto_play {
            self.put(format_args!(" auto_play"));
        }
        if timeline.looping {
            self.put(format_args!(" looping"));
        }
        if let Some(update) = &timeline.update {
            self.put(format_args!(" update {}", Word(update.as_str())));
        }
        if let Some(finished) = &timeline.finished {
            self.put(format_args!(" finished {}", Word(finished.as_str())));
        }
        self.put(format_args!("\n"));
        for track in &timeline.tracks {
            self.put(format_args!(
                "    track {} {}",
                track_word(track.kind),
                Word(track.target.as_str())
            ));
            for (time, values) in &track.keys {
                self.put(format_args!(" [{}", F64(*time)));
                for value in values {
                    self.put(format_args!(", {}", F64(*value)));
                }
                self.put(format_args!("]"));
            }
            self.put(format_args!("\n"));
        }
        self.line(1, format_args!("end"));
    }

    fn property(&mut self, indent: usize, keyword: &str, property: &Property) {
        let Property {
            name,
            ty,
            flags,
            array_dim,
            default,
            getter,
            setter,
            net_index: _,
        } = property;
        self.put(format_args!(
            "{:width$}{keyword} {} {}",
            "",
            Word(name.as_str()),
            Type(ty),
            width = 2 * indent
        ));
        if *flags != PropertyFlags::empty() {
            let flags = flags_text(flags, |rest| format!("0x{:X}", rest.bits()));
            self.put(format_args!(" flags {flags}"));
        }
        if *array_dim != 1 {
            self.put(format_args!(" dim {array_dim}"));
        }
        if let Some(default) = default {
            self.put(format_args!(" default {}", Quoted(default)));
        }
        if let Some(getter) = getter {
            self.put(format_args!(" getter {}", Word(getter.as_str())));
        }
        if let Some(setter) = setter {
            self.put(format_args!(" setter {}", Word(setter.as_str())));
        }
        self.put(format_args!("\n"));
    }

    fn function_head(&mut self, keyword: &str, key: &Name, function: &Function) {
        let Function {
            name,
            flags,
            params,
            locals,
            super_function,
            meta,
            certainty,
        } = function;
        let flags = function_flags(*flags);
        self.put(format_args!(
            "  {keyword} {} flags {flags}",
            Word(name.as_str())
        ));
        if key.as_str() != name.as_str() {
            self.put(format_args!(" key {}", Word(key.as_str())));
        }
        self.put(format_args!("\n"));
        if let Some(overridden) = super_function {
            self.line(2, format_args!("super {}", Word(overridden.as_str())));
        }
        match certainty {
            Certainty::Declared => {}
            Certainty::Inferred => self.line(2, format_args!("inferred")),
        }
        self.meta(meta);
        for param in params {
            self.property(2, "param", param);
        }
        for local in locals {
            self.property(2, "local", local);
        }
    }

    fn meta(&mut self, meta: &FunctionMeta) {
        // No field is left out: a new one must be written too.
        let FunctionMeta {
            latent,
            world_context,
            optional_world_context,
            custom_thunk,
            internal_only,
            array_parm,
            map_parm,
            set_parm,
            array_type_dependent,
            default_to_self,
            auto_create_ref,
            dynamic_output,
            expand_enum_as_execs,
            hidden,
            advanced,
            display_name,
            uncertain,
        } = meta;
        for (word, is_set) in [
            ("latent", latent),
            ("optional_world_context", optional_world_context),
            ("custom_thunk", custom_thunk),
            ("internal_only", internal_only),
        ] {
            if *is_set {
                self.line(2, format_args!("meta {word}"));
            }
        }
        if let Some(name) = world_context {
            self.line(
                2,
                format_args!("meta world_context {}", Word(name.as_str())),
            );
        }
        for (word, names) in [
            ("array_parm", array_parm),
            ("map_parm", map_parm),
            ("set_parm", set_parm),
            ("array_type_dependent", array_type_dependent),
            ("default_to_self", default_to_self),
            ("auto_create_ref", auto_create_ref),
            ("dynamic_output", dynamic_output),
            ("expand_enum_as_execs", expand_enum_as_execs),
            ("hidden", hidden),
            ("advanced", advanced),
        ] {
            if names.is_empty() {
                continue;
            }
            self.put(format_args!("    meta {word}"));
            for name in names {
                self.put(format_args!(" {}", Word(name.as_str())));
            }
            self.put(format_args!("\n"));
        }
        if let Some(shown) = display_name {
            self.line(2, format_args!("meta display_name {}", Quoted(shown)));
        }
        if *uncertain != FunctionFlags::empty() {
            let flags = function_flags(*uncertain);
            self.line(2, format_args!("meta uncertain {flags}"));
        }
    }

    fn function(
        &mut self,
        class: &Class,
        key: &Name,
        signature: &Function,
        compiled: &CompiledFunction,
    ) {
        let CompiledFunction {
            script: bytes,
            sites,
            nodes,
            event_offset,
        } = compiled;
        self.function_head("function", key, signature);
        if let Some(offset) = event_offset {
            self.line(2, format_args!("event_offset {offset}"));
        }
        for (index, node) in nodes.iter().enumerate() {
            self.line(
                2,
                format_args!(
                    "node {index} {} {} {}",
                    Quoted(&node.graph),
                    Quoted(&node.title),
                    Quoted(&node.name)
                ),
            );
        }
        let Readable { script, end, fault } = self.readable(bytes);
        // Sites stand before their statements where that says all of them in their order.
        let sites_inline = sites.is_sorted_by(|a, b| a.offset <= b.offset)
            && sites
                .iter()
                .all(|site| script.statement_at(site.offset).is_some());
        if !sites_inline {
            for site in sites {
                self.line(2, format_args!("site_at {} {}", site.offset, site.node));
            }
        }
        let comment = self.comments.get(&class.path.member(key));
        if !bytes.is_empty() {
            self.line(1, format_args!("code"));
        }
        self.code(class, (key, signature), &script, compiled, sites_inline);
        for line in fault.iter().chain(comment).flat_map(|text| text.lines()) {
            self.line(2, format_args!("; {line}"));
        }
        self.raw(&bytes[end..]);
        self.line(1, format_args!("end"));
    }

    fn raw(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(32) {
            self.put(format_args!("    bytes"));
            for byte in chunk {
                self.put(format_args!(" {byte:02X}"));
            }
            self.put(format_args!("\n"));
        }
    }

    fn code(
        &mut self,
        class: &Class,
        (key, signature): (&Name, &Function),
        script: &Script,
        compiled: &CompiledFunction,
        sites_inline: bool,
    ) {
        let labels = labels(script);
        let scope = scope_of(class, key);
        let printer = CodePrinter {
            dialect: self.package.dialect(),
            scope: &scope,
            labels: &labels,
        };
        let notes = Notes {
            package: self.package,
            class,
            function: signature,
        };
        let mut sites = compiled.sites.iter().peekable();
        for statement in &script.statements {
            if let Some(label) = labels.get(&statement.offset) {
                self.line(1, format_args!("L{label}:"));
            }
            while let Some(site) =
                sites.next_if(|site| sites_inline && site.offset == statement.offset)
            {
                self.line(2, format_args!("site {}", site.node));
            }
            let code = printer.code(&statement.expr);
            self.put(format_args!("    {code}"));
            let mut separator = "  ; ";
            if self.options.offsets {
                self.put(format_args!("{separator}{}", statement.offset));
                separator = "  ";
            }
            let note = if self.options.notes {
                notes.of(&statement.expr)
            } else {
                String::new()
            };
            if !note.is_empty() {
                self.put(format_args!("{separator}{note}"));
            }
            self.put(format_args!("\n"));
        }
    }
}

fn function_flags(flags: FunctionFlags) -> String {
    flags_text(&flags, |rest| format!("0x{:X}", rest.bits()))
}

/// Numbers, from 1 in order of offset, for the statements that something leads to.
fn labels(script: &Script) -> FxHashMap<CodeOffset, u32> {
    let mut targets = Vec::new();
    for statement in &script.statements {
        collect_targets(&statement.expr, &mut targets);
    }
    targets.retain(|target| script.statement_at(*target).is_some());
    targets.sort_unstable();
    targets.dedup();
    targets.into_iter().zip(1..).collect()
}

/// The offsets of an expression's target operands, nested ones included.
pub(crate) fn collect_targets(expr: &Expr, out: &mut Vec<CodeOffset>) {
    for operand in &expr.operands {
        if let Operand::Target(Target::Offset(offset)) = operand {
            out.push(*offset);
        }
    }
    for child in expr.children() {
        collect_targets(child, out);
    }
}

/// Equality that tells spellings apart.
fn same_spelling(a: &ReferenceTables, b: &ReferenceTables) -> bool {
    // The derived equality compares names and paths without case; their debug form does not.
    a == b && format!("{a:?}") == format!("{b:?}")
}

pub(super) fn kind_word(kind: ClassKind) -> &'static str {
    match kind {
        ClassKind::Native => "native",
        ClassKind::NativeInterface => "native_interface",
        ClassKind::Blueprint => "blueprint",
        ClassKind::BlueprintInterface => "blueprint_interface",
        ClassKind::BlueprintFunctionLibrary => "blueprint_library",
    }
}

pub(super) fn track_word(kind: TrackKind) -> &'static str {
    match kind {
        TrackKind::Float => "float",
        TrackKind::Vector => "vector",
        TrackKind::LinearColor => "linear_color",
        TrackKind::Event => "event",
    }
}

/// Shows what a closure writes.
struct DisplayFn<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for DisplayFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// A default's value.
struct ValueText<'a>(&'a Value);

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::UInt(value) => write!(f, "{value}u"),
            Value::Real(value) => write!(f, "{}", F64(*value)),
            Value::Name(name) => write!(f, "name({})", Word(name.as_str())),
            Value::Str(text) => write!(f, "{}", Quoted(text)),
            Value::Text(TextValue::Empty) => f.write_str("text(empty)"),
            Value::Text(TextValue::Localized {
                namespace,
                key,
                source,
            }) => write!(
                f,
                "text(localized, {}, {}, {})",
                Quoted(source),
                Quoted(key),
                Quoted(namespace)
            ),
            Value::Text(TextValue::Invariant(text)) => {
                write!(f, "text(invariant, {})", Quoted(text))
            }
            Value::Text(TextValue::StringTable { table, key }) => {
                write!(f, "text(table, {}, {})", Quoted(table), Quoted(key))
            }
            Value::Object(None) => f.write_str("object(null)"),
            Value::Object(Some(path)) => write!(f, "object({})", Word(path.as_str())),
            Value::Struct(members) => {
                f.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(
                        f,
                        "{separator}{} = {}",
                        Word(name.as_str()),
                        ValueText(value)
                    )?;
                }
                f.write_str("}")
            }
            Value::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{}", ValueText(item))?;
                }
                f.write_str("]")
            }
            Value::Map(pairs) => {
                f.write_str("map(")?;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{} => {}", ValueText(key), ValueText(value))?;
                }
                f.write_str(")")
            }
            Value::Unbound => f.write_str("unbound"),
        }
    }
}
