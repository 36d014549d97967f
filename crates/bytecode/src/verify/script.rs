//! The shape of packages and scripts: decoding, endings, targets, debug sites, the flow stack.

use bp_reflect::{Function, FunctionFlags, Name, ObjectPath, Property};
use rustc_hash::{FxHashMap, FxHashSet};

use super::world::World;
use super::{Report, Rule, VerifyError};
use crate::{
    CodeOffset, CompiledClass, CompiledFunction, DecodeError, Dialect, Expr, Layout, Opcode,
    Operand, Package, Script, Target, decode_script,
};

/// Checks one function.
pub(super) struct Checker<'a, 'r> {
    pub(super) world: &'r World<'a>,
    pub(super) dialect: Dialect,
    pub(super) compiled: &'a CompiledClass,
    /// The scripts of the class, parallel to its functions; none where one is missing or wrong.
    pub(super) scripts: &'a [Option<Script>],
    /// The name the class lists the function by.
    pub(super) name: &'a Name,
    pub(super) function: &'a Function,
    pub(super) path: ObjectPath,
    /// The path of the class's ubergraph.
    pub(super) ubergraph: Option<&'r ObjectPath>,
    pub(super) code: &'a CompiledFunction,
    pub(super) report: &'r mut Report,
}

/// That the lists of the package fit together. False if scripts cannot be told from each other.
pub(super) fn check_shape(package: &Package, report: &mut Report) -> bool {
    let mut are_parallel = true;
    let mut seen = FxHashSet::default();
    let mut depths: FxHashMap<&ObjectPath, usize> = FxHashMap::default();
    let own: FxHashSet<&ObjectPath> = package
        .classes
        .iter()
        .map(|class| &class.class.path)
        .collect();
    for compiled in &package.classes {
        let class = &compiled.class;
        let mut error = |message: String| {
            report.errors.push(VerifyError {
                class: Some(class.path.clone()),
                function: None,
                offset: None,
                rule: Rule::Shape,
                message,
                bytes: Vec::new(),
            });
        };
        let (n_functions, n_scripts) = (class.functions.len(), compiled.functions.len());
        if n_functions != n_scripts {
            error(format!("{n_functions} functions have {n_scripts} scripts"));
            are_parallel = false;
        }
        if let Some(parent) = &class.super_class
            && own.contains(parent)
            && !seen.contains(parent)
        {
            error(format!("the class stands before its parent {parent}"));
        }
        if !seen.insert(&class.path) {
            error("the package has the class twice".to_owned());
        }
        let depth = class
            .super_class
            .as_ref()
            .and_then(|parent| depths.get(parent))
            .map_or(0, |depth| depth + 1);
        if depth > MAX_PARENTS {
            error(format!("the class has more than {MAX_PARENTS} parents"));
        }
        depths.insert(&class.path, depth);
        if class.is_blueprint()
            && let Some(name) = repeated(&class.properties)
        {
            error(format!("the class has the variable {name} twice"));
        }
        for (name, function) in class.functions.iter().chain(&class.delegates) {
            if *name != function.name {
                let message = format!("the function {} is listed as {name}", function.name);
                error(message);
            }
            let returned = function.params.iter().position(Property::is_return);
            if returned.is_some_and(|index| index + 1 != function.params.len()) {
                error(format!("the result of {name} is not its last parameter"));
            }
        }
        if let Some(ubergraph) = &compiled.ubergraph
            && !class.functions.contains_key(ubergraph)
        {
            error(format!(
                "the ubergraph {ubergraph} is no function of the class"
            ));
        }
    }
    let mut paths = FxHashSet::default();
    let structs = package.structs.iter().map(|structure| &structure.path);
    let enums = package.enums.iter().map(|enumeration| &enumeration.path);
    let twice = structs.chain(enums).filter(|path| !paths.insert(*path));
    let twice = twice.map(|path| format!("the package has {path} twice"));
    let members = package.structs.iter().filter_map(|structure| {
        let name = repeated(&structure.members)?;
        Some(format!("{} has the member {name} twice", structure.path))
    });
    for message in twice.chain(members).collect::<Vec<_>>() {
        report.errors.push(VerifyError {
            class: None,
            function: None,
            offset: None,
            rule: Rule::Shape,
            message,
            bytes: Vec::new(),
        });
    }
    are_parallel
}

/// That a class implements interfaces only.
pub(super) fn check_interfaces(compiled: &CompiledClass, world: &World<'_>, report: &mut Report) {
    let class = &compiled.class;
    for interface in &class.interfaces {
        if world.is_no_interface(interface) {
            report.errors.push(VerifyError {
                class: Some(class.path.clone()),
                function: None,
                offset: None,
                rule: Rule::Shape,
                message: format!("the class implements {interface}, which is no interface"),
                bytes: Vec::new(),
            });
        }
    }
}

