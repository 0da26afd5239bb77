//! Minimal values of the other fields of an object, so that the API server checks only the field under test.
use serde_json::{Map, Value, json};
use tfjob_targets::patch::published::{Kind, Object};

/// Returns the other fields of an object of this type.
pub fn beside(object: &Object, field: &str, path: &str) -> Map<String, Value> {
    let sample = match object.name {
        "PodSpec" => pod(field),
        "Container" if field == "name" => json!({ "image": "i" }),
        "Container" if path.contains("initContainers") => init(field),
        "Container" => json!({ "name": "tensorflow" }),
        "Volume" if field == "name" => json!({ "emptyDir": {} }),
        "Volume" => json!({ "name": "v8" }),
        "EnvVar" => json!({ "name": "V9" }),
        "EnvFromSource" if field == "prefix" => json!({ "secretRef": { "name": "s" } }),
        "Probe" if !["exec", "grpc", "httpGet", "tcpSocket"].contains(&field) => {
            json!({ "exec": { "command": ["true"] } })
        }
        "SecretVolumeSource" => json!({ "secretName": "s" }),
        "ConfigMapVolumeSource"
        | "SecretProjection"
        | "ConfigMapProjection"
        | "SecretEnvSource"
        | "ConfigMapEnvSource" => json!({ "name": "s" }),
        "SecretKeySelector" | "ConfigMapKeySelector" => json!({ "name": "s", "key": "k" }),
        "ResourceFieldSelector" => json!({ "resource": "limits.cpu", "containerName": "tensorflow" }),
        "ObjectFieldSelector" => json!({ "fieldPath": "metadata.name" }),
        "DownwardAPIVolumeFile" if field == "resourceFieldRef" => json!({ "path": "p" }),
        "DownwardAPIVolumeFile" => json!({ "path": "p", "fieldRef": { "fieldPath": "metadata.name" } }),
        "NFSVolumeSource" | "HostPathVolumeSource" => json!({ "server": "h", "path": "/p" }),
        "ImageVolumeSource" => json!({ "reference": "i" }),
        "PersistentVolumeClaimTemplate" => json!({ "spec": claim() }),
        "PersistentVolumeClaimSpec" => claim(),
        "VolumeResourceRequirements" => json!({ "requests": { "storage": "1Gi" } }),
        "ClusterTrustBundleProjection" if field == "name" => json!({ "path": "p" }),
        "ClusterTrustBundleProjection" => json!({ "path": "p", "signerName": "a.b/c" }),
        "ContainerPort" => json!({ "containerPort": 8080, "name": "p9" }),
        "HTTPGetAction" => json!({ "port": 80, "path": "/" }),
        "Toleration" => toleration(field),
        "NodeSelectorRequirement" | "LabelSelectorRequirement" if field == "values" => {
            json!({ "key": "k", "operator": "In" })
        }
        "NodeSelectorRequirement" | "LabelSelectorRequirement" => json!({ "key": "k", "operator": "Exists" }),
        "TopologySpreadConstraint" => json!({
            "maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": { "matchLabels": { "a": "b" } }
        }),
        "PreferredSchedulingTerm" => {
            json!({ "weight": 1, "preference": { "matchExpressions": [{ "key": "k", "operator": "Exists" }] } })
        }
        "WeightedPodAffinityTerm" => json!({ "weight": 1, "podAffinityTerm": { "topologyKey": "zone" } }),
        "PodAffinityTerm" => json!({ "topologyKey": "zone" }),
        "SeccompProfile" | "AppArmorProfile" if field == "localhostProfile" => json!({ "type": "Localhost" }),
        "PodResourceClaim" if field == "name" => json!({ "resourceClaimName": "r" }),
        "PodResourceClaim" => json!({ "name": "c8" }),
        "ResourceClaim" => json!({ "name": "c9" }),
        "PodDNSConfigOption" => json!({ "name": "o" }),
        "ContainerResizePolicy" => json!({ "resourceName": "cpu", "restartPolicy": "NotRequired" }),
        "ReplicaSpec" | "PodTemplateSpec" => json!({}),
        _ => required(object),
    };
    let Value::Object(mut sample) = sample else { return Map::new() };
    sample.retain(|key, _| object.field(key).is_some());
    sample
}

/// Returns a Pod that has every name that a sample uses.
fn pod(field: &str) -> Value {
    let mut sample = match field {
        "stopSignal" => json!({ "os": { "name": "linux" } }),
        _ => json!({
            "volumes": [{ "name": "v9", "emptyDir": {} }],
            "resourceClaims": [{ "name": "c9", "resourceClaimName": "r" }],
            "os": { "name": "linux" },
            "serviceAccountName": "sa",
        }),
    };
    if let Some(map) = sample.as_object_mut() {
        map.remove(field);
    }
    sample
}

fn init(field: &str) -> Value {
    let always = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"].contains(&field);
    if always {
        return json!({ "name": "init9", "image": "i", "restartPolicy": "Always" });
    }
    json!({ "name": "init9", "image": "i" })
}

fn claim() -> Value {
    json!({ "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } })
}

fn toleration(field: &str) -> Value {
    match field {
        "value" => json!({ "key": "k" }),
        "tolerationSeconds" => json!({ "key": "k", "operator": "Exists", "effect": "NoExecute" }),
        _ => json!({ "key": "k", "operator": "Exists" }),
    }
}

/// Returns a plain value for each required field.
fn required(object: &Object) -> Value {
    let fields = object.fields.iter().filter(|field| field.required);
    Value::Object(fields.map(|field| (field.name.to_owned(), plain(field.kind))).collect())
}

fn plain(kind: Kind) -> Value {
    match kind {
        Kind::Object(object) => required(object),
        Kind::Map(_) => json!({}),
        Kind::List(list) => json!([plain(list.item)]),
        Kind::Words(words) => json!(words.0[0]),
        Kind::Text => json!("x"),
        Kind::Boolean => json!(true),
        Kind::Int32 | Kind::Int64 | Kind::IntOrText | Kind::Quantity | Kind::Number => json!(1),
        Kind::Any => json!(null),
    }
}
