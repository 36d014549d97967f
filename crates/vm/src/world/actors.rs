//! Objects of the world: making, starting, moving and destroying them.

use bp_reflect::{Name, ObjectPath};
use glam::DVec3;

use crate::error::{LimitKind, Run, RunError};
use crate::ids::{ClassId, NameId, ObjectHandle, TypeId};
use crate::load::OBJECT;
use crate::memory::{Base, Footprint, Place, TypedPlace};
use crate::natives::{Rotator, Transform};
use crate::objects::{Life, Object, ObjectKind};
use crate::program::Body;
use crate::vm::Vm;
use crate::world::Known;
use crate::world::timelines::Timeline;

/// What the world knows of an actor besides its variables.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Actor {
    pub(crate) has_begun: bool,
    pub(crate) is_built: bool,
    pub(crate) ticks: bool,
    /// World time at which it was made.
    pub(crate) created: f64,
    /// World time at which it is destroyed.
    pub(crate) dies: Option<f64>,
    pub(crate) owner: ObjectHandle,
    pub(crate) instigator: ObjectHandle,
    /// Its components, in order of making.
    pub(crate) components: Vec<ObjectHandle>,
    pub(crate) root: ObjectHandle,
    /// Where it is, if it has no root component.
    pub(crate) transform: Transform,
}

impl Footprint for Actor {
    fn footprint(&self) -> u64 {
        (self.components.len() * size_of::<ObjectHandle>()) as u64
    }
}

/// What the world knows of a component besides its variables.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Component {
    pub(crate) owner: ObjectHandle,
    /// What it is attached to.
    pub(crate) parent: ObjectHandle,
    /// Where it is relative to its parent, if its class declares no variables for that.
    pub(crate) relative: Transform,
}

/// How deep components of components are made.
const MAX_PARTS_DEPTH: usize = 8;

impl Vm {
    pub(crate) fn is_actor(&self, class: ClassId) -> bool {
        self.state
            .known
            .actor
            .is_some_and(|actor| self.program.is_child_of(class, actor))
    }

    /// A new object of a class with the values of its default object. None where a limit is hit; the run
    /// then ends at the next check.
    pub(crate) fn new_object(
        &mut self,
        class: ClassId,
        name: Option<Name>,
        outer: ObjectHandle,
    ) -> ObjectHandle {
        let info = self.program.class(class).clone();
        if self.memory.objects.n_instances() >= self.limits.objects {
            self.guard.hit = Some(LimitKind::Objects(self.limits.objects));
            return ObjectHandle::NONE;
        }
        let bytes = Object::bytes(info.words, info.frame_words);
        if !self.memory.budget.ask(bytes) {
            return ObjectHandle::NONE;
        }
        let name = name.unwrap_or_else(|| {
            let count = self.state.made.get(&class).copied().unwrap_or(0);
            self.state.made.insert(class, count + 1);
            Name::new(format!("{}_{count}", info.path.name()))
        });
        let object = self.memory.objects.insert(Object {
            class,
            name,
            outer,
            kind: ObjectKind::Instance,
            life: Life::Alive,
            words: vec![0; info.words as usize],
            frames: vec![0; info.frame_words as usize],
        });
        self.copy_variables(info.default, object, &info);
        for (offset, ty) in &info.constructed_frames {
            let base = Base::Persistent(object);
            let offset = *offset;
            self.construct(Place { base, offset }, *ty);
        }
        object
    }

    /// A new object of the world; of an actor with its components, but not yet built.
    pub(crate) fn make(&mut self, class: ClassId, transform: Transform) -> ObjectHandle {
        let object = self.new_object(class, None, ObjectHandle::NONE);
        if object.is_none() {
            return object;
        }
        if !self.is_actor(class) {
            self.make_parts(object, class, transform, 0);
            return object;
        }
        let actor = Actor {
            ticks: true,
            created: self.state.time,
            transform,
            ..Actor::default()
        };
        self.state.actors.insert(object, actor);
        self.make_parts(object, class, transform, 0);
        object
    }

