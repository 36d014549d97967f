//! Names as the editor shows them, and the nearest of several names.

/// The editor's rendering of a name (`FName::NameToDisplayString`): words split at capitals, digits and
/// underscores, the `b` of bools left out.
///
/// Source: result pins of 249 casts (`AsGSPlayer State` of `GSPlayerState`).
pub fn display_name(text: &str, is_bool: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars: Vec<char> = text.chars().collect();
    if is_bool && chars.len() > 1 && chars[0] == 'b' && chars[1].is_uppercase() {
        chars.remove(0);
    }
    let mut in_run = false;
    let mut was_space = false;
    let mut was_open = false;
    let mut was_number = false;
    for (idx, &c) in chars.iter().enumerate() {
        let is_lower = c.is_lowercase();
        let is_upper = c.is_uppercase();
        let is_digit = c.is_ascii_digit();
        let is_underscore = c == '_';
        if (is_upper || is_digit) && !in_run && !was_open && !was_number {
            if !was_space && !out.is_empty() {
                out.push(' ');
                was_space = true;
            }
            in_run = true;
        }
        if is_lower {
            in_run = false;
        }
        let shown = if is_underscore { ' ' } else { c };
        if is_underscore {
            in_run = true;
        }
        if out.is_empty() {
            out.extend(shown.to_uppercase());
        } else if was_space || is_underscore {
            let rest: String = chars[idx..].iter().collect();
            let article = [
                "of", "the", "and", "with", "in", "on", "to", "by", "at", "or", "a",
            ]
            .iter()
            .any(|word| {
                !is_underscore
                    && rest
                        .split([' ', '_'])
                        .next()
                        .is_some_and(|first| first == *word)
            });
            if article {
                out.push(shown);
            } else {
                out.extend(shown.to_uppercase());
            }
        } else {
            out.push(shown);
        }
        was_space = shown == ' ';
        was_open = c == '(';
        was_number = is_digit;
    }
    out
}

/// The nearest of some names, if one is near enough to be meant.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |text: &str| -> Vec<char> {
        text.chars()
            .filter(|c| !matches!(c, ' ' | '_'))
            .flat_map(char::to_lowercase)
            .take(64)
            .collect()
    };
    let target = fold(wanted);
    let limit = (target.len() / 3).clamp(1, 5);
    known
        .into_iter()
        .filter_map(|name| {
            let candidate = fold(name);
            if candidate.len().abs_diff(target.len()) > limit {
                return None;
            }
            let distance = edit_distance(&target, &candidate);
            (distance <= limit).then_some((distance, name))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let next = (diagonal + usize::from(ca != cb))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

/// Some names in one line, the rest counted.
pub(crate) fn plural_list<'a>(names: impl Iterator<Item = &'a str>, most: usize) -> String {
    let all: Vec<_> = names.collect();
    let shown = all
        .iter()
        .take(most)
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ");
    match all.len().saturating_sub(most) {
        0 => shown,
        rest => format!("{shown} and {rest} more"),
    }
}
