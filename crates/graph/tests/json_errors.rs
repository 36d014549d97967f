//! Bad input: every `errors/*.json` gives exactly the diagnostics of its `.stderr`. `BLESS=1` rewrites them.

use std::fmt::Write as _;
use std::path::Path;

use bp_diag::{Sources, render};
use bp_graph::json;
use bp_reflect::{EngineVersion, declarations};

#[test]
fn bad_files_give_all_their_mistakes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let base = declarations::embedded(EngineVersion::LATEST);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the entry is readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failed = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path)
            .expect("the case is readable")
            .replace("\r\n", "\n");
        let mut sources = Sources::default();
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy();
        let file = sources.add(name.clone(), text);
        let (_, _, diagnostics) = json::read(&[file], &sources, &base);
        assert!(diagnostics.has_errors(), "{name} is a bad file");
        let found = render::human(&diagnostics, &sources, false);
        let golden = path.with_extension("stderr");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &found).expect("the golden file is writable");
        }
        let expected = std::fs::read_to_string(&golden)
            .unwrap_or_default()
            .replace("\r\n", "\n");
        if found != expected {
            push(
                &mut failed,
                format_args!("{name}: expected\n{expected}\nfound\n{found}\n"),
            );
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes any text");
}
