//! `K2Node_MathExpression`: a formula becomes one expression, its calls within each other.
//!
//! The editor keeps the formula's calls in a graph inside the node. A node that has none, as written by
//! hand, gets the calls that its text says.
//!
//! Source: 1 node in a real package (UE 5.3), whose function is reproduced. Assumed: which functions a
//! text without a graph means, as the editor chooses them when the text is typed.

use bp_diag::Code;
use bp_graph::nodes::formula::Formula as Text;
use bp_graph::{Direction, Graph, Node, NodeId, PinId, PinType};
use bp_reflect::{FunctionFlags, Name, PropertyType};

use crate::expand::Expander;
use crate::expanded::{Callee, ExNodeId, Formula, Op};
use crate::lent::Lent;

/// Deeper formulas do not fit the stack of whoever walks them; the editor's have a few levels.
const MAX_DEPTH: usize = 200;

/// More calls come of a graph whose results feed several others, each of which repeats them.
const MAX_CALLS: usize = 10_000;

/// `K2Node_MathExpression`.
pub(super) fn math_expression(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let found = match drawn_inside(x, id) {
        Some(inside) => of_graph(x, id, inside),
        None => of_text(x, id),
    };
    match found {
        Ok(formula) => x.graph.node_mut(id).op = Op::Formula(Box::new(formula)),
        Err((code, message)) => {
            x.error(id, code, message, None);
            x.graph.dissolve(id);
        }
    }
}

type Found<'a> = Result<Formula<'a>, (Code, String)>;

fn drawn_inside<'a>(x: &Expander<'a, '_>, id: ExNodeId) -> Option<&'a Graph> {
    let origin = x.graph.origin(x.graph.node(id).origin);
    let child = origin.graph.nodes[origin.node?].child?;
    origin.graph.children.get(child)
}

// ---- from the graph inside

fn of_graph<'a>(x: &mut Expander<'a, '_>, id: ExNodeId, inside: &'a Graph) -> Found<'a> {
    let result = inside.results().next().and_then(|exit| {
        inside
            .pins_of(exit)
            .find(|(_, pin)| pin.direction == Direction::Input && !pin.is_exec())
    });
    let Some((pin, _)) = result else {
        return Err((Code::NodeProperty, "the formula has no result".to_owned()));
    };
    Inside {
        x,
        id,
        graph: inside,
        n_calls: 0,
    }
    .operand(pin, "ReturnValue", 0)
}

struct Inside<'a, 'x, 'c> {
    x: &'x mut Expander<'a, 'c>,
    id: ExNodeId,
    graph: &'a Graph,
    n_calls: usize,
}

