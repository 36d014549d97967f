//! Text to packages.

mod class;
mod value;

use bp_reflect::{
    EngineVersion, Enum, EnumEntry, EnumForm, NativeParts, ObjectPath, Property, PropertyFlags,
    Struct,
};
use rustc_hash::FxHashMap;

use super::code::{mnemonics, property_ref};
use super::cursor::{Cursor, Scope};
use super::lex::tokens;
use super::{AsmError, Assembly, FRAGMENT_CLASS, Lines};
use crate::{Interner, Opcode, Package, ReferenceTables};
use class::ClassBuilder;

/// Errors after which the rest of the text is not looked at.
const MAX_ERRORS: usize = 100;

/// The package a text stands for.
///
/// # Errors
/// Every line that does not read, in order of lines; statements after a wrong one are still read.
pub fn parse(text: &str) -> Result<Assembly, Vec<AsmError>> {
    let mut parser = Parser {
        lines: text.lines().zip(1..).peekable(),
        last_line: 1,
        errors: Vec::new(),
        engine: EngineVersion::LATEST,
        references: None,
        interner: Interner::new(),
        mnemonics: mnemonics(),
        package: Package {
            engine: EngineVersion::LATEST,
            references: ReferenceTables::default(),
            classes: Vec::new(),
            structs: Vec::new(),
            enums: Vec::new(),
        },
        lines_out: Lines::default(),
    };
    parser.package();
    if parser.errors.is_empty() {
        let mut package = parser.package;
        package.engine = parser.engine;
        package.references = match parser.references {
            // Tables that name something twice are kept as they are written.
            Some((tables, false)) => tables,
            Some((_, true)) | None => parser.interner.into_tables(),
        };
        Ok(Assembly {
            package,
            lines: parser.lines_out,
        })
    } else {
        parser
            .errors
            .sort_by_key(|error| (error.line, error.column));
        Err(parser.errors)
    }
}

struct Parser<'a> {
    lines: std::iter::Peekable<std::iter::Zip<std::str::Lines<'a>, std::ops::RangeFrom<u32>>>,
    /// The line read last.
    last_line: u32,
    errors: Vec<AsmError>,
    engine: EngineVersion,
    /// Tables that the text gives, and whether they name nothing twice.
    references: Option<(ReferenceTables, bool)>,
    interner: Interner,
    mnemonics: FxHashMap<String, Opcode>,
    package: Package,
    lines_out: Lines,
}

