//! Checks of the group after the patches are merged: the rules of Marathon for an app as a whole.
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

/// Operators of a constraint (`constraint.raml`), each with two flags: whether the value is optional, and whether a value is
/// allowed.
const OPERATORS: [(&str, bool, bool); 7] = [
    ("UNIQUE", true, false),
    ("CLUSTER", true, true),
    ("GROUP_BY", true, true),
    ("LIKE", false, true),
    ("UNLIKE", false, true),
    ("MAX_PER", false, true),
    ("IS", false, true),
];

/// Fields of an app, each with the DC/OS version that introduced the field. Marathon 1.6 is in DC/OS 1.11, 1.7 in 1.12, 1.8 in
/// 1.13, 1.9 in 2.0, and 1.10 in 2.1.
const SINCE: [(&str, (u32, u32)); 6] = [
    ("check", (1, 13)),
    ("container/linuxInfo/ipcInfo", (2, 1)),
    ("container/linuxInfo/seccomp", (1, 13)),
    ("executorResources", (1, 12)),
    ("resourceLimits", (2, 1)),
    ("role", (2, 0)),
];

/// Lists of an app to which tfjob itself adds items. The second element is the field by which a merge matches the items.
const OWN: [(&str, Option<&str>); 4] = [
    ("/apps/*/container/portMappings", Some("name")),
    ("/apps/*/container/volumes", Some("containerPath")),
    ("/apps/*/fetch", Some("uri")),
    ("/apps/*/portDefinitions", Some("name")),
];

/// Checks the merged group and each app.
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
            let fact = format!("`{id}` renames the app of a task, but its peers use the name of the spec");
            merged.fault(&[&format!("{at}/id")], &fact);
        } else if merged.wrote("/id") && !below {
            let fact =
                format!("`{group}` renames the group, but the apps find each other by the name of the spec");
            merged.fault(&["/id"], &fact);
        }
        for (at, constraint) in merged.items(&format!("{at}/constraints")) {
            constrained(&at, constraint, merged);
        }
        newer(&at, merged, site);
        images::patched(merged, &format!("{at}/container/docker/image"), site);
        secrets(&at, app, merged);
        stored(&at, app, merged, site);
        let used = sandbox::Used::of(&at, merged, plan);
        fetched::judge(&at, merged, &used);
        volumes::judge(&at, app, merged, plan, &used);
        ports::judge(&at, app, merged);
        networks::judge(&at, app, merged, site);
        limits(&at, app, merged);
        roles::judge(&at, app, merged);
        resident(&at, app, merged);
        let hidden = app["env"]["CUDA_VISIBLE_DEVICES"] == "";
        if hidden && app["gpus"].as_u64().is_some_and(|gpus| gpus > 0) {
            let fact = "the app requests GPUs, but `CUDA_VISIBLE_DEVICES` is empty and hides them: use `resources gpus=1` instead of the patch";
            merged.fault(&[&format!("{at}/gpus")], fact);
        }
        labeled(&at, app, merged);
    }
    environment::judge(merged, plan, lowered);
}

/// Checks one object against Marathon's rules for the object as a whole (`AppValidation`, `SecretValidation`). `owner`: type of the
/// object.
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
            tell(both, "has both `uris` and `fetch`, but Marathon accepts only one of them: use `fetch`");
        }
        "AppVolume" => {
            let kinds = ["external", "hostPath", "persistent", "secret"];
            tell(
                kinds.iter().filter(|kind| has(kind)).count() != 1,
                "must have exactly one of `hostPath`, `persistent`, `external`, and `secret`",
            );
            tell(!has("secret") && !has("mode"), "must have `mode`");
            let container = value["containerPath"].as_str().unwrap_or_default();
            let plain = !container.contains('/') && !matches!(container, "." | "..");
            tell(
                has("persistent") && !plain,
                "is persistent, so `containerPath` must be one file name in the sandbox",
            );
            tell(has("persistent") && value["mode"] != "RW", "is persistent, so `mode` must be `RW`");
        }
        "PersistentVolumeInfo" => {
            let (kind, most) = (value["type"].as_str(), value["maxSize"].as_i64());
            tell(
                most.is_some() && kind != Some("mount"),
                "has `maxSize`, which is valid only with `type: mount`",
            );
            tell(most.is_some() && most <= value["size"].as_i64(), "must have a `maxSize` above `size`");
            tell(
                has("constraints") && matches!(kind, None | Some("root")),
                "has `constraints`, which are invalid with `type: root`",
            );
        }
        "AppCheck" => {
            let kinds = ["exec", "http", "tcp"];
            tell(
                kinds.iter().filter(|kind| has(kind)).count() != 1,
                "must have exactly one of `exec`, `http`, and `tcp`",
            );
        }
        "ReadinessCheck" => {
            let seconds = |key: &str, default: i64| value[key].as_i64().unwrap_or(default);
            tell(
                seconds("timeoutSeconds", 10) >= seconds("intervalSeconds", 30),
                "must have a `timeoutSeconds` below `intervalSeconds`",
            );
        }
        _ => {}
    }
}

