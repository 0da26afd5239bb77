//! Steps that the user runs to submit the job and to clean up, in order.
use super::Draft;
use crate::pod::shim;
use tfjob_lang::lowered::{Artifact, Phase, Step, Word};

impl Draft<'_> {
    /// Returns the steps. `artifacts`: the file of the job first, then the files of the other objects. `own`: an additional step
    /// before the submission, which only some kinds of job need. The job is submitted by `kubectl create`, because `kubectl apply`
    /// would report success for a finished job without running it.
    pub fn steps(&self, artifacts: &[Artifact], own: Option<Step>) -> Vec<Step> {
        let mut files = artifacts.iter().map(|artifact| Word::made(artifact.path.clone()));
        let (job, others): (Vec<Word>, Vec<Word>) = (files.by_ref().take(1).collect(), files.collect());
        let mut steps = Vec::new();
        let carried = self.carries_shim();
        if carried || !others.is_empty() {
            // The first step is a dry run, which fails if a job of this name exists. Later steps would replace ConfigMaps that the
            // existing job may use.
            let try_it = ["kubectl", "create", "--dry-run=server"];
            let why =
                "checks that no job of this name exists, so that objects of a running job are not replaced";
            steps.push(Step::new(Phase::Before, &try_it, why).with(named(&job)));
        }
        let apply = ["kubectl", "apply", "--server-side"];
        if carried {
            let path = shim::path(self.context.options.namespace());
            let why = "creates the ConfigMap with the shim, which the jobs of this namespace share; it stays when a job is deleted";
            steps.push(Step::new(Phase::Before, &apply, why).with(named(&[Word::Shared { path }])));
        }
        steps.extend(self.secrets.iter().map(|name| self.secret(name)));
        steps.extend(own);
        if !others.is_empty() {
            let why = "creates the other objects of the job, such as ConfigMaps and Services";
            steps.push(Step::new(Phase::Before, &apply, why).with(named(&others)));
        }
        steps.push(Step::new(Phase::Submit, &["kubectl", "create"], "submits the job").with(named(&job)));
        let delete = ["kubectl", "delete", "--ignore-not-found"];
        let why = match &self.board {
            Some(_) => "deletes the job and its other objects; TensorBoard runs until then",
            None => "deletes the job and its other objects",
        };
        let delete = Step::new(Phase::After, &delete, why);
        steps.push(delete.with(named(&job)).with(named(&others)));
        steps.extend(self.observations());
        steps
    }

    /// Returns the step that checks whether a Secret exists. The step is skipped if the user has no right to read Secrets, which is
    /// often the case even for users who may create jobs.
    fn secret(&self, name: &str) -> Step {
        let get = ["kubectl", "--namespace", self.context.options.namespace(), "get", "secret", name];
        let why = "checks that this Secret of the job exists; create it with `kubectl create secret`";
        let reason =
            "this user may not read Secrets; if the Secret does not exist, the containers wait for it";
        Step::new(Phase::Before, &get, why).skip_if(&get, "(Forbidden)", reason)
    }

    /// Returns the steps that show the state and the logs of the job.
    fn observations(&self) -> [Step; 4] {
        let (kind, name) = (self.context.kind, self.context.object.as_str());
        let resource = kind.name.to_ascii_lowercase();
        let selector = format!("{}={name}", kind.labels[0]);
        let events = format!("involvedObject.name={name}");
        let step = |phase, words: &[&str], why| {
            let namespace = ["kubectl", "--namespace", self.context.options.namespace()];
            Step::new(phase, &[&namespace, words].concat(), why)
        };
        // Without `--ignore-errors`, the command stops at the first container that has not started yet, and shows no logs of later
        // Pods.
        let logs = ["--prefix", "--all-containers", "--tail=-1", "--ignore-errors"];
        [
            step(Phase::Status, &["get", &resource, name], "shows the state of the job"),
            step(
                Phase::Status,
                &["get", "pods", "--selector", &selector, "--output", "wide"],
                "shows the Pods of the job and their nodes",
            ),
            step(
                Phase::Status,
                &["get", "events", "--field-selector", &events],
                "shows the events of the job, such as why the operator cannot create Pods",
            ),
            step(
                Phase::Logs,
                &[&["logs", "--selector", &selector][..], &logs].concat(),
                "shows the output of all containers that have started",
            ),
        ]
    }

    /// Returns whether the Pods get the shim from its ConfigMap.
    pub(super) fn carries_shim(&self) -> bool {
        self.shim && self.context.options.shim.is_none() && self.context.options.shim_image.is_none()
    }
}

/// Returns the arguments of `kubectl` for these files.
fn named(files: &[Word]) -> Vec<Word> {
    files.iter().flat_map(|file| [Word::from("--filename"), file.clone()]).collect()
}
