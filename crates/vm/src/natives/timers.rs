//! Timers by handle, delegate, or name of a function.

use super::values::Delegate;
use super::{Native, NativeCall, NativeValue, Out, Shape, Str};
use crate::ids::ObjectHandle;
use crate::memory::Words;
use crate::native;
use crate::world::Timer;

/// Names a timer; 0 names none (`FTimerHandle`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handle(u64);

impl NativeValue for Handle {
    const SHAPE: Shape = Shape::Struct(1);

    fn from_words(_: &NativeCall<'_>, words: &[u64]) -> Self {
        Self(words.first().copied().unwrap_or(0))
    }

    fn into_words(self, _: &mut NativeCall<'_>) -> Words {
        Words::from_slice(&[self.0])
    }
}

/// The three ways to name a timer: functions of the same meaning, by the end of their name.
macro_rules! by_any_name {
    ($base:literal, |$call:ident, $handle:ident| $(-> $result:ty)? $body:block) => {
        [
            native!(concat!("KismetSystemLibrary.K2_", $base, "Handle"), |$call, _context: ObjectHandle, handle: Handle| $(-> $result)? {
                let $handle = handle.0;
                $body
            }),
            native!(concat!("KismetSystemLibrary.K2_", $base, "Delegate"), |$call, delegate: Delegate| $(-> $result)? {
                let $handle = $call.vm.state.timers.handle_of(delegate);
                $body
            }),
            native!(concat!("KismetSystemLibrary.K2_", $base), |$call, object: ObjectHandle, function: Str| $(-> $result)? {
                let delegate = named($call, object, &function);
                let $handle = $call.vm.state.timers.handle_of(delegate);
                $body
            }),
        ]
    };
}

const CLEAR: [Native; 3] = by_any_name!("ClearTimer", |call, handle| {
    call.vm.state.timers.clear(handle);
    Ok(())
});
const PAUSE: [Native; 3] = by_any_name!("PauseTimer", |call, handle| {
    let now = call.vm.state.time;
    call.vm.state.timers.pause(handle, now, true);
    Ok(())
});
const UNPAUSE: [Native; 3] = by_any_name!("UnPauseTimer", |call, handle| {
    let now = call.vm.state.time;
    call.vm.state.timers.pause(handle, now, false);
    Ok(())
});
const ACTIVE: [Native; 3] = by_any_name!("IsTimerActive", |call, handle| -> bool {
    Ok(timer(call, handle).is_some_and(|timer| !timer.is_paused))
});
const PAUSED: [Native; 3] = by_any_name!("IsTimerPaused", |call, handle| -> bool {
    Ok(timer(call, handle).is_some_and(|timer| timer.is_paused))
});
const EXISTS: [Native; 3] = by_any_name!("TimerExists", |call, handle| -> bool {
    Ok(timer(call, handle).is_some())
});
const ELAPSED: [Native; 3] = by_any_name!("GetTimerElapsedTime", |call, handle| -> f64 {
    Ok(timer(call, handle).map_or(-1.0, |timer| timer.rate - remaining(call, timer)))
});
const REMAINING: [Native; 3] = by_any_name!("GetTimerRemainingTime", |call, handle| -> f64 {
    Ok(timer(call, handle).map_or(-1.0, |timer| remaining(call, timer)))
});
const SET: [Native; 7] = [
    native!(
        "KismetSystemLibrary.K2_SetTimerDelegate",
        |call, delegate: Delegate, time: f64| -> Handle { Ok(start(call, delegate, time)) }
    ),
    native!("KismetSystemLibrary.K2_SetTimer", |call,
                                                object: ObjectHandle,
                                                function: Str,
                                                time: f64|
     -> Handle {
        let delegate = named(call, object, &function);
        Ok(start(call, delegate, time))
    }),
    native!(
        "KismetSystemLibrary.K2_SetTimerForNextTickDelegate",
        |call, delegate: Delegate| -> Handle {
            let now = call.vm.state.time;
            Ok(Handle(
                call.vm.state.timers.set_for_next_tick(now, delegate),
            ))
        }
    ),
    native!(
        "KismetSystemLibrary.K2_SetTimerForNextTick",
        |call, object: ObjectHandle, function: Str| -> Handle {
            let delegate = named(call, object, &function);
            let now = call.vm.state.time;
            Ok(Handle(
                call.vm.state.timers.set_for_next_tick(now, delegate),
            ))
        }
    ),
    native!(
        "KismetSystemLibrary.K2_ClearAndInvalidateTimerHandle",
        |call, _context: ObjectHandle, handle: Out<Handle>| {
            let named = call.get(handle);
            call.vm.state.timers.clear(named.0);
            call.set(handle, Handle(0));
            Ok(())
        }
    ),
    native!(
        "KismetSystemLibrary.K2_InvalidateTimerHandle",
        |call, handle: Out<Handle>| -> Handle {
            call.set(handle, Handle(0));
            Ok(Handle(0))
        }
    ),
    native!(
        "KismetSystemLibrary.K2_IsValidTimerHandle",
        |handle: Handle| -> bool { handle.0 != 0 }
    ),
];

pub(super) const ROWS: &[&[Native]] = &[
    &SET, &CLEAR, &PAUSE, &UNPAUSE, &ACTIVE, &PAUSED, &EXISTS, &ELAPSED, &REMAINING,
];

fn named(call: &mut NativeCall<'_>, object: ObjectHandle, function: &str) -> Delegate {
    Delegate {
        object,
        function: call.intern(function),
    }
}

fn start(call: &mut NativeCall<'_>, delegate: Delegate, time: f64) -> Handle {
    let loops: bool = call.named("bLooping");
    let delay: f64 = call.named("InitialStartDelay");
    let delay = (delay > 0.0).then_some(time + delay);
    let now = call.vm.state.time;
    let timers = &mut call.vm.state.timers;
    Handle(timers.set(now, delegate, time, loops, delay))
}

fn timer(call: &NativeCall<'_>, handle: u64) -> Option<Timer> {
    call.vm.state.timers.find(handle).copied()
}

fn remaining(call: &NativeCall<'_>, timer: Timer) -> f64 {
    if timer.is_paused {
        timer.due
    } else {
        timer.due - call.vm.state.time
    }
}