    /// Components, timelines and bound events of a new object, those of ancestors first.
    fn make_parts(
        &mut self,
        object: ObjectHandle,
        class: ClassId,
        transform: Transform,
        depth: usize,
    ) {
        let lineage = self.program.class(class).lineage.clone();
        for ancestor in lineage.iter().rev() {
            let Some(compiled) = self.program.class(*ancestor).compiled.clone() else {
                continue;
            };
            for template in &compiled.components {
                let component_class = self.load_or_object(&template.class);
                let component =
                    self.new_object(component_class, Some(template.name.clone()), object);
                if component.is_none() {
                    return;
                }
                self.set_object_variable(object, &template.name, component);
                let parent = template
                    .parent
                    .as_ref()
                    .map_or(ObjectHandle::NONE, |parent| {
                        self.object_variable(object, parent)
                    });
                self.attach_component(object, component, parent, transform);
                if depth < MAX_PARTS_DEPTH {
                    self.make_parts(component, component_class, Transform::default(), depth + 1);
                }
            }
            for (index, template) in compiled.timelines.iter().enumerate() {
                let path = ObjectPath::new("/Script/Engine.TimelineComponent");
                let component_class = self.load_or_object(&path);
                let component =
                    self.new_object(component_class, Some(template.name.clone()), object);
                if component.is_none() {
                    return;
                }
                self.set_object_variable(object, &template.name, component);
                let timeline = Timeline::new(object, compiled.clone(), index);
                self.state.timelines.insert(component, timeline);
            }
            for binding in &compiled.bindings {
                let component = self.object_variable(object, &binding.component);
                let Some(class) = self.class_of(component) else {
                    continue;
                };
                if let Some(variable) = self.program.variable(class, &binding.delegate)
                    && variable.ty == TypeId::MULTICAST
                {
                    let place = Place::object(component, variable.offset);
                    let function = self.names.intern(&binding.function);
                    let target = TypedPlace {
                        place,
                        ty: variable.ty,
                    };
                    self.bind_to(target, (object, function));
                }
            }
        }
    }

    fn load_or_object(&mut self, path: &ObjectPath) -> ClassId {
        self.load_class(path).ok().flatten().unwrap_or(OBJECT)
    }

    /// Makes a new component part of an actor. The first scene component without a parent becomes the
    /// actor's root.
    pub(crate) fn attach_component(
        &mut self,
        object: ObjectHandle,
        component: ObjectHandle,
        parent: ObjectHandle,
        transform: Transform,
    ) {
        let is_scene = self.is_scene_component(component);
        let mut parent = parent;
        let mut becomes_root = false;
        self.state.actors.change(&object, |actor| {
            actor.components.push(component);
            if is_scene && actor.root.is_none() {
                actor.root = component;
                becomes_root = true;
            } else if is_scene && parent.is_none() {
                parent = actor.root;
            }
        });
        let entry = Component {
            owner: object,
            parent,
            relative: Transform::default(),
        };
        self.state.components.insert(component, entry);
        if becomes_root {
            self.set_object_variable(object, &Name::new("RootComponent"), component);
            let own = self.relative_transform(component);
            self.set_relative_transform(component, own.then(transform));
        }
    }

    pub(crate) fn is_scene_component(&self, component: ObjectHandle) -> bool {
        self.state
            .known
            .scene_component
            .is_some_and(|class| self.is_a(component, class))
    }

    /// Runs the construction script of a made object, once.
    pub(crate) fn build(&mut self, object: ObjectHandle) -> Run {
        if let Some(actor) = self.state.actors.get_mut(&object) {
            if actor.is_built {
                return Ok(());
            }
            actor.is_built = true;
            self.tell(object, "UserConstructionScript")?;
        }
        Ok(())
    }

    /// Tells an actor that play begins, once, and starts its timelines.
    pub(crate) fn begin(&mut self, object: ObjectHandle) -> Run {
        match self.state.actors.get_mut(&object) {
            Some(actor) if actor.has_begun => return Ok(()),
            Some(actor) => actor.has_begun = true,
            None => {}
        }
        let own: Vec<_> = self
            .state
            .timelines
            .map()
            .iter()
            .filter(|(_, timeline)| timeline.owner == object)
            .map(|(handle, _)| *handle)
            .collect();
        for handle in own {
            if let Some(timeline) = self.state.timelines.get_mut(&handle)
                && timeline.template().auto_play
            {
                timeline.play(true);
            }
        }
        for component in self.components_of(object) {
            self.tell(component, "ReceiveBeginPlay")?;
        }
        self.tell(object, "ReceiveBeginPlay")
    }