/// The first name that two properties have.
fn repeated(properties: &[Property]) -> Option<&Name> {
    let mut seen = FxHashSet::default();
    let mut names = properties.iter().map(|property| &property.name);
    names.find(|name| !seen.insert(*name))
}

/// Most parents of a class that are in its package: longer chains are taken for circles.
const MAX_PARENTS: usize = 250;

/// All scripts, parallel to the functions of each class; none where there is none or it is wrong.
pub(super) fn decode_all(package: &Package, report: &mut Report) -> Vec<Vec<Option<Script>>> {
    package
        .classes
        .iter()
        .map(|compiled| {
            compiled
                .class
                .functions
                .keys()
                .zip(&compiled.functions)
                .map(|(name, code)| {
                    if code.script.is_empty() {
                        return None;
                    }
                    report.n_scripts += 1;
                    let decoded = decode_script(
                        &code.script,
                        package.dialect(),
                        Layout::Memory,
                        &package.references,
                    );
                    match decoded {
                        Ok(script) => {
                            report.n_statements += script.statements.len();
                            Some(script)
                        }
                        Err(failure) => {
                            report.errors.push(VerifyError {
                                class: Some(compiled.class.path.clone()),
                                function: Some(name.clone()),
                                offset: Some(failure.offset),
                                rule: rule_of(&failure.reason),
                                message: failure.reason.to_string(),
                                bytes: Vec::new(),
                            });
                            None
                        }
                    }
                })
                .collect()
        })
        .collect()
}

/// The rule that undecodable bytes break.
fn rule_of(error: &DecodeError) -> Rule {
    match error {
        DecodeError::UnknownOpcode { .. }
        | DecodeError::Terminator(_)
        | DecodeError::Truncated { .. }
        | DecodeError::UnterminatedString
        | DecodeError::Surrogate(_)
        | DecodeError::TooLong => Rule::Bytes,
        DecodeError::NotInDialect { .. } | DecodeError::TextKind(_) => Rule::Version,
        DecodeError::TooDeep => Rule::Depth,
        DecodeError::SkipSize { .. } => Rule::SkipSize,
        DecodeError::Count { .. } => Rule::Count,
        DecodeError::SwitchOffset { .. } => Rule::SwitchOffsets,
        DecodeError::Name { .. }
        | DecodeError::NameWords { .. }
        | DecodeError::Object(_)
        | DecodeError::Property(_) => Rule::Reference,
    }
}

