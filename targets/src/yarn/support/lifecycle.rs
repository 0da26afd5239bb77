//! Start order, restarts and completion.
pub mod restart;

use super::SET_DOMAIN;
use super::Support;
use crate::contract_builder::{self, HEARD};
use crate::yarn::context::{Context, Ending};
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::schema::Check;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Job, Lifecycle, Probe, Requirement};
use tfjob_lang::spec::{FrameworkName, Kept, Success, When};

/// Returns the support for a lifecycle requirement.
pub fn support(requirement: &requirement::Lifecycle, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { role, after, restart: terms } => {
            restart::restart(context, *role, *after, terms)
        }
        requirement::Lifecycle::After { role, first, when } => after(context, *role, *first, *when),
        requirement::Lifecycle::Ready { role, probe } => ready(context, *role, probe),
        requirement::Lifecycle::Done { role } => done(*role),
        requirement::Lifecycle::StartTimeout { seconds } => timeout(context, *seconds),
        requirement::Lifecycle::Gang => gang(context),
        requirement::Lifecycle::StopGrace { seconds } => grace(context, *seconds),
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(success) => self::success(context, *success),
        requirement::Lifecycle::EndOfJob => end_of_job(context),
        requirement::Lifecycle::Keep { what, seconds } => keep(context, *what, *seconds),
    }
}

/// YARN starts a component when its dependencies are ready; the definition of ready depends on the release. A container
/// counts as running while its shim still waits, so roles that start after such a role wait in their shims too.
fn after(context: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Support {
    match when {
        When::Done => Support::unsupported(
            "YARN starts a dependent component when its dependency is ready, and cannot wait until the dependency has succeeded",
            "write `when=\"ready\"`, or split the two roles into two jobs",
            "yarn#dependencies",
        ),
        When::Started | When::Ready if context.waits_in_shim(first, when) => {
            shim_waits(context, role, first, when)
        }
        When::Ready if !context.release.ready_while_running() => Support::unsupported(
            "before Hadoop 3.1.3 and in 3.2.0, a component that can finish is ready only after it has finished: both roles would wait for each other indefinitely",
            "set the Hadoop version of the cluster: `target \"yarn\" { hadoop \"3.3\" }`",
            "hadoop-yarn-services-core 3.2.0, NeverRestartPolicy.isReadyForDownStream",
        ),
        When::Started => Support::Native(Mechanism::Depends { role, first }),
        When::Ready => Support::Emulated(
            Mechanism::Depends { role, first },
            format!(
                "a task of `{}` that has finished also counts as ready, even if it was never ready before",
                context.role(first).name.value
            ),
        ),
    }
}

fn shim_waits(context: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Support {
    let name = &context.role(first).name.value;
    if context.domain().is_none() {
        return Support::unsupported(
            format!(
                "the shim waits for the tasks of `{name}` by their YARN registry DNS names, but `dns-domain` is not set"
            ),
            SET_DOMAIN,
            "yarn#registry-dns",
        );
    }
    if !contract_builder::stays(context.plan, first) {
        let help = format!(
            "if `{name}` is long-running, add `port \"web\" 8080; ready tcp=\"web\"` to it, with `when=\"ready\"` here; if it is a step before training, run it as a separate job"
        );
        return Support::unsupported(
            format!(
                "the registry removes the DNS name of a finished task, so a task that starts after `{name}` has finished would wait for it indefinitely"
            ),
            if context.release.ready_while_running() {
                help
            } else {
                format!(
                    "set the Hadoop version of the cluster: `target \"yarn\" {{ hadoop \"3.3.6\" }}`; or, {help}"
                )
            },
            "yarn#registry-records",
        );
    }
    Support::Emulated(
        Mechanism::Duty(Duty::After { role, first, when }),
        format!("the shim waits for the tasks of `{name}`"),
    )
}

/// The service master runs readiness checks, from outside the container.
fn ready(context: &Context<'_>, role: RoleId, probe: &Probe) -> Support {
    let number =
        |name: &str| context.role(role).ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
    let unknown = || {
        Support::unsupported(
            "the service master probes a fixed port from the service spec, but this port is chosen when the task starts",
            "give the port a fixed number, such as 8080",
            "yarn#readiness-checks",
        )
    };
    match probe {
        Probe::Tcp(name) => number(name).map_or_else(unknown, |port| {
            Support::Native(Mechanism::Check {
                role,
                kind: Check::Port,
                key: "port",
                value: port.to_string(),
            })
        }),
        Probe::Http(_, path) if !path.bytes().all(is_of_page) => Support::impossible(
            format!(
                "the service master does not encode the URL of an HTTP check, and `{path}` is not valid in a URL"
            ),
            "percent-encode the path; letters, digits, and `-._~!&'()*+,;=:@/?%` are valid",
            "yarn#readiness-urls",
        ),
        Probe::Http(name, path) => number(name).map_or_else(unknown, |port| {
            let value = format!("http://${{THIS_HOST}}:{port}{path}");
            Support::Native(Mechanism::Check { role, kind: Check::Http, key: "url", value })
        }),
        Probe::File(path) => Support::unsupported(
            format!(
                "the service master checks readiness from outside the container and cannot see the file `{path}`"
            ),
            "open a port when the program is ready, and write `ready tcp=\"PORT-NAME\"`",
            "yarn#readiness-checks",
        ),
    }
}

/// Path and query of RFC 3986, without `$`: `${` starts a token of the service master.
const fn is_of_page(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(
            b,
            b'-' | b'.' | b'_' | b'~' | b'!' | b'&'..=b'/' | b':' | b';' | b'=' | b'?' | b'@' | b'%'
        )
}

fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Duty(Duty::Done { role }), HEARD.to_owned())
}

