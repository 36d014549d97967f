//! How two scripts of one function compare: what is the same, where they part, and why.

use std::fmt::Write as _;

use bp_bytecode::{Expr, Operand};
use bp_graph::Blueprint;

/// The stored and our own name of the ubergraph of a Blueprint that was renamed after it was compiled.
///
/// The editor renames the package and the class; the function keeps its name until it is compiled again.
pub(super) fn renamed_ubergraph(
    stored: &[bp_uasset::StoredScript<'_>],
    blueprint: &Blueprint,
) -> Option<(bp_reflect::Name, bp_reflect::Name)> {
    let own = bp_reflect::Name::new(format!("ExecuteUbergraph_{}", blueprint.name));
    let mut ubergraphs = stored
        .iter()
        .map(|script| bp_reflect::Name::new(script.path.name()))
        .filter(|name| name.as_str().starts_with("ExecuteUbergraph_"));
    match (ubergraphs.next(), ubergraphs.next()) {
        (Some(old), None) if old != own => Some((old, own)),
        _ => None,
    }
}

/// Names a function of the compared class by another name, wherever it is called or owns a local. Gives whether it
/// is anywhere.
pub(super) fn rename_function(
    expr: &mut Expr,
    old: &bp_reflect::Name,
    new: &bp_reflect::Name,
) -> bool {
    let renamed = |path: &bp_reflect::ObjectPath| {
        let text = path.to_string();
        let owner = text.strip_suffix(old.as_str())?.strip_suffix(':')?;
        Some(bp_reflect::ObjectPath::new(format!("{owner}:{new}")))
    };
    let mut is_renamed = false;
    expr.visit_mut(&mut |expr| {
        for operand in &mut expr.operands {
            let path = if let Operand::Object(Some(path)) = operand {
                path
            } else if let Operand::Property(Some(property)) = operand {
                &mut property.owner
            } else {
                continue;
            };
            if let Some(new) = renamed(path) {
                *path = new;
                is_renamed = true;
            }
        }
    });
    is_renamed
}

/// Ubergraph, event stub, or function graph.
pub(super) fn kind_of(statements: &[(u32, Expr)], name: &bp_reflect::Name) -> &'static str {
    if name.as_str().starts_with("ExecuteUbergraph_") {
        return "ubergraph";
    }
    let calls_ubergraph = statements.iter().any(|(_, expr)| {
        expr.operands.iter().any(|operand| {
            let callee = if let Operand::Object(Some(path)) = operand {
                Some(path.name())
            } else if let Operand::Name(name) = operand {
                Some(name.as_str())
            } else {
                None
            };
            callee.is_some_and(|callee| callee.starts_with("ExecuteUbergraph_"))
        })
    });
    if calls_ubergraph { "stub" } else { "function" }
}

/// The id of a latent action inside a macro is not reproducible; it is the one thing masked.
pub(super) fn mask_latent_ids(ours: &mut [(u32, Expr)], theirs: &[(u32, Expr)]) -> usize {
    let mut masked = 0;
    for ((_, ours), (_, theirs)) in ours.iter_mut().zip(theirs) {
        if ours != theirs {
            mask(ours, theirs, &mut masked);
        }
    }
    masked
}

fn mask(ours: &mut Expr, theirs: &Expr, masked: &mut usize) {
    let is_latent_info = |expr: &Expr| matches!(expr.operands.first(), Some(Operand::Object(Some(path))) if path.name() == "LatentActionInfo");
    if is_latent_info(ours) && is_latent_info(theirs) {
        if let (Some(Operand::List(ours)), Some(Operand::List(theirs))) =
            (ours.operands.get_mut(2), theirs.operands.get(2))
            && let (Some(ours), Some(theirs)) = (ours.get_mut(1), theirs.get(1))
            && ours != theirs
        {
            *ours = theirs.clone();
            *masked += 1;
        }
        return;
    }
    for (ours, theirs) in ours.operands.iter_mut().zip(&theirs.operands) {
        match (ours, theirs) {
            (Operand::Expr(ours), Operand::Expr(theirs)) => mask(ours, theirs, masked),
            (Operand::List(ours), Operand::List(theirs)) => {
                for (ours, theirs) in ours.iter_mut().zip(theirs) {
                    mask(ours, theirs, masked);
                }
            }
            _ => {}
        }
    }
}

