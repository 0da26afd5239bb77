//! Checks for patched values that have no effect, or that break other parts of the job.
use super::{Role, word};
use crate::contract_builder;
use crate::devices::is_gpu;
use crate::patch::Merged;
use crate::pod::context::Context;
use crate::pod::view::{Who, environment};
use std::collections::BTreeMap;
use tfjob_contract::{LONGEST_TEXT, MOST_BYTES, RENDEZVOUS};
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Identity, Lifecycle, Requirement};

/// Reports patched environment variables that the shim overwrites.
pub fn variables(lowered: &Lowered, role: &str, who: &Who<'_>, container: &str, merged: &mut Merged<'_>) {
    let Some((contract, _)) = &lowered.contract else { return };
    let all = merged.items(&format!("{container}/env"));
    let patched: BTreeMap<String, String> = all
        .filter_map(|(at, variable)| {
            let changed = merged.changed_below(&at).or_else(|| merged.wrote(&at).then_some(at));
            Some((word(variable, "name").to_owned(), changed?))
        })
        .collect();
    if patched.is_empty() {
        return;
    }
    let env = environment(merged.at(container), who);
    for name in contract_builder::lost_variables(contract, env, role, patched.keys()) {
        let fact =
            format!("`{name}` has no effect, because the shim overwrites it before the program starts");
        merged.changed(&patched[name], &fact);
    }
}

/// Reports a patched working directory. It has no effect, because the shim starts the program in the directory that the contract
/// sets.
pub fn workdir(lowered: &Lowered, container: &str, merged: &mut Merged<'_>) {
    let at = format!("{container}/workingDir");
    if lowered.contract.is_some() && merged.at(&at).is_string() {
        let fact =
            "`workingDir` has no effect, because the shim starts the program in the directory of `workdir`";
        merged.changed(&at, fact);
    }
}

/// Reports patched environment variables that are too long for Linux after the kubelet has expanded them.
pub fn lengths(who: &Who<'_>, container: &str, merged: &mut Merged<'_>) {
    let env = environment(merged.at(container), who);
    let list = format!("{container}/env");
    for (at, variable) in merged.items(&list) {
        let name = word(variable, "name");
        let length = env.get(name).map_or(0, |value| name.len() + 1 + value.len());
        if length > LONGEST_TEXT && (merged.wrote(&at) || merged.changed_below(&at).is_some()) {
            let fact = format!(
                "variable `{name}` would exceed the {LONGEST_TEXT} bytes that Linux allows for one variable"
            );
            merged.fault(&[&format!("{at}/value"), &at], &fact);
            // Only the first variable that is too long is reported. Usually, later variables are too long only because they refer
            // to the first one.
            return;
        }
    }
    let total: usize = env.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
    let last = merged.items(&list).map(|(at, _)| at).filter(|at| merged.changed_below(at).is_some()).last();
    if let Some(at) = last.filter(|_| total > MOST_BYTES) {
        let fact = format!("all variables together would exceed the {MOST_BYTES} bytes that Linux allows");
        merged.fault(&[&at], &fact);
    }
}

/// Reports a GPU that a patch requests for a role without `gpus`. tfjob sets `CUDA_VISIBLE_DEVICES` to an empty string for such a
/// role, so that the program does not see the GPU.
pub fn hidden_gpus(container: &str, plan: &Plan, role: &Role<'_>, merged: &mut Merged<'_>) {
    let resources = &plan.roles[role.id].resources;
    if resources.gpus > 0 || resources.other_devices {
        return;
    }
    let limits = format!("{container}/resources/limits");
    let names = merged.at(&limits).as_object().into_iter().flat_map(serde_json::Map::keys);
    let variable = merged.items(&format!("{container}/env"));
    let visible = variable.into_iter().find(|(_, v)| v["name"] == "CUDA_VISIBLE_DEVICES");
    let shown = visible.is_some_and(|(_, v)| !word(v, "value").is_empty() || v["valueFrom"].is_object());
    for name in names.filter(|name| is_gpu(name)).cloned().collect::<Vec<_>>() {
        let at = format!("{limits}/{}", tfjob_lang::origin::pointer_step(&name));
        if merged.wrote(&at) && !shown {
            let role = role.name;
            let fact = format!(
                "`{role}` requests `{name}` but has no `gpus`, so CUDA_VISIBLE_DEVICES hides the GPU: set `gpus` or `device` instead"
            );
            merged.fault(&[&at], &fact);
        }
    }
}

/// Warns of container fields that override `user` or shorten `stop grace`. The `SecurityContext` of a container takes precedence
/// over that of the Pod, and a `preStop` hook uses up part of the grace period.
pub fn precedence(container: &str, plan: &Plan, id: RoleId, merged: &mut Merged<'_>) {
    for required in &plan.requirements {
        if matches!(required.requirement, Requirement::Identity(Identity::User { role, .. }) if role == id) {
            for key in ["runAsUser", "runAsGroup"] {
                let at = format!("{container}/securityContext/{key}");
                if let Some(number) = merged.at(&at).as_i64() {
                    let fact =
                        format!("the patch sets `{key}: {number}` of the container, which overrides `user`");
                    merged.contrary(
                        &at,
                        required.at,
                        &fact,
                        "remove the field from the patch, or change `user`",
                    );
                }
            }
        }
        let hook = format!("{container}/lifecycle/preStop");
        let changed = merged.changed_below(&hook).or_else(|| merged.wrote(&hook).then(|| hook.clone()));
        let changed = changed.filter(|_| merged.at(&hook).is_object());
        if let (Requirement::Lifecycle(Lifecycle::StopGrace { .. }), Some(at)) =
            (&required.requirement, changed)
        {
            let fact = "the `preStop` hook counts toward `stop grace`, because it runs before SIGTERM; if it uses all of this time, SIGKILL follows 2 seconds after SIGTERM";
            let help = "increase `stop grace` by the duration of the hook, or remove the hook from the patch";
            merged.contrary(&at, required.at, fact, help);
        }
    }
}

