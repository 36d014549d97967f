//! The machine that runs register code. All `unsafe` code of the crate is in this module.
//!
//! What makes it sound: code comes from [`super::lower`], which reads verified scripts only and gives every
//! operand inside the block its base names (locals and temporaries by the sizes it puts into
//! [`FastCode`], variables by the class the function belongs to, which every object it runs on has or
//! derives from); a frame is entered only when the stack has room for all of it; the code of a function lives
//! as long as the world. Pointers into the stack are good until it moves, which only happens in what this
//! module calls; whoever calls something like that gets its registers back from the context afterwards
//! ([`Context::refresh`]). The words of an object stay where they are as long as anything runs: objects are
//! taken out of memory between calls, and neither of an object's two blocks ever changes its size.
//!
//! An instruction that cannot do its work (a division by zero, an object that is gone, an index out of
//! bounds) has done nothing yet and hands its whole statement to the reference interpreter, so that what is
//! reported, and in what order, is written down once. The same happens to every statement that the lowering
//! does not know, and a function whose guard steps in is finished there.

#![expect(
    unused_unsafe,
    clippy::semicolon_if_nothing_returned,
    reason = "the macros that go on return, and are used inside and outside of unsafe blocks"
)]
#![expect(
    clippy::inline_always,
    reason = "what a handler does must be in the handler: a call in it spills every register"
)]
#![expect(
    clippy::cast_ptr_alignment,
    reason = "bases are starts of words, and operands whole words from them"
)]
#![expect(
    clippy::float_cmp,
    reason = "the instructions compare exactly, as the functions they stand for do"
)]

mod arrays;
mod calls;
mod context;
mod control;
mod flat;
mod natives;
mod numbers;
mod select;

use super::code::{FastCode, Ins, Stub};
use crate::error::{LimitKind, Run, RunError};
use crate::exec::OutParms;
use crate::ids::{ClassId, ObjectHandle};
use crate::memory::{self, Mark, Place};
use crate::objects::Life;
use crate::vm::{CallRecord, Vm};
use crate::world::{Argument, Event};

pub(crate) use arrays::{
    array_add, array_get, array_get_word, array_len, array_set, array_set_word, object_cast,
    object_check, object_exists, object_get, object_live, object_set, persistent_set,
};
use context::AHEAD;

pub(crate) use calls::call;
pub(crate) use control::{check, computed_jump, jump, leave, pay, ret, ret_owned, slow};
pub(crate) use flat::{
    FlatOp, copy_vector, copy_words, flat_handler, load_out, own_object, skip, skip_unless_equal,
    store_out, store_out_word, zero_words,
};
pub(crate) use natives::{copy_owned, mark, native};
pub(crate) use select::{
    Arithmetic, Compare, SecondKind, arithmetic, branch, branch_both, comparison, copy, literal,
};

/// What an instruction runs: the instruction, the start of the locals, of the temporaries and of the object's
/// variables, the context, and the statements that are left to pay with.
pub(crate) type Handler = unsafe fn(*const Ins, *mut u8, *mut u8, *mut u8, *mut Context, i64);

/// Goes on with an instruction. Direct threading: the next handler is called in tail position, which the
/// compiler turns into a jump where it optimises; elsewhere, and where not all six arguments fit registers,
/// handlers return to a loop (see `build.rs`).
macro_rules! go {
    ($pc:expr, $lp:expr, $tp:expr, $me:expr, $cx:expr, $fuel:expr) => {{
        let pc: *const Ins = $pc;
        #[cfg(bp_vm_threaded)]
        {
            return unsafe { ((*pc).handler)(pc, $lp, $tp, $me, $cx, $fuel) };
        }
        #[cfg(not(bp_vm_threaded))]
        {
            let context = unsafe { &mut *$cx };
            context.pc = pc;
            context.lp = $lp;
            context.tp = $tp;
            context.me = $me;
            context.fuel = $fuel;
            return;
        }
    }};
}
pub(super) use go;

/// Goes on from the context's registers, or ends the run.
macro_rules! resume {
    ($cx:expr) => {{
        let context = unsafe { &mut *$cx };
        if context.is_over {
            return;
        }
        let (pc, lp, tp, me, fuel) = (context.pc, context.lp, context.tp, context.me, context.fuel);
        go!(pc, lp, tp, me, $cx, fuel)
    }};
}
pub(super) use resume;

/// The registers, for what has to know them.
macro_rules! keep {
    ($pc:expr, $lp:expr, $tp:expr, $me:expr, $cx:expr, $fuel:expr) => {{
        let context = unsafe { &mut *$cx };
        context.pc = $pc;
        context.lp = $lp;
        context.tp = $tp;
        context.me = $me;
        context.fuel = $fuel;
        context
    }};
}
pub(super) use keep;

