//! A TFJob as we write it, with the field names of the operator.
//!
//! Each struct names the page of its own in the API reference,
//! <https://www.kubeflow.org/docs/components/trainer/legacy-v1/reference/training-operator/>. What a patch may set is in
//! [`super::published`].
use crate::pod::schema::{Flag, Metadata, Number, PodTemplate, Text, objects, words};
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

objects! {
    /// TFJob, kubeflow.org/v1.
    TfJob {
        /// The version of the shape.
        api_version: Text,
        /// The kind of object.
        kind: Text,
        /// Its name and labels.
        metadata: Metadata,
        /// What is wanted.
        spec: TfJobSpec,
    }
    /// TFJobSpec, kubeflow.org/v1.
    TfJobSpec {
        /// How the job ends and is scheduled.
        run_policy: RunPolicy,
        /// Whose success is the job's where there is no chief; without it worker 0's.
        success_policy: Option<Traced<SuccessPolicy>>,
        /// A lost worker does not fail the job, and TF_CONFIG is sparse.
        enable_dynamic_worker: Flag,
        /// The roles. Keys are `Chief`, `Worker`, `PS`, `Evaluator`; any other is a role that nothing looks at.
        tf_replica_specs: BTreeMap<String, ReplicaSpec>,
    }
    /// RunPolicy, kubeflow.org/v1.
    RunPolicy {
        /// Which Pods are deleted at the end.
        clean_pod_policy: Option<Traced<CleanPodPolicy>>,
        /// Seconds after the end until the job and its Pods are deleted.
        ttl_seconds_after_finished: Number,
        /// Seconds from the job's start. Looked at only when something else happens to the job.
        active_deadline_seconds: Number,
        /// For a gang scheduler that the operator knows of; else without effect.
        scheduling_policy: Option<SchedulingPolicy>,
    }
    /// SchedulingPolicy, kubeflow.org/v1.
    SchedulingPolicy {
        /// How many Pods start together.
        min_available: Number,
        /// Volcano's queue; cannot be changed.
        queue: Text,
        /// The priority of the group.
        priority_class: Text,
    }
    /// ReplicaSpec, kubeflow.org/v1.
    ReplicaSpec {
        /// Number of Pods.
        replicas: Number,
        /// What happens when a Pod's container ends. A policy in the template would be dead.
        restart_policy: Option<Traced<RestartPolicy>>,
        /// Each Pod.
        template: PodTemplate,
    }
}

words! {
    /// Which Pods are deleted at the end.
    CleanPodPolicy {
        /// Those that still run.
        Running,
        /// All.
        All,
        /// None: what serves goes on for ever.
        None,
    }
    /// Whose success is the job's.
    SuccessPolicy {
        /// All workers'.
        AllWorkers,
    }
    /// What happens when a container ends.
    RestartPolicy {
        /// The job has failed.
        Never,
        /// It is started again in its Pod.
        OnFailure,
        /// It is started again in its Pod, even after success.
        Always,
    }
}
