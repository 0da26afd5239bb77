//! Hadoop releases: which of them has what a job may need. A range of releases answers as its oldest.
use tfjob_lang::spec::values::Version;

/// The oldest that is supported. 3.1.0 knows neither `restart_policy` nor `STATIC` files: it drops the one and refuses
/// the other, and a job that ends would run for ever (`hadoop-yarn-services-core` 3.1.0, `Component`, `ConfigFile`).
/// 3.1.1 starts what fails again whatever the policy (`AbstractProviderService.buildContainerRetry`) and ends every
/// application as `ENDED`, also one that has failed (`ServiceScheduler.serviceStop`; seen on it).
const OLDEST: Release = Release(3, 1, 2);
/// The newest line that is known.
const NEWEST: (u32, u32) = (3, 4);
/// What can do all that a release of that line can.
const LATEST: Release = Release(NEWEST.0, NEWEST.1, u32::MAX);

/// The oldest release that a site may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(u32, u32, u32);

impl Release {
    /// What is stated, or the oldest. A rule refuses what is not supported: it answers as the newest, so that nothing
    /// follows from it.
    #[must_use]
    pub fn of(stated: Option<&Version>) -> Self {
        let Some(stated) = stated else { return OLDEST };
        if Self::fault(stated).is_some() {
            return LATEST;
        }
        let part = |i: usize| stated.parts().get(i).copied().unwrap_or(0);
        Self(part(0), part(1), part(2)).max(OLDEST)
    }

    /// What is wrong with a stated version, and what would be right.
    #[must_use]
    pub fn fault(stated: &Version) -> Option<(String, &'static str)> {
        let part = |i: usize| stated.parts().get(i).copied();
        let line = (part(0).unwrap_or(0), part(1));
        match (line, part(2)) {
            ((3, Some(1)), Some(0)) => Some((
                format!(
                    "Hadoop {stated} has no restart policies: every task would be restarted indefinitely"
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
                Some((format!("Hadoop {stated} is not known here"), "3.4"))
            }
            _ => Some((format!("Hadoop {stated} has no YARN services"), "3.1.2")),
        }
    }

    /// One component's end can be the service's (YARN-8489).
    #[must_use]
    pub fn dominant(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// A component that ends counts as ready for its dependents while it runs. Before, only its end counted: the class
    /// files of 3.1.2 and 3.2.0 ask for completed instances, those of 3.1.3 and 3.2.1 for ready ones too.
    #[must_use]
    pub fn ready_while_running(self) -> bool {
        (self >= Self(3, 1, 3) && self < Self(3, 2, 0)) || self >= Self(3, 2, 1)
    }

    /// The node manager's delay before the kill is also that of a container with an image. Before, `docker stop` without a
    /// time kills it after 10 seconds (`DockerLinuxContainerRuntime.signalContainer` of 3.1.4 and 3.2.0; YARN-8706).
    #[must_use]
    pub fn delays_docker(self) -> bool {
        self >= Self(3, 2, 0)
    }

    /// An image may have a digest (`DockerLinuxContainerRuntime.validateImageName`).
    #[must_use]
    pub fn digests(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// A file may say who shares its local copy (`ConfigFile.visibility`).
    #[must_use]
    pub fn visibility(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// The Capacity Scheduler finds a queue by its full path (`CSQueueStore`, first in 3.3.0).
    #[must_use]
    pub fn queue_paths(self) -> bool {
        self >= Self(3, 3, 0)
    }

    /// A constraint on node attributes alone is one (`Component.getAffinityConstraint`; seen from 3.4.1 on).
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
    fn what_is_not_said_answers_as_the_oldest() {
        assert_eq!(Release::of(None), release("3.1.2"));
        assert_eq!(release("3"), release("3.1"));
        assert!(!release("3.2").ready_while_running() && release("3.2.1").ready_while_running());
        assert!(release("3.1.3").ready_while_running() && !release("3.1").ready_while_running());
        assert!(release("3.3").dominant() && !release("3.2.4").dominant());
        assert!(release("3.2").delays_docker() && !release("3.1.4").delays_docker());
        assert!(release("3.3").queue_paths() && !release("3.2.4").queue_paths());
        assert!(release("3.4.1").node_attributes() && !release("3.4").node_attributes());
        // The rule that refuses them is the one to speak.
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
