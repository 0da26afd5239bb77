//! Start order, restarts and completion.
pub mod restart;

use super::SAY_DOMAIN;
use super::Support;
use crate::contract_builder::{self, HEARD};
use crate::yarn::context::{Context, Ending};
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::schema::Check;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Job, Lifecycle, Probe, Requirement};
use tfjob_lang::spec::{FrameworkName, Kept, Success, When};

/// Answers one requirement: start order, restarts and completion.
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

/// The engine starts a component when those it depends on are ready: what that means hangs on the release. It takes a
/// container whose shim still waits for one that runs, so whoever starts after such a role waits in the shim too.
fn after(context: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Support {
    match when {
        When::Done => Support::unsupported(
            "starts a dependent as soon as the first is ready, and tells no task that another is done",
            "write `when=\"ready\"`, or run the two as two jobs",
            "yarn#dependencies",
        ),
        When::Started | When::Ready if context.waits_in_shim(first, when) => {
            shim_waits(context, role, first, when)
        }
        When::Ready if !context.release.ready_while_running() => Support::unsupported(
            "counts a task that ends as ready only when it has ended, before Hadoop 3.1.3 and in 3.2.0: the two wait for each other for ever",
            "say which release the cluster has: `target \"yarn\" { hadoop \"3.3\" }`",
            "hadoop-yarn-services-core 3.2.0, NeverRestartPolicy.isReadyForDownStream",
        ),
        When::Started => Support::Native(Mechanism::Depends { role, first }),
        When::Ready => Support::Emulated(
            Mechanism::Depends { role, first },
            format!(
                "a `{}` that has ended, even before it was ready, counts as ready too",
                context.role(first).name.value
            ),
        ),
    }
}

fn shim_waits(context: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Support {
    let name = &context.role(first).name.value;
    if context.domain().is_none() {
        return Support::unsupported(
            "gives tasks no other address than the registry's DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn#registry-dns",
        );
    }
    if !contract_builder::stays(context.plan, first) {
        let help = format!(
            "if `{name}` serves, `port \"web\" 8080; ready tcp=\"web\"` in it, with `when=\"ready\"`; a step before the training is a job of its own"
        );
        return Support::unsupported(
            format!(
                "removes the DNS name of a task that has ended: a task that starts after `{name}` has ended would wait for it forever"
            ),
            if context.release.ready_while_running() {
                help
            } else {
                format!(
                    "say which release the cluster has: `target \"yarn\" {{ hadoop \"3.3.6\" }}`; or, {help}"
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

/// The master looks, from outside the container.
fn ready(context: &Context<'_>, role: RoleId, probe: &Probe) -> Support {
    let number =
        |name: &str| context.role(role).ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
    let unknown = || {
        Support::unsupported(
            "looks at a port that is known when the job is submitted, and this one is found later",
            "give the port a number",
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
            format!("reads the page's address as it stands, and `{path}` breaks it"),
            "letters, digits and `-._~!&'()*+,;=:@/?%`; another byte as `%` and two digits",
            "yarn#readiness-urls",
        ),
        Probe::Http(name, path) => number(name).map_or_else(unknown, |port| {
            let value = format!("http://${{THIS_HOST}}:{port}{path}");
            Support::Native(Mechanism::Check { role, kind: Check::Http, key: "url", value })
        }),
        Probe::File(path) => Support::unsupported(
            format!("looks at a task from outside, and sees no `{path}` in it"),
            "let the program listen on a port, and write `ready tcp=\"PORT-NAME\"`",
            "yarn#readiness-checks",
        ),
    }
}

/// RFC 3986, path and query; without `$`, which begins a token.
const fn is_of_page(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(
            b,
            b'-' | b'.' | b'_' | b'~' | b'!' | b'&'..=b'/' | b':' | b';' | b'=' | b'?' | b'@' | b'%'
        )
}

/// The program's own word that its work is done.
fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Duty(Duty::Done { role }), HEARD.to_owned())
}

/// How long the shim waits for peers, and for roles that start before. What the engine itself holds back has no bound.
fn timeout(context: &Context<'_>, seconds: u64) -> Support {
    let duty = |how: &str| Support::Emulated(Mechanism::Duty(Duty::Wait(seconds)), how.to_owned());
    let mut order = context.plan.requirements.iter().filter_map(|required| {
        let Requirement::Lifecycle(Lifecycle::After { first, when, .. }) = &required.requirement else {
            return None;
        };
        Some(context.waits_in_shim(*first, *when))
    });
    if context.expects() && context.domain().is_none() {
        return Support::unsupported(
            "gives tasks no other address than the registry's DNS name, and no domain is stated: no task can look for its peers",
            format!("{SAY_DOMAIN}, or remove `start timeout`"),
            "yarn#registry-dns",
        );
    }
    let again = contract_builder::waits_again(context.plan);
    if context.expects() {
        return duty(&format!("the shim waits for the peers, and says which of them is missing{again}"));
    }
    match order.next() {
        None => Support::inherent("no task of this job waits for another"),
        Some(in_shim) if in_shim || order.any(|in_shim| in_shim) => {
            duty(&format!("the shim waits for the roles that start before, and says which task is missing{again}"))
        }
        Some(_) => Support::Ignored(
            "starts a role when those before it are ready, and waits for them without end: `start timeout` does not bound it"
                .to_owned(),
        ),
    }
}

/// Each container starts as it gets room.
fn gang(context: &Context<'_>) -> Support {
    if context.plan.tasks() == 1 {
        return Support::inherent("one task is all or none");
    }
    Support::unsupported(
        "starts each container as soon as there is room for it, and holds those that wait for the rest",
        "remove `gang`; `start timeout=` bounds the waiting",
        "yarn#container-allocation",
    )
}

/// Without a component whose end is the service's, the service ends when all have ended, and one failure fails it.
fn success(context: &Context<'_>, success: Success) -> Support {
    let tensorflow = context.plan.framework.name.value == FrameworkName::Tensorflow;
    let server = context.plan.roles.iter().find(|r| r.kind.joins_rendezvous() && r.kind.never_exits());
    if let Some(server) = server.filter(|_| success == Success::All && tensorflow) {
        return Support::impossible(
            format!("ends with the last task, and a task of `{}` never ends", server.name.value),
            "write `success \"chief\"`",
            "yarn#end-of-a-service",
        );
    }
    match context.ending() {
        Ending::All => Support::inherent(
            "the service ends when every component has ended, and fails where one instance failed",
        ),
        Ending::Dominant(role) => Support::Native(Mechanism::Dominant(role)),
        // The same is said of what only serves.
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

/// The shims see the end of a task at its port, which they find by its name.
fn by_shims(context: &Context<'_>, success: Success) -> Support {
    // Peers without a domain, and a TensorBoard that nobody ends, are refused at their own lines.
    let told = context.plan.meets()
        || context.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))));
    if context.domain().is_some() || told {
        return ends(context, success);
    }
    let newer = match context.counting().as_deref() {
        Some([_]) if !context.release.dominant() => {
            "say that the cluster is newer: `target \"yarn\" { hadoop \"3.3.6\" }`; or "
        }
        Some(_) | None => "",
    };
    Support::unsupported(
        "waits for every component, also for one that only serves; the shims stop those when the job is done, which they see by the registry's DNS names, and no domain is stated",
        format!("{newer}{SAY_DOMAIN}"),
        "yarn#end-of-a-service",
    )
}

fn ends(context: &Context<'_>, success: Success) -> Support {
    Support::Emulated(
        Mechanism::Duty(Duty::Ends(success)),
        format!("the shims stop what only serves{}", later(context)),
    )
}

/// What the engine itself would do on a newer release.
fn later(context: &Context<'_>) -> &'static str {
    match context.counting().as_deref() {
        Some([_]) if !context.release.dominant() => {
            "; from Hadoop 3.3 on the engine does it: `target \"yarn\" { hadoop \"3.3\" }`"
        }
        Some(_) | None => "",
    }
}

/// What still runs when one component's end was the service's is stopped by the engine.
fn end_of_job(context: &Context<'_>) -> Support {
    match context.ending() {
        Ending::All => Support::inherent("the job ends when these have ended too"),
        Ending::Dominant(_) => {
            Support::inherent("the engine stops what still runs some 35 seconds after the service has ended")
        }
        Ending::Shims => by_shims(context, context.success()),
    }
}

/// Seconds between SIGTERM and the kill of `docker stop`.
const DOCKER_STOP: u64 = 10;

/// The kill follows SIGTERM by a delay that is the cluster's.
fn grace(context: &Context<'_>, seconds: u64) -> Support {
    let in_docker = context.plan.roles.iter().any(|role| role.image.is_some());
    let stopped = in_docker && seconds > DOCKER_STOP && !context.release.delays_docker();
    let delay = context.site.job.kill_delay.as_ref();
    match delay.map(|d| d.value.seconds()) {
        Some(delay) if delay >= seconds && stopped => Support::unsupported(
            "stops a container with an image by `docker stop` before Hadoop 3.2, which kills it after 10 seconds whatever the administrator says",
            format!(
                "write `stop grace=\"{DOCKER_STOP}s\"` or less; or `target \"yarn\" {{ hadoop \"3.2\" }}` if the cluster is newer"
            ),
            "DockerLinuxContainerRuntime.signalContainer of 3.1.4 and 3.2.0",
        ),
        Some(delay) if delay >= seconds => Support::Native(Mechanism::Delay(seconds)),
        Some(delay) => Support::unsupported(
            format!("kills a task {delay} seconds after SIGTERM on this cluster"),
            format!("write `stop grace=\"{delay}s\"` or less"),
            "yarn#termination-delay",
        ),
        None => {
            let options = match stopped {
                true => format!(
                    "`target \"yarn\" {{ hadoop \"3.2\"; kill-delay \"{seconds}s\" }}`, if the cluster is newer"
                ),
                false => format!("`target \"yarn\" {{ kill-delay \"{seconds}s\" }}`"),
            };
            Support::unsupported(
                "kills a task a quarter of a second after SIGTERM, unless its administrator says otherwise",
                format!(
                    "have the administrator set `yarn.nodemanager.sleep-delay-before-sigkill.ms` to {} or more, and write {options}",
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
        "the time counts from the submission, waiting in the queue included".to_owned(),
    )
}

/// A node removes all that a container leaves after a delay of its own, whether it has failed or not.
fn keep(context: &Context<'_>, what: Kept, seconds: Option<u64>) -> Support {
    let all = match what {
        Kept::None => return Support::inherent("no container stays"),
        Kept::Failed => false,
        Kept::All => true,
    };
    let delay = context.site.job.keep_delay.as_ref().map(|delay| delay.value.seconds());
    match delay {
        Some(delay) if delay > 0 && seconds.is_none_or(|seconds| delay >= seconds) => match all {
            true => Support::Native(Mechanism::Kept),
            false => Support::Emulated(Mechanism::Kept, "those that have ended well stay as long".to_owned()),
        },
        Some(delay) => Support::unsupported(
            format!("keeps what a container leaves for {delay} seconds on this cluster"),
            format!("write `for=\"{delay}s\"` or less"),
            "yarn#container-cleanup",
        ),
        None => Support::unsupported(
            "removes every container at its end, unless its administrator says otherwise for all",
            "say what `yarn.nodemanager.delete.debug-delay-sec` is: `target \"yarn\" { keep-delay \"1d\" }`; `yarn logs -applicationId …` shows what the tasks wrote in any case",
            "yarn#container-cleanup",
        ),
    }
}
