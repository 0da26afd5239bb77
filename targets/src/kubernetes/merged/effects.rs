//! Values of a patch that reach nothing: other parts of the job set them again, or hide them.
use super::word;
use crate::carry;
use crate::devices::is_gpu;
use crate::kubernetes::context::Context;
use crate::kubernetes::support::lifecycle;
use crate::kubernetes::{operator, view};
use crate::patch::Merged;
use std::collections::BTreeMap;
use tfjob_contract::{LONGEST_TEXT, MOST_BYTES};
use tfjob_lang::ask::{Ask, Identity, Lifecycle};
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::Kept;

/// Variables that the shim sets after the container's own.
pub fn variables(plan: &Plan, lowered: &Lowered, id: RoleId, container: &str, merged: &mut Merged<'_>) {
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
    let who = view::Who::new(plan, merged.at(""), id, 0);
    let env = view::environment(merged.at(container), &who);
    for name in carry::lost_variables(contract, env, &plan.roles[id].name.value, patched.keys()) {
        let fact = format!("`{name}` has no effect: the shim sets it again before the program starts");
        merged.changed(&patched[name], &fact);
    }
}

/// Pods that `keep` leaves without a limit of time, until a patch sets one.
pub fn kept(plan: &Plan, merged: &mut Merged<'_>) {
    const TTL: &str = "/spec/runPolicy/ttlSecondsAfterFinished";
    let stays = |ask: &Ask| {
        matches!(ask, Ask::Lifecycle(Lifecycle::Keep { what: Kept::Failed | Kept::All, seconds: None }))
    };
    let Some(asked) = plan.asks.iter().find(|asked| stays(&asked.ask)) else { return };
    if let Some(seconds) = merged.at(TTL).as_i64() {
        let fact = "the patch sets `ttlSecondsAfterFinished`, so the operator deletes the Pods and their logs that `keep` leaves";
        let help = match seconds {
            1.. => format!("write the time in `keep`: `for=\"{seconds}s\"`; or remove it from the patch"),
            _ => "remove it from the patch, or remove `keep`".to_owned(),
        };
        merged.contrary(TTL, asked.at, fact, &help);
    }
}

/// The directory in which the shim starts the program is in its contract.
pub fn workdir(lowered: &Lowered, container: &str, merged: &mut Merged<'_>) {
    let at = format!("{container}/workingDir");
    if lowered.contract.is_some() && merged.at(&at).is_string() {
        let fact = "`workingDir` has no effect: the shim starts the program in the directory of `workdir`";
        merged.changed(&at, fact);
    }
}

/// Variables of a patch that are longer than a process can be given, once references in them are replaced.
pub fn lengths(plan: &Plan, id: RoleId, container: &str, merged: &mut Merged<'_>) {
    let who = view::Who::new(plan, merged.at(""), id, 0);
    let env = view::environment(merged.at(container), &who);
    let list = format!("{container}/env");
    for (at, variable) in merged.items(&list) {
        let name = word(variable, "name");
        let length = env.get(name).map_or(0, |value| name.len() + 1 + value.len());
        if length > LONGEST_TEXT && (merged.wrote(&at) || merged.changed_below(&at).is_some()) {
            let fact = format!(
                "the variable `{name}` would be longer than the {LONGEST_TEXT} bytes that Linux passes"
            );
            merged.fault(&[&format!("{at}/value"), &at], &fact);
            // Those that repeat it are longer still.
            return;
        }
    }
    let total: usize = env.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
    let last = merged.items(&list).map(|(at, _)| at).filter(|at| merged.changed_below(at).is_some()).last();
    if let Some(at) = last.filter(|_| total > MOST_BYTES) {
        let fact =
            format!("all variables together would be longer than the {MOST_BYTES} bytes that Linux passes");
        merged.fault(&[&at], &fact);
    }
}

/// A GPU that a patch reserves for a role without `gpus`: no program sees it.
pub fn hidden(container: &str, plan: &Plan, id: RoleId, merged: &mut Merged<'_>) {
    let resources = &plan.roles[id].resources;
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
            let role = operator::key(plan, id);
            let fact = format!(
                "`{role}` reserves `{name}` and has no `gpus`, so CUDA_VISIBLE_DEVICES hides it: set `gpus` or `device`"
            );
            merged.fault(&[&at], &fact);
        }
    }
}

/// Fields of the container that win over those of the Pod, in which `user` and `stop grace` stand: the container's own
/// `SecurityContext` takes precedence, and the grace counts from before the hook.
pub fn wins(container: &str, plan: &Plan, id: RoleId, merged: &mut Merged<'_>) {
    for asked in &plan.asks {
        if matches!(asked.ask, Ask::Identity(Identity::User { role, .. }) if role == id) {
            for key in ["runAsUser", "runAsGroup"] {
                let at = format!("{container}/securityContext/{key}");
                if let Some(number) = merged.at(&at).as_i64() {
                    let fact =
                        format!("the patch sets `{key}: {number}` of the container, which wins over `user`");
                    merged.contrary(&at, asked.at, &fact, "remove it from the patch, or change `user`");
                }
            }
        }
        let hook = format!("{container}/lifecycle/preStop");
        let changed = merged.changed_below(&hook).or_else(|| merged.wrote(&hook).then(|| hook.clone()));
        let changed = changed.filter(|_| merged.at(&hook).is_object());
        if let (Ask::Lifecycle(Lifecycle::StopGrace { .. }), Some(at)) = (&asked.ask, changed) {
            let fact = "`preStop` runs before SIGTERM and takes its time from `stop grace`: if it takes all, the program is killed 2 seconds after SIGTERM";
            let help = "add the time of the hook to `stop grace`, or remove the hook";
            merged.contrary(&at, asked.at, fact, help);
        }
    }
}

