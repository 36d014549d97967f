//! `KismetSystemLibrary`: printing, waiting, asking about objects.

use bp_reflect::TextValue;
use glam::DVec3;

use super::{ArrayArg, LatentInfo, Native, NativeCall, Rotator, Str};
use crate::error::{Run, RunError, Stop};
use crate::host::WarningKind;
use crate::ids::{NameId, ObjectHandle};
use crate::memory::shown;
use crate::native;
use crate::world::{Move, Wait};

pub(super) const ROWS: &[Native] = &[
    native!(
        "KismetSystemLibrary.PrintString",
        |call, _context: ObjectHandle, text: Str| {
            call.print(&text);
            Ok(())
        }
    ),
    native!(
        "KismetSystemLibrary.PrintText",
        |call, _context: ObjectHandle, text: TextValue| {
            call.print(shown(&text));
            Ok(())
        }
    ),
    native!("KismetSystemLibrary.LogString", |call, text: Str| {
        call.print(&text);
        Ok(())
    }),
    native!("KismetSystemLibrary.PrintWarning", |call, text: Str| {
        call.vm.warn(WarningKind::Script, text.to_string());
        Ok(())
    }),
    native!("KismetSystemLibrary.RaiseScriptError", |call, text: Str| {
        call.vm.report_error(WarningKind::Script, text.to_string());
        Ok(())
    }),
    native!(
        "KismetSystemLibrary.Delay",
        |call, _context: ObjectHandle, duration: f64, info: LatentInfo| {
            delay(call, info, Wait::Time(duration), false);
            Ok(())
        }
    ),
    native!(
        "KismetSystemLibrary.RetriggerableDelay",
        |call, _context: ObjectHandle, duration: f64, info: LatentInfo| {
            delay(call, info, Wait::Time(duration), true);
            Ok(())
        }
    ),
    native!(
        "KismetSystemLibrary.DelayUntilNextTick",
        |call, _context: ObjectHandle, info: LatentInfo| {
            delay(call, info, Wait::Tick, false);
            Ok(())
        }
    ),
    native!(
        "KismetSystemLibrary.MoveComponentTo",
        |call,
         component: ObjectHandle,
         location: DVec3,
         rotation: Rotator,
         eases_out: bool,
         eases_in: bool,
         duration: f64,
         is_shortest: bool,
         action: u8,
         info: LatentInfo| {
            let from = call.vm.relative_transform(component);
            let way = Move {
                component,
                from,
                location,
                rotation,
                eases_out,
                eases_in,
                is_shortest,
                duration,
                elapsed: 0.0,
            };
            move_to(call, info, action, way);
            Ok(())
        }
    ),
    native!(
        "KismetSystemLibrary.GetGameTimeInSeconds",
        |call, _context: ObjectHandle| -> f64 { Ok(call.vm.state.time) }
    ),
    native!("KismetSystemLibrary.GetFrameCount", |call| -> i64 {
        Ok(call.vm.state.frame as i64)
    }),
    native!(
        "KismetSystemLibrary.QuitGame",
        |call, _context: ObjectHandle| { quit(call) }
    ),
    native!("KismetSystemLibrary.CollectGarbage", || {}),
    native!("KismetSystemLibrary.GetEngineVersion", |call| -> String {
        Ok(format!("{}.0", call.vm.program.engine))
    }),
    native!(
        "KismetSystemLibrary.IsServer",
        |_context: ObjectHandle| -> bool { true }
    ),
    native!(
        "KismetSystemLibrary.IsStandalone",
        |_context: ObjectHandle| -> bool { true }
    ),
    native!(
        "KismetSystemLibrary.IsDedicatedServer",
        |_context: ObjectHandle| -> bool { false }
    ),
    native!(
        "KismetSystemLibrary.IsPackagedForDistribution",
        || -> bool { false }
    ),
    native!("KismetSystemLibrary.GetPlatformUserName", || -> String {
        String::new()
    }),
    native!(
        "KismetSystemLibrary.ExecuteConsoleCommand",
        |_context: ObjectHandle, _command: Str| {}
    ),
    native!(
        "KismetSystemLibrary.MakeLiteralBool",
        |value: bool| -> bool { value }
    ),
    native!("KismetSystemLibrary.MakeLiteralByte", |value: u8| -> u8 {
        value
    }),
    native!("KismetSystemLibrary.MakeLiteralInt", |value: i32| -> i32 {
        value
    }),
    native!(
        "KismetSystemLibrary.MakeLiteralInt64",
        |value: i64| -> i64 { value }
    ),
    native!(
        "KismetSystemLibrary.MakeLiteralFloat",
        |value: f64| -> f64 { value }
    ),
    native!(
        "KismetSystemLibrary.MakeLiteralDouble",
        |value: f64| -> f64 { value }
    ),
    native!(
        "KismetSystemLibrary.IsValidInterface",
        |call, interface: super::Any| -> bool {
            // An interface value is its object.
            let word = interface
                .target
                .map_or(0, |it| call.vm.memory.word(it.place));
            Ok(call.vm.memory.objects.is_alive(ObjectHandle(word)))
        }
    ),
    native!(
        "KismetSystemLibrary.GetActorListFromComponentList",
        |call, components: ArrayArg, class: ObjectHandle, out: ArrayArg| {
            let class = call.vm.class_value(class);
            let mut actors: Vec<ObjectHandle> = Vec::new();
            for component in call.elements::<ObjectHandle>(components) {
                let component = call.vm.state.components.get(&component);
                let owner = component.map_or(ObjectHandle::NONE, |component| component.owner);
                let fits = class.is_none_or(|class| call.vm.is_a(owner, class));
                if !owner.is_none() && fits && !actors.contains(&owner) {
                    actors.push(owner);
                }
            }
            call.set_elements(out, actors);
            Ok(())
        }
    ),
    native!(
        "KismetSystemLibrary.MakeLiteralName",
        |value: NameId| -> NameId { value }
    ),
    native!(
        "KismetSystemLibrary.MakeLiteralString",
        |value: Str| -> Str { value }
    ),
    native!(
        "KismetSystemLibrary.MakeLiteralText",
        |value: TextValue| -> TextValue { value }
    ),
];

