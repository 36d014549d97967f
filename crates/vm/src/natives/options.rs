//! Options of a level's address (`?Name=Alice?Team=2`), command lines, and what a world without players
//! and platform services says of them.

use super::values::ArrayArg;
use super::{Native, Out, Str};
use crate::ids::ObjectHandle;
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("GameplayStatics.ParseOption", |options: Str,
                                            key: Str|
     -> String {
        option(&options, &key).unwrap_or_default()
    }),
    native!("GameplayStatics.HasOption", |options: Str,
                                          key: Str|
     -> bool {
        option(&options, &key).is_some()
    }),
    native!("GameplayStatics.GetIntOption", |options: Str,
                                             key: Str,
                                             default: i32|
     -> i32 {
        match option(&options, &key) {
            Some(value) if !value.is_empty() => super::strings::leading_int(&value) as i32,
            _ => default,
        }
    }),
    native!(
        "GameplayStatics.GetKeyValue",
        |call, pair: Str, key: Out<String>, value: Out<String>| {
            let (name, text) = pair.split_once('=').unwrap_or((&pair, ""));
            call.set(key, name.to_owned());
            call.set(value, text.to_owned());
            Ok(())
        }
    ),
    native!(
        "GameplayStatics.GetNumPlayerControllers",
        |_world: ObjectHandle| -> i32 { 0 }
    ),
    native!(
        "GameplayStatics.GetNumLocalPlayerControllers",
        |_world: ObjectHandle| -> i32 { 0 }
    ),
    native!(
        "GameplayStatics.GetNumPlayerStates",
        |_world: ObjectHandle| -> i32 { 0 }
    ),
    native!("KismetSystemLibrary.ParseParam", |text: Str,
                                               param: Str|
     -> bool {
        has_switch(&text, &param)
    }),
    native!("KismetSystemLibrary.ParseParamValue", |call,
                                                    text: Str,
                                                    param: Str,
                                                    value: Out<
        String,
    >|
     -> bool {
        let found = param_value(&text, &param);
        let is_found = found.is_some();
        call.set(value, found.unwrap_or_default());
        Ok(is_found)
    }),
    native!(
        "KismetSystemLibrary.ParseCommandLine",
        |call, line: Str, tokens: ArrayArg, switches: ArrayArg, params: super::values::TableArg| {
            let mut plain = Vec::new();
            let mut dashed = Vec::new();
            let mut pairs = Vec::new();
            // A word may be one character, and is kept three times at most: as it is, as a part and as a value.
            call.ask(line.len() * 3 * size_of::<String>())?;
            for word in words(&line) {
                match word.strip_prefix('-') {
                    Some(switch) => match switch.split_once('=') {
                        Some((key, value)) => {
                            pairs.push((key.to_owned(), value.trim_matches('"').to_owned()));
                        }
                        None => dashed.push(switch.to_owned()),
                    },
                    None => plain.push(word),
                }
            }
            call.set_elements(tokens, plain);
            call.set_elements(switches, dashed);
            call.table_clear(params);
            if let Some(target) = params.target {
                let memory = &mut call.vm.memory;
                let table = memory.table_at(target.place, target.ty);
                for (key, value) in pairs {
                    let (key, value) = (memory.new_string(key), memory.new_string(value));
                    memory.table_add(table, &[key], &[value]);
                }
            }
            Ok(())
        }
    ),
];

pub(super) const PATHS: &[Native] = value_rows! { "KismetSystemLibrary";
    NormalizeFilename(name: Str) -> String = name.replace('\\', "/");
};

/// The value of an option; empty for one without value.
fn option(options: &str, key: &str) -> Option<String> {
    options
        .split('?')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .find(|(name, _)| name.eq_ignore_ascii_case(key))
        .map(|(_, value)| value.to_owned())
}

/// Words of a command line; quotes keep blanks together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut is_quoted = false;
    let mut is_word = false;
    for c in line.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                is_word = true;
            }
            c if c.is_whitespace() && !is_quoted => {
                if std::mem::take(&mut is_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => {
                word.push(c);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    words
}

/// Whether `-param` or `/param` stands in a command line.
fn has_switch(text: &str, param: &str) -> bool {
    words(text).iter().any(|word| {
        word.strip_prefix(['-', '/'])
            .is_some_and(|word| word.eq_ignore_ascii_case(param))
    })
}

/// What follows the text `param` (as a rule `Name=`), up to a blank or a comma, or to the closing quote.
fn param_value(text: &str, param: &str) -> Option<String> {
    let at = text
        .to_ascii_lowercase()
        .find(&param.to_ascii_lowercase())
        .filter(|_| !param.is_empty())?;
    let rest = &text[at + param.len()..];
    Some(match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
        None => rest
            .split(|c: char| c.is_whitespace() || c == ',' || c == ')')
            .next()
            .unwrap_or_default()
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_whatever_their_case() {
        let options = "?Name=Alice?Team=2?listen";
        assert_eq!(option(options, "team").as_deref(), Some("2"));
        assert_eq!(option(options, "Listen").as_deref(), Some(""));
        assert_eq!(option(options, "tea"), None);
    }

    #[test]
    fn command_lines_are_split_at_blanks_outside_of_quotes() {
        assert_eq!(
            words(r#"map  -log -name="a b" x"#),
            ["map", "-log", "-name=a b", "x"]
        );
        assert!(has_switch("map -LOG", "log") && !has_switch("map -logs", "log"));
        assert_eq!(param_value("-port=77,x", "port=").as_deref(), Some("77"));
        assert_eq!(param_value(r#"-n="a b" c"#, "N=").as_deref(), Some("a b"));
        assert_eq!(param_value("x", "port="), None);
    }
}
