//! A group of apps with the user's patches in it: what Marathon says of an app as a whole.
use super::Dcos;
use crate::patch::Merged;
use serde_json::Value;
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

/// Fields that came with a version of DC/OS.
const SINCE: [(&str, (u32, u32)); 3] =
    [("container/linuxInfo", (2, 1)), ("resourceLimits", (2, 1)), ("role", (2, 0))];

/// Judges each app.
pub fn judge(merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let group = merged.at("/id").as_str().unwrap_or_default();
    for (at, app) in merged.items("/apps") {
        let id = app["id"].as_str().unwrap_or_default();
        let below = id.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'));
        if merged.wrote(&format!("{at}/id")) || merged.wrote("/id") && !below {
            let fact = format!("`{id}` is not the app of its task: apps find each other by the spec's names");
            merged.fault(&[&format!("{at}/id"), "/id"], &fact);
        }
        for (at, constraint) in merged.items(&format!("{at}/constraints")) {
            constrained(&at, constraint, merged);
        }
        newer(&at, merged, site);
        secrets(&at, app, merged);
        let list = format!("{at}/secrets");
        if !is_true(site.job.enterprise.as_ref())
            && merged.at(&list).as_object().is_some_and(|all| !all.is_empty())
        {
            let fact = "the app has `secrets`, which only DC/OS Enterprise keeps: add `enterprise #true` to `target \"dcos\"` if the cluster is one";
            merged.fault(&[&list], fact);
        }
        networks(&at, app, merged);
        limits(&at, app, merged);
        roles(&at, app, merged);
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

/// An app takes resources of its own role and of `*` (`AppValidation.validWithRoleEnforcement`).
fn roles(at: &str, app: &Value, merged: &mut Merged<'_>) {
    let Some(role) = app["role"].as_str() else { return };
    let accepted = app["acceptedResourceRoles"].as_array().into_iter().flatten();
    let other = accepted.filter_map(Value::as_str).find(|name| *name != "*" && *name != role);
    if let Some(other) = other {
        let fact = format!(
            "`acceptedResourceRoles` holds `{other}`, and an app of `role: {role}` accepts `*` and `{role}`"
        );
        merged.fault(&[&format!("{at}/acceptedResourceRoles"), &format!("{at}/role")], &fact);
    }
}

/// Fields that the cluster's version of Marathon would refuse.
fn newer(app: &str, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    for (field, (major, minor)) in SINCE {
        let at = format!("{app}/{field}");
        if !merged.at(&at).is_null() && !super::is_since(site, (major, minor)) {
            let name = field.rsplit('/').next().unwrap_or_default();
            let fact = format!(
                "`{name}` needs DC/OS {major}.{minor}: add `version \"{major}.{minor}\"` to `target \"dcos\"` if the cluster is that new"
            );
            merged.fault(&[&at], &fact);
        }
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

/// Only a network of containers has a name.
fn networks(app: &str, value: &Value, merged: &mut Merged<'_>) {
    let mapped = value["container"]["portMappings"].is_array();
    for (at, network) in merged.items(&format!("{app}/networks")) {
        let host = network["mode"] == "host";
        if host && network["name"].is_string() {
            merged.fault(&[&at], "the host's network has no name");
        }
        if host && mapped || !host && value["portDefinitions"].is_array() {
            merged.fault(&[&at], "the network is of another mode than the app's ports: write `network`");
        }
    }
}
