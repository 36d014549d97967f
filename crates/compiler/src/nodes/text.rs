//! Text that is put together.

use bp_graph::{Container, PinCategory, PinDefault, PinType};
use bp_reflect::ObjectPath;

use super::made;
use crate::expand::Expander;
use crate::expanded::{ContainerKind, ExNodeId, ExPinId, Op};

const ARGUMENT: &str = "/Script/Engine.FormatArgumentData";

/// `K2Node_FormatText`: a call of `Format` with an array of one struct an argument. Each struct has all
/// its members set; which one carries the value follows from the argument's type, and what is no number
/// becomes text first.
///
/// Source: 47 of 47 blocks of 20 nodes in real packages; the order of the new nodes (array, call, then a
/// struct and its conversion an argument) in 9 of 12 functions.
pub(super) fn format_text(x: &mut Expander<'_, '_>, id: ExNodeId) {
    let argument_path = ObjectPath::new(ARGUMENT);
    let element = PinType::with_object(PinCategory::Struct, argument_path.clone());
    let make_array = x.graph.spawn(
        id,
        "K2Node_MakeArray",
        Op::MakeContainer(ContainerKind::Array),
    );
    let array = x.graph.output(
        make_array,
        "Array",
        PinType {
            container: Container::Array,
            ..element.clone()
        },
    );
    let library = "/Script/Engine.KismetTextLibrary";
    let Some(call) = made::call(x, id, library, "Format") else {
        return;
    };
    if let Some(arguments) = x.graph.in_pin(call, "InArgs") {
        x.graph.link(array, arguments);
    }
    let members: Vec<(String, PinType)> =
        x.cx.registry
            .structure(&argument_path)
            .map(|structure| {
                let members = structure.members.iter();
                members
                    .map(|member| (member.name.to_string(), x.pin_type(&member.ty)))
                    .collect()
            })
            .unwrap_or_default();
    for (idx, name) in argument_names(x, id).iter().enumerate() {
        let make = x.graph.spawn(
            id,
            "K2Node_MakeStruct",
            Op::MakeStruct(argument_path.clone()),
        );
        let structure = x.graph.output(make, argument_path.name(), element.clone());
        for (member, ty) in &members {
            x.graph.input(make, member, ty.clone());
        }
        let slot = x
            .graph
            .input(make_array, &format!("[{idx}]"), element.clone());
        x.graph.link(structure, slot);
        set_default(x, make, "ArgumentName", name);
        let argument = x.graph.in_pin(id, name);
        let kind = argument.map_or("Text", |argument| pass(x, id, make, argument));
        set_default(x, make, "ArgumentValueType", kind);
    }
    let pattern = x.graph.in_pin(id, "Format");
    made::feed(x, pattern, call, "InPattern");
    let result = x.graph.out_pin(id, "Result");
    made::give_result(x, call, result);
    x.graph.dissolve(id);
}

fn argument_names(x: &Expander<'_, '_>, id: ExNodeId) -> Vec<String> {
    let names = x
        .graph
        .drawn(id)
        .and_then(|node| node.properties.get("PinNames"));
    names.map_or_else(Vec::new, |names| {
        names
            .elements()
            .iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect()
    })
}

fn set_default(x: &mut Expander<'_, '_>, node: ExNodeId, pin: &str, value: &str) {
    if let Some(pin) = x.graph.in_pin(node, pin) {
        x.graph.pins[pin].default = PinDefault {
            value: value.to_owned(),
            ..PinDefault::default()
        }
        .into();
    }
}

/// Gives an argument to the member that carries it; names the type that says so.
fn pass(x: &mut Expander<'_, '_>, id: ExNodeId, make: ExNodeId, argument: ExPinId) -> &'static str {
    let Some(source) = x.graph.pins[argument].links.first().copied() else {
        let default = x.graph.pins[argument].default.clone();
        if let Some(value) = x.graph.in_pin(make, "ArgumentValue") {
            x.graph.pins[value].default = default;
        }
        return "Text";
    };
    let ty = x.graph.pins[source].ty.clone();
    let is_single = ty.sub_category.eq_ignore_ascii_case("float");
    let math = "/Script/Engine.KismetMathLibrary";
    let text = "/Script/Engine.KismetTextLibrary";
    let member_is_wide = x
        .graph
        .in_pin(make, "ArgumentValueInt")
        .is_some_and(|pin| x.graph.pins[pin].ty.category == PinCategory::Int64);
    let (member, kind, conversion) = match ty.category {
        PinCategory::Int if member_is_wide => {
            ("ArgumentValueInt", "Int", Some((math, "Conv_IntToInt64")))
        }
        PinCategory::Int | PinCategory::Int64 => ("ArgumentValueInt", "Int", None),
        PinCategory::Byte | PinCategory::Enum => {
            let is_gender = ty
                .object
                .as_ref()
                .is_some_and(|path| path.name() == "ETextGender");
            if is_gender {
                ("ArgumentValueGender", "Gender", None)
            } else if member_is_wide {
                ("ArgumentValueInt", "Int", Some((math, "Conv_ByteToInt64")))
            } else {
                ("ArgumentValueInt", "Int", Some((math, "Conv_ByteToInt")))
            }
        }
        PinCategory::Float => ("ArgumentValueFloat", "Float", None),
        PinCategory::Real if is_single => ("ArgumentValueFloat", "Float", None),
        PinCategory::Real | PinCategory::Double => ("ArgumentValueDouble", "Double", None),
        PinCategory::Bool => ("ArgumentValue", "Text", Some((text, "Conv_BoolToText"))),
        PinCategory::String => ("ArgumentValue", "Text", Some((text, "Conv_StringToText"))),
        PinCategory::Name => ("ArgumentValue", "Text", Some((text, "Conv_NameToText"))),
        PinCategory::Object => ("ArgumentValue", "Text", Some((text, "Conv_ObjectToText"))),
        PinCategory::Exec
        | PinCategory::Text
        | PinCategory::Class
        | PinCategory::SoftObject
        | PinCategory::SoftClass
        | PinCategory::Interface
        | PinCategory::Struct
        | PinCategory::Delegate
        | PinCategory::MulticastDelegate
        | PinCategory::FieldPath
        | PinCategory::Transition
        | PinCategory::Wildcard => ("ArgumentValue", "Text", None),
    };
    let Some(value) = x.graph.in_pin(make, member) else {
        return kind;
    };
    let Some((library, function)) = conversion else {
        x.graph.move_input(argument, value);
        return kind;
    };
    let Some(call) = made::call(x, id, library, function) else {
        return kind;
    };
    if let (Some(input), Some(output)) = (
        made::further_inputs(x, call, &["self"]).first().copied(),
        x.graph.data_out(call),
    ) {
        made::take_type(x, source, input);
        x.graph.move_input(argument, input);
        x.graph.link(output, value);
    }
    kind
}
