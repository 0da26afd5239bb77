//! Support of start order, restarts, and completion.
pub mod restart;

use super::SET_DOMAIN;
use super::Support;
use crate::contract_builder::{self, HEARD};
use crate::yarn::context::{Context, Ending};
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::schema::Check;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Job, Lifecycle, Probe, Requirement};
use tfjob_lang::spec::values::Duration;
use tfjob_lang::spec::{FrameworkName, Kept, Success, When};

/// Returns the support of one requirement about start order, restarts, and completion.
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

/// Returns the support of a start order. The service master starts a component when its dependencies are ready. Which state counts
/// as ready depends on the release. If the shim of `first` itself waits, the container of `first` already counts as running. In
/// that case, the shims of roles that start after `first` wait too.
fn after(context: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Support {
    match when {
        When::Done => Support::unsupported(
            "the service master starts a component when its dependencies are ready; it cannot wait until they have succeeded",
            match context.release.ready_while_running() {
                true => "write `when=\"ready\"`, or split the two roles into two jobs",
                false => {
                    "write `when=\"ready\"` and `target \"yarn\" { hadoop \"3.3\" }`, if the cluster runs Hadoop 3.3 or later; or split the two roles into two jobs"
                }
            },
            "yarn#dependencies",
        ),
        When::Started | When::Ready if context.waits_in_shim(first, when) => {
            shim_waits(context, role, first, when)
        }
        When::Ready if !context.release.ready_while_running() => Support::unsupported(
            "before Hadoop 3.1.3 and in 3.2.0, a component that can finish counts as ready only after it has finished: this role would start only then, and if the two roles are peers, both would wait forever",
            "if the cluster runs Hadoop 3.3 or later, set `target \"yarn\" { hadoop \"3.3\" }`",
            "hadoop-yarn-services-core 3.2.0, NeverRestartPolicy.isReadyForDownStream",
        ),
        When::Started => Support::Native(Mechanism::Depends { role, first }),
        When::Ready => Support::Emulated(
            Mechanism::Depends { role, first },
            format!(
                "a finished task of `{}` also counts as ready, even if its readiness check never passed",
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
                "the shim finds the tasks of `{name}` by their registry DNS names, but the domain of these names (`dns-domain`) is not set"
            ),
            SET_DOMAIN,
            "yarn#registry-dns",
        );
    }
    if !contract_builder::stays(context.plan, first) {
        let help = format!(
            "either add `port \"web\" 8080; ready tcp=\"web\"` to `{name}`, with `when=\"ready\"` here; or run `{name}` as a separate job"
        );
        return Support::unsupported(
            format!(
                "the shim finds the tasks of `{name}` by DNS names, which the registry removes when a task finishes: a task that starts later would wait indefinitely"
            ),
            if context.release.ready_while_running() {
                help
            } else {
                format!(
                    "if the cluster runs Hadoop 3.3.6 or later, set `target \"yarn\" {{ hadoop \"3.3.6\" }}`; otherwise {help}"
                )
            },
            "yarn#registry-records",
        );
    }
    Support::Emulated(
        Mechanism::Duty(Duty::After { role, first, when }),
        format!(
            "the container starts immediately and holds its resources, but the shim starts the program only after `{name}`"
        ),
    )
}

/// Returns the support of a readiness probe. The service master probes from its own container.
fn ready(context: &Context<'_>, role: RoleId, probe: &Probe) -> Support {
    let number =
        |name: &str| context.role(role).ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
    let unknown = || {
        Support::unsupported(
            "the service master probes the port number in the service spec, but this port gets its number only when the task starts",
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
                "the readiness check would fail: `{path}` contains a character that is not valid in a URL, and the service master does not encode it"
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
                "the service master checks readiness from another container, so it cannot see the file `{path}`"
            ),
            "open a port when the program is ready, and write `ready tcp=\"PORT-NAME\"`",
            "yarn#readiness-checks",
        ),
    }
}

/// Returns whether a byte may be part of the path or query of a URL (RFC 3986). `$` is excluded, because `${` begins a token of the
/// service master.
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

