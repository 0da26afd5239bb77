//! Starts and supervises one task: reads the job contract, sets the rendezvous environment, and performs the duties. A duty is a
//! feature that the contract requires of the shim, such as restarts.
//!
//! Without duties, the shim replaces itself with the program (`exec`), so that the program receives signals directly. As PID 1
//! it stays: PID 1 must reap orphans, and the kernel drops signals that PID 1 does not handle.
mod args;
mod atomic_write;
mod budget;
mod checkpoints;
mod completion_file;
mod container;
mod copy;
mod dns;
mod event;
mod event_loop;
mod exit;
mod exit_watch;
mod humanize;
mod lookup;
mod memory;
mod missing_peers;
#[cfg(all(panic = "abort", target_os = "linux"))]
mod no_unwind;
mod output;
mod ports;
mod preflight;
mod probe;
mod probe_rounds;
mod process_tree;
mod program;
mod resolver;
mod signal_dedup;
mod start;
mod state;
mod status_listener;
mod stop;
mod supervisor;
mod sys;

pub use event::timestamp;
pub use humanize::{signal as signal_name, signal_number};
pub use lookup::{Lookup, find_program, is_path};
pub use ports::{Port, pick as pick_port};
pub use preflight::{devices, is_taken, numbered_devices};
pub use probe::{ProbeResult, Target, probe};
pub use process_tree::children;
pub use sys::keyboard_signals::{spawn_without_keyboard_signals, unblock_keyboard_signals};
pub use sys::{STOP, begin_with_signals};

use args::{Action, Args};
use exit::Exit;
use program::Program;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use supervisor::Supervisor;

/// Minimum stack size limit in bytes. With less than half of this size, the shim would crash without a message.
const STACK: u64 = 64 << 10;

/// Runs the shim with the arguments after the program name.
///
/// If the arguments request a program start, the program replaces this process, or the exit code of the program is returned.
#[must_use]
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    if let Some(limit) = sys::stack().filter(|limit| *limit < STACK) {
        let (limit, need) = (limit >> 10, STACK >> 10);
        let fault = format!(
            "the stack size limit is {limit} KiB, but the shim needs {need} KiB; raise the limit with `ulimit -s 8192`"
        );
        return Exit::Machine(fault).report();
    }
    let done = match args::parse(arguments) {
        Ok(Action::Help) => print(args::HELP),
        Ok(Action::Version) => print(concat!("tfjob-shim ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Action::CopyTo(path)) => copy::to(&path),
        Ok(Action::Start(args)) => start(&args),
        Ok(Action::Supervise(command)) => Err(supervise(Program::Command(command), None)),
        Err(exit) => Err(exit),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => exit.report(),
    }
}

/// Starts a task. Returns after `--print`, with the exit of a supervised task, or with an error.
fn start(args: &Args) -> Result<(), Exit> {
    let contract = container::contract(&args.contract)?;
    let env = container::variables(&contract)?;
    let task = contract.task(&env)?;
    if args.print {
        let rendered = tfjob_contract::render(&contract, &task, &env, &mut container::DryRunMachine)?;
        return print(&(rendered.json() + "\n"));
    }
    if let Some((pointer, duty)) = contract.first_unsupported_duty() {
        let duty = duty.spec_syntax();
        return Err(Exit::Contract(format!(
            "the job contract requires {duty} (at {pointer}), but this tfjob-shim does not support it; use the tfjob-shim of the tfjob release that compiled the job"
        )));
    }
    // If any task has a duty, other shims may probe whether this task has finished, so this shim keeps running.
    if contract.has_duties() || std::process::id() == 1 || args.parent.is_some() {
        let program = Program::Task { contract: Box::new(contract), task, env };
        return Err(supervise(program, args.parent));
    }
    let mut machine = container::ContainerMachine::of(&contract, &env);
    let rendered = tfjob_contract::render(&contract, &task, &env, &mut machine)?;
    Err(start::become_task(&rendered))
}

/// Supervises a program from before its start to its exit.
fn supervise(program: Program, parent: Option<u32>) -> Exit {
    // If `parent` is set, `tfjob run` has created this process, so it has no inherited children.
    let inherited = parent.is_none() && !process_tree::inherited().is_empty();
    if inherited {
        sys::signal_proxy::fork_below();
    }
    Supervisor::new(program, parent, inherited).map_or_else(|exit| exit, Supervisor::run)
}

fn print(text: &str) -> Result<(), Exit> {
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|e| Exit::Machine(format!("cannot write to standard output: {e}")))
}
