//! Starts one task: reads the contract, sets the rendezvous environment and becomes the training process.
//!
//! Nothing of it is left once the task runs: the program has the shim's process number and gets its signals itself.
mod args;
mod container;
mod exit;
mod start;

use args::{Args, Wish};
use exit::Exit;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match args::parse(std::env::args_os().skip(1)) {
        Ok(Wish::Help) => say(args::HELP),
        Ok(Wish::Version) => say(concat!("tfjob-shim ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Wish::Start(args)) => start(&args),
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
    let mut machine = container::Live::default();
    let rendered = tfjob_contract::render(&contract, &task, &env, &mut machine)?;
    Err(start::become_task(&rendered))
}

fn say(text: &str) -> Result<(), Exit> {
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|e| Exit::Machine(format!("the answer cannot be written: {e}")))
}
