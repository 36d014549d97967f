//! Structs in the widest sense: functions, classes, script structs, and enums beside them.

use crate::archive::Archive;
use crate::field::{PropertyData, read_field, read_property_export};
use crate::property::{read_object, read_properties};
use crate::version::step;
use crate::{ByteRange, Package, PackageError, PackageIndex, PackageName, Properties};

/// What functions, classes and script structs have in common (`UStruct`).
#[derive(Clone, Debug, PartialEq)]
pub struct StructData {
    /// The object itself.
    pub index: PackageIndex,
    /// Its name.
    pub name: PackageName,
    /// Its tagged properties as an object.
    pub object: Properties,
    /// The struct it derives from, the function it overrides; null for none.
    pub super_struct: PackageIndex,
    /// Child objects, in order: functions; in packages before 4.25 properties too.
    pub children: Vec<PackageIndex>,
    /// Its properties, in order: for a function its parameters, then its locals.
    pub properties: Vec<PropertyData>,
    /// Its script, empty for most structs.
    pub script: ScriptData,
}

/// A script as it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptData {
    /// Size in memory, in bytes. Code offsets inside the script count these bytes.
    pub memory_size: u32,
    /// Where the stored bytes lie; their number differs from `memory_size`.
    pub range: ByteRange,
}

/// A function (`UFunction`).
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionData {
    /// The part that all structs have.
    pub base: StructData,
    /// `EFunctionFlags`.
    pub flags: u32,
    /// Index for replication, stored for network functions only.
    pub rep_offset: Option<u16>,
    /// The ubergraph a stub belongs to; null in all packages seen.
    pub event_graph_function: PackageIndex,
    /// Where in the ubergraph the stub enters; 0 in all packages seen.
    pub event_graph_call_offset: i32,
    /// For a sparse delegate signature, the class and the delegate it belongs to.
    pub sparse_delegate: Option<(PackageName, PackageName)>,
    /// Bytes of the export that were not read; empty for all functions seen.
    pub unread: ByteRange,
}

/// A class (`UClass`).
#[derive(Clone, Debug, PartialEq)]
pub struct ClassData {
    /// The part that all structs have.
    pub base: StructData,
    /// Functions by name, in stored order, which is a hash order.
    pub functions: Vec<(PackageName, PackageIndex)>,
    /// `EClassFlags`.
    pub flags: u32,
    /// The class its objects must lie in.
    pub within: PackageIndex,
    /// The name of its configuration file.
    pub config_name: PackageName,
    /// The Blueprint it was made from.
    pub generated_by: PackageIndex,
    /// Interfaces it implements itself.
    pub interfaces: Vec<ImplementedInterface>,
    /// Its default object; null when there is none yet.
    pub default_object: PackageIndex,
    /// Bytes of the export that were not read: what derived kinds of classes add.
    pub unread: ByteRange,
}

/// An interface of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImplementedInterface {
    /// The interface class.
    pub class: PackageIndex,
    /// Place of its table in native objects; 0 for interfaces implemented by Blueprints.
    pub pointer_offset: i32,
    /// Whether a Blueprint implements it, not C++.
    pub is_implemented_by_blueprint: bool,
}

/// A script struct (`UScriptStruct`, `UUserDefinedStruct`).
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptStructData {
    /// The part that all structs have.
    pub base: StructData,
    /// `EStructFlags`.
    pub flags: u32,
    /// The defaults of its members, for a user-defined struct.
    pub defaults: Option<Properties>,
    /// Bytes of the export that were not read.
    pub unread: ByteRange,
}

/// An enum (`UEnum`, `UUserDefinedEnum`).
#[derive(Clone, Debug, PartialEq)]
pub struct EnumData {
    /// The object itself.
    pub index: PackageIndex,
    /// Its name.
    pub name: PackageName,
    /// Its tagged properties as an object; the display names of a user-defined enum are among them.
    pub object: Properties,
    /// Entries with their values, in order, the closing `_MAX` included.
    pub entries: Vec<(PackageName, i64)>,
    /// `ECppForm`: 0 plain, 1 in a namespace, 2 an enum class.
    pub cpp_form: u8,
    /// Bytes of the export that were not read.
    pub unread: ByteRange,
}

impl Package {
    /// Whether the export is a function of some kind.
    pub fn is_function(&self, export: usize) -> bool {
        self.is_of_class(export, |class| {
            matches!(
                class,
                "Function" | "DelegateFunction" | "SparseDelegateFunction"
            )
        })
    }

    /// Whether the export is a class: made from a Blueprint (`BlueprintGeneratedClass` and kin).
    pub fn is_class(&self, export: usize) -> bool {
        self.is_of_class(export, |class| {
            class == "Class" || class.ends_with("GeneratedClass")
        })
    }