/// Statements are equal when they are at the same place with the same operands. Which of two locals of one
/// name is meant is not stored in packages.
fn same(ours: &(u32, Expr), theirs: &(u32, Expr)) -> bool {
    ours.0 == theirs.0 && same_expr(&ours.1, &theirs.1)
}

fn same_expr(ours: &Expr, theirs: &Expr) -> bool {
    ours.op == theirs.op
        && ours.operands.len() == theirs.operands.len()
        && ours
            .operands
            .iter()
            .zip(&theirs.operands)
            .all(|pair| match pair {
                (Operand::Property(ours), Operand::Property(theirs)) => match (ours, theirs) {
                    (Some(ours), Some(theirs)) => {
                        ours.owner == theirs.owner && ours.path == theirs.path
                    }
                    (None, None) => true,
                    _ => false,
                },
                (Operand::Expr(ours), Operand::Expr(theirs)) => same_expr(ours, theirs),
                (Operand::List(ours), Operand::List(theirs)) => {
                    ours.len() == theirs.len()
                        && ours
                            .iter()
                            .zip(theirs)
                            .all(|(ours, theirs)| same_expr(ours, theirs))
                }
                (Operand::Switch(ours), Operand::Switch(theirs)) => {
                    same_expr(&ours.index, &theirs.index)
                        && same_expr(&ours.default, &theirs.default)
                        && ours.cases.len() == theirs.cases.len()
                        && ours.cases.iter().zip(&theirs.cases).all(|(ours, theirs)| {
                            same_expr(&ours.0, &theirs.0) && same_expr(&ours.1, &theirs.1)
                        })
                }
                (ours, theirs) => ours == theirs,
            })
}

/// The first statement that is not the same.
pub(super) fn first_difference(ours: &[(u32, Expr)], theirs: &[(u32, Expr)]) -> Option<usize> {
    let n = ours.len().max(theirs.len());
    (0..n).find(|idx| match (ours.get(*idx), theirs.get(*idx)) {
        (Some(ours), Some(theirs)) => !same(ours, theirs),
        _ => true,
    })
}

/// The first statement that differs in more than places: a jump over a longer piece of code differs
/// only because the piece does.
pub(super) fn first_telling(ours: &[(u32, Expr)], theirs: &[(u32, Expr)]) -> Option<usize> {
    first_difference(ours, theirs)?;
    let n = ours.len().max(theirs.len());
    (0..n).find(|idx| match (ours.get(*idx), theirs.get(*idx)) {
        (Some((_, ours)), Some((_, theirs))) => !same_but_places(ours, theirs),
        _ => true,
    })
}

fn same_but_places(ours: &Expr, theirs: &Expr) -> bool {
    let bare = |expr: &Expr| Expr {
        op: expr.op,
        operands: expr
            .operands
            .iter()
            .map(|operand| {
                let is_place = matches!(operand, Operand::Target(_));
                if is_place {
                    Operand::U8(0)
                } else {
                    operand.clone()
                }
            })
            .collect(),
    };
    same_expr(&bare(ours), &bare(theirs))
}

/// A few words that alike differences share.
pub(super) fn cause(ours: &[(u32, Expr)], theirs: &[(u32, Expr)], at: usize) -> String {
    match (ours.get(at), theirs.get(at)) {
        (Some((_, ours)), Some((_, theirs))) => cause_of(ours, theirs),
        (None, Some((_, theirs))) => format!("ends early before {}", theirs.op.name()),
        (Some((_, ours)), None) => format!("goes on with {}", ours.op.name()),
        (None, None) => "none".to_owned(),
    }
}

