//! Where every property lies: the engine's `Link()`.
//!
//! Two layouts of the same properties are computed together:
//! - **words**, in which our VM stores values. A block (object, frame, struct value, parameter
//!   buffer) is a run of 64-bit words; [`words`] says how many a type takes.
//! - **native bytes**, as the C++ compiler of the editor lays them out ([`native_size`]). Bytecode
//!   names them in few places: the size in a `EX_StructConst`, `ParmsSize`, `ReturnValueOffset`.
//!
//! Both follow declaration order, those of a super struct or class first, so an offset found for a
//! parent holds for every child.
//!
//! What is refused, with the rule's name in [`LinkError`]:
//! - `Cycle`: a struct that contains itself by value, a class that is its own ancestor.
//! - `TooDeep`: structs nested deeper than [`MAX_DEPTH`].
//! - `TooLarge`: a block of more than [`MAX_WORDS`] words or [`MAX_BYTES`] bytes.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{
    Class, EngineVersion, Function, Name, ObjectPath, Property, PropertyType, Registry, Struct,
};

/// Deepest nesting of structs in structs (super structs count) that is laid out.
pub const MAX_DEPTH: usize = 64;
/// Largest block, in words.
pub const MAX_WORDS: u32 = 1 << 24;
/// Largest block, in native bytes.
pub const MAX_BYTES: u32 = 1 << 28;

/// A place in a block, in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Words before it in its block.
    pub offset: u32,
    /// Words it takes, all elements of a C array together.
    pub words: u32,
}

/// A place in the engine's memory, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NativeSlot {
    /// Bytes before it in its block.
    pub offset: u32,
    /// Bytes it takes, all elements of a C array together.
    pub size: u32,
}

/// Where the members of a struct lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Parallel to the members; offsets count the super struct's words.
    pub slots: Vec<Slot>,
    /// Words of the whole, never 0.
    pub words: u32,
    /// Parallel to the members, in bytes, by the alignment rules of C++.
    pub native: Vec<NativeSlot>,
    /// `sizeof` of the whole.
    pub native_size: u32,
    /// Alignment of the whole, a power of two.
    pub native_align: u32,
    /// Whether the native figures are known; false if a part's size had to be guessed.
    pub native_exact: bool,
}

/// Where parameters and locals of a function lie in its frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionLayout {
    /// Parallel to `params` followed by `locals`.
    pub slots: Vec<Slot>,
    /// Words of the parameter block, return value included; the locals follow it.
    pub parms_words: u32,
    /// Words of the frame: parameters and locals.
    pub words: u32,
    /// Parallel to `slots`, in bytes.
    pub native: Vec<NativeSlot>,
    /// `ParmsSize`: end of the last parameter, in bytes, without padding behind it.
    pub parms_size: u32,
    /// `ReturnValueOffset`: bytes before the return value; none without one (the engine stores
    /// 65,535).
    pub return_value_offset: Option<u32>,
    /// `PropertiesSize`: bytes of the frame.
    pub native_size: u32,
    /// Whether the native figures are known; false if a part's size had to be guessed.
    pub native_exact: bool,
}

/// Where the variables of an object lie, those of its ancestors first.
///
/// Native bytes are left out: C++ classes have members that reflection does not show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassLayout {
    /// Every variable, by the class that declares it and its name; sorted by offset.
    pub slots: IndexMap<(ObjectPath, Name), Slot, FxBuildHasher>,
    /// Words of the super class; own variables start here.
    pub super_words: u32,
    /// Words of the whole; may be 0.
    pub words: u32,
}

impl ClassLayout {
    /// The place of the variable `name` that `owner` declares.
    pub fn slot(&self, owner: &ObjectPath, name: &Name) -> Option<Slot> {
        self.slots.get(&(owner.clone(), name.clone())).copied()
    }
}

/// Why a thing has no layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The struct contains itself, or the class derives from itself.
    #[error("`{0}` contains itself")]
    Cycle(ObjectPath),
    /// Structs are nested too deeply.
    #[error("`{0}` lies deeper than {MAX_DEPTH} structs in structs")]
    TooDeep(ObjectPath),
    /// The block would be too large.
    #[error("`{0}` is too large to be laid out")]
    TooLarge(ObjectPath),
}