    /// Whether the export is a script struct.
    pub fn is_script_struct(&self, export: usize) -> bool {
        self.is_of_class(export, |class| {
            matches!(class, "ScriptStruct" | "UserDefinedStruct")
        })
    }

    /// Whether the export is an enum.
    pub fn is_enum(&self, export: usize) -> bool {
        self.is_of_class(export, |class| matches!(class, "Enum" | "UserDefinedEnum"))
    }

    /// The tagged properties of any export, with the bytes its class adds after them.
    ///
    /// # Errors
    /// As all readers of exports: [`PackageError::NoSuchExport`], [`PackageError::OutsideFile`], or
    /// the place where the bytes contradict the format.
    pub fn object(&self, export: usize) -> Result<(Properties, ByteRange), PackageError> {
        let (mut archive, is_default) = self.open_object(export)?;
        let properties = read_object(&mut archive, is_default)?;
        Ok((properties, archive.rest()))
    }

    /// Reads a function.
    ///
    /// # Errors
    /// [`PackageError::WrongClass`] if it is none, else as [`Self::object`].
    pub fn function(&self, export: usize) -> Result<FunctionData, PackageError> {
        self.expect_class(export, self.is_function(export), "function")?;
        let (mut archive, is_default) = self.open_object(export)?;
        let base = read_struct(&mut archive, export, is_default)?;
        read_function(&mut archive, base)
    }

    /// Reads a class.
    ///
    /// # Errors
    /// As [`Self::function`].
    pub fn class(&self, export: usize) -> Result<ClassData, PackageError> {
        self.expect_class(export, self.is_class(export), "class")?;
        let (mut archive, is_default) = self.open_object(export)?;
        let base = read_struct(&mut archive, export, is_default)?;
        read_class(&mut archive, base)
    }

    /// Reads a script struct.
    ///
    /// # Errors
    /// As [`Self::function`].
    pub fn script_struct(&self, export: usize) -> Result<ScriptStructData, PackageError> {
        self.expect_class(export, self.is_script_struct(export), "script struct")?;
        let (mut archive, is_default) = self.open_object(export)?;
        let base = read_struct(&mut archive, export, is_default)?;
        let flags = archive.u32("struct flags")?;
        let is_user_defined = self
            .class_name(base.index)
            .is_some_and(|class| class.is("UserDefinedStruct"));
        // The defaults of a user-defined struct are assumed to follow: the corpus has none.
        let defaults = if is_user_defined && archive.left() > 0 {
            Some(read_properties(&mut archive)?)
        } else {
            None
        };
        Ok(ScriptStructData {
            base,
            flags,
            defaults,
            unread: archive.rest(),
        })
    }

    /// Reads an enum.
    ///
    /// # Errors
    /// As [`Self::function`].
    pub fn enumeration(&self, export: usize) -> Result<EnumData, PackageError> {
        self.expect_class(export, self.is_enum(export), "enum")?;
        let (mut archive, is_default) = self.open_object(export)?;
        let object = read_object(&mut archive, is_default)?;
        if !archive.has(step::NO_NEXT_FIELD) {
            archive.index("next field")?;
        }
        let count = archive.count(9, "enum entry count")?;
        let entries = archive.repeat(count, |archive| {
            let name = archive.name("enum entry")?;
            let value = if archive.has(step::ENUM_VALUES_64) {
                archive.i64("enum value")?
            } else {
                i64::from(archive.u8("enum value")?)
            };
            Ok((name, value))
        })?;
        let cpp_form = archive.u8("enum form")?;
        Ok(EnumData {
            index: PackageIndex::of_export(export),
            name: self.export(export)?.name.clone(),
            object,
            entries,
            cpp_form,
            unread: archive.rest(),
        })
    }

    pub(crate) fn open_object(&self, export: usize) -> Result<(Archive<'_>, bool), PackageError> {
        let is_default = self.export(export)?.is_class_default_object();
        Ok((self.open(export)?, is_default))
    }

    pub(crate) fn is_of_class(&self, export: usize, is: impl FnOnce(&str) -> bool) -> bool {
        export < self.exports().len()
            && self
                .class_name(PackageIndex::of_export(export))
                .is_some_and(|class| is(class.text()))
    }

    pub(crate) fn expect_class(
        &self,
        export: usize,
        is_right: bool,
        wanted: &'static str,
    ) -> Result<(), PackageError> {
        let row = self.export(export)?;
        if is_right {
            return Ok(());
        }
        let class = self.class_name(PackageIndex::of_export(export));
        Err(PackageError::WrongClass {
            export: row.name.to_string(),
            found: class.map(ToString::to_string).unwrap_or_default(),
            wanted,
        })
    }
}

