//! Reads uncooked Unreal packages (`.uasset`, `.umap`), as the editor saves them.
//!
//! In: the bytes of a file. Out: a [`Package`] with its tables read, and from it, export by export,
//! plain data: [`GraphData`], [`NodeData`], [`FunctionData`], [`ClassData`], [`Properties`].
//! The tables are read at once, an export only when it is asked for, and nothing is cached. From the
//! package as a whole follow the models of the other crates: [`to_blueprint`] (what its author drew),
//! [`classes`], [`structs`] and [`enums`] (what the engine made of it), [`scripts`] (the bytecode, with
//! [`ScriptReferences`] to decode it and [`ScriptTables`] to encode it again).
//!
//! What is not known is kept as a [`ByteRange`], never guessed: values of structs with a stored form
//! of their own ([`Value::Raw`]), and what classes add after the part this crate reads (`unread`).
//!
//! Whatever the file holds, reading it ends: each count is checked against the bytes that are left,
//! nesting is limited, and so are chains of outers and fields. Reading and converting all of a file holds at
//! most 4 MiB and 64 bytes a byte of it at once, as `cargo xtask mutate` measures. An error ([`PackageError`]) says where,
//! what and which value.
//!
//! Versions: UE4 file versions 482 to 522 (4.8 to 4.27), UE5 up to 1018. Cooked, unversioned,
//! compressed and newer packages are refused by name.

#![forbid(unsafe_code)]

mod error;
mod version;

mod archive;
mod name;
mod package;
mod read;
mod summary;
mod table;

mod native;
mod property;
mod text;
mod value;

mod field;
mod structure;

mod graph;
mod pin;

mod convert;

pub use convert::{
    ScriptReferences, ScriptTables, StoredScript, class_of, classes, enums, function_of,
    property_of, scripts, structs, to_blueprint,
};
pub use error::PackageError;
pub use field::{BoolLayout, PropertyData, PropertyType};
pub use graph::{GraphData, NodeData, UserPinData};
pub use name::PackageName;
pub use package::Package;
pub use pin::{
    Container, MemberReference, PinData, PinDirection, PinFlags, PinRef, PinType, TerminalType,
};
pub use read::{ByteRange, Guid};
pub use structure::{
    ClassData, EnumData, FunctionData, ImplementedInterface, ScriptData, ScriptStructData,
    StructData,
};
pub use summary::{CustomVersion, EngineVersion, Summary};
pub use table::{Export, Import, PackageIndex};
pub use text::{Text, TextArgument, TextFormatKind, TextHistory, TextNumberKind};
pub use value::{
    CurveKey, DelegateValue, FieldPath, Properties, SoftPath, StructFields, StructValue,
    TaggedProperty, TypeName, Value,
};