/// Whether handlers call each other; else a loop calls them.
pub const IS_THREADED: bool = cfg!(bp_vm_threaded);

/// A function that called another one. All of a run are on one object: calls on others are the reference
/// interpreter's to make.
#[derive(Debug)]
struct Saved {
    /// The instruction behind the call.
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    code: *const FastCode,
    /// Expressions that the call is in.
    depth: u32,
    /// Blocks of the stack before the callee's frame.
    blocks: u32,
}

/// One run of the machine: from a call that the reference interpreter or a native function makes until that
/// call ends.
pub(crate) struct Context {
    vm: *mut Vm,
    code: *const FastCode,
    frames: Vec<Saved>,
    object: ObjectHandle,
    class: ClassId,
    /// Jumps until the guard has something to do, and the number of the jump that is.
    jumps: u32,
    jumps_end: u64,
    /// Statements that ran and `fuel`, together; constant while statements are paid for.
    base: u64,
    stack: *mut u64,
    stack_words: usize,
    /// Frames end below, or ask first.
    room_end: *mut u8,
    /// Outputs of the function that the run began with.
    outs: OutParms,
    pc: *const Ins,
    lp: *mut u8,
    tp: *mut u8,
    me: *mut u8,
    fuel: i64,
    is_over: bool,
    /// What ended the run early.
    failure: Option<Box<RunError>>,
}

impl Context {
    /// A run that begins with `code` on an object: its temporaries start at `tp`, the object's variables at
    /// `me`. Where the locals start and frames have to end is to be said.
    fn new(
        vm: &mut Vm,
        code: *const FastCode,
        (object, class): (ObjectHandle, ClassId),
        (tp, me): (*mut u8, *mut u8),
    ) -> Self {
        let stack = vm.memory.stack.base();
        Self {
            code,
            frames: std::mem::take(&mut vm.fast.frames.frames),
            object,
            class,
            jumps: 0,
            jumps_end: 0,
            base: 0,
            stack,
            stack_words: vm.memory.stack.capacity(),
            room_end: stack.cast(),
            outs: OutParms::new(),
            // SAFETY: codes live as long as the world.
            pc: unsafe { &*code }.ins.as_ptr(),
            lp: std::ptr::null_mut(),
            tp,
            me,
            fuel: 0,
            is_over: false,
            failure: None,
            vm,
        }
    }
}

/// Runs a function whose frame is made and whose arguments are in it. None if that must be left to the
/// reference interpreter; nothing has happened then.
pub(crate) fn run(
    vm: &mut Vm,
    code: *const FastCode,
    object: ObjectHandle,
    locals: Place,
    outs: &OutParms,
) -> Option<Result<(), Box<RunError>>> {
    // SAFETY: codes live as long as the world.
    let fast = unsafe { &*code };
    if u64::from(vm.guard.nesting) + u64::from(fast.depth) > u64::from(vm.limits.nesting) {
        return None;
    }
    // Somebody has used up memory and not told: the first statement ends with that.
    if vm.memory.budget.is_exceeded() || vm.guard.hit.is_some() {
        return None;
    }
    // Work from before the call is counted here, and by the reference interpreter behind the first statement:
    // where it uses up the fuel that is a difference.
    let pending = vm.memory.budget.pending_work();
    if vm.guard.statements.saturating_add(pending) >= vm.limits.fuel {
        return None;
    }
    let class = vm.class_of(object)?;
    if outs
        .iter()
        .any(|out| matches!(out.target.place.base, memory::Base::Array(_)))
    {
        return None;
    }
    let mark = vm.memory.mark();
    let tp = mark.words;
    vm.memory.stack.reserve(fast.room_words as usize);
    let stack = vm.memory.stack.base();
    let own = vm.memory.objects.get_mut(object)?;
    if own.words.len() < fast.object_words as usize {
        return None;
    }
    let me = own.words.as_mut_ptr().cast::<u8>();
    // SAFETY: room for the temporaries was reserved above the top.
    let tp = unsafe { stack.add(tp) }.cast::<u8>();
    let mut cx = Context::new(vm, code, (object, class), (tp, me));
    cx.outs.clone_from(outs);
    // SAFETY: `vm` is not used but through the context until it is done with.
    unsafe {
        let Some(lp) = cx.pointer(locals, fast.local_words) else {
            vm.fast.frames.frames = cx.frames;
            return None;
        };
        cx.lp = lp;
        if !cx.bind_outs() {
            vm.fast.frames.frames = cx.frames;
            return None;
        }
        cx.count_room();
        let work = cx.vm().memory.budget.take_work();
        cx.vm().guard.statements += work;
        cx.load_guard();
        cx.fuel -= i64::from(fast.statements[0].to_pay);
        if cx.fuel < 0 {
            cx.fuel += i64::from(fast.statements[0].to_pay);
            cx.leave_to_reference(&fast.statements[0]);
        }
        dispatch(&mut cx);
        cx.finish();
    }
    cx.frames.clear();
    vm.fast.frames.frames = std::mem::take(&mut cx.frames);
    if cx.failure.is_none() {
        vm.memory.stack.truncate(mark.words);
    }
    // After a failure, whoever takes the stack down gives up what its frames own.
    Some(cx.failure.map_or(Ok(()), Err))
}