/// Returns the support of `start timeout`. It limits how long the shim waits for peers, and for roles that start before its role.
/// The service master waits for dependencies without a limit.
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
            "the shim finds peers by their registry DNS names, but the domain of these names (`dns-domain`) is not set",
            format!("{SET_DOMAIN}, or remove `start timeout`"),
            "yarn#registry-dns",
        );
    }
    let again = contract_builder::waits_again(context.plan);
    if context.waits_for_peers() {
        return duty(&format!(
            "the shim stops a task if its peers are not reachable within `start timeout`{again}"
        ));
    }
    match order.next() {
        None => Support::inherent("no task of this job waits for another"),
        Some(in_shim) if in_shim || order.any(|in_shim| in_shim) => {
            duty(&format!("the shim stops a task if the roles that start first are not ready within `start timeout`{again}"))
        }
        Some(_) => Support::Ignored(
            "`start timeout` is ignored (the service master waits without a time limit for the roles that start first)"
                .to_owned(),
        ),
    }
}

fn gang(context: &Context<'_>) -> Support {
    if context.plan.tasks() == 1 {
        return Support::inherent("a job with one task needs no gang scheduling");
    }
    Support::unsupported(
        "containers start one by one, as the scheduler allocates them: if not all of them fit, those that run hold their resources and wait",
        "remove `gang`, and write `start timeout=\"30m\"` to limit how long tasks wait",
        "yarn#container-allocation",
    )
}

/// Returns the support of `success`. By default, the service ends when all components have finished, and fails if one instance has
/// failed. One component can be marked to end the service earlier.
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
        // If the job also has the requirement `EndOfJob`, the same refusal is reported there, and not here.
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

/// Returns the support of `success` in jobs whose shims stop long-running tasks. A task reports on a port that it has finished.
/// The other shims find this port by the DNS name of the task.
fn by_shims(context: &Context<'_>, success: Success) -> Support {
    // Without a domain, other functions already refuse a rendezvous, and a TensorBoard that nothing would stop. So no second error
    // is needed here.
    let reported = context.plan.meets()
        || context.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))));
    if context.domain().is_some() || reported {
        return ends(context, success);
    }
    let newer = match context.counting().as_deref() {
        Some([_]) if !context.release.dominant() => {
            "if the cluster runs Hadoop 3.3.6 or later, which stops these tasks itself, set `target \"yarn\" { hadoop \"3.3.6\" }`; or "
        }
        Some(_) | None => "",
    };
    Support::unsupported(
        "the job would never finish, because the service waits for long-running tasks; the shims can stop these tasks only if `dns-domain` is set",
        format!("{newer}{SET_DOMAIN}"),
        "yarn#end-of-a-service",
    )
}

fn ends(context: &Context<'_>, success: Success) -> Support {
    Support::Emulated(
        Mechanism::Duty(Duty::Ends(success)),
        format!(
            "the service would wait for long-running tasks, so the shims stop them when the job completes{}",
            from_3_3(context)
        ),
    )
}

/// Returns a hint for older releases: since Hadoop 3.3, YARN itself can stop long-running tasks.
fn from_3_3(context: &Context<'_>) -> &'static str {
    match context.counting().as_deref() {
        Some([_]) if !context.release.dominant() => {
            "; if the cluster runs Hadoop 3.3 or later, which does not need the shims for this, set `target \"yarn\" { hadoop \"3.3\" }`"
        }
        Some(_) | None => "",
    }
}

/// Returns the support of stopping long-running tasks when the job completes.
fn end_of_job(context: &Context<'_>) -> Support {
    match context.ending() {
        Ending::All => Support::inherent("the job completes only when these tasks have finished too"),
        Ending::Dominant(_) => Support::inherent(
            "YARN stops remaining containers about 35 seconds after the service has finished",
        ),
        Ending::Shims => by_shims(context, context.success()),
    }
}

/// Seconds that `docker stop` waits between SIGTERM and SIGKILL.
const DOCKER_STOP: u64 = 10;

/// Returns the support of `stop grace`. The delay between SIGTERM and SIGKILL is a setting of the cluster, which a job cannot
/// change.
fn grace(context: &Context<'_>, seconds: u64) -> Support {
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

fn deadline(seconds: u64) -> Support {
    Support::Emulated(
        Mechanism::Lifetime(seconds),
        "the deadline counts from submission, so the time in the queue is part of it".to_owned(),
    )
}

/// Returns a number of seconds as a duration of the spec, such as `10m`.
fn duration(seconds: u64) -> Duration {
    Duration::from_seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
}

/// Returns the support of `keep`. The NodeManager deletes the files of a finished container after a delay, regardless of success.
/// The delay is a setting of each node.
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
