//! The types of a TFJob, with the fields that tfjob writes.
//!
//! Each struct cites its type in the API reference,
//! <https://www.kubeflow.org/docs/components/trainer/legacy-v1/reference/training-operator/>. [`super::published`] has the fields
//! that a patch may set.
use crate::pod::schema::{Flag, Metadata, Number, PodTemplate, Text, objects, words};
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

objects! {
    /// TFJob, kubeflow.org/v1.
    TfJob {
        /// API version.
        api_version: Text,
        /// Kind of object.
        kind: Text,
        /// Name, namespace, labels, and annotations.
        metadata: Metadata,
        /// Specification of the job.
        spec: TfJobSpec,
    }
    /// TFJobSpec, kubeflow.org/v1.
    TfJobSpec {
        /// Cleanup, deadline, and scheduling.
        run_policy: RunPolicy,
        /// Which workers decide job success if there is no chief. Default: worker 0.
        success_policy: Option<Traced<SuccessPolicy>>,
        /// Whether the operator recreates lost workers. If it does, the TF_CONFIG that it writes lists only some of the tasks.
        enable_dynamic_worker: Flag,
        /// Roles by replica type: `Chief`, `Worker`, `PS`, `Evaluator`. Pods under any other key do not affect the result of the
        /// job.
        tf_replica_specs: BTreeMap<String, ReplicaSpec>,
    }
    /// RunPolicy, kubeflow.org/v1.
    RunPolicy {
        /// Which Pods the operator deletes when the job ends.
        clean_pod_policy: Option<Traced<CleanPodPolicy>>,
        /// Seconds from the end of the job until the job and its Pods are deleted.
        ttl_seconds_after_finished: Number,
        /// Deadline in seconds from the start of the job. The operator checks it only when another event makes the operator
        /// reconcile the job.
        active_deadline_seconds: Number,
        /// Settings for the gang scheduler. A flag of the operator selects this scheduler.
        scheduling_policy: Option<SchedulingPolicy>,
    }
    /// SchedulingPolicy, kubeflow.org/v1.
    SchedulingPolicy {
        /// Minimum number of Pods that start together.
        min_available: Number,
        /// Volcano queue; immutable.
        queue: Text,
        /// Priority class of the PodGroup.
        priority_class: Text,
    }
    /// ReplicaSpec, kubeflow.org/v1.
    ReplicaSpec {
        /// Number of Pods.
        replicas: Number,
        /// Restart policy of the container. It overrides the policy in the template.
        restart_policy: Option<Traced<RestartPolicy>>,
        /// Pod template.
        template: PodTemplate,
    }
}

words! {
    /// Which Pods the operator deletes when the job ends.
    CleanPodPolicy {
        /// Running Pods.
        Running,
        /// All Pods.
        All,
        /// No Pods; parameter servers continue to run.
        None,
    }
    /// Which workers decide job success.
    SuccessPolicy {
        /// All workers.
        AllWorkers,
    }
    /// Restart policy of a container.
    RestartPolicy {
        /// The kubelet does not restart the container. A failure fails the job.
        Never,
        /// The kubelet restarts the container in its Pod after a failure.
        OnFailure,
        /// The kubelet restarts the container in its Pod after every exit, even after success.
        Always,
    }
}