/// Runs a function that a host calls from outside, without what calls between functions need. None if it has to
/// be called in the longer way; nothing has happened then.
pub(crate) fn send(
    vm: &mut Vm,
    code: *const FastCode,
    object: ObjectHandle,
    event: &Event,
    arguments: &[Argument],
) -> Option<Result<(), Box<RunError>>> {
    // SAFETY: codes live as long as the world.
    let fast = unsafe { &*code };
    if fast.is_special || !fast.outs.is_empty() || fast.depth > vm.limits.nesting {
        return None;
    }
    if vm.limits.recursion == 0 || arguments.len() != event.params.len() {
        return None;
    }
    if let Some(stub) = &fast.stub
        && let Some(done) = send_to_graph(vm, fast, stub, object, event, arguments)
    {
        return Some(done);
    }
    let own = vm.memory.objects.get_mut(object)?;
    if own.life != Life::Alive
        || own.class != event.class
        || own.words.len() < fast.object_words as usize
        || !fast.may_be_sent
    {
        return None;
    }
    let me = own.words.as_mut_ptr().cast::<u8>();
    let words = fast.local_words as usize;
    let base = vm.memory.stack.push_zeroed(words);
    for (argument, (offset, ty)) in arguments.iter().zip(&event.params) {
        let Some(word) = argument.word(vm.memory.types.kind(*ty)) else {
            vm.memory.stack.truncate(base);
            return None;
        };
        vm.memory.stack[base + *offset as usize] = word;
    }
    if !vm.memory.budget.ask_room((base + words) as u64 * 8) {
        vm.memory.budget.excuse();
        vm.memory.stack.truncate(base);
        return None;
    }
    vm.memory.stack.reserve(fast.room_words as usize);
    vm.guard.reset();
    vm.hooks.calls += 1;
    vm.calls.push(CallRecord {
        function: fast.function.id,
        object,
        statement: 0,
    });
    let stack = vm.memory.stack.base();
    // SAFETY: the frame and room for the temporaries are on the stack.
    let (lp, tp) = unsafe { (stack.add(base), stack.add(base + words)) };
    let mut cx = Context::new(vm, code, (object, event.class), (tp.cast(), me));
    cx.lp = lp.cast();
    // SAFETY: `vm` is not used but through the context until it is done with.
    unsafe {
        cx.count_room();
        cx.load_guard();
        cx.fuel -= i64::from(fast.entry_cost);
        if cx.fuel < 0 {
            cx.fuel += i64::from(fast.entry_cost);
            cx.leave_to_reference(&fast.statements[0]);
        }
        dispatch(&mut cx);
        cx.finish();
    }
    cx.frames.clear();
    vm.fast.frames.frames = std::mem::take(&mut cx.frames);
    vm.guard.aborting = false;
    vm.guard.aborts = 0;
    vm.calls.clear();
    if vm.memory.blocks.is_empty() {
        vm.memory.stack.truncate(base);
    } else {
        vm.release(Mark {
            words: base,
            blocks: 0,
        });
    }
    Some(cx.failure.map_or(Ok(()), Err))
}

/// Fuel that is taken for more than an event uses up.
const PLENTY: u64 = 1 << 20;

