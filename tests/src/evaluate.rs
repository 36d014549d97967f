//! A second evaluator of compiled Blueprints: of the statement form, before opcodes and offsets are chosen.
//!
//! It shares no code with the interpreter and nothing of its memory model: values are trees, places are
//! paths, libraries are written anew in [`natives`](self). What both give for the same program is compared
//! by [`fuzz`](crate::fuzz), so a mistake of either, or of emission between them, shows as a difference.
//!
//! It knows what the generator makes use of; anything else is an error that names it, never a guess.

mod natives;

use std::collections::HashMap;

use bp_bytecode::dialect::CastKind;
use bp_compiler::Unit;
use bp_compiler::ir::{Call, CastStatement, FunctionIr, StatementKind, Target, TermId, TermKind};
use bp_reflect::{Function, Name, ObjectPath, PropertyType, Registry, Value};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// `bool`.
    Bool(bool),
    /// Bytes, enums and all integers.
    Int(i64),
    /// Floats and doubles.
    Real(f64),
    /// Strings and names.
    Str(String),
    /// Arrays.
    List(Vec<Val>),
    /// Structs, members in order of declaration.
    Fields(Vec<(Name, Val)>),
    /// The object itself, or null.
    Object(bool),
    /// A function of the object that a delegate calls, if it is bound.
    Bound(Option<Name>),
    /// Functions of the object that a multicast delegate calls, in order.
    Bindings(Vec<Name>),
    /// What is not looked at.
    Opaque,
}

/// What a program says while it runs: what it prints, and kinds of warnings and errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A printed line.
    Print(String),
    /// A warning or an error, by the name of its kind.
    Report(&'static str),
}

/// Why evaluation stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The program runs longer than asked for.
    TooLong,
    /// The evaluator does not know this.
    Unknown(String),
}

type Step<T> = Result<T, Halt>;

/// Where a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    root: Root,
    path: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Root {
    /// A variable of a running function, by the function's depth.
    Local(usize, (Name, u16)),
    /// A variable of the event graph.
    Persistent((Name, u16)),
    /// A member variable.
    Member(Name),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Member(Name),
    Element(usize),
}

/// What is found where a place is asked for.
#[derive(Clone, Debug)]
enum Found {
    Place(Place),
    Temporary(Val),
}

#[derive(Debug)]
struct Frame {
    locals: HashMap<(Name, u16), Val>,
    /// Out and reference parameters that stand for a place of the caller.
    bound: HashMap<Name, Place>,
    is_ubergraph: bool,
}

/// An object of one compiled Blueprint.
#[derive(Debug)]
pub struct Evaluator<'a> {
    functions: HashMap<Name, &'a FunctionIr>,
    class: ObjectPath,
    registry: &'a Registry,
    members: HashMap<Name, Val>,
    persistent: HashMap<(Name, u16), Val>,
    frames: Vec<Frame>,
    said: Vec<Said>,
    statements: u64,
    limit: u64,
}

impl<'a> Evaluator<'a> {
    /// An object with the Blueprint's defaults. It stops after `limit` statements.
    pub fn new(unit: &'a Unit<'a>, registry: &'a Registry, limit: u64) -> Self {
        let functions: HashMap<Name, &FunctionIr> = unit
            .functions
            .iter()
            .map(|function| (function.ir.function.name.clone(), &function.ir))
            .collect();
        let mut members = HashMap::new();
        if let Some(class) = registry.class(&unit.blueprint.class_path) {
            for property in &class.properties {
                members.insert(property.name.clone(), zero(&property.ty, registry));
            }
        }
        for variable in &unit.blueprint.variables {
            let property = registry
                .find_property(&unit.blueprint.class_path, &variable.name)
                .map(|(_, property)| property);
            let text = variable.default.as_deref().filter(|text| !text.is_empty());
            if let (Some(property), Some(text)) = (property, text)
                && let Ok(value) = Value::parse(text, &property.ty, registry)
            {
                let value = from_constant(&value, &property.ty, registry);
                members.insert(variable.name.clone(), value);
            }
        }
        let mut persistent = HashMap::new();
        for function in functions.values().filter(|ir| is_ubergraph(ir)) {
            persistent = variables(&function.function, registry);
        }
        Self {
            functions,
            class: unit.blueprint.class_path.clone(),
            registry,
            members,
            persistent,
            frames: Vec::new(),
            said: Vec::new(),
            statements: 0,
            limit,
        }
    }

