//! Simulates the deployment of generated start orders by Marathon, with the shims in its apps. Each start order either starts all
//! programs, each after those that it must follow. Or the target refuses it, and without the refusal it would hang.
//!
//! Marathon 1.10: `DeploymentPlan.runSpecsGroupedByLongestPath`, `DeploymentActor.performStep`, `ReadinessBehavior`.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::able;
use crate::request::{analyze, request};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::{Contract, TaskId, When};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

/// Frameworks, each with its roles in the order in which they start. A name after `+` is that of a helper.
const JOBS: [(&str, &[&str]); 7] = [
    (r#""tensorflow" version="2.15" strategy="parameter-server""#, &["ps", "+a", "chief", "worker", "+b"]),
    (
        r#""tensorflow" version="2.15" strategy="parameter-server""#,
        &["+a", "worker", "ps", "evaluator", "chief"],
    ),
    (
        r#""tensorflow" version="2.15" strategy="multi-worker-mirrored""#,
        &["chief", "+a", "worker", "evaluator"],
    ),
    (r#""tensorflow" version="2.15" strategy="custom""#, &["chief", "evaluator", "+a", "worker"]),
    (r#""pytorch""#, &["master", "+a", "+b", "worker"]),
    (r#""custom""#, &["x", "+a", "y", "z"]),
    (r#""tensorflow" version="2.15" strategy="single""#, &["+a", "+b", "worker", "+c"]),
];
const READY: [&str; 5] =
    ["", "", "ready tcp=\"rendezvous\"", "ready http=\"web/health\"", "ready file=\"/tmp/ready\""];

/// A random number generator that returns the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).unwrap()
    }
}

/// One generated job.
struct Job {
    /// The `after` entries of each role: the role that it waits for, and the state of that role.
    after: BTreeMap<String, Vec<(String, When)>>,
    /// The spec, in which `START` stands for the `start timeout` entry.
    text: String,
    /// Roles for which no other role waits.
    unawaited: BTreeSet<String>,
    /// Roles with a readiness probe. Other roles are ready as soon as they have started.
    probed: BTreeSet<String>,
}

fn job(numbers: &mut Numbers) -> Job {
    let (framework, roles) = JOBS[numbers.below(JOBS.len())];
    let (mut text, mut after, mut probed) = (String::new(), BTreeMap::new(), BTreeSet::new());
    for (number, name) in roles.iter().enumerate() {
        let (node, name) = name.strip_prefix('+').map_or(("role", *name), |helper| ("helper", helper));
        let mut ready = READY[numbers.below(READY.len())];
        // No server of such a role listens on the rendezvous port, so a probe of this port would never pass.
        let silent = node == "helper" || name == "evaluator" || framework.contains("single");
        if silent && ready.contains("rendezvous") {
            ready = "ready tcp=\"web\"";
        }
        probed.extend((!ready.is_empty()).then(|| name.to_owned()));
        let mut own = Vec::new();
        for first in &roles[..number] {
            let first = first.trim_start_matches('+');
            let when = match numbers.below(6) {
                0 => When::Started,
                1 => When::Ready,
                _ => continue,
            };
            own.push((first.to_owned(), when));
        }
        let lines: String = own
            .iter()
            .map(|(first, when)| {
                format!(
                    "after \"{first}\" when=\"{}\"; ",
                    if *when == When::Ready { "ready" } else { "started" }
                )
            })
            .collect();
        let count =
            if node == "role" && name == "worker" && !framework.contains("single") { " count=2" } else { "" };
        let port = 8000 + number;
        text += &format!("{node} \"{name}\"{count} {{ port \"web\" {port}; {ready}; {lines}}}\n")
            .replace("; ;", ";");
        after.insert(name.to_owned(), own);
    }
    let board = if numbers.below(4) == 0 {
        "tensorboard logs=\"hdfs://n/logs\" { resources cpus=1 memory=\"1GiB\" }"
    } else {
        ""
    };
    let text = format!(
        "job \"j\" {{\nframework {framework}\nimage \"ml/j:1.0\"\nrun \"a\"\nnetwork \"dcos\"\ndeadline \"9h\"\nresources cpus=1 memory=\"1GiB\"\nSTART\n{text}{board}\ntarget \"dcos\" {{ version \"2.1\"; shim url=\"https://f.example.com/shim\" }}\n}}\n"
    );
    let awaited: BTreeSet<&String> = after.values().flatten().map(|(first, _)| first).collect();
    let unawaited = after.keys().filter(|name| !awaited.contains(name)).cloned().collect();
    Job { after, text, unawaited, probed }
}

fn compiled(text: &str) -> (Vec<Diagnostic>, Option<Lowered>) {
    let analysis = analyze(&request(text));
    let dcos = ALL.iter().find(|target| target.name() == "dcos").unwrap();
    let compiled = analysis.compile(*dcos);
    let mut all: Vec<Diagnostic> = analysis.diagnostics.iter().cloned().chain(compiled.diagnostics).collect();
    all.retain(Diagnostic::is_error);
    (all, compiled.lowered)
}

/// The fields of an app that decide when Marathon starts it.
struct App {
    task: Option<TaskId>,
    dependencies: Vec<String>,
    /// Whether the health check, if there is one, connects to the rendezvous port.
    check: Option<bool>,
}

fn apps(lowered: &Lowered, contract: &Contract) -> BTreeMap<String, App> {
    let group: Value = serde_json::from_str(&lowered.artifacts[0].text).unwrap();
    let app = |app: &Value| {
        let id = app["id"].as_str().unwrap().to_owned();
        let (role, index) = id.rsplit('/').next().unwrap().rsplit_once('-').unwrap_or(("", "0"));
        let role = contract.roles.iter().find(|known| known.name == role);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let check = app["healthChecks"].as_array().and_then(|all| all.first());
        let own = |check: &Value| {
            check["protocol"] == "MESOS_TCP" && role.is_some_and(|role| check["port"] == role.port)
        };
        let task = role.map(|role| TaskId { role: role.name.clone(), index: index.parse().unwrap() });
        let dependencies = app["dependencies"].as_array().into_iter().flatten().map(text).collect();
        (id, App { task, dependencies, check: check.map(own) })
    };
    group["apps"].as_array().unwrap().iter().map(app).collect()
}

fn layer(apps: &BTreeMap<String, App>, id: &str) -> usize {
    apps[id].dependencies.iter().map(|first| layer(apps, first)).max().unwrap_or(0) + 1
}

/// The result of a simulated deployment.
struct Played {
    /// The round of the simulation in which each program starts.
    starts: BTreeMap<TaskId, usize>,
    /// Whether all programs start.
    whole: bool,
}

/// Number of rounds from the start of a program with a probe until the probe passes.
const SLOW: usize = 2;

/// Simulates the deployment until nothing changes any more. `never`: roles whose programs never pass their check.
fn play(
    apps: &BTreeMap<String, App>,
    contract: &Contract,
    waits: bool,
    duties: &BTreeMap<String, Vec<(String, When)>>,
    never: &BTreeSet<String>,
) -> Played {
    let of = |task: &TaskId| apps.iter().find(|(_, app)| app.task.as_ref() == Some(task)).unwrap().0;
    let mut starts: BTreeMap<TaskId, usize> = BTreeMap::new();
    let mut open: BTreeSet<&String> = BTreeSet::new();
    for round in 1.. {
        let supports = |task: &TaskId| {
            let own = |role: &&tfjob_contract::Role| role.name == task.role;
            let duties = contract.roles.iter().find(own).and_then(|role| role.duties.as_ref());
            let probed =
                apps[of(task)].check.is_some() || duties.is_some_and(|duties| duties.ready.is_some());
            let slow = if probed { SLOW } else { 0 };
            starts.get(task).is_some_and(|start| start + slow <= round) && !never.contains(&task.role)
        };
        let ready = |(id, app): (&String, &App)| {
            let runs = app.task.as_ref().is_some_and(|task| starts.contains_key(task));
            let passes = app.task.as_ref().is_some_and(&supports);
            match app.check {
                _ if !open.contains(id) => false,
                None => true,
                // A shim that waits for peers listens on the rendezvous port, so a check of this port passes.
                Some(true) => passes || waits && !runs,
                Some(false) => passes,
            }
        };
        let unready = apps.iter().filter(|app| !ready(*app)).map(|(id, _)| layer(apps, id)).min();
        let opens: BTreeSet<&String> =
            apps.keys().filter(|id| unready.is_none_or(|unready| layer(apps, id) <= unready)).collect();
        let mut begins = Vec::new();
        for app in apps.iter().filter(|(id, _)| open.contains(id)).map(|(_, app)| app) {
            let Some(task) = app.task.as_ref().filter(|task| !starts.contains_key(task)) else { continue };
            let named = !waits || contract.rendezvous_peers(task).iter().all(|peer| open.contains(of(peer)));
            let met = |first: &TaskId, when: When| match when {
                When::Started => starts.contains_key(first),
                When::Ready => supports(first),
                When::Done => false,
            };
            let mut firsts = duties.get(&task.role).into_iter().flatten();
            if named
                && firsts.all(|(first, when)| contract.tasks_of(first).iter().all(|first| met(first, *when)))
            {
                begins.push((task.clone(), round));
            }
        }
        let young = starts.values().any(|start| start + SLOW > round);
        if begins.is_empty() && opens == open && !young {
            break;
        }
        starts.extend(begins);
        open = opens;
    }
    let whole = apps.values().filter_map(|app| app.task.as_ref()).all(|task| starts.contains_key(task));
    Played { starts, whole }
}

/// Returns the roles that each role's shim waits for in addition to its peers, by the contract.
fn duties(contract: &Contract) -> BTreeMap<String, Vec<(String, When)>> {
    let of = |role: &tfjob_contract::Role| {
        let after = role.duties.iter().flat_map(|duties| &duties.after);
        after.map(|after| (after.role.clone(), after.when)).collect()
    };
    contract.roles.iter().map(|role| (role.name.clone(), of(role))).collect()
}

#[test]
fn what_is_accepted_starts_and_what_is_refused_would_hang() {
    let (mut numbers, mut accepted, mut refused) = (Numbers(9), 0, 0);
    let mut wrong = Vec::new();
    for number in 0..1200 {
        let job = job(&mut numbers);
        if !able::tries(number) {
            continue;
        }
        let (waits, text) = (numbers.below(3) > 0, &job.text);
        let start = if waits { "start timeout=\"5m\"" } else { "" };
        let whole = text.replace("START", start);
        let (errors, lowered) = compiled(&whole);
        let nobody = BTreeSet::new();
        if let Some(lowered) = lowered {
            accepted += 1;
            let contract = lowered.contract.as_ref().unwrap().0.clone();
            let apps = apps(&lowered, &contract);
            let waits = contract.duties.as_ref().is_some_and(|duties| duties.wait.is_some());
            let played = play(&apps, &contract, waits, &duties(&contract), &nobody);
            if !played.whole {
                wrong.push(format!("accepted, and hangs:\n{whole}"));
                continue;
            }
            if !play(&apps, &contract, waits, &duties(&contract), &job.unawaited).whole {
                wrong.push(format!("a check that nobody waits for holds others back:\n{whole}"));
            }
            for (later, firsts) in &job.after {
                let first = |task: &TaskId| played.starts[task];
                let begins = contract.tasks_of(later).iter().map(first).min();
                let earliest = |(name, when): &(String, When)| {
                    let slow = *when == When::Ready && job.probed.contains(name);
                    let wait = if slow { SLOW } else { 1 };
                    contract.tasks_of(name).iter().map(|task| first(task) + wait).max()
                };
                if firsts.iter().filter_map(earliest).max() > begins {
                    wrong.push(format!("`{later}` starts before those that it follows:\n{whole}"));
                }
            }
            continue;
        }
        let ours = errors.iter().all(|error| error.message.contains("waits for the addresses of"));
        let told: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert!(ours && !errors.is_empty() && waits, "{told:#?}\n{whole}");
        refused += 1;
        // Compiles the same job without `start timeout`, so that its shims do not wait for peers.
        let (errors, lowered) = compiled(&text.replace("START", ""));
        assert!(errors.is_empty(), "{text}");
        let lowered = lowered.unwrap();
        let contract = lowered.contract.as_ref().unwrap().0.clone();
        if play(&apps(&lowered, &contract), &contract, true, &job.after, &nobody).whole {
            wrong.push(format!("refused, and starts:\n{whole}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {accepted} and {refused}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    assert!(accepted > able::share(800) && refused > able::share(30), "{accepted} and {refused}");
}

/// The start order takes account of a patch that adds or removes a health check.
#[test]
fn a_patch_of_the_health_checks_counts() {
    for (ready, patch, accepted) in [
        ("ready http=\"web/health\"", "", false),
        ("ready http=\"web/health\"", "healthChecks: []", true),
        ("ready tcp=\"rendezvous\"", "", true),
        ("ready tcp=\"rendezvous\"", "healthChecks: [{protocol: MESOS_HTTP, portIndex: 0}]", false),
        ("", "healthChecks: [{protocol: MESOS_HTTP, portIndex: 1}]", false),
        ("", "healthChecks: [{protocol: MESOS_TCP, portIndex: 1}]", false),
        ("", "healthChecks: [{protocol: MESOS_TCP, port: 2222}]", true),
        ("", "healthChecks: [{protocol: COMMAND, command: {value: 'true'}}]", true),
        ("", "readinessChecks: [{name: up}]", false),
        ("", "", true),
    ] {
        let text = format!(
            r#"job "j" {{
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/j:1.0"
    run "a"
    network "dcos"
    resources cpus=1 memory="1GiB"
    start timeout="5m"
    role "chief" {{ port "web" 8000; {ready}; target "dcos" {{ patch "{patch}" }} }}
    role "worker" count=2 {{ after "chief" }}
    target "dcos" {{ version "2.1"; shim url="https://f.example.com/shim" }}
}}
"#
        );
        let text = text.replace("; ; ", "; ").replace("; target \"dcos\" { patch \"\" }", "");
        let (errors, lowered) = compiled(&text);
        let told: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(lowered.is_some(), accepted, "{told:#?}\n{text}");
        assert!(told.iter().all(|told| told.contains("waits for the addresses of `worker`")), "{told:#?}");
    }
}