/// Bounds the waits of the shim: for peers, and for roles that start first. YARN's own waits for dependencies have no limit.
fn timeout(context: &Context<'_>, seconds: u64) -> Support {
    let duty = |how: &str| Support::Emulated(Mechanism::Duty(Duty::Wait(seconds)), how.to_owned());
    let mut order = context.plan.requirements.iter().filter_map(|required| {
        let Requirement::Lifecycle(Lifecycle::After { first, when, .. }) = &required.requirement else {
            return None;
        };
        Some(context.waits_in_shim(*first, *when))
    });
    if context.waits_for_peers() && context.domain().is_none() {
        return Support::unsupported(
            "the shim probes peers by their YARN registry DNS names, but `dns-domain` is not set",
            format!("{SET_DOMAIN}, or remove `start timeout`"),
            "yarn#registry-dns",
        );
    }
    let again = contract_builder::waits_again(context.plan);
    if context.waits_for_peers() {
        return duty(&format!("the shim waits for the peers and reports missing ones{again}"));
    }
    match order.next() {
        None => Support::inherent("no task of this job waits for another"),
        Some(in_shim) if in_shim || order.any(|in_shim| in_shim) => {
            duty(&format!("the shim waits for the roles that start first and reports missing tasks{again}"))
        }
        Some(_) => Support::Ignored(
            "`start timeout` is ignored (YARN waits without a time limit until the roles that start first are ready)"
                .to_owned(),
        ),
    }
}

fn gang(context: &Context<'_>) -> Support {
    if context.plan.tasks() == 1 {
        return Support::inherent("a job with one task needs no gang scheduling");
    }
    Support::unsupported(
        "YARN starts each container when it is allocated; these containers then hold their resources while the others wait",
        "remove `gang`; set `start timeout=` to limit how long tasks wait",
        "yarn#container-allocation",
    )
}

/// Unless one component is marked to end the service, the service ends when all components have ended, and fails if one
/// instance has failed.
fn success(context: &Context<'_>, success: Success) -> Support {
    let tensorflow = context.plan.framework.name.value == FrameworkName::Tensorflow;
    let server = context.plan.roles.iter().find(|r| r.kind.joins_rendezvous() && r.kind.never_exits());
    if let Some(server) = server.filter(|_| success == Success::All && tensorflow) {
        return Support::impossible(
            format!(
                "`success \"all\"` waits for all tasks, but `{}` never exits, so the service never finishes",
                server.name.value
            ),
            "write `success \"chief\"`",
            "yarn#end-of-a-service",
        );
    }
    match context.ending() {
        Ending::All => Support::inherent(
            "the service finishes when all components have finished, and fails if one instance has failed",
        ),
        Ending::Dominant(role) => Support::Native(Mechanism::Dominant(role)),
        // The refusal of `EndOfJob` reports the same cause.
        Ending::Shims
            if context.requirements(|requirement| {
                matches!(requirement, Requirement::Lifecycle(Lifecycle::EndOfJob))
            }) =>
        {
            ends(context, success)
        }
        Ending::Shims => by_shims(context, success),
    }
}

/// The shims learn from the port of a task that it has finished, and find it by its DNS name.
fn by_shims(context: &Context<'_>, success: Success) -> Support {
    // A rendezvous without a domain, and a TensorBoard that nothing stops, are refused at their own lines.
    let reported = context.plan.meets()
        || context.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))));
    if context.domain().is_some() || reported {
        return ends(context, success);
    }
    let newer = match context.counting().as_deref() {
        Some([_]) if !context.release.dominant() => {
            "if the cluster runs Hadoop 3.3.6 or later, set `target \"yarn\" { hadoop \"3.3.6\" }`; or "
        }
        Some(_) | None => "",
    };
    Support::unsupported(
        "a service finishes only when all components have finished; the shims can stop long-running tasks, but need the YARN registry DNS names for it, and `dns-domain` is not set",
        format!("{newer}{SET_DOMAIN}"),
        "yarn#end-of-a-service",
    )
}

