//! What lowering will do for an ask that this target agreed to: plain data, decided once.
use super::schema::Setting;
use crate::contract_builder::Location;
use tfjob_lang::plan::{DataRef, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec;

/// How `tfjob run`, the shim or the machine itself gives what is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Mechanism {
    /// It stands in the contract's own lines: the framework, the words of a role, a variable, its folder.
    Words,
    /// The job's name.
    Name(String),
    /// Words about the job.
    Description(String),
    /// A label of the job.
    Label {
        /// Its name.
        key: String,
        /// Its value.
        value: String,
    },
    /// Tasks of a role, a process each.
    Tasks(RoleId),
    /// A property of a role in `job.json`.
    Role(RoleId, Setting),
    /// Whose end `tfjob run` takes for the job's.
    Success(spec::Success),
    /// `tfjob run` stops what still runs when the job is done.
    EndOfJob,
    /// Something that is where it is.
    At {
        /// What it is to the job.
        place: DataRef,
        /// Where the program finds it.
        location: Location,
        /// Its path on this machine, where it has one.
        path: Option<OnDisk>,
    },
    /// A process that shows the job's logs.
    Tensorboard(Box<requirement::Tensorboard>),
    /// The shim's part.
    Duty(Duty),
}

/// A path of this machine: absolute, or beginning with `./` beside the spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnDisk {
    /// It must be there before the start.
    Needed(String),
    /// It is a folder that is made where it is not there.
    Made(String),
}

/// What the shim does.
#[derive(Debug, Clone, PartialEq)]
pub enum Duty {
    /// Hears that the program's work is done.
    Done(RoleId),
    /// Starts the program again.
    Restart(RoleId, requirement::Restart),
    /// Says when its task is ready.
    Ready(RoleId, requirement::Probe),
    /// Waits so many seconds for peers.
    Wait(u64),
    /// Ends its task after so many seconds.
    Deadline(u64),
    /// Leaves so many seconds between SIGTERM and the kill.
    Grace(u64),
    /// Looks for old state before anything starts.
    Fresh,
    /// Knows how often the program promises to write, in seconds.
    Every(u64),
    /// Sets Hadoop's environment.
    Hadoop {
        /// Hadoop's folder.
        home: String,
        /// Java's.
        java: String,
        /// The configuration's.
        conf: Option<String>,
    },
}
