//! Values that the API server and controllers add to a submitted object, or omit.
//!
//! Observed on Kubernetes 1.36.3 with training-operator 1.9.4, except where a comment says otherwise. The operator writes only the
//! status of a TFJob; it keeps its own defaults to itself.
use serde_json::Value;
use tfjob_lang::target::{Documents, Known, KnownValue};

/// Values that the API server and controllers add.
pub const ADDED: &[KnownValue] = &[
    any("", "/metadata/uid"),
    any("", "/metadata/resourceVersion"),
    any("", "/metadata/generation"),
    any("", "/metadata/creationTimestamp"),
    any("", "/metadata/managedFields"),
    any("", "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"),
    any("", "/metadata/annotations/argocd.argoproj.io~1tracking-id"),
    any("", "/metadata/labels/kustomize.toolkit.fluxcd.io~1name"),
    any("", "/metadata/labels/kustomize.toolkit.fluxcd.io~1namespace"),
    // The same for an object that is submitted without annotations.
    known("", "/metadata/annotations", Known::If(is_last_applied)),
    any("", "/status"),
    // Defaults of the CRD.
    json("TFJob ", "/spec/runPolicy/suspend", "false"),
    json("TFJob ", "/spec/tfReplicaSpecs/*/template/spec/containers/*/ports/*/protocol", "\"TCP\""),
    // Not observed: Kueue suspends a job that waits in its queue, and adds the labels of the flavor's nodes.
    known("TFJob ", "/spec/runPolicy/suspend", Known::If(is_queued)),
    known("TFJob ", "/spec/tfReplicaSpecs/*/template/spec/nodeSelector/**", Known::If(is_queued)),
    // The controller of Deployments numbers the revisions. The control plane of the tests does not run it.
    any("Deployment ", "/metadata/annotations/deployment.kubernetes.io~1revision"),
    json("Deployment ", "/spec/progressDeadlineSeconds", "600"),
    json("Deployment ", "/spec/revisionHistoryLimit", "10"),
    json(
        "Deployment ",
        "/spec/strategy",
        r#"{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}"#,
    ),
    json("Deployment ", "/spec/template/spec/dnsPolicy", "\"ClusterFirst\""),
    json("Deployment ", "/spec/template/spec/restartPolicy", "\"Always\""),
    json("Deployment ", "/spec/template/spec/schedulerName", "\"default-scheduler\""),
    json("Deployment ", "/spec/template/spec/terminationGracePeriodSeconds", "30"),
    known("Deployment ", "/spec/template/spec/serviceAccount", Known::If(is_service_account)),
    known("Deployment ", "/spec/template/spec/containers/*/imagePullPolicy", Known::If(is_default_policy)),
    json("Deployment ", "/spec/template/spec/containers/*/ports/*/protocol", "\"TCP\""),
    json(
        "Deployment ",
        "/spec/template/spec/containers/*/terminationMessagePath",
        "\"/dev/termination-log\"",
    ),
    json("Deployment ", "/spec/template/spec/containers/*/terminationMessagePolicy", "\"File\""),
    json("Deployment ", "/spec/template/spec/volumes/*/secret/defaultMode", "420"),
    json("Deployment ", "/spec/template/spec/volumes/*/hostPath/type", "\"\""),
    any("Service ", "/spec/clusterIP"),
    any("Service ", "/spec/clusterIPs"),
    any("Service ", "/spec/ipFamilies"),
    json("Service ", "/spec/internalTrafficPolicy", "\"Cluster\""),
    json("Service ", "/spec/ipFamilyPolicy", "\"SingleStack\""),
    json("Service ", "/spec/sessionAffinity", "\"None\""),
    json("Service ", "/spec/type", "\"ClusterIP\""),
    json("Service ", "/spec/ports/*/protocol", "\"TCP\""),
    known("Service ", "/spec/ports/*/targetPort", Known::If(is_port)),
];

/// Values that the API server omits.
pub const OMITTED: &[KnownValue] =
    &[json("Deployment ", "/spec/template/spec/containers/*/env/*/value", "\"\"")];

const fn known(object: &'static str, pointer: &'static str, value: Known) -> KnownValue {
    KnownValue { object, pointer, value }
}

const fn any(object: &'static str, pointer: &'static str) -> KnownValue {
    known(object, pointer, Known::Any)
}

const fn json(object: &'static str, pointer: &'static str, value: &'static str) -> KnownValue {
    known(object, pointer, Known::Json(value))
}

/// Returns whether all annotations are those of `kubectl apply` and of the controller of Deployments.
fn is_last_applied(documents: &Documents<'_>, pointer: &str) -> bool {
    const OWN: [&str; 2] =
        ["kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision"];
    let annotations = documents.live.pointer(pointer).and_then(Value::as_object);
    annotations.is_some_and(|all| all.keys().all(|key| OWN.contains(&key.as_str())))
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
