//! Checks of Pods after the patches are merged, by the rules of the API server and the kubelet. Kubernetes itself applies these
//! rules only when it creates the Pods.
mod effects;
pub mod metadata;
mod mounts;
pub mod objects;
mod ports;
mod references;
mod restricted;
pub mod undone;

pub use ports::protocol;

use super::context::Context;
use super::quantity::Quantity;
use super::support::lifecycle::Peers;
use super::view::Who;
use crate::patch::Merged;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::RoleId;

/// Lists of a Pod template to which the job adds items. Each list is followed by the field by which a merge matches its items.
const LISTS: [(&str, &str); 5] = [
    ("spec/volumes", "name"),
    ("spec/initContainers", "name"),
    ("spec/containers/*/volumeMounts", "mountPath"),
    ("spec/containers/*/env", "name"),
    ("spec/containers/*/ports", "name"),
];

/// Reports patches that remove items of the job from a list. `templates`: JSON pointer that matches all Pod templates, with `*` for
/// any key.
pub fn lost(templates: &str, merged: &mut Merged<'_>) {
    let lists = LISTS.map(|(list, by)| (format!("{templates}/{list}"), Some(by)));
    merged.lost(&lists.each_ref().map(|(list, by)| (list.as_str(), *by)));
}

/// Returns the consequence of a patch that removes a CPU limit: the container keeps its CPU request, so tfjob only warns. `None`
/// for any other removal.
pub fn spared(document: &Value, pointer: &str) -> Option<&'static str> {
    let resources = pointer.strip_suffix("/limits/cpu")?;
    document.pointer(&format!("{resources}/requests/cpu"))?;
    Some("without a CPU limit the pod has no QoS class `Guaranteed`, so it gets no exclusive cores")
}

/// The Pods of one role.
pub struct Role<'a> {
    /// Position of the role in the plan.
    pub id: RoleId,
    /// Name of the role in messages.
    pub name: &'a str,
    /// JSON pointer to the Pod template of the role.
    pub template: &'a str,
    /// Pod template of the role, and the fields of the role's first Pod that are known before this Pod runs.
    pub who: &'a Who<'a>,
    /// Whether tasks of the role connect to peers.
    pub meets: bool,
    /// What the peers of the role expect of its tasks.
    pub peers: Peers,
    /// Whether the job waits until the Pods of the role have finished.
    pub ends: bool,
    /// Checks the ports of the container in which the program runs. Takes the JSON pointer of this container.
    pub ports: fn(&str, &mut Merged<'_>),
}

/// Checks the Pods of one role.
pub fn judge(context: &Context<'_>, lowered: &Lowered, role: &Role<'_>, merged: &mut Merged<'_>) {
    let (id, template) = (role.id, role.template);
    let spec = format!("{template}/spec");
    let what = format!("the pods of `{}`", context.role(id));
    metadata::sized(&format!("{template}/metadata"), &what, merged);
    metadata::pod(template, merged);
    mounts::files(&spec, merged);
    pod(context, role, &spec, merged);
    effects::dns(&spec, context, role, merged);
    effects::readiness_gates(&spec, role, merged);
    undone::pods(&spec, context, id, merged);
    if role.ends {
        effects::sidecars(&spec, context, role, merged);
    }
    restricted::judge(context.options, template, merged);
    let main = merged
        .items(&format!("{spec}/containers"))
        .find(|(_, value)| value["name"] == context.kind.container);
    if let Some((at, _)) = main {
        effects::workdir(lowered, &at, merged);
        effects::variables(lowered, context.role(id), role.who, &at, merged);
        references::judge(context.plan, lowered, id, &at, merged);
        effects::hidden_gpus(&at, context.plan, role, merged);
        effects::precedence(&at, context.plan, id, merged);
        effects::probes(&at, context, role, merged);
        effects::lengths(role.who, &at, merged);
    }
}

