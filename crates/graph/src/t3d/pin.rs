//! Pin lines, pin objects of the old layout and types to the model's pins.

use std::ops::Range;

use bp_diag::{Code, Diagnostic};
use bp_reflect::{Name, TextValue};

use super::GuidTexts;
use super::lex::{Kind, Member, Value};
use super::object::{Object, Reporter};
use crate::{
    Container, Direction, Guid, MemberReference, NodeId, Pin, PinCategory, PinFlags, PinType,
    TerminalType,
};

/// A pin with the other pins it names, which are looked up when all are known.
pub(super) struct ReadPin {
    pub(super) pin: Pin,
    pub(super) links: Vec<PinAddress>,
    pub(super) sub_pins: Vec<PinAddress>,
    pub(super) parent: Option<PinAddress>,
    pub(super) pass_through: Option<PinAddress>,
}

/// How a text names a pin.
#[derive(Clone, Debug)]
pub(super) struct PinAddress {
    pub(super) node: String,
    pub(super) id: Guid,
    pub(super) range: Range<usize>,
}

/// The flags of a pin by their keys, in the order the editor writes them.
pub(super) const FLAGS: [(&str, PinFlags); 6] = [
    ("bHidden", PinFlags::HIDDEN),
    ("bNotConnectable", PinFlags::NOT_CONNECTABLE),
    ("bDefaultValueIsReadOnly", PinFlags::DEFAULT_READ_ONLY),
    ("bDefaultValueIsIgnored", PinFlags::DEFAULT_IGNORED),
    ("bAdvancedView", PinFlags::ADVANCED),
    ("bOrphanedPin", PinFlags::ORPHANED),
];

/// Reads the list of `CustomProperties Pin`.
pub(super) fn read_pin(
    node: NodeId,
    list: &Value<'_>,
    ids: &mut GuidTexts,
    reporter: &mut Reporter<'_, '_>,
) -> ReadPin {
    let mut read = start(node);
    let mut value_type = None;
    for member in list.members() {
        pin_member(
            &mut read,
            member.key,
            &member.value,
            &mut value_type,
            ids,
            reporter,
        );
    }
    let shown = ["PinName", "PinId"]
        .iter()
        .find_map(|key| {
            list.members()
                .iter()
                .find(|m| m.key.eq_ignore_ascii_case(key))
        })
        .map_or(&list.range, |member| &member.range);
    read.pin.span = Some(reporter.span(shown));
    finish(read, value_type)
}

/// Reads a pin object of the layout up to UE 4.14.
pub(super) fn read_pin_object(
    node: NodeId,
    object: &Object<'_>,
    ids: &mut GuidTexts,
    reporter: &mut Reporter<'_, '_>,
) -> ReadPin {
    let mut read = start(node);
    let mut value_type = None;
    for property in &object.properties {
        pin_member(
            &mut read,
            property.key,
            &property.value,
            &mut value_type,
            ids,
            reporter,
        );
    }
    read.pin.id = id_of_pin_object(&object.name);
    let shown = object
        .properties
        .iter()
        .find(|property| property.key.eq_ignore_ascii_case("PinName"))
        .map_or(&object.header, |property| &property.range);
    read.pin.span = Some(reporter.span(shown));
    finish(read, value_type)
}

fn start(node: NodeId) -> ReadPin {
    ReadPin {
        pin: Pin::new(node, Name::none(), Direction::Input, PinType::default()),
        links: Vec::new(),
        sub_pins: Vec::new(),
        parent: None,
        pass_through: None,
    }
}

fn finish(mut read: ReadPin, value_type: Option<TerminalType>) -> ReadPin {
    if let Container::Map(value) = &mut read.pin.ty.container
        && let Some(value_type) = value_type
    {
        **value = value_type;
    }
    read
}

/// The id of a pin that its source gives none: the same whenever the node has the same name and pins.
pub(super) fn made_pin_id(node: &Name, place: usize, pin: &Name) -> Guid {
    Guid::of_text(&format!("{node}/{place}/{pin}").to_lowercase())
}

/// Pins of the old layout have a name instead of an id.
fn id_of_pin_object(name: &str) -> Guid {
    Guid::of_text(&name.to_lowercase())
}

