//! Values that the API server and controllers add to a submitted object, or omit.
//!
//! Observed on Kubernetes 1.36.3 with training-operator 1.9.4, except where a comment says otherwise. The operator writes only the
//! status of a TFJob; it keeps its own defaults to itself.
use serde_json::Value;
use tfjob_lang::target::{Documents, KnownValue};

/// The value that the API server adds to an object that is being deleted.
pub const DELETED: &str = "/metadata/deletionTimestamp";

/// Values that the API server and controllers add.
pub const ADDED: &[KnownValue] = &[
    KnownValue::any("", "/metadata/uid"),
    KnownValue::any("", "/metadata/resourceVersion"),
    KnownValue::any("", "/metadata/generation"),
    KnownValue::any("", "/metadata/creationTimestamp"),
    KnownValue::any("", "/metadata/managedFields"),
    KnownValue::any("", "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"),
    KnownValue::any("", "/metadata/annotations/argocd.argoproj.io~1tracking-id"),
    KnownValue::any("", "/metadata/labels/kustomize.toolkit.fluxcd.io~1name"),
    KnownValue::any("", "/metadata/labels/kustomize.toolkit.fluxcd.io~1namespace"),
    // With the tracking method `label` of Argo CD, and with the label that its documentation recommends.
    KnownValue::any("", "/metadata/labels/app.kubernetes.io~1instance"),
    KnownValue::any("", "/metadata/labels/argocd.argoproj.io~1instance"),
    // With several installations of Argo CD in a cluster.
    KnownValue::any("", "/metadata/annotations/argocd.argoproj.io~1installation-id"),
    KnownValue::any("", DELETED),
    KnownValue::any("", "/metadata/deletionGracePeriodSeconds"),
    KnownValue::when("", "/metadata/finalizers", has_known_finalizers),
    KnownValue::any("", "/status"),
    // Defaults of the CRD.
    KnownValue::json("TFJob ", "/spec/runPolicy/suspend", "false"),
    KnownValue::json(
        "TFJob ",
        "/spec/tfReplicaSpecs/*/template/spec/containers/*/ports/*/protocol",
        "\"TCP\"",
    ),
    // Not observed: Kueue suspends a job that waits in its queue, and adds the labels and tolerations of the flavor's nodes.
    KnownValue::when("TFJob ", "/spec/runPolicy/suspend", is_queued),
    KnownValue::when("TFJob ", "/spec/tfReplicaSpecs/*/template/spec/tolerations", is_queued),
    KnownValue::when(
        "TFJob ",
        "/spec/tfReplicaSpecs/*/template/metadata/labels/kueue.x-k8s.io~1podset",
        is_queued,
    ),
    KnownValue::when("TFJob ", "/spec/tfReplicaSpecs/*/template/spec/nodeSelector/**", is_queued),
    // The controller of Deployments numbers the revisions. The control plane of the tests does not run it.
    KnownValue::any("Deployment ", "/metadata/annotations/deployment.kubernetes.io~1revision"),
    KnownValue::json("Deployment ", "/spec/progressDeadlineSeconds", "600"),
    KnownValue::json("Deployment ", "/spec/revisionHistoryLimit", "10"),
    KnownValue::json(
        "Deployment ",
        "/spec/strategy",
        r#"{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}"#,
    ),
    KnownValue::json("Deployment ", "/spec/template/spec/dnsPolicy", "\"ClusterFirst\""),
    KnownValue::json("Deployment ", "/spec/template/spec/restartPolicy", "\"Always\""),
    KnownValue::json("Deployment ", "/spec/template/spec/schedulerName", "\"default-scheduler\""),
    KnownValue::json("Deployment ", "/spec/template/spec/terminationGracePeriodSeconds", "30"),
    KnownValue::when("Deployment ", "/spec/template/spec/serviceAccount", is_service_account),
    KnownValue::when("Deployment ", "/spec/template/spec/containers/*/imagePullPolicy", is_default_policy),
    KnownValue::json("Deployment ", "/spec/template/spec/containers/*/ports/*/protocol", "\"TCP\""),
    KnownValue::json(
        "Deployment ",
        "/spec/template/spec/containers/*/terminationMessagePath",
        "\"/dev/termination-log\"",
    ),
    KnownValue::json("Deployment ", "/spec/template/spec/containers/*/terminationMessagePolicy", "\"File\""),
    KnownValue::json("Deployment ", "/spec/template/spec/volumes/*/secret/defaultMode", "420"),
    KnownValue::json("Deployment ", "/spec/template/spec/volumes/*/hostPath/type", "\"\""),
    // Not observed: GKE Autopilot adds them.
    KnownValue::any("Deployment ", "/metadata/annotations/autopilot.gke.io~1warden-version"),
    KnownValue::any("Deployment ", "/metadata/annotations/autopilot.gke.io~1resource-adjustment"),
    // Not observed: GKE adds it to new Services.
    KnownValue::any("Service ", "/metadata/annotations/cloud.google.com~1neg"),
    KnownValue::any("Service ", "/spec/clusterIP"),
    KnownValue::any("Service ", "/spec/clusterIPs"),
    KnownValue::any("Service ", "/spec/ipFamilies"),
    KnownValue::json("Service ", "/spec/internalTrafficPolicy", "\"Cluster\""),
    KnownValue::json("Service ", "/spec/ipFamilyPolicy", "\"SingleStack\""),
    KnownValue::json("Service ", "/spec/sessionAffinity", "\"None\""),
    KnownValue::json("Service ", "/spec/type", "\"ClusterIP\""),
    KnownValue::json("Service ", "/spec/ports/*/protocol", "\"TCP\""),
    KnownValue::when("Service ", "/spec/ports/*/targetPort", is_port),
];