impl<'a> Checker<'a, '_> {
    pub(super) fn error(&mut self, offset: Option<CodeOffset>, rule: Rule, message: String) {
        self.report.errors.push(VerifyError {
            class: Some(self.compiled.class.path.clone()),
            function: Some(self.name.clone()),
            offset,
            rule,
            message,
            bytes: Vec::new(),
        });
    }

    pub(super) fn check(&mut self, script: Option<&'a Script>) {
        let Some(script) = script else {
            let may_lack_one = self.function.flags.contains(FunctionFlags::NATIVE)
                || !self.compiled.class.is_blueprint();
            if self.code.script.is_empty() && !may_lack_one {
                self.error(None, Rule::Ending, "the function has no script".to_owned());
            }
            return;
        };
        self.ending(script);
        self.sites(script);
        if let Some(offset) = self.code.event_offset {
            self.entry_point(None, offset, "the event's offset");
        }
        for statement in &script.statements {
            self.statement(statement, script);
        }
        self.flow_stack(script);
    }

    fn ending(&mut self, script: &Script) {
        let mut last_two = script.statements.iter().rev().take(2);
        let (last, before) = (last_two.next(), last_two.next());
        let place = last.map(|statement| statement.offset);
        match last {
            Some(last) if last.expr.op == Opcode::EndOfScript => match before {
                Some(before) if before.expr.op == Opcode::Return => {}
                Some(_) | None => self.error(
                    place,
                    Rule::Ending,
                    "no EX_Return stands before the end".to_owned(),
                ),
            },
            Some(last) => {
                let message = format!("the script ends with {}", last.expr.op.name());
                self.error(place, Rule::Ending, message);
            }
            None => {}
        }
        let n_statements = script.statements.len();
        for statement in &script.statements[..n_statements.saturating_sub(1)] {
            if statement.expr.op == Opcode::EndOfScript {
                self.error(
                    Some(statement.offset),
                    Rule::EndOfScript,
                    "EX_EndOfScript stands before the end".to_owned(),
                );
            }
        }
    }

    fn sites(&mut self, script: &Script) {
        let sites = &self.code.sites;
        if !sites.is_sorted_by(|a, b| a.offset <= b.offset) {
            self.error(
                None,
                Rule::Shape,
                "the debug sites are not sorted".to_owned(),
            );
        }
        for site in sites {
            if script.statement_at(site.offset).is_none() {
                let message = format!(
                    "a debug site is at {}, which is no start of a statement",
                    site.offset
                );
                self.error(None, Rule::Shape, message);
            }
            if site.node as usize >= self.code.nodes.len() {
                let message = format!("a debug site is of node {}, which is not listed", site.node);
                self.error(Some(site.offset), Rule::Shape, message);
            }
        }
    }

    /// That `target` is the start of a statement of the ubergraph, where that can be decoded.
    pub(super) fn entry_point(&mut self, at: Option<CodeOffset>, target: CodeOffset, what: &str) {
        let Some(name) = &self.compiled.ubergraph else {
            return;
        };
        let script = self
            .compiled
            .class
            .functions
            .get_index_of(name)
            .and_then(|index| self.scripts.get(index)?.as_ref());
        if script.is_some_and(|script| script.statement_at(target).is_none()) {
            self.error(
                at,
                Rule::EntryPoint,
                format!("{what} {target} is no start of a statement of {name}"),
            );
        }
    }

    /// That nothing pops from an empty stack.
    ///
    /// A statement is reached with a stack that is surely empty, or that may hold something. What a
    /// push leads to is reached by a pop, with the stack that the push found.
    fn flow_stack(&mut self, script: &Script) {
        let statements = &script.statements;
        let mut flow = Flow {
            script,
            depths: vec![Depth::Unreached; statements.len()],
            work: Vec::new(),
        };
        flow.reach(Some(0), Depth::Empty);
        flow.run();
        let computed = statements
            .iter()
            .zip(&flow.depths)
            .filter(|(statement, _)| statement.expr.op == Opcode::ComputedJump)
            .map(|(_, depth)| *depth)
            .max();
        if let Some(depth) = computed.filter(|depth| *depth != Depth::Unreached) {
            // A computed jump leads to the entry points of events, which nothing else reaches, and to
            // where latent actions resume.
            let mut resumed = Vec::new();
            for statement in statements {
                skip_offsets(&statement.expr, &mut resumed);
            }
            for offset in resumed {
                let index = flow.index(offset);
                flow.reach(index, depth);
            }
            flow.run();
            for index in 0..statements.len() {
                if flow.depths[index] == Depth::Unreached {
                    flow.reach(Some(index), depth);
                    flow.run();
                }
            }
        }
        for (statement, depth) in statements.iter().zip(flow.depths) {
            let is_pop = matches!(
                statement.expr.op,
                Opcode::PopExecutionFlow | Opcode::PopExecutionFlowIfNot
            );
            if is_pop && depth == Depth::Empty {
                self.error(
                    Some(statement.offset),
                    Rule::FlowStack,
                    format!(
                        "{} is reached with an empty flow stack",
                        statement.expr.op.name()
                    ),
                );
            }
        }
    }
}

/// What is known of the flow stack before a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    Unreached,
    Empty,
    MaybeFilled,
}

struct Flow<'a> {
    script: &'a Script,
    /// Parallel to the statements; only grows.
    depths: Vec<Depth>,
    /// Statements whose depth grew.
    work: Vec<usize>,
}

impl Flow<'_> {
    fn index(&self, offset: CodeOffset) -> Option<usize> {
        self.script
            .statements
            .binary_search_by_key(&offset, |statement| statement.offset)
            .ok()
    }

    fn reach(&mut self, index: Option<usize>, depth: Depth) {
        if let Some(index) = index
            && let Some(known) = self.depths.get_mut(index)
            && *known < depth
        {
            *known = depth;
            self.work.push(index);
        }
    }

    fn run(&mut self) {
        while let Some(index) = self.work.pop() {
            let expr = &self.script.statements[index].expr;
            let depth = self.depths[index];
            let target = expr.operands.iter().find_map(|operand| {
                if let Operand::Target(Target::Offset(offset)) = operand {
                    self.index(*offset)
                } else {
                    None
                }
            });
            let next = Some(index + 1);
            #[expect(
                clippy::wildcard_enum_match_arm,
                reason = "all other statements go on with the next one"
            )]
            match expr.op {
                Opcode::Jump => self.reach(target, depth),
                Opcode::JumpIfNot | Opcode::AutoRtfmTransact => {
                    self.reach(target, depth);
                    self.reach(next, depth);
                }
                Opcode::PushExecutionFlow => {
                    self.reach(target, depth);
                    self.reach(next, Depth::MaybeFilled);
                }
                Opcode::PopExecutionFlow
                | Opcode::ComputedJump
                | Opcode::Return
                | Opcode::EndOfScript => {}
                _ => self.reach(next, depth),
            }
        }
    }
}

/// The offsets of the `EX_SkipOffsetConst`s in an expression.
fn skip_offsets(expr: &Expr, out: &mut Vec<CodeOffset>) {
    if expr.op == Opcode::SkipOffsetConst
        && let Some(Operand::Target(Target::Offset(offset))) = expr.operands.first()
    {
        out.push(*offset);
    }
    for child in expr.children() {
        skip_offsets(child, out);
    }
}
