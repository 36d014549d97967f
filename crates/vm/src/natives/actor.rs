//! Actors and components: where they are, what they are made of, and their end.

use bp_reflect::Name;
use glam::DVec3;

use super::values::{ArrayArg, Rotator, Transform};
use super::{Native, NativeCall};
use crate::error::Run;
use crate::ids::{NameId, ObjectHandle};
use crate::memory::Place;
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("Actor.K2_DestroyActor", |call| {
        call.vm.destroy(call.object)
    }),
    // There is no network that an actor could be asleep on, or that a variable would be sent over.
    native!("Actor.FlushNetDormancy", |_call| { Ok(()) }),
    native!(
        "NetPushModelHelpers.MarkPropertyDirtyFromRepIndex",
        |_call, _object: ObjectHandle, _index: i32, _name: NameId| { Ok(()) }
    ),
    native!("Actor.IsActorBeingDestroyed", |call| -> bool {
        Ok(call.vm.state.dying.contains(&call.object)
            || !call.vm.memory.objects.is_alive(call.object))
    }),
    native!("Actor.SetLifeSpan", |call, seconds: f64| {
        let now = call.vm.state.time;
        if let Some(actor) = call.vm.state.actors.get_mut(&call.object) {
            actor.dies = (seconds > 0.0).then_some(now + seconds);
        }
        Ok(())
    }),
    native!("Actor.GetLifeSpan", |call| -> f64 {
        let dies = call
            .vm
            .state
            .actors
            .get(&call.object)
            .and_then(|actor| actor.dies);
        Ok(dies.map_or(0.0, |dies| dies - call.vm.state.time))
    }),
    native!("Actor.GetGameTimeSinceCreation", |call| -> f64 {
        let created = call
            .vm
            .state
            .actors
            .get(&call.object)
            .map(|actor| actor.created);
        Ok(created.map_or(0.0, |created| call.vm.state.time - created))
    }),
    native!("Actor.SetActorTickEnabled", |call, enabled: bool| {
        if let Some(actor) = call.vm.state.actors.get_mut(&call.object) {
            actor.ticks = enabled;
        }
        Ok(())
    }),
    native!("Actor.IsActorTickEnabled", |call| -> bool {
        Ok(call
            .vm
            .state
            .actors
            .get(&call.object)
            .is_some_and(|actor| actor.ticks))
    }),
    native!("Actor.HasAuthority", || -> bool { true }),
    native!("Actor.GetOwner", |call| -> ObjectHandle {
        Ok(call
            .vm
            .state
            .actors
            .get(&call.object)
            .map_or(ObjectHandle::NONE, |actor| actor.owner))
    }),
    native!("Actor.SetOwner", |call, owner: ObjectHandle| {
        if let Some(actor) = call.vm.state.actors.get_mut(&call.object) {
            actor.owner = owner;
        }
        Ok(())
    }),
    native!("Actor.GetInstigator", |call| -> ObjectHandle {
        Ok(call
            .vm
            .state
            .actors
            .get(&call.object)
            .map_or(ObjectHandle::NONE, |actor| actor.instigator))
    }),
    native!("Actor.ActorHasTag", |call, tag: NameId| -> bool {
        Ok(call.has_tag(call.object, tag))
    }),
    native!("Actor.SetActorHiddenInGame", |call, hidden: bool| {
        call.set_flag(call.object, "bHidden", hidden);
        Ok(())
    }),
    native!("Actor.K2_GetRootComponent", |call| -> ObjectHandle {
        Ok(call
            .vm
            .state
            .actors
            .get(&call.object)
            .map_or(ObjectHandle::NONE, |actor| actor.root))
    }),
    native!("Actor.GetComponentByClass", |call,
                                          class: ObjectHandle|
     -> ObjectHandle {
        Ok(call.components(class).first().copied().unwrap_or_default())
    }),
    native!(
        "Actor.K2_GetComponentsByClass",
        |call, class: ObjectHandle| {
            let found = call.components(class);
            call.give_elements(found);
            Ok(())
        }
    ),
    native!("Actor.GetComponentsByClass", |call, class: ObjectHandle| {
        let found = call.components(class);
        call.give_elements(found);
        Ok(())
    }),
    native!("Actor.AddComponentByClass", |call,
                                          class: ObjectHandle,
                                          _manual: bool,
                                          transform: Transform|
     -> ObjectHandle {
        Ok(match call.vm.class_value(class) {
            Some(class) => {
                let component = call.vm.new_object(class, None, call.object);
                call.vm.check_limits()?;
                call.vm.attach_component(
                    call.object,
                    component,
                    ObjectHandle::NONE,
                    Transform::default(),
                );
                call.vm.set_relative_transform(component, transform);
                component
            }
            None => ObjectHandle::NONE,
        })
    }),
    native!("Actor.FinishAddComponent", |_component: ObjectHandle| {}),
    native!("Actor.GetTransform", |call| -> Transform {
        Ok(call.place())
    }),
    native!("Actor.K2_GetActorLocation", |call| -> DVec3 {
        Ok(call.place().translation)
    }),
    native!("Actor.K2_GetActorRotation", |call| -> Rotator {
        Ok(Rotator::from_quat(call.place().rotation))
    }),
    native!("Actor.GetActorScale3D", |call| -> DVec3 {
        Ok(call.place().scale)
    }),
    native!("Actor.GetActorRelativeScale3D", |call| -> DVec3 {
        Ok(call.place().scale)
    }),
    native!("Actor.GetActorForwardVector", |call| -> DVec3 {
        Ok(call.place().rotation * DVec3::X)
    }),
    native!("Actor.GetActorRightVector", |call| -> DVec3 {
        Ok(call.place().rotation * DVec3::Y)
    }),
    native!("Actor.GetActorUpVector", |call| -> DVec3 {
        Ok(call.place().rotation * DVec3::Z)
    }),
    native!("Actor.GetVelocity", || -> DVec3 { DVec3::ZERO }),
    native!("Actor.GetDistanceTo", |call, other: ObjectHandle| -> f64 {
        Ok(call.offset_to(other).length())
    }),
    native!("Actor.GetSquaredDistanceTo", |call,
                                           other: ObjectHandle|
     -> f64 {
        Ok(call.offset_to(other).length_squared())
    }),
    native!("Actor.GetHorizontalDistanceTo", |call,
                                              other: ObjectHandle|
     -> f64 {
        Ok(call.offset_to(other).truncate().length())
    }),
    native!("Actor.GetVerticalDistanceTo", |call,
                                            other: ObjectHandle|
     -> f64 {
        Ok(call.offset_to(other).z.abs())
    }),
    native!("Actor.K2_SetActorLocation", |call, to: DVec3| -> bool {
        Ok(call.move_actor(|t| t.translation = to))
    }),
    native!("Actor.K2_SetActorRotation", |call, to: Rotator| -> bool {
        Ok(call.move_actor(|t| t.rotation = to.quat()))
    }),
    native!("Actor.K2_SetActorLocationAndRotation", |call,
                                                     to: DVec3,
                                                     turn: Rotator|
     -> bool {
        Ok(call.move_actor(|t| {
            t.translation = to;
            t.rotation = turn.quat();
        }))
    }),
    native!("Actor.K2_SetActorTransform", |call,
                                           to: Transform|
     -> bool {
        Ok(call.move_actor(|t| *t = to))
    }),
    native!("Actor.K2_TeleportTo", |call,
                                    to: DVec3,
                                    turn: Rotator|
     -> bool {
        Ok(call.move_actor(|t| {
            t.translation = to;
            t.rotation = turn.quat();
        }))
    }),
    native!("Actor.SetActorScale3D", |call, to: DVec3| {
        call.move_actor(|t| t.scale = to);
        Ok(())
    }),
    native!("Actor.SetActorRelativeScale3D", |call, to: DVec3| {
        call.move_actor(|t| t.scale = to);
        Ok(())
    }),
    native!("Actor.K2_SetActorRelativeLocation", |call, to: DVec3| {
        call.move_actor(|t| t.translation = to);
        Ok(())
    }),
    native!("Actor.K2_SetActorRelativeRotation", |call, to: Rotator| {
        call.move_actor(|t| t.rotation = to.quat());
        Ok(())
    }),
    native!("Actor.K2_AddActorWorldOffset", |call, by: DVec3| {
        call.move_actor(|t| t.translation += by);
        Ok(())
    }),
    native!("Actor.K2_AddActorLocalOffset", |call, by: DVec3| {
        call.move_actor(|t| t.translation += t.rotation * by);
        Ok(())
    }),
    native!("Actor.K2_AddActorWorldRotation", |call, by: Rotator| {
        call.move_actor(|t| t.rotation = by.quat() * t.rotation);
        Ok(())
    }),
    native!("Actor.K2_AddActorLocalRotation", |call, by: Rotator| {
        call.move_actor(|t| t.rotation *= by.quat());
        Ok(())
    }),
    native!("ActorComponent.GetOwner", |call| -> ObjectHandle {
        Ok(call.owner(call.object))
    }),
    native!(
        "ActorComponent.K2_DestroyComponent",
        |call, _object: ObjectHandle| { destroy_component(call) }
    ),
    native!("ActorComponent.ComponentHasTag", |call,
                                               tag: NameId|
     -> bool {
        Ok(call.has_name(call.object, "ComponentTags", tag))
    }),
    native!("SceneComponent.GetAttachParent", |call| -> ObjectHandle {
        Ok(call
            .vm
            .state
            .components
            .get(&call.object)
            .map_or(ObjectHandle::NONE, |c| c.parent))
    }),
    native!(
        "SceneComponent.GetChildrenComponents",
        |call, _all: bool, out: ArrayArg| {
            let own = call.object;
            let children = call
                .vm
                .state
                .components
                .map()
                .iter()
                .filter(|(_, c)| c.parent == own);
            let children: Vec<ObjectHandle> = children.map(|(handle, _)| *handle).collect();
            call.set_elements(out, children);
            Ok(())
        }
    ),
    native!(
        "SceneComponent.K2_AttachToComponent",
        |call, parent: ObjectHandle| -> bool {
            let own = call.object;
            let is_scene = call.vm.is_scene_component(parent);
            if is_scene
                && parent != own
                && let Some(component) = call.vm.state.components.get_mut(&own)
            {
                component.parent = parent;
            }
            Ok(is_scene)
        }
    ),
    native!("SceneComponent.K2_GetComponentLocation", |call| -> DVec3 {
        Ok(call.vm.component_transform(call.object).translation)
    }),
    native!(
        "SceneComponent.K2_GetComponentRotation",
        |call| -> Rotator {
            Ok(Rotator::from_quat(
                call.vm.component_transform(call.object).rotation,
            ))
        }
    ),
    native!("SceneComponent.K2_GetComponentScale", |call| -> DVec3 {
        Ok(call.vm.component_transform(call.object).scale)
    }),
    native!(
        "SceneComponent.K2_GetComponentToWorld",
        |call| -> Transform { Ok(call.vm.component_transform(call.object)) }
    ),
    native!("SceneComponent.GetRelativeTransform", |call| -> Transform {
        Ok(call.vm.relative_transform(call.object))
    }),
    native!("SceneComponent.GetForwardVector", |call| -> DVec3 {
        Ok(call.vm.component_transform(call.object).rotation * DVec3::X)
    }),
    native!("SceneComponent.GetRightVector", |call| -> DVec3 {
        Ok(call.vm.component_transform(call.object).rotation * DVec3::Y)
    }),
    native!("SceneComponent.GetUpVector", |call| -> DVec3 {
        Ok(call.vm.component_transform(call.object).rotation * DVec3::Z)
    }),
    native!(
        "SceneComponent.K2_SetRelativeLocation",
        |call, to: DVec3| {
            call.move_relative(|t| t.translation = to);
            Ok(())
        }
    ),
    native!(
        "SceneComponent.K2_SetRelativeRotation",
        |call, to: Rotator| {
            call.move_relative(|t| t.rotation = to.quat());
            Ok(())
        }
    ),
    native!(
        "SceneComponent.K2_SetRelativeLocationAndRotation",
        |call, to: DVec3, turn: Rotator| {
            call.move_relative(|t| {
                t.translation = to;
                t.rotation = turn.quat();
            });
            Ok(())
        }
    ),
    native!(
        "SceneComponent.K2_SetRelativeTransform",
        |call, to: Transform| {
            call.move_relative(|t| *t = to);
            Ok(())
        }
    ),
    native!("SceneComponent.SetRelativeScale3D", |call, to: DVec3| {
        call.move_relative(|t| t.scale = to);
        Ok(())
    }),
    native!(
        "SceneComponent.K2_AddRelativeLocation",
        |call, by: DVec3| {
            call.move_relative(|t| t.translation += by);
            Ok(())
        }
    ),
    native!(
        "SceneComponent.K2_AddRelativeRotation",
        |call, by: Rotator| {
            call.move_relative(|t| t.rotation = by.quat() * t.rotation);
            Ok(())
        }
    ),
    native!("SceneComponent.K2_AddLocalOffset", |call, by: DVec3| {
        call.move_relative(|t| t.translation += t.rotation * by);
        Ok(())
    }),
    native!("SceneComponent.K2_AddLocalRotation", |call, by: Rotator| {
        call.move_relative(|t| t.rotation *= by.quat());
        Ok(())
    }),
    native!("SceneComponent.K2_SetWorldLocation", |call, to: DVec3| {
        call.move_world(|t| t.translation = to);
        Ok(())
    }),
    native!("SceneComponent.K2_SetWorldRotation", |call, to: Rotator| {
        call.move_world(|t| t.rotation = to.quat());
        Ok(())
    }),
    native!(
        "SceneComponent.K2_SetWorldLocationAndRotation",
        |call, to: DVec3, turn: Rotator| {
            call.move_world(|t| {
                t.translation = to;
                t.rotation = turn.quat();
            });
            Ok(())
        }
    ),
    native!(
        "SceneComponent.K2_SetWorldTransform",
        |call, to: Transform| {
            call.move_world(|t| *t = to);
            Ok(())
        }
    ),
    native!("SceneComponent.SetWorldScale3D", |call, to: DVec3| {
        call.move_world(|t| t.scale = to);
        Ok(())
    }),
    native!("SceneComponent.K2_AddWorldOffset", |call, by: DVec3| {
        call.move_world(|t| t.translation += by);
        Ok(())
    }),
    native!("SceneComponent.K2_AddWorldRotation", |call, by: Rotator| {
        call.move_world(|t| t.rotation = by.quat() * t.rotation);
        Ok(())
    }),
    native!("SceneComponent.SetVisibility", |call, visible: bool| {
        call.set_flag(call.object, "bVisible", visible);
        Ok(())
    }),
    native!("SceneComponent.ToggleVisibility", |call| {
        let visible = call.flag(call.object, "bVisible");
        call.set_flag(call.object, "bVisible", !visible);
        Ok(())
    }),
    native!("SceneComponent.IsVisible", |call| -> bool {
        Ok(call.flag(call.object, "bVisible"))
    }),
    native!("SceneComponent.SetHiddenInGame", |call, hidden: bool| {
        call.set_flag(call.object, "bHiddenInGame", hidden);
        Ok(())
    }),
];

