//! What the package and the registry declare, the package first.

use std::cell::{Cell, RefCell};

use bp_reflect::{
    Certainty, Class, EngineVersion, Function, Name, ObjectPath, Property, PropertyFlags,
    PropertyType, Registry, Struct, link,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::types::{Element, ROTATOR, TRANSFORM, Ty, VECTOR, fits};
use super::{Report, Rule, VerifyError};
use crate::{Package, PropertyRef};

/// Longest chain of parents that is followed; a longer one is a circle.
const MAX_CHAIN: usize = 256;

/// Longest C array whose elements are told apart in a literal.
const MAX_ELEMENTS: u32 = 1024;

/// The class that all derive from.
const ROOT: &str = "/Script/CoreUObject.Object";

/// Ending of the name of a map's key property. Source: observed in stored map literals.
const KEY_ENDING: &str = "_Key";

/// Native classes that derive from `Object` directly, so that nothing of one of these families is in
/// another. Source: the engine's public class reference.
const FAMILIES: [&str; 13] = [
    "/Script/Engine.Actor",
    "/Script/Engine.ActorComponent",
    "/Script/Engine.AnimInstance",
    "/Script/Engine.AnimNotify",
    "/Script/Engine.AnimNotifyState",
    "/Script/Engine.BlueprintFunctionLibrary",
    "/Script/Engine.DamageType",
    "/Script/Engine.GameInstance",
    "/Script/Engine.MaterialInterface",
    "/Script/Engine.SaveGame",
    "/Script/Engine.SoundBase",
    "/Script/Engine.Subsystem",
    "/Script/UMG.Visual",
];

/// Classes whose objects may be classes. Source: as for [`FAMILIES`].
const CLASSES_OF_CLASSES: [&str; 4] = [
    ROOT,
    "/Script/CoreUObject.Field",
    "/Script/CoreUObject.Struct",
    "/Script/CoreUObject.Class",
];

/// Declarations by path.
pub(super) struct World<'a> {
    registry: &'a Registry,
    engine: EngineVersion,
    /// The registry with what the package declares, for sizes.
    linked: Registry,
    /// Classes, functions and structs of the package.
    owners: FxHashMap<ObjectPath, Owner<'a>>,
    /// What references were found to name. References decoded from one table entry share its texts,
    /// so the texts' addresses tell them apart; all of them outlive this.
    resolved: RefCell<FxHashMap<(usize, usize, usize, u16), Resolved<'a>>>,
    /// The same for functions.
    functions: RefCell<FxHashMap<usize, Callee<'a>>>,
    /// Sizes of structs that literals were found of.
    sizes: RefCell<FxHashMap<ObjectPath, Option<u32>>>,
    /// Whether the parameters of two signatures are being compared.
    is_comparing: Cell<bool>,
}

/// Something of the package that has properties.
struct Owner<'a> {
    kind: OwnerKind<'a>,
    /// Properties by name; those of one name in order.
    properties: FxHashMap<&'a Name, Vec<&'a Property>>,
}

#[derive(Clone, Copy)]
enum OwnerKind<'a> {
    Class(&'a Class),
    Function,
    Struct(&'a Struct),
}

/// What a struct literal consists of.
pub(super) struct Members<'a> {
    /// One a part, with its type; empty where not all are known.
    properties: Vec<(&'a Property, Ty<'a>)>,
    /// Number of parts, where it is known.
    count: Option<usize>,
}

impl<'a> Members<'a> {
    pub(super) fn count(&self) -> Option<usize> {
        self.count
    }

    pub(super) fn get(&self, index: usize) -> Option<(&'a Property, Ty<'a>)> {
        self.properties.get(index).copied()
    }
}

/// What a property reference names.
#[derive(Clone, Copy)]
pub(super) enum Resolved<'a> {
    /// A property.
    Found {
        /// The property itself; of an element, its container.
        property: &'a Property,
        /// The type of what is referred to.
        ty: Ty<'a>,
        /// The same as the element of a container; none if it is no single value.
        element: Option<Element<'a>>,
    },
    /// The owner is not declared in full.
    Unknown,
    /// The owner is declared and has no such property.
    Missing,
}

/// What a call's function is.
#[derive(Clone, Copy)]
pub(super) enum Callee<'a> {
    /// Declared.
    Found {
        function: &'a Function,
        /// Whether the package declares it.
        is_own: bool,
    },
    /// Nothing declares it.
    Unknown,
    /// Its class is in the package and does not have it.
    Missing,
}

