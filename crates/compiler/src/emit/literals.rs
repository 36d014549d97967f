//! Constants as expressions.

use bp_bytecode::{Expr, Opcode, Operand, PropertyRef, TextLiteral};
use bp_diag::Code;
use bp_reflect::{Name, ObjectPath, PropertyFlags, PropertyType, TextValue, Value, link};

use super::Emitter;
use super::terms::object_const;

impl Emitter<'_, '_> {
    /// The literal of a value of a type. `property` is the property it stands for, where there is one:
    /// container literals name their element's property.
    pub(super) fn literal(
        &mut self,
        value: &Value,
        ty: &PropertyType,
        property: Option<&PropertyRef>,
    ) -> Expr {
        let number = |value: &Value| match value {
            Value::Int(value) => *value,
            Value::UInt(value) => *value as i64,
            Value::Real(value) => *value as i64,
            Value::Bool(value) => i64::from(*value),
            Value::Name(_)
            | Value::Str(_)
            | Value::Text(_)
            | Value::Object(_)
            | Value::Struct(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Unbound => 0,
        };
        match ty {
            PropertyType::Bool => Expr::leaf(if matches!(value, Value::Bool(true)) {
                Opcode::True
            } else {
                Opcode::False
            }),
            PropertyType::Byte(_) | PropertyType::Enum(_) => {
                Expr::new(Opcode::ByteConst, vec![Operand::U8(number(value) as u8)])
            }
            // 0 and 1 have no opcode of their own in what the engine emits: 8,979 of 8,979 ints.
            PropertyType::Int8
            | PropertyType::Int16
            | PropertyType::UInt16
            | PropertyType::Int
            | PropertyType::UInt32 => Expr::int(number(value) as i32),
            PropertyType::Int64 => Expr::new(Opcode::Int64Const, vec![Operand::I64(number(value))]),
            PropertyType::UInt64 => {
                let value = if let Value::UInt(value) = value {
                    *value
                } else {
                    number(value) as u64
                };
                Expr::new(Opcode::UInt64Const, vec![Operand::U64(value)])
            }
            PropertyType::Float => {
                Expr::new(Opcode::FloatConst, vec![Operand::F32(real(value) as f32)])
            }
            PropertyType::Double => {
                if self.cx.dialect.engine.major >= 5 {
                    Expr::new(Opcode::DoubleConst, vec![Operand::F64(real(value))])
                } else {
                    Expr::new(Opcode::FloatConst, vec![Operand::F32(real(value) as f32)])
                }
            }
            PropertyType::Name => {
                let name = if let Value::Name(name) = value {
                    name.clone()
                } else {
                    Name::none()
                };
                Expr::new(Opcode::NameConst, vec![Operand::Name(name)])
            }
            PropertyType::Str => Expr::string(text_of(value)),
            PropertyType::Text => {
                let empty = TextValue::Empty;
                text_const(if let Value::Text(text) = value {
                    text
                } else {
                    &empty
                })
            }
            PropertyType::Object(_) | PropertyType::Class(_) | PropertyType::WeakObject(_) => {
                object_const(if let Value::Object(object) = value {
                    object.clone()
                } else {
                    None
                })
            }
            PropertyType::Interface(interface) => match value {
                Value::Object(Some(object)) => Expr::with_object(
                    Opcode::ObjToInterfaceCast,
                    Some(interface.clone()),
                    object_const(Some(object.clone())),
                ),
                _ => Expr::leaf(Opcode::NoInterface),
            },
            PropertyType::SoftObject(_) | PropertyType::SoftClass(_) => {
                Expr::unary(Opcode::SoftObjectConst, Expr::string(text_of(value)))
            }
            PropertyType::FieldPath => {
                Expr::unary(Opcode::FieldPathConst, Expr::string(text_of(value)))
            }
            PropertyType::Struct(path) => self.struct_literal(path, value),
            PropertyType::Array(inner) => {
                let elements = self.elements(value, inner);
                let head = vec![
                    Operand::Property(element_of(property, 1)),
                    Operand::List(elements),
                ];
                Expr::new(Opcode::ArrayConst, head)
            }
            PropertyType::Set(inner) => {
                let elements = self.elements(value, inner);
                let head = vec![
                    Operand::Property(element_of(property, 1)),
                    Operand::List(elements),
                ];
                Expr::new(Opcode::SetConst, head)
            }
            PropertyType::Map(pair) => {
                let mut elements = Vec::new();
                if let Value::Map(entries) = value {
                    for (key, value) in entries {
                        elements.push(self.literal(key, &pair.0, None));
                        elements.push(self.literal(value, &pair.1, None));
                    }
                }
                Expr::new(
                    Opcode::MapConst,
                    vec![
                        Operand::Property(element_of(property, 1)),
                        Operand::Property(element_of(property, 2)),
                        Operand::List(elements),
                    ],
                )
            }
            PropertyType::Delegate(_) | PropertyType::MulticastDelegate(_) => {
                Expr::new(Opcode::InstanceDelegate, vec![Operand::Name(Name::none())])
            }
            PropertyType::Wildcard => {
                self.problem(
                    Code::LiteralType,
                    "a value without type cannot be written as a literal".to_owned(),
                );
                Expr::leaf(Opcode::Nothing)
            }
        }
    }

    fn elements(&mut self, value: &Value, inner: &PropertyType) -> Vec<Expr> {
        match value {
            Value::List(list) => list
                .iter()
                .map(|element| self.literal(element, inner, None))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Vectors, rotators and transforms have opcodes of their own; other structs list their members.
    fn struct_literal(&mut self, path: &ObjectPath, value: &Value) -> Expr {
        let part = |name: &str| member(value, name);
        let parts = |names: &[&str]| -> Vec<Operand> {
            names
                .iter()
                .map(|name| Operand::F64(part(name).map_or(0.0, real)))
                .collect()
        };
        match path.as_str() {
            "/Script/CoreUObject.Vector" => {
                return Expr::new(Opcode::VectorConst, parts(&["X", "Y", "Z"]));
            }
            "/Script/CoreUObject.Rotator" => {
                return Expr::new(Opcode::RotationConst, parts(&["Pitch", "Yaw", "Roll"]));
            }
            "/Script/CoreUObject.Transform" => return transform(value),
            _ => {}
        }
        let registry = self.cx.registry;
        let mut chain = Vec::new();
        let mut next = registry.structure(path);
        while let Some(structure) = next {
            if chain.len() > 64 {
                break;
            }
            chain.push(structure);
            next = structure
                .super_struct
                .as_ref()
                .and_then(|parent| registry.structure(parent));
        }
        let observed = registry.struct_literal(path).unwrap_or_default();
        let mut members = Vec::new();
        for structure in chain.into_iter().rev() {
            for property in &structure.members {
                // Transient members are not part of a literal.
                if property.flags.contains(PropertyFlags::TRANSIENT) {
                    continue;
                }
                let given = member(value, property.name.as_str()).cloned();
                let given = given.unwrap_or_else(|| match &property.default {
                    Some(text) => Value::parse(text, &property.ty, registry)
                        .unwrap_or_else(|_| Value::zero(&property.ty, registry)),
                    None => Value::zero(&property.ty, registry),
                });
                let reference = PropertyRef::new(structure.path.clone(), property.name.clone());
                let is_bit = observed
                    .get(members.len())
                    .is_some_and(|op| *op == "BitFieldConst");
                if is_bit {
                    let bit = u8::from(matches!(given, Value::Bool(true)));
                    members.push(Expr::new(
                        Opcode::BitFieldConst,
                        vec![Operand::Property(Some(reference)), Operand::U8(bit)],
                    ));
                    continue;
                }
                members.push(self.literal(&given, &property.ty, Some(&reference)));
            }
        }
        let ty = PropertyType::Struct(path.clone());
        let size = match link::native_size(&ty, registry, self.cx.dialect.engine) {
            Some(size) => size,
            None => {
                self.problem(
                    Code::TypeUnknownSize,
                    format!("the size of struct {} is not declared", path.name()),
                );
                0
            }
        };
        Expr::new(
            Opcode::StructConst,
            vec![
                Operand::Object(Some(path.clone())),
                Operand::I32(size as i32),
                Operand::List(members),
            ],
        )
    }
}

/// The property of a container property's element: `nth` 1 is the element or key, 2 the value.
///
/// The engine names an element's property after the container's, a map's with `_Key` behind it.
fn element_of(container: Option<&PropertyRef>, nth: u8) -> Option<PropertyRef> {
    let container = container?;
    let inner = match nth {
        1 => container.name().clone(),
        _ => Name::new(format!("{}_Value", container.name())),
    };
    let mut path = vec![inner];
    path.extend(container.path.iter().cloned());
    Some(PropertyRef {
        owner: container.owner.clone(),
        path,
        ordinal: container.ordinal,
    })
}

fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Struct(members) => members
            .iter()
            .find(|(member, _)| *member == *name)
            .map(|(_, value)| value),
        _ => None,
    }
}

fn real(value: &Value) -> f64 {
    match value {
        Value::Real(value) => *value,
        Value::Int(value) => *value as f64,
        Value::UInt(value) => *value as f64,
        _ => 0.0,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        Value::Object(Some(path)) => path.to_string(),
        _ => String::new(),
    }
}

fn text_const(text: &TextValue) -> Expr {
    let string = |text: &str| Expr::string(text);
    let literal = match text {
        TextValue::Empty => TextLiteral::Empty,
        TextValue::Localized {
            namespace,
            key,
            source,
        } => {
            // The editor keeps the id of the package in brackets behind the namespace; code has it not.
            let bare = namespace.split('[').next().unwrap_or_default().trim_end();
            TextLiteral::Localized([string(source), string(key), string(bare)])
        }
        TextValue::Invariant(text) => TextLiteral::Invariant(string(text)),
        TextValue::StringTable { table, key } => {
            TextLiteral::StringTable(None, [string(table), string(key)])
        }
    };
    Expr::new(Opcode::TextConst, vec![Operand::Text(Box::new(literal))])
}

/// Rotation as a quaternion, translation, scale; without a value, the identity.
fn transform(value: &Value) -> Expr {
    let part = |name: &str, axis: &str, default: f64| {
        member(value, name).map_or(default, |part| member(part, axis).map_or(default, real))
    };
    let mut operands = Vec::with_capacity(10);
    for (axis, default) in [("X", 0.0), ("Y", 0.0), ("Z", 0.0), ("W", 1.0)] {
        operands.push(Operand::F64(part("Rotation", axis, default)));
    }
    for axis in ["X", "Y", "Z"] {
        operands.push(Operand::F64(part("Translation", axis, 0.0)));
    }
    for axis in ["X", "Y", "Z"] {
        operands.push(Operand::F64(part("Scale3D", axis, 1.0)));
    }
    Expr::new(Opcode::TransformConst, operands)
}
