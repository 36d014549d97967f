//! The object arena.

use std::rc::Rc;

use bp_reflect::{Name, ObjectPath};

use crate::ids::{ClassId, ObjectHandle, join, split};
use crate::memory::{Budget, Footprint, PLACE};

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
}

impl Objects {
    pub(crate) fn new(budget: Rc<Budget>) -> Self {
        Self {
            cells: Vec::new(),
            free: Vec::new(),
            n_instances: 0,
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
            let cell = &mut self.cells[index as usize];
            cell.object = Some(object);
            return ObjectHandle(join(index, cell.generation));
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

    pub(crate) fn get_mut(&mut self, handle: ObjectHandle) -> Option<&mut Object> {
        let (index, generation) = split(handle.0)?;
        let cell = self.cells.get_mut(index as usize)?;
        (cell.generation == generation)
            .then_some(cell.object.as_mut())
            .flatten()
    }

    /// Whether the object exists and is not destroyed.
    pub(crate) fn is_alive(&self, handle: ObjectHandle) -> bool {
        self.get(handle)
            .is_some_and(|object| object.life == Life::Alive)
    }

    /// Takes an object out; its handle never answers again.
    pub(crate) fn remove(&mut self, handle: ObjectHandle) -> Option<Object> {
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
