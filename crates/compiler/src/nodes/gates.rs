//! Gates and loops that nodes of their own class make. No real package at hand has one, so which nodes
//! they become, and in which order, is assumed; what they do is what the editor's help says.

use bp_graph::{Direction, PinCategory, PinType};

use super::made;
use crate::expand::Expander;
use crate::expanded::{ExNodeId, ExPinId, Op};

const HELPERS: &str = "/Script/Engine.KismetNodeHelperLibrary";
const MATH: &str = "/Script/Engine.KismetMathLibrary";

/// `K2Node_DoOnceMultiInput`: whichever input comes first passes to its output; then all are closed until
/// the reset.
pub(super) fn do_once(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let bool_ty = PinType::of(PinCategory::Bool);
    let (_, closed) = x.spawn_temporary(id, &bool_ty);
    for input in x.graph.pins_of(id) {
        let pin = &x.graph.pins[input];
        if !pin.is_exec() || pin.direction == Direction::Output || pin.links.is_empty() {
            continue;
        }
        let name = pin.name.to_string();
        let Some(stem) = name.strip_suffix(" In") else {
            continue;
        };
        let output = x.graph.out_pin(id, &format!("{stem} Out"));
        let is_reset = stem == "Reset";
        let first = if is_reset {
            input
        } else {
            let (branch, _, otherwise) = branch(x, id, closed);
            let execute = x.graph.execute(branch).expect("a branch has one");
            x.graph.move_links(input, execute);
            otherwise
        };
        let tail = set_bool(x, id, first, closed, !is_reset);
        if let Some(output) = output {
            x.graph.move_links(output, tail);
        }
    }
    x.graph.dissolve(id);
}

/// `K2Node_MultiGate`: each pass goes on at an output that was not taken yet, until all are; then nothing
/// passes, or with Loop all are free again. Reset frees them too.
///
/// Two temporaries hold the state, so in the event graph it stays with the object between events: a mask
/// with a bit set for each output that was taken, and whether anything has passed yet. In a function it
/// lasts for one call.
///
/// Assumed: which statements these become. That the helper functions are called is known from a cooked
/// script of engine 4.25; the order of the statements is our own. Assumed too: the first pass takes
/// `StartIndex` if it is not negative, and does so only once, whatever Reset does later; every other
/// search begins at `StartIndex`, at 0 if that is negative, and wraps around; outputs without a link count
/// and are taken in their turn.
pub(super) fn multi_gate(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let outputs = made::exec_outputs(x, id);
    let n_outputs = outputs.len().to_string();
    let int = PinType::of(PinCategory::Int);
    let (_, taken) = x.spawn_temporary(id, &int);
    let (_, has_run) = x.spawn_temporary(id, &PinType::of(PinCategory::Bool));
    let (_, index) = x.spawn_temporary(id, &int);
    let (Some(starts_at), Some(has_free), Some(free_all), Some(find), Some(mark)) = (
        made::call(x, id, MATH, "Greater_IntInt"),
        made::call(x, id, HELPERS, "HasUnmarkedBit"),
        made::call(x, id, HELPERS, "ClearAllBits"),
        made::call(x, id, HELPERS, "GetUnmarkedBit"),
        made::call(x, id, HELPERS, "MarkBit"),
    ) else {
        return;
    };
    let start = x.graph.in_pin(id, "StartIndex");
    made::feed_copy(x, start, starts_at, "A");
    made::feed_copy(x, start, find, "StartIdx");
    set_default(x, starts_at, "B", "-1");
    for call in [has_free, find] {
        link_in(x, taken, call, "Data");
        set_default(x, call, "NumBits", &n_outputs);
    }
    let is_random = x.graph.in_pin(id, "IsRandom");
    made::feed(x, is_random, find, "bRandom");
    write_to(x, free_all, "Data", taken);
    write_to(x, mark, "Data", taken);
    link_in(x, index, mark, "Index");
    let (Some(is_start), Some(is_free), Some(found)) = (
        x.graph.out_pin(starts_at, "ReturnValue"),
        x.graph.out_pin(has_free, "ReturnValue"),
        x.graph.out_pin(find, "ReturnValue"),
    ) else {
        return;
    };

    let (was_run, later, first) = branch(x, id, has_run);
    if let (Some(from), Some(to)) = (x.graph.execute(id), x.graph.execute(was_run)) {
        x.graph.move_links(from, to);
    }
    let begun = set_bool(x, id, first, has_run, true);
    let (from_start, at_start, anywhere) = branch(x, id, is_start);
    made::put_in(x, begun, from_start);
    let (assign, target, value) = x.spawn_assign(id, &int, false);
    x.graph.link(index, target);
    if let Some(start) = start {
        x.graph.copy_links(start, value);
        x.graph.pins[value].default = x.graph.pins[start].default.clone();
    }
    let chosen = made::put_behind(x, at_start, assign);
    made::put_in(x, chosen, mark);
    made::put_in(x, anywhere, find);

    let counted = made::put_behind(x, later, has_free);
    let (is_any_free, free, none) = branch(x, id, is_free);
    made::put_in(x, counted, is_any_free);
    made::put_in(x, free, find);
    let (loops, condition, again, _) = open_branch(x, id);
    if let Some(drawn) = x.graph.in_pin(id, "Loop") {
        x.graph.move_input(drawn, condition);
    }
    made::put_in(x, none, loops);
    let freed = made::put_behind(x, again, free_all);
    made::put_in(x, freed, find);
    let tail = x.graph.then(find).expect("finding an output is impure");
    let chosen = made::assign_behind(x, id, tail, index, found);
    made::put_in(x, chosen, mark);
    let marked = x.graph.then(mark).expect("marking is impure");
    switch(x, id, marked, index, &outputs);

    let reset = x.graph.in_pin(id, "Reset");
    if let Some(reset) = reset.filter(|reset| made::is_linked(x, *reset))
        && let Some(free_all) = made::call(x, id, HELPERS, "ClearAllBits")
    {
        write_to(x, free_all, "Data", taken);
        let execute = x.graph.execute(free_all).expect("clearing is impure");
        x.graph.move_links(reset, execute);
    }
    x.graph.dissolve(id);
}

