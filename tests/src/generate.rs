//! Blueprints made by chance: valid, small, and sure to end.
//!
//! A seed gives one Blueprint as JSON, always the same. Its functions call only later ones and its events
//! only later events, loops turn a few times, and everything else is free: pure nodes with several
//! consumers, outputs of nodes that may not have run, indices outside of arrays, divisors of zero, returns
//! in the middle; objects that are the Blueprint's own or none and are cast to what they are and are not;
//! dispatchers that functions are bound to, unbound from and called through.

mod objects;

use bp_reflect::Value;
use serde_json::{Map, Value as Json, json};

use crate::rng::Rng;
use objects::{DISPATCHERS, HANDLERS, OBJECTS, handled, handler};

/// Types of generated variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Bool,
    Int,
    Real,
    Str,
    Ints,
    Strs,
    Item,
}

const TYPES: [Ty; 7] = [
    Ty::Bool,
    Ty::Int,
    Ty::Real,
    Ty::Str,
    Ty::Ints,
    Ty::Strs,
    Ty::Item,
];
const SCALARS: [Ty; 4] = [Ty::Bool, Ty::Int, Ty::Real, Ty::Str];

impl Ty {
    fn text(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Real => "double",
            Self::Str => "string",
            Self::Ints => "array<int>",
            Self::Strs => "array<string>",
            Self::Item => "struct:FItem",
        }
    }

    fn element(self) -> Option<Self> {
        match self {
            Self::Ints => Some(Self::Int),
            Self::Strs => Some(Self::Str),
            Self::Bool | Self::Int | Self::Real | Self::Str | Self::Item => None,
        }
    }
}

/// Members of the struct `FItem`.
const MEMBERS: [(&str, Ty); 5] = [
    ("Count", Ty::Int),
    ("Title", Ty::Str),
    ("Sold", Ty::Bool),
    ("Price", Ty::Real),
    ("Parts", Ty::Ints),
];

/// Names of member variables; the type is told by the position in [`TYPES`].
const MEMBER_NAMES: [[&str; 2]; 7] = [
    ["B0", "B1"],
    ["I0", "I1"],
    ["R0", "R1"],
    ["S0", "S1"],
    ["A0", "A1"],
    ["T0", "T1"],
    ["P0", "P1"],
];

const TEXTS: [&str; 8] = ["", "a", "A", "b2", "-7", "häß", "x y", "42abc"];
const INTS: [i64; 9] = [0, 1, 2, 3, -1, 7, 100, i32::MAX as i64, i32::MIN as i64];
const REALS: [f64; 7] = [0.0, 1.0, -2.5, 0.125, 1e6, -1e-3, 3.0];

/// A generated function or event.
#[derive(Clone, Debug)]
struct Callable {
    name: String,
    inputs: Vec<(String, Ty)>,
    outputs: Vec<(String, Ty)>,
    is_pure: bool,
}

/// What is called from outside, with its arguments.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The function.
    pub name: String,
    /// Arguments by name.
    pub arguments: Vec<(String, Value)>,
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The Blueprint.
    pub json: String,
    /// Calls from outside, in order; the first is `ReceiveBeginPlay`.
    pub entries: Vec<Entry>,
    /// Its member variables.
    pub variables: Vec<String>,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let n_functions = 1 + rng.below(3);
    let functions: Vec<Callable> = (0..n_functions)
        .map(|index| signature(&mut rng, format!("F{index}"), true))
        .collect();
    let events: Vec<Callable> = (0..rng.below(3))
        .map(|index| signature(&mut rng, format!("E{index}"), false))
        .collect();
    let mut graphs = vec![event_graph(&mut rng, &events, &functions)];
    for index in 0..functions.len() {
        graphs.push(function_graph(&mut rng, &functions, index, true));
    }
    let handlers: Vec<Callable> = HANDLERS.iter().map(|name| handler(name)).collect();
    for handler in &handlers {
        // It calls nothing, least of all what calls it.
        let alone = std::slice::from_ref(handler);
        graphs.push(function_graph(&mut rng, alone, 0, false));
    }
    let mut variables = Vec::new();
    for (ty, names) in TYPES.iter().zip(MEMBER_NAMES) {
        for name in names {
            variables
                .push(json!({"name": name, "type": ty.text(), "default": constant(&mut rng, *ty)}));
        }
    }
    let members: Vec<Json> = MEMBERS
        .iter()
        .map(|(name, ty)| json!({"name": name, "type": ty.text()}))
        .collect();
    let mut entries = vec![Entry {
        name: "ReceiveBeginPlay".to_owned(),
        arguments: Vec::new(),
    }];
    for name in OBJECTS {
        variables.push(json!({"name": name, "type": "object:Actor"}));
    }
    for callable in functions.iter().chain(&events).chain(&handlers) {
        let arguments = callable.inputs.iter();
        entries.push(Entry {
            name: callable.name.clone(),
            arguments: arguments
                .map(|(name, ty)| (name.clone(), value(&mut rng, *ty)))
                .collect(),
        });
    }
    let blueprint = json!({
        "format": "blueprint/1", "name": "BP_Made", "parent": "Actor", "engine": "5.3",
        "variables": variables,
        "structs": [{"name": "FItem", "members": members}],
        "dispatchers": DISPATCHERS.map(|name| {
            let params: Vec<Json> = handled().iter().map(param).collect();
            json!({"name": name, "params": params})
        }),
        "graphs": graphs,
    });
    Program {
        json: serde_json::to_string(&blueprint).expect("JSON can be written"),
        entries,
        variables: MEMBER_NAMES
            .iter()
            .flatten()
            .map(ToString::to_string)
            .collect(),
    }
}

