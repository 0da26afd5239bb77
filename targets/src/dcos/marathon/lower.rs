//! Lowering of mechanisms to `marathon.json`, and the commands that add and remove the group.
pub mod app;
mod board;
pub mod command;
pub mod draft;
pub mod group;

use super::mechanism::Mechanism;
use super::schema::Group;
use crate::dcos::Dcos;
use crate::dcos::document::json_file;
use crate::shim_source::ShimSource;
use app::Written;
use draft::Draft;
use group::Job;
use std::collections::BTreeSet;
use tfjob_lang::lowered::{ALREADY_DONE, Lowered, Phase, Step, TracedContract, Word};
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::plan::RoleId;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Accepted;

/// Returns three things: the group of apps, the parts of the app commands (each with the span in the spec that sets it), and the
/// role of each app (`None` for TensorBoard).
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

/// Returns the artifact with the group, the steps that add and remove it, and the contract of the job.
pub fn lower<'a>(
    accepted: &Accepted<'_, Dcos>,
    mechanisms: impl Iterator<Item = (Span, &'a Mechanism)>,
) -> Lowered {
    let site = accepted.site;
    let draft = Draft::read(accepted.plan, mechanisms);
    let job = Job::new(&draft, site);
    let (group, marks, roles) = group(&job);
    let mut document = Document::new(&group);
    document.origins.0.extend(marks);
    document.origins.0.extend(site.job.group.iter().map(|folder| ("/id/group".to_owned(), folder.span)));
    let attribute = site.job.gpu_model_attribute.iter().map(|a| ("/apps/gpu-model".to_owned(), a.span));
    document.origins.0.extend(attribute);
    draft.patches.apply(&mut document, |role| {
        let apps = roles.iter().enumerate().filter(|(_, other)| **other == Some(role));
        apps.map(|(number, _)| format!("/apps/{number}")).collect()
    });
    let mut lowered = Lowered {
        artifacts: vec![json_file("marathon.json", document)],
        steps: steps(&job.group, &hadoop_schemes(&group)),
        inherent: draft.inherent.clone(),
        ..Lowered::default()
    };
    let selectors = site.job.r#as.iter().map(|o| o.span).chain(site.job.version.iter().map(|o| o.span));
    for at in selectors.chain(site.job.enterprise.iter().map(|o| o.span)) {
        lowered.inherent.insert(at, "it selects the form or version of the output".to_owned());
    }
    if job.shim.is_some() {
        lowered.contract = Some((job.contract, job.origins));
    } else if let Some(shim) = ShimSource::url(site.job.shim.as_ref()) {
        lowered.inherent.insert(shim.span, "no task of this job needs the shim".to_owned());
    }
    lowered
}

/// Returns the contract of the shim, if the job needs the shim.
pub fn contract<'a>(
    accepted: &Accepted<'_, Dcos>,
    mechanisms: impl Iterator<Item = (Span, &'a Mechanism)>,
) -> Option<TracedContract> {
    let draft = Draft::read(accepted.plan, mechanisms);
    let Job { shim, contract, origins, .. } = Job::new(&draft, accepted.site);
    shim.map(|_| (contract, origins))
}

/// Returns the URI schemes in the group for which Mesos downloads files with the Hadoop client of the agent (`fetcher.cpp`).
fn hadoop_schemes(group: &Group) -> Vec<String> {
    let uris = group.apps.iter().flat_map(|app| &app.fetch).map(|artifact| artifact.uri.0.as_str());
    let schemes = uris.filter_map(|uri| uri.split_once(':').map(|(scheme, _)| scheme));
    let delegated = schemes.filter(|scheme| !["file", "ftp", "ftps", "http", "https"].contains(scheme));
    delegated.map(|scheme| format!("`{scheme}:`")).collect::<BTreeSet<_>>().into_iter().collect()
}

fn steps(group: &str, hadoop_schemes: &[String]) -> Vec<Step> {
    let mut why = "creates the group; Marathon starts its apps".to_owned();
    if !hadoop_schemes.is_empty() {
        why.push_str(&format!(
            "; each agent fetches {} with its own Hadoop client, which must be installed there",
            hadoop_schemes.join(" and ")
        ));
    }
    let add = Step::new(Phase::Submit, &["dcos", "marathon", "group", "add"], why);
    // A deployment that still waits for an app locks the group (`AppLockedException`). `--force` cancels this deployment, so that
    // the group can be removed.
    let remove = ["dcos", "marathon", "group", "remove", "--force", group];
    let why = "removes the apps, which remain after their programs have exited";
    let show = ["dcos", "marathon", "group", "show", group];
    let remove = Step::new(Phase::After, &remove, why);
    let mut steps = vec![
        add.with([Word::file("marathon.json")]),
        remove.skip_if(&show, format!("Group '{group}' does not exist"), ALREADY_DONE),
        Step::new(
            Phase::Status,
            &show,
            "shows the apps of the group as JSON: running tasks, deployments, last failures",
        ),
    ];
    steps.extend(logs(group));
    // `dcos` reads the group from standard input. The update (`PUT /v2/groups`) restarts only the apps that have changed.
    let update = ["sh", "-c", r#"dcos marathon group update --force "$1" <"$2""#, "sh", group];
    let why = "replaces the group: Marathon stops the tasks of each changed app and starts new ones";
    steps.push(Step::new(Phase::Update, &update, why).with([Word::file("marathon.json")]));
    steps
}

/// Returns the steps that show the output of the tasks. The ID of a task begins with the path of its app, with `_` for each `/`.
fn logs(group: &str) -> [Step; 2] {
    let tasks = format!("{}_", group.trim_start_matches('/').replace('/', "_"));
    [
        ("stdout", "shows the standard output of all tasks"),
        ("stderr", "shows the standard error of all tasks"),
    ]
    .map(|(file, why)| {
        let log = ["dcos", "task", "log", "--completed", "--lines=1000000", &tasks, file];
        Step::new(Phase::Logs, &log, why)
    })
}