/// Goes on at one of the drawn `outputs` by a number that counts them from 0.
fn switch(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    tail: ExPinId,
    number: ExPinId,
    outputs: &[ExPinId],
) {
    let Some(compare) = x.cx.native("KismetMathLibrary", "NotEqual_IntInt") else {
        return;
    };
    let op = Op::Switch {
        compare,
        enumeration: None,
    };
    let switch = x.graph.spawn(id, "K2Node_SwitchInteger", op);
    x.graph.output(switch, "Default", PinType::exec());
    x.graph.input(switch, "execute", PinType::exec());
    let selection = x
        .graph
        .input(switch, "Selection", PinType::of(PinCategory::Int));
    x.graph.link(number, selection);
    for (number, output) in outputs.iter().enumerate() {
        let case = x.graph.output(switch, &number.to_string(), PinType::exec());
        x.graph.move_links(*output, case);
    }
    made::put_in(x, tail, switch);
}

/// Has a call write an output into a variable of ours, which it also reads: the pin becomes an input.
fn write_to(x: &mut Expander<'_, '_>, call: ExNodeId, param: &str, variable: ExPinId) {
    if let Some(pin) = x.graph.out_pin(call, param) {
        x.graph.pins[pin].direction = Direction::Input;
        x.graph.link(variable, pin);
    }
}

fn link_in(x: &mut Expander<'_, '_>, value: ExPinId, call: ExNodeId, param: &str) {
    if let Some(pin) = x.graph.in_pin(call, param) {
        x.graph.link(value, pin);
    }
}

fn set_default(x: &mut Expander<'_, '_>, call: ExNodeId, param: &str, literal: &str) {
    if let Some(pin) = x.graph.in_pin(call, param) {
        x.graph.pins[pin].default.value = literal.into();
    }
}

/// Assigns a bool literal to a variable behind `from`; an exec input's links are taken over.
fn set_bool(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    from: ExPinId,
    variable: ExPinId,
    value: bool,
) -> ExPinId {
    let literal = if value { "true" } else { "false" };
    set_literal(x, id, from, variable, literal)
}

fn set_literal(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    from: ExPinId,
    variable: ExPinId,
    literal: &str,
) -> ExPinId {
    let ty = x.graph.pins[variable].ty.clone();
    let (assign, target, source) = x.spawn_assign(id, &ty, false);
    x.graph.link(variable, target);
    x.graph.pins[source].default.value = literal.into();
    if x.graph.pins[from].direction == Direction::Input {
        let execute = x.graph.execute(assign).expect("an assignment has one");
        x.graph.move_links(from, execute);
        return x.graph.then(assign).expect("an assignment has one");
    }
    made::put_behind(x, from, assign)
}

/// A branch on a bool; gives the node and its `then` and `else`.
fn branch(
    x: &mut Expander<'_, '_>,
    id: ExNodeId,
    condition: ExPinId,
) -> (ExNodeId, ExPinId, ExPinId) {
    let (node, input, then, otherwise) = open_branch(x, id);
    x.graph.link(condition, input);
    (node, then, otherwise)
}

/// A branch whose condition is still open; gives the node, `Condition`, `then` and `else`.
fn open_branch(x: &mut Expander<'_, '_>, id: ExNodeId) -> (ExNodeId, ExPinId, ExPinId, ExPinId) {
    let node = x.graph.spawn(id, "K2Node_IfThenElse", Op::Branch);
    x.graph.input(node, "execute", PinType::exec());
    let input = x
        .graph
        .input(node, "Condition", PinType::of(PinCategory::Bool));
    let then = x.graph.output(node, "then", PinType::exec());
    let otherwise = x.graph.output(node, "else", PinType::exec());
    (node, input, then, otherwise)
}

