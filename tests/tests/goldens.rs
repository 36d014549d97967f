//! Each stage makes of the chosen graphs the text that was read and kept.

use bp_tests::goldens;
use pretty_assertions::StrComparison;

#[test]
fn stages_make_the_texts_that_are_kept() {
    let mut differing = Vec::new();
    for golden in goldens::all("") {
        let current = golden
            .current()
            .unwrap_or_else(|reason| format!("{reason}\n"));
        let expected = golden.expected().unwrap_or_default();
        if current != expected {
            differing.push(format!(
                "{}\n{}",
                golden.name(),
                StrComparison::new(&expected, &current)
            ));
        }
    }
    assert!(
        differing.is_empty(),
        "{} goldens differ; if they are right now, run `cargo xtask bless` and read them\n{}",
        differing.len(),
        differing.join("\n")
    );
}
