//! Choosing one of several values.

use bp_diag::Code;
use serde_json::{Map, Value};

use super::spec::{Kind, number, object, pin_type_of_value, pin_type_value, string_array, strings};
use super::switch::{entry_title, shown_entries};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, wildcard};
use crate::json::type_text;
use crate::{Graph, Node, PinCategory, PinType};

/// `K2Node_Select`.
pub(crate) struct Select;

/// Most options of a Select.
const MAX_OPTIONS: i64 = 1024;

impl Select {
    fn index(node: &Node) -> PinType {
        node.properties
            .get("IndexPinType")
            .and_then(pin_type_of_value)
            .unwrap_or_else(|| PinType::of(PinCategory::Wildcard))
    }

    fn count(node: &Node) -> usize {
        node.properties
            .int("NumOptionPins")
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or(2)
    }
}

impl NodeClass for Select {
    fn class(&self) -> &'static str {
        "K2Node_Select"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::new(
                    "index",
                    KeyKind::Type,
                    "The index's type: bool, int or an enum",
                ),
                Key::new(
                    "type",
                    KeyKind::Type,
                    "The type of the options, when no link tells",
                ),
                Key::new(
                    "options",
                    KeyKind::CountOrNamesOrEnum,
                    "How many options, or their entries or enum",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let options = keys.int("options");
        let index = match (keys.ty("index"), keys.path("options")) {
            (Some(ty), None) => ty.clone(),
            (_, Some(path)) => PinType::with_object(PinCategory::Byte, path.clone()),
            (None, None) if options.unwrap_or(2) == 2 => PinType::of(PinCategory::Bool),
            (None, None) => PinType::of(PinCategory::Int),
        };
        let fits = matches!(
            index.category,
            PinCategory::Bool
                | PinCategory::Byte
                | PinCategory::Int
                | PinCategory::Enum
                | PinCategory::Wildcard
        ) && !index.is_container();
        if !fits {
            return Err(NodeError::new(
                Code::SelectOption,
                "the index of a Select is a bool, byte, int or enum",
            )
            .key("index"));
        }
        if let Some(path) = &index.object {
            let entries = match keys.names("options") {
                Some(names) => names.to_vec(),
                None => shown_entries(path, cx),
            };
            if entries.is_empty() {
                return Err(NodeError::new(
                    Code::EnumInvalid,
                    format!("the entries of {} are not declared", path.name()),
                )
                .key("index")
                .hint(Some("list them under `options`".to_owned())));
            }
            node.properties.set("NumOptionPins", number(entries.len()));
            node.properties.set("IndexPinType", pin_type_value(&index));
            node.properties.set("Enum", object(Kind::Enum, path));
            node.properties.set("EnumEntries", string_array(&entries));
        } else {
            let count = options.unwrap_or(2);
            let is_bool = index.category == PinCategory::Bool;
            if !(2..=MAX_OPTIONS).contains(&count) || (is_bool && count != 2) {
                return Err(NodeError::new(
                    Code::SelectOption,
                    if is_bool {
                        "a Select by bool has two options".to_owned()
                    } else {
                        format!("a Select has 2 to {MAX_OPTIONS} options")
                    },
                )
                .key("options"));
            }
            if count != 2 {
                node.properties.set("NumOptionPins", number(count));
            }
            node.properties.set("IndexPinType", pin_type_value(&index));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        let index = Self::index(node);
        keys.insert("index".to_owned(), type_text(&index, cx.registry).into());
        match &index.object {
            Some(path) => {
                let entries = strings(node, "EnumEntries");
                if entries != shown_entries(path, cx) {
                    keys.insert("options".to_owned(), entries.into());
                }
            }
            None if Self::count(node) != 2 => {
                keys.insert("options".to_owned(), Self::count(node).into());
            }
            None => {}
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let index = Self::index(node);
        let wild = PinType::of(PinCategory::Wildcard);
        let mut pins = Vec::new();
        match &index.object {
            Some(path) => {
                for entry in strings(node, "EnumEntries") {
                    let title = entry_title(path, &entry, cx);
                    pins.push(PinSpec {
                        friendly_name: Some(title),
                        ..PinSpec::input(entry, wild.clone())
                    });
                }
            }
            None => {
                for idx in 0..Self::count(node) {
                    let mut pin = PinSpec::input(format!("Option {idx}"), wild.clone());
                    if index.category == PinCategory::Bool {
                        let word = if idx == 0 { "False" } else { "True" };
                        pin.friendly_name =
                            Some(format!("NSLOCTEXT(\"Core\", \"{word}\", \"{word}\")"));
                    }
                    pins.push(pin);
                }
            }
        }
        pins.push(super::call::first_entry(
            PinSpec::input("Index", index).auto(),
            cx,
        ));
        pins.push(PinSpec::output("ReturnValue", wild));
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        vec![wildcard::all_but(node, graph, &["Index"])]
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Select".to_owned()
    }
}