/// `K2Node_ForEachElementInEnum`: a counter runs over the enum's entries; the inside reads the entry of
/// the count. Hidden entries at the end are left out unless Skip Hidden is off; those in between are not
/// skipped yet.
pub(super) fn for_each_in_enum(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let enumeration = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.object("Enum"));
    let skips_hidden = x.graph.in_pin(id, "SkipHidden").is_none_or(|pin| {
        !x.graph.pins[pin]
            .default
            .value
            .eq_ignore_ascii_case("false")
    });
    let n_entries = enumeration
        .as_ref()
        .and_then(|path| x.cx.registry.enumeration(path))
        .map(|enumeration| {
            let entries = &enumeration.entries;
            let shown = entries.iter().rposition(|entry| !entry.hidden);
            if skips_hidden {
                shown.map_or(0, |last| last + 1)
            } else {
                entries.len()
            }
        });
    let (Some(path), Some(n_entries)) = (enumeration, n_entries) else {
        x.error(
            id,
            bp_diag::Code::EnumInvalid,
            "the loop's enum is not declared",
            None,
        );
        x.graph.dissolve(id);
        return;
    };
    let int = PinType::of(PinCategory::Int);
    let (_, counter) = x.spawn_temporary(id, &int);
    let (Some(less), Some(add), Some(to_byte), Some(entry)) = (
        made::call(x, id, MATH, "Less_IntInt"),
        made::call(x, id, MATH, "Add_IntInt"),
        made::call(x, id, MATH, "Conv_IntToByte"),
        made::call(x, id, HELPERS, "GetEnumeratorValueFromIndex"),
    ) else {
        return;
    };
    let result = |x: &Expander<'_, '_>, call| x.graph.out_pin(call, "ReturnValue");
    for (call, param) in [(less, "A"), (add, "A"), (to_byte, "InInt")] {
        if let Some(pin) = x.graph.in_pin(call, param) {
            x.graph.link(counter, pin);
        }
    }
    for (call, literal) in [(less, n_entries.to_string()), (add, "1".to_owned())] {
        if let Some(pin) = x.graph.in_pin(call, "B") {
            x.graph.pins[pin].default.value = literal;
        }
    }
    if let Some(pin) = x.graph.in_pin(entry, "Enum") {
        x.graph.pins[pin].default.object = Some(path);
    }
    if let (Some(byte), Some(index)) =
        (result(x, to_byte), x.graph.in_pin(entry, "EnumeratorIndex"))
    {
        x.graph.link(byte, index);
    }
    let (Some(execute), Some(is_less), Some(next)) =
        (x.graph.execute(id), result(x, less), result(x, add))
    else {
        return;
    };
    let begun = set_literal(x, id, execute, counter, "0");
    let (test, inside, done) = branch(x, id, is_less);
    made::put_in(x, begun, test);
    let sequence = x.graph.spawn(id, "K2Node_ExecutionSequence", Op::Sequence);
    x.graph.input(sequence, "execute", PinType::exec());
    let body = x.graph.output(sequence, "then_0", PinType::exec());
    let step = x.graph.output(sequence, "then_1", PinType::exec());
    made::put_in(x, inside, sequence);
    let again = made::assign_behind(x, id, step, counter, next);
    made::put_in(x, again, test);
    for (name, to) in [("LoopBody", body), ("then", done)] {
        if let Some(drawn) = x.graph.out_pin(id, name) {
            x.graph.move_links(drawn, to);
        }
    }
    let value = x.graph.data_out(id);
    made::give_result(x, entry, value);
    x.graph.dissolve(id);
}

/// `K2Node_EaseFunction`: the easing function of the operands' type.
pub(super) fn ease(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let Some(ty) = x
        .graph
        .in_pin(id, "A")
        .map(|pin| x.graph.pins[pin].ty.clone())
    else {
        x.graph.dissolve(id);
        return;
    };
    let function = match ty.object.as_ref().map(bp_reflect::ObjectPath::name) {
        Some("Vector") => "VEase",
        Some("Rotator") => "REase",
        Some("Transform") => "TEase",
        _ => "Ease",
    };
    let Some(call) = made::call(x, id, MATH, function) else {
        return;
    };
    for (from, to) in [
        ("A", "A"),
        ("B", "B"),
        ("Alpha", "Alpha"),
        ("ShortestPath", "bShortestPath"),
        ("Function", "EasingFunc"),
        ("BlendExp", "BlendExp"),
        ("Steps", "Steps"),
    ] {
        let from = x.graph.in_pin(id, from);
        made::feed(x, from, call, to);
    }
    let result = x.graph.out_pin(id, "Result");
    made::give_result(x, call, result);
    x.graph.dissolve(id);
}
