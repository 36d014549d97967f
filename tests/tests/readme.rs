//! What README shows is what the commands print.

use std::fs;

use bp_tests::root;
use bp_tests::script::bpc;
use pretty_assertions::assert_eq;

#[test]
fn commands_in_the_readme_print_what_it_shows() {
    let readme = fs::read_to_string(root().join("README.md"))
        .expect("it is there")
        .replace("\r\n", "\n");
    let mut n_commands = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for part in block.split("$ ").skip(1) {
            let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
            let Some(arguments) = command
                .strip_prefix("bpc ")
                .or_else(|| command.strip_prefix("cargo run -q -p bp-cli -- "))
            else {
                continue;
            };
            let arguments: Vec<String> = arguments
                .split_whitespace()
                .map(|word| match word.strip_prefix("graphs/") {
                    Some(rest) => root()
                        .join("graphs")
                        .join(rest)
                        .to_string_lossy()
                        .into_owned(),
                    None => word.to_owned(),
                })
                .collect();
            let (exit, out, err) = bpc(&arguments, b"");
            assert_eq!((exit, err.as_str()), (0, ""), "{command}");
            match shown.split_once("…\n") {
                Some((start, end)) => {
                    assert_eq!(out.get(..start.len()), Some(start), "{command}");
                    assert!(
                        out.ends_with(end),
                        "{command} does not end with {end}:\n{out}"
                    );
                }
                None => assert_eq!(out, shown, "{command}"),
            }
            n_commands += 1;
        }
    }
    assert!(n_commands >= 4, "the examples are there");
}

/// A Blueprint shown whole is a file of the repository, so that it is compiled and run as one.
#[test]
fn blueprints_in_the_readme_are_files() {
    let read = |path: &str| {
        let text = fs::read_to_string(root().join(path)).expect("it is there");
        text.replace("\r\n", "\n")
    };
    let readme = read("README.md");
    let blocks: Vec<&str> = readme
        .split("```json\n")
        .skip(1)
        .filter_map(|block| block.split("```").next())
        .filter(|block| block.contains("\"format\""))
        .collect();
    assert_eq!(blocks, [read("graphs/programs/Countdown.json")]);
}
