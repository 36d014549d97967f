//! What is asked of a saved world before it is taken over, so that nothing crafted can lead the machine where
//! its own worlds never are.
//!
//! - Every slot of an object holds a value of its type: its container, if it has one, is of that type, down to
//!   the last element. So values nest as deep as types do, and types nest as the packages declare them.
//! - Every value of a heap is owned as often as it counts, a container once: so none holds itself, and none is
//!   there that nothing owns.
//! - Free cells are listed, each once.
//! - Objects have as many words as their classes, and none is its own outer.
//! - Classes and assets name the objects that stand for them; what is listed as destroyed is; timers
//!   and counts have numbers that a world can go on with.

use super::Timer;
use super::saved::Saved;
use crate::ids::{ClassId, ObjectHandle, TypeId};
use crate::memory::{Heap, Snapshot, Stored};
use crate::objects::{Life, Object, ObjectKind};
use crate::program::Param;
use crate::types::Kind;
use crate::vm::Vm;

/// What is wrong, in words that end “the saved world is damaged:”.
type Audit<T = ()> = Result<T, String>;

/// A slot of an object: words before it, and its type.
type Slot = (u32, TypeId);

/// Owners that were found, by cell.
struct Auditor<'a> {
    vm: &'a Vm,
    memory: &'a Snapshot,
    strings: Vec<u32>,
    texts: Vec<u32>,
    arrays: Vec<u32>,
    tables: Vec<u32>,
    multicasts: Vec<u32>,
}

/// Audits the memory of a saved world whose numbers are those of this one.
pub(super) fn memory(vm: &Vm, memory: &Snapshot) -> Audit {
    if !memory.objects.is_sound() {
        return Err("the objects' free places are wrong".to_owned());
    }
    for table in memory.tables.values() {
        if !table.is_sound() {
            return Err("a set or map has odd words".to_owned());
        }
    }
    let mut auditor = Auditor {
        vm,
        memory,
        strings: vec![0; memory.strings.n_cells()],
        texts: vec![0; memory.texts.n_cells()],
        arrays: vec![0; memory.arrays.n_cells()],
        tables: vec![0; memory.tables.n_cells()],
        multicasts: vec![0; memory.multicasts.n_cells()],
    };
    let layouts: Vec<[Vec<Slot>; 2]> = (0..vm.program.classes.len())
        .map(|index| auditor.layout(ClassId(index as u32)))
        .collect();
    for (handle, object) in memory.objects.iter() {
        auditor.object(object, &layouts)?;
        auditor.outers(handle)?;
    }
    let is_owned = memory.strings.is_sound(&auditor.strings)
        && memory.texts.is_sound(&auditor.texts)
        && memory.arrays.is_sound(&auditor.arrays)
        && memory.tables.is_sound(&auditor.tables)
        && memory.multicasts.is_sound(&auditor.multicasts);
    if is_owned {
        Ok(())
    } else {
        Err("a value has not as many owners as it says".to_owned())
    }
}

/// Audits what a saved world says of the objects in its memory.
pub(super) fn state(saved: &Saved, classes: &[ClassId]) -> Audit {
    let objects = &saved.memory.objects;
    let kind_of = |handle: ObjectHandle| objects.get(handle).map(|object| &object.kind);
    for (id, class) in classes.iter().zip(&saved.classes) {
        let default = objects.get(class.default);
        let has_default =
            default.is_some_and(|it| it.kind == ObjectKind::Default && it.class == *id);
        if kind_of(class.object) != Some(&ObjectKind::Class(*id)) || !has_default {
            return Err(format!("class {} has not its objects", class.path));
        }
    }
    for (path, handle) in &saved.assets {
        if kind_of(*handle) != Some(&ObjectKind::Asset(path.clone())) {
            return Err(format!("asset {path} has not its object"));
        }
    }
    if !saved.dying.is_empty() {
        return Err("an object is being destroyed while nothing runs".to_owned());
    }
    for handle in &saved.destroyed {
        let object = objects.get(*handle);
        if object.is_none_or(|it| it.kind != ObjectKind::Instance || it.life != Life::Destroyed) {
            return Err("what is listed as destroyed is not".to_owned());
        }
    }
    if !saved.timers.iter().all(|it| is_timer(it, saved.last_timer)) {
        return Err("a timer has impossible numbers".to_owned());
    }
    // Counters that go on counting.
    let counts = [saved.last_timer, saved.frame];
    if counts.iter().any(|count| *count > u64::MAX / 2)
        || saved.made.iter().any(|(_, count)| *count > u32::MAX / 2)
    {
        return Err("a count is impossible".to_owned());
    }
    Ok(())
}

