//! Struct pins shown as their parts.

use bp_reflect::Property;

use super::PinContext;
use super::spec::PinSpec;
use super::structure::{member_default, members};
use crate::{Direction, Graph, PinCategory, PinFlags, PinId, PinType};

/// The parts of a struct: members, or what its native make or break function takes or gives.
///
/// Source: split pins of 296 packages: Rotator parts come as Roll, Pitch, Yaw, the order of the functions.
fn parts(ty: &PinType, direction: Direction, cx: &PinContext<'_>) -> Option<Vec<PinSpec>> {
    let path = ty
        .object
        .as_ref()
        .filter(|_| ty.category == PinCategory::Struct && !ty.is_container())?;
    let structure = cx.registry.structure(path)?;
    let native = match direction {
        Direction::Input => structure.native_parts.make.as_ref(),
        Direction::Output => structure.native_parts.break_.as_ref(),
    };
    let function = native.and_then(|path| {
        let class = path.outer()?;
        cx.registry
            .find_function(&class, &path.name().into())
            .map(|(_, function)| function)
    });
    if let Some(function) = function {
        return Some(
            function
                .params
                .iter()
                .filter(|param| match direction {
                    Direction::Input => !param.is_output() && !param.is_return(),
                    Direction::Output => param.is_output(),
                })
                .map(|param| part(param, direction, true, cx))
                .collect(),
        );
    }
    let all = members(path, cx)?;
    (!all.is_empty()).then(|| {
        all.into_iter()
            .map(|member| part(member, direction, false, cx))
            .collect()
    })
}

fn part(
    property: &Property,
    direction: Direction,
    is_native: bool,
    cx: &PinContext<'_>,
) -> PinSpec {
    let ty = PinType {
        is_reference: false,
        is_const: false,
        ..PinType::of_param(property, cx.engine())
    };
    let spec = PinSpec::new(property.name.clone(), direction, ty);
    match (&property.default, direction) {
        (Some(text), Direction::Input) => spec.starting_as(text),
        _ if is_native => spec.auto(),
        (None, Direction::Input) => member_default(spec, property, cx),
        (_, Direction::Output) => spec,
    }
}

/// Shows a struct pin as its parts, which follow it. The pin's own default is shared out among them.
/// False if the pin is no struct whose parts are known, or is split already.
pub fn split_pin(graph: &mut Graph, pin: PinId, cx: &PinContext<'_>) -> bool {
    let parent = graph.pins[pin].clone();
    if parent.is_split() {
        return false;
    }
    let Some(specs) = parts(&parent.ty, parent.direction, cx) else {
        return false;
    };
    let shares = shares(&parent.default.value, &specs);
    let node = parent.node;
    let at = graph.nodes[node]
        .pins
        .iter()
        .position(|other| *other == pin)
        .expect("a pin is on its node");
    let mut ids = Vec::with_capacity(specs.len());
    for (mut spec, share) in specs.into_iter().zip(shares) {
        spec.name = format!("{}_{}", parent.name, spec.name).into();
        spec.flags |= parent.flags & PinFlags::ADVANCED;
        if let Some(share) = share {
            spec.default.value = share;
        }
        let mut sub = spec.into_pin(node);
        sub.parent = Some(pin);
        sub.id = crate::Guid::of_text(&format!("{}/{}", parent.id, sub.name));
        ids.push(graph.pins.alloc(sub));
    }
    graph.nodes[node].pins.splice((at + 1)..=at, ids.clone());
    graph.pins[pin].sub_pins = ids;
    graph.pins[pin].flags |= PinFlags::HIDDEN;
    true
}

/// What each part gets of the default of the whole: `1,2,3` for vectors, `(X=1,Y=2)` for others.
/// A rotator's text is pitch, yaw, roll, whatever the order of its pins.
fn shares(text: &str, specs: &[PinSpec]) -> Vec<Option<String>> {
    let text = text.trim();
    if text.is_empty() {
        return vec![None; specs.len()];
    }
    if let Some(inner) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    {
        return specs
            .iter()
            .map(|spec| {
                inner.split(',').find_map(|item| {
                    let (key, value) = item.split_once('=')?;
                    (spec.name == key.trim() && !value.contains(['(', ')']))
                        .then(|| value.trim().to_owned())
                })
            })
            .collect();
    }
    let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
    if numbers.len() != 3 || specs.len() != 3 {
        return vec![None; specs.len()];
    }
    specs
        .iter()
        .map(|spec| {
            let idx = match spec.name.as_str() {
                "X" | "Pitch" => 0,
                "Y" | "Yaw" => 1,
                "Z" | "Roll" => 2,
                _ => return None,
            };
            let number = numbers[idx];
            Some(if number == "0" { "0.0" } else { number }.to_owned())
        })
        .collect()
}