fn ends(context: &Context<'_>, success: Success) -> Support {
    Support::Emulated(
        Mechanism::Duty(Duty::Ends(success)),
        format!("the shims stop long-running tasks when the job completes{}", from_3_3(context)),
    )
}

/// Hint that YARN itself supports this from Hadoop 3.3 on.
fn from_3_3(context: &Context<'_>) -> &'static str {
    match context.counting().as_deref() {
        Some([_]) if !context.release.dominant() => {
            "; from Hadoop 3.3 on, YARN does it itself: `target \"yarn\" { hadoop \"3.3\" }`"
        }
        Some(_) | None => "",
    }
}

/// What happens to long-running tasks when the job completes.
fn end_of_job(context: &Context<'_>) -> Support {
    match context.ending() {
        Ending::All => Support::inherent("the job completes only when these tasks have finished too"),
        Ending::Dominant(_) => Support::inherent(
            "YARN stops remaining containers about 35 seconds after the service has finished",
        ),
        Ending::Shims => by_shims(context, context.success()),
    }
}

/// Seconds between SIGTERM and SIGKILL of `docker stop`.
const DOCKER_STOP: u64 = 10;

/// The delay between SIGTERM and SIGKILL is a setting of the cluster.
fn grace(context: &Context<'_>, seconds: u64) -> Support {
    let in_docker = context.plan.roles.iter().any(|role| role.image.is_some());
    let stopped = in_docker && seconds > DOCKER_STOP && !context.release.delays_docker();
    let delay = context.site.job.kill_delay.as_ref();
    match delay.map(|d| d.value.seconds()) {
        Some(delay) if delay >= seconds && stopped => Support::unsupported(
            "before Hadoop 3.2, YARN stops Docker containers with `docker stop`, which sends SIGKILL 10 seconds after SIGTERM regardless of the cluster's setting",
            format!(
                "write `stop grace=\"{DOCKER_STOP}s\"` or less; or, if the cluster runs Hadoop 3.2 or later, set `target \"yarn\" {{ hadoop \"3.2\" }}`"
            ),
            "DockerLinuxContainerRuntime.signalContainer, Hadoop 3.1.4 and 3.2.0",
        ),
        Some(delay) if delay >= seconds => Support::Native(Mechanism::Delay(seconds)),
        Some(delay) => Support::unsupported(
            format!("on this cluster, SIGKILL follows SIGTERM after {delay} seconds (`kill-delay`)"),
            format!("write `stop grace=\"{delay}s\"` or less"),
            "yarn#termination-delay",
        ),
        None => {
            let options = match stopped {
                true => format!(
                    "`target \"yarn\" {{ hadoop \"3.2\"; kill-delay \"{seconds}s\" }}`, if the cluster runs Hadoop 3.2 or later"
                ),
                false => format!("`target \"yarn\" {{ kill-delay \"{seconds}s\" }}`"),
            };
            Support::unsupported(
                "the NodeManager sends SIGKILL 250 ms after SIGTERM by default, and a job cannot change this delay",
                format!(
                    "ask the administrator to set `yarn.nodemanager.sleep-delay-before-sigkill.ms` to at least {}, and write {options}",
                    seconds.saturating_mul(1000)
                ),
                "yarn#termination-delay",
            )
        }
    }
}

fn deadline(seconds: u64) -> Support {
    Support::Emulated(
        Mechanism::Lifetime(seconds),
        "the time counts from submission and includes the wait in the queue".to_owned(),
    )
}

/// The NodeManager deletes the files of a container after a delay that is set per node, whether it succeeded or failed.
fn keep(context: &Context<'_>, what: Kept, seconds: Option<u64>) -> Support {
    let all = match what {
        Kept::None => return Support::inherent("YARN keeps no containers"),
        Kept::Failed => false,
        Kept::All => true,
    };
    let delay = context.site.job.keep_delay.as_ref().map(|delay| delay.value.seconds());
    match delay {
        Some(delay) if delay > 0 && seconds.is_none_or(|seconds| delay >= seconds) => match all {
            true => Support::Native(Mechanism::Kept),
            false => {
                Support::Emulated(Mechanism::Kept, "containers that succeeded are kept as long".to_owned())
            }
        },
        Some(delay) => Support::unsupported(
            format!(
                "on this cluster, the files of a finished container are deleted after {delay} seconds (`keep-delay`)"
            ),
            format!("write `for=\"{delay}s\"` or less"),
            "yarn#container-cleanup",
        ),
        None => Support::unsupported(
            "by default, the NodeManager deletes the files of a container when it finishes, and a job cannot change this",
            "if the cluster sets `yarn.nodemanager.delete.debug-delay-sec`, repeat its value: `target \"yarn\" { keep-delay \"1d\" }`; logs stay available with `yarn logs -applicationId …`",
            "yarn#container-cleanup",
        ),
    }
}
