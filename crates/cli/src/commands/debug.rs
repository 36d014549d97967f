//! `bpc debug`: what `bpc run` runs, under a debugger.

use std::cell::RefCell;
use std::io::{BufReader, Read};
use std::rc::Rc;

use bp_vm::Observer;

use super::run::{ConsoleHost, check_kind, execute, plan, program};
use super::{Built, Compiling, built, load};
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
    let mut plan = plan(&args.playing, console)?;
    let (loaded, _) = load(&args.sources, console)?;
    check_kind(&loaded)?;
    let compiling = Compiling {
        debug_sites: args.playing.debug_sites,
        keep_going: args.playing.keep_going,
    };
    let Built {
        packages,
        symbols,
        exit: compiled,
    } = built(&loaded, compiling, reporter)?;
    if compiled != Exit::Fine && packages.is_empty() {
        return Ok(compiled);
    }
    plan.input_events = symbols.inputs;
    let program = match program(&loaded, packages, reporter)? {
        Ok(program) => program,
        Err(exit) => return Ok(exit),
    };
    let commands: Box<dyn Read> = std::mem::replace(&mut console.stdin, Box::new(std::io::empty()));
    let debugger = Rc::new(RefCell::new(Debugger::new(
        &program.packages,
        symbols.pins,
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