fn pin_member(
    read: &mut ReadPin,
    key: &str,
    value: &Value<'_>,
    value_type: &mut Option<TerminalType>,
    ids: &mut GuidTexts,
    reporter: &mut Reporter<'_, '_>,
) {
    let pin = &mut read.pin;
    let key = key.to_ascii_lowercase();
    if let Some(type_key) = key.strip_prefix("pintype.") {
        type_member(&mut pin.ty, value_type, type_key, value, reporter);
        return;
    }
    if let Some((_, flag)) = FLAGS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(&key))
    {
        pin.flags.set(*flag, value.is_true());
        return;
    }
    match key.as_str() {
        "pinid" => pin.id = ids.read(&value.text()),
        "pinname" => pin.name = Name::new(value.text()),
        "pinfriendlyname" => pin.friendly_name = non_empty(value),
        "pintooltip" => pin.tool_tip = non_empty(value),
        "direction" => {
            pin.direction = if value.text().eq_ignore_ascii_case("EGPD_Output") {
                Direction::Output
            } else {
                Direction::Input
            }
        }
        "pintype" => {
            for member in value.members() {
                type_member(
                    &mut pin.ty,
                    value_type,
                    &member.key.to_ascii_lowercase(),
                    &member.value,
                    reporter,
                );
            }
        }
        "defaultvalue" => pin.default.value = value.text().into_owned(),
        "autogenerateddefaultvalue" => pin.default.autogenerated = value.text().into_owned(),
        "defaultobject" => pin.default.object = value.path(),
        "defaulttextvalue" => pin.default.text = Some(text_value(value)),
        "linkedto" => addresses(value, ids, &mut read.links),
        "subpins" => addresses(value, ids, &mut read.sub_pins),
        "parentpin" => read.parent = address(value, ids),
        "referencepassthroughconnection" => read.pass_through = address(value, ids),
        "persistentguid" => pin.persistent_guid = ids.read(&value.text()),
        _ => {}
    }
}

/// A string's content or a macro as written; none if there is nothing in it.
fn non_empty(value: &Value<'_>) -> Option<String> {
    let text = value.text();
    (!text.is_empty()).then(|| text.into_owned())
}

/// One pin (the old layout writes each in its own line) or a list of pins.
fn addresses(value: &Value<'_>, ids: &mut GuidTexts, out: &mut Vec<PinAddress>) {
    match &value.kind {
        Kind::Tuple(members) => {
            out.extend(
                members
                    .iter()
                    .filter_map(|member| address(&member.value, ids)),
            );
        }
        Kind::Word(_) | Kind::String(_) | Kind::Object { .. } | Kind::Text(_) => {
            out.extend(address(value, ids));
        }
    }
}

fn address(value: &Value<'_>, ids: &mut GuidTexts) -> Option<PinAddress> {
    let range = value.range.clone();
    if let Kind::Object { path, .. } = value.kind {
        let (outer, pin) = path.rsplit_once('.')?;
        let node = outer.rsplit(['.', ':']).next().unwrap_or(outer);
        return Some(PinAddress {
            node: node.to_owned(),
            id: id_of_pin_object(pin),
            range,
        });
    }
    let text = match &value.kind {
        // A pass-through connection may stand in parentheses of its own.
        Kind::Tuple(members) => members.first()?.value.text(),
        Kind::Word(_) | Kind::String(_) | Kind::Object { .. } | Kind::Text(_) => value.text(),
    };
    let (node, id) = text.trim().rsplit_once([' ', '\t'])?;
    Some(PinAddress {
        node: node.trim().to_owned(),
        id: ids.read(id),
        range,
    })
}

/// Reads a type written as one list: of a variable, local or user-defined pin.
pub(super) fn read_type(value: &Value<'_>, reporter: &mut Reporter<'_, '_>) -> PinType {
    let mut ty = PinType::default();
    let mut value_type = None;
    for member in value.members() {
        let key = member.key.to_ascii_lowercase();
        let key = key.strip_prefix("pintype.").unwrap_or(&key);
        type_member(&mut ty, &mut value_type, key, &member.value, reporter);
    }
    if let (Container::Map(slot), Some(value_type)) = (&mut ty.container, value_type) {
        **slot = value_type;
    }
    ty
}

