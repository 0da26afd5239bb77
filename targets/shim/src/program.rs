//! The supervised program: a task of a contract, or a plain command.
use crate::container::{ContainerMachine, DryRunMachine};
use crate::exit::Exit;
use crate::start;
use crate::sys::{self, Pid, Signals};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;
use tfjob_contract::{Contract, TaskId, render};

/// Texts that may be secret, each with its replacement in messages.
pub type Hidden = Vec<(String, String)>;

/// The supervised program.
#[derive(Debug)]
pub enum Program {
    /// A program and its arguments, without a contract.
    Command(Vec<OsString>),
    /// A task of a contract.
    Task {
        /// The contract of the job.
        contract: Box<Contract>,
        /// The task.
        task: TaskId,
        /// The environment variables that the contract reads.
        env: BTreeMap<String, String>,
    },
}

impl Program {
    /// Returns the name in messages: `worker:1` for a task, otherwise the program.
    pub fn name(&self) -> String {
        match self {
            Self::Command(argv) => {
                argv.first().map_or_else(String::new, |program| program.to_string_lossy().into_owned())
            }
            Self::Task { task, .. } => format!("{}:{}", task.role, task.index),
        }
    }

    /// Whether the program is a task of a contract.
    pub const fn is_task(&self) -> bool {
        match self {
            Self::Task { .. } => true,
            Self::Command(_) => false,
        }
    }

    /// Whether this task is the leader of the job.
    pub fn leads(&self) -> bool {
        match self {
            Self::Task { contract, task, .. } => contract.leads(task),
            Self::Command(_) => false,
        }
    }

    /// Returns the machine on which the program is rendered.
    pub fn machine(&self) -> ContainerMachine {
        match self {
            Self::Command(_) => ContainerMachine::default(),
            Self::Task { contract, env, .. } => ContainerMachine::of(contract, env),
        }
    }

    /// Returns the command, and the texts that messages must hide. Each call allocates new free ports.
    ///
    /// # Errors
    /// Errors of rendering, or no program.
    pub fn command(&self, machine: &mut ContainerMachine) -> Result<(Command, Hidden), Exit> {
        match self {
            Self::Command(argv) => {
                let (program, arguments) = argv
                    .split_first()
                    .ok_or_else(|| Exit::Usage("`--` must be followed by a program".to_owned()))?;
                let mut command = Command::new(program);
                command.args(arguments);
                Ok((command, Vec::new()))
            }
            Self::Task { contract, task, env } => {
                let rendered = render(contract, task, env, machine)?;
                let mut command = start::command(&rendered).map_err(|exit| exit.hiding(&rendered.hidden))?;
                // The status file belongs to this shim, but the program may start another shim.
                command.env_remove("TFJOB_STATUS");
                Ok((command, rendered.hidden))
            }
        }
    }

    /// Checks whether the program can be started, before the wait for peers.
    ///
    /// # Errors
    /// The fault that the start would have.
    pub fn check(&self) -> Result<(), Exit> {
        let rendered = match self {
            // A plain command does not wait for peers, so the start itself reports the fault.
            Self::Command(_) => return Ok(()),
            Self::Task { contract, task, env } => render(contract, task, env, &mut DryRunMachine)?,
        };
        start::command(&rendered)
            .and_then(|command| start::check(command.get_program(), start::search_path(&command).as_deref()))
            .map_err(|exit| exit.hiding(&rendered.hidden))
    }
}

/// Starts the command in its own process group. The kernel kills the program when this process exits. With `foreground`, the group
/// gets the terminal.
///
/// # Errors
/// Why the program cannot be started.
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
