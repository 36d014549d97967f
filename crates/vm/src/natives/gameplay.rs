//! `GameplayStatics`: spawning, finding actors, time.

use glam::DVec3;

use super::values::{ArrayArg, Transform};
use super::{Native, NativeCall, Out};
use crate::error::Run;
use crate::ids::{ClassId, NameId, ObjectHandle};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!(
        "GameplayStatics.BeginDeferredActorSpawnFromClass",
        |call, _context: ObjectHandle, class: ObjectHandle, transform: Transform| -> ObjectHandle {
            Ok(begin(call, class, transform))
        }
    ),
    native!(
        "GameplayStatics.BeginSpawningActorFromClass",
        |call, _context: ObjectHandle, class: ObjectHandle, transform: Transform| -> ObjectHandle {
            Ok(begin(call, class, transform))
        }
    ),
    native!(
        "GameplayStatics.FinishSpawningActor",
        |call, actor: ObjectHandle, _transform: Transform| -> ObjectHandle {
            if call.vm.memory.objects.is_alive(actor) {
                call.vm.build(actor)?;
                call.vm.begin(actor)?;
            }
            Ok(actor)
        }
    ),
    native!("GameplayStatics.SpawnObject", |call,
                                            class: ObjectHandle,
                                            outer: ObjectHandle|
     -> ObjectHandle {
        Ok(match call.vm.class_value(class) {
            Some(class) => call.vm.new_object(class, None, outer),
            None => ObjectHandle::NONE,
        })
    }),
    native!(
        "GameplayStatics.GetAllActorsOfClass",
        |call, _context: ObjectHandle, class: ObjectHandle, out: ArrayArg| {
            let found = actors(call, class);
            call.set_elements(out, found);
            Ok(())
        }
    ),
    native!(
        "GameplayStatics.GetActorOfClass",
        |call, _context: ObjectHandle, class: ObjectHandle| -> ObjectHandle {
            Ok(actors(call, class).first().copied().unwrap_or_default())
        }
    ),
    native!(
        "GameplayStatics.GetAllActorsWithInterface",
        |call, _context: ObjectHandle, interface: ObjectHandle, out: ArrayArg| {
            let found = actors(call, interface);
            call.set_elements(out, found);
            Ok(())
        }
    ),
    native!(
        "GameplayStatics.GetAllActorsWithTag",
        |call, _context: ObjectHandle, tag: NameId, out: ArrayArg| {
            let actor = call.vm.state.known.actor;
            let mut found = actors_of(call, actor);
            found.retain(|actor| call.has_tag(*actor, tag));
            call.set_elements(out, found);
            Ok(())
        }
    ),
    native!(
        "GameplayStatics.GetAllActorsOfClassWithTag",
        |call, _context: ObjectHandle, class: ObjectHandle, tag: NameId, out: ArrayArg| {
            let mut found = actors(call, class);
            found.retain(|actor| call.has_tag(*actor, tag));
            call.set_elements(out, found);
            Ok(())
        }
    ),
    native!("GameplayStatics.FindNearestActor", |call,
                                                 origin: DVec3,
                                                 among: ArrayArg,
                                                 distance: Out<f64>|
     -> ObjectHandle {
        let among: Vec<ObjectHandle> = call.elements(among);
        let far =
            |actor: &ObjectHandle| call.vm.actor_transform(*actor).translation.distance(origin);
        let nearest = among
            .iter()
            .filter(|actor| call.vm.memory.objects.is_alive(**actor))
            .map(|actor| (far(actor), *actor))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        call.set(distance, nearest.map_or(0.0, |(far, _)| far));
        Ok(nearest.map_or(ObjectHandle::NONE, |(_, actor)| actor))
    }),
    native!(
        "GameplayStatics.GetActorArrayAverageLocation",
        |call, among: ArrayArg| -> DVec3 {
            let among: Vec<ObjectHandle> = call.elements(among);
            let sum: DVec3 = among
                .iter()
                .map(|actor| call.vm.actor_transform(*actor).translation)
                .sum();
            Ok(if among.is_empty() {
                sum
            } else {
                sum / among.len() as f64
            })
        }
    ),
    native!("GameplayStatics.ApplyDamage", |call,
                                            actor: ObjectHandle,
                                            damage: f64,
                                            instigator: ObjectHandle,
                                            causer: ObjectHandle,
                                            kind: ObjectHandle|
     -> f64 {
        apply_damage(call, actor, damage, instigator, causer, kind)
    }),
    native!(
        "GameplayStatics.GetTimeSeconds",
        |call, _context: ObjectHandle| -> f64 { Ok(call.vm.state.time) }
    ),
    native!(
        "GameplayStatics.GetUnpausedTimeSeconds",
        |call, _context: ObjectHandle| -> f64 { Ok(call.vm.state.time) }
    ),
    native!(
        "GameplayStatics.GetRealTimeSeconds",
        |call, _context: ObjectHandle| -> f64 { Ok(call.vm.state.real_time) }
    ),
    native!(
        "GameplayStatics.GetAudioTimeSeconds",
        |call, _context: ObjectHandle| -> f64 { Ok(call.vm.state.real_time) }
    ),
    native!(
        "GameplayStatics.GetWorldDeltaSeconds",
        |call, _context: ObjectHandle| -> f64 { Ok(call.vm.state.delta) }
    ),
    native!("GameplayStatics.IsGamePaused", |call,
                                             _context: ObjectHandle|
     -> bool {
        Ok(call.vm.state.is_paused)
    }),
    native!("GameplayStatics.SetGamePaused", |call,
                                              _context: ObjectHandle,
                                              paused: bool|
     -> bool {
        call.vm.state.is_paused = paused;
        Ok(true)
    }),
    native!(
        "GameplayStatics.GetGlobalTimeDilation",
        |call, _context: ObjectHandle| -> f64 { Ok(call.vm.state.dilation) }
    ),
    // The bounds are the engine's defaults.
    native!(
        "GameplayStatics.SetGlobalTimeDilation",
        |call, _context: ObjectHandle, dilation: f64| {
            call.vm.state.dilation = dilation.clamp(0.0001, 20.0);
            Ok(())
        }
    ),
    // No player takes part in this world.
    native!("GameplayStatics.GetPlayerPawn", |_context: ObjectHandle,
                                              _index: i32|
     -> ObjectHandle {
        ObjectHandle::NONE
    }),
    native!(
        "GameplayStatics.GetPlayerController",
        |_context: ObjectHandle, _index: i32| -> ObjectHandle { ObjectHandle::NONE }
    ),
    native!(
        "GameplayStatics.GetPlayerCharacter",
        |_context: ObjectHandle, _index: i32| -> ObjectHandle { ObjectHandle::NONE }
    ),
    native!(
        "GameplayStatics.GetPlayerCameraManager",
        |_context: ObjectHandle, _index: i32| -> ObjectHandle { ObjectHandle::NONE }
    ),
];

