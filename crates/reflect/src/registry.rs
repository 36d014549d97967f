use std::collections::HashMap;

use crate::declarations::{self, INDEX, Literal};
use crate::shelf::Shelf;
use crate::{Class, ClassKind, EngineVersion, Enum, Function, Name, ObjectPath, Property, Struct};

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
/// correct the embedded ones. The embedded ones are decoded when they are first asked for, and shared
/// between a registry and its clones.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    classes: Shelf<Class>,
    structs: Shelf<Struct>,
    enums: Shelf<Enum>,
    /// Operands of literals of structs, by struct.
    literals: Shelf<Option<Literal>>,
    /// Signatures declared outside a class, by path.
    delegates: Shelf<Function>,
    /// Classes with inferred members; whether the class itself is declared.
    partial: HashMap<ObjectPath, bool>,
}

/// Longest chain of super classes that is followed; a longer one is a circle.
const MAX_DEPTH: usize = 256;

impl Registry {
    /// Nothing declared.
    pub fn new() -> Self {
        Self::default()
    }

    /// The embedded declarations; see [`declarations::embedded`].
    pub(crate) fn with_embedded(engine: EngineVersion) -> Self {
        Self {
            classes: Shelf::embedded(&INDEX.classes, engine),
            structs: Shelf::embedded(&INDEX.structs, engine),
            enums: Shelf::embedded(&INDEX.enums, engine),
            literals: Shelf::embedded(&INDEX.structs, engine),
            delegates: Shelf::embedded(&INDEX.delegates, engine),
            partial: HashMap::new(),
        }
    }

    /// Adds a class of which nothing but what nodes show is known: it may have other ancestors and further
    /// members.
    pub fn add_partial_class(&mut self, class: Class) {
        self.partial.insert(class.path.clone(), false);
        self.add_class(class);
    }

    /// A class that members are to be added to which only nodes show.
    pub fn partial_class_mut(&mut self, path: &ObjectPath) -> Option<&mut Class> {
        let class = self.classes.get_mut(path)?;
        self.partial.entry(path.clone()).or_insert(true);
        Some(class)
    }

    /// Whether members of a class were inferred from nodes.
    pub fn is_partial(&self, class: &ObjectPath) -> bool {
        self.partial.contains_key(class)
    }

    /// Whether a class is declared nowhere and was made of what nodes show.
    pub fn is_undeclared(&self, class: &ObjectPath) -> bool {
        self.partial.get(class) == Some(&false)
    }

    /// Whether a class and all its ancestors up to the root are declared, so that it is sure what it derives
    /// from.
    pub fn is_ancestry_known(&self, class: &ObjectPath) -> bool {
        let mut last = None;
        for ancestor in self.ancestry(class) {
            if self.is_undeclared(&ancestor.path) {
                return false;
            }
            last = Some(ancestor);
        }
        last.is_some_and(|class| class.path.as_str() == "/Script/CoreUObject.Object")
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

    /// Adds or replaces the operands of a struct's literal.
    pub fn add_struct_literal(&mut self, path: ObjectPath, operands: Vec<Name>) {
        self.literals.insert(path, Some(Literal(operands)));
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

    /// A member of a struct or of one it extends, with the struct that declares it.
    pub fn find_member(&self, path: &ObjectPath, name: &Name) -> Option<(&Struct, &Property)> {
        let mut seen = Vec::new();
        let mut next = Some(path);
        while let Some(structure) = next.and_then(|path| self.structs.get(path)) {
            if seen.contains(&&structure.path) {
                return None;
            }
            seen.push(&structure.path);
            let member = structure.members.iter().find(|member| member.name == *name);
            if let Some(member) = member {
                return Some((structure, member));
            }
            next = structure.super_struct.as_ref();
        }
        None
    }

    /// Opcodes of the operands that an observed `EX_StructConst` of the struct has, in order
    /// (`FloatConst`, `StructConst`, `BitFieldConst`, ...), where one was observed: one per member
    /// that is not transient, also of those that are not declared.
    pub fn struct_literal(&self, path: &ObjectPath) -> Option<&[Name]> {
        let literal = self.literals.get(path)?.as_ref()?;
        Some(&literal.0)
    }

    /// The enum at `path`.
    pub fn enumeration(&self, path: &ObjectPath) -> Option<&Enum> {
        self.enums.get(path)
    }

    /// All classes: embedded ones in order of declaration, then added ones. Decodes everything embedded.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        self.classes.values()
    }

    /// All structs, as [`Registry::classes`].
    pub fn structs(&self) -> impl Iterator<Item = &Struct> {
        self.structs.values()
    }

    /// All enums, as [`Registry::classes`].
    pub fn enums(&self) -> impl Iterator<Item = &Enum> {
        self.enums.values()
    }

    /// The class a short name (`Actor`, `BP_Door`, `BP_Door_C`) or a full path stands for.
    pub fn find_class(&self, text: &str) -> Lookup<'_> {
        find(&self.classes, text, &["", "_C"], |class| &class.path)
    }

