//! Timers: delegates called after some time, once or again and again.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

use rustc_hash::FxBuildHasher;

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

    /// Timers to be called up to `now`: the earliest first, of those the oldest.
    fn due(&self, now: f64) -> BinaryHeap<Due> {
        let timers = self.timers.map().values();
        timers.filter_map(|timer| Due::of(timer, now)).collect()
    }
}

/// When a timer is to be called in a tick.
#[derive(Clone, Copy, Debug)]
struct Due {
    at: f64,
    handle: u64,
}

impl Due {
    /// None if it is not due, or paused.
    fn of(timer: &Timer, now: f64) -> Option<Self> {
        // Steps of a fixed size add up to the rate although they are not exact.
        let is_due = !timer.is_paused && timer.due <= now + 1e-9;
        is_due.then_some(Self {
            at: timer.due,
            handle: timer.handle,
        })
    }
}

/// The greatest is called first.
impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        let time = other.at.total_cmp(&self.at);
        time.then(other.handle.cmp(&self.handle))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Due {}

impl Vm {
    /// Calls every timer that is due when this begins; one that is started by them waits for the next tick.
    pub(crate) fn tick_timers(&mut self) -> Run {
        let now = self.state.time;
        let mut queue = self.state.timers.due(now);
        let mut calls: HashMap<u64, u32, FxBuildHasher> = HashMap::default();
        while let Some(due) = queue.pop() {
            // One called before may have changed or stopped it.
            let known = self.state.timers.find(due.handle).copied();
            let Some(timer) = known.filter(|timer| Due::of(timer, now) == Some(due)) else {
                continue;
            };
            let count = calls.entry(timer.handle).or_default();
            *count += 1;
            let is_last = *count >= MAX_CALLS_PER_TICK;
            if !timer.loops {
                self.state.timers.clear(timer.handle);
            } else if let Some(kept) = self.state.timers.timers.get_mut(&timer.handle) {
                kept.due += timer.rate;
                if is_last {
                    kept.due = now + timer.rate.max(1e-6);
                }
                if let Some(again) = Due::of(kept, now).filter(|_| !is_last) {
                    queue.push(again);
                }
            }
            self.call_delegate((timer.target.object, timer.target.function), &[])?;
        }
        Ok(())
    }
}