/// Reports probes of ports other than the rendezvous port, if peers need the DNS record of the Pod at startup: the Pod has no
/// record until these probes pass. If another task waits for the end of the Pod, reports any readiness probe: a failing probe
/// removes the record, and the other task takes a missing record for the end.
pub fn probes(container: &str, context: &Context<'_>, role: &Role<'_>, merged: &mut Merged<'_>) {
    if !role.peers.need_name {
        return;
    }
    let cluster = context.plan.roles[role.id].ports.iter().find(|port| port.name.value == RENDEZVOUS);
    let number = cluster.and_then(|port| port.number).or(context.kind.added_port).unwrap_or_default();
    for key in ["readinessProbe", "startupProbe"] {
        let at = format!("{container}/{key}");
        let probe = merged.at(&at);
        let port = &probe["tcpSocket"]["port"];
        if probe.is_object() && key == "readinessProbe" && role.peers.await_end {
            let role = role.name;
            let fact = format!(
                "`readinessProbe` removes the DNS record of a running pod of `{role}` that does not listen, so the task that waits for its end would treat it as finished: remove the probe"
            );
            merged.changed_below(&at).iter().for_each(|at| merged.fault(&[at], &fact));
        } else if probe.is_object() && *port != number && *port != context.kind.rendezvous {
            let places = merged.changed_below(&at);
            let role = role.name;
            let fact = format!(
                "`{key}` hides the DNS record of a pod of `{role}` until it passes, but peers need the record at startup: probe `tcpSocket: {{port: {number}}}`"
            );
            places.iter().for_each(|at| merged.fault(&[at], &fact));
        }
    }
}

/// Warns of a container that a patch adds, because a Pod succeeds only when all its containers have finished.
pub fn sidecars(spec: &str, context: &Context<'_>, role: &Role<'_>, merged: &mut Merged<'_>) {
    for (at, container) in merged.items(&format!("{spec}/containers")) {
        let name = word(container, "name");
        if name == context.kind.container {
            continue;
        }
        let role = role.name;
        let fact = format!(
            "the job may never finish: a pod of `{role}` succeeds only when all its containers have exited, but container `{name}` may keep running"
        );
        let help = format!(
            "if the container does not exit, move it to `initContainers` with `restartPolicy: Always`: `{{initContainers: [{{name: {name}, restartPolicy: Always, …}}]}}`"
        );
        merged.uncheckable(&format!("{at}/name"), &fact, &help);
    }
}

/// Reports readiness gates. A component outside the Pod sets their conditions, and the Pod has no DNS record until all of them are
/// true.
pub fn readiness_gates(spec: &str, role: &Role<'_>, merged: &mut Merged<'_>) {
    let at = format!("{spec}/readinessGates");
    let gates = merged.at(&at).as_array().is_some_and(|gates| !gates.is_empty());
    if gates && role.peers.need_name {
        let role = role.name;
        let fact = format!(
            "`readinessGates` hide the DNS record of a pod of `{role}` until they are true, but peers need the record at startup"
        );
        merged.fault(&[&at], &fact);
    }
}

/// Reports DNS settings with which a task cannot resolve the names of its peers.
pub fn dns(spec: &str, context: &Context<'_>, role: &Role<'_>, merged: &mut Merged<'_>) {
    let id = role.id;
    let waits = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::After { role, .. }) if *role == id);
    if !role.meets && !context.plan.requirements.iter().any(|required| waits(&required.requirement)) {
        return;
    }
    let at = |key: &str| format!("{spec}/{key}");
    let policy = merged.at(&at("dnsPolicy")).as_str().unwrap_or("ClusterFirst");
    let searches = merged.at(&at("dnsConfig/searches")).as_array().map_or(0, Vec::len);
    let name = role.name;
    let fact = match policy {
        "ClusterFirst" if merged.at(&at("hostNetwork")) == true => format!(
            "with `hostNetwork`, `{name}` cannot resolve the names of its peers: add `dnsPolicy: ClusterFirstWithHostNet`"
        ),
        "Default" => format!("with `dnsPolicy: Default`, `{name}` cannot resolve the names of its peers"),
        "None" if searches == 0 => format!(
            "without `dnsConfig.searches`, `{name}` cannot resolve the names of its peers, which end in `.svc`: add the domain of the cluster, such as `cluster.local`"
        ),
        _ => return,
    };
    merged.fault(&[&at("dnsPolicy"), &at("hostNetwork"), &at("dnsConfig")], &fact);
}
