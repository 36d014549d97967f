//! Declarations of native classes: [`read`] from JSON, and [`embedded`] for the engine's own.
//!
//! A file declares one package, or is a list of such objects. Of a Blueprint that is not at hand, the
//! package is its own (`/Game/Doors/BP_Door`) and the class has its `_C`. The form, by example (all keys
//! but names are optional):
//!
//! ```json
//! {
//! "package": "/Script/Engine",
//! "classes": [
//! {"name": "Actor", "super": "CoreUObject.Object",
//!  "properties": ["getter=K2_GetRootComponent RootComponent: object:Engine.SceneComponent"],
//!  "functions": [
//!   {"name": "SetLifeSpan", "flags": "Native Public BlueprintCallable",
//!    "params": ["ue4=float InLifespan: double = 0.0"]}
//!  ],
//!  "delegates": [{"name": "Hit__DelegateSignature", "params": ["Other: object:Engine.Actor"]}]
//! }
//! ],
//! "structs": [{"name": "TimerHandle", "size_ue4": 8, "size_ue5": 8, "members": ["Handle: uint64"]}],
//! "enums": [{"name": "ETouchIndex", "form": "byte", "entries": ["Touch1=0", "Touch2"]}],
//! "delegates": []
//! }
//! ```
//!
//! A line of a property, member or parameter is `[word...] Name: type [= default]`:
//! - `since=5.1`, `until=4.27`: first and last version that has it; `ue4=float`: its type before 5.0;
//! - of parameters `const`, `ref` (an input by reference), `out`, `return`, `hidden`, `advanced`;
//! - of properties `assignable`, `readonly`, `instanced`, `transient` (no part of a literal),
//!   `getter=F`, `setter=F`, `dim=4`, `net=9` (it is replicated, and this is its number among the replicated ones,
//!   which are counted through all parents and stand as they do in memory).
//!
//! A class may say how many of its own properties are `replicated`, whether they are listed or not.
//!
//! The default of a parameter is the text its pin starts with, of a member what a new value holds.
//!
//! Names of classes without `/` are native (`Engine.Actor` is `/Script/Engine.Actor`); a type `?` is
//! not known and reads as a wildcard. Functions carry `final_since` and `final_before` where being
//! `Final` depends on the version, `uncertain` flags, and the fields of
//! [`FunctionMeta`](crate::FunctionMeta) under their names. Structs carry `size_ue4`, `size_ue5` (the
//! editor's `sizeof`; `"sizes": {"4.24": 184}` since single versions), `literal_ue4`, `literal_ue5`
//! (operands of a literal), `make`, `break`, and `complete` if all members are there.

mod json;
mod raw;
mod resolve;
mod stock;
mod write;

use std::sync::{Arc, LazyLock, OnceLock};

pub use json::DeclarationError;
pub(crate) use stock::{Index, Section, entries};
pub use write::write;

use self::raw::{RawClass, RawFunction, RawStruct};
use crate::{Class, EngineVersion, Enum, Function, Name, ObjectPath, Registry, Struct};

/// What a declaration file declares for one engine version, each list in the file's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// Classes and interfaces.
    pub classes: Vec<Class>,
    /// Structs.
    pub structs: Vec<Struct>,
    /// Operands of literals of structs, by struct; see [`Registry::struct_literal`].
    pub literals: Vec<(ObjectPath, Vec<Name>)>,
    /// Enums.
    pub enums: Vec<Enum>,
    /// Delegate signatures outside a class, by path.
    pub delegates: Vec<(ObjectPath, Function)>,
}

impl Declarations {
    /// Adds everything to a registry; what has the same path there is replaced.
    pub fn add_to(self, registry: &mut Registry) {
        for class in self.classes {
            registry.add_class(class);
        }
        for structure in self.structs {
            registry.add_struct(structure);
        }
        for (path, operands) in self.literals {
            registry.add_struct_literal(path, operands);
        }
        for enumeration in self.enums {
            registry.add_enum(enumeration);
        }
        for (path, signature) in self.delegates {
            registry.add_delegate(path, signature);
        }
    }
}

/// Reads a declaration file, in the form described above or in that of a research database, where
/// parameters are objects.
///
/// # Errors
/// Text that is not JSON, and the first part that has not the form it should, with its place.
pub fn read(text: &str, engine: EngineVersion) -> Result<Declarations, DeclarationError> {
    let package = json::read(text)?;
    let literals = package.structs.iter().filter_map(|structure| {
        let literal = structure.literal(engine)?;
        Some((structure.path.clone(), literal.0))
    });
    Ok(Declarations {
        literals: literals.collect(),
        classes: package
            .classes
            .into_iter()
            .map(|class| class.resolve(engine))
            .collect(),
        structs: package
            .structs
            .into_iter()
            .map(|structure| structure.resolve(engine))
            .collect(),
        enums: package.enums,
        delegates: package
            .delegates
            .into_iter()
            .map(|(path, signature)| (path, signature.resolve(engine)))
            .collect(),
    })
}

/// The native classes, structs and enums of the engine and its plugins, as far as they are known, as
/// that version has them.
///
/// Nothing is decoded before it is asked for.
pub fn embedded(engine: EngineVersion) -> Registry {
    Registry::with_embedded(engine)
}

static BODIES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bodies.bin"));

/// The index of the embedded declarations.
pub(crate) static INDEX: LazyLock<Index<'static>> = LazyLock::new(|| {
    let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/index.bin"));
    postcard::from_bytes(bytes).expect("the build script wrote it")
});

/// A thing that is embedded in encoded form.
pub(crate) trait Embedded: Sized {
    /// Decodes it for a version.
    fn decode(body: &[u8], engine: EngineVersion) -> Self;
}

fn from_body<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> T {
    postcard::from_bytes(body).expect("the build script wrote it")
}

impl Embedded for Class {
    fn decode(body: &[u8], engine: EngineVersion) -> Self {
        from_body::<RawClass>(body).resolve(engine)
    }
}

impl Embedded for Struct {
    fn decode(body: &[u8], engine: EngineVersion) -> Self {
        from_body::<RawStruct>(body).resolve(engine)
    }
}

/// Opcodes of the operands of a struct's literal; none for a struct of which none was observed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literal(pub(crate) Vec<Name>);

impl Embedded for Option<Literal> {
    fn decode(body: &[u8], engine: EngineVersion) -> Self {
        from_body::<RawStruct>(body).literal(engine)
    }
}

impl Embedded for Enum {
    fn decode(body: &[u8], _engine: EngineVersion) -> Self {
        from_body(body)
    }
}

impl Embedded for Function {
    fn decode(body: &[u8], engine: EngineVersion) -> Self {
        from_body::<RawFunction>(body).resolve(engine)
    }
}

/// The embedded things of one kind, decoded one by one.
#[derive(Debug)]
pub(crate) struct Stock<T> {
    section: &'static Section<'static>,
    engine: EngineVersion,
    cells: Box<[OnceLock<T>]>,
}

impl<T: Embedded> Stock<T> {
    pub(crate) fn new(section: &'static Section<'static>, engine: EngineVersion) -> Arc<Self> {
        Arc::new(Self {
            section,
            engine,
            cells: section.paths.iter().map(|_| OnceLock::new()).collect(),
        })
    }

    /// The things' positions and paths.
    pub(crate) fn section(&self) -> &'static Section<'static> {
        self.section
    }

    /// The thing at a position of the section.
    pub(crate) fn get(&self, position: u32) -> &T {
        self.cells[position as usize]
            .get_or_init(|| T::decode(&BODIES[self.section.body(position)], self.engine))
    }
}
