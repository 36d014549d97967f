//! Classes and functions.

use bp_reflect::{
    Certainty, Class, ClassKind, Function, FunctionFlags, FunctionMeta, Name, ObjectPath,
};
use rustc_hash::FxHashMap;

use super::value::value;
use super::{Parser, property};
use crate::asm::code::CodeParser;
use crate::asm::cursor::{Cursor, Scope};
use crate::asm::print::{kind_word, track_word};
use crate::asm::{AsmError, ClassLines, FunctionLines};
use crate::package::{TimelineTrack, TrackKind};
use crate::{
    CodeOffset, CompiledClass, CompiledFunction, ComponentTemplate, DebugSite, DelegateBinding,
    Dialect, Label, NodeName, ScriptBuilder, TimelineTemplate,
};

/// A class that is being read.
pub(super) struct ClassBuilder {
    class: CompiledClass,
    lines: ClassLines,
}

impl ClassBuilder {
    pub(super) fn new(path: ObjectPath, parent: Option<ObjectPath>, line: u32) -> Self {
        Self {
            class: CompiledClass {
                class: Class::new(path, parent, ClassKind::Blueprint),
                functions: Vec::new(),
                defaults: Vec::new(),
                components: Vec::new(),
                timelines: Vec::new(),
                bindings: Vec::new(),
                ubergraph: None,
            },
            lines: ClassLines {
                line,
                functions: Vec::new(),
            },
        }
    }

    /// Whether a line with this first word is an item of a class.
    pub(super) fn has_item(word: &str) -> bool {
        matches!(
            word,
            "kind"
                | "implements"
                | "ubergraph"
                | "property"
                | "default"
                | "component"
                | "timeline"
                | "bind"
                | "delegate"
                | "function"
        )
    }

    pub(super) fn finish(self) -> (CompiledClass, ClassLines) {
        (self.class, self.lines)
    }
}

/// What a function's lines say besides its signature.
#[derive(Default)]
struct Body {
    compiled: CompiledFunction,
    statements: Vec<(CodeOffset, u32)>,
}

impl<'a> Parser<'a> {
    pub(super) fn class_item(&mut self, class: &mut ClassBuilder, mut cursor: Cursor<'a>) {
        match cursor.peek_word() {
            Some("timeline") => self.timeline(class, cursor),
            Some("delegate") => {
                let (key, function, _, column) = self.function(class, &mut cursor, "delegate");
                let delegates = &mut class.class.class.delegates;
                if delegates.contains_key(&key) {
                    let message = format!("the class has a delegate {key} already");
                    self.errors.push(cursor.error_at(column, message));
                } else {
                    delegates.insert(key, function);
                }
            }
            Some("function") => {
                let line = cursor.line;
                let (key, function, body, column) = self.function(class, &mut cursor, "function");
                let functions = &mut class.class.class.functions;
                if functions.contains_key(&key) {
                    let message = format!("the class has a function {key} already");
                    self.errors.push(cursor.error_at(column, message));
                } else {
                    class.lines.functions.push(FunctionLines {
                        name: key.clone(),
                        line,
                        statements: body.statements,
                    });
                    functions.insert(key, function);
                    class.class.functions.push(body.compiled);
                }
            }
            _ => {
                let result = plain_item(&mut class.class, &mut cursor);
                self.keep(result);
            }
        }
    }

    fn timeline(&mut self, class: &mut ClassBuilder, mut head: Cursor<'a>) {
        let opened = head.line;
        let result = timeline_head(&mut head);
        let mut timeline = self.keep(result);
        while let Some(mut cursor) = self.block_line("timeline", opened) {
            let result = track(&mut cursor);
            let track = self.keep(result);
            if let (Some(timeline), Some(track)) = (&mut timeline, track) {
                timeline.tracks.push(track);
            }
        }
        class.class.timelines.extend(timeline);
    }

