//! The TFJob without its Pods: metadata, completion, and scheduling.
use super::Draft;
use crate::kubernetes::options::Options;
use crate::kubernetes::schema::{CleanPodPolicy, SchedulingPolicy, SuccessPolicy, TfJob, TfJobSpec};
use crate::pod::lower::{number, text};
use crate::pod::mechanism::QUEUE;
use crate::pod::schema::Metadata;
use tfjob_lang::lowered::{Phase, Step};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;

/// Returns a TFJob that contains only its metadata. The mechanisms add the rest.
pub fn skeleton(plan: &Plan, options: &Options) -> TfJob {
    let name = &plan.name;
    let namespace = options.namespace.as_ref().map_or(name.span, |n| n.span);
    let mut metadata = Metadata {
        name: text(&name.value, name.span),
        namespace: text(options.pod().namespace(), namespace),
        ..Metadata::default()
    };
    for (key, value) in &options.annotations.0 {
        metadata.annotations.insert(key.value.clone(), Traced(value.value.to_string(), value.span));
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

    /// Sets the deadline in Pods, and in the TFJob if `job` is set. Helpers get no deadline, because the operator stops them when
    /// the job ends.
    pub(super) fn deadline(&mut self, seconds: i64, job: bool, at: Span) {
        for pod in self.pods.pods.iter_mut().filter(|pod| !pod.helper) {
            pod.template.spec.active_deadline_seconds = number(seconds, at);
        }
        if job {
            self.job.spec.run_policy.active_deadline_seconds = number(seconds, at);
        }
    }

    /// Sets `cleanPodPolicy` in every job. Without it, parameter servers would keep running and keep their GPUs.
    ///
    /// `Running` is the default: it keeps finished Pods and their logs. If workers continue after the chief has finished, `None`
    /// replaces `Running`, so that the operator does not delete these workers.
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
        Some(Step::new(
            Phase::Before,
            &[&get[..], &["--output", "yaml"]].concat(),
            "shows whether Kueue manages TFJobs: `kubeflow.org/tfjob` must be in `integrations.frameworks`, which is off by default since Kueue 0.19; otherwise the job starts immediately, outside its queue",
        ))
    }
}
