//! A group of apps with the user's patches in it: what Marathon says of an app as a whole.
mod environment;
mod fetched;
mod networks;
mod ports;
mod roles;
mod sandbox;
mod volumes;

use super::patched::published::GROUP;
use crate::dcos::secrets::{self, Unreadable};
use crate::dcos::{Dcos, images};
use crate::patch::Merged;
use crate::patch::published::Kind;
use serde_json::Value;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::{Site, is_true};

/// Operators of a constraint (`constraint.raml`): those without a value, with one or without, with one.
const OPERATORS: [(&str, bool, bool); 7] = [
    ("UNIQUE", true, false),
    ("CLUSTER", true, true),
    ("GROUP_BY", true, true),
    ("LIKE", false, true),
    ("UNLIKE", false, true),
    ("MAX_PER", false, true),
    ("IS", false, true),
];

/// Fields that came with a version of DC/OS: Marathon 1.6 is in 1.11, 1.7 in 1.12, 1.8 in 1.13, 1.9 in 2.0, 1.10 in 2.1.
const SINCE: [(&str, (u32, u32)); 6] = [
    ("check", (1, 13)),
    ("container/linuxInfo/ipcInfo", (2, 1)),
    ("container/linuxInfo/seccomp", (1, 13)),
    ("executorResources", (1, 12)),
    ("resourceLimits", (2, 1)),
    ("role", (2, 0)),
];

/// Lists of an app in which the job's own items stand, and by which field they are merged.
const OWN: [(&str, Option<&str>); 4] = [
    ("/apps/*/container/portMappings", Some("name")),
    ("/apps/*/container/volumes", Some("containerPath")),
    ("/apps/*/fetch", Some("uri")),
    ("/apps/*/portDefinitions", Some("name")),
];

/// Judges the group and each app.
pub fn judge(merged: &mut Merged<'_>, plan: &Plan, site: &Site<Dcos>, lowered: &Lowered) {
    if !merged.is_patched() {
        return;
    }
    merged.lost(&OWN);
    merged.typed("", Kind::Object(&GROUP), &mut object);
    since(merged, "", "enforceRole", (2, 0), site);
    roles::enforced(merged);
    let group = merged.at("/id").as_str().unwrap_or_default();
    for (at, app) in merged.items("/apps") {
        let id = app["id"].as_str().unwrap_or_default();
        let below = id.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'));
        if merged.wrote(&format!("{at}/id")) {
            let fact = format!("`{id}` is not the app of its task: apps find each other by the spec's names");
            merged.fault(&[&format!("{at}/id")], &fact);
        } else if merged.wrote("/id") && !below {
            let fact = format!("`{group}` does not hold the apps: they find each other by the spec's names");
            merged.fault(&["/id"], &fact);
        }
        for (at, constraint) in merged.items(&format!("{at}/constraints")) {
            constrained(&at, constraint, merged);
        }
        newer(&at, merged, site);
        images::patched(merged, &format!("{at}/container/docker/image"), site);
        secrets(&at, app, merged);
        stored(&at, app, merged, site);
        let own = sandbox::Own::of(&at, merged, plan);
        fetched::judge(&at, merged, &own);
        volumes::judge(&at, app, merged, plan, &own);
        ports::judge(&at, app, merged);
        networks::judge(&at, app, merged, site);
        limits(&at, app, merged);
        roles::judge(&at, app, merged);
        resident(&at, app, merged);
        let hidden = app["env"]["CUDA_VISIBLE_DEVICES"] == "";
        if hidden && app["gpus"].as_u64().is_some_and(|gpus| gpus > 0) {
            let fact =
                "the app has GPUs, and `CUDA_VISIBLE_DEVICES` hides them: write `resources gpus=1` instead";
            merged.fault(&[&format!("{at}/gpus")], fact);
        }
        labeled(&at, app, merged);
    }
    environment::judge(merged, plan, lowered);
}

