//! The TFJob but for its Pods: its name, how it ends, who schedules it.
use super::{Draft, number, text};
use crate::kubernetes::means::QUEUE;
use crate::kubernetes::options::Options;
use crate::kubernetes::schema::{
    CleanPodPolicy, Metadata, SchedulingPolicy, SuccessPolicy, TfJob, TfJobSpec,
};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;

/// What a TFJob has before anything is asked.
pub fn skeleton(plan: &Plan, options: &Options) -> TfJob {
    let name = &plan.name;
    let namespace = options.namespace.as_ref().map_or(name.span, |n| n.span);
    let mut metadata = Metadata {
        name: text(&name.value, name.span),
        namespace: text(options.namespace(), namespace),
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
    pub(super) fn label(&mut self, key: &str, value: &str, at: Span) {
        self.job.metadata.labels.insert(key.to_owned(), Traced(value.to_owned(), at));
        // Kueue admits the job as a whole; a Pod with the label would wait for a quota of its own.
        for pod in self.pods.iter_mut().filter(|_| key != QUEUE) {
            pod.template.metadata.labels.insert(key.to_owned(), Traced(value.to_owned(), at));
        }
    }

    pub(super) fn annotation(&mut self, key: &str, value: &str, at: Span) {
        self.job.metadata.annotations.insert(key.to_owned(), Traced(value.to_owned(), at));
    }

    pub(super) fn success(&mut self, all_workers: bool, at: Span) {
        if all_workers {
            self.job.spec.success_policy = Some(Traced(SuccessPolicy::AllWorkers, at));
        } else {
            self.inherent
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
        for pod in self.pods.iter_mut().filter(|pod| !pod.helper) {
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
        let (asked, at) = match &run.clean_pod_policy {
            Some(Traced(policy, at)) => (*policy, *at),
            None => (CleanPodPolicy::Running, self.stop.unwrap_or(name)),
        };
        let policy =
            if self.go_on && asked == CleanPodPolicy::Running { CleanPodPolicy::None } else { asked };
        run.clean_pod_policy = Some(Traced(policy, at));
        if let Some(stop) = self.stop.filter(|stop| *stop != at) {
            self.inherent
                .insert(stop, "what is kept at the end is what has ended; the rest is stopped".to_owned());
        }
    }

    /// Options that say what the cluster calls things: they stand in keys, or nothing in the job asks for them.
    pub(super) fn cluster_words(&mut self) {
        let options = self.options;
        let labels =
            [&options.gpu_resource, &options.gpu_model_label, &options.gpu_memory_label, &options.rack_label];
        let labels = labels.into_iter().flatten().map(|label| label.span);
        let models = options.gpu_models.0.iter().map(|(_, value)| value.span);
        let images = options.stage_image.iter().map(|image| image.span);
        let shims = options.shim.iter().map(|path| path.span);
        let restricted = options.restricted.iter().map(|flag| flag.span);
        let drivers = options.csi.0.iter().flat_map(|(_, csi)| {
            let words = csi.value.attributes.0.iter().map(|(_, words)| words.span);
            words.chain([csi.value.driver.span])
        });
        for at in drivers.chain(labels).chain(models).chain(images).chain(shims).chain(restricted) {
            self.inherent
                .entry(at)
                .or_insert_with(|| "what this cluster calls it, or how it is set up".to_owned());
        }
    }

    fn scheduling(&mut self) {
        let options = self.options;
        let mut policy = SchedulingPolicy::default();
        let volcano = options.volcano();
        if let Some(at) = self.gang {
            policy.min_available = number(self.plan.tasks(), at);
        }
        if let Some(queue) = &options.queue {
            if volcano {
                policy.queue = text(queue.value.as_str(), queue.span);
            } else {
                let value = Traced(queue.value.to_string(), queue.span);
                self.job.metadata.labels.insert(QUEUE.to_owned(), value);
            }
        }
        if let Some(gang) = &options.gang {
            if volcano && let Some(priority) = &options.priority {
                policy.priority_class = text(priority.value.as_str(), priority.span);
            }
            let why = "the scheduler that the cluster's operator was started with".to_owned();
            self.inherent.insert(gang.span, why);
        }
        if policy != SchedulingPolicy::default() {
            self.job.spec.run_policy.scheduling_policy = Some(policy);
        }
    }

    pub(super) fn restricted(&self) -> Option<Span> {
        self.options.restricted.as_ref().filter(|r| r.value).map(|r| r.span)
    }
}
