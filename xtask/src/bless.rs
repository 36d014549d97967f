//! `bless`: golden texts written anew.

use bp_tests::goldens;

/// Writes the goldens of cases that `filter` picks, and says which changed.
pub(crate) fn run(filter: &str) -> bool {
    let mut is_fine = true;
    let mut n_changed = 0;
    for golden in goldens::all(filter) {
        let text = match golden.current() {
            Ok(text) => text,
            Err(reason) => {
                eprintln!("{}: {reason}", golden.name());
                is_fine = false;
                continue;
            }
        };
        if golden.expected().as_deref() == Some(text.as_str()) {
            continue;
        }
        match golden.write(&text) {
            Ok(()) => println!("{}", golden.name()),
            Err(reason) => {
                eprintln!("{}: {reason}", golden.name());
                is_fine = false;
            }
        }
        n_changed += 1;
    }
    println!("{n_changed} goldens changed; read them before committing (git diff tests/goldens)");
    is_fine
}