    /// Runs an object's script for an event without outputs, if it has one.
    fn tell(&mut self, object: ObjectHandle, event: &str) -> Run {
        if self.has_script(object, event) {
            self.invoke_named(object, &Name::new(event))?;
        }
        Ok(())
    }

    /// The components of an actor that are alive, in order of making.
    pub(crate) fn components_of(&self, actor: ObjectHandle) -> Vec<ObjectHandle> {
        let Some(state) = self.state.actors.get(&actor) else {
            return Vec::new();
        };
        let all = state.components.iter().copied();
        all.filter(|component| self.memory.objects.is_alive(*component))
            .collect()
    }

    /// Ends play for an object and marks it destroyed. It is collected when the tick is over.
    pub(crate) fn destroy(&mut self, object: ObjectHandle) -> Run {
        // Classes, default objects and assets are not the world's to destroy.
        if !self.is_instance(object)
            || !self.memory.objects.is_alive(object)
            || self.state.dying.contains(&object)
        {
            return Ok(());
        }
        self.state.dying.push(object);
        let has_begun = self
            .state
            .actors
            .get(&object)
            .is_some_and(|actor| actor.has_begun);
        let result = self.say_farewell(object, has_begun);
        self.state.dying.retain(|dying| *dying != object);
        let mut parts = match self.state.actors.remove(&object) {
            Some(actor) => actor.components,
            None => Vec::new(),
        };
        parts.push(object);
        // Parts have parts of their own.
        let mut next = 0;
        while let Some(owner) = parts.get(next).copied() {
            next += 1;
            if self.has_parts(owner) {
                let components = self.state.components.map().iter();
                let of_owner = components.filter(|(_, component)| component.owner == owner);
                let timelines = self.state.timelines.map().iter();
                let own = timelines.filter(|(_, timeline)| timeline.owner == owner);
                let all = of_owner
                    .map(|(part, _)| *part)
                    .chain(own.map(|(it, _)| *it));
                let new: Vec<_> = all.filter(|part| !parts.contains(part)).collect();
                parts.extend(new);
            }
        }
        for part in parts {
            self.forget(part);
        }
        result
    }

    /// Whether objects of its class are made with components or timelines.
    fn has_parts(&self, object: ObjectHandle) -> bool {
        let Some(class) = self.class_of(object) else {
            return false;
        };
        let lineage = self.program.class(class).lineage.iter();
        lineage
            .filter_map(|ancestor| self.program.class(*ancestor).compiled.as_ref())
            .any(|compiled| !compiled.components.is_empty() || !compiled.timelines.is_empty())
    }

    fn say_farewell(&mut self, object: ObjectHandle, has_begun: bool) -> Run {
        let Some(class) = self.class_of(object) else {
            return Ok(());
        };
        if has_begun {
            // The reason is the first parameter, which stays 0: `Destroyed`.
            self.tell(object, "ReceiveEndPlay")?;
            for component in self.components_of(object) {
                self.tell(component, "ReceiveEndPlay")?;
            }
        }
        self.tell(object, "ReceiveDestroyed")?;
        if let Some(variable) = self.program.variable(class, &Name::new("OnDestroyed")) {
            self.broadcast(object, variable.offset, &[(TypeId::OBJECT, object.0)])?;
        }
        Ok(())
    }

    /// Calls what a multicast variable of an object is bound to, with arguments of one word each.
    pub(crate) fn broadcast(
        &mut self,
        object: ObjectHandle,
        offset: u32,
        arguments: &[(TypeId, u64)],
    ) -> Run {
        let word = self.memory.word(Place::object(object, offset));
        let bindings = self.memory.bindings(word).to_vec();
        let mark = self.memory.mark();
        let arguments: Vec<TypedPlace> = arguments
            .iter()
            .map(|(ty, word)| TypedPlace {
                place: self.memory.push_value(*ty, &[*word]),
                ty: *ty,
            })
            .collect();
        for binding in bindings {
            self.call_delegate(binding, &arguments)?;
        }
        self.release(mark);
        Ok(())
    }