fn pod(context: &Context<'_>, role: &Role<'_>, spec: &str, merged: &mut Merged<'_>) {
    let place = format!("{spec}/volumes");
    let mut volumes = BTreeSet::new();
    for (at, volume) in merged.items(&place) {
        let name = word(volume, "name");
        volumes.insert(name);
        let sources = volume.as_object().map_or(0, |keys| keys.len().saturating_sub(1));
        if sources != 1 {
            merged
                .fault(&[&at], &format!("volume `{name}` has {sources} sources, but must have exactly one"));
        }
    }
    let (mut names, mut hosts) = (BTreeSet::new(), BTreeSet::new());
    host(spec, merged);
    sysctls(spec, merged);
    // With the option `restricted`, `restricted::judge` already reports containers that run as root.
    if !context.options.restricted() {
        root(spec, merged);
    }
    for list in ["initContainers", "containers"] {
        let above = names.clone();
        for (at, container) in merged.items(&format!("{spec}/{list}")) {
            let name = word(container, "name");
            let ours = !merged.wrote(&format!("{at}/name"));
            names.insert(name);
            if above.contains(name) {
                merged.fault(&[&at], &format!("two containers have the name `{name}`"));
            }
            if word(container, "image").is_empty() {
                merged.fault(&[&at], &format!("the container `{name}` has no image"));
            }
            volumes_of(&at, name, &volumes, &place, merged);
            mounts::judge(context, &at, ours, spec, merged);
            amounts(&at, name, merged);
            variables(&at, merged);
            if list == "initContainers" {
                early(&at, name, merged);
            }
            ports::judge(&at, &mut hosts, merged);
            if list == "containers" && name == context.kind.container {
                (role.ports)(&at, merged);
            }
            if ours {
                command(context, &at, name, merged);
                let restart = format!("{at}/restartPolicy");
                merged.changed(
                    &restart,
                    &format!(
                        "`{name}` finishes before the program starts, so it cannot have a restart policy"
                    ),
                );
            }
        }
    }
}

pub fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn volumes_of(container: &str, name: &str, volumes: &BTreeSet<&str>, place: &str, merged: &mut Merged<'_>) {
    for (at, mount) in merged.items(&format!("{container}/volumeMounts")) {
        let volume = word(mount, "name");
        if !volumes.contains(volume) {
            let fact = format!("`{name}` mounts volume `{volume}`, which does not exist");
            merged.fault(&[&at, place], &fact);
        }
    }
}

/// Checks the resources of a container: a request may not exceed its limit. For an extended resource, both must be equal.
fn amounts(container: &str, name: &str, merged: &mut Merged<'_>) {
    let (requests, limits) =
        (format!("{container}/resources/requests"), format!("{container}/resources/limits"));
    let Some(required) = merged.at(&requests).as_object() else { return };
    for (resource, amount) in required {
        let limit = &merged.at(&limits)[resource.as_str()];
        let places = [requests.as_str(), limits.as_str()]
            .map(|side| format!("{side}/{}", tfjob_lang::origin::pointer_step(resource)));
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        let domain = resource.split_once('/').map(|(domain, _)| domain);
        let device = domain.is_some_and(|domain| !domain.ends_with("kubernetes.io"));
        match (Quantity::of(amount), Quantity::of(limit)) {
            (Some(amount), Some(limit)) if amount > limit => {
                merged.fault(&places, &format!("`{name}` requests more `{resource}` than its limit"));
            }
            (Some(amount), Some(limit)) if device && amount < limit => {
                merged.fault(&places, &format!("`{name}` requests less `{resource}` than its limit"));
            }
            (Some(_), None) if device => {
                merged.fault(&places, &format!("`{name}` requests `{resource}` without a limit"));
            }
            _ => {}
        }
    }
}

/// Reports settings of host namespaces, such as `hostPID`, that exclude each other, and settings of host names that exclude each
/// other. Also reports invalid DNS settings.
fn host(spec: &str, merged: &mut Merged<'_>) {
    let is = |key: &str, value: bool| merged.at(&format!("{spec}/{key}")) == value;
    let (pid, ipc, network) = (is("hostPID", true), is("hostIPC", true), is("hostNetwork", true));
    let (shared, own) = (is("shareProcessNamespace", true), is("hostUsers", false));
    let fqdn = is("setHostnameAsFQDN", true);
    let named = !merged.at(&format!("{spec}/hostnameOverride")).is_null();
    let servers = merged.at(&format!("{spec}/dnsConfig/nameservers")).as_array().map_or(0, Vec::len);
    let none = merged.at(&format!("{spec}/dnsPolicy")) == "None";
    for (wrong, keys, fact) in [
        (
            pid && shared,
            ["hostPID", "shareProcessNamespace"],
            "`hostPID` cannot be combined with `shareProcessNamespace`",
        ),
        (own && pid, ["hostPID", "hostUsers"], "`hostUsers: false` cannot be combined with `hostPID`"),
        (own && ipc, ["hostIPC", "hostUsers"], "`hostUsers: false` cannot be combined with `hostIPC`"),
        (
            own && network,
            ["hostNetwork", "hostUsers"],
            "`hostUsers: false` cannot be combined with `hostNetwork`",
        ),
        (
            named && fqdn,
            ["hostnameOverride", "setHostnameAsFQDN"],
            "`hostnameOverride` cannot be combined with `setHostnameAsFQDN`",
        ),
        (
            named && network,
            ["hostnameOverride", "hostNetwork"],
            "`hostnameOverride` cannot be combined with `hostNetwork`",
        ),
        (none && servers == 0, ["dnsPolicy", "dnsConfig"], "`dnsPolicy: None` needs `dnsConfig.nameservers`"),
        (servers > 3, ["dnsConfig/nameservers", "dnsConfig"], "`dnsConfig` takes at most 3 `nameservers`"),
    ] {
        if wrong {
            let places = keys.map(|key| format!("{spec}/{key}"));
            merged.fault(&[&places[0], &places[1]], fact);
        }
    }
}

