//! What a person or a pipeline runs, in order.
use super::Draft;
use tfjob_lang::lowered::{Phase, Step};

fn step(phase: Phase, words: &[&str], why: &str) -> Step {
    Step { phase, argv: words.iter().map(|word| (*word).to_owned()).collect(), why: why.to_owned() }
}

impl Draft<'_> {
    /// `create` and not `apply`: a job that has ended is not run again by applying it, and nothing would say so.
    pub(super) fn steps(&self, around: bool) -> Vec<Step> {
        let (namespace, shim) = (self.options.namespace(), self.shim_name());
        let mut steps = Vec::new();
        let carried = self.shim && self.options.shim.is_none();
        if carried {
            let kubectl = ["kubectl", "--namespace", namespace];
            let delete = ["delete", "configmap", &shim, "--ignore-not-found"];
            steps.push(step(
                Phase::Before,
                &[&kubectl[..], &delete].concat(),
                "removes the shim of an earlier run",
            ));
            let create = ["create", "configmap", &shim, "--from-file=tfjob-shim"];
            steps.push(step(
                Phase::Before,
                &[&kubectl[..], &create].concat(),
                "carries the shim to the Pods: `tfjob-shim` of this release, or made by `cargo build --profile shim -p tfjob-shim`",
            ));
        }
        if around {
            let apply = ["kubectl", "apply", "--server-side", "--filename", "around.yaml"];
            steps.push(step(Phase::Before, &apply, "makes what the job needs and what stands beside it"));
        }
        steps.push(step(Phase::Submit, &["kubectl", "create", "--filename", "job.yaml"], "submits the job"));
        let mut delete = vec!["kubectl", "delete", "--ignore-not-found", "--filename", "job.yaml"];
        if around {
            delete.extend(["--filename", "around.yaml"]);
        }
        steps.push(step(Phase::After, &delete, "removes the job and what stands beside it"));
        if carried {
            let words =
                ["kubectl", "--namespace", namespace, "delete", "configmap", &shim, "--ignore-not-found"];
            steps.push(step(Phase::After, &words, "removes the shim"));
        }
        steps
    }
}