fn read_struct(
    archive: &mut Archive<'_>,
    export: usize,
    is_default: bool,
) -> Result<StructData, PackageError> {
    let index = PackageIndex::of_export(export);
    let name = archive.package().export(export)?.name.clone();
    let object = read_object(archive, is_default)?;
    if !archive.has(step::NO_NEXT_FIELD) {
        archive.index("next field")?;
    }
    let super_struct = archive.index("parent of struct")?;
    let mut properties = Vec::new();
    let children = if archive.has(step::NO_NEXT_FIELD) {
        let count = archive.count(4, "child count")?;
        archive.repeat(count, |archive| archive.index("child"))?
    } else {
        let first = archive.index("first child")?;
        read_field_chain(archive, index, first)?
    };
    if archive.has(step::PROPERTIES_ARE_FIELDS) {
        let count = archive.count(24, "property count")?;
        properties = archive.repeat(count, read_field)?;
    } else {
        for child in &children {
            if is_property(archive.package(), *child) {
                expect_inside(archive, *child, index)?;
                properties.push(read_property_export(archive, *child)?.0);
            }
        }
    }
    let memory_size = archive.u32("memory size of script")?;
    let size = archive.count(1, "stored size of script")?;
    let script = ScriptData {
        memory_size,
        range: archive.range(size, "script")?,
    };
    Ok(StructData {
        index,
        name,
        object,
        super_struct,
        children,
        properties,
        script,
    })
}

/// Follows the list of fields that older packages store: each field names the next one.
fn read_field_chain(
    archive: &mut Archive<'_>,
    owner: PackageIndex,
    first: PackageIndex,
) -> Result<Vec<PackageIndex>, PackageError> {
    let package = archive.package();
    let mut chain = Vec::new();
    let mut child = first;
    while let Some(export) = child.export() {
        expect_inside(archive, child, owner)?;
        chain.push(child);
        if chain.len() > package.exports().len() {
            return Err(PackageError::FieldRing {
                export: package
                    .name(owner)
                    .map(ToString::to_string)
                    .unwrap_or_default(),
            });
        }
        let (mut field, is_default) = package.open_object(export)?;
        read_object(&mut field, is_default)?;
        child = field.index("next field")?;
    }
    Ok(chain)
}

/// A field lies in the struct that lists it, so that each is read for one struct only.
fn expect_inside(
    archive: &Archive<'_>,
    child: PackageIndex,
    owner: PackageIndex,
) -> Result<(), PackageError> {
    if archive.package().outer(child) == owner {
        return Ok(());
    }
    Err(PackageError::BadIndex {
        offset: archive.position(),
        what: "field outside its struct",
        found: child.0,
    })
}

fn is_property(package: &Package, index: PackageIndex) -> bool {
    let class = package.class_name(index);
    class.is_some_and(|class| class.text().ends_with("Property"))
}

fn read_function(
    archive: &mut Archive<'_>,
    base: StructData,
) -> Result<FunctionData, PackageError> {
    const NET: u32 = 0x40;
    let flags = archive.u32("function flags")?;
    let rep_offset = if flags & NET == 0 {
        None
    } else {
        Some(archive.u16("replication index of function")?)
    };
    let event_graph_function = archive.index("event graph function")?;
    let event_graph_call_offset = archive.i32("event graph call offset")?;
    let is_sparse = archive
        .package()
        .class_name(base.index)
        .is_some_and(|class| class.is("SparseDelegateFunction"));
    let sparse_delegate = if is_sparse {
        Some((
            archive.name("class of sparse delegate")?,
            archive.name("sparse delegate")?,
        ))
    } else {
        None
    };
    Ok(FunctionData {
        base,
        flags,
        rep_offset,
        event_graph_function,
        event_graph_call_offset,
        sparse_delegate,
        unread: archive.rest(),
    })
}

fn read_class(archive: &mut Archive<'_>, base: StructData) -> Result<ClassData, PackageError> {
    let count = archive.count(12, "function count")?;
    let functions = archive.repeat(count, |archive| {
        Ok((archive.name("function name")?, archive.index("function")?))
    })?;
    let flags = archive.u32("class flags")?;
    let within = archive.index("class within")?;
    let config_name = archive.name("configuration name")?;
    let generated_by = archive.index("generating Blueprint")?;
    let count = archive.count(12, "interface count")?;
    let interfaces = archive.repeat(count, |archive| {
        Ok(ImplementedInterface {
            class: archive.index("interface")?,
            pointer_offset: archive.i32("interface offset")?,
            is_implemented_by_blueprint: archive.bool("is-implemented-by-Blueprint")?,
        })
    })?;
    archive.bool("forced script order")?;
    archive.name("unused class name")?;
    let offset = archive.position();
    if archive.bool("is-cooked of class")? {
        return Err(PackageError::BadValue {
            offset,
            what: "is-cooked of class in an uncooked package",
            found: 1,
        });
    }
    let default_object = archive.index("class default object")?;
    Ok(ClassData {
        base,
        functions,
        flags,
        within,
        config_name,
        generated_by,
        interfaces,
        default_object,
        unread: archive.rest(),
    })
}
