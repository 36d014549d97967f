//! Command line cases: `tests/cli/NAME.case`.
//!
//! ```text
//! ; what the case shows
//! $ bpc check bad.json
//! exit 1
//! out: words of stdout
//! err: words of stderr
//! --- bad.json
//! { … }
//! ```
//!
//! `out:` and `err:` lines must be found in this order; without an `out:` line stdout must be empty. Files
//! below `---` stand in a temporary folder, in which words of the command that name them or begin with `@/`
//! are looked for; `graphs/…` is the repository's. `--- -` is stdin. `left:` names a file that must exist at
//! the end, `gone:` one that must not. A file may have several commands.

use std::fs;
use std::path::Path;

use bp_cli::console::Console;

use crate::root;

/// Runs `bpc` in this process; gives exit code, stdout, stderr.
pub fn bpc(arguments: &[String], stdin: &[u8]) -> (u8, String, String) {
    let (mut console, [out, err]) = Console::for_test(stdin);
    let arguments = std::iter::once("bpc".into()).chain(arguments.iter().map(Into::into));
    let exit = bp_cli::run(arguments, &mut console);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (out.borrow(), err.borrow());
    (exit.code(), text(&out), text(&err))
}

/// What is wrong with a case, a line each.
pub fn check(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (head, files) = split(text);
    let mut stdin: &[u8] = b"";
    for (name, content) in &files {
        if *name == "-" {
            stdin = content.as_bytes();
        } else {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it has a folder")).expect("writable");
            fs::write(path, content).expect("writable");
        }
    }
    let mut problems = Vec::new();
    let mut last: Option<Ran> = None;
    for line in head.lines().map(str::trim) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | ";" => {}
            "$" => {
                if let Some(ran) = last.take() {
                    problems.extend(ran.end());
                }
                last = Some(Ran::new(rest, folder.path(), &files, stdin));
            }
            "left:" | "gone:" => {
                if folder.path().join(rest).exists() != (word == "left:") {
                    problems.push(format!("not so: {line}"));
                }
            }
            _ => {
                let ran = last.as_mut().expect("a command comes first");
                problems.extend(ran.check(word, rest));
            }
        }
    }
    problems.extend(last.and_then(Ran::end));
    problems
}

fn split(text: &str) -> (&str, Vec<(&str, &str)>) {
    let mut parts = text.split("\n--- ");
    let head = parts.next().unwrap_or_default();
    let files = parts
        .map(|part| part.split_once('\n').unwrap_or((part, "")))
        .collect();
    (head, files)
}

/// A command that has run, and how far its output was looked through.
struct Ran {
    command: String,
    exit: u8,
    out: String,
    err: String,
    out_at: usize,
    err_at: usize,
    is_out_expected: bool,
}

impl Ran {
    fn new(command: &str, folder: &Path, files: &[(&str, &str)], stdin: &[u8]) -> Self {
        let arguments: Vec<String> = command
            .split_whitespace()
            .skip(1)
            .map(|word| {
                let (option, value) = match word.split_once('=') {
                    Some((option, value)) if option.starts_with("--") => {
                        (format!("{option}="), value)
                    }
                    _ => (String::new(), word),
                };
                let is_file = files.iter().any(|(name, _)| *name == value && value != "-");
                let value = if let Some(rest) = value.strip_prefix("@/") {
                    folder.join(rest).to_string_lossy().into_owned()
                } else if is_file {
                    folder.join(value).to_string_lossy().into_owned()
                } else if value.starts_with("graphs/") {
                    root().join(value).to_string_lossy().into_owned()
                } else {
                    value.to_owned()
                };
                option + &value
            })
            .collect();
        let (exit, out, err) = bpc(&arguments, stdin);
        Self {
            command: command.to_owned(),
            exit,
            out,
            err,
            out_at: 0,
            err_at: 0,
            is_out_expected: false,
        }
    }

    fn check(&mut self, word: &str, rest: &str) -> Option<String> {
        let (name, text, at) = match word {
            "exit" => {
                return (self.exit.to_string() != rest).then(|| {
                    format!(
                        "`{}` ends with {} instead of {rest}; stderr: {}",
                        self.command, self.exit, self.err
                    )
                });
            }
            "out:" => {
                self.is_out_expected = true;
                ("stdout", &self.out, &mut self.out_at)
            }
            "err:" => ("stderr", &self.err, &mut self.err_at),
            _ => return Some(format!("`{word}` is no word of a case")),
        };
        match text[*at..].find(rest) {
            Some(found) => {
                *at += found + rest.len();
                None
            }
            None => Some(format!(
                "`{}`: {name} does not hold `{rest}` there; it is:\n{text}",
                self.command
            )),
        }
    }

    fn end(self) -> Option<String> {
        (!self.is_out_expected && !self.out.is_empty()).then(|| {
            format!(
                "`{}`: stdout should be empty, it is:\n{}",
                self.command, self.out
            )
        })
    }
}
