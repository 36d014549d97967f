//! Pins and their types.

use bitflags::bitflags;
use bp_diag::Span;
use bp_reflect::{Name, ObjectPath, TextValue};

use crate::{Guid, MemberReference, NodeId, PinId};

/// Which side of its node a pin is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Left.
    #[default]
    Input,
    /// Right.
    Output,
}

/// What flows through a pin (`PC_*`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PinCategory {
    /// Control.
    Exec,
    /// A bool.
    Bool,
    /// A byte, or an enum when the type names one.
    Byte,
    /// An int.
    Int,
    /// An int64.
    Int64,
    /// UE5: a float or a double, as the sub-category says.
    Real,
    /// UE4: a float.
    Float,
    /// UE4: a double (rare).
    Double,
    /// A name.
    Name,
    /// A string.
    String,
    /// A text.
    Text,
    /// An object reference.
    Object,
    /// A class reference.
    Class,
    /// A soft object reference.
    SoftObject,
    /// A soft class reference.
    SoftClass,
    /// An interface reference.
    Interface,
    /// A struct.
    Struct,
    /// An enum (rare; enums mostly are `Byte`).
    Enum,
    /// A delegate.
    Delegate,
    /// A multicast delegate.
    MulticastDelegate,
    /// A field path.
    FieldPath,
    /// Of a state or transition: what is drawn between the states of a state machine.
    Transition,
    /// Not typed yet.
    #[default]
    Wildcard,
}

impl PinCategory {
    /// The engine's word for each category.
    pub const NAMES: &'static [(Self, &'static str)] = &[
        (Self::Exec, "exec"),
        (Self::Bool, "bool"),
        (Self::Byte, "byte"),
        (Self::Int, "int"),
        (Self::Int64, "int64"),
        (Self::Real, "real"),
        (Self::Float, "float"),
        (Self::Double, "double"),
        (Self::Name, "name"),
        (Self::String, "string"),
        (Self::Text, "text"),
        (Self::Object, "object"),
        (Self::Class, "class"),
        (Self::SoftObject, "softobject"),
        (Self::SoftClass, "softclass"),
        (Self::Interface, "interface"),
        (Self::Struct, "struct"),
        (Self::Enum, "enum"),
        (Self::Delegate, "delegate"),
        (Self::MulticastDelegate, "mcdelegate"),
        (Self::FieldPath, "fieldpath"),
        (Self::Transition, "transition"),
        (Self::Wildcard, "wildcard"),
    ];

    /// The engine's word.
    pub fn word(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(category, _)| *category == self)
            .map_or("wildcard", |(_, word)| word)
    }

    /// The category of an engine word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(_, name)| name.eq_ignore_ascii_case(word))
            .map(|(category, _)| *category)
    }
}

/// The type of a map's values (`FEdGraphTerminalType`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TerminalType {
    /// Category.
    pub category: PinCategory,
    /// Sub-category: `float` or `double` of a real.
    pub sub_category: String,
    /// Class, struct or enum.
    pub object: Option<ObjectPath>,
    /// Constant.
    pub is_const: bool,
    /// Weak.
    pub is_weak: bool,
    /// `TSubclassOf`.
    pub is_uobject_wrapper: bool,
}

/// Whether a pin carries one value or many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Container {
    /// One.
    #[default]
    None,
    /// An array.
    Array,
    /// A set.
    Set,
    /// A map; the pin's own type is the key's.
    Map(Box<TerminalType>),
}

/// The type of a pin or variable (`FEdGraphPinType`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PinType {
    /// What flows.
    pub category: PinCategory,
    /// `float` or `double` of a real; `self` of an object; mostly empty.
    pub sub_category: String,
    /// Class, struct or enum.
    pub object: Option<ObjectPath>,
    /// Signature of a delegate.
    pub signature: Option<Box<MemberReference>>,
    /// One or many.
    pub container: Container,
    /// By reference.
    pub is_reference: bool,
    /// Constant.
    pub is_const: bool,
    /// Weak.
    pub is_weak: bool,
    /// `TSubclassOf`.
    pub is_uobject_wrapper: bool,
    /// UE5: stored as a float although shown as a real.
    pub is_single_precision: bool,
}

impl PinType {
    /// A type of the category alone.
    pub fn of(category: PinCategory) -> Self {
        Self {
            category,
            ..Self::default()
        }
    }

    /// A type of the category with a class, struct or enum.
    pub fn with_object(category: PinCategory, object: ObjectPath) -> Self {
        Self {
            category,
            object: Some(object),
            ..Self::default()
        }
    }

