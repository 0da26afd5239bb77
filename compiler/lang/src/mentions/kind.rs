//! The kinds of names.
use super::DECLARING;

/// What a name stands for. Names of different kinds are independent: a role and a port can have the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A role or helper.
    Role,
    /// Data of the job.
    Data,
    /// Files of the job.
    Files,
    /// A parameter.
    Param,
    /// A port of a role, or of all roles.
    Port,
    /// An environment variable that `env` or `secret` sets, for a role or for all roles.
    Variable,
    /// A target that a `target` block configures.
    Target,
    /// The job.
    Job,
    /// The block `code`.
    Code,
    /// The block `checkpoints`.
    Checkpoints,
}

impl Kind {
    /// Returns the noun for this kind of names in messages, such as `role or helper`.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Role => "role or helper",
            Self::Data => "data",
            Self::Files => "files",
            Self::Param => "param",
            Self::Port => "port",
            Self::Variable => "environment variable",
            Self::Target => "target",
            Self::Job => "job",
            Self::Code => "code",
            Self::Checkpoints => "checkpoints",
        }
    }

    /// Returns whether each role can declare its own names of this kind.
    #[must_use]
    pub const fn is_per_role(self) -> bool {
        match self {
            Self::Port | Self::Variable => true,
            Self::Role
            | Self::Data
            | Self::Files
            | Self::Param
            | Self::Target
            | Self::Job
            | Self::Code
            | Self::Checkpoints => false,
        }
    }

    /// Returns the name of the field that declares names of this kind: a map with these names as keys. `None` if no map declares
    /// them. The field `helper` also declares roles, and `secret` also declares variables.
    #[must_use]
    pub fn field(self) -> Option<&'static str> {
        DECLARING.into_iter().find(|(_, kind)| *kind == self).map(|(field, _)| field)
    }
}
