//! What each node class shows: its pins, in the engine's order, its title, and the keys it takes in JSON.
//!
//! One class is one row of [`ALL`]. A row says how JSON keys become engine properties and back
//! ([`NodeClass::set`], [`NodeClass::keys_of`]), and which pins the editor would allocate for a node with
//! those properties ([`NodeClass::pins`]). Types that follow from links ([`NodeClass::wildcards`]) are
//! filled in by [`wildcard::resolve`] once all links are made.
//!
//! Source of pins, flags and defaults: the nodes of 296 editor-saved packages (4.16 to 5.6) and 188 public
//! clipboard texts.

mod asset;
mod async_action;
mod boundary;
mod call;
mod cast;
mod container;
mod context;
mod delegate;
mod enumeration;
mod event;
mod flow;
pub mod formula;
mod input;
mod key;
mod macros;
mod misc;
mod operator;
mod select;
mod spawn;
mod spec;
mod split;
mod structure;
mod switch;
mod title;
mod variable;
pub mod wildcard;

pub(crate) use call::dynamic_outputs;
pub(crate) use context::class_text;
pub use context::{
    MacroLibrary, NodeError, PinContext, resolve_class, resolve_enum, resolve_struct,
};
pub(crate) use flow::forget_counts;
pub use key::{Key, KeyKind, KeyValue, Keys};
pub use spec::{PinSpec, pin_type_of_value, pin_type_value};
pub use split::split_pin;
pub use title::{display_name, nearest};

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use bp_diag::Code;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::property::GuidOfText;
use crate::{Direction, Graph, Node, NodeId};

/// A node class: how its nodes are written and what pins they have.
pub trait NodeClass: Sync {
    /// The engine's name: `K2Node_CallFunction`.
    fn class(&self) -> &'static str;

    /// The package of the class when it is not `/Script/BlueprintGraph`.
    fn package(&self) -> Option<&'static str> {
        None
    }

    /// The JSON keys its nodes take besides the common ones.
    fn keys(&self) -> &'static [Key] {
        const { &[] }
    }

    /// Writes JSON keys into engine properties.
    ///
    /// # Errors
    /// The key names something that is not declared, or a needed key is missing.
    fn set(&self, _keys: &Keys, _node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        Ok(())
    }

    /// The reverse of [`NodeClass::set`]: the keys that would give the node's properties.
    fn keys_of(&self, _node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        Map::new()
    }

    /// The pins the editor allocates, in order, before any of them is split.
    ///
    /// # Errors
    /// What the node refers to is not declared.
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError>;

    /// Groups of pins that share a type which links decide.
    fn wildcards(&self, _node: &Node, _graph: &Graph) -> Vec<wildcard::Group> {
        Vec::new()
    }

    /// The first line of the node as the editor shows it.
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        display_name(node.short_class(), false)
    }

    /// Whether nodes with the same properties have the same title, whatever their pins and their graph.
    fn is_title_of_properties(&self) -> bool {
        false
    }
}

/// Every node class that is known, by topic.
pub const ALL: &[&dyn NodeClass] = &[
    &call::CallFunction,
    &call::CallParentFunction,
    &call::Message,
    &call::CallArrayFunction,
    &call::CallMaterialParameterCollectionFunction,
    &call::AnimGetter,
    &call::CallDataTableFunction,
    &call::CallFunctionOnMember,
    &call::AddComponent,
    &operator::PromotableOperator,
    &operator::CommutativeAssociativeBinaryOperator,
    &event::Event,
    &event::CustomEvent,
    &event::ComponentBoundEvent,
    &event::ActorBoundEvent,
    &input::InputAction,
    &input::InputKey,
    &input::InputDebugKey,
    &input::InputAxisEvent,
    &input::InputAxisKeyEvent,
    &input::InputVectorAxisEvent,
    &input::InputTouch,
    &input::GetInputAxisValue,
    &input::GetInputAxisKeyValue,
    &input::GetInputVectorAxisValue,
    &input::EnhancedInputAction,
    &variable::VariableGet,
    &variable::VariableSet,
    &variable::VariableSetRef,
    &variable::TemporaryVariable,
    &variable::AssignmentStatement,
    &variable::PureAssignmentStatement,
    &variable::SelfNode,
    &variable::Literal,
    &flow::Knot,
    &flow::IfThenElse,
    &flow::ExecutionSequence,
    &flow::MultiGate,
    &flow::DoOnceMultiInput,
    &boundary::FunctionEntry,
    &boundary::FunctionResult,
    &boundary::Tunnel,
    &switch::SwitchInteger,
    &switch::SwitchString,
    &switch::SwitchName,
    &switch::SwitchEnum,
    &switch::SwitchGameplayTag,
    &select::Select,
    &cast::DynamicCast,
    &cast::ClassDynamicCast,
    &structure::MakeStruct,
    &structure::BreakStruct,
    &structure::SetFieldsInStruct,
    &container::MakeArray,
    &container::MakeSet,
    &container::MakeMap,
    &container::GetArrayItem,
    &macros::MacroInstance,
    &macros::Composite,
    &macros::MathExpression,
    &delegate::AddDelegate,
    &delegate::RemoveDelegate,
    &delegate::ClearDelegate,
    &delegate::CallDelegate,
    &delegate::AssignDelegate,
    &delegate::CreateDelegate,
    &spawn::SpawnActorFromClass,
    &spawn::CreateWidget,
    &spawn::GenericCreateObject,
    &spawn::AddComponentByClass,
    &enumeration::EnumLiteral,
    &enumeration::EnumEquality,
    &enumeration::EnumInequality,
    &enumeration::ForEachElementInEnum,
    &enumeration::CastByteToEnum,
    &enumeration::GetEnumeratorName,
    &enumeration::GetEnumeratorNameAsString,
    &enumeration::GetNumEnumEntries,
    &async_action::AsyncAction,
    &async_action::LatentAbilityCall,
    &async_action::LatentGameplayTaskCall,
    &async_action::LatentOnlineCall,
    &asset::HttpRequest,
    &async_action::LoadAsset,
    &async_action::LoadAssetClass,
    &asset::ConvertAsset,
    &asset::GetJsonField,
    &misc::Timeline,
    &misc::FormatText,
    &misc::EaseFunction,
    &misc::GetClassDefaults,
    &misc::GetDataTableRow,
    &misc::GetSubsystem,
    &misc::GetSubsystemFromPc,
    &misc::GetEngineSubsystem,
    &misc::GetEditorSubsystem,
    &misc::Comment,
];