/// Words a value of the type takes: 1 for scalars and for everything the VM keeps behind a handle
/// (strings, texts, containers, soft references, multicast delegates), 2 for a delegate (object,
/// name), the sum of its members for a struct, an opaque word for a struct without known members.
///
/// A struct that cannot be laid out (see [`LinkError`]) gives 1; [`link_struct`] says why.
pub fn words(ty: &PropertyType, registry: &Registry) -> u32 {
    // Words do not depend on the engine version.
    Linker::new(registry, EngineVersion::LATEST)
        .measure(ty)
        .map_or(1, |size| size.words)
}

/// Bytes of a value in the editor of that version; none where a struct's size is not known.
///
/// Source: `EX_StructConst` sizes in editor-saved packages, which the declarations carry
/// (`Key` 32 and `LatentActionInfo` 32 show that a name has 12 bytes there; `Vector2D` 8, then 16).
/// Assumed: text 24, from 5.4 on 16; set and map 80; soft references 48, from 5.1 on 56.
pub fn native_size(ty: &PropertyType, registry: &Registry, engine: EngineVersion) -> Option<u32> {
    let size = Linker::new(registry, engine).measure(ty).ok()?;
    size.exact.then_some(size.bytes)
}

/// Lays out a struct: its super struct, then its members.
///
/// # Errors
/// See [`LinkError`].
pub fn link_struct(
    structure: &Struct,
    registry: &Registry,
    engine: EngineVersion,
) -> Result<Layout, LinkError> {
    Linker::new(registry, engine).structure(structure)
}

/// Lays out a function's frame: parameters, then locals.
///
/// # Errors
/// See [`LinkError`].
pub fn link_function(
    function: &Function,
    registry: &Registry,
    engine: EngineVersion,
) -> Result<FunctionLayout, LinkError> {
    let mut linker = Linker::new(registry, engine);
    let mut block = Block::new(ObjectPath::new(function.name.as_str()));
    let mut layout = FunctionLayout::default();
    for param in &function.params {
        linker.place(param, &mut block)?;
        if param.is_return() {
            layout.return_value_offset = block.native.last().map(|slot| slot.offset);
        }
    }
    layout.parms_words = block.words;
    layout.parms_size = block.bytes;
    for local in &function.locals {
        linker.place(local, &mut block)?;
    }
    layout.words = block.words;
    layout.native_size = block.padded()?;
    layout.native_exact = block.exact;
    layout.slots = block.slots;
    layout.native = block.native;
    Ok(layout)
}

/// Lays out the objects of a class: the variables of its farthest declared ancestor first.
/// Ancestors that are not declared take no room.
///
/// # Errors
/// See [`LinkError`].
pub fn link_class(
    class: &Class,
    registry: &Registry,
    engine: EngineVersion,
) -> Result<ClassLayout, LinkError> {
    let mut linker = Linker::new(registry, engine);
    let mut chain = vec![class];
    let mut next = class.super_class.as_ref();
    while let Some(parent) = next.and_then(|path| registry.class(path)) {
        if chain.iter().any(|seen| seen.path == parent.path) {
            return Err(LinkError::Cycle(class.path.clone()));
        }
        chain.push(parent);
        next = parent.super_class.as_ref();
    }
    let mut layout = ClassLayout::default();
    let mut block = Block::new(class.path.clone());
    for &ancestor in chain.iter().rev() {
        layout.super_words = block.words;
        for property in &ancestor.properties {
            linker.place(property, &mut block)?;
            let key = (ancestor.path.clone(), property.name.clone());
            let slot = *block.slots.last().expect("place adds a slot");
            layout.slots.insert(key, slot);
        }
    }
    layout.words = block.words;
    Ok(layout)
}

/// What one value takes.
#[derive(Clone, Copy, Debug)]
struct Size {
    words: u32,
    bytes: u32,
    align: u32,
    exact: bool,
}

/// A block being filled.
struct Block {
    /// What is laid out, for messages.
    owner: ObjectPath,
    slots: Vec<Slot>,
    native: Vec<NativeSlot>,
    words: u32,
    bytes: u32,
    align: u32,
    exact: bool,
}