impl<'a> Parser<'a> {
    /// The next line that is not blank; lines that are no tokens are errors and left out.
    fn line(&mut self) -> Option<Cursor<'a>> {
        while self.errors.len() < MAX_ERRORS {
            let (text, number) = self.lines.next()?;
            self.last_line = number;
            match tokens(text, number) {
                Ok((tokens, end)) if !tokens.is_empty() => {
                    return Some(Cursor::new(tokens, number, end));
                }
                Ok(_) => {}
                Err(error) => self.errors.push(error),
            }
        }
        None
    }

    /// The next line of a block that is closed by `end`; none behind it.
    fn block_line(&mut self, what: &str, opened: u32) -> Option<Cursor<'a>> {
        let Some(mut cursor) = self.line() else {
            if self.errors.len() < MAX_ERRORS {
                self.errors.push(AsmError {
                    line: self.last_line + 1,
                    column: 1,
                    message: format!(
                        "expected `end` of the {what} on line {opened}, found the end of the text"
                    ),
                });
            }
            return None;
        };
        if cursor.take_word("end") {
            self.keep(cursor.finish());
            return None;
        }
        Some(cursor)
    }

    /// Collects an error.
    fn keep<T>(&mut self, result: Result<T, AsmError>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    fn package(&mut self) {
        let mut fragment: Option<ClassBuilder> = None;
        let mut is_first = true;
        while let Some(mut cursor) = self.line() {
            let column = cursor.column();
            match cursor.peek_word() {
                Some("package") => {
                    let result = self.package_line(&mut cursor, is_first);
                    self.keep(result);
                }
                Some("references") => self.references(cursor),
                Some("struct") => self.structure(cursor),
                Some("enum") => self.enumeration(cursor),
                Some("class") => self.class(cursor),
                Some(word) if ClassBuilder::has_item(word) => {
                    let class = fragment.get_or_insert_with(|| {
                        ClassBuilder::new(
                            ObjectPath::new(FRAGMENT_CLASS),
                            Some(ObjectPath::new("/Script/CoreUObject.Object")),
                            cursor.line,
                        )
                    });
                    self.class_item(class, cursor);
                }
                _ => {
                    let error = cursor.expected(
                        "`package`, `references`, `class`, `struct`, `enum` or an item of a class",
                    );
                    self.errors.push(AsmError { column, ..error });
                }
            }
            is_first = false;
        }
        if let Some(class) = fragment {
            self.add_class(class);
        }
    }

    fn package_line(&mut self, cursor: &mut Cursor<'_>, is_first: bool) -> Result<(), AsmError> {
        if !is_first {
            return Err(cursor.error_at(cursor.column(), "`package` belongs on the first line"));
        }
        cursor.expect_word("package")?;
        let column = cursor.column();
        let word = cursor.word("an engine version such as 5.6")?;
        self.engine = word
            .parse()
            .map_err(|message: String| cursor.error_at(column, message))?;
        cursor.finish()
    }

    fn references(&mut self, mut head: Cursor<'a>) {
        let opened = head.line;
        let has_code = self.references.is_some() || !self.package.classes.is_empty();
        if has_code {
            let error = head.error_at(
                head.column(),
                "`references` stands once, before the classes",
            );
            self.errors.push(error);
        }
        head.take_word("references");
        self.keep(head.finish());
        let mut tables = ReferenceTables::default();
        while let Some(mut cursor) = self.block_line("references", opened) {
            let result = reference(&mut tables, &mut cursor);
            self.keep(result);
        }
        let interner = Interner::with_tables(tables.clone());
        let known = interner.clone().into_tables();
        let is_injective = known.names.len() == tables.names.len()
            && known.objects.len() == tables.objects.len()
            && known.properties.len() == tables.properties.len();
        self.interner = interner;
        self.references = Some((tables, is_injective));
    }

    fn structure(&mut self, mut head: Cursor<'a>) {
        let opened = head.line;
        let scope = Scope::default();
        let result = path_and_parent(&mut head, &scope);
        let (path, super_struct) = self
            .keep(result)
            .unwrap_or_else(|| (ObjectPath::new(""), None));
        let mut structure = Struct {
            path,
            super_struct,
            members: Vec::new(),
            is_complete: true,
            native_size: None,
            native_parts: NativeParts::default(),
        };
        while let Some(mut cursor) = self.block_line("struct", opened) {
            let result = struct_item(&mut structure, &mut cursor);
            self.keep(result);
        }
        self.package.structs.push(structure);
    }

    fn enumeration(&mut self, mut head: Cursor<'a>) {
        let opened = head.line;
        let result = enum_head(&mut head);
        let (path, form) = self
            .keep(result)
            .unwrap_or_else(|| (ObjectPath::new(""), EnumForm::Byte));
        let mut entries = Vec::new();
        while let Some(mut cursor) = self.block_line("enum", opened) {
            let result = enum_entry(&mut cursor);
            entries.extend(self.keep(result));
        }
        self.package.enums.push(Enum {
            path,
            form,
            entries,
        });
    }

    fn class(&mut self, mut head: Cursor<'a>) {
        let opened = head.line;
        let result = path_and_parent(&mut head, &Scope::default());
        let (path, parent) = self
            .keep(result)
            .unwrap_or_else(|| (ObjectPath::new(""), None));
        let mut class = ClassBuilder::new(path, parent, opened);
        while let Some(cursor) = self.block_line("class", opened) {
            self.class_item(&mut class, cursor);
        }
        self.add_class(class);
    }

    fn add_class(&mut self, class: ClassBuilder) {
        let (class, lines) = class.finish();
        self.package.classes.push(class);
        self.lines_out.classes.push(lines);
    }
}

