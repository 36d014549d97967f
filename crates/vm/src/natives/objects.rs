//! Asking about objects, classes, names and soft references.

use super::{Native, Str};
use crate::ids::{NameId, ObjectHandle};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!(
        "KismetMathLibrary.EqualEqual_ObjectObject",
        |a: ObjectHandle, b: ObjectHandle| -> bool { a == b }
    ),
    native!(
        "KismetMathLibrary.NotEqual_ObjectObject",
        |a: ObjectHandle, b: ObjectHandle| -> bool { a != b }
    ),
    native!(
        "KismetMathLibrary.EqualEqual_ClassClass",
        |a: ObjectHandle, b: ObjectHandle| -> bool { a == b }
    ),
    native!(
        "KismetMathLibrary.NotEqual_ClassClass",
        |a: ObjectHandle, b: ObjectHandle| -> bool { a != b }
    ),
    native!("KismetMathLibrary.EqualEqual_NameName", |a: NameId,
                                                      b: NameId|
     -> bool {
        a == b
    }),
    native!("KismetMathLibrary.NotEqual_NameName", |a: NameId,
                                                    b: NameId|
     -> bool {
        a != b
    }),
    native!("KismetMathLibrary.SelectObject", |a: ObjectHandle,
                                               b: ObjectHandle,
                                               pick_a: bool|
     -> ObjectHandle {
        if pick_a { a } else { b }
    }),
    native!("KismetMathLibrary.SelectClass", |a: ObjectHandle,
                                              b: ObjectHandle,
                                              pick_a: bool|
     -> ObjectHandle {
        if pick_a { a } else { b }
    }),
    native!("KismetMathLibrary.SelectName", |a: NameId,
                                             b: NameId,
                                             pick_a: bool|
     -> NameId {
        if pick_a { a } else { b }
    }),
    native!(
        "KismetMathLibrary.ClassIsChildOf",
        |call, test: ObjectHandle, parent: ObjectHandle| -> bool {
            Ok(
                match (call.vm.class_value(test), call.vm.class_value(parent)) {
                    (Some(test), Some(parent)) => call.vm.program.is_child_of(test, parent),
                    _ => false,
                },
            )
        }
    ),
    native!("KismetSystemLibrary.IsValid", |call,
                                            object: ObjectHandle|
     -> bool {
        Ok(call.vm.memory.objects.is_alive(object))
    }),
    native!("KismetSystemLibrary.IsValidClass", |call,
                                                 class: ObjectHandle|
     -> bool {
        Ok(call.vm.memory.objects.is_alive(class))
    }),
    native!(
        "KismetSystemLibrary.GetObjectName",
        |call, object: ObjectHandle| -> String {
            Ok(if object.is_none() {
                String::new()
            } else {
                call.vm.object_name(object)
            })
        }
    ),
    native!(
        "KismetSystemLibrary.GetDisplayName",
        |call, object: ObjectHandle| -> String {
            Ok(if object.is_none() {
                String::new()
            } else {
                call.vm.object_name(object)
            })
        }
    ),
    native!(
        "KismetSystemLibrary.GetClassDisplayName",
        |call, class: ObjectHandle| -> String {
            Ok(if class.is_none() {
                String::new()
            } else {
                call.vm.object_name(class)
            })
        }
    ),
    native!("KismetSystemLibrary.GetPathName", |call,
                                                object: ObjectHandle|
     -> String {
        Ok(if object.is_none() {
            String::new()
        } else {
            call.vm.object_path(object)
        })
    }),
    native!(
        "KismetSystemLibrary.GetOuterObject",
        |call, object: ObjectHandle| -> ObjectHandle {
            Ok(call
                .vm
                .memory
                .objects
                .get(object)
                .map_or(ObjectHandle::NONE, |object| object.outer))
        }
    ),
    native!(
        "KismetSystemLibrary.DoesImplementInterface",
        |call, object: ObjectHandle, interface: ObjectHandle| -> bool {
            Ok(call
                .vm
                .class_value(interface)
                .is_some_and(|interface| call.vm.is_a(object, interface)))
        }
    ),
    native!(
        "KismetSystemLibrary.DoesClassImplementInterface",
        |call, class: ObjectHandle, interface: ObjectHandle| -> bool {
            Ok(
                match (call.vm.class_value(class), call.vm.class_value(interface)) {
                    (Some(class), Some(interface)) => call.vm.program.is_child_of(class, interface),
                    _ => false,
                },
            )
        }
    ),
    native!(
        "KismetSystemLibrary.Conv_InterfaceToObject",
        |object: ObjectHandle| -> ObjectHandle { object }
    ),
    native!(
        "KismetSystemLibrary.Conv_ObjectToClass",
        |call, object: ObjectHandle, class: ObjectHandle| -> ObjectHandle {
            Ok(
                match (call.vm.class_value(object), call.vm.class_value(class)) {
                    (Some(value), Some(class)) if call.vm.program.is_child_of(value, class) => {
                        object
                    }
                    _ => ObjectHandle::NONE,
                },
            )
        }
    ),
    native!(
        "KismetSystemLibrary.Conv_ObjectToSoftObjectReference",
        |call, object: ObjectHandle| -> String {
            Ok(if object.is_none() {
                String::new()
            } else {
                call.vm.object_path(object)
            })
        }
    ),
    native!(
        "KismetSystemLibrary.Conv_ClassToSoftClassReference",
        |call, class: ObjectHandle| -> String {
            Ok(if class.is_none() {
                String::new()
            } else {
                call.vm.object_path(class)
            })
        }
    ),
    native!(
        "KismetSystemLibrary.Conv_SoftObjectReferenceToObject",
        |call, path: Str| -> ObjectHandle { Ok(loaded(call, &path)) }
    ),
    native!(
        "KismetSystemLibrary.Conv_SoftClassReferenceToClass",
        |call, path: Str| -> ObjectHandle { Ok(loaded(call, &path)) }
    ),
    native!(
        "KismetSystemLibrary.LoadAsset_Blocking",
        |call, path: Str| -> ObjectHandle { Ok(loaded(call, &path)) }
    ),
    native!(
        "KismetSystemLibrary.LoadClassAsset_Blocking",
        |call, path: Str| -> ObjectHandle { Ok(loaded(call, &path)) }
    ),
    native!(
        "KismetSystemLibrary.Conv_SoftObjectReferenceToString",
        |path: Str| -> Str { path }
    ),
    native!(
        "KismetSystemLibrary.Conv_SoftClassReferenceToString",
        |path: Str| -> Str { path }
    ),
    native!(
        "KismetSystemLibrary.IsValidSoftObjectReference",
        |path: Str| -> bool { !path.is_empty() }
    ),
    native!(
        "KismetSystemLibrary.IsValidSoftClassReference",
        |path: Str| -> bool { !path.is_empty() }
    ),
    native!(
        "KismetSystemLibrary.EqualEqual_SoftObjectReference",
        |a: Str, b: Str| -> bool { crate::memory::eq_fold(&a, &b) }
    ),
    native!(
        "KismetSystemLibrary.NotEqual_SoftObjectReference",
        |a: Str, b: Str| -> bool { !crate::memory::eq_fold(&a, &b) }
    ),
    native!(
        "KismetSystemLibrary.EqualEqual_SoftClassReference",
        |a: Str, b: Str| -> bool { crate::memory::eq_fold(&a, &b) }
    ),
    native!(
        "KismetSystemLibrary.NotEqual_SoftClassReference",
        |a: Str, b: Str| -> bool { !crate::memory::eq_fold(&a, &b) }
    ),
    native!("GameplayStatics.GetObjectClass", |call,
                                               object: ObjectHandle|
     -> ObjectHandle {
        Ok(match call.vm.class_of(object) {
            Some(class) => call.vm.program.class(class).object,
            None => ObjectHandle::NONE,
        })
    }),
    native!("GameplayStatics.ObjectIsA", |call,
                                          object: ObjectHandle,
                                          class: ObjectHandle|
     -> bool {
        Ok(call
            .vm
            .class_value(class)
            .is_some_and(|class| call.vm.is_a(object, class)))
    }),
];

/// The object a soft reference names, if it is in memory: everything loaded always is.
fn loaded(call: &mut super::NativeCall<'_>, path: &str) -> ObjectHandle {
    if path.is_empty() {
        return ObjectHandle::NONE;
    }
    call.vm.find_object(&bp_reflect::ObjectPath::new(path))
}
