//! Statements that become one: what is computed into a temporary of the compiler only to be copied or tested.

use super::super::code::{Base, Operand};
use super::super::machine::Arithmetic;
use super::{Kind, Lowering, RawStatement, Source, Step};

/// Joins statements. A temporary must be named by the two alone, and the second must not be jumped to. The
/// frame of an event graph outlives the call, so everything is written there; only the test is joined.
pub(super) fn fuse(lowering: &mut Lowering<'_>) {
    let is_persistent = lowering.info.persistent.is_some();
    let first_local = lowering
        .info
        .params
        .iter()
        .map(|param| param.offset + lowering.words(param.ty))
        .max()
        .unwrap_or(0);
    let mut statements: Vec<RawStatement> = Vec::with_capacity(lowering.statements.len());
    let mut steps: Vec<Step> = Vec::with_capacity(lowering.steps.len());
    let old = std::mem::take(&mut lowering.steps);
    let n_statements = lowering.statements.len();
    for index in 0..n_statements {
        let mut statement = lowering.statements[index].clone();
        let first = statement.first as usize;
        let end = lowering
            .statements
            .get(index + 1)
            .map_or(old.len(), |next| next.first as usize);
        let own = &old[first..end];
        let single = |operand: Operand, words: u32| {
            let word = operand.at / 8;
            operand.base == Base::Locals
                && word >= first_local
                && (word..word + words).all(|word| lowering.uses[word as usize] == 2)
        };
        let joins = !lowering.marks
            && !statement.is_target
            && statements
                .last()
                .is_some_and(|last| last.kind == Kind::Plain && last.flow == statement.flow);
        if joins && own.is_empty() && statement.kind == Kind::Plain {
            let last = statements.last_mut().expect("was looked at above");
            last.count += statement.count;
            continue;
        }
        // The step that was emitted last must be the last statement's.
        let joins = joins
            && statements
                .last()
                .is_some_and(|last| (last.first as usize) < steps.len());
        let joined = if let (true, Some(last), [only]) = (joins, steps.last().copied(), own) {
            match *only {
                Step::Copy(to, from, words)
                    if !is_persistent
                        && result_of(last) == Some((from, words))
                        && single(from, words) =>
                {
                    with_result(last, to)
                }
                Step::JumpIfNot(condition, _) => match last {
                    Step::Compare(op, to, a, b) if to == condition => {
                        // The target of a pop is known now.
                        match statement.kind {
                            Kind::JumpIfNot(target) if !is_persistent && single(to, 1) => {
                                Some(Step::BranchIfNot(op, a, b, target))
                            }
                            _ => None,
                        }
                    }
                    _ => None,
                },
                _ => None,
            }
        } else {
            None
        };
        // An argument of a call that is computed in front of it is computed where it goes.
        if let (true, Some(last), [Step::Copy(to, from, words), rest @ ..]) =
            (joins && !is_persistent, steps.last().copied(), own)
            && matches!(rest, [Step::Call(..)])
            && result_of(last) == Some((*from, *words))
            && single(*from, *words)
            && let Some(step) = with_result(last, *to)
        {
            *steps.last_mut().expect("was looked at above") = step;
            steps.extend_from_slice(rest);
            let last = statements.last_mut().expect("was looked at above");
            last.count += statement.count;
            last.kind = statement.kind;
            continue;
        }
        // Both of two comparisons: the last one is made by the branch.
        if let (
            true,
            [
                ..,
                Step::Compare(op, to, a, b),
                Step::Arithmetic(Arithmetic::AndBits, both, first, Source::At(second)),
            ],
            [Step::JumpIfNot(condition, _)],
            Kind::JumpIfNot(target),
        ) = (
            joins && !is_persistent,
            steps.as_slice(),
            own,
            statement.kind,
        ) && second == to
            && condition == both
            && single(*to, 1)
            && single(*both, 1)
            && statements.len() >= 2
            && let [.., before, last] = statements.as_slice()
            && before.kind == Kind::Plain
            && before.flow == last.flow
            && !last.is_target
            && last.first as usize == steps.len() - 1
            && (before.first as usize) < steps.len() - 1
        {
            let step = Step::BranchIfNotBoth(*first, *op, *a, *b, target);
            let count = last.count + statement.count;
            statements.pop();
            steps.truncate(steps.len() - 2);
            steps.push(step);
            let last = statements.last_mut().expect("there are two");
            last.count += count;
            last.kind = statement.kind;
            continue;
        }
        if let Some(step) = joined {
            *steps.last_mut().expect("was looked at above") = step;
            let last = statements.last_mut().expect("was looked at above");
            last.count += statement.count;
            last.kind = statement.kind;
            continue;
        }
        statement.first = steps.len() as u32;
        // The target of a pop is known now.
        let jump = match statement.kind {
            Kind::Jump(target) | Kind::JumpIfNot(target) => Some(target),
            _ => None,
        };
        for step in own {
            steps.push(match (*step, jump) {
                (Step::Jump(_), Some(target)) => Step::Jump(target),
                (Step::JumpIfNot(condition, _), Some(target)) => Step::JumpIfNot(condition, target),
                (step, _) => step,
            });
        }
        statements.push(statement);
    }
    lowering.statements = statements;
    lowering.steps = steps;
}

/// Where a step puts words, and how many, if that may be elsewhere as well.
fn result_of(step: Step) -> Option<(Operand, u32)> {
    match step {
        Step::Literal(to, _)
        | Step::Arithmetic(_, to, ..)
        | Step::Compare(_, to, ..)
        | Step::ArrayLen(to, ..)
        | Step::ObjectCast(to, ..)
        | Step::ObjectExists(to, _)
        | Step::OwnObject(to) => Some((to, 1)),
        Step::Copy(to, _, words)
        | Step::LoadOut(to, _, words)
        | Step::ObjectGet(to, _, _, words) => Some((to, words)),
        Step::ArrayGet(to, _, _, part) => Some((to, part.words)),
        Step::Flat(op, to, _) => Some((to, op.result_words())),
        _ => None,
    }
}

fn with_result(step: Step, to: Operand) -> Option<Step> {
    Some(match step {
        Step::Literal(_, word) => Step::Literal(to, word),
        Step::Arithmetic(op, _, a, b) => Step::Arithmetic(op, to, a, b),
        Step::Compare(op, _, a, b) => Step::Compare(op, to, a, b),
        Step::ArrayLen(_, array, plus) => Step::ArrayLen(to, array, plus),
        Step::ObjectCast(_, object, class) => Step::ObjectCast(to, object, class),
        Step::ObjectExists(_, object) => Step::ObjectExists(to, object),
        Step::OwnObject(_) => Step::OwnObject(to),
        Step::Copy(_, from, words) => Step::Copy(to, from, words),
        Step::LoadOut(_, number, words) => Step::LoadOut(to, number, words),
        Step::ArrayGet(_, array, index, part) => Step::ArrayGet(to, array, index, part),
        Step::ObjectGet(_, object, offset, words) => Step::ObjectGet(to, object, offset, words),
        Step::Flat(op, _, operands) => Step::Flat(op, to, operands),
        _ => return None,
    })
}