    /// An exec pin's.
    pub fn exec() -> Self {
        Self::of(PinCategory::Exec)
    }

    /// Whether control flows.
    pub fn is_exec(&self) -> bool {
        self.category == PinCategory::Exec
    }

    /// Whether it is an array, set or map.
    pub fn is_container(&self) -> bool {
        self.container != Container::None
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        self.container == Container::Array
    }

    /// The type of one element of a container (of a map: its key).
    #[must_use]
    pub fn element(&self) -> Self {
        Self {
            container: Container::None,
            is_reference: false,
            is_const: false,
            ..self.clone()
        }
    }
}

bitflags! {
    /// How a pin is shown and used.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct PinFlags: u16 {
        /// Not shown.
        const HIDDEN = 0x1;
        /// Cannot be linked.
        const NOT_CONNECTABLE = 0x2;
        /// Its default cannot be edited.
        const DEFAULT_READ_ONLY = 0x4;
        /// Its default means nothing: it needs a link, or gets an empty temporary.
        const DEFAULT_IGNORED = 0x8;
        /// Shown only when the node is expanded.
        const ADVANCED = 0x10;
        /// Belongs to a parameter that is gone.
        const ORPHANED = 0x20;
        /// Made by the author (a parameter of a custom event, function, macro).
        const USER_DEFINED = 0x40;
    }
}

/// What an unlinked input gives. At most one of `text`, `object`, `value` counts, by the pin's type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PinDefault {
    /// In the engine's text form; empty is the type's zero.
    pub value: String,
    /// Of object and class pins.
    pub object: Option<ObjectPath>,
    /// Of text pins.
    pub text: Option<TextValue>,
    /// The parameter's own default, which `value` started as.
    pub autogenerated: String,
}

/// A pin.
#[derive(Clone, Debug)]
pub struct Pin {
    /// The node it is on.
    pub node: NodeId,
    /// Identifies it on its node.
    pub id: Guid,
    /// Its name; `None` for an unnamed pin.
    pub name: Name,
    /// Its side.
    pub direction: Direction,
    /// Its type.
    pub ty: PinType,
    /// What it gives when it is an unlinked input.
    pub default: PinDefault,
    /// The pins at the other ends, in order.
    pub links: Vec<PinId>,
    /// Of a part of a split struct: the struct's pin.
    pub parent: Option<PinId>,
    /// Of a split struct: its parts, in member order.
    pub sub_pins: Vec<PinId>,
    /// The input whose reference an output passes on, or the output an input passes on to.
    pub pass_through: Option<PinId>,
    /// How it is shown.
    pub flags: PinFlags,
    /// What the editor shows in place of its name, as written in the source (a text macro or string).
    pub friendly_name: Option<String>,
    /// Its tool tip.
    pub tool_tip: Option<String>,
    /// Identifies it over renames; zeros but for some user-defined pins.
    pub persistent_guid: Guid,
    /// Where it is written.
    pub span: Option<Span>,
}

impl Pin {
    /// A pin without default, links or parts.
    pub fn new(node: NodeId, name: impl Into<Name>, direction: Direction, ty: PinType) -> Self {
        Self {
            node,
            id: Guid::default(),
            name: name.into(),
            direction,
            ty,
            default: PinDefault::default(),
            links: Vec::new(),
            parent: None,
            sub_pins: Vec::new(),
            pass_through: None,
            flags: PinFlags::empty(),
            friendly_name: None,
            tool_tip: None,
            persistent_guid: Guid::default(),
            span: None,
        }
    }

    /// Whether a name means this pin: without case and spaces; `execute` also means an unnamed one.
    pub fn is_named(&self, name: &str) -> bool {
        // Runs for each pin before the one that is looked for, so it must not allocate.
        fn fold(text: &str) -> impl Iterator<Item = char> {
            text.chars()
                .filter(|c| *c != ' ')
                .flat_map(char::to_lowercase)
        }
        self.name == *name
            || (self.name.is_none() && name.eq_ignore_ascii_case("execute"))
            || fold(self.name.as_str()).eq(fold(name))
    }

    /// Whether control flows through it.
    pub fn is_exec(&self) -> bool {
        self.ty.is_exec()
    }

    /// Whether it is an input.
    pub fn is_input(&self) -> bool {
        self.direction == Direction::Input
    }

    /// Whether its struct is shown as parts.
    pub fn is_split(&self) -> bool {
        !self.sub_pins.is_empty()
    }
}