/// Reports containers that run as root although `runAsNonRoot` is set, because the kubelet does not start them
/// (`verifyRunAsNonRoot`). The security context of a container takes precedence over that of the Pod.
fn root(spec: &str, merged: &mut Merged<'_>) {
    let pod = format!("{spec}/securityContext");
    for list in ["initContainers", "containers"] {
        for (at, container) in merged.items(&format!("{spec}/{list}")) {
            let own = format!("{at}/securityContext");
            let effective = |key: &str| {
                let places = [format!("{own}/{key}"), format!("{pod}/{key}")];
                places.into_iter().find(|place| !merged.at(place).is_null())
            };
            let (Some(flag), Some(user)) = (effective("runAsNonRoot"), effective("runAsUser")) else {
                continue;
            };
            if *merged.at(&flag) == true && *merged.at(&user) == 0 {
                let fact = format!(
                    "`{}` has `runAsNonRoot: true` and `runAsUser: 0`, so the kubelet never starts it",
                    word(container, "name")
                );
                merged.fault(&[&flag, &user], &fact);
                return;
            }
        }
    }
}

/// Reports sysctls of a Linux namespace that the Pod shares with its node, because such a sysctl would change the node.
fn sysctls(spec: &str, merged: &mut Merged<'_>) {
    for (at, sysctl) in merged.items(&format!("{spec}/securityContext/sysctls")) {
        let name = word(sysctl, "name").replace('/', ".");
        let groups = [
            ("hostNetwork", &["net."][..]),
            ("hostIPC", &["kernel.shm", "kernel.msg", "kernel.sem", "fs.mqueue."]),
        ];
        for (key, parameters) in groups {
            let shared = merged.at(&format!("{spec}/{key}")) == true;
            if shared && parameters.iter().any(|begin| name.starts_with(begin)) {
                merged.fault(&[&at], &format!("`{key}` cannot be combined with the sysctl `{name}`"));
            }
        }
    }
}

/// Reports probes and hooks of an init container. Only an init container with `restartPolicy: Always` may have them.
fn early(container: &str, name: &str, merged: &mut Merged<'_>) {
    if merged.at(&format!("{container}/restartPolicy")) == "Always" {
        return;
    }
    for key in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
        let at = format!("{container}/{key}");
        if !merged.at(&at).is_null() {
            let fact = format!("init container `{name}` has `{key}`, which requires `restartPolicy: Always`");
            merged.fault(&[&at], &fact);
        }
    }
}

fn variables(container: &str, merged: &mut Merged<'_>) {
    for (at, variable) in merged.items(&format!("{container}/env")) {
        let name = word(variable, "name");
        if variable["valueFrom"].is_object() && !word(variable, "value").is_empty() {
            let fact = format!("`{name}` has both `value` and `valueFrom`");
            merged.fault(&[&at, &format!("{at}/valueFrom")], &fact);
        }
    }
}

/// Reports patches of `command` and `args` in containers of the job. The command of the program comes from `run` or `shell`, or
/// starts the shim. An init container runs a command of tfjob, such as a download.
fn command(context: &Context<'_>, container: &str, name: &str, merged: &mut Merged<'_>) {
    for key in ["command", "args"] {
        let at = format!("{container}/{key}");
        // Containers of the job have no `args`, so a patch that removes `args` changes nothing.
        if !merged.wrote(&at) || key == "args" && merged.at(&at).is_null() {
            continue;
        }
        let fact = if name == context.kind.container {
            format!("`{key}` of `{name}` is set by `run` or `shell`; use one of these instead of the patch")
        } else {
            format!(
                "init container `{name}` prepares the files of the task, so a patch cannot change its `{key}`"
            )
        };
        merged.changed(&at, &fact);
    }
}
