//! Every native row fits the declaration it implements.

use bp_reflect::{EngineVersion, Lookup, Name, PropertyType, Registry, declarations, link};
use bp_vm::{Natives, Shape};
use pretty_assertions::assert_eq;

#[test]
fn rows_fit_their_declarations() {
    let registry = declarations::embedded(EngineVersion::LATEST);
    let natives = Natives::standard();
    let mut misfits = Vec::new();
    let mut undeclared = Vec::new();
    for native in natives.rows() {
        let (class, function) = native.name().split_once('.').expect("Class.Function");
        let Lookup::One(path) = registry.find_class(class) else {
            undeclared.push(native.name());
            continue;
        };
        let Some(function) = registry
            .class(path)
            .and_then(|class| class.functions.get(&Name::new(function)))
        else {
            undeclared.push(native.name());
            continue;
        };
        let arguments: Vec<_> = function.arguments().collect();
        if native.shapes().len() > arguments.len() {
            misfits.push(format!(
                "{} reads {} of {} arguments",
                native.name(),
                native.shapes().len(),
                arguments.len()
            ));
        }
        for (argument, shape) in arguments.iter().zip(native.shapes()) {
            if !fits(*shape, &argument.ty, &registry) {
                misfits.push(format!(
                    "{}: {} is {}, read as {shape:?}",
                    native.name(),
                    argument.name,
                    argument.ty
                ));
            }
        }
        match (function.return_param(), native.result()) {
            // Arrays are given through the call.
            (None, Shape::Nothing) | (Some(_), Shape::Unknown) => {}
            (Some(value), Shape::Nothing) if matches!(value.ty, PropertyType::Array(_)) => {}
            (Some(value), shape) if fits(shape, &value.ty, &registry) => {}
            (value, shape) => misfits.push(format!(
                "{} returns {:?}, given as {shape:?}",
                native.name(),
                value.map(|value| value.ty.to_string())
            )),
        }
    }
    assert_eq!(misfits, Vec::<String>::new());
    assert_eq!(undeclared, Vec::<&str>::new());
}

fn fits(shape: Shape, ty: &PropertyType, registry: &Registry) -> bool {
    use PropertyType as P;
    match shape {
        Shape::Any | Shape::Unknown => true,
        Shape::Nothing => false,
        Shape::Bool => *ty == P::Bool,
        Shape::Byte => matches!(ty, P::Byte(_) | P::Enum(_)),
        Shape::Int(32) => *ty == P::Int,
        Shape::Int(_) => *ty == P::Int64,
        Shape::Real => matches!(ty, P::Float | P::Double),
        Shape::Name => *ty == P::Name,
        Shape::Str => matches!(ty, P::Str | P::SoftObject(_) | P::SoftClass(_)),
        Shape::Text => *ty == P::Text,
        Shape::Object => matches!(ty, P::Object(_) | P::Class(_) | P::Interface(_)),
        Shape::Delegate => matches!(ty, P::Delegate(_)),
        Shape::Struct(words) => {
            matches!(ty, P::Struct(_)) && link::words(ty, registry) == u32::from(words)
        }
        Shape::Array => matches!(ty, P::Array(_)),
        Shape::Table => matches!(ty, P::Set(_) | P::Map(_)),
    }
}