fn destroy_component(call: &mut NativeCall<'_>) -> Run {
    let component = call.object;
    let owner = call.owner(component);
    call.vm.state.actors.change(&owner, |actor| {
        actor.components.retain(|other| *other != component);
        if actor.root == component {
            actor.root = ObjectHandle::NONE;
        }
    });
    call.vm.destroy(component)
}

/// Actors and components as native functions see them.
impl NativeCall<'_> {
    fn place(&self) -> Transform {
        self.vm.actor_transform(self.object)
    }

    fn offset_to(&self, other: ObjectHandle) -> DVec3 {
        self.vm.actor_transform(other).translation - self.place().translation
    }

    fn move_actor(&mut self, change: impl FnOnce(&mut Transform)) -> bool {
        let mut transform = self.place();
        change(&mut transform);
        self.vm.set_actor_transform(self.object, transform);
        self.vm.state.actors.get(&self.object).is_some()
    }

    fn move_relative(&mut self, change: impl FnOnce(&mut Transform)) {
        let mut transform = self.vm.relative_transform(self.object);
        change(&mut transform);
        self.vm.set_relative_transform(self.object, transform);
    }

    fn move_world(&mut self, change: impl FnOnce(&mut Transform)) {
        let mut transform = self.vm.component_transform(self.object);
        change(&mut transform);
        self.vm.set_component_transform(self.object, transform);
    }

    fn owner(&self, component: ObjectHandle) -> ObjectHandle {
        let state = self.vm.state.components.get(&component);
        state.map_or(ObjectHandle::NONE, |component| component.owner)
    }

    fn components(&self, class: ObjectHandle) -> Vec<ObjectHandle> {
        let (Some(class), Some(actor)) = (
            self.vm.class_value(class),
            self.vm.state.actors.get(&self.object),
        ) else {
            return Vec::new();
        };
        let all = actor.components.iter().copied();
        all.filter(|component| self.vm.is_a(*component, class))
            .collect()
    }

    pub(super) fn has_tag(&self, actor: ObjectHandle, tag: NameId) -> bool {
        self.has_name(actor, "Tags", tag)
    }

    /// Whether an array variable of names has the name.
    fn has_name(&self, object: ObjectHandle, variable: &str, name: NameId) -> bool {
        let Some(target) = self.vm.variable_place(object, &Name::new(variable)) else {
            return false;
        };
        let word = self.vm.memory.word(target.place);
        self.vm.memory.elements(word).contains(&u64::from(name.0))
    }

    fn flag(&self, object: ObjectHandle, name: &str) -> bool {
        self.vm
            .variable_place(object, &Name::new(name))
            .is_some_and(|target| self.vm.memory.word(target.place) != 0)
    }

    fn set_flag(&mut self, object: ObjectHandle, name: &str, value: bool) {
        if let Some(target) = self.vm.variable_place(object, &Name::new(name)) {
            let place: Place = target.place;
            self.vm.memory.store(place, target.ty, &[u64::from(value)]);
        }
    }
}
