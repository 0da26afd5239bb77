//! What is supervised: a task of a contract, or words alone.
use crate::container::{Live, Looked};
use crate::exit::Exit;
use crate::start;
use crate::sys::{self, Pid, Signals};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;
use tfjob_contract::{Contract, TaskId, render};

/// Texts that may be secret, each with what is shown in its place.
pub type Hidden = Vec<(String, String)>;

/// What is supervised.
#[derive(Debug)]
pub enum Program {
    /// A program and its words, as they stand.
    Words(Vec<OsString>),
    /// A task.
    Task {
        /// The job.
        contract: Box<Contract>,
        /// Which task of it.
        task: TaskId,
        /// What the platform said.
        env: BTreeMap<String, String>,
    },
}

impl Program {
    /// What people read it by.
    pub fn name(&self) -> String {
        match self {
            Self::Words(words) => {
                words.first().map_or_else(String::new, |word| word.to_string_lossy().into_owned())
            }
            Self::Task { task, .. } => format!("{}-{}", task.role, task.index),
        }
    }

    /// Whether there is a contract.
    pub const fn is_task(&self) -> bool {
        match self {
            Self::Task { .. } => true,
            Self::Words(_) => false,
        }
    }

    /// Whether this task speaks for the job.
    pub fn leads(&self) -> bool {
        match self {
            Self::Task { contract, task, .. } => contract.leads(task),
            Self::Words(_) => false,
        }
    }

    /// The machine on which it is about to start.
    pub fn machine(&self) -> Live {
        match self {
            Self::Words(_) => Live::default(),
            Self::Task { contract, env, .. } => Live::of(contract, env),
        }
    }

    /// What starts it now, and what its messages hide; ports that are free are found anew.
    pub fn command(&self, machine: &mut Live) -> Result<(Command, Hidden), Exit> {
        match self {
            Self::Words(words) => {
                let (program, words) =
                    words.split_first().ok_or_else(|| Exit::Usage("there is nothing to run".to_owned()))?;
                let mut command = Command::new(program);
                command.args(words);
                Ok((command, Vec::new()))
            }
            Self::Task { contract, task, env } => {
                let rendered = render(contract, task, env, machine)?;
                let mut command = start::command(&rendered).map_err(|exit| exit.hiding(&rendered.hidden))?;
                // The file is this shim's own, and a program may start shims itself.
                command.env_remove("TFJOB_STATUS");
                Ok((command, rendered.hidden))
            }
        }
    }

    /// Whether it can be started, as far as that shows before anybody is waited for.
    pub fn check(&self) -> Result<(), Exit> {
        let rendered = match self {
            // Nobody is waited for: its start itself shows it.
            Self::Words(_) => return Ok(()),
            Self::Task { contract, task, env } => render(contract, task, env, &mut Looked)?,
        };
        start::command(&rendered)
            .and_then(|command| start::check(command.get_program(), start::search_path(&command).as_deref()))
            .map_err(|exit| exit.hiding(&rendered.hidden))
    }
}

/// Starts it in a process group of its own, which dies with this process; with `foreground`, it gets the terminal.
pub fn launch(command: &mut Command, signals: Signals, foreground: bool) -> Result<Pid, Exit> {
    command.process_group(0);
    sys::die_together(command, signals, foreground);
    let mut started = command.spawn();
    if let Err(fault) = &started
        && let Some(mut command) = start::by_shell(command, fault)
    {
        command.process_group(0);
        sys::die_together(&mut command, signals, foreground);
        started = command.spawn();
    }
    match started {
        Ok(child) => Ok(child.id().cast_signed()),
        Err(fault) => {
            if foreground {
                sys::terminal::take();
            }
            Err(start::explain(command.get_program(), &fault))
        }
    }
}
