//! Loading: from verified packages and native declarations to linked classes and resolved
//! references.
//!
//! Classes of packages are loaded when the world is made, native classes and functions when something
//! first names them. References that nothing answers are no load error: the script may never come
//! there. They fail when they are used.

use std::sync::Arc;

use bp_bytecode::verify::Verified;
use bp_bytecode::{CompiledClass, Package, PropertyRef, ReferenceTables};
use bp_reflect::link::{self, LinkError};
use bp_reflect::{
    Class, ClassKind, Function, FunctionFlags, Name, ObjectPath, Property, PropertyFlags,
    PropertyType, Registry, Struct,
};
use indexmap::IndexMap;

use crate::error::LoadError;
use crate::ids::{ClassId, FunctionId, NameId, ObjectHandle, TypeId};
use crate::objects::{Life, Object, ObjectKind};
use crate::program::{
    Body, ClassInfo, Code, FunctionInfo, Param, Program, PropertySlot, Reference, References,
    Variable, statement_starts,
};
use crate::types::Owned;
use crate::vm::Vm;

/// The class everything derives from; always loaded first.
pub(crate) const OBJECT: ClassId = ClassId(0);
/// The class of classes; always loaded second.
pub(crate) const CLASS: ClassId = ClassId(1);

impl Vm {
    /// Loads everything the packages hold.
    pub(crate) fn load(&mut self, packages: Vec<Verified<Package>>) -> Result<(), LoadError> {
        self.declare_basics();
        for package in &packages {
            for structure in &package.structs {
                self.program.registry.add_struct(structure.clone());
            }
            for enumeration in &package.enums {
                self.program.registry.add_enum(enumeration.clone());
            }
            for compiled in &package.classes {
                self.program.registry.add_class(compiled.class.clone());
            }
        }
        self.load_class(&ObjectPath::new("/Script/CoreUObject.Object"))?;
        self.load_class(&ObjectPath::new("/Script/CoreUObject.Class"))?;
        let mut compiled = IndexMap::new();
        let mut references = Vec::with_capacity(packages.len());
        for (index, package) in packages.into_iter().enumerate() {
            let package = package.into_inner();
            references.push(package.references);
            for class in package.classes {
                if class.class.functions.len() != class.functions.len() {
                    return Err(LoadError::Scripts {
                        class: class.class.path.clone(),
                        functions: class.class.functions.len(),
                        scripts: class.functions.len(),
                    });
                }
                let path = class.class.path.clone();
                let entry = (index, Arc::new(class));
                if compiled.insert(path.clone(), entry).is_some() {
                    return Err(LoadError::Duplicate(path));
                }
            }
        }
        self.program.compiled = compiled;
        for path in self.program.compiled.keys().cloned().collect::<Vec<_>>() {
            self.load_class(&path)?;
        }
        for tables in references {
            let references = self.resolve(tables)?;
            self.program.references.push(Arc::new(references));
        }
        self.write_defaults();
        Ok(())
    }

    /// The two classes that handles and class values need, and the members of vector structs that
    /// the declarations leave out.
    fn declare_basics(&mut self) {
        self.complete_vectors();
        self.complete_springs();
        let object = ObjectPath::new("/Script/CoreUObject.Object");
        let class = ObjectPath::new("/Script/CoreUObject.Class");
        let registry = &mut self.program.registry;
        if registry.class(&object).is_none() {
            registry.add_class(Class::new(object.clone(), None, ClassKind::Native));
        }
        if registry.class(&class).is_none() {
            registry.add_class(Class::new(class, Some(object), ClassKind::Native));
        }
    }

