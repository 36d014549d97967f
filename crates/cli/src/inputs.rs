//! Input from the command line: which events of a class keys, actions and axes start.

use bp_compiler::Compilation;
use bp_graph::{Direction, Graph, Node, NodeId, PinCategory};
use bp_reflect::{Name, ObjectPath, Value};

use crate::exit::{Failure, Outcome};

/// An event that input starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputEvent {
    /// The class that has it.
    pub class: ObjectPath,
    /// The action, key or axis.
    pub name: String,
    /// What has to happen: the exec output (`Pressed`, `Started`); empty for an axis.
    pub what: String,
    /// The function that runs.
    pub function: Name,
}

impl InputEvent {
    fn is_axis(&self) -> bool {
        self.what.is_empty()
    }
}

/// The input events of compiled Blueprints.
pub fn of(compilation: &Compilation<'_>) -> Vec<InputEvent> {
    let mut found = Vec::new();
    for unit in &compilation.units {
        let mut seen: Vec<(*const Graph, NodeId)> = Vec::new();
        for function in &unit.functions {
            let (graph, Some(id)) = function.drawn else {
                continue;
            };
            let node = &graph.nodes[id];
            let Some(name) = input_name(node) else {
                continue;
            };
            // A node has one event for each of its linked exec outputs, in their order.
            let place = (std::ptr::from_ref(graph), id);
            let nth = seen.iter().filter(|known| **known == place).count();
            seen.push(place);
            let is_axis = node.class.as_str().contains("Axis");
            let what = if is_axis {
                String::new()
            } else {
                match linked_outputs(graph, node).nth(nth) {
                    Some(pin) => pin.to_string(),
                    None => continue,
                }
            };
            found.push(InputEvent {
                class: unit.blueprint.class_path.clone(),
                name,
                what,
                function: function.ir.function.name.clone(),
            });
        }
    }
    found
}

/// The action, key or axis of an input node.
fn input_name(node: &Node) -> Option<String> {
    let properties = &node.properties;
    match node.class.as_str() {
        "K2Node_InputAction" => properties.text("InputActionName").map(str::to_owned),
        "K2Node_InputKey" | "K2Node_InputDebugKey" => key_name(node, "InputKey"),
        "K2Node_InputAxisEvent" => properties.text("InputAxisName").map(str::to_owned),
        "K2Node_InputAxisKeyEvent" => key_name(node, "AxisKey"),
        "K2Node_EnhancedInputAction" => {
            let action = properties.object("InputAction")?;
            Some(action.name().to_owned())
        }
        "K2Node_InputTouch" => Some("Touch".to_owned()),
        _ => None,
    }
}

fn key_name(node: &Node, property: &str) -> Option<String> {
    let key = node.properties.get(property)?;
    let key = key.get("KeyName").unwrap_or(key).as_str()?;
    Some(key.to_owned())
}

fn linked_outputs<'g>(graph: &'g Graph, node: &'g Node) -> impl Iterator<Item = &'g Name> {
    node.pins
        .iter()
        .map(|pin| &graph.pins[*pin])
        .filter(|pin| {
            pin.direction == Direction::Output
                && pin.ty.category == PinCategory::Exec
                && !pin.links.is_empty()
        })
        .map(|pin| &pin.name)
}

/// A function that input calls, and its arguments.
pub type Started = (Name, Vec<(Name, Value)>);

/// An input to be made: `t=SECONDS NAME [WHAT | VALUE]`, with blanks or commas between.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Simulated seconds.
    pub time: f64,
    /// An action, key, axis, or event of the class.
    pub name: String,
    /// What happens to it, or the value of an axis.
    pub rest: Option<String>,
}

impl Input {
    /// Reads one.
    ///
    /// # Errors
    /// Why the text is none, for `clap`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "it is `t=SECONDS NAME [pressed|released|…|VALUE]`";
        let mut words = text
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty());
        let time = words
            .next()
            .and_then(|word| word.strip_prefix("t="))
            .and_then(|word| word.parse::<f64>().ok())
            .filter(|time| time.is_finite() && *time >= 0.0)
            .ok_or_else(|| format!("there is no time; {form}"))?;
        let name = words
            .next()
            .ok_or_else(|| format!("nothing is named; {form}"))?;
        let rest = words.next();
        match words.next() {
            Some(more) => Err(format!("`{more}` is too much; {form}")),
            None => Ok(Self {
                time,
                name: name.to_owned(),
                rest: rest.map(str::to_owned),
            }),
        }
    }

    /// The functions that this input calls on an object of a class whose ancestors, nearest first, are
    /// `lineage`; each with its arguments. None if it is no input event of them.
    ///
    /// # Errors
    /// The name is one of an input event, the rest does not fit it.
    pub fn resolve(
        &self,
        events: &[InputEvent],
        lineage: &[ObjectPath],
    ) -> Outcome<Option<Vec<Started>>> {
        let named: Vec<&InputEvent> = events
            .iter()
            .filter(|event| {
                event.name.eq_ignore_ascii_case(&self.name) && lineage.contains(&event.class)
            })
            .collect();
        if named.is_empty() {
            return Ok(None);
        }
        let rest = self.rest.as_deref().unwrap_or_default();
        let value = rest.parse::<f64>().ok();
        let fitting: Vec<_> = named
            .iter()
            .filter_map(|event| {
                if event.is_axis() {
                    let value = (Name::new("AxisValue"), Value::Real(value?));
                    return Some((event.function.clone(), vec![value]));
                }
                let fits = event.what.eq_ignore_ascii_case(rest);
                fits.then(|| (event.function.clone(), Vec::new()))
            })
            .collect();
        if fitting.is_empty() {
            let known: Vec<&str> = named
                .iter()
                .map(|event| {
                    if event.is_axis() {
                        "a number"
                    } else {
                        &event.what
                    }
                })
                .collect();
            return Err(Failure::usage(format!(
                "--input: {} has no event for `{rest}`; it has {}",
                self.name,
                known.join(", ")
            )));
        }
        Ok(Some(fitting))
    }
}
