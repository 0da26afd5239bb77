//! Hadoop releases and their features. A range of releases, such as `3.3`, has the features of its oldest one.
use tfjob_lang::spec::values::Version;

/// Oldest supported release. 3.1.0 ignores `restart_policy` and refuses `STATIC` files, so a finished job would restart
/// indefinitely (`hadoop-yarn-services-core` 3.1.0, `Component`, `ConfigFile`). 3.1.1 restarts failed containers regardless of
/// the policy (`AbstractProviderService.buildContainerRetry`) and reports failed applications as `ENDED`
/// (`ServiceScheduler.serviceStop`; seen on 3.1.1).
const OLDEST: Release = Release(3, 1, 2);
/// Newest supported minor version.
const NEWEST: (u32, u32) = (3, 4);
/// A release with all features of the newest minor version.
const LATEST: Release = Release(NEWEST.0, NEWEST.1, u32::MAX);

/// Oldest release that the cluster may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(u32, u32, u32);

impl Release {
    /// Returns the stated release, or the oldest supported one. An unsupported version, which a rule reports, has all
    /// features, so that no other rule reports it.
    #[must_use]
    pub fn of(stated: Option<&Version>) -> Self {
        let Some(stated) = stated else { return OLDEST };
        if Self::fault(stated).is_some() {
            return LATEST;
        }
        let part = |i: usize| stated.parts().get(i).copied().unwrap_or(0);
        Self(part(0), part(1), part(2)).max(OLDEST)
    }

    /// Returns the reason why a version is not supported, and a supported version.
    #[must_use]
    pub fn fault(stated: &Version) -> Option<(String, &'static str)> {
        let part = |i: usize| stated.parts().get(i).copied();
        let line = (part(0).unwrap_or(0), part(1));
        match (line, part(2)) {
            ((3, Some(1)), Some(0)) => Some((
                format!(
                    "Hadoop {stated} does not support restart policies: every task would restart indefinitely"
                ),
                "3.1.2",
            )),
            ((3, Some(1)), Some(1)) => Some((
                format!(
                    "Hadoop {stated} restarts failed tasks indefinitely, and does not report whether a job has failed"
                ),
                "3.1.2",
            )),
            ((3, None), _) => None,
            ((3, Some(minor)), _) if minor >= OLDEST.1 && (3, minor) <= NEWEST => None,
            ((3, Some(minor)), _) if minor > NEWEST.1 => {
                Some((format!("Hadoop {stated} is newer than the supported versions"), "3.4"))
            }
            _ => Some((format!("Hadoop {stated} does not include YARN services"), "3.1.2")),
        }
    }

    /// Whether a component can be marked so that its end ends the service (YARN-8489).
    #[must_use]
    pub fn dominant(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Whether a component that can finish counts as ready while it runs, so that its dependents start. In 3.1.2 and 3.2.0, it is
    /// ready only after it has finished. From 3.1.3 and 3.2.1 on, ready instances count too (class files of these releases).
    #[must_use]
    pub fn ready_while_running(self) -> bool {
        (self >= Self(3, 1, 3) && self < Self(3, 2, 0)) || self >= Self(3, 2, 1)
    }

    /// Whether the delay before SIGKILL that is set for the NodeManager also applies to Docker containers. In older releases,
    /// `docker stop` kills them after 10 seconds (`DockerLinuxContainerRuntime.signalContainer`, 3.1.4 and 3.2.0; YARN-8706).
    #[must_use]
    pub fn delays_docker(self) -> bool {
        self >= Self(3, 2, 0)
    }

    /// Whether an image may have a digest (`DockerLinuxContainerRuntime.validateImageName`).
    #[must_use]
    pub fn digests(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Whether a file may set the visibility of its local copy (`ConfigFile.visibility`).
    #[must_use]
    pub fn visibility(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Whether the Capacity Scheduler accepts full queue paths (`CSQueueStore`, first in 3.3.0).
    #[must_use]
    pub fn queue_paths(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// Whether a constraint may refer to node attributes without task tags (`Component.getAffinityConstraint`; seen from 3.4.1 on).
    #[must_use]
    pub fn node_attributes(self) -> bool {
        self >= Self(3, 4, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Release, Version};

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
        // Unsupported versions are reported only by the rule about them.
        assert!(["2.7", "3.1.1", "3.5"].iter().all(|wrong| release(wrong).node_attributes()));
    }

    #[test]
    fn a_version_without_services_is_a_fault() {
        let fault = |text: &str| Release::fault(&Version::parse(text).unwrap()).map(|(_, right)| right);
        for good in ["3", "3.1", "3.1.2", "3.2.4", "3.3.6", "3.4.2"] {
            assert_eq!(fault(good), None, "{good}");
        }
        assert_eq!(
            [fault("2.10"), fault("3.0"), fault("3.1.0"), fault("3.1.1"), fault("3.5")].map(Option::unwrap),
            ["3.1.2", "3.1.2", "3.1.2", "3.1.2", "3.4"]
        );
        assert_eq!(fault("4").unwrap(), "3.1.2");
    }
}
