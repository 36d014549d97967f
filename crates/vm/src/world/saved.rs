//! Worlds as bytes: `BPWORLD` and a version, a checksum, and the state in postcard's wire format.
//!
//! Handles are kept as they are, with their generations, so every reference in every value still means what
//! it meant. Numbers that a world gives out while it runs (names, classes, types) are saved with what they
//! stand for. Names must get the same numbers again, because values are full of them; classes and types
//! are translated.

use std::rc::Rc;
use std::sync::Arc;

use bp_reflect::{Name, ObjectPath, TextValue, Value};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use super::latent::Action;
use super::{Actor, Component, SavedGame, Slot, Timeline, Timer, Tracked, audit};
use crate::error::LimitKind;
use crate::ids::{ClassId, ObjectHandle, TypeId};
use crate::memory::{Footprint, Snapshot};
use crate::objects::ObjectKind;
use crate::types::Kind;
use crate::vm::{ExitState, Vm};

const MAGIC: &[u8; 8] = b"BPWORLD\x04";
/// Bytes before the state: magic, checksum, fingerprint of the packages.
const HEADER: usize = 24;

/// Why a world cannot be put back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// The bytes are no saved world of this version.
    #[error("the bytes are no saved world, or one of another version")]
    Foreign,
    /// The bytes are not those that were saved.
    #[error("the saved world is damaged: {0}")]
    Damaged(String),
    /// The world was made of other packages.
    #[error("the world was saved with other packages")]
    Packages,
    /// The world has done something else since it was made.
    #[error("the world has run on its own: the name {0} has another number in it")]
    Name(Name),
    /// A class that the world used is not declared here.
    #[error("class {0} of the saved world cannot be loaded")]
    Class(ObjectPath),
    /// A struct that the world used cannot be laid out here.
    #[error("type {0} of the saved world is not known")]
    Type(u32),
    /// The world takes more than this one allows.
    #[error("the saved world takes {0}")]
    Limit(LimitKind),
}

#[derive(Serialize, Deserialize)]
pub(super) struct Saved {
    names: Vec<Name>,
    pub(super) classes: Vec<SavedClass>,
    types: Vec<SavedType>,
    pub(super) assets: Vec<(ObjectPath, ObjectHandle)>,
    pub(super) memory: Snapshot,
    time: f64,
    real_time: f64,
    delta: f64,
    dilation: f64,
    is_paused: bool,
    pub(super) frame: u64,
    actors: Vec<(ObjectHandle, Actor)>,
    components: Vec<(ObjectHandle, Component)>,
    timelines: Vec<(ObjectHandle, SavedTimeline)>,
    latent: Vec<(ObjectHandle, Vec<Action>)>,
    pub(super) last_timer: u64,
    pub(super) timers: Vec<Timer>,
    pub(super) made: Vec<(ClassId, u32)>,
    pub(super) dying: Vec<ObjectHandle>,
    pub(super) destroyed: Vec<ObjectHandle>,
    random: u32,
    saves: Vec<(Slot, FlatGame)>,
    exit: SavedExit,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SavedClass {
    pub(super) path: ObjectPath,
    pub(super) object: ObjectHandle,
    pub(super) default: ObjectHandle,
}

/// What a type number stands for. Parts are numbers of the saved world.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
enum SavedType {
    Fixed,
    Enum(ObjectPath),
    Int(u8),
    UInt(u8),
    Struct(ObjectPath),
    Array(TypeId),
    Set(TypeId),
    Map(TypeId, TypeId),
    Repeated(TypeId, u32),
}

/// A constant as a list of its parts, so that reading it nests no deeper than is allowed: each whole before
/// its parts.
#[derive(Serialize, Deserialize)]
struct FlatValue(Vec<Part>);

/// The class and variables of a saved game.
type FlatGame = (ObjectPath, Vec<(Name, FlatValue)>);

#[derive(Serialize, Deserialize)]
enum Part {
    /// A constant without parts.
    Bool(bool),
    Int(i64),
    UInt(u64),
    Real(f64),
    Name(Name),
    Str(Arc<str>),
    Text(TextValue),
    Object(Option<ObjectPath>),
    Unbound,
    /// So many parts follow.
    Struct(Vec<Name>),
    List(u32),
    /// So many pairs follow.
    Map(u32),
}

/// How deep constants of saved games nest. Structs of structs of packages nest less deep than they have words.
const MAX_VALUE_DEPTH: usize = 256;

impl FlatValue {
    fn of(value: &Value) -> Self {
        let mut parts = Vec::new();
        flatten(value, &mut parts);
        Self(parts)
    }

