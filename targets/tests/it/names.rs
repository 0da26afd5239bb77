//! Meaning of role names. Only the framework decides what a role name means, in the language, in the contract, and on every
//! target. In a framework without role names, no name has a meaning.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use std::collections::BTreeSet;
use tfjob_contract::{Contract, FrameworkName, RoleKind, Success};
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

const FREE: [&str; 2] = ["custom", "caffe"];
const SUCCESS: [Option<(&str, Success)>; 4] =
    [None, Some(("chief", Success::Chief)), Some(("workers", Success::Workers)), Some(("all", Success::All))];

/// Returns the role names that have a meaning in any framework.
fn names() -> BTreeSet<&'static str> {
    FrameworkName::ALL.iter().flat_map(|name| name.roles()).map(|kind| kind.keyword()).collect()
}

/// Returns a name that has no meaning in any framework, with the same length and the same position in sorted lists.
fn unknown(name: &str) -> String {
    format!("{}{}", &name[..1], "q".repeat(name.len() - 1))
}

/// Returns a spec with two roles in this order. It has requirements for which every target needs the shim.
fn spec(framework: &str, success: Option<(&str, Success)>, roles: [(&str, u32); 2]) -> String {
    let success = success.map(|(word, _)| format!("success \"{word}\"")).unwrap_or_default();
    let first = roles[0].0;
    let roles = roles.map(|(name, count)| format!("role \"{name}\" count={count}"));
    format!(
        r#"job "named" {{
    framework "{framework}"
    image "ml/own:1.0"
    run "./own" "{{addresses.{first}}}" "{{port.web}}"
    resources cpus=1 memory="1GiB"
    start timeout="10m"
    port "web" 8090
    {success}
    {}
    target "yarn" {{ hadoop "3.3.6"; dns-domain "ycluster"; user "ada" }}
}}"#,
        roles.join("\n    ")
    )
}

/// Returns for each target its diagnostics and artifacts as one text, and its output if it accepts the spec.
fn compiled(text: &str) -> Vec<(&'static str, String, Option<Lowered>)> {
    let analysis = analyze(&request(text));
    let each = ALL.iter().map(|target| {
        let found = analysis.compile(*target);
        let told = analysis.diagnostics.iter().chain(&found.diagnostics);
        // In a framework without role names, this is the only diagnostic that may depend on a name: the author may have meant
        // another framework.
        let free = ["custom", "caffe"].iter().any(|name| text.contains(&format!("framework \"{name}\"")));
        let told = told.filter(|d| !free || d.code.name != "long-running-role");
        let mut all: Vec<String> =
            told.map(|d| format!("{}: {} {:?} {:?}", d.code.name, d.message, d.labels, d.help)).collect();
        let files = found.lowered.iter().flat_map(|lowered| &lowered.artifacts);
        all.extend(files.map(|file| format!("{}\n{}", file.path, file.text)));
        (target.name(), all.join("\n"), found.lowered)
    });
    each.collect()
}

#[test]
fn a_role_that_is_single_has_one_task() {
    for framework in FrameworkName::ALL {
        for name in names() {
            let kind = framework.kind_of(name);
            if kind == RoleKind::Own && !framework.takes_any_role() {
                continue;
            }
            let many = spec(framework.keyword(), None, [(name, 3), ("b", 1)]);
            let refused = compiled(&many).iter().all(|(_, told, _)| told.contains("too-many-tasks"));
            assert_eq!(kind.is_single(), refused, "{} {name}", framework.keyword());
        }
    }
}

#[test]
fn a_name_says_nothing_where_the_framework_has_none_of_its_own() {
    for (framework, success, count, name) in jobs() {
        let other = unknown(name);
        let ours = compiled(&spec(framework, success, [(name, count), ("b", 2)]));
        let theirs = compiled(&spec(framework, success, [(&other, count), ("b", 2)]));
        for ((target, ours, _), (_, theirs, _)) in ours.into_iter().zip(theirs) {
            // A TFJob has only four replica types, which are role names.
            if target != "kubernetes" {
                let theirs =
                    theirs.replace(&other, name).replace(&other.to_uppercase(), &name.to_uppercase());
                assert_eq!(ours, theirs, "{target}: {framework}, {success:?}, {count} of `{name}`");
            }
        }
    }
}

