//! Literals that consist of parts: structs, containers, texts.

use super::Rule;
use super::tree::{Form, Info, Object, Operands, Tree};
use super::types::{Element, Ty};
use super::world::Members;
use crate::{Expr, Opcode, Operand, TextLiteral};

/// What a latent call is told about where to go on.
const LATENT_INFO: &str = "/Script/Engine.LatentActionInfo";

impl<'a> Tree<'a, '_, '_> {
    /// `SetArray` and its kin: a container's place and the elements it is filled with.
    pub(super) fn fill(&mut self, expr: &'a Expr) -> Info<'a> {
        let operands = Operands(expr);
        let place = self.place(operands.expr(0));
        let wanted = if expr.op == Opcode::SetArray {
            Ty::Array(None)
        } else if expr.op == Opcode::SetSet {
            Ty::Set(None)
        } else {
            Ty::Map(None)
        };
        self.must_fit(Rule::DestinationType, wanted, place.ty, "the destination");
        let (key, value) = place.ty.key_and_value();
        let types = if expr.op == Opcode::SetMap {
            [key, value]
        } else {
            [place.ty.element(); 2]
        };
        self.elements(operands.list(1), &types);
        Info::statement()
    }

    /// `ArrayConst` and its kin.
    pub(super) fn container_literal(&mut self, expr: &'a Expr) -> Info<'a> {
        let operands = Operands(expr);
        if expr.op == Opcode::MapConst {
            let key = self.element_property(expr.op, operands.property(0));
            let value = self.element_property(expr.op, operands.property(1));
            let ty = |element: Option<Element<'a>>| element.map_or(Ty::Unknown, Element::ty);
            self.elements(operands.list(2), &[ty(key), ty(value)]);
            return Info::value(Ty::Map(key.zip(value)));
        }
        let element = self.element_property(expr.op, operands.property(0));
        let ty = element.map_or(Ty::Unknown, Element::ty);
        self.elements(operands.list(1), &[ty]);
        Info::value(if expr.op == Opcode::ArrayConst {
            Ty::Array(element)
        } else {
            Ty::Set(element)
        })
    }

    /// Elements in turn of the given types.
    fn elements(&mut self, list: &'a [Expr], types: &[Ty<'a>]) {
        for (item, to) in list.iter().zip(types.iter().cycle()) {
            let ty = self.value(item);
            self.must_fit(Rule::ValueType, *to, ty, "the element");
        }
    }

    pub(super) fn text(&mut self, expr: &'a Expr) {
        let Some(Operand::Text(text)) = expr.operands.first() else {
            return;
        };
        let parts: &[Expr] = match &**text {
            TextLiteral::Empty => &[],
            TextLiteral::Localized(parts) => parts,
            TextLiteral::LocalizedWithNotes(parts) => parts,
            TextLiteral::Invariant(inner) | TextLiteral::LiteralString(inner) => {
                std::slice::from_ref(inner)
            }
            TextLiteral::StringTable(_, parts) => parts,
        };
        for part in parts {
            let ty = self.value(part);
            self.must_fit(Rule::ValueType, Ty::Str, ty, "a part of the text");
        }
    }

    pub(super) fn struct_literal(&mut self, operands: &Operands<'a>) -> Info<'a> {
        let parts = operands.list(2);
        let Some(path) = operands.object(0) else {
            self.error(
                Rule::StructLiteral,
                "EX_StructConst names no struct".to_owned(),
            );
            self.members(parts, None);
            return Info::value(Ty::Unknown);
        };
        let world = self.checker.world;
        if world.is_no_struct(path) {
            self.error(Rule::StructLiteral, format!("{path} is no struct"));
        }
        let size = operands.i32(1);
        match world.native_size(path) {
            Some(known) if i64::from(size) != i64::from(known) => self.error(
                Rule::StructLiteral,
                format!("the size of {path} is {known}, the literal says {size}"),
            ),
            None if size <= 0 => self.error(
                Rule::StructLiteral,
                format!("the literal of {path} says that it has {size} bytes"),
            ),
            Some(_) | None => {}
        }
        let members = world.literal_members(path);
        if let Some(n_members) = members.as_ref().and_then(Members::count)
            && n_members != parts.len()
        {
            self.error(
                Rule::StructLiteral,
                format!(
                    "a literal of {path} has {n_members} members, {} are given",
                    parts.len()
                ),
            );
        }
        self.members(parts, members.as_ref());
        if path.as_str().eq_ignore_ascii_case(LATENT_INFO) {
            self.latent_info(parts);
        }
        Info::value(Ty::Struct(path.as_str()))
    }

    /// The values of the members in order.
    fn members(&mut self, parts: &'a [Expr], members: Option<&Members<'a>>) {
        for (index, part) in parts.iter().enumerate() {
            let wanted = members.and_then(|members| members.get(index));
            if part.op == Opcode::BitFieldConst {
                // Only here the engine knows what to do with one.
                let operands = Operands(part);
                self.property_exists(part.op, operands.property(0));
                if let (Some((member, _)), Some(reference)) = (wanted, operands.property(0))
                    && member.name != *reference.name()
                {
                    let message = format!(
                        "the bit field {} stands where {} belongs",
                        reference.name(),
                        member.name
                    );
                    self.error(Rule::StructLiteral, message);
                }
                continue;
            }
            let info = self.info(part, Object::Own);
            // A member that has no literal is left at its default.
            if info.form == Form::Nothing {
                continue;
            }
            let ty = self.must_be_value(part, info);
            if let Some((member, to)) = wanted {
                self.must_fit(
                    Rule::ValueType,
                    to,
                    ty,
                    &format!("the member {}", member.name),
                );
            }
        }
    }

    fn latent_info(&mut self, members: &[Expr]) {
        let ops: Vec<Opcode> = members.iter().map(|member| member.op).collect();
        let has_shape = matches!(
            ops.as_slice(),
            [
                Opcode::SkipOffsetConst | Opcode::IntConst,
                Opcode::IntConst,
                Opcode::NameConst,
                _
            ]
        );
        if !has_shape {
            let found: Vec<&str> = ops.iter().map(|op| op.name()).collect();
            self.error(
                Rule::LatentInfo,
                format!("the latent info consists of {}", found.join(", ")),
            );
            return;
        }
        if ops[0] == Opcode::IntConst && members[0].operands[0] != Operand::I32(-1) {
            self.error(
                Rule::LatentInfo,
                "the linkage is neither an offset nor -1".to_owned(),
            );
        }
        if let (Opcode::SkipOffsetConst, Some(Operand::Name(name))) =
            (ops[0], members[2].operands.first())
            && name != self.checker.name
        {
            let message =
                format!("the linkage leads into this script, the function to resume is {name}");
            self.error(Rule::LatentInfo, message);
        }
    }
}
