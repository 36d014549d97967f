//! Switches.

use bp_diag::Code;
use bp_reflect::ObjectPath;
use serde_json::{Map, Value};

use super::context::{did_you_mean, short_name};
use super::spec::{Kind, number, object, string_array, strings, word};
use super::{Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, title::display_name};
use crate::{Direction, Node, PinCategory, PinFlags, PinType};

const CASES: Key = Key::new("cases", KeyKind::CountOrNames, "The cases, or their count");
const HAS_DEFAULT: Key = Key::new(
    "has_default",
    KeyKind::Bool,
    "Whether it has a Default output",
);

/// The hidden pin that names the comparison.
fn comparison(function: &str, library: &str) -> PinSpec {
    let path = ObjectPath::new(library);
    PinSpec::input(
        function,
        PinType::with_object(PinCategory::Object, path.clone()),
    )
    .object(path.default_object())
    .with(PinFlags::HIDDEN | PinFlags::NOT_CONNECTABLE | PinFlags::DEFAULT_READ_ONLY)
}

const MATH: &str = "/Script/Engine.KismetMathLibrary";
const STRINGS: &str = "/Script/Engine.KismetStringLibrary";
const TAGS: &str = "/Script/GameplayTags.BlueprintGameplayTagLibrary";

/// Most cases a switch can have.
const MAX_CASES: i64 = 1024;

/// The cases of a switch by name.
fn set_cases(keys: &Keys, node: &mut Node) -> Result<(), NodeError> {
    let names: Vec<String> = match (keys.names("cases"), keys.int("cases")) {
        (Some(names), _) => names.to_vec(),
        (None, Some(count)) => {
            if !(0..=MAX_CASES).contains(&count) {
                return Err(NodeError::new(
                    Code::BadValue,
                    format!("a switch has at most {MAX_CASES} cases"),
                )
                .key("cases"));
            }
            (0..count).map(|idx| format!("Case_{idx}")).collect()
        }
        (None, None) => Vec::new(),
    };
    for (idx, name) in names.iter().enumerate() {
        if names[..idx].iter().any(|other| other == name) {
            return Err(NodeError::new(
                Code::SwitchCase,
                format!("the case `{name}` stands twice"),
            )
            .key("cases"));
        }
    }
    if !names.is_empty() {
        node.properties.set("PinNames", string_array(&names));
    }
    if keys.flag("has_default") == Some(false) {
        node.properties.set("bHasDefaultPin", word(false));
    }
    Ok(())
}

fn case_keys(node: &Node) -> Map<String, Value> {
    let mut keys = Map::new();
    let names = strings(node, "PinNames");
    if !names.is_empty() {
        keys.insert("cases".to_owned(), names.into());
    }
    if node.properties.flag("bHasDefaultPin") == Some(false) {
        keys.insert("has_default".to_owned(), false.into());
    }
    keys
}

fn case_pins(node: &Node, selection: PinSpec, function: &str, library: &str) -> Vec<PinSpec> {
    let mut pins = head(node, selection, function, library);
    pins.extend(strings(node, "PinNames").into_iter().map(PinSpec::exec_out));
    pins
}

fn head(node: &Node, selection: PinSpec, function: &str, library: &str) -> Vec<PinSpec> {
    let mut pins = Vec::new();
    if node.properties.flag("bHasDefaultPin") != Some(false) {
        pins.push(PinSpec::exec_out("Default"));
    }
    pins.push(PinSpec::exec_in("execute"));
    pins.push(selection);
    pins.push(comparison(function, library));
    pins
}

/// `K2Node_SwitchInteger`.
pub(crate) struct SwitchInteger;

const WANTED: &str = "+cases";

