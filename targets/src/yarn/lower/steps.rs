//! Steps that set up, submit, and clean up a job, in order.
use super::FILE;
use super::layout::Layout;
use crate::application;
use crate::yarn::Yarn;
use crate::yarn::mechanism::Mechanism;
use crate::yarn::support::storage::{SHIM, upload};
use tfjob_lang::lowered::{ALREADY_DONE, Phase, Step, Word};
use tfjob_lang::target::Accepted;

/// Returns all steps of a job. `setup`: the steps that mechanisms need.
pub fn all(job: &Accepted<'_, Yarn>, layout: &Layout, setup: Vec<Step>) -> Vec<Step> {
    let (name, folder) = (&job.plan.name.value, upload::folder(&job.plan.name.value));
    // Steps that do not use the file system of the cluster come first. If one of them fails, no step has changed the cluster yet.
    let (remote, mut steps): (Vec<Step>, Vec<Step>) = setup.into_iter().partition(is_remote);
    if layout.uploads {
        // The second `-mkdir` fails if the upload directory of the job exists. This is intended: a running job reads its uploads
        // whenever a container starts, so its uploads must not be replaced.
        steps.push(Step::new(
            Phase::Before,
            &["hdfs", "dfs", "-mkdir", "-p", upload::FOLDER],
            "creates the upload directory of all jobs",
        ));
        steps.push(Step::new(
            Phase::Before,
            &["hdfs", "dfs", "-mkdir", &folder],
            format!(
                "creates the upload directory of the job; fails if it exists, so that files of a running job are not replaced; after a failed submission, first run `hdfs dfs -rm -r -f {folder}`"
            ),
        ));
    }
    if layout.shim && job.site.job.shim.is_none() {
        let put = ["hdfs", "dfs", "-put", "-f", SHIM, &layout.shim_file];
        let why = "uploads the shim, which YARN copies into the containers";
        steps.push(Step::new(Phase::Before, &put, why).in_spec_directory());
    }
    steps.extend(remote);
    steps.push(if layout.posted {
        posted(job)
    } else {
        Step::new(Phase::Submit, &["yarn", "app", "-launch", name], "submits the service")
            .with([Word::file(FILE)])
    });
    let why = "removes the service; until then its name cannot be reused, even if the job has finished";
    let destroy = Step::new(Phase::After, &["yarn", "app", "-destroy", name], why);
    // `-destroy` fails if the service does not exist, but `-status` succeeds and says so (`ApiServiceClient`).
    let absent = format!("Service {name} not found");
    steps.push(destroy.skip_if(&["yarn", "app", "-status", name], absent, ALREADY_DONE));
    if layout.uploads {
        steps.push(Step::new(
            Phase::After,
            &["hdfs", "dfs", "-rm", "-r", "-f", &folder],
            "deletes the uploads of the job",
        ));
    }
    let why = "shows the service, its components, and their containers as JSON";
    steps.push(Step::new(Phase::Status, &["yarn", "app", "-status", name], why));
    steps.extend(application::steps(name, "yarn-service"));
    steps
}

/// Returns whether a step uses the file system of the cluster.
fn is_remote(step: &Step) -> bool {
    step.words("", "").first().is_some_and(|program| matches!(program.as_str(), "hdfs" | "hadoop"))
}

/// Returns the step that posts a service with placement constraints to the REST API. `yarn app -launch` does not work for such a
/// service: the command writes the scope of a constraint in a form that the server refuses.
fn posted(job: &Accepted<'_, Yarn>) -> Step {
    let manager =
        job.site.job.resource_manager.as_ref().map_or("", |address| address.value.trim_end_matches('/'));
    let kerberos = job.mechanisms().any(|(_, mechanism)| matches!(mechanism, Mechanism::Kerberos { .. }));
    let why =
        "submits the service to the REST API, because `yarn app -launch` cannot send placement constraints";
    let curl = ["curl", "--fail-with-body", "--silent", "--show-error"];
    let mut step = Step::new(Phase::Submit, &curl, why);
    let mut address = format!("{manager}/app/v1/services");
    if kerberos {
        step = step.with(["--negotiate", "--user", ":"].map(Word::from));
    } else if let Some(user) = &job.site.job.user {
        address = format!("{address}?user.name={}", user.value.as_str());
    }
    let content = ["--header", "Content-Type: application/json", "--data-binary"].map(Word::from);
    step.with(content).with([Word::File { before: "@", path: FILE.into() }, address.into()])
}