/// Starts waiting. A call that waits already keeps its time, unless it is one that starts again.
fn delay(call: &mut NativeCall<'_>, info: LatentInfo, wait: Wait, restarts: bool) {
    match call.vm.state.latent.pending(info) {
        Some(pending) if restarts => {
            pending.wait = wait;
            pending.info = info;
        }
        Some(_) => {}
        None => call.vm.state.latent.start(info, wait),
    }
}

/// Starts a move, in place of one of the same node; stops that, or sends it back.
fn move_to(call: &mut NativeCall<'_>, info: LatentInfo, action: u8, way: Move) {
    const STOP: u8 = 1;
    const RETURN: u8 = 2;
    let latent = &mut call.vm.state.latent;
    match (action, latent.pending(info)) {
        (STOP, _) => latent.stop(info),
        (RETURN, Some(pending)) => {
            if let Wait::Move(known) = &mut pending.wait {
                let back = *known;
                // Back as long as it took to come here.
                known.location = back.from.translation;
                known.rotation = Rotator::from_quat(back.from.rotation);
                known.from = way.from;
                known.duration = back.elapsed;
                known.elapsed = 0.0;
            }
        }
        (RETURN, None) => {}
        (_, Some(pending)) => {
            pending.wait = Wait::Move(way);
            pending.info = info;
        }
        (_, None) => latent.start(info, Wait::Move(way)),
    }
}

fn quit(call: &mut NativeCall<'_>) -> Run {
    call.vm.exit.quit = true;
    Err(RunError::Stop(Stop::Quit))
}
