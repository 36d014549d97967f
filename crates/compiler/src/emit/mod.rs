//! Emission: statements become script bytes.
//!
//! Pass 1 encodes statement by statement and leaves placeholders for places not known yet; pass 2, in
//! [`ScriptBuilder::finish`], patches them. The ubergraph comes first, so that its events' places are known
//! when their stubs are emitted.

mod calls;
mod literals;
mod terms;

use bp_bytecode::encode::{Interner, ScriptBuilder};
use bp_bytecode::{
    CodeOffset, CompiledFunction, DebugSite, Dialect, Label, Opcode, PropertyRef,
    Target as CodeTarget,
};
use bp_diag::{Code, Diagnostic};
use bp_reflect::{Name, ObjectPath, PropertyType, Registry};
use la_arena::ArenaMap;
use rustc_hash::FxHashMap;

use crate::expanded::ContainerKind;
use crate::ir::{
    CastStatement, FunctionIr, Statement, StatementId, StatementKind, Target, TermId, TermKind,
};

/// What emission reads besides the function.
pub struct Emission<'a> {
    /// Everything declared.
    pub registry: &'a Registry,
    /// What the bytes are written for.
    pub dialect: Dialect,
    /// Of the ubergraph emitted before: where each event starts.
    pub event_offsets: &'a FxHashMap<Name, CodeOffset>,
}

/// A function's script, and of an ubergraph where its events start.
pub struct Emitted {
    /// The script with its debug sites.
    pub function: CompiledFunction,
    /// Stub function and place of its event.
    pub events: Vec<(Name, CodeOffset)>,
}

/// Emits one function. References are added to `refs` in order of first use.
///
/// # Errors
/// What the dialect or the declarations do not allow, for example a literal of a struct of unknown size.
pub fn emit(
    cx: &Emission<'_>,
    ir: &FunctionIr,
    refs: &mut Interner,
) -> Result<Emitted, Vec<Diagnostic>> {
    let mut emitter = Emitter {
        cx,
        ir,
        own_class: ir.path.outer(),
        labels: vec![None; ir.statements.len()],
        written: ArenaMap::with_capacity(ir.terms.len()),
        return_label: Label(0),
        builder: ScriptBuilder::new(cx.dialect, refs),
        problems: Vec::new(),
    };
    // What real scripts take.
    emitter.builder.reserve(16 * ir.statements.len());
    emitter.return_label = emitter.builder.label();
    emitter.collect_labels();
    let event_starts: FxHashMap<StatementId, Vec<&Name>> =
        ir.events
            .iter()
            .fold(FxHashMap::default(), |mut map, (name, start)| {
                map.entry(*start).or_insert_with(Vec::new).push(name);
                map
            });
    let mut events = Vec::new();
    let mut sites: Vec<DebugSite> = Vec::new();
    for (idx, statement) in ir.statements.iter().enumerate() {
        let id = StatementId(idx as u32);
        if let Some(label) = emitter.labels[idx] {
            emitter.builder.bind(label);
        }
        let offset = emitter.builder.position();
        for name in event_starts.get(&id).into_iter().flatten() {
            events.push(((*name).clone(), offset));
        }
        if sites.last().is_none_or(|site| site.node != statement.node) {
            sites.push(DebugSite {
                offset,
                node: statement.node,
            });
        }
        let n_problems = emitter.problems.len();
        emitter.statement(statement);
        let node = ir.nodes.get(statement.node as usize);
        for problem in &mut emitter.problems[n_problems..] {
            if let Some(node) = node.filter(|node| !node.name.is_empty()) {
                problem.place.graph = Some(node.graph.to_string());
                problem.place.node = Some(node.title.to_string());
                problem.place.node_name = Some(node.name.to_string());
            }
        }
    }
    let Emitter {
        builder,
        mut problems,
        ..
    } = emitter;
    match builder.finish() {
        Ok(script) if problems.is_empty() => Ok(Emitted {
            function: CompiledFunction {
                script,
                sites,
                nodes: ir.nodes.clone(),
                event_offset: ir
                    .stub_of
                    .as_ref()
                    .and_then(|_| cx.event_offsets.get(&ir.function.name).copied()),
            },
            events,
        }),
        Ok(_) => Err(problems),
        Err(error) => {
            problems.push(Diagnostic::new(
                Code::ScriptTooLarge,
                format!(
                    "the script of {} cannot be written: {error}",
                    ir.function.name
                ),
            ));
            Err(problems)
        }
    }
}

struct Emitter<'a, 'r> {
    cx: &'a Emission<'a>,
    ir: &'a FunctionIr,
    /// The class of the function.
    own_class: Option<ObjectPath>,
    /// Of the statements that something jumps to.
    labels: Vec<Option<Label>>,
    /// Where the terms were written that are the same wherever they are read.
    written: ArenaMap<TermId, (CodeOffset, CodeOffset)>,
    return_label: Label,
    builder: ScriptBuilder<'r>,
    problems: Vec<Diagnostic>,
}

