//! Lowering decisions of the local target: one variant per supported requirement, with all data that lowering needs.
use super::schema::Setting;
use crate::contract_builder::Location;
use tfjob_lang::plan::{DataRef, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec;

/// How `tfjob run`, the shim, or the machine implements a requirement.
#[derive(Debug, Clone, PartialEq)]
pub enum Mechanism {
    /// A value that every contract contains: framework, arguments, environment variables, or working directory.
    Words,
    /// Name of the job.
    Name(String),
    /// Description of the job.
    Description(String),
    /// A label of the job.
    Label {
        /// Key of the label.
        key: String,
        /// Value of the label.
        value: String,
    },
    /// Tasks of a role, one process per task.
    Tasks(RoleId),
    /// A field of a role in `job.json`.
    Role(RoleId, Setting),
    /// Which tasks decide job success.
    Success(spec::Success),
    /// `tfjob run` stops the remaining tasks when the job completes.
    EndOfJob,
    /// A `code`, `files`, `data`, or `checkpoints` entry that is used in place.
    At {
        /// The entry.
        place: DataRef,
        /// Path or URI that the program sees.
        location: Location,
        /// Path on this machine; `None` if the location is a URI.
        path: Option<OnDisk>,
    },
    /// TensorBoard process.
    Tensorboard(Box<requirement::Tensorboard>),
    /// A duty of the shim.
    Duty(Duty),
}

/// A path on this machine: absolute, or `./…` relative to the directory of the spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnDisk {
    /// The path must exist before the start.
    Needed(String),
    /// The directory is created if it is missing.
    Made(String),
}

/// A duty of the shim: something that it does besides starting the program.
#[derive(Debug, Clone, PartialEq)]
pub enum Duty {
    /// Detects that the program has completed its work.
    Done(RoleId),
    /// Restarts the program.
    Restart(RoleId, requirement::Restart),
    /// Reports when the task is ready.
    Ready(RoleId, requirement::Probe),
    /// Waits for peers, for at most this number of seconds.
    Wait(u64),
    /// Stops the job after this number of seconds.
    Deadline(u64),
    /// Waits this number of seconds between SIGTERM and SIGKILL.
    Grace(u64),
    /// Checks before the first start that there are no checkpoints.
    Fresh,
    /// Checkpoint interval of the program in seconds.
    Every(u64),
    /// Sets the environment variables of the Hadoop client.
    Hadoop {
        /// Hadoop directory.
        home: String,
        /// Java directory.
        java: String,
        /// Configuration directory.
        conf: Option<String>,
    },
}