impl Block {
    fn new(owner: ObjectPath) -> Self {
        Self {
            owner,
            slots: Vec::new(),
            native: Vec::new(),
            words: 0,
            bytes: 0,
            align: 1,
            exact: true,
        }
    }

    fn push(&mut self, size: Size, dim: u32) -> Result<(), LinkError> {
        let too_large = || LinkError::TooLarge(self.owner.clone());
        let dim = dim.max(1);
        let words = size.words.checked_mul(dim).ok_or_else(too_large)?;
        let bytes = size.bytes.checked_mul(dim).ok_or_else(too_large)?;
        let offset = self.bytes.next_multiple_of(size.align);
        let end_words = self.words.checked_add(words).ok_or_else(too_large)?;
        let end_bytes = offset.checked_add(bytes).ok_or_else(too_large)?;
        if end_words > MAX_WORDS || end_bytes > MAX_BYTES {
            return Err(too_large());
        }
        self.slots.push(Slot {
            offset: self.words,
            words,
        });
        self.native.push(NativeSlot {
            offset,
            size: bytes,
        });
        self.words = end_words;
        self.bytes = end_bytes;
        self.align = self.align.max(size.align);
        self.exact &= size.exact;
        Ok(())
    }

    fn padded(&self) -> Result<u32, LinkError> {
        self.bytes
            .checked_next_multiple_of(self.align)
            .ok_or_else(|| LinkError::TooLarge(self.owner.clone()))
    }
}

struct Linker<'a> {
    registry: &'a Registry,
    engine: EngineVersion,
    /// Sizes found so far, so that a struct used many times is measured once.
    known: FxHashMap<ObjectPath, Size>,
    /// Structs being measured, outermost first.
    open: Vec<ObjectPath>,
}

