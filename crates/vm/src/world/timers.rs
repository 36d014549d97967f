//! Timers: delegates called after some time, once or again and again.

use std::rc::Rc;

use super::Tracked;
use crate::error::Run;
use crate::memory::Budget;
use crate::natives::Delegate;
use crate::vm::Vm;

/// Most calls that one timer makes in one tick, so that a tiny rate cannot hold the world.
const MAX_CALLS_PER_TICK: u32 = 10_000;

/// A timer.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Timer {
    /// Never 0.
    pub(crate) handle: u64,
    pub(crate) target: Delegate,
    /// Seconds between calls.
    pub(crate) rate: f64,
    pub(crate) loops: bool,
    /// When it calls next, in world time; the time left while it is paused.
    pub(crate) due: f64,
    pub(crate) is_paused: bool,
}

/// The timers of a world, by handle and in order of starting.
#[derive(Debug)]
pub(crate) struct Timers {
    pub(super) last_handle: u64,
    pub(super) timers: Tracked<u64, Timer>,
}

impl Timers {
    pub(super) fn new(budget: &Rc<Budget>) -> Self {
        Self {
            last_handle: 0,
            timers: Tracked::new(budget),
        }
    }

    /// Whether something will be called as time passes.
    pub(crate) fn is_waiting(&self) -> bool {
        self.timers.map().values().any(|timer| !timer.is_paused)
    }

    /// Starts a timer, in place of one for the same delegate. A rate of zero or less only stops that.
    pub(crate) fn set(
        &mut self,
        now: f64,
        target: Delegate,
        rate: f64,
        loops: bool,
        delay: Option<f64>,
    ) -> u64 {
        self.timers.retain(|_, timer| timer.target != target);
        if rate.is_nan() || rate <= 0.0 {
            return 0;
        }
        self.add(now, target, rate, loops, delay)
    }

    /// Starts a timer that calls once, at the next tick.
    pub(crate) fn set_for_next_tick(&mut self, now: f64, target: Delegate) -> u64 {
        self.add(now, target, 0.0, false, Some(0.0))
    }

    fn add(
        &mut self,
        now: f64,
        target: Delegate,
        rate: f64,
        loops: bool,
        delay: Option<f64>,
    ) -> u64 {
        self.last_handle += 1;
        let timer = Timer {
            handle: self.last_handle,
            target,
            rate,
            loops,
            due: now + delay.filter(|delay| *delay >= 0.0).unwrap_or(rate),
            is_paused: false,
        };
        self.timers.insert(timer.handle, timer);
        self.last_handle
    }

    pub(crate) fn find(&self, handle: u64) -> Option<&Timer> {
        self.timers.get(&handle)
    }

    /// The timer of a delegate.
    pub(crate) fn handle_of(&self, target: Delegate) -> u64 {
        self.timers
            .map()
            .values()
            .find(|timer| timer.target == target)
            .map_or(0, |timer| timer.handle)
    }

    pub(crate) fn clear(&mut self, handle: u64) {
        self.timers.remove(&handle);
    }

    pub(crate) fn forget(&mut self, object: crate::ids::ObjectHandle) {
        self.timers.retain(|_, timer| timer.target.object != object);
    }

    pub(crate) fn pause(&mut self, handle: u64, now: f64, is_paused: bool) {
        if let Some(timer) = self.timers.get_mut(&handle)
            && timer.is_paused != is_paused
        {
            timer.is_paused = is_paused;
            timer.due += if is_paused { -now } else { now };
        }
    }

    /// The timer to be called next up to `now`: the earliest, of those the oldest.
    fn next_due(&self, now: f64) -> Option<Timer> {
        self.timers
            .map()
            .values()
            // Steps of a fixed size add up to the rate although they are not exact.
            .filter(|timer| !timer.is_paused && timer.due <= now + 1e-9)
            .min_by(|a, b| a.due.total_cmp(&b.due).then(a.handle.cmp(&b.handle)))
            .copied()
    }
}

impl Vm {
    /// Calls every timer that is due.
    pub(crate) fn tick_timers(&mut self) -> Run {
        let now = self.state.time;
        let mut calls: Vec<(u64, u32)> = Vec::new();
        while let Some(timer) = self.state.timers.next_due(now) {
            let known = calls.iter().position(|(handle, _)| *handle == timer.handle);
            let index = known.unwrap_or_else(|| {
                calls.push((timer.handle, 0));
                calls.len() - 1
            });
            calls[index].1 += 1;
            let count = calls[index].1;
            if let Some(kept) = self.state.timers.timers.get_mut(&timer.handle) {
                kept.due += timer.rate;
                if count >= MAX_CALLS_PER_TICK {
                    kept.due = now + timer.rate.max(1e-6);
                }
            }
            if !timer.loops {
                self.state.timers.clear(timer.handle);
            }
            self.call_delegate((timer.target.object, timer.target.function), &[])?;
        }
        Ok(())
    }
}