    /// None if it nests too deep, or is not whole.
    fn build(self) -> Option<Value> {
        let mut parts = self.0.into_iter();
        let value = build(&mut parts, 0)?;
        parts.next().is_none().then_some(value)
    }
}

fn flatten(value: &Value, parts: &mut Vec<Part>) {
    match value {
        Value::Bool(value) => parts.push(Part::Bool(*value)),
        Value::Int(value) => parts.push(Part::Int(*value)),
        Value::UInt(value) => parts.push(Part::UInt(*value)),
        Value::Real(value) => parts.push(Part::Real(*value)),
        Value::Name(value) => parts.push(Part::Name(value.clone())),
        Value::Str(value) => parts.push(Part::Str(value.clone())),
        Value::Text(value) => parts.push(Part::Text(value.clone())),
        Value::Object(value) => parts.push(Part::Object(value.clone())),
        Value::Unbound => parts.push(Part::Unbound),
        Value::Struct(members) => {
            let names = members.iter().map(|(name, _)| name.clone());
            parts.push(Part::Struct(names.collect()));
            for (_, value) in members {
                flatten(value, parts);
            }
        }
        Value::List(values) => {
            parts.push(Part::List(values.len() as u32));
            for value in values {
                flatten(value, parts);
            }
        }
        Value::Map(pairs) => {
            parts.push(Part::Map(pairs.len() as u32));
            for (key, value) in pairs {
                flatten(key, parts);
                flatten(value, parts);
            }
        }
    }
}

fn build(parts: &mut std::vec::IntoIter<Part>, depth: usize) -> Option<Value> {
    if depth > MAX_VALUE_DEPTH {
        return None;
    }
    Some(match parts.next()? {
        Part::Bool(value) => Value::Bool(value),
        Part::Int(value) => Value::Int(value),
        Part::UInt(value) => Value::UInt(value),
        Part::Real(value) => Value::Real(value),
        Part::Name(value) => Value::Name(value),
        Part::Str(value) => Value::Str(value),
        Part::Text(value) => Value::Text(value),
        Part::Object(value) => Value::Object(value),
        Part::Unbound => Value::Unbound,
        Part::Struct(names) => {
            let members = names
                .into_iter()
                .map(|name| Some((name, build(parts, depth + 1)?)));
            Value::Struct(members.collect::<Option<_>>()?)
        }
        Part::List(len) => {
            let values = (0..len).map(|_| build(parts, depth + 1));
            Value::List(values.collect::<Option<_>>()?)
        }
        Part::Map(len) => {
            let pairs =
                (0..len).map(|_| Some((build(parts, depth + 1)?, build(parts, depth + 1)?)));
            Value::Map(pairs.collect::<Option<_>>()?)
        }
    })
}

#[derive(Serialize, Deserialize)]
struct SavedTimeline {
    owner: ObjectHandle,
    class: ObjectPath,
    index: usize,
    position: f64,
    rate: f64,
    length: f64,
    is_playing: bool,
    is_reversed: bool,
    loops: bool,
}

#[derive(Serialize, Deserialize)]
struct SavedExit {
    recursion: bool,
    runaway: bool,
    limits: Option<LimitKind>,
    quit: bool,
    unsupported: Vec<ObjectPath>,
    warnings: usize,
    errors: usize,
}

impl Vm {
    pub(super) fn save(&self) -> Vec<u8> {
        let state = &self.state;
        let classes = self.program.classes.iter().map(|class| SavedClass {
            path: class.path.clone(),
            object: class.object,
            default: class.default,
        });
        let mut assets: Vec<_> = self
            .program
            .assets
            .iter()
            .map(|(path, handle)| (path.clone(), *handle))
            .collect();
        assets.sort_by_key(|(_, handle)| handle.0);
        let mut made: Vec<_> = state.made.map().iter().map(|(id, n)| (*id, *n)).collect();
        made.sort_unstable();
        let timelines = state.timelines.map().iter().map(|(handle, timeline)| {
            let saved = SavedTimeline {
                owner: timeline.owner,
                class: timeline.class.class.path.clone(),
                index: timeline.index,
                position: timeline.position,
                rate: timeline.rate,
                length: timeline.length,
                is_playing: timeline.is_playing,
                is_reversed: timeline.is_reversed,
                loops: timeline.loops,
            };
            (*handle, saved)
        });
        let saved = Saved {
            names: self.names.all().to_vec(),
            classes: classes.collect(),
            types: (0..self.memory.types.len())
                .map(|index| self.saved_type(TypeId(index as u32)))
                .collect(),
            assets,
            memory: self.memory.image(),
            time: state.time,
            real_time: state.real_time,
            delta: state.delta,
            dilation: state.dilation,
            is_paused: state.is_paused,
            frame: state.frame,
            actors: pairs(&state.actors),
            components: pairs(&state.components),
            timelines: timelines.collect(),
            latent: pairs(&state.latent.actions),
            last_timer: state.timers.last_handle,
            timers: state.timers.timers.map().values().copied().collect(),
            made,
            dying: state.dying.clone(),
            destroyed: state.destroyed.clone(),
            random: state.random,
            saves: state
                .saves
                .map()
                .iter()
                .map(|(slot, (class, values))| {
                    let values = values.iter();
                    let values = values.map(|(name, value)| (name.clone(), FlatValue::of(value)));
                    (slot.clone(), (class.clone(), values.collect()))
                })
                .collect(),
            exit: SavedExit {
                recursion: self.exit.recursion,
                runaway: self.exit.runaway,
                limits: self.exit.limits,
                quit: self.exit.quit,
                unsupported: self.exit.unsupported.clone(),
                warnings: self.exit.warnings,
                errors: self.exit.errors,
            },
        };
        let payload = postcard::to_stdvec(&saved).expect("the state's types always serialize");
        let fingerprint = self.fingerprint();
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&checksum(fingerprint, &payload).to_le_bytes());
        bytes.extend_from_slice(&fingerprint.to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes
    }