/// What Marathon says of one object as a whole, by the name of its type (`AppValidation`, `SecretValidation`).
fn object(merged: &mut Merged<'_>, owner: &str, at: &str) {
    let value = merged.at(at);
    let mut tell = |wrong: bool, fact: &str| {
        if wrong {
            merged.fault(&[at], &format!("`{}` {fact}", merged.path(at)));
        }
    };
    let has = |key: &str| value.get(key).is_some();
    match owner {
        "App" => {
            let both = !value["uris"].as_array().is_none_or(Vec::is_empty) && has("fetch");
            tell(both, "has `uris` and `fetch`, and Marathon takes one of them: write `fetch`");
        }
        "AppVolume" => {
            let kinds = ["external", "hostPath", "persistent", "secret"];
            tell(
                kinds.iter().filter(|kind| has(kind)).count() != 1,
                "has not one of `hostPath`, `persistent`, `external` and `secret`",
            );
            tell(!has("secret") && !has("mode"), "has no `mode`");
            let container = value["containerPath"].as_str().unwrap_or_default();
            let plain = !container.contains('/') && !matches!(container, "." | "..");
            tell(has("persistent") && !plain, "is persistent: `containerPath` is one name in the sandbox");
            tell(has("persistent") && value["mode"] != "RW", "is persistent: `mode` is `RW`");
        }
        "PersistentVolumeInfo" => {
            let (kind, most) = (value["type"].as_str(), value["maxSize"].as_i64());
            tell(most.is_some() && kind != Some("mount"), "has `maxSize`, which only `type: mount` has");
            tell(
                most.is_some() && most <= value["size"].as_i64(),
                "has a `maxSize` that is not above `size`",
            );
            tell(
                has("constraints") && matches!(kind, None | Some("root")),
                "has `constraints`, which `type: root` has not",
            );
        }
        "AppCheck" => {
            let kinds = ["exec", "http", "tcp"];
            tell(
                kinds.iter().filter(|kind| has(kind)).count() != 1,
                "has not one of `exec`, `http` and `tcp`",
            );
        }
        "ReadinessCheck" => {
            let seconds = |key: &str, default: i64| value[key].as_i64().unwrap_or(default);
            tell(
                seconds("timeoutSeconds", 10) >= seconds("intervalSeconds", 30),
                "has a `timeoutSeconds` that is not below `intervalSeconds`",
            );
        }
        _ => {}
    }
}

/// A task with a persistent volume goes back to its agent (`requireUnreachableDisabledForResidentTasks`).
fn resident(at: &str, app: &Value, merged: &mut Merged<'_>) {
    let volumes = app["container"]["volumes"].as_array();
    let kept = volumes.into_iter().flatten().any(|volume| volume.get("persistent").is_some());
    if (kept || app.get("residency").is_some()) && app["unreachableStrategy"] != "disabled" {
        let fact = "a task that stays on its agent has `unreachableStrategy: disabled`: patch it too";
        merged.fault(
            &[
                &format!("{at}/container/volumes"),
                &format!("{at}/residency"),
                &format!("{at}/unreachableStrategy"),
            ],
            fact,
        );
    }
    if kept && app["role"] == "*" {
        merged
            .fault(&[&format!("{at}/role")], "a persistent volume is reserved for a role, which is not `*`");
    }
    if app["readinessChecks"].as_array().is_some_and(|all| all.len() > 1) {
        merged.fault(&[&format!("{at}/readinessChecks")], "`readinessChecks` holds more than one");
    }
}

/// Labels that Marathon and DC/OS read (`complyWithMigrationAPI`, `complyWithSingleInstanceLabelRules`).
fn labeled(at: &str, app: &Value, merged: &mut Merged<'_>) {
    let given = |name: &str| app["labels"][name].as_str().unwrap_or_default();
    let version = given("DCOS_MIGRATION_API_VERSION");
    let others =
        !given("DCOS_PACKAGE_FRAMEWORK_NAME").is_empty() && !given("DCOS_MIGRATION_API_PATH").is_empty();
    if !version.is_empty() && (version != "v1" || !others) {
        let fact = "`DCOS_MIGRATION_API_VERSION` is `v1`, beside `DCOS_PACKAGE_FRAMEWORK_NAME` and `DCOS_MIGRATION_API_PATH`";
        merged.fault(&[&format!("{at}/labels/DCOS_MIGRATION_API_VERSION"), &format!("{at}/labels")], fact);
    }
}

/// No limit is below what is requested, and no end before its beginning (`AppValidation`, `UnreachableStrategy`).
fn limits(at: &str, app: &Value, merged: &mut Merged<'_>) {
    for field in ["cpus", "mem"] {
        let limit = app["resourceLimits"][field].as_f64();
        if limit.zip(app[field].as_f64()).is_some_and(|(limit, requested)| limit < requested) {
            let fact = format!("`resourceLimits.{field}` is below the `{field}` that the app requests");
            merged.fault(&[&format!("{at}/resourceLimits/{field}"), &format!("{at}/{field}")], &fact);
        }
    }
    let seconds = |field: &str| app["unreachableStrategy"][field].as_f64();
    let both = seconds("inactiveAfterSeconds").zip(seconds("expungeAfterSeconds"));
    if both.is_some_and(|(inactive, expunge)| inactive > expunge) {
        let fact = "`inactiveAfterSeconds` is above `expungeAfterSeconds`";
        merged.fault(&[&format!("{at}/unreachableStrategy")], fact);
    }
}

