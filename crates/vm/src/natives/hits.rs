//! `FHitResult` made and taken apart: parameters are members, most of the same name.

use super::{Native, NativeCall, Shape};
use crate::memory::{TypedPlace, Words};
use crate::types::Kind;

pub(super) const ROWS: &[Native] = &[
    Native::new(
        "GameplayStatics.BreakHitResult",
        &[],
        Shape::Nothing,
        |call| {
            take_apart(call);
            Ok(())
        },
    ),
    Native::new(
        "GameplayStatics.MakeHitResult",
        &[],
        Shape::Unknown,
        |call| {
            put_together(call);
            Ok(())
        },
    ),
];

fn take_apart(call: &mut NativeCall<'_>) {
    let Some(hit) = call.target(0) else {
        return;
    };
    for (index, name) in parameters(call).into_iter().enumerate().skip(1) {
        let (Some(from), Some(to)) = (member(call, hit, &name), call.target(index)) else {
            continue;
        };
        copy(call, from, to);
    }
}

fn put_together(call: &mut NativeCall<'_>) {
    let Some(hit) = call.result() else {
        return;
    };
    call.vm.construct(hit.place, hit.ty);
    for (index, name) in parameters(call).into_iter().enumerate() {
        let (Some(from), Some(to)) = (call.target(index), member(call, hit, &name)) else {
            continue;
        };
        copy(call, from, to);
    }
}

fn parameters(call: &NativeCall<'_>) -> Vec<String> {
    let arguments = call.function.arguments();
    arguments.map(|param| param.name.to_string()).collect()
}

/// Numbers, names and weak references: nothing here owns anything.
fn copy(call: &mut NativeCall<'_>, from: TypedPlace, to: TypedPlace) {
    let words = call.vm.memory.types.words(from.ty);
    let words = Words::from_slice(call.vm.memory.read(from.place, words));
    call.store(to, words);
}

/// The member that a parameter stands for. Until 4.27 the struct has the actor itself.
fn member(call: &NativeCall<'_>, hit: TypedPlace, parameter: &str) -> Option<TypedPlace> {
    let name = match parameter {
        "bInitialOverlap" => "bStartPenetrating",
        "PhysMat" => "PhysMaterial",
        "HitActor" => {
            let handle = field(call, hit, "HitObjectHandle");
            return match handle {
                Some(handle) => field(call, handle, "Actor"),
                None => field(call, hit, "Actor"),
            };
        }
        "HitComponent" => "Component",
        "HitBoneName" => "BoneName",
        "BoneName" => "MyBoneName",
        "HitItem" => "Item",
        same => same,
    };
    field(call, hit, name)
}

fn field(call: &NativeCall<'_>, of: TypedPlace, name: &str) -> Option<TypedPlace> {
    let types = &call.vm.memory.types;
    let Kind::Struct(id) = types.kind(of.ty) else {
        return None;
    };
    let fields = &types.structure(*id).fields;
    let field = fields.iter().find(|field| field.name == *name)?;
    Some(TypedPlace {
        place: of.place.at(field.offset),
        ty: field.ty,
    })
}
