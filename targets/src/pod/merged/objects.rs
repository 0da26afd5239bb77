//! Checks of fields that require or exclude each other within one object, for every type that a patch may contain.
use super::word;
use crate::patch::Merged;
use crate::pod::grammar::is_label_value;
use crate::pod::quantity::Quantity;
use serde_json::Value;

/// Checks one object. `owner`: name of its type. `at`: JSON pointer to it.
pub fn judge(merged: &mut Merged<'_>, owner: &str, at: &str) {
    let value = merged.at(at);
    match owner {
        "Probe" => probe(merged, at, value),
        "LifecycleHandler" => one(merged, at, value, &["exec", "httpGet", "sleep", "tcpSocket"]),
        "Lifecycle" => lifecycle(merged, at, value),
        "EnvVarSource" => one(
            merged,
            at,
            value,
            &["configMapKeyRef", "fieldRef", "fileKeyRef", "resourceFieldRef", "secretKeyRef"],
        ),
        "EnvFromSource" => one(merged, at, value, &["configMapRef", "secretRef"]),
        "ExecAction" if filled(value, "command") == 0 => needs(merged, at, "command"),
        "HTTPGetAction" if word(value, "path").is_empty() => {}
        "VolumeProjection" => most_one(merged, at, value),
        "DownwardAPIVolumeFile" => one(merged, at, value, &["fieldRef", "resourceFieldRef"]),
        "ResourceFieldSelector" if at.contains("downwardAPI") && word(value, "containerName").is_empty() => {
            needs(merged, at, "containerName");
        }
        "PodResourceClaim" => one(merged, at, value, &["resourceClaimName", "resourceClaimTemplateName"]),
        "Toleration" => toleration(merged, at, value),
        "LabelSelectorRequirement" => requirement(merged, at, value),
        "NodeSelectorRequirement" => node_requirement(merged, at, value),
        "NodeSelector" if filled(value, "nodeSelectorTerms") == 0 => needs(merged, at, "nodeSelectorTerms"),
        "TopologySpreadConstraint" if value.get("minDomains").is_some() => {
            let soft = word(value, "whenUnsatisfiable") != "DoNotSchedule";
            forbid(merged, at, soft, "`minDomains` requires `whenUnsatisfiable: DoNotSchedule`");
        }
        "SeccompProfile" | "AppArmorProfile" => profile(merged, at, value),
        "VolumeMount" => mount(merged, at, value),
        "SecurityContext" => privileges(merged, at, value),
        "ResourceRequirements" if at.contains("ontainers/") => pages(merged, at, value),
        "PersistentVolumeClaimSpec" => claim(merged, at, value),
        "EphemeralVolumeSource" if value.get("volumeClaimTemplate").is_none() => {
            needs(merged, at, "volumeClaimTemplate");
        }
        "SecretVolumeSource" if word(value, "secretName").is_empty() => needs(merged, at, "secretName"),
        "ConfigMapVolumeSource"
        | "SecretProjection"
        | "ConfigMapProjection"
        | "SecretEnvSource"
        | "ConfigMapEnvSource"
        | "SecretKeySelector"
        | "ConfigMapKeySelector"
            if word(value, "name").is_empty() =>
        {
            needs(merged, at, "name");
        }
        "CSIVolumeSource"
            if value.get("nodePublishSecretRef").is_some_and(|secret| word(secret, "name").is_empty()) =>
        {
            needs(merged, at, "nodePublishSecretRef.name");
        }
        "ResourceClaim" => claimed(merged, at, value),
        "VolumeDevice" => device(merged, at, value),
        "ImageVolumeSource" if word(value, "reference").is_empty() => needs(merged, at, "reference"),
        "PodDNSConfigOption" if word(value, "name").is_empty() => needs(merged, at, "name"),
        "ProjectedVolumeSource" => paths(merged, at, value),
        _ => {}
    }
}

fn report(merged: &mut Merged<'_>, at: &str, fact: &str) {
    merged.fault(&[at], &format!("`{}`: {fact}", merged.path(at)));
}

fn forbid(merged: &mut Merged<'_>, at: &str, wrong: bool, fact: &str) {
    if wrong {
        report(merged, at, fact);
    }
}

fn needs(merged: &mut Merged<'_>, at: &str, key: &str) {
    report(merged, at, &format!("`{key}` is required"));
}

fn filled(value: &Value, list: &str) -> usize {
    value[list].as_array().map_or(0, Vec::len)
}

