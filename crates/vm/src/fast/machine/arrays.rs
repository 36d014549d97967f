//! Instructions that reach into arrays and other objects. An index out of bounds and an object that is gone
//! are the reference interpreter's to report.

use std::ops::Range;

use super::super::code::Ins;
use super::{Context, go, keep, resume, slow, word};
use crate::ids::{ClassId, ObjectHandle};
use crate::objects::Life;
use crate::vm::Vm;

/// `a` = number of elements of the array whose word is `b`; `c` is added.
pub(crate) unsafe fn array_len(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: lowering puts operands inside their bases.
    unsafe {
        let ins = &*pc;
        let arrays = &(*(*cx).vm).memory.arrays;
        let len = arrays
            .get(*word(ins.b, lp, tp, me))
            .map_or(0, crate::memory::ArrayCell::len);
        let value = (len as i32).wrapping_add(ins.c as i32);
        *word(ins.a, lp, tp, me) = i64::from(value) as u64;
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// `a` = words of element `c` of the array whose word is `b`, said by `d`: the element's words, those before
/// the wanted ones, and their number.
pub(crate) unsafe fn array_get(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above; the element lies inside the array's words.
    unsafe {
        let ins = &*pc;
        let arrays = &(*(*cx).vm).memory.arrays;
        let index = *word(ins.c, lp, tp, me) as i32;
        let found = arrays
            .get(*word(ins.b, lp, tp, me))
            .and_then(|array| array.data.get(part(index, ins.d)?));
        let Some(element) = found else {
            return slow(pc, lp, tp, me, cx, fuel);
        };
        let to = word(ins.a, lp, tp, me);
        for (number, value) in element.iter().enumerate() {
            *to.add(number) = *value;
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// The same words = `a`.
pub(crate) unsafe fn array_set(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let arrays = &mut (*(*cx).vm).memory.arrays;
        let index = *word(ins.c, lp, tp, me) as i32;
        let array = arrays.get_same_size(*word(ins.b, lp, tp, me));
        let found = array.and_then(|array| array.data.get_mut(part(index, ins.d)?));
        let Some(element) = found else {
            return slow(pc, lp, tp, me, cx, fuel);
        };
        let from = word(ins.a, lp, tp, me);
        for (number, value) in element.iter_mut().enumerate() {
            *value = *from.add(number);
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// The words that `d` says of an element.
#[inline(always)]
fn part(index: i32, d: u32) -> Option<Range<usize>> {
    let (stride, offset, words) = (d & 0xFFF, (d >> 12) & 0xFFF, d >> 24);
    let start = usize::try_from(index).ok()? * stride as usize + offset as usize;
    Some(start..start + words as usize)
}

/// `a` = element `c` of the array whose word is `b`, for elements of one word.
pub(crate) unsafe fn array_get_word(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let arrays = &(*(*cx).vm).memory.arrays;
        let index = *word(ins.c, lp, tp, me) as i32;
        let array = arrays.get(*word(ins.b, lp, tp, me));
        let Some(element) = array.and_then(|array| array.data.get(index as u32 as usize)) else {
            return slow(pc, lp, tp, me, cx, fuel);
        };
        *word(ins.a, lp, tp, me) = *element;
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// The same element = `a`.
pub(crate) unsafe fn array_set_word(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let arrays = &mut (*(*cx).vm).memory.arrays;
        let index = *word(ins.c, lp, tp, me) as i32;
        let array = arrays.get_same_size(*word(ins.b, lp, tp, me));
        let Some(element) = array.and_then(|array| array.data.get_mut(index as u32 as usize))
        else {
            return slow(pc, lp, tp, me, cx, fuel);
        };
        *element = *word(ins.a, lp, tp, me);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Appends to an array, and gives the element's index; none if there is no array yet.
#[inline(always)]
fn append(vm: &mut Vm, array: u64, element: &[u64]) -> Option<i32> {
    let array = vm.memory.arrays.get_same_size(array)?;
    let index = array.len() as i32;
    match element {
        [word] => array.data.push(*word),
        words => array.data.extend_from_slice(words),
    }
    // What the array counts grew by that much.
    vm.memory.budget.charge(element.len() as u64 * 8);
    Some(index)
}

/// Appends the `d` words at `c` to the array whose word is `b`; its index goes to `a`.
pub(crate) unsafe fn array_add(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let vm = &mut *(*cx).vm;
        let array = *word(ins.b, lp, tp, me);
        let element = std::slice::from_raw_parts(word(ins.c, lp, tp, me), ins.d as usize);
        let Some(index) = append(vm, array, element) else {
            return slow(pc, lp, tp, me, cx, fuel);
        };
        *word(ins.a, lp, tp, me) = i64::from(index) as u64;
        if vm.memory.budget.is_exceeded() {
            return exceeded(pc, lp, tp, me, cx, fuel);
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// The memory of the world is used up.
#[cold]
unsafe fn exceeded(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    keep!(pc, lp, tp, me, cx, fuel).tell_memory();
    resume!(cx)
}

/// `a` = `d` words at word `c` of the variables of the object whose word is `b`.
pub(crate) unsafe fn object_get(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above; the variable's words are looked for in the object's.
    unsafe {
        let ins = &*pc;
        let objects = &(*(*cx).vm).memory.objects;
        let object = objects.get(ObjectHandle(*word(ins.b, lp, tp, me)));
        let found = object
            .filter(|object| object.life == Life::Alive)
            .and_then(|object| object.words.get(ins.c as usize..(ins.c + ins.d) as usize));
        let Some(variable) = found else {
            return slow(pc, lp, tp, me, cx, fuel);
        };
        let to = word(ins.a, lp, tp, me);
        for (number, value) in variable.iter().enumerate() {
            *to.add(number) = *value;
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// `d` words at word `c` of the variables of the object whose word is `b` = `a`.
pub(crate) unsafe fn object_set(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let objects = &mut (*(*cx).vm).memory.objects;
        let object = objects.get_mut(ObjectHandle(*word(ins.b, lp, tp, me)));
        let found = object
            .filter(|object| object.life == Life::Alive)
            .and_then(|object| {
                let end = (ins.c + ins.d) as usize;
                object.words.get_mut(ins.c as usize..end)
            });
        let Some(variable) = found else {
            return slow(pc, lp, tp, me, cx, fuel);
        };
        let from = word(ins.a, lp, tp, me);
        for (number, value) in variable.iter_mut().enumerate() {
            *value = *from.add(number);
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Goes on if the object whose word is `b` is there.
pub(crate) unsafe fn object_check(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let objects = &(*(*cx).vm).memory.objects;
        if !objects.is_alive(ObjectHandle(*word((*pc).b, lp, tp, me))) {
            return slow(pc, lp, tp, me, cx, fuel);
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// `a` = the object `b` if it is of class `c`, else none.
pub(crate) unsafe fn object_cast(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let vm = &*(*cx).vm;
        let value = *word(ins.b, lp, tp, me);
        let fits = vm.is_a(ObjectHandle(value), ClassId(ins.c));
        *word(ins.a, lp, tp, me) = if fits { value } else { 0 };
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// `a` = whether the object `b` is in memory.
pub(crate) unsafe fn object_exists(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let objects = &(*(*cx).vm).memory.objects;
        let exists = objects
            .get(ObjectHandle(*word(ins.b, lp, tp, me)))
            .is_some();
        *word(ins.a, lp, tp, me) = u64::from(exists);
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// Brings the object's word at `a` to null if the object was collected, as native functions see it.
pub(crate) unsafe fn object_live(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above.
    unsafe {
        let ins = &*pc;
        let live = (*(*cx).vm).memory.live(*word(ins.b, lp, tp, me));
        *word(ins.a, lp, tp, me) = live;
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}

/// `d` words at word `c` of the persistent frames of the object = `a`; of an object without them, nothing.
pub(crate) unsafe fn persistent_set(
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    cx: *mut Context,
    fuel: i64,
) {
    // SAFETY: as above; the variable's words are looked for in the object's.
    unsafe {
        let ins = &*pc;
        let own = (*cx).object;
        let object = (*(*cx).vm).memory.objects.get_mut(own);
        let end = (ins.c + ins.d) as usize;
        let found = object.and_then(|object| object.frames.get_mut(ins.c as usize..end));
        if let Some(variable) = found {
            let from = word(ins.a, lp, tp, me);
            for (number, value) in variable.iter_mut().enumerate() {
                *value = *from.add(number);
            }
        }
        go!(pc.add(1), lp, tp, me, cx, fuel)
    }
}
