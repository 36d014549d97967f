//! The object arena.

use std::rc::Rc;

use bp_reflect::{Name, ObjectPath};

use crate::ids::{ClassId, ObjectHandle, join, split};
use crate::memory::{Budget, Footprint, Kept, Log, OldWords, PLACE, spilled};

/// What an object is besides an instance of its class.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum ObjectKind {
    /// An object of the world.
    Instance,
    /// The default object of its class.
    Default,
    /// The class itself, as a value.
    Class(ClassId),
    /// Something a script refers to that is not loaded: an asset known by its path.
    Asset(ObjectPath),
}

/// How alive an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Life {
    /// Being used.
    Alive,
    /// Destroyed, kept until nothing runs: references to it are not null yet.
    Destroyed,
}

/// An object.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Object {
    pub(crate) class: ClassId,
    pub(crate) name: Name,
    pub(crate) outer: ObjectHandle,
    pub(crate) kind: ObjectKind,
    pub(crate) life: Life,
    /// Its variables, as `link_class` lays them out.
    pub(crate) words: Vec<u64>,
    /// The persistent frames of the event graphs of its class and ancestors.
    pub(crate) frames: Vec<u64>,
}

impl Footprint for Object {
    fn footprint(&self) -> u64 {
        (self.words.len() + self.frames.len()) as u64 * 8 + 96
    }
}

impl Object {
    /// Bytes that an object of so many words counts.
    pub(crate) fn bytes(words: u32, frame_words: u32) -> u64 {
        (u64::from(words) + u64::from(frame_words)) * 8 + 96 + PLACE
    }
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Cell {
    generation: u32,
    object: Option<Object>,
}

/// Objects by handle.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Objects {
    cells: Vec<Cell>,
    free: Vec<u32>,
    /// Objects of the world, default objects and the like left out.
    #[serde(skip)]
    n_instances: usize,
    /// Not saved, nor is the number of instances, see [`Objects::charge_to`].
    #[serde(skip)]
    budget: Rc<Budget>,
    /// Not saved: no transaction runs then.
    #[serde(skip)]
    log: Log<Undo>,
}

/// What undoes a change of the arena. Numbers are those of cells. Objects are not taken out while scripts
/// run, so nothing undoes that.
#[derive(Clone, Debug)]
enum Undo {
    /// An object was put in; whether into a cell that was free before.
    Inserted(u32, bool),
    Words(u32, OldWords),
    Frames(u32, OldWords),
    Life(u32, Life),
}

impl Footprint for Undo {
    fn footprint(&self) -> u64 {
        let more = match self {
            Self::Inserted(..) | Self::Life(..) => 0,
            Self::Words(_, old) | Self::Frames(_, old) => spilled(&old.words),
        };
        size_of::<Self>() as u64 + more
    }
}

impl Objects {
    pub(crate) fn new(budget: Rc<Budget>) -> Self {
        Self {
            cells: Vec::new(),
            free: Vec::new(),
            n_instances: 0,
            log: Log::new(Rc::clone(&budget)),
            budget,
        }
    }

    /// Bytes that all objects count.
    pub(crate) fn counted(&self) -> u64 {
        self.iter()
            .map(|(_, object)| PLACE + object.footprint())
            .sum()
    }

    /// Has another budget count its objects from now on; what they count already is the caller's to charge.
    pub(crate) fn charge_to(&mut self, budget: &Rc<Budget>) {
        self.budget = Rc::clone(budget);
        self.log = Log::new(Rc::clone(budget));
        let kinds = self.iter().map(|(_, object)| &object.kind);
        self.n_instances = kinds.filter(|kind| **kind == ObjectKind::Instance).count();
    }

    /// Objects of the world, destroyed ones that are not collected yet included.
    pub(crate) fn n_instances(&self) -> usize {
        self.n_instances
    }

    pub(crate) fn insert(&mut self, object: Object) -> ObjectHandle {
        self.budget.charge(PLACE + object.footprint());
        self.n_instances += usize::from(object.kind == ObjectKind::Instance);
        if let Some(index) = self.free.pop() {
            if self.log.is_open() {
                self.log.push(Undo::Inserted(index, true));
            }
            let cell = &mut self.cells[index as usize];
            cell.object = Some(object);
            return ObjectHandle(join(index, cell.generation));
        }
        if self.log.is_open() {
            let index = self.cells.len() as u32;
            self.log.push(Undo::Inserted(index, false));
        }
        self.cells.push(Cell {
            generation: 0,
            object: Some(object),
        });
        ObjectHandle(join(self.cells.len() as u32 - 1, 0))
    }

    /// The object, destroyed ones included.
    pub(crate) fn get(&self, handle: ObjectHandle) -> Option<&Object> {
        let (index, generation) = split(handle.0)?;
        let cell = self.cells.get(index as usize)?;
        (cell.generation == generation)
            .then_some(cell.object.as_ref())
            .flatten()
    }

    /// The object, to be changed by whoever runs only while no transaction does: nothing is written down.
    pub(crate) fn get_mut(&mut self, handle: ObjectHandle) -> Option<&mut Object> {
        debug_assert!(!self.log.is_open(), "nothing undoes it");
        self.cell(handle).map(|(_, object, _)| object)
    }

