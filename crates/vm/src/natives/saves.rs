//! Saved games. They live as long as the world: what a slot holds is kept in it, not in files.

use bp_reflect::Name;

use super::{Native, NativeCall, Str};
use crate::ids::ObjectHandle;
use crate::native;

pub(super) const ROWS: &[Native] =
    &[
        native!(
            "GameplayStatics.CreateSaveGameObject",
            |call, class: ObjectHandle| -> ObjectHandle {
                Ok(match call.vm.class_value(class) {
                    Some(class) => call.vm.new_object(class, None, ObjectHandle::NONE),
                    None => ObjectHandle::NONE,
                })
            }
        ),
        native!("GameplayStatics.SaveGameToSlot", |call,
                                                   object: ObjectHandle,
                                                   slot: Str,
                                                   user: i32|
         -> bool {
            Ok(save(call, object, &slot, user))
        }),
        native!("GameplayStatics.DoesSaveGameExist", |call,
                                                      slot: Str,
                                                      user: i32|
         -> bool {
            Ok(call.vm.state.saves.contains_key(&(slot.to_string(), user)))
        }),
        native!("GameplayStatics.DeleteGameInSlot", |call,
                                                     slot: Str,
                                                     user: i32|
         -> bool {
            let key = (slot.to_string(), user);
            Ok(call.vm.state.saves.shift_remove(&key).is_some())
        }),
        native!(
            "GameplayStatics.LoadGameFromSlot",
            |call, slot: Str, user: i32| -> ObjectHandle { Ok(load(call, &slot, user)) }
        ),
    ];

/// Keeps the values of an object's variables; objects they name are named by path.
fn save(call: &mut NativeCall<'_>, object: ObjectHandle, slot: &str, user: i32) -> bool {
    let vm = &mut *call.vm;
    let Some(class) = vm.class_of(object).filter(|_| !slot.is_empty()) else {
        return false;
    };
    let info = vm.program.class(class).clone();
    let values = info
        .variables
        .iter()
        .map(|(name, variable)| {
            let place = crate::memory::Place::object(object, variable.offset);
            (name.clone(), vm.read_value(place, variable.ty))
        })
        .collect();
    let key = (slot.to_owned(), user);
    vm.state.saves.insert(key, (info.path.clone(), values));
    true
}

/// A new object with the kept values; none if the slot is empty.
fn load(call: &mut NativeCall<'_>, slot: &str, user: i32) -> ObjectHandle {
    let vm = &mut *call.vm;
    let key = (slot.to_owned(), user);
    let Some((class, values)) = vm.state.saves.get(&key).cloned() else {
        return ObjectHandle::NONE;
    };
    let Some(class) = vm.program.class_ids.get(&class).copied() else {
        return ObjectHandle::NONE;
    };
    let object = vm.new_object(class, None, ObjectHandle::NONE);
    for (name, value) in values {
        let name: Name = name;
        if let Some(target) = vm.variable_place(object, &name) {
            vm.write_value(target.place, target.ty, &value);
        }
    }
    object
}