/// A made actor whose construction waits for `FinishSpawningActor`; none without an actor class.
fn begin(call: &mut NativeCall<'_>, class: ObjectHandle, transform: Transform) -> ObjectHandle {
    let class = call.vm.class_value(class);
    let Some(class) = class.filter(|class| call.vm.is_actor(*class)) else {
        call.warn("Spawned nothing: the class is no actor class");
        return ObjectHandle::NONE;
    };
    let actor = call.vm.make(class, transform);
    let (owner, instigator) = (call.named("Owner"), call.named("Instigator"));
    if let Some(state) = call.vm.state.actors.get_mut(&actor) {
        state.owner = owner;
        state.instigator = instigator;
    }
    actor
}

fn actors(call: &NativeCall<'_>, class: ObjectHandle) -> Vec<ObjectHandle> {
    actors_of(call, call.vm.class_value(class))
}

fn actors_of(call: &NativeCall<'_>, class: Option<ClassId>) -> Vec<ObjectHandle> {
    let Some(class) = class else {
        return Vec::new();
    };
    let all = call.vm.state.actors.map().keys().copied();
    all.filter(|actor| call.vm.is_a(*actor, class)).collect()
}

/// Tells an actor of damage (`ReceiveAnyDamage`).
fn apply_damage(
    call: &mut NativeCall<'_>,
    actor: ObjectHandle,
    damage: f64,
    instigator: ObjectHandle,
    causer: ObjectHandle,
    kind: ObjectHandle,
) -> Run<f64> {
    if damage == 0.0 || !call.vm.memory.objects.is_alive(actor) {
        return Ok(0.0);
    }
    let kind = match call.vm.class_value(kind) {
        Some(class) => call.vm.program.class(class).default,
        None => ObjectHandle::NONE,
    };
    let name = call.intern("ReceiveAnyDamage");
    let class = call.vm.class_of(actor);
    if let Some(function) = class.and_then(|class| call.vm.find_function(class, name)) {
        let words = [damage.to_bits(), kind.0, instigator.0, causer.0];
        call.vm.invoke(
            actor,
            function,
            |vm, info, locals| {
                let params: Vec<_> = info.arguments().map(|p| (p.offset, p.ty)).collect();
                for ((offset, ty), word) in params.into_iter().zip(words) {
                    vm.memory.store(locals.at(offset), ty, &[word]);
                }
                Ok(())
            },
            |_, _, _| (),
        )?;
    }
    Ok(damage)
}
