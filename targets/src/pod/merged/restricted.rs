//! Checks of patched Pods by the rules of Pod Security Admission at level `restricted`. Pods without patches follow these rules.
//!
//! Source: `k8s.io/pod-security-admission/policy`, version `latest`.
use super::word;
use crate::patch::Merged;
use crate::pod::annotations;
use crate::pod::options::Options;
use serde_json::Value;

/// Volume types that the level `restricted` allows.
const SOURCES: [&str; 9] = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "image",
    "persistentVolumeClaim",
    "projected",
    "secret",
];
/// Sysctls that the level `restricted` allows.
const SYSCTLS: [&str; 12] = [
    "kernel.shm_rmid_forced",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range",
    "net.ipv4.ip_unprivileged_port_start",
    "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
];
const SELINUX: [&str; 5] = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];

/// Checks the Pods of one role. `template`: JSON pointer to their template.
pub fn judge(options: Options<'_>, template: &str, merged: &mut Merged<'_>) {
    if !options.restricted() {
        return;
    }
    let spec = format!("{template}/spec");
    let mut faults = Vec::new();
    pod(merged.at(&spec), &spec, &mut faults);
    let stated = merged.at(&format!("{template}/metadata/annotations"));
    for (key, value) in stated.as_object().into_iter().flatten() {
        let value = value.as_str().unwrap_or_default();
        let allowed = ["", "runtime/default"].contains(&value) || value.starts_with("localhost/");
        if key.starts_with(annotations::APPARMOR) && !allowed {
            let at = format!("{template}/metadata/annotations/{}", tfjob_lang::origin::pointer_step(key));
            faults.push((at, format!("`{key}: {value}`")));
        }
    }
    let user = !merged.at(&format!("{spec}/hostUsers")).eq(&false);
    let outside = merged.at(&format!("{spec}/securityContext")).clone();
    for list in ["initContainers", "containers"] {
        for (at, value) in merged.items(&format!("{spec}/{list}")) {
            container(value, &at, &outside, user, &mut faults);
        }
    }
    for (at, what) in faults {
        merged.fault(&[&at], &format!("the `restricted` Pod Security Standard refuses the pod: {what}"));
    }
}

/// Violations of the rules: the JSON pointer of the value, and a description.
type Faults = Vec<(String, String)>;

fn pod(spec: &Value, at: &str, faults: &mut Faults) {
    for key in ["hostNetwork", "hostPID", "hostIPC"] {
        if spec[key] == true {
            faults.push((format!("{at}/{key}"), format!("`{key}: true`")));
        }
    }
    for (number, volume) in spec["volumes"].as_array().into_iter().flatten().enumerate() {
        let source =
            volume.as_object().into_iter().flat_map(serde_json::Map::keys).find(|key| *key != "name");
        if let Some(source) = source.filter(|_| !SOURCES.iter().any(|source| volume.get(*source).is_some())) {
            let what = format!("volume `{}` has the type `{source}`", word(volume, "name"));
            faults.push((format!("{at}/volumes/{number}"), what));
        }
    }
    let context = &spec["securityContext"];
    for sysctl in context["sysctls"].as_array().into_iter().flatten() {
        let name = word(sysctl, "name");
        if !SYSCTLS.contains(&name) {
            faults.push((format!("{at}/securityContext/sysctls"), format!("the sysctl `{name}`")));
        }
    }
    if context["runAsUser"] == 0 && spec["hostUsers"] != false {
        faults.push((format!("{at}/securityContext/runAsUser"), "`runAsUser: 0`".to_owned()));
    }
    profiles(context, &format!("{at}/securityContext"), "the pod", faults);
}

fn container(value: &Value, at: &str, pod: &Value, user: bool, faults: &mut Faults) {
    let (context, name) = (&value["securityContext"], format!("`{}`", word(value, "name")));
    let place = format!("{at}/securityContext");
    let mut tell = |key: &str, what: String| faults.push((format!("{place}/{key}"), what));
    let dropped = context["capabilities"]["drop"].as_array().into_iter().flatten().any(|cap| cap == "ALL");
    if context["allowPrivilegeEscalation"] != false || !dropped {
        tell(
            "allowPrivilegeEscalation",
            format!(
                "{name} needs `securityContext: {{allowPrivilegeEscalation: false, capabilities: {{drop: [ALL]}}}}`"
            ),
        );
    }
    for cap in context["capabilities"]["add"].as_array().into_iter().flatten() {
        if cap != "NET_BIND_SERVICE" {
            tell("capabilities/add", format!("{name} adds the capability {cap}"));
        }
    }
    if context["privileged"] == true {
        tell("privileged", format!("{name} is `privileged`"));
    }
    if !context["procMount"].is_null() && context["procMount"] != "Default" {
        tell("procMount", format!("{name} has `procMount: Unmasked`"));
    }
    if user && context["runAsUser"] == 0 {
        tell("runAsUser", format!("{name} has `runAsUser: 0`"));
    }
    let non_root = [&context["runAsNonRoot"], &pod["runAsNonRoot"]].into_iter().find(|flag| !flag.is_null());
    if user && non_root.is_none_or(|flag| *flag != true) {
        tell("runAsNonRoot", format!("{name} needs `runAsNonRoot: true`"));
    }
    let seccomp = [&context["seccompProfile"], &pod["seccompProfile"]];
    if seccomp.into_iter().all(|profile| profile.get("type").is_none()) {
        tell("seccompProfile", format!("{name} needs `seccompProfile: {{type: RuntimeDefault}}`"));
    }
    profiles(context, &place, &name, faults);
    hosts(value, at, &name, faults);
}

/// Checks profiles of seccomp, AppArmor, and SELinux.
fn profiles(context: &Value, at: &str, whose: &str, faults: &mut Faults) {
    for key in ["seccompProfile", "appArmorProfile"] {
        if context[key]["type"] == "Unconfined" {
            faults.push((format!("{at}/{key}/type"), format!("{whose} has `{key}: {{type: Unconfined}}`")));
        }
    }
    let selinux = &context["seLinuxOptions"];
    let named = ["user", "role"].iter().any(|key| !word(selinux, key).is_empty());
    if named || !SELINUX.contains(&word(selinux, "type")) {
        faults.push((format!("{at}/seLinuxOptions"), format!("{whose} sets `seLinuxOptions`")));
    }
}

/// Checks host ports, and the hosts of probes and hooks.
fn hosts(container: &Value, at: &str, name: &str, faults: &mut Faults) {
    for (number, port) in container["ports"].as_array().into_iter().flatten().enumerate() {
        if port["hostPort"].as_i64().unwrap_or_default() != 0 {
            faults.push((format!("{at}/ports/{number}/hostPort"), format!("{name} has a `hostPort`")));
        }
    }
    let probes =
        ["livenessProbe", "readinessProbe", "startupProbe"].map(|key| (key.to_owned(), &container[key]));
    let hooks =
        ["postStart", "preStop"].map(|key| (format!("lifecycle/{key}"), &container["lifecycle"][key]));
    for (key, handler) in probes.into_iter().chain(hooks) {
        for action in ["httpGet", "tcpSocket"] {
            if !word(&handler[action], "host").is_empty() {
                faults.push((
                    format!("{at}/{key}/{action}/host"),
                    format!("{name} sets `host` in a probe or a hook"),
                ));
            }
        }
    }
}