impl Emitter<'_, '_> {
    /// A label for every statement that something jumps to.
    fn collect_labels(&mut self) {
        let mut targets = Vec::new();
        for statement in &self.ir.statements {
            match &statement.kind {
                StatementKind::Goto(target)
                | StatementKind::GotoIfNot(_, target)
                | StatementKind::PushState(target) => {
                    targets.push(*target);
                }
                StatementKind::Call(call) => {
                    for argument in &call.arguments {
                        if let TermKind::LatentInfo {
                            resume: Some(target),
                            ..
                        } = &self.ir.terms[*argument].kind
                        {
                            targets.push(*target);
                        }
                    }
                }
                StatementKind::Assign(..)
                | StatementKind::AssignOnPersistentFrame(..)
                | StatementKind::EndOfThread
                | StatementKind::EndOfThreadIfNot(_)
                | StatementKind::ComputedGoto(_)
                | StatementKind::Return
                | StatementKind::Cast(..)
                | StatementKind::Convert(..)
                | StatementKind::AddDelegate(..)
                | StatementKind::RemoveDelegate(..)
                | StatementKind::ClearDelegate(_)
                | StatementKind::BindDelegate(..)
                | StatementKind::CallDelegate { .. }
                | StatementKind::Fill(..)
                | StatementKind::DebugSite
                | StatementKind::WireTraceSite => {}
            }
        }
        for target in targets {
            if let Target::Statement(id) = target
                && self.labels[id.0 as usize].is_none()
            {
                self.labels[id.0 as usize] = Some(self.builder.label());
            }
        }
    }

    fn target(&self, target: Target) -> CodeTarget {
        CodeTarget::Label(match target {
            Target::Statement(id) => {
                self.labels[id.0 as usize].expect("labels of all targets were collected")
            }
            Target::Return => self.return_label,
            Target::Pin(_) | Target::Within(_) | Target::End => {
                unreachable!("a finished function has only placed targets")
            }
        })
    }

