//! The flow stack, followed along all ways through a script.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::{Kind, RawStatement};

/// Deeper stacks are left to the reference interpreter.
const DEEPEST: usize = 64;

/// Finds the flow stack at each statement, turns pops into jumps, and marks what is jumped to. Gives the
/// stacks that occur, outermost target first; the first is empty. None if a statement is reached with two
/// different ones.
///
/// A script is entered at its start and wherever a computed jump may lead: at statements nothing else leads to
/// it is taken to be entered with an empty stack. A computed jump to another statement leaves the function to
/// the reference interpreter when it happens.
pub(super) fn follow(statements: &mut [RawStatement]) -> Option<Vec<Vec<u32>>> {
    let mut flows: Vec<Vec<u32>> = vec![Vec::new()];
    let mut numbers: HashMap<Vec<u32>, u32, FxBuildHasher> = HashMap::default();
    numbers.insert(Vec::new(), 0);
    let index_at = |statements: &[RawStatement], offset: u32| {
        statements
            .binary_search_by_key(&offset, |statement| statement.offset)
            .ok()
    };
    let mut work: Vec<(usize, u32)> = Vec::new();
    for entry in 0..statements.len() {
        if statements[entry].flow == u32::MAX {
            work.push((entry, 0));
        }
        while let Some((at, flow)) = work.pop() {
            let Some(statement) = statements.get_mut(at) else {
                continue;
            };
            if statement.flow != u32::MAX {
                if statement.flow != flow {
                    return None;
                }
                continue;
            }
            statement.flow = flow;
            let target = match statement.kind {
                Kind::Plain | Kind::Call => {
                    work.push((at + 1, flow));
                    continue;
                }
                Kind::Push(target) => {
                    let mut pushed = flows[flow as usize].clone();
                    if pushed.len() >= DEEPEST {
                        return None;
                    }
                    pushed.push(target);
                    let number = *numbers.entry(pushed).or_insert_with_key(|pushed| {
                        flows.push(pushed.clone());
                        flows.len() as u32 - 1
                    });
                    work.push((at + 1, number));
                    continue;
                }
                Kind::Return | Kind::ComputedJump => continue,
                Kind::Jump(target) => (target, flow),
                Kind::JumpIfNot(target) => {
                    work.push((at + 1, flow));
                    (target, flow)
                }
                Kind::Pop | Kind::PopIfNot => {
                    // With nothing to pop, the engine reports an error: the reference interpreter's.
                    let (target, rest) = flows[flow as usize].split_last()?;
                    let target = *target;
                    let rest = numbers[rest];
                    if statement.kind == Kind::PopIfNot {
                        work.push((at + 1, flow));
                        statement.kind = Kind::JumpIfNot(target);
                    } else {
                        statement.kind = Kind::Jump(target);
                    }
                    (target, rest)
                }
            };
            let (offset, flow) = target;
            let next = index_at(statements, offset)?;
            statements[next].is_target = true;
            work.push((next, flow));
        }
    }
    Some(flows)
}
