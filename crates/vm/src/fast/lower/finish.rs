//! From steps to instructions: handlers, operands, distances and what each block costs.

use std::cell::Cell;

use super::super::code::{
    Base, CallSite, FastCode, Ins, NativeObject, NativeSite, Operand, OutOperand, OutPlace,
    OwnedCopy, OwnedSource, Statement, Stub,
};
use super::super::machine::{self, Compare, Handler, SecondKind};
use super::{ARGUMENTS, Kind, Lowering, Part, RawStatement, Source, Step};
use crate::memory::frame_statements;

/// What a literal is in a branch on a comparison; none if it does not fit.
pub(super) fn branch_literal(op: Compare, word: u64) -> Option<(SecondKind, u32)> {
    let is_real = matches!(
        op,
        Compare::LessReal
            | Compare::LessEqualReal
            | Compare::GreaterReal
            | Compare::GreaterEqualReal
            | Compare::EqualReal
            | Compare::NotEqualReal
    );
    if is_real {
        let single = f64::from_bits(word) as f32;
        let same = f64::from(single).to_bits() == word;
        return same.then_some((SecondKind::LiteralReal, single.to_bits()));
    }
    let value = word as i64;
    i32::try_from(value)
        .ok()
        .map(|value| (SecondKind::Literal, value as u32))
}

/// Blocks longer than this are paid for in parts.
const LONGEST_BLOCK: u32 = 60_000;

pub(super) fn finish(lowering: Lowering<'_>, flows: Vec<Vec<u32>>) -> Option<FastCode> {
    let Lowering {
        vm: _,
        info,
        steps,
        statements: raw,
        calls,
        natives,
        copies,
        outs,
        most_temps,
        argument_words,
        object_words,
        most_depth,
        ..
    } = lowering;
    // One more, for literals that branches cannot hold.
    let spare = Operand::new(Base::Temps, most_temps);
    let temp_words = most_temps + 1;
    let room_words = temp_words + argument_words;
    if (room_words + info.words) * 8 >= ARGUMENTS {
        return None;
    }
    let place = |operand: Operand| -> Operand {
        if operand.base == Base::Temps && operand.at >= ARGUMENTS {
            return Operand {
                base: Base::Temps,
                at: temp_words * 8 + (operand.at - ARGUMENTS),
            };
        }
        operand
    };
    let stub = stub(&steps, &raw, &calls);
    let costs = costs(&raw);
    let mut out = Emission {
        ins: Vec::with_capacity(steps.len() + raw.len() / 4),
        place: &place,
        jumps: Vec::new(),
        spare,
        is_owner: info.persistent.is_none() && !info.owned.is_empty(),
    };
    let mut statements = Vec::with_capacity(raw.len());
    for (index, statement) in raw.iter().enumerate() {
        let start = statement.first as usize;
        let end = raw
            .get(index + 1)
            .map_or(steps.len(), |next| next.first as usize);
        let next_cost = costs.get(index + 1).map_or(0, |cost| cost.to_pay);
        statements.push(Statement {
            offset: statement.offset,
            ins: out.ins.len() as u32,
            count: statement.count,
            to_pay: costs[index].to_pay,
            flow: statement.flow,
        });
        out.statement(&steps[start..end], statement.kind, next_cost)?;
        // Falling into another block.
        let is_last = costs[index].ends_block;
        if is_last && matches!(statement.kind, Kind::Plain | Kind::Push(_)) && next_cost > 0 {
            out.pay(next_cost);
        }
    }
    // Nothing goes there; an instruction always has one behind it.
    out.push(machine::slow, 0, 0, 0, 0);
    let Emission { mut ins, jumps, .. } = out;
    for (at, offset, form) in jumps {
        let index = statements
            .binary_search_by_key(&offset, |statement| statement.offset)
            .ok()?;
        let (target, cost) = (statements[index].ins, statements[index].to_pay);
        let distance = (i64::from(target) - at as i64) as i32 as u32;
        let ins: &mut Ins = &mut ins[at];
        match form {
            Form::Jump => {
                ins.a = distance;
                ins.d = cost;
            }
            Form::Branch => {
                ins.c = distance;
                ins.d |= cost << 16;
            }
        }
    }
    let natives = natives
        .into_iter()
        .map(|site| placed(site, &place))
        .collect();
    let copies = copies
        .into_iter()
        .map(|copy| OwnedCopy {
            to: placed_place(copy.to, &place),
            from: placed_place(copy.from, &place),
            ..copy
        })
        .collect();
    let calls = calls
        .into_iter()
        .map(|mut site| {
            for target in &mut site.outs {
                *target = placed_out(*target, &place);
            }
            site.packed_outs = site.outs.iter().map(|out| out.place.packed()).collect();
            site
        })
        .collect();
    // A frame that persists is not made when it is entered.
    let large = match info.persistent {
        Some(_) => 0,
        None => frame_statements(info.words) as i64,
    };
    let entry = *statements.first()?;
    Some(FastCode {
        function: info.clone(),
        ins: ins.into_boxed_slice(),
        statements: statements.into_boxed_slice(),
        flows,
        calls,
        natives,
        copies,
        outs,
        local_words: info.words,
        temp_words,
        room_words,
        object_words,
        depth: most_depth,
        large,
        entry_cost: entry.to_pay,
        is_special: info.persistent.is_some() || !info.owned.is_empty() || large > 0,
        stub,
        may_be_sent: super::super::can_be_entered(info),
        // The first statement is entered with an empty flow stack.
        last_jump: Cell::new(entry),
    })
}

