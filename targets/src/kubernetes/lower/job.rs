//! The TFJob but for its Pods: its name, how it ends, who schedules it.
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

/// What a TFJob has before anything is asked.
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
            self.pods
                .inherent
                .insert(at, "the operator's own rule: the chief's success, else worker 0's".to_owned());
        }
    }

    pub(super) fn keep(&mut self, policy: CleanPodPolicy, ttl: Option<i64>, at: Span) {
        let run = &mut self.job.spec.run_policy;
        run.clean_pod_policy = Some(Traced(policy, at));
        run.ttl_seconds_after_finished = ttl.map(|seconds| Traced(seconds, at));
    }

    /// A helper ends with the job anyway.
    pub(super) fn deadline(&mut self, seconds: i64, job: bool, at: Span) {
        for pod in self.pods.pods.iter_mut().filter(|pod| !pod.helper) {
            pod.template.spec.active_deadline_seconds = number(seconds, at);
        }
        if job {
            self.job.spec.run_policy.active_deadline_seconds = number(seconds, at);
        }
    }

    /// What the operator does at the end is always said: left to itself it leaves servers and their GPUs running.
    ///
    /// Under `Running` what has ended stays, with its log. Only workers that go on after their chief are left alone.
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
                .insert(stop, "what is kept at the end is what has ended; the rest is stopped".to_owned());
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
            let why = "the scheduler that the cluster's operator was started with".to_owned();
            self.pods.inherent.insert(gang.span, why);
        }
        if policy != SchedulingPolicy::default() {
            self.job.spec.run_policy.scheduling_policy = Some(policy);
        }
    }

    /// A step that shows whether Kueue looks after the job, where the job is for a queue of it.
    pub(super) fn queue_step(&self) -> Option<Step> {
        self.job.metadata.labels.get(QUEUE)?;
        let get = ["kubectl", "--namespace", "kueue-system", "get", "configmap", "kueue-manager-config"];
        Some(Step::new(
            Phase::Before,
            &[&get[..], &["--output", "yaml"]].concat(),
            "shows whether Kueue manages TFJobs: `kubeflow.org/tfjob` must be in `integrations.frameworks`, which is off by default since Kueue 0.19; otherwise the job starts at once, outside its queue",
        ))
    }
}