impl<'a> Inside<'a, '_, '_> {
    /// What an input of a node inside reads.
    fn operand(&mut self, pin: PinId, name: &str, depth: usize) -> Found<'a> {
        let data = &self.graph.pins[pin];
        let Some(source) = data.links.first().copied() else {
            let input = self.x.graph.input(self.id, name, Lent::Of(&data.ty));
            self.x.graph.pins[input].default = Lent::Of(&data.default);
            return Ok(Formula::Input(input));
        };
        if depth > MAX_DEPTH {
            let message = "the formula's calls feed each other in a ring, or nest too deep";
            return Err((Code::DataCycle, message.to_owned()));
        }
        let node_id = self.graph.pins[source].node;
        let node = &self.graph.nodes[node_id];
        if node.is_tunnel() {
            let outer = &self.graph.pins[source].name;
            return match self.x.graph.in_pin(self.id, outer.as_str()) {
                Some(input) => Ok(Formula::Input(input)),
                None => Err((
                    Code::NodeProperty,
                    format!("the formula reads `{outer}`, which the node has no pin for"),
                )),
            };
        }
        if node.class == "K2Node_Knot" {
            let entry = self.input_of(node_id, None);
            return match entry {
                Some(entry) => self.operand(entry, name, depth + 1),
                None => Err((Code::NodeProperty, "a knot has no input".to_owned())),
            };
        }
        self.call(node_id, node, depth)
    }

    fn call(&mut self, node_id: NodeId, node: &Node, depth: usize) -> Found<'a> {
        self.n_calls += 1;
        if self.n_calls > MAX_CALLS {
            return Err((
                Code::NodeProperty,
                format!("the formula is one of more than {MAX_CALLS} calls"),
            ));
        }
        let Some(reference) = node.properties.member("FunctionReference") else {
            return Err((
                Code::NodeProperty,
                format!("a formula cannot hold a node of class `{}`", node.class),
            ));
        };
        let Some(callee) = self.x.cx.function(&reference) else {
            return Err((
                Code::FuncNotFound,
                format!("could not find a function named `{}`", reference.name),
            ));
        };
        if !is_usable(callee) {
            return Err((
                Code::NodeProperty,
                format!("{} cannot be part of a formula", callee.function.name),
            ));
        }
        let mut operands = Vec::new();
        for param in callee.function.arguments() {
            let pin = self.input_of(node_id, Some(&param.name));
            let Some(pin) = pin else {
                return Err((
                    Code::FuncPinMissing,
                    format!(
                        "parameter `{}` of {} has no pin",
                        param.name, callee.function.name
                    ),
                ));
            };
            let name = format!("{}_{}", callee.function.name, param.name);
            operands.push(self.operand(pin, &name, depth + 1)?);
        }
        Ok(Formula::Call { callee, operands })
    }

    fn input_of(&self, node: NodeId, name: Option<&Name>) -> Option<PinId> {
        self.graph
            .pins_of(node)
            .find(|(_, pin)| {
                pin.direction == Direction::Input
                    && !pin.is_exec()
                    && name.is_none_or(|name| pin.name == *name)
            })
            .map(|(pin, _)| pin)
    }
}

/// A static pure function without outputs but its result.
fn is_usable(callee: Callee<'_>) -> bool {
    let function = callee.function;
    function.flags.contains(FunctionFlags::STATIC)
        && function.is_pure()
        && function.return_param().is_some()
        && function.arguments().all(|param| !param.is_output())
}

// ---- from its text

/// What an operand of a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Real,
    Bool,
}

fn of_text<'a>(x: &mut Expander<'a, '_>, id: ExNodeId) -> Found<'a> {
    let text = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.text("Expression"))
        .unwrap_or_default();
    let text = Text::parse(text).map_err(|error| (Code::BadValue, error.to_string()))?;
    let (formula, _) = built(x, id, &text)?;
    Ok(formula)
}

fn built<'a>(
    x: &mut Expander<'a, '_>,
    id: ExNodeId,
    text: &Text,
) -> Result<(Formula<'a>, Kind), (Code, String)> {
    match text {
        Text::Number(number) => Ok((literal(x, id, Kind::Real, number), Kind::Real)),
        Text::Bool(value) => {
            let value = if *value { "true" } else { "false" };
            Ok((literal(x, id, Kind::Bool, value), Kind::Bool))
        }
        Text::Variable(name) => match x.graph.in_pin(id, name) {
            Some(pin) => {
                let is_bool = x.graph.pins[pin].ty.category == bp_graph::PinCategory::Bool;
                let kind = if is_bool { Kind::Bool } else { Kind::Real };
                Ok((Formula::Input(pin), kind))
            }
            None => Err((
                Code::NodeProperty,
                format!("the node has no input `{name}`"),
            )),
        },
        Text::Prefix("!", operand) => {
            let operand = built(x, id, operand)?;
            function(x, "!", &["Not_PreBool".to_owned()], vec![operand])
        }
        Text::Prefix(_, operand) => {
            if let Text::Number(number) = &**operand {
                let number = format!("-{number}");
                return Ok((literal(x, id, Kind::Real, &number), Kind::Real));
            }
            let operand = built(x, id, operand)?;
            let minus = (literal(x, id, Kind::Real, "-1.0"), Kind::Real);
            let names = suffixed(x, "Multiply", Kind::Real);
            function(x, "-", &names, vec![minus, operand])
        }
        Text::Infix(operator, left, right) => {
            let left = built(x, id, left)?;
            let right = built(x, id, right)?;
            let names = match *operator {
                "||" => vec!["BooleanOR".to_owned()],
                "&&" => vec!["BooleanAND".to_owned()],
                _ => {
                    let word = OPERATORS
                        .iter()
                        .find(|(known, _)| known == operator)
                        .map_or("", |(_, word)| word);
                    suffixed(x, word, left.1)
                }
            };
            function(x, operator, &names, vec![left, right])
        }
        Text::Call(name, operands) => {
            let operands = operands
                .iter()
                .map(|operand| built(x, id, operand))
                .collect::<Result<Vec<_>, _>>()?;
            let names = [name.clone(), format!("F{name}")];
            function(x, name, &names, operands)
        }
    }
}