    pub(super) fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return Err(RestoreError::Foreign);
        }
        let word = |at: usize| {
            let part = bytes[at..at + 8].try_into().expect("it has 8 bytes");
            u64::from_le_bytes(part)
        };
        let (stored, fingerprint, payload) = (word(8), word(16), &bytes[HEADER..]);
        if checksum(fingerprint, payload) != stored {
            return Err(RestoreError::Damaged("its checksum is wrong".to_owned()));
        }
        if fingerprint != self.fingerprint() {
            return Err(RestoreError::Packages);
        }
        let saved: Saved = postcard::from_bytes(payload)
            .map_err(|error| RestoreError::Damaged(error.to_string()))?;
        for (index, name) in saved.names.iter().enumerate() {
            if self.names.intern(name).0 as usize != index {
                return Err(RestoreError::Name(name.clone()));
            }
        }
        let classes = saved
            .classes
            .iter()
            .map(|class| match self.load_class(&class.path) {
                Ok(Some(id)) => Ok(id),
                Ok(None) | Err(_) => Err(RestoreError::Class(class.path.clone())),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let types = self.translated_types(&saved.types)?;
        let mut saved = saved;
        translate(&mut saved.memory, &classes, &types)?;
        audit::memory(self, &saved.memory).map_err(RestoreError::Damaged)?;
        audit::state(&saved, &classes).map_err(RestoreError::Damaged)?;
        let mut saves: Vec<(Slot, SavedGame)> = Vec::new();
        for (slot, (class, values)) in saved.saves {
            let values = values.into_iter().map(|(name, value)| {
                let value = value.build();
                let too_deep = || RestoreError::Damaged("a saved game nests too deep".to_owned());
                Ok((name, value.ok_or_else(too_deep)?))
            });
            saves.push((slot, (class, values.collect::<Result<_, _>>()?)));
        }
        let memory = saved.memory;
        let budget = Rc::clone(&self.memory.budget);
        let too_much = RestoreError::Limit(LimitKind::Memory(self.limits.memory));
        if !self.memory.take_over(memory) {
            return Err(too_much);
        }
        let n_objects = self.memory.objects.n_instances();
        if n_objects > self.limits.objects {
            return Err(RestoreError::Limit(LimitKind::Objects(self.limits.objects)));
        }
        self.reindex_tables()?;
        self.restore_class_objects(&classes, &saved.classes);
        self.program.assets = saved.assets.into_iter().collect();
        let mut timelines = Vec::new();
        for (handle, timeline) in saved.timelines {
            let class = self.program.compiled.get(&timeline.class);
            let Some((_, class)) =
                class.filter(|(_, class)| timeline.index < class.timelines.len())
            else {
                return Err(RestoreError::Class(timeline.class));
            };
            let mut restored = Timeline::new(timeline.owner, Arc::clone(class), timeline.index);
            restored.position = timeline.position;
            restored.rate = timeline.rate;
            restored.length = timeline.length;
            restored.is_playing = timeline.is_playing;
            restored.is_reversed = timeline.is_reversed;
            restored.loops = timeline.loops;
            timelines.push((handle, restored));
        }
        let made = saved
            .made
            .into_iter()
            .map(|(id, n)| (classes.get(id.0 as usize), n));
        let state = &mut self.state;
        state.time = saved.time;
        state.real_time = saved.real_time;
        state.delta = saved.delta;
        state.dilation = saved.dilation;
        state.is_paused = saved.is_paused;
        state.frame = saved.frame;
        state.actors.refill(saved.actors);
        state.components.refill(saved.components);
        state.timelines.refill(timelines);
        state.latent.actions.refill(saved.latent);
        state.timers.last_handle = saved.last_timer;
        let timers = saved.timers.into_iter();
        let timers = timers.map(|timer| (timer.handle, timer));
        state.timers.timers.refill(timers);
        let made = made.filter_map(|(id, n)| Some((*id?, n)));
        state.made.refill(made);
        state.dying = saved.dying;
        state.destroyed = saved.destroyed;
        state.random = saved.random;
        state.saves.refill(saves);
        if budget.is_exceeded() {
            budget.excuse();
            return Err(too_much);
        }
        self.exit = ExitState {
            recursion: saved.exit.recursion,
            runaway: saved.exit.runaway,
            limits: saved.exit.limits,
            quit: saved.exit.quit,
            unsupported: saved.exit.unsupported,
            warnings: saved.exit.warnings,
            errors: saved.exit.errors,
        };
        Ok(())
    }

    /// Tells packages apart: their classes, layouts and scripts.
    fn fingerprint(&self) -> u64 {
        use std::hash::Hasher;
        let mut hasher = FxHasher::default();
        hasher.write(self.program.engine.to_string().as_bytes());
        for (path, (_, class)) in &self.program.compiled {
            hasher.write(path.as_str().as_bytes());
            hasher.write_usize(class.class.properties.len());
            for function in &class.functions {
                hasher.write_usize(function.script.len());
                hasher.write(&function.script);
            }
        }
        hasher.finish()
    }

    fn saved_type(&self, ty: TypeId) -> SavedType {
        match self.memory.types.kind(ty) {
            Kind::Byte(Some(path)) => SavedType::Enum(path.clone()),
            Kind::Int(bits) if ty > TypeId::WILDCARD => SavedType::Int(*bits),
            Kind::UInt(bits) if ty > TypeId::WILDCARD => SavedType::UInt(*bits),
            Kind::Struct(id) => SavedType::Struct(self.memory.types.structure(*id).path.clone()),
            Kind::Array(element) => SavedType::Array(*element),
            Kind::Set(key) => SavedType::Set(*key),
            Kind::Map(key, value) => SavedType::Map(*key, *value),
            Kind::Repeated(element, dim) => SavedType::Repeated(*element, *dim),
            Kind::Nothing
            | Kind::Bool
            | Kind::Byte(None)
            | Kind::Int(_)
            | Kind::UInt(_)
            | Kind::Float
            | Kind::Double
            | Kind::Name
            | Kind::Str
            | Kind::Text
            | Kind::Object
            | Kind::Class
            | Kind::Path
            | Kind::Delegate
            | Kind::Multicast
            | Kind::Wildcard => SavedType::Fixed,
        }
    }

    /// The number here of each saved type. One that stands at the same place keeps its number: of array
    /// types that differ in the class of their elements only, there may be several.
    fn translated_types(&mut self, saved: &[SavedType]) -> Result<Vec<TypeId>, RestoreError> {
        use bp_reflect::PropertyType as P;
        let mut map: Vec<TypeId> = Vec::with_capacity(saved.len());
        let part = |map: &[TypeId], ty: TypeId| map.get(ty.0 as usize).copied();
        for (index, ty) in saved.iter().enumerate() {
            let unknown = RestoreError::Type(index as u32);
            let here = TypeId(index as u32);
            let is_same = index < self.memory.types.len() && self.saved_type(here) == *ty;
            let is_whole = map.iter().enumerate().all(|(at, id)| id.0 as usize == at);
            if is_same && is_whole {
                map.push(here);
                continue;
            }
            let types = &mut self.memory.types;
            let registry = &self.program.registry;
            let found = match ty {
                SavedType::Fixed => Some(here),
                SavedType::Enum(path) => types.intern(&P::Byte(Some(path.clone())), registry).ok(),
                SavedType::Int(8) => types.intern(&P::Int8, registry).ok(),
                SavedType::Int(_) => types.intern(&P::Int16, registry).ok(),
                SavedType::UInt(16) => types.intern(&P::UInt16, registry).ok(),
                SavedType::UInt(_) => types.intern(&P::UInt32, registry).ok(),
                SavedType::Struct(path) => types.intern(&P::Struct(path.clone()), registry).ok(),
                SavedType::Array(element) => part(&map, *element).map(|e| types.array_of(e)),
                SavedType::Set(key) => part(&map, *key).map(|key| types.table_of(key, None)),
                SavedType::Map(key, value) => part(&map, *key)
                    .zip(part(&map, *value))
                    .map(|(key, value)| types.table_of(key, Some(value))),
                // A part of a struct, class or function only; no value in a heap has it.
                SavedType::Repeated(..) => Some(TypeId::NOTHING),
            };
            map.push(found.ok_or(unknown)?);
        }
        Ok(map)
    }

    fn reindex_tables(&mut self) -> Result<(), RestoreError> {
        let empty = crate::memory::Heap::new(Rc::clone(&self.memory.budget));
        let mut tables = std::mem::replace(&mut self.memory.tables, empty);
        let mut has_twice = false;
        for table in tables.values_mut() {
            let key = table.key;
            table.reindex(|words| self.memory.hash(key, words));
            has_twice |= table.entries().any(|entry| {
                let found = self.memory.find_in(table, table.key_at(entry));
                found.is_some_and(|found| found != entry)
            });
        }
        self.memory.tables = tables;
        if has_twice {
            let message = "a set or map has a key twice".to_owned();
            return Err(RestoreError::Damaged(message));
        }
        Ok(())
    }

    /// Points loaded classes at their objects of the saved arena; classes that were loaded later get new
    /// ones.
    fn restore_class_objects(&mut self, ids: &[ClassId], saved: &[SavedClass]) {
        for (id, class) in ids.iter().zip(saved) {
            let info = Arc::make_mut(&mut self.program.classes[id.0 as usize]);
            info.object = class.object;
            info.default = class.default;
        }
        for index in 0..self.program.classes.len() {
            let id = ClassId(index as u32);
            if !ids.contains(&id) {
                let parent = self.program.class(id).lineage.get(1).copied();
                let parent = parent.map(|parent| self.program.class(parent).clone());
                self.make_class_objects(id, parent.as_deref());
            }
        }
    }
}

fn pairs<T: Clone + Footprint>(map: &Tracked<ObjectHandle, T>) -> Vec<(ObjectHandle, T)> {
    map.map()
        .iter()
        .map(|(handle, value)| (*handle, value.clone()))
        .collect()
}

/// Puts the numbers of this world in place of the saved one's.
fn translate(
    memory: &mut Snapshot,
    classes: &[ClassId],
    types: &[TypeId],
) -> Result<(), RestoreError> {
    let damaged = || RestoreError::Damaged("a number stands for nothing".to_owned());
    for object in memory.objects.all_mut() {
        let class = |id: ClassId| classes.get(id.0 as usize).copied().ok_or_else(damaged);
        object.class = class(object.class)?;
        if let ObjectKind::Class(id) = &mut object.kind {
            *id = class(*id)?;
        }
    }
    let ty = |id: TypeId| types.get(id.0 as usize).copied().ok_or_else(damaged);
    for array in memory.arrays.values_mut() {
        array.element = ty(array.element)?;
    }
    for table in memory.tables.values_mut() {
        table.key = ty(table.key)?;
        table.value = table.value.map(ty).transpose()?;
    }
    Ok(())
}

fn checksum(fingerprint: u64, payload: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = FxHasher::default();
    hasher.write_u64(fingerprint);
    hasher.write_usize(payload.len());
    for byte in payload {
        // One by one: every byte then changes all bits that follow.
        hasher.write_u8(*byte);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_come_back_from_their_parts() {
        let value = Value::Struct(vec![
            (
                Name::new("A"),
                Value::Map(vec![(Value::Int(1), Value::List(vec![Value::Unbound]))]),
            ),
            (Name::new("B"), Value::Str("text".into())),
        ]);
        assert_eq!(FlatValue::of(&value).build(), Some(value));
    }

    #[test]
    fn constants_nest_as_deep_as_is_allowed() {
        let nested = |depth: usize| {
            let lists = (0..depth).map(|_| Part::List(1));
            FlatValue(lists.chain([Part::Int(1)]).collect()).build()
        };
        assert!(nested(MAX_VALUE_DEPTH).is_some());
        assert!(nested(MAX_VALUE_DEPTH + 1).is_none());
        assert!(nested(10_000_000).is_none());
        // Not whole, and more than whole.
        assert!(
            FlatValue(vec![Part::Map(1), Part::Int(1)])
                .build()
                .is_none()
        );
        assert!(
            FlatValue(vec![Part::Int(1), Part::Int(1)])
                .build()
                .is_none()
        );
        assert!(FlatValue(vec![Part::List(u32::MAX)]).build().is_none());
    }
}
