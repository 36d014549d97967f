//! `Set…PropertyByName`: how spawn nodes set exposed variables.

use super::Native;
use super::values::Any;
use crate::ids::{NameId, ObjectHandle};
use crate::native;

/// One function for each type of value; all do the same.
macro_rules! setters {
    ($($name:literal),* $(,)?) => {
        pub(super) const ROWS: &[Native] = &[$(
            native!($name, |call, object: ObjectHandle, property: NameId, value: Any| {
                set(call, object, property, value);
                Ok(())
            })
        ),*];
    };
}

setters! {
    "KismetSystemLibrary.SetBoolPropertyByName",
    "KismetSystemLibrary.SetBytePropertyByName",
    "KismetSystemLibrary.SetIntPropertyByName",
    "KismetSystemLibrary.SetInt64PropertyByName",
    "KismetSystemLibrary.SetFloatPropertyByName",
    "KismetSystemLibrary.SetDoublePropertyByName",
    "KismetSystemLibrary.SetNamePropertyByName",
    "KismetSystemLibrary.SetStringPropertyByName",
    "KismetSystemLibrary.SetTextPropertyByName",
    "KismetSystemLibrary.SetObjectPropertyByName",
    "KismetSystemLibrary.SetClassPropertyByName",
    "KismetSystemLibrary.SetSoftObjectPropertyByName",
    "KismetSystemLibrary.SetSoftClassPropertyByName",
    "KismetSystemLibrary.SetInterfacePropertyByName",
    "KismetSystemLibrary.SetVectorPropertyByName",
    "KismetSystemLibrary.SetVector3fPropertyByName",
    "KismetSystemLibrary.SetRotatorPropertyByName",
    "KismetSystemLibrary.SetTransformPropertyByName",
    "KismetSystemLibrary.SetLinearColorPropertyByName",
    "KismetSystemLibrary.SetColorPropertyByName",
    "KismetSystemLibrary.SetFieldPathPropertyByName",
    "KismetSystemLibrary.SetStructurePropertyByName",
    "KismetArrayLibrary.SetArrayPropertyByName",
    "BlueprintSetLibrary.SetSetPropertyByName",
    "BlueprintMapLibrary.SetMapPropertyByName",
}

/// Nothing happens if the object has no variable of the name, or one of another size.
fn set(call: &mut super::NativeCall<'_>, object: ObjectHandle, property: NameId, value: Any) {
    let name = call.name(property).clone();
    let (Some(variable), Some(value)) = (call.vm.variable_place(object, &name), value.target)
    else {
        return;
    };
    let types = &call.vm.memory.types;
    if types.words(variable.ty) != types.words(value.ty)
        || types.info(variable.ty).owned != types.info(value.ty).owned
    {
        return;
    }
    let words = call.vm.memory.copied(value.place, value.ty);
    call.store(variable, words);
}
