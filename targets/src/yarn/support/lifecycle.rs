//! Support of start order, restarts, and completion.
mod delays;
pub mod restart;

use super::Support;
use super::{SET_DOMAIN, without_domain};
use crate::contract_builder::{self, HEARD};
use crate::yarn::context::{Context, Ending};
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::schema::Check;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Job, Lifecycle, Probe, Requirement};
use tfjob_lang::spec::{FrameworkName, Success, When};

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
        requirement::Lifecycle::StopGrace { seconds } => delays::grace(context, *seconds),
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(success) => self::success(context, *success),
        requirement::Lifecycle::EndOfJob => end_of_job(context),
        requirement::Lifecycle::Keep { what, seconds } => delays::keep(context, *what, *seconds),
    }
}

/// Returns the support of a start order. The service master starts a component when its dependencies are ready. Which state counts
/// as ready depends on the release. If the shim of `first` itself waits, the service master already counts the container of `first`
/// as running. In that case, the shims of roles that start after `first` must wait for it.
fn after(context: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Support {
    let (name, later) = (&context.role(first).name.value, &context.role(role).name.value);
    match when {
        When::Done => Support::unsupported(
            "the service master starts a component when its dependencies are ready; it cannot wait until they have succeeded",
            match context.release.ready_while_running() {
                true => format!(
                    "run `{name}` as a separate job before this one; or, if `{later}` may start while `{name}` still runs, write `when=\"ready\"`"
                ),
                false => format!(
                    "run `{name}` as a separate job before this one; or, if `{later}` may start while `{name}` still runs, and the cluster runs Hadoop 3.3 or later, write `when=\"ready\"` and `target \"yarn\" {{ hadoop \"3.3\" }}`"
                ),
            },
            "yarn#dependencies",
        ),
        When::Started | When::Ready if context.waits_in_shim(first, when) => {
            shim_waits(context, role, first, when)
        }
        When::Ready if !context.release.ready_while_running() => Support::unsupported(
            format!(
                "before Hadoop 3.1.3 and in 3.2.0, `{name}` counts as ready only when it has finished, so `{later}` would not start while `{name}` runs"
            ),
            "if the cluster runs Hadoop 3.1.3 or later, except 3.2.0, set its version, for example `target \"yarn\" { hadoop \"3.3\" }`",
            "hadoop-yarn-services-core 3.2.0, NeverRestartPolicy.isReadyForDownStream",
        ),
        When::Started => Support::Native(Mechanism::Depends { role, first }),
        When::Ready => Support::Emulated(
            Mechanism::Depends { role, first },
            format!(
                "a finished task of `{name}` also counts as ready, even if its readiness check never passed"
            ),
        ),
    }
}

fn shim_waits(context: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Support {
    let name = &context.role(first).name.value;
    if context.domain().is_none() {
        return without_domain(Support::unsupported(
            format!(
                "`tfjob-shim` waits for the tasks of `{name}`, which it finds by their registry DNS names; but the domain of these names (`dns-domain`) is not set"
            ),
            SET_DOMAIN,
            "yarn#registry-dns",
        ));
    }
    if !contract_builder::stays(context.plan, first) {
        let help = format!(
            "either add `port \"web\" 8000; ready tcp=\"web\"` to `{name}`, with `when=\"ready\"` here; or run `{name}` as a separate job"
        );
        return Support::unsupported(
            format!(
                "`tfjob-shim` finds the tasks of `{name}` by DNS names, but the registry removes the name of a finished task, so a task that starts later would wait indefinitely"
            ),
            if context.release.ready_while_running() {
                help
            } else {
                format!(
                    "if the cluster runs Hadoop 3.3 or later, set `target \"yarn\" {{ hadoop \"3.3\" }}`; otherwise {help}"
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
    let unknown = |name: &String| {
        Support::unsupported(
            "the service master probes the port number in the service spec, but this port gets its number only when the task starts",
            format!("write `port \"{name}\" 8000`, or another fixed number"),
            "yarn#readiness-checks",
        )
    };
    match probe {
        Probe::Tcp(name) => number(name).map_or_else(
            || unknown(name),
            |port| {
                Support::Native(Mechanism::Check {
                    role,
                    kind: Check::Port,
                    key: "port",
                    value: port.to_string(),
                })
            },
        ),
        Probe::Http(_, path) if !path.bytes().all(is_of_page) => Support::impossible(
            format!(
                "the readiness check would fail: `{path}` contains a character that is not valid in a URL, and the service master does not encode it"
            ),
            "percent-encode the path; letters, digits, and `-._~!&'()*+,;=:@/?%` are valid",
            "yarn#readiness-urls",
        ),
        Probe::Http(name, path) => number(name).map_or_else(
            || unknown(name),
            |port| {
                let value = format!("http://${{THIS_HOST}}:{port}{path}");
                Support::Native(Mechanism::Check { role, kind: Check::Http, key: "url", value })
            },
        ),
        Probe::File(path) => Support::unsupported(
            format!(
                "the service master checks readiness from another container, so it cannot see the file `{path}`"
            ),
            "open a port when the program is ready, and write `ready tcp=\"PORT-NAME\"`",
            "yarn#readiness-checks",
        ),
    }
}

/// Returns whether the byte `b` may be part of the path or query of a URL (RFC 3986). `$` is excluded, because `${` begins a token
/// of the service master.
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
            "with `start timeout`, `tfjob-shim` waits for the peers, which it finds by their registry DNS names; but the domain of these names (`dns-domain`) is not set",
            format!("{SET_DOMAIN}, or remove `timeout` from `start`"),
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
        "containers start one by one, as the scheduler allocates them: if not all of them fit, those that run keep their resources while they wait for the rest",
        contract_builder::without_gang(
            context.plan,
            "tasks",
            context.plan.peers() > 1 && context.domain().is_none(),
        ),
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
        // If the job also has the requirement `EndOfJob`, a refusal is reported only there, so that the user sees one error for one
        // cause.
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

/// Returns the support of `success` in jobs whose shims stop long-running tasks. Each task reports on a port that it has finished.
/// The other shims find this port by the DNS name of the task.
fn by_shims(context: &Context<'_>, success: Success) -> Support {
    // If `dns-domain` is not set, other functions already refuse a rendezvous, or a TensorBoard that nothing would stop. No second
    // error is needed for such a job.
    let reported = context.plan.meets()
        || context.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))));
    if context.domain().is_some() || reported {
        return ends(context, success);
    }
    let newer = match context.counting().as_deref() {
        Some([_]) if !context.release.dominant() => {
            "if the cluster runs Hadoop 3.3 or later, where YARN itself stops the remaining tasks, set `target \"yarn\" { hadoop \"3.3\" }`; or "
        }
        Some(_) | None => "",
    };
    Support::unsupported(never_finishes(context), format!("{newer}{SET_DOMAIN}"), "yarn#end-of-a-service")
}

/// Returns why the service would never finish. If only one role does not decide job success, the text names this role.
fn never_finishes(context: &Context<'_>) -> String {
    let counting = context.counting();
    let roles =
        (0..context.plan.roles.len()).filter(|id| counting.as_ref().is_some_and(|all| !all.contains(id)));
    let names: Vec<&str> = roles.map(|id| context.role(id).name.value.as_str()).collect();
    let (waits, stops) = match names.as_slice() {
        [one] => (format!("`{one}` too"), format!("`{one}`")),
        _ => ("all tasks, not only for those that decide success".to_owned(), "the others".to_owned()),
    };
    format!(
        "the job would never finish, because the service waits for {waits}; `tfjob-shim` can stop {stops} only if `dns-domain` is set"
    )
}

fn ends(context: &Context<'_>, success: Success) -> Support {
    Support::Emulated(
        Mechanism::Duty(Duty::Ends(success)),
        format!(
            "the service would wait for tasks that never exit on their own, such as a `ps`, so the shims stop these tasks when the job completes{}",
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

fn deadline(seconds: u64) -> Support {
    Support::Emulated(
        Mechanism::Lifetime(seconds),
        "the deadline counts from submission, so the time in the queue is part of it".to_owned(),
    )
}
