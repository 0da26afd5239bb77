//! Compares what the spec says about the end and the restart of a task with what the platform and the shim do. The tests combine
//! every role, `restart`, and way to end. For each target, a model repeats what was observed on its platform (docs/pitfalls.md,
//! `restart`).
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

/// The name of the role that ends, and the roles of a job, in which `TERMS` stands for `restart`. A failed helper does not fail
/// the job.
const SUBJECTS: [(&str, &str); 12] = [
    ("a", r#"framework "custom"; role "a" count=2 { TERMS }; helper "nb""#),
    ("nb", r#"framework "custom"; role "a" count=2; helper "nb" { TERMS }"#),
    ("nb", r#"framework "custom"; role "a" count=2; role "b"; helper "nb" { TERMS }"#),
    // The shim of the next role waits for a helper, but for no peer.
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

/// Returns `restart` entries, each with its meaning.
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

/// How a task ends at each start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The program exits immediately with this code.
    Program(u8),
    /// The shim stops the program at the deadline.
    Deadline,
    /// The shim exits, because peers are not ready after `start timeout`.
    GaveUp,
}

/// What happens to a task that ends.
#[derive(Debug, PartialEq, Eq)]
struct Fate {
    /// How often the program, or the wait of the shim, starts. `None` if it restarts without a limit.
    starts: Option<u32>,
    /// Whether the platform ends the job because of the task, or counts the task as failed at the end of the job.
    fails: bool,
}

/// Returns how often a program starts under these terms, if it always exits immediately with this code. `None`: without a limit.
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

/// Returns the output of each target that accepts a spec.
fn compiled(text: &str) -> Vec<(&'static str, Lowered)> {
    let analysis = analyze(&request(text));
    // The tests of `tfjob run` use real processes, so the target `local` has no model here.
    let modelled = ALL.iter().filter(|target| target.name() != "local");
    let each = modelled.filter_map(|target| Some((target.name(), analysis.compile(*target).lowered?)));
    each.collect()
}

/// Returns what happens to a task according to the artifact and the contract, with the restarts of the shim in each container.
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

/// A Pod that has succeeded has no DNS name, and neither has a finished instance of a YARN service. So a task that restarts in the
/// same container does not wait for peers that may have finished.
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
                    // This combination is refused, although `allow` accepts the refusal of restarts of lost Pods.
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
                        // Both platforms treat a shim that stops waiting like a program that fails. A note at `start timeout` says
                        // so.
                        let endless = seen.starts.is_none() && starts(meant.as_ref(), code).is_none();
                        if end == End::GaveUp && target != "dcos" && endless {
                            expected = None;
                        }
                        // A Marathon app keeps running after its program has failed, so only the last line of its output shows the
                        // failure. On YARN, if the end of one component ends the service, failures of other components do not fail
                        // the job.
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