    /// A function or delegate with everything up to its `end`: its key, itself, its body, and the
    /// column of its name.
    fn function(
        &mut self,
        class: &ClassBuilder,
        head: &mut Cursor<'a>,
        keyword: &'static str,
    ) -> (Name, Function, Body, u32) {
        let opened = head.line;
        let result = function_head(head, keyword);
        let (key, mut function, column) = self.keep(result).unwrap_or_else(|| {
            let name = Name::none();
            (
                name.clone(),
                Function::new(name, FunctionFlags::empty()),
                head.column(),
            )
        });
        let path = &class.class.class.path;
        let scope = Scope {
            class: path.as_str().to_owned(),
            function: path.member(&key).as_str().to_owned(),
        };
        let mut body = Body::default();
        while let Some(mut cursor) = self.block_line(keyword, opened) {
            if keyword == "function" && cursor.take_word("code") {
                self.keep(cursor.finish());
                self.code(&scope, &mut body, opened);
                break;
            }
            let result = function_item(&mut function, &mut body.compiled, &mut cursor);
            self.keep(result);
        }
        (key, function, body, column)
    }

    /// Statements up to `end`.
    fn code(&mut self, scope: &Scope, body: &mut Body, opened: u32) {
        let dialect = Dialect::new(self.engine);
        let mnemonics = std::mem::take(&mut self.mnemonics);
        let mut interner = std::mem::take(&mut self.interner);
        let can_encode = self
            .references
            .as_ref()
            .is_none_or(|(_, injective)| *injective);
        let mut builder = ScriptBuilder::new(dialect, &mut interner);
        // Labels with the place of their first use.
        let mut labels: FxHashMap<String, (Label, Option<(u32, u32)>)> = FxHashMap::default();
        while let Some(mut cursor) = self.block_line("function", opened) {
            let line = cursor.line;
            if let Some(name) = cursor.peek_word().and_then(|word| word.strip_suffix(':')) {
                let column = cursor.column();
                let (label, _) = *labels
                    .entry(name.to_owned())
                    .or_insert_with(|| (builder.label(), None));
                if builder.offset_of(label).is_some() {
                    let message = format!("label `{name}` is placed already");
                    self.errors.push(cursor.error_at(column, message));
                } else {
                    builder.bind(label);
                }
                cursor.take_word(&format!("{name}:"));
                if cursor.is_done() {
                    continue;
                }
            }
            let start = builder.position();
            if cursor.take_word("site") {
                let result = site(&mut cursor, start);
                body.compiled.sites.extend(self.keep(result));
                continue;
            }
            if cursor.take_word("bytes") {
                let result = raw_bytes(&mut cursor);
                if let Some(bytes) = self.keep(result) {
                    builder.push_raw(&bytes);
                    body.statements.push((start, line));
                }
                continue;
            }
            let column = cursor.column();
            let mut parser = CodeParser {
                dialect,
                scope,
                mnemonics: &mnemonics,
                labels: &mut |name, column| {
                    let (label, first_use) = labels
                        .entry(name.to_owned())
                        .or_insert_with(|| (builder.label(), None));
                    first_use.get_or_insert((line, column));
                    *label
                },
                depth: 0,
            };
            let result = parser.expr(&mut cursor).and_then(|expr| {
                cursor.finish()?;
                Ok(expr)
            });
            let Some(expr) = self.keep(result) else {
                continue;
            };
            if can_encode {
                builder.push(&expr);
                if let Some(error) = builder.take_error() {
                    self.errors.push(cursor.error_at(column, error.to_string()));
                }
                body.statements.push((start, line));
            } else {
                self.errors.push(cursor.error_at(
                    column,
                    "statements need references that name nothing twice; write `bytes`",
                ));
            }
        }
        let mut unplaced: Vec<_> = labels
            .iter()
            .filter(|(_, (label, _))| builder.offset_of(*label).is_none())
            .filter_map(|(name, (_, first_use))| first_use.map(|place| (place, name)))
            .collect();
        unplaced.sort_unstable();
        if unplaced.is_empty() {
            match builder.finish() {
                Ok(script) => body.compiled.script = script,
                Err(error) => self.errors.push(AsmError {
                    line: opened,
                    column: 1,
                    message: error.to_string(),
                }),
            }
        }
        for ((line, column), name) in unplaced {
            self.errors.push(AsmError {
                line,
                column,
                message: format!("label `{name}` is not placed in this function"),
            });
        }
        self.mnemonics = mnemonics;
        self.interner = interner;
    }
}

fn site(cursor: &mut Cursor<'_>, offset: CodeOffset) -> Result<DebugSite, AsmError> {
    let node = cursor.int("a node's number")?;
    cursor.finish()?;
    Ok(DebugSite { offset, node })
}