/// What a function does whose statements are parameters kept for the event graph, its call and the return.
fn stub(steps: &[Step], statements: &[RawStatement], calls: &[CallSite]) -> Option<Stub> {
    let mut copies = Vec::new();
    let mut rest = steps;
    while let [Step::StorePersistent(from, to, 1), behind @ ..] = rest {
        if from.base != Base::Locals {
            return None;
        }
        copies.push((from.at / 8, *to));
        rest = behind;
    }
    let [
        Step::Literal(argument, entry),
        Step::Call(0, 1),
        Step::Return,
        Step::Slow,
    ] = rest
    else {
        return None;
    };
    let site = calls.first()?;
    let is_argument = argument.base == Base::Temps && argument.at == ARGUMENTS;
    let runs_down = statements
        .iter()
        .all(|statement| !statement.is_target && statement.flow == 0);
    // The last statement marks the end and does not run.
    let count = statements
        .iter()
        .map(|statement| statement.count)
        .sum::<u32>()
        - 1;
    (is_argument && runs_down && site.by_name.is_none() && calls.len() == 1).then_some(Stub {
        copies,
        entry: *entry,
        statement: site.statement,
        count,
    })
}

struct Cost {
    /// Statements from here to the end of the block.
    to_pay: u32,
    ends_block: bool,
}

fn costs(statements: &[RawStatement]) -> Vec<Cost> {
    let mut costs: Vec<Cost> = Vec::with_capacity(statements.len());
    for (index, statement) in statements.iter().enumerate().rev() {
        let next = statements.get(index + 1);
        let is_transfer = !matches!(statement.kind, Kind::Plain | Kind::Push(_));
        let behind = costs.last().map_or(0, |cost| cost.to_pay);
        let ends_block = is_transfer
            || next.is_none_or(|next| next.is_target)
            || behind + statement.count > LONGEST_BLOCK;
        let to_pay = if ends_block {
            statement.count
        } else {
            statement.count + behind
        };
        costs.push(Cost { to_pay, ends_block });
    }
    costs.reverse();
    costs
}

/// Where an instruction has its distance and cost.
enum Form {
    Jump,
    Branch,
}

struct Emission<'a, F: Fn(Operand) -> Operand> {
    ins: Vec<Ins>,
    place: &'a F,
    /// Instructions that lead to an offset of the script.
    jumps: Vec<(usize, u32, Form)>,
    spare: Operand,
    /// Whether the function's frame on the stack owns something.
    is_owner: bool,
}

