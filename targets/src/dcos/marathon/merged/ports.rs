//! Checks of the ports of an app (`AppValidation.portDefinitionsValidator`, `portMappingIsCompatibleWithNetworks`).
use crate::dcos::network::offered_instead;
use crate::patch::Merged;
use serde_json::Value;
use std::collections::BTreeSet;

/// Checks that no host port occurs twice, and that agents offer each host port. Port 0 means any port.
pub fn judge(app: &str, value: &Value, merged: &mut Merged<'_>) {
    let fields = [("portDefinitions", "port"), ("container/portMappings", "hostPort")];
    for (list, key) in fields {
        let mut met = BTreeSet::new();
        for (at, port) in merged.items(&format!("{app}/{list}")) {
            let Some(number) = port[key].as_u64().filter(|number| *number > 0) else { continue };
            let at = format!("{at}/{key}");
            if !met.insert(number) {
                merged.fault(&[&at], &format!("the app uses host port {number} twice"));
            } else if merged.wrote(&at) {
                offered(&at, number, value, merged);
            }
        }
    }
}

/// Checks that agents offer a host port. An app that uses other Mesos roles than `*` is not checked: agents of the role
/// `slave_public`, for example, offer other ports.
fn offered(at: &str, number: u64, app: &Value, merged: &mut Merged<'_>) {
    let mut roles = app["acceptedResourceRoles"].as_array().into_iter().flatten();
    let ranges = u16::try_from(number).ok().and_then(offered_instead);
    if let Some(ranges) = ranges.filter(|_| roles.all(|role| role == "*") && app["role"].is_null()) {
        let fact = format!("agents do not offer host port {number} to tasks: use a port in {ranges}");
        merged.fault(&[at], &fact);
    }
}