    fn complete_vectors(&mut self) {
        let vector = ObjectPath::new("/Script/CoreUObject.Vector");
        let like_vector = [
            "/Script/Engine.Vector_NetQuantize",
            "/Script/Engine.Vector_NetQuantize10",
            "/Script/Engine.Vector_NetQuantize100",
            "/Script/Engine.Vector_NetQuantizeNormal",
        ];
        for path in like_vector {
            self.complete_struct(path, |structure| {
                structure.super_struct = Some(vector.clone());
            });
        }
        self.complete_struct("/Script/CoreUObject.Vector3f", |structure| {
            let member = |name| Property::new(name, PropertyType::Float, PropertyFlags::default());
            structure.members = ["X", "Y", "Z"].map(member).to_vec();
        });
    }

    /// What springs remember, which the engine keeps from Blueprints.
    fn complete_springs(&mut self) {
        let state = |target: PropertyType, velocity: PropertyType| {
            let member = |name, ty| Property::new(name, ty, PropertyFlags::default());
            vec![
                member("PrevTarget", target),
                member("Velocity", velocity),
                member("bPrevTargetValid", PropertyType::Bool),
            ]
        };
        let of = |name: &str| {
            PropertyType::Struct(ObjectPath::new(format!("/Script/CoreUObject.{name}")))
        };
        let states = [
            ("Float", PropertyType::Float, PropertyType::Float),
            ("Vector", of("Vector"), of("Vector")),
            ("Quaternion", of("Quat"), of("Vector")),
        ];
        for (name, target, velocity) in states {
            let path = format!("/Script/Engine.{name}SpringState");
            self.complete_struct(&path, |structure| {
                structure.members = state(target, velocity);
            });
        }
    }

    /// Completes a declared struct that is known by name only.
    fn complete_struct(&mut self, path: &str, complete: impl FnOnce(&mut Struct)) {
        let registry = &mut self.program.registry;
        if let Some(known) = registry.structure(&ObjectPath::new(path))
            && known.members.is_empty()
            && known.super_struct.is_none()
        {
            let mut structure = known.clone();
            complete(&mut structure);
            registry.add_struct(structure);
        }
    }

    // ---- classes

    /// The class at `path`, loaded if it is declared.
    pub(crate) fn load_class(&mut self, path: &ObjectPath) -> Result<Option<ClassId>, LinkError> {
        if let Some(id) = self.program.class_ids.get(path) {
            return Ok(Some(*id));
        }
        let Some(class) = self.program.registry.class(path) else {
            return Ok(None);
        };
        let layout = link::link_class(class, &self.program.registry, self.program.engine)?;
        let path = class.path.clone();
        let parent_path = class.super_class.clone();
        let interface_paths = class.interfaces.clone();
        let parent = match &parent_path {
            Some(parent) => self.load_class(parent)?,
            None => None,
        };
        let parent_info = parent.map(|id| self.program.class(id).clone());
        let id = ClassId(self.program.classes.len() as u32);
        let mut lineage = vec![id];
        let mut interfaces = Vec::new();
        let mut variables = IndexMap::default();
        let mut owned = Vec::new();
        let mut owned_frames = Vec::new();
        let mut constructed_frames = Vec::new();
        let mut frame_words = 0;
        if let Some(parent) = &parent_info {
            lineage.extend(&parent.lineage);
            interfaces.clone_from(&parent.interfaces);
            variables.clone_from(&parent.variables);
            owned.clone_from(&parent.owned);
            owned_frames.clone_from(&parent.owned_frames);
            constructed_frames.clone_from(&parent.constructed_frames);
            frame_words = parent.frame_words;
        }
        let class = self.program.registry.class(&path).expect("was found above");
        for property in &class.properties {
            let ty = self
                .memory
                .types
                .property(property, &self.program.registry)?;
            let slot = layout.slot(&path, &property.name).unwrap_or_default();
            let at = self.memory.types.info(ty).owned.iter();
            owned.extend(at.map(|(offset, kind)| (slot.offset + offset, *kind)));
            let variable = Variable {
                offset: slot.offset,
                ty,
                owner: id,
            };
            variables.insert(property.name.clone(), variable);
        }
        // The class's place is taken before anything that may name the class is loaded.
        self.program.class_ids.insert(path.clone(), id);
        self.program.classes.push(Arc::new(ClassInfo {
            path: path.clone(),
            lineage,
            interfaces,
            words: layout.words,
            frame_words,
            owned,
            owned_frames,
            constructed_frames,
            variables,
            compiled: None,
            object: ObjectHandle::NONE,
            default: ObjectHandle::NONE,
        }));
        for interface in &interface_paths {
            if let Some(interface) = self.load_class(interface)? {
                let extended = self.program.class(interface).lineage.clone();
                let info = self.class_mut(id);
                for interface in extended {
                    if interface != OBJECT && !info.interfaces.contains(&interface) {
                        info.interfaces.push(interface);
                    }
                }
            }
        }
        if let Some((package, compiled)) = self.program.compiled.get(&path).cloned() {
            self.load_scripts(id, package, &compiled)?;
            self.class_mut(id).compiled = Some(compiled);
        }
        let was_open = self.pause_log();
        self.make_class_objects(id, parent_info.as_deref());
        self.resume_log(was_open);
        Ok(Some(id))
    }

