//! How a task ends and whether it starts again: what the spec says, against what the platform makes of the artifact and the
//! shim of its contract. Every role, terms of `restart`, and way to end are combined; each target's platform is a model of
//! what was seen on it (docs/pitfalls.md, `restart`).
#![expect(clippy::unwrap_used, reason = "a test may")]
mod moved;
mod platforms;
mod replaced;
mod spark;

use crate::able;
use crate::request::{analyze, request};
use platforms::{Dcos, Kubernetes, Platform, Yarn};
use tfjob_contract::Restart;
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

/// Roles of a job, `TERMS` in the one that ends, and its name. A helper's failure is not the job's.
const SUBJECTS: [(&str, &str); 12] = [
    ("a", r#"framework "custom"; role "a" count=2 { TERMS }; helper "nb""#),
    ("nb", r#"framework "custom"; role "a" count=2; helper "nb" { TERMS }"#),
    ("nb", r#"framework "custom"; role "a" count=2; role "b"; helper "nb" { TERMS }"#),
    // Its shim waits for a helper, and for no peer.
    ("a", r#"framework "custom"; role "a" { TERMS; after "db" when="ready" }; DB; CACHE"#),
    ("b", r#"framework "custom"; success "chief"; role "a"; role "b" count=2 { TERMS }"#),
    ("nb", r#"framework "custom"; success "all"; role "a"; role "b" count=2; helper "nb" { TERMS }"#),
    ("worker", r#"TENSORFLOW="multi-worker-mirrored"; role "worker" count=2 { TERMS }"#),
    ("evaluator", r#"TENSORFLOW="estimator"; role "chief"; role "worker"; role "evaluator" { TERMS }"#),
    ("ps", r#"TENSORFLOW="parameter-server"; role "chief"; role "worker" count=2; role "ps" { TERMS }"#),
    ("chief", r#"TENSORFLOW="parameter-server"; role "chief" { TERMS }; role "worker" count=2; role "ps""#),
    ("nb", r#"TENSORFLOW="parameter-server"; role "chief"; role "worker"; role "ps"; helper "nb" { TERMS }"#),
    ("worker", r#"TENSORFLOW="single"; role "worker" { TERMS }"#),
];

/// The terms as they are written, and as they are meant.
fn terms() -> Vec<(&'static str, Option<Restart>)> {
    let plain = Restart {
        always: false,
        limit: None,
        within: None,
        backoff: None,
        max_backoff: None,
        min_uptime: None,
        no_progress_limit: None,
        codes: Vec::new(),
    };
    let on = |change: fn(&mut Restart)| {
        let mut restart = plain.clone();
        change(&mut restart);
        Some(restart)
    };
    vec![
        ("", None),
        (r#"restart "never""#, None),
        (r#"restart "on-failure""#, on(|_| ())),
        (r#"restart "on-failure" scope="task""#, on(|_| ())),
        (r#"restart "on-failure" limit=2"#, on(|r| r.limit = Some(2))),
        (r#"restart "on-failure" limit=2 within="1h""#, on(|r| r.limit = Some(2))),
        (r#"restart "on-failure" { codes 3 }"#, on(|r| r.codes = vec![3])),
        (r#"restart "on-failure" limit=2 { codes 3 }"#, on(|r| (r.limit, r.codes) = (Some(2), vec![3]))),
        (r#"restart "on-failure" min-uptime="10s""#, on(|r| r.min_uptime = Some(10))),
        (
            r#"restart "on-failure" limit=2 min-uptime="10s""#,
            on(|r| (r.limit, r.min_uptime) = (Some(2), Some(10))),
        ),
        (r#"restart "on-failure" backoff="2s""#, on(|_| ())),
        (r#"restart "always""#, on(|r| r.always = true)),
        (r#"restart "always" limit=2"#, on(|r| (r.always, r.limit) = (true, Some(2)))),
    ]
}

/// How a task ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Its program, each time at once, with this code.
    Program(u8),
    /// The shim at its deadline.
    Deadline,
    /// The shim, since others have not come in time.
    GaveUp,
}

/// What becomes of it.
#[derive(Debug, PartialEq, Eq)]
struct Fate {
    /// How often the program or the wait begins; `None`: without end.
    starts: Option<u32>,
    /// Whether the platform ends the job because of it, or counts it as failed in the end.
    fails: bool,
}

/// How often a program that always ends at once with a code is started under these terms.
fn starts(restart: Option<&Restart>, code: u8) -> Option<u32> {
    let Some(terms) = restart else { return Some(1) };
    let again = if code == 0 { terms.always } else { terms.codes.is_empty() || terms.codes.contains(&code) };
    if !again || terms.min_uptime.is_some() { Some(1) } else { terms.limit.map(|limit| limit + 1) }
}

fn spec(job: &str, terms: &str, more: &str) -> String {
    format!(
        r#"job "lives" {{
    image "ml/own:1.0"
    run "./own" "{{addresses.ROLE}}"
    resources cpus=1 memory="1GiB"
    {more}
    {}
    target "yarn" {{ hadoop "3.3.6"; dns-domain "ycluster"; user "ada" }}
    target "dcos" {{ version "2.1"; shim url="https://files.example/tfjob-shim" }}
    allow "restart" on="kubernetes" because="a Pod that is lost ends the job"
}}"#,
        job.replace("TERMS", terms)
            .replace("TENSORFLOW", r#"framework "tensorflow" version="2.15" strategy"#)
            .replace("DB", r#"helper "db" { port "db" 2223; ready tcp="db"; after "c" when="started" }"#)
            .replace("CACHE", r#"helper "c" { port "c" 2224; ready tcp="c" }"#)
            .replace("; ", "\n    ")
    )
    .replace("ROLE", if job.contains(r#"role "a""#) { "a" } else { "worker" })
}

/// What a target makes of a spec, unless it refuses it.
fn compiled(text: &str) -> Vec<(&'static str, Lowered)> {
    let analysis = analyze(&request(text));
    // What `tfjob run` does is seen there, in real processes.
    let modelled = ALL.iter().filter(|target| target.name() != "local");
    let each = modelled.filter_map(|target| Some((target.name(), analysis.compile(*target).lowered?)));
    each.collect()
}

/// The fate of a task by the artifact: the shim's restarts in each of its containers.
fn seen(platform: &dyn Platform, lowered: &Lowered, role: &str, end: End) -> Option<Fate> {
    let contract = lowered.contract.as_ref().map(|(contract, _)| contract);
    let duties = contract.map(|contract| &contract.duties);
    let (inner, code) = match end {
        End::Program(code) => {
            let role = contract.and_then(|contract| contract.role_named(role));
            let terms = role.and_then(|role| role.duties.as_ref()).and_then(|duties| duties.restart.as_ref());
            (starts(terms, code), code)
        }
        End::Deadline => (Some(1), duties.and_then(|d| d.as_ref()?.deadline).map(|_| 124)?),
        End::GaveUp => (Some(1), duties.and_then(|d| d.as_ref()?.wait).map(|_| 75)?),
    };
    let Some(inner) = inner else { return Some(Fate { starts: None, fails: false }) };
    let outer = platform.containers(code);
    Some(Fate { starts: outer.starts.map(|outer| outer * inner), fails: outer.fails })
}

/// A Pod that has succeeded has no name, and no instance of a service that has ended: whoever starts again in the same place
/// does not wait for those who have finished.
#[test]
fn nobody_who_comes_back_waits_for_a_task_that_has_finished() {
    let mut judged = std::collections::BTreeMap::new();
    for (role, job) in SUBJECTS {
        for (written, _) in terms() {
            let text = spec(job, written, "start timeout=\"30s\"");
            for (target, lowered) in compiled(&text) {
                let (again, remembers) = match target {
                    "kubernetes" => (
                        Kubernetes::new(&lowered, role).containers(1).starts.is_none(),
                        Kubernetes::remembers(&lowered, role),
                    ),
                    "yarn" => {
                        let yarn = Yarn::new(&lowered, role);
                        (yarn.starts_in_place(), yarn.remembers())
                    }
                    _ => continue,
                };
                let waits = |(contract, _): &(tfjob_contract::Contract, _)| {
                    contract.duties.as_ref().is_some_and(|duties| duties.wait.is_some())
                };
                let expected = again && lowered.contract.as_ref().is_some_and(waits);
                assert_eq!(remembers, expected, "{target}: {text}");
                *judged.entry(target).or_insert(0) += u32::from(expected);
            }
        }
    }
    assert_eq!(judged.len(), 2, "{judged:?}");
    assert!(judged.values().all(|count| *count > 5), "{judged:?}");
}

#[test]
fn a_task_ends_and_starts_again_as_the_spec_says() {
    let mut wrong = Vec::new();
    let (mut judged, mut numbers) = (0, 0..);
    for (role, job) in SUBJECTS {
        let helper = role == "nb";
        for (written, meant) in terms() {
            for more in ["", "deadline \"1h\"", "start timeout=\"30s\""] {
                let text = spec(job, written, more);
                if !numbers.next().is_some_and(able::tries) {
                    continue;
                }
                for (target, lowered) in compiled(&text).into_iter().filter(|(target, _)| *target != "spark")
                {
                    // Refused, and the `allow` for lost Pods takes that away, too.
                    if target == "kubernetes" && !helper && written.contains("always") {
                        continue;
                    }
                    let platform: Box<dyn Platform> = match target {
                        "yarn" => Box::new(Yarn::new(&lowered, role)),
                        "dcos" => Box::new(Dcos::new(&lowered, role)),
                        "kubernetes" => Box::new(Kubernetes::new(&lowered, role)),
                        other => panic!("{other}"),
                    };
                    for end in [End::Program(0), End::Program(1), End::Program(3), End::Deadline, End::GaveUp]
                    {
                        let Some(seen) = seen(platform.as_ref(), &lowered, role, end) else { continue };
                        let (code, mut expected) = match end {
                            End::Program(code) => (code, starts(meant.as_ref(), code)),
                            End::Deadline => (124, Some(1)),
                            End::GaveUp => (75, Some(1)),
                        };
                        // Neither knows a shim that gives up from a program that fails; the answer to `start timeout` says so.
                        let endless = seen.starts.is_none() && starts(meant.as_ref(), code).is_none();
                        if end == End::GaveUp && target != "dcos" && endless {
                            expected = None;
                        }
                        // A container of Marathon stays, and the last line of its output is how it has ended.
                        // Where the end of one component is the service's, the others' failures are not.
                        let other =
                            target == "yarn" && matches!(role, "b" | "ps" | "evaluator") && !seen.fails;
                        let fails = !other && !helper && code != 0 && expected.is_some() && target != "dcos";
                        judged += 1;
                        let expected = Fate { starts: expected, fails };
                        if seen != expected {
                            wrong.push(format!(
                                "{target}: {job} {{ {written} }} {more}: {end:?}: {seen:?}, not {expected:?}"
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged > able::share(300), "{judged}");
}