impl NodeClass for SwitchInteger {
    fn class(&self) -> &'static str {
        "K2Node_SwitchInteger"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::new("cases", KeyKind::Names, "The numbers, one after the other"),
                Key::new("start", KeyKind::Int, "The first number"),
                Key::new("count", KeyKind::Count, "How many numbers"),
                HAS_DEFAULT,
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        let mut start = keys.int("start").unwrap_or(0);
        let mut count = keys.int("count");
        if let Some(cases) = keys.names("cases") {
            let numbers: Option<Vec<i64>> = cases.iter().map(|case| case.parse().ok()).collect();
            let Some(numbers) = numbers else {
                return Err(NodeError::new(
                    Code::SwitchCase,
                    "the cases of an integer switch are whole numbers",
                )
                .key("cases"));
            };
            let in_turn = numbers
                .windows(2)
                .all(|pair| pair[0].checked_add(1) == Some(pair[1]));
            if !in_turn {
                return Err(NodeError::new(
                    Code::SwitchCase,
                    "the cases of an integer switch are numbers in turn, without gaps",
                )
                .key("cases")
                .hint(Some("use `start` and `count`, or a Select".to_owned())));
            }
            start = numbers.first().copied().unwrap_or(0);
            count = Some(numbers.len() as i64);
        }
        let count = count.unwrap_or(0);
        if !(0..=MAX_CASES).contains(&count) || i32::try_from(start).is_err() {
            return Err(NodeError::new(
                Code::BadValue,
                format!("a switch has at most {MAX_CASES} cases, which are 32-bit numbers"),
            )
            .key(if keys.has("cases") { "cases" } else { "count" }));
        }
        if start != 0 {
            node.properties.set("StartIndex", number(start));
        }
        if keys.flag("has_default") == Some(false) {
            node.properties.set("bHasDefaultPin", word(false));
        }
        node.properties.set(WANTED, number(count));
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        let start = node.properties.int("StartIndex").unwrap_or(0);
        if start != 0 {
            keys.insert("start".to_owned(), start.into());
        }
        keys.insert("count".to_owned(), Self::count(node, cx).into());
        if node.properties.flag("bHasDefaultPin") == Some(false) {
            keys.insert("has_default".to_owned(), false.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let selection = PinSpec::input("Selection", PinType::of(PinCategory::Int)).auto();
        let mut pins = head(node, selection, "NotEqual_IntInt", MATH);
        let start = node.properties.int("StartIndex").unwrap_or(0);
        for idx in 0..Self::count(node, cx) {
            pins.push(PinSpec::exec_out((start + idx).to_string()));
        }
        Ok(pins)
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Switch on Int".to_owned()
    }
}

impl SwitchInteger {
    fn count(node: &Node, cx: &PinContext<'_>) -> i64 {
        node.properties.int(WANTED).unwrap_or_else(|| {
            node.pins
                .iter()
                .filter(|pin| {
                    let pin = &cx.graph.pins[**pin];
                    pin.direction == Direction::Output && pin.name != "Default"
                })
                .count() as i64
        })
    }
}

/// `K2Node_SwitchString`.
pub(crate) struct SwitchString;

impl NodeClass for SwitchString {
    fn class(&self) -> &'static str {
        "K2Node_SwitchString"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                CASES,
                HAS_DEFAULT,
                Key::new(
                    "case_sensitive",
                    KeyKind::Bool,
                    "Whether upper and lower case differ",
                ),
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        if keys.flag("case_sensitive") == Some(true) {
            node.properties.set("bIsCaseSensitive", word(true));
        }
        set_cases(keys, node)
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = case_keys(node);
        if node.properties.flag("bIsCaseSensitive") == Some(true) {
            keys.insert("case_sensitive".to_owned(), true.into());
        }
        keys
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let function = if node.properties.flag("bIsCaseSensitive") == Some(true) {
            "NotEqual_StrStr"
        } else {
            "NotEqual_StriStri"
        };
        let selection = PinSpec::input("Selection", PinType::of(PinCategory::String));
        Ok(case_pins(node, selection, function, STRINGS))
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Switch on String".to_owned()
    }
}

/// `K2Node_SwitchName`.
pub(crate) struct SwitchName;

impl NodeClass for SwitchName {
    fn class(&self) -> &'static str {
        "K2Node_SwitchName"
    }
    fn keys(&self) -> &'static [Key] {
        const { &[CASES, HAS_DEFAULT] }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_cases(keys, node)
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        case_keys(node)
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let selection = PinSpec::input("Selection", PinType::of(PinCategory::Name)).auto();
        Ok(case_pins(node, selection, "NotEqual_NameName", MATH))
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Switch on Name".to_owned()
    }
}

/// `GameplayTagsK2Node_SwitchGameplayTag`.
pub(crate) struct SwitchGameplayTag;

impl NodeClass for SwitchGameplayTag {
    fn class(&self) -> &'static str {
        "GameplayTagsK2Node_SwitchGameplayTag"
    }
    fn package(&self) -> Option<&'static str> {
        Some("/Script/GameplayTagsEditor")
    }
    fn keys(&self) -> &'static [Key] {
        const { &[CASES, HAS_DEFAULT] }
    }
    fn set(&self, keys: &Keys, node: &mut Node, _cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_cases(keys, node)
    }
    fn keys_of(&self, node: &Node, _cx: &PinContext<'_>) -> Map<String, Value> {
        case_keys(node)
    }
    fn pins(&self, node: &Node, _cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let ty = PinType::with_object(
            PinCategory::Struct,
            "/Script/GameplayTags.GameplayTag".into(),
        );
        let selection = PinSpec::input("Selection", ty);
        Ok(case_pins(node, selection, "NotEqual_TagTag", TAGS))
    }
    fn title(&self, _node: &Node, _cx: &PinContext<'_>) -> String {
        "Switch on Gameplay Tag".to_owned()
    }
}