    fn problem(&mut self, code: Code, message: String) {
        self.problems.push(Diagnostic::new(code, message));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Call(call) => {
                for array in &call.cleared {
                    self.builder.open(Opcode::SetArray);
                    self.term(*array);
                    self.builder.open_list(0);
                    self.builder.close_list();
                    self.builder.close();
                }
                self.call(call);
            }
            StatementKind::Assign(destination, source) => {
                self.open_assignment(*destination);
                let ir = self.ir;
                let term = &ir.terms[*source];
                match &term.kind {
                    // A container's literal names the property of its elements, which the destination has.
                    TermKind::Literal(value) if term.ty.is_container() => {
                        self.literal(value, &term.ty, self.property_of(*destination));
                    }
                    TermKind::Literal(_)
                    | TermKind::Local { .. }
                    | TermKind::Member { .. }
                    | TermKind::StructMember { .. }
                    | TermKind::ClassDefault { .. }
                    | TermKind::Call(_)
                    | TermKind::SelfRef
                    | TermKind::DefaultObject(_)
                    | TermKind::Switch { .. }
                    | TermKind::Element { .. }
                    | TermKind::EventOffset(_)
                    | TermKind::LatentInfo { .. } => self.term(*source),
                }
                self.builder.close();
            }
            StatementKind::AssignOnPersistentFrame(property, source) => {
                self.builder.open(Opcode::LetValueOnPersistentFrame);
                self.builder.property(Some(property));
                self.term(*source);
                self.builder.close();
            }
            StatementKind::Goto(target) => self.jump(Opcode::Jump, *target),
            StatementKind::GotoIfNot(condition, target) => {
                self.builder.open(Opcode::JumpIfNot);
                self.builder.target(self.target(*target));
                self.term(*condition);
                self.builder.close();
            }
            StatementKind::PushState(target) => self.jump(Opcode::PushExecutionFlow, *target),
            StatementKind::EndOfThread => self.builder.leaf(Opcode::PopExecutionFlow),
            StatementKind::EndOfThreadIfNot(condition) => {
                self.unary(Opcode::PopExecutionFlowIfNot, *condition);
            }
            StatementKind::ComputedGoto(offset) => self.unary(Opcode::ComputedJump, *offset),
            StatementKind::Return => {
                self.builder.bind(self.return_label);
                self.builder.open(Opcode::Return);
                match self.ir.function.return_param() {
                    Some(param) => {
                        let property = PropertyRef::new(self.ir.path.clone(), param.name.clone());
                        self.variable(Opcode::LocalOutVariable, &property);
                    }
                    None => self.builder.leaf(Opcode::Nothing),
                }
                self.builder.close();
                self.builder.leaf(Opcode::EndOfScript);
            }
            StatementKind::Cast(cast, destination, class, source) => {
                let op = match cast {
                    CastStatement::Dynamic => Opcode::DynamicCast,
                    CastStatement::Meta => Opcode::MetaCast,
                    CastStatement::ObjectToInterface => Opcode::ObjToInterfaceCast,
                    CastStatement::CrossInterface => Opcode::CrossInterfaceCast,
                    CastStatement::InterfaceToObject => Opcode::InterfaceToObjCast,
                };
                self.open_let(None, *destination);
                self.builder.open(op);
                self.builder.object(Some(class));
                self.term(*source);
                self.builder.close();
                self.builder.close();
            }
            StatementKind::Convert(kind, destination, source) => {
                let Some(byte) = self.cx.dialect.cast_byte(*kind) else {
                    let engine = self.cx.dialect.engine;
                    self.problem(
                        Code::DialectUnsupported,
                        format!("engine {engine} has no conversion {kind:?}"),
                    );
                    return;
                };
                self.open_let(None, *destination);
                self.builder.open(Opcode::Cast);
                self.builder.u8(byte);
                self.term(*source);
                self.builder.close();
                self.builder.close();
            }
            StatementKind::AddDelegate(delegate, value) => {
                self.pair(Opcode::AddMulticastDelegate, *delegate, *value);
            }
            StatementKind::RemoveDelegate(delegate, value) => {
                self.pair(Opcode::RemoveMulticastDelegate, *delegate, *value);
            }
            StatementKind::ClearDelegate(delegate) => {
                self.unary(Opcode::ClearMulticastDelegate, *delegate);
            }
            StatementKind::BindDelegate(delegate, function, object) => {
                self.builder.open(Opcode::BindDelegate);
                self.builder.name(function);
                self.term(*delegate);
                self.term(*object);
                self.builder.close();
            }
            StatementKind::CallDelegate {
                signature,
                delegate,
                arguments,
            } => {
                self.builder.open(Opcode::CallMulticastDelegate);
                self.builder.object(Some(signature));
                self.term(*delegate);
                self.list(arguments);
                self.builder.close();
            }
            StatementKind::Fill(kind, container, elements) => {
                self.builder.open(match kind {
                    ContainerKind::Array => Opcode::SetArray,
                    ContainerKind::Set => Opcode::SetSet,
                    ContainerKind::Map => Opcode::SetMap,
                });
                self.term(*container);
                self.list(elements);
                self.builder.close();
            }
            StatementKind::DebugSite => self.builder.leaf(Opcode::Tracepoint),
            StatementKind::WireTraceSite => self.builder.leaf(Opcode::WireTracepoint),
        }
    }

    fn jump(&mut self, op: Opcode, target: Target) {
        self.builder.open(op);
        self.builder.target(self.target(target));
        self.builder.close();
    }

    fn unary(&mut self, op: Opcode, inner: TermId) {
        self.builder.open(op);
        self.term(inner);
        self.builder.close();
    }

    fn pair(&mut self, op: Opcode, first: TermId, second: TermId) {
        self.builder.open(op);
        self.term(first);
        self.term(second);
        self.builder.close();
    }

    fn list(&mut self, terms: &[TermId]) {
        self.builder.open_list(terms.len());
        for term in terms {
            self.term(*term);
        }
        self.builder.close_list();
    }

    /// Begins an `EX_Let`: its value follows.
    fn open_let(&mut self, property: Option<&PropertyRef>, destination: TermId) {
        self.builder.open(Opcode::Let);
        self.builder.property(property);
        self.term(destination);
    }

    /// Begins the assignment that fits the destination's type: its value follows.
    ///
    /// Source: no exception among all assignments of real packages; casts, which always are `EX_Let`
    /// without property, are made by their own statements.
    fn open_assignment(&mut self, destination: TermId) {
        let op = match &self.ir.terms[destination].ty {
            PropertyType::Bool => Opcode::LetBool,
            PropertyType::Object(_) | PropertyType::Class(_) => Opcode::LetObj,
            PropertyType::WeakObject(_) => Opcode::LetWeakObjPtr,
            PropertyType::Delegate(_) => Opcode::LetDelegate,
            PropertyType::MulticastDelegate(_) => Opcode::LetMulticastDelegate,
            PropertyType::Byte(_)
            | PropertyType::Enum(_)
            | PropertyType::Int8
            | PropertyType::Int16
            | PropertyType::UInt16
            | PropertyType::Int
            | PropertyType::UInt32
            | PropertyType::Int64
            | PropertyType::UInt64
            | PropertyType::Float
            | PropertyType::Double
            | PropertyType::Name
            | PropertyType::Str
            | PropertyType::Text
            | PropertyType::SoftObject(_)
            | PropertyType::SoftClass(_)
            | PropertyType::Interface(_)
            | PropertyType::Struct(_)
            | PropertyType::Array(_)
            | PropertyType::Set(_)
            | PropertyType::Map(_)
            | PropertyType::FieldPath
            | PropertyType::Wildcard => {
                return self.open_let(self.property_of(destination), destination);
            }
        };
        self.builder.open(op);
        self.term(destination);
    }
}