/// Fields that the cluster's version of Marathon would refuse or drop.
fn newer(app: &str, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    for (field, version) in SINCE {
        since(merged, app, field, version, site);
    }
    for (at, volume) in merged.items(&format!("{app}/container/volumes")) {
        if volume["external"]["provider"] == "csi" {
            since(merged, &at, "external", (2, 1), site);
        }
        since(merged, &at, "persistent/profileName", (1, 11), site);
    }
    for (at, _) in merged.items(&format!("{app}/healthChecks")) {
        since(merged, &at, "ipProtocol", (1, 11), site);
    }
}

fn since(merged: &mut Merged<'_>, above: &str, field: &str, (major, minor): (u32, u32), site: &Site<Dcos>) {
    let at = format!("{above}/{field}");
    if !merged.at(&at).is_null() && !site.job.is_since((major, minor)) {
        let name = field.rsplit('/').next().unwrap_or_default();
        let fact = format!(
            "`{name}` needs DC/OS {major}.{minor}: add `version \"{major}.{minor}\"` to `target \"dcos\"` if the cluster is that new"
        );
        merged.fault(&[&at], &fact);
    }
}

fn constrained(at: &str, constraint: &Value, merged: &mut Merged<'_>) {
    let words: Vec<&str> = constraint.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let [_, operator, value @ ..] = words.as_slice() else {
        return merged.fault(&[at], "a constraint has no operator: it is an attribute, an operator, a value");
    };
    let Some((_, without, with)) = OPERATORS.iter().find(|(name, ..)| name == operator) else {
        let known = OPERATORS.map(|(name, ..)| format!("`{name}`")).join(", ");
        return merged
            .fault(&[at], &format!("`{operator}` is no operator of a constraint: those are {known}"));
    };
    match value {
        [] if *without => {}
        [_] if *with => {}
        [] => merged.fault(&[at], &format!("`{operator}` has no value")),
        _ => merged.fault(&[at], &format!("`{operator}` has too many values")),
    }
    if *operator == "MAX_PER" && value.first().is_some_and(|value| value.parse::<u32>().is_err()) {
        merged.fault(&[at], "`MAX_PER` takes a whole number");
    }
}

/// A secret is named by its key in the app's own list.
fn secrets(app: &str, value: &Value, merged: &mut Merged<'_>) {
    let known = |key: &str| value["secrets"].get(key).is_some();
    let list = format!("{app}/secrets");
    let mut named = Vec::new();
    for (name, variable) in value["env"].as_object().into_iter().flatten() {
        if let Some(secret) = variable["secret"].as_str() {
            named.push((format!("{app}/env/{}", tfjob_lang::origin::pointer_step(name)), secret));
        }
    }
    for (at, volume) in merged.items(&format!("{app}/container/volumes")) {
        named.extend(volume["secret"].as_str().map(|secret| (at, secret)));
    }
    let pulled = format!("{app}/container/docker/pullConfig/secret");
    if let Some(secret) = merged.at(&pulled).as_str() {
        named.push((pulled, secret));
    }
    for (at, secret) in named {
        if !known(secret) {
            merged.fault(&[&at, &list], &format!("`{secret}` is no secret of the app"));
        }
    }
}

/// Only DC/OS Enterprise has a store of secrets; the path of a secret says which services read it.
fn stored(app: &str, value: &Value, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let list = format!("{app}/secrets");
    let Some(all) = value["secrets"].as_object().filter(|all| !all.is_empty()) else { return };
    if !is_true(site.job.enterprise.as_ref()) {
        let fact = "the app has `secrets`, which only DC/OS Enterprise keeps: add `enterprise #true` to `target \"dcos\"` if the cluster is one";
        return merged.fault(&[&list], fact);
    }
    let service = value["id"].as_str().unwrap_or_default();
    let group = merged.at("/id").as_str().unwrap_or_default();
    let paths: Vec<String> =
        all.values().filter_map(|secret| secret["source"].as_str()).map(str::to_owned).collect();
    for (key, secret) in all {
        let source = secret["source"].as_str().unwrap_or_default();
        let fact = match secrets::unreadable(source, service) {
            None => continue,
            Some(Unreadable::NoPath) => format!("`{source}` is no path of a secret"),
            Some(Unreadable::Outside(folder)) => {
                let way = secrets::way(&paths, group, &site.job);
                format!("only services below `/{folder}` read the secret `{source}`: {way}")
            }
        };
        merged.fault(&[&format!("{list}/{}", tfjob_lang::origin::pointer_step(key))], &fact);
    }
}
