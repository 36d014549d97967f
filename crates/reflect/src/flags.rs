use bitflags::bitflags;
use serde::{Deserialize, Serialize};

bitflags! {
    /// `FUNC_*`: what a function is and how it may be called. Bits as stored in packages.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct FunctionFlags: u32 {
        /// Cannot be overridden; called by pointer.
        const FINAL = 0x1;
        /// Exported from its module.
        const REQUIRED_API = 0x2;
        /// Runs only with network authority.
        const AUTHORITY_ONLY = 0x4;
        /// Does not run on dedicated servers.
        const COSMETIC = 0x8;
        /// Replicated.
        const NET = 0x40;
        /// Replicated reliably.
        const NET_RELIABLE = 0x80;
        /// A service request.
        const NET_REQUEST = 0x100;
        /// Callable from the console.
        const EXEC = 0x200;
        /// Implemented in C++.
        const NATIVE = 0x400;
        /// An event.
        const EVENT = 0x800;
        /// A service response.
        const NET_RESPONSE = 0x1000;
        /// Needs no object.
        const STATIC = 0x2000;
        /// Replicated to all.
        const NET_MULTICAST = 0x4000;
        /// The merged event graph of a Blueprint.
        const UBERGRAPH = 0x8000;
        /// Signature of a multicast delegate.
        const MULTICAST_DELEGATE = 0x1_0000;
        /// Callable by everyone.
        const PUBLIC = 0x2_0000;
        /// Callable by its own class.
        const PRIVATE = 0x4_0000;
        /// Callable by its class and children.
        const PROTECTED = 0x8_0000;
        /// Signature of a delegate.
        const DELEGATE = 0x10_0000;
        /// Runs on the server.
        const NET_SERVER = 0x20_0000;
        /// Has out parameters.
        const HAS_OUT_PARMS = 0x40_0000;
        /// Has locals that must be constructed.
        const HAS_DEFAULTS = 0x80_0000;
        /// Runs on the owning client.
        const NET_CLIENT = 0x100_0000;
        /// Imported from a DLL.
        const DLL_IMPORT = 0x200_0000;
        /// Can be called by a node.
        const BLUEPRINT_CALLABLE = 0x400_0000;
        /// Can be overridden in a Blueprint.
        const BLUEPRINT_EVENT = 0x800_0000;
        /// No side effects; its nodes have no exec pins.
        const BLUEPRINT_PURE = 0x1000_0000;
        /// Only in the editor.
        const EDITOR_ONLY = 0x2000_0000;
        /// Does not change its object.
        const CONST = 0x4000_0000;
        /// Has a validation function.
        const NET_VALIDATE = 0x8000_0000;

        /// All bits that make a call go over the network.
        const NET_FUNC_FLAGS = Self::NET.bits() | Self::NET_RELIABLE.bits() | Self::NET_SERVER.bits()
            | Self::NET_CLIENT.bits() | Self::NET_MULTICAST.bits();
        /// The three access bits.
        const ACCESS = Self::PUBLIC.bits() | Self::PRIVATE.bits() | Self::PROTECTED.bits();
    }
}

bitflags! {
    /// `CPF_*`: what a property is. Bits as stored in packages.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct PropertyFlags: u64 {
        /// Editable in the details panel.
        const EDIT = 0x1;
        /// A parameter the callee cannot change.
        const CONST_PARM = 0x2;
        /// Readable by nodes.
        const BLUEPRINT_VISIBLE = 0x4;
        /// Exported with its owner.
        const EXPORT_OBJECT = 0x8;
        /// Not writable by nodes.
        const BLUEPRINT_READ_ONLY = 0x10;
        /// Replicated.
        const NET = 0x20;
        /// A parameter.
        const PARM = 0x80;
        /// An output, or a parameter by reference.
        const OUT_PARM = 0x100;
        /// Zero is its constructed value.
        const ZERO_CONSTRUCTOR = 0x200;
        /// The return value.
        const RETURN_PARM = 0x400;
        /// Not editable on archetypes.
        const DISABLE_EDIT_ON_TEMPLATE = 0x800;
        /// Not saved.
        const TRANSIENT = 0x2000;
        /// Loaded from configuration.
        const CONFIG = 0x4000;
        /// Not editable on instances.
        const DISABLE_EDIT_ON_INSTANCE = 0x1_0000;
        /// Shown but not editable.
        const EDIT_CONST = 0x2_0000;
        /// A component or other object owned by its holder.
        const INSTANCED_REFERENCE = 0x8_0000;
        /// Not copied when duplicated.
        const DUPLICATE_TRANSIENT = 0x20_0000;
        /// Saved in save games.
        const SAVE_GAME = 0x100_0000;
        /// A parameter by reference.
        const REFERENCE_PARM = 0x800_0000;
        /// Can be bound by nodes.
        const BLUEPRINT_ASSIGNABLE = 0x1000_0000;
        /// Plain memory.
        const IS_PLAIN_OLD_DATA = 0x4000_0000;
        /// Not replicated although its owner is.
        const REP_SKIP = 0x8000_0000;
        /// Calls a function when replicated.
        const REP_NOTIFY = 0x1_0000_0000;
        /// Needs no destructor.
        const NO_DESTRUCTOR = 0x10_0000_0000;
        /// Holds instanced references inside.
        const CONTAINS_INSTANCED_REFERENCE = 0x80_0000_0000;
        /// A dispatcher that nodes can call.
        const BLUEPRINT_CALLABLE = 0x1000_0000_0000;
        /// Not part of the undo history.
        const NON_TRANSACTIONAL = 0x4000_0000_0000;
        /// Shown as a pin of spawn nodes.
        const EXPOSE_ON_SPAWN = 0x1_0000_0000_0000;
        /// Kept over reinstancing.
        const PERSISTENT_INSTANCE = 0x2_0000_0000_0000;
        /// A class limited to children of another (`TSubclassOf`).
        const UOBJECT_WRAPPER = 0x4_0000_0000_0000;
        /// Can be hashed.
        const HAS_GET_VALUE_TYPE_HASH = 0x8_0000_0000_0000;
        /// Public in C++.
        const NATIVE_ACCESS_PUBLIC = 0x10_0000_0000_0000;
    }
}