/// Values that the API server omits.
pub const OMITTED: &[KnownValue] =
    &[KnownValue::json("Deployment ", "/spec/template/spec/containers/*/env/*/value", "\"\"")];

/// Finalizers of Kubernetes for a deletion that waits for dependent objects or that keeps them, and that of Argo CD, which protects a
/// hook until the synchronization has ended.
const FINALIZERS: [&str; 3] = ["foregroundDeletion", "orphan", "argocd.argoproj.io/hook-finalizer"];

fn has_known_finalizers(documents: &Documents<'_>, pointer: &str) -> bool {
    let all = documents.live.pointer(pointer).and_then(Value::as_array);
    let is_known = |one: &Value| one.as_str().is_some_and(|one| FINALIZERS.contains(&one));
    all.is_some_and(|all| all.iter().all(is_known))
}

/// Returns whether the job is submitted to a queue of Kueue.
fn is_queued(documents: &Documents<'_>, _pointer: &str) -> bool {
    documents.wanted.pointer("/metadata/labels/kueue.x-k8s.io~1queue-name").is_some()
}

/// Returns whether the value is that of `serviceAccountName`, of which `serviceAccount` is the old name.
fn is_service_account(documents: &Documents<'_>, pointer: &str) -> bool {
    same_as(documents, pointer, "serviceAccountName")
}

/// Returns whether the target port of a Service is its port.
fn is_port(documents: &Documents<'_>, pointer: &str) -> bool {
    same_as(documents, pointer, "port")
}

fn same_as(documents: &Documents<'_>, pointer: &str, other: &str) -> bool {
    let parent = parent(documents, pointer);
    parent.is_some_and(|parent| parent.get(other) == documents.live.pointer(pointer))
}

/// Returns whether the value is the default: `Always` for the tag `latest`, or for an image without tag and digest.
fn is_default_policy(documents: &Documents<'_>, pointer: &str) -> bool {
    let image = parent(documents, pointer).and_then(|container| container.get("image")?.as_str());
    let name = image.and_then(|image| image.rsplit('/').next()).unwrap_or_default();
    let is_latest = !name.contains('@') && name.split_once(':').is_none_or(|(_, tag)| tag == "latest");
    let policy = if is_latest { "Always" } else { "IfNotPresent" };
    documents.live.pointer(pointer).and_then(Value::as_str) == Some(policy)
}

/// Returns the object in the reported document that contains a value.
fn parent<'d>(documents: &Documents<'d>, pointer: &str) -> Option<&'d Value> {
    documents.live.pointer(pointer.rsplit_once('/')?.0)
}
