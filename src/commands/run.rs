//! `tfjob run`: runs the job as local processes. The exit code is that of the job.
use crate::analysis::{self, DRIVER, Request};
use crate::args::Run as Args;
use crate::files::STDIN;
use crate::outcome::{Failure, Outcome};
use crate::render::legible::Legible;
use crate::render::{Format, Report};
use crate::running::{self, Output, RUNS, Run, RunContext, Style};
use crate::terminal::TextStyle;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use tfjob_contract::{Contract, Membership, Role};
use tfjob_lang::lowered::Lowered;
use tfjob_lang::tree::Tree;
use tfjob_targets::local::Job;

const TARGET: &str = "local";

/// Runs the command.
///
/// # Errors
/// Returns usage errors, I/O errors, and errors about missing resources of the machine.
pub fn run(args: &Args, err: &mut dyn Write) -> Result<Outcome, Failure> {
    running::survive_sizes()?;
    let local = DRIVER.registry().target(TARGET).into_iter().collect::<Vec<_>>();
    let request = Request { artifacts: true, ..Request::new(&local, &args.sets, None)? };
    let mut checked = analysis::one(&args.path, &request)?.checked;
    let batches = [std::mem::take(&mut checked.batch)];
    let legible = Legible::of(&batches);
    let report = Report::new(&legible);
    // Warnings that cannot be written to standard error do not prevent the run.
    drop(report.print(Format::Human, TextStyle::of(&io::stderr()), err));
    let Some((_, Some(lowered))) = checked.compiled.first() else {
        if report.summary.errors == 0 {
            let path = args.path.display();
            return Err(Failure::new(format!(
                "`{path}` is a cluster file without a `job`; specify a job spec"
            )));
        }
        return Ok(Outcome::Faulty);
    };
    let (job, contract) = read(lowered)?;
    let mut context = context(args, &job)?;
    let keys = |role: &Role| gpu_key(checked.tree.as_ref(), role);
    context.gpu_keys = contract.roles.iter().map(keys).collect();
    let text = artifact(lowered, "contract.json").unwrap_or_default();
    running::prepare(&job, &contract, text, &mut context)?;
    let (look, terminal) = (TextStyle::of(&io::stdout()), io::stdout().is_terminal());
    let style = Style { terminal, notebook: is_notebook(), color: look.color, many: many_colors() };
    // The screen thread gets a separate descriptor, because it may block when it writes.
    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    let output = Output::new(stdout.into(), terminal);
    let ending = Run::new(&job, &contract, &context, output, style)?.run_to_end();
    Ok(Outcome::Job(ending.code()))
}

/// Returns whether this process runs in a Jupyter notebook, by environment variables that the kernel launcher and ipykernel set.
fn is_notebook() -> bool {
    let is = |name, value: &str| std::env::var_os(name).is_some_and(|found| found == value);
    std::env::var_os("JPY_PARENT_PID").is_some() || is("TERM", "xterm-color") && is("GIT_PAGER", "cat")
}

/// Returns whether the terminal supports 256 colors.
fn many_colors() -> bool {
    let has = |name, part: &str| std::env::var(name).is_ok_and(|value| value.contains(part));
    has("TERM", "256color") || has("COLORTERM", "")
}

fn artifact<'l>(lowered: &'l Lowered, path: &str) -> Option<&'l str> {
    lowered.artifacts.iter().find(|artifact| artifact.path == path).map(|artifact| artifact.text.as_str())
}

/// Returns the key of `--set` for the GPUs of a role, such as `role.worker.resources.gpus`. If the role inherits the GPUs from the
/// job, the key is `resources.gpus`.
fn gpu_key(tree: Option<&Tree>, role: &Role) -> String {
    let block = if role.kind == Membership::Helper { "helper" } else { "role" };
    let gpus =
        |tree: &Tree| tree.get("resources").and_then(|resources| resources.get("gpus")).map(|gpus| gpus.span);
    let job = tree.and_then(|tree| tree.get("job"));
    let inherited = job.and_then(gpus);
    let own = job.and_then(|job| gpus(job.get(block)?.get(&role.name)?));
    match inherited.is_some() && own.is_none_or(|own| Some(own) == inherited) {
        true => "resources.gpus".to_owned(),
        false => format!("{block}.{}.resources.gpus", role.name),
    }
}

/// Reads the artifacts of the local target: `job.json` and the job contract.
fn read(lowered: &Lowered) -> Result<(Job, Contract), Failure> {
    let fault = |e: &dyn std::fmt::Display| Failure::new(format!("cannot read the compiled job: {e}"));
    let text = |path| artifact(lowered, path).ok_or_else(|| fault(&format!("{path} is missing")));
    let job = serde_json::from_str(text("job.json")?).map_err(|e| fault(&e))?;
    let contract = Contract::read(text("contract.json")?).map_err(|e| fault(&e.0))?;
    Ok((job, contract))
}

fn context(args: &Args, job: &Job) -> Result<RunContext, Failure> {
    let whole = |path: &Path| std::path::absolute(path).map_err(|e| Failure::at("cannot find", path, &e));
    // A pipe or a device, such as `/dev/stdin`, is not in a directory of the user. It is treated as standard input.
    let opened = ["/dev/stdin", "/dev/fd", "/proc"].iter().any(|opened| args.path.starts_with(opened));
    let is_file = args.path.is_file() && !opened;
    let spec = whole(if is_file { &args.path } else { Path::new(STDIN) })?;
    let here = spec.parent().map_or_else(|| PathBuf::from("/"), Path::to_path_buf);
    let folder = match &args.directory {
        Some(folder) => whole(folder)?,
        None => here.join(RUNS).join(&job.name.0),
    };
    // This link refers to the running program, even if its file was replaced.
    let program = PathBuf::from("/proc/self/exe");
    let chosen = running::choose(job, &args.tasks)?;
    if let Some(path) = [&here, &folder].into_iter().find(|path| path.to_str().is_none()) {
        return Err(Failure::new(format!(
            "`{}` is not valid UTF-8, but tasks receive the path in an environment variable: rename the directory",
            path.display()
        )));
    }
    Ok(RunContext {
        scratch: running::scratch_directory(&folder),
        folder,
        here,
        program,
        keep_going: args.keep_going,
        chosen,
        locks: Vec::new(),
        checkpoints: None,
        contract: String::new(),
        gpu_keys: Vec::new(),
        files: None,
    })
}