impl<'a> World<'a> {
    pub(super) fn new(package: &'a Package, registry: &'a Registry) -> Self {
        let mut owners = FxHashMap::default();
        let mut add =
            |path: ObjectPath, kind, properties: &mut dyn Iterator<Item = &'a Property>| {
                let mut by_name: FxHashMap<&Name, Vec<&Property>> = FxHashMap::default();
                for property in properties {
                    by_name.entry(&property.name).or_default().push(property);
                }
                owners.insert(
                    path,
                    Owner {
                        kind,
                        properties: by_name,
                    },
                );
            };
        for compiled in &package.classes {
            let class = &compiled.class;
            add(
                class.path.clone(),
                OwnerKind::Class(class),
                &mut class.properties.iter(),
            );
            for (name, function) in class.functions.iter().chain(&class.delegates) {
                add(
                    class.path.member(name),
                    OwnerKind::Function,
                    &mut function.params.iter().chain(&function.locals),
                );
            }
        }
        for structure in &package.structs {
            add(
                structure.path.clone(),
                OwnerKind::Struct(structure),
                &mut structure.members.iter(),
            );
        }
        let mut linked = registry.clone();
        for structure in &package.structs {
            linked.add_struct(structure.clone());
        }
        for compiled in &package.classes {
            linked.add_class(compiled.class.clone());
        }
        Self {
            registry,
            engine: package.engine,
            linked,
            owners,
            resolved: RefCell::default(),
            functions: RefCell::default(),
            sizes: RefCell::default(),
            is_comparing: Cell::new(false),
        }
    }

    /// A class of the package.
    fn own_class(&self, path: &ObjectPath) -> Option<&'a Class> {
        match self.owners.get(path)?.kind {
            OwnerKind::Class(class) => Some(class),
            OwnerKind::Function | OwnerKind::Struct(_) => None,
        }
    }

    /// Whether the package declares what is at the path.
    pub(super) fn is_own(&self, path: &ObjectPath) -> bool {
        self.owners.contains_key(path)
    }

    fn class(&self, path: &ObjectPath) -> Option<&'a Class> {
        self.own_class(path).or_else(|| self.registry.class(path))
    }

    fn structure(&self, path: &ObjectPath) -> Option<&'a Struct> {
        match self.owners.get(path).map(|owner| owner.kind) {
            Some(OwnerKind::Struct(structure)) => Some(structure),
            Some(OwnerKind::Class(_) | OwnerKind::Function) | None => self.registry.structure(path),
        }
    }

    /// The class and its ancestors as far as they are declared, nearest first.
    fn ancestry(&self, path: &ObjectPath) -> impl Iterator<Item = &'a Class> {
        std::iter::successors(self.class(path), |class| {
            self.class(class.super_class.as_ref()?)
        })
        .take(MAX_CHAIN)
    }

    /// Whether one class is another, derives from it or implements it; none if that is not known.
    ///
    /// Native classes are declared with some ancestor, not always their parent, and not with all
    /// their interfaces. So of a native ancestor it is known only that it is none where it derives
    /// from the class's own native parent, or belongs to another family.
    pub(super) fn is_child_of(&self, class: &ObjectPath, ancestor: &ObjectPath) -> Option<bool> {
        if class == ancestor || ancestor.as_str().eq_ignore_ascii_case(ROOT) {
            return Some(true);
        }
        if self.derives(class, ancestor) {
            return Some(true);
        }
        let native = self.first_native(class)?;
        let ancestor_class = self.class(ancestor)?;
        if ancestor_class.is_blueprint() {
            return Some(false);
        }
        if ancestor_class.is_interface() {
            return None;
        }
        let is_below = native != ancestor && self.derives(ancestor, native);
        let are_apart = match (self.family(native), self.family(ancestor)) {
            (Some(a), Some(b)) => a != b,
            (None, _) | (_, None) => false,
        };
        (is_below || are_apart).then_some(false)
    }

    /// Whether declarations say that a class derives from another or implements it.
    fn derives(&self, class: &ObjectPath, ancestor: &ObjectPath) -> bool {
        self.ancestry(class).any(|class| {
            class.path == *ancestor
                || class.super_class.as_ref() == Some(ancestor)
                || class.interfaces.iter().any(|interface| {
                    interface == ancestor
                        || self
                            .ancestry(interface)
                            .any(|parent| parent.path == *ancestor)
                })
        })
    }

    /// The nearest native class of a chain whose Blueprint classes are all declared.
    fn first_native<'p>(&'p self, class: &'p ObjectPath) -> Option<&'p ObjectPath> {
        let mut path = class;
        for _ in 0..MAX_CHAIN {
            match self.class(path) {
                Some(class) if class.is_blueprint() => path = class.super_class.as_ref()?,
                Some(_) => return Some(path),
                None => return path.is_native().then_some(path),
            }
        }
        None
    }

    /// The family of native classes that a class belongs to.
    fn family(&self, class: &ObjectPath) -> Option<&'static str> {
        let is = |path: &ObjectPath, family: &str| path.as_str().eq_ignore_ascii_case(family);
        FAMILIES.into_iter().find(|family| {
            is(class, family)
                || self.ancestry(class).any(|class| {
                    is(&class.path, family)
                        || class
                            .super_class
                            .as_ref()
                            .is_some_and(|path| is(path, family))
                })
        })
    }

    /// Whether no object can be of both classes: neither is known to be a child of the other.
    pub(super) fn are_unrelated_classes(&self, a: &ObjectPath, b: &ObjectPath) -> bool {
        self.is_child_of(a, b) == Some(false) && self.is_child_of(b, a) == Some(false)
    }

    /// Whether an object of the class may be a class.
    pub(super) fn may_hold_classes(&self, class: &ObjectPath) -> bool {
        CLASSES_OF_CLASSES
            .iter()
            .any(|known| class.as_str().eq_ignore_ascii_case(known))
            || self.class(class).is_none_or(|class| {
                // What derives from `Class` bears it in its name.
                class.is_interface() || class.path.name().ends_with("Class")
            })
    }

    /// Whether two delegates are known to pass different arguments.
    pub(super) fn are_different_signatures(&self, a: &ObjectPath, b: &ObjectPath) -> bool {
        if a == b {
            return false;
        }
        match (self.signature(a), self.signature(b)) {
            (
                Callee::Found {
                    function: a,
                    is_own: own_a,
                },
                Callee::Found {
                    function: b,
                    is_own: own_b,
                },
            ) => self.are_different_parameters((a, own_a), (b, own_b)),
            _ => false,
        }
    }

    /// Whether two functions are known to take different arguments.
    pub(super) fn are_different_parameters(
        &self,
        (a, own_a): (&'a Function, bool),
        (b, own_b): (&'a Function, bool),
    ) -> bool {
        let is_declared = |function: &Function| function.certainty == Certainty::Declared;
        // Signatures may be parameters of each other; those inside of others are not compared.
        if !is_declared(a) || !is_declared(b) || self.is_comparing.replace(true) {
            return false;
        }
        let are_different = a.arguments().count() != b.arguments().count()
            || a.arguments().zip(b.arguments()).any(|(a, b)| {
                let (a, b) = (Ty::of_property(a, own_a), Ty::of_property(b, own_b));
                !fits(self, a, b) && !fits(self, b, a)
            });
        self.is_comparing.set(false);
        are_different
    }

    /// Whether two structs are known to be different ones without relation. Structs of Blueprints do
    /// not derive.
    pub(super) fn are_unrelated_structs(&self, a: &str, b: &str) -> bool {
        if a.eq_ignore_ascii_case(b) {
            return false;
        }
        let (a, b) = (ObjectPath::new(a), ObjectPath::new(b));
        if a == b {
            return false;
        }
        let is_basic = |path: &ObjectPath| {
            [VECTOR, ROTATOR, TRANSFORM]
                .iter()
                .any(|known| path.as_str().eq_ignore_ascii_case(known))
        };
        let is_blueprint = |path: &ObjectPath| {
            !path.is_native()
                && self
                    .structure(path)
                    .is_some_and(|s| s.super_struct.is_none())
        };
        (is_basic(&a) && is_basic(&b)) || is_blueprint(&a) || is_blueprint(&b)
    }

    /// What a property reference names.
    pub(super) fn resolve(&self, reference: &'a PropertyRef) -> Resolved<'a> {
        let Some(name) = reference.path.last() else {
            return Resolved::Missing;
        };
        let key = (
            reference.owner.as_str().as_ptr().addr(),
            name.as_str().as_ptr().addr(),
            reference.path.len(),
            reference.ordinal,
        );
        if let Some(known) = self.resolved.borrow().get(&key) {
            return *known;
        }
        let found = self.resolve_afresh(reference, name);
        self.resolved.borrow_mut().insert(key, found);
        found
    }

    fn resolve_afresh(&self, reference: &PropertyRef, name: &Name) -> Resolved<'a> {
        let ordinal = usize::from(reference.ordinal);
        let found = match self.owners.get(&reference.owner) {
            // A reference names the class that declares the property, not one that inherits it.
            Some(own) => match own.properties.get(name).and_then(|list| list.get(ordinal)) {
                Some(found) => Ok(Some((*found, true))),
                None => Ok(None),
            },
            None => self.property(&reference.owner, name, ordinal),
        };
        let (property, is_own) = match found {
            Ok(Some(found)) => found,
            Ok(None) => return Resolved::Missing,
            Err(Unknown) => return Resolved::Unknown,
        };
        let ty = match (&reference.path[..], &property.ty) {
            ([_], _) if property.array_dim > 1 => None,
            ([_], ty) => Some(ty),
            ([_, _], PropertyType::Array(inner) | PropertyType::Set(inner)) => Some(&**inner),
            // The engine names the key of a map after the map, with an ending.
            ([element, _], PropertyType::Map(pair)) => {
                let text = element.as_str();
                let is_key = text
                    .len()
                    .checked_sub(KEY_ENDING.len())
                    .and_then(|start| text.get(start..))
                    .is_some_and(|ending| ending.eq_ignore_ascii_case(KEY_ENDING));
                Some(if is_key { &pair.0 } else { &pair.1 })
            }
            _ => return Resolved::Missing,
        };
        Resolved::Found {
            property,
            ty: match ty {
                Some(ty) => Ty::of(ty, is_own),
                None => Ty::of_property(property, is_own),
            },
            element: ty.map(|ty| Element::new(ty, is_own)),
        }
    }

    fn property(
        &self,
        owner: &ObjectPath,
        name: &Name,
        ordinal: usize,
    ) -> Result<Option<(&'a Property, bool)>, Unknown> {
        let Some(own) = self.owners.get(owner) else {
            return self.declared_property(owner, name);
        };
        if let Some(found) = own.properties.get(name).and_then(|list| list.get(ordinal)) {
            return Ok(Some((found, true)));
        }
        match own.kind {
            OwnerKind::Function => Ok(None),
            OwnerKind::Struct(structure) => match &structure.super_struct {
                Some(parent) if parent != owner => self.inherited(parent, name),
                Some(_) | None if structure.is_complete => Ok(None),
                Some(_) | None => Err(Unknown),
            },
            OwnerKind::Class(class) => match &class.super_class {
                Some(parent) if parent != owner => self.inherited(parent, name),
                Some(_) | None => Ok(None),
            },
        }
    }

    /// A variable that a class or struct has or inherits, `Ok(None)` if it has none.
    ///
    /// # Errors
    /// The declarations do not say.
    pub(super) fn variable(
        &self,
        owner: &ObjectPath,
        name: &Name,
    ) -> Result<Option<&'a Property>, Unknown> {
        let found = self.property(owner, name, 0)?;
        Ok(found.map(|(property, _)| property))
    }

    /// Structs whose values lie in a struct of the package, in containers too.
    pub(super) fn inner_structs(structure: &Struct) -> Vec<&ObjectPath> {
        let mut out = Vec::new();
        let mut open: Vec<&PropertyType> =
            structure.members.iter().map(|member| &member.ty).collect();
        while let Some(ty) = open.pop() {
            if let PropertyType::Struct(path) = ty {
                out.push(path);
            } else if let PropertyType::Array(inner) | PropertyType::Set(inner) = ty {
                open.push(inner);
            } else if let PropertyType::Map(pair) = ty {
                open.extend([&pair.0, &pair.1]);
            }
        }
        out.extend(&structure.super_struct);
        out
    }

    /// A property of a parent and its parents.
    fn inherited(
        &self,
        parent: &ObjectPath,
        name: &Name,
    ) -> Result<Option<(&'a Property, bool)>, Unknown> {
        let mut path = parent;
        for _ in 0..MAX_CHAIN {
            let Some(own) = self.owners.get(path) else {
                return self.declared_property(path, name);
            };
            if let Some(found) = own.properties.get(name).and_then(|list| list.first()) {
                return Ok(Some((found, true)));
            }
            let next = match own.kind {
                OwnerKind::Class(class) => class.super_class.as_ref(),
                OwnerKind::Struct(structure) => structure.super_struct.as_ref(),
                OwnerKind::Function => None,
            };
            match next {
                Some(next) => path = next,
                None => return Ok(None),
            }
        }
        Err(Unknown)
    }

    fn declared_property(
        &self,
        owner: &ObjectPath,
        name: &Name,
    ) -> Result<Option<(&'a Property, bool)>, Unknown> {
        if let Some((_, property)) = self.registry.find_property(owner, name) {
            return Ok(Some((property, false)));
        }
        // The root class has no properties.
        if owner.as_str().eq_ignore_ascii_case(ROOT) {
            return Ok(None);
        }
        let Some(structure) = self.registry.structure(owner) else {
            return Err(Unknown);
        };
        let found = structure.members.iter().find(|member| member.name == *name);
        match found {
            Some(found) => Ok(Some((found, false))),
            None if structure.is_complete && structure.super_struct.is_none() => Ok(None),
            None => Err(Unknown),
        }
    }

    /// What an object literal is.
    pub(super) fn constant(&self, path: Option<&ObjectPath>) -> Ty<'a> {
        let Some(path) = path else {
            return Ty::Object(None);
        };
        if let Some(class) = self.class(path) {
            return Ty::Class(Some(&class.path));
        }
        let class = path.class_of_default_object();
        Ty::Object(class.and_then(|class| Some(&self.class(&class)?.path)))
    }

    /// Whether something else than a class is declared at a path.
    pub(super) fn is_no_class(&self, path: &ObjectPath) -> bool {
        self.class(path).is_none()
            && (self.is_struct(path)
                || self.registry.enumeration(path).is_some()
                || matches!(
                    self.function_afresh(path),
                    Callee::Found { .. } | Callee::Missing
                ))
    }

    /// Whether something else than an interface is declared at a path. Declarations of native classes do
    /// not always say which are interfaces.
    pub(super) fn is_no_interface(&self, path: &ObjectPath) -> bool {
        match self.class(path) {
            Some(class) => class.is_blueprint() && !class.is_interface(),
            None => self.is_no_class(path),
        }
    }

    /// Whether something else than a struct is declared at a path.
    pub(super) fn is_no_struct(&self, path: &ObjectPath) -> bool {
        !self.is_struct(path)
            && (self.class(path).is_some()
                || self.registry.enumeration(path).is_some()
                || matches!(
                    self.function_afresh(path),
                    Callee::Found { .. } | Callee::Missing
                ))
    }

    /// Whether something else than a function is declared at a path.
    pub(super) fn is_no_function(&self, path: &ObjectPath) -> bool {
        self.class(path).is_some()
            || self.is_struct(path)
            || self.registry.enumeration(path).is_some()
    }

    /// Bytes of a struct in the engine, where they are known: where it and all in it are declared in
    /// full, since the sizes of the others were seen in some versions only.
    pub(super) fn native_size(&self, path: &ObjectPath) -> Option<u32> {
        if let Some(known) = self.sizes.borrow().get(path) {
            return *known;
        }
        let ty = PropertyType::Struct(path.clone());
        let size = if self.is_declared_in_full(path) {
            link::native_size(&ty, &self.linked, self.engine)
        } else {
            None
        };
        self.sizes.borrow_mut().insert(path.clone(), size);
        size
    }

    /// Whether a struct and all that lies in it is declared in full and of known size.
    fn is_declared_in_full(&self, path: &ObjectPath) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![path];
        while let Some(path) = open.pop() {
            if !seen.insert(path) {
                continue;
            }
            let Some(structure) = self.structure(path).filter(|found| found.is_complete) else {
                return false;
            };
            open.extend(&structure.super_struct);
            for member in &structure.members {
                if matches!(member.ty, PropertyType::FieldPath | PropertyType::Wildcard) {
                    return false;
                }
                if let PropertyType::Struct(path) = &member.ty {
                    open.push(path);
                }
            }
        }
        true
    }

    /// Whether properties are fields, and no longer objects. Source: the storage of 4.24 and 4.25
    /// packages.
    pub(super) fn has_field_paths(&self) -> bool {
        self.engine >= EngineVersion::new(4, 25)
    }

    /// The registry with what the package declares.
    pub(super) fn linked(&self) -> &Registry {
        &self.linked
    }

    /// What a literal of a struct consists of; none if the struct is not declared.
    pub(super) fn literal_members(&self, path: &ObjectPath) -> Option<Members<'a>> {
        let mut chain = vec![self.structure(path)?];
        while let Some(parent) = chain[chain.len() - 1].super_struct.as_ref() {
            let Some(parent) = self.structure(parent).filter(|_| chain.len() < MAX_CHAIN) else {
                // What comes first is not known, so nothing is.
                return Some(Members {
                    properties: Vec::new(),
                    count: None,
                });
            };
            chain.push(parent);
        }
        let is_complete = chain.iter().all(|structure| structure.is_complete);
        let mut properties = Vec::new();
        for structure in chain.into_iter().rev() {
            let is_own = self.is_own(&structure.path);
            for property in &structure.members {
                if property.flags.contains(PropertyFlags::TRANSIENT) {
                    continue;
                }
                let ty = Ty::of(&property.ty, is_own);
                let n_elements = property.array_dim.clamp(1, MAX_ELEMENTS);
                properties.extend((0..n_elements).map(|_| (property, ty)));
            }
        }
        // Of a native struct that is declared in part, literals were observed in some versions only.
        let observed = self.registry.struct_literal(path);
        let is_confirmed = observed.is_some_and(|observed| observed.len() == properties.len());
        let count = (is_complete || is_confirmed).then_some(properties.len());
        if count.is_none() {
            properties.clear();
        }
        Some(Members { properties, count })
    }

    /// Whether a path is a struct that is declared.
    pub(super) fn is_struct(&self, path: &ObjectPath) -> bool {
        self.structure(path).is_some()
    }

    /// The function at a path.
    pub(super) fn function(&self, path: &'a ObjectPath) -> Callee<'a> {
        let key = path.as_str().as_ptr().addr();
        if let Some(known) = self.functions.borrow().get(&key) {
            return *known;
        }
        let found = self.function_afresh(path);
        self.functions.borrow_mut().insert(key, found);
        found
    }

    fn function_afresh(&self, path: &ObjectPath) -> Callee<'a> {
        let Some(owner) = path.outer() else {
            return Callee::Unknown;
        };
        let name = Name::new(path.name());
        let lookup = |class: &'a Class| {
            class
                .functions
                .get(&name)
                .or_else(|| class.delegates.get(&name))
        };
        if let Some(class) = self.own_class(&owner) {
            return match lookup(class) {
                Some(function) => Callee::Found {
                    function,
                    is_own: true,
                },
                None => Callee::Missing,
            };
        }
        match self.registry.class(&owner).and_then(lookup) {
            Some(function) => Callee::Found {
                function,
                is_own: false,
            },
            None => Callee::Unknown,
        }
    }

    /// The function of that name that an object of the class has.
    pub(super) fn method(&self, class: &ObjectPath, name: &Name) -> Callee<'a> {
        let found = self.ancestry(class).find_map(|class| {
            let function = class.functions.get(name).or_else(|| {
                class.interfaces.iter().find_map(|interface| {
                    self.ancestry(interface)
                        .find_map(|class| class.functions.get(name))
                })
            })?;
            Some((class, function))
        });
        match found {
            Some((class, function)) => Callee::Found {
                function,
                is_own: self.is_own(&class.path),
            },
            None => Callee::Unknown,
        }
    }

    /// The signature of a delegate.
    pub(super) fn signature(&self, path: &ObjectPath) -> Callee<'a> {
        match self.function_afresh(path) {
            Callee::Unknown => match self.registry.signature(path) {
                Some(function) => Callee::Found {
                    function,
                    is_own: false,
                },
                None => Callee::Unknown,
            },
            found @ (Callee::Found { .. } | Callee::Missing) => found,
        }
    }
}

/// The declarations do not say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown;

/// That the tables name nothing twice and every property has a name.
pub(super) fn check_tables(package: &Package, report: &mut Report) {
    let tables = &package.references;
    let mut error = |message: String| {
        report.errors.push(VerifyError {
            class: None,
            function: None,
            offset: None,
            rule: Rule::Reference,
            message,
            bytes: Vec::new(),
        });
    };
    let mut names = FxHashSet::default();
    for name in &tables.names {
        if !names.insert(name) {
            error(format!("the tables have the name `{name}` twice"));
        }
    }
    let mut objects = FxHashSet::default();
    for object in &tables.objects {
        if !objects.insert(object) {
            error(format!("the tables have the object {object} twice"));
        }
    }
    let mut properties = FxHashSet::default();
    for property in &tables.properties {
        if property.path.is_empty() {
            error(format!(
                "the tables have a property of {} without name",
                property.owner
            ));
        } else if !properties.insert(property) {
            error(format!(
                "the tables have the property {} of {} twice",
                property.name(),
                property.owner
            ));
        }
    }
}