    /// What was said since the last time.
    pub fn take_said(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.said)
    }

    /// Statements so far.
    pub fn statements(&self) -> u64 {
        self.statements
    }

    /// A member variable.
    pub fn member(&self, name: &Name) -> Option<&Val> {
        self.members.get(name)
    }

    /// Calls a function; gives its outputs and result in order of declaration.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn call(&mut self, name: &Name, arguments: &[(Name, Val)]) -> Step<Vec<(Name, Val)>> {
        let ir = self.function(name)?;
        let mut frame = self.frame(ir);
        for (name, value) in arguments {
            frame.locals.insert((name.clone(), 0), value.clone());
        }
        let frame = self.run(ir, frame)?;
        let outputs = ir.function.params.iter();
        Ok(outputs
            .filter(|param| param.is_out() || param.is_return())
            .map(|param| {
                let value = frame.locals.get(&(param.name.clone(), 0));
                (param.name.clone(), value.cloned().unwrap_or(Val::Opaque))
            })
            .collect())
    }

    fn function(&self, name: &Name) -> Step<&'a FunctionIr> {
        self.functions
            .get(name)
            .copied()
            .ok_or_else(|| Halt::Unknown(format!("function {name}")))
    }

    fn frame(&self, ir: &FunctionIr) -> Frame {
        let is_ubergraph = is_ubergraph(ir);
        Frame {
            locals: if is_ubergraph {
                HashMap::new()
            } else {
                variables(&ir.function, self.registry)
            },
            bound: HashMap::new(),
            is_ubergraph,
        }
    }

    fn run(&mut self, ir: &'a FunctionIr, frame: Frame) -> Step<Frame> {
        let depth = self.frames.len();
        self.frames.push(frame);
        let result = self.statements_of(ir);
        let frame = self.frames.pop();
        self.frames.truncate(depth);
        result?;
        Ok(frame.expect("was pushed above"))
    }

    fn statements_of(&mut self, ir: &'a FunctionIr) -> Step<()> {
        let return_at = ir.statements.len().saturating_sub(1);
        let place_of = |target: &Target| match target {
            Target::Statement(id) => Ok(id.0 as usize),
            Target::Return => Ok(return_at),
            Target::Pin(_) | Target::Within(_) | Target::End => {
                Err(Halt::Unknown("a target that is not laid out".to_owned()))
            }
        };
        let mut flow: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(statement) = ir.statements.get(at) {
            self.statements += 1;
            if self.statements > self.limit {
                return Err(Halt::TooLong);
            }
            at += 1;
            match &statement.kind {
                StatementKind::Call(call) => self.statement_call(ir, call)?,
                StatementKind::Assign(to, from) => self.assign(ir, *to, *from)?,
                StatementKind::AssignOnPersistentFrame(property, from) => {
                    if let Some(value) = self.value(ir, *from)? {
                        let key = (property.name().clone(), property.ordinal);
                        self.persistent.insert(key, value);
                    }
                }
                StatementKind::Goto(target) => at = place_of(target)?,
                StatementKind::GotoIfNot(condition, target) => {
                    if !self.truth(ir, *condition)? {
                        at = place_of(target)?;
                    }
                }
                StatementKind::PushState(target) => flow.push(place_of(target)?),
                StatementKind::EndOfThread => self.pop(&mut flow, &mut at),
                StatementKind::EndOfThreadIfNot(condition) => {
                    if !self.truth(ir, *condition)? {
                        self.pop(&mut flow, &mut at);
                    }
                }
                StatementKind::ComputedGoto(offset) => match self.value(ir, *offset)? {
                    Some(Val::Int(statement)) => at = statement as usize,
                    other => return Err(Halt::Unknown(format!("a jump to {other:?}"))),
                },
                StatementKind::Return => return Ok(()),
                StatementKind::Fill(_, to, elements) => {
                    let place = self.find(ir, *to)?;
                    let PropertyType::Array(inner) = &ir.terms[*to].ty else {
                        return Err(Halt::Unknown("filling no array".to_owned()));
                    };
                    let mut list = Vec::new();
                    for element in elements {
                        let value = self.value(ir, *element)?;
                        list.push(value.unwrap_or_else(|| zero(inner, self.registry)));
                    }
                    if let Some(Found::Place(place)) = place {
                        self.store(&place, Val::List(list));
                    }
                }
                StatementKind::DebugSite | StatementKind::WireTraceSite => {}
                StatementKind::Cast(CastStatement::Dynamic, to, class, from) => {
                    let target = self.find(ir, *to)?;
                    let value = self.value(ir, *from)?;
                    let fits = value == Some(Val::Object(true)) && self.is_own(class);
                    if let Some(Found::Place(place)) = target {
                        self.store(&place, Val::Object(fits));
                    }
                }
                StatementKind::Convert(CastKind::ObjectToBool, to, from) => {
                    let target = self.find(ir, *to)?;
                    let value = self.value(ir, *from)?;
                    if let Some(Found::Place(place)) = target {
                        self.store(&place, Val::Bool(value == Some(Val::Object(true))));
                    }
                }
                StatementKind::BindDelegate(to, function, object) => {
                    let target = self.find(ir, *to)?;
                    let is_own = self.value(ir, *object)? == Some(Val::Object(true));
                    if let Some(Found::Place(place)) = target {
                        let function = is_own.then(|| function.clone());
                        self.store(&place, Val::Bound(function));
                    }
                }
                StatementKind::AddDelegate(to, from) => {
                    let (place, mut bound) = self.bindings(ir, *to)?;
                    if let Some(Val::Bound(Some(function))) = self.value(ir, *from)?
                        && !bound.contains(&function)
                    {
                        bound.push(function);
                    }
                    self.store(&place, Val::Bindings(bound));
                }
                StatementKind::RemoveDelegate(to, from) => {
                    let (place, mut bound) = self.bindings(ir, *to)?;
                    if let Some(Val::Bound(Some(function))) = self.value(ir, *from)? {
                        bound.retain(|known| *known != function);
                    }
                    self.store(&place, Val::Bindings(bound));
                }
                StatementKind::ClearDelegate(to) => {
                    let (place, _) = self.bindings(ir, *to)?;
                    self.store(&place, Val::Bindings(Vec::new()));
                }
                StatementKind::CallDelegate {
                    delegate,
                    arguments,
                    ..
                } => {
                    let (_, bound) = self.bindings(ir, *delegate)?;
                    let mut values = Vec::new();
                    for argument in arguments {
                        values.push(self.value(ir, *argument)?);
                    }
                    for function in bound {
                        let callee = self.function(&function)?;
                        let mut frame = self.frame(callee);
                        for (param, value) in callee.function.arguments().zip(&values) {
                            if let Some(value) = value {
                                let key = (param.name.clone(), 0);
                                frame.locals.insert(key, value.clone());
                            }
                        }
                        self.run(callee, frame)?;
                    }
                }
                other @ (StatementKind::Cast(..) | StatementKind::Convert(..)) => {
                    return Err(Halt::Unknown(format!("{other:?}")));
                }
            }
        }
        Err(Halt::Unknown("a function without a return".to_owned()))
    }

    /// Whether the object is of a class.
    fn is_own(&self, class: &ObjectPath) -> bool {
        let mut next = Some(self.class.clone());
        while let Some(own) = next {
            if own == *class {
                return true;
            }
            next = self
                .registry
                .class(&own)
                .and_then(|own| own.super_class.clone());
        }
        false
    }

    /// A multicast delegate: where it is and what it calls.
    fn bindings(&mut self, ir: &'a FunctionIr, term: TermId) -> Step<(Place, Vec<Name>)> {
        match self.find(ir, term)? {
            Some(Found::Place(place)) => match self.at(&place) {
                Some(Val::Bindings(bound)) => Ok((place.clone(), bound.clone())),
                other => Err(Halt::Unknown(format!("bindings of {other:?}"))),
            },
            found => Err(Halt::Unknown(format!("bindings of {found:?}"))),
        }
    }

    /// With nothing to pop, the engine reports and goes on with the next statement.
    fn pop(&mut self, flow: &mut Vec<usize>, at: &mut usize) {
        match flow.pop() {
            Some(target) => *at = target,
            None => self.said.push(Said::Report("EmptyFlowStack")),
        }
    }

    /// The destination is found before the value is evaluated.
    fn assign(&mut self, ir: &'a FunctionIr, to: TermId, from: TermId) -> Step<()> {
        let target = self.find(ir, to)?;
        if target.is_none() && !matches!(ir.terms[to].ty, PropertyType::Bool) {
            self.said.push(Said::Report("AssignToNone"));
        }
        let value = self.value(ir, from)?;
        if let (Some(Found::Place(place)), Some(value)) = (target, value) {
            self.store(&place, value);
        }
        Ok(())
    }

    fn statement_call(&mut self, ir: &'a FunctionIr, call: &Call) -> Step<()> {
        for array in &call.cleared {
            if let Some(Found::Place(place)) = self.find(ir, *array)? {
                self.store(&place, Val::List(Vec::new()));
            }
        }
        let target = match call.result {
            Some(result) => self.find(ir, result)?,
            None => None,
        };
        let result = if let Some(callee) = self.own_callee(call) {
            let mut frame = self.frame(callee);
            let params = callee.function.arguments().cloned().collect::<Vec<_>>();
            for (param, argument) in params.iter().zip(&call.arguments) {
                if param.is_out() {
                    if let Some(Found::Place(place)) = self.find(ir, *argument)? {
                        frame.bound.insert(param.name.clone(), place);
                    }
                } else if let Some(value) = self.value(ir, *argument)? {
                    let key = (param.name.clone(), 0);
                    if frame.is_ubergraph {
                        self.persistent.insert(key, value);
                    } else {
                        frame.locals.insert(key, value);
                    }
                }
            }
            let frame = self.run(callee, frame)?;
            let result = callee.function.return_param();
            result.and_then(|param| frame.locals.get(&(param.name.clone(), 0)).cloned())
        } else {
            self.native(ir, call)?
        };
        if let (Some(Found::Place(place)), Some(value)) = (target, result) {
            self.store(&place, value);
        }
        Ok(())
    }

    fn own_callee(&self, call: &Call) -> Option<&'a FunctionIr> {
        let found = self.functions.get(&call.target.name).copied();
        found.filter(|_| call.target.is_blueprint)
    }

    fn truth(&mut self, ir: &'a FunctionIr, term: TermId) -> Step<bool> {
        Ok(self.value(ir, term)? == Some(Val::Bool(true)))
    }

    /// The value of a term. None where there is no element: the destination then keeps what it has.
    fn value(&mut self, ir: &'a FunctionIr, term: TermId) -> Step<Option<Val>> {
        let found = &ir.terms[term];
        match &found.kind {
            TermKind::Literal(value) => Ok(Some(from_constant(value, &found.ty, self.registry))),
            TermKind::SelfRef => Ok(Some(Val::Object(true))),
            TermKind::DefaultObject(_) => Ok(Some(Val::Opaque)),
            TermKind::EventOffset(event) => {
                let place = self.functions.values().find_map(|ir| {
                    let mut events = ir.events.iter();
                    events.find(|(name, _)| name == event).map(|(_, id)| id.0)
                });
                match place {
                    Some(place) => Ok(Some(Val::Int(i64::from(place)))),
                    None => Err(Halt::Unknown(format!("event {event}"))),
                }
            }
            TermKind::LatentInfo { .. } => Err(Halt::Unknown("a latent call".to_owned())),
            TermKind::ClassDefault { .. } => Err(Halt::Unknown("a default of a class".to_owned())),
            TermKind::Call(_) => Err(Halt::Unknown("a call within an expression".to_owned())),
            TermKind::Element { .. }
            | TermKind::Switch { .. }
            | TermKind::Local { .. }
            | TermKind::Member { .. } => {
                let found = self.find(ir, term)?;
                Ok(found.map(|found| self.load(found)))
            }
            // A member of nothing is zero.
            TermKind::StructMember { .. } => {
                let value = self.find(ir, term)?.map(|found| self.load(found));
                Ok(Some(
                    value.unwrap_or_else(|| zero(&found.ty, self.registry)),
                ))
            }
        }
    }

    /// Where a term is; none if there is no such element.
    fn find(&mut self, ir: &'a FunctionIr, term: TermId) -> Step<Option<Found>> {
        let root = |root| {
            Ok(Some(Found::Place(Place {
                root,
                path: Vec::new(),
            })))
        };
        match &ir.terms[term].kind {
            TermKind::Local { property, .. } => {
                let key = (property.name().clone(), property.ordinal);
                let depth = self.frames.len() - 1;
                let frame = &self.frames[depth];
                if let Some(place) = frame.bound.get(&key.0) {
                    return Ok(Some(Found::Place(place.clone())));
                }
                root(if frame.is_ubergraph {
                    Root::Persistent(key)
                } else {
                    Root::Local(depth, key)
                })
            }
            TermKind::Member {
                property,
                object: None,
            } => root(Root::Member(property.name().clone())),
            TermKind::Member { .. } => Err(Halt::Unknown("a member of an object".to_owned())),
            TermKind::StructMember {
                property,
                structure,
            } => {
                let name = property.name().clone();
                Ok(match self.find(ir, *structure)? {
                    Some(Found::Place(mut place)) => {
                        place.path.push(Part::Member(name));
                        Some(Found::Place(place))
                    }
                    Some(Found::Temporary(Val::Fields(fields))) => fields
                        .into_iter()
                        .find(|(field, _)| *field == name)
                        .map(|(_, value)| Found::Temporary(value)),
                    Some(Found::Temporary(_)) | None => None,
                })
            }
            TermKind::Element { array, index } => {
                let found = self.find(ir, *array)?;
                let index = match self.value(ir, *index)? {
                    Some(Val::Int(index)) => index,
                    _ => 0,
                };
                let Some(found) = found else {
                    return Ok(None);
                };
                let Val::List(list) = self.load(found.clone()) else {
                    return Err(Halt::Unknown("an element of no array".to_owned()));
                };
                let at = usize::try_from(index).ok().filter(|at| *at < list.len());
                let Some(at) = at else {
                    self.said.push(Said::Report("OutOfBounds"));
                    return Ok(None);
                };
                Ok(Some(match found {
                    Found::Place(mut place) => {
                        place.path.push(Part::Element(at));
                        Found::Place(place)
                    }
                    Found::Temporary(_) => Found::Temporary(list[at].clone()),
                }))
            }
            TermKind::Switch {
                index,
                cases,
                default,
            } => {
                let zero = zero(&ir.terms[*index].ty, self.registry);
                let index = self.value(ir, *index)?.unwrap_or(zero);
                for (case, option) in cases {
                    let case = self.value(ir, *case)?;
                    if case.is_some_and(|case| same(&case, &index)) {
                        return self.find(ir, *option);
                    }
                }
                self.said.push(Said::Report("NoMatch"));
                self.find(ir, *default)
            }
            TermKind::Literal(_)
            | TermKind::SelfRef
            | TermKind::DefaultObject(_)
            | TermKind::EventOffset(_)
            | TermKind::LatentInfo { .. }
            | TermKind::ClassDefault { .. }
            | TermKind::Call(_) => {
                let value = self.value(ir, term)?;
                Ok(value.map(Found::Temporary))
            }
        }
    }

    fn load(&self, found: Found) -> Val {
        match found {
            Found::Temporary(value) => value,
            Found::Place(place) => self.at(&place).cloned().unwrap_or(Val::Opaque),
        }
    }

    fn at(&self, place: &Place) -> Option<&Val> {
        let mut value = match &place.root {
            Root::Local(depth, key) => self.frames.get(*depth)?.locals.get(key)?,
            Root::Persistent(key) => self.persistent.get(key)?,
            Root::Member(name) => self.members.get(name)?,
        };
        for part in &place.path {
            value = match (part, value) {
                (Part::Member(name), Val::Fields(fields)) => {
                    &fields.iter().find(|(field, _)| field == name)?.1
                }
                (Part::Element(at), Val::List(list)) => list.get(*at)?,
                _ => return None,
            };
        }
        Some(value)
    }

    fn at_mut(&mut self, place: &Place) -> Option<&mut Val> {
        let mut value = match &place.root {
            Root::Local(depth, key) => self.frames.get_mut(*depth)?.locals.get_mut(key)?,
            Root::Persistent(key) => self.persistent.get_mut(key)?,
            Root::Member(name) => self.members.get_mut(name)?,
        };
        for part in &place.path {
            value = match (part, value) {
                (Part::Member(name), Val::Fields(fields)) => {
                    &mut fields.iter_mut().find(|(field, _)| field == name)?.1
                }
                (Part::Element(at), Val::List(list)) => list.get_mut(*at)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// An element that is gone in the meantime takes no value.
    fn store(&mut self, place: &Place, value: Val) {
        if let Some(at) = self.at_mut(place) {
            *at = value;
        }
    }
}

fn is_ubergraph(ir: &FunctionIr) -> bool {
    ir.function.name.as_str().starts_with("ExecuteUbergraph_")
}

fn variables(function: &Function, registry: &Registry) -> HashMap<(Name, u16), Val> {
    let mut variables = HashMap::new();
    let mut n_of_name: HashMap<Name, u16> = HashMap::new();
    for property in function.params.iter().chain(&function.locals) {
        let ordinal = n_of_name.entry(property.name.clone()).or_default();
        let key = (property.name.clone(), *ordinal);
        *ordinal += 1;
        variables.insert(key, zero(&property.ty, registry));
    }
    variables
}

/// The zero of a type; of a struct the zeros of its members.
pub fn zero(ty: &PropertyType, registry: &Registry) -> Val {
    from_constant(&Value::zero(ty, registry), ty, registry)
}

/// A constant as a value.
pub fn from_constant(value: &Value, ty: &PropertyType, registry: &Registry) -> Val {
    match (value, ty) {
        (Value::Struct(given), PropertyType::Struct(path)) => {
            let members = registry
                .structure(path)
                .map_or(&[][..], |found| &found.members);
            Val::Fields(
                members
                    .iter()
                    .map(|member| {
                        let given = given.iter().find(|(name, _)| *name == member.name);
                        let value = match given {
                            Some((_, value)) => from_constant(value, &member.ty, registry),
                            None => zero(&member.ty, registry),
                        };
                        (member.name.clone(), value)
                    })
                    .collect(),
            )
        }
        (Value::List(values), PropertyType::Array(inner)) => Val::List(
            values
                .iter()
                .map(|value| from_constant(value, inner, registry))
                .collect(),
        ),
        (Value::Bool(value), _) => Val::Bool(*value),
        (Value::Int(value), PropertyType::Float | PropertyType::Double) => Val::Real(*value as f64),
        (Value::Int(value), _) => Val::Int(*value),
        (Value::Real(value), PropertyType::Float) => Val::Real(f64::from(*value as f32)),
        (Value::Real(value), _) => Val::Real(*value),
        (Value::Name(name), _) => Val::Str(name.to_string()),
        (Value::Str(text), _) => Val::Str(text.to_string()),
        (Value::Object(None), _) => Val::Object(false),
        (Value::Unbound, PropertyType::Delegate(_)) => Val::Bound(None),
        (Value::Unbound, PropertyType::MulticastDelegate(_)) => Val::Bindings(Vec::new()),
        (
            Value::UInt(_)
            | Value::Text(_)
            | Value::Object(Some(_))
            | Value::Struct(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Unbound,
            _,
        ) => Val::Opaque,
    }
}

/// Equality where the engine compares values of any type: strings without case.
fn same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Str(a), Val::Str(b)) => a.to_lowercase() == b.to_lowercase(),
        (Val::List(a), Val::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Val::Fields(a), Val::Fields(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((_, a), (_, b))| same(a, b))
        }
        _ => a == b,
    }
}
