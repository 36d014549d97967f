//! `TimelineComponent`.

use super::{Native, NativeCall};
use crate::native;
use crate::world::{Timeline, within};

pub(super) const ROWS: &[Native] = &[
    native!("TimelineComponent.Play", |call| {
        change(call, |t| t.play(false));
        Ok(())
    }),
    native!("TimelineComponent.PlayFromStart", |call| {
        change(call, |t| t.play(true));
        Ok(())
    }),
    native!("TimelineComponent.Reverse", |call| {
        change(call, |t| t.reverse(false));
        Ok(())
    }),
    native!("TimelineComponent.ReverseFromEnd", |call| {
        change(call, |t| t.reverse(true));
        Ok(())
    }),
    native!("TimelineComponent.Stop", |call| {
        change(call, |t| t.is_playing = false);
        Ok(())
    }),
    native!("TimelineComponent.SetLooping", |call, loops: bool| {
        change(call, |t| t.loops = loops);
        Ok(())
    }),
    native!("TimelineComponent.SetPlayRate", |call, rate: f64| {
        change(call, |t| t.rate = rate);
        Ok(())
    }),
    native!(
        "TimelineComponent.SetTimelineLength",
        |call, length: f64| {
            change(call, |t| t.length = length);
            Ok(())
        }
    ),
    native!("TimelineComponent.SetNewTime", |call, time: f64| {
        let (handle, length) = (call.object, read(call, |t| t.length));
        call.vm
            .set_timeline_position(handle, within(time, length), None)
    }),
    native!(
        "TimelineComponent.SetPlaybackPosition",
        |call, time: f64, fires_events: bool, fires_update: bool| {
            let (handle, length) = (call.object, read(call, |t| t.length));
            let start = fires_events.then(|| read(call, |t| t.position));
            call.vm
                .set_timeline_position(handle, within(time, length), start)?;
            if fires_update {
                call.vm.call_timeline_update(handle)
            } else {
                Ok(())
            }
        }
    ),
    native!("TimelineComponent.GetPlaybackPosition", |call| -> f64 {
        Ok(read(call, |t| t.position))
    }),
    native!("TimelineComponent.GetPlayRate", |call| -> f64 {
        Ok(read(call, |t| t.rate))
    }),
    native!("TimelineComponent.GetTimelineLength", |call| -> f64 {
        Ok(read(call, |t| t.length))
    }),
    native!("TimelineComponent.GetScaledTimelineLength", |call| -> f64 {
        Ok(read(call, |t| {
            if t.rate == 0.0 {
                t.length
            } else {
                t.length / t.rate
            }
        }))
    }),
    native!("TimelineComponent.IsLooping", |call| -> bool {
        Ok(read(call, |t| t.loops))
    }),
    native!("TimelineComponent.IsPlaying", |call| -> bool {
        Ok(read(call, |t| t.is_playing))
    }),
    native!("TimelineComponent.IsReversing", |call| -> bool {
        Ok(read(call, |t| t.is_playing && t.is_reversed))
    }),
];

fn change(call: &mut NativeCall<'_>, f: impl FnOnce(&mut Timeline)) {
    if let Some(timeline) = call.vm.state.timelines.get_mut(&call.object) {
        f(timeline);
    }
}

fn read<T: Default>(call: &NativeCall<'_>, f: impl FnOnce(&Timeline) -> T) -> T {
    match call.vm.state.timelines.get(&call.object) {
        Some(timeline) => f(timeline),
        None => T::default(),
    }
}