#[test]
fn what_a_target_waits_for_is_what_the_contract_says() {
    let mut waits = 0;
    for (framework, success, count, name) in jobs() {
        let mate = if name == "worker" { "chief" } else { "worker" };
        for roles in [[(name, count), (mate, 2)], [(mate, 2), (name, count)]] {
            let place = format!("{framework}, {success:?}, {roles:?}");
            for (target, told, lowered) in compiled(&spec(framework, success, roles)) {
                let Some(lowered) = lowered else { continue };
                let place = format!("{target}: {place}\n{told}");
                let (contract, _) = lowered.contract.as_ref().expect("the shim is in the job");
                contract.check().unwrap_or_else(|fault| panic!("{place}: {fault}"));
                let ends = success.map_or(Success::Workers, |(_, ends)| ends);
                let deciding: BTreeSet<(String, u32)> =
                    contract.deciding(ends).into_iter().map(|task| (task.role, task.index)).collect();
                let seen = match target {
                    "local" => Some(local(&lowered, ends)),
                    "kubernetes" => Some(kubernetes(&lowered, contract)),
                    _ => None,
                };
                assert!(seen.is_none_or(|seen| seen == deciding), "{place}\n{deciding:?}");
                waits += 1;
            }
        }
    }
    assert!(waits > 100, "{waits}");
}

/// Returns jobs of frameworks without role names.
fn jobs() -> impl Iterator<Item = (&'static str, Option<(&'static str, Success)>, u32, &'static str)> {
    let each = |framework| SUCCESS.into_iter().map(move |success| (framework, success));
    let counted = FREE.into_iter().flat_map(each).flat_map(|(f, s)| [1, 3].map(|count| (f, s, count)));
    counted.flat_map(|(f, s, count)| names().into_iter().map(move |name| (f, s, count, name)))
}

/// Returns the tasks for which `tfjob run` waits before it stops the others. Of the chief's role, this is only task 0.
fn local(lowered: &Lowered, ends: Success) -> BTreeSet<(String, u32)> {
    let file = lowered.artifacts.iter().find(|file| file.path == "job.json").unwrap();
    let job: serde_json::Value = serde_json::from_str(&file.text).unwrap();
    let roles = job["roles"].as_array().unwrap().iter().filter(|role| role["serves"] == false);
    let tasks = roles.flat_map(|role| {
        let count = if ends == Success::Chief { 1 } else { role["count"].as_u64().unwrap() };
        (0..count).map(|index| (role["name"].as_str().unwrap().to_owned(), u32::try_from(index).unwrap()))
    });
    tasks.collect()
}

/// Returns the tasks that the operator waits for, and those that the shims wait for.
fn kubernetes(lowered: &Lowered, contract: &Contract) -> BTreeSet<(String, u32)> {
    let file = lowered.artifacts.iter().find(|file| file.path == "tfjob.yaml").unwrap();
    let job: serde_json::Value = serde_saphyr::from_str(&file.text).unwrap();
    let specs = &job["spec"]["tfReplicaSpecs"];
    let role = if specs["Chief"].is_object() { "chief" } else { "worker" };
    let first = role == "worker" && job["spec"]["successPolicy"] != "AllWorkers";
    let role = contract.role_named(role).unwrap();
    let others = role.duties.iter().flat_map(|duties| &duties.outlives);
    let others = others.filter_map(|name| contract.role_named(name)).map(|role| (role, role.count));
    let all = others.chain([(role, if first { 1 } else { role.count })]);
    all.flat_map(|(role, count)| (0..count).map(|index| (role.name.clone(), index))).collect()
}
