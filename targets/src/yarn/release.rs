//! Hadoop releases and their features. A version without a patch number, such as `3.3`, has the features of its oldest release.
use tfjob_lang::spec::values::Version;

/// Oldest supported release. 3.1.0 refuses `STATIC` files, and ignores `restart_policy`, so that a finished job would restart
/// indefinitely (`hadoop-yarn-services-core` 3.1.0, `Component`, `ConfigFile`). 3.1.1 restarts failed containers regardless of the
/// policy (`AbstractProviderService.buildContainerRetry`) and reports failed applications as `ENDED`
/// (`ServiceScheduler.serviceStop`; seen on 3.1.1).
const OLDEST: Release = Release(3, 1, 2);
/// Newest supported minor version.
const NEWEST: (u32, u32) = (3, 4);
/// A release with all features of the newest minor version.
const LATEST: Release = Release(NEWEST.0, NEWEST.1, u32::MAX);

/// Help for a cluster that is too old.
const UPGRADE: &str = "supported versions are Hadoop 3.1.2 to 3.4: upgrade the cluster, or compile for `--target spark`, which does not use the YARN Services framework";
/// Help for a cluster that is too new.
const NEWER: &str = "supported versions are Hadoop 3.1.2 to 3.4; to try the artifacts for Hadoop 3.4 on this cluster, write `hadoop \"3.4\"`";

/// The oldest Hadoop release that the cluster may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(u32, u32, u32);

impl Release {
    /// Returns the release that the option `hadoop` sets, or the oldest supported release if `stated` is `None`. An unsupported
    /// version counts as a release with all features. Another check reports it, and further errors about the same version would
    /// only confuse.
    #[must_use]
    pub fn of(stated: Option<&Version>) -> Self {
        let Some(stated) = stated else { return OLDEST };
        if Self::fault(stated).is_some() {
            return LATEST;
        }
        let part = |i: usize| stated.parts().get(i).copied().unwrap_or(0);
        Self(part(0), part(1), part(2)).max(OLDEST)
    }

    /// Returns why a version is not supported, and a help. `None` if the version is supported. The help suggests no other version,
    /// because the version is a property of the cluster.
    #[must_use]
    pub fn fault(stated: &Version) -> Option<(String, &'static str)> {
        let part = |i: usize| stated.parts().get(i).copied();
        let line = (part(0).unwrap_or(0), part(1));
        match (line, part(2)) {
            ((3, Some(1)), Some(0)) => Some((
                format!(
                    "Hadoop {stated} does not support restart policies: every task would restart indefinitely"
                ),
                UPGRADE,
            )),
            ((3, Some(1)), Some(1)) => Some((
                format!(
                    "Hadoop {stated} restarts failed tasks indefinitely, and does not report whether a job has failed"
                ),
                UPGRADE,
            )),
            ((3, None), _) => None,
            ((3, Some(minor)), _) if minor >= OLDEST.1 && (3, minor) <= NEWEST => None,
            ((major, minor), _) if (major, minor.unwrap_or(0)) > NEWEST => {
                Some((format!("Hadoop {stated} is newer than the supported versions"), NEWER))
            }
            _ => Some((format!("Hadoop {stated} does not include YARN services"), UPGRADE)),
        }
    }

    /// Returns whether a component can be marked so that the service ends when the component has finished (YARN-8489).
    #[must_use]
    pub fn dominant(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Returns whether a component that can finish counts as ready while it runs, so that its dependents start. In 3.1.2 and 3.2.0,
    /// such a component is ready only after it has finished. Since 3.1.3 and 3.2.1, it is ready when its instances run (class files
    /// of these releases).
    #[must_use]
    pub fn ready_while_running(self) -> bool {
        (self >= Self(3, 1, 3) && self < Self(3, 2, 0)) || self >= Self(3, 2, 1)
    }

    /// Returns whether the NodeManager's delay before SIGKILL also applies to Docker containers. In older releases, `docker stop`
    /// kills them after 10 seconds (`DockerLinuxContainerRuntime.signalContainer`, 3.1.4 and 3.2.0; YARN-8706).
    #[must_use]
    pub fn delays_docker(self) -> bool {
        self >= Self(3, 2, 0)
    }

    /// Returns whether the name of an image may contain a digest (`DockerLinuxContainerRuntime.validateImageName`).
    #[must_use]
    pub fn digests(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Returns whether an entry of `files` in the Yarnfile may set the visibility of the copy on a node (`ConfigFile.visibility`).
    #[must_use]
    pub fn visibility(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Returns whether the Capacity Scheduler accepts full queue paths (`CSQueueStore`, first in 3.3.0).
    #[must_use]
    pub fn queue_paths(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Returns whether a constraint may select node attributes without task tags (`Component.getAffinityConstraint`; seen since
    /// 3.4.1).
    #[must_use]
    pub fn node_attributes(self) -> bool {
        self >= Self(3, 4, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{NEWER, Release, UPGRADE, Version};

    fn release(text: &str) -> Release {
        Release::of(Some(&Version::parse(text).unwrap()))
    }

    #[test]
    fn an_unset_version_has_the_features_of_the_oldest() {
        assert_eq!(Release::of(None), release("3.1.2"));
        assert_eq!(release("3"), release("3.1"));
        assert!(!release("3.2").ready_while_running() && release("3.2.1").ready_while_running());
        assert!(release("3.1.3").ready_while_running() && !release("3.1").ready_while_running());
        assert!(release("3.3").dominant() && !release("3.2.4").dominant());
        assert!(release("3.2").delays_docker() && !release("3.1.4").delays_docker());
        assert!(release("3.3").queue_paths() && !release("3.2.4").queue_paths());
        assert!(release("3.4.1").node_attributes() && !release("3.4").node_attributes());
        // An unsupported version has all features, so that only the check of the version reports it.
        assert!(["2.7", "3.1.1", "3.5"].iter().all(|wrong| release(wrong).node_attributes()));
    }

    #[test]
    fn a_version_without_services_is_a_fault() {
        let fault = |text: &str| Release::fault(&Version::parse(text).unwrap()).map(|(_, help)| help);
        for good in ["3", "3.1", "3.1.2", "3.2.4", "3.3.6", "3.4.2"] {
            assert_eq!(fault(good), None, "{good}");
        }
        assert_eq!(
            [fault("2.10"), fault("3.0"), fault("3.1.0"), fault("3.1.1"), fault("3.5")].map(Option::unwrap),
            [UPGRADE, UPGRADE, UPGRADE, UPGRADE, NEWER]
        );
        assert_eq!([fault("4"), fault("10.1"), fault("2")].map(Option::unwrap), [NEWER, NEWER, UPGRADE]);
    }
}
