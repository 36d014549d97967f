//! `bless`: golden texts, and what is said of examples of errors, written anew.

use bp_tests::{errors, goldens};

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
    match errors::bless(filter) {
        Ok(names) => {
            for name in names {
                println!("errors/{name}");
                n_changed += 1;
            }
        }
        Err(reason) => {
            eprintln!("tests/errors: {reason}");
            is_fine = false;
        }
    }
    println!(
        "{n_changed} texts changed; read them before committing (git diff tests/goldens tests/errors)"
    );
    is_fine
}
