//! Names as the editor shows them, and the nearest of several names.

/// The editor's rendering of a name (`FName::NameToDisplayString`): words split at capitals, digits and
/// underscores, the `b` of bools left out.
///
/// Source: result pins of 249 casts (`AsGSPlayer State` of `GSPlayerState`).
pub fn display_name(text: &str, is_bool: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let text = text
        .strip_prefix('b')
        .filter(|rest| is_bool && rest.starts_with(char::is_uppercase))
        .unwrap_or(text);
    let mut in_run = false;
    let mut was_space = false;
    let mut was_open = false;
    let mut was_number = false;
    for (idx, c) in text.char_indices() {
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
            let word = text[idx..].split([' ', '_']).next();
            let article = !is_underscore && word.is_some_and(|word| ARTICLES.contains(&word));
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

/// Words that keep their small letter.
const ARTICLES: [&str; 11] = [
    "of", "the", "and", "with", "in", "on", "to", "by", "at", "or", "a",
];

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