/// The same for a stub: the arguments go where it would put them, and the event graph runs. What the stub's
/// statements count is counted.
fn send_to_graph(
    vm: &mut Vm,
    fast: &FastCode,
    stub: &Stub,
    object: ObjectHandle,
    event: &Event,
    arguments: &[Argument],
) -> Option<Result<(), Box<RunError>>> {
    let site = &fast.calls[0];
    // Found when the stub was run the first time.
    if site.class.get() != Some(event.class) || !fast.may_be_sent {
        return None;
    }
    let callee = site.code.get();
    // SAFETY: codes live as long as the world.
    let code = unsafe { &*callee };
    let offset = code.function.persistent? as usize;
    // Whatever might end it early takes the longer way.
    if vm.limits.fuel < PLENTY
        || vm.limits.recursion < 2
        || site.depth + code.depth > vm.limits.nesting
        || !vm.memory.stack.is_empty()
    {
        return None;
    }
    let room = code.room_words as usize + AHEAD;
    vm.memory.stack.reserve(room);
    if !vm.memory.budget.would_fit(room as u64 * 8) {
        return None;
    }
    if arguments.len() != event.params.len() {
        return None;
    }
    let types = &vm.memory.types;
    let word = |number: usize| arguments[number].word(types.kind(event.params[number].1));
    // Nothing is written before all fit.
    if (0..arguments.len()).any(|number| word(number).is_none()) {
        return None;
    }
    let own = vm.memory.objects.get_mut(object)?;
    let end = offset + code.local_words as usize;
    if own.life != Life::Alive
        || own.class != event.class
        || own.words.len() < code.object_words as usize
        || own.frames.len() < end
    {
        return None;
    }
    for (from, to) in &stub.copies {
        let number = event.params.iter().position(|(offset, _)| offset == from)?;
        *own.frames.get_mut(*to as usize)? = word(number)?;
    }
    own.frames[offset] = stub.entry;
    let me = own.words.as_mut_ptr().cast::<u8>();
    // SAFETY: inside the frames, see above.
    let lp = unsafe { own.frames.as_mut_ptr().add(offset) }.cast::<u8>();
    vm.guard.reset();
    vm.guard.nesting = site.depth;
    vm.hooks.calls += 1;
    vm.calls.push(CallRecord {
        function: fast.function.id,
        object,
        statement: stub.statement as usize,
    });
    vm.calls.push(CallRecord {
        function: code.function.id,
        object,
        statement: 0,
    });
    let stack = vm.memory.stack.base();
    let mut cx = Context::new(vm, callee, (object, event.class), (stack.cast(), me));
    cx.lp = lp;
    // SAFETY: the stack has room for so many words.
    cx.room_end = unsafe { stack.add(room) }.cast();
    // SAFETY: `vm` is not used but through the context until it is done with.
    unsafe {
        cx.load_guard();
        // The stub's return comes at the end.
        cx.fuel -= i64::from(stub.count - 1) + i64::from(code.entry_cost);
        dispatch(&mut cx);
        cx.finish();
    }
    if cx.failure.is_none() {
        if vm.guard.statements >= vm.limits.fuel {
            vm.calls.truncate(1);
            let limit: Run = vm.limit(LimitKind::Fuel(vm.limits.fuel));
            cx.failure = limit.err().map(Box::new);
        }
        vm.guard.statements += 1;
    }
    cx.frames.clear();
    vm.fast.frames.frames = std::mem::take(&mut cx.frames);
    vm.guard.aborting = false;
    vm.guard.aborts = 0;
    vm.calls.clear();
    if vm.memory.blocks.is_empty() {
        vm.memory.stack.truncate(0);
    } else {
        vm.release(Mark {
            words: 0,
            blocks: 0,
        });
    }
    Some(cx.failure.map_or(Ok(()), Err))
}

/// Frames that were used before, kept so that a run allocates nothing.
#[derive(Default)]
pub(crate) struct Reserve {
    frames: Vec<Saved>,
}

impl std::fmt::Debug for Reserve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reserve")
    }
}

/// Runs from the context's registers until the run is over.
unsafe fn dispatch(cx: &mut Context) {
    // SAFETY: the registers are those of an entered frame.
    unsafe {
        #[cfg(bp_vm_threaded)]
        if !cx.is_over {
            ((*cx.pc).handler)(cx.pc, cx.lp, cx.tp, cx.me, cx, cx.fuel);
        }
        #[cfg(not(bp_vm_threaded))]
        while !cx.is_over {
            ((*cx.pc).handler)(cx.pc, cx.lp, cx.tp, cx.me, cx, cx.fuel);
        }
    }
}

// ---- words

/// The word of a packed operand.
#[inline(always)]
pub(super) unsafe fn word(packed: u32, lp: *mut u8, tp: *mut u8, me: *mut u8) -> *mut u64 {
    let base = match packed >> 30 {
        0 => lp,
        1 => tp,
        _ => me,
    };
    // SAFETY: lowering puts operands inside their base.
    unsafe { base.add((packed & (u32::MAX >> 2)) as usize).cast() }
}
