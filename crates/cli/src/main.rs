//! The binary `bpc`; see the library.

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stderr,
    reason = "the last words of a bug do not go through the console"
)]

use std::process::ExitCode;

use bp_cli::console::Console;

/// Graphs and their packages are many small pieces, which it hands out faster than the system's allocator does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit code of our own bugs.
const BUG: u8 = 101;

/// Room for the deepest input that the readers accept, also in unoptimised builds.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let what = info.payload();
        let what = what
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| what.downcast_ref::<&str>().copied())
            .unwrap_or("unknown");
        let place = info
            .location()
            .map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
        eprintln!(
            "bpc {} found a bug in itself: {what}{place}\n\
             Nothing was written. Please report this line with the command and the input that caused it.",
            env!("CARGO_PKG_VERSION")
        );
    }));
    let work = || bp_cli::run(std::env::args_os(), &mut Console::process()).code();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let code = match thread {
        Ok(thread) => thread.join().unwrap_or(BUG),
        Err(error) => {
            eprintln!("error: cannot start a thread: {error}");
            bp_cli::exit::Exit::Usage.code()
        }
    };
    ExitCode::from(code)
}
