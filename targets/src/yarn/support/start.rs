//! How the job starts: in which order, when a task counts as ready, and how long peers may take.
use super::{Answer, SAY_DOMAIN};
use crate::carry::{self, HEARD};
use crate::yarn::context::Context;
use crate::yarn::means::{Duty, Means};
use crate::yarn::shape::Check;
use tfjob_lang::ask::{Ask, Lifecycle, Probe};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::When;

/// The engine starts a component when those it depends on are ready: what that means hangs on the release. It takes a
/// container whose shim still waits for one that runs, so whoever starts after such a role waits in the shim too.
pub fn after(case: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Answer {
    match when {
        When::Done => Answer::refused(
            "starts a dependent as soon as the first is ready, and tells no task that another is done",
            "write `when=\"ready\"`, or run the two as two jobs",
            "yarn-observed §7",
        ),
        When::Started | When::Ready if case.waits_in_shim(first, when) => shim_waits(case, role, first, when),
        When::Ready if !case.release.ready_while_running() => Answer::refused(
            "counts a task that ends as ready only when it has ended, before Hadoop 3.1.3 and in 3.2.0: the two wait for each other for ever",
            "say which release the cluster has: `target \"yarn\" { hadoop \"3.3\" }`",
            "hadoop-yarn-services-core 3.2.0, NeverRestartPolicy.isReadyForDownStream",
        ),
        When::Started => Answer::Native(Means::Depends { role, first }),
        When::Ready => Answer::Emulated(
            Means::Depends { role, first },
            format!(
                "a `{}` that has ended, even before it was ready, counts as ready too",
                case.role(first).name.value
            ),
        ),
    }
}

fn shim_waits(case: &Context<'_>, role: RoleId, first: RoleId, when: When) -> Answer {
    let name = &case.role(first).name.value;
    if case.domain().is_none() {
        return Answer::refused(
            "gives tasks no other address than the registry's DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn-submarine-tony §1.8",
        );
    }
    if !carry::stays(case.plan, first) {
        let help = format!(
            "if `{name}` serves, `port \"web\" 8080; ready tcp=\"web\"` in it, with `when=\"ready\"`; a step before the training is a job of its own"
        );
        return Answer::refused(
            format!(
                "removes the DNS name of a task that has ended: a task that starts after `{name}` has ended would wait for it forever"
            ),
            if case.release.ready_while_running() {
                help
            } else {
                format!(
                    "say which release the cluster has: `target \"yarn\" {{ hadoop \"3.3.6\" }}`; or, {help}"
                )
            },
            "yarn-submarine-tony §1.8",
        );
    }
    Answer::Emulated(
        Means::Duty(Duty::After { role, first, when }),
        format!("the shim waits for the tasks of `{name}`"),
    )
}

/// The master looks, from outside the container.
pub fn ready(case: &Context<'_>, role: RoleId, probe: &Probe) -> Answer {
    let number =
        |name: &str| case.role(role).ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
    let unknown = || {
        Answer::refused(
            "looks at a port that is known when the job is submitted, and this one is found later",
            "give the port a number",
            "yarn-submarine-tony §1.5",
        )
    };
    match probe {
        Probe::Tcp(name) => number(name).map_or_else(unknown, |port| {
            Answer::Native(Means::Check { role, kind: Check::Port, key: "port", value: port.to_string() })
        }),
        Probe::Http(_, path) if !path.bytes().all(is_of_page) => Answer::impossible(
            format!("reads the page's address as it stands, and `{path}` breaks it"),
            "letters, digits and `-._~!&'()*+,;=:@/?%`; another byte as `%` and two digits",
            "yarn-submarine-tony §1.5",
        ),
        Probe::Http(name, path) => number(name).map_or_else(unknown, |port| {
            let value = format!("http://${{THIS_HOST}}:{port}{path}");
            Answer::Native(Means::Check { role, kind: Check::Http, key: "url", value })
        }),
        Probe::File(path) => Answer::refused(
            format!("looks at a task from outside, and sees no `{path}` in it"),
            "let the program listen on a port, and write `ready tcp=\"PORT-NAME\"`",
            "yarn-submarine-tony §1.5",
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
pub fn done(role: RoleId) -> Answer {
    Answer::Emulated(Means::Duty(Duty::Done { role }), HEARD.to_owned())
}

/// How long the shim waits for peers, and for roles that start before. What the engine itself holds back has no bound.
pub fn timeout(case: &Context<'_>, seconds: u64) -> Answer {
    let duty = |how: &str| Answer::Emulated(Means::Duty(Duty::Wait(seconds)), how.to_owned());
    let mut order = case.plan.asks.iter().filter_map(|asked| {
        let Ask::Lifecycle(Lifecycle::After { first, when, .. }) = &asked.ask else { return None };
        Some(case.waits_in_shim(*first, *when))
    });
    if case.expects() && case.domain().is_none() {
        return Answer::refused(
            "gives tasks no other address than the registry's DNS name, and no domain is stated: no task can look for its peers",
            format!("{SAY_DOMAIN}, or remove `start timeout`"),
            "yarn-submarine-tony §1.8",
        );
    }
    let again = carry::waits_again(case.plan);
    if case.expects() {
        return duty(&format!("the shim waits for the peers, and says which of them is missing{again}"));
    }
    match order.next() {
        None => super::inherent("no task of this job waits for another"),
        Some(in_shim) if in_shim || order.any(|in_shim| in_shim) => {
            duty(&format!("the shim waits for the roles that start before, and says which task is missing{again}"))
        }
        Some(_) => Answer::Ignored(
            "starts a role when those before it are ready, and waits for them without end: `start timeout` does not bound it"
                .to_owned(),
        ),
    }
}

/// Each container starts as it gets room.
pub fn gang(case: &Context<'_>) -> Answer {
    if case.plan.tasks() == 1 {
        return super::inherent("one task is all or none");
    }
    Answer::refused(
        "starts each container as soon as there is room for it, and holds those that wait for the rest",
        "remove `gang`; `start timeout=` bounds the waiting",
        "yarn-submarine-tony §1.9",
    )
}
