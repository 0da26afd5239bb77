//! The command line program.
mod analysis;
mod args;
mod commands;
mod files;
mod hash;
mod markdown;
mod outcome;
mod project;
mod render;
#[cfg(target_os = "linux")]
mod running;
mod selection;
mod task_name;
mod terminal;
mod texts;
mod timings;

use args::{Command, Line};
use outcome::{Failure, Outcome};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use terminal::{PipeWriter, plain};

/// Allocator of the program. With the allocator of musl, a check takes more than twice as long, and two threads are slower than
/// one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(words) = running::as_shim() {
        return tfjob_shim::run(words);
    }
    #[cfg(target_os = "linux")]
    return running::with_stack(command);
    #[cfg(not(target_os = "linux"))]
    command()
}

fn command() -> ExitCode {
    let line = args::parse();
    terminal::set_color(line.color);
    // Neither stream is locked, because other threads write to them: the language server its messages, and all commands their
    // timings.
    let mut out = PipeWriter::new(BufWriter::new(io::stdout()));
    let mut err = PipeWriter::new(io::stderr());
    let ended = run(&line, &mut out, &mut err).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    ended.map_or_else(|failure| fail(&failure, &mut err), ExitCode::from)
}

fn run(line: &Line, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    timings::start(line.timings)?;
    match &line.command {
        Command::Check(args) => commands::check::run(args, line.quiet, out, err),
        Command::Schema(args) => commands::schema::run(args, out),
        Command::Compile(args) => commands::compile::run(args, line.quiet, out, err),
        Command::Diff(args) => commands::diff::run(args, line.quiet, out, err),
        #[cfg(target_os = "linux")]
        Command::Run(args) => commands::run::run(args, err),
        #[cfg(not(target_os = "linux"))]
        Command::Run(_) => Err(Failure::new("`tfjob run` requires Linux")),
        Command::Show(args) => commands::show::run(args, out, err),
        Command::Explain(args) => commands::explain::run(args, out),
        Command::Fmt(args) => commands::fmt::run(args, line.quiet, out, err),
        Command::Init(args) => commands::init::run(args, line.quiet, err),
        Command::Completions(args) => commands::completions::run(args, out),
        Command::Krm(_) => commands::krm::run(line.quiet, out, err),
        Command::Lsp(_) => commands::lsp::run(),
        Command::Man(args) => commands::man::run(args, out),
    }
}

fn fail(failure: &Failure, err: &mut dyn Write) -> ExitCode {
    for line in failure.to_string().lines() {
        // If standard error is closed, only the exit code reports the failure.
        drop(writeln!(err, "error: {}", plain(line)));
    }
    ExitCode::from(2)
}
