//! Latent actions: what `Delay` and its like leave behind, and when it resumes.

use std::rc::Rc;

use glam::DVec3;

use super::Tracked;
use crate::error::Run;
use crate::ids::ObjectHandle;
use crate::memory::{Budget, Footprint, TypedPlace};
use crate::natives::{LatentInfo, Rotator, Transform};
use crate::vm::Vm;

/// What a pending action waits for.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Wait {
    /// Seconds left.
    Time(f64),
    /// The next tick.
    Tick,
    /// A component that moves on its way.
    Move(Move),
}

/// A component on its way to a place relative to its parent.
///
/// Source: what `MoveComponentTo` is documented to do; the curves of easing, squares, are assumed.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Move {
    pub(crate) component: ObjectHandle,
    pub(crate) from: Transform,
    pub(crate) location: DVec3,
    pub(crate) rotation: Rotator,
    pub(crate) eases_out: bool,
    pub(crate) eases_in: bool,
    /// Turns the shorter way round.
    pub(crate) is_shortest: bool,
    /// Seconds of the whole way.
    pub(crate) duration: f64,
    /// Seconds since the start.
    pub(crate) elapsed: f64,
}

impl Move {
    fn is_over(&self) -> bool {
        self.elapsed >= self.duration - 1e-9
    }

    /// Where the component is now.
    fn place(&self) -> Transform {
        let alpha = if self.is_over() {
            1.0
        } else {
            let share = self.elapsed / self.duration;
            match (self.eases_in, self.eases_out) {
                (false, false) => share,
                (true, false) => share * share,
                (false, true) => 1.0 - (1.0 - share) * (1.0 - share),
                (true, true) if share < 0.5 => 2.0 * share * share,
                (true, true) => 1.0 - 2.0 * (1.0 - share) * (1.0 - share),
            }
        };
        let from = Rotator::from_quat(self.from.rotation);
        let rotation = crate::natives::lerp_rotator(from, self.rotation, alpha, self.is_shortest);
        Transform {
            rotation: rotation.quat(),
            translation: self.from.translation.lerp(self.location, alpha),
            scale: self.from.scale,
        }
    }
}

/// A pending latent action.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Action {
    pub(crate) info: LatentInfo,
    pub(crate) wait: Wait,
}

impl Footprint for Vec<Action> {
    fn footprint(&self) -> u64 {
        (self.len() * size_of::<Action>()) as u64
    }
}

/// Pending actions by the object whose graph they resume, in order of starting.
#[derive(Debug)]
pub(crate) struct Latent {
    pub(super) actions: Tracked<ObjectHandle, Vec<Action>>,
}

impl Latent {
    pub(super) fn new(budget: &Rc<Budget>) -> Self {
        Self {
            actions: Tracked::new(budget),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.actions.map().values().all(Vec::is_empty)
    }

    /// The pending action of this call, if there is one.
    pub(crate) fn pending(&mut self, info: LatentInfo) -> Option<&mut Action> {
        let actions = self.actions.get(&info.target)?;
        let at = actions
            .iter()
            .position(|action| action.info.uuid == info.uuid)?;
        self.actions.get_mut(&info.target)?.get_mut(at)
    }

    pub(crate) fn start(&mut self, info: LatentInfo, wait: Wait) {
        let action = Action { info, wait };
        let started = self
            .actions
            .change(&info.target, |actions| actions.push(action));
        if started.is_none() {
            self.actions.insert(info.target, vec![action]);
        }
    }

    /// Forgets what was pending for an object that is destroyed.
    pub(crate) fn forget(&mut self, object: ObjectHandle) {
        self.actions.remove(&object);
    }

    /// Lets time pass for one object and takes out what is due, in order of starting.
    fn due(&mut self, object: ObjectHandle, delta: f64) -> Vec<LatentInfo> {
        let mut due = Vec::new();
        let is_empty = self.actions.change(&object, |actions| {
            actions.retain_mut(|action| {
                let is_due = match &mut action.wait {
                    Wait::Tick => true,
                    Wait::Move(way) => way.is_over(),
                    Wait::Time(left) => {
                        *left -= delta;
                        // Steps of a fixed size add up to the duration although they are not exact.
                        *left <= 1e-9
                    }
                };
                if is_due {
                    due.push(action.info);
                }
                !is_due
            });
            actions.is_empty()
        });
        if is_empty == Some(true) {
            self.actions.remove(&object);
        }
        due
    }

    /// Lets time pass for what moves; gives where it is then.
    fn moved(&mut self, object: ObjectHandle, delta: f64) -> Vec<(ObjectHandle, Transform)> {
        let actions = self.actions.get_mut(&object).into_iter().flatten();
        actions
            .filter_map(|action| match &mut action.wait {
                Wait::Move(way) => {
                    way.elapsed += delta;
                    Some((way.component, way.place()))
                }
                Wait::Time(_) | Wait::Tick => None,
            })
            .collect()
    }

    /// Forgets what waits there under this name.
    pub(crate) fn stop(&mut self, info: LatentInfo) {
        self.actions.change(&info.target, |actions| {
            actions.retain(|action| action.info.uuid != info.uuid);
        });
    }

    fn objects(&self) -> Vec<ObjectHandle> {
        self.actions.map().keys().copied().collect()
    }
}

impl Vm {
    /// Updates the pending actions of an object and resumes those that are due.
    pub(crate) fn tick_latent(&mut self, object: ObjectHandle, delta: f64) -> Run {
        for (component, place) in self.state.latent.moved(object, delta) {
            self.set_relative_transform(component, place);
        }
        for info in self.state.latent.due(object, delta) {
            self.resume(info)?;
        }
        Ok(())
    }

    /// Updates the objects that `done` does not name.
    pub(crate) fn tick_other_latent(&mut self, done: &[ObjectHandle], delta: f64) -> Run {
        for object in self.state.latent.objects() {
            if !done.contains(&object) {
                self.tick_latent(object, delta)?;
            }
        }
        Ok(())
    }

    /// Runs the event graph from where the latent call left it, with an empty flow stack.
    fn resume(&mut self, info: LatentInfo) -> Run {
        if info.linkage < 0 || !self.memory.objects.is_alive(info.target) {
            return Ok(());
        }
        let mark = self.memory.mark();
        let offset = i64::from(info.linkage) as u64;
        let ty = crate::ids::TypeId::INT;
        let place = self.memory.push_value(ty, &[offset]);
        let argument = TypedPlace { place, ty };
        let result = self.call_delegate((info.target, info.function), &[argument]);
        self.release(mark);
        result
    }
}