    fn class_mut(&mut self, id: ClassId) -> &mut ClassInfo {
        Arc::get_mut(&mut self.program.classes[id.0 as usize])
            .expect("a class being loaded is not shared yet")
    }

    fn load_scripts(
        &mut self,
        id: ClassId,
        package: usize,
        compiled: &CompiledClass,
    ) -> Result<(), LinkError> {
        let scripts = compiled.class.functions.values().zip(&compiled.functions);
        for (function, script) in scripts {
            let dialect = bp_bytecode::Dialect::new(self.program.engine);
            let code = Code {
                bytes: script.script.clone().into_boxed_slice(),
                package,
                dialect,
                starts: statement_starts(&script.script, dialect),
                sites: script.sites.clone(),
                nodes: script.nodes.clone(),
            };
            let is_ubergraph = compiled.ubergraph.as_ref() == Some(&function.name);
            let frame_offset = self.program.class(id).frame_words;
            let persistent = is_ubergraph.then_some(frame_offset);
            let body = Body::Script(Arc::new(code));
            let path = compiled.class.path.member(&function.name);
            let function = self.add_function(function, path, Some(id), persistent, body)?;
            if is_ubergraph {
                let info = self.program.function(function).clone();
                let class = self.class_mut(id);
                class.frame_words += info.words;
                let owned = info.owned.iter();
                class
                    .owned_frames
                    .extend(owned.map(|(offset, kind)| (frame_offset + offset, *kind)));
                let constructed = info.constructed.iter();
                class
                    .constructed_frames
                    .extend(constructed.map(|(offset, ty)| (frame_offset + offset, *ty)));
            }
        }
        Ok(())
    }

    pub(crate) fn make_class_objects(&mut self, id: ClassId, parent: Option<&ClassInfo>) {
        let info = self.program.class(id);
        let path = info.path.clone();
        let (mut words, mut frames) = (info.words as usize, info.frame_words as usize);
        let bytes = Object::bytes(info.words, info.frame_words);
        if !self.memory.budget.ask(bytes) {
            // The world, or the run that asked for the class, is given up at the next check.
            (words, frames) = (0, 0);
        }
        let object = self.memory.objects.insert(Object {
            class: CLASS,
            name: Name::new(path.name()),
            outer: ObjectHandle::NONE,
            kind: ObjectKind::Class(id),
            life: Life::Alive,
            words: Vec::new(),
            frames: Vec::new(),
        });
        let default = self.memory.objects.insert(Object {
            class: id,
            name: Name::new(path.default_object().name()),
            outer: ObjectHandle::NONE,
            kind: ObjectKind::Default,
            life: Life::Alive,
            words: vec![0; words],
            frames: vec![0; frames],
        });
        let class = self.class_mut(id);
        class.object = object;
        class.default = default;
        if let Some(parent) = parent {
            self.copy_variables(parent.default, default, parent);
        }
        let variables: Vec<_> = self
            .program
            .class(id)
            .variables
            .values()
            .filter(|variable| variable.owner == id)
            .copied()
            .collect();
        for variable in variables {
            if !self.memory.types.initial(variable.ty).is_empty() {
                let place = crate::memory::Place::object(default, variable.offset);
                self.construct(place, variable.ty);
            }
        }
        self.native_defaults(id);
    }