fn signature(rng: &mut Rng, name: String, has_outputs: bool) -> Callable {
    let is_pure = has_outputs && rng.once_in(4);
    let inputs = (0..rng.below(4))
        .map(|index| (format!("In{index}"), *rng.pick(&TYPES)))
        .collect();
    let n_outputs = if has_outputs {
        usize::from(is_pure) + rng.below(3)
    } else {
        0
    };
    let outputs = (0..n_outputs)
        .map(|index| (format!("Out{index}"), *rng.pick(&TYPES)))
        .collect();
    Callable {
        name,
        inputs,
        outputs,
        is_pure,
    }
}

fn constant(rng: &mut Rng, ty: Ty) -> Json {
    match ty {
        Ty::Bool => json!(rng.once_in(2)),
        Ty::Int => json!(rng.pick(&INTS)),
        Ty::Real => json!(rng.pick(&REALS)),
        Ty::Str => json!(rng.pick(&TEXTS)),
        Ty::Ints => (0..rng.below(4)).map(|_| constant(rng, Ty::Int)).collect(),
        Ty::Strs => (0..rng.below(4)).map(|_| constant(rng, Ty::Str)).collect(),
        Ty::Item => {
            let mut item = Map::new();
            for (name, ty) in MEMBERS {
                item.insert(name.to_owned(), constant(rng, ty));
            }
            Json::Object(item)
        }
    }
}

fn value(rng: &mut Rng, ty: Ty) -> Value {
    match ty {
        Ty::Bool => Value::Bool(rng.once_in(2)),
        Ty::Int => Value::Int(*rng.pick(&INTS)),
        Ty::Real => Value::Real(*rng.pick(&REALS)),
        Ty::Str => Value::Str((*rng.pick(&TEXTS)).into()),
        Ty::Ints => Value::List((0..rng.below(4)).map(|_| value(rng, Ty::Int)).collect()),
        Ty::Strs => Value::List((0..rng.below(4)).map(|_| value(rng, Ty::Str)).collect()),
        Ty::Item => Value::Struct(
            MEMBERS
                .iter()
                .map(|(name, ty)| ((*name).into(), value(rng, *ty)))
                .collect(),
        ),
    }
}

fn event_graph(rng: &mut Rng, events: &[Callable], functions: &[Callable]) -> Json {
    let mut graph = Graph::new(rng, functions);
    graph.node("begin", "Event", json!({"event": "ReceiveBeginPlay"}));
    graph.events = events;
    graph.chain("begin.then".to_owned(), 4, 2);
    for (index, event) in events.iter().enumerate() {
        let params: Vec<Json> = event.inputs.iter().map(param).collect();
        let id = format!("event{index}");
        graph.node(
            &id,
            "CustomEvent",
            json!({"name": event.name, "params": params}),
        );
        for (name, ty) in &event.inputs {
            graph.outputs.push((format!("{id}.{name}"), *ty));
        }
        graph.events = &events[index + 1..];
        graph.chain(format!("{id}.then"), 4, 2);
    }
    graph.finish(json!({"name": "EventGraph", "kind": "event"}))
}

