//! Steps that the user runs to submit the job and to clean up, in order.
use super::Draft;
use tfjob_lang::lowered::{Phase, Step, Word};

const JOB: Word = Word::file("job.yaml");
const AROUND: Word = Word::file("around.yaml");

impl Draft<'_> {
    /// Returns the steps. `kubectl create` submits the job. `kubectl apply` would report success for a finished job without
    /// running it again. `own`: a step that the kind of job adds before the submission.
    pub fn steps(&self, around: bool, own: Option<Step>) -> Vec<Step> {
        let (namespace, shim) = (self.context.options.namespace(), self.shim_name());
        let mut steps = Vec::new();
        let carried = self.shim && self.context.options.shim.is_none();
        if carried || around {
            // This dry run fails if a job of this name exists. It comes first, because later steps replace ConfigMaps that such a
            // job uses.
            let try_it = ["kubectl", "create", "--dry-run=server", "--filename"];
            let why = "fails if a job of this name exists, so that objects of a running job are not replaced";
            steps.push(Step::new(Phase::Before, &try_it, why).with([JOB]));
        }
        if carried {
            let kubectl = ["kubectl", "--namespace", namespace];
            let delete = ["delete", "configmap", &shim, "--ignore-not-found"];
            steps.push(Step::new(
                Phase::Before,
                &[&kubectl[..], &delete].concat(),
                "deletes the shim ConfigMap of an earlier run",
            ));
            let create = ["create", "configmap", &shim, "--from-file=tfjob-shim"];
            steps.push(Step::new(
                Phase::Before,
                &[&kubectl[..], &create].concat(),
                "uploads the shim, which the pods mount",
            ));
        }
        if !self.secrets.is_empty() {
            let get = ["kubectl", "--namespace", namespace, "get", "secret"];
            let names = self.secrets.iter().map(|name| Word::from(name.as_str()));
            let why = "shows whether the Secrets of the job exist; create a missing one with `kubectl create secret`";
            steps.push(Step::new(Phase::Before, &get, why).with(names));
        }
        steps.extend(own);
        if around {
            let apply = ["kubectl", "apply", "--server-side", "--filename"];
            let why = "creates the other objects of the job, such as ConfigMaps and Services";
            steps.push(Step::new(Phase::Before, &apply, why).with([AROUND]));
        }
        let create = ["kubectl", "create", "--filename"];
        steps.push(Step::new(Phase::Submit, &create, "submits the job").with([JOB]));
        let delete = ["kubectl", "delete", "--ignore-not-found", "--filename"];
        let also = around.then(|| [Word::from("--filename"), AROUND]);
        let delete = Step::new(Phase::After, &delete, "deletes the job and its other objects");
        steps.push(delete.with([JOB].into_iter().chain(also.into_iter().flatten())));
        if carried {
            let words =
                ["kubectl", "--namespace", namespace, "delete", "configmap", &shim, "--ignore-not-found"];
            steps.push(Step::new(Phase::After, &words, "deletes the shim ConfigMap"));
        }
        steps
    }
}
