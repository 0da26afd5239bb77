//! How the job starts: in which order, when a task counts as ready, and how long peers may take.
use super::{Answer, SAY_DOMAIN};
use crate::carry::HEARD;
use crate::yarn::case::Case;
use crate::yarn::means::{Duty, Means};
use crate::yarn::shape::Check;
use std::collections::BTreeSet;
use tfjob_lang::ask::{Ask, Probe};
use tfjob_lang::plan::{RoleId, RoleKind};
use tfjob_lang::spec::When;

/// The engine starts a component when those it depends on are ready: what that means hangs on the release.
pub fn after(case: &Case<'_>, role: RoleId, first: RoleId, when: When) -> Answer {
    let probed = case.asks(|ask| matches!(ask, Ask::Ready { role, .. } if *role == first));
    match when {
        When::Started | When::Ready if expects(case) && meets(case, first) => {
            shim_waits(case, role, first, when)
        }
        When::Done => Answer::refused(
            "starts a dependent as soon as the first is ready, and tells no task that another is done",
            "write `when=\"ready\"`, or run the two as two jobs",
            "yarn-observed §7",
        ),
        When::Started if probed => shim_waits(case, role, first, when),
        When::Started | When::Ready if case.release.ready_while_running() => {
            Answer::Native(Means::Depends { role, first })
        }
        When::Started => shim_waits(case, role, first, when),
        When::Ready => Answer::refused(
            "counts a task that ends as ready only when it has ended, before Hadoop 3.1.3 and in 3.2.0: the two wait for each other for ever",
            "say which release the cluster has: `target \"yarn\" { hadoop \"3.3\" }`",
            "hadoop-yarn-services-core 3.2.0, NeverRestartPolicy.isReadyForDownStream",
        ),
    }
}

/// Whether tasks look for the names of their peers before they start.
fn expects(case: &Case<'_>) -> bool {
    case.meets() && case.asks(|ask| matches!(ask, Ask::StartTimeout { .. }))
}

/// Whether tasks of a role meet others, or start after one whose tasks do. Such a role is ready only when its peers have
/// names, which they have only when the engine has made their containers.
fn meets(case: &Case<'_>, first: RoleId) -> bool {
    let (mut open, mut seen) = (vec![first], BTreeSet::new());
    while let Some(role) = open.pop() {
        if case.role(role).kind != RoleKind::Helper {
            return true;
        }
        if seen.insert(role) {
            open.extend(case.plan.asks.iter().filter_map(|asked| match &asked.ask {
                Ask::After { role: other, first, .. } if *other == role => Some(*first),
                _ => None,
            }));
        }
    }
    false
}

fn shim_waits(case: &Case<'_>, role: RoleId, first: RoleId, when: When) -> Answer {
    if case.domain().is_none() {
        return Answer::refused(
            "gives tasks no other address than the registry's DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn-submarine-tony §1.8",
        );
    }
    Answer::Emulated(
        Means::Duty(Duty::After { role, first, when }),
        format!("the shim waits for the tasks of `{}`", case.role(first).name.value),
    )
}

/// The master looks, from outside the container.
pub fn ready(case: &Case<'_>, role: RoleId, probe: &Probe) -> Answer {
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

pub fn timeout(case: &Case<'_>, seconds: u64) -> Answer {
    if case.meets() {
        return Answer::Emulated(
            Means::Duty(Duty::Wait(seconds)),
            "the shim waits for the peers, and says which of them is missing".to_owned(),
        );
    }
    super::inherent("no task of this job waits for another")
}

/// Each container starts as it gets room.
pub fn gang(case: &Case<'_>) -> Answer {
    if case.plan.tasks() == 1 {
        return super::inherent("one task is all or none");
    }
    Answer::refused(
        "starts each container as soon as there is room for it, and holds those that wait for the rest",
        "remove `gang`; `start timeout=` bounds the waiting",
        "yarn-submarine-tony §1.9",
    )
}