fn function_graph(rng: &mut Rng, functions: &[Callable], index: usize, broadcasts: bool) -> Json {
    let own = functions[index].clone();
    let n_locals = rng.below(3);
    let locals: Vec<(String, Ty)> = (0..n_locals)
        .map(|index| (format!("L{index}"), *rng.pick(&TYPES)))
        .collect();
    let local_json: Vec<Json> = locals
        .iter()
        .map(|(name, ty)| {
            if rng.once_in(2) {
                json!({"name": name, "type": ty.text(), "default": constant(rng, *ty)})
            } else {
                json!({"name": name, "type": ty.text()})
            }
        })
        .collect();
    let mut graph = Graph::new(rng, &functions[index + 1..]);
    graph.locals = locals;
    graph.own_outputs.clone_from(&own.outputs);
    graph.in_function = true;
    graph.broadcasts = broadcasts;
    for (name, ty) in &own.inputs {
        graph.outputs.push((format!("entry.{name}"), *ty));
    }
    let from = graph.chain("entry.then".to_owned(), 4, 2);
    if !own.outputs.is_empty() || graph.rng.once_in(2) {
        graph.give_results();
        graph.link(from, "result.execute");
    }
    let inputs: Vec<Json> = own.inputs.iter().map(param).collect();
    let outputs: Vec<Json> = own.outputs.iter().map(param).collect();
    let flags = if own.is_pure {
        json!(["pure"])
    } else {
        json!([])
    };
    graph.finish(json!({
        "name": own.name, "kind": "function", "flags": flags,
        "inputs": inputs, "outputs": outputs, "locals": local_json,
    }))
}

fn param((name, ty): &(String, Ty)) -> Json {
    json!({"name": name, "type": ty.text()})
}

/// Where a value comes from.
enum Source {
    Pin(String),
    Literal(Json),
}

struct Graph<'g> {
    rng: &'g mut Rng,
    functions: &'g [Callable],
    events: &'g [Callable],
    locals: Vec<(String, Ty)>,
    own_outputs: Vec<(String, Ty)>,
    in_function: bool,
    /// Whether dispatchers may be called here.
    broadcasts: bool,
    has_results: bool,
    /// Outputs of nodes so far that hold their value, by type.
    outputs: Vec<(String, Ty)>,
    /// Loops around what is being made; few, so that the program ends soon.
    loops: usize,
    nodes: Vec<Map<String, Json>>,
    links: Vec<(String, String)>,
}

impl<'g> Graph<'g> {
    fn new(rng: &'g mut Rng, functions: &'g [Callable]) -> Self {
        Self {
            rng,
            functions,
            events: &[],
            locals: Vec::new(),
            own_outputs: Vec::new(),
            in_function: false,
            broadcasts: true,
            has_results: false,
            outputs: Vec::new(),
            loops: 0,
            nodes: Vec::new(),
            links: Vec::new(),
        }
    }

    fn finish(self, head: Json) -> Json {
        let mut graph = head;
        graph["nodes"] = self.nodes.into_iter().map(Json::Object).collect();
        graph["links"] = self
            .links
            .into_iter()
            .map(|(from, to)| json!([from, to]))
            .collect();
        graph
    }

    fn node(&mut self, id: &str, class: &str, keys: Json) {
        let mut node = Map::new();
        node.insert("id".to_owned(), json!(id));
        node.insert("class".to_owned(), json!(class));
        if let Json::Object(keys) = keys {
            node.extend(keys);
        }
        self.nodes.push(node);
    }

    /// Adds a node; gives its id.
    fn add(&mut self, class: &str, keys: Json) -> String {
        let id = format!("n{}", self.nodes.len());
        self.node(&id, class, keys);
        id
    }

    fn link(&mut self, from: impl Into<String>, to: impl Into<String>) {
        self.links.push((from.into(), to.into()));
    }

    /// Gives a pin a value of a type.
    fn feed(&mut self, id: &str, pin: &str, ty: Ty, depth: usize) {
        let source = self.source(ty, depth);
        self.connect(id, pin, source);
    }