    /// Copies the variables that `class` knows from one object to another.
    pub(crate) fn copy_variables(
        &mut self,
        from: ObjectHandle,
        to: ObjectHandle,
        class: &ClassInfo,
    ) {
        let Some(source) = self.memory.objects.get(from) else {
            return;
        };
        let Some(words) = source.words.get(..class.words as usize) else {
            return;
        };
        let mut words = words.to_vec();
        for (offset, owned) in &class.owned {
            let word = &mut words[*offset as usize];
            self.memory.own_word(*owned, word);
        }
        self.memory.objects.write(to, 0, &words);
    }

    /// Writes what the packages say of default objects, parents before children.
    fn write_defaults(&mut self) {
        for index in 0..self.program.classes.len() {
            let class = self.program.classes[index].clone();
            let Some(compiled) = &class.compiled else {
                continue;
            };
            if let Some(parent) = class.lineage.get(1) {
                // The parent's own defaults were written after this object was made.
                let parent = self.program.class(*parent).clone();
                for (offset, owned) in &parent.owned {
                    let word = self.object_word(class.default, *offset);
                    self.memory.disown_word(*owned, word);
                }
                self.copy_variables(parent.default, class.default, &parent);
            }
            for (name, value) in &compiled.defaults {
                if let Some(variable) = class.variables.get(name) {
                    let place = crate::memory::Place::object(class.default, variable.offset);
                    self.write_value(place, variable.ty, value);
                }
            }
        }
    }

    fn object_word(&self, object: ObjectHandle, offset: u32) -> u64 {
        self.memory
            .word(crate::memory::Place::object(object, offset))
    }

    // ---- functions

    fn add_function(
        &mut self,
        function: &Function,
        path: ObjectPath,
        class: Option<ClassId>,
        persistent: Option<u32>,
        body: Body,
    ) -> Result<FunctionId, LinkError> {
        let id = FunctionId(self.program.functions.len() as u32);
        let info = link_function(
            &mut self.memory.types,
            &self.program,
            FunctionParts {
                id,
                function,
                path: path.clone(),
                class,
                persistent,
                body,
            },
        )?;
        self.program.functions.push(Arc::new(info));
        self.program.function_ids.insert(path, id);
        Ok(id)
    }

    /// The function at `path` (`…Class:Name`, or a delegate signature), loaded if it is declared.
    pub(crate) fn load_function(
        &mut self,
        path: &ObjectPath,
    ) -> Result<Option<FunctionId>, LinkError> {
        if let Some(id) = self.program.function_ids.get(path) {
            return Ok(Some(*id));
        }
        let class = match path.outer() {
            Some(outer) => self.load_class(&outer)?,
            None => None,
        };
        // Loading the class of a package loads its functions.
        if let Some(id) = self.program.function_ids.get(path) {
            return Ok(Some(*id));
        }
        let name = Name::new(path.name());
        let registry = &self.program.registry;
        let declared = path
            .outer()
            .and_then(|outer| registry.class(&outer)?.functions.get(&name))
            .or_else(|| registry.signature(path));
        let Some(function) = declared else {
            return Ok(None);
        };
        let native = class.and_then(|class| {
            let class = self.program.class(class).path.name();
            self.program.natives.get(class, &function.name)
        });
        let is_event = function.flags.contains(FunctionFlags::BLUEPRINT_EVENT)
            && !function.flags.contains(FunctionFlags::NATIVE);
        let body = match native {
            Some(native) => Body::Native(native.clone()),
            None if is_event => Body::Event,
            None => Body::Missing,
        };
        let id = FunctionId(self.program.functions.len() as u32);
        let info = link_function(
            &mut self.memory.types,
            &self.program,
            FunctionParts {
                id,
                function,
                path: path.clone(),
                class,
                persistent: None,
                body,
            },
        )?;
        self.program.functions.push(Arc::new(info));
        self.program.function_ids.insert(path.clone(), id);
        Ok(Some(id))
    }