impl<'a> Linker<'a> {
    fn new(registry: &'a Registry, engine: EngineVersion) -> Self {
        Self {
            registry,
            engine,
            known: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    fn place(&mut self, property: &Property, block: &mut Block) -> Result<(), LinkError> {
        let size = self.measure(&property.ty)?;
        block.push(size, property.array_dim)
    }

    fn structure(&mut self, structure: &Struct) -> Result<Layout, LinkError> {
        if self.open.contains(&structure.path) {
            return Err(LinkError::Cycle(structure.path.clone()));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(LinkError::TooDeep(structure.path.clone()));
        }
        self.open.push(structure.path.clone());
        let mut block = Block::new(structure.path.clone());
        if let Some(parent) = &structure.super_struct {
            let size = self.struct_at(parent)?;
            block.push(size, 1)?;
            block.slots.clear();
            block.native.clear();
        }
        for member in &structure.members {
            self.place(member, &mut block)?;
        }
        self.open.pop();
        let align = declared_align(structure.path.name()).unwrap_or(block.align);
        block.align = block.align.max(align);
        let (native_size, native_exact) = match structure.native_size {
            Some(declared) => (declared, true),
            // C++ gives an empty struct one byte.
            None => (block.padded()?.max(1), block.exact && structure.is_complete),
        };
        if !structure.is_complete && structure.native_size.is_some() {
            // Hidden members may be wider than the known ones.
            let fits = if native_size.is_multiple_of(8) { 8 } else { 4 };
            block.align = block.align.max(if native_size < 4 { 1 } else { fits });
        }
        Ok(Layout {
            slots: block.slots,
            words: block.words.max(1),
            native: block.native,
            native_size,
            native_align: block.align,
            native_exact,
        })
    }

    fn struct_at(&mut self, path: &ObjectPath) -> Result<Size, LinkError> {
        if let Some(size) = self.known.get(path) {
            return Ok(*size);
        }
        let size = match self.registry.structure(path) {
            Some(structure) => {
                let layout = self.structure(structure)?;
                Size {
                    words: layout.words,
                    bytes: layout.native_size,
                    align: layout.native_align,
                    exact: layout.native_exact,
                }
            }
            None => Size {
                words: 1,
                bytes: 8,
                align: 8,
                exact: false,
            },
        };
        self.known.insert(path.clone(), size);
        Ok(size)
    }

    fn measure(&mut self, ty: &PropertyType) -> Result<Size, LinkError> {
        use PropertyType as P;
        let since = |major, minor| self.engine >= EngineVersion::new(major, minor);
        let one = |bytes, align| Size {
            words: 1,
            bytes,
            align,
            exact: true,
        };
        Ok(match ty {
            P::Bool | P::Byte(_) | P::Enum(_) | P::Int8 => one(1, 1),
            P::Int16 | P::UInt16 => one(2, 2),
            P::Int | P::UInt32 | P::Float => one(4, 4),
            P::Int64 | P::UInt64 | P::Double | P::Object(_) | P::Class(_) => one(8, 8),
            P::WeakObject(_) => one(8, 4),
            P::Name => one(NAME_BYTES, 4),
            P::Text => one(if since(5, 4) { 16 } else { 24 }, 8),
            P::Str | P::Array(_) | P::MulticastDelegate(_) | P::Interface(_) => one(16, 8),
            P::SoftObject(_) | P::SoftClass(_) => one(if since(5, 1) { 56 } else { 48 }, 8),
            P::Set(_) | P::Map(_) => one(80, 8),
            P::Delegate(_) => Size {
                words: 2,
                bytes: 8 + NAME_BYTES,
                align: 4,
                exact: true,
            },
            P::FieldPath | P::Wildcard => Size {
                exact: false,
                ..one(8, 8)
            },
            P::Struct(path) => self.struct_at(path)?,
        })
    }
}

/// Bytes of an `FName` in the editor, which keeps the case it was written in beside the two
/// numbers a game has.
const NAME_BYTES: u32 = 12;

/// Alignment of the math structs that C++ declares for vector registers.
/// Assumed: known from C++ use of these types, the corpus does not show it.
fn declared_align(name: &str) -> Option<u32> {
    ["Transform", "Quat", "Vector4", "Plane", "Matrix"]
        .iter()
        .any(|wide| wide.eq_ignore_ascii_case(name))
        .then_some(16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClassKind, FunctionFlags, NativeParts, PropertyFlags};

    const UE4: EngineVersion = EngineVersion::new(4, 27);
    const UE5: EngineVersion = EngineVersion::new(5, 3);

    fn structure(path: &str, members: &[(&str, &str)]) -> Struct {
        Struct {
            path: path.into(),
            super_struct: None,
            members: members
                .iter()
                .map(|(name, ty)| {
                    let ty = PropertyType::parse(ty).expect("a type");
                    Property::new(*name, ty, PropertyFlags::empty())
                })
                .collect(),
            is_complete: true,
            native_size: None,
            native_parts: NativeParts::default(),
        }
    }

    fn link(registry: &Registry, path: &str) -> Result<Layout, LinkError> {
        let structure = registry.structure(&path.into()).expect("declared");
        link_struct(structure, registry, UE4)
    }

    #[test]
    fn members_follow_the_super_struct_in_words_and_aligned_bytes() {
        let mut registry = Registry::new();
        registry.add_struct(structure("/G/B.B", &[("flag", "bool"), ("count", "int64")]));
        let mut child = structure(
            "/G/C.C",
            &[
                ("b", "byte"),
                ("run", "delegate"),
                ("list", "array<struct:/G/C.C>"),
                ("inner", "struct:/G/B.B"),
            ],
        );
        child.super_struct = Some("/G/B.B".into());
        child.members[0].array_dim = 3;
        registry.add_struct(child);
        let layout = link(&registry, "/G/C.C").expect("a layout");
        let offsets: Vec<_> = layout.slots.iter().map(|s| (s.offset, s.words)).collect();
        assert_eq!(offsets, [(2, 3), (5, 2), (7, 1), (8, 2)]);
        assert_eq!(layout.words, 10);
        let native: Vec<_> = layout.native.iter().map(|s| (s.offset, s.size)).collect();
        assert_eq!(native, [(16, 3), (20, 20), (40, 16), (56, 16)]);
        assert_eq!((layout.native_size, layout.native_align), (72, 8));
        assert!(layout.native_exact);
    }

    #[test]
    fn a_struct_in_itself_is_an_error_and_an_unknown_one_a_word() {
        let mut registry = Registry::new();
        registry.add_struct(structure("/G/A.A", &[("b", "struct:/G/B.B")]));
        registry.add_struct(structure("/G/B.B", &[("a", "struct:/G/A.A")]));
        assert_eq!(
            link(&registry, "/G/A.A"),
            Err(LinkError::Cycle("/G/A.A".into()))
        );
        let a = PropertyType::Struct("/G/A.A".into());
        assert_eq!(words(&a, &registry), 1);
        let unknown = PropertyType::Struct("/G/X.X".into());
        assert_eq!(words(&unknown, &registry), 1);
        assert_eq!(native_size(&unknown, &registry, UE5), None);
    }

    #[test]
    fn deep_and_wide_structs_end_in_errors() {
        let mut registry = Registry::new();
        for i in 0..100 {
            let inner = format!("struct:/G/S{0}.S{0}", i + 1);
            let members = [("a", &*inner), ("b", &*inner)];
            registry.add_struct(structure(&format!("/G/S{i}.S{i}"), &members));
        }
        let deep = link(&registry, "/G/S0.S0").expect_err("too deep");
        assert_eq!(deep, LinkError::TooDeep("/G/S64.S64".into()));
        let wide = link(&registry, "/G/S60.S60").expect_err("2^40 words");
        assert!(matches!(wide, LinkError::TooLarge(_)), "{wide}");
        let mut huge = structure("/G/H.H", &[("a", "int")]);
        huge.members[0].array_dim = u32::MAX;
        registry.add_struct(huge);
        let huge = link(&registry, "/G/H.H").expect_err("4 G words");
        assert_eq!(huge, LinkError::TooLarge("/G/H.H".into()));
    }

    #[test]
    fn a_frame_holds_parameters_then_locals() {
        let mut function = Function::new("F", FunctionFlags::empty());
        let mut add = |name: &str, ty, flags| {
            let property = Property::new(name, ty, flags);
            if flags.contains(PropertyFlags::PARM) {
                function.params.push(property);
            } else {
                function.locals.push(property);
            }
        };
        let parm = PropertyFlags::PARM;
        add("a", PropertyType::Bool, parm);
        add("name", PropertyType::Name, parm);
        let ret = parm | PropertyFlags::OUT_PARM | PropertyFlags::RETURN_PARM;
        add("ReturnValue", PropertyType::Bool, ret);
        add("local", PropertyType::Double, PropertyFlags::empty());
        let layout = link_function(&function, &Registry::new(), UE5).expect("a layout");
        assert_eq!(layout.parms_words, 3);
        assert_eq!(layout.words, 4);
        assert_eq!(layout.parms_size, 17);
        assert_eq!(layout.return_value_offset, Some(16));
        assert_eq!(layout.native_size, 32);
        assert_eq!(layout.slots[3].offset, 3);
    }

    #[test]
    fn ancestors_variables_come_first() {
        let mut registry = Registry::new();
        let mut base = Class::new("/G/A.A".into(), None, ClassKind::Native);
        let x = Property::new("X", PropertyType::Int, PropertyFlags::empty());
        base.properties.push(x.clone());
        let mut child = Class::new("/G/B.B".into(), Some("/G/A.A".into()), ClassKind::Blueprint);
        child.properties.push(x);
        registry.add_class(base.clone());
        let layout = link_class(&child, &registry, UE5).expect("a layout");
        assert_eq!((layout.super_words, layout.words), (1, 2));
        let own = layout.slot(&"/g/b.b".into(), &"x".into()).expect("own X");
        assert_eq!(own.offset, 1);
        let inherited = layout.slot(&"/G/A.A".into(), &"X".into()).expect("its X");
        assert_eq!(inherited.offset, 0);

        base.super_class = Some("/G/B.B".into());
        registry.add_class(base);
        registry.add_class(child.clone());
        let error = link_class(&child, &registry, UE5).expect_err("a circle");
        assert_eq!(error, LinkError::Cycle("/G/B.B".into()));
    }
}