/// A Pod that is not ready has no name in DNS: a probe of another port than the rendezvous keeps peers from finding it.
pub fn hides_name(container: &str, case: &Context<'_>, id: RoleId, merged: &mut Merged<'_>) {
    if !case.needs_name(id) {
        return;
    }
    let cluster = case.plan.roles[id].ports.iter().find(|port| port.name.value == "cluster");
    let number = cluster.and_then(|port| port.number).unwrap_or(operator::DEFAULT_PORT);
    for key in ["readinessProbe", "startupProbe"] {
        let at = format!("{container}/{key}");
        let probe = merged.at(&at);
        let port = &probe["tcpSocket"]["port"];
        if probe.is_object() && key == "readinessProbe" && lifecycle::outlived(case, id) {
            let role = operator::key(case.plan, id);
            let fact = format!(
                "`readinessProbe` removes the DNS name of a Pod of `{role}` that does not listen, and the task that waits for its end would take it for finished: remove it"
            );
            merged.changed_below(&at).iter().for_each(|at| merged.fault(&[at], &fact));
        } else if probe.is_object() && *port != number && *port != "tfjob-port" {
            let places = merged.changed_below(&at);
            let role = operator::key(case.plan, id);
            let fact = format!(
                "`{key}` hides the name of a Pod of `{role}` until it is ready, and its peers need the name before: probe `tcpSocket: {{port: {number}}}`"
            );
            places.iter().for_each(|at| merged.fault(&[at], &fact));
        }
    }
}

/// A container that a patch adds: the Pod succeeds only when all its containers have ended.
pub fn lingers(spec: &str, case: &Context<'_>, id: RoleId, merged: &mut Merged<'_>) {
    for (at, container) in merged.items(&format!("{spec}/containers")) {
        let name = word(container, "name");
        if name == "tensorflow" {
            continue;
        }
        let role = operator::key(case.plan, id);
        let fact = format!(
            "tfjob does not know whether `{name}` ends, and a Pod of `{role}` succeeds only when it has ended"
        );
        let help = format!(
            "move a container that does not end to `initContainers`, with `restartPolicy: Always`: `{{initContainers: [{{name: {name}, restartPolicy: Always, …}}]}}`"
        );
        merged.doubt(&format!("{at}/name"), &fact, &help);
    }
}

/// A condition of readiness that something outside the Pod sets: until then the Pod has no name in DNS.
pub fn gated(spec: &str, case: &Context<'_>, id: RoleId, merged: &mut Merged<'_>) {
    let at = format!("{spec}/readinessGates");
    let gates = merged.at(&at).as_array().is_some_and(|gates| !gates.is_empty());
    if gates && case.needs_name(id) {
        let role = operator::key(case.plan, id);
        let fact = format!(
            "`readinessGates` hide the name of a Pod of `{role}` until they are true, and its peers need the name before"
        );
        merged.fault(&[&at], &fact);
    }
}

/// A resolver that does not know the names of the job's Services, where tasks look for each other.
pub fn deaf(spec: &str, case: &Context<'_>, id: RoleId, merged: &mut Merged<'_>) {
    let waits = |ask: &Ask| matches!(ask, Ask::Lifecycle(Lifecycle::After { role, .. }) if *role == id);
    if !case.meets(id) && !case.plan.asks.iter().any(|asked| waits(&asked.ask)) {
        return;
    }
    let at = |key: &str| format!("{spec}/{key}");
    let policy = merged.at(&at("dnsPolicy")).as_str().unwrap_or("ClusterFirst");
    let searches = merged.at(&at("dnsConfig/searches")).as_array().map_or(0, Vec::len);
    let role = operator::key(case.plan, id);
    let fact = match policy {
        "ClusterFirst" if merged.at(&at("hostNetwork")) == true => format!(
            "on the node's network `{role}` does not resolve the names of its peers: add `dnsPolicy: ClusterFirstWithHostNet`"
        ),
        "Default" => format!("with `dnsPolicy: Default` `{role}` does not resolve the names of its peers"),
        "None" if searches == 0 => format!(
            "without `dnsConfig.searches` `{role}` does not resolve the names of its peers, which end in `.svc`: add the cluster's domain, such as `cluster.local`"
        ),
        _ => return,
    };
    merged.fault(&[&at("dnsPolicy"), &at("hostNetwork"), &at("dnsConfig")], &fact);
}