    fn forget(&mut self, object: ObjectHandle) {
        self.state.latent.forget(object);
        self.state.timers.forget(object);
        self.state.timelines.remove(&object);
        self.state.components.remove(&object);
        if self.is_instance(object) {
            self.memory.objects.mark_destroyed(object);
            self.state.destroyed.push(object);
        }
    }

    fn is_instance(&self, object: ObjectHandle) -> bool {
        let found = self.memory.objects.get(object);
        found.is_some_and(|object| object.kind == ObjectKind::Instance)
    }

    /// Takes destroyed objects out of memory; references to them are null from now on.
    pub(crate) fn collect(&mut self) {
        for object in std::mem::take(&mut self.state.destroyed) {
            if let Some(class) = self.class_of(object) {
                let class = self.program.class(class).clone();
                self.memory
                    .remove_object(object, &class.owned, &class.owned_frames);
            }
        }
    }

    /// Whether an object's class answers the name with a script.
    pub(crate) fn has_script(&mut self, object: ObjectHandle, name: &str) -> bool {
        let name = self.names.intern_text(name);
        let Some(class) = self.class_of(object) else {
            return false;
        };
        self.find_function(class, name)
            .is_some_and(|function| matches!(self.program.function(function).body, Body::Script(_)))
    }

    // ---- variables by name

    pub(crate) fn variable_place(&self, object: ObjectHandle, name: &Name) -> Option<TypedPlace> {
        let class = self.class_of(object)?;
        let variable = self.program.variable(class, name)?;
        Some(TypedPlace {
            place: Place::object(object, variable.offset),
            ty: variable.ty,
        })
    }

    pub(crate) fn object_variable(&self, object: ObjectHandle, name: &Name) -> ObjectHandle {
        self.variable_place(object, name)
            .map_or(ObjectHandle::NONE, |target| {
                ObjectHandle(self.memory.word(target.place))
            })
    }

    pub(crate) fn set_object_variable(
        &mut self,
        object: ObjectHandle,
        name: &Name,
        value: ObjectHandle,
    ) {
        if let Some(target) = self.variable_place(object, name)
            && target.ty == TypeId::OBJECT
        {
            self.memory.store(target.place, target.ty, &[value.0]);
        }
    }

    // ---- transforms

    /// Where a component is relative to what it is attached to.
    pub(crate) fn relative_transform(&self, component: ObjectHandle) -> Transform {
        let kept = self
            .state
            .components
            .get(&component)
            .map_or_else(Transform::default, |component| component.relative);
        Transform {
            translation: self
                .reals(component, "RelativeLocation")
                .map_or(kept.translation, DVec3::from_array),
            rotation: self
                .reals(component, "RelativeRotation")
                .map_or(kept.rotation, |[pitch, yaw, roll]| {
                    Rotator::new(pitch, yaw, roll).quat()
                }),
            scale: self
                .reals(component, "RelativeScale3D")
                .map_or(kept.scale, DVec3::from_array),
        }
    }

    pub(crate) fn set_relative_transform(&mut self, component: ObjectHandle, to: Transform) {
        let rotation = Rotator::from_quat(to.rotation);
        let rotation = [rotation.pitch, rotation.yaw, rotation.roll];
        self.set_reals(component, "RelativeLocation", to.translation.to_array());
        self.set_reals(component, "RelativeRotation", rotation);
        self.set_reals(component, "RelativeScale3D", to.scale.to_array());
        if let Some(component) = self.state.components.get_mut(&component) {
            component.relative = to;
        }
    }

    fn reals(&self, object: ObjectHandle, name: &str) -> Option<[f64; 3]> {
        let target = self.variable_place(object, &Name::new(name))?;
        let words = self.memory.read(target.place, 3);
        (self.memory.types.words(target.ty) == 3)
            .then(|| std::array::from_fn(|index| f64::from_bits(words[index])))
    }