    fn connect(&mut self, id: &str, pin: &str, source: Source) {
        match source {
            Source::Pin(from) => self.link(from, format!("{id}.{pin}")),
            Source::Literal(value) => {
                let node = self.nodes.iter_mut().find(|node| node["id"] == json!(id));
                let node = node.expect("the node was added");
                let pins = node.entry("pins").or_insert_with(|| json!({}));
                pins[pin] = value;
            }
        }
    }

    fn function_node(&mut self, class: &str, function: &str) -> String {
        self.add(class, json!({"function": function}))
    }

    fn variable(&mut self, ty: Ty) -> String {
        let (name, is_local) = self.place(ty);
        let mut keys = json!({"variable": name});
        if is_local {
            keys["local"] = json!(true);
        }
        let id = self.add("VariableGet", keys);
        format!("{id}.{name}")
    }

    /// A variable of a type, and whether it is local.
    fn place(&mut self, ty: Ty) -> (String, bool) {
        let fitting: Vec<String> = self
            .locals
            .iter()
            .filter(|(_, local)| *local == ty)
            .map(|(name, _)| name.clone())
            .collect();
        if !fitting.is_empty() && self.rng.once_in(2) {
            return (self.rng.pick(&fitting).clone(), true);
        }
        let at = TYPES.iter().position(|known| *known == ty);
        let names = MEMBER_NAMES[at.expect("the type is one of them")];
        ((*self.rng.pick(&names)).to_owned(), false)
    }

    fn output(&mut self, ty: Ty) -> Option<Source> {
        let fitting: Vec<&String> = self
            .outputs
            .iter()
            .filter(|(_, output)| *output == ty)
            .map(|(pin, _)| pin)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let at = self.rng.below(fitting.len());
        Some(Source::Pin(fitting[at].clone()))
    }

    fn source(&mut self, ty: Ty, depth: usize) -> Source {
        if self.rng.once_in(3)
            && let Some(source) = self.output(ty)
        {
            return source;
        }
        let is_leaf = depth == 0 || self.rng.once_in(4);
        if is_leaf {
            let has_literal = SCALARS.contains(&ty);
            return if has_literal && self.rng.once_in(2) {
                Source::Literal(constant(self.rng, ty))
            } else {
                Source::Pin(self.variable(ty))
            };
        }
        // A Select of arrays is not read yet.
        if ty.element().is_none() && self.rng.once_in(8) {
            return self.select(ty, depth - 1);
        }
        if self.rng.once_in(6)
            && let Some(source) = self.pure_call(ty, depth - 1)
        {
            return source;
        }
        let pin = self.operator(ty, depth - 1);
        // A pure node may have several consumers.
        if self.rng.once_in(4) {
            self.outputs.push((pin.clone(), ty));
        }
        Source::Pin(pin)
    }

    fn select(&mut self, ty: Ty, depth: usize) -> Source {
        let index = *self.rng.pick(&[Ty::Bool, Ty::Int]);
        let n_options = if index == Ty::Bool {
            2
        } else {
            2 + self.rng.below(2)
        };
        let id = self.add(
            "Select",
            json!({"index": index.text(), "type": ty.text(), "options": n_options}),
        );
        self.feed(&id, "Index", index, depth);
        for option in 0..n_options {
            self.feed(&id, &format!("Option {option}"), ty, depth);
        }
        Source::Pin(format!("{id}.ReturnValue"))
    }

    fn pure_call(&mut self, ty: Ty, depth: usize) -> Option<Source> {
        if self.loops > 1 {
            return None;
        }
        let fitting: Vec<(&Callable, &String)> = self
            .functions
            .iter()
            .filter(|function| function.is_pure)
            .flat_map(|function| {
                function
                    .outputs
                    .iter()
                    .map(move |output| (function, output))
            })
            .filter(|(_, (_, output))| *output == ty)
            .map(|(function, (name, _))| (function, name))
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let (function, output) = fitting[self.rng.below(fitting.len())];
        let (function, output) = (function.clone(), output.clone());
        let id = self.function_node("CallFunction", &function.name);
        for (name, ty) in &function.inputs {
            self.feed_input(&id, name, *ty, depth);
        }
        Some(Source::Pin(format!("{id}.{output}")))
    }

