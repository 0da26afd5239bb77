//! Environment, command, and working directory of one task, for `tfjob show`.
use super::Yarn;
use super::lower::command::KEPT_IN;
use super::lower::component::Draft;
use super::lower::layout::Layout;
use super::lower::write;
use super::mechanism::Mechanism;
use super::variables::{HOME, INDEX, USER};
use crate::contract_builder::{self, ContractBuilder};
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::{KEPT, Piece, SUBMISSION, Value};
use tfjob_lang::lowered::{TaskView, reference};
use tfjob_lang::plan::RoleId;
use tfjob_lang::target::Accepted;

/// Returns environment, command, and working directory of one task. `$NAME` stands for a value that only the cluster knows.
pub fn view(job: &Accepted<'_, Yarn>, role: RoleId, index: u32) -> TaskView {
    let layout = Layout::of(job);
    let mut writer = write(job, &layout);
    let name = &job.plan.roles[role].name.value;
    let draft = &writer.roles[role];
    let mut platform = platform(job, draft);
    if writer.patched() {
        platform.extend(patched(job, role));
    }
    if let Some(value) = platform.get_mut(INDEX) {
        *value = index.to_string();
    }
    if draft.command.submission {
        platform.insert(SUBMISSION.to_owned(), "<application>".to_owned());
    }
    if draft.command.kept {
        platform.insert(KEPT.to_owned(), format!("{}/{KEPT_IN}", reference("$WORK_DIR")));
    }
    if let Some(value) = platform.get_mut(USER) {
        *value = reference("$USER");
    }
    if let Some((contract, _)) = writer.builder.take().map(ContractBuilder::done) {
        return contract_builder::view(&contract, platform, name, index);
    }
    let command = &writer.roles[role].command;
    platform.extend(command.exports.iter().map(|(name, value)| (name.clone(), shown(value))));
    TaskView {
        env: platform,
        argv: command.argv.iter().map(shown).collect(),
        workdir: command.workdir.as_ref().map(shown),
        rendezvous: "none: the job has one task".to_owned(),
        fault: None,
    }
}

/// Returns the environment variables that YARN sets in every container, and those of the Yarnfile.
fn platform(job: &Accepted<'_, Yarn>, draft: &Draft) -> BTreeMap<String, String> {
    let user = job.site.job.user.as_ref().map_or_else(|| reference("$USER"), |user| user.value.to_string());
    let mut env: BTreeMap<String, String> = [
        ("LANG", "en_US.UTF-8".to_owned()),
        ("LANGUAGE", "en_US.UTF-8".to_owned()),
        ("LC_ALL", "en_US.UTF-8".to_owned()),
        ("USER", user.clone()),
        ("LOGNAME", user),
        (HOME, reference("$WORK_DIR")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let stated = draft.env.iter().chain(&draft.runtime);
    env.extend(stated.map(|(name, value)| (name.clone(), value.0.clone())));
    env
}

/// Returns the environment variables that patches set. A variable of the component overrides that of the service, as in YARN.
fn patched(job: &Accepted<'_, Yarn>, role: RoleId) -> BTreeMap<String, String> {
    let Some(document) = job.lowered(&Yarn).artifacts.first().and_then(|artifact| artifact.documents.first())
    else {
        return BTreeMap::new();
    };
    let by_patch: BTreeSet<_> = job
        .mechanisms()
        .filter(|(_, mechanism)| matches!(mechanism, Mechanism::Patch { .. }))
        .map(|(at, _)| at)
        .collect();
    let places = ["/configuration/env".to_owned(), format!("/components/{role}/configuration/env")];
    let variables = places.iter().flat_map(|place| {
        let map = document.value.pointer(place).and_then(serde_json::Value::as_object);
        map.into_iter().flatten().map(move |(name, value)| (format!("{place}/{name}"), name, value))
    });
    let patched =
        variables.filter(|(at, ..)| document.origins.blame(at).is_some_and(|at| by_patch.contains(&at)));
    patched.map(|(_, name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned())).collect()
}

fn shown(value: &Value) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Env(name) => reference(&format!("${name}")),
        // These pieces do not occur here: only the shim inserts values that depend on the task.
        Piece::Index | Piece::Address | Piece::Addresses(_) | Piece::Port(_) | Piece::Done => String::new(),
    };
    value.iter().map(text).collect()
}
