//! The TFJob without its Pods: metadata, completion, and scheduling.
use super::Draft;
use crate::kubernetes::Kubernetes;
use crate::kubernetes::options::Options;
use crate::kubernetes::schema::{CleanPodPolicy, SchedulingPolicy, SuccessPolicy, TfJob, TfJobSpec};
use crate::pod::lower::{HOOK, HOOK_DELETE, HOOK_DELETED, WAVE, number, text};
use crate::pod::mechanism::{QUEUE, SPEC_DIGEST, TASK_DIGEST};
use crate::pod::schema::Metadata;
use tfjob_lang::lowered::{Phase, Step};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Target;

/// Shell script that fails if the configuration of Kueue does not list TFJobs, or lists them only in a YAML comment. Kueue may run
/// in a namespace other than `kueue-system`, so a missing configuration is no failure.
const MANAGED: &str = r#"found=$("$@" --ignore-not-found --output 'go-template={{range .data}}{{println .}}{{end}}') || exit; if [ -z "$found" ]; then echo 'unknown: the namespace kueue-system has no configuration of Kueue; unless Kueue runs in another namespace, the job starts immediately, outside its queue' >&2; elif printf '%s\n' "$found" | sed 's/#.*//' | grep -q -F kubeflow.org/tfjob; then echo 'yes: Kueue manages TFJobs'; else echo 'no: integrations.frameworks of Kueue does not contain kubeflow.org/tfjob; ask the administrator to add it' >&2; exit 1; fi"#;

/// Returns a TFJob that contains only its metadata. The mechanisms add the rest. `object`: its name.
pub fn skeleton(plan: &Plan, options: &Options, object: &str) -> TfJob {
    let name = &plan.name;
    let namespace = options.namespace.as_ref().map_or(name.span, |n| n.span);
    let mut metadata = Metadata {
        name: text(object, name.span),
        namespace: text(options.pod().namespace(), namespace),
        ..Metadata::default()
    };
    for (key, value) in &options.annotations.0 {
        metadata.annotations.insert(key.value.clone(), Traced(value.value.to_string(), value.span));
    }
    let mut annotate =
        |key: &str, value: String, at| metadata.annotations.insert(key.to_owned(), Traced(value, at));
    annotate(SPEC_DIGEST, plan.spec_digest(Kubernetes::NAME), name.span);
    annotate(TASK_DIGEST, plan.task_digest(Kubernetes::NAME), name.span);
    if let Some(argocd) = &options.argocd {
        if let Some(wave) = &argocd.value.wave {
            annotate(WAVE, wave.value.to_string(), wave.span);
        }
        if let Some(hook) = &argocd.value.hook {
            annotate(HOOK, hook.value.name().to_owned(), hook.span);
            annotate(HOOK_DELETE, HOOK_DELETED.to_owned(), hook.span);
        }
    }
    TfJob {
        api_version: text("kubeflow.org/v1", name.span),
        kind: text("TFJob", name.span),
        metadata,
        spec: TfJobSpec::default(),
    }
}

impl Draft<'_> {
    pub(super) fn success(&mut self, all_workers: bool, at: Span) {
        if all_workers {
            self.job.spec.success_policy = Some(Traced(SuccessPolicy::AllWorkers, at));
        } else {
            self.pods.inherent.insert(
                at,
                "default of the operator: the chief decides job success, or worker 0 without a chief"
                    .to_owned(),
            );
        }
    }

    pub(super) fn keep(&mut self, policy: CleanPodPolicy, ttl: Option<i64>, at: Span) {
        let run = &mut self.job.spec.run_policy;
        run.clean_pod_policy = Some(Traced(policy, at));
        run.ttl_seconds_after_finished = ttl.map(|seconds| Traced(seconds, at));
    }

    /// Sets the deadline in Pods and, if `job` is true, in the TFJob. Helpers get no deadline, because the operator stops them when
    /// the job ends.
    pub(super) fn deadline(&mut self, seconds: i64, job: bool, at: Span) {
        for pod in self.pods.pods.iter_mut().filter(|pod| !pod.helper) {
            pod.template.spec.active_deadline_seconds = number(seconds, at);
        }
        if job {
            self.job.spec.run_policy.active_deadline_seconds = number(seconds, at);
        }
    }

    /// Sets `cleanPodPolicy` in every job. Without this field, parameter servers would keep running and keep their GPUs.
    ///
    /// Without `keep`, the policy is `Running`, which keeps finished Pods and their logs. If workers continue after the chief has
    /// finished, the policy `None` replaces `Running`, so that the operator does not delete these workers.
    pub(super) fn run_policy(&mut self) {
        self.scheduling();
        let name = self.plan.name.span;
        let run = &mut self.job.spec.run_policy;
        let (required, at) = match &run.clean_pod_policy {
            Some(Traced(policy, at)) => (*policy, *at),
            None => (CleanPodPolicy::Running, self.stop.unwrap_or(name)),
        };
        let policy =
            if self.go_on && required == CleanPodPolicy::Running { CleanPodPolicy::None } else { required };
        run.clean_pod_policy = Some(Traced(policy, at));
        if let Some(stop) = self.stop.filter(|stop| *stop != at) {
            self.pods
                .inherent
                .insert(stop, "`keep` applies to finished pods; running pods are stopped".to_owned());
        }
    }

    fn scheduling(&mut self) {
        let options = self.options;
        let mut policy = SchedulingPolicy::default();
        let volcano = options.volcano();
        if let Some(at) = self.gang {
            policy.min_available = number(self.plan.tasks(), at);
        }
        if let Some(queue) = options.volcano_queue.as_ref().filter(|_| volcano) {
            policy.queue = text(queue.value.as_str(), queue.span);
        }
        if let Some(queue) = &options.local_queue {
            let value = Traced(queue.value.to_string(), queue.span);
            self.job.metadata.labels.insert(QUEUE.to_owned(), value);
        }
        if let Some(gang) = &options.gang {
            if volcano && let Some(priority) = &options.priority {
                policy.priority_class = text(priority.value.as_str(), priority.span);
            }
            let why = "the gang scheduler is a flag of the operator, not a field of the TFJob".to_owned();
            self.pods.inherent.insert(gang.span, why);
        }
        if policy != SchedulingPolicy::default() {
            self.job.spec.run_policy.scheduling_policy = Some(policy);
        }
    }

    /// Returns the command with which the user checks whether Kueue manages TFJobs. `None` if the job has no Kueue queue.
    pub(super) fn queue_step(&self) -> Option<Step> {
        self.job.metadata.labels.get(QUEUE)?;
        let get = ["kubectl", "--namespace", "kueue-system", "get", "configmap", "kueue-manager-config"];
        let why = "checks that Kueue manages TFJobs: `kubeflow.org/tfjob` must be in `integrations.frameworks`, which is off by default since Kueue 0.19; otherwise the job would start immediately, outside its queue";
        // If the user has no right to read the namespace of Kueue, the step is skipped and prints `reason`. Users often do not have
        // this right.
        let reason = "this user cannot read the configuration of Kueue; ask the administrator whether Kueue manages TFJobs";
        let argv = [&["sh", "-c", MANAGED, "sh"], &get[..]].concat();
        Some(Step::new(Phase::Before, &argv, why).skip_if(&argv, "(Forbidden)", reason))
    }
}
