//! Checks of the options after the patches are merged, by the same rules as for the fields of the spec.
mod placement;

use super::rules::is_inside;
use crate::dcos::package::support::Support;
use crate::dcos::{Dcos, images, network};
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::escape::Escaped;
use tfjob_lang::target::{Site, is_true};

/// Options that contain host ports. The second element is the option that enables the tasks with this port, or `None` if they are
/// always enabled.
const PORTS: [(&str, Option<&str>); 3] = [
    ("/parameter_server/port", None),
    ("/worker/port", None),
    ("/tensorboard/port", Some("/service/use_tensorboard")),
];

const NETWORK: &str = "/service/virtual_network_enabled";
const KERBEROS: &str = "/service/security/kerberos";

/// Checks the merged options.
pub fn judge(merged: &mut Merged<'_>, site: &Site<Dcos>) {
    if !merged.is_patched() {
        return;
    }
    ports(merged);
    named(merged, site);
    kerberos(merged);
    secrets(merged, site);
    texts(merged, site);
}

/// Checks strings that the package accepts at installation, but that its tasks or its scheduler reject later.
fn texts(merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let text = |merged: &Merged<'_>, at: &str| {
        merged.wrote(at).then(|| merged.at(at).as_str().unwrap_or_default().to_owned())
    };
    const PATH: &str = "/service/job_path";
    if let Some(path) = text(merged, PATH).filter(|path| !path.is_empty() && !is_inside(path)) {
        merged.fault(&[PATH], &format!("`{}` is not a relative path inside the code", path.escaped()));
    }
    const REGION: &str = "/service/region";
    if text(merged, REGION).is_some_and(|name| !name.is_empty()) && !site.job.is_since((1, 11)) {
        merged.fault(
            &[REGION],
            "regions need DC/OS 1.11 or later: add `version \"1.11\"` to `target \"dcos\"` if the cluster runs it",
        );
    }
    for at in ["/service/gpu_tf_image", "/service/tf_image", "/service/user"] {
        if text(merged, at).is_some_and(|text| text.is_empty()) {
            merged.fault(&[at], &format!("`{}` is empty", merged.path(at)));
        }
    }
    for at in ["/service/gpu_tf_image", "/service/tf_image"] {
        images::patched(merged, at, site);
    }
    for at in ["/parameter_server/placement_constraint", "/worker/placement_constraint"] {
        if let Some(fault) = text(merged, at).and_then(|text| placement::fault(&text)) {
            merged.fault(&[at], &format!("`{}` {fault}", merged.path(at)));
        }
    }
}

fn ports(merged: &mut Merged<'_>) {
    if merged.at(NETWORK) == &Value::Bool(true) {
        return;
    }
    for (at, switch) in PORTS {
        let is_on = switch.is_none_or(|switch| merged.at(switch) == &Value::Bool(true));
        let number = merged.at(at).as_u64().filter(|_| is_on).and_then(|number| u16::try_from(number).ok());
        let Some((number, ranges)) = number.and_then(|n| Some((n, network::offered_instead(n)?))) else {
            continue;
        };
        let fact = format!(
            "agents do not offer host port {number} to tasks: use a port in {ranges}, or `network \"dcos\"`"
        );
        merged.fault(&[at, NETWORK], &fact);
    }
}

fn named(merged: &mut Merged<'_>, site: &Site<Dcos>) {
    let at = "/service/virtual_network_name";
    let Some(name) = merged.at(at).as_str().filter(|_| merged.at(NETWORK) == &Value::Bool(true)) else {
        return;
    };
    if let Some(Support::Unsupported(refusal)) = network::refused(name, site) {
        merged.fault(&[at], &format!("{}: {}", refusal.why, refusal.help));
    }
}

/// Checks the Kerberos options. The package does not check them: it renders a missing name as an empty string.
fn kerberos(merged: &mut Merged<'_>) {
    if merged.at(&format!("{KERBEROS}/enabled")) != &Value::Bool(true) {
        return;
    }
    let needed = ["kdc/hostname", "primary", "realm", "keytab_secret"];
    let empty = needed
        .into_iter()
        .find(|key| merged.at(&format!("{KERBEROS}/{key}")).as_str().unwrap_or_default().is_empty());
    if let Some(key) = empty {
        let fact =
            format!("Kerberos is enabled without `{}`: set `kerberos` and `kdc`", key.replace('/', "."));
        merged.fault(&[&format!("{KERBEROS}/{key}"), &format!("{KERBEROS}/enabled")], &fact);
    }
}

/// Checks that the cluster has a secret store if an option refers to a secret.
fn secrets(merged: &mut Merged<'_>, site: &Site<Dcos>) {
    if is_true(site.job.enterprise.as_ref()) {
        return;
    }
    for at in ["/service/service_account_secret", "/service/security/kerberos/keytab_secret"] {
        if merged.wrote(at) && merged.at(at).as_str().is_some_and(|secret| !secret.is_empty()) {
            let fact = format!(
                "`{}` names a secret, and only DC/OS Enterprise has a secret store: add `enterprise #true` to `target \"dcos\"` if the cluster runs it",
                merged.path(at)
            );
            merged.fault(&[at], &fact);
        }
    }
}
