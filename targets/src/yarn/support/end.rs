//! How the job ends.
use super::{Answer, SAY_DOMAIN, inherent};
use crate::yarn::context::{Context, Ending};
use crate::yarn::means::{Duty, Means};
use tfjob_lang::ask::{Ask, Job, Lifecycle};
use tfjob_lang::spec::{FrameworkName, Kept, Success};

/// Without a component whose end is the service's, the service ends when all have ended, and one failure fails it.
pub fn success(case: &Context<'_>, success: Success) -> Answer {
    let tensorflow = case.plan.framework.name.value == FrameworkName::Tensorflow;
    let server = case.plan.roles.iter().find(|r| r.kind.joins_rendezvous() && r.kind.never_exits());
    if let Some(server) = server.filter(|_| success == Success::All && tensorflow) {
        return Answer::impossible(
            format!("ends with the last task, and a task of `{}` never ends", server.name.value),
            "write `success \"chief\"`",
            "yarn-observed §7",
        );
    }
    match case.ending() {
        Ending::All => {
            inherent("the service ends when every component has ended, and fails where one instance failed")
        }
        Ending::Dominant(role) => Answer::Native(Means::Dominant(role)),
        // The same is said of what only serves.
        Ending::Shims if case.asks(|ask| matches!(ask, Ask::Lifecycle(Lifecycle::EndOfJob))) => {
            ends(case, success)
        }
        Ending::Shims => by_shims(case, success),
    }
}

/// The shims see the end of a task at its port, which they find by its name.
fn by_shims(case: &Context<'_>, success: Success) -> Answer {
    // Peers without a domain, and a TensorBoard that nobody ends, are refused at their own lines.
    let told = case.plan.meets() || case.asks(|ask| matches!(ask, Ask::Job(Job::Tensorboard(_))));
    if case.domain().is_some() || told {
        return ends(case, success);
    }
    let newer = match case.counting().as_deref() {
        Some([_]) if !case.release.dominant() => {
            "say that the cluster is newer: `target \"yarn\" { hadoop \"3.3.6\" }`; or "
        }
        Some(_) | None => "",
    };
    Answer::refused(
        "waits for every component, also for one that only serves; the shims stop those when the job is done, which they see by the registry's DNS names, and no domain is stated",
        format!("{newer}{SAY_DOMAIN}"),
        "yarn-observed §7",
    )
}

fn ends(case: &Context<'_>, success: Success) -> Answer {
    Answer::Emulated(
        Means::Duty(Duty::Ends(success)),
        format!("the shims stop what only serves{}", later(case)),
    )
}

/// What the engine itself would do on a newer release.
fn later(case: &Context<'_>) -> &'static str {
    match case.counting().as_deref() {
        Some([_]) if !case.release.dominant() => {
            "; from Hadoop 3.3 on the engine does it: `target \"yarn\" { hadoop \"3.3\" }`"
        }
        Some(_) | None => "",
    }
}

/// What still runs when one component's end was the service's is stopped by the engine.
pub fn end_of_job(case: &Context<'_>) -> Answer {
    match case.ending() {
        Ending::All => inherent("the job ends when these have ended too"),
        Ending::Dominant(_) => {
            inherent("the engine stops what still runs some 35 seconds after the service has ended")
        }
        Ending::Shims => by_shims(case, case.success()),
    }
}

/// Seconds between SIGTERM and the kill of `docker stop`.
const DOCKER_STOP: u64 = 10;

/// The kill follows SIGTERM by a delay that is the cluster's.
pub fn grace(case: &Context<'_>, seconds: u64) -> Answer {
    let in_docker = case.plan.roles.iter().any(|role| role.image.is_some());
    let stopped = in_docker && seconds > DOCKER_STOP && !case.release.delays_docker();
    let delay = case.site.job.kill_delay.as_ref();
    match delay.map(|d| d.value.seconds()) {
        Some(delay) if delay >= seconds && stopped => Answer::refused(
            "stops a container with an image by `docker stop` before Hadoop 3.2, which kills it after 10 seconds whatever the administrator says",
            format!(
                "write `stop grace=\"{DOCKER_STOP}s\"` or less; or `target \"yarn\" {{ hadoop \"3.2\" }}` if the cluster is newer"
            ),
            "DockerLinuxContainerRuntime.signalContainer of 3.1.4 and 3.2.0",
        ),
        Some(delay) if delay >= seconds => Answer::Native(Means::Delay(seconds)),
        Some(delay) => Answer::refused(
            format!("kills a task {delay} seconds after SIGTERM on this cluster"),
            format!("write `stop grace=\"{delay}s\"` or less"),
            "yarn-observed §7",
        ),
        None => {
            let options = match stopped {
                true => format!(
                    "`target \"yarn\" {{ hadoop \"3.2\"; kill-delay \"{seconds}s\" }}`, if the cluster is newer"
                ),
                false => format!("`target \"yarn\" {{ kill-delay \"{seconds}s\" }}`"),
            };
            Answer::refused(
                "kills a task a quarter of a second after SIGTERM, unless its administrator says otherwise",
                format!(
                    "have the administrator set `yarn.nodemanager.sleep-delay-before-sigkill.ms` to {} or more, and write {options}",
                    seconds.saturating_mul(1000)
                ),
                "yarn-observed §7",
            )
        }
    }
}

pub fn deadline(seconds: u64) -> Answer {
    Answer::Emulated(
        Means::Lifetime(seconds),
        "the time counts from the submission, waiting in the queue included".to_owned(),
    )
}

/// A node removes all that a container leaves after a delay of its own, whether it has failed or not.
pub fn keep(case: &Context<'_>, what: Kept, seconds: Option<u64>) -> Answer {
    let all = match what {
        Kept::None => return inherent("no container stays"),
        Kept::Failed => false,
        Kept::All => true,
    };
    let delay = case.site.job.keep_delay.as_ref().map(|delay| delay.value.seconds());
    match delay {
        Some(delay) if delay > 0 && seconds.is_none_or(|seconds| delay >= seconds) => match all {
            true => Answer::Native(Means::Kept),
            false => Answer::Emulated(Means::Kept, "those that have ended well stay as long".to_owned()),
        },
        Some(delay) => Answer::refused(
            format!("keeps what a container leaves for {delay} seconds on this cluster"),
            format!("write `for=\"{delay}s\"` or less"),
            "yarn-submarine-tony §1.8",
        ),
        None => Answer::refused(
            "removes every container at its end, unless its administrator says otherwise for all",
            "say what `yarn.nodemanager.delete.debug-delay-sec` is: `target \"yarn\" { keep-delay \"1d\" }`; `yarn logs -applicationId …` shows what the tasks wrote in any case",
            "yarn-submarine-tony §1.8",
        ),
    }
}