    pub(crate) fn set_reals(&mut self, object: ObjectHandle, name: &str, values: [f64; 3]) {
        let Some(target) = self.variable_place(object, &Name::new(name)) else {
            return;
        };
        let info = self.memory.types.info(target.ty);
        if info.words == 3 {
            let mut words = values.map(f64::to_bits);
            for offset in &info.floats {
                let word = &mut words[*offset as usize];
                *word = f64::from(f64::from_bits(*word) as f32).to_bits();
            }
            self.memory.store(target.place, target.ty, &words);
        }
    }

    /// Where a component is in the world.
    pub(crate) fn component_transform(&self, component: ObjectHandle) -> Transform {
        let mut transform = self.relative_transform(component);
        let mut seen = 0;
        let mut at = component;
        while let Some(parent) = self.state.components.get(&at).map(|c| c.parent)
            && !parent.is_none()
            && seen < 256
        {
            transform = transform.then(self.relative_transform(parent));
            at = parent;
            seen += 1;
        }
        transform
    }

    pub(crate) fn set_component_transform(&mut self, component: ObjectHandle, to: Transform) {
        let parent = self
            .state
            .components
            .get(&component)
            .map_or(ObjectHandle::NONE, |component| component.parent);
        let relative = if parent.is_none() {
            to
        } else {
            to.relative_to(self.component_transform(parent))
        };
        self.set_relative_transform(component, relative);
    }

    pub(crate) fn actor_transform(&self, actor: ObjectHandle) -> Transform {
        match self.state.actors.get(&actor) {
            Some(state) if state.root.is_none() => state.transform,
            Some(state) => self.component_transform(state.root),
            None => Transform::default(),
        }
    }

    pub(crate) fn set_actor_transform(&mut self, actor: ObjectHandle, to: Transform) {
        let Some(state) = self.state.actors.get_mut(&actor) else {
            return;
        };
        let root = state.root;
        if root.is_none() {
            state.transform = to;
        } else {
            self.set_component_transform(root, to);
        }
    }

    /// Values that C++ constructors give to native classes, as far as scripts can see them.
    pub(crate) fn native_defaults(&mut self, class: ClassId) {
        let info = self.program.class(class).clone();
        let one = 1.0_f64.to_bits();
        match info.path.as_str() {
            "/Script/Engine.SceneComponent" => {
                self.set_reals(info.default, "RelativeScale3D", [1.0; 3]);
                self.set_word(info.default, "bVisible", 1);
            }
            "/Script/Engine.Actor" => self.set_word(info.default, "CustomTimeDilation", one),
            _ => {}
        }
    }

    fn set_word(&mut self, object: ObjectHandle, name: &str, word: u64) {
        if let Some(target) = self.variable_place(object, &Name::new(name))
            && self.memory.types.words(target.ty) == 1
        {
            self.memory.store(target.place, target.ty, &[word]);
        }
    }

    /// Classes and structs that the machine itself deals with.
    pub(crate) fn find_known(&mut self) -> Result<Known, bp_reflect::link::LinkError> {
        let mut structure = |name: &str| {
            let path = ObjectPath::new(format!("/Script/CoreUObject.{name}"));
            self.memory.types.link_struct(&path, &self.program.registry)
        };
        let (vector, vector3f) = (structure("Vector")?, structure("Vector3f")?);
        let (rotator, transform) = (structure("Rotator")?, structure("Transform")?);
        let mut class =
            |name: &str| self.load_class(&ObjectPath::new(format!("/Script/Engine.{name}")));
        Ok(Known {
            vector,
            vector3f,
            rotator,
            transform,
            actor: class("Actor")?,
            scene_component: class("SceneComponent")?,
        })
    }

    pub(crate) fn class_or_error(&mut self, path: &ObjectPath) -> Run<ClassId> {
        match self.load_class(path) {
            Ok(Some(class)) => Ok(class),
            Ok(None) | Err(_) => Err(RunError::NoClass(path.clone())),
        }
    }

    /// The number of a name and its text, for callers that have a `Name`.
    pub(crate) fn name_id(&mut self, name: &Name) -> NameId {
        self.names.intern(name)
    }
}