/// Sets one member of a type; `key` in lower case.
fn type_member(
    ty: &mut PinType,
    value_type: &mut Option<TerminalType>,
    key: &str,
    value: &Value<'_>,
    reporter: &mut Reporter<'_, '_>,
) {
    match key {
        "pincategory" => ty.category = category(value, reporter),
        "pinsubcategory" => ty.sub_category = sub_category(value),
        "pinsubcategoryobject" => ty.object = value.path(),
        "pinsubcategorymemberreference" => ty.signature = member_reference(value).map(Box::new),
        "pinvaluetype" => *value_type = terminal_type(value.members(), reporter),
        "containertype" => match &*value.text().to_ascii_lowercase() {
            "array" => ty.container = Container::Array,
            "set" => ty.container = Container::Set,
            "map" => ty.container = Container::Map(Box::default()),
            _ => ty.container = Container::None,
        },
        // Up to UE 4.16.
        "bisarray" if value.is_true() => ty.container = Container::Array,
        "bisset" if value.is_true() => ty.container = Container::Set,
        "bismap" if value.is_true() => ty.container = Container::Map(Box::default()),
        "bisreference" => ty.is_reference = value.is_true(),
        "bisconst" => ty.is_const = value.is_true(),
        "bisweakpointer" => ty.is_weak = value.is_true(),
        "bisuobjectwrapper" => ty.is_uobject_wrapper = value.is_true(),
        "bserializeassingleprecisionfloat" => ty.is_single_precision = value.is_true(),
        _ => {}
    }
}

fn category(value: &Value<'_>, reporter: &mut Reporter<'_, '_>) -> PinCategory {
    let word = value.text();
    if word.is_empty() || word.eq_ignore_ascii_case("None") {
        return PinCategory::Wildcard;
    }
    PinCategory::parse(&word).unwrap_or_else(|| {
        let span = reporter.span(&value.range);
        reporter.syntax(
            Diagnostic::new(
                Code::BadValue,
                format!("`{word}` is not a category of Blueprint pins"),
            )
            .at(span)
            .label("read as a wildcard"),
        );
        PinCategory::Wildcard
    })
}

fn sub_category(value: &Value<'_>) -> String {
    let text = value.text();
    if text.eq_ignore_ascii_case("None") {
        String::new()
    } else {
        text.into_owned()
    }
}

fn member_reference(value: &Value<'_>) -> Option<MemberReference> {
    MemberReference::from_value(&value.to_property())
}

fn terminal_type(members: &[Member<'_>], reporter: &mut Reporter<'_, '_>) -> Option<TerminalType> {
    if members.is_empty() {
        return None;
    }
    let mut ty = TerminalType::default();
    for Member { key, value, .. } in members {
        match key.to_ascii_lowercase().as_str() {
            "terminalcategory" => ty.category = category(value, reporter),
            "terminalsubcategory" => ty.sub_category = sub_category(value),
            "terminalsubcategoryobject" => ty.object = value.path(),
            "bterminalisconst" => ty.is_const = value.is_true(),
            "bterminalisweakpointer" => ty.is_weak = value.is_true(),
            "bterminalisuobjectwrapper" => ty.is_uobject_wrapper = value.is_true(),
            _ => {}
        }
    }
    Some(ty)
}

/// A text literal. A formatted text, which the editor never writes as a literal, keeps its form as an
/// invariant text.
fn text_value(value: &Value<'_>) -> TextValue {
    let text = value.text();
    match value.kind {
        Kind::Text(macro_text) => {
            parse_text(macro_text).unwrap_or_else(|| TextValue::Invariant(macro_text.into()))
        }
        Kind::Word(_) | Kind::String(_) | Kind::Object { .. } | Kind::Tuple(_) => {
            if text.is_empty() {
                TextValue::Empty
            } else {
                TextValue::Invariant(text.into())
            }
        }
    }
}

/// The text that a macro means: `NSLOCTEXT("ns", "key", "text")`, `INVTEXT("text")`,
/// `LOCTABLE("table", "key")`. None for macros that format other texts.
pub fn parse_text(text: &str) -> Option<TextValue> {
    let (word, arguments) = text.split_once('(')?;
    let mut lexer = super::lex::Lexer::new(&text[word.len()..]);
    let list = lexer.list().ok()?;
    debug_assert!(text.ends_with(arguments));
    let argument = |idx: usize| -> Option<std::sync::Arc<str>> {
        let value = &list.members().get(idx)?.value;
        matches!(value.kind, Kind::String(_)).then(|| value.text().into())
    };
    Some(match word.trim() {
        "NSLOCTEXT" => TextValue::Localized {
            namespace: argument(0)?,
            key: argument(1)?,
            source: argument(2)?,
        },
        "LOCTEXT" => TextValue::Localized {
            namespace: "".into(),
            key: argument(0)?,
            source: argument(1)?,
        },
        "INVTEXT" => TextValue::Invariant(argument(0)?),
        "LOCTABLE" => TextValue::StringTable {
            table: argument(0)?,
            key: argument(1)?,
        },
        _ => return None,
    })
}
