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

    /// The names that members of the rendezvous may have, in the order of their ranks; none: any.
    ///
    /// TensorFlow's evaluator is no member; its `master` is refused by all its strategies.
    #[must_use]
    pub const fn members(self) -> &'static [&'static str] {
        match self {
            Self::Tensorflow => &["chief", "worker", "ps"],
            Self::Pytorch | Self::Xgboost => &["master", "worker"],
            Self::Mxnet => &["scheduler", "server", "worker"],
            Self::Horovod => &["worker"],
            Self::Caffe | Self::Custom => &[],
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