    /// The function a class answers `name` with: its own, an ancestor's, or one of its interfaces'.
    pub(crate) fn find_function(&mut self, class: ClassId, name: NameId) -> Option<FunctionId> {
        if let Some(found) = self.program.dispatch.get(&(class, name)) {
            return *found;
        }
        let info = self.program.class(class).clone();
        let text = self.names.name(name).clone();
        let candidates = info.lineage.iter().chain(&info.interfaces);
        let mut found = None;
        for class in candidates {
            let path = self.program.class(*class).path.clone();
            let declares = self
                .program
                .registry
                .class(&path)
                .is_some_and(|class| class.functions.contains_key(&text));
            if declares && let Ok(Some(id)) = self.load_function(&path.member(&text)) {
                found = Some(id);
                break;
            }
        }
        self.program.dispatch.insert((class, name), found);
        found
    }

    // ---- references

    fn resolve(&mut self, tables: ReferenceTables) -> Result<References, LoadError> {
        let names = tables
            .names
            .iter()
            .map(|base| self.names.intern_text(base))
            .collect();
        let mut objects = Vec::with_capacity(tables.objects.len());
        for path in &tables.objects {
            objects.push(self.resolve_object(path)?);
        }
        let mut properties = Vec::with_capacity(tables.properties.len());
        for property in &tables.properties {
            properties.push(self.resolve_property(property)?);
        }
        Ok(References {
            names,
            bases: tables.names,
            objects,
            properties,
        })
    }

    /// What a path stands for.
    pub(crate) fn resolve_object(&mut self, path: &ObjectPath) -> Result<Reference, LinkError> {
        if let Some(id) = self.load_class(path)? {
            return Ok(Reference::Class(id));
        }
        if let Some(class) = path.class_of_default_object()
            && let Some(id) = self.load_class(&class)?
        {
            return Ok(Reference::Object(self.program.class(id).default));
        }
        if self.program.registry.structure(path).is_some() {
            let id = self
                .memory
                .types
                .link_struct(path, &self.program.registry)?;
            return Ok(Reference::Struct(id));
        }
        if let Some(id) = self.load_function(path)? {
            return Ok(Reference::Function(id));
        }
        if path.as_str().contains(':') {
            self.program.undeclared.push(path.clone());
            let index = self.program.undeclared.len() as u32 - 1;
            return Ok(Reference::Undeclared(index));
        }
        Ok(Reference::Object(self.asset(path)))
    }

    /// The object that stands for something not loaded; one for each path.
    pub(crate) fn asset(&mut self, path: &ObjectPath) -> ObjectHandle {
        if let Some(handle) = self.program.assets.get(path) {
            return *handle;
        }
        let was_open = self.pause_log();
        let handle = self.memory.objects.insert(Object {
            class: OBJECT,
            name: Name::new(path.name()),
            outer: ObjectHandle::NONE,
            kind: ObjectKind::Asset(path.clone()),
            life: Life::Alive,
            words: Vec::new(),
            frames: Vec::new(),
        });
        self.resume_log(was_open);
        self.program.assets.insert(path.clone(), handle);
        handle
    }

    /// The object value a path stands for: a class, a default object, or something not loaded.
    pub(crate) fn object_at(&mut self, path: &ObjectPath) -> ObjectHandle {
        match self.resolve_object(path) {
            Ok(Reference::Class(id)) => self.program.class(id).object,
            Ok(Reference::Object(handle)) => handle,
            Ok(Reference::Function(_) | Reference::Struct(_) | Reference::Undeclared(_))
            | Err(_) => self.asset(path),
        }
    }