impl<F: Fn(Operand) -> Operand> Emission<'_, F> {
    fn push(&mut self, handler: Handler, a: u32, b: u32, c: u32, d: u32) {
        self.ins.push(Ins {
            handler,
            a,
            b,
            c,
            d,
        });
    }

    fn pay(&mut self, cost: u32) {
        self.push(machine::pay, 0, 0, 0, cost);
    }

    /// The instructions of a statement. `next_cost`: what is paid for the block behind it.
    fn statement(&mut self, steps: &[Step], kind: Kind, next_cost: u32) -> Option<()> {
        let mut starts = Vec::with_capacity(steps.len() + 1);
        let mut skips = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            starts.push(self.ins.len());
            let is_last = number + 1 == steps.len();
            if let Step::Skip(distance) | Step::SkipUnlessEqual(_, _, distance) = step {
                skips.push((self.ins.len(), number + *distance as usize));
            }
            self.step(*step, kind, is_last, next_cost)?;
        }
        starts.push(self.ins.len());
        for (at, target) in skips {
            self.ins[at].a = (starts[target] - at) as u32;
        }
        let calls = steps
            .iter()
            .any(|step| matches!(step, Step::Call(..) | Step::Native(_) | Step::CopyOwned(_)));
        let ends = matches!(
            steps.last(),
            Some(Step::Call(..) | Step::Native(_) | Step::CopyOwned(_))
        );
        if calls && !ends {
            self.push(machine::check, 0, 0, 0, 0);
        }
        Some(())
    }

    fn step(&mut self, step: Step, kind: Kind, is_last: bool, next_cost: u32) -> Option<()> {
        let place = self.place;
        let packed = |operand: Operand| place(operand).packed();
        match step {
            Step::Literal(to, word) => {
                let to = place(to);
                let handler = machine::literal(to.base);
                self.push(handler, to.at, 0, word as u32, (word >> 32) as u32);
            }
            Step::Copy(to, from, words) => match words {
                1 => {
                    let (to, from) = (place(to), place(from));
                    self.push(machine::copy(to.base, from.base), to.at, from.at, 0, 0);
                }
                3 => self.push(machine::copy_vector, packed(to), packed(from), 0, 0),
                _ => self.push(machine::copy_words, packed(to), packed(from), words, 0),
            },
            Step::Zero(to, words) => self.push(machine::zero_words, packed(to), 0, words, 0),
            Step::LoadOut(to, number, words) => {
                self.push(machine::load_out, packed(to), number, words, 0);
            }
            Step::StoreOut(number, from, 1) => {
                self.push(machine::store_out_word, number, packed(from), 1, 0);
            }
            Step::StoreOut(number, from, words) => {
                self.push(machine::store_out, number, packed(from), words, 0);
            }
            Step::Arithmetic(op, to, a, b) if op.is_packed() => {
                let (second, c, d) = self.packed_second(b);
                let handler = machine::arithmetic(op, to.base, a.base, second);
                self.push(handler, packed(to), packed(a), c, d);
            }
            Step::Arithmetic(op, to, a, b) => {
                let (to, a) = (place(to), place(a));
                let (second, c, d) = self.second(b);
                let handler = machine::arithmetic(op, to.base, a.base, second);
                self.push(handler, to.at, a.at, c, d);
            }
            Step::Compare(op, to, a, b) => {
                let (second, c, d) = self.packed_second(b);
                let handler = machine::comparison(op, second);
                self.push(handler, packed(to), packed(a), c, d);
            }
            Step::Flat(op, to, [a, b, c]) => {
                let handler = machine::flat_handler(op);
                self.push(handler, packed(to), packed(a), packed(b), packed(c));
            }
            Step::OwnObject(to) => self.push(machine::own_object, packed(to), 0, 0, 0),
            Step::ArrayLen(to, array, plus) => {
                let (to, array) = (packed(to), packed(array));
                self.push(machine::array_len, to, array, plus as u32, 0);
            }
            Step::ArrayGet(to, array, index, part) => {
                let (to, array, index) = (packed(to), packed(array), packed(index));
                let handler = if part == Part::whole(1) {
                    machine::array_get_word
                } else {
                    machine::array_get
                };
                self.push(handler, to, array, index, part.packed()?);
            }
            Step::ArraySet(from, array, index, part) => {
                let (from, array, index) = (packed(from), packed(array), packed(index));
                let handler = if part == Part::whole(1) {
                    machine::array_set_word
                } else {
                    machine::array_set
                };
                self.push(handler, from, array, index, part.packed()?);
            }
            Step::ArrayAdd(to, array, from, words) => {
                let (to, array, from) = (packed(to), packed(array), packed(from));
                self.push(machine::array_add, to, array, from, words);
            }
            Step::ObjectGet(to, object, offset, words) => {
                self.push(
                    machine::object_get,
                    packed(to),
                    packed(object),
                    offset,
                    words,
                );
            }
            Step::ObjectSet(from, object, offset, words) => {
                self.push(
                    machine::object_set,
                    packed(from),
                    packed(object),
                    offset,
                    words,
                );
            }
            Step::ObjectCheck(object) => {
                self.push(machine::object_check, 0, packed(object), 0, 0);
            }
            Step::ObjectCast(to, object, class) => {
                self.push(machine::object_cast, packed(to), packed(object), class.0, 0);
            }
            Step::ObjectExists(to, object) => {
                self.push(machine::object_exists, packed(to), packed(object), 0, 0);
            }
            Step::ObjectLive(to, object) => {
                self.push(machine::object_live, packed(to), packed(object), 0, 0);
            }
            Step::StorePersistent(from, offset, words) => {
                self.push(machine::persistent_set, packed(from), 0, offset, words);
            }
            Step::SkipUnlessEqual(a, b, _) => {
                self.push(machine::skip_unless_equal, 0, packed(a), packed(b), 0);
            }
            Step::Skip(_) => self.push(machine::skip, 0, 0, 0, 0),
            Step::Jump(target) => {
                self.jumps.push((self.ins.len(), target, Form::Jump));
                self.push(machine::jump, 0, 0, 0, 0);
            }
            Step::JumpIfNot(condition, target) => {
                let condition = place(condition);
                let handler =
                    machine::branch(Compare::NotEqualInt, condition.base, SecondKind::Literal);
                self.jumps.push((self.ins.len(), target, Form::Branch));
                self.push(handler, condition.at, 0, 0, next_cost);
            }
            Step::BranchIfNot(op, a, b, target) => {
                let a = place(a);
                let (second, b) = match b {
                    Source::At(operand) => {
                        let operand = place(operand);
                        (SecondKind::Base(operand.base), operand.at)
                    }
                    Source::Literal(word) => branch_literal(op, word).unwrap_or_else(|| {
                        let spare = self.spare;
                        let handler = machine::literal(spare.base);
                        self.push(handler, spare.at, 0, word as u32, (word >> 32) as u32);
                        (SecondKind::Base(spare.base), spare.at)
                    }),
                };
                self.jumps.push((self.ins.len(), target, Form::Branch));
                self.push(machine::branch(op, a.base, second), a.at, b, 0, next_cost);
            }
            Step::BranchIfNotBoth(word, op, a, b, target) => {
                let (second, b) = match b {
                    Source::At(operand) => {
                        let operand = place(operand);
                        (SecondKind::Base(operand.base), operand.packed())
                    }
                    Source::Literal(word) => branch_literal(op, word).unwrap_or_else(|| {
                        let spare = self.spare;
                        let handler = machine::literal(spare.base);
                        self.push(handler, spare.at, 0, word as u32, (word >> 32) as u32);
                        (SecondKind::Base(spare.base), spare.packed())
                    }),
                };
                self.jumps.push((self.ins.len(), target, Form::Branch));
                let handler = machine::branch_both(op, second);
                self.push(handler, packed(a), b, 0, next_cost);
                // The second half of the instruction.
                self.push(machine::slow, packed(word), 0, 0, 0);
            }
            Step::ComputedJump(target) => {
                self.push(machine::computed_jump, packed(target), 0, 0, 0);
            }
            Step::Call(site, written) => {
                self.push(machine::call, site, written, 0, next_cost);
            }
            Step::Native(site) => {
                self.push(machine::native, site, u32::from(is_last), 0, next_cost);
            }
            Step::CopyOwned(number) => {
                self.push(
                    machine::copy_owned,
                    number,
                    u32::from(is_last),
                    0,
                    next_cost,
                );
            }
            Step::Mark(statement) => self.push(machine::mark, statement, 0, 0, 0),
            Step::Slow => self.push(machine::slow, 0, 0, 0, 0),
            Step::Leave => self.push(machine::leave, 0, 0, 0, 0),
            Step::Return if self.is_owner => self.push(machine::ret_owned, 0, 0, 0, 0),
            Step::Return => self.push(machine::ret, 0, 0, 0, 0),
        }
        let _ = kind;
        Some(())
    }

    fn packed_second(&self, source: Source) -> (SecondKind, u32, u32) {
        match source {
            Source::At(operand) => {
                let operand = (self.place)(operand);
                (SecondKind::Base(operand.base), operand.packed(), 0)
            }
            Source::Literal(_) => self.second(source),
        }
    }

    fn second(&self, source: Source) -> (SecondKind, u32, u32) {
        match source {
            Source::At(operand) => {
                let operand = (self.place)(operand);
                (SecondKind::Base(operand.base), operand.at, 0)
            }
            Source::Literal(word) => (SecondKind::Literal, word as u32, (word >> 32) as u32),
        }
    }
}

fn placed_place(place_of: OutPlace, place: &impl Fn(Operand) -> Operand) -> OutPlace {
    match place_of {
        OutPlace::Here(operand) => OutPlace::Here(place(operand)),
        OutPlace::Out(number) => OutPlace::Out(number),
    }
}

fn placed_out(out: OutOperand, place: &impl Fn(Operand) -> Operand) -> OutOperand {
    OutOperand {
        place: placed_place(out.place, place),
        ..out
    }
}

fn placed(mut site: NativeSite, place: &impl Fn(Operand) -> Operand) -> NativeSite {
    site.arguments = place(site.arguments);
    if let NativeObject::At(operand) = site.object {
        site.object = NativeObject::At(place(operand));
    }
    for (_, out) in &mut site.outs {
        *out = placed_out(*out, place);
    }
    site.result = site.result.map(|result| placed_out(result, place));
    for argument in &mut site.owned {
        if let OwnedSource::Place(OutPlace::Here(operand)) = &mut argument.source {
            *operand = place(*operand);
        }
    }
    site
}