    fn cell(&mut self, handle: ObjectHandle) -> Option<(u32, &mut Object, &mut Log<Undo>)> {
        let (index, generation) = split(handle.0)?;
        let cell = self.cells.get_mut(index as usize)?;
        let object = cell.object.as_mut();
        let object = object.filter(|_| cell.generation == generation)?;
        Some((index, object, &mut self.log))
    }

    /// Overwrites words of an object's variables. False if it has none there.
    pub(crate) fn write(&mut self, handle: ObjectHandle, start: usize, words: &[u64]) -> bool {
        let Some((index, object, log)) = self.cell(handle) else {
            return false;
        };
        overwrite(&mut object.words, start, words, log, |old| {
            Undo::Words(index, old)
        })
    }

    /// The same for its persistent frames.
    pub(crate) fn write_frame(
        &mut self,
        handle: ObjectHandle,
        start: usize,
        words: &[u64],
    ) -> bool {
        let Some((index, object, log)) = self.cell(handle) else {
            return false;
        };
        overwrite(&mut object.frames, start, words, log, |old| {
            Undo::Frames(index, old)
        })
    }

    /// Marks an object destroyed.
    pub(crate) fn mark_destroyed(&mut self, handle: ObjectHandle) {
        if let Some((index, object, log)) = self.cell(handle) {
            if log.is_open() {
                log.push(Undo::Life(index, object.life));
            }
            object.life = Life::Destroyed;
        }
    }

    /// Whether every cell without an object is free, once.
    pub(crate) fn is_sound(&self) -> bool {
        let mut is_free = vec![false; self.cells.len()];
        let listed = self.free.iter().all(|index| {
            let place = is_free.get_mut(*index as usize);
            place.is_some_and(|is_free| !std::mem::replace(is_free, true))
        });
        let mut cells = self.cells.iter().zip(is_free);
        listed && cells.all(|(cell, is_free)| cell.object.is_none() == is_free)
    }

    // ---- transactions

    pub(crate) fn set_logged(&mut self, is_logged: bool) {
        self.log.set_open(is_logged);
    }

    /// How far the changes are that may be undone.
    pub(crate) fn log_len(&self) -> usize {
        self.log.len()
    }

    /// Undoes the changes behind that many.
    pub(crate) fn undo_to(&mut self, len: usize) {
        while let Some(undo) = self.log.pop_to(len) {
            match undo {
                Undo::Inserted(index, was_free) => {
                    let Some(object) = self.cells[index as usize].object.take() else {
                        continue;
                    };
                    self.budget.credit(PLACE + object.footprint());
                    self.n_instances -= usize::from(object.kind == ObjectKind::Instance);
                    if was_free || index as usize + 1 < self.cells.len() {
                        self.free.push(index);
                    } else {
                        self.cells.pop();
                    }
                }
                Undo::Words(index, old) => {
                    if let Some(object) = &mut self.cells[index as usize].object {
                        put_back(&mut object.words, &old);
                    }
                }
                Undo::Frames(index, old) => {
                    if let Some(object) = &mut self.cells[index as usize].object {
                        put_back(&mut object.frames, &old);
                    }
                }
                Undo::Life(index, life) => {
                    if let Some(object) = &mut self.cells[index as usize].object {
                        object.life = life;
                    }
                }
            }
        }
    }

    /// Forgets how to undo what was changed.
    pub(crate) fn commit(&mut self) {
        drop(self.log.take());
    }

    /// Whether the object exists and is not destroyed.
    pub(crate) fn is_alive(&self, handle: ObjectHandle) -> bool {
        self.get(handle)
            .is_some_and(|object| object.life == Life::Alive)
    }

    /// Takes an object out; its handle never answers again. Not while a transaction runs.
    pub(crate) fn remove(&mut self, handle: ObjectHandle) -> Option<Object> {
        debug_assert!(!self.log.is_open(), "nothing undoes it");
        let (index, generation) = split(handle.0)?;
        let cell = self.cells.get_mut(index as usize)?;
        if cell.generation != generation {
            return None;
        }
        let object = cell.object.take()?;
        cell.generation = cell.generation.wrapping_add(1);
        self.free.push(index);
        self.budget.credit(PLACE + object.footprint());
        self.n_instances -= usize::from(object.kind == ObjectKind::Instance);
        Some(object)
    }

    /// Every object.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.cells
            .iter_mut()
            .filter_map(|cell| cell.object.as_mut())
    }

    /// Every object, by place in the arena.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ObjectHandle, &Object)> {
        self.cells.iter().enumerate().filter_map(|(index, cell)| {
            let object = cell.object.as_ref()?;
            Some((ObjectHandle(join(index as u32, cell.generation)), object))
        })
    }
}

fn overwrite(
    block: &mut [u64],
    start: usize,
    words: &[u64],
    log: &mut Log<Undo>,
    undo: impl FnOnce(OldWords) -> Undo,
) -> bool {
    let Some(target) = block.get_mut(start..start + words.len()) else {
        return false;
    };
    if log.is_open() {
        log.push(undo(OldWords {
            start: start as u32,
            words: Kept::from_slice(target),
        }));
    }
    target.copy_from_slice(words);
    true
}

fn put_back(block: &mut [u64], old: &OldWords) {
    let start = old.start as usize;
    if let Some(target) = block.get_mut(start..start + old.words.len()) {
        target.copy_from_slice(&old.words);
    }
}