/// How the functions of operators begin.
const OPERATORS: &[(&str, &str)] = &[
    ("==", "EqualEqual"),
    ("!=", "NotEqual"),
    ("<", "Less"),
    (">", "Greater"),
    ("<=", "LessEqual"),
    (">=", "GreaterEqual"),
    ("+", "Add"),
    ("-", "Subtract"),
    ("*", "Multiply"),
    ("/", "Divide"),
    ("%", "Percent"),
];

/// An operator's function by the type of its operands. Since 5.0 most work on doubles; some kept their
/// name.
fn suffixed(x: &Expander<'_, '_>, word: &str, kind: Kind) -> Vec<String> {
    match kind {
        Kind::Bool => vec![format!("{word}_BoolBool")],
        Kind::Real if x.cx.engine.has_large_world_coordinates() => {
            vec![format!("{word}_DoubleDouble"), format!("{word}_FloatFloat")]
        }
        Kind::Real => vec![format!("{word}_FloatFloat")],
    }
}

/// The first function of those names that takes the operands.
fn function<'a>(
    x: &Expander<'a, '_>,
    shown: &str,
    names: &[String],
    operands: Vec<(Formula<'a>, Kind)>,
) -> Result<(Formula<'a>, Kind), (Code, String)> {
    for name in names {
        let Some(callee) = x.cx.native("KismetMathLibrary", name) else {
            continue;
        };
        let params: Option<Vec<Kind>> = callee
            .function
            .arguments()
            .map(|param| kind_of(&param.ty))
            .collect();
        let result = callee
            .function
            .return_param()
            .and_then(|param| kind_of(&param.ty));
        let given = operands.iter().map(|(_, kind)| *kind);
        if let (Some(params), Some(result)) = (params, result)
            && is_usable(callee)
            && given.eq(params)
        {
            let operands = operands.into_iter().map(|(operand, _)| operand).collect();
            return Ok((Formula::Call { callee, operands }, result));
        }
    }
    Err((
        Code::FuncNotFound,
        format!(
            "no function of KismetMathLibrary is `{shown}` of {} such operands",
            operands.len()
        ),
    ))
}

fn kind_of(ty: &PropertyType) -> Option<Kind> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a text has operands of two kinds only"
    )]
    match ty {
        PropertyType::Float | PropertyType::Double => Some(Kind::Real),
        PropertyType::Bool => Some(Kind::Bool),
        _ => None,
    }
}

/// A literal is an unlinked input of the node, which no one has drawn.
fn literal<'a>(x: &mut Expander<'a, '_>, id: ExNodeId, kind: Kind, text: &str) -> Formula<'a> {
    let ty = match kind {
        Kind::Bool => PropertyType::Bool,
        Kind::Real if x.cx.engine.has_large_world_coordinates() => PropertyType::Double,
        Kind::Real => PropertyType::Float,
    };
    let ty = PinType::of_property(&ty, x.cx.engine);
    let input = x.graph.input(id, "Literal", ty);
    text.clone_into(&mut x.graph.pins[input].default.value);
    Formula::Input(input)
}