/// `class PATH : PARENT`, the keyword included.
fn path_and_parent(
    cursor: &mut Cursor<'_>,
    scope: &Scope,
) -> Result<(ObjectPath, Option<ObjectPath>), AsmError> {
    cursor.word("a keyword")?;
    let path = cursor.path(scope, "a path")?;
    let parent = if cursor.take_word(":") {
        Some(cursor.path(scope, "the parent's path")?)
    } else {
        None
    };
    cursor.finish()?;
    Ok((path, parent))
}

fn reference(tables: &mut ReferenceTables, cursor: &mut Cursor<'_>) -> Result<(), AsmError> {
    let scope = Scope::default();
    match cursor.peek_word() {
        Some("name") => {
            cursor.take_word("name");
            tables.names.push(cursor.string()?);
        }
        Some("object") => {
            cursor.take_word("object");
            tables.objects.push(cursor.path(&scope, "an object path")?);
        }
        Some("property") => {
            cursor.take_word("property");
            tables.properties.push(property_ref(cursor, &scope)?);
        }
        _ => return Err(cursor.expected("`name`, `object`, `property` or `end`")),
    }
    cursor.finish()
}

fn struct_item(structure: &mut Struct, cursor: &mut Cursor<'_>) -> Result<(), AsmError> {
    let scope = Scope::default();
    match cursor.peek_word() {
        Some("incomplete") => {
            cursor.take_word("incomplete");
            structure.is_complete = false;
        }
        Some("native_size") => {
            cursor.take_word("native_size");
            structure.native_size = Some(cursor.int("a number of bytes")?);
        }
        Some("make") => {
            cursor.take_word("make");
            structure.native_parts.make = Some(cursor.path(&scope, "a function's path")?);
        }
        Some("break") => {
            cursor.take_word("break");
            structure.native_parts.break_ = Some(cursor.path(&scope, "a function's path")?);
        }
        Some("member") => {
            cursor.take_word("member");
            structure.members.push(property(cursor)?);
        }
        _ => {
            return Err(
                cursor.expected("`member`, `incomplete`, `native_size`, `make`, `break` or `end`")
            );
        }
    }
    cursor.finish()
}

fn enum_head(cursor: &mut Cursor<'_>) -> Result<(ObjectPath, EnumForm), AsmError> {
    cursor.expect_word("enum")?;
    let path = cursor.path(&Scope::default(), "a path")?;
    let form = if cursor.take_word("enum_class") {
        EnumForm::EnumClass
    } else {
        EnumForm::Byte
    };
    cursor.finish()?;
    Ok((path, form))
}

fn enum_entry(cursor: &mut Cursor<'_>) -> Result<EnumEntry, AsmError> {
    cursor.expect_word("entry")?;
    let name = cursor.name("an entry's name")?;
    let value = if cursor.take_mark('=') {
        Some(cursor.int("a whole number of 64 bits")?)
    } else {
        None
    };
    let display_name = if cursor.take_word("display") {
        Some(cursor.string()?)
    } else {
        None
    };
    let hidden = cursor.take_word("hidden");
    cursor.finish()?;
    Ok(EnumEntry {
        name,
        value,
        display_name,
        hidden,
    })
}

/// A property behind its keyword.
fn property(cursor: &mut Cursor<'_>) -> Result<Property, AsmError> {
    let name = cursor.name("a property's name")?;
    let ty = cursor.property_type()?;
    let mut property = Property::new(name, ty, PropertyFlags::empty());
    if cursor.take_word("flags") {
        property.flags = cursor.flags(|bits| {
            u64::try_from(bits)
                .ok()
                .map(PropertyFlags::from_bits_retain)
        })?;
    }
    if cursor.take_word("dim") {
        property.array_dim = cursor.int("a number of elements")?;
    }
    if cursor.take_word("default") {
        property.default = Some(cursor.string()?);
    }
    if cursor.take_word("getter") {
        property.getter = Some(cursor.name("a function's name")?);
    }
    if cursor.take_word("setter") {
        property.setter = Some(cursor.name("a function's name")?);
    }
    cursor.finish()?;
    Ok(property)
}
