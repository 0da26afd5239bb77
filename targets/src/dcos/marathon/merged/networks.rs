//! Networks of an app (`NetworkValidation`, `AppValidation`).
use crate::dcos::Dcos;
use crate::dcos::marathon::support::Support;
use crate::dcos::network::refused;
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::target::Site;

/// Only a network of containers has a name, and one alone on each host hides its tasks from other hosts.
pub fn judge(app: &str, value: &Value, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let mapped = value["container"]["portMappings"].is_array();
    let alone = merged.at("/apps").as_array().is_none_or(|apps| apps.len() < 2);
    for (at, network) in merged.items(&format!("{app}/networks")) {
        let (host, bridge) = (network["mode"] == "host", network["mode"] == "container/bridge");
        if (host || bridge) && network["name"].is_string() {
            merged
                .fault(&[&at], if host { "the host's network has no name" } else { "a bridge has no name" });
        }
        if host && network["labels"].as_object().is_some_and(|all| !all.is_empty()) {
            merged.fault(&[&at], "the host's network has no labels");
        }
        if host && mapped || !host && value["portDefinitions"].is_array() {
            merged.fault(&[&at], "the network is of another mode than the app's ports: write `network`");
        } else if bridge && !alone {
            merged.fault(
                &[&at],
                "a bridge gives tasks addresses that other agents cannot reach: write `network`",
            );
        } else if !host && !bridge {
            named(&at, network, merged, site);
        }
    }
    together(app, merged);
    mapped_to(app, merged);
}

/// The name is judged as that of the line `network`.
fn named(at: &str, network: &Value, merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let Some(name) = network["name"].as_str() else { return };
    if let Some(Support::Unsupported(refusal)) = refused(name, site) {
        let fact = format!("Marathon {}: {}", refusal.why, refusal.help);
        merged.fault(&[&format!("{at}/name")], &fact);
    }
}

/// An app is on the host's network, on a bridge, or on networks of containers.
fn together(app: &str, merged: &mut Merged<'_>) {
    let list = format!("{app}/networks");
    let all = merged.at(&list).as_array().map_or(&[][..], Vec::as_slice);
    let single = |network: &Value| network["mode"] == "host" || network["mode"] == "container/bridge";
    if all.len() > 1 && all.iter().any(single) {
        merged.fault(&[&list], "the app has a second network beside the host's or a bridge");
    }
}

/// A port is mapped on networks that the app has.
fn mapped_to(app: &str, merged: &mut Merged<'_>) {
    let networks = merged.items(&format!("{app}/networks"));
    let known: Vec<&str> = networks.filter_map(|(_, network)| network["name"].as_str()).collect();
    let several = known.len() > 1;
    for (at, mapping) in merged.items(&format!("{app}/container/portMappings")) {
        let names = mapping["networkNames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in names.filter(|name| !known.contains(name)) {
            let fact = format!("`networkNames` holds `{name}`, and the app is not on that network");
            merged.fault(&[&format!("{at}/networkNames"), &at], &fact);
        }
        let count = mapping["networkNames"].as_array().map_or(0, Vec::len);
        if several && mapping["hostPort"].is_number() && count != 1 {
            let fact = "the app is on several networks, and a mapping with `hostPort` names one: write `networkNames`";
            merged.fault(&[&at, &format!("{app}/networks")], fact);
        }
    }
}