fn raw_bytes(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, AsmError> {
    const WHAT: &str = "a byte of two hexadecimal digits";
    let mut out = Vec::new();
    while !cursor.is_done() {
        out.push(cursor.parsed(WHAT, |word| {
            let is_hex = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hex.then(|| u8::from_str_radix(word, 16).ok()).flatten()
        })?);
    }
    Ok(out)
}

fn plain_item(class: &mut CompiledClass, cursor: &mut Cursor<'_>) -> Result<(), AsmError> {
    let scope = Scope {
        class: class.class.path.as_str().to_owned(),
        function: String::new(),
    };
    let expected = cursor.expected("an item of a class or `end`");
    let Some(keyword) = cursor.peek_word() else {
        return Err(expected);
    };
    cursor.word("an item")?;
    match keyword {
        "kind" => {
            const KINDS: [ClassKind; 5] = [
                ClassKind::Native,
                ClassKind::NativeInterface,
                ClassKind::Blueprint,
                ClassKind::BlueprintInterface,
                ClassKind::BlueprintFunctionLibrary,
            ];
            class.class.kind = cursor.parsed(
                "`native`, `native_interface`, `blueprint`, `blueprint_interface` or \
                 `blueprint_library`",
                |word| KINDS.into_iter().find(|kind| kind_word(*kind) == word),
            )?;
        }
        "implements" => {
            let interface = cursor.path(&scope, "an interface's path")?;
            class.class.interfaces.push(interface);
        }
        "ubergraph" => class.ubergraph = Some(cursor.name("a function's name")?),
        "property" => class.class.properties.push(property(cursor)?),
        "default" => {
            let name = cursor.name("a property's name")?;
            cursor.expect_mark('=')?;
            class.defaults.push((name, value(cursor, 0)?));
        }
        "component" => {
            let name = cursor.name("a component's name")?;
            let component_class = cursor.path(&scope, "the component's class")?;
            let parent = if cursor.take_word("parent") {
                Some(cursor.name("the parent component's name")?)
            } else {
                None
            };
            class.components.push(ComponentTemplate {
                name,
                class: component_class,
                parent,
            });
        }
        "bind" => {
            let component = cursor.name("a component's name")?;
            let delegate = cursor.name("a delegate's name")?;
            cursor.expect_word("->")?;
            let function = cursor.name("a function's name")?;
            class.bindings.push(DelegateBinding {
                component,
                delegate,
                function,
            });
        }
        _ => return Err(expected),
    }
    cursor.finish()
}

fn timeline_head(cursor: &mut Cursor<'_>) -> Result<TimelineTemplate, AsmError> {
    cursor.expect_word("timeline")?;
    let name = cursor.name("a timeline's name")?;
    cursor.expect_word("length")?;
    let length = cursor.real()?;
    cursor.expect_word("direction")?;
    let direction = cursor.name("a variable's name")?;
    let auto_play = cursor.take_word("auto_play");
    let looping = cursor.take_word("looping");
    let mut function = |keyword: &str| -> Result<Option<Name>, AsmError> {
        if cursor.take_word(keyword) {
            cursor.name("a function's name").map(Some)
        } else {
            Ok(None)
        }
    };
    let (update, finished) = (function("update")?, function("finished")?);
    cursor.finish()?;
    Ok(TimelineTemplate {
        name,
        length,
        auto_play,
        looping,
        update,
        finished,
        direction,
        tracks: Vec::new(),
    })
}

fn track(cursor: &mut Cursor<'_>) -> Result<TimelineTrack, AsmError> {
    const KINDS: [TrackKind; 4] = [
        TrackKind::Float,
        TrackKind::Vector,
        TrackKind::LinearColor,
        TrackKind::Event,
    ];
    cursor.expect_word("track")?;
    let kind = cursor.parsed("`float`, `vector`, `linear_color` or `event`", |word| {
        KINDS.into_iter().find(|kind| track_word(*kind) == word)
    })?;
    let target = cursor.name("the variable or function it drives")?;
    let mut keys = Vec::new();
    while cursor.take_mark('[') {
        let time = cursor.real()?;
        let mut values = Vec::new();
        while cursor.take_mark(',') {
            values.push(cursor.real()?);
        }
        cursor.expect_mark(']')?;
        keys.push((time, values));
    }
    cursor.finish()?;
    Ok(TimelineTrack { target, kind, keys })
}

/// Key, function without its items, and the column of the name.
fn function_head(
    cursor: &mut Cursor<'_>,
    keyword: &str,
) -> Result<(Name, Function, u32), AsmError> {
    cursor.expect_word(keyword)?;
    let column = cursor.column();
    let name = cursor.name("a function's name")?;
    let flags = if cursor.take_word("flags") {
        function_flags(cursor)?
    } else {
        FunctionFlags::empty()
    };
    let key = if cursor.take_word("key") {
        cursor.name("the name the class lists it by")?
    } else {
        name.clone()
    };
    cursor.finish()?;
    Ok((key, Function::new(name, flags), column))
}

fn function_flags(cursor: &mut Cursor<'_>) -> Result<FunctionFlags, AsmError> {
    cursor.flags(|bits| {
        u32::try_from(bits)
            .ok()
            .map(FunctionFlags::from_bits_retain)
    })
}

fn function_item(
    function: &mut Function,
    compiled: &mut CompiledFunction,
    cursor: &mut Cursor<'_>,
) -> Result<(), AsmError> {
    let expected = cursor.expected(
        "`param`, `local`, `super`, `inferred`, `meta`, `event_offset`, `node`, `site_at`, `code` \
         or `end`",
    );
    let Some(keyword) = cursor.peek_word() else {
        return Err(expected);
    };
    cursor.word("an item")?;
    match keyword {
        "param" => function.params.push(property(cursor)?),
        "local" => function.locals.push(property(cursor)?),
        "super" => {
            let overridden = cursor.path(&Scope::default(), "a function's path")?;
            function.super_function = Some(overridden);
        }
        "inferred" => function.certainty = Certainty::Inferred,
        "meta" => meta(&mut function.meta, cursor)?,
        "event_offset" => {
            compiled.event_offset = Some(CodeOffset(cursor.int("an offset")?));
        }
        "node" => {
            let column = cursor.column();
            let index: usize = cursor.int("the node's number")?;
            if index != compiled.nodes.len() {
                let message = format!("expected node {}", compiled.nodes.len());
                return Err(cursor.error_at(column, message));
            }
            compiled.nodes.push(NodeName {
                graph: cursor.string()?.into(),
                title: cursor.string()?.into(),
                name: cursor.string()?.into(),
            });
        }
        "site_at" => {
            let offset = CodeOffset(cursor.int("an offset")?);
            let node = cursor.int("a node's number")?;
            compiled.sites.push(DebugSite { offset, node });
        }
        _ => return Err(expected),
    }
    cursor.finish()
}

fn meta(meta: &mut FunctionMeta, cursor: &mut Cursor<'_>) -> Result<(), AsmError> {
    let expected = cursor.expected("a metadata word such as `latent`");
    let names = match cursor.word("a metadata word such as `latent`")? {
        "latent" => {
            meta.latent = true;
            return Ok(());
        }
        "optional_world_context" => {
            meta.optional_world_context = true;
            return Ok(());
        }
        "custom_thunk" => {
            meta.custom_thunk = true;
            return Ok(());
        }
        "internal_only" => {
            meta.internal_only = true;
            return Ok(());
        }
        "world_context" => {
            meta.world_context = Some(cursor.name("a parameter's name")?);
            return Ok(());
        }
        "display_name" => {
            meta.display_name = Some(cursor.string()?);
            return Ok(());
        }
        "uncertain" => {
            meta.uncertain = function_flags(cursor)?;
            return Ok(());
        }
        "array_parm" => &mut meta.array_parm,
        "map_parm" => &mut meta.map_parm,
        "set_parm" => &mut meta.set_parm,
        "array_type_dependent" => &mut meta.array_type_dependent,
        "default_to_self" => &mut meta.default_to_self,
        "auto_create_ref" => &mut meta.auto_create_ref,
        "dynamic_output" => &mut meta.dynamic_output,
        "expand_enum_as_execs" => &mut meta.expand_enum_as_execs,
        "hidden" => &mut meta.hidden,
        "advanced" => &mut meta.advanced,
        _ => return Err(expected),
    };
    while !cursor.is_done() {
        names.push(cursor.name("a parameter's name")?);
    }
    Ok(())
}