    /// The struct a short name (`Vector`, `FVector`) or a full path stands for.
    pub fn find_struct(&self, text: &str) -> Lookup<'_> {
        let named = |text| find(&self.structs, text, &[""], |structure| &structure.path);
        match named(text) {
            Lookup::None => text.strip_prefix('F').map_or(Lookup::None, named),
            found @ (Lookup::One(_) | Lookup::Many(_)) => found,
        }
    }

    /// The enum a short name or a full path stands for.
    pub fn find_enum(&self, text: &str) -> Lookup<'_> {
        find(&self.enums, text, &[""], |enumeration| &enumeration.path)
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
    ///
    /// Declarations do not always know whether C++ declares a delegate inside a class, so a path
    /// that fits in name and package is enough.
    pub fn signature(&self, path: &ObjectPath) -> Option<&Function> {
        if let Some(signature) = self.delegates.get(path) {
            return Some(signature);
        }
        let name = Name::new(path.name());
        // `Package.Class:Name`, also written `Package.Class.Name`.
        let outer = path.outer().or_else(|| {
            let (outer, _) = path.as_str().rsplit_once('.')?;
            outer.contains('.').then(|| ObjectPath::new(outer))
        });
        if let Some(outer) = outer {
            let own = self.class(&outer).and_then(|class| {
                let delegate = class.delegates.get(&name);
                delegate.or_else(|| class.functions.get(&name))
            });
            return own.or_else(|| {
                let outside = format!("{}.{name}", path.package());
                self.delegates.get(&ObjectPath::new(outside))
            });
        }
        let embedded = declarations::entries(&INDEX.class_delegates, name.as_str())
            .iter()
            .filter_map(|&(_, position)| self.classes.embedded_at(position));
        let added = self.classes.added();
        let package = Name::new(path.package());
        embedded
            .chain(added)
            .filter(|class| package == *class.path.package())
            .find_map(|class| class.delegates.get(&name))
    }

    /// All function libraries: classes whose functions are found without naming the class.
    pub fn libraries(&self) -> impl Iterator<Item = &Class> {
        let embedded = INDEX
            .libraries
            .iter()
            .filter_map(|&position| self.classes.embedded_at(position));
        embedded.chain(self.added_libraries())
    }

    /// The functions `name` of all libraries, each with its class. Decodes only libraries that have
    /// such a function.
    pub fn find_library_function(&self, name: &Name) -> Vec<(&Class, &Function)> {
        let embedded = INDEX
            .library_functions(name)
            .iter()
            .filter_map(|&(_, position)| self.classes.embedded_at(position));
        embedded
            .chain(self.added_libraries())
            .filter_map(|class| Some((class, class.functions.get(name)?)))
            .collect()
    }

    fn added_libraries(&self) -> impl Iterator<Item = &Class> {
        let base = ObjectPath::new("/Script/Engine.BlueprintFunctionLibrary");
        self.classes.added().filter(move |class| {
            class.kind == ClassKind::BlueprintFunctionLibrary
                || self
                    .ancestry(&class.path)
                    .any(|class| class.super_class.as_ref() == Some(&base))
        })
    }
}

fn find<'a, T: declarations::Embedded + Clone>(
    shelf: &'a Shelf<T>,
    text: &str,
    suffixes: &[&str],
    path: impl Fn(&'a T) -> &'a ObjectPath,
) -> Lookup<'a> {
    if text.starts_with('/') {
        let found = shelf.get(&ObjectPath::new(text));
        return found.map_or(Lookup::None, |item| Lookup::One(path(item)));
    }
    for suffix in suffixes {
        let found = shelf.named(&format!("{text}{suffix}"));
        match found.as_slice() {
            [] => {}
            [one] => return Lookup::One(path(one)),
            several => return Lookup::Many(several.iter().map(|&item| path(item)).collect()),
        }
    }
    Lookup::None
}
