//! What the package and the registry declare, the package first.

use std::cell::RefCell;

use bp_reflect::{Class, Function, Name, ObjectPath, Property, Registry, Struct};
use rustc_hash::{FxHashMap, FxHashSet};

use super::types::{Element, ROTATOR, TRANSFORM, Ty, VECTOR};
use super::{Report, Rule, VerifyError};
use crate::{Package, PropertyRef};

/// Longest chain of parents that is followed; a longer one is a circle.
const MAX_CHAIN: usize = 256;

/// The class that all derive from.
const ROOT: &str = "/Script/CoreUObject.Object";

/// Declarations by path.
pub(super) struct World<'a> {
    registry: &'a Registry,
    /// Classes, functions and structs of the package.
    owners: FxHashMap<ObjectPath, Owner<'a>>,
    /// What references were found to name. References decoded from one table entry share its texts,
    /// so the texts' addresses tell them apart; all of them outlive this.
    resolved: RefCell<FxHashMap<(usize, usize, usize, u16), Resolved<'a>>>,
    /// The same for functions.
    functions: RefCell<FxHashMap<usize, Callee<'a>>>,
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

/// What a property reference names.
#[derive(Clone, Copy)]
pub(super) enum Resolved<'a> {
    /// A property.
    Found {
        /// The property itself; of an element, its container.
        property: &'a Property,
        /// The type of what is referred to.
        ty: Ty<'a>,
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
        Self {
            registry,
            owners,
            resolved: RefCell::default(),
            functions: RefCell::default(),
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
    /// Native classes are declared with some ancestor, not always their parent, so that only a
    /// Blueprint class is known not to be an ancestor.
    pub(super) fn is_child_of(&self, class: &ObjectPath, ancestor: &ObjectPath) -> Option<bool> {
        if class == ancestor || ancestor.as_str().eq_ignore_ascii_case(ROOT) {
            return Some(true);
        }
        let mut last: Option<&Class> = None;
        for class in self.ancestry(class) {
            let implements = class.interfaces.iter().any(|interface| {
                interface == ancestor
                    || self
                        .ancestry(interface)
                        .any(|parent| parent.path == *ancestor)
            });
            if class.path == *ancestor || class.super_class.as_ref() == Some(ancestor) || implements
            {
                return Some(true);
            }
            last = Some(class);
        }
        let end = match last {
            None => class,
            Some(last) => last.super_class.as_ref().unwrap_or(&last.path),
        };
        (self.is_blueprint(ancestor) && !self.is_blueprint_or_unknown(end)).then_some(false)
    }

    fn is_blueprint(&self, path: &ObjectPath) -> bool {
        self.class(path).is_some_and(Class::is_blueprint)
    }

    /// Whether a chain that ends here may go on through Blueprint classes.
    fn is_blueprint_or_unknown(&self, path: &ObjectPath) -> bool {
        match self.class(path) {
            // A Blueprint class without parent ends its chain.
            Some(class) => class.super_class.is_some() && class.is_blueprint(),
            None => !path.is_native(),
        }
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
        let found = self.property(&reference.owner, name, usize::from(reference.ordinal));
        let (property, is_own) = match found {
            Ok(Some(found)) => found,
            Ok(None) => return Resolved::Missing,
            Err(Unknown) => return Resolved::Unknown,
        };
        let ty = Ty::of(&property.ty, is_own);
        let ty = match (reference.path.len(), ty) {
            (1, ty) => ty,
            (2, Ty::Array(element) | Ty::Set(element)) => element.map_or(Ty::Unknown, Element::ty),
            // The parts of a map, and of what holds containers in containers.
            _ => Ty::Unknown,
        };
        Resolved::Found { property, ty }
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
    pub(super) fn signature(&self, path: &'a ObjectPath) -> Callee<'a> {
        match self.function(path) {
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
struct Unknown;

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