fn is_timer(timer: &Timer, last: u64) -> bool {
    (1..=last).contains(&timer.handle) && timer.rate >= 0.0 && !timer.due.is_nan()
}

impl Auditor<'_> {
    /// Variables and slots of persistent frames of a class.
    fn layout(&self, class: ClassId) -> [Vec<Slot>; 2] {
        let program = &self.vm.program;
        let lineage = &program.class(class).lineage;
        let variables = lineage.iter().flat_map(|ancestor| {
            // Those that the ancestor adds: one may be hidden by a child's of the same name.
            let all = program.class(*ancestor).variables.values();
            all.filter(|variable| variable.owner == *ancestor)
        });
        let variables = variables.map(|variable| (variable.offset, variable.ty));
        let graphs = program.functions.iter().filter_map(|function| {
            let class = function.class?;
            lineage
                .contains(&class)
                .then_some((function.persistent?, function))
        });
        let frames = graphs.flat_map(|(start, function)| {
            let slots = function.params.iter().chain(&function.locals);
            slots.map(move |slot: &Param| (start + slot.offset, slot.ty))
        });
        [variables.collect(), frames.collect()]
    }

    fn object(&mut self, object: &Object, layouts: &[[Vec<Slot>; 2]]) -> Audit {
        let class = self.vm.program.class(object.class);
        let (n_words, n_frames) = match object.kind {
            ObjectKind::Instance | ObjectKind::Default => (class.words, class.frame_words),
            ObjectKind::Class(_) | ObjectKind::Asset(_) => (0, 0),
        };
        if object.words.len() != n_words as usize || object.frames.len() != n_frames as usize {
            return Err(format!(
                "{} has not the words of a {}",
                object.name,
                class.path.name()
            ));
        }
        let [variables, frames] = &layouts[object.class.0 as usize];
        for (block, slots) in [(&object.words, variables), (&object.frames, frames)] {
            if block.is_empty() {
                continue;
            }
            for (offset, ty) in slots {
                let start = *offset as usize;
                let end = start + self.vm.memory.types.words(*ty) as usize;
                let Some(words) = block.get(start..end) else {
                    return Err(format!("{} has not all its variables", object.name));
                };
                self.value(*ty, words)?;
            }
        }
        Ok(())
    }

    /// Follows the outers of an object to their end.
    fn outers(&self, handle: ObjectHandle) -> Audit {
        // A second walker of half the speed is met where they go round.
        let outer = |handle: ObjectHandle| {
            let found = self.memory.objects.get(handle);
            found.map_or(ObjectHandle::NONE, |object| object.outer)
        };
        let (mut slow, mut fast) = (handle, handle);
        loop {
            fast = outer(outer(fast));
            slow = outer(slow);
            if fast.is_none() {
                return Ok(());
            }
            if fast == slow {
                return Err("an object is its own outer".to_owned());
            }
        }
    }

    fn value(&mut self, ty: TypeId, words: &[u64]) -> Audit {
        let vm = self.vm;
        let memory = self.memory;
        let types = &vm.memory.types;
        let Some(&word) = words.first() else {
            return Ok(());
        };
        match types.kind(ty) {
            Kind::Nothing
            | Kind::Wildcard
            | Kind::Bool
            | Kind::Byte(_)
            | Kind::Int(_)
            | Kind::UInt(_)
            | Kind::Float
            | Kind::Double
            | Kind::Name
            | Kind::Object
            | Kind::Class
            | Kind::Delegate => Ok(()),
            Kind::Str | Kind::Path => count(&memory.strings, &mut self.strings, word).map(|_| ()),
            Kind::Text => count(&memory.texts, &mut self.texts, word).map(|_| ()),
            Kind::Multicast => {
                let found = count(&memory.multicasts, &mut self.multicasts, word)?;
                sole(found.map(|(_, owners)| owners))
            }
            Kind::Struct(id) => {
                for field in &types.structure(*id).fields {
                    let start = field.offset as usize;
                    let end = start + types.words(field.ty) as usize;
                    let words = words.get(start..end).ok_or("a struct lacks words")?;
                    self.value(field.ty, words)?;
                }
                Ok(())
            }
            Kind::Repeated(element, _) => self.values(*element, words),
            Kind::Array(element) => {
                let Some((array, owners)) = count(&memory.arrays, &mut self.arrays, word)? else {
                    return Ok(());
                };
                sole(Some(owners))?;
                let stride = types.words(*element);
                if !self.is_same(array.element, *element)
                    || array.stride != stride
                    || !array.data.len().is_multiple_of(stride as usize)
                {
                    return Err("an array has odd words".to_owned());
                }
                self.values(*element, &array.data)
            }
            Kind::Set(_) | Kind::Map(..) => {
                let Some((table, owners)) = count(&memory.tables, &mut self.tables, word)? else {
                    return Ok(());
                };
                sole(Some(owners))?;
                let (key, value) = types.table_parts(ty).ok_or("a set or map has no type")?;
                let is_same = self.is_same(table.key, key)
                    && match (table.value, value) {
                        (Some(a), Some(b)) => self.is_same(a, b),
                        (a, b) => a == b,
                    };
                if !is_same
                    || table.key_words != types.words(key)
                    || table.value_words != value.map_or(0, |ty| types.words(ty))
                {
                    return Err("a set or map has odd words".to_owned());
                }
                for (key_words, value_words) in table.blocks() {
                    self.value(key, key_words)?;
                    if let Some(value) = value {
                        self.value(value, value_words)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn values(&mut self, element: TypeId, words: &[u64]) -> Audit {
        let types = &self.vm.memory.types;
        if types.info(element).owned.is_empty() {
            return Ok(());
        }
        let stride = types.words(element) as usize;
        let mut elements = words.chunks_exact(stride);
        elements.try_for_each(|words| self.value(element, words))
    }

    /// Whether two types lay out values alike: there may be several of arrays of objects of different classes.
    fn is_same(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.vm.memory.types;
        a == b
            || match (types.kind(a), types.kind(b)) {
                (Kind::Array(a), Kind::Array(b)) | (Kind::Set(a), Kind::Set(b)) => {
                    self.is_same(*a, *b)
                }
                (Kind::Map(a, x), Kind::Map(b, y)) => self.is_same(*a, *b) && self.is_same(*x, *y),
                (a, b) => a == b,
            }
    }
}

/// Counts an owner of a word; gives the value and how many owners it has now. None for the empty value.
fn count<'a, T: Stored + Clone>(
    heap: &'a Heap<T>,
    owners: &mut [u32],
    word: u64,
) -> Audit<Option<(&'a T, u32)>> {
    if word == 0 {
        return Ok(None);
    }
    let (Some(cell), Some(value)) = (heap.cell_of(word), heap.get(word)) else {
        return Err("a slot names nothing".to_owned());
    };
    owners[cell] += 1;
    Ok(Some((value, owners[cell])))
}

/// Of what only one slot may own.
fn sole(owners: Option<u32>) -> Audit {
    if owners.is_some_and(|owners| owners > 1) {
        return Err("two slots own one container".to_owned());
    }
    Ok(())
}