/// `K2Node_SwitchEnum`.
pub(crate) struct SwitchEnum;

/// From so many entries on, those after the third are shown only when the node is expanded.
///
/// Source: clipboard texts of enums with 5 and 9 entries.
const ADVANCED_FROM: usize = 5;

impl NodeClass for SwitchEnum {
    fn class(&self) -> &'static str {
        "K2Node_SwitchEnum"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("enum", KeyKind::Enum, "The enum"),
                Key::new(
                    "cases",
                    KeyKind::Names,
                    "The entries, when the enum is not declared",
                ),
                HAS_DEFAULT,
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let path = keys.need_path("enum")?;
        let entries = entry_names(keys, path, cx)?;
        node.properties.set("Enum", object(Kind::Enum, path));
        node.properties.set("EnumEntries", string_array(&entries));
        if keys.flag("has_default") == Some(true) {
            node.properties.set("bHasDefaultPin", word(true));
        }
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(path) = node.properties.object("Enum") {
            keys.insert(
                "enum".to_owned(),
                short_name(&path, &cx.registry.find_enum(path.name())).into(),
            );
            let entries = strings(node, "EnumEntries");
            if shown_entries(&path, cx) != entries {
                keys.insert("cases".to_owned(), entries.into());
            }
        }
        if node.properties.flag("bHasDefaultPin") == Some(true) {
            keys.insert("has_default".to_owned(), true.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let path = node
            .properties
            .object("Enum")
            .ok_or_else(NodeError::reported)?;
        let entries = strings(node, "EnumEntries");
        let mut pins = Vec::new();
        if node.properties.flag("bHasDefaultPin") == Some(true) {
            pins.push(PinSpec::exec_out("Default"));
        }
        pins.push(PinSpec::exec_in("execute"));
        let first = entries.first().map_or("", String::as_str);
        pins.push(
            PinSpec::input(
                "Selection",
                PinType::with_object(PinCategory::Byte, path.clone()),
            )
            .value(first),
        );
        pins.push(comparison("NotEqual_ByteByte", MATH));
        for (idx, entry) in entries.iter().enumerate() {
            let mut pin = PinSpec::exec_out(entry.as_str())
                .with_if(entries.len() > ADVANCED_FROM && idx > 2, PinFlags::ADVANCED);
            pin.friendly_name = Some(entry_title(&path, entry, cx));
            pins.push(pin);
        }
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        node.properties.object("Enum").map_or_else(
            || "Switch on Enum".to_owned(),
            |path| format!("Switch on {}", path.name()),
        )
    }
}

/// The display name of an entry as the engine writes it on a pin.
pub(crate) fn entry_title(path: &ObjectPath, entry: &str, cx: &PinContext<'_>) -> String {
    let shown = cx
        .registry
        .enumeration(path)
        .and_then(|found| found.entry(entry))
        .and_then(|entry| entry.display_name.clone())
        .unwrap_or_else(|| display_name(entry, false));
    format!(
        "NSLOCTEXT(\"UObjectDisplayNames\", \"{}.{entry}\", \"{shown}\")",
        path.name()
    )
}

/// The entries of an enum that the editor shows.
pub(crate) fn shown_entries(path: &ObjectPath, cx: &PinContext<'_>) -> Vec<String> {
    cx.registry
        .enumeration(path)
        .map(|found| {
            found
                .entries
                .iter()
                .filter(|entry| !entry.hidden)
                .map(|entry| entry.name.to_string())
                .collect()
        })
        .unwrap_or_default()
}

/// The entries a node lists: its `cases`, else all that the enum shows.
fn entry_names(
    keys: &Keys,
    path: &ObjectPath,
    cx: &PinContext<'_>,
) -> Result<Vec<String>, NodeError> {
    let shown = shown_entries(path, cx);
    let Some(cases) = keys.names("cases") else {
        return if shown.is_empty() {
            Err(NodeError::new(
                Code::EnumInvalid,
                format!("the entries of {} are not declared", path.name()),
            )
            .key("enum")
            .hint(Some("list them under `cases`".to_owned())))
        } else {
            Ok(shown)
        };
    };
    if let Some(found) = cx.registry.enumeration(path)
        && !found.entries.is_empty()
    {
        for case in cases {
            if found.entry(case).is_none() {
                return Err(NodeError::new(
                    Code::EnumInvalid,
                    format!("{} has no entry `{case}`", path.name()),
                )
                .key("cases")
                .hint(did_you_mean(case, shown.iter().map(String::as_str))));
            }
        }
    }
    Ok(cases.to_vec())
}
