//! Checks of the networks of an app (`NetworkValidation`, `AppValidation`).
use crate::dcos::Dcos;
use crate::dcos::marathon::support::Support;
use crate::dcos::network::refused;
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::target::Site;

/// Checks the name, the labels, and the mode of each network of an app. A group with several apps cannot use a bridge network,
/// because a task on a bridge network cannot be reached from other agents.
pub fn judge(app: &str, value: &Value, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let mapped = value["container"]["portMappings"].is_array();
    let single = merged.at("/apps").as_array().is_none_or(|apps| apps.len() < 2);
    for (at, network) in merged.items(&format!("{app}/networks")) {
        let (host, bridge) = (network["mode"] == "host", network["mode"] == "container/bridge");
        if (host || bridge) && network["name"].is_string() {
            merged.fault(
                &[&at],
                if host {
                    "the host network cannot have a name"
                } else {
                    "a bridge network cannot have a name"
                },
            );
        }
        if host && network["labels"].as_object().is_some_and(|all| !all.is_empty()) {
            merged.fault(&[&at], "the host network cannot have labels");
        }
        if host && mapped || !host && value["portDefinitions"].is_array() {
            merged.fault(
                &[&at],
                "the network mode does not match the ports of the app: set `network` in the spec instead",
            );
        } else if bridge && !single {
            merged.fault(
                &[&at],
                "tasks on a bridge network cannot be reached from other agents: set `network` in the spec instead",
            );
        } else if !host && !bridge {
            named(&at, network, merged, site);
        }
    }
    together(app, merged);
    mapped_to(app, merged);
}

/// Checks a network name by the rules of the spec's `network`.
fn named(at: &str, network: &Value, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let Some(name) = network["name"].as_str() else { return };
    if let Some(Support::Unsupported(refusal)) = refused(name, site) {
        let fact = format!("{}: {}", refusal.why, refusal.help);
        merged.fault(&[&format!("{at}/name")], &fact);
    }
}

/// Checks that the networks of an app are of one kind: the host network, a bridge, or container networks.
fn together(app: &str, merged: &mut Merged<'_>) {
    let list = format!("{app}/networks");
    let all = merged.at(&list).as_array().map_or(&[][..], Vec::as_slice);
    let single = |network: &Value| network["mode"] == "host" || network["mode"] == "container/bridge";
    if all.len() > 1 && all.iter().any(single) {
        merged.fault(&[&list], "an app on the host network or a bridge cannot use a second network");
    }
}

/// Checks that each port mapping refers to a network of the app.
fn mapped_to(app: &str, merged: &mut Merged<'_>) {
    let networks = merged.items(&format!("{app}/networks"));
    let known: Vec<&str> = networks.filter_map(|(_, network)| network["name"].as_str()).collect();
    let several = known.len() > 1;
    for (at, mapping) in merged.items(&format!("{app}/container/portMappings")) {
        let names = mapping["networkNames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in names.filter(|name| !known.contains(name)) {
            let fact = format!("`networkNames` contains `{name}`, but the app does not use this network");
            merged.fault(&[&format!("{at}/networkNames"), &at], &fact);
        }
        let count = mapping["networkNames"].as_array().map_or(0, Vec::len);
        if several && mapping["hostPort"].is_number() && count != 1 {
            let fact = "the app uses several networks, so a port mapping with `hostPort` must name one of them in `networkNames`";
            merged.fault(&[&at, &format!("{app}/networks")], fact);
        }
    }
}
