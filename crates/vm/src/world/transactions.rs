//! Beginning and ending of transactions: memory, the state of the world and what is held back for the host
//! go back together.

use crate::ids::ObjectHandle;
use crate::memory::Savepoint;
use crate::vm::Vm;

/// How far everything was when a transaction began.
#[derive(Clone, Debug)]
pub(crate) struct WorldSavepoint {
    memory: Savepoint,
    time: f64,
    real_time: f64,
    dilation: f64,
    is_paused: bool,
    delta: f64,
    frame: u64,
    random: u32,
    last_timer: u64,
    /// Few: an object is in it while its own scripts are told.
    dying: Vec<ObjectHandle>,
    n_destroyed: usize,
    logs: [usize; 7],
    n_held: usize,
}

/// Something is done with every map of the state, by its place in [`WorldSavepoint::logs`].
macro_rules! every_map {
    ($state:expr, |$map:ident, $at:ident| $body:expr) => {{
        let state = $state;
        {
            let ($map, $at) = (&mut state.saves, 0);
            $body;
        }
        {
            let ($map, $at) = (&mut state.actors, 1);
            $body;
        }
        {
            let ($map, $at) = (&mut state.components, 2);
            $body;
        }
        {
            let ($map, $at) = (&mut state.timelines, 3);
            $body;
        }
        {
            let ($map, $at) = (&mut state.latent.actions, 4);
            $body;
        }
        {
            let ($map, $at) = (&mut state.timers.timers, 5);
            $body;
        }
        {
            let ($map, $at) = (&mut state.made, 6);
            $body;
        }
    }};
}

impl Vm {
    /// Starts a transaction, inside of another if one runs.
    pub(crate) fn begin_transaction(&mut self) -> WorldSavepoint {
        let state = &mut self.state;
        let mut logs = [0; 7];
        every_map!(&mut *state, |map, at| {
            logs[at] = map.log_len();
            map.set_logged(true);
        });
        self.guard.transactions += 1;
        WorldSavepoint {
            memory: self.memory.begin_transaction(),
            time: state.time,
            real_time: state.real_time,
            dilation: state.dilation,
            is_paused: state.is_paused,
            delta: state.delta,
            frame: state.frame,
            random: state.random,
            last_timer: state.timers.last_handle,
            dying: state.dying.clone(),
            n_destroyed: state.destroyed.len(),
            logs,
            n_held: self.held.len(),
        }
    }

    /// Ends the innermost transaction; what it did stays. With the outermost one the host is told what was
    /// held back.
    pub(crate) fn commit(&mut self, savepoint: &WorldSavepoint) {
        self.guard.transactions -= 1;
        let is_outermost = self.guard.transactions == 0;
        self.memory.commit(&savepoint.memory, is_outermost);
        if is_outermost {
            every_map!(&mut self.state, |map, _at| {
                map.set_logged(false);
                map.commit();
            });
            self.tell_held();
        }
    }

    /// Ends the innermost transaction; everything is as it was when it began.
    pub(crate) fn roll_back(&mut self, savepoint: WorldSavepoint) {
        self.guard.transactions -= 1;
        let is_outermost = self.guard.transactions == 0;
        let state = &mut self.state;
        every_map!(&mut *state, |map, at| {
            map.set_logged(false);
            map.undo_to(savepoint.logs[at]);
            map.set_logged(!is_outermost);
        });
        state.time = savepoint.time;
        state.real_time = savepoint.real_time;
        state.dilation = savepoint.dilation;
        state.is_paused = savepoint.is_paused;
        state.delta = savepoint.delta;
        state.frame = savepoint.frame;
        state.random = savepoint.random;
        state.timers.last_handle = savepoint.last_timer;
        state.dying = savepoint.dying;
        state.destroyed.truncate(savepoint.n_destroyed);
        self.drop_held(savepoint.n_held);
        self.memory.roll_back(&savepoint.memory, is_outermost);
    }

    /// Stops writing down changes, for what stays whatever a transaction comes to; gives what
    /// [`Vm::resume_log`] needs.
    pub(crate) fn pause_log(&mut self) -> bool {
        self.memory.pause_log()
    }

    /// Goes on as before [`Vm::pause_log`].
    pub(crate) fn resume_log(&mut self, was_open: bool) {
        self.memory.resume_log(was_open);
    }
}
