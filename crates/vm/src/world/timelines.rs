//! Timelines: curves that drive variables and call functions as time passes.

use std::sync::Arc;

use bp_bytecode::package::{TimelineTrack, TrackKind};
use bp_bytecode::{CompiledClass, TimelineTemplate};

use crate::error::Run;
use crate::ids::ObjectHandle;
use crate::memory::Place;
use crate::vm::Vm;

/// The state of one timeline of one object.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    /// The object whose variables it drives.
    pub(crate) owner: ObjectHandle,
    pub(crate) class: Arc<CompiledClass>,
    pub(crate) index: usize,
    pub(crate) position: f64,
    pub(crate) rate: f64,
    pub(crate) length: f64,
    pub(crate) is_playing: bool,
    pub(crate) is_reversed: bool,
    pub(crate) loops: bool,
}

impl Timeline {
    pub(crate) fn new(owner: ObjectHandle, class: Arc<CompiledClass>, index: usize) -> Self {
        let template = &class.timelines[index];
        let (length, loops) = (template.length, template.looping);
        Self {
            owner,
            class,
            index,
            position: 0.0,
            rate: 1.0,
            length,
            is_playing: false,
            is_reversed: false,
            loops,
        }
    }

    pub(crate) fn template(&self) -> &TimelineTemplate {
        &self.class.timelines[self.index]
    }

    pub(crate) fn play(&mut self, from_start: bool) {
        if from_start {
            self.position = 0.0;
        }
        self.is_reversed = false;
        self.is_playing = true;
    }

    pub(crate) fn reverse(&mut self, from_end: bool) {
        if from_end {
            self.position = self.length;
        }
        self.is_reversed = true;
        self.is_playing = true;
    }
}

/// The position nearest to the one wanted; the start if there is no length.
pub(crate) fn within(position: f64, length: f64) -> f64 {
    // Scripts may set any length.
    if length > 0.0 {
        position.clamp(0.0, length)
    } else {
        0.0
    }
}

/// The values of a track at a time: straight between keys, the nearest key outside of them.
fn sample(track: &TimelineTrack, time: f64) -> Vec<f64> {
    let after = track.keys.partition_point(|(at, _)| *at <= time);
    let (Some(before), Some(next)) = (
        after.checked_sub(1).and_then(|index| track.keys.get(index)),
        track.keys.get(after),
    ) else {
        let nearest = track
            .keys
            .last()
            .filter(|_| after > 0)
            .or(track.keys.first());
        return nearest
            .map(|(_, values)| values.clone())
            .unwrap_or_default();
    };
    let share = (time - before.0) / (next.0 - before.0);
    before
        .1
        .iter()
        .zip(&next.1)
        .map(|(a, b)| a + (b - a) * share)
        .collect()
}

impl Vm {
    /// Lets time pass for the timelines of an object, in order of declaration.
    pub(crate) fn tick_timelines(&mut self, owner: ObjectHandle, delta: f64) -> Run {
        let timelines: Vec<_> = self
            .state
            .timelines
            .map()
            .iter()
            .filter(|(_, timeline)| timeline.owner == owner && timeline.is_playing)
            .map(|(handle, _)| *handle)
            .collect();
        for handle in timelines {
            self.tick_timeline(handle, delta)?;
        }
        Ok(())
    }

    fn tick_timeline(&mut self, handle: ObjectHandle, delta: f64) -> Run {
        let Some(timeline) = self.state.timelines.get(&handle) else {
            return Ok(());
        };
        let (length, loops) = (timeline.length, timeline.loops);
        let step = delta * timeline.rate * if timeline.is_reversed { -1.0 } else { 1.0 };
        let start = timeline.position;
        let mut position = start + step;
        let mut finished = false;
        if position > length || position < 0.0 {
            if loops && length > 0.0 {
                // Events up to the end, then from the other end on.
                let (end, other) = if step > 0.0 {
                    (length, 0.0)
                } else {
                    (0.0, length)
                };
                self.set_timeline_position(handle, end, Some(start))?;
                position = position.rem_euclid(length);
                self.set_timeline_position(handle, position, Some(other))?;
                return self.call_timeline_update(handle);
            }
            position = within(position, length);
            finished = true;
        } else if step > 0.0 && position >= length && !loops {
            finished = true;
        }
        self.set_timeline_position(handle, position, Some(start))?;
        self.call_timeline_update(handle)?;
        if finished && let Some(timeline) = self.state.timelines.get_mut(&handle) {
            timeline.is_playing = false;
            let owner = timeline.owner;
            if let Some(function) = timeline.template().finished.clone() {
                self.invoke_named(owner, &function)?;
            }
        }
        Ok(())
    }

    pub(crate) fn call_timeline_update(&mut self, handle: ObjectHandle) -> Run {
        let Some(timeline) = self.state.timelines.get(&handle) else {
            return Ok(());
        };
        let owner = timeline.owner;
        if let Some(function) = timeline.template().update.clone() {
            self.invoke_named(owner, &function)?;
        }
        Ok(())
    }

    /// Moves a timeline and sets the variables its tracks drive. With a start, events of keys behind
    /// it up to the new position are called.
    pub(crate) fn set_timeline_position(
        &mut self,
        handle: ObjectHandle,
        position: f64,
        events_from: Option<f64>,
    ) -> Run {
        let Some(timeline) = self.state.timelines.get_mut(&handle) else {
            return Ok(());
        };
        timeline.position = position;
        let (owner, is_reversed) = (timeline.owner, timeline.is_reversed);
        let class = timeline.class.clone();
        let template = &class.timelines[timeline.index];
        let Some(owner_class) = self.class_of(owner) else {
            return Ok(());
        };
        if let Some(direction) = self.program.variable(owner_class, &template.direction) {
            let place = Place::object(owner, direction.offset);
            self.memory
                .store(place, direction.ty, &[u64::from(is_reversed)]);
        }
        for track in template
            .tracks
            .iter()
            .filter(|t| t.kind != TrackKind::Event)
        {
            let Some(variable) = self.program.variable(owner_class, &track.target) else {
                continue;
            };
            let words = self.memory.types.words(variable.ty) as usize;
            let mut values: crate::memory::Words = sample(track, position)
                .into_iter()
                .take(words)
                .map(f64::to_bits)
                .collect();
            values.resize(words, 0);
            for offset in &self.memory.types.info(variable.ty).floats {
                let word = &mut values[*offset as usize];
                *word = f64::from(f64::from_bits(*word) as f32).to_bits();
            }
            let place = Place::object(owner, variable.offset);
            self.memory.store(place, variable.ty, &values);
        }
        let Some(from) = events_from else {
            return Ok(());
        };
        for track in template
            .tracks
            .iter()
            .filter(|t| t.kind == TrackKind::Event)
        {
            let mut keys: Vec<f64> = track.keys.iter().map(|(time, _)| *time).collect();
            if is_reversed {
                keys.reverse();
            }
            for time in keys {
                let is_passed = if is_reversed {
                    time < from && time >= position
                } else {
                    (time > from || (from == 0.0 && time == 0.0)) && time <= position
                };
                if is_passed {
                    self.invoke_named(owner, &track.target)?;
                }
            }
        }
        Ok(())
    }
}