/// Reports an object that has none of `keys`, or more than one of them.
fn one(merged: &mut Merged<'_>, at: &str, value: &Value, keys: &[&str]) {
    let count = keys.iter().filter(|key| value.get(**key).is_some()).count();
    let known: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    forbid(merged, at, count != 1, &format!("requires exactly one of {}", known.join(", ")));
}

fn most_one(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let count = value.as_object().map_or(0, serde_json::Map::len);
    forbid(merged, at, count > 1, "has more than one source");
}

fn probe(merged: &mut Merged<'_>, at: &str, value: &Value) {
    one(merged, at, value, &["exec", "grpc", "httpGet", "tcpSocket"]);
    let ready = at.ends_with("readinessProbe");
    let threshold = value["successThreshold"].as_i64().unwrap_or(1);
    forbid(merged, at, !ready && ![0, 1].contains(&threshold), "`successThreshold` must be 1 in this probe");
    let grace = value.get("terminationGracePeriodSeconds").is_some();
    forbid(merged, at, ready && grace, "a readiness probe cannot have `terminationGracePeriodSeconds`");
}

/// Checks lifecycle hooks. A sleep must end within the grace period of the Pod, and `stopSignal` requires `spec.os.name`.
fn lifecycle(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let spec = merged.at(pod(at));
    let grace = spec["terminationGracePeriodSeconds"].as_i64().unwrap_or(30);
    for hook in ["postStart", "preStop"] {
        let long = value[hook]["sleep"]["seconds"].as_i64().is_some_and(|seconds| seconds > grace);
        let fact = format!("`{hook}` sleeps longer than `terminationGracePeriodSeconds` ({grace})");
        forbid(merged, at, long, &fact);
    }
    let signal = value.get("stopSignal").is_some() && word(&spec["os"], "name").is_empty();
    forbid(merged, at, signal, "`stopSignal` requires `os: {name: linux}` in the pod");
}

fn toleration(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let exists = word(value, "operator") == "Exists";
    forbid(
        merged,
        at,
        word(value, "key").is_empty() && !exists,
        "without `key`, `operator` must be `Exists`",
    );
    forbid(
        merged,
        at,
        exists && !word(value, "value").is_empty(),
        "`Exists` cannot be combined with `value`",
    );
    let seconds = value.get("tolerationSeconds").is_some() && word(value, "effect") != "NoExecute";
    forbid(merged, at, seconds, "`tolerationSeconds` requires `effect: NoExecute`");
}

fn requirement(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let some = filled(value, "values") > 0;
    match word(value, "operator") {
        "In" | "NotIn" => forbid(merged, at, !some, "`In` and `NotIn` require `values`"),
        "Exists" | "DoesNotExist" => {
            forbid(merged, at, some, "`Exists` and `DoesNotExist` cannot be combined with `values`")
        }
        _ => {}
    }
}

fn node_requirement(merged: &mut Merged<'_>, at: &str, value: &Value) {
    requirement(merged, at, value);
    if ["Gt", "Lt"].contains(&word(value, "operator")) {
        forbid(merged, at, filled(value, "values") != 1, "`Gt` and `Lt` require exactly one value");
        let number = value["values"][0]
            .as_str()
            .is_some_and(|text| text.parse::<i64>().is_ok() && is_label_value(text));
        forbid(merged, at, !number, "`Gt` and `Lt` require an integer; otherwise no node matches");
    }
}

fn profile(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let (local, named) = (word(value, "type") == "Localhost", value.get("localhostProfile").is_some());
    forbid(merged, at, local && !named, "`Localhost` requires `localhostProfile`");
    forbid(merged, at, !local && named, "`localhostProfile` requires `type: Localhost`");
}

fn mount(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let both = !word(value, "subPath").is_empty() && !word(value, "subPathExpr").is_empty();
    forbid(merged, at, both, "`subPath` and `subPathExpr` cannot be combined");
    let spread = word(value, "mountPropagation");
    if spread == "Bidirectional" {
        let container = at.split("/volumeMounts/").next().unwrap_or_default();
        let privileged = merged.at(&format!("{container}/securityContext/privileged")) == true;
        forbid(merged, at, !privileged, "`Bidirectional` requires a privileged container");
    }
    if ["IfPossible", "Enabled"].contains(&word(value, "recursiveReadOnly")) {
        forbid(merged, at, value["readOnly"] != true, "`recursiveReadOnly` requires `readOnly: true`");
        forbid(
            merged,
            at,
            !["", "None"].contains(&spread),
            "`recursiveReadOnly` cannot be combined with `mountPropagation`",
        );
    }
}

