//! `NATIVES.md` says what the table of natives has.

use pretty_assertions::assert_eq;

#[test]
fn the_page_of_natives_is_up_to_date() {
    let path = bp_tests::root().join("NATIVES.md");
    let stored = std::fs::read_to_string(path)
        .expect("run `cargo xtask natives`")
        .replace("\r\n", "\n");
    assert_eq!(
        stored,
        bp_tests::natives_page::text(),
        "run `cargo xtask natives`"
    );
}
