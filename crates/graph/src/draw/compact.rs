//! Functions that the editor draws as a sign without title bar (`CompactNodeTitle`).

use crate::Node;

/// Signs by the first part of a function's name.
///
/// Source: how the editor of 5.x shows the nodes of the engine's libraries.
const SIGNS: &[(&str, &str)] = &[
    ("Add_", "+"),
    ("Subtract_", "-"),
    ("Multiply_", "×"),
    ("Divide_", "÷"),
    ("Percent_", "%"),
    ("EqualEqual_", "=="),
    ("NotEqual_", "!="),
    ("LessEqual_", "<="),
    ("GreaterEqual_", ">="),
    ("Less_", "<"),
    ("Greater_", ">"),
    ("BooleanAND", "AND"),
    ("BooleanOR", "OR"),
    ("BooleanXOR", "XOR"),
    ("BooleanNAND", "NAND"),
    ("BooleanNOR", "NOR"),
    ("Not_PreBool", "NOT"),
    ("And_", "&"),
    ("Or_", "|"),
    ("Xor_", "^"),
    ("Conv_", "•"),
    ("FMax", "MAX"),
    ("FMin", "MIN"),
    ("Max", "MAX"),
    ("Min", "MIN"),
    ("Abs", "ABS"),
    ("Dot_", "dot"),
    ("Cross_", "cross"),
    ("Array_Length", "LENGTH"),
    ("Array_LastIndex", "LAST INDEX"),
    ("Array_Contains", "CONTAINS"),
    ("Array_Find", "FIND"),
    ("Array_Add", "ADD"),
    ("Array_AddUnique", "ADDUNIQUE"),
    ("Array_Get", "GET"),
    ("Array_Clear", "CLEAR"),
    ("Map_Find", "FIND"),
    ("Map_Length", "LENGTH"),
    ("Map_Add", "ADD"),
    ("Set_Length", "LENGTH"),
    ("Set_Add", "ADD"),
];

/// The sign of a call node, if it is drawn as one.
pub(super) fn sign(node: &Node) -> Option<&'static str> {
    let class = node.short_class();
    if class == "GetArrayItem" {
        return Some("GET");
    }
    let is_call = matches!(
        class,
        "CallFunction"
            | "CallArrayFunction"
            | "CommutativeAssociativeBinaryOperator"
            | "PromotableOperator"
            | "EnumEquality"
            | "EnumInequality"
    );
    if !is_call {
        return None;
    }
    let reference = node.properties.member("FunctionReference")?;
    let is_library = reference.parent.as_ref().is_some_and(|parent| {
        let name = parent.name();
        name.starts_with("Kismet") || name.starts_with("Blueprint")
    });
    let name = reference.name.as_str();
    let (_, sign) = SIGNS.iter().find(|(start, _)| {
        // A word is the whole name, a name with `_` behind is a family of functions.
        if start.ends_with('_') {
            name.starts_with(start)
        } else {
            name == *start
        }
    })?;
    is_library.then_some(*sign)
}