fn cause_of(ours: &Expr, theirs: &Expr) -> String {
    if ours.op != theirs.op {
        return format!("{} for {}", ours.op.name(), theirs.op.name());
    }
    for pair in ours.operands.iter().zip(&theirs.operands) {
        match pair {
            (Operand::Expr(ours), Operand::Expr(theirs)) if !same_expr(ours, theirs) => {
                return format!("{} > {}", ours_name(ours, theirs), cause_of(ours, theirs));
            }
            (Operand::List(ours), Operand::List(theirs)) => {
                if ours.len() != theirs.len() {
                    return format!("number of operands of {}", op_and_target(theirs));
                }
                for (ours, theirs) in ours.iter().zip(theirs) {
                    if !same_expr(ours, theirs) {
                        return format!("argument > {}", cause_of(ours, theirs));
                    }
                }
            }
            (Operand::Target(ours), Operand::Target(theirs)) if ours != theirs => {
                return "jump target".to_owned();
            }
            (Operand::Property(ours), Operand::Property(theirs)) if ours != theirs => {
                let describe = |property: &Option<bp_bytecode::PropertyRef>| match property {
                    None => "null".to_owned(),
                    Some(property) => stem(property.name().as_str()).to_owned(),
                };
                let (a, b) = (describe(ours), describe(theirs));
                if a == b {
                    let owners =
                        |p: &Option<bp_bytecode::PropertyRef>| p.as_ref().map(|p| p.owner.clone());
                    if owners(ours) != owners(theirs) {
                        return "property owner".to_owned();
                    }
                    return "number of a local".to_owned();
                }
                return format!("property {a} for {b}");
            }
            (ours, theirs) if ours != theirs => return format!("operand {ours:?} for {theirs:?}"),
            _ => {}
        }
    }
    "place".to_owned()
}

fn ours_name(ours: &Expr, theirs: &Expr) -> String {
    if ours.op == theirs.op {
        ours.op.name().to_owned()
    } else {
        String::new()
    }
}

fn op_and_target(list: &[Expr]) -> String {
    list.first().map_or_else(
        || "an empty list".to_owned(),
        |first| format!("a list of {}", first.op.name()),
    )
}

/// A local's name without its number.
fn stem(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, digits)) if digits.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    }
}

/// What alike errors share: their beginning.
pub(super) fn cause_of_error(error: &str) -> String {
    // Names in messages differ; the code groups.
    error.chars().take(70).collect()
}

/// Both listings, statement by statement; those that differ are marked.
pub(super) fn side_by_side(
    ours: &[(u32, Expr)],
    theirs: &[(u32, Expr)],
    first: Option<usize>,
) -> String {
    let mut out = String::new();
    let n = ours.len().max(theirs.len());
    for idx in 0..n {
        let mark = if Some(idx) == first { ">>" } else { "  " };
        let text = |side: Option<&(u32, Expr)>| match side {
            Some((offset, expr)) => format!("{offset:05X} {}", short(expr)),
            None => String::new(),
        };
        let (ours, theirs) = (text(ours.get(idx)), text(theirs.get(idx)));
        if ours == theirs {
            let _ = writeln!(out, "{mark} {theirs}");
        } else {
            let _ = writeln!(out, "{mark} ours   {ours}");
            let _ = writeln!(out, "{mark} engine {theirs}");
        }
    }
    out
}

fn short(expr: &Expr) -> String {
    let mut out = expr.op.name().trim_start_matches("EX_").to_owned();
    let mut parts = Vec::new();
    for operand in &expr.operands {
        parts.push(match operand {
            Operand::Expr(inner) => short(inner),
            Operand::List(list) => format!(
                "[{}]",
                list.iter().map(short).collect::<Vec<_>>().join(", ")
            ),
            Operand::Target(target) => match target {
                bp_bytecode::Target::Offset(offset) => format!("{offset}"),
                bp_bytecode::Target::Label(label) => format!("L{}", label.0),
            },
            Operand::Property(property) => property.as_ref().map_or_else(
                || "null".to_owned(),
                |property| {
                    property
                        .path
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join("<")
                },
            ),
            Operand::Object(object) => object
                .as_ref()
                .map_or_else(|| "null".to_owned(), |path| path.name().to_owned()),
            Operand::Name(name) => format!("'{name}'"),
            Operand::U8(value) => value.to_string(),
            Operand::U16(value) => value.to_string(),
            Operand::I32(value) => value.to_string(),
            Operand::I64(value) => value.to_string(),
            Operand::U64(value) => value.to_string(),
            Operand::F32(value) => format!("{value:?}"),
            Operand::F64(value) => format!("{value:?}"),
            Operand::Str(text) => format!("{text:?}"),
            Operand::Text(text) => format!("{text:?}"),
            Operand::Switch(switch) => {
                let cases: Vec<String> = switch
                    .cases
                    .iter()
                    .map(|(value, result)| format!("{}: {}", short(value), short(result)))
                    .collect();
                format!(
                    "{} {{{}}} else {}",
                    short(&switch.index),
                    cases.join("; "),
                    short(&switch.default)
                )
            }
            Operand::Instrumentation(kind, _) => kind.to_string(),
        });
    }
    if !parts.is_empty() {
        let _ = write!(out, "({})", parts.join(", "));
    }
    out
}