/// Checks that an app with a persistent volume or the field `residency` disables `unreachableStrategy`, because Marathon always
/// restarts such an app on the same agent (`requireUnreachableDisabledForResidentTasks`). Also checks that an app with a persistent
/// volume does not set `role` to `*`, and that any app has at most one readiness check.
fn resident(at: &str, app: &Value, merged: &mut Merged<'_>) {
    let volumes = app["container"]["volumes"].as_array();
    let kept = volumes.into_iter().flatten().any(|volume| volume.get("persistent").is_some());
    if (kept || app.get("residency").is_some()) && app["unreachableStrategy"] != "disabled" {
        let fact = "an app with a persistent volume or `residency` needs `unreachableStrategy: disabled`";
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
        merged.fault(
            &[&format!("{at}/role")],
            "a persistent volume is reserved for one role, so `role` cannot be `*`",
        );
    }
    if app["readinessChecks"].as_array().is_some_and(|all| all.len() > 1) {
        merged.fault(&[&format!("{at}/readinessChecks")], "`readinessChecks` can contain only one check");
    }
}

/// Checks the labels by which an app offers a migration API to DC/OS (`complyWithMigrationAPI`).
fn labeled(at: &str, app: &Value, merged: &mut Merged<'_>) {
    let given = |name: &str| app["labels"][name].as_str().unwrap_or_default();
    let version = given("DCOS_MIGRATION_API_VERSION");
    let others =
        !given("DCOS_PACKAGE_FRAMEWORK_NAME").is_empty() && !given("DCOS_MIGRATION_API_PATH").is_empty();
    if !version.is_empty() && (version != "v1" || !others) {
        let fact = if version == "v1" {
            "the label `DCOS_MIGRATION_API_VERSION` needs the labels `DCOS_PACKAGE_FRAMEWORK_NAME` and `DCOS_MIGRATION_API_PATH`"
        } else {
            "the label `DCOS_MIGRATION_API_VERSION` must be `v1`"
        };
        merged.fault(&[&format!("{at}/labels/DCOS_MIGRATION_API_VERSION"), &format!("{at}/labels")], fact);
    }
}

/// Checks that no resource limit is below the request, and that the fields of `unreachableStrategy` are consistent
/// (`AppValidation`, `UnreachableStrategy`).
fn limits(at: &str, app: &Value, merged: &mut Merged<'_>) {
    for field in ["cpus", "mem"] {
        let limit = app["resourceLimits"][field].as_f64();
        if limit.zip(app[field].as_f64()).is_some_and(|(limit, requested)| limit < requested) {
            let fact = format!("`resourceLimits.{field}` is below `{field}`, the request of the app");
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

/// Checks for fields that the Marathon version of the cluster does not know, and so would reject or drop.
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
            "`{name}` needs DC/OS {major}.{minor} or later: add `version \"{major}.{minor}\"` to `target \"dcos\"` if the cluster runs it"
        );
        merged.fault(&[&at], &fact);
    }
}

fn constrained(at: &str, constraint: &Value, merged: &mut Merged<'_>) {
    let words: Vec<&str> = constraint.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let [_, operator, value @ ..] = words.as_slice() else {
        return merged.fault(
            &[at],
            "a constraint has no operator: it must be a list of attribute, operator, and value",
        );
    };
    let Some((_, without, with)) = OPERATORS.iter().find(|(name, ..)| name == operator) else {
        let known = OPERATORS.map(|(name, ..)| format!("`{name}`")).join(", ");
        return merged
            .fault(&[at], &format!("`{operator}` is not a valid constraint operator: use one of {known}"));
    };
    match value {
        [] if *without => {}
        [_] if *with => {}
        [] => merged.fault(&[at], &format!("the constraint operator `{operator}` needs a value")),
        _ => merged.fault(&[at], &format!("the constraint operator `{operator}` has too many values")),
    }
    if *operator == "MAX_PER" && value.first().is_some_and(|value| value.parse::<u32>().is_err()) {
        merged.fault(&[at], "the value of `MAX_PER` must be an integer");
    }
}

/// Checks that each reference to a secret is a key of the app's field `secrets`.
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
            merged.fault(&[&at, &list], &format!("`{secret}` is not a key of `secrets` of the app"));
        }
    }
}

/// Checks that the app can read its secrets. Only DC/OS Enterprise has a secret store. The path of a secret decides which services
/// can read it.
fn stored(app: &str, value: &Value, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let list = format!("{app}/secrets");
    let Some(all) = value["secrets"].as_object().filter(|all| !all.is_empty()) else { return };
    if !is_true(site.job.enterprise.as_ref()) {
        let fact = "the app has `secrets`, but only DC/OS Enterprise has a secret store: add `enterprise #true` to `target \"dcos\"` if the cluster runs it";
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
            Some(Unreadable::NoPath) => format!("`{source}` is not a valid path of a secret"),
            Some(Unreadable::Outside(folder)) => {
                let help = secrets::access_help(&paths, group, &site.job);
                format!("only services below `/{folder}` can read the secret `{source}`: {help}")
            }
        };
        merged.fault(&[&format!("{list}/{}", tfjob_lang::origin::pointer_step(key))], &fact);
    }
}
