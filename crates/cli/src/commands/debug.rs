//! `bpc debug`: what `bpc run` runs, under a debugger.

use std::cell::RefCell;
use std::io::{BufReader, Read};
use std::rc::Rc;

use bp_vm::Observer;

use super::run::{ConsoleHost, Prepared, execute, prepare};
use crate::args::DebugArgs;
use crate::console::Console;
use crate::debugger::{Debugger, Next};
use crate::exit::{Exit, Failure, Outcome};
use crate::report::Reporter;

pub(crate) fn run(args: &DebugArgs, console: &mut Console, reporter: &Reporter) -> Outcome {
    if args
        .sources
        .files
        .iter()
        .any(|file| file.as_os_str() == "-")
    {
        return Err(Failure::usage(
            "the debugger reads its commands from stdin, so `-` cannot be an input",
        ));
    }
    let Prepared {
        plan,
        loaded,
        program,
        pins,
        compiled,
    } = match prepare(&args.sources, &args.playing, console, reporter)? {
        Ok(prepared) => prepared,
        Err(exit) => return Ok(exit),
    };
    let commands: Box<dyn Read> = std::mem::replace(&mut console.stdin, Box::new(std::io::empty()));
    let debugger = Rc::new(RefCell::new(Debugger::new(
        &program.packages,
        pins,
        Box::new(BufReader::new(commands)),
        console,
    )));
    let mut exit = Exit::Fine;
    while debugger.borrow_mut().before_run()? == Next::Run {
        let (host, lost) = ConsoleHost::new(console, reporter);
        let observer: Box<dyn Observer> = Box::new(Rc::clone(&debugger));
        let watchers = (Box::new(host) as _, Some(observer));
        let ran = execute(program.clone(), &loaded, &plan, watchers, reporter)?;
        if let Some(error) = lost.take() {
            return Err(error.into());
        }
        for (name, value) in ran.outputs {
            console.stdout.text(&format!("{name} = {value}\n"))?;
        }
        exit = ran.exit;
        debugger.borrow_mut().after_run(exit)?;
    }
    // What ran in spite of errors does not undo them.
    Ok(exit.max(compiled))
}
