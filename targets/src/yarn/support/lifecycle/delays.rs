//! Support of delays that only the administrator of the cluster can set: before SIGKILL, and before the cleanup of a container.
use super::Support;
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use tfjob_lang::spec::Kept;
use tfjob_lang::spec::values::Duration;

/// Seconds that `docker stop` waits between SIGTERM and SIGKILL.
const DOCKER_STOP: u64 = 10;

/// Returns the support of `stop grace`. The delay between SIGTERM and SIGKILL is a setting of the cluster, which a job cannot
/// change.
pub fn grace(context: &Context<'_>, seconds: u64) -> Support {
    let in_docker = context.plan.roles.iter().any(|role| role.image.is_some());
    let stopped = in_docker && seconds > DOCKER_STOP && !context.release.delays_docker();
    let delay = context.site.job.kill_delay.as_ref();
    if seconds == 0 {
        return Support::inherent("the NodeManager sends SIGKILL some time after SIGTERM");
    }
    match delay.map(|d| d.value.seconds()) {
        Some(delay) if delay >= seconds && stopped => Support::unsupported(
            "before Hadoop 3.2, Docker containers are stopped with `docker stop`: SIGKILL follows SIGTERM after 10 seconds, whatever delay the cluster sets",
            format!(
                "write `stop grace=\"{DOCKER_STOP}s\"` or less; or, if the cluster runs Hadoop 3.2 or later, set `target \"yarn\" {{ hadoop \"3.2\" }}`"
            ),
            "DockerLinuxContainerRuntime.signalContainer, Hadoop 3.1.4 and 3.2.0",
        ),
        Some(delay) if delay >= seconds => Support::Native(Mechanism::Delay(seconds)),
        Some(delay) => Support::unsupported(
            format!(
                "on this cluster, SIGKILL follows SIGTERM after {} (`kill-delay`), before the grace period ends",
                duration(delay)
            ),
            format!("write `stop grace=\"{}\"` or less", duration(delay)),
            "yarn#termination-delay",
        ),
        None => {
            let needed = duration(seconds);
            let (premise, options) = match stopped {
                true => (
                    "if the cluster runs Hadoop 3.2 or later, ",
                    format!("`target \"yarn\" {{ hadoop \"3.2\"; kill-delay \"{needed}\" }}`"),
                ),
                false => ("", format!("`target \"yarn\" {{ kill-delay \"{needed}\" }}`")),
            };
            Support::unsupported(
                "by default, the NodeManager sends SIGKILL 250 ms after SIGTERM; a job cannot change this delay",
                format!(
                    "{premise}ask the administrator to set `yarn.nodemanager.sleep-delay-before-sigkill.ms` to at least {}; then write {options}",
                    seconds.saturating_mul(1000)
                ),
                "yarn#termination-delay",
            )
        }
    }
}

/// Returns a number of seconds as a duration of the spec, such as `10m`.
fn duration(seconds: u64) -> Duration {
    Duration::from_seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
}

/// Returns the support of `keep`. The NodeManager deletes the files of a finished container after a delay, regardless of success.
/// The delay is a setting of each node.
pub fn keep(context: &Context<'_>, what: Kept, seconds: Option<u64>) -> Support {
    let all = match what {
        Kept::None => return Support::inherent("YARN keeps no containers"),
        Kept::Failed => false,
        Kept::All => true,
    };
    let delay = context.site.job.keep_delay.as_ref().map(|delay| delay.value.seconds());
    match delay {
        Some(delay) if delay > 0 && seconds.is_none_or(|seconds| delay >= seconds) => match all {
            true => Support::Native(Mechanism::Kept),
            false => Support::Emulated(
                Mechanism::Kept,
                "the NodeManager keeps the files of all containers, including those that succeeded"
                    .to_owned(),
            ),
        },
        Some(delay) => Support::unsupported(
            format!(
                "on this cluster, the files of a finished container are deleted after {} (`keep-delay`), earlier than requested",
                duration(delay)
            ),
            match delay {
                0 => "remove `keep`; or, if the cluster keeps these files, write how long in `keep-delay`, such as `keep-delay \"1d\"`".to_owned(),
                delay => format!("write `for=\"{}\"` or less", duration(delay)),
            },
            "yarn#container-cleanup",
        ),
        None => Support::unsupported(
            "by default, the NodeManager deletes the files of a container when the container finishes; a job cannot change this",
            "if the cluster sets `yarn.nodemanager.delete.debug-delay-sec`, repeat its value: `target \"yarn\" { keep-delay \"1d\" }`; or remove `keep` and read the logs with `yarn logs -applicationId …`",
            "yarn#container-cleanup",
        ),
    }
}
