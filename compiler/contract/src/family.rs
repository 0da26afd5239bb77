//! The frameworks, and the names that each gives to the roles of its rendezvous.
use serde::{Deserialize, Serialize};

/// A framework, by the variables with which its tasks find each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// `TF_CONFIG`.
    Tensorflow,
    /// `MASTER_ADDR`, `MASTER_PORT`, `RANK`, `WORLD_SIZE`.
    Pytorch,
    /// `DMLC_ROLE` and the scheduler's address.
    Mxnet,
    /// The tracker's address, as `MASTER_*` and as `DMLC_TRACKER_*`.
    Xgboost,
    /// `HOROVOD_*` of the gloo controller.
    Horovod,
    /// None.
    Caffe,
    /// None: the program's own.
    Custom,
}

impl Family {
    /// All, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::Tensorflow,
        Self::Pytorch,
        Self::Mxnet,
        Self::Xgboost,
        Self::Horovod,
        Self::Caffe,
        Self::Custom,
    ];

    /// The word of the language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tensorflow => "tensorflow",
            Self::Pytorch => "pytorch",
            Self::Mxnet => "mxnet",
            Self::Xgboost => "xgboost",
            Self::Horovod => "horovod",
            Self::Caffe => "caffe",
            Self::Custom => "custom",
        }
    }

    /// The family that the language calls so.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The names of its roles, in the order of their ranks, and what each is. None: any name, which says nothing.
    ///
    /// TensorFlow's `master` is refused by all its strategies.
    #[must_use]
    pub const fn roles(self) -> &'static [(&'static str, Part)] {
        match self {
            Self::Tensorflow => &[
                ("chief", Part::Leads),
                ("worker", Part::Trains),
                ("ps", Part::Serves),
                ("evaluator", Part::Evaluates),
            ],
            Self::Pytorch | Self::Xgboost => &[("master", Part::Leads), ("worker", Part::Trains)],
            Self::Mxnet => {
                &[("scheduler", Part::Schedules), ("server", Part::Serves), ("worker", Part::Trains)]
            }
            Self::Horovod => &[("worker", Part::Trains)],
            Self::Caffe | Self::Custom => &[],
        }
    }

    /// What a role of that name is. Where the framework has no names of its own, every role trains, whatever its name.
    #[must_use]
    pub fn part(self, name: &str) -> Part {
        let known = self.roles().iter().find(|(known, _)| *known == name);
        known.map_or(Part::Trains, |(_, part)| *part)
    }
}

/// What a framework means by the name of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The one task that leads, with the rank 0.
    Leads,
    /// Trains, and ends by itself.
    Trains,
    /// Serves until it is stopped.
    Serves,
    /// The one task that tells the others' addresses, until it is stopped.
    Schedules,
    /// The one task that evaluates, outside the rendezvous.
    Evaluates,
}

impl Part {
    /// What a role of that name was up to version 3 of the contract where the framework has no names of its own.
    #[must_use]
    pub fn before_4(name: &str) -> Self {
        match name {
            "chief" | "master" => Self::Leads,
            "ps" | "server" => Self::Serves,
            "scheduler" => Self::Schedules,
            _ => Self::Trains,
        }
    }

    /// Whether a role of this part has one task only.
    #[must_use]
    pub const fn single(self) -> bool {
        match self {
            Self::Leads | Self::Schedules | Self::Evaluates => true,
            Self::Trains | Self::Serves => false,
        }
    }

    /// Whether its tasks end only when they are told to.
    #[must_use]
    pub const fn serves(self) -> bool {
        match self {
            Self::Serves | Self::Schedules => true,
            Self::Leads | Self::Trains | Self::Evaluates => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn a_name_and_its_json_are_one_word() {
        for family in Family::ALL {
            assert_eq!(serde_json::to_string(&family).unwrap(), format!("\"{}\"", family.name()));
            assert_eq!(Family::named(family.name()), Some(family));
        }
        assert_eq!(Family::named("keras"), None);
    }
}
