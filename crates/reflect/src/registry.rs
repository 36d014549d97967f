use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::{Class, ClassKind, Enum, Function, Name, ObjectPath, Property, Struct};

type Table<T> = IndexMap<ObjectPath, T, FxBuildHasher>;

/// What a short name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// Exactly one declared thing has it.
    One(&'a ObjectPath),
    /// Several have it, in order of declaration.
    Many(Vec<&'a ObjectPath>),
    /// Nothing has it.
    None,
}

/// Everything declared, by object path.
///
/// Later additions of the same path replace earlier ones, so that a project's declarations can
/// correct the embedded ones.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    classes: Table<Class>,
    structs: Table<Struct>,
    enums: Table<Enum>,
    /// Signatures declared outside a class, by path.
    delegates: Table<Function>,
}

/// Longest chain of super classes that is followed; a longer one is a circle.
const MAX_DEPTH: usize = 256;

impl Registry {
    /// Nothing declared.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a class.
    pub fn add_class(&mut self, class: Class) {
        self.classes.insert(class.path.clone(), class);
    }

    /// Adds or replaces a struct.
    pub fn add_struct(&mut self, structure: Struct) {
        self.structs.insert(structure.path.clone(), structure);
    }

    /// Adds or replaces an enum.
    pub fn add_enum(&mut self, enumeration: Enum) {
        self.enums.insert(enumeration.path.clone(), enumeration);
    }

    /// Adds or replaces a delegate signature that belongs to no class.
    pub fn add_delegate(&mut self, path: ObjectPath, signature: Function) {
        self.delegates.insert(path, signature);
    }

    /// The class at `path`.
    pub fn class(&self, path: &ObjectPath) -> Option<&Class> {
        self.classes.get(path)
    }

    /// The class at `path`, to be changed.
    pub fn class_mut(&mut self, path: &ObjectPath) -> Option<&mut Class> {
        self.classes.get_mut(path)
    }

    /// The struct at `path`.
    pub fn structure(&self, path: &ObjectPath) -> Option<&Struct> {
        self.structs.get(path)
    }

    /// The enum at `path`.
    pub fn enumeration(&self, path: &ObjectPath) -> Option<&Enum> {
        self.enums.get(path)
    }

    /// All classes in order of declaration.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        self.classes.values()
    }

    /// All structs in order of declaration.
    pub fn structs(&self) -> impl Iterator<Item = &Struct> {
        self.structs.values()
    }

    /// All enums in order of declaration.
    pub fn enums(&self) -> impl Iterator<Item = &Enum> {
        self.enums.values()
    }

    /// The class a short name (`Actor`, `BP_Door`, `BP_Door_C`) or a full path stands for.
    pub fn find_class(&self, text: &str) -> Lookup<'_> {
        find(&self.classes, text, &["", "_C"])
    }

    /// The struct a short name (`Vector`, `FVector`) or a full path stands for.
    pub fn find_struct(&self, text: &str) -> Lookup<'_> {
        match find(&self.structs, text, &[""]) {
            Lookup::None => text
                .strip_prefix('F')
                .map_or(Lookup::None, |rest| find(&self.structs, rest, &[""])),
            found @ (Lookup::One(_) | Lookup::Many(_)) => found,
        }
    }

    /// The enum a short name or a full path stands for.
    pub fn find_enum(&self, text: &str) -> Lookup<'_> {
        find(&self.enums, text, &[""])
    }

    /// The class and its ancestors, nearest first; ends at a class that is not declared.
    pub fn ancestry(&self, path: &ObjectPath) -> impl Iterator<Item = &Class> {
        std::iter::successors(self.class(path), |class| {
            class
                .super_class
                .as_ref()
                .and_then(|parent| self.class(parent))
        })
        .take(MAX_DEPTH)
    }

    /// Whether `class` is `ancestor`, derives from it, or implements it.
    pub fn is_child_of(&self, class: &ObjectPath, ancestor: &ObjectPath) -> bool {
        if class == ancestor || ancestor.as_str() == "/Script/CoreUObject.Object" {
            return true;
        }
        self.ancestry(class).any(|class| {
            class.path == *ancestor
                || class.super_class.as_ref() == Some(ancestor)
                || class
                    .interfaces
                    .iter()
                    .any(|i| i == ancestor || self.ancestry(i).any(|i| i.path == *ancestor))
        })
    }

    /// The function `name` of a class, its ancestors or their interfaces, with the class that
    /// declares it.
    pub fn find_function(&self, class: &ObjectPath, name: &Name) -> Option<(&Class, &Function)> {
        self.ancestry(class)
            .find_map(|class| class.functions.get(name).map(|function| (class, function)))
            .or_else(|| self.find_interface_function(class, name))
    }

    /// The function `name` of one of the interfaces of a class or its ancestors.
    pub fn find_interface_function(
        &self,
        class: &ObjectPath,
        name: &Name,
    ) -> Option<(&Class, &Function)> {
        self.ancestry(class)
            .flat_map(|class| &class.interfaces)
            .find_map(|interface| {
                self.ancestry(interface)
                    .find_map(|class| class.functions.get(name).map(|function| (class, function)))
            })
    }

    /// The variable `name` of a class or its ancestors, with the class that declares it.
    pub fn find_property(&self, class: &ObjectPath, name: &Name) -> Option<(&Class, &Property)> {
        self.ancestry(class)
            .find_map(|class| class.property(name).map(|property| (class, property)))
    }

    /// The signature of a delegate: of a class (`…Actor:OnHit__DelegateSignature`) or of a package.
    pub fn signature(&self, path: &ObjectPath) -> Option<&Function> {
        if let Some(signature) = self.delegates.get(path) {
            return Some(signature);
        }
        let class = self.class(&path.outer()?)?;
        let name = Name::new(path.name());
        class
            .delegates
            .get(&name)
            .or_else(|| class.functions.get(&name))
    }

    /// All function libraries: classes whose functions are found without naming the class.
    pub fn libraries(&self) -> impl Iterator<Item = &Class> {
        let base = ObjectPath::new("/Script/Engine.BlueprintFunctionLibrary");
        self.classes.values().filter(move |class| {
            class.kind == ClassKind::BlueprintFunctionLibrary
                || class.super_class.as_ref() == Some(&base)
        })
    }
}

fn find<'a, T>(table: &'a Table<T>, text: &str, suffixes: &[&str]) -> Lookup<'a> {
    if text.starts_with('/') {
        return table
            .get_full(&ObjectPath::new(text))
            .map_or(Lookup::None, |(_, path, _)| Lookup::One(path));
    }
    for suffix in suffixes {
        let wanted = Name::new(format!("{text}{suffix}"));
        let found: Vec<_> = table.keys().filter(|path| wanted == *path.name()).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Lookup::One(one),
            _ => return Lookup::Many(found),
        }
    }
    Lookup::None
}
