//! Short forms for calls of library functions in assembly text.

use std::fmt::Write as _;

const ARRAYS: &str = "/Script/Engine.KismetArrayLibrary";
const STRINGS: &str = "/Script/Engine.KismetStringLibrary";

/// `$array(F, …)`, `$set(F, …)`, `$map(F, …)`: a statement that calls a library function; `$string(F, …)`,
/// `$math(F, …)`: a value.
pub(crate) fn expanded(text: &str) -> String {
    let library = |text: &str, name: &str, path: &str, is_static: bool| {
        let mut out = String::new();
        let mut rest = text;
        let start = format!("${name}(");
        while let Some(at) = rest.find(&start) {
            out.push_str(&rest[..at]);
            let arguments = &rest[at + start.len()..];
            let comma = arguments.find(',').expect("a function and its arguments");
            let (function, behind) = arguments.split_at(comma);
            if is_static {
                write!(out, "CallMath({path}:{function}").expect("writing to a string");
                rest = behind;
            } else {
                let end = behind.find('\n').expect("a statement is a line");
                let owner = path.replace('.', ".Default__");
                let arguments = &behind[..end];
                write!(
                    out,
                    "Context(ObjectConst({owner}), null, FinalFunction({path}:{function}{arguments})"
                )
                .expect("writing to a string");
                rest = &behind[end..];
            }
        }
        out.push_str(rest);
        out
    };
    let text = library(text, "array", ARRAYS, false);
    let text = library(&text, "set", "/Script/Engine.BlueprintSetLibrary", false);
    let text = library(&text, "map", "/Script/Engine.BlueprintMapLibrary", false);
    let text = library(&text, "string", STRINGS, true);
    library(&text, "math", "/Script/Engine.KismetMathLibrary", true)
}
