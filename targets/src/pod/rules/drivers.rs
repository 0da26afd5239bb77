//! Checks of what CSI drivers require of the Pods that use them.
use super::{Job, bad, owner};
use crate::pod::context::Context;
use crate::pod::grammar::{LABEL, is_subdomain};
use crate::pod::options::RoleOptions;
use serde_json::Value;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::origin::pointer_step;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Requirement, Storage};
use tfjob_lang::spec::values::{Scheme, Uri};

/// Drivers that serve files from a sidecar, each with the annotation that makes the driver's webhook inject the sidecar. Without
/// the annotation, every Pod stays in `ContainerCreating` (docs/known-issues.md of GoogleCloudPlatform/gcs-fuse-csi-driver).
const SIDECARS: [(&str, &str); 1] = [("gcsfuse.csi.storage.gke.io", "gke-gcsfuse/volumes")];
/// A CSI driver, and the volume attribute that it requires (`NodePublishVolume`).
const BUCKET: (&str, &str) = ("gcsfuse.csi.storage.gke.io", "bucketName");
/// Help that says what the name of a driver may contain.
const DRIVER: &str = "use lowercase letters, digits, `-`, and `.`, at most 63 characters, such as `gcsfuse.csi.storage.gke.io`";

/// Checks the option `csi`: the URI schemes, and the names of their CSI drivers.
pub fn names(context: &Context<'_>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let driven = || Scheme::ALL.iter().filter(|scheme| scheme.class().is_file_system());
    for (scheme, csi) in &context.options.csi.0 {
        if !driven().any(|known| known.word() == scheme.value.as_str()) {
            let fact = format!("`csi` does not apply to the scheme `{}`", scheme.value);
            let schemes: Vec<String> = driven().map(|scheme| format!("`{}`", scheme.word())).collect();
            let help = format!("use one of the schemes {}", schemes.join(", "));
            out.push(bad(context, scheme.span, &fact, &help));
        }
        let driver = &csi.value.driver;
        if !is_subdomain(&driver.value.to_lowercase()) || driver.value.len() > LABEL {
            out.push(bad(
                context,
                driver.span,
                &format!("`{}` is not a valid driver name", driver.value),
                DRIVER,
            ));
        }
    }
    out
}

/// Checks each CSI driver that mounts a volume of a Pod.
pub fn judge(job: &Job<'_>) -> Vec<Diagnostic> {
    let (context, plan) = (job.context, job.context.plan);
    let mut out = Vec::new();
    for (scheme, csi) in &context.options.csi.0 {
        let uses = |requirement: &Requirement| {
            mounted(requirement).is_some_and(|uri| uri.scheme().word() == scheme.value)
        };
        if !plan.requirements.iter().any(|required| uses(&required.requirement)) {
            continue;
        }
        let driver = &csi.value.driver;
        let of_driver = |(known, _): &&(&str, &str)| *known == driver.value.as_str();
        if of_driver(&&BUCKET) && csi.value.attributes.get(BUCKET.1).is_none() {
            let fact = format!("`{}` requires the volume attribute `bucketName`", driver.value);
            out.push(bad(context, driver.span, &fact, "add `attributes { bucketName \"{host}\"; }`"));
        }
        if of_driver(&&BUCKET) {
            let written = plan
                .requirements
                .iter()
                .find(|required| uses(&required.requirement) && is_written(&required.requirement));
            let options = csi.value.attributes.get("mountOptions");
            out.extend(written.and_then(|written| owner::judge(job, options, written.at)));
        }
        let Some((_, key)) = SIDECARS.iter().find(of_driver) else { continue };
        let annotation =
            |role: &RoleOptions<'_>| Some(Value::from(role.annotations.get(key)?.value.as_str()));
        let path = format!("/metadata/annotations/{}", pointer_step(key));
        let lacking = |(id, role): (RoleId, &RoleOptions<'_>)| {
            let value = (job.patched)(id, &path).or_else(|| annotation(role));
            value.is_none_or(|value| value != "true")
        };
        if let Some(role) = job.roles.iter().enumerate().position(lacking) {
            let name = &plan.roles[role].name;
            let fact = format!(
                "`{}` mounts volumes only in pods with the annotation `{key}: \"true\"`, which the pods of `{}` do not have",
                driver.value, name.value
            );
            let help = format!(
                "add `annotations {{ \"{key}\" \"true\"; }}` to `target \"{}\"` of the job",
                context.kind.target
            );
            out.push(bad(context, driver.span, &fact, &help).label(name.span, "its pods would not start"));
        }
    }
    out
}

fn is_written(requirement: &Requirement) -> bool {
    matches!(
        requirement,
        Requirement::Storage(Storage::CheckpointsMount { .. } | Storage::DataMount { writable: true, .. })
    )
}

/// Returns the URI that a requirement mounts, if any.
fn mounted(requirement: &Requirement) -> Option<&Uri> {
    if let Requirement::Storage(
        Storage::Code { uri, .. }
        | Storage::Stage { uri, .. }
        | Storage::DataMount { uri, .. }
        | Storage::CheckpointsMount { uri, .. },
    ) = requirement
    {
        return Some(uri);
    }
    None
}
