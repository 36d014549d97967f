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
    CodeOffset, CompiledFunction, DebugSite, Dialect, Expr, Label, Opcode, Operand, PropertyRef,
    Target as CodeTarget,
};
use bp_diag::{Code, Diagnostic};
use bp_reflect::{Name, PropertyType, Registry};
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
        labels: FxHashMap::default(),
        return_label: Label(0),
        builder: ScriptBuilder::new(cx.dialect, refs),
        problems: Vec::new(),
    };
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
        if let Some(label) = emitter.labels.get(&id).copied() {
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
                problem.place.graph = Some(node.graph.clone());
                problem.place.node = Some(node.title.clone());
                problem.place.node_name = Some(node.name.clone());
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
    labels: FxHashMap<StatementId, Label>,
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
                && !self.labels.contains_key(&id)
            {
                let label = self.builder.label();
                self.labels.insert(id, label);
            }
        }
    }

    fn target(&self, target: Target) -> CodeTarget {
        CodeTarget::Label(match target {
            Target::Statement(id) => *self
                .labels
                .get(&id)
                .expect("labels of all targets were collected"),
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
        let expr = match &statement.kind {
            StatementKind::Call(call) => {
                for array in &call.cleared {
                    let place = self.term(*array);
                    self.builder.push(&Expr::new(
                        Opcode::SetArray,
                        vec![Operand::Expr(place), Operand::List(Vec::new())],
                    ));
                }
                self.call(call)
            }
            StatementKind::Assign(destination, source) => {
                let ir = self.ir;
                let source = &ir.terms[*source];
                let value = if let TermKind::Literal(value) = &source.kind {
                    // A container's literal names the property of its elements, which the destination has.
                    let property = self.property_of(*destination);
                    self.literal(value, &source.ty, property.as_ref())
                } else {
                    self.term_expr(source)
                };
                self.assignment(*destination, value)
            }
            StatementKind::AssignOnPersistentFrame(property, source) => {
                let value = self.term(*source);
                Expr::new(
                    Opcode::LetValueOnPersistentFrame,
                    vec![
                        Operand::Property(Some(property.clone())),
                        Operand::Expr(value),
                    ],
                )
            }
            StatementKind::Goto(target) => Expr::target(Opcode::Jump, self.target(*target)),
            StatementKind::GotoIfNot(condition, target) => {
                let condition = self.term(*condition);
                Expr::new(
                    Opcode::JumpIfNot,
                    vec![
                        Operand::Target(self.target(*target)),
                        Operand::Expr(condition),
                    ],
                )
            }
            StatementKind::PushState(target) => {
                Expr::target(Opcode::PushExecutionFlow, self.target(*target))
            }
            StatementKind::EndOfThread => Expr::leaf(Opcode::PopExecutionFlow),
            StatementKind::EndOfThreadIfNot(condition) => {
                let condition = self.term(*condition);
                Expr::unary(Opcode::PopExecutionFlowIfNot, condition)
            }
            StatementKind::ComputedGoto(offset) => {
                let offset = self.term(*offset);
                Expr::unary(Opcode::ComputedJump, offset)
            }
            StatementKind::Return => {
                self.builder.bind(self.return_label);
                let value = match self.ir.function.return_param() {
                    Some(param) => {
                        let property = PropertyRef::new(self.ir.path.clone(), param.name.clone());
                        Expr::variable(Opcode::LocalOutVariable, property)
                    }
                    None => Expr::leaf(Opcode::Nothing),
                };
                self.builder.push(&Expr::unary(Opcode::Return, value));
                Expr::leaf(Opcode::EndOfScript)
            }
            StatementKind::Cast(cast, destination, class, source) => {
                let op = match cast {
                    CastStatement::Dynamic => Opcode::DynamicCast,
                    CastStatement::Meta => Opcode::MetaCast,
                    CastStatement::ObjectToInterface => Opcode::ObjToInterfaceCast,
                    CastStatement::CrossInterface => Opcode::CrossInterfaceCast,
                    CastStatement::InterfaceToObject => Opcode::InterfaceToObjCast,
                };
                let place = self.term(*destination);
                let value = self.term(*source);
                Expr::let_(
                    None,
                    place,
                    Expr::with_object(op, Some(class.clone()), value),
                )
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
                let place = self.term(*destination);
                let value = self.term(*source);
                let cast = Expr::new(Opcode::Cast, vec![Operand::U8(byte), Operand::Expr(value)]);
                Expr::let_(None, place, cast)
            }
            StatementKind::AddDelegate(delegate, value) => {
                self.pair(Opcode::AddMulticastDelegate, *delegate, *value)
            }
            StatementKind::RemoveDelegate(delegate, value) => {
                self.pair(Opcode::RemoveMulticastDelegate, *delegate, *value)
            }
            StatementKind::ClearDelegate(delegate) => {
                let place = self.term(*delegate);
                Expr::unary(Opcode::ClearMulticastDelegate, place)
            }
            StatementKind::BindDelegate(delegate, function, object) => {
                let place = self.term(*delegate);
                let object = self.term(*object);
                Expr::new(
                    Opcode::BindDelegate,
                    vec![
                        Operand::Name(function.clone()),
                        Operand::Expr(place),
                        Operand::Expr(object),
                    ],
                )
            }
            StatementKind::CallDelegate {
                signature,
                delegate,
                arguments,
            } => {
                let place = self.term(*delegate);
                let arguments = arguments
                    .iter()
                    .map(|argument| self.term(*argument))
                    .collect();
                Expr::new(
                    Opcode::CallMulticastDelegate,
                    vec![
                        Operand::Object(Some(signature.clone())),
                        Operand::Expr(place),
                        Operand::List(arguments),
                    ],
                )
            }
            StatementKind::Fill(kind, container, elements) => {
                let op = match kind {
                    ContainerKind::Array => Opcode::SetArray,
                    ContainerKind::Set => Opcode::SetSet,
                    ContainerKind::Map => Opcode::SetMap,
                };
                let place = self.term(*container);
                let elements = elements.iter().map(|element| self.term(*element)).collect();
                Expr::new(op, vec![Operand::Expr(place), Operand::List(elements)])
            }
            StatementKind::DebugSite => Expr::leaf(Opcode::Tracepoint),
            StatementKind::WireTraceSite => Expr::leaf(Opcode::WireTracepoint),
        };
        self.builder.push(&expr);
    }

    fn pair(&mut self, op: Opcode, first: TermId, second: TermId) -> Expr {
        let first = self.term(first);
        let second = self.term(second);
        Expr::binary(op, first, second)
    }

    /// The assignment that fits the destination's type.
    ///
    /// Source: no exception among all assignments of real packages; casts, which always are `EX_Let`
    /// without property, are made by their own statements.
    fn assignment(&mut self, destination: TermId, value: Expr) -> Expr {
        let place = self.term(destination);
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
                return Expr::let_(self.property_of(destination), place, value);
            }
        };
        Expr::binary(op, place, value)
    }
}
