//! Constants as expressions.

use std::borrow::Cow;

use bp_bytecode::{Expr, Opcode, Operand, PropertyRef, TextLiteral};
use bp_diag::Code;
use bp_reflect::{
    Name, ObjectPath, Property, PropertyFlags, PropertyType, Struct, TextValue, Value, link,
};

use super::Emitter;

impl Emitter<'_, '_> {
    /// The literal of a value of a type. `property` is the property it stands for, where there is one:
    /// container literals name their element's property.
    pub(super) fn literal(
        &mut self,
        value: &Value,
        ty: &PropertyType,
        property: Option<&PropertyRef>,
    ) {
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
        let is_single = self.cx.dialect.engine.major < 5;
        match ty {
            PropertyType::Bool => self.builder.leaf(if matches!(value, Value::Bool(true)) {
                Opcode::True
            } else {
                Opcode::False
            }),
            PropertyType::Byte(_) | PropertyType::Enum(_) => {
                self.builder.open(Opcode::ByteConst);
                self.builder.u8(number(value) as u8);
                self.builder.close();
            }
            // 0 and 1 have no opcode of their own in what the engine emits: 8,979 of 8,979 ints.
            PropertyType::Int8
            | PropertyType::Int16
            | PropertyType::UInt16
            | PropertyType::Int
            | PropertyType::UInt32 => self.int(number(value) as i32),
            PropertyType::Int64 => {
                self.builder.open(Opcode::Int64Const);
                self.builder.i64(number(value));
                self.builder.close();
            }
            PropertyType::UInt64 => {
                let value = if let Value::UInt(value) = value {
                    *value
                } else {
                    number(value) as u64
                };
                self.builder.open(Opcode::UInt64Const);
                self.builder.u64(value);
                self.builder.close();
            }
            PropertyType::Double if !is_single => {
                self.builder.open(Opcode::DoubleConst);
                self.builder.f64(real(value));
                self.builder.close();
            }
            PropertyType::Float | PropertyType::Double => {
                self.builder.open(Opcode::FloatConst);
                self.builder.f32(real(value) as f32);
                self.builder.close();
            }
            PropertyType::Name => {
                self.builder.open(Opcode::NameConst);
                if let Value::Name(name) = value {
                    self.builder.name(name);
                } else {
                    self.builder.name(&Name::none());
                }
                self.builder.close();
            }
            PropertyType::Str => self.builder.string(text_of(value)),
            PropertyType::Text => {
                let empty = TextValue::Empty;
                let text = if let Value::Text(text) = value {
                    text
                } else {
                    &empty
                };
                self.builder.tree(&text_const(text));
            }
            PropertyType::Object(_) | PropertyType::Class(_) | PropertyType::WeakObject(_) => {
                self.object_const(if let Value::Object(object) = value {
                    object.as_ref()
                } else {
                    None
                });
            }
            PropertyType::Interface(interface) => {
                if let Value::Object(Some(object)) = value {
                    self.builder.open(Opcode::ObjToInterfaceCast);
                    self.builder.object(Some(interface));
                    self.object_const(Some(object));
                    self.builder.close();
                } else {
                    self.builder.leaf(Opcode::NoInterface);
                }
            }
            PropertyType::SoftObject(_) | PropertyType::SoftClass(_) => {
                self.builder.open(Opcode::SoftObjectConst);
                self.builder.string(text_of(value));
                self.builder.close();
            }
            PropertyType::FieldPath => {
                self.builder.open(Opcode::FieldPathConst);
                self.builder.string(text_of(value));
                self.builder.close();
            }
            PropertyType::Struct(path) => self.struct_literal(path, value),
            PropertyType::Array(inner) => {
                self.list_literal(Opcode::ArrayConst, value, inner, property);
            }
            PropertyType::Set(inner) => {
                self.list_literal(Opcode::SetConst, value, inner, property);
            }
            PropertyType::Map(pair) => {
                let entries: &[_] = if let Value::Map(entries) = value {
                    entries
                } else {
                    &[]
                };
                self.builder.open(Opcode::MapConst);
                self.builder.property(element_of(property, 1).as_ref());
                self.builder.property(element_of(property, 2).as_ref());
                self.builder.open_list(2 * entries.len());
                for (key, value) in entries {
                    self.literal(key, &pair.0, None);
                    self.literal(value, &pair.1, None);
                }
                self.builder.close_list();
                self.builder.close();
            }
            PropertyType::Delegate(_) | PropertyType::MulticastDelegate(_) => {
                self.builder.open(Opcode::InstanceDelegate);
                self.builder.name(&Name::none());
                self.builder.close();
            }
            PropertyType::Wildcard => {
                self.problem(
                    Code::LiteralType,
                    "a value without type cannot be written as a literal".to_owned(),
                );
                self.builder.leaf(Opcode::Nothing);
            }
        }
    }

