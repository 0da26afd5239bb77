//! Starts one task: reads the contract, sets the rendezvous environment and carries out the duties.
//!
//! Without duties nothing of it is left once the task runs: the program has the shim's process number and gets its
//! signals itself, unless that number is 1, whose holder must reap and is deaf to signals that it does not handle.
mod args;
mod beacon;
mod budget;
mod checkpoints;
mod container;
mod dns;
mod ears;
mod event;
mod exit;
mod family;
mod life;
mod lookup;
mod memory;
mod names;
mod once;
mod output;
mod ports;
mod preflight;
mod probe;
mod program;
mod rounds;
mod said;
mod spoken;
mod start;
mod state;
mod stop;
mod sys;
#[cfg(all(panic = "abort", target_os = "linux"))]
mod unwound;
mod waiting;
mod watch;
mod whole;

pub use event::timestamp;
pub use family::children;
pub use lookup::{Lookup, find_program, is_path};
pub use ports::{Port, pick as pick_port};
pub use preflight::{devices, is_taken, numbered_devices};
pub use probe::{Sight, Target, look};
pub use sys::keys::{forget_keys, spawn_without_keys};
pub use sys::{STOP, begin_with_signals};

use args::{Args, Wish};
use exit::Exit;
use life::Life;
use program::Program;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// The least limit on the stack, in bytes: below half of it the shim would die without a word.
const STACK: u64 = 64 << 10;

/// Does what the words after the program's name ask. Where that is to start a program, this process becomes it, or
/// ends with its code.
#[must_use]
pub fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    if let Some(limit) = sys::stack().filter(|limit| *limit < STACK) {
        let (limit, need) = (limit >> 10, STACK >> 10);
        let fault = format!(
            "the limit on the stack is {limit} KiB, and the shim needs {need} KiB: raise it (`ulimit -s`)"
        );
        return Exit::Machine(fault).report();
    }
    let done = match args::parse(words) {
        Ok(Wish::Help) => say(args::HELP),
        Ok(Wish::Version) => say(concat!("tfjob-shim ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Wish::Start(args)) => start(&args),
        Ok(Wish::Supervise(words)) => Err(live(Program::Words(words), None)),
        Err(exit) => Err(exit),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => exit.report(),
    }
}

/// Comes back only with an error, or from `--print`.
fn start(args: &Args) -> Result<(), Exit> {
    let contract = container::contract(&args.contract)?;
    let env = container::variables(&contract)?;
    let task = contract.task(&env)?;
    if args.print {
        let rendered = tfjob_contract::render(&contract, &task, &env, &mut container::Looked)?;
        return say(&(rendered.json() + "\n"));
    }
    if let Some((pointer, duty)) = contract.beyond() {
        let duty = duty.words();
        return Err(Exit::Contract(format!(
            "the contract asks at {pointer} for what this shim does not do: {duty}"
        )));
    }
    // Where any task has a duty, others may look whether this one has ended.
    if contract.has_duties() || std::process::id() == 1 || args.parent.is_some() {
        let program = Program::Task { contract: Box::new(contract), task, env };
        return Err(live(program, args.parent));
    }
    let mut machine = container::Live::of(&contract, &env);
    let rendered = tfjob_contract::render(&contract, &task, &env, &mut machine)?;
    Err(start::become_task(&rendered))
}

/// Looks after a program from before its start to its end.
fn live(program: Program, parent: Option<u32>) -> Exit {
    // Whoever starts a shim with its number begins with no others.
    let inherited = parent.is_none() && !family::inherited().is_empty();
    if inherited {
        sys::front::stand();
    }
    Life::new(program, parent, inherited).map_or_else(|exit| exit, Life::live)
}

fn say(text: &str) -> Result<(), Exit> {
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|e| Exit::Machine(format!("the answer cannot be written: {e}")))
}
