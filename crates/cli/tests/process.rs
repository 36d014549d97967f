//! The binary as a process: what only the real console, environment and exit codes show.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn bpc(arguments: &[&str], stdin: &[u8], environment: &[(&str, &str)]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bpc"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("stdin is a pipe");
    // A command that reads no input may end before it is written.
    let _ = pipe.write_all(stdin);
    drop(pipe);
    child.wait_with_output().expect("the binary ends")
}

const BROKEN: &[u8] = b"{\"format\": \"blueprint/1\", \"nmae\": 1}";

#[test]
fn exit_codes_reach_the_system() {
    for (arguments, code) in [
        (&["--version"][..], 0),
        (&["check", "-"], 1),
        (&["check"], 2),
        (&["check", "/nowhere/at/all.json"], 2),
    ] {
        let output = bpc(arguments, BROKEN, &[]);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn color_follows_the_option_and_the_environment() {
    let is_colored = |arguments: &[&str], environment: &[(&str, &str)]| {
        let output = bpc(arguments, BROKEN, environment);
        output.stderr.contains(&0x1B)
    };
    assert!(!is_colored(&["check", "-"], &[]), "a pipe is no terminal");
    assert!(is_colored(&["check", "-", "--color", "always"], &[]));
    assert!(is_colored(
        &["check", "-", "--color", "always"],
        &[("NO_COLOR", "1")]
    ));
    assert!(!is_colored(&["check", "-", "--color", "never"], &[]));
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = "[".repeat(100_000);
    let output = bpc(&["check", "-"], deep.as_bytes(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[BP00"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bpc"))
        .arg("opcodes")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

const TICKING: &[u8] =
    br#"{"format": "blueprint/1", "name": "BP_Ticking", "parent": "Actor", "graphs": [
 {"name": "EventGraph", "kind": "event", "nodes": [
  {"id": "tick", "class": "Event", "event": "ReceiveTick"},
  {"id": "say", "class": "CallFunction", "function": "PrintString", "pins": {"InString": "again"}}],
  "links": [["tick.then", "say.execute"]]}]}"#;

#[test]
fn a_run_ends_when_its_reader_goes_away() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bpc"))
        .args(["run", "-", "--ticks", "4000000000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("stdin is a pipe");
    pipe.write_all(TICKING).expect("it reads");
    drop(pipe);
    drop(child.stdout.take());
    // Four billion ticks would take hours.
    for _ in 0..600 {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            assert_eq!(status.code(), Some(0));
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    child.kill().expect("it runs");
    panic!("the run goes on for nobody");
}