/// The row of a class, named with or without `K2Node_`; compared without case.
pub fn find(class: &str) -> Option<&'static dyn NodeClass> {
    BY_CLASS.get(&Folded(class)).copied()
}

/// Rows by all that they may be called.
static BY_CLASS: LazyLock<FxHashMap<Folded<'static>, &'static dyn NodeClass>> =
    LazyLock::new(|| {
        let mut rows = FxHashMap::default();
        for row in ALL.iter().copied() {
            let class = row.class();
            let short = ["K2Node_", "EdGraphNode_"]
                .iter()
                .find_map(|prefix| class.strip_prefix(prefix));
            for name in [Some(class), short].into_iter().flatten() {
                rows.entry(Folded(name)).or_insert(row);
            }
        }
        rows
    });

/// A class's name, compared without case.
#[derive(Clone, Copy)]
struct Folded<'t>(&'t str);

impl PartialEq for Folded<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for Folded<'_> {}

impl Hash for Folded<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.0.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
    }
}

/// The pins the editor would allocate for a node.
///
/// # Errors
/// The class is unknown, or what the node refers to is not declared.
pub fn pins(node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
    find(node.class.as_str())
        .ok_or_else(|| {
            NodeError::new(
                Code::UnknownNode,
                format!("`{}` is not a known node class", node.short_class()),
            )
        })?
        .pins(node, cx)
}

/// The node's title as the editor shows it; its class when that is not known.
pub fn title(node: &Node, cx: &PinContext<'_>) -> String {
    find(node.class.as_str()).map_or_else(
        || display_name(node.short_class(), false),
        |row| row.title(node, cx),
    )
}

/// Whether a node of the same class with the same properties has the same title ([`title`]).
pub fn is_title_of_properties(node: &Node) -> bool {
    find(node.class.as_str()).is_some_and(NodeClass::is_title_of_properties)
}

/// Gives a node the pins of `specs`, in their order. A pin it has already under the same name and
/// direction is kept with its id, links and span; others it has are left out.
pub fn allocate(graph: &mut Graph, node: NodeId, specs: Vec<PinSpec>) {
    let old = std::mem::take(&mut graph.nodes[node].pins);
    let mut used = vec![false; old.len()];
    let mut passes = Vec::new();
    for spec in specs {
        let kept = old.iter().enumerate().position(|(idx, pin)| {
            let pin = &graph.pins[*pin];
            !used[idx] && pin.name == spec.name && pin.direction == spec.direction
        });
        let passed = spec.pass_through.clone();
        let id = match kept {
            Some(idx) => {
                used[idx] = true;
                let id = old[idx];
                spec.write_to(&mut graph.pins[id]);
                graph.nodes[node].pins.push(id);
                id
            }
            None => graph.add_pin(spec.into_pin(node)),
        };
        if let Some(other) = passed {
            passes.push((id, other));
        }
    }
    for (id, other) in passes {
        let found = graph
            .pins_of(node)
            .find(|(_, pin)| pin.name == other)
            .map(|(pin, _)| pin);
        graph.pins[id].pass_through = found;
    }
    let guid = graph.nodes[node].guid.to_string();
    let start = GuidOfText::new().then(&guid).then("/");
    for pin in &graph.nodes[node].pins {
        let pin = &mut graph.pins[*pin];
        if pin.id.is_zero() {
            let side = match pin.direction {
                Direction::Input => "/Input",
                Direction::Output => "/Output",
            };
            pin.id = start.then(pin.name.as_str()).then(side).guid();
        }
    }
}
