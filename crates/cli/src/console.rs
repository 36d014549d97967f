//! The console a command talks to: real, or a test's.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Write};
use std::rc::Rc;

/// Something written to; clones write to the same place.
#[derive(Clone)]
pub struct Stream {
    sink: Rc<RefCell<dyn Write>>,
    is_closed: Rc<Cell<bool>>,
}

impl Stream {
    /// Writes to `sink`.
    pub fn new(sink: impl Write + 'static) -> Self {
        Self::to(Rc::new(RefCell::new(sink)))
    }

    /// A stream that keeps what is written, and the place it is kept in.
    pub fn kept() -> (Self, Rc<RefCell<Vec<u8>>>) {
        let kept = Rc::new(RefCell::new(Vec::new()));
        (Self::to(Rc::clone(&kept) as Rc<RefCell<dyn Write>>), kept)
    }

    fn to(sink: Rc<RefCell<dyn Write>>) -> Self {
        Self {
            sink,
            is_closed: Rc::default(),
        }
    }

    /// Whether a reader has gone away, now or later: long work for it may stop then.
    pub fn closed(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.is_closed)
    }

    /// Writes a text and flushes.
    ///
    /// # Errors
    /// What the sink says; a reader that has gone away is no error.
    pub fn text(&self, text: &str) -> io::Result<()> {
        self.bytes(text.as_bytes())
    }

    /// Writes bytes and flushes, as [`Stream::text`].
    ///
    /// # Errors
    /// As [`Stream::text`].
    pub fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        let mut sink = self.sink.borrow_mut();
        match sink.write_all(bytes).and_then(|()| sink.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed.set(true);
                Ok(())
            }
            result => result,
        }
    }
}

/// The outside of a command besides files.
pub struct Console {
    /// Read for inputs named `-`.
    pub stdin: Box<dyn Read>,
    /// The product.
    pub stdout: Stream,
    /// Diagnostics and progress.
    pub stderr: Stream,
    /// Whether a person watches stderr: colour and progress are for them.
    pub is_terminal: bool,
    /// Whether a person types stdin and watches stdout: prompts are for them.
    pub is_interactive: bool,
    /// Whether the environment asks for no colour (`NO_COLOR`).
    pub no_color: bool,
}

impl Console {
    /// The process's own.
    pub fn process() -> Self {
        use std::io::IsTerminal;
        Self {
            stdin: Box::new(io::stdin()),
            stdout: Stream::new(io::stdout()),
            stderr: Stream::new(io::stderr()),
            is_terminal: io::stderr().is_terminal(),
            is_interactive: io::stdin().is_terminal() && io::stdout().is_terminal(),
            no_color: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        }
    }

    /// A console for tests: `stdin` to be read, and the two places that hold what is written.
    pub fn for_test(stdin: &[u8]) -> (Self, [Rc<RefCell<Vec<u8>>>; 2]) {
        let (stdout, out) = Stream::kept();
        let (stderr, err) = Stream::kept();
        let console = Self {
            stdin: Box::new(io::Cursor::new(stdin.to_vec())),
            stdout,
            stderr,
            is_terminal: false,
            is_interactive: false,
            no_color: true,
        };
        (console, [out, err])
    }
}
