//! Words for flags.

use bp_reflect::{FunctionFlags, PropertyFlags};

use crate::nodes::display_name;
use crate::{Container, PinCategory, PinType};

/// `CPF_NativeAccessSpecifierPrivate`: what a private variable is marked with.
const PRIVATE: PropertyFlags = PropertyFlags::from_bits_retain(0x40_0000_0000_0000);

/// The flags of a graph by word.
pub(crate) const FUNCTION_FLAGS: &[(&str, FunctionFlags)] = &[
    ("pure", FunctionFlags::BLUEPRINT_PURE),
    ("const", FunctionFlags::CONST),
    ("static", FunctionFlags::STATIC),
    ("final", FunctionFlags::FINAL),
    ("public", FunctionFlags::PUBLIC),
    ("private", FunctionFlags::PRIVATE),
    ("protected", FunctionFlags::PROTECTED),
    (
        "net_server",
        FunctionFlags::NET.union(FunctionFlags::NET_SERVER),
    ),
    (
        "net_client",
        FunctionFlags::NET.union(FunctionFlags::NET_CLIENT),
    ),
    (
        "net_multicast",
        FunctionFlags::NET.union(FunctionFlags::NET_MULTICAST),
    ),
    ("reliable", FunctionFlags::NET_RELIABLE),
    ("authority_only", FunctionFlags::AUTHORITY_ONLY),
    ("cosmetic", FunctionFlags::COSMETIC),
    ("exec", FunctionFlags::EXEC),
    // Metadata of the editor; no bit says them.
    ("thread_safe", FunctionFlags::empty()),
    ("call_in_editor", FunctionFlags::empty()),
];

/// The flags of a variable by word; `instance_editable` takes a bit away.
pub(crate) const VARIABLE_FLAGS: &[(&str, PropertyFlags)] = &[
    ("instance_editable", PropertyFlags::empty()),
    ("expose_on_spawn", PropertyFlags::EXPOSE_ON_SPAWN),
    ("read_only", PropertyFlags::BLUEPRINT_READ_ONLY),
    ("private", PRIVATE),
    ("transient", PropertyFlags::TRANSIENT),
    ("save_game", PropertyFlags::SAVE_GAME),
    ("replicated", PropertyFlags::NET),
    (
        "rep_notify",
        PropertyFlags::NET.union(PropertyFlags::REP_NOTIFY),
    ),
];

/// The bits of a variable without flags.
pub(crate) fn variable_base(is_local: bool) -> PropertyFlags {
    let base = PropertyFlags::EDIT | PropertyFlags::BLUEPRINT_VISIBLE;
    if is_local {
        base
    } else {
        base | PropertyFlags::DISABLE_EDIT_ON_INSTANCE
    }
}

/// The words for a variable's bits; none when words do not say it all.
pub(crate) fn variable_words(flags: PropertyFlags, is_local: bool) -> Option<Vec<&'static str>> {
    let mut rest = flags;
    let mut words = Vec::new();
    let base = PropertyFlags::EDIT | PropertyFlags::BLUEPRINT_VISIBLE;
    if !rest.contains(base) {
        return None;
    }
    rest -= base;
    if !is_local {
        if rest.contains(PropertyFlags::DISABLE_EDIT_ON_INSTANCE) {
            rest -= PropertyFlags::DISABLE_EDIT_ON_INSTANCE;
        } else {
            words.push("instance_editable");
        }
    }
    // The longer combinations first, so that `rep_notify` takes the bit of `replicated` along.
    for (word, bits) in VARIABLE_FLAGS.iter().rev() {
        if !bits.is_empty() && rest.contains(*bits) {
            rest -= *bits;
            words.push(word);
        }
    }
    rest.is_empty().then_some(words)
}

/// The words for a graph's bits, and the bits there is no word for.
pub(crate) fn function_words(flags: FunctionFlags) -> (Vec<&'static str>, FunctionFlags) {
    let mut rest = flags;
    let mut words = Vec::new();
    for (word, bits) in FUNCTION_FLAGS {
        if !bits.is_empty() && rest.contains(*bits) {
            words.push(*word);
        }
    }
    for (_, bits) in FUNCTION_FLAGS {
        if flags.contains(*bits) {
            rest -= *bits;
        }
    }
    (words, rest)
}

/// What the editor shows for a variable of that name unless its author says otherwise.
pub(crate) fn usual_friendly_name(name: &str, ty: &PinType) -> String {
    let is_bool = ty.category == PinCategory::Bool && ty.container == Container::None;
    display_name(name, is_bool)
}
