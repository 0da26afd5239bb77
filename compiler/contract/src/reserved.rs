//! Reserved environment variables: tfjob sets them, so a job cannot.
use crate::FrameworkName;

/// Each reserved variable with its owner: the field that sets it, or `tfjob`. A name that ends in `*` is a prefix. An owner
/// `framework X` applies only to jobs of that framework, and `hadoop` only to jobs with that block.
///
/// `CLASSPATH` and `LD_LIBRARY_PATH` are not reserved: tfjob adds directories to the value that the job sets.
pub const RESERVED: &[(&str, &str)] = &[
    ("TFJOB_*", "tfjob"),
    ("TF_CONFIG", "framework"),
    ("CUDA_VISIBLE_DEVICES", "resources gpus"),
    ("MASTER_ADDR", "framework pytorch"),
    ("MASTER_PORT", "framework pytorch"),
    ("RANK", "framework pytorch"),
    ("WORLD_SIZE", "framework pytorch"),
    ("DMLC_ROLE", "framework mxnet"),
    ("DMLC_PS_ROOT_URI", "framework mxnet"),
    ("DMLC_PS_ROOT_PORT", "framework mxnet"),
    ("DMLC_NUM_SERVER", "framework mxnet"),
    ("DMLC_NUM_WORKER", "framework mxnet"),
    ("MASTER_ADDR", "framework xgboost"),
    ("MASTER_PORT", "framework xgboost"),
    ("RANK", "framework xgboost"),
    ("WORLD_SIZE", "framework xgboost"),
    ("DMLC_TRACKER_URI", "framework xgboost"),
    ("DMLC_TRACKER_PORT", "framework xgboost"),
    ("DMLC_TASK_ID", "framework xgboost"),
    ("DMLC_NUM_WORKER", "framework xgboost"),
    ("HOROVOD_RANK", "framework horovod"),
    ("HOROVOD_SIZE", "framework horovod"),
    ("HOROVOD_LOCAL_RANK", "framework horovod"),
    ("HOROVOD_LOCAL_SIZE", "framework horovod"),
    ("HOROVOD_CROSS_RANK", "framework horovod"),
    ("HOROVOD_CROSS_SIZE", "framework horovod"),
    ("HOROVOD_HOSTNAME", "framework horovod"),
    ("HOROVOD_CONTROLLER", "framework horovod"),
    ("HOROVOD_CPU_OPERATIONS", "framework horovod"),
    ("HOROVOD_GLOO_RENDEZVOUS_ADDR", "framework horovod"),
    ("HOROVOD_GLOO_RENDEZVOUS_PORT", "framework horovod"),
    ("HADOOP_HOME", "hadoop"),
    ("HADOOP_HDFS_HOME", "hadoop"),
    ("HADOOP_CONF_DIR", "hadoop"),
    ("JAVA_HOME", "hadoop"),
];

/// Returns the owner of a variable in a job of this framework, with or without the block `hadoop`. `None` if the job may set the
/// variable.
#[must_use]
pub fn owner(variable: &str, family: FrameworkName, hadoop: bool) -> Option<&'static str> {
    RESERVED.iter().find(|(name, owner)| matches(name, variable) && holds(owner, family, hadoop)).map(|o| o.1)
}

fn matches(name: &str, variable: &str) -> bool {
    name.strip_suffix('*').map_or(name == variable, |prefix| variable.starts_with(prefix))
}

fn holds(owner: &str, family: FrameworkName, hadoop: bool) -> bool {
    match owner.strip_prefix("framework ") {
        Some(name) => name == family.keyword(),
        None => owner != "hadoop" || hadoop,
    }
}

/// Returns the name of the variable for a reference: `TFJOB_DATA_TRAIN_SET` for `["data", "train-set"]`.
#[must_use]
pub fn variable(words: &[&str]) -> String {
    let mut name = String::from("TFJOB");
    for word in words {
        name.push('_');
        name.extend(
            word.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }),
        );
    }
    name
}

#[cfg(test)]
mod tests {
    use super::{RESERVED, owner, variable};
    use crate::FrameworkName;

    #[test]
    fn a_framework_owns_only_its_own_variables() {
        assert_eq!(owner("MASTER_ADDR", FrameworkName::Pytorch, false), Some("framework pytorch"));
        assert_eq!(owner("MASTER_ADDR", FrameworkName::Xgboost, false), Some("framework xgboost"));
        assert_eq!(owner("MASTER_ADDR", FrameworkName::Custom, false), None);
        assert_eq!(owner("TF_CONFIG", FrameworkName::Custom, false), Some("framework"));
        assert_eq!(owner("TFJOB_DATA_TRAIN", FrameworkName::Caffe, false), Some("tfjob"));
        assert_eq!(owner("JAVA_HOME", FrameworkName::Tensorflow, false), None);
        assert_eq!(owner("JAVA_HOME", FrameworkName::Tensorflow, true), Some("hadoop"));
        assert_eq!(owner("TFJOBS", FrameworkName::Tensorflow, true), None);
    }

    #[test]
    fn every_owner_of_a_framework_is_a_framework() {
        for (name, owner) in RESERVED {
            let named = |word: &str| FrameworkName::ALL.iter().any(|name| name.keyword() == word);
            let known = owner.strip_prefix("framework ").is_none_or(named);
            assert!(known, "{name}: {owner}");
        }
    }

    #[test]
    fn a_variable_has_capitals_and_underscores_only() {
        assert_eq!(variable(&["data", "train-set"]), "TFJOB_DATA_TRAIN_SET");
        assert_eq!(variable(&["gpus"]), "TFJOB_GPUS");
    }
}
