//! From means to `marathon.json`, and the commands around it.
use super::Means;
use super::app::{self, Written};
use super::board;
use super::command::Task;
use super::draft::Draft;
use super::group::{CONTRACT, Job};
use super::shape::{EnvValue, Group};
use crate::carry::view as shim_view;
use crate::dcos::Dcos;
use crate::dcos::document::json_file;
use crate::libhdfs::JARS;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::LONGEST_TEXT as LONGEST;
use tfjob_contract::{Piece, Run, too_long as longer_than_passed, variable};
use tfjob_lang::lowered::{Lowered, Phase, Step, TaskView, TracedContract, Word, reference};
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::target::length::{self, Judged};
use tfjob_lang::target::{Accepted, Site};

/// The most bytes that a byte of the user's becomes: JSON's `\u001f` in base64.
const GROWTH: usize = 8;
/// Bytes of what is written around the user's words, at most.
const FRAME: usize = 32 << 10;

/// The group of apps, and the words behind parts of their commands.
fn group(job: &Job<'_>) -> (Group, Vec<(String, Span)>, Vec<Option<RoleId>>) {
    let (mut apps, mut marks, mut roles) = (Vec::new(), Vec::new(), Vec::new());
    for (id, role) in job.draft.plan.roles.iter().enumerate() {
        for index in 0..role.count.value {
            let Written { app, marks: below } = app::write(job, id, index);
            marks.extend(below.into_iter().map(|(at, span)| (format!("/apps/{}{at}", apps.len()), span)));
            apps.push(app);
            roles.push(Some(id));
        }
    }
    if let Some(tensorboard) = &job.draft.board {
        apps.push(board::write(job, tensorboard));
        roles.push(None);
    }
    (Group { id: Traced(job.group.clone(), job.draft.name), apps }, marks, roles)
}

/// What keeps Linux from starting the tasks: texts that are longer than it passes to a process.
pub(in crate::dcos) fn too_long<'a>(
    plan: &Plan,
    site: &Site<Dcos>,
    means: impl Iterator<Item = (Span, &'a Means)>,
) -> Vec<(Span, String)> {
    // Most jobs are far from it, and need not be written for it.
    if FRAME + GROWTH * (plan.bytes + length::at_most(plan)) < LONGEST {
        return Vec::new();
    }
    let draft = Draft::read(plan, means);
    let job = Job::new(&draft, site);
    // One task of each role: the others' texts differ by an index.
    length::each_once(plan, |id| {
        let role = &plan.roles[id];
        let last = role.count.value.saturating_sub(1);
        let app = app::write(&job, id, last).app;
        let contract = app.env.get(CONTRACT).map_or(0, |Traced(value, _)| match value {
            EnvValue::Text(text) => text.len() + CONTRACT.len() + 1,
            EnvValue::Secret { .. } => 0,
        });
        let texts = [(app.cmd.1, "command", app.cmd.0.len()), (role.name.span, "contract", contract)];
        let over = texts.iter().filter(|(_, _, length)| *length > LONGEST).map(|(at, what, length)| {
            (*at, longer_than_passed(&format!("the {what} of a task"), *length).to_string())
        });
        let mut found: Vec<_> = over.collect();
        let mut longest = texts.iter().map(|(_, _, length)| *length).max().unwrap_or(0);
        match app::rendered(&job.contract, id, last) {
            Ok(env) => {
                longest = env.iter().map(|(name, value)| name.len() + value.len()).fold(longest, usize::max)
            }
            Err(failure) => found.insert(0, (role.name.span, failure.to_string())),
        }
        Judged { longest, found }
    })
}

/// Writes the group.
pub(in crate::dcos) fn lower<'a>(
    accepted: &Accepted<'_, Dcos>,
    means: impl Iterator<Item = (Span, &'a Means)>,
) -> Lowered {
    let site = accepted.site;
    let draft = Draft::read(accepted.plan, means);
    let job = Job::new(&draft, site);
    let (group, marks, roles) = group(&job);
    let mut document = Document::new(&group);
    document.origins.0.extend(marks);
    document.origins.0.extend(site.job.group.iter().map(|folder| ("/id/group".to_owned(), folder.span)));
    let attribute = site.job.gpu_model_attribute.iter().map(|a| ("/apps/gpu-model".to_owned(), a.span));
    document.origins.0.extend(attribute);
    draft.patches.apply(&mut document, |role| {
        let own = roles.iter().enumerate().filter(|(_, other)| **other == Some(role));
        own.map(|(number, _)| format!("/apps/{number}")).collect()
    });
    let mut lowered = Lowered {
        artefacts: vec![json_file("marathon.json", document)],
        steps: steps(&job.group, &unfetched(&group)),
        inherent: draft.inherent.clone(),
        contract: None,
    };
    let decide = site.job.r#as.iter().map(|o| o.span).chain(site.job.version.iter().map(|o| o.span));
    for at in decide.chain(site.job.enterprise.iter().map(|o| o.span)) {
        lowered.inherent.insert(at, "it decides what is written".to_owned());
    }
    if job.shim.is_some() {
        lowered.contract = Some((job.contract, job.origins));
    } else if let Some(shim) = &site.job.shim {
        lowered.inherent.insert(shim.span, "no task of this job needs the shim".to_owned());
    }
    lowered
}