fn privileges(merged: &mut Merged<'_>, at: &str, value: &Value) {
    if value["allowPrivilegeEscalation"] == false {
        forbid(
            merged,
            at,
            value["privileged"] == true,
            "`privileged` needs `allowPrivilegeEscalation: true` in the same `securityContext`; its default is `false`",
        );
        let added = value["capabilities"]["add"].as_array().into_iter().flatten();
        let admin = added.into_iter().any(|name| name == "CAP_SYS_ADMIN");
        forbid(
            merged,
            at,
            admin,
            "`CAP_SYS_ADMIN` needs `allowPrivilegeEscalation: true` in the same `securityContext`; its default is `false`",
        );
    }
    if value["procMount"] == "Unmasked" {
        let own = merged.at(&format!("{}/hostUsers", pod(at))) == false;
        forbid(merged, at, !own, "`Unmasked` requires `hostUsers: false`");
    }
}

/// Checks huge pages. A container with huge pages needs an amount of `cpu` or `memory`, and a limit of huge pages equal to the
/// request.
fn pages(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let has = |key: &str| ["limits", "requests"].iter().any(|side| value[side].get(key).is_some());
    let names = |side: &str| value[side].as_object().into_iter().flat_map(|map| map.keys().cloned());
    let huge: Vec<String> =
        names("limits").chain(names("requests")).filter(|name| name.starts_with("hugepages-")).collect();
    forbid(
        merged,
        at,
        !huge.is_empty() && !has("cpu") && !has("memory"),
        "huge pages require `cpu` or `memory`",
    );
    for name in huge {
        let (required, limit) = (&value["requests"][&name], &value["limits"][&name]);
        let differ = !required.is_null() && Quantity::of(required) != Quantity::of(limit);
        forbid(merged, at, differ, &format!("the request of `{name}` must equal its limit"));
    }
}

fn claim(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let modes = value["accessModes"].as_array().map_or(&[][..], Vec::as_slice);
    forbid(merged, at, modes.is_empty(), "`accessModes` is required");
    let alone = modes.iter().any(|mode| mode == "ReadWriteOncePod")
        && modes.iter().any(|mode| mode != "ReadWriteOncePod");
    forbid(merged, at, alone, "`ReadWriteOncePod` cannot be combined with other access modes");
    let storage = value["resources"]["requests"].get("storage").is_some();
    forbid(merged, at, !storage, "`resources.requests.storage` is required");
}

/// Returns the beginning of a JSON pointer, up to the Pod spec.
fn pod(at: &str) -> &str {
    let end = at.find("/template/spec/").map_or(at.len(), |from| from + "/template/spec".len());
    &at[..end]
}

/// Checks resource claims. The Pod must declare each claim that a container uses.
fn claimed(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let name = word(value, "name");
    let known = merged.at(&format!("{}/resourceClaims", pod(at)));
    let met = known.as_array().into_iter().flatten().any(|claim| claim["name"] == name);
    forbid(merged, at, !met, &format!("`{name}` is not one of the Pod's `resourceClaims`"));
    forbid(merged, at, !at.contains("ontainers/"), "only a container can have `claims`");
}

fn device(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let name = word(value, "name");
    let known = merged.at(&format!("{}/volumes", pod(at))).as_array().map_or(&[][..], Vec::as_slice);
    let claim =
        |volume: &Value| ["persistentVolumeClaim", "ephemeral"].iter().any(|key| volume.get(*key).is_some());
    let met = known.iter().any(|volume| volume["name"] == name && claim(volume));
    forbid(merged, at, !met, &format!("`{name}` is not the volume of a PersistentVolumeClaim"));
}

/// Reports files that have the same path in a projected volume.
fn paths(merged: &mut Merged<'_>, at: &str, value: &Value) {
    let mut met = std::collections::BTreeSet::new();
    for source in value["sources"].as_array().into_iter().flatten() {
        for kind in ["secret", "configMap", "downwardAPI"] {
            for item in source[kind]["items"].as_array().into_iter().flatten() {
                let path = word(item, "path");
                forbid(
                    merged,
                    at,
                    !met.insert(path.to_owned()),
                    &format!("two files have the path `{path}`"),
                );
            }
        }
    }
}
