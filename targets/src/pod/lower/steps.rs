//! What a person or a pipeline runs, in order.
use super::Draft;
use tfjob_lang::lowered::{Phase, Step, Word};

const JOB: Word = Word::file("job.yaml");
const AROUND: Word = Word::file("around.yaml");

impl Draft<'_> {
    /// `create` and not `apply`: a job that has ended is not run again by applying it, and nothing would say so. `own`: a step
    /// that the kind adds before the job is submitted.
    pub fn steps(&self, around: bool, own: Option<Step>) -> Vec<Step> {
        let (namespace, shim) = (self.context.options.namespace(), self.shim_name());
        let mut steps = Vec::new();
        let carried = self.shim && self.context.options.shim.is_none();
        if carried || around {
            // Pods that are made anew, and ConfigMaps that are mounted, would get what is written here.
            let try_it = ["kubectl", "create", "--dry-run=server", "--filename"];
            let why = "fails where a job of this name is there, before anything that it uses is replaced";
            steps.push(Step::new(Phase::Before, &try_it, why).with([JOB]));
        }
        if carried {
            let kubectl = ["kubectl", "--namespace", namespace];
            let delete = ["delete", "configmap", &shim, "--ignore-not-found"];
            steps.push(Step::new(
                Phase::Before,
                &[&kubectl[..], &delete].concat(),
                "removes the shim of an earlier run",
            ));
            let create = ["create", "configmap", &shim, "--from-file=tfjob-shim"];
            steps.push(Step::new(
                Phase::Before,
                &[&kubectl[..], &create].concat(),
                "carries the shim to the Pods: `tfjob-shim` of this release, or made by `cargo build --profile shim -p tfjob-shim --target x86_64-unknown-linux-musl`",
            ));
        }
        if !self.secrets.is_empty() {
            let get = ["kubectl", "--namespace", namespace, "get", "secret"];
            let names = self.secrets.iter().map(|name| Word::from(name.as_str()));
            let why = "shows whether the Secrets that the job names exist: create a missing one with `kubectl create secret`";
            steps.push(Step::new(Phase::Before, &get, why).with(names));
        }
        steps.extend(own);
        if around {
            let apply = ["kubectl", "apply", "--server-side", "--filename"];
            let why = "makes what the job needs and what stands beside it";
            steps.push(Step::new(Phase::Before, &apply, why).with([AROUND]));
        }
        let create = ["kubectl", "create", "--filename"];
        steps.push(Step::new(Phase::Submit, &create, "submits the job").with([JOB]));
        let delete = ["kubectl", "delete", "--ignore-not-found", "--filename"];
        let also = around.then(|| [Word::from("--filename"), AROUND]);
        let delete = Step::new(Phase::After, &delete, "removes the job and what stands beside it");
        steps.push(delete.with([JOB].into_iter().chain(also.into_iter().flatten())));
        if carried {
            let words =
                ["kubectl", "--namespace", namespace, "delete", "configmap", &shim, "--ignore-not-found"];
            steps.push(Step::new(Phase::After, &words, "removes the shim"));
        }
        steps
    }
}