/// The shim's contract, where the job needs the shim.
pub(in crate::dcos) fn contract<'a>(
    accepted: &Accepted<'_, Dcos>,
    means: impl Iterator<Item = (Span, &'a Means)>,
) -> Option<TracedContract> {
    let draft = Draft::read(accepted.plan, means);
    let Job { shim, contract, origins, .. } = Job::new(&draft, accepted.site);
    shim.map(|_| (contract, origins))
}

/// The schemes that Mesos hands to Hadoop's client, which it does not bring (`fetcher.cpp`).
fn unfetched(group: &Group) -> Vec<String> {
    let uris = group.apps.iter().flat_map(|app| &app.fetch).map(|artifact| artifact.uri.0.as_str());
    let schemes = uris.filter_map(|uri| uri.split_once(':').map(|(scheme, _)| scheme));
    let handed = schemes.filter(|scheme| !["file", "ftp", "ftps", "http", "https"].contains(scheme));
    handed.map(|scheme| format!("`{scheme}:`")).collect::<BTreeSet<_>>().into_iter().collect()
}

fn steps(group: &str, unfetched: &[String]) -> Vec<Step> {
    let mut why = "Marathon starts the apps".to_owned();
    if !unfetched.is_empty() {
        why.push_str(&format!(
            "; each agent fetches {} with its own Hadoop client, which must be installed there",
            unfetched.join(" and ")
        ));
    }
    let add = Step::new(Phase::Submit, &["dcos", "marathon", "group", "add"], why);
    // A deployment that waits for an app locks the group (`AppLockedException`); this ends it too.
    let remove = ["dcos", "marathon", "group", "remove", "--force", group];
    vec![
        add.with([Word::file("marathon.json")]),
        Step::new(Phase::After, &remove, "the apps stay after their programs until then"),
    ]
}

/// What one task sees.
pub(in crate::dcos) fn view<'a>(
    accepted: &Accepted<'_, Dcos>,
    means: impl Iterator<Item = (Span, &'a Means)>,
    role: RoleId,
    index: u32,
) -> TaskView {
    let draft = Draft::read(accepted.plan, means);
    let job = Job::new(&draft, accepted.site);
    let app = app::write(&job, role, index).app;
    let mut env = BTreeMap::from([
        ("MARATHON_APP_ID".to_owned(), app.id.0.clone()),
        (super::fetch::SANDBOX.to_owned(), reference("${MESOS_SANDBOX}")),
    ]);
    for (port, draft) in draft.roles[role].ports.iter().enumerate() {
        let number = draft.number.map_or_else(|| reference(&format!("${{PORT{port}}}")), |n| n.to_string());
        env.insert(format!("PORT{port}"), number);
    }
    let mut given = BTreeSet::new();
    for (name, Traced(value, _)) in app.env {
        given.insert(name.clone());
        let text = match value {
            EnvValue::Text(text) => text,
            EnvValue::Secret { secret } => format!("<secret {secret}>"),
        };
        env.insert(name, text);
    }
    let contract = &job.contract.roles[role];
    let host = job.host(role, index);
    let addresses = |name: &str| job.addresses(name);
    let port = |name: &str| job.port_variable(role, name);
    let facts = Task { index, host: &host, addresses: &addresses, port: &port };
    for picked in accepted.plan.roles[role].ports.iter().filter(|port| port.number.is_none()) {
        let number = facts.shown(&vec![Piece::Port(picked.name.value.clone())]);
        env.insert(variable(&["port", &picked.name.value]), number);
    }
    if job.shim.is_some() {
        return shim_view(&job.contract, env, &contract.name, index);
    }
    for (name, value) in &contract.env {
        if !env.contains_key(name) {
            env.insert(name.clone(), facts.shown(value));
        }
    }
    for (name, value) in hadoop_variables(&job, role, index) {
        // The command adds to what the app has.
        let before = format!("${{{name}}}");
        match env.get(&name).filter(|_| given.contains(&name)) {
            Some(own) => {
                let whole = value.replace(&before, own);
                env.insert(name, whole);
            }
            None => drop(env.entry(name).or_insert(value)),
        }
    }
    TaskView {
        rendezvous: if env.contains_key("TF_CONFIG") { "the app itself" } else { "nobody" }.to_owned(),
        env,
        argv: match &contract.run {
            Run::Argv(words) => words.iter().map(|word| facts.shown(word)).collect(),
            Run::Shell(text) => vec!["/bin/sh".to_owned(), "-ec".to_owned(), text.clone()],
        },
        workdir: contract.workdir.as_ref().map(|folder| facts.shown(folder)),
        fault: None,
    }
}

/// What the command sets for Hadoop, with the jars as the shell finds them.
fn hadoop_variables(job: &Job<'_>, role: RoleId, index: u32) -> Vec<(String, String)> {
    let Some(h) = &job.draft.hadoop else { return Vec::new() };
    let mut contract = job.contract.clone();
    contract.hadoop = Some(tfjob_contract::Hadoop {
        home: h.home.clone(),
        java: Some(h.java.clone()),
        conf: h.conf.clone(),
        jars: JARS.iter().map(|folder| format!("share/hadoop/{folder}")).collect(),
    });
    let without = app::rendered(&job.contract, role, index).unwrap_or_default();
    let mut with = app::rendered(&contract, role, index).unwrap_or_default();
    with.retain(|variable| !without.contains(variable));
    with
}