    fn list_literal(
        &mut self,
        op: Opcode,
        value: &Value,
        inner: &PropertyType,
        property: Option<&PropertyRef>,
    ) {
        let elements: &[_] = if let Value::List(list) = value {
            list
        } else {
            &[]
        };
        self.builder.open(op);
        self.builder.property(element_of(property, 1).as_ref());
        self.builder.open_list(elements.len());
        for element in elements {
            self.literal(element, inner, None);
        }
        self.builder.close_list();
        self.builder.close();
    }

    /// Vectors, rotators and transforms have opcodes of their own; other structs list their members.
    fn struct_literal(&mut self, path: &ObjectPath, value: &Value) {
        match path.as_str() {
            "/Script/CoreUObject.Vector" => {
                return self.reals(Opcode::VectorConst, value, ["X", "Y", "Z"]);
            }
            "/Script/CoreUObject.Rotator" => {
                return self.reals(Opcode::RotationConst, value, ["Pitch", "Yaw", "Roll"]);
            }
            "/Script/CoreUObject.Transform" => return self.transform(value),
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
        // Transient members are not part of a literal.
        let is_stored = |property: &&Property| !property.flags.contains(PropertyFlags::TRANSIENT);
        let members: Vec<(&Struct, &Property)> = chain
            .into_iter()
            .rev()
            .flat_map(|structure| {
                let members = structure.members.iter().filter(is_stored);
                members.map(move |property| (structure, property))
            })
            .collect();
        let ty = PropertyType::Struct(path.clone());
        let size = if let Some(size) = link::native_size(&ty, registry, self.cx.dialect.engine) {
            size
        } else {
            self.problem(
                Code::TypeUnknownSize,
                format!("the size of struct {} is not declared", path.name()),
            );
            0
        };
        self.builder.open(Opcode::StructConst);
        self.builder.object(Some(path));
        self.builder.i32(size as i32);
        self.builder.open_list(members.len());
        let observed = registry.struct_literal(path).unwrap_or_default();
        for (position, (structure, property)) in members.into_iter().enumerate() {
            let given = member(value, property.name.as_str()).map_or_else(
                || {
                    let text = property.default.as_ref();
                    let declared =
                        text.and_then(|text| Value::parse(text, &property.ty, registry).ok());
                    Cow::Owned(declared.unwrap_or_else(|| Value::zero(&property.ty, registry)))
                },
                Cow::Borrowed,
            );
            let is_bit = observed
                .get(position)
                .is_some_and(|op| *op == "BitFieldConst");
            if !is_bit && !property.ty.is_container() {
                self.literal(&given, &property.ty, None);
                continue;
            }
            let reference = PropertyRef::new(structure.path.clone(), property.name.clone());
            if is_bit {
                self.builder.open(Opcode::BitFieldConst);
                self.builder.property(Some(&reference));
                let bit = matches!(*given, Value::Bool(true));
                self.builder.u8(u8::from(bit));
                self.builder.close();
            } else {
                self.literal(&given, &property.ty, Some(&reference));
            }
        }
        self.builder.close_list();
        self.builder.close();
    }

    /// A literal of the reals that a value's members are.
    fn reals(&mut self, op: Opcode, value: &Value, members: [&str; 3]) {
        self.builder.open(op);
        for name in members {
            self.builder.f64(member(value, name).map_or(0.0, real));
        }
        self.builder.close();
    }

    /// Rotation as a quaternion, translation, scale; without a value, the identity.
    fn transform(&mut self, value: &Value) {
        self.builder.open(Opcode::TransformConst);
        let quaternion = [("X", 0.0), ("Y", 0.0), ("Z", 0.0), ("W", 1.0)];
        let vector = |default: f64| [("X", default), ("Y", default), ("Z", default)];
        let parts: [(&str, &[(&str, f64)]); 3] = [
            ("Rotation", &quaternion),
            ("Translation", &vector(0.0)),
            ("Scale3D", &vector(1.0)),
        ];
        for (name, axes) in parts {
            let part = member(value, name);
            for (axis, default) in axes {
                let given = part.and_then(|part| member(part, axis));
                self.builder.f64(given.map_or(*default, real));
            }
        }
        self.builder.close();
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
    let Value::Struct(members) = value else {
        return None;
    };
    members
        .iter()
        .find(|(member, _)| *member == *name)
        .map(|(_, value)| value)
}

fn real(value: &Value) -> f64 {
    match value {
        Value::Real(value) => *value,
        Value::Int(value) => *value as f64,
        Value::UInt(value) => *value as f64,
        Value::Bool(_)
        | Value::Name(_)
        | Value::Str(_)
        | Value::Text(_)
        | Value::Object(_)
        | Value::Struct(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::Unbound => 0.0,
    }
}

fn text_of(value: &Value) -> &str {
    if let Value::Str(text) = value {
        text
    } else if let Value::Object(Some(path)) = value {
        path.as_str()
    } else {
        ""
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