    fn resolve_property(&mut self, property: &PropertyRef) -> Result<PropertySlot, LinkError> {
        let name = self.names.intern(property.name());
        let holder = property
            .path
            .last()
            .expect("a property path is never empty");
        let mut slot = PropertySlot {
            offset: 0,
            ty: TypeId::NOTHING,
            frame_offset: 0,
            name,
            is_known: false,
        };
        if let Some(class) = self.load_class(&property.owner)? {
            if let Some(variable) = self.program.variable(class, holder) {
                slot.offset = variable.offset;
                slot.ty = variable.ty;
                slot.is_known = true;
            }
        } else if self.program.registry.structure(&property.owner).is_some() {
            let id = self
                .memory
                .types
                .link_struct(&property.owner, &self.program.registry)?;
            let fields = &self.memory.types.structure(id).fields;
            if let Some(field) = fields.iter().find(|field| field.name == *holder) {
                slot.offset = field.offset;
                slot.ty = field.ty;
                slot.is_known = true;
            }
        } else if let Some(function) = self.load_function(&property.owner)? {
            let info = self.program.function(function);
            let found = info
                .params
                .iter()
                .chain(&info.locals)
                .filter(|param| param.name == *holder)
                .nth(property.ordinal as usize);
            if let Some(param) = found {
                slot.offset = param.offset;
                slot.ty = param.ty;
                slot.frame_offset = info.persistent.unwrap_or(0);
                slot.is_known = true;
            }
        }
        // An element of a container property: `[element, container]`.
        if property.path.len() > 1 {
            let types = &self.memory.types;
            let is_key = property.name().as_str().ends_with("_Key");
            slot.ty = match (types.array_element(slot.ty), types.table_parts(slot.ty)) {
                (Some(element), _) => element,
                (None, Some((_, Some(value)))) if !is_key => value,
                (None, Some((key, _))) => key,
                (None, None) => slot.ty,
            };
        }
        Ok(slot)
    }
}

struct FunctionParts<'a> {
    id: FunctionId,
    function: &'a Function,
    path: ObjectPath,
    class: Option<ClassId>,
    persistent: Option<u32>,
    body: Body,
}

fn link_function(
    types: &mut crate::types::TypeTable,
    program: &Program,
    parts: FunctionParts<'_>,
) -> Result<FunctionInfo, LinkError> {
    let registry: &Registry = &program.registry;
    let function = parts.function;
    let layout = link::link_function(function, registry, program.engine)?;
    let mut owned: Vec<(u32, Owned)> = Vec::new();
    let mut link = |property: &Property, offset: u32| -> Result<Param, LinkError> {
        let ty = types.property(property, registry)?;
        let at = types.info(ty).owned.iter();
        owned.extend(at.map(|(o, kind)| (offset + o, *kind)));
        Ok(Param {
            name: property.name.clone(),
            ty,
            offset,
            is_return: property.is_return(),
            is_out: property.is_out(),
        })
    };
    let n_params = function.params.len();
    let mut params = Vec::with_capacity(n_params);
    for (param, slot) in function.params.iter().zip(&layout.slots) {
        params.push(link(param, slot.offset)?);
    }
    let mut locals = Vec::with_capacity(function.locals.len());
    for (local, slot) in function.locals.iter().zip(&layout.slots[n_params..]) {
        locals.push(link(local, slot.offset)?);
    }
    let constructed = locals
        .iter()
        .filter(|local| !types.initial(local.ty).is_empty())
        .map(|local| (local.offset, local.ty))
        .collect();
    Ok(FunctionInfo {
        id: parts.id,
        name: function.name.clone(),
        path: parts.path,
        class: parts.class,
        return_param: params.iter().position(|param| param.is_return),
        params,
        locals,
        words: layout.words,
        owned,
        constructed,
        persistent: parts.persistent,
        flags: function.flags,
        body: parts.body,
    })
}