    /// An input of a function: containers are passed by their place, so they come from variables.
    fn feed_input(&mut self, id: &str, name: &str, ty: Ty, depth: usize) {
        if ty.element().is_some() {
            let pin = self.variable(ty);
            self.link(pin, format!("{id}.{name}"));
        } else {
            self.feed(id, name, ty, depth);
        }
    }

    /// A pure node of a type; gives its output.
    fn operator(&mut self, ty: Ty, depth: usize) -> String {
        use Ty::{Bool, Int, Ints, Item, Real, Str, Strs};
        const M: &str = "KismetMathLibrary.";
        const S: &str = "KismetStringLibrary.";
        type Row = (&'static str, &'static str, &'static [(&'static str, Ty)]);
        const AB_INT: &[(&str, Ty)] = &[("A", Int), ("B", Int)];
        const AB_REAL: &[(&str, Ty)] = &[("A", Real), ("B", Real)];
        const AB_STR: &[(&str, Ty)] = &[("A", Str), ("B", Str)];
        const AB_BOOL: &[(&str, Ty)] = &[("A", Bool), ("B", Bool)];
        const INT: &[Row] = &[
            (M, "Add_IntInt", AB_INT),
            (M, "Subtract_IntInt", AB_INT),
            (M, "Multiply_IntInt", AB_INT),
            (M, "Divide_IntInt", AB_INT),
            (M, "Percent_IntInt", AB_INT),
            (M, "Max", AB_INT),
            (M, "Min", AB_INT),
            (M, "And_IntInt", AB_INT),
            (M, "Or_IntInt", AB_INT),
            (M, "Xor_IntInt", AB_INT),
            (M, "Not_Int", &[("A", Int)]),
            (M, "SelectInt", &[("A", Int), ("B", Int), ("bPickA", Bool)]),
            (S, "Len", &[("S", Str)]),
            (S, "Conv_StringToInt", &[("InString", Str)]),
        ];
        const BOOL: &[Row] = &[
            (M, "Less_IntInt", AB_INT),
            (M, "LessEqual_IntInt", AB_INT),
            (M, "Greater_IntInt", AB_INT),
            (M, "GreaterEqual_IntInt", AB_INT),
            (M, "EqualEqual_IntInt", AB_INT),
            (M, "NotEqual_IntInt", AB_INT),
            (M, "Less_DoubleDouble", AB_REAL),
            (M, "GreaterEqual_DoubleDouble", AB_REAL),
            (M, "BooleanAND", AB_BOOL),
            (M, "BooleanOR", AB_BOOL),
            (M, "BooleanXOR", AB_BOOL),
            (M, "EqualEqual_BoolBool", AB_BOOL),
            (M, "Not_PreBool", &[("A", Bool)]),
            (S, "IsEmpty", &[("InString", Str)]),
            (S, "EqualEqual_StrStr", AB_STR),
            (S, "NotEqual_StriStri", AB_STR),
        ];
        const REAL: &[Row] = &[
            (M, "Add_DoubleDouble", AB_REAL),
            (M, "Subtract_DoubleDouble", AB_REAL),
            (M, "Multiply_DoubleDouble", AB_REAL),
            (M, "Divide_DoubleDouble", AB_REAL),
            (M, "Conv_IntToDouble", &[("InInt", Int)]),
        ];
        const STR: &[Row] = &[
            (S, "Concat_StrStr", AB_STR),
            (S, "Concat_StrStr", AB_STR),
            (S, "ToUpper", &[("SourceString", Str)]),
            (S, "Reverse", &[("SourceString", Str)]),
            (S, "Conv_IntToString", &[("InInt", Int)]),
            (S, "Conv_BoolToString", &[("InBool", Bool)]),
            (S, "Conv_DoubleToString", &[("InDouble", Real)]),
            (
                M,
                "SelectString",
                &[("A", Str), ("B", Str), ("bPickA", Bool)],
            ),
        ];
        let rows = match ty {
            Int => INT,
            Bool => BOOL,
            Real => REAL,
            Str => STR,
            Ints | Strs | Item => &[],
        };
        // Besides the functions: parts of structs and arrays, and questions about arrays.
        let of_rows = !rows.is_empty() && !self.rng.once_in(4);
        if of_rows {
            let (library, function, inputs) = *self.rng.pick(rows);
            let id = self.function_node("CallFunction", &format!("{library}{function}"));
            for (pin, ty) in inputs {
                self.feed(&id, pin, *ty, depth);
            }
            return format!("{id}.ReturnValue");
        }
        match ty {
            Item => {
                let id = self.add("MakeStruct", json!({"struct": "FItem"}));
                for (name, ty) in MEMBERS {
                    self.feed(&id, name, ty, depth);
                }
                format!("{id}.FItem")
            }
            Ints | Strs => {
                let element = ty.element().expect("an array has elements");
                let n_elements = 1 + self.rng.below(3);
                let id = self.add(
                    "MakeArray",
                    json!({"inputs": n_elements, "type": ty.text()}),
                );
                for at in 0..n_elements {
                    self.feed(&id, &format!("[{at}]"), element, depth);
                }
                format!("{id}.Array")
            }
            Bool | Int | Real | Str => self.part(ty, depth),
        }
    }

    /// A member of a struct, an element of an array, or what is asked about one.
    fn part(&mut self, ty: Ty, depth: usize) -> String {
        let array = match ty {
            Ty::Int => Some(Ty::Ints),
            Ty::Str => Some(Ty::Strs),
            Ty::Bool | Ty::Real | Ty::Ints | Ty::Strs | Ty::Item => None,
        };
        match (array, self.rng.below(3)) {
            (Some(array), 0) => {
                let by_ref = self.rng.once_in(2);
                let id = self.add(
                    "GetArrayItem",
                    json!({"by_ref": by_ref, "type": array.text()}),
                );
                let from = self.variable(array);
                self.link(from, format!("{id}.Array"));
                let index = if self.rng.once_in(2) {
                    Source::Literal(json!(self.rng.below(4) as i64 - 1))
                } else {
                    self.source(Ty::Int, depth)
                };
                self.connect(&id, "Dimension 1", index);
                format!("{id}.Output")
            }
            (_, 1) if matches!(ty, Ty::Int | Ty::Bool) => {
                let array = *self.rng.pick(&[Ty::Ints, Ty::Strs]);
                let element = array.element().expect("an array has elements");
                let item = [("ItemToFind", element)];
                let index = [("IndexToTest", Ty::Int)];
                let (function, extra): (&str, &[(&str, Ty)]) = match (ty, self.rng.below(3)) {
                    (Ty::Int, 0) => ("Array_Length", &[]),
                    (Ty::Int, 1) => ("Array_LastIndex", &[]),
                    (Ty::Int, _) => ("Array_Find", &item),
                    (_, 0) => ("Array_IsValidIndex", &index),
                    _ => ("Array_Contains", &item),
                };
                let id = self.array_node(function, array, extra, depth);
                format!("{id}.ReturnValue")
            }
            _ => {
                let id = self.add("BreakStruct", json!({"struct": "FItem"}));
                let from = self.variable(Ty::Item);
                self.link(from, format!("{id}.FItem"));
                let (name, _) = MEMBERS
                    .iter()
                    .find(|(_, member)| *member == ty)
                    .expect("every scalar type has a member");
                format!("{id}.{name}")
            }
        }
    }

    fn array_node(
        &mut self,
        function: &str,
        array: Ty,
        extra: &[(&str, Ty)],
        depth: usize,
    ) -> String {
        let id = self.function_node(
            "CallArrayFunction",
            &format!("KismetArrayLibrary.{function}"),
        );
        let from = self.variable(array);
        self.link(from, format!("{id}.TargetArray"));
        for (pin, ty) in extra {
            self.feed(&id, pin, *ty, depth);
        }
        id
    }

    // ---- what is executed

    /// Statements behind an exec output; gives the exec output at their end.
    fn chain(&mut self, from: String, most: usize, depth: usize) -> String {
        let mut from = from;
        for _ in 0..=self.rng.below(most) {
            from = self.statement(from, depth);
        }
        from
    }

    /// A side branch, which ends somewhere.
    fn branch(&mut self, from: String, depth: usize) {
        if self.rng.once_in(5) {
            return;
        }
        let end = self.chain(from, 2, depth - 1);
        if self.in_function && self.rng.once_in(6) {
            self.give_results();
            self.link(end, "result.execute");
        }
    }

    fn give_results(&mut self) {
        if self.has_results {
            return;
        }
        self.has_results = true;
        if self.own_outputs.is_empty() {
            return;
        }
        self.node("result", "FunctionResult", json!({}));
        for (name, ty) in self.own_outputs.clone() {
            self.feed("result", &name, ty, 2);
        }
    }

    fn statement(&mut self, from: String, depth: usize) -> String {
        if depth > 0 && self.rng.once_in(3) {
            return self.flow(from, depth);
        }
        match self.rng.below(11) {
            8 => self.object_statement(from, depth),
            9 | 10 => self.delegate_statement(from),
            0 | 1 => {
                let ty = *self.rng.pick(&TYPES);
                let (name, is_local) = self.place(ty);
                let mut keys = json!({"variable": name});
                if is_local {
                    keys["local"] = json!(true);
                }
                let id = self.add("VariableSet", keys);
                self.link(from, format!("{id}.execute"));
                self.feed(&id, &name, ty, 3);
                if self.rng.once_in(3) {
                    self.outputs.push((format!("{id}.Output_Get"), ty));
                }
                format!("{id}.then")
            }
            2 | 3 => {
                let id = self.function_node("CallFunction", "PrintString");
                self.link(from, format!("{id}.execute"));
                self.feed(&id, "InString", Ty::Str, 3);
                format!("{id}.then")
            }
            4 => self.call(from),
            5 => {
                let id = self.add(
                    "SetFieldsInStruct",
                    json!({"struct": "FItem", "show": ["Count", "Title", "Parts"]}),
                );
                self.link(from, format!("{id}.execute"));
                let place = self.variable(Ty::Item);
                self.link(place, format!("{id}.StructRef"));
                for (name, ty) in [("Count", Ty::Int), ("Title", Ty::Str), ("Parts", Ty::Ints)] {
                    self.feed(&id, name, ty, 2);
                }
                format!("{id}.then")
            }
            _ => self.array_statement(from),
        }
    }

    fn array_statement(&mut self, from: String) -> String {
        let array = *self.rng.pick(&[Ty::Ints, Ty::Strs]);
        let item = array.element().expect("an array has elements");
        let int = Ty::Int;
        let index_source = self.rng.below(4) as i64 - 1;
        let (function, extra, index_pin): (&str, Vec<(&str, Ty)>, &str) = match self.rng.below(11) {
            0 | 1 => ("Array_Add", vec![("NewItem", item)], ""),
            2 => ("Array_AddUnique", vec![("NewItem", item)], ""),
            3 => ("Array_RemoveItem", vec![("Item", item)], ""),
            4 => ("Array_Append", vec![], "SourceArray"),
            5 => ("Array_Insert", vec![("NewItem", item)], "Index"),
            6 => ("Array_Remove", vec![], "IndexToRemove"),
            7 => (
                "Array_Set",
                vec![("Item", item), ("bSizeToFit", Ty::Bool)],
                "Index",
            ),
            8 => ("Array_Swap", vec![("SecondIndex", int)], "FirstIndex"),
            9 => ("Array_Reverse", vec![], ""),
            _ => ("Array_Clear", vec![], ""),
        };
        let id = self.array_node(function, array, &extra, 2);
        match index_pin {
            "" => {}
            "SourceArray" => {
                let source = self.variable(array);
                self.link(source, format!("{id}.SourceArray"));
            }
            pin => self.connect(&id, pin, Source::Literal(json!(index_source))),
        }
        self.link(from, format!("{id}.execute"));
        format!("{id}.then")
    }

    fn call(&mut self, from: String) -> String {
        let mut callables: Vec<Callable> = self
            .functions
            .iter()
            .chain(self.events)
            .filter(|callable| !callable.is_pure)
            .cloned()
            .collect();
        if callables.is_empty() || self.loops > 1 {
            return from;
        }
        let callable = callables.swap_remove(self.rng.below(callables.len()));
        let id = self.function_node("CallFunction", &callable.name);
        self.link(from, format!("{id}.execute"));
        for (name, ty) in &callable.inputs {
            self.feed_input(&id, name, *ty, 2);
        }
        for (name, ty) in &callable.outputs {
            self.outputs.push((format!("{id}.{name}"), *ty));
        }
        format!("{id}.then")
    }

    fn flow(&mut self, from: String, depth: usize) -> String {
        match self.rng.below(8) {
            0 | 1 => {
                let id = self.add("IfThenElse", json!({}));
                self.link(from, format!("{id}.execute"));
                self.feed(&id, "Condition", Ty::Bool, 2);
                if self.rng.once_in(2) {
                    self.branch(format!("{id}.else"), depth);
                    format!("{id}.then")
                } else {
                    self.branch(format!("{id}.then"), depth);
                    format!("{id}.else")
                }
            }
            2 => {
                let n_outputs = 2 + self.rng.below(2);
                let id = self.add("ExecutionSequence", json!({"outputs": n_outputs}));
                self.link(from, format!("{id}.execute"));
                for output in 0..n_outputs - 1 {
                    self.branch(format!("{id}.then_{output}"), depth);
                }
                format!("{id}.then_{}", n_outputs - 1)
            }
            3 => {
                let id = self.add("SwitchInteger", json!({"start": 0, "count": 2}));
                self.link(from, format!("{id}.execute"));
                self.feed(&id, "Selection", Ty::Int, 2);
                self.branch(format!("{id}.0"), depth);
                self.branch(format!("{id}.1"), depth);
                format!("{id}.Default")
            }
            4 => {
                let id = self.add("SwitchString", json!({"cases": ["a", "b2"]}));
                self.link(from, format!("{id}.execute"));
                self.feed(&id, "Selection", Ty::Str, 2);
                self.branch(format!("{id}.a"), depth);
                self.branch(format!("{id}.b2"), depth);
                format!("{id}.Default")
            }
            5 => {
                let macros: &[&str] = if self.in_function {
                    // Those with a state of their own are for event graphs.
                    return self.counted_loop(from, depth);
                } else {
                    &["DoOnce", "FlipFlop"]
                };
                let name = *self.rng.pick(macros);
                let id = self.add("MacroInstance", json!({"macro": name}));
                self.link(from, format!("{id}.execute"));
                if name == "DoOnce" {
                    return format!("{id}.Completed");
                }
                self.branch(format!("{id}.A"), depth);
                self.outputs.push((format!("{id}.IsA"), Ty::Bool));
                format!("{id}.B")
            }
            6 => self.counted_loop(from, depth),
            _ => self.each_loop(from, depth),
        }
    }

    fn counted_loop(&mut self, from: String, depth: usize) -> String {
        if self.loops > 1 {
            return from;
        }
        let first = self.rng.below(3) as i64;
        let last = self.rng.below(4) as i64;
        let id = self.add(
            "MacroInstance",
            json!({"macro": "ForLoop", "pins": {"FirstIndex": first, "LastIndex": last}}),
        );
        self.link(from, format!("{id}.execute"));
        self.outputs.push((format!("{id}.Index"), Ty::Int));
        self.body(format!("{id}.LoopBody"), depth);
        format!("{id}.Completed")
    }

    fn each_loop(&mut self, from: String, depth: usize) -> String {
        if self.loops > 0 {
            return from;
        }
        let array = *self.rng.pick(&[Ty::Ints, Ty::Strs]);
        let with_break = self.rng.once_in(2);
        let name = if with_break {
            "ForEachLoopWithBreak"
        } else {
            "ForEachLoop"
        };
        let id = self.add(
            "MacroInstance",
            json!({"macro": name, "type": array.element().map(Ty::text)}),
        );
        self.link(from, format!("{id}.Exec"));
        // A copy: what the body does to the array must not make the loop endless.
        let list = self.operator(array, 1);
        self.link(list, format!("{id}.Array"));
        let element = array.element().expect("an array has elements");
        self.outputs.push((format!("{id}.Array Element"), element));
        self.outputs.push((format!("{id}.Array Index"), Ty::Int));
        if with_break && self.rng.once_in(2) {
            let test = self.add("IfThenElse", json!({}));
            self.link(format!("{id}.LoopBody"), format!("{test}.execute"));
            self.feed(&test, "Condition", Ty::Bool, 2);
            self.link(format!("{test}.then"), format!("{id}.Break"));
            self.body(format!("{test}.else"), depth);
        } else {
            self.body(format!("{id}.LoopBody"), depth);
        }
        format!("{id}.Completed")
    }

    fn body(&mut self, from: String, depth: usize) {
        self.loops += 1;
        self.branch(from, depth);
        self.loops -= 1;
    }
}
